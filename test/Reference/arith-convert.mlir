// Conversions of arith, a case per operation. Every expected value is worked
// out by hand: "rounds to nearest even", types of eight bits and fewer
// saturate, NaN stays NaN where the type has one (Language.md, "Element
// types").
// RUN: tile-run %s --entry=all --on=reference | sed 's/ (block 0, 0, 0)//' | FileCheck %s

func.func @all() {
  call @arith.truncf() : () -> ()
  call @arith.truncf_narrow() : () -> ()
  call @arith.extf() : () -> ()
  call @arith.sitofp() : () -> ()
  call @arith.uitofp() : () -> ()
  call @arith.fptosi() : () -> ()
  call @arith.fptoui() : () -> ()
  call @arith.bitcast() : () -> ()
  call @arith.extsi() : () -> ()
  call @arith.extui() : () -> ()
  call @arith.trunci() : () -> ()
  call @arith.index_cast() : () -> ()
  call @arith.index_castui() : () -> ()
  return
}

func.func private @arith.truncf() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    // f32 from f64: 1 + 2^-24 is halfway and goes to 1, 1 + 3 2^-24 to 1 + 2^-22
    // (two units more); 2^-150 is half of the smallest subnormal.
    %a = arith.constant dense<[1.000000059604644775390625, 1.000000178813934326171875, 1.0e300, 7.006492321624085e-46]> : tensor<4xf64>
    %at = arith.truncf %a : tensor<4xf64> to tensor<4xf32>
    %ai = arith.bitcast %at : tensor<4xf32> to tensor<4xi32>
    // CHECK: f32: [1065353216, 1065353218, 2139095040, 0]
    tile.print "f32" %ai : tensor<4xi32>

    // f16: 65504 is the largest; from 65520 on infinity. Then 1, 0.5, 1.5 and 1023.5
    // units of 2^-24 go to 1, 0, 2 and 1024, the smallest normal value.
    %c = arith.constant dense<[65519.0, 65520.0, 5.9604644775390625e-8, 2.98023223876953125e-8, 8.94069671630859375e-8, 6.10053539276123046875e-05, -1.0e-8, 0xFF800000]> : tensor<8xf32>
    %ct = arith.truncf %c : tensor<8xf32> to tensor<8xf16>
    %ci = arith.bitcast %ct : tensor<8xf16> to tensor<8xi16>
    // CHECK: f16: [31743, 31744, 1, 0, 2, 1024, -32768, -1024]
    tile.print "f16" %ci : tensor<8xi16>

    // bf16 keeps 8 bits: 257 and 259 are halfway; 257.5 is not. Then infinity, and
    // 1, 0.5 and 1.5 units of 2^-133.
    %d = arith.constant dense<[257.0, 259.0, 257.5, 3.4028235e38, 9.183549615799121e-41, 4.591774807899561e-41, 1.3775324423698682e-40]> : tensor<7xf32>
    %dt = arith.truncf %d : tensor<7xf32> to tensor<7xbf16>
    %di = arith.bitcast %dt : tensor<7xbf16> to tensor<7xi16>
    // CHECK: bf16: [17280, 17282, 17281, 32640, 1, 0, 2]
    tile.print "bf16" %di : tensor<7xi16>

    // One rounding from f64: 2^-40 above halfway goes up, though f32 does not hold it.
    // 1 + 2^-11 + 2^-40, 1 + 2^-8 + 2^-40 and 1 + 2^-4 + 2^-40.
    %h = arith.constant 1.0004882812509095 : f64
    %ht = arith.truncf %h : f64 to f16
    // CHECK: once f16: 1.00098
    tile.print "once f16" %ht : f16
    %i = arith.constant 1.0039062500009095 : f64
    %it = arith.truncf %i : f64 to bf16
    // CHECK: once bf16: 1.00781
    tile.print "once bf16" %it : bf16
    %j = arith.constant 1.0625000000009095 : f64
    %jt = arith.truncf %j : f64 to f8E4M3FN
    // CHECK: once f8: 1.125
    tile.print "once f8" %jt : f8E4M3FN

    %n = arith.constant 0x7FC00000 : f32
    %n0 = arith.truncf %n : f32 to f16
    %n1 = arith.truncf %n : f32 to bf16
    %n2 = arith.truncf %n : f32 to f8E4M3FN
    %n3 = arith.truncf %n : f32 to f8E5M2
    %n4 = arith.truncf %n : f32 to f8E8M0FNU
    // CHECK: nan f16: nan
    tile.print "nan f16" %n0 : f16
    // CHECK: nan bf16: nan
    tile.print "nan bf16" %n1 : bf16
    // CHECK: nan f8E4M3FN: nan
    tile.print "nan f8E4M3FN" %n2 : f8E4M3FN
    // CHECK: nan f8E5M2: nan
    tile.print "nan f8E5M2" %n3 : f8E5M2
    // CHECK: nan f8E8M0FNU: nan
    tile.print "nan f8E8M0FNU" %n4 : f8E8M0FNU
  }
  return
}

