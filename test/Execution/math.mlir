// Every math operation, in f32 and through f16, with and without approximations.
// RUN: tile-run %s --entry=f32 --on=emulator --chip=sm_80 --check --data=uniform(0.1,2)
// RUN: tile-run %s --entry=f32 --on=emulator --chip=sm_90a --check --data=uniform(0.1,2)
// RUN: tile-run %s --entry=f16 --on=emulator --chip=sm_80 --check --data=uniform(0.1,2)
// RUN: tile-run %s --entry=f16 --on=emulator --chip=sm_90a --check --data=uniform(0.1,2)
// RUN: tile-run %s --entry=fast --on=emulator --chip=sm_80 --check --data=uniform(0.1,2)
// RUN: tile-run %s --entry=fast --on=emulator --chip=sm_90a --check --data=uniform(0.1,2)
// RUN: tile-run %s --entry=integers --on=emulator --chip=sm_80 --check --data=integers(-1000,1000)
// RUN: tile-run %s --entry=integers --on=emulator --chip=sm_90a --check --data=integers(-1000,1000)
// RUN: tile-run %s --entry=casts --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=casts --on=emulator --chip=sm_90a --check

func.func @f32(%a: memref<64xf32>, %o: memref<26x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %t = tile.load %a : memref<64xf32> -> tensor<64xf32>
    %n = arith.negf %t : tensor<64xf32>
    %0 = math.absf %n : tensor<64xf32>
    %1 = math.ceil %t : tensor<64xf32>
    %2 = math.copysign %t, %n : tensor<64xf32>
    %3 = math.cos %t : tensor<64xf32>
    %4 = math.erf %t : tensor<64xf32>
    %5 = math.exp %t : tensor<64xf32>
    %6 = math.exp2 %t : tensor<64xf32>
    %7 = math.expm1 %t : tensor<64xf32>
    %8 = math.floor %n : tensor<64xf32>
    %9 = math.fma %t, %n, %t : tensor<64xf32>
    %10 = math.log %t : tensor<64xf32>
    %11 = math.log1p %t : tensor<64xf32>
    %12 = math.log2 %t : tensor<64xf32>
    %13 = math.powf %t, %t : tensor<64xf32>
    %14 = math.round %n : tensor<64xf32>
    %15 = math.roundeven %n : tensor<64xf32>
    %16 = math.rsqrt %t : tensor<64xf32>
    %17 = math.sin %t : tensor<64xf32>
    %18 = math.sqrt %t : tensor<64xf32>
    %19 = math.tanh %t : tensor<64xf32>
    %20 = math.trunc %n : tensor<64xf32>
    %p = math.isnan %t : tensor<64xf32>
    %q = math.isinf %t : tensor<64xf32>
    %r = math.isfinite %t : tensor<64xf32>
    %21 = arith.select %p, %t, %n : tensor<64xi1>, tensor<64xf32>
    %22 = arith.select %q, %t, %n : tensor<64xi1>, tensor<64xf32>
    %23 = arith.select %r, %t, %n : tensor<64xi1>, tensor<64xf32>
    %i0 = arith.constant 0 : index
    %i1 = arith.constant 1 : index
    %i2 = arith.constant 2 : index
    %i3 = arith.constant 3 : index
    %i4 = arith.constant 4 : index
    %i5 = arith.constant 5 : index
    %i6 = arith.constant 6 : index
    %i7 = arith.constant 7 : index
    %i8 = arith.constant 8 : index
    %i9 = arith.constant 9 : index
    %i10 = arith.constant 10 : index
    %i11 = arith.constant 11 : index
    %i12 = arith.constant 12 : index
    %i13 = arith.constant 13 : index
    %i14 = arith.constant 14 : index
    %i15 = arith.constant 15 : index
    %i16 = arith.constant 16 : index
    %i17 = arith.constant 17 : index
    %i18 = arith.constant 18 : index
    %i19 = arith.constant 19 : index
    %i20 = arith.constant 20 : index
    %i21 = arith.constant 21 : index
    %i22 = arith.constant 22 : index
    %i23 = arith.constant 23 : index
    tile.store %0, %o[%i0, %c0] [1, 64] : tensor<64xf32>, memref<26x64xf32>
    tile.store %1, %o[%i1, %c0] [1, 64] : tensor<64xf32>, memref<26x64xf32>
    tile.store %2, %o[%i2, %c0] [1, 64] : tensor<64xf32>, memref<26x64xf32>
    tile.store %3, %o[%i3, %c0] [1, 64] : tensor<64xf32>, memref<26x64xf32>
    tile.store %4, %o[%i4, %c0] [1, 64] : tensor<64xf32>, memref<26x64xf32>
    tile.store %5, %o[%i5, %c0] [1, 64] : tensor<64xf32>, memref<26x64xf32>
    tile.store %6, %o[%i6, %c0] [1, 64] : tensor<64xf32>, memref<26x64xf32>
    tile.store %7, %o[%i7, %c0] [1, 64] : tensor<64xf32>, memref<26x64xf32>
    tile.store %8, %o[%i8, %c0] [1, 64] : tensor<64xf32>, memref<26x64xf32>
    tile.store %9, %o[%i9, %c0] [1, 64] : tensor<64xf32>, memref<26x64xf32>
    tile.store %10, %o[%i10, %c0] [1, 64] : tensor<64xf32>, memref<26x64xf32>
    tile.store %11, %o[%i11, %c0] [1, 64] : tensor<64xf32>, memref<26x64xf32>
    tile.store %12, %o[%i12, %c0] [1, 64] : tensor<64xf32>, memref<26x64xf32>
    tile.store %13, %o[%i13, %c0] [1, 64] : tensor<64xf32>, memref<26x64xf32>
    tile.store %14, %o[%i14, %c0] [1, 64] : tensor<64xf32>, memref<26x64xf32>
    tile.store %15, %o[%i15, %c0] [1, 64] : tensor<64xf32>, memref<26x64xf32>
    tile.store %16, %o[%i16, %c0] [1, 64] : tensor<64xf32>, memref<26x64xf32>
    tile.store %17, %o[%i17, %c0] [1, 64] : tensor<64xf32>, memref<26x64xf32>
    tile.store %18, %o[%i18, %c0] [1, 64] : tensor<64xf32>, memref<26x64xf32>
    tile.store %19, %o[%i19, %c0] [1, 64] : tensor<64xf32>, memref<26x64xf32>
    tile.store %20, %o[%i20, %c0] [1, 64] : tensor<64xf32>, memref<26x64xf32>
    tile.store %21, %o[%i21, %c0] [1, 64] : tensor<64xf32>, memref<26x64xf32>
    tile.store %22, %o[%i22, %c0] [1, 64] : tensor<64xf32>, memref<26x64xf32>
    tile.store %23, %o[%i23, %c0] [1, 64] : tensor<64xf32>, memref<26x64xf32>
  }
  return
}

