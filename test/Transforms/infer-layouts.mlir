// RUN: tile-opt %s --tile-infer-layouts --split-input-file | FileCheck %s

// The founding regression: a box of 128 x 4 over 128 threads, with an operand that
// alone would be replicated, holds 4 elements a thread in every fragment.
// CHECK-LABEL: func @founding
// CHECK: tile.load {{.*}} tensor<128x4xf32, #tile.fragment<[128, 4], register = [4 : (0, 1)], lane = [32 : (1, 0)], warp = [4 : (32, 0)]>>
// CHECK: tile.load {{.*}} tensor<4xf32, #tile.fragment<[4], register = [4 : (1)], lane = [32 : (0)], warp = [4 : (0)]>>
// CHECK-NOT: tile.convert_layout
// CHECK: tile.parallel
// CHECK-SAME: layout = #tile.fragment<[128, 4], register = [4 : (0, 1)], lane = [32 : (1, 0)], warp = [4 : (32, 0)]>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @founding(%n: index, %a: memref<128x4xf32>, %b: memref<4xf32>) {
  tile.launch @k blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<logical>} {
    %t = tile.load %a : memref<128x4xf32> -> tensor<128x4xf32>
    %u = tile.load %b : memref<4xf32> -> tensor<4xf32>
    %p = tile.parallel (%i, %j) in (128, 4) -> (tensor<128x4xf32>) {
      %e = tensor.extract %t[%i, %j] : tensor<128x4xf32>
      %f = tensor.extract %u[%j] : tensor<4xf32>
      %s = arith.addf %e, %f : f32
      tile.yield %s : f32
    }
    tile.store %p, %a : tensor<128x4xf32>, memref<128x4xf32>
  }
  return
}
}

// -----

// A gemm's result keeps its rows in one warp where row statistics follow, and is the
// next gemm's operand without a conversion. Buffers get layouts without conflicts,
// copies 16-byte asynchronous accesses.
// CHECK-LABEL: func @attention_step
// CHECK: tile.alloc layout(#tile.shared<[64, 64], offset = [64 : (0, 1), 64 : (1, 0)], xor = [3, 4, 3]>)
// CHECK: tile.copy {{.*}}instruction = #tile.instruction<"cp.async">{{.*}}vector_width = 8 : i64
// CHECK: tile.gemm {{.*}}instruction = #tile.instruction<"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32">
// CHECK-SAME: tensor<64x64xf32, #tile.fragment<[64, 64], register = [2 : (0, 1), 2 : (8, 0), 8 : (0, 8)], lane = [4 : (0, 2), 8 : (1, 0)], warp = [4 : (16, 0)]>>
// CHECK: tile.reduce {{.*}} tensor<64xf32, #tile.fragment<[64], register = [2 : (8)], lane = [4 : (0), 8 : (1)], warp = [4 : (16)]>>
// CHECK-NOT: tile.convert_layout
// CHECK: tile.gemm
// CHECK-NOT: tile.convert_layout
// CHECK: return
#shared = #gpu.address_space<workgroup>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @attention_step(%n: index, %a: memref<64x64xf16>, %b: memref<64x64xf16>, %o: memref<64x64xf32>) {
  tile.launch @k blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<logical>} {
    %q = tile.alloc : memref<64x64xf16, #shared>
    %k = tile.alloc : memref<64x64xf16, #shared>
    tile.copy %a to %q : memref<64x64xf16> to memref<64x64xf16, #shared>
    tile.copy %b to %k : memref<64x64xf16> to memref<64x64xf16, #shared>
    %s = tile.gemm %q, %k {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
    %m = tile.reduce <maximumf> %s dims [1] : tensor<64x64xf32> -> tensor<64xf32>
    %w = tile.broadcast %m dims [1] : tensor<64xf32> -> tensor<64x64xf32>
    %d = arith.subf %s, %w : tensor<64x64xf32>
    %p = arith.truncf %d : tensor<64x64xf32> to tensor<64x64xf16>
    %r = tile.gemm %p, %k : tensor<64x64xf16>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
    tile.store %r, %o : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}
}

// -----

