// Whole tiles of atomics by bulk reductions: split-K in f32, f16 and bf16, integers by every
// kind that there is, tiles at the edges, tensors of several ranks, stream-K, persistent
// launches. The order in which blocks add is another for every seed.
// RUN: tile-opt %s --tile-logical-phase="chip=sm_90a" -o %t
// DEFINE: %{split} = tile-run %t --multiprocessors=3 --entry=split --on=emulator --check
// RUN: %{split} --dim=M:100 --dim=K:260 --dim=N:136 --seed=1
// RUN: %{split} --dim=M:64 --dim=K:64 --dim=N:64 --seed=2
// RUN: %{split} --dim=M:1 --dim=K:4 --dim=N:4 --seed=3
// RUN: %{split} --dim=M:65 --dim=K:0 --dim=N:60 --seed=4
// RUN: %{split} --dim=M:130 --dim=K:516 --dim=N:68 --seed=5
// RUN: tile-run %t --multiprocessors=3 --entry=split --on=reference --check-stages --chip=sm_90a --dim=M:100 --dim=K:260 --dim=N:136
// RUN: tile-run %t --multiprocessors=3 --entry=halves --on=emulator --check --dim=M:100 --seed=6
// RUN: tile-run %t --multiprocessors=3 --entry=halves --on=emulator --check --dim=M:64 --seed=7
// RUN: tile-run %t --multiprocessors=3 --entry=halves --on=emulator --check --dim=M:3 --seed=8
// RUN: tile-run %t --multiprocessors=3 --entry=halves --on=reference --check-stages --chip=sm_90a --dim=M:100
// RUN: tile-run %t --multiprocessors=3 --entry=integers --on=emulator --check --dim=M:100 --seed=9
// RUN: tile-run %t --multiprocessors=3 --entry=integers --on=emulator --check --dim=M:64 --seed=10
// RUN: tile-run %t --multiprocessors=3 --entry=integers --on=emulator --check --dim=M:3 --seed=11
// RUN: tile-run %t --multiprocessors=3 --entry=integers --on=reference --check-stages --chip=sm_90a --dim=M:100
// RUN: tile-run %t --multiprocessors=3 --entry=heads --on=emulator --check --shape=0:2x64x32 --shape=1:2x64x32 --shape=2:2x70x2x64 --seed=12
// RUN: tile-run %t --multiprocessors=3 --entry=shifted --on=emulator --check --scalar=3:-20 --seed=13
// RUN: tile-run %t --multiprocessors=3 --entry=shifted --on=emulator --check --scalar=3:30 --seed=14
// RUN: tile-run %t --multiprocessors=3 --entry=shifted --on=emulator --check --scalar=3:4294967296 --seed=15
// RUN: tile-run %t --multiprocessors=3 --entry=walk --on=emulator --check --dim=K:0 --seed=16
// RUN: tile-run %t --multiprocessors=3 --entry=walk --on=emulator --check --dim=K:64 --seed=17
// RUN: tile-run %t --multiprocessors=3 --entry=walk --on=emulator --check --dim=K:128 --seed=18
// RUN: tile-run %t --multiprocessors=3 --entry=walk --on=emulator --check --dim=K:192 --seed=19
// RUN: tile-run %t --multiprocessors=3 --entry=walk --on=emulator --check --dim=K:256 --seed=20
// RUN: tile-run %t --multiprocessors=3 --entry=walk --on=emulator --check --dim=K:384 --seed=21
// RUN: tile-run %t --multiprocessors=3 --entry=walk --on=emulator --check --dim=K:448 --seed=22
// RUN: tile-run %t --multiprocessors=3 --entry=walk --on=reference --check-stages --chip=sm_90a --dim=K:192
// RUN: tile-run %t --multiprocessors=3 --entry=read --on=emulator --check --seed=23
// RUN: tile-run %t --multiprocessors=3 --entry=read --on=emulator --check --seed=24
// RUN: tile-run %t --multiprocessors=3 --entry=read --on=reference --check-stages --chip=sm_90a
// RUN: tile-opt %t --emit=ptx | FileCheck %s --implicit-check-not=red.relaxed --implicit-check-not=atom.
#shared = #gpu.address_space<workgroup>

