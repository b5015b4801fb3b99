// Blocks of a cluster bring together what they share: every case equals the program as
// written, in the emulator with all checkers and at every stage, and is multicast.
// RUN: tile-run %s --entry=columns --on=emulator --chip=sm_90a --check --scalar=3:0 --seed=1
// RUN: tile-run %s --entry=columns --on=emulator --chip=sm_90a --check --scalar=3:1 --seed=2
// RUN: tile-run %s --entry=columns --on=emulator --chip=sm_90a --check --scalar=3:3 --seed=3
// RUN: tile-run %s --entry=columns --on=emulator --chip=sm_90a --check --scalar=3:7 --seed=0 --check-stages
// RUN: tile-run %s --entry=columns --on=emulator --chip=sm_90a --check --scalar=3:7 --seed=4
// RUN: tile-run %s --entry=columns --on=emulator --chip=sm_90a --check --scalar=3:7 --seed=5
// RUN: tile-run %s --entry=rows --on=emulator --chip=sm_90a --check --seed=0
// RUN: tile-run %s --entry=rows --on=emulator --chip=sm_90a --check --seed=6
// RUN: tile-run %s --entry=square --on=emulator --chip=sm_90a --check --seed=0
// RUN: tile-run %s --entry=square --on=emulator --chip=sm_90a --check --seed=7
// RUN: tile-run %s --entry=square --on=emulator --chip=sm_90a --check --seed=8
// RUN: tile-run %s --entry=four --on=emulator --chip=sm_90a --check --seed=0
// RUN: tile-run %s --entry=four --on=emulator --chip=sm_90a --check --seed=9
// RUN: tile-run %s --entry=heads --on=emulator --chip=sm_90a --check --seed=0
// RUN: tile-run %s --entry=heads --on=emulator --chip=sm_90a --check --seed=10
// RUN: tile-run %s --entry=uneven --on=emulator --chip=sm_90a --check --seed=11
// RUN: tile-opt %s --tile-logical-phase="chip=sm_90a" -o %t.mlir
// RUN: tile-run %t.mlir --multiprocessors=4 --entry=walk --on=emulator --check --seed=0
// RUN: tile-run %t.mlir --multiprocessors=4 --entry=walk --on=emulator --check --seed=12
// RUN: tile-opt %s --tile-compile=chip=sm_90a --mlir-print-ir-after=tile-multicast-copies --mlir-disable-threading -o /dev/null 2>&1 | FileCheck %s
// RUN: tile-opt %t.mlir --emit=ptx | FileCheck %s --check-prefix=PTX
// RUN: tile-opt %t.mlir --emit=report | FileCheck %s --check-prefix=REPORT
// RUN: tile-opt %s --tile-compile=chip=sm_90a --remark-format=emitRemark --remarks-filter-missed=tile-multicast-copies -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

#shared = #gpu.address_space<workgroup>

// The words of all blocks are set when the cluster meets; a block does not meet besides.
// PTX-LABEL: .entry columns_kernel(
// PTX: fence.mbarrier_init
// PTX-NOT: bar.sync
// PTX: barrier.cluster.arrive
// PTX-NEXT: barrier.cluster.wait

// Two blocks side by side share the rows of A, of which the last are outside.
// CHECK-LABEL: tile.launch @columns_kernel
// CHECK: tile.copy %{{.*}} multicast = array<i64: 3, 3>
func.func @columns(%A: memref<120x512xf16>, %B: memref<120x512xf16>, %C: memref<120x120xf32>, %trips: index) {
  %c2 = arith.constant 2 : index
  tile.launch @columns_kernel blocks(%x, %y) in (%c2, %c2) threads(128) cluster(2, 1) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %row = arith.muli %y, %c64 : index
    %col = arith.muli %x, %c64 : index
    %s = tile.alloc : memref<64x64xf16, #shared>
    %t = tile.alloc : memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %i = %c0 to %trips step %one iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      %k = arith.muli %i, %c64 : index
      tile.copy %A[%row, %k] to %s : memref<120x512xf16> to memref<64x64xf16, #shared>
      tile.copy %B[%col, %k] to %t : memref<120x512xf16> to memref<64x64xf16, #shared>
      %d = tile.gemm %s, %t, %c {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 3 : i32}
    tile.store %acc, %C[%row, %col] : tensor<64x64xf32>, memref<120x120xf32>
  }
  return
}

