// Which copies are bulk copies of bytes: what lies together and inside, where boxes are not
// fewer, and what no tensor map describes.
// RUN: tile-opt %s --tile-infer-layouts=bulk-copies --split-input-file --verify-diagnostics --remark-format=emitRemark --remarks-filter-missed=tile-infer-layouts | FileCheck %s

#shared = #gpu.address_space<workgroup>
#rows = #tile.shared<[8, 128], offset = [128 : (0, 1), 8 : (1, 0)]>
module attributes {tile.target = #tile.target<"sm_90a">} {
// CHECK-LABEL: func.func @places
func.func @places(%a: memref<4096xf32>, %o: memref<4096xf32>, %m: memref<?x512xf32>, %n: index, %w: memref<64x256xf16>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %r = memref.dim %m, %c0 : memref<?x512xf32>
  tile.launch @k blocks(%x, %y) in (%c8, %r) threads(128) attributes {stage = #tile.stage<logical>} {
    %c512 = arith.constant 512 : index
    %c256 = arith.constant 256 : index
    %s = tile.alloc : memref<512xf32, #shared>
    %t = tile.alloc : memref<256xf32, #shared>
    %u = tile.alloc layout(#rows) : memref<8x128xf16, #shared>
    // The grid ends with the memref.
    // CHECK: %[[START:.*]] = arith.muli
    %start = arith.muli %x, %c512 : index
    // CHECK: tile.copy %{{.*}}[%[[START]]] in_bounds [true] to %{{.*}} {instruction = #tile.instruction<"cp.async.bulk.shared
    tile.copy %a[%start] to %s : memref<4096xf32> to memref<512xf32, #shared>
    // CHECK: tile.copy %{{.*}} to %{{.*}}[%[[START]]] in_bounds [true] {instruction = #tile.instruction<"cp.async.bulk.global.shared::cta.bulk_group
    tile.copy %s to %o[%start] : memref<512xf32, #shared> to memref<4096xf32>
    // A row, of as many as there are.
    // CHECK: tile.copy %{{.*}} [1, 512] in_bounds [true, true] to %{{.*}} {instruction = #tile.instruction<"cp.async.bulk.shared
    tile.copy %m[%y, %c0] [1, 512] to %s : memref<?x512xf32> to memref<512xf32, #shared>
    // It may reach out, or begin between two multiples of 16 bytes.
    // CHECK: %[[LATE:.*]] = arith.addi
    %late = arith.addi %start, %c256 : index
    // CHECK: tile.copy %{{.*}}, %[[LATE]]] [1, 512] to %{{.*}} {instruction = #tile.instruction<"cp.async.bulk.tensor.2d
    tile.copy %m[%y, %late] [1, 512] to %s : memref<?x512xf32> to memref<512xf32, #shared>
    // CHECK: tile.copy %{{.*}}in_bounds [true, true] to %{{.*}} {instruction = #tile.instruction<"cp.async.bulk.tensor.2d
    tile.copy %m[%y, %n] [1, 256] in_bounds [true, true] to %t : memref<?x512xf32> to memref<256xf32, #shared>
    // Rows with others between them are one box.
    // CHECK: tile.copy %{{.*}} to %{{.*}} {instruction = #tile.instruction<"cp.async.bulk.tensor.2d
    tile.copy %w[%c0, %c0] to %u : memref<64x256xf16> to memref<8x128xf16, #shared>
  }
  return
}
}

// -----

// A choice of the launch is no tensor.
#shared = #gpu.address_space<workgroup>
module attributes {tile.target = #tile.target<"sm_90a">} {
// CHECK-LABEL: func.func @chosen
func.func @chosen(%a: memref<4096xf32>, %b: memref<4096xf32>, %which: i1, %n: index) {
  %c8 = arith.constant 8 : index
  tile.launch @k blocks(%x) in (%c8) threads(128) attributes {stage = #tile.stage<logical>} {
    %c512 = arith.constant 512 : index
    %s = tile.alloc : memref<512xf32, #shared>
    %c = arith.select %which, %a, %b : memref<4096xf32>
    %m = tile.assume %c alignment 16 : memref<4096xf32>
    %start = arith.muli %x, %c512 : index
    // CHECK: tile.copy %{{.*}} in_bounds [true] to %{{.*}} {instruction = #tile.instruction<"cp.async.bulk.shared
    tile.copy %m[%start] to %s : memref<4096xf32> to memref<512xf32, #shared>
    // expected-remark @below {{; and without a tensor map: cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes knows no bounds, and the copy is not known to lie inside of its memref along dimension 0; state 'in_bounds'"}}
    // expected-remark @below {{NarrowCopy}}
    tile.copy %m[%n] to %s : memref<4096xf32> to memref<512xf32, #shared>
    // expected-remark @below {{; and without a tensor map: along dimension 0 it begins at what is known to be a multiple of 4 bytes, not of 16; state 'tile.assume_divisible' of the start, or 'tile.divisible' of the argument"}}
    // expected-remark @below {{NarrowCopy}}
    tile.copy %m[%n] in_bounds [true] to %s : memref<4096xf32> to memref<512xf32, #shared>
  }
  return
}
}

// -----

// Blocks of a cluster share boxes.
#shared = #gpu.address_space<workgroup>
module attributes {tile.target = #tile.target<"sm_90a">} {
// CHECK-LABEL: func.func @cluster
func.func @cluster(%a: memref<4096xf32>) {
  %c8 = arith.constant 8 : index
  tile.launch @k blocks(%x) in (%c8) threads(128) cluster(2) attributes {stage = #tile.stage<logical>} {
    %c512 = arith.constant 512 : index
    %s = tile.alloc : memref<512xf32, #shared>
    %start = arith.muli %x, %c512 : index
    // CHECK: tile.copy %{{.*}} to %{{.*}} {instruction = #tile.instruction<"cp.async.bulk.tensor.1d
    tile.copy %a[%start] to %s : memref<4096xf32> to memref<512xf32, #shared>
  }
  return
}
}
