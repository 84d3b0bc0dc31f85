"""A real server of a store, asked over loopback."""

from __future__ import annotations

import re
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.commandline import DOCUMENTS, PROGRAM, clean_environment, run


def deck_store(folder: Path) -> Path:
    """A store of one deck."""
    (folder / "docs").mkdir()
    shutil.copy(DOCUMENTS / "ACME_FY2024_Review.pptx", folder / "docs")
    assert run("ingest", folder / "docs", "--store", folder / "facts.db").returncode == 0
    return folder / "facts.db"


@contextmanager
def serving(store: Path, *options: str) -> Iterator[str]:
    """The address of a server of that store."""
    command = [str(PROGRAM), "serve", "--store", str(store), "--port", "0", *options]
    environment = clean_environment(COLUMNS="400")
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as process:
        try:
            assert process.stderr is not None
            for line in process.stderr:
                if found := re.search(r"http://[\[\]\d.:]+", line):
                    yield found[0]
                    break
            else:
                raise AssertionError("the server said no address")
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(60)
