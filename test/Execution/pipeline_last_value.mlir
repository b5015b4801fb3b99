// A place that each iteration loads for the next one, and that is used behind the loop:
// the load runs ahead, and what it gave last stays where its iteration does not exist.
// RUN: tile-run %s --entry=all --on=emulator --check --chip=sm_80 --data=1:integers(1,9)
// RUN: tile-run %s --entry=all --on=reference --check-stages --chip=sm_80 --data=1:integers(1,9)
// RUN: tile-opt %s --emit=report --chip=sm_80 | FileCheck %s

#shared = #gpu.address_space<workgroup>

// CHECK: Pipelined: {{[2-4]}} stages
func.func @all(%A: memref<64x32xf32>, %P: memref<10xindex>, %O: memref<6x32x32xf32>) {
  %h0 = arith.constant 0 : index
  %h1 = arith.constant 1 : index
  %h6 = arith.constant 6 : index
  scf.for %n = %h0 to %h6 step %h1 {
    tile.launch @last_value blocks(%bx) in (%h1) threads(64) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant dense<0.0> : tensor<32x32xf32>
      %a = tile.alloc : memref<32x32xf32, #shared>
      %r, %last = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %at = %c1) -> (tensor<32x32xf32>, index) {
        tile.copy %A[%at, %c0] to %a : memref<64x32xf32> to memref<32x32xf32, #shared>
        %x = tile.load %a : memref<32x32xf32, #shared> -> tensor<32x32xf32>
        %d = arith.addf %acc, %x : tensor<32x32xf32>
        %next = memref.load %P[%i] : memref<10xindex>
        scf.yield %d, %next : tensor<32x32xf32>, index
      } {tile.stages = 3 : i32}
      %l = arith.index_cast %last : index to i32
      %f = arith.sitofp %l : i32 to f32
      %s = tensor.splat %f : tensor<32x32xf32>
      %q = arith.addf %r, %s : tensor<32x32xf32>
      tile.store %q, %O[%n, %c0, %c0] [1, 32, 32] : tensor<32x32xf32>, memref<6x32x32xf32>
    }
  }
  return
}
