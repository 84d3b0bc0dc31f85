"""The built wheel, installed alone: what users get, not what the working copy holds."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

from tests.commandline import DOCUMENTS, ROOT, clean_environment, run


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built with what is installed here: nothing is fetched."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    kept = shutil.ignore_patterns(".*", "__pycache__", "tests", "benchmarks", "*.db*", "build", "dist")
    shutil.copytree(ROOT, source, ignore=kept)
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-index", "--no-build-isolation"]
    subprocess.run([*command, "--wheel-dir", str(folder), str(source)], check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment that holds the wheel and, through a path file, the libraries it depends on: its programs."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, symlinks=True)
    python = folder / "bin" / "python"
    command = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "--no-deps", "--no-index"]
    subprocess.run([*command, str(wheel)], check=True, capture_output=True)
    # Path files inside this folder are not followed, so that the working copy's own package stays out of reach.
    (site,) = folder.glob("lib/python*/site-packages")
    (site / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return folder / "bin"


def test_migrations_vocabulary_and_types_are_inside(wheel: Path) -> None:
    """Everything the package reads at run time is in the wheel, and nothing of the working copy beside it."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        metadata = archive.read(next(name for name in names if name.endswith("/METADATA"))).decode()
    for needed in ("store/migrations/env.py", "lexicon/metrics.toml", "lexicon/units.toml", "py.typed"):
        assert f"factspine/{needed}" in names
    assert sum(name.startswith("factspine/store/migrations/versions/") for name in names) >= 2
    assert {name.split("/")[0].split("-")[0] for name in names} == {"factspine"}
    assert "License-Expression: Apache-2.0" in metadata


def test_the_wheel_works_alone_from_another_folder(installed: Path, tmp_path: Path) -> None:
    """Installed in an environment of its own, it ingests a workbook and a deck, lists facts and shows a cell."""
    folder = tmp_path / "documents"
    folder.mkdir()
    shutil.copy(DOCUMENTS / "ACME_FY2024_Review.pptx", folder)
    shutil.copy(DOCUMENTS / "hong_kong" / "Branch_KPIs.xlsx", folder)
    environment = {name: value for name, value in clean_environment().items() if name != "PYTHONPATH"}
    where = [str(installed / "python"), "-c", "import factspine; print(factspine.__file__)"]
    found = subprocess.run(where, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True).stdout
    assert Path(found.strip()).is_relative_to(installed.parent)
    program = installed / "factspine"
    done = run("ingest", "documents", "--store", "facts.db", "--json", cwd=tmp_path, env=environment, program=program)
    assert done.returncode == 0, done.stderr
    assert [one["status"] for one in json.loads(done.stdout)["documents"]] == ["ingested", "ingested"]
    listed = run("facts", "--store", "facts.db", "--json", cwd=tmp_path, env=environment, program=program)
    facts = [json.loads(line) for line in listed.stdout.splitlines()]
    assert {fact["metric_code"] for fact in facts} >= {"REVENUE", "ROE"}, "the built-in vocabulary is in use"
    for document in {fact["source_doc_id"]: fact for fact in facts}.values():
        place = (document["source_doc_id"], document["source_locator"])
        showing = ("show", *place, "--store", "facts.db", "--html", "cell.html")
        shown = run(*showing, cwd=tmp_path, env=environment, program=program)
        assert shown.returncode == 0, shown.stderr
        assert document["value_text"] in (tmp_path / "cell.html").read_text(encoding="utf-8")
