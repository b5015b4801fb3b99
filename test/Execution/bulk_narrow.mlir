// Bulk tensor copies of elements of 4 bits, which the engine moves as bytes: starts before
// the first and past the last row and column, boxes of up to 512 columns, rank 3, swizzled
// rows, memory that is empty, results, rings of a producer. A box may not begin in the
// middle of a byte, nor a row end there.
// RUN: tile-opt %s --tile-logical-phase="chip=sm_90a" --tile-layout-phase=bulk-copies -o %t
// RUN: FileCheck %s --input-file=%t
// RUN: tile-run %t --entry=columns --on=emulator --check --shape=0:70x96 --scalar=2:-3 --scalar=3:16
// RUN: tile-run %t --entry=columns --on=emulator --check --shape=0:64x64 --scalar=2:64 --scalar=3:-32
// RUN: tile-run %t --entry=columns --on=emulator --check --shape=0:64x32 --scalar=2:0 --scalar=3:-3
// RUN: tile-run %t --entry=columns --on=emulator --check --shape=0:70x32 --scalar=2:60 --scalar=3:4294967296
// RUN: tile-run %t --entry=columns --on=emulator --check --shape=0:70x32 --scalar=2:60 --scalar=3:-4294967296
// RUN: tile-run %t --entry=columns --on=emulator --check --shape=0:0x32 --scalar=2:0 --scalar=3:0
// RUN: tile-run %t --entry=columns --on=emulator --check --shape=0:5x0 --scalar=2:0 --scalar=3:0
// RUN: tile-run %t --entry=wide --on=emulator --check --shape=0:20x1056
// RUN: tile-run %t --entry=cube --on=emulator --check --shape=0:3x67x64
// RUN: tile-run %t --entry=stored --on=emulator --check --shape=1:70x96 --scalar=2:-3 --scalar=3:16
// RUN: tile-run %t --entry=stored --on=emulator --check --shape=1:70x96 --scalar=2:10 --scalar=3:30
// RUN: tile-run %t --entry=odd_start --on=emulator --check --shape=0:70x96 --scalar=2:3
// RUN: tile-run %t --entry=odd_rows --on=emulator --check --shape=1:16x32
// RUN: tile-run %s --entry=product --on=emulator --chip=sm_90a --check --shape=0:72x192 --shape=1:136x192 --shape=2:72x136
// RUN: tile-run %s --entry=product --on=reference --chip=sm_90a --check-stages --shape=0:72x192 --shape=1:136x192 --shape=2:72x136
// RUN: tile-opt %s --tile-compile=chip=sm_90a --remark-format=emitRemark --remarks-filter-missed=tile-infer-layouts -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: tile-opt %s --emit=ptx --chip=sm_90a | FileCheck %s --check-prefix=PTX
#shared = #gpu.address_space<workgroup>

// CHECK-LABEL: func.func @columns
// CHECK:         tile.copy {{.*}}"cp.async.bulk.tensor.2d.shared::cluster
func.func @columns(%a: memref<?x?xi4> {tile.divisible = array<i64: 1, 32>}, %o: memref<64x64xi4>, %row: index, %half: index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %column = arith.muli %half, %c2 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %s = tile.alloc : memref<64x64xi4, #shared>
    tile.copy %a[%row, %column] to %s : memref<?x?xi4> to memref<64x64xi4, #shared>
    %t = tile.load %s : memref<64x64xi4, #shared> -> tensor<64x64xi4>
    tile.store %t, %o : tensor<64x64xi4>, memref<64x64xi4>
  }
  return
}

// A row of 1024 elements is two boxes of 512.
// CHECK-LABEL: func.func @wide
// CHECK:         tile.copy {{.*}}"cp.async.bulk.tensor.2d.shared::cluster
// PTX-LABEL:   .entry wide_0(
// PTX-COUNT-2:   cp.async.bulk.tensor.2d.shared::cluster.global
// PTX-NOT:       cp.async.bulk.tensor.2d.shared::cluster.global
// PTX-LABEL:   .entry cube_0(
func.func @wide(%a: memref<?x?xf4E2M1FN> {tile.divisible = array<i64: 1, 32>}, %o: memref<16x1024xf4E2M1FN>) {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c48 = arith.constant 48 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %s = tile.alloc layout(#tile.shared<[16, 1024], offset = [512 : (0, 1), 16 : (1, 0), 2 : (0, 512)]>) : memref<16x1024xf4E2M1FN, #shared>
    tile.copy %a[%c8, %c48] to %s : memref<?x?xf4E2M1FN> to memref<16x1024xf4E2M1FN, #shared>
    %t = tile.load %s : memref<16x1024xf4E2M1FN, #shared> -> tensor<16x1024xf4E2M1FN>
    tile.store %t, %o : tensor<16x1024xf4E2M1FN>, memref<16x1024xf4E2M1FN>
  }
  return
}

