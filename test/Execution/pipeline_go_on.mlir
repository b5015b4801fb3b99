// Two loops that fill one buffer, read behind both: the second one goes on with the uses of the
// first, from one time that both run to the next, whichever of them run no iteration.
// RUN: tile-run %s --entry=in_a_loop --on=emulator --chip=sm_80 --check --scalar=3:0 --scalar=4:0
// RUN: tile-run %s --entry=in_a_loop --on=emulator --chip=sm_90a --check --scalar=3:0 --scalar=4:0
// RUN: tile-run %s --entry=in_a_loop --on=emulator --chip=sm_80 --check --scalar=3:0 --scalar=4:3
// RUN: tile-run %s --entry=in_a_loop --on=emulator --chip=sm_90a --check --scalar=3:0 --scalar=4:3
// RUN: tile-run %s --entry=in_a_loop --on=emulator --chip=sm_80 --check --scalar=3:1 --scalar=4:0
// RUN: tile-run %s --entry=in_a_loop --on=emulator --chip=sm_90a --check --scalar=3:1 --scalar=4:0
// RUN: tile-run %s --entry=in_a_loop --on=emulator --chip=sm_80 --check --scalar=3:3 --scalar=4:2
// RUN: tile-run %s --entry=in_a_loop --on=emulator --chip=sm_90a --check --scalar=3:3 --scalar=4:2
// RUN: tile-run %s --entry=in_a_loop --on=emulator --chip=sm_80 --check --scalar=3:2 --scalar=4:7
// RUN: tile-run %s --entry=in_a_loop --on=emulator --chip=sm_90a --check --scalar=3:2 --scalar=4:7
// RUN: tile-run %s --entry=two_buffers --on=emulator --chip=sm_80 --check --scalar=3:0 --scalar=4:2
// RUN: tile-run %s --entry=two_buffers --on=emulator --chip=sm_90a --check --scalar=3:0 --scalar=4:2
// RUN: tile-run %s --entry=two_buffers --on=emulator --chip=sm_80 --check --scalar=3:4 --scalar=4:0
// RUN: tile-run %s --entry=two_buffers --on=emulator --chip=sm_90a --check --scalar=3:4 --scalar=4:0
// RUN: tile-run %s --entry=two_buffers --on=emulator --chip=sm_80 --check --scalar=3:3 --scalar=4:5
// RUN: tile-run %s --entry=two_buffers --on=emulator --chip=sm_90a --check --scalar=3:3 --scalar=4:5
// RUN: tile-run %s --entry=in_other_ways --on=emulator --chip=sm_80 --check --scalar=3:0 --scalar=4:2
// RUN: tile-run %s --entry=in_other_ways --on=emulator --chip=sm_90a --check --scalar=3:0 --scalar=4:2
// RUN: tile-run %s --entry=threads_first --on=emulator --chip=sm_90a --check --scalar=3:0 --scalar=4:2
// RUN: tile-run %s --entry=threads_first --on=emulator --chip=sm_90a --check --scalar=3:3 --scalar=4:0
// RUN: tile-run %s --entry=threads_first --on=emulator --chip=sm_90a --check --scalar=3:2 --scalar=4:3
// RUN: tile-run %s --entry=written_between --on=emulator --chip=sm_80 --check --scalar=3:0 --scalar=4:2
// RUN: tile-run %s --entry=written_between --on=emulator --chip=sm_90a --check --scalar=3:0 --scalar=4:2
// RUN: tile-run %s --entry=in_other_ways --on=emulator --chip=sm_80 --check --scalar=3:3 --scalar=4:0
// RUN: tile-run %s --entry=in_other_ways --on=emulator --chip=sm_90a --check --scalar=3:3 --scalar=4:0
// RUN: tile-run %s --entry=written_between --on=emulator --chip=sm_80 --check --scalar=3:3 --scalar=4:0
// RUN: tile-run %s --entry=written_between --on=emulator --chip=sm_90a --check --scalar=3:3 --scalar=4:0
// RUN: tile-run %s --entry=in_other_ways --on=emulator --chip=sm_80 --check --scalar=3:2 --scalar=4:3
// RUN: tile-run %s --entry=in_other_ways --on=emulator --chip=sm_90a --check --scalar=3:2 --scalar=4:3
// RUN: tile-run %s --entry=written_between --on=emulator --chip=sm_80 --check --scalar=3:2 --scalar=4:3
// RUN: tile-run %s --entry=written_between --on=emulator --chip=sm_90a --check --scalar=3:2 --scalar=4:3
// RUN: tile-run %s --entry=one_each --on=emulator --chip=sm_80 --check --scalar=3:0 --scalar=4:0
// RUN: tile-run %s --entry=one_each --on=emulator --chip=sm_90a --check --scalar=3:0 --scalar=4:0
// RUN: tile-run %s --entry=one_each --on=emulator --chip=sm_80 --check --scalar=3:0 --scalar=4:4
// RUN: tile-run %s --entry=one_each --on=emulator --chip=sm_90a --check --scalar=3:0 --scalar=4:4
// RUN: tile-run %s --entry=one_each --on=emulator --chip=sm_80 --check --scalar=3:3 --scalar=4:5
// RUN: tile-run %s --entry=one_each --on=emulator --chip=sm_90a --check --scalar=3:3 --scalar=4:5
// RUN: tile-run %s --entry=in_a_loop --on=reference --check-stages --chip=sm_80 --scalar=3:3 --scalar=4:4
// RUN: tile-run %s --entry=in_a_loop --on=reference --check-stages --chip=sm_90a --scalar=3:3 --scalar=4:4
// RUN: tile-run %s --entry=written_between --on=reference --check-stages --chip=sm_90a --scalar=3:2 --scalar=4:3
// RUN: tile-opt %s --emit=report --chip=sm_80 | FileCheck %s
// RUN: tile-opt %s --emit=report --chip=sm_90a | FileCheck %s --check-prefixes=CHECK,BULK
#shared = #gpu.address_space<workgroup>

