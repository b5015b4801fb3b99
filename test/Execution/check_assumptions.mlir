// What launches assume is checked by the code where that is asked for, and by nothing else: the runs
// that fail compare with no reference. One that holds changes nothing.
// RUN: tile-run %s --entry=values --on=emulator --chip=sm_80 --check --check-assumptions --check-stages --scalar=1:64 --scalar=2:0
// RUN: tile-run %s --entry=values --on=emulator --chip=sm_90a --check --check-assumptions --scalar=1:-32 --scalar=2:0
// RUN: not tile-run %s --entry=values --on=emulator --chip=sm_80 --check-assumptions --scalar=1:60 --scalar=2:0 2>&1 | FileCheck %s --check-prefix=VALUE
// RUN: not tile-run %s --entry=values --on=emulator --chip=sm_90a --check-assumptions --scalar=1:64 --scalar=2:1 2>&1 | FileCheck %s --check-prefix=NARROW
// RUN: tile-run %s --entry=values --on=emulator --chip=sm_80 --scalar=1:60 --scalar=2:0
// RUN: tile-run %s --entry=memrefs --on=emulator --chip=sm_80 --check --check-assumptions --check-stages --shape=0:16x24 --scalar=1:8
// RUN: not tile-run %s --entry=memrefs --on=emulator --chip=sm_80 --check-assumptions --shape=0:16x20 --scalar=1:4 2>&1 | FileCheck %s --check-prefix=MEMREF
// RUN: not tile-run %s --entry=memrefs --on=emulator --chip=sm_90a --check-assumptions --shape=0:15x24 --scalar=1:8 2>&1 | FileCheck %s --check-prefix=MEMREF
// RUN: not tile-run %s --entry=memrefs --on=emulator --chip=sm_80 --check-assumptions --shape=0:16x24 --scalar=1:3 2>&1 | FileCheck %s --check-prefix=ADDRESS
// RUN: not tile-run %s --entry=iterations --on=emulator --chip=sm_80 --check-assumptions --data=0:values(8,12) 2>&1 | FileCheck %s --check-prefix=ITERATION
// RUN: tile-run %s --entry=iterations --on=emulator --chip=sm_80 --check --check-assumptions --data=0:values(8,16)
// RUN: tile-opt %s --emit=ptx --chip=sm_80 | FileCheck %s --check-prefix=WITHOUT --implicit-check-not=trap
// RUN: tile-opt %s --emit=ptx --chip=sm_80 --check-assumptions | FileCheck %s --check-prefix=WITH
// WITHOUT: .entry values_kernel
// WITH: .entry values_kernel
// WITH: trap

func.func @values(%o: memref<2xindex>, %n: index, %narrow: i8) {
  %c1 = arith.constant 1 : index
  tile.launch @values_kernel blocks(%x) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    // VALUE: check_assumptions.mlir:[[@LINE+1]]:10: error: assumption violated: not divisible by 16
    %k = tile.assume_divisible %n by 16 : index
    memref.store %k, %o[%c0] : memref<2xindex>
    // Zero alone is divisible by what no i8 is.
    // NARROW: check_assumptions.mlir:[[@LINE+1]]:10: error: assumption violated: not divisible by 300
    %z = tile.assume_divisible %narrow by 300 : i8
    %w = arith.index_cast %z : i8 to index
    memref.store %w, %o[%one] : memref<2xindex>
  }
  return
}

func.func @memrefs(%o: memref<?x?xf32>, %start: index) {
  %c1 = arith.constant 1 : index
  tile.launch @memrefs_kernel blocks(%x) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %z = arith.constant 0.0 : f32
    // MEMREF: check_assumptions.mlir:[[@LINE+1]]:10: error: assumption violated: the memref's sizes, strides or address are not as stated
    %d = tile.assume %o sizes [8, 4] strides [8, 1] : memref<?x?xf32>
    memref.store %z, %d[%c0, %c0] : memref<?x?xf32>
    %v = memref.subview %o[0, %start] [4, 4] [1, 1] : memref<?x?xf32> to memref<4x4xf32, strided<[?, 1], offset: ?>>
    // ADDRESS: check_assumptions.mlir:[[@LINE+1]]:10: error: assumption violated: the memref's sizes
    %a = tile.assume %v alignment 16 : memref<4x4xf32, strided<[?, 1], offset: ?>>
    memref.store %z, %a[%c0, %c0] : memref<4x4xf32, strided<[?, 1], offset: ?>>
  }
  return
}

func.func @iterations(%n: memref<64xindex>, %o: memref<64xindex>) {
  %c1 = arith.constant 1 : index
  tile.launch @iterations_kernel blocks(%x) in (%c1) threads(32) {
    tile.parallel (%i) in (64) {
      %v = memref.load %n[%i] : memref<64xindex>
      // ITERATION: check_assumptions.mlir:[[@LINE+1]]:12: error: assumption violated: not divisible by 8
      %k = tile.assume_divisible %v by 8 : index
      memref.store %k, %o[%i] : memref<64xindex>
    }
  }
  return
}
