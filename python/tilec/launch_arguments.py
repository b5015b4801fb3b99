"""Arguments of a kernel in PTX: arrays become buffers, numbers the bytes of their parameter.

Arrays of the host are the buffers: a kernel reads and writes them in place, and an access
beside the array is out of bounds. Arrays that overlap share a buffer.
"""
from __future__ import annotations

import numbers
import struct
from dataclasses import dataclass, field
from typing import Any, Optional, Sequence, Union

import numpy as np

from . import _emulator

_FLOATS = {"f32": "<f", "b32": "<f", "f64": "<d", "b64": "<d"}


@dataclass(frozen=True, eq=False)
class unwritten:
    """An array whose contents count as not written: reading them is a finding.

    What the kernel writes is in `array` after the run; what it does not, is any value there.
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


@dataclass
class _Range:
    """Bytes of the host that are one buffer: [begin, end)."""
    begin: int
    end: int
    name: str
    number: int                       # of the argument that named it
    is_unwritten: bool = False
    address: int = 0
    copy: Optional[np.ndarray] = None  # what stands for memory that must not be written


@dataclass
class Buffers:
    """The memory of a launch, and where each array is in it."""
    memory: _emulator.Memory
    ranges: list[_Range] = field(default_factory=list)
    keeps: list[Any] = field(default_factory=list)

    def find(self, array: np.ndarray) -> _Range:
        begin, _ = _bounds(array)
        return next(r for r in self.ranges if r.begin <= begin < max(r.end, r.begin + 1))

    def address_of(self, array: np.ndarray) -> int:
        """Where the first element of an array lies."""
        return self.find(array).address + array.ctypes.data - self.find(array).begin

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
                self.memory.read(known.address, known.begin, known.end - known.begin)
            elif known.copy is not None and known.copy.tobytes() != _bytes_at(known):
                return known.number
        return None


def _bytes_at(known: _Range) -> bytes:
    import ctypes
    return ctypes.string_at(known.begin, known.end - known.begin)


def _bounds(array: np.ndarray) -> tuple[int, int]:
    """The first byte of an array's memory, and the one behind its last."""
    if array.size == 0:
        return array.ctypes.data, array.ctypes.data
    low = high = array.ctypes.data
    for size, stride in zip(array.shape, array.strides):
        low += min((size - 1) * stride, 0)
        high += max((size - 1) * stride, 0)
    return low, high + array.itemsize


def as_array(argument: Argument) -> Optional[np.ndarray]:
    """The array of an argument, or None of a number."""
    if isinstance(argument, (unwritten, TensorMap)):
        argument = argument.array
    if isinstance(argument, np.ndarray):
        return argument
    if hasattr(argument, "__array_interface__") and not isinstance(argument, np.generic):
        return np.asarray(argument)
    if hasattr(argument, "__dlpack__"):
        return np.from_dlpack(argument)  # type: ignore[arg-type]
    return None


def place(arguments: Sequence[Argument], names: Sequence[str]) -> Buffers:
    """Makes buffers of the arrays among `arguments`; `names` are those of the parameters."""
    wanted = []
    for number, argument in enumerate(arguments):
        array = as_array(argument)
        if array is not None:
            begin, end = _bounds(array)
            wanted.append((_Range(begin, end, names[number], number,
                                  isinstance(argument, unwritten)), array))
    buffers = Buffers(_emulator.Memory())
    for known, array in sorted(wanted, key=lambda pair: (pair[0].begin, -pair[0].end)):
        buffers.keeps.append(array)
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
            if not array.flags.writeable and not known.is_unwritten:
                known.copy = np.empty(0, np.uint8)
            buffers.ranges.append(known)
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
        known.copy = np.frombuffer(bytearray(_bytes_at(known)), np.uint8)
        host = known.copy.ctypes.data
    known.address = memory.map(host, size, known.name)


def encode(argument: Argument, parameter: _emulator.Parameter, buffers: Buffers) -> bytes:
    """The bytes of a parameter. TypeError or ValueError with both sides where it does not fit."""
    if isinstance(argument, TensorMap):
        data = _encode_map(argument, buffers)
    elif (array := as_array(argument)) is not None:
        data = struct.pack("<Q", buffers.address_of(array))
    else:
        data = _encode_number(argument, parameter)
    if len(data) != parameter.size_bytes:
        what = (f"an array, an address of 8 bytes" if as_array(argument) is not None
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
        return struct.pack(_FLOATS[kind], float(argument))
    raise TypeError(f"of type .{kind} takes no {type(argument).__name__}: give a number of "
                    "NumPy's type, or bytes")


def _encode_map(argument: TensorMap, buffers: Buffers) -> bytes:
    array = argument.array
    element = argument.type or _TENSOR_TYPES.get(array.dtype.str[1:])
    if element is None:
        raise TypeError(f"is a tensor map: give type= for elements of {array.dtype}")
    if array.ndim == 0 or array.strides[-1] != array.itemsize:
        raise ValueError("is a tensor map: elements of the last dimension must be neighbours")
    return _emulator.encode_tensor_map(
        element, buffers.address_of(array), list(array.shape[::-1]),
        list(array.strides[-2::-1]), list(argument.box[::-1]), argument.swizzle)
