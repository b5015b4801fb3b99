// Exact arithmetic of the element types; every expected value is worked out by hand.
// RUN: tile-run %s --entry=rounding --on=reference | FileCheck %s --check-prefix=ROUND
// RUN: tile-run %s --entry=narrow --on=reference | FileCheck %s --check-prefix=NARROW
// RUN: tile-run %s --entry=nan --on=reference | FileCheck %s --check-prefix=NAN
// RUN: tile-run %s --entry=integers --on=reference | FileCheck %s --check-prefix=INT
// RUN: tile-run %s --entry=bits --on=reference | FileCheck %s --check-prefix=BITS

func.func @rounding() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    // f16 has 11 significand bits: 2048 + 1 is halfway and goes to even 2048,
    // 2048 + 3 is halfway between 2050 and 2052 and goes to 2052.
    %a = arith.constant dense<2048.0> : tensor<2xf16>
    %x = arith.constant dense<[1.0, 3.0]> : tensor<2xf16>
    %s = arith.addf %a, %x : tensor<2xf16>
    // ROUND: sum (block 0, 0, 0): [2048, 2052]
    tile.print "sum" %s : tensor<2xf16>
    // 65504 is the largest f16; 65520 and above become infinity.
    %m = arith.constant dense<[65519.0, 65520.0, 5.9604644775390625e-8, 2.9802322387695312e-8]> : tensor<4xf32>
    %t = arith.truncf %m : tensor<4xf32> to tensor<4xf16>
    // ROUND: trunc (block 0, 0, 0): [65504, inf, 5.96046e-08, 0]
    tile.print "trunc" %t : tensor<4xf16>
    // bf16 keeps 8 significand bits: 257 is halfway between 256 and 258.
    %w = arith.constant dense<[257.0, 259.0, 257.5]> : tensor<3xf32>
    %v = arith.truncf %w : tensor<3xf32> to tensor<3xbf16>
    // ROUND: bf16 (block 0, 0, 0): [256, 260, 258]
    tile.print "bf16" %v : tensor<3xbf16>
    // One rounding from f64: 1 + 2^-11 + 2^-40 is above halfway of f16's 2^-10.
    // Through f32 it would be halfway and go to even, 1.
    %d = arith.constant dense<1.0004882812509095> : tensor<1xf64>
    %e = arith.truncf %d : tensor<1xf64> to tensor<1xf16>
    // ROUND: once (block 0, 0, 0): [1.00098]
    tile.print "once" %e : tensor<1xf16>
    %p = arith.constant dense<1.0029296875> : tensor<1xf16>
    %q = arith.constant dense<-1.0> : tensor<1xf16>
    // (1 + 3/2^10)^2 - 1 = 2^-8 (1.5 + 2.25/2^10), rounded once 2^-8 (1.5 + 2/2^10);
    // with a rounded product it would be 2^-8 1.5 = 0.00585938.
    %f = math.fma %p, %p, %q : tensor<1xf16>
    // ROUND: fma (block 0, 0, 0): [0.005867]
    tile.print "fma" %f : tensor<1xf16>
    // 2^24 + 1 is not an f32.
    %i = arith.constant dense<[16777217, 16777219]> : tensor<2xi32>
    %g = arith.sitofp %i : tensor<2xi32> to tensor<2xf32>
    %h = arith.fptosi %g : tensor<2xf32> to tensor<2xi32>
    // ROUND: sitofp (block 0, 0, 0): [16777216, 16777220]
    tile.print "sitofp" %h : tensor<2xi32>
    %j = arith.constant dense<[0.5, 1.5, 2.5, -0.5]> : tensor<4xf32>
    %k = math.roundeven %j : tensor<4xf32>
    %l = math.round %j : tensor<4xf32>
    // ROUND: roundeven (block 0, 0, 0): [0, 2, 2, -0]
    // ROUND: round (block 0, 0, 0): [1, 2, 3, -1]
    tile.print "roundeven" %k : tensor<4xf32>
    tile.print "round" %l : tensor<4xf32>
  }
  return
}

func.func @narrow() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    // f8E4M3FN: largest 448, no infinity; 464 is halfway to the next, saturates.
    // 17 is halfway between 16 and 18 (step 2): even is 16. Smallest is 2^-9.
    %x = arith.constant dense<[1000.0, -464.0, 0x7F800000, 17.0, 19.0, 0.001953125, 0.0009765625, 0x7FC00000]> : tensor<8xf32>
    %a = arith.truncf %x : tensor<8xf32> to tensor<8xf8E4M3FN>
    // NARROW: e4m3 (block 0, 0, 0): [448, -448, 448, 16, 20, 0.00195312, 0, nan]
    tile.print "e4m3" %a : tensor<8xf8E4M3FN>
    // f8E5M2: largest 57344; 9 is halfway between 8 and 10 and goes to 8.
    %y = arith.constant dense<[1.0e6, 9.0, 11.0]> : tensor<3xf32>
    %c = arith.truncf %y : tensor<3xf32> to tensor<3xf8E5M2>
    // NARROW: e5m2 (block 0, 0, 0): [57344, 8, 12]
    tile.print "e5m2" %c : tensor<3xf8E5M2>
    // Bits: 448 is s1111.110 with exponent 15: 0x7e; -448: 0xfe; 16 = 2^4: 0x58.
    %d = tile.bitcast %a : tensor<8xf8E4M3FN> -> tensor<8xi8>
    // NARROW: bits (block 0, 0, 0): [126, -2, 126, 88, 90, 1, 0, 127]
    tile.print "bits" %d : tensor<8xi8>
  }
  return
}

