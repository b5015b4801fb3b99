// Fast-math flags of reductions and scans: products fuse with the sums that take them,
// within a warp and across warps, padded or not; extremes and prefixes keep their values.
// RUN: tile-run %s --entry=sums --on=emulator --check --chip=sm_80 --data=normal
// RUN: tile-run %s --entry=sums --on=emulator --check --chip=sm_90a --data=normal
// RUN: tile-run %s --entry=extremes --on=emulator --check --chip=sm_80 --rtol=0 --atol=0
// RUN: tile-run %s --entry=sums --on=reference --check-stages --chip=sm_80
// RUN: tile-opt %s --emit=ptx --chip=sm_80 | FileCheck %s

// 16 products a thread: one multiplication a chain.
// CHECK-LABEL: .entry dots(
// CHECK-COUNT-2: mul.f32
// CHECK-NOT: mul.f32
// CHECK-COUNT-14: fma.rn.f32
// CHECK-NOT: fma.rn.f32
// CHECK: bar.sync
func.func @sums(%a: memref<4096xf32>, %b: memref<4096xf32>, %c: memref<6x52xf32>, %d: memref<6x52xf16>,
    %o: memref<1xf32>, %p: memref<6xf32>, %q: memref<52xf16>, %r: memref<6x52xf32>) {
  %g = arith.constant 1 : index
  tile.launch @dots blocks(%block) in (%g) threads(256) {
    %c0 = arith.constant 0 : index
    %x = tile.load %a : memref<4096xf32> -> tensor<4096xf32>
    %y = tile.load %b : memref<4096xf32> -> tensor<4096xf32>
    %xy = arith.mulf %x, %y fastmath<contract> : tensor<4096xf32>
    %s = tile.reduce <add> %xy dims [0] fastmath<contract> : tensor<4096xf32> -> tensor<f32>
    %v = tensor.extract %s[] : tensor<f32>
    tile.once {
      memref.store %v, %o[%c0] : memref<1xf32>
    }
  }
  tile.launch @padded blocks(%block) in (%g) threads(64) {
    %x = tile.load %c : memref<6x52xf32> -> tensor<6x52xf32>
    %xx = arith.mulf %x, %x fastmath<contract> : tensor<6x52xf32>
    %half = arith.constant dense<0.3> : tensor<6xf32>
    %init = arith.mulf %half, %half fastmath<contract> : tensor<6xf32>
    %s = tile.reduce <add> %xx dims [1] init(%init) fastmath<contract,nsz> : tensor<6x52xf32> -> tensor<6xf32>
    tile.store %s, %p : tensor<6xf32>, memref<6xf32>
    %t = tile.scan <add> %xx dim 1 fastmath<contract,reassoc> : tensor<6x52xf32>
    tile.store %t, %r : tensor<6x52xf32>, memref<6x52xf32>
  }
  tile.launch @halves blocks(%block) in (%g) threads(128) {
    %x = tile.load %d : memref<6x52xf16> -> tensor<6x52xf16>
    %xx = arith.mulf %x, %x fastmath<contract> : tensor<6x52xf16>
    %s = tile.reduce <add> %xx dims [0] fastmath<contract> : tensor<6x52xf16> -> tensor<52xf16>
    tile.store %s, %q : tensor<52xf16>, memref<52xf16>
  }
  return
}

func.func @extremes(%a: memref<5x37xf32>, %o: memref<5xf32>, %p: memref<37xf32>, %q: memref<5xf32>) {
  %g = arith.constant 1 : index
  tile.launch @padded_extremes blocks(%block) in (%g) threads(128) {
    %x = tile.load %a : memref<5x37xf32> -> tensor<5x37xf32>
    %s = tile.reduce <maximumf> %x dims [1] fastmath<nnan,ninf,nsz> : tensor<5x37xf32> -> tensor<5xf32>
    tile.store %s, %o : tensor<5xf32>, memref<5xf32>
    %t = tile.reduce <minnumf> %x dims [0] fastmath<nnan,ninf> : tensor<5x37xf32> -> tensor<37xf32>
    tile.store %t, %p : tensor<37xf32>, memref<37xf32>
    %u = tile.reduce <maxnumf> %x dims [1] fastmath<fast> : tensor<5x37xf32> -> tensor<5xf32>
    tile.store %u, %q : tensor<5xf32>, memref<5xf32>
  }
  return
}
