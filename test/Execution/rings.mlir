// Rings written by hand, run as groups of copies: each program gives what the reference
// computes from it as it stands, for trip counts from none to beyond the slots.
// RUN: tile-run %s --entry=three_slots --on=emulator --chip=sm_80 --check --scalar=2:0
// RUN: tile-run %s --entry=three_slots --on=emulator --chip=sm_90a --check --scalar=2:1
// RUN: tile-run %s --entry=three_slots --on=emulator --chip=sm_80 --check --scalar=2:2
// RUN: tile-run %s --entry=three_slots --on=emulator --chip=sm_90a --check --scalar=2:3
// RUN: tile-run %s --entry=three_slots --on=emulator --chip=sm_80 --check --scalar=2:7
// RUN: tile-run %s --entry=three_slots --on=reference --check-stages --chip=sm_80 --scalar=2:5
// RUN: tile-run %s --entry=two_rings --on=emulator --chip=sm_90a --check --scalar=2:0
// RUN: tile-run %s --entry=two_rings --on=emulator --chip=sm_80 --check --scalar=2:1
// RUN: tile-run %s --entry=two_rings --on=emulator --chip=sm_90a --check --scalar=2:3
// RUN: tile-run %s --entry=two_rings --on=emulator --chip=sm_80 --check --scalar=2:8
// RUN: tile-run %s --entry=two_rings --on=reference --check-stages --chip=sm_80 --scalar=2:5
// RUN: tile-run %s --entry=stored --on=emulator --chip=sm_80 --check --scalar=2:0
// RUN: tile-run %s --entry=stored --on=emulator --chip=sm_90a --check --scalar=2:1
// RUN: tile-run %s --entry=stored --on=emulator --chip=sm_80 --check --scalar=2:3
// RUN: tile-run %s --entry=stored --on=emulator --chip=sm_90a --check --scalar=2:8
// RUN: tile-run %s --entry=stored --on=reference --check-stages --chip=sm_80 --scalar=2:5
// RUN: tile-run %s --entry=loops_in_sequence --on=emulator --chip=sm_90a --check --scalar=2:0
// RUN: tile-run %s --entry=loops_in_sequence --on=emulator --chip=sm_80 --check --scalar=2:1
// RUN: tile-run %s --entry=loops_in_sequence --on=emulator --chip=sm_90a --check --scalar=2:3
// RUN: tile-run %s --entry=loops_in_sequence --on=emulator --chip=sm_80 --check --scalar=2:8
// RUN: tile-run %s --entry=loops_in_sequence --on=reference --check-stages --chip=sm_80 --scalar=2:5
// RUN: tile-run %s --entry=held --on=emulator --chip=sm_80 --check --scalar=2:0
// RUN: tile-run %s --entry=held --on=emulator --chip=sm_90a --check --scalar=2:1
// RUN: tile-run %s --entry=held --on=emulator --chip=sm_80 --check --scalar=2:2
// RUN: tile-run %s --entry=held --on=emulator --chip=sm_90a --check --scalar=2:4
// RUN: tile-run %s --entry=held --on=emulator --chip=sm_80 --check --scalar=2:8
// RUN: tile-run %s --entry=held --on=reference --check-stages --chip=sm_80 --scalar=2:5
// RUN: tile-run %s --entry=in_a_loop --on=emulator --chip=sm_90a --check --scalar=2:0
// RUN: tile-run %s --entry=in_a_loop --on=emulator --chip=sm_80 --check --scalar=2:1
// RUN: tile-run %s --entry=in_a_loop --on=emulator --chip=sm_90a --check --scalar=2:3
// RUN: tile-run %s --entry=in_a_loop --on=emulator --chip=sm_80 --check --scalar=2:8
// RUN: tile-run %s --entry=in_a_loop --on=reference --check-stages --chip=sm_80 --scalar=2:5
// RUN: tile-run %s --entry=counted_around --on=emulator --chip=sm_80 --check --scalar=2:0
// RUN: tile-run %s --entry=counted_around --on=emulator --chip=sm_90a --check --scalar=2:1
// RUN: tile-run %s --entry=counted_around --on=emulator --chip=sm_80 --check --scalar=2:3
// RUN: tile-run %s --entry=counted_around --on=emulator --chip=sm_90a --check --scalar=2:8
// RUN: tile-run %s --entry=counted_around --on=reference --check-stages --chip=sm_80 --scalar=2:5
// RUN: tile-run %s --entry=under_conditions --on=emulator --chip=sm_90a --check --scalar=2:0
// RUN: tile-run %s --entry=under_conditions --on=emulator --chip=sm_80 --check --scalar=2:1
// RUN: tile-run %s --entry=under_conditions --on=emulator --chip=sm_90a --check --scalar=2:2
// RUN: tile-run %s --entry=under_conditions --on=emulator --chip=sm_80 --check --scalar=2:9
// RUN: tile-run %s --entry=under_conditions --on=reference --check-stages --chip=sm_80 --scalar=2:5
// RUN: tile-run %s --entry=in_place --on=emulator --chip=sm_80 --check --scalar=2:0
// RUN: tile-run %s --entry=in_place --on=emulator --chip=sm_90a --check --scalar=2:1
// RUN: tile-run %s --entry=in_place --on=emulator --chip=sm_80 --check --scalar=2:3
// RUN: tile-run %s --entry=in_place --on=emulator --chip=sm_90a --check --scalar=2:8
// RUN: tile-run %s --entry=in_place --on=reference --check-stages --chip=sm_80 --scalar=2:5
// RUN: env CUDA_HOME= tile-opt %s --emit=report --format=json --chip=sm_80 | FileCheck %s --check-prefix=REPORT
// REPORT: "name": "memref<3x128xf32, #gpu.address_space<workgroup>>",
// REPORT: "slots": 3,
#shared = #gpu.address_space<workgroup>
!buffer = memref<3x128xf32, #shared>

