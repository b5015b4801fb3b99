// Products outside of loops run together as those of an iteration do: chains, beside one
// another, with a pipelined loop in between, in branches and in the rounds of a while loop.
// RUN: tile-opt %s --emit=ptx --chip=sm_90a --line-info=false | FileCheck %s
// RUN: tile-run %s --entry=straight --on=emulator --chip=sm_90a --check --seed=1 --scalar=4:1
// RUN: tile-run %s --entry=straight --on=emulator --chip=sm_90a --check --seed=2 --scalar=4:40
// RUN: tile-run %s --entry=straight --on=reference --check-stages --chip=sm_90a --scalar=4:40
// RUN: tile-run %s --entry=bytes_used_again --on=emulator --chip=sm_90a --check --seed=3
// RUN: tile-run %s --entry=bytes_used_again --on=reference --check-stages --chip=sm_90a
// RUN: tile-run %s --entry=rounds --on=emulator --chip=sm_90a --check --seed=4 --scalar=3:0
// RUN: tile-run %s --entry=rounds --on=emulator --chip=sm_90a --check --seed=5 --scalar=3:3
// RUN: tile-run %s --entry=rounds --on=reference --check-stages --chip=sm_90a --scalar=3:3
// RUN: tile-opt %s --emit=report --chip=sm_90a | FileCheck %s --check-prefix=REPORT --implicit-check-not=C75
// REPORT: kernel straight
#shared = #gpu.address_space<workgroup>
!a = memref<128x32xf16, #shared>
!b = memref<32x64xf16, #shared>
!sum = tensor<128x64xf32>

// Two in front of the loop, the first of which goes on behind it; the branch has two more,
// the second of which adds to the first.
// CHECK-LABEL: .entry straight(
// CHECK: wgmma.commit_group
// CHECK-NOT: wgmma.wait_group
// CHECK: wgmma.commit_group
// CHECK: wgmma.wait_group.sync.aligned 1;
// CHECK: wgmma.wait_group.sync.aligned 0;
// CHECK: wgmma.commit_group
// CHECK-NOT: wgmma.wait_group
// CHECK: wgmma.commit_group
// CHECK-NOT: wgmma.wait_group
// CHECK: wgmma.commit_group
// CHECK-NEXT: wgmma.wait_group.sync.aligned 0;
func.func @straight(%A: memref<128x256xf16>, %B: memref<256x64xf16>, %C: memref<128x64xf32>,
                    %D: memref<128x64xf32>, %n: index) {
  %one = arith.constant 1 : index
  tile.launch @straight blocks(%bx) in (%one) threads(256) {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %As = tile.alloc : !a
    %Bs = tile.alloc : !b
    %A1 = tile.alloc : !a
    %B1 = tile.alloc : !b
    %A2 = tile.alloc : !a
    %B2 = tile.alloc : !b
    %zero = arith.constant dense<0.0> : !sum
    tile.copy %A[%c0, %c0] to %A1 : memref<128x256xf16> to !a
    tile.copy %B[%c0, %c0] to %B1 : memref<256x64xf16> to !b
    tile.copy %A[%c0, %c32] to %A2 : memref<128x256xf16> to !a
    tile.copy %B[%c32, %c0] to %B2 : memref<256x64xf16> to !b
    %p = tile.gemm %A1, %B1, %zero : !a, !b -> !sum
    %q = tile.gemm %A2, %B1 : !a, !b -> !sum
    %sum = scf.for %k = %c64 to %c256 step %c32 iter_args(%s = %zero) -> (!sum) {
      tile.copy %A[%c0, %k] to %As : memref<128x256xf16> to !a
      tile.copy %B[%k, %c0] to %Bs : memref<256x64xf16> to !b
      %t = tile.gemm %As, %Bs, %s : !a, !b -> !sum
      scf.yield %t : !sum
    } {tile.stages = 3 : i32}
    %r = tile.gemm %A2, %B2, %p : !a, !b -> !sum
    %isMore = arith.cmpi sgt, %n, %c32 : index
    %w = scf.if %isMore -> (!sum) {
      %u = tile.gemm %A2, %B2, %q : !a, !b -> !sum
      %v = tile.gemm %A1, %B2, %u : !a, !b -> !sum
      scf.yield %v : !sum
    } else {
      scf.yield %q : !sum
    }
    %all = arith.addf %r, %sum : !sum
    tile.store %all, %C[%c0, %c0] : !sum, memref<128x64xf32>
    tile.store %w, %D[%c0, %c0] : !sum, memref<128x64xf32>
  }
  return
}

