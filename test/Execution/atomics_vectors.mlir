// Atomics on neighbours: one instruction adds what lies together where the chip has
// that, each element atomically. Cut by an edge, not aligned, not together or of
// another kind they go one by one.
// RUN: tile-run %s --entry=sums --on=emulator --chip=sm_90a --check --data=integers
// RUN: tile-run %s --entry=sums --on=emulator --chip=sm_120a --check --seed=1
// RUN: tile-run %s --entry=sums --on=emulator --chip=sm_80 --check --seed=1
// RUN: tile-run %s --entry=sums --on=reference --check-stages --chip=sm_90a --data=integers
// RUN: tile-run %s --entry=product --on=emulator --chip=sm_90a --check --shape=2:100x48 --data=integers
// RUN: tile-run %s --entry=product --on=emulator --chip=sm_90a --check --shape=2:64x64 --data=2:zeros --seed=1
// RUN: tile-run %s --entry=product --on=emulator --chip=sm_80 --check --shape=2:100x48 --data=integers
// RUN: tile-run %s --entry=scattered --on=emulator --chip=sm_90a --check --data=1:integers(0,7) --data=0:integers
// RUN: tile-run %s --entry=others --on=emulator --chip=sm_90a --check --data=integers
// RUN: tile-opt %s --emit=ptx --chip=sm_90a | FileCheck %s --check-prefix=PTX
// RUN: tile-opt %s --emit=ptx --chip=sm_80 | FileCheck %s --check-prefix=OLD
// RUN: tile-opt %s --emit=report --chip=sm_90a | FileCheck %s --check-prefix=REPORT

#shared = #gpu.address_space<workgroup>

// OLD-NOT: red.{{.*}}.v{{[248]}}

// PTX-LABEL: .entry f32
// PTX: red.relaxed.gpu.global.add.v4.f32 [%{{.*}}], {%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}};
// PTX-LABEL: .entry f16
// PTX: red.relaxed.gpu.global.add.noftz.v8.f16
// PTX-LABEL: .entry bf16
// PTX: red.relaxed.gpu.global.add.noftz.v8.bf16
// REPORT: kernel f32
// REPORT: stores
// REPORT-NEXT: 16 bytes an access
// REPORT: kernel bf16
func.func @sums(%x: memref<4096xf32>, %a: memref<1024xf32>, %y: memref<4096xf16>, %b: memref<1024xf16>, %z: memref<4096xbf16>, %c: memref<1024xbf16>) {
  %c4 = arith.constant 4 : index
  tile.launch @f32 blocks(%block) in (%c4) threads(128) {
    %c0 = arith.constant 0 : index
    %c1024 = arith.constant 1024 : index
    %start = arith.muli %block, %c1024 : index
    %t = tile.load %x[%start] : memref<4096xf32> -> tensor<1024xf32>
    tile.atomic_rmw addf %t, %a[%c0] : tensor<1024xf32>, memref<1024xf32>
  }
  tile.launch @f16 blocks(%block) in (%c4) threads(128) {
    %c0 = arith.constant 0 : index
    %c1024 = arith.constant 1024 : index
    %start = arith.muli %block, %c1024 : index
    %t = tile.load %y[%start] : memref<4096xf16> -> tensor<1024xf16>
    tile.atomic_rmw addf %t, %b[%c0] : tensor<1024xf16>, memref<1024xf16>
  }
  tile.launch @bf16 blocks(%block) in (%c4) threads(128) {
    %c0 = arith.constant 0 : index
    %c1024 = arith.constant 1024 : index
    %start = arith.muli %block, %c1024 : index
    %t = tile.load %z[%start] : memref<4096xbf16> -> tensor<1024xbf16>
    tile.atomic_rmw addf %t, %c[%c0] : tensor<1024xbf16>, memref<1024xbf16>
  }
  return
}

