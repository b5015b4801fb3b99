"""Statements of a launch: matrix products, loops, conditions, scalars of the block."""

from tilefuzz.builder import *
from tilefuzz.elementwise import approximate, convert, fit, like, step
from tilefuzz import memory, parallel, shapes

# Operand type, result type, multiple of K, extra attributes.
PRODUCTS = [("f16", "f32", 16, ""), ("f16", "f32", 16, ""), ("bf16", "f32", 16, ""),
            ("f16", "f16", 16, ""), ("f32", "f32", 1, ""),
            ("f32", "f32", 8, "precision = #tile.precision<tf32>"),
            ("f64", "f64", 4, ""), ("i8", "i32", 32, ""),
            ("f8E4M3FN", "f32", 32, ""), ("f8E5M2", "f32", 32, "")]


def operand(b, scope, shape, elem, isSmall):
    """A whole operand of a product: text, type and bound."""
    if b.chance(0.5) and b.sharedBytes < 40000:
        buffer = memory.allocate(b, shape, elem)
        if isSmall or not memory.fillFromMemory(b, scope, buffer):
            source = memory.fresh(b, shape, elem, "input")
            text = memory.side(b, scope, source, shape, False)
            b.line(f"tile.copy {text} to {buffer.name} : {source.type} to {buffer.type}")
            return buffer.name, buffer.type, 3
        return buffer.name, buffer.type, CAP
    mates = [f for f in scope.fragments if f.shape == shape and f.elem == elem]
    f = b.pick(mates) if mates and b.chance(0.7) else memory.load(b, scope, shape, elem)
    f = f or b.splat(1, shape, elem)
    f = fit(b, f, 3 if isSmall else CAP)
    return f.name, f.type, f.bound


def attributesOf(b, elem, extra):
    parts = [extra] if extra else []
    flags = [b.chance(0.3), b.chance(0.3)]
    parts += [n for n, f in zip(("transpose_a", "transpose_b"), flags) if f]
    if elem == "i8":
        parts += [n for n in ("unsigned_a", "unsigned_b") if b.chance(0.3)]
    if b.chance(0.2):
        parts.append(f"warps = #tile.warps<{b.pick(['square', 'rows', 'columns'])}>")
    return (f" {{{', '.join(parts)}}}" if parts else ""), flags


def productShape(b, unit):
    M, N = (b.pick([8, 16, 16, 24, 32, 32, 40, 48, 64]) for _ in range(2))
    K = unit * b.pick([1, 1, 2, 3]) if unit > 1 else b.pick([1, 3, 8, 16, 17])
    return M, N, K


def gemm(b, scope):
    elem, result, unit, extra = b.pick(PRODUCTS)
    M, N, K = productShape(b, unit)
    attributes, (ta, tb) = attributesOf(b, elem, extra)
    isSmall = result == "f16"
    a, aType, aBound = operand(b, scope, (K, M) if ta else (M, K), elem, isSmall)
    c, cType, cBound = operand(b, scope, (N, K) if tb else (K, N), elem, isSmall)
    d = Fragment("", (M, N), result, K * aBound * cBound)
    if elem == "i8":
        d.bound = 2.0**31
    acc = ""
    mates = [f for f in scope.fragments if f.type == d.type]
    if mates and b.chance(0.4):
        f = fit(b, b.pick(mates), CAP)
        acc, d.bound = f", {f.name}", d.bound + f.bound
    elif b.chance(0.3):
        acc = f", {b.splat(0, (M, N), result).name}"
    d.name = b.define("t", f"tile.gemm {a}, {c}{acc}{attributes} : {aType}, {cType} -> {d.type}")
    scope.fragments.append(d)


