// What the host shows of the operands of a launch, the kernel knows: programs that
// choose instructions by it compile and are right, and loads are as wide as where
// the view is made inside the launch.
// RUN: tile-run %s --entry=dynamic_offset --on=emulator --chip=sm_80 --check --scalar=2:3
// RUN: tile-run %s --entry=dynamic_strides --on=emulator --chip=sm_80 --check --shape=0:64x24 --scalar=2:5 --scalar=3:16
// RUN: tile-run %s --entry=assumed_strides --on=emulator --chip=sm_80 --check --shape=0:32x16 --scalar=2:3
// RUN: not tile-run %s --entry=assumed_strides --on=emulator --check --shape=0:36x16 --scalar=2:3 2>&1 | FileCheck %s --check-prefix=ASSUMED
// RUN: tile-run %s --entry=narrow_scalar --on=emulator --chip=sm_80 --check --scalar=2:3
// RUN: tile-run %s --entry=narrow_scalar_to_shared --on=emulator --chip=sm_80 --check --scalar=2:2
// RUN: tile-run %s --entry=host_loop --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=im2col --on=emulator --chip=sm_80 --check --scalar=2:1
// RUN: tile-run %s --entry=half_aligned --on=emulator --chip=sm_80 --check --scalar=2:3
// RUN: tile-run %s --entry=reinterpreted --on=emulator --chip=sm_80 --check --scalar=2:3
// RUN: tile-run %s --entry=wide_loads --on=emulator --chip=sm_80 --check --scalar=2:3
// RUN: tile-run %s --entry=collapsed --on=emulator --chip=sm_80 --check --shape=0:3x8 --shape=1:6
// RUN: tile-run %s --entry=collapsed --on=emulator --chip=sm_80 --check --shape=0:3x0 --shape=1:0
// RUN: tile-opt %s --emit=ptx --chip=sm_80 | FileCheck %s --check-prefix=PTX
#shared = #gpu.address_space<workgroup>

// PTX-LABEL: .entry dynamic_offset_0
// PTX: cp.async.cg.shared.global [{{.*}}], [{{.*}}], 16
func.func @dynamic_offset(%A0: memref<64x64xf16>, %o: memref<16x64xf16>, %q: index) {
  %c1 = arith.constant 1 : index
  %A = memref.subview %A0[%q, 0] [16, 64] [1, 1] : memref<64x64xf16> to memref<16x64xf16, strided<[64, 1], offset: ?>>
  tile.launch blocks(%x) in (%c1) threads(32) {
    %s = tile.alloc : memref<16x64xf16, #shared>
    tile.copy %A to %s : memref<16x64xf16, strided<[64, 1], offset: ?>> to memref<16x64xf16, #shared>
    %t = tile.load %s : memref<16x64xf16, #shared> -> tensor<16x64xf16>
    tile.store %t, %o : tensor<16x64xf16>, memref<16x64xf16>
  }
  return
}

// Clipped to a sequence: sizes and strides are the host's.
// PTX-LABEL: .entry dynamic_strides_0
// PTX: cp.async.cg.shared.global [{{.*}}], [{{.*}}], 16
func.func @dynamic_strides(%A0: memref<?x?xf16> {tile.divisible = array<i64: 1, 8>}, %o: memref<16x32xf16>, %r: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d1 = memref.dim %A0, %c1 : memref<?x?xf16>
  %A = memref.subview %A0[%r, 0] [%n, %d1] [1, 1] : memref<?x?xf16> to memref<?x?xf16, strided<[?, 1], offset: ?>>
  tile.launch blocks(%x) in (%c1) threads(32) {
    %z = arith.constant 0 : index
    %s = tile.alloc : memref<16x32xf16, #shared>
    tile.copy %A[%z, %z] to %s : memref<?x?xf16, strided<[?, 1], offset: ?>> to memref<16x32xf16, #shared>
    %t = tile.load %s : memref<16x32xf16, #shared> -> tensor<16x32xf16>
    tile.store %t, %o : tensor<16x32xf16>, memref<16x32xf16>
  }
  return
}

