// Loops of 1 to 4 stages at every trip count from 0 to 2 * stages + 1: the host runs
// each launch once for each count: products, reads in another order, bounds and steps
// that only the launch knows, i32 counters, edges, two loops after each other, one in
// another, a copy that converts, copies under a condition, one buffer of two loops, a
// buffer filled by an inner loop, loads into fragments. The report says that each is
// pipelined.
// DEFINE: %{stages} =
// DEFINE: %{threads} =
// DEFINE: %{program} = sed -e 's/STAGES/%{stages}/g; s/THREADS/%{threads}/g' %s
// DEFINE: %{run} = %{program} | tile-run - --on=emulator --check
// DEFINE: %{report} = %{program} | tile-opt - --emit=report --format=json --chip=sm_80 | FileCheck %s -DSTAGES=%{stages}
// REDEFINE: %{stages} = 1
// REDEFINE: %{threads} = 32
// RUN: %{report} --check-prefix=ONE
// RUN: %{run} --entry=all --chip=sm_80 --scalar=2:3
// RUN: %{run} --entry=all --chip=sm_90a --scalar=2:3
// REDEFINE: %{stages} = 2
// REDEFINE: %{threads} = 64
// RUN: %{report}
// RUN: %{run} --entry=all --chip=sm_80 --scalar=2:5
// RUN: %{run} --entry=all --chip=sm_90a --scalar=2:5
// REDEFINE: %{stages} = 3
// REDEFINE: %{threads} = 96
// RUN: %{report}
// RUN: %{run} --entry=all --chip=sm_80 --scalar=2:7
// RUN: %{run} --entry=all --chip=sm_90a --scalar=2:7
// REDEFINE: %{stages} = 4
// REDEFINE: %{threads} = 256
// RUN: %{report}
// RUN: %{run} --entry=all --chip=sm_80 --scalar=2:9
// RUN: %{run} --entry=all --chip=sm_90a --scalar=2:9
#shared = #gpu.address_space<workgroup>

func.func @all(%a: memref<32x320xf16>, %b: memref<320x32xf16>, %last: index,
    %product: memref<10x32x32xf32>,
    %transposed: memref<10x16x32xf16>,
    %counter: memref<10x32x16xf16>,
    %edges: memref<10x40x24xf16>,
    %two_loops: memref<10x32x32xf32>,
    %nested: memref<10x32x32xf16>,
    %partial: memref<10x32x16xf32>,
    %guarded: memref<10x32x16xf16>,
    %one_buffer: memref<10x32x32xf32>,
    %inner_fill: memref<10x32x32xf16>,
    %fragments: memref<10x32x16xf16>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %end = arith.addi %last, %one : index
  scf.for %trips = %zero to %end step %one {
    func.call @product(%a, %b, %product, %trips) : (memref<32x320xf16>, memref<320x32xf16>, memref<10x32x32xf32>, index) -> ()
    func.call @transposed(%a, %transposed, %trips) : (memref<32x320xf16>, memref<10x16x32xf16>, index) -> ()
    func.call @counter(%a, %counter, %trips) : (memref<32x320xf16>, memref<10x32x16xf16>, index) -> ()
    func.call @edges(%a, %edges, %trips) : (memref<32x320xf16>, memref<10x40x24xf16>, index) -> ()
    func.call @two_loops(%a, %b, %two_loops, %trips) : (memref<32x320xf16>, memref<320x32xf16>, memref<10x32x32xf32>, index) -> ()
    func.call @nested(%b, %nested, %trips) : (memref<320x32xf16>, memref<10x32x32xf16>, index) -> ()
    func.call @partial(%a, %partial, %trips) : (memref<32x320xf16>, memref<10x32x16xf32>, index) -> ()
    func.call @guarded(%a, %guarded, %trips) : (memref<32x320xf16>, memref<10x32x16xf16>, index) -> ()
    func.call @one_buffer(%a, %b, %one_buffer, %trips) : (memref<32x320xf16>, memref<320x32xf16>, memref<10x32x32xf32>, index) -> ()
    func.call @inner_fill(%b, %inner_fill, %trips) : (memref<320x32xf16>, memref<10x32x32xf16>, index) -> ()
    func.call @fragments(%a, %fragments, %trips) : (memref<32x320xf16>, memref<10x32x16xf16>, index) -> ()
  }
  return
}

