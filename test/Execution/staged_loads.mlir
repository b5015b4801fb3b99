// Loops with a producer that load into registers: through a buffer of its own the producer
// brings that, too, as far ahead as the operands of the product.
// DEFINE: %{run} = tile-run %s --on=emulator --chip=sm_90a --check
// RUN: %{run} --entry=scales --dim=K:0 --dim=G:1
// RUN: %{run} --entry=scales --dim=K:64 --dim=G:1 --seed=1
// RUN: %{run} --entry=scales --dim=K:128 --dim=G:2 --seed=2
// RUN: %{run} --entry=scales --dim=K:200 --dim=G:4 --seed=3
// RUN: %{run} --entry=scales --dim=K:448 --dim=G:7 --seed=4
// RUN: %{run} --entry=nest --scalar=4:0 --seed=1
// RUN: %{run} --entry=nest --scalar=4:1 --seed=2
// RUN: %{run} --entry=nest --scalar=4:3 --seed=3 "--data=3:integers(0,1)"
// RUN: %{run} --entry=used_between --seed=1
// RUN: %{run} --entry=used_between --seed=2
// RUN: tile-run %s --entry=scales --on=reference --chip=sm_90a --check-stages --dim=K:200 --dim=G:4
// RUN: tile-run %s --entry=nest --on=reference --chip=sm_90a --check-stages --scalar=4:2 "--data=3:integers(0,1)"
// RUN: tile-run %s --entry=used_between --on=reference --chip=sm_90a --check-stages
// RUN: tile-opt %s --emit=report --chip=sm_90a | FileCheck %s

#shared = #gpu.address_space<workgroup>

// Scales of rows and columns, of which the last are outside; they are converted on the way
// to registers, and one's place is computed behind the first copies.
// CHECK-LABEL: kernel scales_kernel
// CHECK: threads 160, consumer 4 warps, producer 1 warp
// CHECK: copies
// CHECK-NEXT: cp.async.bulk.tensor.2d
// CHECK-NEXT: cp.async.bulk.tensor.2d
// CHECK-NEXT: cp.async.bulk.tensor.2d{{.*}}, 128 bytes an access
// CHECK-NEXT: cp.async.bulk.tensor.2d{{.*}}, 256 bytes an access
func.func @scales(%A: memref<64x?xf16> {tile.dims = ["", "K"], tile.divisible = array<i64: 1, 8>},
                  %B: memref<64x?xf16> {tile.dims = ["", "K"], tile.divisible = array<i64: 1, 8>},
                  %S: memref<?x56xf16> {tile.dims = ["G", ""]}, %T: memref<?x64xf32> {tile.dims = ["G", ""]},
                  %C: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %K = memref.dim %A, %c1 : memref<64x?xf16>
  tile.launch @scales_kernel blocks(%x) in (%c1) threads(128) {
    %c64 = arith.constant 64 : index
    %As = tile.alloc : memref<64x64xf16, #shared>
    %Bs = tile.alloc : memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %k = %c0 to %K step %c64 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      tile.copy %A[%c0, %k] to %As : memref<64x?xf16> to memref<64x64xf16, #shared>
      tile.copy %B[%c0, %k] to %Bs : memref<64x?xf16> to memref<64x64xf16, #shared>
      %g = arith.divui %k, %c64 : index
      %s = tile.load %S[%g, %c0] [1, 64] : memref<?x56xf16> -> tensor<64xf32>
      %t = tile.load %T[%g, %c0] [1, 64] : memref<?x64xf32> -> tensor<64xf32>
      %p = tile.gemm %As, %Bs {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      %rows = tile.broadcast %s dims [1] : tensor<64xf32> -> tensor<64x64xf32>
      %columns = tile.broadcast %t dims [0] : tensor<64xf32> -> tensor<64x64xf32>
      %q = arith.mulf %p, %rows : tensor<64x64xf32>
      %r = arith.mulf %q, %columns : tensor<64x64xf32>
      %d = arith.addf %c, %r : tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 3 : i32}
    tile.store %acc, %C : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// Under a condition in a loop that runs several times: uses are counted on.
// CHECK-LABEL: kernel nest_kernel
// CHECK: threads 160, consumer 4 warps, producer 1 warp
// CHECK: copies
// CHECK-NEXT: cp.async.bulk.tensor.2d
// CHECK-NEXT: cp.async.bulk.shared{{.*}}, 256 bytes an access
func.func @nest(%A: memref<64x256xf16>, %T: memref<256x64xf32>, %C: memref<64x64xf32>, %M: memref<4xi32>, %rounds: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  tile.launch @nest_kernel blocks(%x) in (%c1) threads(128) {
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %none = arith.constant 0 : i32
    %As = tile.alloc : memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %i = %c0 to %rounds step %c1 iter_args(%a = %zero) -> (tensor<64x64xf32>) {
      %b = scf.for %k = %c0 to %c256 step %c64 iter_args(%c = %a) -> (tensor<64x64xf32>) {
        tile.copy %A[%c0, %k] to %As : memref<64x256xf16> to memref<64x64xf16, #shared>
        %g = arith.divui %k, %c64 : index
        %m = memref.load %M[%g] : memref<4xi32>
        %is = arith.cmpi ne, %m, %none : i32
        %p = tile.gemm %As, %As {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
        %d = scf.if %is -> (tensor<64x64xf32>) {
          %t = tile.load %T[%k, %c0] [1, 64] : memref<256x64xf32> -> tensor<64xf32>
          %columns = tile.broadcast %t dims [0] : tensor<64xf32> -> tensor<64x64xf32>
          %q = arith.mulf %p, %columns : tensor<64x64xf32>
          scf.yield %q : tensor<64x64xf32>
        } else {
          scf.yield %p : tensor<64x64xf32>
        }
        %e = arith.addf %c, %d : tensor<64x64xf32>
        scf.yield %e : tensor<64x64xf32>
      } {tile.stages = 2 : i32}
      scf.yield %b : tensor<64x64xf32>
    }
    tile.store %acc, %C : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// What the first copy brings is used before the second is started: each has a ring.
// CHECK-LABEL: kernel used_between_kernel
// CHECK: threads 160, consumer 4 warps, producer 1 warp
func.func @used_between(%W: memref<64x256xi8>, %X: memref<64x256xf16>, %C: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  tile.launch @used_between_kernel blocks(%x) in (%c1) threads(128) {
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %Ws = tile.alloc : memref<64x64xi8, #shared>
    %Xs = tile.alloc : memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %k = %c0 to %c256 step %c64 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      tile.copy %W[%c0, %k] to %Ws : memref<64x256xi8> to memref<64x64xi8, #shared>
      %w = tile.load %Ws : memref<64x64xi8, #shared> -> tensor<64x64xi8>
      %f = arith.sitofp %w : tensor<64x64xi8> to tensor<64x64xf16>
      tile.copy %X[%c0, %k] to %Xs : memref<64x256xf16> to memref<64x64xf16, #shared>
      %d = tile.gemm %f, %Xs, %c {transpose_b} : tensor<64x64xf16>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 3 : i32}
    tile.store %acc, %C : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}
