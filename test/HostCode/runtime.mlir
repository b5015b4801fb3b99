// The runtime by itself: what an application may do wrong, threads, streams, devices that
// change, an object of another version; kernels are loaded once in a context.
// RUN: rm -rf %t && mkdir %t
// RUN: tile-opt %s --emit=object --chip=sm_80 -o %t/runtime.o
// RUN: tile-opt %s --emit=header --chip=sm_80 -o %t/runtime.h
// RUN: %host_cc -std=c99 -D_GNU_SOURCE -pthread -Wall -Wextra -Werror -I%t -I%S/Inputs %S/Inputs/runtime.c %t/runtime.o -ldl %link_tile_rt -o %t/runtime
// RUN: env LD_LIBRARY_PATH=%fake_drivers/current FAKE_CUDA_LOADS=%t/loads %t/runtime | FileCheck %s
// RUN: FileCheck %s --check-prefix=LOADS < %t/loads
// LOADS: sm_80
// LOADS-NOT: sm_80

// CHECK: before: ''
// CHECK: threads: 0 failed, each added once
// CHECK: own stream: 0
// CHECK: its end: 0
// CHECK: added: 2
// CHECK: stream: 4 {{.*}}runtime.mlir:[[@LINE+12]]:3: CUDA cannot launch the kernel: CUDA_ERROR_INVALID_HANDLE
// CHECK: address: 5 tileRtAllocate: address is null
// CHECK: release: 4 CUDA cannot free a buffer: CUDA_ERROR_INVALID_VALUE
// CHECK: copy: 4 CUDA cannot copy 8192 bytes back: CUDA_ERROR_INVALID_VALUE
// CHECK: memory: 4 CUDA cannot allocate 1099511627776 bytes, with {{[0-9]+}} of {{[0-9]+}} free: CUDA_ERROR_OUT_OF_MEMORY
// CHECK: version: 5 the object was compiled for version 1000 of the runtime, and this is version 2: compile it again, or link the runtime of its compiler
// CHECK: device: 5 there is no device 7: TILE_RT_CUDA and TILE_RT_EMULATOR are known
func.func @add(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %blocks = arith.ceildivui %n, %c32 : index
  tile.launch @add_kernel blocks(%b) in (%blocks) threads(32) {
    %i = arith.muli %b, %c32 : index
    %one = arith.constant dense<1.0> : tensor<32xf32>
    %t = tile.load %x[%i] : memref<?xf32> -> tensor<32xf32>
    %s = arith.addf %t, %one : tensor<32xf32>
    tile.store %s, %x[%i] : tensor<32xf32>, memref<?xf32>
  }
  return
}
// CHECK: fact: 2 here: kernel 'k': extent 0 of the grid is 4294967296, more than the 2147483647 that CUDA takes in x
// CHECK: fact: 2 here: kernel 'k': extent 0 of the block is 2048, more than the 1024 that CUDA takes in x
// CHECK: fact: 1 here: kernel 'k' is compiled for an operand 0 that begins at a multiple of 16 bytes, and it begins at address 0x1008
// CHECK: fact: 1 here: kernel 'k' is compiled for an operand 0 whose size of dimension 1 is divisible by 8, and it is 12
// CHECK: fact: 1 here: kernel 'k' is compiled for an operand 0 whose stride of dimension 0 is divisible by 8, and it is 20
// CHECK: fact: 1 here: kernel 'k' is compiled for an operand 0 whose innermost stride is 1, and it is 2
// CHECK: fact: 1 here: kernel 'k' is compiled for an operand 1 that is divisible by 4, and it is 6
// CHECK: fact: 1 here: kernel 'k' is compiled for an operand 1 from 0 to 100, and it is 104
// CHECK: fact: 1 here: kernel 'k': a tensor map needs an address that is a multiple of 16 bytes, and buffer 'operand 2' with its offset of 8 bytes is at 4104; align the view
// CHECK: fact: 1 here: kernel 'k': a tensor map describes at most 2147483647 elements along a dimension, and there are 2147483648 along dimension 1
// CHECK: fact: 1 here: kernel 'k': a tensor map needs strides that are multiples of 16 bytes below 2^40, and that of dimension 0 is 40 bytes
// CHECK: fact: 1 here: kernel 'k': a tensor map needs dimensions that lie in each other, and the stride of dimension 0, 16 bytes, is less than the 32 bytes
// CHECK: fact: 1 here: kernel 'k': a tensor map needs an innermost stride of 1, and it is 2
// CHECK: fact: 1 here: kernel 'k' is given an operand 0 whose dimension 1 has size -12, below zero
// CHECK: fact: 1 here: kernel 'k': a tensor map describes elements up to the last address of 64 bits, and buffer 'operand 2' has some beyond it
// The other device has memory of its own, and checks what the first one cannot.
// CHECK: emulator: 0
// CHECK: unwritten: 4 {{.*}}runtime.mlir:{{[0-9]+}}:3: kernel 'add_kernel' failed on the emulator
// CHECK: uninitiali
// CHECK: assertion: 4 {{.*}}runtime.mlir:[[@LINE+4]]:3: kernel 'small_only' failed on the emulator
// CHECK-NEXT: error: trap: assertion failed: fewer than a thousand
func.func @smallOnly(%x: memref<?xf32> {tile.may_alias}, %n: index) {
  %c1 = arith.constant 1 : index
  tile.launch @small_only blocks(%b) in (%c1) threads(32) {
    %c1000 = arith.constant 1000 : index
    %c0 = arith.constant 0 : index
    %few = arith.cmpi slt, %n, %c1000 : index
    tile.assert %few, "fewer than a thousand"
    %one = arith.constant 1.0 : f32
    memref.store %one, %x[%c0] : memref<?xf32>
  }
  return
}
// CHECK: release there: 4 the emulator cannot free a buffer: 0x{{[0-9a-f]+}} {{.*}}
// CHECK: read there: 4 the emulator cannot read 4 bytes: 0x8
// CHECK: memory there: 4 an allocation of {{[0-9]+}} bytes on the emulator needs {{[0-9]+}} bytes of memory, more than the {{[0-9]+}} that are available
