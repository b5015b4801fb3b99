// Loops of 0 to 4 iterations in which something flows where it is easily overlooked:
// out of the loop, past a condition, from a copy to the next, from a load to the place of
// a copy. The report says which overlap and why the others do not.
// RUN: tile-run %s --entry=all --on=emulator --check --chip=sm_80 --data=1:integers(-1,1) --data=2:integers(0,9)
// DEFINE: %{stages} = tile-run %s --on=reference --check-stages --chip=sm_80
// RUN: %{stages} --entry=left_in_part --scalar=1:4
// RUN: %{stages} --entry=condition_in_condition --scalar=2:4 --data=1:integers(-1,1)
// RUN: %{stages} --entry=filled_twice --scalar=1:4
// RUN: %{stages} --entry=chain_of_places --scalar=2:4 --data=1:integers(0,9)
// RUN: %{stages} --entry=nothing_left --scalar=2:4 --data=1:integers(0,9)
// RUN: %{stages} --entry=slot_before_the_loop --scalar=1:4
// RUN: %{stages} --entry=constants_in_a_schedule --scalar=1:4
// RUN: %{stages} --entry=filled_behind_uses --scalar=1:4
// RUN: %{stages} --entry=stored_and_filled --scalar=1:4 --data=0:integers(0,3)
// RUN: tile-opt %s --emit=report --chip=sm_80 | FileCheck %s

// DEFINE: %{scalar} = tile-run %s --entry=scalar_behind "--data=0:integers(-3,3)" "--data=1:integers(-3,3)" "--data=2:integers(0,40)"
// RUN: %{scalar} --on=emulator --chip=sm_80 --check
// RUN: %{scalar} --on=emulator --chip=sm_90a --check
// RUN: %{scalar} --on=reference --chip=sm_80 --check-stages
// RUN: tile-run %s --entry=converted_over --on=emulator --chip=sm_80 --check --seed=40 "--data=2:integers(0,1)"
// RUN: tile-run %s --entry=converted_over --on=emulator --chip=sm_80 --check --seed=41 "--data=2:integers(0,1)"
// RUN: tile-run %s --entry=converted_over --on=emulator --chip=sm_90a --check --seed=42 "--data=2:integers(0,1)"
// RUN: tile-run %s --entry=converted_over --on=reference --chip=sm_80 --check-stages "--data=2:integers(0,1)"
// RUN: tile-run %s --entry=filled_by_both --on=emulator --chip=sm_80 --check --seed=43 --scalar=2:0
// RUN: tile-run %s --entry=filled_by_both --on=emulator --chip=sm_80 --check --seed=44 --scalar=2:4
// RUN: tile-run %s --entry=filled_by_both --on=emulator --chip=sm_90a --check --seed=45 --scalar=2:5
// RUN: tile-run %s --entry=filled_by_both --on=reference --chip=sm_80 --check-stages --scalar=2:5
#shared = #gpu.address_space<workgroup>

func.func @all(%A: memref<64x32xf32>, %M: memref<16xi32>, %P: memref<10xi32>,
    %left_in_part: memref<5x32x32xf32>,
    %condition_in_condition: memref<5x32x32xf32>,
    %filled_twice: memref<5x32x32xf32>,
    %chain_of_places: memref<5x32x32xf32>,
    %nothing_left: memref<5x32x32xf32>,
    %slot_before_the_loop: memref<5x32x32xf32>,
    %constants_in_a_schedule: memref<5x32x32xf32>,
    %filled_behind_uses: memref<5x32x32xf32>,
    %stored_and_filled: memref<5x32x32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  scf.for %n = %c0 to %c5 step %c1 {
    func.call @left_in_part(%A, %n, %left_in_part) : (memref<64x32xf32>, index, memref<5x32x32xf32>) -> ()
    func.call @condition_in_condition(%A, %M, %n, %condition_in_condition) : (memref<64x32xf32>, memref<16xi32>, index, memref<5x32x32xf32>) -> ()
    func.call @filled_twice(%A, %n, %filled_twice) : (memref<64x32xf32>, index, memref<5x32x32xf32>) -> ()
    func.call @chain_of_places(%A, %P, %n, %chain_of_places) : (memref<64x32xf32>, memref<10xi32>, index, memref<5x32x32xf32>) -> ()
    func.call @nothing_left(%A, %P, %n, %nothing_left) : (memref<64x32xf32>, memref<10xi32>, index, memref<5x32x32xf32>) -> ()
    func.call @slot_before_the_loop(%A, %n, %slot_before_the_loop) : (memref<64x32xf32>, index, memref<5x32x32xf32>) -> ()
    func.call @constants_in_a_schedule(%A, %n, %constants_in_a_schedule) : (memref<64x32xf32>, index, memref<5x32x32xf32>) -> ()
    func.call @filled_behind_uses(%A, %n, %filled_behind_uses) : (memref<64x32xf32>, index, memref<5x32x32xf32>) -> ()
    func.call @stored_and_filled(%M, %n, %stored_and_filled) : (memref<16xi32>, index, memref<5x32x32xf32>) -> ()
  }
  return
}

