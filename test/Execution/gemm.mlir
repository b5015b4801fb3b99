// Matrix products: element types, transposed operands, fragments and shared memory,
// sizes that divide the instruction's tile and that do not, 1 to 8 warps.
// RUN: tile-run %s --entry=f16_nn --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=f16_nn --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=f16_nn --on=emulator --chip=sm_90a --check --data=integers
// RUN: tile-run %s --entry=f16_nn --on=emulator --chip=sm_80 --check --data=integers
// RUN: tile-run %s --entry=f16_tt --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=f16_tt --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=bf16_nt --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=bf16_nt --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=f16_acc --on=emulator --chip=sm_80 --check --data=integers
// RUN: tile-run %s --entry=f16_acc --on=emulator --chip=sm_90a --check --data=integers
// RUN: tile-run %s --entry=tf32 --on=emulator --chip=sm_80 --check --data=integers
// RUN: tile-run %s --entry=tf32 --on=emulator --chip=sm_90a --check --data=integers
// RUN: tile-run %s --entry=ieee --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=ieee --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=f64 --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=f64 --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=i8 --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=i8 --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=i8_unsigned --on=emulator --chip=sm_90a --check --data=integers(0,255)
// RUN: tile-run %s --entry=i8_unsigned --on=emulator --chip=sm_80 --check --data=integers(0,255)
// RUN: tile-run %s --entry=fragments --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=fragments --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=chained --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=chained --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=odd_sizes --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=odd_sizes --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=one_warp --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=one_warp --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=three_warps --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=three_warps --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=eight_warps --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=eight_warps --on=emulator --chip=sm_80 --check
#shared = #gpu.address_space<workgroup>

func.func @f16_nn(%A: memref<64x64xf16>, %B: memref<64x64xf16>, %C: memref<64x64xf32>) {
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

func.func @f16_tt(%A: memref<32x64xf16>, %B: memref<48x32xf16>, %C: memref<64x48xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %a = tile.alloc : memref<32x64xf16, #shared>
    %b = tile.alloc : memref<48x32xf16, #shared>
    tile.copy %A to %a : memref<32x64xf16> to memref<32x64xf16, #shared>
    tile.copy %B to %b : memref<48x32xf16> to memref<48x32xf16, #shared>
    %d = tile.gemm %a, %b {transpose_a, transpose_b} : memref<32x64xf16, #shared>, memref<48x32xf16, #shared> -> tensor<64x48xf32>
    tile.store %d, %C : tensor<64x48xf32>, memref<64x48xf32>
  }
  return
}

func.func @bf16_nt(%A: memref<32x64xbf16>, %B: memref<40x64xbf16>, %C: memref<32x40xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %a = tile.alloc : memref<32x64xbf16, #shared>
    %b = tile.alloc : memref<40x64xbf16, #shared>
    tile.copy %A to %a : memref<32x64xbf16> to memref<32x64xbf16, #shared>
    tile.copy %B to %b : memref<40x64xbf16> to memref<40x64xbf16, #shared>
    %d = tile.gemm %a, %b {transpose_b} : memref<32x64xbf16, #shared>, memref<40x64xbf16, #shared> -> tensor<32x40xf32>
    tile.store %d, %C : tensor<32x40xf32>, memref<32x40xf32>
  }
  return
}

func.func @f16_acc(%A: memref<32x32xf16>, %B: memref<32x32xf16>, %C: memref<32x32xf16>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %a = tile.alloc : memref<32x32xf16, #shared>
    %b = tile.alloc : memref<32x32xf16, #shared>
    tile.copy %A to %a : memref<32x32xf16> to memref<32x32xf16, #shared>
    tile.copy %B to %b : memref<32x32xf16> to memref<32x32xf16, #shared>
    %d = tile.gemm %a, %b : memref<32x32xf16, #shared>, memref<32x32xf16, #shared> -> tensor<32x32xf16>
    tile.store %d, %C : tensor<32x32xf16>, memref<32x32xf16>
  }
  return
}

