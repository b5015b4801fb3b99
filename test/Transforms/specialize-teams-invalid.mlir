// Launches that cannot be split into teams with tiles of their own.
// RUN: tile-opt %s --tile-specialize-warps --split-input-file --verify-diagnostics

#shared = #gpu.address_space<workgroup>
#bulk = #tile.instruction<"cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes">
#f = #tile.fragment<[256], register = [2 : (1)], lane = [32 : (2)], warp = [4 : (64)]>
module attributes {tile.target = #tile.target<"sm_90a">} {
func.func @no_room(%n: index, %m: memref<256xf32>, %o: memref<256xf32>) {
  tile.launch @no_room blocks(%b) in (%n) threads(128) attributes {consumers = #tile.consumers<pingpong>, roles = #tile.roles<<consumer, warps = 4>, <producer, warps = 4>>, stage = #tile.stage<synchronized>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %arena = tile.arena 3000 : memref<3000xi8, #shared>
    %s = tile.view %arena[0] layout(#tile.shared<[1, 256]>) : memref<3000xi8, #shared> to memref<1x256xf32, #shared>
    %w = tile.view %arena[1024] layout(#tile.shared<[2, 1]>) : memref<3000xi8, #shared> to memref<2x1xi64, #shared>
    %ring = tile.ring %s barriers(%w : memref<2x1xi64, #shared>) {modulo} : memref<1x256xf32, #shared> -> !tile.ring<1>
    tile.barrier
    %left = scf.for %t = %b to %c8 step %c2 iter_args(%use = %c0) -> (index) {
      %free = tile.ring_acquire %ring[%use] : !tile.ring<1>
      %to = memref.subview %s[%free, 0] [1, 256] [1, 1] : memref<1x256xf32, #shared> to memref<256xf32, strided<[1], offset: ?>, #shared>
      tile.copy %m to %to {instruction = #bulk} : memref<256xf32> to memref<256xf32, strided<[1], offset: ?>, #shared>
      tile.ring_commit %ring[%use] : !tile.ring<1>
      tile.take_turn
      %full = tile.ring_wait %ring[%use] : !tile.ring<1>
      %from = memref.subview %s[%full, 0] [1, 256] [1, 1] : memref<1x256xf32, #shared> to memref<256xf32, strided<[1], offset: ?>, #shared>
      %v = tile.load %from {vector_width = 2 : i64} : memref<256xf32, strided<[1], offset: ?>, #shared> -> tensor<256xf32, #f>
      tile.ring_release %ring[%use] : !tile.ring<1>
      tile.pass_turn
      // expected-error @below {{is kept by each of 2 teams, up to byte 3968, and the arena has no room for that}}
      %kept = tile.view %arena[1920] layout(#tile.shared<[256]>) : memref<3000xi8, #shared> to memref<256xf32, #shared>
      tile.store %v, %kept {vector_width = 2 : i64} : tensor<256xf32, #f>, memref<256xf32, #shared>
      %r = tile.load %kept {vector_width = 2 : i64} : memref<256xf32, #shared> -> tensor<256xf32, #f>
      tile.store %r, %o {vector_width = 2 : i64} : tensor<256xf32, #f>, memref<256xf32>
      %isLast = arith.cmpi eq, %use, %c1 : index
      %after = arith.addi %use, %c1 : index
      %next = arith.select %isLast, %c0, %after : index
      scf.yield %next : index
    }
  }
  return
}
}

// -----

#shared = #gpu.address_space<workgroup>
#bulk = #tile.instruction<"cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes">
#f = #tile.fragment<[256], register = [2 : (1)], lane = [32 : (2)], warp = [4 : (64)]>
module attributes {tile.target = #tile.target<"sm_90a">} {
func.func @shared_bytes(%n: index, %m: memref<256xf32>, %o: memref<256xf32>) {
  tile.launch @shared_bytes blocks(%b) in (%n) threads(128) attributes {consumers = #tile.consumers<pingpong>, roles = #tile.roles<<consumer, warps = 4>, <producer, warps = 4>>, stage = #tile.stage<synchronized>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %arena = tile.arena 5120 : memref<5120xi8, #shared>
    %s = tile.view %arena[0] layout(#tile.shared<[1, 256]>) : memref<5120xi8, #shared> to memref<1x256xf32, #shared>
    %w = tile.view %arena[1024] layout(#tile.shared<[2, 1]>) : memref<5120xi8, #shared> to memref<2x1xi64, #shared>
    %ring = tile.ring %s barriers(%w : memref<2x1xi64, #shared>) {modulo} : memref<1x256xf32, #shared> -> !tile.ring<1>
    tile.barrier
    %left = scf.for %t = %b to %c8 step %c2 iter_args(%use = %c0) -> (index) {
      %free = tile.ring_acquire %ring[%use] : !tile.ring<1>
      %to = memref.subview %s[%free, 0] [1, 256] [1, 1] : memref<1x256xf32, #shared> to memref<256xf32, strided<[1], offset: ?>, #shared>
      tile.copy %m to %to {instruction = #bulk} : memref<256xf32> to memref<256xf32, strided<[1], offset: ?>, #shared>
      tile.ring_commit %ring[%use] : !tile.ring<1>
      tile.take_turn
      %full = tile.ring_wait %ring[%use] : !tile.ring<1>
      %from = memref.subview %s[%full, 0] [1, 256] [1, 1] : memref<1x256xf32, #shared> to memref<256xf32, strided<[1], offset: ?>, #shared>
      %v = tile.load %from {vector_width = 2 : i64} : memref<256xf32, strided<[1], offset: ?>, #shared> -> tensor<256xf32, #f>
      tile.ring_release %ring[%use] : !tile.ring<1>
      tile.pass_turn
      // expected-error @below {{is kept by each of 2 teams, from byte 2048 to 4096, and cannot share bytes}}
      %kept = tile.view %arena[2048] layout(#tile.shared<[256]>) : memref<5120xi8, #shared> to memref<256xf32, #shared>
      tile.store %v, %kept {vector_width = 2 : i64} : tensor<256xf32, #f>, memref<256xf32, #shared>
      %r = tile.load %kept {vector_width = 2 : i64} : memref<256xf32, #shared> -> tensor<256xf32, #f>
      // expected-note @below {{with this buffer}}
      %other = tile.view %arena[3072] layout(#tile.shared<[256]>) : memref<5120xi8, #shared> to memref<256xf32, #shared>
      tile.store %r, %other {vector_width = 2 : i64} : tensor<256xf32, #f>, memref<256xf32, #shared>
      tile.store %r, %o {vector_width = 2 : i64} : tensor<256xf32, #f>, memref<256xf32>
      %isLast = arith.cmpi eq, %use, %c1 : index
      %after = arith.addi %use, %c1 : index
      %next = arith.select %isLast, %c0, %after : index
      scf.yield %next : index
    }
  }
  return
}
}

// -----

#shared = #gpu.address_space<workgroup>
#bulk = #tile.instruction<"cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes">
#f = #tile.fragment<[256], register = [2 : (1)], lane = [32 : (2)], warp = [4 : (64)]>
module attributes {tile.target = #tile.target<"sm_90a">} {
func.func @beside(%n: index, %m: memref<256xf32>, %o: memref<256xf32>) {
  tile.launch @beside blocks(%b) in (%n) threads(128) attributes {consumers = #tile.consumers<pingpong>, roles = #tile.roles<<consumer, warps = 4>, <producer, warps = 4>>, stage = #tile.stage<synchronized>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %arena = tile.arena 5120 : memref<5120xi8, #shared>
    %s = tile.view %arena[0] layout(#tile.shared<[1, 256]>) : memref<5120xi8, #shared> to memref<1x256xf32, #shared>
    %w = tile.view %arena[1024] layout(#tile.shared<[2, 1]>) : memref<5120xi8, #shared> to memref<2x1xi64, #shared>
    %ring = tile.ring %s barriers(%w : memref<2x1xi64, #shared>) {modulo} : memref<1x256xf32, #shared> -> !tile.ring<1>
    tile.barrier
    %twice = arith.constant dense<0.0> : tensor<256xf32, #f>
    // expected-error @below {{cannot be in a launch whose teams have tiles of their own: both teams would do what stands beside the loop over tiles}}
    tile.store %twice, %o {vector_width = 2 : i64} : tensor<256xf32, #f>, memref<256xf32>
    %left = scf.for %t = %b to %c8 step %c2 iter_args(%use = %c0) -> (index) {
      %free = tile.ring_acquire %ring[%use] : !tile.ring<1>
      %to = memref.subview %s[%free, 0] [1, 256] [1, 1] : memref<1x256xf32, #shared> to memref<256xf32, strided<[1], offset: ?>, #shared>
      tile.copy %m to %to {instruction = #bulk} : memref<256xf32> to memref<256xf32, strided<[1], offset: ?>, #shared>
      tile.ring_commit %ring[%use] : !tile.ring<1>
      tile.take_turn
      %full = tile.ring_wait %ring[%use] : !tile.ring<1>
      %from = memref.subview %s[%full, 0] [1, 256] [1, 1] : memref<1x256xf32, #shared> to memref<256xf32, strided<[1], offset: ?>, #shared>
      %v = tile.load %from {vector_width = 2 : i64} : memref<256xf32, strided<[1], offset: ?>, #shared> -> tensor<256xf32, #f>
      tile.ring_release %ring[%use] : !tile.ring<1>
      tile.pass_turn
      %kept = tile.view %arena[2048] layout(#tile.shared<[256]>) : memref<5120xi8, #shared> to memref<256xf32, #shared>
      tile.store %v, %kept {vector_width = 2 : i64} : tensor<256xf32, #f>, memref<256xf32, #shared>
      %r = tile.load %kept {vector_width = 2 : i64} : memref<256xf32, #shared> -> tensor<256xf32, #f>
      tile.store %r, %o {vector_width = 2 : i64} : tensor<256xf32, #f>, memref<256xf32>
      %isLast = arith.cmpi eq, %use, %c1 : index
      %after = arith.addi %use, %c1 : index
      %next = arith.select %isLast, %c0, %after : index
      scf.yield %next : index
    }
  }
  return
}
}
