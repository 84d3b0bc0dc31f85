"""Hashes that cannot be mistaken for one another, and roots that depend on every leaf and its place."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from factspine.core.hashing import hash_bytes, hash_file, identify, merkle_root, seal

fields = st.lists(st.text(max_size=12) | st.text("\n0123", max_size=6), max_size=5)
leaves = st.lists(st.binary(min_size=32, max_size=32), max_size=70)


@given(fields, fields)
def test_different_records_have_different_ids(one: list[str], other: list[str]) -> None:
    """Moving text from one field to the next, or splitting a field, changes the id."""
    assert (identify("fact", *one) == identify("fact", *other)) == (one == other)


@given(fields)
def test_a_hash_belongs_to_its_domain(texts: list[str]) -> None:
    """The same fields in another domain are another hash."""
    assert identify("fact", *texts) != identify("table", *texts)


@given(st.binary(max_size=64))
def test_opaque_content_has_its_own_domain(content: bytes) -> None:
    """A hash of content is never the plain hash of the bytes, nor that of another domain."""
    assert hash_bytes("table", content) != hash_bytes("blob", content)
    assert hash_bytes("table", content) != sha256(content).digest()


@given(leaves)
def test_a_root_is_no_leaf_and_no_node(hashes: list[bytes]) -> None:
    """A root cannot be presented as a leaf of another tree, and one leaf is not its own root."""
    root = merkle_root(hashes)
    assert len(root) == 32
    assert root not in hashes
    assert merkle_root([root]) != root


@given(leaves.filter(bool), st.data())
def test_every_leaf_counts(hashes: list[bytes], data: st.DataObject) -> None:
    """Changing, dropping or repeating any leaf changes the root."""
    at = data.draw(st.integers(0, len(hashes) - 1))
    root = merkle_root(hashes)
    flipped = bytes([hashes[at][0] ^ 1]) + hashes[at][1:]
    assert merkle_root([*hashes[:at], flipped, *hashes[at + 1 :]]) != root
    assert merkle_root([*hashes[:at], *hashes[at + 1 :]]) != root
    assert merkle_root([*hashes[:at], hashes[at], *hashes[at:]]) != root


@given(st.lists(st.binary(min_size=32, max_size=32), min_size=2, max_size=40, unique=True), st.randoms())
def test_the_order_of_leaves_counts(hashes: list[bytes], random) -> None:
    """The same leaves in another order have another root."""
    shuffled = random.sample(hashes, len(hashes))
    assert (merkle_root(shuffled) == merkle_root(hashes)) == (shuffled == hashes)


def test_trees_around_the_fan_out_are_told_apart() -> None:
    """Trees of 0 to 300 equal leaves all differ: the number of leaves is part of the root."""
    assert len({merkle_root([b"\0" * 32] * count) for count in range(300)}) == 300


@given(st.binary(min_size=32, max_size=32), st.binary(min_size=32, max_size=32), fields)
def test_a_seal_binds_what_came_before(previous: bytes, root: bytes, texts: list[str]) -> None:
    """Another past, another content or another statement is another seal."""
    link = seal(previous, root, texts)
    assert seal(root, previous, texts) != link or previous == root
    assert seal(previous, root, [*texts, ""]) != link
    assert seal(link, root, texts) != link


def test_a_revision_is_the_plain_sha256_of_the_file(tmp_path: Path) -> None:
    """`sha256sum` gives the same name to a revision; files larger than a buffer, too."""
    for size in (0, 1, 1024 * 1024, 1024 * 1024 + 1):
        content = bytes(range(256)) * (size // 256 + 1)
        path = tmp_path / str(size)
        path.write_bytes(content[:size])
        assert hash_file(path) == sha256(content[:size]).hexdigest()
