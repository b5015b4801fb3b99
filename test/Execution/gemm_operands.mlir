// Every pair of operand types and its results, both operands transposed and not, in
// shared memory and in fragments, with and without an accumulator; 40 x 24 is no
// multiple of an instruction's tile; one to eight warps. Small integers, so that every
// order of summation gives the same, and nothing is tolerated.
// DEFINE: %{left} =
// DEFINE: %{right} =
// DEFINE: %{sum} =
// DEFINE: %{depth} =
// DEFINE: %{threads} =
// DEFINE: %{how} =
// DEFINE: %{data} = integers(-3,3)
// DEFINE: %{types} = s/LEFT/%{left}/g; s/RIGHT/%{right}/g; s/SUM/%{sum}/g
// DEFINE: %{sizes} = s/DEPTH/%{depth}/g; s/THREADS/%{threads}/g; s/HOW/%{how}/g
// DEFINE: %{run} = sed -e '%{types}; %{sizes}' %s | tile-run - --entry=all --on=emulator --check --rtol=0 --atol=0 --data='%{data}'
// REDEFINE: %{left} = f16
// REDEFINE: %{right} = f16
// REDEFINE: %{sum} = f32
// REDEFINE: %{depth} = 48
// REDEFINE: %{threads} = 128
// REDEFINE: %{how} = warps = #tile.warps<square>
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{left} = bf16
// REDEFINE: %{right} = bf16
// REDEFINE: %{threads} = 96
// REDEFINE: %{how} = warps = #tile.warps<rows>
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{left} = f16
// REDEFINE: %{right} = f16
// REDEFINE: %{sum} = f16
// REDEFINE: %{depth} = 32
// REDEFINE: %{threads} = 64
// REDEFINE: %{how} = warps = #tile.warps<columns>
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{left} = f32
// REDEFINE: %{right} = f32
// REDEFINE: %{sum} = f32
// REDEFINE: %{depth} = 24
// REDEFINE: %{threads} = 192
// REDEFINE: %{how} = precision = #tile.precision<tf32>
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{depth} = 13
// REDEFINE: %{threads} = 256
// REDEFINE: %{how} = precision = #tile.precision<ieee>
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{left} = f64
// REDEFINE: %{right} = f64
// REDEFINE: %{sum} = f64
// REDEFINE: %{depth} = 12
// REDEFINE: %{threads} = 64
// REDEFINE: %{how} = warps = #tile.warps<square>
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{left} = f8E4M3FN
// REDEFINE: %{right} = f8E4M3FN
// REDEFINE: %{sum} = f32
// REDEFINE: %{depth} = 32
// REDEFINE: %{threads} = 32
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{right} = f8E5M2
// REDEFINE: %{depth} = 64
// REDEFINE: %{threads} = 64
// REDEFINE: %{how} = warps = #tile.warps<rows>
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{left} = f8E5M2
// REDEFINE: %{right} = f8E4M3FN
// REDEFINE: %{depth} = 32
// REDEFINE: %{threads} = 128
// REDEFINE: %{how} = warps = #tile.warps<columns>
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{right} = f8E5M2
// REDEFINE: %{depth} = 64
// REDEFINE: %{threads} = 96
// REDEFINE: %{how} = warps = #tile.warps<square>
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{left} = f8E4M3FN
// REDEFINE: %{right} = f8E4M3FN
// REDEFINE: %{sum} = f16
// REDEFINE: %{depth} = 32
// REDEFINE: %{threads} = 256
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{right} = f8E5M2
// REDEFINE: %{threads} = 192
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{left} = f8E5M2
// REDEFINE: %{right} = f8E4M3FN
// REDEFINE: %{depth} = 64
// REDEFINE: %{threads} = 32
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{right} = f8E5M2
// REDEFINE: %{depth} = 32
// REDEFINE: %{threads} = 128
// REDEFINE: %{how} = warps = #tile.warps<rows>
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{left} = i8
// REDEFINE: %{right} = i8
// REDEFINE: %{sum} = i32
// REDEFINE: %{depth} = 64
// REDEFINE: %{how} = warps = #tile.warps<square>
// REDEFINE: %{data} = integers(-128,127)
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{depth} = 32
// REDEFINE: %{threads} = 96
// REDEFINE: %{how} = unsigned_a
// REDEFINE: %{data} = integers(0,255)
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{threads} = 64
// REDEFINE: %{how} = unsigned_b
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{depth} = 64
// REDEFINE: %{threads} = 256
// REDEFINE: %{how} = unsigned_a, unsigned_b
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
#shared = #gpu.address_space<workgroup>

