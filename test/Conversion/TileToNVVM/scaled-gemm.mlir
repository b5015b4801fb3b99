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

// Two scales a step of 64: the second step has bytes 2 and 3. A block of 64 stands twice.
// CHECK-LABEL: llvm.func @pairs
// CHECK-DAG: %[[C0:.*]] = llvm.mlir.constant(0 : i16) : i16
// CHECK-DAG: %[[C2:.*]] = llvm.mlir.constant(2 : i16) : i16
// CHECK: llvm.call_intrinsic "llvm.nvvm.mma.block.scale.m16n8k64.row.col.mxf4.scale.2x.f32.e2m1.e2m1.f32.ue8m0"({{.*}}, %[[SA:.*]], %[[C0]], %[[C0]], %[[SB:.*]], %[[C0]], %[[C0]]) : (i32,
// CHECK: llvm.call_intrinsic "llvm.nvvm.mma.block.scale.m16n8k64.row.col.mxf4.scale.2x.f32.e2m1.e2m1.f32.ue8m0"({{.*}}, %[[SA]], %[[C2]], %[[C0]], %[[SB]], %[[C2]], %[[C0]]) : (i32,

// Four: each register of the elements takes the signs of its block, and of its row of A. The
// instruction gets scales without signs, of the two rows in neighbouring lanes.
// CHECK-LABEL: llvm.func @signs
// CHECK-DAG: %[[SIGNS:.*]] = llvm.mlir.constant(-2004318072 : i32) : i32
// CHECK-DAG: %[[NO_SIGNS:.*]] = llvm.mlir.constant(2139062143 : i32) : i32
// CHECK: %[[SPREAD:.*]] = llvm.call_intrinsic "llvm.nvvm.prmt"
// CHECK: %[[MASKED:.*]] = llvm.and %[[SPREAD]], %[[SIGNS]]
// CHECK: llvm.xor %{{.*}}, %[[MASKED]]
// CHECK-COUNT-5: llvm.call_intrinsic "llvm.nvvm.prmt"
// CHECK-NOT: prmt
// CHECK: %[[BOTH:.*]] = llvm.select
// CHECK: %[[SA:.*]] = llvm.and %[[BOTH]], %[[NO_SIGNS]]
// CHECK: %[[SB:.*]] = llvm.and %{{.*}}, %[[NO_SIGNS]]
// CHECK: llvm.call_intrinsic "llvm.nvvm.mma.block.scale.m16n8k64.row.col.mxf4nvf4.scale.4x.f32.e2m1.e2m1.f32.ue4m3"({{.*}}, %[[SA]], %{{.*}}, %{{.*}}, %[[SB]], %{{.*}}, %{{.*}}) : (i32,

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

func.func @pairs(%A: memref<16x128xf4E2M1FN>, %SA: memref<16x2xf8E8M0FNU>, %B: memref<8x128xf4E2M1FN>, %SB: memref<8x2xf8E8M0FNU>, %C: memref<16x8xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @pairs blocks(%x) in (%c1) threads(32) {
    %a = tile.load %A : memref<16x128xf4E2M1FN> -> tensor<16x128xf4E2M1FN>
    %sa = tile.load %SA : memref<16x2xf8E8M0FNU> -> tensor<16x2xf8E8M0FNU>
    %b = tile.load %B : memref<8x128xf4E2M1FN> -> tensor<8x128xf4E2M1FN>
    %sb = tile.load %SB : memref<8x2xf8E8M0FNU> -> tensor<8x2xf8E8M0FNU>
    %d = tile.gemm_scaled %a, %sa, %b, %sb {block = 64, transpose_b} : tensor<16x128xf4E2M1FN>, tensor<16x2xf8E8M0FNU>, tensor<8x128xf4E2M1FN>, tensor<8x2xf8E8M0FNU> -> tensor<16x8xf32>
    tile.store %d, %C : tensor<16x8xf32>, memref<16x8xf32>
  }
  return
}

func.func @signs(%A: memref<16x64xf4E2M1FN>, %SA: memref<16x4xf8E4M3FN>, %B: memref<8x64xf4E2M1FN>, %SB: memref<8x4xf8E4M3FN>, %C: memref<16x8xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @signs blocks(%x) in (%c1) threads(32) {
    %a = tile.load %A : memref<16x64xf4E2M1FN> -> tensor<16x64xf4E2M1FN>
    %sa = tile.load %SA : memref<16x4xf8E4M3FN> -> tensor<16x4xf8E4M3FN>
    %b = tile.load %B : memref<8x64xf4E2M1FN> -> tensor<8x64xf4E2M1FN>
    %sb = tile.load %SB : memref<8x4xf8E4M3FN> -> tensor<8x4xf8E4M3FN>
    %d = tile.gemm_scaled %a, %sa, %b, %sb {block = 16, transpose_b} : tensor<16x64xf4E2M1FN>, tensor<16x4xf8E4M3FN>, tensor<8x64xf4E2M1FN>, tensor<8x4xf8E4M3FN> -> tensor<16x8xf32>
    tile.store %d, %C : tensor<16x8xf32>, memref<16x8xf32>
  }
  return
}
