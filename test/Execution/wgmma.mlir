// Products by warpgroups: element types, both majors of what lies in shared memory, A from
// registers, grids of warpgroups, several tiles each, XOR modes, slots and views whose start
// is known at run time. Each entry's kernel multiplies by wgmma and by nothing else.
// RUN: tile-opt %s --emit=ptx --chip=sm_90a -o %t.ptx
// RUN: FileCheck %s --check-prefix=PTX < %t.ptx
// RUN: FileCheck %s --check-prefix=ONLY < %t.ptx
// ONLY-NOT: {{^[[:space:]]*mma.sync}}
// RUN: tile-run %s --entry=f16_nn --on=emulator --chip=sm_90a --check --seed=1
// RUN: tile-run %s --entry=f16_nn --on=reference --check-stages --chip=sm_90a
// RUN: tile-run %s --entry=f16_tt --on=emulator --chip=sm_90a --check --seed=2
// RUN: tile-run %s --entry=bf16_nt --on=emulator --chip=sm_90a --check --seed=3
// RUN: tile-run %s --entry=f16_tn_f16 --on=emulator --chip=sm_90a --check --seed=4 --data=integers
// RUN: tile-run %s --entry=e4m3_e5m2 --on=emulator --chip=sm_90a --check --seed=5 --data=integers
// RUN: tile-run %s --entry=e5m2_e4m3_f16 --on=emulator --chip=sm_90a --check --seed=6 --data=integers
// RUN: tile-run %s --entry=s8 --on=emulator --chip=sm_90a --check --seed=7
// RUN: tile-run %s --entry=u8_s8 --on=emulator --chip=sm_90a --check --seed=8 "--data=integers(0,100)"
// RUN: tile-run %s --entry=tf32 --on=emulator --chip=sm_90a --check --seed=9 --data=integers
// RUN: tile-run %s --entry=registers_f16 --on=emulator --chip=sm_90a --check --seed=10
// RUN: tile-run %s --entry=registers_f16 --on=reference --check-stages --chip=sm_90a
// RUN: tile-run %s --entry=registers_bf16_across --on=emulator --chip=sm_90a --check --seed=11
// RUN: tile-run %s --entry=registers_e4m3 --on=emulator --chip=sm_90a --check --seed=12 --data=integers
// RUN: tile-run %s --entry=registers_s8 --on=emulator --chip=sm_90a --check --seed=13
// RUN: tile-run %s --entry=registers_padded --on=emulator --chip=sm_90a --check --seed=14
// RUN: tile-run %s --entry=loaded_registers --on=emulator --chip=sm_90a --check --seed=15
// RUN: tile-run %s --entry=groups_along_m --on=emulator --chip=sm_90a --check --seed=16
// RUN: tile-run %s --entry=groups_along_n --on=emulator --chip=sm_90a --check --seed=17
// RUN: tile-run %s --entry=groups_in_a_square --on=emulator --chip=sm_90a --check --seed=18
// RUN: tile-run %s --entry=two_tiles_along_m --on=emulator --chip=sm_90a --check --seed=19
// RUN: tile-run %s --entry=tiles_along_n --on=emulator --chip=sm_90a --check --seed=20
// RUN: tile-run %s --entry=narrow_rows --on=emulator --chip=sm_90a --check --seed=21
// RUN: tile-run %s --entry=eight_columns --on=emulator --chip=sm_90a --check --seed=22
// RUN: tile-run %s --entry=panels --on=emulator --chip=sm_90a --check --seed=23
// RUN: tile-run %s --entry=slots --on=emulator --chip=sm_90a --check --seed=24
// RUN: tile-run %s --entry=slots --on=emulator --chip=sm_90a --check --seed=25
// RUN: tile-run %s --entry=slots --on=reference --check-stages --chip=sm_90a
// RUN: tile-run %s --entry=views --on=emulator --chip=sm_90a --check --seed=26
// RUN: tile-run %s --entry=added --on=emulator --chip=sm_90a --check --seed=27
// RUN: tile-run %s --entry=two_readers --on=emulator --chip=sm_90a --check --seed=28
// RUN: tile-run %s --entry=two_readers --on=reference --check-stages --chip=sm_90a
// RUN: tile-run %s --entry=both_majors --on=emulator --chip=sm_90a --check --seed=29
// RUN: tile-run %s --entry=both_ways --on=emulator --chip=sm_90a --check --seed=40
#shared = #gpu.address_space<workgroup>

