// Every conversion of arith from a float to every element type: on fragments (row 0 of
// a result), on the scalars of iterations (row 1) and on scalars of the block (row 2).
// Each rounds once, so nothing is tolerated. Conversions to unsigned integers are of
// magnitudes, as what is out of range is unspecified.
// RUN: tile-run %s --entry=f64 --on=emulator --chip=sm_80 --check --rtol=0 --atol=0 --data='0:normal(0,20)'
// RUN: tile-run %s --entry=f64 --on=emulator --chip=sm_90a --check --rtol=0 --atol=0 --data='0:normal(0,20)'
// RUN: tile-run %s --entry=f32 --on=emulator --chip=sm_80 --check --rtol=0 --atol=0 --data='0:normal(0,20)'
// RUN: tile-run %s --entry=f32 --on=emulator --chip=sm_90a --check --rtol=0 --atol=0 --data='0:normal(0,20)'
// RUN: tile-run %s --entry=f16 --on=emulator --chip=sm_80 --check --rtol=0 --atol=0 --data='0:normal(0,20)'
// RUN: tile-run %s --entry=f16 --on=emulator --chip=sm_90a --check --rtol=0 --atol=0 --data='0:normal(0,20)'
// RUN: tile-run %s --entry=bf16 --on=emulator --chip=sm_80 --check --rtol=0 --atol=0 --data='0:normal(0,20)'
// RUN: tile-run %s --entry=bf16 --on=emulator --chip=sm_90a --check --rtol=0 --atol=0 --data='0:normal(0,20)'
// RUN: tile-run %s --entry=f8E4M3FN --on=emulator --chip=sm_80 --check --rtol=0 --atol=0 --data='0:normal(0,20)'
// RUN: tile-run %s --entry=f8E4M3FN --on=emulator --chip=sm_90a --check --rtol=0 --atol=0 --data='0:normal(0,20)'
// RUN: tile-run %s --entry=f8E5M2 --on=emulator --chip=sm_80 --check --rtol=0 --atol=0 --data='0:normal(0,20)'
// RUN: tile-run %s --entry=f8E5M2 --on=emulator --chip=sm_90a --check --rtol=0 --atol=0 --data='0:normal(0,20)'

