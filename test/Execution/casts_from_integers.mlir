// Every conversion of arith from an integer to every element type: on fragments (row 0 of
// a result), on the scalars of iterations (row 1) and on scalars of the block (row 2).
// Each rounds once, so nothing is tolerated.
// RUN: tile-run %s --entry=i1 --on=emulator --chip=sm_80 --check --rtol=0 --atol=0 --data='0:values(0,1,1)'
// RUN: tile-run %s --entry=i1 --on=emulator --chip=sm_90a --check --rtol=0 --atol=0 --data='0:values(0,1,1)'
// RUN: tile-run %s --entry=i8 --on=emulator --chip=sm_80 --check --rtol=0 --atol=0 --data='0:integers(-128,127)'
// RUN: tile-run %s --entry=i8 --on=emulator --chip=sm_90a --check --rtol=0 --atol=0 --data='0:integers(-128,127)'
// RUN: tile-run %s --entry=i16 --on=emulator --chip=sm_80 --check --rtol=0 --atol=0 --data='0:integers(-32768,32767)'
// RUN: tile-run %s --entry=i16 --on=emulator --chip=sm_90a --check --rtol=0 --atol=0 --data='0:integers(-32768,32767)'
// RUN: tile-run %s --entry=i32 --on=emulator --chip=sm_80 --check --rtol=0 --atol=0 --data='0:integers(-2147483648,2147483647)'
// RUN: tile-run %s --entry=i32 --on=emulator --chip=sm_90a --check --rtol=0 --atol=0 --data='0:integers(-2147483648,2147483647)'
// RUN: tile-run %s --entry=i32 --on=emulator --chip=sm_80 --check --rtol=0 --atol=0 --data='0:integers(-300,300)'
// RUN: tile-run %s --entry=i32 --on=emulator --chip=sm_90a --check --rtol=0 --atol=0 --data='0:integers(-300,300)'
// RUN: tile-run %s --entry=i64 --on=emulator --chip=sm_80 --check --rtol=0 --atol=0 --data='0:integers(-9000000000000000000,9000000000000000000)'
// RUN: tile-run %s --entry=i64 --on=emulator --chip=sm_90a --check --rtol=0 --atol=0 --data='0:integers(-9000000000000000000,9000000000000000000)'
// RUN: tile-run %s --entry=i64 --on=emulator --chip=sm_80 --check --rtol=0 --atol=0 --data='0:integers(-20000000,20000000)'
// RUN: tile-run %s --entry=i64 --on=emulator --chip=sm_90a --check --rtol=0 --atol=0 --data='0:integers(-20000000,20000000)'
// RUN: tile-run %s --entry=index --on=emulator --chip=sm_80 --check --rtol=0 --atol=0 --data='0:integers(-9000000000000000000,9000000000000000000)'
// RUN: tile-run %s --entry=index --on=emulator --chip=sm_90a --check --rtol=0 --atol=0 --data='0:integers(-9000000000000000000,9000000000000000000)'
// RUN: tile-run %s --entry=widened_bits --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=widened_bits --on=emulator --chip=sm_90a --check

// LLVM joins widening and conversion to one from a bit, whose sign its code generator
// forgets on the way to bf16.
func.func @widened_bits(%a: memref<37xi1>, %o: memref<37xbf16>, %p: memref<37xbf16>, %q: memref<37xbf16>) {
  %g = arith.constant 1 : index
  tile.launch blocks(%block) in (%g) threads(64) {
    %t = tile.load %a : memref<37xi1> -> tensor<37xi1>
    %byte = arith.extsi %t : tensor<37xi1> to tensor<37xi8>
    %0 = arith.sitofp %byte : tensor<37xi8> to tensor<37xbf16>
    tile.store %0, %o : tensor<37xbf16>, memref<37xbf16>
    %word = arith.extsi %t : tensor<37xi1> to tensor<37xi32>
    %1 = arith.sitofp %word : tensor<37xi32> to tensor<37xbf16>
    tile.store %1, %p : tensor<37xbf16>, memref<37xbf16>
    %long = arith.extsi %t : tensor<37xi1> to tensor<37xi64>
    %2 = arith.sitofp %long : tensor<37xi64> to tensor<37xbf16>
    tile.store %2, %q : tensor<37xbf16>, memref<37xbf16>
  }
  return
}

