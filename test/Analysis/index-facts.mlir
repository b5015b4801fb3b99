// What IndexFacts knows, printed.
// RUN: tile-test-opt %s --test-tile-operand-facts -o /dev/null | FileCheck %s

func.func @scalars(%A: memref<?x?xf32> {tile.align = 32, tile.divisible = array<i64: 6, 8>}, %n: index, %i: i32) {
  %c4 = arith.constant 4 : index
  tile.launch @scalars blocks(%x) in (%c4) threads(32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c6 = arith.constant 6 : index
    %large = arith.constant 4611686018427387904 : index
    // What may wrap has a power of two as its divisor, and no bounds.
    // CHECK: @scalars tile.load 0: base 32, start 32, sizes [6, 8], strides [8, 1], contiguous
    // CHECK-NEXT: @scalars tile.load 1: divisor 6, 0 to 18
    // CHECK-NEXT: @scalars tile.load 2: divisor 2, -9223372036854775808 to 9223372036854775807
    %x6 = arith.muli %x, %c6 : index
    %n6 = arith.muli %n, %c6 : index
    %0 = tile.load %A[%x6, %n6] [1, 32] : memref<?x?xf32> -> tensor<32xf32>
    // CHECK: @scalars tile.load 1: divisor 1073741824, -9223372036854775808 to 9223372036854775807
    // CHECK-NEXT: @scalars tile.load 2: divisor 0, 0 to 0
    %far = arith.muli %x, %large : index
    %1 = tile.load %A[%far, %c0] [1, 32] : memref<?x?xf32> -> tensor<32xf32>
    // CHECK: @scalars memref.dim 1: divisor 1, 1 to 1
    // CHECK: @scalars scf.for 1: divisor 8, 0 to 9223372036854775807
    %d = memref.dim %A, %c1 : memref<?x?xf32>
    scf.for %k = %c0 to %d step %c6 {
      // At most 2^48 steps of 6.
      // CHECK: @scalars tile.load 1: divisor 6, 0 to 1688849860263936
      // CHECK-NEXT: @scalars tile.load 2: divisor 6, 6 to 1688849860263942
      %k6 = arith.addi %k, %c6 : index
      %2 = tile.load %A[%k, %k6] [1, 32] : memref<?x?xf32> -> tensor<32xf32>
    }
    // A sum that is said not to wrap is bounded by what it is of.
    // CHECK: @scalars tile.load 1: divisor 6, 6 to 9223372036854775807
    %positive = arith.maxsi %n6, %c0 : index
    %divisible = tile.assume_divisible %positive by 6 : index
    %next = arith.addi %divisible, %c6 overflow<nsw> : index
    %3 = tile.load %A[%next, %c0] [1, 32] : memref<?x?xf32> -> tensor<32xf32>
    // Casts keep what fits, as signed numbers.
    // CHECK: @scalars tile.load 1: divisor 2, -2147483648 to 2147483647
    // CHECK-NEXT: @scalars tile.load 2: divisor 2, 0 to 4294967295
    %c6_i32 = arith.constant 6 : i32
    %i6 = arith.muli %i, %c6_i32 : i32
    %signed = arith.index_cast %i6 : i32 to index
    %unsigned = arith.index_castui %i6 : i32 to index
    %4 = tile.load %A[%signed, %unsigned] [1, 32] : memref<?x?xf32> -> tensor<32xf32>
    // Division by what may be zero says nothing.
    // CHECK: @scalars tile.load 1: divisor 1, 0 to 5
    // CHECK-NEXT: @scalars tile.load 2: divisor 1, -9223372036854775808 to 9223372036854775807
    %some = arith.remui %n, %c6 : index
    %none = arith.remui %c6, %n : index
    %5 = tile.load %A[%some, %none] [1, 32] : memref<?x?xf32> -> tensor<32xf32>
  }
  return
}
