// Loads and stores of fragments: vectors, bounds, padding, replicas.
// RUN: tile-opt %s --convert-tile-to-nvvm --split-input-file | FileCheck %s

#f = #tile.fragment<[256], register = [4 : (1), 2 : (128)], lane = [32 : (4)], warp = []>
#apart = #tile.fragment<[256], register = [2 : (128), 4 : (1)], lane = [32 : (4)], warp = []>
module attributes {tile.target = #tile.target<"sm_80">} {
  gpu.module @kernels {
    // Accesses are as wide as the operation says; one branch for each.
    // CHECK-LABEL: llvm.func @aligned
    // CHECK: %[[LIMIT:.*]] = arith.subi %arg1, %
    // CHECK: %[[FIRST:.*]] = arith.cmpi sgt, %[[LIMIT]], %c0_i64
    // CHECK: %[[SECOND:.*]] = arith.cmpi sgt, %[[LIMIT]], %c128_i64
    // CHECK: scf.if %[[FIRST]] -> (f32, f32, f32, f32)
    // CHECK-NEXT: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
    // CHECK: scf.if %[[SECOND]]
    // CHECK-NEXT: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
    // CHECK-NOT: llvm.load
    // CHECK-COUNT-2: llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
    // CHECK-NOT: llvm.store
    gpu.func @aligned(%m: memref<?xf32> {tile.divisible = array<i64: 4>},
                      %o: memref<256xf32>)
        kernel attributes {known_block_size = array<i32: 32, 1, 1>,
                           tile.stage = #tile.stage<outlined>} {
      %c0 = arith.constant 0 : index
      %t = tile.load %m[%c0] {vector_width = 4 : i64} : memref<?xf32> -> tensor<256xf32, #f>
      tile.store %t, %o {vector_width = 4 : i64} : tensor<256xf32, #f>, memref<256xf32>
      gpu.return
    }
    // What a store converts is converted two at a time, and goes as words.
    // CHECK-LABEL: llvm.func @converted
    // CHECK-COUNT-2: arith.truncf %{{.*}} : vector<2xf32> to vector<2xf16>
    // CHECK: llvm.store %{{.*}} {alignment = 8 : i64} : vector<2xi32>, !llvm.ptr<1>
    // CHECK-COUNT-2: arith.truncf %{{.*}} : vector<2xf32> to vector<2xf16>
    // CHECK: llvm.store %{{.*}} {alignment = 8 : i64} : vector<2xi32>, !llvm.ptr<1>
    // CHECK-NOT: llvm.store
    gpu.func @converted(%m: memref<256xf32> {llvm.align = 16 : i64}, %o: memref<256xf16>)
        kernel attributes {known_block_size = array<i32: 32, 1, 1>,
                           tile.stage = #tile.stage<outlined>} {
      %t = tile.load %m {vector_width = 4 : i64} : memref<256xf32> -> tensor<256xf32, #f>
      tile.store %t, %o {vector_width = 4 : i64} : tensor<256xf32, #f>, memref<256xf16>
      gpu.return
    }
    // Halves of different pairs do not become words.
    // CHECK-LABEL: llvm.func @apart
    // CHECK-COUNT-2: llvm.store %{{.*}} {alignment = 8 : i64} : vector<4xf16>, !llvm.ptr<1>
    gpu.func @apart(%m: memref<256xf32>, %o: memref<256xf16>)
        kernel attributes {known_block_size = array<i32: 32, 1, 1>,
                           tile.stage = #tile.stage<outlined>} {
      %t = tile.load %m : memref<256xf32> -> tensor<256xf32, #apart>
      %h = arith.truncf %t : tensor<256xf32, #apart> to tensor<256xf16, #apart>
      %x = tile.convert_layout %h : tensor<256xf16, #apart> to tensor<256xf16, #f>
      tile.store %x, %o {vector_width = 4 : i64} : tensor<256xf16, #f>, memref<256xf16>
      gpu.return
    }
    // A start that may be negative: one unsigned comparison checks both ends. Without
    // a width elements move one by one.
    // CHECK-LABEL: llvm.func @unaligned
    // CHECK-COUNT-8: arith.cmpi ult, %{{.*}}, %arg1 : i64
    // CHECK-NOT: vector<
    gpu.func @unaligned(%m: memref<?xf32>, %i: index)
        kernel attributes {known_block_size = array<i32: 32, 1, 1>,
                           tile.stage = #tile.stage<outlined>} {
      %pad = arith.constant 1.0 : f32
      %t = tile.load %m[%i] pad(%pad) : memref<?xf32> -> tensor<256xf32, #f>
      gpu.return
    }
  }
}

// -----

#f = #tile.fragment<[24], register = [], lane = [32 : (1)], warp = [2 : (0)]>
module attributes {tile.target = #tile.target<"sm_80">} {
  gpu.module @kernels {
    // Lanes 24 to 31 hold padding, warp 1 a replica: neither writes. i1 is a byte.
    // CHECK-LABEL: llvm.func @padded
    // CHECK-DAG: %[[SHAPE:.*]] = arith.cmpi ult, %{{.*}}, %c24_i32
    // CHECK-DAG: %[[FIRST:.*]] = arith.cmpi eq, %{{.*}}, %c0_i32
    // CHECK: scf.if %[[SHAPE]] -> (i1)
    // CHECK: llvm.load %{{.*}} : !llvm.ptr<1> -> i8
    // CHECK: arith.trunci %{{.*}} : i8 to i1
    // CHECK: %[[BOTH:.*]] = arith.andi %[[FIRST]], %[[SHAPE]]
    // CHECK: scf.if %[[BOTH]]
    // CHECK: arith.extui %{{.*}} : i1 to i8
    // CHECK: llvm.store
    gpu.func @padded(%m: memref<24xi1>, %o: memref<24xi1>)
        kernel attributes {known_block_size = array<i32: 64, 1, 1>,
                           tile.stage = #tile.stage<outlined>} {
      %t = tile.load %m : memref<24xi1> -> tensor<24xi1, #f>
      tile.store %t, %o : tensor<24xi1, #f>, memref<24xi1>
      gpu.return
    }
  }
}
