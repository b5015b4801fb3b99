//===- ProgramBuilder.h - Tile programs made by C++ -------------*- C++ -*-===//
//
// A builder of source programs, without what passes write on operations. Bodies are
// functions:
//
//   ProgramBuilder b(loc, module.getBodyRegion());
//   b.function("copy", {m, m}, [&](ValueRange arguments) {
//     Value rows = b.ceilDiv(b.size(arguments[0], 0), b.index(64));
//     b.launch(rows, /*threads=*/128, [&](ValueRange block) {
//       Value start = arith::MulIOp::create(b, block[0], b.index(64));
//       Value t = b.load({arguments[0], {start, b.index(0)}}, {64, 128});
//       b.store(t, {arguments[1], {start, b.index(0)}});
//     });
//   });
//
// Arithmetic is upstream's: `arith::AddFOp::create(b, x, y)`. What is wrong with a
// program the verifiers say, when it is complete.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_DIALECT_TILE_PROGRAMBUILDER_H
#define TILE_DIALECT_TILE_PROGRAMBUILDER_H

#include "tile/Dialect/Tile/TileOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

#include <optional>

namespace mlir::tile {

/// A box of a memref, as one side of a copy, a load or a store.
struct Box {
  Value memref;
  /// Starts, an index for each dimension; empty: all of the memref.
  SmallVector<Value> start;
  /// Extents, one for each dimension; empty: those of the other side or fragment.
  SmallVector<int64_t> extents;
  /// A fragment of index, i32 or i64: what is added to the start along `rowsDim`.
  Value rows;
  int64_t rowsDim = 0;
  /// The dimensions along which the author knows that it lies inside; empty: none.
  SmallVector<bool> inBounds;

  Box(Value memref, ArrayRef<Value> start = {}, ArrayRef<int64_t> extents = {})
      : memref(memref), start(start), extents(extents) {}
};

/// What the author says about a matrix product.
struct ProductOptions {
  bool transposeA = false, transposeB = false;
  bool unsignedA = false, unsignedB = false; ///< of integers
  PrecisionAttr precision;                   ///< of f32
  WarpsAttr warps;
};

class ProgramBuilder : public ImplicitLocOpBuilder {
public:
  using Body = function_ref<void(ValueRange)>;
  /// Returns what the body yields.
  using ValueBody = function_ref<SmallVector<Value>(ValueRange)>;

  /// Begins at the end of `region`, which has a block.
  ProgramBuilder(Location loc, Region &region);
  /// Begins where `builder` is.
  ProgramBuilder(Location loc, OpBuilder &builder)
      : ImplicitLocOpBuilder(loc, builder) {}

  // Values --------------------------------------------------------------------

  Value index(int64_t number);
  /// A fragment of one number, which its element type rounds.
  Value splat(ArrayRef<int64_t> shape, Type element, double number);
  /// The size of a dimension of a memref.
  Value size(Value memref, int64_t dim);
  /// Of numbers that are not negative.
  Value ceilDiv(Value dividend, Value divisor);
  /// `memref<shape x element>` in shared memory.
  MemRefType sharedType(ArrayRef<int64_t> shape, Type element);

  // Structure -----------------------------------------------------------------

  /// A function without results; the body gets its arguments.
  func::FuncOp function(StringRef name, TypeRange arguments, Body body);
  /// The body gets the number of the block, an index for each extent of the grid.
  LaunchOp launch(ValueRange grid, int64_t threads, Body body,
                  StringRef kernel = {});
  /// The body gets the induction variable, then what is carried, and returns what the
  /// next iteration gets. `stages` iterations overlap; 0: it is no pipelined loop.
  scf::ForOp loop(Value lower, Value upper, Value step, ValueRange carried,
                  int64_t stages, ValueBody body);
  /// The body gets the iteration's number in each dimension and returns the elements
  /// of fragments of these types.
  ParallelOp parallel(ArrayRef<int64_t> shape, ArrayRef<Type> elements,
                      ValueBody body,
                      std::optional<int64_t> coalescedWidth = std::nullopt);

