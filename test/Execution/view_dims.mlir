// Views that step over elements in dimensions of size 1 and drop some of them: which
// ones follows from sizes and strides, of global and of shared memory.
// RUN: tile-run %s --entry=global --on=emulator --check --chip=sm_80 --scalar=1:64
// RUN: tile-run %s --entry=global --on=emulator --check --chip=sm_90a --scalar=1:64
// RUN: tile-run %s --entry=global --on=reference --check-stages --chip=sm_80 --scalar=1:64
// RUN: tile-run %s --entry=shared --on=emulator --check --chip=sm_80
// RUN: tile-run %s --entry=shared --on=emulator --check --chip=sm_90a
// RUN: tile-run %s --entry=cast --on=emulator --check --chip=sm_80 --scalar=1:8
// RUN: tile-run %s --entry=cast --on=emulator --check --chip=sm_90a --scalar=1:8
// RUN: tile-run %s --entry=sizes --on=emulator --check --chip=sm_80 --scalar=1:8 --scalar=2:1
// RUN: tile-run %s --entry=sizes --on=emulator --check --chip=sm_90a --scalar=1:8 --scalar=2:2
// RUN: tile-run %s --entry=sizes --on=reference --check-stages --chip=sm_80 --scalar=1:8 --scalar=2:0

// The first dimension stays and the last goes: strides 1024 and 1 become 2048.
func.func @global(%m: memref<1x64x16xf32>, %n: index, %out: memref<3x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  tile.launch blocks(%b) in (%c1) threads(64) {
    %v = memref.subview %m[0, 0, 15] [1, %n, 1] [2, 1, 1] : memref<1x64x16xf32> to memref<1x?xf32, strided<[2048, 16], offset: 15>>
    %x = tile.load %v[%c0, %c0] : memref<1x?xf32, strided<[2048, 16], offset: 15>> -> tensor<1x64xf32>
    tile.store %x, %out[%c0, %c0] : tensor<1x64xf32>, memref<3x64xf32>
    // The last dimension stays.
    %w = memref.subview %m[0, 0, 3] [1, %n, 1] [2, 1, 2] : memref<1x64x16xf32> to memref<?x1xf32, strided<[16, 2], offset: 3>>
    %y = tile.load %w[%c0, %c0] : memref<?x1xf32, strided<[16, 2], offset: 3>> -> tensor<64x1xf32>
    %z = tile.transpose %y [1, 0] : tensor<64x1xf32> -> tensor<1x64xf32>
    tile.store %z, %out[%c1, %c0] : tensor<1x64xf32>, memref<3x64xf32>
    // Both go.
    %u = memref.subview %m[0, 0, 7] [1, %n, 1] [3, 1, 5] : memref<1x64x16xf32> to memref<?xf32, strided<[16], offset: 7>>
    %t = tile.load %u[%c0] : memref<?xf32, strided<[16], offset: 7>> -> tensor<64xf32>
    tile.store %t, %out[%c2, %c0] [1, 64] : tensor<64xf32>, memref<3x64xf32>
  }
  return
}

func.func @shared(%m: memref<1x64x16xf32>, %out: memref<1x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(64) {
    %s = tile.alloc : memref<1x64x16xf32, #gpu.address_space<workgroup>>
    tile.copy %m to %s : memref<1x64x16xf32> to memref<1x64x16xf32, #gpu.address_space<workgroup>>
    %v = memref.subview %s[0, 0, 15] [1, 64, 1] [2, 1, 1] : memref<1x64x16xf32, #gpu.address_space<workgroup>> to memref<1x64xf32, strided<[2048, 16], offset: 15>, #gpu.address_space<workgroup>>
    %x = tile.load %v : memref<1x64xf32, strided<[2048, 16], offset: 15>, #gpu.address_space<workgroup>> -> tensor<1x64xf32>
    tile.store %x, %out : tensor<1x64xf32>, memref<1x64xf32>
  }
  return
}

