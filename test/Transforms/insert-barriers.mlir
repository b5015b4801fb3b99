// RUN: tile-opt %s --tile-insert-barriers | FileCheck %s
// RUN: tile-opt %s --tile-insert-barriers --remark-format=emitRemark --remarks-filter=tile-insert-barriers -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

#shared = #gpu.address_space<workgroup>
#l = #tile.shared<[128]>
#f = #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]>
#h = #tile.fragment<[128], register = [2 : (16)], lane = [16 : (1), 2 : (0)], warp = [4 : (32)]>
#g = #tile.fragment<[128], register = [], lane = [32 : (4)], warp = [4 : (1)]>

module attributes {tile.target = #tile.target<"sm_80">} {

// Nothing is shared: nothing to order.
// CHECK-LABEL: func @vector_add
// CHECK-NOT: tile.barrier
// CHECK: return
func.func @vector_add(%n: index, %a: memref<128xf32>, %b: memref<128xf32>) {
  // REMARK: [[#@LINE+1]]:3: remark: [Analysis] Barriers {{.*}} Function=a | Barriers=0
  tile.launch @a blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<placed>} {
    %x = tile.load %a : memref<128xf32> -> tensor<128xf32, #f>
    %y = arith.addf %x, %x : tensor<128xf32, #f>
    tile.store %y, %b : tensor<128xf32, #f>, memref<128xf32>
  }
  return
}

// Read after write in another layout.
// CHECK-LABEL: func @read_after_write
// CHECK: tile.store
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.load
// CHECK-NOT: tile.barrier
// CHECK: return
func.func @read_after_write(%n: index, %a: memref<128xf32>, %b: memref<128xf32>) {
  // REMARK: [[#@LINE+1]]:3: remark: [Analysis] Barriers {{.*}} Function=b | Barriers=1
  tile.launch @b blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<placed>} {
    %arena = tile.arena 1024 : memref<1024xi8, #shared>
    %s = tile.view %arena[0] layout(#l) : memref<1024xi8, #shared> to memref<128xf32, #shared>
    %x = tile.load %a : memref<128xf32> -> tensor<128xf32, #f>
    tile.store %x, %s : tensor<128xf32, #f>, memref<128xf32, #shared>
    %y = tile.load %s : memref<128xf32, #shared> -> tensor<128xf32, #g>
    tile.store %y, %b : tensor<128xf32, #g>, memref<128xf32>
  }
  return
}

// Where no byte goes to another warp, each meets alone.
// CHECK-LABEL: func @within_warps
// CHECK: tile.store
// CHECK-NEXT: tile.barrier {scope = #tile.scope<warp>}
// CHECK-NEXT: tile.load
// CHECK-NOT: tile.barrier
// CHECK: return
func.func @within_warps(%n: index, %a: memref<128xf32>) {
  tile.launch @p blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<placed>} {
    // REMARK: [[#@LINE+3]]:10: remark: [Analysis] Barrier {{.*}}the threads of each warp meet between the access at {{.*}}:[[#@LINE+2]]:5 and this one
    %x = arith.constant dense<0.0> : tensor<128xf32, #f>
    tile.store %x, %a : tensor<128xf32, #f>, memref<128xf32>
    %y = tile.load %a : memref<128xf32> -> tensor<128xf32, #h>
  }
  return
}

// A barrier that is there stays, and is said to be of no use.
// CHECK-LABEL: func @useless
// CHECK: tile.store
// CHECK-NEXT: tile.barrier
func.func @useless(%n: index, %a: memref<128xf32>) {
  tile.launch @q blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<placed>} {
    %x = arith.constant dense<0.0> : tensor<128xf32, #f>
    tile.store %x, %a : tensor<128xf32, #f>, memref<128xf32>
    // REMARK: [[#@LINE+1]]:5: remark: [Missed] Barrier {{.*}}redundant: no two accesses need it
    tile.barrier
  }
  return
}

