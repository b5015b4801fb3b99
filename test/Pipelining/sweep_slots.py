#!/usr/bin/env python3
"""Consumers' loops in constant slots whose numbers of steps are known.

A module for each number of stages has a launch for every trip count from 0 to 3 * stages
+ 1, with one tile a block or, where uses are counted on, three. Others have one launch of
three tiles whose number of steps is known to be a multiple of the stages (`divided`, and
`later`, where the loop does not start with 0; `twice`, two loops) or one less (`less`).
`open` is one tile of which only the emulator knows how many steps it takes. The report says of how
many loops that their slots are constant, the emulator with all checkers gives what the
program means, and so does the reference after every pass. Prints a line for each module
and fails if any differs.
"""

import argparse
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent))
from sweep import conclude, execute, run  # noqa: E402

HEADER = "#shared = #gpu.address_space<workgroup>\n"
TYPES = {"index": ("index", "scf.for"), "i8": ("i8", "scf.for unsigned"), "tiles": ("index", "scf.for")}
TILES = 3
# With which step loops start whose end is a multiple of the stages.
STARTS = {"divided": lambda stages: 0, "later": lambda stages: stages, "less": lambda stages: 1,
          "twice": lambda stages: 0, "open": lambda stages: 0}


def launch(count, stages, kind):
    """A launch whose loop has `count` steps, for rows of the result from `count` times the
    tiles on. Numbers of i8 go beyond 127, as unsigned ones."""
    number, loop = TYPES[kind]
    step = 5 if kind == "i8" else 1
    tiles = count_tiles(kind)
    return f"""
  tile.launch @known_{count} blocks(%x) in (%c1) threads(128) {{
    %c0 = arith.constant 0 : index
    %row = arith.constant {count * tiles} : index
    %tiles = arith.constant {tiles} : index
    %low = arith.constant 0 : {number}
    %high = arith.constant {count * step} : {number}
    %step = arith.constant {step} : {number}
    %width = arith.constant 32 : index
    %zero = arith.constant dense<0.0> : tensor<64x32xf32>
    %a = tile.alloc : memref<64x32xf16, #shared>
    %b = tile.alloc : memref<32x32xf16, #shared>
    scf.for %u = %c0 to %tiles step %c1 {{
      %t = arith.addi %row, %u : index
      %r = {loop} %i = %low to %high step %step iter_args(%acc = %zero) -> (tensor<64x32xf32>) {': ' + number if number != 'index' else ''} {{
        {'%n = arith.index_castui %i : i8 to index' if kind == 'i8' else '%n = arith.muli %i, %c1 : index'}
        %s = arith.constant {step} : index
        %j = arith.divui %n, %s : index
        %k = arith.muli %j, %width : index
        %v = arith.addi %j, %u : index
        %l = arith.muli %v, %width : index
        tile.copy %A[%c0, %k] to %a : memref<64x704xf16> to memref<64x32xf16, #shared>
        tile.copy %B[%c0, %l] to %b : memref<32x704xf16> to memref<32x32xf16, #shared>
        %d = tile.gemm %a, %b, %acc {{transpose_b}} : memref<64x32xf16, #shared>, memref<32x32xf16, #shared> -> tensor<64x32xf32>
        scf.yield %d : tensor<64x32xf32>
      }} {{tile.stages = {stages} : i32}}
      tile.store %r, %O[%t, %c0, %c0] [1, 64, 32] : tensor<64x32xf32>, memref<{(3 * stages + 2) * tiles}x64x32xf32>
    }}
  }}"""


def count_tiles(kind):
    return TILES if kind == "tiles" else 1


def program(stages, kind):
    counts = range(3 * stages + 2)
    launches = "".join(launch(count, stages, kind) for count in counts)
    return f"""{HEADER}
func.func @main(%A: memref<64x704xf16>, %B: memref<32x704xf16>, %O: memref<{len(counts) * count_tiles(kind)}x64x32xf32>) {{
  %c1 = arith.constant 1 : index{launches}
  return
}}
"""


