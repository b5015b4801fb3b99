// Sparse products: every pair of operand types and its results, `a`, `meta` and `b` in
// shared memory and in fragments, both matrices transposed and not, with and without
// an accumulator; 40 x 24 is no multiple of an instruction's tile, K is one of a
// register of metadata (128) or not (96). tf32, and f8 where K or the chip does not
// have it, are products of another form. Small integers: nothing is tolerated.
// DEFINE: %{left} =
// DEFINE: %{right} =
// DEFINE: %{sum} =
// DEFINE: %{depth} =
// DEFINE: %{half} =
// DEFINE: %{words} =
// DEFINE: %{threads} =
// DEFINE: %{how} =
// DEFINE: %{data} = integers(-3,3)
// DEFINE: %{sizes} = s/DEPTH/%{depth}/g; s/HALF/%{half}/g; s/WORDS/%{words}/g
// DEFINE: %{types} = s/LEFT/%{left}/g; s/RIGHT/%{right}/g; s/SUM/%{sum}/g
// DEFINE: %{rest} = s/THREADS/%{threads}/g; s/HOW/%{how}/g
// DEFINE: %{run} = sed -e '%{types}; %{sizes}; %{rest}' %s | tile-run - --entry=all --on=emulator --check --rtol=0 --atol=0 --data='%{data}' --data=2:metadata
// REDEFINE: %{left} = f16
// REDEFINE: %{right} = f16
// REDEFINE: %{sum} = f32
// REDEFINE: %{depth} = 128
// REDEFINE: %{half} = 64
// REDEFINE: %{words} = 8
// REDEFINE: %{threads} = 128
// REDEFINE: %{how} = warps = #tile.warps<square>
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_120a
// REDEFINE: %{left} = bf16
// REDEFINE: %{right} = bf16
// REDEFINE: %{depth} = 96
// REDEFINE: %{half} = 48
// REDEFINE: %{words} = 6
// REDEFINE: %{threads} = 96
// REDEFINE: %{how} = warps = #tile.warps<rows>
// RUN: %{run} --chip=sm_90a --seed=2
// REDEFINE: %{left} = f16
// REDEFINE: %{right} = f16
// REDEFINE: %{sum} = f16
// REDEFINE: %{depth} = 32
// REDEFINE: %{half} = 16
// REDEFINE: %{words} = 2
// REDEFINE: %{threads} = 64
// REDEFINE: %{how} = warps = #tile.warps<columns>
// RUN: %{run} --chip=sm_80 --seed=3
// REDEFINE: %{left} = i8
// REDEFINE: %{right} = i8
// REDEFINE: %{sum} = i32
// REDEFINE: %{depth} = 128
// REDEFINE: %{half} = 64
// REDEFINE: %{words} = 8
// REDEFINE: %{threads} = 128
// REDEFINE: %{how} = unsigned_a
// REDEFINE: %{data} = integers(0,255)
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{depth} = 96
// REDEFINE: %{half} = 48
// REDEFINE: %{words} = 6
// REDEFINE: %{threads} = 256
// REDEFINE: %{how} = unsigned_b
// RUN: %{run} --chip=sm_80
// REDEFINE: %{left} = f8E4M3FN
// REDEFINE: %{right} = f8E5M2
// REDEFINE: %{sum} = f32
// REDEFINE: %{depth} = 128
// REDEFINE: %{half} = 64
// REDEFINE: %{words} = 8
// REDEFINE: %{threads} = 64
// REDEFINE: %{how} = warps = #tile.warps<rows>
// REDEFINE: %{data} = integers(-3,3)
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_89
// RUN: %{run} --chip=sm_100a
// REDEFINE: %{depth} = 96
// REDEFINE: %{half} = 48
// REDEFINE: %{words} = 6
// RUN: %{run} --chip=sm_89
// REDEFINE: %{left} = f32
// REDEFINE: %{right} = f32
// REDEFINE: %{sum} = f32
// REDEFINE: %{depth} = 32
// REDEFINE: %{half} = 16
// REDEFINE: %{words} = 2
// REDEFINE: %{how} = precision = #tile.precision<tf32>
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// One fragment of metadata for two grids of warps goes from one to the other.
// RUN: sed -e '%{types}; %{sizes}; %{rest}' %s | tile-run - --entry=two_grids --on=emulator --chip=sm_80 --check --rtol=0 --atol=0 --data='integers(-3,3)' --data=1:metadata
// Zeros name one column twice, which the emulator reports.
// REDEFINE: %{left} = f16
// REDEFINE: %{right} = f16
// REDEFINE: %{depth} = 128
// REDEFINE: %{half} = 64
// REDEFINE: %{words} = 8
// REDEFINE: %{how} = warps = #tile.warps<square>
// RUN: sed -e '%{types}; %{sizes}; %{rest}' %s | not tile-run - --entry=all --on=emulator --chip=sm_120a --data=2:zeros 2>&1 | FileCheck %s
// CHECK: the metadata of row 0, columns 0 to 3, is 0: positions 0 and 0
#shared = #gpu.address_space<workgroup>

