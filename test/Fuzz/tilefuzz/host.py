"""The host's part: launches under loops and conditions, workspaces, views, copies, calls.

Host code sees memrefs of which a launch then chooses. A workspace is filled before it is
read. While two of them are exchanged by a loop, they are reached through it alone.
"""

from tilefuzz import calls, views
from tilefuzz.arguments import argument, numberArgument, scalarArgument
from tilefuzz.builder import *
from tilefuzz.elementwise import step
from tilefuzz.launches import launch
from tilefuzz.memory import elementType
from tilefuzz.regions import repeated


def memories(b, scope):
    """Memrefs with elements that the host may pass on."""
    return [m for m in b.arguments + scope.buffers if m.shape and not m.isEmpty and
            m.role in ("input", "state", "output") and id(m.root) not in b.hidden or
            m in scope.buffers]


def scalar(b, scope):
    """A number from the command line, or computed of one."""
    if scope.scalars and b.chance(0.5):
        plain = [s for s in scope.scalars if not isFp8(s.elem)]
        result = step(b, b.pick(plain), plain) if plain else None
        if result is not None and not isFp8(result.elem):
            scope.scalars.append(result)
    elif len(b.arguments) < 12:
        scope.scalars.append(numberArgument(
            b, b.pick(["f32", "f32", "i32", "i64", "f16", "bf16", "f64", "i8", "i1", "i16"])))


def sizeOf(b, value):
    return scalarArgument(b, value).name if b.chance(0.3) else b.index(value)


def workspace(b, scope, source=None):
    """Memory of the host's own, filled by a copy."""
    if source is None:
        mates = [m for m in memories(b, scope) if m.role in ("input", "state") and
                 m.elem != "index" and m.bound <= CAP]
        source = b.pick(mates) if mates and b.chance(0.7) else argument(
            b, b.shape(), elementType(b), "input")
    dynamic = tuple(d for d in range(len(source.shape)) if b.chance(0.4))
    result = Memory("", source.shape, source.elem, "state", dynamic)
    sizes = []
    for d in dynamic:
        if d in source.dynamic and b.chance(0.6):
            sizes.append(b.define("d", f"memref.dim {source.name}, {b.index(d)} : "
                                       f"{source.type}"))
        else:
            sizes.append(sizeOf(b, source.shape[d]))
    tail = " {alignment = 64 : i64}" if b.chance(0.2) else ""
    result.name = b.define("w", f"memref.alloc({', '.join(sizes)}){tail} : {result.type}")
    b.line(f"memref.copy {source.name}, {result.name} : {source.type} to {result.type}")
    scope.buffers.append(result)
    return result


def copyOut(b, scope):
    """What a memref holds now, kept in an argument."""
    mates = [m for m in memories(b, scope) if m.role == "state" and not m.isOwned]
    if not mates:
        return
    m = b.pick(mates)
    target = argument(b, m.shape, m.elem, "kept")
    b.line(f"memref.copy {m.name}, {target.name} : {m.type} to {target.type}")


def view(b, scope):
    mates = [m for m in memories(b, scope) if m.elem != "index" and 0 not in m.shape]
    if mates:
        result = views.viewOf(b, scope, b.pick(mates))
        if result is not None:
            scope.buffers.append(result)


def launches(b, scope, count):
    """Host statements with at least one launch."""
    for _ in range(count):
        statement(b, scope)
    launch(b, scope)


def loop(b, scope):
    """Launches repeated; the counter is known to them."""
    trips = b.between(0, 3)
    zero, one = b.index(0), b.index(1)
    upper = sizeOf(b, trips)
    iv = b.name("i")
    b.open(f"scf.for {iv} = {zero} to {upper} step {one} {{")
    inner = scope.nested()
    inner.indices.append(Index(iv, 0, max(0, trips - 1)))
    repeated(b, trips, lambda: launches(b, inner, b.between(0, 2)))
    b.close()