// Copies two iterations ahead.
func.func @three_slots(%a: memref<10x128xf32>, %o: memref<20x128xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(64) {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %buf = tile.alloc : !buffer
    %ring = tile.ring %buf : !buffer -> !tile.ring<3>
    %zero = arith.constant dense<0.0> : tensor<128xf32>
    %exists0 = arith.cmpi sgt, %n, %c0 : index
    scf.if %exists0 {
      %s = tile.ring_acquire %ring[%c0] : !tile.ring<3>
      tile.copy %a[%c0, %c0] [1, 128] to %buf[%s, %c0] [1, 128] : memref<10x128xf32> to !buffer
      tile.ring_commit %ring[%c0] : !tile.ring<3>
    }
    %exists1 = arith.cmpi sgt, %n, %c1 : index
    scf.if %exists1 {
      %s = tile.ring_acquire %ring[%c1] : !tile.ring<3>
      tile.copy %a[%c1, %c0] [1, 128] to %buf[%s, %c0] [1, 128] : memref<10x128xf32> to !buffer
      tile.ring_commit %ring[%c1] : !tile.ring<3>
    }
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %use = %c0) -> (tensor<128xf32>, index) {
      %slot = tile.ring_wait %ring[%use] : !tile.ring<3>
      %ahead = arith.addi %i, %c2 : index
      %exists = arith.cmpi slt, %ahead, %n : index
      scf.if %exists {
        %m = arith.addi %use, %c2 : index
        %s = tile.ring_acquire %ring[%m] : !tile.ring<3>
        tile.copy %a[%ahead, %c0] [1, 128] to %buf[%s, %c0] [1, 128] : memref<10x128xf32> to !buffer
        tile.ring_commit %ring[%m] : !tile.ring<3>
      }
      %x = tile.load %buf[%slot, %c0] [1, 128] : !buffer -> tensor<128xf32>
      tile.ring_release %ring[%use] : !tile.ring<3>
      %d = arith.addf %acc, %x : tensor<128xf32>
      tile.store %d, %o[%i, %c0] [1, 128] : tensor<128xf32>, memref<20x128xf32>
      %next = arith.addi %use, %c1 : index
      scf.yield %d, %next : tensor<128xf32>, index
    }
    tile.store %r#0, %o[%n, %c0] [1, 128] : tensor<128xf32>, memref<20x128xf32>
  }
  return
}

