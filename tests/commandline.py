"""Running the command line as a user does: another process, another folder, no terminal."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = ROOT / "data" / "documents"
PROGRAM = Path(sys.executable).with_name("factspine")


def tracked_files() -> list[Path]:
    """The files under version control; in a source archive, where there is none, all of them."""
    found = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    named = [ROOT / name for name in found.stdout.split("\0") if name] if found.returncode == 0 else []
    return [path for path in named or sorted(ROOT.rglob("*")) if path.is_file()]


def clean_environment(**changes: str) -> dict[str, str]:
    """The environment without anything that changes what the command line does, and with these changes."""
    kept = {
        name: value for name, value in os.environ.items() if name not in ("FACTSPINE_STORE", "COLUMNS", "FORCE_COLOR")
    }
    return {**kept, **changes}


def run(
    *arguments: str | Path,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    program: Path = PROGRAM,
    timeout: float = 120,
) -> subprocess.CompletedProcess[str]:
    """One command; what it printed and how it ended."""
    return subprocess.run(
        [str(program), *map(str, arguments)],
        cwd=cwd,
        env=dict(env or clean_environment()),
        capture_output=True,
        encoding="utf-8",
        timeout=timeout,
        check=False,
    )
