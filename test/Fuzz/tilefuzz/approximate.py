"""Functions of `math` that are not exact, stored to arguments of their own.

Inputs are in the domain of each function; flags let the hardware approximate some.
"""

from tilefuzz.builder import *
from tilefuzz.elementwise import constantLike, fit, like, typeOf
from tilefuzz.memory import fresh, side

ANYWHERE = ["exp", "exp2", "sin", "cos", "tanh", "erf", "expm1"]
FROM_ONE = ["log", "log2", "log1p", "sqrt", "rsqrt"]
HARDWARE = ["exp", "exp2", "log", "log2", "sin", "cos", "tanh", "rsqrt", "sqrt"]


def fromOne(b, x):
    """|x| + 1."""
    absolute = b.define("v", f"math.absf {x.name} : {typeOf(x)}")
    one = constantLike(b, x, 1)
    return like(b, x, b.define("v", f"arith.addf {absolute}, {one.name} : {typeOf(x)}"))


def approximate(b, x):
    """A function of `x`."""
    x = fit(b, x, 4)
    t = typeOf(x)
    op = b.pick(ANYWHERE + FROM_ONE + ["powf", "powf", "divf"])
    flags = ""
    if op in FROM_ONE + ["powf"]:
        x = fromOne(b, x)
    if (op in HARDWARE or op == "divf") and b.chance(0.25):
        flags = " fastmath<afn>"
    if op in ("powf", "divf"):
        other = constantLike(b, x, b.pick([2, -2, 0.5, 3, 1, -1.5]))
        name = f"{'math.powf' if op == 'powf' else 'arith.divf'} {x.name}, {other.name}"
    else:
        name = f"math.{op} {x.name}"
    return like(b, x, b.define("m", f"{name}{flags} : {t}"), whole=False, bound=100)


def approximated(b, scope):
    """Statement: a fragment through a function to memory."""
    mates = [f for f in scope.fragments if f.elem in FLOATS and f.shape]
    if not mates:
        return
    fragment = approximate(b, b.pick(mates))
    memory = fresh(b, fragment.shape, fragment.elem, "output")
    # Nothing else is stored there: other results are compared exactly.
    memory.role = "approximate"
    text = side(b, scope, memory, fragment.shape, True)
    if text:
        b.line(f"tile.store {fragment.name}, {text} : {fragment.type}, {memory.type}")
