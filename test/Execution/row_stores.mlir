// Results of products that threads store in whole vectors, by way of the slots that the
// product has left: whole and ragged tensors, results of 8 and 16 bits, converted on the
// way and computed with, rows that allow vectors of 8 bytes only. Neither access of the
// buffer meets bank conflicts, and no launch has more shared memory for it.
// DEFINE: %{half} = tile-run %s --entry=half --chip=sm_80 --check
// DEFINE: %{scaled} = tile-run %s --entry=scaled --chip=sm_80 --check
// RUN: %{half} --dim=M:256 --dim=K:128 --dim=N:256
// RUN: %{half} --dim=M:100 --dim=K:72 --dim=N:136 --seed=2
// RUN: %{half} --dim=M:1 --dim=K:8 --dim=N:8 --seed=3
// RUN: %{half} --dim=M:129 --dim=K:0 --dim=N:120 --seed=4
// RUN: %{half} --dim=M:128 --dim=K:32 --dim=N:128 --seed=5
// RUN: %{scaled} --dim=M:100 --seed=6
// RUN: %{scaled} --dim=M:64 --seed=7
// RUN: tile-run %s --entry=bytes --chip=sm_80 --check --dim=M:70 --seed=8
// RUN: tile-run %s --entry=persistent --chip=sm_80 --check --dim=M:300 --seed=9
// RUN: tile-run %s --entry=fours --chip=sm_80 --check --data='0:integers(-128,127)'
// RUN: tile-run %s --entry=float_fours --chip=sm_80 --check --data='0:normal(0,3)'
// RUN: tile-run %s --entry=parts --chip=sm_80 --check --stats --seed=11 | FileCheck %s --check-prefix=PARTS
// PARTS: global sectors {{ *}}[[PARTS:[0-9]+]]  ideal [[PARTS]]
// RUN: tile-run %s --entry=odd --chip=sm_80 --check --seed=12
// RUN: tile-run %s --entry=scaled --on=reference --check-stages --chip=sm_80 --dim=M:100
// RUN: tile-run %s --entry=scaled --chip=sm_90a --check --dim=M:100 --seed=10
// RUN: %{half} --dim=M:128 --dim=K:64 --dim=N:128 --stats | FileCheck %s --check-prefix=BANKS
// BANKS: shared wavefronts {{ *}}[[COUNT:[0-9]+]]  ideal [[COUNT]]
// BANKS: global sectors {{ *}}[[SECTORS:[0-9]+]]  ideal [[SECTORS]]
// RUN: tile-opt %s --chip=sm_80 --emit=report | FileCheck %s --check-prefix=SHARED
// RUN: tile-opt %s --chip=sm_80 --emit=ptx | FileCheck %s

#shared = #gpu.address_space<workgroup>

// SHARED: half
// SHARED: shared 32768 bytes
// CHECK-LABEL: .entry half
// CHECK: cp.async.wait
// CHECK: mma.sync
// CHECK: bar.sync
// CHECK-NOT: st.global.b32
// CHECK: st.shared.v4.b32
// CHECK: bar.warp.sync
// CHECK: ldmatrix.sync.aligned.m8n8.x4.shared.b16
// CHECK-NOT: bar.sync
// CHECK: st.global.v4.b32
func.func @half(%a: memref<?x?xf16> {tile.divisible = array<i64: 1, 8>, tile.dims = ["M", "K"]}, %b: memref<?x?xf16> {tile.divisible = array<i64: 1, 8>, tile.dims = ["K", "N"]}, %o: memref<?x?xf16> {tile.divisible = array<i64: 1, 8>, tile.dims = ["M", "N"]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %m = memref.dim %a, %c0 : memref<?x?xf16>
  %k = memref.dim %a, %c1 : memref<?x?xf16>
  %n = memref.dim %b, %c1 : memref<?x?xf16>
  %gm = arith.ceildivsi %m, %c128 : index
  %gn = arith.ceildivsi %n, %c128 : index
  tile.launch blocks(%x, %y) in (%gn, %gm) threads(128) {
    %c32 = arith.constant 32 : index
    %row = arith.muli %y, %c128 : index
    %col = arith.muli %x, %c128 : index
    %as = tile.alloc : memref<128x32xf16, #shared>
    %bs = tile.alloc : memref<32x128xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<128x128xf32>
    %r = scf.for %i = %c0 to %k step %c32 iter_args(%c = %zero) -> (tensor<128x128xf32>) {
      tile.copy %a[%row, %i] to %as : memref<?x?xf16> to memref<128x32xf16, #shared>
      tile.copy %b[%i, %col] to %bs : memref<?x?xf16> to memref<32x128xf16, #shared>
      %d = tile.gemm %as, %bs, %c : memref<128x32xf16, #shared>, memref<32x128xf16, #shared> -> tensor<128x128xf32>
      scf.yield %d : tensor<128x128xf32>
    } {tile.stages = 3 : i32}
    tile.store %r, %o[%row, %col] : tensor<128x128xf32>, memref<?x?xf16>
  }
  return
}

// With a bias, to rows of 252 elements, which begin at multiples of 8 bytes: bricks of
// what both sides have in registers.
// CHECK-LABEL: .entry scaled
// CHECK: mma.sync
// CHECK: st.shared.v4.b32
// CHECK: ld.shared.v4.b32
// CHECK: st.global.v2.b32
func.func @scaled(%a: memref<?x64xbf16> {tile.dims = ["M", "K"]}, %b: memref<64x252xbf16>, %bias: memref<252xf32>, %o: memref<?x252xbf16> {tile.dims = ["M", "N"]}) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %m = memref.dim %a, %c0 : memref<?x64xbf16>
  %gm = arith.ceildivsi %m, %c64 : index
  tile.launch blocks(%x, %y) in (%c2, %gm) threads(128) {
    %row = arith.muli %y, %c64 : index
    %col = arith.muli %x, %c128 : index
    %as = tile.alloc : memref<64x64xbf16, #shared>
    %bs = tile.alloc : memref<64x128xbf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x128xf32>
    tile.copy %a[%row, %c0] to %as : memref<?x64xbf16> to memref<64x64xbf16, #shared>
    tile.copy %b[%c0, %col] to %bs : memref<64x252xbf16> to memref<64x128xbf16, #shared>
    %d = tile.gemm %as, %bs, %zero : memref<64x64xbf16, #shared>, memref<64x128xbf16, #shared> -> tensor<64x128xf32>
    %v = tile.load %bias[%col] : memref<252xf32> -> tensor<128xf32>
    %w = tile.broadcast %v dims [0] : tensor<128xf32> -> tensor<64x128xf32>
    %s = arith.addf %d, %w : tensor<64x128xf32>
    tile.store %s, %o[%row, %col] : tensor<64x128xf32>, memref<?x252xbf16>
  }
  return
}

