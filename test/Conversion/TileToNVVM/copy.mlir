// Copies: asynchronous ones fill with zeros outside, others go through registers.
// RUN: tile-opt %s --convert-tile-to-nvvm | FileCheck %s

#shared = #gpu.address_space<workgroup>
#f = #tile.fragment<[16, 32], register = [8 : (0, 1), 2 : (8, 0)], lane = [4 : (0, 8), 8 : (1, 0)], warp = []>
module attributes {tile.target = #tile.target<"sm_80">} {
  gpu.module @kernels {
    // Dynamic shared memory: an external array, so that it is not made static.
    // CHECK: llvm.mlir.global external @async_shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
    // CHECK-LABEL: llvm.func @async
    // CHECK-COUNT-2: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = cg, %{{.*}} : !llvm.ptr<3>, !llvm.ptr<1>, i32
    // CHECK-NOT: nvvm.cp.async
    // CHECK: llvm.call_intrinsic "llvm.nvvm.cp.async.wait.all"()
    // CHECK: nvvm.barrier0
    gpu.func @async(%m: memref<?x64xf16>, %i: index)
        kernel attributes {known_block_size = array<i32: 32, 1, 1>,
                           tile.stage = #tile.stage<outlined>} {
      %a = tile.arena 1024 : memref<1024xi8, #shared>
      %c0 = arith.constant 0 : index
      %s = tile.view %a[0] layout(#tile.shared<[16, 32], swizzle = 64>)
          : memref<1024xi8, #shared> to memref<16x32xf16, #shared>
      tile.copy %m[%i, %c0] to %s {instruction = #tile.instruction<"cp.async">, layout = #f, vector_width = 8 : i64}
          : memref<?x64xf16> to memref<16x32xf16, #shared>
      tile.copy_wait
      tile.barrier
      gpu.return
    }
    // Padding other than zero: what lies outside is stored.
    // CHECK-LABEL: llvm.func @padded
    // CHECK-COUNT-2: llvm.store %{{.*}} : vector<8xf16>, !llvm.ptr<3>
    gpu.func @padded(%m: memref<?x64xf16>, %i: index)
        kernel attributes {known_block_size = array<i32: 32, 1, 1>,
                           tile.stage = #tile.stage<outlined>} {
      %a = tile.arena 1024 : memref<1024xi8, #shared>
      %c0 = arith.constant 0 : index
      %one = arith.constant 1.0 : f16
      %s = tile.view %a[0] layout(#tile.shared<[16, 32], swizzle = 64>)
          : memref<1024xi8, #shared> to memref<16x32xf16, #shared>
      tile.copy %m[%i, %c0] pad(%one) to %s {instruction = #tile.instruction<"cp.async">, layout = #f, vector_width = 8 : i64}
          : memref<?x64xf16> to memref<16x32xf16, #shared>
      gpu.return
    }
    // Converted on the way: vectors of 4 f32 (16 bytes) in, of 8 f16 out.
    // CHECK-LABEL: llvm.func @converted
    // CHECK-COUNT-4: llvm.load %{{.*}} -> vector<4xf32>
    // CHECK: arith.truncf %{{.*}} : vector<2xf32> to vector<2xf16>
    // CHECK-COUNT-2: llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<3>
    gpu.func @converted(%m: memref<16x32xf32>)
        kernel attributes {known_block_size = array<i32: 32, 1, 1>,
                           tile.stage = #tile.stage<outlined>} {
      %a = tile.arena 1024 : memref<1024xi8, #shared>
      %s = tile.view %a[0] layout(#tile.shared<[16, 32], swizzle = 64>)
          : memref<1024xi8, #shared> to memref<16x32xf16, #shared>
      tile.copy %m to %s {instruction = #tile.instruction<"ld.st">, layout = #f, vector_width = 8 : i64}
          : memref<16x32xf32> to memref<16x32xf16, #shared>
      gpu.return
    }
  }
}
