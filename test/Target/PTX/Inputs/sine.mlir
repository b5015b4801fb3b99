module attributes {tile.target = #tile.target<"sm_80">, gpu.container_module} {
  gpu.module @kernels {
    llvm.func @__nv_sinf(f32) -> f32
    llvm.func @k(%p: !llvm.ptr<1>, %x: f32) attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>, tile.stage = #tile.stage<threaded>} {
      %c = llvm.call @__nv_sinf(%x) : (f32) -> f32
      llvm.store %c, %p : f32, !llvm.ptr<1>
      llvm.return
    }
  }
}
