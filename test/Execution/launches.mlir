// Launches: one to three dimensions of blocks, extents of zero, below zero and from
// memory sizes, orders of visiting blocks, limits of registers and blocks, hints that
// the chip has nothing for; host code around them: conditions, loops, calls, switches
// of memory.
// RUN: tile-run %s --entry=dimensions --on=emulator --chip=sm_80 --check --scalar=3:3
// RUN: tile-run %s --entry=dimensions --on=emulator --chip=sm_90a --check --scalar=3:5
// RUN: tile-run %s --entry=dimensions --on=emulator --chip=sm_90a --check --scalar=3:0
// RUN: not tile-run %s --entry=dimensions --on=emulator --chip=sm_80 --scalar=3:-1 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not tile-run %s --entry=dimensions --on=reference --scalar=3:-1 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: tile-run %s --entry=attributes --on=emulator --chip=sm_80 --check --dim=M:70 --dim=N:90
// RUN: tile-run %s --entry=attributes --on=emulator --chip=sm_90a --check --dim=M:70 --dim=N:90
// RUN: tile-run %s --entry=attributes --on=emulator --chip=sm_80 --check --dim=M:16 --dim=N:0
// RUN: tile-run %s --entry=host --on=emulator --chip=sm_80 --check --scalar=2:0 --scalar=3:2.5
// RUN: tile-run %s --entry=host --on=emulator --chip=sm_90a --check --scalar=2:1 --scalar=3:-2.5
// RUN: tile-run %s --entry=host --on=emulator --chip=sm_80 --check --scalar=2:4 --scalar=3:1.0

func.func @dimensions(%o: memref<10xi32>, %p: memref<10x7xi32>, %q: memref<10x7x4xi32>, %n: index) {
  %c4 = arith.constant 4 : index
  %c7 = arith.constant 7 : index
  tile.launch @one blocks(%x) in (%n) threads(32) {
    %v = arith.index_cast %x : index to i32
    memref.store %v, %o[%x] : memref<10xi32>
  }
  // NEGATIVE: launches.mlir:[[@LINE-4]]:3: error: {{.*}}-1
  tile.launch @two blocks(%x, %y) in (%n, %c7) threads(64) {
    %c100 = arith.constant 100 : index
    %i = arith.muli %y, %c100 : index
    %j = arith.addi %i, %x : index
    %v = arith.index_cast %j : index to i32
    memref.store %v, %p[%x, %y] : memref<10x7xi32>
  }
  tile.launch @three blocks(%x, %y, %z) in (%c4, %c7, %n) threads(96) {
    %c100 = arith.constant 100 : index
    %i = arith.muli %z, %c100 : index
    %j = arith.addi %i, %y : index
    %k = arith.muli %j, %c100 : index
    %l = arith.addi %k, %x : index
    %v = arith.index_cast %l : index to i32
    memref.store %v, %q[%z, %y, %x] : memref<10x7x4xi32>
  }
  return
}

func.func @attributes(%a: memref<?x?xf32> {tile.dims = ["M", "N"]}, %o: memref<?x?xf32> {tile.dims = ["M", "N"]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %m = memref.dim %a, %c0 : memref<?x?xf32>
  %n = memref.dim %a, %c1 : memref<?x?xf32>
  %gy = arith.ceildivsi %m, %c16 : index
  %gx = arith.ceildivsi %n, %c32 : index
  tile.launch blocks(%x, %y) in (%gx, %gy) threads(128) attributes {rasterize = #tile.rasterize<row, 3>, max_registers = 64} {
    %r = arith.constant 16 : index
    %c = arith.constant 32 : index
    %i = arith.muli %y, %r : index
    %j = arith.muli %x, %c : index
    %t = tile.load %a[%i, %j] : memref<?x?xf32> -> tensor<16x32xf32>
    %u = arith.addf %t, %t : tensor<16x32xf32>
    tile.store %u, %o[%i, %j] : tensor<16x32xf32>, memref<?x?xf32>
  }
  tile.launch blocks(%x, %y) in (%gx, %gy) threads(64) attributes {rasterize = #tile.rasterize<column, 2>, min_blocks_per_sm = 2, warp_specialize = #tile.warp_specialize<off>} {
    %r = arith.constant 16 : index
    %c = arith.constant 32 : index
    %i = arith.muli %y, %r : index
    %j = arith.muli %x, %c : index
    %t = tile.load %o[%i, %j] : memref<?x?xf32> -> tensor<16x32xf32>
    %u = math.absf %t : tensor<16x32xf32>
    tile.store %u, %o[%i, %j] : tensor<16x32xf32>, memref<?x?xf32>
  }
  return
}

func.func private @scale(%a: memref<64xf32> {tile.may_alias}, %o: memref<64xf32> {tile.may_alias}, %by: f32) {
  %c2 = arith.constant 2 : index
  tile.launch blocks(%x) in (%c2) threads(32) {
    %c32 = arith.constant 32 : index
    %i = arith.muli %x, %c32 : index
    %t = tile.load %a[%i] : memref<64xf32> -> tensor<32xf32>
    %s = tensor.splat %by : tensor<32xf32>
    %u = arith.mulf %t, %s : tensor<32xf32>
    tile.store %u, %o[%i] : tensor<32xf32>, memref<64xf32>
  }
  return
}

// Two workspaces change places in a loop; the last one is copied out.
func.func @host(%a: memref<64xf32>, %o: memref<64xf32>, %n: index, %by: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %u = memref.alloc() : memref<64xf32>
  %v = memref.alloc() : memref<64xf32>
  call @scale(%a, %u, %half) : (memref<64xf32>, memref<64xf32>, f32) -> ()
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%from = %u, %to = %v) -> (memref<64xf32>, memref<64xf32>) {
    %even = arith.remui %i, %c2 : index
    %is_even = arith.cmpi eq, %even, %c0 : index
    %factor = arith.select %is_even, %by, %half : f32
    func.call @scale(%from, %to, %factor) : (memref<64xf32>, memref<64xf32>, f32) -> ()
    scf.yield %to, %from : memref<64xf32>, memref<64xf32>
  }
  %positive = arith.cmpf ogt, %by, %zero : f32
  scf.if %positive {
    memref.copy %r#0, %o : memref<64xf32> to memref<64xf32>
  } else {
    %root = math.absf %by : f32
    %more = math.sqrt %root : f32
    func.call @scale(%r#0, %o, %more) : (memref<64xf32>, memref<64xf32>, f32) -> ()
  }
  %last = scf.while (%k = %n) : (index) -> index {
    %go = arith.cmpi sgt, %k, %c1 : index
    scf.condition(%go) %k : index
  } do {
  ^bb0(%k: index):
    func.call @scale(%o, %o, %half) : (memref<64xf32>, memref<64xf32>, f32) -> ()
    %next = arith.divui %k, %c2 : index
    scf.yield %next : index
  }
  memref.dealloc %u : memref<64xf32>
  memref.dealloc %v : memref<64xf32>
  return
}
