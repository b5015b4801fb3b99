// Sparse products by warpgroups: element types, both majors of what lies in shared memory, A
// and metadata from registers, grids of warpgroups, several tiles each, selectors. Each entry's
// kernel multiplies by wgmma.mma_async.sp and by nothing else. Small integers: nothing is
// tolerated.
// DEFINE: %{run} = tile-run %s --rtol=0 --atol=0
// RUN: tile-opt %s --emit=ptx --chip=sm_90a -o %t.ptx
// RUN: FileCheck %s --check-prefix=PTX < %t.ptx
// RUN: FileCheck %s --check-prefix=ONLY < %t.ptx
// ONLY-NOT: {{^[[:space:]]*mma\.}}
// RUN: %{run} --entry=f16_nn --on=emulator --chip=sm_90a --check --seed=1 --data='integers(-3,3)' --data=1:metadata
// RUN: %{run} --entry=f16_nn --on=reference --check-stages --chip=sm_90a --data='integers(-3,3)' --data=1:metadata
// RUN: %{run} --entry=bf16_tt --on=emulator --chip=sm_90a --check --seed=2 --data='integers(-3,3)' --data=1:metadata
// RUN: %{run} --entry=f16_nt_f16 --on=emulator --chip=sm_90a --check --seed=3 --data='integers(-3,3)' --data=1:metadata
// RUN: %{run} --entry=e4m3_e5m2 --on=emulator --chip=sm_90a --check --seed=4 --data='integers(-3,3)' --data=1:metadata
// RUN: %{run} --entry=s8 --on=emulator --chip=sm_90a --check --seed=5 --data='integers(-3,3)' --data=1:metadata
// RUN: %{run} --entry=u8_s8 --on=emulator --chip=sm_90a --check --seed=6 --data='integers(0,100)' --data=1:metadata
// RUN: %{run} --entry=bytes_across --on=emulator --chip=sm_90a --check --seed=7 --data='integers(-3,3)' --data=1:metadata
// RUN: %{run} --entry=registers_f16 --on=emulator --chip=sm_90a --check --seed=8 --data='integers(-3,3)' --data=1:metadata
// RUN: %{run} --entry=registers_f16 --on=reference --check-stages --chip=sm_90a --data='integers(-3,3)' --data=1:metadata
// RUN: %{run} --entry=registers_s8 --on=emulator --chip=sm_90a --check --seed=9 --data='integers(-3,3)' --data=1:metadata
// RUN: %{run} --entry=registers_padded --on=emulator --chip=sm_90a --check --seed=10 --data='integers(-3,3)' --data=1:metadata
// RUN: %{run} --entry=groups_along_m --on=emulator --chip=sm_90a --check --seed=11 --data='integers(-3,3)' --data=1:metadata
// RUN: %{run} --entry=groups_along_n --on=emulator --chip=sm_90a --check --seed=12 --data='integers(-3,3)' --data=1:metadata
// RUN: %{run} --entry=groups_in_a_square --on=emulator --chip=sm_90a --check --seed=13 --data='integers(-3,3)' --data=1:metadata
// Zeros name one column twice, which the emulator reports, of the rows of each warp.
// RUN: not tile-run %s --entry=f16_nn --on=emulator --chip=sm_90a --data=1:zeros 2>&1 | FileCheck %s --check-prefix=ZEROS
// ZEROS: the metadata of row {{0|16|32|48}}, columns 0 to 3, is 0: positions 0 and 0
#shared = #gpu.address_space<workgroup>

