// A launch whose accesses are narrow for want of divisors says which, and becomes two: one
// for any sizes, one for those that have the divisors.
// RUN: tile-opt %s --tile-version-launches --split-input-file --verify-diagnostics --remark-format=emitRemark --remarks-filter=tile-version-launches | FileCheck %s

#shared = #gpu.address_space<workgroup>

// The sizes that rows of the loop's operands begin at multiples of are asked of, once a
// launch and in the order of their accesses; that of C is one of them.
// CHECK-LABEL: func @product
// CHECK-SAME: (%[[A:.*]]: memref<?x?xf16> {{.*}}, %[[B:.*]]: memref<?x?xf16> {{.*}}, %[[C:.*]]: memref<?x?xf16>
// CHECK: %[[K:.*]] = memref.dim %[[A]], %{{.*}}
// CHECK: %[[N:.*]] = memref.dim %[[B]], %{{.*}}
// CHECK: %[[REST_K:.*]] = arith.remui %[[K]], %{{.*}}
// CHECK: %[[REST_N:.*]] = arith.remui %[[N]], %{{.*}}
// CHECK: %[[REST:.*]] = arith.ori %[[REST_K]], %[[REST_N]]
// CHECK: %[[NARROW:.*]] = arith.cmpi ne, %[[REST]], %{{.*}}
// CHECK: scf.if %[[NARROW]] {
// CHECK-NOT: tile.assume_divisible
// CHECK: tile.launch @k blocks
// CHECK: scf.for
// CHECK: } else {
// CHECK: tile.assume_divisible %[[K]] by 8
// CHECK: tile.assume_divisible %[[N]] by 8
// CHECK-NOT: tile.assume_divisible
// CHECK: tile.launch @k_wide blocks
// CHECK: scf.for
// CHECK: tile.gemm
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @product(%a: memref<?x?xf16> {tile.dims = ["M", "K"]}, %b: memref<?x?xf16> {tile.divisible = array<i64: 2, 1>},
                   %c: memref<?x?xf16> {tile.dims = ["", ""]}, %n: index, %k: index) {
  // expected-remark @below {{[Passed] Versioned | Category:tile-version-launches | Function=k | Remark="k_wide is started where sizes are multiples: size 1 ("K") of argument 0 of 8, size 1 of argument 1 of 8"}}
  tile.launch @k blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<logical>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %as = tile.alloc : memref<64x32xf16, #shared>
    %bs = tile.alloc : memref<32x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf16>
    %sum = scf.for %i = %c0 to %k step %c32 iter_args(%acc = %zero) -> (tensor<64x64xf16>) {
      // expected-remark @below {{[Missed] UnknownDivisor | Category:tile-version-launches | Function=k | Reason="16 bits in each access instead of 128: size 1 ("K") of argument 0 is not known to be a multiple of 8; state tile.divisible = array<i64: 1, 8>"}}
      tile.copy %a[%c0, %i] to %as : memref<?x?xf16> to memref<64x32xf16, #shared>
      // expected-remark @below {{[Missed] UnknownDivisor | Category:tile-version-launches | Function=k | Reason="16 bits in each access instead of 128: size 1 of argument 1 is not known to be a multiple of 8; state tile.divisible = array<i64: 2, 8>"}}
      tile.copy %b[%i, %c0] to %bs : memref<?x?xf16> to memref<32x64xf16, #shared>
      %d = tile.gemm %as, %bs, %acc : memref<64x32xf16, #shared>, memref<32x64xf16, #shared> -> tensor<64x64xf16>
      scf.yield %d : tensor<64x64xf16>
    }
    // The result's rows are narrow too; that happens once, so nothing is asked of them.
    // expected-remark @below {{[Missed] UnknownDivisor | Category:tile-version-launches | Function=k | Reason="16 bits in each access instead of 128: size 1 of argument 2 is not known to be a multiple of 8; state tile.divisible = array<i64: 1, 8>"}}
    tile.store %sum, %c[%c0, %c0] : tensor<64x64xf16>, memref<?x?xf16>
  }
  return
}
}

// -----

