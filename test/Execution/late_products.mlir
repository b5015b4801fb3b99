// The last product of an iteration runs under the next one's computation: for every number
// of iterations, with and without something computed from the sum, in a loop around, with
// operands in shared memory, by one group of warps and by two.
// RUN: tile-opt %s --emit=ptx --chip=sm_90a | FileCheck %s
// RUN: tile-run %s --entry=attention --on=emulator --chip=sm_90a --check --scalar=4:0 --seed=0
// RUN: tile-run %s --entry=attention --on=emulator --chip=sm_90a --check --scalar=4:64 --seed=1
// RUN: tile-run %s --entry=attention --on=emulator --chip=sm_90a --check --scalar=4:128 --seed=2
// RUN: tile-run %s --entry=attention --on=emulator --chip=sm_90a --check --scalar=4:192 --seed=3
// RUN: tile-run %s --entry=attention --on=emulator --chip=sm_90a --check --scalar=4:320 --seed=4
// RUN: tile-run %s --entry=attention --on=reference --check-stages --chip=sm_90a --scalar=4:192
// RUN: tile-run %s --entry=attention --on=reference --check-stages --chip=sm_90a --scalar=4:0
// RUN: tile-run %s --entry=known --on=emulator --chip=sm_90a --check --seed=5
// RUN: tile-run %s --entry=known --on=reference --check-stages --chip=sm_90a
// RUN: tile-run %s --entry=one_tile --on=emulator --chip=sm_90a --check --seed=6
// RUN: tile-run %s --entry=in_a_loop --on=emulator --chip=sm_90a --check --scalar=4:0 --seed=7
// RUN: tile-run %s --entry=in_a_loop --on=emulator --chip=sm_90a --check --scalar=4:1 --seed=8
// RUN: tile-run %s --entry=in_a_loop --on=emulator --chip=sm_90a --check --scalar=4:3 --seed=9
// RUN: tile-run %s --entry=in_a_loop --on=reference --check-stages --chip=sm_90a --scalar=4:2
// RUN: tile-run %s --entry=from_shared --on=emulator --chip=sm_90a --check --seed=10
// RUN: tile-run %s --entry=from_shared --on=reference --check-stages --chip=sm_90a
// RUN: tile-run %s --entry=by_threads --on=emulator --chip=sm_90a --check --shape=0:64x64 --seed=11
#shared = #gpu.address_space<workgroup>

