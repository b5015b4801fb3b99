"""Memory: buffers, boxes, what moves between them and fragments, and views.

A box is `A[i, j]`, where it begins, with `.box(64, 128)` for its extents, `.rows(r, dim=0)`
for a gather or scatter and `.in_bounds(True, False)`. Without extents it has those of the
other side. What may be outside of a memref, and what is read there: docs/Language.md.
"""
from __future__ import annotations

import copy as copying
from typing import Any, Optional, Sequence, Union

from .source import ProgramError
from .trace import Attributes, current
from .types import ElementType, MemRefType, TileType, index
from .values import (NUMBERS, Computed, MemRef, Number, Operand, Scalar, Tile, as_index,
                     as_int, as_ints, as_value, describe, static_shape)

Index = Union[int, Scalar]


class Box:
    """One side of a copy, load or store: where it begins, an index for each dimension."""

    def __init__(self, memref: MemRef, start: Sequence[Index]):
        if len(start) != len(memref.type.shape):
            raise ProgramError(f"{len(start)} indices for {memref!r}, which has "
                               f"{len(memref.type.shape)} dimensions")
        self.memref, self.start = memref, tuple(as_index(number) for number in start)
        self.extents: Optional[tuple[int, ...]] = None
        self._rows: Optional[tuple[Tile, int]] = None
        self._in_bounds: Optional[tuple[bool, ...]] = None

    def box(self, *extents: int) -> Box:
        """With these extents, one for each dimension of the memref."""
        return self._with("extents", static_shape(extents, "box"))

    def rows(self, rows: Tile, dim: int) -> Box:
        """Coordinate k of `dim` is the start plus element k of `rows`."""
        if not isinstance(rows, Tile):
            raise ProgramError(f"rows are a fragment of integers, not {describe(rows)}")
        made = copying.copy(self)
        made._rows = (rows, as_int(dim, "the dimension of rows", least=0))
        return made

    def in_bounds(self, *inside: bool) -> Box:
        """Asserts along which dimensions the box lies inside of the memref."""
        return self._with("_in_bounds", inside)

    def _with(self, field: str, entries: tuple[Any, ...]) -> Box:
        if len(entries) != len(self.start):
            raise ProgramError(f"{len(entries)} entries for the {len(self.start)} dimensions of "
                               f"{self.memref!r}")
        made = copying.copy(self)
        setattr(made, field, entries)
        return made

    @property
    def is_element(self) -> bool:
        return self.extents is None and self._rows is None and self._in_bounds is None

    def get_shape(self) -> Optional[tuple[int, ...]]:
        """Its extents without those of 1, if it has extents."""
        if self.extents is None:
            return None
        return tuple(extent for extent in self.extents if extent != 1)

    def to_text(self) -> str:
        trace = current()
        text = trace.use(self.memref) + indices_text(self.start)
        if self.extents is not None:
            text += f" [{', '.join(map(str, self.extents))}]"
        if self._rows is not None:
            rows, dim = self._rows
            text += f" rows({trace.use(rows)} : {rows.type}) dim {dim}"
        if self._in_bounds is not None:
            text += f" in_bounds [{', '.join(str(bool(b)).lower() for b in self._in_bounds)}]"
        return text


Side = Union[MemRef, Box]


def indices_text(indices: Sequence[Index]) -> str:
    trace = current()
    return f"[{', '.join(trace.use(as_index(i)) for i in indices)}]"


def _side(side: Side, what: str) -> tuple[str, MemRefType]:
    if isinstance(side, MemRef):
        return current().use(side), side.type
    if isinstance(side, Box):
        return side.to_text(), side.memref.type
    raise ProgramError(f"{what}: memory is a memref or a box of one, A[i, j], not {side!r}")


def _pad_text(pad: Optional[Operand], element: ElementType) -> str:
    return "" if pad is None else f" pad({current().use(as_value(pad, element, 'pad'))})"


# Buffers -----------------------------------------------------------------------


