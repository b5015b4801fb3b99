// Reshapes of parts of buffers: of slots and of rows, whose base moves, of rows that the new dimensions
// cut, whose addresses are computed from the number of the element; read, written, by products and
// by iterations, reshaped again, in a loop over slots.
// RUN: tile-run %s --entry=slot --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=slot --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=slots --on=emulator --chip=sm_80 --check --check-stages
// RUN: tile-run %s --entry=slots --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=cut --on=emulator --chip=sm_80 --check --check-stages
// RUN: tile-run %s --entry=cut --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=rows --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=rows --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=moving --on=emulator --chip=sm_80 --check --check-stages
// RUN: tile-run %s --entry=moving --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=columns --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=columns --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=written --on=emulator --chip=sm_80 --check --check-stages
// RUN: tile-run %s --entry=written --on=emulator --chip=sm_90a --check
// RUN: tile-opt %s --emit=report --chip=sm_80 | FileCheck %s
// CHECK: kernel slot_kernel
// CHECK-NOT: ReshapedByNumber
// CHECK: kernel cut_kernel
// CHECK: ReshapedByNumber: the new shape cuts rows of the buffer's layout
// CHECK: kernel rows_kernel

#shared = #gpu.address_space<workgroup>
!half = memref<64x64xf16, strided<[64, 1], offset: 4096>, #shared>

func.func @slot(%A: memref<2x64x64xf16>, %O: memref<64x64xf32>, %P: memref<64x64xf16>, %Q: memref<4096xf16>) {
  %c1 = arith.constant 1 : index
  tile.launch @slot_kernel blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %s = tile.alloc : memref<2x64x64xf16, #shared>
    tile.copy %A[%c0, %c0, %c0] to %s : memref<2x64x64xf16> to memref<2x64x64xf16, #shared>
    %w = memref.subview %s[1, 0, 0] [1, 64, 64] [1, 1, 1] : memref<2x64x64xf16, #shared> to !half
    %d = tile.gemm %w, %w {transpose_b} : !half, !half -> tensor<64x64xf32>
    tile.store %d, %O[%c0, %c0] : tensor<64x64xf32>, memref<64x64xf32>
    %e = memref.expand_shape %w [[0, 1], [2]] output_shape [4, 16, 64]
         : !half into memref<4x16x64xf16, strided<[1024, 64, 1], offset: 4096>, #shared>
    %q = tile.load %e[%c0, %c0, %c0] : memref<4x16x64xf16, strided<[1024, 64, 1], offset: 4096>, #shared> -> tensor<4x16x64xf16>
    %r = tensor.collapse_shape %q [[0, 1], [2]] : tensor<4x16x64xf16> into tensor<64x64xf16>
    tile.store %r, %P[%c0, %c0] : tensor<64x64xf16>, memref<64x64xf16>
    %l = memref.collapse_shape %w [[0, 1]] : !half into memref<4096xf16, strided<[1], offset: 4096>, #shared>
    %v = tile.load %l[%c0] : memref<4096xf16, strided<[1], offset: 4096>, #shared> -> tensor<4096xf16>
    tile.store %v, %Q[%c0] : tensor<4096xf16>, memref<4096xf16>
  }
  return
}

func.func @slots(%A: memref<3x32x48xf16>, %O: memref<3x16x96xf16>) {
  %c1 = arith.constant 1 : index
  tile.launch @slots_kernel blocks(%x) in (%c1) threads(64) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %s = tile.alloc : memref<3x32x48xf16, #shared>
    tile.copy %A[%c0, %c0, %c0] to %s : memref<3x32x48xf16> to memref<3x32x48xf16, #shared>
    scf.for %i = %c0 to %c3 step %one {
      %w = memref.subview %s[%i, 0, 0] [1, 32, 48] [1, 1, 1] : memref<3x32x48xf16, #shared> to memref<32x48xf16, strided<[48, 1], offset: ?>, #shared>
      %l = memref.collapse_shape %w [[0, 1]] : memref<32x48xf16, strided<[48, 1], offset: ?>, #shared> into memref<1536xf16, strided<[1], offset: ?>, #shared>
      %e = memref.expand_shape %l [[0, 1]] output_shape [16, 96] : memref<1536xf16, strided<[1], offset: ?>, #shared> into memref<16x96xf16, strided<[96, 1], offset: ?>, #shared>
      %q = tile.load %e[%c0, %c0] : memref<16x96xf16, strided<[96, 1], offset: ?>, #shared> -> tensor<16x96xf16>
      tile.store %q, %O[%i, %c0, %c0] [1, 16, 96] : tensor<16x96xf16>, memref<3x16x96xf16>
    }
  }
  return
}

