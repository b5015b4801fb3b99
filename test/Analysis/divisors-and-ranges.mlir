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

func.func @products(%x: index, %y: index) {
  %c6 = arith.constant 6 : index
  %c0 = arith.constant 0 : index
  %many = arith.constant 1073741824 : index
  %a = tile.assume_divisible %x by 8 : index
  // expected-remark @below {{divisor 48, from ? to ?.}}
  %0 = arith.muli %a, %c6 {test.tag = "a"} : index
  // expected-remark @below {{divisor 64, from ? to ?.}}
  %1 = arith.muli %a, %a {test.tag = "a"} : index
  // expected-remark @below {{divisor 6, from ? to ?.}}
  %2 = arith.muli %y, %c6 {test.tag = "a"} : index
  // expected-remark @below {{divisor any, from ? to ?.}}
  %3 = arith.muli %y, %c0 {test.tag = "a"} : index
  // Beyond 2^30 nothing is counted.
  // expected-remark @below {{divisor any, from ? to ?.}}
  %4 = arith.muli %a, %many {test.tag = "a"} : index
  return
}

func.func @shifts(%x: i32, %y: i32) {
  %c3 = arith.constant 3 : i32
  %c40 = arith.constant 40 : i32
  %a = tile.assume_divisible %x by 6 : i32
  // expected-remark @below {{divisor 48, from ? to ?.}}
  %0 = arith.shli %a, %c3 {test.tag = "a"} : i32
  // expected-remark @below {{divisor 6, from ? to ?.}}
  %1 = arith.shli %a, %y {test.tag = "a"} : i32
  // expected-remark @below {{divisor 6, from ? to ?.}}
  %2 = arith.shli %a, %c40 {test.tag = "a"} : i32
  // expected-remark @below {{divisor 1, from ? to ?.}}
  %3 = arith.shrui %a, %c3 {test.tag = "a"} : i32
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
  // expected-remark @below {{divisor 16, from ? to ?.}}
  %0 = arith.index_cast %a {test.tag = "a"} : i32 to index
  // expected-remark @below {{divisor 16, from ? to ?.}}
  %1 = arith.index_castui %a {test.tag = "a"} : i32 to index
  // expected-remark @below {{divisor 16, from ? to ?.}}
  %2 = arith.extsi %a {test.tag = "a"} : i32 to i64
  // expected-remark @below {{divisor 16, from ? to ?.}}
  %3 = arith.extui %a {test.tag = "a"} : i32 to i64
  // What is not looked through says nothing.
  // expected-remark @below {{divisor 1, from ? to ?.}}
  %4 = arith.trunci %a {test.tag = "a"} : i32 to i16
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

// The last iteration that runs is the upper bound. Zero counts as 2^30, so that of the
// divisor of a counter from zero the power of two is left.
func.func @counters(%n: index) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %c30 = arith.constant 30 : index
  // expected-remark @below {{divisor 2, from 0 to 24.}}
  scf.for %i = %c0 to %c30 step %c6 {
  } {test.tag = "a"}
  // expected-remark @below {{divisor 2, from 4 to 28.}}
  scf.for %i = %c4 to %c30 step %c6 {
  } {test.tag = "a"}
  // expected-remark @below {{divisor 2, from 0 to ?.}}
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

// Blocks are counted from zero to below a constant extent.
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
    // expected-remark @below {{divisor 64, from 0 to ?.}}
    %2 = arith.muli %y, %c64 {test.tag = "a"} : index
    // expected-remark @below {{divisor 64, from 0 to ?.}}
    %3 = arith.addi %0, %2 {test.tag = "a"} : index
    // A negative factor turns the range around, which is not followed.
    // expected-remark @below {{divisor 2, from ? to ?.}}
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
