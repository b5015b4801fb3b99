// Products with scales of blocks: one instruction on sm_120a, elsewhere a product for each
// block, scaled. `mx` runs ahead in a ring, with its scales.
// RUN: tile-run %s --entry=f4 --on=emulator --chip=sm_80 --check --dim=K:192 --dim=G:6
// RUN: tile-run %s --entry=f4 --on=emulator --chip=sm_90a --check --dim=K:320 --dim=G:10 --seed=1
// RUN: tile-run %s --entry=f4_and_f6 --on=emulator --chip=sm_90a --check --dim=K:128 --dim=G:4 --seed=2
// RUN: tile-run %s --entry=f4_and_f6 --on=emulator --chip=sm_120a --check --check-stages --dim=K:192 --dim=G:6 --seed=3
// RUN: tile-run %s --entry=mx --on=emulator --chip=sm_80 --check --dim=K:192 --dim=G:6
// RUN: tile-run %s --entry=mx --on=emulator --chip=sm_90a --check --dim=K:192 --dim=G:6 --seed=2
// RUN: tile-run %s --entry=mx --on=emulator --chip=sm_120a --check --dim=K:192 --dim=G:6 --seed=3
// RUN: tile-run %s --entry=mx --on=emulator --chip=sm_120a --check --dim=K:448 --dim=G:14 --seed=4
// RUN: tile-run %s --entry=mx --on=emulator --chip=sm_120a --check --dim=K:0 --dim=G:0
// RUN: tile-run %s --entry=mx --on=reference --chip=sm_90a --check-stages --dim=K:192 --dim=G:6
// RUN: tile-run %s --entry=mx --on=reference --chip=sm_120a --check-stages --dim=K:192 --dim=G:6

// The product of two scales is far outside of f32 where that of all four numbers is not.
// DEFINE: %{extremes} = tile-run %s --entry=extremes --data=0:values(1,-1,0,2) --data=2:values(1,-1,-3) --data=1:values(5.877471754111438e-39,1.1754943508222875e-38) --data=3:values(1.7014118346046923e38,8.507059173023462e37)
// RUN: %{extremes} --on=emulator --chip=sm_80 --check | FileCheck %s --check-prefix=EXACT
// RUN: tile-run %s --entry=extremes --on=emulator --chip=sm_80 --check --data=0:values(0,0.001953125,-0.00390625) --data=2:values(0,0.001953125,-0.00390625) --data=1:values(3.6893488147419103e19,7.378697629483821e19) --data=3:values(3.6893488147419103e19) | FileCheck %s --check-prefix=EXACT
// RUN: %{extremes} --on=emulator --chip=sm_120a --check | FileCheck %s --check-prefix=EXACT
// EXACT: argument 4: {{.*}} equal: 128 elements (128 exact)

// Fragments, transposed, padded; a scale for every 64 or 16 elements, or for any number.
// RUN: tile-run %s --entry=fragments --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=fragments --on=emulator --chip=sm_120a --check --seed=2
// RUN: tile-run %s --entry=sixteens --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=twelves --on=emulator --chip=sm_80 --check --data=0:values(1,-2,0.5) --data=2:values(1,-0.5)

#shared = #gpu.address_space<workgroup>

