"""Structure: launches, loops, conditions, iterations.

What has a body of its own scope is a Python function that runs at once, as a decorator does:

    @launch(ceil_div(n, 128), threads=128)      @parallel(64, 64)
    def scale_kernel(block): ..                 def visible(i, j): return row + i >= column + j

What is a loop or a condition of Python is a `for` or a `with`. The body runs once, to be
recorded; what an iteration gives to the next one, and a branch to what follows, is carried by
name:

    for k, c in loop(0, K, 32, stages=3, acc=zeros((64, 64), f32)):
        c.acc = gemm(a, b, c.acc)
"""
from __future__ import annotations

import contextlib
import inspect
from types import FrameType
from typing import Any, Callable, Iterator, Optional, Sequence, Union

from .source import Location, ProgramError, find_frame, get_location
from .trace import Attributes, Operation, Region, Trace, current, format_attributes
from .types import ElementType, TileType, Type, as_number, i1, index
from .values import (NUMBERS, Computed, MemRef, Operand, Scalar, Tile, Value, as_index,
                     as_int, as_ints, as_value, default_type, describe, static_shape)

Index = Union[int, Scalar]


def parameter_names(body: Callable[..., Any], count: int) -> list[str]:
    """The names of the parameters of a body, which takes `count` values."""
    parameters = list(inspect.signature(body).parameters.values())
    kinds = {parameter.kind for parameter in parameters}
    if inspect.Parameter.VAR_POSITIONAL in kinds:
        return [f"arg{number}" for number in range(count)]
    positional = [p.name for p in parameters if p.kind != p.KEYWORD_ONLY]
    if len(positional) != count:
        raise ProgramError(f"{getattr(body, '__name__', 'the body')} takes {len(positional)} "
                           f"values, and there are {count}")
    return positional


def yield_values(name: str, returned: Any, types: Optional[Sequence[Type]], what: str,
                 location: Optional[Location] = None) -> list[Value]:
    """Ends a body with what it returned, as values of `types` (None: of those they have)."""
    trace = current()
    entries = () if returned is None else returned
    entries = list(entries) if isinstance(entries, (tuple, list)) else [entries]
    if types is not None and len(entries) != len(types):
        raise ProgramError(f"{what} returns {len(entries)} values, and not {len(types)}")
    values = []
    for number, entry in enumerate(entries):
        type = types[number] if types is not None else None
        if type is None:
            type = entry.type if isinstance(entry, Value) else default_type(entry)
        values.append(_coerce(entry, type, f"value {number} of {what}"))
    if values:
        listed = ", ".join(trace.use(value) for value in values)
        trace.emit(name, listed, ": " + ", ".join(str(value.type) for value in values),
                   location=location)
    return values


def _coerce(entry: Any, type: Type, what: str) -> Value:
    if isinstance(entry, MemRef) and entry.type == type:
        return entry
    if isinstance(type, (ElementType, TileType)):
        return as_value(entry, type, what)
    raise ProgramError(f"{what}: {describe(entry)} is no {type}")


# Launches ----------------------------------------------------------------------


def launch(*grid: Index, threads: int, cluster: Optional[Sequence[int]] = None,
           name: Optional[str] = None, rasterize: Optional[tuple[str, int]] = None,
           min_blocks_per_sm: Optional[int] = None, max_registers: Optional[int] = None,
           persistent: bool = False, programmatic_dependent_launch: bool = False,
           warp_specialize: Optional[str] = None,
           consumers: Optional[str] = None) -> Callable[[Callable[..., Any]], None]:
    """`tile.launch`: the function below is the program of each block of the grid, one to
    three extents, the fastest first; it gets the block's coordinates. The kernel is called
    like it, or `name`. docs/Language.md has the attributes."""
    attributes: Attributes = {}
    if rasterize is not None:
        order, panel = rasterize
        if order not in ("row", "column"):
            raise ProgramError(f"unknown order {order!r} of rasterize; known: row, column")
        attributes["rasterize"] = f"#tile.rasterize<{order}, {as_int(panel, 'a panel', 1)}>"
    for key, number in (("min_blocks_per_sm", min_blocks_per_sm),
                        ("max_registers", max_registers)):
        if number is not None:
            attributes[key] = f"{as_int(number, key)} : i64"
    for key, is_set in (("persistent", persistent),
                        ("programmatic_dependent_launch", programmatic_dependent_launch)):
        if is_set:
            attributes[key] = None
    for key, value, known in (
            ("warp_specialize", warp_specialize, ("auto", "on", "off")),
            ("consumers", consumers, ("auto", "cooperative", "alternating", "pingpong"))):
        if value is not None and value not in known:
            raise ProgramError(f"unknown {key} {value!r}; known: {', '.join(known)}")
        if value is not None:
            attributes[key] = f"#tile.{key}<{value}>"

    def start(body: Callable[..., Any]) -> None:
        _launch(grid, as_int(threads, "threads"), cluster, name or body.__name__, attributes,
                body)

    return start


