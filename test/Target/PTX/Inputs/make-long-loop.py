"""Writes a kernel with a loop and a store of what its counter ends with, behind COUNT stores.

Usage: make-long-loop.py COUNT
"""

import sys

print("""\
module attributes {tile.target = #tile.target<"sm_80">, gpu.container_module} {
  gpu.module @kernels {
    llvm.func @k(%p: !llvm.ptr<1> {llvm.noundef}, %b: i32 {llvm.noundef}) attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>, tile.stage = #tile.stage<threaded>} {
      %zero = llvm.mlir.constant(0 : i32) : i32
      %step = llvm.mlir.constant(32 : i32) : i32
      %end = llvm.mlir.constant(1048576 : i32) : i32""")
for _ in range(int(sys.argv[1])):
    print("      llvm.store volatile %b, %p : i32, !llvm.ptr<1>")
print("""\
      llvm.br ^head(%zero : i32)
    ^head(%i: i32):
      %more = llvm.icmp "slt" %i, %end : i32
      llvm.cond_br %more, ^body, ^exit
    ^body:
      llvm.store volatile %i, %p : i32, !llvm.ptr<1>
      %next = llvm.add %i, %step : i32
      llvm.br ^head(%next : i32)
    ^exit:
      llvm.store volatile %i, %p : i32, !llvm.ptr<1>
      llvm.return
    }
  }
}""")
