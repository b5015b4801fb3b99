// What a tensor map cannot describe is said at the launch, with both numbers and
// what to do; a memref without elements is described all the same.
// DEFINE: %{cuda} = env LD_LIBRARY_PATH=%fake_drivers/current tile-run
// RUN: tile-run %s --entry=part --on=emulator --shape=0:12x128 --scalar=1:8 --scalar=2:128 --scalar=3:4
// RUN: %{cuda} %s --entry=part --on=cuda --shape=0:12x128 --scalar=1:8 --scalar=2:128 --scalar=3:4
// RUN: tile-run %s --entry=part --on=emulator --shape=0:12x128 --scalar=1:8 --scalar=2:128 --scalar=3:0
// RUN: %{cuda} %s --entry=part --on=cuda --shape=0:12x128 --scalar=1:8 --scalar=2:128 --scalar=3:0
// The stride of a dimension of size 1 leads nowhere.
// RUN: tile-run %s --entry=part --on=emulator --shape=0:12x128 --scalar=1:8 --scalar=2:3 --scalar=3:1
// RUN: not tile-run %s --entry=part --on=emulator --shape=0:12x128 --scalar=1:9 --scalar=2:128 --scalar=3:4 2>&1 | FileCheck %s --check-prefix=ADDRESS
// RUN: not %{cuda} %s --entry=part --on=cuda --shape=0:12x128 --scalar=1:9 --scalar=2:128 --scalar=3:4 2>&1 | FileCheck %s --check-prefix=ADDRESS
// RUN: not tile-run %s --entry=part --on=emulator --shape=0:12x128 --scalar=1:8 --scalar=2:127 --scalar=3:4 2>&1 | FileCheck %s --check-prefix=STRIDE
// RUN: not tile-run %s --entry=part --on=emulator --shape=0:12x128 --scalar=1:8 --scalar=2:32 --scalar=3:4 2>&1 | FileCheck %s --check-prefix=NESTED
// RUN: tile-run %s --entry=image --on=emulator --shape=0:3x5x6x16
// RUN: %{cuda} %s --entry=image --on=cuda --shape=0:3x5x6x16
// RUN: tile-run %s --entry=image --on=emulator --shape=0:3x2x6x16
// RUN: %{cuda} %s --entry=image --on=cuda --shape=0:0x5x6x16
// RUN: not tile-run %s --entry=image --on=emulator --shape=0:3x5x6x12 2>&1 | FileCheck %s --check-prefix=IMAGE
// RUN: not %{cuda} %s --entry=image --on=cuda --shape=0:3x5x6x12 2>&1 | FileCheck %s --check-prefix=IMAGE
// RUN: not tile-run %s --entry=columns --on=emulator --shape=0:12x128 2>&1 | FileCheck %s --check-prefix=INNERMOST

module attributes {gpu.container_module} {

gpu.binary @kernels [#gpu.object<#nvvm.target<chip = "sm_90a">, assembly = ".version 8.0\0A.target sm_90a\0A.address_size 64\0A.visible .entry k(.param .align 64 .b8 map[128])\0A{\0Aret;\0A}\0A">]

// ADDRESS: error: 'tile.encode_tensor_map' op needs an address that is a multiple of 16 bytes, and buffer {{.*}} with its offset of 18 bytes is at {{[0-9]+}}; align the view, or the allocation by 'tile.align'
// STRIDE: error: 'tile.encode_tensor_map' op needs strides that are multiples of 16 bytes below 2^40, and that of dimension 0 is 254 bytes; pad the rows of the memref
// NESTED: error: 'tile.encode_tensor_map' op needs dimensions that lie in each other, and the stride of dimension 0, 64 bytes, is less than the 128 bytes of the dimensions inside of it; write them in the order of their strides, outermost first
func.func @part(%a: memref<?x?xf16>, %offset: index, %stride: index, %rows: index) {
  %c1 = arith.constant 1 : index
  %v = memref.reinterpret_cast %a to offset: [%offset], sizes: [%rows, 64], strides: [%stride, 1] : memref<?x?xf16> to memref<?x64xf16, strided<[?, 1], offset: ?>>
  %m = tile.encode_tensor_map %v box [16, 64] swizzle 128 : memref<?x64xf16, strided<[?, 1], offset: ?>>
  gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%m : !tile.tensor_map)
  return
}

// An image in which the kernel has no place is zeros.
// IMAGE: error: 'tile.encode_tensor_map' op needs strides that are multiples of 16 bytes below 2^40, and that of dimension 2 is 24 bytes; pad the rows of the memref
func.func @image(%a: memref<?x?x?x?xf16>) {
  %c1 = arith.constant 1 : index
  %m = tile.encode_tensor_map %a im2col lower [0, -1] upper [-2, -1] strides [2, 1] box [64, 16] swizzle 32 : memref<?x?x?x?xf16>
  gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%m : !tile.tensor_map)
  return
}

// INNERMOST: error: 'tile.encode_tensor_map' op needs an innermost stride of 1, and it is 2; copy the memref to one whose rows lie together
func.func @columns(%a: memref<?x?xf16>) {
  %c1 = arith.constant 1 : index
  %v = memref.reinterpret_cast %a to offset: [0], sizes: [4, 64], strides: [128, 2] : memref<?x?xf16> to memref<4x64xf16, strided<[128, 2]>>
  %m = tile.encode_tensor_map %v box [16, 64] swizzle 128 : memref<4x64xf16, strided<[128, 2]>>
  gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%m : !tile.tensor_map)
  return
}

}
