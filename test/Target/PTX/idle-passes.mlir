// What LLVM leaves out for kernels, and what it does not.
// RUN: tile-opt %s --emit=ptx | FileCheck %s

module attributes {tile.target = #tile.target<"sm_80">, gpu.container_module} {
  gpu.module @kernels {
    // Numbers of which a register holds two are computed together.
    // CHECK-LABEL: .entry pairs(
    // CHECK: add.rn.f16x2
    // CHECK-NOT: add.rn.f16{{ }}
    // CHECK: ret;
    llvm.func @pairs(%p: !llvm.ptr<1> {llvm.align = 4 : i64}) attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>, tile.stage = #tile.stage<threaded>} {
      %next = llvm.getelementptr %p[2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      %a = llvm.load %p {alignment = 4 : i64} : !llvm.ptr<1> -> f16
      %b = llvm.load %next {alignment = 2 : i64} : !llvm.ptr<1> -> f16
      %c = llvm.fadd %a, %a : f16
      %d = llvm.fadd %b, %b : f16
      llvm.store %c, %p {alignment = 4 : i64} : f16, !llvm.ptr<1>
      llvm.store %d, %next {alignment = 2 : i64} : f16, !llvm.ptr<1>
      llvm.return
    }
    // Earlier stages make no store that a later one hides: nobody looks for one.
    // CHECK-LABEL: .entry hidden(
    // CHECK-COUNT-2: st.global.b32 [{{.*}}], 1;
    // CHECK: ret;
    llvm.func @hidden(%p: !llvm.ptr<1> {llvm.noalias}, %q: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>, tile.stage = #tile.stage<threaded>} {
      %one = llvm.mlir.constant(1 : i32) : i32
      %two = llvm.mlir.constant(2 : i32) : i32
      llvm.store %one, %p : i32, !llvm.ptr<1>
      llvm.store %two, %q : i32, !llvm.ptr<1>
      llvm.store %one, %p : i32, !llvm.ptr<1>
      llvm.return
    }
  }
}
