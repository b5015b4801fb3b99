"""Arguments of host functions: from Python's numbers and arrays to what the compiler runs on.

What does not fit is a TypeError (a dtype, an array for a number) or a ValueError (ranks, sizes,
strides), with both sides of it. Sizes that functions state by name and their divisors are
checked by the compiler's own code, which raises RunError.
"""
from __future__ import annotations

import numbers
from dataclasses import dataclass
from typing import Any, Callable, Sequence

import numpy as np

from . import _native, gpu_arrays
from .arrays import as_array
from .element_types import ElementType, find_element_type, pack, unpack


@dataclass
class HostArguments:
    """The values for `tilec._native`, and what has to be done behind the run."""
    values: list[Any]
    keeps: list[Any]         # arrays that must live as long as the run
    finish: list[Callable[[], None]]
    is_on_gpu: bool = False  # whether an array lies there


class _Place:
    """An argument of a function, as messages name it."""

    def __init__(self, function: str, number: int, declared: _native.Argument):
        self.text = f"argument {number} of {function}, {declared.type},"

    def type_error(self, message: str) -> TypeError:
        return TypeError(f"{self.text} {message}")

    def value_error(self, message: str) -> ValueError:
        return ValueError(f"{self.text} {message}")


def convert(function: _native.Function, arguments: Sequence[Any]) -> HostArguments:
    """The arguments of `function`, converted."""
    declared = function.arguments
    if len(declared) != len(arguments):
        signature = ", ".join(argument.type for argument in declared)
        raise TypeError(f"{function.name}({signature}) takes {len(declared)} arguments, "
                        f"{len(arguments)} are given")
    result = HostArguments([], [], [])
    for number, (wanted, given) in enumerate(zip(declared, arguments)):
        place = _Place(function.name, number, wanted)
        if wanted.is_array:
            _add_array(result, place, wanted, given)
        else:
            result.values.append(_scalar(place, wanted, given))
    return result


def _scalar(place: _Place, wanted: _native.Argument, given: Any) -> int | float:
    if isinstance(given, np.ndarray) and given.ndim == 0:
        given = given[()]
    if wanted.element.startswith(("f", "bf", "tf")):
        if isinstance(given, numbers.Real) or (
                isinstance(given, np.generic) and given.dtype.kind in "fiubV"):
            try:
                return float(given)
            except OverflowError:
                raise place.value_error(f"does not hold {given!r}") from None
        raise place.type_error(f"is a float, {_describe(given)} is given")
    if isinstance(given, (numbers.Integral, np.bool_)) or (
            isinstance(given, np.generic) and given.dtype.name in ("int4", "uint4")):
        return _integer(place, wanted, int(given))
    raise place.type_error(f"is an integer, {_describe(given)} is given")


def _integer(place: _Place, wanted: _native.Argument, number: int) -> int:
    """A number of 64 bits with a sign; what narrower types hold is the compiler's to check."""
    if wanted.element == "i64" and number >> 63 == 1:
        return number - (1 << 64)  # one without a sign
    if not -1 << 63 <= number < 1 << 63:
        raise place.value_error(f"does not hold {number}")
    return number


