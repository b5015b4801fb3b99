"""Scalars of the block: elements of fragments and memory, sizes, what is made of them."""

from tilefuzz import memory
from tilefuzz.atomics import blockAtomic
from tilefuzz.builder import *
from tilefuzz.elementwise import fit, step


def place(b, scope, size):
    """A uniform index in [0, size)."""
    mates = [i for i in scope.indices if 0 <= i.low and i.high < size]
    if mates and b.chance(0.5):
        return b.pick(mates).name
    return b.index(b.between(0, size - 1))


def scalar(b, scope):
    """A scalar of the block out of a fragment or memory, or a chain on one."""
    choice = b.random.random()
    fragments = [f for f in scope.fragments if f.elem != "index"]
    memories = [m for m in memory.readable(b, scope) if not m.isEmpty and
                not memory.isRestricted(b, m, False)]
    if choice < 0.4 and fragments:
        f = b.pick(fragments)
        at = ", ".join(place(b, scope, n) for n in f.shape)
        name = b.define("e", f"tensor.extract {f.name}[{at}] : {f.type}")
        scope.scalars.append(Scalar(name, f.elem, f.bound, f.whole))
    elif choice < 0.7 and memories:
        m = b.pick(memories)
        at = ", ".join(place(b, scope, n) for n in m.shape)
        name = b.define("e", f"memref.load {m.name}[{at}] : {m.type}")
        scope.scalars.append(Scalar(name, m.elem, m.bound))
    elif scope.scalars:
        scope.scalars.append(step(b, b.pick(scope.scalars), scope.scalars))


def fromElements(b, scope, s):
    """A fragment listed element by element."""
    shape = b.pick([(), (1,), (3,), (4,), (2, 3), (8,)])
    mates = [t for t in scope.scalars if t.elem == s.elem] or [s]
    chosen = [b.pick(mates) for _ in range(product(shape))]
    f = Fragment("", shape, s.elem, max(t.bound for t in chosen),
                 all(t.whole for t in chosen))
    f.name = b.define("t", f"tensor.from_elements {', '.join(t.name for t in chosen)} : "
                           f"{f.type}")
    scope.fragments.append(f)


def dimension(b, scope):
    """memref.dim of what has a dynamic size, known to the generator."""
    memories = [m for m in b.visible + scope.buffers if m.dynamic and not m.isOwned]
    if not memories:
        return
    views = [m for m in memories if m.isView]
    m = b.pick(views if views and b.chance(0.5) else memories)
    d = b.pick(list(m.dynamic))
    name = b.define("d", f"memref.dim {m.name}, {b.index(d)} : {m.type}")
    size = m.shape[d]
    if b.chance(0.3):
        by = b.pick([n for n in (1, 2, 4, 8) if size % n == 0])
        name = b.define("d", f"tile.assume_divisible {name} by {by} : index")
    scope.indices.append(Index(name, size, size))


def useScalar(b, scope):
    """Splats, stores or accumulates a scalar."""
    if not scope.scalars:
        return scalar(b, scope)
    s = b.pick(scope.scalars)
    choice = b.random.random()
    if choice < 0.15:
        fromElements(b, scope, s)
    elif choice < 0.5:
        mates = [f.shape for f in scope.fragments if f.shape]
        shape = b.pick(mates) if mates else b.shape()
        f = Fragment("", shape, s.elem, s.bound, s.whole)
        f.name = b.define("t", f"tensor.splat {s.name} : {f.type}")
        scope.fragments.append(f)
    elif choice < 0.75:
        mates = [m for m in memory.writable(b, scope) if m.elem == s.elem and
                 not m.isEmpty]
        if mates:
            storeScalar(b, scope, s, b.pick(mates))
    else:
        blockAtomic(b, scope, s, place)


def storeScalar(b, scope, s, target):
    if target.role != "output":
        s = fit(b, s, CAP)
    if not memory.isRestricted(b, target, True):
        at = ", ".join(place(b, scope, n) for n in target.shape)
        b.line(f"memref.store {s.name}, {target.name}[{at}] : {target.type}")
        return
    first = b.define("i", f"arith.muli {b.block.name}, "
                          f"{b.index(memory.sliceOf(b, target))} : index")
    limit = b.index(target.shape[0])
    test = b.define("p", f"arith.cmpi ult, {first}, {limit} : index")
    b.open(f"scf.if {test} {{")
    at = ", ".join([first] + [place(b, scope, n) for n in target.shape[1:]])
    b.line(f"memref.store {s.name}, {target.name}[{at}] : {target.type}")
    b.close()