func.func @cut(%A: memref<64x48xf16>, %O: memref<64x64xf32>, %P: memref<32x32xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @cut_kernel blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %s = tile.alloc : memref<64x48xf16, #shared>
    tile.copy %A[%c0, %c0] to %s : memref<64x48xf16> to memref<64x48xf16, #shared>
    %v = memref.collapse_shape %s [[0, 1]] : memref<64x48xf16, #shared> into memref<3072xf16, #shared>
    %e = memref.expand_shape %v [[0, 1]] output_shape [32, 96] : memref<3072xf16, #shared> into memref<32x96xf16, #shared>
    %f = memref.expand_shape %v [[0, 1]] output_shape [96, 32] : memref<3072xf16, #shared> into memref<96x32xf16, #shared>
    %d = tile.gemm %s, %s {transpose_b} : memref<64x48xf16, #shared>, memref<64x48xf16, #shared> -> tensor<64x64xf32>
    tile.store %d, %O[%c0, %c0] : tensor<64x64xf32>, memref<64x64xf32>
    %g = tile.gemm %e, %f : memref<32x96xf16, #shared>, memref<96x32xf16, #shared> -> tensor<32x32xf32>
    tile.store %g, %P[%c0, %c0] : tensor<32x32xf32>, memref<32x32xf32>
  }
  return
}