func.func @f64(%a: memref<37xf64>,
    %o0: memref<3x37xf32>,
    %o1: memref<3x37xf16>,
    %o2: memref<3x37xbf16>,
    %o3: memref<3x37xf8E4M3FN>,
    %o4: memref<3x37xf8E5M2>,
    %o5: memref<3x37xi8>,
    %o6: memref<3x37xi8>,
    %o7: memref<3x37xi16>,
    %o8: memref<3x37xi16>,
    %o9: memref<3x37xi32>,
    %o10: memref<3x37xi32>,
    %o11: memref<3x37xi64>,
    %o12: memref<3x37xi64>,
    %o13: memref<3x37xi64>) {
  %g = arith.constant 1 : index
  tile.launch blocks(%block) in (%g) threads(64) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %n = arith.constant 37 : index
    %t = tile.load %a : memref<37xf64> -> tensor<37xf64>
    %abs = math.absf %t : tensor<37xf64>
    %t0 = arith.truncf %t : tensor<37xf64> to tensor<37xf32>
    tile.store %t0, %o0[%c0, %c0] [1, 37] : tensor<37xf32>, memref<3x37xf32>
    %t1 = arith.truncf %t : tensor<37xf64> to tensor<37xf16>
    tile.store %t1, %o1[%c0, %c0] [1, 37] : tensor<37xf16>, memref<3x37xf16>
    %t2 = arith.truncf %t : tensor<37xf64> to tensor<37xbf16>
    tile.store %t2, %o2[%c0, %c0] [1, 37] : tensor<37xbf16>, memref<3x37xbf16>
    %t3 = arith.truncf %t : tensor<37xf64> to tensor<37xf8E4M3FN>
    tile.store %t3, %o3[%c0, %c0] [1, 37] : tensor<37xf8E4M3FN>, memref<3x37xf8E4M3FN>
    %t4 = arith.truncf %t : tensor<37xf64> to tensor<37xf8E5M2>
    tile.store %t4, %o4[%c0, %c0] [1, 37] : tensor<37xf8E5M2>, memref<3x37xf8E5M2>
    %t5 = arith.fptosi %t : tensor<37xf64> to tensor<37xi8>
    tile.store %t5, %o5[%c0, %c0] [1, 37] : tensor<37xi8>, memref<3x37xi8>
    %t6 = arith.fptoui %abs : tensor<37xf64> to tensor<37xi8>
    tile.store %t6, %o6[%c0, %c0] [1, 37] : tensor<37xi8>, memref<3x37xi8>
    %t7 = arith.fptosi %t : tensor<37xf64> to tensor<37xi16>
    tile.store %t7, %o7[%c0, %c0] [1, 37] : tensor<37xi16>, memref<3x37xi16>
    %t8 = arith.fptoui %abs : tensor<37xf64> to tensor<37xi16>
    tile.store %t8, %o8[%c0, %c0] [1, 37] : tensor<37xi16>, memref<3x37xi16>
    %t9 = arith.fptosi %t : tensor<37xf64> to tensor<37xi32>
    tile.store %t9, %o9[%c0, %c0] [1, 37] : tensor<37xi32>, memref<3x37xi32>
    %t10 = arith.fptoui %abs : tensor<37xf64> to tensor<37xi32>
    tile.store %t10, %o10[%c0, %c0] [1, 37] : tensor<37xi32>, memref<3x37xi32>
    %t11 = arith.fptosi %t : tensor<37xf64> to tensor<37xi64>
    tile.store %t11, %o11[%c0, %c0] [1, 37] : tensor<37xi64>, memref<3x37xi64>
    %t12 = arith.fptoui %abs : tensor<37xf64> to tensor<37xi64>
    tile.store %t12, %o12[%c0, %c0] [1, 37] : tensor<37xi64>, memref<3x37xi64>
    %t13 = arith.bitcast %t : tensor<37xf64> to tensor<37xi64>
    tile.store %t13, %o13[%c0, %c0] [1, 37] : tensor<37xi64>, memref<3x37xi64>
    tile.parallel (%i) in (37) {
      %e = memref.load %a[%i] : memref<37xf64>
      %p = math.absf %e : f64
      %e0 = arith.truncf %e : f64 to f32
      memref.store %e0, %o0[%c1, %i] : memref<3x37xf32>
      %e1 = arith.truncf %e : f64 to f16
      memref.store %e1, %o1[%c1, %i] : memref<3x37xf16>
      %e2 = arith.truncf %e : f64 to bf16
      memref.store %e2, %o2[%c1, %i] : memref<3x37xbf16>
      %e3 = arith.truncf %e : f64 to f8E4M3FN
      memref.store %e3, %o3[%c1, %i] : memref<3x37xf8E4M3FN>
      %e4 = arith.truncf %e : f64 to f8E5M2
      memref.store %e4, %o4[%c1, %i] : memref<3x37xf8E5M2>
      %e5 = arith.fptosi %e : f64 to i8
      memref.store %e5, %o5[%c1, %i] : memref<3x37xi8>
      %e6 = arith.fptoui %p : f64 to i8
      memref.store %e6, %o6[%c1, %i] : memref<3x37xi8>
      %e7 = arith.fptosi %e : f64 to i16
      memref.store %e7, %o7[%c1, %i] : memref<3x37xi16>
      %e8 = arith.fptoui %p : f64 to i16
      memref.store %e8, %o8[%c1, %i] : memref<3x37xi16>
      %e9 = arith.fptosi %e : f64 to i32
      memref.store %e9, %o9[%c1, %i] : memref<3x37xi32>
      %e10 = arith.fptoui %p : f64 to i32
      memref.store %e10, %o10[%c1, %i] : memref<3x37xi32>
      %e11 = arith.fptosi %e : f64 to i64
      memref.store %e11, %o11[%c1, %i] : memref<3x37xi64>
      %e12 = arith.fptoui %p : f64 to i64
      memref.store %e12, %o12[%c1, %i] : memref<3x37xi64>
      %e13 = arith.bitcast %e : f64 to i64
      memref.store %e13, %o13[%c1, %i] : memref<3x37xi64>
    }
    scf.for %i = %c0 to %n step %c1 {
      %e = memref.load %a[%i] : memref<37xf64>
      %p = math.absf %e : f64
      %e0 = arith.truncf %e : f64 to f32
      memref.store %e0, %o0[%c2, %i] : memref<3x37xf32>
      %e1 = arith.truncf %e : f64 to f16
      memref.store %e1, %o1[%c2, %i] : memref<3x37xf16>
      %e2 = arith.truncf %e : f64 to bf16
      memref.store %e2, %o2[%c2, %i] : memref<3x37xbf16>
      %e3 = arith.truncf %e : f64 to f8E4M3FN
      memref.store %e3, %o3[%c2, %i] : memref<3x37xf8E4M3FN>
      %e4 = arith.truncf %e : f64 to f8E5M2
      memref.store %e4, %o4[%c2, %i] : memref<3x37xf8E5M2>
      %e5 = arith.fptosi %e : f64 to i8
      memref.store %e5, %o5[%c2, %i] : memref<3x37xi8>
      %e6 = arith.fptoui %p : f64 to i8
      memref.store %e6, %o6[%c2, %i] : memref<3x37xi8>
      %e7 = arith.fptosi %e : f64 to i16
      memref.store %e7, %o7[%c2, %i] : memref<3x37xi16>
      %e8 = arith.fptoui %p : f64 to i16
      memref.store %e8, %o8[%c2, %i] : memref<3x37xi16>
      %e9 = arith.fptosi %e : f64 to i32
      memref.store %e9, %o9[%c2, %i] : memref<3x37xi32>
      %e10 = arith.fptoui %p : f64 to i32
      memref.store %e10, %o10[%c2, %i] : memref<3x37xi32>
      %e11 = arith.fptosi %e : f64 to i64
      memref.store %e11, %o11[%c2, %i] : memref<3x37xi64>
      %e12 = arith.fptoui %p : f64 to i64
      memref.store %e12, %o12[%c2, %i] : memref<3x37xi64>
      %e13 = arith.bitcast %e : f64 to i64
      memref.store %e13, %o13[%c2, %i] : memref<3x37xi64>
    }
  }
  return
}

