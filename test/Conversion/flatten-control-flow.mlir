// Loops and conditions in each other and behind each other become the branches that upstream's
// pass makes of them.
// RUN: tile-opt %s --tile-flatten-control-flow -o %t.own
// RUN: FileCheck %s < %t.own
// RUN: tile-opt %s --convert-scf-to-cf -o %t.upstream
// RUN: diff %t.own %t.upstream

// CHECK-NOT: scf.
llvm.func @k(%n: i32, %exists: i1, %p: !llvm.ptr) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %sum = scf.for %i = %zero to %n step %one iter_args(%s = %zero) -> (i32) : i32 {
    %inner = scf.for %j = %zero to %i step %one iter_args(%t = %s) -> (i32) : i32 {
      %chosen = scf.if %exists -> i32 {
        %u = arith.addi %t, %j : i32
        scf.yield %u : i32
      } else {
        scf.yield %t : i32
      }
      scf.yield %chosen : i32
    }
    scf.if %exists {
      llvm.store %inner, %p : i32, !llvm.ptr
      scf.while : () -> () {
        %v = llvm.load volatile %p : !llvm.ptr -> i32
        %more = arith.cmpi ne, %v, %zero : i32
        scf.condition(%more)
      } do {
        scf.yield
      }
    }
    scf.yield %inner : i32
  }
  %last = scf.while (%w = %sum) : (i32) -> i32 {
    %more = arith.cmpi slt, %w, %n : i32
    scf.condition(%more) %w : i32
  } do {
  ^bb0(%w: i32):
    %next = arith.addi %w, %one : i32
    scf.for %i = %zero to %next step %one : i32 {
      llvm.store %i, %p : i32, !llvm.ptr
    }
    scf.yield %next : i32
  }
  llvm.return %last : i32
}
