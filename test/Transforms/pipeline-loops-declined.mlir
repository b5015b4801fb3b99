// Every reason for which a copy, some slots or a whole loop is left as it is, at the
// loop and with its numbers. Loops of which nothing runs ahead are not changed.
// RUN: tile-opt %s --tile-pipeline-loops --verify-diagnostics --remark-format=emitRemark --remarks-filter=tile-pipeline-loops | FileCheck %s

#shared = #gpu.address_space<workgroup>
#f = #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]>

module attributes {tile.target = #tile.target<"sm_80">} {

// CHECK-LABEL: func @nothing_to_copy
// CHECK-NOT: tile.copy_commit
// CHECK: return
func.func @nothing_to_copy(%n: index, %m: memref<?xf32>, %o: memref<128xf32>) {
  tile.launch @nothing_to_copy_kernel blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    // expected-remark @below {{[Missed] NotPipelined | Category:tile-pipeline-loops | Function=nothing_to_copy_kernel | Reason="3 stages asked for; no copy from global to shared memory stands in its body"}}
    scf.for %i = %c0 to %n step %c128 {
      %x = tile.load %m[%i] : memref<?xf32> -> tensor<128xf32, #f>
      tile.store %x, %o : tensor<128xf32, #f>, memref<128xf32>
    } {tile.stages = 3 : i32}
  }
  return
}

