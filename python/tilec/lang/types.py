"""Types of the language, spelt as in the IR, and numbers as literals of them.

A dimension of a memref is an int, a name (a size that is known when the program runs;
equal names are equal sizes) or None (known when it runs, and unnamed).
"""
from __future__ import annotations

import dataclasses
import math
import numbers
import struct
from typing import Any, Optional, Sequence, Union

Dim = Union[int, str, None]
SHARED = "#shared"  # what a module calls #gpu.address_space<workgroup>


@dataclasses.dataclass(frozen=True)
class ElementType:
    """The type of an element or a scalar. `kind` is "float", "integer" or "index"."""
    name: str
    kind: str
    bits: int

    def __str__(self) -> str:
        return self.name

    __repr__ = __str__

    @property
    def is_float(self) -> bool:
        return self.kind == "float"

    @property
    def is_integer(self) -> bool:
        """Integers and `index`."""
        return self.kind != "float"


f64 = ElementType("f64", "float", 64)
f32 = ElementType("f32", "float", 32)
f16 = ElementType("f16", "float", 16)
bf16 = ElementType("bf16", "float", 16)
f8E4M3FN = ElementType("f8E4M3FN", "float", 8)
f8E5M2 = ElementType("f8E5M2", "float", 8)
f8E8M0FNU = ElementType("f8E8M0FNU", "float", 8)
f6E2M3FN = ElementType("f6E2M3FN", "float", 6)
f6E3M2FN = ElementType("f6E3M2FN", "float", 6)
f4E2M1FN = ElementType("f4E2M1FN", "float", 4)
i64 = ElementType("i64", "integer", 64)
i32 = ElementType("i32", "integer", 32)
i16 = ElementType("i16", "integer", 16)
i8 = ElementType("i8", "integer", 8)
i4 = ElementType("i4", "integer", 4)
i1 = ElementType("i1", "integer", 1)
index = ElementType("index", "index", 64)

ELEMENT_TYPES = (f64, f32, f16, bf16, f8E4M3FN, f8E5M2, f8E8M0FNU, f6E2M3FN, f6E3M2FN,
                 f4E2M1FN, i64, i32, i16, i8, i4, i1, index)


@dataclasses.dataclass(frozen=True)
class TileType:
    """A fragment: a value of static shape in the registers of a block."""
    shape: tuple[int, ...]
    element: ElementType
    layout: Optional[str] = None  # an attribute #tile.fragment<..>, or its alias

    def __str__(self) -> str:
        extents = "".join(f"{extent}x" for extent in self.shape)
        layout = f", {self.layout}" if self.layout else ""
        return f"tensor<{extents}{self.element}{layout}>"


@dataclasses.dataclass(frozen=True)
class MemRefType:
    """Memory. A size, stride or offset of None is known when the program runs only.

    `strides` is None for rows that follow each other, in units of elements otherwise."""
    shape: tuple[Optional[int], ...]
    element: ElementType
    strides: Optional[tuple[Optional[int], ...]] = None
    offset: Optional[int] = 0
    is_shared: bool = False

    def __str__(self) -> str:
        def number(value: Optional[int]) -> str:
            return "?" if value is None else str(value)

        parts = ["".join(f"{number(size)}x" for size in self.shape) + str(self.element)]
        if self.strides is not None:
            offset = "" if self.offset == 0 else f", offset: {number(self.offset)}"
            strides = ", ".join(number(stride) for stride in self.strides)
            parts.append(f"strided<[{strides}]{offset}>")
        if self.is_shared:
            parts.append(SHARED)
        return f"memref<{', '.join(parts)}>"

    def get_strides(self) -> tuple[Optional[int], ...]:
        """Strides in elements, those of rows that follow each other included."""
        if self.strides is not None:
            return self.strides
        strides: list[Optional[int]] = []
        pitch: Optional[int] = 1
        for size in reversed(self.shape):
            strides.insert(0, pitch)
            pitch = None if pitch is None or size is None else pitch * size
        return tuple(strides)


Type = Union[ElementType, TileType, MemRefType]


@dataclasses.dataclass(frozen=True)
class Argument:
    """A memref argument of a function: its sizes and what is known of them."""
    dims: tuple[Dim, ...]
    element: Union[ElementType, str]
    divisible: Optional[tuple[int, ...]] = None
    align: Optional[int] = None
    may_alias: bool = False
    strides: Optional[tuple[Optional[int], ...]] = None
    offset: Optional[int] = 0
    is_shared: bool = False


