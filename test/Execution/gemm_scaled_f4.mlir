// Products of elements of 4 bits, and of 6, by block-scaled `mma.sync` of sm_120a. `mxf4` and
// `nvf4` run ahead in rings, with their scales; rows are ragged and K has odd numbers of steps.
// RUN: tile-run %s --entry=mxf4 --on=emulator --chip=sm_120a --check --check-stages --dim=K:192 --dim=G:6
// RUN: tile-run %s --entry=mxf4 --on=emulator --chip=sm_120a --check --dim=K:0 --dim=G:0
// RUN: tile-run %s --entry=nvf4 --on=emulator --chip=sm_120a --check --check-stages --dim=K:384 --dim=G:24 --seed=1
// RUN: tile-run %s --entry=nvf4 --on=emulator --chip=sm_90a --check --dim=K:128 --dim=G:8 --seed=1

// Scales of f8E4M3FN that are negative or zero: those of the instruction have no sign.
// RUN: tile-run %s --entry=signs --on=emulator --chip=sm_120a --check --data=1:values(-1,2,-0.25,0) --data=3:values(-0.5,3,-2) | FileCheck %s --check-prefix=EXACT
// EXACT: argument 4: {{.*}} equal: 384 elements (384 exact)

// Fragments, one transposed; a scale for every 96 elements, and for every 48 of f8E4M3FN.
// RUN: tile-run %s --entry=fragments --on=emulator --chip=sm_120a --check
// RUN: tile-run %s --entry=larger --on=emulator --chip=sm_120a --check --seed=2
// Elements that lie across K, blocks of 16 with powers of two.
// RUN: tile-run %s --entry=others --on=emulator --chip=sm_120a --check --seed=3
// Bytes with 6 bits, also beside f8.
// RUN: tile-run %s --entry=f6 --on=emulator --chip=sm_120a --check --seed=4
// Elements of 4 bits beside those of 8 and of 6, and a K that is no multiple of 64: one a byte of
// a register.
// RUN: tile-run %s --entry=mixed --on=emulator --chip=sm_120a --check --seed=6
// Views that begin in the middle of a byte, and at a word.
// RUN: tile-run %s --entry=views --on=emulator --chip=sm_120a --check --seed=5

// RUN: tile-opt %s --emit=ptx --chip=sm_120a -o %t.ptx
// RUN: FileCheck %s --input-file=%t.ptx --check-prefix=PTX

// PTX-LABEL: .entry mxf4(
// PTX: ldmatrix.sync.aligned.m8n8.x4.shared.b16
// PTX: mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0
// PTX-LABEL: .entry nvf4(
// PTX: ldmatrix.sync.aligned.m8n8.x4.shared.b16
// PTX: mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3
// PTX-LABEL: .entry signs(
// PTX: kind::mxf4nvf4
// PTX-LABEL: .entry fragments(
// PTX: kind::mxf4.
// PTX-LABEL: .entry larger(
// PTX: kind::mxf4nvf4
// PTX-LABEL: .entry others(
// PTX-NOT: block_scale
// PTX-LABEL: .entry f6(
// PTX: kind::mxf8f6f4.block_scale.scale_vec::1X.f32.e2m3.e3m2.f32.ue8m0
// PTX: kind::mxf8f6f4.block_scale.scale_vec::1X.f32.e3m2.e4m3.f32.ue8m0
// PTX-LABEL: .entry mixed(
// PTX: m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.e2m1.e5m2.f32.ue8m0
// PTX: m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.e2m3.e2m1.f32.ue8m0
// PTX: m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.e2m1.e2m1.f32.ue8m0
// PTX-LABEL: .entry views(
// PTX-NOT: ldmatrix
// PTX: kind::mxf4.

#shared = #gpu.address_space<workgroup>

