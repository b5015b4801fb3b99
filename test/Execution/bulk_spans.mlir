// Bulk copies of bytes: what lies together in memory and in the buffer, and inside of the
// memref, is brought and stored without a tensor map.
// DEFINE: %{run} = tile-run %s --on=emulator --chip=sm_90a --check
// DEFINE: %{stages} = tile-run %s --on=reference --chip=sm_90a --check-stages
// RUN: %{run} --entry=vectors --seed=0 --dim=N:0
// RUN: %{run} --entry=vectors --seed=1 --dim=N:1024
// RUN: %{run} --entry=vectors --seed=2 --dim=N:2048
// RUN: %{run} --entry=vectors --seed=3 --dim=N:9216
// RUN: %{run} --entry=vectors --seed=4 --dim=N:15360
// RUN: %{stages} --entry=vectors --dim=N:7168
// RUN: %{run} --entry=rows --seed=0 --dim=R:1
// RUN: %{run} --entry=rows --seed=1 --dim=R:7
// RUN: %{stages} --entry=rows --dim=R:3
// RUN: %{run} --entry=either --seed=0 --scalar=3:0 --scalar=4:7
// RUN: %{run} --entry=either --seed=1 --scalar=3:1 --scalar=4:1
// RUN: %{run} --entry=whole_rows --seed=0
// RUN: %{run} --entry=ragged --seed=0 --dim=N:1500
// RUN: tile-opt %s --tile-logical-phase="chip=sm_90a" -o %t.mlir
// RUN: tile-run %t.mlir --multiprocessors=2 --entry=over_tiles --on=emulator --check --seed=0 --dim=R:5
// RUN: tile-run %t.mlir --multiprocessors=2 --entry=over_tiles --on=emulator --check --seed=1 --dim=R:2
// RUN: tile-opt %s --emit=report --chip=sm_90a | FileCheck %s
// RUN: tile-opt %s --emit=ptx --chip=sm_90a | FileCheck %s --check-prefix=PTX

#shared = #gpu.address_space<workgroup>
#rows = #tile.shared<[8, 128], offset = [128 : (0, 1), 8 : (1, 0)]>

// The blocks go over the vector in steps of their number. 4096 bytes are one span, and
// would be four boxes.
// CHECK-LABEL: kernel vectors_0
// CHECK: producer 1 warp
// CHECK: copies
// CHECK-NEXT: cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes, 4096 bytes
// CHECK-NEXT: cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes, 4096 bytes
// CHECK-NEXT: cp.async.bulk.global.shared::cta.bulk_group, 4096 bytes
// PTX-LABEL: .entry vectors_0(
// PTX-NOT: tensor
// PTX: cp.async.bulk.global.shared::cta.bulk_group [
// PTX-NOT: tensor
// PTX-COUNT-2: cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [
// PTX-NOT: tensor
// PTX-LABEL: .entry rows_0(
func.func @vectors(%a: memref<?xf32> {tile.dims = ["N"], tile.divisible = array<i64: 1024>},
                   %b: memref<?xf32> {tile.dims = ["N"]}, %c: memref<?xf32> {tile.dims = ["N"]}) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c1024 = arith.constant 1024 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %tiles = arith.divui %n, %c1024 : index
  tile.launch blocks(%block) in (%c2) threads(128) attributes {warp_specialize = #tile.warp_specialize<on>} {
    %as = tile.alloc : memref<1024xf32, #shared>
    %bs = tile.alloc : memref<1024xf32, #shared>
    %cs = tile.alloc : memref<1024xf32, #shared>
    scf.for %i = %block to %tiles step %c2 {
      %start = arith.muli %i, %c1024 : index
      tile.copy %a[%start] to %as : memref<?xf32> to memref<1024xf32, #shared>
      tile.copy %b[%start] to %bs : memref<?xf32> to memref<1024xf32, #shared>
      %x = tile.load %as : memref<1024xf32, #shared> -> tensor<1024xf32>
      %y = tile.load %bs : memref<1024xf32, #shared> -> tensor<1024xf32>
      %sum = arith.addf %x, %y : tensor<1024xf32>
      tile.store %sum, %cs : tensor<1024xf32>, memref<1024xf32, #shared>
      tile.copy %cs to %c[%start] : memref<1024xf32, #shared> to memref<?xf32>
    } {tile.stages = 3 : i32}
  }
  return
}

