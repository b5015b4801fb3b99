// Every reason for which a fill, a load, some slots or a whole loop is left as it is, at
// the loop and with its numbers.
// RUN: tile-opt %s --tile-pipeline-loops=modulo=false | FileCheck %s
// RUN: tile-opt %s --tile-pipeline-loops=modulo=false --remark-format=emitRemark --remarks-filter=tile-pipeline-loops -o %t 2>&1 | FileCheck %s --check-prefix=REMARK

#shared = #gpu.address_space<workgroup>
#f = #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]>
#big = #tile.fragment<[64, 256], register = [4 : (0, 1), 32 : (2, 0)], lane = [32 : (0, 4)], warp = [2 : (0, 128), 2 : (1, 0)]>

module attributes {tile.target = #tile.target<"sm_80">} {

// What is read was filled in the first iteration only.
// CHECK-LABEL: func @copy_under_a_condition
// CHECK-NOT: tile.ring
// CHECK: return
// REMARK: [Missed] NotPipelined {{.*}}Function=copy_under_a_condition_kernel{{.*}}2 stages asked for; the buffer that 'scf.if' (line {{[0-9]+}}) fills keeps one slot: 'tile.load' (line {{[0-9]+}}) may read what this iteration has not filled
func.func @copy_under_a_condition(%n: index, %m: memref<?xf32>, %o: memref<128xf32>) {
  tile.launch @copy_under_a_condition_kernel blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    scf.for %i = %c0 to %n step %c128 {
      %s = tile.alloc layout(#tile.shared<[128]>) : memref<128xf32, #shared>
      %first = arith.cmpi eq, %i, %c0 : index
      scf.if %first {
        tile.copy %m[%i] to %s {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<?xf32> to memref<128xf32, #shared>
      }
      %x = tile.load %s : memref<128xf32, #shared> -> tensor<128xf32, #f>
      tile.store %x, %o : tensor<128xf32, #f>, memref<128xf32>
    } {tile.stages = 2 : i32}
  }
  return
}

// An inner loop that fills what it has just read.
// CHECK-LABEL: func @in_turns
// CHECK-NOT: tile.ring
// CHECK: return
// REMARK: [Missed] NotPipelined {{.*}}Function=in_turns_kernel{{.*}}2 stages asked for; the buffer that 'tile.copy' (line {{[0-9]+}}) fills keeps one slot: 'scf.for' (line {{[0-9]+}}) fills it and uses it in turns; give that loop tile.stages instead
func.func @in_turns(%n: index, %m: memref<?xf32>, %o: memref<128xf32>) {
  tile.launch @in_turns_kernel blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c128 = arith.constant 128 : index
    %s = tile.alloc layout(#tile.shared<[128]>) : memref<128xf32, #shared>
    scf.for %k = %c0 to %n step %c128 {
      scf.for %j = %c0 to %c2 step %c1 {
        %i = arith.addi %k, %j : index
        tile.copy %m[%i] to %s {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<?xf32> to memref<128xf32, #shared>
        %x = tile.load %s : memref<128xf32, #shared> -> tensor<128xf32, #f>
        tile.store %x, %o : tensor<128xf32, #f>, memref<128xf32>
      }
    } {tile.stages = 2 : i32}
  }
  return
}

// A copy back to global memory is not one that could run ahead.
// CHECK-LABEL: func @copies_out_only
// CHECK-NOT: tile.ring
// CHECK: return
// REMARK: [Missed] NotPipelined {{.*}}Function=copies_out_only_kernel{{.*}}2 stages asked for; neither a fill of a shared buffer nor a load of a fragment from global memory stands in its body
func.func @copies_out_only(%n: index, %m: memref<?xf32>) {
  tile.launch @copies_out_only_kernel blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %s = tile.alloc layout(#tile.shared<[128]>) : memref<128xf32, #shared>
    scf.for %i = %c0 to %n step %c128 {
      tile.copy %s to %m[%i] {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"ld.st">} : memref<128xf32, #shared> to memref<?xf32>
    } {tile.stages = 2 : i32}
  }
  return
}

// A fill stays behind the store to what it copies.
// CHECK-LABEL: func @stored_before_the_fill
// CHECK-NOT: tile.ring
// CHECK: tile.store
// CHECK: tile.copy
// CHECK: return
// REMARK: [Missed] NotPipelined {{.*}}Function=stored_before_the_fill_kernel{{.*}}2 stages asked for; the buffer that 'tile.copy' (line {{[0-9]+}}) fills keeps one slot: 'scf.if' (line {{[0-9]+}}) fills it and uses it in turns
func.func @stored_before_the_fill(%n: index, %m: memref<?xf32>, %o: memref<128xf32>) {
  tile.launch @stored_before_the_fill_kernel blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %zero = arith.constant dense<0.0> : tensor<128xf32, #f>
    %s = tile.alloc layout(#tile.shared<[128]>) : memref<128xf32, #shared>
    scf.for %i = %c0 to %n step %c128 {
      %on = arith.cmpi eq, %i, %c128 : index
      scf.if %on {
        tile.store %zero, %m[%i] : tensor<128xf32, #f>, memref<?xf32>
        tile.copy %m[%i] to %s {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<?xf32> to memref<128xf32, #shared>
        %x = tile.load %s : memref<128xf32, #shared> -> tensor<128xf32, #f>
        tile.store %x, %o : tensor<128xf32, #f>, memref<128xf32>
      }
    } {tile.stages = 2 : i32}
  }
  return
}

// The first of two loops has slots whose contents are read behind both; the second one stands
// under a condition, without which it makes no use.
// CHECK-LABEL: func @slots_of_another_loop
// CHECK: tile.ring %{{.*}} -> !tile.ring<2>
// CHECK-NOT: tile.ring %
// CHECK: return
// REMARK: [Missed] NotPipelined {{.*}}Function=slots_of_another_loop_kernel{{.*}}3 stages asked for; the buffer that 'tile.copy' (line {{[0-9]+}}) fills keeps one slot: its slots are those of 'scf.for' (line [[#@LINE+6]]), whose contents are read behind both loops; give each loop a buffer of its own
func.func @slots_of_another_loop(%n: index, %on: i1, %m: memref<?xf32>, %o: memref<128xf32>) {
  tile.launch @slots_of_another_loop_kernel blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %s = tile.alloc layout(#tile.shared<[128]>) : memref<128xf32, #shared>
    scf.for %i = %c0 to %n step %c128 {
      tile.copy %m[%i] to %s {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<?xf32> to memref<128xf32, #shared>
      %x = tile.load %s : memref<128xf32, #shared> -> tensor<128xf32, #f>
      tile.store %x, %o : tensor<128xf32, #f>, memref<128xf32>
    } {tile.stages = 2 : i32}
    scf.if %on {
      scf.for %i = %c0 to %n step %c128 {
        tile.copy %m[%i] to %s {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<?xf32> to memref<128xf32, #shared>
        %x = tile.load %s : memref<128xf32, #shared> -> tensor<128xf32, #f>
        tile.store %x, %o : tensor<128xf32, #f>, memref<128xf32>
      } {tile.stages = 3 : i32}
    }
    %y = tile.load %s : memref<128xf32, #shared> -> tensor<128xf32, #f>
    tile.store %y, %o : tensor<128xf32, #f>, memref<128xf32>
  }
  return
}

// Two copies to one place in an iteration: which arrives last is not known.
// CHECK-LABEL: func @filled_twice
// CHECK-NOT: tile.ring
// CHECK: return
// REMARK: [Missed] NotPipelined {{.*}}Function=filled_twice_kernel{{.*}}2 stages asked for; the buffer that 'tile.copy' (line {{[0-9]+}}) fills keeps one slot: 'tile.copy' (line {{[0-9]+}}) writes where a copy of the same iteration is still to arrive
func.func @filled_twice(%n: index, %m: memref<?xf32>, %o: memref<128xf32>) {
  tile.launch @filled_twice_kernel blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %s = tile.alloc layout(#tile.shared<[128]>) : memref<128xf32, #shared>
    scf.for %i = %c0 to %n step %c128 {
      tile.copy %m[%c0] to %s {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<?xf32> to memref<128xf32, #shared>
      tile.copy %m[%i] to %s {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<?xf32> to memref<128xf32, #shared>
      %x = tile.load %s : memref<128xf32, #shared> -> tensor<128xf32, #f>
      tile.store %x, %o : tensor<128xf32, #f>, memref<128xf32>
    } {tile.stages = 2 : i32}
  }
  return
}

// A store of integers, which may be places, runs ahead with the copy onto it.
// CHECK-LABEL: func @stored_ahead
// CHECK-NOT: tile.ring
// CHECK: return
// REMARK: [Missed] NotPipelined {{.*}}Function=stored_ahead_kernel{{.*}}2 stages asked for; the buffer that 'tile.copy' (line {{[0-9]+}}) fills keeps one slot: what else uses it runs as far ahead
func.func @stored_ahead(%n: index, %m: memref<?xi32>, %o: memref<128xi32>) {
  tile.launch @stored_ahead_kernel blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %two = arith.constant dense<2> : tensor<128xi32, #f>
    %s = tile.alloc layout(#tile.shared<[128]>) : memref<128xi32, #shared>
    scf.for %i = %c0 to %n step %c128 {
      tile.store %two, %s : tensor<128xi32, #f>, memref<128xi32, #shared>
      tile.copy %m[%i] to %s {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<?xi32> to memref<128xi32, #shared>
      %x = memref.load %s[%c0] : memref<128xi32, #shared>
      tile.once {
        memref.store %x, %o[%c0] : memref<128xi32>
      }
    } {tile.stages = 2 : i32}
  }
  return
}

// Which iteration filled last is not known before it runs.
// CHECK-LABEL: func @condition_and_behind
// CHECK-NOT: tile.ring
// CHECK: return
// REMARK: [Missed] NotPipelined {{.*}}Function=condition_and_behind_kernel{{.*}}2 stages asked for; the buffer that 'scf.if' (line {{[0-9]+}}) fills keeps one slot: an iteration may leave a part of it as it was, and it is read behind the loop
func.func @condition_and_behind(%n: index, %m: memref<?xf32>, %o: memref<128xf32>) {
  tile.launch @condition_and_behind_kernel blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c128 = arith.constant 128 : index
    %s = tile.alloc layout(#tile.shared<[128]>) : memref<128xf32, #shared>
    scf.for %i = %c0 to %n step %c128 {
      %on = arith.cmpi eq, %i, %c128 : index
      scf.if %on {
        tile.copy %m[%i] to %s {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<?xf32> to memref<128xf32, #shared>
      }
      scf.if %on {
        %x = tile.load %s : memref<128xf32, #shared> -> tensor<128xf32, #f>
        tile.store %x, %o : tensor<128xf32, #f>, memref<128xf32>
      }
    } {tile.stages = 2 : i32}
    %y = tile.load %s : memref<128xf32, #shared> -> tensor<128xf32, #f>
    tile.store %y, %o : tensor<128xf32, #f>, memref<128xf32>
  }
  return
}

// The loop around reads what the one inside left.
// CHECK-LABEL: func @read_around
// CHECK-NOT: tile.ring
// CHECK: return
// REMARK: [Missed] NotPipelined {{.*}}Function=read_around_kernel{{.*}}2 stages asked for; the buffer that 'tile.copy' (line {{[0-9]+}}) fills keeps one slot: what is in it is read behind the loop, in an operation around it; allocate it in front of the loop
func.func @read_around(%n: index, %m: memref<?xf32>, %o: memref<128xf32>) {
  tile.launch @read_around_kernel blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c128 = arith.constant 128 : index
    %s = tile.alloc layout(#tile.shared<[128]>) : memref<128xf32, #shared>
    %zero = arith.constant dense<0.0> : tensor<128xf32, #f>
    tile.store %zero, %s : tensor<128xf32, #f>, memref<128xf32, #shared>
    scf.for %j = %c0 to %n step %c1 {
      %y = tile.load %s : memref<128xf32, #shared> -> tensor<128xf32, #f>
      tile.store %y, %o : tensor<128xf32, #f>, memref<128xf32>
      scf.for %i = %c0 to %n step %c128 {
        tile.copy %m[%i] to %s {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<?xf32> to memref<128xf32, #shared>
        %x = tile.load %s : memref<128xf32, #shared> -> tensor<128xf32, #f>
        tile.store %x, %o : tensor<128xf32, #f>, memref<128xf32>
      } {tile.stages = 2 : i32}
    }
  }
  return
}

// One of two buffers filled under a condition is read without it.
// CHECK-LABEL: func @shared_guard
// CHECK-NOT: tile.ring
// CHECK: return
// REMARK: [Missed] NotPipelined {{.*}}Function=shared_guard_kernel{{.*}}2 stages asked for; the buffer that 'scf.if' (line {{[0-9]+}}) fills keeps one slot: it fills another buffer that keeps one
func.func @shared_guard(%n: index, %m: memref<?xf32>, %o: memref<128xf32>) {
  tile.launch @shared_guard_kernel blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c128 = arith.constant 128 : index
    %s = tile.alloc layout(#tile.shared<[128]>) : memref<128xf32, #shared>
    %t = tile.alloc layout(#tile.shared<[128]>) : memref<128xf32, #shared>
    scf.for %i = %c0 to %n step %c128 {
      %on = arith.cmpi eq, %i, %c128 : index
      scf.if %on {
        tile.copy %m[%i] to %t {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<?xf32> to memref<128xf32, #shared>
        tile.copy %m[%i] to %s {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<?xf32> to memref<128xf32, #shared>
      }
      scf.if %on {
        %x = tile.load %s : memref<128xf32, #shared> -> tensor<128xf32, #f>
        tile.store %x, %o : tensor<128xf32, #f>, memref<128xf32>
      }
      %y = tile.load %t : memref<128xf32, #shared> -> tensor<128xf32, #f>
      tile.store %y, %o : tensor<128xf32, #f>, memref<128xf32>
    } {tile.stages = 2 : i32}
  }
  return
}

// What the iteration reads first is what the one before it copied.
// CHECK-LABEL: func @read_before_the_copy
// CHECK-NOT: tile.ring
// CHECK: return
// REMARK: [Missed] NotPipelined {{.*}}Function=read_before_the_copy_kernel{{.*}}3 stages asked for; the buffer that 'tile.copy' (line {{[0-9]+}}) fills keeps one slot: 'tile.load' (line {{[0-9]+}}) may read what this iteration has not filled
func.func @read_before_the_copy(%n: index, %m: memref<?xf32>, %o: memref<128xf32>) {
  tile.launch @read_before_the_copy_kernel blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %s = tile.alloc layout(#tile.shared<[128]>) : memref<128xf32, #shared>
    scf.for %i = %c0 to %n step %c128 {
      %x = tile.load %s : memref<128xf32, #shared> -> tensor<128xf32, #f>
      tile.store %x, %o : tensor<128xf32, #f>, memref<128xf32>
      tile.copy %m[%i] to %s {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<?xf32> to memref<128xf32, #shared>
    } {tile.stages = 3 : i32}
  }
  return
}

// The buffer is used before the iteration fills it again.
// CHECK-LABEL: func @filled_again
// CHECK-NOT: tile.ring
// CHECK: return
// REMARK: [Missed] NotPipelined {{.*}}Function=filled_again_kernel{{.*}}2 stages asked for; the buffer that 'tile.copy' (line [[#@LINE+7]]) fills keeps one slot: 'tile.load' (line [[#@LINE+8]]) uses what is in it before 'tile.store' (line [[#@LINE+10]]) fills it again; give each a buffer of its own
func.func @filled_again(%n: index, %m: memref<?xf32>, %o: memref<128xf32>) {
  tile.launch @filled_again_kernel blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %s = tile.alloc layout(#tile.shared<[128]>) : memref<128xf32, #shared>
    scf.for %i = %c0 to %n step %c128 {
      tile.copy %m[%i] to %s {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<?xf32> to memref<128xf32, #shared>
      %x = tile.load %s : memref<128xf32, #shared> -> tensor<128xf32, #f>
      tile.store %x, %o : tensor<128xf32, #f>, memref<128xf32>
      tile.copy %m[%c0] to %s {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"ld.st">} : memref<?xf32> to memref<128xf32, #shared>
      %y = tile.load %s : memref<128xf32, #shared> -> tensor<128xf32, #f>
      tile.store %y, %o : tensor<128xf32, #f>, memref<128xf32>
    } {tile.stages = 2 : i32}
  }
  return
}

// Arguments do not overlap unless they say so.
// CHECK-LABEL: func @may_write_the_source
// CHECK-NOT: tile.ring
// CHECK: return
// REMARK: [Missed] NotPipelined {{.*}}Function=may_write_the_source_kernel{{.*}}3 stages asked for; the buffer that 'tile.copy' (line {{[0-9]+}}) fills keeps one slot: 'tile.copy' cannot run 2 iterations ahead: 'tile.copy' reads what 'tile.store' writes to 'memref<128xf32>' in the iteration before
func.func @may_write_the_source(%n: index, %m: memref<?xf32>, %o: memref<128xf32> {tile.may_alias}) {
  tile.launch @may_write_the_source_kernel blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %s = tile.alloc layout(#tile.shared<[128]>) : memref<128xf32, #shared>
    scf.for %i = %c0 to %n step %c128 {
      tile.copy %m[%i] to %s {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<?xf32> to memref<128xf32, #shared>
      %x = tile.load %s : memref<128xf32, #shared> -> tensor<128xf32, #f>
      tile.store %x, %o : tensor<128xf32, #f>, memref<128xf32>
    } {tile.stages = 3 : i32}
  }
  return
}

// A fragment of 128 registers beside one that the loop carries.
// CHECK-LABEL: func @no_registers
// CHECK-NOT: tile.ring
// CHECK: return
// REMARK: [Missed] NotPipelined {{.*}}Function=no_registers_kernel{{.*}}2 stages asked for; the fragment that 'tile.load' (line {{[0-9]+}}) loads is not loaded ahead: it takes 128 registers and 0 are free
func.func @no_registers(%n: index, %m: memref<?x256xf32>, %o: memref<64x256xf32>) {
  tile.launch @no_registers_kernel blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c128 = arith.constant 128 : index
    %zero = arith.constant dense<0.0> : tensor<64x256xf32, #big>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x256xf32, #big>) {
      %x = tile.load %m[%i, %c0] : memref<?x256xf32> -> tensor<64x256xf32, #big>
      %y = arith.addf %acc, %x : tensor<64x256xf32, #big>
      scf.yield %y : tensor<64x256xf32, #big>
    } {tile.stages = 2 : i32}
    tile.store %r, %o : tensor<64x256xf32, #big>, memref<64x256xf32>
  }
  return
}

// Two slots of 64 KB fit, as the buffer of 48 KB beside them is not used.
// CHECK-LABEL: func @two_slots_fit
// CHECK: tile.ring %{{.*}} -> !tile.ring<2>
// CHECK: return
// REMARK: [Missed] NotPipelined {{.*}}Function=two_slots_fit_kernel{{.*}}4 stages asked for; 2 slots instead of 4 fit the 166912 bytes of shared memory; 3 would take 196608
func.func @two_slots_fit(%n: index, %m: memref<?xf32>, %o: memref<16384xf32>) {
  tile.launch @two_slots_fit_kernel blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %step = arith.constant 16384 : index
    %other = tile.alloc layout(#tile.shared<[12288]>) : memref<12288xf32, #shared>
    %s = tile.alloc layout(#tile.shared<[16384]>) : memref<16384xf32, #shared>
    scf.for %i = %c0 to %n step %step {
      tile.copy %m[%i] to %s {layout = #tile.fragment<[16384], register = [4 : (1), 32 : (512)], lane = [32 : (4)], warp = [4 : (128)]>, vector_width = 4 : i64, instruction = #tile.instruction<"cp.async">} : memref<?xf32> to memref<16384xf32, #shared>
      tile.copy %s to %o {layout = #tile.fragment<[16384], register = [4 : (1), 32 : (512)], lane = [32 : (4)], warp = [4 : (128)]>, vector_width = 4 : i64, instruction = #tile.instruction<"ld.st">} : memref<16384xf32, #shared> to memref<16384xf32>
    } {tile.stages = 4 : i32}
  }
  return
}

// As many slots as the largest number says are not tried one by one.
// CHECK-LABEL: func @countless_slots
// CHECK: tile.ring %{{.*}} -> !tile.ring<2>
// CHECK: return
// REMARK: [Missed] NotPipelined {{.*}}Function=countless_slots_kernel{{.*}}2147483647 stages asked for; 2 slots instead of 32 fit the 166912 bytes of shared memory; 3 would take 196608
// REMARK: [Missed] NotPipelined {{.*}}Function=countless_slots_kernel{{.*}}2147483647 stages asked for; a loop has at most 32
func.func @countless_slots(%n: index, %m: memref<?xf32>, %o: memref<16384xf32>) {
  tile.launch @countless_slots_kernel blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %step = arith.constant 16384 : index
    %s = tile.alloc layout(#tile.shared<[16384]>) : memref<16384xf32, #shared>
    scf.for %i = %c0 to %n step %step {
      tile.copy %m[%i] to %s {layout = #tile.fragment<[16384], register = [4 : (1), 32 : (512)], lane = [32 : (4)], warp = [4 : (128)]>, vector_width = 4 : i64, instruction = #tile.instruction<"cp.async">} : memref<?xf32> to memref<16384xf32, #shared>
      tile.copy %s to %o {layout = #tile.fragment<[16384], register = [4 : (1), 32 : (512)], lane = [32 : (4)], warp = [4 : (128)]>, vector_width = 4 : i64, instruction = #tile.instruction<"ld.st">} : memref<16384xf32, #shared> to memref<16384xf32>
    } {tile.stages = 2147483647 : i32}
  }
  return
}

// 96 KB a slot: the fill follows the last use of the iteration before.
// CHECK-LABEL: func @no_slots
// CHECK: tile.ring %{{.*}} -> !tile.ring<1>
// CHECK: return
// REMARK: [Missed] NotPipelined {{.*}}Function=no_slots_kernel{{.*}}3 stages asked for; 1 slots instead of 3 fit the 166912 bytes of shared memory; 2 would take 196608
func.func @no_slots(%n: index, %m: memref<?xf32>, %o: memref<128xf32>) {
  tile.launch @no_slots_kernel blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c128 = arith.constant 128 : index
    %s = tile.alloc layout(#tile.shared<[24576]>) : memref<24576xf32, #shared>
    scf.for %i = %c0 to %n step %c1 {
      tile.copy %m[%i] to %s {layout = #tile.fragment<[24576], register = [4 : (1), 48 : (512)], lane = [32 : (4)], warp = [4 : (128)]>, vector_width = 4 : i64, instruction = #tile.instruction<"cp.async">} : memref<?xf32> to memref<24576xf32, #shared>
      %x = memref.load %s[%c0] : memref<24576xf32, #shared>
      tile.once {
        memref.store %x, %o[%c0] : memref<128xf32>
      }
    } {tile.stages = 3 : i32}
  }
  return
}

}
