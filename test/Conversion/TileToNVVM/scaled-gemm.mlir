// A register of scales serves four steps along K, each of which names its byte; the fifth has
// another one. Of the lanes of a group the first are named.
// RUN: tile-opt %s --emit=nvvm --chip=sm_120a | FileCheck %s

// CHECK-LABEL: llvm.func @steps
// CHECK-DAG: %[[C0:.*]] = llvm.mlir.constant(0 : i16) : i16
// CHECK-DAG: %[[C1:.*]] = llvm.mlir.constant(1 : i16) : i16
// CHECK-DAG: %[[C2:.*]] = llvm.mlir.constant(2 : i16) : i16
// CHECK-DAG: %[[C3:.*]] = llvm.mlir.constant(3 : i16) : i16
// CHECK: llvm.call_intrinsic "llvm.nvvm.mma.block.scale.m16n8k32.row.col.mxf8f6f4.scale.1x.f32.e4m3.e5m2.f32.ue8m0"({{.*}}, %[[SA:.*]], %[[C0]], %[[C0]], %[[SB:.*]], %[[C0]], %[[C0]]) : (i32,
// CHECK: llvm.call_intrinsic "llvm.nvvm.mma.block.scale.m16n8k32.row.col.mxf8f6f4.scale.1x.f32.e4m3.e5m2.f32.ue8m0"({{.*}}, %[[SA]], %[[C1]], %[[C0]], %[[SB]], %[[C1]], %[[C0]]) : (i32,
// CHECK: llvm.call_intrinsic "llvm.nvvm.mma.block.scale.m16n8k32.row.col.mxf8f6f4.scale.1x.f32.e4m3.e5m2.f32.ue8m0"({{.*}}, %[[SA]], %[[C2]], %[[C0]], %[[SB]], %[[C2]], %[[C0]]) : (i32,
// CHECK: llvm.call_intrinsic "llvm.nvvm.mma.block.scale.m16n8k32.row.col.mxf8f6f4.scale.1x.f32.e4m3.e5m2.f32.ue8m0"({{.*}}, %[[SA]], %[[C3]], %[[C0]], %[[SB]], %[[C3]], %[[C0]]) : (i32,
// CHECK-NOT: %[[SA]], %[[C0]], %[[C0]]
// CHECK: llvm.call_intrinsic "llvm.nvvm.mma.block.scale.m16n8k32.row.col.mxf8f6f4.scale.1x.f32.e4m3.e5m2.f32.ue8m0"
// CHECK-NOT: block.scale

func.func @f(%A: memref<16x160xf8E4M3FN>, %SA: memref<16x5xf8E8M0FNU>, %B: memref<8x160xf8E5M2>, %SB: memref<8x5xf8E8M0FNU>, %C: memref<16x8xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @steps blocks(%x) in (%c1) threads(32) {
    %a = tile.load %A : memref<16x160xf8E4M3FN> -> tensor<16x160xf8E4M3FN>
    %sa = tile.load %SA : memref<16x5xf8E8M0FNU> -> tensor<16x5xf8E8M0FNU>
    %b = tile.load %B : memref<8x160xf8E5M2> -> tensor<8x160xf8E5M2>
    %sb = tile.load %SB : memref<8x5xf8E8M0FNU> -> tensor<8x5xf8E8M0FNU>
    %d = tile.gemm_scaled %a, %sa, %b, %sb {transpose_b} : tensor<16x160xf8E4M3FN>, tensor<16x5xf8E8M0FNU>, tensor<8x160xf8E5M2>, tensor<8x5xf8E8M0FNU> -> tensor<16x8xf32>
    tile.store %d, %C : tensor<16x8xf32>, memref<16x8xf32>
  }
  return
}
