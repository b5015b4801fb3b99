// Sizes and grids that cannot be are refused with the number and the limit, by the
// reference and in compiled code alike.
// DEFINE: %{run} = not tile-run %s --chip=sm_80
// RUN: %{run} --entry=named --on=emulator --dim=N:99999999999999 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: %{run} --entry=named --on=reference --shape=0:99999999999999 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: %{run} --entry=plane --on=reference --shape=0:4294967296x4294967296 2>&1 | FileCheck %s --check-prefix=PRODUCT
// RUN: %{run} --entry=strided --on=reference --shape=0:2x9223372036854775807 2>&1 | FileCheck %s --check-prefix=PRODUCT
// RUN: %{run} --entry=strided --on=reference --shape=0:4x1 2>&1 | FileCheck %s --check-prefix=END
// RUN: tile-run %s --chip=sm_80 --entry=plane --on=reference --shape=0:0x9223372036854775807 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: %{run} --entry=host --on=reference --scalar=0:99999999999999 2>&1 | FileCheck %s --check-prefix=HOST
// RUN: %{run} --entry=host --on=reference --scalar=0:4611686018427387904 2>&1 | FileCheck %s --check-prefix=OVERFLOW
// RUN: %{run} --entry=grid --on=reference --scalar=0:70000 --scalar=1:70000 2>&1 | FileCheck %s --check-prefix=GRID-Y
// RUN: %{run} --entry=grid --on=reference --scalar=0:1 --scalar=1:70000 2>&1 | FileCheck %s --check-prefix=GRID-Y
// RUN: %{run} --entry=grid --on=emulator --scalar=0:1 --scalar=1:70000 2>&1 | FileCheck %s --check-prefix=GRID-Y
// RUN: %{run} --entry=grid --on=reference --scalar=0:3000000000 --scalar=1:1 2>&1 | FileCheck %s --check-prefix=GRID-X
// RUN: %{run} --entry=grid --on=emulator --scalar=0:3000000000 --scalar=1:1 2>&1 | FileCheck %s --check-prefix=GRID-X
// RUN: %{run} --entry=grid --on=reference --scalar=0:60000 --scalar=1:60000 2>&1 | FileCheck %s --check-prefix=BLOCKS
// RUN: %{run} --entry=grid --on=emulator --scalar=0:60000 --scalar=1:60000 2>&1 | FileCheck %s --check-prefix=BLOCKS
// RUN: tile-run %s --chip=sm_80 --entry=grid --on=emulator --check --scalar=0:1 --scalar=1:65535
// RUN: %python %S/Inputs/write-npy-header.py %t.npy '(99999999999999,)'
// RUN: %{run} --entry=named --on=reference --in=0:%t.npy 2>&1 | FileCheck %s --check-prefix=FILE
// RUN: %python %S/Inputs/write-npy-header.py %t.npy '(4294967296, 4294967296)'
// RUN: %{run} --entry=plane --on=reference --in=0:%t.npy 2>&1 | FileCheck %s --check-prefix=FILE
// RUN: %{run} --entry=named --on=reference --dim=N:8 --expect=0:%t.npy 2>&1 | FileCheck %s --check-prefix=FILE

// SIZE: error: argument 0: memref<?xf32> dims ["N"] of size 99999999999999 needs {{[0-9]+}} bytes of memory, more than the {{[0-9]+}} that are available
// PRODUCT: error: argument 0: {{.*}} needs more than 1152921504606846975 bytes of memory
// END: error: argument 0: memref<?x?xf32, strided<[4611686018427387904, 1]>> of size 4x1 ends beyond element 9223372036854775807
// NONE: argument 0: memref<?x?xf32> 0 elements
// HOST: limits.mlir:[[#@LINE+10]]:8: error: the allocation of type 'memref<?x8xf32>' needs 6399999999999936 bytes of memory, more than the {{[0-9]+}} that are available
// OVERFLOW: limits.mlir:[[#@LINE+9]]:8: error: the allocation of type 'memref<?x8xf32>' needs more than 1152921504606846975 bytes of memory
// GRID-Y: error: extent 1 of the grid is 70000, more than the 65535 that CUDA takes in y
// GRID-X: error: extent 0 of the grid is 3000000000, more than the 2147483647 that CUDA takes in x
// BLOCKS: error: the grid 60000x60000x1 has 3600000000 blocks, more than the 2147483647 that can be interpreted
// FILE: error: cannot read '{{.*}}.npy': the array of its header needs {{.*}} bytes of memory
func.func @named(%x: memref<?xf32> {tile.dims = ["N"]}) { return }
func.func @plane(%x: memref<?x?xf32>) { return }
func.func @strided(%x: memref<?x?xf32, strided<[4611686018427387904, 1]>>) { return }
func.func @host(%n: index) {
  %m = memref.alloc(%n) : memref<?x8xf32>
  memref.dealloc %m : memref<?x8xf32>
  return
}

func.func @grid(%m: index, %n: index) {
  tile.launch @k blocks(%x, %y) in (%m, %n) threads(32) {
  }
  return
}
