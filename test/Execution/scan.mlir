// Scans: along each dimension, in both directions, with and without the own element,
// inside a warp and across warps, kinds and combiners, half types, padded extents.
// RUN: tile-run %s --entry=rows --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=rows --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=columns --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=long --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=long --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=odd --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=kinds --on=emulator --chip=sm_80 --check --data=integers(-50,50)
// RUN: tile-run %s --entry=empty_prefixes --on=emulator --chip=sm_90a --check --data=integers(-50,50)
// RUN: tile-run %s --entry=float_kinds --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=float_kinds --on=emulator --chip=sm_90a --check --data=values(nan,1,nan,-2,inf)
// RUN: tile-run %s --entry=widths --on=emulator --chip=sm_90a --check --data=integers(-3,3)
// RUN: tile-run %s --entry=bits --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=half --on=emulator --chip=sm_90a --check --rtol=0 --atol=0
// RUN: tile-run %s --entry=recurrence --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=recurrence --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=recurrence_odd --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=recurrence_exclusive --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=branches --on=emulator --chip=sm_80 --check --data=integers(-9,9)
// RUN: tile-run %s --entry=layouts --on=emulator --chip=sm_80 --check --data=integers(-9,9)
// RUN: tile-run %s --entry=layouts --on=emulator --chip=sm_90a --check --data=integers(-9,9)
// RUN: tile-run %s --entry=three_dims --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=after_gemm --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=in_loop --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=unit --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=across --on=emulator --chip=sm_80 --check --data=integers(-9,9) --rtol=0 --atol=0
// RUN: tile-run %s --entry=across --on=emulator --chip=sm_90a --check --data=integers(-9,9) --rtol=0 --atol=0
// RUN: tile-run %s --entry=across --on=emulator --chip=sm_80 --check --check-stages --data=integers(-9,9)
// RUN: tile-run %s --entry=recurrence_across --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=recurrence --on=emulator --chip=sm_90a --check --check-stages

func.func @rows(%a: memref<64x128xf32>, %o: memref<64x128xf32>, %p: memref<64x128xf32>,
                %q: memref<64x128xf32>, %r: memref<64x128xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %t = tile.load %a : memref<64x128xf32> -> tensor<64x128xf32>
    %0 = tile.scan <add> %t dim 1 : tensor<64x128xf32>
    %1 = tile.scan <add> %t dim 1 {reverse} : tensor<64x128xf32>
    %2 = tile.scan <add> %t dim 1 {exclusive} : tensor<64x128xf32>
    %3 = tile.scan <add> %t dim 1 {reverse, exclusive} : tensor<64x128xf32>
    tile.store %0, %o : tensor<64x128xf32>, memref<64x128xf32>
    tile.store %1, %p : tensor<64x128xf32>, memref<64x128xf32>
    tile.store %2, %q : tensor<64x128xf32>, memref<64x128xf32>
    tile.store %3, %r : tensor<64x128xf32>, memref<64x128xf32>
  }
  return
}

func.func @columns(%a: memref<64x128xf32>, %o: memref<64x128xf32>, %p: memref<64x128xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %t = tile.load %a : memref<64x128xf32> -> tensor<64x128xf32>
    %0 = tile.scan <add> %t dim 0 : tensor<64x128xf32>
    %1 = tile.scan <add> %t dim 0 {reverse, exclusive} : tensor<64x128xf32>
    tile.store %0, %o : tensor<64x128xf32>, memref<64x128xf32>
    tile.store %1, %p : tensor<64x128xf32>, memref<64x128xf32>
  }
  return
}