func.func @mx(%A: memref<144x?xf8E4M3FN> {tile.dims = ["", "K"], tile.divisible = array<i64: 1, 64>}, %SA: memref<144x?xf8E8M0FNU> {tile.dims = ["", "G"]},
              %B: memref<64x?xf8E5M2> {tile.dims = ["", "K"], tile.divisible = array<i64: 1, 64>}, %SB: memref<64x?xf8E8M0FNU> {tile.dims = ["", "G"]}, %C: memref<144x64xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %K = memref.dim %A, %c1 : memref<144x?xf8E4M3FN>
  tile.launch @mx blocks(%bx) in (%c2) threads(128) {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %least = arith.constant 5.8774717541114375e-39 : f8E8M0FNU
    %row = arith.muli %bx, %c128 : index
    %As = tile.alloc : memref<128x64xf8E4M3FN, #shared>
    %Bs = tile.alloc : memref<64x64xf8E5M2, #shared>
    %SAs = tile.alloc : memref<128x2xf8E8M0FNU, #shared>
    %SBs = tile.alloc : memref<64x2xf8E8M0FNU, #shared>
    %zero = arith.constant dense<0.0> : tensor<128x64xf32>
    %acc = scf.for %k = %c0 to %K step %c64 iter_args(%c = %zero) -> (tensor<128x64xf32>) {
      %g = arith.divui %k, %c32 : index
      tile.copy %A[%row, %k] to %As : memref<144x?xf8E4M3FN> to memref<128x64xf8E4M3FN, #shared>
      tile.copy %SA[%row, %g] pad(%least) to %SAs : memref<144x?xf8E8M0FNU> to memref<128x2xf8E8M0FNU, #shared>
      tile.copy %B[%c0, %k] to %Bs : memref<64x?xf8E5M2> to memref<64x64xf8E5M2, #shared>
      tile.copy %SB[%c0, %g] pad(%least) to %SBs : memref<64x?xf8E8M0FNU> to memref<64x2xf8E8M0FNU, #shared>
      %d = tile.gemm_scaled %As, %SAs, %Bs, %SBs, %c {transpose_b} : memref<128x64xf8E4M3FN, #shared>, memref<128x2xf8E8M0FNU, #shared>, memref<64x64xf8E5M2, #shared>, memref<64x2xf8E8M0FNU, #shared> -> tensor<128x64xf32>
      scf.yield %d : tensor<128x64xf32>
    } {tile.stages = 3 : i32}
    tile.store %acc, %C[%row, %c0] : tensor<128x64xf32>, memref<144x64xf32>
  }
  return
}

func.func @extremes(%A: memref<16x64xf8E4M3FN>, %SA: memref<16x2xf8E8M0FNU>, %B: memref<64x8xf8E4M3FN>, %SB: memref<8x2xf8E8M0FNU>, %C: memref<16x8xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%bx) in (%c1) threads(32) {
    %a = tile.load %A : memref<16x64xf8E4M3FN> -> tensor<16x64xf8E4M3FN>
    %sa = tile.load %SA : memref<16x2xf8E8M0FNU> -> tensor<16x2xf8E8M0FNU>
    %b = tile.load %B : memref<64x8xf8E4M3FN> -> tensor<64x8xf8E4M3FN>
    %sb = tile.load %SB : memref<8x2xf8E8M0FNU> -> tensor<8x2xf8E8M0FNU>
    %d = tile.gemm_scaled %a, %sa, %b, %sb : tensor<16x64xf8E4M3FN>, tensor<16x2xf8E8M0FNU>, tensor<64x8xf8E4M3FN>, tensor<8x2xf8E8M0FNU> -> tensor<16x8xf32>
    tile.store %d, %C : tensor<16x8xf32>, memref<16x8xf32>
  }
  return
}

func.func @fragments(%A: memref<128x40xf8E5M2>, %SA: memref<40x2xf8E8M0FNU>, %B: memref<128x24xf8E4M3FN>, %SB: memref<24x2xf8E8M0FNU>, %C: memref<40x24xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%bx) in (%c1) threads(64) {
    %a = tile.load %A : memref<128x40xf8E5M2> -> tensor<128x40xf8E5M2>
    %sa = tile.load %SA : memref<40x2xf8E8M0FNU> -> tensor<40x2xf8E8M0FNU>
    %b = tile.load %B : memref<128x24xf8E4M3FN> -> tensor<128x24xf8E4M3FN>
    %sb = tile.load %SB : memref<24x2xf8E8M0FNU> -> tensor<24x2xf8E8M0FNU>
    %c = tile.load %C : memref<40x24xf32> -> tensor<40x24xf32>
    %d = tile.gemm_scaled %a, %sa, %b, %sb, %c {block = 64, transpose_a} : tensor<128x40xf8E5M2>, tensor<40x2xf8E8M0FNU>, tensor<128x24xf8E4M3FN>, tensor<24x2xf8E8M0FNU> -> tensor<40x24xf32>
    tile.store %d, %C : tensor<40x24xf32>, memref<40x24xf32>
  }
  return
}

