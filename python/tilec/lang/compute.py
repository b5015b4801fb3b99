"""Operations on fragments: products, reductions, scans, shapes."""
from __future__ import annotations

from typing import Any, Callable, Optional, Sequence, Union

from .arith import Flags, flags_text, scalar_bitcast
from .source import ProgramError
from .trace import Attributes, Region, current
from .types import ElementType, TileType, f32, f64, i8, i32, literal
from .values import (Computed, MemRef, Number, OpenTile, Operand, Scalar, Tile, Value,
                     as_int, as_ints, as_value, describe, static_shape)

Factor = Union[Tile, MemRef]

# Fragments -----------------------------------------------------------------------


def full(shape: Sequence[int], value: Operand, element: Optional[ElementType] = None,
         layout: Optional[str] = None) -> Tile:
    """A fragment of one number: of a Python number, which needs `element`, or of a scalar."""
    if isinstance(value, Scalar):
        if element not in (None, value.type):
            raise ProgramError(f"full of {element} from {value!r}; nothing is converted unless "
                               "x.to(..) says so")
        element = value.type
    elif element is None or isinstance(value, (Value, OpenTile)):
        raise ProgramError(f"full: {describe(value)} has no element type; full(shape, 0.0, f32)")
    return splat(TileType(static_shape(shape, "full"), element, layout), value)


def splat(type: TileType, value: Union[Scalar, Number],
          names: Optional[Sequence[str]] = None) -> Tile:
    """A fragment of `type`, called `names` where a program does not name it."""
    trace = current()
    if isinstance(value, Scalar):
        return trace.emit("tensor.splat", trace.use(value), f": {type}", [type], names=names)[0]
    try:
        text = literal(value, type.element)
    except (TypeError, ValueError) as error:
        raise ProgramError(str(error)) from None
    return trace.emit("arith.constant", f"dense<{text}>", f": {type}", [type], names=names)[0]


def zeros(shape: Sequence[int], element: ElementType) -> Tile:
    """A fragment of zeros; as an accumulator it costs nothing."""
    return full(shape, False if element.name == "i1" else 0, element)


def poison(type: Union[ElementType, TileType]) -> Value:
    """`ub.poison`: a value that nothing may depend on."""
    return current().emit("ub.poison", "", f": {type}", [type])[0]


def extract(tile: Tile, *indices: Union[int, Scalar]) -> Scalar:
    """`tensor.extract`: an element, `t[i, j]`; an int counts from the end where it is negative."""
    from .memory import indices_text
    _check_rank(tile, indices)
    indices = tuple(_wrap(tile, dim, i) if isinstance(i, int) else i
                    for dim, i in enumerate(indices))
    operands = current().use(tile) + indices_text(indices)
    return current().emit("tensor.extract", operands, f": {tile.type}", [tile.dtype])[0]


def from_elements(elements: Sequence[Operand], shape: Optional[Sequence[int]] = None) -> Tile:
    """`tensor.from_elements`: a fragment of scalars, in the order of rows."""
    first = next((e for e in elements if isinstance(e, Scalar)), None)
    if first is None:
        raise ProgramError("from_elements: one of the elements is a scalar of the program")
    trace = current()
    values = [as_value(e, first.type, "from_elements") for e in elements]
    type = TileType(tuple(shape or (len(values),)), first.type)
    operands = ", ".join(trace.use(v) for v in values)
    return trace.emit("tensor.from_elements", operands, f": {type}", [type])[0]


# Products ------------------------------------------------------------------------


def _product(name: str, factors: Sequence[Factor], rows: Any, columns: Any, c: Optional[Operand],
             accumulator: Optional[ElementType], attributes: Attributes) -> Tile:
    """`rows` and `columns` are those of the result."""
    trace = current()
    if isinstance(c, Tile):
        accumulator, type = accumulator or c.dtype, c.type
    else:
        element = accumulator or {f64: f64, i8: i32}.get(factors[0].dtype, f32)
        type = TileType((rows, columns), element)
    values = [trace.use(f) for f in factors]
    if c is not None:
        values.append(trace.use(as_value(c, type, f"{name}: the accumulator")))
    types = ", ".join(str(f.type) for f in factors)
    return trace.emit(f"tile.{name}", ", ".join(values), f": {types} -> {type}", [type],
                      attributes)[0]


