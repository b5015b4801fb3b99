// What a host function is in C: every kind of parameter, results, names; the header is
// C99 and C++ on its own.
// RUN: tile-opt %s --emit=header --chip=sm_80 -o %t.h
// RUN: FileCheck %s --implicit-check-not=hidden < %t.h
// RUN: %host_cc -std=c99 -Wall -Wextra -Werror -pedantic -fsyntax-only -include %t.h -x c /dev/null
// RUN: %host_cxx -std=c++17 -Wall -Wextra -Werror -pedantic -fsyntax-only -include %t.h -x c++ /dev/null
// RUN: tile-opt %s --emit=object --chip=sm_80 -o %t.o

// CHECK: Host functions compiled for sm_80
// CHECK: tileRtLastError() has the words.

// Numbers go as they lie in memory.
// CHECK: // {{.*}}header.mlir:[[@LINE+5]]:1
// CHECK:      int scalars(float *x, int64_t x_size0, int64_t a, int64_t b, int32_t c,
// CHECK-NEXT:             int16_t d, int8_t e, bool f, int8_t g, double h, float i,
// CHECK-NEXT:             uint16_t j, uint16_t k, uint8_t l, int64_t *result0, float *result1,
// CHECK-NEXT:             bool *result2, void *stream);
func.func @scalars(%x: memref<32xf32>, %a: index, %b: i64, %c: i32, %d: i16, %e: i8, %f: i1, %g: i4, %h: f64, %i: f32, %j: f16, %k: bf16, %l: f8E4M3FN) -> (index, f32, i1) {
  call @hidden(%x, %i) : (memref<32xf32>, f32) -> ()
  return %a, %i, %f : index, f32, i1
}

func.func private @hidden(%x: memref<32xf32>, %f: f32) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %s = tensor.splat %f : tensor<32xf32>
    tile.store %s, %x : tensor<32xf32>, memref<32xf32>
  }
  return
}

// Strides and offsets where the layout leaves them open; what the type and attributes
// say is said.
// CHECK: //   a: memref<?x8xf16, strided<[?, 1], offset: ?>>, tile.dims = ["M", ""], tile.divisible = array<i64: 2, 1>, tile.align = 32
// CHECK: //   b: memref<4x?xf64>, tile.may_alias
// CHECK:      int memrefs(void *a, int64_t a_size0, int64_t a_size1, int64_t a_stride0,
// CHECK-NEXT:             int64_t a_offset, double *b, int64_t b_size0, int64_t b_size1,
// CHECK-NEXT:             void *stream);
func.func @memrefs(%a: memref<?x8xf16, strided<[?, 1], offset: ?>> {tile.dims = ["M", ""], tile.divisible = array<i64: 2, 1>, tile.align = 32}, %b: memref<4x?xf64> {tile.may_alias}) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %t = tile.load %a[%c0, %c0] : memref<?x8xf16, strided<[?, 1], offset: ?>> -> tensor<16x8xf16>
    tile.store %t, %a[%c0, %c0] : tensor<16x8xf16>, memref<?x8xf16, strided<[?, 1], offset: ?>>
  }
  return
}

// Names that C does not have, or has for something else.
// CHECK: int names(float *arg0, int64_t arg0_size0, float *int_, int64_t int_size0,
// CHECK-NEXT: int64_t stream, int64_t int_size0_, float *here, int64_t here_size0,
// CHECK-NEXT: int64_t int64_t_, bool linux_, void *stream_);
func.func @names(%0: memref<32xf32>, %int: memref<32xf32>, %stream: index, %int_size0: index, %1: memref<32xf32> loc("here"), %int64_t: index, %linux: i1) {
  %f = arith.constant 1.0 : f32
  call @hidden(%0, %f) : (memref<32xf32>, f32) -> ()
  return
}

// A function without a launch is none of the application's.
func.func @hidden_too(%n: index) -> index {
  return %n : index
}
