// RUN: tile-opt %s --pass-pipeline='builtin.module(llvm.func(tile-predicate-copies))' | FileCheck %s
// RUN: tile-opt %s --pass-pipeline='builtin.module(llvm.func(tile-predicate-copies{prefetch-bytes=128}))' | FileCheck %s --check-prefix=HINT
// RUN: not tile-opt %s --pass-pipeline='builtin.module(llvm.func(tile-predicate-copies{prefetch-bytes=100}))' 2>&1 | FileCheck %s --check-prefix=ERROR
// ERROR: error: prefetch-bytes of 100: an asynchronous copy brings 64, 128 or 256 bytes to L2, or with 0 its own alone

// With a hint for L2 every copy has it, also without a condition.
// HINT-LABEL: llvm.func @unguarded
// HINT: "cp.async.ca.shared.global.L2::128B [$0+4], [$1+0], 8;", "l,l"
// HINT-LABEL: llvm.func @copies
// HINT: "@$0 cp.async.{{c[ag]}}.shared.global.L2::128B [
// CHECK-LABEL: llvm.func @unguarded
// CHECK: nvvm.cp.async.shared.global
llvm.func @unguarded(%s: !llvm.ptr<3>, %g: !llvm.ptr<1>) {
  %to = llvm.getelementptr %s[4] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  nvvm.cp.async.shared.global %to, %g, 8, cache = ca : !llvm.ptr<3>, !llvm.ptr<1>
  llvm.return
}

// The copies of a branch, and of a branch in it, get its condition; constant offsets go
// into the address, the number of bytes that are read stays an operand.

// CHECK-LABEL: llvm.func @copies
// CHECK-SAME: %[[S:.*]]: !llvm.ptr<3>, %[[G:.*]]: !llvm.ptr<1>, %[[P:.*]]: i1, %[[Q:.*]]: i1, %[[BYTES:.*]]: i32
// CHECK-NEXT: llvm.getelementptr %[[S]][2048]
// CHECK-NEXT: llvm.inline_asm has_side_effects "@$0 cp.async.cg.shared.global [$1+0], [$2+0], 16;", "b,l,l" %[[P]], %[[S]], %[[G]]
// CHECK-NEXT: %[[BOTH:.*]] = arith.andi %[[P]], %[[Q]]
// CHECK-NEXT: llvm.inline_asm has_side_effects "@$0 cp.async.ca.shared.global [$1+2048], [$2+0], 8, $3;", "b,l,l,r" %[[BOTH]], %[[S]], %[[G]], %[[BYTES]]
// CHECK-NEXT: llvm.return
llvm.func @copies(%s: !llvm.ptr<3>, %g: !llvm.ptr<1>, %p: i1, %q: i1, %bytes: i32) {
  scf.if %p {
    %t = llvm.getelementptr %s[2048] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    nvvm.cp.async.shared.global %s, %g, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
    scf.if %q {
      nvvm.cp.async.shared.global %t, %g, 8, cache = ca, %bytes : !llvm.ptr<3>, !llvm.ptr<1>, i32
    }
  }
  llvm.return
}

// A size that is all or nothing is the predicate under which the source is not ignored; another
// one is not.
// CHECK-LABEL: llvm.func @all_or_nothing
// CHECK-SAME: %[[S:.*]]: !llvm.ptr<3>, %[[G:.*]]: !llvm.ptr<1>, %[[P:.*]]: i1, %[[IN:.*]]: i1
// CHECK: llvm.inline_asm has_side_effects "@$0 cp.async.cg.shared.global [$1+0], [$2+0], 16, !$3;", "b,l,l,b" %[[P]], %[[S]], %[[G]], %[[IN]]
// CHECK: "@$0 cp.async.cg.shared.global [$1+0], [$2+0], 16, $3;", "b,l,l,r" %[[P]]
llvm.func @all_or_nothing(%s: !llvm.ptr<3>, %g: !llvm.ptr<1>, %p: i1, %in: i1) {
  %c16 = arith.constant 16 : i32
  %c8 = arith.constant 8 : i32
  %c0 = arith.constant 0 : i32
  %all = arith.select %in, %c16, %c0 : i32
  %half = arith.select %in, %c8, %c0 : i32
  scf.if %p {
    nvvm.cp.async.shared.global %s, %g, 16, cache = cg, %all : !llvm.ptr<3>, !llvm.ptr<1>, i32
    nvvm.cp.async.shared.global %s, %g, 16, cache = cg, %half : !llvm.ptr<3>, !llvm.ptr<1>, i32
  }
  llvm.return
}

