// A gpu.module becomes a gpu.binary of its name that holds PTX for the module's chip.
// RUN: tile-opt %s --tile-serialize-kernels | FileCheck %s
// RUN: tile-opt %s --tile-serialize-kernels=opt-level=0 | FileCheck %s --check-prefix=LEVEL
// RUN: sed -e 's/"sm_80"/"sm_90a"/' %s | tile-opt --tile-serialize-kernels | FileCheck %s --check-prefix=HOPPER

// What stands around the kernels stays, and each module has a binary of its own.
// CHECK: module attributes {gpu.container_module, tile.target = #tile.target<"sm_80">}
// CHECK: func.func @host
// CHECK: gpu.launch_func @kernels::@k
// CHECK-NOT: gpu.module
// CHECK: gpu.binary @kernels [#gpu.object<#nvvm.target<O = 3, chip = "sm_80", features = "+ptx78">, assembly = "
// CHECK-SAME: .version 7.8\0A.target sm_80\0A.address_size 64
// CHECK-SAME: .visible .entry k(
// CHECK-SAME: .reqntid 32, 1, 1
// CHECK-SAME: st.global.b32
// CHECK-NOT: gpu.module
// CHECK: gpu.binary @more {{.*}}.visible .entry second(
// CHECK-NOT: gpu.binary

// LEVEL: gpu.binary @kernels [#gpu.object<#nvvm.target<O = 0, chip = "sm_80"

// HOPPER: gpu.binary @kernels [#gpu.object<#nvvm.target<O = 3, chip = "sm_90a", features = "+ptx84">
// HOPPER-SAME: .version 8.4\0A.target sm_90a
module attributes {tile.target = #tile.target<"sm_80">, gpu.container_module} {
  func.func @host(%n: index, %p: !llvm.ptr<1>) {
    gpu.launch_func @kernels::@k blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%p : !llvm.ptr<1>)
    return
  }
  gpu.module @kernels {
    llvm.func @k(%p: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>, tile.stage = #tile.stage<threaded>} {
      %c = llvm.mlir.constant(1.0 : f32) : f32
      llvm.store %c, %p : f32, !llvm.ptr<1>
      llvm.return
    }
  }
  gpu.module @more {
    llvm.func @second() attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>, tile.stage = #tile.stage<threaded>} {
      llvm.return
    }
  }
}
