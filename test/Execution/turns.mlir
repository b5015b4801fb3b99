// Warpgroups that start their products in turns: for every number of iterations, which differs
// between blocks, several heads of queries for one of keys, in a loop around, under a condition, in
// two loops one after the other, persistent, by two warpgroups and by three, head sizes 64, 128 and 256.
// RUN: tile-opt %s --emit=ptx --chip=sm_90a | FileCheck %s
// RUN: tile-opt %s --emit=report --chip=sm_90a | FileCheck %s --check-prefix=REPORT
// RUN: tile-opt %s --emit=ptx --chip=sm_80 | FileCheck %s --check-prefix=OTHER --implicit-check-not=bar.arrive
// OTHER: .entry attention(
// RUN: tile-run %s --entry=attention --on=emulator --chip=sm_90a --check --scalar=4:0 --seed=0
// RUN: tile-run %s --entry=together --on=emulator --chip=sm_90a --check --scalar=4:0 --seed=1
// RUN: tile-run %s --entry=attention --on=emulator --chip=sm_90a --check --scalar=4:64 --seed=2
// RUN: tile-run %s --entry=together --on=emulator --chip=sm_90a --check --scalar=4:64 --seed=3
// RUN: tile-run %s --entry=attention --on=emulator --chip=sm_90a --check --scalar=4:128 --seed=4
// RUN: tile-run %s --entry=together --on=emulator --chip=sm_90a --check --scalar=4:128 --seed=5
// RUN: tile-run %s --entry=attention --on=emulator --chip=sm_90a --check --scalar=4:192 --seed=6
// RUN: tile-run %s --entry=together --on=emulator --chip=sm_90a --check --scalar=4:192 --seed=7
// RUN: tile-run %s --entry=attention --on=emulator --chip=sm_90a --check --scalar=4:256 --seed=8
// RUN: tile-run %s --entry=together --on=emulator --chip=sm_90a --check --scalar=4:256 --seed=9
// RUN: tile-run %s --entry=attention --on=emulator --chip=sm_90a --check --scalar=4:320 --seed=10
// RUN: tile-run %s --entry=together --on=emulator --chip=sm_90a --check --scalar=4:320 --seed=11
// RUN: tile-run %s --entry=attention --on=reference --check-stages --chip=sm_90a --scalar=4:192
// RUN: tile-run %s --entry=attention --on=reference --check-stages --chip=sm_90a --scalar=4:0
// RUN: tile-run %s --entry=causal --on=emulator --chip=sm_90a --check --seed=12
// RUN: tile-run %s --entry=causal --on=emulator --chip=sm_90a --check --seed=13
// RUN: tile-run %s --entry=causal --on=emulator --chip=sm_90a --check --seed=14
// RUN: tile-run %s --entry=in_a_loop --on=emulator --chip=sm_90a --check --scalar=4:0 --seed=15
// RUN: tile-run %s --entry=in_a_loop --on=emulator --chip=sm_90a --check --scalar=4:1 --seed=16
// RUN: tile-run %s --entry=in_a_loop --on=emulator --chip=sm_90a --check --scalar=4:3 --seed=17
// RUN: tile-run %s --entry=two_loops --on=emulator --chip=sm_90a --check --scalar=4:64 --scalar=5:0 --seed=18
// RUN: tile-run %s --entry=two_loops --on=emulator --chip=sm_90a --check --scalar=4:0 --scalar=5:192 --seed=19
// RUN: tile-run %s --entry=two_loops --on=emulator --chip=sm_90a --check --scalar=4:128 --scalar=5:64 --seed=20
// RUN: tile-run %s --entry=three --on=emulator --chip=sm_90a --check --seed=21
// RUN: tile-run %s --entry=three --on=emulator --chip=sm_90a --check --seed=22
// RUN: tile-run %s --entry=wide --on=emulator --chip=sm_90a --check --seed=23
// RUN: tile-run %s --entry=guarded --on=emulator --chip=sm_90a --check "--data=4:integers(0,1)" --seed=24
// RUN: tile-run %s --entry=guarded --on=emulator --chip=sm_90a --check "--data=4:integers(0,1)" --seed=25
// RUN: tile-opt %s --tile-logical-phase="chip=sm_90a" -o %t.90.mlir
// RUN: tile-run %t.90.mlir --multiprocessors=2 --entry=persistent --on=emulator --check --seed=26
// RUN: tile-run %t.90.mlir --multiprocessors=2 --entry=persistent --on=emulator --check --seed=27
// RUN: tile-run %t.90.mlir --multiprocessors=2 --entry=persistent --on=emulator --check --seed=28
// RUN: tile-run %t.90.mlir --multiprocessors=2 --entry=persistent --on=reference --check-stages --chip=sm_90a
// No arrival is left at a barrier when a block ends.
// ENDS: argument 3: {{.*}} equal
// RUN: tile-run %s --entry=attention --on=emulator --chip=sm_90a --check --scalar=4:0 --seed=29 2>&1 | FileCheck %s --check-prefix=ENDS --implicit-check-not="arrived at barrier"
// RUN: tile-run %s --entry=attention --on=emulator --chip=sm_90a --check --scalar=4:192 --seed=30 2>&1 | FileCheck %s --check-prefix=ENDS --implicit-check-not="arrived at barrier"
// RUN: tile-run %s --entry=two_loops --on=emulator --chip=sm_90a --check --scalar=4:64 --scalar=5:128 --seed=31 2>&1 | FileCheck %s --check-prefix=ENDS --implicit-check-not="arrived at barrier"
// RUN: tile-run %s --entry=three --on=emulator --chip=sm_90a --check --seed=32 2>&1 | FileCheck %s --check-prefix=ENDS --implicit-check-not="arrived at barrier"
#shared = #gpu.address_space<workgroup>