func.func @f16(%a: memref<64xf16>, %o: memref<64xf16>, %b: memref<64xbf16>, %q: memref<64xbf16>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %t = tile.load %a : memref<64xf16> -> tensor<64xf16>
    %0 = math.exp %t : tensor<64xf16>
    %1 = math.sqrt %0 : tensor<64xf16>
    %2 = math.fma %1, %t, %0 : tensor<64xf16>
    %3 = math.tanh %2 : tensor<64xf16>
    tile.store %3, %o : tensor<64xf16>, memref<64xf16>
    %u = tile.load %b : memref<64xbf16> -> tensor<64xbf16>
    %4 = math.log %u : tensor<64xbf16>
    %5 = math.fma %4, %u, %u : tensor<64xbf16>
    tile.store %5, %q : tensor<64xbf16>, memref<64xbf16>
  }
  return
}

func.func @fast(%a: memref<64xf32>, %o: memref<8x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %i1 = arith.constant 1 : index
    %i2 = arith.constant 2 : index
    %i3 = arith.constant 3 : index
    %i4 = arith.constant 4 : index
    %i5 = arith.constant 5 : index
    %i6 = arith.constant 6 : index
    %t = tile.load %a : memref<64xf32> -> tensor<64xf32>
    %0 = math.exp2 %t fastmath<afn> : tensor<64xf32>
    %1 = math.exp %t fastmath<afn> : tensor<64xf32>
    %2 = math.log2 %t fastmath<afn> : tensor<64xf32>
    %3 = math.rsqrt %t fastmath<afn> : tensor<64xf32>
    %4 = math.tanh %t fastmath<afn> : tensor<64xf32>
    %5 = math.sin %t fastmath<afn> : tensor<64xf32>
    %6 = arith.divf %t, %0 fastmath<afn> : tensor<64xf32>
    tile.store %0, %o[%c0, %c0] [1, 64] : tensor<64xf32>, memref<8x64xf32>
    tile.store %1, %o[%i1, %c0] [1, 64] : tensor<64xf32>, memref<8x64xf32>
    tile.store %2, %o[%i2, %c0] [1, 64] : tensor<64xf32>, memref<8x64xf32>
    tile.store %3, %o[%i3, %c0] [1, 64] : tensor<64xf32>, memref<8x64xf32>
    tile.store %4, %o[%i4, %c0] [1, 64] : tensor<64xf32>, memref<8x64xf32>
    tile.store %5, %o[%i5, %c0] [1, 64] : tensor<64xf32>, memref<8x64xf32>
    tile.store %6, %o[%i6, %c0] [1, 64] : tensor<64xf32>, memref<8x64xf32>
  }
  return
}