// CHECK-LABEL: func.func @cube
// CHECK:         tile.copy {{.*}}"cp.async.bulk.tensor.3d.shared::cluster
func.func @cube(%a: memref<?x?x64xi4>, %o: memref<3x64x64xi4>) {
  %c3 = arith.constant 3 : index
  %c0 = arith.constant 0 : index
  tile.launch blocks(%x) in (%c3) threads(64) {
    %s = tile.alloc layout(#tile.shared<[64, 64], swizzle = 32>) : memref<64x64xi4, #shared>
    tile.copy %a[%x, %x, %c0] [1, 64, 64] to %s : memref<?x?x64xi4> to memref<64x64xi4, #shared>
    %t = tile.load %s : memref<64x64xi4, #shared> -> tensor<64x64xi4>
    tile.store %t, %o[%x, %c0, %c0] [1, 64, 64] : tensor<64x64xi4>, memref<3x64x64xi4>
  }
  return
}

// CHECK-LABEL: func.func @stored
// CHECK:         tile.copy {{.*}}"cp.async.bulk.tensor.2d.global.shared::cta
func.func @stored(%a: memref<64x64xi4>, %o: memref<?x?xi4> {tile.divisible = array<i64: 1, 32>}, %row: index, %half: index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %column = arith.muli %half, %c2 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %s = tile.alloc : memref<64x64xi4, #shared>
    tile.copy %a to %s : memref<64x64xi4> to memref<64x64xi4, #shared>
    tile.copy %s to %o[%row, %column] : memref<64x64xi4, #shared> to memref<?x?xi4>
  }
  return
}

// CHECK-LABEL: func.func @odd_start
// CHECK-NOT:     bulk
// REMARK: bulk_narrow.mlir:[[@LINE+6]]:5: remark: {{.*}}it is not known to begin with a byte, at an even column of its memref; state that by 'tile.assume_divisible'
func.func @odd_start(%a: memref<?x?xi4> {tile.divisible = array<i64: 1, 32>}, %o: memref<64x64xi4>, %column: index) {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %s = tile.alloc : memref<64x64xi4, #shared>
    tile.copy %a[%c0, %column] to %s : memref<?x?xi4> to memref<64x64xi4, #shared>
    %t = tile.load %s : memref<64x64xi4, #shared> -> tensor<64x64xi4>
    tile.store %t, %o : tensor<64x64xi4>, memref<64x64xi4>
  }
  return
}

// CHECK-LABEL: func.func @odd_rows
// CHECK-NOT:     bulk
// CHECK-LABEL: func.func @product
// REMARK: bulk_narrow.mlir:[[@LINE+6]]:5: remark: {{.*}}its rows are not known to have whole bytes; state 'tile.divisible', or 'sizes' by 'tile.assume'
func.func @odd_rows(%a: memref<16x31xi4, strided<[64, 1]>>, %o: memref<16x32xi4>) {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %s = tile.alloc : memref<16x32xi4, #shared>
    tile.copy %a[%c0, %c0] to %s : memref<16x31xi4, strided<[64, 1]>> to memref<16x32xi4, #shared>
    %t = tile.load %s : memref<16x32xi4, #shared> -> tensor<16x32xi4>
    tile.store %t, %o : tensor<16x32xi4>, memref<16x32xi4>
  }
  return
}

// Weights of a product, which a producer brings.
// PTX-LABEL: .entry product_0(
// PTX-NOT:     cp.async.ca
// PTX-NOT:     cp.async.cg
func.func @product(%X: memref<?x?xf16> {tile.dims = ["M", "K"], tile.divisible = array<i64: 1, 64>}, %W: memref<?x?xi4> {tile.dims = ["N", "K"], tile.divisible = array<i64: 8, 64>}, %Y: memref<?x?xf16> {tile.dims = ["M", "N"], tile.divisible = array<i64: 1, 8>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %M = memref.dim %X, %c0 : memref<?x?xf16>
  %K = memref.dim %X, %c1 : memref<?x?xf16>
  %N = memref.dim %W, %c0 : memref<?x?xi4>
  %gx = arith.ceildivui %M, %c64 : index
  %gy = arith.ceildivui %N, %c64 : index
  tile.launch blocks(%bx, %by) in (%gx, %gy) threads(128) {
    %m = arith.muli %bx, %c64 : index
    %n = arith.muli %by, %c64 : index
    %Ws = tile.alloc : memref<64x64xi4, #shared>
    %Xs = tile.alloc : memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %k = %c0 to %K step %c64 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      tile.copy %W[%n, %k] to %Ws : memref<?x?xi4> to memref<64x64xi4, #shared>
      tile.copy %X[%m, %k] to %Xs : memref<?x?xf16> to memref<64x64xf16, #shared>
      %w = tile.load %Ws : memref<64x64xi4, #shared> -> tensor<64x64xi4>
      %wf = arith.sitofp %w : tensor<64x64xi4> to tensor<64x64xf16>
      %d = tile.gemm %wf, %Xs, %c {transpose_b} : tensor<64x64xf16>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 3 : i32}
    %yt = tile.transpose %acc [1, 0] : tensor<64x64xf32> -> tensor<64x64xf32>
    tile.store %yt, %Y[%m, %n] : tensor<64x64xf32>, memref<?x?xf16>
  }
  return
}
