// RUN: tile-opt %s --tile-serialize-kernels --split-input-file --verify-diagnostics
// RUN: not tile-opt %S/serialize-kernels.mlir --tile-serialize-kernels=opt-level=4 2>&1 | FileCheck %s --check-prefix=LEVEL
// RUN: not tile-opt %S/Inputs/sine.mlir --tile-serialize-kernels=libdevice=%t.nothing.bc 2>&1 | FileCheck %s --check-prefix=MISSING -DPATH=%t.nothing.bc
// RUN: not tile-opt %S/Inputs/sine.mlir --tile-serialize-kernels=libdevice=%s 2>&1 | FileCheck %s --check-prefix=UNREADABLE
// RUN: not tile-opt %S/Inputs/sine.mlir --tile-serialize-kernels=search-toolkits=false 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: env CUDA_HOME= not tile-opt %S/Inputs/sine.mlir --emit=ptx 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: env CUDA_HOME= not tile-run %S/../../Execution/math.mlir --entry=f32 --on=emulator --chip=sm_80 2>&1 | FileCheck %s --check-prefix=NONE
// LEVEL: error: optimisation level 4 is not one of 0, 1, 2, 3
// MISSING: {{sine|math}}.mlir:{{[1-9][0-9]*}}:{{[0-9]+}}: error: a math function needs libdevice.10.bc, which does not exist at '[[PATH]]'; pass its path as libdevice, or set CUDA_HOME for the tools; some functions have an approximation without it, by fastmath<afn>
// UNREADABLE: error: cannot read '{{.*}}serialize-kernels-invalid.mlir'
// NONE: {{sine|math}}.mlir:{{[1-9][0-9]*}}:{{[0-9]+}}: error: a math function needs libdevice.10.bc, which no CUDA toolkit was found to provide; pass its path as libdevice, or set CUDA_HOME for the tools; some functions have an approximation without it, by fastmath<afn>

// Kernels of tiles are not translated.
module attributes {tile.target = #tile.target<"sm_80">, gpu.container_module} {
  gpu.module @kernels {
    // expected-error @+2 {{tile-serialize-kernels needs a kernel at stage 'threaded', this one is at 'outlined'}}
    // expected-note @+1 {{the pass to run on it next is convert-tile-to-nvvm}}
    gpu.func @k(%p: memref<128xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>, tile.stage = #tile.stage<outlined>} {
      gpu.return
    }
  }
}

// -----

// expected-error @below {{the module names no chip; run tile-set-target with chip=<name> first, known: sm_80, sm_86, sm_89, sm_90a, sm_100a, sm_120a}}
module attributes {gpu.container_module} {
  gpu.module @kernels {
  }
}

// -----

// expected-error @below {{unknown chip 'sm_81'; did you mean 'sm_80'? known: sm_80, sm_86, sm_89, sm_90a, sm_100a, sm_120a}}
module attributes {tile.target = #tile.target<"sm_81">, gpu.container_module} {
  gpu.module @kernels {
  }
}

// -----

// An unresolved function is no `.extern` in the PTX. That is said once, however many
// kernels call it.
module attributes {tile.target = #tile.target<"sm_80">, gpu.container_module} {
  // expected-error @below {{function 'helper' is called but not defined}}
  gpu.module @kernels {
    llvm.func @helper(f32) -> f32
    llvm.func @k(%p: !llvm.ptr<1>, %x: f32) attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>, tile.stage = #tile.stage<threaded>} {
      %c = llvm.call @helper(%x) : (f32) -> f32
      llvm.store %c, %p : f32, !llvm.ptr<1>
      llvm.return
    }
    llvm.func @other(%p: !llvm.ptr<1>, %x: f32) attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>, tile.stage = #tile.stage<threaded>} {
      %c = llvm.call @helper(%x) : (f32) -> f32
      llvm.store %c, %p : f32, !llvm.ptr<1>
      llvm.return
    }
  }
}

// -----

// Without kernels nothing is needed and nothing changes.
module {
}