// No other dimension for the warps.
func.func @long(%a: memref<3x2048xf32>, %o: memref<3x2048xf32>, %p: memref<3x2048xf32>) {
  %c3 = arith.constant 3 : index
  tile.launch blocks(%x) in (%c3) threads(256) {
    %c0 = arith.constant 0 : index
    %t = tile.load %a[%x, %c0] [1, 2048] : memref<3x2048xf32> -> tensor<2048xf32>
    %0 = tile.scan <add> %t dim 0 : tensor<2048xf32>
    %1 = tile.scan <add> %t dim 0 {reverse, exclusive} : tensor<2048xf32>
    tile.store %0, %o[%x, %c0] [1, 2048] : tensor<2048xf32>, memref<3x2048xf32>
    tile.store %1, %p[%x, %c0] [1, 2048] : tensor<2048xf32>, memref<3x2048xf32>
  }
  return
}

// Padding after the last element, which a scan in reverse meets first.
func.func @odd(%a: memref<7x37xf32>, %o: memref<4x7x37xf32>, %v: memref<331xf32>, %w: memref<2x331xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(96) {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %one = arith.constant 1 : index
    %t = tile.load %a : memref<7x37xf32> -> tensor<7x37xf32>
    %0 = tile.scan <mul> %t dim 0 {exclusive} : tensor<7x37xf32>
    %1 = tile.scan <mul> %t dim 0 {reverse} : tensor<7x37xf32>
    %2 = tile.scan <add> %t dim 1 : tensor<7x37xf32>
    %3 = tile.scan <add> %t dim 1 {reverse, exclusive} : tensor<7x37xf32>
    tile.store %0, %o[%c0, %c0, %c0] [1, 7, 37] : tensor<7x37xf32>, memref<4x7x37xf32>
    tile.store %1, %o[%one, %c0, %c0] [1, 7, 37] : tensor<7x37xf32>, memref<4x7x37xf32>
    tile.store %2, %o[%c2, %c0, %c0] [1, 7, 37] : tensor<7x37xf32>, memref<4x7x37xf32>
    tile.store %3, %o[%c3, %c0, %c0] [1, 7, 37] : tensor<7x37xf32>, memref<4x7x37xf32>
    %u = tile.load %v : memref<331xf32> -> tensor<331xf32>
    %4 = tile.scan <add> %u dim 0 {reverse} : tensor<331xf32>
    %5 = tile.scan <add> %u dim 0 {exclusive} : tensor<331xf32>
    tile.store %4, %w[%c0, %c0] [1, 331] : tensor<331xf32>, memref<2x331xf32>
    tile.store %5, %w[%one, %c0] [1, 331] : tensor<331xf32>, memref<2x331xf32>
  }
  return
}

func.func @kinds(%a: memref<16x50xi32>, %o: memref<144x50xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c48 = arith.constant 48 : index
    %c64 = arith.constant 64 : index
    %c80 = arith.constant 80 : index
    %c96 = arith.constant 96 : index
    %c112 = arith.constant 112 : index
    %c128 = arith.constant 128 : index
    %t = tile.load %a : memref<16x50xi32> -> tensor<16x50xi32>
    %0 = tile.scan <add> %t dim 1 : tensor<16x50xi32>
    %1 = tile.scan <mul> %t dim 1 {reverse} : tensor<16x50xi32>
    %2 = tile.scan <minsi> %t dim 1 : tensor<16x50xi32>
    %3 = tile.scan <maxsi> %t dim 1 {reverse} : tensor<16x50xi32>
    %4 = tile.scan <minui> %t dim 1 : tensor<16x50xi32>
    %5 = tile.scan <maxui> %t dim 1 {reverse} : tensor<16x50xi32>
    %6 = tile.scan <and> %t dim 1 : tensor<16x50xi32>
    %7 = tile.scan <or> %t dim 1 {reverse} : tensor<16x50xi32>
    %8 = tile.scan <xor> %t dim 1 : tensor<16x50xi32>
    tile.store %0, %o[%c0, %c0] : tensor<16x50xi32>, memref<144x50xi32>
    tile.store %1, %o[%c16, %c0] : tensor<16x50xi32>, memref<144x50xi32>
    tile.store %2, %o[%c32, %c0] : tensor<16x50xi32>, memref<144x50xi32>
    tile.store %3, %o[%c48, %c0] : tensor<16x50xi32>, memref<144x50xi32>
    tile.store %4, %o[%c64, %c0] : tensor<16x50xi32>, memref<144x50xi32>
    tile.store %5, %o[%c80, %c0] : tensor<16x50xi32>, memref<144x50xi32>
    tile.store %6, %o[%c96, %c0] : tensor<16x50xi32>, memref<144x50xi32>
    tile.store %7, %o[%c112, %c0] : tensor<16x50xi32>, memref<144x50xi32>
    tile.store %8, %o[%c128, %c0] : tensor<16x50xi32>, memref<144x50xi32>
  }
  return
}

