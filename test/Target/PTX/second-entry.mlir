// A store that stands in front of a loop and at its end is not shared, which would give the
// loop a second entry: lanes that part at it would wait at different copies of its barrier
// once it is unrolled (lib/Target/PTX/OptimizeModule.h).
// RUN: tile-opt %s --emit=ptx | FileCheck %s
// CHECK: st.global.b32
// CHECK: bar.sync
// CHECK: st.global.b32
// CHECK: ret;
#loop_unroll = #llvm.loop_unroll<disable = true>
#loop_annotation = #llvm.loop_annotation<unroll = #loop_unroll>
module attributes {tile.target = #tile.target<"sm_80">, gpu.container_module} {
  gpu.module @kernels {
    llvm.func @k(%p: !llvm.ptr<1> {llvm.noundef}, %n: i32 {llvm.noundef}) attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>, tile.stage = #tile.stage<threaded>} {
      %zero = llvm.mlir.constant(0 : i32) : i32
      %one = llvm.mlir.constant(1 : i32) : i32
      %thread = nvvm.read.ptx.sreg.tid.x range <i32, 0, 64> : i32
      %stores = llvm.icmp "eq" %thread, %zero : i32
      llvm.cond_br %stores, ^before, ^loop(%zero : i32)
    ^before:
      llvm.store %n, %p : i32, !llvm.ptr<1>
      llvm.br ^loop(%zero : i32)
    ^loop(%i: i32):
      nvvm.barrier
      %next = llvm.add %i, %one : i32
      %read = llvm.load volatile %p : !llvm.ptr<1> -> i32
      %goesOn = llvm.icmp "ne" %read, %zero : i32
      llvm.cond_br %goesOn, ^again, ^exit
    ^again:
      llvm.cond_br %stores, ^inside, ^loop(%next : i32) {loop_annotation = #loop_annotation}
    ^inside:
      llvm.store %next, %p : i32, !llvm.ptr<1>
      llvm.br ^loop(%next : i32) {loop_annotation = #loop_annotation}
    ^exit:
      llvm.return
    }
  }
}
