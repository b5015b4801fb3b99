// Ctrl-C during a trial ends the reduction: that trial counts for nothing, no other begins,
// and the smallest program so far is written.
// RUN: rm -rf %t && mkdir %t
// RUN: sh -c 'INTERRUPT_LOG=%t/log tile-reduce %s --test=%S/Inputs/interrupt -o %t/small.mlir 2> %t/messages; echo status $?' | FileCheck %s --check-prefix=STATUS
// RUN: FileCheck %s --check-prefix=MESSAGES < %t/messages
// RUN: tile-opt %t/small.mlir | FileCheck %s
// RUN: wc -l < %t/log | FileCheck %s --check-prefix=TRIALS

// STATUS: status 130
// MESSAGES: tile-reduce: interrupted; this is the smallest program so far
// The one in front, the program as it is given, one step that is kept, and the last.
// TRIALS: 4
// CHECK: func.func @last
// CHECK-NEXT: arith.constant 1
// CHECK-NEXT: return
func.func @last() -> i32 {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  return %c1 : i32
}