func.func @sixteens(%A: memref<64x64xf8E4M3FN>, %SA: memref<64x4xf8E4M3FN>, %B: memref<32x64xf8E4M3FN>, %SB: memref<32x4xf8E8M0FNU>, %C: memref<64x32xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%bx) in (%c1) threads(128) {
    %As = tile.alloc : memref<64x64xf8E4M3FN, #shared>
    %Bs = tile.alloc : memref<32x64xf8E4M3FN, #shared>
    %SAs = tile.alloc : memref<64x4xf8E4M3FN, #shared>
    %SBs = tile.alloc : memref<32x4xf8E8M0FNU, #shared>
    tile.copy %A to %As : memref<64x64xf8E4M3FN> to memref<64x64xf8E4M3FN, #shared>
    tile.copy %SA to %SAs : memref<64x4xf8E4M3FN> to memref<64x4xf8E4M3FN, #shared>
    tile.copy %B to %Bs : memref<32x64xf8E4M3FN> to memref<32x64xf8E4M3FN, #shared>
    tile.copy %SB to %SBs : memref<32x4xf8E8M0FNU> to memref<32x4xf8E8M0FNU, #shared>
    %d = tile.gemm_scaled %As, %SAs, %Bs, %SBs {block = 16, transpose_b} : memref<64x64xf8E4M3FN, #shared>, memref<64x4xf8E4M3FN, #shared>, memref<32x64xf8E4M3FN, #shared>, memref<32x4xf8E8M0FNU, #shared> -> tensor<64x32xf32>
    tile.store %d, %C : tensor<64x32xf32>, memref<64x32xf32>
  }
  return
}

func.func @twelves(%A: memref<16x96xf8E5M2>, %SA: memref<16x8xf8E8M0FNU>, %B: memref<16x96xf8E5M2>, %SB: memref<16x8xf8E8M0FNU>, %C: memref<16x16xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%bx) in (%c1) threads(32) {
    %a = tile.load %A : memref<16x96xf8E5M2> -> tensor<16x96xf8E5M2>
    %sa = tile.load %SA : memref<16x8xf8E8M0FNU> -> tensor<16x8xf8E8M0FNU>
    %b = tile.load %B : memref<16x96xf8E5M2> -> tensor<16x96xf8E5M2>
    %sb = tile.load %SB : memref<16x8xf8E8M0FNU> -> tensor<16x8xf8E8M0FNU>
    %d = tile.gemm_scaled %a, %sa, %b, %sb {block = 12, transpose_b} : tensor<16x96xf8E5M2>, tensor<16x8xf8E8M0FNU>, tensor<16x96xf8E5M2>, tensor<16x8xf8E8M0FNU> -> tensor<16x16xf32>
    tile.store %d, %C : tensor<16x16xf32>, memref<16x16xf32>
  }
  return
}

