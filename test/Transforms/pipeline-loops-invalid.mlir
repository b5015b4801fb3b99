// RUN: tile-opt %s --tile-pipeline-loops --split-input-file --verify-diagnostics

module attributes {tile.target = #tile.target<"sm_80">} {
func.func @wrong_stage(%n: index) {
  // expected-error @+2 {{tile-pipeline-loops needs a launch at stage 'materialized', this one is at 'placed'}}
  // expected-note @+1 {{the pass to run on it next is tile-insert-barriers}}
  tile.launch @k blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<placed>} {
  }
  return
}
}

// -----

#shared = #gpu.address_space<workgroup>
#f = #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]>
module attributes {tile.target = #tile.target<"sm_80">} {
// Reads in a stage before the one that writes.
func.func @read_before_written(%n: index, %m: memref<?xf32>, %o: memref<128xf32>) {
  tile.launch @k blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %s = tile.alloc layout(#tile.shared<[128]>) : memref<128xf32, #shared>
    scf.for %i = %c0 to %n step %c128 {
      // expected-note @+1 {{the other operation}}
      tile.copy %m[%i] to %s {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">, tile.pipeline_stage = 1 : i32, tile.pipeline_order = 0 : i32} : memref<?xf32> to memref<128xf32, #shared>
      // expected-error @+1 {{'tile.load' reads what 'tile.copy' writes to 'memref<128xf32, #gpu.address_space<workgroup>>' in the same iteration, but 'tile.load' (stage 0, order 1) would run before 'tile.copy' (stage 1, order 0)}}
      %x = tile.load %s {tile.pipeline_stage = 0 : i32, tile.pipeline_order = 1 : i32} : memref<128xf32, #shared> -> tensor<128xf32, #f>
      tile.store %x, %o {tile.pipeline_stage = 1 : i32, tile.pipeline_order = 2 : i32} : tensor<128xf32, #f>, memref<128xf32>
    } {tile.stages = 2 : i32}
  }
  return
}
}

// -----

#f = #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]>
module attributes {tile.target = #tile.target<"sm_80">} {
// A sum that the loop carries: the load of the next iteration cannot come before
// the store of this one, nor the store before its load.
func.func @cyclic(%n: index, %o: memref<128xf32>) {
  tile.launch @k blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      // expected-error @+1 {{'tile.load' reads what 'tile.store' writes to 'memref<128xf32>' in the iteration before, but 'tile.load' (stage 0, order 0) would run before 'tile.store' (stage 1, order 2)}}
      %x = tile.load %o {tile.pipeline_stage = 0 : i32, tile.pipeline_order = 0 : i32} : memref<128xf32> -> tensor<128xf32, #f>
      %y = arith.addf %x, %x {tile.pipeline_stage = 1 : i32, tile.pipeline_order = 1 : i32} : tensor<128xf32, #f>
      // expected-note @+1 {{the other operation}}
      tile.store %y, %o {tile.pipeline_stage = 1 : i32, tile.pipeline_order = 2 : i32} : tensor<128xf32, #f>, memref<128xf32>
    } {tile.stages = 2 : i32}
  }
  return
}
}

// -----

module attributes {tile.target = #tile.target<"sm_80">} {
// A scalar used in an earlier stage than the one that computes it.
func.func @scalar_too_late(%n: index, %o: memref<?xindex>) {
  tile.launch @k blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      // expected-note @+1 {{the other operation}}
      %k = arith.muli %i, %i {tile.pipeline_stage = 1 : i32, tile.pipeline_order = 0 : i32} : index
      // expected-error @+1 {{'tile.once' uses what 'arith.muli' computes in the same iteration, but 'tile.once' (stage 0, order 1) would run before 'arith.muli' (stage 1, order 0)}}
      tile.once {
        memref.store %k, %o[%i] : memref<?xindex>
      } {tile.pipeline_stage = 0 : i32, tile.pipeline_order = 1 : i32}
    } {tile.stages = 2 : i32}
  }
  return
}
}

