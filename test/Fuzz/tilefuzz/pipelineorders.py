"""Loops whose operations say their stage and order, legal or not.

What a legal schedule means is what the program means without it. One that is not is an
error, which says which operation would run before which.
"""

from tilefuzz.arguments import argument, scalarArgument
from tilefuzz.builder import *
from tilefuzz.memory import allocate
from tilefuzz.pipelinevalues import hashed, integers

# How the compiler refuses a schedule.
REFUSAL = r"error: .* would run before "


class Statements:
    """The body: text with a hole for the attributes of its schedule."""

    def __init__(self, b, shape, total, iv):
        self.b, self.shape, self.total, self.iv = b, shape, total, iv
        self.texts = []
        self.type = total.type

    def add(self, text):
        self.texts.append(text)

    def define(self, text):
        name = self.b.name("v")
        self.add(f"{name} = {text}")
        return name

    def fold(self, value):
        scaled = self.define(f"arith.muli {self.total.name}, %three {{}} : {self.type}")
        name = self.define(f"arith.addi {scaled}, {value} {{}} : {self.type}")
        self.total = Fragment(name, self.shape, "i32", CAP)


def fill(body, source, buffer, row):
    body.add(f"tile.copy {source.name}[{row}, %zero] to {buffer.name} {{}} : {source.type} to "
             f"{buffer.type}")


def use(body, buffer):
    """A use of what is in a buffer, which changes it perhaps."""
    x = body.define(f"tile.load {buffer.name} {{}} : {buffer.type} -> {body.type}")
    if body.b.chance(0.25):
        y = body.define(f"arith.addi {x}, {x} {{}} : {body.type}")
        body.add(f"tile.store {y}, {buffer.name} {{}} : {body.type}, {buffer.type}")
        x = y
    return x


def writeBody(body, buffers, sources, pages):
    b = body.b
    row = body.define(f"arith.muli {body.iv}, %rows {{}} : index")
    if pages and b.chance(0.6):
        page = body.define(f"memref.load {pages.name}[{body.iv}] {{}} : {pages.type}")
        page = body.define(f"arith.index_cast {page} {{}} : i32 to index")
        row = body.define(f"arith.muli {page}, %rows {{}} : index")
    for source, buffer in zip(sources, buffers):
        fill(body, source, buffer, row)
    values = [use(body, b.pick(buffers)) for _ in range(b.between(1, 3))]
    if b.chance(0.3):
        values.append(body.define(f"tile.load {sources[0].name}[{row}, %zero] {{}} : "
                                  f"{sources[0].type} -> {body.type}"))
    for value in values:
        body.fold(value)


def scheduled(b, texts, stages):
    """Stages that grow along the body, mostly, and an order."""
    count = len(texts)
    at = sorted(b.between(0, stages - 1) for _ in range(count))
    if b.chance(0.3):
        at[b.between(0, count - 1)] = b.between(0, stages - 1)
    order = list(range(count))
    way = b.random.random()
    if way < 0.3:
        # What runs ahead behind the rest.
        order = sorted(order, key=lambda i: -at[i])
    elif way < 0.45:
        order = sorted(order, key=lambda i: (b.random.random(), i))
    elif way < 0.6:
        i = b.between(0, count - 1)
        order.insert(b.between(0, count - 1), order.pop(i))
    position = {statement: place for place, statement in enumerate(order)}
    for i, text in enumerate(texts):
        attributes = (f"{{tile.pipeline_stage = {at[i]} : i32, "
                      f"tile.pipeline_order = {position[i]} : i32}}")
        b.line(text.replace("{}", attributes, 1))


def explicitLoop(b, shape, total):
    """A loop with such a schedule; what its total is behind it."""
    stages = b.between(1, 5)
    trips = b.between(0, 2 * stages + 1)
    buffers = [allocate(b, shape, "i32", layout=False) for _ in range(b.between(1, 3))]
    sources = [argument(b, (shape[0] * (trips + 1), shape[1]), "i32", "input",
                        mayBeStrided=False) for _ in buffers]
    pages = integers(b, trips, 0, trips) if b.chance(0.4) else None
    first = b.splat(1, shape, "i32")
    last = [buffer for buffer in buffers if b.chance(0.2)]
    for buffer in last:
        b.line(f"tile.store {first.name}, {buffer.name} : {first.type}, {buffer.type}")
    upper = b.index(trips) if b.chance(0.4) else scalarArgument(b, trips).name
    lower, step, zero, rows = (b.index(n) for n in (0, 1, 0, shape[0]))
    three = b.splat(3, shape, "i32").name
    iv, carry, out = b.name("i"), b.name("x"), b.name("t")
    b.open(f"{out} = scf.for {iv} = {lower} to {upper} step {step} iter_args({carry} = "
           f"{total.name}) -> ({total.type}) {{")
    body = Statements(b, shape, Fragment(carry, shape, "i32", CAP), iv)
    writeBody(body, buffers, sources, pages)
    named = [text.replace("%zero", zero).replace("%rows", rows).replace("%three", three)
             for text in body.texts]
    scheduled(b, named, stages)
    b.line(f"scf.yield {body.total.name} : {total.type}")
    b.close(f"}} {{tile.stages = {stages} : i32}}")
    b.features["explicit schedule"] += 1
    total = Fragment(out, shape, "i32", CAP)
    for buffer in last:
        x = Fragment(b.define("t", f"tile.load {buffer.name} : {buffer.type} -> {total.type}"),
                     shape, "i32", CAP)
        total = Fragment(hashed(b, total, x), shape, "i32", CAP)
    return total