func.func @all(%a: memref<40xDEPTHxLEFT>, %at: memref<DEPTHx40xLEFT>, %b: memref<DEPTHx24xRIGHT>,
    %bt: memref<24xDEPTHxRIGHT>, %c: memref<40x24xSUM>, %o0: memref<4x40x24xSUM>,
    %o1: memref<4x40x24xSUM>,
    %o2: memref<4x40x24xSUM>,
    %o3: memref<4x40x24xSUM>) {
  call @shared_shared(%a, %at, %b, %bt, %c, %o0)
    : (memref<40xDEPTHxLEFT>, memref<DEPTHx40xLEFT>, memref<DEPTHx24xRIGHT>, memref<24xDEPTHxRIGHT>, memref<40x24xSUM>, memref<4x40x24xSUM>) -> ()
  call @shared_fragment(%a, %at, %b, %bt, %c, %o1)
    : (memref<40xDEPTHxLEFT>, memref<DEPTHx40xLEFT>, memref<DEPTHx24xRIGHT>, memref<24xDEPTHxRIGHT>, memref<40x24xSUM>, memref<4x40x24xSUM>) -> ()
  call @fragment_shared(%a, %at, %b, %bt, %c, %o2)
    : (memref<40xDEPTHxLEFT>, memref<DEPTHx40xLEFT>, memref<DEPTHx24xRIGHT>, memref<24xDEPTHxRIGHT>, memref<40x24xSUM>, memref<4x40x24xSUM>) -> ()
  call @fragment_fragment(%a, %at, %b, %bt, %c, %o3)
    : (memref<40xDEPTHxLEFT>, memref<DEPTHx40xLEFT>, memref<DEPTHx24xRIGHT>, memref<24xDEPTHxRIGHT>, memref<40x24xSUM>, memref<4x40x24xSUM>) -> ()
  return
}

func.func private @shared_shared(%a: memref<40xDEPTHxLEFT>, %at: memref<DEPTHx40xLEFT>, %b: memref<DEPTHx24xRIGHT>,
    %bt: memref<24xDEPTHxRIGHT>, %c: memref<40x24xSUM>, %o: memref<4x40x24xSUM>) {
  %g = arith.constant 1 : index
  tile.launch blocks(%block) in (%g) threads(THREADS) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %as = tile.alloc : memref<40xDEPTHxLEFT, #shared>
    tile.copy %a to %as : memref<40xDEPTHxLEFT> to memref<40xDEPTHxLEFT, #shared>
    %ats = tile.alloc : memref<DEPTHx40xLEFT, #shared>
    tile.copy %at to %ats : memref<DEPTHx40xLEFT> to memref<DEPTHx40xLEFT, #shared>
    %bs = tile.alloc : memref<DEPTHx24xRIGHT, #shared>
    tile.copy %b to %bs : memref<DEPTHx24xRIGHT> to memref<DEPTHx24xRIGHT, #shared>
    %bts = tile.alloc : memref<24xDEPTHxRIGHT, #shared>
    tile.copy %bt to %bts : memref<24xDEPTHxRIGHT> to memref<24xDEPTHxRIGHT, #shared>
    %init = tile.load %c : memref<40x24xSUM> -> tensor<40x24xSUM>
    %d0 = tile.gemm %as, %bs {HOW} : memref<40xDEPTHxLEFT, #shared>, memref<DEPTHx24xRIGHT, #shared> -> tensor<40x24xSUM>
    tile.store %d0, %o[%c0, %c0, %c0] [1, 40, 24] : tensor<40x24xSUM>, memref<4x40x24xSUM>
    %d1 = tile.gemm %ats, %bs, %init {transpose_a, HOW} : memref<DEPTHx40xLEFT, #shared>, memref<DEPTHx24xRIGHT, #shared> -> tensor<40x24xSUM>
    tile.store %d1, %o[%c1, %c0, %c0] [1, 40, 24] : tensor<40x24xSUM>, memref<4x40x24xSUM>
    %d2 = tile.gemm %as, %bts, %init {transpose_b, HOW} : memref<40xDEPTHxLEFT, #shared>, memref<24xDEPTHxRIGHT, #shared> -> tensor<40x24xSUM>
    tile.store %d2, %o[%c2, %c0, %c0] [1, 40, 24] : tensor<40x24xSUM>, memref<4x40x24xSUM>
    %d3 = tile.gemm %ats, %bts {transpose_a, transpose_b, HOW} : memref<DEPTHx40xLEFT, #shared>, memref<24xDEPTHxRIGHT, #shared> -> tensor<40x24xSUM>
    tile.store %d3, %o[%c3, %c0, %c0] [1, 40, 24] : tensor<40x24xSUM>, memref<4x40x24xSUM>
  }
  return
}

