// How often loops go round, modulo a number.
// RUN: tile-test-opt %s --test-tile-index-facts --verify-diagnostics -o /dev/null

// 64 elements a step; 512 of them are eight steps.
func.func @trips(%A: memref<?xf16> {tile.divisible = array<i64: 512>}, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c480 = arith.constant 480 : index
  %c512 = arith.constant 512 : index
  %c1000 = arith.constant 1000 : index
  %size = memref.dim %A, %c0 : memref<?xf16>
  // expected-remark @below {{goes round 0 modulo 8.}}
  scf.for %i = %c0 to %size step %c64 {} {test.modulo = 8}
  // Eight steps are not always 16.
  // expected-remark @below {{goes round ? modulo 16.}}
  scf.for %i = %c0 to %size step %c64 {} {test.modulo = 16}
  // A loop that does not go round does so no multiple of eight times and one less.
  // expected-remark @below {{goes round ? modulo 8.}}
  scf.for %i = %c64 to %size step %c64 {} {test.modulo = 8}
  // With a part of a step to the end it does once.
  // expected-remark @below {{goes round 0 modulo 8.}}
  scf.for %i = %c32 to %size step %c64 {} {test.modulo = 8}
  // expected-remark @below {{goes round ? modulo 8.}}
  scf.for %i = %c480 to %size step %c64 {} {test.modulo = 8}
  // Whole rounds away the end may be anywhere.
  // expected-remark @below {{goes round 0 modulo 8.}}
  scf.for %i = %c512 to %size step %c64 {} {test.modulo = 8}
  // expected-remark @below {{goes round 0 modulo 8.}}
  scf.for %i = %c0 to %c1000 step %c128 {} {test.modulo = 8}
  // Unsigned bounds, and steps that are not known, are not counted.
  // expected-remark @below {{goes round ? modulo 8.}}
  scf.for unsigned %i = %c0 to %size step %c64 {} {test.modulo = 8}
  // expected-remark @below {{goes round ? modulo 8.}}
  scf.for %i = %c0 to %size step %n {} {test.modulo = 8}
  // expected-remark @below {{goes round ? modulo 8.}}
  scf.for %i = %n to %size step %c64 {} {test.modulo = 8}
  return
}

// A condition around the loop says that there is a first step.
func.func @under_conditions(%A: memref<?xf16> {tile.divisible = array<i64: 512>}, %n: index, %on: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %size = memref.dim %A, %c0 : memref<?xf16>
  %isThere = arith.cmpi slt, %c0, %size : index
  scf.if %isThere {
    // expected-remark @below {{goes round 7 modulo 8.}}
    scf.for %i = %c64 to %size step %c64 {} {test.modulo = 8}
    // Nothing of a second one.
    // expected-remark @below {{goes round ? modulo 8.}}
    scf.for %i = %c128 to %size step %c64 {} {test.modulo = 8}
    scf.if %on {
      // expected-remark @below {{goes round 3 modulo 4.}}
      scf.for %i = %c64 to %size step %c64 {} {test.modulo = 4}
    }
  } else {
    // expected-remark @below {{goes round ? modulo 8.}}
    scf.for %i = %c64 to %size step %c64 {} {test.modulo = 8}
  }
  // The loop around is not entered without a first step.
  scf.for %j = %c0 to %size step %c1 {
    // expected-remark @below {{goes round 7 modulo 8.}}
    scf.for %i = %c64 to %size step %c64 {} {test.modulo = 8}
  }
  return
}

// Bounds that are a constant apart from something divisible.
func.func @sums(%n: i32, %m: index) {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c9 = arith.constant 9 : index
  %c100 = arith.constant 100 : index
  %c0 = arith.constant 0 : index
  %wide = arith.index_cast %n : i32 to index
  %begin = arith.muli %wide, %c9 : index
  %first = arith.addi %begin, %c3 : index
  %end = arith.addi %begin, %c9 : index
  // expected-remark @below {{goes round 0 modulo 3.}}
  scf.for %i = %begin to %end step %c3 {} {test.modulo = 3}
  // expected-remark @below {{goes round ? modulo 3.}}
  scf.for %i = %first to %end step %c3 {} {test.modulo = 3}
  // What may wrap is not known modulo what is no power of two.
  %far = tile.assume_divisible %m by 9 : index
  %farther = arith.addi %far, %c9 : index
  // expected-remark @below {{goes round ? modulo 3.}}
  scf.for %i = %far to %farther step %c3 {} {test.modulo = 3}
  return
}