func.func private @arith.truncf_narrow() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    // f8E4M3FN: largest 448 = s1111.110, no infinity; 464 is halfway to the next.
    // 17 lies halfway between 16 and 18, 19 between 18 and 20. Then 1, 0.5, 1.5 and
    // 7.5 units of 2^-9; 8 of them are the smallest normal value, 0x08.
    %a = arith.constant dense<[1000.0, -464.0, 0x7F800000, 17.0, 19.0, 0.001953125, 0.0009765625, 0.0029296875, 0.0146484375, -0.0]> : tensor<10xf32>
    %at = arith.truncf %a : tensor<10xf32> to tensor<10xf8E4M3FN>
    %ai = tile.bitcast %at : tensor<10xf8E4M3FN> -> tensor<10xi8>
    // CHECK: f8E4M3FN: [126, -2, 126, 88, 90, 1, 0, 2, 8, -128]
    tile.print "f8E4M3FN" %ai : tensor<10xi8>

    // f8E5M2: largest 57344 = s11110.11; 61440 is halfway to the next and infinity
    // saturates too. 9 is halfway between 8 and 10, 11 between 10 and 12.
    %c = arith.constant dense<[1.0e6, 61440.0, 0xFF800000, 9.0, 11.0, 1.52587890625e-05, 7.62939453125e-06, 2.288818359375e-05]> : tensor<8xf32>
    %ct = arith.truncf %c : tensor<8xf32> to tensor<8xf8E5M2>
    %ci = tile.bitcast %ct : tensor<8xf8E5M2> -> tensor<8xi8>
    // CHECK: f8E5M2: [123, 123, -5, 72, 74, 1, 0, 2]
    tile.print "f8E5M2" %ci : tensor<8xi8>

    // f8E8M0FNU holds 2^(bits - 127) for 0 to 254. Both neighbours of 1.5 have the
    // odd significand 1; IEEE 754 then takes the larger. There is no zero and no
    // sign, which is dropped.
    %d = arith.constant dense<[1.0, 1.5, 1.49, 3.0, 0.0, 0x7F800000, -4.0]> : tensor<7xf32>
    %dt = arith.truncf %d : tensor<7xf32> to tensor<7xf8E8M0FNU>
    %di = tile.bitcast %dt : tensor<7xf8E8M0FNU> -> tensor<7xi8>
    %du = arith.extui %di : tensor<7xi8> to tensor<7xi32>
    // CHECK: f8E8M0FNU: [127, 128, 127, 129, 0, 254, 129]
    tile.print "f8E8M0FNU" %du : tensor<7xi32>

    // f6E2M3FN: units of 0.125 below 2, of 0.5 from 4 to its largest, 7.5.
    %e = arith.constant dense<[100.0, -100.0, 0x7F800000, 7.25, 7.3, 0.0625, 0.1875]> : tensor<7xf32>
    %et = arith.truncf %e : tensor<7xf32> to tensor<7xf6E2M3FN>
    // CHECK: f6E2M3FN: [7.5, -7.5, 7.5, 7, 7.5, 0, 0.25]
    tile.print "f6E2M3FN" %et : tensor<7xf6E2M3FN>

    // f6E3M2FN: units of 4 from 16 to its largest, 28; of 2^-4 at the bottom.
    %f = arith.constant dense<[18.0, 22.0, 30.0, -1000.0, 0.03125, 0.09375]> : tensor<6xf32>
    %ft = arith.truncf %f : tensor<6xf32> to tensor<6xf6E3M2FN>
    // CHECK: f6E3M2FN: [16, 24, 28, -28, 0, 0.125]
    tile.print "f6E3M2FN" %ft : tensor<6xf6E3M2FN>

    // f4E2M1FN: 0, 0.5, 1, 1.5, 2, 3, 4, 6; even ones are 0, 1, 2, 4.
    %g = arith.constant dense<[0.25, 0.75, 1.25, 1.75, 2.5, 3.5, 5.0, 5.1, -100.0, 0x7F800000]> : tensor<10xf32>
    %gt = arith.truncf %g : tensor<10xf32> to tensor<10xf4E2M1FN>
    // CHECK: f4E2M1FN: [0, 1, 1, 2, 2, 4, 4, 6, -6, 6]
    tile.print "f4E2M1FN" %gt : tensor<10xf4E2M1FN>
  }
  return
}

