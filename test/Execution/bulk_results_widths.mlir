// Results of products of 8 and 32 bits, as they are and converted by the store, on their
// way to global memory by bulk copies: ragged tensors, several ranks, launches whose
// blocks make several tiles. What is stored into the buffer meets no bank conflicts.
// DEFINE: %{single} = tile-run %t --entry=single --on=emulator --check
// RUN: tile-opt %s --tile-logical-phase="chip=sm_90a" -o %t
// RUN: %{single} --dim=M:100 --dim=K:72 --dim=N:136
// RUN: %{single} --dim=M:64 --dim=K:64 --dim=N:128 --seed=2
// RUN: %{single} --dim=M:1 --dim=K:8 --dim=N:8 --seed=3
// RUN: %{single} --dim=M:65 --dim=K:0 --dim=N:120 --seed=4
// RUN: %{single} --dim=M:200 --dim=K:264 --dim=N:264 --seed=5
// RUN: tile-run %t --multiprocessors=2 --entry=single --on=reference --check-stages --chip=sm_90a --dim=M:100 --dim=K:72 --dim=N:136
// RUN: tile-run %t --multiprocessors=2 --entry=integers --on=emulator --check --dim=M:100 --dim=N:80 --seed=6
// RUN: tile-run %t --multiprocessors=2 --entry=integers --on=emulator --check --dim=M:64 --dim=N:48 --seed=7
// RUN: tile-run %t --multiprocessors=2 --entry=integers --on=emulator --check --dim=M:3 --dim=N:16 --seed=8
// RUN: tile-run %t --multiprocessors=2 --entry=rounded --on=emulator --check --dim=M:100 --seed=9
// RUN: tile-run %t --multiprocessors=2 --entry=rounded --on=emulator --check --dim=M:64 --seed=10
// RUN: tile-run %t --multiprocessors=2 --entry=rounded --on=emulator --check --dim=M:1 --seed=11
// RUN: tile-run %t --multiprocessors=2 --entry=stored --on=emulator --check --dim=M:100 --dim=N:72 --seed=12
// RUN: tile-run %t --multiprocessors=2 --entry=stored --on=emulator --check --dim=M:128 --dim=N:128 --seed=13
// RUN: tile-run %t --multiprocessors=2 --entry=stored --on=reference --check-stages --chip=sm_90a --dim=M:100 --dim=N:72
// RUN: tile-run %t --multiprocessors=2 --entry=batched --on=emulator --check --shape=0:3x64x32 --shape=1:3x64x32 --shape=2:3x70x2x64 --seed=14
// RUN: tile-run %t --multiprocessors=2 --entry=walk --on=emulator --check --dim=K:0 --seed=15
// RUN: tile-run %t --multiprocessors=2 --entry=walk --on=emulator --check --dim=K:32 --seed=16
// RUN: tile-run %t --multiprocessors=2 --entry=walk --on=emulator --check --dim=K:64 --seed=17
// RUN: tile-run %t --multiprocessors=2 --entry=walk --on=emulator --check --dim=K:96 --seed=18
// RUN: tile-run %t --multiprocessors=2 --entry=walk --on=emulator --check --dim=K:128 --seed=19
// RUN: tile-run %t --multiprocessors=2 --entry=walk --on=emulator --check --dim=K:160 --seed=20
// RUN: tile-run %t --multiprocessors=2 --entry=walk --on=emulator --check --dim=K:192 --seed=21
// RUN: tile-run %t --multiprocessors=2 --entry=walk --on=emulator --check --dim=K:224 --seed=22
// RUN: tile-run %t --multiprocessors=2 --entry=walk --on=reference --check-stages --chip=sm_90a --dim=K:96
// RUN: tile-run %t --multiprocessors=2 --entry=single --on=emulator --dim=M:64 --dim=K:64 --dim=N:128 --stats | FileCheck %s --check-prefix=BANKS
// RUN: tile-run %t --multiprocessors=2 --entry=integers --on=emulator --dim=M:64 --dim=N:48 --stats | FileCheck %s --check-prefix=BANKS
// BANKS: shared wavefronts {{ *}}[[COUNT:[0-9]+]]  ideal [[COUNT]]
// RUN: tile-opt %t --emit=ptx | FileCheck %s
#shared = #gpu.address_space<workgroup>

