"""What stands in the body of a pipelined loop: fills, uses and what is between them.

A `Body` is one iteration while it is written. `ready` are the buffers that may be read
where the next statement stands; those that only a fill of this iteration makes readable
are not read in front of it.
"""

from dataclasses import dataclass, field

from tilefuzz import memory
from tilefuzz.arguments import argument
from tilefuzz.builder import *
from tilefuzz.pipelinevalues import *


@dataclass
class Body:
    """`number` counts iterations from 0 and `steps` bounds it; `total` is carried."""
    b: object
    number: str
    steps: int
    total: Fragment
    buffers: list
    ready: set
    place: str = ""
    conditions: list = field(default_factory=list)
    readyIf: dict = field(default_factory=dict)
    depth: int = 0

    def inner(self, total=None):
        """The body of a region inside."""
        return Body(self.b, self.number, self.steps, total or self.total, self.buffers,
                    set(self.ready), self.place, list(self.conditions), {}, self.depth + 1)

    def readable(self):
        return [m for m in self.buffers if m.name in self.ready]


def guard(body):
    """A condition from memory, from the number of the iteration, or one used before."""
    b = body.b
    if body.conditions and b.chance(0.5):
        return b.pick(body.conditions)
    if b.chance(0.5):
        marks = integers(b, body.steps, -1, 1)
        value = b.define("e", f"memref.load {marks.name}[{body.number}] : {marks.type}")
        test = b.define("p", f"arith.cmpi sgt, {value}, {b.scalarConstant(0, 'i32')} : i32")
        b.features["condition from memory"] += 1
    else:
        rest = b.define("i", f"arith.remui {body.number}, {b.index(b.between(2, 3))} : index")
        test = b.define("p", f"arith.cmpi eq, {rest}, {b.index(b.between(0, 1))} : index")
    body.conditions.append(test)
    return test


# Fills.

def sourceOf(body, shape, elem):
    """A matrix to fill from, of another type sometimes."""
    b = body.b
    if isFloat(elem) and elem != "f32" and b.chance(0.15):
        elem = "f32"
    mates = [m for m in b.arguments if m.role in ("input", "state") and m.elem == elem and
             len(m.shape) == 2 and m.strides is None]
    if mates and b.chance(0.5):
        return b.pick(mates)
    rows = max(1, shape[0] * (body.steps + 1) - b.pick([0, 0, 0, 3]))
    return argument(b, (rows, shape[1] + b.pick([0, 0, 8, 1])), elem, "input")


def startOf(body, rows):
    """The row where an iteration's tile begins."""
    b = body.b
    if body.place and b.chance(0.5):
        return body.place
    if b.chance(0.2):
        pages = integers(b, body.steps, 0, body.steps)
        b.features["loaded place"] += 1
        return scaled(b, loadedIndex(b, pages, body.number), rows)
    return scaled(b, body.number, rows)


def copyBox(body, source, start, box, buffer, into):
    """tile.copy of a box of rows of `source` to rows of `buffer`."""
    b = body.b
    zero = b.index(0)
    pad = memory.padOf(b, buffer.elem)[0] if b.chance(0.3) else ""
    b.line(f"tile.copy {source.name}[{start}, {zero}] {box}{pad} to {buffer.name}[{into}, "
           f"{zero}] : {source.type} to {buffer.type}")


def fillWhole(body, buffer):
    b = body.b
    source = sourceOf(body, buffer.shape, buffer.elem)
    start = startOf(body, buffer.shape[0])
    column = b.index(b.pick([0, 0, 0, 8, 1]))
    b.line(f"tile.copy {source.name}[{start}, {column}] to {buffer.name} : {source.type} to "
           f"{buffer.type}")


def fillHalves(body, buffer):
    """Two copies, one of them through a view perhaps."""
    b = body.b
    rows, columns = buffer.shape
    half = rows // 2
    source, start = sourceOf(body, buffer.shape, buffer.elem), startOf(body, rows)
    copyBox(body, source, start, [half, columns], buffer, b.index(0))
    start = offset(b, start, half)
    if b.chance(0.5):
        return copyBox(body, source, start, [rows - half, columns], buffer, b.index(half))
    view = viewOf(b, buffer, half, rows - half)
    b.line(f"tile.copy {source.name}[{start}, {b.index(0)}] to {view.name} : {source.type} "
           f"to {view.type}")


def viewOf(b, buffer, first, rows):
    """The rows [first, first + rows)."""
    columns = buffer.shape[1]
    view = Memory("", (rows, columns), buffer.elem, "shared", strides=[columns, 1],
                  offset=first * columns, root=buffer)
    view.name = b.define("s", f"memref.subview {buffer.name}[{first}, 0] [{rows}, {columns}] "
                              f"[1, 1] : {buffer.type} to {view.type}")
    b.features["view of a slot"] += 1
    return view


