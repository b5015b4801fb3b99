// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s

#shared = #gpu.address_space<workgroup>
#a = #tile.fragment<[1, 128], register = [], lane = [32 : (0, 1)], warp = [4 : (0, 32)]>
#p = #tile.fragment<[1, 4], register = [], lane = [32 : (0, 0)], warp = [4 : (0, 1)]>

// CHECK-LABEL: func @partial_reduce
func.func @partial_reduce(%x: tensor<1x128xf32, #a>, %y: tensor<1x128xf32>) {
  // CHECK: tile.partial_reduce <add> %{{.*}} dims [1] : tensor<1x128xf32, #tile.fragment<{{.*}}>> -> tensor<1x4xf32, #tile.fragment<{{.*}}>>
  %r = tile.partial_reduce <add> %x dims [1] : tensor<1x128xf32, #a> -> tensor<1x4xf32, #p>
  // CHECK: tile.partial_reduce <add> %{{.*}} dims [1] fastmath<contract> : tensor<1x128xf32,
  %s = tile.partial_reduce <add> %x dims [1] fastmath<contract> : tensor<1x128xf32, #a> -> tensor<1x4xf32, #p>
  // CHECK: tile.convert_layout %{{.*}} : tensor<1x128xf32> to tensor<1x128xf32, #tile.fragment<{{.*}}>>
  %c = tile.convert_layout %y : tensor<1x128xf32> to tensor<1x128xf32, #a>
  return
}

// CHECK-LABEL: func @arena
func.func @arena(%m: memref<16xf32>, %v: f32, %i: index) {
  // CHECK: %[[A:.*]] = tile.arena 8192 {lower_bound = 8000 : i64} : memref<8192xi8, #gpu.address_space<workgroup>>
  %a = tile.arena 8192 {lower_bound = 8000} : memref<8192xi8, #shared>
  // CHECK: tile.view %[[A]][4096] layout(#tile.shared<[32, 32]>) : memref<8192xi8, #gpu.address_space<workgroup>> to memref<32x32xf32, #gpu.address_space<workgroup>>
  %s = tile.view %a[4096] layout(#tile.shared<[32, 32]>) : memref<8192xi8, #shared> to memref<32x32xf32, #shared>
  // CHECK: tile.view %[[A]][0] layout(#tile.shared<[3, 32]>) :
  %placed = tile.view %a[0] layout(#tile.shared<[3, 32]>) : memref<8192xi8, #shared> to memref<3x32xf32, #shared>
  // CHECK: tile.copy_commit
  tile.copy_commit
  // CHECK: tile.copy_wait {pending = 1 : i64}
  tile.copy_wait {pending = 1}
  // CHECK: tile.copy_wait{{$}}
  tile.copy_wait
  // CHECK: tile.barrier{{$}}
  tile.barrier
  // CHECK: tile.barrier {scope = #tile.scope<warp>}
  tile.barrier {scope = #tile.scope<warp>}
  // CHECK: tile.once {
  // CHECK-NEXT: memref.store
  // CHECK-NEXT: }
  tile.once {
    memref.store %v, %m[%i] : memref<16xf32>
  }
  return
}

// CHECK-LABEL: func @tensor_map
func.func @tensor_map(%m: memref<?x512xf16>) {
  // CHECK: tile.encode_tensor_map %{{.*}} box [128, 64] swizzle 128 : memref<?x512xf16>
  %map = tile.encode_tensor_map %m box [128, 64] swizzle 128 : memref<?x512xf16>
  return
}

// CHECK-LABEL: func @image_map
func.func @image_map(%m: memref<?x56x56x128xf16>) {
  // CHECK: tile.encode_tensor_map %{{.*}} im2col lower [-1, -2] upper [-1, 0] strides [2, 1] box [256, 64] swizzle 128 : memref<?x56x56x128xf16>
  %map = tile.encode_tensor_map %m im2col lower [-1, -2] upper [-1, 0] strides [2, 1] box [256, 64] swizzle 128 : memref<?x56x56x128xf16>
  return
}
