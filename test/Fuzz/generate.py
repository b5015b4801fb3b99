#!/usr/bin/env python3
"""Writes a valid tile program made from a seed, with the command that runs it.

  generate.py --seed 17            prints the program, first line: // RUN: tile-run ...

Programs are valid and deterministic under docs/Dialect.md: blocks write disjoint
elements, everything is initialised before it is read, element accesses are in bounds.
Data are small integers and only sums that are exact are reordered, so results are
compared bit for bit, except arguments that take results of math functions.
"""

import argparse
import sys

from tilefuzz.builder import Builder, Index, Scope
from tilefuzz import control, memory


def launch(b, number):
    grid = b.pick([1, 1, 1, 2, 3, 4, 6])
    b.blocks, b.warps = grid, b.pick([1, 1, 2, 2, 3, 4, 4, 5, 6, 7, 8])
    b.sharedBytes = 0
    b.mutable = {id(m) for m in b.arguments if m.role in ("state", "output")
                 and b.chance(0.5) and m.shape}
    extents = [b.index(grid)]
    names = [b.name("b")]
    if grid > 1 and b.chance(0.3):
        factor = b.pick([d for d in range(1, grid + 1) if grid % d == 0])
        extents = [b.index(factor), b.index(grid // factor)]
        names.append(b.name("b"))
    b.open(f"tile.launch blocks({', '.join(names)}) in ({', '.join(extents)}) "
           f"threads({32 * b.warps}) {{")
    block = names[0]
    if len(names) > 1:
        scaled = b.define("i", f"arith.muli {names[1]}, {extents[0]} : index")
        block = b.define("i", f"arith.addi {scaled}, {names[0]} : index")
    b.block = Index(block, 0, grid - 1)
    scope = Scope(indices=[b.block])
    control.body(b, scope, b.between(3, 12))
    last = [f for f in scope.fragments if f.elem != "index"][-6:]
    for fragment in b.random.sample(last, min(len(last), b.between(1, 3))):
        memory.store(b, scope, fragment)
    b.close()


def generate(seed):
    """The program's text and the options of tile-run that it needs."""
    b = Builder(seed)
    b.indent = 1
    for number in range(b.pick([1, 1, 1, 1, 2, 3])):
        launch(b, number)
    arguments = ", ".join(f"{m.name}: {m.type}" for m in b.arguments)
    text = ["#shared = #gpu.address_space<workgroup>",
            f"func.func @f({arguments}) {{", *b.lines, "  return", "}", ""]
    return "\n".join(text), ["--rtol=0", "--atol=0", *b.options]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, required=True)
    text, options = generate(parser.parse_args().seed)
    sys.stdout.write(f"// RUN: tile-run %s --entry=f --on=emulator --chip=sm_80 --check "
                     f"{' '.join(options)}\n{text}")


if __name__ == "__main__":
    main()
