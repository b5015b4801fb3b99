"""What is wrong with a program, as exceptions that the command line's words are the text of."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Iterable


@dataclass(frozen=True)
class Diagnostic:
    """One message of the compiler, or of a program that runs.

    `line` and `column` count from 1; `file` is empty, and they are 0, where the place is in no
    file. `notes` belong to it.
    """
    severity: str
    file: str
    line: int
    column: int
    message: str
    notes: tuple["Diagnostic", ...] = ()

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}: " if self.file else ""
        return f"{place}{self.severity}: {self.message}"

    @classmethod
    def from_native(cls, native: Any) -> "Diagnostic":
        return cls(native.severity, native.file, native.line, native.column, native.message,
                   tuple(map(cls.from_native, native.notes)))


class TileError(Exception):
    """A program is wrong. `str()` is what the command line prints, with lines of the source."""

    def __init__(self, text: str, diagnostics: Iterable[Diagnostic] = ()):
        super().__init__(text)
        self.diagnostics = tuple(diagnostics)

    @classmethod
    def from_native(cls, native: Any) -> "TileError":
        """Of a result of `tilec._native` that has diagnostics and their text."""
        return cls(native.text.rstrip("\n"), map(Diagnostic.from_native, native.diagnostics))


class CompileError(TileError):
    """A program does not compile."""


class RunError(TileError):
    """A program fails while it runs, or its arguments do not fit."""