// Two rings, committed at different places of one loop.
func.func @two_rings(%a: memref<10x128xf32>, %o: memref<20x128xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(64) {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %k = tile.alloc : !buffer
    %keys = tile.ring %k : !buffer -> !tile.ring<3>
    %v = tile.alloc : !buffer
    %values = tile.ring %v : !buffer -> !tile.ring<3>
    %k0 = tile.ring_acquire %keys[%c0] : !tile.ring<3>
    tile.copy %a[%c0, %c0] [1, 128] to %k[%k0, %c0] [1, 128] : memref<10x128xf32> to !buffer
    tile.ring_commit %keys[%c0] : !tile.ring<3>
    %v0 = tile.ring_acquire %values[%c0] : !tile.ring<3>
    tile.copy %a[%c1, %c0] [1, 128] to %v[%v0, %c0] [1, 128] : memref<10x128xf32> to !buffer
    tile.ring_commit %values[%c0] : !tile.ring<3>
    %last = scf.for %i = %c0 to %n step %c1 iter_args(%use = %c0) -> (index) {
      %next = arith.addi %use, %c1 : index
      %kr = tile.ring_wait %keys[%use] : !tile.ring<3>
      %x = tile.load %k[%kr, %c0] [1, 128] : !buffer -> tensor<128xf32>
      tile.ring_release %keys[%use] : !tile.ring<3>
      %kf = tile.ring_acquire %keys[%next] : !tile.ring<3>
      tile.copy %a[%next, %c0] [1, 128] to %k[%kf, %c0] [1, 128] : memref<10x128xf32> to !buffer
      tile.ring_commit %keys[%next] : !tile.ring<3>
      %vr = tile.ring_wait %values[%use] : !tile.ring<3>
      %y = tile.load %v[%vr, %c0] [1, 128] : !buffer -> tensor<128xf32>
      tile.ring_release %values[%use] : !tile.ring<3>
      %vf = tile.ring_acquire %values[%next] : !tile.ring<3>
      tile.copy %a[%i, %c0] [1, 128] to %v[%vf, %c0] [1, 128] : memref<10x128xf32> to !buffer
      tile.ring_commit %values[%next] : !tile.ring<3>
      %z = arith.subf %x, %y : tensor<128xf32>
      tile.store %z, %o[%i, %c0] [1, 128] : tensor<128xf32>, memref<20x128xf32>
      scf.yield %next : index
    }
    %kl = tile.ring_wait %keys[%last] : !tile.ring<3>
    %x = tile.load %k[%kl, %c0] [1, 128] : !buffer -> tensor<128xf32>
    tile.ring_release %keys[%last] : !tile.ring<3>
    %vl = tile.ring_wait %values[%last] : !tile.ring<3>
    %y = tile.load %v[%vl, %c0] [1, 128] : !buffer -> tensor<128xf32>
    tile.ring_release %values[%last] : !tile.ring<3>
    %z = arith.subf %x, %y : tensor<128xf32>
    tile.store %z, %o[%n, %c0] [1, 128] : tensor<128xf32>, memref<20x128xf32>
  }
  return
}

// Loads to registers an iteration ahead, stored into the slot behind the computation.
func.func @stored(%a: memref<10x128xf32>, %o: memref<20x128xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(64) {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %buf = tile.alloc : !buffer
    %ring = tile.ring %buf : !buffer -> !tile.ring<3>
    %s0 = tile.ring_acquire %ring[%c0] : !tile.ring<3>
    %t0 = tile.load %a[%c0, %c0] [1, 128] : memref<10x128xf32> -> tensor<128xf32>
    tile.store %t0, %buf[%s0, %c0] [1, 128] : tensor<128xf32>, !buffer
    tile.ring_commit %ring[%c0] : !tile.ring<3>
    %last = scf.for %i = %c0 to %n step %c1 iter_args(%use = %c0) -> (index) {
      %next = arith.addi %c1, %use : index
      %t = tile.load %a[%next, %c0] [1, 128] : memref<10x128xf32> -> tensor<128xf32>
      %r = tile.ring_wait %ring[%use] : !tile.ring<3>
      %x = tile.load %buf[%r, %c0] [1, 128] : !buffer -> tensor<128xf32>
      tile.store %x, %o[%i, %c0] [1, 128] : tensor<128xf32>, memref<20x128xf32>
      tile.ring_release %ring[%use] : !tile.ring<3>
      %s = tile.ring_acquire %ring[%next] : !tile.ring<3>
      tile.store %t, %buf[%s, %c0] [1, 128] : tensor<128xf32>, !buffer
      tile.ring_commit %ring[%next] : !tile.ring<3>
      scf.yield %next : index
    }
    %l = tile.ring_wait %ring[%last] : !tile.ring<3>
    %x = tile.load %buf[%l, %c0] [1, 128] : !buffer -> tensor<128xf32>
    tile.store %x, %o[%n, %c0] [1, 128] : tensor<128xf32>, memref<20x128xf32>
    tile.ring_release %ring[%last] : !tile.ring<3>
  }
  return
}

