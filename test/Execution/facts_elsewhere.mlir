// A divisor that is assumed elsewhere: it counts for a launch where it is certain
// to have been checked, and is known to the kernel too.
// RUN: tile-run %s --entry=on_host --on=emulator --chip=sm_80 --check --shape=0:12x16
// RUN: tile-run %s --entry=on_host --on=emulator --chip=sm_90a --check --shape=0:12x16
// RUN: tile-opt %s --emit=ptx --chip=sm_80 | FileCheck %s --check-prefix=PTX
// What a launch assumes that does not run says nothing. The host compares sizes itself, and
// has a launch for those that divide.
// RUN: tile-run %s --entry=in_a_launch_that_does_not_run --on=emulator --chip=sm_80 --check --shape=0:12x15 --scalar=1:0
// RUN: tile-run %s --entry=in_a_launch_that_does_not_run --on=emulator --chip=sm_90a --check --shape=0:12x15 --scalar=1:0
// RUN: tile-run %s --entry=in_a_launch_that_does_not_run --on=emulator --chip=sm_80 --check --shape=0:12x16 --scalar=1:1
// RUN: tile-run %s --entry=under_a_condition --on=emulator --chip=sm_80 --check --shape=0:12x15 --scalar=1:0
#shared = #gpu.address_space<workgroup>

// PTX-LABEL: .entry on_host_0
// PTX: cp.async.cg.shared.global [{{.*}}], [{{.*}}], 16
func.func @on_host(%m: memref<?x?xf32>, %o: memref<12x16xf32>) {
  %c1 = arith.constant 1 : index
  %d = memref.dim %m, %c1 : memref<?x?xf32>
  %e = tile.assume_divisible %d by 4 : index
  %c16 = arith.constant 16 : index
  %blocks = arith.ceildivui %e, %c16 : index
  tile.launch blocks(%b) in (%blocks) threads(32) {
    %c0 = arith.constant 0 : index
    %s = tile.alloc : memref<12x16xf32, #shared>
    tile.copy %m[%c0, %c0] to %s : memref<?x?xf32> to memref<12x16xf32, #shared>
    %t = tile.load %s : memref<12x16xf32, #shared> -> tensor<12x16xf32>
    tile.store %t, %o : tensor<12x16xf32>, memref<12x16xf32>
  }
  return
}

// PTX-LABEL: .entry in_a_launch_that_does_not_run_1(
// PTX-NOT: cp.async.cg
// PTX: .entry in_a_launch_that_does_not_run_1_wide(
// PTX: cp.async.cg
func.func @in_a_launch_that_does_not_run(%m: memref<?x?xf32>, %n: index, %o: memref<12x16xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%n) threads(32) {
    %c1_0 = arith.constant 1 : index
    %d = memref.dim %m, %c1_0 : memref<?x?xf32>
    %e = tile.assume_divisible %d by 4 : index
    %some = arith.cmpi sge, %e, %c1_0 : index
    tile.assert %some, "a column"
  }
  tile.launch blocks(%b) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %s = tile.alloc : memref<12x16xf32, #shared>
    tile.copy %m[%c0, %c0] to %s : memref<?x?xf32> to memref<12x16xf32, #shared>
    %t = tile.load %s : memref<12x16xf32, #shared> -> tensor<12x16xf32>
    tile.store %t, %o : tensor<12x16xf32>, memref<12x16xf32>
  }
  return
}

// PTX-LABEL: .entry under_a_condition_0(
// PTX-NOT: cp.async.cg
// PTX: .entry under_a_condition_0_wide(
// PTX: cp.async.cg
func.func @under_a_condition(%m: memref<?x?xf32>, %n: index, %o: memref<12x16xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %c1_0 = arith.constant 1 : index
    %holds = arith.cmpi eq, %n, %c1_0 : index
    scf.if %holds {
      %d = memref.dim %m, %c1_0 : memref<?x?xf32>
      %e = tile.assume_divisible %d by 4 : index
      %some = arith.cmpi sge, %e, %c1_0 : index
      tile.assert %some, "a column"
    }
    %s = tile.alloc : memref<12x16xf32, #shared>
    tile.copy %m[%c0, %c0] to %s : memref<?x?xf32> to memref<12x16xf32, #shared>
    %t = tile.load %s : memref<12x16xf32, #shared> -> tensor<12x16xf32>
    tile.store %t, %o : tensor<12x16xf32>, memref<12x16xf32>
  }
  return
}
