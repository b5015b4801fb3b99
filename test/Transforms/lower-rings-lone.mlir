// Copies that fill no ring, beside rings: which of them have a group and a wait of their own.
// RUN: tile-opt %s --tile-lower-rings | FileCheck %s
#shared = #gpu.address_space<workgroup>
#f = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = []>
!buffer = memref<2x128xf32, #shared>
!slot = memref<128xf32, strided<[1], offset: ?>, #shared>

module attributes {tile.target = #tile.target<"sm_80">} {

// Read before any use of the ring is waited for: two uses stay in flight.
// CHECK-LABEL: func @read_first
// CHECK: tile.copy %{{.*}} to %[[LONE:.*]] {instr
// CHECK-NEXT: tile.copy_commit
// CHECK: tile.copy {{.*}}strided
// CHECK-NEXT: tile.copy_commit
// CHECK: tile.copy {{.*}}strided
// CHECK-NEXT: tile.copy_commit
// CHECK-NEXT: tile.copy_wait {pending = 2 : i64}
// CHECK-NEXT: tile.load %[[LONE]]
// CHECK: tile.copy_wait {pending = 1 : i64}
// CHECK: tile.copy_wait {pending = 0 : i64}
func.func @read_first(%n: index, %a: memref<?x128xf32>, %d: memref<128xf32>, %o: memref<128xf32>) {
  tile.launch @a blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %lone = tile.alloc layout(#tile.shared<[128]>) : memref<128xf32, #shared>
    %buf = tile.alloc layout(#tile.shared<[2, 128]>) : !buffer
    %ring = tile.ring %buf : !buffer -> !tile.ring<2>
    tile.copy %d to %lone {layout = #f, vector_width = 4 : i64, instruction = #tile.instruction<"cp.async">} : memref<128xf32> to memref<128xf32, #shared>
    %s0 = tile.ring_acquire %ring[%c0] : !tile.ring<2>
    %v0 = memref.subview %buf[%s0, 0] [1, 128] [1, 1] : !buffer to !slot
    tile.copy %d to %v0 {layout = #f, vector_width = 4 : i64, instruction = #tile.instruction<"cp.async">} : memref<128xf32> to !slot
    tile.ring_commit %ring[%c0] : !tile.ring<2>
    %s1 = tile.ring_acquire %ring[%c1] : !tile.ring<2>
    %v1 = memref.subview %buf[%s1, 0] [1, 128] [1, 1] : !buffer to !slot
    tile.copy %d to %v1 {layout = #f, vector_width = 4 : i64, instruction = #tile.instruction<"cp.async">} : memref<128xf32> to !slot
    tile.ring_commit %ring[%c1] : !tile.ring<2>
    %x = tile.load %lone : memref<128xf32, #shared> -> tensor<128xf32, #f>
    %w0 = tile.ring_wait %ring[%c0] : !tile.ring<2>
    %r0 = memref.subview %buf[%w0, 0] [1, 128] [1, 1] : !buffer to !slot
    %y0 = tile.load %r0 : !slot -> tensor<128xf32, #f>
    tile.ring_release %ring[%c0] : !tile.ring<2>
    %w1 = tile.ring_wait %ring[%c1] : !tile.ring<2>
    %r1 = memref.subview %buf[%w1, 0] [1, 128] [1, 1] : !buffer to !slot
    %y1 = tile.load %r1 : !slot -> tensor<128xf32, #f>
    tile.ring_release %ring[%c1] : !tile.ring<2>
    %y = arith.addf %y0, %y1 : tensor<128xf32, #f>
    %z = arith.addf %x, %y : tensor<128xf32, #f>
    tile.store %z, %o : tensor<128xf32, #f>, memref<128xf32>
  }
  return
}

// A use behind the copy is waited for first, and the copy with it.
// CHECK-LABEL: func @use_first
// CHECK: tile.copy %{{.*}} to %[[LONE:.*]] {instr
// CHECK-NOT: tile.copy_commit
// CHECK: tile.copy {{.*}}strided
// CHECK-NEXT: tile.copy_commit
// CHECK-NEXT: arith.constant
// CHECK-NEXT: tile.copy_wait {pending = 0 : i64}
// CHECK-NOT: tile.copy_wait
// CHECK: return
func.func @use_first(%n: index, %d: memref<128xf32>, %o: memref<128xf32>) {
  tile.launch @b blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %lone = tile.alloc layout(#tile.shared<[128]>) : memref<128xf32, #shared>
    %buf = tile.alloc layout(#tile.shared<[2, 128]>) : !buffer
    %ring = tile.ring %buf : !buffer -> !tile.ring<2>
    tile.copy %d to %lone {layout = #f, vector_width = 4 : i64, instruction = #tile.instruction<"cp.async">} : memref<128xf32> to memref<128xf32, #shared>
    %s0 = tile.ring_acquire %ring[%c0] : !tile.ring<2>
    %v0 = memref.subview %buf[%s0, 0] [1, 128] [1, 1] : !buffer to !slot
    tile.copy %d to %v0 {layout = #f, vector_width = 4 : i64, instruction = #tile.instruction<"cp.async">} : memref<128xf32> to !slot
    tile.ring_commit %ring[%c0] : !tile.ring<2>
    %w0 = tile.ring_wait %ring[%c0] : !tile.ring<2>
    %r0 = memref.subview %buf[%w0, 0] [1, 128] [1, 1] : !buffer to !slot
    %y = tile.load %r0 : !slot -> tensor<128xf32, #f>
    %x = tile.load %lone : memref<128xf32, #shared> -> tensor<128xf32, #f>
    tile.ring_release %ring[%c0] : !tile.ring<2>
    %z = arith.addf %x, %y : tensor<128xf32, #f>
    tile.store %z, %o : tensor<128xf32, #f>, memref<128xf32>
  }
  return
}

// A second copy behind the use, for the same reader, leaves nothing to be in flight.
// CHECK-LABEL: func @another_behind
// CHECK: tile.copy %{{.*}} to %[[LONE:.*]] {instr
// CHECK-NOT: tile.copy_commit
// CHECK: tile.copy {{.*}}strided
// CHECK-NEXT: tile.copy_commit
// CHECK-NEXT: tile.copy
// CHECK-NEXT: tile.load %[[LONE]]
func.func @another_behind(%n: index, %d: memref<128xf32>, %o: memref<128xf32>) {
  tile.launch @c blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %lone = tile.alloc layout(#tile.shared<[128]>) : memref<128xf32, #shared>
    %last = tile.alloc layout(#tile.shared<[128]>) : memref<128xf32, #shared>
    %buf = tile.alloc layout(#tile.shared<[2, 128]>) : !buffer
    %ring = tile.ring %buf : !buffer -> !tile.ring<2>
    tile.copy %d to %lone {layout = #f, vector_width = 4 : i64, instruction = #tile.instruction<"cp.async">} : memref<128xf32> to memref<128xf32, #shared>
    %s0 = tile.ring_acquire %ring[%c0] : !tile.ring<2>
    %v0 = memref.subview %buf[%s0, 0] [1, 128] [1, 1] : !buffer to !slot
    tile.copy %d to %v0 {layout = #f, vector_width = 4 : i64, instruction = #tile.instruction<"cp.async">} : memref<128xf32> to !slot
    tile.ring_commit %ring[%c0] : !tile.ring<2>
    tile.copy %d to %last {layout = #f, vector_width = 4 : i64, instruction = #tile.instruction<"cp.async">} : memref<128xf32> to memref<128xf32, #shared>
    %x = tile.load %lone : memref<128xf32, #shared> -> tensor<128xf32, #f>
    %u = tile.load %last : memref<128xf32, #shared> -> tensor<128xf32, #f>
    %w0 = tile.ring_wait %ring[%c0] : !tile.ring<2>
    %r0 = memref.subview %buf[%w0, 0] [1, 128] [1, 1] : !buffer to !slot
    %y = tile.load %r0 : !slot -> tensor<128xf32, #f>
    tile.ring_release %ring[%c0] : !tile.ring<2>
    %v = arith.addf %x, %u : tensor<128xf32, #f>
    %z = arith.addf %v, %y : tensor<128xf32, #f>
    tile.store %z, %o : tensor<128xf32, #f>, memref<128xf32>
  }
  return
}

// A program that counts groups itself is left as it is.
// CHECK-LABEL: func @counts_itself
// CHECK: tile.copy %{{.*}} to %[[LONE:.*]] {instr
// CHECK-NEXT: %
// CHECK: tile.copy {{.*}}strided
// CHECK-NEXT: tile.copy_commit
// CHECK-NEXT: tile.copy_wait {pending = 0 : i64}
// CHECK-NEXT: tile.load %[[LONE]]
func.func @counts_itself(%n: index, %d: memref<128xf32>, %o: memref<128xf32>) {
  tile.launch @d blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %lone = tile.alloc layout(#tile.shared<[128]>) : memref<128xf32, #shared>
    %buf = tile.alloc layout(#tile.shared<[2, 128]>) : !buffer
    %ring = tile.ring %buf : !buffer -> !tile.ring<2>
    tile.copy %d to %lone {layout = #f, vector_width = 4 : i64, instruction = #tile.instruction<"cp.async">} : memref<128xf32> to memref<128xf32, #shared>
    %s0 = tile.ring_acquire %ring[%c0] : !tile.ring<2>
    %v0 = memref.subview %buf[%s0, 0] [1, 128] [1, 1] : !buffer to !slot
    tile.copy %d to %v0 {layout = #f, vector_width = 4 : i64, instruction = #tile.instruction<"cp.async">} : memref<128xf32> to !slot
    tile.ring_commit %ring[%c0] : !tile.ring<2>
    tile.copy_wait {pending = 0 : i64}
    %x = tile.load %lone : memref<128xf32, #shared> -> tensor<128xf32, #f>
    %w0 = tile.ring_wait %ring[%c0] : !tile.ring<2>
    %r0 = memref.subview %buf[%w0, 0] [1, 128] [1, 1] : !buffer to !slot
    %y = tile.load %r0 : !slot -> tensor<128xf32, #f>
    tile.ring_release %ring[%c0] : !tile.ring<2>
    %z = arith.addf %x, %y : tensor<128xf32, #f>
    tile.store %z, %o : tensor<128xf32, #f>, memref<128xf32>
  }
  return
}
}