// Operands that disagree are converted, not refused: what the user fixed stays.
// CHECK-LABEL: func @fixed
// CHECK: %[[A:.+]] = tile.load
// CHECK: %[[B:.+]] = tile.load
// CHECK: %[[C:.+]] = tile.convert_layout %[[B]]
// CHECK: arith.addf %[[A]], %[[C]] : tensor<32x32xf32, #tile.fragment<[32, 32], register = [32 : (0, 1)], lane = [32 : (1, 0)], warp = []>>
#rows = #tile.fragment<[32, 32], register = [32 : (0, 1)], lane = [32 : (1, 0)], warp = []>
#cols = #tile.fragment<[32, 32], register = [32 : (1, 0)], lane = [32 : (0, 1)], warp = []>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @fixed(%n: index, %a: memref<32x32xf32>) {
  tile.launch @k blocks(%x) in (%n) threads(32) attributes {stage = #tile.stage<logical>} {
    %t = tile.load %a : memref<32x32xf32> -> tensor<32x32xf32, #rows>
    %u = tile.load %a : memref<32x32xf32> -> tensor<32x32xf32, #cols>
    %v = tile.convert_layout %u : tensor<32x32xf32, #cols> to tensor<32x32xf32, #rows>
    %s = arith.addf %t, %v : tensor<32x32xf32, #rows>
    tile.store %s, %a : tensor<32x32xf32, #rows>, memref<32x32xf32>
  }
  return
}
}

// -----

// One constant in two layouts is two constants.
// CHECK-LABEL: func @shared_constant
// CHECK: arith.constant dense<1.000000e+00> : tensor<64x4xf32, #
// CHECK: arith.constant dense<1.000000e+00> : tensor<64x4xf32, #
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @shared_constant(%n: index, %a: memref<64x4xf32>, %b: memref<4x64xf32>) {
  tile.launch @k blocks(%x) in (%n) threads(32) attributes {stage = #tile.stage<logical>} {
    %one = arith.constant dense<1.0> : tensor<64x4xf32>
    %t = tile.load %a : memref<64x4xf32> -> tensor<64x4xf32>
    %s = arith.addf %t, %one : tensor<64x4xf32>
    tile.store %s, %a : tensor<64x4xf32>, memref<64x4xf32>
    %u = tile.transpose %one [1, 0] : tensor<64x4xf32> -> tensor<4x64xf32>
    tile.store %u, %b : tensor<4x64xf32>, memref<4x64xf32>
  }
  return
}
}

// -----

// A reduction along the contiguous dimension stays inside a warp where there are rows
// for all warps.
// CHECK-LABEL: func @rows_to_warps
// CHECK: tile.load {{.*}} register = [4 : (0, 1)], lane = [32 : (0, 4)], warp = [4 : (1, 0)]>>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @rows_to_warps(%n: index, %a: memref<4x128xf32>, %b: memref<4xf32>) {
  tile.launch @k blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<logical>} {
    %t = tile.load %a : memref<4x128xf32> -> tensor<4x128xf32>
    %s = tile.reduce <add> %t dims [1] : tensor<4x128xf32> -> tensor<4xf32>
    tile.store %s, %b : tensor<4xf32>, memref<4xf32>
  }
  return
}
}

// -----

// Warps go to a dimension that is not scanned, in either direction; `init` has the
// operand's layout without the scanned dimension.
// CHECK-LABEL: func @scans
// CHECK: tile.load {{.*}} -> tensor<64x128xf32, #tile.fragment<[64, 128], register = [4 : (0, 1), 16 : (1, 0)], lane = [32 : (0, 4)], warp = [4 : (16, 0)]>>
// CHECK: tile.scan <add> {{.*}} dim 1
// CHECK-NOT: tile.convert_layout
// CHECK: tile.load {{.*}} -> tensor<64x128xf32, #tile.fragment<[64, 128], {{.*}} warp = [4 : (0, 32)]>>
// CHECK-NOT: tile.convert_layout
// CHECK: tile.scan {{.*}} dim 0 init
// CHECK-NOT: tile.convert_layout
// CHECK: return
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @scans(%n: index, %a: memref<64x128xf32>, %b: memref<128xf32>) {
  tile.launch @k blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<logical>} {
    %t = tile.load %a : memref<64x128xf32> -> tensor<64x128xf32>
    %s = tile.scan <add> %t dim 1 : tensor<64x128xf32>
    tile.store %s, %a : tensor<64x128xf32>, memref<64x128xf32>
    %u = tile.load %a : memref<64x128xf32> -> tensor<64x128xf32>
    %i = tile.load %b : memref<128xf32> -> tensor<128xf32>
    %v = tile.scan (%u) dim 0 init(%i) {exclusive} : (tensor<64x128xf32>) {
    ^bb0(%l: f32, %r: f32):
      %m = arith.addf %l, %r : f32
      tile.yield %m : f32
    }
    tile.store %v, %a : tensor<64x128xf32>, memref<64x128xf32>
  }
  return
}
}

// -----