// Elements of 4 and of 6 bits, which lie two a byte and one.
func.func @f4(%A: memref<144x?xf4E2M1FN> {tile.dims = ["", "K"], tile.divisible = array<i64: 1, 64>}, %SA: memref<144x?xf8E8M0FNU> {tile.dims = ["", "G"]},
              %B: memref<64x?xf4E2M1FN> {tile.dims = ["", "K"], tile.divisible = array<i64: 1, 64>}, %SB: memref<64x?xf8E8M0FNU> {tile.dims = ["", "G"]}, %C: memref<144x64xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %K = memref.dim %A, %c1 : memref<144x?xf4E2M1FN>
  tile.launch @f4 blocks(%bx) in (%c2) threads(128) {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %least = arith.constant 5.8774717541114375e-39 : f8E8M0FNU
    %row = arith.muli %bx, %c128 : index
    %As = tile.alloc : memref<128x64xf4E2M1FN, #shared>
    %Bs = tile.alloc : memref<64x64xf4E2M1FN, #shared>
    %SAs = tile.alloc : memref<128x2xf8E8M0FNU, #shared>
    %SBs = tile.alloc : memref<64x2xf8E8M0FNU, #shared>
    %zero = arith.constant dense<0.0> : tensor<128x64xf32>
    %acc = scf.for %k = %c0 to %K step %c64 iter_args(%c = %zero) -> (tensor<128x64xf32>) {
      %g = arith.divui %k, %c32 : index
      tile.copy %A[%row, %k] to %As : memref<144x?xf4E2M1FN> to memref<128x64xf4E2M1FN, #shared>
      tile.copy %SA[%row, %g] pad(%least) to %SAs : memref<144x?xf8E8M0FNU> to memref<128x2xf8E8M0FNU, #shared>
      tile.copy %B[%c0, %k] to %Bs : memref<64x?xf4E2M1FN> to memref<64x64xf4E2M1FN, #shared>
      tile.copy %SB[%c0, %g] pad(%least) to %SBs : memref<64x?xf8E8M0FNU> to memref<64x2xf8E8M0FNU, #shared>
      %d = tile.gemm_scaled %As, %SAs, %Bs, %SBs, %c {transpose_b} : memref<128x64xf4E2M1FN, #shared>, memref<128x2xf8E8M0FNU, #shared>, memref<64x64xf4E2M1FN, #shared>, memref<64x2xf8E8M0FNU, #shared> -> tensor<128x64xf32>
      scf.yield %d : tensor<128x64xf32>
    } {tile.stages = 3 : i32}
    tile.store %acc, %C[%row, %c0] : tensor<128x64xf32>, memref<144x64xf32>
  }
  return
}

func.func @f4_and_f6(%A: memref<144x?xf4E2M1FN> {tile.dims = ["", "K"], tile.divisible = array<i64: 1, 64>}, %SA: memref<144x?xf8E8M0FNU> {tile.dims = ["", "G"]},
              %B: memref<64x?xf6E2M3FN> {tile.dims = ["", "K"], tile.divisible = array<i64: 1, 64>}, %SB: memref<64x?xf8E8M0FNU> {tile.dims = ["", "G"]}, %C: memref<144x64xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %K = memref.dim %A, %c1 : memref<144x?xf4E2M1FN>
  tile.launch @f4_and_f6 blocks(%bx) in (%c2) threads(128) {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %least = arith.constant 5.8774717541114375e-39 : f8E8M0FNU
    %row = arith.muli %bx, %c128 : index
    %As = tile.alloc : memref<128x64xf4E2M1FN, #shared>
    %Bs = tile.alloc : memref<64x64xf6E2M3FN, #shared>
    %SAs = tile.alloc : memref<128x2xf8E8M0FNU, #shared>
    %SBs = tile.alloc : memref<64x2xf8E8M0FNU, #shared>
    %zero = arith.constant dense<0.0> : tensor<128x64xf32>
    %acc = scf.for %k = %c0 to %K step %c64 iter_args(%c = %zero) -> (tensor<128x64xf32>) {
      %g = arith.divui %k, %c32 : index
      tile.copy %A[%row, %k] to %As : memref<144x?xf4E2M1FN> to memref<128x64xf4E2M1FN, #shared>
      tile.copy %SA[%row, %g] pad(%least) to %SAs : memref<144x?xf8E8M0FNU> to memref<128x2xf8E8M0FNU, #shared>
      tile.copy %B[%c0, %k] to %Bs : memref<64x?xf6E2M3FN> to memref<64x64xf6E2M3FN, #shared>
      tile.copy %SB[%c0, %g] pad(%least) to %SBs : memref<64x?xf8E8M0FNU> to memref<64x2xf8E8M0FNU, #shared>
      %d = tile.gemm_scaled %As, %SAs, %Bs, %SBs, %c {transpose_b} : memref<128x64xf4E2M1FN, #shared>, memref<128x2xf8E8M0FNU, #shared>, memref<64x64xf6E2M3FN, #shared>, memref<64x2xf8E8M0FNU, #shared> -> tensor<128x64xf32>
      scf.yield %d : tensor<128x64xf32>
    } {tile.stages = 3 : i32}
    tile.store %acc, %C[%row, %c0] : tensor<128x64xf32>, memref<144x64xf32>
  }
  return
}
