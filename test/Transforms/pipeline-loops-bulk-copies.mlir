// Rings of bulk copies stand in front of everything, and what no pipelined loop takes
// has a ring of one slot.
// RUN: tile-opt %s --tile-logical-phase="chip=sm_90a" --tile-layout-phase=bulk-copies \
// RUN:   --tile-pipeline-loops --remark-format=emitRemark \
// RUN:   --remarks-filter-missed=tile-pipeline-loops 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t
#shared = #gpu.address_space<workgroup>

// The loop around the pipelined one carries the number of the next use.
// CHECK-LABEL: func @nested
// CHECK: %[[RING:.*]] = tile.ring %{{.*}}, %{{.*}} : {{.*}} -> !tile.ring<2>
// CHECK: scf.for {{.*}} iter_args(%{{.*}}, %[[N:.*]] = %c0{{[_0-9]*}})
// CHECK: scf.if
// CHECK-NEXT: tile.ring_acquire %[[RING]][%[[N]]]
// CHECK: tile.ring_commit %[[RING]][%[[N]]]
// CHECK: %[[NEXT:.*]] = arith.addi %[[N]], %c1
// CHECK: %[[INNER:.*]]:3 = scf.for {{.*}} iter_args(%{{.*}}, %[[USE:.*]] = %[[N]], %[[FILL:.*]] = %[[NEXT]])
// CHECK: tile.ring_wait %[[RING]][%[[USE]]]
// CHECK: tile.ring_acquire %[[RING]][%[[FILL]]]
// CHECK: tile.ring_release %[[RING]][%[[USE]]]
// CHECK: scf.yield
// CHECK: scf.yield %[[INNER]]#0, %[[INNER]]#1
func.func @nested(%A: memref<64x512xf16>, %B: memref<512x64xf16>, %O: memref<64x64xf32>, %n: index) {
  %h1 = arith.constant 1 : index
  tile.launch blocks(%bx) in (%h1) threads(64) attributes {warp_specialize = #tile.warp_specialize<off>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %a = tile.alloc : memref<64x64xf16, #shared>
    %b = tile.alloc : memref<64x64xf16, #shared>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
      %s = scf.for %j = %c0 to %n step %c1 iter_args(%sum = %acc) -> (tensor<64x64xf32>) {
        %k = arith.muli %j, %c64 : index
        tile.copy %A[%c0, %k] to %a : memref<64x512xf16> to memref<64x64xf16, #shared>
        tile.copy %B[%k, %c0] to %b : memref<512x64xf16> to memref<64x64xf16, #shared>
        %d = tile.gemm %a, %b, %sum : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
        scf.yield %d : tensor<64x64xf32>
      } {tile.stages = 2 : i32}
      scf.yield %s : tensor<64x64xf32>
    }
    tile.store %r, %O : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// Two copies next to each other share a use, which is waited for in front of what
// reads them and released behind it.
// CHECK-LABEL: func @lone
// CHECK: %[[RING:.*]] = tile.ring %{{.*}}, %{{.*}} : {{.*}} -> !tile.ring<1>
// CHECK: scf.for {{.*}} iter_args(%{{.*}}, %[[N:.*]] = %c0{{[_0-9]*}})
// CHECK: tile.ring_acquire %[[RING]][%[[N]]]
// CHECK: %[[NEXT:.*]] = arith.addi %[[N]]
// CHECK: tile.copy
// CHECK-NEXT: tile.copy
// CHECK-NEXT: tile.ring_commit %[[RING]][%[[N]]]
// CHECK: tile.print
// CHECK: tile.ring_wait %[[RING]][%[[N]]]
// CHECK: tile.gemm
// CHECK-NEXT: tile.ring_release %[[RING]][%[[N]]]
// CHECK: scf.yield %{{.*}}, %[[NEXT]]
func.func @lone(%A: memref<64x512xf16>, %B: memref<512x64xf16>, %O: memref<64x64xf32>, %n: index) {
  %h1 = arith.constant 1 : index
  tile.launch blocks(%bx) in (%h1) threads(64) attributes {warp_specialize = #tile.warp_specialize<off>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %a = tile.alloc : memref<64x64xf16, #shared>
    %b = tile.alloc : memref<64x64xf16, #shared>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
      %k = arith.muli %i, %c64 : index
      tile.copy %A[%c0, %k] to %a : memref<64x512xf16> to memref<64x64xf16, #shared>
      tile.copy %B[%k, %c0] to %b : memref<512x64xf16> to memref<64x64xf16, #shared>
      tile.print "step" %i : index
      %d = tile.gemm %a, %b, %acc : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    tile.store %r, %O : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// A loop that carries the number of one ring holds the use of another.
// CHECK-LABEL: func @held_by_a_loop
// CHECK: %[[A:.*]] = tile.ring %{{.*}} : {{.*}} -> !tile.ring<1>
// CHECK: %[[B:.*]] = tile.ring %{{.*}} : {{.*}} -> !tile.ring<1>
// CHECK: tile.ring_commit %[[B]][%c0{{[_0-9]*}}]
// CHECK: tile.ring_wait %[[B]][%c0{{[_0-9]*}}]
// CHECK: scf.for {{.*}} iter_args(%{{.*}}, %[[N:.*]] = %
// CHECK: tile.ring_wait %[[A]][%[[N]]]
// CHECK: scf.yield
// CHECK-NEXT: }
// CHECK-NEXT: tile.ring_release %[[B]][%c0{{[_0-9]*}}]
func.func @held_by_a_loop(%A: memref<64x512xf16>, %B: memref<512x64xf16>, %O: memref<64x64xf32>, %n: index) {
  %h1 = arith.constant 1 : index
  tile.launch blocks(%bx) in (%h1) threads(64) attributes {warp_specialize = #tile.warp_specialize<off>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %a = tile.alloc : memref<64x64xf16, #shared>
    %b = tile.alloc : memref<64x64xf16, #shared>
    tile.copy %A[%c0, %c0] to %a : memref<64x512xf16> to memref<64x64xf16, #shared>
    tile.copy %B[%c0, %c0] to %b : memref<512x64xf16> to memref<64x64xf16, #shared>
    %first = tile.gemm %a, %a : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %first) -> (tensor<64x64xf32>) {
      %k = arith.muli %i, %c64 : index
      tile.copy %A[%c0, %k] to %a : memref<64x512xf16> to memref<64x64xf16, #shared>
      %d = tile.gemm %a, %b, %acc : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    tile.store %r, %O : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// What an iteration leaves in the buffer is read by the next one: the threads copy.
// CHECK-LABEL: func @kept
// CHECK-NOT: tile.ring
// CHECK: tile.copy {{.*}}"cp.async"
// REMARK: NoBulkCopy{{.*}}threads make this copy: its buffer is also used where what it copied may not be there
func.func @kept(%A: memref<64x512xf16>, %O: memref<64x64xf32>, %n: index) {
  %h1 = arith.constant 1 : index
  tile.launch blocks(%bx) in (%h1) threads(64) attributes {warp_specialize = #tile.warp_specialize<off>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %half = arith.constant dense<0.0> : tensor<64x64xf16>
    %a = tile.alloc : memref<64x64xf16, #shared>
    tile.store %half, %a : tensor<64x64xf16>, memref<64x64xf16, #shared>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
      %k = arith.muli %i, %c64 : index
      %d = tile.gemm %a, %a, %acc : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      tile.copy %A[%c0, %k] to %a : memref<64x512xf16> to memref<64x64xf16, #shared>
      scf.yield %d : tensor<64x64xf32>
    }
    tile.store %r, %O : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}
