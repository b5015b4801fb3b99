// Launches with a producer: every case equals the program as written, at every stage of
// the compiler and in the emulator with all checkers, and runs with roles.
// RUN: tile-run %s --entry=trips --on=emulator --chip=sm_90a --check --scalar=3:0 --seed=0
// RUN: tile-run %s --entry=trips --on=emulator --chip=sm_90a --check --scalar=3:1 --seed=1
// RUN: tile-run %s --entry=trips --on=emulator --chip=sm_90a --check --scalar=3:2 --seed=2
// RUN: tile-run %s --entry=trips --on=emulator --chip=sm_90a --check --scalar=3:3 --seed=3
// RUN: tile-run %s --entry=trips --on=emulator --chip=sm_90a --check --scalar=3:4 --seed=4
// RUN: tile-run %s --entry=trips --on=emulator --chip=sm_90a --check --scalar=3:7 --seed=7
// RUN: tile-run %s --entry=trips --on=emulator --chip=sm_90a --check --scalar=3:5 --seed=0 --check-stages
// RUN: tile-run %s --entry=groups --on=emulator --chip=sm_90a --check --seed=0
// RUN: tile-run %s --entry=groups --on=emulator --chip=sm_90a --check --seed=1
// RUN: tile-run %s --entry=three_groups --on=emulator --chip=sm_90a --check --seed=0
// RUN: tile-run %s --entry=nest --on=emulator --chip=sm_90a --check --scalar=3:0 --seed=0
// RUN: tile-run %s --entry=nest --on=emulator --chip=sm_90a --check --scalar=3:1 --seed=1
// RUN: tile-run %s --entry=nest --on=emulator --chip=sm_90a --check --scalar=3:3 --seed=3
// RUN: tile-run %s --entry=nest --on=emulator --chip=sm_90a --check --scalar=3:3 --seed=0 --check-stages
// RUN: tile-run %s --entry=two_loops --on=emulator --chip=sm_90a --check --seed=0
// RUN: tile-run %s --entry=two_loops --on=emulator --chip=sm_90a --check --seed=1
// RUN: tile-run %s --entry=guarded --on=emulator --chip=sm_90a --check --seed=0 "--data=3:integers(0,1)"
// RUN: tile-run %s --entry=guarded --on=emulator --chip=sm_90a --check --seed=1 "--data=3:integers(0,1)"
// RUN: tile-run %s --entry=guarded --on=emulator --chip=sm_90a --check --seed=2 "--data=3:integers(0,1)"
// RUN: tile-run %s --entry=while_loop --on=emulator --chip=sm_90a --check --seed=0
// RUN: tile-run %s --entry=while_loop --on=emulator --chip=sm_90a --check --seed=1
// RUN: tile-run %s --entry=reduced --on=emulator --chip=sm_90a --check --seed=0
// RUN: tile-run %s --entry=reduced --on=emulator --chip=sm_90a --check --seed=1
// RUN: tile-run %s --entry=copies_only --on=emulator --chip=sm_90a --check --seed=0
// RUN: tile-run %s --entry=one_stage --on=emulator --chip=sm_90a --check --scalar=2:3
// RUN: tile-run %s --entry=one_stage --on=emulator --chip=sm_90a --check --scalar=2:0
// RUN: tile-run %s --entry=refilled --on=emulator --chip=sm_90a --check --seed=1
// RUN: tile-run %s --entry=refilled --on=reference --chip=sm_90a --check-stages --seed=2
// RUN: tile-run %s --entry=three_loops --on=emulator --chip=sm_90a --check
// RUN: tile-opt %s --tile-compile=chip=sm_90a --mlir-print-ir-after=tile-specialize-warps -o /dev/null 2>&1 | FileCheck %s
// CHECK-COUNT-10: tile.specialize

#shared = #gpu.address_space<workgroup>

// Trip counts from 0 to beyond the slots: of a loop of one iteration too the producer is
// as far ahead as there are slots.
func.func @trips(%A: memref<64x512xf16>, %B: memref<64x512xf16>, %C: memref<64x64xf32>, %trips: index) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %s = tile.alloc : memref<64x64xf16, #shared>
    %t = tile.alloc : memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %i = %c0 to %trips step %one iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      %k = arith.muli %i, %c64 : index
      tile.copy %A[%c0, %k] to %s : memref<64x512xf16> to memref<64x64xf16, #shared>
      tile.copy %B[%c0, %k] to %t : memref<64x512xf16> to memref<64x64xf16, #shared>
      %d = tile.gemm %s, %t, %c {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 3 : i32}
    tile.store %acc, %C : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// Two groups of consumers, to which the producer gives its registers.
func.func @groups(%A: memref<128x192xf16>, %B: memref<128x192xf16>, %C: memref<128x128xf32>) {
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
    tile.store %acc, %C : tensor<128x128xf32>, memref<128x128xf32>
  }
  return
}

