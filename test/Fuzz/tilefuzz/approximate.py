"""Functions of `math` that are not exact, stored to arguments of their own.

Inputs are in the domain of each function, and results are compared with the tolerance
that docs/Language.md gives: 2 ulp in f32, 4 for powf; more where `afn` lets the
hardware approximate.
"""

from tilefuzz.builder import *
from tilefuzz.elementwise import constantLike, fit, like, typeOf
from tilefuzz.memory import fresh, side

ANYWHERE = ["exp", "exp2", "sin", "cos", "tanh", "erf", "expm1"]
FROM_ONE = ["log", "log2", "log1p", "sqrt", "rsqrt"]
HARDWARE = ["exp", "exp2", "log", "log2", "sin", "cos", "tanh", "rsqrt", "sqrt"]
TOLERANCE = {"f32": "2e-6", "f64": "1e-12", "f16": "4e-3", "bf16": "4e-2"}


def fromOne(b, x):
    """|x| + 1."""
    absolute = b.define("v", f"math.absf {x.name} : {typeOf(x)}")
    one = constantLike(b, x, 1)
    return like(b, x, b.define("v", f"arith.addf {absolute}, {one.name} : {typeOf(x)}"))


def approximate(b, x):
    """A function of `x` and the tolerance of its comparison."""
    x = fit(b, x, 4)
    t = typeOf(x)
    op = b.pick(ANYWHERE + FROM_ONE + ["powf", "powf", "divf"])
    tolerance, flags = TOLERANCE[x.elem], ""
    if op in FROM_ONE + ["powf"]:
        x = fromOne(b, x)
    if (op in HARDWARE or op == "divf") and b.chance(0.25):
        flags, tolerance = " fastmath<afn>", "4e-2" if x.elem == "bf16" else "4e-3"
    if op in ("powf", "divf"):
        other = constantLike(b, x, b.pick([2, -2, 0.5, 3, 1, -1.5]))
        name = f"{'math.powf' if op == 'powf' else 'arith.divf'} {x.name}, {other.name}"
    else:
        name = f"math.{op} {x.name}"
    return like(b, x, b.define("m", f"{name}{flags} : {t}"), whole=False, bound=100), tolerance


def approximated(b, scope):
    """Statement: a fragment through a function to memory."""
    mates = [f for f in scope.fragments if f.elem in TOLERANCE and f.shape]
    if not mates:
        return
    fragment, tolerance = approximate(b, b.pick(mates))
    memory = fresh(b, fragment.shape, fragment.elem, "output", tolerance=tolerance)
    # Nothing else is stored there: other results are compared exactly.
    memory.role = "approximate"
    text = side(b, scope, memory, fragment.shape, True)
    if text:
        b.line(f"tile.store {fragment.name}, {text} : {fragment.type}, {memory.type}")
