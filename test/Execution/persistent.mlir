// Persistent launches: the blocks that are resident at once walk over the tiles. The
// first runs have the chip's number of multiprocessors, fewer than tiles; the others
// two or three, so that each block has many tiles, and some one less than others.
// RUN: tile-run %s --entry=walk --on=emulator --chip=sm_80 --check --scalar=3:7 --scalar=4:29
// RUN: tile-run %s --entry=walk --on=emulator --chip=sm_90a --check --scalar=3:1 --scalar=4:3
// RUN: tile-run %s --entry=walk --on=emulator --chip=sm_80 --check --scalar=3:0 --scalar=4:4
// RUN: tile-run %s --entry=walk --on=reference --check-stages --chip=sm_80 --scalar=3:7 --scalar=4:29
// RUN: not tile-run %s --entry=walk --on=emulator --chip=sm_80 --scalar=3:-1 --scalar=4:-4 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not tile-run %s --entry=walk --on=reference --scalar=3:-1 --scalar=4:-4 2>&1 | FileCheck %s --check-prefix=NEGATIVE

// RUN: tile-opt %s --tile-logical-phase="chip=sm_80" -o %t.80.mlir
// RUN: tile-opt %s --tile-logical-phase="chip=sm_90a" -o %t.90.mlir
// RUN: FileCheck %s --check-prefix=LOGICAL < %t.90.mlir
// RUN: tile-run %t.80.mlir --multiprocessors=2 --entry=walk --on=emulator --check --scalar=3:5 --scalar=4:9
// RUN: tile-run %t.90.mlir --multiprocessors=3 --entry=gemm --on=emulator --check --seed=1 --dim=K:0
// RUN: tile-run %t.90.mlir --multiprocessors=3 --entry=gemm --on=emulator --check --seed=2 --dim=K:32
// RUN: tile-run %t.90.mlir --multiprocessors=3 --entry=gemm --on=emulator --check --seed=3 --dim=K:64
// RUN: tile-run %t.90.mlir --multiprocessors=3 --entry=gemm --on=emulator --check --seed=4 --dim=K:96
// RUN: tile-run %t.90.mlir --multiprocessors=3 --entry=gemm --on=emulator --check --seed=5 --dim=K:128
// RUN: tile-run %t.90.mlir --multiprocessors=3 --entry=gemm --on=emulator --check --seed=6 --dim=K:224
// RUN: tile-run %t.80.mlir --multiprocessors=2 --entry=gemm --on=emulator --check --seed=7 --dim=K:96
// RUN: tile-run %t.90.mlir --multiprocessors=3 --entry=gemm_rounds --on=emulator --check --seed=21 --dim=K:0
// RUN: tile-run %t.90.mlir --multiprocessors=3 --entry=gemm_rounds --on=emulator --check --seed=22 --dim=K:96
// RUN: tile-run %t.90.mlir --multiprocessors=3 --entry=gemm_rounds --on=emulator --check --seed=23 --dim=K:192
// RUN: tile-run %t.90.mlir --multiprocessors=3 --entry=gemm_rounds --on=emulator --check --seed=24 --dim=K:288
// RUN: tile-run %t.90.mlir --multiprocessors=3 --entry=gemm_rounds --on=emulator --check --seed=25 --dim=K:288
// RUN: tile-run %t.90.mlir --multiprocessors=3 --entry=gemm_rounds --on=reference --check-stages --chip=sm_90a --dim=K:192
// RUN: tile-run %t.90.mlir --multiprocessors=3 --entry=gemm --on=reference --check-stages --chip=sm_90a --dim=K:96
// RUN: tile-run %t.90.mlir --multiprocessors=3 --entry=known --on=emulator --check --seed=8
// RUN: tile-run %t.80.mlir --multiprocessors=2 --entry=known --on=emulator --check --seed=9
// RUN: tile-run %t.90.mlir --multiprocessors=3 --entry=attention --on=emulator --check --seed=10
// RUN: tile-run %t.90.mlir --multiprocessors=3 --entry=attention --on=reference --check-stages --chip=sm_90a
// RUN: tile-run %t.80.mlir --multiprocessors=2 --entry=attention --on=emulator --check --seed=11
// RUN: tile-run %t.90.mlir --multiprocessors=3 --entry=attention_off --on=emulator --check --seed=12
// RUN: tile-opt %t.90.mlir --emit=report --format=json | FileCheck %s --check-prefix=REPORT

// RUN: tile-run %s --entry=prints --on=emulator --chip=sm_80 | sort | FileCheck %s --check-prefix=PRINTS

#shared = #gpu.address_space<workgroup>