// CHECK-LABEL: kernel in_a_loop
// CHECK: 3 stages: Pipelined: 3 stages, 1 copies run ahead
// CHECK-NEXT: prologue
// CHECK-NEXT: 2 stages: Pipelined: 2 stages, 1 copies run ahead
func.func @in_a_loop(%A: memref<512x32xf16>, %B: memref<512x32xf16>, %O: memref<32x32xf32>, %n: index, %m: index) {
  %h1 = arith.constant 1 : index
  tile.launch @in_a_loop blocks(%bx) in (%h1) threads(128) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant dense<0.0> : tensor<32x32xf32>
    %rounds = arith.constant 2 : index
    %z = scf.for %u = %c0 to %rounds step %c1 iter_args(%o = %zero) -> (tensor<32x32xf32>) {
      %at = arith.muli %u, %c32 : index
      %a = tile.alloc : memref<32x32xf16, #shared>
      tile.copy %A[%at, %c0] to %a : memref<512x32xf16> to memref<32x32xf16, #shared>
      %p = tile.gemm %a, %a, %o : memref<32x32xf16, #shared>, memref<32x32xf16, #shared> -> tensor<32x32xf32>
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%in = %p) -> (tensor<32x32xf32>) {
        %k = arith.muli %i, %c32 : index
        tile.copy %A[%k, %c0] to %a : memref<512x32xf16> to memref<32x32xf16, #shared>
        %d = tile.gemm %a, %a, %in : memref<32x32xf16, #shared>, memref<32x32xf16, #shared> -> tensor<32x32xf32>
        scf.yield %d : tensor<32x32xf32>
      } {tile.stages = 3 : i32}
      %q = tile.gemm %a, %a, %r : memref<32x32xf16, #shared>, memref<32x32xf16, #shared> -> tensor<32x32xf32>
      %s = scf.for %i = %c0 to %m step %c1 iter_args(%in = %q) -> (tensor<32x32xf32>) {
        %k = arith.muli %i, %c32 : index
        tile.copy %B[%k, %c0] to %a : memref<512x32xf16> to memref<32x32xf16, #shared>
        %d = tile.gemm %a, %a, %in : memref<32x32xf16, #shared>, memref<32x32xf16, #shared> -> tensor<32x32xf32>
        scf.yield %d : tensor<32x32xf32>
      } {tile.stages = 2 : i32}
      %x = tile.gemm %a, %a, %s : memref<32x32xf16, #shared>, memref<32x32xf16, #shared> -> tensor<32x32xf32>
      scf.yield %x : tensor<32x32xf32>
    }
    tile.store %z, %O : tensor<32x32xf32>, memref<32x32xf32>
  }
  return
}

