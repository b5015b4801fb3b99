// Bulk copies that cannot have a slot of a ring become copies by threads.
// RUN: tile-opt %s --split-input-file --tile-logical-phase=chip=sm_90a --tile-layout-phase=bulk-copies --tile-pipeline-loops --remark-format=emitRemark --remarks-filter-missed=tile-pipeline-loops --verify-diagnostics | FileCheck %s

#shared = #gpu.address_space<workgroup>

// Half of the buffer is what an earlier round left.
// CHECK-LABEL: func @in_part
// CHECK-NOT: tile.ring
// CHECK: tile.copy {{.*}}instruction = #tile.instruction<"cp.async">
func.func @in_part(%A: memref<64x512xf32>, %C: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @k blocks(%b) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %one = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %s = tile.alloc : memref<64x64xf32, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    tile.store %zero, %s : tensor<64x64xf32>, memref<64x64xf32, #shared>
    scf.for %i = %c0 to %c2 step %one {
      %row = arith.muli %i, %c32 : index
      // expected-remark @below {{[Missed] NoBulkCopy | Category:tile-pipeline-loops | Function=k | Reason="threads make this copy: its buffer is also used where what it copied may not be there"}}
      tile.copy %A[%row, %c0] to %s[%row, %c0] [32, 64] : memref<64x512xf32> to memref<64x64xf32, #shared>
    }
    %t = tile.load %s : memref<64x64xf32, #shared> -> tensor<64x64xf32>
    tile.store %t, %C : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// -----

#shared = #gpu.address_space<workgroup>

// One half by a bulk copy, one by threads, whose pad is one.
// CHECK-LABEL: func @mixed
func.func @mixed(%A: memref<64x512xf32>, %C: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @k blocks(%b) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c512 = arith.constant 512 : index
    %pad = arith.constant 1.0 : f32
    %s = tile.alloc : memref<64x64xf32, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    // expected-remark @below {{bulk copies fill it, which an mbarrier counts, and others do}}
    %acc = scf.for %k = %c0 to %c512 step %c64 iter_args(%sum = %zero) -> (tensor<64x64xf32>) {
      // expected-remark @below {{[Missed] NoBulkCopy | Category:tile-pipeline-loops | Function=k | Reason="threads make this copy: it fills a part of a buffer, in the rest of which something may be left from before"}}
      tile.copy %A[%c0, %k] to %s[%c0, %c0] [32, 64] : memref<64x512xf32> to memref<64x64xf32, #shared>
      tile.copy %A[%c32, %k] pad(%pad) to %s[%c32, %c0] [32, 64] : memref<64x512xf32> to memref<64x64xf32, #shared>
      %t = tile.load %s : memref<64x64xf32, #shared> -> tensor<64x64xf32>
      %new = arith.addf %sum, %t : tensor<64x64xf32>
      scf.yield %new : tensor<64x64xf32>
    } {tile.stages = 2 : i32}
    tile.store %acc, %C : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}
