"""Every limit on what FactSpine takes in, named, typed and on by default.

The defaults let real reports pass with room to spare; each can be raised in the record that is passed down.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

MIB = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Sizes are bytes unless the name says otherwise."""

    file_bytes_max: int = 512 * MIB
    # A zip container is measured from its directory before anything is inflated.
    zip_members_max: int = 20_000  # a deck of several hundred slides with charts holds thousands of parts
    zip_member_bytes_max: int = 256 * MIB  # a sheet of a million cells is 45 to 130 MB of XML
    zip_total_bytes_max: int = 512 * MIB
    zip_ratio_max: int = 300  # inflated : stored, for members that inflate to more than zip_ratio_floor_bytes
    zip_ratio_floor_bytes: int = 1 * MIB
    pages_max: int = 2_000
    page_chars_max: int = 100_000
    # A second, slower reader is asked about doubtful pages: 0.1 ms a character, so five seconds a document at most.
    second_pages_max: int = 24
    second_chars_max: int = 50_000
    cells_max: int = 4_000_000  # non-empty cells of one document
    group_depth_max: int = 32
    # The child that parses.
    child_memory_bytes: int = 1024 * MIB
    child_cpu_seconds: int = 20  # plus child_cpu_seconds_per_mib for each MiB of inflated content
    child_cpu_seconds_per_mib: float = 1.0
    child_wall_factor: float = 1.5
    child_wall_extra_seconds: int = 10
    frame_bytes_max: int = 256 * MIB

    @classmethod
    def from_mapping(cls, values: dict[str, float]) -> Limits:
        """Limits from plain numbers, as they cross a process boundary; unknown names are an error."""
        known = {f.name for f in fields(cls)}
        unknown = sorted(set(values) - known)
        if unknown:
            raise ValueError(f"unknown limits: {', '.join(unknown)}")
        return cls(**values)  # type: ignore[arg-type]
