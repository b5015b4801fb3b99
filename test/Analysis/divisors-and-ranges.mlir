// What divides an index and in which range it lies, through each operation. "any"
// divides zero; "?" is not known; both ends of a range belong to it.
// RUN: tile-test-opt %s --test-tile-index-facts --verify-diagnostics

func.func @constants() {
  // expected-remark @below {{divisor 24, from 24 to 24.}}
  %c24 = arith.constant {test.tag = "a"} 24 : index
  // expected-remark @below {{divisor 24, from -24 to -24.}}
  %m24 = arith.constant {test.tag = "a"} -24 : index
  // expected-remark @below {{divisor any, from 0 to 0.}}
  %c0 = arith.constant {test.tag = "a"} 0 : index
  return
}

func.func @sums(%x: index, %y: index) {
  %c8 = arith.constant 8 : index
  %c12 = arith.constant 12 : index
  %c0 = arith.constant 0 : index
  %a = tile.assume_divisible %x by 8 : index
  %b = tile.assume_divisible %y by 12 : index
  // expected-remark @below {{divisor 4, from ? to ?.}}
  %0 = arith.addi %a, %b {test.tag = "a"} : index
  // expected-remark @below {{divisor 4, from ? to ?.}}
  %1 = arith.subi %a, %b {test.tag = "a"} : index
  // expected-remark @below {{divisor 8, from ? to ?.}}
  %2 = arith.addi %a, %c0 {test.tag = "a"} : index
  // expected-remark @below {{divisor 1, from ? to ?.}}
  %3 = arith.addi %a, %x {test.tag = "a"} : index
  return
}

// What may leave its type is known modulo a power of two, and only one divides it.
func.func @products(%x: index, %y: index) {
  %c6 = arith.constant 6 : index
  %c0 = arith.constant 0 : index
  %many = arith.constant 1073741824 : index
  %a = tile.assume_divisible %x by 8 : index
  // expected-remark @below {{divisor 16, from ? to ?.}}
  %0 = arith.muli %a, %c6 {test.tag = "a"} : index
  // expected-remark @below {{divisor 64, from ? to ?.}}
  %1 = arith.muli %a, %a {test.tag = "a"} : index
  // expected-remark @below {{divisor 2, from ? to ?.}}
  %2 = arith.muli %y, %c6 {test.tag = "a"} : index
  // expected-remark @below {{divisor any, from 0 to 0.}}
  %3 = arith.muli %y, %c0 {test.tag = "a"} : index
  // Divisors are counted up to 2^30.
  // expected-remark @below {{divisor 1073741824, from ? to ?.}}
  %4 = arith.muli %a, %many {test.tag = "a"} : index
  return
}

// By the width or more, the language leaves open what results.
func.func @shifts(%x: i32, %y: i32) {
  %c3 = arith.constant 3 : i32
  %c40 = arith.constant 40 : i32
  %a = tile.assume_divisible %x by 6 : i32
  // expected-remark @below {{divisor 16, from ? to ?.}}
  %0 = arith.shli %a, %c3 {test.tag = "a"} : i32
  // expected-remark @below {{divisor 1, from ? to ?.}}
  %1 = arith.shli %a, %y {test.tag = "a"} : i32
  // expected-remark @below {{divisor 1, from ? to ?.}}
  %2 = arith.shli %a, %c40 {test.tag = "a"} : i32
  %c31 = arith.constant 31 : i32
  %below = arith.andi %y, %c31 : i32
  // expected-remark @below {{divisor 2, from ? to ?.}}
  %3 = arith.shli %a, %below {test.tag = "a"} : i32
  // expected-remark @below {{divisor 1, from 0 to 536870911.}}
  %4 = arith.shrui %a, %c3 {test.tag = "a"} : i32
  return
}

func.func @choices(%x: index, %y: index, %c: i1) {
  %a = tile.assume_divisible %x by 8 : index
  %b = tile.assume_divisible %y by 12 : index
  // expected-remark @below {{divisor 4, from ? to ?.}}
  %0 = arith.select %c, %a, %b {test.tag = "a"} : index
  // expected-remark @below {{divisor 4, from ? to ?.}}
  %1 = arith.minsi %a, %b {test.tag = "a"} : index
  // expected-remark @below {{divisor 4, from ? to ?.}}
  %2 = arith.maxsi %a, %b {test.tag = "a"} : index
  // expected-remark @below {{divisor 4, from ? to ?.}}
  %3 = arith.minui %a, %b {test.tag = "a"} : index
  // expected-remark @below {{divisor 4, from ? to ?.}}
  %4 = arith.maxui %a, %b {test.tag = "a"} : index
  return
}

