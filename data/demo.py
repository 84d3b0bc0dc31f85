"""The main job on the demo documents, told step by step with the command line a newcomer will use.

    make demo            or: .venv/bin/python data/demo.py

It makes a fresh store at `data/fact_metric.db`, the default of every command, so that all of them can be tried on it
afterwards. A store there that holds anything but the demo documents is left alone.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from factspine import FactStore

ROOT = Path(__file__).resolve().parent.parent
STORE = Path("data/fact_metric.db")
ACCOUNTS = "management/Harbour_Light_Management_Accounts_FY2024.xlsx"
RESULTS = "Harbour_Light_FY2024_Annual_Results.pptx"
REPORT = "reports/Harbour_Light_Annual_Report_2024.pdf"
STORES_LIST = "retail/Harbour_Light_Stores.xlsx"

# What to look at, and the filters that show it.
SITUATIONS: Sequence[tuple[str, Sequence[str]]] = (
    ("A unit said in a row label, HK$ 000", ("--text", "cell=E9,row=Revenue (HK$ 000)")),
    ("二零二四年, in 亿 of Hong Kong dollars, said once above the table", ("--text", "cell=B5,row=总收入")),
    ("A half year, a channel and 万元, in Chinese", ("--channel", "AGENCY", "--period", "2024H1", "--limit", "1")),
    ("0.153 formatted as a percentage, and the text 15.3%: one value", ("--text", "15.3%", "--limit", "2")),
    ("Negative in brackets, and restated", ("--metric", "Finance costs", "--status", "restated", "--limit", "1")),
    ("One year twice, as reported and restated: both", ("--doc", "restated/*", "--text", "Retail revenue,col=FY")),
    ("A budget", ("--status", "budget", "--geography", "HK", "--limit", "1")),
    ("A point of a chart, its category on two levels", ("--text", "cat=2024 / Q4")),
    ("On a hidden slide: flagged, never lost", ("--status", "hidden", "--doc", RESULTS, "--limit", "1")),
    ("A statement in a PDF, without a line in it, 单位：元 said once above", ("--text", "row=货币资金")),
    ("All digits, no rounding", ("--text", "1234567.89")),
)  # fmt: skip

QUESTIONS = (
    ("A number, its unit as the document has it, its cell", "中国内地FY2024的REVENUE是多少"),
    ("Computed, from cited cells", "What was the growth of total revenue of Harbour Light Group in FY2024?"),
    ("Several at once", "香港和澳门FY2023、FY2024的赔付率分别是多少"),
    ("In words, by quoting", "Why did revenue in Mainland China grow?"),
    ("Nothing is guessed: the word that nothing accounts for is named", "What was Apple's revenue in FY2024?"),
)


def main() -> int:
    os.chdir(ROOT)
    if (problem := _clear_earlier_store()) is not None:
        print(problem, file=sys.stderr)
        return 1
    print("The command is .venv/bin/factspine; everything below can be typed again.")
    try:
        _read_the_folder()
        _look_at_facts()
        _go_back_to_the_cell()
        _ask()
        _read_it_again()
        _read_the_next_revision()
    except subprocess.CalledProcessError as error:
        print(
            f"\nThe demo stopped: `{shlex.join(map(str, error.cmd))}` ended with {error.returncode}.", file=sys.stderr
        )
        return 1
    _what_next()
    return 0


def _clear_earlier_store() -> str | None:
    """Remove the store an earlier demo made; the reason where it holds something else."""
    if not STORE.exists():
        return None
    with FactStore(STORE) as store:
        known = {one.doc_id for one in store.documents()}
    folder = Path("data/documents")
    if others := known - {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}:
        return f"{STORE} holds {len(others)} documents that are not the demo's. Move it elsewhere and run this again."
    shutil.rmtree(f"{STORE}.vault", ignore_errors=True)
    for path in STORE.parent.glob(f"{STORE.name}*"):
        path.unlink()
    return None


def _read_the_folder() -> None:
    _title("1. A folder becomes facts")
    _factspine("ingest", "data/documents")


def _look_at_facts() -> None:
    _title("2. Every number with its unit, its period and its cell")
    for situation, filters in SITUATIONS:
        _say(situation)
        _factspine("facts", *filters)


def _go_back_to_the_cell() -> None:
    _title("3. Back to the cell, in the bytes that were read")
    _say("A workbook")
    _factspine("show", ACCOUNTS, "sheet=KPIs!E14")
    _say("A slide, the place named by its labels")
    _factspine("show", RESULTS, "slide=2,table=1,row=Finance costs 财务费用,col=FY2023 (restated)")
    _say("A page of a report; the same as one file for a browser, the cell boxed")
    _factspine("show", REPORT, "page=6,table=1,cell=R1C2", "--html", "data/evidence.html")


def _ask() -> None:
    _title("4. Questions: the number and its cell, or why not")
    for situation, question in QUESTIONS:
        _say(situation)
        _factspine("ask", question, may_fail=True)  # a refusal is an answer here


def _read_it_again() -> None:
    _title("5. Reading the same folder again changes nothing")
    _factspine("ingest", "data/documents")


def _read_the_next_revision() -> None:
    _title("6. A new revision retires what it no longer says; nothing is overwritten")
    closed = ("facts", "--doc", STORES_LIST, "--text", "Wan Chai", "--metric", "Net sales")
    with tempfile.TemporaryDirectory(prefix="next-") as folder:
        _say("The list of stores comes again, one store closed")
        making = ("data/make_documents.py", folder, "--revision")
        _run([sys.executable, *making], shown=f"python {shlex.join(making)}", quiet=True)
        _factspine("ingest", folder)
    _say("The closed store is gone from what holds now")
    _factspine(*closed)
    _say("and is still there as what was known before, each fact with its cell in the archived file")
    _factspine(*closed, "--all")
    _factspine("db", "runs")


def _what_next() -> None:
    _title("Try next")
    print(
        "  . .venv/bin/activate                               makes factspine a command of this shell\n"
        "  factspine facts --metric REVENUE --period 2024     what the folder says about a metric\n"
        '  factspine ask "your question"                      in Chinese or English\n'
        '  factspine ask "your question" --html answer.html   the answer with its cells boxed, for a browser\n'
        "  factspine facts --json | head -1                   the whole record of a fact\n"
        f"  factspine extract data/documents/{RESULTS}\n"
        "                                                     the tables of one file, without a store\n"
        f"  factspine extract data/documents/{REPORT} --debug pages\n"
        "                                                     each page of a report, what was read drawn over it\n"
        "  factspine ingest FOLDER --store facts.db           your own folder of xlsx, pptx and pdf files"
    )


def _factspine(*arguments: str, may_fail: bool = False) -> None:
    command = Path(sys.executable).with_name("factspine")
    _run([str(command), *arguments], shown=f"factspine {shlex.join(arguments)}", may_fail=may_fail)


def _run(command: Sequence[str], *, shown: str, quiet: bool = False, may_fail: bool = False) -> None:
    print(_styled(f"$ {shown}", "1;36"), flush=True)
    # A store the caller works with must not receive the demo's documents.
    environment = {name: value for name, value in os.environ.items() if name != "FACTSPINE_STORE"}
    output = subprocess.DEVNULL if quiet else None
    done = subprocess.run(command, check=False, env=environment, stdout=output)  # noqa: S603  our own programs
    if done.returncode not in ((0, 1) if may_fail else (0,)):
        raise subprocess.CalledProcessError(done.returncode, command)


def _title(text: str) -> None:
    print(f"\n{_styled(text, '1;4')}\n", flush=True)


def _say(text: str) -> None:
    print(_styled(f"# {text}", "2"), flush=True)


def _styled(text: str, style: str) -> str:
    return f"\x1b[{style}m{text}\x1b[0m" if sys.stdout.isatty() else text


if __name__ == "__main__":
    sys.exit(main())