// PTX-LABEL: .entry assumed_strides_0
// PTX: cp.async.cg.shared.global [{{.*}}], [{{.*}}], 16
func.func @assumed_strides(%A0: memref<?x?xf16>, %o: memref<16x16xf16>, %r: index) {
  %c1 = arith.constant 1 : index
  // ASSUMED: host_views.mlir:[[@LINE+1]]:8: error: {{.*}}36{{.*}}16
  %A = tile.assume %A0 sizes [16, 8] strides [8, 1] alignment 16 : memref<?x?xf16>
  tile.launch blocks(%x) in (%c1) threads(32) {
    %z = arith.constant 0 : index
    %s = tile.alloc : memref<16x16xf16, #shared>
    tile.copy %A[%r, %z] to %s : memref<?x?xf16> to memref<16x16xf16, #shared>
    %t = tile.load %s : memref<16x16xf16, #shared> -> tensor<16x16xf16>
    tile.store %t, %o : tensor<16x16xf16>, memref<16x16xf16>
  }
  return
}

// PTX-LABEL: .entry narrow_scalar_0
// PTX: cp.async.ca.shared.global [{{.*}}], [{{.*}}], 8
func.func @narrow_scalar(%A: memref<256xf16>, %o: memref<64xf16>, %r: i32) {
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : i32
  %r16 = arith.muli %r, %c16 : i32
  tile.launch blocks(%x) in (%c1) threads(32) {
    %start = arith.index_cast %r16 : i32 to index
    %s = tile.alloc : memref<64xf16, #shared>
    tile.copy %A[%start] to %s : memref<256xf16> to memref<64xf16, #shared>
    %t = tile.load %s : memref<64xf16, #shared> -> tensor<64xf16>
    tile.store %t, %o : tensor<64xf16>, memref<64xf16>
  }
  return
}

// PTX-LABEL: .entry narrow_scalar_to_shared_0
// PTX: cp.async.ca.shared.global [{{.*}}], [{{.*}}], 8
func.func @narrow_scalar_to_shared(%A: memref<64xf16>, %o: memref<256xf16>, %r: i32) {
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : i32
  %r16 = arith.muli %r, %c16 : i32
  tile.launch blocks(%x) in (%c1) threads(32) {
    %start = arith.index_cast %r16 : i32 to index
    %s = tile.alloc : memref<256xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<256xf16>
    tile.store %zero, %s : tensor<256xf16>, memref<256xf16, #shared>
    tile.copy %A to %s[%start] : memref<64xf16> to memref<256xf16, #shared>
    %t = tile.load %s : memref<256xf16, #shared> -> tensor<256xf16>
    tile.store %t, %o : tensor<256xf16>, memref<256xf16>
  }
  return
}

// In bounds while %i is a loop's: 0 and 64.
// PTX-LABEL: .entry host_loop_0
// PTX: cp.async.ca.shared.global [{{.*}}], [{{.*}}], 8
func.func @host_loop(%A: memref<130xf16>, %o: memref<128xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  scf.for %i = %c0 to %c128 step %c64 {
    tile.launch blocks(%x) in (%c1) threads(32) {
      %s = tile.alloc : memref<64xf16, #shared>
      tile.copy %A[%i] to %s : memref<130xf16> to memref<64xf16, #shared>
      %t = tile.load %s : memref<64xf16, #shared> -> tensor<64xf16>
      tile.store %t, %o[%i] : tensor<64xf16>, memref<128xf16>
    }
  }
  return
}

// PTX-LABEL: .entry im2col_0
// PTX: cp.async.cg.shared.global [{{.*}}], [{{.*}}], 16
func.func @im2col(%X: memref<3x6x6x16xf16>, %o: memref<32x32xf16>, %n: index) {
  %c1 = arith.constant 1 : index
  %A = memref.subview %X[%n, 0, 0, 0] [1, 6, 6, 16] [1, 1, 1, 1] : memref<3x6x6x16xf16> to memref<1x6x6x16xf16, strided<[576, 96, 16, 1], offset: ?>>
  tile.launch blocks(%x) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %s = tile.alloc : memref<32x32xf16, #shared>
    tile.im2col %A[%c0, %c0] to %s {kernel = [3, 3], strides = [1, 1], dilations = [1, 1], padding = [1, 1]} : memref<1x6x6x16xf16, strided<[576, 96, 16, 1], offset: ?>> to memref<32x32xf16, #shared>
    %t = tile.load %s : memref<32x32xf16, #shared> -> tensor<32x32xf16>
    tile.store %t, %o : tensor<32x32xf16>, memref<32x32xf16>
  }
  return
}

