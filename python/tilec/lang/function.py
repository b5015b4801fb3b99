"""Functions of a program, and the program as a whole.

    @function
    def gemm(A: memref("M", "K", f16), B: memref("K", "N", f16), C: memref("M", "N", f16), *,
             tile=128): ..

    program = gemm.build(tile=64, M=1024)

Arguments of the program are positional and annotated with their types; parameters are
keyword-only, and plain Python values while it is built. A size that is named in an annotation
may be given like a parameter, and is static then: one source makes all shapes.
"""
from __future__ import annotations

import dataclasses
import enum
import inspect
from types import FunctionType
from typing import TYPE_CHECKING, Any, Callable, Hashable, Optional, Sequence

from .source import Location, ProgramError
from .structure import yield_values
from .trace import Region, Trace, current, format_attributes, has_current, print_module, tracing
from .types import (Argument, ElementType, MemRefType, TileType, Type, as_number,
                    string_literal)
from .values import NUMBERS, MemRef, Value, as_int, as_ints, as_value, default_type, make_value

if TYPE_CHECKING:
    from ..compiler import Program as CompiledProgram


@dataclasses.dataclass(frozen=True)
class Program:
    """A module that is complete: its text, and the names of its functions."""
    name: str
    parameters: dict[str, Any]
    _trace: Trace = dataclasses.field(repr=False)

    @property
    def text(self) -> str:
        """The module, each operation with its place in the Python file."""
        return print_module(self._trace, locations=True)

    @property
    def bare_text(self) -> str:
        """The module as a person would write it: without places."""
        return print_module(self._trace, locations=False)

    def __str__(self) -> str:
        return self.bare_text.rstrip("\n")

    def compile(self, chip: Optional[str] = None, **options: Any) -> CompiledProgram:
        """`tilec.compile` of it: an object with the functions and kernels."""
        from ..compiler import compile
        return compile(self, chip, **options)


class Function:
    """A function with `@function`: it is built to a program, or called in another one."""

    def __init__(self, body: Callable[..., Any], scope: dict[str, Any]):
        self.body = body
        self.__name__, self.__doc__ = body.__name__, body.__doc__
        self.__module__, self.__wrapped__ = body.__module__, body
        code = body.__code__
        self.location = Location(code.co_filename, code.co_firstlineno)
        self.annotations = {
            name: self._evaluate(annotation, scope)
            for name, annotation in inspect.get_annotations(body).items()}

    def _evaluate(self, annotation: Any, scope: dict[str, Any]) -> Any:
        """Annotations are text under `from __future__ import annotations`."""
        if not isinstance(annotation, str):
            return annotation
        try:
            return eval(annotation, self.body.__globals__, scope)
        except Exception as error:
            raise ProgramError(f"the annotation {annotation!r} of {self.__name__}: {error}",
                               self.location) from None

    def build(self, **parameters: Any) -> Program:
        """The program, with these parameters and static sizes."""
        return build(self, **parameters)

    def __call__(self, *arguments: Any, **parameters: Any) -> Any:
        """`func.call`: in host code, or in a launch, where it is inlined."""
        if not has_current():
            raise ProgramError(f"{self.__name__} is called outside of a program; "
                               f"{self.__name__}.build(..) makes one, and a compiled program "
                               "has it as a function of arrays")
        trace = current()
        parameters = {name: as_number(value) for name, value in parameters.items()}
        values = []
        for position, argument in enumerate(map(as_number, arguments)):
            if isinstance(argument, NUMBERS):
                wanted = list(self.annotations.values())
                known = wanted[position] if position < len(wanted) else None
                argument = as_value(argument, known if isinstance(known, ElementType)
                                    else default_type(argument))
            values.append(argument)
        types = [value.type for value in values]
        symbol, results = _declare(self, trace, types, parameters)
        listed = ", ".join(trace.use(value) for value in values)
        made = trace.emit(f"func.call @{symbol}({listed})", "",
                          f": ({', '.join(map(str, types))}) -> {_join_types(results)}", results)
        return None if not made else made[0] if len(made) == 1 else tuple(made)