def _product_options(transpose_a: bool, transpose_b: bool, unsigned_a: bool = False,
                     unsigned_b: bool = False, precision: Optional[str] = None,
                     warps: Optional[str] = None) -> Attributes:
    flags = {"transpose_a": transpose_a, "transpose_b": transpose_b, "unsigned_a": unsigned_a,
             "unsigned_b": unsigned_b}
    attributes: Attributes = {name: None for name, is_set in flags.items() if is_set}
    for name, value, known in (("precision", precision, ("ieee", "tf32")),
                               ("warps", warps, ("square", "rows", "columns"))):
        if value is not None and value not in known:
            raise ProgramError(f"unknown {name} {value!r}; known: {', '.join(known)}")
        if value is not None:
            attributes[name] = f"#tile.{name}<{value}>"
    return attributes


def _check_factors(name: str, *factors: Factor) -> None:
    for factor in factors:
        if not isinstance(factor, (Tile, MemRef)) or len(factor.type.shape) != 2:
            raise ProgramError(f"{name}: {describe(factor)} is no fragment or shared memref of "
                               "two dimensions")


def _extents(a: Factor, b: Factor, transpose_a: bool, transpose_b: bool) -> tuple[Any, Any]:
    rows, columns = a.type.shape[1 if transpose_a else 0], b.type.shape[0 if transpose_b else 1]
    inner_a, inner_b = a.type.shape[0 if transpose_a else 1], b.type.shape[1 if transpose_b else 0]
    if inner_a != inner_b:
        raise ProgramError(f"gemm of {describe(a)} and {describe(b)}: K is {inner_a} and "
                           f"{inner_b}{'' if transpose_b else '; transpose_b=True?'}")
    return rows, columns


def gemm(a: Factor, b: Factor, c: Optional[Operand] = None, *, transpose_a: bool = False,
         transpose_b: bool = False, unsigned_a: bool = False, unsigned_b: bool = False,
         precision: Optional[str] = None, warps: Optional[str] = None,
         accumulator: Optional[ElementType] = None) -> Tile:
    """`a * b + c`, without `c` `a * b` with elements of `accumulator`: by default f64 of f64,
    i32 of i8, else f32. Factors are fragments or shared memrefs."""
    _check_factors("gemm", a, b)
    rows, columns = _extents(a, b, transpose_a, transpose_b)
    return _product("gemm", (a, b), rows, columns, c, accumulator,
                    _product_options(transpose_a, transpose_b, unsigned_a, unsigned_b, precision,
                                     warps))


def gemm_sparse(a: Factor, metadata: Factor, b: Factor, c: Optional[Operand] = None, *,
                transpose_a: bool = False, transpose_b: bool = False, unsigned_a: bool = False,
                unsigned_b: bool = False, precision: Optional[str] = None,
                warps: Optional[str] = None, accumulator: Optional[ElementType] = None) -> Tile:
    """`gemm` with an `a` of which two in every four columns are kept, M x K/2; `metadata`,
    M x K/16 of i16, says which."""
    _check_factors("gemm_sparse", a, metadata, b)
    rows = a.type.shape[1 if transpose_a else 0]
    columns = b.type.shape[0 if transpose_b else 1]
    return _product("gemm_sparse", (a, metadata, b), rows, columns, c, accumulator,
                    _product_options(transpose_a, transpose_b, unsigned_a, unsigned_b, precision,
                                     warps))


def gemm_scaled(a: Factor, scale_a: Factor, b: Factor, scale_b: Factor,
                c: Optional[Operand] = None, *, block: int = 32, transpose_a: bool = False,
                transpose_b: bool = False, warps: Optional[str] = None) -> Tile:
    """`gemm` of floats of 8 bits and fewer with a scale for every `block` of them along K:
    `scale_a` is M x K/block, `scale_b` N x K/block."""
    _check_factors("gemm_scaled", a, scale_a, b, scale_b)
    rows, columns = _extents(a, b, transpose_a, transpose_b)
    attributes = _product_options(transpose_a, transpose_b, warps=warps)
    return _product("gemm_scaled", (a, scale_a, b, scale_b), rows, columns, c, f32,
                    {"block": str(as_int(block, "block", least=1)), **attributes})