// What iterations leave of the buffer as it was is read behind the loop.
// CHECK-LABEL: kernel left_in_part
// CHECK: NotPipelined: 3 stages asked for; the buffer that 'tile.copy' {{.*}} keeps one slot: an iteration may leave a part of it as it was, and it is read behind the loop
func.func private @left_in_part(%A: memref<64x32xf32>, %n: index, %O: memref<5x32x32xf32>) {
  %h1 = arith.constant 1 : index
  tile.launch @left_in_part blocks(%bx) in (%h1) threads(64) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant dense<0.0> : tensor<8x32xf32>
    %a = tile.alloc : memref<32x32xf32, #shared>
    tile.copy %A[%c32, %c0] to %a : memref<64x32xf32> to memref<32x32xf32, #shared>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<8x32xf32>) {
      tile.copy %A[%i, %c0] [8, 32] to %a[%c0, %c0] : memref<64x32xf32> to memref<32x32xf32, #shared>
      %x = tile.load %a[%c0, %c0] : memref<32x32xf32, #shared> -> tensor<8x32xf32>
      %d = arith.addf %acc, %x : tensor<8x32xf32>
      scf.yield %d : tensor<8x32xf32>
    } {tile.stages = 3 : i32}
    %y = tile.load %a : memref<32x32xf32, #shared> -> tensor<32x32xf32>
    tile.store %y, %O[%n, %c0, %c0] [1, 32, 32] : tensor<32x32xf32>, memref<5x32x32xf32>
    tile.store %r, %O[%n, %c0, %c0] [1, 8, 32] : tensor<8x32xf32>, memref<5x32x32xf32>
  }
  return
}

// The second condition says nothing about a fill under the first one, although the same
// condition stands inside of it.
// CHECK-LABEL: kernel condition_in_condition
// CHECK: NotPipelined: 3 stages asked for; the buffer that 'scf.if' {{.*}} keeps one slot: 'tile.load' {{.*}} may read what this iteration has not filled
func.func private @condition_in_condition(%A: memref<64x32xf32>, %M: memref<16xi32>, %n: index, %O: memref<5x32x32xf32>) {
  %h1 = arith.constant 1 : index
  tile.launch @condition_in_condition blocks(%bx) in (%h1) threads(64) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %z = arith.constant 0 : i32
    %zero = arith.constant dense<0.0> : tensor<32x32xf32>
    %a = tile.alloc : memref<32x32xf32, #shared>
    tile.copy %A[%c0, %c0] to %a : memref<64x32xf32> to memref<32x32xf32, #shared>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<32x32xf32>) {
      %m = memref.load %M[%i] : memref<16xi32>
      %p = arith.cmpi sgt, %m, %z : i32
      %odd = arith.remui %i, %c2 : index
      %q = arith.cmpi eq, %odd, %c0 : index
      %e = scf.if %p -> (tensor<32x32xf32>) {
        tile.copy %A[%i, %c0] to %a : memref<64x32xf32> to memref<32x32xf32, #shared>
        %g = scf.if %q -> (tensor<32x32xf32>) {
          %x = tile.load %a : memref<32x32xf32, #shared> -> tensor<32x32xf32>
          %d = arith.addf %acc, %x : tensor<32x32xf32>
          scf.yield %d : tensor<32x32xf32>
        } else {
          scf.yield %acc : tensor<32x32xf32>
        }
        scf.yield %g : tensor<32x32xf32>
      } else {
        scf.yield %acc : tensor<32x32xf32>
      }
      %f = scf.if %q -> (tensor<32x32xf32>) {
        %x = tile.load %a : memref<32x32xf32, #shared> -> tensor<32x32xf32>
        %d = arith.addf %e, %x : tensor<32x32xf32>
        scf.yield %d : tensor<32x32xf32>
      } else {
        scf.yield %e : tensor<32x32xf32>
      }
      scf.yield %f : tensor<32x32xf32>
    } {tile.stages = 3 : i32}
    tile.store %r, %O[%n, %c0, %c0] [1, 32, 32] : tensor<32x32xf32>, memref<5x32x32xf32>
  }
  return
}

