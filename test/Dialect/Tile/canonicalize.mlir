// RUN: tile-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func @broadcast_splat
// CHECK-NEXT: %[[C:.*]] = arith.constant dense<2.000000e+00> : tensor<8x4xf32>
// CHECK-NEXT: return %[[C]]
func.func @broadcast_splat() -> tensor<8x4xf32> {
  %c = arith.constant dense<2.0> : tensor<8xf32>
  %b = tile.broadcast %c dims [1] : tensor<8xf32> -> tensor<8x4xf32>
  return %b : tensor<8x4xf32>
}

// CHECK-LABEL: func @broadcast_of_list_stays
// CHECK: tile.broadcast
func.func @broadcast_of_list_stays() -> tensor<2x4xf32> {
  %c = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = tile.broadcast %c dims [1] : tensor<2xf32> -> tensor<2x4xf32>
  return %b : tensor<2x4xf32>
}

// CHECK-LABEL: func @transpose_identity
// CHECK-SAME: (%[[X:.*]]: tensor<8x4xf32>)
// CHECK-NEXT: return %[[X]]
func.func @transpose_identity(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %t = tile.transpose %x [0, 1] : tensor<8x4xf32> -> tensor<8x4xf32>
  return %t : tensor<8x4xf32>
}

// Dimension i of the result is dimension 0, 1, 2 -> [2, 0, 1] of [1, 2, 0].
// CHECK-LABEL: func @transpose_of_transpose
// CHECK-SAME: (%[[X:.*]]: tensor<2x3x5xf32>)
// CHECK-NEXT: %[[T:.*]] = tile.transpose %[[X]] [2, 0, 1] : tensor<2x3x5xf32> -> tensor<5x2x3xf32>
// CHECK-NEXT: return %[[T]], %[[X]]
func.func @transpose_of_transpose(%x: tensor<2x3x5xf32>) -> (tensor<5x2x3xf32>, tensor<2x3x5xf32>) {
  %a = tile.transpose %x [1, 2, 0] : tensor<2x3x5xf32> -> tensor<3x5x2xf32>
  %b = tile.transpose %a [1, 2, 0] : tensor<3x5x2xf32> -> tensor<5x2x3xf32>
  %c = tile.transpose %a [2, 0, 1] : tensor<3x5x2xf32> -> tensor<2x3x5xf32>
  return %b, %c : tensor<5x2x3xf32>, tensor<2x3x5xf32>
}

// CHECK-LABEL: func @bitcasts
// CHECK-SAME: (%[[X:.*]]: tensor<8x4xi8>)
// CHECK-NEXT: return %[[X]], %[[X]]
func.func @bitcasts(%x: tensor<8x4xi8>) -> (tensor<8x4xi8>, tensor<8x4xi8>) {
  %a = tile.bitcast %x : tensor<8x4xi8> -> tensor<8x4xi8>
  %b = tile.bitcast %x : tensor<8x4xi8> -> tensor<8x8xi4>
  %c = tile.bitcast %b : tensor<8x8xi4> -> tensor<8x4xi8>
  return %a, %c : tensor<8x4xi8>, tensor<8x4xi8>
}

#a = #tile.fragment<[64], register = [2 : (1)], lane = [32 : (2)], warp = []>
#b = #tile.fragment<[64], register = [2 : (32)], lane = [32 : (1)], warp = []>
#c = #tile.fragment<[64], register = [], lane = [32 : (2)], warp = [2 : (1)]>

// CHECK-LABEL: func @convert_layouts
// CHECK-SAME: (%[[X:.*]]: tensor<64xf32, #tile.fragment<[64], register = [2 : (1)], lane = [32 : (2)], warp = []>>)
// CHECK-NEXT: %[[C:.*]] = tile.convert_layout %[[X]] : {{.*}} to tensor<64xf32, #tile.fragment<[64], register = [], lane = [32 : (2)], warp = [2 : (1)]>>
// CHECK-NEXT: return %[[X]], %[[X]], %[[C]]
func.func @convert_layouts(%x: tensor<64xf32, #a>) -> (tensor<64xf32, #a>, tensor<64xf32, #a>, tensor<64xf32, #c>) {
  %i = tile.convert_layout %x : tensor<64xf32, #a> to tensor<64xf32, #a>
  %p = tile.convert_layout %x : tensor<64xf32, #a> to tensor<64xf32, #b>
  %q = tile.convert_layout %p : tensor<64xf32, #b> to tensor<64xf32, #a>
  %r = tile.convert_layout %p : tensor<64xf32, #b> to tensor<64xf32, #c>
  return %i, %q, %r : tensor<64xf32, #a>, tensor<64xf32, #a>, tensor<64xf32, #c>
}

// CHECK-LABEL: func @convert_layout_of_constant
// CHECK-NEXT: %[[C:.*]] = arith.constant dense<1.000000e+00> : tensor<64xf32, #tile.fragment<[64], register = [2 : (1)], lane = [32 : (2)], warp = []>>
// CHECK-NEXT: return %[[C]]
func.func @convert_layout_of_constant() -> tensor<64xf32, #a> {
  %x = arith.constant dense<1.0> : tensor<64xf32>
  %i = tile.convert_layout %x : tensor<64xf32> to tensor<64xf32, #a>
  return %i : tensor<64xf32, #a>
}

// CHECK-LABEL: func @asserts
// CHECK-NEXT: %[[F:.*]] = arith.constant false
// CHECK-NEXT: tile.assert %[[F]], "false"
// CHECK-NEXT: return
func.func @asserts() {
  %true = arith.constant true
  %false = arith.constant false
  tile.assert %true, "true"
  tile.assert %false, "false"
  return
}

// CHECK-LABEL: func @assume_divisible
// CHECK-SAME: (%[[N:.*]]: index)
// CHECK-DAG: %[[C32:.*]] = arith.constant 32 : index
// CHECK-DAG: %[[C33:.*]] = arith.constant 33 : index
// CHECK: %[[D:.*]] = tile.assume_divisible %[[C33]] by 16 : index
// CHECK: return %[[N]], %[[C32]], %[[D]]
func.func @assume_divisible(%n: index) -> (index, index, index) {
  %c32 = arith.constant 32 : index
  %c33 = arith.constant 33 : index
  %a = tile.assume_divisible %n by 1 : index
  %b = tile.assume_divisible %c32 by 16 : index
  %c = tile.assume_divisible %c33 by 16 : index
  return %a, %b, %c : index, index, index
}

// Constants stay in their launch and are not shared between two.
// CHECK-LABEL: func @constants_stay_inside
// CHECK-NEXT: tile.launch
// CHECK-NEXT: arith.constant 1.0
// CHECK: tile.launch
// CHECK-NEXT: arith.constant 1.0
func.func @constants_stay_inside(%n: index, %m: memref<?xf32>) {
  tile.launch blocks(%a) in (%n) threads(32) {
    %one = arith.constant 1.0 : f32
    memref.store %one, %m[%a] : memref<?xf32>
  }
  tile.launch blocks(%a) in (%n) threads(32) {
    %one = arith.constant 1.0 : f32
    memref.store %one, %m[%a] : memref<?xf32>
  }
  return
}