func.func @empty_prefixes(%a: memref<4x50xi32>, %o: memref<36x50xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c12 = arith.constant 12 : index
    %c16 = arith.constant 16 : index
    %c20 = arith.constant 20 : index
    %c24 = arith.constant 24 : index
    %c28 = arith.constant 28 : index
    %c32 = arith.constant 32 : index
    %t = tile.load %a : memref<4x50xi32> -> tensor<4x50xi32>
    %0 = tile.scan <add> %t dim 1 {exclusive} : tensor<4x50xi32>
    %1 = tile.scan <mul> %t dim 0 {exclusive, reverse} : tensor<4x50xi32>
    %2 = tile.scan <minsi> %t dim 1 {exclusive} : tensor<4x50xi32>
    %3 = tile.scan <maxsi> %t dim 0 {exclusive, reverse} : tensor<4x50xi32>
    %4 = tile.scan <minui> %t dim 1 {exclusive} : tensor<4x50xi32>
    %5 = tile.scan <maxui> %t dim 1 {exclusive, reverse} : tensor<4x50xi32>
    %6 = tile.scan <and> %t dim 0 {exclusive} : tensor<4x50xi32>
    %7 = tile.scan <or> %t dim 1 {exclusive, reverse} : tensor<4x50xi32>
    %8 = tile.scan <xor> %t dim 1 {exclusive} : tensor<4x50xi32>
    tile.store %0, %o[%c0, %c0] : tensor<4x50xi32>, memref<36x50xi32>
    tile.store %1, %o[%c4, %c0] : tensor<4x50xi32>, memref<36x50xi32>
    tile.store %2, %o[%c8, %c0] : tensor<4x50xi32>, memref<36x50xi32>
    tile.store %3, %o[%c12, %c0] : tensor<4x50xi32>, memref<36x50xi32>
    tile.store %4, %o[%c16, %c0] : tensor<4x50xi32>, memref<36x50xi32>
    tile.store %5, %o[%c20, %c0] : tensor<4x50xi32>, memref<36x50xi32>
    tile.store %6, %o[%c24, %c0] : tensor<4x50xi32>, memref<36x50xi32>
    tile.store %7, %o[%c28, %c0] : tensor<4x50xi32>, memref<36x50xi32>
    tile.store %8, %o[%c32, %c0] : tensor<4x50xi32>, memref<36x50xi32>
  }
  return
}