def gemmLoop(b, scope):
    """A product accumulated over a loop that copies its operands, pipelined."""
    elem, result, unit, extra = b.pick([p for p in PRODUCTS if p[1] != "f16"])
    M, N, K = productShape(b, unit)
    attributes, (ta, tb) = attributesOf(b, elem, extra)
    trips = b.between(0, 9)
    A = memory.fresh(b, (K * trips + 1, M) if ta else (M, K * trips + 1), elem, "input")
    B = memory.fresh(b, (N, K * trips + 1) if tb else (K * trips + 1, N), elem, "input")
    aShape, bShape = (K, M) if ta else (M, K), (N, K) if tb else (K, N)
    inside = b.chance(0.4)
    if not inside:
        aBuffer, bBuffer = memory.allocate(b, aShape, elem), memory.allocate(b, bShape, elem)
    zero, one = b.index(0), b.index(1)
    bound = (b.scalarArgument(trips).name if b.chance(0.5) else b.index(trips))
    unitName = b.index(K)
    init = b.splat(b.pick([0, 0, 2]), (M, N), result)
    iv, acc, out = b.name("i"), b.name("x"), b.name("t")
    type = init.type
    b.open(f"{out} = scf.for {iv} = {zero} to {bound} step {one} "
           f"iter_args({acc} = {init.name}) -> ({type}) {{")
    k = b.define("i", f"arith.muli {iv}, {unitName} : index")
    if inside:
        aBuffer, bBuffer = memory.allocate(b, aShape, elem), memory.allocate(b, bShape, elem)
    for source, buffer, shape, kFirst in ((A, aBuffer, aShape, ta), (B, bBuffer, bShape, not tb)):
        start = b.index(b.pick([0, 0, -1, 3]))
        lead = [b.index(0)] * (len(source.shape) - 2)
        box = f" [{', '.join(['1'] * len(lead) + list(map(str, shape)))}]" if lead else ""
        at = lead + ([k, start] if kFirst else [start, k])
        b.line(f"tile.copy {source.name}[{', '.join(at)}]{box} to {buffer.name} : "
               f"{source.type} to {buffer.type}")
    aName, aType = aBuffer.name, aBuffer.type
    if b.chance(0.25):
        f = Fragment("", aShape, elem, 3)
        f.name = b.define("t", f"tile.load {aName} : {aType} -> {f.type}")
        if not isFp8(elem):
            f = fit(b, step(b, f, []), 3)
        if f.elem == elem:
            aName, aType = f.name, f.type
    d = b.define("t", f"tile.gemm {aName}, {bBuffer.name}, {acc}{attributes} : {aType}, "
                      f"{bBuffer.type} -> {type}")
    b.line(f"scf.yield {d} : {type}")
    b.close(f"}} {{tile.stages = {b.between(1, 4)} : i32}}" if b.chance(0.85) else "}")
    total = 2.0**31 if elem == "i8" else trips * K * 9 + 2
    scope.fragments.append(Fragment(out, (M, N), result, total))


def carried(b, scope):
    """Fragments that a region may carry, brought into range."""
    mates = [f for f in scope.fragments if f.shape and f.elem != "index"]
    if not mates:
        return []
    chosen = b.random.sample(mates, min(len(mates), b.between(0, 2)))
    return [fit(b, f, CAP) for f in chosen]


def inRange(f, name):
    return Fragment(name, f.shape, f.elem, CAP if f.elem != "i1" else 1, True, f.encoding)


def results(b, scope, wanted):
    """Values of the types of `wanted`, made in this region where possible."""
    chosen = []
    for f in wanted:
        mates = [g for g in scope.fragments if g.type == f.type] or [f]
        chosen.append(fit(b, b.pick(mates[-3:]), CAP))
    return chosen


def yieldLine(b, values):
    if values:
        b.line(f"scf.yield {', '.join(v.name for v in values)} : "
               f"{', '.join(v.type for v in values)}")


def signature(values):
    return f" -> ({', '.join(v.type for v in values)})" if values else ""


def body(b, scope, count):
    for _ in range(count):
        statement(b, scope)