// Every value of the narrower type is one of the wider: subnormals, infinities, NaN.
func.func private @arith.extf() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    // f16 0x0001, 0x8000, 0x7bff, 0x7c00, 0x7e00.
    %a = arith.constant dense<[1, -32768, 31743, 31744, 32256]> : tensor<5xi16>
    %af = arith.bitcast %a : tensor<5xi16> to tensor<5xf16>
    %aw = arith.extf %af : tensor<5xf16> to tensor<5xf64>
    // CHECK: from f16: [5.96046e-08, -0, 65504, inf, nan]
    tile.print "from f16" %aw : tensor<5xf64>
    // bf16 0x0001 is 2^-133, 0x3f81 is 1 + 2^-7.
    %c = arith.constant dense<[1, 16257]> : tensor<2xi16>
    %cf = arith.bitcast %c : tensor<2xi16> to tensor<2xbf16>
    %cw = arith.extf %cf : tensor<2xbf16> to tensor<2xf32>
    // CHECK: from bf16: [9.18355e-41, 1.00781]
    tile.print "from bf16" %cw : tensor<2xf32>
    // f8E4M3FN 0x01 is 2^-9, 0x08 is 2^-6, 0x7e is 448, 0x7f and 0xff are NaN.
    %d = arith.constant dense<[1, 8, 126, 127, -1, -128]> : tensor<6xi8>
    %df = tile.bitcast %d : tensor<6xi8> -> tensor<6xf8E4M3FN>
    %dw = arith.extf %df : tensor<6xf8E4M3FN> to tensor<6xf32>
    // CHECK: from f8E4M3FN: [0.00195312, 0.015625, 448, nan, nan, -0]
    tile.print "from f8E4M3FN" %dw : tensor<6xf32>
    // f8E5M2 has infinities: 0x7c and 0xfc.
    %e = arith.constant dense<[1, 123, 124, -4, 125, -128]> : tensor<6xi8>
    %ef = tile.bitcast %e : tensor<6xi8> -> tensor<6xf8E5M2>
    %ew = arith.extf %ef : tensor<6xf8E5M2> to tensor<6xf16>
    // CHECK: from f8E5M2: [1.52588e-05, 57344, inf, -inf, nan, -0]
    tile.print "from f8E5M2" %ew : tensor<6xf16>
    // f8E8M0FNU: 2^-127, 1, 2^127 and NaN.
    %f = arith.constant dense<[0, 127, -2, -1]> : tensor<4xi8>
    %ff = tile.bitcast %f : tensor<4xi8> -> tensor<4xf8E8M0FNU>
    %fw = arith.extf %ff : tensor<4xf8E8M0FNU> to tensor<4xf32>
    // CHECK: from f8E8M0FNU: [5.87747e-39, 1, 1.70141e+38, nan]
    tile.print "from f8E8M0FNU" %fw : tensor<4xf32>
    // f4E2M1FN, two a byte, the low half first: bits 0 to 8 and 15.
    %g = arith.constant dense<[16, 50, 84, 118, -8]> : tensor<5xi8>
    %gf = tile.bitcast %g : tensor<5xi8> -> tensor<10xf4E2M1FN>
    %gw = arith.extf %gf : tensor<10xf4E2M1FN> to tensor<10xf32>
    // CHECK: from f4E2M1FN: [0, 0.5, 1, 1.5, 2, 3, 4, 6, -0, -6]
    tile.print "from f4E2M1FN" %gw : tensor<10xf32>
  }
  return
}

