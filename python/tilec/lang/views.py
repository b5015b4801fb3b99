"""Views of memrefs: parts, other shapes and other types of the same memory.

A view's type follows from the memref's and from what is known of offsets and sizes: what is
an int stays static, what is a scalar of the program becomes `?`.
"""
from __future__ import annotations

from typing import Optional, Sequence, Union

from .source import ProgramError
from .trace import current
from .types import MemRefType
from .values import MemRef, Scalar, as_index

Index = Union[int, Scalar]


def _static(value: Index) -> Optional[int]:
    return value if isinstance(value, int) else None


def _mixed(values: Sequence[Index]) -> str:
    trace = current()
    return "[" + ", ".join(str(v) if isinstance(v, int) else trace.use(as_index(v))
                           for v in values) + "]"


def subview(memref: MemRef, offsets: Sequence[Index], sizes: Sequence[Index],
            strides: Optional[Sequence[Index]] = None, drop: Sequence[int] = ()) -> MemRef:
    """`memref.subview`: the box that begins at `offsets`, of `sizes`, every `strides`-th
    element; without the dimensions in `drop`, whose sizes are 1. It lies inside."""
    rank = len(memref.type.shape)
    strides = strides or [1] * rank
    for what, entries in (("offsets", offsets), ("sizes", sizes), ("strides", strides)):
        if len(entries) != rank:
            raise ProgramError(f"subview: {len(entries)} {what} for {memref!r}")
    if any(sizes[dim] != 1 for dim in drop if isinstance(sizes[dim], int)):
        raise ProgramError(f"subview: dropped dimensions {list(drop)} of sizes {list(sizes)}")
    source = memref.type.get_strides()
    offset = memref.type.offset
    for start, stride in zip(offsets, source):
        if isinstance(start, int) and start == 0:
            continue
        known = isinstance(start, int) and stride is not None and offset is not None
        offset = offset + start * stride if known else None  # type: ignore[operator]
    pitches = [None if s is None or not isinstance(n, int) else s * n
               for s, n in zip(source, strides)]
    kept = [dim for dim in range(rank) if dim not in drop]
    type = MemRefType(tuple(_static(sizes[dim]) for dim in kept), memref.type.element,
                      tuple(pitches[dim] for dim in kept), offset, memref.type.is_shared)
    operands = f"{current().use(memref)}{_mixed(offsets)} {_mixed(sizes)} {_mixed(strides)}"
    return current().emit("memref.subview", operands, f": {memref.type} to {type}", [type])[0]


def cast(memref: MemRef, *shape: Optional[int]) -> MemRef:
    """`memref.cast`: the same memory with sizes that are said or forgotten (None)."""
    old = memref.type
    strides = None if old.strides is None else old.strides
    type = MemRefType(tuple(shape), old.element, strides, old.offset, old.is_shared)
    if old.strides is None and type.get_strides() != old.get_strides():
        type = MemRefType(tuple(shape), old.element, tuple(
            a if a == b else None for a, b in zip(old.get_strides(), type.get_strides())),
            old.offset, old.is_shared)
    return current().emit("memref.cast", current().use(memref), f": {old} to {type}", [type])[0]


def reinterpret_cast(memref: MemRef, offset: Index, sizes: Sequence[Index],
                     strides: Sequence[Index]) -> MemRef:
    """`memref.reinterpret_cast`: the memory with an offset, sizes and strides of one's own,
    in elements."""
    type = MemRefType(tuple(map(_static, sizes)), memref.type.element,
                      tuple(map(_static, strides)), _static(offset), memref.type.is_shared)
    operands = (f"{current().use(memref)} to offset: {_mixed([offset])}, sizes: {_mixed(sizes)}, "
                f"strides: {_mixed(strides)}")
    return current().emit("memref.reinterpret_cast", operands, f": {memref.type} to {type}",
                          [type])[0]


def collapse_shape(memref: MemRef, groups: Sequence[Sequence[int]]) -> MemRef:
    """`memref.collapse_shape`: each group of neighbouring dimensions becomes one."""
    old = memref.type
    sizes: list[Optional[int]] = []
    for group in groups:
        size: Optional[int] = 1
        for dim in group:
            extent = old.shape[dim]
            size = None if size is None or extent is None else size * extent
        sizes.append(size)
    strides = None
    if old.strides is not None:
        strides = tuple(old.strides[group[-1]] for group in groups)
    type = MemRefType(tuple(sizes), old.element, strides, old.offset, old.is_shared)
    operands = f"{current().use(memref)} {_groups(groups)}"
    return current().emit("memref.collapse_shape", operands, f": {old} into {type}", [type])[0]


def expand_shape(memref: MemRef, groups: Sequence[Sequence[int]],
                 shape: Sequence[Index]) -> MemRef:
    """`memref.expand_shape`: dimension i becomes the group i of those of `shape`."""
    old = memref.type
    strides: Optional[tuple[Optional[int], ...]] = None
    if old.strides is not None:
        pitches: list[Optional[int]] = [None] * len(shape)
        for group, stride in zip(groups, old.strides):
            for dim in reversed(group):
                pitches[dim] = stride
                extent = _static(shape[dim])
                stride = None if stride is None or extent is None else stride * extent
        strides = tuple(pitches)
    type = MemRefType(tuple(map(_static, shape)), old.element, strides, old.offset,
                      old.is_shared)
    operands = f"{current().use(memref)} {_groups(groups)} output_shape {_mixed(shape)}"
    return current().emit("memref.expand_shape", operands, f": {old} into {type}", [type])[0]


def _groups(groups: Sequence[Sequence[int]]) -> str:
    return "[" + ", ".join(f"[{', '.join(map(str, group))}]" for group in groups) + "]"
