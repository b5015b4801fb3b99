// A producer's threads fill what a late product reads in the next iteration, beside a copy of
// the consumers that these wait for and show to the asynchronous proxy earlier: what the
// producer stored is shown by a fence of its own, behind the wait for its slot.
// RUN: tile-run %s --entry=f --chip=sm_90a --seed=1 --data=0:"integers(-3,3)" --shape=1:96x64 --data=1:"integers(-3,3)" --shape=2:64x70 --data=2:"integers(-3,3)" --data=3:"integers(-3,3)" --on=emulator --check
// RUN: tile-run %s --entry=f --chip=sm_90a --seed=2 --data=0:"integers(-3,3)" --shape=1:96x64 --data=1:"integers(-3,3)" --shape=2:64x70 --data=2:"integers(-3,3)" --data=3:"integers(-3,3)" --on=emulator --check
// RUN: tile-run %s --entry=f --chip=sm_90a --data=0:"integers(-3,3)" --shape=1:96x64 --data=1:"integers(-3,3)" --shape=2:64x70 --data=2:"integers(-3,3)" --data=3:"integers(-3,3)" --on=reference --check-stages
// RUN: tile-opt %s --tile-compile=chip=sm_90a --mlir-print-ir-after=tile-insert-barriers -o /dev/null 2>&1 | FileCheck %s
// RUN: tile-opt %s --tile-logical-phase=chip=sm_90a --tile-layout-phase --tile-schedule-phase --tile-check-barriers -o /dev/null
// CHECK: ld.st.mbarrier
// CHECK: tile.copy_wait
// CHECK-NEXT: tile.proxy_fence
// CHECK: tile.ring_wait
// CHECK: tile.proxy_fence
// CHECK: tile.gemm_async

#shared = #gpu.address_space<workgroup>
func.func @f(%A: memref<64x70xf16>, %B: memref<?x64xf16>, %V: memref<?x?xf16>, %C: memref<64x8xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %a = tile.alloc : memref<64x64xf16, #shared>
    %b = tile.alloc : memref<48x64xf16, #shared>
    %v = tile.alloc : memref<48x8xf16, #shared>
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %column = arith.muli %x, %c64 : index
    tile.copy %A[%c0, %column] in_bounds [true, false] to %a : memref<64x70xf16> to memref<64x64xf16, #shared>
    %one = arith.constant 1 : index
    %c48 = arith.constant 48 : index
    %c2 = arith.constant 2 : index
    %init = arith.constant dense<2.0> : tensor<64x8xf32>
    %two = arith.constant dense<2.0> : tensor<64x8xf32>
    %low = arith.constant dense<-2.0> : tensor<64x48xf32>
    %high = arith.constant dense<2.0> : tensor<64x48xf32>
    %r = scf.for %i = %c0 to %c2 step %one iter_args(%acc = %init) -> (tensor<64x8xf32>) {
      %row = arith.muli %i, %c48 : index
      tile.copy %B[%row, %c0] to %b : memref<?x64xf16> to memref<48x64xf16, #shared>
      tile.copy %V[%row, %c0] to %v : memref<?x?xf16> to memref<48x8xf16, #shared>
      %s = tile.gemm %a, %b {transpose_b, warps = #tile.warps<rows>} : memref<64x64xf16, #shared>, memref<48x64xf16, #shared> -> tensor<64x48xf32>
      %s1 = arith.maximumf %s, %low : tensor<64x48xf32>
      %s2 = arith.minimumf %s1, %high : tensor<64x48xf32>
      %p = arith.truncf %s2 : tensor<64x48xf32> to tensor<64x48xf16>
      %o = arith.addf %acc, %two : tensor<64x8xf32>
      %d = tile.gemm %p, %v, %o {warps = #tile.warps<rows>} : tensor<64x48xf16>, memref<48x8xf16, #shared> -> tensor<64x8xf32>
      scf.yield %d : tensor<64x8xf32>
    } {tile.stages = 2 : i32}
    tile.store %r, %C[%c0, %c0] : tensor<64x8xf32>, memref<64x8xf32>
  }
  return
}
