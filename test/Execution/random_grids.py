#!/usr/bin/env python3
"""Every tile of a launch exactly once, over random grids.

Each program counts for each tile how often a block has it. Grids have one to three
dimensions of random extents, some of them zero, are rasterised or not and persistent, on
devices of a random number of multiprocessors, on sm_90a in clusters too. The emulator's
counts are the reference's, whose launch has a block a tile. Prints a line for each program
and fails if any differs.
"""

import argparse
import random
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent.parent / "Pipelining"))
from sweep import conclude, execute  # noqa: E402

NAMES = ["x", "y", "z"]


def choose(choice):
    """The attributes of a launch, its extents and its chip."""
    rank = choice.randint(1, 3)
    chip = choice.choice(["sm_80", "sm_90a"])
    attributes = ["persistent"]
    cluster = [1] * rank
    if chip == "sm_90a" and choice.random() < 0.6:
        cluster = [choice.choice([1, 2, 3]) for _ in range(rank)]
        attributes.append(f"cluster = array<i64: {', '.join(map(str, cluster))}>")
    if choice.random() < 0.7:
        attributes.append(f"rasterize = #tile.rasterize<{choice.choice(['row', 'column'])}, {choice.randint(1, 5)}>")
    if choice.random() < 0.4:
        attributes.append(f"min_blocks_per_sm = {choice.randint(1, 3)}")
    most = [40, 9, 5][rank - 1]
    extents = [size * choice.randint(0 if choice.random() < 0.1 else 1, most) for size in cluster]
    return attributes, extents, chip


def program(attributes, extents):
    sizes = "x".join(str(max(extent, 1)) for extent in extents)
    names = [f"%{name}" for name in NAMES[: len(extents)]]
    grid = [f"%n{name}" for name in NAMES[: len(extents)]]
    return f"""
func.func @main(%O: memref<{sizes}xi32>, {', '.join(f'{extent}: index' for extent in grid)}) {{
  tile.launch @k blocks({', '.join(names)}) in ({', '.join(grid)}) threads(32) attributes {{{', '.join(attributes)}}} {{
    %one = arith.constant 1 : i32
    %before = memref.atomic_rmw addi %one, %O[{', '.join(names)}] : (i32, memref<{sizes}xi32>) -> i32
  }}
  return
}}
"""


def check_all(options):
    """The name of each program and what is wrong with it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.mlir"
        for seed in range(options.seed, options.seed + options.count):
            choice = random.Random(seed)
            attributes, extents, chip = choose(choice)
            multiprocessors = choice.randint(1, 12)
            path.write_text(program(attributes, extents))
            words = [path, "--entry=main", f"--chip={chip}", f"--multiprocessors={multiprocessors}", "--data=0:zeros"]
            words += [f"--scalar={1 + i}:{extent}" for i, extent in enumerate(extents)]
            problem = execute(options.tools, words, [seed])
            yield f"{extents} on {multiprocessors} of {chip}, {', '.join(attributes)}", problem


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tools", type=Path, help="folder with tile-run")
    parser.add_argument("--count", type=int, default=16)
    parser.add_argument("--seed", type=int, default=1)
    return conclude(check_all(parser.parse_args()))


if __name__ == "__main__":
    sys.exit(main())
