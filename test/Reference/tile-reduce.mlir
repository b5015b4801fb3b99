// tile.reduce and tile.scan, by kind and by combiner; values worked out by hand.
// RUN: tile-run %s --entry=all --on=reference | sed 's/ (block 0, 0, 0)//' | FileCheck %s

func.func @all() {
  call @tile.reduce() : () -> ()
  call @tile.reduce_dims() : () -> ()
  call @tile.reduce_init() : () -> ()
  call @tile.reduce_combiner() : () -> ()
  call @tile.scan() : () -> ()
  call @tile.scan_kinds() : () -> ()
  call @tile.scan_combiner() : () -> ()
  return
}

func.func private @tile.reduce() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    // 5 * -3 * 12 = -180; unsigned -3 is 253; the bits are 00000101, 11111101, 00001100.
    %i = arith.constant dense<[5, -3, 12]> : tensor<3xi8>
    %add = tile.reduce <add> %i dims [0] : tensor<3xi8> -> tensor<i8>
    // CHECK: reduce add: 14
    tile.print "reduce add" %add : tensor<i8>
    %mul = tile.reduce <mul> %i dims [0] : tensor<3xi8> -> tensor<i8>
    // CHECK: reduce mul: 76
    tile.print "reduce mul" %mul : tensor<i8>
    %minui = tile.reduce <minui> %i dims [0] : tensor<3xi8> -> tensor<i8>
    // CHECK: reduce minui: 5
    tile.print "reduce minui" %minui : tensor<i8>
    %minsi = tile.reduce <minsi> %i dims [0] : tensor<3xi8> -> tensor<i8>
    // CHECK: reduce minsi: -3
    tile.print "reduce minsi" %minsi : tensor<i8>
    %maxui = tile.reduce <maxui> %i dims [0] : tensor<3xi8> -> tensor<i8>
    // CHECK: reduce maxui: -3
    tile.print "reduce maxui" %maxui : tensor<i8>
    %maxsi = tile.reduce <maxsi> %i dims [0] : tensor<3xi8> -> tensor<i8>
    // CHECK: reduce maxsi: 12
    tile.print "reduce maxsi" %maxsi : tensor<i8>
    %and = tile.reduce <and> %i dims [0] : tensor<3xi8> -> tensor<i8>
    // CHECK: reduce and: 4
    tile.print "reduce and" %and : tensor<i8>
    %or = tile.reduce <or> %i dims [0] : tensor<3xi8> -> tensor<i8>
    // CHECK: reduce or: -3
    tile.print "reduce or" %or : tensor<i8>
    %xor = tile.reduce <xor> %i dims [0] : tensor<3xi8> -> tensor<i8>
    // CHECK: reduce xor: -12
    tile.print "reduce xor" %xor : tensor<i8>
    %f = arith.constant dense<[1.5, 0x7FC00000, -2.0]> : tensor<3xf32>
    %g = arith.constant dense<[1.5, 4.0, -2.0]> : tensor<3xf32>
    %h = arith.constant dense<0x7FC00000> : tensor<3xf32>
    // The numbers of all three, of a row with a NaN, of nothing but NaN.
    %add_g = tile.reduce <add> %g dims [0] : tensor<3xf32> -> tensor<f32>
    // CHECK: reduce add numbers: 3.5
    tile.print "reduce add numbers" %add_g : tensor<f32>
    %add_f = tile.reduce <add> %f dims [0] : tensor<3xf32> -> tensor<f32>
    // CHECK: reduce add with NaN: nan
    tile.print "reduce add with NaN" %add_f : tensor<f32>
    %add_h = tile.reduce <add> %h dims [0] : tensor<3xf32> -> tensor<f32>
    // CHECK: reduce add of NaN: nan
    tile.print "reduce add of NaN" %add_h : tensor<f32>
    %mul_g = tile.reduce <mul> %g dims [0] : tensor<3xf32> -> tensor<f32>
    // CHECK: reduce mul numbers: -12
    tile.print "reduce mul numbers" %mul_g : tensor<f32>
    %mul_f = tile.reduce <mul> %f dims [0] : tensor<3xf32> -> tensor<f32>
    // CHECK: reduce mul with NaN: {{-?}}nan
    tile.print "reduce mul with NaN" %mul_f : tensor<f32>
    %mul_h = tile.reduce <mul> %h dims [0] : tensor<3xf32> -> tensor<f32>
    // CHECK: reduce mul of NaN: nan
    tile.print "reduce mul of NaN" %mul_h : tensor<f32>
    %minimumf_g = tile.reduce <minimumf> %g dims [0] : tensor<3xf32> -> tensor<f32>
    // CHECK: reduce minimumf numbers: -2
    tile.print "reduce minimumf numbers" %minimumf_g : tensor<f32>
    %minimumf_f = tile.reduce <minimumf> %f dims [0] : tensor<3xf32> -> tensor<f32>
    // CHECK: reduce minimumf with NaN: nan
    tile.print "reduce minimumf with NaN" %minimumf_f : tensor<f32>
    %minimumf_h = tile.reduce <minimumf> %h dims [0] : tensor<3xf32> -> tensor<f32>
    // CHECK: reduce minimumf of NaN: nan
    tile.print "reduce minimumf of NaN" %minimumf_h : tensor<f32>
    %maximumf_g = tile.reduce <maximumf> %g dims [0] : tensor<3xf32> -> tensor<f32>
    // CHECK: reduce maximumf numbers: 4
    tile.print "reduce maximumf numbers" %maximumf_g : tensor<f32>
    %maximumf_f = tile.reduce <maximumf> %f dims [0] : tensor<3xf32> -> tensor<f32>
    // CHECK: reduce maximumf with NaN: nan
    tile.print "reduce maximumf with NaN" %maximumf_f : tensor<f32>
    %maximumf_h = tile.reduce <maximumf> %h dims [0] : tensor<3xf32> -> tensor<f32>
    // CHECK: reduce maximumf of NaN: nan
    tile.print "reduce maximumf of NaN" %maximumf_h : tensor<f32>
    %minnumf_g = tile.reduce <minnumf> %g dims [0] : tensor<3xf32> -> tensor<f32>
    // CHECK: reduce minnumf numbers: -2
    tile.print "reduce minnumf numbers" %minnumf_g : tensor<f32>
    %minnumf_f = tile.reduce <minnumf> %f dims [0] : tensor<3xf32> -> tensor<f32>
    // CHECK: reduce minnumf with NaN: -2
    tile.print "reduce minnumf with NaN" %minnumf_f : tensor<f32>
    %minnumf_h = tile.reduce <minnumf> %h dims [0] : tensor<3xf32> -> tensor<f32>
    // CHECK: reduce minnumf of NaN: nan
    tile.print "reduce minnumf of NaN" %minnumf_h : tensor<f32>
    %maxnumf_g = tile.reduce <maxnumf> %g dims [0] : tensor<3xf32> -> tensor<f32>
    // CHECK: reduce maxnumf numbers: 4
    tile.print "reduce maxnumf numbers" %maxnumf_g : tensor<f32>
    %maxnumf_f = tile.reduce <maxnumf> %f dims [0] : tensor<3xf32> -> tensor<f32>
    // CHECK: reduce maxnumf with NaN: 1.5
    tile.print "reduce maxnumf with NaN" %maxnumf_f : tensor<f32>
    %maxnumf_h = tile.reduce <maxnumf> %h dims [0] : tensor<3xf32> -> tensor<f32>
    // CHECK: reduce maxnumf of NaN: nan
    tile.print "reduce maxnumf of NaN" %maxnumf_h : tensor<f32>
    // One bit: the sum is an exclusive or, the signed maximum of -1 and 0 is 0.
    %p = arith.constant dense<[true, true, true, false]> : tensor<4xi1>
    %p0 = tile.reduce <add> %p dims [0] : tensor<4xi1> -> tensor<i1>
    // CHECK: reduce i1 add: 1
    tile.print "reduce i1 add" %p0 : tensor<i1>
    %p1 = tile.reduce <maxsi> %p dims [0] : tensor<4xi1> -> tensor<i1>
    // CHECK: reduce i1 maxsi: 0
    tile.print "reduce i1 maxsi" %p1 : tensor<i1>
    %p2 = tile.reduce <and> %p dims [0] : tensor<4xi1> -> tensor<i1>
    // CHECK: reduce i1 and: 0
    tile.print "reduce i1 and" %p2 : tensor<i1>
  }
  return
}

