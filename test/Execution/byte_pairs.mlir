// Products of bytes that lie across K in shared memory: ldmatrix.trans brings pairs of
// neighbours along M or N, from which byte permutations make four along K; rows and
// columns of the result lie where the pairs are. Either operand and both, one tile of K
// and several, every part of a grid of warps, operands from fragments beside them.
// DEFINE: %{run} = tile-run %s --on=emulator --check
// RUN: %{run} --entry=columns --chip=sm_90a --dim=M:80 --dim=N:144 --dim=K:208 --seed=1
// RUN: %{run} --entry=columns --chip=sm_80 --dim=M:16 --dim=N:80 --dim=K:64 --seed=2
// RUN: %{run} --entry=columns --chip=sm_90a --dim=M:16 --dim=N:16 --dim=K:0 --seed=3
// RUN: %{run} --entry=both --chip=sm_90a --dim=M:144 --dim=N:80 --dim=K:144 --seed=4
// RUN: %{run} --entry=both --chip=sm_80 --dim=M:64 --dim=N:64 --dim=K:32 --seed=5
// RUN: %{run} --entry=narrow --chip=sm_90a --seed=6
// RUN: %{run} --entry=narrow --chip=sm_80 --seed=7
// RUN: %{run} --entry=fragment --chip=sm_90a --seed=8
// RUN: %{run} --entry=together --chip=sm_80 --seed=9
// RUN: %{run} --entry=together --chip=sm_90a --seed=10
// RUN: tile-run %s --on=reference --check-stages --chip=sm_90a --entry=both --dim=M:48 --dim=N:32 --dim=K:80

// No byte is loaded by itself, and of a round of K = 64 each warp loads no more than matrices:
// 32 x 64 and 64 x 32 bytes of a grid of 2 x 2 warps are four each.
// RUN: tile-opt %s --emit=ptx --chip=sm_80 -o %t.ptx
// RUN: FileCheck %s < %t.ptx --implicit-check-not=ld.shared.{{[bu]8}}
// CHECK-LABEL: .entry columns_kernel
// CHECK-COUNT-4: ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16
// CHECK-LABEL: .entry both_kernel
// CHECK-COUNT-4: ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16
// CHECK-LABEL: .entry narrow_kernel
// CHECK: ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16
// CHECK-LABEL: .entry fragment_kernel
// CHECK: ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16

// A tile of 192 x 64 on four warps spilled 160 bytes where each byte was loaded by itself.
// RUN: tile-opt %s --emit=report --chip=sm_80 | FileCheck %s --check-prefix=REPORT --implicit-check-not=C75 --implicit-check-not="{{[1-9][0-9]*}} bytes of spills"
// REPORT-LABEL: kernel large_kernel
// REPORT: a by ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16, 16 bytes an access
// REPORT: b by ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16, 16 bytes an access

#shared = #gpu.address_space<workgroup>

