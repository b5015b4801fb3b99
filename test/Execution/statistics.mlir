// Counts that follow from a kernel's definition.
// RUN: tile-run %s --entry=move --on=emulator --chip=sm_80 --stats=json | FileCheck %s --check-prefix=MOVE
// RUN: tile-run %s --entry=multiply --on=emulator --chip=sm_80 --stats=json | FileCheck %s --check-prefix=MULTIPLY
// RUN: tile-run %s --entry=sum --on=emulator --chip=sm_80 --stats=json | FileCheck %s --check-prefix=SUM
// RUN: tile-run %s --entry=staged --on=emulator --chip=sm_80 --stats=json | FileCheck %s --check-prefix=STAGED
// RUN: tile-run %s --entry=atomics --on=emulator --chip=sm_80 --stats=json | FileCheck %s --check-prefix=ATOMICS
// RUN: tile-run %s --entry=column --on=emulator --chip=sm_80 --stats=json | FileCheck %s --check-prefix=COLUMN
// RUN: tile-run %s --entry=conflict --on=emulator --chip=sm_80 --stats=json | FileCheck %s --check-prefix=CONFLICT
// RUN: tile-run %s --entry=types --on=emulator --chip=sm_80 --stats=json | FileCheck %s --check-prefix=TYPES
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

// 32 elements over 32 lanes: five steps of a butterfly, each a shuffle and an addition.
// SUM: "warps": 1
// SUM: "shared_load": 0, "shared_store": 0, "global_load": 1, "global_store": 1, "async_copy": 0, "atomic": 0, "shuffle": 5, "barrier": 0,
// SUM: "float": 5,
// SUM: "global": {"accesses": 2, "sectors": 5, "ideal_sectors": 5, "bytes": 132}
func.func @sum(%a: memref<32xf32>, %o: memref<1xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %t = tile.load %a : memref<32xf32> -> tensor<32xf32>
    %s = tile.reduce <add> %t dims [0] : tensor<32xf32> -> tensor<f32>
    %e = tensor.extract %s[] : tensor<f32>
    memref.store %e, %o[%c0] : memref<1xf32>
  }
  return
}

// 4096 bytes there and back, 512 an access: 8 asynchronous copies and a wait of either
// warp, no barrier: each thread moves on what it copied. 16 bytes a lane take four
// wavefronts.
// STAGED: "shared_load": 8, "shared_store": 0, "global_load": 0, "global_store": 8, "async_copy": 10, "atomic": 0, "shuffle": 0, "barrier": 0,
// STAGED: "shared": {"accesses": 16, "wavefronts": 64, "ideal_wavefronts": 64, "bytes": 8192}
// STAGED: "global": {"accesses": 16, "sectors": 256, "ideal_sectors": 256, "bytes": 8192}
func.func @staged(%a: memref<64x32xf16>, %o: memref<64x32xf16>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %s = tile.alloc : memref<64x32xf16, #shared>
    tile.copy %a to %s : memref<64x32xf16> to memref<64x32xf16, #shared>
    tile.copy %s to %o : memref<64x32xf16, #shared> to memref<64x32xf16>
  }
  return
}

// 256 elements of each of three blocks, an atomic for 32 of them.
// ATOMICS: "warps": 6
// ATOMICS: "global_load": 6, "global_store": 0, "async_copy": 0, "atomic": 24,
// ATOMICS: "bytes": 6144}
func.func @atomics(%a: memref<256xi32>, %o: memref<256xi32>) {
  %c3 = arith.constant 3 : index
  tile.launch blocks(%x) in (%c3) threads(64) {
    %c0 = arith.constant 0 : index
    %t = tile.load %a : memref<256xi32> -> tensor<256xi32>
    tile.atomic_rmw addi %t, %o[%c0] : tensor<256xi32>, memref<256xi32>
  }
  return
}

// A column of rows of 256 bytes: a sector for each element; what it becomes is dense.
// COLUMN: "global": {"accesses": 2, "sectors": 36, "ideal_sectors": 8, "bytes": 256}
func.func @column(%a: memref<32x64xf32>, %o: memref<32xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    tile.parallel (%i) in (32) {
      %c5 = arith.constant 5 : index
      %e = memref.load %a[%i, %c5] : memref<32x64xf32>
      memref.store %e, %o[%i] : memref<32xf32>
    }
  }
  return
}

// A column of rows of 128 bytes: all its elements lie in one bank.
// CONFLICT: "shared_load": 1, "shared_store": 1,
// CONFLICT: "shared": {"accesses": 2, "wavefronts": 64, "ideal_wavefronts": 2, "bytes": 256}
func.func @conflict(%o: memref<32xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %s = tile.alloc layout(#tile.shared<[32, 32]>) : memref<32x32xf32, #shared>
    tile.parallel (%i) in (32) {
      %c5 = arith.constant 5 : index
      %f = arith.constant 1.0 : f32
      memref.store %f, %s[%i, %c5] : memref<32x32xf32, #shared>
    }
    tile.parallel (%i) in (32) {
      %c5 = arith.constant 5 : index
      %c31 = arith.constant 31 : index
      %k = arith.subi %c31, %i : index
      %e = memref.load %s[%k, %c5] : memref<32x32xf32, #shared>
      memref.store %e, %o[%i] : memref<32xf32>
    }
  }
  return
}

// 256 elements: a product and a sum of 32 each, a conversion of 32 pairs.
// TYPES: "float": 16, "convert": 4,
// TYPES: "global": {"accesses": 4, "sectors": 48, "ideal_sectors": 48, "bytes": 1536}
func.func @types(%a: memref<256xf32>, %o: memref<256xf16>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %t = tile.load %a : memref<256xf32> -> tensor<256xf32>
    %u = arith.mulf %t, %t : tensor<256xf32>
    %v = arith.addf %u, %t : tensor<256xf32>
    %h = arith.truncf %v : tensor<256xf32> to tensor<256xf16>
    tile.store %h, %o : tensor<256xf16>, memref<256xf16>
  }
  return
}
