// Reductions: along each dimension and all, inside a warp and across warps, kinds,
// initial values, half types, combiners, padded extents.
// RUN: tile-run %s --entry=rows --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=rows --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=columns --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=columns --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=all --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=all --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=wide --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=wide --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=kinds --on=emulator --chip=sm_80 --check --data=integers(-50,50)
// RUN: tile-run %s --entry=kinds --on=emulator --chip=sm_90a --check --data=integers(-50,50)
// RUN: tile-run %s --entry=half --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=half --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=argmax --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=argmax --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=argmax_wide --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=argmax_wide --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=odd --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=odd --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=three_warps --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=three_warps --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=five_warps --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=five_warps --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=seven_warps --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=seven_warps --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=three_dims --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=three_dims --on=emulator --chip=sm_80 --check

func.func @rows(%a: memref<64x128xf32>, %o: memref<64xf32>, %m: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %t = tile.load %a : memref<64x128xf32> -> tensor<64x128xf32>
    %i = tile.load %o : memref<64xf32> -> tensor<64xf32>
    %s = tile.reduce <add> %t dims [1] init(%i) : tensor<64x128xf32> -> tensor<64xf32>
    %v = tile.reduce <maximumf> %t dims [1] : tensor<64x128xf32> -> tensor<64xf32>
    tile.store %s, %o : tensor<64xf32>, memref<64xf32>
    tile.store %v, %m : tensor<64xf32>, memref<64xf32>
  }
  return
}

func.func @columns(%a: memref<64x128xf32>, %o: memref<128xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %t = tile.load %a : memref<64x128xf32> -> tensor<64x128xf32>
    %s = tile.reduce <minimumf> %t dims [0] : tensor<64x128xf32> -> tensor<128xf32>
    tile.store %s, %o : tensor<128xf32>, memref<128xf32>
  }
  return
}

func.func @all(%a: memref<32x64xf32>, %o: memref<32x64xf32>, %p: memref<1xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(256) {
    %c0 = arith.constant 0 : index
    %t = tile.load %a : memref<32x64xf32> -> tensor<32x64xf32>
    %s = tile.reduce <add> %t dims [0, 1] : tensor<32x64xf32> -> tensor<f32>
    %e = tensor.extract %s[] : tensor<f32>
    memref.store %e, %p[%c0] : memref<1xf32>
    %w = tensor.splat %e : tensor<32x64xf32>
    %d = arith.subf %t, %w : tensor<32x64xf32>
    tile.store %d, %o : tensor<32x64xf32>, memref<32x64xf32>
  }
  return
}

func.func @wide(%a: memref<3x4096xf32>, %o: memref<3xf32>) {
  %c3 = arith.constant 3 : index
  tile.launch blocks(%x) in (%c3) threads(256) {
    %c0 = arith.constant 0 : index
    %t = tile.load %a[%x, %c0] [1, 4096] : memref<3x4096xf32> -> tensor<4096xf32>
    %s = tile.reduce <add> %t dims [0] : tensor<4096xf32> -> tensor<f32>
    %e = tensor.extract %s[] : tensor<f32>
    memref.store %e, %o[%x] : memref<3xf32>
  }
  return
}

func.func @kinds(%a: memref<16x64xi32>, %o: memref<5x16xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %one = arith.constant 1 : index
    %t = tile.load %a : memref<16x64xi32> -> tensor<16x64xi32>
    %0 = tile.reduce <add> %t dims [1] : tensor<16x64xi32> -> tensor<16xi32>
    %1 = tile.reduce <minsi> %t dims [1] : tensor<16x64xi32> -> tensor<16xi32>
    %2 = tile.reduce <maxui> %t dims [1] : tensor<16x64xi32> -> tensor<16xi32>
    %3 = tile.reduce <xor> %t dims [1] : tensor<16x64xi32> -> tensor<16xi32>
    %4 = tile.reduce <and> %t dims [1] : tensor<16x64xi32> -> tensor<16xi32>
    tile.store %0, %o[%c0, %c0] [1, 16] : tensor<16xi32>, memref<5x16xi32>
    tile.store %1, %o[%one, %c0] [1, 16] : tensor<16xi32>, memref<5x16xi32>
    tile.store %2, %o[%c2, %c0] [1, 16] : tensor<16xi32>, memref<5x16xi32>
    tile.store %3, %o[%c3, %c0] [1, 16] : tensor<16xi32>, memref<5x16xi32>
    tile.store %4, %o[%c4, %c0] [1, 16] : tensor<16xi32>, memref<5x16xi32>
  }
  return
}

func.func @half(%a: memref<32x64xf16>, %o: memref<32xf16>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %t = tile.load %a : memref<32x64xf16> -> tensor<32x64xf16>
    %s = tile.reduce <add> %t dims [1] : tensor<32x64xf16> -> tensor<32xf16>
    tile.store %s, %o : tensor<32xf16>, memref<32xf16>
  }
  return
}