// CHECK-LABEL: kernel two_buffers
// CHECK: 2 stages: Pipelined: 2 stages, 2 copies run ahead
// CHECK-NEXT: prologue
// CHECK-NEXT: 4 stages: Pipelined: 4 stages, 2 copies run ahead
func.func @two_buffers(%A: memref<512x32xf16>, %B: memref<512x32xf16>, %O: memref<32x32xf32>, %n: index, %m: index) {
  %h1 = arith.constant 1 : index
  tile.launch @two_buffers blocks(%bx) in (%h1) threads(128) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant dense<0.0> : tensor<32x32xf32>
      %a = tile.alloc : memref<32x32xf16, #shared>
      %b = tile.alloc : memref<32x32xf16, #shared>
      tile.copy %A[%c0, %c0] to %a : memref<512x32xf16> to memref<32x32xf16, #shared>
      tile.copy %A[%c0, %c0] to %b : memref<512x32xf16> to memref<32x32xf16, #shared>
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%in = %zero) -> (tensor<32x32xf32>) {
        %k = arith.muli %i, %c32 : index
        tile.copy %A[%k, %c0] to %a : memref<512x32xf16> to memref<32x32xf16, #shared>
        tile.copy %B[%k, %c0] to %b : memref<512x32xf16> to memref<32x32xf16, #shared>
        %d = tile.gemm %a, %b, %in : memref<32x32xf16, #shared>, memref<32x32xf16, #shared> -> tensor<32x32xf32>
        scf.yield %d : tensor<32x32xf32>
      } {tile.stages = 2 : i32}
      %s = scf.for %i = %c0 to %m step %c1 iter_args(%in = %r) -> (tensor<32x32xf32>) {
        %k = arith.muli %i, %c32 : index
        tile.copy %B[%k, %c0] to %a : memref<512x32xf16> to memref<32x32xf16, #shared>
        tile.copy %A[%k, %c0] to %b : memref<512x32xf16> to memref<32x32xf16, #shared>
        %d = tile.gemm %a, %b, %in : memref<32x32xf16, #shared>, memref<32x32xf16, #shared> -> tensor<32x32xf32>
        scf.yield %d : tensor<32x32xf32>
      } {tile.stages = 4 : i32}
      %x = tile.gemm %a, %b, %s : memref<32x32xf16, #shared>, memref<32x32xf16, #shared> -> tensor<32x32xf32>
      tile.store %x, %O : tensor<32x32xf32>, memref<32x32xf32>
  }
  return
}

// An mbarrier counts the copies of one loop only: bulk copies do not make those of the other, whose
// rows are not aligned.
// CHECK-LABEL: kernel in_other_ways
// BULK: bulk copies, which an mbarrier counts, fill it in one loop and others in another; give each loop a buffer of its own
func.func @in_other_ways(%A: memref<512x32xf16>, %B: memref<512x33xf16>, %O: memref<32x32xf32>, %n: index, %m: index) {
  %h1 = arith.constant 1 : index
  tile.launch @in_other_ways blocks(%bx) in (%h1) threads(128) attributes {warp_specialize = #tile.warp_specialize<off>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant dense<0.0> : tensor<32x32xf32>
      %a = tile.alloc : memref<32x32xf16, #shared>
      tile.copy %A[%c0, %c0] to %a : memref<512x32xf16> to memref<32x32xf16, #shared>
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%in = %zero) -> (tensor<32x32xf32>) {
        %k = arith.muli %i, %c32 : index
        tile.copy %A[%k, %c0] to %a : memref<512x32xf16> to memref<32x32xf16, #shared>
        %d = tile.gemm %a, %a, %in : memref<32x32xf16, #shared>, memref<32x32xf16, #shared> -> tensor<32x32xf32>
        scf.yield %d : tensor<32x32xf32>
      } {tile.stages = 2 : i32}
      %s = scf.for %i = %c0 to %m step %c1 iter_args(%in = %r) -> (tensor<32x32xf32>) {
        %k = arith.muli %i, %c32 : index
        tile.copy %B[%k, %c0] to %a : memref<512x33xf16> to memref<32x32xf16, #shared>
        %d = tile.gemm %a, %a, %in : memref<32x32xf16, #shared>, memref<32x32xf16, #shared> -> tensor<32x32xf32>
        scf.yield %d : tensor<32x32xf32>
      } {tile.stages = 2 : i32}
      %x = tile.gemm %a, %a, %s : memref<32x32xf16, #shared>, memref<32x32xf16, #shared> -> tensor<32x32xf32>
      tile.store %x, %O : tensor<32x32xf32>, memref<32x32xf32>
  }
  return
}

