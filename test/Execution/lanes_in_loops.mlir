// Barriers behind what some lanes do alone in a loop of known length, which LLVM unrolls:
// all lanes of a warp meet at the same ones (lib/Target/PTX/OptimizeModule.h).
// RUN: tile-run %s --on=emulator --chip=sm_80 --check --shape=0:7x6 --shape=1:7x6 --shape=2:7x6 --shape=3:6 "--data=3:integers(0,6)"
#shared = #gpu.address_space<workgroup>
func.func @stores_of_a_lane(%A: memref<7x?xf32>, %B: memref<?x6xf64, strided<[7, 1], offset: 3>>, %C: memref<7x?xf16>, %rows: memref<?xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(96) {
    %zero = arith.constant dense<0> : tensor<1x6xi32>
    %c0 = arith.constant 0 : index
    %step = arith.constant 1 : index
    %c6 = arith.constant 6 : index
    %c2 = arith.constant 2 : index
    %before = arith.constant -1 : index
    %a = tile.alloc layout(#tile.shared<[1, 6]>) : memref<1x6xf32, #shared>
    %bs = tile.alloc layout(#tile.shared<[1, 6], pad = 3>) : memref<1x6xf64, #shared>
    %cs = tile.alloc : memref<1x6xf16, #shared>
    %sum = scf.for %i = %c0 to %c6 step %step iter_args(%s = %zero) -> (tensor<1x6xi32>) {
      %row = memref.load %rows[%i] : memref<?xi32>
      %r = arith.index_cast %row : i32 to index
      tile.copy %C[%r, %c2] to %cs : memref<7x?xf16> to memref<1x6xf16, #shared>
      tile.copy %A[%i, %before] to %a : memref<7x?xf32> to memref<1x6xf32, #shared>
      tile.copy %B[%i, %before] to %bs : memref<?x6xf64, strided<[7, 1], offset: 3>> to memref<1x6xf64, #shared>
      %x = tile.parallel (%u, %v) in (1, 6) -> (tensor<1x6xf64>) {
        %first = arith.constant 0 : index
        %e = memref.load %bs[%first, %v] : memref<1x6xf64, #shared>
        tile.yield %e : f64
      }
      %xi = arith.fptosi %x : tensor<1x6xf64> to tensor<1x6xi32>
      %s1 = arith.addi %s, %xi : tensor<1x6xi32>
      %y = tile.load %cs : memref<1x6xf16, #shared> -> tensor<1x6xf16>
      %yi = arith.fptosi %y : tensor<1x6xf16> to tensor<1x6xi32>
      %s2 = arith.addi %s1, %yi : tensor<1x6xi32>
      %z = tile.parallel (%u, %v) in (1, 6) -> (tensor<1x6xf32>) {
        %first = arith.constant 0 : index
        %e = memref.load %a[%first, %v] : memref<1x6xf32, #shared>
        tile.yield %e : f32
      }
      %zi = arith.fptosi %z : tensor<1x6xf32> to tensor<1x6xi32>
      %s3 = arith.addi %s2, %zi : tensor<1x6xi32>
      scf.yield %s3 : tensor<1x6xi32>
    } {tile.stages = 1 : i32}
  }
  return
}
