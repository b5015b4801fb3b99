// Where a limit of the chip keeps the modulo schedule from being as fast as it could be
// with the stages that are asked for, the reason says which, what it would take and what
// there is. A loop on less data reaches no limit.
// RUN: tile-opt %s --tile-pipeline-loops --split-input-file --verify-diagnostics --remark-format=emitRemark --remarks-filter=tile-pipeline-loops | FileCheck %s

#shared = #gpu.address_space<workgroup>
#wide = #tile.fragment<[8192], register = [64 : (1)], lane = [32 : (64)], warp = [4 : (2048)]>

module attributes {tile.target = #tile.target<"sm_80">} {

// 64 registers an iteration of a load, 64 of the sum: 87 of 255 are free, one iteration
// of the three that would hide the latency.
// CHECK-LABEL: func @registers
// CHECK: scf.if {{.*}} -> (tensor<8192xf32
// CHECK-NOT: scf.if
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) -> (tensor
func.func @registers(%n: index, %m: memref<?xf32>, %o: memref<8192xf32>) {
  tile.launch @registers_kernel blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 8192 : index
    %zero = arith.constant dense<0.0> : tensor<8192xf32, #wide>
    // expected-remark @below {{[Passed] Pipelined}}
    // expected-remark @below {{Reason="modulo is not faster; limited by registers: 277 cycles would keep 256 from step to step, 151 are free", Solver=ahead}}
    %r = scf.for %i = %c0 to %n step %c128 iter_args(%acc = %zero) -> (tensor<8192xf32, #wide>) {
      %x = tile.load %m[%i] {vector_width = 4 : i64} : memref<?xf32> -> tensor<8192xf32, #wide>
      %next = arith.addf %acc, %x : tensor<8192xf32, #wide>
      scf.yield %next : tensor<8192xf32, #wide>
    } {tile.stages = 4 : i32}
    tile.store %r, %o : tensor<8192xf32, #wide>, memref<8192xf32>
  }
  return
}
}

// -----

#narrow = #tile.fragment<[512], register = [4 : (1)], lane = [32 : (4)], warp = [4 : (128)]>

module attributes {tile.target = #tile.target<"sm_80">} {
// CHECK-LABEL: func @registers_enough
// CHECK-COUNT-3: scf.if {{.*}} -> (tensor<512xf32
// CHECK: scf.for
func.func @registers_enough(%n: index, %m: memref<?xf32>, %o: memref<512xf32>) {
  tile.launch @registers_enough_kernel blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 512 : index
    %zero = arith.constant dense<0.0> : tensor<512xf32, #narrow>
    // expected-remark @below {{[Passed] Pipelined}}
    // expected-remark @below {{AheadCycles=253, ModuloCycles=127, Reason="saves 50 of 100 cycles with 8 blocks of 9: ahead waits for 'tile.load' (line 51)", Solver=modulo}}
    %r = scf.for %i = %c0 to %n step %c128 iter_args(%acc = %zero) -> (tensor<512xf32, #narrow>) {
      %x = tile.load %m[%i] {vector_width = 4 : i64} : memref<?xf32> -> tensor<512xf32, #narrow>
      %next = arith.addf %acc, %x : tensor<512xf32, #narrow>
      scf.yield %next : tensor<512xf32, #narrow>
    } {tile.stages = 4 : i32}
    tile.store %r, %o : tensor<512xf32, #narrow>, memref<512xf32>
  }
  return
}
}

// -----

#shared = #gpu.address_space<workgroup>
#row = #tile.fragment<[16384], register = [4 : (1), 32 : (512)], lane = [32 : (4)], warp = [4 : (128)]>
#sum = #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]>

// A slot is 65536 bytes: of four two fit.
module attributes {tile.target = #tile.target<"sm_80">} {
// CHECK-LABEL: func @shared
// CHECK: tile.ring {{.*}} -> !tile.ring<2>
func.func @shared(%n: index, %m: memref<?xf32>, %o: memref<128xf32>) {
  tile.launch @shared_kernel blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 16384 : index
    %s = tile.alloc layout(#tile.shared<[16384]>) : memref<16384xf32, #shared>
    %zero = arith.constant dense<0.0> : tensor<128xf32, #sum>
    // expected-remark @below {{[Passed] Pipelined}}
    // expected-remark @below {{Reason="modulo is not faster; limited by shared memory: 418 cycles would take 262144 of 166912 bytes", Solver=ahead}}
    // expected-remark @below {{2 slots instead of 4 fit the 166912 bytes of shared memory; 3 would take 196608}}
    %r = scf.for %i = %c0 to %n step %c128 iter_args(%acc = %zero) -> (tensor<128xf32, #sum>) {
      tile.copy %m[%i] to %s {layout = #row, vector_width = 4 : i64, instruction = #tile.instruction<"cp.async">} : memref<?xf32> to memref<16384xf32, #shared>
      %x = tile.load %s[%c0] [128] : memref<16384xf32, #shared> -> tensor<128xf32, #sum>
      %next = arith.addf %acc, %x : tensor<128xf32, #sum>
      scf.yield %next : tensor<128xf32, #sum>
    } {tile.stages = 4 : i32}
    tile.store %r, %o : tensor<128xf32, #sum>, memref<128xf32>
  }
  return
}
}