// So does what comes behind them, though a bulk copy could fill the slot in front of both.
// CHECK-LABEL: kernel threads_first
// BULK: bulk copies, which an mbarrier counts, fill it in one loop and others in another; give each loop a buffer of its own
func.func @threads_first(%A: memref<512x32xf16>, %B: memref<512x33xf16>, %O: memref<32x32xf32>, %n: index, %m: index) {
  %h1 = arith.constant 1 : index
  tile.launch @threads_first blocks(%bx) in (%h1) threads(128) attributes {warp_specialize = #tile.warp_specialize<off>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant dense<0.0> : tensor<32x32xf32>
      %a = tile.alloc : memref<32x32xf16, #shared>
      tile.copy %A[%c0, %c0] to %a : memref<512x32xf16> to memref<32x32xf16, #shared>
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%in = %zero) -> (tensor<32x32xf32>) {
        %k = arith.muli %i, %c32 : index
        tile.copy %B[%k, %c0] to %a : memref<512x33xf16> to memref<32x32xf16, #shared>
        %d = tile.gemm %a, %a, %in : memref<32x32xf16, #shared>, memref<32x32xf16, #shared> -> tensor<32x32xf32>
        scf.yield %d : tensor<32x32xf32>
      } {tile.stages = 2 : i32}
      %s = scf.for %i = %c0 to %m step %c1 iter_args(%in = %r) -> (tensor<32x32xf32>) {
        %k = arith.muli %i, %c32 : index
        tile.copy %A[%k, %c0] to %a : memref<512x32xf16> to memref<32x32xf16, #shared>
        %d = tile.gemm %a, %a, %in : memref<32x32xf16, #shared>, memref<32x32xf16, #shared> -> tensor<32x32xf32>
        scf.yield %d : tensor<32x32xf32>
      } {tile.stages = 2 : i32}
      %x = tile.gemm %a, %a, %s : memref<32x32xf16, #shared>, memref<32x32xf16, #shared> -> tensor<32x32xf32>
      tile.store %x, %O : tensor<32x32xf32>, memref<32x32xf32>
  }
  return
}

// Threads change the slot that is held between the loops.
// CHECK-LABEL: kernel written_between
// CHECK: 3 stages: Pipelined: 3 stages, 1 copies run ahead
// CHECK-NEXT: prologue
// CHECK-NEXT: 3 stages: Pipelined: 3 stages, 1 copies run ahead
func.func @written_between(%A: memref<512x32xf16>, %B: memref<512x32xf16>, %O: memref<32x32xf32>, %n: index, %m: index) {
  %h1 = arith.constant 1 : index
  tile.launch @written_between blocks(%bx) in (%h1) threads(128) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant dense<0.0> : tensor<32x32xf32>
    %rounds = arith.constant 2 : index
    %z = scf.for %u = %c0 to %rounds step %c1 iter_args(%o = %zero) -> (tensor<32x32xf32>) {
      %at = arith.muli %u, %c32 : index
      %a = tile.alloc : memref<32x32xf16, #shared>
      tile.copy %A[%at, %c0] to %a : memref<512x32xf16> to memref<32x32xf16, #shared>
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%in = %o) -> (tensor<32x32xf32>) {
        %k = arith.muli %i, %c32 : index
        tile.copy %A[%k, %c0] to %a : memref<512x32xf16> to memref<32x32xf16, #shared>
        %d = tile.gemm %a, %a, %in : memref<32x32xf16, #shared>, memref<32x32xf16, #shared> -> tensor<32x32xf32>
        scf.yield %d : tensor<32x32xf32>
      } {tile.stages = 3 : i32}
      %l = tile.load %a : memref<32x32xf16, #shared> -> tensor<32x32xf16>
      %h = arith.constant dense<0.5> : tensor<32x32xf16>
      %w = arith.mulf %l, %h : tensor<32x32xf16>
      tile.store %w, %a : tensor<32x32xf16>, memref<32x32xf16, #shared>
      %s = scf.for %i = %c0 to %m step %c1 iter_args(%in = %r) -> (tensor<32x32xf32>) {
        %k = arith.muli %i, %c32 : index
        tile.copy %B[%k, %c0] to %a : memref<512x32xf16> to memref<32x32xf16, #shared>
        %d = tile.gemm %a, %a, %in : memref<32x32xf16, #shared>, memref<32x32xf16, #shared> -> tensor<32x32xf32>
        scf.yield %d : tensor<32x32xf32>
      } {tile.stages = 3 : i32}
      %x = tile.gemm %a, %a, %s : memref<32x32xf16, #shared>, memref<32x32xf16, #shared> -> tensor<32x32xf32>
      scf.yield %x : tensor<32x32xf32>
    }
    tile.store %z, %O : tensor<32x32xf32>, memref<32x32xf32>
  }
  return
}

