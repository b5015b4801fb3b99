// Which of two schedules a loop gets, the reason and the predicted cycles of both.
// RUN: tile-opt %s --tile-pipeline-loops --verify-diagnostics --remark-format=emitRemark --remarks-filter=tile-pipeline-loops | FileCheck %s
// RUN: tile-opt %source_dir/examples/gemm_f16.mlir --emit=report --chip=sm_80 | FileCheck %s --check-prefix=PRODUCT

// 128 x 128 x 32 multiply-adds, 1,024 a cycle: 512. Two tiles of 4,096 elements by copies of 8
// elements, 32 copies a cycle: 16 each. With a slot less two barriers of 128 threads, 128 / 16 + 29
// each, and the second copy's 16 cycles. The prologue is the copies of two iterations.
// PRODUCT: 3 stages: Pipelined
// PRODUCT-NEXT: prologue: 2 steps peeled, 4 operations; epilogue: predicated, none peeled
// PRODUCT-NEXT: schedule: ahead, predicted cycles an iteration: ahead 635, modulo 635; other blocks fill its waits

#shared = #gpu.address_space<workgroup>
#f = #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]>

module attributes {tile.target = #tile.target<"sm_80">} {

// One load of 474 cycles for the one addition of an iteration: two iterations ahead
// it is waited for half as long as one ahead.
// CHECK-LABEL: func @load_far_ahead
// CHECK: %[[FIRST:.*]] = scf.if {{.*}} -> (tensor<128xf32, #{{.*}}>) {
// CHECK: tile.load
// CHECK: %[[SECOND:.*]] = scf.if {{.*}} -> (tensor<128xf32, #{{.*}}>) {
// CHECK: tile.load
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[ZERO:.*]], %[[NEW:.*]] = %[[SECOND]], %[[OLD:.*]] = %[[FIRST]])
// CHECK: %[[AHEAD:.*]] = scf.if
// CHECK: %[[SUM:.*]] = arith.addf %{{.*}}, %[[OLD]]
// CHECK: scf.yield %[[SUM]], %[[AHEAD]], %[[NEW]]
func.func @load_far_ahead(%n: index, %m: memref<?xf32>, %o: memref<128xf32>) {
  tile.launch @load_far_ahead_kernel blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %zero = arith.constant dense<0.0> : tensor<128xf32, #f>
    // expected-remark @below {{[Passed] Pipelined | Category:tile-pipeline-loops | Function=load_far_ahead_kernel | PrologueOperations=2, PrologueSteps=2, Remark="3 stages, 1 copies run ahead", Stages=3}}
    // expected-remark @below {{[Analysis] Schedule | Category:tile-pipeline-loops | Function=load_far_ahead_kernel | AheadCycles=238, ModuloCycles=159, Reason="saves 34 of 100 cycles: ahead waits for 'tile.load' (line 36)", Solver=modulo}}
    %r = scf.for %i = %c0 to %n step %c128 iter_args(%acc = %zero) -> (tensor<128xf32, #f>) {
      %x = tile.load %m[%i] : memref<?xf32> -> tensor<128xf32, #f>
      %next = arith.addf %acc, %x : tensor<128xf32, #f>
      scf.yield %next : tensor<128xf32, #f>
    } {tile.stages = 3 : i32}
    tile.store %r, %o : tensor<128xf32, #f>, memref<128xf32>
  }
  return
}

// With two slots a copy is one iteration ahead, whoever says so.
// CHECK-LABEL: func @copy_ahead
// CHECK: tile.ring {{.*}} -> !tile.ring<2>
func.func @copy_ahead(%n: index, %m: memref<?xf32>, %o: memref<128xf32>) {
  tile.launch @copy_ahead_kernel blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %s = tile.alloc layout(#tile.shared<[128]>) : memref<128xf32, #shared>
    %zero = arith.constant dense<0.0> : tensor<128xf32, #f>
    // expected-remark @below {{[Passed] Pipelined | Category:tile-pipeline-loops | Function=copy_ahead_kernel | PrologueOperations=1, PrologueSteps=1, Remark="2 stages, 1 copies run ahead", Stages=2}}
    // expected-remark @below {{AheadCycles=290, ModuloCycles=290, Reason="modulo is not faster", Solver=ahead}}
    %r = scf.for %i = %c0 to %n step %c128 iter_args(%acc = %zero) -> (tensor<128xf32, #f>) {
      tile.copy %m[%i] to %s {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<?xf32> to memref<128xf32, #shared>
      %x = tile.load %s : memref<128xf32, #shared> -> tensor<128xf32, #f>
      %next = arith.addf %acc, %x : tensor<128xf32, #f>
      scf.yield %next : tensor<128xf32, #f>
    } {tile.stages = 2 : i32}
    tile.store %r, %o : tensor<128xf32, #f>, memref<128xf32>
  }
  return
}

// The slot is written in place by what reads it, which has no schedule of stages but
// the one that copies are told.
// CHECK-LABEL: func @written_in_place
// CHECK: tile.ring {{.*}} -> !tile.ring<2>
func.func @written_in_place(%n: index, %m: memref<?xf32>, %o: memref<?xf32>) {
  tile.launch @written_in_place_kernel blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %s = tile.alloc layout(#tile.shared<[128]>) : memref<128xf32, #shared>
    // expected-remark @below {{[Passed] Pipelined | Category:tile-pipeline-loops | Function=written_in_place_kernel | PrologueOperations=1, PrologueSteps=1, Remark="2 stages, 1 copies run ahead", Stages=2}}
    // expected-remark @below {{AheadCycles=403, ModuloCycles=702, Reason="modulo is not faster", Solver=ahead}}
    scf.for %i = %c0 to %n step %c128 {
      tile.copy %m[%i] to %s {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<?xf32> to memref<128xf32, #shared>
      %x = tile.load %s : memref<128xf32, #shared> -> tensor<128xf32, #f>
      %y = math.exp2 %x : tensor<128xf32, #f>
      tile.store %y, %s : tensor<128xf32, #f>, memref<128xf32, #shared>
      %z = tile.load %s : memref<128xf32, #shared> -> tensor<128xf32, #f>
      tile.store %z, %o[%i] : tensor<128xf32, #f>, memref<?xf32>
    } {tile.stages = 2 : i32}
  }
  return
}
}

// RUN: tile-opt %source_dir/examples/gemm_swiglu.mlir --emit=report --chip=sm_80 | FileCheck %s --check-prefix=TWO
// Two products keep the slot, and one barrier of 45: 1,024 and the 64 of three copies.
// TWO: schedule: ahead, predicted cycles an iteration: ahead 1133, modulo 1133; units are busy for 1088
