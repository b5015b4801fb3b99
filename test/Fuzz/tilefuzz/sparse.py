"""Products of which `a` holds two of every four columns, alone and accumulated over a
pipelined loop. Metadata are read in bounds only: padding would name no columns."""

from tilefuzz import memory
from tilefuzz.arguments import argument, scalarArgument
from tilefuzz.builder import *
from tilefuzz.elementwise import fit
from tilefuzz.products import attributesOf, operand, otherElem, productShape, tileOf

# Operand type, result type, extra attributes.
PRODUCTS = [("f16", "f32", ""), ("f16", "f32", ""), ("bf16", "f32", ""), ("f16", "f16", ""),
            ("i8", "i32", ""), ("i8", "i32", ""), ("f8E4M3FN", "f32", ""),
            ("f8E5M2", "f32", ""), ("f8E5M2", "f16", ""),
            ("f32", "f32", "precision = #tile.precision<tf32>")]
COLUMNS_OF_WORD = 16
ROWS_OF_WARPGROUP, WARPS_OF_WARPGROUP = 64, 4


def sparseShape(b):
    """M, N and K; often whole rows of warpgroups, where there are some."""
    M, N, K = productShape(b, 32)
    if b.warps % WARPS_OF_WARPGROUP == 0 and b.chance(0.5):
        M = ROWS_OF_WARPGROUP * b.pick([1, 1, 1, 2])
        N = min(N, 48)
    if M % ROWS_OF_WARPGROUP == 0 and b.warps % WARPS_OF_WARPGROUP == 0:
        b.features["sparse rows of warpgroups"] += 1
    return M, N, K


def metadataOf(b, shape):
    return argument(b, shape, "i16", "input", data="metadata")


def metadataOperand(b, source, side, shape, buffer=None):
    """Text and type of the metadata at `side`, in shared memory or a fragment."""
    if buffer is None and b.chance(0.5):
        buffer = memory.allocate(b, shape, "i16")
    if buffer:
        b.line(f"tile.copy {side} to {buffer.name} : {source.type} to {buffer.type}")
        return buffer.name, buffer.type
    f = Fragment("", shape, "i16", 0)
    f.name = b.define("t", f"tile.load {side} : {source.type} -> {f.type}")
    return f.name, f.type


def sparse(b, scope):
    elem, result, extra = b.pick(PRODUCTS)
    M, N, K = sparseShape(b)
    attributes, (ta, tb) = attributesOf(b, elem, extra)
    isSmall = result == "f16"
    a, aType, aBound = operand(b, scope, (K // 2, M) if ta else (M, K // 2), elem, isSmall)
    shape = (M, K // COLUMNS_OF_WORD)
    source = metadataOf(b, shape)
    zero = b.index(0)
    e, eType = metadataOperand(b, source, tileOf(source, zero, [zero, zero], shape), shape)
    other = otherElem(b, elem)
    c, cType, cBound = operand(b, scope, (N, K) if tb else (K, N), other, isSmall)
    d = Fragment("", (M, N), result, K * aBound * cBound)
    if elem == "i8":
        d.bound = 2.0**31
    acc = ""
    mates = [f for f in scope.fragments if f.type == d.type]
    if mates and b.chance(0.5):
        f = fit(b, b.pick(mates), CAP)
        acc, d.bound = f", {f.name}", d.bound + f.bound
    d.name = b.define("t", f"tile.gemm_sparse {a}, {e}, {c}{acc}{attributes} : {aType}, "
                           f"{eType}, {cType} -> {d.type}")
    b.features["sparse"] += 1
    scope.fragments.append(d)


def sparseLoop(b, scope):
    elem, result, extra = b.pick([p for p in PRODUCTS if p[1] != "f16"])
    M, N, K = sparseShape(b)
    attributes, (ta, tb) = attributesOf(b, elem, extra)
    trips = b.between(0, 7)
    depth = K * max(trips, 1)
    half, words = K // 2, K // COLUMNS_OF_WORD
    other = otherElem(b, elem)
    A = memory.fresh(b, (depth // 2, M) if ta else (M, depth // 2), elem, "input")
    E = metadataOf(b, (M + b.odd(0.3) * 8, depth // COLUMNS_OF_WORD))
    B = memory.fresh(b, (N, depth) if tb else (depth, N), other, "input")
    aShape, bShape = (half, M) if ta else (M, half), (N, K) if tb else (K, N)
    aBuffer, bBuffer = memory.allocate(b, aShape, elem), memory.allocate(b, bShape, other)
    eBuffer = memory.allocate(b, (M, words), "i16") if b.chance(0.7) else None
    zero, one = b.index(0), b.index(1)
    bound = scalarArgument(b, trips).name if b.chance(0.5) else b.index(trips)
    steps = [b.index(n) for n in (half, words, K)]
    init = b.splat(b.pick([0, 0, 2]), (M, N), result)
    iv, acc, out = b.name("i"), b.name("x"), b.name("t")
    b.open(f"{out} = scf.for {iv} = {zero} to {bound} step {one} "
           f"iter_args({acc} = {init.name}) -> ({init.type}) {{")
    kept, word, k = (b.define("i", f"arith.muli {iv}, {s} : index") for s in steps)
    for source, buffer, at in ((A, aBuffer, [kept, zero] if ta else [zero, kept]),
                               (B, bBuffer, [zero, k] if tb else [k, zero])):
        side = tileOf(source, zero, at, buffer.shape)
        b.line(f"tile.copy {side} to {buffer.name} : {source.type} to {buffer.type}")
    e, eType = metadataOperand(b, E, tileOf(E, zero, [zero, word], (M, words)), (M, words),
                               eBuffer)
    d = b.define("t", f"tile.gemm_sparse {aBuffer.name}, {e}, {bBuffer.name}, {acc}"
                      f"{attributes} : {aBuffer.type}, {eType}, {bBuffer.type} -> {init.type}")
    b.line(f"scf.yield {d} : {init.type}")
    b.close(f"}} {{tile.stages = {b.between(1, 4)} : i32}}" if b.chance(0.85) else "}")
    b.features["sparse"] += 1
    b.features["sparse loop"] += 1
    total = 2.0**31 if elem == "i8" else trips * K * 9 + 2
    scope.fragments.append(Fragment(out, (M, N), result, total))