// Blocks of one tile of C add their part of K.
// CHECK-LABEL: .entry split_kernel
// CHECK: st.shared.v2.b32
// CHECK: fence.proxy.async.shared::cta
// CHECK-COUNT-2: cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group
// CHECK: cp.async.bulk.commit_group
// CHECK: cp.async.bulk.wait_group
func.func @split(%a: memref<?x?xf16> {tile.divisible = array<i64: 1, 4>, tile.dims = ["M", "K"]}, %b: memref<?x?xf16> {tile.divisible = array<i64: 1, 4>, tile.dims = ["K", "N"]}, %o: memref<?x?xf32> {tile.divisible = array<i64: 1, 4>, tile.dims = ["M", "N"]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c64 = arith.constant 64 : index
  %m = memref.dim %a, %c0 : memref<?x?xf16>
  %k = memref.dim %a, %c1 : memref<?x?xf16>
  %n = memref.dim %b, %c1 : memref<?x?xf16>
  %gm = arith.ceildivsi %m, %c64 : index
  %gn = arith.ceildivsi %n, %c64 : index
  %steps = arith.ceildivsi %k, %c64 : index
  tile.launch @split_kernel blocks(%x, %y, %part) in (%gn, %gm, %c3) threads(128) {
    %row = arith.muli %y, %c64 : index
    %col = arith.muli %x, %c64 : index
    %first = arith.muli %part, %c64 : index
    %by = arith.muli %c3, %c64 : index
    %as = tile.alloc : memref<64x64xf16, #shared>
    %bs = tile.alloc : memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %kk = %first to %k step %by iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      tile.copy %a[%row, %kk] to %as : memref<?x?xf16> to memref<64x64xf16, #shared>
      tile.copy %b[%kk, %col] to %bs : memref<?x?xf16> to memref<64x64xf16, #shared>
      %d = tile.gemm %as, %bs, %s : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 2 : i32}
    tile.atomic_rmw addf %acc, %o[%row, %col] : tensor<64x64xf32>, memref<?x?xf32>
  }
  return
}

// Rounded first: stmatrix, and sums of 16 bits.
// CHECK-LABEL: .entry halves_kernel
// CHECK: stmatrix
// CHECK: cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group
// CHECK: stmatrix
// CHECK: cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group
func.func @halves(%a: memref<?x64xf16> {tile.dims = ["M", ""]}, %b: memref<64x64xf16>, %o: memref<?x64xf16> {tile.dims = ["M", ""]}, %p: memref<?x64xbf16> {tile.dims = ["M", ""]}) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %m = memref.dim %a, %c0 : memref<?x64xf16>
  %gm = arith.ceildivsi %m, %c64 : index
  tile.launch @halves_kernel blocks(%y, %part) in (%gm, %c2) threads(128) {
    %row = arith.muli %y, %c64 : index
    %k = arith.muli %part, %c32 : index
    %as = tile.alloc : memref<64x32xf16, #shared>
    %bs = tile.alloc : memref<64x32xf16, #shared>
    tile.copy %a[%row, %k] to %as : memref<?x64xf16> to memref<64x32xf16, #shared>
    tile.copy %b[%c0, %k] to %bs : memref<64x64xf16> to memref<64x32xf16, #shared>
    %d = tile.gemm %as, %bs {transpose_b} : memref<64x32xf16, #shared>, memref<64x32xf16, #shared> -> tensor<64x64xf32>
    %h = arith.truncf %d : tensor<64x64xf32> to tensor<64x64xf16>
    tile.atomic_rmw addf %h, %o[%row, %c0] : tensor<64x64xf16>, memref<?x64xf16>
    %g = arith.truncf %d : tensor<64x64xf32> to tensor<64x64xbf16>
    tile.atomic_rmw addf %g, %p[%row, %c0] : tensor<64x64xbf16>, memref<?x64xbf16>
  }
  return
}