func.func @mxf4(%A: memref<144x?xf4E2M1FN> {tile.dims = ["", "K"], tile.divisible = array<i64: 1, 64>}, %SA: memref<144x?xf8E8M0FNU> {tile.dims = ["", "G"]},
              %B: memref<40x?xf4E2M1FN> {tile.dims = ["", "K"], tile.divisible = array<i64: 1, 64>}, %SB: memref<40x?xf8E8M0FNU> {tile.dims = ["", "G"]}, %C: memref<144x40xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %K = memref.dim %A, %c1 : memref<144x?xf4E2M1FN>
  tile.launch @mxf4 blocks(%bx) in (%c2) threads(128) {
    %c0 = arith.constant 0 : index
    %block = arith.constant 32 : index
    %step = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %least = arith.constant 5.8774717541114375e-39 : f8E8M0FNU
    %row = arith.muli %bx, %c128 : index
    %As = tile.alloc : memref<128x64xf4E2M1FN, #shared>
    %Bs = tile.alloc : memref<40x64xf4E2M1FN, #shared>
    %SAs = tile.alloc : memref<128x2xf8E8M0FNU, #shared>
    %SBs = tile.alloc : memref<40x2xf8E8M0FNU, #shared>
    %zero = arith.constant dense<0.0> : tensor<128x40xf32>
    %acc = scf.for %k = %c0 to %K step %step iter_args(%c = %zero) -> (tensor<128x40xf32>) {
      %g = arith.divui %k, %block : index
      tile.copy %A[%row, %k] to %As : memref<144x?xf4E2M1FN> to memref<128x64xf4E2M1FN, #shared>
      tile.copy %SA[%row, %g] pad(%least) to %SAs : memref<144x?xf8E8M0FNU> to memref<128x2xf8E8M0FNU, #shared>
      tile.copy %B[%c0, %k] to %Bs : memref<40x?xf4E2M1FN> to memref<40x64xf4E2M1FN, #shared>
      tile.copy %SB[%c0, %g] pad(%least) to %SBs : memref<40x?xf8E8M0FNU> to memref<40x2xf8E8M0FNU, #shared>
      %d = tile.gemm_scaled %As, %SAs, %Bs, %SBs, %c {block = 32, transpose_b} : memref<128x64xf4E2M1FN, #shared>, memref<128x2xf8E8M0FNU, #shared>, memref<40x64xf4E2M1FN, #shared>, memref<40x2xf8E8M0FNU, #shared> -> tensor<128x40xf32>
      scf.yield %d : tensor<128x40xf32>
    } {tile.stages = 3 : i32}
    tile.store %acc, %C[%row, %c0] : tensor<128x40xf32>, memref<144x40xf32>
  }
  return
}

func.func @nvf4(%A: memref<144x?xf4E2M1FN> {tile.dims = ["", "K"], tile.divisible = array<i64: 1, 64>}, %SA: memref<144x?xf8E4M3FN> {tile.dims = ["", "G"]},
              %B: memref<64x?xf4E2M1FN> {tile.dims = ["", "K"], tile.divisible = array<i64: 1, 64>}, %SB: memref<64x?xf8E4M3FN> {tile.dims = ["", "G"]}, %C: memref<144x64xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %K = memref.dim %A, %c1 : memref<144x?xf4E2M1FN>
  tile.launch @nvf4 blocks(%bx) in (%c2) threads(128) {
    %c0 = arith.constant 0 : index
    %block = arith.constant 16 : index
    %step = arith.constant 128 : index
    %c128 = arith.constant 128 : index
    %least = arith.constant 0.0 : f8E4M3FN
    %row = arith.muli %bx, %c128 : index
    %As = tile.alloc : memref<128x128xf4E2M1FN, #shared>
    %Bs = tile.alloc : memref<64x128xf4E2M1FN, #shared>
    %SAs = tile.alloc : memref<128x8xf8E4M3FN, #shared>
    %SBs = tile.alloc : memref<64x8xf8E4M3FN, #shared>
    %zero = arith.constant dense<0.0> : tensor<128x64xf32>
    %acc = scf.for %k = %c0 to %K step %step iter_args(%c = %zero) -> (tensor<128x64xf32>) {
      %g = arith.divui %k, %block : index
      tile.copy %A[%row, %k] to %As : memref<144x?xf4E2M1FN> to memref<128x128xf4E2M1FN, #shared>
      tile.copy %SA[%row, %g] pad(%least) to %SAs : memref<144x?xf8E4M3FN> to memref<128x8xf8E4M3FN, #shared>
      tile.copy %B[%c0, %k] to %Bs : memref<64x?xf4E2M1FN> to memref<64x128xf4E2M1FN, #shared>
      tile.copy %SB[%c0, %g] pad(%least) to %SBs : memref<64x?xf8E4M3FN> to memref<64x8xf8E4M3FN, #shared>
      %d = tile.gemm_scaled %As, %SAs, %Bs, %SBs, %c {block = 16, transpose_b} : memref<128x128xf4E2M1FN, #shared>, memref<128x8xf8E4M3FN, #shared>, memref<64x128xf4E2M1FN, #shared>, memref<64x8xf8E4M3FN, #shared> -> tensor<128x64xf32>
      scf.yield %d : tensor<128x64xf32>
    } {tile.stages = 3 : i32}
    tile.store %acc, %C[%row, %c0] : tensor<128x64xf32>, memref<144x64xf32>
  }
  return
}

