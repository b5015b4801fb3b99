"""Reductions: of one value by kind or by combiner, of several values, argmax."""

from tilefuzz.builder import *
from tilefuzz.elementwise import fit, like
from tilefuzz.layouts import fragmentLayout


def chooseKind(b, elem):
    """A kind of reduction or scan for elements of a type."""
    if isFloat(elem):
        return b.pick(["add", "add", "maximumf", "minimumf", "maxnumf", "minnumf"])
    if elem == "i1":
        return b.pick(["and", "or", "xor"])
    return b.pick(["add", "add", "minsi", "maxsi", "minui", "maxui", "and", "or", "xor",
                   "mul"])


def summable(b, x, count):
    """The floats `x`, or smaller ones whose sums of `count` are exact in any order:
    sums are taken in f32 at least and rounded once."""
    limit = EXACT["f64" if x.elem == "f64" else "f32"]
    if not x.whole or x.bound * (count + 1) > limit:
        x = fit(b, x, CAP)
    if x.bound * (count + 1) > LARGE[x.elem]:
        x = fit(b, x, 1)
    return x


def combinable(fragments):
    """Those that reductions and scans take."""
    return [f for f in fragments if f.shape and f.elem != "index" and not isFp8(f.elem)]


def reduce(b, scope):
    """Statement: a reduction of one value, by kind or by combiner, or argmax."""
    mates = combinable(scope.fragments)
    if mates:
        reduceOf(b, scope, b.pick(mates))


def reduceOf(b, scope, x):
    """`x` reduced over some of its dimensions."""
    b.features["reduction"] += 1
    rank = len(x.shape)
    dims = sorted(b.random.sample(range(rank), b.between(1, rank)))
    count = product(x.shape[d] for d in dims)
    shape = tuple(n for d, n in enumerate(x.shape) if d not in dims)
    if x.elem in ("f32", "f64", "i32") and b.chance(0.12) and not x.encoding:
        return argmax(b, scope, x, dims, shape)
    kind = chooseKind(b, x.elem)
    bound, whole = x.bound, x.whole
    if kind == "add":
        if isFloat(x.elem):
            x = summable(b, x, count)
        bound = x.bound * (count + 1)
        whole = not isFloat(x.elem) or bound <= EXACT[x.elem]
    if isInteger(x.elem):
        bound = min(bound, 2.0**(WIDTH[x.elem] - 1)) if kind in (
            "add", "minsi", "maxsi") else 2.0**(WIDTH[x.elem] - 1)
        whole = True
    result = fixed(b, Fragment("", shape, x.elem, bound, whole))
    init = [f for f in scope.fragments if f.type == result.type and
            f.bound <= max(x.bound, 1) and f.whole]
    clause = f" init({b.pick(init).name})" if init and b.chance(0.5) else ""
    if b.chance(0.2) and kind not in ("add",) or (kind == "add" and isInteger(x.elem) and
                                                  b.chance(0.2)):
        return combiner(b, scope, x, dims, kind, clause, result)
    result.name = b.define("t", f"tile.reduce <{kind}> {x.name} dims {dims}{clause} : "
                                f"{x.type} -> {result.type}")
    scope.fragments.append(result)


def fixed(b, f):
    """A result with a layout of its own, sometimes."""
    if f.shape and b.chance(0.05):
        f.encoding = fragmentLayout(b, f.shape, b.warps)
    return f


COMBINERS = {"add": "addi", "mul": "muli", "and": "andi", "or": "ori", "xor": "xori"}


def combinerBody(b, elem, kind):
    """The region that combines two elements as a kind does; closes the operation."""
    left, right = b.name("x"), b.name("y")
    b.middle(f"^bb0({left}: {elem}, {right}: {elem}):")
    value = b.define("v", f"arith.{COMBINERS.get(kind, kind)} {left}, {right} : {elem}")
    b.line(f"tile.yield {value} : {elem}")
    b.close()


def combiner(b, scope, x, dims, kind, clause, result):
    result.name = b.name("t")
    b.open(f"{result.name} = tile.reduce ({x.name}) dims {dims}{clause} : "
           f"({x.type}) -> ({result.type}) {{")
    combinerBody(b, x.elem, kind)
    scope.fragments.append(result)