// CHECK-LABEL: .entry integers_kernel
// CHECK: cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group
// CHECK: cp.reduce.async.bulk.tensor.2d.global.shared::cta.min.tile.bulk_group
// CHECK: cp.reduce.async.bulk.tensor.2d.global.shared::cta.max.tile.bulk_group
// CHECK: cp.reduce.async.bulk.tensor.2d.global.shared::cta.and.tile.bulk_group
// CHECK: cp.reduce.async.bulk.tensor.2d.global.shared::cta.or.tile.bulk_group
// CHECK: cp.reduce.async.bulk.tensor.2d.global.shared::cta.xor.tile.bulk_group
func.func @integers(%a: memref<?x64xi8> {tile.dims = ["M", ""]}, %b: memref<64x64xi8>, %o0: memref<?x64xi32> {tile.dims = ["M", ""]}, %o1: memref<?x64xi32> {tile.dims = ["M", ""]}, %o2: memref<?x64xi32> {tile.dims = ["M", ""]}, %o3: memref<?x64xi32> {tile.dims = ["M", ""]}, %o4: memref<?x64xi32> {tile.dims = ["M", ""]}, %o5: memref<?x64xi32> {tile.dims = ["M", ""]}) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %m = memref.dim %a, %c0 : memref<?x64xi8>
  %gm = arith.ceildivsi %m, %c64 : index
  tile.launch @integers_kernel blocks(%y, %part) in (%gm, %c2) threads(128) {
    %row = arith.muli %y, %c64 : index
    %k = arith.muli %part, %c32 : index
    %as = tile.alloc : memref<64x32xi8, #shared>
    %bs = tile.alloc : memref<64x32xi8, #shared>
    tile.copy %a[%row, %k] to %as : memref<?x64xi8> to memref<64x32xi8, #shared>
    tile.copy %b[%c0, %k] to %bs : memref<64x64xi8> to memref<64x32xi8, #shared>
    %d = tile.gemm %as, %bs {transpose_b} : memref<64x32xi8, #shared>, memref<64x32xi8, #shared> -> tensor<64x64xi32>
    tile.atomic_rmw addi %d, %o0[%row, %c0] : tensor<64x64xi32>, memref<?x64xi32>
    tile.atomic_rmw minu %d, %o1[%row, %c0] : tensor<64x64xi32>, memref<?x64xi32>
    tile.atomic_rmw maxu %d, %o2[%row, %c0] : tensor<64x64xi32>, memref<?x64xi32>
    tile.atomic_rmw andi %d, %o3[%row, %c0] : tensor<64x64xi32>, memref<?x64xi32>
    tile.atomic_rmw ori %d, %o4[%row, %c0] : tensor<64x64xi32>, memref<?x64xi32>
    tile.atomic_rmw xori %d, %o5[%row, %c0] : tensor<64x64xi32>, memref<?x64xi32>
  }
  return
}

// One of two heads of a tensor of four dimensions, from both halves of K.
// CHECK-LABEL: .entry heads_kernel
// CHECK: cp.reduce.async.bulk.tensor.4d.global.shared::cta.add.tile.bulk_group
func.func @heads(%a: memref<?x64x32xf16>, %b: memref<?x64x32xf16>, %o: memref<?x?x2x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  %n = memref.dim %a, %c0 : memref<?x64x32xf16>
  tile.launch @heads_kernel blocks(%x, %part) in (%n, %c2) threads(128) {
    %k = arith.muli %part, %c16 : index
    %as = tile.alloc : memref<64x16xf16, #shared>
    %bs = tile.alloc : memref<64x16xf16, #shared>
    tile.copy %a[%x, %c0, %k] [1, 64, 16] to %as : memref<?x64x32xf16> to memref<64x16xf16, #shared>
    tile.copy %b[%x, %c0, %k] [1, 64, 16] to %bs : memref<?x64x32xf16> to memref<64x16xf16, #shared>
    %d = tile.gemm %as, %bs {transpose_b} : memref<64x16xf16, #shared>, memref<64x16xf16, #shared> -> tensor<64x64xf32>
    tile.atomic_rmw addf %d, %o[%x, %c0, %c1, %c0] [1, 64, 1, 64] : tensor<64x64xf32>, memref<?x?x2x64xf32>
  }
  return
}