func.func @i1(%a: memref<37xi1>,
    %o0: memref<3x37xi8>,
    %o1: memref<3x37xi8>,
    %o2: memref<3x37xi16>,
    %o3: memref<3x37xi16>,
    %o4: memref<3x37xi32>,
    %o5: memref<3x37xi32>,
    %o6: memref<3x37xi64>,
    %o7: memref<3x37xi64>,
    %o8: memref<3x37xf64>,
    %o9: memref<3x37xf64>,
    %o10: memref<3x37xf32>,
    %o11: memref<3x37xf32>,
    %o12: memref<3x37xf16>,
    %o13: memref<3x37xf16>,
    %o14: memref<3x37xbf16>,
    %o15: memref<3x37xbf16>,
    %o16: memref<3x37xindex>,
    %o17: memref<3x37xindex>) {
  %g = arith.constant 1 : index
  tile.launch blocks(%block) in (%g) threads(64) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %n = arith.constant 37 : index
    %t = tile.load %a : memref<37xi1> -> tensor<37xi1>
    %t0 = arith.extsi %t : tensor<37xi1> to tensor<37xi8>
    tile.store %t0, %o0[%c0, %c0] [1, 37] : tensor<37xi8>, memref<3x37xi8>
    %t1 = arith.extui %t : tensor<37xi1> to tensor<37xi8>
    tile.store %t1, %o1[%c0, %c0] [1, 37] : tensor<37xi8>, memref<3x37xi8>
    %t2 = arith.extsi %t : tensor<37xi1> to tensor<37xi16>
    tile.store %t2, %o2[%c0, %c0] [1, 37] : tensor<37xi16>, memref<3x37xi16>
    %t3 = arith.extui %t : tensor<37xi1> to tensor<37xi16>
    tile.store %t3, %o3[%c0, %c0] [1, 37] : tensor<37xi16>, memref<3x37xi16>
    %t4 = arith.extsi %t : tensor<37xi1> to tensor<37xi32>
    tile.store %t4, %o4[%c0, %c0] [1, 37] : tensor<37xi32>, memref<3x37xi32>
    %t5 = arith.extui %t : tensor<37xi1> to tensor<37xi32>
    tile.store %t5, %o5[%c0, %c0] [1, 37] : tensor<37xi32>, memref<3x37xi32>
    %t6 = arith.extsi %t : tensor<37xi1> to tensor<37xi64>
    tile.store %t6, %o6[%c0, %c0] [1, 37] : tensor<37xi64>, memref<3x37xi64>
    %t7 = arith.extui %t : tensor<37xi1> to tensor<37xi64>
    tile.store %t7, %o7[%c0, %c0] [1, 37] : tensor<37xi64>, memref<3x37xi64>
    %t8 = arith.sitofp %t : tensor<37xi1> to tensor<37xf64>
    tile.store %t8, %o8[%c0, %c0] [1, 37] : tensor<37xf64>, memref<3x37xf64>
    %t9 = arith.uitofp %t : tensor<37xi1> to tensor<37xf64>
    tile.store %t9, %o9[%c0, %c0] [1, 37] : tensor<37xf64>, memref<3x37xf64>
    %t10 = arith.sitofp %t : tensor<37xi1> to tensor<37xf32>
    tile.store %t10, %o10[%c0, %c0] [1, 37] : tensor<37xf32>, memref<3x37xf32>
    %t11 = arith.uitofp %t : tensor<37xi1> to tensor<37xf32>
    tile.store %t11, %o11[%c0, %c0] [1, 37] : tensor<37xf32>, memref<3x37xf32>
    %t12 = arith.sitofp %t : tensor<37xi1> to tensor<37xf16>
    tile.store %t12, %o12[%c0, %c0] [1, 37] : tensor<37xf16>, memref<3x37xf16>
    %t13 = arith.uitofp %t : tensor<37xi1> to tensor<37xf16>
    tile.store %t13, %o13[%c0, %c0] [1, 37] : tensor<37xf16>, memref<3x37xf16>
    %t14 = arith.sitofp %t : tensor<37xi1> to tensor<37xbf16>
    tile.store %t14, %o14[%c0, %c0] [1, 37] : tensor<37xbf16>, memref<3x37xbf16>
    %t15 = arith.uitofp %t : tensor<37xi1> to tensor<37xbf16>
    tile.store %t15, %o15[%c0, %c0] [1, 37] : tensor<37xbf16>, memref<3x37xbf16>
    %t16 = arith.index_cast %t : tensor<37xi1> to tensor<37xindex>
    tile.store %t16, %o16[%c0, %c0] [1, 37] : tensor<37xindex>, memref<3x37xindex>
    %t17 = arith.index_castui %t : tensor<37xi1> to tensor<37xindex>
    tile.store %t17, %o17[%c0, %c0] [1, 37] : tensor<37xindex>, memref<3x37xindex>
    tile.parallel (%i) in (37) {
      %e = memref.load %a[%i] : memref<37xi1>
      %e0 = arith.extsi %e : i1 to i8
      memref.store %e0, %o0[%c1, %i] : memref<3x37xi8>
      %e1 = arith.extui %e : i1 to i8
      memref.store %e1, %o1[%c1, %i] : memref<3x37xi8>
      %e2 = arith.extsi %e : i1 to i16
      memref.store %e2, %o2[%c1, %i] : memref<3x37xi16>
      %e3 = arith.extui %e : i1 to i16
      memref.store %e3, %o3[%c1, %i] : memref<3x37xi16>
      %e4 = arith.extsi %e : i1 to i32
      memref.store %e4, %o4[%c1, %i] : memref<3x37xi32>
      %e5 = arith.extui %e : i1 to i32
      memref.store %e5, %o5[%c1, %i] : memref<3x37xi32>
      %e6 = arith.extsi %e : i1 to i64
      memref.store %e6, %o6[%c1, %i] : memref<3x37xi64>
      %e7 = arith.extui %e : i1 to i64
      memref.store %e7, %o7[%c1, %i] : memref<3x37xi64>
      %e8 = arith.sitofp %e : i1 to f64
      memref.store %e8, %o8[%c1, %i] : memref<3x37xf64>
      %e9 = arith.uitofp %e : i1 to f64
      memref.store %e9, %o9[%c1, %i] : memref<3x37xf64>
      %e10 = arith.sitofp %e : i1 to f32
      memref.store %e10, %o10[%c1, %i] : memref<3x37xf32>
      %e11 = arith.uitofp %e : i1 to f32
      memref.store %e11, %o11[%c1, %i] : memref<3x37xf32>
      %e12 = arith.sitofp %e : i1 to f16
      memref.store %e12, %o12[%c1, %i] : memref<3x37xf16>
      %e13 = arith.uitofp %e : i1 to f16
      memref.store %e13, %o13[%c1, %i] : memref<3x37xf16>
      %e14 = arith.sitofp %e : i1 to bf16
      memref.store %e14, %o14[%c1, %i] : memref<3x37xbf16>
      %e15 = arith.uitofp %e : i1 to bf16
      memref.store %e15, %o15[%c1, %i] : memref<3x37xbf16>
      %e16 = arith.index_cast %e : i1 to index
      memref.store %e16, %o16[%c1, %i] : memref<3x37xindex>
      %e17 = arith.index_castui %e : i1 to index
      memref.store %e17, %o17[%c1, %i] : memref<3x37xindex>
    }
    scf.for %i = %c0 to %n step %c1 {
      %e = memref.load %a[%i] : memref<37xi1>
      %e0 = arith.extsi %e : i1 to i8
      memref.store %e0, %o0[%c2, %i] : memref<3x37xi8>
      %e1 = arith.extui %e : i1 to i8
      memref.store %e1, %o1[%c2, %i] : memref<3x37xi8>
      %e2 = arith.extsi %e : i1 to i16
      memref.store %e2, %o2[%c2, %i] : memref<3x37xi16>
      %e3 = arith.extui %e : i1 to i16
      memref.store %e3, %o3[%c2, %i] : memref<3x37xi16>
      %e4 = arith.extsi %e : i1 to i32
      memref.store %e4, %o4[%c2, %i] : memref<3x37xi32>
      %e5 = arith.extui %e : i1 to i32
      memref.store %e5, %o5[%c2, %i] : memref<3x37xi32>
      %e6 = arith.extsi %e : i1 to i64
      memref.store %e6, %o6[%c2, %i] : memref<3x37xi64>
      %e7 = arith.extui %e : i1 to i64
      memref.store %e7, %o7[%c2, %i] : memref<3x37xi64>
      %e8 = arith.sitofp %e : i1 to f64
      memref.store %e8, %o8[%c2, %i] : memref<3x37xf64>
      %e9 = arith.uitofp %e : i1 to f64
      memref.store %e9, %o9[%c2, %i] : memref<3x37xf64>
      %e10 = arith.sitofp %e : i1 to f32
      memref.store %e10, %o10[%c2, %i] : memref<3x37xf32>
      %e11 = arith.uitofp %e : i1 to f32
      memref.store %e11, %o11[%c2, %i] : memref<3x37xf32>
      %e12 = arith.sitofp %e : i1 to f16
      memref.store %e12, %o12[%c2, %i] : memref<3x37xf16>
      %e13 = arith.uitofp %e : i1 to f16
      memref.store %e13, %o13[%c2, %i] : memref<3x37xf16>
      %e14 = arith.sitofp %e : i1 to bf16
      memref.store %e14, %o14[%c2, %i] : memref<3x37xbf16>
      %e15 = arith.uitofp %e : i1 to bf16
      memref.store %e15, %o15[%c2, %i] : memref<3x37xbf16>
      %e16 = arith.index_cast %e : i1 to index
      memref.store %e16, %o16[%c2, %i] : memref<3x37xindex>
      %e17 = arith.index_castui %e : i1 to index
      memref.store %e17, %o17[%c2, %i] : memref<3x37xindex>
    }
  }
  return
}

