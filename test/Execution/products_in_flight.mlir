// A product stays in flight from one iteration to the next: with rings of several slots and
// without, for every number of iterations, with sums of packed halves and of several tiles,
// in a loop around. Each wait leaves what was started since.
// RUN: tile-opt %s --emit=ptx --chip=sm_90a | FileCheck %s
// RUN: tile-run %s --entry=known --on=emulator --chip=sm_90a --check --seed=1
// RUN: tile-run %s --entry=known --on=emulator --chip=sm_90a --check --seed=2
// RUN: tile-run %s --entry=known --on=reference --check-stages --chip=sm_90a
// RUN: tile-run %s --entry=known_two_slots --on=emulator --chip=sm_90a --check --seed=3
// RUN: tile-run %s --entry=counted --on=emulator --chip=sm_90a --check --seed=4 --scalar=3:0
// RUN: tile-run %s --entry=counted --on=emulator --chip=sm_90a --check --seed=5 --scalar=3:1
// RUN: tile-run %s --entry=counted --on=emulator --chip=sm_90a --check --seed=6 --scalar=3:2
// RUN: tile-run %s --entry=counted --on=emulator --chip=sm_90a --check --seed=7 --scalar=3:3
// RUN: tile-run %s --entry=counted --on=emulator --chip=sm_90a --check --seed=8 --scalar=3:4
// RUN: tile-run %s --entry=counted --on=emulator --chip=sm_90a --check --seed=9 --scalar=3:9
// RUN: tile-run %s --entry=counted --on=reference --check-stages --chip=sm_90a --scalar=3:5
// RUN: tile-run %s --entry=in_a_loop --on=emulator --chip=sm_90a --check --seed=10
// RUN: tile-run %s --entry=in_a_loop --on=reference --check-stages --chip=sm_90a
// RUN: tile-run %s --entry=halves --on=emulator --chip=sm_90a --check --seed=11 --data=integers
// RUN: tile-run %s --entry=tiles --on=emulator --chip=sm_90a --check --seed=12
// RUN: tile-run %s --entry=added --on=emulator --chip=sm_90a --check --seed=13
// RUN: tile-run %s --entry=filled_alone --on=emulator --chip=sm_90a --check --seed=14
// RUN: tile-run %s --entry=scheduled --on=emulator --chip=sm_90a --check --seed=15
// RUN: tile-run %s --entry=narrow --on=emulator --chip=sm_90a --check --seed=20 --scalar=3:100 --scalar=4:127 --scalar=5:100
// RUN: tile-run %s --entry=narrow --on=emulator --chip=sm_90a --check --seed=21 --scalar=3:0 --scalar=4:3 --scalar=5:1
// RUN: tile-run %s --entry=narrow --on=emulator --chip=sm_90a --check --seed=22 --scalar=3:5 --scalar=4:5 --scalar=5:1
// RUN: tile-run %s --entry=narrow --on=emulator --chip=sm_90a --check --seed=23 --scalar=3:-100 --scalar=4:127 --scalar=5:100
// RUN: tile-run %s --entry=narrow --on=emulator --chip=sm_90a --check --seed=24 --scalar=3:100 --scalar=4:-56 --scalar=5:90
// RUN: tile-run %s --entry=may_be_skipped --on=emulator --chip=sm_90a --check --seed=25 --dim=K:0
// RUN: tile-run %s --entry=may_be_skipped --on=emulator --chip=sm_90a --check --seed=26 --dim=K:40
// RUN: tile-run %s --entry=may_be_skipped --on=emulator --chip=sm_90a --check --seed=27 --dim=K:72
// RUN: tile-run %s --entry=may_be_skipped --on=emulator --chip=sm_90a --check --seed=28 --dim=K:320
// RUN: tile-run %s --entry=twice --on=emulator --chip=sm_90a --check --seed=29 2>&1 | FileCheck %s --check-prefix=TWICE --implicit-check-not=warning
// RUN: tile-run %s --entry=in_place --on=emulator --chip=sm_90a --check --seed=30
// RUN: tile-run %s --entry=in_place --on=reference --check-stages --chip=sm_90a
// RUN: tile-opt %s --emit=report --chip=sm_90a | FileCheck %s --check-prefix=REPORT --implicit-check-not=C75
// REPORT: kernel known
#shared = #gpu.address_space<workgroup>

