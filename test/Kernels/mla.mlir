// Decoding with latent keys: all 64 heads share keys of 256 latent and 64 rotated numbers;
// the latent ones are the values, too.
// DEFINE: %{run} = tile-run %s --entry=mla --dim=B:2 --dim=S:150
// RUN: %{run} --on=emulator --chip=sm_80 --check --seed=1
// RUN: %{run} --on=emulator --chip=sm_90a --check --seed=2
// RUN: %{run} --on=emulator --chip=sm_90a --check --seed=3
// RUN: %{run} --on=reference --chip=sm_90a --check-stages
// RUN: tile-opt %s --emit=report --chip=sm_90a | FileCheck %s --implicit-check-not=C75 --implicit-check-not="{{[1-9][0-9]*}} bytes of spills"
// CHECK-LABEL: kernel mla_kernel
// CHECK: threads 384, consumer 8 warps with 232 registers, producer 4 warps with 40 registers
// CHECK: wgmma.mma_async.sync.aligned.m64n32k16.f32.bf16.bf16.ss
// CHECK-NEXT: wgmma.mma_async.sync.aligned.m64n32k16.f32.bf16.bf16.ss
// CHECK-NEXT: wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16.rs
// CHECK: cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
// CHECK-NEXT: cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
// CHECK-NEXT: cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
// CHECK-NEXT: cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes

#shared = #gpu.address_space<workgroup>

func.func @mla(%Q: memref<?x64x256xbf16> {tile.dims = ["B", "", ""]}, %R: memref<?x64x64xbf16> {tile.dims = ["B", "", ""]},
               %C: memref<?x?x256xbf16> {tile.dims = ["B", "S", ""]}, %P: memref<?x?x64xbf16> {tile.dims = ["B", "S", ""]},
               %O: memref<?x64x256xbf16> {tile.dims = ["B", "", ""]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %B = memref.dim %C, %c0 : memref<?x?x256xbf16>
  %S = memref.dim %C, %c1 : memref<?x?x256xbf16>
  tile.launch @mla_kernel blocks(%b) in (%B) threads(256) {
    %Qs = tile.alloc : memref<64x256xbf16, #shared>
    %Rs = tile.alloc : memref<64x64xbf16, #shared>
    %Cs = tile.alloc : memref<64x256xbf16, #shared>
    %Ps = tile.alloc : memref<64x64xbf16, #shared>
    tile.copy %Q[%b, %c0, %c0] [1, 64, 256] to %Qs : memref<?x64x256xbf16> to memref<64x256xbf16, #shared>
    tile.copy %R[%b, %c0, %c0] [1, 64, 64] to %Rs : memref<?x64x64xbf16> to memref<64x64xbf16, #shared>
    %scale = arith.constant dense<0.0806> : tensor<64x64xf32>
    %hidden = arith.constant dense<0xFF800000> : tensor<64x64xf32>
    %m0 = arith.constant dense<-1.0e30> : tensor<64xf32>
    %l0 = arith.constant dense<0.0> : tensor<64xf32>
    %o0 = arith.constant dense<0.0> : tensor<64x256xf32>
    %max, %sum, %acc = scf.for %key = %c0 to %S step %c64 iter_args(%m = %m0, %l = %l0, %o = %o0) -> (tensor<64xf32>, tensor<64xf32>, tensor<64x256xf32>) {
      tile.copy %C[%b, %key, %c0] [1, 64, 256] to %Cs : memref<?x?x256xbf16> to memref<64x256xbf16, #shared>
      tile.copy %P[%b, %key, %c0] [1, 64, 64] to %Ps : memref<?x?x64xbf16> to memref<64x64xbf16, #shared>
      %s0 = tile.gemm %Qs, %Cs {transpose_b} : memref<64x256xbf16, #shared>, memref<64x256xbf16, #shared> -> tensor<64x64xf32>
      %s = tile.gemm %Rs, %Ps, %s0 {transpose_b} : memref<64x64xbf16, #shared>, memref<64x64xbf16, #shared> -> tensor<64x64xf32>
      %visible = tile.parallel (%a, %j) in (64, 64) -> (tensor<64x64xi1>) {
        %kp = arith.addi %key, %j : index
        %is = arith.cmpi slt, %kp, %S : index
        tile.yield %is : i1
      }
      %raw = arith.mulf %s, %scale : tensor<64x64xf32>
      %x = arith.select %visible, %raw, %hidden : tensor<64x64xi1>, tensor<64x64xf32>
      %mn = tile.reduce <maximumf> %x dims [1] init(%m) : tensor<64x64xf32> -> tensor<64xf32>
      %mb = tile.broadcast %mn dims [1] : tensor<64xf32> -> tensor<64x64xf32>
      %xs = arith.subf %x, %mb : tensor<64x64xf32>
      %p = math.exp2 %xs : tensor<64x64xf32>
      %dm = arith.subf %m, %mn : tensor<64xf32>
      %r = math.exp2 %dm : tensor<64xf32>
      %lr = arith.mulf %l, %r : tensor<64xf32>
      %ln = tile.reduce <add> %p dims [1] init(%lr) : tensor<64x64xf32> -> tensor<64xf32>
      %rb = tile.broadcast %r dims [1] : tensor<64xf32> -> tensor<64x256xf32>
      %or = arith.mulf %o, %rb : tensor<64x256xf32>
      %ph = arith.truncf %p : tensor<64x64xf32> to tensor<64x64xbf16>
      %on = tile.gemm %ph, %Cs, %or : tensor<64x64xbf16>, memref<64x256xbf16, #shared> -> tensor<64x256xf32>
      scf.yield %mn, %ln, %on : tensor<64xf32>, tensor<64xf32>, tensor<64x256xf32>
    } {tile.stages = 2 : i32}
    %lb = tile.broadcast %sum dims [1] : tensor<64xf32> -> tensor<64x256xf32>
    %res = arith.divf %acc, %lb : tensor<64x256xf32>
    tile.store %res, %O[%b, %c0, %c0] [1, 64, 256] : tensor<64x256xf32>, memref<?x64x256xbf16>
  }
  return
}
