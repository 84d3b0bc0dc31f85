"""Writes the demo documents into `data/documents/` and what they say into `data/gold_facts.jsonl`.

    python data/make_documents.py                     the committed documents and the gold file
    python data/make_documents.py FOLDER              the documents, elsewhere
    python data/make_documents.py FOLDER --revision   the documents, one of them in its next revision

The bytes depend on nothing but this code: dates in properties and archives are fixed. Where each situation is met:

| situation | where |
|---|---|
| long value, all digits (1234567.89) | management accounts, KPIs!E14 |
| years only, no quarters or months | ACME review |
| a question word that is not stored (gross profit, Shenzhen …) | in none of the documents |
| FY24 · 1Q24, 9M2024, LTM, H1 2024, 2023/24, Mar-24 · 二零二四年 | management accounts · quarterly data · 经营数据 |
| "Revenue (HK$ 000)" · 营收（百万港元） | management accounts, KPIs!A9 · 经营数据, 分部资料!A4 |
| units in corners, captions, titles, unit columns, unit rows, axis titles, number formats, sheet notes | throughout |
| 0.153 shown as 15.3 % · the text "15.3%" | management accounts, KPIs!D5 · 经营数据, 业务概览!C12 |
| "(123.4)", "—", "n.a.", 不适用, "n.m." | management accounts, P&L; annual results, slide 2; 业务概览 |
| two columns for FY2023 | restatement; also management accounts and annual results (restated only) |
| same value in another unit, equal when rounded, real conflict | investor day, slide 2 against management accounts |
| a row removed in the next revision | stores, `--revision` |
| title rows above the header, merged and multi-row headers | management accounts, budget, annual results slide 3 |
| tables side by side and stacked, not at A1 | management accounts, Balance sheet, Channels & markets |
| transposed table, unit in a second header row | summary by year |
| list of records with row numbers, codes, phones, dates | stores |
| "Revenue – Agency" | management accounts, Channels & markets!A14 |
| entity in the slide title | ACME review slide 2, annual results |
| hidden sheet, row, column, slide | management accounts, Workings, KPIs row 19 and column C; annual results slide 12 |
| formula without cached value, formula with an error | management accounts, KPIs!E20, E21 |
| scaled, currency and percent formats · dates as heads | management accounts, KPIs · Balance sheet, quarterly data |
| totals that foot, and a table that does not | management accounts; Channels & markets!F18 |
| actual, budget, forecast, variance | budget; annual results slide 3 |
| charts: stacked, second axis, pie, dates, scatter, multi-level | annual results, slides 4 to 8 and 10 |
| chart: solid bars | ACME review, slide 3 |
| table inside a group | annual results, slide 9 |
| why something happened (notes, comments, prose) | annual results notes; management accounts, Notes |
| Q4 = FY − 9M | quarterly data |
| two files of one name | hong_kong/ and macau/Branch_KPIs.xlsx |
| for a few eyes only | board/ |
| statements without rulings, note references, unit lines, running headers | reports/, both |
| HK$ millions, except per share data · 单位：元 币种：人民币 | reports/, income statements |
| a band over two columns of dates | reports/, English, page 4 |
| a table that goes over to the next page, its head printed again | reports/, English, pages 5 and 6 |
| texts in the cells, as exporting programs write them | Branch_KPIs.xlsx; all others share them |
"""

from __future__ import annotations

import argparse
from pathlib import Path

from documents_deck import Deck
from documents_decks import decks
from documents_figures import check_figures
from documents_gold import as_lines
from documents_management import management_accounts
from documents_regional import chinese_operating_data, quarterly_data
from documents_report import Report
from documents_reports import reports
from documents_retail import retail_books, store_list
from documents_workbook import Book

HERE = Path(__file__).resolve().parent
CLOSED_STORE = "Wan Chai 湾仔店"


def documents() -> list[Book | Deck | Report]:
    """Every document, made but not yet written."""
    check_figures()
    books = [management_accounts(), chinese_operating_data(), quarterly_data(), *retail_books()]
    return [*decks(), *books, *reports()]


def write_documents(folder: Path) -> list[Book | Deck | Report]:
    """All documents below a folder."""
    made = documents()
    for document in made:
        document.write(folder)
    return made


def main() -> None:
    parser = argparse.ArgumentParser(description="Writes the demo documents.")
    parser.add_argument("folder", nargs="?", type=Path, help="where to; without it the committed files are rewritten")
    parser.add_argument("--gold", type=Path, help="also write the expected facts into this file")
    parser.add_argument("--revision", action="store_true", help="the store list in its next revision, a store removed")
    arguments = parser.parse_args()
    made = write_documents(arguments.folder or HERE / "documents")
    gold = as_lines(fact for document in made for fact in document.facts)
    if arguments.gold or arguments.folder is None:
        (arguments.gold or HERE / "gold_facts.jsonl").write_text(gold, encoding="utf-8")
    if arguments.revision:
        store_list(closed=CLOSED_STORE).write(arguments.folder or HERE / "documents")
    print(f"{len(made)} documents, {gold.count(chr(10))} facts expected")


if __name__ == "__main__":
    main()