def function(body: Callable[..., Any]) -> Function:
    """Makes a function of a program of a Python function."""
    caller = inspect.currentframe().f_back  # type: ignore[union-attr]
    return Function(body, dict(caller.f_locals))  # type: ignore[union-attr]


def build(*functions: Function, **parameters: Any) -> Program:
    """A program of several functions; each takes the parameters that it knows."""
    used: set[str] = set()
    trace = Trace()
    with tracing(trace):
        for entry in functions:
            known = entry_parameters(entry)
            given = {k: as_number(v) for k, v in parameters.items() if k in known}
            used |= given.keys()
            trace_function(entry, trace, trace.make_symbol(entry.__name__), given, None)
    unknown = sorted(parameters.keys() - used)
    if unknown:
        listed = sorted(set().union(*(entry_parameters(entry) for entry in functions)))
        raise ProgramError(f"{functions[0].__name__} has no parameter or size "
                           f"{', '.join(unknown)}; it has {', '.join(listed) or 'none'}")
    return Program(functions[0].__name__, dict(parameters), trace)


def entry_parameters(entry: Function) -> set[str]:
    """The parameters of a function, and the sizes and types that its arguments name."""
    names = {p.name for p in inspect.signature(entry.body).parameters.values()
             if p.kind == p.KEYWORD_ONLY}
    for annotation in entry.annotations.values():
        if isinstance(annotation, Argument):
            names |= {part for part in (*annotation.dims, annotation.element)
                      if isinstance(part, str)}
    return names


# What does not change while a program is written.
_FIXED = (type(None), bool, int, str, bytes, enum.Enum, ElementType, TileType, MemRefType,
          FunctionType, Function)


def _get_key(parameter: Any) -> Hashable:
    """Equal for parameters of which the same is written. What may have changed between two
    calls is equal to nothing."""
    if isinstance(parameter, (tuple, list)):
        return type(parameter), tuple(map(_get_key, parameter))
    if isinstance(parameter, dict):
        return dict, tuple((_get_key(k), _get_key(v)) for k, v in parameter.items())
    if isinstance(parameter, float):
        return float, repr(parameter)  # 0.0 is not -0.0
    if isinstance(parameter, _FIXED):
        return type(parameter), parameter  # 1 is not True
    return object()


def _declare(entry: Function, trace: Trace, types: Sequence[Type],
             parameters: dict[str, Any]) -> tuple[str, list[Type]]:
    """The symbol and results of a called function, traced once for types, parameters and the
    place of the call."""
    key = entry, trace.region.place, tuple(types), _get_key(dict(sorted(parameters.items())))
    if key not in trace.called:
        trace.called[key] = None
        symbol = trace.make_symbol(entry.__name__)
        trace.called[key] = symbol, trace_function(entry, trace, symbol, parameters, types)
    known = trace.called[key]
    if known is None:
        raise ProgramError(f"{entry.__name__} calls itself; functions of programs do not")
    return known


def trace_function(entry: Function, trace: Trace, symbol: str, parameters: dict[str, Any],
                   types: Optional[Sequence[Type]]) -> list[Type]:
    """Writes a function; `types` are those of a call, None for one that a program starts
    with. Its results."""
    signature = inspect.signature(entry.body).parameters.values()
    names = [p.name for p in signature if p.kind != p.KEYWORD_ONLY]
    keywords = {p.name: p.default for p in signature if p.kind == p.KEYWORD_ONLY}
    for name, default in keywords.items():
        keywords[name] = parameters.get(name, default)
        if keywords[name] is inspect.Parameter.empty:
            raise ProgramError(f"{entry.__name__} needs the parameter {name}", entry.location)
    if types is not None and len(types) != len(names):
        raise ProgramError(f"{entry.__name__} takes {len(names)} arguments, not {len(types)}")
    bindings = {**keywords, **parameters}
    called = types is not None
    place = trace.region.place if called else "host"
    with trace.open_function(symbol) as made:
        made.body.place = place
        made.body.location = entry.location
        declared, arguments = [], []
        for position, name in enumerate(names):
            annotation = entry.annotations.get(name)
            known = types[position] if types is not None else None
            value, attributes = _argument(entry, name, annotation, known, bindings, made.body)
            arguments.append(value)
            declared.append(f"{value.name}: {value.type}" + (f" {attributes}" if attributes
                                                             else ""))
        made.arguments = arguments
        returned = entry.body(*arguments, **keywords)
        results = [v.type for v in yield_values("return", returned, None, entry.__name__,
                                                entry.location)]
        if not results:
            trace.emit("return", "", "", location=entry.location)
        arrow = f" -> {_join_types(results)}" if results else ""
        opening = f"func.func {'private ' if called else ''}@{symbol}("
        made.signature = opening + _join_arguments(declared, len(opening)) + ")" + arrow
    return results


