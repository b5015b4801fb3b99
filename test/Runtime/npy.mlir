// Files in and out: every element type as it travels, files that are not what an
// argument needs, and what is said of them.
// DEFINE: %{make} = %python %S/Inputs/write-npy.py
// DEFINE: %{run} = tile-run %s --on=reference
// RUN: %{run} --entry=types --data=values(1,0,-2,3) --data=2:values(1,0,0,1) --out=0:%t.i4 --out=1:%t.fp8 --out=2:%t.i1 --out=3:%t.bf16 --out=4:%t.index --out=5:%t.f16 --out=6:%t.f64 --out=7:%t.i16
// RUN: %{run} --entry=types --in=0:%t.i4 --in=1:%t.fp8 --in=2:%t.i1 --in=3:%t.bf16 --in=4:%t.index --in=5:%t.f16 --in=6:%t.f64 --in=7:%t.i16 --expect=0:%t.i4 --expect=1:%t.fp8 --expect=2:%t.i1 --expect=3:%t.bf16 --expect=4:%t.index --expect=5:%t.f16 --expect=6:%t.f64 --expect=7:%t.i16 | FileCheck %s --check-prefix=ROUND
// RUN: %{make} %t.nibbles '|u1' 4 0 15 8 7
// RUN: %{run} --entry=types --in=0:%t.nibbles | FileCheck %s --check-prefix=NIBBLES
// RUN: %{make} %t.bits '<u2' 4 16256 0 49152 32704
// RUN: %{run} --entry=types --in=3:%t.bits | FileCheck %s --check-prefix=BITS
// RUN: %{make} %t.v2 '<f4' 4x2 1 2 3 --version2
// RUN: %{run} --entry=sized --in=0:%t.v2 --dim=M:4 | FileCheck %s --check-prefix=VERSION
// RUN: %{make} %t.wide '|u1' 4 0 15 16
// RUN: not %{run} --entry=types --in=0:%t.wide 2>&1 | FileCheck %s --check-prefix=WIDE
// RUN: %{make} %t.low '|i1' 4 -8 7 -9
// RUN: not %{run} --entry=types --in=0:%t.low 2>&1 | FileCheck %s --check-prefix=LOW
// RUN: %{make} %t.two '|b1' 4 0 1 2
// RUN: not %{run} --entry=types --in=2:%t.two 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: %{make} %t.f8 '<f8' 4x2
// RUN: not %{run} --entry=sized --in=0:%t.f8 2>&1 | FileCheck %s --check-prefix=FLOAT64
// RUN: %{make} %t.f2 '<f2' 4
// RUN: not %{run} --entry=types --in=3:%t.f2 2>&1 | FileCheck %s --check-prefix=BFLOAT
// RUN: not %{run} --entry=types --expect=5:%t.bits 2>&1 | FileCheck %s --check-prefix=HALF
// RUN: not %{run} --entry=types --expect=3:%t.v2 2>&1 | FileCheck %s --check-prefix=EXPECT
// RUN: %{make} %t.five '<u2' 5
// RUN: not %{run} --entry=types --expect=3:%t.five 2>&1 | FileCheck %s --check-prefix=SHAPE
// RUN: %{make} %t.rank '<f4' 8
// RUN: not %{run} --entry=sized --in=0:%t.rank 2>&1 | FileCheck %s --check-prefix=RANK
// RUN: %{make} %t.scalar '<f4' scalar
// RUN: not %{run} --entry=sized --in=0:%t.scalar 2>&1 | FileCheck %s --check-prefix=SCALAR
// RUN: not %{run} --entry=sized --in=0:%t.v2 --dim=M:5 2>&1 | FileCheck %s --check-prefix=DIM
// RUN: not %{run} --entry=sized --in=0:%t.v2 --data=0:iota 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: %{make} %t.columns '<f4' 4x2 1 2 3 4 5 6 7 8 --fortran
// RUN: %{make} %t.rows '<f4' 4x2 1 5 2 6 3 7 4 8
// RUN: %{run} --entry=sized --in=0:%t.columns --expect=0:%t.rows | FileCheck %s --check-prefix=FORTRAN
// RUN: %{make} %t.vector '<f4' 8 1 5 2 6 3 7 4 8 --fortran
// RUN: not %{run} --entry=sized --in=0:%t.columns --expect=0:%t.vector 2>&1 | FileCheck %s --check-prefix=VECTOR
// As ml_dtypes and JAX write types that NumPy does not have.
// RUN: %{make} %t.opaque2 '<V2' 4 16256 0 49152 32704
// RUN: %{run} --entry=types --in=3:%t.opaque2 | FileCheck %s --check-prefix=BITS
// RUN: %{make} %t.opaque1 '<V1' 4 56 0 192 127
// RUN: %{run} --entry=types --in=1:%t.opaque1 | FileCheck %s --check-prefix=FP8
// RUN: %{make} %t.f1 '<f1' 4 56 0 192 127
// RUN: %{run} --entry=types --in=1:%t.f1 --expect=1:%t.opaque1 | FileCheck %s --check-prefix=FP8
// RUN: %{make} %t.opaque4 '|V1' 4 0 15 8 7
// RUN: %{run} --entry=types --in=0:%t.opaque4 | FileCheck %s --check-prefix=NIBBLES
// RUN: not %{run} --entry=types --in=5:%t.opaque2 2>&1 | FileCheck %s --check-prefix=OPAQUE
// RUN: %{make} %t.opaque8 '<V8' 4
// RUN: not %{run} --entry=types --in=6:%t.opaque8 2>&1 | FileCheck %s --check-prefix=STRUCTURE
// RUN: %{make} %t.big '>f4' 4x2
// RUN: not %{run} --entry=sized --in=0:%t.big 2>&1 | FileCheck %s --check-prefix=BIG
// RUN: %{make} %t.cut '<f4' 4x2 --cut 4
// RUN: not %{run} --entry=sized --in=0:%t.cut 2>&1 | FileCheck %s --check-prefix=CUT
// RUN: %{make} %t.empty '<f4' 4x2 --cut 150
// RUN: not %{run} --entry=sized --in=0:%t.empty 2>&1 | FileCheck %s --check-prefix=HEADER
// RUN: not %{run} --entry=sized --in=0:%s 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not %{run} --entry=sized --in=0:%t.missing 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not %{run} --entry=sized --in=0:%t.v2 --out=0:%t.no/file.npy 2>&1 | FileCheck %s --check-prefix=WRITE
// RUN: not %{run} --entry=sized --in=0:%t.v2 --out=1:%t.x 2>&1 | FileCheck %s --check-prefix=OUT