def loop(b, scope):
    init = carried(b, scope)
    trips, step = b.pick([0, 1, 2, 2, 3, 3, 4, 5, 7]), b.pick([1, 1, 1, 2, 5])
    first = b.pick([0, 0, 0, 3])
    last = first + trips * step
    lower, stride = b.index(first), b.index(step)
    upper = b.scalarArgument(last).name if b.chance(0.4) else b.index(last)
    iv = Index(b.name("i"), first, max(first, last - 1))
    inner = scope.nested()
    arguments = [inRange(f, b.name("x")) for f in init]
    names = [b.name("t") for _ in init]
    head = f"{', '.join(names)} = " if names else ""
    carry = ", ".join(f"{a.name} = {f.name}" for a, f in zip(arguments, init))
    carry = f" iter_args({carry})" if carry else ""
    b.open(f"{head}scf.for {iv.name} = {lower} to {upper} step {stride}{carry}"
           f"{signature(init)} {{")
    inner.fragments += arguments
    inner.indices.append(iv)
    if scope.buffers and b.chance(0.5):
        refill(b, inner)
    body(b, inner, b.between(1, 4))
    yieldLine(b, results(b, inner, arguments))
    b.close(f"}} {{tile.stages = {b.between(1, 4)} : i32}}" if b.chance(0.6) else "}")
    scope.fragments += [inRange(f, n) for f, n in zip(init, names)]


def whileLoop(b, scope):
    init = carried(b, scope)[:1]
    zero, trips, one = (b.scalarConstant(n, "i32") for n in (0, b.between(0, 4), 1))
    out, counter, again = b.name("t"), b.name("n"), b.name("n")
    types = ", ".join(["i32"] + [f.type for f in init])
    arguments = [inRange(f, b.name("x")) for f in init]
    inside = [inRange(f, b.name("x")) for f in init]
    carry = ", ".join([f"{counter} = {zero}"] +
                      [f"{a.name} = {f.name}" for a, f in zip(arguments, init)])
    b.open(f"{out}:{1 + len(init)} = scf.while ({carry}) : ({types}) -> ({types}) {{")
    test = b.define("p", f"arith.cmpi slt, {counter}, {trips} : i32")
    passed = ", ".join([counter] + [a.name for a in arguments])
    b.line(f"scf.condition({test}) {passed} : {types}")
    b.middle("} do {")
    places = ", ".join([f"{again}: i32"] + [f"{a.name}: {a.type}" for a in inside])
    b.middle(f"^bb0({places}):")
    inner = scope.nested()
    inner.fragments += inside
    body(b, inner, b.between(1, 3))
    values = results(b, inner, inside)
    more = b.define("n", f"arith.addi {again}, {one} : i32")
    b.line(f"scf.yield {', '.join([more] + [v.name for v in values])} : {types}")
    b.close()
    scope.fragments += [inRange(f, f"{out}#1") for f in init]


def condition(b, scope):
    """A uniform i1."""
    scalars = [s for s in scope.scalars if s.elem in ("f32", "i32", "f16", "i64")]
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
    head = f"{', '.join(names)} = " if names else ""
    b.open(f"{head}scf.if {test}{signature(wanted)} {{")
    inner = scope.nested()
    body(b, inner, b.between(1, 3))
    yieldLine(b, results(b, inner, wanted))
    if wanted or b.chance(0.4):
        b.middle("} else {")
        inner = scope.nested()
        body(b, inner, b.between(0, 2))
        yieldLine(b, results(b, inner, wanted))
    b.close()
    scope.fragments += [inRange(f, n) for f, n in zip(wanted, names)]


def refill(b, scope):
    """Overwrites a whole buffer from global memory."""
    roots = [m for m in scope.buffers if m.isShared and not m.isView]
    if roots:
        memory.fillFromMemory(b, scope, b.pick(roots))


def place(b, scope, size):
    """A uniform index in [0, size)."""
    mates = [i for i in scope.indices if 0 <= i.low and i.high < size]
    if mates and b.chance(0.5):
        return b.pick(mates).name
    return b.index(b.between(0, size - 1))


def scalar(b, scope):
    """A scalar of the block out of a fragment or memory, or a chain on one."""
    choice = b.random.random()
    fragments = [f for f in scope.fragments if f.elem != "index"]
    memories = [m for m in memory.readable(b, scope) if not memory.isRestricted(b, m, False)]
    if choice < 0.4 and fragments:
        f = b.pick(fragments)
        at = ", ".join(place(b, scope, n) for n in f.shape)
        name = b.define("e", f"tensor.extract {f.name}[{at}] : {f.type}")
        scope.scalars.append(Scalar(name, f.elem, f.bound, f.whole))
    elif choice < 0.7 and memories:
        m = b.pick(memories)
        at = ", ".join(place(b, scope, n) for n in m.shape)
        name = b.define("e", f"memref.load {m.name}[{at}] : {m.type}")
        scope.scalars.append(Scalar(name, m.elem, m.bound))
    elif scope.scalars:
        scope.scalars.append(step(b, b.pick(scope.scalars), scope.scalars))