func.func @i8(%a: memref<37xi8>,
    %o0: memref<3x37xi1>,
    %o1: memref<3x37xi16>,
    %o2: memref<3x37xi16>,
    %o3: memref<3x37xi32>,
    %o4: memref<3x37xi32>,
    %o5: memref<3x37xi64>,
    %o6: memref<3x37xi64>,
    %o7: memref<3x37xf64>,
    %o8: memref<3x37xf64>,
    %o9: memref<3x37xf32>,
    %o10: memref<3x37xf32>,
    %o11: memref<3x37xf16>,
    %o12: memref<3x37xf16>,
    %o13: memref<3x37xbf16>,
    %o14: memref<3x37xbf16>,
    %o15: memref<3x37xindex>,
    %o16: memref<3x37xindex>) {
  %g = arith.constant 1 : index
  tile.launch blocks(%block) in (%g) threads(64) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %n = arith.constant 37 : index
    %t = tile.load %a : memref<37xi8> -> tensor<37xi8>
    %t0 = arith.trunci %t : tensor<37xi8> to tensor<37xi1>
    tile.store %t0, %o0[%c0, %c0] [1, 37] : tensor<37xi1>, memref<3x37xi1>
    %t1 = arith.extsi %t : tensor<37xi8> to tensor<37xi16>
    tile.store %t1, %o1[%c0, %c0] [1, 37] : tensor<37xi16>, memref<3x37xi16>
    %t2 = arith.extui %t : tensor<37xi8> to tensor<37xi16>
    tile.store %t2, %o2[%c0, %c0] [1, 37] : tensor<37xi16>, memref<3x37xi16>
    %t3 = arith.extsi %t : tensor<37xi8> to tensor<37xi32>
    tile.store %t3, %o3[%c0, %c0] [1, 37] : tensor<37xi32>, memref<3x37xi32>
    %t4 = arith.extui %t : tensor<37xi8> to tensor<37xi32>
    tile.store %t4, %o4[%c0, %c0] [1, 37] : tensor<37xi32>, memref<3x37xi32>
    %t5 = arith.extsi %t : tensor<37xi8> to tensor<37xi64>
    tile.store %t5, %o5[%c0, %c0] [1, 37] : tensor<37xi64>, memref<3x37xi64>
    %t6 = arith.extui %t : tensor<37xi8> to tensor<37xi64>
    tile.store %t6, %o6[%c0, %c0] [1, 37] : tensor<37xi64>, memref<3x37xi64>
    %t7 = arith.sitofp %t : tensor<37xi8> to tensor<37xf64>
    tile.store %t7, %o7[%c0, %c0] [1, 37] : tensor<37xf64>, memref<3x37xf64>
    %t8 = arith.uitofp %t : tensor<37xi8> to tensor<37xf64>
    tile.store %t8, %o8[%c0, %c0] [1, 37] : tensor<37xf64>, memref<3x37xf64>
    %t9 = arith.sitofp %t : tensor<37xi8> to tensor<37xf32>
    tile.store %t9, %o9[%c0, %c0] [1, 37] : tensor<37xf32>, memref<3x37xf32>
    %t10 = arith.uitofp %t : tensor<37xi8> to tensor<37xf32>
    tile.store %t10, %o10[%c0, %c0] [1, 37] : tensor<37xf32>, memref<3x37xf32>
    %t11 = arith.sitofp %t : tensor<37xi8> to tensor<37xf16>
    tile.store %t11, %o11[%c0, %c0] [1, 37] : tensor<37xf16>, memref<3x37xf16>
    %t12 = arith.uitofp %t : tensor<37xi8> to tensor<37xf16>
    tile.store %t12, %o12[%c0, %c0] [1, 37] : tensor<37xf16>, memref<3x37xf16>
    %t13 = arith.sitofp %t : tensor<37xi8> to tensor<37xbf16>
    tile.store %t13, %o13[%c0, %c0] [1, 37] : tensor<37xbf16>, memref<3x37xbf16>
    %t14 = arith.uitofp %t : tensor<37xi8> to tensor<37xbf16>
    tile.store %t14, %o14[%c0, %c0] [1, 37] : tensor<37xbf16>, memref<3x37xbf16>
    %t15 = arith.index_cast %t : tensor<37xi8> to tensor<37xindex>
    tile.store %t15, %o15[%c0, %c0] [1, 37] : tensor<37xindex>, memref<3x37xindex>
    %t16 = arith.index_castui %t : tensor<37xi8> to tensor<37xindex>
    tile.store %t16, %o16[%c0, %c0] [1, 37] : tensor<37xindex>, memref<3x37xindex>
    tile.parallel (%i) in (37) {
      %e = memref.load %a[%i] : memref<37xi8>
      %e0 = arith.trunci %e : i8 to i1
      memref.store %e0, %o0[%c1, %i] : memref<3x37xi1>
      %e1 = arith.extsi %e : i8 to i16
      memref.store %e1, %o1[%c1, %i] : memref<3x37xi16>
      %e2 = arith.extui %e : i8 to i16
      memref.store %e2, %o2[%c1, %i] : memref<3x37xi16>
      %e3 = arith.extsi %e : i8 to i32
      memref.store %e3, %o3[%c1, %i] : memref<3x37xi32>
      %e4 = arith.extui %e : i8 to i32
      memref.store %e4, %o4[%c1, %i] : memref<3x37xi32>
      %e5 = arith.extsi %e : i8 to i64
      memref.store %e5, %o5[%c1, %i] : memref<3x37xi64>
      %e6 = arith.extui %e : i8 to i64
      memref.store %e6, %o6[%c1, %i] : memref<3x37xi64>
      %e7 = arith.sitofp %e : i8 to f64
      memref.store %e7, %o7[%c1, %i] : memref<3x37xf64>
      %e8 = arith.uitofp %e : i8 to f64
      memref.store %e8, %o8[%c1, %i] : memref<3x37xf64>
      %e9 = arith.sitofp %e : i8 to f32
      memref.store %e9, %o9[%c1, %i] : memref<3x37xf32>
      %e10 = arith.uitofp %e : i8 to f32
      memref.store %e10, %o10[%c1, %i] : memref<3x37xf32>
      %e11 = arith.sitofp %e : i8 to f16
      memref.store %e11, %o11[%c1, %i] : memref<3x37xf16>
      %e12 = arith.uitofp %e : i8 to f16
      memref.store %e12, %o12[%c1, %i] : memref<3x37xf16>
      %e13 = arith.sitofp %e : i8 to bf16
      memref.store %e13, %o13[%c1, %i] : memref<3x37xbf16>
      %e14 = arith.uitofp %e : i8 to bf16
      memref.store %e14, %o14[%c1, %i] : memref<3x37xbf16>
      %e15 = arith.index_cast %e : i8 to index
      memref.store %e15, %o15[%c1, %i] : memref<3x37xindex>
      %e16 = arith.index_castui %e : i8 to index
      memref.store %e16, %o16[%c1, %i] : memref<3x37xindex>
    }
    scf.for %i = %c0 to %n step %c1 {
      %e = memref.load %a[%i] : memref<37xi8>
      %e0 = arith.trunci %e : i8 to i1
      memref.store %e0, %o0[%c2, %i] : memref<3x37xi1>
      %e1 = arith.extsi %e : i8 to i16
      memref.store %e1, %o1[%c2, %i] : memref<3x37xi16>
      %e2 = arith.extui %e : i8 to i16
      memref.store %e2, %o2[%c2, %i] : memref<3x37xi16>
      %e3 = arith.extsi %e : i8 to i32
      memref.store %e3, %o3[%c2, %i] : memref<3x37xi32>
      %e4 = arith.extui %e : i8 to i32
      memref.store %e4, %o4[%c2, %i] : memref<3x37xi32>
      %e5 = arith.extsi %e : i8 to i64
      memref.store %e5, %o5[%c2, %i] : memref<3x37xi64>
      %e6 = arith.extui %e : i8 to i64
      memref.store %e6, %o6[%c2, %i] : memref<3x37xi64>
      %e7 = arith.sitofp %e : i8 to f64
      memref.store %e7, %o7[%c2, %i] : memref<3x37xf64>
      %e8 = arith.uitofp %e : i8 to f64
      memref.store %e8, %o8[%c2, %i] : memref<3x37xf64>
      %e9 = arith.sitofp %e : i8 to f32
      memref.store %e9, %o9[%c2, %i] : memref<3x37xf32>
      %e10 = arith.uitofp %e : i8 to f32
      memref.store %e10, %o10[%c2, %i] : memref<3x37xf32>
      %e11 = arith.sitofp %e : i8 to f16
      memref.store %e11, %o11[%c2, %i] : memref<3x37xf16>
      %e12 = arith.uitofp %e : i8 to f16
      memref.store %e12, %o12[%c2, %i] : memref<3x37xf16>
      %e13 = arith.sitofp %e : i8 to bf16
      memref.store %e13, %o13[%c2, %i] : memref<3x37xbf16>
      %e14 = arith.uitofp %e : i8 to bf16
      memref.store %e14, %o14[%c2, %i] : memref<3x37xbf16>
      %e15 = arith.index_cast %e : i8 to index
      memref.store %e15, %o15[%c2, %i] : memref<3x37xindex>
      %e16 = arith.index_castui %e : i8 to index
      memref.store %e16, %o16[%c2, %i] : memref<3x37xindex>
    }
  }
  return
}