// Rows of 72 bytes from byte 4 on.
// PTX-LABEL: .entry half_aligned_0
// PTX: cp.async.ca.shared.global [{{.*}}], [{{.*}}], 4
func.func @half_aligned(%A0: memref<64x36xf16>, %o: memref<16x32xf16>, %r: index) {
  %c1 = arith.constant 1 : index
  %A = memref.subview %A0[%r, 2] [16, 32] [1, 1] : memref<64x36xf16> to memref<16x32xf16, strided<[36, 1], offset: ?>>
  tile.launch blocks(%x) in (%c1) threads(32) {
    %s = tile.alloc : memref<16x32xf16, #shared>
    tile.copy %A to %s : memref<16x32xf16, strided<[36, 1], offset: ?>> to memref<16x32xf16, #shared>
    %t = tile.load %s : memref<16x32xf16, #shared> -> tensor<16x32xf16>
    tile.store %t, %o : tensor<16x32xf16>, memref<16x32xf16>
  }
  return
}

// PTX-LABEL: .entry reinterpreted_0
// PTX: cp.async.cg.shared.global [{{.*}}], [{{.*}}], 16
func.func @reinterpreted(%A0: memref<1024xf16>, %o: memref<16x32xf16>, %r: index) {
  %c1 = arith.constant 1 : index
  %c40 = arith.constant 40 : index
  %offset = arith.muli %r, %c40 : index
  %A = memref.reinterpret_cast %A0 to offset: [%offset], sizes: [16, 32], strides: [%c40, 1] : memref<1024xf16> to memref<16x32xf16, strided<[?, 1], offset: ?>>
  tile.launch blocks(%x) in (%c1) threads(32) {
    %s = tile.alloc : memref<16x32xf16, #shared>
    tile.copy %A to %s : memref<16x32xf16, strided<[?, 1], offset: ?>> to memref<16x32xf16, #shared>
    %t = tile.load %s : memref<16x32xf16, #shared> -> tensor<16x32xf16>
    tile.store %t, %o : tensor<16x32xf16>, memref<16x32xf16>
  }
  return
}

// 32 elements a thread, in four loads.
// PTX-LABEL: .entry wide_loads_0
// PTX-NOT: ld.global
// PTX-COUNT-4: ld.global.nc.v4.b32
// PTX-NOT: ld.global
// PTX: ret;
func.func @wide_loads(%A0: memref<64x64xf16>, %o: memref<32x64xf16>, %q: index) {
  %c1 = arith.constant 1 : index
  %A = memref.subview %A0[%q, 0] [32, 64] [1, 1] : memref<64x64xf16> to memref<32x64xf16, strided<[64, 1], offset: ?>>
  tile.launch blocks(%x) in (%c1) threads(64) {
    %t = tile.load %A : memref<32x64xf16, strided<[64, 1], offset: ?>> -> tensor<32x64xf16>
    tile.store %t, %o : tensor<32x64xf16>, memref<32x64xf16>
  }
  return
}

// Dimensions of no elements follow each other, whatever their strides.
func.func @collapsed(%x: memref<?x?xf32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %m = memref.dim %x, %c0 : memref<?x?xf32>
  %n = memref.dim %x, %c1 : memref<?x?xf32>
  %q = arith.divui %n, %c4 : index
  %e = memref.expand_shape %x [[0], [1, 2]] output_shape [%m, %q, 4] : memref<?x?xf32> into memref<?x?x4xf32>
  %c = memref.collapse_shape %e [[0, 1], [2]] : memref<?x?x4xf32> into memref<?x4xf32>
  %rows = memref.dim %c, %c0 : memref<?x4xf32>
  tile.launch blocks(%b) in (%rows) threads(32) {
    %z = arith.constant 0 : index
    %t = tile.load %c[%b, %z] [1, 4] : memref<?x4xf32> -> tensor<4xf32>
    %s = tile.reduce <maximumf> %t dims [0] : tensor<4xf32> -> tensor<f32>
    %v = tensor.extract %s[] : tensor<f32>
    memref.store %v, %y[%b] : memref<?xf32>
  }
  return
}
