// RUN: tile-opt %s --tile-logical-phase=chip=sm_80 --tile-layout-phase --tile-schedule-phase --tile-outline-kernels --convert-tile-to-nvvm | FileCheck %s

// Counters of slots, numbers of loops and compared indices take one register where they
// are known to be small.

#shared = #gpu.address_space<workgroup>

// The loop, and the slots that are read and filled.
// CHECK-LABEL: llvm.func @counted
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (f32, {{.*}}, i32, i32) : i32
// CHECK: arith.cmpi sle, %{{.*}}, %{{.*}} : i32
// The size is not known; slots are.
// CHECK-LABEL: llvm.func @unknown
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (f32, {{.*}}, i32, i32) : i64
// CHECK: arith.cmpi sle, %{{.*}}, %{{.*}} : i64
func.func @loops(%A: memref<64x512xf32>, %B: memref<64x?xf32>, %C: memref<64x32xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  %size = memref.dim %B, %c1 : memref<64x?xf32>
  tile.launch @counted blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c512 = arith.constant 512 : index
    %a = tile.alloc : memref<64x32xf32, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x32xf32>
    %r = scf.for %k = %c0 to %c512 step %c32 iter_args(%c = %zero) -> (tensor<64x32xf32>) {
      tile.copy %A[%c0, %k] to %a : memref<64x512xf32> to memref<64x32xf32, #shared>
      %v = tile.load %a[%c0, %c0] : memref<64x32xf32, #shared> -> tensor<64x32xf32>
      %mask = tile.parallel (%i, %j) in (64, 32) -> (tensor<64x32xi1>) {
        %column = arith.addi %k, %j : index
        %sees = arith.cmpi sle, %column, %i : index
        tile.yield %sees : i1
      }
      %w = arith.select %mask, %v, %zero : tensor<64x32xi1>, tensor<64x32xf32>
      %d = arith.addf %c, %w : tensor<64x32xf32>
      scf.yield %d : tensor<64x32xf32>
    } {tile.stages = 3 : i32}
    tile.store %r, %C[%c0, %c0] : tensor<64x32xf32>, memref<64x32xf32>
  }
  tile.launch @unknown blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %a = tile.alloc : memref<64x32xf32, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x32xf32>
    %r = scf.for %k = %c0 to %size step %c32 iter_args(%c = %zero) -> (tensor<64x32xf32>) {
      tile.copy %B[%c0, %k] to %a : memref<64x?xf32> to memref<64x32xf32, #shared>
      %v = tile.load %a[%c0, %c0] : memref<64x32xf32, #shared> -> tensor<64x32xf32>
      %mask = tile.parallel (%i, %j) in (64, 32) -> (tensor<64x32xi1>) {
        %column = arith.addi %k, %j : index
        %sees = arith.cmpi sle, %column, %n : index
        tile.yield %sees : i1
      }
      %w = arith.select %mask, %v, %zero : tensor<64x32xi1>, tensor<64x32xf32>
      %d = arith.addf %c, %w : tensor<64x32xf32>
      scf.yield %d : tensor<64x32xf32>
    } {tile.stages = 3 : i32}
    tile.store %r, %C[%c0, %c0] : tensor<64x32xf32>, memref<64x32xf32>
  }
  return
}