func.func @i16(%a: memref<37xi16>,
    %o0: memref<3x37xi1>,
    %o1: memref<3x37xi8>,
    %o2: memref<3x37xi32>,
    %o3: memref<3x37xi32>,
    %o4: memref<3x37xi64>,
    %o5: memref<3x37xi64>,
    %o6: memref<3x37xf64>,
    %o7: memref<3x37xf64>,
    %o8: memref<3x37xf32>,
    %o9: memref<3x37xf32>,
    %o10: memref<3x37xf16>,
    %o11: memref<3x37xf16>,
    %o12: memref<3x37xbf16>,
    %o13: memref<3x37xbf16>,
    %o14: memref<3x37xindex>,
    %o15: memref<3x37xindex>,
    %o16: memref<3x37xf16>,
    %o17: memref<3x37xbf16>) {
  %g = arith.constant 1 : index
  tile.launch blocks(%block) in (%g) threads(64) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %n = arith.constant 37 : index
    %t = tile.load %a : memref<37xi16> -> tensor<37xi16>
    %t0 = arith.trunci %t : tensor<37xi16> to tensor<37xi1>
    tile.store %t0, %o0[%c0, %c0] [1, 37] : tensor<37xi1>, memref<3x37xi1>
    %t1 = arith.trunci %t : tensor<37xi16> to tensor<37xi8>
    tile.store %t1, %o1[%c0, %c0] [1, 37] : tensor<37xi8>, memref<3x37xi8>
    %t2 = arith.extsi %t : tensor<37xi16> to tensor<37xi32>
    tile.store %t2, %o2[%c0, %c0] [1, 37] : tensor<37xi32>, memref<3x37xi32>
    %t3 = arith.extui %t : tensor<37xi16> to tensor<37xi32>
    tile.store %t3, %o3[%c0, %c0] [1, 37] : tensor<37xi32>, memref<3x37xi32>
    %t4 = arith.extsi %t : tensor<37xi16> to tensor<37xi64>
    tile.store %t4, %o4[%c0, %c0] [1, 37] : tensor<37xi64>, memref<3x37xi64>
    %t5 = arith.extui %t : tensor<37xi16> to tensor<37xi64>
    tile.store %t5, %o5[%c0, %c0] [1, 37] : tensor<37xi64>, memref<3x37xi64>
    %t6 = arith.sitofp %t : tensor<37xi16> to tensor<37xf64>
    tile.store %t6, %o6[%c0, %c0] [1, 37] : tensor<37xf64>, memref<3x37xf64>
    %t7 = arith.uitofp %t : tensor<37xi16> to tensor<37xf64>
    tile.store %t7, %o7[%c0, %c0] [1, 37] : tensor<37xf64>, memref<3x37xf64>
    %t8 = arith.sitofp %t : tensor<37xi16> to tensor<37xf32>
    tile.store %t8, %o8[%c0, %c0] [1, 37] : tensor<37xf32>, memref<3x37xf32>
    %t9 = arith.uitofp %t : tensor<37xi16> to tensor<37xf32>
    tile.store %t9, %o9[%c0, %c0] [1, 37] : tensor<37xf32>, memref<3x37xf32>
    %t10 = arith.sitofp %t : tensor<37xi16> to tensor<37xf16>
    tile.store %t10, %o10[%c0, %c0] [1, 37] : tensor<37xf16>, memref<3x37xf16>
    %t11 = arith.uitofp %t : tensor<37xi16> to tensor<37xf16>
    tile.store %t11, %o11[%c0, %c0] [1, 37] : tensor<37xf16>, memref<3x37xf16>
    %t12 = arith.sitofp %t : tensor<37xi16> to tensor<37xbf16>
    tile.store %t12, %o12[%c0, %c0] [1, 37] : tensor<37xbf16>, memref<3x37xbf16>
    %t13 = arith.uitofp %t : tensor<37xi16> to tensor<37xbf16>
    tile.store %t13, %o13[%c0, %c0] [1, 37] : tensor<37xbf16>, memref<3x37xbf16>
    %t14 = arith.index_cast %t : tensor<37xi16> to tensor<37xindex>
    tile.store %t14, %o14[%c0, %c0] [1, 37] : tensor<37xindex>, memref<3x37xindex>
    %t15 = arith.index_castui %t : tensor<37xi16> to tensor<37xindex>
    tile.store %t15, %o15[%c0, %c0] [1, 37] : tensor<37xindex>, memref<3x37xindex>
    %t16 = arith.bitcast %t : tensor<37xi16> to tensor<37xf16>
    tile.store %t16, %o16[%c0, %c0] [1, 37] : tensor<37xf16>, memref<3x37xf16>
    %t17 = arith.bitcast %t : tensor<37xi16> to tensor<37xbf16>
    tile.store %t17, %o17[%c0, %c0] [1, 37] : tensor<37xbf16>, memref<3x37xbf16>
    tile.parallel (%i) in (37) {
      %e = memref.load %a[%i] : memref<37xi16>
      %e0 = arith.trunci %e : i16 to i1
      memref.store %e0, %o0[%c1, %i] : memref<3x37xi1>
      %e1 = arith.trunci %e : i16 to i8
      memref.store %e1, %o1[%c1, %i] : memref<3x37xi8>
      %e2 = arith.extsi %e : i16 to i32
      memref.store %e2, %o2[%c1, %i] : memref<3x37xi32>
      %e3 = arith.extui %e : i16 to i32
      memref.store %e3, %o3[%c1, %i] : memref<3x37xi32>
      %e4 = arith.extsi %e : i16 to i64
      memref.store %e4, %o4[%c1, %i] : memref<3x37xi64>
      %e5 = arith.extui %e : i16 to i64
      memref.store %e5, %o5[%c1, %i] : memref<3x37xi64>
      %e6 = arith.sitofp %e : i16 to f64
      memref.store %e6, %o6[%c1, %i] : memref<3x37xf64>
      %e7 = arith.uitofp %e : i16 to f64
      memref.store %e7, %o7[%c1, %i] : memref<3x37xf64>
      %e8 = arith.sitofp %e : i16 to f32
      memref.store %e8, %o8[%c1, %i] : memref<3x37xf32>
      %e9 = arith.uitofp %e : i16 to f32
      memref.store %e9, %o9[%c1, %i] : memref<3x37xf32>
      %e10 = arith.sitofp %e : i16 to f16
      memref.store %e10, %o10[%c1, %i] : memref<3x37xf16>
      %e11 = arith.uitofp %e : i16 to f16
      memref.store %e11, %o11[%c1, %i] : memref<3x37xf16>
      %e12 = arith.sitofp %e : i16 to bf16
      memref.store %e12, %o12[%c1, %i] : memref<3x37xbf16>
      %e13 = arith.uitofp %e : i16 to bf16
      memref.store %e13, %o13[%c1, %i] : memref<3x37xbf16>
      %e14 = arith.index_cast %e : i16 to index
      memref.store %e14, %o14[%c1, %i] : memref<3x37xindex>
      %e15 = arith.index_castui %e : i16 to index
      memref.store %e15, %o15[%c1, %i] : memref<3x37xindex>
      %e16 = arith.bitcast %e : i16 to f16
      memref.store %e16, %o16[%c1, %i] : memref<3x37xf16>
      %e17 = arith.bitcast %e : i16 to bf16
      memref.store %e17, %o17[%c1, %i] : memref<3x37xbf16>
    }
    scf.for %i = %c0 to %n step %c1 {
      %e = memref.load %a[%i] : memref<37xi16>
      %e0 = arith.trunci %e : i16 to i1
      memref.store %e0, %o0[%c2, %i] : memref<3x37xi1>
      %e1 = arith.trunci %e : i16 to i8
      memref.store %e1, %o1[%c2, %i] : memref<3x37xi8>
      %e2 = arith.extsi %e : i16 to i32
      memref.store %e2, %o2[%c2, %i] : memref<3x37xi32>
      %e3 = arith.extui %e : i16 to i32
      memref.store %e3, %o3[%c2, %i] : memref<3x37xi32>
      %e4 = arith.extsi %e : i16 to i64
      memref.store %e4, %o4[%c2, %i] : memref<3x37xi64>
      %e5 = arith.extui %e : i16 to i64
      memref.store %e5, %o5[%c2, %i] : memref<3x37xi64>
      %e6 = arith.sitofp %e : i16 to f64
      memref.store %e6, %o6[%c2, %i] : memref<3x37xf64>
      %e7 = arith.uitofp %e : i16 to f64
      memref.store %e7, %o7[%c2, %i] : memref<3x37xf64>
      %e8 = arith.sitofp %e : i16 to f32
      memref.store %e8, %o8[%c2, %i] : memref<3x37xf32>
      %e9 = arith.uitofp %e : i16 to f32
      memref.store %e9, %o9[%c2, %i] : memref<3x37xf32>
      %e10 = arith.sitofp %e : i16 to f16
      memref.store %e10, %o10[%c2, %i] : memref<3x37xf16>
      %e11 = arith.uitofp %e : i16 to f16
      memref.store %e11, %o11[%c2, %i] : memref<3x37xf16>
      %e12 = arith.sitofp %e : i16 to bf16
      memref.store %e12, %o12[%c2, %i] : memref<3x37xbf16>
      %e13 = arith.uitofp %e : i16 to bf16
      memref.store %e13, %o13[%c2, %i] : memref<3x37xbf16>
      %e14 = arith.index_cast %e : i16 to index
      memref.store %e14, %o14[%c2, %i] : memref<3x37xindex>
      %e15 = arith.index_castui %e : i16 to index
      memref.store %e15, %o15[%c2, %i] : memref<3x37xindex>
      %e16 = arith.bitcast %e : i16 to f16
      memref.store %e16, %o16[%c2, %i] : memref<3x37xf16>
      %e17 = arith.bitcast %e : i16 to bf16
      memref.store %e17, %o17[%c2, %i] : memref<3x37xbf16>
    }
  }
  return
}

