"""Same bytes, same facts: nothing about the process, its place or its time reaches a fact."""

from __future__ import annotations

from pathlib import Path

from factspine import FactStore
from tests.commandline import DOCUMENTS, clean_environment, run

HERE = {"PYTHONHASHSEED": "1", "LC_ALL": "C.UTF-8", "LANG": "C.UTF-8", "TZ": "UTC"}
ELSEWHERE = {"PYTHONHASHSEED": "4242", "LC_ALL": "zh_CN.GB18030", "LANG": "zh_CN.GB18030", "TZ": "Asia/Hong_Kong"}


def _ingest(folder: Path, environment: dict[str, str], *options: str) -> tuple[str, bytes]:
    """The facts as printed and the run's root, of a fresh store made by a fresh process."""
    store = folder / "facts.db"
    folder.mkdir()
    env = clean_environment(**environment)
    done = run("ingest", DOCUMENTS, "--store", store, *options, env=env)
    assert done.returncode == 0, done.stderr
    listed = run("facts", "--store", store, "--json", env=env)
    assert listed.returncode == 0, listed.stderr
    with FactStore(store) as opened:
        head = opened.head()
    assert head is not None
    return listed.stdout, head.root


def test_seed_locale_zone_and_cores_do_not_matter(tmp_path: Path) -> None:
    """Two fresh processes with other hash seeds, locales, time zones and numbers of workers print the same bytes."""
    first, first_root = _ingest(tmp_path / "here", HERE, "--jobs", "1")
    second, second_root = _ingest(tmp_path / "elsewhere", ELSEWHERE, "--jobs", "2")
    assert first.count("\n") > 500
    assert first == second
    assert first_root == second_root


def test_tables_of_one_file_are_printed_the_same_everywhere() -> None:
    """`extract --json` depends on the file alone, Chinese labels and all."""
    file = DOCUMENTS / "management" / "港晖集团_2024年度经营数据.xlsx"
    outputs = {run("extract", file, "--json", env=clean_environment(**one)).stdout for one in (HERE, ELSEWHERE)}
    assert len(outputs) == 1
    assert "总收入" in outputs.pop()
