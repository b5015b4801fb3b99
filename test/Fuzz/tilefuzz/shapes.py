"""Operations that change shapes and layouts: broadcast, transpose, reshape, slices,
reductions, layouts fixed by hand."""

from tilefuzz.builder import *
from tilefuzz.elementwise import constantLike, convert, fit, like


def plain(scope, limit=4096):
    return [f for f in scope.fragments if not f.encoding]


def broadcast(b, scope):
    mates = [f for f in plain(scope) if len(f.shape) < 3 and product(f.shape) <= 256]
    if not mates:
        return
    x = b.pick(mates)
    dims, shape = [], list(x.shape)
    for _ in range(b.between(1, 3 - len(shape))):
        shape.insert(b.between(0, len(shape)), -b.pick([1, 2, 3, 4, 8, 16, 33]))
    dims = [d for d, n in enumerate(shape) if n < 0]
    shape = [abs(n) for n in shape]
    if product(shape) > 4096:
        return
    result = like(b, x, "")
    result.shape = tuple(shape)
    result.name = b.define("t", f"tile.broadcast {x.name} dims {dims} : {x.type} -> {result.type}")
    scope.fragments.append(result)


def transpose(b, scope):
    mates = [f for f in plain(scope) if len(f.shape) > 1]
    if not mates:
        return
    x = b.pick(mates)
    order = list(range(len(x.shape)))
    b.random.shuffle(order)
    result = like(b, x, "")
    result.shape = tuple(x.shape[d] for d in order)
    result.name = b.define("t", f"tile.transpose {x.name} {order} : {x.type} -> {result.type}")
    scope.fragments.append(result)