func.func @nan() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %x = arith.constant dense<[0x7FC00000, 1.0, 2.0]> : tensor<3xf32>
    %y = arith.constant dense<[3.0, 0x7FC00000, -1.0]> : tensor<3xf32>
    %a = arith.maximumf %x, %y : tensor<3xf32>
    %c = arith.maxnumf %x, %y : tensor<3xf32>
    %d = arith.minnumf %x, %y : tensor<3xf32>
    // NAN: maximumf (block 0, 0, 0): [nan, nan, 2]
    // NAN: maxnumf (block 0, 0, 0): [3, 1, 2]
    // NAN: minnumf (block 0, 0, 0): [3, 1, -1]
    tile.print "maximumf" %a : tensor<3xf32>
    tile.print "maxnumf" %c : tensor<3xf32>
    tile.print "minnumf" %d : tensor<3xf32>
    %e = arith.cmpf olt, %x, %y : tensor<3xf32>
    %f = arith.cmpf ult, %x, %y : tensor<3xf32>
    %g = arith.cmpf une, %x, %y : tensor<3xf32>
    // NAN: olt (block 0, 0, 0): [0, 0, 0]
    // NAN: ult (block 0, 0, 0): [1, 1, 0]
    // NAN: une (block 0, 0, 0): [1, 1, 1]
    tile.print "olt" %e : tensor<3xi1>
    tile.print "ult" %f : tensor<3xi1>
    tile.print "une" %g : tensor<3xi1>
  }
  return
}

func.func @integers() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %a = arith.constant dense<[-7, 7, -128, 100]> : tensor<4xi8>
    %c = arith.constant dense<[2, -2, -1, 100]> : tensor<4xi8>
    %add = arith.addi %a, %c : tensor<4xi8>
    %mul = arith.muli %a, %c : tensor<4xi8>
    %div = arith.divsi %a, %c : tensor<4xi8>
    %rem = arith.remsi %a, %c : tensor<4xi8>
    %floor = arith.floordivsi %a, %c : tensor<4xi8>
    %ceil = arith.ceildivsi %a, %c : tensor<4xi8>
    // INT: add (block 0, 0, 0): [-5, 5, 127, -56]
    tile.print "add" %add : tensor<4xi8>
    // 100 * 100 = 10000 = 39 * 256 + 16.
    // INT: mul (block 0, 0, 0): [-14, -14, -128, 16]
    tile.print "mul" %mul : tensor<4xi8>
    // INT: div (block 0, 0, 0): [-3, -3, {{.*}}, 1]
    tile.print "div" %div : tensor<4xi8>
    // INT: rem (block 0, 0, 0): [-1, 1, 0, 0]
    tile.print "rem" %rem : tensor<4xi8>
    // INT: floor (block 0, 0, 0): [-4, -4, {{.*}}, 1]
    tile.print "floor" %floor : tensor<4xi8>
    // INT: ceil (block 0, 0, 0): [-3, -3, {{.*}}, 1]
    tile.print "ceil" %ceil : tensor<4xi8>
    // Unsigned, -7 is 249.
    %udiv = arith.divui %a, %c : tensor<4xi8>
    // INT: udiv (block 0, 0, 0): [124, 0, 0, 1]
    tile.print "udiv" %udiv : tensor<4xi8>
    %two = arith.constant dense<2> : tensor<4xi8>
    %shr = arith.shrsi %a, %two : tensor<4xi8>
    %shru = arith.shrui %a, %two : tensor<4xi8>
    // INT: shr (block 0, 0, 0): [-2, 1, -32, 25]
    tile.print "shr" %shr : tensor<4xi8>
    // INT: shru (block 0, 0, 0): [62, 1, 32, 25]
    tile.print "shru" %shru : tensor<4xi8>
    %z = math.ctlz %a : tensor<4xi8>
    %p = math.ctpop %a : tensor<4xi8>
    // INT: ctlz (block 0, 0, 0): [0, 5, 0, 1]
    tile.print "ctlz" %z : tensor<4xi8>
    // INT: ctpop (block 0, 0, 0): [6, 3, 1, 3]
    tile.print "ctpop" %p : tensor<4xi8>
    %t = arith.constant dense<[true, false]> : tensor<2xi1>
    %s = arith.extsi %t : tensor<2xi1> to tensor<2xi32>
    %u = arith.extui %t : tensor<2xi1> to tensor<2xi32>
    // INT: extsi (block 0, 0, 0): [-1, 0]
    tile.print "extsi" %s : tensor<2xi32>
    // INT: extui (block 0, 0, 0): [1, 0]
    tile.print "extui" %u : tensor<2xi32>
  }
  return
}

func.func @bits() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    // 0x21 and 0x0f: low half first, as signed nibbles.
    %x = arith.constant dense<[33, 15]> : tensor<2xi8>
    %n = tile.bitcast %x : tensor<2xi8> -> tensor<4xi4>
    // BITS: nibbles (block 0, 0, 0): [1, 2, -1, 0]
    tile.print "nibbles" %n : tensor<4xi4>
    %w = tile.bitcast %x : tensor<2xi8> -> tensor<1xi16>
    // BITS: word (block 0, 0, 0): [3873]
    tile.print "word" %w : tensor<1xi16>
    %f = arith.constant dense<1.0> : tensor<1xf32>
    %i = arith.bitcast %f : tensor<1xf32> to tensor<1xi32>
    // BITS: float (block 0, 0, 0): [1065353216]
    tile.print "float" %i : tensor<1xi32>
  }
  return
}