func.func @i32(%a: memref<37xi32>,
    %o0: memref<3x37xi1>,
    %o1: memref<3x37xi8>,
    %o2: memref<3x37xi16>,
    %o3: memref<3x37xi64>,
    %o4: memref<3x37xi64>,
    %o5: memref<3x37xf64>,
    %o6: memref<3x37xf64>,
    %o7: memref<3x37xf32>,
    %o8: memref<3x37xf32>,
    %o9: memref<3x37xf16>,
    %o10: memref<3x37xf16>,
    %o11: memref<3x37xbf16>,
    %o12: memref<3x37xbf16>,
    %o13: memref<3x37xindex>,
    %o14: memref<3x37xindex>,
    %o15: memref<3x37xf32>) {
  %g = arith.constant 1 : index
  tile.launch blocks(%block) in (%g) threads(64) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %n = arith.constant 37 : index
    %t = tile.load %a : memref<37xi32> -> tensor<37xi32>
    %t0 = arith.trunci %t : tensor<37xi32> to tensor<37xi1>
    tile.store %t0, %o0[%c0, %c0] [1, 37] : tensor<37xi1>, memref<3x37xi1>
    %t1 = arith.trunci %t : tensor<37xi32> to tensor<37xi8>
    tile.store %t1, %o1[%c0, %c0] [1, 37] : tensor<37xi8>, memref<3x37xi8>
    %t2 = arith.trunci %t : tensor<37xi32> to tensor<37xi16>
    tile.store %t2, %o2[%c0, %c0] [1, 37] : tensor<37xi16>, memref<3x37xi16>
    %t3 = arith.extsi %t : tensor<37xi32> to tensor<37xi64>
    tile.store %t3, %o3[%c0, %c0] [1, 37] : tensor<37xi64>, memref<3x37xi64>
    %t4 = arith.extui %t : tensor<37xi32> to tensor<37xi64>
    tile.store %t4, %o4[%c0, %c0] [1, 37] : tensor<37xi64>, memref<3x37xi64>
    %t5 = arith.sitofp %t : tensor<37xi32> to tensor<37xf64>
    tile.store %t5, %o5[%c0, %c0] [1, 37] : tensor<37xf64>, memref<3x37xf64>
    %t6 = arith.uitofp %t : tensor<37xi32> to tensor<37xf64>
    tile.store %t6, %o6[%c0, %c0] [1, 37] : tensor<37xf64>, memref<3x37xf64>
    %t7 = arith.sitofp %t : tensor<37xi32> to tensor<37xf32>
    tile.store %t7, %o7[%c0, %c0] [1, 37] : tensor<37xf32>, memref<3x37xf32>
    %t8 = arith.uitofp %t : tensor<37xi32> to tensor<37xf32>
    tile.store %t8, %o8[%c0, %c0] [1, 37] : tensor<37xf32>, memref<3x37xf32>
    %t9 = arith.sitofp %t : tensor<37xi32> to tensor<37xf16>
    tile.store %t9, %o9[%c0, %c0] [1, 37] : tensor<37xf16>, memref<3x37xf16>
    %t10 = arith.uitofp %t : tensor<37xi32> to tensor<37xf16>
    tile.store %t10, %o10[%c0, %c0] [1, 37] : tensor<37xf16>, memref<3x37xf16>
    %t11 = arith.sitofp %t : tensor<37xi32> to tensor<37xbf16>
    tile.store %t11, %o11[%c0, %c0] [1, 37] : tensor<37xbf16>, memref<3x37xbf16>
    %t12 = arith.uitofp %t : tensor<37xi32> to tensor<37xbf16>
    tile.store %t12, %o12[%c0, %c0] [1, 37] : tensor<37xbf16>, memref<3x37xbf16>
    %t13 = arith.index_cast %t : tensor<37xi32> to tensor<37xindex>
    tile.store %t13, %o13[%c0, %c0] [1, 37] : tensor<37xindex>, memref<3x37xindex>
    %t14 = arith.index_castui %t : tensor<37xi32> to tensor<37xindex>
    tile.store %t14, %o14[%c0, %c0] [1, 37] : tensor<37xindex>, memref<3x37xindex>
    %t15 = arith.bitcast %t : tensor<37xi32> to tensor<37xf32>
    tile.store %t15, %o15[%c0, %c0] [1, 37] : tensor<37xf32>, memref<3x37xf32>
    tile.parallel (%i) in (37) {
      %e = memref.load %a[%i] : memref<37xi32>
      %e0 = arith.trunci %e : i32 to i1
      memref.store %e0, %o0[%c1, %i] : memref<3x37xi1>
      %e1 = arith.trunci %e : i32 to i8
      memref.store %e1, %o1[%c1, %i] : memref<3x37xi8>
      %e2 = arith.trunci %e : i32 to i16
      memref.store %e2, %o2[%c1, %i] : memref<3x37xi16>
      %e3 = arith.extsi %e : i32 to i64
      memref.store %e3, %o3[%c1, %i] : memref<3x37xi64>
      %e4 = arith.extui %e : i32 to i64
      memref.store %e4, %o4[%c1, %i] : memref<3x37xi64>
      %e5 = arith.sitofp %e : i32 to f64
      memref.store %e5, %o5[%c1, %i] : memref<3x37xf64>
      %e6 = arith.uitofp %e : i32 to f64
      memref.store %e6, %o6[%c1, %i] : memref<3x37xf64>
      %e7 = arith.sitofp %e : i32 to f32
      memref.store %e7, %o7[%c1, %i] : memref<3x37xf32>
      %e8 = arith.uitofp %e : i32 to f32
      memref.store %e8, %o8[%c1, %i] : memref<3x37xf32>
      %e9 = arith.sitofp %e : i32 to f16
      memref.store %e9, %o9[%c1, %i] : memref<3x37xf16>
      %e10 = arith.uitofp %e : i32 to f16
      memref.store %e10, %o10[%c1, %i] : memref<3x37xf16>
      %e11 = arith.sitofp %e : i32 to bf16
      memref.store %e11, %o11[%c1, %i] : memref<3x37xbf16>
      %e12 = arith.uitofp %e : i32 to bf16
      memref.store %e12, %o12[%c1, %i] : memref<3x37xbf16>
      %e13 = arith.index_cast %e : i32 to index
      memref.store %e13, %o13[%c1, %i] : memref<3x37xindex>
      %e14 = arith.index_castui %e : i32 to index
      memref.store %e14, %o14[%c1, %i] : memref<3x37xindex>
      %e15 = arith.bitcast %e : i32 to f32
      memref.store %e15, %o15[%c1, %i] : memref<3x37xf32>
    }
    scf.for %i = %c0 to %n step %c1 {
      %e = memref.load %a[%i] : memref<37xi32>
      %e0 = arith.trunci %e : i32 to i1
      memref.store %e0, %o0[%c2, %i] : memref<3x37xi1>
      %e1 = arith.trunci %e : i32 to i8
      memref.store %e1, %o1[%c2, %i] : memref<3x37xi8>
      %e2 = arith.trunci %e : i32 to i16
      memref.store %e2, %o2[%c2, %i] : memref<3x37xi16>
      %e3 = arith.extsi %e : i32 to i64
      memref.store %e3, %o3[%c2, %i] : memref<3x37xi64>
      %e4 = arith.extui %e : i32 to i64
      memref.store %e4, %o4[%c2, %i] : memref<3x37xi64>
      %e5 = arith.sitofp %e : i32 to f64
      memref.store %e5, %o5[%c2, %i] : memref<3x37xf64>
      %e6 = arith.uitofp %e : i32 to f64
      memref.store %e6, %o6[%c2, %i] : memref<3x37xf64>
      %e7 = arith.sitofp %e : i32 to f32
      memref.store %e7, %o7[%c2, %i] : memref<3x37xf32>
      %e8 = arith.uitofp %e : i32 to f32
      memref.store %e8, %o8[%c2, %i] : memref<3x37xf32>
      %e9 = arith.sitofp %e : i32 to f16
      memref.store %e9, %o9[%c2, %i] : memref<3x37xf16>
      %e10 = arith.uitofp %e : i32 to f16
      memref.store %e10, %o10[%c2, %i] : memref<3x37xf16>
      %e11 = arith.sitofp %e : i32 to bf16
      memref.store %e11, %o11[%c2, %i] : memref<3x37xbf16>
      %e12 = arith.uitofp %e : i32 to bf16
      memref.store %e12, %o12[%c2, %i] : memref<3x37xbf16>
      %e13 = arith.index_cast %e : i32 to index
      memref.store %e13, %o13[%c2, %i] : memref<3x37xindex>
      %e14 = arith.index_castui %e : i32 to index
      memref.store %e14, %o14[%c2, %i] : memref<3x37xindex>
      %e15 = arith.bitcast %e : i32 to f32
      memref.store %e15, %o15[%c2, %i] : memref<3x37xf32>
    }
  }
  return
}

