// Launches in clusters: every tile has its block, in the program's order, in panels
// and where resident clusters walk over the tiles; the kernel asks for its clusters.
// RUN: tile-run %s --entry=walk --on=emulator --chip=sm_90a --check --scalar=3:28 --scalar=4:12
// RUN: tile-run %s --entry=walk --on=emulator --chip=sm_90a --check --scalar=3:2 --scalar=4:24 --seed=1
// RUN: tile-run %s --entry=walk --on=emulator --chip=sm_90a --check --scalar=3:0 --scalar=4:12
// RUN: tile-run %s --entry=walk --on=reference --check-stages --chip=sm_90a --scalar=3:28 --scalar=4:12
// RUN: tile-opt %s --tile-logical-phase="chip=sm_90a" -o %t.mlir
// RUN: tile-run %t.mlir --multiprocessors=13 --entry=walk --on=emulator --check --scalar=3:28 --scalar=4:12
// RUN: tile-run %t.mlir --multiprocessors=13 --entry=walk --on=emulator --check --scalar=3:26 --scalar=4:24 --seed=1
// RUN: tile-run %t.mlir --multiprocessors=13 --entry=walk --on=reference --check-stages --chip=sm_90a --scalar=3:28 --scalar=4:12
// RUN: FileCheck %s --check-prefix=LOGICAL < %t.mlir
// RUN: tile-opt %t.mlir --emit=ptx | FileCheck %s --check-prefix=PTX
// RUN: tile-opt %t.mlir --emit=report | FileCheck %s --check-prefix=REPORT
// RUN: tile-opt %t.mlir --emit=report --format=json | FileCheck %s --check-prefix=JSON

// More blocks in a cluster than multiprocessors: one cluster walks.
// RUN: tile-run %t.mlir --multiprocessors=3 --entry=walk --on=emulator --check --scalar=3:6 --scalar=4:12
// RUN: tile-run %t.mlir --multiprocessors=3 --entry=gemm --on=emulator --check --seed=2
// RUN: tile-run %t.mlir --multiprocessors=13 --entry=gemm --on=emulator --check --seed=3
// RUN: tile-run %t.mlir --multiprocessors=13 --entry=gemm --on=reference --check-stages --chip=sm_90a

// RUN: tile-run %s --entry=blocks --on=emulator --chip=sm_90a --check > %t.out
// RUN: grep once %t.out | sort | FileCheck %s --check-prefix=PRINTS

// What the cluster does not divide is refused, persistent or not.
// RUN: not tile-run %s --entry=walk --on=emulator --chip=sm_90a --scalar=3:3 --scalar=4:12 2>&1 | FileCheck %s --check-prefix=UNEVEN
// RUN: not tile-run %s --entry=refused --on=emulator --chip=sm_90a --scalar=0:6 --scalar=1:5 2>&1 | FileCheck %s --check-prefix=PERSISTENT
// RUN: not tile-run %s --entry=refused --on=reference --chip=sm_90a --scalar=0:6 --scalar=1:5 2>&1 | FileCheck %s --check-prefix=PERSISTENT
// RUN: not tile-run %s --entry=refused --on=emulator --chip=sm_90a --scalar=0:-2 --scalar=1:-4 2>&1 | FileCheck %s --check-prefix=NEGATIVE

#shared = #gpu.address_space<workgroup>

