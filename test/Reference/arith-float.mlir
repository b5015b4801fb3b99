// arith on floats, a case per operation. Every expected value is worked out by hand
// from IEEE 754 and docs/Language.md.
// RUN: tile-run %s --entry=all --on=reference | sed 's/ (block 0, 0, 0)//' | FileCheck %s

func.func @all() {
  call @arith.addf() : () -> ()
  call @arith.subf() : () -> ()
  call @arith.mulf() : () -> ()
  call @arith.divf() : () -> ()
  call @arith.remf() : () -> ()
  call @arith.negf() : () -> ()
  call @arith.maximumf() : () -> ()
  call @arith.minimumf() : () -> ()
  call @arith.maxnumf() : () -> ()
  call @arith.minnumf() : () -> ()
  call @arith.cmpf() : () -> ()
  return
}

func.func private @arith.addf() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    // f32 has 24 significand bits: 2^24 + 1 is halfway to 2^24 + 2 and goes to the
    // even 2^24; 2^24 + 3 goes to 2^24 + 4. Subnormals are kept: 2^-149 twice is
    // 2^-148. Beyond the largest value is infinity.
    %a = arith.constant dense<[16777216.0, 16777216.0, 1.4e-45, 3.4e38, 0x7F800000, -0.0, 1.0, 0x7FC00000]> : tensor<8xf32>
    %c = arith.constant dense<[1.0, 3.0, 1.4e-45, 3.4e38, 0xFF800000, -0.0, -1.0, 1.0]> : tensor<8xf32>
    %s = arith.addf %a, %c : tensor<8xf32>
    // CHECK: addf f32: [1.67772e+07, 1.67772e+07, 2.8026e-45, inf, {{-?}}nan, -0, 0, nan]
    tile.print "addf f32" %s : tensor<8xf32>
    %back = arith.subf %s, %a : tensor<8xf32>
    // CHECK: addf rounding: [0, 4,
    tile.print "addf rounding" %back : tensor<8xf32>
    // f16 has 11 bits and 65504 as its largest value: 65504 + 16 is halfway to
    // 65536 and becomes infinity, 65504 + 15 stays. 2^-24 twice is 2^-23.
    %h = arith.constant dense<[2048.0, 2048.0, 65504.0, 65504.0, 5.9604644775390625e-8]> : tensor<5xf16>
    %i = arith.constant dense<[1.0, 3.0, 16.0, 15.0, 5.9604644775390625e-8]> : tensor<5xf16>
    %t = arith.addf %h, %i : tensor<5xf16>
    // CHECK: addf f16: [2048, 2052, inf, 65504, 1.19209e-07]
    tile.print "addf f16" %t : tensor<5xf16>
    // bf16 has 8 bits: 257 goes to 256, 259 to 260.
    %p = arith.constant dense<256.0> : tensor<2xbf16>
    %q = arith.constant dense<[1.0, 3.0]> : tensor<2xbf16>
    %u = arith.addf %p, %q : tensor<2xbf16>
    // CHECK: addf bf16: [256, 260]
    tile.print "addf bf16" %u : tensor<2xbf16>
    // f64 has 53 bits: 2^53 + 1 goes to 2^53, 2^53 + 3 to 2^53 + 4.
    %d = arith.constant dense<9007199254740992.0> : tensor<2xf64>
    %e = arith.constant dense<[1.0, 3.0]> : tensor<2xf64>
    %v = arith.addf %d, %e : tensor<2xf64>
    %w = arith.subf %v, %d : tensor<2xf64>
    // CHECK: addf f64: [0, 4]
    tile.print "addf f64" %w : tensor<2xf64>
    // Flags permit other results; the reference gives the rounded one.
    %f = arith.addf %h, %i fastmath<fast> : tensor<5xf16>
    // CHECK: addf fast: [2048, 2052, inf, 65504, 1.19209e-07]
    tile.print "addf fast" %f : tensor<5xf16>
  }
  return
}