func.func private @shared_fragment(%a: memref<40xDEPTHxLEFT>, %at: memref<DEPTHx40xLEFT>, %b: memref<DEPTHx24xRIGHT>,
    %bt: memref<24xDEPTHxRIGHT>, %c: memref<40x24xSUM>, %o: memref<4x40x24xSUM>) {
  %g = arith.constant 1 : index
  tile.launch blocks(%block) in (%g) threads(THREADS) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %as = tile.alloc : memref<40xDEPTHxLEFT, #shared>
    tile.copy %a to %as : memref<40xDEPTHxLEFT> to memref<40xDEPTHxLEFT, #shared>
    %ats = tile.alloc : memref<DEPTHx40xLEFT, #shared>
    tile.copy %at to %ats : memref<DEPTHx40xLEFT> to memref<DEPTHx40xLEFT, #shared>
    %bs = tile.load %b : memref<DEPTHx24xRIGHT> -> tensor<DEPTHx24xRIGHT>
    %bts = tile.load %bt : memref<24xDEPTHxRIGHT> -> tensor<24xDEPTHxRIGHT>
    %init = tile.load %c : memref<40x24xSUM> -> tensor<40x24xSUM>
    %d0 = tile.gemm %as, %bs {HOW} : memref<40xDEPTHxLEFT, #shared>, tensor<DEPTHx24xRIGHT> -> tensor<40x24xSUM>
    tile.store %d0, %o[%c0, %c0, %c0] [1, 40, 24] : tensor<40x24xSUM>, memref<4x40x24xSUM>
    %d1 = tile.gemm %ats, %bs, %init {transpose_a, HOW} : memref<DEPTHx40xLEFT, #shared>, tensor<DEPTHx24xRIGHT> -> tensor<40x24xSUM>
    tile.store %d1, %o[%c1, %c0, %c0] [1, 40, 24] : tensor<40x24xSUM>, memref<4x40x24xSUM>
    %d2 = tile.gemm %as, %bts, %init {transpose_b, HOW} : memref<40xDEPTHxLEFT, #shared>, tensor<24xDEPTHxRIGHT> -> tensor<40x24xSUM>
    tile.store %d2, %o[%c2, %c0, %c0] [1, 40, 24] : tensor<40x24xSUM>, memref<4x40x24xSUM>
    %d3 = tile.gemm %ats, %bts {transpose_a, transpose_b, HOW} : memref<DEPTHx40xLEFT, #shared>, tensor<24xDEPTHxRIGHT> -> tensor<40x24xSUM>
    tile.store %d3, %o[%c3, %c0, %c0] [1, 40, 24] : tensor<40x24xSUM>, memref<4x40x24xSUM>
  }
  return
}

