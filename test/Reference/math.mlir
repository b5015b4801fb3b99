// The math dialect, a case per operation. Exact results and special values
// follow from the functions' definitions; where a value is not exact its first
// six digits are from tables. f16 and bf16 compute in f32 and round once
// (Language.md, "Element types").
// RUN: tile-run %s --entry=all --on=reference | sed 's/ (block 0, 0, 0)//' | FileCheck %s

func.func @all() {
  call @math.absf() : () -> ()
  call @math.absi() : () -> ()
  call @math.ceil() : () -> ()
  call @math.floor() : () -> ()
  call @math.trunc() : () -> ()
  call @math.round() : () -> ()
  call @math.roundeven() : () -> ()
  call @math.copysign() : () -> ()
  call @math.sqrt() : () -> ()
  call @math.rsqrt() : () -> ()
  call @math.exp() : () -> ()
  call @math.exp2() : () -> ()
  call @math.expm1() : () -> ()
  call @math.log() : () -> ()
  call @math.log1p() : () -> ()
  call @math.log2() : () -> ()
  call @math.powf() : () -> ()
  call @math.sin() : () -> ()
  call @math.cos() : () -> ()
  call @math.tanh() : () -> ()
  call @math.erf() : () -> ()
  call @math.fma() : () -> ()
  call @math.ctlz() : () -> ()
  call @math.ctpop() : () -> ()
  call @math.isfinite() : () -> ()
  call @math.isinf() : () -> ()
  call @math.isnan() : () -> ()
  return
}

func.func private @math.absf() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    // The sign bit goes, also that of zero.
    %x0 = arith.constant dense<[-0.0, -1.5, 0xFF800000, -1.4e-45]> : tensor<4xf32>
    %r0 = math.absf %x0 : tensor<4xf32>
    // CHECK: absf f32: [0, 1.5, inf, 1.4013e-45]
    tile.print "absf f32" %r0 : tensor<4xf32>
  }
  return
}

func.func private @math.absi() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    // -128 has no counterpart and stays.
    %x0 = arith.constant dense<[-7, 7, -128, 0]> : tensor<4xi8>
    %r0 = math.absi %x0 : tensor<4xi8>
    // CHECK: absi i8: [7, 7, -128, 0]
    tile.print "absi i8" %r0 : tensor<4xi8>
  }
  return
}

func.func private @math.ceil() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %x0 = arith.constant dense<[-0.5, 1.1, -1.9, 3.0, 0x7FC00000]> : tensor<5xf32>
    %r0 = math.ceil %x0 : tensor<5xf32>
    // CHECK: ceil f32: [-0, 2, -1, 3, {{-?}}nan]
    tile.print "ceil f32" %r0 : tensor<5xf32>
  }
  return
}

func.func private @math.floor() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %x0 = arith.constant dense<[-0.5, 1.1, -1.9, -0.0, 0xFF800000]> : tensor<5xf32>
    %r0 = math.floor %x0 : tensor<5xf32>
    // CHECK: floor f32: [-1, 1, -2, -0, -inf]
    tile.print "floor f32" %r0 : tensor<5xf32>
  }
  return
}

func.func private @math.trunc() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %x0 = arith.constant dense<[-0.5, 1.9, -1.9, 8388609.0]> : tensor<4xf32>
    %r0 = math.trunc %x0 : tensor<4xf32>
    // CHECK: trunc f32: [-0, 1, -1, 8.38861e+06]
    tile.print "trunc f32" %r0 : tensor<4xf32>
  }
  return
}

func.func private @math.round() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    // Halfway away from zero; the number just below 0.5 to zero.
    %x0 = arith.constant dense<[2.5, -2.5, 0.49999997, -0.4, 1.5]> : tensor<5xf32>
    %r0 = math.round %x0 : tensor<5xf32>
    // CHECK: round f32: [3, -3, 0, -0, 2]
    tile.print "round f32" %r0 : tensor<5xf32>
    %x1 = arith.constant dense<[0.49999999999999994, -0.5]> : tensor<2xf64>
    %r1 = math.round %x1 : tensor<2xf64>
    // CHECK: round f64: [0, -1]
    tile.print "round f64" %r1 : tensor<2xf64>
  }
  return
}

func.func private @math.roundeven() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    // Halfway to the even neighbour.
    %x0 = arith.constant dense<[0.5, 1.5, 2.5, -0.5, -3.5, 2.6]> : tensor<6xf32>
    %r0 = math.roundeven %x0 : tensor<6xf32>
    // CHECK: roundeven f32: [0, 2, 2, -0, -4, 3]
    tile.print "roundeven f32" %r0 : tensor<6xf32>
  }
  return
}