func.func @signs(%a0: memref<16x128xf4E2M1FN>, %a1: memref<16x8xf8E4M3FN>, %a2: memref<24x128xf4E2M1FN>, %a3: memref<24x8xf8E4M3FN>, %a4: memref<16x24xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @signs blocks(%bx) in (%c1) threads(64) {
    %s1 = tile.alloc : memref<16x128xf4E2M1FN, #shared>
    tile.copy %a0 to %s1 : memref<16x128xf4E2M1FN> to memref<16x128xf4E2M1FN, #shared>
    %t2 = tile.load %a1 : memref<16x8xf8E4M3FN> -> tensor<16x8xf8E4M3FN>
    %s3 = tile.alloc : memref<24x128xf4E2M1FN, #shared>
    tile.copy %a2 to %s3 : memref<24x128xf4E2M1FN> to memref<24x128xf4E2M1FN, #shared>
    %t4 = tile.load %a3 : memref<24x8xf8E4M3FN> -> tensor<24x8xf8E4M3FN>
    %d5 = tile.gemm_scaled %s1, %t2, %s3, %t4 {block = 16, transpose_b} : memref<16x128xf4E2M1FN, #shared>, tensor<16x8xf8E4M3FN>, memref<24x128xf4E2M1FN, #shared>, tensor<24x8xf8E4M3FN> -> tensor<16x24xf32>
    tile.store %d5, %a4 : tensor<16x24xf32>, memref<16x24xf32>
  }
  return
}

func.func @fragments(%a0: memref<192x40xf4E2M1FN>, %a1: memref<40x2xf8E8M0FNU>, %a2: memref<24x192xf4E2M1FN>, %a3: memref<24x2xf8E8M0FNU>, %a4: memref<40x24xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @fragments blocks(%bx) in (%c1) threads(64) {
    %t1 = tile.load %a0 : memref<192x40xf4E2M1FN> -> tensor<192x40xf4E2M1FN>
    %t2 = tile.load %a1 : memref<40x2xf8E8M0FNU> -> tensor<40x2xf8E8M0FNU>
    %t3 = tile.load %a2 : memref<24x192xf4E2M1FN> -> tensor<24x192xf4E2M1FN>
    %t4 = tile.load %a3 : memref<24x2xf8E8M0FNU> -> tensor<24x2xf8E8M0FNU>
    %d5 = tile.gemm_scaled %t1, %t2, %t3, %t4 {block = 96, transpose_a, transpose_b} : tensor<192x40xf4E2M1FN>, tensor<40x2xf8E8M0FNU>, tensor<24x192xf4E2M1FN>, tensor<24x2xf8E8M0FNU> -> tensor<40x24xf32>
    tile.store %d5, %a4 : tensor<40x24xf32>, memref<40x24xf32>
  }
  return
}

