// Kernels that share nothing are compiled beside one another. Their PTX is one module all
// the same, with one thread and with many.
// RUN: tile-opt %s --emit=ptx -o %t.ptx
// RUN: tile-opt %s --emit=ptx --mlir-disable-threading -o %t.one.ptx
// RUN: cmp %t.ptx %t.one.ptx
// RUN: FileCheck %s --input-file=%t.ptx

// LLVM sees one part at a time.
// RUN: tile-opt %s --emit=ptx --print-after=nvptx-lower-args --print-module-scope --filter-print-funcs=loops -o %t.again.ptx 2>&1 | FileCheck %s --check-prefix=PART --implicit-check-not=define
// RUN: tile-opt %s --emit=ptx --print-after=nvptx-lower-args --print-module-scope --filter-print-funcs=writes -o %t.again.ptx 2>&1 | FileCheck %s --check-prefix=SHARED --implicit-check-not=define
// PART: define ptx_kernel void @loops
// SHARED: @counter =
// SHARED: define ptx_kernel void @writes
// SHARED: define ptx_kernel void @reads

// What parts have in common stands there once, before all functions.
// CHECK: .version 7.8
// CHECK-NOT: .version
// CHECK: // .globl{{.}}loops
// CHECK-NEXT: .extern .func (.param .b32 func_retval0) vprintf
// CHECK-DAG: .visible .global .align 4 .u32 host = 7;
// CHECK-DAG: .visible .global .align 4 .u32 counter;
// CHECK-DAG: .global .align 1 .b8 text[4] =
// CHECK-DAG: .global .align 4 .b8 __cudart_i2opi_f[24] =
// CHECK-NOT: vprintf{{$}}
// CHECK-NOT: {{counter|__cudart_i2opi_f.*}};
// CHECK: .visible .entry loops(
// CHECK: $L__func_begin0:
// CHECK: .loc 1 1 0
// CHECK: $L__tmp0:
// CHECK: .loc 1 4 5
// CHECK: bra $L__BB0_{{[0-9]}};
// CHECK: $L__func_end0:

// Files, labels and calls are numbered through; functions that share a variable are one
// part.
// CHECK: // .globl{{.}}writes
// CHECK: $L__func_begin1:
// CHECK: .loc 3 1 0
// CHECK: $L__tmp{{[1-9]}}:
// CHECK: .loc 3 2 5
// CHECK: .visible .entry reads(
// CHECK: $L__func_begin2:
// CHECK: .loc 3 12 0
// CHECK: .visible .entry prints(
// CHECK: .local .align 4 .b8 __local_depot3[
// CHECK: $L__func_begin3:
// CHECK: .loc 1 6 0
// CHECK: mov.b64 %SPL, __local_depot3;
// CHECK: $L__BB3_
// CHECK: .loc 1 7 5
// CHECK: // callseq 0, 0
// CHECK: // callseq 0
// CHECK: .visible .entry sines(
// CHECK: .loc 3 8 0
// CHECK: $L__BB4_
// CHECK: .loc 3 9 5
// CHECK: // callseq 1, 0
// CHECK: $L__func_end4:
// CHECK: .section .debug_macinfo
// CHECK-NEXT: .file 1 "{{.*}}a.mlir"
// CHECK-NEXT: .file 2 "{{.*}}kernel-parts.mlir"
// CHECK-NEXT: .file 3 "{{.*}}b.mlir"
// CHECK-NOT: .file
module attributes {tile.target = #tile.target<"sm_80">, gpu.container_module} {
  gpu.module @kernels {
    llvm.func @vprintf(!llvm.ptr, !llvm.ptr) -> i32
    llvm.func @__nv_sinf(f32) -> f32
    llvm.mlir.global internal constant @text("hi\0A\00")
    llvm.mlir.global external @counter(0 : i32) {addr_space = 1 : i32} : i32
    llvm.mlir.global external @host(7 : i32) {addr_space = 1 : i32} : i32
    llvm.func @loops(%p: !llvm.ptr<1>, %n: i32) attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>, tile.stage = #tile.stage<threaded>} {
      %zero = llvm.mlir.constant(0 : i32) : i32
      %one = llvm.mlir.constant(1 : i32) : i32
      llvm.br ^loop(%zero : i32) loc("a.mlir":3:5)
    ^loop(%i: i32):
      llvm.store volatile %i, %p : i32, !llvm.ptr<1> loc("a.mlir":4:5)
      %next = llvm.add %i, %one : i32
      %more = llvm.icmp "slt" %next, %n : i32
      llvm.cond_br %more, ^loop(%next : i32), ^end
    ^end:
      llvm.return
    } loc("a.mlir":1:5)
    llvm.func @writes(%n: i32) attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>, tile.stage = #tile.stage<threaded>} {
      %c = llvm.mlir.addressof @counter : !llvm.ptr<1>
      llvm.store %n, %c : i32, !llvm.ptr<1> loc("b.mlir":2:5)
      llvm.return
    } loc("b.mlir":1:5)
    llvm.func @prints(%p: !llvm.ptr<1>, %x: f32) attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>, tile.stage = #tile.stage<threaded>} {
      %one = llvm.mlir.constant(1 : i64) : i64
      %a = llvm.alloca %one x f32 : (i64) -> !llvm.ptr
      %s = llvm.call @__nv_sinf(%x) : (f32) -> f32
      llvm.store volatile %s, %a : f32, !llvm.ptr
      %f = llvm.mlir.addressof @text : !llvm.ptr
      %r = llvm.call @vprintf(%f, %a) : (!llvm.ptr, !llvm.ptr) -> i32 loc("a.mlir":7:5)
      llvm.return
    } loc("a.mlir":6:5)
    llvm.func @sines(%p: !llvm.ptr<1>, %x: f32) attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>, tile.stage = #tile.stage<threaded>} {
      %s = llvm.call @__nv_sinf(%x) : (f32) -> f32
      llvm.store %s, %p : f32, !llvm.ptr<1>
      %z = llvm.mlir.zero : !llvm.ptr
      %r = llvm.call @vprintf(%z, %z) : (!llvm.ptr, !llvm.ptr) -> i32 loc("b.mlir":9:5)
      llvm.return
    } loc("b.mlir":8:5)
    llvm.func @reads(%p: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>, tile.stage = #tile.stage<threaded>} {
      %c = llvm.mlir.addressof @counter : !llvm.ptr<1>
      %v = llvm.load %c : !llvm.ptr<1> -> i32
      llvm.store %v, %p : i32, !llvm.ptr<1>
      llvm.return
    } loc("b.mlir":12:5)
  }
}
