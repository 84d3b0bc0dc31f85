"""The server of `factspine serve` itself: how it starts and ends, whose calls it takes, how much it does at once."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import threading
from pathlib import Path

import httpx
import pytest

from factspine.service.desk import Desk
from factspine.service.guard import host_name
from factspine.service.http import create_app
from factspine.service.looking import Looking
from tests.commandline import PROGRAM, clean_environment, run
from tests.serving import deck_store, serving


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of one deck."""
    return deck_store(tmp_path_factory.mktemp("server"))


def test_looks_into_documents_take_turns() -> None:
    """However many ask for a page at once, no more are drawn at a time than there are cores."""
    now, most, lock = 0, 0, threading.Lock()

    def look() -> int:
        nonlocal now, most
        with lock:
            now += 1
            most = max(most, now)
        threading.Event().wait(0.01)
        with lock:
            now -= 1
        return 1

    async def crowd() -> int:
        looking = Looking()
        return sum(await asyncio.gather(*(looking.at(look) for _ in range(30))))

    assert asyncio.run(crowd()) == 30
    assert 1 <= most <= (os.cpu_count() or 1)


def test_what_nobody_foresaw_is_told_without_a_word_of_the_question(
    store: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """An error of the program is JSON with status 500; what the server writes names places in it, nobody's words."""
    words = " ".join(("a", "secret", "question"))
    desk = Desk(store)

    def fail(*_: object, **__: object) -> None:
        raise RuntimeError(words)

    monkeypatch.setattr(desk, "ask", fail)

    async def call() -> list[httpx.Response]:
        transport = httpx.ASGITransport(app=create_app(desk))
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            asked = await client.post("/v1/ask", json={"question": words})
            return [asked, await client.get("/", params={"q": words}), await client.get("/v1/health")]

    asked, page_, health = asyncio.run(call())
    desk.close()
    assert (asked.status_code, asked.json()["error"]["code"]) == (500, "InternalError")
    assert (page_.status_code, page_.headers["content-type"]) == (500, "text/html; charset=utf-8")
    assert health.status_code == 200
    noted = capsys.readouterr().err
    assert "RuntimeError" in noted
    assert Path(__file__).name in noted
    for text in (noted, asked.text, page_.text):
        assert words not in text


@pytest.mark.parametrize(
    ("header", "name"),
    [
        ("localhost:8765", "localhost"),
        ("Facts.Example:80", "facts.example"),
        ("[::1]:8765", "::1"),
        ("::1", "::1"),
        ("127.0.0.1", "127.0.0.1"),
        ("", ""),
        ("*", ""),
        ("*.example.com", ""),
        ("a@127.0.0.1", ""),
        ("a/b", ""),
        ("localhost:8765:9", ""),
    ],
)
def test_a_host_is_called_by_its_name(header: str, name: str) -> None:
    """Without its port, in small letters; patterns are no names, or a server would answer to strangers' pages."""
    assert host_name(header) == name


def test_a_server_may_be_given_other_names(store: Path) -> None:
    """A name with or without its port; any other is told what to do."""
    with serving(store, "--allow-host", "facts.example:8765") as address:
        named = httpx.get(f"{address}/v1/health", headers={"host": "facts.example:9"}, timeout=60)
        other = httpx.get(f"{address}/v1/health", headers={"host": "sub.facts.example"}, timeout=60)
    assert named.status_code == 200
    assert other.status_code == 400
    assert "--allow-host" in other.json()["error"]["message"]


def test_a_program_that_starts_it_gets_the_address(store: Path) -> None:
    """`--json` prints one object, also where the port was left to the system; an address in IPv6 has its brackets."""
    command = [str(PROGRAM), "serve", "--store", str(store), "--port", "0", "--host", "::1", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=clean_environment()) as process:
        assert process.stdout is not None
        told = json.loads(process.stdout.readline())
        health = httpx.get(f"{told['address']}/v1/health", timeout=60).json()
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0  # it is how one ends it
    assert told["store"] == str(store)
    assert told["address"].startswith("http://[::1]:")
    assert health["status"] == "ok"


def test_a_server_that_cannot_start_says_why_in_one_line(store: Path, tmp_path: Path) -> None:
    """A port that is taken, a store that is not there: one line, the documented exit code."""
    with serving(store) as address:
        taken = run("serve", "--store", store, "--port", address.rpartition(":")[2])
    assert (taken.returncode, taken.stderr.count("\n")) == (2, 1)
    assert "cannot be listened at" in taken.stderr
    for options in (("--host", ""), ("--allow-host", "*"), ("--host", "192.0.2.1")):
        refused = run("serve", "--store", store, "--port", "0", *options)
        assert refused.returncode == 2
        assert "while attempting" not in refused.stderr
        assert "host" in refused.stderr or "address" in refused.stderr
    missing = run("serve", "--store", tmp_path / "nothing.db", "--port", "0")
    assert (missing.returncode, missing.stderr.count("\n")) == (10, 1)
