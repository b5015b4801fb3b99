#!/usr/bin/env python3
"""Consumers' loops in constant slots whose numbers of steps are known.

A module for each number of stages has a launch for every trip count from 0 to 3 * stages
+ 1. The report says of how many that their slots are constant, the emulator with all
checkers gives what the program means, and so does the reference after every pass.
Prints a line for each module and fails if any differs.
"""

import argparse
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent))
from sweep import conclude, execute, run  # noqa: E402

HEADER = "#shared = #gpu.address_space<workgroup>\n"
TYPES = {"index": ("index", "scf.for"), "i8": ("i8", "scf.for unsigned")}


def launch(count, stages, kind):
    """A launch whose loop has `count` steps, for row `count` of the result. Numbers of
    i8 go beyond 127, as unsigned ones."""
    number, loop = TYPES[kind]
    step = 5 if kind == "i8" else 1
    return f"""
  tile.launch @known_{count} blocks(%x) in (%c1) threads(128) {{
    %c0 = arith.constant 0 : index
    %t = arith.constant {count} : index
    %low = arith.constant 0 : {number}
    %high = arith.constant {count * step} : {number}
    %step = arith.constant {step} : {number}
    %width = arith.constant 32 : index
    %zero = arith.constant dense<0.0> : tensor<64x32xf32>
    %a = tile.alloc : memref<64x32xf16, #shared>
    %b = tile.alloc : memref<32x32xf16, #shared>
    %r = {loop} %i = %low to %high step %step iter_args(%acc = %zero) -> (tensor<64x32xf32>) {': ' + number if kind != 'index' else ''} {{
      {'%n = arith.index_castui %i : i8 to index' if kind == 'i8' else '%n = arith.muli %i, %c1 : index'}
      %s = arith.constant {step} : index
      %j = arith.divui %n, %s : index
      %k = arith.muli %j, %width : index
      tile.copy %A[%c0, %k] to %a : memref<64x704xf16> to memref<64x32xf16, #shared>
      tile.copy %B[%c0, %k] to %b : memref<32x704xf16> to memref<32x32xf16, #shared>
      %d = tile.gemm %a, %b, %acc {{transpose_b}} : memref<64x32xf16, #shared>, memref<32x32xf16, #shared> -> tensor<64x32xf32>
      scf.yield %d : tensor<64x32xf32>
    }} {{tile.stages = {stages} : i32}}
    tile.store %r, %O[%t, %c0, %c0] [1, 64, 32] : tensor<64x32xf32>, memref<{3 * stages + 2}x64x32xf32>
  }}"""


def program(stages, kind):
    launches = "".join(launch(count, stages, kind) for count in range(3 * stages + 2))
    return f"""{HEADER}
func.func @main(%A: memref<64x704xf16>, %B: memref<32x704xf16>, %O: memref<{3 * stages + 2}x64x32xf32>) {{
  %c1 = arith.constant 1 : index{launches}
  return
}}
"""


def check(tools, path, stages):
    """What is wrong with the program, or nothing."""
    report = run([tools / "tile-opt", path, "--emit=report", "--format=json", "--chip=sm_90a"])
    if report.returncode:
        return report.stderr
    # One step is peeled; what is left has to have a round.
    expected = 3 * stages + 2 - (stages + 1)
    said = report.stdout.count("ConstantSlots")
    if said != expected:
        return f"has {said} loops in constant slots instead of {expected}"
    return execute(tools, [path, "--entry=main", "--chip=sm_90a"], seeds=[stages])


def check_all(options):
    """The name of each module and what is wrong with it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.mlir"
        for stages in options.stages:
            for kind in TYPES:
                path.write_text(program(stages, kind))
                yield f"{stages} stages, {kind}", check(options.tools, path, stages)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tools", type=Path, help="folder with tile-opt and tile-run")
    parser.add_argument("--stages", type=int, nargs="+", default=[2, 3, 4, 5, 6])
    return conclude(check_all(parser.parse_args()))


if __name__ == "__main__":
    sys.exit(main())