// Rows from 8 and from 3 on: the XOR of the first repeats there, that of the second does not.
func.func @rows(%A: memref<64x64xf16>, %O: memref<64x64xf32>, %P: memref<16x16xf32>, %Q: memref<16x16xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @rows_kernel blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %s = tile.alloc : memref<64x64xf16, #shared>
    tile.copy %A[%c0, %c0] to %s : memref<64x64xf16> to memref<64x64xf16, #shared>
    %w = memref.subview %s[8, 0] [32, 64] [1, 1] : memref<64x64xf16, #shared> to memref<32x64xf16, strided<[64, 1], offset: 512>, #shared>
    %v = memref.collapse_shape %w [[0, 1]] : memref<32x64xf16, strided<[64, 1], offset: 512>, #shared> into memref<2048xf16, strided<[1], offset: 512>, #shared>
    %e = memref.expand_shape %v [[0, 1]] output_shape [16, 128] : memref<2048xf16, strided<[1], offset: 512>, #shared> into memref<16x128xf16, strided<[128, 1], offset: 512>, #shared>
    %d = tile.gemm %e, %e {transpose_b} : memref<16x128xf16, strided<[128, 1], offset: 512>, #shared>, memref<16x128xf16, strided<[128, 1], offset: 512>, #shared> -> tensor<16x16xf32>
    tile.store %d, %P[%c0, %c0] : tensor<16x16xf32>, memref<16x16xf32>
    %w3 = memref.subview %s[3, 0] [32, 64] [1, 1] : memref<64x64xf16, #shared> to memref<32x64xf16, strided<[64, 1], offset: 192>, #shared>
    %v3 = memref.collapse_shape %w3 [[0, 1]] : memref<32x64xf16, strided<[64, 1], offset: 192>, #shared> into memref<2048xf16, strided<[1], offset: 192>, #shared>
    %e3 = memref.expand_shape %v3 [[0, 1]] output_shape [16, 128] : memref<2048xf16, strided<[1], offset: 192>, #shared> into memref<16x128xf16, strided<[128, 1], offset: 192>, #shared>
    %d3 = tile.gemm %e3, %e3 {transpose_b} : memref<16x128xf16, strided<[128, 1], offset: 192>, #shared>, memref<16x128xf16, strided<[128, 1], offset: 192>, #shared> -> tensor<16x16xf32>
    tile.store %d3, %Q[%c0, %c0] : tensor<16x16xf32>, memref<16x16xf32>
    %g = tile.gemm %s, %s {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
    tile.store %g, %O[%c0, %c0] : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// Rows from a number on that is a multiple of the XOR's rows, and of half of them.
func.func @moving(%A: memref<64x64xf16>, %O: memref<64x64xf32>, %P: memref<8x512xf16>, %Q: memref<16x256xf16>) {
  %c1 = arith.constant 1 : index
  tile.launch @moving_kernel blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c64 = arith.constant 64 : index
    %s = tile.alloc : memref<64x64xf16, #shared>
    tile.copy %A[%c0, %c0] to %s : memref<64x64xf16> to memref<64x64xf16, #shared>
    %g = tile.gemm %s, %s {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
    tile.store %g, %O[%c0, %c0] : tensor<64x64xf32>, memref<64x64xf32>
    scf.for %i = %c0 to %c64 step %c8 {
      %w = memref.subview %s[%i, 0] [8, 64] [1, 1] : memref<64x64xf16, #shared> to memref<8x64xf16, strided<[64, 1], offset: ?>, #shared>
      %l = memref.collapse_shape %w [[0, 1]] : memref<8x64xf16, strided<[64, 1], offset: ?>, #shared> into memref<512xf16, strided<[1], offset: ?>, #shared>
      %q = tile.load %l[%c0] : memref<512xf16, strided<[1], offset: ?>, #shared> -> tensor<512xf16>
      %n = arith.divui %i, %c8 : index
      tile.store %q, %P[%n, %c0] [1, 512] : tensor<512xf16>, memref<8x512xf16>
    }
    scf.for %i = %c0 to %c64 step %c4 {
      %w = memref.subview %s[%i, 0] [4, 64] [1, 1] : memref<64x64xf16, #shared> to memref<4x64xf16, strided<[64, 1], offset: ?>, #shared>
      %l = memref.collapse_shape %w [[0, 1]] : memref<4x64xf16, strided<[64, 1], offset: ?>, #shared> into memref<256xf16, strided<[1], offset: ?>, #shared>
      %q = tile.load %l[%c0] : memref<256xf16, strided<[1], offset: ?>, #shared> -> tensor<256xf16>
      %n = arith.divui %i, %c4 : index
      tile.store %q, %Q[%n, %c0] [1, 256] : tensor<256xf16>, memref<16x256xf16>
    }
  }
  return
}

// From an element on that no wide access may begin at.
func.func @columns(%A: memref<64x40xf16>, %O: memref<4x8x32xf16>, %P: memref<64x40xf16>) {
  %c1 = arith.constant 1 : index
  tile.launch @columns_kernel blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %s = tile.alloc layout(#tile.shared<[64, 40]>) : memref<64x40xf16, #shared>
    tile.copy %A[%c0, %c0] to %s : memref<64x40xf16> to memref<64x40xf16, #shared>
    %w = memref.subview %s[3, 5] [32, 32] [1, 1] : memref<64x40xf16, #shared> to memref<32x32xf16, strided<[40, 1], offset: 125>, #shared>
    %e = memref.expand_shape %w [[0, 1], [2]] output_shape [4, 8, 32]
         : memref<32x32xf16, strided<[40, 1], offset: 125>, #shared> into memref<4x8x32xf16, strided<[320, 40, 1], offset: 125>, #shared>
    %q = tile.load %e[%c0, %c0, %c0] : memref<4x8x32xf16, strided<[320, 40, 1], offset: 125>, #shared> -> tensor<4x8x32xf16>
    tile.store %q, %O[%c0, %c0, %c0] : tensor<4x8x32xf16>, memref<4x8x32xf16>
    %f = memref.collapse_shape %e [[0, 1], [2]]
         : memref<4x8x32xf16, strided<[320, 40, 1], offset: 125>, #shared> into memref<32x32xf16, strided<[40, 1], offset: 125>, #shared>
    %d = tile.gemm %f, %f {transpose_b} : memref<32x32xf16, strided<[40, 1], offset: 125>, #shared>, memref<32x32xf16, strided<[40, 1], offset: 125>, #shared> -> tensor<32x32xf32>
    %h = arith.truncf %d : tensor<32x32xf32> to tensor<32x32xf16>
    tile.store %h, %f : tensor<32x32xf16>, memref<32x32xf16, strided<[40, 1], offset: 125>, #shared>
    tile.copy %s to %P[%c0, %c0] : memref<64x40xf16, #shared> to memref<64x40xf16>
  }
  return
}

func.func @written(%A: memref<96x16xf16>, %O: memref<32x48xf32>, %P: memref<96x16xf16>) {
  %c1 = arith.constant 1 : index
  tile.launch @written_kernel blocks(%x) in (%c1) threads(64) {
    %c0 = arith.constant 0 : index
    %s = tile.alloc : memref<32x48xf16, #shared>
    %l = memref.collapse_shape %s [[0, 1]] : memref<32x48xf16, #shared> into memref<1536xf16, #shared>
    %e = memref.expand_shape %l [[0, 1]] output_shape [96, 16] : memref<1536xf16, #shared> into memref<96x16xf16, #shared>
    tile.copy %A[%c0, %c0] to %e : memref<96x16xf16> to memref<96x16xf16, #shared>
    %part = memref.subview %e[7, 4] [80, 8] [1, 1] : memref<96x16xf16, #shared> to memref<80x8xf16, strided<[16, 1], offset: 116>, #shared>
    tile.parallel (%i, %j) in (80, 8) {
      %a = memref.load %part[%i, %j] : memref<80x8xf16, strided<[16, 1], offset: 116>, #shared>
      %b = arith.addf %a, %a : f16
      memref.store %b, %part[%i, %j] : memref<80x8xf16, strided<[16, 1], offset: 116>, #shared>
    }
    %d = tile.gemm %s, %s {transpose_a} : memref<32x48xf16, #shared>, memref<32x48xf16, #shared> -> tensor<48x48xf32>
    %h = tensor.extract_slice %d[0, 0] [32, 48] [1, 1] : tensor<48x48xf32> to tensor<32x48xf32>
    tile.store %h, %O[%c0, %c0] : tensor<32x48xf32>, memref<32x48xf32>
    %q = tile.load %e[%c0, %c0] : memref<96x16xf16, #shared> -> tensor<96x16xf16>
    tile.store %q, %P[%c0, %c0] : tensor<96x16xf16>, memref<96x16xf16>
  }
  return
}