// An exclusive prefix of one NaN is that NaN, of nothing an infinity.
func.func @float_kinds(%a: memref<4x45xf32>, %o: memref<16x45xf32>, %p: memref<16x45xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c12 = arith.constant 12 : index
    %t = tile.load %a : memref<4x45xf32> -> tensor<4x45xf32>
    %0 = tile.scan <maximumf> %t dim 1 : tensor<4x45xf32>
    %1 = tile.scan <minimumf> %t dim 1 {reverse} : tensor<4x45xf32>
    %2 = tile.scan <maxnumf> %t dim 1 : tensor<4x45xf32>
    %3 = tile.scan <minnumf> %t dim 0 {reverse} : tensor<4x45xf32>
    tile.store %0, %o[%c0, %c0] : tensor<4x45xf32>, memref<16x45xf32>
    tile.store %1, %o[%c4, %c0] : tensor<4x45xf32>, memref<16x45xf32>
    tile.store %2, %o[%c8, %c0] : tensor<4x45xf32>, memref<16x45xf32>
    tile.store %3, %o[%c12, %c0] : tensor<4x45xf32>, memref<16x45xf32>
    %4 = tile.scan <maximumf> %t dim 0 {exclusive} : tensor<4x45xf32>
    %5 = tile.scan <minimumf> %t dim 1 {reverse, exclusive} : tensor<4x45xf32>
    %6 = tile.scan <maxnumf> %t dim 1 {exclusive} : tensor<4x45xf32>
    %7 = tile.scan <minnumf> %t dim 1 {reverse, exclusive} : tensor<4x45xf32>
    tile.store %4, %p[%c0, %c0] : tensor<4x45xf32>, memref<16x45xf32>
    tile.store %5, %p[%c4, %c0] : tensor<4x45xf32>, memref<16x45xf32>
    tile.store %6, %p[%c8, %c0] : tensor<4x45xf32>, memref<16x45xf32>
    tile.store %7, %p[%c12, %c0] : tensor<4x45xf32>, memref<16x45xf32>
  }
  return
}

func.func @widths(%a: memref<40xi8>, %b: memref<40xi16>, %c: memref<40xi64>, %d: memref<40xindex>, %e: memref<40xf64>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %0 = tile.load %a : memref<40xi8> -> tensor<40xi8>
    %1 = tile.load %b : memref<40xi16> -> tensor<40xi16>
    %2 = tile.load %c : memref<40xi64> -> tensor<40xi64>
    %3 = tile.load %d : memref<40xindex> -> tensor<40xindex>
    %4 = tile.load %e : memref<40xf64> -> tensor<40xf64>
    %5 = tile.scan <add> %0 dim 0 : tensor<40xi8>
    %6 = tile.scan <maxsi> %1 dim 0 {exclusive} : tensor<40xi16>
    %7 = tile.scan <minui> %2 dim 0 {reverse, exclusive} : tensor<40xi64>
    %8 = tile.scan <add> %3 dim 0 {reverse} : tensor<40xindex>
    %9 = tile.scan <add> %4 dim 0 {exclusive} : tensor<40xf64>
    tile.store %5, %a : tensor<40xi8>, memref<40xi8>
    tile.store %6, %b : tensor<40xi16>, memref<40xi16>
    tile.store %7, %c : tensor<40xi64>, memref<40xi64>
    tile.store %8, %d : tensor<40xindex>, memref<40xindex>
    tile.store %9, %e : tensor<40xf64>, memref<40xf64>
  }
  return
}

func.func @bits(%a: memref<5x70xi1>, %o: memref<20x70xi1>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %c0 = arith.constant 0 : index
    %c5 = arith.constant 5 : index
    %c10 = arith.constant 10 : index
    %c15 = arith.constant 15 : index
    %t = tile.load %a : memref<5x70xi1> -> tensor<5x70xi1>
    %0 = tile.scan <or> %t dim 1 {exclusive} : tensor<5x70xi1>
    %1 = tile.scan <and> %t dim 0 {reverse, exclusive} : tensor<5x70xi1>
    %2 = tile.scan <xor> %t dim 1 {reverse} : tensor<5x70xi1>
    %3 = tile.scan <maxsi> %t dim 1 {exclusive} : tensor<5x70xi1>
    tile.store %0, %o[%c0, %c0] : tensor<5x70xi1>, memref<20x70xi1>
    tile.store %1, %o[%c5, %c0] : tensor<5x70xi1>, memref<20x70xi1>
    tile.store %2, %o[%c10, %c0] : tensor<5x70xi1>, memref<20x70xi1>
    tile.store %3, %o[%c15, %c0] : tensor<5x70xi1>, memref<20x70xi1>
  }
  return
}