// CHECK-LABEL: "name": "product_0"
// CHECK: "stages": [[STAGES]],
// CHECK-NEXT: "reason": "Pipelined: [[STAGES]] stages, 2 copies run ahead"
// ONE-LABEL: "name": "product_0"
// ONE: "stages": 1,
// ONE-NEXT: "reason": ""
func.func private @product(%a: memref<32x320xf16>, %b: memref<320x32xf16>, %o: memref<10x32x32xf32>, %trips: index) {
  %g = arith.constant 1 : index
  tile.launch blocks(%x) in (%g) threads(THREADS) {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %end = arith.muli %trips, %c32 : index
    %zero = arith.constant dense<0.0> : tensor<32x32xf32>
    %as = tile.alloc : memref<32x32xf16, #shared>
    %bs = tile.alloc : memref<32x32xf16, #shared>
    %r = scf.for %k = %c0 to %end step %c32 iter_args(%acc = %zero) -> (tensor<32x32xf32>) {
      tile.copy %a[%c0, %k] to %as : memref<32x320xf16> to memref<32x32xf16, #shared>
      tile.copy %b[%k, %c0] to %bs : memref<320x32xf16> to memref<32x32xf16, #shared>
      %d = tile.gemm %as, %bs, %acc : memref<32x32xf16, #shared>, memref<32x32xf16, #shared> -> tensor<32x32xf32>
      scf.yield %d : tensor<32x32xf32>
    } {tile.stages = STAGES : i32}
    tile.store %r, %o[%trips, %c0, %c0] [1, 32, 32] : tensor<32x32xf32>, memref<10x32x32xf32>
  }
  return
}

// The step is the launch's own; threads read what others copied, 4 bytes at a time.
// CHECK-LABEL: "name": "transposed_0"
// CHECK: "stages": [[STAGES]],
// CHECK-NEXT: "reason": "Pipelined: [[STAGES]] stages, 1 copies run ahead"
// ONE-LABEL: "name": "transposed_0"
// ONE: "stages": 1,
// ONE-NEXT: "reason": "Pipelined: 1 stage, 1 copies run ahead"
func.func private @transposed(%a: memref<32x320xf16>, %o: memref<10x16x32xf16>, %trips: index) {
  %g = arith.constant 1 : index
  tile.launch blocks(%x) in (%g) threads(THREADS) {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c6 = arith.constant 6 : index
    %half = arith.addi %trips, %c4 : index
    %step = arith.muli %half, %c2 : index
    %length = arith.muli %trips, %step : index
    %end = arith.addi %length, %c6 : index
    %zero = arith.constant dense<0.0> : tensor<16x32xf16>
    %r = scf.for %k = %c6 to %end step %step iter_args(%acc = %zero) -> (tensor<16x32xf16>) {
      %s = tile.alloc : memref<32x16xf16, #shared>
      tile.copy %a[%c0, %k] to %s : memref<32x320xf16> to memref<32x16xf16, #shared>
      %t = tile.parallel (%i, %j) in (16, 32) -> (tensor<16x32xf16>) {
        %e = memref.load %s[%j, %i] : memref<32x16xf16, #shared>
        tile.yield %e : f16
      }
      %u = arith.addf %acc, %t : tensor<16x32xf16>
      scf.yield %u : tensor<16x32xf16>
    } {tile.stages = STAGES : i32}
    tile.store %r, %o[%trips, %c0, %c0] [1, 16, 32] : tensor<16x32xf16>, memref<10x16x32xf16>
  }
  return
}

