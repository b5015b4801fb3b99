// Operations that passes introduce, a case per operation: layouts, arenas, waits, one
// actor, outlined kernels. %m holds its own element numbers.
// RUN: tile-run %s --entry=all --on=reference --data=iota | sed 's/ (block 0, 0, 0)//' | FileCheck %s
// RUN: not tile-run %s --entry=not_waited --on=reference 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: tile-run %s --entry=gpu.launch_func --on=reference --data=iota | FileCheck %s --check-prefix=OUTLINED
#shared = #gpu.address_space<workgroup>
#x = #tile.fragment<[2, 128], register = [2 : (1, 0)], lane = [32 : (0, 1)], warp = [4 : (0, 32)]>
#p = #tile.fragment<[2, 4], register = [2 : (1, 0)], lane = [32 : (0, 0)], warp = [4 : (0, 1)]>
// Of 8 columns, which the first warp holds: three have none.
#few = #tile.fragment<[2, 8], register = [2 : (1, 0)], lane = [8 : (0, 1), 4 : (0, 0)], warp = [4 : (0, 8)]>
#c = #tile.fragment<[64], register = [2 : (1)], lane = [32 : (2)], warp = []>

module attributes {gpu.container_module, tile.target = #tile.target<"sm_80">} {

func.func @all(%m: memref<2x128xf32>, %h: memref<4x32xf16>, %v: memref<64xf32>) {
  call @tile.convert_layout() : () -> ()
  call @tile.partial_reduce(%m) : (memref<2x128xf32>) -> ()
  call @tile.arena() : () -> ()
  call @tile.view(%h) : (memref<4x32xf16>) -> ()
  call @tile.once() : () -> ()
  call @tile.barrier() : () -> ()
  call @tile.copy_wait(%v) : (memref<64xf32>) -> ()
  call @tile.copy_commit(%v) : (memref<64xf32>) -> ()
  call @gpu.block_id() : () -> ()
  call @gpu.grid_dim() : () -> ()
  call @tile.encode_tensor_map() : () -> ()
  call @tile.sm_count() : () -> ()
  call @tile.product_wait() : () -> ()
  call @tile.proxy_fence() : () -> ()
  return
}

// A layout says where elements are, not what they are.
func.func private @tile.convert_layout() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(128) {
    %a = arith.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8]]> : tensor<2x4xi32>
    %t = tile.convert_layout %a : tensor<2x4xi32> to tensor<2x4xi32, #p>
    // CHECK: convert_layout [0, 0]: [1, 2, 3, 4]
    // CHECK-NEXT: convert_layout [1, 0]: [5, 6, 7, 8]
    tile.print "convert_layout" %t : tensor<2x4xi32, #p>
    %u = tile.convert_layout %t : tensor<2x4xi32, #p> to tensor<2x4xi32>
    // CHECK: and back [0, 0]: [1, 2, 3, 4]
    // CHECK-NEXT: and back [1, 0]: [5, 6, 7, 8]
    tile.print "and back" %u : tensor<2x4xi32>
  }
  return
}

// Warp w holds columns 32 w to 32 w + 31: row 0 sums to 32 * 32 w + 496, row 1 to
// 32 * 128 more.
func.func private @tile.partial_reduce(%m: memref<2x128xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(128) {
    %t = tile.load %m : memref<2x128xf32> -> tensor<2x128xf32, #x>
    %s = tile.partial_reduce <add> %t dims [1] : tensor<2x128xf32, #x> -> tensor<2x4xf32, #p>
    // CHECK: partial_reduce [0, 0]: [496, 1520, 2544, 3568]
    // CHECK-NEXT: partial_reduce [1, 0]: [4592, 5616, 6640, 7664]
    tile.print "partial_reduce" %s : tensor<2x4xf32, #p>
    // An infinity in the parts of warps that have no column would win over NaN.
    %nan = arith.constant dense<0x7FC00000> : tensor<2x8xf32>
    %n = tile.convert_layout %nan : tensor<2x8xf32> to tensor<2x8xf32, #few>
    %least = tile.partial_reduce <minnumf> %n dims [1] : tensor<2x8xf32, #few> -> tensor<2x4xf32, #p>
    // CHECK: empty parts [0, 0]: [nan, nan, nan, nan]
    // CHECK-NEXT: empty parts [1, 0]: [nan, nan, nan, nan]
    tile.print "empty parts" %least : tensor<2x4xf32, #p>
    %most = tile.partial_reduce <maximumf> %n dims [1] : tensor<2x8xf32, #few> -> tensor<2x4xf32, #p>
    // CHECK: empty maxima [0, 0]: [nan, -inf, -inf, -inf]
    tile.print "empty maxima" %most : tensor<2x4xf32, #p>
  }
  return
}