// Two blocks one above the other share the columns of B. What is done once, atomics,
// barriers and lines of output stay the block's.
// CHECK-LABEL: tile.launch @rows_kernel
// CHECK: tile.copy %{{.*}} multicast = array<i64: 3, 3>
func.func @rows(%A: memref<256x192xf16>, %B: memref<64x192xf16>, %C: memref<256x64xf32>, %count: memref<4xi32>, %sum: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  tile.launch @rows_kernel blocks(%x, %y) in (%c1, %c4) threads(128) cluster(1, 2) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c192 = arith.constant 192 : index
    %row = arith.muli %y, %c64 : index
    %s = tile.alloc : memref<64x64xf16, #shared>
    %t = tile.alloc : memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %k = %c0 to %c192 step %c64 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      tile.copy %A[%row, %k] to %s : memref<256x192xf16> to memref<64x64xf16, #shared>
      tile.copy %B[%c0, %k] to %t : memref<64x192xf16> to memref<64x64xf16, #shared>
      %d = tile.gemm %s, %t, %c {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 2 : i32}
    %u = tile.alloc : memref<64x64xf32, #shared>
    tile.store %acc, %u[%c0, %c0] : tensor<64x64xf32>, memref<64x64xf32, #shared>
    tile.once {
      %n = arith.constant 1 : i32
      memref.store %n, %count[%y] : memref<4xi32>
    }
    %r = tile.load %u[%c0, %c0] [64, 64] : memref<64x64xf32, #shared> -> tensor<64x64xf32>
    tile.store %r, %C[%row, %c0] : tensor<64x64xf32>, memref<256x64xf32>
    %ones = arith.constant dense<1.0> : tensor<64x64xf32>
    tile.atomic_rmw addf %ones, %sum[%c0, %c0] : tensor<64x64xf32>, memref<64x64xf32>
    tile.print "block" %row : index
  }
  return
}

// Four blocks: A along one dimension of the cluster, B along the other. Three of them
// write to each slot.
// CHECK-LABEL: tile.launch @square_kernel
// CHECK: tile.copy %{{.*}} multicast = array<i64: 3, 3, 12, 12>
// CHECK: tile.copy %{{.*}} multicast = array<i64: 5, 10, 5, 10>
func.func @square(%A: memref<128x448xf16>, %B: memref<128x448xf16>, %C: memref<128x128xf32>) {
  %c2 = arith.constant 2 : index
  tile.launch @square_kernel blocks(%x, %y) in (%c2, %c2) threads(128) cluster(2, 2) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c448 = arith.constant 448 : index
    %row = arith.muli %y, %c64 : index
    %col = arith.muli %x, %c64 : index
    %s = tile.alloc : memref<64x64xf16, #shared>
    %t = tile.alloc : memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %k = %c0 to %c448 step %c64 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      tile.copy %A[%row, %k] to %s : memref<128x448xf16> to memref<64x64xf16, #shared>
      tile.copy %B[%col, %k] to %t : memref<128x448xf16> to memref<64x64xf16, #shared>
      %d = tile.gemm %s, %t, %c {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 2 : i32}
    tile.store %acc, %C[%row, %col] : tensor<64x64xf32>, memref<128x128xf32>
  }
  return
}

// CHECK-LABEL: tile.launch @four_kernel
// CHECK: tile.copy %{{.*}} multicast = array<i64: 15, 15, 15, 15>
func.func @four(%A: memref<64x320xf16>, %B: memref<256x320xf16>, %C: memref<64x256xf32>) {
  %c4 = arith.constant 4 : index
  tile.launch @four_kernel blocks(%x) in (%c4) threads(128) cluster(4) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c320 = arith.constant 320 : index
    %col = arith.muli %x, %c64 : index
    %s = tile.alloc : memref<64x64xf16, #shared>
    %t = tile.alloc : memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %k = %c0 to %c320 step %c64 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      tile.copy %A[%c0, %k] to %s : memref<64x320xf16> to memref<64x64xf16, #shared>
      tile.copy %B[%col, %k] to %t : memref<256x320xf16> to memref<64x64xf16, #shared>
      %d = tile.gemm %s, %t, %c {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 2 : i32}
    tile.store %acc, %C[%c0, %col] : tensor<64x64xf32>, memref<64x256xf32>
  }
  return
}

