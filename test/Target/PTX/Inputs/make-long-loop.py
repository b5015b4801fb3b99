"""Writes a kernel behind COUNT stores with what passes find that long functions do without: the number that the counter of a
loop ends with, a division of a small number, and two addresses that share an index.

Usage: make-long-loop.py COUNT
"""

import sys

print("""\
module attributes {tile.target = #tile.target<"sm_80">, gpu.container_module} {
  gpu.module @kernels {
    llvm.func @k(%p: !llvm.ptr<1> {llvm.noundef}, %b: i32 {llvm.noundef}, %c: i32 {llvm.noundef}, %d: i32 {llvm.noundef}) attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>, tile.stage = #tile.stage<threaded>} {
      %zero = llvm.mlir.constant(0 : i32) : i32
      %step = llvm.mlir.constant(32 : i32) : i32
      %end = llvm.mlir.constant(1048576 : i32) : i32
      %one = llvm.mlir.constant(1 : i32) : i32
      %mask = llvm.mlir.constant(255 : i32) : i32
      %limit = llvm.mlir.constant(1000 : i32) : i32""")
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
      %small = llvm.icmp "ult" %b, %limit : i32
      llvm.cond_br %small, ^divide, ^end
    ^divide:
      %low = llvm.and %b, %mask : i32
      %divisor = llvm.or %low, %one : i32
      %quotient = llvm.udiv %b, %divisor : i32
      llvm.store volatile %quotient, %p : i32, !llvm.ptr<1>
      llvm.br ^end
    ^end:
      %c64 = llvm.sext %c : i32 to i64
      %first = llvm.getelementptr inbounds %p[%c64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
      llvm.store volatile %b, %first : i32, !llvm.ptr<1>
      %sum = llvm.add %c, %d overflow<nsw> : i32
      %sum64 = llvm.sext %sum : i32 to i64
      %second = llvm.getelementptr inbounds %p[%sum64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
      llvm.store volatile %b, %second : i32, !llvm.ptr<1>
      llvm.return
    }
  }
}""")