// Two copies of one iteration to the same bytes have no wait between them.
// CHECK-LABEL: kernel filled_twice
// CHECK: NotPipelined: 3 stages asked for; the buffer that 'tile.copy' {{.*}} keeps one slot: 'tile.copy' {{.*}} writes where a copy of the same iteration is still to arrive
func.func private @filled_twice(%A: memref<64x32xf32>, %n: index, %O: memref<5x32x32xf32>) {
  %h1 = arith.constant 1 : index
  tile.launch @filled_twice blocks(%bx) in (%h1) threads(64) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %zero = arith.constant dense<0.0> : tensor<32x32xf32>
    %a = tile.alloc : memref<32x32xf32, #shared>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<32x32xf32>) {
      tile.copy %A[%i, %c0] to %a : memref<64x32xf32> to memref<32x32xf32, #shared>
      %odd = arith.remui %i, %c2 : index
      %q = arith.cmpi eq, %odd, %c0 : index
      scf.if %q {
        tile.copy %A[%c2, %c0] [16, 32] to %a[%i, %c0] : memref<64x32xf32> to memref<32x32xf32, #shared>
      }
      %x = tile.load %a : memref<32x32xf32, #shared> -> tensor<32x32xf32>
      %d = arith.addf %acc, %x : tensor<32x32xf32>
      scf.yield %d : tensor<32x32xf32>
    } {tile.stages = 3 : i32}
    tile.store %r, %O[%n, %c0, %c0] [1, 32, 32] : tensor<32x32xf32>, memref<5x32x32xf32>
  }
  return
}

// Each iteration loads the place of the next one's copy.
// CHECK-LABEL: kernel chain_of_places
// CHECK: Pipelined: 4 stages, {{[12]}} copies run ahead
func.func private @chain_of_places(%A: memref<64x32xf32>, %P: memref<10xi32>, %n: index, %O: memref<5x32x32xf32>) {
  %h1 = arith.constant 1 : index
  tile.launch @chain_of_places blocks(%bx) in (%h1) threads(64) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant dense<0.0> : tensor<32x32xf32>
    %a = tile.alloc : memref<32x32xf32, #shared>
    %r, %last = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %at = %c1) -> (tensor<32x32xf32>, index) {
      tile.copy %A[%at, %c0] to %a : memref<64x32xf32> to memref<32x32xf32, #shared>
      %x = tile.load %a : memref<32x32xf32, #shared> -> tensor<32x32xf32>
      %d = arith.addf %acc, %x : tensor<32x32xf32>
      %p = memref.load %P[%i] : memref<10xi32>
      %page = arith.index_cast %p : i32 to index
      %next = arith.addi %page, %i : index
      scf.yield %d, %next : tensor<32x32xf32>, index
    } {tile.stages = 4 : i32}
    %bits = arith.index_cast %last : index to i32
    %number = arith.sitofp %bits : i32 to f32
    %all = tensor.splat %number : tensor<32x32xf32>
    %sum = arith.addf %r, %all : tensor<32x32xf32>
    tile.store %sum, %O[%n, %c0, %c0] [1, 32, 32] : tensor<32x32xf32>, memref<5x32x32xf32>
  }
  return
}

// Nothing uses what runs ahead, so that no operation is left that does not.
// CHECK-LABEL: kernel nothing_left
// CHECK: Pipelined: 3 stages
func.func private @nothing_left(%A: memref<64x32xf32>, %P: memref<10xi32>, %n: index, %O: memref<5x32x32xf32>) {
  %h1 = arith.constant 1 : index
  tile.launch @nothing_left blocks(%bx) in (%h1) threads(64) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a = tile.alloc : memref<32x32xf32, #shared>
    %last = scf.for %i = %c0 to %n step %c1 iter_args(%at = %c1) -> (index) {
      tile.copy %A[%at, %c0] to %a : memref<64x32xf32> to memref<32x32xf32, #shared>
      %p = memref.load %P[%i] : memref<10xi32>
      %page = arith.index_cast %p : i32 to index
      scf.yield %page : index
    } {tile.stages = 3 : i32}
    %x = arith.index_cast %last : index to i32
    %y = arith.sitofp %x : i32 to f32
    %z = tensor.splat %y : tensor<32x32xf32>
    tile.store %z, %O[%n, %c0, %c0] [1, 32, 32] : tensor<32x32xf32>, memref<5x32x32xf32>
  }
  return
}