func.func @all(%a: memref<40xHALFxLEFT>, %at: memref<HALFx40xLEFT>, %e: memref<40xWORDSxi16>,
    %b: memref<DEPTHx24xRIGHT>, %bt: memref<24xDEPTHxRIGHT>, %c: memref<40x24xSUM>,
    %o: memref<4x40x24xSUM>, %p: memref<4x40x24xSUM>) {
  call @shared(%a, %at, %e, %b, %bt, %c, %o) : (memref<40xHALFxLEFT>, memref<HALFx40xLEFT>, memref<40xWORDSxi16>, memref<DEPTHx24xRIGHT>, memref<24xDEPTHxRIGHT>, memref<40x24xSUM>, memref<4x40x24xSUM>) -> ()
  call @fragments(%a, %at, %e, %b, %bt, %c, %p) : (memref<40xHALFxLEFT>, memref<HALFx40xLEFT>, memref<40xWORDSxi16>, memref<DEPTHx24xRIGHT>, memref<24xDEPTHxRIGHT>, memref<40x24xSUM>, memref<4x40x24xSUM>) -> ()
  return
}

func.func private @shared(%a: memref<40xHALFxLEFT>, %at: memref<HALFx40xLEFT>, %e: memref<40xWORDSxi16>,
    %b: memref<DEPTHx24xRIGHT>, %bt: memref<24xDEPTHxRIGHT>, %c: memref<40x24xSUM>, %o: memref<4x40x24xSUM>) {
  %g = arith.constant 1 : index
  tile.launch blocks(%block) in (%g) threads(THREADS) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %as = tile.alloc : memref<40xHALFxLEFT, #shared>
    tile.copy %a to %as : memref<40xHALFxLEFT> to memref<40xHALFxLEFT, #shared>
    %ats = tile.alloc : memref<HALFx40xLEFT, #shared>
    tile.copy %at to %ats : memref<HALFx40xLEFT> to memref<HALFx40xLEFT, #shared>
    %es = tile.alloc : memref<40xWORDSxi16, #shared>
    tile.copy %e to %es : memref<40xWORDSxi16> to memref<40xWORDSxi16, #shared>
    %bs = tile.alloc : memref<DEPTHx24xRIGHT, #shared>
    tile.copy %b to %bs : memref<DEPTHx24xRIGHT> to memref<DEPTHx24xRIGHT, #shared>
    %bts = tile.alloc : memref<24xDEPTHxRIGHT, #shared>
    tile.copy %bt to %bts : memref<24xDEPTHxRIGHT> to memref<24xDEPTHxRIGHT, #shared>
    %init = tile.load %c : memref<40x24xSUM> -> tensor<40x24xSUM>
    %d0 = tile.gemm_sparse %as, %es, %bs {HOW} : memref<40xHALFxLEFT, #shared>, memref<40xWORDSxi16, #shared>, memref<DEPTHx24xRIGHT, #shared> -> tensor<40x24xSUM>
    tile.store %d0, %o[%c0, %c0, %c0] [1, 40, 24] : tensor<40x24xSUM>, memref<4x40x24xSUM>
    %d1 = tile.gemm_sparse %ats, %es, %bs, %init {transpose_a, HOW} : memref<HALFx40xLEFT, #shared>, memref<40xWORDSxi16, #shared>, memref<DEPTHx24xRIGHT, #shared> -> tensor<40x24xSUM>
    tile.store %d1, %o[%c1, %c0, %c0] [1, 40, 24] : tensor<40x24xSUM>, memref<4x40x24xSUM>
    %d2 = tile.gemm_sparse %as, %es, %bts, %init {transpose_b, HOW} : memref<40xHALFxLEFT, #shared>, memref<40xWORDSxi16, #shared>, memref<24xDEPTHxRIGHT, #shared> -> tensor<40x24xSUM>
    tile.store %d2, %o[%c2, %c0, %c0] [1, 40, 24] : tensor<40x24xSUM>, memref<4x40x24xSUM>
    %ef = tile.load %e : memref<40xWORDSxi16> -> tensor<40xWORDSxi16>
    %d3 = tile.gemm_sparse %ats, %ef, %bts {transpose_a, transpose_b, HOW} : memref<HALFx40xLEFT, #shared>, tensor<40xWORDSxi16>, memref<24xDEPTHxRIGHT, #shared> -> tensor<40x24xSUM>
    tile.store %d3, %o[%c3, %c0, %c0] [1, 40, 24] : tensor<40x24xSUM>, memref<4x40x24xSUM>
  }
  return
}