func.func private @arith.sitofp() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %a = arith.constant dense<[-128, 127]> : tensor<2xi8>
    %af = arith.sitofp %a : tensor<2xi8> to tensor<2xf16>
    // CHECK: sitofp i8: [-128, 127]
    tile.print "sitofp i8" %af : tensor<2xf16>
    // As a signed integer true is -1.
    %t = arith.constant true
    %tf = arith.sitofp %t : i1 to f32
    // CHECK: sitofp i1: -1
    tile.print "sitofp i1" %tf : f32
    // 2^24 + 1 and 2^24 + 3 are halfway.
    %c = arith.constant dense<[16777217, 16777219]> : tensor<2xi32>
    %cf = arith.sitofp %c : tensor<2xi32> to tensor<2xf32>
    %ci = arith.fptosi %cf : tensor<2xf32> to tensor<2xi32>
    // CHECK: sitofp i32: [16777216, 16777220]
    tile.print "sitofp i32" %ci : tensor<2xi32>
    // Rounded once: 2^60 + 2^36 + 1 is above halfway of f32's unit 2^37, but an f64
    // would drop the 1 and leave a tie.
    %d = arith.constant 1152921573326323713 : i64
    %df = arith.sitofp %d : i64 to f32
    %di = arith.fptosi %df : f32 to i64
    // CHECK: sitofp once: 1152921642045800448
    tile.print "sitofp once" %di : i64
    // f16: 2049 is halfway, 65520 too large. Narrow floats saturate.
    %e = arith.constant dense<[2049, 65519, 65520, -100000]> : tensor<4xi32>
    %ef = arith.sitofp %e : tensor<4xi32> to tensor<4xf16>
    // CHECK: sitofp f16: [2048, 65504, inf, -inf]
    tile.print "sitofp f16" %ef : tensor<4xf16>
  }
  return
}

func.func private @arith.uitofp() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %a = arith.constant dense<[-1, 127]> : tensor<2xi8>
    %af = arith.uitofp %a : tensor<2xi8> to tensor<2xf16>
    // CHECK: uitofp i8: [255, 127]
    tile.print "uitofp i8" %af : tensor<2xf16>
    %t = arith.constant true
    %tf = arith.uitofp %t : i1 to f32
    // CHECK: uitofp i1: 1
    tile.print "uitofp i1" %tf : f32
    // 2^64 - 1 becomes 2^64.
    %c = arith.constant -1 : i64
    %cf = arith.uitofp %c : i64 to f64
    // CHECK: uitofp i64: 1.84467e+19
    tile.print "uitofp i64" %cf : f64
    // 2^32 - 1 becomes 2^32, whose exponent is 127 + 32: 0x4f800000.
    %d = arith.constant -1 : i32
    %df = arith.uitofp %d : i32 to f32
    %di = arith.bitcast %df : f32 to i32
    // CHECK: uitofp i32: 1333788672
    tile.print "uitofp i32" %di : i32
  }
  return
}

// Out of range the element is poison, and no other.
func.func private @arith.fptosi() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %a = arith.constant dense<[1.9, -1.9, -0.9, 2147483520.0, -2147483648.0]> : tensor<5xf32>
    %ai = arith.fptosi %a : tensor<5xf32> to tensor<5xi32>
    // CHECK: fptosi i32: [1, -1, 0, 2147483520, -2147483648]
    tile.print "fptosi i32" %ai : tensor<5xi32>
    // -128.9 truncates to -128, which is in range.
    %c = arith.constant dense<[-128.9, 127.9, 0x7FC00000, 1.0, 3.0e9, 2.0, 0xFF800000, 3.0]> : tensor<8xf32>
    %ci = arith.fptosi %c : tensor<8xf32> to tensor<8xi8>
    // CHECK: fptosi i8: [-128, 127, poison, 1, poison, 2, poison, 3]
    tile.print "fptosi i8" %ci : tensor<8xi8>
    // 2^53 - 1.
    %d = arith.constant -9007199254740991.0 : f64
    %di = arith.fptosi %d : f64 to i64
    // CHECK: fptosi i64: -9007199254740991
    tile.print "fptosi i64" %di : i64
  }
  return
}