// Three, with edges that are cut.
func.func @three_groups(%A: memref<190x160xf16>, %B: memref<90x160xf16>, %C: memref<190x90xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(384) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c160 = arith.constant 160 : index
    %s = tile.alloc : memref<192x64xf16, #shared>
    %t = tile.alloc : memref<96x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<192x96xf32>
    %acc = scf.for %k = %c0 to %c160 step %c64 iter_args(%c = %zero) -> (tensor<192x96xf32>) {
      tile.copy %A[%c0, %k] to %s : memref<190x160xf16> to memref<192x64xf16, #shared>
      tile.copy %B[%c0, %k] to %t : memref<90x160xf16> to memref<96x64xf16, #shared>
      %d = tile.gemm %s, %t, %c {transpose_b} : memref<192x64xf16, #shared>, memref<96x64xf16, #shared> -> tensor<192x96xf32>
      scf.yield %d : tensor<192x96xf32>
    } {tile.stages = 4 : i32}
    tile.store %acc, %C[%c0, %c0] : tensor<192x96xf32>, memref<190x90xf32>
  }
  return
}

// Tiles one after the other in a block: numbers of uses go on, whatever is left over
// of the slots when an inner loop ends.
func.func @nest(%A: memref<256x320xf16>, %B: memref<64x320xf16>, %C: memref<256x64xf32>, %tiles: index) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c320 = arith.constant 320 : index
    %s = tile.alloc : memref<64x64xf16, #shared>
    %t = tile.alloc : memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    scf.for %tile = %c0 to %tiles step %one {
      %row = arith.muli %tile, %c64 : index
      %acc = scf.for %k = %c0 to %c320 step %c64 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
        tile.copy %A[%row, %k] to %s : memref<256x320xf16> to memref<64x64xf16, #shared>
        tile.copy %B[%c0, %k] to %t : memref<64x320xf16> to memref<64x64xf16, #shared>
        %d = tile.gemm %s, %t, %c {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
        scf.yield %d : tensor<64x64xf32>
      } {tile.stages = 3 : i32}
      tile.store %acc, %C[%row, %c0] : tensor<64x64xf32>, memref<256x64xf32>
    }
  }
  return
}

