"""What the emulator's checkers find, as data."""
from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Any, Optional


class FindingKind(enum.Enum):
    """docs/Emulator.md says what each check looks for."""
    RACE = "race"
    OUT_OF_BOUNDS = "out of bounds"
    MISALIGNED = "misaligned access"
    UNINITIALIZED = "uninitialised read"
    BARRIER = "barrier misuse"
    DEADLOCK = "deadlock"
    TRAP = "trap"
    INVALID = "invalid use"


_KINDS = tuple(FindingKind)  # in the order of TileEmulatorFindingKind


@dataclass(frozen=True)
class Access:
    """An instruction that a finding is about.

    `line` is that of the PTX text, from 1; `source` is "file:line:column" of `.loc`, or empty.
    """
    text: str
    line: int
    source: str
    block: tuple[int, int, int]
    thread: tuple[int, int, int]


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong. `str()` is what `ptx-run` prints.

    `address` is where the first byte lies that it is about, or None: global memory by the
    addresses that the kernel was given, shared memory by the offset in the block's. `buffer` is
    the number of the argument whose memory that is, and `offset` the byte in it. `accesses`
    are the instructions: two of a race, the later one first. `missing` is the order that is
    missing, or the remedy; `count` how often these instructions did it.
    """
    kind: FindingKind
    message: str
    missing: str
    count: int
    address: Optional[int]
    accesses: tuple[Access, ...]
    text: str
    buffer: Optional[int] = None
    offset: Optional[int] = None

    def __str__(self) -> str:
        return self.text

    @property
    def line(self) -> Optional[int]:
        """The line of the PTX text of the (later) instruction."""
        return self.accesses[0].line if self.accesses else None

    @property
    def block(self) -> Optional[tuple[int, int, int]]:
        return self.accesses[0].block if self.accesses else None

    @property
    def thread(self) -> Optional[tuple[int, int, int]]:
        return self.accesses[0].thread if self.accesses else None

    @classmethod
    def from_native(cls, native: Any, buffer: Optional[int] = None,
                    offset: Optional[int] = None) -> "Finding":
        accesses = tuple(Access(access.text, access.line, access.source, tuple(access.block),
                                tuple(access.thread)) for access in native.accesses)
        return cls(_KINDS[native.kind], native.message, native.missing, native.count,
                   native.address, accesses, native.text, buffer, offset)