// The bytes that the first product reads are free for the last copy once that is complete: it
// is waited for in front of the barrier, while the second may run on.
func.func @bytes_used_again(%A: memref<128x256xf16>, %B: memref<256x64xf16>, %C: memref<128x64xf32>) {
  %one = arith.constant 1 : index
  tile.launch @bytes_used_again blocks(%bx) in (%one) threads(128) {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %A1 = tile.alloc : !a
    %B1 = tile.alloc : !b
    %A2 = tile.alloc : !a
    %B2 = tile.alloc : !b
    %A3 = tile.alloc : !a
    %B3 = tile.alloc : !b
    tile.copy %A[%c0, %c0] to %A1 : memref<128x256xf16> to !a
    tile.copy %B[%c0, %c0] to %B1 : memref<256x64xf16> to !b
    tile.copy %A[%c0, %c32] to %A2 : memref<128x256xf16> to !a
    tile.copy %B[%c32, %c0] to %B2 : memref<256x64xf16> to !b
    %p = tile.gemm %A1, %B1 : !a, !b -> !sum
    %q = tile.gemm %A2, %B2, %p : !a, !b -> !sum
    tile.copy %A[%c0, %c64] to %A3 : memref<128x256xf16> to !a
    tile.copy %B[%c64, %c0] to %B3 : memref<256x64xf16> to !b
    %r = tile.gemm %A3, %B3, %q : !a, !b -> !sum
    tile.copy %A[%c0, %c0] to %A1 : memref<128x256xf16> to !a
    %s = tile.gemm %A1, %B3, %r : !a, !b -> !sum
    tile.store %s, %C[%c0, %c0] : !sum, memref<128x64xf32>
  }
  return
}

// Each round adds two products to the sum.
// CHECK-LABEL: .entry rounds(
// CHECK: wgmma.commit_group
// CHECK-NOT: wgmma.wait_group
// CHECK: wgmma.commit_group
// CHECK-NEXT: wgmma.wait_group.sync.aligned 0;
func.func @rounds(%A: memref<128x256xf16>, %B: memref<256x64xf16>, %C: memref<128x64xf32>, %n: i32) {
  %one = arith.constant 1 : index
  tile.launch @rounds blocks(%bx) in (%one) threads(128) {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %i0 = arith.constant 0 : i32
    %i1 = arith.constant 1 : i32
    %A1 = tile.alloc : !a
    %B1 = tile.alloc : !b
    %zero = arith.constant dense<0.0> : !sum
    %k, %sum = scf.while (%i = %i0, %s = %zero) : (i32, !sum) -> (i32, !sum) {
      %isMore = arith.cmpi slt, %i, %n : i32
      scf.condition(%isMore) %i, %s : i32, !sum
    } do {
    ^bb0(%i: i32, %s: !sum):
      %at = arith.index_cast %i : i32 to index
      %row = arith.muli %at, %c32 : index
      tile.copy %A[%c0, %row] to %A1 : memref<128x256xf16> to !a
      tile.copy %B[%row, %c0] to %B1 : memref<256x64xf16> to !b
      %p = tile.gemm %A1, %B1, %s : !a, !b -> !sum
      %q = tile.gemm %A1, %B1, %p : !a, !b -> !sum
      %next = arith.addi %i, %i1 : i32
      scf.yield %next, %q : i32, !sum
    }
    tile.store %sum, %C[%c0, %c0] : !sum, memref<128x64xf32>
  }
  return
}