func.func @larger(%a0: memref<24x192xf4E2M1FN>, %a1: memref<24x4xf8E4M3FN>, %a2: memref<8x192xf4E2M1FN>, %a3: memref<8x4xf8E4M3FN>, %a4: memref<24x8xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @larger blocks(%bx) in (%c1) threads(32) {
    %t1 = tile.load %a0 : memref<24x192xf4E2M1FN> -> tensor<24x192xf4E2M1FN>
    %t2 = tile.load %a1 : memref<24x4xf8E4M3FN> -> tensor<24x4xf8E4M3FN>
    %s3 = tile.alloc : memref<8x192xf4E2M1FN, #shared>
    tile.copy %a2 to %s3 : memref<8x192xf4E2M1FN> to memref<8x192xf4E2M1FN, #shared>
    %t4 = tile.load %a3 : memref<8x4xf8E4M3FN> -> tensor<8x4xf8E4M3FN>
    %d5 = tile.gemm_scaled %t1, %t2, %s3, %t4 {block = 48, transpose_b} : tensor<24x192xf4E2M1FN>, tensor<24x4xf8E4M3FN>, memref<8x192xf4E2M1FN, #shared>, tensor<8x4xf8E4M3FN> -> tensor<24x8xf32>
    tile.store %d5, %a4 : tensor<24x8xf32>, memref<24x8xf32>
  }
  return
}

func.func @others(%a0: memref<16x64xf4E2M1FN>, %a1: memref<16x2xf8E8M0FNU>, %a2: memref<64x16xf4E2M1FN>, %a3: memref<16x2xf8E8M0FNU>, %a4: memref<16x64xf4E2M1FN>, %a5: memref<16x4xf8E8M0FNU>, %a6: memref<16x64xf4E2M1FN>, %a7: memref<16x4xf8E8M0FNU>, %a8: memref<16x16xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @others blocks(%bx) in (%c1) threads(64) {
    %s1 = tile.alloc : memref<16x64xf4E2M1FN, #shared>
    tile.copy %a0 to %s1 : memref<16x64xf4E2M1FN> to memref<16x64xf4E2M1FN, #shared>
    %t2 = tile.load %a1 : memref<16x2xf8E8M0FNU> -> tensor<16x2xf8E8M0FNU>
    %s3 = tile.alloc : memref<64x16xf4E2M1FN, #shared>
    tile.copy %a2 to %s3 : memref<64x16xf4E2M1FN> to memref<64x16xf4E2M1FN, #shared>
    %t4 = tile.load %a3 : memref<16x2xf8E8M0FNU> -> tensor<16x2xf8E8M0FNU>
    %d5 = tile.gemm_scaled %s1, %t2, %s3, %t4 {block = 32} : memref<16x64xf4E2M1FN, #shared>, tensor<16x2xf8E8M0FNU>, memref<64x16xf4E2M1FN, #shared>, tensor<16x2xf8E8M0FNU> -> tensor<16x16xf32>
    %s6 = tile.alloc : memref<16x64xf4E2M1FN, #shared>
    tile.copy %a4 to %s6 : memref<16x64xf4E2M1FN> to memref<16x64xf4E2M1FN, #shared>
    %t7 = tile.load %a5 : memref<16x4xf8E8M0FNU> -> tensor<16x4xf8E8M0FNU>
    %s8 = tile.alloc : memref<16x64xf4E2M1FN, #shared>
    tile.copy %a6 to %s8 : memref<16x64xf4E2M1FN> to memref<16x64xf4E2M1FN, #shared>
    %t9 = tile.load %a7 : memref<16x4xf8E8M0FNU> -> tensor<16x4xf8E8M0FNU>
    %d10 = tile.gemm_scaled %s6, %t7, %s8, %t9, %d5 {block = 16, transpose_b} : memref<16x64xf4E2M1FN, #shared>, tensor<16x4xf8E8M0FNU>, memref<16x64xf4E2M1FN, #shared>, tensor<16x4xf8E8M0FNU> -> tensor<16x16xf32>
    tile.store %d10, %a8 : tensor<16x16xf32>, memref<16x16xf32>
  }
  return
}