# Reductions and scans ------------------------------------------------------------

KINDS = ("add", "mul", "minui", "minsi", "minnumf", "maxui", "maxsi", "maxnumf", "and", "or",
         "xor", "minimumf", "maximumf")
Combiner = Union[str, Callable[..., Any]]


def _as_tiles(operands: Union[Tile, Sequence[Tile]], what: str) -> tuple[Tile, ...]:
    tiles = (operands,) if not isinstance(operands, (tuple, list)) else tuple(operands)
    for tile in tiles:
        if not isinstance(tile, Tile):
            raise ProgramError(f"{what}: {describe(tile)} is no fragment")
    return tiles


def _without(shape: Sequence[int], dims: Sequence[int]) -> tuple[int, ...]:
    return tuple(extent for dim, extent in enumerate(shape) if dim not in dims)


def reduce(how: Combiner, operands: Union[Tile, Sequence[Tile]],
           dims: Union[int, Sequence[int]], init: Any = None, fastmath: Flags = None) -> Any:
    """Combines the elements along `dims`: by a kind ("add", "maximumf", ..) those of one
    fragment, by a function those of several, `f(so_far.., new..)`, which is associative and
    commutative. `init` is combined once; several operands have several."""
    dims = sorted(as_ints(dims, "dims"))
    tiles = _as_tiles(operands, "reduce")
    types = [TileType(_without(tile.shape, dims), tile.dtype) for tile in tiles]
    return _combine("tile.reduce", how, tiles, f"dims {dims}", types, init, fastmath, {},
                    isinstance(operands, (tuple, list)))


def scan(how: Combiner, operands: Union[Tile, Sequence[Tile]], dim: int, reverse: bool = False,
         exclusive: bool = False, init: Any = None, fastmath: Flags = None) -> Any:
    """Running combination along `dim`, from the end with `reverse`, without an element's own
    with `exclusive`; a function is then given the empty prefix, `init`."""
    tiles = _as_tiles(operands, "scan")
    types = [tile.type for tile in tiles]
    dim = as_int(dim, "the dimension of a scan", least=0)
    attributes: Attributes = {name: None for name, is_set in (
        ("reverse", reverse), ("exclusive", exclusive)) if is_set}
    return _combine("tile.scan", how, tiles, f"dim {dim}", types, init, fastmath, attributes,
                    isinstance(operands, (tuple, list)))


def _combine(name: str, how: Combiner, tiles: Sequence[Tile], dims: str,
             types: Sequence[TileType], init: Any, fastmath: Flags,
             attributes: Attributes, several: bool) -> Any:
    trace = current()
    if isinstance(how, str) and how not in KINDS:
        raise ProgramError(f"unknown kind {how!r}; known: {', '.join(KINDS)}")
    if isinstance(how, str) and len(tiles) != 1:
        raise ProgramError(f"{how!r} combines one fragment, not {len(tiles)}; several need a "
                           "function")
    operands = ", ".join(trace.use(tile) for tile in tiles)
    if init is not None:
        empty = [TileType(_without(t.shape, [int(dims.split()[1])]), t.element)
                 for t in types] if name == "tile.scan" else types
        inits = init if isinstance(init, (tuple, list)) else (init,)
        if len(inits) != len(tiles):
            raise ProgramError(f"init has {len(inits)} values for {len(tiles)} fragments")
        dims += " init(" + ", ".join(
            trace.use(as_value(i, t, "init")) for i, t in zip(inits, empty)) + ")"
    if isinstance(how, str):
        flags = flags_text(fastmath) if tiles[0].dtype.is_float else ""
        source = f": {tiles[0].type}" + (f" -> {types[0]}" if name == "tile.reduce" else "")
        return trace.emit(name, f"<{how}> {operands} {dims} {flags}".strip(), source, types,
                          attributes)[0]
    sources = "(" + ", ".join(str(tile.type) for tile in tiles) + ")"
    arrow = f" -> ({', '.join(map(str, types))})" if name == "tile.reduce" else ""
    results = trace.emit(name, f"({operands}) {dims}", f": {sources}{arrow}", types, attributes)
    operation = trace.region.operations[-1]
    operation.regions.append(("", _combiner_body(how, [tile.dtype for tile in tiles])))
    return results[0] if not several else tuple(results)


