"""Asks RAGSpine's own store; run by the Python that has it, which is not ours.

python ragspine_ask_probe.py STORE ROWS.json QUESTIONS.json

ROWS.json is written into STORE with RAGSpine's own writer where STORE is not there yet.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import time
from pathlib import Path

from ragspine.agent.agent import answer_question
from ragspine.agent.llm_provider import MockProvider
from ragspine.storage.fact_store import Fact, SqliteFactStore

os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-1:])
path = Path(sys.argv[1])
fresh = not path.exists()
store = SqliteFactStore(path)
if fresh:
    store.init_schema()
    rows = json.loads(Path(sys.argv[2]).read_text(encoding="utf-8"))
    store.upsert_facts([Fact(*row[:6], float(row[6]), *row[7:]) for row in rows])
questions = [question for question, _ in json.loads(Path(sys.argv[3]).read_text(encoding="utf-8"))]
provider = MockProvider()
times, found = [], 0
for turn in range(4):
    for question in questions:
        begun = time.perf_counter()
        result = answer_question(question, store, provider)
        if turn:  # the first round warms up
            times.append(time.perf_counter() - begun)
            found += bool(result.sources)
print(json.dumps({"p50_ms": statistics.median(times) * 1000, "found": found / len(times), "facts": store.count()}))
