// Reshapes of buffers that cut no rows: dimensions of extent 1 that go or come, buffers that
// all reshape alike, and rows that stay whole where a buffer is used in both shapes. Copies
// and products are those of the buffer.
// RUN: tile-run %s --entry=dropped --on=emulator --chip=sm_80 --check --check-stages
// RUN: tile-run %s --entry=dropped --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=added --on=emulator --chip=sm_80 --check --check-stages
// RUN: tile-run %s --entry=added --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=product --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=product --on=emulator --chip=sm_90a --check --check-stages
// RUN: tile-run %s --entry=both --on=emulator --chip=sm_80 --check --check-stages
// RUN: tile-run %s --entry=both --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=narrow --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=narrow --on=emulator --chip=sm_90a --check
// RUN: tile-opt %s --emit=ptx --chip=sm_80 | FileCheck %s
// RUN: tile-opt %s --emit=ptx --chip=sm_90a | FileCheck %s --check-prefix=BULK
// RUN: tile-opt %s --emit=report --chip=sm_80 | FileCheck %s --check-prefix=REPORT

#shared = #gpu.address_space<workgroup>
!flat = memref<64x64xf16, #shared>

// CHECK-LABEL: .entry dropped_kernel
// CHECK-COUNT-4: cp.async.cg.shared.global
// CHECK-NOT: st.shared
// CHECK-COUNT-4: ld.shared.v4
// CHECK-NOT: ld.shared
// BULK-LABEL: .entry dropped_kernel
// BULK: cp.async.bulk.tensor.2d.shared
func.func @dropped(%A: memref<64x64xf16>, %C: memref<64x64xf16>) {
  %c1 = arith.constant 1 : index
  tile.launch @dropped_kernel blocks(%b) in (%c1) threads(128) {
    %s = tile.alloc : memref<1x64x64xf16, #shared>
    %t = memref.collapse_shape %s [[0, 1], [2]] : memref<1x64x64xf16, #shared> into !flat
    tile.copy %A to %t : memref<64x64xf16> to !flat
    tile.copy %t to %C : !flat to memref<64x64xf16>
  }
  return
}

// CHECK-LABEL: .entry added_kernel
// CHECK-COUNT-4: cp.async.cg.shared.global
// CHECK-NOT: st.shared
// BULK-LABEL: .entry added_kernel
// BULK: cp.async.bulk.tensor.2d.shared
func.func @added(%A: memref<64x64xf16>, %C: memref<1x64x64xf16>) {
  %c1 = arith.constant 1 : index
  tile.launch @added_kernel blocks(%b) in (%c1) threads(128) {
    %s = tile.alloc : !flat
    %t = memref.expand_shape %s [[0, 1], [2]] output_shape [1, 64, 64] : !flat into memref<1x64x64xf16, #shared>
    tile.copy %A to %s : memref<64x64xf16> to !flat
    tile.copy %t to %C : memref<1x64x64xf16, #shared> to memref<1x64x64xf16>
  }
  return
}

// CHECK-LABEL: .entry product_kernel
// CHECK: cp.async.cg.shared.global
// CHECK-NOT: st.shared
// CHECK: ldmatrix
// BULK-LABEL: .entry product_kernel
// BULK-DAG: cp.async.bulk.tensor.2d.shared
// BULK-DAG: wgmma.mma_async
func.func @product(%A: memref<128x256xf16>, %B: memref<256x64xf16>, %C: memref<128x64xf32>) {
  %c2 = arith.constant 2 : index
  tile.launch @product_kernel blocks(%b) in (%c2) threads(128) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %row = arith.muli %b, %c64 : index
    %s = tile.alloc : memref<2x32x64xf16, #shared>
    %Bs = tile.alloc : !flat
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %sum = scf.for %k = %c0 to %c256 step %c64 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      %As = memref.collapse_shape %s [[0, 1], [2]] : memref<2x32x64xf16, #shared> into !flat
      tile.copy %A[%row, %k] to %As : memref<128x256xf16> to !flat
      tile.copy %B[%k, %c0] to %Bs : memref<256x64xf16> to !flat
      %d = tile.gemm %As, %Bs, %c : !flat, !flat -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 3 : i32}
    tile.store %sum, %C[%row, %c0] : tensor<64x64xf32>, memref<128x64xf32>
  }
  return
}

// CHECK-LABEL: .entry both_kernel
// CHECK-COUNT-4: cp.async.cg.shared.global
// CHECK-NOT: st.shared
// CHECK-COUNT-4: ld.shared.v4
// CHECK-NOT: ld.shared
func.func @both(%A: memref<2x32x64xf16>, %C: memref<64x64xf16>) {
  %c1 = arith.constant 1 : index
  tile.launch @both_kernel blocks(%b) in (%c1) threads(128) {
    %s = tile.alloc : memref<2x32x64xf16, #shared>
    tile.copy %A to %s : memref<2x32x64xf16> to memref<2x32x64xf16, #shared>
    %t = memref.collapse_shape %s [[0, 1], [2]] : memref<2x32x64xf16, #shared> into !flat
    tile.copy %t to %C : !flat to memref<64x64xf16>
  }
  return
}

// Rows of a reshape that are none of the buffer.
// CHECK-LABEL: .entry narrow_kernel
// REPORT: kernel narrow_kernel
// REPORT: NarrowCopy: 2 bytes in each access instead of 16: rows are those of a reshape of the buffer
func.func @narrow(%A: memref<64x48xf16>, %C: memref<96x32xf16>) {
  %c1 = arith.constant 1 : index
  tile.launch @narrow_kernel blocks(%b) in (%c1) threads(128) {
    %s = tile.alloc : memref<64x48xf16, #shared>
    tile.copy %A to %s : memref<64x48xf16> to memref<64x48xf16, #shared>
    %l = memref.collapse_shape %s [[0, 1]] : memref<64x48xf16, #shared> into memref<3072xf16, #shared>
    %t = memref.expand_shape %l [[0, 1]] output_shape [96, 32] : memref<3072xf16, #shared> into memref<96x32xf16, #shared>
    tile.copy %t to %C : memref<96x32xf16, #shared> to memref<96x32xf16>
  }
  return
}
