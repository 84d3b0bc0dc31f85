"""Draws the pictures of the README from what the command line really prints.

    .venv/bin/python docs/make_pictures.py

The demo documents are read into a store that is thrown away; each picture is a command with its output. They show no
times, so that they change only when the output does. The evidence page is drawn by Chromium, where it is installed.
"""

from __future__ import annotations

import html
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

HERE = Path(__file__).resolve().parent
DOCUMENTS = HERE.parent / "data" / "documents"
WIDTH = 112
DECK = "Harbour_Light_FY2024_Annual_Results.pptx"
BOOK = "management/港晖集团_2024年度经营数据.xlsx"
PICTURES = {
    "show.svg": [
        ("show", DECK, "slide=2,table=1,row=Finance costs 财务费用,col=FY2023 (restated)"),
        ("show", BOOK, "sheet=内地保险业务!C9"),
    ],
    "facts.svg": [
        ("facts", "--metric", "OPERATING_PROFIT", "--period", "2023", "--status", "restated"),
        ("facts", "--doc", "*经营数据*", "--channel", "AGENCY"),
    ],
}
PAGE = ("show", "reports/Harbour_Light_Annual_Report_2024.pdf", "page=3,table=1,cell=R6C4")
PAGE_SIZE = "1080,900"
_CELL_WIDTH = 12.2  # of one terminal cell, in the units of the drawing
_WEB_FONTS = re.compile(r"@font-face \{.*?\}\s*", re.S)
_TEXT = re.compile(
    r'<text class="(?P<kind>[^"]+)" x="(?P<x>[^"]+)" y="(?P<y>[^"]+)" textLength="[^"]+" '
    r'(?P<clip>clip-path="[^"]+")>(?P<text>[^<]*)</text>'
)
# Words of one width: full-width characters and the others are never stretched together.
_WIDE = r"\u2e80-\u9fff\uff00-\uffef"
_RUN = re.compile(rf"[{_WIDE}]+|[^{_WIDE}\xa0]+(?:\xa0[^{_WIDE}\xa0]+)*")


def main() -> None:
    """Write every picture."""
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "facts.db"
        _output("ingest", str(DOCUMENTS), store=store)
        for name, commands in PICTURES.items():
            picture = draw([(command, _output(*command, store=store)) for command in commands])
            (HERE / name).write_text(picture, encoding="utf-8")
        page = Path(folder) / "page.html"
        _output(*PAGE, "--html", str(page), store=store)
        if browser := shutil.which("chromium"):
            photograph(browser, page, HERE / "evidence.png")


def photograph(browser: str, page: Path, target: Path) -> None:
    """What a browser shows of a page."""
    options = ("--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-background-networking")
    seen = (f"--window-size={PAGE_SIZE}", f"--user-data-dir={page.parent / 'browser'}", f"--screenshot={target}")
    subprocess.run([browser, *options, *seen, page.as_uri()], check=True, capture_output=True)  # noqa: S603


def draw(outputs: list[tuple[tuple[str, ...], str]]) -> str:
    """Commands and their output as a picture of a terminal."""
    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    for number, (command, output) in enumerate(outputs):
        if number:
            console.print()
        console.print(Text(f"$ factspine {shlex.join(command)}", style="bold"))
        console.print(Text.from_ansi(output.rstrip()))
    # Pictures load nothing from anywhere: the reader's own monospaced font will do.
    picture = _WEB_FONTS.sub("", console.export_svg(title="factspine", clear=True))
    picture = picture.replace("Fira Code, monospace", "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace")
    return _TEXT.sub(_place_words, picture)


def _place_words(found: re.Match[str]) -> str:
    """Each word at its own place, so that columns line up in any font."""
    text, start = html.unescape(found["text"]), float(found["x"])
    drawn = []
    for run in _RUN.finditer(text):
        x = start + cell_len(text[: run.start()]) * _CELL_WIDTH
        length = cell_len(run.group()) * _CELL_WIDTH
        word = html.escape(run.group(), quote=False).replace("\xa0", "&#160;")
        place = f'x="{x:.1f}" y="{found["y"]}" textLength="{length:.1f}"'
        drawn.append(
            f'<text class="{found["kind"]}" {place} lengthAdjust="spacingAndGlyphs" {found["clip"]}>{word}</text>'
        )
    return "".join(drawn)


def _output(*command: str, store: Path) -> str:
    environment = {**os.environ, "FORCE_COLOR": "1", "TERM": "xterm-256color", "COLUMNS": str(WIDTH)}
    program = Path(sys.executable).with_name("factspine")
    arguments = [str(program), *command, "--store", str(store)]
    done = subprocess.run(arguments, env=environment, check=True, capture_output=True, encoding="utf-8")  # noqa: S603
    return done.stdout


if __name__ == "__main__":
    main()