// An i32 counter from -4 in steps of 3.
// CHECK-LABEL: "name": "counter_0"
// CHECK: "stages": [[STAGES]],
// CHECK-NEXT: "reason": "Pipelined: [[STAGES]] stages, 1 copies run ahead"
// ONE-LABEL: "name": "counter_0"
// ONE: "stages": 1,
// ONE-NEXT: "reason": "Pipelined: 1 stage, 1 copies run ahead"
func.func private @counter(%a: memref<32x320xf16>, %o: memref<10x32x16xf16>, %trips: index) {
  %g = arith.constant 1 : index
  tile.launch blocks(%x) in (%g) threads(THREADS) {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %first = arith.constant -4 : i32
    %three = arith.constant 3 : i32
    %four = arith.constant 4 : i32
    %count = arith.index_cast %trips : index to i32
    %length = arith.muli %count, %three : i32
    %end = arith.addi %first, %length : i32
    %zero = arith.constant dense<0.0> : tensor<32x16xf16>
    %half = arith.constant dense<0.5> : tensor<32x16xf16>
    %s = tile.alloc : memref<32x16xf16, #shared>
    %r = scf.for %k = %first to %end step %three iter_args(%acc = %zero) -> (tensor<32x16xf16>) : i32 {
      %from = arith.addi %k, %four : i32
      %n = arith.index_cast %from : i32 to index
      %at = arith.muli %n, %c8 : index
      tile.copy %a[%c0, %at] to %s : memref<32x320xf16> to memref<32x16xf16, #shared>
      %t = tile.load %s : memref<32x16xf16, #shared> -> tensor<32x16xf16>
      %less = arith.mulf %acc, %half : tensor<32x16xf16>
      %u = arith.subf %t, %less : tensor<32x16xf16>
      scf.yield %u : tensor<32x16xf16>
    } {tile.stages = STAGES : i32}
    tile.store %r, %o[%trips, %c0, %c0] [1, 32, 16] : tensor<32x16xf16>, memref<10x32x16xf16>
  }
  return
}

// Boxes begin before the matrix and, from the fifth iteration on, end behind it.
// CHECK-LABEL: "name": "edges_0"
// CHECK: "stages": [[STAGES]],
// CHECK-NEXT: "reason": "Pipelined: [[STAGES]] stages, 1 copies run ahead"
// ONE-LABEL: "name": "edges_0"
// ONE: "stages": 1,
// ONE-NEXT: "reason": "Pipelined: 1 stage, 1 copies run ahead"
func.func private @edges(%a: memref<32x320xf16>, %o: memref<10x40x24xf16>, %trips: index) {
  %g = arith.constant 1 : index
  tile.launch blocks(%x) in (%g) threads(THREADS) {
    %c0 = arith.constant 0 : index
    %m4 = arith.constant -4 : index
    %m8 = arith.constant -8 : index
    %c72 = arith.constant 72 : index
    %length = arith.muli %trips, %c72 : index
    %end = arith.addi %length, %m8 : index
    %zero = arith.constant dense<1.0> : tensor<40x24xf16>
    %s = tile.alloc : memref<40x24xf16, #shared>
    %r = scf.for %k = %m8 to %end step %c72 iter_args(%acc = %zero) -> (tensor<40x24xf16>) {
      tile.copy %a[%m4, %k] to %s : memref<32x320xf16> to memref<40x24xf16, #shared>
      %t = tile.load %s : memref<40x24xf16, #shared> -> tensor<40x24xf16>
      %u = arith.subf %t, %acc : tensor<40x24xf16>
      scf.yield %u : tensor<40x24xf16>
    } {tile.stages = STAGES : i32}
    tile.store %r, %o[%trips, %c0, %c0] [1, 40, 24] : tensor<40x24xf16>, memref<10x40x24xf16>
  }
  return
}

// The second loop starts from the first's result.
// CHECK-LABEL: "name": "two_loops_0"
// CHECK: "stages": [[STAGES]],
// CHECK-NEXT: "reason": "Pipelined: [[STAGES]] stages, 1 copies run ahead"
// CHECK: "stages": [[STAGES]],
// CHECK-NEXT: "reason": "Pipelined: [[STAGES]] stages, 1 copies run ahead"
// ONE-LABEL: "name": "two_loops_0"
// ONE: "stages": 1,
// ONE-NEXT: "reason": ""
// ONE: "stages": 1,
// ONE-NEXT: "reason": ""
func.func private @two_loops(%a: memref<32x320xf16>, %b: memref<320x32xf16>, %o: memref<10x32x32xf32>, %trips: index) {
  %g = arith.constant 1 : index
  tile.launch blocks(%x) in (%g) threads(THREADS) {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %end = arith.muli %trips, %c32 : index
    %zero = arith.constant dense<0.0> : tensor<32x32xf32>
    %s = tile.alloc : memref<32x32xf16, #shared>
    %t = tile.alloc : memref<32x32xf16, #shared>
    %r = scf.for %k = %c0 to %end step %c32 iter_args(%acc = %zero) -> (tensor<32x32xf32>) {
      tile.copy %a[%c0, %k] to %s : memref<32x320xf16> to memref<32x32xf16, #shared>
      %d = tile.gemm %s, %s, %acc {transpose_b} : memref<32x32xf16, #shared>, memref<32x32xf16, #shared> -> tensor<32x32xf32>
      scf.yield %d : tensor<32x32xf32>
    } {tile.stages = STAGES : i32}
    %r2 = scf.for %k = %c0 to %end step %c32 iter_args(%acc = %r) -> (tensor<32x32xf32>) {
      tile.copy %b[%k, %c0] to %t : memref<320x32xf16> to memref<32x32xf16, #shared>
      %d = tile.gemm %t, %t, %acc {transpose_a} : memref<32x32xf16, #shared>, memref<32x32xf16, #shared> -> tensor<32x32xf32>
      scf.yield %d : tensor<32x32xf32>
    } {tile.stages = STAGES : i32}
    tile.store %r2, %o[%trips, %c0, %c0] [1, 32, 32] : tensor<32x32xf32>, memref<10x32x32xf32>
  }
  return
}