// Bytes that views share: two of them at the same place, one behind it.
func.func private @tile.arena() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %i0 = arith.constant 0 : index
    %i1 = arith.constant 1 : index
    %a = tile.arena 64 : memref<64xi8, #shared>
    %f = tile.view %a[0] layout(#tile.shared<[2]>) : memref<64xi8, #shared> to memref<2xf32, #shared>
    %i = tile.view %a[0] layout(#tile.shared<[2]>) : memref<64xi8, #shared> to memref<2xi32, #shared>
    %n = tile.view %a[16] layout(#tile.shared<[2]>) : memref<64xi8, #shared> to memref<2xi32, #shared>
    %one = arith.constant 1.0 : f32
    memref.store %one, %f[%i1] : memref<2xf32, #shared>
    // The bits of 1.0 are 0x3f800000.
    %t = tile.load %i : memref<2xi32, #shared> -> tensor<2xi32>
    // CHECK: same bytes: [poison, 1065353216]
    tile.print "same bytes" %t : tensor<2xi32>
    %u = tile.load %n : memref<2xi32, #shared> -> tensor<2xi32>
    // CHECK: other bytes: [poison, poison]
    tile.print "other bytes" %u : tensor<2xi32>
    // Two iterations to a byte, each to its half.
    %h = tile.view %a[32] layout(#tile.shared<[8]>) : memref<64xi8, #shared> to memref<8xi4, #shared>
    tile.parallel (%j) in (8) {
      %v = arith.index_cast %j : index to i4
      memref.store %v, %h[%j] : memref<8xi4, #shared>
    }
    %w = tile.load %h : memref<8xi4, #shared> -> tensor<8xi4>
    // CHECK: halves of bytes: [0, 1, 2, 3, 4, 5, 6, 7]
    tile.print "halves of bytes" %w : tensor<8xi4>
  }
  return
}

// A swizzled view and a plain one of the same bytes: in mode 64 the 16-byte columns of
// row 2 are XORed with 2 / 2 mod 4 = 1, so its column 0 lies at elements 8 and on.
func.func private @tile.view(%m: memref<4x32xf16>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %a = tile.arena 1024 : memref<1024xi8, #shared>
    %s = tile.view %a[512] layout(#tile.shared<[4, 32], swizzle = 64>) : memref<1024xi8, #shared> to memref<4x32xf16, #shared>
    %l = tile.view %a[512] layout(#tile.shared<[4, 32]>) : memref<1024xi8, #shared> to memref<4x32xf16, #shared>
    tile.copy %m to %s : memref<4x32xf16> to memref<4x32xf16, #shared>
    %t = tile.load %s : memref<4x32xf16, #shared> -> tensor<4x32xf16>
    %u = tile.load %l : memref<4x32xf16, #shared> -> tensor<4x32xf16>
    %r = tensor.extract_slice %t[2, 0] [1, 2] [1, 1] : tensor<4x32xf16> to tensor<2xf16>
    %q = tensor.extract_slice %u[2, 0] [1, 10] [1, 1] : tensor<4x32xf16> to tensor<10xf16>
    // CHECK: swizzled: [64, 65]
    tile.print "swizzled" %r : tensor<2xf16>
    // CHECK: plain: [72, 73, 74, 75, 76, 77, 78, 79, 64, 65]
    tile.print "plain" %q : tensor<10xf16>
    // A pitch of 3 words: row 1 begins at byte 12 of a view at byte 16.
    %p = tile.view %a[16] layout(#tile.shared<[2, 2], offset = [2 : (0, 1), 2 : (1, 0) weight 3]>) : memref<1024xi8, #shared> to memref<2x2xi32, #shared>
    %w = tile.view %a[16] layout(#tile.shared<[5]>) : memref<1024xi8, #shared> to memref<5xi32, #shared>
    %v = arith.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
    tile.store %v, %p : tensor<2x2xi32>, memref<2x2xi32, #shared>
    %e = tile.load %w : memref<5xi32, #shared> -> tensor<5xi32>
    // CHECK: with a gap: [1, 2, poison, 3, 4]
    tile.print "with a gap" %e : tensor<5xi32>
  }
  return
}

// One thread acts for the block: once, not 32 times.
func.func private @tile.once() {
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<1xi32>
  tile.launch blocks(%b) in (%c1) threads(32) {
    %five = arith.constant 5 : i32
    memref.store %five, %m[%b] : memref<1xi32>
    tile.once {
      %old = memref.atomic_rmw addi %five, %m[%b] : (i32, memref<1xi32>) -> i32
    }
    %v = memref.load %m[%b] : memref<1xi32>
    // CHECK: once: 10
    tile.print "once" %v : i32
  }
  return
}

// A block is one sequential program, which a barrier leaves as it is.
func.func private @tile.barrier() {
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<1xi32>
  tile.launch blocks(%b) in (%c1) threads(32) {
    %six = arith.constant 6 : i32
    memref.store %six, %m[%b] : memref<1xi32>
    tile.barrier
    %v = memref.load %m[%b] : memref<1xi32>
    // CHECK: barrier: 6
    tile.print "barrier" %v : i32
  }
  return
}

// What an asynchronous copy writes is undefined until it is waited for.
func.func private @tile.copy_wait(%m: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @wait_kernel blocks(%b) in (%c1) threads(32) attributes {stage = #tile.stage<synchronized>} {
    %i3 = arith.constant 3 : index
    %a = tile.arena 256 : memref<256xi8, #shared>
    %s = tile.view %a[0] layout(#tile.shared<[64]>) : memref<256xi8, #shared> to memref<64xf32, #shared>
    tile.copy %m to %s {instruction = #tile.instruction<"cp.async">, layout = #c, vector_width = 2 : i64} : memref<64xf32> to memref<64xf32, #shared>
    %u = memref.load %s[%i3] : memref<64xf32, #shared>
    // CHECK: before the wait: poison
    tile.print "before the wait" %u : f32
    tile.copy_wait
    tile.barrier
    %v = memref.load %s[%i3] : memref<64xf32, #shared>
    // CHECK: after the wait: 3
    tile.print "after the wait" %v : f32
  }
  return
}

// With `pending` the youngest groups may still be in flight: here the second.
func.func private @tile.copy_commit(%m: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @commit_kernel blocks(%b) in (%c1) threads(32) attributes {stage = #tile.stage<synchronized>} {
    %i3 = arith.constant 3 : index
    %a = tile.arena 512 : memref<512xi8, #shared>
    %s = tile.view %a[0] layout(#tile.shared<[64]>) : memref<512xi8, #shared> to memref<64xf32, #shared>
    %t = tile.view %a[256] layout(#tile.shared<[64]>) : memref<512xi8, #shared> to memref<64xf32, #shared>
    tile.copy %m to %s {instruction = #tile.instruction<"cp.async">, layout = #c, vector_width = 2 : i64} : memref<64xf32> to memref<64xf32, #shared>
    tile.copy_commit
    tile.copy %m to %t {instruction = #tile.instruction<"cp.async">, layout = #c, vector_width = 2 : i64} : memref<64xf32> to memref<64xf32, #shared>
    tile.copy_commit
    tile.copy_wait {pending = 1 : i64}
    tile.barrier
    %v = memref.load %s[%i3] : memref<64xf32, #shared>
    %w = memref.load %t[%i3] : memref<64xf32, #shared>
    // CHECK: first group: 3
    tile.print "first group" %v : f32
    // CHECK: second group: poison
    tile.print "second group" %w : f32
    tile.copy_wait {pending = 0 : i64}
    tile.barrier
    %x = memref.load %t[%i3] : memref<64xf32, #shared>
    // CHECK: second group: 3
    tile.print "second group" %x : f32
  }
  return
}

func.func @not_waited(%m: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @not_waited_kernel blocks(%b) in (%c1) threads(32) attributes {stage = #tile.stage<synchronized>} {
    %a = tile.arena 256 : memref<256xi8, #shared>
    %s = tile.view %a[0] layout(#tile.shared<[64]>) : memref<256xi8, #shared> to memref<64xf32, #shared>
    tile.copy %m to %s {instruction = #tile.instruction<"cp.async">, layout = #c, vector_width = 2 : i64} : memref<64xf32> to memref<64xf32, #shared>
    tile.barrier
    %c3 = arith.constant 3 : index
    %v = memref.load %s[%c3] : memref<64xf32, #shared>
    %z = arith.constant 0.0 : f32
    %p = arith.cmpf ogt, %v, %z : f32
    // MISSING: lowering.mlir:[[@LINE+2]]:5: error: the condition depends on memory that nobody wrote
    // MISSING: lowering.mlir:[[@LINE-7]]:5: note: this copy to it has not been waited for
    tile.assert %p, "positive"
  }
  return
}

gpu.module @kernels {
gpu.func @threes(%m: memref<64xf32>, %map: !tile.tensor_map) kernel attributes {known_block_size = array<i32: 32, 1, 1>, tile.stage = #tile.stage<outlined>} {
  %arena = tile.arena 256 : memref<256xi8, #shared>
  %s = tile.view %arena[0] layout(#tile.shared<[64]>) : memref<256xi8, #shared> to memref<64xf32, #shared>
  %t = arith.constant dense<3.0> : tensor<64xf32, #c>
  tile.store %t, %s : tensor<64xf32, #c>, memref<64xf32, #shared>
  tile.barrier
  tile.copy %s to %m tensor_map(%map) {instruction = #tile.instruction<"cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group">} : memref<64xf32, #shared> to memref<64xf32>
  gpu.return
}
  gpu.func @double(%m: memref<?xf32>, %n: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>, tile.stage = #tile.stage<outlined>} {
    %x = gpu.block_id x
    %i = arith.muli %x, %n : index
    %v = memref.load %m[%i] : memref<?xf32>
    %d = arith.addf %v, %v : f32
    tile.once {
      memref.store %d, %m[%i] : memref<?xf32>
    }
    gpu.return
  }
  gpu.func @numbers(%m: memref<2x3x2xindex>) kernel attributes {known_block_size = array<i32: 32, 1, 1>, tile.stage = #tile.stage<outlined>} {
    %x = gpu.block_id x
    %y = gpu.block_id y
    %z = gpu.block_id z
    %c10 = arith.constant 10 : index
    %t = arith.muli %z, %c10 : index
    %u = arith.addi %t, %y : index
    %v = arith.muli %u, %c10 : index
    %w = arith.addi %v, %x : index
    tile.once {
      memref.store %w, %m[%z, %y, %x] : memref<2x3x2xindex>
    }
    gpu.return
  }
  gpu.func @extents(%m: memref<3xindex>) kernel attributes {known_block_size = array<i32: 32, 1, 1>, tile.stage = #tile.stage<outlined>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %x = gpu.grid_dim x
    %y = gpu.grid_dim y
    %z = gpu.grid_dim z
    // The first block says it for all.
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %bz = gpu.block_id z
    %bxy = arith.ori %bx, %by : index
    %bits = arith.ori %bxy, %bz : index
    %is_first = arith.cmpi eq, %bits, %c0 : index
    scf.if %is_first {
      tile.once {
        memref.store %x, %m[%c0] : memref<3xindex>
        memref.store %y, %m[%c1] : memref<3xindex>
        memref.store %z, %m[%c2] : memref<3xindex>
      }
    }
    gpu.return
  }
}

// Hundreds for z, tens for y, ones for x, which is the fastest.
func.func private @gpu.block_id() {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c32 = arith.constant 32 : index
  %m = memref.alloc() : memref<2x3x2xindex>
  gpu.launch_func @kernels::@numbers blocks in (%c2, %c3, %c2) threads in (%c32, %c1, %c1) args(%m : memref<2x3x2xindex>)
  call @show_numbers(%m) : (memref<2x3x2xindex>) -> ()
  return
}

func.func private @show_numbers(%m: memref<2x3x2xindex>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %t = tile.load %m : memref<2x3x2xindex> -> tensor<2x3x2xindex>
    %l = tensor.collapse_shape %t [[0, 1, 2]] : tensor<2x3x2xindex> into tensor<12xindex>
    // CHECK: block_id: [0, 1, 10, 11, 20, 21, 100, 101, 110, 111, 120, 121]
    tile.print "block_id" %l : tensor<12xindex>
  }
  return
}

func.func private @gpu.grid_dim() {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  %m = memref.alloc() : memref<3xindex>
  gpu.launch_func @kernels::@extents blocks in (%c2, %c3, %c4) threads in (%c32, %c1, %c1) args(%m : memref<3xindex>)
  call @show_extents(%m) : (memref<3xindex>) -> ()
  return
}

func.func private @show_extents(%m: memref<3xindex>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %t = tile.load %m : memref<3xindex> -> tensor<3xindex>
    // CHECK: grid_dim: [2, 3, 4]
    tile.print "grid_dim" %t : tensor<3xindex>
  }
  return
}

// A tensor map stands for the memref that it describes; a kernel's copies name both.
func.func private @tile.encode_tensor_map() {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %m = memref.alloc() : memref<64xf32>
  %map = tile.encode_tensor_map %m box [64] swizzle 0 : memref<64xf32>
  gpu.launch_func @kernels::@threes blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%m : memref<64xf32>, %map : !tile.tensor_map)
  call @show_threes(%m) : (memref<64xf32>) -> ()
  return
}

func.func private @show_threes(%m: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %t = tile.load %m : memref<64xf32> -> tensor<64xf32>
    %s = tile.reduce <add> %t dims [0] : tensor<64xf32> -> tensor<f32>
    // CHECK: encode_tensor_map: 192
    tile.print "encode_tensor_map" %s : tensor<f32>
  }
  return
}

// The host program is told of a device's multiprocessors.
func.func private @tile.sm_count() {
  %c1 = arith.constant 1 : index
  %count = tile.sm_count
  tile.launch blocks(%b) in (%c1) threads(32) {
    // CHECK: sm_count: 108
    tile.print "sm_count" %count : index
  }
  return
}

// Behind it the operands of the product may be overwritten.
func.func private @tile.product_wait() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(128) {
    %a = tile.alloc : memref<64x16xf16, #shared>
    %ones = arith.constant dense<1.0> : tensor<64x16xf16>
    %zeros = arith.constant dense<0.0> : tensor<64x16xf16>
    tile.store %ones, %a : tensor<64x16xf16>, memref<64x16xf16, #shared>
    %p = tile.gemm_async %a, %a {transpose_b} : memref<64x16xf16, #shared>, memref<64x16xf16, #shared> -> !tile.pending<tensor<64x64xf32>>
    tile.product_wait {pending = 0}
    tile.store %zeros, %a : tensor<64x16xf16>, memref<64x16xf16, #shared>
    %d = tile.wait %p : !tile.pending<tensor<64x64xf32>>
    %max = tile.reduce <maximumf> %d dims [0, 1] : tensor<64x64xf32> -> tensor<f32>
    // CHECK: product_wait: 16
    tile.print "product_wait" %max : tensor<f32>
  }
  return
}

// There is one proxy here: nothing happens.
func.func private @tile.proxy_fence() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %s = tile.alloc : memref<4xf32, #shared>
    %two = arith.constant dense<2.0> : tensor<4xf32>
    tile.store %two, %s : tensor<4xf32>, memref<4xf32, #shared>
    tile.proxy_fence
    %t = tile.load %s : memref<4xf32, #shared> -> tensor<4xf32>
    // CHECK: proxy_fence: [2, 2, 2, 2]
    tile.print "proxy_fence" %t : tensor<4xf32>
  }
  return
}

// Blocks 0, 1 and 2 double elements 0, 2 and 4; a zero extent launches nothing.
func.func @gpu.launch_func(%m: memref<6xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c32 = arith.constant 32 : index
  %bytes = arith.constant 0 : i32
  %d = memref.cast %m : memref<6xf32> to memref<?xf32>
  gpu.launch_func @kernels::@double blocks in (%c3, %c1, %c1) threads in (%c32, %c1, %c1) dynamic_shared_memory_size %bytes args(%d : memref<?xf32>, %c2 : index)
  gpu.launch_func @kernels::@double blocks in (%c0, %c1, %c1) threads in (%c32, %c1, %c1) args(%d : memref<?xf32>, %c1 : index)
  call @show_doubled(%m) : (memref<6xf32>) -> ()
  return
}

func.func private @show_doubled(%m: memref<6xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %t = tile.load %m : memref<6xf32> -> tensor<6xf32>
    // OUTLINED: doubled (block 0, 0, 0): [0, 1, 4, 3, 8, 5]
    tile.print "doubled" %t : tensor<6xf32>
  }
  return
}
}