// The first product of the first iteration and both of each other one are started between a
// wait for the turn and an arrival where the other warpgroup waits for its own. The second
// warpgroup gives the first turn; the first one takes the last.
// CHECK-LABEL: .entry attention(
// CHECK: setmaxnreg.inc
// CHECK: bar.arrive 12, 256;
// CHECK: bar.sync [[OWN:%r[0-9]+]], 256;
// CHECK-NEXT: wgmma.fence
// CHECK: wgmma.commit_group
// CHECK-NEXT: bar.arrive [[NEXT:%r[0-9]+]], 256;
// CHECK: wgmma.wait_group.sync.aligned 0;
// CHECK: bar.sync [[OWN]], 256;
// CHECK: wgmma.commit_group
// CHECK-NOT: wgmma.wait_group
// CHECK: wgmma.commit_group
// CHECK: bar.arrive [[NEXT]], 256;
// CHECK: wgmma.wait_group.sync.aligned 1;
// CHECK: ex2
// CHECK: wgmma.wait_group.sync.aligned 0;
// CHECK: st.shared
// CHECK: cp.async.bulk.tensor.2d.global.shared::cta
// CHECK: bar.sync [[OWN]], 256;
// REPORT-LABEL: kernel attention
// REPORT-NEXT: threads 384, consumer 8 warps with 232 registers in turns, producer 4 warps with 40 registers
// Probabilities go from the accumulators to operand A in registers.
// REPORT: wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16.ss
// REPORT-NEXT: wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16.rs
// REPORT: Alternating: 2 warpgroups start products in turns
// REPORT-NOT: conversions
func.func @attention(%Q: memref<128x64xf16>, %K: memref<320x64xf16>, %V: memref<320x64xf16>, %O: memref<128x64xf32>, %keys: index) {
  %blocks = arith.constant 1 : index
  tile.launch @attention blocks(%x) in (%blocks) threads(256) {
    %c0 = arith.constant 0 : index
    %rows = arith.constant 128 : index
    %row = arith.muli %x, %rows : index
    %r = func.call @attend(%Q, %K, %V, %row, %keys) : (memref<128x64xf16>, memref<320x64xf16>, memref<320x64xf16>, index, index) -> tensor<128x64xf32>
    tile.store %r, %O[%row, %c0] : tensor<128x64xf32>, memref<128x64xf32>
  }
  return
}