func.func private @arith.fptoui() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    // 255 prints as -1; 3 10^9 as 3 10^9 - 2^32.
    %a = arith.constant dense<[255.9, 0.9, -0.9, -1.0, 7.0, 0x7FC00000, 9.0]> : tensor<7xf32>
    %ai = arith.fptoui %a : tensor<7xf32> to tensor<7xi8>
    // CHECK: fptoui i8: [-1, 0, 0, poison, 7, poison, 9]
    tile.print "fptoui i8" %ai : tensor<7xi8>
    %c = arith.constant 3.0e9 : f32
    %ci = arith.fptoui %c : f32 to i32
    // CHECK: fptoui i32: -1294967296
    tile.print "fptoui i32" %ci : i32
    // 2^63 as 64 bits is the smallest signed integer.
    %d = arith.constant 9223372036854775808.0 : f32
    %di = arith.fptoui %d : f32 to i64
    // CHECK: fptoui i64: -9223372036854775808
    tile.print "fptoui i64" %di : i64
  }
  return
}

// Bits stay as they are, those of a NaN too: quiet and signalling, with payloads.
func.func private @arith.bitcast() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %a = arith.constant dense<[1.0, -0.0]> : tensor<2xf32>
    %ai = arith.bitcast %a : tensor<2xf32> to tensor<2xi32>
    // CHECK: bitcast f32: [1065353216, -2147483648]
    tile.print "bitcast f32" %ai : tensor<2xi32>
    // 0xc000 is -2, 0x3f80 in bf16 is 1.
    %c = arith.constant -2.0 : f16
    %ci = arith.bitcast %c : f16 to i16
    // CHECK: bitcast f16: -16384
    tile.print "bitcast f16" %ci : i16
    %d = arith.constant 16256 : i16
    %df = arith.bitcast %d : i16 to bf16
    // CHECK: bitcast bf16: 1
    tile.print "bitcast bf16" %df : bf16
    // 1 = 1023 2^52 as f64.
    %e = arith.constant 1.0 : f64
    %ei = arith.bitcast %e : f64 to i64
    // CHECK: bitcast f64: 4607182418800017408
    tile.print "bitcast f64" %ei : i64
    // 0x7f800001, 0xffc00005 ..
    %n = arith.constant dense<[2139095041, -4194299]> : tensor<2xi32>
    %nf = arith.bitcast %n : tensor<2xi32> to tensor<2xf32>
    %ni = arith.bitcast %nf : tensor<2xf32> to tensor<2xi32>
    // CHECK: nan f32: [2139095041, -4194299]
    tile.print "nan f32" %ni : tensor<2xi32>
    // 0x7c01, 0x7e01, 0xffff in f16, 0x7f81, 0x7fc1, 0xffff in bf16.
    %h = arith.constant dense<[31745, 32257, -1]> : tensor<3xi16>
    %hf = arith.bitcast %h : tensor<3xi16> to tensor<3xf16>
    %hi = arith.bitcast %hf : tensor<3xf16> to tensor<3xi16>
    // CHECK: nan f16: [31745, 32257, -1]
    tile.print "nan f16" %hi : tensor<3xi16>
    %g = arith.constant dense<[32641, 32705, -1]> : tensor<3xi16>
    %gf = arith.bitcast %g : tensor<3xi16> to tensor<3xbf16>
    %gi = arith.bitcast %gf : tensor<3xbf16> to tensor<3xi16>
    // CHECK: nan bf16: [32641, 32705, -1]
    tile.print "nan bf16" %gi : tensor<3xi16>
    // 0x7d, 0x7e, 0xff in f8E5M2, 0x7f, 0xff in f8E4M3FN.
    %p = arith.constant dense<[125, 126, -1]> : tensor<3xi8>
    %pf = tile.bitcast %p : tensor<3xi8> -> tensor<3xf8E5M2>
    %pi = tile.bitcast %pf : tensor<3xf8E5M2> -> tensor<3xi8>
    // CHECK: nan f8E5M2: [125, 126, -1]
    tile.print "nan f8E5M2" %pi : tensor<3xi8>
    %q = arith.constant dense<[127, -1]> : tensor<2xi8>
    %qf = tile.bitcast %q : tensor<2xi8> -> tensor<2xf8E4M3FN>
    %qi = tile.bitcast %qf : tensor<2xf8E4M3FN> -> tensor<2xi8>
    // CHECK: nan f8E4M3FN: [127, -1]
    tile.print "nan f8E4M3FN" %qi : tensor<2xi8>
  }
  return
}