// ROUND: argument 0: memref<4xi4> 4 elements, from -2 to 3
// ROUND: argument 0 and {{.*}}.i4: equal: 4 elements (4 exact)
// ROUND: argument 1 and {{.*}}.fp8: equal: 4 elements
// ROUND: argument 2 and {{.*}}.i1: equal: 4 elements (4 exact)
// ROUND: argument 3 and {{.*}}.bf16: equal: 4 elements
// ROUND: argument 4 and {{.*}}.index: equal: 4 elements (4 exact)
// ROUND: argument 5 and {{.*}}.f16: equal: 4 elements
// ROUND: argument 6 and {{.*}}.f64: equal: 4 elements
// ROUND: argument 7 and {{.*}}.i16: equal: 4 elements (4 exact)
// NIBBLES: argument 0: memref<4xi4> 4 elements, from -8 to 7, mean -0.5
// BITS: argument 3: memref<4xbf16> 4 elements, from -2 to 1, mean -0.333333, 1 NaN
// VERSION: argument 0: memref<?x2xf32> 8 elements, from 1 to 3
// WIDE: error: '{{.*}}.wide' holds 16 at [2], which is out of range for argument 0: memref<4xi4>
// LOW: error: '{{.*}}.low' holds -9 at [2], which is out of range for argument 0: memref<4xi4>
// TWO: error: '{{.*}}.two' holds 2 at [2], which is out of range for argument 2: memref<4xi1>
// FLOAT64: error: '{{.*}}.f8' holds float64, but float32 is expected for argument 0: memref<?x2xf32>
// BFLOAT: error: '{{.*}}.f2' holds float16, but uint16 (the bits) is expected for argument 3: memref<4xbf16>
// HALF: error: '{{.*}}.bits' holds uint16, but float16 is expected for argument 5: memref<4xf16>
// EXPECT: error: '{{.*}}.v2' holds float32, but uint16 (the bits) is expected for argument 3: memref<4xbf16>
// SHAPE: error: '{{.*}}.five' has another shape than argument 3: memref<4xbf16>
// RANK: error: --in=0 has 1 dimensions, but argument 0: memref<?x2xf32> dims ["M", ""] has 2
// SCALAR: error: --in=0 has 0 dimensions, but argument 0: memref<?x2xf32> dims ["M", ""] has 2
// DIM: error: --dim=M:5: dimension 0 has size 4 in argument 0: memref<?x2xf32>
// BOTH: error: --in=0:{{.*}}.v2: --data=0:.. gives this argument other contents
// FORTRAN: argument 0 and {{.*}}.rows: equal: 8 elements (8 exact)
// VECTOR: error: '{{.*}}.vector' has another shape than argument 0: memref<?x2xf32>
// FP8: argument 1: memref<4xf8E4M3FN> 4 elements, from -2 to 1, mean -0.333333, 1 NaN
// OPAQUE: error: '{{.*}}.opaque2' holds opaque elements of 2 bytes, but float16 is expected for argument 5: memref<4xf16>
// STRUCTURE: error: cannot read '{{.*}}.opaque8': elements of type '<V8' are not numbers of 1, 2, 4 or 8 bytes
// BIG: error: cannot read '{{.*}}.big': it is big-endian; save it little-endian
// CUT: error: cannot read '{{.*}}.cut': it holds 28 bytes of data, its header says 32
// EMPTY: error: cannot read '{{.*}}': it is not an .npy file
// HEADER: error: cannot read '{{.*}}': its header is cut off
// MISSING: error: cannot read '{{.*}}.missing': No such file or directory
// WRITE: error: cannot write '{{.*}}file.npy': No such file or directory
// OUT: error: --out=1:{{.*}}: argument 1 is no memref of

func.func @types(%a: memref<4xi4>, %b: memref<4xf8E4M3FN>, %c: memref<4xi1>, %d: memref<4xbf16>,
                 %e: memref<4xindex>, %f: memref<4xf16>, %g: memref<4xf64>, %h: memref<4xi16>) {
  return
}

func.func @sized(%a: memref<?x2xf32> {tile.dims = ["M", ""]}) {
  return
}