// The inner loop is begun three times.
// CHECK-LABEL: "name": "nested_0"
// CHECK: "stages": 1,
// CHECK-NEXT: "reason": ""
// CHECK: "stages": [[STAGES]],
// CHECK-NEXT: "reason": "Pipelined: [[STAGES]] stages, 1 copies run ahead"
// ONE-LABEL: "name": "nested_0"
// ONE: "stages": 1,
// ONE-NEXT: "reason": ""
// ONE: "stages": 1,
// ONE-NEXT: "reason": "Pipelined: 1 stage, 1 copies run ahead"
func.func private @nested(%b: memref<320x32xf16>, %o: memref<10x32x32xf16>, %trips: index) {
  %g = arith.constant 1 : index
  tile.launch blocks(%x) in (%g) threads(THREADS) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c16 = arith.constant 16 : index
    %zero = arith.constant dense<0.0> : tensor<32x32xf16>
    %s = tile.alloc : memref<32x32xf16, #shared>
    %r = scf.for %j = %c0 to %c3 step %c1 iter_args(%outer = %zero) -> (tensor<32x32xf16>) {
      %base = arith.muli %j, %c16 : index
      %inner = scf.for %k = %c0 to %trips step %c1 iter_args(%acc = %outer) -> (tensor<32x32xf16>) {
        %away = arith.muli %k, %c16 : index
        %row = arith.addi %base, %away : index
        tile.copy %b[%row, %c0] to %s : memref<320x32xf16> to memref<32x32xf16, #shared>
        %t = tile.load %s : memref<32x32xf16, #shared> -> tensor<32x32xf16>
        %u = tile.transpose %t [1, 0] : tensor<32x32xf16> -> tensor<32x32xf16>
        %v = arith.subf %u, %acc : tensor<32x32xf16>
        scf.yield %v : tensor<32x32xf16>
      } {tile.stages = STAGES : i32}
      scf.yield %inner : tensor<32x32xf16>
    }
    tile.store %r, %o[%trips, %c0, %c0] [1, 32, 32] : tensor<32x32xf16>, memref<10x32x32xf16>
  }
  return
}

// A copy that converts goes through registers.
// CHECK-LABEL: "name": "partial_0"
// CHECK: "stages": [[STAGES]],
// CHECK-NEXT: "reason": "Pipelined: [[STAGES]] stages, 2 copies run ahead"
// ONE-LABEL: "name": "partial_0"
// ONE: "stages": 1,
// ONE-NEXT: "reason": "Pipelined: 1 stage, 2 copies run ahead"
func.func private @partial(%a: memref<32x320xf16>, %o: memref<10x32x16xf32>, %trips: index) {
  %g = arith.constant 1 : index
  tile.launch blocks(%x) in (%g) threads(THREADS) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %zero = arith.constant dense<0.0> : tensor<32x16xf32>
    %s = tile.alloc : memref<32x16xf16, #shared>
    %wide = tile.alloc : memref<32x16xf32, #shared>
    %r = scf.for %k = %c0 to %trips step %c1 iter_args(%acc = %zero) -> (tensor<32x16xf32>) {
      %at = arith.muli %k, %c16 : index
      %after = arith.addi %at, %c16 : index
      tile.copy %a[%c0, %at] to %s : memref<32x320xf16> to memref<32x16xf16, #shared>
      tile.copy %a[%c0, %after] to %wide : memref<32x320xf16> to memref<32x16xf32, #shared>
      %t = tile.load %s : memref<32x16xf16, #shared> -> tensor<32x16xf32>
      %u = tile.load %wide : memref<32x16xf32, #shared> -> tensor<32x16xf32>
      %v = arith.subf %t, %u : tensor<32x16xf32>
      %w = arith.subf %v, %acc : tensor<32x16xf32>
      scf.yield %w : tensor<32x16xf32>
    } {tile.stages = STAGES : i32}
    tile.store %r, %o[%trips, %c0, %c0] [1, 32, 16] : tensor<32x16xf32>, memref<10x32x16xf32>
  }
  return
}