// The second loop goes on with the numbers of the first.
func.func @loops_in_sequence(%a: memref<10x128xf32>, %o: memref<20x128xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(64) {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %buf = tile.alloc : !buffer
    %ring = tile.ring %buf : !buffer -> !tile.ring<3>
    %s0 = tile.ring_acquire %ring[%c0] : !tile.ring<3>
    tile.copy %a[%c2, %c0] [1, 128] to %buf[%s0, %c0] [1, 128] : memref<10x128xf32> to !buffer
    tile.ring_commit %ring[%c0] : !tile.ring<3>
    %u = scf.for %i = %c0 to %n step %c1 iter_args(%use = %c0) -> (index) {
      %r = tile.ring_wait %ring[%use] : !tile.ring<3>
      %next = arith.addi %use, %c1 : index
      %s = tile.ring_acquire %ring[%next] : !tile.ring<3>
      tile.copy %a[%i, %c0] [1, 128] to %buf[%s, %c0] [1, 128] : memref<10x128xf32> to !buffer
      tile.ring_commit %ring[%next] : !tile.ring<3>
      %x = tile.load %buf[%r, %c0] [1, 128] : !buffer -> tensor<128xf32>
      %at = arith.addi %i, %c0 : index
      tile.store %x, %o[%at, %c0] [1, 128] : tensor<128xf32>, memref<20x128xf32>
      tile.ring_release %ring[%use] : !tile.ring<3>
      scf.yield %next : index
    }
    %c10 = arith.constant 10 : index
    %w = scf.for %i = %c0 to %n step %c1 iter_args(%use = %u) -> (index) {
      %r = tile.ring_wait %ring[%use] : !tile.ring<3>
      %next = arith.addi %use, %c1 : index
      %s = tile.ring_acquire %ring[%next] : !tile.ring<3>
      tile.copy %a[%i, %c0] [1, 128] to %buf[%s, %c0] [1, 128] : memref<10x128xf32> to !buffer
      tile.ring_commit %ring[%next] : !tile.ring<3>
      %x = tile.load %buf[%r, %c0] [1, 128] : !buffer -> tensor<128xf32>
      %at = arith.addi %i, %c10 : index
      tile.store %x, %o[%at, %c0] [1, 128] : tensor<128xf32>, memref<20x128xf32>
      tile.ring_release %ring[%use] : !tile.ring<3>
      scf.yield %next : index
    }
    %l = tile.ring_wait %ring[%w] : !tile.ring<3>
    %x = tile.load %buf[%l, %c0] [1, 128] : !buffer -> tensor<128xf32>
    tile.store %x, %o[%n, %c0] [1, 128] : tensor<128xf32>, memref<20x128xf32>
    tile.ring_release %ring[%w] : !tile.ring<3>
  }
  return
}

