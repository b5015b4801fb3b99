// What a kernel is compiled for is checked at its launch: sizes, strides and the
// start of memrefs, divisors and bounds of scalars.
// RUN: tile-run %s --entry=holds --on=emulator --shape=0:12x16 --scalar=1:-16 --scalar=2:8
// Strides of a memref without elements lead nowhere.
// RUN: tile-run %s --entry=holds --on=emulator --shape=0:0x18 --scalar=1:-16 --scalar=2:0
// RUN: not tile-run %s --entry=holds --on=emulator --shape=0:12x16 --scalar=1:-16 --scalar=2:7 2>&1 | FileCheck %s --check-prefix=START
// RUN: not tile-run %s --entry=holds --on=emulator --shape=0:13x16 --scalar=1:-16 --scalar=2:8 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: not tile-run %s --entry=holds --on=emulator --shape=0:12x18 --scalar=1:-16 --scalar=2:8 2>&1 | FileCheck %s --check-prefix=STRIDE
// RUN: not tile-run %s --entry=holds --on=emulator --shape=0:12x16 --scalar=1:-12 --scalar=2:8 2>&1 | FileCheck %s --check-prefix=DIVISOR
// RUN: not tile-run %s --entry=holds --on=emulator --shape=0:12x16 --scalar=1:64 --scalar=2:8 2>&1 | FileCheck %s --check-prefix=RANGE
// RUN: not tile-run %s --entry=not_contiguous --on=emulator 2>&1 | FileCheck %s --check-prefix=CONTIGUOUS

module attributes {gpu.container_module} {

gpu.binary @kernels [#gpu.object<#nvvm.target<chip = "sm_80">, assembly = ".version 8.0\0A.target sm_80\0A.address_size 64\0A.visible .entry k(.param .u64 m, .param .u64 n0, .param .u64 s0, .param .u64 off, .param .u8 i)\0A{\0Aret;\0A}\0A.visible .entry strided(.param .u64 m, .param .u64 s0)\0A{\0Aret;\0A}\0A">]

// START: error: kernel 'k' is compiled for an operand 0 that begins at a multiple of 16 bytes, and it begins at byte 28 of its buffer
// SIZE: error: kernel 'k' is compiled for an operand 0 whose size of dimension 0 is divisible by 2, and it is 13
// STRIDE: error: kernel 'k' is compiled for an operand 0 whose stride of dimension 0 is divisible by 4, and it is 18
// DIVISOR: error: kernel 'k' is compiled for an operand 1 that is divisible by 8, and it is -12
// RANGE: error: kernel 'k' is compiled for an operand 1 from -16 to 56, and it is 64
func.func @holds(%a: memref<?x?xf32>, %i: i8, %q: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?x?xf32>
  %p = memref.dim %a, %c1 : memref<?x?xf32>
  %v = memref.reinterpret_cast %a to offset: [%q], sizes: [%n, 8], strides: [%p, 1] : memref<?x?xf32> to memref<?x8xf32, strided<[?, 1], offset: ?>>
  gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%v : memref<?x8xf32, strided<[?, 1], offset: ?>>, %i : i8) {tile.operand_facts = [#tile.memref_facts<base_alignment = 16, alignment = 16, sizes = [2, 8], strides = [4, 1], contiguous = true>, #tile.scalar_facts<divisor = 8, min = -16, max = 56>]}
  return
}

// CONTIGUOUS: error: kernel 'strided' is compiled for an operand 0 whose innermost stride is 1, and it is 2
func.func @not_contiguous(%a: memref<8xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %v = memref.reinterpret_cast %a to offset: [0], sizes: [4], strides: [%c2] : memref<8xf32> to memref<4xf32, strided<[?]>>
  gpu.launch_func @kernels::@strided blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%v : memref<4xf32, strided<[?]>>) {tile.operand_facts = [#tile.memref_facts<base_alignment = 16, alignment = 16, sizes = [4], strides = [1], contiguous = true>]}
  return
}
}
