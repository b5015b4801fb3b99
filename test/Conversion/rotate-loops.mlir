// RUN: tile-opt %s -split-input-file --pass-pipeline='builtin.module(llvm.func(tile-rotate-loops,cse))' | FileCheck %s

// Waits, the barrier and the load are carried out for the next iteration at the end of
// this one, and once in front; the address of the slot goes along.

// CHECK-LABEL: llvm.func @head
// CHECK: nvvm.cp.async.wait.group 1
// CHECK-NEXT: nvvm.barrier0
// CHECK-NEXT: %[[AT:.*]] = llvm.getelementptr %{{.*}}[%c0{{.*}}]
// CHECK-NEXT: %[[LOADED:.*]] = llvm.call_intrinsic "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x2.b16"(%[[AT]])
// CHECK: %[[FIRST:.*]] = llvm.extractvalue %[[LOADED]][0]
// CHECK: %[[SECOND:.*]] = llvm.extractvalue %[[LOADED]][1]
// CHECK: scf.for {{.*}} iter_args(%[[SLOT:.*]] = %c0{{.*}}, %[[HERE:.*]] = %[[AT]], %[[A:.*]] = %[[FIRST]], %[[B:.*]] = %[[SECOND]])
// CHECK-NEXT: llvm.call_intrinsic "llvm.nvvm.mma.test"(%[[A]], %[[B]])
// CHECK-NEXT: llvm.getelementptr %[[HERE]][512]
// CHECK: %[[NEXT:.*]] = arith.select
// CHECK-NEXT: nvvm.cp.async.wait.group 1
// CHECK-NEXT: nvvm.barrier0
// CHECK-NEXT: llvm.getelementptr %{{.*}}[%[[NEXT]]]
// CHECK: scf.yield %[[NEXT]],
// Nothing is written behind it.
// CHECK: }
// CHECK-NEXT: llvm.return
llvm.func @head(%shared: !llvm.ptr<3>, %n: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%slot = %c0) -> (i64) : i64 {
    nvvm.cp.async.wait.group 1
    nvvm.barrier0
    %at = llvm.getelementptr %shared[%slot] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, !llvm.array<1024 x i8>
    %loaded = llvm.call_intrinsic "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x2.b16"(%at) : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32)>
    %a = llvm.extractvalue %loaded[0] : !llvm.struct<(i32, i32)>
    %b = llvm.extractvalue %loaded[1] : !llvm.struct<(i32, i32)>
    llvm.call_intrinsic "llvm.nvvm.mma.test"(%a, %b) : (i32, i32) -> ()
    %more = llvm.getelementptr %at[512] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    %rest = llvm.call_intrinsic "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.b16"(%more) : (!llvm.ptr<3>) -> i32
    llvm.call_intrinsic "llvm.nvvm.mma.test"(%a, %rest) : (i32, i32) -> ()
    %isLast = arith.cmpi eq, %slot, %c2 : i64
    %after = arith.addi %slot, %c1 : i64
    %next = arith.select %isLast, %c0, %after : i64
    scf.yield %next : i64
  }
  llvm.return
}

// -----

// What is stored behind the loop could be what the head behind the last iteration still
// reads.

// CHECK-LABEL: llvm.func @written_behind
// CHECK: scf.for
// CHECK: llvm.call_intrinsic "llvm.nvvm.mma.test"
// CHECK-NEXT: nvvm.barrier0
// CHECK: }
// CHECK-NEXT: nvvm.barrier0
// CHECK-NEXT: llvm.store
llvm.func @written_behind(%shared: !llvm.ptr<3>, %n: i64, %x: i32) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  scf.for %i = %c0 to %n step %c1 : i64 {
    nvvm.barrier0
    %a = llvm.call_intrinsic "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.b16"(%shared) : (!llvm.ptr<3>) -> i32
    llvm.call_intrinsic "llvm.nvvm.mma.test"(%a) : (i32) -> ()
  }
  llvm.store %x, %shared : i32, !llvm.ptr<3>
  llvm.return
}

// -----

// In a loop around it, too.

// CHECK-LABEL: llvm.func @written_around
// CHECK: scf.for
// CHECK: scf.for
// CHECK: }
// CHECK-NEXT: nvvm.barrier0
// CHECK-NEXT: }
llvm.func @written_around(%shared: !llvm.ptr<3>, %n: i64, %x: i32) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  scf.for %j = %c0 to %n step %c1 : i64 {
    llvm.store %x, %shared : i32, !llvm.ptr<3>
    scf.for %i = %c0 to %n step %c1 : i64 {
      nvvm.barrier0
      %a = llvm.call_intrinsic "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.b16"(%shared) : (!llvm.ptr<3>) -> i32
      llvm.call_intrinsic "llvm.nvvm.mma.test"(%a) : (i32) -> ()
    }
  }
  llvm.return
}