// -----

#shared = #gpu.address_space<workgroup>
#f = #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]>
module attributes {tile.target = #tile.target<"sm_80">} {
// Operations that a pass has written out have the order of the one they stand for; what is
// said are the numbers that the program has, gaps and equal ones as they are.
func.func @numbers_of_the_program(%n: index, %m: memref<?xf32>, %o: memref<128xf32>) {
  tile.launch @k blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %s = tile.alloc layout(#tile.shared<[128]>) : memref<128xf32, #shared>
    scf.for %i = %c0 to %n step %c128 {
      // expected-note @+1 {{the other operation}}
      tile.copy %m[%i] to %s {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">, tile.pipeline_stage = 1 : i32, tile.pipeline_order = 10 : i32} : memref<?xf32> to memref<128xf32, #shared>
      // expected-error @+1 {{in the same iteration, but 'tile.load' (stage 0, order 30) would run before 'tile.copy' (stage 1, order 10)}}
      %x = tile.load %s {tile.pipeline_stage = 0 : i32, tile.pipeline_order = 30 : i32} : memref<128xf32, #shared> -> tensor<128xf32, #f>
      %y = arith.addf %x, %x {tile.pipeline_stage = 1 : i32, tile.pipeline_order = 30 : i32} : tensor<128xf32, #f>
      tile.store %y, %o {tile.pipeline_stage = 1 : i32, tile.pipeline_order = 30 : i32} : tensor<128xf32, #f>, memref<128xf32>
    } {tile.stages = 2 : i32}
  }
  return
}
}

// -----

#shared = #gpu.address_space<workgroup>
#f = #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]>
module attributes {tile.target = #tile.target<"sm_80">} {
// The largest stage is 31.
func.func @one_stage_too_many(%n: index, %m: memref<?xf32>, %o: memref<128xf32>) {
  tile.launch @k blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %s = tile.alloc layout(#tile.shared<[128]>) : memref<128xf32, #shared>
    scf.for %i = %c0 to %n step %c128 {
      tile.copy %m[%i] to %s {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">, tile.pipeline_stage = 0 : i32, tile.pipeline_order = 0 : i32} : memref<?xf32> to memref<128xf32, #shared>
      // expected-error @+1 {{is at stage 32, but a loop has at most 32 stages, 0 to 31}}
      %x = tile.load %s {tile.pipeline_stage = 32 : i32, tile.pipeline_order = 1 : i32} : memref<128xf32, #shared> -> tensor<128xf32, #f>
      tile.store %x, %o {tile.pipeline_stage = 32 : i32, tile.pipeline_order = 2 : i32} : tensor<128xf32, #f>, memref<128xf32>
    } {tile.stages = 33 : i32}
  }
  return
}
}

// -----

#shared = #gpu.address_space<workgroup>
#f = #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]>
module attributes {tile.target = #tile.target<"sm_80">} {
// Steps in front of the loop are written out: there are no stages without end.
func.func @countless_stages(%n: index, %m: memref<?xf32>, %o: memref<128xf32>) {
  tile.launch @k blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %s = tile.alloc layout(#tile.shared<[128]>) : memref<128xf32, #shared>
    scf.for %i = %c0 to %n step %c128 {
      tile.copy %m[%i] to %s {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">, tile.pipeline_stage = 0 : i32, tile.pipeline_order = 0 : i32} : memref<?xf32> to memref<128xf32, #shared>
      // expected-error @+1 {{is at stage 2147483646, but a loop has at most 32 stages, 0 to 31}}
      %x = tile.load %s {tile.pipeline_stage = 2147483646 : i32, tile.pipeline_order = 1 : i32} : memref<128xf32, #shared> -> tensor<128xf32, #f>
      tile.store %x, %o {tile.pipeline_stage = 2147483646 : i32, tile.pipeline_order = 2 : i32} : tensor<128xf32, #f>, memref<128xf32>
    } {tile.stages = 2147483647 : i32}
  }
  return
}
}