// The first product starts at zero and stays in flight; each round of the loop starts one
// and waits for the one before.
// CHECK-LABEL: .entry known(
// CHECK: wgmma.mma_async{{.*}}, 0, 1, 1, {{[01]}}, {{[01]}};
// CHECK: wgmma.commit_group
// CHECK-NOT: wgmma.wait_group
// CHECK: wgmma.commit_group
// CHECK: wgmma.wait_group.sync.aligned 1;
// CHECK: wgmma.wait_group.sync.aligned 0;
// CHECK-NOT: wgmma.wait_group
func.func @known(%A: memref<64x320xf16>, %B: memref<320x64xf16>, %C: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @known blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c320 = arith.constant 320 : index
    %a = tile.alloc : memref<64x32xf16, #shared>
    %b = tile.alloc : memref<32x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %sum = scf.for %k = %c0 to %c320 step %c32 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      tile.copy %A[%c0, %k] to %a : memref<64x320xf16> to memref<64x32xf16, #shared>
      tile.copy %B[%k, %c0] to %b : memref<320x64xf16> to memref<32x64xf16, #shared>
      %d = tile.gemm %a, %b, %c : memref<64x32xf16, #shared>, memref<32x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 4 : i32}
    tile.store %sum, %C : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// CHECK-LABEL: .entry known_two_slots(
// CHECK: wgmma.wait_group.sync.aligned 1;
func.func @known_two_slots(%A: memref<64x96xf16>, %B: memref<96x64xf16>, %C: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @known_two_slots blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c96 = arith.constant 96 : index
    %a = tile.alloc : memref<64x32xf16, #shared>
    %b = tile.alloc : memref<32x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %sum = scf.for %k = %c0 to %c96 step %c32 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      tile.copy %A[%c0, %k] to %a : memref<64x96xf16> to memref<64x32xf16, #shared>
      tile.copy %B[%k, %c0] to %b : memref<96x64xf16> to memref<32x64xf16, #shared>
      %d = tile.gemm %a, %b, %c : memref<64x32xf16, #shared>, memref<32x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 2 : i32}
    tile.store %sum, %C : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// As many iterations as the argument says, two warpgroups.
// CHECK-LABEL: .entry counted(
// CHECK: wgmma.wait_group.sync.aligned 1;
func.func @counted(%A: memref<128x320xf16>, %B: memref<320x64xf16>, %C: memref<128x64xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  tile.launch @counted blocks(%x) in (%c1) threads(256) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %a = tile.alloc : memref<128x32xf16, #shared>
    %b = tile.alloc : memref<32x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<128x64xf32>
    %sum = scf.for %i = %c0 to %n step %one iter_args(%c = %zero) -> (tensor<128x64xf32>) {
      %k = arith.muli %i, %c32 : index
      tile.copy %A[%c0, %k] to %a : memref<128x320xf16> to memref<128x32xf16, #shared>
      tile.copy %B[%k, %c0] to %b : memref<320x64xf16> to memref<32x64xf16, #shared>
      %d = tile.gemm %a, %b, %c : memref<128x32xf16, #shared>, memref<32x64xf16, #shared> -> tensor<128x64xf32>
      scf.yield %d : tensor<128x64xf32>
    } {tile.stages = 3 : i32}
    tile.store %sum, %C : tensor<128x64xf32>, memref<128x64xf32>
  }
  return
}

// The ring's numbers go on from one tile to the next.
// CHECK-LABEL: .entry in_a_loop(
// CHECK: wgmma.wait_group.sync.aligned 1;
func.func @in_a_loop(%A: memref<192x96xf16>, %B: memref<96x64xf16>, %C: memref<192x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @in_a_loop blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c96 = arith.constant 96 : index
    %c192 = arith.constant 192 : index
    %a = tile.alloc : memref<64x32xf16, #shared>
    %b = tile.alloc : memref<32x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    scf.for %row = %c0 to %c192 step %c64 {
      %sum = scf.for %k = %c0 to %c96 step %c32 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
        tile.copy %A[%row, %k] to %a : memref<192x96xf16> to memref<64x32xf16, #shared>
        tile.copy %B[%k, %c0] to %b : memref<96x64xf16> to memref<32x64xf16, #shared>
        %d = tile.gemm %a, %b, %c : memref<64x32xf16, #shared>, memref<32x64xf16, #shared> -> tensor<64x64xf32>
        scf.yield %d : tensor<64x64xf32>
      } {tile.stages = 3 : i32}
      tile.store %sum, %C[%row, %c0] : tensor<64x64xf32>, memref<192x64xf32>
    }
  }
  return
}