// The loop in front of the pipelined one copies and reads in what becomes the first slot.
// CHECK-LABEL: kernel slot_before_the_loop
// CHECK: Pipelined: 3 stages, 1 copies run ahead
func.func private @slot_before_the_loop(%A: memref<64x32xf32>, %n: index, %O: memref<5x32x32xf32>) {
  %h1 = arith.constant 1 : index
  tile.launch @slot_before_the_loop blocks(%bx) in (%h1) threads(64) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant dense<0.0> : tensor<32x32xf32>
    %a = tile.alloc : memref<32x32xf32, #shared>
    %first = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<32x32xf32>) {
      tile.copy %A[%c1, %c0] to %a : memref<64x32xf32> to memref<32x32xf32, #shared>
      tile.copy %A[%i, %c0] [8, 32] to %a[%c0, %c0] : memref<64x32xf32> to memref<32x32xf32, #shared>
      %x = tile.load %a : memref<32x32xf32, #shared> -> tensor<32x32xf32>
      %d = arith.addf %acc, %x : tensor<32x32xf32>
      scf.yield %d : tensor<32x32xf32>
    }
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %first) -> (tensor<32x32xf32>) {
      tile.copy %A[%i, %c0] to %a : memref<64x32xf32> to memref<32x32xf32, #shared>
      %x = tile.load %a : memref<32x32xf32, #shared> -> tensor<32x32xf32>
      %d = arith.subf %acc, %x : tensor<32x32xf32>
      scf.yield %d : tensor<32x32xf32>
    } {tile.stages = 3 : i32}
    scf.for %i = %c0 to %n step %c1 {
      tile.copy %A[%c1, %i] [8, 32] to %a[%i, %c0] : memref<64x32xf32> to memref<32x32xf32, #shared>
    }
    %t = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %r) -> (tensor<32x32xf32>) {
      %x = tile.load %a : memref<32x32xf32, #shared> -> tensor<32x32xf32>
      %d = arith.addf %acc, %x : tensor<32x32xf32>
      scf.yield %d : tensor<32x32xf32>
    }
    tile.store %t, %O[%n, %c0, %c0] [1, 32, 32] : tensor<32x32xf32>, memref<5x32x32xf32>
  }
  return
}

// A constant needs no place in a schedule that the program says.
// CHECK-LABEL: kernel constants_in_a_schedule
// CHECK: Pipelined: 2 stages
func.func private @constants_in_a_schedule(%A: memref<64x32xf32>, %n: index, %O: memref<5x32x32xf32>) {
  %h1 = arith.constant 1 : index
  tile.launch @constants_in_a_schedule blocks(%bx) in (%h1) threads(64) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant dense<0.0> : tensor<32x32xf32>
    %three = arith.constant dense<3.0> : tensor<32x32xf32>
    %a = tile.alloc : memref<32x32xf32, #shared>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<32x32xf32>) {
      tile.copy %A[%i, %c0] to %a {tile.pipeline_stage = 0 : i32, tile.pipeline_order = 0 : i32} : memref<64x32xf32> to memref<32x32xf32, #shared>
      %x = tile.load %a {tile.pipeline_stage = 1 : i32, tile.pipeline_order = 1 : i32} : memref<32x32xf32, #shared> -> tensor<32x32xf32>
      %y = arith.mulf %x, %three {tile.pipeline_stage = 1 : i32, tile.pipeline_order = 2 : i32} : tensor<32x32xf32>
      %d = arith.addf %acc, %y {tile.pipeline_stage = 1 : i32, tile.pipeline_order = 3 : i32} : tensor<32x32xf32>
      scf.yield %d : tensor<32x32xf32>
    } {tile.stages = 2 : i32}
    tile.store %r, %O[%n, %c0, %c0] [1, 32, 32] : tensor<32x32xf32>, memref<5x32x32xf32>
  }
  return
}

