"""Operations on scalars and, element by element, on fragments: `arith` and `math`.

Each is called what it is called in the IR; flags of floats are given by `fastmath=`, or for
several operations by `with fastmath("contract"):`. The operators of Python choose among
them by the type: `OPERATORS` has the table.
"""
from __future__ import annotations

import contextlib
from typing import Any, Callable, Iterator, Optional, Sequence, Union

from .source import ProgramError
from .trace import Attributes, current
from .types import ElementType, TileType, as_number, bf16, f16, f32, i1, i64, index
from .values import (NUMBERS, Computed, Number, OpenTile, Operand, Scalar, as_value,
                     describe, unify)

Flags = Union[str, Sequence[str], None]
FLAGS = ("reassoc", "nnan", "ninf", "nsz", "arcp", "contract", "afn", "fast")
FLOAT, INTEGER = "floats", "integers"


@contextlib.contextmanager
def fastmath(*flags: str) -> Iterator[None]:
    """Flags of the operations on floats inside, unless they say their own."""
    trace = current()
    saved, trace.fastmath = trace.fastmath, _check_flags(flags)
    try:
        yield
    finally:
        trace.fastmath = saved


def flags_text(flags: Flags) -> str:
    """`fastmath<..>`; flags of None are those of the `with fastmath(..)` around."""
    names = current().fastmath if flags is None else _check_flags(flags)
    return f"fastmath<{', '.join(names)}>" if names else ""


def _check_flags(flags: Flags) -> tuple[str, ...]:
    names = (flags,) if isinstance(flags, str) else tuple(flags or ())
    for name in names:
        if name not in FLAGS:
            raise ProgramError(f"unknown flag {name!r}; known: {', '.join(FLAGS)}")
    return names


def with_element(type: Union[ElementType, TileType], element: ElementType
                 ) -> Union[ElementType, TileType]:
    """`type` with other elements."""
    if isinstance(type, TileType):
        return TileType(type.shape, element, type.layout)
    return element


def _check_kind(name: str, kind: str, value: Computed) -> None:
    if (kind == FLOAT) != value.dtype.is_float:
        raise ProgramError(f"{name} takes {kind}, not {describe(value)}")


def _elementwise(name: str, kind: str, operands: Sequence[Operand], flags: str = "",
                 result: Optional[ElementType] = None, count: int = 1,
                 attributes: Optional[Attributes] = None) -> list[Computed]:
    values = unify(operands, name.split(".")[1])
    _check_kind(name, kind, values[0])
    trace, type = current(), values[0].type
    text = ", ".join(trace.use(value) for value in values)
    types = [type if result is None else with_element(type, result)] * count
    return trace.emit(name, f"{text} {flags}".strip(), f": {type}", types, attributes)


def _float_operation(name: str, arity: int,
                     result: Optional[ElementType] = None) -> Callable[..., Any]:
    def operation(*operands: Operand, fastmath: Flags = None) -> Computed:
        _check_arity(name, arity, operands)
        return _elementwise(name, FLOAT, operands, flags_text(fastmath), result)[0]
    return _document(operation, name, arity, "floats; `fastmath` has flags")


def _integer_operation(name: str, arity: int, count: int = 1) -> Callable[..., Any]:
    def operation(*operands: Operand) -> Any:
        _check_arity(name, arity, operands)
        results = _elementwise(name, INTEGER, operands, count=count)
        return results[0] if count == 1 else tuple(results)
    return _document(operation, name, arity, "integers of one type")


def _overflow_operation(name: str) -> Callable[..., Any]:
    def operation(a: Operand, b: Operand, overflow: Flags = None) -> Computed:
        names = (overflow,) if isinstance(overflow, str) else tuple(overflow or ())
        for flag in names:
            if flag not in ("nsw", "nuw"):
                raise ProgramError(f"unknown flag {flag!r}; known: nsw, nuw")
        flags = f"overflow<{', '.join(names)}>" if names else ""
        return _elementwise(name, INTEGER, (a, b), flags)[0]
    return _document(operation, name, 2, "integers; `overflow` promises nsw, nuw")


