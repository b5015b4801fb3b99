// Accumulators that are used again are cloned.
// DEFINE: %{until} = --tile-logical-phase=chip=sm_90a --tile-layout-phase=bulk-copies --tile-pipeline-loops
// RUN: tile-opt %s %{until} --tile-overlap-products --split-input-file | FileCheck %s
// RUN: tile-opt %s %{until} --tile-overlap-products --split-input-file --verify-diagnostics --remark-format=emitRemark --remarks-filter=tile-overlap-products -o /dev/null
#shared = #gpu.address_space<workgroup>
// A sum that is stored behind the product that adds to it.
// CHECK-LABEL: func @behind
// CHECK: %[[S:.*]] = tile.gemm
// CHECK: %[[C:.*]] = tile.clone %[[S]]
// CHECK: tile.gemm %{{.*}}, %{{.*}}, %[[C]]
// CHECK: tile.store %[[S]]
func.func @behind(%A: memref<64x64xf16>, %B: memref<64x64xf16>, %O: memref<64x64xf32>, %P: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @behind blocks(%x) in (%c1) threads(128) {
    %a = tile.alloc : memref<64x64xf16, #shared>
    %b = tile.alloc : memref<64x64xf16, #shared>
    tile.copy %A to %a : memref<64x64xf16> to memref<64x64xf16, #shared>
    tile.copy %B to %b : memref<64x64xf16> to memref<64x64xf16, #shared>
    %s = tile.gemm %a, %b : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
    // expected-remark @below {{[Missed] ClonedAccumulator | Category:tile-overlap-products | Function=behind | Reason="32 registers a thread are copied: the accumulator is used again behind the product"}}
    %t = tile.gemm %a, %b, %s : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
    tile.store %t, %O : tensor<64x64xf32>, memref<64x64xf32>
    tile.store %s, %P : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// -----

#shared = #gpu.address_space<workgroup>
// One that is stored in front of it.
// CHECK-LABEL: func @in_front
// CHECK-NOT: tile.clone
// CHECK: return
func.func @in_front(%A: memref<64x64xf16>, %B: memref<64x64xf16>, %O: memref<64x64xf32>, %P: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @in_front blocks(%x) in (%c1) threads(128) {
    %a = tile.alloc : memref<64x64xf16, #shared>
    %b = tile.alloc : memref<64x64xf16, #shared>
    tile.copy %A to %a : memref<64x64xf16> to memref<64x64xf16, #shared>
    tile.copy %B to %b : memref<64x64xf16> to memref<64x64xf16, #shared>
    %s = tile.gemm %a, %b : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
    tile.store %s, %P : tensor<64x64xf32>, memref<64x64xf32>
    %t = tile.gemm %a, %b, %s : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
    tile.store %t, %O : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// -----

#shared = #gpu.address_space<workgroup>
// Two products, which run together, add to it: the second may have it.
// CHECK-LABEL: func @two_products
// CHECK: %[[P:.*]] = tile.gemm_async
// CHECK: %[[S:.*]] = tile.wait %[[P]]
// CHECK: %[[C:.*]] = tile.clone %[[S]]
// CHECK: tile.gemm_async %{{.*}}, %{{.*}}, %[[C]]
// CHECK-NOT: tile.clone
// CHECK: tile.gemm_async %{{.*}}, %{{.*}}, %[[S]]
func.func @two_products(%A: memref<64x64xf16>, %B: memref<64x64xf16>, %O: memref<64x64xf32>, %P: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @two_products blocks(%x) in (%c1) threads(128) {
    %a = tile.alloc : memref<64x64xf16, #shared>
    %b = tile.alloc : memref<64x64xf16, #shared>
    tile.copy %A to %a : memref<64x64xf16> to memref<64x64xf16, #shared>
    tile.copy %B to %b : memref<64x64xf16> to memref<64x64xf16, #shared>
    %s = tile.gemm %a, %b : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
    // expected-remark @below {{[Missed] ClonedAccumulator | Category:tile-overlap-products | Function=two_products | Reason="32 registers a thread are copied: the accumulator is used again behind the product"}}
    %t = tile.gemm %a, %b, %s : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
    %u = tile.gemm %a, %b, %s {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
    tile.store %t, %O : tensor<64x64xf32>, memref<64x64xf32>
    tile.store %u, %P : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// -----

#shared = #gpu.address_space<workgroup>
// Of two branches one runs.
// CHECK-LABEL: func @branches
// CHECK-NOT: tile.clone
// CHECK: return
func.func @branches(%A: memref<64x64xf16>, %B: memref<64x64xf16>, %O: memref<64x64xf32>, %P: memref<64x64xf32>, %is: i1) {
  %c1 = arith.constant 1 : index
  tile.launch @branches blocks(%x) in (%c1) threads(128) {
    %a = tile.alloc : memref<64x64xf16, #shared>
    %b = tile.alloc : memref<64x64xf16, #shared>
    tile.copy %A to %a : memref<64x64xf16> to memref<64x64xf16, #shared>
    tile.copy %B to %b : memref<64x64xf16> to memref<64x64xf16, #shared>
    %s = tile.gemm %a, %b : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
    %r = scf.if %is -> (tensor<64x64xf32>) {
      %t = tile.gemm %a, %b, %s : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %t : tensor<64x64xf32>
    } else {
      scf.yield %s : tensor<64x64xf32>
    }
    tile.store %r, %O : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// -----

#shared = #gpu.address_space<workgroup>
// The next iteration adds to it again.
// CHECK-LABEL: func @from_outside
// CHECK: %[[S:.*]] = tile.gemm
// CHECK: scf.for
// CHECK: %[[C:.*]] = tile.clone %[[S]]
// CHECK: tile.gemm %{{.*}}, %{{.*}}, %[[C]]
func.func @from_outside(%A: memref<64x64xf16>, %B: memref<64x64xf16>, %O: memref<64x64xf32>, %P: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @from_outside blocks(%x) in (%c1) threads(128) {
    %a = tile.alloc : memref<64x64xf16, #shared>
    %b = tile.alloc : memref<64x64xf16, #shared>
    tile.copy %A to %a : memref<64x64xf16> to memref<64x64xf16, #shared>
    tile.copy %B to %b : memref<64x64xf16> to memref<64x64xf16, #shared>
    %s = tile.gemm %a, %b : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    scf.for %i = %c0 to %c4 step %c1 {
      // expected-remark @below {{[Missed] ClonedAccumulator | Category:tile-overlap-products | Function=from_outside | Reason="32 registers a thread are copied: the accumulator is used again behind the product"}}
      %t = tile.gemm %a, %b, %s : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      tile.store %t, %O : tensor<64x64xf32>, memref<64x64xf32>
    }
  }
  return
}

// -----

#shared = #gpu.address_space<workgroup>
// Registers of constants are made in front; nothing is read where a product starts at zero.
// CHECK-LABEL: func @constants
// CHECK-NOT: tile.clone
// CHECK: tile.gemm
// CHECK: %[[C:.*]] = tile.clone %cst
// CHECK: tile.gemm %{{.*}}, %{{.*}}, %[[C]]
func.func @constants(%A: memref<64x64xf16>, %B: memref<64x64xf16>, %O: memref<64x64xf32>, %P: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @constants blocks(%x) in (%c1) threads(128) {
    %a = tile.alloc : memref<64x64xf16, #shared>
    %b = tile.alloc : memref<64x64xf16, #shared>
    tile.copy %A to %a : memref<64x64xf16> to memref<64x64xf16, #shared>
    tile.copy %B to %b : memref<64x64xf16> to memref<64x64xf16, #shared>
    %one = arith.constant dense<1.0> : tensor<64x64xf32>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %s = tile.gemm %a, %b, %zero : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
    tile.store %s, %O : tensor<64x64xf32>, memref<64x64xf32>
    %t = tile.gemm %a, %b, %one : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
    tile.store %t, %P : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// -----

#shared = #gpu.address_space<workgroup>
// mma.sync gives its results in other registers.
// CHECK-LABEL: func @by_warps
// CHECK-NOT: tile.clone
// CHECK: return
func.func @by_warps(%A: memref<64x64xf16>, %B: memref<64x64xf16>, %O: memref<64x64xf32>, %P: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @by_warps blocks(%x) in (%c1) threads(64) {
    %a = tile.alloc : memref<64x64xf16, #shared>
    %b = tile.alloc : memref<64x64xf16, #shared>
    tile.copy %A to %a : memref<64x64xf16> to memref<64x64xf16, #shared>
    tile.copy %B to %b : memref<64x64xf16> to memref<64x64xf16, #shared>
    %s = tile.gemm %a, %b : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
    %t = tile.gemm %a, %b, %s : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
    tile.store %t, %O : tensor<64x64xf32>, memref<64x64xf32>
    tile.store %s, %P : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}