// A fill behind a use stays there, also where another operation of the loop does the same.
// CHECK-LABEL: kernel filled_behind_uses
// CHECK: NotPipelined: 2 stages asked for
func.func private @filled_behind_uses(%A: memref<64x32xf32>, %n: index, %O: memref<5x32x32xf32>) {
  %h1 = arith.constant 1 : index
  tile.launch @filled_behind_uses blocks(%bx) in (%h1) threads(64) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %zero = arith.constant dense<0.0> : tensor<32x32xf32>
    %a = tile.alloc : memref<32x32xf32, #shared>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<32x32xf32>) {
      tile.copy %A[%i, %c0] to %a : memref<64x32xf32> to memref<32x32xf32, #shared>
      %s = scf.for %j = %c0 to %c2 step %c1 iter_args(%in = %acc) -> (tensor<32x32xf32>) {
        %x = tile.load %a : memref<32x32xf32, #shared> -> tensor<32x32xf32>
        %d = arith.addf %in, %x : tensor<32x32xf32>
        tile.copy %A[%j, %c0] to %a : memref<64x32xf32> to memref<32x32xf32, #shared>
        scf.yield %d : tensor<32x32xf32>
      }
      %odd = arith.remui %i, %c2 : index
      %q = arith.cmpi eq, %odd, %c0 : index
      %e = scf.if %q -> (tensor<32x32xf32>) {
        %x = tile.load %a : memref<32x32xf32, #shared> -> tensor<32x32xf32>
        %d = arith.addf %s, %x : tensor<32x32xf32>
        tile.copy %A[%c2, %c0] to %a : memref<64x32xf32> to memref<32x32xf32, #shared>
        scf.yield %d : tensor<32x32xf32>
      } else {
        scf.yield %s : tensor<32x32xf32>
      }
      scf.yield %e : tensor<32x32xf32>
    } {tile.stages = 2 : i32}
    tile.store %r, %O[%n, %c0, %c0] [1, 32, 32] : tensor<32x32xf32>, memref<5x32x32xf32>
  }
  return
}

// What is loaded, computed and stored runs ahead together with the copy onto it.
// CHECK-LABEL: kernel stored_and_filled
// CHECK: Pipelined: 3 stages, {{[23]}} copies run ahead
func.func private @stored_and_filled(%M: memref<16xi32>, %n: index, %O: memref<5x32x32xf32>) {
  %h1 = arith.constant 1 : index
  tile.launch @stored_and_filled blocks(%bx) in (%h1) threads(64) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %two = arith.constant dense<2> : tensor<4xi32>
    %zero = arith.constant dense<0.0> : tensor<4xf32>
    %a = tile.alloc : memref<4xi32, #shared>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<4xf32>) {
      %l = tile.load %M[%i] : memref<16xi32> -> tensor<4xi32>
      %m = arith.muli %l, %two : tensor<4xi32>
      tile.store %m, %a : tensor<4xi32>, memref<4xi32, #shared>
      %p = memref.load %M[%i] : memref<16xi32>
      %at = arith.index_cast %p : i32 to index
      tile.copy %M[%at] to %a : memref<16xi32> to memref<4xi32, #shared>
      %y = tile.parallel (%j) in (4) -> (tensor<4xf32>) {
        %e = memref.load %a[%j] : memref<4xi32, #shared>
        %f = arith.sitofp %e : i32 to f32
        tile.yield %f : f32
      }
      %d = arith.addf %acc, %y : tensor<4xf32>
      scf.yield %d : tensor<4xf32>
    } {tile.stages = 3 : i32}
    tile.store %r, %O[%n, %c0, %c0] [1, 1, 4] : tensor<4xf32>, memref<5x32x32xf32>
  }
  return
}

