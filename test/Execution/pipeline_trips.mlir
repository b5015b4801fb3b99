// Pipelined loops of 1 to 4 stages at every trip count from 0 to 2 * stages + 1: the
// host runs each launch once for each count. Products, transposed reads, bounds and
// steps that only the launch knows, i32 counters, copies under a condition, two loops
// that fill one buffer, a buffer filled by an inner loop, loads into fragments.
// DEFINE: %{stages} =
// DEFINE: %{threads} =
// DEFINE: %{run} = sed -e 's/STAGES/%{stages}/g; s/THREADS/%{threads}/g' %s | tile-run - --on=emulator --check
// REDEFINE: %{stages} = 1
// REDEFINE: %{threads} = 32
// RUN: %{run} --entry=all --chip=sm_80 --scalar=2:3
// RUN: %{run} --entry=all --chip=sm_90a --scalar=2:3
// REDEFINE: %{stages} = 2
// REDEFINE: %{threads} = 64
// RUN: %{run} --entry=all --chip=sm_80 --scalar=2:5
// RUN: %{run} --entry=all --chip=sm_90a --scalar=2:5
// REDEFINE: %{stages} = 3
// REDEFINE: %{threads} = 96
// RUN: %{run} --entry=all --chip=sm_80 --scalar=2:7
// RUN: %{run} --entry=all --chip=sm_90a --scalar=2:7
// REDEFINE: %{stages} = 4
// REDEFINE: %{threads} = 256
// RUN: %{run} --entry=all --chip=sm_80 --scalar=2:9
// RUN: %{run} --entry=all --chip=sm_90a --scalar=2:9
#shared = #gpu.address_space<workgroup>

func.func @all(%a: memref<32x320xf16>, %b: memref<320x32xf16>, %last: index,
    %o: memref<10x32x32xf32>, %p: memref<10x16x32xf16>, %q: memref<10x32x16xf16>,
    %r: memref<10x32x32xf32>, %s: memref<10x32x32xf16>, %t: memref<10x32x16xf16>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %end = arith.addi %last, %one : index
  scf.for %trips = %zero to %end step %one {
    func.call @product(%a, %b, %o, %trips) : (memref<32x320xf16>, memref<320x32xf16>, memref<10x32x32xf32>, index) -> ()
    func.call @transposed(%a, %p, %trips) : (memref<32x320xf16>, memref<10x16x32xf16>, index) -> ()
    func.call @guarded(%a, %q, %trips) : (memref<32x320xf16>, memref<10x32x16xf16>, index) -> ()
    func.call @two_loops(%a, %b, %r, %trips) : (memref<32x320xf16>, memref<320x32xf16>, memref<10x32x32xf32>, index) -> ()
    func.call @inner_fill(%b, %s, %trips) : (memref<320x32xf16>, memref<10x32x32xf16>, index) -> ()
    func.call @fragments(%a, %t, %trips) : (memref<32x320xf16>, memref<10x32x16xf16>, index) -> ()
  }
  return
}

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

// The start and the step come from memory sizes; iterations read what others loaded.
func.func private @transposed(%a: memref<32x320xf16>, %o: memref<10x16x32xf16>, %trips: index) {
  %g = arith.constant 1 : index
  tile.launch blocks(%x) in (%g) threads(THREADS) {
    %c0 = arith.constant 0 : index
    %c5 = arith.constant 5 : index
    %c12 = arith.constant 12 : index
    %c13 = arith.constant 13 : index
    %few = arith.minui %trips, %c12 : index
    %step = arith.addi %few, %c13 : index
    %length = arith.muli %trips, %step : index
    %end = arith.addi %length, %c5 : index
    %zero = arith.constant dense<0.0> : tensor<16x32xf16>
    %r = scf.for %k = %c5 to %end step %step iter_args(%acc = %zero) -> (tensor<16x32xf16>) {
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

// An i32 counter; odd iterations fill the buffer from elsewhere.
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

// Both loops fill one buffer; the second starts from the first's result.
func.func private @two_loops(%a: memref<32x320xf16>, %b: memref<320x32xf16>, %o: memref<10x32x32xf32>, %trips: index) {
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

// A loop of constant trips fills the buffer of each iteration piece by piece.
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