func.func @f6(%a0: memref<40x64xf6E2M3FN>, %a1: memref<40x2xf8E8M0FNU>, %a2: memref<24x64xf6E3M2FN>, %a3: memref<24x2xf8E8M0FNU>, %a4: memref<40x32xf6E3M2FN>, %a5: memref<40x1xf8E8M0FNU>, %a6: memref<32x24xf8E4M3FN>, %a7: memref<24x1xf8E8M0FNU>, %a8: memref<40x24xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @f6 blocks(%bx) in (%c1) threads(64) {
    %s1 = tile.alloc : memref<40x64xf6E2M3FN, #shared>
    tile.copy %a0 to %s1 : memref<40x64xf6E2M3FN> to memref<40x64xf6E2M3FN, #shared>
    %t2 = tile.load %a1 : memref<40x2xf8E8M0FNU> -> tensor<40x2xf8E8M0FNU>
    %s3 = tile.alloc : memref<24x64xf6E3M2FN, #shared>
    tile.copy %a2 to %s3 : memref<24x64xf6E3M2FN> to memref<24x64xf6E3M2FN, #shared>
    %t4 = tile.load %a3 : memref<24x2xf8E8M0FNU> -> tensor<24x2xf8E8M0FNU>
    %d5 = tile.gemm_scaled %s1, %t2, %s3, %t4 {block = 32, transpose_b} : memref<40x64xf6E2M3FN, #shared>, tensor<40x2xf8E8M0FNU>, memref<24x64xf6E3M2FN, #shared>, tensor<24x2xf8E8M0FNU> -> tensor<40x24xf32>
    %t6 = tile.load %a4 : memref<40x32xf6E3M2FN> -> tensor<40x32xf6E3M2FN>
    %t7 = tile.load %a5 : memref<40x1xf8E8M0FNU> -> tensor<40x1xf8E8M0FNU>
    %s8 = tile.alloc : memref<32x24xf8E4M3FN, #shared>
    tile.copy %a6 to %s8 : memref<32x24xf8E4M3FN> to memref<32x24xf8E4M3FN, #shared>
    %t9 = tile.load %a7 : memref<24x1xf8E8M0FNU> -> tensor<24x1xf8E8M0FNU>
    %d10 = tile.gemm_scaled %t6, %t7, %s8, %t9, %d5 {block = 32} : tensor<40x32xf6E3M2FN>, tensor<40x1xf8E8M0FNU>, memref<32x24xf8E4M3FN, #shared>, tensor<24x1xf8E8M0FNU> -> tensor<40x24xf32>
    tile.store %d10, %a8 : tensor<40x24xf32>, memref<40x24xf32>
  }
  return
}