// A copy that converts, through registers and under a condition, over one that is still to
// arrive: in one stage, and in three.
func.func @converted_over(%A: memref<256x16xf16>, %B: memref<256x16xf32>, %flags: memref<8xi32>, %C: memref<32x16xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %none = arith.constant 0 : i32
    %one = arith.constant 1 : index
    %zero = arith.constant dense<0.0> : tensor<32x16xf32>
    %s = tile.alloc : memref<32x16xf16, #shared>
    %t = tile.alloc : memref<32x16xf16, #shared>
    %sum = scf.for %i = %c0 to %c8 step %one iter_args(%c = %zero) -> (tensor<32x16xf32>) {
      %row = arith.muli %i, %c32 : index
      tile.copy %A[%row, %c0] to %s : memref<256x16xf16> to memref<32x16xf16, #shared>
      %flag = memref.load %flags[%i] : memref<8xi32>
      %isSet = arith.cmpi sgt, %flag, %none : i32
      scf.if %isSet {
        tile.copy %B[%row, %c0] to %s : memref<256x16xf32> to memref<32x16xf16, #shared>
      }
      %f = tile.load %s : memref<32x16xf16, #shared> -> tensor<32x16xf16>
      %g = arith.extf %f : tensor<32x16xf16> to tensor<32x16xf32>
      %d = arith.addf %c, %g : tensor<32x16xf32>
      scf.yield %d : tensor<32x16xf32>
    } {tile.stages = 1 : i32}
    %all = scf.for %i = %c0 to %c8 step %one iter_args(%c = %sum) -> (tensor<32x16xf32>) {
      %row = arith.muli %i, %c32 : index
      tile.copy %A[%row, %c0] to %t : memref<256x16xf16> to memref<32x16xf16, #shared>
      %flag = memref.load %flags[%i] : memref<8xi32>
      %isSet = arith.cmpi sgt, %flag, %none : i32
      scf.if %isSet {
        tile.copy %B[%row, %c0] to %t : memref<256x16xf32> to memref<32x16xf16, #shared>
      }
      %f = tile.load %t : memref<32x16xf16, #shared> -> tensor<32x16xf16>
      %g = arith.extf %f : tensor<32x16xf16> to tensor<32x16xf32>
      %d = arith.addf %c, %g : tensor<32x16xf32>
      scf.yield %d : tensor<32x16xf32>
    } {tile.stages = 3 : i32}
    tile.store %all, %C : tensor<32x16xf32>, memref<32x16xf32>
  }
  return
}

// A scalar follows the load that it is computed from, which the schedule puts behind what
// stands below both.
// CHECK-LABEL: kernel scalar_behind
// CHECK: Pipelined: 2 stages, 1 copies run ahead
func.func @scalar_behind(%rows: memref<189x40xf16>, %tiles: memref<64x33xf32>, %places: memref<7xi32>, %O: memref<8x32xi32>) {
  %h1 = arith.constant 1 : index
  tile.launch @scalar_behind blocks(%b) in (%h1) threads(256) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c7 = arith.constant 7 : index
    %c8 = arith.constant 8 : index
    %c13 = arith.constant 13 : index
    %start = arith.constant -3 : index
    %three = arith.constant dense<3> : tensor<8x32xi32>
    %five = arith.constant dense<5> : tensor<8x32xi32>
    %ones = arith.constant dense<1> : tensor<8x32xi32>
    %zeros = arith.constant dense<0> : tensor<8x32xi32>
    %s = tile.alloc : memref<8x32xf32, #shared>
    %t = tile.alloc : memref<24x32xf16, #shared>
    %x1, %y1, %p1 = scf.for %i = %c0 to %c7 step %c1 iter_args(%x = %ones, %y = %zeros, %place = %start) -> (tensor<8x32xi32>, tensor<8x32xi32>, index) {
      scf.for %j = %c0 to %c1 step %c1 {
        %c24 = arith.constant 24 : index
        %part = arith.muli %j, %c24 : index
        %row = arith.addi %place, %part : index
        tile.copy %rows[%row, %c0] [24, 32] to %t[%part, %c0] : memref<189x40xf16> to memref<24x32xf16, #shared>
      }
      %r = arith.muli %i, %c8 : index
      tile.copy %tiles[%r, %c0] [4, 32] to %s[%c0, %c0] : memref<64x33xf32> to memref<8x32xf32, #shared>
      %a = tile.load %t[%c1, %c0] : memref<24x32xf16, #shared> -> tensor<8x32xf16>
      %ai = arith.fptosi %a : tensor<8x32xf16> to tensor<8x32xi32>
      %v0 = arith.muli %x, %three : tensor<8x32xi32>
      %v1 = arith.addi %v0, %ai : tensor<8x32xi32>
      %g = tile.parallel (%k, %l) in (8, 32) -> (tensor<8x32xf16>) {
        %c19 = arith.constant 19 : index
        %from = arith.subi %c19, %k : index
        %e = memref.load %t[%from, %l] : memref<24x32xf16, #shared>
        tile.yield %e : f16
      }
      %gi = arith.fptosi %g : tensor<8x32xf16> to tensor<8x32xi32>
      %v2 = arith.muli %v1, %three : tensor<8x32xi32>
      %v3 = arith.addi %v2, %gi : tensor<8x32xi32>
      %b13 = tile.load %t[%c13, %c0] : memref<24x32xf16, #shared> -> tensor<8x32xf16>
      %bi = arith.fptosi %b13 : tensor<8x32xf16> to tensor<8x32xi32>
      %v4 = arith.muli %v3, %three : tensor<8x32xi32>
      %v5 = arith.addi %v4, %bi : tensor<8x32xi32>
      %c = tile.load %t[%c0, %c0] : memref<24x32xf16, #shared> -> tensor<8x32xf16>
      %ci = arith.fptosi %c : tensor<8x32xf16> to tensor<8x32xi32>
      %cm = arith.remsi %ci, %five : tensor<8x32xi32>
      %cf = arith.sitofp %cm : tensor<8x32xi32> to tensor<8x32xf16>
      tile.store %cf, %t[%c0, %c0] : tensor<8x32xf16>, memref<24x32xf16, #shared>
      %one = memref.load %s[%c1, %c0] : memref<8x32xf32, #shared>
      %scalar = arith.fptosi %one : f32 to i32
      %all = tensor.splat %scalar : tensor<8x32xi32>
      %v6 = arith.muli %v5, %three : tensor<8x32xi32>
      %v7 = arith.addi %v6, %all : tensor<8x32xi32>
      %q = memref.load %places[%i] : memref<7xi32>
      %qi = arith.index_cast %q : i32 to index
      %next = arith.addi %qi, %c8 : index
      scf.yield %y, %v7, %next : tensor<8x32xi32>, tensor<8x32xi32>, index
    } {tile.stages = 3 : i32}
    %w = arith.muli %x1, %three : tensor<8x32xi32>
    %o = arith.addi %w, %y1 : tensor<8x32xi32>
    tile.store %o, %O : tensor<8x32xi32>, memref<8x32xi32>
  }
  return
}

