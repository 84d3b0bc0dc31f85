"""The vocabulary: built in, and what a user's file adds."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from factspine.core.errors import UsageError
from factspine.lexicon.vocabulary import Vocabulary

USER_FILE = """
[defaults]
entity = "ACME_GROUP"
[fiscal]
year_end_month = 3
[[metric]]
code = "NEWSALES"
names = ["new sales", "新签金额"]
unit = "currency"
[[entity]]
code = "ACME_HK"
names = ["ACME Hong Kong", "ACME HK"]
geography = "HK"
[[channel]]
code = "TIED"
names = ["tied force"]
[[precedence]]
documents = ["audited/*"]
rank = 1
[[sensitivity]]
documents = ["board/*"]
level = "RESTRICTED"
"""


@pytest.fixture
def user_vocabulary(tmp_path: Path) -> Vocabulary:
    path = tmp_path / "vocabulary.toml"
    path.write_text(USER_FILE, encoding="utf-8")
    return Vocabulary.load(path)


@pytest.mark.parametrize(
    ("label", "code"),
    [
        ("Revenue", "REVENUE"),
        ("營業收入", "REVENUE"),
        ("营业收入", "REVENUE"),
        ("ＥＢＩＴＤＡ", "EBITDA"),
        ("Cost of Sales", "COST_OF_SALES"),
        ("归属于上市公司股东的净利润", "NET_PROFIT_ATTRIBUTABLE"),
        ("新業務價值", "VONB"),
        ("NPL ratio", "NPL_RATIO"),
        ("非营运利润", "NON_OPERATING_PROFIT"),
        ("毛利率", "GROSS_MARGIN"),
        ("Selling, general & administrative expenses", "SGA_EXPENSES"),
        ("shareholders’ equity", "SHAREHOLDERS_EQUITY"),
    ],
)
def test_a_known_label_has_its_code_in_any_spelling(label: str, code: str) -> None:
    """Case, width, script, punctuation and plural do not matter."""
    assert Vocabulary.load().metric_code(label) == code


@pytest.mark.parametrize("label", ["Revenue per visitor", "Monroe Inc", "Total", "gross", "", "未列名指标"])
def test_an_unknown_label_has_no_code(label: str) -> None:
    """A part of a name is not the name."""
    assert Vocabulary.load().metric_code(label) is None


def test_at_least_150_metrics_are_built_in_in_both_languages() -> None:
    """Most of them can be asked for in Chinese and in English."""
    names = Vocabulary.load().metric_names
    both = [
        code
        for code, spelled in names.items()
        if any(n.isascii() for n in spelled) and any(not n.isascii() for n in spelled)
    ]
    assert len(both) >= 150


def test_no_name_means_two_metrics() -> None:
    """A synonym listed twice would be decided by the order of a file."""
    from factspine.lexicon.folding import key_of

    owner: dict[str, str] = {}
    for code, spelled in Vocabulary.load().metric_names.items():
        for name in spelled:
            assert owner.setdefault(key_of(name), code) == code, name


def test_a_user_file_adds_to_the_vocabulary(user_vocabulary: Vocabulary) -> None:
    """Metrics, entities, channels, rules and the fiscal calendar of the contract's file."""
    assert user_vocabulary.metric_code("新簽金額") == "NEWSALES"
    assert user_vocabulary.metric_kind("NEWSALES") == "currency"
    assert user_vocabulary.metric_code("Revenue") == "REVENUE"
    entity = user_vocabulary.entity("acme hk")
    assert entity is not None
    assert (entity.code, entity.geography) == ("ACME_HK", "HK")
    assert user_vocabulary.channel("Tied Force") == "TIED"
    assert user_vocabulary.defaults["entity"] == "ACME_GROUP"
    assert user_vocabulary.fiscal_year_end_month == 3
    assert user_vocabulary.sensitivity("board/minutes.xlsx") == "RESTRICTED"
    assert user_vocabulary.sensitivity("minutes.xlsx") == "PUBLIC"
    assert user_vocabulary.precedence("audited/a.xlsx") == 1
    assert user_vocabulary.precedence("a.xlsx") is None


def test_the_version_follows_the_content(user_vocabulary: Vocabulary, tmp_path: Path) -> None:
    """Another vocabulary is another mapping; the same one is the same."""
    copy = tmp_path / "copy.toml"
    copy.write_text(USER_FILE, encoding="utf-8")
    assert Vocabulary.load(copy).version == user_vocabulary.version != Vocabulary.load().version


def test_the_version_does_not_depend_on_the_process() -> None:
    """Two processes with different hash seeds agree."""
    code = "from factspine.lexicon.vocabulary import Vocabulary; print(Vocabulary.load().version)"
    versions = {
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(versions) == 1


@pytest.mark.parametrize(
    "text",
    [
        "[metrics]\n",
        "[[metric]]\ncode = 'A'\n",
        "[[entity]]\nnames = ['a']\n",
        "[fiscal]\nyear_end_month = 13\n",
        "= 3",
        "metric = 1\n",
    ],
)
def test_a_wrong_file_is_refused_with_what_to_do(text: str, tmp_path: Path) -> None:
    """A typing error in the vocabulary does not pass silently."""
    path = tmp_path / "vocabulary.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=r"vocabulary\.toml"):
        Vocabulary.load(path)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    """A path that leads nowhere is told."""
    with pytest.raises(UsageError, match="cannot be read"):
        Vocabulary.load(tmp_path / "none.toml")


def test_the_tables_of_names_are_those_of_the_files_and_libraries_they_were_made_from() -> None:
    """Whoever edits a list of names and forgets `python -m factspine.lexicon.making` is told."""
    import json
    from importlib.metadata import version

    from factspine.lexicon import making, tables

    made = json.loads(tables.NAMES_FILE.read_text(encoding="utf-8"))
    assert made["names"]["version"] == tables.digest(*map(tables.source_text, tables.SOURCES))
    if made["cldr"] == version("babel"):
        assert json.loads(json.dumps(making.make_names()._asdict())) == made["names"]
    attributes = json.loads(tables.ATTRIBUTES_FILE.read_text(encoding="utf-8"))
    assert making.make_attributes()._asdict() == attributes
    characters = json.loads(tables.CHARACTERS_FILE.read_text(encoding="utf-8"))
    if characters["opencc"] == version("opencc"):
        assert {**making.make_characters(), "opencc": characters["opencc"]} == characters