func.func @argmax(%a: memref<32x64xf32>, %o: memref<32xf32>, %p: memref<32xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %t = tile.load %a : memref<32x64xf32> -> tensor<32x64xf32>
    %i = tile.parallel (%r, %c) in (32, 64) -> (tensor<32x64xi32>) {
      %k = arith.index_cast %c : index to i32
      tile.yield %k : i32
    }
    %v, %j = tile.reduce (%t, %i) dims [1] : (tensor<32x64xf32>, tensor<32x64xi32>) -> (tensor<32xf32>, tensor<32xi32>) {
    ^bb0(%x0: f32, %i0: i32, %x1: f32, %i1: i32):
      %gt = arith.cmpf ogt, %x1, %x0 : f32
      %eq = arith.cmpf oeq, %x1, %x0 : f32
      %lt = arith.cmpi slt, %i1, %i0 : i32
      %tie = arith.andi %eq, %lt : i1
      %take = arith.ori %gt, %tie : i1
      %vv = arith.select %take, %x1, %x0 : f32
      %ii = arith.select %take, %i1, %i0 : i32
      tile.yield %vv, %ii : f32, i32
    }
    tile.store %v, %o : tensor<32xf32>, memref<32xf32>
    tile.store %j, %p : tensor<32xi32>, memref<32xi32>
  }
  return
}

func.func @argmax_wide(%a: memref<1024xf32>, %p: memref<1xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %t = tile.load %a : memref<1024xf32> -> tensor<1024xf32>
    %i = tile.parallel (%c) in (1024) -> (tensor<1024xi32>) {
      %k = arith.index_cast %c : index to i32
      tile.yield %k : i32
    }
    %v, %j = tile.reduce (%t, %i) dims [0] : (tensor<1024xf32>, tensor<1024xi32>) -> (tensor<f32>, tensor<i32>) {
    ^bb0(%x0: f32, %i0: i32, %x1: f32, %i1: i32):
      %take = arith.cmpf ogt, %x1, %x0 : f32
      %vv = arith.select %take, %x1, %x0 : f32
      %ii = arith.select %take, %i1, %i0 : i32
      tile.yield %vv, %ii : f32, i32
    }
    %e = tensor.extract %j[] : tensor<i32>
    memref.store %e, %p[%c0] : memref<1xi32>
  }
  return
}

func.func @odd(%a: memref<7x50xf32>, %o: memref<7xf32>, %q: memref<50xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(96) {
    %t = tile.load %a : memref<7x50xf32> -> tensor<7x50xf32>
    %s = tile.reduce <maximumf> %t dims [1] : tensor<7x50xf32> -> tensor<7xf32>
    %u = tile.reduce <add> %t dims [0] : tensor<7x50xf32> -> tensor<50xf32>
    tile.store %s, %o : tensor<7xf32>, memref<7xf32>
    tile.store %u, %q : tensor<50xf32>, memref<50xf32>
  }
  return
}

func.func @three_dims(%a: memref<4x8x16xf32>, %o: memref<8xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %t = tile.load %a : memref<4x8x16xf32> -> tensor<4x8x16xf32>
    %s = tile.reduce <add> %t dims [0, 2] : tensor<4x8x16xf32> -> tensor<8xf32>
    tile.store %s, %o : tensor<8xf32>, memref<8xf32>
  }
  return
}

// Warps of which there is no power of two: vectors of their results are read with
// words that no warp wrote.
func.func @three_warps(%a: memref<3x32xf32>, %p: memref<1xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(96) {
    %c0 = arith.constant 0 : index
    %t = tile.load %a : memref<3x32xf32> -> tensor<3x32xf32>
    %s = tile.reduce <add> %t dims [0, 1] : tensor<3x32xf32> -> tensor<f32>
    %e = tensor.extract %s[] : tensor<f32>
    memref.store %e, %p[%c0] : memref<1xf32>
  }
  return
}

func.func @five_warps(%a: memref<5x32xf32>, %p: memref<1xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(160) {
    %c0 = arith.constant 0 : index
    %t = tile.load %a : memref<5x32xf32> -> tensor<5x32xf32>
    %s = tile.reduce <add> %t dims [0, 1] : tensor<5x32xf32> -> tensor<f32>
    %e = tensor.extract %s[] : tensor<f32>
    memref.store %e, %p[%c0] : memref<1xf32>
  }
  return
}

func.func @seven_warps(%a: memref<7x32xf32>, %p: memref<1xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(224) {
    %c0 = arith.constant 0 : index
    %t = tile.load %a : memref<7x32xf32> -> tensor<7x32xf32>
    %s = tile.reduce <add> %t dims [0, 1] : tensor<7x32xf32> -> tensor<f32>
    %e = tensor.extract %s[] : tensor<f32>
    memref.store %e, %p[%c0] : memref<1xf32>
  }
  return
}