func.func @f32(%a: memref<37xf32>,
    %o0: memref<3x37xf64>,
    %o1: memref<3x37xf16>,
    %o2: memref<3x37xbf16>,
    %o3: memref<3x37xf8E4M3FN>,
    %o4: memref<3x37xf8E5M2>,
    %o5: memref<3x37xi8>,
    %o6: memref<3x37xi8>,
    %o7: memref<3x37xi16>,
    %o8: memref<3x37xi16>,
    %o9: memref<3x37xi32>,
    %o10: memref<3x37xi32>,
    %o11: memref<3x37xi64>,
    %o12: memref<3x37xi64>,
    %o13: memref<3x37xi32>) {
  %g = arith.constant 1 : index
  tile.launch blocks(%block) in (%g) threads(64) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %n = arith.constant 37 : index
    %t = tile.load %a : memref<37xf32> -> tensor<37xf32>
    %abs = math.absf %t : tensor<37xf32>
    %t0 = arith.extf %t : tensor<37xf32> to tensor<37xf64>
    tile.store %t0, %o0[%c0, %c0] [1, 37] : tensor<37xf64>, memref<3x37xf64>
    %t1 = arith.truncf %t : tensor<37xf32> to tensor<37xf16>
    tile.store %t1, %o1[%c0, %c0] [1, 37] : tensor<37xf16>, memref<3x37xf16>
    %t2 = arith.truncf %t : tensor<37xf32> to tensor<37xbf16>
    tile.store %t2, %o2[%c0, %c0] [1, 37] : tensor<37xbf16>, memref<3x37xbf16>
    %t3 = arith.truncf %t : tensor<37xf32> to tensor<37xf8E4M3FN>
    tile.store %t3, %o3[%c0, %c0] [1, 37] : tensor<37xf8E4M3FN>, memref<3x37xf8E4M3FN>
    %t4 = arith.truncf %t : tensor<37xf32> to tensor<37xf8E5M2>
    tile.store %t4, %o4[%c0, %c0] [1, 37] : tensor<37xf8E5M2>, memref<3x37xf8E5M2>
    %t5 = arith.fptosi %t : tensor<37xf32> to tensor<37xi8>
    tile.store %t5, %o5[%c0, %c0] [1, 37] : tensor<37xi8>, memref<3x37xi8>
    %t6 = arith.fptoui %abs : tensor<37xf32> to tensor<37xi8>
    tile.store %t6, %o6[%c0, %c0] [1, 37] : tensor<37xi8>, memref<3x37xi8>
    %t7 = arith.fptosi %t : tensor<37xf32> to tensor<37xi16>
    tile.store %t7, %o7[%c0, %c0] [1, 37] : tensor<37xi16>, memref<3x37xi16>
    %t8 = arith.fptoui %abs : tensor<37xf32> to tensor<37xi16>
    tile.store %t8, %o8[%c0, %c0] [1, 37] : tensor<37xi16>, memref<3x37xi16>
    %t9 = arith.fptosi %t : tensor<37xf32> to tensor<37xi32>
    tile.store %t9, %o9[%c0, %c0] [1, 37] : tensor<37xi32>, memref<3x37xi32>
    %t10 = arith.fptoui %abs : tensor<37xf32> to tensor<37xi32>
    tile.store %t10, %o10[%c0, %c0] [1, 37] : tensor<37xi32>, memref<3x37xi32>
    %t11 = arith.fptosi %t : tensor<37xf32> to tensor<37xi64>
    tile.store %t11, %o11[%c0, %c0] [1, 37] : tensor<37xi64>, memref<3x37xi64>
    %t12 = arith.fptoui %abs : tensor<37xf32> to tensor<37xi64>
    tile.store %t12, %o12[%c0, %c0] [1, 37] : tensor<37xi64>, memref<3x37xi64>
    %t13 = arith.bitcast %t : tensor<37xf32> to tensor<37xi32>
    tile.store %t13, %o13[%c0, %c0] [1, 37] : tensor<37xi32>, memref<3x37xi32>
    tile.parallel (%i) in (37) {
      %e = memref.load %a[%i] : memref<37xf32>
      %p = math.absf %e : f32
      %e0 = arith.extf %e : f32 to f64
      memref.store %e0, %o0[%c1, %i] : memref<3x37xf64>
      %e1 = arith.truncf %e : f32 to f16
      memref.store %e1, %o1[%c1, %i] : memref<3x37xf16>
      %e2 = arith.truncf %e : f32 to bf16
      memref.store %e2, %o2[%c1, %i] : memref<3x37xbf16>
      %e3 = arith.truncf %e : f32 to f8E4M3FN
      memref.store %e3, %o3[%c1, %i] : memref<3x37xf8E4M3FN>
      %e4 = arith.truncf %e : f32 to f8E5M2
      memref.store %e4, %o4[%c1, %i] : memref<3x37xf8E5M2>
      %e5 = arith.fptosi %e : f32 to i8
      memref.store %e5, %o5[%c1, %i] : memref<3x37xi8>
      %e6 = arith.fptoui %p : f32 to i8
      memref.store %e6, %o6[%c1, %i] : memref<3x37xi8>
      %e7 = arith.fptosi %e : f32 to i16
      memref.store %e7, %o7[%c1, %i] : memref<3x37xi16>
      %e8 = arith.fptoui %p : f32 to i16
      memref.store %e8, %o8[%c1, %i] : memref<3x37xi16>
      %e9 = arith.fptosi %e : f32 to i32
      memref.store %e9, %o9[%c1, %i] : memref<3x37xi32>
      %e10 = arith.fptoui %p : f32 to i32
      memref.store %e10, %o10[%c1, %i] : memref<3x37xi32>
      %e11 = arith.fptosi %e : f32 to i64
      memref.store %e11, %o11[%c1, %i] : memref<3x37xi64>
      %e12 = arith.fptoui %p : f32 to i64
      memref.store %e12, %o12[%c1, %i] : memref<3x37xi64>
      %e13 = arith.bitcast %e : f32 to i32
      memref.store %e13, %o13[%c1, %i] : memref<3x37xi32>
    }
    scf.for %i = %c0 to %n step %c1 {
      %e = memref.load %a[%i] : memref<37xf32>
      %p = math.absf %e : f32
      %e0 = arith.extf %e : f32 to f64
      memref.store %e0, %o0[%c2, %i] : memref<3x37xf64>
      %e1 = arith.truncf %e : f32 to f16
      memref.store %e1, %o1[%c2, %i] : memref<3x37xf16>
      %e2 = arith.truncf %e : f32 to bf16
      memref.store %e2, %o2[%c2, %i] : memref<3x37xbf16>
      %e3 = arith.truncf %e : f32 to f8E4M3FN
      memref.store %e3, %o3[%c2, %i] : memref<3x37xf8E4M3FN>
      %e4 = arith.truncf %e : f32 to f8E5M2
      memref.store %e4, %o4[%c2, %i] : memref<3x37xf8E5M2>
      %e5 = arith.fptosi %e : f32 to i8
      memref.store %e5, %o5[%c2, %i] : memref<3x37xi8>
      %e6 = arith.fptoui %p : f32 to i8
      memref.store %e6, %o6[%c2, %i] : memref<3x37xi8>
      %e7 = arith.fptosi %e : f32 to i16
      memref.store %e7, %o7[%c2, %i] : memref<3x37xi16>
      %e8 = arith.fptoui %p : f32 to i16
      memref.store %e8, %o8[%c2, %i] : memref<3x37xi16>
      %e9 = arith.fptosi %e : f32 to i32
      memref.store %e9, %o9[%c2, %i] : memref<3x37xi32>
      %e10 = arith.fptoui %p : f32 to i32
      memref.store %e10, %o10[%c2, %i] : memref<3x37xi32>
      %e11 = arith.fptosi %e : f32 to i64
      memref.store %e11, %o11[%c2, %i] : memref<3x37xi64>
      %e12 = arith.fptoui %p : f32 to i64
      memref.store %e12, %o12[%c2, %i] : memref<3x37xi64>
      %e13 = arith.bitcast %e : f32 to i32
      memref.store %e13, %o13[%c2, %i] : memref<3x37xi32>
    }
  }
  return
}