// Results of products, split over K, lie in pairs; columns are clipped in pairs where
// their number is even. Rows that no tensor map describes are not combined in bulk.
// PTX-LABEL: .entry split
// PTX: red.relaxed.gpu.global.add.v2.f32
func.func @product(%a: memref<64x128xf16>, %b: memref<128x64xf16>, %c: memref<?x?xf32> {tile.divisible = array<i64: 1, 2>}) {
  %c4 = arith.constant 4 : index
  tile.launch @split blocks(%block) in (%c4) threads(128) {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %k = arith.muli %block, %c32 : index
    %as = tile.alloc : memref<64x32xf16, #shared>
    %bs = tile.alloc : memref<32x64xf16, #shared>
    tile.copy %a[%c0, %k] to %as : memref<64x128xf16> to memref<64x32xf16, #shared>
    tile.copy %b[%k, %c0] to %bs : memref<128x64xf16> to memref<32x64xf16, #shared>
    %d = tile.gemm %as, %bs : memref<64x32xf16, #shared>, memref<32x64xf16, #shared> -> tensor<64x64xf32>
    tile.atomic_rmw addf %d, %c[%c0, %c0] : tensor<64x64xf32>, memref<?x?xf32>
  }
  return
}

// Rows that repeat.
// PTX-LABEL: .entry scatter
// PTX: red.relaxed.gpu.global.add.v4.f32
func.func @scattered(%x: memref<64x32xf32>, %rows: memref<64xi32>, %y: memref<8x32xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @scatter blocks(%block) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %r = tile.load %rows[%c0] : memref<64xi32> -> tensor<64xi32>
    %t = tile.load %x[%c0, %c0] : memref<64x32xf32> -> tensor<64x32xf32>
    tile.atomic_rmw addf %t, %y[%c0, %c0] [64, 32] rows(%r : tensor<64xi32>) dim 0 : tensor<64x32xf32>, memref<8x32xf32>
  }
  return
}

// A start that is not aligned, an edge within four neighbours, a pitch that is odd, columns instead of rows, shared
// memory, other kinds and types.
// PTX-LABEL: .entry one_by_one
// PTX-NOT: .v{{[248]}}.f
// PTX: .entry
func.func @others(%x: memref<1024xf32>, %a: memref<1100xf32>, %odd: memref<32x33xf32>, %m: memref<32x32xf32>, %i: memref<1024xi32>, %s: memref<1024xf32>, %short: memref<1021xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @one_by_one blocks(%block) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    %t = tile.load %x[%c0] : memref<1024xf32> -> tensor<1024xf32>
    tile.atomic_rmw addf %t, %a[%c3] : tensor<1024xf32>, memref<1100xf32>
    tile.atomic_rmw addf %t, %short[%c0] : tensor<1024xf32>, memref<1021xf32>
    %u = tensor.expand_shape %t [[0, 1]] output_shape [32, 32] : tensor<1024xf32> into tensor<32x32xf32>
    tile.atomic_rmw addf %u, %odd[%c0, %c0] : tensor<32x32xf32>, memref<32x33xf32>
    %v = tile.transpose %u [1, 0] : tensor<32x32xf32> -> tensor<32x32xf32>
    tile.atomic_rmw addf %v, %m[%c0, %c0] : tensor<32x32xf32>, memref<32x32xf32>
    tile.atomic_rmw maximumf %t, %s[%c0] : tensor<1024xf32>, memref<1024xf32>
    %n = arith.fptosi %t : tensor<1024xf32> to tensor<1024xi32>
    tile.atomic_rmw addi %n, %i[%c0] : tensor<1024xi32>, memref<1024xi32>
    %buffer = tile.alloc : memref<1024xf32, #shared>
    tile.store %t, %buffer : tensor<1024xf32>, memref<1024xf32, #shared>
    tile.atomic_rmw addf %t, %buffer[%c0] : tensor<1024xf32>, memref<1024xf32, #shared>
    %w = tile.load %buffer : memref<1024xf32, #shared> -> tensor<1024xf32>
    tile.store %w, %x[%c0] : tensor<1024xf32>, memref<1024xf32>
  }
  tile.launch @last blocks(%block) in (%c1) threads(32) {
  }
  return
}

// What is known of the blocks of a grid that has none is the same from one pass to the next.
func.func @no_blocks(%x: memref<64xf16>, %a: memref<67xf16>) {
  %c0 = arith.constant 0 : index
  tile.launch @none blocks(%block) in (%c0) threads(32) {
    %c64 = arith.constant 64 : index
    %t = tile.load %x : memref<64xf16> -> tensor<64xf16>
    %at = arith.muli %block, %c64 : index
    tile.atomic_rmw addf %t, %a[%at] : tensor<64xf16>, memref<67xf16>
  }
  return
}
