// Flash attention with tiles of 128 x 128, head size 128, before its loop is pipelined:
// with two slots for K and V the launch takes the 163840 bytes that sm_80 has, since O
// takes the bytes of Q. With three it would take 65536 more.
// RUN: tile-opt %s --tile-logical-phase=chip=sm_80 --tile-layout-phase | tile-test-opt --test-tile-arena-problem -o /dev/null 2>&1 | FileCheck %s
// RUN: sed 's/test.slots = 2/test.slots = 3/g' %s | tile-opt --tile-logical-phase=chip=sm_80 --tile-layout-phase | tile-test-opt --test-tile-arena-problem -o /dev/null 2>&1 | FileCheck %s --check-prefix=THREE
// CHECK: packed: 163840 bytes, at least 163840.
// CHECK: Q: 32768 bytes at [[PLACE:[0-9]+]] aligned to 1024
// CHECK: K: 65536 bytes
// CHECK: V: 65536 bytes
// CHECK: O: 32768 bytes at [[PLACE]] aligned to 1024
// THREE: packed: 229376 bytes, at least 229376.

#shared = #gpu.address_space<workgroup>

func.func @attention(
    %Q: memref<1x256x1x128xf16>, %K: memref<1x256x1x128xf16>,
    %V: memref<1x256x1x128xf16>, %O: memref<1x256x1x128xf16>) {
  %c2 = arith.constant 2 : index
  tile.launch @attention_kernel blocks(%tile) in (%c2) threads(256) {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %c256 = arith.constant 256 : index
    %row = arith.muli %tile, %c128 : index
    %Qs = tile.alloc {test.tag = "Q"} : memref<128x128xf16, #shared>
    %Ks = tile.alloc {test.tag = "K", test.slots = 2 : i64, test.loop = "keys"} : memref<128x128xf16, #shared>
    %Vs = tile.alloc {test.tag = "V", test.slots = 2 : i64, test.loop = "keys"} : memref<128x128xf16, #shared>
    %Os = tile.alloc {test.tag = "O"} : memref<128x128xf16, #shared>
    tile.copy %Q[%c0, %row, %c0, %c0] [1, 128, 1, 128] to %Qs
      : memref<1x256x1x128xf16> to memref<128x128xf16, #shared>
    %scale = arith.constant dense<0.127517431> : tensor<128x128xf32> // log2(e) / sqrt(128)
    %max0 = arith.constant dense<0xFF800000> : tensor<128xf32> // -inf
    %sum0 = arith.constant dense<0.0> : tensor<128xf32>
    %acc0 = arith.constant dense<0.0> : tensor<128x128xf32>
    %max, %sum, %acc = scf.for %key = %c0 to %c256 step %c128
        iter_args(%m = %max0, %l = %sum0, %o = %acc0)
        -> (tensor<128xf32>, tensor<128xf32>, tensor<128x128xf32>) {
      tile.copy %K[%c0, %key, %c0, %c0] [1, 128, 1, 128] to %Ks
        : memref<1x256x1x128xf16> to memref<128x128xf16, #shared>
      tile.copy %V[%c0, %key, %c0, %c0] [1, 128, 1, 128] to %Vs
        : memref<1x256x1x128xf16> to memref<128x128xf16, #shared>
      %s = tile.gemm %Qs, %Ks {transpose_b, warps = #tile.warps<rows>}
        : memref<128x128xf16, #shared>, memref<128x128xf16, #shared> -> tensor<128x128xf32>
      %scaled = arith.mulf %s, %scale : tensor<128x128xf32>
      %m_new = tile.reduce <maximumf> %scaled dims [1] init(%m)
        : tensor<128x128xf32> -> tensor<128xf32>
      %m_rows = tile.broadcast %m_new dims [1] : tensor<128xf32> -> tensor<128x128xf32>
      %shifted = arith.subf %scaled, %m_rows : tensor<128x128xf32>
      %p = math.exp2 %shifted fastmath<afn> : tensor<128x128xf32>
      %m_change = arith.subf %m, %m_new : tensor<128xf32>
      %shrink = math.exp2 %m_change fastmath<afn> : tensor<128xf32>
      %l_old = arith.mulf %l, %shrink : tensor<128xf32>
      %l_new = tile.reduce <add> %p dims [1] init(%l_old)
        : tensor<128x128xf32> -> tensor<128xf32>
      %shrink_rows = tile.broadcast %shrink dims [1] : tensor<128xf32> -> tensor<128x128xf32>
      %o_old = arith.mulf %o, %shrink_rows : tensor<128x128xf32>
      %p_half = arith.truncf %p : tensor<128x128xf32> to tensor<128x128xf16>
      %o_new = tile.gemm %p_half, %Vs, %o_old {warps = #tile.warps<rows>}
        : tensor<128x128xf16>, memref<128x128xf16, #shared> -> tensor<128x128xf32>
      scf.yield %m_new, %l_new, %o_new
        : tensor<128xf32>, tensor<128xf32>, tensor<128x128xf32>
    } {tile.stages = 2 : i32, test.tag = "keys"}
    %one = arith.constant dense<1.0> : tensor<128xf32>
    %inverse = arith.divf %one, %sum : tensor<128xf32>
    %inverse_rows = tile.broadcast %inverse dims [1] : tensor<128xf32> -> tensor<128x128xf32>
    %result = arith.mulf %acc, %inverse_rows : tensor<128x128xf32>
    %half = arith.truncf %result : tensor<128x128xf32> to tensor<128x128xf16>
    tile.store %half, %Os : tensor<128x128xf16>, memref<128x128xf16, #shared>
    tile.copy %Os to %O[%c0, %row, %c0, %c0] [1, 128, 1, 128]
      : memref<128x128xf16, #shared> to memref<1x256x1x128xf16>
  }
  return
}
