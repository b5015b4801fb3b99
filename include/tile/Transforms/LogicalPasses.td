//===- LogicalPasses.td - From the grid to layouts ---------*- tablegen -*-===//
//
// The passes before layouts are chosen, when calls are inlined and the target is known,
// in the order in which the pipeline runs them: they decide on roles, instructions and
// layouts. Part of Passes.td.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_LOGICALPASSES
#define TILE_TRANSFORMS_LOGICALPASSES

include "mlir/Pass/PassBase.td"

def VersionLaunches : Pass<"tile-version-launches", "::mlir::ModuleOp"> {
  let summary = "makes a launch for sizes that have divisors which nothing states";
  let description = [{
    Requires and keeps *logical*. Where the innermost dynamic size of a memref has no
    known divisor, its rows begin anywhere and every element is accessed by itself. For
    each such memref known outside of a launch a remark `UnknownDivisor` names the size,
    its divisor and what to state. Of a memref with strides of its own these are meant,
    which the host program cannot compare.

    A launch becomes two where that makes its most frequent accesses (those in the most
    loops) slow, copies of 4 bytes an access or less, loads and stores of 2, a quarter of
    what they could move or less: itself, and one named `<name>_wide` for which the
    divisors are facts. The host starts the second where it finds them. They are kernels
    of their own, with registers, shared memory and roles of their own. A remark
    `Versioned` says so, `NotVersioned` where the launch has more than `max-operations`
    operations. What is one of two already stays.

    Before:

    ```mlir
    module attributes {tile.target = #tile.target<"sm_80">} {
      func.func @f(%n: index, %a: memref<?x?xf16>, %o: memref<64x64xf16>) {
        tile.launch @k blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<logical>} {
          %c0 = arith.constant 0 : index
          %t = tile.load %a[%c0, %c0] : memref<?x?xf16> -> tensor<64x64xf16>
          tile.store %t, %o : tensor<64x64xf16>, memref<64x64xf16>
        }
        return
      }
    }
    ```

    After `--tile-version-launches`:

    ```mlir
    module attributes {tile.target = #tile.target<"sm_80">} {
      func.func @f(%n: index, %a: memref<?x?xf16>, %o: memref<64x64xf16>) {
        %c1 = arith.constant 1 : index
        %size = memref.dim %a, %c1 : memref<?x?xf16>
        %c8 = arith.constant 8 : index
        %rest = arith.remui %size, %c8 : index
        %zero = arith.constant 0 : index
        %narrow = arith.cmpi ne, %rest, %zero : index
        scf.if %narrow {
          tile.launch @k blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<logical>} {
            %c0 = arith.constant 0 : index
            %t = tile.load %a[%c0, %c0] : memref<?x?xf16> -> tensor<64x64xf16>
            tile.store %t, %o : tensor<64x64xf16>, memref<64x64xf16>
          }
        } else {
          %facts = tile.assume_divisible %size by 8 : index
          tile.launch @k_wide blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<logical>} {
            %c0 = arith.constant 0 : index
            %t = tile.load %a[%c0, %c0] : memref<?x?xf16> -> tensor<64x64xf16>
            tile.store %t, %o : tensor<64x64xf16>, memref<64x64xf16>
          }
        }
        return
      }
    }
    ```
  }];
  let options = [
    Option<"maxOperations", "max-operations", "int64_t", /*default=*/"400",
           "Operations of the longest launch that becomes two">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tile::TileDialect"];
}

def SplitScaledProducts
    : Pass<"tile-split-scaled-products", "::mlir::func::FuncOp"> {
  let summary = "scales the products of blocks where the chip has no instruction";
  let description = [{
    Requires and keeps *logical*. Where the chip has a matrix instruction for a
    `tile.gemm_scaled`, its scales are brought to registers. Elsewhere it becomes a
    product for each block along K, multiplied by the scales of its rows and of its
    columns and added to the sum, and a remark says so. A scale of f8E8M0FNU is two
    factors, since the product of two may be outside of f32 where the result is not.

    Before:

    ```mlir
    module attributes {tile.target = #tile.target<"sm_90a">} {
      func.func @f(%n: index, %a: memref<32x32xf8E4M3FN>, %s: memref<32x1xf8E4M3FN>, %o: memref<32x32xf32>) {
        tile.launch @k blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<logical>} {
          %t = tile.load %a : memref<32x32xf8E4M3FN> -> tensor<32x32xf8E4M3FN>
          %u = tile.load %s : memref<32x1xf8E4M3FN> -> tensor<32x1xf8E4M3FN>
          %p = tile.gemm_scaled %t, %u, %t, %u : tensor<32x32xf8E4M3FN>, tensor<32x1xf8E4M3FN>, tensor<32x32xf8E4M3FN>, tensor<32x1xf8E4M3FN> -> tensor<32x32xf32>
          tile.store %p, %o : tensor<32x32xf32>, memref<32x32xf32>
        }
        return
      }
    }
    ```

    After `--tile-split-scaled-products`:

    ```mlir
    module attributes {tile.target = #tile.target<"sm_90a">} {
      func.func @f(%n: index, %a: memref<32x32xf8E4M3FN>, %s: memref<32x1xf8E4M3FN>, %o: memref<32x32xf32>) {
        tile.launch @k blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<logical>} {
          %t = tile.load %a : memref<32x32xf8E4M3FN> -> tensor<32x32xf8E4M3FN>
          %u = tile.load %s : memref<32x1xf8E4M3FN> -> tensor<32x1xf8E4M3FN>
          %block = tile.gemm %t, %t : tensor<32x32xf8E4M3FN>, tensor<32x32xf8E4M3FN> -> tensor<32x32xf32>
          %0 = tensor.extract_slice %u[0, 0] [32, 1] [1, 1] : tensor<32x1xf8E4M3FN> to tensor<32xf8E4M3FN>
          %1 = arith.extf %0 : tensor<32xf8E4M3FN> to tensor<32xf32>
          %rows = tile.broadcast %1 dims [1] : tensor<32xf32> -> tensor<32x32xf32>
          %2 = tensor.extract_slice %u[0, 0] [32, 1] [1, 1] : tensor<32x1xf8E4M3FN> to tensor<32xf8E4M3FN>
          %3 = arith.extf %2 : tensor<32xf8E4M3FN> to tensor<32xf32>
          %columns = tile.broadcast %3 dims [0] : tensor<32xf32> -> tensor<32x32xf32>
          %factors = arith.mulf %rows, %columns : tensor<32x32xf32>
          %p = arith.mulf %block, %factors : tensor<32x32xf32>
          tile.store %p, %o : tensor<32x32xf32>, memref<32x32xf32>
        }
        return
      }
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::tensor::TensorDialect",
                           "::mlir::tile::TileDialect"];
}

def PlanRoles : Pass<"tile-plan-roles", "::mlir::func::FuncOp"> {
  let summary = "decides which warps compute and which only move data";
  let description = [{
    Requires and keeps *logical*. On chips with bulk copies, a launch with a loop that
    copies tiles to shared memory in several stages for a matrix product gets a
    producer beside the warps that compute, unless it says `warp_specialize = off`;
    with `on` it need not multiply. The producer is one warp; where registers limit
    the block, a group of four that leaves its registers to the consumers.

    Whether all those copies are bulk copies is known behind layouts:
    `tile-pipeline-loops` gives the producer warps and registers to copy by its
    threads where not, and takes roles back where it could not do its work.
    What asks for roles and cannot have them is an error, on a chip that has none a
    remark.

    Before:

    ```mlir
    #shared = #gpu.address_space<workgroup>
    module attributes {tile.target = #tile.target<"sm_90a">} {
      func.func @f(%n: index, %a: memref<64x512xf16>) {
        tile.launch @k blocks(%b) in (%n) threads(256) attributes {stage = #tile.stage<logical>} {
          %c0 = arith.constant 0 : index
          %c64 = arith.constant 64 : index
          %c512 = arith.constant 512 : index
          %s = tile.alloc : memref<64x64xf16, #shared>
          scf.for %k = %c0 to %c512 step %c64 {
            tile.copy %a[%c0, %k] to %s : memref<64x512xf16> to memref<64x64xf16, #shared>
            %d = tile.gemm %s, %s : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
          } {tile.stages = 2 : i32}
        }
        return
      }
    }
    ```

    After `--tile-plan-roles`:

    ```mlir
    #shared = #gpu.address_space<workgroup>
    module attributes {tile.target = #tile.target<"sm_90a">} {
      func.func @f(%arg0: index, %arg1: memref<64x512xf16>) {
        tile.launch @k blocks(%bx) in (%arg0) threads(256) attributes {roles = #tile.roles<<consumer, warps = 8, registers = 232>, <producer, warps = 4, registers = 40>>, stage = #tile.stage<logical>} {
          %c0 = arith.constant 0 : index
          %c64 = arith.constant 64 : index
          %c512 = arith.constant 512 : index
          %0 = tile.alloc : memref<64x64xf16, #shared>
          scf.for %arg2 = %c0 to %c512 step %c64 {
            tile.copy %arg1[%c0, %arg2] to %0 : memref<64x512xf16> to memref<64x64xf16, #shared>
            %1 = tile.gemm %0, %0 : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
          } {tile.stages = 2 : i32}
        }
        return
      }
    }

    ```
  }];
}

def WidenProducts : Pass<"tile-widen-products", "::mlir::func::FuncOp"> {
  let summary = "gives products that the chip lacks another form";
  let description = [{
    Requires and keeps *logical*. A product of f8 operands for which the chip has
    no matrix instruction becomes one of f16, which holds every value of f8:
    fragments are widened by `arith.extf`, buffers by a `tile.load` that converts.
    A sparse product of tf32, which no chip has as the language does, becomes one of
    the matrix with its zeros, that a `tile.parallel` makes. A remark says so.

    Before:

    ```mlir
    func.func @f(%n: index, %a: memref<32x32xf8E4M3FN>, %o: memref<32x32xf32>) {
      tile.launch @k blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<logical>} {
        %t = tile.load %a : memref<32x32xf8E4M3FN> -> tensor<32x32xf8E4M3FN>
        %p = tile.gemm %t, %t : tensor<32x32xf8E4M3FN>, tensor<32x32xf8E4M3FN> -> tensor<32x32xf32>
        tile.store %p, %o : tensor<32x32xf32>, memref<32x32xf32>
      }
      return
    }
    ```

    After `--tile-widen-products`:

    ```mlir
    func.func @f(%n: index, %a: memref<32x32xf8E4M3FN>, %o: memref<32x32xf32>) {
      tile.launch @k blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<logical>} {
        %t = tile.load %a : memref<32x32xf8E4M3FN> -> tensor<32x32xf8E4M3FN>
        %wide = arith.extf %t : tensor<32x32xf8E4M3FN> to tensor<32x32xf16>
        %p = tile.gemm %wide, %wide : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
        tile.store %p, %o : tensor<32x32xf32>, memref<32x32xf32>
      }
      return
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::tile::TileDialect"];
}

def InferLayouts : Pass<"tile-infer-layouts", "::mlir::func::FuncOp"> {
  let summary = "chooses the layout of every fragment, buffer and loop";
  let description = [{
    Requires *logical*, establishes *laid_out*. Every fragment type gets a
    `#tile.fragment`, every `tile.alloc` a `#tile.shared`, every `tile.parallel` and
    `tile.copy` its thread layout and vector width, every gemm and copy its
    instruction. Where operands disagree a `tile.convert_layout` is inserted.

    One is put in front of a `tile.transpose` too, between loads from and stores to global
    memory with nothing but elementwise operations around it, where the sectors that one
    side by columns would waste cost more than a way through shared memory. Both sides
    then have vectors along their rows.

    With `bulk-copies`, on chips that have them, a copy between global and shared
    memory is one by bulk tensor copies (`cp.async.bulk.tensor`), which has no
    threads, where all of this is known:

    - the elements keep their type of 1, 2, 4 or 8 bytes, padding is zero, no `rows`
      but, in a loop with a producer, those that follow each other in runs (then the
      copy becomes one a run, from the row that is computed for its first);
    - the memref is known on the host, or a view that the launch makes of one that is,
      of which the box is proved to be the same box of that (then the copy names it);
      its innermost stride is 1, its address and
      its other strides are multiples of 16 bytes, its rank is at most 5;
    - nothing in the launch writes it but other bulk copies back to it; an atomic of the
      block writes its own memref, and what is stored by bulk copies has none beside it;
    - the tile lies inside of its buffer, whose layout is boxes of a swizzle mode or
      dense, and each box has 512 bytes or more.

    What lies together in memory and in its buffer, and inside of the memref, is copied as
    bytes (`cp.async.bulk`), from any memref, where that takes no more instructions than
    boxes do and the launch has no clusters.

    The remark `CopyByThreads` names what is missing.

    Before:

    ```mlir
    #shared = #gpu.address_space<workgroup>
    func.func @f(%n: index, %a: memref<64x32xf32>, %o: memref<64xf32>) {
      tile.launch @k blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<logical>} {
        %s = tile.alloc : memref<64x32xf32, #shared>
        tile.copy %a to %s : memref<64x32xf32> to memref<64x32xf32, #shared>
        %t = tile.load %s : memref<64x32xf32, #shared> -> tensor<64x32xf32>
        %r = tile.reduce <add> %t dims [1] : tensor<64x32xf32> -> tensor<64xf32>
        tile.store %r, %o : tensor<64xf32>, memref<64xf32>
      }
      return
    }
    ```

    After `--tile-infer-layouts`:

    ```mlir
    #shared = #gpu.address_space<workgroup>
    #f = #tile.fragment<[64, 32], register = [4 : (0, 1), 16 : (4, 0)], lane = [8 : (0, 4), 4 : (1, 0)], warp = []>
    #g = #tile.fragment<[64], register = [16 : (4)], lane = [8 : (0), 4 : (1)], warp = []>
    func.func @f(%n: index, %a: memref<64x32xf32>, %o: memref<64xf32>) {
      tile.launch @k blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<laid_out>} {
        %s = tile.alloc layout(#tile.shared<[64, 32], offset = [32 : (0, 1), 64 : (1, 0)], xor = [3, 4, 3]>) : memref<64x32xf32, #shared>
        tile.copy %a to %s {instruction = #tile.instruction<"cp.async">, layout = #f, vector_width = 4 : i64} : memref<64x32xf32> to memref<64x32xf32, #shared>
        %t = tile.load %s {vector_width = 4 : i64} : memref<64x32xf32, #shared> -> tensor<64x32xf32, #f>
        %r = tile.reduce <add> %t dims [1] : tensor<64x32xf32, #f> -> tensor<64xf32, #g>
        tile.store %r, %o : tensor<64xf32, #g>, memref<64xf32>
      }
      return
    }
    ```
  }];
  let dependentDialects = ["::mlir::tile::TileDialect"];
  let options = [
    Option<"bulkCopies", "bulk-copies", "bool", /*default=*/"false",
           "Whether copies are made by bulk tensor copies where possible">
  ];
}

#endif // TILE_TRANSFORMS_LOGICALPASSES
