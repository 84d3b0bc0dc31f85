"""What the tree promises about itself: sizes, places, and nothing left half done."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from tests.commandline import ROOT, tracked_files

PACKAGE = ROOT / "factspine"
TRACKED = tracked_files()
MODULES = sorted(path for path in TRACKED if path.suffix == ".py" and path.is_relative_to(PACKAGE))
TEXTS = [path for path in TRACKED if path.suffix in (".py", ".toml", ".md", ".mako") or path.name == "Makefile"]
MODULE_LINES_MAX = 400
FUNCTION_LINES_MAX = 50
# Spelled apart, so that this file does not hold what it looks for.
_UNFINISHED = re.compile("|".join(("TO" + "DO", "FIX" + "ME", "X" * 3, "HA" + "CK")))
_VAGUE_NAMES = {"utils", "util", "helpers", "helper", "common", "misc", "manager"}
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


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
        for path in TEXTS
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if _UNFINISHED.search(line)
    ]
    assert marked == []
