"""Loops that fill buffers from global memory and read them, for pipelining.

Fills stand in the body itself, under conditions or in inner loops, at places that
scalars loaded in the loop choose; reads are tile operations, iterations and products.
Buffers that not every iteration fills hold something before the loop.
"""

from tilefuzz import memory
from tilefuzz.arguments import argument, scalarArgument
from tilefuzz.builder import *
from tilefuzz.control import condition
from tilefuzz.elementwise import convert, fit
from tilefuzz.regions import *


def startOf(b, iv, positions, step):
    """Where an iteration's tile begins: from the counter or from memory."""
    if positions is not None and b.chance(0.5):
        value = b.define("e", f"memref.load {positions.name}[{iv}] : {positions.type}")
        return b.define("i", f"arith.index_cast {value} : i32 to index")
    start = b.define("i", f"arith.muli {iv}, {b.index(step)} : index")
    if b.odd(0.3):
        shift = b.index(b.pick([-3, -1, 1, 2]))
        start = b.define("i", f"arith.addi {start}, {shift} : index")
    return start


def copyInto(b, source, buffer, iv, positions):
    """One tile of `source`, which has the buffer's rank, onto the whole buffer."""
    pad = memory.padOf(b, buffer.elem)[0] if b.odd(0.8) else ""
    starts = [startOf(b, iv, positions, buffer.shape[0])]
    starts += [b.index(b.pick([0, 0, -1, 2]) if b.odd(1) else 0) for _ in buffer.shape[1:]]
    b.line(f"tile.copy {source.name}[{', '.join(starts)}]{pad} to {buffer.name} : "
           f"{source.type} to {buffer.type}")


def copyByParts(b, source, buffer, iv, positions, parts):
    """The same by an inner loop with a constant number of trips."""
    rows = buffer.shape[0] // parts
    box = [rows, *buffer.shape[1:]]
    start = startOf(b, iv, positions, buffer.shape[0])
    zero, one, count, height = (b.index(n) for n in (0, 1, parts, rows))
    inner = b.name("i")
    b.open(f"scf.for {inner} = {zero} to {count} step {one} {{")
    row = b.define("i", f"arith.muli {inner}, {height} : index")
    place = b.define("i", f"arith.addi {start}, {row} : index")
    rest = [zero] * (len(box) - 1)
    b.line(f"tile.copy {source.name}[{', '.join([place] + rest)}] {box} to "
           f"{buffer.name}[{', '.join([row] + rest)}] : {source.type} to {buffer.type}")
    b.close()


def fill(b, scope, source, buffer, iv, positions):
    """A fill in the loop, plain, guarded or by parts."""
    way = b.random.random() + (0.2 if b.tidy else 0)
    parts = [n for n in (2, 3, 4) if buffer.shape[0] % n == 0]
    if way < 0.2:
        b.open(f"scf.if {condition(b, scope)} {{")
        copyInto(b, source, buffer, iv, positions)
        if b.chance(0.4):
            b.middle("} else {")
            copyInto(b, source, buffer, iv, positions)
        b.close()
    elif way < 0.35 and parts:
        copyByParts(b, source, buffer, iv, positions, b.pick(parts))
    else:
        copyInto(b, source, buffer, iv, positions)


def readBack(b, scope, buffer):
    """A fragment of all of `buffer`, read in one of several ways."""
    result = Fragment("", buffer.shape, buffer.elem, CAP)
    if b.chance(0.5):
        result.name = b.define("t", f"tile.load {buffer.name} : {buffer.type} -> {result.type}")
    else:
        ivs = [b.name("i") for _ in buffer.shape]
        result.name = b.name("t")
        b.open(f"{result.name} = tile.parallel ({', '.join(ivs)}) in "
               f"({', '.join(map(str, buffer.shape))}) -> ({result.type}) {{")
        last = b.index(buffer.shape[0] - 1)
        mirrored = b.define("i", f"arith.subi {last}, {ivs[0]} : index")
        at = ", ".join([mirrored] + ivs[1:])
        e = b.define("e", f"memref.load {buffer.name}[{at}] : {buffer.type}")
        b.line(f"tile.yield {e} : {buffer.elem}")
        b.close()
    scope.fragments.append(result)
    return result