func.func private @tile.reduce_dims() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %a = arith.constant dense<[[1, 5, -3], [4, 2, 9]]> : tensor<2x3xi32>
    %r = tile.reduce <add> %a dims [1] : tensor<2x3xi32> -> tensor<2xi32>
    // CHECK: rows: [3, 15]
    tile.print "rows" %r : tensor<2xi32>
    %c = tile.reduce <maxsi> %a dims [0] : tensor<2x3xi32> -> tensor<3xi32>
    // CHECK: columns: [4, 5, 9]
    tile.print "columns" %c : tensor<3xi32>
    %e = tile.reduce <mul> %a dims [0, 1] : tensor<2x3xi32> -> tensor<i32>
    // CHECK: everything: -1080
    tile.print "everything" %e : tensor<i32>
    // 1 to 12: the middle dimension stays. 1 + 2 + 3 + 7 + 8 + 9, 4 + 5 + 6 + 10 + 11 + 12.
    %t = arith.constant dense<[[[1, 2, 3], [4, 5, 6]], [[7, 8, 9], [10, 11, 12]]]> : tensor<2x2x3xi32>
    %m = tile.reduce <add> %t dims [0, 2] : tensor<2x2x3xi32> -> tensor<2xi32>
    // CHECK: outer and inner: [30, 48]
    tile.print "outer and inner" %m : tensor<2xi32>
    // An undefined element spoils its row.
    %p = ub.poison : tensor<2x3xi32>
    %k = arith.constant dense<[[true, true, true], [true, false, true]]> : tensor<2x3xi1>
    %q = arith.select %k, %a, %p : tensor<2x3xi1>, tensor<2x3xi32>
    %s = tile.reduce <add> %q dims [1] : tensor<2x3xi32> -> tensor<2xi32>
    // CHECK: undefined: [3, poison]
    tile.print "undefined" %s : tensor<2xi32>
  }
  return
}

