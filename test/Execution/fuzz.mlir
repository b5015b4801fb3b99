// Programs that the fuzzer found (test/Fuzz), reduced: each failed once.
// RUN: tile-run %s --entry=half_atomics_at_an_odd_end --on=emulator --chip=sm_80 --check --rtol=0 --atol=0 --data=integers(-3,3)
// RUN: tile-run %s --entry=seven_warps --on=emulator --chip=sm_80 --check --rtol=0 --atol=0 --data=integers(-3,3)
// RUN: tile-run %s --entry=integer_through_f32 --on=emulator --chip=sm_80 --check --rtol=0 --atol=0 --data=0:values(1077936129,-1077936129,5)
// RUN: tile-run %s --entry=integer_through_f32 --on=reference --check-stages --chip=sm_80 --rtol=0 --atol=0 --data=0:values(1077936129,-1077936129,5)
// RUN: tile-run %s --entry=narrow_on_request --on=emulator --chip=sm_80 --check --data=0:integers(-100,100)

// The last element shares its word with nothing, or with the end of the buffer.
func.func @half_atomics_at_an_odd_end(%a: memref<32xf16>, %o: memref<33xf16>, %q: memref<7xbf16>) {
  %c3 = arith.constant 3 : index
  tile.launch blocks(%x) in (%c3) threads(192) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %t = tile.load %a : memref<32xf16> -> tensor<32xf16>
    tile.atomic_rmw minimumf %t, %o[%c1] : tensor<32xf16>, memref<33xf16>
    %u = tensor.extract_slice %t[4] [8] [1] : tensor<32xf16> to tensor<8xf16>
    %w = arith.extf %u : tensor<8xf16> to tensor<8xf32>
    %b = arith.truncf %w : tensor<8xf32> to tensor<8xbf16>
    tile.atomic_rmw maximumf %b, %q[%c2] : tensor<8xbf16>, memref<7xbf16>
  }
  return
}

// Seven partial results are read four at a time.
func.func @seven_warps(%a: memref<2x3x7xf32>, %o: memref<1xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(224) {
    %c0 = arith.constant 0 : index
    %t = tile.load %a : memref<2x3x7xf32> -> tensor<2x3x7xf32>
    %m = tile.reduce <maxnumf> %t dims [0, 1, 2] : tensor<2x3x7xf32> -> tensor<f32>
    %e = tensor.extract %m[] : tensor<f32>
    memref.store %e, %o[%c0] : memref<1xf32>
  }
  return
}

// Two roundings are not one, and integers reach fp8 through f32 only.
func.func @integer_through_f32(%a: memref<64xi32>, %o: memref<64xbf16>, %q: memref<64xf8E4M3FN>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %t = tile.load %a : memref<64xi32> -> tensor<64xi32>
    %f = arith.sitofp %t : tensor<64xi32> to tensor<64xf32>
    %h = arith.truncf %f : tensor<64xf32> to tensor<64xbf16>
    %e = arith.truncf %f : tensor<64xf32> to tensor<64xf8E4M3FN>
    tile.store %h, %o : tensor<64xbf16>, memref<64xbf16>
    tile.store %e, %q : tensor<64xf8E4M3FN>, memref<64xf8E4M3FN>
  }
  return
}

// Rows of three elements invite three at a time.
func.func @narrow_on_request(%a: memref<128x3xi32>, %o: memref<128x3xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %t = tile.load %a : memref<128x3xi32> -> tensor<128x3xi32>
    %u = tile.parallel (%i, %j) in (128, 3) -> (tensor<128x3xi32>) attributes {coalesced_width = 1} {
      %e = tensor.extract %t[%i, %j] : tensor<128x3xi32>
      %f = arith.addi %e, %e : i32
      tile.yield %f : i32
    }
    tile.store %u, %o : tensor<128x3xi32>, memref<128x3xi32>
  }
  return
}