def fillByLoop(body, buffer):
    """An inner loop with a constant number of trips."""
    b = body.b
    parts = b.pick([n for n in (1, 2, 4, 8) if buffer.shape[0] % n == 0])
    rows = buffer.shape[0] // parts
    source, start = sourceOf(body, buffer.shape, buffer.elem), startOf(body, buffer.shape[0])
    iv = b.name("i")
    b.open(f"scf.for {iv} = {b.index(0)} to {b.index(parts)} step {b.index(1)} {{")
    into = scaled(b, iv, rows)
    at = b.define("i", f"arith.addi {start}, {into} : index")
    copyBox(body, source, at, [rows, buffer.shape[1]], buffer, into)
    b.close()
    b.features["fill in an inner loop"] += 1


def fillEither(body, buffer):
    b = body.b
    b.open(f"scf.if {guard(body)} {{")
    fillWhole(body.inner(), buffer)
    b.middle("} else {")
    b.pick([fillWhole, fillHalves])(body.inner(), buffer)
    b.close()


def fillRows(body, buffer):
    """Rows whose indices are loaded."""
    b = body.b
    rows, columns = buffer.shape
    source = sourceOf(body, buffer.shape, buffer.elem)
    places = integers(b, rows * max(1, body.steps), -1, source.shape[0])
    start = scaled(b, body.number, rows)
    type = tensorType((rows,), "i32")
    name = b.define("r", f"tile.load {places.name}[{start}] : {places.type} -> {type}")
    zero = b.index(0)
    b.line(f"tile.copy {source.name}[{zero}, {zero}] {[rows, columns]} rows({name} : {type}) "
           f"dim 0 to {buffer.name} : {source.type} to {buffer.type}")
    b.features["gathered rows"] += 1


def fillImage(body, buffer):
    b = body.b
    image = argument(b, (1, b.between(3, 8), b.between(3, 8), b.pick([4, 8, 8, 16])),
                     buffer.elem, "input", mayBeStrided=False)
    start = startOf(body, buffer.shape[0])
    b.line(f"tile.im2col {image.name}[{start}, {b.index(b.pick([0, 8]))}] to {buffer.name} "
           f"{{kernel = [3, 3], strides = [1, 1], dilations = [1, 1], padding = [1, 1]}} : "
           f"{image.type} to {buffer.type}")
    b.features["im2col"] += 1


def fillFromRegisters(body, buffer):
    """A load and a store, of what was computed perhaps."""
    b = body.b
    source = sourceOf(body, buffer.shape, buffer.elem)
    x = Fragment("", buffer.shape, buffer.elem, CAP)
    start = startOf(body, buffer.shape[0])
    x.name = b.define("t", f"tile.load {source.name}[{start}, {b.index(0)}] : {source.type} "
                           f"-> {x.type}")
    if b.chance(0.5):
        x = ofIntegers(b, toIntegers(b, x), x.elem)
    b.line(f"tile.store {x.name}, {buffer.name} : {x.type}, {buffer.type}")


FULL = [fillWhole] * 6 + [fillHalves, fillHalves, fillByLoop, fillByLoop, fillEither,
                          fillRows, fillImage, fillFromRegisters]


def fillPart(body, buffer):
    """Some rows, any of them."""
    b = body.b
    rows = b.between(1, buffer.shape[0])
    into = b.index(b.between(0, buffer.shape[0] - rows))
    if b.chance(0.3):
        into = body.number
    copyBox(body, sourceOf(body, buffer.shape, buffer.elem), startOf(body, rows),
            [rows, buffer.shape[1]], buffer, into)
    b.features["partial fill"] += 1


def fillPerhaps(body, buffer):
    b = body.b
    test = guard(body)
    b.open(f"scf.if {test} {{")
    b.pick(FULL)(body.inner(), buffer)
    b.close()
    body.readyIf.setdefault(test, set()).add(buffer.name)
    b.features["guarded fill"] += 1


# Uses.

def readTile(body, buffer):
    """A tile of the shape of the total out of a buffer, in one of several ways."""
    b = body.b
    shape = body.total.shape
    first = b.between(0, buffer.shape[0] - shape[0])
    x = Fragment("", shape, buffer.elem, CAP)
    way = b.random.random()
    if way < 0.5:
        x.name = b.define("t", f"tile.load {buffer.name}[{b.index(first)}, {b.index(0)}] : "
                               f"{buffer.type} -> {x.type}")
    elif way < 0.7:
        view = viewOf(b, buffer, first, shape[0])
        x.name = b.define("t", f"tile.load {view.name} : {view.type} -> {x.type}")
    else:
        row, column, x.name = b.name("i"), b.name("i"), b.name("t")
        b.open(f"{x.name} = tile.parallel ({row}, {column}) in ({shape[0]}, {shape[1]}) -> "
               f"({x.type}) {{")
        last = b.index(first + shape[0] - 1)
        mirrored = b.define("i", f"arith.subi {last}, {row} : index")
        e = b.define("e", f"memref.load {buffer.name}[{mirrored}, {column}] : {buffer.type}")
        b.line(f"tile.yield {e} : {buffer.elem}")
        b.close()
    return x


