"""tile.parallel: own and gathered elements, inner control flow, scatters, atomics.

An iteration touches an element that it writes only itself: the memory it stores to is
read at the stored position alone, and positions are a permutation of the induction
variables, mirrored perhaps.
"""

from tilefuzz.arguments import argument
from tilefuzz.atomics import hasAtomics, iterationAtomic
from tilefuzz.builder import *
from tilefuzz.elementwise import convert, fit, select, step
from tilefuzz.layouts import fragmentLayout
from tilefuzz.memory import elementType, isRestricted, readable


def position(b, ivs, size):
    """An index in [0, size)."""
    exact = [iv for iv in ivs if iv.high < size]
    if exact and b.chance(0.6):
        iv = b.pick(exact)
        if iv.high == size - 1 and b.chance(0.25):
            last = b.index(size - 1)
            return b.define("i", f"arith.subi {last}, {iv.name} : index")
        return iv.name
    if b.chance(0.15) or not ivs:
        return b.index(b.between(0, size - 1))
    iv = b.pick(ivs)
    if len(b.arguments) < 12 and b.chance(0.2):
        count = iv.high + 1
        places = argument(b, (count,), "i32", "input", data=f"integers(0,{size - 1})",
                            bound=size)
        loaded = b.define("v", f"memref.load {places.name}[{iv.name}] : {places.type}")
        return b.define("i", f"arith.index_cast {loaded} : i32 to index")
    scale, shift, modulus = (b.index(n) for n in (b.between(1, 5), b.between(0, 9), size))
    scaled = b.define("i", f"arith.muli {iv.name}, {scale} : index")
    shifted = b.define("i", f"arith.addi {scaled}, {shift} : index")
    return b.define("i", f"arith.remui {shifted}, {modulus} : index")


def own(b, ivs, shape):
    """Indices that follow the induction variables."""
    places = []
    for iv, n in zip(ivs, shape):
        if b.chance(0.15):
            last = b.index(n - 1)
            places.append(b.define("i", f"arith.subi {last}, {iv.name} : index"))
        else:
            places.append(iv.name)
    return places


def source(b, scope, ivs, shape, target):
    """A scalar of this iteration."""
    fragments = [f for f in scope.fragments if f.elem != "index"]
    memories = [m for m in readable(b, scope) if not isRestricted(b, m, False) and
                not m.isEmpty and
                (target is None or m.root is not target.root)]
    if fragments and (not memories or b.chance(0.6)):
        f = b.pick(fragments)
        same = f.shape == shape and b.chance(0.6)
        at = [iv.name for iv in ivs] if same else [position(b, ivs, n) for n in f.shape]
        name = b.define("e", f"tensor.extract {f.name}[{', '.join(at)}] : {f.type}")
        return Scalar(name, f.elem, f.bound, f.whole)
    if memories and b.chance(0.85):
        m = b.pick(memories)
        at = [position(b, ivs, n) for n in m.shape]
        name = b.define("e", f"memref.load {m.name}[{', '.join(at)}] : {m.type}")
        return Scalar(name, m.elem, m.bound)
    iv = b.pick(ivs)
    name = b.define("v", f"arith.index_cast {iv.name} : index to i32")
    return Scalar(name, "i32", iv.high)


def chain(b, value, others, most):
    for _ in range(b.between(0, most)):
        value = step(b, value, others)
        others.append(value)
    return value


def conditional(b, value, values, ivs):
    iv = b.pick(ivs)
    limit = b.index(b.between(0, iv.high + 1))
    test = b.define("p", f"arith.cmpi {b.pick(['slt', 'eq', 'uge'])}, {iv.name}, {limit} : index")
    value = fit(b, value, CAP)
    name = b.name("v")
    b.open(f"{name} = scf.if {test} -> ({value.elem}) {{")
    inner = chain(b, value, list(values), 2)
    while inner.elem != value.elem:
        inner = value
    inner = fit(b, inner, CAP)
    b.line(f"scf.yield {inner.name} : {value.elem}")
    b.middle("} else {")
    b.line(f"scf.yield {value.name} : {value.elem}")
    b.close()
    return Scalar(name, value.elem, CAP)


def innerLoop(b, value, values, ivs):
    value = fit(b, value, CAP)
    iv = b.pick(ivs)
    modulus, zero, one = b.index(b.between(1, 5)), b.index(0), b.index(1)
    trips = b.define("i", f"arith.remui {iv.name}, {modulus} : index")
    name, counter, carried = b.name("v"), b.name("i"), b.name("x")
    b.open(f"{name} = scf.for {counter} = {zero} to {trips} step {one} "
           f"iter_args({carried} = {value.name}) -> ({value.elem}) {{")
    inside = Scalar(carried, value.elem, CAP)
    inner = chain(b, inside, list(values), 2)
    if inner.elem != value.elem:
        inner = inside
    inner = fit(b, inner, CAP)
    b.line(f"scf.yield {inner.name} : {value.elem}")
    b.close()
    return Scalar(name, value.elem, CAP)


def innerWhile(b, value, values, ivs):
    """A loop whose trip count only the iteration knows."""
    value = fit(b, value, CAP)
    zero, one = b.index(0), b.index(1)
    modulus = b.index(b.between(1, 4))
    trips = b.define("i", f"arith.remui {b.pick(ivs).name}, {modulus} : index")
    out, counter, again, x, y = (b.name(p) for p in "onnxx")
    types = f"index, {value.elem}"
    b.open(f"{out}:2 = scf.while ({counter} = {zero}, {x} = {value.name}) : ({types}) -> "
           f"({types}) {{")
    test = b.define("p", f"arith.cmpi ult, {counter}, {trips} : index")
    b.line(f"scf.condition({test}) {counter}, {x} : {types}")
    b.middle("} do {")
    b.middle(f"^bb0({again}: index, {y}: {value.elem}):")
    inside = Scalar(y, value.elem, CAP)
    inner = chain(b, inside, list(values), 2)
    if inner.elem != value.elem:
        inner = inside
    inner = fit(b, inner, CAP)
    more = b.define("n", f"arith.addi {again}, {one} : index")
    b.line(f"scf.yield {more}, {inner.name} : {types}")
    b.close()
    return Scalar(f"{out}#1", value.elem, CAP)


