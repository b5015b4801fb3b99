"""Arguments of a kernel in PTX: arrays become buffers, numbers the bytes of their parameter.

Arrays of the host are the buffers: a kernel reads and writes them in place, and an access
beside the array is out of bounds. Arrays that overlap share a buffer.
"""
from __future__ import annotations

import ctypes
import numbers
import struct
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Optional, Sequence, Union

import numpy as np

from . import _emulator
from .arrays import as_array
from .options import count

_FLOATS = {"f32": "<f", "b32": "<f", "f64": "<d", "b64": "<d"}


@dataclass(frozen=True, eq=False)
class unwritten:
    """An array whose contents count as not written: reading them is a finding.

    What the kernel writes is in `array` after the run; its other elements have any value then.
    """
    array: np.ndarray


@dataclass(frozen=True, eq=False)
class TensorMap:
    """The tensor map of an array, as a kernel takes it by value, with the box that it copies.

    `box` and the array's dimensions are outermost first; `swizzle` is 0, 32, 64 or 128 bytes.
    `type` is the type of elements as "bf16", where NumPy's does not say it.
    """
    array: np.ndarray
    box: Sequence[int]
    swizzle: int = 0
    type: Optional[str] = None


Argument = Union[np.ndarray, "unwritten", TensorMap, int, float, bool, bytes, None, Any]

_TENSOR_TYPES = {"u1": "u8", "i1": "u8", "u2": "u16", "i2": "u16", "u4": "u32", "i4": "s32",
                 "u8": "u64", "i8": "s64", "f2": "f16", "f4": "f32", "f8": "f64"}
_TENSOR_BYTES = {"bf16": 2, "tf32": 4,
                 **{name: int(key[1:]) for key, name in _TENSOR_TYPES.items()}}


@dataclass
class _Range:
    """Bytes of the host that are one buffer: [begin, end)."""
    begin: int
    end: int
    name: str
    number: int                       # of the argument that named it
    is_unwritten: bool = False
    arrays: list[np.ndarray] = field(default_factory=list)  # those in it, which live as long
    address: int = 0
    copy: Optional[np.ndarray] = None  # what stands for memory that must not be written

    def get_bytes(self) -> bytes:
        return ctypes.string_at(self.begin, self.end - self.begin)


@dataclass
class Buffers:
    """The memory of a launch, and where each array is in it."""
    memory: _emulator.Memory
    ranges: list[_Range] = field(default_factory=list)

    def address_of(self, array: np.ndarray) -> int:
        """Where the first element of an array lies."""
        begin, _ = _bounds(array)
        known = next(r for r in self.ranges if r.begin <= begin < max(r.end, r.begin + 1))
        return known.address + array.ctypes.data - known.begin

    def locate(self, address: Optional[int]) -> tuple[Optional[int], Optional[int]]:
        """The argument and the byte in its memory of an address of global memory."""
        for known in self.ranges:
            if address is not None and known.address <= address < \
                    known.address + known.end - known.begin:
                return known.number, address - known.address
        return None, None

    def finish(self) -> Optional[int]:
        """Copies back what was unwritten. The number of an argument that is read-only and was
        written, or None."""
        for known in self.ranges:
            if known.is_unwritten:
                self._copy_back(known)
            elif known.copy is not None and known.copy.tobytes() != known.get_bytes():
                return known.number
        return None

    def _copy_back(self, known: _Range) -> None:
        """To the elements of the arrays: what lies between them is not theirs."""
        contents = np.empty(known.end - known.begin, np.uint8)
        self.memory.read(known.address, contents.ctypes.data, contents.size)
        for array in known.arrays:
            if array.size:
                first = array.ctypes.data - known.begin
                array[...] = np.ndarray(array.shape, array.dtype, contents.data, first,
                                        array.strides)


def _bounds(array: np.ndarray) -> tuple[int, int]:
    """The first byte of an array's memory, and the one behind its last."""
    if array.size == 0:
        return array.ctypes.data, array.ctypes.data
    low = high = array.ctypes.data
    for size, stride in zip(array.shape, array.strides):
        low += min((size - 1) * stride, 0)
        high += max((size - 1) * stride, 0)
    return low, high + array.itemsize


def find_array(argument: Argument) -> Optional[np.ndarray]:
    """The array of an argument, or None of a number. TypeError or ValueError for one that a
    kernel cannot have."""
    given = argument.array if isinstance(argument, (unwritten, TensorMap)) else argument
    array = as_array(given)
    if array is None:
        if given is not argument:
            raise TypeError(f"is {type(argument).__name__}(..) of an object of type "
                            f"{type(given).__name__}, which is no array")
        return None
    if array.dtype.hasobject:
        raise TypeError(f"is an array of {array.dtype}, objects of Python: give numbers")
    if array.dtype.byteorder == ">":
        raise TypeError(f"is an array of {array.dtype.str}, and GPUs are little-endian: give "
                        f"array.astype({array.dtype.newbyteorder('<').str!r})")
    if isinstance(argument, unwritten) and not array.flags.writeable:
        raise ValueError("is unwritten(..) of a read-only array, which keeps no result")
    return array


