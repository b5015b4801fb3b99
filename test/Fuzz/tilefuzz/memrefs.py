"""Memrefs that flow: chosen by a condition, carried by a loop that exchanges them.

What is chosen may be any of those that flow in, so the compiler must expect all. In a
loop that exchanges two memrefs they are reached through the loop alone.
"""

from tilefuzz.builder import *
from tilefuzz.control import condition
from tilefuzz.regions import body, repeated


def partners(b, roles):
    """Two memrefs of one type and shape, of different roots, with these roles."""
    memories = [m for m in b.visible if m.role in roles and m.shape and not m.isEmpty and
                m.elem != "index"]
    if not memories:
        return None
    x = b.pick(memories)
    mates = [m for m in memories if m.type == x.type and m.shape == x.shape and
             m.root is not x.root and m.role == x.role]
    return (x, b.pick(mates)) if mates else None


def flowing(x, y, name):
    return Memory(name, x.shape, x.elem, x.role, x.dynamic, x.strides, x.offset,
                  bound=max(x.bound, y.bound), isView=True)


def chosen(b, scope):
    """Statement: one of two inputs, by select or by scf.if."""
    pair = partners(b, ("input",))
    if pair is None:
        return
    x, y = pair
    test = condition(b, scope)
    result = flowing(x, y, b.name("w"))
    if b.chance(0.5):
        b.line(f"{result.name} = arith.select {test}, {x.name}, {y.name} : {x.type}")
    else:
        b.open(f"{result.name} = scf.if {test} -> ({x.type}) {{")
        b.line(f"scf.yield {x.name} : {x.type}")
        b.middle("} else {")
        b.line(f"scf.yield {y.name} : {x.type}")
        b.close()
    scope.buffers.append(result)


def exchanged(b, scope):
    """Statement: a loop that carries two memrefs and exchanges them."""
    pair = partners(b, ("input", "state") if b.blocks == 1 else ("input",))
    if pair is None:
        return
    x, y = pair
    trips = b.between(0, 4)
    zero, one, last = b.index(0), b.index(1), b.index(trips)
    iv, p, q, out = b.name("i"), b.name("w"), b.name("w"), b.name("w")
    b.open(f"{out}:2 = scf.for {iv} = {zero} to {last} step {one} iter_args({p} = {x.name}, "
           f"{q} = {y.name}) -> ({x.type}, {x.type}) {{")
    roots = {id(x.root), id(y.root)}
    visible = b.visible
    b.visible = [m for m in visible if id(m.root) not in roots]
    before = len(b.visible)
    inner = scope.nested()
    inner.buffers = [m for m in inner.buffers if id(m.root) not in roots]
    inner.indices.append(Index(iv, 0, max(0, trips - 1)))
    inner.buffers += [flowing(x, y, p), flowing(y, x, q)]
    repeated(b, trips, lambda: body(b, inner, b.between(1, 3)))
    b.line(f"scf.yield {q}, {p} : {x.type}, {x.type}")
    b.close(f"}} {{tile.stages = {b.between(1, 3)} : i32}}" if b.chance(0.3) else "}")
    b.visible = visible + b.visible[before:]
    if x.role == "input":
        scope.buffers += [flowing(x, y, f"{out}#{i}") for i in range(2)]
