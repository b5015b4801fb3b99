"""Elementwise arith and math on values: chains, conversions, clamping.

All functions take and return values of builder.py; scalars and fragments are written
the same way, so the bodies of tile.parallel use them too.
"""

from tilefuzz.builder import *


def like(b, value, name, elem=None, bound=None, whole=None):
    """A value of the same shape as `value`."""
    elem = elem or value.elem
    bound = value.bound if bound is None else bound
    whole = value.whole if whole is None else whole
    if isinstance(value, Scalar):
        return Scalar(name, elem, bound, whole)
    return Fragment(name, value.shape, elem, bound, whole, value.encoding)


def typeOf(value, elem=None):
    elem = elem or value.elem
    if isinstance(value, Scalar):
        return elem
    return tensorType(value.shape, elem, value.encoding)


def constantLike(b, value, number, elem=None):
    elem = elem or value.elem
    if isinstance(value, Scalar):
        return Scalar(b.scalarConstant(number, elem), elem, abs(number),
                      number == int(number))
    return b.splat(number, value.shape, elem, value.encoding)


def finish(b, value, name, bound, whole, elem=None):
    """Books a result; integers wrap, floats past the exact range are rounded."""
    elem = elem or value.elem
    if isFloat(elem):
        if bound > EXACT[elem]:
            whole = False
    elif elem not in ("i1",):
        full = 2.0**(WIDTH[elem] - 1)
        bound, whole = min(bound, full) if bound <= full else full, True
    return like(b, value, name, elem, bound, whole)


def fit(b, value, cap):
    """`value` within [-cap, cap] and whole."""
    if isFp8(value.elem):
        return fitFp8(b, value, cap)
    t = typeOf(value)
    if isFloat(value.elem):
        if not value.whole:
            op = b.pick(["floor", "roundeven", "trunc", "ceil"])
            value = like(b, value, b.define("v", f"math.{op} {value.name} : {t}"),
                         whole=True, bound=value.bound + 1)
        if value.bound > cap:
            high = constantLike(b, value, cap)
            low = constantLike(b, value, -cap)
            kind = b.pick(["imum", "num"])
            first = b.define("v", f"arith.min{kind}f {value.name}, {high.name} : {t}")
            name = b.define("v", f"arith.max{kind}f {first}, {low.name} : {t}")
            value = like(b, value, name, bound=cap, whole=True)
    elif value.elem != "i1" and value.bound > cap:
        divisor = constantLike(b, value, cap + 1)
        name = b.define("v", f"arith.remsi {value.name}, {divisor.name} : {t}")
        value = like(b, value, name, bound=cap, whole=True)
    return value


def fitFp8(b, value, cap):
    if value.bound <= cap and value.whole:
        return value
    wide = convert(b, value, "f32")
    return convert(b, fit(b, wide, min(cap, EXACT[value.elem])), value.elem)


def flagsOf(b, exact):
    """Flags that cannot change the result: any where it is exact."""
    if not exact or not b.chance(0.1):
        return ""
    return f" fastmath<{b.pick(['contract', 'reassoc', 'nnan,ninf', 'nsz', 'arcp', 'fast'])}>"


def positiveZero(b, x):
    """`x` with a zero of known sign, whatever it was."""
    zero = constantLike(b, x, 0)
    return like(b, x, b.define("v", f"arith.addf {x.name}, {zero.name} : {typeOf(x)}"))


def floatBinary(b, x, y):
    t = typeOf(x)
    for _ in range(4):
        op = b.pick(["addf", "subf", "mulf", "maximumf", "minimumf", "maxnumf",
                     "minnumf", "divf", "remf", "copysign"])
        whole = x.whole and y.whole
        bound = {"addf": x.bound + y.bound, "subf": x.bound + y.bound,
                 "mulf": x.bound * y.bound}.get(op, max(x.bound, y.bound))
        if op == "divf":
            y = constantLike(b, x, b.pick([2, -3, 0.5, 7, 1]))
            bound, whole = x.bound * 2, False
        if op == "remf":
            y = constantLike(b, x, b.pick([2, -3, 7, 5]))
            bound, whole = x.bound, x.whole
        if op == "copysign":
            y = positiveZero(b, y)
            name = b.define("v", f"math.copysign {x.name}, {y.name} : {t}")
            return finish(b, x, name, x.bound, x.whole)
        if bound <= LARGE[x.elem]:
            flags = flagsOf(b, whole and bound <= EXACT[x.elem])
            name = b.define("v", f"arith.{op} {x.name}, {y.name}{flags} : {t}")
            return finish(b, x, name, bound, whole)
    return fit(b, x, CAP)