func.func @tf32(%A: memref<32x24xf32>, %B: memref<24x32xf32>, %C: memref<32x32xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %a = tile.alloc : memref<32x24xf32, #shared>
    %b = tile.alloc : memref<24x32xf32, #shared>
    tile.copy %A to %a : memref<32x24xf32> to memref<32x24xf32, #shared>
    tile.copy %B to %b : memref<24x32xf32> to memref<24x32xf32, #shared>
    %d = tile.gemm %a, %b {precision = #tile.precision<tf32>} : memref<32x24xf32, #shared>, memref<24x32xf32, #shared> -> tensor<32x32xf32>
    tile.store %d, %C : tensor<32x32xf32>, memref<32x32xf32>
  }
  return
}

func.func @ieee(%A: memref<24x17xf32>, %B: memref<17x16xf32>, %C: memref<24x16xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %a = tile.load %A : memref<24x17xf32> -> tensor<24x17xf32>
    %b = tile.alloc : memref<17x16xf32, #shared>
    tile.copy %B to %b : memref<17x16xf32> to memref<17x16xf32, #shared>
    %c = tile.load %C : memref<24x16xf32> -> tensor<24x16xf32>
    %d = tile.gemm %a, %b, %c : tensor<24x17xf32>, memref<17x16xf32, #shared> -> tensor<24x16xf32>
    tile.store %d, %C : tensor<24x16xf32>, memref<24x16xf32>
  }
  return
}

func.func @f64(%A: memref<16x12xf64>, %B: memref<12x24xf64>, %C: memref<16x24xf64>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %a = tile.alloc : memref<16x12xf64, #shared>
    %b = tile.alloc : memref<12x24xf64, #shared>
    tile.copy %A to %a : memref<16x12xf64> to memref<16x12xf64, #shared>
    tile.copy %B to %b : memref<12x24xf64> to memref<12x24xf64, #shared>
    %d = tile.gemm %a, %b : memref<16x12xf64, #shared>, memref<12x24xf64, #shared> -> tensor<16x24xf64>
    tile.store %d, %C : tensor<16x24xf64>, memref<16x24xf64>
  }
  return
}

func.func @i8(%A: memref<32x64xi8>, %B: memref<64x32xi8>, %C: memref<32x32xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %a = tile.alloc : memref<32x64xi8, #shared>
    %b = tile.alloc : memref<64x32xi8, #shared>
    tile.copy %A to %a : memref<32x64xi8> to memref<32x64xi8, #shared>
    tile.copy %B to %b : memref<64x32xi8> to memref<64x32xi8, #shared>
    %d = tile.gemm %a, %b : memref<32x64xi8, #shared>, memref<64x32xi8, #shared> -> tensor<32x32xi32>
    tile.store %d, %C : tensor<32x32xi32>, memref<32x32xi32>
  }
  return
}

func.func @i8_unsigned(%A: memref<32x32xi8>, %B: memref<32x32xi8>, %C: memref<32x32xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %a = tile.alloc : memref<32x32xi8, #shared>
    %b = tile.alloc : memref<32x32xi8, #shared>
    tile.copy %A to %a : memref<32x32xi8> to memref<32x32xi8, #shared>
    tile.copy %B to %b : memref<32x32xi8> to memref<32x32xi8, #shared>
    %d = tile.gemm %a, %b {transpose_b, unsigned_a} : memref<32x32xi8, #shared>, memref<32x32xi8, #shared> -> tensor<32x32xi32>
    tile.store %d, %C : tensor<32x32xi32>, memref<32x32xi32>
  }
  return
}

func.func @fragments(%A: memref<64x32xf16>, %B: memref<32x32xf16>, %C: memref<64x32xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %a = tile.load %A : memref<64x32xf16> -> tensor<64x32xf16>
    %b = tile.load %B : memref<32x32xf16> -> tensor<32x32xf16>
    %c = tile.load %C : memref<64x32xf32> -> tensor<64x32xf32>
    %d = tile.gemm %a, %b, %c {transpose_b} : tensor<64x32xf16>, tensor<32x32xf16> -> tensor<64x32xf32>
    tile.store %d, %C : tensor<64x32xf32>, memref<64x32xf32>
  }
  return
}