// The second loop runs for certain, so that nothing of the first one's is read behind it:
// each has slots of its own, and only those of the second are held.
// CHECK-LABEL: kernel filled_by_both
// CHECK: Pipelined: 2 stages, 1 copies run ahead
// CHECK-NOT: NotPipelined
// CHECK: Pipelined: 3 stages, 1 copies run ahead
// CHECK-NOT: NotPipelined
// CHECK: Arena: Buffers
func.func @filled_by_both(%A: memref<64x32xf32>, %O: memref<3x16x32xf32>, %n: index) {
  %h1 = arith.constant 1 : index
  tile.launch @filled_by_both blocks(%bx) in (%h1) threads(64) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant dense<0.0> : tensor<16x32xf32>
    %a = tile.alloc : memref<16x32xf32, #shared>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<16x32xf32>) {
      tile.copy %A[%i, %c0] to %a : memref<64x32xf32> to memref<16x32xf32, #shared>
      %x = tile.load %a : memref<16x32xf32, #shared> -> tensor<16x32xf32>
      %d = arith.addf %acc, %x : tensor<16x32xf32>
      scf.yield %d : tensor<16x32xf32>
    } {tile.stages = 2 : i32}
    tile.store %r, %O[%c0, %c0, %c0] [1, 16, 32] : tensor<16x32xf32>, memref<3x16x32xf32>
    %q = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %zero) -> (tensor<16x32xf32>) {
      %at = arith.addi %i, %n : index
      tile.copy %A[%at, %c0] to %a : memref<64x32xf32> to memref<16x32xf32, #shared>
      %x = tile.load %a : memref<16x32xf32, #shared> -> tensor<16x32xf32>
      %d = arith.addf %acc, %x : tensor<16x32xf32>
      scf.yield %d : tensor<16x32xf32>
    } {tile.stages = 3 : i32}
    tile.store %q, %O[%c1, %c0, %c0] [1, 16, 32] : tensor<16x32xf32>, memref<3x16x32xf32>
    %y = tile.load %a : memref<16x32xf32, #shared> -> tensor<16x32xf32>
    tile.store %y, %O[%c2, %c0, %c0] [1, 16, 32] : tensor<16x32xf32>, memref<3x16x32xf32>
  }
  return
}
