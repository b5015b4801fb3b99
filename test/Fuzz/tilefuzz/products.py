"""Matrix products: every pair of types, operands in shared memory and registers,
alone and accumulated over a pipelined loop."""

from tilefuzz import memory
from tilefuzz.arguments import scalarArgument
from tilefuzz.builder import *
from tilefuzz.elementwise import fit, step

# Operand type, result type, multiple of K, extra attributes.
PRODUCTS = [("f16", "f32", 16, ""), ("f16", "f32", 16, ""), ("bf16", "f32", 16, ""),
            ("f16", "f16", 16, ""), ("f32", "f32", 1, ""),
            ("f32", "f32", 1, "precision = #tile.precision<ieee>"),
            ("f32", "f32", 8, "precision = #tile.precision<tf32>"),
            ("f64", "f64", 4, ""), ("i8", "i32", 32, ""),
            ("f8E4M3FN", "f32", 32, ""), ("f8E5M2", "f32", 32, ""),
            ("f8E4M3FN", "f16", 32, ""), ("f8E5M2", "f16", 32, "")]


def tileOf(source, zero, at, shape):
    """The side of a tile that begins at `at` in the last dimensions of a memref and at
    `zero` in the others, with a box where those are more than the tile has."""
    start = ", ".join([zero] * (len(source.shape) - len(at)) + at)
    lead = len(source.shape) - len(shape)
    box = f" [{', '.join(['1'] * lead + list(map(str, shape)))}]" if lead else ""
    return f"{source.name}[{start}]{box}"


def otherElem(b, elem):
    """Operands have one type, f8 apart."""
    return b.pick(FP8) if isFp8(elem) else elem


def operand(b, scope, shape, elem, isSmall):
    """A whole operand of a product: text, type and bound."""
    if b.chance(0.5) and b.sharedBytes < 40000:
        buffer = memory.allocate(b, shape, elem)
        if isSmall or not memory.fillFromMemory(b, scope, buffer):
            source = memory.fresh(b, shape, elem, "input")
            text = memory.side(b, scope, source, shape, False)
            b.line(f"tile.copy {text} to {buffer.name} : {source.type} to {buffer.type}")
            return buffer.name, buffer.type, 3
        return buffer.name, buffer.type, CAP
    views = [m for m in scope.buffers if m.isShared and m.shape == shape and m.elem == elem]
    if views and b.chance(0.4) and not isSmall:
        m = b.pick(views)
        return m.name, m.type, CAP
    mates = [f for f in scope.fragments if f.shape == shape and f.elem == elem]
    f = b.pick(mates) if mates and b.chance(0.7) else memory.load(b, scope, shape, elem)
    f = f or b.splat(1, shape, elem)
    f = fit(b, f, 3 if isSmall else CAP)
    return f.name, f.type, f.bound


def attributesOf(b, elem, extra, chances=(0.3, 0.3)):
    parts = [extra] if extra else []
    flags = [b.chance(chance) for chance in chances]
    parts += [n for n, f in zip(("transpose_a", "transpose_b"), flags) if f]
    if elem == "i8":
        parts += [n for n in ("unsigned_a", "unsigned_b") if b.chance(0.3)]
    if b.chance(0.2):
        parts.append(f"warps = #tile.warps<{b.pick(['square', 'rows', 'columns'])}>")
    return (f" {{{', '.join(parts)}}}" if parts else ""), flags


def productShape(b, unit):
    sizes = [8, 16, 16, 24, 32, 32, 40, 48, 64, 64, 80, 96, 128]
    M, N = b.pick(sizes), b.pick(sizes)
    while M * N > 6000:
        M, N = b.pick(sizes), b.pick(sizes)
    K = unit * b.pick([1, 1, 2, 3, 4]) if unit > 1 else b.pick([1, 3, 7, 8, 16, 17])
    return M, N, K