// Both products are started before one is waited for; the second ends behind the
// exponentials, of which one shrinks the sum.
// CHECK-LABEL: .entry attention(
// CHECK: wgmma.wait_group.sync.aligned 0;
// CHECK: wgmma.commit_group
// CHECK-NOT: wgmma.wait_group
// CHECK: wgmma.commit_group
// CHECK-NOT: ex2
// CHECK: wgmma.wait_group.sync.aligned 1;
// CHECK: ex2
// CHECK: mbarrier.try_wait
// CHECK: wgmma.wait_group.sync.aligned 0;
func.func @attention(%Q: memref<128x64xf16>, %K: memref<320x64xf16>, %V: memref<320x64xf16>,
                     %O: memref<128x64xf32>, %keys: index) {
  %c1 = arith.constant 1 : index
  tile.launch @attention blocks(%x) in (%c1) threads(256) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %q = tile.alloc : memref<128x64xf16, #shared>
    %k = tile.alloc : memref<64x64xf16, #shared>
    %v = tile.alloc : memref<64x64xf16, #shared>
    tile.copy %Q to %q : memref<128x64xf16> to memref<128x64xf16, #shared>
    %max0 = arith.constant dense<-100.0> : tensor<128xf32>
    %sum0 = arith.constant dense<1.0> : tensor<128xf32>
    %acc0 = arith.constant dense<0.0> : tensor<128x64xf32>
    %scale = arith.constant dense<0.125> : tensor<128x64xf32>
    %max, %sum, %acc = scf.for %key = %c0 to %keys step %c64
        iter_args(%m = %max0, %l = %sum0, %o = %acc0)
        -> (tensor<128xf32>, tensor<128xf32>, tensor<128x64xf32>) {
      tile.copy %K[%key, %c0] to %k : memref<320x64xf16> to memref<64x64xf16, #shared>
      tile.copy %V[%key, %c0] to %v : memref<320x64xf16> to memref<64x64xf16, #shared>
      %s = tile.gemm %q, %k {transpose_b, warps = #tile.warps<rows>}
        : memref<128x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<128x64xf32>
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
      %o_new = tile.gemm %half, %v, %o_old {warps = #tile.warps<rows>}
        : tensor<128x64xf16>, memref<64x64xf16, #shared> -> tensor<128x64xf32>
      scf.yield %m_new, %l_new, %o_new : tensor<128xf32>, tensor<128xf32>, tensor<128x64xf32>
    } {tile.stages = 2 : i32}
    %l_rows = tile.broadcast %sum dims [1] : tensor<128xf32> -> tensor<128x64xf32>
    %result = arith.divf %acc, %l_rows : tensor<128x64xf32>
    tile.store %result, %O : tensor<128x64xf32>, memref<128x64xf32>
  }
  return
}

// Nothing is computed from the sum; the number of iterations is known, three slots.
// CHECK-LABEL: .entry known(
// CHECK: wgmma.wait_group.sync.aligned 1;
// CHECK: max.NaN.f32
// CHECK: wgmma.wait_group.sync.aligned 0;
func.func @known(%A: memref<64x64xf16>, %B: memref<320x64xf16>, %C: memref<320x64xf16>, %O: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @known blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c320 = arith.constant 320 : index
    %a = tile.alloc : memref<64x64xf16, #shared>
    %b = tile.alloc : memref<64x64xf16, #shared>
    %c = tile.alloc : memref<64x64xf16, #shared>
    tile.copy %A to %a : memref<64x64xf16> to memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %i = %c0 to %c320 step %c64 iter_args(%o = %zero) -> (tensor<64x64xf32>) {
      tile.copy %B[%i, %c0] to %b : memref<320x64xf16> to memref<64x64xf16, #shared>
      tile.copy %C[%i, %c0] to %c : memref<320x64xf16> to memref<64x64xf16, #shared>
      %s = tile.gemm %a, %b {transpose_b, warps = #tile.warps<rows>}
        : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      %r = arith.maximumf %s, %zero : tensor<64x64xf32>
      %half = arith.truncf %r : tensor<64x64xf32> to tensor<64x64xf16>
      %next = tile.gemm %half, %c, %o {warps = #tile.warps<rows>}
        : tensor<64x64xf16>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %next : tensor<64x64xf32>
    } {tile.stages = 3 : i32}
    tile.store %acc, %O : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// One iteration: its product is the one behind the loop.
// CHECK-LABEL: .entry one_tile(
func.func @one_tile(%A: memref<64x64xf16>, %B: memref<64x64xf16>, %C: memref<64x64xf16>, %O: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @one_tile blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %a = tile.alloc : memref<64x64xf16, #shared>
    %b = tile.alloc : memref<64x64xf16, #shared>
    %c = tile.alloc : memref<64x64xf16, #shared>
    tile.copy %A to %a : memref<64x64xf16> to memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %i = %c0 to %c64 step %c64 iter_args(%o = %zero) -> (tensor<64x64xf32>) {
      tile.copy %B[%i, %c0] to %b : memref<64x64xf16> to memref<64x64xf16, #shared>
      tile.copy %C[%i, %c0] to %c : memref<64x64xf16> to memref<64x64xf16, #shared>
      %s = tile.gemm %a, %b {warps = #tile.warps<rows>}
        : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      %half = arith.truncf %s : tensor<64x64xf32> to tensor<64x64xf16>
      %next = tile.gemm %half, %c, %o {warps = #tile.warps<rows>}
        : tensor<64x64xf16>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %next : tensor<64x64xf32>
    } {tile.stages = 2 : i32}
    tile.store %acc, %O : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// A loop around: uses of the rings are counted on, and a round may have no iteration.
// CHECK-LABEL: .entry in_a_loop(
// CHECK: wgmma.wait_group.sync.aligned 1;
func.func @in_a_loop(%A: memref<192x64xf16>, %B: memref<192x64xf16>, %C: memref<192x64xf16>,
                     %O: memref<192x64xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  tile.launch @in_a_loop blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c64 = arith.constant 64 : index
    %a = tile.alloc : memref<64x64xf16, #shared>
    %b = tile.alloc : memref<64x64xf16, #shared>
    %c = tile.alloc : memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %two = arith.constant dense<0.5> : tensor<64x64xf32>
    scf.for %t = %c0 to %c3 step %one {
      %row = arith.muli %t, %c64 : index
      tile.copy %A[%row, %c0] to %a : memref<192x64xf16> to memref<64x64xf16, #shared>
      %acc = scf.for %i = %c0 to %n step %one iter_args(%o = %zero) -> (tensor<64x64xf32>) {
        %from = arith.muli %i, %c64 : index
        tile.copy %B[%from, %c0] to %b : memref<192x64xf16> to memref<64x64xf16, #shared>
        tile.copy %C[%from, %c0] to %c : memref<192x64xf16> to memref<64x64xf16, #shared>
        %s = tile.gemm %a, %b {transpose_b, warps = #tile.warps<rows>}
          : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
        %half = arith.truncf %s : tensor<64x64xf32> to tensor<64x64xf16>
        %shrunk = arith.mulf %o, %two : tensor<64x64xf32>
        %next = tile.gemm %half, %c, %shrunk {warps = #tile.warps<rows>}
          : tensor<64x64xf16>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
        scf.yield %next : tensor<64x64xf32>
      } {tile.stages = 2 : i32}
      tile.store %acc, %O[%row, %c0] : tensor<64x64xf32>, memref<192x64xf32>
    }
  }
  return
}

// Both operands of the late product lie in slots of a ring of its own.
// CHECK-LABEL: .entry from_shared(
// CHECK: wgmma.wait_group.sync.aligned 1;
// CHECK: wgmma.wait_group.sync.aligned 0;
func.func @from_shared(%A: memref<64x256xf16>, %B: memref<256x64xf16>, %C: memref<64x256xf16>,
                       %D: memref<256x64xf16>, %O: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @from_shared blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %a = tile.alloc : memref<64x64xf16, #shared>
    %b = tile.alloc : memref<64x64xf16, #shared>
    %c = tile.alloc : memref<64x64xf16, #shared>
    %d = tile.alloc : memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %i = %c0 to %c256 step %c64 iter_args(%o = %zero) -> (tensor<64x64xf32>) {
      tile.copy %A[%c0, %i] to %a : memref<64x256xf16> to memref<64x64xf16, #shared>
      tile.copy %B[%i, %c0] to %b : memref<256x64xf16> to memref<64x64xf16, #shared>
      tile.copy %C[%c0, %i] to %c : memref<64x256xf16> to memref<64x64xf16, #shared>
      tile.copy %D[%i, %c0] to %d : memref<256x64xf16> to memref<64x64xf16, #shared>
      %s = tile.gemm %a, %b : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      %sum = arith.addf %o, %s : tensor<64x64xf32>
      %next = tile.gemm %c, %d, %sum : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %next : tensor<64x64xf32>
    } {tile.stages = 2 : i32}
    tile.store %acc, %O : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// The consumers copy an operand themselves, into a buffer that the producer does not see.
// CHECK-LABEL: .entry by_threads(
// CHECK: wgmma.wait_group.sync.aligned 1;
func.func @by_threads(%A: memref<64x?xf16>, %B: memref<192x64xf16>, %C: memref<192x64xf16>, %O: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @by_threads blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c192 = arith.constant 192 : index
    %a = tile.alloc : memref<64x64xf16, #shared>
    %b = tile.alloc : memref<64x64xf16, #shared>
    %c = tile.alloc : memref<64x64xf16, #shared>
    tile.copy %A[%c0, %c0] to %a : memref<64x?xf16> to memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %i = %c0 to %c192 step %c64 iter_args(%o = %zero) -> (tensor<64x64xf32>) {
      tile.copy %B[%i, %c0] to %b : memref<192x64xf16> to memref<64x64xf16, #shared>
      tile.copy %C[%i, %c0] to %c : memref<192x64xf16> to memref<64x64xf16, #shared>
      %s = tile.gemm %a, %b {transpose_b, warps = #tile.warps<rows>}
        : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      %half = arith.truncf %s : tensor<64x64xf32> to tensor<64x64xf16>
      %next = tile.gemm %half, %c, %o {warps = #tile.warps<rows>}
        : tensor<64x64xf16>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %next : tensor<64x64xf32>
    } {tile.stages = 2 : i32}
    tile.store %acc, %O : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}