def _check_arity(name: str, arity: int, operands: Sequence[Operand]) -> None:
    if len(operands) != arity:
        raise ProgramError(f"{name} takes {arity} operands, not {len(operands)}")


def _document(function: Callable[..., Any], name: str, arity: int,
              what: str) -> Callable[..., Any]:
    function.__name__ = function.__qualname__ = name.split(".")[1]
    function.__doc__ = f"`{name}`: {arity} operand{'s' * (arity > 1)}, {what}."
    return function


addf, subf = _float_operation("arith.addf", 2), _float_operation("arith.subf", 2)
mulf, divf = _float_operation("arith.mulf", 2), _float_operation("arith.divf", 2)
remf, negf = _float_operation("arith.remf", 2), _float_operation("arith.negf", 1)
maximumf, minimumf = (_float_operation(f"arith.{n}", 2) for n in ("maximumf", "minimumf"))
maxnumf, minnumf = (_float_operation(f"arith.{n}", 2) for n in ("maxnumf", "minnumf"))

addi, subi = _overflow_operation("arith.addi"), _overflow_operation("arith.subi")
muli, shli = _overflow_operation("arith.muli"), _overflow_operation("arith.shli")
divsi, divui = _integer_operation("arith.divsi", 2), _integer_operation("arith.divui", 2)
remsi, remui = _integer_operation("arith.remsi", 2), _integer_operation("arith.remui", 2)
floordivsi = _integer_operation("arith.floordivsi", 2)
ceildivsi, ceildivui = (_integer_operation(f"arith.{n}", 2) for n in ("ceildivsi", "ceildivui"))
andi, ori = _integer_operation("arith.andi", 2), _integer_operation("arith.ori", 2)
xori = _integer_operation("arith.xori", 2)
shrsi, shrui = _integer_operation("arith.shrsi", 2), _integer_operation("arith.shrui", 2)
maxsi, maxui = _integer_operation("arith.maxsi", 2), _integer_operation("arith.maxui", 2)
minsi, minui = _integer_operation("arith.minsi", 2), _integer_operation("arith.minui", 2)
mulsi_extended = _integer_operation("arith.mulsi_extended", 2, count=2)
mului_extended = _integer_operation("arith.mului_extended", 2, count=2)

absf, ceil, floor = (_float_operation(f"math.{n}", 1) for n in ("absf", "ceil", "floor"))
trunc, round, roundeven = (_float_operation(f"math.{n}", 1)
                           for n in ("trunc", "round", "roundeven"))
exp, exp2, expm1 = (_float_operation(f"math.{n}", 1) for n in ("exp", "exp2", "expm1"))
log, log2, log1p = (_float_operation(f"math.{n}", 1) for n in ("log", "log2", "log1p"))
sin, cos, tanh = (_float_operation(f"math.{n}", 1) for n in ("sin", "cos", "tanh"))
sqrt, rsqrt, erf = (_float_operation(f"math.{n}", 1) for n in ("sqrt", "rsqrt", "erf"))
powf, copysign = _float_operation("math.powf", 2), _float_operation("math.copysign", 2)
fma = _float_operation("math.fma", 3)
isfinite, isinf, isnan = (_float_operation(f"math.{n}", 1, result=i1)
                          for n in ("isfinite", "isinf", "isnan"))
absi, ctlz, ctpop = (_integer_operation(f"math.{n}", 1) for n in ("absi", "ctlz", "ctpop"))


def addui_extended(a: Operand, b: Operand) -> tuple[Computed, Computed]:
    """`arith.addui_extended`: the sum of unsigned integers, and whether it overflowed."""
    values = unify((a, b), "addui_extended")
    _check_kind("addui_extended", INTEGER, values[0])
    trace, type = current(), values[0].type
    flag = with_element(type, i1)
    total, overflow = trace.emit(
        "arith.addui_extended", ", ".join(trace.use(v) for v in values), f": {type}, {flag}",
        [type, flag])
    return total, overflow


CMPF = ("false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult",
        "ule", "une", "uno", "true")
CMPI = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")


