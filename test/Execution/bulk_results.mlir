// Results of products on their way to global memory: through a swizzled buffer by
// stmatrix, and from there by one bulk copy, which clips at the edges. The fence in
// front of the barrier shows the block's writes to the copy engine.
// RUN: tile-opt %s --tile-logical-phase="chip=sm_90a" --tile-layout-phase=bulk-copies -o %t.laid
// RUN: FileCheck %s --input-file=%t.laid --check-prefix=CHOSEN
// RUN: tile-opt %t.laid --tile-schedule-phase -o %t
// RUN: tile-run %t --entry=product --on=emulator --check --shape=0:100x72 --shape=1:72x136 --shape=2:100x136
// RUN: tile-run %t --entry=product --on=emulator --check --shape=0:64x64 --shape=1:64x64 --shape=2:64x64 --seed=2
// RUN: tile-run %t --entry=product --on=emulator --check --shape=0:1x8 --shape=1:8x8 --shape=2:1x8 --seed=3
// RUN: tile-run %t --entry=tall --on=emulator --check --shape=0:4x96x16 --shape=1:4x40x16 --shape=2:4x96x40
// RUN: tile-run %t --entry=kept --on=emulator --check --seed=6
// RUN: tile-run %t --entry=looped --on=emulator --check --shape=0:100x64 --shape=1:64x200 --shape=2:100x200 --seed=4
// RUN: tile-run %t --entry=looped --on=emulator --check --shape=0:70x64 --shape=1:64x64 --shape=2:70x64 --seed=5
// RUN: tile-opt %t --emit=ptx | FileCheck %s --check-prefix=PTX
#shared = #gpu.address_space<workgroup>

// Scaled and rounded first: elementwise operations keep the product's layout.
// CHOSEN-LABEL: func.func @product
// CHOSEN: tile.store %{{.*}}, %[[S:.*]] {vector_width = 2 : i64} : tensor<64x64xbf16, {{.*}}>, memref<64x64xbf16, #gpu.address_space<workgroup>>
// CHOSEN-NEXT: tile.copy %[[S]] to %{{.*}}[%{{.*}}, %{{.*}}] {instruction = #tile.instruction<"cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group">}
// PTX-LABEL: .entry product_0
// The lanes of a warp need not meet behind the stores, where all do.
// PTX-NOT: st.shared
// PTX: bar.warp.sync
// PTX-COUNT-4: stmatrix.sync.aligned.m8n8.x4.shared.b16
// PTX-NOT: {{stmatrix|bar.warp.sync}}
// PTX: fence.proxy.async.shared::cta
// PTX: bar.sync
// PTX: cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group
// Behind a product they do in front of them, unless the block does.
// PTX-LABEL: .entry tall_0
// PTX-NOT: bar.warp.sync
// PTX: mma.sync
// PTX: bar.sync
// PTX-NOT: bar.
// PTX-COUNT-9: stmatrix
// PTX-NOT: bar.warp.sync
// PTX: fence.proxy.async
// The block met in front of this product, which reads behind: the lanes meet.
// PTX-LABEL: .entry kept_0
// PTX: bar.sync
// PTX-NOT: bar.
// PTX: mma.sync
// PTX: bar.warp.sync
// PTX-NOT: bar.
// PTX: stmatrix
// PTX: fence.proxy.async
// PTX-LABEL: .entry looped_0
// PTX: bar.sync 15
// PTX-NOT: bar.warp.sync
// PTX-COUNT-4: stmatrix
// PTX-NOT: bar.warp.sync
// PTX: fence.proxy.async
func.func @product(%a: memref<?x?xf16> {tile.divisible = array<i64: 1, 8>, tile.dims = ["M", "K"]}, %b: memref<?x?xf16> {tile.divisible = array<i64: 1, 8>, tile.dims = ["K", "N"]}, %o: memref<?x?xbf16> {tile.divisible = array<i64: 1, 8>, tile.dims = ["M", "N"]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %m = memref.dim %a, %c0 : memref<?x?xf16>
  %k = memref.dim %a, %c1 : memref<?x?xf16>
  %n = memref.dim %b, %c1 : memref<?x?xf16>
  %gm = arith.ceildivsi %m, %c64 : index
  %gn = arith.ceildivsi %n, %c64 : index
  tile.launch blocks(%x, %y) in (%gn, %gm) threads(128) {
    %row = arith.muli %y, %c64 : index
    %col = arith.muli %x, %c64 : index
    %as = tile.alloc : memref<64x64xf16, #shared>
    %bs = tile.alloc : memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %half = arith.constant dense<0.5> : tensor<64x64xf32>
    %acc = scf.for %kk = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      tile.copy %a[%row, %kk] to %as : memref<?x?xf16> to memref<64x64xf16, #shared>
      tile.copy %b[%kk, %col] to %bs : memref<?x?xf16> to memref<64x64xf16, #shared>
      %d = tile.gemm %as, %bs, %s : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 2 : i32}
    %scaled = arith.mulf %acc, %half : tensor<64x64xf32>
    %h = arith.truncf %scaled : tensor<64x64xf32> to tensor<64x64xbf16>
    tile.store %h, %o[%row, %col] : tensor<64x64xbf16>, memref<?x?xbf16>
  }
  return
}

