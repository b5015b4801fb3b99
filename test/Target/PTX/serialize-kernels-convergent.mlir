// Inline assembly is convergent before LLVM optimises: a synchronising instruction is
// neither duplicated nor moved into a branch.
// RUN: tile-opt %s --emit=llvm | FileCheck %s
// RUN: tile-opt %s --tile-serialize-kernels | FileCheck %s --check-prefix=PTX

// CHECK: call void asm sideeffect "bar.sync 0;", ""() #[[A:[0-9]+]]
// CHECK: attributes #[[A]] = { convergent
// PTX: bar.sync 0;
// PTX-NOT: bar.sync 0;
module attributes {tile.target = #tile.target<"sm_80">, gpu.container_module} {
  gpu.module @kernels {
    llvm.func @k(%p: !llvm.ptr<1>, %x: i1) attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>, tile.stage = #tile.stage<threaded>} {
      %c = llvm.mlir.constant(1 : i32) : i32
      llvm.cond_br %x, ^then, ^after
    ^then:
      llvm.store %c, %p : i32, !llvm.ptr<1>
      llvm.br ^after
    ^after:
      llvm.inline_asm has_side_effects "bar.sync 0;", "" : () -> ()
      llvm.cond_br %x, ^again, ^end
    ^again:
      llvm.store volatile %c, %p : i32, !llvm.ptr<1>
      llvm.br ^end
    ^end:
      llvm.return
    }
  }
}