func.func @f16(%a: memref<37xf16>,
    %o0: memref<3x37xf64>,
    %o1: memref<3x37xf32>,
    %o2: memref<3x37xf8E4M3FN>,
    %o3: memref<3x37xf8E5M2>,
    %o4: memref<3x37xi8>,
    %o5: memref<3x37xi8>,
    %o6: memref<3x37xi16>,
    %o7: memref<3x37xi16>,
    %o8: memref<3x37xi32>,
    %o9: memref<3x37xi32>,
    %o10: memref<3x37xi64>,
    %o11: memref<3x37xi64>,
    %o12: memref<3x37xbf16>,
    %o13: memref<3x37xi16>) {
  %g = arith.constant 1 : index
  tile.launch blocks(%block) in (%g) threads(64) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %n = arith.constant 37 : index
    %t = tile.load %a : memref<37xf16> -> tensor<37xf16>
    %abs = math.absf %t : tensor<37xf16>
    %t0 = arith.extf %t : tensor<37xf16> to tensor<37xf64>
    tile.store %t0, %o0[%c0, %c0] [1, 37] : tensor<37xf64>, memref<3x37xf64>
    %t1 = arith.extf %t : tensor<37xf16> to tensor<37xf32>
    tile.store %t1, %o1[%c0, %c0] [1, 37] : tensor<37xf32>, memref<3x37xf32>
    %t2 = arith.truncf %t : tensor<37xf16> to tensor<37xf8E4M3FN>
    tile.store %t2, %o2[%c0, %c0] [1, 37] : tensor<37xf8E4M3FN>, memref<3x37xf8E4M3FN>
    %t3 = arith.truncf %t : tensor<37xf16> to tensor<37xf8E5M2>
    tile.store %t3, %o3[%c0, %c0] [1, 37] : tensor<37xf8E5M2>, memref<3x37xf8E5M2>
    %t4 = arith.fptosi %t : tensor<37xf16> to tensor<37xi8>
    tile.store %t4, %o4[%c0, %c0] [1, 37] : tensor<37xi8>, memref<3x37xi8>
    %t5 = arith.fptoui %abs : tensor<37xf16> to tensor<37xi8>
    tile.store %t5, %o5[%c0, %c0] [1, 37] : tensor<37xi8>, memref<3x37xi8>
    %t6 = arith.fptosi %t : tensor<37xf16> to tensor<37xi16>
    tile.store %t6, %o6[%c0, %c0] [1, 37] : tensor<37xi16>, memref<3x37xi16>
    %t7 = arith.fptoui %abs : tensor<37xf16> to tensor<37xi16>
    tile.store %t7, %o7[%c0, %c0] [1, 37] : tensor<37xi16>, memref<3x37xi16>
    %t8 = arith.fptosi %t : tensor<37xf16> to tensor<37xi32>
    tile.store %t8, %o8[%c0, %c0] [1, 37] : tensor<37xi32>, memref<3x37xi32>
    %t9 = arith.fptoui %abs : tensor<37xf16> to tensor<37xi32>
    tile.store %t9, %o9[%c0, %c0] [1, 37] : tensor<37xi32>, memref<3x37xi32>
    %t10 = arith.fptosi %t : tensor<37xf16> to tensor<37xi64>
    tile.store %t10, %o10[%c0, %c0] [1, 37] : tensor<37xi64>, memref<3x37xi64>
    %t11 = arith.fptoui %abs : tensor<37xf16> to tensor<37xi64>
    tile.store %t11, %o11[%c0, %c0] [1, 37] : tensor<37xi64>, memref<3x37xi64>
    %t12 = arith.bitcast %t : tensor<37xf16> to tensor<37xbf16>
    tile.store %t12, %o12[%c0, %c0] [1, 37] : tensor<37xbf16>, memref<3x37xbf16>
    %t13 = arith.bitcast %t : tensor<37xf16> to tensor<37xi16>
    tile.store %t13, %o13[%c0, %c0] [1, 37] : tensor<37xi16>, memref<3x37xi16>
    tile.parallel (%i) in (37) {
      %e = memref.load %a[%i] : memref<37xf16>
      %p = math.absf %e : f16
      %e0 = arith.extf %e : f16 to f64
      memref.store %e0, %o0[%c1, %i] : memref<3x37xf64>
      %e1 = arith.extf %e : f16 to f32
      memref.store %e1, %o1[%c1, %i] : memref<3x37xf32>
      %e2 = arith.truncf %e : f16 to f8E4M3FN
      memref.store %e2, %o2[%c1, %i] : memref<3x37xf8E4M3FN>
      %e3 = arith.truncf %e : f16 to f8E5M2
      memref.store %e3, %o3[%c1, %i] : memref<3x37xf8E5M2>
      %e4 = arith.fptosi %e : f16 to i8
      memref.store %e4, %o4[%c1, %i] : memref<3x37xi8>
      %e5 = arith.fptoui %p : f16 to i8
      memref.store %e5, %o5[%c1, %i] : memref<3x37xi8>
      %e6 = arith.fptosi %e : f16 to i16
      memref.store %e6, %o6[%c1, %i] : memref<3x37xi16>
      %e7 = arith.fptoui %p : f16 to i16
      memref.store %e7, %o7[%c1, %i] : memref<3x37xi16>
      %e8 = arith.fptosi %e : f16 to i32
      memref.store %e8, %o8[%c1, %i] : memref<3x37xi32>
      %e9 = arith.fptoui %p : f16 to i32
      memref.store %e9, %o9[%c1, %i] : memref<3x37xi32>
      %e10 = arith.fptosi %e : f16 to i64
      memref.store %e10, %o10[%c1, %i] : memref<3x37xi64>
      %e11 = arith.fptoui %p : f16 to i64
      memref.store %e11, %o11[%c1, %i] : memref<3x37xi64>
      %e12 = arith.bitcast %e : f16 to bf16
      memref.store %e12, %o12[%c1, %i] : memref<3x37xbf16>
      %e13 = arith.bitcast %e : f16 to i16
      memref.store %e13, %o13[%c1, %i] : memref<3x37xi16>
    }
    scf.for %i = %c0 to %n step %c1 {
      %e = memref.load %a[%i] : memref<37xf16>
      %p = math.absf %e : f16
      %e0 = arith.extf %e : f16 to f64
      memref.store %e0, %o0[%c2, %i] : memref<3x37xf64>
      %e1 = arith.extf %e : f16 to f32
      memref.store %e1, %o1[%c2, %i] : memref<3x37xf32>
      %e2 = arith.truncf %e : f16 to f8E4M3FN
      memref.store %e2, %o2[%c2, %i] : memref<3x37xf8E4M3FN>
      %e3 = arith.truncf %e : f16 to f8E5M2
      memref.store %e3, %o3[%c2, %i] : memref<3x37xf8E5M2>
      %e4 = arith.fptosi %e : f16 to i8
      memref.store %e4, %o4[%c2, %i] : memref<3x37xi8>
      %e5 = arith.fptoui %p : f16 to i8
      memref.store %e5, %o5[%c2, %i] : memref<3x37xi8>
      %e6 = arith.fptosi %e : f16 to i16
      memref.store %e6, %o6[%c2, %i] : memref<3x37xi16>
      %e7 = arith.fptoui %p : f16 to i16
      memref.store %e7, %o7[%c2, %i] : memref<3x37xi16>
      %e8 = arith.fptosi %e : f16 to i32
      memref.store %e8, %o8[%c2, %i] : memref<3x37xi32>
      %e9 = arith.fptoui %p : f16 to i32
      memref.store %e9, %o9[%c2, %i] : memref<3x37xi32>
      %e10 = arith.fptosi %e : f16 to i64
      memref.store %e10, %o10[%c2, %i] : memref<3x37xi64>
      %e11 = arith.fptoui %p : f16 to i64
      memref.store %e11, %o11[%c2, %i] : memref<3x37xi64>
      %e12 = arith.bitcast %e : f16 to bf16
      memref.store %e12, %o12[%c2, %i] : memref<3x37xbf16>
      %e13 = arith.bitcast %e : f16 to i16
      memref.store %e13, %o13[%c2, %i] : memref<3x37xi16>
    }
  }
  return
}