def alloc(shape: Sequence[int], element: ElementType, layout: Optional[str] = None,
          alignment: Optional[int] = None) -> MemRef:
    """A buffer in shared memory, of undefined contents. `layout` is an attribute
    `#tile.shared<..>` (`shared_layout` makes one), `alignment` in bytes."""
    type = MemRefType(static_shape(shape, "alloc"), element, is_shared=True)
    options = (("layout", layout), ("alignment", alignment))
    if alignment is not None:
        as_int(alignment, "an alignment", least=1)
    operands = " ".join(f"{name}({value})" for name, value in options if value is not None)
    return current().emit("tile.alloc", operands, f": {type}", [type])[0]


def workspace(shape: Sequence[Index], element: ElementType) -> MemRef:
    """Host code: global memory of undefined contents, until `dealloc` frees it."""
    trace = current()
    static = tuple(size if isinstance(size, int) else None for size in shape)
    sizes = ", ".join(trace.use(as_index(size)) for size in shape if not isinstance(size, int))
    type = MemRefType(static, element)
    return trace.emit(f"memref.alloc({sizes})", "", f": {type}", [type])[0]


def dealloc(memref: MemRef) -> None:
    """Host code: frees what `workspace` made, after all that uses it."""
    current().emit("memref.dealloc", current().use(memref), f": {memref.type}")


def size(memref: MemRef, dim: int) -> Index:
    """A size of a memref: an int where it is static."""
    rank = len(memref.type.shape)
    if not -rank <= dim < rank:
        raise ProgramError(f"{memref!r} has no dimension {dim}")
    dim %= rank
    static = memref.type.shape[dim]
    if static is not None:
        return static
    trace = current()
    known = memref.sizes.get(dim)
    if known is not None and trace.region.is_in(known.region):
        return known
    operands = f"{trace.use(memref)}, {trace.use(as_index(dim))}"
    with trace.at_head(memref):
        made = trace.emit("memref.dim", operands, f": {memref.type}", [index],
                          names=[memref.dims[dim]] if dim in memref.dims else None)
    memref.sizes[dim] = made[0]
    return made[0]


# Moves -------------------------------------------------------------------------


def load(source: Side, shape: Optional[Sequence[int]] = None,
         element: Optional[ElementType] = None, pad: Optional[Operand] = None,
         layout: Optional[str] = None) -> Computed:
    """A fragment of `shape`, or of the box's extents without those of 1; of all of a memref
    that is given without indices. `A[i, j]` without any shape is one element, a scalar.

    The elements are converted to `element`, floats to floats and integers to integers;
    outside of the memref they are `pad`, 0 if there is none."""
    trace = current()
    if isinstance(source, Box) and shape is None and source.is_element:
        if element is not None or pad is not None:
            raise ProgramError("one element is loaded as it is; a fragment has a shape")
        memref = source.memref
        operands = trace.use(memref) + indices_text(source.start)
        return trace.emit("memref.load", operands, f": {memref.type}", [memref.dtype])[0]
    text, memref_type = _side(source, "load")
    if shape is None:
        known = source.get_shape() if isinstance(source, Box) else memref_type.shape
        if known is None or None in known:
            raise ProgramError(f"load: {source if isinstance(source, MemRef) else text} does not "
                               "say how large the fragment is; give its shape")
        shape = known  # type: ignore[assignment]
    type = TileType(static_shape(shape or (), "load"), element or memref_type.element, layout)
    text += _pad_text(pad, type.element)
    return trace.emit("tile.load", text, f": {memref_type} -> {type}", [type])[0]


