// Conflicting accesses that nothing orders on some path: the later one, the earlier one,
// and what to put between them.
// RUN: tile-opt %s --tile-check-barriers --split-input-file --verify-diagnostics

#f = #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]>
#g = #tile.fragment<[128], register = [], lane = [32 : (4)], warp = [4 : (1)]>
#h = #tile.fragment<[128], register = [2 : (16)], lane = [16 : (1), 2 : (0)], warp = [4 : (32)]>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @one_branch(%n: index, %s: memref<128xf32>, %c: i1) {
  tile.launch @a blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<synchronized>} {
    %0 = arith.constant dense<0.0> : tensor<128xf32, #f>
    // expected-note @below {{the access before is here}}
    tile.store %0, %s : tensor<128xf32, #f>, memref<128xf32>
    scf.if %c {
      tile.barrier
    }
    // expected-error @below {{touches bytes that another thread may be using still, on a path without an order; put 'tile.barrier' on every path between the two}}
    %1 = tile.load %s : memref<128xf32> -> tensor<128xf32, #g>
  }
  return
}

func.func @too_weak(%n: index, %s: memref<128xf32>) {
  tile.launch @b blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<synchronized>} {
    %0 = arith.constant dense<0.0> : tensor<128xf32, #f>
    // expected-note @below {{the access before is here}}
    tile.store %0, %s : tensor<128xf32, #f>, memref<128xf32>
    tile.barrier {scope = #tile.scope<warp>}
    // expected-error @below {{put 'tile.barrier' on every path between the two}}
    %1 = tile.load %s : memref<128xf32> -> tensor<128xf32, #g>
  }
  return
}

func.func @no_barrier_of_warps(%n: index, %s: memref<128xf32>) {
  tile.launch @c blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<synchronized>} {
    %0 = arith.constant dense<0.0> : tensor<128xf32, #f>
    // expected-note @below {{the access before is here}}
    tile.store %0, %s : tensor<128xf32, #f>, memref<128xf32>
    // expected-error @below {{put 'tile.barrier {scope = #tile.scope<warp>}' on every path between the two}}
    %1 = tile.load %s : memref<128xf32> -> tensor<128xf32, #h>
  }
  return
}

// The same store in the next iteration, at another place.
func.func @next_iteration(%n: index, %s: memref<?xf32>) {
  tile.launch @d blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<synchronized>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = arith.constant dense<0.0> : tensor<128xf32, #f>
    scf.for %i = %c0 to %n step %c1 {
      // expected-note @below {{here, in an iteration before}}
      // expected-error @below {{touches bytes that another thread may be using still}}
      tile.store %0, %s[%i] : tensor<128xf32, #f>, memref<?xf32>
    }
  }
  return
}
}

// -----