func.func private @arith.subf() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    // x - x is +0; -0 - 0 is -0; infinity less itself is no number.
    %a = arith.constant dense<[1.0, -0.0, 0.0, 0x7F800000, 1.0, 1.17549435e-38]> : tensor<6xf32>
    %c = arith.constant dense<[1.0, 0.0, -0.0, 0x7F800000, 0xFF800000, 1.4e-45]> : tensor<6xf32>
    %s = arith.subf %a, %c : tensor<6xf32>
    // The smallest normal number less 2^-149 is the largest subnormal one.
    // CHECK: subf f32: [0, -0, 0, {{-?}}nan, inf, 1.17549e-38]
    tile.print "subf f32" %s : tensor<6xf32>
    %i = arith.bitcast %s : tensor<6xf32> to tensor<6xi32>
    // CHECK: subf bits: [0, -2147483648, 0, {{.*}}, 2139095040, 8388607]
    tile.print "subf bits" %i : tensor<6xi32>
    // 2048 + 1 again, and 65504 + 16.
    %h = arith.constant dense<[2048.0, 65504.0]> : tensor<2xf16>
    %j = arith.constant dense<[-1.0, -16.0]> : tensor<2xf16>
    %t = arith.subf %h, %j : tensor<2xf16>
    // CHECK: subf f16: [2048, inf]
    tile.print "subf f16" %t : tensor<2xf16>
  }
  return
}

func.func private @arith.mulf() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    // 2^-100 times 2^-49 is the smallest subnormal; times 2^-50 it is half of that
    // and goes to zero, with the product's sign.
    %a = arith.constant dense<[7.888609052210118e-31, 7.888609052210118e-31, -7.888609052210118e-31, 0.0, 1.0e30, -3.0]> : tensor<6xf32>
    %c = arith.constant dense<[1.7763568394002505e-15, 8.881784197001252e-16, 8.881784197001252e-16, 0x7F800000, 1.0e30, -2.0]> : tensor<6xf32>
    %s = arith.mulf %a, %c : tensor<6xf32>
    // CHECK: mulf f32: [1.4013e-45, 0, -0, {{-?}}nan, inf, 6]
    tile.print "mulf f32" %s : tensor<6xf32>
    // f16: 2^-12 2^-12 is the smallest subnormal 2^-24, 2^-12 2^-13 half of it;
    // 2^-12 * 3 * 2^-13 is 1.5 of them and goes to the even 2. 256 * 256 is too much.
    %h = arith.constant dense<[2.44140625e-4, 2.44140625e-4, 2.44140625e-4, 256.0]> : tensor<4xf16>
    %i = arith.constant dense<[2.44140625e-4, 1.220703125e-4, 3.662109375e-4, 256.0]> : tensor<4xf16>
    %t = arith.mulf %h, %i : tensor<4xf16>
    // CHECK: mulf f16: [5.96046e-08, 0, 1.19209e-07, inf]
    tile.print "mulf f16" %t : tensor<4xf16>
    // (1 + 2^-7)^2 = 1 + 2^-6 + 2^-14; bf16 keeps 1 + 2^-6: bits 0x3f82.
    %p = arith.constant dense<1.0078125> : tensor<1xbf16>
    %u = arith.mulf %p, %p : tensor<1xbf16>
    %v = arith.bitcast %u : tensor<1xbf16> to tensor<1xi16>
    // CHECK: mulf bf16: [16258]
    tile.print "mulf bf16" %v : tensor<1xi16>
  }
  return
}

func.func private @arith.divf() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %a = arith.constant dense<[1.0, -1.0, 1.0, 0.0, 0x7F800000, 1.0]> : tensor<6xf32>
    %c = arith.constant dense<[0.0, 0.0, -0.0, 0.0, 0x7F800000, 0x7F800000]> : tensor<6xf32>
    %s = arith.divf %a, %c : tensor<6xf32>
    // CHECK: divf special: [inf, -inf, -inf, {{-?}}nan, {{-?}}nan, 0]
    tile.print "divf special" %s : tensor<6xf32>
    // 1/3 in binary is 1.0101.. 2^-2; 24 bits of it, rounded up: 0x3eaaaaab.
    %one = arith.constant 1.0 : f32
    %three = arith.constant 3.0 : f32
    %q = arith.divf %one, %three : f32
    %i = arith.bitcast %q : f32 to i32
    // CHECK: divf third: 1051372203
    tile.print "divf third" %i : i32
    // f16: 1/3 * 2^12 = 1365.33, so 1365 2^-12: bits 0x3555. 65504 / 0.5 is too much.
    %h = arith.constant dense<[1.0, 65504.0]> : tensor<2xf16>
    %j = arith.constant dense<[3.0, 0.5]> : tensor<2xf16>
    %t = arith.divf %h, %j : tensor<2xf16>
    %k = arith.bitcast %t : tensor<2xf16> to tensor<2xi16>
    // CHECK: divf f16: [13653, 31744]
    tile.print "divf f16" %k : tensor<2xi16>
  }
  return
}

