"""Questions that reach no document: it is said whether the pattern or the moment is why."""

from __future__ import annotations

import json
from pathlib import Path

from tests.commandline import DOCUMENTS, run

QUESTION = "ACME FY2024 REVENUE"


def test_no_document_or_no_knowledge_is_said_as_such(tmp_path: Path) -> None:
    """A pattern that fits no document, and a moment before the first run, each have their own reason."""
    store = tmp_path / "facts.db"
    assert run("ingest", DOCUMENTS, "--store", store).returncode == 0
    nowhere = run("ask", QUESTION, "--doc", "zzz*", "--store", store)
    assert nowhere.returncode == 1
    assert "No document" in nowhere.stdout
    assert "zzz*" in nowhere.stdout
    first = json.loads(run("db", "runs", "--store", store, "--json").stdout)["runs"][0]["started_at"]
    early = run("ask", QUESTION, "--as-of", "1999-12-31", "--store", store)
    assert early.returncode == 1
    assert "knew nothing then" in early.stdout
    assert first[:10] in early.stdout
    assert "knew nothing" not in run("ask", QUESTION, "--store", store).stdout