func.func private @tile.reduce_init() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %a = arith.constant dense<[[1, 5, -3], [4, 2, 9]]> : tensor<2x3xi32>
    %i = arith.constant dense<[100, 200]> : tensor<2xi32>
    %r = tile.reduce <add> %a dims [1] init(%i) : tensor<2x3xi32> -> tensor<2xi32>
    // CHECK: init: [103, 215]
    tile.print "init" %r : tensor<2xi32>
    // Once, however many dimensions go.
    %s = arith.constant dense<1000> : tensor<i32>
    %e = tile.reduce <add> %a dims [0, 1] init(%s) : tensor<2x3xi32> -> tensor<i32>
    // CHECK: init once: 1018
    tile.print "init once" %e : tensor<i32>
    // f16 and bf16 sums round once, after init: 2048 + 1 + 1 and 256 + 1 + 1.
    %h = arith.constant dense<1.0> : tensor<2xf16>
    %hi = arith.constant dense<2048.0> : tensor<f16>
    %hs = tile.reduce <add> %h dims [0] init(%hi) : tensor<2xf16> -> tensor<f16>
    // CHECK: f16 rounds once: 2050
    tile.print "f16 rounds once" %hs : tensor<f16>
    %g = arith.constant dense<1.0> : tensor<2xbf16>
    %gi = arith.constant dense<256.0> : tensor<bf16>
    %gs = tile.reduce <add> %g dims [0] init(%gi) : tensor<2xbf16> -> tensor<bf16>
    // CHECK: bf16 rounds once: 258
    tile.print "bf16 rounds once" %gs : tensor<bf16>
    // 60000 + 60000 is no f16, but the sum of all three is.
    %o = arith.constant dense<[60000.0, 60000.0, -60000.0]> : tensor<3xf16>
    %os = tile.reduce <add> %o dims [0] : tensor<3xf16> -> tensor<f16>
    // CHECK: f16 accumulates wider: 60000
    tile.print "f16 accumulates wider" %os : tensor<f16>
  }
  return
}

func.func private @tile.reduce_combiner() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    // The largest and where it is; the first of two equal ones, as > says.
    %v = arith.constant dense<[[3.0, 9.0, 9.0, 1.0], [0.0, -1.0, 2.0, 7.0]]> : tensor<2x4xf32>
    %i = arith.constant dense<[[0, 1, 2, 3], [0, 1, 2, 3]]> : tensor<2x4xi32>
    %m, %at = tile.reduce (%v, %i) dims [1] : (tensor<2x4xf32>, tensor<2x4xi32>) -> (tensor<2xf32>, tensor<2xi32>) {
    ^bb0(%a: f32, %ai: i32, %n: f32, %ni: i32):
      %p = arith.cmpf ogt, %n, %a : f32
      %r = arith.select %p, %n, %a : f32
      %ri = arith.select %p, %ni, %ai : i32
      tile.yield %r, %ri : f32, i32
    }
    // CHECK: largest: [9, 7]
    tile.print "largest" %m : tensor<2xf32>
    // CHECK: where: [1, 3]
    tile.print "where" %at : tensor<2xi32>
    // Integers modulo 7 from init: 6 + 3 + 5 + 6 = 20 and 2 + 1 + 1 + 1 = 5.
    %x = arith.constant dense<[[3, 5, 6], [1, 1, 1]]> : tensor<2x3xi32>
    %start = arith.constant dense<[6, 2]> : tensor<2xi32>
    %s = tile.reduce (%x) dims [1] init(%start) : (tensor<2x3xi32>) -> (tensor<2xi32>) {
    ^bb0(%a: i32, %n: i32):
      %seven = arith.constant 7 : i32
      %t = arith.addi %a, %n : i32
      %r = arith.remui %t, %seven : i32
      tile.yield %r : i32
    }
    // CHECK: modulo 7: [6, 5]
    tile.print "modulo 7" %s : tensor<2xi32>
  }
  return
}