func.func private @attend(%Q: memref<128x64xf16>, %K: memref<320x64xf16>, %V: memref<320x64xf16>, %row: index, %keys: index) -> tensor<128x64xf32> {
  %c0 = arith.constant 0 : index
  %step = arith.constant 64 : index
  %q = tile.alloc : memref<128x64xf16, #shared>
  %k = tile.alloc : memref<64x64xf16, #shared>
  %v = tile.alloc : memref<64x64xf16, #shared>
  tile.copy %Q[%row, %c0] to %q : memref<128x64xf16> to memref<128x64xf16, #shared>
  %max0 = arith.constant dense<-100.0> : tensor<128xf32>
  %sum0 = arith.constant dense<1.0> : tensor<128xf32>
  %acc0 = arith.constant dense<0.0> : tensor<128x64xf32>
  %scale = arith.constant dense<0.125> : tensor<128x64xf32>
  %hidden = arith.constant dense<-1000.0> : tensor<128x64xf32>
  %max, %sum, %acc = scf.for %key = %c0 to %keys step %step iter_args(%m = %max0, %l = %sum0, %o = %acc0) -> (tensor<128xf32>, tensor<128xf32>, tensor<128x64xf32>) {
    %from = arith.addi %key, %c0 : index
    tile.copy %K[%from, %c0] to %k : memref<320x64xf16> to memref<64x64xf16, #shared>
    tile.copy %V[%from, %c0] to %v : memref<320x64xf16> to memref<64x64xf16, #shared>
    %s = tile.gemm %q, %k {transpose_b, warps = #tile.warps<rows>} : memref<128x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<128x64xf32>
    %scaled = arith.mulf %s, %scale : tensor<128x64xf32>
    %m_new = tile.reduce <maximumf> %scaled dims [1] init(%m) : tensor<128x64xf32> -> tensor<128xf32>
    %m_rows = tile.broadcast %m_new dims [1] : tensor<128xf32> -> tensor<128x64xf32>
    %shifted = arith.subf %scaled, %m_rows : tensor<128x64xf32>
    %p = math.exp2 %shifted fastmath<afn> : tensor<128x64xf32>
    %change = arith.subf %m, %m_new : tensor<128xf32>
    %shrink = math.exp2 %change fastmath<afn> : tensor<128xf32>
    %l_old = arith.mulf %l, %shrink : tensor<128xf32>
    %l_new = tile.reduce <add> %p dims [1] init(%l_old) : tensor<128x64xf32> -> tensor<128xf32>
    %rows = tile.broadcast %shrink dims [1] : tensor<128xf32> -> tensor<128x64xf32>
    %o_old = arith.mulf %o, %rows : tensor<128x64xf32>
    %half = arith.truncf %p : tensor<128x64xf32> to tensor<128x64xf16>
    %o_new = tile.gemm %half, %v, %o_old {warps = #tile.warps<rows>} : tensor<128x64xf16>, memref<64x64xf16, #shared> -> tensor<128x64xf32>
    scf.yield %m_new, %l_new, %o_new : tensor<128xf32>, tensor<128xf32>, tensor<128x64xf32>
  } {tile.stages = 2 : i32}
  %l_rows = tile.broadcast %sum dims [1] : tensor<128xf32> -> tensor<128x64xf32>
  %result = arith.divf %acc, %l_rows : tensor<128x64xf32>
  return %result : tensor<128x64xf32>
}

// Who says so starts all products at once.
// CHECK-LABEL: .entry together(
// CHECK-NOT: barrier.cta.arrive
// REPORT-LABEL: kernel together
// REPORT-NEXT: threads 384, consumer 8 warps with 232 registers, producer
func.func @together(%Q: memref<128x64xf16>, %K: memref<320x64xf16>, %V: memref<320x64xf16>, %O: memref<128x64xf32>, %keys: index) {
  %blocks = arith.constant 1 : index
  tile.launch @together blocks(%x) in (%blocks) threads(256) attributes {consumers = #tile.consumers<cooperative>} {
    %c0 = arith.constant 0 : index
    %rows = arith.constant 128 : index
    %row = arith.muli %x, %rows : index
    %r = func.call @attend(%Q, %K, %V, %row, %keys) : (memref<128x64xf16>, memref<320x64xf16>, memref<320x64xf16>, index, index) -> tensor<128x64xf32>
    tile.store %r, %O[%row, %c0] : tensor<128x64xf32>, memref<128x64xf32>
  }
  return
}

// Blocks have different numbers of iterations, of a number that none of them shares; two heads
// of queries for one of keys.
// CHECK-LABEL: .entry causal(
// CHECK: bar.arrive {{%r[0-9]+}}, 256;
// REPORT-LABEL: kernel causal
// REPORT-NEXT: registers in turns
func.func @causal(%Q: memref<768x128xf16>, %K: memref<384x128xf16>, %V: memref<384x128xf16>, %O: memref<768x128xf32>) {
  %tiles = arith.constant 3 : index
  %heads = arith.constant 2 : index
  tile.launch @causal blocks(%x, %h) in (%tiles, %heads) threads(256) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c128 = arith.constant 128 : index
    %at = arith.muli %x, %c128 : index
    %tile = arith.muli %h, %c3 : index
    %number = arith.addi %tile, %x : index
    %row = arith.muli %number, %c128 : index
    %keys = arith.addi %at, %c128 : index
    %kv = arith.divui %h, %c2 : index
    %length = arith.constant 384 : index
    %first = arith.muli %kv, %length : index
    %r = func.call @attend_causal(%Q, %K, %V, %row, %keys, %at, %first) : (memref<768x128xf16>, memref<384x128xf16>, memref<384x128xf16>, index, index, index, index) -> tensor<128x128xf32>
    tile.store %r, %O[%row, %c0] : tensor<128x128xf32>, memref<768x128xf32>
  }
  return
}

func.func private @attend_causal(%Q: memref<768x128xf16>, %K: memref<384x128xf16>, %V: memref<384x128xf16>, %row: index, %keys: index, %at: index, %first: index) -> tensor<128x128xf32> {
  %c0 = arith.constant 0 : index
  %step = arith.constant 64 : index
  %q = tile.alloc : memref<128x128xf16, #shared>
  %k = tile.alloc : memref<64x128xf16, #shared>
  %v = tile.alloc : memref<64x128xf16, #shared>
  tile.copy %Q[%row, %c0] to %q : memref<768x128xf16> to memref<128x128xf16, #shared>
  %max0 = arith.constant dense<-100.0> : tensor<128xf32>
  %sum0 = arith.constant dense<1.0> : tensor<128xf32>
  %acc0 = arith.constant dense<0.0> : tensor<128x128xf32>
  %scale = arith.constant dense<0.125> : tensor<128x64xf32>
  %hidden = arith.constant dense<-1000.0> : tensor<128x64xf32>
  %max, %sum, %acc = scf.for %key = %c0 to %keys step %step iter_args(%m = %max0, %l = %sum0, %o = %acc0) -> (tensor<128xf32>, tensor<128xf32>, tensor<128x128xf32>) {
    %from = arith.addi %first, %key : index
    tile.copy %K[%from, %c0] to %k : memref<384x128xf16> to memref<64x128xf16, #shared>
    tile.copy %V[%from, %c0] to %v : memref<384x128xf16> to memref<64x128xf16, #shared>
    %all = tile.gemm %q, %k {transpose_b, warps = #tile.warps<rows>} : memref<128x128xf16, #shared>, memref<64x128xf16, #shared> -> tensor<128x64xf32>
    %visible = tile.parallel (%i, %j) in (128, 64) -> (tensor<128x64xi1>) {
      %query = arith.addi %at, %i : index
      %this = arith.addi %key, %j : index
      %is = arith.cmpi uge, %query, %this : index
      tile.yield %is : i1
    }
    %s = arith.select %visible, %all, %hidden : tensor<128x64xi1>, tensor<128x64xf32>
    %scaled = arith.mulf %s, %scale : tensor<128x64xf32>
    %m_new = tile.reduce <maximumf> %scaled dims [1] init(%m) : tensor<128x64xf32> -> tensor<128xf32>
    %m_rows = tile.broadcast %m_new dims [1] : tensor<128xf32> -> tensor<128x64xf32>
    %shifted = arith.subf %scaled, %m_rows : tensor<128x64xf32>
    %p = math.exp2 %shifted fastmath<afn> : tensor<128x64xf32>
    %change = arith.subf %m, %m_new : tensor<128xf32>
    %shrink = math.exp2 %change fastmath<afn> : tensor<128xf32>
    %l_old = arith.mulf %l, %shrink : tensor<128xf32>
    %l_new = tile.reduce <add> %p dims [1] init(%l_old) : tensor<128x64xf32> -> tensor<128xf32>
    %rows = tile.broadcast %shrink dims [1] : tensor<128xf32> -> tensor<128x128xf32>
    %o_old = arith.mulf %o, %rows : tensor<128x128xf32>
    %half = arith.truncf %p : tensor<128x64xf32> to tensor<128x64xf16>
    %o_new = tile.gemm %half, %v, %o_old {warps = #tile.warps<rows>} : tensor<128x64xf16>, memref<64x128xf16, #shared> -> tensor<128x128xf32>
    scf.yield %m_new, %l_new, %o_new : tensor<128xf32>, tensor<128xf32>, tensor<128x128xf32>
  } {tile.stages = 2 : i32}
  %l_rows = tile.broadcast %sum dims [1] : tensor<128xf32> -> tensor<128x128xf32>
  %result = arith.divf %acc, %l_rows : tensor<128x128xf32>
  return %result : tensor<128x128xf32>
}

// Turns go on from one round to the next, and over rounds without an iteration.
// CHECK-LABEL: .entry in_a_loop(
// CHECK: bar.arrive {{%r[0-9]+}}, 256;
func.func @in_a_loop(%Q: memref<128x64xf16>, %K: memref<320x64xf16>, %V: memref<320x64xf16>, %O: memref<384x64xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  tile.launch @in_a_loop blocks(%x) in (%c1) threads(256) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    scf.for %i = %c0 to %n step %one {
      %from = arith.muli %i, %c128 : index
      %keys = arith.muli %i, %c64 : index
      %r = func.call @attend(%Q, %K, %V, %c0, %keys) : (memref<128x64xf16>, memref<320x64xf16>, memref<320x64xf16>, index, index) -> tensor<128x64xf32>
      tile.store %r, %O[%from, %c0] : tensor<128x64xf32>, memref<384x64xf32>
    }
  }
  return
}

// The second loop goes on with the turns of the first.
// CHECK-LABEL: .entry two_loops(
// CHECK: bar.arrive {{%r[0-9]+}}, 256;
func.func @two_loops(%Q: memref<128x64xf16>, %K: memref<320x64xf16>, %V: memref<320x64xf16>, %O: memref<256x64xf32>, %few: index, %many: index) {
  %c1 = arith.constant 1 : index
  tile.launch @two_loops blocks(%x) in (%c1) threads(256) {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %r = func.call @attend(%Q, %K, %V, %c0, %few) : (memref<128x64xf16>, memref<320x64xf16>, memref<320x64xf16>, index, index) -> tensor<128x64xf32>
    tile.store %r, %O[%c0, %c0] : tensor<128x64xf32>, memref<256x64xf32>
    %s = func.call @attend(%Q, %K, %V, %c0, %many) : (memref<128x64xf16>, memref<320x64xf16>, memref<320x64xf16>, index, index) -> tensor<128x64xf32>
    tile.store %s, %O[%c128, %c0] : tensor<128x64xf32>, memref<256x64xf32>
  }
  return
}

// Rounds whose turns all warpgroups leave out, or none, as memory decides, in a loop whose end it decides.
// CHECK-LABEL: .entry guarded(
// CHECK: bar.arrive {{%r[0-9]+}}, 256;
func.func @guarded(%Q: memref<128x64xf16>, %K: memref<320x64xf16>, %V: memref<320x64xf16>, %O: memref<512x64xf32>, %flags: memref<4xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch @guarded blocks(%x) in (%c1) threads(256) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c128 = arith.constant 128 : index
    %c192 = arith.constant 192 : index
    %none = arith.constant 0 : i32
    %zero = arith.constant dense<0.0> : tensor<128x64xf32>
    %end = scf.while (%i = %c0) : (index) -> index {
      %more = arith.cmpi ult, %i, %c4 : index
      scf.condition(%more) %i : index
    } do {
    ^bb0(%i: index):
      %flag = memref.load %flags[%i] : memref<4xi32>
      %is = arith.cmpi ne, %flag, %none : i32
      %r = scf.if %is -> (tensor<128x64xf32>) {
        %a = func.call @attend(%Q, %K, %V, %c0, %c192) : (memref<128x64xf16>, memref<320x64xf16>, memref<320x64xf16>, index, index) -> tensor<128x64xf32>
        scf.yield %a : tensor<128x64xf32>
      } else {
        scf.yield %zero : tensor<128x64xf32>
      }
      %row = arith.muli %i, %c128 : index
      tile.store %r, %O[%row, %c0] : tensor<128x64xf32>, memref<512x64xf32>
      %next = arith.addi %i, %one : index
      scf.yield %next : index
    }
  }
  return
}

// Three warpgroups, each of which waits for the one in front of it.
// CHECK-LABEL: .entry three(
// CHECK: bar.arrive {{%r[0-9]+}}, 256;
// REPORT-LABEL: kernel three
// REPORT: Alternating: 3 warpgroups start products in turns
func.func @three(%Q: memref<192x64xf16>, %K: memref<192x64xf16>, %V: memref<192x64xf16>, %O: memref<192x64xf32>) {
  %blocks = arith.constant 1 : index
  tile.launch @three blocks(%x) in (%blocks) threads(384) {
    %c0 = arith.constant 0 : index
    %rows = arith.constant 192 : index
    %row = arith.muli %x, %rows : index
    %keys = arith.constant 192 : index
    %r = func.call @attend_three(%Q, %K, %V, %row, %keys) : (memref<192x64xf16>, memref<192x64xf16>, memref<192x64xf16>, index, index) -> tensor<192x64xf32>
    tile.store %r, %O[%row, %c0] : tensor<192x64xf32>, memref<192x64xf32>
  }
  return
}

func.func private @attend_three(%Q: memref<192x64xf16>, %K: memref<192x64xf16>, %V: memref<192x64xf16>, %row: index, %keys: index) -> tensor<192x64xf32> {
  %c0 = arith.constant 0 : index
  %step = arith.constant 64 : index
  %q = tile.alloc : memref<192x64xf16, #shared>
  %k = tile.alloc : memref<64x64xf16, #shared>
  %v = tile.alloc : memref<64x64xf16, #shared>
  tile.copy %Q[%row, %c0] to %q : memref<192x64xf16> to memref<192x64xf16, #shared>
  %max0 = arith.constant dense<-100.0> : tensor<192xf32>
  %sum0 = arith.constant dense<1.0> : tensor<192xf32>
  %acc0 = arith.constant dense<0.0> : tensor<192x64xf32>
  %scale = arith.constant dense<0.125> : tensor<192x64xf32>
  %hidden = arith.constant dense<-1000.0> : tensor<192x64xf32>
  %max, %sum, %acc = scf.for %key = %c0 to %keys step %step iter_args(%m = %max0, %l = %sum0, %o = %acc0) -> (tensor<192xf32>, tensor<192xf32>, tensor<192x64xf32>) {
    %from = arith.addi %key, %c0 : index
    tile.copy %K[%from, %c0] to %k : memref<192x64xf16> to memref<64x64xf16, #shared>
    tile.copy %V[%from, %c0] to %v : memref<192x64xf16> to memref<64x64xf16, #shared>
    %s = tile.gemm %q, %k {transpose_b, warps = #tile.warps<rows>} : memref<192x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<192x64xf32>
    %scaled = arith.mulf %s, %scale : tensor<192x64xf32>
    %m_new = tile.reduce <maximumf> %scaled dims [1] init(%m) : tensor<192x64xf32> -> tensor<192xf32>
    %m_rows = tile.broadcast %m_new dims [1] : tensor<192xf32> -> tensor<192x64xf32>
    %shifted = arith.subf %scaled, %m_rows : tensor<192x64xf32>
    %p = math.exp2 %shifted fastmath<afn> : tensor<192x64xf32>
    %change = arith.subf %m, %m_new : tensor<192xf32>
    %shrink = math.exp2 %change fastmath<afn> : tensor<192xf32>
    %l_old = arith.mulf %l, %shrink : tensor<192xf32>
    %l_new = tile.reduce <add> %p dims [1] init(%l_old) : tensor<192x64xf32> -> tensor<192xf32>
    %rows = tile.broadcast %shrink dims [1] : tensor<192xf32> -> tensor<192x64xf32>
    %o_old = arith.mulf %o, %rows : tensor<192x64xf32>
    %half = arith.truncf %p : tensor<192x64xf32> to tensor<192x64xf16>
    %o_new = tile.gemm %half, %v, %o_old {warps = #tile.warps<rows>} : tensor<192x64xf16>, memref<64x64xf16, #shared> -> tensor<192x64xf32>
    scf.yield %m_new, %l_new, %o_new : tensor<192xf32>, tensor<192xf32>, tensor<192x64xf32>
  } {tile.stages = 2 : i32}
  %l_rows = tile.broadcast %sum dims [1] : tensor<192xf32> -> tensor<192x64xf32>
  %result = arith.divf %acc, %l_rows : tensor<192x64xf32>
  return %result : tensor<192x64xf32>
}

// More columns than turns are known to help with: they are asked for.
// CHECK-LABEL: .entry wide(
// CHECK: bar.arrive {{%r[0-9]+}}, 256;
func.func @wide(%Q: memref<128x256xf16>, %K: memref<192x256xf16>, %V: memref<192x256xf16>, %O: memref<128x256xf32>) {
  %blocks = arith.constant 1 : index
  tile.launch @wide blocks(%x) in (%blocks) threads(256) attributes {consumers = #tile.consumers<alternating>} {
    %c0 = arith.constant 0 : index
    %rows = arith.constant 128 : index
    %row = arith.muli %x, %rows : index
    %keys = arith.constant 192 : index
    %r = func.call @attend_wide(%Q, %K, %V, %row, %keys) : (memref<128x256xf16>, memref<192x256xf16>, memref<192x256xf16>, index, index) -> tensor<128x256xf32>
    tile.store %r, %O[%row, %c0] : tensor<128x256xf32>, memref<128x256xf32>
  }
  return
}

func.func private @attend_wide(%Q: memref<128x256xf16>, %K: memref<192x256xf16>, %V: memref<192x256xf16>, %row: index, %keys: index) -> tensor<128x256xf32> {
  %c0 = arith.constant 0 : index
  %step = arith.constant 64 : index
  %q = tile.alloc : memref<128x256xf16, #shared>
  %k = tile.alloc : memref<64x256xf16, #shared>
  %v = tile.alloc : memref<64x256xf16, #shared>
  tile.copy %Q[%row, %c0] to %q : memref<128x256xf16> to memref<128x256xf16, #shared>
  %max0 = arith.constant dense<-100.0> : tensor<128xf32>
  %sum0 = arith.constant dense<1.0> : tensor<128xf32>
  %acc0 = arith.constant dense<0.0> : tensor<128x256xf32>
  %scale = arith.constant dense<0.125> : tensor<128x64xf32>
  %hidden = arith.constant dense<-1000.0> : tensor<128x64xf32>
  %max, %sum, %acc = scf.for %key = %c0 to %keys step %step iter_args(%m = %max0, %l = %sum0, %o = %acc0) -> (tensor<128xf32>, tensor<128xf32>, tensor<128x256xf32>) {
    %from = arith.addi %key, %c0 : index
    tile.copy %K[%from, %c0] to %k : memref<192x256xf16> to memref<64x256xf16, #shared>
    tile.copy %V[%from, %c0] to %v : memref<192x256xf16> to memref<64x256xf16, #shared>
    %s = tile.gemm %q, %k {transpose_b, warps = #tile.warps<rows>} : memref<128x256xf16, #shared>, memref<64x256xf16, #shared> -> tensor<128x64xf32>
    %scaled = arith.mulf %s, %scale : tensor<128x64xf32>
    %m_new = tile.reduce <maximumf> %scaled dims [1] init(%m) : tensor<128x64xf32> -> tensor<128xf32>
    %m_rows = tile.broadcast %m_new dims [1] : tensor<128xf32> -> tensor<128x64xf32>
    %shifted = arith.subf %scaled, %m_rows : tensor<128x64xf32>
    %p = math.exp2 %shifted fastmath<afn> : tensor<128x64xf32>
    %change = arith.subf %m, %m_new : tensor<128xf32>
    %shrink = math.exp2 %change fastmath<afn> : tensor<128xf32>
    %l_old = arith.mulf %l, %shrink : tensor<128xf32>
    %l_new = tile.reduce <add> %p dims [1] init(%l_old) : tensor<128x64xf32> -> tensor<128xf32>
    %rows = tile.broadcast %shrink dims [1] : tensor<128xf32> -> tensor<128x256xf32>
    %o_old = arith.mulf %o, %rows : tensor<128x256xf32>
    %half = arith.truncf %p : tensor<128x64xf32> to tensor<128x64xf16>
    %o_new = tile.gemm %half, %v, %o_old {warps = #tile.warps<rows>} : tensor<128x64xf16>, memref<64x256xf16, #shared> -> tensor<128x256xf32>
    scf.yield %m_new, %l_new, %o_new : tensor<128xf32>, tensor<128xf32>, tensor<128x256xf32>
  } {tile.stages = 2 : i32}
  %l_rows = tile.broadcast %sum dims [1] : tensor<128xf32> -> tensor<128x256xf32>
  %result = arith.divf %acc, %l_rows : tensor<128x256xf32>
  return %result : tensor<128x256xf32>
}

// Several tiles a block: the first warpgroup starts on the next tile in its turn. Results are
// stored by a bulk copy, for which both meet at the barrier of their role.
// CHECK-LABEL: .entry persistent(
// CHECK: bar.arrive {{%r[0-9]+}}, 256;
// CHECK: bar.sync 15, 256;
// CHECK: cp.async.bulk.tensor.2d.global
func.func @persistent(%Q: memref<640x64xf16>, %K: memref<320x64xf16>, %V: memref<320x64xf16>, %O: memref<640x64xf16>) {
  %blocks = arith.constant 5 : index
  tile.launch @persistent blocks(%x) in (%blocks) threads(256) attributes {persistent} {
    %c0 = arith.constant 0 : index
    %rows = arith.constant 128 : index
    %row = arith.muli %x, %rows : index
    %keys = arith.constant 192 : index
    %r = func.call @attend_tiles(%Q, %K, %V, %row, %keys) : (memref<640x64xf16>, memref<320x64xf16>, memref<320x64xf16>, index, index) -> tensor<128x64xf32>
    %h = arith.truncf %r : tensor<128x64xf32> to tensor<128x64xf16>
    tile.store %h, %O[%row, %c0] : tensor<128x64xf16>, memref<640x64xf16>
  }
  return
}

func.func private @attend_tiles(%Q: memref<640x64xf16>, %K: memref<320x64xf16>, %V: memref<320x64xf16>, %row: index, %keys: index) -> tensor<128x64xf32> {
  %c0 = arith.constant 0 : index
  %step = arith.constant 64 : index
  %q = tile.alloc : memref<128x64xf16, #shared>
  %k = tile.alloc : memref<64x64xf16, #shared>
  %v = tile.alloc : memref<64x64xf16, #shared>
  tile.copy %Q[%row, %c0] to %q : memref<640x64xf16> to memref<128x64xf16, #shared>
  %max0 = arith.constant dense<-100.0> : tensor<128xf32>
  %sum0 = arith.constant dense<1.0> : tensor<128xf32>
  %acc0 = arith.constant dense<0.0> : tensor<128x64xf32>
  %scale = arith.constant dense<0.125> : tensor<128x64xf32>
  %hidden = arith.constant dense<-1000.0> : tensor<128x64xf32>
  %max, %sum, %acc = scf.for %key = %c0 to %keys step %step iter_args(%m = %max0, %l = %sum0, %o = %acc0) -> (tensor<128xf32>, tensor<128xf32>, tensor<128x64xf32>) {
    %from = arith.addi %key, %c0 : index
    tile.copy %K[%from, %c0] to %k : memref<320x64xf16> to memref<64x64xf16, #shared>
    tile.copy %V[%from, %c0] to %v : memref<320x64xf16> to memref<64x64xf16, #shared>
    %s = tile.gemm %q, %k {transpose_b, warps = #tile.warps<rows>} : memref<128x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<128x64xf32>
    %scaled = arith.mulf %s, %scale : tensor<128x64xf32>
    %m_new = tile.reduce <maximumf> %scaled dims [1] init(%m) : tensor<128x64xf32> -> tensor<128xf32>
    %m_rows = tile.broadcast %m_new dims [1] : tensor<128xf32> -> tensor<128x64xf32>
    %shifted = arith.subf %scaled, %m_rows : tensor<128x64xf32>
    %p = math.exp2 %shifted fastmath<afn> : tensor<128x64xf32>
    %change = arith.subf %m, %m_new : tensor<128xf32>
    %shrink = math.exp2 %change fastmath<afn> : tensor<128xf32>
    %l_old = arith.mulf %l, %shrink : tensor<128xf32>
    %l_new = tile.reduce <add> %p dims [1] init(%l_old) : tensor<128x64xf32> -> tensor<128xf32>
    %rows = tile.broadcast %shrink dims [1] : tensor<128xf32> -> tensor<128x64xf32>
    %o_old = arith.mulf %o, %rows : tensor<128x64xf32>
    %half = arith.truncf %p : tensor<128x64xf32> to tensor<128x64xf16>
    %o_new = tile.gemm %half, %v, %o_old {warps = #tile.warps<rows>} : tensor<128x64xf16>, memref<64x64xf16, #shared> -> tensor<128x64xf32>
    scf.yield %m_new, %l_new, %o_new : tensor<128xf32>, tensor<128xf32>, tensor<128x64xf32>
  } {tile.stages = 2 : i32}
  %l_rows = tile.broadcast %sum dims [1] : tensor<128xf32> -> tensor<128x64xf32>
  %result = arith.divf %acc, %l_rows : tensor<128x64xf32>
  return %result : tensor<128x64xf32>
}
