"""Content hashes, Merkle roots and the chain of seals. SHA-256 throughout, each use in a domain of its own.

A hash of one kind of thing can never be mistaken for a hash of another: every input starts with its domain. Fields
are joined by length, so that no two different records share an input.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path

_READ_BYTES = 1024 * 1024
# Wide nodes: a proof is a little longer than in a binary tree and building the tree costs a tenth.
_FAN_OUT = 16
DIGEST_BYTES = 32


def identify(domain: str, *fields: str) -> bytes:
    """The digest of a record's fields."""
    parts = [f"factspine/{domain}/1"]
    for field in fields:
        parts.append(str(len(field)))
        parts.append(field)
    return sha256("\n".join(parts).encode("utf-8", "surrogatepass")).digest()


def hash_bytes(domain: str, content: bytes) -> bytes:
    """The digest of opaque content."""
    return sha256(f"factspine/{domain}/1\n".encode() + content).digest()


def hash_file(path: Path) -> str:
    """The plain sha256 of a file, in hex: the revision of a document."""
    digest = sha256()
    with path.open("rb", buffering=0) as stream:
        while block := stream.read(_READ_BYTES):
            digest.update(block)
    return digest.hexdigest()


def merkle_root(leaves: Sequence[bytes]) -> bytes:
    """The root over leaves, which are digests in a domain of their own, in the order given.

    How many there are is part of the root and settles the shape of the tree, so that no node can pass for a leaf.
    """
    level = b"".join(leaves)
    if len(level) != len(leaves) * DIGEST_BYTES:
        raise ValueError("a leaf is a digest")
    while len(level) > DIGEST_BYTES:
        level = b"".join(_nodes(level))
    return _root(len(leaves), level)


def merkle_path(leaves: Sequence[bytes], index: int) -> list[tuple[int, list[bytes]]]:
    """The way from one leaf to the root: at each level its place among its siblings, and these, itself left out."""
    level: Sequence[bytes] = leaves
    path: list[tuple[int, list[bytes]]] = []
    while len(level) > 1:
        first = index - index % _FAN_OUT
        place = index - first
        group = list(level[first : first + _FAN_OUT])
        path.append((place, group[:place] + group[place + 1 :]))
        level = _nodes(b"".join(level))
        index //= _FAN_OUT
    return path


def merkle_fold(leaf: bytes, path: Iterable[tuple[int, Sequence[bytes]]], count: int) -> bytes:
    """The root that a leaf and its path lead to."""
    digest = leaf
    for place, siblings in path:
        if any(len(sibling) != DIGEST_BYTES for sibling in siblings):
            raise ValueError("a sibling is a digest")
        (digest,) = _nodes(b"".join([*siblings[:place], digest, *siblings[place:]]))
    return _root(count, digest)


def _nodes(level: bytes) -> list[bytes]:
    """The level above: a node for each group of digests."""
    size = _FAN_OUT * DIGEST_BYTES
    return [sha256(b"factspine/node/1\n" + level[at : at + size]).digest() for at in range(0, len(level), size)]


def _root(count: int, top: bytes) -> bytes:
    return sha256(f"factspine/root/1\n{count}\n".encode() + top).digest()


def seal(previous: bytes, root: bytes, fields: Iterable[str]) -> bytes:
    """The next link of the chain: what came before, what this run holds, and when and by what it was made."""
    return identify("seal", previous.hex(), root.hex(), *fields)