def gemm(b, scope):
    elem, result, unit, extra = b.pick(PRODUCTS)
    M, N, K = productShape(b, unit)
    attributes, (ta, tb) = attributesOf(b, elem, extra)
    isSmall = result == "f16"
    a, aType, aBound = operand(b, scope, (K, M) if ta else (M, K), elem, isSmall)
    other = otherElem(b, elem)
    c, cType, cBound = operand(b, scope, (N, K) if tb else (K, N), other, isSmall)
    d = Fragment("", (M, N), result, K * aBound * cBound)
    if elem == "i8":
        d.bound = 2.0**31
    acc = ""
    mates = [f for f in scope.fragments if f.type == d.type]
    if mates and b.chance(0.4):
        f = fit(b, b.pick(mates), CAP)
        acc, d.bound = f", {f.name}", d.bound + f.bound
    elif b.chance(0.3):
        acc = f", {b.splat(0, (M, N), result).name}"
    d.name = b.define("t", f"tile.gemm {a}, {c}{acc}{attributes} : {aType}, {cType} -> {d.type}")
    scope.fragments.append(d)


def scales(b, scope, rows, blocks, elem):
    """The scales of an operand, in registers or shared memory: text, type and bound."""
    f = memory.load(b, scope, (rows, blocks), "f32") or b.splat(1, (rows, blocks), "f32")
    f = fit(b, f, 4)
    type = tensorType(f.shape, elem, f.encoding)
    name = b.define("t", f"arith.truncf {f.name} : {f.type} to {type}")
    b.features[f"scales of {elem}"] += 1
    if b.chance(0.5):
        return name, type, 4
    memref = f"memref<{rows}x{blocks}x{elem}, #gpu.address_space<workgroup>>"
    buffer = b.define("s", f"tile.alloc : {memref}")
    b.sharedBytes += rows * blocks + 256
    b.line(f"tile.store {name}, {buffer} : {type}, {memref}")
    return buffer, memref, 4