func.func @casts(%x: i32, %y: index) {
  %a = tile.assume_divisible %x by 16 : i32
  // expected-remark @below {{divisor 16, from -2147483648 to 2147483647.}}
  %0 = arith.index_cast %a {test.tag = "a"} : i32 to index
  // expected-remark @below {{divisor 16, from 0 to 4294967295.}}
  %1 = arith.index_castui %a {test.tag = "a"} : i32 to index
  // expected-remark @below {{divisor 16, from -2147483648 to 2147483647.}}
  %2 = arith.extsi %a {test.tag = "a"} : i32 to i64
  // expected-remark @below {{divisor 16, from 0 to 4294967295.}}
  %3 = arith.extui %a {test.tag = "a"} : i32 to i64
  // What is cut off leaves a power of two.
  // expected-remark @below {{divisor 16, from ? to ?.}}
  %4 = arith.trunci %a {test.tag = "a"} : i32 to i16
  // What is not looked through says nothing.
  // expected-remark @below {{divisor 1, from ? to ?.}}
  %5 = arith.divui %a, %a {test.tag = "a"} : i32
  return
}

// Two assumptions about one value hold together.
func.func @assumptions(%x: index) {
  // expected-remark @below {{divisor 8, from ? to ?.}}
  %a = tile.assume_divisible %x by 8 {test.tag = "a"} : index
  // expected-remark @below {{divisor 24, from ? to ?.}}
  %b = tile.assume_divisible %a by 12 {test.tag = "a"} : index
  return
}

// The last iteration that runs is the upper bound, and none is the 2^48th. A counter
// from zero is as divisible as its step.
func.func @counters(%n: index) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %c30 = arith.constant 30 : index
  // expected-remark @below {{divisor 6, from 0 to 24.}}
  scf.for %i = %c0 to %c30 step %c6 {
  } {test.tag = "a"}
  // expected-remark @below {{divisor 2, from 4 to 28.}}
  scf.for %i = %c4 to %c30 step %c6 {
  } {test.tag = "a"}
  // expected-remark @below {{divisor 6, from 0 to 1688849860263936.}}
  scf.for %i = %c0 to %n step %c6 {
  } {test.tag = "a"}
  // expected-remark @below {{divisor 1, from ? to 29.}}
  scf.for %i = %n to %c30 step %c6 {
  } {test.tag = "a"}
  // expected-remark @below {{divisor 1, from 0 to 29.}}
  scf.for %i = %c0 to %c30 step %n {
  } {test.tag = "a"}
  // What a loop carries is not followed.
  // expected-remark @below {{divisor 1, from ? to ?.}}
  %r = scf.for %j = %c0 to %c30 step %c6 iter_args(%x = %c6) -> (index) {
    scf.yield %x : index
  } {test.tag = "a"}
  return
}

// Blocks are counted from zero to below the extent, a positive 32-bit number.
func.func @blocks(%n: index) {
  %c7 = arith.constant 7 : index
  %c5 = arith.constant 5 : index
  %c64 = arith.constant 64 : index
  %m2 = arith.constant -2 : index
  tile.launch blocks(%x, %y) in (%c7, %n) threads(32) {
    // expected-remark @below {{divisor 64, from 0 to 384.}}
    %0 = arith.muli %x, %c64 {test.tag = "a"} : index
    // expected-remark @below {{divisor 1, from 5 to 389.}}
    %1 = arith.addi %0, %c5 {test.tag = "a"} : index
    // expected-remark @below {{divisor 64, from 0 to 137438953344.}}
    %2 = arith.muli %y, %c64 {test.tag = "a"} : index
    // expected-remark @below {{divisor 64, from 0 to 137438953728.}}
    %3 = arith.addi %0, %2 {test.tag = "a"} : index
    // A negative factor turns the range around.
    // expected-remark @below {{divisor 2, from -12 to 0.}}
    %4 = arith.muli %x, %m2 {test.tag = "a"} : index
  }
  return
}

// A size is as divisible as the memref says.
func.func @sizes(%m: memref<?x24xf32> {tile.divisible = array<i64: 8, 1>}, %d: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-remark @below {{divisor 8, from 0 to ?.}}
  %0 = memref.dim {test.tag = "a"} %m, %c0 : memref<?x24xf32>
  // expected-remark @below {{divisor 24, from 0 to ?.}}
  %1 = memref.dim {test.tag = "a"} %m, %c1 : memref<?x24xf32>
  // expected-remark @below {{divisor 1, from 0 to ?.}}
  %2 = memref.dim {test.tag = "a"} %m, %d : memref<?x24xf32>
  return
}