// Products of powers of two and short sums are exact in f32: each prefix is rounded once.
func.func @half(%a: memref<8x64xf16> , %b: memref<8x64xbf16>, %o: memref<8x64xf16>, %p: memref<8x64xbf16>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %0 = tile.load %a : memref<8x64xf16> -> tensor<8x64xf16>
    %1 = tile.load %b : memref<8x64xbf16> -> tensor<8x64xbf16>
    %k = arith.constant dense<1.0e-3> : tensor<8x64xf16>
    %l = arith.constant dense<1.0e-2> : tensor<8x64xbf16>
    %2 = math.copysign %k, %0 : tensor<8x64xf16>
    %3 = math.copysign %l, %1 : tensor<8x64xbf16>
    %4 = tile.scan <add> %2 dim 1 : tensor<8x64xf16>
    %5 = tile.scan <add> %3 dim 1 {reverse, exclusive} : tensor<8x64xbf16>
    tile.store %4, %o : tensor<8x64xf16>, memref<8x64xf16>
    tile.store %5, %p : tensor<8x64xbf16>, memref<8x64xbf16>
  }
  return
}

// x[i] = a[i] * x[i - 1] + b[i]: the combiner is associative, not commutative.
func.func @recurrence(%a: memref<16x256xf32>, %b: memref<16x256xf32>, %o: memref<16x256xf32>, %p: memref<16x256xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %0 = tile.load %a : memref<16x256xf32> -> tensor<16x256xf32>
    %1 = tile.load %b : memref<16x256xf32> -> tensor<16x256xf32>
    %half = arith.constant dense<0.5> : tensor<16x256xf32>
    %d = arith.mulf %0, %half : tensor<16x256xf32>
    %2, %3 = tile.scan (%d, %1) dim 1 : (tensor<16x256xf32>, tensor<16x256xf32>) {
    ^bb0(%a0: f32, %b0: f32, %a1: f32, %b1: f32):
      %m = arith.mulf %a0, %a1 : f32
      %t = arith.mulf %b0, %a1 : f32
      %s = arith.addf %t, %b1 : f32
      tile.yield %m, %s : f32, f32
    }
    %4, %5 = tile.scan (%d, %1) dim 0 {reverse} : (tensor<16x256xf32>, tensor<16x256xf32>) {
    ^bb0(%a0: f32, %b0: f32, %a1: f32, %b1: f32):
      %m = arith.mulf %a0, %a1 : f32
      %t = arith.mulf %b0, %a1 : f32
      %s = arith.addf %t, %b1 : f32
      tile.yield %m, %s : f32, f32
    }
    tile.store %3, %o : tensor<16x256xf32>, memref<16x256xf32>
    tile.store %5, %p : tensor<16x256xf32>, memref<16x256xf32>
  }
  return
}

// A permutation's composition: wrong with any two operands exchanged or any padding combined.
func.func @recurrence_odd(%a: memref<3x101xi32>, %b: memref<3x101xi32>, %o: memref<3x101xi32>, %p: memref<3x101xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %i = tile.parallel (%r, %c) in (3, 101) -> (tensor<3x101xi32>) {
      %k = arith.index_cast %c : index to i32
      %f = arith.constant 7 : i32
      %m = arith.muli %k, %f : i32
      %one = arith.constant 1 : i32
      %s = arith.ori %m, %one : i32
      tile.yield %s : i32
    }
    %j = tile.parallel (%r, %c) in (3, 101) -> (tensor<3x101xi32>) {
      %k = arith.index_cast %c : index to i32
      %l = arith.index_cast %r : index to i32
      %f = arith.constant 13 : i32
      %m = arith.muli %k, %f : i32
      %s = arith.addi %m, %l : i32
      tile.yield %s : i32
    }
    %0, %1 = tile.scan (%i, %j) dim 1 {reverse} : (tensor<3x101xi32>, tensor<3x101xi32>) {
    ^bb0(%a0: i32, %b0: i32, %a1: i32, %b1: i32):
      %m = arith.muli %a0, %a1 : i32
      %t = arith.muli %b0, %a1 : i32
      %s = arith.addi %t, %b1 : i32
      tile.yield %m, %s : i32, i32
    }
    tile.store %0, %o : tensor<3x101xi32>, memref<3x101xi32>
    tile.store %1, %p : tensor<3x101xi32>, memref<3x101xi32>
  }
  return
}