def _combiner_body(how: Callable[..., Any], elements: Sequence[ElementType]) -> Region:
    from .structure import parameter_names, yield_values
    trace = current()
    with trace.open("combiner", "combiner") as body:
        names = parameter_names(how, 2 * len(elements))
        arguments = trace.make_values([*elements, *elements], names=names)
        listed = ", ".join(f"{a.name}: {a.type}" for a in arguments)
        body.header = f"^bb0({listed}):"
        yield_values("tile.yield", how(*arguments), elements, "the combiner")
    return body


# Shapes --------------------------------------------------------------------------


def broadcast(tile: Tile, dims: Union[int, Sequence[int]],
              shape: Sequence[Optional[int]], names: Optional[Sequence[str]] = None) -> Tile:
    """`tile.broadcast`: repeats along the new dimensions `dims` of the result, whose shape
    is `shape`."""
    dims = sorted(as_ints(dims, "dims"))
    if _without(shape, dims) != tile.shape:  # type: ignore[arg-type]
        raise ProgramError(f"broadcast of {tile!r} along {dims} to {list(shape)}: the other "
                           "dimensions are not those of the fragment")
    type = TileType(tuple(shape), tile.dtype)  # type: ignore[arg-type]
    return current().emit("tile.broadcast", f"{current().use(tile)} dims {list(dims)}",
                          f": {tile.type} -> {type}", [type], names=names)[0]


def transpose(tile: Tile, permutation: Sequence[int] = (1, 0)) -> Tile:
    """`tile.transpose`: dimension i of the result is `permutation[i]` of the operand."""
    if sorted(permutation) != list(range(len(tile.shape))):
        raise ProgramError(f"transpose of {tile!r} by {list(permutation)}: no permutation of its "
                           "dimensions")
    type = TileType(tuple(tile.shape[dim] for dim in permutation), tile.dtype)
    return current().emit("tile.transpose", f"{current().use(tile)} {list(permutation)}",
                          f": {tile.type} -> {type}", [type])[0]


