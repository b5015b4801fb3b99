// Programs that the fuzzer found (test/Fuzz), reduced: each failed once.
// RUN: tile-run %s --entry=half_atomics_at_an_odd_end --on=emulator --chip=sm_80 --check --rtol=0 --atol=0 --data=integers(-3,3)
// RUN: tile-run %s --entry=seven_warps --on=emulator --chip=sm_80 --check --rtol=0 --atol=0 --data=integers(-3,3)
// RUN: tile-run %s --entry=integer_through_f32 --on=emulator --chip=sm_80 --check --rtol=0 --atol=0 --data=0:values(1077936129,-1077936129,5)
// RUN: tile-run %s --entry=integer_through_f32 --on=reference --check-stages --chip=sm_80 --rtol=0 --atol=0 --data=0:values(1077936129,-1077936129,5)
// RUN: tile-run %s --entry=integers_to_bf16 --on=emulator --chip=sm_80 --check --rtol=0 --atol=0 --data=0:values(1077936129,-1077936129,1,-1,2147483647,-2147483648,0) --data=1:values(1077936129,-1077936129,4629700416936869889,-4629700416936869889,9223372036854775807,-9223372036854775808,9007199254740993,0) --data=2:integers(-128,127)
// RUN: tile-run %s --entry=integers_to_bf16 --on=emulator --chip=sm_90a --check --rtol=0 --atol=0 --data=0:values(1077936129,-1077936129,1,-1,2147483647,-2147483648,0) --data=1:values(1077936129,-1077936129,4629700416936869889,-4629700416936869889,9223372036854775807,-9223372036854775808,9007199254740993,0) --data=2:integers(-128,127)
// RUN: tile-run %s --entry=narrow_on_request --on=emulator --chip=sm_80 --check --data=0:integers(-100,100)
// RUN: tile-run %s --entry=both_halves --on=emulator --chip=sm_80 --check --data=0:values(2147483647,-2147483648,3,65536)
// RUN: tile-run %s --entry=both_halves --on=reference --check-stages --data=0:values(2147483647,-2147483648,3,65536)
// RUN: tile-run %s --entry=narrow_plus_wide --on=emulator --chip=sm_120a --check --rtol=0 --atol=0
// RUN: tile-run %s --entry=narrow_plus_wide --on=emulator --chip=sm_100a --check --rtol=0 --atol=0
// RUN: tile-run %s --entry=helper_of_helper --on=emulator --chip=sm_80 --check --rtol=0 --atol=0
// RUN: tile-run %s --entry=once_for_several --on=emulator --chip=sm_80 --check --rtol=0 --atol=0
// RUN: tile-run %s --entry=once_for_several --on=emulator --chip=sm_90a --check --rtol=0 --atol=0
// RUN: tile-run %s --entry=once_for_several --on=reference --check-stages --rtol=0 --atol=0
// RUN: tile-run %s --entry=one_element_in_any_layout --on=emulator --chip=sm_80 --check

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

// 2^30 + 2^22 + 1 lies just above the middle of two bf16s, which f32 does not see.
func.func @integers_to_bf16(%a: memref<8xi32>, %b: memref<8xi64>, %c: memref<8xi8>, %o: memref<5x8xbf16>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %i1 = arith.constant 1 : index
    %i2 = arith.constant 2 : index
    %i3 = arith.constant 3 : index
    %i4 = arith.constant 4 : index
    %t = tile.load %a : memref<8xi32> -> tensor<8xi32>
    %u = tile.load %b : memref<8xi64> -> tensor<8xi64>
    %v = tile.load %c : memref<8xi8> -> tensor<8xi8>
    %0 = arith.sitofp %t : tensor<8xi32> to tensor<8xbf16>
    %1 = arith.uitofp %t : tensor<8xi32> to tensor<8xbf16>
    %2 = arith.sitofp %u : tensor<8xi64> to tensor<8xbf16>
    %3 = arith.uitofp %u : tensor<8xi64> to tensor<8xbf16>
    %4 = arith.sitofp %v : tensor<8xi8> to tensor<8xbf16>
    tile.store %0, %o[%c0, %c0] [1, 8] : tensor<8xbf16>, memref<5x8xbf16>
    tile.store %1, %o[%i1, %c0] [1, 8] : tensor<8xbf16>, memref<5x8xbf16>
    tile.store %2, %o[%i2, %c0] [1, 8] : tensor<8xbf16>, memref<5x8xbf16>
    tile.store %3, %o[%i3, %c0] [1, 8] : tensor<8xbf16>, memref<5x8xbf16>
    tile.store %4, %o[%i4, %c0] [1, 8] : tensor<8xbf16>, memref<5x8xbf16>
  }
  return
}