// Odd iterations fill the buffer from elsewhere.
// CHECK-LABEL: "name": "guarded_0"
// CHECK: "stages": [[STAGES]],
// CHECK-NEXT: "reason": "Pipelined: [[STAGES]] stages, 1 copies run ahead"
// ONE-LABEL: "name": "guarded_0"
// ONE: "stages": 1,
// ONE-NEXT: "reason": "Pipelined: 1 stage, 1 copies run ahead"
func.func private @guarded(%a: memref<32x320xf16>, %o: memref<10x32x16xf16>, %trips: index) {
  %g = arith.constant 1 : index
  tile.launch blocks(%x) in (%g) threads(THREADS) {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %i0 = arith.constant 0 : i32
    %i1 = arith.constant 1 : i32
    %end = arith.index_cast %trips : index to i32
    %zero = arith.constant dense<0.0> : tensor<32x16xf16>
    %s = tile.alloc : memref<32x16xf16, #shared>
    %r = scf.for %k = %i0 to %end step %i1 iter_args(%acc = %zero) -> (tensor<32x16xf16>) : i32 {
      %bit = arith.andi %k, %i1 : i32
      %odd = arith.cmpi eq, %bit, %i1 : i32
      %n = arith.index_cast %k : i32 to index
      %at = arith.muli %n, %c16 : index
      scf.if %odd {
        %before = arith.subi %at, %c16 : index
        tile.copy %a[%c0, %before] to %s : memref<32x320xf16> to memref<32x16xf16, #shared>
      } else {
        tile.copy %a[%c0, %at] to %s : memref<32x320xf16> to memref<32x16xf16, #shared>
      }
      %t = tile.load %s : memref<32x16xf16, #shared> -> tensor<32x16xf16>
      %half = arith.constant dense<0.5> : tensor<32x16xf16>
      %less = arith.mulf %acc, %half : tensor<32x16xf16>
      %u = arith.subf %t, %less : tensor<32x16xf16>
      scf.yield %u : tensor<32x16xf16>
    } {tile.stages = STAGES : i32}
    tile.store %r, %o[%trips, %c0, %c0] [1, 32, 16] : tensor<32x16xf16>, memref<10x32x16xf16>
  }
  return
}

// Both loops fill one buffer, and each gets slots of its own.
// CHECK-LABEL: "name": "one_buffer_0"
// CHECK: "stages": [[STAGES]],
// CHECK-NEXT: "reason": "Pipelined: [[STAGES]] stages, 1 copies run ahead"
// CHECK: "stages": [[STAGES]],
// CHECK-NEXT: "reason": "Pipelined: [[STAGES]] stages, 1 copies run ahead"
// ONE-LABEL: "name": "one_buffer_0"
// ONE: "stages": 1,
// ONE-NEXT: "reason": ""
// ONE: "stages": 1,
// ONE-NEXT: "reason": ""
func.func private @one_buffer(%a: memref<32x320xf16>, %b: memref<320x32xf16>, %o: memref<10x32x32xf32>, %trips: index) {
  %g = arith.constant 1 : index
  tile.launch blocks(%x) in (%g) threads(THREADS) {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %end = arith.muli %trips, %c32 : index
    %zero = arith.constant dense<0.0> : tensor<32x32xf32>
    %s = tile.alloc : memref<32x32xf16, #shared>
    %r = scf.for %k = %c0 to %end step %c32 iter_args(%acc = %zero) -> (tensor<32x32xf32>) {
      tile.copy %a[%c0, %k] to %s : memref<32x320xf16> to memref<32x32xf16, #shared>
      %d = tile.gemm %s, %s, %acc {transpose_b} : memref<32x32xf16, #shared>, memref<32x32xf16, #shared> -> tensor<32x32xf32>
      scf.yield %d : tensor<32x32xf32>
    } {tile.stages = STAGES : i32}
    %r2 = scf.for %k = %c0 to %end step %c32 iter_args(%acc = %r) -> (tensor<32x32xf32>) {
      tile.copy %b[%k, %c0] to %s : memref<320x32xf16> to memref<32x32xf16, #shared>
      %d = tile.gemm %s, %s, %acc {transpose_a} : memref<32x32xf16, #shared>, memref<32x32xf16, #shared> -> tensor<32x32xf32>
      scf.yield %d : tensor<32x32xf32>
    } {tile.stages = STAGES : i32}
    tile.store %r2, %o[%trips, %c0, %c0] [1, 32, 32] : tensor<32x32xf32>, memref<10x32x32xf32>
  }
  return
}

