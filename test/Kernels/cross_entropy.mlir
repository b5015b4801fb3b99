// Cross entropy of X * transpose(W) without the logits in memory: the sum of exponentials
// goes along with the vocabulary, the label's logit is picked where it comes by.
// DEFINE: %{run} = tile-run %s --entry=cross_entropy --dim=M:70 --dim=V:150 --dim=K:136 "--data=0:normal(0,0.3)" "--data=2:integers(0,149)"
// RUN: %{run} --on=emulator --chip=sm_80 --check --seed=1
// RUN: %{run} --on=emulator --chip=sm_90a --check --seed=2
// RUN: %{run} --on=emulator --chip=sm_90a --check --seed=3
// RUN: %{run} --on=reference --chip=sm_90a --check-stages
// RUN: tile-opt %s --emit=report --chip=sm_90a | FileCheck %s --implicit-check-not=C75 --implicit-check-not="{{[1-9][0-9]*}} bytes of spills"
// CHECK-LABEL: kernel cross_entropy_kernel
// CHECK: threads 160, consumer 4 warps, producer 1 warp
// CHECK: wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16.ss
// CHECK: cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
// CHECK-NEXT: cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes

#shared = #gpu.address_space<workgroup>

func.func @cross_entropy(%X: memref<?x?xf16> {tile.dims = ["M", "K"], tile.divisible = array<i64: 1, 8>}, %W: memref<?x?xf16> {tile.dims = ["V", "K"], tile.divisible = array<i64: 1, 8>},
                         %labels: memref<?xi32> {tile.dims = ["M"]}, %loss: memref<?xf32> {tile.dims = ["M"]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %M = memref.dim %X, %c0 : memref<?x?xf16>
  %K = memref.dim %X, %c1 : memref<?x?xf16>
  %V = memref.dim %W, %c0 : memref<?x?xf16>
  %g = arith.ceildivui %M, %c64 : index
  tile.launch @cross_entropy_kernel blocks(%b) in (%g) threads(128) {
    %row = arith.muli %b, %c64 : index
    %Xs = tile.alloc : memref<64x64xf16, #shared>
    %Ws = tile.alloc : memref<64x64xf16, #shared>
    %label = tile.load %labels[%row] : memref<?xi32> -> tensor<64xi32>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %m0 = arith.constant dense<-1.0e30> : tensor<64xf32>
    %n0 = arith.constant dense<0.0> : tensor<64xf32>
    %max, %sum, %hit = scf.for %v = %c0 to %V step %c64 iter_args(%m = %m0, %l = %n0, %t = %n0) -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) {
      %x = scf.for %k = %c0 to %K step %c64 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
        tile.copy %X[%row, %k] to %Xs : memref<?x?xf16> to memref<64x64xf16, #shared>
        tile.copy %W[%v, %k] to %Ws : memref<?x?xf16> to memref<64x64xf16, #shared>
        %d = tile.gemm %Xs, %Ws, %c {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
        scf.yield %d : tensor<64x64xf32>
      } {tile.stages = 3 : i32}
      %in, %own = tile.parallel (%i, %j) in (64, 64) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
        %e = tensor.extract %x[%i, %j] : tensor<64x64xf32>
        %w = tensor.extract %label[%i] : tensor<64xi32>
        %at = arith.addi %v, %j : index
        %at32 = arith.index_cast %at : index to i32
        %low = arith.constant 0xFF800000 : f32
        %none = arith.constant 0.0 : f32
        %is = arith.cmpi slt, %at, %V : index
        %mine = arith.cmpi eq, %at32, %w : i32
        %a = arith.select %is, %e, %low : f32
        %z = arith.select %mine, %e, %none : f32
        tile.yield %a, %z : f32, f32
      }
      %mn = tile.reduce <maximumf> %in dims [1] init(%m) : tensor<64x64xf32> -> tensor<64xf32>
      %mb = tile.broadcast %mn dims [1] : tensor<64xf32> -> tensor<64x64xf32>
      %y = arith.subf %in, %mb : tensor<64x64xf32>
      %p = math.exp %y : tensor<64x64xf32>
      %dm = arith.subf %m, %mn : tensor<64xf32>
      %r = math.exp %dm : tensor<64xf32>
      %lr = arith.mulf %l, %r : tensor<64xf32>
      %ln = tile.reduce <add> %p dims [1] init(%lr) : tensor<64x64xf32> -> tensor<64xf32>
      %tn = tile.reduce <add> %own dims [1] init(%t) : tensor<64x64xf32> -> tensor<64xf32>
      scf.yield %mn, %ln, %tn : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
    }
    %log = math.log %sum : tensor<64xf32>
    %lse = arith.addf %log, %max : tensor<64xf32>
    %res = arith.subf %lse, %hit : tensor<64xf32>
    tile.store %res, %loss[%row] : tensor<64xf32>, memref<?xf32>
  }
  return
}