// Rows of 128 columns are four of the copy engine. Lanes of every second row store
// columns that are 16 further first.
// CHECK-LABEL: .entry single_0
// CHECK: wgmma.mma_async
// CHECK-NOT: st.global
// CHECK: selp.f32
// CHECK: st.shared.v2.b32
// CHECK: fence.proxy.async.shared::cta
// CHECK-COUNT-4: cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group
func.func @single(%a: memref<?x?xf16> {tile.divisible = array<i64: 1, 8>, tile.dims = ["M", "K"]}, %b: memref<?x?xf16> {tile.divisible = array<i64: 1, 8>, tile.dims = ["K", "N"]}, %o: memref<?x?xf32> {tile.divisible = array<i64: 1, 4>, tile.dims = ["M", "N"]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %m = memref.dim %a, %c0 : memref<?x?xf16>
  %k = memref.dim %a, %c1 : memref<?x?xf16>
  %n = memref.dim %b, %c1 : memref<?x?xf16>
  %gm = arith.ceildivsi %m, %c64 : index
  %gn = arith.ceildivsi %n, %c128 : index
  tile.launch blocks(%x, %y) in (%gn, %gm) threads(128) {
    %row = arith.muli %y, %c64 : index
    %col = arith.muli %x, %c128 : index
    %as = tile.alloc : memref<64x64xf16, #shared>
    %bs = tile.alloc : memref<64x128xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x128xf32>
    %half = arith.constant dense<0.5> : tensor<64x128xf32>
    %acc = scf.for %kk = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<64x128xf32>) {
      tile.copy %a[%row, %kk] to %as : memref<?x?xf16> to memref<64x64xf16, #shared>
      tile.copy %b[%kk, %col] to %bs : memref<?x?xf16> to memref<64x128xf16, #shared>
      %d = tile.gemm %as, %bs, %s : memref<64x64xf16, #shared>, memref<64x128xf16, #shared> -> tensor<64x128xf32>
      scf.yield %d : tensor<64x128xf32>
    } {tile.stages = 2 : i32}
    %scaled = arith.mulf %acc, %half : tensor<64x128xf32>
    tile.store %scaled, %o[%row, %col] : tensor<64x128xf32>, memref<?x?xf32>
  }
  return
}

// Rows of 48 elements are three of 64 bytes.
// CHECK-LABEL: .entry integers_0
// CHECK-NOT: st.global
// CHECK: selp.b32
// CHECK: st.shared.v2.b32
// CHECK-COUNT-3: cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group
func.func @integers(%a: memref<?x64xi8> {tile.dims = ["M", ""]}, %b: memref<?x64xi8> {tile.dims = ["N", ""]}, %o: memref<?x?xi32> {tile.divisible = array<i64: 1, 4>, tile.dims = ["M", "N"]}) {
  %c0 = arith.constant 0 : index
  %c48 = arith.constant 48 : index
  %c64 = arith.constant 64 : index
  %m = memref.dim %a, %c0 : memref<?x64xi8>
  %n = memref.dim %b, %c0 : memref<?x64xi8>
  %gm = arith.ceildivsi %m, %c64 : index
  %gn = arith.ceildivsi %n, %c48 : index
  tile.launch blocks(%x, %y) in (%gn, %gm) threads(128) {
    %row = arith.muli %y, %c64 : index
    %col = arith.muli %x, %c48 : index
    %as = tile.alloc : memref<64x64xi8, #shared>
    %bs = tile.alloc : memref<48x64xi8, #shared>
    tile.copy %a[%row, %c0] to %as : memref<?x64xi8> to memref<64x64xi8, #shared>
    tile.copy %b[%col, %c0] to %bs : memref<?x64xi8> to memref<48x64xi8, #shared>
    %d = tile.gemm %as, %bs {transpose_b} : memref<64x64xi8, #shared>, memref<48x64xi8, #shared> -> tensor<64x48xi32>
    tile.store %d, %o[%row, %col] : tensor<64x48xi32>, memref<?x?xi32>
  }
  return
}

// Rounded to bytes: threads would store eight of them together.
// CHECK-LABEL: .entry rounded_0
// CHECK-NOT: st.global
// CHECK: st.shared.b16
// CHECK: cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group
func.func @rounded(%a: memref<?x64xf16> {tile.dims = ["M", ""]}, %b: memref<128x64xf16>, %o: memref<?x128xf8E4M3FN> {tile.dims = ["M", ""]}) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %m = memref.dim %a, %c0 : memref<?x64xf16>
  %gm = arith.ceildivsi %m, %c64 : index
  tile.launch blocks(%y) in (%gm) threads(128) {
    %row = arith.muli %y, %c64 : index
    %as = tile.alloc : memref<64x64xf16, #shared>
    %bs = tile.alloc : memref<128x64xf16, #shared>
    tile.copy %a[%row, %c0] to %as : memref<?x64xf16> to memref<64x64xf16, #shared>
    tile.copy %b to %bs : memref<128x64xf16> to memref<128x64xf16, #shared>
    %d = tile.gemm %as, %bs {transpose_b} : memref<64x64xf16, #shared>, memref<128x64xf16, #shared> -> tensor<64x128xf32>
    %q = arith.truncf %d : tensor<64x128xf32> to tensor<64x128xf8E4M3FN>
    tile.store %q, %o[%row, %c0] : tensor<64x128xf8E4M3FN>, memref<?x128xf8E4M3FN>
  }
  return
}

