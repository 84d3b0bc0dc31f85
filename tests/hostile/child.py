"""A child that misbehaves on request, for the sandbox to survive."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

import orjson

from factspine.extract.confine import arm_cpu_limit, confine
from factspine.extract.frames import BLOB, DONE, FAILED, HEADER, ITEM, READY, read_frame, write_frame, write_json


def main() -> None:
    """Serves requests as the real worker does, and then does what it is told."""
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    confine(int(sys.argv[2]))
    write_frame(answers, READY, b"")
    answers.flush()
    while (frame := read_frame(requests, 1 << 26)) is not None:
        request = orjson.loads(frame[1])
        arm_cpu_limit(request["cpu_seconds"])
        globals()[f"do_{request['do']}"](request, answers)
        answers.flush()


def do_echo(request, answers):
    write_json(answers, ITEM, {"said": request["say"]})
    write_frame(answers, BLOB, bytes(request.get("bytes", 0)))
    write_json(answers, DONE, {"pid": os.getpid(), "resident_bytes": request.get("resident_bytes", 0)})


def do_list_files(request, answers):
    files = []
    for path in Path("/proc/self/fd").iterdir():
        if path.is_symlink():  # the listing itself is gone by now
            files.append(str(path.readlink()))
    write_json(answers, DONE, {"files": files, "environment": sorted(os.environ)})


def do_reject(request, answers):
    write_json(answers, ITEM, {"half": "done"})
    write_json(answers, FAILED, {"code": "FS201", "message": "damaged", "remedy": "mend it", "locator": "sheet=A"})


def do_spin(request, answers):
    while True:
        pass


def do_sleep(request, answers):
    time.sleep(60)


def do_fork_and_sleep(request, answers):
    if os.fork() == 0:
        Path(request["note"]).exists()
        time.sleep(60)
    write_json(answers, ITEM, {"pid": os.getpid()})
    answers.flush()
    time.sleep(60)


def do_eat(request, answers):
    held = []
    while True:
        held.append(bytearray(16 * 1024 * 1024))


def do_segfault(request, answers):
    os.kill(os.getpid(), signal.SIGSEGV)


def do_exit(request, answers):
    sys.stderr.write("Traceback\nValueError: secret cell text\n")
    sys.exit(3)


def do_chatter(request, answers):
    sys.stderr.write("x" * 10_000_000)
    write_json(answers, DONE, {})


def do_garbage(request, answers):
    answers.write(b"\xff" * 4096)


def do_oversize(request, answers):
    answers.write(HEADER.pack(0xFFFFFFFF, BLOB))


def do_cut(request, answers):
    answers.write(HEADER.pack(1000, ITEM) + b"{")
    answers.flush()
    os._exit(0)


def do_two_ends(request, answers):
    write_json(answers, DONE, {})
    write_json(answers, DONE, {})


def do_no_json(request, answers):
    write_frame(answers, DONE, b"{nonsense")


def do_write_file(request, answers):
    try:
        with open(request["path"], "wb", buffering=0) as stream:  # noqa: PTH123
            stream.write(b"x")
        said = "written"
    except OSError as error:
        said = type(error).__name__
    write_json(answers, DONE, {"said": said})