func.func private @fragments(%a: memref<40xHALFxLEFT>, %at: memref<HALFx40xLEFT>, %e: memref<40xWORDSxi16>,
    %b: memref<DEPTHx24xRIGHT>, %bt: memref<24xDEPTHxRIGHT>, %c: memref<40x24xSUM>, %o: memref<4x40x24xSUM>) {
  %g = arith.constant 1 : index
  tile.launch blocks(%block) in (%g) threads(THREADS) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %as = tile.load %a : memref<40xHALFxLEFT> -> tensor<40xHALFxLEFT>
    %ats = tile.load %at : memref<HALFx40xLEFT> -> tensor<HALFx40xLEFT>
    %ef = tile.load %e : memref<40xWORDSxi16> -> tensor<40xWORDSxi16>
    %bf = tile.load %b : memref<DEPTHx24xRIGHT> -> tensor<DEPTHx24xRIGHT>
    %btf = tile.load %bt : memref<24xDEPTHxRIGHT> -> tensor<24xDEPTHxRIGHT>
    %init = tile.load %c : memref<40x24xSUM> -> tensor<40x24xSUM>
    %d0 = tile.gemm_sparse %as, %ef, %bf {HOW} : tensor<40xHALFxLEFT>, tensor<40xWORDSxi16>, tensor<DEPTHx24xRIGHT> -> tensor<40x24xSUM>
    tile.store %d0, %o[%c0, %c0, %c0] [1, 40, 24] : tensor<40x24xSUM>, memref<4x40x24xSUM>
    %d1 = tile.gemm_sparse %ats, %ef, %btf, %init {transpose_a, transpose_b, HOW} : tensor<HALFx40xLEFT>, tensor<40xWORDSxi16>, tensor<24xDEPTHxRIGHT> -> tensor<40x24xSUM>
    tile.store %d1, %o[%c1, %c0, %c0] [1, 40, 24] : tensor<40x24xSUM>, memref<4x40x24xSUM>
    %es = tile.alloc : memref<40xWORDSxi16, #shared>
    tile.store %ef, %es : tensor<40xWORDSxi16>, memref<40xWORDSxi16, #shared>
    %d2 = tile.gemm_sparse %as, %es, %btf, %init {transpose_b, HOW} : tensor<40xHALFxLEFT>, memref<40xWORDSxi16, #shared>, tensor<24xDEPTHxRIGHT> -> tensor<40x24xSUM>
    tile.store %d2, %o[%c2, %c0, %c0] [1, 40, 24] : tensor<40x24xSUM>, memref<4x40x24xSUM>
    %d3 = tile.gemm_sparse %ats, %es, %bf {transpose_a, HOW} : tensor<HALFx40xLEFT>, memref<40xWORDSxi16, #shared>, tensor<DEPTHx24xRIGHT> -> tensor<40x24xSUM>
    tile.store %d3, %o[%c3, %c0, %c0] [1, 40, 24] : tensor<40x24xSUM>, memref<4x40x24xSUM>
  }
  return
}

func.func @two_grids(%A: memref<64x32xf16>, %E: memref<64x4xi16>, %B: memref<64x64xf16>, %C: memref<64x64xf32>) {
  %g = arith.constant 1 : index
  tile.launch blocks(%block) in (%g) threads(128) {
    %a = tile.load %A : memref<64x32xf16> -> tensor<64x32xf16>
    %e = tile.load %E : memref<64x4xi16> -> tensor<64x4xi16>
    %b = tile.load %B : memref<64x64xf16> -> tensor<64x64xf16>
    %c = tile.gemm_sparse %a, %e, %b {warps = #tile.warps<rows>} : tensor<64x32xf16>, tensor<64x4xi16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %h = arith.truncf %c : tensor<64x64xf32> to tensor<64x64xf16>
    %d = tile.gemm_sparse %a, %e, %h {warps = #tile.warps<columns>} : tensor<64x32xf16>, tensor<64x4xi16>, tensor<64x64xf16> -> tensor<64x64xf32>
    tile.store %d, %C : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}
