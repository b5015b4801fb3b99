// What is known of starts near the ends of their type, where arithmetic wraps: a
// large odd number is divisible by nothing, a product or sum that may wrap has no
// bounds, and neither has an unsigned number as a signed one.
// RUN: tile-run %s --entry=large_odd_factors --on=emulator --chip=sm_80 --check --data=0:iota
// RUN: tile-run %s --entry=product_wraps --on=emulator --chip=sm_80 --check --data=1:iota
// RUN: tile-run %s --entry=sum_wraps --on=emulator --chip=sm_80 --check --data=1:iota --shape=1:40
// RUN: tile-run %s --entry=unsigned_loop --on=emulator --chip=sm_80 --check --data=1:iota
// RUN: tile-opt %s --emit=ptx --chip=sm_80 | FileCheck %s

// row = x * (2^30 + 3) - x * (2^30 + 2) = x.
func.func @large_odd_factors(%A: memref<256xf32>, %o: memref<4x128xf32>) {
  %c4 = arith.constant 4 : index
  tile.launch blocks(%x) in (%c4) threads(32) {
    %c0 = arith.constant 0 : index
    %d1 = arith.constant 1073741827 : index
    %d2 = arith.constant 1073741826 : index
    %p = arith.muli %x, %d1 : index
    %q = arith.muli %x, %d2 : index
    %row = arith.subi %p, %q : index
    %t = tile.load %A[%row] : memref<256xf32> -> tensor<128xf32>
    tile.store %t, %o[%x, %c0] [1, 128] : tensor<128xf32>, memref<4x128xf32>
  }
  return
}

// The pitch of rows, 4 * (2^30 + 3) bytes, is no multiple of 8.
// CHECK-LABEL: .entry large_odd_pitch_1
// CHECK-NOT: ld.global.nc.v
// CHECK: ld.global.nc.b32
// CHECK-NOT: ld.global.nc.v
// CHECK: .entry
func.func @large_odd_pitch(%A: memref<4x128xf32, strided<[1073741827, 1]>>, %o: memref<4x128xf32>) {
  %c4 = arith.constant 4 : index
  tile.launch @large_odd_pitch_1 blocks(%x) in (%c4) threads(32) {
    %c0 = arith.constant 0 : index
    %t = tile.load %A[%x, %c0] [1, 128] : memref<4x128xf32, strided<[1073741827, 1]>> -> tensor<128xf32>
    tile.store %t, %o[%x, %c0] [1, 128] : tensor<128xf32>, memref<4x128xf32>
  }
  return
}

// Block 2 starts at -2^63, block 3 at -2^62: outside.
func.func @product_wraps(%A: memref<4x32xf32>, %o: memref<4x32xf32>) {
  %c4 = arith.constant 4 : index
  tile.launch blocks(%x) in (%c4) threads(32) {
    %c0 = arith.constant 0 : index
    %far = arith.constant 4611686018427387904 : index
    %row = arith.muli %x, %far : index
    %t = tile.load %o[%row, %c0] : memref<4x32xf32> -> tensor<1x32xf32>
    tile.store %t, %A[%x, %c0] : tensor<1x32xf32>, memref<4x32xf32>
  }
  return
}

// Block 3 starts at 2 * (2^63 - 2), which is -4.
func.func @sum_wraps(%o: memref<4x32xf32>, %A: memref<?xf32>) {
  %c4 = arith.constant 4 : index
  tile.launch blocks(%x) in (%c4) threads(32) {
    %c0 = arith.constant 0 : index
    %third = arith.constant 3074457345618258602 : index
    %far = arith.muli %x, %third : index
    %row = arith.addi %far, %far : index
    %t = tile.load %A[%row] : memref<?xf32> -> tensor<32xf32>
    tile.store %t, %o[%x, %c0] [1, 32] : tensor<32xf32>, memref<4x32xf32>
  }
  return
}

// 5, then numbers that are negative as signed ones.
func.func @unsigned_loop(%o: memref<64xf32>, %A: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %first = arith.constant 5 : index
    %end = arith.constant -4611686018427387899 : index
    %step = arith.constant 4611686018427387904 : index
    %zero = arith.constant dense<0.0> : tensor<64xf32>
    %r = scf.for unsigned %i = %first to %end step %step iter_args(%sum = %zero) -> (tensor<64xf32>) {
      %t = tile.load %A[%i] : memref<64xf32> -> tensor<64xf32>
      %next = arith.addf %sum, %t : tensor<64xf32>
      scf.yield %next : tensor<64xf32>
    }
    tile.store %r, %o : tensor<64xf32>, memref<64xf32>
  }
  return
}
