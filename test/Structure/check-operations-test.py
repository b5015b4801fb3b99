#!/usr/bin/env python3
"""Passes each bound of check-operations.py once and expects to be told.

Usage: check-operations-test.py PATH-OF-CHECK-OPERATIONS
"""

import sys

from planted_tree import run

DIALECT = "".join(f'def Tile_{name}Op : Tile_Op<"{mnemonic}", []> {{\n'
                  f"  let description = [{{ `tile.{mnemonic}`: TransposeOp }}];\n"
                  "}\n"
                  for name, mnemonic in (("Transpose", "transpose"),
                                         ("Bitcast", "bitcast"),
                                         ("Print", "print"), ("Gemm", "gemm")))
NOT_NAMED = ("// TransposeOp, tile.transpose\n/* isa<ForOp>(op) */\n"
             "vector::TransposeOp a; GemmAsyncOp b;\n"
             "isa<MatrixProductOpInterface>(op); isa<MemRefType>(type);\n")


def count_files(path, texts):
    return {f"lib/{path}/File{index}.cpp": text
            for index, text in enumerate(texts)}


# What is broken: the files, what the report must say or null if all is well.
CASES = {
    "within": (
        count_files("Analysis", ["TransposeOp a;\n"] * 4 + [NOT_NAMED] * 100)
        | {"lib/Transforms/X.cpp": "isa<ForOp>(op);\n" * 90}, None),
    "classes": (count_files("Analysis", ["tile::TransposeOp a;\n"] * 5),
                "tile.transpose is named in 6 files, 5 at most"),
    "names": (count_files("Analysis", ["error << \"'tile.print'\";\n"] * 5),
              "tile.print is named in 6 files, 5 at most"),
    "another bound": (count_files("Runtime", ["GemmOp a;\n"] * 8),
                      "tile.gemm is named in 9 files, 8 at most"),
    "type tests": (
        {"lib/Transforms/X.cpp": "isa<ForOp>(op);\n" * 88
         + "dyn_cast_or_null<scf::ForOp>(op);\n"
         + "isa<arith::AddIOp,\n    arith::SubIOp>(op);\n"
         + "llvm::cast<LaunchOp>(op);\n"},
        "91 type tests on operations, 90 at most"),
}


def main():
    dialect = {"include/tile/Dialect/Tile/TileOps.td": DIALECT}
    failures = []
    for name, (files, expected) in CASES.items():
        result = run(sys.argv[1], dialect | files)
        if (result.returncode != (expected is not None)
                or (expected or "within the bounds") not in result.stdout):
            failures.append(f"{name}: expected '{expected}', got status "
                            f"{result.returncode}: {result.stdout}"
                            f"{result.stderr}")
    print("\n".join(failures) or f"{len(CASES)} cases")
    return 1 if failures else 0


sys.exit(main())