func.func @bf16(%a: memref<37xbf16>,
    %o0: memref<3x37xf64>,
    %o1: memref<3x37xf32>,
    %o2: memref<3x37xf8E4M3FN>,
    %o3: memref<3x37xf8E5M2>,
    %o4: memref<3x37xi8>,
    %o5: memref<3x37xi8>,
    %o6: memref<3x37xi16>,
    %o7: memref<3x37xi16>,
    %o8: memref<3x37xi32>,
    %o9: memref<3x37xi32>,
    %o10: memref<3x37xi64>,
    %o11: memref<3x37xi64>,
    %o12: memref<3x37xf16>,
    %o13: memref<3x37xi16>) {
  %g = arith.constant 1 : index
  tile.launch blocks(%block) in (%g) threads(64) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %n = arith.constant 37 : index
    %t = tile.load %a : memref<37xbf16> -> tensor<37xbf16>
    %abs = math.absf %t : tensor<37xbf16>
    %t0 = arith.extf %t : tensor<37xbf16> to tensor<37xf64>
    tile.store %t0, %o0[%c0, %c0] [1, 37] : tensor<37xf64>, memref<3x37xf64>
    %t1 = arith.extf %t : tensor<37xbf16> to tensor<37xf32>
    tile.store %t1, %o1[%c0, %c0] [1, 37] : tensor<37xf32>, memref<3x37xf32>
    %t2 = arith.truncf %t : tensor<37xbf16> to tensor<37xf8E4M3FN>
    tile.store %t2, %o2[%c0, %c0] [1, 37] : tensor<37xf8E4M3FN>, memref<3x37xf8E4M3FN>
    %t3 = arith.truncf %t : tensor<37xbf16> to tensor<37xf8E5M2>
    tile.store %t3, %o3[%c0, %c0] [1, 37] : tensor<37xf8E5M2>, memref<3x37xf8E5M2>
    %t4 = arith.fptosi %t : tensor<37xbf16> to tensor<37xi8>
    tile.store %t4, %o4[%c0, %c0] [1, 37] : tensor<37xi8>, memref<3x37xi8>
    %t5 = arith.fptoui %abs : tensor<37xbf16> to tensor<37xi8>
    tile.store %t5, %o5[%c0, %c0] [1, 37] : tensor<37xi8>, memref<3x37xi8>
    %t6 = arith.fptosi %t : tensor<37xbf16> to tensor<37xi16>
    tile.store %t6, %o6[%c0, %c0] [1, 37] : tensor<37xi16>, memref<3x37xi16>
    %t7 = arith.fptoui %abs : tensor<37xbf16> to tensor<37xi16>
    tile.store %t7, %o7[%c0, %c0] [1, 37] : tensor<37xi16>, memref<3x37xi16>
    %t8 = arith.fptosi %t : tensor<37xbf16> to tensor<37xi32>
    tile.store %t8, %o8[%c0, %c0] [1, 37] : tensor<37xi32>, memref<3x37xi32>
    %t9 = arith.fptoui %abs : tensor<37xbf16> to tensor<37xi32>
    tile.store %t9, %o9[%c0, %c0] [1, 37] : tensor<37xi32>, memref<3x37xi32>
    %t10 = arith.fptosi %t : tensor<37xbf16> to tensor<37xi64>
    tile.store %t10, %o10[%c0, %c0] [1, 37] : tensor<37xi64>, memref<3x37xi64>
    %t11 = arith.fptoui %abs : tensor<37xbf16> to tensor<37xi64>
    tile.store %t11, %o11[%c0, %c0] [1, 37] : tensor<37xi64>, memref<3x37xi64>
    %t12 = arith.bitcast %t : tensor<37xbf16> to tensor<37xf16>
    tile.store %t12, %o12[%c0, %c0] [1, 37] : tensor<37xf16>, memref<3x37xf16>
    %t13 = arith.bitcast %t : tensor<37xbf16> to tensor<37xi16>
    tile.store %t13, %o13[%c0, %c0] [1, 37] : tensor<37xi16>, memref<3x37xi16>
    tile.parallel (%i) in (37) {
      %e = memref.load %a[%i] : memref<37xbf16>
      %p = math.absf %e : bf16
      %e0 = arith.extf %e : bf16 to f64
      memref.store %e0, %o0[%c1, %i] : memref<3x37xf64>
      %e1 = arith.extf %e : bf16 to f32
      memref.store %e1, %o1[%c1, %i] : memref<3x37xf32>
      %e2 = arith.truncf %e : bf16 to f8E4M3FN
      memref.store %e2, %o2[%c1, %i] : memref<3x37xf8E4M3FN>
      %e3 = arith.truncf %e : bf16 to f8E5M2
      memref.store %e3, %o3[%c1, %i] : memref<3x37xf8E5M2>
      %e4 = arith.fptosi %e : bf16 to i8
      memref.store %e4, %o4[%c1, %i] : memref<3x37xi8>
      %e5 = arith.fptoui %p : bf16 to i8
      memref.store %e5, %o5[%c1, %i] : memref<3x37xi8>
      %e6 = arith.fptosi %e : bf16 to i16
      memref.store %e6, %o6[%c1, %i] : memref<3x37xi16>
      %e7 = arith.fptoui %p : bf16 to i16
      memref.store %e7, %o7[%c1, %i] : memref<3x37xi16>
      %e8 = arith.fptosi %e : bf16 to i32
      memref.store %e8, %o8[%c1, %i] : memref<3x37xi32>
      %e9 = arith.fptoui %p : bf16 to i32
      memref.store %e9, %o9[%c1, %i] : memref<3x37xi32>
      %e10 = arith.fptosi %e : bf16 to i64
      memref.store %e10, %o10[%c1, %i] : memref<3x37xi64>
      %e11 = arith.fptoui %p : bf16 to i64
      memref.store %e11, %o11[%c1, %i] : memref<3x37xi64>
      %e12 = arith.bitcast %e : bf16 to f16
      memref.store %e12, %o12[%c1, %i] : memref<3x37xf16>
      %e13 = arith.bitcast %e : bf16 to i16
      memref.store %e13, %o13[%c1, %i] : memref<3x37xi16>
    }
    scf.for %i = %c0 to %n step %c1 {
      %e = memref.load %a[%i] : memref<37xbf16>
      %p = math.absf %e : bf16
      %e0 = arith.extf %e : bf16 to f64
      memref.store %e0, %o0[%c2, %i] : memref<3x37xf64>
      %e1 = arith.extf %e : bf16 to f32
      memref.store %e1, %o1[%c2, %i] : memref<3x37xf32>
      %e2 = arith.truncf %e : bf16 to f8E4M3FN
      memref.store %e2, %o2[%c2, %i] : memref<3x37xf8E4M3FN>
      %e3 = arith.truncf %e : bf16 to f8E5M2
      memref.store %e3, %o3[%c2, %i] : memref<3x37xf8E5M2>
      %e4 = arith.fptosi %e : bf16 to i8
      memref.store %e4, %o4[%c2, %i] : memref<3x37xi8>
      %e5 = arith.fptoui %p : bf16 to i8
      memref.store %e5, %o5[%c2, %i] : memref<3x37xi8>
      %e6 = arith.fptosi %e : bf16 to i16
      memref.store %e6, %o6[%c2, %i] : memref<3x37xi16>
      %e7 = arith.fptoui %p : bf16 to i16
      memref.store %e7, %o7[%c2, %i] : memref<3x37xi16>
      %e8 = arith.fptosi %e : bf16 to i32
      memref.store %e8, %o8[%c2, %i] : memref<3x37xi32>
      %e9 = arith.fptoui %p : bf16 to i32
      memref.store %e9, %o9[%c2, %i] : memref<3x37xi32>
      %e10 = arith.fptosi %e : bf16 to i64
      memref.store %e10, %o10[%c2, %i] : memref<3x37xi64>
      %e11 = arith.fptoui %p : bf16 to i64
      memref.store %e11, %o11[%c2, %i] : memref<3x37xi64>
      %e12 = arith.bitcast %e : bf16 to f16
      memref.store %e12, %o12[%c2, %i] : memref<3x37xf16>
      %e13 = arith.bitcast %e : bf16 to i16
      memref.store %e13, %o13[%c2, %i] : memref<3x37xi16>
    }
  }
  return
}