// Sums of 32 bits to bytes: 16 of a row at once.
// CHECK-LABEL: .entry bytes
// CHECK: mma.sync
// CHECK: st.shared.v4.b32
// CHECK: ldmatrix
// CHECK: st.global.v4.b32
func.func @bytes(%a: memref<?x64xi8> {tile.dims = ["M", "K"]}, %b: memref<128x64xi8>, %o: memref<?x128xi8> {tile.dims = ["M", "N"]}) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %m = memref.dim %a, %c0 : memref<?x64xi8>
  %gm = arith.ceildivsi %m, %c64 : index
  tile.launch blocks(%y) in (%gm) threads(128) {
    %row = arith.muli %y, %c64 : index
    %as = tile.alloc : memref<64x64xi8, #shared>
    %bs = tile.alloc : memref<128x64xi8, #shared>
    %zero = arith.constant dense<0> : tensor<64x128xi32>
    tile.copy %a[%row, %c0] to %as : memref<?x64xi8> to memref<64x64xi8, #shared>
    tile.copy %b to %bs : memref<128x64xi8> to memref<128x64xi8, #shared>
    %d = tile.gemm %as, %bs, %zero {transpose_b} : memref<64x64xi8, #shared>, memref<128x64xi8, #shared> -> tensor<64x128xi32>
    %c7 = arith.constant dense<7> : tensor<64x128xi32>
    %s = arith.shrsi %d, %c7 : tensor<64x128xi32>
    %t = arith.trunci %s : tensor<64x128xi32> to tensor<64x128xi8>
    tile.store %t, %o[%row, %c0] : tensor<64x128xi8>, memref<?x128xi8>
  }
  return
}

