// RUN: tile-opt %s --tile-compile="chip=sm_80" --remark-format=emitRemark --remarks-filter-missed=convert-tile-to-nvvm -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK --implicit-check-not=ReshapedByNumber
#shared = #gpu.address_space<workgroup>

// Rows of 48 are cut by rows of 32; 8 rows of 64 are whole.
func.func @reshapes(%A: memref<64x48xf16>, %B: memref<64x64xf16>, %O: memref<96x32xf16>, %P: memref<512xf16>) {
  %c1 = arith.constant 1 : index
  tile.launch @reshapes_kernel blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %s = tile.alloc layout(#tile.shared<[64, 48], swizzle = 32>) : memref<64x48xf16, #shared>
    tile.copy %A[%c0, %c0] to %s : memref<64x48xf16> to memref<64x48xf16, #shared>
    %l = memref.collapse_shape %s [[0, 1]] : memref<64x48xf16, #shared> into memref<3072xf16, #shared>
    // REMARK: [[#@LINE+1]]:10: remark: [Missed] ReshapedByNumber {{.*}} Function=reshapes_kernel {{.*}}the new shape cuts rows of the buffer's layout, so that an address is computed by divisions for each element; allocate the buffer in the shape that most accesses have, or give it a layout without swizzle
    %e = memref.expand_shape %l [[0, 1]] output_shape [96, 32] : memref<3072xf16, #shared> into memref<96x32xf16, #shared>
    %q = tile.load %e[%c0, %c0] : memref<96x32xf16, #shared> -> tensor<96x32xf16>
    tile.store %q, %O[%c0, %c0] : tensor<96x32xf16>, memref<96x32xf16>
    %t = tile.alloc : memref<64x64xf16, #shared>
    tile.copy %B[%c0, %c0] to %t : memref<64x64xf16> to memref<64x64xf16, #shared>
    %w = memref.subview %t[8, 0] [8, 64] [1, 1] : memref<64x64xf16, #shared> to memref<8x64xf16, strided<[64, 1], offset: 512>, #shared>
    %v = memref.collapse_shape %w [[0, 1]] : memref<8x64xf16, strided<[64, 1], offset: 512>, #shared> into memref<512xf16, strided<[1], offset: 512>, #shared>
    %r = tile.load %v[%c0] : memref<512xf16, strided<[1], offset: 512>, #shared> -> tensor<512xf16>
    tile.store %r, %P[%c0] : tensor<512xf16>, memref<512xf16>
  }
  return
}