func.func private @arith.remf() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    // The result has the sign of the dividend and is exact.
    %a = arith.constant dense<[5.5, -5.5, 5.5, -4.0, 1.0, 0x7F800000, 1.0]> : tensor<7xf32>
    %c = arith.constant dense<[2.0, 2.0, -2.0, 2.0, 0.0, 1.0, 0x7F800000]> : tensor<7xf32>
    %s = arith.remf %a, %c : tensor<7xf32>
    // CHECK: remf f32: [1.5, -1.5, 1.5, -0, {{-?}}nan, {{-?}}nan, 1]
    tile.print "remf f32" %s : tensor<7xf32>
    // 65504 = 3 * 21834 + 2.
    %h = arith.constant dense<65504.0> : tensor<1xf16>
    %j = arith.constant dense<3.0> : tensor<1xf16>
    %t = arith.remf %h, %j : tensor<1xf16>
    // CHECK: remf f16: [2]
    tile.print "remf f16" %t : tensor<1xf16>
  }
  return
}

func.func private @arith.negf() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    // The sign bit and nothing else, of zero too.
    %a = arith.constant dense<[0.0, -1.5, 0x7F800000, 1.4e-45]> : tensor<4xf32>
    %s = arith.negf %a : tensor<4xf32>
    // CHECK: negf f32: [-0, 1.5, -inf, -1.4013e-45]
    tile.print "negf f32" %s : tensor<4xf32>
    %d = arith.constant dense<[-0.0, 2.0]> : tensor<2xf64>
    %t = arith.negf %d : tensor<2xf64>
    // CHECK: negf f64: [0, -2]
    tile.print "negf f64" %t : tensor<2xf64>
  }
  return
}

// maximumf and minimumf propagate NaN, maxnumf and minnumf prefer the number. Which
// zero they give is unspecified and not tested.
func.func private @arith.maximumf() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %a = arith.constant dense<[0x7FC00000, 1.0, 2.0, 0xFF800000]> : tensor<4xf32>
    %c = arith.constant dense<[3.0, 0x7FC00000, -1.0, -5.0]> : tensor<4xf32>
    %s = arith.maximumf %a, %c : tensor<4xf32>
    // CHECK: maximumf: [nan, nan, 2, -5]
    tile.print "maximumf" %s : tensor<4xf32>
  }
  return
}

func.func private @arith.minimumf() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %a = arith.constant dense<[0x7FC00000, 1.0, 2.0, 0xFF800000]> : tensor<4xf32>
    %c = arith.constant dense<[3.0, 0x7FC00000, -1.0, -5.0]> : tensor<4xf32>
    %s = arith.minimumf %a, %c : tensor<4xf32>
    // CHECK: minimumf: [nan, nan, -1, -inf]
    tile.print "minimumf" %s : tensor<4xf32>
  }
  return
}

func.func private @arith.maxnumf() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %a = arith.constant dense<[0x7FC00000, 1.0, 2.0, 0x7FC00000]> : tensor<4xf32>
    %c = arith.constant dense<[3.0, 0x7FC00000, -1.0, 0x7FC00000]> : tensor<4xf32>
    %s = arith.maxnumf %a, %c : tensor<4xf32>
    // CHECK: maxnumf: [3, 1, 2, nan]
    tile.print "maxnumf" %s : tensor<4xf32>
  }
  return
}

func.func private @arith.minnumf() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %a = arith.constant dense<[0x7FC00000, 1.0, 2.0, 0x7FC00000]> : tensor<4xf32>
    %c = arith.constant dense<[3.0, 0x7FC00000, -1.0, 0x7FC00000]> : tensor<4xf32>
    %s = arith.minnumf %a, %c : tensor<4xf32>
    // CHECK: minnumf: [3, 1, -1, nan]
    tile.print "minnumf" %s : tensor<4xf32>
  }
  return
}