def reshape(b, scope):
    x = b.pick(plain(scope) or [None])
    if x is None:
        return
    rank = len(x.shape)
    result = like(b, x, "")
    if rank > 1 and b.chance(0.5):
        first = b.between(0, rank - 2)
        groups = [[d] for d in range(first)] + [[first, first + 1]] + [
            [d] for d in range(first + 2, rank)]
        result.shape = tuple(product(x.shape[d] for d in g) for g in groups)
        result.name = b.define("t", f"tensor.collapse_shape {x.name} {groups} : "
                                    f"{x.type} into {result.type}")
    elif 0 < rank < 3:
        dim = b.between(0, rank - 1)
        n = x.shape[dim]
        inner = b.pick([d for d in range(1, n + 1) if n % d == 0])
        groups = [[d if d < dim else d + 1] for d in range(rank)]
        groups[dim] = [dim, dim + 1]
        result.shape = x.shape[:dim] + (n // inner, inner) + x.shape[dim + 1:]
        result.name = b.define("t", f"tensor.expand_shape {x.name} {groups} output_shape "
                                    f"{list(result.shape)} : {x.type} into {result.type}")
    else:
        return
    scope.fragments.append(result)


def slice(b, scope):
    mates = plain(scope)
    if not mates:
        return
    x = b.pick(mates)
    if not x.shape:
        return
    sizes = [b.between(1, n) if b.chance(0.6) else n for n in x.shape]
    starts = [b.between(0, n - e) for n, e in zip(x.shape, sizes)]
    units = [1] * len(sizes)
    if b.chance(0.5):
        kept = [e for e in sizes if e != 1 or b.chance(0.6)] or [sizes[0]]
        if product(kept) != product(sizes):
            kept = sizes
        result = like(b, x, "")
        result.shape = tuple(kept)
        result.name = b.define("t", f"tensor.extract_slice {x.name}{starts} {sizes} {units} : "
                                    f"{x.type} to {result.type}")
    else:
        others = [f for f in mates if f.elem == x.elem and len(f.shape) == len(x.shape)
                  and all(m <= n for m, n in zip(f.shape, x.shape))]
        y = b.pick(others)
        sizes = list(y.shape)
        starts = [b.between(0, n - e) for n, e in zip(x.shape, sizes)]
        result = like(b, x, "", bound=max(x.bound, y.bound), whole=x.whole and y.whole)
        result.name = b.define("t", f"tensor.insert_slice {y.name} into {x.name}{starts} "
                                    f"{sizes} {units} : {y.type} into {x.type}")
    scope.fragments.append(result)


def reduce(b, scope):
    """A reduction of one value, by kind or by combiner, or argmax."""
    mates = [f for f in scope.fragments if f.shape and f.elem != "index" and
             not isFp8(f.elem)]
    if not mates:
        return
    x = b.pick(mates)
    rank = len(x.shape)
    dims = sorted(b.random.sample(range(rank), b.between(1, rank)))
    count = product(x.shape[d] for d in dims)
    shape = tuple(n for d, n in enumerate(x.shape) if d not in dims)
    if x.elem in ("f32", "f64", "i32") and b.chance(0.12) and not x.encoding:
        return argmax(b, scope, x, dims, shape)
    if isFloat(x.elem):
        kind = b.pick(["add", "add", "maximumf", "minimumf", "maxnumf", "minnumf"])
    elif x.elem == "i1":
        kind = b.pick(["and", "or", "xor"])
    else:
        kind = b.pick(["add", "add", "minsi", "maxsi", "minui", "maxui", "and", "or",
                       "xor", "mul"])
    bound, whole = x.bound, x.whole
    if kind == "add":
        if isFloat(x.elem):
            # Sums are taken in f32 at least and rounded once.
            limit = EXACT["f64" if x.elem == "f64" else "f32"]
            if not x.whole or x.bound * (count + 1) > limit:
                x = fit(b, x, CAP)
            if x.bound * (count + 1) > LARGE[x.elem]:
                x = fit(b, x, 1)
        bound = x.bound * (count + 1)
        whole = not isFloat(x.elem) or bound <= EXACT[x.elem]
    if isInteger(x.elem):
        bound = min(bound, 2.0**(WIDTH[x.elem] - 1)) if kind in (
            "add", "minsi", "maxsi") else 2.0**(WIDTH[x.elem] - 1)
        whole = True
    result = Fragment("", shape, x.elem, bound, whole)
    init = [f for f in scope.fragments if f.type == result.type and
            f.bound <= max(x.bound, 1) and f.whole]
    clause = f" init({b.pick(init).name})" if init and b.chance(0.5) else ""
    if b.chance(0.2) and kind not in ("add",) or (kind == "add" and isInteger(x.elem) and
                                                  b.chance(0.2)):
        return combiner(b, scope, x, dims, kind, clause, result)
    result.name = b.define("t", f"tile.reduce <{kind}> {x.name} dims {dims}{clause} : "
                                f"{x.type} -> {result.type}")
    scope.fragments.append(result)


COMBINERS = {"add": "addi", "mul": "muli", "and": "andi", "or": "ori", "xor": "xori"}


def combiner(b, scope, x, dims, kind, clause, result):
    result.name = b.name("t")
    b.open(f"{result.name} = tile.reduce ({x.name}) dims {dims}{clause} : "
           f"({x.type}) -> ({result.type}) {{")
    left, right = b.name("x"), b.name("y")
    b.middle(f"^bb0({left}: {x.elem}, {right}: {x.elem}):")
    value = b.define("v", f"arith.{COMBINERS.get(kind, kind)} {left}, {right} : {x.elem}")
    b.line(f"tile.yield {value} : {x.elem}")
    b.close()
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


def factors(b, number):
    """A random factorization of `number`, in random order."""
    parts = []
    while number > 1:
        part = b.pick([d for d in range(2, number + 1) if number % d == 0])
        parts.append(part)
        number //= part
    return parts


def fragmentLayout(b, shape, warps):
    """A valid `#tile.fragment` of `shape` for `warps` warps.

    Every dimension gets a chain of digits, each step the product of the extents before;
    lanes and warps that find no room replicate, registers fill what is left.
    """
    rank = len(shape)
    digits = {"register": [], "lane": [], "warp": []}
    chains = [[] for _ in range(rank)]
    owned = [("lane", f) for f in factors(b, 32)] + [("warp", f) for f in factors(b, warps)]
    for hardware, extent in owned:
        chains[b.between(0, rank - 1)].append((hardware, extent))
    for dim, chain in enumerate(chains):
        b.random.shuffle(chain)
        if b.chance(0.5):
            chain.insert(0, ("register", b.pick([2, 4, 8])))
        step = 1
        for hardware, extent in chain:
            if step >= shape[dim] or (hardware == "register" and step * extent > shape[dim]):
                if hardware != "register":
                    digits[hardware].append((extent, None, 0))
                continue
            digits[hardware].append((extent, dim, step))
            step *= extent
        if step < shape[dim]:
            digits["register"].append((-(-shape[dim] // step), dim, step))
    texts = []
    for hardware in ("register", "lane", "warp"):
        b.random.shuffle(digits[hardware])
        parts = []
        for extent, dim, step in digits[hardware]:
            place = ", ".join(str(step if d == dim else 0) for d in range(rank))
            parts.append(f"{extent} : ({place})")
        texts.append(f"{hardware} = [{', '.join(parts)}]")
    return f"#tile.fragment<[{', '.join(map(str, shape))}], {', '.join(texts)}>"


def fixLayout(b, scope):
    """Converts a fragment to a layout fixed by hand, or releases it."""
    mates = [f for f in scope.fragments if f.shape and f.elem != "index"]
    if not mates:
        return
    x = b.pick(mates)
    result = like(b, x, "")
    result.encoding = "" if x.encoding and b.chance(0.5) else fragmentLayout(
        b, x.shape, b.warps)
    if result.type == x.type:
        return
    result.name = b.define("t", f"tile.convert_layout {x.name} : {x.type} to {result.type}")
    scope.fragments.append(result)
