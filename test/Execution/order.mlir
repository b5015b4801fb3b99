// Copies and what reads them, in loops that a schedule and barriers must keep in
// order: every trip count around the number of stages, buffers that are read and
// refilled, several loops, nested loops, guarded bodies. The emulator's race
// checker sees a wait or barrier that is missing.
// RUN: tile-run %s --entry=stages --on=emulator --chip=sm_80 --check --scalar=3:0
// RUN: tile-run %s --entry=stages --on=emulator --chip=sm_90a --check --scalar=3:0
// RUN: tile-run %s --entry=stages --on=emulator --chip=sm_80 --check --scalar=3:1
// RUN: tile-run %s --entry=stages --on=emulator --chip=sm_90a --check --scalar=3:1
// RUN: tile-run %s --entry=stages --on=emulator --chip=sm_80 --check --scalar=3:2
// RUN: tile-run %s --entry=stages --on=emulator --chip=sm_90a --check --scalar=3:2
// RUN: tile-run %s --entry=stages --on=emulator --chip=sm_80 --check --scalar=3:3
// RUN: tile-run %s --entry=stages --on=emulator --chip=sm_90a --check --scalar=3:3
// RUN: tile-run %s --entry=stages --on=emulator --chip=sm_80 --check --scalar=3:4
// RUN: tile-run %s --entry=stages --on=emulator --chip=sm_90a --check --scalar=3:4
// RUN: tile-run %s --entry=stages --on=emulator --chip=sm_80 --check --scalar=3:9
// RUN: tile-run %s --entry=stages --on=emulator --chip=sm_90a --check --scalar=3:9
// RUN: tile-run %s --entry=stages --on=emulator --chip=sm_90a --check --scalar=3:7
// RUN: tile-run %s --entry=stages --on=emulator --chip=sm_80 --check --scalar=3:7
// RUN: tile-run %s --entry=nested --on=emulator --chip=sm_80 --check --scalar=2:3
// RUN: tile-run %s --entry=nested --on=emulator --chip=sm_90a --check --scalar=2:3
// RUN: tile-run %s --entry=guarded --on=emulator --chip=sm_80 --check --scalar=2:5
// RUN: tile-run %s --entry=guarded --on=emulator --chip=sm_90a --check --scalar=2:5
// RUN: tile-run %s --entry=in_place --on=emulator --chip=sm_80 --check --scalar=1:4
// RUN: tile-run %s --entry=in_place --on=emulator --chip=sm_90a --check --scalar=1:4
// RUN: tile-run %s --entry=before_and_after --on=emulator --chip=sm_80 --check --scalar=2:0
// RUN: tile-run %s --entry=before_and_after --on=emulator --chip=sm_90a --check --scalar=2:0
// RUN: tile-run %s --entry=before_and_after --on=emulator --chip=sm_80 --check --scalar=2:3
// RUN: tile-run %s --entry=before_and_after --on=emulator --chip=sm_90a --check --scalar=2:3
// RUN: tile-run %s --entry=one_buffer_two_loops --on=emulator --chip=sm_80 --check --scalar=2:4
// RUN: tile-run %s --entry=one_buffer_two_loops --on=emulator --chip=sm_90a --check --scalar=2:4
#shared = #gpu.address_space<workgroup>

// Two stages, three stages and none, over the same input.
func.func @stages(%a: memref<640x64xf32>, %o: memref<64x64xf32>, %p: memref<64x64xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %s = tile.alloc : memref<64x64xf32, #shared>
    %t = tile.alloc : memref<64x64xf32, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %r = scf.for %i = %c0 to %n step %one iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
      %row = arith.muli %i, %c64 : index
      tile.copy %a[%row, %c0] to %s : memref<640x64xf32> to memref<64x64xf32, #shared>
      %u = tile.parallel (%j, %k) in (64, 64) -> (tensor<64x64xf32>) {
        %e = memref.load %s[%k, %j] : memref<64x64xf32, #shared>
        tile.yield %e : f32
      }
      %v = arith.addf %acc, %u : tensor<64x64xf32>
      scf.yield %v : tensor<64x64xf32>
    } {tile.stages = 2 : i32}
    tile.store %r, %o : tensor<64x64xf32>, memref<64x64xf32>
    %q = scf.for %i = %c0 to %n step %one iter_args(%acc = %r) -> (tensor<64x64xf32>) {
      %row = arith.muli %i, %c64 : index
      tile.copy %a[%row, %c0] to %t : memref<640x64xf32> to memref<64x64xf32, #shared>
      %u = tile.parallel (%j, %k) in (64, 64) -> (tensor<64x64xf32>) {
        %e = memref.load %t[%k, %j] : memref<64x64xf32, #shared>
        tile.yield %e : f32
      }
      %v = arith.subf %acc, %u : tensor<64x64xf32>
      scf.yield %v : tensor<64x64xf32>
    } {tile.stages = 3 : i32}
    tile.store %q, %p : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// A pipelined loop in a loop that refills the buffer it starts from.
