// Gathered rows by bulk copies: which rows are known to follow each other, and what is in the
// way where they are not copied so.
// RUN: tile-opt %s --tile-logical-phase=chip=sm_90a --tile-plan-roles --tile-infer-layouts=bulk-copies | FileCheck %s
// RUN: tile-opt %s --tile-logical-phase=chip=sm_90a --tile-plan-roles --tile-infer-layouts=bulk-copies --remark-format=emitRemark --remarks-filter-missed=tile-infer-layouts -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: tile-opt %s --tile-logical-phase=chip=sm_80 --tile-plan-roles --tile-infer-layouts | FileCheck %s --check-prefix=OTHER

// OTHER-NOT: bulk
#shared = #gpu.address_space<workgroup>

// The numbers are computed for the first row of each run, once for both copies; nothing is
// left of the iterations.
// REMARK-NOT: CopyByThreads | {{.*}} | Function=runs_0
// CHECK-LABEL: func.func @runs(
// CHECK-NOT: tile.parallel
// CHECK-COUNT-2: memref.load
// CHECK-COUNT-4: tile.copy {{.*}} to {{.*}} [32, 64] {{.*}}cp.async.bulk.tensor
// CHECK-NOT: rows(
func.func @runs(%A: memref<96x64xf16>, %B: memref<96x64xf16>, %pages: memref<32xi32>, %C: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %one = arith.constant 1 : index
    %s = tile.alloc : memref<64x64xf16, #shared>
    %t = tile.alloc : memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %i = %c0 to %c8 step %one iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      %q = tile.parallel (%j) in (64) -> (tensor<64xindex>) {
        %in = arith.floordivsi %j, %c32 : index
        %at = arith.addi %i, %in : index
        %page32 = memref.load %pages[%at] : memref<32xi32>
        %page = arith.index_cast %page32 : i32 to index
        %start = arith.muli %page, %c32 : index
        %rest = arith.remui %j, %c32 : index
        %row = arith.addi %start, %rest : index
        tile.yield %row : index
      }
      tile.copy %A[%c0, %c0] rows(%q : tensor<64xindex>) dim 0 to %s : memref<96x64xf16> to memref<64x64xf16, #shared>
      tile.copy %B[%c0, %c0] rows(%q : tensor<64xindex>) dim 0 to %t : memref<96x64xf16> to memref<64x64xf16, #shared>
      %d = tile.gemm %s, %t, %c {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 2 : i32}
    tile.store %acc, %C : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// CHECK-LABEL: func.func @declined(
// CHECK-COUNT-6: rows(
func.func @declined(%A: memref<96x64xf16>, %pages: memref<64xi32>, %far: index, %C: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %c12 = arith.constant 12 : index
    %s = tile.alloc : memref<64x64xf16, #shared>
    %t = tile.alloc : memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %i = %c0 to %c8 step %c1 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      %r = tile.load %pages[%c0] : memref<64xi32> -> tensor<64xi32>
      %steps:5 = tile.parallel (%j) in (64) -> (tensor<64xindex>, tensor<64xindex>, tensor<64xindex>, tensor<64xi16>, tensor<64xindex>) {
        %twice = arith.muli %j, %c2 : index
        %low = arith.remui %j, %c8 : index
        %jump = arith.addi %twice, %low : index
        %in = arith.divui %j, %c12 : index
        %page32 = memref.load %pages[%in] : memref<64xi32>
        %page = arith.index_cast %page32 : i32 to index
        %rest = arith.remui %j, %c12 : index
        %twelve = arith.addi %page, %rest : index
        %half = arith.divui %j, %c2 : index
        %few32 = memref.load %pages[%half] : memref<64xi32>
        %few = arith.index_cast %few32 : i32 to index
        %left = arith.remui %j, %c2 : index
        %two = arith.addi %few, %left : index
        %short = arith.index_cast %j : index to i16
        %wrapping = arith.trunci %page32 : i32 to i16
        %narrow = arith.addi %short, %wrapping : i16
        tile.yield %jump, %twelve, %two, %narrow, %j : index, index, index, i16, index
      }
      // A row alone.
      // REMARK: infer-layouts-rows.mlir:[[@LINE+1]]:{{.*}}CopyByThreads{{.*}}its rows are not known to follow each other as those of a page do, and threads copy one alone sooner than one thread names it
      tile.copy %A[%c0, %c0] rows(%r : tensor<64xi32>) dim 0 to %s : memref<96x64xf16> to memref<64x64xf16, #shared>
      // Three rows on each time.
      // REMARK: infer-layouts-rows.mlir:[[@LINE+1]]:{{.*}}CopyByThreads{{.*}}its rows are not known to follow each other
      tile.copy %A[%c0, %c0] rows(%steps#0 : tensor<64xindex>) dim 0 to %t : memref<96x64xf16> to memref<64x64xf16, #shared>
      %d = tile.gemm %s, %t, %c {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      // Twelve is four times three.
      // REMARK: infer-layouts-rows.mlir:[[@LINE+1]]:{{.*}}CopyByThreads{{.*}}its runs of 4 rows are no boxes: a box of 8192 bytes and 64 rows has no 16 equal parts of a multiple of 1024 bytes
      tile.copy %A[%c0, %c0] rows(%steps#1 : tensor<64xindex>) dim 0 to %s : memref<96x64xf16> to memref<64x64xf16, #shared>
      // REMARK: infer-layouts-rows.mlir:[[@LINE+1]]:{{.*}}CopyByThreads{{.*}}its runs of 2 rows are no boxes
      tile.copy %A[%c0, %c0] rows(%steps#2 : tensor<64xindex>) dim 0 to %t : memref<96x64xf16> to memref<64x64xf16, #shared>
      %e = tile.gemm %s, %t, %d {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      // Rows that wrap at 2^15.
      // REMARK: infer-layouts-rows.mlir:[[@LINE+1]]:{{.*}}CopyByThreads{{.*}}its rows are not known to follow each other
      tile.copy %A[%c0, %c0] rows(%steps#3 : tensor<64xi16>) dim 0 to %s : memref<96x64xf16> to memref<64x64xf16, #shared>
      // REMARK: infer-layouts-rows.mlir:[[@LINE+1]]:{{.*}}CopyByThreads{{.*}}the start that its rows count from is not known to be below 2^30
      tile.copy %A[%far, %c0] rows(%steps#4 : tensor<64xindex>) dim 0 to %t : memref<96x64xf16> to memref<64x64xf16, #shared>
      %f = tile.gemm %s, %t, %e {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %f : tensor<64x64xf32>
    } {tile.stages = 2 : i32}
    tile.store %acc, %C : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}
