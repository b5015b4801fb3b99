// Software pipelining: 1 to 4 stages, trip counts from 0 to beyond the stages, loops in
// sequence and in loops, a buffer that is filled once, starts that are not zero, ragged
// edges. Every case equals the loop as written, at every stage of the compiler.
// RUN: tile-run %s --entry=two_stages --on=emulator --chip=sm_80 --check --scalar=3:0
// RUN: tile-run %s --entry=two_stages --on=emulator --chip=sm_90a --check --scalar=3:0
// RUN: tile-run %s --entry=two_stages --on=emulator --chip=sm_80 --check --scalar=3:1
// RUN: tile-run %s --entry=two_stages --on=emulator --chip=sm_90a --check --scalar=3:1
// RUN: tile-run %s --entry=two_stages --on=emulator --chip=sm_80 --check --scalar=3:2
// RUN: tile-run %s --entry=two_stages --on=emulator --chip=sm_90a --check --scalar=3:2
// RUN: tile-run %s --entry=two_stages --on=emulator --chip=sm_90a --check --scalar=3:5
// RUN: tile-run %s --entry=two_stages --on=emulator --chip=sm_80 --check --scalar=3:5
// RUN: tile-run %s --entry=three_stages --on=emulator --chip=sm_80 --check --scalar=3:0
// RUN: tile-run %s --entry=three_stages --on=emulator --chip=sm_90a --check --scalar=3:0
// RUN: tile-run %s --entry=three_stages --on=emulator --chip=sm_80 --check --scalar=3:1
// RUN: tile-run %s --entry=three_stages --on=emulator --chip=sm_90a --check --scalar=3:1
// RUN: tile-run %s --entry=three_stages --on=emulator --chip=sm_80 --check --scalar=3:2
// RUN: tile-run %s --entry=three_stages --on=emulator --chip=sm_90a --check --scalar=3:2
// RUN: tile-run %s --entry=three_stages --on=emulator --chip=sm_80 --check --scalar=3:3
// RUN: tile-run %s --entry=three_stages --on=emulator --chip=sm_90a --check --scalar=3:3
// RUN: tile-run %s --entry=three_stages --on=emulator --chip=sm_90a --check --scalar=3:7
// RUN: tile-run %s --entry=three_stages --on=emulator --chip=sm_80 --check --scalar=3:7
// RUN: tile-run %s --entry=four_stages --on=emulator --chip=sm_80 --check --scalar=3:2
// RUN: tile-run %s --entry=four_stages --on=emulator --chip=sm_90a --check --scalar=3:2
// RUN: tile-run %s --entry=four_stages --on=emulator --chip=sm_80 --check --scalar=3:4
// RUN: tile-run %s --entry=four_stages --on=emulator --chip=sm_90a --check --scalar=3:4
// RUN: tile-run %s --entry=four_stages --on=emulator --chip=sm_90a --check --scalar=3:8
// RUN: tile-run %s --entry=four_stages --on=emulator --chip=sm_80 --check --scalar=3:8
// RUN: tile-run %s --entry=in_a_loop --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=in_a_loop --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=in_sequence --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=in_sequence --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=filled_once --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=filled_once --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=ragged --on=emulator --chip=sm_80 --check --dim=K:100
// RUN: tile-run %s --entry=ragged --on=emulator --chip=sm_90a --check --dim=K:100
// RUN: tile-run %s --entry=ragged --on=emulator --chip=sm_80 --check --dim=K:0
// RUN: tile-run %s --entry=ragged --on=emulator --chip=sm_90a --check --dim=K:0
// RUN: tile-run %s --entry=writes_its_source --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=writes_its_source --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=four_stages --on=reference --check-stages --chip=sm_80 --scalar=3:5
// RUN: tile-run %s --entry=in_a_loop --on=reference --check-stages --chip=sm_80
#shared = #gpu.address_space<workgroup>

func.func @two_stages(%A: memref<32x256xf16>, %B: memref<256x32xf16>, %C: memref<32x32xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %end = arith.muli %n, %c32 : index
    %zero = arith.constant dense<0.0> : tensor<32x32xf32>
    %r = scf.for %k = %c0 to %end step %c32 iter_args(%acc = %zero) -> (tensor<32x32xf32>) {
      %a = tile.alloc : memref<32x32xf16, #shared>
      %b = tile.alloc : memref<32x32xf16, #shared>
      tile.copy %A[%c0, %k] to %a : memref<32x256xf16> to memref<32x32xf16, #shared>
      tile.copy %B[%k, %c0] to %b : memref<256x32xf16> to memref<32x32xf16, #shared>
      %d = tile.gemm %a, %b, %acc : memref<32x32xf16, #shared>, memref<32x32xf16, #shared> -> tensor<32x32xf32>
      scf.yield %d : tensor<32x32xf32>
    } {tile.stages = 2 : i32}
    tile.store %r, %C : tensor<32x32xf32>, memref<32x32xf32>
  }
  return
}