def accumulate(b, total, value):
    """total + value, kept small."""
    value = convert(b, value, total.elem)
    op = "addf" if isFloat(total.elem) else "addi"
    name = b.define("v", f"arith.{op} {total.name}, {value.name} : {total.type}")
    return fit(b, Fragment(name, total.shape, total.elem, total.bound + value.bound), CAP)


def initialise(b, scope, buffer):
    """Something for a guarded fill to leave where it is."""
    if not memory.fillFromMemory(b, scope, buffer):
        value = b.splat(b.between(-3, 3), buffer.shape, buffer.elem)
        b.line(f"tile.store {value.name}, {buffer.name} : {value.type}, {buffer.type}")


def ring(b, scope):
    """Statement: such a loop over one to three buffers."""
    if b.sharedBytes > 24000:
        return
    shape = b.shape(rank=b.between(1, 2), limit=1024)
    trips = b.between(0, 8)
    elems = [b.pick(["f32", "f32", "f16", "bf16", "i32", "i8", "f8E4M3FN", "i64", "f64"])
             for _ in range(b.between(1, 3))]
    ragged = b.between(-2, 3) if b.odd(1) else 0
    sources = [argument(b, (max(1, shape[0] * trips - ragged), *shape[1:]),
                        "f32" if b.odd(0.15) and isFloat(elem) else elem, "input")
               for elem in elems]
    positions = None
    if b.chance(0.3) and (len(shape) > 1 or not b.tidy):
        positions = argument(b, (max(trips, 1),), "i32", "input",
                             data=f"integers(-3,{shape[0] * trips})", bound=1000)
    # Simple loops fill every buffer in every iteration before it is read.
    simple, inside = b.chance(0.6 if b.tidy else 0.2), b.chance(0.4)
    buffers = []
    if not (simple and inside):
        buffers = [memory.allocate(b, shape, elem) for elem in elems]
    if not simple:
        for buffer in buffers:
            initialise(b, scope, buffer)
    total = fit(b, b.splat(0, shape, b.pick(["f32", "i32", "f64"])), CAP)
    lower, one = b.index(0), b.index(1)
    upper = scalarArgument(b, trips).name if b.chance(0.6) else b.index(trips)
    iv, carry, out = b.name("i"), b.name("x"), b.name("t")
    b.open(f"{out} = scf.for {iv} = {lower} to {upper} step {one} "
           f"iter_args({carry} = {total.name}) -> ({total.type}) {{")
    inner = scope.nested()
    inner.indices.append(Index(iv, 0, max(0, trips - 1)))
    if simple and inside:
        buffers = [memory.allocate(b, shape, elem) for elem in elems]
    inner.buffers += [] if simple else buffers
    value = inRange(total, carry)

    def write():
        nonlocal value
        order = list(zip(sources, buffers))
        b.random.shuffle(order)
        late = b.odd(0.2)
        for source, buffer in order:
            if late and not simple:
                value = accumulate(b, value, readBack(b, inner, buffer))
            if simple:
                copyInto(b, source, buffer, iv, positions)
                inner.buffers.append(buffer)
            else:
                fill(b, inner, source, buffer, iv, positions)
            if not late and b.chance(0.5):
                value = accumulate(b, value, readBack(b, inner, buffer))
        body(b, inner, b.between(0, 3))
        for buffer in b.random.sample(buffers, b.between(1, len(buffers))):
            value = accumulate(b, value, readBack(b, inner, buffer))

    repeated(b, trips, write)
    b.line(f"scf.yield {value.name} : {total.type}")
    b.close(f"}} {{tile.stages = {b.between(1, 4)} : i32}}" if b.chance(0.9) else "}")
    scope.fragments.append(inRange(total, out))
    if not simple and b.chance(0.3):
        scope.buffers += buffers