// A row of a matrix: sixteen boxes of 256 elements, or one span.
// CHECK-LABEL: kernel rows_0
// CHECK: copies
// CHECK-NEXT: cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes, 8192 bytes
func.func @rows(%in: memref<?x4096xf16> {tile.dims = ["R", ""]}, %out: memref<?x4096xf16> {tile.dims = ["R", ""]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = memref.dim %in, %c0 : memref<?x4096xf16>
  tile.launch blocks(%block) in (%c1) threads(128) attributes {warp_specialize = #tile.warp_specialize<on>} {
    %s = tile.alloc : memref<4096xf16, #shared>
    scf.for %row = %c0 to %r step %c1 {
      tile.copy %in[%row, %c0] [1, 4096] to %s : memref<?x4096xf16> to memref<4096xf16, #shared>
      %x = tile.load %s : memref<4096xf16, #shared> -> tensor<4096xf32>
      %max = tile.reduce <maximumf> %x dims [0] : tensor<4096xf32> -> tensor<f32>
      %all = tile.broadcast %max dims [0] : tensor<f32> -> tensor<4096xf32>
      %shifted = arith.subf %x, %all : tensor<4096xf32>
      %exp = math.exp2 %shifted fastmath<afn> : tensor<4096xf32>
      tile.store %exp, %out[%row, %c0] [1, 4096] : tensor<4096xf32>, memref<?x4096xf16>
    } {tile.stages = 3 : i32}
  }
  return
}

// One of two memrefs, which no tensor map describes.
// CHECK-LABEL: kernel either_0
// CHECK: copies
// CHECK-NEXT: cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes, 2048 bytes
func.func @either(%a: memref<4096xf32>, %b: memref<4096xf32>, %o: memref<4096xf32>, %which: i1, %trips: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  tile.launch blocks(%block) in (%c1) threads(128) attributes {warp_specialize = #tile.warp_specialize<on>} {
    %c512 = arith.constant 512 : index
    %chosen = arith.select %which, %a, %b : memref<4096xf32>
    %source = tile.assume %chosen alignment 16 : memref<4096xf32>
    %s = tile.alloc : memref<512xf32, #shared>
    scf.for %i = %c0 to %trips step %c1 {
      %start = arith.muli %i, %c512 : index
      tile.copy %source[%start] in_bounds [true] to %s : memref<4096xf32> to memref<512xf32, #shared>
      %x = tile.load %s : memref<512xf32, #shared> -> tensor<512xf32>
      tile.store %x, %o[%start] : tensor<512xf32>, memref<4096xf32>
    } {tile.stages = 2 : i32}
  }
  return
}

// Rows that follow each other in both memories; rows with something between them, each
// a span, are boxes.
// CHECK-LABEL: kernel whole_rows_0
// CHECK: copies
// CHECK-NEXT: cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes, 2048 bytes
// CHECK-NEXT: cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes, 2048 bytes
// CHECK-NEXT: cp.async.bulk.global.shared::cta.bulk_group, 2048 bytes
func.func @whole_rows(%a: memref<64x128xf16>, %w: memref<64x256xf16>, %o: memref<64x128xf16>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  tile.launch blocks(%block) in (%c8) threads(128) {
    %s = tile.alloc layout(#rows) : memref<8x128xf16, #shared>
    %t = tile.alloc layout(#rows) : memref<8x128xf16, #shared>
    %row = arith.muli %block, %c8 : index
    tile.copy %a[%row, %c0] to %s : memref<64x128xf16> to memref<8x128xf16, #shared>
    tile.copy %w[%row, %c0] to %t : memref<64x256xf16> to memref<8x128xf16, #shared>
    %x = tile.load %s : memref<8x128xf16, #shared> -> tensor<8x128xf16>
    %y = tile.load %t : memref<8x128xf16, #shared> -> tensor<8x128xf16>
    %sum = arith.addf %x, %y : tensor<8x128xf16>
    tile.store %sum, %s : tensor<8x128xf16>, memref<8x128xf16, #shared>
    tile.copy %s to %o[%row, %c0] : memref<8x128xf16, #shared> to memref<64x128xf16>
  }
  return
}

// A box that may reach out goes by a tensor map, which clips it.
// CHECK-LABEL: kernel ragged_0
// CHECK: copies
// CHECK-NEXT: cp.async.bulk.tensor.1d.shared
// CHECK-NEXT: cp.async.bulk.tensor.1d.global
func.func @ragged(%a: memref<?xf32> {tile.dims = ["N"]}, %b: memref<?xf32> {tile.dims = ["N"]}) {
  %c0 = arith.constant 0 : index
  %c1024 = arith.constant 1024 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %tiles = arith.ceildivui %n, %c1024 : index
  tile.launch blocks(%block) in (%tiles) threads(128) {
    %s = tile.alloc : memref<1024xf32, #shared>
    %start = arith.muli %block, %c1024 : index
    tile.copy %a[%start] to %s : memref<?xf32> to memref<1024xf32, #shared>
    tile.copy %s to %b[%start] : memref<1024xf32, #shared> to memref<?xf32>
  }
  return
}

// Persistent, of views by the batch.
// CHECK-LABEL: kernel over_tiles_0
// CHECK: copies
// CHECK-NEXT: cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes, 2048 bytes
func.func @over_tiles(%in: memref<2x?x512xf32> {tile.dims = ["", "R", ""]}, %out: memref<2x?x512xf32> {tile.dims = ["", "R", ""]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r = memref.dim %in, %c1 : memref<2x?x512xf32>
  tile.launch blocks(%b) in (%c2) threads(128) attributes {persistent, warp_specialize = #tile.warp_specialize<on>} {
    %s = tile.alloc : memref<512xf32, #shared>
    %from = memref.subview %in[%b, 0, 0] [1, %r, 512] [1, 1, 1] : memref<2x?x512xf32> to memref<?x512xf32, strided<[512, 1], offset: ?>>
    %to = memref.subview %out[%b, 0, 0] [1, %r, 512] [1, 1, 1] : memref<2x?x512xf32> to memref<?x512xf32, strided<[512, 1], offset: ?>>
    scf.for %row = %c0 to %r step %c1 {
      tile.copy %from[%row, %c0] [1, 512] to %s : memref<?x512xf32, strided<[512, 1], offset: ?>> to memref<512xf32, #shared>
      %x = tile.load %s : memref<512xf32, #shared> -> tensor<512xf32>
      %y = arith.addf %x, %x : tensor<512xf32>
      tile.store %y, %to[%row, %c0] [1, 512] : tensor<512xf32>, memref<?x512xf32, strided<[512, 1], offset: ?>>
    } {tile.stages = 2 : i32}
  }
  return
}
