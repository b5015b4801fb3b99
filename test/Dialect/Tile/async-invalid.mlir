// Roles, rings and pending values: what the verifier refuses.
// RUN: tile-opt %s --split-input-file --verify-diagnostics
#shared = #gpu.address_space<workgroup>

// expected-error @+1 {{a ring must have at least 1 slot, got 0}}
func.func private @no_slots(!tile.ring<0>)

// -----

func.func @no_consumer(%n: index) {
  // expected-error @+1 {{a launch has at least one consumer, which computes; none of the 1 roles is one}}
  tile.launch blocks(%b) in (%n) threads(32) attributes {roles = #tile.roles<<producer, warps = 1>>} {
  }
  return
}

// -----

func.func @no_warps(%n: index) {
  tile.launch blocks(%b) in (%n) threads(32) {
    tile.specialize
      // expected-error @+1 {{a role must have 1 to 1024 warps, got 0}}
      consumer warps(0) {
      }
  }
  return
}

// -----

func.func @too_few_consumers(%n: index) { // specialize_c3
  tile.launch blocks(%b) in (%n) threads(128) {
    // expected-error @+1 {{has roles with 2 warps of consumers in a launch of 128 threads; threads(N) counts the threads that compute, which are the consumers'}}
    tile.specialize
      producer warps(2) {
      }
      consumer warps(2) {
      }
  }
  return
}

// -----

func.func @launch_disagrees(%n: index) { // launch_c10
  // expected-error @+1 {{has roles with 2 warps of consumers in a launch of 32 threads; threads(N) counts the threads that compute, which are the consumers'}}
  tile.launch blocks(%b) in (%n) threads(32) attributes {roles = #tile.roles<<consumer, warps = 2>>} {
  }
  return
}

// -----

func.func @other_roles(%n: index) { // specialize_c5
  tile.launch blocks(%b) in (%n) threads(32) attributes {roles = #tile.roles<<consumer, warps = 1>>} {
    // expected-error @+1 {{has other roles than its launch}}
    tile.specialize
      consumer warps(1) registers(40) {
      }
  }
  return
}

// -----

func.func @nested(%n: index) { // specialize_c2
  tile.launch blocks(%b) in (%n) threads(32) {
    %true = arith.constant true
    scf.if %true {
      // expected-error @+1 {{stands in the body of the launch itself, not inside 'scf.if'}}
      tile.specialize
        consumer warps(1) {
        }
    }
  }
  return
}

// -----

func.func @something_follows(%n: index) { // specialize_c2
  tile.launch blocks(%b) in (%n) threads(32) {
    // expected-error @+1 {{is the last operation of its launch, but 'tile.barrier' follows; move it in front or into a role}}
    tile.specialize
      consumer warps(1) {
      }
    tile.barrier
  }
  return
}

// -----

func.func @captures_fragment(%n: index, %m: memref<32xf32>) { // specialize_c4
  tile.launch blocks(%b) in (%n) threads(32) {
    // expected-note @+1 {{the value}}
    %t = tile.load %m : memref<32xf32> -> tensor<32xf32>
    // expected-error @+1 {{takes 'tensor<32xf32>' from outside into a role, whose warps do not hold it; compute it in the role}}
    tile.specialize
      consumer warps(1) {
        tile.store %t, %m : tensor<32xf32>, memref<32xf32>
      }
  }
  return
}

// -----

func.func @layout_of_other_warps(%n: index, %m: memref<64xf32>) {
  tile.launch blocks(%b) in (%n) threads(64) {
    tile.specialize
      producer warps(1) {
        // expected-error @+1 {{has a layout of 32 lanes times 2 warps in a role of 32 threads}}
        %t = tile.load %m : memref<64xf32> -> tensor<64xf32, #tile.fragment<[64], register = [], lane = [32 : (1)], warp = [2 : (32)]>>
      }
      consumer warps(2) {
      }
  }
  return
}

// -----

#shared = #gpu.address_space<workgroup>
func.func @slots_differ(%n: index) { // ring_c1
  tile.launch blocks(%b) in (%n) threads(32) {
    %s = tile.alloc : memref<2x4xf32, #shared>
    // expected-error @+1 {{of 3 slots must guard buffers with the outermost extent 3, got 'memref<2x4xf32, #gpu.address_space<workgroup>>'}}
    %ring = tile.ring %s : memref<2x4xf32, #shared> -> !tile.ring<3>
  }
  return
}

