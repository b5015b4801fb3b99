// Facts about arguments and values: programs that use them, and the error where a
// start breaks one. Assertions in kernels.
// RUN: tile-run %s --entry=facts --on=emulator --chip=sm_80 --check --dim=M:32 --dim=K:48 --scalar=3:64
// RUN: tile-run %s --entry=facts --on=emulator --chip=sm_90a --check --dim=M:64 --dim=K:16 --scalar=3:16
// RUN: not tile-run %s --entry=facts --on=emulator --dim=M:33 --dim=K:48 --scalar=3:64 2>&1 | FileCheck %s --check-prefix=DIVISIBLE
// RUN: not tile-run %s --entry=facts --on=emulator --shape=0:32x48 --shape=1:32x32 --scalar=3:64 2>&1 | FileCheck %s --check-prefix=EQUAL
// RUN: not tile-run %s --entry=facts --on=emulator --check --dim=M:32 --dim=K:48 --scalar=3:60 2>&1 | FileCheck %s --check-prefix=VALUE
// RUN: tile-run %s --entry=assumed --on=emulator --chip=sm_80 --check --shape=0:16x24 --shape=1:16x24
// RUN: tile-run %s --entry=assumed --on=emulator --chip=sm_90a --check --shape=0:24x8 --shape=1:24x8
// RUN: not tile-run %s --entry=assumed --on=emulator --check --shape=0:16x20 --shape=1:16x20 2>&1 | FileCheck %s --check-prefix=SIZES
// RUN: tile-run %s --entry=asserts --on=emulator --chip=sm_80 --check --scalar=1:8
// RUN: tile-run %s --entry=asserts --on=emulator --chip=sm_90a --check --scalar=1:8
// RUN: not tile-run %s --entry=asserts --on=emulator --chip=sm_80 --scalar=1:3 2>&1 | FileCheck %s --check-prefix=ASSERT
// RUN: not tile-run %s --entry=asserts --on=emulator --chip=sm_90a --scalar=1:3 2>&1 | FileCheck %s --check-prefix=ASSERT
#shared = #gpu.address_space<workgroup>

// DIVISIBLE: error: argument 0 of 'facts': {{.*}}33{{.*}}32
// EQUAL: error: argument 1 of 'facts': dimension 1 named "K" has size 32, but in argument 0 it has 48
func.func @facts(%a: memref<?x?xf16> {tile.align = 32, tile.divisible = array<i64: 32, 16>, tile.dims = ["M", "K"]},
                 %b: memref<?x?xf16> {tile.dims = ["M", "K"]}, %o: memref<?x32xf32> {tile.dims = ["M", ""]}, %n: index) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %m = memref.dim %a, %c0 : memref<?x?xf16>
  %g = arith.divui %m, %c32 : index
  tile.launch blocks(%x) in (%g) threads(64) {
    %z = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %tile = arith.constant 32 : index
    %i = arith.muli %x, %tile : index
    %k = memref.dim %a, %c1 : memref<?x?xf16>
    // VALUE: facts.mlir:[[@LINE+1]]:11: error: {{.*}}60{{.*}}16
    %n2 = tile.assume_divisible %n by 16 : index
    %limit = arith.minui %n2, %k : index
    %zero = arith.constant dense<0.0> : tensor<32x32xf32>
    %r = scf.for %j = %z to %limit step %c16 iter_args(%acc = %zero) -> (tensor<32x32xf32>) {
      %as = tile.alloc : memref<32x16xf16, #shared>
      %bs = tile.alloc : memref<32x16xf16, #shared>
      tile.copy %a[%i, %j] to %as : memref<?x?xf16> to memref<32x16xf16, #shared>
      tile.copy %b[%i, %j] to %bs : memref<?x?xf16> to memref<32x16xf16, #shared>
      %d = tile.gemm %as, %bs, %acc {transpose_b} : memref<32x16xf16, #shared>, memref<32x16xf16, #shared> -> tensor<32x32xf32>
      scf.yield %d : tensor<32x32xf32>
    } {tile.stages = 2 : i32}
    tile.store %r, %o[%i, %z] : tensor<32x32xf32>, memref<?x32xf32>
  }
  return
}

func.func @assumed(%a: memref<?x?xf32>, %o: memref<?x?xf32>) {
  %c1 = arith.constant 1 : index
  // SIZES: facts.mlir:[[@LINE+1]]:8: error: {{.*}}20{{.*}}8
  %b = tile.assume %a sizes [1, 8] alignment 16 : memref<?x?xf32>
  tile.launch blocks(%x) in (%c1) threads(64) {
    %c0 = arith.constant 0 : index
    %d = tile.assume %o sizes [8, 4] strides [4, 1] : memref<?x?xf32>
    %t = tile.load %b[%c0, %c0] : memref<?x?xf32> -> tensor<32x32xf32>
    tile.store %t, %d[%c0, %c0] : tensor<32x32xf32>, memref<?x?xf32>
  }
  return
}

func.func @asserts(%o: memref<64xi32>, %n: index) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %c4 = arith.constant 4 : index
    %large = arith.cmpi sge, %n, %c4 : index
    // ASSERT: facts.mlir:[[@LINE+1]]:5: error: assertion failed: at least four
    tile.assert %large, "at least four"
    tile.parallel (%i) in (64) {
      %c100 = arith.constant 100 : index
      %below = arith.cmpi slt, %i, %c100 : index
      tile.assert %below, "below a hundred"
      %v = arith.index_cast %i : index to i32
      memref.store %v, %o[%i] : memref<64xi32>
    }
  }
  return
}
