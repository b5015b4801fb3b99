// The output of any pass can be written to a file and taken on from there: pass by
// pass through text gives what all passes in one run give.

// RUN: tile-opt %s --tile-inline-calls --tile-set-target=chip=sm_80 --tile-expand-grid --tile-plan-roles --tile-infer-layouts --tile-materialize-scratch --tile-pipeline-loops --tile-lower-rings --tile-plan-shared-memory --tile-insert-barriers --tile-outline-kernels -o %t.whole
// RUN: tile-opt %s --tile-inline-calls | tile-opt --tile-set-target=chip=sm_80 | tile-opt --tile-expand-grid | tile-opt --tile-plan-roles -o %t.logical
// RUN: tile-opt %t.logical --tile-infer-layouts -o %t.laid_out
// RUN: tile-opt %t.laid_out --tile-materialize-scratch -o %t.materialized
// RUN: tile-opt %t.materialized --tile-pipeline-loops -o %t.scheduled
// RUN: tile-opt %t.scheduled --tile-lower-rings --tile-plan-shared-memory -o %t.placed
// RUN: tile-opt %t.placed --tile-insert-barriers -o %t.synchronized
// RUN: tile-opt %t.synchronized --tile-outline-kernels -o %t.outlined
// RUN: diff %t.whole %t.outlined
// RUN: FileCheck %s --input-file=%t.outlined

#shared = #gpu.address_space<workgroup>

// CHECK: gpu.launch_func @kernels::@rows
// CHECK: gpu.func @rows(%{{.*}}: memref<?x512xf16>, %{{.*}}: memref<512x64xf16>, %{{.*}}: memref<?xf32>) kernel
// CHECK: tile.arena
// CHECK: scf.for
// CHECK: tile.barrier
// CHECK: tile.gemm
// CHECK: tile.store
func.func @rows(%a: memref<?x512xf16>, %b: memref<512x64xf16>, %c: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %rows = memref.dim %a, %c0 : memref<?x512xf16>
  %blocks = arith.ceildivui %rows, %c64 : index
  tile.launch @rows blocks(%bx) in (%blocks) threads(128) {
    %c32 = arith.constant 32 : index
    %c512 = arith.constant 512 : index
    %row = arith.muli %bx, %c64 : index
    %as = tile.alloc : memref<64x32xf16, #shared>
    %bs = tile.alloc : memref<32x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %k = %c0 to %c512 step %c32 iter_args(%d = %zero) -> (tensor<64x64xf32>) {
      tile.copy %a[%row, %k] to %as : memref<?x512xf16> to memref<64x32xf16, #shared>
      tile.copy %b[%k, %c0] to %bs : memref<512x64xf16> to memref<32x64xf16, #shared>
      %e = tile.gemm %as, %bs, %d : memref<64x32xf16, #shared>, memref<32x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %e : tensor<64x64xf32>
    } {tile.stages = 3 : i32}
    %m = tile.reduce <maximumf> %acc dims [1] : tensor<64x64xf32> -> tensor<64xf32>
    tile.store %m, %c[%row] : tensor<64xf32>, memref<?xf32>
  }
  return
}