def _launch(grid: Sequence[Index], threads: int, cluster: Optional[Sequence[int]], name: str,
            attributes: Attributes, body: Callable[..., Any]) -> None:
    trace = current()
    if trace.region.place != "host":
        raise ProgramError("a launch stands in host code, not in another launch")
    if not 1 <= len(grid) <= 3:
        raise ProgramError(f"a grid has one to three extents, not {len(grid)}")
    extents = ", ".join(trace.use(as_index(extent)) for extent in grid)
    operation = Operation("", get_location())
    with trace.open("launch", "block") as region:
        blocks = trace.make_values([index] * len(grid), names=parameter_names(body, len(grid)))
        if body(*blocks) is not None:
            raise ProgramError(f"{name} returns a value; a launch stores its results")
    clauses = [f"tile.launch @{trace.make_symbol(name)}",
               f"blocks({', '.join(b.name for b in blocks)}) in ({extents}) threads({threads})"]
    if cluster is not None:
        clauses.append(f"cluster({str(as_ints(cluster, 'cluster'))[1:-1]})")
    if attributes:
        clauses.append(f"attributes {format_attributes(attributes)}")
    operation.head = " ".join(clauses)
    operation.regions.append(("", region))
    trace.append(operation)


def parallel(*shape: int, coalesced_width: Optional[int] = None
             ) -> Callable[[Callable[..., Any]], Any]:
    """`tile.parallel`: the function below is each iteration of a box; it gets the numbers of
    the iteration, and what it returns are elements of fragments of this shape, which become
    the value of its name."""
    location = get_location()
    shape = static_shape(shape, "parallel")

    def start(body: Callable[..., Any]) -> Any:
        trace = current()
        operation = Operation("", location)
        with trace.open("parallel", "iteration") as region:
            numbers = trace.make_values([index] * len(shape),
                                        names=parameter_names(body, len(shape)))
            elements = yield_values("tile.yield", body(*numbers), None, "the iteration")
        types = [TileType(shape, _scalar_type(e)) for e in elements]
        operation.results = trace.make_values(types)
        listed = ", ".join(n.name for n in numbers)
        operation.head = f"tile.parallel ({listed}) in ({', '.join(map(str, shape))})"
        if types:
            operation.head += f" -> ({', '.join(map(str, types))})"
        attributes: Attributes = {**trace.schedule}
        if coalesced_width is not None:
            attributes["coalesced_width"] = f"{as_int(coalesced_width, 'coalesced_width')} : i64"
        if attributes:
            operation.head += f" attributes {format_attributes(attributes)}"
        operation.regions.append(("", region))
        trace.append(operation)
        results = operation.results
        return None if not results else results[0] if len(results) == 1 else tuple(results)

    return start


def arange(count: int, element: ElementType = index) -> Tile:
    """The numbers from 0 to `count` - 1 as a fragment, made by a `tile.parallel`. They are
    computed where they are used, and not kept."""
    def numbers(i: Scalar) -> Computed:
        return i.to(element)

    return parallel(count)(numbers)


def _scalar_type(value: Value) -> ElementType:
    if not isinstance(value, Scalar):
        raise ProgramError(f"an iteration returns elements, not {value!r}")
    return value.type


# Carried values ----------------------------------------------------------------


class Carried:
    """What a loop or branch carries: `c.acc` is the value now, and is set to the next one."""
    _values: dict[str, Value]
    _types: dict[str, Type]
    _initial: list[Value]  # of a branch

    def __init__(self, initial: dict[str, Any]):
        values = {name: _initial(name, value) for name, value in initial.items()}
        self.__dict__.update(_values=values,
                             _types={name: value.type for name, value in values.items()})

    def __getattr__(self, name: str) -> Value:
        if name not in self._values:
            raise AttributeError(f"{name} is not carried; carried: {', '.join(self._values)}")
        return self._values[name]

    def __setattr__(self, name: str, value: Operand) -> None:
        if name not in self._types:
            raise ProgramError(f"{name} is not carried; carried: {', '.join(self._types)}")
        self._values[name] = _coerce(value, self._types[name], f"{name}, which is carried")

    def _set_all(self, values: Sequence[Value]) -> None:
        self._values.update(zip(self._types, values))

    def _list(self) -> list[Value]:
        return list(self._values.values())


def _initial(name: str, value: Any) -> Value:
    if name.startswith("_"):
        raise ProgramError(f"{name}: what is carried has a name that begins with a letter")
    value = as_number(value)
    if isinstance(value, NUMBERS):
        return current().constant(value, default_type(value))
    if not isinstance(value, (Computed, MemRef)):
        raise ProgramError(f"{name}: a scalar, fragment or memref is carried, not {value!r}")
    return value


