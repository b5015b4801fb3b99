"""Writes a kernel of COUNT branches, two blocks each, behind which both arms of another one, and what follows them, load
the same number.

Usage: make-branches.py COUNT
"""

import sys

print("""\
module attributes {tile.target = #tile.target<"sm_80">, gpu.container_module} {
  gpu.module @kernels {
    llvm.func @k(%p: !llvm.ptr<1> {llvm.noundef}, %q: !llvm.ptr<1> {llvm.noalias, llvm.noundef}, %b: i32 {llvm.noundef}) attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>, tile.stage = #tile.stage<threaded>} {""")
for i in range(int(sys.argv[1])):
    print(f"""\
      %k{i} = llvm.mlir.constant({i} : i32) : i32
      %is{i} = llvm.icmp "slt" %b, %k{i} : i32
      llvm.cond_br %is{i}, ^then{i}, ^end{i}
    ^then{i}:
      llvm.store volatile %k{i}, %p : i32, !llvm.ptr<1>
      llvm.br ^end{i}
    ^end{i}:""")
print("""\
      %zero = llvm.mlir.constant(0 : i32) : i32
      %one = llvm.mlir.constant(1 : i32) : i32
      %low = llvm.and %b, %one : i32
      %isOdd = llvm.icmp "ne" %low, %zero : i32
      llvm.cond_br %isOdd, ^odd, ^even
    ^odd:
      llvm.store volatile %one, %p : i32, !llvm.ptr<1>
      %x = llvm.load %q : !llvm.ptr<1> -> i32
      llvm.br ^join(%x : i32)
    ^even:
      llvm.store volatile %zero, %p : i32, !llvm.ptr<1>
      %y = llvm.load %q : !llvm.ptr<1> -> i32
      %more = llvm.add %y, %one : i32
      llvm.br ^join(%more : i32)
    ^join(%s: i32):
      %z = llvm.load %q : !llvm.ptr<1> -> i32
      %t = llvm.mul %s, %z : i32
      llvm.store volatile %t, %p : i32, !llvm.ptr<1>
      llvm.return
    }
  }
}""")