def extended(b, x, y):
    """One half of a wide result."""
    op = b.pick(["addui_extended", "mulsi_extended", "mului_extended"])
    t = typeOf(x)
    low, high = b.name("v"), b.name("v")
    second = typeOf(x, "i1") if op == "addui_extended" else None
    tail = f"{t}, {second}" if second else t
    b.line(f"{low}, {high} = arith.{op} {x.name}, {y.name} : {tail}")
    if b.chance(0.6):
        return finish(b, x, low, math.inf, True)
    if second:
        return like(b, x, high, "i1", 1, True)
    return finish(b, x, high, math.inf, True)


def integerBinary(b, x, y):
    t = typeOf(x)
    op = b.pick(["addi", "subi", "muli", "andi", "ori", "xori", "minsi", "maxsi",
                 "minui", "maxui", "divsi", "remsi", "shli", "shrsi", "shrui", "divui",
                 "remui", "floordivsi", "ceildivsi", "ceildivui", "extended"])
    if op == "extended":
        return extended(b, x, y)
    bound = {"addi": x.bound + y.bound, "subi": x.bound + y.bound,
             "muli": x.bound * y.bound, "minsi": max(x.bound, y.bound),
             "maxsi": max(x.bound, y.bound)}.get(op, math.inf)
    if op in ("divsi", "remsi", "divui", "remui", "floordivsi", "ceildivsi", "ceildivui"):
        if b.chance(0.4) and op in ("remsi", "remui", "divui", "ceildivui"):
            one = constantLike(b, x, 1)
            # The smallest integer has no remainder by -1.
            if op == "remsi":
                y = like(b, y, b.define("v", f"arith.shrui {y.name}, {one.name} : {t}"))
            y = like(b, y, b.define("v", f"arith.ori {y.name}, {one.name} : {t}"))
        else:
            y = constantLike(b, x, b.pick([1, 2, 3, 5, 7, 7 if x.elem == "i4" else 16]))
        bound = x.bound if op[-2] == "s" else math.inf
    if op in ("shli", "shrsi", "shrui"):
        y = constantLike(b, x, b.between(0, WIDTH[x.elem] - 1))
        bound = x.bound if op == "shrsi" else math.inf
    name = b.define("v", f"arith.{op} {x.name}, {y.name} : {t}")
    return finish(b, x, name, bound, True)


def unary(b, x):
    t = typeOf(x)
    if isFloat(x.elem):
        op = b.pick(["arith.negf", "math.absf", "math.floor", "math.ceil",
                     "math.trunc", "math.roundeven", "math.round", "is", "bits"])
        if op == "is":
            name = b.define("p", f"math.is{b.pick(['finite', 'inf', 'nan'])} {x.name} : {t}")
            return like(b, x, name, "i1", 1, True)
        if op == "bits":
            x = positiveZero(b, x)
            elem = f"i{WIDTH[x.elem]}"
            name = b.define("v", f"arith.bitcast {x.name} : {t} to {typeOf(x, elem)}")
            return finish(b, x, name, math.inf, True, elem)
        whole = x.whole or op not in ("arith.negf", "math.absf")
        bound = x.bound if x.whole else x.bound + 1
        return finish(b, x, b.define("v", f"{op} {x.name} : {t}"), bound, whole)
    op = b.pick(["math.absi", "math.ctpop", "math.ctlz"])
    return finish(b, x, b.define("v", f"{op} {x.name} : {t}"), math.inf, True)


def compare(b, x, y):
    t = typeOf(x)
    if isFloat(x.elem):
        p = b.pick(["oeq", "one", "olt", "ole", "ogt", "oge", "ueq", "une", "ult",
                    "ule", "ugt", "uge", "ord", "uno"])
        name = b.define("p", f"arith.cmpf {p}, {x.name}, {y.name} : {t}")
    else:
        p = b.pick(["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"])
        name = b.define("p", f"arith.cmpi {p}, {x.name}, {y.name} : {t}")
    return like(b, x, name, "i1", 1, True)


def select(b, mask, x, y):
    t = typeOf(x)
    isUniform = isinstance(x, Scalar) or isinstance(mask, Scalar)
    head = "" if isUniform else f"{typeOf(mask)}, "
    name = b.define("v", f"arith.select {mask.name}, {x.name}, {y.name} : {head}{t}")
    return like(b, x, name, bound=max(x.bound, y.bound), whole=x.whole and y.whole)


