// Copies of registers are joined where code generation has made them, and in front of
// the coalescer, whose PTX is the same without that (JoinCopiesTest.cpp tests what each
// pass does).
// RUN: tile-opt %s --emit=ptx --debug-pass=Structure -o %t 2>&1 | FileCheck %s
// CHECK: NVPTX DAG->DAG Pattern Instruction Selection
// CHECK: Forward copies of registers
// CHECK-NEXT: Process Implicit Definitions
// CHECK: Two-Address instruction pass
// CHECK-NEXT: Join chains of registers
// CHECK: Register Coalescer

module attributes {tile.target = #tile.target<"sm_90a">, gpu.container_module} {
  gpu.module @kernels {
    llvm.func @nothing() attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>, tile.stage = #tile.stage<threaded>} {
      llvm.return
    }
  }
}