def _join_types(types: Sequence[Type]) -> str:
    """The results of a function, one without parentheses."""
    return str(types[0]) if len(types) == 1 else f"({', '.join(map(str, types))})"


def _join_arguments(declared: list[str], indent: int) -> str:
    """On one line where they fit, else below each other."""
    line = ", ".join(declared)
    return line if indent + len(line) <= 96 else (",\n" + " " * indent).join(declared)


def _argument(entry: Function, name: str, annotation: Any, known: Optional[Type],
              bindings: dict[str, Any], body: Region) -> tuple[Value, str]:
    """The value of an argument, and its attributes as text."""
    attributes: dict[str, Optional[str]] = {}
    dims: dict[int, str] = {}
    if isinstance(annotation, Argument) and known is None:
        type: Type = _resolve(entry, name, annotation, bindings)
        try:
            attributes = _facts(annotation)
        except ProgramError as error:
            raise ProgramError(f"{name}: {error.message}", entry.location) from None
        dims = {n: d for n, d in enumerate(annotation.dims) if isinstance(d, str)}
    elif known is not None:
        if isinstance(annotation, (ElementType, TileType, MemRefType)) and annotation != known:
            raise ProgramError(f"{entry.__name__}: {name} is declared {annotation}, not {known}")
        type = known
    elif isinstance(annotation, (ElementType, TileType, MemRefType)):
        type = annotation
    else:
        raise ProgramError(f"{entry.__name__}: the argument {name} needs a type: "
                           f"{name}: memref(\"N\", f32), or f32, index, ..", entry.location)
    value = make_value(current(), body.make_name(name), type, body)
    if isinstance(value, MemRef):
        value.dims = dims
    return value, format_attributes(attributes)


def _resolve(entry: Function, name: str, annotation: Argument,
             bindings: dict[str, Any]) -> MemRefType:
    """The type of an argument where sizes and types that are given are filled in."""
    element: Any = annotation.element
    if isinstance(element, str):
        element = bindings.get(element)
    if not isinstance(element, ElementType):
        raise ProgramError(f"{entry.__name__}: the element type of {name} is the parameter "
                           f"{annotation.element}, which is {element!r}", entry.location)
    sizes: list[Optional[int]] = []
    for dim in annotation.dims:
        size = bindings.get(dim) if isinstance(dim, str) else dim
        if size is not None and (not isinstance(size, int) or isinstance(size, bool) or size < 0):
            raise ProgramError(f"{entry.__name__}: the size {dim} of {name} is {size!r}, not an "
                               "int that is at least 0", entry.location)
        sizes.append(size)
    return MemRefType(tuple(sizes), element, annotation.strides, annotation.offset)


def _facts(annotation: Argument) -> dict[str, Optional[str]]:
    """The attributes of an argument."""
    facts: dict[str, Optional[str]] = {}
    if annotation.align is not None:
        facts["tile.align"] = str(as_int(annotation.align, "align", least=1))
    if annotation.divisible is not None:
        divisors = as_ints(annotation.divisible, "divisible")
        facts["tile.divisible"] = f"array<i64: {str(divisors)[1:-1]}>"
    if any(isinstance(dim, str) for dim in annotation.dims):
        listed = ", ".join(string_literal(dim if isinstance(dim, str) else "")
                           for dim in annotation.dims)
        facts["tile.dims"] = f"[{listed}]"
    if annotation.may_alias:
        facts["tile.may_alias"] = None
    return facts