// Every thread reads back what it alone wrote: its own order is enough, in shared
// and in global memory.
// CHECK-LABEL: func @thread_private
// CHECK-NOT: tile.barrier
// CHECK: return
func.func @thread_private(%n: index, %a: memref<128xf32>) {
  // REMARK: [[#@LINE+1]]:3: remark: [Analysis] Barriers {{.*}} Function=c | Barriers=0
  tile.launch @c blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<placed>} {
    %arena = tile.arena 1024 : memref<1024xi8, #shared>
    %s = tile.view %arena[0] layout(#l) : memref<1024xi8, #shared> to memref<128xf32, #shared>
    %x = tile.load %a : memref<128xf32> -> tensor<128xf32, #f>
    tile.store %x, %s : tensor<128xf32, #f>, memref<128xf32, #shared>
    %y = tile.load %s : memref<128xf32, #shared> -> tensor<128xf32, #f>
    tile.store %y, %a : tensor<128xf32, #f>, memref<128xf32>
  }
  return
}

// Different buffers at the same bytes conflict; at other bytes they do not.
// CHECK-LABEL: func @same_bytes
// CHECK: tile.load %[[S:.*]] : memref<128xf32, #gpu
// CHECK-NEXT: tile.store {{.*}} memref<128xf32, #gpu
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.store {{.*}} memref<128xf32, #gpu
// CHECK-NOT: tile.barrier
// CHECK: return
func.func @same_bytes(%n: index) {
  // REMARK: [[#@LINE+1]]:3: remark: [Analysis] Barriers {{.*}} Function=d | Barriers=1
  tile.launch @d blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<placed>} {
    %arena = tile.arena 1024 : memref<1024xi8, #shared>
    %s = tile.view %arena[0] layout(#l) : memref<1024xi8, #shared> to memref<128xf32, #shared>
    %t = tile.view %arena[512] layout(#l) : memref<1024xi8, #shared> to memref<128xf32, #shared>
    %u = tile.view %arena[256] layout(#l) : memref<1024xi8, #shared> to memref<128xf32, #shared>
    %x = tile.load %s : memref<128xf32, #shared> -> tensor<128xf32, #f>
    tile.store %x, %t : tensor<128xf32, #f>, memref<128xf32, #shared>
    tile.store %x, %u : tensor<128xf32, #f>, memref<128xf32, #shared>
  }
  return
}

// Asynchronous copies are waited for, then published; the next iteration's copy
// waits for this one's reads. Two barriers an iteration, none outside.
// CHECK-LABEL: func @loop_carried
// CHECK-NOT: tile.barrier
// CHECK: scf.for
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.copy
// CHECK-NEXT: tile.copy_wait
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.load
// CHECK-NEXT: arith.addf
// CHECK-NEXT: scf.yield
// CHECK-NEXT: }
// CHECK-NEXT: tile.store
func.func @loop_carried(%n: index, %a: memref<?xf32>, %b: memref<128xf32>) {
  // REMARK: [[#@LINE+1]]:3: remark: [Analysis] Barriers {{.*}} Function=e | Barriers=2
  tile.launch @e blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<placed>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %zero = arith.constant dense<0.0> : tensor<128xf32, #g>
    %arena = tile.arena 1024 : memref<1024xi8, #shared>
    %s = tile.view %arena[0] layout(#l) : memref<1024xi8, #shared> to memref<128xf32, #shared>
    %sum = scf.for %i = %c0 to %n step %c128 iter_args(%acc = %zero) -> (tensor<128xf32, #g>) {
      tile.copy %a[%i] to %s {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<?xf32> to memref<128xf32, #shared>
      // REMARK: [[#@LINE+1]]:12: remark: [Analysis] Wait {{.*}}each thread waits for its copies between the access at {{.*}} and this one
      %y = tile.load %s : memref<128xf32, #shared> -> tensor<128xf32, #g>
      %z = arith.addf %acc, %y : tensor<128xf32, #g>
      scf.yield %z : tensor<128xf32, #g>
    }
    tile.store %sum, %b : tensor<128xf32, #g>, memref<128xf32>
  }
  return
}

// What is written before a loop and only read inside needs one barrier, before
// the loop.
// CHECK-LABEL: func @hoisted
// CHECK: tile.store
// CHECK: tile.barrier
// CHECK-NEXT: scf.for
// CHECK-NOT: tile.barrier
// CHECK: return
func.func @hoisted(%n: index, %a: memref<128xf32>, %b: memref<?xf32>) {
  // REMARK: [[#@LINE+1]]:3: remark: [Analysis] Barriers {{.*}} Function=f | Barriers=1
  tile.launch @f blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<placed>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %arena = tile.arena 1024 : memref<1024xi8, #shared>
    %s = tile.view %arena[0] layout(#l) : memref<1024xi8, #shared> to memref<128xf32, #shared>
    %x = tile.load %a : memref<128xf32> -> tensor<128xf32, #f>
    tile.store %x, %s : tensor<128xf32, #f>, memref<128xf32, #shared>
    %sum = scf.for %i = %c0 to %n step %c128 iter_args(%acc = %x) -> (tensor<128xf32, #f>) {
      %v = memref.load %s[%i] : memref<128xf32, #shared>
      %w = tensor.splat %v : tensor<128xf32, #f>
      %z = arith.addf %acc, %w : tensor<128xf32, #f>
      scf.yield %z : tensor<128xf32, #f>
    }
    tile.store %sum, %b[%c0] : tensor<128xf32, #f>, memref<?xf32>
  }
  return
}

// A store at a place that moves with the loop: the same indices name other
// elements in the next iteration.
// CHECK-LABEL: func @moving_place
// CHECK: scf.for
// CHECK: tile.barrier
// CHECK-NEXT: tile.store
func.func @moving_place(%n: index, %a: memref<?xf32>) {
  // REMARK: [[#@LINE+1]]:3: remark: [Analysis] Barriers {{.*}} Function=g | Barriers=1
  tile.launch @g blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<placed>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %x = arith.constant dense<0.0> : tensor<128xf32, #f>
    scf.for %i = %c0 to %n step %c1 {
      tile.store %x, %a[%i] : tensor<128xf32, #f>, memref<?xf32>
    }
  }
  return
}

// A fixed place in a loop stays private.
// CHECK-LABEL: func @fixed_place
// CHECK-NOT: tile.barrier
// CHECK: return
func.func @fixed_place(%n: index, %a: memref<?xf32>) {
  // REMARK: [[#@LINE+1]]:3: remark: [Analysis] Barriers {{.*}} Function=h | Barriers=0
  tile.launch @h blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<placed>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      %x = tile.load %a[%c0] : memref<?xf32> -> tensor<128xf32, #f>
      tile.store %x, %a[%c0] : tensor<128xf32, #f>, memref<?xf32>
    }
  }
  return
}