func.func private @tile.scan() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %a = arith.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
    %i = tile.scan <add> %a dim 1 : tensor<2x3xi32>
    // CHECK: inclusive [0, 0]: [1, 3, 6]
    // CHECK-NEXT: inclusive [1, 0]: [4, 9, 15]
    tile.print "inclusive" %i : tensor<2x3xi32>
    %r = tile.scan <add> %a dim 1 {reverse} : tensor<2x3xi32>
    // CHECK: reverse [0, 0]: [6, 5, 3]
    // CHECK-NEXT: reverse [1, 0]: [15, 11, 6]
    tile.print "reverse" %r : tensor<2x3xi32>
    %e = tile.scan <add> %a dim 0 {exclusive} : tensor<2x3xi32>
    // CHECK: exclusive [0, 0]: [0, 0, 0]
    // CHECK-NEXT: exclusive [1, 0]: [1, 2, 3]
    tile.print "exclusive" %e : tensor<2x3xi32>
    %x = tile.scan <mul> %a dim 1 {exclusive, reverse} : tensor<2x3xi32>
    // CHECK: both [0, 0]: [6, 3, 1]
    // CHECK-NEXT: both [1, 0]: [30, 6, 1]
    tile.print "both" %x : tensor<2x3xi32>
    // The dimension in the middle: 1 + 3, 2 + 4, 5 + 7, 6 + 8.
    %t = arith.constant dense<[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]> : tensor<2x2x2xi32>
    %m = tile.scan <add> %t dim 1 : tensor<2x2x2xi32>
    // CHECK: middle [0, 0, 0]: [1, 2]
    // CHECK-NEXT: middle [0, 1, 0]: [4, 6]
    // CHECK-NEXT: middle [1, 0, 0]: [5, 6]
    // CHECK-NEXT: middle [1, 1, 0]: [12, 14]
    tile.print "middle" %m : tensor<2x2x2xi32>
    // Each prefix rounds by itself: 2048, 2049 goes to 2048, 2050.
    %h = arith.constant dense<[2048.0, 1.0, 1.0]> : tensor<3xf16>
    %s = tile.scan <add> %h dim 0 : tensor<3xf16>
    // CHECK: f16 prefixes: [2048, 2048, 2050]
    tile.print "f16 prefixes" %s : tensor<3xf16>
    // An undefined element spoils what comes after it.
    %p = ub.poison : tensor<3xf16>
    %k = arith.constant dense<[true, false, true]> : tensor<3xi1>
    %q = arith.select %k, %h, %p : tensor<3xi1>, tensor<3xf16>
    %u = tile.scan <add> %q dim 0 : tensor<3xf16>
    // CHECK: undefined prefixes: [2048, poison, poison]
    tile.print "undefined prefixes" %u : tensor<3xf16>
  }
  return
}

