"""Loops that ask for stages, in every form in which iterations may overlap.

A program has 2 to 12 buffers of different sizes and types, and loops that fill and read
them, one after the other, one in the other, or in a while loop. Loops run 0 to
2 * stages + 1 times. What was computed is stored behind the loops and, seldom, in them.
"""

from tilefuzz import atomics, memory
from tilefuzz.arguments import argument, scalarArgument
from tilefuzz.builder import *
from tilefuzz.launches import launch
from tilefuzz.pipelinebodies import *
from tilefuzz.pipelineorders import explicitLoop
from tilefuzz.pipelinevalues import *
from tilefuzz.regions import repeated

ELEMS = ["f16", "f16", "f16", "f32", "f32", "bf16", "i32", "i8", "f8E4M3FN", "i64"]
BYTES = 60000


def makeBuffers(b, tileShape):
    """2 to 12 of them, each with room for a tile."""
    buffers = []
    for _ in range(b.pick([2, 2, 3, 3, 4, 5, 6, 8, 10, 12])):
        elem = b.pick(ELEMS)
        shape = (tileShape[0] * b.pick([1, 1, 1, 2, 3]), tileShape[1])
        size = product(shape) * WIDTH[elem] // 8
        if sum(product(m.shape) * WIDTH[m.elem] // 8 for m in buffers) + size < BYTES:
            buffers.append(memory.allocate(b, shape, elem, layout=b.chance(0.2)))
    return buffers


def initialise(b, buffer):
    """Contents before the loops, from memory or not."""
    if b.chance(0.5):
        source = argument(b, buffer.shape, buffer.elem, "input")
        zero = b.index(0)
        b.line(f"tile.copy {source.name}[{zero}, {zero}] to {buffer.name} : {source.type} to "
               f"{buffer.type}")
    else:
        value = b.splat(b.between(-3, 3), buffer.shape, buffer.elem)
        b.line(f"tile.store {value.name}, {buffer.name} : {value.type}, {buffer.type}")


# Side effects.

def storeTotal(body):
    """The total of every iteration to global memory of its own."""
    b, total = body.b, body.total
    out = argument(b, (max(1, body.steps) * total.shape[0], total.shape[1]), "i32", "output")
    b.line(f"tile.store {total.name}, {out.name}[{scaled(b, body.number, total.shape[0])}, "
           f"{b.index(0)}] : {total.type}, {out.type}")
    b.features["store in the loop"] += 1


def storeToSource(body):
    """The loop writes what it reads."""
    b, total = body.b, body.total
    source = argument(b, (total.shape[0] * (body.steps + 1), total.shape[1]), "i32", "state")
    row = scaled(b, body.number, total.shape[0])
    if b.chance(0.5):
        row = offset(b, row, total.shape[0])
    b.line(f"tile.store {ofIntegers(b, total, 'i32').name}, {source.name}[{row}, "
           f"{b.index(0)}] : {total.type}, {source.type}")
    b.features["store to a source"] += 1


def accumulateAtomically(body):
    b, total = body.b, body.total
    out = argument(b, total.shape, "i32", "total", kind="addi", mayBeStrided=False)
    b.line(f"tile.atomic_rmw addi {total.name}, {out.name}[{b.index(0)}, {b.index(0)}] : "
           f"{total.type}, {out.type}")
    b.features["atomic in the loop"] += 1


def printNumber(body):
    body.b.features["print"] += 1
    body.b.line(f'tile.print "iteration {body.b.features["print"]}" {body.number} : index')


def check(body):
    b = body.b
    test = b.define("p", f"arith.cmpi ule, {body.number}, {b.index(body.steps)} : index")
    b.line(f'tile.assert {test}, "the number of an iteration"')


def fillAndUse(body):
    """A fill and its use under one condition, or in one inner loop."""
    b, total = body.b, body.total
    buffer = b.pick(body.buffers)
    name, carry, iv = b.name("t"), b.name("x"), b.name("i")
    isLoop = b.chance(0.4)
    if isLoop:
        b.open(f"{name} = scf.for {iv} = {b.index(0)} to {b.index(b.between(1, 3))} step "
               f"{b.index(1)} iter_args({carry} = {total.name}) -> ({total.type}) {{")
        inner = body.inner(inRange(total, carry))
    else:
        b.open(f"{name} = scf.if {guard(body)} -> ({total.type}) {{")
        inner = body.inner()
    b.pick(FULL)(inner, buffer)
    b.pick(USES)(inner, buffer)
    b.line(f"scf.yield {inner.total.name} : {total.type}")
    if not isLoop:
        b.middle("} else {")
        b.line(f"scf.yield {total.name} : {total.type}")
    b.close()
    body.total = inRange(total, name)
    b.features["fill and use in one region"] += 1


SIDE = [storeTotal, storeToSource, accumulateAtomically, printNumber, check]


# Bodies.

def event(body, wild):
    """One more statement of a body."""
    b = body.b
    way = b.random.random()
    readable = body.readable()
    if way < wild:
        return b.pick(SIDE)(body)
    if way < 0.08 and body.depth < 1:
        return nested(body)
    if way < 0.2:
        return fillAndUse(body)
    if way < 0.4:
        buffer = b.pick(body.buffers)
        if b.chance(0.5):
            return fillPerhaps(body, buffer)
        if buffer.name in body.ready:
            return b.pick([fillPart, *FULL])(body, buffer)
    known = [(test, m) for test, names in body.readyIf.items() for m in body.buffers
             if m.name in names]
    if known and b.chance(0.5):
        test, buffer = b.pick(known)
        return useGuarded(body, buffer, test)
    if readable:
        b.pick(USES)(body, b.pick(readable))


def writeBody(body):
    """Fills that every iteration does, mostly first, and events."""
    b = body.b
    chosen = b.random.sample(body.buffers, b.between(1, min(4, len(body.buffers))))
    wild = b.pick([0, 0, 0.05, 0.2])
    late = b.chance(0.2)
    for buffer in chosen:
        if late and b.chance(0.5):
            event(body, wild)
        b.pick(FULL)(body, buffer)
        body.ready.add(buffer.name)
    for _ in range(b.between(0, 4)):
        event(body, wild)
    for buffer in chosen:
        b.pick(USES)(body, buffer)


def nested(body):
    """A loop inside with a hint of its own."""
    b = body.b
    body.b.features["nested loop"] += 1
    body.total = loop(b, body.buffers, body.ready, body.total, body.depth + 1)


# Loops.

def header(b, trips):
    """Bounds and type of a loop, with its induction variable and the number in it."""
    step = b.pick([1, 1, 1, 2, 3, 5])
    first = b.pick([0, 0, 0, 1, -2, 4])
    last = first + trips * step - (b.between(0, step - 1) if trips else b.pick([0, 0, 3]))
    elem = b.pick(["index"] * 4 + ["i32", "i64"])
    upper = scalarArgument(b, last).name if b.chance(0.6) else b.index(last)
    bounds = [b.index(first), upper, b.index(step)]
    if elem != "index":
        bounds = [b.define("v", f"arith.index_cast {v} : index to {elem}") for v in bounds]
        b.features[f"loop over {elem}"] += 1
    iv = b.name("i")

    def number():
        name = iv
        if elem != "index":
            name = b.define("i", f"arith.index_cast {iv} : {elem} to index")
        if first:
            name = b.define("i", f"arith.subi {name}, {b.index(first)} : index")
        if step > 1:
            name = b.define("i", f"arith.divsi {name}, {b.index(step)} : index")
        return name

    text = f"scf.for {iv} = {bounds[0]} to {bounds[1]} step {bounds[2]}"
    return text, ("" if elem == "index" else f" : {elem}"), number


def loop(b, buffers, ready, total, depth=0):
    """A loop with a hint; what its total is behind it."""
    stages = b.between(1, 5)
    trips = b.between(0, 2 * stages + 1) if depth == 0 else b.between(0, 3)
    head, suffix, number = header(b, trips)
    other = b.splat(b.between(0, 3), total.shape, "i32")
    place = b.index(b.pick([0, 0, 8, -3]))
    names = [b.name("t"), b.name("t"), b.name("t")]
    carried = [inRange(total, b.name("x")), inRange(total, b.name("x")), b.name("x")]
    types = f"({total.type}, {total.type}, index)"
    b.open(f"{', '.join(names)} = {head} iter_args({carried[0].name} = {total.name}, "
           f"{carried[1].name} = {other.name}, {carried[2]} = {place}) -> {types}{suffix} {{")
    chosen = b.random.sample(buffers, b.between(1, min(len(buffers), 6)))
    body = Body(b, number(), trips, carried[0], chosen, set(ready), carried[2], depth=depth)
    repeated(b, trips, lambda: writeBody(body))
    chain = carried[2]
    if b.chance(0.15):
        # The next place stands in memory.
        pages = integers(b, max(1, trips), 0, 40)
        chain = loadedIndex(b, pages, body.number)
    following = offset(b, chain, b.pick([8, 16, 1]))
    mixed = inRange(total, hashed(b, carried[1], carried[0]))
    pair = [body.total.name, mixed.name]
    if b.chance(0.3):
        pair = [carried[1].name, body.total.name]
        b.features["swapped values"] += 1
    b.line(f"scf.yield {', '.join(pair)}, {following} : {types[1:-1]}")
    hint = b.chance(0.95)
    b.features["loop"] += 1
    b.features["hinted loop"] += hint and stages > 1
    b.close(f"}} {{tile.stages = {stages} : i32}}" if hint else "}")
    shift = b.define("v", f"arith.index_cast {names[2]} : index to i32")
    wide = b.define("t", f"tensor.splat {shift} : {total.type}")
    result = inRange(total, hashed(b, inRange(total, names[0]), inRange(total, names[1])))
    return inRange(total, hashed(b, result, inRange(total, wide)))


def inWhile(b, buffers, ready, total):
    """A loop in a while loop, which runs 0 to 2 times."""
    zero, most, one = b.index(0), b.index(b.between(0, 2)), b.index(1)
    names = [b.name("t"), b.name("n")]
    seen, again = (inRange(total, b.name("x")) for _ in range(2))
    count, counted = b.name("n"), b.name("n")
    types = f"{total.type}, index"
    b.open(f"{', '.join(names)} = scf.while ({seen.name} = {total.name}, {count} = {zero}) : "
           f"({types}) -> ({types}) {{")
    test = b.define("p", f"arith.cmpi ult, {count}, {most} : index")
    b.line(f"scf.condition({test}) {seen.name}, {count} : {types}")
    b.middle("} do {")
    b.middle(f"^bb0({again.name}: {total.type}, {counted}: index):")
    if b.chance(0.3) and ready:
        body = Body(b, counted, 2, again, buffers, set(ready))
        use(body, b.pick(body.readable()))
        again = body.total
    result = loop(b, buffers, ready, again)
    more = b.define("n", f"arith.addi {counted}, {one} : index")
    b.line(f"scf.yield {result.name}, {more} : {types}")
    b.close()
    b.features["loop in a while loop"] += 1
    return inRange(total, names[0])


def program(b, scope):
    b.isReal = False

    def write(b, inner):
        shape = b.pick([(16, 16), (16, 16), (32, 32), (8, 32), (16, 24), (12, 7)])
        total = b.splat(1, shape, "i32")
        buffers = makeBuffers(b, shape)
        ready = set()
        part = b.pick([0, 0.3, 0.3, 1])
        for buffer in buffers:
            if b.chance(part):
                initialise(b, buffer)
                ready.add(buffer.name)
        for _ in range(b.pick([1, 1, 1, 2, 2, 3])):
            way = b.random.random()
            if way < 0.15:
                total = explicitLoop(b, shape, total)
                b.features["loop"] += 1
                continue
            write = inWhile if way < 0.3 else loop
            total = write(b, buffers, ready, total)
            body = Body(b, b.index(0), 1, total, buffers, ready)
            for buffer in body.readable():
                if b.chance(0.3):
                    b.pick([use, use, update, fillPart])(body, buffer)
            total = body.total
        b.features[f"{len(buffers)} buffers"] += 1
        memory.store(b, inner, total, argument(b, shape, "i32", "output",
                                               mayBeStrided=False))

    b.tidy = b.chance(0.7)
    launch(b, scope, warps=b.pick([1, 2, 2, 4, 4, 8, 3]), write=write, grid=1)