func.func @i64(%a: memref<37xi64>,
    %o0: memref<3x37xi1>,
    %o1: memref<3x37xi8>,
    %o2: memref<3x37xi16>,
    %o3: memref<3x37xi32>,
    %o4: memref<3x37xf64>,
    %o5: memref<3x37xf64>,
    %o6: memref<3x37xf32>,
    %o7: memref<3x37xf32>,
    %o8: memref<3x37xf16>,
    %o9: memref<3x37xf16>,
    %o10: memref<3x37xbf16>,
    %o11: memref<3x37xbf16>,
    %o12: memref<3x37xindex>,
    %o13: memref<3x37xindex>,
    %o14: memref<3x37xf64>) {
  %g = arith.constant 1 : index
  tile.launch blocks(%block) in (%g) threads(64) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %n = arith.constant 37 : index
    %t = tile.load %a : memref<37xi64> -> tensor<37xi64>
    %t0 = arith.trunci %t : tensor<37xi64> to tensor<37xi1>
    tile.store %t0, %o0[%c0, %c0] [1, 37] : tensor<37xi1>, memref<3x37xi1>
    %t1 = arith.trunci %t : tensor<37xi64> to tensor<37xi8>
    tile.store %t1, %o1[%c0, %c0] [1, 37] : tensor<37xi8>, memref<3x37xi8>
    %t2 = arith.trunci %t : tensor<37xi64> to tensor<37xi16>
    tile.store %t2, %o2[%c0, %c0] [1, 37] : tensor<37xi16>, memref<3x37xi16>
    %t3 = arith.trunci %t : tensor<37xi64> to tensor<37xi32>
    tile.store %t3, %o3[%c0, %c0] [1, 37] : tensor<37xi32>, memref<3x37xi32>
    %t4 = arith.sitofp %t : tensor<37xi64> to tensor<37xf64>
    tile.store %t4, %o4[%c0, %c0] [1, 37] : tensor<37xf64>, memref<3x37xf64>
    %t5 = arith.uitofp %t : tensor<37xi64> to tensor<37xf64>
    tile.store %t5, %o5[%c0, %c0] [1, 37] : tensor<37xf64>, memref<3x37xf64>
    %t6 = arith.sitofp %t : tensor<37xi64> to tensor<37xf32>
    tile.store %t6, %o6[%c0, %c0] [1, 37] : tensor<37xf32>, memref<3x37xf32>
    %t7 = arith.uitofp %t : tensor<37xi64> to tensor<37xf32>
    tile.store %t7, %o7[%c0, %c0] [1, 37] : tensor<37xf32>, memref<3x37xf32>
    %t8 = arith.sitofp %t : tensor<37xi64> to tensor<37xf16>
    tile.store %t8, %o8[%c0, %c0] [1, 37] : tensor<37xf16>, memref<3x37xf16>
    %t9 = arith.uitofp %t : tensor<37xi64> to tensor<37xf16>
    tile.store %t9, %o9[%c0, %c0] [1, 37] : tensor<37xf16>, memref<3x37xf16>
    %t10 = arith.sitofp %t : tensor<37xi64> to tensor<37xbf16>
    tile.store %t10, %o10[%c0, %c0] [1, 37] : tensor<37xbf16>, memref<3x37xbf16>
    %t11 = arith.uitofp %t : tensor<37xi64> to tensor<37xbf16>
    tile.store %t11, %o11[%c0, %c0] [1, 37] : tensor<37xbf16>, memref<3x37xbf16>
    %t12 = arith.index_cast %t : tensor<37xi64> to tensor<37xindex>
    tile.store %t12, %o12[%c0, %c0] [1, 37] : tensor<37xindex>, memref<3x37xindex>
    %t13 = arith.index_castui %t : tensor<37xi64> to tensor<37xindex>
    tile.store %t13, %o13[%c0, %c0] [1, 37] : tensor<37xindex>, memref<3x37xindex>
    %t14 = arith.bitcast %t : tensor<37xi64> to tensor<37xf64>
    tile.store %t14, %o14[%c0, %c0] [1, 37] : tensor<37xf64>, memref<3x37xf64>
    tile.parallel (%i) in (37) {
      %e = memref.load %a[%i] : memref<37xi64>
      %e0 = arith.trunci %e : i64 to i1
      memref.store %e0, %o0[%c1, %i] : memref<3x37xi1>
      %e1 = arith.trunci %e : i64 to i8
      memref.store %e1, %o1[%c1, %i] : memref<3x37xi8>
      %e2 = arith.trunci %e : i64 to i16
      memref.store %e2, %o2[%c1, %i] : memref<3x37xi16>
      %e3 = arith.trunci %e : i64 to i32
      memref.store %e3, %o3[%c1, %i] : memref<3x37xi32>
      %e4 = arith.sitofp %e : i64 to f64
      memref.store %e4, %o4[%c1, %i] : memref<3x37xf64>
      %e5 = arith.uitofp %e : i64 to f64
      memref.store %e5, %o5[%c1, %i] : memref<3x37xf64>
      %e6 = arith.sitofp %e : i64 to f32
      memref.store %e6, %o6[%c1, %i] : memref<3x37xf32>
      %e7 = arith.uitofp %e : i64 to f32
      memref.store %e7, %o7[%c1, %i] : memref<3x37xf32>
      %e8 = arith.sitofp %e : i64 to f16
      memref.store %e8, %o8[%c1, %i] : memref<3x37xf16>
      %e9 = arith.uitofp %e : i64 to f16
      memref.store %e9, %o9[%c1, %i] : memref<3x37xf16>
      %e10 = arith.sitofp %e : i64 to bf16
      memref.store %e10, %o10[%c1, %i] : memref<3x37xbf16>
      %e11 = arith.uitofp %e : i64 to bf16
      memref.store %e11, %o11[%c1, %i] : memref<3x37xbf16>
      %e12 = arith.index_cast %e : i64 to index
      memref.store %e12, %o12[%c1, %i] : memref<3x37xindex>
      %e13 = arith.index_castui %e : i64 to index
      memref.store %e13, %o13[%c1, %i] : memref<3x37xindex>
      %e14 = arith.bitcast %e : i64 to f64
      memref.store %e14, %o14[%c1, %i] : memref<3x37xf64>
    }
    scf.for %i = %c0 to %n step %c1 {
      %e = memref.load %a[%i] : memref<37xi64>
      %e0 = arith.trunci %e : i64 to i1
      memref.store %e0, %o0[%c2, %i] : memref<3x37xi1>
      %e1 = arith.trunci %e : i64 to i8
      memref.store %e1, %o1[%c2, %i] : memref<3x37xi8>
      %e2 = arith.trunci %e : i64 to i16
      memref.store %e2, %o2[%c2, %i] : memref<3x37xi16>
      %e3 = arith.trunci %e : i64 to i32
      memref.store %e3, %o3[%c2, %i] : memref<3x37xi32>
      %e4 = arith.sitofp %e : i64 to f64
      memref.store %e4, %o4[%c2, %i] : memref<3x37xf64>
      %e5 = arith.uitofp %e : i64 to f64
      memref.store %e5, %o5[%c2, %i] : memref<3x37xf64>
      %e6 = arith.sitofp %e : i64 to f32
      memref.store %e6, %o6[%c2, %i] : memref<3x37xf32>
      %e7 = arith.uitofp %e : i64 to f32
      memref.store %e7, %o7[%c2, %i] : memref<3x37xf32>
      %e8 = arith.sitofp %e : i64 to f16
      memref.store %e8, %o8[%c2, %i] : memref<3x37xf16>
      %e9 = arith.uitofp %e : i64 to f16
      memref.store %e9, %o9[%c2, %i] : memref<3x37xf16>
      %e10 = arith.sitofp %e : i64 to bf16
      memref.store %e10, %o10[%c2, %i] : memref<3x37xbf16>
      %e11 = arith.uitofp %e : i64 to bf16
      memref.store %e11, %o11[%c2, %i] : memref<3x37xbf16>
      %e12 = arith.index_cast %e : i64 to index
      memref.store %e12, %o12[%c2, %i] : memref<3x37xindex>
      %e13 = arith.index_castui %e : i64 to index
      memref.store %e13, %o13[%c2, %i] : memref<3x37xindex>
      %e14 = arith.bitcast %e : i64 to f64
      memref.store %e14, %o14[%c2, %i] : memref<3x37xf64>
    }
  }
  return
}

