"""A child that dies, hangs or lies loses its own request and nothing else."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from factspine.core.errors import InputRejected, SandboxFailed
from factspine.core.limits import MIB, Limits
from factspine.extract.frames import BLOB, ITEM, BadFrame, FrameSplitter, read_frames, write_frame
from factspine.extract.sandbox import Allowance, Sandbox

CHILD = "tests.hostile.child"
LIMITS = Limits(child_memory_bytes=256 * MIB, frame_bytes_max=1 * MIB)
BRIEF = Allowance(cpu_seconds=1, wall_seconds=20)


@pytest.fixture(params=["fresh", "forked"])
def sandbox(monkeypatch, request):
    """Every promise holds for children in fresh interpreters and for forked ones."""
    monkeypatch.syspath_prepend(str(Path(__file__).parents[1]))
    with Sandbox(CHILD, LIMITS, forked=request.param == "forked") as pool:
        yield pool


def ask(pool, do, allowance=BRIEF, **more):
    sink = io.BytesIO()
    return pool.run({"do": do, **more}, sink, allowance), sink.getvalue()


def test_one_child_answers_many_requests(sandbox):
    """Start-up is paid once: the same process serves one document after the other."""
    pids = {ask(sandbox, "echo", say=str(number))[0]["pid"] for number in range(5)}
    assert len(pids) == 1
    assert sandbox.started == 1


def test_items_reach_the_sink_as_they_were_sent(sandbox):
    """What the child sends is what the parent stores, bytes and all."""
    _, content = ask(sandbox, "echo", say="数字", bytes=700_000)
    frames = list(read_frames(io.BytesIO(content), LIMITS.frame_bytes_max))
    assert [kind for kind, _ in frames] == [ITEM, BLOB]
    assert "数字" in frames[0][1].decode()
    assert frames[1][1] == bytes(700_000)


@pytest.mark.parametrize(
    ("do", "code"),
    [
        ("spin", "FS203"),
        ("eat", "FS202"),
        ("segfault", "FS204"),
        ("exit", "FS204"),
        ("garbage", "FS204"),
        ("oversize", "FS204"),
        ("cut", "FS204"),
        ("two_ends", "FS204"),
        ("no_json", "FS204"),
    ],
)
def test_a_failing_child_is_reported_and_replaced(sandbox, do, code):
    """Whatever happens to a child, its request ends in a typed finding and the next one is answered."""
    with pytest.raises(SandboxFailed) as failure:
        ask(sandbox, do)
    assert failure.value.code == code
    assert "secret" not in str(failure.value)
    assert ask(sandbox, "echo", say="still here")[0]


def test_a_sleeping_child_is_killed_at_the_wall_limit(sandbox):
    """A child that waits uses no CPU and is ended all the same."""
    started = time.monotonic()
    with pytest.raises(SandboxFailed) as failure:
        ask(sandbox, "sleep", replace(BRIEF, wall_seconds=1))
    assert failure.value.code == "FS203"
    assert time.monotonic() - started < 10


def test_what_a_child_started_dies_with_it(sandbox, tmp_path):
    """Killing a child ends its whole process group."""
    sink = io.BytesIO()
    with pytest.raises(SandboxFailed):
        sandbox.run({"do": "fork_and_sleep", "note": str(tmp_path / "x")}, sink, replace(BRIEF, wall_seconds=1))
    group = int(sink.getvalue().split(b":")[1].rstrip(b"}"))
    for _ in range(50):
        if not _group_lives(group):
            return
        time.sleep(0.1)
    pytest.fail("a grandchild survived")


def _group_lives(group):
    """Whether a process of the group still runs; the dead that nobody has collected do not count."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[2]) == group and fields[0] != "Z":
                return True
    return False


def test_a_typed_error_crosses_the_boundary_whole(sandbox):
    """Code, message, remedy and place of a rejection are those the extractor gave."""
    with pytest.raises(InputRejected) as rejected:
        ask(sandbox, "reject")
    error = rejected.value
    assert (error.code, str(error), error.remedy, error.locator) == ("FS201", "damaged", "mend it", "sheet=A")
    assert sandbox.started == 1
    assert ask(sandbox, "echo", say="same child")
    assert sandbox.started == 1