// A tensor of three dimensions, rows of 80 bytes, which need no swizzle.
// CHOSEN-LABEL: func.func @tall
// CHOSEN: tile.copy %{{.*}} to %{{.*}} {{.*}}"cp.async.bulk.tensor.3d.global.shared::cta.tile.bulk_group"
func.func @tall(%a: memref<?x96x16xf16>, %b: memref<?x40x16xf16>, %o: memref<?x96x40xf16>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?x96x16xf16>
  tile.launch blocks(%x) in (%n) threads(64) {
    %as = tile.alloc : memref<96x16xf16, #shared>
    %bs = tile.alloc : memref<40x16xf16, #shared>
    tile.copy %a[%x, %c0, %c0] [1, 96, 16] to %as : memref<?x96x16xf16> to memref<96x16xf16, #shared>
    tile.copy %b[%x, %c0, %c0] [1, 40, 16] to %bs : memref<?x40x16xf16> to memref<40x16xf16, #shared>
    %d = tile.gemm %as, %bs {transpose_b} : memref<96x16xf16, #shared>, memref<40x16xf16, #shared> -> tensor<96x40xf32>
    %h = arith.truncf %d : tensor<96x40xf32> to tensor<96x40xf16>
    tile.store %h, %o[%x, %c0, %c0] [1, 96, 40] : tensor<96x40xf16>, memref<?x96x40xf16>
  }
  return
}

// The operand is read again: the result has a place of its own.
func.func @kept(%a: memref<32x16xf16>, %o: memref<32x32xf16>, %p: memref<32x16xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %as = tile.alloc : memref<32x16xf16, #shared>
    %v = tile.load %a[%c0, %c0] : memref<32x16xf16> -> tensor<32x16xf16>
    %w = arith.addf %v, %v : tensor<32x16xf16>
    tile.store %w, %as[%c0, %c0] : tensor<32x16xf16>, memref<32x16xf16, #shared>
    %d = tile.gemm %as, %as {transpose_b} : memref<32x16xf16, #shared>, memref<32x16xf16, #shared> -> tensor<32x32xf32>
    %h = arith.truncf %d : tensor<32x32xf32> to tensor<32x32xf16>
    tile.store %h, %o[%c0, %c0] : tensor<32x32xf16>, memref<32x32xf16>
    tile.copy %as to %p[%c0, %c0] : memref<32x16xf16, #shared> to memref<32x16xf16>
  }
  return
}

// One block makes several tiles, one after another: the buffer of a result is
// written again when the copy before has read it.
// CHOSEN-LABEL: func.func @looped
// CHOSEN: tile.copy %{{.*}} to %{{.*}} {{.*}}"cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group"
func.func @looped(%a: memref<?x64xf16> {tile.dims = ["M", ""]}, %b: memref<64x?xf16> {tile.divisible = array<i64: 1, 8>, tile.dims = ["", "N"]}, %o: memref<?x?xf16> {tile.divisible = array<i64: 1, 8>, tile.dims = ["M", "N"]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %m = memref.dim %a, %c0 : memref<?x64xf16>
  %n = memref.dim %b, %c1 : memref<64x?xf16>
  %gm = arith.ceildivsi %m, %c64 : index
  tile.launch blocks(%y) in (%gm) threads(128) {
    %row = arith.muli %y, %c64 : index
    %as = tile.alloc : memref<64x64xf16, #shared>
    %bs = tile.alloc : memref<64x64xf16, #shared>
    tile.copy %a[%row, %c0] to %as : memref<?x64xf16> to memref<64x64xf16, #shared>
    scf.for %col = %c0 to %n step %c64 {
      tile.copy %b[%c0, %col] to %bs : memref<64x?xf16> to memref<64x64xf16, #shared>
      %d = tile.gemm %as, %bs : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      %h = arith.truncf %d : tensor<64x64xf32> to tensor<64x64xf16>
      tile.store %h, %o[%row, %col] : tensor<64x64xf16>, memref<?x?xf16>
    } {tile.stages = 2 : i32}
  }
  return
}