func.func @recurrence_exclusive(%a: memref<24x75xf32>, %b: memref<24x75xf32>, %h: memref<24xf32>, %g: memref<75xf32>,
                                %o: memref<24x75xf32>, %p: memref<24x75xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(96) {
    %0 = tile.load %a : memref<24x75xf32> -> tensor<24x75xf32>
    %1 = tile.load %b : memref<24x75xf32> -> tensor<24x75xf32>
    %half = arith.constant dense<0.5> : tensor<24x75xf32>
    %d = arith.mulf %0, %half : tensor<24x75xf32>
    %one = arith.constant dense<1.0> : tensor<24xf32>
    %i = tile.load %h : memref<24xf32> -> tensor<24xf32>
    %2, %3 = tile.scan (%d, %1) dim 1 init(%one, %i) {exclusive} : (tensor<24x75xf32>, tensor<24x75xf32>) {
    ^bb0(%a0: f32, %b0: f32, %a1: f32, %b1: f32):
      %m = arith.mulf %a0, %a1 : f32
      %t = arith.mulf %b0, %a1 : f32
      %s = arith.addf %t, %b1 : f32
      tile.yield %m, %s : f32, f32
    }
    %two = arith.constant dense<1.0> : tensor<75xf32>
    %j = tile.load %g : memref<75xf32> -> tensor<75xf32>
    %4, %5 = tile.scan (%d, %1) dim 0 init(%two, %j) {reverse, exclusive} : (tensor<24x75xf32>, tensor<24x75xf32>) {
    ^bb0(%a0: f32, %b0: f32, %a1: f32, %b1: f32):
      %m = arith.mulf %a0, %a1 : f32
      %t = arith.mulf %b0, %a1 : f32
      %s = arith.addf %t, %b1 : f32
      tile.yield %m, %s : f32, f32
    }
    tile.store %3, %o : tensor<24x75xf32>, memref<24x75xf32>
    tile.store %5, %p : tensor<24x75xf32>, memref<24x75xf32>
  }
  return
}

// Keep the last element that is not negative (a forward fill): control flow in the combiner.
func.func @branches(%a: memref<5x90xi32>, %o: memref<5x90xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %t = tile.load %a : memref<5x90xi32> -> tensor<5x90xi32>
    %0 = tile.scan (%t) dim 1 : (tensor<5x90xi32>) {
    ^bb0(%l: i32, %r: i32):
      %c0 = arith.constant 0 : i32
      %is = arith.cmpi sge, %r, %c0 : i32
      %v = scf.if %is -> (i32) {
        scf.yield %r : i32
      } else {
        scf.yield %l : i32
      }
      tile.yield %v : i32
    }
    tile.store %0, %o : tensor<5x90xi32>, memref<5x90xi32>
  }
  return
}

