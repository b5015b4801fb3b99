// A persistent launch without roles keeps the slots of bulk copies over all tiles, beside the
// buffer in which a result is stored: of seven slots six fit.
// RUN: tile-opt %s --emit=report --chip=sm_90a | FileCheck %s
// RUN: tile-run %s --entry=gemm --on=emulator --chip=sm_90a --multiprocessors=3 --check
// RUN: tile-run %s --entry=lone --on=emulator --chip=sm_90a --multiprocessors=1 --check

// CHECK: 7 stages asked for; 6 slots instead of 7 fit the 232448 bytes of shared memory; 7 would take 262

#shared = #gpu.address_space<workgroup>
func.func @gemm(%A: memref<256x512xf16>, %B: memref<512x256xf16>, %C: memref<256x256xf16>) {
  %c2 = arith.constant 2 : index
  tile.launch @gemm_kernel blocks(%bx, %by) in (%c2, %c2) threads(256) attributes {persistent, warp_specialize = #tile.warp_specialize<off>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %c512 = arith.constant 512 : index
    %row = arith.muli %by, %c128 : index
    %col = arith.muli %bx, %c128 : index
    %As = tile.alloc : memref<128x64xf16, #shared>
    %Bs = tile.alloc : memref<64x128xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<128x128xf32>
    %acc = scf.for %k = %c0 to %c512 step %c64 iter_args(%c = %zero) -> (tensor<128x128xf32>) {
      tile.copy %A[%row, %k] to %As : memref<256x512xf16> to memref<128x64xf16, #shared>
      tile.copy %B[%k, %col] to %Bs : memref<512x256xf16> to memref<64x128xf16, #shared>
      %d = tile.gemm %As, %Bs, %c : memref<128x64xf16, #shared>, memref<64x128xf16, #shared> -> tensor<128x128xf32>
      scf.yield %d : tensor<128x128xf32>
    } {tile.stages = 7 : i32}
    tile.store %acc, %C[%row, %col] : tensor<128x128xf32>, memref<256x256xf16>
  }
  return
}

// A tile's own operand has one slot, in a ring that is made last: it is kept over all tiles, too,
// so that five slots of the other fit and not six.
// CHECK: shared 229{{[0-9]+}} bytes
// CHECK: 6 stages asked for; 5 slots instead of 6 fit the 232448 bytes of shared memory; 6 would take 262144
func.func @lone(%A: memref<256x128xf16>, %B: memref<768x128xf16>, %C: memref<256x128xf16>) {
  %c2 = arith.constant 2 : index
  tile.launch @lone_kernel blocks(%by) in (%c2) threads(256) attributes {persistent, warp_specialize = #tile.warp_specialize<off>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %c768 = arith.constant 768 : index
    %row = arith.muli %by, %c128 : index
    %As = tile.alloc : memref<128x128xf16, #shared>
    %Bs = tile.alloc : memref<128x128xf16, #shared>
    tile.copy %A[%row, %c0] to %As : memref<256x128xf16> to memref<128x128xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<128x128xf32>
    %acc = scf.for %k = %c0 to %c768 step %c128 iter_args(%c = %zero) -> (tensor<128x128xf32>) {
      tile.copy %B[%k, %c0] to %Bs : memref<768x128xf16> to memref<128x128xf16, #shared>
      %d = tile.gemm %As, %Bs, %c : memref<128x128xf16, #shared>, memref<128x128xf16, #shared> -> tensor<128x128xf32>
      scf.yield %d : tensor<128x128xf32>
    } {tile.stages = 6 : i32}
    tile.store %acc, %C[%row, %c0] : tensor<128x128xf32>, memref<256x128xf16>
  }
  return
}
