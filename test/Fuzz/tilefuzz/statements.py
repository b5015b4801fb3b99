"""The statements of a launch and how often each is chosen."""

from tilefuzz import (approximate, atomics, calls, control, images, lastblock, memory, memrefs,
                      parallel, products, reductions, rings, scalars, scans, shapes, views, wild)
from tilefuzz.builder import mayUse
from tilefuzz.elementwise import step


def elementwise(b, scope):
    x = b.pick(scope.fragments)
    for _ in range(b.between(1, 4)):
        others = [f for f in scope.fragments if f.shape == x.shape and
                  f.encoding == x.encoding]
        x = step(b, x, others)
        scope.fragments.append(x)


def assertion(b, scope):
    index = b.pick(scope.indices)
    test = b.define("p", f"arith.cmpi sle, {index.name}, {b.index(index.high)} : index")
    b.line(f'tile.assert {test}, "the index is in its range"')


def scan(b, scope):
    if mayUse("scan"):
        scans.scan(b, scope)


def image(b, scope):
    if b.sharedBytes < 20000:
        images.im2col(b, scope)


def guarded(function, limit):
    """Control flow only to a depth."""
    def call(b, scope):
        if scope.depth < limit:
            function(b, scope)
        elif scope.fragments:
            elementwise(b, scope)
    return call


STATEMENTS = [(9, elementwise), (8, memory.load), (8, memory.store), (6, memory.newBuffer),
              (4, memory.copyOut), (4, views.view), (2, atomics.atomic),
              (1, atomics.sharedAtomic), (3, shapes.broadcast), (3, shapes.transpose),
              (3, shapes.reshape), (3, shapes.slice), (1, shapes.bitcast),
              (4, reductions.reduce), (1, reductions.reduceSeveral), (2, scan),
              (3, shapes.fixLayout), (3, products.gemm), (5, guarded(products.gemmLoop, 2)),
              (6, guarded(rings.ring, 2)), (8, parallel.parallel),
              (5, guarded(control.loop, 2)), (1, guarded(control.whileLoop, 2)),
              (3, guarded(control.conditional, 3)), (1, guarded(control.switch, 2)),
              (2, control.choice), (1, memrefs.chosen),
              (1, guarded(memrefs.exchanged, 2)), (1, lastblock.lastBlock), (2, guarded(calls.called, 3)), (4, scalars.scalar),
              (1, scalars.dimension), (3, scalars.useScalar), (1, control.refill),
              (2, approximate.approximated), (1.5, wild.wild), (0.5, assertion), (0.5, image)]
NEED_NOTHING = (memory.load, memory.newBuffer)


def statement(b, scope):
    weights = [w for w, _ in STATEMENTS]
    call = b.random.choices([f for _, f in STATEMENTS], weights)[0]
    if not scope.fragments and call not in NEED_NOTHING:
        call = memory.load
    call(b, scope)