func.func private @tile.scan_kinds() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    // An empty prefix is the neutral element of its kind.
    %i = arith.constant dense<[5, -3]> : tensor<2xi8>
    %add = tile.scan <add> %i dim 0 {exclusive} : tensor<2xi8>
    // CHECK: scan add: [0, 5]
    tile.print "scan add" %add : tensor<2xi8>
    %mul = tile.scan <mul> %i dim 0 {exclusive} : tensor<2xi8>
    // CHECK: scan mul: [1, 5]
    tile.print "scan mul" %mul : tensor<2xi8>
    %minui = tile.scan <minui> %i dim 0 {exclusive} : tensor<2xi8>
    // CHECK: scan minui: [-1, 5]
    tile.print "scan minui" %minui : tensor<2xi8>
    %minsi = tile.scan <minsi> %i dim 0 {exclusive} : tensor<2xi8>
    // CHECK: scan minsi: [127, 5]
    tile.print "scan minsi" %minsi : tensor<2xi8>
    %maxui = tile.scan <maxui> %i dim 0 {exclusive} : tensor<2xi8>
    // CHECK: scan maxui: [0, 5]
    tile.print "scan maxui" %maxui : tensor<2xi8>
    %maxsi = tile.scan <maxsi> %i dim 0 {exclusive} : tensor<2xi8>
    // CHECK: scan maxsi: [-128, 5]
    tile.print "scan maxsi" %maxsi : tensor<2xi8>
    %and = tile.scan <and> %i dim 0 {exclusive} : tensor<2xi8>
    // CHECK: scan and: [-1, 5]
    tile.print "scan and" %and : tensor<2xi8>
    %or = tile.scan <or> %i dim 0 {exclusive} : tensor<2xi8>
    // CHECK: scan or: [0, 5]
    tile.print "scan or" %or : tensor<2xi8>
    %xor = tile.scan <xor> %i dim 0 {exclusive} : tensor<2xi8>
    // CHECK: scan xor: [0, 5]
    tile.print "scan xor" %xor : tensor<2xi8>
    %f = arith.constant dense<[0x7FC00000, 1.0, 0x7FC00000, 2.0]> : tensor<4xf32>
    %minimumf = tile.scan <minimumf> %f dim 0 {exclusive} : tensor<4xf32>
    // CHECK: scan minimumf: [inf, nan, nan, nan]
    tile.print "scan minimumf" %minimumf : tensor<4xf32>
    %maximumf = tile.scan <maximumf> %f dim 0 {exclusive} : tensor<4xf32>
    // CHECK: scan maximumf: [-inf, nan, nan, nan]
    tile.print "scan maximumf" %maximumf : tensor<4xf32>
    %minnumf = tile.scan <minnumf> %f dim 0 {exclusive} : tensor<4xf32>
    // CHECK: scan minnumf: [inf, nan, 1, 1]
    tile.print "scan minnumf" %minnumf : tensor<4xf32>
    %maxnumf = tile.scan <maxnumf> %f dim 0 {exclusive} : tensor<4xf32>
    // CHECK: scan maxnumf: [-inf, nan, 1, 1]
    tile.print "scan maxnumf" %maxnumf : tensor<4xf32>
    %n = tile.scan <maxnumf> %f dim 0 : tensor<4xf32>
    // CHECK: scan maxnumf inclusive: [nan, 1, 1, 2]
    tile.print "scan maxnumf inclusive" %n : tensor<4xf32>
  }
  return
}

func.func private @tile.scan_combiner() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    // The recurrence x -> 2 x + o, o = 1, 2, 3, whose steps do not commute:
    // 1, 2 * 1 + 2 = 4, 2 * 4 + 3 = 11.
    %m = arith.constant dense<2.0> : tensor<3xf32>
    %o = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
    %q, %s = tile.scan (%m, %o) dim 0 : (tensor<3xf32>, tensor<3xf32>) {
    ^bb0(%a: f32, %c: f32, %n: f32, %d: f32):
      %r = arith.mulf %a, %n : f32
      %t = arith.mulf %c, %n : f32
      %u = arith.addf %t, %d : f32
      tile.yield %r, %u : f32, f32
    }
    // CHECK: powers: [2, 4, 8]
    tile.print "powers" %q : tensor<3xf32>
    // CHECK: states: [1, 4, 11]
    tile.print "states" %s : tensor<3xf32>
    // From the end: 3, 2 * 3 + 2 = 8, 2 * 8 + 1 = 17.
    %qr, %sr = tile.scan (%m, %o) dim 0 {reverse} : (tensor<3xf32>, tensor<3xf32>) {
    ^bb0(%a: f32, %c: f32, %n: f32, %d: f32):
      %r = arith.mulf %a, %n : f32
      %t = arith.mulf %c, %n : f32
      %u = arith.addf %t, %d : f32
      tile.yield %r, %u : f32, f32
    }
    // CHECK: states reversed: [17, 8, 3]
    tile.print "states reversed" %sr : tensor<3xf32>
    // init is the empty prefix: 5, 2 * 5 + 1 = 11, 2 * 11 + 2 = 24.
    %one = arith.constant dense<1.0> : tensor<f32>
    %five = arith.constant dense<5.0> : tensor<f32>
    %qe, %se = tile.scan (%m, %o) dim 0 init(%one, %five) {exclusive} : (tensor<3xf32>, tensor<3xf32>) {
    ^bb0(%a: f32, %c: f32, %n: f32, %d: f32):
      %r = arith.mulf %a, %n : f32
      %t = arith.mulf %c, %n : f32
      %u = arith.addf %t, %d : f32
      tile.yield %r, %u : f32, f32
    }
    // CHECK: powers exclusive: [1, 2, 4]
    tile.print "powers exclusive" %qe : tensor<3xf32>
    // CHECK: states exclusive: [5, 11, 24]
    tile.print "states exclusive" %se : tensor<3xf32>
  }
  return
}
