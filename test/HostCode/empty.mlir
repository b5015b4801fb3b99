// What a bulk copy writes to a memref without elements is seen by nobody: not by the next
// launch that reads one, which gets zeros.
// RUN: rm -rf %t && mkdir %t
// RUN: tile-opt %s --emit=ptx --chip=sm_90a | FileCheck %s --check-prefix=PTX
// PTX: cp.async.bulk.tensor.2d.global.shared
// PTX: cp.async.bulk.tensor.2d.shared::cluster.global
// RUN: tile-opt %s --emit=object --chip=sm_90a -o %t/empty.o
// RUN: tile-opt %s --emit=header --chip=sm_90a -o %t/empty.h
// RUN: %host_cc -std=c99 -Wall -Wextra -Werror -pedantic -I%t -I%S/Inputs %S/Inputs/empty.c %t/empty.o %link_tile_rt -o %t/empty
// RUN: env TILE_RT_DEVICE=emulator %t/empty | FileCheck %s
// RUN: env LD_LIBRARY_PATH=%fake_drivers/current %t/empty | FileCheck %s
// CHECK: sum: 0
#shared = #gpu.address_space<workgroup>

func.func @writeTile(%x: memref<?x64xf16>) {
  %c1 = arith.constant 1 : index
  tile.launch @writer blocks(%b) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %s = tile.alloc : memref<64x64xf16, #shared>
    %t = arith.constant dense<3.0> : tensor<64x64xf16>
    tile.store %t, %s : tensor<64x64xf16>, memref<64x64xf16, #shared>
    tile.copy %s to %x[%c0, %c0] : memref<64x64xf16, #shared> to memref<?x64xf16>
  }
  return
}

func.func @readTile(%x: memref<?x64xf16>, %o: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @reader blocks(%b) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %s = tile.alloc : memref<64x64xf16, #shared>
    tile.copy %x[%c0, %c0] to %s : memref<?x64xf16> to memref<64x64xf16, #shared>
    %t = tile.load %s : memref<64x64xf16, #shared> -> tensor<64x64xf16>
    %u = arith.extf %t : tensor<64x64xf16> to tensor<64x64xf32>
    tile.store %u, %o : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}
