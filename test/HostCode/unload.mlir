// Objects in shared libraries that are loaded one after the other, by chance at the same
// place: the second one's kernels are its own.
// RUN: rm -rf %t && mkdir %t
// RUN: tile-opt %s --emit=object --chip=sm_80 -o %t/one.o
// RUN: sed 's/constant 1.0/constant 2.0/' %s > %t/two.mlir
// RUN: tile-opt %t/two.mlir --emit=object --chip=sm_80 -o %t/two.o
// RUN: %host_cc -shared %t/one.o %link_tile_rt -o %t/one.so
// RUN: %host_cc -shared %t/two.o %link_tile_rt -o %t/two.so
// RUN: %host_cc -D_GNU_SOURCE -Wall -Wextra -Werror %S/Inputs/unload.c -ldl %link_tile_rt -o %t/unload
// RUN: env TILE_RT_DEVICE=emulator %t/unload %t/one.so %t/two.so %t/one.so | FileCheck %s
// RUN: env LD_LIBRARY_PATH=%fake_drivers/current %t/unload %t/one.so %t/two.so %t/one.so | FileCheck %s
// CHECK: 1 3 4
func.func @add(%x: memref<1xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %t = memref.load %x[%c0] : memref<1xf32>
    %s = arith.addf %t, %one : f32
    memref.store %s, %x[%c0] : memref<1xf32>
  }
  return
}