func.func private @fragment_shared(%a: memref<40xDEPTHxLEFT>, %at: memref<DEPTHx40xLEFT>, %b: memref<DEPTHx24xRIGHT>,
    %bt: memref<24xDEPTHxRIGHT>, %c: memref<40x24xSUM>, %o: memref<4x40x24xSUM>) {
  %g = arith.constant 1 : index
  tile.launch blocks(%block) in (%g) threads(THREADS) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %as = tile.load %a : memref<40xDEPTHxLEFT> -> tensor<40xDEPTHxLEFT>
    %ats = tile.load %at : memref<DEPTHx40xLEFT> -> tensor<DEPTHx40xLEFT>
    %bs = tile.alloc : memref<DEPTHx24xRIGHT, #shared>
    tile.copy %b to %bs : memref<DEPTHx24xRIGHT> to memref<DEPTHx24xRIGHT, #shared>
    %bts = tile.alloc : memref<24xDEPTHxRIGHT, #shared>
    tile.copy %bt to %bts : memref<24xDEPTHxRIGHT> to memref<24xDEPTHxRIGHT, #shared>
    %init = tile.load %c : memref<40x24xSUM> -> tensor<40x24xSUM>
    %d0 = tile.gemm %as, %bs {HOW} : tensor<40xDEPTHxLEFT>, memref<DEPTHx24xRIGHT, #shared> -> tensor<40x24xSUM>
    tile.store %d0, %o[%c0, %c0, %c0] [1, 40, 24] : tensor<40x24xSUM>, memref<4x40x24xSUM>
    %d1 = tile.gemm %ats, %bs, %init {transpose_a, HOW} : tensor<DEPTHx40xLEFT>, memref<DEPTHx24xRIGHT, #shared> -> tensor<40x24xSUM>
    tile.store %d1, %o[%c1, %c0, %c0] [1, 40, 24] : tensor<40x24xSUM>, memref<4x40x24xSUM>
    %d2 = tile.gemm %as, %bts, %init {transpose_b, HOW} : tensor<40xDEPTHxLEFT>, memref<24xDEPTHxRIGHT, #shared> -> tensor<40x24xSUM>
    tile.store %d2, %o[%c2, %c0, %c0] [1, 40, 24] : tensor<40x24xSUM>, memref<4x40x24xSUM>
    %d3 = tile.gemm %ats, %bts {transpose_a, transpose_b, HOW} : tensor<DEPTHx40xLEFT>, memref<24xDEPTHxRIGHT, #shared> -> tensor<40x24xSUM>
    tile.store %d3, %o[%c3, %c0, %c0] [1, 40, 24] : tensor<40x24xSUM>, memref<4x40x24xSUM>
  }
  return
}

func.func private @fragment_fragment(%a: memref<40xDEPTHxLEFT>, %at: memref<DEPTHx40xLEFT>, %b: memref<DEPTHx24xRIGHT>,
    %bt: memref<24xDEPTHxRIGHT>, %c: memref<40x24xSUM>, %o: memref<4x40x24xSUM>) {
  %g = arith.constant 1 : index
  tile.launch blocks(%block) in (%g) threads(THREADS) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %as = tile.load %a : memref<40xDEPTHxLEFT> -> tensor<40xDEPTHxLEFT>
    %ats = tile.load %at : memref<DEPTHx40xLEFT> -> tensor<DEPTHx40xLEFT>
    %bs = tile.load %b : memref<DEPTHx24xRIGHT> -> tensor<DEPTHx24xRIGHT>
    %bts = tile.load %bt : memref<24xDEPTHxRIGHT> -> tensor<24xDEPTHxRIGHT>
    %init = tile.load %c : memref<40x24xSUM> -> tensor<40x24xSUM>
    %d0 = tile.gemm %as, %bs {HOW} : tensor<40xDEPTHxLEFT>, tensor<DEPTHx24xRIGHT> -> tensor<40x24xSUM>
    tile.store %d0, %o[%c0, %c0, %c0] [1, 40, 24] : tensor<40x24xSUM>, memref<4x40x24xSUM>
    %d1 = tile.gemm %ats, %bs, %init {transpose_a, HOW} : tensor<DEPTHx40xLEFT>, tensor<DEPTHx24xRIGHT> -> tensor<40x24xSUM>
    tile.store %d1, %o[%c1, %c0, %c0] [1, 40, 24] : tensor<40x24xSUM>, memref<4x40x24xSUM>
    %d2 = tile.gemm %as, %bts, %init {transpose_b, HOW} : tensor<40xDEPTHxLEFT>, tensor<24xDEPTHxRIGHT> -> tensor<40x24xSUM>
    tile.store %d2, %o[%c2, %c0, %c0] [1, 40, 24] : tensor<40x24xSUM>, memref<4x40x24xSUM>
    %d3 = tile.gemm %ats, %bts {transpose_a, transpose_b, HOW} : tensor<DEPTHx40xLEFT>, tensor<24xDEPTHxRIGHT> -> tensor<40x24xSUM>
    tile.store %d3, %o[%c3, %c0, %c0] [1, 40, 24] : tensor<40x24xSUM>, memref<4x40x24xSUM>
  }
  return
}
