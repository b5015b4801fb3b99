"""Writes a kernel with three products of one stride behind a chain of COUNT sums.

Usage: make-long-sums.py COUNT
"""

import sys

print("""\
module attributes {tile.target = #tile.target<"sm_80">, gpu.container_module} {
  gpu.module @kernels {
    llvm.func @k(%p: !llvm.ptr<1> {llvm.noundef}, %b: i32 {llvm.noundef}, %s: i32 {llvm.noundef}) attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>, tile.stage = #tile.stage<threaded>} {""")
last = "%b"
for number in range(int(sys.argv[1])):
    print(f"""\
      %l{number} = llvm.load volatile %p : !llvm.ptr<1> -> i32
      %a{number} = llvm.add {last}, %l{number} : i32
      llvm.store volatile %a{number}, %p : i32, !llvm.ptr<1>""")
    last = f"%a{number}"
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