// Only one of the two operands is read from memory every time.
func.func @three_stages(%A: memref<32x256xf16>, %B: memref<32x32xf16>, %C: memref<32x32xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %end = arith.muli %n, %c32 : index
    %zero = arith.constant dense<0.0> : tensor<32x32xf32>
    %a = tile.alloc : memref<32x32xf16, #shared>
    %b = tile.alloc : memref<32x32xf16, #shared>
    tile.copy %B to %b : memref<32x32xf16> to memref<32x32xf16, #shared>
    %r = scf.for %k = %c0 to %end step %c32 iter_args(%acc = %zero) -> (tensor<32x32xf32>) {
      tile.copy %A[%c0, %k] to %a : memref<32x256xf16> to memref<32x32xf16, #shared>
      %d = tile.gemm %a, %b, %acc : memref<32x32xf16, #shared>, memref<32x32xf16, #shared> -> tensor<32x32xf32>
      scf.yield %d : tensor<32x32xf32>
    } {tile.stages = 3 : i32}
    tile.store %r, %C : tensor<32x32xf32>, memref<32x32xf32>
  }
  return
}

// Reads through fragments, a start that is not zero.
func.func @four_stages(%A: memref<300x64xf32>, %O: memref<64xf32>, %S: memref<64xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    %rows = arith.muli %n, %c16 : index
    %end = arith.addi %rows, %c4 : index
    %zero = arith.constant dense<0.0> : tensor<64xf32>
    %s = tile.alloc : memref<16x64xf32, #shared>
    %r = scf.for %k = %c4 to %end step %c16 iter_args(%acc = %zero) -> (tensor<64xf32>) {
      tile.copy %A[%k, %c0] to %s : memref<300x64xf32> to memref<16x64xf32, #shared>
      %t = tile.load %s : memref<16x64xf32, #shared> -> tensor<16x64xf32>
      %u = tile.reduce <maximumf> %t dims [0] : tensor<16x64xf32> -> tensor<64xf32>
      %v = arith.addf %acc, %u : tensor<64xf32>
      scf.yield %v : tensor<64xf32>
    } {tile.stages = 4 : i32}
    tile.store %r, %O : tensor<64xf32>, memref<64xf32>
  }
  return
}

func.func @in_a_loop(%A: memref<3x32x128xf16>, %C: memref<3x32x32xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c32 = arith.constant 32 : index
    %a = tile.alloc : memref<32x32xf16, #shared>
    scf.for %i = %c0 to %c3 step %one {
      %zero = arith.constant dense<0.0> : tensor<32x32xf32>
      %limit = arith.addi %i, %one : index
      %end = arith.muli %limit, %c32 : index
      %r = scf.for %k = %c0 to %end step %c32 iter_args(%acc = %zero) -> (tensor<32x32xf32>) {
        tile.copy %A[%i, %c0, %k] [1, 32, 32] to %a : memref<3x32x128xf16> to memref<32x32xf16, #shared>
        %d = tile.gemm %a, %a, %acc {transpose_b} : memref<32x32xf16, #shared>, memref<32x32xf16, #shared> -> tensor<32x32xf32>
        scf.yield %d : tensor<32x32xf32>
      } {tile.stages = 3 : i32}
      tile.store %r, %C[%i, %c0, %c0] [1, 32, 32] : tensor<32x32xf32>, memref<3x32x32xf32>
    }
  }
  return
}

