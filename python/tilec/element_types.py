"""Element types of programs, and the NumPy arrays that hold them.

NumPy has no bf16, no floats of 8 bits and less and no integers of 4 bits. Arrays of ml_dtypes are
taken where that is installed (its types are known by their names), and arrays of integers of
the same width anywhere: they are the bits.
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

import numpy as np


@dataclass(frozen=True)
class ElementType:
    """How elements of one type lie in memory."""
    name: str                 # as the language spells it
    bits: int                 # in memory: 4, two a byte, or 8 to 64
    dtypes: tuple[str, ...]   # names of NumPy's and ml_dtypes' types that are it

    @property
    def is_packed(self) -> bool:
        """Whether two elements share a byte, which arrays of ml_dtypes do not."""
        return self.bits == 4

    def accepts(self, dtype: str) -> bool:
        """Whether an array of the dtype of that name has these elements, one of each."""
        return dtype in self.dtypes or (not self.is_packed and self.is_raw(dtype))

    def is_raw(self, dtype: str) -> bool:
        """Whether it is an integer of the width in memory (of a byte, where two share it)."""
        width = 8 if self.is_packed else self.bits
        return dtype in (f"int{width}", f"uint{width}")

    def describe(self) -> str:
        """The dtypes that are accepted, for messages."""
        width = 8 if self.is_packed else self.bits
        names = [name if hasattr(np, name) else f"ml_dtypes.{name}" for name in self.dtypes]
        for kind in ("int", "uint"):
            if f"{kind}{width}" not in self.dtypes and self.dtypes != ("bool",):
                names.append(f"{kind}{width}" + (" with two elements a byte" if self.is_packed
                                                 else ""))
        return ", ".join(names[:-1]) + " or " + names[-1] if len(names) > 1 else names[0]


def _integers(bits: int) -> ElementType:
    return ElementType(f"i{bits}", bits, (f"int{bits}", f"uint{bits}"))


_KNOWN = {element.name: element for element in (
    ElementType("f64", 64, ("float64",)),
    ElementType("f32", 32, ("float32",)),
    ElementType("tf32", 32, ("float32",)),
    ElementType("f16", 16, ("float16",)),
    ElementType("bf16", 16, ("bfloat16",)),
    ElementType("f8E4M3FN", 8, ("float8_e4m3fn",)),
    ElementType("f8E5M2", 8, ("float8_e5m2",)),
    ElementType("f8E8M0FNU", 8, ("float8_e8m0fnu",)),
    ElementType("f6E2M3FN", 8, ("float6_e2m3fn",)),
    ElementType("f6E3M2FN", 8, ("float6_e3m2fn",)),
    ElementType("f4E2M1FN", 4, ("float4_e2m1fn",)),
    ElementType("i1", 8, ("bool",)),
    _integers(4), _integers(8), _integers(16), _integers(32), _integers(64),
    ElementType("index", 64, ("int64", "uint64")),
)}


def find_element_type(name: str) -> Optional[ElementType]:
    """The element type of that name in the language, or None."""
    return _KNOWN.get(name)


def find_dtype(element: ElementType) -> Optional[np.dtype]:
    """The dtype of arrays of these elements; None where it is one of ml_dtypes, and that is not
    installed."""
    name = element.dtypes[0]
    if hasattr(np, name):
        return np.dtype(name)
    try:
        import ml_dtypes
    except ImportError:
        return None
    return np.dtype(getattr(ml_dtypes, name))


def pack(array: np.ndarray) -> np.ndarray:
    """Elements of 4 bits, one a byte, as bytes that have two, the first in the low half."""
    nibbles = array.reshape(-1).view(np.uint8) & 0xF
    if nibbles.size % 2:
        nibbles = np.append(nibbles, np.uint8(0))
    return nibbles[0::2] | nibbles[1::2] << 4


def unpack(packed: np.ndarray, array: np.ndarray) -> None:
    """The reverse of `pack`: writes the elements to `array`."""
    nibbles = np.empty(packed.size * 2, np.uint8)
    nibbles[0::2], nibbles[1::2] = packed & 0xF, packed >> 4
    array[...] = nibbles[:array.size].reshape(array.shape).view(array.dtype)
