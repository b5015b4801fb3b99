// Sparse products that stay in flight over a loop, at every trip count from 0 to nine: the host
// runs each launch once for each. Metadata come from a ring of their own or from that of the
// matrices, brought by threads or by the copy engine, by one block of a cluster for all, or as
// fragments, to registers that products in flight had; two products of a step run together.
// DEFINE: %{run} = tile-run %s --on=emulator --chip=sm_90a --check --rtol=0 --atol=0 --data='integers(-3,3)' --data=1:metadata
// RUN: %{run} --entry=all --seed=1
// RUN: %{run} --entry=all --seed=2
// RUN: tile-run %s --entry=all --on=reference --check-stages --chip=sm_90a --data='integers(-3,3)' --data=1:metadata
// RUN: %{run} --entry=tiles --seed=3
// RUN: tile-opt %s --emit=ptx --chip=sm_90a | FileCheck %s
// RUN: tile-opt %s --emit=report --chip=sm_90a | FileCheck %s --check-prefix=REPORT --implicit-check-not=C75
// REPORT: kernel roles
// RUN: tile-opt %source_dir/examples/gemm_sparse.mlir --emit=ptx --chip=sm_90a | FileCheck %s --check-prefix=EXAMPLE
// EXAMPLE-NOT: {{^[[:space:]]*mma\.}}
// EXAMPLE: wgmma.mma_async.sp.sync.aligned.m64n128k32.f32.f16.f16
// EXAMPLE: wgmma.wait_group.sync.aligned 1;
// EXAMPLE-NOT: {{^[[:space:]]*mma\.}}
#shared = #gpu.address_space<workgroup>

func.func @all(%a: memref<128x576xf16>, %e: memref<128x72xi16>, %b: memref<1152x64xf16>,
    %o: memref<10x128x64xf32>, %p: memref<10x64x64xf32>, %q: memref<10x128x64xf32>, %r: memref<10x64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  scf.for %n = %c0 to %c10 step %c1 {
    func.call @roles(%n, %a, %e, %b, %o) : (index, memref<128x576xf16>, memref<128x72xi16>, memref<1152x64xf16>, memref<10x128x64xf32>) -> ()
    func.call @fragments(%n, %a, %e, %b, %p) : (index, memref<128x576xf16>, memref<128x72xi16>, memref<1152x64xf16>, memref<10x64x64xf32>) -> ()
    func.call @own_fills(%n, %a, %e, %b, %q) : (index, memref<128x576xf16>, memref<128x72xi16>, memref<1152x64xf16>, memref<10x128x64xf32>) -> ()
    func.call @together(%n, %a, %e, %b, %r) : (index, memref<128x576xf16>, memref<128x72xi16>, memref<1152x64xf16>, memref<10x64x64xf32>) -> ()
  }
  return
}

// Two warpgroups; steps of 64 columns have 8 bytes of metadata a row, which threads copy.
// CHECK-LABEL: .entry roles(
// CHECK: wgmma.mma_async.sp.sync.aligned.m64n64k32.f32.f16.f16 {{.*}}, 0, 0, 1, 1, 0, 1;
// CHECK: wgmma.commit_group
// CHECK-NOT: wgmma.wait_group
// CHECK: wgmma.mma_async.sp.sync.aligned.m64n64k32
// CHECK: wgmma.commit_group
// CHECK: wgmma.wait_group.sync.aligned 1;
// CHECK: wgmma.wait_group.sync.aligned 0;
func.func private @roles(%n: index, %A: memref<128x576xf16>, %E: memref<128x72xi16>, %B: memref<1152x64xf16>, %C: memref<10x128x64xf32>) {
  %g = arith.constant 1 : index
  tile.launch @roles blocks(%x) in (%g) threads(256) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %as = tile.alloc : memref<128x32xf16, #shared>
    %es = tile.alloc : memref<128x4xi16, #shared>
    %bs = tile.alloc : memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<128x64xf32>
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%c = %zero) -> (tensor<128x64xf32>) {
      %kept = arith.muli %i, %c32 : index
      %word = arith.muli %i, %c4 : index
      %k = arith.muli %i, %c64 : index
      tile.copy %A[%c0, %kept] to %as : memref<128x576xf16> to memref<128x32xf16, #shared>
      tile.copy %E[%c0, %word] to %es : memref<128x72xi16> to memref<128x4xi16, #shared>
      tile.copy %B[%k, %c0] to %bs : memref<1152x64xf16> to memref<64x64xf16, #shared>
      %d = tile.gemm_sparse %as, %es, %bs, %c : memref<128x32xf16, #shared>, memref<128x4xi16, #shared>, memref<64x64xf16, #shared> -> tensor<128x64xf32>
      scf.yield %d : tensor<128x64xf32>
    } {tile.stages = 3 : i32}
    tile.store %sum, %C[%n, %c0, %c0] [1, 128, 64] : tensor<128x64xf32>, memref<10x128x64xf32>
  }
  return
}