// As many channels as stand together move asynchronously.
// CHECK-LABEL: func @im2col
// CHECK: tile.im2col {{.*}}instruction = #tile.instruction<"cp.async">{{.*}}layout = #tile.fragment<[64, 48], register = [8 : (0, 1), {{.*}}vector_width = 8 : i64
#shared = #gpu.address_space<workgroup>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @im2col(%n: index, %a: memref<2x8x8x16xf16>) {
  tile.launch @k blocks(%x) in (%n) threads(64) attributes {stage = #tile.stage<logical>} {
    %c0 = arith.constant 0 : index
    %s = tile.alloc : memref<64x48xf16, #shared>
    tile.im2col %a[%x, %c0] to %s {kernel = [3, 3], strides = [1, 1], dilations = [1, 1], padding = [1, 1]} : memref<2x8x8x16xf16> to memref<64x48xf16, #shared>
  }
  return
}
}

// -----

// Where a warp could not hold a whole row side by side, it holds it in registers: rows go
// to warps all the same.
// CHECK-LABEL: func @long_rows_to_warps
// CHECK: tile.load {{.*}} -> tensor<8x1024xf32, #tile.fragment<[8, 1024], register = [4 : (0, 1), 8 : (0, 128), 2 : (1, 0)], lane = [32 : (0, 4)], warp = [4 : (2, 0)]>>
// CHECK-NOT: tile.convert_layout
// CHECK: return
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @long_rows_to_warps(%n: index, %a: memref<8x1024xf32>, %b: memref<8xf32>) {
  tile.launch @k blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<logical>} {
    %t = tile.load %a : memref<8x1024xf32> -> tensor<8x1024xf32>
    %s = tile.reduce <add> %t dims [1] : tensor<8x1024xf32> -> tensor<8xf32>
    tile.store %s, %b : tensor<8xf32>, memref<8xf32>
  }
  return
}
}

// -----

// The copies of a thread lie where one address reaches all of them: both halves of rows
// r and r + 8, 2048 bytes apart; not rows r, r + 16, .. that would follow each other.
// Where rows have no known pitch, or are compared with the end, halves alone.
// CHECK-LABEL: func @copies_in_reach
// CHECK: tile.copy {{.*}}layout = #tile.fragment<[64, 128], register = [8 : (0, 1), 2 : (0, 64), 2 : (8, 0)], lane = [8 : (0, 8), 4 : (1, 0)], warp = [2 : (4, 0), 4 : (16, 0)]>
// CHECK: tile.copy {{.*}}layout = #tile.fragment<[64, 128], register = [8 : (0, 1), 2 : (0, 64), 2 : (32, 0)], lane = [8 : (0, 8), 4 : (1, 0)], warp = [8 : (4, 0)]>
// CHECK: tile.copy {{.*}}layout = #tile.fragment<[64, 128], register = [8 : (0, 1), 2 : (0, 64), 2 : (32, 0)], lane = [8 : (0, 8), 4 : (1, 0)], warp = [8 : (4, 0)]>
#shared = #gpu.address_space<workgroup>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @copies_in_reach(%n: index, %a: memref<64x128xf16>, %b: memref<64x?xf16> {tile.divisible = array<i64: 1, 128>}, %c: memref<60x128xf16>) {
  tile.launch @k blocks(%x) in (%n) threads(256) attributes {stage = #tile.stage<logical>} {
    %c0 = arith.constant 0 : index
    %s = tile.alloc : memref<64x128xf16, #shared>
    %t = tile.alloc : memref<64x128xf16, #shared>
    %u = tile.alloc : memref<64x128xf16, #shared>
    tile.copy %a to %s : memref<64x128xf16> to memref<64x128xf16, #shared>
    tile.copy %b[%c0, %c0] to %t : memref<64x?xf16> to memref<64x128xf16, #shared>
    tile.copy %c[%c0, %c0] to %u : memref<60x128xf16> to memref<64x128xf16, #shared>
  }
  return
}
}

// -----

// Where all dimensions are scanned, or lanes do not divide the rows, each warp has a part
// in one piece, which may end in padding.
// CHECK-LABEL: func @long_scans
// CHECK: tile.load {{.*}} -> tensor<5000xf32, #tile.fragment<[5000], register = [4 : (1), 10 : (128)], lane = [32 : (4)], warp = [4 : (1280)]>>
// CHECK: tile.load {{.*}} -> tensor<64x513xf32, #tile.fragment<[64, 513], {{.*}} warp = [4 : (4, 0)]>>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @long_scans(%n: index, %a: memref<5000xf32>, %b: memref<64x513xf32>) {
  tile.launch @k blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<logical>} {
    %t = tile.load %a : memref<5000xf32> -> tensor<5000xf32>
    %s = tile.scan <add> %t dim 0 : tensor<5000xf32>
    tile.store %s, %a : tensor<5000xf32>, memref<5000xf32>
    %u = tile.load %b : memref<64x513xf32> -> tensor<64x513xf32>
    %v = tile.scan <add> %u dim 1 : tensor<64x513xf32>
    tile.store %v, %b : tensor<64x513xf32>, memref<64x513xf32>
  }
  return
}
}
