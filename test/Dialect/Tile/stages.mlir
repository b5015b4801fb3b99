// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: not tile-opt %s --convert-math-to-libm 2>&1 | FileCheck %s --check-prefix=BROKEN

// The smallest program at each stage. A pass that breaks a stage is caught by the
// verifier after it, which names the stage and the operation.
// BROKEN: error: 'func.call' op breaks stage 'logical': calls are inlined by 'tile-inline-calls'

#shared = #gpu.address_space<workgroup>
#v = #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]>
#row = #tile.fragment<[128, 8], register = [8 : (0, 1)], lane = [32 : (1, 0)], warp = [4 : (32, 0)]>
#col = #tile.fragment<[8, 128], register = [8 : (1, 0)], lane = [32 : (0, 1)], warp = [4 : (0, 32)]>
#all = #tile.fragment<[8], register = [8 : (1)], lane = [32 : (0)], warp = [4 : (0)]>

module attributes {tile.target = #tile.target<"sm_80">, gpu.container_module} {

// CHECK-LABEL: func @logical
func.func @logical(%n: index, %v: f32, %m: memref<f32>) {
  // CHECK: stage = #tile.stage<logical>
  tile.launch @logical_kernel blocks(%a) in (%n) threads(128) attributes {stage = #tile.stage<logical>} {
    %e = math.exp %v : f32
    memref.store %e, %m[] : memref<f32>
  }
  return
}

// CHECK-LABEL: func @laid_out
func.func @laid_out(%n: index, %g: memref<128x8xf32>, %cond: i1) {
  // CHECK: stage = #tile.stage<laid_out>
  tile.launch @laid_out_kernel blocks(%a) in (%n) threads(128) attributes {stage = #tile.stage<laid_out>} {
    %c0 = arith.constant 0 : index
    %s = tile.alloc layout(#tile.shared<[128, 8]>) : memref<128x8xf32, #shared>
    tile.copy %g to %s {layout = #row, vector_width = 4, instruction = #tile.instruction<"cp.async">} : memref<128x8xf32> to memref<128x8xf32, #shared>
    %x = tile.load %s : memref<128x8xf32, #shared> -> tensor<128x8xf32, #row>
    %r = tile.reduce <add> %x dims [1] : tensor<128x8xf32, #row> -> tensor<128xf32, #v>
    %b = tile.broadcast %r dims [1] : tensor<128xf32, #v> -> tensor<128x8xf32, #row>
    %t = tile.transpose %b [1, 0] : tensor<128x8xf32, #row> -> tensor<8x128xf32, #col>
    %c = tile.scan <add> %t dim 0 : tensor<8x128xf32, #col>
    %p = tile.parallel (%i, %j) in (8, 128) -> (tensor<8x128xf32, #col>) attributes {layout = #col, vector_width = 1} {
      %e = tensor.extract %b[%j, %i] : tensor<128x8xf32, #row>
      %f = tensor.extract %r[%j] : tensor<128xf32, #v>
      %h = tensor.extract %r[%i] : tensor<128xf32, #v>
      %k = arith.addf %e, %f : f32
      tile.yield %k : f32
    }
    // Sliced through threads: goes through memory later.
    %q = tensor.extract_slice %r[3] [8] [1] : tensor<128xf32, #v> to tensor<8xf32, #all>
    scf.for %i = %c0 to %n step %n {
    } {tile.stages = 2 : i32}
  }
  return
}

// CHECK-LABEL: func @synchronized
func.func @synchronized(%n: index, %g: memref<128xf32>) {
  // CHECK: stage = #tile.stage<synchronized>
  tile.launch @synchronized_kernel blocks(%a) in (%n) threads(128) attributes {stage = #tile.stage<synchronized>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %arena = tile.arena 512 : memref<512xi8, #shared>
    %s = tile.view %arena[0] layout(#tile.shared<[128]>) : memref<512xi8, #shared> to memref<128xf32, #shared>
    %x = tile.load %g : memref<128xf32> -> tensor<128xf32, #v>
    tile.store %x, %s : tensor<128xf32, #v>, memref<128xf32, #shared>
    tile.barrier
    %y = memref.load %s[%a] : memref<128xf32, #shared>
    %k = arith.constant dense<1.0> : tensor<8xf32, #all>
    %z = tensor.extract %k[%c0] : tensor<8xf32, #all>
    tile.once {
      memref.store %z, %g[%c0] : memref<128xf32>
    }
  }
  return
}

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @outlined
  // CHECK-SAME: tile.stage = #tile.stage<outlined>
  gpu.func @outlined(%g: memref<128xf32> {tile.align = 32}) kernel attributes {known_block_size = array<i32: 128, 1, 1>, tile.stage = #tile.stage<outlined>} {
    %b = gpu.block_id x
    %x = tile.load %g[%b] : memref<128xf32> -> tensor<128xf32, #v>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @threaded
  // CHECK-SAME: tile.stage = #tile.stage<threaded>
  llvm.func @threaded(%p: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>, tile.stage = #tile.stage<threaded>} {
    llvm.return
  }
}

// CHECK-LABEL: func @no_launch
// CHECK-SAME: tile.stage = #tile.stage<logical>
func.func @no_launch() attributes {tile.stage = #tile.stage<logical>} {
  return
}

}