// Sums of f16: two in a register.
// CHECK-LABEL: .entry halves(
// CHECK: wgmma.wait_group.sync.aligned 1;
func.func @halves(%A: memref<64x128xf16>, %B: memref<128x32xf16>, %C: memref<64x32xf16>) {
  %c1 = arith.constant 1 : index
  tile.launch @halves blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c128 = arith.constant 128 : index
    %a = tile.alloc : memref<64x32xf16, #shared>
    %b = tile.alloc : memref<32x32xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x32xf16>
    %sum = scf.for %k = %c0 to %c128 step %c32 iter_args(%c = %zero) -> (tensor<64x32xf16>) {
      tile.copy %A[%c0, %k] to %a : memref<64x128xf16> to memref<64x32xf16, #shared>
      tile.copy %B[%k, %c0] to %b : memref<128x32xf16> to memref<32x32xf16, #shared>
      %d = tile.gemm %a, %b, %c : memref<64x32xf16, #shared>, memref<32x32xf16, #shared> -> tensor<64x32xf16>
      scf.yield %d : tensor<64x32xf16>
    } {tile.stages = 3 : i32}
    tile.store %sum, %C : tensor<64x32xf16>, memref<64x32xf16>
  }
  return
}

// Two tiles along M, and buffers that no copy fills in the loop.
// CHECK-LABEL: .entry tiles(
// CHECK: wgmma.commit_group
// CHECK-NOT: wgmma.wait_group
// CHECK: wgmma.commit_group
// CHECK: wgmma.wait_group.sync.aligned 0;
func.func @tiles(%A: memref<128x32xf16>, %B: memref<32x48xf16>, %C: memref<128x48xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @tiles blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %a = tile.alloc : memref<128x32xf16, #shared>
    %b = tile.alloc : memref<32x48xf16, #shared>
    tile.copy %A to %a : memref<128x32xf16> to memref<128x32xf16, #shared>
    tile.copy %B to %b : memref<32x48xf16> to memref<32x48xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<128x48xf32>
    %sum = scf.for %i = %c0 to %c3 step %one iter_args(%c = %zero) -> (tensor<128x48xf32>) {
      %d = tile.gemm %a, %b, %c : memref<128x32xf16, #shared>, memref<32x48xf16, #shared> -> tensor<128x48xf32>
      scf.yield %d : tensor<128x48xf32>
    }
    tile.store %sum, %C : tensor<128x48xf32>, memref<128x48xf32>
  }
  return
}

