"""Operations that change shapes and layouts: broadcast, transpose, reshape, slices,
other element widths, layouts fixed by hand."""

from tilefuzz.builder import *
from tilefuzz.elementwise import constantLike, convert, fit, like, positiveZero
from tilefuzz.layouts import fragmentLayout


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
    """Statement: a part of a fragment, or a fragment in the place of such a part."""
    mates = [f for f in plain(scope) if f.shape]
    if mates:
        b.pick([extractOf, insertInto])(b, scope, b.pick(mates))


def partOf(b, n, extent):
    """Where a part of `extent` begins in `n`: at any place, or at a whole part."""
    whole = n // extent
    return extent * b.between(0, whole - 1) if b.chance(0.4) else b.between(0, n - extent)


def extractOf(b, scope, x):
    sizes = [b.between(1, n) if b.chance(0.6) else b.pick([n, max(1, n // 2)])
             for n in x.shape]
    starts = [partOf(b, n, e) for n, e in zip(x.shape, sizes)]
    kept = [e for e in sizes if e != 1 or b.chance(0.6)] or [sizes[0]]
    if product(kept) != product(sizes):
        kept = sizes
    result = like(b, x, "")
    result.shape = tuple(kept)
    result.name = b.define("t", f"tensor.extract_slice {x.name}{starts} {sizes} "
                                f"{[1] * len(sizes)} : {x.type} to {result.type}")
    b.features["extract_slice"] += 1
    scope.fragments.append(result)


def insertInto(b, scope, x):
    """A fragment in the place of a part of `x`, of lower rank perhaps."""
    others = [f for f in plain(scope) if f.elem == x.elem and len(f.shape) == len(x.shape)
              and all(m <= n for m, n in zip(f.shape, x.shape))]
    y = b.pick(others)
    sizes = list(y.shape)
    starts = [partOf(b, n, e) for n, e in zip(x.shape, sizes)]
    result = like(b, x, "", bound=max(x.bound, y.bound), whole=x.whole and y.whole)
    result.name = b.define("t", f"tensor.insert_slice {y.name} into {x.name}{starts} {sizes} "
                                f"{[1] * len(sizes)} : {y.type} into {x.type}")
    b.features["insert_slice"] += 1
    scope.fragments.append(result)


def fixLayout(b, scope):
    """Converts a fragment to a layout fixed by hand, or releases it."""
    mates = [f for f in scope.fragments if f.shape and f.elem != "index"]
    if not mates:
        return
    x = b.pick(mates)
    convertTo(b, scope, x, "" if x.encoding and b.chance(0.5) else fragmentLayout(
        b, x.shape, b.warps))


def convertTo(b, scope, x, encoding):
    """`x` in the layout `encoding`; free where that is empty."""
    result = like(b, x, "")
    result.encoding = encoding
    if result.type == x.type:
        return
    result.name = b.define("t", f"tile.convert_layout {x.name} : {x.type} to {result.type}")
    scope.fragments.append(result)


def bitcast(b, scope):
    """Statement: the bits of a fragment as elements of another width."""
    mates = [f for f in plain(scope) if f.shape and f.elem not in ("i1", "index") and
             not isFp8(f.elem)]
    if not mates:
        return
    x = b.pick(mates)
    x = positiveZero(b, x) if isFloat(x.elem) else x
    widths = [w for w in (4, 8, 16, 32, 64) if x.shape[-1] * WIDTH[x.elem] % w == 0]
    elem = f"i{b.pick(widths)}"
    shape = x.shape[:-1] + (x.shape[-1] * WIDTH[x.elem] // WIDTH[elem],)
    result = Fragment("", shape, elem, 2.0**(WIDTH[elem] - 1))
    result.name = b.define("t", f"tile.bitcast {x.name} : {x.type} -> {result.type}")
    scope.fragments.append(result)