func.func @walk(%o: memref<210xi32>, %p: memref<7x29xi32>, %q: memref<5x9x29xi32>, %m: index, %n: index) {
  %c3 = arith.constant 3 : index
  %c210 = arith.constant 210 : index
  tile.launch @one blocks(%x) in (%c210) threads(32) attributes {persistent} {
    %v = arith.index_cast %x : index to i32
    memref.store %v, %o[%x] : memref<210xi32>
  }
  // NEGATIVE: persistent.mlir:[[@LINE+1]]:3: error: {{.*}}-4
  tile.launch @two blocks(%x, %y) in (%n, %m) threads(32) attributes {persistent, min_blocks_per_sm = 1, rasterize = #tile.rasterize<column, 4>} {
    %c100 = arith.constant 100 : index
    %i = arith.muli %y, %c100 : index
    %j = arith.addi %i, %x : index
    %v = arith.index_cast %j : index to i32
    memref.store %v, %p[%y, %x] : memref<7x29xi32>
  }
  tile.launch @three blocks(%x, %y, %z) in (%n, %c3, %m) threads(32) attributes {persistent, min_blocks_per_sm = 2, rasterize = #tile.rasterize<row, 2>} {
    %c5 = arith.constant 5 : index
    %c100 = arith.constant 100 : index
    %isIn = arith.cmpi ult, %z, %c5 : index
    scf.if %isIn {
      %i = arith.muli %z, %c100 : index
      %j = arith.addi %i, %y : index
      %k = arith.muli %j, %c100 : index
      %l = arith.addi %k, %x : index
      %v = arith.index_cast %l : index to i32
      memref.store %v, %q[%z, %y, %x] : memref<5x9x29xi32>
    }
  }
  return
}

// Uses of the ring are counted on over tiles, whatever the number of k-steps; the
// buffer of the result is filled again for each tile.
// REPORT-LABEL: "name": "gemm_kernel"
// REPORT: "kind": "producer"
// LOGICAL-LABEL: func @gemm(
// LOGICAL: tile.launch @gemm_kernel blocks(%[[ID:.*]]) in (%{{.*}})
// LOGICAL-COUNT-3: tile.alloc
// LOGICAL: scf.for %{{.*}} = %[[ID]] to
func.func @gemm(%A: memref<320x?xf16> {tile.dims = ["M", "K"], tile.divisible = array<i64: 1, 32>}, %B: memref<192x?xf16> {tile.dims = ["N", "K"], tile.divisible = array<i64: 1, 32>}, %C: memref<320x192xf16>) {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %k = memref.dim %A, %c1 : memref<320x?xf16>
  tile.launch @gemm_kernel blocks(%x, %y) in (%c3, %c5) threads(128) attributes {persistent, rasterize = #tile.rasterize<row, 2>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %row = arith.muli %y, %c64 : index
    %col = arith.muli %x, %c64 : index
    %As = tile.alloc : memref<64x32xf16, #shared>
    %Bs = tile.alloc : memref<64x32xf16, #shared>
    %Cs = tile.alloc : memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %i = %c0 to %k step %c32 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      tile.copy %A[%row, %i] to %As : memref<320x?xf16> to memref<64x32xf16, #shared>
      tile.copy %B[%col, %i] to %Bs : memref<192x?xf16> to memref<64x32xf16, #shared>
      %d = tile.gemm %As, %Bs, %c {transpose_b} : memref<64x32xf16, #shared>, memref<64x32xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 3 : i32}
    %h = arith.truncf %acc : tensor<64x64xf32> to tensor<64x64xf16>
    tile.store %h, %Cs[%c0, %c0] : tensor<64x64xf16>, memref<64x64xf16, #shared>
    tile.copy %Cs to %C[%row, %col] : memref<64x64xf16, #shared> to memref<320x192xf16>
  }
  return
}

// Tiles of whole rounds of the three slots: each starts with the first slot, and the
// consumers' slots are constant.
// REPORT-LABEL: "name": "gemm_rounds_kernel"
// REPORT: ConstantSlots: a loop over rounds of 3 slots
func.func @gemm_rounds(%A: memref<320x?xf16> {tile.dims = ["M", "K"], tile.divisible = array<i64: 1, 96>}, %B: memref<192x?xf16> {tile.dims = ["N", "K"], tile.divisible = array<i64: 1, 96>}, %C: memref<320x192xf16>) {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %k = memref.dim %A, %c1 : memref<320x?xf16>
  tile.launch @gemm_rounds_kernel blocks(%x, %y) in (%c3, %c5) threads(128) attributes {persistent, rasterize = #tile.rasterize<row, 2>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %row = arith.muli %y, %c64 : index
    %col = arith.muli %x, %c64 : index
    %As = tile.alloc : memref<64x32xf16, #shared>
    %Bs = tile.alloc : memref<64x32xf16, #shared>
    %Cs = tile.alloc : memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %i = %c0 to %k step %c32 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      tile.copy %A[%row, %i] to %As : memref<320x?xf16> to memref<64x32xf16, #shared>
      tile.copy %B[%col, %i] to %Bs : memref<192x?xf16> to memref<64x32xf16, #shared>
      %d = tile.gemm %As, %Bs, %c {transpose_b} : memref<64x32xf16, #shared>, memref<64x32xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 3 : i32}
    %h = arith.truncf %acc : tensor<64x64xf32> to tensor<64x64xf16>
    tile.store %h, %Cs[%c0, %c0] : tensor<64x64xf16>, memref<64x64xf16, #shared>
    tile.copy %Cs to %C[%row, %col] : memref<64x64xf16, #shared> to memref<320x192xf16>
  }
  return
}