def argmax(b, scope, x, dims, shape):
    """Largest value and its position, the lowest on a tie."""
    ivs = [b.name("i") for _ in x.shape]
    positionsType = tensorType(x.shape, "i32")
    positions = b.name("t")
    b.open(f"{positions} = tile.parallel ({', '.join(ivs)}) in "
           f"({', '.join(map(str, x.shape))}) -> ({positionsType}) {{")
    linear = ivs[0]
    for n, iv in zip(x.shape[1:], ivs[1:]):
        size = b.index(n)
        scaled = b.define("i", f"arith.muli {linear}, {size} : index")
        linear = b.define("i", f"arith.addi {scaled}, {iv} : index")
    cast = b.define("v", f"arith.index_cast {linear} : index to i32")
    b.line(f"tile.yield {cast} : i32")
    b.close()
    value = Fragment(b.name("t"), shape, x.elem, x.bound, x.whole)
    place = Fragment(b.name("t"), shape, "i32", product(x.shape))
    b.open(f"{value.name}, {place.name} = tile.reduce ({x.name}, {positions}) dims {dims} : "
           f"({x.type}, {positionsType}) -> ({value.type}, {place.type}) {{")
    va, ia, vb, ib = (b.name("x") for _ in range(4))
    b.middle(f"^bb0({va}: {x.elem}, {ia}: i32, {vb}: {x.elem}, {ib}: i32):")
    op, greater, equal = (("cmpf", "ogt", "oeq") if isFloat(x.elem) else
                          ("cmpi", "sgt", "eq"))
    more = b.define("p", f"arith.{op} {greater}, {vb}, {va} : {x.elem}")
    same = b.define("p", f"arith.{op} {equal}, {vb}, {va} : {x.elem}")
    before = b.define("p", f"arith.cmpi slt, {ib}, {ia} : i32")
    tie = b.define("p", f"arith.andi {same}, {before} : i1")
    take = b.define("p", f"arith.ori {more}, {tie} : i1")
    v = b.define("v", f"arith.select {take}, {vb}, {va} : {x.elem}")
    i = b.define("v", f"arith.select {take}, {ib}, {ia} : i32")
    b.line(f"tile.yield {v}, {i} : {x.elem}, i32")
    b.close()
    scope.fragments += [value, place]


def kindFor(b, elem):
    """A kind whose result is exact for any values of the type within CAP."""
    if isFloat(elem):
        return b.pick(["maximumf", "minimumf", "maxnumf", "minnumf"])
    if elem == "i1":
        return b.pick(["andi", "ori", "xori"])
    return b.pick(["addi", "muli", "minsi", "maxsi", "minui", "maxui", "xori"])


def reduceSeveral(b, scope):
    """Statement: independent reductions of several fragments by one combiner."""
    mates = combinable(scope.fragments)
    if not mates:
        return
    b.features["reduction"] += 1
    first = b.pick(mates)
    same = [f for f in mates if f.shape == first.shape]
    xs = [first] + [b.pick(same) for _ in range(b.between(1, 3))]
    dims = sorted(b.random.sample(range(len(first.shape)), b.between(1, len(first.shape))))
    shape = tuple(n for d, n in enumerate(first.shape) if d not in dims)
    results = [Fragment(b.name("t"), shape, x.elem, x.bound if isFloat(x.elem) or
                        x.elem == "i1" else 2.0**(WIDTH[x.elem] - 1), x.whole) for x in xs]
    clause = ""
    if b.chance(0.4):
        init = [b.splat(b.between(0, 1), shape, x.elem) for x in xs]
        clause = f" init({', '.join(f.name for f in init)})"
        for f in results:
            f.bound = max(f.bound, 1)
    left, right = [b.name("x") for _ in xs], [b.name("x") for _ in xs]
    b.open(f"{', '.join(f.name for f in results)} = tile.reduce "
           f"({', '.join(x.name for x in xs)}) dims {dims}{clause} : "
           f"({', '.join(x.type for x in xs)}) -> ({', '.join(f.type for f in results)}) {{")
    places = [f"{n}: {x.elem}" for names in (left, right) for n, x in zip(names, xs)]
    b.middle(f"^bb0({', '.join(places)}):")
    values = [b.define("v", f"arith.{kindFor(b, x.elem)} {l}, {r} : {x.elem}")
              for x, l, r in zip(xs, left, right)]
    b.line(f"tile.yield {', '.join(values)} : {', '.join(x.elem for x in xs)}")
    b.close()
    scope.fragments += results
