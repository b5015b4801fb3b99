// Views that the launch makes, by bulk tensor copies of what they view: the matrix of a
// batch, the head of a row, a part of the rows, the layer of a cache. What lies outside
// of a view reads as zero and is not written, though the memref goes on there.
// DEFINE: %{run} = tile-run %s --on=emulator --chip=sm_90a --check
// DEFINE: %{stages} = tile-run %s --on=reference --chip=sm_90a --check-stages
// RUN: %{run} --entry=batched --seed=0 --dim=M:130 --dim=N:72 --dim=K:200
// RUN: %{run} --entry=batched --seed=1 --dim=M:30 --dim=N:72 --dim=K:0
// RUN: %{run} --entry=batched --seed=2 --dim=M:64 --dim=N:64 --dim=K:64
// RUN: %{run} --entry=batched --seed=3 --dim=M:64 --dim=N:64 --dim=K:440
// RUN: %{stages} --entry=batched --dim=M:130 --dim=N:72 --dim=K:136
// RUN: %{run} --entry=heads --seed=0 --dim=S:140 --dim=T:200
// RUN: %{run} --entry=heads --seed=1 --dim=S:20 --dim=T:0
// RUN: %{run} --entry=heads --seed=2 --dim=S:20 --dim=T:64
// RUN: %{stages} --entry=heads --dim=S:30 --dim=T:100
// RUN: %{run} --entry=sequences --seed=0 --shape=0:230x64 --shape=2:100x64 --scalar=3:37 --scalar=4:128
// RUN: %{run} --entry=sequences --seed=1 --shape=0:101x64 --shape=2:101x64 --scalar=3:37 --scalar=4:64
// RUN: %{run} --entry=sequences --seed=2 --shape=0:230x64 --shape=2:200x64 --scalar=3:0 --scalar=4:0
// RUN: %{run} --entry=ragged --seed=0 --shape=0:230x64 --shape=2:230x64 --scalar=3:37 --scalar=4:100
// RUN: %{run} --entry=ragged --seed=1 --shape=0:230x64 --shape=2:230x64 --scalar=3:37 --scalar=4:50
// RUN: %{run} --entry=layers --seed=0 --scalar=4:0 --scalar=5:1 "--data=2:integers(-1,5)"
// RUN: %{run} --entry=layers --seed=1 --scalar=4:1 --scalar=5:0 "--data=2:integers(-1,5)"
// RUN: %{run} --entry=layers --seed=2 --scalar=4:4 --scalar=5:2 "--data=2:integers(-1,5)"
// RUN: %{stages} --entry=layers --scalar=4:3 --scalar=5:1 "--data=2:integers(-1,5)"
// RUN: tile-opt %s --tile-logical-phase="chip=sm_90a" -o %t.mlir
// RUN: tile-run %t.mlir --multiprocessors=2 --entry=over_tiles --on=emulator --check --seed=0 --dim=K:0
// RUN: tile-run %t.mlir --multiprocessors=2 --entry=over_tiles --on=emulator --check --seed=1 --dim=K:200
// RUN: tile-opt %s --emit=report --chip=sm_90a | FileCheck %s
// RUN: tile-opt %s --tile-compile=chip=sm_90a --remark-format=emitRemark --remarks-filter-missed=tile-infer-layouts -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK-NOT: remark
// REMARK: bulk_views.mlir:[[#]]:5: remark: [Missed] StoreByThreads {{.*}}Function=ragged_0 {{.*}}its box of 64 elements may reach out of the view along dimension 0
// REMARK: bulk_views.mlir:[[#]]:7: remark: [Missed] CopyByThreads {{.*}}Function=ragged_0 {{.*}}its box of 64 elements may reach out of the view along dimension 0
// REMARK-NOT: remark

#shared = #gpu.address_space<workgroup>

