// A run of more than two seconds says on standard error what is running; a quick
// one says nothing. Where blocks have ended it says how long the others will take.
// RUN: not timeout 3 tile-run %s --entry=slow --on=emulator --scalar=1:200000000 2> %t
// RUN: FileCheck %s --check-prefix=SLOW < %t
// RUN: tile-run %s --entry=slow --on=emulator --scalar=1:10 2>&1 | FileCheck %s --check-prefix=QUICK
// RUN: not timeout 6 tile-run %s --entry=many --on=emulator --scalar=1:20000 2> %t
// RUN: FileCheck %s --check-prefix=BLOCKS < %t
// RUN: not timeout 6 tile-run %s --entry=many --on=reference --scalar=1:2000 2> %t
// RUN: FileCheck %s --check-prefix=BLOCKS < %t
// BLOCKS: tile-run: running 'many' {{on the emulator|by the reference}} ... {{[0-9]+}} of 60000 blocks, about {{[0-9]+}} s left
// SLOW: tile-run: running 'slow' on the emulator ...
// QUICK-NOT: running
// QUICK: argument 0: memref<1xi32> 1 elements
func.func @many(%o: memref<60000xi32>, %n: i32) {
  %c60000 = arith.constant 60000 : index
  tile.launch blocks(%x) in (%c60000) threads(32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %three = arith.constant 3 : i32
    %r = scf.for %i = %zero to %n step %one iter_args(%v = %zero) -> (i32) : i32 {
      %m = arith.muli %v, %three : i32
      %k = arith.xori %m, %i : i32
      memref.store %k, %o[%x] : memref<60000xi32>
      scf.yield %k : i32
    }
  }
  return
}

func.func @slow(%o: memref<1xi32>, %n: i32) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %three = arith.constant 3 : i32
    %r = scf.for %i = %zero to %n step %one iter_args(%v = %zero) -> (i32) : i32 {
      %m = arith.muli %v, %three : i32
      %k = arith.xori %m, %i : i32
      memref.store %k, %o[%c0] : memref<1xi32>
      scf.yield %k : i32
    }
  }
  return
}
