// Arguments and launches that are not what the program was compiled for: a status and
// words with both numbers, nothing started; the same on the emulator and through the
// driver.
// RUN: rm -rf %t && mkdir %t
// RUN: tile-opt %s --emit=object --chip=sm_90a -o %t/checks.o
// RUN: tile-opt %s --emit=header --chip=sm_90a -o %t/checks.h
// RUN: %host_cc -std=c99 -Wall -Wextra -Werror -pedantic -I%t -I%S/Inputs %S/Inputs/checks.c %t/checks.o %link_tile_rt -o %t/checks
// RUN: env TILE_RT_DEVICE=emulator %t/checks | FileCheck %s --check-prefixes=CHECK,EMULATOR
// RUN: env LD_LIBRARY_PATH=%fake_drivers/current %t/checks | FileCheck %s --check-prefixes=CHECK,DRIVER
// RUN: env LD_LIBRARY_PATH=%fake_drivers/current FAKE_CUDA_CAPABILITY=80 %t/checks | FileCheck %s --check-prefix=CHIP
// RUN: env LD_LIBRARY_PATH=%fake_drivers/old %t/checks | FileCheck %s --check-prefix=OLD
// RUN: not env LD_LIBRARY_PATH=%fake_drivers/no-driver %t/checks | FileCheck %s --check-prefix=NONE
// RUN: not env TILE_RT_DEVICE=gpu %t/checks | FileCheck %s --check-prefix=UNKNOWN
// CHIP: right: 3 {{.*}}checks.mlir:{{[0-9]+}}:3: CUDA cannot compile the PTX: CUDA_ERROR_NO_BINARY_FOR_GPU ({{.*}}); the .target of the PTX is not this device, of compute capability 8.0
// OLD: right: 3 {{.*}}update the driver
// NONE: tileRtAllocate: status 3: the CUDA driver of this machine has no function {{.*}}; without a GPU, TILE_RT_DEVICE=emulator or tileRtUseDevice runs kernels on the CPU
// UNKNOWN: tileRtAllocate: status 5: TILE_RT_DEVICE=gpu: known are cuda and emulator

func.func private @copy(%a: memref<?x?xf32> {tile.dims = ["M", "N"], tile.divisible = array<i64: 2, 1>}, %o: memref<?x?xf32> {tile.dims = ["M", "N"]}, %rows: index) {
  %c0 = arith.constant 0 : index
  tile.launch @copy_rows blocks(%b) in (%rows) threads(64) {
    %z = arith.constant 0 : index
    %t = tile.load %a[%b, %z] : memref<?x?xf32> -> tensor<1x64xf32>
    tile.store %t, %o[%b, %z] : tensor<1x64xf32>, memref<?x?xf32>
  }
  return
}

func.func @f(%a: memref<?x64xf32> {tile.dims = ["M", ""], tile.divisible = array<i64: 4, 1>},
             %b: memref<?x64xf32, strided<[?, 1], offset: ?>> {tile.dims = ["M", ""], tile.align = 64},
             %c: memref<?x64xf32> {tile.dims = ["M", ""], tile.may_alias},
             %o: memref<?x64xf32> {tile.dims = ["M", ""]}, %n: index) {
  %c2 = arith.constant 2 : index
  %v = tile.assume_divisible %n by 2 : index
  tile.launch @rows blocks(%x) in (%v) threads(64) {
    %z = arith.constant 0 : index
    %t = tile.load %a[%x, %z] : memref<?x64xf32> -> tensor<1x64xf32>
    %u = tile.load %b[%x, %z] : memref<?x64xf32, strided<[?, 1], offset: ?>> -> tensor<1x64xf32>
    %w = arith.addf %t, %u : tensor<1x64xf32>
    tile.store %w, %o[%x, %z] : tensor<1x64xf32>, memref<?x64xf32>
  }
  return
}

// Calls between host functions are checked, too.
func.func @outer(%a: memref<?x64xf32>, %o: memref<?x64xf32>, %n: index) {
  %x = memref.cast %a : memref<?x64xf32> to memref<?x?xf32>
  %y = memref.cast %o : memref<?x64xf32> to memref<?x?xf32>
  call @copy(%x, %y, %n) : (memref<?x?xf32>, memref<?x?xf32>, index) -> ()
  return
}

// A cluster divides its grid.
func.func @clusters(%o: memref<?x64xf32>, %n: index) {
  tile.launch @pairs blocks(%x) in (%n) threads(64) cluster(2) {
    %z = arith.constant 0 : index
    %t = arith.constant dense<1.0> : tensor<1x64xf32>
    tile.store %t, %o[%x, %z] : tensor<1x64xf32>, memref<?x64xf32>
  }
  return
}

