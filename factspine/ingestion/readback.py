"""A document read again in the child, for the check: which tables hash as they did, and what the others say.

A table that hashes as it did needs nothing more; only where one does not are its facts made and sent.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import IO, Any, cast

import orjson

from factspine.core.errors import InputRejected
from factspine.core.hashing import merkle_root
from factspine.core.leaves import passage_leaf
from factspine.core.limits import Limits
from factspine.core.observed import Observed, TableMark
from factspine.core.tablecodec import digest_table
from factspine.core.tables import Passage, RawTable
from factspine.extract.frames import ITEM, read_frames, write_json
from factspine.extract.sandbox import Allowance, Sandbox
from factspine.ingestion.document import interpret_safely, load_vocabulary, read_items
from factspine.ingestion.intake import inspect

_FACTS_PER_FRAME = 20_000
_COLUMNS = (
    "source_locator",
    "metric_label",
    "entity",
    "geography",
    "channel",
    "period_type",
    "period",
    "value_text",
    "value",
    "unit",
)
_MEMORY_BYTES = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Rereading:
    """What a document says when it is read again, as far as it is not what was expected."""

    same_tables: frozenset[str]  # locators of tables that hash as expected
    observed: tuple[Observed, ...]  # facts of all other tables
    passages: tuple[tuple[str, str], ...] | None  # locator and text; None where all are as expected


def read_again(
    sandbox: Sandbox,
    path: Path,
    name: str,
    limits: Limits,
    *,
    tables: dict[str, str],
    passages_root: str,
    vocabulary_path: Path | None,
) -> Rereading:
    """Reads a file again; `tables` are the expected digests by locator. Raises `InputRejected` or `SandboxFailed`."""
    try:
        inspected = inspect(path, name, limits)
    except OSError as error:
        raise InputRejected("FS102", f"The file cannot be opened ({type(error).__name__}).") from error
    if inspected is None:
        raise InputRejected("FS108", "This is no document of a kind that is read.")
    request = {
        "op": "readback",
        "path": str(path.resolve()),
        "format": inspected.row.format,
        "tables": tables,
        "passages_root": passages_root,
        "vocabulary": str(vocabulary_path.resolve()) if vocabulary_path else None,
        "limits": asdict(limits),
    }
    with cast(IO[bytes], SpooledTemporaryFile(max_size=_MEMORY_BYTES)) as content:
        sandbox.run(request, content, Allowance.of(limits, inspected.inflated_bytes))
        content.seek(0)
        return _received(content, limits)


def _received(content: IO[bytes], limits: Limits) -> Rereading:
    same: set[str] = set()
    observed: list[Observed] = []
    passages: list[tuple[str, str]] | None = None
    for _, payload in read_frames(content, limits.frame_bytes_max):
        message = orjson.loads(payload)
        if "same" in message:
            same.update(message["same"])
        elif "facts" in message:
            table = TableMark(*message["table"])
            observed.extend(
                Observed(row[0], (*row[1:7], row[11]), (row[7], row[8], row[9], row[10]), table)
                for row in message["facts"]
            )
        else:
            passages = [*(passages or []), *((locator, text) for locator, text in message["passages"])]
    return Rereading(
        same_tables=frozenset(same),
        observed=tuple(observed),
        passages=None if passages is None else tuple(passages),
    )


def send_readback(request: dict[str, Any], limits: Limits, out: IO[bytes]) -> dict[str, Any]:
    """In the child: reads the document and sends what is the same and what is not."""
    expected: dict[str, str] = request["tables"]
    vocabulary = load_vocabulary(request["vocabulary"])
    same: list[str] = []
    passages: list[Passage] = []
    for item in read_items(request, limits):
        if isinstance(item, Passage):
            passages.append(item)
        elif isinstance(item, RawTable):
            known = expected.get(item.locator)
            if known is not None and digest_table(item).hex() == known:
                same.append(item.locator)
            else:
                _send_facts(out, TableMark(item.locator, item.title), interpret_safely(item, vocabulary).block)
    write_json(out, ITEM, {"same": same})
    if merkle_root([passage_leaf(passage) for passage in passages]).hex() != request["passages_root"]:
        write_json(out, ITEM, {"passages": [(passage.locator, passage.text) for passage in passages]})
    return {"tables": len(same)}


def _send_facts(out: IO[bytes], table: TableMark, block: Any) -> None:
    columns = [block.columns[name] for name in _COLUMNS]
    contexts = [(context.scale, context.status) for context in block.contexts]
    numbers = block.columns["context_no"]
    for start in range(0, block.count, _FACTS_PER_FRAME):
        end = start + _FACTS_PER_FRAME
        rows = zip(*(column[start:end] for column in columns), strict=True)
        facts = [(*row, *contexts[number]) for row, number in zip(rows, numbers[start:end], strict=True)]
        write_json(out, ITEM, {"table": list(table), "facts": facts})