  // Memory --------------------------------------------------------------------

  Value alloc(ArrayRef<int64_t> shape, Type element, SharedAttr layout = {});
  CopyOp copy(const Box &source, const Box &dest, Value pad = {});
  /// A fragment of `shape`, of the memref's element type if none is given.
  Value load(const Box &source, ArrayRef<int64_t> shape, Type element = {},
             Value pad = {});
  StoreOp store(Value value, const Box &dest);
  AtomicRMWOp atomicRMW(arith::AtomicRMWKind kind, Value value,
                        const Box &dest);
  Im2ColOp im2col(Value image, Value row, Value column, Value dest,
                  ArrayRef<int64_t> kernel, ArrayRef<int64_t> strides,
                  ArrayRef<int64_t> dilations, ArrayRef<int64_t> padding);

  // Computation ---------------------------------------------------------------

  /// A product of fragments or buffers added to the fragment `c`.
  Value gemm(Value a, Value b, Value c, const ProductOptions &options = {});
  /// The product itself, with elements of `accumulator`.
  Value gemm(Value a, Value b, Type accumulator,
             const ProductOptions &options = {});
  Value gemmSparse(Value a, Value metadata, Value b, Value c,
                   const ProductOptions &options = {});
  Value gemmScaled(Value a, Value scaleA, Value b, Value scaleB, Value c,
                   int64_t block = 32, const ProductOptions &options = {});
  /// With a kind one fragment is reduced, to its element type.
  Value reduce(vector::CombiningKind kind, Value operand,
               ArrayRef<int64_t> dims, Value init = {},
               arith::FastMathFlags flags = {});
  /// Several with a combiner, which gets the values so far, then the new ones.
  SmallVector<Value> reduce(ValueRange operands, ArrayRef<int64_t> dims,
                            ValueBody combiner, ValueRange inits = {});
  Value scan(vector::CombiningKind kind, Value operand, int64_t dim,
             bool reverse = false, bool exclusive = false);
  SmallVector<Value> scan(ValueRange operands, int64_t dim, ValueBody combiner,
                          ValueRange inits = {}, bool reverse = false,
                          bool exclusive = false);
  /// `dims` are the new dimensions of the result.
  Value broadcast(Value source, ArrayRef<int64_t> dims,
                  ArrayRef<int64_t> shape);
  Value transpose(Value source, ArrayRef<int64_t> permutation);
  /// The same bits as elements of another type, along the last dimension.
  Value bitcast(Value source, Type element);

  // Facts and debugging -------------------------------------------------------

  Value assumeDivisible(Value number, int64_t divisor);
  /// Facts of a view: divisors of sizes and strides, bytes of alignment; empty and 0 where
  /// nothing is said.
  Value assume(Value memref, ArrayRef<int64_t> sizes,
               ArrayRef<int64_t> strides = {}, int64_t alignment = 0);
  void print(StringRef label, Value value);
  void require(Value condition, StringRef message);

private:
  SmallVector<Value> combine(Operation *op, ValueRange operands,
                             ValueBody combiner);
  Region &addBody(Operation *op, TypeRange arguments);
};

// What a function says about its arguments, as `tile.dims` and the others do
// (docs/Language.md); of a memref but `setMayAlias` and `setAlignment`.

/// Names of sizes, one for each dimension: equal names are equal sizes, an empty one
/// says nothing.
void setSizeNames(func::FuncOp function, unsigned argument,
                  ArrayRef<StringRef> names);
/// What divides the sizes, one for each dimension.
void setDivisors(func::FuncOp function, unsigned argument,
                 ArrayRef<int64_t> divisors);
/// Bytes, a power of two.
void setAlignment(func::FuncOp function, unsigned argument, int64_t bytes);
/// That it may overlap other arguments.
void setMayAlias(func::FuncOp function, unsigned argument);
/// How many iterations of a loop in a launch overlap.
void setStages(scf::ForOp loop, int64_t stages);

} // namespace mlir::tile

#endif // TILE_DIALECT_TILE_PROGRAMBUILDER_H
