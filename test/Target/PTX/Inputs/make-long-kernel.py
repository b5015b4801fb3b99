"""Writes a kernel with three products of one stride behind COUNT stores and a chain of SUMS
additions.

Usage: make-long-kernel.py COUNT [SUMS]
"""

import sys

print("""\
module attributes {tile.target = #tile.target<"sm_80">, gpu.container_module} {
  gpu.module @kernels {
    llvm.func @k(%p: !llvm.ptr<1> {llvm.noundef}, %b: i32 {llvm.noundef}, %s: i32 {llvm.noundef}) attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>, tile.stage = #tile.stage<threaded>} {""")
for _ in range(int(sys.argv[1])):
    print("      llvm.store volatile %b, %p : i32, !llvm.ptr<1>")
for index in range(int(sys.argv[2]) if len(sys.argv) > 2 else 0):
    before = f"%sum{index - 1}" if index else "%b"
    print(f"""\
      %x{index} = llvm.load volatile %p : !llvm.ptr<1> -> i32
      %sum{index} = llvm.add {before}, %x{index} : i32
      llvm.store volatile %sum{index}, %p : i32, !llvm.ptr<1>""")
for index in range(1, 4):
    print(f"""\
      %c{index} = llvm.mlir.constant({index} : i32) : i32
      %b{index} = llvm.add %b, %c{index} : i32
      %m{index} = llvm.mul %b{index}, %s : i32
      llvm.store volatile %m{index}, %p : i32, !llvm.ptr<1>""")
print("""\
      llvm.return
    }
  }
}""")