// CHECK-LABEL: kernel batched_0
// CHECK: producer 4 warps with 40 registers
// CHECK: copies
// CHECK-NEXT: cp.async.bulk.tensor.3d.shared
// CHECK-NEXT: cp.async.bulk.tensor.3d.shared
// CHECK-NEXT: cp.async.bulk.tensor.3d.global
func.func @batched(%A: memref<3x?x?xf16> {tile.divisible = array<i64: 3, 1, 8>, tile.dims = ["", "M", "K"]},
                   %B: memref<3x?x?xf16> {tile.divisible = array<i64: 3, 1, 8>, tile.dims = ["", "N", "K"]},
                   %C: memref<3x?x?xf16> {tile.divisible = array<i64: 3, 1, 8>, tile.dims = ["", "M", "N"]}) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %m = memref.dim %A, %c1 : memref<3x?x?xf16>
  %n = memref.dim %B, %c1 : memref<3x?x?xf16>
  %gm = arith.ceildivsi %m, %c128 : index
  %gn = arith.ceildivsi %n, %c64 : index
  tile.launch blocks(%x, %y, %z) in (%gn, %gm, %c3) threads(256) {
    %c0 = arith.constant 0 : index
    %row = arith.muli %y, %c128 : index
    %col = arith.muli %x, %c64 : index
    %k = memref.dim %A, %c2 : memref<3x?x?xf16>
    %Ab = memref.subview %A[%z, 0, 0] [1, %m, %k] [1, 1, 1] : memref<3x?x?xf16> to memref<?x?xf16, strided<[?, 1], offset: ?>>
    %Bb = memref.subview %B[%z, 0, 0] [1, %n, %k] [1, 1, 1] : memref<3x?x?xf16> to memref<?x?xf16, strided<[?, 1], offset: ?>>
    %Cb = memref.subview %C[%z, 0, 0] [1, %m, %n] [1, 1, 1] : memref<3x?x?xf16> to memref<?x?xf16, strided<[?, 1], offset: ?>>
    %As = tile.alloc : memref<128x64xf16, #shared>
    %Bs = tile.alloc : memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<128x64xf32>
    %acc = scf.for %i = %c0 to %k step %c64 iter_args(%c = %zero) -> (tensor<128x64xf32>) {
      tile.copy %Ab[%row, %i] to %As : memref<?x?xf16, strided<[?, 1], offset: ?>> to memref<128x64xf16, #shared>
      tile.copy %Bb[%col, %i] to %Bs : memref<?x?xf16, strided<[?, 1], offset: ?>> to memref<64x64xf16, #shared>
      %d = tile.gemm %As, %Bs, %c {transpose_b} : memref<128x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<128x64xf32>
      scf.yield %d : tensor<128x64xf32>
    } {tile.stages = 3 : i32}
    %h = arith.truncf %acc : tensor<128x64xf32> to tensor<128x64xf16>
    tile.store %h, %Cb[%row, %col] : tensor<128x64xf16>, memref<?x?xf16, strided<[?, 1], offset: ?>>
  }
  return
}

