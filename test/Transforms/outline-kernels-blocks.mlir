// RUN: tile-opt %s --tile-logical-phase=chip=sm_80 --tile-layout-phase --tile-schedule-phase --tile-outline-kernels | FileCheck %s
// RUN: tile-opt %s --tile-logical-phase=chip=sm_100a --tile-layout-phase --tile-schedule-phase --tile-outline-kernels | FileCheck %s --check-prefix=LARGER

// Kernels with products of warps say how many blocks shared memory admits where these are
// few and the registers of fragments admit no fewer; not where the program says it. Kernels
// whose fragments exceed the registers of a thread say one block, so that ptxas uses all.

#shared = #gpu.address_space<workgroup>

// Shared memory admits ten blocks, then one of 96 KiB; on sm_100a two, as do 64
// accumulators and about 59 registers more for each of 256 threads.
// CHECK-LABEL: gpu.func @by_registers
// CHECK-NOT: nvvm.minctasm
// CHECK-LABEL: gpu.func @by_memory
// CHECK-SAME: nvvm.minctasm = 1 : i32
// 128 accumulators admit one of the two.
// CHECK-LABEL: gpu.func @fewer
// CHECK-NOT: nvvm.minctasm
// CHECK-LABEL: gpu.func @written
// CHECK-SAME: nvvm.minctasm = 3 : i32
// CHECK-LABEL: gpu.func @limited
// CHECK-NOT: nvvm.minctasm
// CHECK-SAME: nvvm.maxnreg = 96 : i32
// CHECK-LABEL: gpu.func @without
// CHECK-NOT: nvvm.minctasm
// CHECK-LABEL: gpu.func @exceeded
// CHECK-SAME: nvvm.minctasm = 1 : i32
// LARGER-LABEL: gpu.func @by_memory
// LARGER-SAME: nvvm.minctasm = 2 : i32
func.func @products(%A: memref<512x512xf32>, %B: memref<512x512xf32>, %C: memref<512x512xf32>) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  tile.launch @by_registers blocks(%x) in (%c1) threads(256) {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c512 = arith.constant 512 : index
    %a = tile.alloc : memref<128x16xf32, #shared>
    %b = tile.alloc : memref<16x128xf32, #shared>
    %zero = arith.constant dense<0.0> : tensor<128x128xf32>
    %r = scf.for %k = %c0 to %c512 step %c16 iter_args(%c = %zero) -> (tensor<128x128xf32>) {
      tile.copy %A[%c0, %k] to %a : memref<512x512xf32> to memref<128x16xf32, #shared>
      tile.copy %B[%k, %c0] to %b : memref<512x512xf32> to memref<16x128xf32, #shared>
      %d = tile.gemm %a, %b, %c {precision = #tile.precision<tf32>} : memref<128x16xf32, #shared>, memref<16x128xf32, #shared> -> tensor<128x128xf32>
      scf.yield %d : tensor<128x128xf32>
    }
    tile.store %r, %C[%c0, %c0] : tensor<128x128xf32>, memref<512x512xf32>
  }
  tile.launch @by_memory blocks(%x) in (%c1) threads(256) {
    %c0 = arith.constant 0 : index
    %c48 = arith.constant 48 : index
    %c512 = arith.constant 480 : index
    %a = tile.alloc : memref<128x48xf32, #shared>
    %b = tile.alloc : memref<48x128xf32, #shared>
    %zero = arith.constant dense<0.0> : tensor<128x128xf32>
    %r = scf.for %k = %c0 to %c512 step %c48 iter_args(%c = %zero) -> (tensor<128x128xf32>) {
      tile.copy %A[%c0, %k] to %a : memref<512x512xf32> to memref<128x48xf32, #shared>
      tile.copy %B[%k, %c0] to %b : memref<512x512xf32> to memref<48x128xf32, #shared>
      %d = tile.gemm %a, %b, %c {precision = #tile.precision<tf32>} : memref<128x48xf32, #shared>, memref<48x128xf32, #shared> -> tensor<128x128xf32>
      scf.yield %d : tensor<128x128xf32>
    } {tile.stages = 2 : i32}
    tile.store %r, %C[%c0, %c0] : tensor<128x128xf32>, memref<512x512xf32>
  }
  tile.launch @fewer blocks(%x) in (%c1) threads(256) {
    %c0 = arith.constant 0 : index
    %c48 = arith.constant 48 : index
    %c512 = arith.constant 480 : index
    %a = tile.alloc : memref<128x48xf32, #shared>
    %b = tile.alloc : memref<48x256xf32, #shared>
    %zero = arith.constant dense<0.0> : tensor<128x256xf32>
    %r = scf.for %k = %c0 to %c512 step %c48 iter_args(%c = %zero) -> (tensor<128x256xf32>) {
      tile.copy %A[%c0, %k] to %a : memref<512x512xf32> to memref<128x48xf32, #shared>
      tile.copy %B[%k, %c0] to %b : memref<512x512xf32> to memref<48x256xf32, #shared>
      %d = tile.gemm %a, %b, %c {precision = #tile.precision<tf32>} : memref<128x48xf32, #shared>, memref<48x256xf32, #shared> -> tensor<128x256xf32>
      scf.yield %d : tensor<128x256xf32>
    }
    tile.store %r, %C[%c0, %c0] : tensor<128x256xf32>, memref<512x512xf32>
  }
  tile.launch @written blocks(%x) in (%c1) threads(128) attributes {min_blocks_per_sm = 3 : i64} {
    %c0 = arith.constant 0 : index
    %a = tile.alloc : memref<16x16xf32, #shared>
    tile.copy %A[%c0, %c0] to %a : memref<512x512xf32> to memref<16x16xf32, #shared>
    %d = tile.gemm %a, %a {precision = #tile.precision<tf32>} : memref<16x16xf32, #shared>, memref<16x16xf32, #shared> -> tensor<16x16xf32>
    tile.store %d, %C[%c0, %c0] : tensor<16x16xf32>, memref<512x512xf32>
  }
  tile.launch @limited blocks(%x) in (%c1) threads(128) attributes {max_registers = 96 : i64} {
    %c0 = arith.constant 0 : index
    %a = tile.alloc : memref<16x16xf32, #shared>
    tile.copy %A[%c0, %c0] to %a : memref<512x512xf32> to memref<16x16xf32, #shared>
    %d = tile.gemm %a, %a {precision = #tile.precision<tf32>} : memref<16x16xf32, #shared>, memref<16x16xf32, #shared> -> tensor<16x16xf32>
    tile.store %d, %C[%c0, %c0] : tensor<16x16xf32>, memref<512x512xf32>
  }
  tile.launch @without blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %v = tile.load %A[%c0, %c0] : memref<512x512xf32> -> tensor<64x64xf32>
    tile.store %v, %C[%c0, %c0] : tensor<64x64xf32>, memref<512x512xf32>
  }
  tile.launch @exceeded blocks(%x) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %v = tile.load %A[%c0, %c0] : memref<512x512xf32> -> tensor<96x96xf32>
    tile.store %v, %C[%c0, %c0] : tensor<96x96xf32>, memref<512x512xf32>
  }
  return
}

// Elements that are loaded ahead are not packed before all have come: shared memory admits four
// blocks, the registers of 64 elements and their places fewer. What comes in vectors takes none.
// CHECK-LABEL: gpu.func @by_elements(
// CHECK-NOT: nvvm.minctasm
// CHECK-LABEL: gpu.func @by_elements_wide
// CHECK-SAME: nvvm.minctasm = 3 : i32
func.func @elements(%A: memref<?x?xf16> {tile.dims = ["M", "K"]}, %B: memref<?x?xf16> {tile.dims = ["K", "N"]},
                    %C: memref<?x?xf32> {tile.dims = ["M", "N"]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %K = memref.dim %A, %c1 : memref<?x?xf16>
  tile.launch @by_elements blocks(%x) in (%c1) threads(128) {
    %a = tile.alloc : memref<64x64xf16, #shared>
    %b = tile.alloc : memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %r = scf.for %k = %c0 to %K step %c64 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      tile.copy %A[%c0, %k] to %a : memref<?x?xf16> to memref<64x64xf16, #shared>
      tile.copy %B[%k, %c0] to %b : memref<?x?xf16> to memref<64x64xf16, #shared>
      %d = tile.gemm %a, %b, %c : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 3 : i32}
    tile.store %r, %C[%c0, %c0] : tensor<64x64xf32>, memref<?x?xf32>
  }
  return
}