// One line for all warps: totals of what a warp holds travel, in every direction and type.
func.func @across(%a: memref<1024xf16>, %b: memref<1024xbf16>, %c: memref<1024xi64>, %d: memref<1024xi1>,
                  %e: memref<1024xf32>, %f: memref<6x128xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %0 = tile.load %a : memref<1024xf16> -> tensor<1024xf16>
    %1 = tile.load %b : memref<1024xbf16> -> tensor<1024xbf16>
    %2 = tile.load %c : memref<1024xi64> -> tensor<1024xi64>
    %3 = tile.load %d : memref<1024xi1> -> tensor<1024xi1>
    %4 = tile.load %e : memref<1024xf32> -> tensor<1024xf32>
    %5 = tile.load %f : memref<6x128xi32> -> tensor<6x128xi32>
    %k = arith.constant dense<1.0e-3> : tensor<1024xf16>
    %6 = arith.mulf %0, %k : tensor<1024xf16>
    %7 = tile.scan <add> %6 dim 0 {exclusive} : tensor<1024xf16>
    %8 = tile.scan <minimumf> %1 dim 0 {reverse, exclusive} : tensor<1024xbf16>
    %9 = tile.scan <add> %2 dim 0 {reverse} : tensor<1024xi64>
    %10 = tile.scan <xor> %3 dim 0 {exclusive} : tensor<1024xi1>
    %11 = tile.scan <maxnumf> %4 dim 0 : tensor<1024xf32>
    %12 = tile.scan <mul> %5 dim 1 {reverse, exclusive} : tensor<6x128xi32>
    tile.store %7, %a : tensor<1024xf16>, memref<1024xf16>
    tile.store %8, %b : tensor<1024xbf16>, memref<1024xbf16>
    tile.store %9, %c : tensor<1024xi64>, memref<1024xi64>
    tile.store %10, %d : tensor<1024xi1>, memref<1024xi1>
    tile.store %11, %e : tensor<1024xf32>, memref<1024xf32>
    tile.store %12, %f : tensor<6x128xi32>, memref<6x128xi32>
  }
  return
}

func.func @recurrence_across(%a: memref<777xf32>, %b: memref<777xf32>, %o: memref<777xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %0 = tile.load %a : memref<777xf32> -> tensor<777xf32>
    %1 = tile.load %b : memref<777xf32> -> tensor<777xf32>
    %half = arith.constant dense<0.5> : tensor<777xf32>
    %d = arith.mulf %0, %half : tensor<777xf32>
    %one = arith.constant dense<1.0> : tensor<f32>
    %zero = arith.constant dense<0.25> : tensor<f32>
    %2, %3 = tile.scan (%d, %1) dim 0 init(%one, %zero) {exclusive} : (tensor<777xf32>, tensor<777xf32>) {
    ^bb0(%a0: f32, %b0: f32, %a1: f32, %b1: f32):
      %m = arith.mulf %a0, %a1 : f32
      %t = arith.mulf %b0, %a1 : f32
      %s = arith.addf %t, %b1 : f32
      tile.yield %m, %s : f32, f32
    }
    tile.store %3, %o : tensor<777xf32>, memref<777xf32>
  }
  return
}

#mma = #tile.fragment<[16, 8], register = [2 : (0, 1), 2 : (8, 0)], lane = [4 : (0, 2), 8 : (1, 0)], warp = [2 : (0, 0)]>
#rows = #tile.fragment<[64], register = [2 : (8)], lane = [2 : (2), 2 : (16), 2 : (1), 2 : (32), 2 : (4)], warp = [2 : (0)]>
#warps = #tile.fragment<[64], register = [2 : (1)], lane = [2 : (4), 2 : (0), 8 : (8)], warp = [2 : (2)]>

// Layouts that the author fixed: registers and lanes in any order, copies in other lanes, warps along the dimension.
func.func @layouts(%a: memref<16x8xi32>, %b: memref<64xi32>, %o: memref<32x8xi32>, %p: memref<2x64xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %one = arith.constant 1 : index
    %t = tile.load %a : memref<16x8xi32> -> tensor<16x8xi32, #mma>
    %0 = tile.scan <add> %t dim 0 : tensor<16x8xi32, #mma>
    %1 = tile.scan <add> %t dim 1 {reverse, exclusive} : tensor<16x8xi32, #mma>
    tile.store %0, %o[%c0, %c0] : tensor<16x8xi32, #mma>, memref<32x8xi32>
    tile.store %1, %o[%c16, %c0] : tensor<16x8xi32, #mma>, memref<32x8xi32>
    %u = tile.load %b : memref<64xi32> -> tensor<64xi32, #rows>
    %2 = tile.scan <add> %u dim 0 {exclusive} : tensor<64xi32, #rows> -> tensor<64xi32, #warps>
    %w = tile.load %b : memref<64xi32> -> tensor<64xi32, #warps>
    %3 = tile.scan <add> %w dim 0 {reverse} : tensor<64xi32, #warps>
    tile.store %2, %p[%c0, %c0] [1, 64] : tensor<64xi32, #warps>, memref<2x64xi32>
    tile.store %3, %p[%one, %c0] [1, 64] : tensor<64xi32, #warps>, memref<2x64xi32>
  }
  return
}