func.func @f8E4M3FN(%a: memref<37xf8E4M3FN>,
    %o0: memref<3x37xf64>,
    %o1: memref<3x37xf32>,
    %o2: memref<3x37xf16>,
    %o3: memref<3x37xbf16>) {
  %g = arith.constant 1 : index
  tile.launch blocks(%block) in (%g) threads(64) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %n = arith.constant 37 : index
    %t = tile.load %a : memref<37xf8E4M3FN> -> tensor<37xf8E4M3FN>
    %t0 = arith.extf %t : tensor<37xf8E4M3FN> to tensor<37xf64>
    tile.store %t0, %o0[%c0, %c0] [1, 37] : tensor<37xf64>, memref<3x37xf64>
    %t1 = arith.extf %t : tensor<37xf8E4M3FN> to tensor<37xf32>
    tile.store %t1, %o1[%c0, %c0] [1, 37] : tensor<37xf32>, memref<3x37xf32>
    %t2 = arith.extf %t : tensor<37xf8E4M3FN> to tensor<37xf16>
    tile.store %t2, %o2[%c0, %c0] [1, 37] : tensor<37xf16>, memref<3x37xf16>
    %t3 = arith.extf %t : tensor<37xf8E4M3FN> to tensor<37xbf16>
    tile.store %t3, %o3[%c0, %c0] [1, 37] : tensor<37xbf16>, memref<3x37xbf16>
    tile.parallel (%i) in (37) {
      %e = memref.load %a[%i] : memref<37xf8E4M3FN>
      %e0 = arith.extf %e : f8E4M3FN to f64
      memref.store %e0, %o0[%c1, %i] : memref<3x37xf64>
      %e1 = arith.extf %e : f8E4M3FN to f32
      memref.store %e1, %o1[%c1, %i] : memref<3x37xf32>
      %e2 = arith.extf %e : f8E4M3FN to f16
      memref.store %e2, %o2[%c1, %i] : memref<3x37xf16>
      %e3 = arith.extf %e : f8E4M3FN to bf16
      memref.store %e3, %o3[%c1, %i] : memref<3x37xbf16>
    }
    scf.for %i = %c0 to %n step %c1 {
      %e = memref.load %a[%i] : memref<37xf8E4M3FN>
      %e0 = arith.extf %e : f8E4M3FN to f64
      memref.store %e0, %o0[%c2, %i] : memref<3x37xf64>
      %e1 = arith.extf %e : f8E4M3FN to f32
      memref.store %e1, %o1[%c2, %i] : memref<3x37xf32>
      %e2 = arith.extf %e : f8E4M3FN to f16
      memref.store %e2, %o2[%c2, %i] : memref<3x37xf16>
      %e3 = arith.extf %e : f8E4M3FN to bf16
      memref.store %e3, %o3[%c2, %i] : memref<3x37xbf16>
    }
  }
  return
}

