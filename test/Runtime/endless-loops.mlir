// A loop need not end, whatever it does: the reference cuts it off after a number of
// steps, the emulator compiled code after a number of instructions. A loop without
// effects is no exception, used or not.
// DEFINE: %{entry} = changing
// DEFINE: %{limits} = --max-steps=20000 --max-instructions=20000
// DEFINE: %{run} = tile-run %s --chip=sm_80 --scalar=1:5 --entry=%{entry} %{limits}
// RUN: not %{run} --on=reference 2>&1 | FileCheck %s --check-prefix=STEPS
// RUN: not %{run} --on=emulator 2>&1 | FileCheck %s --check-prefix=INSTRUCTIONS
// RUN: not %{run} --on=emulator --check 2>&1 | FileCheck %s --check-prefix=STEPS
// REDEFINE: %{entry} = constant
// RUN: not %{run} --on=reference 2>&1 | FileCheck %s --check-prefix=STEPS
// RUN: not %{run} --on=emulator 2>&1 | FileCheck %s --check-prefix=INSTRUCTIONS
// REDEFINE: %{entry} = unused
// RUN: not %{run} --on=reference 2>&1 | FileCheck %s --check-prefix=STEPS
// RUN: not %{run} --on=emulator 2>&1 | FileCheck %s --check-prefix=INSTRUCTIONS
// REDEFINE: %{entry} = empty
// RUN: not %{run} --on=reference 2>&1 | FileCheck %s --check-prefix=STEPS
// RUN: not %{run} --on=emulator 2>&1 | FileCheck %s --check-prefix=INSTRUCTIONS
// REDEFINE: %{entry} = iterations
// RUN: not %{run} --on=reference 2>&1 | FileCheck %s --check-prefix=STEPS
// RUN: not %{run} --on=emulator 2>&1 | FileCheck %s --check-prefix=INSTRUCTIONS
// REDEFINE: %{entry} = host
// RUN: not %{run} --on=reference 2>&1 | FileCheck %s --check-prefix=HOST
// RUN: not %{run} --on=emulator 2>&1 | FileCheck %s --check-prefix=HOST
// A step is work of one size: few iterations of a large product are many.
// REDEFINE: %{entry} = product
// RUN: not %{run} --on=reference 2>&1 | FileCheck %s --check-prefix=STEPS
// REDEFINE: %{entry} = ends
// RUN: %{run} --on=emulator --check
// REDEFINE: %{limits} = --max-steps=0
// RUN: %{run} --on=reference
// REDEFINE: %{limits} = --max-steps=x
// RUN: not %{run} --on=reference 2>&1 | FileCheck %s --check-prefix=NUMBER

// STEPS: endless-loops.mlir:{{.*}} error: the block has not come to its end after 20000 steps, each the work of a scalar operation; if it is in no endless loop, give --max-steps=N (InterpreterOptions::maxSteps); 0 lifts it
// STEPS: note: in block (0, 0, 0) of kernel '{{[a-z]+}}_0'
// INSTRUCTIONS: error: emulator, {{.*}}: a warp executed 20001 instructions without coming to its end (the limit is 20000)
// HOST: error: the host code has not come to its end after 20000 steps
// NUMBER: error: --max-steps=x: expected an integer from 0 (no limit) on
func.func @changing(%x: memref<64xi32>, %n: i32) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %r = scf.while (%i = %n) : (i32) -> i32 {
      %z = arith.constant 0 : i32
      %go = arith.cmpi sge, %i, %z : i32
      scf.condition(%go) %i : i32
    } do {
    ^bb0(%i: i32):
      %m = arith.constant 1023 : i32
      %j = arith.addi %i, %i : i32
      %k = arith.andi %j, %m : i32
      scf.yield %k : i32
    }
    memref.store %r, %x[%c0] : memref<64xi32>
  }
  return
}

// What it yields is what it began with, if it ends.
func.func @constant(%x: memref<64xi32>, %n: i32) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %r = scf.while (%i = %n) : (i32) -> i32 {
      %z = arith.constant 0 : i32
      %go = arith.cmpi sge, %i, %z : i32
      scf.condition(%go) %i : i32
    } do {
    ^bb0(%i: i32):
      scf.yield %i : i32
    }
    memref.store %r, %x[%c0] : memref<64xi32>
  }
  return
}

func.func @unused(%x: memref<64xi32>, %n: i32) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %r = scf.while (%i = %n) : (i32) -> i32 {
      %z = arith.constant 0 : i32
      %go = arith.cmpi sge, %i, %z : i32
      scf.condition(%go) %i : i32
    } do {
    ^bb0(%i: i32):
      %m = arith.constant 1023 : i32
      %j = arith.addi %i, %i : i32
      %k = arith.andi %j, %m : i32
      scf.yield %k : i32
    }
    memref.store %n, %x[%c0] : memref<64xi32>
  }
  return
}

// There is no operation in it at all.
func.func @empty(%x: memref<64xi32>, %n: i32) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %z = arith.constant 0 : i32
    %go = arith.cmpi sge, %n, %z : i32
    scf.while : () -> () {
      scf.condition(%go)
    } do {
      scf.yield
    }
  }
  return
}

// Some iterations of a tile.parallel do not end, and nobody uses what they yield.
func.func @iterations(%x: memref<64xi32>, %n: i32) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %t = tile.parallel (%i) in (64) -> (tensor<64xi32>) {
      %k = arith.index_cast %i : index to i32
      %r = scf.while (%j = %k) : (i32) -> i32 {
        %go = arith.cmpi sge, %j, %n : i32
        scf.condition(%go) %j : i32
      } do {
      ^bb0(%j: i32):
        scf.yield %j : i32
      }
      tile.yield %r : i32
    }
  }
  return
}

func.func @host(%x: memref<64xi32>, %n: i32) {
  %z = arith.constant 0 : i32
  %r = scf.while (%i = %n) : (i32) -> i32 {
    %go = arith.cmpi sge, %i, %z : i32
    scf.condition(%go) %i : i32
  } do {
  ^bb0(%i: i32):
    scf.yield %i : i32
  }
  return
}

// 40 iterations of 64 * 64 * 64 / 64 steps.
func.func @product(%x: memref<64xi32>, %n: i32) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %c40 = arith.constant 40 : index
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %a = arith.constant dense<1.0> : tensor<64x64xf16>
    %r = scf.for %i = %c0 to %c40 step %one iter_args(%c = %zero) -> tensor<64x64xf32> {
      %d = tile.gemm %a, %a, %c : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    tile.print "sum" %r : tensor<64x64xf32>
  }
  return
}

func.func @ends(%x: memref<64xi32>, %n: i32) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %r = scf.while (%i = %n) : (i32) -> i32 {
      %m = arith.constant 1000 : i32
      %go = arith.cmpi slt, %i, %m : i32
      scf.condition(%go) %i : i32
    } do {
    ^bb0(%i: i32):
      %j = arith.addi %i, %i : i32
      scf.yield %j : i32
    }
    memref.store %r, %x[%c0] : memref<64xi32>
  }
  return
}
