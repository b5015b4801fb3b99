// A chip that is given again is the module's, at every stage; another one is an error
// that names both.
// RUN: tile-opt %s --tile-logical-phase=chip=sm_80 -o %t.logical
// RUN: tile-opt %t.logical --tile-layout-phase=chip=sm_80 -o %t.materialized
// RUN: tile-opt %t.materialized --tile-schedule-phase=chip=sm_80 -o %t.synchronized
// RUN: tile-opt %t.synchronized --tile-kernel-phase=chip=sm_80 -o %t.threaded
// RUN: tile-opt %t.threaded --tile-code-phase=chip=sm_80 -o %t.compiled
// RUN: not tile-opt %t.logical --tile-check-target=chip=sm_90a 2>&1 | FileCheck %s
// RUN: not tile-opt %t.logical --tile-logical-phase=chip=sm_90a 2>&1 | FileCheck %s
// RUN: not tile-opt %t.logical --tile-layout-phase=chip=sm_90a 2>&1 | FileCheck %s
// RUN: not tile-opt %t.materialized --tile-schedule-phase=chip=sm_90a 2>&1 | FileCheck %s
// RUN: not tile-opt %t.synchronized --tile-kernel-phase=chip=sm_90a 2>&1 | FileCheck %s
// RUN: not tile-opt %t.threaded --tile-code-phase=chip=sm_90a 2>&1 | FileCheck %s
// RUN: not tile-opt %t.logical --emit=ptx --chip=sm_90a 2>&1 | FileCheck %s
// RUN: not tile-opt %t.materialized --emit=ptx --chip=sm_90a 2>&1 | FileCheck %s
// RUN: not tile-opt %t.synchronized --emit=ptx --chip=sm_90a 2>&1 | FileCheck %s
// RUN: not tile-opt %t.threaded --emit=ptx --chip=sm_90a 2>&1 | FileCheck %s
// RUN: not tile-run %t.logical --on=emulator --chip=sm_90a 2>&1 | FileCheck %s
// RUN: not tile-run %t.logical --on=reference --chip=sm_90a 2>&1 | FileCheck %s
// RUN: not tile-run %t.synchronized --on=emulator --chip=sm_90a 2>&1 | FileCheck %s
// RUN: not tile-run %t.threaded --on=emulator --chip=sm_90a 2>&1 | FileCheck %s
// RUN: not tile-run %t.compiled --on=emulator --chip=sm_90a 2>&1 | FileCheck %s
// RUN: tile-run %t.compiled --on=emulator --chip=sm_80
// RUN: tile-run %t.threaded --on=emulator
// RUN: tile-opt %t.threaded --emit=ptx --chip=sm_80 | FileCheck %s --check-prefix=SAME
// RUN: tile-opt %t.logical --tile-check-target | FileCheck %s --check-prefix=KEPT

// CHECK: 1:1: error: the module is already meant for 'sm_80', not for 'sm_90a'; leave the chip out, or compile from a source that names none
// SAME: .target sm_80
// KEPT: module attributes {tile.target = #tile.target<"sm_80">}
func.func @copy(%a: memref<128xf32>, %b: memref<128xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @k blocks(%x) in (%c1) threads(32) {
    %t = tile.load %a : memref<128xf32> -> tensor<128xf32>
    tile.store %t, %b : tensor<128xf32>, memref<128xf32>
  }
  return
}