// Different arguments do not overlap, unless one says that it may.
// CHECK-LABEL: func @aliasing_arguments
// CHECK: tile.load
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.store
func.func @aliasing_arguments(%n: index, %a: memref<128xf32>, %b: memref<128xf32> {tile.may_alias}) {
  // REMARK: [[#@LINE+1]]:3: remark: [Analysis] Barriers {{.*}} Function=i | Barriers=1
  tile.launch @i blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<placed>} {
    %x = tile.load %a : memref<128xf32> -> tensor<128xf32, #f>
    tile.store %x, %b : tensor<128xf32, #f>, memref<128xf32>
  }
  return
}

// A memref chosen at run time may be either of the two.
// CHECK-LABEL: func @selected
// CHECK: tile.load
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.store
func.func @selected(%n: index, %a: memref<128xf32>, %b: memref<128xf32>, %c: i1) {
  // REMARK: [[#@LINE+1]]:3: remark: [Analysis] Barriers {{.*}} Function=j | Barriers=1
  tile.launch @j blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<placed>} {
    %s = arith.select %c, %a, %b : memref<128xf32>
    %x = tile.load %a : memref<128xf32> -> tensor<128xf32, #g>
    tile.store %x, %s : tensor<128xf32, #g>, memref<128xf32>
  }
  return
}

// Atomics of one kind commute; a read after them does not.
// CHECK-LABEL: func @atomics
// CHECK: tile.atomic_rmw
// CHECK-NEXT: tile.atomic_rmw
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.load
func.func @atomics(%n: index, %a: memref<128xf32>, %b: memref<128xf32>) {
  // REMARK: [[#@LINE+1]]:3: remark: [Analysis] Barriers {{.*}} Function=k | Barriers=1
  tile.launch @k blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<placed>} {
    %x = arith.constant dense<1.0> : tensor<128xf32, #f>
    tile.atomic_rmw addf %x, %a : tensor<128xf32, #f>, memref<128xf32>
    tile.atomic_rmw addf %x, %a : tensor<128xf32, #f>, memref<128xf32>
    %y = tile.load %a : memref<128xf32> -> tensor<128xf32, #f>
    tile.store %y, %b : tensor<128xf32, #f>, memref<128xf32>
  }
  return
}

