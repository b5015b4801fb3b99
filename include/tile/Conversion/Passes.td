//===- Passes.td - From kernels of tiles to threads --------*- tablegen -*-===//

#ifndef TILE_CONVERSION_PASSES
#define TILE_CONVERSION_PASSES

include "mlir/Pass/PassBase.td"

def ConvertTileToNVVM : Pass<"convert-tile-to-nvvm", "::mlir::ModuleOp"> {
  let summary = "turns kernels over tiles into functions of one thread";
  let description = [{
    Requires *outlined*, establishes *threaded*. Each kernel of the module's
    `gpu.module` becomes an `llvm.func` that one thread executes: a fragment
    becomes one scalar per register of the thread, a shared buffer an address
    computed from its layout, a memref of global memory a pointer with sizes and
    strides. What a kernel takes is written down in docs/KernelABI.md: for every
    memref a pointer, its dynamic sizes, its dynamic strides and its dynamic
    offset; scalars as they are.

    The body is left in `arith`, `scf`, `llvm` and `nvvm`; upstream's conversions
    finish it (`buildConvertToLLVMPipeline`).

    What has no lowering yet is an error at its location,
    `not implemented yet: <construct>`.

    Before:

    ```mlir
    #f = #tile.fragment<[64], register = [2 : (1)], lane = [32 : (2)], warp = []>
    module attributes {gpu.container_module, tile.target = #tile.target<"sm_80">} {
      gpu.module @kernels {
        gpu.func @k(%a: memref<64xf32>, %o: memref<64xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>, tile.stage = #tile.stage<outlined>} {
          %x = tile.load %a {vector_width = 2 : i64} : memref<64xf32> -> tensor<64xf32, #f>
          %y = arith.negf %x : tensor<64xf32, #f>
          tile.store %y, %o {vector_width = 2 : i64} : tensor<64xf32, #f>, memref<64xf32>
          gpu.return
        }
      }
    }
    ```

    After `--convert-tile-to-nvvm`:

    ```mlir
    module attributes {gpu.container_module, tile.target = #tile.target<"sm_80">} {
      gpu.module @kernels {
        llvm.func @k(%arg0: !llvm.ptr<1> {llvm.align = 16 : i64}, %arg1: !llvm.ptr<1> {llvm.align = 16 : i64}) attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>, tile.stage = #tile.stage<threaded>} {
          %0 = llvm.mlir.poison : vector<2xf32>
          %c31_i32 = arith.constant 31 : i32
          %c1_i32 = arith.constant 1 : i32
          %c2_i64 = arith.constant 2 : i64
          %c0_i32 = arith.constant 0 : i32
          %1 = nvvm.read.ptx.sreg.tid.x range <i32, 0, 32> : i32
          %2 = arith.andi %1, %c31_i32 : i32
          %3 = arith.shli %2, %c1_i32 : i32
          %4 = arith.extui %3 : i32 to i64
          %5 = arith.shli %4, %c2_i64 : i64
          %6 = llvm.getelementptr %arg0[%5] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8
          %7 = llvm.load %6 {alignment = 8 : i64} : !llvm.ptr<1> -> vector<2xf32>
          %8 = llvm.extractelement %7[%c0_i32 : i32] : vector<2xf32>
          %9 = llvm.extractelement %7[%c1_i32 : i32] : vector<2xf32>
          %10 = arith.negf %8 : f32
          %11 = arith.negf %9 : f32
          %12 = llvm.getelementptr %arg1[%5] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8
          %13 = llvm.insertelement %10, %0[%c0_i32 : i32] : vector<2xf32>
          %14 = llvm.insertelement %11, %13[%c1_i32 : i32] : vector<2xf32>
          llvm.store %14, %12 {alignment = 8 : i64} : vector<2xf32>, !llvm.ptr<1>
          llvm.return
        }
      }
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::NVVM::NVVMDialect"];
}

def PredicateCopies : Pass<"tile-predicate-copies", "::mlir::LLVM::LLVMFuncOp"> {
  let summary = "turns branches around asynchronous copies into predicates";
  let description = [{
    A branch that does nothing but copy, with `cp.async`, becomes copies with a
    predicate: ptxas then sees one block of instructions, in which it spreads the
    copies between products. Branches with more than 64 copies stay.

    Copies in loops are written so, too, without a predicate, and addresses of global
    memory are moved to where immediates of 12 bits reach the most copies. Where the size
    of what is read is all bytes or none, the operand `ignore-src` takes its place: the
    condition itself, negated, under which the copy writes zeros.

    With `prefetch-bytes` (64, 128 or 256) each copy asks that so many bytes around
    its own be brought to L2.

    Before:

    ```mlir
    llvm.func @k(%s: !llvm.ptr<3>, %g: !llvm.ptr<1>, %exists: i1) {
      scf.if %exists {
        %to = llvm.getelementptr %s[512] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
        nvvm.cp.async.shared.global %to, %g, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
      }
      llvm.return
    }
    ```

    After `--tile-predicate-copies`:

    ```mlir
    llvm.func @k(%arg0: !llvm.ptr<3>, %arg1: !llvm.ptr<1>, %arg2: i1) {
      %0 = llvm.getelementptr %arg0[512] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
      llvm.inline_asm has_side_effects "@$0 cp.async.cg.shared.global [$1+512], [$2+0], 16;", "b,l,l" %arg2, %arg0, %arg1 : (i1, !llvm.ptr<3>, !llvm.ptr<1>) -> ()
      llvm.return
    }
    ```
  }];
  let options = [
    Option<"prefetchBytes", "prefetch-bytes", "int64_t", "0",
           "How many bytes a copy brings to L2: 64, 128, 256, or its own alone">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect"];
}

def RotateLoops : Pass<"tile-rotate-loops", "::mlir::LLVM::LLVMFuncOp"> {
  let summary = "loads the first operands of an iteration at the end of the last";
  let description = [{
    Where the iterations of a loop begin with waits, a barrier of the block and
    loads from shared memory, and then multiply, that head is executed once in
    front of the loop and, for the next iteration, at the end of each: products
    hide it. What it loads is carried in registers, at most 64 of them.

    Before:

    ```mlir
    llvm.func @k(%s: !llvm.ptr<3>, %n: i64) {
      %c0 = arith.constant 0 : i64
      %c1 = arith.constant 1 : i64
      scf.for %i = %c0 to %n step %c1 : i64 {
        nvvm.barrier0
        %a = llvm.call_intrinsic "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.b16"(%s) : (!llvm.ptr<3>) -> i32
        llvm.call_intrinsic "llvm.nvvm.mma.example"(%a) : (i32) -> ()
      }
      llvm.return
    }
    ```

    After `--tile-rotate-loops`:

    ```mlir
    llvm.func @k(%arg0: !llvm.ptr<3>, %arg1: i64) {
      %c0_i64 = arith.constant 0 : i64
      %c1_i64 = arith.constant 1 : i64
      nvvm.barrier0
      %0 = llvm.call_intrinsic "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.b16"(%arg0) : (!llvm.ptr<3>) -> i32
      %1 = scf.for %arg2 = %c0_i64 to %arg1 step %c1_i64 iter_args(%arg3 = %0) -> (i32)  : i64 {
        llvm.call_intrinsic "llvm.nvvm.mma.example"(%arg3) : (i32) -> ()
        nvvm.barrier0
        %2 = llvm.call_intrinsic "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.b16"(%arg0) : (!llvm.ptr<3>) -> i32
        scf.yield %2 : i32
      }
      llvm.return
    }
    ```
  }];
  let dependentDialects = ["::mlir::NVVM::NVVMDialect"];
}

def FlattenControlFlow : Pass<"tile-flatten-control-flow", "::mlir::LLVM::LLVMFuncOp"> {
  let summary = "loops and conditions become branches, from the last one on";
  let description = [{
    Upstream's patterns of `convert-scf-to-cf`. Each of them splits a block, and what
    stands behind the split moves to another block: from the last loop on that is
    what there is up to the next one, from the first on all the rest of the kernel.
    In a kernel of more than a hundred loops a loop asks behind each iteration whether
    there is another, as LLVM would make it, in the square of their number.

    Before:

    ```mlir
    llvm.func @k(%a: i32, %exists: i1) -> i32 {
      %r = scf.if %exists -> i32 {
        %twice = arith.addi %a, %a : i32
        scf.yield %twice : i32
      } else {
        scf.yield %a : i32
      }
      llvm.return %r : i32
    }
    ```

    After `--tile-flatten-control-flow`:

    ```mlir
    llvm.func @k(%arg0: i32, %arg1: i1) -> i32 {
      cf.cond_br %arg1, ^bb1, ^bb2
    ^bb1:  // pred: ^bb0
      %0 = arith.addi %arg0, %arg0 : i32
      cf.br ^bb3(%0 : i32)
    ^bb2:  // pred: ^bb0
      cf.br ^bb3(%arg0 : i32)
    ^bb3(%1: i32):  // 2 preds: ^bb1, ^bb2
      cf.br ^bb4
    ^bb4:  // pred: ^bb3
      llvm.return %1 : i32
    }
    ```
  }];
  let dependentDialects = ["::mlir::cf::ControlFlowDialect"];
}

#endif // TILE_CONVERSION_PASSES