def _compare(name: str, kind: str, predicates: Sequence[str], predicate: str, a: Operand,
             b: Operand, flags: str = "") -> Computed:
    if predicate not in predicates:
        raise ProgramError(f"unknown predicate {predicate!r}; known: {', '.join(predicates)}")
    values = unify((a, b), name)
    _check_kind(name, kind, values[0])
    trace, type = current(), values[0].type
    operands = f"{predicate}, {trace.use(values[0])}, {trace.use(values[1])} {flags}".strip()
    return trace.emit(f"arith.{name}", operands, f": {type}", [with_element(type, i1)])[0]


def cmpf(predicate: str, a: Operand, b: Operand, fastmath: Flags = ()) -> Computed:
    """`arith.cmpf`: an i1, or a fragment of them."""
    return _compare("cmpf", FLOAT, CMPF, predicate, a, b, flags_text(fastmath))


def cmpi(predicate: str, a: Operand, b: Operand) -> Computed:
    """`arith.cmpi`: an i1, or a fragment of them; `s..` reads signed numbers, `u..` others."""
    return _compare("cmpi", INTEGER, CMPI, predicate, a, b)


def select(condition: Operand, a: Operand, b: Operand) -> Computed:
    """`arith.select`: `a` where the condition holds, else `b`; a scalar condition or one for
    each element."""
    if not isinstance(condition, Computed) or condition.dtype != i1:
        raise ProgramError(f"a condition is of type i1, not {describe(condition)}")
    if isinstance(condition.type, TileType) and not any(
            isinstance(o, Computed) and isinstance(o.type, TileType) for o in (a, b)):
        known = [o for o in (a, b) if isinstance(o, (Scalar, OpenTile))]
        if not known:
            raise ProgramError("select between numbers: one has a type, as full(..) gives it")
        type = with_element(condition.type, known[0].dtype)
        values = [as_value(o, type, "select") for o in (a, b)]
    else:
        values = unify((a, b), "select")
    trace, type = current(), values[0].type
    if isinstance(condition.type, TileType) and (
            not isinstance(type, TileType) or condition.type.shape != type.shape):
        raise ProgramError(f"select: the condition is {condition.type}, the values {type}")
    types = f"{condition.type}, {type}" if isinstance(condition.type, TileType) else str(type)
    operands = ", ".join(trace.use(v) for v in (condition, *values))
    return trace.emit("arith.select", operands, f": {types}", [type])[0]


def constant(value: Number, type: ElementType) -> Scalar:
    """A scalar that is known now."""
    return current().constant(value, type)


# Conversions -------------------------------------------------------------------


def _cast(name: str, value: Computed, element: ElementType) -> Computed:
    trace, type = current(), with_element(value.type, element)
    return trace.emit(name, trace.use(value), f": {value.type} to {type}", [type])[0]


def convert(value: Operand, element: ElementType, signed: bool = True) -> Computed:
    """`value` with elements of another type. Integers are signed ones unless `signed` is
    false; an i1 becomes 0 or 1. Floats round to nearest even; to floats of 8 bits and fewer
    they saturate. `value` itself where it is of the type."""
    if isinstance(value, NUMBERS):
        return current().constant(value, element)
    if not isinstance(value, Computed):
        raise ProgramError(f"to({element}) of {describe(value)}")
    source = value.dtype
    if source == element:
        return value
    signed = signed and source != i1
    if source.is_float and element.is_float:
        return _convert_float(value, element)
    if not source.is_float and not element.is_float:
        return _convert_integer(value, element, signed)
    if source.is_float:
        if element.kind == "index":
            return convert(convert(value, i64, signed), index, signed)
        return _cast("arith.fptosi" if signed else "arith.fptoui", value, element)
    if source.kind == "index":
        return convert(convert(value, i64, signed), element, signed)
    if element.bits <= 8:  # integers get there through f32
        return convert(convert(value, f32, signed), element)
    return _cast("arith.sitofp" if signed else "arith.uitofp", value, element)


def _convert_float(value: Computed, element: ElementType) -> Computed:
    if value.dtype.bits < element.bits:
        return _cast("arith.extf", value, element)
    if value.dtype.bits > element.bits:
        return _cast("arith.truncf", value, element)
    through = f32 if {value.dtype, element} & {f16, bf16} else f16  # exact on the way up
    return _cast("arith.truncf", _cast("arith.extf", value, through), element)