// The two results of one operation have one layout.
func.func @both_halves(%a: memref<12x16xi32>, %o: memref<16x12xi32>, %p: memref<12x16xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %t = tile.load %a : memref<12x16xi32> -> tensor<12x16xi32>
    %low, %high = arith.mulsi_extended %t, %t : tensor<12x16xi32>
    %u = tile.transpose %high [1, 0] : tensor<12x16xi32> -> tensor<16x12xi32>
    tile.store %low, %p : tensor<12x16xi32>, memref<12x16xi32>
    tile.store %u, %o : tensor<16x12xi32>, memref<16x12xi32>
  }
  return
}

// Blackwell adds f16 and bf16 to f32 in one instruction.
func.func @narrow_plus_wide(%a: memref<64xf16>, %b: memref<64xbf16>, %c: memref<64xf32>, %o: memref<64xf32>, %p: memref<64xf32>, %q: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %s = tile.load %a : memref<64xf16> -> tensor<64xf16>
    %t = tile.load %b : memref<64xbf16> -> tensor<64xbf16>
    %u = tile.load %c : memref<64xf32> -> tensor<64xf32>
    %f = arith.extf %s : tensor<64xf16> to tensor<64xf32>
    %g = arith.extf %t : tensor<64xbf16> to tensor<64xf32>
    %sum = arith.addf %u, %f : tensor<64xf32>
    %difference = arith.subf %g, %u : tensor<64xf32>
    %product = math.fma %g, %g, %u : tensor<64xf32>
    tile.store %sum, %o : tensor<64xf32>, memref<64xf32>
    tile.store %difference, %p : tensor<64xf32>, memref<64xf32>
    tile.store %product, %q : tensor<64xf32>, memref<64xf32>
  }
  return
}

// What is inlined into a helper remains outside of the kernel, too.
func.func @inner(%t: tensor<64xf32>) -> tensor<64xf32> {
  %u = arith.addf %t, %t : tensor<64xf32>
  return %u : tensor<64xf32>
}
func.func @outer(%t: tensor<64xf32>) -> tensor<64xf32> {
  %u = func.call @inner(%t) : (tensor<64xf32>) -> tensor<64xf32>
  return %u : tensor<64xf32>
}
func.func @helper_of_helper(%a: memref<64xf32>, %o: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %t = tile.load %a : memref<64xf32> -> tensor<64xf32>
    %u = func.call @outer(%t) : (tensor<64xf32>) -> tensor<64xf32>
    tile.store %u, %o : tensor<64xf32>, memref<64xf32>
  }
  return
}

// Fewer iterations than threads, which read what they write, or add to a counter.
func.func @once_for_several(%a: memref<16x7xf32>, %n: memref<1xi32>, %o: memref<16x7xf32>, %p: memref<7x16xi1>, %q: memref<20xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(224) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %t, %m = tile.parallel (%i, %j) in (16, 7) -> (tensor<16x7xf32>, tensor<16x7xi1>) {
      %e = memref.load %a[%i, %j] : memref<16x7xf32>
      %f = arith.addf %e, %e : f32
      memref.store %f, %a[%i, %j] : memref<16x7xf32>
      %g = memref.load %a[%i, %j] : memref<16x7xf32>
      %old = memref.atomic_rmw addi %one, %n[%c0] : (i32, memref<1xi32>) -> i32
      %positive = arith.cmpf ogt, %g, %e : f32
      tile.yield %g, %positive : f32, i1
    }
    tile.store %t, %o : tensor<16x7xf32>, memref<16x7xf32>
    %w = tile.transpose %m [1, 0] : tensor<16x7xi1> -> tensor<7x16xi1>
    tile.store %w, %p : tensor<7x16xi1>, memref<7x16xi1>
    %u = tile.parallel (%i) in (20) -> (tensor<20xf32>) {
      %e = tensor.extract %t[%c0, %c0] : tensor<16x7xf32>
      %old = memref.atomic_rmw addi %one, %n[%c0] : (i32, memref<1xi32>) -> i32
      tile.yield %e : f32
    }
    tile.store %u, %q : tensor<20xf32>, memref<20xf32>
  }
  return
}

// A buffer of one element may have a layout with an XOR.
func.func @one_element_in_any_layout(%a: memref<1xf64>, %o: memref<1xf64>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %s = tile.alloc layout(#tile.shared<[1], offset = [1 : (1)], xor = [1, 3, 3]>) : memref<1xf64, #gpu.address_space<workgroup>>
    tile.copy %a to %s : memref<1xf64> to memref<1xf64, #gpu.address_space<workgroup>>
    tile.copy %s to %o : memref<1xf64, #gpu.address_space<workgroup>> to memref<1xf64>
  }
  return
}
