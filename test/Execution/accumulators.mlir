// Accumulators that are used again behind the product that adds to them: in one block, over
// iterations, from outside of a loop, and as constants; sums of f32, f16 and i32. The copy stands
// in front of the fence, so that ptxas need not put another one.
// RUN: tile-opt %s --emit=ptx --chip=sm_90a | FileCheck %s
// RUN: tile-opt %s --emit=report --chip=sm_90a | FileCheck %s --check-prefix=REPORT --implicit-check-not=C75
// RUN: tile-run %s --entry=difference --on=emulator --chip=sm_90a --check --seed=0
// RUN: tile-run %s --entry=difference --on=reference --check-stages --chip=sm_90a
// RUN: tile-run %s --entry=in_a_loop --on=emulator --chip=sm_90a --check --seed=1
// RUN: tile-run %s --entry=in_a_loop --on=reference --check-stages --chip=sm_90a
// RUN: tile-run %s --entry=from_outside --on=emulator --chip=sm_90a --check --seed=2
// RUN: tile-run %s --entry=constant --on=emulator --chip=sm_90a --check --seed=3
// RUN: tile-run %s --entry=narrow --on=emulator --chip=sm_90a --check --seed=4 "--data=0:integers(-2,2)" "--data=1:integers(-2,2)"
// RUN: tile-run %s --entry=integers --on=emulator --chip=sm_90a --check --seed=5
// RUN: tile-run %s --entry=integers --on=reference --check-stages --chip=sm_90a
#shared = #gpu.address_space<workgroup>

