// Slices that drop a dimension of what is loaded stay in its registers: halves that are
// rotated meet at no barrier.
// RUN: tile-run %s --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --on=emulator --chip=sm_90a --check
// RUN: tile-opt %s --emit=ptx --chip=sm_80 | FileCheck %s
// CHECK-NOT: bar.sync
// CHECK-NOT: shfl
// CHECK: ret;
func.func @rotated_halves(%x: memref<128x2x64xf16>, %o: memref<128x2x64xf16>, %c: memref<128x64xf16>) {
  %c64 = arith.constant 64 : index
  %c2 = arith.constant 2 : index
  %z = arith.constant 0 : index
  tile.launch blocks(%b) in (%c2) threads(128) {
    %r = arith.muli %b, %c64 : index
    %t = tile.load %x[%r, %z, %z] : memref<128x2x64xf16> -> tensor<64x2x64xf16>
    %a = tensor.extract_slice %t[0, 0, 0] [64, 1, 64] [1, 1, 1] : tensor<64x2x64xf16> to tensor<64x64xf16>
    %d = tensor.extract_slice %t[0, 1, 0] [64, 1, 64] [1, 1, 1] : tensor<64x2x64xf16> to tensor<64x64xf16>
    %w = tile.load %c[%r, %z] : memref<128x64xf16> -> tensor<64x64xf16>
    %ac = arith.mulf %a, %w : tensor<64x64xf16>
    %dc = arith.mulf %d, %w : tensor<64x64xf16>
    %s = arith.subf %ac, %dc : tensor<64x64xf16>
    %p = arith.addf %ac, %dc : tensor<64x64xf16>
    %i = tensor.insert_slice %s into %t[0, 0, 0] [64, 1, 64] [1, 1, 1] : tensor<64x64xf16> into tensor<64x2x64xf16>
    %j = tensor.insert_slice %p into %i[0, 1, 0] [64, 1, 64] [1, 1, 1] : tensor<64x64xf16> into tensor<64x2x64xf16>
    tile.store %j, %o[%r, %z, %z] : tensor<64x2x64xf16>, memref<128x2x64xf16>
  }
  return
}