// -----

#shared = #gpu.address_space<workgroup>
func.func @few_barriers(%n: index) { // ring_c5
  tile.launch blocks(%b) in (%n) threads(32) {
    %s = tile.alloc : memref<2x4xf32, #shared>
    %w = tile.alloc : memref<2x3xi64, #shared>
    // expected-error @+1 {{of 2 slots has barriers of 2 x 2 words of i64, got 'memref<2x3xi64, #gpu.address_space<workgroup>>'}}
    %ring = tile.ring %s barriers(%w : memref<2x3xi64, #shared>) : memref<2x4xf32, #shared> -> !tile.ring<2>
  }
  return
}

// -----

#shared = #gpu.address_space<workgroup>
func.func @viewed_barriers(%n: index) { // ring_c5
  tile.launch blocks(%b) in (%n) threads(32) {
    %s = tile.alloc : memref<2x4xf32, #shared>
    %w = tile.alloc : memref<4x2xi64, #shared>
    %v = memref.subview %w[0, 0] [2, 2] [1, 1] : memref<4x2xi64, #shared> to memref<2x2xi64, strided<[2, 1]>, #shared>
    // expected-error @+1 {{has barriers of its own; give it the result of a 'tile.alloc' or 'tile.view'}}
    %ring = tile.ring %s barriers(%v : memref<2x2xi64, strided<[2, 1]>, #shared>) : memref<2x4xf32, #shared> -> !tile.ring<2>
  }
  return
}

// -----

#shared = #gpu.address_space<workgroup>
func.func @shared_barriers(%n: index) { // ring_c5
  tile.launch blocks(%b) in (%n) threads(32) {
    %s = tile.alloc : memref<2x4xf32, #shared>
    %t = tile.alloc : memref<2x4xf32, #shared>
    %w = tile.alloc : memref<2x2xi64, #shared>
    // expected-error @+1 {{has barriers that something else uses; give them to the ring alone}}
    %ring = tile.ring %s barriers(%w : memref<2x2xi64, #shared>) : memref<2x4xf32, #shared> -> !tile.ring<2>
    %other = tile.ring %t barriers(%w : memref<2x2xi64, #shared>) : memref<2x4xf32, #shared> -> !tile.ring<2>
  }
  return
}

// -----

func.func @negative_products(%n: index) { // product_wait_c1
  tile.launch blocks(%b) in (%n) threads(32) {
    // expected-error @+1 {{must leave 0 or more products in flight, got -1}}
    tile.product_wait {pending = -1}
  }
  return
}

// -----

func.func @small_map(%m: memref<f32>) { // encode_tensor_map_c1
  // expected-error @+1 {{describes a memref in global memory of rank 1 to 5 whose elements are whole bytes, or of 4 bits and no image, got 'memref<f32>'}}
  %map = tile.encode_tensor_map %m box [] swizzle 0 : memref<f32>
  return
}

// -----

func.func @flat_box(%m: memref<8x64xf16>) { // encode_tensor_map_c2
  // expected-error @+1 {{must have a box with an extent for each of the 2 dimensions of its memref, got 1}}
  %map = tile.encode_tensor_map %m box [64] swizzle 128 : memref<8x64xf16>
  return
}

// -----

func.func @wide_box(%m: memref<8x64xf16>) { // encode_tensor_map_c2
  // expected-error @+1 {{cannot have this box: the innermost row of the box, 512 bits, is not the 128 bytes of the swizzle mode}}
  %map = tile.encode_tensor_map %m box [8, 32] swizzle 128 : memref<8x64xf16>
  return
}

// -----

func.func @map_of_no_image(%m: memref<8x64xf16>) { // encode_tensor_map_c3
  // expected-error @+1 {{in im2col mode describes an image N x H x W x C, got 'memref<8x64xf16>'}}
  %map = tile.encode_tensor_map %m im2col lower [0, 0] upper [0, 0] strides [1, 1] box [8, 64] swizzle 128 : memref<8x64xf16>
  return
}

// -----

func.func @far_corner(%m: memref<2x8x8x64xf16>) { // encode_tensor_map_c3
  // expected-error @+1 {{must have entries of 'lower' from -128 to 127, got -129}}
  %map = tile.encode_tensor_map %m im2col lower [0, -129] upper [0, 0] strides [1, 1] box [8, 64] swizzle 128 : memref<2x8x8x64xf16>
  return
}

// -----

func.func @three_corners(%m: memref<2x8x8x64xf16>) { // encode_tensor_map_c3
  // expected-error @+1 {{must have two entries in 'upper', of height and width, got 3}}
  %map = tile.encode_tensor_map %m im2col lower [0, 0] upper [0, 0, 0] strides [1, 1] box [8, 64] swizzle 128 : memref<2x8x8x64xf16>
  return
}

// -----

func.func @long_steps(%m: memref<2x8x8x64xf16>) { // encode_tensor_map_c3
  // expected-error @+1 {{must have entries of 'strides' from 1 to 8, got 9}}
  %map = tile.encode_tensor_map %m im2col lower [0, 0] upper [0, 0] strides [9, 1] box [8, 64] swizzle 128 : memref<2x8x8x64xf16>
  return
}

// -----

func.func @pixel_box(%m: memref<2x8x8x64xf16>) { // encode_tensor_map_c3
  // expected-error @+1 {{must have a box with an extent for each of pixels and channels, got 4}}
  %map = tile.encode_tensor_map %m im2col lower [0, 0] upper [0, 0] strides [1, 1] box [1, 1, 8, 64] swizzle 128 : memref<2x8x8x64xf16>
  return
}

// -----

func.func @map_in_a_launch(%n: index) {
  tile.launch blocks(%b) in (%n) threads(32) {
    // expected-error @+1 {{'!tile.tensor_map' exists on the host and in kernels only, got one in a launch body}}
    %r = ub.poison : !tile.tensor_map
  }
  return
}

// -----

#shared = #gpu.address_space<workgroup>
func.func @no_releases(%n: index) { // ring_c2
  tile.launch blocks(%b) in (%n) threads(32) {
    %s = tile.alloc : memref<2x4xf32, #shared>
    // expected-error @+1 {{must have at least 1 release per use, got 'consumers' = 0}}
    %ring = tile.ring %s {consumers = 0 : i64} : memref<2x4xf32, #shared> -> !tile.ring<2>
  }
  return
}

// -----

#shared = #gpu.address_space<workgroup>
func.func @two_producers(%n: index) { // ring_c3
  tile.launch blocks(%b) in (%n) threads(32) {
    %c0 = arith.constant 0 : index
    %s = tile.alloc : memref<2x4xf32, #shared>
    %ring = tile.ring %s : memref<2x4xf32, #shared> -> !tile.ring<2>
    tile.specialize
      producer warps(1) {
        // expected-error @+1 {{makes a second role fill the ring; slots are acquired and committed in one role}}
        %slot = tile.ring_acquire %ring[%c0] : !tile.ring<2>
      }
      consumer warps(1) {
        // expected-note @+1 {{the first one is here}}
        tile.ring_commit %ring[%c0] : !tile.ring<2>
      }
  }
  return
}

// -----

func.func @half_a_barrier(%n: index) { // barrier_c1
  tile.launch blocks(%b) in (%n) threads(32) {
    // expected-error @+1 {{of a part of the block has both 'id' and 'warps', got only 'id'}}
    tile.barrier {id = 1 : i64}
  }
  return
}

// -----

func.func @barrier_of_nobody(%n: index) { // barrier_c1
  tile.launch blocks(%b) in (%n) threads(32) {
    // expected-error @+1 {{must have an 'id' and a number of 'warps' of at least 1, got 0 and 2; the barrier of the whole block is 'tile.barrier'}}
    tile.barrier {id = 0 : i64, warps = 2 : i64}
  }
  return
}

// -----

func.func @named_barrier_with_scope(%n: index) { // barrier_c2
  tile.launch blocks(%b) in (%n) threads(32) {
    // expected-error @+1 {{with 'id' is of the warps that it counts; remove 'scope'}}
    tile.barrier {id = 1 : i64, warps = 2 : i64, scope = #tile.scope<block>}
  }
  return
}

// -----

func.func @negative_groups(%n: index) { // copy_wait_c1
  tile.launch blocks(%b) in (%n) threads(32) {
    // expected-error @+1 {{must leave 0 or more groups pending, got -1}}
    tile.copy_wait {pending = -1 : i64}
  }
  return
}

// -----

func.func @never_waited(%n: index, %a: memref<16x16xf16>) { // gemm_async_c2
  // expected-note @+1 {{the path through this operation}}
  tile.launch blocks(%x) in (%n) threads(32) {
    %t = tile.load %a : memref<16x16xf16> -> tensor<16x16xf16>
    // expected-error @+1 {{the pending value '!tile.pending<tensor<16x16xf32>>' is not consumed on every path; wait for it, or carry it on}}
    %p = tile.gemm_async %t, %t : tensor<16x16xf16>, tensor<16x16xf16> -> !tile.pending<tensor<16x16xf32>>
  }
  return
}

// -----

func.func @waited_twice(%n: index, %a: memref<16x16xf16>) { // gemm_async_c2
  tile.launch blocks(%x) in (%n) threads(32) {
    %t = tile.load %a : memref<16x16xf16> -> tensor<16x16xf16>
    // expected-error @+1 {{is consumed more than once; it may be waited for or accumulated into once}}
    %p = tile.gemm_async %t, %t : tensor<16x16xf16>, tensor<16x16xf16> -> !tile.pending<tensor<16x16xf32>>
    // expected-note @+1 {{consumed here}}
    %d = tile.wait %p : !tile.pending<tensor<16x16xf32>>
    // expected-note @+1 {{consumed here}}
    %e = tile.wait %p : !tile.pending<tensor<16x16xf32>>
  }
  return
}

// -----

func.func @one_branch_only(%n: index, %a: memref<16x16xf16>, %c: i1) { // gemm_async_c2
  tile.launch blocks(%x) in (%n) threads(32) {
    %t = tile.load %a : memref<16x16xf16> -> tensor<16x16xf16>
    // expected-error @+1 {{is not consumed on the path without the branch; give the 'scf.if' an 'else' that waits for it or yields it}}
    %p = tile.gemm_async %t, %t : tensor<16x16xf16>, tensor<16x16xf16> -> !tile.pending<tensor<16x16xf32>>
    // expected-note @+1 {{this branch does not consume it}}
    scf.if %c {
      %d = tile.wait %p : !tile.pending<tensor<16x16xf32>>
    }
  }
  return
}

// -----

func.func @inside_loop(%n: index, %a: memref<16x16xf16>) { // gemm_async_c2
  tile.launch blocks(%x) in (%n) threads(32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = tile.load %a : memref<16x16xf16> -> tensor<16x16xf16>
    // expected-error @+1 {{is consumed inside 'scf.for', whose body may run any number of times; carry it as an iteration argument}}
    %p = tile.gemm_async %t, %t : tensor<16x16xf16>, tensor<16x16xf16> -> !tile.pending<tensor<16x16xf32>>
    // expected-note @+1 {{it is consumed inside this operation}}
    scf.for %i = %c0 to %c1 step %c1 {
      %d = tile.wait %p : !tile.pending<tensor<16x16xf32>>
    }
  }
  return
}

// -----

func.func @selected(%n: index, %a: memref<16x16xf16>, %c: i1) { // gemm_async_c2
  tile.launch blocks(%x) in (%n) threads(32) {
    %t = tile.load %a : memref<16x16xf16> -> tensor<16x16xf16>
    %p = tile.gemm_async %t, %t : tensor<16x16xf16>, tensor<16x16xf16> -> !tile.pending<tensor<16x16xf32>>
    %q = tile.gemm_async %t, %t : tensor<16x16xf16>, tensor<16x16xf16> -> !tile.pending<tensor<16x16xf32>>
    // expected-error @+1 {{cannot give a pending value; choose between fragments after 'tile.wait', or by 'scf.if'}}
    %r = arith.select %c, %p, %q : !tile.pending<tensor<16x16xf32>>
    %d = tile.wait %r : !tile.pending<tensor<16x16xf32>>
  }
  return
}

// -----

func.func @accumulator_type(%n: index, %a: memref<16x16xf16>) { // gemm_async_c1
  tile.launch blocks(%x) in (%n) threads(32) {
    %t = tile.load %a : memref<16x16xf16> -> tensor<16x16xf16>
    // expected-error @+1 {{has an accumulator of type 'tensor<16x16xf16>', but its result is '!tile.pending<tensor<16x16xf32>>'}}
    %p = tile.gemm_async %t, %t, %t : tensor<16x16xf16>, tensor<16x16xf16>, tensor<16x16xf16> -> !tile.pending<tensor<16x16xf32>>
    %d = tile.wait %p : !tile.pending<tensor<16x16xf32>>
  }
  return
}

// -----

func.func @dense_operand(%n: index, %a: memref<16x16xf16>) { // gemm_async_c1
  tile.launch blocks(%x) in (%n) threads(32) {
    %t = tile.load %a : memref<16x16xf16> -> tensor<16x16xf16>
    %e = arith.constant dense<17476> : tensor<16x1xi16>
    // expected-error @+1 {{has K = 16 in b but 32 in 2 x a}}
    %p = tile.gemm_async %t, %t meta(%e : tensor<16x1xi16>) : tensor<16x16xf16>, tensor<16x16xf16> -> !tile.pending<tensor<16x16xf32>>
    %d = tile.wait %p : !tile.pending<tensor<16x16xf32>>
  }
  return
}

// -----

func.func @ring_on_the_host(%n: index) {
  // expected-error @+1 {{'!tile.ring<2>' exists in a launch body only, got one in a host function with launches}}
  %r = ub.poison : !tile.ring<2>
  tile.launch blocks(%b) in (%n) threads(32) {
  }
  return
}

// -----

#shared = #gpu.address_space<workgroup>
func.func @guards_a_view(%n: index) { // ring_c1
  tile.launch blocks(%b) in (%n) threads(32) {
    %s = tile.alloc : memref<3x4xf32, #shared>
    %v = memref.subview %s[1, 0] [2, 4] [1, 1] : memref<3x4xf32, #shared> to memref<2x4xf32, strided<[4, 1], offset: 4>, #shared>
    // expected-error @+1 {{guards whole buffers; give it the result of a 'tile.alloc' or 'tile.view', not a view of one}}
    %ring = tile.ring %v : memref<2x4xf32, strided<[4, 1], offset: 4>, #shared> -> !tile.ring<2>
  }
  return
}

// -----

#shared = #gpu.address_space<workgroup>
func.func @used_before(%n: index) { // ring_c4
  tile.launch blocks(%b) in (%n) threads(32) {
    %s = tile.alloc : memref<2x4xf32, #shared>
    // expected-note @+1 {{the other use is here}}
    %v = memref.subview %s[1, 0] [1, 4] [1, 1] : memref<2x4xf32, #shared> to memref<4xf32, strided<[1], offset: 4>, #shared>
    // expected-error @+1 {{guards a buffer that is used before it; put the ring behind the allocation}}
    %ring = tile.ring %s : memref<2x4xf32, #shared> -> !tile.ring<2>
  }
  return
}

// -----

#shared = #gpu.address_space<workgroup>
func.func @in_two_rings(%n: index) { // ring_c4
  tile.launch blocks(%b) in (%n) threads(32) {
    %s = tile.alloc : memref<2x4xf32, #shared>
    // expected-error @+1 {{guards a buffer that is in another ring; give each ring its own}}
    %ring = tile.ring %s : memref<2x4xf32, #shared> -> !tile.ring<2>
    // expected-note @+1 {{the other use is here}}
    %other = tile.ring %s : memref<2x4xf32, #shared> -> !tile.ring<2>
  }
  return
}

// -----

#shared = #gpu.address_space<workgroup>
func.func @listed_twice(%n: index) { // ring_c4
  tile.launch blocks(%b) in (%n) threads(32) {
    %s = tile.alloc : memref<2x4xf32, #shared>
    // expected-error @+1 {{guards a buffer twice; list each once}}
    %ring = tile.ring %s, %s : memref<2x4xf32, #shared>, memref<2x4xf32, #shared> -> !tile.ring<2>
  }
  return
}

// -----

func.func @no_buffers(%n: index) { // ring_c1
  tile.launch blocks(%b) in (%n) threads(32) {
    // expected-error @+1 {{guards at least one buffer}}
    %ring = "tile.ring"() : () -> !tile.ring<2>
  }
  return
}

// -----

#shared = #gpu.address_space<workgroup>
func.func @carried_ring(%n: index) { // ring_c3
  tile.launch blocks(%b) in (%n) threads(32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %s = tile.alloc : memref<2x4xf32, #shared>
    %ring = tile.ring %s : memref<2x4xf32, #shared> -> !tile.ring<2>
    // expected-error @+1 {{cannot use a ring; it is acquired, committed, waited for and released}}
    %r = scf.for %i = %c0 to %c1 step %c1 iter_args(%x = %ring) -> (!tile.ring<2>) {
      scf.yield %x : !tile.ring<2>
    }
  }
  return
}

// -----

func.func @fewer_regions(%n: index) { // specialize_c1
  tile.launch blocks(%b) in (%n) threads(32) {
    // expected-error @+1 {{must have a region for each of its 2 roles, got 1}}
    "tile.specialize"() <{roles = #tile.roles<<producer, warps = 1>, <consumer, warps = 1>>}> ({
    ^bb0:
    }) : () -> ()
  }
  return
}

// -----

func.func @in_a_helper() { // specialize_c2
  // expected-error @+1 {{stands in the body of the launch itself, not inside 'func.func'}}
  tile.specialize
    consumer warps(1) {
    }
  return
}

// -----

func.func @more_than_a_block(%n: index) { // specialize_c3
  tile.launch blocks(%b) in (%n) threads(1024) {
    // expected-error @+1 {{has threads(1152), which is not a positive multiple of the warp size 32 up to 1024}}
    tile.specialize
      producer warps(4) {
      }
      consumer warps(32) {
      }
  }
  return
}

// -----

func.func @pending_into_a_role(%n: index, %a: memref<16x16xf16>) { // specialize_c4
  tile.launch blocks(%x) in (%n) threads(32) {
    %t = tile.load %a : memref<16x16xf16> -> tensor<16x16xf16>
    // expected-note @+1 {{the value}}
    %p = tile.gemm_async %t, %t : tensor<16x16xf16>, tensor<16x16xf16> -> !tile.pending<tensor<16x16xf32>>
    // expected-error @+1 {{takes '!tile.pending<tensor<16x16xf32>>' from outside into a role, whose warps do not hold it; compute it in the role}}
    tile.specialize
      consumer warps(1) {
        %d = tile.wait %p : !tile.pending<tensor<16x16xf32>>
      }
  }
  return
}

// -----

func.func @merely_chosen(%n: index, %a: memref<16x16xf16>, %c: i1) { // gemm_async_c2
  tile.launch blocks(%x) in (%n) threads(32) {
    %t = tile.load %a : memref<16x16xf16> -> tensor<16x16xf16>
    %p = tile.gemm_async %t, %t : tensor<16x16xf16>, tensor<16x16xf16> -> !tile.pending<tensor<16x16xf32>>
    %q = tile.gemm_async %t, %t : tensor<16x16xf16>, tensor<16x16xf16> -> !tile.pending<tensor<16x16xf32>>
    // expected-error @+1 {{merely chooses between pending values; choose between fragments after 'tile.wait'}}
    %r:2 = scf.if %c -> (!tile.pending<tensor<16x16xf32>>, !tile.pending<tensor<16x16xf32>>) {
      scf.yield %p, %q : !tile.pending<tensor<16x16xf32>>, !tile.pending<tensor<16x16xf32>>
    } else {
      scf.yield %q, %p : !tile.pending<tensor<16x16xf32>>, !tile.pending<tensor<16x16xf32>>
    }
    %d = tile.wait %r#0 : !tile.pending<tensor<16x16xf32>>
    %e = tile.wait %r#1 : !tile.pending<tensor<16x16xf32>>
  }
  return
}