// Equal names are equal sizes: they are compared once, and a fact of one is one of all. Where
// more is wanted of one (bytes: 16), it is compared too.
// CHECK-LABEL: func @names
// CHECK-COUNT-2: arith.remui
// CHECK-NOT: arith.remui
// CHECK: scf.if
// CHECK: } else {
// CHECK: tile.assume_divisible %{{.*}} by 8
// CHECK: tile.assume_divisible %{{.*}} by 16
// CHECK-NOT: tile.assume_divisible
// CHECK: tile.launch @k_wide blocks
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @names(%a: memref<?x?xf16> {tile.dims = ["M", "N"]}, %b: memref<?x?xi8> {tile.dims = ["M", "N"]},
                 %c: memref<?x?xf16> {tile.dims = ["M", "N"]}, %n: index) {
  // expected-remark @below {{[Passed] Versioned | Category:tile-version-launches | Function=k | Remark="k_wide is started where sizes are multiples: size 1 ("N") of argument 0 of 8, size 1 ("N") of argument 1 of 16"}}
  tile.launch @k blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<logical>} {
    %c0 = arith.constant 0 : index
    // expected-remark @below {{size 1 ("N") of argument 0 is not known to be a multiple of 8}}
    %0 = tile.load %a[%x, %c0] : memref<?x?xf16> -> tensor<64x64xf16>
    // expected-remark @below {{size 1 ("N") of argument 1 is not known to be a multiple of 16}}
    %1 = tile.load %b[%x, %c0] : memref<?x?xi8> -> tensor<64x64xi8>
    // expected-remark @below {{size 1 ("N") of argument 2 is not known to be a multiple of 8}}
    tile.store %0, %c[%x, %c0] : tensor<64x64xf16>, memref<?x?xf16>
  }
  return
}
}

// -----

// What is stated of a size holds of the one with its name, here of the transposed result.
// CHECK-LABEL: func @stated
// CHECK-NOT: scf.if
// CHECK: tile.launch @k
// CHECK-NOT: @k_wide
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @stated(%a: memref<?x?xf16> {tile.dims = ["M", "N"], tile.divisible = array<i64: 8, 8>},
                  %b: memref<?x?xf16> {tile.dims = ["N", "M"]}, %n: index) {
  tile.launch @k blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<logical>} {
    %c0 = arith.constant 0 : index
    %0 = tile.load %a[%x, %c0] : memref<?x?xf16> -> tensor<64x64xf16>
    tile.store %0, %b[%x, %c0] : tensor<64x64xf16>, memref<?x?xf16>
  }
  return
}
}

// -----

// Of an image the channels, which an element of the kernel has together.
// CHECK-LABEL: func @image
// CHECK: %[[C3:.*]] = arith.constant 3 : index
// CHECK: memref.dim %{{.*}}, %[[C3]]
// CHECK: tile.launch @k blocks
// CHECK: tile.launch @k_wide blocks
#shared = #gpu.address_space<workgroup>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @image(%x: memref<?x?x?x?xf32> {tile.dims = ["B", "H", "W", "C"]}, %n: index) {
  // expected-remark @below {{k_wide is started where sizes are multiples: size 3 ("C") of argument 0 of 4}}
  tile.launch @k blocks(%b) in (%n) threads(64) attributes {stage = #tile.stage<logical>} {
    %c0 = arith.constant 0 : index
    %s = tile.alloc : memref<32x32xf32, #shared>
    // expected-remark @below {{32 bits in each access instead of 128: size 3 ("C") of argument 0 is not known to be a multiple of 4; state tile.divisible = array<i64: 1, 1, 1, 4>}}
    tile.im2col %x[%c0, %c0] to %s {kernel = [3, 3], strides = [1, 1], dilations = [1, 1], padding = [1, 1]} : memref<?x?x?x?xf32> to memref<32x32xf32, #shared>
  }
  return
}
}

// -----

// Accesses of 8 bytes are wide enough; what would make them wider is said.
// CHECK-LABEL: func @half
// CHECK-NOT: scf.if
// CHECK: tile.launch @k
// CHECK-NOT: @k_wide
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @half(%a: memref<?x?xf16> {tile.divisible = array<i64: 1, 4>}, %n: index) {
  tile.launch @k blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<logical>} {
    %c0 = arith.constant 0 : index
    // expected-remark @below {{[Missed] UnknownDivisor | Category:tile-version-launches | Function=k | Reason="64 bits in each access instead of 128, here and in 1 more: size 1 of argument 0 is not known to be a multiple of 8; state tile.divisible = array<i64: 1, 8>"}}
    %t = tile.load %a[%x, %c0] : memref<?x?xf16> -> tensor<64x64xf16>
    tile.store %t, %a[%x, %c0] : tensor<64x64xf16>, memref<?x?xf16>
  }
  return
}
}

// -----