func.func private @arith.cmpf() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    // Less, greater, equal, unordered, and two zeros, which are equal.
    %x = arith.constant dense<[1.0, 2.0, 2.0, 0x7FC00000, 0.0]> : tensor<5xf32>
    %y = arith.constant dense<[2.0, 1.0, 2.0, 1.0, -0.0]> : tensor<5xf32>
    %false = arith.cmpf false, %x, %y : tensor<5xf32>
    %oeq = arith.cmpf oeq, %x, %y : tensor<5xf32>
    %ogt = arith.cmpf ogt, %x, %y : tensor<5xf32>
    %oge = arith.cmpf oge, %x, %y : tensor<5xf32>
    %olt = arith.cmpf olt, %x, %y : tensor<5xf32>
    %ole = arith.cmpf ole, %x, %y : tensor<5xf32>
    %one = arith.cmpf one, %x, %y : tensor<5xf32>
    %ord = arith.cmpf ord, %x, %y : tensor<5xf32>
    %ueq = arith.cmpf ueq, %x, %y : tensor<5xf32>
    %ugt = arith.cmpf ugt, %x, %y : tensor<5xf32>
    %uge = arith.cmpf uge, %x, %y : tensor<5xf32>
    %ult = arith.cmpf ult, %x, %y : tensor<5xf32>
    %ule = arith.cmpf ule, %x, %y : tensor<5xf32>
    %une = arith.cmpf une, %x, %y : tensor<5xf32>
    %uno = arith.cmpf uno, %x, %y : tensor<5xf32>
    %true = arith.cmpf true, %x, %y : tensor<5xf32>
    // CHECK: cmpf false: [0, 0, 0, 0, 0]
    tile.print "cmpf false" %false : tensor<5xi1>
    // CHECK: cmpf oeq: [0, 0, 1, 0, 1]
    tile.print "cmpf oeq" %oeq : tensor<5xi1>
    // CHECK: cmpf ogt: [0, 1, 0, 0, 0]
    tile.print "cmpf ogt" %ogt : tensor<5xi1>
    // CHECK: cmpf oge: [0, 1, 1, 0, 1]
    tile.print "cmpf oge" %oge : tensor<5xi1>
    // CHECK: cmpf olt: [1, 0, 0, 0, 0]
    tile.print "cmpf olt" %olt : tensor<5xi1>
    // CHECK: cmpf ole: [1, 0, 1, 0, 1]
    tile.print "cmpf ole" %ole : tensor<5xi1>
    // CHECK: cmpf one: [1, 1, 0, 0, 0]
    tile.print "cmpf one" %one : tensor<5xi1>
    // CHECK: cmpf ord: [1, 1, 1, 0, 1]
    tile.print "cmpf ord" %ord : tensor<5xi1>
    // CHECK: cmpf ueq: [0, 0, 1, 1, 1]
    tile.print "cmpf ueq" %ueq : tensor<5xi1>
    // CHECK: cmpf ugt: [0, 1, 0, 1, 0]
    tile.print "cmpf ugt" %ugt : tensor<5xi1>
    // CHECK: cmpf uge: [0, 1, 1, 1, 1]
    tile.print "cmpf uge" %uge : tensor<5xi1>
    // CHECK: cmpf ult: [1, 0, 0, 1, 0]
    tile.print "cmpf ult" %ult : tensor<5xi1>
    // CHECK: cmpf ule: [1, 0, 1, 1, 1]
    tile.print "cmpf ule" %ule : tensor<5xi1>
    // CHECK: cmpf une: [1, 1, 0, 1, 0]
    tile.print "cmpf une" %une : tensor<5xi1>
    // CHECK: cmpf uno: [0, 0, 0, 1, 0]
    tile.print "cmpf uno" %uno : tensor<5xi1>
    // CHECK: cmpf true: [1, 1, 1, 1, 1]
    tile.print "cmpf true" %true : tensor<5xi1>
    // An f64 just above one, which f32 cannot tell from it.
    %d = arith.constant 1.0000000000000002 : f64
    %e = arith.constant 1.0 : f64
    %f = arith.cmpf ogt, %d, %e : f64
    // CHECK: cmpf f64: 1
    tile.print "cmpf f64" %f : i1
  }
  return
}
