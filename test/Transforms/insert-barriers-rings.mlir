// Loops that copy ahead into the slots of a ring, as lowered to groups of copies: which
// copy writes which slot, and when it is complete, is counted.
// RUN: tile-opt %s --tile-insert-barriers | FileCheck %s

#shared = #gpu.address_space<workgroup>
#f = #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]>
#g = #tile.fragment<[128], register = [], lane = [32 : (4)], warp = [4 : (1)]>
#ring = #tile.shared<[3, 128]>
!slot = memref<128xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>

module attributes {tile.target = #tile.target<"sm_80">} {

// One barrier an iteration, between the wait and the copy: it publishes the slot that is
// read, and keeps the copy behind the readers of the slot that it overwrites.
// CHECK-LABEL: func @three_slots
// CHECK-NOT: tile.barrier
// CHECK: scf.for
// CHECK-NEXT: tile.copy_wait {pending = 1 : i64}
// CHECK-NEXT: memref.subview
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.copy
// CHECK-NOT: tile.barrier
// CHECK-NOT: tile.copy_wait
// CHECK: return
func.func @three_slots(%n: index, %a: memref<?xf32>, %b: memref<128xf32>) {
  tile.launch @a blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<placed>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %zero = arith.constant dense<0.0> : tensor<128xf32, #g>
    %arena = tile.arena 1536 : memref<1536xi8, #shared>
    %ring = tile.view %arena[0] layout(#ring) : memref<1536xi8, #shared> to memref<3x128xf32, #shared>
    %first = memref.subview %ring[0, 0] [1, 128] [1, 1] : memref<3x128xf32, #shared> to memref<128xf32, strided<[1]>, #shared>
    tile.copy %a[%c0] to %first {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<?xf32> to memref<128xf32, strided<[1]>, #shared>
    tile.copy_commit
    %second = memref.subview %ring[%c1, 0] [1, 128] [1, 1] : memref<3x128xf32, #shared> to !slot
    tile.copy %a[%c1] to %second {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<?xf32> to !slot
    tile.copy_commit
    %sum:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %read = %c0, %fill = %c2) -> (tensor<128xf32, #g>, index, index) {
      tile.copy_wait {pending = 1 : i64}
      %to = memref.subview %ring[%fill, 0] [1, 128] [1, 1] : memref<3x128xf32, #shared> to !slot
      tile.copy %a[%i] to %to {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<?xf32> to !slot
      tile.copy_commit
      %from = memref.subview %ring[%read, 0] [1, 128] [1, 1] : memref<3x128xf32, #shared> to !slot
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

// A wait that leaves one group too many in flight is not enough: another is put in.
// CHECK-LABEL: func @wait_too_weak
// CHECK: scf.for
// CHECK: tile.copy_wait {pending = 2 : i64}
// CHECK: tile.copy_wait{{$}}
// CHECK: return
func.func @wait_too_weak(%n: index, %a: memref<?xf32>, %b: memref<128xf32>) {
  tile.launch @b blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<placed>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %zero = arith.constant dense<0.0> : tensor<128xf32, #g>
    %arena = tile.arena 1536 : memref<1536xi8, #shared>
    %ring = tile.view %arena[0] layout(#ring) : memref<1536xi8, #shared> to memref<3x128xf32, #shared>
    %first = memref.subview %ring[0, 0] [1, 128] [1, 1] : memref<3x128xf32, #shared> to memref<128xf32, strided<[1]>, #shared>
    tile.copy %a[%c0] to %first {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<?xf32> to memref<128xf32, strided<[1]>, #shared>
    tile.copy_commit
    %second = memref.subview %ring[%c1, 0] [1, 128] [1, 1] : memref<3x128xf32, #shared> to !slot
    tile.copy %a[%c1] to %second {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<?xf32> to !slot
    tile.copy_commit
    %sum:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %read = %c0, %fill = %c2) -> (tensor<128xf32, #g>, index, index) {
      tile.copy_wait {pending = 2 : i64}
      %to = memref.subview %ring[%fill, 0] [1, 128] [1, 1] : memref<3x128xf32, #shared> to !slot
      tile.copy %a[%i] to %to {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<?xf32> to !slot
      tile.copy_commit
      %from = memref.subview %ring[%read, 0] [1, 128] [1, 1] : memref<3x128xf32, #shared> to !slot
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

// A ring that goes on through an outer loop: the inner loop's counter starts where the
// last one ended.
// CHECK-LABEL: func @carried
// CHECK: scf.for
// CHECK-NOT: tile.barrier
// CHECK: scf.for
// CHECK: tile.copy_wait {pending = 0 : i64}
// CHECK: tile.barrier
// CHECK: tile.copy
// CHECK-NOT: tile.barrier
// CHECK-NOT: tile.copy_wait
// CHECK: return
func.func @carried(%n: index, %a: memref<?xf32>, %b: memref<128xf32>) {
  tile.launch @c blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<placed>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant dense<0.0> : tensor<128xf32, #g>
    %arena = tile.arena 1024 : memref<1024xi8, #shared>
    %ring = tile.view %arena[0] layout(#tile.shared<[2, 128]>) : memref<1024xi8, #shared> to memref<2x128xf32, #shared>
    %first = memref.subview %ring[0, 0] [1, 128] [1, 1] : memref<2x128xf32, #shared> to memref<128xf32, strided<[1]>, #shared>
    tile.copy %a[%c0] to %first {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<?xf32> to memref<128xf32, strided<[1]>, #shared>
    tile.copy_commit
    %all:2 = scf.for %j = %c0 to %n step %c1 iter_args(%outer = %zero, %read0 = %c0) -> (tensor<128xf32, #g>, index) {
      %isLast0 = arith.cmpi eq, %read0, %c1 : index
      %after0 = arith.addi %read0, %c1 : index
      %fill0 = arith.select %isLast0, %c0, %after0 : index
      %sum:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %outer, %read = %read0, %fill = %fill0) -> (tensor<128xf32, #g>, index, index) {
        tile.copy_wait {pending = 0 : i64}
        %to = memref.subview %ring[%fill, 0] [1, 128] [1, 1] : memref<2x128xf32, #shared> to !slot
        tile.copy %a[%i] to %to {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<?xf32> to !slot
        tile.copy_commit
        %from = memref.subview %ring[%read, 0] [1, 128] [1, 1] : memref<2x128xf32, #shared> to !slot
        %y = tile.load %from : !slot -> tensor<128xf32, #g>
        %z = arith.addf %acc, %y : tensor<128xf32, #g>
        %isLast = arith.cmpi eq, %read, %c1 : index
        %after = arith.addi %read, %c1 : index
        %next = arith.select %isLast, %c0, %after : index
        %isLastFill = arith.cmpi eq, %fill, %c1 : index
        %afterFill = arith.addi %fill, %c1 : index
        %nextFill = arith.select %isLastFill, %c0, %afterFill : index
        scf.yield %z, %next, %nextFill : tensor<128xf32, #g>, index, index
      }
      scf.yield %sum#0, %sum#1 : tensor<128xf32, #g>, index
    }
    tile.store %all#0, %b : tensor<128xf32, #g>, memref<128xf32>
  }
  return
}

// Other buffers at the bytes of the ring wait for all that is in flight.
// CHECK-LABEL: func @bytes_behind
// CHECK: scf.yield
// CHECK: tile.copy_wait{{$}}
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.store
func.func @bytes_behind(%n: index, %a: memref<?xf32>, %b: memref<128xf32>) {
  tile.launch @d blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<placed>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant dense<0.0> : tensor<128xf32, #g>
    %arena = tile.arena 1024 : memref<1024xi8, #shared>
    %ring = tile.view %arena[0] layout(#tile.shared<[2, 128]>) : memref<1024xi8, #shared> to memref<2x128xf32, #shared>
    %other = tile.view %arena[0] layout(#tile.shared<[128]>) : memref<1024xi8, #shared> to memref<128xf32, #shared>
    %all:2 = scf.for %i = %c0 to %n step %c1 iter_args(%read = %c0, %fill = %c1) -> (index, index) {
      tile.copy_wait {pending = 0 : i64}
      %to = memref.subview %ring[%fill, 0] [1, 128] [1, 1] : memref<2x128xf32, #shared> to !slot
      tile.copy %a[%i] to %to {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<?xf32> to !slot
      tile.copy_commit
      %from = memref.subview %ring[%read, 0] [1, 128] [1, 1] : memref<2x128xf32, #shared> to !slot
      %y = tile.load %from : !slot -> tensor<128xf32, #g>
      tile.store %y, %b : tensor<128xf32, #g>, memref<128xf32>
      %isLast = arith.cmpi eq, %read, %c1 : index
      %after = arith.addi %read, %c1 : index
      %next = arith.select %isLast, %c0, %after : index
      %isLastFill = arith.cmpi eq, %fill, %c1 : index
      %afterFill = arith.addi %fill, %c1 : index
      %nextFill = arith.select %isLastFill, %c0, %afterFill : index
      scf.yield %next, %nextFill : index, index
    }
    tile.store %zero, %other : tensor<128xf32, #g>, memref<128xf32, #shared>
  }
  return
}
}
