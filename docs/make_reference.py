"""Writes the parts of the README that come from the code: commands and options, finding codes, and packages.

    .venv/bin/python docs/make_reference.py

They stand between `<!-- begin NAME -->` and `<!-- end NAME -->`; a test holds them equal to the code.
"""

from __future__ import annotations

import ast
import re
import textwrap
import tomllib
from pathlib import Path
from typing import Any

from typer.main import get_command

import factspine.cli.commands  # noqa: F401  puts the commands on the application
from factspine.cli.app import app
from factspine.core.findings import CODES

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
# Every command takes these; they are described once.
_SHARED = ("store", "as_json")
_NAME_WIDTH = 24
_LINE_WIDTH = 100


def commands() -> str:
    """Every command: what it is for, its arguments and options."""
    group: Any = get_command(app)
    parts = [_describe(name, command) for name, command in group.commands.items()]
    return "```text\n" + "\n\n".join(parts) + "\n```"


def _describe(name: str, command: Any) -> str:
    shown = [one for one in command.params if one.name not in (*_SHARED, "help")]
    arguments = [one for one in shown if one.param_type_name == "argument"]
    usage = " ".join((name, *(_argument(one) for one in arguments)))
    rows = [(_argument(one), one.help) for one in arguments]
    rows += [(_option(one), one.help) for one in shown if one.param_type_name == "option"]
    return "\n".join((f"factspine {usage}", f"    {command.help}", *(_row(*row) for row in rows)))


def _argument(one: Any) -> str:
    return one.name.upper() if one.required else f"[{one.name.upper()}]"


def _option(one: Any) -> str:
    if one.is_flag:
        return str(one.opts[0])
    named = f"{one.opts[0]} {one.name.upper()}"
    return named if len(named) <= _NAME_WIDTH else f"{one.opts[0]} …"


def _row(name: str, text: str) -> str:
    indent = " " * (_NAME_WIDTH + 6)
    return textwrap.fill(text, _LINE_WIDTH, initial_indent=f"    {name:<{_NAME_WIDTH}}  ", subsequent_indent=indent)


def findings() -> str:
    """Every finding code with its severity and what it says."""
    rows = [f"| `{code}` | {severity} | {meaning} |" for code, (severity, meaning) in CODES.items()]
    return "\n".join(("| code | severity | it says |", "|---|---|---|", *rows))


def packages() -> str:
    """Every package in the order of the layers, the lowest first, with the first line of what it says of itself."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    layers = settings["tool"]["importlinter"]["contracts"][0]["layers"]
    names = [name.strip(" ()") for layer in reversed(layers) for name in layer.split("|")]
    rows = []
    for name in names:
        file = ROOT / "factspine" / name / "__init__.py"
        if file.is_file():
            about = " ".join(
                (ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or "").split("\n\n")[0].split()
            )
            rows.append(f"| `{name}/` | {about} |")
    return "\n".join(("| package | |", "|---|---|", *rows))


PARTS = {"commands": commands, "findings": findings, "packages": packages}


def renewed(text: str) -> str:
    """The README with its generated parts as the code has them now."""
    for name, part in PARTS.items():
        block = f"<!-- begin {name} -->\n\n{part()}\n\n<!-- end {name} -->"
        pattern = re.compile(rf"<!-- begin {name} -->.*?<!-- end {name} -->", re.S)
        text = pattern.sub(lambda _, block=block: block, text)  # type: ignore[misc]
    return text


if __name__ == "__main__":
    README.write_text(renewed(README.read_text(encoding="utf-8")), encoding="utf-8")
