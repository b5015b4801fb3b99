// Ping-pong: two teams of one warpgroup have every second tile of a persistent launch each. No tile,
// one, two, three and many, fewer blocks than tiles and more; every number of k-steps from 0 to twice
// the slots and one more; slots that are counted and constant ones; results staged, and exchanged.
// RUN: tile-opt %s --tile-logical-phase="chip=sm_90a" -o %t.mlir
// RUN: tile-opt %t.mlir --emit=ptx | FileCheck %s
// RUN: tile-opt %t.mlir --emit=report --format=json | FileCheck %s --check-prefix=REPORT
// RUN: tile-opt %s --emit=ptx --chip=sm_80 | FileCheck %s --check-prefix=OTHER --implicit-check-not=bar.arrive
// OTHER: .entry gemm_kernel(

// RUN: tile-run %t.mlir --multiprocessors=2 --entry=gemm --on=emulator --check --scalar=3:4 --scalar=4:3 --dim=K:0 --seed=0
// RUN: tile-run %t.mlir --multiprocessors=2 --entry=gemm --on=emulator --check --scalar=3:4 --scalar=4:3 --dim=K:8 --seed=1
// RUN: tile-run %t.mlir --multiprocessors=2 --entry=gemm --on=emulator --check --scalar=3:3 --scalar=4:3 --dim=K:64 --seed=2
// RUN: tile-run %t.mlir --multiprocessors=2 --entry=gemm --on=emulator --check --scalar=3:2 --scalar=4:3 --dim=K:96 --seed=3
// RUN: tile-run %t.mlir --multiprocessors=2 --entry=gemm --on=emulator --check --scalar=3:4 --scalar=4:2 --dim=K:120 --seed=4
// RUN: tile-run %t.mlir --multiprocessors=2 --entry=gemm --on=emulator --check --scalar=3:3 --scalar=4:2 --dim=K:160 --seed=5
// RUN: tile-run %t.mlir --multiprocessors=2 --entry=gemm --on=emulator --check --scalar=3:3 --scalar=4:3 --dim=K:192 --seed=6
// RUN: tile-run %t.mlir --multiprocessors=1 --entry=gemm --on=emulator --check --scalar=3:3 --scalar=4:1 --dim=K:224 --seed=7
// RUN: tile-run %t.mlir --multiprocessors=1 --entry=gemm --on=emulator --check --scalar=3:0 --scalar=4:3 --dim=K:96 --seed=8
// RUN: tile-run %t.mlir --multiprocessors=1 --entry=gemm --on=emulator --check --scalar=3:1 --scalar=4:1 --dim=K:96 --seed=9
// RUN: tile-run %t.mlir --multiprocessors=1 --entry=gemm --on=emulator --check --scalar=3:2 --scalar=4:1 --dim=K:96 --seed=10
// RUN: tile-run %t.mlir --multiprocessors=1 --entry=gemm --on=emulator --check --scalar=3:4 --scalar=4:3 --dim=K:160 --seed=11
// RUN: tile-run %t.mlir --multiprocessors=3 --entry=gemm --on=emulator --check --scalar=3:3 --scalar=4:1 --dim=K:72 --seed=12
// RUN: tile-run %t.mlir --multiprocessors=3 --entry=gemm --on=emulator --check --scalar=3:4 --scalar=4:3 --dim=K:128 --seed=13
// RUN: tile-run %t.mlir --multiprocessors=2 --entry=rounds --on=emulator --check --dim=K:0 --seed=14
// RUN: tile-run %t.mlir --multiprocessors=2 --entry=rounds --on=emulator --check --dim=K:96 --seed=15
// RUN: tile-run %t.mlir --multiprocessors=1 --entry=rounds --on=emulator --check --dim=K:192 --seed=16
// RUN: tile-run %t.mlir --multiprocessors=2 --entry=rounds --on=emulator --check --dim=K:288 --seed=17
// RUN: tile-run %t.mlir --multiprocessors=2 --entry=numbers --on=emulator --check --scalar=3:4 --scalar=4:3 --scalar=5:0 --seed=30
// RUN: tile-run %t.mlir --multiprocessors=1 --entry=numbers --on=emulator --check --scalar=3:3 --scalar=4:1 --scalar=5:96 --seed=31
// RUN: tile-run %t.mlir --multiprocessors=2 --entry=numbers --on=emulator --check --scalar=3:4 --scalar=4:3 --scalar=5:130 --seed=32
// RUN: tile-run %t.mlir --multiprocessors=2 --entry=numbers --on=emulator --check --scalar=3:3 --scalar=4:2 --scalar=5:224 --seed=33
// RUN: tile-run %t.mlir --multiprocessors=2 --entry=numbers --on=reference --check-stages --scalar=3:4 --scalar=4:3 --scalar=5:160
// RUN: tile-run %t.mlir --multiprocessors=1 --entry=wide --on=emulator --check --seed=18
// RUN: tile-run %t.mlir --multiprocessors=1 --entry=square --on=emulator --check --seed=19
// RUN: tile-run %t.mlir --multiprocessors=1 --entry=columns --on=emulator --check --seed=20
// RUN: tile-run %t.mlir --multiprocessors=2 --entry=columns --on=emulator --check --seed=21
// RUN: tile-run %s --entry=gemm --on=emulator --chip=sm_80 --check --scalar=3:4 --scalar=4:3 --dim=K:96 --seed=22
// RUN: tile-run %t.mlir --multiprocessors=2 --entry=gemm --on=reference --check-stages --chip=sm_90a --scalar=3:4 --scalar=4:3 --dim=K:0
// RUN: tile-run %t.mlir --multiprocessors=2 --entry=gemm --on=reference --check-stages --chip=sm_90a --scalar=3:3 --scalar=4:3 --dim=K:96
// RUN: tile-run %t.mlir --multiprocessors=1 --entry=gemm --on=reference --check-stages --chip=sm_90a --scalar=3:4 --scalar=4:3 --dim=K:224
// RUN: tile-run %t.mlir --multiprocessors=2 --entry=rounds --on=reference --check-stages --chip=sm_90a --dim=K:192
// RUN: tile-run %t.mlir --multiprocessors=1 --entry=columns --on=reference --check-stages --chip=sm_90a
// No arrival is left at a barrier when a block ends, after an even and an odd number of tiles.
// ENDS: equal
// RUN: tile-run %t.mlir --multiprocessors=1 --entry=gemm --on=emulator --check --scalar=3:2 --scalar=4:1 --dim=K:64 --seed=23 2>&1 | FileCheck %s --check-prefix=ENDS --implicit-check-not="arrived at barrier"
// RUN: tile-run %t.mlir --multiprocessors=1 --entry=gemm --on=emulator --check --scalar=3:3 --scalar=4:1 --dim=K:64 --seed=24 2>&1 | FileCheck %s --check-prefix=ENDS --implicit-check-not="arrived at barrier"
#shared = #gpu.address_space<workgroup>