// Different stage counts, buffers that can share bytes, scratch in between.
func.func @in_sequence(%A: memref<64x64xf32>, %B: memref<64x64xf32>, %O: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant dense<0.0> : tensor<16x64xf32>
    %a = tile.alloc : memref<16x64xf32, #shared>
    %b = tile.alloc : memref<16x64xf32, #shared>
    %r = scf.for %k = %c0 to %c64 step %c16 iter_args(%acc = %zero) -> (tensor<16x64xf32>) {
      tile.copy %A[%k, %c0] to %a : memref<64x64xf32> to memref<16x64xf32, #shared>
      %t = tile.load %a : memref<16x64xf32, #shared> -> tensor<16x64xf32>
      %u = arith.addf %acc, %t : tensor<16x64xf32>
      scf.yield %u : tensor<16x64xf32>
    } {tile.stages = 2 : i32}
    %max = tile.reduce <maximumf> %r dims [0, 1] : tensor<16x64xf32> -> tensor<f32>
    %m = tensor.extract %max[] : tensor<f32>
    %w = tensor.splat %m : tensor<16x64xf32>
    scf.for %k = %c0 to %c64 step %c16 {
      tile.copy %B[%k, %c0] to %b : memref<64x64xf32> to memref<16x64xf32, #shared>
      %t = tile.load %b : memref<16x64xf32, #shared> -> tensor<16x64xf32>
      %u = arith.mulf %w, %t : tensor<16x64xf32>
      %v = arith.addf %u, %r : tensor<16x64xf32>
      tile.store %v, %O[%k, %c0] : tensor<16x64xf32>, memref<64x64xf32>
    } {tile.stages = 3 : i32}
  }
  return
}

// The second copy depends on a loop-carried value: it keeps its place.
func.func @filled_once(%A: memref<64x32xf32>, %B: memref<64x32xf32>, %O: memref<64x32xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c56 = arith.constant 56 : index
    %c64 = arith.constant 64 : index
    %last = scf.for %k = %c0 to %c64 step %c8 iter_args(%row = %c56) -> (index) {
      %a = tile.alloc : memref<8x32xf32, #shared>
      %b = tile.alloc : memref<8x32xf32, #shared>
      tile.copy %A[%k, %c0] to %a : memref<64x32xf32> to memref<8x32xf32, #shared>
      tile.copy %B[%row, %c0] to %b : memref<64x32xf32> to memref<8x32xf32, #shared>
      %t = tile.load %a : memref<8x32xf32, #shared> -> tensor<8x32xf32>
      %u = tile.load %b : memref<8x32xf32, #shared> -> tensor<8x32xf32>
      %v = arith.subf %t, %u : tensor<8x32xf32>
      tile.store %v, %O[%k, %c0] : tensor<8x32xf32>, memref<64x32xf32>
      %next = arith.subi %row, %c8 : index
      scf.yield %next : index
    } {tile.stages = 3 : i32}
  }
  return
}

func.func @ragged(%A: memref<24x?xf16> {tile.dims = ["", "K"], tile.divisible = array<i64: 1, 4>}, %B: memref<?x24xf16> {tile.dims = ["K", ""]}, %C: memref<24x24xf32>) {
  %c1 = arith.constant 1 : index
  %n = memref.dim %A, %c1 : memref<24x?xf16>
  tile.launch blocks(%x) in (%c1) threads(64) {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant dense<0.0> : tensor<24x24xf32>
    %a = tile.alloc : memref<24x32xf16, #shared>
    %b = tile.alloc : memref<32x24xf16, #shared>
    %r = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zero) -> (tensor<24x24xf32>) {
      tile.copy %A[%c0, %k] to %a : memref<24x?xf16> to memref<24x32xf16, #shared>
      tile.copy %B[%k, %c0] to %b : memref<?x24xf16> to memref<32x24xf16, #shared>
      %d = tile.gemm %a, %b, %acc : memref<24x32xf16, #shared>, memref<32x24xf16, #shared> -> tensor<24x24xf32>
      scf.yield %d : tensor<24x24xf32>
    } {tile.stages = 3 : i32}
    tile.store %r, %C : tensor<24x24xf32>, memref<24x24xf32>
  }
  return
}

// What one iteration stores, the next one copies: nothing may run ahead.
func.func @writes_its_source(%A: memref<9x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %s = tile.alloc : memref<1x64xf32, #shared>
    scf.for %k = %c0 to %c8 step %one {
      tile.copy %A[%k, %c0] to %s : memref<9x64xf32> to memref<1x64xf32, #shared>
      %t = tile.load %s : memref<1x64xf32, #shared> -> tensor<1x64xf32>
      %u = arith.addf %t, %t : tensor<1x64xf32>
      %next = arith.addi %k, %one : index
      tile.store %u, %A[%next, %c0] : tensor<1x64xf32>, memref<9x64xf32>
    } {tile.stages = 2 : i32}
  }
  return
}