// In a loop a copy of all or nothing is told so under a branch, too.
// CHECK-LABEL: llvm.func @told_in_loop
// CHECK-SAME: %[[S:.*]]: !llvm.ptr<3>, %[[G:.*]]: !llvm.ptr<1>, %[[P:.*]]: i1, %[[IN:.*]]: i1
// CHECK: nvvm.cp.async.shared.global
// CHECK: scf.for
// CHECK: scf.if %[[P]]
// CHECK-NEXT: nvvm.barrier
// CHECK-NEXT: llvm.inline_asm has_side_effects "cp.async.cg.shared.global [$0+0], [$1+0], 16, !$2;", "l,l,b" %[[S]], %[[G]], %[[IN]]
llvm.func @told_in_loop(%s: !llvm.ptr<3>, %g: !llvm.ptr<1>, %p: i1, %in: i1, %n: i32) {
  %c16 = arith.constant 16 : i32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %all = arith.select %in, %c16, %c0 : i32
  nvvm.cp.async.shared.global %s, %g, 16, cache = cg, %all : !llvm.ptr<3>, !llvm.ptr<1>, i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    scf.if %p {
      nvvm.barrier
      nvvm.cp.async.shared.global %s, %g, 16, cache = cg, %all : !llvm.ptr<3>, !llvm.ptr<1>, i32
    }
  }
  llvm.return
}

// What else is done under the condition keeps the branch.

// CHECK-LABEL: llvm.func @more
// CHECK-COUNT-3: scf.if
llvm.func @more(%s: !llvm.ptr<3>, %g: !llvm.ptr<1>, %p: i1, %x: i32) {
  scf.if %p {
    nvvm.cp.async.shared.global %s, %g, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
    llvm.store %x, %s : i32, !llvm.ptr<3>
  }
  scf.if %p {
    nvvm.cp.async.shared.global %s, %g, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
  } else {
    llvm.store %x, %s : i32, !llvm.ptr<3>
  }
  scf.if %p {
    nvvm.cp.async.shared.global %s, %g, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
    %y = arith.divui %x, %x : i32
  }
  llvm.return
}

// Places of global memory within 4096 bytes take one address, half of them below it; what
// is further away has another. Copies in loops are written so without a condition.

// CHECK-LABEL: llvm.func @reached
// CHECK-SAME: %[[S:.*]]: !llvm.ptr<3>, %[[G:.*]]: !llvm.ptr<1>, %[[P:.*]]: i1
// CHECK-COUNT-4: llvm.getelementptr
// CHECK-NEXT: %[[MIDDLE:.*]] = llvm.getelementptr %[[G]][2048] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
// CHECK: "@$0 cp.async.cg.shared.global [$1+0], [$2+-2048], 16;", "b,l,l" %[[P]], %[[S]], %[[MIDDLE]]
// CHECK: "@$0 cp.async.cg.shared.global [$1+64], [$2+-1920], 16;"
// CHECK: "@$0 cp.async.cg.shared.global [$1+128], [$2+0], 16;"
llvm.func @reached(%s: !llvm.ptr<3>, %g: !llvm.ptr<1>, %p: i1) {
  scf.if %p {
    %s1 = llvm.getelementptr %s[64] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    %s2 = llvm.getelementptr %s[128] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    %g1 = llvm.getelementptr %g[128] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
    %g2 = llvm.getelementptr %g[2048] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
    nvvm.cp.async.shared.global %s, %g, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
    nvvm.cp.async.shared.global %s1, %g1, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
    nvvm.cp.async.shared.global %s2, %g2, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
  }
  llvm.return
}

// CHECK-LABEL: llvm.func @in_loop
// CHECK-SAME: %[[S:.*]]: !llvm.ptr<3>, %[[G:.*]]: !llvm.ptr<1>
// CHECK: scf.for
// CHECK-NOT: nvvm.cp.async
// CHECK: llvm.inline_asm has_side_effects "cp.async.cg.shared.global [$0+0], [$1+0], 16;", "l,l" %[[S]], %[[G]]
// CHECK: llvm.inline_asm has_side_effects "cp.async.cg.shared.global [$0+0], [$1+4096], 16;", "l,l" %[[S]], %[[G]]
llvm.func @in_loop(%s: !llvm.ptr<3>, %g: !llvm.ptr<1>, %n: i32, %x: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %far = llvm.getelementptr %g[4096] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
  scf.for %i = %zero to %n step %one : i32 {
    llvm.store %x, %s : i32, !llvm.ptr<3>
    nvvm.cp.async.shared.global %s, %g, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
    nvvm.cp.async.shared.global %s, %far, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
  }
  llvm.return
}
