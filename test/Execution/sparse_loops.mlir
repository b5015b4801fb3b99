// Loops over sparse products of 1 to 4 stages at every trip count from 0 to nine: the
// host runs the launch once for each. The words of metadata are brought by `cp.async`,
// on sm_90a with a step of 64 columns by a producer's threads (8 bytes are no row of a
// box), with one of 128 by a bulk copy like the matrices. As fragments they are loaded
// a step ahead.
// DEFINE: %{stages} =
// DEFINE: %{program} = sed -e 's/STAGES/%{stages}/g' %s
// DEFINE: %{run} = %{program} | tile-run - --on=emulator --check --rtol=0 --atol=0 --data='integers(-3,3)' --data=1:metadata
// REDEFINE: %{stages} = 3
// RUN: %{run} --entry=all --chip=sm_80
// RUN: %{run} --entry=all --chip=sm_90a --check-stages
// RUN: %{run} --entry=all --chip=sm_120a --seed=2
// REDEFINE: %{stages} = 4
// RUN: %{run} --entry=all --chip=sm_90a --seed=3
// REDEFINE: %{stages} = 2
// RUN: %{run} --entry=all --chip=sm_89 --seed=4
// RUN: %{program} | tile-opt - --emit=ptx --chip=sm_120a | FileCheck %s --check-prefix=ORDERED
// RUN: %{program} | tile-opt - --emit=ptx --chip=sm_90a | FileCheck %s --check-prefix=ROLES
// Two steps of 32 columns take one register of metadata, of 64 the whole of it.
// ORDERED-LABEL: .entry narrow(
// ORDERED: cp.async.ca.shared.global [{{.*}}], [{{.*}}], 8
// ORDERED: mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32
// ORDERED: {{^}} [[META:%r[0-9]+]],{{$}}
// ORDERED-NEXT: 0;
// ORDERED: {{^}} [[META]],{{[[:space:]]+}}1;
// ORDERED-LABEL: .entry wide(
// ORDERED: ld.shared.b32
// ORDERED: mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.s32.s8.s8.s32
// ROLES-LABEL: .entry narrow(
// ROLES: wgmma.mma_async.sp.sync.aligned.m64n32k32.f32.f16.f16
// ROLES: cp.async.ca.shared.global [{{.*}}], [{{.*}}], 8
// ROLES-LABEL: .entry wide(
// ROLES-NOT: cp.async.ca
// ROLES: wgmma.mma_async.sp.sync.aligned.m64n32k64.s32.s8.s8
// ROLES-COUNT-3: cp.async.bulk.tensor.2d.shared
// ROLES-LABEL: .entry loaded(
// ROLES: mma.sp.sync.aligned.m16n8k32
#shared = #gpu.address_space<workgroup>

func.func @all(%a: memref<64x576xf16>, %e: memref<64x72xi16>, %b: memref<1152x32xf16>, %bytes: memref<64x576xi8>, %byteB: memref<32x1152xi8>,
    %narrow: memref<10x64x32xf32>, %wide: memref<10x64x32xi32>, %loaded: memref<10x64x32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  scf.for %n = %c0 to %c10 step %c1 {
    func.call @narrow(%n, %a, %e, %b, %narrow) : (index, memref<64x576xf16>, memref<64x72xi16>, memref<1152x32xf16>, memref<10x64x32xf32>) -> ()
    func.call @wide(%n, %bytes, %e, %byteB, %wide) : (index, memref<64x576xi8>, memref<64x72xi16>, memref<32x1152xi8>, memref<10x64x32xi32>) -> ()
    func.call @loaded(%n, %a, %e, %b, %loaded) : (index, memref<64x576xf16>, memref<64x72xi16>, memref<1152x32xf16>, memref<10x64x32xf32>) -> ()
  }
  return
}