// Where the loop comes back its slots are filled for the next tile meanwhile.
// CHECK-LABEL: .entry persistent
// CHECK: mma.sync
// CHECK-NOT: st.shared
// CHECK: st.global.b32
func.func @persistent(%a: memref<?x64xf16> {tile.dims = ["M", "K"]}, %b: memref<64x128xf16>, %o: memref<?x128xf16> {tile.dims = ["M", "N"]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %m = memref.dim %a, %c0 : memref<?x64xf16>
  %gm = arith.ceildivsi %m, %c64 : index
  tile.launch blocks(%x) in (%c2) threads(128) {
    %c32 = arith.constant 32 : index
    %as = tile.alloc : memref<64x32xf16, #shared>
    %bs = tile.alloc : memref<32x128xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x128xf32>
    scf.for %tile = %x to %gm step %c2 {
      %row = arith.muli %tile, %c64 : index
      %r = scf.for %i = %c0 to %c64 step %c32 iter_args(%c = %zero) -> (tensor<64x128xf32>) {
        tile.copy %a[%row, %i] to %as : memref<?x64xf16> to memref<64x32xf16, #shared>
        tile.copy %b[%i, %c0] to %bs : memref<64x128xf16> to memref<32x128xf16, #shared>
        %d = tile.gemm %as, %bs, %c : memref<64x32xf16, #shared>, memref<32x128xf16, #shared> -> tensor<64x128xf32>
        scf.yield %d : tensor<64x128xf32>
      } {tile.stages = 3 : i32}
      tile.store %r, %o[%row, %c0] : tensor<64x128xf32>, memref<?x128xf16>
    }
  }
  return
}

// Elements of 4 bits to those of 8: the buffer has the latter, signs and all.
// CHECK-LABEL: .entry fours
// CHECK: st.shared.v2.b32
// CHECK: ld.shared.v2.b32
// CHECK: st.global.v4.b32
#product = #tile.fragment<[64, 64], register = [8 : (0, 8), 2 : (0, 1), 2 : (8, 0)], lane = [8 : (1, 0), 4 : (0, 2)], warp = [4 : (16, 0)]>
func.func @fours(%a: memref<64x64xi8>, %o: memref<64x64xi8>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %as = tile.alloc : memref<64x64xi8, #shared>
    tile.copy %a to %as : memref<64x64xi8> to memref<64x64xi8, #shared>
    %v = tile.load %as : memref<64x64xi8, #shared> -> tensor<64x64xi8, #product>
    %w = arith.trunci %v : tensor<64x64xi8, #product> to tensor<64x64xi4, #product>
    tile.store %w, %o[%c0, %c0] : tensor<64x64xi4, #product>, memref<64x64xi8>
  }
  return
}

// CHECK-LABEL: .entry float_fours
// CHECK: st.shared.v4.b32
// CHECK: ld.shared.v4.b32
// CHECK: st.global.v4.b32
func.func @float_fours(%a: memref<64x64xf32>, %o: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %as = tile.alloc : memref<64x64xf32, #shared>
    tile.copy %a to %as : memref<64x64xf32> to memref<64x64xf32, #shared>
    %v = tile.load %as : memref<64x64xf32, #shared> -> tensor<64x64xf32, #product>
    %w = arith.truncf %v : tensor<64x64xf32, #product> to tensor<64x64xf4E2M1FN, #product>
    tile.store %w, %o[%c0, %c0] : tensor<64x64xf4E2M1FN, #product>, memref<64x64xf32>
  }
  return
}

// An atomic takes one element: those of neighbours, for whole sectors. Each block adds
// its part of K, and so many steps that the loop counts from zero.
// CHECK-LABEL: .entry parts
// CHECK: mma.sync
// CHECK: st.shared.v4.b32
// CHECK: bar.warp.sync
// CHECK: ld.shared.v4.b32
// CHECK: atom.global.add.f32
func.func @parts(%a: memref<64x512xf16>, %b: memref<512x64xf16>, %o: memref<64x64xf32>) {
  %c4 = arith.constant 4 : index
  tile.launch blocks(%x) in (%c4) threads(128) {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c128 = arith.constant 128 : index
    %begin = arith.muli %x, %c128 : index
    %end = arith.addi %begin, %c128 : index
    %as = tile.alloc : memref<64x32xf16, #shared>
    %bs = tile.alloc : memref<32x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %r = scf.for %k = %begin to %end step %c32 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      tile.copy %a[%c0, %k] to %as : memref<64x512xf16> to memref<64x32xf16, #shared>
      tile.copy %b[%k, %c0] to %bs : memref<512x64xf16> to memref<32x64xf16, #shared>
      %d = tile.gemm %as, %bs, %c : memref<64x32xf16, #shared>, memref<32x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 3 : i32}
    tile.atomic_rmw addf %r, %o[%c0, %c0] : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// Rows that begin within sectors are stored in whole, those of two warps by one.
// CHECK-LABEL: .entry odd
// CHECK: mma.sync
// CHECK: st.shared.v4.b32
// CHECK: bar.sync
// CHECK: ld.shared.v4.b32
// CHECK: st.global.v2.b32
func.func @odd(%a: memref<128x64xf16>, %b: memref<64x252xf16>, %o: memref<128x252xf16>) {
  %c2 = arith.constant 2 : index
  tile.launch blocks(%x) in (%c2) threads(128) {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %col = arith.muli %x, %c128 : index
    %as = tile.alloc : memref<128x64xf16, #shared>
    %bs = tile.alloc : memref<64x128xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<128x128xf32>
    tile.copy %a to %as : memref<128x64xf16> to memref<128x64xf16, #shared>
    tile.copy %b[%c0, %col] to %bs : memref<64x252xf16> to memref<64x128xf16, #shared>
    %d = tile.gemm %as, %bs, %zero : memref<128x64xf16, #shared>, memref<64x128xf16, #shared> -> tensor<128x128xf32>
    tile.store %d, %o[%c0, %col] : tensor<128x128xf32>, memref<128x252xf16>
  }
  return
}
