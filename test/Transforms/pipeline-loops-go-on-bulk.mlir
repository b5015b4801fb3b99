// An mbarrier counts the bulk copies of a first loop, and not the copies of a second one to the same
// buffer, whose rows are not aligned: the second loop does not go on with the ring.
// RUN: tile-opt %s --tile-logical-phase=chip=sm_90a --tile-layout-phase --tile-pipeline-loops --remark-format=emitRemark --remarks-filter=tile-pipeline-loops -o %t 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s < %t
// REMARK: [Passed] Pipelined {{.*}}Function=in_other_ways{{.*}}"2 stages, 1 copies run ahead"
// REMARK: [Missed] NotPipelined {{.*}}Function=in_other_ways{{.*}}"2 stages asked for; the buffer that 'tile.store' (line {{[0-9]+}}) fills keeps one slot: bulk copies, which an mbarrier counts, fill it in one loop and others in another; give each loop a buffer of its own"
// CHECK: tile.ring {{.*}} -> !tile.ring<2>
// CHECK-NOT: tile.ring %
// CHECK: return
#shared = #gpu.address_space<workgroup>
func.func @in_other_ways(%A: memref<512x32xf16>, %B: memref<512x33xf16>, %O: memref<32x32xf32>, %n: index, %m: index) {
  %h1 = arith.constant 1 : index
  tile.launch @in_other_ways blocks(%bx) in (%h1) threads(128) attributes {warp_specialize = #tile.warp_specialize<off>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant dense<0.0> : tensor<32x32xf32>
      %a = tile.alloc : memref<32x32xf16, #shared>
      tile.copy %A[%c0, %c0] to %a : memref<512x32xf16> to memref<32x32xf16, #shared>
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%in = %zero) -> (tensor<32x32xf32>) {
        %k = arith.muli %i, %c32 : index
        tile.copy %A[%k, %c0] to %a : memref<512x32xf16> to memref<32x32xf16, #shared>
        %d = tile.gemm %a, %a, %in : memref<32x32xf16, #shared>, memref<32x32xf16, #shared> -> tensor<32x32xf32>
        scf.yield %d : tensor<32x32xf32>
      } {tile.stages = 2 : i32}
      %s = scf.for %i = %c0 to %m step %c1 iter_args(%in = %r) -> (tensor<32x32xf32>) {
        %k = arith.muli %i, %c32 : index
        tile.copy %B[%k, %c0] to %a : memref<512x33xf16> to memref<32x32xf16, #shared>
        %d = tile.gemm %a, %a, %in : memref<32x32xf16, #shared>, memref<32x32xf16, #shared> -> tensor<32x32xf32>
        scf.yield %d : tensor<32x32xf32>
      } {tile.stages = 2 : i32}
      %x = tile.gemm %a, %a, %s : memref<32x32xf16, #shared>, memref<32x32xf16, #shared> -> tensor<32x32xf32>
      tile.store %x, %O : tensor<32x32xf32>, memref<32x32xf32>
  }
  return
}