def _convert_integer(value: Computed, element: ElementType, signed: bool) -> Computed:
    if "index" in (value.dtype.kind, element.kind):
        return _cast("arith.index_cast" if signed else "arith.index_castui", value, element)
    if value.dtype.bits > element.bits:
        return _cast("arith.trunci", value, element)
    return _cast("arith.extsi" if signed else "arith.extui", value, element)


def scalar_bitcast(value: Computed, element: ElementType) -> Computed:
    """`arith.bitcast`: the bits as another type of the same width."""
    if value.dtype.bits != element.bits:
        raise ProgramError(f"bitcast of {describe(value)} to {element}: {value.dtype.bits} and "
                           f"{element.bits} bits")
    return _cast("arith.bitcast", value, element)


# Operators ---------------------------------------------------------------------


def _by_type(operator: str, floats: Optional[Callable[..., Any]],
             integers: Optional[Callable[..., Any]], remedy: str = "") -> Callable[..., Any]:
    def apply(left: Operand, right: Operand) -> Any:
        left, right = as_number(left), as_number(right)
        values = [o for o in (left, right) if not isinstance(o, NUMBERS)]
        chosen = floats if values[0].dtype.is_float else integers
        if chosen is None:
            raise ProgramError(f"{describe(left)} {operator} {describe(right)}: {remedy}")
        return chosen(left, right)
    return apply


def _floor_modulo(a: Operand, b: Operand) -> Computed:
    a, b = unify((a, b), "%")
    return a - floordivsi(a, b) * b


OPERATORS: dict[str, Callable[..., Any]] = {
    "+": _by_type("+", addf, addi),
    "-": _by_type("-", subf, subi),
    "*": _by_type("*", mulf, muli),
    "/": _by_type("/", divf, None, "of integers write // (rounds down), divsi or divui"),
    "//": _by_type("//", None, floordivsi, "of floats write floor(a / b)"),
    "%": _by_type("%", None, _floor_modulo, "of floats write remf(a, b), which has the sign "
                  "of a, or a - floor(a / b) * b"),
    "**": _by_type("**", powf, None, "powers of integers are not in the language"),
    "&": _by_type("&", None, andi, "bits of floats are read by bitcast(x, i32)"),
    "|": _by_type("|", None, ori, "bits of floats are read by bitcast(x, i32)"),
    "^": _by_type("^", None, xori, "bits of floats are read by bitcast(x, i32)"),
    "<<": _by_type("<<", None, shli, "floats are not shifted"),
    ">>": _by_type(">>", None, shrsi, "floats are not shifted"),
}
for _operator, _float, _integer in (("<", "olt", "slt"), ("<=", "ole", "sle"),
                                    (">", "ogt", "sgt"), (">=", "oge", "sge"),
                                    ("==", "oeq", "eq"), ("!=", "une", "ne")):
    OPERATORS[_operator] = _by_type(
        _operator, lambda a, b, p=_float: cmpf(p, a, b), lambda a, b, p=_integer: cmpi(p, a, b))


def maximum(a: Operand, b: Operand) -> Any:
    """`maximumf` of floats, which a NaN is the larger of, `maxsi` of integers."""
    a, b = as_number(a), as_number(b)
    if isinstance(a, NUMBERS) and isinstance(b, NUMBERS):
        return max(a, b)
    return _by_type("max", maximumf, maxsi)(a, b)


def minimum(a: Operand, b: Operand) -> Any:
    """`minimumf` of floats, which a NaN is the smaller of, `minsi` of integers."""
    a, b = as_number(a), as_number(b)
    if isinstance(a, NUMBERS) and isinstance(b, NUMBERS):
        return min(a, b)
    return _by_type("min", minimumf, minsi)(a, b)


def ceil_div(a: Operand, b: Operand) -> Any:
    """a / b rounded up, of numbers that are not negative; of two ints an int."""
    a, b = as_number(a), as_number(b)
    if isinstance(a, int) and isinstance(b, int):
        return -(-a // b)
    return ceildivui(a, b)
