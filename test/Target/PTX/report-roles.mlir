// What the report says of a loop with a producer: its reason is how it is pipelined.
// That roles meet before they part is no barrier of the loop, and it is needed though
// the consumers meet again, behind it, before they touch the first slot. The result, whose
// rows no tensor map describes, is stored by threads.
// RUN: tile-opt %s --emit=report --chip=sm_90a | FileCheck %s

// CHECK: consumer 2 warps, producer 1 warp
// CHECK: {{^}}  loops{{$}}
// CHECK-NEXT: 3 stages: Pipelined: 3 stages, 1 copies run ahead
// CHECK-NOT: Barrier
// CHECK: prologue
// CHECK: {{^}}  remarks{{$}}
// CHECK: :[[#@LINE+13]]:{{.*}}: Barrier: the block meets before its roles part, so that each sees the words of the rings
// CHECK-NOT: redundant
#shared = #gpu.address_space<workgroup>
func.func @main(%A: memref<32x512xf16>, %B: memref<512x32xf16>, %O: memref<32x33xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @kernel blocks(%bx) in (%c1) threads(64) {
    %c0 = arith.constant 0 : index
    %c31 = arith.constant 31 : index
    %c32 = arith.constant 32 : index
    %c512 = arith.constant 512 : index
    %zero = arith.constant dense<0.0> : tensor<32x32xf32>
    %a = tile.alloc : memref<32x32xf16, #shared>
    %b = tile.alloc : memref<32x32xf16, #shared>
    %r = scf.for %k = %c0 to %c512 step %c32 iter_args(%acc = %zero) -> (tensor<32x32xf32>) {
      tile.copy %B[%k, %c0] to %b : memref<512x32xf16> to memref<32x32xf16, #shared>
      tile.parallel (%u, %v) in (32, 32) {
        %col = arith.addi %k, %v : index
        %x = memref.load %A[%u, %col] : memref<32x512xf16>
        %other = arith.subi %c31, %v : index
        memref.store %x, %a[%u, %other] : memref<32x32xf16, #shared>
      }
      %d = tile.gemm %a, %b, %acc : memref<32x32xf16, #shared>, memref<32x32xf16, #shared> -> tensor<32x32xf32>
      scf.yield %d : tensor<32x32xf32>
    } {tile.stages = 3 : i32}
    tile.store %r, %O[%c0, %c0] : tensor<32x32xf32>, memref<32x33xf32>
  }
  return
}