func.func private @math.copysign() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    // The sign bit of the second, of zero and NaN too.
    %x0 = arith.constant dense<[3.0, -3.0, 0.0, 2.0, 0x7F800000]> : tensor<5xf32>
    %y0 = arith.constant dense<[-0.0, 1.0, -1.0, 0xFFC00000, -1.0]> : tensor<5xf32>
    %r0 = math.copysign %x0, %y0 : tensor<5xf32>
    // CHECK: copysign f32: [-3, 3, -0, -2, -inf]
    tile.print "copysign f32" %r0 : tensor<5xf32>
  }
  return
}

func.func private @math.sqrt() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    // Correctly rounded; -0 is its own root.
    %x0 = arith.constant dense<[4.0, -0.0, -1.0, 0x7F800000, 2.0]> : tensor<5xf32>
    %r0 = math.sqrt %x0 : tensor<5xf32>
    // CHECK: sqrt f32: [2, -0, {{-?}}nan, inf, 1.41421]
    tile.print "sqrt f32" %r0 : tensor<5xf32>
    // 60000 = 244.949^2 and f16 has units of 0.125 there: 245.
    %x1 = arith.constant dense<[60000.0, 2.0]> : tensor<2xf16>
    %r1 = math.sqrt %x1 : tensor<2xf16>
    // CHECK: sqrt f16: [245, 1.41406]
    tile.print "sqrt f16" %r1 : tensor<2xf16>
  }
  return
}

func.func private @math.rsqrt() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %x0 = arith.constant dense<[4.0, 0.0, -0.0, -1.0, 0x7F800000]> : tensor<5xf32>
    %r0 = math.rsqrt %x0 : tensor<5xf32>
    // CHECK: rsqrt f32: [0.5, inf, -inf, {{-?}}nan, 0]
    tile.print "rsqrt f32" %r0 : tensor<5xf32>
  }
  return
}

func.func private @math.exp() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %x0 = arith.constant dense<[0.0, 1.0, 0xFF800000, 1000.0, -1000.0]> : tensor<5xf32>
    %r0 = math.exp %x0 : tensor<5xf32>
    // CHECK: exp f32: [1, 2.71828, 0, inf, 0]
    tile.print "exp f32" %r0 : tensor<5xf32>
    // e^11 = 59874.1 and f16 has units of 32 there: 1871 * 32; e^12 is too large.
    %x1 = arith.constant dense<[11.0, 12.0]> : tensor<2xf16>
    %r1 = math.exp %x1 : tensor<2xf16>
    // CHECK: exp f16: [59872, inf]
    tile.print "exp f16" %r1 : tensor<2xf16>
  }
  return
}

func.func private @math.exp2() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    // Exact powers, down to the smallest subnormal.
    %x0 = arith.constant dense<[10.0, -149.0, 128.0, 0.5, 0xFF800000]> : tensor<5xf32>
    %r0 = math.exp2 %x0 : tensor<5xf32>
    // CHECK: exp2 f32: [1024, 1.4013e-45, inf, 1.41421, 0]
    tile.print "exp2 f32" %r0 : tensor<5xf32>
  }
  return
}

func.func private @math.expm1() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    // Small arguments keep their digits.
    %x0 = arith.constant dense<[1.0e-10, 0.0, 0xFF800000, 1.0, -0.0]> : tensor<5xf32>
    %r0 = math.expm1 %x0 : tensor<5xf32>
    // CHECK: expm1 f32: [1e-10, 0, -1, 1.71828, -0]
    tile.print "expm1 f32" %r0 : tensor<5xf32>
  }
  return
}

func.func private @math.log() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %x0 = arith.constant dense<[1.0, 0.0, -1.0, 2.0, 0x7F800000]> : tensor<5xf32>
    %r0 = math.log %x0 : tensor<5xf32>
    // CHECK: log f32: [0, -inf, {{-?}}nan, 0.693147, inf]
    tile.print "log f32" %r0 : tensor<5xf32>
  }
  return
}

func.func private @math.log1p() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %x0 = arith.constant dense<[1.0e-10, -1.0, -2.0, 1.0, -0.0]> : tensor<5xf32>
    %r0 = math.log1p %x0 : tensor<5xf32>
    // CHECK: log1p f32: [1e-10, -inf, {{-?}}nan, 0.693147, -0]
    tile.print "log1p f32" %r0 : tensor<5xf32>
  }
  return
}

func.func private @math.log2() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %x0 = arith.constant dense<[8.0, 0.125, 0.0, 1.4e-45]> : tensor<4xf32>
    %r0 = math.log2 %x0 : tensor<4xf32>
    // CHECK: log2 f32: [3, -3, -inf, -149]
    tile.print "log2 f32" %r0 : tensor<4xf32>
  }
  return
}

