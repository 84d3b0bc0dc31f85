"""A real server of a store, asked over loopback."""

from __future__ import annotations

import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.commandline import PROGRAM, clean_environment


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
