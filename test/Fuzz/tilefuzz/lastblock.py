"""The block that finishes last sees what all others wrote: a chain of atomics orders it.

Every block stores its part, then counts itself; the one that counts last reads all
parts. Stands where every block comes exactly once.
"""

from tilefuzz.arguments import argument
from tilefuzz.builder import *
from tilefuzz.elementwise import fit


def lastBlock(b, scope):
    """Statement: parts of all blocks, summed by the last one."""
    mates = [f for f in scope.fragments if f.elem in ("f32", "i32", "f16", "i64") and
             f.shape and product(f.shape) * b.blocks <= 2048 and len(f.shape) < 3]
    if not mates or scope.depth:
        return
    f = fit(b, b.pick(mates), CAP)
    rank = len(f.shape)
    parts = argument(b, (b.blocks, *f.shape), f.elem, "parts", mayBeStrided=False)
    counter = argument(b, (1,), "i32", "counter", data="zeros", mayBeStrided=False)
    result = argument(b, f.shape, f.elem, "result", mayBeStrided=False)
    zero = b.index(0)
    rest = ", ".join([zero] * rank)
    box = [1, *f.shape]
    b.line(f"tile.store {f.name}, {parts.name}[{b.block.name}, {rest}] {box} : {f.type}, "
           f"{parts.type}")
    one, count = b.scalarConstant(1, "i32"), b.scalarConstant(b.blocks, "i32")
    old = b.define("z", f"memref.atomic_rmw addi {one}, {counter.name}[{zero}] : "
                        f"(i32, {counter.type}) -> i32")
    now = b.define("z", f"arith.addi {old}, {one} : i32")
    # The counter goes on in the next launch.
    left = b.define("z", f"arith.remsi {now}, {count} : i32")
    test = b.define("p", f"arith.cmpi eq, {left}, {b.scalarConstant(0, 'i32')} : i32")
    b.open(f"scf.if {test} {{")
    all = Fragment("", (b.blocks, *f.shape), f.elem, CAP)
    all.name = b.define("t", f"tile.load {parts.name}[{zero}, {rest}] : {parts.type} -> "
                             f"{all.type}")
    total = b.define("t", f"tile.reduce <add> {all.name} dims [0] : {all.type} -> "
                          f"{tensorType(f.shape, f.elem)}")
    b.line(f"tile.store {total}, {result.name}[{rest}] : {tensorType(f.shape, f.elem)}, "
           f"{result.type}")
    b.close()