// CHECK-LABEL: .entry fragments(
// CHECK: wgmma.mma_async.sp
// CHECK: wgmma.wait_group.sync.aligned 1;
func.func private @fragments(%n: index, %A: memref<128x576xf16>, %E: memref<128x72xi16>, %B: memref<1152x64xf16>, %C: memref<10x64x64xf32>) {
  %g = arith.constant 1 : index
  tile.launch @fragments blocks(%x) in (%g) threads(128) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %as = tile.alloc : memref<64x64xf16, #shared>
    %bs = tile.alloc : memref<128x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      %kept = arith.muli %i, %c64 : index
      %word = arith.muli %i, %c8 : index
      %k = arith.muli %i, %c128 : index
      %e = tile.load %E[%c0, %word] : memref<128x72xi16> -> tensor<64x8xi16>
      tile.copy %A[%c0, %kept] to %as : memref<128x576xf16> to memref<64x64xf16, #shared>
      tile.copy %B[%k, %c0] to %bs : memref<1152x64xf16> to memref<128x64xf16, #shared>
      %d = tile.gemm_sparse %as, %e, %bs, %c : memref<64x64xf16, #shared>, tensor<64x8xi16>, memref<128x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 3 : i32}
    tile.store %sum, %C[%n, %c0, %c0] [1, 64, 64] : tensor<64x64xf32>, memref<10x64x64xf32>
  }
  return
}

// The threads that multiply fill the slots as well.
// CHECK-LABEL: .entry own_fills(
// CHECK-NOT: setmaxnreg
// CHECK: wgmma.mma_async.sp
// CHECK: wgmma.wait_group.sync.aligned 1;
func.func private @own_fills(%n: index, %A: memref<128x576xf16>, %E: memref<128x72xi16>, %B: memref<1152x64xf16>, %C: memref<10x128x64xf32>) {
  %g = arith.constant 1 : index
  tile.launch @own_fills blocks(%x) in (%g) threads(128) attributes {warp_specialize = #tile.warp_specialize<off>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %as = tile.alloc : memref<128x64xf16, #shared>
    %es = tile.alloc : memref<128x8xi16, #shared>
    %bs = tile.alloc : memref<128x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<128x64xf32>
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%c = %zero) -> (tensor<128x64xf32>) {
      %kept = arith.muli %i, %c64 : index
      %word = arith.muli %i, %c8 : index
      %k = arith.muli %i, %c128 : index
      tile.copy %A[%c0, %kept] to %as : memref<128x576xf16> to memref<128x64xf16, #shared>
      tile.copy %E[%c0, %word] to %es : memref<128x72xi16> to memref<128x8xi16, #shared>
      tile.copy %B[%k, %c0] to %bs : memref<1152x64xf16> to memref<128x64xf16, #shared>
      %d = tile.gemm_sparse %as, %es, %bs, %c : memref<128x64xf16, #shared>, memref<128x8xi16, #shared>, memref<128x64xf16, #shared> -> tensor<128x64xf32>
      scf.yield %d : tensor<128x64xf32>
    } {tile.stages = 3 : i32}
    tile.store %sum, %C[%n, %c0, %c0] [1, 128, 64] : tensor<128x64xf32>, memref<10x128x64xf32>
  }
  return
}