def bitcast(value: Computed, element: ElementType) -> Computed:
    """The same bits as elements of another type; of a fragment along the last dimension,
    lowest bits first, `tile.bitcast`."""
    if not isinstance(value, Tile):
        return scalar_bitcast(value, element)
    bits = value.shape[-1] * value.dtype.bits
    if bits % element.bits:
        raise ProgramError(f"bitcast of {value!r} to {element}: {bits} bits in its last dimension")
    type = TileType((*value.shape[:-1], bits // element.bits), element)
    return current().emit("tile.bitcast", current().use(value), f": {value.type} -> {type}",
                          [type])[0]


def convert_layout(tile: Tile, layout: Optional[str]) -> Tile:
    """`tile.convert_layout`: fixes a layout, `#tile.fragment<..>`, or releases it (None)."""
    type = TileType(tile.shape, tile.dtype, layout)
    return current().emit("tile.convert_layout", current().use(tile),
                          f": {tile.type} to {type}", [type])[0]


def extract_slice(tile: Tile, keys: Sequence[Union[int, slice]]) -> Tile:
    """`tensor.extract_slice`: `t[0:16, 3]`; an int drops its dimension."""
    offsets, sizes = _read_slices(tile, keys)
    type = TileType(tuple(size for size, key in zip(sizes, keys) if isinstance(key, slice)),
                    tile.dtype)
    operands = f"{current().use(tile)}{offsets} {sizes} {[1] * len(sizes)}"
    return current().emit("tensor.extract_slice", operands, f": {tile.type} to {type}", [type])[0]


def insert_slice(part: Tile, tile: Tile, offsets: Sequence[int]) -> Tile:
    """`tensor.insert_slice`: `tile` with `part` at `offsets`; a part of lower rank fills the
    last dimensions."""
    offsets = as_ints(offsets, "offsets")
    sizes = [1] * (len(tile.shape) - len(part.shape)) + list(part.shape)
    operands = (f"{current().use(part)} into {current().use(tile)}{offsets} {sizes} "
                f"{[1] * len(sizes)}")
    return current().emit("tensor.insert_slice", operands, f": {part.type} into {tile.type}",
                          [tile.type])[0]


def _check_rank(tile: Tile, indices: Sequence[Any]) -> None:
    if len(indices) != len(tile.shape):
        raise ProgramError(f"{len(indices)} indices for {tile!r}, which has "
                           f"{len(tile.shape)} dimensions")


def _wrap(tile: Tile, dim: int, number: int) -> int:
    """An index that is known now, from 0 on."""
    extent = tile.shape[dim]
    if isinstance(number, bool) or not -extent <= number < extent:
        raise ProgramError(f"index {number!r} of {tile!r}: dimension {dim} has {extent} elements")
    return number % extent


def _read_slices(tile: Tile, keys: Sequence[Any]) -> tuple[list[int], list[int]]:
    _check_rank(tile, keys)
    offsets: list[int] = []
    sizes: list[int] = []
    for extent, key in zip(tile.shape, keys):
        if isinstance(key, slice):
            if any(isinstance(part, Value) for part in (key.start, key.stop, key.step)):
                raise ProgramError("slices of fragments have offsets and sizes that are ints; "
                                   "tiles are cut from memory, or by parallel(..)")
            start, stop, step = key.indices(extent)
            if step != 1 or stop <= start:
                raise ProgramError(f"slice {key} of {tile!r}: steps are 1 and nothing is empty")
        elif isinstance(key, int):
            start = _wrap(tile, len(offsets), key)
            stop = start + 1
        else:
            raise ProgramError(f"{key!r} in a slice of {tile!r}: ints and slices")
        offsets.append(start)
        sizes.append(stop - start)
    return offsets, sizes


def reshape(tile: Tile, shape: Sequence[int]) -> Tile:
    """The elements in the order of rows as another shape: `tensor.collapse_shape` and
    `tensor.expand_shape`."""
    shape = static_shape(shape, "reshape")
    count = _count(tile.shape)
    if _count(shape) != count:
        raise ProgramError(f"reshape of {tile!r} to {list(shape)}: {count} and {_count(shape)} "
                           "elements")
    common = _common_shape(tile.shape, shape)
    if common != tile.shape:
        groups = _group(tile.shape, common)
        type = TileType(common, tile.dtype)
        tile = current().emit("tensor.collapse_shape", f"{current().use(tile)} {groups}",
                              f": {tile.type} into {type}", [type])[0]
    if common != shape:
        groups = _group(shape, common)
        type = TileType(shape, tile.dtype)
        tile = current().emit(
            "tensor.expand_shape", f"{current().use(tile)} {groups} output_shape {list(shape)}",
            f": {tile.type} into {type}", [type])[0]
    return tile


def _count(shape: Sequence[int]) -> int:
    count = 1
    for extent in shape:
        count *= extent
    return count


def _common_shape(a: Sequence[int], b: Sequence[int]) -> tuple[int, ...]:
    """The finest shape that both have by joining neighbours: cut where prefixes agree."""
    def prefixes(shape: Sequence[int]) -> list[int]:
        return [_count(shape[:n]) for n in range(len(shape) + 1)]

    cuts = sorted(set(prefixes(a)) & set(prefixes(b)))
    return tuple(high // low for low, high in zip(cuts, cuts[1:]))


def _group(fine: Sequence[int], coarse: Sequence[int]) -> str:
    """The groups of dimensions of `fine` that make those of `coarse`; extents of 1 go to the
    group behind them."""
    if not coarse:
        return "[]"
    groups: list[list[int]] = [[] for _ in coarse]
    product, at = 1, 0
    for dim, extent in enumerate(fine):
        if at < len(coarse) - 1 and product == coarse[at]:
            product, at = 1, at + 1
        groups[at].append(dim)
        product *= extent
    return str(groups)
