// Where there is no copy engine, results of at most 16 bits go through a buffer to 16-byte stores of
// threads: where accesses are that wide, rows fill sectors, and slots of a loop leave the room.
// RUN: tile-opt %s --tile-logical-phase="chip=sm_80" --tile-plan-roles --tile-infer-layouts | FileCheck %s
#shared = #gpu.address_space<workgroup>

// CHECK-LABEL: func @rows
// CHECK: %[[RESULT:.*]] = tile.alloc layout({{.*}}) : memref<64x64xf16, #gpu.address_space<workgroup>>
// CHECK: tile.store %{{.*}}, %[[RESULT]]
// CHECK: tile.copy %[[RESULT]] to %{{.*}}[%{{.*}}, %{{.*}}] {{.*}}vector_width = 8
func.func @rows(%A: memref<64x?xf16> {tile.divisible = array<i64: 1, 32>}, %B: memref<64x?xf16> {tile.divisible = array<i64: 1, 32>}, %C: memref<64x64xf16>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %one = arith.constant 1 : index
    %K = memref.dim %A, %one : memref<64x?xf16>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %As = tile.alloc : memref<64x32xf16, #shared>
    %Bs = tile.alloc : memref<64x32xf16, #shared>
    %acc = scf.for %k = %c0 to %K step %c32 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      tile.copy %A[%c0, %k] to %As : memref<64x?xf16> to memref<64x32xf16, #shared>
      tile.copy %B[%c0, %k] to %Bs : memref<64x?xf16> to memref<64x32xf16, #shared>
      %d = tile.gemm %As, %Bs, %c {transpose_b} : memref<64x32xf16, #shared>, memref<64x32xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 2 : i32}
    %h = arith.truncf %acc : tensor<64x64xf32> to tensor<64x64xf16>
    tile.store %h, %C[%c0, %c0] : tensor<64x64xf16>, memref<64x64xf16>
  }
  return
}

// Threads have 32 bytes of a row of f32 together.
// CHECK-LABEL: func @words
// CHECK-COUNT-2: tile.alloc
// CHECK-NOT: tile.alloc
// CHECK-NOT: tile.copy %{{.*}} to %{{.*}} : memref<64x64xf32, #gpu
// CHECK: return
func.func @words(%A: memref<64x?xf16> {tile.divisible = array<i64: 1, 32>}, %B: memref<64x?xf16> {tile.divisible = array<i64: 1, 32>}, %C: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %one = arith.constant 1 : index
    %K = memref.dim %A, %one : memref<64x?xf16>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %As = tile.alloc : memref<64x32xf16, #shared>
    %Bs = tile.alloc : memref<64x32xf16, #shared>
    %acc = scf.for %k = %c0 to %K step %c32 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      tile.copy %A[%c0, %k] to %As : memref<64x?xf16> to memref<64x32xf16, #shared>
      tile.copy %B[%c0, %k] to %Bs : memref<64x?xf16> to memref<64x32xf16, #shared>
      %d = tile.gemm %As, %Bs, %c {transpose_b} : memref<64x32xf16, #shared>, memref<64x32xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 4 : i32}
    tile.store %acc, %C[%c0, %c0] : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// Rows that begin anywhere are stored element by element from anywhere.
// CHECK-LABEL: func @anywhere
// CHECK-COUNT-2: tile.alloc
// CHECK-NOT: tile.alloc
// CHECK: return
func.func @anywhere(%A: memref<64x?xf16> {tile.divisible = array<i64: 1, 32>}, %B: memref<64x?xf16> {tile.divisible = array<i64: 1, 32>}, %C: memref<64x?xf16>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %one = arith.constant 1 : index
    %K = memref.dim %A, %one : memref<64x?xf16>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %As = tile.alloc : memref<64x32xf16, #shared>
    %Bs = tile.alloc : memref<64x32xf16, #shared>
    %acc = scf.for %k = %c0 to %K step %c32 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      tile.copy %A[%c0, %k] to %As : memref<64x?xf16> to memref<64x32xf16, #shared>
      tile.copy %B[%c0, %k] to %Bs : memref<64x?xf16> to memref<64x32xf16, #shared>
      %d = tile.gemm %As, %Bs, %c {transpose_b} : memref<64x32xf16, #shared>, memref<64x32xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 2 : i32}
    %h = arith.truncf %acc : tensor<64x64xf32> to tensor<64x64xf16>
    tile.store %h, %C[%c0, %c0] : tensor<64x64xf16>, memref<64x?xf16>
  }
  return
}

// The slots of the loop have 3,072 bytes, the result 4,096.
// CHECK-LABEL: func @room
// CHECK-COUNT-2: tile.alloc
// CHECK-NOT: tile.alloc
// CHECK: return
func.func @room(%A: memref<64x?xf16> {tile.divisible = array<i64: 1, 16>}, %B: memref<32x?xf16> {tile.divisible = array<i64: 1, 16>}, %C: memref<64x32xf16>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %one = arith.constant 1 : index
    %K = memref.dim %A, %one : memref<64x?xf16>
    %zero = arith.constant dense<0.0> : tensor<64x32xf32>
    %As = tile.alloc : memref<64x16xf16, #shared>
    %Bs = tile.alloc : memref<32x16xf16, #shared>
    %acc = scf.for %k = %c0 to %K step %c16 iter_args(%c = %zero) -> (tensor<64x32xf32>) {
      tile.copy %A[%c0, %k] to %As : memref<64x?xf16> to memref<64x16xf16, #shared>
      tile.copy %B[%c0, %k] to %Bs : memref<32x?xf16> to memref<32x16xf16, #shared>
      %d = tile.gemm %As, %Bs, %c {transpose_b} : memref<64x16xf16, #shared>, memref<32x16xf16, #shared> -> tensor<64x32xf32>
      scf.yield %d : tensor<64x32xf32>
    } {tile.stages = 1 : i32}
    %h = arith.truncf %acc : tensor<64x32xf32> to tensor<64x32xf16>
    tile.store %h, %C[%c0, %c0] : tensor<64x32xf16>, memref<64x32xf16>
  }
  return
}
