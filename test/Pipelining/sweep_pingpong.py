#!/usr/bin/env python3
"""Persistent launches on sm_90a whose tiles two teams compute in turn.

A program launches its kernel with every number of k-steps from 0 to 2 * stages + 1, over a
grid that is not known when it is compiled, rasterised, and stores rounded results by bulk
copies. For each number of stages and of resident blocks: the report says that there are two
consumers that take turns, and the emulator with all checkers gives what the program means on
no tile, one, two, three and many, a grid and a seed each; so does the reference after every
pass. In some the producer's threads copy one operand. Prints a line for each program and fails if any differs.
"""

import argparse
import itertools
import json
import random
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent))
from programs import HEADER, trips  # noqa: E402
from sweep import conclude, execute, run  # noqa: E402

MOST_X, MOST_Y = 3, 5  # tiles
BY_THREADS = [(2, 1, 2), (3, 2, 2)]  # stages, blocks, padding of rows
FIXED_GRIDS = [(0, 3), (1, 1), (2, 1), (1, 3), (MOST_X, MOST_Y)]


def program(stages, padding):
    """With rows of %A that are `padding` elements longer, threads copy them."""
    count, depth = trips(stages), 32 * (2 * stages + 1)
    a, b = f"memref<{64 * MOST_Y}x{depth + padding}xf16>", f"memref<{32 * MOST_X}x{depth}xf16>"
    out = f"memref<{count}x{64 * MOST_Y}x{32 * MOST_X}xf16>"
    tile_a, tile_b = "memref<64x32xf16, #shared>", "memref<32x32xf16, #shared>"
    return f"""{HEADER}
func.func @main(%A: {a}, %B: {b}, %O: {out}, %gx: index, %gy: index) {{
  %h0 = arith.constant 0 : index
  %h1 = arith.constant 1 : index
  %hn = arith.constant {count} : index
  scf.for %t = %h0 to %hn step %h1 {{
    tile.launch @kernel blocks(%x, %y) in (%gx, %gy) threads(128) attributes {{persistent,
        consumers = #tile.consumers<pingpong>, rasterize = #tile.rasterize<row, 2>}} {{
      %n = arith.addi %t, %h0 : index
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c32 = arith.constant 32 : index
      %c64 = arith.constant 64 : index
      %row = arith.muli %y, %c64 : index
      %column = arith.muli %x, %c32 : index
      %zero = arith.constant dense<0.0> : tensor<64x32xf32>
      %a = tile.alloc : {tile_a}
      %b = tile.alloc : {tile_b}
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x32xf32>) {{
        %k = arith.muli %i, %c32 : index
        tile.copy %A[%row, %k] to %a : {a} to {tile_a}
        tile.copy %B[%column, %k] to %b : {b} to {tile_b}
        %d = tile.gemm %a, %b, %acc {{transpose_b}} : {tile_a}, {tile_b} -> tensor<64x32xf32>
        scf.yield %d : tensor<64x32xf32>
      }} {{tile.stages = {stages} : i32}}
      %h = arith.truncf %r : tensor<64x32xf32> to tensor<64x32xf16>
      tile.store %h, %O[%t, %row, %column] [1, 64, 32] : tensor<64x32xf16>, {out}
    }}
  }}
  return
}}
"""


def check_report(tools, path):
    """What the report says wrongly of the launch, or nothing."""
    report = run([tools / "tile-opt", path, "--chip=sm_90a", "--emit=report", "--format=json"])
    if report.returncode:
        return report.stderr
    kernel = json.loads(report.stdout)["kernels"][0]
    teams = [role for role in kernel["roles"] if role["kind"] == "consumer" and role["alternating"]]
    if len(teams) != 2:
        return f"has {len(teams)} teams that take turns instead of 2"
    if not any("global.shared::cta" in copy["instruction"] for copy in kernel["copies"]):
        return "has no result that is stored by bulk copies"
    return None


def check(tools, path, blocks, grids, seed):
    """What is wrong with the program, or nothing."""
    problem = check_report(tools, path)
    for number, (x, y) in enumerate(grids):
        scalars = [f"--scalar=3:{x}", f"--scalar=4:{y}"]
        options = [path, "--entry=main", "--chip=sm_90a", f"--multiprocessors={blocks}", *scalars]
        problem = problem or execute(tools, options, seeds=[seed + number])
        if problem:
            return f"grid {x} x {y}: {problem}"
    return None


def check_all(options):
    """The name of each program and what is wrong with it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.mlir"
        cases = [*itertools.product(options.stages, options.blocks, [0]), *BY_THREADS]
        for stages, blocks, padding in cases:
            seed = 100 * stages + 10 * blocks + padding
            choice = random.Random(seed)
            grids = [choice.choice(FIXED_GRIDS), (choice.randint(1, MOST_X), choice.randint(1, MOST_Y))]
            path.write_text(program(stages, padding))
            yield (
                f"{stages} stages, {blocks} blocks, padding {padding}, grids {grids}",
                check(options.tools, path, blocks, grids, seed),
            )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tools", type=Path, help="folder with tile-opt and tile-run")
    parser.add_argument("--stages", type=int, nargs="+", default=[2, 3, 4])
    parser.add_argument("--blocks", type=int, nargs="+", default=[1, 2, 3, 7])
    return conclude(check_all(parser.parse_args()))


if __name__ == "__main__":
    sys.exit(main())
