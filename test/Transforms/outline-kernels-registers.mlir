// Where the fragments of a launch take more registers than a thread can have it is said, at
// the operation at which they are most, and nowhere else.
// RUN: tile-opt %s --tile-logical-phase=chip=sm_80 --tile-layout-phase --tile-schedule-phase --tile-outline-kernels --verify-diagnostics --remark-format=emitRemark --remarks-filter-missed=tile-outline-kernels -o /dev/null

func.func @f(%x: memref<256x512xf32>, %y: memref<256x512xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  tile.launch @larger blocks(%b) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %t = tile.load %x[%c0, %c0] : memref<256x512xf32> -> tensor<256x512xf32>
    // expected-remark @below {{[Missed] RegistersExceeded | Category:tile-outline-kernels | Function=larger | Reason="fragments take some 1100 registers of a thread here, of 255 that it can have; what does not fit is loaded again or spilled. Smaller tiles, or more threads, take fewer"}}
    %m = tile.reduce <maximumf> %t dims [1] : tensor<256x512xf32> -> tensor<256xf32>
    %r = tile.broadcast %m dims [1] : tensor<256xf32> -> tensor<256x512xf32>
    %s = arith.subf %t, %r : tensor<256x512xf32>
    tile.store %s, %y[%c0, %c0] : tensor<256x512xf32>, memref<256x512xf32>
  }
  // A limit that the launch has itself.
  tile.launch @limited blocks(%b) in (%c1) threads(128) attributes {max_registers = 40 : i64} {
    %c0 = arith.constant 0 : index
    %t = tile.load %x[%c0, %c0] : memref<256x512xf32> -> tensor<16x256xf32>
    // expected-remark @below {{of 40 that it can have}}
    %m = tile.reduce <maximumf> %t dims [1] : tensor<16x256xf32> -> tensor<16xf32>
    %r = tile.broadcast %m dims [1] : tensor<16xf32> -> tensor<16x256xf32>
    %s = arith.subf %t, %r : tensor<16x256xf32>
    tile.store %s, %y[%c0, %c0] : tensor<16x256xf32>, memref<256x512xf32>
  }
  tile.launch @fits blocks(%b) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %t = tile.load %x[%c0, %c0] : memref<256x512xf32> -> tensor<16x512xf32>
    %m = tile.reduce <maximumf> %t dims [1] : tensor<16x512xf32> -> tensor<16xf32>
    %r = tile.broadcast %m dims [1] : tensor<16xf32> -> tensor<16x512xf32>
    %s = arith.subf %t, %r : tensor<16x512xf32>
    tile.store %s, %y[%c0, %c0] : tensor<16x512xf32>, memref<256x512xf32>
  }
  // What a loop uses from outside is live in all of it.
  tile.launch @around blocks(%b) in (%c1) threads(128) attributes {max_registers = 160 : i64} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %t = tile.load %x[%c0, %c0] : memref<256x512xf32> -> tensor<16x512xf32>
    %zero = arith.constant dense<0.0> : tensor<16x512xf32>
    %sum = scf.for %i = %c0 to %n step %one iter_args(%a = %zero) -> (tensor<16x512xf32>) {
      // expected-remark @below {{of 160 that it can have}}
      %u = tile.load %x[%i, %c0] : memref<256x512xf32> -> tensor<16x512xf32>
      %v = arith.mulf %u, %t : tensor<16x512xf32>
      %w = arith.addf %a, %v : tensor<16x512xf32>
      scf.yield %w : tensor<16x512xf32>
    }
    tile.store %sum, %y[%c0, %c0] : tensor<16x512xf32>, memref<256x512xf32>
  }
  return
}
