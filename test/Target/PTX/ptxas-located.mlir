// What ptxas refuses is an error at the launch of the kernel that it names: here an
// instruction that the program asks for with fewer registers than it takes.
// REQUIRES: ptxas
// RUN: not tile-opt %s --emit=report --chip=sm_90a 2>&1 | FileCheck %s
// RUN: not tile-opt %s --emit=cubin --chip=sm_90a -o %t.cubin 2>&1 | FileCheck %s
// CHECK: ptxas-located.mlir:[[#@LINE + 7]]:3: error: ptxas failed: {{.*}}Insufficient registers

#shared = #gpu.address_space<workgroup>

func.func @gemm(%A: memref<512x256xf16>, %B: memref<256x384xf16>, %C: memref<512x384xf16>) {
  %gx = arith.constant 3 : index
  %gy = arith.constant 4 : index
  tile.launch @gemm_kernel blocks(%bx, %by) in (%gx, %gy) threads(128) attributes {max_registers = 64} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c128 = arith.constant 128 : index
    %c256 = arith.constant 256 : index
    %row = arith.muli %by, %c128 : index
    %col = arith.muli %bx, %c128 : index
    %As = tile.alloc : memref<128x32xf16, #shared>
    %Bs = tile.alloc : memref<32x128xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<128x128xf32>
    %sum = scf.for %k = %c0 to %c256 step %c32 iter_args(%c = %zero) -> (tensor<128x128xf32>) {
      tile.copy %A[%row, %k] to %As : memref<512x256xf16> to memref<128x32xf16, #shared>
      tile.copy %B[%k, %col] to %Bs : memref<256x384xf16> to memref<32x128xf16, #shared>
      %d = tile.gemm %As, %Bs, %c {instruction = #tile.instruction<"wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16.ss">}
        : memref<128x32xf16, #shared>, memref<32x128xf16, #shared> -> tensor<128x128xf32>
      scf.yield %d : tensor<128x128xf32>
    } {tile.stages = 3 : i32}
    tile.store %sum, %C[%row, %col] : tensor<128x128xf32>, memref<512x384xf16>
  }
  return
}