def test_noise_on_standard_error_does_not_block(sandbox):
    """Ten megabytes of warnings neither stall the child nor fill our memory."""
    assert ask(sandbox, "chatter")[0] == {}


def test_a_child_that_grew_is_replaced(sandbox):
    """Memory that a document leaves behind is not held against the next one."""
    ask(sandbox, "echo", say="a", resident_bytes=200 * MIB)
    ask(sandbox, "echo", say="b")
    assert sandbox.started == 2


def test_a_child_writes_no_files(sandbox, tmp_path):
    """A parser cannot leave anything on the disk."""
    target = tmp_path / "left"
    assert ask(sandbox, "write_file", path=str(target))[0]["said"] == "OSError"
    assert not target.exists() or target.stat().st_size == 0


def test_closing_ends_all_children(sandbox):
    """A run that is given up leaves no process behind, not even a busy one."""
    errors = []

    def wait():
        try:
            ask(sandbox, "sleep", replace(BRIEF, wall_seconds=30))
        except SandboxFailed as error:
            errors.append(error)

    thread = threading.Thread(target=wait)
    thread.start()
    for _ in range(600):  # a loaded machine takes its time to start a child
        if sandbox.started:
            break
        time.sleep(0.05)
    time.sleep(0.5)
    sandbox.close()
    thread.join(timeout=30)
    assert not thread.is_alive()
    assert errors


def test_a_forked_child_holds_none_of_the_parents_files(monkeypatch, tmp_path):
    """Neither the database nor any other open file of the parent can be reached from a child."""
    monkeypatch.syspath_prepend(str(Path(__file__).parents[1]))
    with (tmp_path / "open").open("wb"), Sandbox(CHILD, LIMITS, forked=True) as pool:
        answer = ask(pool, "list_files")[0]
    assert str(tmp_path / "open") not in answer["files"]
    assert answer["environment"] == ["LANG", "LC_ALL", "TZ"]


def test_a_process_with_threads_is_not_forked(monkeypatch):
    """Where another thread might hold a lock, children are fresh interpreters, started when they are needed."""
    monkeypatch.syspath_prepend(str(Path(__file__).parents[1]))
    done = threading.Event()
    thread = threading.Thread(target=done.wait)
    thread.start()
    try:
        with Sandbox(CHILD, LIMITS, forked=True) as pool:
            assert pool.started == 0
            assert ask(pool, "echo", say="here")[0]
    finally:
        done.set()
        thread.join()


def test_frames_survive_any_cut():
    """However the pipe cuts the stream, the same frames come out."""
    whole = io.BytesIO()
    write_frame(whole, ITEM, b"{}")
    write_frame(whole, BLOB, os.urandom(300))
    for step in (1, 2, 3, 7, 64, 1000):
        sink = io.BytesIO()
        splitter = FrameSplitter(sink, 1000)
        for start in range(0, len(whole.getvalue()), step):
            assert splitter.feed(whole.getvalue()[start : start + step]) is None
        assert sink.getvalue() == whole.getvalue()


def test_an_empty_control_frame_ends_an_answer():
    """A control frame without payload is still a frame."""
    whole = io.BytesIO()
    write_frame(whole, ord("D"), b"")
    assert FrameSplitter(io.BytesIO(), 10).feed(whole.getvalue()) == (ord("D"), b"")


def test_a_cut_frame_is_no_frame():
    """Half a frame at the end of a file is an error, not an end."""
    whole = io.BytesIO()
    write_frame(whole, ITEM, b"{}")
    with pytest.raises(BadFrame):
        list(read_frames(io.BytesIO(whole.getvalue()[:-1]), 100))


def test_an_interrupt_during_a_fork_is_not_forgotten() -> None:
    """Ctrl-C in the very moment a child is made still interrupts the program."""
    program = (
        "import os, signal\n"
        "from factspine.extract.forked import ForkedProcess\n"
        "os.register_at_fork(after_in_parent=lambda: os.kill(os.getpid(), signal.SIGINT))\n"
        "try:\n"
        "    ForkedProcess('json', [])\n"
        "except KeyboardInterrupt:\n"
        "    print('interrupted')\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("interrupted\n", "")