// The result of one product is operand a of the next, as in attention.
func.func @chained(%A: memref<64x32xf16>, %B: memref<32x64xf16>, %D: memref<64x16xf16>, %C: memref<64x16xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %a = tile.alloc : memref<64x32xf16, #shared>
    %b = tile.alloc : memref<32x64xf16, #shared>
    %d = tile.alloc : memref<64x16xf16, #shared>
    tile.copy %A to %a : memref<64x32xf16> to memref<64x32xf16, #shared>
    tile.copy %B to %b : memref<32x64xf16> to memref<32x64xf16, #shared>
    tile.copy %D to %d : memref<64x16xf16> to memref<64x16xf16, #shared>
    %s = tile.gemm %a, %b : memref<64x32xf16, #shared>, memref<32x64xf16, #shared> -> tensor<64x64xf32>
    %h = arith.truncf %s : tensor<64x64xf32> to tensor<64x64xf16>
    %o = tile.gemm %h, %d : tensor<64x64xf16>, memref<64x16xf16, #shared> -> tensor<64x16xf32>
    tile.store %o, %C : tensor<64x16xf32>, memref<64x16xf32>
  }
  return
}

func.func @odd_sizes(%A: memref<40x48xf16>, %B: memref<48x72xf16>, %C: memref<40x72xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %a = tile.alloc : memref<40x48xf16, #shared>
    %b = tile.alloc : memref<48x72xf16, #shared>
    tile.copy %A to %a : memref<40x48xf16> to memref<40x48xf16, #shared>
    tile.copy %B to %b : memref<48x72xf16> to memref<48x72xf16, #shared>
    %d = tile.gemm %a, %b : memref<40x48xf16, #shared>, memref<48x72xf16, #shared> -> tensor<40x72xf32>
    tile.store %d, %C : tensor<40x72xf32>, memref<40x72xf32>
  }
  return
}

func.func @one_warp(%A: memref<8x16xf16>, %B: memref<16x8xf16>, %C: memref<8x8xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %a = tile.alloc : memref<8x16xf16, #shared>
    %b = tile.alloc : memref<16x8xf16, #shared>
    tile.copy %A to %a : memref<8x16xf16> to memref<8x16xf16, #shared>
    tile.copy %B to %b : memref<16x8xf16> to memref<16x8xf16, #shared>
    %d = tile.gemm %a, %b : memref<8x16xf16, #shared>, memref<16x8xf16, #shared> -> tensor<8x8xf32>
    tile.store %d, %C : tensor<8x8xf32>, memref<8x8xf32>
  }
  return
}

func.func @three_warps(%A: memref<48x32xf16>, %B: memref<32x24xf16>, %C: memref<48x24xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(96) {
    %a = tile.alloc : memref<48x32xf16, #shared>
    %b = tile.alloc : memref<32x24xf16, #shared>
    tile.copy %A to %a : memref<48x32xf16> to memref<48x32xf16, #shared>
    tile.copy %B to %b : memref<32x24xf16> to memref<32x24xf16, #shared>
    %d = tile.gemm %a, %b : memref<48x32xf16, #shared>, memref<32x24xf16, #shared> -> tensor<48x24xf32>
    tile.store %d, %C : tensor<48x24xf32>, memref<48x24xf32>
  }
  return
}

func.func @eight_warps(%A: memref<128x32xf16>, %B: memref<32x128xf16>, %C: memref<128x128xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(256) {
    %a = tile.alloc : memref<128x32xf16, #shared>
    %b = tile.alloc : memref<32x128xf16, #shared>
    tile.copy %A to %a : memref<128x32xf16> to memref<128x32xf16, #shared>
    tile.copy %B to %b : memref<32x128xf16> to memref<32x128xf16, #shared>
    %d = tile.gemm %a, %b : memref<128x32xf16, #shared>, memref<32x128xf16, #shared> -> tensor<128x128xf32>
    tile.store %d, %C : tensor<128x128xf32>, memref<128x128xf32>
  }
  return
}
