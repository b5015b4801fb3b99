// RUN: tile-opt %s --chip=sm_80 --emit=ptx | FileCheck %s
// RUN: tile-run %s --chip=sm_80 --on=emulator --check --entry=sums --data='integers(-9,9)' --rtol=0 --atol=0
// RUN: tile-run %s --chip=sm_80 --on=emulator --check --entry=behind --data='integers(-9,9)' --rtol=0 --atol=0 --scalar=1:5
// RUN: tile-run %s --chip=sm_80 --on=emulator --check --entry=halves --data='integers(-9,9)' --rtol=0 --atol=0 --scalar=1:5

// Threads of all warps that hold neighbours are numbered through: their places are a
// multiple of the thread's number, though a warp's number is asked for elsewhere. What is
// exchanged without a loop in front reads that number once.
// CHECK-LABEL: .entry row_sums
// CHECK: mov.u32 [[T:%r[0-9]+]], %tid.x;
// CHECK: mul.wide.u32 {{.*}}, [[T]], 16;
// CHECK-NOT: %tid.x
// CHECK: .entry after_a_loop
func.func @sums(%a: memref<8x512xf32>, %b: memref<8xf32>, %c: memref<8x512xf32>) {
  %c8 = arith.constant 8 : index
  tile.launch @row_sums blocks(%row) in (%c8) threads(128) {
    %c0 = arith.constant 0 : index
    %x = tile.load %a[%row, %c0] [1, 512] : memref<8x512xf32> -> tensor<512xf32>
    %sum = tile.reduce <add> %x dims [0] : tensor<512xf32> -> tensor<f32>
    %s = tensor.extract %sum[] : tensor<f32>
    memref.store %s, %b[%row] : memref<8xf32>
    %all = tile.broadcast %sum dims [0] : tensor<f32> -> tensor<512xf32>
    %y = arith.addf %x, %all : tensor<512xf32>
    tile.store %y, %c[%row, %c0] [1, 512] : tensor<512xf32>, memref<8x512xf32>
  }
  return
}

// Behind a loop it is read again, so that the loop keeps nothing of it.
// CHECK: %tid.x;
// CHECK: bra
// CHECK: %tid.x;
func.func @behind(%a: memref<64x512xf32>, %n: index, %b: memref<512xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @after_a_loop blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %none = arith.constant dense<0.0> : tensor<512xf32>
    %total = scf.for %i = %c0 to %n step %c1 iter_args(%t = %none) -> (tensor<512xf32>) {
      %row = tile.load %a[%i, %c0] [1, 512] : memref<64x512xf32> -> tensor<512xf32>
      %next = arith.addf %t, %row : tensor<512xf32>
      scf.yield %next : tensor<512xf32>
    }
    %sum = tile.reduce <add> %total dims [0] : tensor<512xf32> -> tensor<f32>
    %all = tile.broadcast %sum dims [0] : tensor<f32> -> tensor<512xf32>
    tile.store %all, %b : tensor<512xf32>, memref<512xf32>
  }
  return
}

// A buffer that others read too is one of the kernel's own, not of an exchange.
// CHECK: .entry two_readers
// CHECK: %tid.x;
// CHECK-NOT: %tid.x;
// CHECK: ret;
func.func @halves(%a: memref<64x512xf32>, %n: index, %b: memref<512xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @two_readers blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %none = arith.constant dense<0.0> : tensor<512xf32>
    %total = scf.for %i = %c0 to %n step %c1 iter_args(%t = %none) -> (tensor<512xf32>) {
      %row = tile.load %a[%i, %c0] [1, 512] : memref<64x512xf32> -> tensor<512xf32>
      %next = arith.addf %t, %row : tensor<512xf32>
      scf.yield %next : tensor<512xf32>
    }
    %s = tile.alloc : memref<512xf32, #gpu.address_space<workgroup>>
    tile.store %total, %s : tensor<512xf32>, memref<512xf32, #gpu.address_space<workgroup>>
    %low = tile.load %s[%c0] [256] : memref<512xf32, #gpu.address_space<workgroup>> -> tensor<256xf32>
    %high = tile.load %s[%c256] [256] : memref<512xf32, #gpu.address_space<workgroup>> -> tensor<256xf32>
    tile.store %high, %b[%c0] [256] : tensor<256xf32>, memref<512xf32>
    tile.store %low, %b[%c256] [256] : tensor<256xf32>, memref<512xf32>
  }
  return
}