// LOGICAL-LABEL: func @walk(
// LOGICAL: tile.launch @plain blocks(%{{.*}}, %{{.*}}) in (%{{.*}}, %{{.*}}) threads(32) cluster(2)
// LOGICAL: tile.launch @panels blocks(%{{.*}}, %{{.*}}) in (%{{.*}}, %{{.*}}) threads(32) cluster(2, 4) attributes {stage
// LOGICAL: %[[COUNT:.*]] = tile.sm_count
// LOGICAL: %[[WHOLE:.*]] = arith.divui %[[COUNT]], %c6
// LOGICAL: %[[RESIDENT:.*]] = arith.maxui %[[WHOLE]], %c1
// LOGICAL: tile.launch @persistent blocks(%[[ID:.*]]) in (%{{.*}}) threads(32) cluster(6) attributes {stage
// LOGICAL: %[[CLUSTER:.*]] = arith.divui %[[ID]], %c6
// LOGICAL: scf.for %{{.*}} = %[[CLUSTER]] to %{{.*}} step %[[RESIDENT]]
// PTX: .entry plain
// PTX: .reqnctapercluster 2, 1, 1
// PTX: .entry panels
// PTX: .reqnctapercluster 2, 4, 1
// PTX: .entry persistent
// PTX: .reqnctapercluster 6, 1, 1
// REPORT: kernel plain
// REPORT-NEXT: threads    32, in clusters of 2 x 1 x 1 blocks
// JSON: "name": "panels"
// JSON: "cluster": [
// JSON-NEXT: 2,
// JSON-NEXT: 4,
// JSON-NEXT: 1
func.func @walk(%o: memref<24x28xi32>, %p: memref<24x28xi32>, %q: memref<6x24x28xi32>, %n: index, %m: index) {
  %c6 = arith.constant 6 : index
  // UNEVEN: clusters.mlir:[[@LINE+1]]:3: error: extent 0 of the grid is 3, which the cluster's 2 does not divide
  tile.launch @plain blocks(%x, %y) in (%n, %m) threads(32) cluster(2) {
    %c100 = arith.constant 100 : index
    %i = arith.muli %y, %c100 : index
    %j = arith.addi %i, %x : index
    %v = arith.index_cast %j : index to i32
    memref.store %v, %o[%y, %x] : memref<24x28xi32>
  }
  tile.launch @panels blocks(%x, %y) in (%n, %m) threads(32) cluster(2, 4) attributes {rasterize = #tile.rasterize<column, 3>} {
    %c100 = arith.constant 100 : index
    %i = arith.muli %y, %c100 : index
    %j = arith.addi %i, %x : index
    %v = arith.index_cast %j : index to i32
    memref.store %v, %p[%y, %x] : memref<24x28xi32>
  }
  tile.launch @persistent blocks(%x, %y, %z) in (%n, %m, %c6) threads(32) cluster(2, 1, 3) attributes {persistent, rasterize = #tile.rasterize<row, 2>} {
    %c100 = arith.constant 100 : index
    %i = arith.muli %z, %c100 : index
    %j = arith.addi %i, %y : index
    %k = arith.muli %j, %c100 : index
    %l = arith.addi %k, %x : index
    %v = arith.index_cast %l : index to i32
    memref.store %v, %q[%z, %y, %x] : memref<6x24x28xi32>
  }
  return
}

func.func @refused(%n: index, %m: index) {
  // PERSISTENT: clusters.mlir:[[@LINE+2]]:3: error: extent {{[01]}} of the grid is 5, which the cluster's 4 does not divide
  // NEGATIVE: clusters.mlir:[[@LINE+1]]:3: error: extent 0 of the grid is -4, below zero
  tile.launch @refused_kernel blocks(%x, %y) in (%n, %m) threads(32) cluster(1, 4) attributes {persistent} {
  }
  return
}

// Each cluster of two walks over pairs of tiles, with a producer that is a tile ahead.
// REPORT: kernel gemm_kernel
// REPORT-NEXT: threads    160, consumer 4 warps, producer 1 warp, in clusters of 2 x 1 x 1 blocks
func.func @gemm(%A: memref<320x96xf16>, %B: memref<256x96xf16>, %C: memref<320x256xf16>) {
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  tile.launch @gemm_kernel blocks(%x, %y) in (%c4, %c5) threads(128) cluster(2, 1) attributes {persistent, rasterize = #tile.rasterize<row, 2>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c96 = arith.constant 96 : index
    %row = arith.muli %y, %c64 : index
    %col = arith.muli %x, %c64 : index
    %As = tile.alloc : memref<64x32xf16, #shared>
    %Bs = tile.alloc : memref<64x32xf16, #shared>
    %Cs = tile.alloc : memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %i = %c0 to %c96 step %c32 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      tile.copy %A[%row, %i] to %As : memref<320x96xf16> to memref<64x32xf16, #shared>
      tile.copy %B[%col, %i] to %Bs : memref<256x96xf16> to memref<64x32xf16, #shared>
      %d = tile.gemm %As, %Bs, %c {transpose_b} : memref<64x32xf16, #shared>, memref<64x32xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 3 : i32}
    %h = arith.truncf %acc : tensor<64x64xf32> to tensor<64x64xf16>
    tile.store %h, %Cs[%c0, %c0] : tensor<64x64xf16>, memref<64x64xf16, #shared>
    tile.copy %Cs to %C[%row, %col] : memref<64x64xf16, #shared> to memref<320x256xf16>
  }
  return
}

// What is done once is done once a block, not once a cluster; atomics of all blocks
// count; lines name blocks of the grid.
// PRINTS: once (block 0, 0, 0): 1
// PRINTS-NEXT: once (block 0, 1, 0): 1
// PRINTS-NEXT: once (block 1, 0, 0): 1
// PRINTS-NEXT: once (block 1, 1, 0): 1
// PRINTS-NOT: once
func.func @blocks(%count: memref<1xi32>, %sum: memref<64xf32>) {
  %c2 = arith.constant 2 : index
  tile.launch @blocks_kernel blocks(%x, %y) in (%c2, %c2) threads(64) cluster(2, 2) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %ones = arith.constant dense<1.0> : tensor<64xf32>
    tile.once {
      %old = memref.atomic_rmw addi %one, %count[%c0] : (i32, memref<1xi32>) -> i32
    }
    tile.atomic_rmw addf %ones, %sum[%c0] : tensor<64xf32>, memref<64xf32>
    tile.print "once" %one : i32
  }
  return
}