// One register serves 64 columns of K, by two selectors.
// PTX-LABEL: .entry f16_nn(
// PTX: wgmma.mma_async.sp.sync.aligned.m64n64k32.f32.f16.f16 {{.*}}, %rd{{[0-9]+}}, %rd{{[0-9]+}}, [[META:%r[0-9]+]], 0, 0, 1, 1, 0, 1;
// PTX: wgmma.mma_async.sp.sync.aligned.m64n64k32.f32.f16.f16 {{.*}}, [[META]], 1, 1, 1, 1, 0, 1;
func.func @f16_nn(%A: memref<64x32xf16>, %E: memref<64x4xi16>, %B: memref<64x64xf16>, %C: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @f16_nn blocks(%x) in (%c1) threads(128) {
    %a = tile.alloc : memref<64x32xf16, #shared>
    tile.copy %A to %a : memref<64x32xf16> to memref<64x32xf16, #shared>
    %e = tile.alloc : memref<64x4xi16, #shared>
    tile.copy %E to %e : memref<64x4xi16> to memref<64x4xi16, #shared>
    %b = tile.alloc : memref<64x64xf16, #shared>
    tile.copy %B to %b : memref<64x64xf16> to memref<64x64xf16, #shared>
    %d = tile.gemm_sparse %a, %e, %b : memref<64x32xf16, #shared>, memref<64x4xi16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
    tile.store %d, %C : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// K is no multiple of what a register serves.
// PTX-LABEL: .entry bf16_tt(
// PTX-COUNT-3: wgmma.mma_async.sp.sync.aligned.m64n48k32.f32.bf16.bf16 {{.*}}, %rd{{[0-9]+}}, %r{{[0-9]+}}, {{[01]}}, {{[01]}}, 1, 1, 1, 0;
func.func @bf16_tt(%A: memref<48x64xbf16>, %E: memref<64x6xi16>, %B: memref<48x96xbf16>, %C: memref<64x48xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @bf16_tt blocks(%x) in (%c1) threads(128) {
    %a = tile.alloc : memref<48x64xbf16, #shared>
    tile.copy %A to %a : memref<48x64xbf16> to memref<48x64xbf16, #shared>
    %e = tile.alloc : memref<64x6xi16, #shared>
    tile.copy %E to %e : memref<64x6xi16> to memref<64x6xi16, #shared>
    %b = tile.alloc : memref<48x96xbf16, #shared>
    tile.copy %B to %b : memref<48x96xbf16> to memref<48x96xbf16, #shared>
    %d = tile.gemm_sparse %a, %e, %b {transpose_a, transpose_b} : memref<48x64xbf16, #shared>, memref<64x6xi16, #shared>, memref<48x96xbf16, #shared> -> tensor<64x48xf32>
    tile.store %d, %C : tensor<64x48xf32>, memref<64x48xf32>
  }
  return
}

// PTX-LABEL: .entry f16_nt_f16(
// PTX-COUNT-2: wgmma.mma_async.sp.sync.aligned.m64n32k32.f16.f16.f16 {{.*}}, %rd{{[0-9]+}}, %r{{[0-9]+}}, {{[01]}}, {{[01]}}, 1, 1, 0, 0;
func.func @f16_nt_f16(%A: memref<128x16xf16>, %E: memref<128x2xi16>, %B: memref<32x32xf16>, %C: memref<128x32xf16>) {
  %c1 = arith.constant 1 : index
  tile.launch @f16_nt_f16 blocks(%x) in (%c1) threads(128) {
    %a = tile.alloc : memref<128x16xf16, #shared>
    tile.copy %A to %a : memref<128x16xf16> to memref<128x16xf16, #shared>
    %e = tile.alloc : memref<128x2xi16, #shared>
    tile.copy %E to %e : memref<128x2xi16> to memref<128x2xi16, #shared>
    %b = tile.alloc : memref<32x32xf16, #shared>
    tile.copy %B to %b : memref<32x32xf16> to memref<32x32xf16, #shared>
    %c = tile.load %C : memref<128x32xf16> -> tensor<128x32xf16>
    %d = tile.gemm_sparse %a, %e, %b, %c {transpose_b} : memref<128x16xf16, #shared>, memref<128x2xi16, #shared>, memref<32x32xf16, #shared> -> tensor<128x32xf16>
    tile.store %d, %C : tensor<128x32xf16>, memref<128x32xf16>
  }
  return
}

// PTX-LABEL: .entry e4m3_e5m2(
// PTX-COUNT-2: wgmma.mma_async.sp.sync.aligned.m64n32k64.f32.e4m3.e5m2 {{.*}}, %rd{{[0-9]+}}, %r{{[0-9]+}}, 0, {{[01]}}, 1, 1;
func.func @e4m3_e5m2(%A: memref<64x64xf8E4M3FN>, %E: memref<64x8xi16>, %B: memref<32x128xf8E5M2>, %C: memref<64x32xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @e4m3_e5m2 blocks(%x) in (%c1) threads(128) {
    %a = tile.alloc : memref<64x64xf8E4M3FN, #shared>
    tile.copy %A to %a : memref<64x64xf8E4M3FN> to memref<64x64xf8E4M3FN, #shared>
    %e = tile.alloc : memref<64x8xi16, #shared>
    tile.copy %E to %e : memref<64x8xi16> to memref<64x8xi16, #shared>
    %b = tile.alloc : memref<32x128xf8E5M2, #shared>
    tile.copy %B to %b : memref<32x128xf8E5M2> to memref<32x128xf8E5M2, #shared>
    %d = tile.gemm_sparse %a, %e, %b {transpose_b} : memref<64x64xf8E4M3FN, #shared>, memref<64x8xi16, #shared>, memref<32x128xf8E5M2, #shared> -> tensor<64x32xf32>
    tile.store %d, %C : tensor<64x32xf32>, memref<64x32xf32>
  }
  return
}

// PTX-LABEL: .entry s8(
// PTX-COUNT-4: wgmma.mma_async.sp.sync.aligned.m64n48k64.s32.s8.s8 {{.*}}, %rd{{[0-9]+}}, %r{{[0-9]+}}, 0, {{[01]}};
func.func @s8(%A: memref<64x128xi8>, %E: memref<64x16xi16>, %B: memref<48x256xi8>, %C: memref<64x48xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch @s8 blocks(%x) in (%c1) threads(128) {
    %a = tile.alloc : memref<64x128xi8, #shared>
    tile.copy %A to %a : memref<64x128xi8> to memref<64x128xi8, #shared>
    %e = tile.load %E : memref<64x16xi16> -> tensor<64x16xi16>
    %b = tile.alloc : memref<48x256xi8, #shared>
    tile.copy %B to %b : memref<48x256xi8> to memref<48x256xi8, #shared>
    %d = tile.gemm_sparse %a, %e, %b {transpose_b} : memref<64x128xi8, #shared>, tensor<64x16xi16>, memref<48x256xi8, #shared> -> tensor<64x48xi32>
    tile.store %d, %C : tensor<64x48xi32>, memref<64x48xi32>
  }
  return
}

// PTX-LABEL: .entry u8_s8(
// PTX: wgmma.mma_async.sp.sync.aligned.m64n64k64.s32.u8.s8 {{.*}}, %rd{{[0-9]+}}, %r{{[0-9]+}}, 0, {{[01]}};
func.func @u8_s8(%A: memref<64x32xi8>, %E: memref<64x4xi16>, %B: memref<64x64xi8>, %C: memref<64x64xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch @u8_s8 blocks(%x) in (%c1) threads(128) {
    %a = tile.alloc : memref<64x32xi8, #shared>
    tile.copy %A to %a : memref<64x32xi8> to memref<64x32xi8, #shared>
    %e = tile.alloc : memref<64x4xi16, #shared>
    tile.copy %E to %e : memref<64x4xi16> to memref<64x4xi16, #shared>
    %b = tile.alloc : memref<64x64xi8, #shared>
    tile.copy %B to %b : memref<64x64xi8> to memref<64x64xi8, #shared>
    %d = tile.gemm_sparse %a, %e, %b {transpose_b, unsigned_a} : memref<64x32xi8, #shared>, memref<64x4xi16, #shared>, memref<64x64xi8, #shared> -> tensor<64x64xi32>
    tile.store %d, %C : tensor<64x64xi32>, memref<64x64xi32>
  }
  return
}

// What lies across K is transposed.
// PTX-LABEL: .entry bytes_across(
// PTX-COUNT-2: wgmma.mma_async.sp.sync.aligned.m64n32k64.s32.s8.s8 {{.*}}, %rd{{[0-9]+}}, %r{{[0-9]+}}, 0, {{[01]}};
func.func @bytes_across(%A: memref<64x64xi8>, %E: memref<64x8xi16>, %B: memref<128x32xi8>, %C: memref<64x32xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch @bytes_across blocks(%x) in (%c1) threads(128) {
    %a = tile.alloc : memref<64x64xi8, #shared>
    tile.copy %A to %a : memref<64x64xi8> to memref<64x64xi8, #shared>
    %e = tile.alloc : memref<64x8xi16, #shared>
    tile.copy %E to %e : memref<64x8xi16> to memref<64x8xi16, #shared>
    %b = tile.alloc : memref<128x32xi8, #shared>
    tile.copy %B to %b : memref<128x32xi8> to memref<128x32xi8, #shared>
    %d = tile.gemm_sparse %a, %e, %b {transpose_a} : memref<64x64xi8, #shared>, memref<64x8xi16, #shared>, memref<128x32xi8, #shared> -> tensor<64x32xi32>
    tile.store %d, %C : tensor<64x32xi32>, memref<64x32xi32>
  }
  return
}

// PTX-LABEL: .entry registers_f16(
// PTX-COUNT-4: wgmma.mma_async.sp.sync.aligned.m64n32k32.f32.f16.f16 {{{.*}}}, {%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}}, %rd{{[0-9]+}}, %r{{[0-9]+}}, {{[01]}}, {{[01]}}, 1, 1, 1;
func.func @registers_f16(%A: memref<64x64xf16>, %E: memref<64x8xi16>, %B: memref<128x32xf16>, %C: memref<64x32xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @registers_f16 blocks(%x) in (%c1) threads(128) {
    %a = tile.load %A : memref<64x64xf16> -> tensor<64x64xf16>
    %e = tile.load %E : memref<64x8xi16> -> tensor<64x8xi16>
    %b = tile.alloc : memref<128x32xf16, #shared>
    tile.copy %B to %b : memref<128x32xf16> to memref<128x32xf16, #shared>
    %c = tile.load %C : memref<64x32xf32> -> tensor<64x32xf32>
    %d = tile.gemm_sparse %a, %e, %b, %c : tensor<64x64xf16>, tensor<64x8xi16>, memref<128x32xf16, #shared> -> tensor<64x32xf32>
    tile.store %d, %C : tensor<64x32xf32>, memref<64x32xf32>
  }
  return
}

// PTX-LABEL: .entry registers_s8(
// PTX-COUNT-2: wgmma.mma_async.sp.sync.aligned.m64n24k64.s32.s8.s8 {{{.*}}}, {%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}}, %rd{{[0-9]+}}, %r{{[0-9]+}}, {{[01]}}, {{[01]}};
func.func @registers_s8(%A: memref<64x64xi8>, %E: memref<64x8xi16>, %B: memref<24x128xi8>, %C: memref<64x24xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch @registers_s8 blocks(%x) in (%c1) threads(128) {
    %a = tile.load %A : memref<64x64xi8> -> tensor<64x64xi8>
    %e = tile.alloc : memref<64x8xi16, #shared>
    tile.copy %E to %e : memref<64x8xi16> to memref<64x8xi16, #shared>
    %b = tile.alloc : memref<24x128xi8, #shared>
    tile.copy %B to %b : memref<24x128xi8> to memref<24x128xi8, #shared>
    %d = tile.gemm_sparse %a, %e, %b {transpose_b} : tensor<64x64xi8>, memref<64x8xi16, #shared>, memref<24x128xi8, #shared> -> tensor<64x24xi32>
    tile.store %d, %C : tensor<64x24xi32>, memref<64x24xi32>
  }
  return
}

// Rows that do not fill the warpgroup keep two columns of zeros.
// PTX-LABEL: .entry registers_padded(
// PTX: wgmma.mma_async.sp.sync.aligned.m64n32k32.f32.f16.f16
func.func @registers_padded(%A: memref<48x32xf16>, %E: memref<48x4xi16>, %B: memref<64x32xf16>, %C: memref<48x32xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @registers_padded blocks(%x) in (%c1) threads(128) {
    %a = tile.load %A : memref<48x32xf16> -> tensor<48x32xf16>
    %e = tile.alloc : memref<48x4xi16, #shared>
    tile.copy %E to %e : memref<48x4xi16> to memref<48x4xi16, #shared>
    %b = tile.alloc : memref<64x32xf16, #shared>
    tile.copy %B to %b : memref<64x32xf16> to memref<64x32xf16, #shared>
    %d = tile.gemm_sparse %a, %e, %b : tensor<48x32xf16>, memref<48x4xi16, #shared>, memref<64x32xf16, #shared> -> tensor<48x32xf32>
    tile.store %d, %C : tensor<48x32xf32>, memref<48x32xf32>
  }
  return
}

// PTX-LABEL: .entry groups_along_m(
// PTX-COUNT-4: wgmma.mma_async.sp.sync.aligned.m64n64k32.f32.f16.f16
func.func @groups_along_m(%A: memref<256x32xf16>, %E: memref<256x4xi16>, %B: memref<64x64xf16>, %C: memref<256x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @groups_along_m blocks(%x) in (%c1) threads(256) {
    %a = tile.alloc : memref<256x32xf16, #shared>
    tile.copy %A to %a : memref<256x32xf16> to memref<256x32xf16, #shared>
    %e = tile.alloc : memref<256x4xi16, #shared>
    tile.copy %E to %e : memref<256x4xi16> to memref<256x4xi16, #shared>
    %b = tile.alloc : memref<64x64xf16, #shared>
    tile.copy %B to %b : memref<64x64xf16> to memref<64x64xf16, #shared>
    %d = tile.gemm_sparse %a, %e, %b {warps = #tile.warps<rows>} : memref<256x32xf16, #shared>, memref<256x4xi16, #shared>, memref<64x64xf16, #shared> -> tensor<256x64xf32>
    tile.store %d, %C : tensor<256x64xf32>, memref<256x64xf32>
  }
  return
}

// PTX-LABEL: .entry groups_along_n(
// PTX-COUNT-2: wgmma.mma_async.sp.sync.aligned.m64n128k32.f32.bf16.bf16
func.func @groups_along_n(%A: memref<64x32xbf16>, %E: memref<64x4xi16>, %B: memref<64x256xbf16>, %C: memref<64x256xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @groups_along_n blocks(%x) in (%c1) threads(256) {
    %a = tile.alloc : memref<64x32xbf16, #shared>
    tile.copy %A to %a : memref<64x32xbf16> to memref<64x32xbf16, #shared>
    %e = tile.load %E : memref<64x4xi16> -> tensor<64x4xi16>
    %b = tile.alloc : memref<64x256xbf16, #shared>
    tile.copy %B to %b : memref<64x256xbf16> to memref<64x256xbf16, #shared>
    %d = tile.gemm_sparse %a, %e, %b {warps = #tile.warps<columns>} : memref<64x32xbf16, #shared>, tensor<64x4xi16>, memref<64x256xbf16, #shared> -> tensor<64x256xf32>
    tile.store %d, %C : tensor<64x256xf32>, memref<64x256xf32>
  }
  return
}

// PTX-LABEL: .entry groups_in_a_square(
// PTX: wgmma.mma_async.sp.sync.aligned.m64n64k64.s32.s8.s8
func.func @groups_in_a_square(%A: memref<128x32xi8>, %E: memref<128x4xi16>, %B: memref<128x64xi8>, %C: memref<128x128xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch @groups_in_a_square blocks(%x) in (%c1) threads(512) {
    %a = tile.alloc : memref<128x32xi8, #shared>
    tile.copy %A to %a : memref<128x32xi8> to memref<128x32xi8, #shared>
    %e = tile.alloc : memref<128x4xi16, #shared>
    tile.copy %E to %e : memref<128x4xi16> to memref<128x4xi16, #shared>
    %b = tile.alloc : memref<128x64xi8, #shared>
    tile.copy %B to %b : memref<128x64xi8> to memref<128x64xi8, #shared>
    %d = tile.gemm_sparse %a, %e, %b {transpose_b, warps = #tile.warps<square>} : memref<128x32xi8, #shared>, memref<128x4xi16, #shared>, memref<128x64xi8, #shared> -> tensor<128x128xi32>
    tile.store %d, %C : tensor<128x128xi32>, memref<128x128xi32>
  }
  return
}
