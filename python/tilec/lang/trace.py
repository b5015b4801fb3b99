"""The program as it is written: operations in regions, and their text.

A `Trace` is one module. Operations are appended to the region that is open; each is text
already, but for the regions that it has, since its values have their names when they are
made. Scalar constants and sizes of arguments are collected at the head of their function,
one each.
"""
from __future__ import annotations

import contextlib
import dataclasses
import re
import threading
from typing import TYPE_CHECKING, Any, Iterator, Optional, Sequence, Union

from .source import Location, ProgramError, get_location, get_target_names
from .types import SHARED, ElementType, Type, literal

if TYPE_CHECKING:
    from .values import Value

Attributes = dict[str, Optional[str]]  # None: a unit attribute
ATTRIBUTES_FIRST = ("arith.constant", "memref.dim")  # in front of the operands


@dataclasses.dataclass
class Operation:
    """`head` is the text of the line, up to the region that follows it, or all of it but the
    `types`, which may go to a line of their own.

    `regions` are pairs of what stands in front of the body's brace (`""`, `"else"`) and the
    body; `tail` follows the last brace."""
    head: str
    location: Location
    types: str = ""
    results: list[Value] = dataclasses.field(default_factory=list)
    regions: list[tuple[str, Region]] = dataclasses.field(default_factory=list)
    tail: str = ""


class Region:
    """The body of an operation. `kind` says in errors what it is: "loop", "launch", ..

    `place` is where operations of it stand: "host", "block", "iteration" or "combiner"."""

    def __init__(self, kind: str, place: str, parent: Optional[Region]):
        self.kind, self.place, self.parent = kind, place, parent
        self.location = get_location()
        self.names: set[str] = set()
        self.header = ""  # the line of block arguments, where one is written
        self.operations: list[Operation] = []

    def is_in(self, other: Region) -> bool:
        region: Optional[Region] = self
        while region is not None and region is not other:
            region = region.parent
        return region is other

    def make_name(self, wanted: str) -> str:
        """A name that no region around this one has; of siblings each may have it."""
        wanted = re.sub(r"\W", "_", wanted, flags=re.ASCII)
        if re.match(r"c(st_|\d)", wanted):
            wanted += "_"  # %c128 and %cst_1.0_f32 are constants
        name, count = wanted, 1
        while self._has_name(name):
            count += 1
            name = f"{wanted}_{count}"
        self.names.add(name)
        return "%" + name

    def _has_name(self, name: str) -> bool:
        region: Optional[Region] = self
        while region is not None:
            if name in region.names:
                return True
            region = region.parent
        return False


class FunctionTrace:
    """A function: its body, and its head, where constants and sizes of arguments stand."""

    def __init__(self, symbol: str):
        self.symbol = symbol
        self.signature = ""
        self.body = Region("function", "host", None)
        self.constants: dict[tuple[str, str], Operation] = {}
        self.sizes: list[Operation] = []
        self.arguments: list[Value] = []
        self.unnamed = 0  # values so far