func.func @three_dims(%a: memref<6x10x20xf32>, %o: memref<6x10x20xf32>, %p: memref<6x10x20xf32>, %q: memref<6x10x20xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %t = tile.load %a : memref<6x10x20xf32> -> tensor<6x10x20xf32>
    %0 = tile.scan <add> %t dim 0 : tensor<6x10x20xf32>
    %1 = tile.scan <add> %t dim 1 {exclusive} : tensor<6x10x20xf32>
    %2 = tile.scan <add> %t dim 2 {reverse} : tensor<6x10x20xf32>
    tile.store %0, %o : tensor<6x10x20xf32>, memref<6x10x20xf32>
    tile.store %1, %p : tensor<6x10x20xf32>, memref<6x10x20xf32>
    tile.store %2, %q : tensor<6x10x20xf32>, memref<6x10x20xf32>
  }
  return
}

func.func @after_gemm(%a: memref<64x32xf16>, %b: memref<32x64xf16>, %o: memref<64x64xf32>, %p: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %s = tile.alloc : memref<64x32xf16, #gpu.address_space<workgroup>>
    %t = tile.alloc : memref<32x64xf16, #gpu.address_space<workgroup>>
    tile.copy %a to %s : memref<64x32xf16> to memref<64x32xf16, #gpu.address_space<workgroup>>
    tile.copy %b to %t : memref<32x64xf16> to memref<32x64xf16, #gpu.address_space<workgroup>>
    %d = tile.gemm %s, %t : memref<64x32xf16, #gpu.address_space<workgroup>>, memref<32x64xf16, #gpu.address_space<workgroup>> -> tensor<64x64xf32>
    %0 = tile.scan <add> %d dim 1 : tensor<64x64xf32>
    %1 = tile.scan <add> %d dim 0 : tensor<64x64xf32>
    tile.store %0, %o : tensor<64x64xf32>, memref<64x64xf32>
    tile.store %1, %p : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// The carry of a long scan goes from tile to tile.
func.func @in_loop(%a: memref<8x1024xf32>, %o: memref<8x1024xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %c1024 = arith.constant 1024 : index
    %zero = arith.constant dense<0.0> : tensor<8xf32>
    %r = scf.for %k = %c0 to %c1024 step %c256 iter_args(%carry = %zero) -> (tensor<8xf32>) {
      %t = tile.load %a[%c0, %k] : memref<8x1024xf32> -> tensor<8x256xf32>
      %s = tile.scan <add> %t dim 1 : tensor<8x256xf32>
      %b = tile.broadcast %carry dims [1] : tensor<8xf32> -> tensor<8x256xf32>
      %u = arith.addf %s, %b : tensor<8x256xf32>
      tile.store %u, %o[%c0, %k] : tensor<8x256xf32>, memref<8x1024xf32>
      %n = tile.reduce <add> %t dims [1] init(%carry) : tensor<8x256xf32> -> tensor<8xf32>
      scf.yield %n : tensor<8xf32>
    }
  }
  return
}

func.func @unit(%a: memref<33x1xf32>, %o: memref<33x1xf32>, %p: memref<33x1xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %t = tile.load %a : memref<33x1xf32> -> tensor<33x1xf32>
    %0 = tile.scan <add> %t dim 1 : tensor<33x1xf32>
    %1 = tile.scan <maximumf> %t dim 1 {exclusive} : tensor<33x1xf32>
    tile.store %0, %o : tensor<33x1xf32>, memref<33x1xf32>
    tile.store %1, %p : tensor<33x1xf32>, memref<33x1xf32>
  }
  return
}
