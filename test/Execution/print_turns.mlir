// A launch whose consumers would take turns prints: they take none, and a remark says so.
// RUN: tile-opt %s --tile-compile=chip=sm_90a --remark-format=emitRemark --remarks-filter="tile-expand-grid|tile-alternate-consumers" -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: tile-run %s --entry=tiles --on=emulator --chip=sm_90a --check --seed=1 | FileCheck %s --check-prefix=TILES
// RUN: tile-run %s --entry=loop --on=emulator --chip=sm_90a --check --seed=2 | FileCheck %s --check-prefix=LOOP
// RUN: tile-run %s --entry=loop --on=reference --check-stages --chip=sm_90a
#shared = #gpu.address_space<workgroup>

// TILES-COUNT-12: row (block
// TILES-NOT: row
func.func @tiles(%A: memref<256x64xf16>, %B: memref<192x64xf16>, %C: memref<256x192xf16>) {
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  // REMARK: [[#@LINE+2]]:3: remark: [Missed] NotPersistent
  // REMARK: [[#@LINE+1]]:3: remark: [Missed] NotAlternating {{.*}} Function=tiles {{.*}}nobody takes turns: it prints, and lines name the block of the program
  tile.launch @tiles blocks(%x, %y) in (%c3, %c4) threads(128) attributes {persistent, consumers = #tile.consumers<pingpong>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %row = arith.muli %y, %c64 : index
    %col = arith.muli %x, %c64 : index
    %As = tile.alloc : memref<64x32xf16, #shared>
    %Bs = tile.alloc : memref<64x32xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    tile.print "row" %row : index
    %acc = scf.for %i = %c0 to %c64 step %c32 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      tile.copy %A[%row, %i] to %As : memref<256x64xf16> to memref<64x32xf16, #shared>
      tile.copy %B[%col, %i] to %Bs : memref<192x64xf16> to memref<64x32xf16, #shared>
      %d = tile.gemm %As, %Bs, %c {transpose_b} : memref<64x32xf16, #shared>, memref<64x32xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 3 : i32}
    %h = arith.truncf %acc : tensor<64x64xf32> to tensor<64x64xf16>
    tile.store %h, %C[%row, %col] : tensor<64x64xf16>, memref<256x192xf16>
  }
  return
}

// A printed fragment meets at a barrier.
// LOOP-COUNT-32: weights (block 0, 0, 0) [{{[0-9]+}}]: [
func.func @loop(%Q: memref<128x64xf16>, %K: memref<256x64xf16>, %V: memref<256x64xf16>, %O: memref<128x64xf32>) {
  %c1 = arith.constant 1 : index
  // REMARK: [[#@LINE+1]]:3: remark: [Missed] NotAlternating {{.*}} Function=loop {{.*}}nobody takes turns: the warpgroups meet at a barrier in the loop
  tile.launch @loop blocks(%x) in (%c1) threads(256) attributes {consumers = #tile.consumers<alternating>} {
    %c0 = arith.constant 0 : index
    %step = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %q = tile.alloc : memref<128x64xf16, #shared>
    %k = tile.alloc : memref<64x64xf16, #shared>
    %v = tile.alloc : memref<64x64xf16, #shared>
    tile.copy %Q to %q : memref<128x64xf16> to memref<128x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<128x64xf32>
    %low = arith.constant dense<0.0> : tensor<128x64xf32>
    %factor = arith.constant dense<0.5> : tensor<128x64xf32>
    %none = arith.constant dense<0.0> : tensor<128xf32>
    %sum = scf.for %i = %c0 to %c256 step %step iter_args(%o = %zero) -> (tensor<128x64xf32>) {
      tile.copy %K[%i, %c0] to %k : memref<256x64xf16> to memref<64x64xf16, #shared>
      tile.copy %V[%i, %c0] to %v : memref<256x64xf16> to memref<64x64xf16, #shared>
      %s = tile.gemm %q, %k {transpose_b, warps = #tile.warps<rows>} : memref<128x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<128x64xf32>
      %r = arith.maximumf %s, %low : tensor<128x64xf32>
      %w = tile.reduce <add> %r dims [1] init(%none) : tensor<128x64xf32> -> tensor<128xf32>
      tile.print "weights" %w : tensor<128xf32>
      %p = arith.truncf %r : tensor<128x64xf32> to tensor<128x64xf16>
      %shrunk = arith.mulf %o, %factor : tensor<128x64xf32>
      %next = tile.gemm %p, %v, %shrunk {warps = #tile.warps<rows>} : tensor<128x64xf16>, memref<64x64xf16, #shared> -> tensor<128x64xf32>
      scf.yield %next : tensor<128x64xf32>
    } {tile.stages = 2 : i32}
    tile.store %sum, %O[%c0, %c0] : tensor<128x64xf32>, memref<128x64xf32>
  }
  return
}
