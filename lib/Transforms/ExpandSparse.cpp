//===- ExpandSparse.cpp - A sparse operand with its zeros -----------------===//
//
// Element (m, k) is one of the two that are kept of its four columns, or zero:
//
//     bits = meta(m, k / 16) >> k % 16 / 4 * 4
//     a(m, k / 4 * 2)      where k % 4 is the first position, bits & 3
//     a(m, k / 4 * 2 + 1)  where it is the second, bits >> 2 & 3
//
// A `tile.parallel` computes it for each element.
//
//===----------------------------------------------------------------------===//

#include "ExpandSparse.h"

#include "tile/Dialect/Tile/ScheduleHints.h"
#include "tile/Dialect/Tile/TileOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::tile;

namespace {
/// What one iteration computes.
class ElementExpander {
public:
  ElementExpander(OpBuilder &builder, Location loc,
                  MatrixProductOpInterface product)
      : builder(builder), loc(loc), product(product) {}

  Value expand(Value m, Value k);

private:
  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  Value divide(Value value, int64_t by) {
    return arith::DivUIOp::create(builder, loc, value, index(by));
  }
  Value remainder(Value value, int64_t by) {
    return arith::RemUIOp::create(builder, loc, value, index(by));
  }
  Value multiply(Value value, int64_t by) {
    return arith::MulIOp::create(builder, loc, value, index(by));
  }
  Value read(Value matrix, Value row, Value column, bool isTransposed);
  /// Whether the two bits of `word` from `bit` on are `position`.
  Value names(Value word, Value bit, Value position);

  OpBuilder &builder;
  Location loc;
  MatrixProductOpInterface product;
};
} // namespace

Value ElementExpander::read(Value matrix, Value row, Value column,
                            bool isTransposed) {
  SmallVector<Value> at = {row, column};
  if (isTransposed)
    std::swap(at[0], at[1]);
  if (isa<RankedTensorType>(matrix.getType()))
    return tensor::ExtractOp::create(builder, loc, matrix, at);
  return memref::LoadOp::create(builder, loc, matrix, at);
}

Value ElementExpander::names(Value word, Value bit, Value position) {
  Type i32 = builder.getI32Type();
  Value by = arith::IndexCastOp::create(builder, loc, i32, bit);
  Value three = arith::ConstantIntOp::create(builder, loc, i32, 3);
  Value bits = arith::AndIOp::create(
      builder, loc, arith::ShRUIOp::create(builder, loc, word, by), three);
  return arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::eq, bits,
      arith::IndexCastOp::create(builder, loc, i32, position));
}

Value ElementExpander::expand(Value m, Value k) {
  constexpr int64_t columns = tilec::columnsPerMetadataWord;
  Value word = read(product.getMetadata()->get(), m, divide(k, columns),
                    /*isTransposed=*/false);
  word = arith::ExtUIOp::create(builder, loc, builder.getI32Type(), word);
  Value group = divide(k, 4), position = remainder(k, 4);
  Value bit = multiply(remainder(group, columns / 4), 4);
  Value first = multiply(group, 2);
  Value second = arith::AddIOp::create(builder, loc, first, index(1));
  bool isTransposed = product.getTransposeA();
  Value zero = arith::ConstantOp::create(
      builder, loc, builder.getZeroAttr(product.getElementTypeA()));
  Value isSecond =
      names(word, arith::AddIOp::create(builder, loc, bit, index(2)), position);
  Value other = arith::SelectOp::create(
      builder, loc, isSecond, read(product.getA(), m, second, isTransposed),
      zero);
  return arith::SelectOp::create(builder, loc, names(word, bit, position),
                                 read(product.getA(), m, first, isTransposed),
                                 other);
}

Value tile::expandSparse(MatrixProductOpInterface product) {
  OpBuilder builder(product);
  Location loc = product.getLoc();
  SmallVector<int64_t> shape = {product.getM(), product.getK()};
  Type type = RankedTensorType::get(shape, product.getElementTypeA());
  auto loop = ParallelOp::create(
      builder, loc, TypeRange(type), builder.getDenseI64ArrayAttr(shape),
      /*coalesced_width=*/IntegerAttr(), /*layout=*/FragmentAttr(),
      /*vector_width=*/IntegerAttr());
  Type index = builder.getIndexType();
  Block &body = loop.getBody().emplaceBlock();
  body.addArguments({index, index}, {loc, loc});
  copyScheduleHint(product, loop);
  builder.setInsertionPointToEnd(&body);
  ElementExpander expander(builder, loc, product);
  YieldOp::create(builder, loc,
                  expander.expand(body.getArgument(0), body.getArgument(1)));
  return loop.getResult(0);
}