def convert(b, x, elem):
    """`x` as another element type, in range."""
    source = x.elem
    if source == elem:
        return x
    if source == "i1":
        op, bound = ("arith.extui", 1) if isInteger(elem) else ("arith.uitofp", 1)
        if isFp8(elem) and not mayUse("integer to fp8"):
            return x
        if isFp8(elem):
            return convert(b, convert(b, x, "f32"), elem)
    elif isFloat(source) and isFloat(elem):
        if WIDTH[elem] == WIDTH[source]:
            return convert(b, convert(b, x, "f32"), elem)
        if x.bound > LARGE[elem]:
            x = fit(b, x, CAP)
        op = "arith.extf" if WIDTH[elem] > WIDTH[source] else "arith.truncf"
        bound = x.bound
    elif isFloat(source):
        if isFp8(source):
            return convert(b, convert(b, x, "f32"), elem)
        if x.bound >= 2.0**(WIDTH[elem] - 1) - 1:
            x = fit(b, x, min(CAP, 2.0**(WIDTH[elem] - 1) - 1))
        op, bound = "arith.fptosi", x.bound
        if b.chance(0.2):
            name = b.define("v", f"math.absf {x.name} : {typeOf(x)}")
            x, op = like(b, x, name), "arith.fptoui"
    elif isFloat(elem):
        if isFp8(elem) and not mayUse("integer to fp8"):
            return x
        if isFp8(elem):
            return convert(b, convert(b, x, "f32"), elem)
        if x.bound > EXACT[elem]:
            x = fit(b, x, 100)
        op, bound = "arith.sitofp", x.bound
        if b.chance(0.15):
            # As unsigned: small or just below the type's range, then made small.
            name = b.define("v", f"arith.uitofp {x.name} : {typeOf(x)} to {typeOf(x, 'f64')}")
            wide = like(b, x, name, "f64", 2.0**64, False)
            return convert(b, fit(b, wide, 100), elem)
    elif WIDTH[elem] > WIDTH[source]:
        op = b.pick(["arith.extsi", "arith.extsi", "arith.extui"])
        bound = x.bound if op == "arith.extsi" else 2.0**WIDTH[source]
    else:
        op, bound = "arith.trunci", x.bound
    name = b.define("v", f"{op} {x.name} : {typeOf(x)} to {typeOf(x, elem)}")
    whole = x.whole and not (isFloat(elem) and bound > EXACT[elem])
    if op in ("arith.fptosi", "arith.fptoui"):
        whole = True
    return finish(b, x, name, bound, whole, elem)


def step(b, x, others):
    """One random operation on `x` with an operand from `others` or a constant."""
    if x.elem == "i1":
        mates = [y for y in others if y.elem == "i1"]
        if mates and b.chance(0.6):
            op = b.pick(["andi", "ori", "xori"])
            name = b.define("p", f"arith.{op} {x.name}, {b.pick(mates).name} : {typeOf(x)}")
            return like(b, x, name, "i1", 1, True)
        return convert(b, x, b.pick(["i32", "f32", "i8", "f16"]))
    if x.elem == "index":
        op, elem = b.pick(["index_cast", "index_cast", "index_castui"]), b.pick(["i32", "i64"])
        name = b.define("v", f"arith.{op} {x.name} : {typeOf(x)} to {typeOf(x, elem)}")
        return finish(b, x, name, x.bound, True, elem)
    if isFp8(x.elem):
        return convert(b, x, b.pick(["f32", "f16", "f32", "bf16"]))
    mates = [y for y in others if y.elem == x.elem]
    y = b.pick(mates) if mates and b.chance(0.7) else constantLike(
        b, x, b.pick([1, 2, 3, -1, -2, 5] + ([0.5] if isFloat(x.elem) else [])))
    choice = b.random.random()
    if choice < 0.55:
        return floatBinary(b, x, y) if isFloat(x.elem) else integerBinary(b, x, y)
    if choice < 0.67:
        return unary(b, x)
    if choice < 0.82:
        if b.chance(0.3):
            return compare(b, x, y)
        return select(b, compare(b, x, y), x, y)
    if choice < 0.87 and isFloat(x.elem):
        if x.bound * y.bound + x.bound <= LARGE[x.elem]:
            name = b.define("v", f"math.fma {x.name}, {y.name}, {x.name} : {typeOf(x)}")
            return finish(b, x, name, x.bound * y.bound + x.bound, x.whole and y.whole)
    return convert(b, x, b.pick(FLOATS + INTEGERS + FP8 + ["i4", FP4]))