// Two products of one step; the later one is not under what the next step computes, as its
// metadata are not.
// CHECK-LABEL: .entry together(
// CHECK: wgmma.mma_async.sp
// CHECK: wgmma.commit_group
// CHECK-NOT: wgmma.wait_group
// CHECK: wgmma.mma_async.sp
// CHECK: wgmma.commit_group
// CHECK: wgmma.wait_group
func.func private @together(%n: index, %A: memref<128x576xf16>, %E: memref<128x72xi16>, %B: memref<1152x64xf16>, %C: memref<10x64x64xf32>) {
  %g = arith.constant 1 : index
  tile.launch @together blocks(%x) in (%g) threads(128) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %as = tile.alloc : memref<64x64xf16, #shared>
    %es = tile.alloc : memref<64x8xi16, #shared>
    %left = tile.alloc : memref<128x32xf16, #shared>
    %right = tile.alloc : memref<128x32xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x32xf32>
    %sum:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero, %t = %zero) -> (tensor<64x32xf32>, tensor<64x32xf32>) {
      %kept = arith.muli %i, %c64 : index
      %word = arith.muli %i, %c8 : index
      %k = arith.muli %i, %c128 : index
      tile.copy %A[%c64, %kept] to %as : memref<128x576xf16> to memref<64x64xf16, #shared>
      tile.copy %E[%c64, %word] to %es : memref<128x72xi16> to memref<64x8xi16, #shared>
      tile.copy %B[%k, %c0] to %left : memref<1152x64xf16> to memref<128x32xf16, #shared>
      tile.copy %B[%k, %c32] to %right : memref<1152x64xf16> to memref<128x32xf16, #shared>
      %u = tile.gemm_sparse %as, %es, %left, %s : memref<64x64xf16, #shared>, memref<64x8xi16, #shared>, memref<128x32xf16, #shared> -> tensor<64x32xf32>
      %v = tile.gemm_sparse %as, %es, %right, %t : memref<64x64xf16, #shared>, memref<64x8xi16, #shared>, memref<128x32xf16, #shared> -> tensor<64x32xf32>
      scf.yield %u, %v : tensor<64x32xf32>, tensor<64x32xf32>
    } {tile.stages = 2 : i32}
    tile.store %sum#0, %C[%n, %c0, %c0] [1, 64, 32] : tensor<64x32xf32>, memref<10x64x64xf32>
    tile.store %sum#1, %C[%n, %c0, %c32] [1, 64, 32] : tensor<64x32xf32>, memref<10x64x64xf32>
  }
  return
}

// Persistent, in clusters of two that share the tile of A with its metadata.
// CHECK-LABEL: .entry tiles(
// CHECK-DAG: wgmma.mma_async.sp.sync.aligned.m64n64k64.s32.s8.s8
// CHECK-DAG: wgmma.wait_group.sync.aligned 1;
// CHECK-DAG: multicast
func.func @tiles(%A: memref<256x256xi8>, %E: memref<256x32xi16>, %B: memref<256x512xi8>, %C: memref<256x256xi32>) {
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  tile.launch @tiles blocks(%x, %y) in (%c4, %c2) threads(256) cluster(2, 1) attributes {persistent} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %c512 = arith.constant 512 : index
    %as = tile.alloc : memref<128x64xi8, #shared>
    %es = tile.alloc : memref<128x8xi16, #shared>
    %bs = tile.alloc : memref<64x128xi8, #shared>
    %row = arith.muli %y, %c128 : index
    %col = arith.muli %x, %c64 : index
    %zero = arith.constant dense<0> : tensor<128x64xi32>
    %sum = scf.for %k = %c0 to %c512 step %c128 iter_args(%c = %zero) -> (tensor<128x64xi32>) {
      %kept = arith.divui %k, %c2 : index
      %word = arith.divui %k, %c16 : index
      tile.copy %A[%row, %kept] to %as : memref<256x256xi8> to memref<128x64xi8, #shared>
      tile.copy %E[%row, %word] to %es : memref<256x32xi16> to memref<128x8xi16, #shared>
      tile.copy %B[%col, %k] to %bs : memref<256x512xi8> to memref<64x128xi8, #shared>
      %d = tile.gemm_sparse %as, %es, %bs, %c {transpose_b} : memref<128x64xi8, #shared>, memref<128x8xi16, #shared>, memref<64x128xi8, #shared> -> tensor<128x64xi32>
      scf.yield %d : tensor<128x64xi32>
    } {tile.stages = 3 : i32}
    tile.store %sum, %C[%row, %col] : tensor<128x64xi32>, memref<256x256xi32>
  }
  return
}
