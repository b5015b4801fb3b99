// What brings the operands of a product from shared memory is chosen with the
// layouts: ldmatrix where rows of 16 bytes lie together, its transposing form for
// 16-bit elements that lie together across K, else loads by each thread, which a
// remark says.
// RUN: tile-opt %s --tile-infer-layouts --split-input-file --verify-diagnostics --remark-format=emitRemark --remarks-filter=tile-infer-layouts | FileCheck %s

#shared = #gpu.address_space<workgroup>
module attributes {tile.target = #tile.target<"sm_80">} {
// CHECK-LABEL: func.func @f16
// CHECK: tile.gemm
// CHECK-SAME: load_a = #tile.operand_load<<"ldmatrix.sync.aligned.m8n8.x4.shared.b16">, width = 8>
// CHECK-SAME: load_b = #tile.operand_load<<"ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16">, width = 8>
func.func @f16(%n: index, %o: memref<64x64xf32>) {
  tile.launch @k blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<logical>} {
    %a = tile.alloc : memref<64x32xf16, #shared>
    %b = tile.alloc : memref<32x64xf16, #shared>
    %d = tile.gemm %a, %b : memref<64x32xf16, #shared>, memref<32x64xf16, #shared> -> tensor<64x64xf32>
    tile.store %d, %o : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}
}

// -----

// A row of a matrix is 16 elements of 8 bits; those of B lie together across K, and come
// in pairs: each lane has four columns that follow each other.
#shared = #gpu.address_space<workgroup>
module attributes {tile.target = #tile.target<"sm_80">} {
// CHECK-LABEL: func.func @i8
// CHECK: tile.gemm
// CHECK-SAME: load_a = #tile.operand_load<<"ldmatrix.sync.aligned.m8n8.x4.shared.b16">, width = 16>
// CHECK-SAME: load_b = #tile.operand_load<<"ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16">, width = 16>
// CHECK-SAME: #tile.fragment<[64, 64], register = [4 : (0, 1), {{.*}}lane = [4 : (0, 4), 8 : (1, 0)]
func.func @i8(%n: index, %o: memref<64x64xi32>) {
  tile.launch @k blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<logical>} {
    %a = tile.alloc : memref<64x32xi8, #shared>
    %b = tile.alloc : memref<32x64xi8, #shared>
    %d = tile.gemm %a, %b : memref<64x32xi8, #shared>, memref<32x64xi8, #shared> -> tensor<64x64xi32>
    tile.store %d, %o : tensor<64x64xi32>, memref<64x64xi32>
  }
  return
}
}

// -----

// Eight columns are no pair of tiles.
#shared = #gpu.address_space<workgroup>
module attributes {tile.target = #tile.target<"sm_80">} {
// CHECK-LABEL: func.func @alone
// CHECK: tile.gemm
// CHECK-SAME: load_b = #tile.operand_load<<"ld">, width = 1>
func.func @alone(%n: index, %o: memref<64x8xi32>) {
  tile.launch @k blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<logical>} {
    %a = tile.alloc : memref<64x32xi8, #shared>
    %b = tile.alloc : memref<32x8xi8, #shared>
    // expected-remark @below {{[Missed] OperandByElements | Category:tile-infer-layouts | Function=k | Reason="operand b is loaded 1 elements at a time by each thread; ldmatrix needs rows of 16 bytes that lie together along K, or, of elements of 8 and 16 bits, across it"}}
    %d = tile.gemm %a, %b : memref<64x32xi8, #shared>, memref<32x8xi8, #shared> -> tensor<64x8xi32>
    tile.store %d, %o : tensor<64x8xi32>, memref<64x8xi32>
  }
  return
}
}

// -----

// Rows at a pitch of 17 elements: neither direction has 16 aligned bytes. f64 has no
// matrix loads, so there is nothing to say.
#shared = #gpu.address_space<workgroup>
module attributes {tile.target = #tile.target<"sm_80">} {
// CHECK-LABEL: func.func @pitch
// CHECK: tile.gemm
// CHECK-SAME: load_a = #tile.operand_load<<"ld">, width = 1>
// CHECK-SAME: load_b = #tile.operand_load<<"ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16">, width = 8>
// CHECK: tile.gemm
// CHECK-SAME: load_a = #tile.operand_load<<"ld">, width = 1>
func.func @pitch(%n: index, %o: memref<32x32xf32>, %q: memref<32x32xf64>) {
  tile.launch @k blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<logical>} {
    %a = tile.alloc layout(#tile.shared<[32, 16], pad = 1>) : memref<32x16xf16, #shared>
    %b = tile.alloc : memref<16x32xf16, #shared>
    // expected-remark @below {{"operand a is loaded 1 elements at a time by each thread; ldmatrix needs rows of 16 bytes that lie together along K, or, of elements of 8 and 16 bits, across it"}}
    %d = tile.gemm %a, %b : memref<32x16xf16, #shared>, memref<16x32xf16, #shared> -> tensor<32x32xf32>
    tile.store %d, %o : tensor<32x32xf32>, memref<32x32xf32>
    %r = tile.alloc : memref<32x4xf64, #shared>
    %s = tile.alloc : memref<4x32xf64, #shared>
    %e = tile.gemm %r, %s : memref<32x4xf64, #shared>, memref<4x32xf64, #shared> -> tensor<32x32xf64>
    tile.store %e, %q : tensor<32x32xf64>, memref<32x32xf64>
  }
  return
}
}
