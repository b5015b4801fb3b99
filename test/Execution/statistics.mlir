// Counts that follow from a kernel's definition.
// RUN: tile-run %s --entry=move --on=emulator --chip=sm_80 --stats=json | FileCheck %s --check-prefix=MOVE
// RUN: tile-run %s --entry=multiply --on=emulator --chip=sm_80 --stats=json | FileCheck %s --check-prefix=MULTIPLY
#shared = #gpu.address_space<workgroup>

// 1024 elements of 4 bytes, 16 bytes a thread: 8 accesses of a warp to read and 8 to
// write; 128 sectors of 32 bytes each way.
// MOVE: "warps": 4
// MOVE: "mma": 0, "ldmatrix": 0, "shared_load": 0, "shared_store": 0, "global_load": 8, "global_store": 8,
// MOVE: "global": {"accesses": 16, "sectors": 256, "ideal_sectors": 256, "bytes": 8192}
// MOVE: "flops": 0
func.func @move(%a: memref<1024xf32>, %b: memref<1024xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %t = tile.load %a : memref<1024xf32> -> tensor<1024xf32>
    tile.store %t, %b : tensor<1024xf32>, memref<1024xf32>
  }
  return
}

// 64 x 64 x 64 by m16n8k16: 4 * 8 * 4 products of 4096 operations. Each of the four
// warps reads two 16 x 16 tiles of either operand for each of four steps.
// MULTIPLY: "warps": 4
// MULTIPLY: "mma": 128, "ldmatrix": 64,
// MULTIPLY: "wavefronts": [[WAVES:[0-9]+]], "ideal_wavefronts": [[WAVES]]
// MULTIPLY: "flops": 524288
func.func @multiply(%A: memref<64x64xf16>, %B: memref<64x64xf16>, %C: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %a = tile.alloc : memref<64x64xf16, #shared>
    %b = tile.alloc : memref<64x64xf16, #shared>
    tile.copy %A to %a : memref<64x64xf16> to memref<64x64xf16, #shared>
    tile.copy %B to %b : memref<64x64xf16> to memref<64x64xf16, #shared>
    %d = tile.gemm %a, %b : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
    tile.store %d, %C : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}
