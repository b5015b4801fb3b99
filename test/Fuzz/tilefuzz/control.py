"""Control flow of the block: for, while, if, index_switch, select."""

from tilefuzz import memory
from tilefuzz.arguments import argument, scalarArgument
from tilefuzz.builder import *
from tilefuzz.elementwise import select
from tilefuzz.regions import *


def iteration(b, scope, lower, upper, stride, first, last):
    """Head of a loop over index or integers: its text, and inside its index."""
    iv = b.name("i")
    elem = b.pick(["index"] * 6 + ["i32", "i64"])
    bounds = [lower, upper, stride]
    if elem != "index":
        bounds = [b.define("v", f"arith.index_cast {v} : index to {elem}") for v in bounds]
    text = f"scf.for {iv} = {bounds[0]} to {bounds[1]} step {bounds[2]}"

    def enter(inner):
        name = iv
        if elem != "index":
            name = b.define("i", f"arith.index_cast {iv} : {elem} to index")
        inner.indices.append(Index(name, first, max(first, last - 1)))

    return text, ("" if elem == "index" else f" : {elem}"), enter


def loadedBound(b, first, step):
    """An upper bound out of memory, and what it is at most."""
    most = first + 5 * step
    bounds = argument(b, (b.between(1, 4),), "i32", "input", bound=1000,
                      data=f"integers({first - 1},{most})")
    place = b.index(b.between(0, bounds.shape[0] - 1))
    value = b.define("e", f"memref.load {bounds.name}[{place}] : {bounds.type}")
    return b.define("i", f"arith.index_cast {value} : i32 to index"), most


def loop(b, scope):
    init = carried(b, scope)
    trips, step = b.pick([0, 1, 2, 2, 3, 3, 4, 5, 7]), b.pick([1, 1, 1, 2, 5])
    first = b.pick([0, 0, 0, 3, -2])
    last = first + trips * step
    if trips and b.chance(0.2):
        last -= b.between(0, step - 1)
    lower, stride = b.index(first), b.index(step)
    upper = scalarArgument(b, last).name if b.chance(0.4) else b.index(last)
    if b.chance(0.15):
        upper, last = loadedBound(b, first, step)
        trips = 5
    text, suffix, enter = iteration(b, scope, lower, upper, stride, first, last)
    inner = scope.nested()
    arguments = [inRange(f, b.name("x")) for f in init]
    names = [b.name("t") for _ in init]
    carry = ", ".join(f"{a.name} = {f.name}" for a, f in zip(arguments, init))
    carry = f" iter_args({carry})" if carry else ""
    b.open(f"{resultHead(names)}{text}{carry}{signature(init)}{suffix} {{")
    add(inner, arguments)
    enter(inner)

    def write():
        if scope.buffers and b.chance(0.5):
            refill(b, inner)
        body(b, inner, b.between(1, 4))

    repeated(b, trips, write)
    yieldLine(b, results(b, inner, arguments))
    b.close(f"}} {{tile.stages = {b.between(1, 4)} : i32}}" if b.chance(0.6) else "}")
    add(scope, [inRange(f, n) for f, n in zip(init, names)])


def refill(b, scope):
    """Overwrites a whole buffer from global memory."""
    roots = [m for m in scope.buffers if m.isShared and not m.isView]
    if roots:
        memory.fillFromMemory(b, scope, b.pick(roots))


