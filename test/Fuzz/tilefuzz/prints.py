"""What a program prints: every type and rank, at the top of a block and in its loops."""

from tilefuzz import memory
from tilefuzz.builder import *
from tilefuzz.elementwise import step
from tilefuzz.launches import launch
from tilefuzz.regions import repeated
from tilefuzz.shapes import fixLayout


def printed(b, scope, x):
    b.features["print"] += 1
    b.line(f'tile.print "value {b.features["print"]}" {x.name} : {x.type}')


def program(b, scope):
    def write(b, inner):
        for _ in range(b.between(1, 3)):
            x = memory.loadSome(b, inner, lambda: (b.shape(b.between(1, 3), 160),))
            if b.chance(0.3):
                fixLayout(b, inner)
                x = inner.fragments[-1]
            if x.elem not in ("i1", "index") and not isFp8(x.elem) and b.chance(0.5):
                x = step(b, x, [])
            printed(b, inner, x)
            if inner.scalars:
                printed(b, inner, b.pick(inner.scalars))
            if b.chance(0.4):
                inLoop(b, inner, x)

    launch(b, scope, write=write)


def inLoop(b, scope, x):
    """The counter, under a condition perhaps, and a fragment in every iteration."""
    trips = b.between(0, 3)
    iv = b.name("i")
    b.open(f"scf.for {iv} = {b.index(0)} to {b.index(trips)} step {b.index(1)} {{")

    def write():
        test = b.define("p", f"arith.cmpi eq, {iv}, {b.index(1)} : index")
        b.open(f"scf.if {test} {{")
        printed(b, scope, Scalar(iv, "index", trips))
        b.close()
        printed(b, scope, x)

    repeated(b, trips, write)
    b.close()
