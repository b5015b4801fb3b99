// Copies of one box in several blocks of a cluster are shared, where facts prove that
// the blocks are in step.
// RUN: tile-opt %s --tile-multicast-copies | FileCheck %s
// RUN: tile-opt %s --tile-multicast-copies=enable=false | FileCheck %s --check-prefix=OFF
// RUN: tile-opt %s --tile-multicast-copies --remark-format=emitRemark --remarks-filter-missed=tile-multicast-copies -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

#shared = #gpu.address_space<workgroup>
#bulk = #tile.instruction<"cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes">
#box = #tile.instruction<"cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes">
#roles = #tile.roles<<consumer, warps = 1>, <producer, warps = 1>>

module attributes {tile.target = #tile.target<"sm_90a">} {

// One place for all.
// CHECK-LABEL: tile.launch @everywhere
// CHECK: tile.copy %{{.*}} multicast = array<i64: 3, 3>
// OFF-LABEL: tile.launch @everywhere
// OFF-NOT: multicast
func.func @everywhere_host(%n: index, %m: memref<512xf32>, %places: memref<4xindex>) {
  tile.launch @everywhere blocks(%x) in (%n) threads(32) cluster(2) attributes {roles = #roles, stage = #tile.stage<synchronized>} {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c64 = arith.constant 64 : index
    %arena = tile.arena 272 : memref<272xi8, #shared>
    %s = tile.view %arena[0] layout(#tile.shared<[1, 64]>) : memref<272xi8, #shared> to memref<1x64xf32, #shared>
    %w = tile.view %arena[256] layout(#tile.shared<[2, 1]>) : memref<272xi8, #shared> to memref<2x1xi64, #shared>
    %ring = tile.ring %s barriers(%w : memref<2x1xi64, #shared>) {modulo} : memref<1x64xf32, #shared> -> !tile.ring<1>
    tile.barrier
    %free = tile.ring_acquire %ring[%c0] : !tile.ring<1>
    %to = memref.subview %s[%free, 0] [1, 64] [1, 1] : memref<1x64xf32, #shared> to memref<64xf32, strided<[1], offset: ?>, #shared>
    tile.copy %m[%c64] [64] to %to {instruction = #bulk} : memref<512xf32> to memref<64xf32, strided<[1], offset: ?>, #shared>
    tile.ring_commit %ring[%c0] : !tile.ring<1>
    %full = tile.ring_wait %ring[%c0] : !tile.ring<1>
    tile.ring_release %ring[%c0] : !tile.ring<1>
  }
  return
}

// Two and two have a place, as two divides what all of them have in common.
// CHECK-LABEL: tile.launch @pairs
// CHECK: tile.copy %{{.*}} multicast = array<i64: 3, 3, 12, 12>
// OFF-LABEL: tile.launch @pairs
// OFF-NOT: multicast
func.func @pairs_host(%n: index, %m: memref<512xf32>, %places: memref<4xindex>) {
  tile.launch @pairs blocks(%x) in (%n) threads(32) cluster(4) attributes {roles = #roles, stage = #tile.stage<synchronized>} {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c64 = arith.constant 64 : index
    %arena = tile.arena 272 : memref<272xi8, #shared>
    %s = tile.view %arena[0] layout(#tile.shared<[1, 64]>) : memref<272xi8, #shared> to memref<1x64xf32, #shared>
    %w = tile.view %arena[256] layout(#tile.shared<[2, 1]>) : memref<272xi8, #shared> to memref<2x1xi64, #shared>
    %ring = tile.ring %s barriers(%w : memref<2x1xi64, #shared>) {modulo} : memref<1x64xf32, #shared> -> !tile.ring<1>
    tile.barrier
    %half = arith.divui %x, %c2 : index
    %place = arith.muli %half, %c64 : index
    %free = tile.ring_acquire %ring[%c0] : !tile.ring<1>
    %to = memref.subview %s[%free, 0] [1, 64] [1, 1] : memref<1x64xf32, #shared> to memref<64xf32, strided<[1], offset: ?>, #shared>
    tile.copy %m[%place] [64] to %to {instruction = #bulk} : memref<512xf32> to memref<64xf32, strided<[1], offset: ?>, #shared>
    tile.ring_commit %ring[%c0] : !tile.ring<1>
    %full = tile.ring_wait %ring[%c0] : !tile.ring<1>
    tile.ring_release %ring[%c0] : !tile.ring<1>
  }
  return
}

// Every other block.
// CHECK-LABEL: tile.launch @alternating
// CHECK: tile.copy %{{.*}} multicast = array<i64: 5, 10, 5, 10>
// OFF-LABEL: tile.launch @alternating
// OFF-NOT: multicast
func.func @alternating_host(%n: index, %m: memref<512xf32>, %places: memref<4xindex>) {
  tile.launch @alternating blocks(%x) in (%n) threads(32) cluster(4) attributes {roles = #roles, stage = #tile.stage<synchronized>} {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c64 = arith.constant 64 : index
    %arena = tile.arena 272 : memref<272xi8, #shared>
    %s = tile.view %arena[0] layout(#tile.shared<[1, 64]>) : memref<272xi8, #shared> to memref<1x64xf32, #shared>
    %w = tile.view %arena[256] layout(#tile.shared<[2, 1]>) : memref<272xi8, #shared> to memref<2x1xi64, #shared>
    %ring = tile.ring %s barriers(%w : memref<2x1xi64, #shared>) {modulo} : memref<1x64xf32, #shared> -> !tile.ring<1>
    tile.barrier
    %rest = arith.remui %x, %c2 : index
    %place = arith.muli %rest, %c64 : index
    %free = tile.ring_acquire %ring[%c0] : !tile.ring<1>
    %to = memref.subview %s[%free, 0] [1, 64] [1, 1] : memref<1x64xf32, #shared> to memref<64xf32, strided<[1], offset: ?>, #shared>
    tile.copy %m[%place] [64] to %to {instruction = #bulk} : memref<512xf32> to memref<64xf32, strided<[1], offset: ?>, #shared>
    tile.ring_commit %ring[%c0] : !tile.ring<1>
    %full = tile.ring_wait %ring[%c0] : !tile.ring<1>
    tile.ring_release %ring[%c0] : !tile.ring<1>
  }
  return
}

// What nobody writes is the same for all who load it.
// CHECK-LABEL: tile.launch @loaded
// CHECK: tile.copy %{{.*}} multicast = array<i64: 3, 3>
// OFF-LABEL: tile.launch @loaded
// OFF-NOT: multicast
func.func @loaded_host(%n: index, %m: memref<512xf32>, %places: memref<4xindex>) {
  tile.launch @loaded blocks(%x) in (%n) threads(32) cluster(2) attributes {roles = #roles, stage = #tile.stage<synchronized>} {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c64 = arith.constant 64 : index
    %arena = tile.arena 272 : memref<272xi8, #shared>
    %s = tile.view %arena[0] layout(#tile.shared<[1, 64]>) : memref<272xi8, #shared> to memref<1x64xf32, #shared>
    %w = tile.view %arena[256] layout(#tile.shared<[2, 1]>) : memref<272xi8, #shared> to memref<2x1xi64, #shared>
    %ring = tile.ring %s barriers(%w : memref<2x1xi64, #shared>) {modulo} : memref<1x64xf32, #shared> -> !tile.ring<1>
    tile.barrier
    %half = arith.divui %x, %c2 : index
    %place = memref.load %places[%half] : memref<4xindex>
    %free = tile.ring_acquire %ring[%c0] : !tile.ring<1>
    %to = memref.subview %s[%free, 0] [1, 64] [1, 1] : memref<1x64xf32, #shared> to memref<64xf32, strided<[1], offset: ?>, #shared>
    tile.copy %m[%place] [64] to %to {instruction = #bulk} : memref<512xf32> to memref<64xf32, strided<[1], offset: ?>, #shared>
    tile.ring_commit %ring[%c0] : !tile.ring<1>
    %full = tile.ring_wait %ring[%c0] : !tile.ring<1>
    tile.ring_release %ring[%c0] : !tile.ring<1>
  }
  return
}

// REMARK: [[@LINE+8]]:3: remark: [Missed] NotMulticast {{.*}}no copy is known to have the same place in two blocks
// Each has its own.
// CHECK-LABEL: tile.launch @own
// CHECK: tile.copy
// CHECK-NOT: multicast
// OFF-LABEL: tile.launch @own
// OFF-NOT: multicast
func.func @own_host(%n: index, %m: memref<512xf32>, %places: memref<4xindex>) {
  tile.launch @own blocks(%x) in (%n) threads(32) cluster(2) attributes {roles = #roles, stage = #tile.stage<synchronized>} {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c64 = arith.constant 64 : index
    %arena = tile.arena 272 : memref<272xi8, #shared>
    %s = tile.view %arena[0] layout(#tile.shared<[1, 64]>) : memref<272xi8, #shared> to memref<1x64xf32, #shared>
    %w = tile.view %arena[256] layout(#tile.shared<[2, 1]>) : memref<272xi8, #shared> to memref<2x1xi64, #shared>
    %ring = tile.ring %s barriers(%w : memref<2x1xi64, #shared>) {modulo} : memref<1x64xf32, #shared> -> !tile.ring<1>
    tile.barrier
    %place = arith.muli %x, %c64 : index
    %free = tile.ring_acquire %ring[%c0] : !tile.ring<1>
    %to = memref.subview %s[%free, 0] [1, 64] [1, 1] : memref<1x64xf32, #shared> to memref<64xf32, strided<[1], offset: ?>, #shared>
    tile.copy %m[%place] [64] to %to {instruction = #bulk} : memref<512xf32> to memref<64xf32, strided<[1], offset: ?>, #shared>
    tile.ring_commit %ring[%c0] : !tile.ring<1>
    %full = tile.ring_wait %ring[%c0] : !tile.ring<1>
    tile.ring_release %ring[%c0] : !tile.ring<1>
  }
  return
}

// One block fills the ring and the other does not.
// CHECK-LABEL: tile.launch @condition
// CHECK: tile.copy
// CHECK-NOT: multicast
// REMARK: [Missed] NotMulticast {{.*}}bounds and conditions around it must not depend on the place in the cluster
// OFF-LABEL: tile.launch @condition
// OFF-NOT: multicast
func.func @condition_host(%n: index, %m: memref<512xf32>, %places: memref<4xindex>) {
  tile.launch @condition blocks(%x) in (%n) threads(32) cluster(2) attributes {roles = #roles, stage = #tile.stage<synchronized>} {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c64 = arith.constant 64 : index
    %arena = tile.arena 272 : memref<272xi8, #shared>
    %s = tile.view %arena[0] layout(#tile.shared<[1, 64]>) : memref<272xi8, #shared> to memref<1x64xf32, #shared>
    %w = tile.view %arena[256] layout(#tile.shared<[2, 1]>) : memref<272xi8, #shared> to memref<2x1xi64, #shared>
    %ring = tile.ring %s barriers(%w : memref<2x1xi64, #shared>) {modulo} : memref<1x64xf32, #shared> -> !tile.ring<1>
    tile.barrier
    %on = arith.cmpi eq, %x, %c2 : index
    scf.if %on {
    %free = tile.ring_acquire %ring[%c0] : !tile.ring<1>
    %to = memref.subview %s[%free, 0] [1, 64] [1, 1] : memref<1x64xf32, #shared> to memref<64xf32, strided<[1], offset: ?>, #shared>
    tile.copy %m[%c64] [64] to %to {instruction = #bulk} : memref<512xf32> to memref<64xf32, strided<[1], offset: ?>, #shared>
    tile.ring_commit %ring[%c0] : !tile.ring<1>
    %full = tile.ring_wait %ring[%c0] : !tile.ring<1>
    tile.ring_release %ring[%c0] : !tile.ring<1>
    }
  }
  return
}

// Eight rows of the swizzle's pattern are one part.
// REMARK: [Missed] NotMulticast {{.*}}a box of 1024 bytes and 8 rows has no 2 equal parts of a multiple of 1024 bytes
// CHECK-LABEL: tile.launch @pattern
// CHECK: tile.copy
// CHECK-NOT: multicast
func.func @pattern_host(%n: index, %m: memref<512x64xf16>) {
  tile.launch @pattern blocks(%x) in (%n) threads(32) cluster(2) attributes {roles = #roles, stage = #tile.stage<synchronized>} {
    %c0 = arith.constant 0 : index
    %arena = tile.arena 1040 : memref<1040xi8, #shared>
    %s = tile.view %arena[0] layout(#tile.shared<[1, 8, 64], swizzle = 128>) : memref<1040xi8, #shared> to memref<1x8x64xf16, #shared>
    %w = tile.view %arena[1024] layout(#tile.shared<[2, 1]>) : memref<1040xi8, #shared> to memref<2x1xi64, #shared>
    %ring = tile.ring %s barriers(%w : memref<2x1xi64, #shared>) {modulo} : memref<1x8x64xf16, #shared> -> !tile.ring<1>
    tile.barrier
    %free = tile.ring_acquire %ring[%c0] : !tile.ring<1>
    %to = memref.subview %s[%free, 0, 0] [1, 8, 64] [1, 1, 1] : memref<1x8x64xf16, #shared> to memref<8x64xf16, strided<[64, 1], offset: ?>, #shared>
    tile.copy %m[%c0, %c0] [8, 64] to %to {instruction = #box} : memref<512x64xf16> to memref<8x64xf16, strided<[64, 1], offset: ?>, #shared>
    tile.ring_commit %ring[%c0] : !tile.ring<1>
    %full = tile.ring_wait %ring[%c0] : !tile.ring<1>
    tile.ring_release %ring[%c0] : !tile.ring<1>
  }
  return
}

}
