// Programs of the kind at which others hung or computed something else on sm_90a; the list
// is in docs/Hopper.md. Each is right under many orders of warps and of deliveries.
// RUN: tile-opt %s --emit=ptx --chip=sm_90a -o %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: FileCheck %s --check-prefix=CALLS --implicit-check-not=call < %t.ptx
// RUN: tile-opt %s --emit=report --chip=sm_90a | FileCheck %s --check-prefix=REPORT
// RUN: tile-run %s --entry=shared_operand --on=emulator --chip=sm_90a --check --seed=1
// RUN: tile-run %s --entry=shared_operand --on=emulator --chip=sm_90a --check --seed=2
// RUN: tile-run %s --entry=shared_operand --on=emulator --chip=sm_90a --check --seed=3
// RUN: tile-run %s --entry=shared_operand --on=reference --chip=sm_90a --check-stages
// RUN: tile-run %s --entry=stored_beside --on=emulator --chip=sm_90a --check --seed=1
// RUN: tile-run %s --entry=stored_beside --on=emulator --chip=sm_90a --check --seed=2
// RUN: tile-run %s --entry=stored_beside --on=emulator --chip=sm_90a --check --seed=3
// RUN: tile-run %s --entry=stored_beside --on=reference --chip=sm_90a --check-stages
// RUN: tile-run %s --entry=gathered --on=emulator --chip=sm_90a --check --seed=1 "--data=2:integers(0,99)"
// RUN: tile-run %s --entry=gathered --on=emulator --chip=sm_90a --check --seed=2 "--data=2:integers(0,99)"
// RUN: tile-run %s --entry=gathered --on=reference --chip=sm_90a --check-stages "--data=2:integers(0,99)"
// RUN: tile-run %s --entry=odd_rows --on=emulator --chip=sm_90a --check --seed=1
// RUN: tile-run %s --entry=odd_rows --on=emulator --chip=sm_90a --check --seed=2
// RUN: tile-run %s --entry=carried --on=emulator --chip=sm_90a --check --seed=1 "--data=3:integers(0,1)"
// RUN: tile-run %s --entry=carried --on=emulator --chip=sm_90a --check --seed=2 "--data=3:integers(0,1)"
// RUN: tile-run %s --entry=carried --on=emulator --chip=sm_90a --check --seed=3 "--data=3:integers(0,1)"
// RUN: tile-run %s --entry=carried --on=reference --chip=sm_90a --check-stages "--data=3:integers(0,1)"
// RUN: tile-run %s --entry=functions --on=emulator --chip=sm_90a --check --seed=1

#shared = #gpu.address_space<workgroup>

// Two groups of warps read one operand, which the next iteration fills again: a wait for
// products orders what its own group has read only.
// CHECK-LABEL: .entry shared_operand_0(
// CHECK: wgmma.mma_async
// CHECK: wgmma.wait_group
// CHECK: bar.sync
func.func @shared_operand(%A: memref<128x96xf32>, %B: memref<96x64xf32>, %C: memref<128x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(256) {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c96 = arith.constant 96 : index
    %s = tile.alloc : memref<128x32xf16, #shared>
    %t = tile.alloc : memref<32x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<128x64xf32>
    %acc = scf.for %k = %c0 to %c96 step %c32 iter_args(%c = %zero) -> (tensor<128x64xf32>) {
      tile.copy %A[%c0, %k] to %s : memref<128x96xf32> to memref<128x32xf16, #shared>
      tile.copy %B[%k, %c0] to %t : memref<96x64xf32> to memref<32x64xf16, #shared>
      %d = tile.gemm %s, %t, %c : memref<128x32xf16, #shared>, memref<32x64xf16, #shared> -> tensor<128x64xf32>
      scf.yield %d : tensor<128x64xf32>
    }
    tile.store %acc, %C : tensor<128x64xf32>, memref<128x64xf32>
  }
  return
}