func.func private @math.powf() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    // x^0 and 1^y are 1 even for NaN; a negative base takes whole exponents.
    %x0 = arith.constant dense<[2.0, -2.0, -2.0, 0.0, 0x7FC00000, 1.0, -0.0, 0x7F800000]> : tensor<8xf32>
    %y0 = arith.constant dense<[10.0, 3.0, 0.5, -1.0, 0.0, 0x7FC00000, -3.0, -1.0]> : tensor<8xf32>
    %r0 = math.powf %x0, %y0 : tensor<8xf32>
    // CHECK: powf f32: [1024, -8, {{-?}}nan, inf, 1, 1, -inf, 0]
    tile.print "powf f32" %r0 : tensor<8xf32>
  }
  return
}

func.func private @math.sin() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %x0 = arith.constant dense<[0.0, -0.0, 1.5707964, 0x7F800000, 0.5]> : tensor<5xf32>
    %r0 = math.sin %x0 : tensor<5xf32>
    // CHECK: sin f32: [0, -0, 1, {{-?}}nan, 0.479426]
    tile.print "sin f32" %r0 : tensor<5xf32>
  }
  return
}

func.func private @math.cos() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %x0 = arith.constant dense<[0.0, 3.1415927, 0x7F800000, 0.5]> : tensor<4xf32>
    %r0 = math.cos %x0 : tensor<4xf32>
    // CHECK: cos f32: [1, -1, {{-?}}nan, 0.877583]
    tile.print "cos f32" %r0 : tensor<4xf32>
  }
  return
}

func.func private @math.tanh() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %x0 = arith.constant dense<[0.0, -0.0, 0x7F800000, 0xFF800000, 0.5]> : tensor<5xf32>
    %r0 = math.tanh %x0 : tensor<5xf32>
    // CHECK: tanh f32: [0, -0, 1, -1, 0.462117]
    tile.print "tanh f32" %r0 : tensor<5xf32>
  }
  return
}

func.func private @math.erf() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %x0 = arith.constant dense<[0.0, 1.0, 0x7F800000, -1.0, -0.0]> : tensor<5xf32>
    %r0 = math.erf %x0 : tensor<5xf32>
    // CHECK: erf f32: [0, 0.842701, 1, -0.842701, -0]
    tile.print "erf f32" %r0 : tensor<5xf32>
  }
  return
}

func.func private @math.fma() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    // 2^24 + 1 before the one rounding: 4097^2 - 4097 * 4096 = 4097, where a
    // rounded product 16785408 would leave 4096.
    %x0 = arith.constant dense<[4097.0, 1.0e30, 0x7F800000, 0.0]> : tensor<4xf32>
    %y0 = arith.constant dense<[4097.0, 1.0e30, 0.0, 1.0]> : tensor<4xf32>
    %z0 = arith.constant dense<[-16781312.0, 0xFF800000, 1.0, -0.0]> : tensor<4xf32>
    %r0 = math.fma %x0, %y0, %z0 : tensor<4xf32>
    // CHECK: fma f32: [4097, -inf, {{-?}}nan, 0]
    tile.print "fma f32" %r0 : tensor<4xf32>
    // (1 + 3/2^10)^2 - 1 = 2^-8 (1.5 + 2.25/2^10): once rounded 2^-8 (1.5 + 2/2^10); a
    // rounded product would leave 2^-8 1.5 = 0.00585938.
    %x1 = arith.constant dense<[1.0029296875]> : tensor<1xf16>
    %y1 = arith.constant dense<[1.0029296875]> : tensor<1xf16>
    %z1 = arith.constant dense<[-1.0]> : tensor<1xf16>
    %r1 = math.fma %x1, %y1, %z1 : tensor<1xf16>
    // CHECK: fma f16: [0.005867]
    tile.print "fma f16" %r1 : tensor<1xf16>
    // (1 + 2^-7)^2 - (1 + 2^-6) = 2^-14, which a rounded product would lose.
    %x2 = arith.constant dense<[1.0078125]> : tensor<1xbf16>
    %y2 = arith.constant dense<[1.0078125]> : tensor<1xbf16>
    %z2 = arith.constant dense<[-1.015625]> : tensor<1xbf16>
    %r2 = math.fma %x2, %y2, %z2 : tensor<1xbf16>
    // CHECK: fma bf16: [6.10352e-05]
    tile.print "fma bf16" %r2 : tensor<1xbf16>
    // (1 + 2^-27)^2 - (1 + 2^-26) = 2^-54.
    %x3 = arith.constant dense<[1.000000007450580596923828125]> : tensor<1xf64>
    %y3 = arith.constant dense<[1.000000007450580596923828125]> : tensor<1xf64>
    %z3 = arith.constant dense<[-1.00000001490116119384765625]> : tensor<1xf64>
    %r3 = math.fma %x3, %y3, %z3 : tensor<1xf64>
    // CHECK: fma f64: [5.55112e-17]
    tile.print "fma f64" %r3 : tensor<1xf64>
  }
  return
}

