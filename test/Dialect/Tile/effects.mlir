// RUN: tile-opt %s --cse --canonicalize | FileCheck %s

#shared = #gpu.address_space<workgroup>

// What is pure is shared and removed; what reads memory is shared up to a write;
// fresh buffers, prints and writes stay.

// CHECK-LABEL: func @products_of_fragments
// CHECK: %[[D:.*]] = tile.gemm
// CHECK-NOT: tile.gemm
// CHECK: return %[[D]], %[[D]]
func.func @products_of_fragments(%a: tensor<16x16xf16>, %m: memref<16x16xf32>) -> (tensor<16x16xf32>, tensor<16x16xf32>) {
  %d = tile.gemm %a, %a : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
  tile.store %d, %m : tensor<16x16xf32>, memref<16x16xf32>
  %e = tile.gemm %a, %a : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
  return %d, %e : tensor<16x16xf32>, tensor<16x16xf32>
}

// CHECK-LABEL: func @products_of_memory
// CHECK: %[[D:.*]] = tile.gemm
// CHECK: tile.store
// CHECK: %[[F:.*]] = tile.gemm
// CHECK: return %[[D]], %[[D]], %[[F]]
func.func @products_of_memory(%a: tensor<16x16xf16>) -> (tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>) {
  %s = tile.alloc : memref<16x16xf16, #shared>
  tile.store %a, %s : tensor<16x16xf16>, memref<16x16xf16, #shared>
  %d = tile.gemm %a, %s : tensor<16x16xf16>, memref<16x16xf16, #shared> -> tensor<16x16xf32>
  %e = tile.gemm %a, %s : tensor<16x16xf16>, memref<16x16xf16, #shared> -> tensor<16x16xf32>
  tile.store %d, %s : tensor<16x16xf32>, memref<16x16xf16, #shared>
  %f = tile.gemm %a, %s : tensor<16x16xf16>, memref<16x16xf16, #shared> -> tensor<16x16xf32>
  return %d, %e, %f : tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>
}

// CHECK-LABEL: func @fresh_buffers
// CHECK: tile.alloc
// CHECK: tile.alloc
func.func @fresh_buffers(%a: tensor<16xf32>, %b: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
  %s = tile.alloc : memref<16xf32, #shared>
  %t = tile.alloc : memref<16xf32, #shared>
  tile.store %a, %s : tensor<16xf32>, memref<16xf32, #shared>
  tile.store %b, %t : tensor<16xf32>, memref<16xf32, #shared>
  %x = tile.load %s : memref<16xf32, #shared> -> tensor<16xf32>
  %y = tile.load %t : memref<16xf32, #shared> -> tensor<16xf32>
  return %x, %y : tensor<16xf32>, tensor<16xf32>
}

// CHECK-LABEL: func @dead
// CHECK-NOT: tile.load
// CHECK-NOT: tile.reduce
// CHECK-NOT: tile.parallel (%i, %j)
// CHECK: tile.print
// CHECK: tile.atomic_rmw
// CHECK: tile.parallel (%i) in (16)
// CHECK: return
func.func @dead(%m: memref<16xf32>, %v: f32, %y: tensor<16xf32>) {
  %x = tile.load %m : memref<16xf32> -> tensor<16xf32>
  %r = tile.reduce <add> %x dims [0] : tensor<16xf32> -> tensor<f32>
  %p = tile.parallel (%i, %j) in (4, 4) -> (tensor<4x4xf32>) {
    %e = memref.load %m[%i] : memref<16xf32>
    tile.yield %e : f32
  }
  tile.print "v" %v : f32
  tile.atomic_rmw addf %y, %m : tensor<16xf32>, memref<16xf32>
  tile.parallel (%i) in (16) {
    memref.store %v, %m[%i] : memref<16xf32>
  }
  return
}