def exchange(b, scope):
    """Launches that read one workspace and write another, which change places."""
    first = workspace(b, scope)
    second = workspace(b, scope, first)
    second = views.cast(b, second) if second.type != first.type else second
    if second.type != first.type:
        return
    trips = b.between(0, 3)
    zero, one, upper = b.index(0), b.index(1), sizeOf(b, trips)
    iv, p, q, out = b.name("i"), b.name("w"), b.name("w"), b.name("w")
    b.open(f"{out}:2 = scf.for {iv} = {zero} to {upper} step {one} iter_args({p} = "
           f"{first.name}, {q} = {second.name}) -> ({first.type}, {first.type}) {{")
    inner = scope.nested()
    roots = {id(first.root), id(second.root)}
    inner.buffers = [m for m in inner.buffers if id(m.root) not in roots]
    inner.indices.append(Index(iv, 0, max(0, trips - 1)))
    for name in (p, q):
        inner.buffers.append(Memory(name, first.shape, first.elem, "state", first.dynamic,
                                    first.strides, first.offset))
    repeated(b, trips, lambda: launches(b, inner, b.between(0, 1)))
    b.line(f"scf.yield {q}, {p} : {first.type}, {first.type}")
    b.close()
    scope.buffers = [m for m in scope.buffers if id(m.root) not in roots]
    for i in range(2):
        scope.buffers.append(Memory(f"{out}#{i}", first.shape, first.elem, "state",
                                    first.dynamic, first.strides, first.offset))


def condition(b, scope):
    scalars = [s for s in scope.scalars if s.elem in ("i32", "i64", "f32")]
    if scalars and b.chance(0.5):
        s = b.pick(scalars)
        op = "cmpf ogt" if isFloat(s.elem) else "cmpi sgt"
        return b.define("p", f"arith.{op}, {s.name}, {b.scalarConstant(0, s.elem)} : {s.elem}")
    if scope.indices:
        index = b.pick(scope.indices)
        return b.define("p", f"arith.cmpi eq, {index.name}, {b.index(index.low)} : index")
    value = scalarArgument(b, b.between(0, 1))
    return b.define("p", f"arith.cmpi eq, {value.name}, {b.index(0)} : index")


def conditional(b, scope):
    b.open(f"scf.if {condition(b, scope)} {{")
    launches(b, scope.nested(), b.between(0, 1))
    if b.chance(0.5):
        b.middle("} else {")
        launches(b, scope.nested(), b.between(0, 1))
    b.close()


def whileLoop(b, scope):
    zero, one, trips = b.index(0), b.index(1), sizeOf(b, b.between(0, 3))
    out, n, again = b.name("n"), b.name("n"), b.name("n")
    b.open(f"{out} = scf.while ({n} = {zero}) : (index) -> index {{")
    test = b.define("p", f"arith.cmpi slt, {n}, {trips} : index")
    b.line(f"scf.condition({test}) {n} : index")
    b.middle("} do {")
    b.middle(f"^bb0({again}: index):")
    inner = scope.nested()
    inner.indices.append(Index(again, 0, 2))
    repeated(b, 3, lambda: launches(b, inner, b.between(0, 1)))
    more = b.define("n", f"arith.addi {again}, {one} : index")
    b.line(f"scf.yield {more} : index")
    b.close()


def called(b, scope):
    """Some of this in a function of its own."""
    first, count = len(b.lines), b.count
    inner = scope.nested()
    values = calls.describe(scope.scalars + scope.indices + scope.buffers)
    repeated(b, 2, lambda: launches(b, inner, b.between(0, 2)))
    if not calls.outline(b, first, count, values, [], True):
        scope.buffers, scope.indices = inner.buffers, inner.indices
        scope.scalars = inner.scalars


STATEMENTS = [(6, launch), (3, scalar), (2, workspace), (2, copyOut), (3, view), (1, loop),
              (1, exchange), (1, conditional), (1, whileLoop), (2, called)]


def statement(b, scope):
    options = STATEMENTS if scope.depth < 2 else STATEMENTS[:5]
    b.random.choices([f for _, f in options], [w for w, _ in options])[0](b, scope)