def divided(stages, kind):
    """Tiles whose loop ends with a multiple of the stages."""
    def loop(result, init):
        return f"""
      {result} = scf.for %k = %start to %n step %width iter_args(%acc = {init}) -> (tensor<64x32xf32>) {{
        %l = arith.addi %k, %first : index
        tile.copy %A[%c0, %k] to %a : memref<64x?xf16> to memref<64x32xf16, #shared>
        tile.copy %B[%c0, %l] to %b : memref<32x704xf16> to memref<32x32xf16, #shared>
        %d = tile.gemm %a, %b, %acc {{transpose_b}} : memref<64x32xf16, #shared>, memref<32x32xf16, #shared> -> tensor<64x32xf32>
        scf.yield %d : tensor<64x32xf32>
      }} {{tile.stages = {stages} : i32}}"""

    isOpen = kind == "open"
    loops = loop("%r", "%zero")
    if kind == "twice":
        loops = loop("%s", "%zero") + loop("%r", "%s")
    return f"""{HEADER}
func.func @main(%A: memref<64x?xf16> {{tile.dims = ["H", "K"], tile.divisible = array<i64: 1, {32 if isOpen else 32 * stages}>}}, %B: memref<32x704xf16>, %O: memref<{TILES}x64x32xf32>) {{
  %c1 = arith.constant 1 : index
  %n = memref.dim %A, %c1 : memref<64x?xf16>
  tile.launch @main_kernel blocks(%x) in (%c1) threads(128) {{
    %c0 = arith.constant 0 : index
    %tiles = arith.constant {1 if isOpen else TILES} : index
    %width = arith.constant 32 : index
    %start = arith.constant {32 * STARTS[kind](stages)} : index
    %zero = arith.constant dense<0.0> : tensor<64x32xf32>
    %a = tile.alloc : memref<64x32xf16, #shared>
    %b = tile.alloc : memref<32x32xf16, #shared>
    scf.for %t = %c0 to %tiles step %c1 {{
      %first = arith.muli %t, %width : index{loops}
      tile.store %r, %O[%t, %c0, %c0] [1, 64, 32] : tensor<64x32xf32>, memref<{TILES}x64x32xf32>
    }}
  }}
  return
}}
"""


def count_constant(stages, kind):
    """How many loops of a module are to have constant slots. One step is peeled; what is
    left has to have a round, and tiles have to begin with one slot."""
    if kind in STARTS:
        return {"less": 0, "twice": 2}.get(kind, 1)
    counts = range(stages + 1, 3 * stages + 2)
    return sum(kind != "tiles" or count % stages == 0 for count in counts)


def check(tools, path, stages, kind):
    """What is wrong with the program, or nothing."""
    report = run([tools / "tile-opt", path, "--emit=report", "--format=json", "--chip=sm_90a"])
    if report.returncode:
        return report.stderr
    expected = count_constant(stages, kind)
    said = report.stdout.count("ConstantSlots")
    if said != expected:
        return f"has {said} loops in constant slots instead of {expected}"
    steps = [stages * n for n in range(4)] if kind in STARTS else [None]
    for count in range(3 * stages + 2) if kind == "open" else steps:
        sizes = [f"--dim=K:{32 * count}", "--dim=H:64"] if kind in STARTS else []
        problem = execute(tools, [path, "--entry=main", "--chip=sm_90a", *sizes], seeds=[stages])
        if problem:
            return problem
    return None


def check_all(options):
    """The name of each module and what is wrong with it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.mlir"
        for stages in options.stages:
            for kind in [*TYPES, *STARTS]:
                path.write_text((divided if kind in STARTS else program)(stages, kind))
                yield f"{stages} stages, {kind}", check(options.tools, path, stages, kind)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tools", type=Path, help="folder with tile-opt and tile-run")
    parser.add_argument("--stages", type=int, nargs="+", default=[2, 3, 4, 5, 6])
    return conclude(check_all(parser.parse_args()))


if __name__ == "__main__":
    sys.exit(main())