def place(arguments: Sequence[Argument], arrays: Sequence[Optional[np.ndarray]],
          names: Sequence[str]) -> Buffers:
    """Makes buffers of the arrays of arguments; `names` are those of the parameters."""
    wanted = []
    for number, (argument, array) in enumerate(zip(arguments, arrays)):
        if array is not None:
            wanted.append((_Range(*_bounds(array), names[number], number,
                                  isinstance(argument, unwritten)), array))
    buffers = Buffers(_emulator.Memory())
    for known, array in sorted(wanted, key=lambda pair: (pair[0].begin, -pair[0].end)):
        last = buffers.ranges[-1] if buffers.ranges else None
        if last and known.begin < last.end:
            if last.is_unwritten != known.is_unwritten:
                raise ValueError(f"arguments {last.number} and {known.number} share memory, and "
                                 "one of them alone is unwritten")
            last.end = max(last.end, known.end)
            last.number = min(last.number, known.number)
            if array.flags.writeable:
                last.copy = None
        else:
            if not array.flags.writeable:
                known.copy = np.empty(0, np.uint8)
            buffers.ranges.append(known)
        buffers.ranges[-1].arrays.append(array)
    for known in buffers.ranges:
        _make(buffers.memory, known)
    return buffers


def _make(memory: _emulator.Memory, known: _Range) -> None:
    size = known.end - known.begin
    if known.is_unwritten:
        known.address = memory.allocate(size, known.name)
        return
    host = known.begin
    if known.copy is not None:
        known.copy = np.frombuffer(bytearray(known.get_bytes()), np.uint8)
        host = known.copy.ctypes.data
    known.address = memory.map(host, size, known.name)


def encode(argument: Argument, array: Optional[np.ndarray], parameter: _emulator.Parameter,
           buffers: Buffers) -> bytes:
    """The bytes of a parameter; `array` is that of the argument. TypeError or ValueError with
    both sides where it does not fit."""
    if isinstance(argument, TensorMap):
        assert array is not None
        data = _encode_map(argument, array, buffers)
    elif array is not None:
        data = struct.pack("<Q", buffers.address_of(array))
    else:
        data = _encode_number(argument, parameter)
    if len(data) != parameter.size_bytes:
        what = (f"a tensor map, {len(data)} bytes" if isinstance(argument, TensorMap) else
                "an array, an address of 8 bytes" if array is not None
                else f"{argument!r}, {len(data)} bytes")
        raise ValueError(f"has {parameter.size_bytes} bytes, {what} is given")
    return data


def _encode_number(argument: Argument, parameter: _emulator.Parameter) -> bytes:
    size, kind = parameter.size_bytes, parameter.type
    if isinstance(argument, (bytes, bytearray, memoryview)):
        return bytes(argument)
    if argument is None:
        return bytes(size)
    if isinstance(argument, np.generic):
        return argument.tobytes()
    if isinstance(argument, numbers.Integral) and not kind.startswith("f"):
        number, bits = int(argument), 8 * size
        if size > 8 or not -(1 << bits - 1) <= number < 1 << bits:
            raise ValueError(f"of type .{kind} has {size} bytes, {number} does not fit")
        return (number & (1 << bits) - 1).to_bytes(size, "little")
    if isinstance(argument, numbers.Real) and kind in _FLOATS:
        try:
            return struct.pack(_FLOATS[kind], float(argument))
        except OverflowError:
            raise ValueError(f"of type .{kind} does not hold {argument!r}") from None
    raise TypeError(f"of type .{kind} takes no {type(argument).__name__}: give a number of "
                    "NumPy's type, or bytes")


def _encode_map(argument: TensorMap, array: np.ndarray, buffers: Buffers) -> bytes:
    element = argument.type or _TENSOR_TYPES.get(array.dtype.str[1:])
    if element is None:
        raise TypeError(f"is a tensor map: give type= for elements of {array.dtype}")
    if _TENSOR_BYTES.get(element, array.itemsize) != array.itemsize:
        raise TypeError(f"is a tensor map: elements of {element} have {_TENSOR_BYTES[element]} "
                        f"bytes, those of {array.dtype} {array.itemsize}")
    if array.ndim == 0 or array.strides[-1] != array.itemsize:
        raise ValueError("is a tensor map: elements of the last dimension must be neighbours")
    if min(array.strides) < 0:
        raise ValueError(f"is a tensor map, whose strides are not negative: {array.strides} "
                         "bytes (np.ascontiguousarray)")
    given = argument.box if isinstance(argument.box, Iterable) else [argument.box]
    box = [count("box", extent, 1) for extent in given]
    if len(box) != array.ndim:
        raise ValueError(f"is a tensor map of {array.ndim} dimensions, with a box of {len(box)}: "
                         f"{tuple(box)}")
    return _emulator.encode_tensor_map(
        element, buffers.address_of(array), list(array.shape[::-1]),
        list(array.strides[-2::-1]), box[::-1],
        count("swizzle", argument.swizzle))
