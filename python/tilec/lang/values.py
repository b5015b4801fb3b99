"""Values of a program: scalars, fragments and memrefs, with Python's operators.

Operands of an operator have one type; nothing is converted in silence. Python numbers take
the type of the other operand, where they fit it. A scalar of a fragment's element type
stands for a fragment of that number. `x[:, None]` has open dimensions, which take the
extents of the other operand: `x - row_max[:, None]`.
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Iterator, NoReturn, Optional, Sequence, Union

from .source import ProgramError, TypesDiffer
from .trace import Region, Trace, current, has_current
from .types import ElementType, MemRefType, TileType, Type, as_number, i1, index

if TYPE_CHECKING:
    from .memory import Box

Number = Union[bool, int, float]
NUMBERS = (bool, int, float)


class Value:
    """A value that the program computes: it has a type and no number."""

    def __init__(self, trace: Trace, name: str, type: Type, region: Region):
        self.trace, self.name, self.type, self.region = trace, name, type, region
        self.last_use = 0

    def __repr__(self) -> str:
        return f"{self.name}: {self.type}"

    def _no_number(self, what: str, instead: str) -> NoReturn:
        raise ProgramError(f"{self!r} is known when the program runs only, and {what}; {instead}")

    def __bool__(self) -> bool:
        self._no_number("Python cannot branch on it", "write when(..), select(..), & and |")

    def __index__(self) -> int:
        self._no_number("Python needs an int here", "write loop(..) for range(..)")

    def __int__(self) -> int:
        self._no_number("Python needs an int here", "write x.to(..)")

    def __float__(self) -> float:
        self._no_number("Python needs a float here", "write x.to(..)")

    def __iter__(self) -> Iterator[Any]:
        self._no_number("Python cannot iterate over it", "write loop(..) or parallel(..)")


class Computed(Value):
    """What operators work on: a scalar or a fragment."""
    type: Union[ElementType, TileType]

    @property
    def dtype(self) -> ElementType:
        return self.type if isinstance(self.type, ElementType) else self.type.element

    def to(self, element: ElementType, signed: bool = True) -> Computed:
        """Converts the elements; integers are read and made as signed ones or not."""
        from .arith import convert
        return convert(self, element, signed)

    def __add__(self, other: Any) -> Any: return _apply("+", self, other)
    def __radd__(self, other: Any) -> Any: return _apply("+", other, self)
    def __sub__(self, other: Any) -> Any: return _apply("-", self, other)
    def __rsub__(self, other: Any) -> Any: return _apply("-", other, self)
    def __mul__(self, other: Any) -> Any: return _apply("*", self, other)
    def __rmul__(self, other: Any) -> Any: return _apply("*", other, self)
    def __truediv__(self, other: Any) -> Any: return _apply("/", self, other)
    def __rtruediv__(self, other: Any) -> Any: return _apply("/", other, self)
    def __floordiv__(self, other: Any) -> Any: return _apply("//", self, other)
    def __rfloordiv__(self, other: Any) -> Any: return _apply("//", other, self)
    def __mod__(self, other: Any) -> Any: return _apply("%", self, other)
    def __rmod__(self, other: Any) -> Any: return _apply("%", other, self)
    def __pow__(self, other: Any) -> Any: return _apply("**", self, other)
    def __rpow__(self, other: Any) -> Any: return _apply("**", other, self)
    def __and__(self, other: Any) -> Any: return _apply("&", self, other)
    def __rand__(self, other: Any) -> Any: return _apply("&", other, self)
    def __or__(self, other: Any) -> Any: return _apply("|", self, other)
    def __ror__(self, other: Any) -> Any: return _apply("|", other, self)
    def __xor__(self, other: Any) -> Any: return _apply("^", self, other)
    def __rxor__(self, other: Any) -> Any: return _apply("^", other, self)
    def __lshift__(self, other: Any) -> Any: return _apply("<<", self, other)
    def __rlshift__(self, other: Any) -> Any: return _apply("<<", other, self)
    def __rshift__(self, other: Any) -> Any: return _apply(">>", self, other)
    def __rrshift__(self, other: Any) -> Any: return _apply(">>", other, self)
    def __lt__(self, other: Any) -> Any: return _apply("<", self, other)
    def __le__(self, other: Any) -> Any: return _apply("<=", self, other)
    def __gt__(self, other: Any) -> Any: return _apply(">", self, other)
    def __ge__(self, other: Any) -> Any: return _apply(">=", self, other)
    def __eq__(self, other: Any) -> Any: return _apply("==", self, other)
    def __ne__(self, other: Any) -> Any: return _apply("!=", self, other)
    __hash__ = Value.__hash__

    def __neg__(self) -> Any:
        from .arith import negf
        return negf(self) if self.dtype.is_float else _apply("-", 0, self)

    def __abs__(self) -> Any:
        from .arith import absf, absi
        return absf(self) if self.dtype.is_float else absi(self)

    def __invert__(self) -> Any:
        return _apply("^", self, True if self.dtype == i1 else -1)


class Scalar(Computed):
    """A number that is the same in the whole block, or belongs to an iteration."""
    type: ElementType


class Tile(Computed):
    """A fragment. It is changed by making another one."""
    type: TileType

    @property
    def shape(self) -> tuple[int, ...]:
        return self.type.shape

    def __getitem__(self, key: Any) -> Union[Scalar, Tile, OpenTile]:
        """`t[i, j]` is an element, `t[0:16, 3]` a slice, `t[:, None]` open along None."""
        keys = key if isinstance(key, tuple) else (key,)
        if any(k is None for k in keys):
            return OpenTile(self, keys)
        from .compute import extract, extract_slice
        if any(isinstance(k, slice) for k in keys):
            return extract_slice(self, keys)
        return extract(self, *keys)


    def __setitem__(self, key: Any, value: Any) -> NoReturn:
        raise ProgramError(f"{self!r} is not changed; insert_slice(part, t, offsets) and select(..) "
                           "make another one")


class OpenTile:
    """A fragment with dimensions that take the extents of the other operand."""

    def __init__(self, tile: Tile, keys: Sequence[Any]):
        kept = [k for k in keys if k is not None]
        if len(kept) != len(tile.shape) or any(k != slice(None) for k in kept):
            raise ProgramError(f"beside None there is a ':' for each dimension of {tile!r}")
        extents = iter(tile.shape)
        self.tile, self.keys = tile, keys
        self.extents = [None if k is None else next(extents) for k in keys]

    def fill(self, shape: Sequence[Optional[int]]) -> Tile:
        """The fragment with the open dimensions of these extents."""
        from .compute import broadcast
        dims = [d for d, extent in enumerate(self.extents) if extent is None]
        name = self.tile.name[1:]
        return broadcast(self.tile, dims, shape,
                         names=["open" if name.isdigit() else f"{name}_open"])

    def to(self, element: ElementType, signed: bool = True) -> OpenTile:
        return OpenTile(self.tile.to(element, signed), self.keys)  # type: ignore[arg-type]

    def __neg__(self) -> OpenTile:
        return OpenTile(-self.tile, self.keys)

    def __abs__(self) -> OpenTile:
        return OpenTile(abs(self.tile), self.keys)

    def __invert__(self) -> OpenTile:
        return OpenTile(~self.tile, self.keys)

    def __bool__(self) -> bool:
        return bool(self.tile)

    def __repr__(self) -> str:
        shape = "x".join("?" if e is None else str(e) for e in self.extents)
        return f"{self.tile.name}: {shape}x{self.tile.dtype}, where ? is open"

    dtype = property(lambda self: self.tile.dtype)


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "and", "or", "xor",
              "lshift", "rshift"):
    for _side in ("", "r"):
        setattr(OpenTile, f"__{_side}{_name}__", getattr(Computed, f"__{_side}{_name}__"))
for _name in ("lt", "le", "gt", "ge", "eq", "ne"):
    setattr(OpenTile, f"__{_name}__", getattr(Computed, f"__{_name}__"))

Operand = Union[Computed, OpenTile, Number]


class MemRef(Value):
    """Memory: an argument, a buffer or a view. `A[i, j]` is a box that begins there."""
    type: MemRefType

    def __init__(self, trace: Trace, name: str, type: Type, region: Region):
        super().__init__(trace, name, type, region)
        self.dims: dict[int, str] = {}  # names of sizes
        self.sizes: dict[int, Scalar] = {}  # those that the program has read

    @property
    def dtype(self) -> ElementType:
        return self.type.element

    @property
    def shape(self) -> tuple[Union[int, Scalar], ...]:
        return tuple(self.size(dim) for dim in range(len(self.type.shape)))

    def size(self, dim: int) -> Union[int, Scalar]:
        """A size: an int where it is static, else a scalar of the program."""
        from .memory import size
        return size(self, dim)

    def __getitem__(self, key: Any) -> Box:
        from .memory import Box
        return Box(self, key if isinstance(key, tuple) else (key,))

    def __setitem__(self, key: Any, value: Any) -> NoReturn:
        raise ProgramError(f"{self!r} is written by store(value, m[i, j])")


def make_value(trace: Trace, name: str, type: Type, region: Optional[Region] = None) -> Value:
    kinds = {ElementType: Scalar, TileType: Tile, MemRefType: MemRef}
    return kinds[type.__class__](trace, name, type, region or trace.region)


# Operands of one type -----------------------------------------------------------


def describe(operand: object) -> str:
    return repr(operand) if not isinstance(operand, NUMBERS) else f"the number {operand!r}"


def as_value(operand: Operand, type: Union[ElementType, TileType], what: str = "operand"
             ) -> Any:
    """`operand` as a value of `type`, which it has, or which a number or scalar is made."""
    operand = as_number(operand)
    if isinstance(operand, NUMBERS):
        if isinstance(type, TileType):
            from .compute import splat
            return splat(type, operand, names=["splat"])
        return current().constant(operand, type)
    if isinstance(operand, OpenTile) and isinstance(type, TileType):
        operand = operand.fill(type.shape)
    if isinstance(operand, Scalar) and isinstance(type, TileType) and operand.type == type.element:
        from .compute import splat
        return splat(type, operand, names=["splat"])
    if not isinstance(operand, Computed) or operand.type != type:
        raise TypesDiffer(f"{what}: {describe(operand)} is no {type}; "
                          "nothing is converted unless x.to(..) says so")
    return operand


def as_index(operand: Union[int, Scalar]) -> Scalar:
    if isinstance(operand, bool):
        raise ProgramError(f"an index is an int or a scalar of type index, not {operand}")
    return as_value(operand, index, "index")


def as_int(number: object, what: str, least: Optional[int] = None) -> int:
    """A number that is known now and goes into the text as it is."""
    number = as_number(number)
    if not isinstance(number, int) or isinstance(number, bool) or (
            least is not None and number < least):
        bound = "" if least is None else f" that is at least {least}"
        raise ProgramError(f"{what} is an int{bound}, not {repr(number)}")
    return number


def as_ints(numbers: Union[int, Sequence[int]], what: str) -> list[int]:
    """Several, or one."""
    numbers = as_number(numbers)
    listed = [numbers] if isinstance(numbers, int) else numbers
    if not isinstance(listed, (list, tuple)):
        raise ProgramError(f"{what}: ints, not {repr(numbers)}")
    return [as_int(number, what) for number in listed]


def static_shape(shape: Sequence[int], what: str) -> tuple[int, ...]:
    """Extents that are known now, as a tuple."""
    if isinstance(as_number(shape), int) or isinstance(shape, Value):
        raise ProgramError(f"{what}: a shape is a tuple of ints, ({repr(shape)},)")
    shape = tuple(map(as_number, shape))
    for extent in shape:
        if not isinstance(extent, int) or isinstance(extent, bool) or extent < 0:
            raise ProgramError(f"{what}: extents are ints that are known now, not "
                               f"{repr(extent)}; what runs over an edge reads and "
                               "writes nothing there")
    return shape


def default_type(number: Number) -> ElementType:
    """The type of a Python number that stands alone."""
    if isinstance(number, float):
        raise ProgramError(f"{number!r} has no type here; write constant({number!r}, f32)")
    return i1 if isinstance(number, bool) else index


def unify(operands: Sequence[Operand], what: str) -> list[Computed]:
    """The operands as values of one type: that of the fragment among them, else of the
    scalar."""
    tiles = [o for o in operands if isinstance(o, Tile)]
    opened = [o for o in operands if isinstance(o, OpenTile)]
    scalars = [o for o in operands if isinstance(o, Scalar)]
    if tiles:
        type: Union[ElementType, TileType] = tiles[0].type
    elif opened:
        type = TileType(_complete(opened, what), opened[0].dtype)
    elif scalars:
        type = scalars[0].type
    else:
        raise ProgramError(f"{what} of {', '.join(describe(o) for o in operands)}: one of the "
                           "operands is a value of the program")
    try:
        return [as_value(o, type, what) for o in operands]
    except TypesDiffer:
        shown = " and ".join(describe(o) for o in operands)
        raise TypesDiffer(f"{what} of {shown}: types differ, and nothing is converted unless "
                          "x.to(..) says so") from None


def _complete(opened: Sequence[OpenTile], what: str) -> tuple[int, ...]:
    extents: list[Optional[int]] = [None] * len(opened[0].extents)
    for tile in opened:
        if len(tile.extents) == len(extents):
            extents = [a if a is not None else b for a, b in zip(extents, tile.extents)]
    if any(extent is None for extent in extents):
        raise ProgramError(f"{what} of {' and '.join(describe(o) for o in opened)}: no operand "
                           "says what the open dimensions are")
    return tuple(extents)  # type: ignore[arg-type]


def _apply(operator: str, left: Operand, right: Operand) -> Any:
    from .arith import OPERATORS
    left, right = as_number(left), as_number(right)
    if not all(isinstance(o, (Computed, OpenTile, *NUMBERS)) for o in (left, right)):
        if not has_current():
            return NotImplemented
        raise ProgramError(f"{operator} of {left!r} and {right!r}: operands are scalars, "
                           "fragments and numbers")
    function: Callable[..., Any] = OPERATORS[operator]
    return function(left, right)