func.func private @touch(%o: memref<?xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @touch_kernel blocks(%x) in (%c1) threads(32) {
    %z = arith.constant 0 : index
    %t = arith.constant dense<1.0> : tensor<32xf32>
    tile.store %t, %o[%z] : tensor<32xf32>, memref<?xf32>
  }
  return
}

// Buffers of the program: sizes below zero, beyond memory, freed twice; what is left is
// freed at the end.
func.func @buffers(%n: index, %m: index, %twice: i1) {
  %w = memref.alloc(%n) : memref<?xf32>
  %v = memref.alloc(%m) : memref<?xf32>
  call @touch(%w) : (memref<?xf32>) -> ()
  memref.copy %w, %v : memref<?xf32> to memref<?xf32>
  memref.dealloc %w : memref<?xf32>
  scf.if %twice {
    memref.dealloc %w : memref<?xf32>
  }
  return
}

// CHECK: right: 0
// CHECK: size below zero: 1 argument 'a' of 'f': dimension 0 has size -8, below zero
// CHECK: size of the type: 1 argument 'a' of 'f': dimension 1 has size 63, but its type says 64
// CHECK: divisor: 1 argument 'a' of 'f': dimension 0 has size 10, which tile.divisible says is divisible by 4
// CHECK: name: 1 argument 'b' of 'f': dimension 0 named "M" has size 12, but in argument 'a' it has 8
// CHECK: default alignment: 1 argument 'a' of 'f': begins at address 0x{{[0-9a-f]*}}4, which has to be a multiple of 16
// CHECK: stated alignment: 1 argument 'b' of 'f': begins at address 0x{{[0-9a-f]*}}, which tile.align says is a multiple of 64
// CHECK: null: 1 argument 'a' of 'f': is null, and has 8 x 64 elements
// CHECK: null and empty: 0
// CHECK: overlap: 1 argument 'o' of 'f': overlaps argument 'a'; arguments that overlap carry tile.may_alias
// CHECK: overlap by stride: 1 argument 'o' of 'f': overlaps argument 'b'; arguments that overlap carry tile.may_alias
// CHECK: between rows: 1 argument 'o' of 'f': overlaps argument 'b'
// CHECK: may alias: 0
// CHECK: beyond 64 bits: 1 argument 'a' of 'f': has elements beyond the last address of 64 bits
// CHECK: assumption: 1 {{.*}}checks.mlir:{{[0-9]+}}:8: assumption violated: 7 is not divisible by 2
// CHECK: grid below zero: 2 {{.*}}checks.mlir:{{[0-9]+}}:3: kernel 'rows': extent 0 of the grid is -2, below zero
// CHECK: grid too large: 2 {{.*}}checks.mlir:{{[0-9]+}}:3: kernel 'rows': extent 0 of the grid is 2147483648, more than the 2147483647 that CUDA takes in x
// CHECK: call: 1 argument 'a' of 'copy': dimension 0 has size 5, which tile.divisible says is divisible by 2
// CHECK: aliasing call: 0
// CHECK: cluster: 2 {{.*}}checks.mlir:{{[0-9]+}}:3: kernel 'pairs': extent 0 of the grid is 3, which the cluster's 2 does not divide
// CHECK: buffer below zero: 1 {{.*}}checks.mlir:{{[0-9]+}}:8: a size of the allocation is -1, below zero
// EMULATOR: buffer too large: 4 {{.*}}checks.mlir:{{[0-9]+}}:8: an allocation of 576460752303423488 bytes on the emulator needs {{.*}} bytes of memory, more than the {{[0-9]+}} that are available
// DRIVER: buffer too large: 4 {{.*}}checks.mlir:{{[0-9]+}}:8: CUDA cannot allocate 576460752303423488 bytes, with {{[0-9]+}} of {{[0-9]+}} free: CUDA_ERROR_OUT_OF_MEMORY
// CHECK: buffer beyond 64 bits: 1 {{.*}}checks.mlir:{{[0-9]+}}:8: the allocation has more bytes than 64 bits count
// CHECK: copy: 1 {{.*}}checks.mlir:{{[0-9]+}}:3: copies between memrefs of sizes [64] and [32]
// CHECK: freed twice: 5 {{.*}}checks.mlir:{{[0-9]+}}:5: deallocates a buffer that this call did not allocate, or has deallocated
// CHECK: buffers: 0
// CHECK: error stays: 0 {{.*}}deallocates a buffer
// EMULATOR: kernel: 4 {{.*}}checks.mlir:{{[0-9]+}}:3: kernel 'rows' failed on the emulator
// EMULATOR-NEXT: error: out of bounds: {{.*}}
// EMULATOR: synchronize: 0
// DRIVER: kernel: 0
// DRIVER: synchronize: 4 CUDA cannot run the kernels to their end: CUDA_ERROR_ILLEGAL_ADDRESS ({{.*}}); run the same on the emulator, whose checks name the instruction