// "The last block reduces": what the block stored must be there before its atomic,
// and what others stored is read after it.
// CHECK-LABEL: func @block_atomic
// CHECK: tile.store
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.once
// CHECK: }
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.load
func.func @block_atomic(%n: index, %a: memref<128xf32>, %b: memref<128xf32>, %count: memref<1xi32>) {
  // REMARK: [[#@LINE+1]]:3: remark: [Analysis] Barriers {{.*}} Function=l | Barriers=2
  tile.launch @l blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<placed>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %x = arith.constant dense<1.0> : tensor<128xf32, #f>
    tile.store %x, %a : tensor<128xf32, #f>, memref<128xf32>
    tile.once {
      %old = memref.atomic_rmw addi %one, %count[%c0] : (i32, memref<1xi32>) -> i32
    }
    %y = tile.load %b : memref<128xf32> -> tensor<128xf32, #f>
    tile.store %y, %a : tensor<128xf32, #f>, memref<128xf32>
  }
  return
}

// A conflict in one branch costs a barrier there only.
// CHECK-LABEL: func @branch
// CHECK: tile.store
// CHECK-NEXT: scf.if
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.load
// CHECK: } else {
// CHECK-NOT: tile.barrier
// CHECK: return
func.func @branch(%n: index, %a: memref<128xf32>, %b: memref<128xf32>, %c: i1) {
  // REMARK: [[#@LINE+1]]:3: remark: [Analysis] Barriers {{.*}} Function=m | Barriers=1
  tile.launch @m blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<placed>} {
    %x = arith.constant dense<1.0> : tensor<128xf32, #f>
    tile.store %x, %a : tensor<128xf32, #f>, memref<128xf32>
    %z = scf.if %c -> tensor<128xf32, #g> {
      %y = tile.load %a : memref<128xf32> -> tensor<128xf32, #g>
      scf.yield %y : tensor<128xf32, #g>
    } else {
      %y = arith.constant dense<2.0> : tensor<128xf32, #g>
      scf.yield %y : tensor<128xf32, #g>
    }
    tile.store %z, %b : tensor<128xf32, #g>, memref<128xf32>
  }
  return
}

// Conflicts between the two regions of a while loop and around it.
// CHECK-LABEL: func @while
// CHECK: scf.while
// CHECK: tile.barrier
// CHECK-NEXT: memref.load
// CHECK: } do {
// CHECK: tile.barrier
// CHECK-NEXT: tile.once
func.func @while(%n: index, %a: memref<1xi32>) {
  // REMARK: [[#@LINE+1]]:3: remark: [Analysis] Barriers {{.*}} Function=o | Barriers=2
  tile.launch @o blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<placed>} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    scf.while : () -> () {
      %v = memref.load %a[%c0] : memref<1xi32>
      %go = arith.cmpi sgt, %v, %zero : i32
      scf.condition(%go)
    } do {
      tile.once {
        memref.store %zero, %a[%c0] : memref<1xi32>
      }
      scf.yield
    }
  }
  return
}

// No path leads past a loop that runs for certain: the barriers in it are enough.
// CHECK-LABEL: func @around_a_loop
// CHECK: tile.store
// CHECK-NEXT: scf.for
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.store
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.load
// CHECK-NOT: tile.barrier
// CHECK: return
func.func @around_a_loop(%n: index, %a: memref<128xf32>, %b: memref<128xf32>) {
  // REMARK: [[#@LINE+1]]:3: remark: [Analysis] Barriers {{.*}} Function=around_a_loop | Barriers=2
  tile.launch @around_a_loop blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<placed>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %arena = tile.arena 1024 : memref<1024xi8, #shared>
    %s = tile.view %arena[0] layout(#l) : memref<1024xi8, #shared> to memref<128xf32, #shared>
    %x = tile.load %a : memref<128xf32> -> tensor<128xf32, #f>
    tile.store %x, %s : tensor<128xf32, #f>, memref<128xf32, #shared>
    scf.for %i = %c0 to %c4 step %c1 {
      tile.store %x, %s : tensor<128xf32, #f>, memref<128xf32, #shared>
      %y = tile.load %s : memref<128xf32, #shared> -> tensor<128xf32, #g>
      tile.store %y, %b : tensor<128xf32, #g>, memref<128xf32>
    }
    %z = tile.load %s : memref<128xf32, #shared> -> tensor<128xf32, #g>
    tile.store %z, %b : tensor<128xf32, #g>, memref<128xf32>
  }
  return
}
}