def store(value: Operand, dest: Side) -> None:
    """Writes a fragment to a box of memory, a scalar to one element; nothing outside of the
    memref. The elements of a fragment are converted as `load` does."""
    trace = current()
    text, type = _side(dest, "store")
    if isinstance(value, (Scalar, *NUMBERS)):
        if not isinstance(dest, Box) or not dest.is_element:
            raise ProgramError(f"{describe(value)} is stored to one element, A[i, j]; full(..) "
                               "makes a fragment of it")
        element = as_value(value, type.element, "store")
        trace.emit("memref.store", f"{trace.use(element)}, {text}", f": {type}")
        return
    if not isinstance(value, Tile):
        raise ProgramError(f"store: {describe(value)} is neither a fragment nor a scalar")
    trace.emit("tile.store", f"{trace.use(value)}, {text}", f": {value.type}, {type}")


def copy(source: Side, dest: Side, pad: Optional[Number] = None) -> None:
    """Copies from memory to memory and converts as `load` does; one side says the extents.
    `pad`, of the destination's element type, is what is read outside of the source. Between
    memrefs in host code: `memref.copy`."""
    trace = current()
    source_text, source_type = _side(source, "copy")
    dest_text, dest_type = _side(dest, "copy")
    types = f": {source_type} to {dest_type}"
    if trace.region.place == "host":
        trace.emit("memref.copy", f"{source_text}, {dest_text}", types)
        return
    source_text += _pad_text(pad, dest_type.element)
    trace.emit("tile.copy", f"{source_text} to {dest_text}", types)


ATOMIC_KINDS = ("addf", "addi", "andi", "assign", "maximumf", "maxnumf", "maxs", "maxu",
                "minimumf", "minnumf", "mins", "minu", "mulf", "muli", "ori", "xori")


def atomic_rmw(kind: str, value: Operand, dest: Side) -> Optional[Scalar]:
    """Combines a fragment into a box of memory, each element atomically; of a scalar and one
    element it gives what was there before."""
    if kind not in ATOMIC_KINDS:
        raise ProgramError(f"unknown kind {kind!r}; known: {', '.join(ATOMIC_KINDS)}")
    trace = current()
    text, type = _side(dest, "atomic_rmw")
    if isinstance(value, Tile):
        trace.emit("tile.atomic_rmw", f"{kind} {trace.use(value)}, {text}",
                   f": {value.type}, {type}")
        return None
    if not isinstance(dest, Box) or not dest.is_element:
        raise ProgramError("a scalar is combined into one element, A[i, j]")
    element = as_value(value, type.element, "atomic_rmw")
    return trace.emit("memref.atomic_rmw", f"{kind} {trace.use(element)}, {text}",
                      f": ({type.element}, {type}) -> {type.element}", [type.element])[0]


def im2col(image: MemRef, row: Index, column: Index, dest: MemRef, kernel: Sequence[int],
           strides: Sequence[int] = (1, 1), dilations: Sequence[int] = (1, 1),
           padding: Sequence[int] = (0, 0)) -> None:
    """Copies a box of the matrix whose product with the filter is a convolution: a row for
    each output position of an NHWC image, a column for each (kernel row, kernel column,
    channel)."""
    trace = current()
    attributes: Attributes = {
        name: str(as_ints(numbers, name))
        for name, numbers in (("kernel", kernel), ("strides", strides),
                              ("dilations", dilations), ("padding", padding))}
    operands = f"{trace.use(image)}{indices_text((row, column))} to {trace.use(dest)}"
    trace.emit("tile.im2col", operands, f": {image.type} to {dest.type}", (), attributes)


# Layouts -----------------------------------------------------------------------


def shared_layout(shape: Sequence[int], order: Optional[Sequence[int]] = None,
                  pad: Optional[int] = None, swizzle: Optional[int] = None) -> str:
    """`#tile.shared<..>` in its short form: the order of dimensions, fastest first, elements
    after each row, the mode of a swizzle."""
    fields = [str(as_ints(shape, "shape"))]
    if order is not None:
        fields.append(f"order = {as_ints(order, 'order')}")
    fields += [f"{name} = {as_int(value, name)}" for name, value in (("pad", pad),
                                                                     ("swizzle", swizzle))
               if value is not None]
    return f"#tile.shared<{', '.join(fields)}>"
