// Parts that end inside of what lanes and warps hold together stay where they are: what lies
// behind them is padding of the part, and behind what is inserted the rest of the fragment.
// RUN: tile-run %s --entry=ends --on=emulator --chip=sm_80 --check --check-stages
// RUN: tile-run %s --entry=ends --on=emulator --chip=sm_90a --check
// RUN: tile-opt %s --emit=report --chip=sm_80 | FileCheck %s
// CHECK: kernel ends_kernel
// CHECK: shared 0 bytes
// CHECK-NOT: LayoutConversion

func.func @ends(%a: memref<512xf32>, %o: memref<500xf32>, %p: memref<512xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @ends_kernel blocks(%x) in (%c1) threads(128) {
    %t = tile.load %a : memref<512xf32> -> tensor<512xf32>
    %part = tensor.extract_slice %t[0] [500] [1] : tensor<512xf32> to tensor<500xf32>
    tile.store %part, %o : tensor<500xf32>, memref<500xf32>
    %sum = arith.addf %part, %part : tensor<500xf32>
    %r = tensor.insert_slice %sum into %t[0] [500] [1] : tensor<500xf32> into tensor<512xf32>
    tile.store %r, %p : tensor<512xf32>, memref<512xf32>
  }
  return
}