def _describe(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"an array of {value.dtype} of shape {value.shape}"
    return f"{value!r} of type {type(value).__name__}"


def _add_array(result: HostArguments, place: _Place, wanted: _native.Argument,
               given: Any) -> None:
    element = find_element_type(wanted.element)
    if element is None:
        raise place.type_error(f"has elements of {wanted.element}, which no array has")
    try:
        on_gpu = gpu_arrays.find(given)
    except ValueError as error:
        raise place.value_error(str(error)) from None
    if on_gpu is not None:
        _add_gpu_array(result, place, wanted, element, on_gpu)
        return
    array = _as_numpy(place, given)
    sizes = _sizes(place, element, array.dtype.name, array.shape, array.flags.c_contiguous)
    _check_shape(place, wanted, sizes)
    if not element.is_packed:
        result.keeps.append(array)
        result.values.append(_native_array(array.ctypes.data, element, sizes,
                                           _strides(place, array), not array.flags.writeable))
    else:
        _add_packed(result, element, array, sizes)


def _add_gpu_array(result: HostArguments, place: _Place, wanted: _native.Argument,
                   element: ElementType, array: gpu_arrays.GpuArray) -> None:
    if array.is_read_only:
        raise place.type_error("is read-only on the GPU, where nothing keeps a kernel from "
                               "writing it: give a copy")
    if element.is_packed and not element.is_raw(array.dtype):
        raise place.type_error(f"has two elements a byte on a GPU: give bytes, not {array.dtype}")
    sizes = _sizes(place, element, array.dtype, array.shape, array.is_row_major)
    _check_shape(place, wanted, sizes)
    strides = _row_major(sizes) if element.is_packed else list(array.strides)
    result.keeps.append(array)
    result.is_on_gpu = True
    result.values.append(_native.Array(array.address, element.bits, sizes, strides, False, True))


def _sizes(place: _Place, element: ElementType, dtype: str, shape: Sequence[int],
           is_row_major: bool) -> list[int]:
    """The sizes in elements of an array of the dtype of that name."""
    if element.is_packed and element.is_raw(dtype):
        if len(shape) == 0 or not is_row_major:
            raise place.value_error("has two elements a byte: the array of bytes must be "
                                    "row-major (np.ascontiguousarray)")
        return [*shape[:-1], shape[-1] * 2]
    if not element.accepts(dtype):
        raise place.type_error(f"takes an array of {element.describe()}, not of {dtype}")
    return list(shape)


def _add_packed(result: HostArguments, element: ElementType, array: np.ndarray,
                sizes: list[int]) -> None:
    """Elements of 4 bits: as they are where they are bytes of two, else by way of a copy."""
    is_raw = element.is_raw(array.dtype.name)
    packed = array if is_raw else pack(array)
    result.keeps.append(packed)
    if not is_raw and array.flags.writeable:
        result.finish.append(lambda: unpack(packed, array))
    # A program that writes what cannot be written back is told so.
    result.values.append(_native_array(packed.ctypes.data, element, sizes, _row_major(sizes),
                                       not array.flags.writeable))


def _native_array(address: int, element: ElementType, sizes: list[int], strides: list[int],
                  is_constant: bool) -> _native.Array:
    return _native.Array(address, element.bits, sizes, strides, is_constant, False)


def _as_numpy(place: _Place, given: Any) -> np.ndarray:
    try:
        array = as_array(given)
    except TypeError as error:
        raise place.type_error(str(error)) from None
    if array is None:
        raise place.type_error(f"is an array, {_describe(given)} is given")
    return array


def _check_shape(place: _Place, wanted: _native.Argument, sizes: list[int]) -> None:
    if len(sizes) != len(wanted.shape):
        raise place.value_error(f"has {len(wanted.shape)} dimensions, the array has "
                                f"{len(sizes)}: {tuple(sizes)}")
    for dim, (size, given) in enumerate(zip(wanted.shape, sizes)):
        if size not in (-1, given):
            raise place.value_error(f"has size {size} in dimension {dim}, the array has {given}: "
                                    f"{tuple(sizes)}")


def _strides(place: _Place, array: np.ndarray) -> list[int]:
    """Strides in elements, row-major where there is no element."""
    if array.dtype.byteorder == ">":
        raise place.type_error(f"is little-endian, the array is {array.dtype.str}")
    if array.size == 0:
        return _row_major(list(array.shape))
    strides = []
    for size, stride in zip(array.shape, array.strides):
        if size > 1 and (stride < 0 or stride % array.itemsize):
            raise place.value_error(f"has strides of {array.strides} bytes for elements of "
                                    f"{array.itemsize}: they must be multiples, and not negative "
                                    "(np.ascontiguousarray)")
        strides.append(stride // array.itemsize if size > 1 else 1)
    return strides


def _row_major(sizes: list[int]) -> list[int]:
    strides, step = [], 1
    for size in reversed(sizes):
        strides.append(step)
        step *= max(size, 1)
    return strides[::-1]