def use(body, buffer):
    total = body.total
    body.total = inRange(total, hashed(body.b, total, readTile(body, buffer)))


def inRange(total, name):
    return Fragment(name, total.shape, total.elem, total.bound)


def useProduct(body, buffer):
    """A matrix product where the shapes allow it."""
    b, shape = body.b, body.total.shape
    mates = [m for m in body.readable() if m.shape == shape and m.elem == "f16"]
    if not mates or shape[0] != shape[1] or shape[0] % 16:
        return use(body, buffer)
    left, right = b.pick(mates), b.pick(mates)
    x = Fragment("", shape, "f32", 2.0**20)
    b.features["product"] += 1
    x.name = b.define("t", f"tile.gemm {left.name}, {right.name} : {left.type}, {right.type} "
                           f"-> {x.type}")
    body.total = inRange(body.total, hashed(b, body.total, x))


def useGuarded(body, buffer, test=None):
    """A use under a condition, which changes the total or does not."""
    b, total = body.b, body.total
    test = test or guard(body)
    name = b.name("t")
    b.open(f"{name} = scf.if {test} -> ({total.type}) {{")
    inner = body.inner()
    use(inner, buffer)
    b.line(f"scf.yield {inner.total.name} : {total.type}")
    b.middle("} else {")
    b.line(f"scf.yield {total.name} : {total.type}")
    b.close()
    body.total = inRange(total, name)


def useInLoop(body, buffer):
    """Several times in an inner loop, which updates it in place perhaps."""
    b, total = body.b, body.total
    name, carry, iv = b.name("t"), b.name("x"), b.name("i")
    b.open(f"{name} = scf.for {iv} = {b.index(0)} to {b.index(b.between(1, 3))} step "
           f"{b.index(1)} iter_args({carry} = {total.name}) -> ({total.type}) {{")
    inner = body.inner(inRange(total, carry))
    use(inner, buffer)
    if b.chance(0.2):
        update(inner, buffer)
    b.line(f"scf.yield {inner.total.name} : {total.type}")
    b.close()
    body.total = inRange(total, name)


def update(body, buffer):
    """Some rows of a slot changed in place, by what the total is perhaps."""
    b, shape = body.b, body.total.shape
    at = f"{b.index(b.between(0, buffer.shape[0] - shape[0]))}, {b.index(0)}"
    x = Fragment("", shape, buffer.elem, CAP)
    x.name = b.define("t", f"tile.load {buffer.name}[{at}] : {buffer.type} -> {x.type}")
    if b.chance(0.4):
        x = Fragment(hashed(b, body.total, x), shape, "i32", CAP)
    else:
        x = Fragment(hashed(b, toIntegers(b, x), x), shape, "i32", CAP)
    x = ofIntegers(b, x, buffer.elem)
    b.line(f"tile.store {x.name}, {buffer.name}[{at}] : {x.type}, {buffer.type}")
    b.features["update in place"] += 1


def useReduced(body, buffer):
    """Sums of rows, which go through scratch memory."""
    b, total = body.b, body.total
    x = toIntegers(b, readTile(body, buffer))
    sums = Fragment("", shape := total.shape[:1], "i32", CAP)
    sums.name = b.define("t", f"tile.reduce <add> {x.name} dims [1] : {x.type} -> {sums.type}")
    wide = Fragment("", total.shape, "i32", CAP)
    wide.name = b.define("t", f"tile.broadcast {sums.name} dims [1] : "
                              f"{tensorType(shape, 'i32')} -> {wide.type}")
    body.total = inRange(total, hashed(b, total, wide))


def useScalar(body, buffer):
    """One element, read by the block."""
    b, total = body.b, body.total
    if buffer.elem not in ("i32", "f32"):
        return use(body, buffer)
    at = f"{b.index(b.between(0, buffer.shape[0] - 1))}, {b.index(0)}"
    e = b.define("e", f"memref.load {buffer.name}[{at}] : {buffer.type}")
    if buffer.elem == "f32":
        e = b.define("e", f"arith.fptosi {e} : f32 to i32")
    wide = b.define("t", f"tensor.splat {e} : {total.type}")
    body.total = inRange(total, hashed(b, total, inRange(total, wide)))


USES = [use] * 5 + [useProduct, useProduct, useGuarded, useInLoop, update, useReduced,
                    useScalar]