def chooseTarget(b, scope, shape):
    """Memory whose elements this box may write: shared, or an argument of its own."""
    order = list(range(len(shape)))
    b.random.shuffle(order)
    wanted = tuple(shape[d] for d in order)
    mates = [m for m in scope.buffers if (m.isShared or m.role in ("state", "output")) and
             not isRestricted(b, m, True) and len(m.shape) == len(shape) and
             all(n >= w for n, w in zip(m.shape, wanted)) and m.elem != "index"]
    if mates and b.chance(0.6):
        return b.pick(mates), order, []
    elem = elementType(b)
    lead = (b.blocks,) if b.blocks > 1 else ()
    target = argument(b, lead + wanted, elem, "output")
    if b.blocks > 1:
        # Elements of one block only; nothing else may touch this argument.
        target.role = "scatter"
    return target, order, [b.block.name] if lead else []


def computed(b, scope, ivs, shape, target):
    """The scalars of an iteration, the last one after some control flow."""
    values = [source(b, scope, ivs, shape, target) for _ in range(b.between(1, 3))]
    value = chain(b, values[-1], values, 3)
    for flow in (conditional, innerLoop, innerWhile):
        if b.chance(0.18):
            value = flow(b, value, values, ivs)
    values.append(value)
    return values


def check(b, ivs):
    """A fact that holds in every iteration."""
    iv = b.pick(ivs)
    test = b.define("p", f"arith.cmpi sle, {iv.name}, {b.index(iv.high)} : index")
    b.line(f'tile.assert {test}, "the counter is in its range"')


def yielded(b, shape, values, ivs):
    """Results of the box: scalars of the iteration, masks, counters."""
    chosen = [values[-1]]
    while b.chance(0.3) and len(chosen) < 4:
        if b.chance(0.2):
            iv = b.pick(ivs)
            chosen.append(Scalar(iv.name, "index", iv.high))
        else:
            chosen.append(b.pick(values))
    fragments = []
    for v in chosen:
        encoding = fragmentLayout(b, shape, b.warps) if b.chance(0.05) else ""
        fragments.append(Fragment(b.name("t"), shape, v.elem, v.bound, v.whole, encoding))
    b.line(f"tile.yield {', '.join(v.name for v in chosen)} : "
           f"{', '.join(v.elem for v in chosen)}")
    return fragments


def parallel(b, scope):
    plain = [f.shape for f in scope.fragments if f.shape]
    shape = b.pick(plain) if plain and b.chance(0.6) else b.shape(limit=1024)
    stores = b.chance(0.35)
    target, order, lead = chooseTarget(b, scope, shape) if stores else (None, [], [])
    scatters = b.chance(0.1)
    yields = not (stores or scatters) or b.chance(0.3)
    ivs = [Index(b.name("i"), 0, n - 1) for n in shape]
    header = f"tile.parallel ({', '.join(i.name for i in ivs)}) in ({', '.join(map(str, shape))})"
    place = len(b.lines)
    b.open("")
    values = computed(b, scope, ivs, shape, target)
    if b.chance(0.05):
        check(b, ivs)
    if scatters and hasAtomics(values[-1].elem):
        iterationAtomic(b, values[-1], ivs, shape, position)
    if stores:
        storeOwn(b, values[-1], values, ivs, shape, target, order, lead)
    attributes = f" attributes {{coalesced_width = {b.pick([1, 2, 4])}}}" if b.chance(0.15) else ""
    indent = "  " * (b.indent - 1)
    if yields:
        fragments = yielded(b, shape, values, ivs)
        b.lines[place] = (f"{indent}{', '.join(f.name for f in fragments)} = {header} -> "
                          f"({', '.join(f.type for f in fragments)}){attributes} {{")
        scope.fragments += fragments
    else:
        b.lines[place] = f"{indent}{header}{attributes} {{"
    b.close()


def storeOwn(b, value, values, ivs, shape, target, order, lead):
    mates = [v for v in values + [value] if v.elem == target.elem]
    stored = fit(b, b.pick(mates), CAP) if mates else Scalar(
        b.scalarConstant(1, target.elem), target.elem, 1)
    at = lead + own(b, [ivs[d] for d in order], [shape[d] for d in order])
    text = f"{target.name}[{', '.join(at)}] : {target.type}"
    if b.chance(0.2):
        old = Scalar(b.define("e", f"memref.load {text}"), target.elem, CAP)
        if target.elem not in ("i1", "index") and not isFp8(target.elem):
            op = "addf" if isFloat(target.elem) else "addi"
            name = b.define("v", f"arith.{op} {old.name}, {stored.name} : {target.elem}")
            stored = fit(b, Scalar(name, target.elem, 2 * CAP), CAP)
    if b.chance(0.2):
        iv = b.pick(ivs)
        limit = b.index(b.between(0, iv.high + 1))
        test = b.define("p", f"arith.cmpi ult, {iv.name}, {limit} : index")
        b.open(f"scf.if {test} {{")
        b.line(f"memref.store {stored.name}, {text}")
        b.close()
    else:
        b.line(f"memref.store {stored.name}, {text}")