// The store converts: what it writes to the buffer is of 16 bits.
// CHECK-LABEL: .entry stored_0
// CHECK-NOT: st.global
// CHECK: cvt.rn.f16x2.f32
// CHECK: stmatrix.sync.aligned.m8n8.x4.shared.b16
// CHECK: cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group
func.func @stored(%a: memref<?x64xf16> {tile.dims = ["M", ""]}, %b: memref<?x64xf16> {tile.dims = ["N", ""]}, %o: memref<?x?xf16> {tile.divisible = array<i64: 1, 8>, tile.dims = ["M", "N"]}) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %m = memref.dim %a, %c0 : memref<?x64xf16>
  %n = memref.dim %b, %c0 : memref<?x64xf16>
  %gm = arith.ceildivsi %m, %c64 : index
  %gn = arith.ceildivsi %n, %c64 : index
  tile.launch blocks(%x, %y) in (%gn, %gm) threads(128) {
    %row = arith.muli %y, %c64 : index
    %col = arith.muli %x, %c64 : index
    %as = tile.alloc : memref<64x64xf16, #shared>
    %bs = tile.alloc : memref<64x64xf16, #shared>
    tile.copy %a[%row, %c0] to %as : memref<?x64xf16> to memref<64x64xf16, #shared>
    tile.copy %b[%col, %c0] to %bs : memref<?x64xf16> to memref<64x64xf16, #shared>
    %d = tile.gemm %as, %bs {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
    tile.store %d, %o[%row, %col] : tensor<64x64xf32>, memref<?x?xf16>
  }
  return
}

// One of two heads of a tensor of four dimensions.
// CHECK-LABEL: .entry batched_0
// CHECK: cp.async.bulk.tensor.4d.global.shared::cta.tile.bulk_group
func.func @batched(%a: memref<?x64x32xf16>, %b: memref<?x64x32xf16>, %o: memref<?x?x2x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?x64x32xf16>
  tile.launch blocks(%x) in (%n) threads(128) {
    %as = tile.alloc : memref<64x32xf16, #shared>
    %bs = tile.alloc : memref<64x32xf16, #shared>
    tile.copy %a[%x, %c0, %c0] [1, 64, 32] to %as : memref<?x64x32xf16> to memref<64x32xf16, #shared>
    tile.copy %b[%x, %c0, %c0] [1, 64, 32] to %bs : memref<?x64x32xf16> to memref<64x32xf16, #shared>
    %d = tile.gemm %as, %bs {transpose_b} : memref<64x32xf16, #shared>, memref<64x32xf16, #shared> -> tensor<64x64xf32>
    tile.store %d, %o[%x, %c0, %c1, %c0] [1, 64, 1, 64] : tensor<64x64xf32>, memref<?x?x2x64xf32>
  }
  return
}

// The buffer of a result is filled again for each tile, beside slots of the next one.
// CHECK-LABEL: .entry walk_kernel
// CHECK: setmaxnreg
// CHECK: st.shared.v2.b32
// CHECK: cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group
func.func @walk(%A: memref<320x?xf16> {tile.dims = ["M", "K"], tile.divisible = array<i64: 1, 32>}, %B: memref<192x?xf16> {tile.dims = ["N", "K"], tile.divisible = array<i64: 1, 32>}, %C: memref<320x192xf32>) {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %k = memref.dim %A, %c1 : memref<320x?xf16>
  tile.launch @walk_kernel blocks(%x, %y) in (%c3, %c3) threads(256) attributes {persistent} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %row = arith.muli %y, %c128 : index
    %col = arith.muli %x, %c64 : index
    %As = tile.alloc : memref<128x32xf16, #shared>
    %Bs = tile.alloc : memref<64x32xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<128x64xf32>
    %acc = scf.for %i = %c0 to %k step %c32 iter_args(%c = %zero) -> (tensor<128x64xf32>) {
      tile.copy %A[%row, %i] to %As : memref<320x?xf16> to memref<128x32xf16, #shared>
      tile.copy %B[%col, %i] to %Bs : memref<192x?xf16> to memref<64x32xf16, #shared>
      %d = tile.gemm %As, %Bs, %c {transpose_b} : memref<128x32xf16, #shared>, memref<64x32xf16, #shared> -> tensor<128x64xf32>
      scf.yield %d : tensor<128x64xf32>
    } {tile.stages = 3 : i32}
    tile.store %acc, %C[%row, %col] : tensor<128x64xf32>, memref<320x192xf32>
  }
  return
}