// Starts below zero and past the end: what is outside is left alone.
// CHECK-LABEL: .entry shifted_kernel
// CHECK: cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group
func.func @shifted(%a: memref<64x32xf16>, %b: memref<64x32xf16>, %o: memref<80x128xf32>, %shift: index) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c40 = arith.constant 40 : index
  tile.launch @shifted_kernel blocks(%x) in (%c2) threads(128) {
    %far = arith.muli %x, %c40 : index
    %row = arith.addi %far, %shift : index
    %as = tile.alloc : memref<64x32xf16, #shared>
    %bs = tile.alloc : memref<64x32xf16, #shared>
    tile.copy %a to %as : memref<64x32xf16> to memref<64x32xf16, #shared>
    tile.copy %b to %bs : memref<64x32xf16> to memref<64x32xf16, #shared>
    %d = tile.gemm %as, %bs {transpose_b} : memref<64x32xf16, #shared>, memref<64x32xf16, #shared> -> tensor<64x64xf32>
    tile.atomic_rmw addf %d, %o[%row, %far] : tensor<64x64xf32>, memref<80x128xf32>
  }
  return
}

// Parts of K of several tiles a block: the buffer is filled again when it was read.
// CHECK-LABEL: .entry walk_kernel
// CHECK: setmaxnreg
// CHECK: cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group
func.func @walk(%A: memref<320x?xf16> {tile.dims = ["M", "K"], tile.divisible = array<i64: 1, 32>}, %B: memref<128x?xf16> {tile.dims = ["N", "K"], tile.divisible = array<i64: 1, 32>}, %C: memref<320x128xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %k = memref.dim %A, %c1 : memref<320x?xf16>
  tile.launch @walk_kernel blocks(%x, %y, %part) in (%c2, %c3, %c2) threads(256) attributes {persistent} {
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %row = arith.muli %y, %c128 : index
    %col = arith.muli %x, %c64 : index
    %first = arith.muli %part, %c32 : index
    %As = tile.alloc : memref<128x32xf16, #shared>
    %Bs = tile.alloc : memref<64x32xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<128x64xf32>
    %acc = scf.for %i = %first to %k step %c64 iter_args(%c = %zero) -> (tensor<128x64xf32>) {
      tile.copy %A[%row, %i] to %As : memref<320x?xf16> to memref<128x32xf16, #shared>
      tile.copy %B[%col, %i] to %Bs : memref<128x?xf16> to memref<64x32xf16, #shared>
      %d = tile.gemm %As, %Bs, %c {transpose_b} : memref<128x32xf16, #shared>, memref<64x32xf16, #shared> -> tensor<128x64xf32>
      scf.yield %d : tensor<128x64xf32>
    } {tile.stages = 3 : i32}
    tile.atomic_rmw addf %acc, %C[%row, %col] : tensor<128x64xf32>, memref<320x128xf32>
  }
  return
}

// What a block has added it reads behind it.
// CHECK-LABEL: .entry read_kernel
// CHECK: cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group
// CHECK: cp.async.bulk.wait_group 0
// CHECK: bar.sync
// CHECK: ld.global
func.func @read(%a: memref<128x32xf16>, %b: memref<64x32xf16>, %o: memref<128x64xf32>, %p: memref<128x64xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  tile.launch @read_kernel blocks(%x) in (%c2) threads(128) {
    %row = arith.muli %x, %c64 : index
    %as = tile.alloc : memref<64x32xf16, #shared>
    %bs = tile.alloc : memref<64x32xf16, #shared>
    tile.copy %a[%row, %c0] to %as : memref<128x32xf16> to memref<64x32xf16, #shared>
    tile.copy %b to %bs : memref<64x32xf16> to memref<64x32xf16, #shared>
    %d = tile.gemm %as, %bs {transpose_b} : memref<64x32xf16, #shared>, memref<64x32xf16, #shared> -> tensor<64x64xf32>
    tile.atomic_rmw addf %d, %o[%row, %c0] : tensor<64x64xf32>, memref<128x64xf32>
    %sum = tile.load %o[%row, %c0] : memref<128x64xf32> -> tensor<64x64xf32>
    tile.store %sum, %p[%row, %c0] : tensor<64x64xf32>, memref<128x64xf32>
  }
  return
}
