// What arguments are filled with, files in and out, aliases.
// RUN: tile-run %s --entry=floats --on=reference --data=iota | FileCheck %s --check-prefix=IOTA
// RUN: tile-run %s --entry=floats --on=reference --data=values(1,2.5,-3) | FileCheck %s --check-prefix=VALUES
// RUN: tile-run %s --entry=floats --on=reference --data=zeros --data=0:integers(4,4) | FileCheck %s --check-prefix=FOUR
// RUN: tile-run %s --entry=floats --on=reference --seed=1 > %t.1
// RUN: tile-run %s --entry=floats --on=reference --seed=1 > %t.2
// RUN: tile-run %s --entry=floats --on=reference --seed=2 > %t.3
// RUN: diff %t.1 %t.2
// RUN: not diff %t.1 %t.3
// RUN: tile-run %s --entry=defaults --on=reference | FileCheck %s --check-prefix=DEFAULT
// RUN: tile-run %s --entry=floats --on=reference --data=iota --out=0:%t.npy
// RUN: tile-run %s --entry=floats --on=reference --in=0:%t.npy --expect=0:%t.npy | FileCheck %s --check-prefix=READ
// RUN: tile-run %s --entry=dynamic --on=reference --in=0:%t.npy | FileCheck %s --check-prefix=SHAPE
// RUN: not tile-run %s --entry=dynamic --on=reference --in=0:%t.npy --shape=0:7 2>&1 | FileCheck %s --check-prefix=AGREE
// RUN: not tile-run %s --entry=halves --on=reference --in=0:%t.npy 2>&1 | FileCheck %s --check-prefix=TYPE
// RUN: not tile-run %s --entry=floats --on=reference --data=zeros --expect=0:%t.npy 2>&1 | FileCheck %s --check-prefix=DIFFERENT
// RUN: tile-run %s --entry=narrow --on=reference --data=values(1.5,-2,0) --out=0:%t.bf16 --out=1:%t.fp8 --out=2:%t.i4
// RUN: tile-run %s --entry=narrow --on=reference --in=0:%t.bf16 --in=1:%t.fp8 --in=2:%t.i4 | FileCheck %s --check-prefix=NARROW
// RUN: tile-run %s --entry=alias --on=reference --data=iota --shape=0:8 --alias=1:0 | FileCheck %s --check-prefix=ALIAS
// RUN: tile-run %s --entry=wide --on=reference '--data=0:values(9007199254740993,-9223372036854775808,18446744073709551615,0x10)' --data=1:values(-1.28e2,255.0) | FileCheck %s --check-prefix=EXACT
// RUN: not tile-run %s --entry=wide --on=reference --data=0:values(1,18446744073709551616) 2>&1 | FileCheck %s --check-prefix=LARGE
// RUN: not tile-run %s --entry=wide --on=reference --data=1:values(1,256) 2>&1 | FileCheck %s --check-prefix=BYTE
// RUN: not tile-run %s --entry=wide --on=reference --data=1:values(1,2.5) 2>&1 | FileCheck %s --check-prefix=FRACTION
// RUN: tile-run %s --entry=wide --on=reference --data=values(nan,2.5,300) | FileCheck %s --check-prefix=ALL

func.func @floats(%a: memref<6xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    // IOTA: a (block 0, 0, 0): [0, 1, 2, 3, 4, 5]
    // VALUES: a (block 0, 0, 0): [1, 2.5, -3, 1, 2.5, -3]
    // FOUR: a (block 0, 0, 0): [4, 4, 4, 4, 4, 4]
    // READ: a (block 0, 0, 0): [0, 1, 2, 3, 4, 5]
    // READ: argument 0 and {{.*}}.npy: equal: 6 elements
    // DIFFERENT: DIFFERENT: 5 of 6 elements (1 exact; largest difference 5 at [5]); first at [1]: 0, expected 1 exactly
    %t = tile.load %a : memref<6xf32> -> tensor<6xf32>
    tile.print "a" %t : tensor<6xf32>
  }
  return
}

// DEFAULT: argument 0: memref<1000xi64> 1000 elements, from 0 to 0
// DEFAULT: argument 1: memref<1000xi8> 1000 elements, from -3 to 3
// DEFAULT: argument 2: memref<1000xi1> 1000 elements, from 0 to 1
func.func @defaults(%a: memref<1000xi64>, %b: memref<1000xi8>, %c: memref<1000xi1>) {
  return
}

// SHAPE: argument 0: memref<?xf32> 6 elements
// AGREE: error: --shape=0 gives dimension 0 size 7, but it is 6 in argument 0
func.func @dynamic(%a: memref<?xf32>) {
  return
}

// TYPE: error: '{{.*}}.npy' holds float32, but float16 is expected for argument 0
func.func @halves(%a: memref<6xf16>) {
  return
}

func.func @narrow(%a: memref<3xbf16>, %b: memref<3xf8E5M2>, %c: memref<4xi4>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %t = tile.load %a : memref<3xbf16> -> tensor<3xbf16>
    %u = tile.load %b : memref<3xf8E5M2> -> tensor<3xf8E5M2>
    %v = tile.load %c : memref<4xi4> -> tensor<4xi4>
    // NARROW: bf16 (block 0, 0, 0): [1.5, -2, 0]
    // NARROW: fp8 (block 0, 0, 0): [1.5, -2, 0]
    // 1.5 rounds to even, 2.
    // NARROW: i4 (block 0, 0, 0): [2, -2, 0, 2]
    tile.print "bf16" %t : tensor<3xbf16>
    tile.print "fp8" %u : tensor<3xf8E5M2>
    tile.print "i4" %v : tensor<4xi4>
  }
  return
}

// ALIAS: argument 1: memref<4xf32> 4 elements, from 0 to 3
func.func @alias(%a: memref<?xf32> {tile.may_alias}, %b: memref<4xf32> {tile.may_alias}) {
  return
}

// Integers are exact, read as signed or unsigned; what is meant for all arguments is
// rounded to the type of each.
// LARGE: error: --data=0:values(..): 18446744073709551616 is no i64, which is from -9223372036854775808 to 18446744073709551615
// BYTE: error: --data=1:values(..): 256 is no i8, which is from -128 to 255
// FRACTION: error: --data=1:values(..): 2.5 is not an integer
func.func @wide(%a: memref<4xi64>, %b: memref<3xi8>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %t = tile.load %a : memref<4xi64> -> tensor<4xi64>
    %u = tile.load %b : memref<3xi8> -> tensor<3xi8>
    // EXACT: i64 (block 0, 0, 0): [9007199254740993, -9223372036854775808, -1, 16]
    // EXACT: i8 (block 0, 0, 0): [-128, -1, -128]
    // ALL: i64 (block 0, 0, 0): [0, 2, 300, 0]
    // ALL: i8 (block 0, 0, 0): [0, 2, 44]
    tile.print "i64" %t : tensor<4xi64>
    tile.print "i8" %u : tensor<3xi8>
  }
  return
}