func.func @index(%a: memref<37xindex>,
    %o0: memref<3x37xi1>,
    %o1: memref<3x37xi1>,
    %o2: memref<3x37xi8>,
    %o3: memref<3x37xi8>,
    %o4: memref<3x37xi16>,
    %o5: memref<3x37xi16>,
    %o6: memref<3x37xi32>,
    %o7: memref<3x37xi32>,
    %o8: memref<3x37xi64>,
    %o9: memref<3x37xi64>) {
  %g = arith.constant 1 : index
  tile.launch blocks(%block) in (%g) threads(64) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %n = arith.constant 37 : index
    %t = tile.load %a : memref<37xindex> -> tensor<37xindex>
    %t0 = arith.index_cast %t : tensor<37xindex> to tensor<37xi1>
    tile.store %t0, %o0[%c0, %c0] [1, 37] : tensor<37xi1>, memref<3x37xi1>
    %t1 = arith.index_castui %t : tensor<37xindex> to tensor<37xi1>
    tile.store %t1, %o1[%c0, %c0] [1, 37] : tensor<37xi1>, memref<3x37xi1>
    %t2 = arith.index_cast %t : tensor<37xindex> to tensor<37xi8>
    tile.store %t2, %o2[%c0, %c0] [1, 37] : tensor<37xi8>, memref<3x37xi8>
    %t3 = arith.index_castui %t : tensor<37xindex> to tensor<37xi8>
    tile.store %t3, %o3[%c0, %c0] [1, 37] : tensor<37xi8>, memref<3x37xi8>
    %t4 = arith.index_cast %t : tensor<37xindex> to tensor<37xi16>
    tile.store %t4, %o4[%c0, %c0] [1, 37] : tensor<37xi16>, memref<3x37xi16>
    %t5 = arith.index_castui %t : tensor<37xindex> to tensor<37xi16>
    tile.store %t5, %o5[%c0, %c0] [1, 37] : tensor<37xi16>, memref<3x37xi16>
    %t6 = arith.index_cast %t : tensor<37xindex> to tensor<37xi32>
    tile.store %t6, %o6[%c0, %c0] [1, 37] : tensor<37xi32>, memref<3x37xi32>
    %t7 = arith.index_castui %t : tensor<37xindex> to tensor<37xi32>
    tile.store %t7, %o7[%c0, %c0] [1, 37] : tensor<37xi32>, memref<3x37xi32>
    %t8 = arith.index_cast %t : tensor<37xindex> to tensor<37xi64>
    tile.store %t8, %o8[%c0, %c0] [1, 37] : tensor<37xi64>, memref<3x37xi64>
    %t9 = arith.index_castui %t : tensor<37xindex> to tensor<37xi64>
    tile.store %t9, %o9[%c0, %c0] [1, 37] : tensor<37xi64>, memref<3x37xi64>
    tile.parallel (%i) in (37) {
      %e = memref.load %a[%i] : memref<37xindex>
      %e0 = arith.index_cast %e : index to i1
      memref.store %e0, %o0[%c1, %i] : memref<3x37xi1>
      %e1 = arith.index_castui %e : index to i1
      memref.store %e1, %o1[%c1, %i] : memref<3x37xi1>
      %e2 = arith.index_cast %e : index to i8
      memref.store %e2, %o2[%c1, %i] : memref<3x37xi8>
      %e3 = arith.index_castui %e : index to i8
      memref.store %e3, %o3[%c1, %i] : memref<3x37xi8>
      %e4 = arith.index_cast %e : index to i16
      memref.store %e4, %o4[%c1, %i] : memref<3x37xi16>
      %e5 = arith.index_castui %e : index to i16
      memref.store %e5, %o5[%c1, %i] : memref<3x37xi16>
      %e6 = arith.index_cast %e : index to i32
      memref.store %e6, %o6[%c1, %i] : memref<3x37xi32>
      %e7 = arith.index_castui %e : index to i32
      memref.store %e7, %o7[%c1, %i] : memref<3x37xi32>
      %e8 = arith.index_cast %e : index to i64
      memref.store %e8, %o8[%c1, %i] : memref<3x37xi64>
      %e9 = arith.index_castui %e : index to i64
      memref.store %e9, %o9[%c1, %i] : memref<3x37xi64>
    }
    scf.for %i = %c0 to %n step %c1 {
      %e = memref.load %a[%i] : memref<37xindex>
      %e0 = arith.index_cast %e : index to i1
      memref.store %e0, %o0[%c2, %i] : memref<3x37xi1>
      %e1 = arith.index_castui %e : index to i1
      memref.store %e1, %o1[%c2, %i] : memref<3x37xi1>
      %e2 = arith.index_cast %e : index to i8
      memref.store %e2, %o2[%c2, %i] : memref<3x37xi8>
      %e3 = arith.index_castui %e : index to i8
      memref.store %e3, %o3[%c2, %i] : memref<3x37xi8>
      %e4 = arith.index_cast %e : index to i16
      memref.store %e4, %o4[%c2, %i] : memref<3x37xi16>
      %e5 = arith.index_castui %e : index to i16
      memref.store %e5, %o5[%c2, %i] : memref<3x37xi16>
      %e6 = arith.index_cast %e : index to i32
      memref.store %e6, %o6[%c2, %i] : memref<3x37xi32>
      %e7 = arith.index_castui %e : index to i32
      memref.store %e7, %o7[%c2, %i] : memref<3x37xi32>
      %e8 = arith.index_cast %e : index to i64
      memref.store %e8, %o8[%c2, %i] : memref<3x37xi64>
      %e9 = arith.index_castui %e : index to i64
      memref.store %e9, %o9[%c2, %i] : memref<3x37xi64>
    }
  }
  return
}