func.func @nested(%a: memref<256x64xf32>, %o: memref<64x64xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %q = tile.alloc : memref<64x64xf32, #shared>
    %s = tile.alloc : memref<64x64xf32, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %r = scf.for %i = %c0 to %n step %one iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
      %row = arith.muli %i, %c64 : index
      tile.copy %a[%row, %c0] to %q : memref<256x64xf32> to memref<64x64xf32, #shared>
      %w = scf.for %j = %c0 to %i step %one iter_args(%b = %acc) -> (tensor<64x64xf32>) {
        %inner = arith.muli %j, %c64 : index
        tile.copy %a[%inner, %c0] to %s : memref<256x64xf32> to memref<64x64xf32, #shared>
        %u = tile.parallel (%l, %k) in (64, 64) -> (tensor<64x64xf32>) {
          %e = memref.load %s[%k, %l] : memref<64x64xf32, #shared>
          %f = memref.load %q[%k, %l] : memref<64x64xf32, #shared>
          %g = arith.addf %e, %f : f32
          tile.yield %g : f32
        }
        %v = arith.addf %b, %u : tensor<64x64xf32>
        scf.yield %v : tensor<64x64xf32>
      } {tile.stages = 2 : i32}
      scf.yield %w : tensor<64x64xf32>
    }
    tile.store %r, %o : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// Every other iteration copies; the others read what is still there.
func.func @guarded(%a: memref<512x64xf32>, %o: memref<64x64xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %two = arith.constant 2 : index
    %c64 = arith.constant 64 : index
    %s = tile.alloc : memref<64x64xf32, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %r = scf.for %i = %c0 to %n step %one iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
      %m = arith.remui %i, %two : index
      %even = arith.cmpi eq, %m, %c0 : index
      scf.if %even {
        %row = arith.muli %i, %c64 : index
        tile.copy %a[%row, %c0] to %s : memref<512x64xf32> to memref<64x64xf32, #shared>
      }
      %u = tile.parallel (%j, %k) in (64, 64) -> (tensor<64x64xf32>) {
        %e = memref.load %s[%k, %j] : memref<64x64xf32, #shared>
        tile.yield %e : f32
      }
      %v = arith.addf %acc, %u : tensor<64x64xf32>
      scf.yield %v : tensor<64x64xf32>
    } {tile.stages = 2 : i32}
    tile.store %r, %o : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// The loop writes the memory that its next iteration copies from.
func.func @in_place(%a: memref<64x64xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %s = tile.alloc : memref<64x64xf32, #shared>
    scf.for %i = %c0 to %n step %one {
      tile.copy %a to %s : memref<64x64xf32> to memref<64x64xf32, #shared>
      %u = tile.parallel (%j, %k) in (64, 64) -> (tensor<64x64xf32>) {
        %e = memref.load %s[%k, %j] : memref<64x64xf32, #shared>
        %f = arith.addf %e, %e : f32
        tile.yield %f : f32
      }
      tile.store %u, %a : tensor<64x64xf32>, memref<64x64xf32>
    } {tile.stages = 3 : i32}
  }
  return
}

// A buffer filled before the loop, read in it and after it, beside one that the
// loop fills.
func.func @before_and_after(%a: memref<512x64xf32>, %o: memref<64x64xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %q = tile.alloc : memref<64x64xf32, #shared>
    %s = tile.alloc : memref<64x64xf32, #shared>
    tile.copy %a[%c64, %c0] to %q : memref<512x64xf32> to memref<64x64xf32, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %r = scf.for %i = %c0 to %n step %one iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
      %row = arith.muli %i, %c64 : index
      tile.copy %a[%row, %c0] to %s : memref<512x64xf32> to memref<64x64xf32, #shared>
      %u = tile.parallel (%j, %k) in (64, 64) -> (tensor<64x64xf32>) {
        %e = memref.load %s[%k, %j] : memref<64x64xf32, #shared>
        %f = memref.load %q[%k, %j] : memref<64x64xf32, #shared>
        %g = arith.mulf %e, %f : f32
        tile.yield %g : f32
      }
      %v = arith.addf %acc, %u : tensor<64x64xf32>
      scf.yield %v : tensor<64x64xf32>
    } {tile.stages = 4 : i32}
    %w = tile.load %q : memref<64x64xf32, #shared> -> tensor<64x64xf32>
    %z = arith.addf %r, %w : tensor<64x64xf32>
    tile.store %z, %o : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// Two loops with different stages fill one buffer.
func.func @one_buffer_two_loops(%a: memref<512x64xf32>, %o: memref<64x64xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %s = tile.alloc : memref<64x64xf32, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %r = scf.for %i = %c0 to %n step %one iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
      %row = arith.muli %i, %c64 : index
      tile.copy %a[%row, %c0] to %s : memref<512x64xf32> to memref<64x64xf32, #shared>
      %u = tile.load %s : memref<64x64xf32, #shared> -> tensor<64x64xf32>
      %v = arith.addf %acc, %u : tensor<64x64xf32>
      scf.yield %v : tensor<64x64xf32>
    } {tile.stages = 2 : i32}
    %q = scf.for %i = %c0 to %n step %one iter_args(%acc = %r) -> (tensor<64x64xf32>) {
      %row = arith.muli %i, %c64 : index
      tile.copy %a[%row, %c0] to %s : memref<512x64xf32> to memref<64x64xf32, #shared>
      %u = tile.parallel (%j, %k) in (64, 64) -> (tensor<64x64xf32>) {
        %e = memref.load %s[%k, %j] : memref<64x64xf32, #shared>
        tile.yield %e : f32
      }
      %v = arith.subf %acc, %u : tensor<64x64xf32>
      scf.yield %v : tensor<64x64xf32>
    } {tile.stages = 3 : i32}
    tile.store %q, %o : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}
