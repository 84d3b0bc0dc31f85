"""What the tree promises about itself: sizes, places, and nothing left half done."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

from tests.commandline import DOCUMENTS, ROOT

PACKAGE = ROOT / "factspine"
MODULES = sorted(PACKAGE.rglob("*.py"))
MODULE_LINES_MAX = 400
FUNCTION_LINES_MAX = 50
# Spelled apart, so that this file does not hold what it looks for.
_UNFINISHED = re.compile("|".join(("TO" + "DO", "FIX" + "ME", "X" * 3, "HA" + "CK")))
_VAGUE_NAMES = {"utils", "util", "helpers", "helper", "common", "misc", "manager"}
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def _tracked() -> list[Path]:
    """The text files under version control; in a source archive without one, those of the package."""
    found = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    paths = [ROOT / name for name in found.stdout.split("\0") if name] if found.returncode == 0 else MODULES
    suffixes = {".py", ".toml", ".md", ".mako", ""}
    return [path for path in paths if path.suffix in suffixes and path.is_file()]


def test_modules_fit_in_a_head() -> None:
    """No module of the package has 400 lines or more."""
    lengths = {_name(path): len(path.read_text(encoding="utf-8").splitlines()) for path in MODULES}
    assert {name: length for name, length in lengths.items() if length >= MODULE_LINES_MAX} == {}


def test_functions_fit_on_a_screen() -> None:
    """No function of the package has 50 lines or more."""
    long = {}
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, _Function):
                first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
                length = (node.end_lineno or node.lineno) - first + 1
                if length >= FUNCTION_LINES_MAX:
                    long[f"{_name(path)}:{node.lineno} {node.name}"] = length
    assert long == {}


def test_every_module_says_what_it_is_for() -> None:
    """Every module has a docstring, and no module is named for nothing in particular."""
    silent = [_name(path) for path in MODULES if not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))]
    assert silent == []
    assert [_name(path) for path in MODULES if path.stem in _VAGUE_NAMES] == []


def test_the_migrations_do_not_shadow_the_library() -> None:
    """`alembic/` at the top is no package: as one, it would be imported in place of the library of that name."""
    assert (ROOT / "alembic" / "env.py").is_file()
    assert not (ROOT / "alembic" / "__init__.py").exists()


def test_nothing_is_marked_as_unfinished() -> None:
    """What is not done is said in the README, not in a comment."""
    marked = [
        f"{_name(path)}:{number}"
        for path in _tracked()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if _UNFINISHED.search(line)
    ]
    assert marked == []


def test_parsers_are_not_loaded_by_the_parent(tmp_path: Path) -> None:
    """An ingest parses in its children: the process that holds the store never loads a parser."""
    script = (
        "import sys\nfrom factspine import FactStore, ingest\n"
        "store = FactStore(sys.argv[1]); store.init_schema(); ingest(sys.argv[2], store, jobs=1)\n"
        "print(sorted({'openpyxl', 'pptx', 'lxml'} & set(sys.modules)))\n"
    )
    command = [sys.executable, "-c", script, str(tmp_path / "facts.db"), str(DOCUMENTS / "hong_kong")]
    assert subprocess.run(command, check=True, capture_output=True, text=True).stdout == "[]\n"