// Each team waits at a barrier of its own for its turn, starts the products of its tile and arrives
// at the other's; each stores from a buffer of its own.
// CHECK-LABEL: .entry gemm_kernel(
// CHECK: setmaxnreg.inc.sync.aligned.u32 232;
// CHECK: bar.sync 11, 256;
// CHECK: wgmma.mma_async
// CHECK: bar.arrive 12, 256;
// CHECK: bar.sync 15, 128;
// CHECK: cp.async.bulk.tensor.2d.global.shared::cta{{.*}} [gemm_kernel_shared];
// CHECK: setmaxnreg.inc.sync.aligned.u32 232;
// CHECK: bar.arrive 11, 256;
// CHECK: bar.sync 12, 256;
// CHECK: wgmma.mma_async
// CHECK: bar.arrive 11, 256;
// CHECK: bar.sync 14, 128;
// CHECK: cp.async.bulk.tensor.2d.global.shared::cta{{.*}} [gemm_kernel_shared+8192];
// CHECK: setmaxnreg.dec.sync.aligned.u32 40;
// REPORT-LABEL: "name": "gemm_kernel"
// REPORT: "kind": "consumer"
// REPORT: "registers": 232,
// REPORT-NEXT: "alternating": true
// REPORT: "kind": "consumer"
// REPORT: "registers": 232,
// REPORT-NEXT: "alternating": true
// REPORT: "kind": "producer"
// REPORT: "registers": 40,
// REPORT: "spill_bytes": 0
// REPORT: 2 teams have every second tile each
func.func @gemm(%A: memref<256x?xf16> {tile.dims = ["M", "K"], tile.divisible = array<i64: 1, 8>}, %B: memref<192x?xf16> {tile.dims = ["N", "K"], tile.divisible = array<i64: 1, 8>}, %C: memref<256x192xf16>, %m: index, %n: index) {
  %c1 = arith.constant 1 : index
  %k = memref.dim %A, %c1 : memref<256x?xf16>
  tile.launch @gemm_kernel blocks(%x, %y) in (%n, %m) threads(128) attributes {persistent, consumers = #tile.consumers<pingpong>, rasterize = #tile.rasterize<row, 2>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %row = arith.muli %y, %c64 : index
    %col = arith.muli %x, %c64 : index
    %As = tile.alloc : memref<64x32xf16, #shared>
    %Bs = tile.alloc : memref<64x32xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %i = %c0 to %k step %c32 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      tile.copy %A[%row, %i] to %As : memref<256x?xf16> to memref<64x32xf16, #shared>
      tile.copy %B[%col, %i] to %Bs : memref<192x?xf16> to memref<64x32xf16, #shared>
      %d = tile.gemm %As, %Bs, %c {transpose_b} : memref<64x32xf16, #shared>, memref<64x32xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 3 : i32}
    %h = arith.truncf %acc : tensor<64x64xf32> to tensor<64x64xf16>
    tile.store %h, %C[%row, %col] : tensor<64x64xf16>, memref<256x192xf16>
  }
  return
}