// An inner loop fills the buffer piece by piece.
// CHECK-LABEL: "name": "inner_fill_0"
// CHECK: "stages": [[STAGES]],
// CHECK-NEXT: "reason": "Pipelined: [[STAGES]] stages, 1 copies run ahead"
// CHECK: "stages": 1,
// CHECK-NEXT: "reason": ""
// ONE-LABEL: "name": "inner_fill_0"
// ONE: "stages": 1,
// ONE-NEXT: "reason": "Pipelined: 1 stage, 1 copies run ahead"
// ONE: "stages": 1,
// ONE-NEXT: "reason": ""
func.func private @inner_fill(%b: memref<320x32xf16>, %o: memref<10x32x32xf16>, %trips: index) {
  %g = arith.constant 1 : index
  tile.launch blocks(%x) in (%g) threads(THREADS) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant dense<0.0> : tensor<32x32xf16>
    %s = tile.alloc : memref<32x32xf16, #shared>
    %r = scf.for %k = %c0 to %trips step %c1 iter_args(%acc = %zero) -> (tensor<32x32xf16>) {
      %base = arith.muli %k, %c32 : index
      scf.for %piece = %c0 to %c4 step %c1 {
        %row = arith.muli %piece, %c8 : index
        %from = arith.addi %base, %row : index
        tile.copy %b[%from, %c0] [8, 32] to %s[%row, %c0] : memref<320x32xf16> to memref<32x32xf16, #shared>
      }
      %t = tile.load %s : memref<32x32xf16, #shared> -> tensor<32x32xf16>
      %u = tile.transpose %t [1, 0] : tensor<32x32xf16> -> tensor<32x32xf16>
      %v = arith.maximumf %acc, %u : tensor<32x32xf16>
      scf.yield %v : tensor<32x32xf16>
    } {tile.stages = STAGES : i32}
    tile.store %r, %o[%trips, %c0, %c0] [1, 32, 32] : tensor<32x32xf16>, memref<10x32x32xf16>
  }
  return
}

// Nothing goes through shared memory: the next fragment is loaded ahead.
// CHECK-LABEL: "name": "fragments_0"
// CHECK: "stages": [[STAGES]],
// CHECK-NEXT: "reason": "Pipelined: [[STAGES]] stages, {{[01]}} copies run ahead"
// ONE-LABEL: "name": "fragments_0"
// ONE: "stages": 1,
// ONE-NEXT: "reason": ""
func.func private @fragments(%a: memref<32x320xf16>, %o: memref<10x32x16xf16>, %trips: index) {
  %g = arith.constant 1 : index
  tile.launch blocks(%x) in (%g) threads(THREADS) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %zero = arith.constant dense<0.0> : tensor<32x16xf16>
    %r = scf.for %k = %c0 to %trips step %c1 iter_args(%acc = %zero) -> (tensor<32x16xf16>) {
      %at = arith.muli %k, %c16 : index
      %t = tile.load %a[%c0, %at] : memref<32x320xf16> -> tensor<32x16xf16>
      %u = arith.subf %t, %acc : tensor<32x16xf16>
      scf.yield %u : tensor<32x16xf16>
    } {tile.stages = STAGES : i32}
    tile.store %r, %o[%trips, %c0, %c0] [1, 32, 16] : tensor<32x16xf16>, memref<10x32x16xf16>
  }
  return
}