// Four heads share one of the keys: two of them are in a cluster.
// CHECK-LABEL: tile.launch @heads_kernel
// CHECK: tile.copy %{{.*}} multicast = array<i64: 3, 3>
func.func @heads(%Q: memref<8x64x64xf16>, %K: memref<2x192x64xf16>, %S: memref<8x64x64xf32>) {
  %c8 = arith.constant 8 : index
  tile.launch @heads_kernel blocks(%h) in (%c8) threads(128) cluster(2) {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c64 = arith.constant 64 : index
    %c192 = arith.constant 192 : index
    %head = arith.divui %h, %c4 : index
    %q = tile.alloc : memref<64x64xf16, #shared>
    %k = tile.alloc : memref<64x64xf16, #shared>
    tile.copy %Q[%h, %c0, %c0] [1, 64, 64] to %q : memref<8x64x64xf16> to memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %i = %c0 to %c192 step %c64 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      tile.copy %K[%head, %i, %c0] [1, 64, 64] to %k : memref<2x192x64xf16> to memref<64x64xf16, #shared>
      %d = tile.gemm %q, %k, %c {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 2 : i32}
    tile.store %acc, %S[%h, %c0, %c0] [1, 64, 64] : tensor<64x64xf32>, memref<8x64x64xf32>
  }
  return
}

// Each block has as many iterations as its number: nothing is in step.
// CHECK-LABEL: tile.launch @uneven_kernel
// CHECK-NOT: multicast =
// REMARK: NotMulticast{{.*}}how often, or when, its ring is filled is not known to be the same in these blocks
func.func @uneven(%A: memref<64x256xf16>, %B: memref<256x256xf16>, %C: memref<64x256xf32>) {
  %c4 = arith.constant 4 : index
  tile.launch @uneven_kernel blocks(%x) in (%c4) threads(128) cluster(2) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %col = arith.muli %x, %c64 : index
    %s = tile.alloc : memref<64x64xf16, #shared>
    %t = tile.alloc : memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %n = arith.addi %x, %one : index
    %acc = scf.for %i = %c0 to %n step %one iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      %k = arith.muli %i, %c64 : index
      tile.copy %A[%c0, %k] to %s : memref<64x256xf16> to memref<64x64xf16, #shared>
      tile.copy %B[%col, %k] to %t : memref<256x256xf16> to memref<64x64xf16, #shared>
      %d = tile.gemm %s, %t, %c {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 2 : i32}
    tile.store %acc, %C[%c0, %col] : tensor<64x64xf32>, memref<64x256xf32>
  }
  return
}

// Resident clusters of four walk over tiles; their blocks have one dimension then.
// CHECK-LABEL: tile.launch @walk_kernel
// CHECK: tile.copy %{{.*}} multicast = array<i64: 3, 3, 12, 12>
// REPORT: kernel walk_kernel
// REPORT: 4096 bytes an access, multicast by each of 2 blocks
// REPORT-NEXT: 4096 bytes an access, multicast by each of 2 blocks
func.func @walk(%A: memref<256x192xf16>, %B: memref<256x192xf16>, %C: memref<256x256xf32>) {
  %c4 = arith.constant 4 : index
  tile.launch @walk_kernel blocks(%x, %y) in (%c4, %c4) threads(128) cluster(2, 2) attributes {persistent, rasterize = #tile.rasterize<row, 2>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c192 = arith.constant 192 : index
    %row = arith.muli %y, %c64 : index
    %col = arith.muli %x, %c64 : index
    %s = tile.alloc : memref<64x64xf16, #shared>
    %t = tile.alloc : memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %k = %c0 to %c192 step %c64 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      tile.copy %A[%row, %k] to %s : memref<256x192xf16> to memref<64x64xf16, #shared>
      tile.copy %B[%col, %k] to %t : memref<256x192xf16> to memref<64x64xf16, #shared>
      %d = tile.gemm %s, %t, %c {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 2 : i32}
    tile.store %acc, %C[%row, %col] : tensor<64x64xf32>, memref<256x256xf32>
  }
  return
}