#shared = #gpu.address_space<workgroup>
#f = #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]>
#g = #tile.fragment<[128], register = [], lane = [32 : (4)], warp = [4 : (1)]>
#ring = #tile.shared<[3, 128]>
!slot = memref<128xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
module attributes {tile.target = #tile.target<"sm_80">} {

// A ring of three slots: the wait leaves one group too many in flight, and the barrier
// stands behind the copy, which overwrites what the iteration before reads.
func.func @ring(%n: index, %a: memref<?xf32>, %b: memref<128xf32>) {
  tile.launch @a blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<synchronized>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %zero = arith.constant dense<0.0> : tensor<128xf32, #g>
    %arena = tile.arena 1536 : memref<1536xi8, #shared>
    %ring = tile.view %arena[0] layout(#ring) : memref<1536xi8, #shared> to memref<3x128xf32, #shared>
    %first = memref.subview %ring[0, 0] [1, 128] [1, 1] : memref<3x128xf32, #shared> to memref<128xf32, strided<[1]>, #shared>
    // expected-note @below {{the access before is here}}
    tile.copy %a[%c0] to %first {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<?xf32> to memref<128xf32, strided<[1]>, #shared>
    tile.copy_commit
    %second = memref.subview %ring[%c1, 0] [1, 128] [1, 1] : memref<3x128xf32, #shared> to !slot
    // expected-note @below {{the access before is here}}
    tile.copy %a[%c1] to %second {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<?xf32> to !slot
    tile.copy_commit
    %sum:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %read = %c0, %fill = %c2) -> (tensor<128xf32, #g>, index, index) {
      tile.copy_wait {pending = 2 : i64}
      %to = memref.subview %ring[%fill, 0] [1, 128] [1, 1] : memref<3x128xf32, #shared> to !slot
      // expected-note @below {{the access before is here}}
      // expected-error @below {{touches bytes that another thread may be using still, on a path without an order; put 'tile.barrier'}}
      tile.copy %a[%i] to %to {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<?xf32> to !slot
      tile.copy_commit
      tile.barrier
      %from = memref.subview %ring[%read, 0] [1, 128] [1, 1] : memref<3x128xf32, #shared> to !slot
      // expected-note @below {{the access before is here}}
      // expected-error @below {{touches bytes that a copy in flight may be using still, on a path without an order; put 'tile.copy_wait' and then 'tile.barrier'}}
      %y = tile.load %from : !slot -> tensor<128xf32, #g>
      %z = arith.addf %acc, %y : tensor<128xf32, #g>
      %isLast = arith.cmpi eq, %read, %c2 : index
      %after = arith.addi %read, %c1 : index
      %next = arith.select %isLast, %c0, %after : index
      %isLastFill = arith.cmpi eq, %fill, %c2 : index
      %afterFill = arith.addi %fill, %c1 : index
      %nextFill = arith.select %isLastFill, %c0, %afterFill : index
      scf.yield %z, %next, %nextFill : tensor<128xf32, #g>, index, index
    }
    tile.store %sum#0, %b : tensor<128xf32, #g>, memref<128xf32>
  }
  return
}
}

// -----

#shared = #gpu.address_space<workgroup>
#l = #tile.shared<[64, 64], swizzle = 128>
#f = #tile.fragment<[64, 64], register = [8 : (0, 1), 4 : (16, 0)], lane = [8 : (0, 8), 4 : (1, 0)], warp = [4 : (4, 0)]>
#d = #tile.fragment<[64, 64], register = [2 : (0, 1), 2 : (8, 0), 8 : (0, 8)], lane = [4 : (0, 2), 8 : (1, 0)], warp = [4 : (16, 0)]>
module attributes {tile.target = #tile.target<"sm_90a">} {
// A product reads through the asynchronous proxy, which sees what threads wrote only
// behind a fence of theirs, in front of the barrier.
func.func @no_fence(%n: index) {
  tile.launch @a blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<synchronized>} {
    %arena = tile.arena 8192 : memref<8192xi8, #shared>
    %a = tile.view %arena[0] layout(#l) : memref<8192xi8, #shared> to memref<64x64xf16, #shared>
    %t = arith.constant dense<1.0> : tensor<64x64xf16, #f>
    // expected-note @below {{the access before is here}}
    tile.store %t, %a : tensor<64x64xf16, #f>, memref<64x64xf16, #shared>
    tile.barrier
    // expected-error @below {{put 'tile.proxy_fence' and then 'tile.barrier' on every path between the two}}
    %p = tile.gemm %a, %a {instruction = #tile.instruction<"wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16.ss">, warp_grid = array<i64: 1, 1>} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32, #d>
  }
  return
}

func.func @fence_behind_the_barrier(%n: index) {
  tile.launch @b blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<synchronized>} {
    %arena = tile.arena 8192 : memref<8192xi8, #shared>
    %a = tile.view %arena[0] layout(#l) : memref<8192xi8, #shared> to memref<64x64xf16, #shared>
    %t = arith.constant dense<1.0> : tensor<64x64xf16, #f>
    // expected-note @below {{the access before is here}}
    tile.store %t, %a : tensor<64x64xf16, #f>, memref<64x64xf16, #shared>
    tile.barrier
    tile.proxy_fence
    // expected-error @below {{put 'tile.barrier' on every path between the two}}
    %p = tile.gemm %a, %a {instruction = #tile.instruction<"wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16.ss">, warp_grid = array<i64: 1, 1>} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32, #d>
  }
  return
}

func.func @fence_before_the_wait(%n: index, %m: memref<64x64xf16>) {
  tile.launch @c blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<synchronized>} {
    %arena = tile.arena 8192 : memref<8192xi8, #shared>
    %a = tile.view %arena[0] layout(#l) : memref<8192xi8, #shared> to memref<64x64xf16, #shared>
    // expected-note @below {{the access before is here}}
    tile.copy %m to %a {instruction = #tile.instruction<"cp.async">, layout = #f, vector_width = 8 : i64} : memref<64x64xf16> to memref<64x64xf16, #shared>
    tile.proxy_fence
    tile.copy_wait
    tile.barrier
    // expected-error @below {{put 'tile.proxy_fence' and then 'tile.barrier' on every path between the two}}
    %p = tile.gemm %a, %a {instruction = #tile.instruction<"wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16.ss">, warp_grid = array<i64: 1, 1>} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32, #d>
  }
  return
}
// What a product in flight reads is overwritten behind a wait for those before it.
func.func @in_flight(%n: index) {
  tile.launch @d blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<synchronized>} {
    %arena = tile.arena 8192 : memref<8192xi8, #shared>
    %a = tile.view %arena[0] layout(#l) : memref<8192xi8, #shared> to memref<64x64xf16, #shared>
    %t = arith.constant dense<1.0> : tensor<64x64xf16, #f>
    // expected-note @below {{the access before is here}}
    %p = tile.gemm_async %a, %a {instruction = #tile.instruction<"wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16.ss">, warp_grid = array<i64: 1, 1>} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> !tile.pending<tensor<64x64xf32, #d>>
    tile.product_wait {pending = 1 : i64}
    tile.barrier
    // expected-error @below {{touches bytes that a product in flight may be using still, on a path without an order; put 'tile.product_wait' and then 'tile.barrier' on every path between the two}}
    tile.store %t, %a : tensor<64x64xf16, #f>, memref<64x64xf16, #shared>
    tile.product_wait {pending = 0 : i64}
    %c = tile.wait %p : !tile.pending<tensor<64x64xf32, #d>>
  }
  return
}
}
