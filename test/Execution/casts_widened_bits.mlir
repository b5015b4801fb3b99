// LLVM joins widening and conversion to one from a bit, whose sign its code generator
// forgets on the way to bf16.
// RUN: tile-run %s --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --on=emulator --chip=sm_90a --check
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
