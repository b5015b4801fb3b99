// Loops with 0 to 4 trips, nested loops, while, if and switch around tiles.
// RUN: tile-run %s --entry=loop --on=emulator --chip=sm_80 --check --scalar=3:0
// RUN: tile-run %s --entry=loop --on=emulator --chip=sm_90a --check --scalar=3:0
// RUN: tile-run %s --entry=loop --on=emulator --chip=sm_80 --check --scalar=3:1
// RUN: tile-run %s --entry=loop --on=emulator --chip=sm_90a --check --scalar=3:1
// RUN: tile-run %s --entry=loop --on=emulator --chip=sm_80 --check --scalar=3:2
// RUN: tile-run %s --entry=loop --on=emulator --chip=sm_90a --check --scalar=3:2
// RUN: tile-run %s --entry=loop --on=emulator --chip=sm_90a --check --scalar=3:3
// RUN: tile-run %s --entry=loop --on=emulator --chip=sm_80 --check --scalar=3:3
// RUN: tile-run %s --entry=loop --on=emulator --chip=sm_90a --check --scalar=3:4
// RUN: tile-run %s --entry=loop --on=emulator --chip=sm_80 --check --scalar=3:4
// RUN: tile-run %s --entry=nested --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=nested --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=carried_buffer --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=carried_buffer --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=while --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=while --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=conditions --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=conditions --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=switch --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=switch --on=emulator --chip=sm_90a --check
#shared = #gpu.address_space<workgroup>

func.func @loop(%A: memref<32x128xf16>, %B: memref<128x32xf16>, %C: memref<32x32xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %end = arith.muli %n, %c32 : index
    %zero = arith.constant dense<0.0> : tensor<32x32xf32>
    %a = tile.alloc : memref<32x32xf16, #shared>
    %b = tile.alloc : memref<32x32xf16, #shared>
    %r = scf.for %k = %c0 to %end step %c32 iter_args(%acc = %zero) -> (tensor<32x32xf32>) {
      tile.copy %A[%c0, %k] to %a : memref<32x128xf16> to memref<32x32xf16, #shared>
      tile.copy %B[%k, %c0] to %b : memref<128x32xf16> to memref<32x32xf16, #shared>
      %d = tile.gemm %a, %b, %acc : memref<32x32xf16, #shared>, memref<32x32xf16, #shared> -> tensor<32x32xf32>
      scf.yield %d : tensor<32x32xf32>
    } {tile.stages = 3 : i32}
    tile.store %r, %C : tensor<32x32xf32>, memref<32x32xf32>
  }
  return
}

func.func @nested(%a: memref<4x4x64xf32>, %o: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant dense<0.0> : tensor<64xf32>
    %r = scf.for %i = %c0 to %c4 step %one iter_args(%s = %zero) -> (tensor<64xf32>) {
      %q = scf.for %j = %c0 to %i step %one iter_args(%u = %s) -> (tensor<64xf32>) {
        %t = tile.load %a[%i, %j, %c0] [1, 1, 64] : memref<4x4x64xf32> -> tensor<64xf32>
        %v = arith.addf %u, %t : tensor<64xf32>
        scf.yield %v : tensor<64xf32>
      }
      scf.yield %q : tensor<64xf32>
    }
    tile.store %r, %o : tensor<64xf32>, memref<64xf32>
  }
  return
}

// The buffer written in one iteration is read in the next.
func.func @carried_buffer(%a: memref<8x64xf32>, %o: memref<8x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %s = tile.alloc : memref<64xf32, #shared>
    %z = arith.constant dense<0.0> : tensor<64xf32>
    tile.store %z, %s : tensor<64xf32>, memref<64xf32, #shared>
    scf.for %i = %c0 to %c8 step %one {
      %p = tile.parallel (%j) in (64) -> (tensor<64xf32>) {
        %c63 = arith.constant 63 : index
        %k = arith.subi %c63, %j : index
        %e = memref.load %s[%k] : memref<64xf32, #shared>
        tile.yield %e : f32
      }
      %t = tile.load %a[%i, %c0] [1, 64] : memref<8x64xf32> -> tensor<64xf32>
      %v = arith.addf %p, %t : tensor<64xf32>
      tile.store %v, %s : tensor<64xf32>, memref<64xf32, #shared>
      tile.store %v, %o[%i, %c0] [1, 64] : tensor<64xf32>, memref<8x64xf32>
    }
  }
  return
}

func.func @while(%a: memref<64xf32>, %o: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %t = tile.load %a : memref<64xf32> -> tensor<64xf32>
    %zero = arith.constant 0 : i32
    %five = arith.constant 5 : i32
    %one = arith.constant 1 : i32
    %r:2 = scf.while (%i = %zero, %v = %t) : (i32, tensor<64xf32>) -> (i32, tensor<64xf32>) {
      %p = arith.cmpi slt, %i, %five : i32
      scf.condition(%p) %i, %v : i32, tensor<64xf32>
    } do {
    ^bb0(%i: i32, %v: tensor<64xf32>):
      %w = arith.addf %v, %v : tensor<64xf32>
      %n = arith.addi %i, %one : i32
      scf.yield %n, %w : i32, tensor<64xf32>
    }
    tile.store %r#1, %o : tensor<64xf32>, memref<64xf32>
  }
  return
}

func.func @conditions(%a: memref<4x64xf32>, %o: memref<4x64xf32>) {
  %c4 = arith.constant 4 : index
  tile.launch blocks(%x) in (%c4) threads(64) {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %s = tile.alloc : memref<64xf32, #shared>
    %t = tile.load %a[%x, %c0] [1, 64] : memref<4x64xf32> -> tensor<64xf32>
    %first = memref.load %a[%x, %c0] : memref<4x64xf32>
    %zero = arith.constant 0.0 : f32
    %p = arith.cmpf ogt, %first, %zero : f32
    %r = scf.if %p -> (tensor<64xf32>) {
      tile.store %t, %s : tensor<64xf32>, memref<64xf32, #shared>
      %u = tile.parallel (%i) in (64) -> (tensor<64xf32>) {
        %c63 = arith.constant 63 : index
        %k = arith.subi %c63, %i : index
        %e = memref.load %s[%k] : memref<64xf32, #shared>
        tile.yield %e : f32
      }
      scf.yield %u : tensor<64xf32>
    } else {
      %n = arith.negf %t : tensor<64xf32>
      scf.yield %n : tensor<64xf32>
    }
    %q = arith.cmpi slt, %x, %c2 : index
    scf.if %q {
      tile.store %r, %o[%x, %c0] [1, 64] : tensor<64xf32>, memref<4x64xf32>
    }
  }
  return
}

func.func @switch(%a: memref<4x32xf32>, %o: memref<4x32xf32>) {
  %c4 = arith.constant 4 : index
  tile.launch blocks(%x) in (%c4) threads(32) {
    %c0 = arith.constant 0 : index
    %t = tile.load %a[%x, %c0] [1, 32] : memref<4x32xf32> -> tensor<32xf32>
    %r = scf.index_switch %x -> tensor<32xf32>
    case 0 {
      %u = arith.addf %t, %t : tensor<32xf32>
      scf.yield %u : tensor<32xf32>
    }
    case 2 {
      %u = arith.mulf %t, %t : tensor<32xf32>
      scf.yield %u : tensor<32xf32>
    }
    default {
      scf.yield %t : tensor<32xf32>
    }
    tile.store %r, %o[%x, %c0] [1, 32] : tensor<32xf32>, memref<4x32xf32>
  }
  return
}
