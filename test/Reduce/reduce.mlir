// Of a program with much around it the least is kept that shows the bug of a compiler: one
// that takes minima for maxima, and one that dies of exponentials.
// DEFINE: %{planted} = env TILE_TRUE_TOOLS=%tile_tools_dir tile-reduce %s --tools=%S/Inputs/planted --chip=sm_80
// RUN: %{planted} --differs -- --dim=rows:2 --scalar=2:1 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=PROGRESS < %t.err
// RUN: %{planted} --crashes -o %t.crash.mlir && FileCheck %s --check-prefix=CRASH < %t.crash.mlir
// RUN: tile-opt %t.crash.mlir --emit=ptx --chip=sm_80 -o /dev/null

// CHECK: func.func @main
// CHECK-NOT: scf.
// CHECK-NOT: math.
// CHECK: tile.launch @sums
// CHECK-NOT: scf.
// CHECK-NOT: math.
// CHECK: arith.maximumf
// CHECK-NEXT: tile.store
// CHECK-NOT: tile.
// CHECK: return
// PROGRESS: tile-reduce: [[LEFT:[0-9]+]] of 24 operations after [[#]] trials
// PROGRESS: tile-reduce: [[LEFT]] of 24 operations after

// CRASH: func.func @main
// CRASH-NOT: tile.load
// CRASH: math.exp
// CRASH-NOT: tile.store
// CRASH: return

// A program that does nothing of what is looked for is none to reduce.
// RUN: not tile-reduce %s --differs --chip=sm_80 -o %t.none -- --dim=rows:2 --scalar=2:1 2>&1 | FileCheck %s --check-prefix=EQUAL
// RUN: not ls %t.none
// EQUAL: error: '{{.*}}reduce.mlir' is not what is looked for: the result is 'equal'
// RUN: not tile-reduce %s --crashes --chip=sm_80 2>&1 | FileCheck %s --check-prefix=LIVES
// LIVES: is not what is looked for: the compiler succeeds
// RUN: not tile-reduce %s --fails=nothing --chip=sm_80 2>&1 | FileCheck %s --check-prefix=SUCCEEDS
// SUCCEEDS: is not what is looked for: it succeeds
// RUN: not tile-reduce %s --run-fails=race --chip=sm_80 2>&1 | FileCheck %s --check-prefix=RUNS
// RUNS: is not what is looked for: error: the size of dimension 0 of argument 0 is missing

// Wrong command lines.
// RUN: not tile-reduce %s --differs --crashes 2>&1 | FileCheck %s --check-prefix=TWO
// TWO: error: '--crashes': one test is enough
// RUN: not tile-reduce %s --fails 2>&1 | FileCheck %s --check-prefix=VALUE
// VALUE: error: '--fails' needs a value, as in --fails=..
// RUN: not tile-reduce --differs 2>&1 | FileCheck %s --check-prefix=WHICH
// WHICH: error: which program?
// RUN: not tile-reduce %s --differs --shape=3 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: unknown option '--shape=3'; --help lists the options
// RUN: not tile-reduce %s --differs --trials=none 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: error: --trials=none: expected a number above 0
// RUN: not tile-reduce %t.absent --differs 2>&1 | FileCheck %s --check-prefix=ABSENT
// ABSENT: error: {{.*}}absent

func.func @main(%x: memref<?x64xf32> {tile.dims = ["rows", ""]},
                %y: memref<?x64xf32> {tile.dims = ["rows", ""]}, %flag: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %rows = memref.dim %x, %c0 : memref<?x64xf32>
  tile.launch @scaled blocks(%b) in (%rows) threads(64) {
    %t = tile.load %x[%b, %c0] [1, 64] : memref<?x64xf32> -> tensor<64xf32>
    %u = arith.mulf %t, %t : tensor<64xf32>
    tile.store %u, %x[%b, %c0] [1, 64] : tensor<64xf32>, memref<?x64xf32>
  }
  tile.launch @sums blocks(%b) in (%rows) threads(64) {
    %t = tile.load %x[%b, %c0] [1, 64] : memref<?x64xf32> -> tensor<64xf32>
    %half = arith.constant dense<0.5> : tensor<64xf32>
    %sum = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %half) -> (tensor<64xf32>) {
      %e = math.exp %t : tensor<64xf32>
      %m = arith.maximumf %e, %half : tensor<64xf32>
      %n = scf.if %flag -> (tensor<64xf32>) {
        %p = arith.addf %m, %t : tensor<64xf32>
        scf.yield %p : tensor<64xf32>
      } else {
        scf.yield %m : tensor<64xf32>
      }
      scf.yield %n : tensor<64xf32>
    }
    tile.store %sum, %y[%b, %c0] [1, 64] : tensor<64xf32>, memref<?x64xf32>
  }
  return
}