def useScalar(b, scope):
    """Splats, stores or accumulates a scalar."""
    if not scope.scalars:
        return scalar(b, scope)
    s = b.pick(scope.scalars)
    choice = b.random.random()
    if choice < 0.5:
        mates = [f.shape for f in scope.fragments if f.shape]
        shape = b.pick(mates) if mates else b.shape()
        f = Fragment("", shape, s.elem, s.bound, s.whole)
        f.name = b.define("t", f"tensor.splat {s.name} : {f.type}")
        scope.fragments.append(f)
    elif choice < 0.75:
        mates = [m for m in memory.writable(b, scope) if m.elem == s.elem]
        if mates:
            storeScalar(b, scope, s, b.pick(mates))
    elif memory.hasAtomics(s.elem):
        s = fit(b, s, CAP)
        target = memory.total(b, s.elem, (b.between(1, 9),), memory.ATOMIC_KINDS[s.elem])
        at = ", ".join(place(b, scope, n) for n in target.shape)
        b.define("z", f"memref.atomic_rmw {target.kind} {s.name}, {target.name}[{at}] : "
                      f"({s.elem}, {target.type}) -> {s.elem}")


def storeScalar(b, scope, s, target):
    if target.role != "output":
        s = fit(b, s, CAP)
    if not memory.isRestricted(b, target, True):
        at = ", ".join(place(b, scope, n) for n in target.shape)
        b.line(f"memref.store {s.name}, {target.name}[{at}] : {target.type}")
        return
    first = b.define("i", f"arith.muli {b.block.name}, "
                          f"{b.index(memory.sliceOf(b, target))} : index")
    limit = b.index(target.shape[0])
    test = b.define("p", f"arith.cmpi ult, {first}, {limit} : index")
    b.open(f"scf.if {test} {{")
    at = ", ".join([first] + [place(b, scope, n) for n in target.shape[1:]])
    b.line(f"memref.store {s.name}, {target.name}[{at}] : {target.type}")
    b.close()


def elementwise(b, scope):
    mates = [f for f in scope.fragments]
    x = b.pick(mates)
    for _ in range(b.between(1, 4)):
        others = [f for f in scope.fragments if f.shape == x.shape and
                  f.encoding == x.encoding]
        x = step(b, x, others)
        scope.fragments.append(x)


def approximated(b, scope):
    mates = [f for f in scope.fragments if f.elem in ("f32", "f64", "f16", "bf16") and f.shape]
    if mates:
        memory.storeApproximate(b, scope, approximate(b, b.pick(mates)))


def guarded(function, limit):
    """Control flow only to a depth."""
    def call(b, scope):
        if scope.depth < limit:
            function(b, scope)
        else:
            elementwise(b, scope)
    return call


STATEMENTS = [(9, elementwise), (8, memory.load), (8, memory.store), (6, memory.newBuffer),
              (4, memory.copyOut), (3, memory.view), (2, memory.atomic),
              (1, memory.sharedAtomic), (3, shapes.broadcast), (3, shapes.transpose),
              (3, shapes.reshape), (3, shapes.slice), (5, shapes.reduce),
              (3, shapes.fixLayout), (3, gemm), (3, guarded(gemmLoop, 2)),
              (8, parallel.parallel), (5, guarded(loop, 2)), (1, guarded(whileLoop, 2)),
              (3, guarded(conditional, 3)), (4, scalar), (3, useScalar), (1, refill),
              (1, approximated)]


def statement(b, scope):
    weights = [w for w, _ in STATEMENTS]
    call = b.random.choices([f for _, f in STATEMENTS], weights)[0]
    if not scope.fragments and call not in (memory.load, memory.newBuffer):
        call = memory.load
    call(b, scope)