// A tile takes whole rounds of the three slots, so that each team starts with the first one.
// REPORT-LABEL: "name": "rounds_kernel"
// REPORT: ConstantSlots: a loop over rounds of 3 slots
func.func @rounds(%A: memref<256x?xf16> {tile.dims = ["M", "K"], tile.divisible = array<i64: 1, 96>}, %B: memref<192x?xf16> {tile.dims = ["N", "K"], tile.divisible = array<i64: 1, 96>}, %C: memref<256x192xf16>) {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %k = memref.dim %A, %c1 : memref<256x?xf16>
  tile.launch @rounds_kernel blocks(%x, %y) in (%c3, %c4) threads(128) attributes {persistent, consumers = #tile.consumers<pingpong>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %row = arith.muli %y, %c64 : index
    %col = arith.muli %x, %c64 : index
    %As = tile.alloc : memref<64x32xf16, #shared>
    %Bs = tile.alloc : memref<64x32xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %i = %c0 to %k step %c32 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      tile.copy %A[%row, %i] to %As : memref<256x?xf16> to memref<64x32xf16, #shared>
      tile.copy %B[%col, %i] to %Bs : memref<192x?xf16> to memref<64x32xf16, #shared>
      %d = tile.gemm %As, %Bs, %c {transpose_b} : memref<64x32xf16, #shared>, memref<64x32xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 3 : i32}
    %h = arith.truncf %acc : tensor<64x64xf32> to tensor<64x64xf16>
    tile.store %h, %C[%row, %col] : tensor<64x64xf16>, memref<256x192xf16>
  }
  return
}

// The largest tiles that one warpgroup takes: 128 registers of sums a thread.
// REPORT-LABEL: "name": "wide_kernel"
// REPORT: "alternating": true
// REPORT: "spill_bytes": 0
// REPORT: m64n256k16.f32.bf16.bf16
func.func @wide(%A: memref<192x320xbf16>, %B: memref<512x320xbf16>, %C: memref<192x512xbf16>) {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  tile.launch @wide_kernel blocks(%x, %y) in (%c2, %c3) threads(128) attributes {persistent, consumers = #tile.consumers<pingpong>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %c320 = arith.constant 320 : index
    %row = arith.muli %y, %c64 : index
    %col = arith.muli %x, %c256 : index
    %As = tile.alloc : memref<64x64xbf16, #shared>
    %Bs = tile.alloc : memref<256x64xbf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x256xf32>
    %acc = scf.for %i = %c0 to %c320 step %c64 iter_args(%c = %zero) -> (tensor<64x256xf32>) {
      tile.copy %A[%row, %i] to %As : memref<192x320xbf16> to memref<64x64xbf16, #shared>
      tile.copy %B[%col, %i] to %Bs : memref<512x320xbf16> to memref<256x64xbf16, #shared>
      %d = tile.gemm %As, %Bs, %c {transpose_b} : memref<64x64xbf16, #shared>, memref<256x64xbf16, #shared> -> tensor<64x256xf32>
      scf.yield %d : tensor<64x256xf32>
    } {tile.stages = 4 : i32}
    %h = arith.truncf %acc : tensor<64x256xf32> to tensor<64x256xbf16>
    tile.store %h, %C[%row, %col] : tensor<64x256xbf16>, memref<192x512xbf16>
  }
  return
}