def whileLoop(b, scope):
    """A counter that ends, and perhaps a value of the block that ends it earlier."""
    init = carried(b, scope)
    most = b.between(0, 4)
    zero, trips, one = (b.scalarConstant(n, "i32") for n in (0, most, 1))
    out, counter, again = b.name("t"), b.name("n"), b.name("n")
    types = ", ".join(["i32"] + [f.type for f in init])
    arguments = [inRange(f, b.name("x")) for f in init]
    inside = [inRange(f, b.name("x")) for f in init]
    carry = ", ".join([f"{counter} = {zero}"] +
                      [f"{a.name} = {f.name}" for a, f in zip(arguments, init)])
    b.open(f"{out}:{1 + len(init)} = scf.while ({carry}) : ({types}) -> ({types}) {{")
    test = b.define("p", f"arith.cmpi slt, {counter}, {trips} : i32")
    if b.chance(0.3):
        before = scope.nested()
        add(before, arguments)
        repeated(b, most + 1, lambda: body(b, before, b.between(0, 2)))
        other = condition(b, before)
        test = b.define("p", f"arith.andi {test}, {other} : i1")
    passed = ", ".join([counter] + [a.name for a in arguments])
    b.line(f"scf.condition({test}) {passed} : {types}")
    b.middle("} do {")
    places = ", ".join([f"{again}: i32"] + [f"{a.name}: {a.type}" for a in inside])
    b.middle(f"^bb0({places}):")
    inner = scope.nested()
    add(inner, inside)
    repeated(b, most, lambda: body(b, inner, b.between(1, 3)))
    values = results(b, inner, inside)
    more = b.define("n", f"arith.addi {again}, {one} : i32")
    b.line(f"scf.yield {', '.join([more] + [v.name for v in values])} : {types}")
    b.close()
    add(scope, [inRange(f, f"{out}#{i + 1}") for i, f in enumerate(init)])


def condition(b, scope):
    """A uniform i1."""
    bits = [s for s in scope.scalars if s.elem == "i1"]
    if bits and b.chance(0.3):
        return b.pick(bits).name
    scalars = [s for s in scope.scalars if s.elem in ("f32", "i32", "f16", "i64", "bf16",
                                                      "i8", "f64")]
    if scalars and b.chance(0.5):
        s = b.pick(scalars)
        limit = b.scalarConstant(b.between(-1, 1), s.elem)
        op = "cmpf ogt" if isFloat(s.elem) else "cmpi sgt"
        return b.define("p", f"arith.{op}, {s.name}, {limit} : {s.elem}")
    index = b.pick(scope.indices)
    limit = b.index(b.between(index.low, index.high + 1))
    return b.define("p", f"arith.cmpi {b.pick(['slt', 'eq', 'ne'])}, {index.name}, {limit} : index")


def conditional(b, scope):
    wanted = carried(b, scope)
    test = condition(b, scope)
    names = [b.name("t") for _ in wanted]
    b.open(f"{resultHead(names)}scf.if {test}{signature(wanted)} {{")
    inner = scope.nested()
    body(b, inner, b.between(1, 3))
    yieldLine(b, results(b, inner, wanted))
    if wanted or b.chance(0.4):
        b.middle("} else {")
        inner = scope.nested()
        body(b, inner, b.between(0, 2))
        yieldLine(b, results(b, inner, wanted))
    b.close()
    add(scope, [inRange(f, n) for f, n in zip(wanted, names)])


def selector(b, scope):
    """A uniform index to switch on."""
    scalars = [s for s in scope.scalars if s.elem in ("i32", "i64", "i8")]
    if scalars and b.chance(0.5):
        s = b.pick(scalars)
        op = b.pick(["index_cast", "index_castui"])
        return b.define("i", f"arith.{op} {s.name} : {s.elem} to index")
    return b.pick(scope.indices).name


def switch(b, scope):
    wanted = carried(b, scope)
    value = selector(b, scope)
    names = [b.name("t") for _ in wanted]
    types = f" -> {', '.join(f.type for f in wanted)}" if wanted else ""
    b.line(f"{resultHead(names)}scf.index_switch {value}{types}")
    labels = sorted(b.random.sample(range(-1, 6), b.between(0, 3)))
    for label in [f"case {n}" for n in labels] + ["default"]:
        b.open(f"{label} {{")
        inner = scope.nested()
        body(b, inner, b.between(0 if wanted else 1, 2))
        if wanted:
            yieldLine(b, results(b, inner, wanted))
        else:
            b.line("scf.yield")
        b.close()
    add(scope, [inRange(f, n) for f, n in zip(wanted, names)])


def choice(b, scope):
    """One of two fragments by a condition of the block."""
    if not scope.fragments:
        return
    x = b.pick(scope.fragments)
    y = b.pick([f for f in scope.fragments if f.type == x.type])
    test = Scalar(condition(b, scope), "i1", 1)
    scope.fragments.append(select(b, test, x, y))
