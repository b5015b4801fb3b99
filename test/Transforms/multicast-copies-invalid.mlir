// What is written by hand on a copy is proved like what the pass writes: behind it, and again
// where kernels are outlined, of the program of each role.
// RUN: tile-opt %s --tile-multicast-copies --split-input-file --verify-diagnostics -o /dev/null
// RUN: tile-opt %s --tile-multicast-copies=enable=false --split-input-file --verify-diagnostics -o /dev/null
// RUN: tile-opt %s --tile-specialize-warps --tile-outline-kernels --split-input-file --verify-diagnostics -o /dev/null

#shared = #gpu.address_space<workgroup>
#bulk = #tile.instruction<"cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes">
#roles = #tile.roles<<consumer, warps = 1>, <producer, warps = 1>>

// A place of its own for each.
module attributes {tile.target = #tile.target<"sm_90a">} {
func.func @place(%n: index, %m: memref<512xf32>) {
  tile.launch @kernel blocks(%x) in (%n) threads(32) cluster(4) attributes {roles = #roles, stage = #tile.stage<synchronized>} {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c64 = arith.constant 64 : index
    %arena = tile.arena 272 : memref<272xi8, #shared>
    %s = tile.view %arena[0] layout(#tile.shared<[1, 64]>) : memref<272xi8, #shared> to memref<1x64xf32, #shared>
    %w = tile.view %arena[256] layout(#tile.shared<[2, 1]>) : memref<272xi8, #shared> to memref<2x1xi64, #shared>
    %ring = tile.ring %s barriers(%w : memref<2x1xi64, #shared>) {modulo} : memref<1x64xf32, #shared> -> !tile.ring<1>
    tile.barrier
    %half = arith.remui %x, %c2 : index
    // expected-note @below {{the operand is this value}}
    %at = arith.muli %half, %c64 : index
    %free = tile.ring_acquire %ring[%c0] : !tile.ring<1>
    %to = memref.subview %s[%free, 0] [1, 64] [1, 1] : memref<1x64xf32, #shared> to memref<64xf32, strided<[1], offset: ?>, #shared>
    // expected-error @below {{is shared by 'multicast' by the blocks (0) and (1) of a cluster, in which operand #1 is not known to be the same; blocks bring together what has one place for all of them, so take these out of one mask}}
    tile.copy %m[%at] [64] to %to {instruction = #bulk, multicast = array<i64: 3, 3, 12, 12>} : memref<512xf32> to memref<64xf32, strided<[1], offset: ?>, #shared>
    tile.ring_commit %ring[%c0] : !tile.ring<1>
    %full = tile.ring_wait %ring[%c0] : !tile.ring<1>
    tile.ring_release %ring[%c0] : !tile.ring<1>
  }
  return
}
}

// -----

#shared = #gpu.address_space<workgroup>
#bulk = #tile.instruction<"cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes">
#roles = #tile.roles<<consumer, warps = 1>, <producer, warps = 1>>

// Rows of the grid have a place in common, and the masks are those of columns.
module attributes {tile.target = #tile.target<"sm_90a">} {
func.func @columns(%n: index, %m: memref<512xf32>) {
  // expected-note @below {{the operand is this value}}
  tile.launch @kernel blocks(%x, %y) in (%n, %n) threads(32) cluster(2, 2) attributes {roles = #roles, stage = #tile.stage<synchronized>} {
    %c0 = arith.constant 0 : index
    %arena = tile.arena 272 : memref<272xi8, #shared>
    %s = tile.view %arena[0] layout(#tile.shared<[1, 64]>) : memref<272xi8, #shared> to memref<1x64xf32, #shared>
    %w = tile.view %arena[256] layout(#tile.shared<[2, 1]>) : memref<272xi8, #shared> to memref<2x1xi64, #shared>
    %ring = tile.ring %s barriers(%w : memref<2x1xi64, #shared>) {modulo} : memref<1x64xf32, #shared> -> !tile.ring<1>
    tile.barrier
    %free = tile.ring_acquire %ring[%c0] : !tile.ring<1>
    %to = memref.subview %s[%free, 0] [1, 64] [1, 1] : memref<1x64xf32, #shared> to memref<64xf32, strided<[1], offset: ?>, #shared>
    // expected-error @below {{by the blocks (0, 0) and (0, 1) of a cluster, in which operand #1 is not known to be the same}}
    tile.copy %m[%y] [64] to %to {instruction = #bulk, multicast = array<i64: 5, 10, 5, 10>} : memref<512xf32> to memref<64xf32, strided<[1], offset: ?>, #shared>
    tile.ring_commit %ring[%c0] : !tile.ring<1>
    %full = tile.ring_wait %ring[%c0] : !tile.ring<1>
    tile.ring_release %ring[%c0] : !tile.ring<1>
  }
  return
}
}

// -----

#shared = #gpu.address_space<workgroup>
#bulk = #tile.instruction<"cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes">
#roles = #tile.roles<<consumer, warps = 1>, <producer, warps = 1>>

// One place, and another number of uses in each.
module attributes {tile.target = #tile.target<"sm_90a">} {
func.func @trips(%n: index, %m: memref<512xf32>) {
  tile.launch @kernel blocks(%x) in (%n) threads(32) cluster(2) attributes {roles = #roles, stage = #tile.stage<synchronized>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %arena = tile.arena 272 : memref<272xi8, #shared>
    %s = tile.view %arena[0] layout(#tile.shared<[1, 64]>) : memref<272xi8, #shared> to memref<1x64xf32, #shared>
    %w = tile.view %arena[256] layout(#tile.shared<[2, 1]>) : memref<272xi8, #shared> to memref<2x1xi64, #shared>
    // expected-note @below {{the ring is here}}
    %ring = tile.ring %s barriers(%w : memref<2x1xi64, #shared>) : memref<1x64xf32, #shared> -> !tile.ring<1>
    tile.barrier
    scf.for %i = %c0 to %x step %c1 {
      %free = tile.ring_acquire %ring[%i] : !tile.ring<1>
      %to = memref.subview %s[%free, 0] [1, 64] [1, 1] : memref<1x64xf32, #shared> to memref<64xf32, strided<[1], offset: ?>, #shared>
      // expected-error @below {{by the blocks (0) and (1) of a cluster, in which how often, or when, its ring is filled is not known to be the same; bounds and conditions around it must not depend on the place in the cluster}}
      tile.copy %m[%i] [64] to %to {instruction = #bulk, multicast = array<i64: 3, 3>} : memref<512xf32> to memref<64xf32, strided<[1], offset: ?>, #shared>
      tile.ring_commit %ring[%i] : !tile.ring<1>
      %full = tile.ring_wait %ring[%i] : !tile.ring<1>
      tile.ring_release %ring[%i] : !tile.ring<1>
    }
  }
  return
}
}

// -----

#shared = #gpu.address_space<workgroup>
#bulk = #tile.instruction<"cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes">
#roles = #tile.roles<<consumer, warps = 1>, <producer, warps = 1>>

module attributes {tile.target = #tile.target<"sm_90a">} {
func.func @size(%n: index, %m: memref<512xf32>) {
  tile.launch @kernel blocks(%x) in (%n) threads(32) cluster(2) attributes {roles = #roles, stage = #tile.stage<synchronized>} {
    %c0 = arith.constant 0 : index
    %arena = tile.arena 272 : memref<272xi8, #shared>
    %s = tile.view %arena[0] layout(#tile.shared<[1, 64]>) : memref<272xi8, #shared> to memref<1x64xf32, #shared>
    %w = tile.view %arena[256] layout(#tile.shared<[2, 1]>) : memref<272xi8, #shared> to memref<2x1xi64, #shared>
    %ring = tile.ring %s barriers(%w : memref<2x1xi64, #shared>) {modulo} : memref<1x64xf32, #shared> -> !tile.ring<1>
    tile.barrier
    %free = tile.ring_acquire %ring[%c0] : !tile.ring<1>
    %to = memref.subview %s[%free, 0] [1, 64] [1, 1] : memref<1x64xf32, #shared> to memref<64xf32, strided<[1], offset: ?>, #shared>
    // expected-error @below {{has masks in 'multicast' for 4 blocks, and the launch's clusters have 2}}
    tile.copy %m[%x] [64] to %to {instruction = #bulk, multicast = array<i64: 3, 3, 12, 12>} : memref<512xf32> to memref<64xf32, strided<[1], offset: ?>, #shared>
    tile.ring_commit %ring[%c0] : !tile.ring<1>
    %full = tile.ring_wait %ring[%c0] : !tile.ring<1>
    tile.ring_release %ring[%c0] : !tile.ring<1>
  }
  return
}
}
