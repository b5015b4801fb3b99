// What --emit refuses before, in and behind the pipeline.
// RUN: not tile-opt %s --emit=ptx --chip=sm_75 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not tile-opt %s --emit=ptx --chip=sm_80 --opt-level=9 2>&1 | FileCheck %s --check-prefix=LEVEL
// RUN: not tile-opt %s --emit=sass --chip=sm_80 2>&1 | FileCheck %s --check-prefix=KIND
// RUN: not tile-opt %s.nothing --emit=ptx --chip=sm_80 2>&1 | FileCheck %s --check-prefix=FILE
// RUN: not tile-opt %s --emit=ptx --chip=sm_80 -o %t.nothing/a.ptx 2>&1 | FileCheck %s --check-prefix=OUTPUT
// RUN: echo 'module {}' | not tile-opt --emit=report --chip=sm_80 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: sed 's/constant true/constant false/' %S/Inputs/conditional-launch.mlir | not tile-opt - --emit=ptx --chip=sm_80 2>&1 | FileCheck %s --check-prefix=UNREACHED
// RUN: tile-opt %S/Inputs/conditional-launch.mlir --emit=ptx --chip=sm_80 | FileCheck %s --check-prefix=REACHED
// RUN: env CUDA_HOME= not tile-opt %s --emit=cubin --chip=sm_80 2>&1 | FileCheck %s --check-prefix=PTXAS
// RUN: rm -rf %t && mkdir -p %t/bin && cp %S/Inputs/failing-ptxas %t/bin/ptxas
// RUN: env CUDA_HOME=%t not tile-opt %s --emit=cubin --chip=sm_80 2>&1 | FileCheck %s --check-prefix=FAILS
// RUN: env CUDA_HOME=%t not tile-opt %s --emit=report --chip=sm_80 2>&1 | FileCheck %s --check-prefix=FAILS
// CHIP: error: unknown chip 'sm_75'; known: sm_80, sm_86, sm_89, sm_90a, sm_100a, sm_120a
// LEVEL: error: --opt-level=9 is not one of 0, 1, 2, 3
// KIND: error: --emit=sass: known are ptx, llvm, nvvm, cubin, report, arena, layouts, object, header and html
// FILE: error: cannot open input file
// OUTPUT: error: cannot open output file
// EMPTY: error: holds no tile.launch and no kernel: there is nothing to emit
// UNREACHED: <stdin>:6:5: error: no 'tile.launch' of the module is ever reached, so that there is nothing to emit: a loop around this one makes no iteration, or a condition never holds
// REACHED: .entry k(
// PTXAS: error: a cubin needs ptxas, and none was found; set CUDA_HOME or put ptxas on PATH
// FAILS: error: ptxas failed: ptxas fatal : a test says so
func.func @copy(%n: index, %a: memref<128xf32>, %b: memref<128xf32>) {
  tile.launch @k blocks(%x) in (%n) threads(32) {
    %t = tile.load %a : memref<128xf32> -> tensor<128xf32>
    tile.store %t, %b : tensor<128xf32>, memref<128xf32>
  }
  return
}