// REPORT-LABEL: "name": "square_kernel"
// REPORT: "alternating": true
// REPORT: "spill_bytes": 0
// REPORT: m64n128k16.f32.bf16.bf16
func.func @square(%A: memref<512x320xbf16>, %B: memref<128x320xbf16>, %C: memref<512x128xbf16>) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  tile.launch @square_kernel blocks(%x, %y) in (%c1, %c4) threads(128) attributes {persistent, consumers = #tile.consumers<pingpong>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %c320 = arith.constant 320 : index
    %row = arith.muli %y, %c128 : index
    %col = arith.muli %x, %c128 : index
    %As = tile.alloc : memref<128x64xbf16, #shared>
    %Bs = tile.alloc : memref<128x64xbf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<128x128xf32>
    %acc = scf.for %i = %c0 to %c320 step %c64 iter_args(%c = %zero) -> (tensor<128x128xf32>) {
      tile.copy %A[%row, %i] to %As : memref<512x320xbf16> to memref<128x64xbf16, #shared>
      tile.copy %B[%col, %i] to %Bs : memref<128x320xbf16> to memref<128x64xbf16, #shared>
      %d = tile.gemm %As, %Bs, %c {transpose_b} : memref<128x64xbf16, #shared>, memref<128x64xbf16, #shared> -> tensor<128x128xf32>
      scf.yield %d : tensor<128x128xf32>
    } {tile.stages = 4 : i32}
    %h = arith.truncf %acc : tensor<128x128xf32> to tensor<128x128xbf16>
    tile.store %h, %C[%row, %col] : tensor<128x128xbf16>, memref<512x128xbf16>
  }
  return
}

// Columns are summed across the warps of a team, which meet at its barrier, through shared memory
// that it keeps for itself, beside a buffer of the program's own.
func.func @columns(%A: memref<448x96xf16>, %B: memref<64x96xf16>, %C: memref<448x64xf16>, %D: memref<7x64xf32>) {
  %c7 = arith.constant 7 : index
  tile.launch @columns_kernel blocks(%x) in (%c7) threads(128) attributes {persistent, consumers = #tile.consumers<pingpong>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c96 = arith.constant 96 : index
    %row = arith.muli %x, %c64 : index
    %As = tile.alloc : memref<64x32xf16, #shared>
    %Bs = tile.alloc : memref<64x32xf16, #shared>
    %Cs = tile.alloc : memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %i = %c0 to %c96 step %c32 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      tile.copy %A[%row, %i] to %As : memref<448x96xf16> to memref<64x32xf16, #shared>
      tile.copy %B[%c0, %i] to %Bs : memref<64x96xf16> to memref<64x32xf16, #shared>
      %d = tile.gemm %As, %Bs, %c {transpose_b} : memref<64x32xf16, #shared>, memref<64x32xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 2 : i32}
    %top = tile.reduce <maximumf> %acc dims [0] : tensor<64x64xf32> -> tensor<64xf32>
    tile.store %top, %D[%x, %c0] [1, 64] : tensor<64xf32>, memref<7x64xf32>
    %h = arith.truncf %acc : tensor<64x64xf32> to tensor<64x64xf16>
    tile.store %h, %Cs[%c0, %c0] : tensor<64x64xf16>, memref<64x64xf16, #shared>
    tile.copy %Cs to %C[%row, %c0] : memref<64x64xf16, #shared> to memref<448x64xf16>
  }
  return
}

// Steps that are counted in 32 bits.
func.func @numbers(%A: memref<256x960xf16>, %B: memref<192x960xf16>, %C: memref<256x192xf16>, %m: index, %n: index, %k: i32) {
  %c1 = arith.constant 1 : index
  tile.launch @numbers_kernel blocks(%x, %y) in (%n, %m) threads(128) attributes {persistent, consumers = #tile.consumers<pingpong>} {
    %c0 = arith.constant 0 : index
    %z0 = arith.constant 0 : i32
    %c32 = arith.constant 32 : i32
    %c64 = arith.constant 64 : index
    %row = arith.muli %y, %c64 : index
    %col = arith.muli %x, %c64 : index
    %As = tile.alloc : memref<64x32xf16, #shared>
    %Bs = tile.alloc : memref<64x32xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %i32 = %z0 to %k step %c32 iter_args(%c = %zero) -> (tensor<64x64xf32>) : i32 {
      %i = arith.index_cast %i32 : i32 to index
      tile.copy %A[%row, %i] to %As : memref<256x960xf16> to memref<64x32xf16, #shared>
      tile.copy %B[%col, %i] to %Bs : memref<192x960xf16> to memref<64x32xf16, #shared>
      %d = tile.gemm %As, %Bs, %c {transpose_b} : memref<64x32xf16, #shared>, memref<64x32xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 3 : i32}
    %h = arith.truncf %acc : tensor<64x64xf32> to tensor<64x64xf16>
    tile.store %h, %C[%row, %col] : tensor<64x64xf16>, memref<256x192xf16>
  }
  return
}
