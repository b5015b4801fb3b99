"""Where in a Python file a program is being written, and what its values are called.

The frame of the caller says where the running expression stands, and the file what it is
assigned to there, so that `row = by * 128` becomes `%row = arith.muli ..`. Nothing else is
read from a file. Where an interpreter knows no columns (before Python 3.11), lines remain and
values get numbers.
"""
from __future__ import annotations

import ast
import contextlib
import dataclasses
import functools
import linecache
import os
import sys
from types import CodeType, FrameType
from typing import Any, Optional

from ..errors import Diagnostic, TileError
from .types import string_literal

# Of all of this package, whose tuner builds programs, too.
_LIBRARY = os.path.dirname(os.path.dirname((lambda: None).__code__.co_filename)) + os.sep
Position = tuple[Optional[int], Optional[int], Optional[int], Optional[int]]
_BETWEEN = contextlib.__file__  # between a `with` and what this package does for it


@dataclasses.dataclass(frozen=True)
class Location:
    """A place in a file; lines and columns count from 1."""
    file: str
    line: int
    column: int = 1

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"

    def to_mlir(self) -> str:
        return f"loc({string_literal(self.file)}:{self.line}:{self.column})"

    def get_line(self) -> str:
        """The text of the line, without its end; empty where it cannot be read."""
        return linecache.getline(self.file, self.line).rstrip("\n")


class ProgramError(TileError):
    """A program that cannot be written like this: what is wrong, and the line.

    `message` is the sentence, `location` the place; as text it has both and the line of the
    Python file, like a diagnostic of the command line."""

    def __init__(self, message: str, location: Optional[Location] = None):
        self.message = message
        self.location = place = location if location is not None else get_location()
        diagnostic = Diagnostic("error", place.file, place.line, place.column, message)
        line = place.get_line()
        shown = f"\n{line}\n{' ' * (place.column - 1)}^" if line else ""
        super().__init__(f"{diagnostic}{shown}", [diagnostic])

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.message, self.location)


class TypesDiffer(ProgramError):
    """An operand that is not of the type that is needed."""


def find_frame() -> FrameType:
    """The innermost frame that is not of this package."""
    frame: Optional[FrameType] = sys._getframe(1)
    while frame is not None and (frame.f_code.co_filename.startswith(_LIBRARY)
                                 or frame.f_code.co_filename == _BETWEEN):
        frame = frame.f_back
    if frame is None:
        raise RuntimeError("no frame outside of tilec.lang")
    return frame


def get_location() -> Location:
    """Where the caller of this package is."""
    frame = find_frame()
    line, column = frame.f_lineno, 1
    if hasattr(frame.f_code, "co_positions"):
        position = _get_positions(frame.f_code)[frame.f_lasti // 2]
        if position[0] == line and position[2] is not None:
            text = linecache.getline(frame.f_code.co_filename, line).encode()
            before = text[:position[2]].decode(errors="replace")
            column = (len(before) or position[2]) + 1  # bytes, where there is no text
    return Location(frame.f_code.co_filename, line, column)


def get_target_names() -> list[str]:
    """The names that the value of the running expression is assigned to: `["a", "b"]` in
    `a, b = f()`, empty where it is part of a larger expression."""
    frame = find_frame()
    if not hasattr(frame.f_code, "co_positions"):
        return []
    position = _get_positions(frame.f_code)[frame.f_lasti // 2]
    return list(_get_targets(frame.f_code).get(position, ()))


@functools.lru_cache(maxsize=256)
def _get_positions(code: CodeType) -> list[Position]:
    return list(code.co_positions())


@functools.lru_cache(maxsize=256)
def _get_targets(code: CodeType) -> dict[Position, tuple[str, ...]]:
    return _read_targets("".join(linecache.getlines(code.co_filename)))


@functools.lru_cache(maxsize=32)
def _read_targets(text: str) -> dict[Position, tuple[str, ...]]:
    """What each expression of a file is assigned to, by where it stands."""
    targets: dict[Position, tuple[str, ...]] = {}

    def add(target: ast.AST, value: Optional[ast.AST]) -> None:
        if value is None:
            return
        if not isinstance(target, ast.Tuple):
            if isinstance(target, ast.Name):
                targets[_get_position(value)] = (target.id,)
        elif isinstance(value, ast.Tuple) and len(value.elts) == len(target.elts):
            for part, element in zip(target.elts, value.elts):
                add(part, element)
        elif all(isinstance(part, ast.Name) for part in target.elts):
            targets[_get_position(value)] = tuple(
                part.id for part in target.elts if isinstance(part, ast.Name))

    try:
        nodes = list(ast.walk(ast.parse(text)))
    except SyntaxError:  # cells of notebooks have magic
        return {}
    for node in nodes:
        if isinstance(node, ast.Assign):
            add(node.targets[0], node.value)
        elif isinstance(node, (ast.AnnAssign, ast.NamedExpr)):
            add(node.target, node.value)
        elif isinstance(node, ast.For):
            add(node.target, node.iter)
            if _get_position(node.iter) in targets:  # where Python 3.11 is when it iterates
                targets[_get_position(node)] = targets[_get_position(node.iter)]
        elif isinstance(node, ast.FunctionDef):
            for decorator in node.decorator_list:
                targets[_get_position(decorator)] = (node.name,)
    return targets


def _get_position(node: Any) -> Position:
    return node.lineno, node.end_lineno, node.col_offset, node.end_col_offset