def memref(*dims_and_element: Any, divisible: Optional[Sequence[int]] = None,
           align: Optional[int] = None, may_alias: bool = False,
           strides: Optional[Sequence[Optional[int]]] = None,
           offset: Optional[int] = 0) -> Argument:
    """Annotates an argument in global memory: `A: memref("M", "K", f16)`.

    Sizes first, the element type last; it may be the name of a parameter of the function,
    as a size may. `divisible` has a divisor for each size, `align` is in bytes: facts of
    docs/Language.md. `strides` and `offset` are in elements, None where not known."""
    *dims, element = dims_and_element or (None,)
    if not isinstance(element, (ElementType, str)):
        raise TypeError(f"a memref ends with its element type, not {element!r}")
    return Argument(tuple(dims), element, tuple(divisible) if divisible is not None else None,
                    align, may_alias, tuple(strides) if strides is not None else None, offset)


def shared(*dims_and_element: Any) -> MemRefType:
    """Annotates an argument in shared memory, of a function that a launch calls."""
    *dims, element = dims_and_element
    return MemRefType(tuple(dims), element, is_shared=True)


def tile(*dims_and_element: Any, layout: Optional[str] = None) -> TileType:
    """The type of a fragment: `tile(64, 32, f16)`."""
    *dims, element = dims_and_element
    return TileType(tuple(dims), element, layout)


def as_number(value: Any) -> Any:
    """A number of another package, NumPy's for instance, as Python's; anything else as it is."""
    if isinstance(value, (bool, int, float)):
        return value
    return (int(value) if isinstance(value, numbers.Integral) else
            float(value) if isinstance(value, numbers.Real) else value)


def string_literal(text: str) -> str:
    """A string as MLIR writes it."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


# (format of the bits in `struct`, of an integer of that size)
_FORMATS = {"f64": ("<d", "<Q"), "f32": ("<f", "<I"), "f16": ("<e", "<H")}
_SPECIAL = {  # what has no format: (infinity, minus infinity, NaN) as bits
    "bf16": (0x7F80, 0xFF80, 0x7FC0), "f8E5M2": (0x7C, 0xFC, 0x7E),
    "f8E4M3FN": (None, None, 0x7F), "f8E8M0FNU": (None, None, 0xFF)}


# Of types without infinities: the least and the largest number.
_RANGES = {"f8E4M3FN": (-448.0, 448.0), "f6E2M3FN": (-7.5, 7.5), "f6E3M2FN": (-28.0, 28.0),
           "f4E2M1FN": (-6.0, 6.0), "f8E8M0FNU": (2.0**-127, 2.0**127)}


def float_literal(value: float, element: ElementType) -> str:
    """A literal of MLIR, which rounds it once to `element`. ValueError: it has none."""
    if math.isfinite(value):
        least, largest = _RANGES.get(element.name, (-math.inf, math.inf))
        if not least <= value <= largest:
            raise ValueError(f"{value!r} does not fit {element}: {least:g} to {largest:g}")
        mantissa, _, exponent = repr(float(value)).partition("e")
        mantissa = mantissa if "." in mantissa else mantissa + ".0"
        return f"{mantissa}e{exponent}" if exponent else mantissa
    if element.name in _FORMATS:
        float_format, bits_format = _FORMATS[element.name]
        bits = struct.unpack(bits_format, struct.pack(float_format, value))[0]
    else:
        plus, minus, nan = _SPECIAL.get(element.name, (None, None, None))
        bits = nan if math.isnan(value) else plus if value > 0 else minus
        if bits is None:
            raise ValueError(f"{element} has no {value}")
    return f"0x{bits:0{element.bits // 4}X}"


def integer_literal(value: int, element: ElementType) -> str:
    """A literal of MLIR. ValueError: it does not fit, read as signed or as unsigned."""
    if element.name == "i1" and isinstance(value, bool):
        return "true" if value else "false"
    low, high = -(1 << (element.bits - 1)), (1 << element.bits) - 1
    if element.kind == "index":
        high >>= 1
    if not low <= value <= high:
        raise ValueError(f"{value} does not fit {element}: {low} to {high}")
    return str(value)


def literal(value: Union[bool, int, float], element: ElementType) -> str:
    """A Python number as a literal of `element`; TypeError for a float that is to be an
    integer, and for a bool that is to be anything but an i1."""
    value = as_number(value)
    if isinstance(value, bool) and element.name != "i1":
        raise TypeError(f"{value} is no {element}; the type of a bool is i1")
    if element.is_float:
        return float_literal(value, element)
    if isinstance(value, float):
        raise TypeError(f"{value!r} is a float, and {element} is not")
    return integer_literal(value, element)