// Heads side by side in each row: a view that ends before the rows do, of which boxes have parts.
// CHECK-LABEL: kernel heads_0
// CHECK: producer 1 warp
// CHECK: copies
// CHECK-NEXT: cp.async.bulk.tensor.2d.shared
// CHECK-NEXT: cp.async.bulk.tensor.2d.shared
// CHECK-NEXT: cp.async.bulk.tensor.3d.shared
// CHECK-NEXT: cp.async.bulk.tensor.2d.global
func.func @heads(%Q: memref<?x384xf16> {tile.dims = ["S", ""]}, %K: memref<?x384xf16> {tile.dims = ["T", ""]},
                 %V: memref<?x3x128xf16> {tile.dims = ["T", "", ""]}, %O: memref<?x384xf16> {tile.dims = ["S", ""]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c128 = arith.constant 128 : index
  %s = memref.dim %Q, %c0 : memref<?x384xf16>
  %t = memref.dim %K, %c0 : memref<?x384xf16>
  %gs = arith.ceildivsi %s, %c128 : index
  tile.launch blocks(%x, %h) in (%gs, %c3) threads(128) {
    %c64 = arith.constant 64 : index
    %row = arith.muli %x, %c128 : index
    %from = arith.muli %h, %c128 : index
    %Qh = memref.subview %Q[0, %from] [%s, 128] [1, 1] : memref<?x384xf16> to memref<?x128xf16, strided<[384, 1], offset: ?>>
    %split = memref.expand_shape %K [[0], [1, 2]] output_shape [%t, 3, 128] : memref<?x384xf16> into memref<?x3x128xf16>
    %Kh = memref.subview %split[0, %h, 0] [%t, 1, 128] [1, 1, 1] : memref<?x3x128xf16> to memref<?x128xf16, strided<[384, 1], offset: ?>>
    %Vh = memref.subview %V[0, %h, 0] [%t, 1, 128] [1, 1, 1] : memref<?x3x128xf16> to memref<?x128xf16, strided<[384, 1], offset: ?>>
    %Oh = memref.subview %O[0, %from] [%s, 128] [1, 1] : memref<?x384xf16> to memref<?x128xf16, strided<[384, 1], offset: ?>>
    %Qs = tile.alloc : memref<128x128xf16, #shared>
    %Ks = tile.alloc : memref<64x128xf16, #shared>
    %Vs = tile.alloc : memref<64x128xf16, #shared>
    tile.copy %Qh[%row, %c0] to %Qs : memref<?x128xf16, strided<[384, 1], offset: ?>> to memref<128x128xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<128x128xf32>
    %zero_scores = arith.constant dense<0.0> : tensor<128x64xf32>
    %acc = scf.for %i = %c0 to %t step %c64 iter_args(%c = %zero) -> (tensor<128x128xf32>) {
      tile.copy %Kh[%i, %c0] to %Ks : memref<?x128xf16, strided<[384, 1], offset: ?>> to memref<64x128xf16, #shared>
      tile.copy %Vh[%i, %c0] to %Vs : memref<?x128xf16, strided<[384, 1], offset: ?>> to memref<64x128xf16, #shared>
      %p = tile.gemm %Qs, %Ks, %zero_scores {transpose_b} : memref<128x128xf16, #shared>, memref<64x128xf16, #shared> -> tensor<128x64xf32>
      %ph = arith.truncf %p : tensor<128x64xf32> to tensor<128x64xf16>
      %d = tile.gemm %ph, %Vs, %c : tensor<128x64xf16>, memref<64x128xf16, #shared> -> tensor<128x128xf32>
      scf.yield %d : tensor<128x128xf32>
    } {tile.stages = 2 : i32}
    %h16 = arith.truncf %acc : tensor<128x128xf32> to tensor<128x128xf16>
    tile.store %h16, %Oh[%row, %c0] : tensor<128x128xf16>, memref<?x128xf16, strided<[384, 1], offset: ?>>
  }
  return
}

// Sequences behind each other. Where one ends the memref goes on: only of lengths that are
// known to be multiples of the step can a box not reach into the next.
// CHECK-LABEL: kernel sequences_0
// CHECK: producer 1 warp
func.func @sequences(%A: memref<?x64xf16>, %B: memref<64x64xf16>, %C: memref<?x64xf32>, %begin: index, %length: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %whole = tile.assume_divisible %length by 64 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %s = memref.subview %A[%begin, 0] [%whole, 64] [1, 1] : memref<?x64xf16> to memref<?x64xf16, strided<[64, 1], offset: ?>>
    %Bs = tile.alloc : memref<64x64xf16, #shared>
    %As = tile.alloc : memref<64x64xf16, #shared>
    tile.copy %B to %Bs : memref<64x64xf16> to memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %i = %c0 to %whole step %c64 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      tile.copy %s[%i, %c0] to %As : memref<?x64xf16, strided<[64, 1], offset: ?>> to memref<64x64xf16, #shared>
      %d = tile.gemm %As, %Bs, %c : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 2 : i32}
    %rest = memref.dim %C, %c0 : memref<?x64xf32>
    %left = arith.subi %rest, %begin : index
    %Cs = memref.subview %C[%begin, 0] [%left, 64] [1, 1] : memref<?x64xf32> to memref<?x64xf32, strided<[64, 1], offset: ?>>
    tile.store %acc, %Cs[%c0, %c0] : tensor<64x64xf32>, memref<?x64xf32, strided<[64, 1], offset: ?>>
  }
  return
}

// CHECK-LABEL: kernel ragged_0
// CHECK: producer 4 warps
func.func @ragged(%A: memref<?x64xf16>, %B: memref<64x64xf16>, %C: memref<?x64xf32>, %begin: index, %length: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %s = memref.subview %A[%begin, 0] [%length, 64] [1, 1] : memref<?x64xf16> to memref<?x64xf16, strided<[64, 1], offset: ?>>
    %Cs = memref.subview %C[%begin, 0] [%length, 64] [1, 1] : memref<?x64xf32> to memref<?x64xf32, strided<[64, 1], offset: ?>>
    %Bs = tile.alloc : memref<64x64xf16, #shared>
    %As = tile.alloc : memref<64x64xf16, #shared>
    tile.copy %B to %Bs : memref<64x64xf16> to memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %i = %c0 to %length step %c64 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      tile.copy %s[%i, %c0] to %As : memref<?x64xf16, strided<[64, 1], offset: ?>> to memref<64x64xf16, #shared>
      %d = tile.gemm %As, %Bs, %c : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 2 : i32}
    tile.store %acc, %Cs[%c0, %c0] : tensor<64x64xf32>, memref<?x64xf32, strided<[64, 1], offset: ?>>
  }
  return
}

