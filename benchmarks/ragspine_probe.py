"""Writes facts with RAGSpine's own store; run by the Python that has it, which is not ours.

python ragspine_probe.py ROWS.json
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from pathlib import Path

from ragspine.storage.fact_store import Fact, SqliteFactStore

os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-1:])
rows = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))

facts = [Fact(*row[:6], float(row[6]), *row[7:]) for row in rows]
best = 1e9
with tempfile.TemporaryDirectory() as home:
    for turn in range(2):
        store = SqliteFactStore(Path(home) / f"facts-{turn}.db")
        store.init_schema()
        started = time.perf_counter()
        written = store.upsert_facts(facts)
        best = min(best, time.perf_counter() - started)
print(json.dumps({"seconds": best, "facts": written}))
