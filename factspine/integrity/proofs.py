"""A proof that a fact is in the chain: from its leaf over table, reading and run to a seal, and on to the head.

A proof is one JSON object that holds everything needed. Whoever knows the head from elsewhere (a head log on another
disk, a mail, a notebook) verifies it without the store and without trusting whoever sent it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from factspine.core.errors import UsageError
from factspine.core.facts import BLOCK_COLUMNS, FactBlock, FactContext
from factspine.core.hashing import merkle_fold, merkle_path, seal
from factspine.core.leaves import (
    LEAF_COLUMNS,
    Lineage,
    event_leaf,
    fact_leaves,
    headers_digest,
    interpretation_leaf_of,
    ledger_digest,
    reading_root,
)
from factspine.core.packed import split_leaves
from factspine.integrity.structure import lineage_of
from factspine.store.audit import FACT_COLUMNS, Audit, EventRow, InterpretationRow, ReadingRow, RunRow
from factspine.store.runs import seal_fields
from factspine.store.store import FactStore

FORMAT = "factspine-proof/1"
_Path = Sequence[tuple[int, Sequence[bytes]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified:
    """What a proof that holds says: this fact was sealed in this run, under this head."""

    fact_id: str
    document: str
    locator: str
    value: str
    unit: str
    scale: int
    file_hash: str
    sealed_at: str
    seal: str  # of the fact's own run
    head: str  # the last seal that the proof leads to


def prove(store: FactStore, fact_id: str) -> dict[str, Any]:
    """The proof of a fact, current or not."""
    reading_id, _, ordinal = fact_id.partition(".")
    with store.audit() as audit:
        reading = next((one for one in audit.readings() if one.reading_id == reading_id), None)
        if (
            reading is None
            or not ordinal.isdigit()
            or not 1 <= int(ordinal) <= (reading.fact_count or 0)
            or reading.first_fact_no is None
        ):
            raise UsageError(f"no fact of id {fact_id[:60]}; `factspine facts --json` lists them")
        return _Prover(audit, reading).prove(fact_id, reading.first_fact_no + int(ordinal) - 1)


class _Prover:
    def __init__(self, audit: Audit, reading: ReadingRow) -> None:
        self._audit = audit
        self._reading = reading

    def prove(self, fact_id: str, fact_no: int) -> dict[str, Any]:
        audit, reading = self._audit, self._reading
        interpretations = audit.interpretations(reading.reading_no)
        place, told = next(
            (number, one)
            for number, one in enumerate(interpretations)
            if one.first_fact_no <= fact_no < one.first_fact_no + one.fact_count
        )
        locators = {number: (locator, leaf) for number, locator, leaf in audit.table_leaves(reading.extraction_no)}
        runs = audit.runs()
        event = next(one for one in audit.events() if one.reading_no == reading.reading_no)
        return {
            "format": FORMAT,
            "fact_id": fact_id,
            "fact": self._fact(fact_no, told),
            "table": self._table(told, *locators[told.table_no]),
            "tables_path": _packed(merkle_path([one.leaf for one in interpretations], place)),
            "tables": len(interpretations),
            "lineage": asdict(lineage_of(reading)),
            "reading": self._roots(),
            **self._run(event, runs),
        }

    def _fact(self, fact_no: int, told: InterpretationRow) -> dict[str, Any]:
        leaves = split_leaves(self._audit.fact_leaves(self._reading.reading_no, told.table_no))
        row = dict(zip(FACT_COLUMNS, self._audit.facts(fact_no, 1)[0], strict=True))
        contexts = {number: fields for number, *fields in self._audit.contexts(self._reading.reading_no)}
        names = ("scale", "unit_evidence", "period_start", "period_end", "status")
        return {
            **{name: row[name] for name in LEAF_COLUMNS},
            "context": dict(zip(names, contexts[row["context_no"]], strict=True)),
            "path": _packed(merkle_path(leaves, fact_no - told.first_fact_no)),
        }

    def _table(self, told: InterpretationRow, locator: str, leaf: bytes) -> dict[str, Any]:
        mine = [row[1:] for row in self._audit.headers(self._reading.reading_no) if row[0] == told.table_no]
        entries = [row[1:] for row in self._audit.ledger(self._reading.reading_no) if row[0] == told.table_no]
        return {
            "locator": locator,
            "leaf": leaf.hex(),
            "counts": [told.fact_count, told.numeric_cells, told.header_rows, told.header_cols],
            "headers": headers_digest(mine).hex(),
            "ledger": ledger_digest(entries).hex(),
        }

    def _roots(self) -> dict[str, Any]:
        one = self._reading
        return {
            "tables_root": (one.tables_root or b"").hex(),
            "passages_root": (one.passages_root or b"").hex(),
            "findings_root": (one.findings_root or b"").hex(),
            "counts": [one.fact_count, one.table_count, one.passage_count, one.finding_count, one.numeric_cells],
        }

    def _run(self, event: EventRow, runs: Sequence[RunRow]) -> dict[str, Any]:
        events = sorted((one for one in self._audit.events() if one.run_no == event.run_no), key=lambda one: one.doc_id)
        place = next(number for number, one in enumerate(events) if one.event_no == event.event_no)
        run = next(one for one in runs if one.run_no == event.run_no)
        return {
            "event": {"status": event.status, "path": _packed(merkle_path([one.leaf for one in events], place))},
            "run": {"previous_seal": (run.previous_seal or b"").hex(), "fields": _fields(run)},
            "later": [
                {"root": (one.root or b"").hex(), "fields": _fields(one)} for one in runs if one.run_no > run.run_no
            ],
        }


def _fields(run: RunRow) -> list[str]:
    return seal_fields(
        run.started_at, run.finished_at or "", run.factspine_version, run.event_count or 0, run.fact_count or 0
    )


def _packed(path: _Path) -> list[list[Any]]:
    return [[place, [sibling.hex() for sibling in siblings]] for place, siblings in path]


def _unpacked(path: Iterable[Sequence[Any]]) -> list[tuple[int, list[bytes]]]:
    return [(int(place), [bytes.fromhex(sibling) for sibling in siblings]) for place, siblings in path]


def verify(proof: Mapping[str, Any], *, heads: Iterable[str] = ()) -> Verified:
    """What a proof says, if it holds and leads to one of the heads; raises `UsageError` where it does not.

    Without heads the proof only says what its own head is: compare that with one that is known from elsewhere.
    """
    if proof.get("format") != FORMAT:
        raise UsageError("this is no proof of a fact; `factspine prove FACT_ID` makes one")
    try:
        verified = _verify(proof)
    except (KeyError, ValueError, TypeError, IndexError) as error:
        raise UsageError(f"the proof is incomplete or damaged ({type(error).__name__})") from error
    known = {head.strip().lower() for head in heads}
    if known and verified.head not in known:
        raise UsageError(f"the proof leads to head {verified.head}, which is not the one expected")
    return verified


def _verify(proof: Mapping[str, Any]) -> Verified:
    lineage = Lineage(**proof["lineage"])
    fact, table, reading = proof["fact"], proof["table"], proof["reading"]
    columns = {**{name: [fact[name]] for name in LEAF_COLUMNS}, "context_no": [0]}
    block = FactBlock(
        count=1, columns={name: columns[name] for name in BLOCK_COLUMNS}, contexts=(FactContext(**fact["context"]),)
    )
    leaf = fact_leaves(lineage, table["locator"], block)[0]
    facts_root = merkle_fold(leaf, _unpacked(fact["path"]), int(table["counts"][0]))
    meaning = interpretation_leaf_of(
        table["locator"],
        bytes.fromhex(table["leaf"]),
        facts_root,
        table["counts"],
        bytes.fromhex(table["headers"]),
        bytes.fromhex(table["ledger"]),
    )
    all_facts = merkle_fold(meaning, _unpacked(proof["tables_path"]), int(proof["tables"]))
    roots = [reading["tables_root"], reading["passages_root"], all_facts.hex(), reading["findings_root"]]
    content = reading_root(lineage, [bytes.fromhex(root) for root in roots], reading["counts"])
    event = event_leaf(lineage, proof["event"]["status"], content)
    fields = proof["run"]["fields"]
    root = merkle_fold(event, _unpacked(proof["event"]["path"]), int(fields[3]))
    own = link = seal(bytes.fromhex(proof["run"]["previous_seal"]), root, fields)
    for later in proof["later"]:
        link = seal(link, bytes.fromhex(later["root"]), later["fields"])
    name, _, _ = str(proof["fact_id"]).partition(".")
    if name != lineage.reading_id:
        raise ValueError("the fact's name is not that of its reading")
    return Verified(
        fact_id=proof["fact_id"],
        document=lineage.doc_id,
        locator=fact["source_locator"],
        value=fact["value"],
        unit=fact["unit"],
        scale=int(fact["context"]["scale"]),
        file_hash=lineage.file_hash,
        sealed_at=fields[1],
        seal=own.hex(),
        head=link.hex(),
    )