// A copy under a condition is not in the body itself, nor is one in an inner loop.
// CHECK-LABEL: func @copy_under_a_condition
// CHECK-NOT: tile.copy_commit
// CHECK: return
func.func @copy_under_a_condition(%n: index, %m: memref<?xf32>, %o: memref<128xf32>) {
  tile.launch @copy_under_a_condition_kernel blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    // expected-remark @below {{"2 stages asked for; no copy from global to shared memory stands in its body"}}
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

// A copy back to global memory is not one that could run ahead.
// CHECK-LABEL: func @copies_out_only
// CHECK-NOT: tile.copy_commit
// CHECK: return
func.func @copies_out_only(%n: index, %m: memref<?xf32>) {
  tile.launch @copies_out_only_kernel blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %s = tile.alloc layout(#tile.shared<[128]>) : memref<128xf32, #shared>
    // expected-remark @below {{"2 stages asked for; no copy from global to shared memory stands in its body"}}
    scf.for %i = %c0 to %n step %c128 {
      tile.copy %s to %m[%i] {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"ld.st">} : memref<128xf32, #shared> to memref<?xf32>
    } {tile.stages = 2 : i32}
  }
  return
}

// CHECK-LABEL: func @not_asynchronous
// CHECK-NOT: tile.copy_commit
// CHECK: return
func.func @not_asynchronous(%n: index, %m: memref<?xf32>, %o: memref<128xf32>) {
  tile.launch @not_asynchronous_kernel blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %s = tile.alloc layout(#tile.shared<[128]>) : memref<128xf32, #shared>
    // expected-remark @below {{"3 stages asked for; a buffer keeps one slot: its copy is not asynchronous"}}
    scf.for %i = %c0 to %n step %c128 {
      tile.copy %m[%i] to %s {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"ld.st">} : memref<?xf32> to memref<128xf32, #shared>
      %x = tile.load %s : memref<128xf32, #shared> -> tensor<128xf32, #f>
      tile.store %x, %o : tensor<128xf32, #f>, memref<128xf32>
    } {tile.stages = 3 : i32}
  }
  return
}

// CHECK-LABEL: func @fills_a_part
// CHECK-NOT: tile.copy_commit
// CHECK: return
func.func @fills_a_part(%n: index, %m: memref<?xf32>, %o: memref<128xf32>) {
  tile.launch @fills_a_part_kernel blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %s = tile.alloc layout(#tile.shared<[256]>) : memref<256xf32, #shared>
    // expected-remark @below {{"3 stages asked for; a buffer keeps one slot: its copy fills only a part of a buffer"}}
    scf.for %i = %c0 to %n step %c128 {
      tile.copy %m[%i] to %s[%c128] [128] {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<?xf32> to memref<256xf32, #shared>
      %x = tile.load %s[%c128] : memref<256xf32, #shared> -> tensor<128xf32, #f>
      tile.store %x, %o : tensor<128xf32, #f>, memref<128xf32>
    } {tile.stages = 3 : i32}
  }
  return
}

// CHECK-LABEL: func @gathers_rows
// CHECK-NOT: tile.copy_commit
// CHECK: return
func.func @gathers_rows(%n: index, %m: memref<?xf32>, %where: memref<?xi32>, %o: memref<128xf32>) {
  tile.launch @gathers_rows_kernel blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %s = tile.alloc layout(#tile.shared<[128]>) : memref<128xf32, #shared>
    // expected-remark @below {{"3 stages asked for; a buffer keeps one slot: its copy gathers rows that this iteration computes"}}
    scf.for %i = %c0 to %n step %c128 {
      %rows = tile.load %where[%i] : memref<?xi32> -> tensor<128xi32, #f>
      tile.copy %m[%c0] [128] rows(%rows : tensor<128xi32, #f>) dim 0 to %s {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<?xf32> to memref<128xf32, #shared>
      %x = tile.load %s : memref<128xf32, #shared> -> tensor<128xf32, #f>
      tile.store %x, %o : tensor<128xf32, #f>, memref<128xf32>
    } {tile.stages = 3 : i32}
  }
  return
}

// CHECK-LABEL: func @used_outside
// CHECK-NOT: tile.copy_commit
// CHECK: return
func.func @used_outside(%n: index, %m: memref<?xf32>, %o: memref<128xf32>) {
  tile.launch @used_outside_kernel blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %s = tile.alloc layout(#tile.shared<[128]>) : memref<128xf32, #shared>
    // expected-remark @below {{"3 stages asked for; a buffer keeps one slot: its buffer is used outside the loop"}}
    scf.for %i = %c0 to %n step %c128 {
      tile.copy %m[%i] to %s {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<?xf32> to memref<128xf32, #shared>
    } {tile.stages = 3 : i32}
    %x = tile.load %s : memref<128xf32, #shared> -> tensor<128xf32, #f>
    tile.store %x, %o : tensor<128xf32, #f>, memref<128xf32>
  }
  return
}

// What the iteration reads first is what the one before it copied.
// CHECK-LABEL: func @read_before_the_copy
// CHECK-NOT: tile.copy_commit
// CHECK: return
func.func @read_before_the_copy(%n: index, %m: memref<?xf32>, %o: memref<128xf32>) {
  tile.launch @read_before_the_copy_kernel blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %s = tile.alloc layout(#tile.shared<[128]>) : memref<128xf32, #shared>
    // expected-remark @below {{"3 stages asked for; a buffer keeps one slot: its buffer is read before the copy of the same iteration"}}
    scf.for %i = %c0 to %n step %c128 {
      %x = tile.load %s : memref<128xf32, #shared> -> tensor<128xf32, #f>
      tile.store %x, %o : tensor<128xf32, #f>, memref<128xf32>
      tile.copy %m[%i] to %s {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<?xf32> to memref<128xf32, #shared>
    } {tile.stages = 3 : i32}
  }
  return
}

// CHECK-LABEL: func @read_through_a_view
// CHECK-NOT: tile.copy_commit
// CHECK: return
func.func @read_through_a_view(%n: index, %m: memref<?xf32>, %o: memref<128xf32>) {
  tile.launch @read_through_a_view_kernel blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %s = tile.alloc layout(#tile.shared<[256]>) : memref<256xf32, #shared>
    // expected-remark @below {{"3 stages asked for; a buffer keeps one slot: its buffer is read through a view"}}
    scf.for %i = %c0 to %n step %c256 {
      tile.copy %m[%i] to %s {layout = #tile.fragment<[256], register = [2 : (128)], lane = [32 : (1)], warp = [4 : (32)]>, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<?xf32> to memref<256xf32, #shared>
      %half = memref.subview %s[0] [128] [1] : memref<256xf32, #shared> to memref<128xf32, strided<[1]>, #shared>
      %x = tile.load %half : memref<128xf32, strided<[1]>, #shared> -> tensor<128xf32, #f>
      tile.store %x, %o : tensor<128xf32, #f>, memref<128xf32>
    } {tile.stages = 3 : i32}
  }
  return
}

// CHECK-LABEL: func @written_by_another
// CHECK-NOT: tile.copy_commit
// CHECK: return
func.func @written_by_another(%n: index, %m: memref<?xf32>, %o: memref<128xf32>) {
  tile.launch @written_by_another_kernel blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %s = tile.alloc layout(#tile.shared<[128]>) : memref<128xf32, #shared>
    // expected-remark @below {{"3 stages asked for; a buffer keeps one slot: its buffer is written by another operation of the loop"}}
    scf.for %i = %c0 to %n step %c128 {
      tile.copy %m[%i] to %s {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<?xf32> to memref<128xf32, #shared>
      %x = tile.load %s : memref<128xf32, #shared> -> tensor<128xf32, #f>
      %y = arith.addf %x, %x : tensor<128xf32, #f>
      tile.store %y, %s : tensor<128xf32, #f>, memref<128xf32, #shared>
      %z = tile.load %s : memref<128xf32, #shared> -> tensor<128xf32, #f>
      tile.store %z, %o : tensor<128xf32, #f>, memref<128xf32>
    } {tile.stages = 3 : i32}
  }
  return
}

// Arguments do not overlap unless they say so.
// CHECK-LABEL: func @may_write_the_source
// CHECK-NOT: tile.copy_commit
// CHECK: return
func.func @may_write_the_source(%n: index, %m: memref<?xf32>, %o: memref<128xf32> {tile.may_alias}) {
  tile.launch @may_write_the_source_kernel blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %s = tile.alloc layout(#tile.shared<[128]>) : memref<128xf32, #shared>
    // expected-remark @below {{"3 stages asked for; a buffer keeps one slot: the loop may write the memory it copies from"}}
    scf.for %i = %c0 to %n step %c128 {
      tile.copy %m[%i] to %s {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<?xf32> to memref<128xf32, #shared>
      %x = tile.load %s : memref<128xf32, #shared> -> tensor<128xf32, #f>
      tile.store %x, %o : tensor<128xf32, #f>, memref<128xf32>
    } {tile.stages = 3 : i32}
  }
  return
}

// The place of the next copy is read from memory by each iteration.
// CHECK-LABEL: func @place_from_memory
// CHECK-NOT: tile.copy_commit
// CHECK: return
func.func @place_from_memory(%n: index, %m: memref<?xf32>, %where: memref<?xindex>, %o: memref<128xf32>) {
  tile.launch @place_from_memory_kernel blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %s = tile.alloc layout(#tile.shared<[128]>) : memref<128xf32, #shared>
    // expected-remark @below {{"3 stages asked for; a buffer keeps one slot: its place depends on more than the induction variable"}}
    scf.for %i = %c0 to %n step %c1 {
      %at = memref.load %where[%i] : memref<?xindex>
      tile.copy %m[%at] to %s {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<?xf32> to memref<128xf32, #shared>
      %x = tile.load %s : memref<128xf32, #shared> -> tensor<128xf32, #f>
      tile.store %x, %o : tensor<128xf32, #f>, memref<128xf32>
    } {tile.stages = 3 : i32}
  }
  return
}

// So is one that the loop carries.
// CHECK-LABEL: func @place_from_the_last_iteration
// CHECK-NOT: tile.copy_commit
// CHECK: return
func.func @place_from_the_last_iteration(%n: index, %m: memref<?xf32>, %o: memref<128xf32>) {
  tile.launch @place_from_the_last_iteration_kernel blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %s = tile.alloc layout(#tile.shared<[128]>) : memref<128xf32, #shared>
    // expected-remark @below {{"3 stages asked for; a buffer keeps one slot: its place depends on more than the induction variable"}}
    %last = scf.for %i = %c0 to %n step %c1 iter_args(%at = %c0) -> (index) {
      tile.copy %m[%at] to %s {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<?xf32> to memref<128xf32, #shared>
      %x = tile.load %s : memref<128xf32, #shared> -> tensor<128xf32, #f>
      tile.store %x, %o : tensor<128xf32, #f>, memref<128xf32>
      %next = arith.addi %at, %i : index
      scf.yield %next : index
    } {tile.stages = 3 : i32}
  }
  return
}

// One of two copies stays where it is; the other runs ahead.
// CHECK-LABEL: func @one_of_two
// CHECK: tile.alloc {{.*}} : memref<3x128xf32
// CHECK: tile.copy_commit
// CHECK: scf.for
// CHECK: tile.copy %{{.*}} to %{{.*}}{{.*}}instruction = #tile.instruction<"ld.st">
// CHECK: return
func.func @one_of_two(%n: index, %m: memref<?xf32>, %o: memref<128xf32>) {
  tile.launch @one_of_two_kernel blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %s = tile.alloc layout(#tile.shared<[128]>) : memref<128xf32, #shared>
    %t = tile.alloc layout(#tile.shared<[128]>) : memref<128xf32, #shared>
    // expected-remark @+2 {{[Passed] Pipelined | Category:tile-pipeline-loops | Function=one_of_two_kernel | Remark="3 stages, 1 copies run ahead"}}
    // expected-remark @below {{"3 stages asked for; a buffer keeps one slot: its copy is not asynchronous"}}
    scf.for %i = %c0 to %n step %c128 {
      tile.copy %m[%i] to %s {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<?xf32> to memref<128xf32, #shared>
      tile.copy %m[%i] to %t {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"ld.st">} : memref<?xf32> to memref<128xf32, #shared>
      %x = tile.load %s : memref<128xf32, #shared> -> tensor<128xf32, #f>
      %y = tile.load %t : memref<128xf32, #shared> -> tensor<128xf32, #f>
      %z = arith.addf %x, %y : tensor<128xf32, #f>
      tile.store %z, %o : tensor<128xf32, #f>, memref<128xf32>
    } {tile.stages = 3 : i32}
  }
  return
}

// Buffers beside the ring take their place: 64 KB in slots, 48 KB elsewhere, of 163 KB.
// CHECK-LABEL: func @one_slot_fits
// CHECK-NOT: tile.copy_commit
// CHECK: return
func.func @one_slot_fits(%n: index, %m: memref<?xf32>, %o: memref<16384xf32>) {
  tile.launch @one_slot_fits_kernel blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %c0 = arith.constant 0 : index
    %step = arith.constant 16384 : index
    %other = tile.alloc layout(#tile.shared<[12288]>) : memref<12288xf32, #shared>
    %s = tile.alloc layout(#tile.shared<[16384]>) : memref<16384xf32, #shared>
    // expected-remark @below {{[Missed] NotPipelined | Category:tile-pipeline-loops | Function=one_slot_fits_kernel | Reason="4 stages asked for; 1 slots instead of 4 fit the 166912 bytes of shared memory"}}
    scf.for %i = %c0 to %n step %step {
      tile.copy %m[%i] to %s {layout = #tile.fragment<[16384], register = [4 : (1), 32 : (512)], lane = [32 : (4)], warp = [4 : (128)]>, vector_width = 4 : i64, instruction = #tile.instruction<"cp.async">} : memref<?xf32> to memref<16384xf32, #shared>
      tile.copy %s to %o {layout = #tile.fragment<[16384], register = [4 : (1), 32 : (512)], lane = [32 : (4)], warp = [4 : (128)]>, vector_width = 4 : i64, instruction = #tile.instruction<"ld.st">} : memref<16384xf32, #shared> to memref<16384xf32>
    } {tile.stages = 4 : i32}
  }
  return
}
}
