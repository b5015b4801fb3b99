// Structured control flow with fragments and memrefs passed in pieces.
// RUN: tile-opt %s --convert-tile-to-nvvm | FileCheck %s

#f = #tile.fragment<[64], register = [2 : (1)], lane = [32 : (2)], warp = []>
module attributes {tile.target = #tile.target<"sm_80">} {
  gpu.module @kernels {
    // A fragment of two registers is two loop-carried values, a memref its pointer
    // and dynamic size; LLVM does not unroll the loop.
    // CHECK-LABEL: llvm.func @loop
    // CHECK: scf.for %{{.*}} = %c0_i64 to %arg3 step %c1_i64
    // CHECK-SAME: iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %[[P:.*]] = %arg0, %[[N:.*]] = %arg1) -> (f32, f32, !llvm.ptr<1>, i64) : i64
    // CHECK: llvm.load
    // CHECK: scf.yield %{{.*}}, %{{.*}}, %[[P]], %[[N]] : f32, f32, !llvm.ptr<1>, i64
    // CHECK: } {llvm.loop_annotation = #[[ANNOTATION:.*]]}
    gpu.func @loop(%a: memref<?xf32>, %o: memref<64xf32>, %n: index)
        kernel attributes {known_block_size = array<i32: 32, 1, 1>,
                           tile.stage = #tile.stage<outlined>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %z = arith.constant dense<0.0> : tensor<64xf32, #f>
      %r, %m = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z, %b = %a)
          -> (tensor<64xf32, #f>, memref<?xf32>) {
        %t = tile.load %b[%i] : memref<?xf32> -> tensor<64xf32, #f>
        %u = arith.addf %s, %t : tensor<64xf32, #f>
        scf.yield %u, %b : tensor<64xf32, #f>, memref<?xf32>
      }
      tile.store %r, %o : tensor<64xf32, #f>, memref<64xf32>
      gpu.return
    }
    // The number after the last one may not fit i32: the loop goes on as long as the
    // distance to the bound is more than the step. Where the step divides both
    // bounds, or a loop would have to run for days, it stays a loop.
    // CHECK-LABEL: llvm.func @last_number
    // CHECK: %[[RUNS:.*]] = arith.cmpi sgt, %arg0, %c0_i32 : i32
    // CHECK: scf.while (%[[A:.*]] = %[[RUNS]], %[[B:.*]] = %c0_i32, %{{.*}} = %{{.*}}) : (i1, i32, i32) -> (i32, i32)
    // CHECK: scf.condition(%[[A]]) %[[B]]
    // CHECK: ^bb0(%[[I:.*]]: i32, %{{.*}}: i32):
    // CHECK: %[[LEFT:.*]] = arith.subi %arg0, %[[I]] : i32
    // CHECK: %[[MORE:.*]] = arith.cmpi ugt, %[[LEFT]], %c4_i32 : i32
    // CHECK: %[[NEXT:.*]] = arith.addi %[[I]], %c4_i32 : i32
    // CHECK: scf.yield %[[MORE]], %[[NEXT]]
    // CHECK-NOT: scf.while
    // CHECK: scf.for
    // CHECK: scf.for
    // CHECK: scf.for
    gpu.func @last_number(%n: i32, %size: index, %o: memref<1xi32>)
        kernel attributes {known_block_size = array<i32: 32, 1, 1>,
                           tile.stage = #tile.stage<outlined>} {
      %at = arith.constant 0 : index
      %by = arith.constant 4 : index
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %c4 = arith.constant 4 : i32
      %m = arith.muli %n, %c4 : i32
      %r = scf.for %i = %c0 to %n step %c4 iter_args(%s = %c0) -> (i32) : i32 {
        %t = arith.xori %s, %i : i32
        scf.yield %t : i32
      }
      %u = scf.for %i = %c0 to %m step %c4 iter_args(%s = %r) -> (i32) : i32 {
        %t = arith.xori %s, %i : i32
        scf.yield %t : i32
      }
      %v = scf.for %i = %c0 to %n step %c1 iter_args(%s = %u) -> (i32) : i32 {
        %t = arith.xori %s, %i : i32
        scf.yield %t : i32
      }
      %w = scf.for %i = %at to %size step %by iter_args(%s = %v) -> (i32) {
        %t = arith.addi %s, %c1 : i32
        scf.yield %t : i32
      }
      tile.once {
        memref.store %w, %o[%at] : memref<1xi32>
      }
      gpu.return
    }
    // What one thread does in a row is under one condition.
    // CHECK-LABEL: llvm.func @in_a_row
    // CHECK: scf.if
    // CHECK-COUNT-2: llvm.store
    // CHECK: nvvm.barrier
    // CHECK: scf.if
    // CHECK: llvm.store
    // CHECK-NOT: scf.if
    gpu.func @in_a_row(%v: i32, %o: memref<4xi32>)
        kernel attributes {known_block_size = array<i32: 64, 1, 1>,
                           tile.stage = #tile.stage<outlined>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      tile.once {
        memref.store %v, %o[%c0] : memref<4xi32>
      }
      tile.once {
        memref.store %v, %o[%c1] : memref<4xi32>
      }
      tile.barrier
      tile.once {
        memref.store %v, %o[%c0] : memref<4xi32>
      }
      gpu.return
    }
    // CHECK-LABEL: llvm.func @switch
    // CHECK: %[[A:.*]] = arith.cmpi eq, %arg0, %c2_i64
    // CHECK: %[[R:.*]] = scf.if %[[A]] -> (i32)
    // CHECK: else
    // CHECK: %[[B:.*]] = arith.cmpi eq, %arg0, %c5_i64
    // CHECK: scf.if %[[B]] -> (i32)
    gpu.func @switch(%n: index, %o: memref<1xi32>)
        kernel attributes {known_block_size = array<i32: 32, 1, 1>,
                           tile.stage = #tile.stage<outlined>} {
      %c0 = arith.constant 0 : index
      %a = arith.constant 7 : i32
      %b = arith.constant 8 : i32
      %c = arith.constant 9 : i32
      %r = scf.index_switch %n -> i32
      case 2 { scf.yield %a : i32 }
      case 5 { scf.yield %b : i32 }
      default { scf.yield %c : i32 }
      tile.once {
        memref.store %r, %o[%c0] : memref<1xi32>
      }
      gpu.return
    }
  }
}
