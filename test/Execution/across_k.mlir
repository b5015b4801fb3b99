// Products of bytes whose operands lie across K, which warpgroups do not find: transposed in shared memory, in
// blocks of four by four bytes, by the threads that multiply; no trip, one, and more than there are slots.
// RUN: tile-run %s --entry=floats --on=emulator --chip=sm_90a --check --dim=M:256 --dim=N:256 --dim=K:320 --seed=1
// RUN: tile-run %s --entry=floats --on=emulator --chip=sm_90a --check --dim=M:128 --dim=N:512 --dim=K:64 --seed=2
// RUN: tile-run %s --entry=floats --on=emulator --chip=sm_90a --check --dim=M:128 --dim=N:256 --dim=K:0
// RUN: tile-run %s --entry=floats --on=reference --chip=sm_90a --check-stages --dim=M:128 --dim=N:256 --dim=K:192
// RUN: tile-run %s --entry=both --on=emulator --chip=sm_90a --check --dim=M:64 --dim=N:96 --dim=K:128 --seed=3
// RUN: tile-run %s --entry=both --on=emulator --chip=sm_90a --check --dim=M:50 --dim=N:91 --dim=K:350 --seed=4
// RUN: tile-run %s --entry=both --on=emulator --chip=sm_90a --check --dim=M:64 --dim=N:96 --dim=K:32 --seed=5
// RUN: tile-run %s --entry=both --on=emulator --chip=sm_80 --check --dim=M:64 --dim=N:96 --dim=K:96 --seed=6
// RUN: tile-run %s --entry=alone --on=emulator --chip=sm_90a --check --check-stages --seed=7
// RUN: tile-opt %s --emit=ptx --chip=sm_90a | FileCheck %s --check-prefix=PTX
// PTX-LABEL: .entry floats
// PTX: wgmma.mma_async.sync.aligned.m64n256k32.f32.e4m3.e5m2
// PTX-LABEL: .entry both
// PTX: wgmma.mma_async.sync.aligned.m64n96k32.s32.s8.s8
// PTX-LABEL: .entry alone
// PTX: wgmma.mma_async.sync.aligned.m64n32k32.f32.e5m2.e5m2
// RUN: tile-opt %s --emit=report --chip=sm_90a | FileCheck %s --check-prefix=REPORT
// REPORT-LABEL: kernel floats
// REPORT: 4 bytes an access
// REPORT: TransposedOperand: operand 1 lies across K
// REPORT-LABEL: kernel both{{$}}
// REPORT-NEXT: consumer 4 warps{{.*}}, producer
// REPORT: TransposedOperand: operand 0 lies across K
// REPORT: TransposedOperand: operand 1 lies across K
// REPORT-LABEL: kernel both_wide

#shared = #gpu.address_space<workgroup>

func.func @floats(%A: memref<?x?xf8E4M3FN> {tile.divisible = array<i64: 128, 64>, tile.dims = ["M", "K"]}, %B: memref<?x?xf8E5M2> {tile.divisible = array<i64: 64, 256>, tile.dims = ["K", "N"]}, %C: memref<?x?xf16> {tile.divisible = array<i64: 128, 256>, tile.dims = ["M", "N"]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %M = memref.dim %A, %c0 : memref<?x?xf8E4M3FN>
  %K = memref.dim %A, %c1 : memref<?x?xf8E4M3FN>
  %N = memref.dim %B, %c1 : memref<?x?xf8E5M2>
  %gx = arith.ceildivui %N, %c256 : index
  %gy = arith.ceildivui %M, %c128 : index
  tile.launch @floats blocks(%x, %y) in (%gx, %gy) threads(256) {
    %z = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %row = arith.muli %y, %c128 : index
    %col = arith.muli %x, %c256 : index
    %zero = arith.constant dense<0.0> : tensor<128x256xf32>
    %As = tile.alloc : memref<128x64xf8E4M3FN, #shared>
    %Bs = tile.alloc : memref<64x256xf8E5M2, #shared>
    %acc = scf.for %k = %z to %K step %c64 iter_args(%c = %zero) -> (tensor<128x256xf32>) {
      tile.copy %A[%row, %k] to %As : memref<?x?xf8E4M3FN> to memref<128x64xf8E4M3FN, #shared>
      tile.copy %B[%k, %col] to %Bs : memref<?x?xf8E5M2> to memref<64x256xf8E5M2, #shared>
      %d = tile.gemm %As, %Bs, %c : memref<128x64xf8E4M3FN, #shared>, memref<64x256xf8E5M2, #shared> -> tensor<128x256xf32>
      scf.yield %d : tensor<128x256xf32>
    } {tile.stages = 3 : i32}
    %h = arith.truncf %acc : tensor<128x256xf32> to tensor<128x256xf16>
    tile.store %h, %C[%row, %col] : tensor<128x256xf16>, memref<?x?xf16>
  }
  return
}

// Both operands; 96 columns, copies by threads, byte by byte, as no fact says how rows begin: by those of a producer all the same.
func.func @both(%A: memref<?x?xi8> {tile.dims = ["K", "M"]}, %B: memref<?x?xi8> {tile.dims = ["K", "N"]}, %C: memref<?x?xi32> {tile.dims = ["M", "N"]}) {
  %c1 = arith.constant 1 : index
  tile.launch @both blocks(%x) in (%c1) threads(128) {
    %z = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %K = memref.dim %A, %z : memref<?x?xi8>
    %zero = arith.constant dense<0> : tensor<64x96xi32>
    %As = tile.alloc : memref<32x64xi8, #shared>
    %Bs = tile.alloc : memref<32x96xi8, #shared>
    %acc = scf.for %k = %z to %K step %c32 iter_args(%c = %zero) -> (tensor<64x96xi32>) {
      tile.copy %A[%k, %z] to %As : memref<?x?xi8> to memref<32x64xi8, #shared>
      tile.copy %B[%k, %z] to %Bs : memref<?x?xi8> to memref<32x96xi8, #shared>
      %d = tile.gemm %As, %Bs, %c {transpose_a} : memref<32x64xi8, #shared>, memref<32x96xi8, #shared> -> tensor<64x96xi32>
      scf.yield %d : tensor<64x96xi32>
    } {tile.stages = 2 : i32}
    tile.store %acc, %C[%z, %z] : tensor<64x96xi32>, memref<?x?xi32>
  }
  return
}

func.func @alone(%A: memref<64x64xf8E5M2>, %B: memref<64x32xf8E5M2>, %C: memref<64x32xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @alone blocks(%x) in (%c1) threads(128) {
    %z = arith.constant 0 : index
    %As = tile.alloc : memref<64x64xf8E5M2, #shared>
    %Bs = tile.alloc : memref<64x32xf8E5M2, #shared>
    tile.copy %A[%z, %z] to %As : memref<64x64xf8E5M2> to memref<64x64xf8E5M2, #shared>
    tile.copy %B[%z, %z] to %Bs : memref<64x32xf8E5M2> to memref<64x32xf8E5M2, #shared>
    %d = tile.gemm %As, %Bs : memref<64x64xf8E5M2, #shared>, memref<64x32xf8E5M2, #shared> -> tensor<64x32xf32>
    tile.store %d, %C[%z, %z] : tensor<64x32xf32>, memref<64x32xf32>
  }
  return
}