// A product in flight, its first step peeled for every tile.
// REPORT-LABEL: "name": "known_kernel"
// REPORT: "kind": "producer"
func.func @known(%A: memref<320x160xf16>, %B: memref<192x160xf16>, %C: memref<320x192xf32>) {
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  tile.launch @known_kernel blocks(%x, %y) in (%c3, %c5) threads(128) attributes {persistent} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c160 = arith.constant 160 : index
    %row = arith.muli %y, %c64 : index
    %col = arith.muli %x, %c64 : index
    %As = tile.alloc : memref<64x32xf16, #shared>
    %Bs = tile.alloc : memref<64x32xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %i = %c0 to %c160 step %c32 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      tile.copy %A[%row, %i] to %As : memref<320x160xf16> to memref<64x32xf16, #shared>
      tile.copy %B[%col, %i] to %Bs : memref<192x160xf16> to memref<64x32xf16, #shared>
      %d = tile.gemm %As, %Bs, %c {transpose_b} : memref<64x32xf16, #shared>, memref<64x32xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 3 : i32}
    tile.store %acc, %C[%row, %col] : tensor<64x64xf32>, memref<320x192xf32>
  }
  return
}

// One ring is filled once a tile, the other once an iteration.
func.func @attention(%Q: memref<320x64xf16>, %K: memref<192x64xf16>, %V: memref<192x64xf16>, %O: memref<320x64xf32>) {
  call @walk_rows(%Q, %K, %V, %O) : (memref<320x64xf16>, memref<192x64xf16>, memref<192x64xf16>, memref<320x64xf32>) -> ()
  return
}
func.func private @walk_rows(%Q: memref<320x64xf16>, %K: memref<192x64xf16>, %V: memref<192x64xf16>, %O: memref<320x64xf32>) {
  %c5 = arith.constant 5 : index
  tile.launch @attention_kernel blocks(%x) in (%c5) threads(128) attributes {persistent} {
    %o = func.call @attend(%Q, %K, %V, %x) : (memref<320x64xf16>, memref<192x64xf16>, memref<192x64xf16>, index) -> tensor<64x64xf32>
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %row = arith.muli %x, %c64 : index
    tile.store %o, %O[%row, %c0] : tensor<64x64xf32>, memref<320x64xf32>
  }
  return
}
func.func @attention_off(%Q: memref<320x64xf16>, %K: memref<192x64xf16>, %V: memref<192x64xf16>, %O: memref<320x64xf32>) {
  %c5 = arith.constant 5 : index
  tile.launch @attention_off_kernel blocks(%x) in (%c5) threads(128) attributes {persistent, warp_specialize = #tile.warp_specialize<off>} {
    %o = func.call @attend(%Q, %K, %V, %x) : (memref<320x64xf16>, memref<192x64xf16>, memref<192x64xf16>, index) -> tensor<64x64xf32>
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %row = arith.muli %x, %c64 : index
    tile.store %o, %O[%row, %c0] : tensor<64x64xf32>, memref<320x64xf32>
  }
  return
}
func.func private @attend(%Q: memref<320x64xf16>, %K: memref<192x64xf16>, %V: memref<192x64xf16>, %x: index) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c192 = arith.constant 192 : index
  %row = arith.muli %x, %c64 : index
  %Qs = tile.alloc : memref<64x64xf16, #shared>
  %Ks = tile.alloc : memref<64x64xf16, #shared>
  %Vs = tile.alloc : memref<64x64xf16, #shared>
  tile.copy %Q[%row, %c0] to %Qs : memref<320x64xf16> to memref<64x64xf16, #shared>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %o = scf.for %j = %c0 to %c192 step %c64 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
    tile.copy %K[%j, %c0] to %Ks : memref<192x64xf16> to memref<64x64xf16, #shared>
    tile.copy %V[%j, %c0] to %Vs : memref<192x64xf16> to memref<64x64xf16, #shared>
    %s = tile.gemm %Qs, %Ks {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
    %p = arith.truncf %s : tensor<64x64xf32> to tensor<64x64xf16>
    %d = tile.gemm %p, %Vs, %c : tensor<64x64xf16>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  } {tile.stages = 2 : i32}
  return %o : tensor<64x64xf32>
}

// Lines name the blocks of the program, so each tile keeps one.
// PRINTS-COUNT-200: (block {{[0-9]+}}, 0, 0)
func.func @prints() {
  %c200 = arith.constant 200 : index
  tile.launch blocks(%x) in (%c200) threads(32) attributes {persistent} {
    tile.print "x" %x : index
  }
  return
}