func.func @columns(%A: memref<?x?xi8> {tile.align = 16, tile.divisible = array<i64: 16, 16>, tile.dims = ["M", "K"]},
    %B: memref<?x?xi8> {tile.align = 16, tile.divisible = array<i64: 16, 16>, tile.dims = ["K", "N"]}, %C: memref<?x?xi32> {tile.dims = ["M", "N"]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %cM = arith.constant 64 : index
  %cN = arith.constant 64 : index
  %cK = arith.constant 64 : index
  %M = memref.dim %C, %c0 : memref<?x?xi32>
  %N = memref.dim %C, %c1 : memref<?x?xi32>
  %K = memref.dim %A, %c1 : memref<?x?xi8>
  %gx = arith.ceildivui %N, %cN : index
  %gy = arith.ceildivui %M, %cM : index
  tile.launch @columns_kernel blocks(%bx, %by) in (%gx, %gy) threads(128) {
    %row = arith.muli %by, %cM : index
    %col = arith.muli %bx, %cN : index
    %As = tile.alloc : memref<64x64xi8, #shared>
    %Bs = tile.alloc : memref<64x64xi8, #shared>
    %zero = arith.constant dense<0> : tensor<64x64xi32>
    %acc = scf.for %k = %c0 to %K step %cK iter_args(%c = %zero) -> (tensor<64x64xi32>) {
      tile.copy %A[%row, %k] to %As : memref<?x?xi8> to memref<64x64xi8, #shared>
      tile.copy %B[%k, %col] to %Bs : memref<?x?xi8> to memref<64x64xi8, #shared>
      %d = tile.gemm %As, %Bs, %c : memref<64x64xi8, #shared>, memref<64x64xi8, #shared> -> tensor<64x64xi32>
      scf.yield %d : tensor<64x64xi32>
    } {tile.stages = 3 : i32}
    tile.store %acc, %C[%row, %col] : tensor<64x64xi32>, memref<?x?xi32>
  }
  return
}

// Rows and columns.
func.func @both(%A: memref<?x?xi8> {tile.align = 16, tile.divisible = array<i64: 16, 16>, tile.dims = ["K", "M"]},
    %B: memref<?x?xi8> {tile.align = 16, tile.divisible = array<i64: 16, 16>, tile.dims = ["K", "N"]}, %C: memref<?x?xi32> {tile.dims = ["M", "N"]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %cM = arith.constant 64 : index
  %cN = arith.constant 64 : index
  %cK = arith.constant 32 : index
  %M = memref.dim %C, %c0 : memref<?x?xi32>
  %N = memref.dim %C, %c1 : memref<?x?xi32>
  %K = memref.dim %A, %c0 : memref<?x?xi8>
  %gx = arith.ceildivui %N, %cN : index
  %gy = arith.ceildivui %M, %cM : index
  tile.launch @both_kernel blocks(%bx, %by) in (%gx, %gy) threads(128) {
    %row = arith.muli %by, %cM : index
    %col = arith.muli %bx, %cN : index
    %As = tile.alloc : memref<32x64xi8, #shared>
    %Bs = tile.alloc : memref<32x64xi8, #shared>
    %zero = arith.constant dense<0> : tensor<64x64xi32>
    %acc = scf.for %k = %c0 to %K step %cK iter_args(%c = %zero) -> (tensor<64x64xi32>) {
      tile.copy %A[%k, %row] to %As : memref<?x?xi8> to memref<32x64xi8, #shared>
      tile.copy %B[%k, %col] to %Bs : memref<?x?xi8> to memref<32x64xi8, #shared>
      %d = tile.gemm %As, %Bs, %c {transpose_a} : memref<32x64xi8, #shared>, memref<32x64xi8, #shared> -> tensor<64x64xi32>
      scf.yield %d : tensor<64x64xi32>
    } {tile.stages = 3 : i32}
    tile.store %acc, %C[%row, %col] : tensor<64x64xi32>, memref<?x?xi32>
  }
  return
}

// One warp, signed and unsigned.
func.func @narrow(%A: memref<32x32xi8>, %B: memref<32x48xi8>, %C: memref<32x48xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch @narrow_kernel blocks(%b) in (%c1) threads(32) {
    %As = tile.alloc : memref<32x32xi8, #shared>
    %Bs = tile.alloc : memref<32x48xi8, #shared>
    tile.copy %A to %As : memref<32x32xi8> to memref<32x32xi8, #shared>
    tile.copy %B to %Bs : memref<32x48xi8> to memref<32x48xi8, #shared>
    %d = tile.gemm %As, %Bs {transpose_a, unsigned_b} : memref<32x32xi8, #shared>, memref<32x48xi8, #shared> -> tensor<32x48xi32>
    tile.store %d, %C : tensor<32x48xi32>, memref<32x48xi32>
  }
  return
}

// A from a fragment: its rows are as ever.
func.func @fragment(%A: memref<64x64xi32>, %B: memref<64x32xi8>, %C: memref<64x32xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch @fragment_kernel blocks(%b) in (%c1) threads(64) {
    %Bs = tile.alloc : memref<64x32xi8, #shared>
    %a = tile.load %A : memref<64x64xi32> -> tensor<64x64xi32>
    %p = arith.trunci %a : tensor<64x64xi32> to tensor<64x64xi8>
    tile.copy %B to %Bs : memref<64x32xi8> to memref<64x32xi8, #shared>
    %d = tile.gemm %p, %Bs : tensor<64x64xi8>, memref<64x32xi8, #shared> -> tensor<64x32xi32>
    tile.store %d, %C : tensor<64x32xi32>, memref<64x32xi32>
  }
  return
}

func.func @large(%A: memref<?x?xi8> {tile.align = 16, tile.divisible = array<i64: 16, 16>, tile.dims = ["K", "M"]},
    %B: memref<?x?xi8> {tile.align = 16, tile.divisible = array<i64: 16, 16>, tile.dims = ["K", "N"]}, %C: memref<?x?xi32> {tile.dims = ["M", "N"]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %cM = arith.constant 192 : index
  %cN = arith.constant 64 : index
  %cK = arith.constant 128 : index
  %M = memref.dim %C, %c0 : memref<?x?xi32>
  %N = memref.dim %C, %c1 : memref<?x?xi32>
  %K = memref.dim %A, %c0 : memref<?x?xi8>
  %gx = arith.ceildivui %N, %cN : index
  %gy = arith.ceildivui %M, %cM : index
  tile.launch @large_kernel blocks(%bx, %by) in (%gx, %gy) threads(128) {
    %row = arith.muli %by, %cM : index
    %col = arith.muli %bx, %cN : index
    %As = tile.alloc : memref<128x192xi8, #shared>
    %Bs = tile.alloc : memref<128x64xi8, #shared>
    %zero = arith.constant dense<0> : tensor<192x64xi32>
    %acc = scf.for %k = %c0 to %K step %cK iter_args(%c = %zero) -> (tensor<192x64xi32>) {
      tile.copy %A[%k, %row] to %As : memref<?x?xi8> to memref<128x192xi8, #shared>
      tile.copy %B[%k, %col] to %Bs : memref<?x?xi8> to memref<128x64xi8, #shared>
      %d = tile.gemm %As, %Bs, %c {transpose_a} : memref<128x192xi8, #shared>, memref<128x64xi8, #shared> -> tensor<192x64xi32>
      scf.yield %d : tensor<192x64xi32>
    } {tile.stages = 3 : i32}
    tile.store %acc, %C[%row, %col] : tensor<192x64xi32>, memref<?x?xi32>
  }
  return
}

// Buffers that their author lays along K, whose rows no pairs can come from.
func.func @together(%A: memref<32x128xi8>, %B: memref<32x32xi8>, %C: memref<128x32xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch @together_kernel blocks(%x) in (%c1) threads(32) {
    %a = tile.alloc layout(#tile.shared<[32, 128], order = [0, 1], swizzle = 32>) : memref<32x128xi8, #shared>
    %b = tile.alloc layout(#tile.shared<[32, 32], order = [0, 1]>) : memref<32x32xi8, #shared>
    tile.copy %A to %a : memref<32x128xi8> to memref<32x128xi8, #shared>
    tile.copy %B to %b : memref<32x32xi8> to memref<32x32xi8, #shared>
    %c = tile.gemm %a, %b {transpose_a}
      : memref<32x128xi8, #shared>, memref<32x32xi8, #shared> -> tensor<128x32xi32>
    tile.store %c, %C : tensor<128x32xi32>, memref<128x32xi32>
  }
  return
}
