// What a kernel's parameters and attributes become.
// RUN: tile-opt %s --convert-tile-to-nvvm | FileCheck %s

module attributes {gpu.container_module, tile.target = #tile.target<"sm_80">} {
  func.func @host(%a: memref<?x8xf32>, %b: memref<4xf32>, %n: index, %p: i1) {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %v = memref.subview %b[1] [2] [1]
        : memref<4xf32> to memref<2xf32, strided<[1], offset: 1>>
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1)
        threads in (%c32, %c1, %c1)
        args(%a : memref<?x8xf32>, %b : memref<4xf32>,
             %v : memref<2xf32, strided<[1], offset: 1>>, %n : index, %p : i1)
    return
  }
  func.func @two(%a: memref<4xf32>, %b: memref<4xf32>) {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @kernels::@copies blocks in (%c1, %c1, %c1)
        threads in (%c32, %c1, %c1)
        args(%a : memref<4xf32>, %b : memref<4xf32>)
    return
  }
  gpu.module @kernels {
    // What is only read is out of reach of every other access. What is written is
    // not: a barrier makes the writes of other threads visible in it.
    // CHECK-LABEL: llvm.func @copies(
    // CHECK-SAME: %arg0: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias}, %arg1: !llvm.ptr<1> {llvm.align = 16 : i64})
    gpu.func @copies(%a: memref<4xf32>, %b: memref<4xf32>)
        kernel attributes {known_block_size = array<i32: 32, 1, 1>,
                           tile.stage = #tile.stage<outlined>} {
      %c0 = arith.constant 0 : index
      %x = memref.load %a[%c0] : memref<4xf32>
      tile.once {
        memref.store %x, %b[%c0] : memref<4xf32>
      }
      gpu.return
    }

    // A pointer, its dynamic size, two views of one argument (which may alias),
    // index as i64, i1 as a byte.
    // CHECK-LABEL: llvm.func @k(
    // CHECK-SAME: %arg0: !llvm.ptr<1> {llvm.align = 32 : i64}, %arg1: i64,
    // CHECK-SAME: %arg2: !llvm.ptr<1> {llvm.align = 16 : i64}, %arg3: !llvm.ptr<1> {llvm.align = 4 : i64},
    // CHECK-SAME: %arg4: i64, %arg5: i8)
    // CHECK-SAME: attributes {gpu.kernel, nvvm.kernel, nvvm.minctasm = 2 : i32,
    // CHECK-SAME: nvvm.reqntid = array<i32: 32, 1, 1>, tile.stage = #tile.stage<threaded>}
    gpu.func @k(%a: memref<?x8xf32> {tile.align = 32 : i64}, %b: memref<4xf32>,
                %v: memref<2xf32, strided<[1], offset: 1>>, %n: index, %p: i1)
        kernel attributes {known_block_size = array<i32: 32, 1, 1>,
                           nvvm.minctasm = 2 : i32,
                           tile.stage = #tile.stage<outlined>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      // The static offset of the view's type counts from the pointer.
      // CHECK-DAG: %[[V:.*]] = llvm.getelementptr %arg3[4]
      // CHECK-DAG: %[[P:.*]] = arith.trunci %arg5 : i8 to i1
      // CHECK-DAG: llvm.load %[[V]] {alignment = 4 : i64}
      // CHECK: scf.if %[[P]]
      // CHECK: llvm.store {{.*}} !llvm.ptr<1>
      %x = memref.load %v[%c0] : memref<2xf32, strided<[1], offset: 1>>
      %m = memref.dim %a, %c0 : memref<?x8xf32>
      scf.if %p {
        tile.once {
          memref.store %x, %a[%m, %c1] : memref<?x8xf32>
        }
      }
      gpu.return
    }
  }
}
