"""Writes a launch with a store under COUNT conditions, one in another.

Usage: make-nested-conditions.py COUNT
"""

import sys

count = int(sys.argv[1])
print("""\
func.func @nested(%n: index, %m: memref<32xf32>) {
  tile.launch @nested_kernel blocks(%bx) in (%n) threads(32) {
    %c0 = arith.constant 0 : index
    %x = arith.constant dense<1.0> : tensor<32xf32>""")
for index in range(count):
    print(f"""\
    %c{index + 1} = arith.constant {index + 1} : index
    %more{index} = arith.cmpi sgt, %bx, %c{index} : index
    scf.if %more{index} {{""")
print("    tile.store %x, %m[%c0] : tensor<32xf32>, memref<32xf32>")
print("    }\n" * count + "  }\n  return\n}")