func.func private @narrow(%n: index, %A: memref<64x576xf16>, %E: memref<64x72xi16>, %B: memref<1152x32xf16>, %C: memref<10x64x32xf32>) {
  %g = arith.constant 1 : index
  tile.launch @narrow blocks(%x) in (%g) threads(128) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %as = tile.alloc : memref<64x32xf16, #shared>
    %es = tile.alloc : memref<64x4xi16, #shared>
    %bs = tile.alloc : memref<64x32xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x32xf32>
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%c = %zero) -> (tensor<64x32xf32>) {
      %kept = arith.muli %i, %c32 : index
      %word = arith.muli %i, %c4 : index
      %k = arith.muli %i, %c64 : index
      tile.copy %A[%c0, %kept] to %as : memref<64x576xf16> to memref<64x32xf16, #shared>
      tile.copy %E[%c0, %word] to %es : memref<64x72xi16> to memref<64x4xi16, #shared>
      tile.copy %B[%k, %c0] to %bs : memref<1152x32xf16> to memref<64x32xf16, #shared>
      %d = tile.gemm_sparse %as, %es, %bs, %c : memref<64x32xf16, #shared>, memref<64x4xi16, #shared>, memref<64x32xf16, #shared> -> tensor<64x32xf32>
      scf.yield %d : tensor<64x32xf32>
    } {tile.stages = STAGES : i32}
    tile.store %sum, %C[%n, %c0, %c0] [1, 64, 32] : tensor<64x32xf32>, memref<10x64x32xf32>
  }
  return
}

func.func private @wide(%n: index, %A: memref<64x576xi8>, %E: memref<64x72xi16>, %B: memref<32x1152xi8>, %C: memref<10x64x32xi32>) {
  %g = arith.constant 1 : index
  tile.launch @wide blocks(%x) in (%g) threads(128) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %as = tile.alloc : memref<64x64xi8, #shared>
    %es = tile.alloc : memref<64x8xi16, #shared>
    %bs = tile.alloc : memref<32x128xi8, #shared>
    %zero = arith.constant dense<0> : tensor<64x32xi32>
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%c = %zero) -> (tensor<64x32xi32>) {
      %kept = arith.muli %i, %c64 : index
      %word = arith.muli %i, %c8 : index
      %k = arith.muli %i, %c128 : index
      tile.copy %A[%c0, %kept] to %as : memref<64x576xi8> to memref<64x64xi8, #shared>
      tile.copy %E[%c0, %word] to %es : memref<64x72xi16> to memref<64x8xi16, #shared>
      tile.copy %B[%c0, %k] to %bs : memref<32x1152xi8> to memref<32x128xi8, #shared>
      %d = tile.gemm_sparse %as, %es, %bs, %c {transpose_b} : memref<64x64xi8, #shared>, memref<64x8xi16, #shared>, memref<32x128xi8, #shared> -> tensor<64x32xi32>
      scf.yield %d : tensor<64x32xi32>
    } {tile.stages = STAGES : i32}
    tile.store %sum, %C[%n, %c0, %c0] [1, 64, 32] : tensor<64x32xi32>, memref<10x64x32xi32>
  }
  return
}

func.func private @loaded(%n: index, %A: memref<64x576xf16>, %E: memref<64x72xi16>, %B: memref<1152x32xf16>, %C: memref<10x64x32xf32>) {
  %g = arith.constant 1 : index
  tile.launch @loaded blocks(%x) in (%g) threads(64) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %as = tile.alloc : memref<64x32xf16, #shared>
    %bs = tile.alloc : memref<64x32xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x32xf32>
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%c = %zero) -> (tensor<64x32xf32>) {
      %kept = arith.muli %i, %c32 : index
      %word = arith.muli %i, %c4 : index
      %k = arith.muli %i, %c64 : index
      %ef = tile.load %E[%c0, %word] : memref<64x72xi16> -> tensor<64x4xi16>
      tile.copy %A[%c0, %kept] to %as : memref<64x576xf16> to memref<64x32xf16, #shared>
      tile.copy %B[%k, %c0] to %bs : memref<1152x32xf16> to memref<64x32xf16, #shared>
      %d = tile.gemm_sparse %as, %ef, %bs, %c : memref<64x32xf16, #shared>, tensor<64x4xi16>, memref<64x32xf16, #shared> -> tensor<64x32xf32>
      scf.yield %d : tensor<64x32xf32>
    } {tile.stages = STAGES : i32}
    tile.store %sum, %C[%n, %c0, %c0] [1, 64, 32] : tensor<64x32xf32>, memref<10x64x32xf32>
  }
  return
}
