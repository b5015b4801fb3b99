// One thread prints, a line a call; equal formats are one constant.
// RUN: tile-opt %s --convert-tile-to-nvvm | FileCheck %s

// CHECK-DAG: llvm.mlir.global internal constant @[[SCALAR:.*]]("50%% (block %d, %d, %d): %g\0A\00")
// CHECK-DAG: llvm.mlir.global internal constant @[[LINE:.*]]("line (block %d, %d, %d) [%d, %d]: [%d, %d]\0A\00")
// CHECK-DAG: llvm.mlir.global internal constant @[[OWN:.*]]("own (block %d, %d, %d) [%d]: %lld\0A\00")
// CHECK-DAG: llvm.func @vprintf(!llvm.ptr, !llvm.ptr) -> i32
// CHECK-NOT: llvm.mlir.global internal
#i = #tile.fragment<[16], register = [], lane = [16 : (1), 2 : (0)], warp = []>
module attributes {tile.target = #tile.target<"sm_80">} {
  gpu.module @kernels {
    // CHECK-LABEL: llvm.func @scalar
    // CHECK: %[[FIRST:.*]] = arith.cmpi eq, %{{.*}}, %c0_i32 : i32
    // CHECK: scf.if %[[FIRST]]
    // CHECK: %[[WIDE:.*]] = arith.extf %{{.*}} : f16 to f32
    // CHECK: %[[DOUBLE:.*]] = arith.extf %[[WIDE]] : f32 to f64
    // CHECK: llvm.store %[[DOUBLE]], %{{.*}} : f64, !llvm.ptr
    // CHECK: %[[FORMAT:.*]] = llvm.mlir.addressof @[[SCALAR]] : !llvm.ptr
    // CHECK: llvm.call @vprintf(%[[FORMAT]], %{{.*}}) : (!llvm.ptr, !llvm.ptr) -> i32
    // CHECK: llvm.mlir.addressof @[[SCALAR]]
    gpu.func @scalar(%x: f16)
        kernel attributes {known_block_size = array<i32: 32, 1, 1>,
                           tile.stage = #tile.stage<outlined>} {
      tile.print "50%" %x : f16
      tile.print "50%" %x : f16
      gpu.return
    }
    // CHECK-LABEL: llvm.func @buffer
    // CHECK: scf.for
    // CHECK-COUNT-2: llvm.load volatile %{{.*}} : !llvm.ptr<3> -> i8
    // CHECK: llvm.mlir.addressof @[[LINE]]
    gpu.func @buffer()
        kernel attributes {known_block_size = array<i32: 32, 1, 1>,
                           tile.stage = #tile.stage<outlined>} {
      %a = tile.arena 16 : memref<16xi8, #gpu.address_space<workgroup>>
      %s = tile.view %a[0] layout(#tile.shared<[3, 2]>) : memref<16xi8, #gpu.address_space<workgroup>> to memref<3x2xi8, #gpu.address_space<workgroup>>
      tile.print "line" %s : memref<3x2xi8, #gpu.address_space<workgroup>>
      gpu.return
    }
    // Of two lanes with one iteration the first prints.
    // CHECK-LABEL: llvm.func @iterations
    // CHECK: scf.if
    // CHECK: llvm.mlir.addressof @[[OWN]]
    gpu.func @iterations()
        kernel attributes {known_block_size = array<i32: 32, 1, 1>,
                           tile.stage = #tile.stage<outlined>} {
      tile.parallel (%j) in (16) attributes {layout = #i, vector_width = 1} {
        tile.print "own" %j : index
      }
      gpu.return
    }
  }
}