// Pages of one layer, numbers outside too; scales that go to registers, and a sum that
// is added to what is there.
// CHECK-LABEL: kernel layers_0
// CHECK: producer 1 warp
// CHECK: copies
// CHECK-NEXT: cp.async.bulk.tensor.2d.shared
// CHECK-COUNT-4: cp.async.bulk.tensor.3d.shared
// CHECK-NEXT: cp.async.bulk.tensor.2d.shared
// CHECK-NEXT: cp.reduce.async.bulk.tensor.3d.global
func.func @layers(%A: memref<3x72x64xf16>, %B: memref<64x64xf16>, %table: memref<64xi32>, %C: memref<3x64x64xf32>, %trips: index, %layer: index, %scales: memref<3x256xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %layer_rows = memref.subview %A[%layer, 0, 0] [1, 72, 64] [1, 1, 1] : memref<3x72x64xf16> to memref<72x64xf16, strided<[64, 1], offset: ?>>
    %layer_scales = memref.subview %scales[%layer, 0] [1, 256] [1, 1] : memref<3x256xf32> to memref<256xf32, strided<[1], offset: ?>>
    %sums = memref.subview %C[%layer, 0, 0] [1, 64, 64] [1, 1, 1] : memref<3x64x64xf32> to memref<64x64xf32, strided<[64, 1], offset: ?>>
    %s = tile.alloc : memref<64x64xf16, #shared>
    %t = tile.alloc : memref<64x64xf16, #shared>
    tile.copy %B to %t : memref<64x64xf16> to memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %i = %c0 to %trips step %one iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      %first = arith.muli %i, %c64 : index
      %rows = tile.parallel (%j) in (64) -> (tensor<64xi32>) {
        %c16 = arith.constant 16 : index
        %c4 = arith.constant 4 : index
        %c16_i32 = arith.constant 16 : i32
        %page = arith.divui %j, %c16 : index
        %skipped = arith.muli %i, %c4 : index
        %place = arith.addi %skipped, %page : index
        %number = memref.load %table[%place] : memref<64xi32>
        %start = arith.muli %number, %c16_i32 : i32
        %rest = arith.remui %j, %c16 : index
        %rest32 = arith.index_cast %rest : index to i32
        %row = arith.addi %start, %rest32 : i32
        tile.yield %row : i32
      }
      tile.copy %layer_rows[%c0, %c0] [64, 64] rows(%rows : tensor<64xi32>) dim 0 to %s : memref<72x64xf16, strided<[64, 1], offset: ?>> to memref<64x64xf16, #shared>
      %scale = tile.load %layer_scales[%first] : memref<256xf32, strided<[1], offset: ?>> -> tensor<64xf32>
      %wide = tile.broadcast %scale dims [0] : tensor<64xf32> -> tensor<64x64xf32>
      %d = tile.gemm %s, %t : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      %scaled = arith.mulf %d, %wide : tensor<64x64xf32>
      %sum = arith.addf %c, %scaled : tensor<64x64xf32>
      scf.yield %sum : tensor<64x64xf32>
    } {tile.stages = 2 : i32}
    tile.atomic_rmw addf %acc, %sums[%c0, %c0] : tensor<64x64xf32>, memref<64x64xf32, strided<[64, 1], offset: ?>>
  }
  return
}

// Tiles of all batches by two blocks.
func.func @over_tiles(%A: memref<3x128x?xf16> {tile.divisible = array<i64: 3, 128, 8>, tile.dims = ["", "", "K"]},
                      %B: memref<3x64x?xf16> {tile.divisible = array<i64: 3, 64, 8>, tile.dims = ["", "", "K"]}, %C: memref<3x128x64xf16>) {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c64 = arith.constant 64 : index
  %k = memref.dim %A, %c2 : memref<3x128x?xf16>
  tile.launch blocks(%y, %z) in (%c2, %c3) threads(128) attributes {persistent} {
    %c0 = arith.constant 0 : index
    %row = arith.muli %y, %c64 : index
    %Ab = memref.subview %A[%z, 0, 0] [1, 128, %k] [1, 1, 1] : memref<3x128x?xf16> to memref<128x?xf16, strided<[?, 1], offset: ?>>
    %Bb = memref.subview %B[%z, 0, 0] [1, 64, %k] [1, 1, 1] : memref<3x64x?xf16> to memref<64x?xf16, strided<[?, 1], offset: ?>>
    %Cb = memref.subview %C[%z, 0, 0] [1, 128, 64] [1, 1, 1] : memref<3x128x64xf16> to memref<128x64xf16, strided<[64, 1], offset: ?>>
    %As = tile.alloc : memref<64x64xf16, #shared>
    %Bs = tile.alloc : memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %i = %c0 to %k step %c64 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      tile.copy %Ab[%row, %i] to %As : memref<128x?xf16, strided<[?, 1], offset: ?>> to memref<64x64xf16, #shared>
      tile.copy %Bb[%c0, %i] to %Bs : memref<64x?xf16, strided<[?, 1], offset: ?>> to memref<64x64xf16, #shared>
      %d = tile.gemm %As, %Bs, %c {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 3 : i32}
    %h = arith.truncf %acc : tensor<64x64xf32> to tensor<64x64xf16>
    tile.store %h, %Cb[%row, %c0] : tensor<64x64xf16>, memref<128x64xf16, strided<[64, 1], offset: ?>>
  }
  return
}