// Use 0 is stored before the loop and held: read in it, and the last one behind it.
func.func @held(%a: memref<10x128xf32>, %o: memref<20x128xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(64) {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %buf = tile.alloc : !buffer
    %ring = tile.ring %buf : !buffer -> !tile.ring<3>
    %zero = arith.constant dense<1.0> : tensor<128xf32>
    %s0 = tile.ring_acquire %ring[%c0] : !tile.ring<3>
    tile.store %zero, %buf[%s0, %c0] [1, 128] : tensor<128xf32>, !buffer
    tile.ring_commit %ring[%c0] : !tile.ring<3>
    %h0 = tile.ring_wait %ring[%c0] : !tile.ring<3>
    %exists0 = arith.cmpi sgt, %n, %c0 : index
    scf.if %exists0 {
      %s1 = tile.ring_acquire %ring[%c1] : !tile.ring<3>
      tile.copy %a[%c0, %c0] [1, 128] to %buf[%s1, %c0] [1, 128] : memref<10x128xf32> to !buffer
      tile.ring_commit %ring[%c1] : !tile.ring<3>
    }
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%use = %c0, %slot = %h0) -> (index, index) {
      %next = arith.addi %use, %c1 : index
      %w = tile.ring_wait %ring[%next] : !tile.ring<3>
      %x = tile.load %buf[%slot, %c0] [1, 128] : !buffer -> tensor<128xf32>
      tile.store %x, %o[%i, %c0] [1, 128] : tensor<128xf32>, memref<20x128xf32>
      tile.ring_release %ring[%use] : !tile.ring<3>
      %j = arith.addi %i, %c1 : index
      %exists = arith.cmpi slt, %j, %n : index
      scf.if %exists {
        %ahead = arith.addi %next, %c1 : index
        %s = tile.ring_acquire %ring[%ahead] : !tile.ring<3>
        tile.copy %a[%j, %c0] [1, 128] to %buf[%s, %c0] [1, 128] : memref<10x128xf32> to !buffer
        tile.ring_commit %ring[%ahead] : !tile.ring<3>
      }
      scf.yield %next, %w : index, index
    }
    %y = tile.load %buf[%r#1, %c0] [1, 128] : !buffer -> tensor<128xf32>
    tile.store %y, %o[%n, %c0] [1, 128] : tensor<128xf32>, memref<20x128xf32>
    tile.ring_release %ring[%r#0] : !tile.ring<3>
  }
  return
}

// A ring that each iteration of a loop makes anew.
func.func @in_a_loop(%a: memref<10x128xf32>, %o: memref<20x128xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(64) {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    scf.for %h = %c0 to %c2 step %c1 {
      %buf = tile.alloc : !buffer
      %ring = tile.ring %buf : !buffer -> !tile.ring<3>
      %s0 = tile.ring_acquire %ring[%c0] : !tile.ring<3>
      tile.copy %a[%h, %c0] [1, 128] to %buf[%s0, %c0] [1, 128] : memref<10x128xf32> to !buffer
      tile.ring_commit %ring[%c0] : !tile.ring<3>
      %u = scf.for %i = %c0 to %n step %c1 iter_args(%use = %c0) -> (index) {
        %r = tile.ring_wait %ring[%use] : !tile.ring<3>
        %next = arith.addi %use, %c1 : index
        %s = tile.ring_acquire %ring[%next] : !tile.ring<3>
        tile.copy %a[%i, %c0] [1, 128] to %buf[%s, %c0] [1, 128] : memref<10x128xf32> to !buffer
        tile.ring_commit %ring[%next] : !tile.ring<3>
        %x = tile.load %buf[%r, %c0] [1, 128] : !buffer -> tensor<128xf32>
        %at = arith.addi %i, %h : index
        tile.store %x, %o[%at, %c0] [1, 128] : tensor<128xf32>, memref<20x128xf32>
        tile.ring_release %ring[%use] : !tile.ring<3>
        scf.yield %next : index
      }
      %l = tile.ring_wait %ring[%u] : !tile.ring<3>
      %x = tile.load %buf[%l, %c0] [1, 128] : !buffer -> tensor<128xf32>
      %c10 = arith.constant 10 : index
      %at = arith.addi %c10, %h : index
      tile.store %x, %o[%at, %c0] [1, 128] : tensor<128xf32>, memref<20x128xf32>
      tile.ring_release %ring[%u] : !tile.ring<3>
    }
  }
  return
}

// One ring over all iterations of two loops: the outer loop carries what the inner one counts.
func.func @counted_around(%a: memref<10x128xf32>, %o: memref<20x128xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(64) {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %buf = tile.alloc : !buffer
    %ring = tile.ring %buf : !buffer -> !tile.ring<3>
    %s0 = tile.ring_acquire %ring[%c0] : !tile.ring<3>
    tile.copy %a[%c2, %c0] [1, 128] to %buf[%s0, %c0] [1, 128] : memref<10x128xf32> to !buffer
    tile.ring_commit %ring[%c0] : !tile.ring<3>
    %all = scf.for %h = %c0 to %c2 step %c1 iter_args(%first = %c0) -> (index) {
      %u = scf.for %i = %c0 to %n step %c1 iter_args(%use = %first) -> (index) {
        %r = tile.ring_wait %ring[%use] : !tile.ring<3>
        %next = arith.addi %use, %c1 : index
        %s = tile.ring_acquire %ring[%next] : !tile.ring<3>
        tile.copy %a[%i, %c0] [1, 128] to %buf[%s, %c0] [1, 128] : memref<10x128xf32> to !buffer
        tile.ring_commit %ring[%next] : !tile.ring<3>
        %x = tile.load %buf[%r, %c0] [1, 128] : !buffer -> tensor<128xf32>
        %at = arith.addi %i, %h : index
        tile.store %x, %o[%at, %c0] [1, 128] : tensor<128xf32>, memref<20x128xf32>
        tile.ring_release %ring[%use] : !tile.ring<3>
        scf.yield %next : index
      }
      scf.yield %u : index
    }
    %l = tile.ring_wait %ring[%all] : !tile.ring<3>
    %x = tile.load %buf[%l, %c0] [1, 128] : !buffer -> tensor<128xf32>
    %c15 = arith.constant 15 : index
    tile.store %x, %o[%c15, %c0] [1, 128] : tensor<128xf32>, memref<20x128xf32>
    tile.ring_release %ring[%all] : !tile.ring<3>
  }
  return
}

// Every other iteration uses the ring: the number is chosen by a condition, and divided.
func.func @under_conditions(%a: memref<10x128xf32>, %o: memref<20x128xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(64) {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %buf = tile.alloc : !buffer
    %ring = tile.ring %buf : !buffer -> !tile.ring<3>
    %uses = scf.for %i = %c0 to %n step %c1 iter_args(%use = %c0) -> (index) {
      %odd = arith.remui %i, %c2 : index
      %is = arith.cmpi eq, %odd, %c1 : index
      %next = scf.if %is -> (index) {
        %s = tile.ring_acquire %ring[%use] : !tile.ring<3>
        tile.copy %a[%i, %c0] [1, 128] to %buf[%s, %c0] [1, 128] : memref<10x128xf32> to !buffer
        tile.ring_commit %ring[%use] : !tile.ring<3>
        %r = tile.ring_wait %ring[%use] : !tile.ring<3>
        %x = tile.load %buf[%r, %c0] [1, 128] : !buffer -> tensor<128xf32>
        tile.store %x, %o[%i, %c0] [1, 128] : tensor<128xf32>, memref<20x128xf32>
        tile.ring_release %ring[%use] : !tile.ring<3>
        %m = arith.addi %use, %c1 : index
        scf.yield %m : index
      } else {
        scf.yield %use : index
      }
      scf.yield %next : index
    }
  }
  return
}

// A slot is transformed in place between its wait and its release.
func.func @in_place(%a: memref<10x128xf32>, %o: memref<20x128xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(64) {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %buf = tile.alloc : !buffer
    %ring = tile.ring %buf : !buffer -> !tile.ring<3>
    %s0 = tile.ring_acquire %ring[%c0] : !tile.ring<3>
    tile.copy %a[%c0, %c0] [1, 128] to %buf[%s0, %c0] [1, 128] : memref<10x128xf32> to !buffer
    tile.ring_commit %ring[%c0] : !tile.ring<3>
    %last = scf.for %i = %c0 to %n step %c1 iter_args(%use = %c0) -> (index) {
      %r = tile.ring_wait %ring[%use] : !tile.ring<3>
      %next = arith.addi %use, %c1 : index
      %s = tile.ring_acquire %ring[%next] : !tile.ring<3>
      tile.copy %a[%next, %c0] [1, 128] to %buf[%s, %c0] [1, 128] : memref<10x128xf32> to !buffer
      tile.ring_commit %ring[%next] : !tile.ring<3>
      %x = tile.load %buf[%r, %c0] [1, 128] : !buffer -> tensor<128xf32>
      %y = arith.addf %x, %x : tensor<128xf32>
      tile.store %y, %buf[%r, %c0] [1, 128] : tensor<128xf32>, !buffer
      %z = tile.load %buf[%r, %c0] [1, 128] : !buffer -> tensor<128xf32>
      tile.store %z, %o[%i, %c0] [1, 128] : tensor<128xf32>, memref<20x128xf32>
      tile.ring_release %ring[%use] : !tile.ring<3>
      scf.yield %next : index
    }
    %l = tile.ring_wait %ring[%last] : !tile.ring<3>
    tile.ring_release %ring[%last] : !tile.ring<3>
  }
  return
}
