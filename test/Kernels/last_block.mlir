// Split-K whose last block converts: each block adds its part and counts itself by an atomic
// that shows it what the others added. Nobody writes to the operands, so that a producer
// brings them; the sum, which others see behind the atomic, is added by threads.
// DEFINE: %{run} = tile-run %s --chip=sm_90a
// RUN: %{run} --entry=last_block --on=emulator --check --seed=1
// RUN: %{run} --entry=last_block --on=emulator --check --seed=2
// RUN: %{run} --entry=last_block --on=emulator --check --seed=3
// RUN: %{run} --entry=last_block --on=reference --check-stages
// RUN: %{run} --entry=steered --on=emulator --check --seed=4
// RUN: %{run} --entry=steered --on=reference --check-stages
// RUN: tile-opt %s --emit=report --chip=sm_90a | FileCheck %s --implicit-check-not=C75 --implicit-check-not="{{[1-9][0-9]*}} bytes of spills"
// CHECK-LABEL: kernel last_block_kernel
// CHECK: consumer 4 warps, producer 1 warp
// CHECK: cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
// CHECK-NEXT: cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
// CHECK: AtomicByThreads: other blocks may see it behind 'memref.atomic_rmw'; do that in a launch of its own
// CHECK-LABEL: kernel steered_kernel
// CHECK: NotSpecialized: no warps are specialised: what it loads may be written in this launch

#shared = #gpu.address_space<workgroup>

func.func @last_block(%A: memref<64x256xf16>, %B: memref<64x256xf16>, %S: memref<64x64xf32>, %n: memref<1xi32>, %C: memref<64x64xf16>) {
  %c4 = arith.constant 4 : index
  tile.launch @last_block_kernel blocks(%b) in (%c4) threads(128) {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %begin = arith.muli %b, %c64 : index
    %end = arith.addi %begin, %c64 : index
    %As = tile.alloc : memref<64x32xf16, #shared>
    %Bs = tile.alloc : memref<64x32xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %k = %begin to %end step %c32 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      tile.copy %A[%c0, %k] to %As : memref<64x256xf16> to memref<64x32xf16, #shared>
      tile.copy %B[%c0, %k] to %Bs : memref<64x256xf16> to memref<64x32xf16, #shared>
      %d = tile.gemm %As, %Bs, %c {transpose_b} : memref<64x32xf16, #shared>, memref<64x32xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 2 : i32}
    tile.atomic_rmw addf %acc, %S : tensor<64x64xf32>, memref<64x64xf32>
    %one = arith.constant 1 : i32
    %before = memref.atomic_rmw addi %one, %n[%c0] : (i32, memref<1xi32>) -> i32
    %c3 = arith.constant 3 : i32
    %isLast = arith.cmpi eq, %before, %c3 : i32
    scf.if %isLast {
      %sum = tile.load %S : memref<64x64xf32> -> tensor<64x64xf32>
      tile.store %sum, %C : tensor<64x64xf32>, memref<64x64xf16>
    }
  }
  return
}

// Where the copies of a step are is in what the step before counted: the producer would
// run ahead of the atomic.
func.func @steered(%A: memref<64x256xf16>, %B: memref<64x256xf16>, %n: memref<1xi32>, %C: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @steered_kernel blocks(%b) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %step = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c64 = arith.constant 64 : index
    %As = tile.alloc : memref<64x64xf16, #shared>
    %Bs = tile.alloc : memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %i = %c0 to %c4 step %step iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      %v = memref.load %n[%c0] : memref<1xi32>
      %at = arith.index_cast %v : i32 to index
      %k = arith.muli %at, %c64 : index
      tile.copy %A[%c0, %k] to %As : memref<64x256xf16> to memref<64x64xf16, #shared>
      tile.copy %B[%c0, %k] to %Bs : memref<64x256xf16> to memref<64x64xf16, #shared>
      %d = tile.gemm %As, %Bs, %c {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      %one = arith.constant 1 : i32
      %before = memref.atomic_rmw addi %one, %n[%c0] : (i32, memref<1xi32>) -> i32
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 3 : i32}
    tile.store %acc, %C : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}