// CHECK-LABEL: .entry difference(
// CHECK: wgmma.wait_group.sync.aligned 0;
// CHECK-COUNT-32: mov.b32
// CHECK: wgmma.fence.sync.aligned;
// CHECK-NEXT: // begin inline asm
// REPORT-LABEL: kernel difference
// REPORT: ClonedAccumulator: 32 registers a thread are copied: the accumulator is used again behind the product
func.func @difference(%A: memref<64x64xf16>, %B: memref<64x64xf16>, %O: memref<64x64xf32>, %P: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @difference blocks(%x) in (%c1) threads(128) {
    %a = tile.alloc : memref<64x64xf16, #shared>
    %b = tile.alloc : memref<64x64xf16, #shared>
    tile.copy %A to %a : memref<64x64xf16> to memref<64x64xf16, #shared>
    tile.copy %B to %b : memref<64x64xf16> to memref<64x64xf16, #shared>
    %s = tile.gemm %a, %b : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
    %t = tile.gemm %a, %b, %s : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
    %u = arith.subf %t, %s : tensor<64x64xf32>
    tile.store %u, %O : tensor<64x64xf32>, memref<64x64xf32>
    tile.store %s, %P : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// The sum of the iteration before is compared behind the product that goes on with it.
// REPORT-LABEL: kernel in_a_loop
// REPORT: ClonedAccumulator
func.func @in_a_loop(%A: memref<64x256xf16>, %B: memref<256x64xf16>, %O: memref<64x64xf32>, %P: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @in_a_loop blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %a = tile.alloc : memref<64x64xf16, #shared>
    %b = tile.alloc : memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %r:2 = scf.for %k = %c0 to %c256 step %c64 iter_args(%sum = %zero, %most = %zero) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
      tile.copy %A[%c0, %k] to %a : memref<64x256xf16> to memref<64x64xf16, #shared>
      tile.copy %B[%k, %c0] to %b : memref<256x64xf16> to memref<64x64xf16, #shared>
      %next = tile.gemm %a, %b, %sum : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      %m = arith.maximumf %most, %sum : tensor<64x64xf32>
      scf.yield %next, %m : tensor<64x64xf32>, tensor<64x64xf32>
    } {tile.stages = 2 : i32}
    tile.store %r#0, %O : tensor<64x64xf32>, memref<64x64xf32>
    tile.store %r#1, %P : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// Each iteration adds to the same bias.
// REPORT-LABEL: kernel from_outside
// REPORT: ClonedAccumulator
func.func @from_outside(%A: memref<192x64xf16>, %B: memref<64x64xf16>, %C: memref<64x64xf32>, %O: memref<192x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @from_outside blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c192 = arith.constant 192 : index
    %a = tile.alloc : memref<64x64xf16, #shared>
    %b = tile.alloc : memref<64x64xf16, #shared>
    tile.copy %B to %b : memref<64x64xf16> to memref<64x64xf16, #shared>
    %bias = tile.load %C : memref<64x64xf32> -> tensor<64x64xf32>
    scf.for %row = %c0 to %c192 step %c64 {
      tile.copy %A[%row, %c0] to %a : memref<192x64xf16> to memref<64x64xf16, #shared>
      %s = tile.gemm %a, %b, %bias : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      tile.store %s, %O[%row, %c0] : tensor<64x64xf32>, memref<192x64xf32>
    }
  }
  return
}

// CHECK-LABEL: .entry constant(
// CHECK: mov.b32 {{.*}}, 1065353216;
// CHECK: wgmma.fence.sync.aligned;
// CHECK-NOT: mov
// CHECK: wgmma.mma_async
// REPORT-LABEL: kernel constant
// REPORT-NOT: ClonedAccumulator
// REPORT-LABEL: kernel narrow
func.func @constant(%A: memref<64x64xf16>, %B: memref<64x64xf16>, %O: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @constant blocks(%x) in (%c1) threads(128) {
    %a = tile.alloc : memref<64x64xf16, #shared>
    %b = tile.alloc : memref<64x64xf16, #shared>
    tile.copy %A to %a : memref<64x64xf16> to memref<64x64xf16, #shared>
    tile.copy %B to %b : memref<64x64xf16> to memref<64x64xf16, #shared>
    %one = arith.constant dense<1.0> : tensor<64x64xf32>
    %s = tile.gemm %a, %b, %one : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
    tile.store %s, %O : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// Two sums of 16 bits share a register.
// REPORT: ClonedAccumulator: 16 registers
func.func @narrow(%A: memref<64x64xf16>, %B: memref<64x64xf16>, %O: memref<64x64xf16>, %P: memref<64x64xf16>) {
  %c1 = arith.constant 1 : index
  tile.launch @narrow blocks(%x) in (%c1) threads(128) {
    %a = tile.alloc : memref<64x64xf16, #shared>
    %b = tile.alloc : memref<64x64xf16, #shared>
    tile.copy %A to %a : memref<64x64xf16> to memref<64x64xf16, #shared>
    tile.copy %B to %b : memref<64x64xf16> to memref<64x64xf16, #shared>
    %s = tile.gemm %a, %b : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf16>
    %t = tile.gemm %a, %b, %s : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf16>
    tile.store %t, %O : tensor<64x64xf16>, memref<64x64xf16>
    tile.store %s, %P : tensor<64x64xf16>, memref<64x64xf16>
  }
  return
}

// REPORT-LABEL: kernel integers
// REPORT: ClonedAccumulator: 32 registers
func.func @integers(%A: memref<64x64xi8>, %B: memref<64x64xi8>, %O: memref<64x64xi32>, %P: memref<64x64xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch @integers blocks(%x) in (%c1) threads(128) {
    %a = tile.alloc : memref<64x64xi8, #shared>
    %b = tile.alloc : memref<64x64xi8, #shared>
    tile.copy %A to %a : memref<64x64xi8> to memref<64x64xi8, #shared>
    tile.copy %B to %b : memref<64x64xi8> to memref<64x64xi8, #shared>
    %s = tile.gemm %a, %b {transpose_b} : memref<64x64xi8, #shared>, memref<64x64xi8, #shared> -> tensor<64x64xi32>
    %t = tile.gemm %a, %b, %s {transpose_b} : memref<64x64xi8, #shared>, memref<64x64xi8, #shared> -> tensor<64x64xi32>
    tile.store %t, %O : tensor<64x64xi32>, memref<64x64xi32>
    tile.store %s, %P : tensor<64x64xi32>, memref<64x64xi32>
  }
  return
}
