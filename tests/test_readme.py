"""The README is true: its commands run, its reference is the code's, its links lead somewhere."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from factspine.cli import app as application
from factspine.core.findings import CODES
from factspine.core.locators import parse
from factspine.lexicon.vocabulary import Vocabulary
from tests.commandline import PROGRAM, ROOT, clean_environment, tracked_files

README = (ROOT / "README.md").read_text(encoding="utf-8")
_BLOCK = re.compile(r"^```(?P<language>\w+)\n(?P<text>.*?)^```$", re.M | re.S)
_LINK = re.compile(r"!?\[[^\]]*\]\((?P<target>[^)\s]+)\)")
DOCUMENTS_WITH_LINKS = ["README.md", "CHANGELOG.md", "data/README.md"]


def blocks(language: str) -> list[str]:
    """The code blocks of the README in one language."""
    return [found["text"] for found in _BLOCK.finditer(README) if found["language"] == language]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder that holds the demo documents where the README says they are, and nothing else."""
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "documents").symlink_to(ROOT / "data" / "documents")
    return tmp_path


@pytest.fixture
def environment() -> dict[str, str]:
    return clean_environment(PATH=f"{PROGRAM.parent}{os.pathsep}{os.environ['PATH']}")


@pytest.fixture(scope="module")
def reference() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_reference", ROOT / "docs" / "make_reference.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_commands_run_as_written(place: Path, environment: dict[str, str]) -> None:
    """Every line of every shell block ends with 0 and prints something."""
    lines = [line for block in blocks("shell") for line in block.splitlines() if line]
    assert len(lines) >= 3
    for line in lines:
        done = subprocess.run(
            ["bash", "-c", line], cwd=place, env=environment, capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stderr) == (0, ""), line
        assert done.stdout.strip(), line


def test_the_python_runs_as_written(place: Path, environment: dict[str, str]) -> None:
    """The example of the library works, with warnings as errors."""
    for block in blocks("python"):
        command = [sys.executable, "-W", "error", "-c", block]
        done = subprocess.run(command, cwd=place, env=environment, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        assert "1320 USD 6 2024 slide=2,table=1,cell=R2C3,row=REVENUE,col=FY2024" in done.stdout


def test_the_vocabulary_file_is_accepted(tmp_path: Path) -> None:
    """The example is a vocabulary, and its names are understood."""
    (example,) = blocks("toml")
    path = tmp_path / "vocabulary.toml"
    path.write_text(example, encoding="utf-8")
    vocabulary = Vocabulary.load(path)
    assert vocabulary.metric_code("新签金额") == "NEWSALES"
    assert vocabulary.sensitivity("board/pack.pptx") == "RESTRICTED"


def test_the_reference_is_what_the_code_says(reference: ModuleType) -> None:
    """Commands, options, finding codes and packages are generated: run docs/make_reference.py after changing them."""
    assert reference.renewed(README) == README
    assert all(f"`{code}`" in README for code in CODES)


def test_every_exit_code_is_documented() -> None:
    """The table of exit codes has a row for each code the command line ends with."""
    documented = {int(code) for code in re.findall(r"^\| (\d+) \|", README, re.M)}
    used = {value for name, value in vars(application).items() if name.startswith("EXIT_")}
    assert used | {0} <= documented


def test_every_locator_of_the_readme_can_be_read() -> None:
    """What the README gives as a locator is one."""
    found = re.findall(r"`((?:sheet|slide|page)=[^`]+)`", README)
    assert len(found) >= 8
    for text in found:
        parse(text)


@pytest.mark.parametrize("document", DOCUMENTS_WITH_LINKS)
def test_local_links_lead_somewhere(document: str) -> None:
    """Pictures, tests and files that are linked to exist."""
    path = ROOT / document
    targets = [found["target"] for found in _LINK.finditer(path.read_text(encoding="utf-8"))]
    local = [target.partition("#")[0] for target in targets if "://" not in target]
    assert [target for target in local if target and not (path.parent / target).exists()] == []


def test_the_map_names_every_package() -> None:
    """Each package under version control has a row in the README."""
    there = {
        path.parent.name
        for path in tracked_files()
        if path.parent.parent == ROOT / "factspine" and path.stem == "__init__"
    }
    assert {name for name in there if f"| `{name}/` |" not in README} == set()