// Which of two dimensions of size 1 is gone stays so where the view is of what was cast:
// one behind the other, its rows are not 8 columns apart but one.
func.func @cast(%m: memref<1x96x6x8xf32>, %n: index, %out: memref<4xf32>) {
  %c1 = arith.constant 1 : index
  %d = memref.cast %m : memref<1x96x6x8xf32> to memref<1x?x?x?xf32, strided<[?, ?, ?, 1]>>
  tile.launch blocks(%b) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %w = memref.subview %d[0, 26, %c0, 0] [1, %n, 1, 2] [1, 1, 1, 1] : memref<1x?x?x?xf32, strided<[?, ?, ?, 1]>> to memref<1x?x2xf32, strided<[?, ?, 1], offset: ?>>
    %t = tile.load %w[%c0, %c0, %c0] [1, 4, 1] : memref<1x?x2xf32, strided<[?, ?, 1], offset: ?>> -> tensor<4xf32>
    tile.store %t, %out[%c0] : tensor<4xf32>, memref<4xf32>
  }
  return
}

// What memref.dim says of such views: upstream folds it to the size of another dimension.
func.func @sizes(%m: memref<1x96x6x8xf32, strided<[?, ?, ?, 1]>>, %n: index, %k: index, %out: memref<6xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %h = memref.subview %m[0, 26, %c0, 0] [1, %n, 1, 2] [1, 1, 1, 1] : memref<1x96x6x8xf32, strided<[?, ?, ?, 1]>> to memref<1x?x2xf32, strided<[?, ?, 1], offset: ?>>
  %hd = memref.dim %h, %c1 : memref<1x?x2xf32, strided<[?, ?, 1], offset: ?>>
  tile.launch blocks(%b) in (%c1) threads(32) {
    %i0 = arith.index_cast %hd : index to i64
    memref.store %i0, %out[%c0] : memref<6xi64>
    %v = memref.subview %m[0, 26, %c0, 0] [1, %n, 1, 2] [1, 1, 1, 1] : memref<1x96x6x8xf32, strided<[?, ?, ?, 1]>> to memref<1x?x2xf32, strided<[?, ?, 1], offset: ?>>
    %d1 = memref.dim %v, %c1 : memref<1x?x2xf32, strided<[?, ?, 1], offset: ?>>
    %i1 = arith.index_cast %d1 : index to i64
    memref.store %i1, %out[%c1] : memref<6xi64>
    // Behind a cast that hides all sizes, the first of them.
    %u = memref.cast %v : memref<1x?x2xf32, strided<[?, ?, 1], offset: ?>> to memref<?x?x?xf32, strided<[?, ?, ?], offset: ?>>
    %d2 = memref.dim %u, %c0 : memref<?x?x?xf32, strided<[?, ?, ?], offset: ?>>
    %i2 = arith.index_cast %d2 : index to i64
    memref.store %i2, %out[%c2] : memref<6xi64>
    // Of a dimension that the host chooses.
    %d3 = memref.dim %v, %k : memref<1x?x2xf32, strided<[?, ?, 1], offset: ?>>
    %i3 = arith.index_cast %d3 : index to i64
    memref.store %i3, %out[%c3] : memref<6xi64>
    // Over every second row, of which the first is all.
    %w = memref.subview %m[0, 26, %c0, 0] [1, %n, 1, 2] [3, 2, 2, 1] : memref<1x96x6x8xf32, strided<[?, ?, ?, 1]>> to memref<?x1x2xf32, strided<[?, ?, 1], offset: ?>>
    %d4 = memref.dim %w, %c0 : memref<?x1x2xf32, strided<[?, ?, 1], offset: ?>>
    %i4 = arith.index_cast %d4 : index to i64
    memref.store %i4, %out[%c4] : memref<6xi64>
    // A view of a view.
    %x = memref.subview %w[0, 0, 0] [%n, 1, 1] [1, 1, 1] : memref<?x1x2xf32, strided<[?, ?, 1], offset: ?>> to memref<?x1xf32, strided<[?, ?], offset: ?>>
    %d5 = memref.dim %x, %c0 : memref<?x1xf32, strided<[?, ?], offset: ?>>
    %i5 = arith.index_cast %d5 : index to i64
    memref.store %i5, %out[%c5] : memref<6xi64>
  }
  return
}