// One operand comes by the copy engine, the other is computed and stored by threads.
// CHECK-LABEL: .entry stored_beside_0(
// CHECK: st.shared
// CHECK: wgmma.mma_async
// CHECK: cp.async.bulk.tensor
func.func @stored_beside(%A: memref<64x256xf16>, %B: memref<256x64xf16>, %C: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c256 = arith.constant 256 : index
    %s = tile.alloc : memref<64x32xf16, #shared>
    %t = tile.alloc : memref<32x64xf16, #shared>
    %half = arith.constant dense<0.5> : tensor<32x64xf16>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %k = %c0 to %c256 step %c32 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      tile.copy %A[%c0, %k] to %s : memref<64x256xf16> to memref<64x32xf16, #shared>
      %f = tile.load %B[%k, %c0] : memref<256x64xf16> -> tensor<32x64xf16>
      %g = arith.mulf %f, %half : tensor<32x64xf16>
      tile.store %g, %t : tensor<32x64xf16>, memref<32x64xf16, #shared>
      %d = tile.gemm %s, %t, %c : memref<64x32xf16, #shared>, memref<32x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 3 : i32}
    tile.store %acc, %C : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// Rows at loaded places, beside an operand by the copy engine.
// CHECK-LABEL: .entry gathered_0(
// CHECK: wgmma.mma_async
func.func @gathered(%A: memref<100x256xf16>, %B: memref<64x256xf16>, %rows: memref<64xi32>, %C: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c256 = arith.constant 256 : index
    %s = tile.alloc : memref<64x32xf16, #shared>
    %t = tile.alloc : memref<64x32xf16, #shared>
    %r = tile.load %rows[%c0] : memref<64xi32> -> tensor<64xi32>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %k = %c0 to %c256 step %c32 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      tile.copy %A[%c0, %k] rows(%r : tensor<64xi32>) dim 0 to %s : memref<100x256xf16> to memref<64x32xf16, #shared>
      tile.copy %B[%c0, %k] to %t : memref<64x256xf16> to memref<64x32xf16, #shared>
      %d = tile.gemm %s, %t, %c {transpose_b} : memref<64x32xf16, #shared>, memref<64x32xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 3 : i32}
    tile.store %acc, %C : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// Rows of 260 bytes: no stride that the copy engine takes.
// CHECK-LABEL: .entry odd_rows_0(
// CHECK-NOT: cp.async.bulk.tensor.{{.d}}.shared
// CHECK-LABEL: .entry carried_0(
func.func @odd_rows(%A: memref<64x130xf16>, %B: memref<64x130xf16>, %C: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c130 = arith.constant 130 : index
    %s = tile.alloc : memref<64x32xf16, #shared>
    %t = tile.alloc : memref<64x32xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %k = %c0 to %c130 step %c32 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      tile.copy %A[%c0, %k] to %s : memref<64x130xf16> to memref<64x32xf16, #shared>
      tile.copy %B[%c0, %k] to %t : memref<64x130xf16> to memref<64x32xf16, #shared>
      %d = tile.gemm %s, %t, %c {transpose_b} : memref<64x32xf16, #shared>, memref<64x32xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 3 : i32}
    tile.store %acc, %C : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// A loop hands on what only the producer needs (the place), what only the consumers need
// (sums, maxima) and what both need (a loaded flag); the buffer is filled through a view.
// REPORT: kernel carried_0
// REPORT-NEXT: producer 1 warp
func.func @carried(%A: memref<64x512xf16>, %B: memref<64x512xf16>, %C: memref<64x64xf32>, %flags: memref<8xi32>, %M: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %none = arith.constant 0 : i32
    %s = tile.alloc : memref<2x64x32xf16, #shared>
    %t = tile.alloc : memref<64x32xf16, #shared>
    %v = memref.subview %s[1, 0, 0] [1, 64, 32] [1, 1, 1] : memref<2x64x32xf16, #shared> to memref<64x32xf16, strided<[32, 1], offset: 2048>, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %low = arith.constant dense<0xFF800000> : tensor<64xf32>
    %place, %last, %acc, %top = scf.for %i = %c0 to %c8 step %one iter_args(%k = %c0, %before = %none, %c = %zero, %m = %low) -> (index, i32, tensor<64x64xf32>, tensor<64xf32>) {
      %flag = memref.load %flags[%i] : memref<8xi32>
      %isSame = arith.cmpi eq, %flag, %before : i32
      %far = arith.select %isSame, %c32, %c0 : index
      %at = arith.addi %k, %far : index
      tile.copy %A[%c0, %at] to %v : memref<64x512xf16> to memref<64x32xf16, strided<[32, 1], offset: 2048>, #shared>
      tile.copy %B[%c0, %k] to %t : memref<64x512xf16> to memref<64x32xf16, #shared>
      %d = tile.gemm %v, %t, %c {transpose_b} : memref<64x32xf16, strided<[32, 1], offset: 2048>, #shared>, memref<64x32xf16, #shared> -> tensor<64x64xf32>
      %largest = tile.reduce <maximumf> %d dims [1] : tensor<64x64xf32> -> tensor<64xf32>
      %max = arith.maximumf %m, %largest : tensor<64xf32>
      %next = arith.addi %k, %c32 : index
      scf.yield %next, %flag, %d, %max : index, i32, tensor<64x64xf32>, tensor<64xf32>
    } {tile.stages = 2 : i32}
    tile.store %acc, %C : tensor<64x64xf32>, memref<64x64xf32>
    tile.store %top, %M : tensor<64xf32>, memref<64xf32>
  }
  return
}

// A call in a kernel has ptxas wait behind every product: functions are code in it, and
// budgets of registers count from what the directives say.
// CALLS: .visible .entry functions_0(
// CALLS: .minnctapersm 1
// CALLS: wgmma.mma_async
func.func @functions(%A: memref<128x192xf16>, %B: memref<128x192xf16>, %C: memref<128x128xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(256) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c192 = arith.constant 192 : index
    %s = tile.alloc : memref<128x64xf16, #shared>
    %t = tile.alloc : memref<128x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<128x128xf32>
    %acc = scf.for %k = %c0 to %c192 step %c64 iter_args(%c = %zero) -> (tensor<128x128xf32>) {
      tile.copy %A[%c0, %k] to %s : memref<128x192xf16> to memref<128x64xf16, #shared>
      tile.copy %B[%c0, %k] to %t : memref<128x192xf16> to memref<128x64xf16, #shared>
      %d = tile.gemm %s, %t, %c {transpose_b} : memref<128x64xf16, #shared>, memref<128x64xf16, #shared> -> tensor<128x128xf32>
      scf.yield %d : tensor<128x128xf32>
    } {tile.stages = 2 : i32}
    %e = math.erf %acc : tensor<128x128xf32>
    %h = math.tanh %e : tensor<128x128xf32>
    %x = math.exp %h : tensor<128x128xf32>
    %l = math.log1p %x : tensor<128x128xf32>
    tile.store %l, %C : tensor<128x128xf32>, memref<128x128xf32>
  }
  return
}
