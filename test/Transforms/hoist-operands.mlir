// Operand A of a loop's product, which the loop does not write, is loaded in front of the
// loop behind what its first iteration waits for, where a thread has the registers; where
// it would not, and where the loop writes it, it is loaded in each.
// RUN: tile-opt %s --tile-logical-phase=chip=sm_80 --tile-layout-phase --tile-schedule-phase --tile-hoist-operands --tile-check-barriers | FileCheck %s
// RUN: tile-opt %s --tile-logical-phase=chip=sm_80 --tile-layout-phase --tile-schedule-phase --tile-hoist-operands --verify-diagnostics --remark-format=emitRemark --remarks-filter-passed=tile-hoist-operands --remarks-filter-missed=tile-hoist-operands -o /dev/null

// Both products into which the first step of K is split take what was loaded.
// CHECK-LABEL: func.func @held
// CHECK: tile.copy_commit
// CHECK: tile.copy_wait {pending = 0 : i64}
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: %[[FIRST:.*]] = tile.load {{.*}} : memref<64x16xf16,
// CHECK-NEXT: memref.subview
// CHECK-NEXT: %[[OTHERS:.*]] = tile.load {{.*}} : memref<64x48xf16,
// CHECK: scf.for
// CHECK: tile.copy_wait
// CHECK: tile.barrier
// CHECK: tile.gemm %[[FIRST]], {{.*}} : tensor<64x16xf16,
// CHECK: tile.gemm %[[OTHERS]], {{.*}} : tensor<64x48xf16,
#shared = #gpu.address_space<workgroup>
func.func @held(%q: memref<64x64xf16>, %k: memref<512x64xf16>, %o: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @held blocks(%b) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %step = arith.constant 64 : index
    %n = arith.constant 512 : index
    %max0 = arith.constant dense<0xFF800000> : tensor<64xf32>
    %qs = tile.alloc : memref<64x64xf16, #shared>
    %ks = tile.alloc : memref<64x64xf16, #shared>
    tile.copy %q to %qs : memref<64x64xf16> to memref<64x64xf16, #shared>
    // expected-remark @below {{[Passed] OperandInRegisters | Category:tile-hoist-operands | Function=held | Reason="16 registers a thread hold an operand that is the same in every iteration, loaded in front of them"}}
    %max = scf.for %i = %c0 to %n step %step iter_args(%m = %max0) -> (tensor<64xf32>) {
      tile.copy %k[%i, %c0] to %ks : memref<512x64xf16> to memref<64x64xf16, #shared>
      %s = tile.gemm %qs, %ks {transpose_b, warps = #tile.warps<rows>} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      %next = tile.reduce <maximumf> %s dims [1] init(%m) : tensor<64x64xf32> -> tensor<64xf32>
      scf.yield %next : tensor<64xf32>
    } {tile.stages = 2 : i32}
    tile.store %max, %o : tensor<64xf32>, memref<64xf32>
  }
  return
}

// CHECK-LABEL: func.func @limited
// CHECK: scf.for
// CHECK: tile.gemm {{.*}} : memref<64x16xf16,
func.func @limited(%q: memref<64x64xf16>, %k: memref<512x64xf16>, %o: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @limited blocks(%b) in (%c1) threads(128) attributes {max_registers = 112 : i64} {
    %c0 = arith.constant 0 : index
    %step = arith.constant 64 : index
    %n = arith.constant 512 : index
    %max0 = arith.constant dense<0xFF800000> : tensor<64xf32>
    %qs = tile.alloc : memref<64x64xf16, #shared>
    %ks = tile.alloc : memref<64x64xf16, #shared>
    tile.copy %q to %qs : memref<64x64xf16> to memref<64x64xf16, #shared>
    // expected-remark @below {{[Missed] OperandInLoop | Category:tile-hoist-operands | Function=limited | Reason="an operand that is the same in every iteration is loaded in each: with 16 registers for it, a thread would take some 100 of 112"}}
    %max = scf.for %i = %c0 to %n step %step iter_args(%m = %max0) -> (tensor<64xf32>) {
      tile.copy %k[%i, %c0] to %ks : memref<512x64xf16> to memref<64x64xf16, #shared>
      %s = tile.gemm %qs, %ks {transpose_b, warps = #tile.warps<rows>} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      %next = tile.reduce <maximumf> %s dims [1] init(%m) : tensor<64x64xf32> -> tensor<64xf32>
      scf.yield %next : tensor<64xf32>
    } {tile.stages = 2 : i32}
    tile.store %max, %o : tensor<64xf32>, memref<64xf32>
  }
  return
}

// CHECK-LABEL: func.func @written
// CHECK: scf.for
// CHECK: tile.gemm {{.*}} : memref<64x{{16|64}}xf16,
func.func @written(%q: memref<64x64xf16>, %k: memref<512x64xf16>, %o: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @written blocks(%b) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %step = arith.constant 64 : index
    %n = arith.constant 512 : index
    %max0 = arith.constant dense<0xFF800000> : tensor<64xf32>
    %qs = tile.alloc : memref<64x64xf16, #shared>
    %ks = tile.alloc : memref<64x64xf16, #shared>
    tile.copy %q to %qs : memref<64x64xf16> to memref<64x64xf16, #shared>
    %max = scf.for %i = %c0 to %n step %step iter_args(%m = %max0) -> (tensor<64xf32>) {
      tile.copy %k[%i, %c0] to %ks : memref<512x64xf16> to memref<64x64xf16, #shared>
      %s = tile.gemm %qs, %ks {transpose_b, warps = #tile.warps<rows>} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      %next = tile.reduce <maximumf> %s dims [1] init(%m) : tensor<64x64xf32> -> tensor<64xf32>
      %half = arith.truncf %s : tensor<64x64xf32> to tensor<64x64xf16>
      tile.store %half, %qs : tensor<64x64xf16>, memref<64x64xf16, #shared>
      scf.yield %next : tensor<64xf32>
    } {tile.stages = 2 : i32}
    tile.store %max, %o : tensor<64xf32>, memref<64xf32>
  }
  return
}
