"""Writes a kernel whose first loop has results and one in it, of unsigned numbers, that LLVM is told not to unroll, and
COUNT loops in all.

Usage: make-loops.py COUNT
"""

import sys

print("""\
#unroll = #llvm.loop_unroll<disable = true>
#rolled = #llvm.loop_annotation<unroll = #unroll>
llvm.func @k(%n: i32, %m: i32, %p: !llvm.ptr) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %sum = scf.for %i = %m to %n step %one iter_args(%s = %zero) -> (i32) : i32 {
    scf.for unsigned %j = %zero to %i step %m : i32 {
      llvm.store %j, %p : i32, !llvm.ptr
    } {llvm.loop_annotation = #rolled}
    %next = arith.addi %s, %i : i32
    scf.yield %next : i32
  }
  llvm.store %sum, %p : i32, !llvm.ptr""")
for i in range(2, int(sys.argv[1])):
    print(f"""\
  scf.for %i{i} = %zero to %n step %one : i32 {{
    llvm.store %i{i}, %p : i32, !llvm.ptr
  }}""")
print("""\
  llvm.return
}""")