// -----

// A barrier that is there already is enough.

// CHECK-LABEL: llvm.func @meets_around
// CHECK: scf.for
// CHECK: scf.for
// CHECK: }
// CHECK-NEXT: }
llvm.func @meets_around(%shared: !llvm.ptr<3>, %n: i64, %x: i32) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  scf.for %j = %c0 to %n step %c1 : i64 {
    nvvm.barrier0
    llvm.store %x, %shared : i32, !llvm.ptr<3>
    scf.for %i = %c0 to %n step %c1 : i64 {
      nvvm.barrier0
      %a = llvm.call_intrinsic "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.b16"(%shared) : (!llvm.ptr<3>) -> i32
      llvm.call_intrinsic "llvm.nvvm.mma.test"(%a) : (i32) -> ()
    }
  }
  llvm.return
}

// -----

// Loops stay whose address behind the last iteration may not exist, whose head does
// more than wait and load, without a barrier, or without a product.

// CHECK-LABEL: llvm.func @kept
// CHECK-COUNT-5: scf.for %{{[^=]*}} = %c0{{[^=]*( iter_args\([^,]*\) -> \(i64\) )?}}: i64 {
// CHECK-NOT: scf.for
llvm.func @kept(%shared: !llvm.ptr<3>, %n: i64, %x: i32) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %c3 = arith.constant 3 : i64
  scf.for %i = %c0 to %n step %c1 : i64 {
    nvvm.barrier0
    %at = llvm.getelementptr %shared[%i] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i8
    %a = llvm.call_intrinsic "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.b16"(%at) : (!llvm.ptr<3>) -> i32
    llvm.call_intrinsic "llvm.nvvm.mma.test"(%a) : (i32) -> ()
  }
  // A slot that is none at the beginning.
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%slot = %c3) -> (i64) : i64 {
    nvvm.barrier0
    %at = llvm.getelementptr %shared[%slot] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i8
    %a = llvm.call_intrinsic "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.b16"(%at) : (!llvm.ptr<3>) -> i32
    llvm.call_intrinsic "llvm.nvvm.mma.test"(%a) : (i32) -> ()
    %isLast = arith.cmpi eq, %slot, %c2 : i64
    %after = arith.addi %slot, %c1 : i64
    %next = arith.select %isLast, %c0, %after : i64
    scf.yield %next : i64
  }
  scf.for %i = %c0 to %n step %c1 : i64 {
    nvvm.barrier0
    llvm.store %x, %shared : i32, !llvm.ptr<3>
    %a = llvm.call_intrinsic "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.b16"(%shared) : (!llvm.ptr<3>) -> i32
    llvm.call_intrinsic "llvm.nvvm.mma.test"(%a) : (i32) -> ()
  }
  scf.for %i = %c0 to %n step %c1 : i64 {
    %a = llvm.call_intrinsic "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.b16"(%shared) : (!llvm.ptr<3>) -> i32
    llvm.call_intrinsic "llvm.nvvm.mma.test"(%a) : (i32) -> ()
  }
  scf.for %i = %c0 to %n step %c1 : i64 {
    nvvm.barrier0
    %a = llvm.call_intrinsic "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.b16"(%shared) : (!llvm.ptr<3>) -> i32
  }
  llvm.return
}

// -----

// The condition of a loop around it may write, too.

// CHECK-LABEL: llvm.func @written_by_condition
// CHECK: scf.while
// CHECK: scf.for
// CHECK: }
// CHECK-NEXT: nvvm.barrier0
// CHECK-NEXT: scf.yield
llvm.func @written_by_condition(%shared: !llvm.ptr<3>, %n: i64, %x: i32) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  scf.while : () -> () {
    llvm.store %x, %shared : i32, !llvm.ptr<3>
    %more = llvm.load %shared : !llvm.ptr<3> -> i1
    scf.condition(%more)
  } do {
    nvvm.barrier0
    scf.for %i = %c0 to %n step %c1 : i64 {
      nvvm.barrier0
      %a = llvm.call_intrinsic "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.b16"(%shared) : (!llvm.ptr<3>) -> i32
      llvm.call_intrinsic "llvm.nvvm.mma.test"(%a) : (i32) -> ()
    }
    scf.yield
  }
  llvm.return
}