def _type_list(values: Sequence[Value]) -> str:
    return f"({', '.join(str(value.type) for value in values)})"


# Loops -------------------------------------------------------------------------


def loop(lower: Index, upper: Index, step: Index = 1, *, stages: Optional[int] = None,
         unsigned: bool = False, **carried: Any) -> Iterator[Any]:
    """`scf.for`: `for k in loop(0, n, 32)`, with carried values `for k, c in loop(.., x=x)`.

    Bounds are of type index, or of the type of the scalars among them. With `stages`, so many
    iterations overlap (`tile.stages`). The body is recorded once: `break` is not in the
    language, and a name that it assigns keeps its value from in front of the loop in the next
    iteration unless it is carried, which is an error."""
    return _loop(current(), lower, upper, step, stages, unsigned, carried)


def _loop(trace: Trace, lower: Index, upper: Index, step: Index, stages: Optional[int],
          unsigned: bool, carried: dict[str, Any]) -> Iterator[Any]:
    known = [b.type for b in (lower, upper, step) if isinstance(b, Scalar)]
    type = known[0] if known else index
    bounds = [trace.use(as_value(b, type, "loop bound")) for b in (lower, upper, step)]
    state = Carried(carried)
    initial = state._list()
    operation = Operation("", get_location())
    frame = find_frame()
    names = _target_names(2 if carried else 1)
    with trace.open("loop") as region:
        counter, *inner = trace.make_values([type, *(v.type for v in initial)],
                                            names=[names[0], *carried])
        starts = ", ".join(f"{a.name} = {trace.use(b)}" for a, b in zip(inner, initial))
        state._set_all(inner)
        watch = _Watch(trace, frame, region)
        yield from _run_body(trace, (counter, state) if carried else counter, region)
        watch.check()
        yield_values("scf.yield", state._list(), None, "the loop")
    operation.head = (f"scf.for{' unsigned' if unsigned else ''} {counter.name} = {bounds[0]} to "
                      f"{bounds[1]} step {bounds[2]}")
    if carried:
        operation.head += f" iter_args({starts})"
        operation.types = f"-> {_type_list(inner)}"
    if type != index:
        operation.types = f"{operation.types} : {type}".strip()
    attributes: Attributes = {**trace.schedule}
    if stages is not None:
        attributes["tile.stages"] = f"{as_int(stages, 'stages')} : i32"
    _close(trace, operation, [("", region)], state, attributes)


def while_loop(condition: Callable[[Carried], Scalar], **carried: Any) -> Iterator[Carried]:
    """`scf.while`: `for c in while_loop(lambda c: c.n > 0, n=n)` runs the body while the
    condition holds of what is carried."""
    return _while_loop(current(), condition, carried)


def _while_loop(trace: Trace, condition: Callable[..., Any],
                carried: dict[str, Any]) -> Iterator[Carried]:
    state = Carried(carried)
    initial = state._list()
    types = [value.type for value in initial]
    operation = Operation("", get_location())
    frame = find_frame()
    with trace.open("loop") as before:
        arguments = trace.make_values(types, names=list(carried))
        starts = ", ".join(f"{a.name} = {trace.use(b)}" for a, b in zip(arguments, initial))
        state._set_all(arguments)
        holds = as_value(condition(state), i1, "the condition of the loop")
        listed = ", ".join(trace.use(a) for a in arguments)
        values = f" {listed} : {', '.join(map(str, types))}" if types else ""
        trace.emit(f"scf.condition({trace.use(holds)}){values}", "", "")
    with trace.open("loop") as after:
        inner = trace.make_values(types, names=list(carried))
        listed = ", ".join(f"{a.name}: {a.type}" for a in inner)
        after.header = f"^bb0({listed}):" if inner else ""
        state._set_all(inner)
        watch = _Watch(trace, frame, after)
        yield from _run_body(trace, state, after)
        watch.check()
        yield_values("scf.yield", state._list(), None, "the loop")
    arrow = f": {_type_list(initial)} -> {_type_list(initial)}" if types else ": () -> ()"
    operation.head, operation.types = f"scf.while{f' ({starts})' if types else ''}", arrow
    _close(trace, operation, [("", before), ("do", after)], state, {})


def _run_body(trace: Trace, given: Any, region: Region) -> Iterator[Any]:
    try:
        yield given
    except GeneratorExit:
        trace.broken = ProgramError("the loop is left before its end; break and return are not "
                                    "in the language", region.location)
        raise
    if trace.region is not region:
        raise ProgramError(f"the loop of line {region.location.line} goes on inside of another "
                           "body: loops are nested, and not run side by side")


def _target_names(count: int) -> list[str]:
    from .source import get_target_names
    names = get_target_names()
    return names if len(names) == count else ["i"] * count