class Trace:
    """A module that is being written."""

    def __init__(self) -> None:
        self.functions: list[FunctionTrace] = []
        self.symbols: set[str] = set()
        self.called: dict[object, Optional[tuple[str, list[Type]]]] = {}  # None: being traced
        self.function: FunctionTrace = None  # type: ignore[assignment]
        self.region: Region = None  # type: ignore[assignment]
        self.clock = 0  # of uses of values
        self.fastmath: tuple[str, ...] = ()
        self.schedule: Attributes = {}
        self.broken: Optional[ProgramError] = None

    # Regions ---------------------------------------------------------------

    @contextlib.contextmanager
    def open(self, kind: str, place: Optional[str] = None) -> Iterator[Region]:
        """A body; operations go there until it is closed."""
        region = Region(kind, place or self.region.place, self.region)
        schedule, self.schedule = self.schedule, {}
        self.region = region
        try:
            yield region
        finally:
            self.region, self.schedule = region.parent, schedule  # type: ignore[assignment]

    @contextlib.contextmanager
    def open_function(self, symbol: str) -> Iterator[FunctionTrace]:
        """A function of the module; another one may be open."""
        saved = self.function, self.region, self.fastmath, self.schedule
        self.function = FunctionTrace(symbol)
        self.region, self.fastmath, self.schedule = self.function.body, (), {}
        try:
            yield self.function
            self.check()
            self.functions.append(self.function)
        finally:
            self.function, self.region, self.fastmath, self.schedule = saved

    def make_symbol(self, wanted: str) -> str:
        """A name of a function or kernel that the module does not have yet."""
        if not re.fullmatch(r"[A-Za-z_]\w*", wanted, re.ASCII):
            raise ProgramError(f"{wanted!r} is no name of a function or kernel: letters of ASCII, "
                               "digits and _")
        name, count = wanted, 1
        while name in self.symbols:
            count += 1
            name = f"{wanted}_{count}"
        self.symbols.add(name)
        return name

    def check(self) -> None:
        """Raises what went wrong where nothing could be raised."""
        if self.broken is not None:
            raise self.broken

    # Operations ------------------------------------------------------------

    def use(self, value: Value) -> str:
        """The name of a value, which can be seen here."""
        if value.trace is not self:
            raise ProgramError(f"{value.name} belongs to another program")
        if not self.region.is_in(value.region):
            region = value.region
            remedy = {"loop": "; carry it: loop(.., x=start) and c.x",
                      "branch": "; let it out: when(.., x=otherwise) and c.x"}
            raise ProgramError(
                f"{value.name} is made in the {region.kind} of line {region.location.line} and "
                f"used outside of it{remedy.get(region.kind, '')}")
        self.clock += 1
        value.last_use = self.clock
        return value.name

    def emit(self, name: str, operands: str, types: str, results: Sequence[Type] = (),
             attributes: Optional[Attributes] = None, names: Optional[Sequence[str]] = None,
             location: Optional[Location] = None) -> list[Any]:
        """Appends `name operands {attributes} types`; its values, of these types.

        They are called `names`, else what they are assigned to, else by their number."""
        operation = Operation("", location or get_location(), types)
        operation.results = self.make_values(results, names)
        parts = [name, operands, format_attributes({**(attributes or {}), **self.schedule})]
        if name in ATTRIBUTES_FIRST:
            parts[1:] = parts[:0:-1]
        operation.head = " ".join(part for part in parts if part)
        self.append(operation)
        return operation.results

    def append(self, operation: Operation) -> None:
        self.check()
        self.region.operations.append(operation)

    @contextlib.contextmanager
    def at_head(self, argument: Value) -> Iterator[None]:
        """Operations go to the head of the function, if `argument` is one of its arguments."""
        if not any(argument is known for known in self.function.arguments):
            yield
            return
        region, schedule = self.region, self.schedule
        self.region, self.schedule = self.function.body, {}
        operations, self.region.operations = self.region.operations, self.function.sizes
        try:
            yield
        finally:
            self.region.operations = operations
            self.region, self.schedule = region, schedule

    def make_values(self, types: Sequence[Type],
                    names: Optional[Sequence[str]] = None) -> list[Any]:
        """Values of the region that is open, called `names` or what they are assigned to."""
        from .values import make_value  # they are made of each other
        if names is None and types:
            names = get_target_names()
            if len(names) != len(types) or "_" in names:
                names = [""] * len(types)
        return [make_value(self, self.region.make_name(name) if name else self._number(), type)
                for type, name in zip(types, names or [])]

    def _number(self) -> str:
        self.function.unnamed += 1
        return f"%{self.function.unnamed - 1}"

    def constant(self, value: Union[bool, int, float], type: ElementType) -> Any:
        """A scalar constant, at the head of the function."""
        from .values import make_value
        try:
            text = literal(value, type)
        except (TypeError, ValueError) as error:
            raise ProgramError(str(error)) from None
        key = (text, type.name)
        known = self.function.constants.get(key)
        if known is None:
            prefix = "cst_" if type.is_float or type.name == "i1" else "c"
            suffix = "" if type.name in ("index", "i1") else f"_{type}"
            made = make_value(self, f"%{prefix}{text}{suffix}", type, self.function.body)
            types = "" if text in ("true", "false") else f": {type}"
            known = Operation(f"arith.constant {text}", get_location(), types, [made])
            self.function.constants[key] = known
        return known.results[0]


def format_attributes(attributes: Attributes) -> str:
    """`{a, b = 1}`; empty without any."""
    if not attributes:
        return ""
    return "{" + ", ".join(key if value is None else f"{key} = {value}"
                           for key, value in attributes.items()) + "}"


# Text ------------------------------------------------------------------------


def print_module(trace: Trace, locations: bool) -> str:
    """The text of the module, with a location behind each operation or without."""
    text = "\n".join(_print_function(function, locations) for function in trace.functions)
    if f", {SHARED}>" in text:
        text = f"{SHARED} = #gpu.address_space<workgroup>\n\n{text}"
    return text


def _print_function(function: FunctionTrace, locations: bool) -> str:
    lines = [f"{function.signature} {{"]
    for operation in [*function.constants.values(), *function.sizes]:
        _print_operation(operation, "  ", locations, lines)
    _print_body(function.body, "  ", locations, lines)
    lines.append("}" + _suffix(function.body.location, locations))
    return "\n".join(lines) + "\n"


def _print_body(region: Region, indent: str, locations: bool, lines: list[str]) -> None:
    if region.header:
        lines.append(indent[:-2] + region.header)
    for operation in region.operations:
        _print_operation(operation, indent, locations, lines)


def _print_operation(operation: Operation, indent: str, locations: bool,
                     lines: list[str]) -> None:
    names = ", ".join(value.name for value in operation.results)
    start = (f"{indent}{names} = " if names else indent) + operation.head
    if operation.types and len(start) + len(operation.types) >= 100:
        lines.append(start)
        start = f"{indent}  {operation.types}"
    elif operation.types:
        start += f" {operation.types}"
    suffix = _suffix(operation.location, locations)
    if not operation.regions:
        lines.append(start + operation.tail + suffix)
        return
    for opening, body in operation.regions:
        lines.append(" ".join(part for part in (start, opening, "{") if part))
        _print_body(body, indent + "  ", locations, lines)
        start = indent + "}"
    lines.append(start + operation.tail + suffix)


def _suffix(location: Location, locations: bool) -> str:
    return f" {location.to_mlir()}" if locations else ""


# The trace that is open -------------------------------------------------------

_state = threading.local()


def current() -> Trace:
    """The module that is being written by this thread."""
    trace = getattr(_state, "trace", None)
    if trace is None:
        raise ProgramError("operations stand in a function with @function; this one is called "
                           "outside of any that is being built")
    return trace


def has_current() -> bool:
    return getattr(_state, "trace", None) is not None


@contextlib.contextmanager
def tracing(trace: Trace) -> Iterator[Trace]:
    saved = getattr(_state, "trace", None)
    _state.trace = trace
    try:
        yield trace
    finally:
        _state.trace = saved