func.func @integers(%a: memref<64xi32>, %o: memref<4x64xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %i1 = arith.constant 1 : index
    %i2 = arith.constant 2 : index
    %t = tile.load %a : memref<64xi32> -> tensor<64xi32>
    %0 = math.absi %t : tensor<64xi32>
    %1 = math.ctlz %t : tensor<64xi32>
    %2 = math.ctpop %t : tensor<64xi32>
    tile.store %0, %o[%c0, %c0] [1, 64] : tensor<64xi32>, memref<4x64xi32>
    tile.store %1, %o[%i1, %c0] [1, 64] : tensor<64xi32>, memref<4x64xi32>
    tile.store %2, %o[%i2, %c0] [1, 64] : tensor<64xi32>, memref<4x64xi32>
  }
  return
}

func.func @casts(%a: memref<128xf32>, %h: memref<128xf16>, %b: memref<128xbf16>, %e: memref<128xf8E4M3FN>,
                 %f: memref<128xf8E5M2>, %d: memref<128xf64>, %i: memref<128xi32>, %g: memref<128xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %t = tile.load %a : memref<128xf32> -> tensor<128xf32>
    %0 = arith.truncf %t : tensor<128xf32> to tensor<128xf16>
    tile.store %0, %h : tensor<128xf16>, memref<128xf16>
    %1 = arith.truncf %t : tensor<128xf32> to tensor<128xbf16>
    tile.store %1, %b : tensor<128xbf16>, memref<128xbf16>
    %2 = arith.truncf %t : tensor<128xf32> to tensor<128xf8E4M3FN>
    tile.store %2, %e : tensor<128xf8E4M3FN>, memref<128xf8E4M3FN>
    %3 = arith.truncf %t : tensor<128xf32> to tensor<128xf8E5M2>
    tile.store %3, %f : tensor<128xf8E5M2>, memref<128xf8E5M2>
    %4 = arith.extf %t : tensor<128xf32> to tensor<128xf64>
    tile.store %4, %d : tensor<128xf64>, memref<128xf64>
    %5 = arith.fptosi %t : tensor<128xf32> to tensor<128xi32>
    tile.store %5, %i : tensor<128xi32>, memref<128xi32>
    %6 = arith.extf %2 : tensor<128xf8E4M3FN> to tensor<128xf32>
    %7 = arith.sitofp %5 : tensor<128xi32> to tensor<128xf32>
    %8 = arith.addf %6, %7 : tensor<128xf32>
    tile.store %8, %g : tensor<128xf32>, memref<128xf32>
  }
  return
}