func.func private @math.ctlz() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    // Of zero: the width.
    %x0 = arith.constant dense<[-7, 7, 0, 1, 100]> : tensor<5xi8>
    %r0 = math.ctlz %x0 : tensor<5xi8>
    // CHECK: ctlz i8: [0, 5, 8, 7, 1]
    tile.print "ctlz i8" %r0 : tensor<5xi8>
    %x1 = arith.constant dense<[1, -1, 0]> : tensor<3xi32>
    %r1 = math.ctlz %x1 : tensor<3xi32>
    // CHECK: ctlz i32: [31, 0, 32]
    tile.print "ctlz i32" %r1 : tensor<3xi32>
    %x2 = arith.constant dense<[4294967296, 0]> : tensor<2xi64>
    %r2 = math.ctlz %x2 : tensor<2xi64>
    // CHECK: ctlz i64: [31, 64]
    tile.print "ctlz i64" %r2 : tensor<2xi64>
  }
  return
}

func.func private @math.ctpop() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    // -7 is 11111001.
    %x0 = arith.constant dense<[-7, 7, 0, -1]> : tensor<4xi8>
    %r0 = math.ctpop %x0 : tensor<4xi8>
    // CHECK: ctpop i8: [6, 3, 0, 8]
    tile.print "ctpop i8" %r0 : tensor<4xi8>
    %x1 = arith.constant dense<[-1, 4294967297]> : tensor<2xi64>
    %r1 = math.ctpop %x1 : tensor<2xi64>
    // CHECK: ctpop i64: [64, 2]
    tile.print "ctpop i64" %r1 : tensor<2xi64>
  }
  return
}

func.func private @math.isfinite() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    // A number, two infinities, NaN, zero, a subnormal.
    %x0 = arith.constant dense<[1.0, 0x7F800000, 0xFF800000, 0x7FC00000, -0.0, 1.4e-45]> : tensor<6xf32>
    %r0 = math.isfinite %x0 : tensor<6xf32>
    // CHECK: isfinite f32: [1, 0, 0, 0, 1, 1]
    tile.print "isfinite f32" %r0 : tensor<6xi1>
    %x1 = arith.constant dense<[65504.0, 0x7C00, 0x7E01]> : tensor<3xf16>
    %r1 = math.isfinite %x1 : tensor<3xf16>
    // CHECK: isfinite f16: [1, 0, 0]
    tile.print "isfinite f16" %r1 : tensor<3xi1>
  }
  return
}

func.func private @math.isinf() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    // A number, two infinities, NaN, zero, a subnormal.
    %x0 = arith.constant dense<[1.0, 0x7F800000, 0xFF800000, 0x7FC00000, -0.0, 1.4e-45]> : tensor<6xf32>
    %r0 = math.isinf %x0 : tensor<6xf32>
    // CHECK: isinf f32: [0, 1, 1, 0, 0, 0]
    tile.print "isinf f32" %r0 : tensor<6xi1>
    %x1 = arith.constant dense<[65504.0, 0x7C00, 0x7E01]> : tensor<3xf16>
    %r1 = math.isinf %x1 : tensor<3xf16>
    // CHECK: isinf f16: [0, 1, 0]
    tile.print "isinf f16" %r1 : tensor<3xi1>
  }
  return
}

func.func private @math.isnan() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    // A number, two infinities, NaN, zero, a subnormal.
    %x0 = arith.constant dense<[1.0, 0x7F800000, 0xFF800000, 0x7FC00000, -0.0, 1.4e-45]> : tensor<6xf32>
    %r0 = math.isnan %x0 : tensor<6xf32>
    // CHECK: isnan f32: [0, 0, 0, 1, 0, 0]
    tile.print "isnan f32" %r0 : tensor<6xi1>
    %x1 = arith.constant dense<[65504.0, 0x7C00, 0x7E01]> : tensor<3xf16>
    %r1 = math.isnan %x1 : tensor<3xf16>
    // CHECK: isnan f16: [0, 0, 1]
    tile.print "isnan f16" %r1 : tensor<3xi1>
  }
  return
}