def _close(trace: Trace, operation: Operation, regions: list[tuple[str, Region]], state: Carried,
           attributes: Attributes) -> None:
    """Appends an operation with regions whose results are what is carried."""
    operation.results = trace.make_values(list(state._types.values()), names=list(state._types))
    operation.regions = regions
    if attributes:
        operation.tail = " " + format_attributes(attributes)
    trace.append(operation)
    state._set_all(operation.results)


class _Watch:
    """Finds names of Python that a body reads and then assigns, without carrying them: in
    the next iteration they would be what they are in front of the loop."""

    def __init__(self, trace: Trace, frame: FrameType, region: Region):
        self.trace, self.frame, self.region, self.start = trace, frame, region, trace.clock
        self.before = {n: v for n, v in frame.f_locals.items() if isinstance(v, Value)}

    def check(self) -> None:
        for name, old in self.before.items():
            new = self.frame.f_locals.get(name)
            if (isinstance(new, Value) and new is not old and new.region.is_in(self.region)
                    and old.last_use > self.start and not old.region.is_in(self.region)):
                raise ProgramError(
                    f"the body reads {name} and assigns it, but does not carry it: write "
                    f"loop(.., {name}={name}) and c.{name}, or another name",
                    self.region.location)


# Conditions --------------------------------------------------------------------


@contextlib.contextmanager
def when(condition: Scalar, **carried: Any) -> Iterator[Carried]:
    """`scf.if`: `with when(condition): ..`. Values that leave it are carried: in
    `with when(condition, x=x) as c:` set `c.x`; behind it `c.x` is that where the condition
    held, else the `x` that was given. `with otherwise(c):` has the other branch."""
    trace = current()
    holds = trace.use(as_value(condition, i1, "the condition"))
    state = Carried(carried)
    initial = state._list()
    operation = Operation(f"scf.if {holds}", get_location())
    if carried:
        operation.types = f"-> {_type_list(initial)}"
    with trace.open("branch") as region:
        yield state
        yield_values("scf.yield", state._list(), None, "the branch")
    regions = [("", region)]
    if carried:
        state._set_all(initial)
        regions.append(("else", _else_region(trace, state)))
    _close(trace, operation, regions, state, {**trace.schedule})
    state.__dict__.update(_operation=operation, _initial=initial)


def _else_region(trace: Trace, state: Carried) -> Region:
    with trace.open("branch") as region:
        yield_values("scf.yield", state._list(), None, "the branch")
    return region


@contextlib.contextmanager
def otherwise(branch: Carried) -> Iterator[Carried]:
    """The other branch of a `when`, directly behind it: `with when(..) as c: ..`, then
    `with otherwise(c): ..`."""
    trace = current()
    operation = branch.__dict__.get("_operation")
    if operation is None or trace.region.operations[-1] is not operation:
        raise ProgramError("otherwise(c) stands directly behind the `with when(..) as c:`")
    branch._set_all(branch._initial)
    with trace.open("branch") as region:
        yield branch
        yield_values("scf.yield", branch._list(), None, "the branch")
    operation.regions[1:] = [("else", region)]
    branch._set_all(operation.results)


def index_switch(value: Index, cases: dict[int, Callable[..., Any]],
                 default: Callable[..., Any]) -> Any:
    """`scf.index_switch`: what the function of the case returns, or that of the default;
    all return values of the same types."""
    trace = current()
    operation = Operation(f"scf.index_switch {trace.use(as_index(value))}", get_location())
    types: Optional[list[Type]] = None
    for opening, body in [*((f"case {n}", b) for n, b in cases.items()), ("default", default)]:
        with trace.open("branch") as region:
            values = yield_values("scf.yield", body(), types, opening)
            if not values:
                trace.emit("scf.yield", "", "")  # here it is not implied
        types = [v.type for v in values]
        operation.regions.append((opening, region))
    if trace.schedule:
        operation.head += f" {format_attributes(trace.schedule)}"
    if types:
        operation.types = f"-> {', '.join(map(str, types))}"
    operation.results = trace.make_values(types or [])
    trace.append(operation)
    results = operation.results
    return None if not results else results[0] if len(results) == 1 else tuple(results)


@contextlib.contextmanager
def pipeline(stage: int, order: Optional[int] = None) -> Iterator[None]:
    """An explicit schedule of a loop with stages: the operations inside are of this stage and
    order (`tile.pipeline_stage`, `tile.pipeline_order`)."""
    trace = current()
    saved = trace.schedule
    trace.schedule = {"tile.pipeline_stage": f"{as_int(stage, 'stage')} : i32"}
    if order is not None:
        trace.schedule["tile.pipeline_order"] = f"{as_int(order, 'order')} : i32"
    try:
        yield
    finally:
        trace.schedule = saved
