"""What functions of this package are given beside arrays: texts, choices, numbers.

What does not fit is a TypeError or ValueError that names the option and says what does.
"""
from __future__ import annotations

import operator
import os
from pathlib import Path
from typing import Any, Sequence, Union

PathLike = Union[str, "os.PathLike[str]"]


def read_text(source: PathLike, called: str) -> tuple[str, str]:
    """A text (what has a line end or a brace), or that of the file of this path; and what
    messages call it, the text `called`."""
    if isinstance(source, str) and (source == "" or "\n" in source or "{" in source):
        return source, called
    if not isinstance(source, (str, os.PathLike)):
        raise TypeError(f"a text or the path of its file is needed, not {_describe(source)}")
    path = Path(source)
    try:
        return path.read_text(encoding="utf-8"), str(path)
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is no text in UTF-8: byte {error.start} is "
                         f"0x{error.object[error.start]:02x}") from None


def choose(option: str, value: str, known: Sequence[str]) -> int:
    """The number of a value among those that are known."""
    if value not in known:
        raise ValueError(f"{option}={value!r}: known are {', '.join(known)}")
    return known.index(value)


def count(option: str, value: Any, least: int = 0, bits: int = 32) -> int:
    """A number of so many bits, without a sign."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{option}={value!r} is no integer, but {_describe(value)}") from None
    if not least <= number < 1 << bits:
        raise ValueError(f"{option}={value!r} is not a number from {least} to 2^{bits} - 1")
    return number


def _describe(value: Any) -> str:
    return f"an object of type {type(value).__name__}"