func.func @f8E5M2(%a: memref<37xf8E5M2>,
    %o0: memref<3x37xf64>,
    %o1: memref<3x37xf32>,
    %o2: memref<3x37xf16>,
    %o3: memref<3x37xbf16>) {
  %g = arith.constant 1 : index
  tile.launch blocks(%block) in (%g) threads(64) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %n = arith.constant 37 : index
    %t = tile.load %a : memref<37xf8E5M2> -> tensor<37xf8E5M2>
    %t0 = arith.extf %t : tensor<37xf8E5M2> to tensor<37xf64>
    tile.store %t0, %o0[%c0, %c0] [1, 37] : tensor<37xf64>, memref<3x37xf64>
    %t1 = arith.extf %t : tensor<37xf8E5M2> to tensor<37xf32>
    tile.store %t1, %o1[%c0, %c0] [1, 37] : tensor<37xf32>, memref<3x37xf32>
    %t2 = arith.extf %t : tensor<37xf8E5M2> to tensor<37xf16>
    tile.store %t2, %o2[%c0, %c0] [1, 37] : tensor<37xf16>, memref<3x37xf16>
    %t3 = arith.extf %t : tensor<37xf8E5M2> to tensor<37xbf16>
    tile.store %t3, %o3[%c0, %c0] [1, 37] : tensor<37xbf16>, memref<3x37xbf16>
    tile.parallel (%i) in (37) {
      %e = memref.load %a[%i] : memref<37xf8E5M2>
      %e0 = arith.extf %e : f8E5M2 to f64
      memref.store %e0, %o0[%c1, %i] : memref<3x37xf64>
      %e1 = arith.extf %e : f8E5M2 to f32
      memref.store %e1, %o1[%c1, %i] : memref<3x37xf32>
      %e2 = arith.extf %e : f8E5M2 to f16
      memref.store %e2, %o2[%c1, %i] : memref<3x37xf16>
      %e3 = arith.extf %e : f8E5M2 to bf16
      memref.store %e3, %o3[%c1, %i] : memref<3x37xbf16>
    }
    scf.for %i = %c0 to %n step %c1 {
      %e = memref.load %a[%i] : memref<37xf8E5M2>
      %e0 = arith.extf %e : f8E5M2 to f64
      memref.store %e0, %o0[%c2, %i] : memref<3x37xf64>
      %e1 = arith.extf %e : f8E5M2 to f32
      memref.store %e1, %o1[%c2, %i] : memref<3x37xf32>
      %e2 = arith.extf %e : f8E5M2 to f16
      memref.store %e2, %o2[%c2, %i] : memref<3x37xf16>
      %e3 = arith.extf %e : f8E5M2 to bf16
      memref.store %e3, %o3[%c2, %i] : memref<3x37xbf16>
    }
  }
  return
}
