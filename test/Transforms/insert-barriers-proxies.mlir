// What threads wrote is shown to the asynchronous proxy before products read it through
// descriptors: behind the wait for copies, in front of the barrier, as rarely as possible.
// RUN: tile-opt %s --tile-insert-barriers --split-input-file | FileCheck %s
// RUN: tile-opt %s --tile-insert-barriers --tile-check-barriers --split-input-file -o /dev/null
// RUN: tile-opt %s --tile-insert-barriers --split-input-file --remark-format=emitRemark --remarks-filter=tile-insert-barriers -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

#shared = #gpu.address_space<workgroup>
#l = #tile.shared<[64, 64], swizzle = 128>
#f = #tile.fragment<[64, 64], register = [8 : (0, 1), 4 : (16, 0)], lane = [8 : (0, 8), 4 : (1, 0)], warp = [4 : (4, 0)]>
#d = #tile.fragment<[64, 64], register = [2 : (0, 1), 2 : (8, 0), 8 : (0, 8)], lane = [4 : (0, 2), 8 : (1, 0)], warp = [4 : (16, 0)]>
module attributes {tile.target = #tile.target<"sm_90a">} {
// One fence for what was copied and what was stored.
// CHECK-LABEL: func @written
// CHECK: tile.store
// CHECK-NEXT: tile.copy_wait
// CHECK-NEXT: tile.proxy_fence
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.gemm
// CHECK-NOT: tile.proxy_fence
// CHECK: return
// REMARK: [Analysis] ProxyFence {{.*}}each thread shows what it wrote to the asynchronous proxy between the access at
func.func @written(%n: index, %m: memref<64x64xf16>) {
  tile.launch @written blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<placed>} {
    %arena = tile.arena 16384 : memref<16384xi8, #shared>
    %a = tile.view %arena[0] layout(#l) : memref<16384xi8, #shared> to memref<64x64xf16, #shared>
    %b = tile.view %arena[8192] layout(#l) : memref<16384xi8, #shared> to memref<64x64xf16, #shared>
    %t = arith.constant dense<1.0> : tensor<64x64xf16, #f>
    tile.copy %m to %a {instruction = #tile.instruction<"cp.async">, layout = #f, vector_width = 8 : i64} : memref<64x64xf16> to memref<64x64xf16, #shared>
    tile.store %t, %b : tensor<64x64xf16, #f>, memref<64x64xf16, #shared>
    %p = tile.gemm %a, %b {instruction = #tile.instruction<"wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16.ss">, warp_grid = array<i64: 1, 1>} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32, #d>
  }
  return
}
}

// -----

#shared = #gpu.address_space<workgroup>
#l = #tile.shared<[64, 64], swizzle = 128>
#f = #tile.fragment<[64, 64], register = [8 : (0, 1), 4 : (16, 0)], lane = [8 : (0, 8), 4 : (1, 0)], warp = [4 : (4, 0)]>
#d = #tile.fragment<[64, 64], register = [2 : (0, 1), 2 : (8, 0), 8 : (0, 8)], lane = [4 : (0, 2), 8 : (1, 0)], warp = [4 : (16, 0)]>
module attributes {tile.target = #tile.target<"sm_90a">} {
// What is written in front of the loop is shown there.
// CHECK-LABEL: func @in_front_of_a_loop
// CHECK: tile.store
// CHECK-NEXT: tile.proxy_fence
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: scf.for
// CHECK-NOT: tile.proxy_fence
// CHECK-NOT: tile.barrier
// CHECK: return
func.func @in_front_of_a_loop(%n: index) {
  tile.launch @loop blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<placed>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %arena = tile.arena 8192 : memref<8192xi8, #shared>
    %a = tile.view %arena[0] layout(#l) : memref<8192xi8, #shared> to memref<64x64xf16, #shared>
    %t = arith.constant dense<1.0> : tensor<64x64xf16, #f>
    tile.store %t, %a : tensor<64x64xf16, #f>, memref<64x64xf16, #shared>
    scf.for %i = %c0 to %n step %c1 {
      %p = tile.gemm %a, %a {instruction = #tile.instruction<"wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16.ss">, warp_grid = array<i64: 1, 1>} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32, #d>
    }
  }
  return
}
}

// -----

#shared = #gpu.address_space<workgroup>
#l = #tile.shared<[64, 64], swizzle = 128>
#f = #tile.fragment<[64, 64], register = [8 : (0, 1), 4 : (16, 0)], lane = [8 : (0, 8), 4 : (1, 0)], warp = [4 : (4, 0)]>
#d = #tile.fragment<[64, 64], register = [2 : (0, 1), 2 : (8, 0), 8 : (0, 8)], lane = [4 : (0, 2), 8 : (1, 0)], warp = [4 : (16, 0)]>
module attributes {tile.target = #tile.target<"sm_90a">} {
// One barrier for who reads by loads and who reads through a descriptor; a write behind
// reads of either kind needs a barrier only.
// CHECK-LABEL: func @two_readers
// CHECK: tile.store
// CHECK-NEXT: tile.load
// CHECK-NEXT: tile.proxy_fence
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.gemm
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.store
// CHECK: return
func.func @two_readers(%n: index, %o: memref<64x64xf16>) {
  tile.launch @readers blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<placed>} {
    %arena = tile.arena 8192 : memref<8192xi8, #shared>
    %a = tile.view %arena[0] layout(#l) : memref<8192xi8, #shared> to memref<64x64xf16, #shared>
    %t = arith.constant dense<1.0> : tensor<64x64xf16, #f>
    tile.store %t, %a : tensor<64x64xf16, #f>, memref<64x64xf16, #shared>
    %r = tile.load %a : memref<64x64xf16, #shared> -> tensor<64x64xf16, #f>
    %p = tile.gemm %a, %a {instruction = #tile.instruction<"wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16.ss">, warp_grid = array<i64: 1, 1>} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32, #d>
    tile.store %r, %a : tensor<64x64xf16, #f>, memref<64x64xf16, #shared>
  }
  return
}
}

// -----

#shared = #gpu.address_space<workgroup>
#l = #tile.shared<[64, 64], swizzle = 128>
#f = #tile.fragment<[64, 64], register = [8 : (0, 1), 4 : (16, 0)], lane = [8 : (0, 8), 4 : (1, 0)], warp = [4 : (4, 0)]>
#d = #tile.fragment<[64, 64], register = [2 : (0, 1), 2 : (8, 0), 8 : (0, 8)], lane = [4 : (0, 2), 8 : (1, 0)], warp = [4 : (16, 0)]>
module attributes {tile.target = #tile.target<"sm_90a">} {
// A product in flight reads until it is waited for, by its warpgroup; then the block meets.
// What a wait of the program leaves is waited for in front of the same barrier.
// CHECK-LABEL: func @in_flight
// CHECK: tile.gemm_async
// CHECK: tile.gemm_async
// CHECK-NEXT: tile.product_wait {pending = 1 : i64}
// CHECK-NEXT: tile.product_wait {pending = 0 : i64}
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.store
// CHECK-NEXT: tile.store
// CHECK-NEXT: tile.product_wait
// CHECK-NEXT: tile.wait
// CHECK-NEXT: tile.wait
// CHECK: return
// REMARK: [Analysis] ProductWait {{.*}}each warpgroup waits for its products between the access at
func.func @in_flight(%n: index) {
  tile.launch @flight blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<placed>} {
    %arena = tile.arena 16384 : memref<16384xi8, #shared>
    %a = tile.view %arena[0] layout(#l) : memref<16384xi8, #shared> to memref<64x64xf16, #shared>
    %b = tile.view %arena[8192] layout(#l) : memref<16384xi8, #shared> to memref<64x64xf16, #shared>
    %t = arith.constant dense<1.0> : tensor<64x64xf16, #f>
    %p = tile.gemm_async %a, %a {instruction = #tile.instruction<"wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16.ss">, warp_grid = array<i64: 1, 1>} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> !tile.pending<tensor<64x64xf32, #d>>
    %q = tile.gemm_async %b, %b {instruction = #tile.instruction<"wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16.ss">, warp_grid = array<i64: 1, 1>} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> !tile.pending<tensor<64x64xf32, #d>>
    tile.product_wait {pending = 1 : i64}
    tile.store %t, %a : tensor<64x64xf16, #f>, memref<64x64xf16, #shared>
    tile.store %t, %b : tensor<64x64xf16, #f>, memref<64x64xf16, #shared>
    tile.product_wait {pending = 0 : i64}
    %c = tile.wait %p : !tile.pending<tensor<64x64xf32, #d>>
    %e = tile.wait %q : !tile.pending<tensor<64x64xf32, #d>>
  }
  return
}
}

// -----

#shared = #gpu.address_space<workgroup>
#k = #tile.shared<[64, 32], swizzle = 64>
#l = #tile.shared<[64, 64], swizzle = 128>
#w = #tile.shared<[64, 4]>
#e = #tile.fragment<[64, 4], register = [2 : (0, 1)], lane = [2 : (0, 2), 16 : (1, 0)], warp = [4 : (16, 0)]>
#d = #tile.fragment<[64, 64], register = [2 : (0, 1), 2 : (8, 0), 8 : (0, 8)], lane = [4 : (0, 2), 8 : (1, 0)], warp = [4 : (16, 0)]>
module attributes {tile.target = #tile.target<"sm_90a">} {
// Threads load what a sparse product takes as metadata.
// CHECK-LABEL: func @metadata
// CHECK: tile.store
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.gemm_sparse
func.func @metadata(%n: index, %t: memref<64x4xi16>) {
  tile.launch @metadata blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<placed>} {
    %arena = tile.arena 12800 : memref<12800xi8, #shared>
    %a = tile.view %arena[0] layout(#k) : memref<12800xi8, #shared> to memref<64x32xf16, #shared>
    %b = tile.view %arena[4096] layout(#l) : memref<12800xi8, #shared> to memref<64x64xf16, #shared>
    %w = tile.view %arena[12288] layout(#w) : memref<12800xi8, #shared> to memref<64x4xi16, #shared>
    %words = tile.load %t : memref<64x4xi16> -> tensor<64x4xi16, #e>
    tile.store %words, %w : tensor<64x4xi16, #e>, memref<64x4xi16, #shared>
    %p = tile.gemm_sparse %a, %w, %b {instruction = #tile.instruction<"wgmma.mma_async.sp.sync.aligned.m64n64k32.f32.f16.f16.ss">, warp_grid = array<i64: 1, 1>} : memref<64x32xf16, #shared>, memref<64x4xi16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32, #d>
  }
  return
}
}
