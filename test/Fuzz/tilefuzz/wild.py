"""Special values: NaN, infinities, zeros of both signs, subnormals, extremes.

Fragments of such values stay among themselves: operations that are exact for every
value, moves between layouts and memory, conversions between floats, reductions to
extremes; then they are stored to memory of their own. Nothing here depends on the sign
of a zero that a minimum may choose, nor on the sign of a NaN.
"""

from tilefuzz import memory
from tilefuzz.arguments import argument
from tilefuzz.builder import *
from tilefuzz.layouts import fragmentLayout

VALUES = {"f32": "nan,inf,-inf,-0.0,0,1,-1,1e-40,-1e-45,3.4e38,-3.4e38,1e-38,2.5,-0.5,65520,1e20",
          "f64": "nan,inf,-inf,-0.0,0,1,-1,5e-324,1.7e308,-1.7e308,1e-310,1e39,-2.5,0.1,1e-46",
          "f16": "nan,inf,-inf,-0.0,0,1,-1,6e-8,-6e-5,65504,-65504,0.1,2.5,-0.5",
          "bf16": "nan,inf,-inf,-0.0,0,1,-1,1e-40,3.3e38,-3.3e38,0.1,2.5,448,-480",
          "f8E4M3FN": "nan,-0.0,0,1,-1,448,-448,0.002,-0.0156,240,0.5",
          "f8E5M2": "nan,inf,-inf,-0.0,0,1,-1,57344,-57344,1.5e-5,0.5"}
# Infinities and NaN as constants have to be spelt: both infinities, a NaN of either sign.
BITS = {"f32": ["0x7F800000", "0xFF800000", "0x7FC00000", "0xFFC00000"],
        "f64": ["0x7FF0000000000000", "0xFFF0000000000000", "0x7FF8000000000000",
                "0xFFF8000000000000"],
        "f16": ["0x7C00", "0xFC00", "0x7E00", "0xFE00"],
        "bf16": ["0x7F80", "0xFF80", "0x7FC0", "0xFFC0"]}
BINARY = ["addf", "subf", "mulf", "maximumf", "minimumf", "maxnumf", "minnumf"]
UNARY = ["arith.negf", "math.absf", "math.floor", "math.ceil", "math.trunc",
         "math.roundeven", "math.round"]


def named(b, x, text, elem=None):
    f = Fragment("", x.shape, elem or x.elem, math.inf, False, x.encoding)
    f.name = b.define("f", text)
    return f


def constant(b, x):
    value = b.pick(["0.0", "-0.0", "1.0", "-2.0", "0.5", "3.0"] + BITS[x.elem])
    return named(b, x, f"arith.constant dense<{value}> : {x.type}")


def compared(b, x, y):
    """A choice by a comparison or a classification."""
    if b.chance(0.6):
        p = b.pick(["oeq", "one", "olt", "ole", "ogt", "oge", "ueq", "une", "ult", "ule",
                    "ugt", "uge", "ord", "uno", "true", "false"])
        mask = named(b, x, f"arith.cmpf {p}, {x.name}, {y.name} : {x.type}", "i1")
    else:
        kind = b.pick(["isfinite", "isinf", "isnan"])
        mask = named(b, x, f"math.{kind} {x.name} : {x.type}", "i1")
    return named(b, x, f"arith.select {mask.name}, {x.name}, {y.name} : {mask.type}, {x.type}")


def converted(b, x):
    """The same in another width; from fp8 anything is wider."""
    wider = [e for e in EXACT if WIDTH[e] > WIDTH[x.elem]]
    narrower = [e for e in EXACT if WIDTH[e] < WIDTH[x.elem]]
    elem = b.pick(wider + narrower)
    op = "extf" if elem in wider else "truncf"
    to = tensorType(x.shape, elem, x.encoding)
    return named(b, x, f"arith.{op} {x.name} : {x.type} to {to}", elem)


def step(b, x, others):
    """One more value."""
    if isFp8(x.elem):
        return converted(b, x)
    mates = [y for y in others if y.type == x.type]
    y = b.pick(mates) if mates and b.chance(0.7) else constant(b, x)
    choice = b.random.random()
    if choice < 0.35:
        return named(b, x, f"arith.{b.pick(BINARY)} {x.name}, {y.name} : {x.type}")
    if choice < 0.5:
        return named(b, x, f"{b.pick(UNARY)} {x.name} : {x.type}")
    if choice < 0.65:
        return compared(b, x, y)
    if choice < 0.75:
        return named(b, x, f"math.fma {x.name}, {y.name}, {x.name} : {x.type}")
    return converted(b, constant(b, x) if b.chance(0.3) else x)


def moved(b, x):
    """The same values elsewhere: another layout, shared memory, other dimensions."""
    way = b.between(0, 2)
    result = Fragment("", x.shape, x.elem, math.inf, False, "")
    if way == 0:
        result.encoding = fragmentLayout(b, x.shape, b.warps)
        if result.type == x.type:
            return x
        result.name = b.define("f", f"tile.convert_layout {x.name} : {x.type} to {result.type}")
    elif way == 1 and b.sharedBytes < 24000:
        buffer = memory.allocate(b, x.shape, x.elem)
        b.line(f"tile.store {x.name}, {buffer.name} : {x.type}, {buffer.type}")
        result.name = b.define("f", f"tile.load {buffer.name} : {buffer.type} -> {result.type}")
    else:
        order = list(range(len(x.shape)))
        b.random.shuffle(order)
        result.shape = tuple(x.shape[d] for d in order)
        result.name = b.define("f", f"tile.transpose {x.name} {order} : {x.type} -> "
                                    f"{result.type}")
    return result


def extreme(b, x):
    """A minimum or maximum along some dimensions."""
    dims = sorted(b.random.sample(range(len(x.shape)), b.between(1, len(x.shape))))
    result = Fragment("", tuple(n for d, n in enumerate(x.shape) if d not in dims), x.elem,
                      math.inf, False)
    kind = b.pick(["maximumf", "minimumf", "maxnumf", "minnumf"])
    result.name = b.define("f", f"tile.reduce <{kind}> {x.name} dims {dims} : {x.type} -> "
                                f"{result.type}")
    return result


def wild(b, scope):
    """Statement: such values from memory through a chain to memory."""
    elem = b.pick(list(VALUES))
    shape = b.shape(limit=1024)
    source = argument(b, shape, elem, "wild", data=f"values({VALUES[elem]})")
    zeros = ", ".join([b.index(0)] * len(shape))
    x = Fragment("", shape, elem, math.inf, False)
    x.name = b.define("f", f"tile.load {source.name}[{zeros}] : {source.type} -> {x.type}")
    values = [x]
    for _ in range(b.between(1, 6)):
        x = step(b, x, values) if b.chance(0.8) else moved(b, x)
        values.append(x)
    if not isFp8(x.elem) and b.chance(0.25):
        x = extreme(b, x)
    target = memory.fresh(b, x.shape, x.elem, "output")
    target.role = "wild"
    text = memory.side(b, scope, target, x.shape, True)
    if text:
        b.line(f"tile.store {x.name}, {text} : {x.type}, {target.type}")