// Two loops in sequence, with rings of their own.
func.func @two_loops(%A: memref<64x192xf16>, %B: memref<64x192xf16>, %C: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c192 = arith.constant 192 : index
    %s = tile.alloc : memref<64x64xf16, #shared>
    %t = tile.alloc : memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %first = scf.for %k = %c0 to %c192 step %c64 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      tile.copy %A[%c0, %k] to %s : memref<64x192xf16> to memref<64x64xf16, #shared>
      %d = tile.gemm %s, %s, %c {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 2 : i32}
    %second = scf.for %k = %c0 to %c192 step %c64 iter_args(%c = %first) -> (tensor<64x64xf32>) {
      tile.copy %B[%c0, %k] to %t : memref<64x192xf16> to memref<64x64xf16, #shared>
      %d = tile.gemm %t, %t, %c {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 4 : i32}
    tile.store %second, %C : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// Both roles load the flag that says whether there is a block of the operands.
func.func @guarded(%A: memref<64x512xf16>, %B: memref<64x512xf16>, %C: memref<64x64xf32>, %flags: memref<8xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c64 = arith.constant 64 : index
    %false = arith.constant 0 : i32
    %s = tile.alloc : memref<64x64xf16, #shared>
    %t = tile.alloc : memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %i = %c0 to %c8 step %one iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      %k = arith.muli %i, %c64 : index
      %flag = memref.load %flags[%i] : memref<8xi32>
      %is = arith.cmpi ne, %flag, %false : i32
      %d = scf.if %is -> (tensor<64x64xf32>) {
        tile.copy %A[%c0, %k] to %s : memref<64x512xf16> to memref<64x64xf16, #shared>
        tile.copy %B[%c0, %k] to %t : memref<64x512xf16> to memref<64x64xf16, #shared>
        %e = tile.gemm %s, %t, %c {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
        scf.yield %e : tensor<64x64xf32>
      } else {
        scf.yield %c : tensor<64x64xf32>
      }
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 3 : i32}
    tile.store %acc, %C : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// A while loop around the pipelined one, which halves what is left.
func.func @while_loop(%A: memref<64x512xf16>, %C: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c7 = arith.constant 7 : index
    %c64 = arith.constant 64 : index
    %s = tile.alloc : memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %r:2 = scf.while (%left = %c7, %sum = %zero) : (index, tensor<64x64xf32>) -> (index, tensor<64x64xf32>) {
      %goes = arith.cmpi ugt, %left, %c0 : index
      scf.condition(%goes) %left, %sum : index, tensor<64x64xf32>
    } do {
    ^bb0(%count: index, %before: tensor<64x64xf32>):
      %acc = scf.for %i = %c0 to %count step %one iter_args(%c = %before) -> (tensor<64x64xf32>) {
        %k = arith.muli %i, %c64 : index
        tile.copy %A[%c0, %k] to %s : memref<64x512xf16> to memref<64x64xf16, #shared>
        %d = tile.gemm %s, %s, %c {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
        scf.yield %d : tensor<64x64xf32>
      } {tile.stages = 2 : i32}
      %half = arith.divui %count, %c2 : index
      scf.yield %half, %acc : index, tensor<64x64xf32>
    }
    tile.store %r#1, %C : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// Consumers that exchange data among themselves meet without the producer.
func.func @reduced(%A: memref<128x192xf16>, %B: memref<128x192xf16>, %C: memref<128xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(256) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c192 = arith.constant 192 : index
    %s = tile.alloc : memref<128x64xf16, #shared>
    %t = tile.alloc : memref<128x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<128xf32>
    %acc = scf.for %k = %c0 to %c192 step %c64 iter_args(%c = %zero) -> (tensor<128xf32>) {
      tile.copy %A[%c0, %k] to %s : memref<128x192xf16> to memref<128x64xf16, #shared>
      tile.copy %B[%c0, %k] to %t : memref<128x192xf16> to memref<128x64xf16, #shared>
      %d = tile.gemm %s, %t {transpose_b} : memref<128x64xf16, #shared>, memref<128x64xf16, #shared> -> tensor<128x128xf32>
      %r = tile.reduce <add> %d dims [0] init(%c) : tensor<128x128xf32> -> tensor<128xf32>
      scf.yield %r : tensor<128xf32>
    } {tile.stages = 2 : i32}
    tile.store %acc, %C : tensor<128xf32>, memref<128xf32>
  }
  return
}

// Without products a producer is made where the program asks for it.
func.func @copies_only(%A: memref<64x512xf32>, %C: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(128) attributes {warp_specialize = #tile.warp_specialize<on>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c512 = arith.constant 512 : index
    %s = tile.alloc : memref<64x64xf32, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %k = %c0 to %c512 step %c64 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      tile.copy %A[%c0, %k] to %s : memref<64x512xf32> to memref<64x64xf32, #shared>
      %x = tile.load %s : memref<64x64xf32, #shared> -> tensor<64x64xf32>
      %d = arith.addf %x, %c : tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 4 : i32}
    tile.store %acc, %C : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// Beside a loop that a producer fills one that threads fill step by step, each buffer
// behind the reads of the one before.
func.func @one_stage(%A: memref<160xf32>, %B: memref<160xi32>, %n: index, %O: memref<32xf32>, %P: memref<64x512xf16>, %Q: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @one_stage_kernel blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c512 = arith.constant 512 : index
    %a = tile.alloc : memref<32xf32, #shared>
    %b = tile.alloc : memref<32xi32, #shared>
    %c = tile.alloc : memref<32xf32, #shared>
    %none = arith.constant dense<0.0> : tensor<32xf32>
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%so_far = %none) -> (tensor<32xf32>) {
      %start = arith.muli %i, %c32 : index
      tile.copy %A[%start] to %a : memref<160xf32> to memref<32xf32, #shared>
      %x0 = tile.load %a : memref<32xf32, #shared> -> tensor<32xf32>
      tile.copy %B[%start] to %b : memref<160xi32> to memref<32xi32, #shared>
      %y0 = tile.load %b : memref<32xi32, #shared> -> tensor<32xi32>
      %y1 = arith.sitofp %y0 : tensor<32xi32> to tensor<32xf32>
      %z0 = arith.addf %x0, %y1 : tensor<32xf32>
      tile.copy %A[%start] to %c : memref<160xf32> to memref<32xf32, #shared>
      %back = tile.parallel (%j) in (32) -> (tensor<32xf32>) {
        %c31 = arith.constant 31 : index
        %last = arith.subi %c31, %j : index
        %u = memref.load %c[%last] : memref<32xf32, #shared>
        %v = memref.load %b[%last] : memref<32xi32, #shared>
        %w = arith.sitofp %v : i32 to f32
        %r = arith.mulf %u, %w : f32
        tile.yield %r : f32
      }
      %z1 = arith.addf %z0, %back : tensor<32xf32>
      %next = arith.addf %so_far, %z1 : tensor<32xf32>
      scf.yield %next : tensor<32xf32>
    } {tile.stages = 1 : i32}
    tile.store %sum, %O : tensor<32xf32>, memref<32xf32>
    %p = tile.alloc : memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %product = scf.for %k = %c0 to %c512 step %c64 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
      tile.copy %P[%c0, %k] to %p : memref<64x512xf16> to memref<64x64xf16, #shared>
      %d = tile.gemm %p, %p, %acc {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 2 : i32}
    tile.store %product, %Q : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// Half a buffer is filled and used, then the other half: no slot is complete before it is
// used. Its threads fill it, a producer the other one, and the one of the loop behind.
func.func @refilled(%A: memref<64x256xf16>, %B: memref<64x256xf16>, %C: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @refilled_kernel blocks(%b) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %s = tile.alloc : memref<64x64xf16, #shared>
    %left = memref.subview %s[0, 0] [64, 32] [1, 1] : memref<64x64xf16, #shared> to memref<64x32xf16, strided<[64, 1]>, #shared>
    %right = memref.subview %s[0, 32] [64, 32] [1, 1] : memref<64x64xf16, #shared> to memref<64x32xf16, strided<[64, 1], offset: 32>, #shared>
    %t = tile.alloc : memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %x = scf.for %k = %c0 to %c256 step %c64 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      tile.copy %A[%c0, %k] to %left : memref<64x256xf16> to memref<64x32xf16, strided<[64, 1]>, #shared>
      %l = tile.gemm %left, %left, %c {transpose_b} : memref<64x32xf16, strided<[64, 1]>, #shared>, memref<64x32xf16, strided<[64, 1]>, #shared> -> tensor<64x64xf32>
      %k32 = arith.addi %k, %c32 : index
      tile.copy %A[%c0, %k32] to %right : memref<64x256xf16> to memref<64x32xf16, strided<[64, 1], offset: 32>, #shared>
      %r = tile.gemm %right, %left, %l {transpose_b} : memref<64x32xf16, strided<[64, 1], offset: 32>, #shared>, memref<64x32xf16, strided<[64, 1]>, #shared> -> tensor<64x64xf32>
      scf.yield %r : tensor<64x64xf32>
    } {tile.stages = 1 : i32}
    %y = scf.for %k = %c0 to %c256 step %c64 iter_args(%c = %x) -> (tensor<64x64xf32>) {
      tile.copy %B[%c0, %k] to %t : memref<64x256xf16> to memref<64x64xf16, #shared>
      %d = tile.gemm %t, %t, %c {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 3 : i32}
    tile.store %y, %C : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// All slots that the loops ask for do not fit beside each other, which a producer needs:
// none is made.
func.func @three_loops(%A: memref<128x512xf16>, %B: memref<128x512xf16>, %C: memref<128x128xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @three_loops_kernel blocks(%b) in (%c1) threads(256) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c512 = arith.constant 512 : index
    %s = tile.alloc : memref<128x64xf16, #shared>
    %t = tile.alloc : memref<128x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<128x128xf32>
    %x = scf.for %k = %c0 to %c512 step %c64 iter_args(%c = %zero) -> (tensor<128x128xf32>) {
      tile.copy %A[%c0, %k] to %s : memref<128x512xf16> to memref<128x64xf16, #shared>
      tile.copy %B[%c0, %k] to %t : memref<128x512xf16> to memref<128x64xf16, #shared>
      %d = tile.gemm %s, %t, %c {transpose_b} : memref<128x64xf16, #shared>, memref<128x64xf16, #shared> -> tensor<128x128xf32>
      scf.yield %d : tensor<128x128xf32>
    } {tile.stages = 3 : i32}
    %y = scf.for %k = %c0 to %c512 step %c64 iter_args(%c = %x) -> (tensor<128x128xf32>) {
      tile.copy %A[%c0, %k] to %s : memref<128x512xf16> to memref<128x64xf16, #shared>
      tile.copy %B[%c0, %k] to %t : memref<128x512xf16> to memref<128x64xf16, #shared>
      %d = tile.gemm %t, %s, %c {transpose_b} : memref<128x64xf16, #shared>, memref<128x64xf16, #shared> -> tensor<128x128xf32>
      scf.yield %d : tensor<128x128xf32>
    } {tile.stages = 3 : i32}
    %z = scf.for %k = %c0 to %c512 step %c64 iter_args(%c = %y) -> (tensor<128x128xf32>) {
      tile.copy %A[%c0, %k] to %s : memref<128x512xf16> to memref<128x64xf16, #shared>
      tile.copy %B[%c0, %k] to %t : memref<128x512xf16> to memref<128x64xf16, #shared>
      %d = tile.gemm %s, %s, %c {transpose_b} : memref<128x64xf16, #shared>, memref<128x64xf16, #shared> -> tensor<128x128xf32>
      scf.yield %d : tensor<128x128xf32>
    } {tile.stages = 3 : i32}
    tile.store %z, %C : tensor<128x128xf32>, memref<128x128xf32>
  }
  return
}