// The sum starts with what is loaded, and what the product reads is overwritten behind the
// loop.
// CHECK-LABEL: .entry added(
// CHECK: wgmma.wait_group.sync.aligned 1;
func.func @added(%A: memref<64x96xf16>, %B: memref<96x64xf16>, %C: memref<64x64xf32>, %D: memref<64x64xf16>) {
  %c1 = arith.constant 1 : index
  tile.launch @added blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c96 = arith.constant 96 : index
    %a = tile.alloc : memref<64x32xf16, #shared>
    %b = tile.alloc : memref<32x64xf16, #shared>
    %start = tile.load %C : memref<64x64xf32> -> tensor<64x64xf32>
    %sum = scf.for %k = %c0 to %c96 step %c32 iter_args(%c = %start) -> (tensor<64x64xf32>) {
      tile.copy %A[%c0, %k] to %a : memref<64x96xf16> to memref<64x32xf16, #shared>
      tile.copy %B[%k, %c0] to %b : memref<96x64xf16> to memref<32x64xf16, #shared>
      %d = tile.gemm %a, %b, %c : memref<64x32xf16, #shared>, memref<32x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 3 : i32}
    %h = arith.truncf %sum : tensor<64x64xf32> to tensor<64x64xf16>
    %s = tile.alloc : memref<64x64xf16, #shared>
    tile.store %h, %s : tensor<64x64xf16>, memref<64x64xf16, #shared>
    tile.copy %s to %D : memref<64x64xf16, #shared> to memref<64x64xf16>
    tile.store %sum, %C : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// No slots are asked for, so that the one must be free before it is filled again: no
// product stays in flight.
// CHECK-LABEL: .entry filled_alone(
// CHECK-NOT: wgmma.wait_group.sync.aligned 1;
func.func @filled_alone(%A: memref<64x192xf16>, %B: memref<32x64xf16>, %C: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @filled_alone blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c192 = arith.constant 192 : index
    %a = tile.alloc : memref<64x32xf16, #shared>
    %b = tile.alloc : memref<32x64xf16, #shared>
    %ones = arith.constant dense<1.0> : tensor<64x64xf32>
    tile.copy %B to %b : memref<32x64xf16> to memref<32x64xf16, #shared>
    %sum = scf.for %k = %c0 to %c192 step %c32 iter_args(%c = %ones) -> (tensor<64x64xf32>) {
      tile.copy %A[%c0, %k] to %a : memref<64x192xf16> to memref<64x32xf16, #shared>
      %d = tile.gemm %a, %b, %c : memref<64x32xf16, #shared>, memref<32x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    tile.store %sum, %C : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// Counters of eight bits, signed and unsigned: there may be no second iteration because
// the first one's number plus the step is none.
// CHECK-LABEL: .entry narrow(
// CHECK-COUNT-2: wgmma.wait_group.sync.aligned 0;
func.func @narrow(%A: memref<64x64xf16>, %B: memref<64x64xf16>, %C: memref<64x64xf32>, %l: i8, %u: i8, %s: i8) {
  %c1 = arith.constant 1 : index
  tile.launch @narrow blocks(%x) in (%c1) threads(128) {
    %a = tile.alloc : memref<64x64xf16, #shared>
    %b = tile.alloc : memref<64x64xf16, #shared>
    tile.copy %A to %a : memref<64x64xf16> to memref<64x64xf16, #shared>
    tile.copy %B to %b : memref<64x64xf16> to memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %r = scf.for %i = %l to %u step %s iter_args(%c = %zero) -> (tensor<64x64xf32>) : i8 {
      %d = tile.gemm %a, %b, %c : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    %q = scf.for unsigned %i = %l to %u step %s iter_args(%c = %r) -> (tensor<64x64xf32>) : i8 {
      %d = tile.gemm %a, %b, %c : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    tile.store %q, %C : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// The loop may have no second iteration, and what is rounded behind it comes from there or
// from a sum that is zero: the product is waited for on both ways, so that ptxas sees its end,
// and behind them no more.
// CHECK-LABEL: .entry may_be_skipped(
// CHECK: wgmma.wait_group.sync.aligned 1;
// CHECK-COUNT-2: wgmma.wait_group.sync.aligned 0;
// CHECK-NOT: wgmma.wait_group
func.func @may_be_skipped(%A: memref<64x?xf16> {tile.dims = ["", "K"], tile.divisible = array<i64: 64, 8>},
                          %B: memref<64x?xf16> {tile.dims = ["", "K"], tile.divisible = array<i64: 64, 8>},
                          %C: memref<64x64xf16>) {
  %c1 = arith.constant 1 : index
  %K = memref.dim %A, %c1 : memref<64x?xf16>
  tile.launch @may_be_skipped blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %a = tile.alloc : memref<64x64xf16, #shared>
    %b = tile.alloc : memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %sum = scf.for %k = %c0 to %K step %c64 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      tile.copy %A[%c0, %k] to %a : memref<64x?xf16> to memref<64x64xf16, #shared>
      tile.copy %B[%c0, %k] to %b : memref<64x?xf16> to memref<64x64xf16, #shared>
      %d = tile.gemm %a, %b, %c {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 3 : i32}
    tile.store %sum, %C : tensor<64x64xf32>, memref<64x64xf16>
  }
  return
}

// A schedule of the program that fills behind the product leaves it no slot: the product is
// waited for in its iteration.
// CHECK-LABEL: .entry scheduled_0
// CHECK: wgmma.wait_group.sync.aligned 0
func.func @scheduled(%A: memref<64x160xf16>, %B: memref<160x64xf16>, %y: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c160 = arith.constant 160 : index
    %a = tile.alloc : memref<64x32xf16, #shared>
    %bs = tile.alloc : memref<32x64xf16, #shared>
    %z = arith.constant dense<0.0> : tensor<64x64xf32>
    %r = scf.for %k = %c0 to %c160 step %c32 iter_args(%c = %z) -> (tensor<64x64xf32>) {
      tile.copy %A[%c0, %k] to %a {tile.pipeline_stage = 0 : i32, tile.pipeline_order = 1 : i32} : memref<64x160xf16> to memref<64x32xf16, #shared>
      tile.copy %B[%k, %c0] to %bs {tile.pipeline_stage = 0 : i32, tile.pipeline_order = 2 : i32} : memref<160x64xf16> to memref<32x64xf16, #shared>
      %d = tile.gemm %a, %bs, %c {tile.pipeline_stage = 2 : i32, tile.pipeline_order = 0 : i32} : memref<64x32xf16, #shared>, memref<32x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 3 : i32}
    tile.store %r, %y : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// Of two iterations, in more slots, the second stands by itself and is the last: nobody is
// warned that another might wait for what is not filled.
// TWICE: argument 2: {{.*}} equal
func.func @twice(%A: memref<64x32xf16>, %B: memref<32x64xf16>, %C: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @twice blocks(%x) in (%c1) threads(128) attributes {warp_specialize = #tile.warp_specialize<off>} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %a = tile.alloc : memref<64x16xf16, #shared>
    %b = tile.alloc : memref<16x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %sum = scf.for %k = %c0 to %c32 step %c16 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      tile.copy %A[%c0, %k] to %a : memref<64x32xf16> to memref<64x16xf16, #shared>
      tile.copy %B[%k, %c0] to %b : memref<32x64xf16> to memref<16x64xf16, #shared>
      %d = tile.gemm %a, %b, %c : memref<64x16xf16, #shared>, memref<16x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 3 : i32}
    tile.store %sum, %C[%c0, %c0] : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// What is stored to the slot behind the product finds that complete.
// REPORT: kernel in_place
// REPORT: NotOverlapped: each product is waited for before the next: what is behind it writes to the slot that it reads
func.func @in_place(%A: memref<64x512xf16>, %B: memref<512x64xf16>, %C: memref<64x64xf32>, %D: memref<64x64xf16>) {
  %one = arith.constant 1 : index
  tile.launch @in_place blocks(%x) in (%one) threads(128) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c512 = arith.constant 512 : index
    %a = tile.alloc : memref<64x64xf16, #shared>
    %b = tile.alloc : memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %ones = arith.constant dense<1.0> : tensor<64x64xf16>
    %sum, %last = scf.for %k = %c0 to %c512 step %c64 iter_args(%s = %zero, %h = %ones) -> (tensor<64x64xf32>, tensor<64x64xf16>) {
      tile.copy %A[%c0, %k] to %a : memref<64x512xf16> to memref<64x64xf16, #shared>
      tile.copy %B[%k, %c0] to %b : memref<512x64xf16> to memref<64x64xf16, #shared>
      %t = tile.gemm %a, %b, %s : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      tile.store %h, %a : tensor<64x64xf16>, memref<64x64xf16, #shared>
      %turned = tile.parallel (%i, %j) in (64, 64) -> (tensor<64x64xf16>) {
        %e = memref.load %a[%j, %i] : memref<64x64xf16, #shared>
        tile.yield %e : f16
      }
      scf.yield %t, %turned : tensor<64x64xf32>, tensor<64x64xf16>
    } {tile.stages = 3 : i32}
    tile.store %sum, %C : tensor<64x64xf32>, memref<64x64xf32>
    tile.store %last, %D : tensor<64x64xf16>, memref<64x64xf16>
  }
  return
}
