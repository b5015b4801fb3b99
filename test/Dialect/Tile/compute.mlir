// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s

#shared = #gpu.address_space<workgroup>

// CHECK-LABEL: func @gemm
func.func @gemm(%a: tensor<64x32xf16>, %c: tensor<64x128xf32>, %i: tensor<64x32xi8>, %f: tensor<64x64xf32>, %n: index) {
  %b = tile.alloc : memref<128x32xf16, #shared>
  // CHECK: tile.gemm %{{.*}}, %{{.*}}, %{{.*}} {transpose_b, warps = #tile.warps<rows>} : tensor<64x32xf16>, memref<128x32xf16, #gpu.address_space<workgroup>> -> tensor<64x128xf32>
  %d = tile.gemm %a, %b, %c {transpose_b, warps = #tile.warps<rows>} : tensor<64x32xf16>, memref<128x32xf16, #shared> -> tensor<64x128xf32>
  // CHECK: tile.gemm %{{.*}}, %{{.*}} {transpose_b, unsigned_a, unsigned_b} : tensor<64x32xi8>, tensor<64x32xi8> -> tensor<64x64xi32>
  %e = tile.gemm %i, %i {transpose_b, unsigned_a, unsigned_b} : tensor<64x32xi8>, tensor<64x32xi8> -> tensor<64x64xi32>
  // CHECK: tile.gemm %{{.*}}, %{{.*}} {instruction = #tile.instruction<"fma">, precision = #tile.precision<tf32>, transpose_a} : tensor<64x64xf32>
  %g = tile.gemm %f, %f {transpose_a, precision = #tile.precision<tf32>, instruction = #tile.instruction<"fma">} : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
  return
}

// CHECK-LABEL: func @gemm_sparse
func.func @gemm_sparse(%a: tensor<64x32xf16>, %e: tensor<64x4xi16>, %b: tensor<64x64xf16>, %c: tensor<64x64xf32>) {
  // CHECK: tile.gemm_sparse %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : tensor<64x32xf16>, tensor<64x4xi16>, tensor<64x64xf16> -> tensor<64x64xf32>
  %d = tile.gemm_sparse %a, %e, %b, %c : tensor<64x32xf16>, tensor<64x4xi16>, tensor<64x64xf16> -> tensor<64x64xf32>
  return
}

// CHECK-LABEL: func @gemm_scaled
func.func @gemm_scaled(%a: tensor<64x64xf8E4M3FN>, %s: tensor<64x2xf8E8M0FNU>) {
  // CHECK: tile.gemm_scaled %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {transpose_b} : tensor<64x64xf8E4M3FN>, tensor<64x2xf8E8M0FNU>, tensor<64x64xf8E4M3FN>, tensor<64x2xf8E8M0FNU> -> tensor<64x64xf32>
  %d = tile.gemm_scaled %a, %s, %a, %s {transpose_b} : tensor<64x64xf8E4M3FN>, tensor<64x2xf8E8M0FNU>, tensor<64x64xf8E4M3FN>, tensor<64x2xf8E8M0FNU> -> tensor<64x64xf32>
  return
}

// CHECK-LABEL: func @reduce
func.func @reduce(%x: tensor<128x64xf32>, %idx: tensor<128x64xi32>, %t: tensor<128xf32>, %u: tensor<128xi32>) {
  // CHECK: tile.reduce <maximumf> %{{.*}} dims [1] : tensor<128x64xf32> -> tensor<128xf32>
  %a = tile.reduce <maximumf> %x dims [1] : tensor<128x64xf32> -> tensor<128xf32>
  // CHECK: tile.reduce <add> %{{.*}} dims [1] init(%{{.*}}) : tensor<128x64xf32> -> tensor<128xf32>
  %b = tile.reduce <add> %x dims [1] init(%t) : tensor<128x64xf32> -> tensor<128xf32>
  // CHECK: tile.reduce <add> %{{.*}} dims [0, 1] : tensor<128x64xf32> -> tensor<f32>
  %c = tile.reduce <add> %x dims [0, 1] : tensor<128x64xf32> -> tensor<f32>
  // CHECK: tile.reduce <add> %{{.*}} dims [1] init(%{{.*}}) fastmath<nnan,contract> {tag} : tensor<128x64xf32> -> tensor<128xf32>
  %d = tile.reduce <add> %x dims [1] init(%t) fastmath<contract,nnan> {tag} : tensor<128x64xf32> -> tensor<128xf32>
  // CHECK: tile.reduce <add> %{{.*}} dims [1] : tensor<128x64xf32> -> tensor<128xf32>
  %e = tile.reduce <add> %x dims [1] fastmath<none> : tensor<128x64xf32> -> tensor<128xf32>
  // CHECK: %{{.*}}:2 = tile.reduce (%{{.*}}, %{{.*}}) dims [1] init(%{{.*}}, %{{.*}}) : (tensor<128x64xf32>, tensor<128x64xi32>) -> (tensor<128xf32>, tensor<128xi32>) {
  // CHECK-NEXT: ^bb0(%{{.*}}: f32, %{{.*}}: i32, %{{.*}}: f32, %{{.*}}: i32):
  %v, %i = tile.reduce (%x, %idx) dims [1] init(%t, %u) : (tensor<128x64xf32>, tensor<128x64xi32>) -> (tensor<128xf32>, tensor<128xi32>) {
  ^bb0(%p: f32, %pi: i32, %q: f32, %qi: i32):
    %g = arith.cmpf ogt, %q, %p : f32
    %r = arith.select %g, %q, %p : f32
    %ri = arith.select %g, %qi, %pi : i32
    // CHECK: tile.yield %{{.*}}, %{{.*}} : f32, i32
    tile.yield %r, %ri : f32, i32
  }
  return
}

// CHECK-LABEL: func @scan
func.func @scan(%x: tensor<128x64xf32>, %t: tensor<64xf32>) {
  // CHECK: tile.scan <add> %{{.*}} dim 0 {exclusive, reverse} : tensor<128x64xf32>{{$}}
  %s = tile.scan <add> %x dim 0 {reverse, exclusive} : tensor<128x64xf32>
  // CHECK: tile.scan <add> %{{.*}} dim 0 fastmath<reassoc> {reverse} : tensor<128x64xf32>{{$}}
  %w = tile.scan <add> %x dim 0 fastmath<reassoc> {reverse} : tensor<128x64xf32>
  // CHECK: %{{.*}}:2 = tile.scan (%{{.*}}, %{{.*}}) dim 0 init(%{{.*}}, %{{.*}}) {exclusive} : (tensor<128x64xf32>, tensor<128x64xf32>) {
  %p, %q = tile.scan (%x, %x) dim 0 init(%t, %t) {exclusive} : (tensor<128x64xf32>, tensor<128x64xf32>) {
  ^bb0(%a: f32, %c: f32, %b: f32, %d: f32):
    %r = arith.mulf %a, %b : f32
    %v = arith.mulf %c, %b : f32
    %u = arith.addf %v, %d : f32
    tile.yield %r, %u : f32, f32
  }
  return
}

// The result of a scan carries its own encoding when it is written.
// CHECK-LABEL: func @scan_with_layout
func.func @scan_with_layout(%x: tensor<32xf32>) {
  // CHECK: tile.scan <add> %{{.*}} dim 0 : tensor<32xf32> -> tensor<32xf32, #tile.fragment<[32], register = [], lane = [32 : (1)], warp = []>>
  %s = tile.scan <add> %x dim 0 : tensor<32xf32> -> tensor<32xf32, #tile.fragment<[32], register = [], lane = [32 : (1)], warp = []>>
  return
}

// CHECK-LABEL: func @parallel
func.func @parallel(%m: tensor<128xf32>, %g: memref<128xf32>) {
  // CHECK: tile.parallel (%i, %j) in (128, 64) -> (tensor<128x64xf32>, tensor<128x64xindex>) attributes {coalesced_width = 4 : i64} {
  %p:2 = tile.parallel (%i, %j) in (128, 64) -> (tensor<128x64xf32>, tensor<128x64xindex>) attributes {coalesced_width = 4} {
    %e = tensor.extract %m[%i] : tensor<128xf32>
    // CHECK: tile.yield %{{.*}}, %j : f32, index
    tile.yield %e, %j : f32, index
  }
  // CHECK: tile.parallel (%i) in (128) {
  tile.parallel (%i) in (128) {
    %e = tensor.extract %m[%i] : tensor<128xf32>
    // CHECK: memref.store
    // CHECK-NEXT: }
    memref.store %e, %g[%i] : memref<128xf32>
  }
  return
}