def gemmScaled(b, scope):
    elems = b.pick([FP8, FP8 + FP6, FP8 + FP6 + [FP4], FP8 + FP6 + [FP4], [FP4], [FP4], [FP4]])
    elem, other = b.pick(elems), b.pick(elems)
    isPacked = elem == other == FP4
    M, N, K = productShape(b, 64 if isPacked and b.chance(0.8) else 32)
    block = b.pick([32, 32, 32, K, 16, 16, 8, K // 4])
    attributes, (ta, tb) = attributesOf(b, elem, f"block = {block}",
                                        (0.15, 0.8) if isPacked else (0.3, 0.3))
    a, aType, aBound = operand(b, scope, (K, M) if ta else (M, K), elem, False)
    c, cType, cBound = operand(b, scope, (N, K) if tb else (K, N), other, False)
    kinds = ["f8E8M0FNU", "f8E8M0FNU", "f8E4M3FN"]
    kind = b.pick(kinds)
    sa, saType, saBound = scales(b, scope, M, K // block, kind)
    sb, sbType, sbBound = scales(b, scope, N, K // block,
                                 kind if b.chance(0.7) else b.pick(kinds))
    # What a row of the table may take: not across bytes in shared memory.
    if (isPacked and K % 64 == 0 and not (ta and "memref" in aType) and
            (tb or "memref" not in cType) and saType.count(kind) and sbType.count(kind) and
            block % (32 if kind == "f8E8M0FNU" else 16) == 0):
        b.features[f"packed scaled product, {kind}"] += 1
    d = Fragment("", (M, N), "f32", K * aBound * cBound * saBound * sbBound, False)
    acc = ""
    if b.chance(0.4):
        acc = f", {b.splat(b.pick([0, 1]), (M, N), 'f32').name}"
        d.bound += 1
    d.name = b.define("t", f"tile.gemm_scaled {a}, {sa}, {c}, {sb}{acc}{attributes} : {aType}, "
                           f"{saType}, {cType}, {sbType} -> {d.type}")
    b.features["scaled product"] += 1
    scope.fragments.append(d)


def gemmLoop(b, scope):
    """A product accumulated over a loop that copies its operands, pipelined."""
    elem, result, unit, extra = b.pick([p for p in PRODUCTS if p[1] != "f16"])
    M, N, K = productShape(b, unit)
    attributes, (ta, tb) = attributesOf(b, elem, extra)
    trips = b.between(0, 9)
    depth = K * trips + b.odd(1) if trips else K
    A = memory.fresh(b, (depth, M) if ta else (M, depth), elem, "input")
    other = otherElem(b, elem)
    B = memory.fresh(b, (N, depth) if tb else (depth, N), other, "input")
    aShape, bShape = (K, M) if ta else (M, K), (N, K) if tb else (K, N)
    inside = b.chance(0.4)
    if not inside:
        aBuffer, bBuffer = memory.allocate(b, aShape, elem), memory.allocate(b, bShape, other)
    zero, one = b.index(0), b.index(1)
    bound = (scalarArgument(b, trips).name if b.chance(0.5) else b.index(trips))
    unitName = b.index(K)
    init = b.splat(b.pick([0, 0, 2]), (M, N), result)
    iv, acc, out = b.name("i"), b.name("x"), b.name("t")
    type = init.type
    b.open(f"{out} = scf.for {iv} = {zero} to {bound} step {one} "
           f"iter_args({acc} = {init.name}) -> ({type}) {{")
    k = b.define("i", f"arith.muli {iv}, {unitName} : index")
    if inside:
        aBuffer, bBuffer = memory.allocate(b, aShape, elem), memory.allocate(b, bShape, other)
    for source, buffer, shape, kFirst in ((A, aBuffer, aShape, ta), (B, bBuffer, bShape, not tb)):
        start = b.index(b.pick([0, 0, -1, 3]) if b.odd(1) else 0)
        side = tileOf(source, b.index(0), [k, start] if kFirst else [start, k], shape)
        b.line(f"tile.copy {side} to {buffer.name} : {source.type} to {buffer.type}")
    aName, aType = aBuffer.name, aBuffer.type
    if b.chance(0.25):
        f = Fragment("", aShape, elem, 3)
        f.name = b.define("t", f"tile.load {aName} : {aType} -> {f.type}")
        if not isFp8(elem):
            f = fit(b, step(b, f, []), 3)
        if f.elem == elem:
            aName, aType = f.name, f.type
    d = b.define("t", f"tile.gemm {aName}, {bBuffer.name}, {acc}{attributes} : {aType}, "
                      f"{bBuffer.type} -> {type}")
    b.line(f"scf.yield {d} : {type}")
    b.close(f"}} {{tile.stages = {b.between(1, 4)} : i32}}" if b.chance(0.85) else "}")
    total = 2.0**31 if elem == "i8" else trips * K * 9 + 2
    scope.fragments.append(Fragment(out, (M, N), result, total))


# What an iteration makes of the sum before it adds to that.
CARRIED = {"as it is": None, "added to": "arith.addf", "limited": "arith.minimumf",
           "shrunk": "arith.mulf"}


def addLoaded(b, s, number, trips):
    """A sum of `s` and of what each iteration loads into registers: a number for each
    row or column, converted or not."""
    M, keys = s.shape
    dim = b.pick([0, 1])
    count = keys if dim == 0 else M
    elem = b.pick(["f32", "f32", "f16"])
    source = memory.fresh(b, (max(trips, 1) + b.odd(1), count + b.pick([0, 0, 8])), elem,
                          "input")
    zero = b.index(0)
    side = tileOf(source, zero, [number, zero], (count,))
    row = Fragment("", (count,), "f32", 3)
    row.name = b.define("t", f"tile.load {side} : "
                             f"{source.type} -> {row.type}")
    wide = b.define("t", f"tile.broadcast {row.name} dims [{dim}] : {row.type} -> {s.type}")
    b.features["loaded beside"] += 1
    return b.define("t", f"arith.addf {s.name}, {wide} : {s.type}")


def twoProducts(b, scope):
    """A loop whose second product takes what is computed from the first, as attention
    does: f16 or bf16, tiles that warpgroups can multiply or not, and programs in
    which the second product must be waited for."""
    elem = b.pick(["f16", "f16", "bf16"])
    M, keys, inner, N = (b.pick([64, 64, 128, 128, 32]), b.pick([16, 32, 64, 48]),
                         b.pick([16, 32, 64]), b.pick([8, 16, 32, 64]))
    trips = b.between(0, 6)
    depth = keys * max(trips, 1) + b.odd(1)
    isOne = N == inner and b.chance(0.3)  # one buffer for both products
    Q = memory.fresh(b, (M, inner), elem, "input")
    K = memory.fresh(b, (depth, inner), elem, "input")
    V = K if isOne else memory.fresh(b, (depth, N), elem, "input")
    q, k = (memory.allocate(b, shape, elem, layout=False)
            for shape in ((M, inner), (keys, inner)))
    v = k if isOne else memory.allocate(b, (keys, N), elem, layout=False)
    side = memory.side(b, scope, Q, (M, inner), False)
    b.line(f"tile.copy {side} to {q.name} : {Q.type} to {q.type}")
    zero, one, unit = b.index(0), b.index(1), b.index(keys)
    bound = scalarArgument(b, trips).name if b.chance(0.6) else b.index(trips)
    init = b.splat(b.pick([0, 0, 2]), (M, N), "f32")
    factor = b.splat(b.pick([1, 2]), (M, N), "f32")
    low, high = (b.splat(x, (M, keys), "f32") for x in (-2, 2))
    iv, acc, out = b.name("i"), b.name("x"), b.name("t")
    b.open(f"{out} = scf.for {iv} = {zero} to {bound} step {one} "
           f"iter_args({acc} = {init.name}) -> ({init.type}) {{")
    at = b.define("i", f"arith.muli {iv}, {unit} : index")
    for source, buffer in ((K, k), (V, v))[:1 if isOne else 2]:
        side = tileOf(source, zero, [at, zero], buffer.shape)
        b.line(f"tile.copy {side} to {buffer.name} : {source.type} to {buffer.type}")
    rows = "warps = #tile.warps<rows>"
    s = Fragment("", (M, keys), "f32", 0)
    s.name = b.define("t", f"tile.gemm {q.name}, {k.name} {{transpose_b, {rows}}} : "
                           f"{q.type}, {k.type} -> {s.type}")
    if b.chance(0.4):
        s.name = addLoaded(b, s, iv, trips)
    for name, limit in (("maximumf", low), ("minimumf", high)):
        s.name = b.define("t", f"arith.{name} {s.name}, {limit.name} : {s.type}")
    p = Fragment("", (M, keys), elem, 2)
    p.name = b.define("t", f"arith.truncf {s.name} : {s.type} to {p.type}")
    carried, kind = acc, b.pick(list(CARRIED))
    if CARRIED[kind]:
        carried = b.define("t", f"{CARRIED[kind]} {acc}, {factor.name} : {init.type}")
    b.features[f"sum {kind}"] += 1
    d = b.define("t", f"tile.gemm {p.name}, {v.name}, {carried} {{{rows}}} : {p.type}, "
                      f"{v.type} -> {init.type}")
    b.line(f"scf.yield {d} : {init.type}")
    b.close(f"}} {{tile.stages = {b.between(2, 3)} : i32}}" if b.chance(0.9) else "}")
    b.features["two products"] += 1
    scope.fragments.append(Fragment(out, (M, N), "f32", 2.0**trips * (trips * keys * 6 + 4)))