func.func private @arith.extsi() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %a = arith.constant dense<[-128, 127]> : tensor<2xi8>
    %aw = arith.extsi %a : tensor<2xi8> to tensor<2xi32>
    // CHECK: extsi i8: [-128, 127]
    tile.print "extsi i8" %aw : tensor<2xi32>
    // Unlike copies, extsi makes -1 of true.
    %c = arith.constant dense<[true, false]> : tensor<2xi1>
    %cw = arith.extsi %c : tensor<2xi1> to tensor<2xi32>
    // CHECK: extsi i1: [-1, 0]
    tile.print "extsi i1" %cw : tensor<2xi32>
    %d = arith.constant dense<[-8, 7]> : tensor<2xi4>
    %dw = arith.extsi %d : tensor<2xi4> to tensor<2xi64>
    // CHECK: extsi i4: [-8, 7]
    tile.print "extsi i4" %dw : tensor<2xi64>
  }
  return
}

func.func private @arith.extui() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %a = arith.constant dense<[-128, 127]> : tensor<2xi8>
    %aw = arith.extui %a : tensor<2xi8> to tensor<2xi32>
    // CHECK: extui i8: [128, 127]
    tile.print "extui i8" %aw : tensor<2xi32>
    %c = arith.constant dense<[true, false]> : tensor<2xi1>
    %cw = arith.extui %c : tensor<2xi1> to tensor<2xi32>
    // CHECK: extui i1: [1, 0]
    tile.print "extui i1" %cw : tensor<2xi32>
    %d = arith.constant dense<[-8, 7]> : tensor<2xi4>
    %dw = arith.extui %d : tensor<2xi4> to tensor<2xi64>
    // CHECK: extui i4: [8, 7]
    tile.print "extui i4" %dw : tensor<2xi64>
  }
  return
}

func.func private @arith.trunci() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    // 300 = 256 + 44; 200 = 256 - 56.
    %a = arith.constant dense<[300, -300, 200, 3]> : tensor<4xi32>
    %an = arith.trunci %a : tensor<4xi32> to tensor<4xi8>
    // CHECK: trunci i8: [44, -44, -56, 3]
    tile.print "trunci i8" %an : tensor<4xi8>
    %ab = arith.trunci %a : tensor<4xi32> to tensor<4xi1>
    // CHECK: trunci i1: [0, 0, 0, 1]
    tile.print "trunci i1" %ab : tensor<4xi1>
    // 300 = 18 * 16 + 12 and 12 is -4 in four bits.
    %aq = arith.trunci %a : tensor<4xi32> to tensor<4xi4>
    // CHECK: trunci i4: [-4, 4, -8, 3]
    tile.print "trunci i4" %aq : tensor<4xi4>
  }
  return
}

func.func private @arith.index_cast() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    // An index has 64 bits: widening keeps the sign, narrowing drops high bits.
    %a = arith.constant dense<[-1, 127]> : tensor<2xi8>
    %aw = arith.index_cast %a : tensor<2xi8> to tensor<2xindex>
    // CHECK: index_cast i8: [-1, 127]
    tile.print "index_cast i8" %aw : tensor<2xindex>
    %t = arith.constant true
    %tw = arith.index_cast %t : i1 to index
    // CHECK: index_cast i1: -1
    tile.print "index_cast i1" %tw : index
    // 2^32 + 5.
    %c = arith.constant 4294967301 : index
    %cn = arith.index_cast %c : index to i32
    // CHECK: index_cast i32: 5
    tile.print "index_cast i32" %cn : i32
    %cl = arith.index_cast %c : index to i64
    // CHECK: index_cast i64: 4294967301
    tile.print "index_cast i64" %cl : i64
  }
  return
}

func.func private @arith.index_castui() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %a = arith.constant dense<[-1, 127]> : tensor<2xi8>
    %aw = arith.index_castui %a : tensor<2xi8> to tensor<2xindex>
    // CHECK: index_castui i8: [255, 127]
    tile.print "index_castui i8" %aw : tensor<2xindex>
    %t = arith.constant true
    %tw = arith.index_castui %t : i1 to index
    // CHECK: index_castui i1: 1
    tile.print "index_castui i1" %tw : index
    %c = arith.constant -1 : index
    %cn = arith.index_castui %c : index to i32
    // CHECK: index_castui i32: -1
    tile.print "index_castui i32" %cn : i32
  }
  return
}
