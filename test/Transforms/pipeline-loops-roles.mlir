// Whether a launch keeps the roles that were planned for it is known once it is known
// how copies are made.
// RUN: tile-opt %s --split-input-file --tile-logical-phase=chip=sm_90a --tile-layout-phase=bulk-copies --tile-pipeline-loops --remark-format=emitRemark --remarks-filter-missed=tile-pipeline-loops --verify-diagnostics | FileCheck %s

#shared = #gpu.address_space<workgroup>

// Kept: the loop has a ring of all its slots and stays in its order. What the producer
// fills stands in front of everything.
// CHECK-LABEL: func @kept
// CHECK: tile.launch {{.*}} attributes {roles = #tile.roles<<consumer, warps = 4>, <producer, warps = 1>>
// CHECK-NEXT: tile.alloc
// CHECK-NEXT: tile.alloc
// CHECK-NEXT: tile.ring {{.*}} -> !tile.ring<3>
// CHECK: scf.for
// CHECK-NOT: scf.if
// CHECK: tile.ring_acquire
// CHECK: tile.copy
// CHECK: tile.copy
// CHECK: tile.ring_commit
// CHECK: tile.ring_wait
// CHECK: tile.gemm
// CHECK: tile.ring_release
// CHECK: scf.yield
func.func @kept(%A: memref<64x512xf16>, %B: memref<64x512xf16>, %C: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c512 = arith.constant 512 : index
    %s = tile.alloc : memref<64x64xf16, #shared>
    %t = tile.alloc : memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %k = %c0 to %c512 step %c64 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      tile.copy %A[%c0, %k] to %s : memref<64x512xf16> to memref<64x64xf16, #shared>
      tile.copy %B[%c0, %k] to %t : memref<64x512xf16> to memref<64x64xf16, #shared>
      %d = tile.gemm %s, %t, %c {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 3 : i32}
    tile.store %acc, %C : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// -----

#shared = #gpu.address_space<workgroup>

// A copy that pads by one is no bulk copy: the threads of the producer make it, as many
// as those that compute.
// CHECK-LABEL: func @padded
// CHECK: roles = #tile.roles<<consumer, warps = 4>, <producer, warps = 4>>
// CHECK: tile.ring
// CHECK: tile.copy {{.*}}pad({{.*}}#tile.instruction<"ld.st.mbarrier">
func.func @padded(%A: memref<64x512xf16>, %C: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c512 = arith.constant 512 : index
    %one = arith.constant 1.0 : f16
    %s = tile.alloc : memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %k = %c0 to %c512 step %c64 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      tile.copy %A[%c0, %k] pad(%one) to %s : memref<64x512xf16> to memref<64x64xf16, #shared>
      %d = tile.gemm %s, %s, %c {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 3 : i32}
    tile.store %acc, %C : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// -----

#shared = #gpu.address_space<workgroup>

// Roles that the author asks for and cannot have: the producer would not wait for what
// the launch writes.
func.func @insists(%A: memref<64x512xf16>) {
  %c1 = arith.constant 1 : index
  // expected-error @below {{asks for specialised warps and cannot have them: it may write what a copy of the producer reads}}
  tile.launch blocks(%b) in (%c1) threads(128) attributes {warp_specialize = #tile.warp_specialize<on>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c512 = arith.constant 512 : index
    %s = tile.alloc : memref<64x64xf16, #shared>
    scf.for %k = %c0 to %c512 step %c64 {
      tile.copy %A[%c0, %k] to %s : memref<64x512xf16> to memref<64x64xf16, #shared>
      %d = tile.gemm %s, %s {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      %h = arith.truncf %d : tensor<64x64xf32> to tensor<64x64xf16>
      // expected-note @below {{because of this}}
      tile.store %h, %A[%c0, %k] : tensor<64x64xf16>, memref<64x512xf16>
    } {tile.stages = 3 : i32}
  }
  return
}

// -----

#shared = #gpu.address_space<workgroup>

// The consumers write what the copy reads in the next round.
// CHECK-LABEL: func @written
// CHECK-NOT: roles
func.func @written(%A: memref<64x512xf16>, %C: memref<64x512xf16>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c512 = arith.constant 512 : index
    %s = tile.alloc : memref<64x64xf16, #shared>
    // expected-remark @below {{reads what 'tile.copy' writes}}
    scf.for %k = %c0 to %c512 step %c64 {
      tile.copy %A[%c0, %k] to %s : memref<64x512xf16> to memref<64x64xf16, #shared>
      %d = tile.gemm %s, %s {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      %h = arith.truncf %d : tensor<64x64xf32> to tensor<64x64xf16>
      // expected-remark @below {{no warps are specialised: it may write what a copy of the producer reads, which does not wait for it}}
      tile.store %h, %A[%c0, %k] : tensor<64x64xf16>, memref<64x512xf16>
    } {tile.stages = 3 : i32}
  }
  return
}

// -----

#shared = #gpu.address_space<workgroup>

// Where the copy begins follows from what the consumers compute.
// CHECK-LABEL: func @computed
// CHECK-NOT: roles
func.func @computed(%A: memref<64x512xf16>, %C: memref<64x64xf32>, %w: memref<8xindex>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %s = tile.alloc : memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %all = tile.load %w : memref<8xindex> -> tensor<8xindex>
    %max = tile.reduce <maxsi> %all dims [0] : tensor<8xindex> -> tensor<index>
    // expected-remark @below {{no warps are specialised: the consumers alone know what it gives, and a copy of the producer needs it}}
    %k = tensor.extract %max[] : tensor<index>
    %acc = scf.for %i = %c0 to %c8 step %one iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      tile.copy %A[%c0, %k] to %s : memref<64x512xf16> to memref<64x64xf16, #shared>
      %d = tile.gemm %s, %s, %c {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 3 : i32}
    tile.store %acc, %C : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// -----

#shared = #gpu.address_space<workgroup>

// A load into registers that pads by one is brought by nobody else.
func.func @loaded(%A: memref<64x512xf16>, %R: memref<512xf32>, %C: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  // expected-error @below {{is no copy of a producer, and would not run ahead}}
  tile.launch blocks(%b) in (%c1) threads(128) attributes {warp_specialize = #tile.warp_specialize<on>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c512 = arith.constant 512 : index
    %one = arith.constant 1.0 : f32
    %s = tile.alloc : memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %k = %c0 to %c512 step %c64 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      tile.copy %A[%c0, %k] to %s : memref<64x512xf16> to memref<64x64xf16, #shared>
      // expected-note @below {{because of this}}
      %r = tile.load %R[%k] pad(%one) : memref<512xf32> -> tensor<64xf32>
      %rows = tile.broadcast %r dims [1] : tensor<64xf32> -> tensor<64x64xf32>
      %d = tile.gemm %s, %s, %c {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      %e = arith.mulf %d, %rows : tensor<64x64xf32>
      scf.yield %e : tensor<64x64xf32>
    } {tile.stages = 3 : i32}
    tile.store %acc, %C : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// -----

#shared = #gpu.address_space<workgroup>

// A buffer that the copy engine could fill in part, and threads in another, is the
// threads': nothing orders the bytes of one before those of the other.
// CHECK-LABEL: func @one_buffer
// CHECK: roles
// CHECK-NOT: cp.async.bulk
// CHECK: tile.copy {{.*}}#tile.instruction<"cp.async.mbarrier">
// CHECK: tile.copy {{.*}}#tile.instruction<"cp.async.mbarrier">
// CHECK-NOT: tile.copy
// CHECK: tile.gemm
func.func @one_buffer(%A: memref<64x512xf16>, %O: memref<64x514xf16>, %C: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c512 = arith.constant 512 : index
    %s = tile.alloc : memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %k = %c0 to %c512 step %c64 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      %top = memref.subview %s[0, 0] [32, 64] [1, 1] : memref<64x64xf16, #shared> to memref<32x64xf16, strided<[64, 1]>, #shared>
      %bottom = memref.subview %s[32, 0] [32, 64] [1, 1] : memref<64x64xf16, #shared> to memref<32x64xf16, strided<[64, 1], offset: 2048>, #shared>
      tile.copy %A[%c0, %k] to %top : memref<64x512xf16> to memref<32x64xf16, strided<[64, 1]>, #shared>
      tile.copy %O[%c0, %k] to %bottom : memref<64x514xf16> to memref<32x64xf16, strided<[64, 1], offset: 2048>, #shared>
      %d = tile.gemm %s, %s, %c {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 3 : i32}
    tile.store %acc, %C : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// -----

#shared = #gpu.address_space<workgroup>

// Two copies of an iteration may arrive in either order, so that their buffer keeps one
// slot. Without any ring there is nothing at which roles could meet.
// CHECK-LABEL: func @no_slots
// CHECK-NOT: roles
// CHECK: tile.copy {{.*}}#tile.instruction<"cp.async">
// CHECK: tile.copy {{.*}}#tile.instruction<"ld.st">
// CHECK-NOT: tile.ring
// CHECK: return
func.func @no_slots(%O: memref<64x514xf16>, %C: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  // expected-remark @below {{no warps are specialised: no buffer that its loops fill has slots}}
  tile.launch blocks(%b) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    %c64 = arith.constant 64 : index
    %c448 = arith.constant 448 : index
    %s = tile.alloc : memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    // expected-remark @below {{3 stages asked for; the buffer that 'tile.copy'}}
    %acc = scf.for %k = %c0 to %c448 step %c64 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      %odd = arith.addi %k, %c3 : index
      tile.copy %O[%c0, %k] to %s : memref<64x514xf16> to memref<64x64xf16, #shared>
      tile.copy %O[%c0, %odd] [32, 64] to %s[%c0, %c0] : memref<64x514xf16> to memref<64x64xf16, #shared>
      %d = tile.gemm %s, %s, %c {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 3 : i32}
    tile.store %acc, %C : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// -----

#shared = #gpu.address_space<workgroup>

// The same where the author insists.
func.func @no_slots_insists(%O: memref<64x514xf16>, %C: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  // expected-error @+2 {{asks for specialised warps and cannot have them: no buffer that its loops fill has slots}}
  // expected-note @+1 {{because of this}}
  tile.launch blocks(%b) in (%c1) threads(128) attributes {warp_specialize = #tile.warp_specialize<on>} {
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    %c64 = arith.constant 64 : index
    %c448 = arith.constant 448 : index
    %s = tile.alloc : memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    // expected-remark @below {{3 stages asked for; the buffer that 'tile.copy'}}
    %acc = scf.for %k = %c0 to %c448 step %c64 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      %odd = arith.addi %k, %c3 : index
      tile.copy %O[%c0, %k] to %s : memref<64x514xf16> to memref<64x64xf16, #shared>
      tile.copy %O[%c0, %odd] [32, 64] to %s[%c0, %c0] : memref<64x514xf16> to memref<64x64xf16, #shared>
      %d = tile.gemm %s, %s, %c {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 3 : i32}
    tile.store %acc, %C : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// -----

#shared = #gpu.address_space<workgroup>

// Elements that a parallel loop reads and stores run ahead without a producer, not with
// one.
// CHECK-LABEL: func @by_elements
// CHECK-NOT: roles
// CHECK: scf.for
// CHECK: tile.parallel {{.*}} -> (tensor<64x64xf16
// CHECK: tile.gemm
// CHECK: tile.store
func.func @by_elements(%A: memref<64x512xf16>, %B: memref<64x512xi8>, %C: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c512 = arith.constant 512 : index
    %s = tile.alloc : memref<64x64xf16, #shared>
    %t = tile.alloc : memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %k = %c0 to %c512 step %c64 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      tile.copy %A[%c0, %k] to %s : memref<64x512xf16> to memref<64x64xf16, #shared>
      // expected-remark @below {{is no copy of a producer, and would not run ahead}}
      tile.parallel (%u, %v) in (64, 64) {
        %col = arith.addi %k, %v : index
        %q = memref.load %B[%u, %col] : memref<64x512xi8>
        %w = arith.sitofp %q : i8 to f16
        memref.store %w, %t[%u, %v] : memref<64x64xf16, #shared>
      }
      %d = tile.gemm %s, %t, %c {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 3 : i32}
    tile.store %acc, %C : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// -----

#shared = #gpu.address_space<workgroup>

// With a producer the slots of both loops are there from the start, without one those of
// the second lie in those of the first.
// CHECK-LABEL: func @too_many_slots
// CHECK-NOT: roles
func.func @too_many_slots(%A: memref<128x512xf16>, %B: memref<128x512xf16>, %C: memref<128x128xf32>) {
  %c1 = arith.constant 1 : index
  // expected-remark @below {{no warps are specialised: the slots of its 2 loops, which a producer fills at the same time, are 262144 bytes; a block of sm_90a has 232448}}
  tile.launch blocks(%b) in (%c1) threads(256) {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %c512 = arith.constant 512 : index
    %s = tile.alloc : memref<128x128xf16, #shared>
    %t = tile.alloc : memref<128x128xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<128x128xf32>
    %first = scf.for %k = %c0 to %c512 step %c128 iter_args(%c = %zero) -> (tensor<128x128xf32>) {
      tile.copy %A[%c0, %k] to %s : memref<128x512xf16> to memref<128x128xf16, #shared>
      tile.copy %B[%c0, %k] to %t : memref<128x512xf16> to memref<128x128xf16, #shared>
      %d = tile.gemm %s, %t, %c {transpose_b} : memref<128x128xf16, #shared>, memref<128x128xf16, #shared> -> tensor<128x128xf32>
      scf.yield %d : tensor<128x128xf32>
    } {tile.stages = 2 : i32}
    %second = scf.for %k = %c0 to %c512 step %c128 iter_args(%c = %first) -> (tensor<128x128xf32>) {
      tile.copy %B[%c0, %k] to %s : memref<128x512xf16> to memref<128x128xf16, #shared>
      tile.copy %A[%c0, %k] to %t : memref<128x512xf16> to memref<128x128xf16, #shared>
      %d = tile.gemm %s, %t, %c {transpose_b} : memref<128x128xf16, #shared>, memref<128x128xf16, #shared> -> tensor<128x128xf32>
      scf.yield %d : tensor<128x128xf32>
    } {tile.stages = 2 : i32}
    tile.store %second, %C : tensor<128x128xf32>, memref<128x128xf32>
  }
  return
}

// -----

#shared = #gpu.address_space<workgroup>

// A ring of one slot that threads fill as they go is none at which roles meet: without
// roles the threads of the first loop wait for their own copies.
// CHECK-LABEL: func @ring_of_threads
// CHECK-NOT: roles
// CHECK: tile.ring %{{.*}} -> !tile.ring<1>
// CHECK-NOT: tile.ring
// CHECK: scf.for
// CHECK: tile.copy {{.*}}#tile.instruction<"cp.async">
// CHECK: tile.ring_acquire
// CHECK: tile.copy {{.*}}#tile.instruction<"ld.st">
// CHECK: return
func.func @ring_of_threads(%A: memref<64x514xf16>, %O: memref<64x515xf16>, %C: memref<64x64xf32>, %D: memref<64x64xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  // expected-remark @below {{no warps are specialised: no buffer that its loops fill has slots}}
  tile.launch blocks(%b) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c64 = arith.constant 64 : index
    %s = tile.alloc : memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    // expected-remark @below {{3 stages asked for; the buffer that 'tile.copy'}}
    scf.for %i = %c0 to %c4 step %c1 {
      %acc = scf.for %k = %c0 to %n step %c64 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
        tile.copy %A[%c0, %k] to %s : memref<64x514xf16> to memref<64x64xf16, #shared>
        %d = tile.gemm %s, %s, %c {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
        scf.yield %d : tensor<64x64xf32>
      }
      tile.store %acc, %C : tensor<64x64xf32>, memref<64x64xf32>
    } {tile.stages = 3 : i32}
    %t = tile.alloc : memref<64x64xf16, #shared>
    %sum = scf.for %k = %c0 to %n step %c64 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      tile.copy %O[%c0, %k] to %t : memref<64x515xf16> to memref<64x64xf16, #shared>
      %d = tile.gemm %t, %t, %c {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 1 : i32}
    tile.store %sum, %D : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}