// PTX-LABEL: .entry f16_nn(
// PTX-COUNT-4: wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {{.*}}, {{[01]}}, 1, 1, 0, 1;
func.func @f16_nn(%A: memref<64x64xf16>, %B: memref<64x64xf16>, %C: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @f16_nn blocks(%x) in (%c1) threads(128) {
    %a = tile.alloc : memref<64x64xf16, #shared>
    %b = tile.alloc : memref<64x64xf16, #shared>
    tile.copy %A to %a : memref<64x64xf16> to memref<64x64xf16, #shared>
    tile.copy %B to %b : memref<64x64xf16> to memref<64x64xf16, #shared>
    %d = tile.gemm %a, %b : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
    tile.store %d, %C : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// PTX-LABEL: .entry f16_tt(
// PTX-COUNT-2: wgmma.mma_async.sync.aligned.m64n48k16.f32.f16.f16 {{.*}}, {{[01]}}, 1, 1, 1, 0;
func.func @f16_tt(%A: memref<32x64xf16>, %B: memref<48x32xf16>, %C: memref<64x48xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @f16_tt blocks(%x) in (%c1) threads(128) {
    %a = tile.alloc : memref<32x64xf16, #shared>
    %b = tile.alloc : memref<48x32xf16, #shared>
    tile.copy %A to %a : memref<32x64xf16> to memref<32x64xf16, #shared>
    tile.copy %B to %b : memref<48x32xf16> to memref<48x32xf16, #shared>
    %d = tile.gemm %a, %b {transpose_a, transpose_b} : memref<32x64xf16, #shared>, memref<48x32xf16, #shared> -> tensor<64x48xf32>
    tile.store %d, %C : tensor<64x48xf32>, memref<64x48xf32>
  }
  return
}

// PTX-LABEL: .entry bf16_nt(
// PTX-COUNT-8: wgmma.mma_async.sync.aligned.m64n40k16.f32.bf16.bf16 {{.*}}, {{[01]}}, 1, 1, 0, 0;
func.func @bf16_nt(%A: memref<64x128xbf16>, %B: memref<40x128xbf16>, %C: memref<64x40xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @bf16_nt blocks(%x) in (%c1) threads(128) {
    %a = tile.alloc : memref<64x128xbf16, #shared>
    %b = tile.alloc : memref<40x128xbf16, #shared>
    tile.copy %A to %a : memref<64x128xbf16> to memref<64x128xbf16, #shared>
    tile.copy %B to %b : memref<40x128xbf16> to memref<40x128xbf16, #shared>
    %d = tile.gemm %a, %b {transpose_b} : memref<64x128xbf16, #shared>, memref<40x128xbf16, #shared> -> tensor<64x40xf32>
    tile.store %d, %C : tensor<64x40xf32>, memref<64x40xf32>
  }
  return
}

// PTX-LABEL: .entry f16_tn_f16(
// PTX-COUNT-2: wgmma.mma_async.sync.aligned.m64n32k16.f16.f16.f16 {{.*}}, {{[01]}}, 1, 1, 1, 1;
func.func @f16_tn_f16(%A: memref<32x64xf16>, %B: memref<32x32xf16>, %C: memref<64x32xf16>) {
  %c1 = arith.constant 1 : index
  tile.launch @f16_tn_f16 blocks(%x) in (%c1) threads(128) {
    %a = tile.alloc : memref<32x64xf16, #shared>
    %b = tile.alloc : memref<32x32xf16, #shared>
    tile.copy %A to %a : memref<32x64xf16> to memref<32x64xf16, #shared>
    tile.copy %B to %b : memref<32x32xf16> to memref<32x32xf16, #shared>
    %c = tile.load %C : memref<64x32xf16> -> tensor<64x32xf16>
    %d = tile.gemm %a, %b, %c {transpose_a} : memref<32x64xf16, #shared>, memref<32x32xf16, #shared> -> tensor<64x32xf16>
    tile.store %d, %C : tensor<64x32xf16>, memref<64x32xf16>
  }
  return
}

// PTX-LABEL: .entry e4m3_e5m2(
// PTX-COUNT-2: wgmma.mma_async.sync.aligned.m64n32k32.f32.e4m3.e5m2 {{.*}}, {{[01]}}, 1, 1;
func.func @e4m3_e5m2(%A: memref<64x64xf8E4M3FN>, %B: memref<32x64xf8E5M2>, %C: memref<64x32xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @e4m3_e5m2 blocks(%x) in (%c1) threads(128) {
    %a = tile.alloc : memref<64x64xf8E4M3FN, #shared>
    %b = tile.alloc : memref<32x64xf8E5M2, #shared>
    tile.copy %A to %a : memref<64x64xf8E4M3FN> to memref<64x64xf8E4M3FN, #shared>
    tile.copy %B to %b : memref<32x64xf8E5M2> to memref<32x64xf8E5M2, #shared>
    %d = tile.gemm %a, %b {transpose_b} : memref<64x64xf8E4M3FN, #shared>, memref<32x64xf8E5M2, #shared> -> tensor<64x32xf32>
    tile.store %d, %C : tensor<64x32xf32>, memref<64x32xf32>
  }
  return
}

// PTX-LABEL: .entry e5m2_e4m3_f16(
// PTX-COUNT-4: wgmma.mma_async.sync.aligned.m64n32k32.f16.e5m2.e4m3 {{.*}}, {{[01]}}, 1, 1;
func.func @e5m2_e4m3_f16(%A: memref<64x128xf8E5M2>, %B: memref<32x128xf8E4M3FN>, %C: memref<64x32xf16>) {
  %c1 = arith.constant 1 : index
  tile.launch @e5m2_e4m3_f16 blocks(%x) in (%c1) threads(128) {
    %a = tile.alloc : memref<64x128xf8E5M2, #shared>
    %b = tile.alloc : memref<32x128xf8E4M3FN, #shared>
    tile.copy %A to %a : memref<64x128xf8E5M2> to memref<64x128xf8E5M2, #shared>
    tile.copy %B to %b : memref<32x128xf8E4M3FN> to memref<32x128xf8E4M3FN, #shared>
    %d = tile.gemm %a, %b {transpose_b, instruction = #tile.instruction<"wgmma.mma_async.sync.aligned.m64n32k32.f16.e5m2.e4m3.ss">} : memref<64x128xf8E5M2, #shared>, memref<32x128xf8E4M3FN, #shared> -> tensor<64x32xf16>
    tile.store %d, %C : tensor<64x32xf16>, memref<64x32xf16>
  }
  return
}

// PTX-LABEL: .entry s8(
// PTX-COUNT-4: wgmma.mma_async.sync.aligned.m64n48k32.s32.s8.s8 {{.*}}, {{[01]}};
func.func @s8(%A: memref<64x128xi8>, %B: memref<48x128xi8>, %C: memref<64x48xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch @s8 blocks(%x) in (%c1) threads(128) {
    %a = tile.alloc : memref<64x128xi8, #shared>
    %b = tile.alloc : memref<48x128xi8, #shared>
    tile.copy %A to %a : memref<64x128xi8> to memref<64x128xi8, #shared>
    tile.copy %B to %b : memref<48x128xi8> to memref<48x128xi8, #shared>
    %d = tile.gemm %a, %b {transpose_b} : memref<64x128xi8, #shared>, memref<48x128xi8, #shared> -> tensor<64x48xi32>
    tile.store %d, %C : tensor<64x48xi32>, memref<64x48xi32>
  }
  return
}

// PTX-LABEL: .entry u8_s8(
// PTX-COUNT-2: wgmma.mma_async.sync.aligned.m64n64k32.s32.u8.s8 {{.*}}, {{[01]}};
func.func @u8_s8(%A: memref<64x64xi8>, %B: memref<64x64xi8>, %C: memref<64x64xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch @u8_s8 blocks(%x) in (%c1) threads(128) {
    %a = tile.alloc : memref<64x64xi8, #shared>
    %b = tile.alloc : memref<64x64xi8, #shared>
    tile.copy %A to %a : memref<64x64xi8> to memref<64x64xi8, #shared>
    tile.copy %B to %b : memref<64x64xi8> to memref<64x64xi8, #shared>
    %d = tile.gemm %a, %b {transpose_b, unsigned_a} : memref<64x64xi8, #shared>, memref<64x64xi8, #shared> -> tensor<64x64xi32>
    tile.store %d, %C : tensor<64x64xi32>, memref<64x64xi32>
  }
  return
}

// Only where it is written: in shared memory nothing rounds to tf32.
// PTX-LABEL: .entry tf32(
// PTX-COUNT-4: wgmma.mma_async.sync.aligned.m64n32k8.f32.tf32.tf32 {{.*}}, {{[01]}}, 1, 1;
func.func @tf32(%A: memref<64x32xf32>, %B: memref<32x32xf32>, %C: memref<64x32xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @tf32 blocks(%x) in (%c1) threads(128) {
    %a = tile.alloc : memref<64x32xf32, #shared>
    %b = tile.alloc : memref<32x32xf32, #shared>
    tile.copy %A to %a : memref<64x32xf32> to memref<64x32xf32, #shared>
    tile.copy %B to %b : memref<32x32xf32> to memref<32x32xf32, #shared>
    %d = tile.gemm %a, %b {transpose_b, precision = #tile.precision<tf32>, instruction = #tile.instruction<"wgmma.mma_async.sync.aligned.m64n32k8.f32.tf32.tf32.ss">} : memref<64x32xf32, #shared>, memref<32x32xf32, #shared> -> tensor<64x32xf32>
    tile.store %d, %C : tensor<64x32xf32>, memref<64x32xf32>
  }
  return
}

// PTX-LABEL: .entry registers_f16(
// PTX-COUNT-4: wgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16 {{{.*}}}, {%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}}, %rd{{[0-9]+}}, {{[01]}}, 1, 1, 1;
func.func @registers_f16(%A: memref<64x64xf16>, %B: memref<64x32xf16>, %C: memref<64x32xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @registers_f16 blocks(%x) in (%c1) threads(128) {
    %b = tile.alloc : memref<64x32xf16, #shared>
    tile.copy %B to %b : memref<64x32xf16> to memref<64x32xf16, #shared>
    %l = tile.load %A : memref<64x64xf16> -> tensor<64x64xf16>
    %a = arith.addf %l, %l : tensor<64x64xf16>
    %d = tile.gemm %a, %b : tensor<64x64xf16>, memref<64x32xf16, #shared> -> tensor<64x32xf32>
    tile.store %d, %C : tensor<64x32xf32>, memref<64x32xf32>
  }
  return
}

// PTX-LABEL: .entry registers_bf16_across(
// PTX-COUNT-2: wgmma.mma_async.sync.aligned.m64n32k16.f32.bf16.bf16 {{{.*}}}, {%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}}, %rd{{[0-9]+}}, {{[01]}}, 1, 1, 0;
func.func @registers_bf16_across(%A: memref<32x64xbf16>, %B: memref<32x32xbf16>, %C: memref<64x32xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @registers_bf16_across blocks(%x) in (%c1) threads(128) {
    %b = tile.alloc : memref<32x32xbf16, #shared>
    tile.copy %B to %b : memref<32x32xbf16> to memref<32x32xbf16, #shared>
    %a = tile.load %A : memref<32x64xbf16> -> tensor<32x64xbf16>
    %d = tile.gemm %a, %b {transpose_a, transpose_b} : tensor<32x64xbf16>, memref<32x32xbf16, #shared> -> tensor<64x32xf32>
    tile.store %d, %C : tensor<64x32xf32>, memref<64x32xf32>
  }
  return
}

// PTX-LABEL: .entry registers_e4m3(
// PTX-COUNT-2: wgmma.mma_async.sync.aligned.m64n16k32.f32.e4m3.e4m3 {{{.*}}}, {%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}}, %rd{{[0-9]+}}, {{[01]}}, 1, 1;
func.func @registers_e4m3(%A: memref<64x64xf8E4M3FN>, %B: memref<16x64xf8E4M3FN>, %C: memref<64x16xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @registers_e4m3 blocks(%x) in (%c1) threads(128) {
    %b = tile.alloc : memref<16x64xf8E4M3FN, #shared>
    tile.copy %B to %b : memref<16x64xf8E4M3FN> to memref<16x64xf8E4M3FN, #shared>
    %a = tile.load %A : memref<64x64xf8E4M3FN> -> tensor<64x64xf8E4M3FN>
    %d = tile.gemm %a, %b {transpose_b} : tensor<64x64xf8E4M3FN>, memref<16x64xf8E4M3FN, #shared> -> tensor<64x16xf32>
    tile.store %d, %C : tensor<64x16xf32>, memref<64x16xf32>
  }
  return
}

// PTX-LABEL: .entry registers_s8(
// PTX: wgmma.mma_async.sync.aligned.m64n24k32.s32.s8.s8 {{{.*}}}, {%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}}, %rd{{[0-9]+}}, {{[01]}};
func.func @registers_s8(%A: memref<64x32xi8>, %B: memref<24x32xi8>, %C: memref<64x24xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch @registers_s8 blocks(%x) in (%c1) threads(128) {
    %b = tile.alloc : memref<24x32xi8, #shared>
    tile.copy %B to %b : memref<24x32xi8> to memref<24x32xi8, #shared>
    %a = tile.load %A : memref<64x32xi8> -> tensor<64x32xi8>
    %d = tile.gemm %a, %b {transpose_b} : tensor<64x32xi8>, memref<24x32xi8, #shared> -> tensor<64x24xi32>
    tile.store %d, %C : tensor<64x24xi32>, memref<64x24xi32>
  }
  return
}

// Rows that do not fill the warpgroup are registers of zeros.
// PTX-LABEL: .entry registers_padded(
// PTX: wgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16
func.func @registers_padded(%A: memref<48x32xf16>, %B: memref<32x32xf16>, %C: memref<48x32xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @registers_padded blocks(%x) in (%c1) threads(128) {
    %b = tile.alloc : memref<32x32xf16, #shared>
    tile.copy %B to %b : memref<32x32xf16> to memref<32x32xf16, #shared>
    %a = tile.load %A : memref<48x32xf16> -> tensor<48x32xf16>
    %d = tile.gemm %a, %b : tensor<48x32xf16>, memref<32x32xf16, #shared> -> tensor<48x32xf32>
    tile.store %d, %C : tensor<48x32xf32>, memref<48x32xf32>
  }
  return
}

// PTX-LABEL: .entry loaded_registers(
// PTX: ldmatrix
// PTX: wgmma.mma_async.sync.aligned.m64n48k16.f32.f16.f16
func.func @loaded_registers(%A: memref<128x64xf16>, %B: memref<64x48xf16>, %C: memref<128x48xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @loaded_registers blocks(%x) in (%c1) threads(128) {
    %a = tile.alloc : memref<128x64xf16, #shared>
    %b = tile.alloc : memref<64x48xf16, #shared>
    tile.copy %A to %a : memref<128x64xf16> to memref<128x64xf16, #shared>
    tile.copy %B to %b : memref<64x48xf16> to memref<64x48xf16, #shared>
    %d = tile.gemm %a, %b {instruction = #tile.instruction<"wgmma.mma_async.sync.aligned.m64n48k16.f32.f16.f16.rs">} : memref<128x64xf16, #shared>, memref<64x48xf16, #shared> -> tensor<128x48xf32>
    tile.store %d, %C : tensor<128x48xf32>, memref<128x48xf32>
  }
  return
}

// PTX-LABEL: .entry groups_along_m(
// PTX-COUNT-4: wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16
func.func @groups_along_m(%A: memref<128x64xf16>, %B: memref<64x128xf16>, %C: memref<128x128xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @groups_along_m blocks(%x) in (%c1) threads(256) {
    %a = tile.alloc : memref<128x64xf16, #shared>
    %b = tile.alloc : memref<64x128xf16, #shared>
    tile.copy %A to %a : memref<128x64xf16> to memref<128x64xf16, #shared>
    tile.copy %B to %b : memref<64x128xf16> to memref<64x128xf16, #shared>
    %d = tile.gemm %a, %b : memref<128x64xf16, #shared>, memref<64x128xf16, #shared> -> tensor<128x128xf32>
    tile.store %d, %C : tensor<128x128xf32>, memref<128x128xf32>
  }
  return
}

// PTX-LABEL: .entry groups_along_n(
// PTX-COUNT-2: wgmma.mma_async.sync.aligned.m64n96k16.f32.f16.f16
func.func @groups_along_n(%A: memref<64x32xf16>, %B: memref<192x32xf16>, %C: memref<64x192xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @groups_along_n blocks(%x) in (%c1) threads(256) {
    %a = tile.alloc : memref<64x32xf16, #shared>
    %b = tile.alloc : memref<192x32xf16, #shared>
    tile.copy %A to %a : memref<64x32xf16> to memref<64x32xf16, #shared>
    tile.copy %B to %b : memref<192x32xf16> to memref<192x32xf16, #shared>
    %d = tile.gemm %a, %b {transpose_b} : memref<64x32xf16, #shared>, memref<192x32xf16, #shared> -> tensor<64x192xf32>
    tile.store %d, %C : tensor<64x192xf32>, memref<64x192xf32>
  }
  return
}

// PTX-LABEL: .entry groups_in_a_square(
// PTX-COUNT-2: wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {{.*}}, {{[01]}}, 1, 1, 1, 1;
func.func @groups_in_a_square(%A: memref<32x128xf16>, %B: memref<32x128xf16>, %C: memref<128x128xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @groups_in_a_square blocks(%x) in (%c1) threads(512) {
    %a = tile.alloc : memref<32x128xf16, #shared>
    %b = tile.alloc : memref<32x128xf16, #shared>
    tile.copy %A to %a : memref<32x128xf16> to memref<32x128xf16, #shared>
    tile.copy %B to %b : memref<32x128xf16> to memref<32x128xf16, #shared>
    %d = tile.gemm %a, %b {transpose_a} : memref<32x128xf16, #shared>, memref<32x128xf16, #shared> -> tensor<128x128xf32>
    tile.store %d, %C : tensor<128x128xf32>, memref<128x128xf32>
  }
  return
}

// PTX-LABEL: .entry two_tiles_along_m(
// PTX-COUNT-4: wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16
func.func @two_tiles_along_m(%A: memref<32x128xf16>, %B: memref<64x32xf16>, %C: memref<128x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @two_tiles_along_m blocks(%x) in (%c1) threads(128) {
    %a = tile.alloc : memref<32x128xf16, #shared>
    %b = tile.alloc : memref<64x32xf16, #shared>
    tile.copy %A to %a : memref<32x128xf16> to memref<32x128xf16, #shared>
    tile.copy %B to %b : memref<64x32xf16> to memref<64x32xf16, #shared>
    %d = tile.gemm %a, %b {transpose_a, transpose_b} : memref<32x128xf16, #shared>, memref<64x32xf16, #shared> -> tensor<128x64xf32>
    tile.store %d, %C : tensor<128x64xf32>, memref<128x64xf32>
  }
  return
}

// Three instructions along N: none is as wide as 264.
// PTX-LABEL: .entry tiles_along_n(
// PTX-COUNT-6: wgmma.mma_async.sync.aligned.m64n88k16.f32.f16.f16
func.func @tiles_along_n(%A: memref<64x32xf16>, %B: memref<264x32xf16>, %C: memref<64x264xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @tiles_along_n blocks(%x) in (%c1) threads(128) {
    %a = tile.alloc : memref<64x32xf16, #shared>
    %b = tile.alloc : memref<264x32xf16, #shared>
    tile.copy %A to %a : memref<64x32xf16> to memref<64x32xf16, #shared>
    tile.copy %B to %b : memref<264x32xf16> to memref<264x32xf16, #shared>
    %d = tile.gemm %a, %b {transpose_b} : memref<64x32xf16, #shared>, memref<264x32xf16, #shared> -> tensor<64x264xf32>
    tile.store %d, %C : tensor<64x264xf32>, memref<64x264xf32>
  }
  return
}

// Rows of 32 bytes along K, of 64 along N.
// PTX-LABEL: .entry narrow_rows(
// PTX: wgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16
func.func @narrow_rows(%A: memref<64x16xf16>, %B: memref<16x32xf16>, %C: memref<64x32xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @narrow_rows blocks(%x) in (%c1) threads(128) {
    %a = tile.alloc : memref<64x16xf16, #shared>
    %b = tile.alloc : memref<16x32xf16, #shared>
    tile.copy %A to %a : memref<64x16xf16> to memref<64x16xf16, #shared>
    tile.copy %B to %b : memref<16x32xf16> to memref<16x32xf16, #shared>
    %d = tile.gemm %a, %b : memref<64x16xf16, #shared>, memref<16x32xf16, #shared> -> tensor<64x32xf32>
    tile.store %d, %C : tensor<64x32xf32>, memref<64x32xf32>
  }
  return
}

// Rows of 16 bytes along N: no XOR.
// PTX-LABEL: .entry eight_columns(
// PTX-COUNT-2: wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16
func.func @eight_columns(%A: memref<64x32xf16>, %B: memref<32x8xf16>, %C: memref<64x8xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @eight_columns blocks(%x) in (%c1) threads(128) {
    %a = tile.alloc : memref<64x32xf16, #shared>
    %b = tile.alloc : memref<32x8xf16, #shared>
    tile.copy %A to %a : memref<64x32xf16> to memref<64x32xf16, #shared>
    tile.copy %B to %b : memref<32x8xf16> to memref<32x8xf16, #shared>
    %d = tile.gemm %a, %b : memref<64x32xf16, #shared>, memref<32x8xf16, #shared> -> tensor<64x8xf32>
    tile.store %d, %C : tensor<64x8xf32>, memref<64x8xf32>
  }
  return
}

// Three panels of 128 bytes along N.
// PTX-LABEL: .entry panels(
// PTX-COUNT-2: wgmma.mma_async.sync.aligned.m64n192k16.f32.f16.f16
func.func @panels(%A: memref<64x32xf16>, %B: memref<32x192xf16>, %C: memref<64x192xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @panels blocks(%x) in (%c1) threads(128) {
    %a = tile.alloc : memref<64x32xf16, #shared>
    %b = tile.alloc : memref<32x192xf16, #shared>
    tile.copy %A to %a : memref<64x32xf16> to memref<64x32xf16, #shared>
    tile.copy %B to %b : memref<32x192xf16> to memref<32x192xf16, #shared>
    %d = tile.gemm %a, %b : memref<64x32xf16, #shared>, memref<32x192xf16, #shared> -> tensor<64x192xf32>
    tile.store %d, %C : tensor<64x192xf32>, memref<64x192xf32>
  }
  return
}

// A ring: the slot moves the descriptor. What the copy engine brings needs no fence, as
// products take the same path to memory.
// PTX-LABEL: .entry slots(
// PTX: mbarrier.try_wait
// PTX-NOT: fence.proxy.async
// PTX: wgmma.mma_async
func.func @slots(%A: memref<64x320xf16>, %B: memref<320x64xf16>, %C: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @slots blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c320 = arith.constant 320 : index
    %a = tile.alloc : memref<64x32xf16, #shared>
    %b = tile.alloc : memref<32x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %sum = scf.for %k = %c0 to %c320 step %c32 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      tile.copy %A[%c0, %k] to %a : memref<64x320xf16> to memref<64x32xf16, #shared>
      tile.copy %B[%k, %c0] to %b : memref<320x64xf16> to memref<32x64xf16, #shared>
      %d = tile.gemm %a, %b, %c : memref<64x32xf16, #shared>, memref<32x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 3 : i32}
    tile.store %sum, %C : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// Views that begin at a multiple of a tile, known at run time, along both dimensions.
// PTX-LABEL: .entry views(
// PTX: wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16
func.func @views(%A: memref<64x128xf16>, %B: memref<128x128xf16>, %C: memref<64x128xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @views blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %a = tile.alloc : memref<64x128xf16, #shared>
    %b = tile.alloc : memref<128x128xf16, #shared>
    tile.copy %A to %a : memref<64x128xf16> to memref<64x128xf16, #shared>
    tile.copy %B to %b : memref<128x128xf16> to memref<128x128xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    scf.for %n = %c0 to %c128 step %c64 {
      %sum = scf.for %k = %c0 to %c128 step %c32 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
        %ka = memref.subview %a[0, %k] [64, 32] [1, 1] : memref<64x128xf16, #shared> to memref<64x32xf16, strided<[128, 1], offset: ?>, #shared>
        %kb = memref.subview %b[%k, %n] [32, 64] [1, 1] : memref<128x128xf16, #shared> to memref<32x64xf16, strided<[128, 1], offset: ?>, #shared>
        %d = tile.gemm %ka, %kb, %c : memref<64x32xf16, strided<[128, 1], offset: ?>, #shared>, memref<32x64xf16, strided<[128, 1], offset: ?>, #shared> -> tensor<64x64xf32>
        scf.yield %d : tensor<64x64xf32>
      }
      tile.store %sum, %C[%c0, %n] : tensor<64x64xf32>, memref<64x128xf32>
    }
  }
  return
}

// PTX-LABEL: .entry added(
// PTX-NOT: wgmma.mma_async{{.*}}, 0, 1, 1, {{[01]}}, {{[01]}};
// PTX-COUNT-2: wgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16{{.*}}, 1, 1, 1, {{[01]}}, {{[01]}};
func.func @added(%A: memref<64x32xf16>, %B: memref<32x32xf16>, %C: memref<64x32xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @added blocks(%x) in (%c1) threads(128) {
    %a = tile.alloc : memref<64x32xf16, #shared>
    %b = tile.alloc : memref<32x32xf16, #shared>
    tile.copy %A to %a : memref<64x32xf16> to memref<64x32xf16, #shared>
    tile.copy %B to %b : memref<32x32xf16> to memref<32x32xf16, #shared>
    %c = tile.load %C : memref<64x32xf32> -> tensor<64x32xf32>
    %d = tile.gemm %a, %b, %c : memref<64x32xf16, #shared>, memref<32x32xf16, #shared> -> tensor<64x32xf32>
    tile.store %d, %C : tensor<64x32xf32>, memref<64x32xf32>
  }
  return
}

// The result of a product goes to shared memory, from where a load and another product
// read it.
// PTX-LABEL: .entry two_readers(
// PTX: wgmma.wait_group
// PTX: st.shared
// PTX: fence.proxy.async
// PTX: bar.sync
// PTX: wgmma.mma_async
func.func @two_readers(%A: memref<64x64xf16>, %B: memref<64x64xf16>, %C: memref<64x64xf32>, %D: memref<64x64xf16>) {
  %c1 = arith.constant 1 : index
  tile.launch @two_readers blocks(%x) in (%c1) threads(128) {
    %a = tile.alloc : memref<64x64xf16, #shared>
    %b = tile.alloc : memref<64x64xf16, #shared>
    %p = tile.alloc : memref<64x64xf16, #shared>
    tile.copy %A to %a : memref<64x64xf16> to memref<64x64xf16, #shared>
    tile.copy %B to %b : memref<64x64xf16> to memref<64x64xf16, #shared>
    %s = tile.gemm %a, %b : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
    %h = arith.truncf %s : tensor<64x64xf32> to tensor<64x64xf16>
    tile.store %h, %p : tensor<64x64xf16>, memref<64x64xf16, #shared>
    %d = tile.gemm %p, %b {transpose_a} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
    tile.store %d, %C : tensor<64x64xf32>, memref<64x64xf32>
    tile.copy %p to %D : memref<64x64xf16, #shared> to memref<64x64xf16>
  }
  return
}

// One buffer is read along K and across it.
// PTX-LABEL: .entry both_majors(
// PTX-COUNT-4: wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {{.*}}, {{[01]}}, 1, 1, 0, 0;
// PTX-COUNT-4: wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {{.*}}, {{[01]}}, 1, 1, 1;
func.func @both_majors(%A: memref<64x64xf16>, %C: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @both_majors blocks(%x) in (%c1) threads(128) {
    %a = tile.alloc : memref<64x64xf16, #shared>
    tile.copy %A to %a : memref<64x64xf16> to memref<64x64xf16, #shared>
    %s = tile.gemm %a, %a {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
    %h = arith.truncf %s : tensor<64x64xf32> to tensor<64x64xf16>
    %d = tile.gemm %h, %a : tensor<64x64xf16>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
    %e = tile.gemm %a, %a, %d {transpose_a} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
    tile.store %e, %C : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// A buffer is operand B along either dimension, two warpgroups beside each other in both.
// PTX-LABEL: .entry both_ways(
// PTX: wgmma.mma_async.sync.aligned.m64n32k16
// PTX: wgmma.mma_async.sync.aligned.m64n32k16
func.func @both_ways(%A: memref<64x64xf16>, %B: memref<64x64xf16>, %C: memref<64x64xf32>, %D: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @both_ways blocks(%x) in (%c1) threads(256) {
    %a = tile.alloc : memref<64x64xf16, #shared>
    %b = tile.alloc : memref<64x64xf16, #shared>
    tile.copy %A to %a : memref<64x64xf16> to memref<64x64xf16, #shared>
    tile.copy %B to %b : memref<64x64xf16> to memref<64x64xf16, #shared>
    %c = tile.gemm %a, %b {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
    %d = tile.gemm %a, %b : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
    tile.store %c, %C : tensor<64x64xf32>, memref<64x64xf32>
    tile.store %d, %D : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}
