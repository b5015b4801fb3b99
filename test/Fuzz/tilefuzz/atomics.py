"""Atomics of every kind and type: on tiles, by the block, in iterations.

Blocks and iterations come in any order, so an argument sees atomics of one kind only,
and a kind is used where its result does not depend on the order: integers wrap, sums
of floats stay exact, products are of signs, exchanges have one block.
"""

from tilefuzz.arguments import argument
from tilefuzz.builder import *
from tilefuzz.elementwise import compare, constantLike, fit, select
from tilefuzz.memory import allocate, isRestricted, side

INTEGER_KINDS = ["addi", "addi", "maxs", "mins", "maxu", "minu", "ori", "andi", "muli"]
FLOAT_KINDS = ["addf", "addf", "maximumf", "minimumf", "maxnumf", "minnumf", "mulf"]
TYPES = ["i32", "i64", "f32", "f64", "f16", "bf16"]


def hasAtomics(elem):
    return elem in TYPES


def kindsOf(b, elem, ordered):
    kinds = FLOAT_KINDS if isFloat(elem) else INTEGER_KINDS
    return kinds + ["assign"] if ordered else kinds


def room(elem):
    """How far sums of this type stay exact."""
    return EXACT[elem] / 2 if isFloat(elem) else math.inf


def total(b, elem, shape, additions, ordered):
    """An argument that only atomics of one kind touch, `additions` of them at most for
    an element, in a fixed order if `ordered`. None where a sum would not be exact."""
    additions *= b.repeats * b.blocks * CAP
    for m in b.arguments:
        if (m.role == "total" and m.elem == elem and len(m.shape) == len(shape) and
                b.chance(0.5) and (m.kind != "assign" or ordered) and
                (m.kind != "addf" or m.additions + additions <= room(elem))):
            m.additions += additions
            return m
    kind = b.pick(kindsOf(b, elem, ordered))
    if kind == "addf" and additions > room(elem):
        kind = b.pick(["maximumf", "minnumf"])
    sizes = [max(1, n + b.between(-2, 4)) for n in shape]
    result = argument(b, sizes, elem, "total", kind=kind)
    result.additions = additions
    return result


def amount(b, value, kind):
    """`value` as an operand of `kind`: small, and a sign for products of floats."""
    value = fit(b, value, CAP)
    if kind != "mulf":
        return value
    zero = constantLike(b, value, 0)
    return select(b, compare(b, value, zero), constantLike(b, value, 1),
                  constantLike(b, value, -1))


def boundOf(memory):
    """What an element of `memory` may hold."""
    if isInteger(memory.elem):
        return 2.0**(WIDTH[memory.elem] - 1)
    return room(memory.elem) + CAP if memory.kind == "addf" else CAP


def atomic(b, scope):
    """tile.atomic_rmw on an argument that nothing else touches."""
    mates = [f for f in scope.fragments if hasAtomics(f.elem) and f.shape]
    if not mates:
        return
    fragment = b.pick(mates)
    target = total(b, fragment.elem, fragment.shape, max(fragment.shape),
                   b.blocks == 1)
    fragment = amount(b, fragment, target.kind)
    distinct = target.kind == "assign"
    text = side(b, scope, target, fragment.shape, distinct, distinct=distinct,
                mayBeWhole=b.chance(0.3))
    b.line(f"tile.atomic_rmw {target.kind} {fragment.name}, {text} : {fragment.type}, "
           f"{target.type}")


def sharedAtomic(b, scope):
    """Atomics on a fresh shared buffer, read back as a fragment."""
    mates = [f for f in scope.fragments if hasAtomics(f.elem) and f.shape]
    if not mates or b.sharedBytes > 24000:
        return
    fragment = b.pick(mates)
    buffer = allocate(b, fragment.shape, fragment.elem)
    kind = b.pick(kindsOf(b, fragment.elem, True))
    times = b.between(1, 3)
    if kind == "addf" and times * max(fragment.shape) * CAP > room(fragment.elem):
        kind = "maxnumf"
    fragment = amount(b, fragment, kind)
    start = b.splat(b.pick([0, 1]), fragment.shape, fragment.elem)
    b.line(f"tile.store {start.name}, {buffer.name} : {start.type}, {buffer.type}")
    buffer.kind = kind
    for _ in range(times):
        text = side(b, scope, buffer, fragment.shape, True, mayBeWhole=b.chance(0.3),
                    distinct=kind == "assign")
        b.line(f"tile.atomic_rmw {kind} {fragment.name}, {text} : {fragment.type}, "
               f"{buffer.type}")
    result = Fragment("", fragment.shape, fragment.elem, boundOf(buffer))
    result.name = b.define("t", f"tile.load {buffer.name} : {buffer.type} -> {result.type}")
    scope.fragments.append(result)


def blockAtomic(b, scope, s, placeOf):
    """memref.atomic_rmw by the block; with one block what was there is used."""
    if not hasAtomics(s.elem):
        return
    shape = () if b.chance(0.15) else (b.between(1, 9),)
    target = total(b, s.elem, shape, 1, b.blocks == 1)
    s = amount(b, s, target.kind)
    at = ", ".join(placeOf(b, scope, n) for n in target.shape)
    old = b.define("z", f"memref.atomic_rmw {target.kind} {s.name}, {target.name}[{at}] : "
                        f"({s.elem}, {target.type}) -> {s.elem}")
    if b.blocks == 1:
        scope.scalars.append(Scalar(old, s.elem, boundOf(target)))


def iterationAtomic(b, value, ivs, box, position):
    """memref.atomic_rmw in an iteration of `box`; what was there is not used."""
    target = total(b, value.elem, (b.between(1, 20),), product(box), False)
    value = amount(b, value, target.kind)
    at = ", ".join(position(b, ivs, n) for n in target.shape)
    b.define("z", f"memref.atomic_rmw {target.kind} {value.name}, {target.name}[{at}] : "
                  f"({value.elem}, {target.type}) -> {value.elem}")