// Nothing is said where a divisor would not help: it is known, sizes are static, the start
// is anywhere, rows are gathered along the contiguous dimension, elements of a row have
// something between them, or the memref is chosen by the launch. A vector whose end
// alone is not known is loaded at once where the tile lies inside.
// CHECK-LABEL: func @nothing
// CHECK-NOT: scf.if
// CHECK: tile.launch @k
// CHECK-NOT: @k_wide
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @nothing(%known: memref<?x?xf16> {tile.divisible = array<i64: 1, 8>}, %odd: memref<64x999xf16>, %any: memref<?x?xf16>,
                   %strided: memref<?x?xf16, strided<[?, ?]>>, %v: memref<?xf16>, %n: index, %which: i1) {
  tile.launch @k blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<logical>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %start = arith.muli %x, %c64 : index
    %row = arith.constant dense<1> : tensor<64xi32>
    %0 = tile.load %known[%x, %c0] : memref<?x?xf16> -> tensor<64x64xf16>
    %1 = tile.load %odd[%x, %c0] : memref<64x999xf16> -> tensor<64x64xf16>
    %2 = tile.load %any[%c0, %x] : memref<?x?xf16> -> tensor<64x64xf16>
    %3 = tile.load %any[%c0, %c0] rows(%row : tensor<64xi32>) dim 1 : memref<?x?xf16> -> tensor<64x64xf16>
    %4 = tile.load %strided[%x, %c0] : memref<?x?xf16, strided<[?, ?]>> -> tensor<64x64xf16>
    %6 = tile.load %v[%start] : memref<?xf16> -> tensor<64xf16>
    %chosen = arith.select %which, %any, %known : memref<?x?xf16>
    %7 = tile.load %chosen[%x, %c0] : memref<?x?xf16> -> tensor<64x64xf16>
  }
  return
}
}

// -----

// Strides of a memref's own, which a host program cannot ask for, are stated.
// CHECK-LABEL: func @strided
// CHECK-NOT: scf.if
// CHECK: tile.launch @k
// CHECK-NOT: @k_wide
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @strided(%pitch: memref<64x64xf16, strided<[?, 1]>>, %offset: memref<?x?xf16, strided<[?, 1], offset: ?>>, %n: index) {
  tile.launch @k blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<logical>} {
    %c0 = arith.constant 0 : index
    // expected-remark @below {{[Missed] UnknownDivisor | Category:tile-version-launches | Function=k | Reason="16 bits in each access instead of 128: argument 0, which has strides of its own, is not known to begin and to have rows at multiples of 8; state sizes, strides and alignment by tile.assume"}}
    %0 = tile.load %pitch[%x, %c0] : memref<64x64xf16, strided<[?, 1]>> -> tensor<64x64xf16>
    // expected-remark @below {{argument 1, which has strides of its own}}
    tile.store %0, %offset[%x, %c0] : tensor<64x64xf16>, memref<?x?xf16, strided<[?, 1], offset: ?>>
    %1 = tile.assume %offset strides [8, 1] alignment 16 : memref<?x?xf16, strided<[?, 1], offset: ?>>
    tile.store %0, %1[%x, %c0] : tensor<64x64xf16>, memref<?x?xf16, strided<[?, 1], offset: ?>>
  }
  return
}
}

// -----

// Views in a launch are of memrefs outside; of those that the host makes the value is named
// that says it. The second launch has a name of its own.
// CHECK-LABEL: func @views
// CHECK: %[[BUFFER:.*]] = memref.alloc
// CHECK: memref.dim %[[BUFFER]], %{{.*}}
// CHECK: tile.launch @k blocks
// CHECK: } else {
// CHECK: tile.launch @k_wide_0 blocks
// CHECK: }
// CHECK: tile.launch @k_wide blocks
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @views(%n: index, %m: index) {
  %buffer = memref.alloc(%n, %m) : memref<?x?xi8>
  // expected-remark @below {{[Passed] Versioned | Category:tile-version-launches | Function=k | Remark="k_wide_0 is started where sizes are multiples: size 1 of a memref that the host makes of 16"}}
  tile.launch @k blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<logical>} {
    %c0 = arith.constant 0 : index
    %view = memref.subview %buffer[%x, 0] [64, 64] [1, 1] : memref<?x?xi8> to memref<64x64xi8, strided<[?, 1], offset: ?>>
    // expected-remark @below {{[Missed] UnknownDivisor | Category:tile-version-launches | Function=k | Reason="8 bits in each access instead of 128: size 1 of a memref that the host makes is not known to be a multiple of 16; state tile.assume_divisible of its memref.dim by 16"}}
    %t = tile.load %view : memref<64x64xi8, strided<[?, 1], offset: ?>> -> tensor<64x64xi8>
  }
  tile.launch @k_wide blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<logical>} {
  }
  return
}
}