func.func @mixed(%a0: memref<40x64xf4E2M1FN>, %a1: memref<40x2xf8E8M0FNU>, %a2: memref<64x24xf8E5M2>, %a3: memref<24x2xf8E8M0FNU>, %a4: memref<40x64xf6E2M3FN>, %a5: memref<40x1xf8E8M0FNU>, %a6: memref<24x64xf4E2M1FN>, %a7: memref<24x1xf8E8M0FNU>, %a8: memref<40x96xf4E2M1FN>, %a9: memref<40x3xf8E8M0FNU>, %a10: memref<24x96xf4E2M1FN>, %a11: memref<24x3xf8E8M0FNU>, %a12: memref<40x24xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @mixed blocks(%bx) in (%c1) threads(64) {
    %s1 = tile.alloc : memref<40x64xf4E2M1FN, #shared>
    tile.copy %a0 to %s1 : memref<40x64xf4E2M1FN> to memref<40x64xf4E2M1FN, #shared>
    %t2 = tile.load %a1 : memref<40x2xf8E8M0FNU> -> tensor<40x2xf8E8M0FNU>
    %s3 = tile.alloc : memref<64x24xf8E5M2, #shared>
    tile.copy %a2 to %s3 : memref<64x24xf8E5M2> to memref<64x24xf8E5M2, #shared>
    %t4 = tile.load %a3 : memref<24x2xf8E8M0FNU> -> tensor<24x2xf8E8M0FNU>
    %d5 = tile.gemm_scaled %s1, %t2, %s3, %t4 {block = 32} : memref<40x64xf4E2M1FN, #shared>, tensor<40x2xf8E8M0FNU>, memref<64x24xf8E5M2, #shared>, tensor<24x2xf8E8M0FNU> -> tensor<40x24xf32>
    %s6 = tile.alloc : memref<40x64xf6E2M3FN, #shared>
    tile.copy %a4 to %s6 : memref<40x64xf6E2M3FN> to memref<40x64xf6E2M3FN, #shared>
    %t7 = tile.load %a5 : memref<40x1xf8E8M0FNU> -> tensor<40x1xf8E8M0FNU>
    %t8 = tile.load %a6 : memref<24x64xf4E2M1FN> -> tensor<24x64xf4E2M1FN>
    %t9 = tile.load %a7 : memref<24x1xf8E8M0FNU> -> tensor<24x1xf8E8M0FNU>
    %d10 = tile.gemm_scaled %s6, %t7, %t8, %t9, %d5 {block = 64, transpose_b} : memref<40x64xf6E2M3FN, #shared>, tensor<40x1xf8E8M0FNU>, tensor<24x64xf4E2M1FN>, tensor<24x1xf8E8M0FNU> -> tensor<40x24xf32>
    %s11 = tile.alloc : memref<40x96xf4E2M1FN, #shared>
    tile.copy %a8 to %s11 : memref<40x96xf4E2M1FN> to memref<40x96xf4E2M1FN, #shared>
    %t12 = tile.load %a9 : memref<40x3xf8E8M0FNU> -> tensor<40x3xf8E8M0FNU>
    %s13 = tile.alloc : memref<24x96xf4E2M1FN, #shared>
    tile.copy %a10 to %s13 : memref<24x96xf4E2M1FN> to memref<24x96xf4E2M1FN, #shared>
    %t14 = tile.load %a11 : memref<24x3xf8E8M0FNU> -> tensor<24x3xf8E8M0FNU>
    %d15 = tile.gemm_scaled %s11, %t12, %s13, %t14, %d10 {block = 32, transpose_b} : memref<40x96xf4E2M1FN, #shared>, tensor<40x3xf8E8M0FNU>, memref<24x96xf4E2M1FN, #shared>, tensor<24x3xf8E8M0FNU> -> tensor<40x24xf32>
    tile.store %d15, %a12 : tensor<40x24xf32>, memref<40x24xf32>
  }
  return
}

func.func @views(%A: memref<16x72xf4E2M1FN>, %SA: memref<16x2xf8E8M0FNU>, %B: memref<16x72xf4E2M1FN>, %SB: memref<16x2xf8E8M0FNU>, %C: memref<16x16xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @views blocks(%bx) in (%c1) threads(64) {
    %As = tile.alloc : memref<16x72xf4E2M1FN, #shared>
    tile.copy %A to %As : memref<16x72xf4E2M1FN> to memref<16x72xf4E2M1FN, #shared>
    %Bs = tile.alloc : memref<16x72xf4E2M1FN, #shared>
    tile.copy %B to %Bs : memref<16x72xf4E2M1FN> to memref<16x72xf4E2M1FN, #shared>
    %a = memref.subview %As[0, 5] [16, 64] [1, 1] : memref<16x72xf4E2M1FN, #shared> to memref<16x64xf4E2M1FN, strided<[72, 1], offset: 5>, #shared>
    %b = memref.subview %Bs[0, 8] [16, 64] [1, 1] : memref<16x72xf4E2M1FN, #shared> to memref<16x64xf4E2M1FN, strided<[72, 1], offset: 8>, #shared>
    %sa = tile.load %SA : memref<16x2xf8E8M0FNU> -> tensor<16x2xf8E8M0FNU>
    %sb = tile.load %SB : memref<16x2xf8E8M0FNU> -> tensor<16x2xf8E8M0FNU>
    %d = tile.gemm_scaled %a, %sa, %b, %sb {transpose_b} : memref<16x64xf4E2M1FN, strided<[72, 1], offset: 5>, #shared>, tensor<16x2xf8E8M0FNU>, memref<16x64xf4E2M1FN, strided<[72, 1], offset: 8>, #shared>, tensor<16x2xf8E8M0FNU> -> tensor<16x16xf32>
    tile.store %d, %C : tensor<16x16xf32>, memref<16x16xf32>
  }
  return
}
