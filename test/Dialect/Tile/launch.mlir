// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s

#shared = #gpu.address_space<workgroup>

// CHECK-LABEL: func @clauses
func.func @clauses(%n: index, %m: memref<?xf32>, %s: f32) {
  // CHECK: tile.launch @named blocks(%bx, %by, %bz) in (%{{.*}}, %{{.*}}, %{{.*}}) threads(128) cluster(2, 1, 1) attributes {max_registers = 128 : i64, min_blocks_per_sm = 2 : i64, persistent, rasterize = #tile.rasterize<column, 4>, warp_specialize = #tile.warp_specialize<on>} {
  tile.launch @named blocks(%x, %y, %z) in (%n, %n, %n) threads(128) cluster(2, 1, 1) attributes {max_registers = 128, min_blocks_per_sm = 2, persistent, rasterize = #tile.rasterize<column, 4>, warp_specialize = #tile.warp_specialize<on>} {
  }
  // CHECK: tile.launch blocks(%bx) in (%{{.*}}) threads(32) {
  // CHECK-NEXT: memref.store %{{.*}}, %{{.*}}[%bx] : memref<?xf32>
  // CHECK-NEXT: }
  tile.launch blocks(%x) in (%n) threads(32) {
    memref.store %s, %m[%x] : memref<?xf32>
  }
  return
}

// What the page lists as legal in a host function and in a launch body.
// CHECK-LABEL: func @legal_operations
func.func @legal_operations(%g: memref<?x64xf32>, %n: index, %cond: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %dense = arith.constant dense<1.0> : tensor<64xf32>
  %alloc = memref.alloc(%n) : memref<?x64xf32>
  memref.copy %g, %alloc : memref<?x64xf32> to memref<?x64xf32>
  %d = memref.dim %g, %c0 : memref<?x64xf32>
  %chosen = arith.select %cond, %g, %alloc : memref<?x64xf32>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%m = %chosen) -> (memref<?x64xf32>) {
    tile.launch blocks(%bx) in (%d) threads(64) {
      %s = tile.alloc : memref<4x64xf32, #shared>
      %v = memref.subview %s[1, 0] [2, 64] [1, 1] : memref<4x64xf32, #shared> to memref<2x64xf32, strided<[64, 1], offset: 64>, #shared>
      %e = memref.collapse_shape %s [[0, 1]] : memref<4x64xf32, #shared> into memref<256xf32, #shared>
      %x = memref.load %m[%bx, %c0] : memref<?x64xf32>
      %f = tensor.splat %x : tensor<64xf32>
      %h = arith.addf %f, %dense : tensor<64xf32>
      %w = math.exp %h : tensor<64xf32>
      %r = tensor.expand_shape %w [[0, 1]] output_shape [8, 8] : tensor<64xf32> into tensor<8x8xf32>
      %sl = tensor.extract_slice %r[0, 4] [1, 4] [1, 1] : tensor<8x8xf32> to tensor<4xf32>
      %in = tensor.insert_slice %sl into %r[2, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<8x8xf32>
      %q = tensor.extract %in[%c0, %c1] : tensor<8x8xf32>
      %y = func.call @helper(%in, %s, %q) : (tensor<8x8xf32>, memref<4x64xf32, #shared>, f32) -> tensor<8x8xf32>
      %p = ub.poison : f32
      %arg = scf.index_switch %bx -> f32
      case 0 { scf.yield %q : f32 }
      default { scf.yield %p : f32 }
      %old = memref.atomic_rmw addf %arg, %m[%bx, %c0] : (f32, memref<?x64xf32>) -> f32
      tile.parallel (%a, %b) in (8, 8) {
        %z = tensor.extract %y[%a, %b] : tensor<8x8xf32>
        %pos = arith.cmpf ogt, %z, %q : f32
        scf.if %pos {
          memref.store %z, %m[%a, %b] : memref<?x64xf32>
        }
      }
    }
    scf.yield %m : memref<?x64xf32>
  }
  memref.dealloc %alloc : memref<?x64xf32>
  return
}

func.func @helper(%t: tensor<8x8xf32>, %s: memref<4x64xf32, #shared>, %q: f32) -> tensor<8x8xf32> {
  %f = tensor.splat %q : tensor<8x8xf32>
  %r = arith.addf %t, %f : tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

// CHECK-LABEL: func @schedule
func.func @schedule(%n: index, %m: memref<?xf32>) {
  tile.launch blocks(%bx) in (%n) threads(32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      // CHECK: {tile.pipeline_order = 1 : i32, tile.pipeline_stage = 0 : i32}
      %x = memref.load %m[%i] {tile.pipeline_stage = 0 : i32, tile.pipeline_order = 1 : i32} : memref<?xf32>
      %y = arith.addf %x, %x {tile.pipeline_stage = 1 : i32, tile.pipeline_order = 0 : i32} : f32
      // Constants may have a place, which is ignored, and leave the loop with it.
      %k = arith.constant {tile.pipeline_stage = 1 : i32, tile.pipeline_order = 7 : i32} 2.0 : f32
      // Neighbours of one order run in the order of the program.
      %z = arith.addf %y, %x {tile.pipeline_stage = 1 : i32, tile.pipeline_order = 0 : i32} : f32
    // CHECK: } {tile.stages = 2 : i32}
    } {tile.stages = 2 : i32}
  }
  return
}