// Two buffers whose uses have one number behind the first loop: the second loop goes on with one of
// them, the third with the other.
// CHECK-LABEL: kernel one_each
// CHECK-COUNT-3: stages: Pipelined: {{[23]}} stages
func.func @one_each(%A: memref<512x32xf16>, %B: memref<512x32xf16>, %O: memref<32x32xf32>, %n: index, %m: index) {
  %h1 = arith.constant 1 : index
  tile.launch @one_each blocks(%bx) in (%h1) threads(128) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant dense<0.0> : tensor<32x32xf32>
    %a = tile.alloc : memref<32x32xf16, #shared>
    %b = tile.alloc : memref<32x32xf16, #shared>
    tile.copy %A[%c0, %c0] to %a : memref<512x32xf16> to memref<32x32xf16, #shared>
    tile.copy %B[%c0, %c0] to %b : memref<512x32xf16> to memref<32x32xf16, #shared>
    %first = tile.gemm %a, %b, %zero : memref<32x32xf16, #shared>, memref<32x32xf16, #shared> -> tensor<32x32xf32>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%in = %first) -> (tensor<32x32xf32>) {
      %k = arith.muli %i, %c32 : index
      tile.copy %A[%k, %c0] to %a : memref<512x32xf16> to memref<32x32xf16, #shared>
      tile.copy %B[%k, %c0] to %b : memref<512x32xf16> to memref<32x32xf16, #shared>
      %d = tile.gemm %a, %b, %in : memref<32x32xf16, #shared>, memref<32x32xf16, #shared> -> tensor<32x32xf32>
      scf.yield %d : tensor<32x32xf32>
    } {tile.stages = 3 : i32}
    %s = scf.for %i = %c0 to %m step %c1 iter_args(%in = %r) -> (tensor<32x32xf32>) {
      %k = arith.muli %i, %c32 : index
      tile.copy %B[%k, %c0] to %a : memref<512x32xf16> to memref<32x32xf16, #shared>
      %d = tile.gemm %a, %b, %in : memref<32x32xf16, #shared>, memref<32x32xf16, #shared> -> tensor<32x32xf32>
      scf.yield %d : tensor<32x32xf32>
    } {tile.stages = 3 : i32}
    %t = scf.for %i = %c0 to %n step %c1 iter_args(%in = %s) -> (tensor<32x32xf32>) {
      %k = arith.muli %i, %c32 : index
      tile.copy %A[%k, %c0] to %b : memref<512x32xf16> to memref<32x32xf16, #shared>
      %d = tile.gemm %a, %b, %in : memref<32x32xf16, #shared>, memref<32x32xf16, #shared> -> tensor<32x32xf32>
      scf.yield %d : tensor<32x32xf32>
    } {tile.stages = 2 : i32}
    %last = tile.gemm %b, %a, %t : memref<32x32xf16, #shared>, memref<32x32xf16, #shared> -> tensor<32x32xf32>
    tile.store %last, %O : tensor<32x32xf32>, memref<32x32xf32>
  }
  return
}
