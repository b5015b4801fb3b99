//===- FactOps.cpp - Facts about values and memrefs -----------------------===//
//
// Verification and folding of the operations by which a program states divisors
// and alignments that the compiler cannot see.
//
//===----------------------------------------------------------------------===//

#include "tile/Dialect/Tile/TileOps.h"

using namespace mlir;
using namespace mlir::tile;

LogicalResult AssumeDivisibleOp::verify() {
  // assume_divisible_c1
  int64_t divisor = static_cast<int64_t>(getDivisor());
  if (divisor < 1)
    return emitOpError("must have a positive divisor, got ") << divisor;
  return success();
}

OpFoldResult AssumeDivisibleOp::fold(FoldAdaptor adaptor) {
  // Pattern: assume_divisible x by 1 -> x
  if (getDivisor() == 1)
    return getValue();
  // Pattern: assume_divisible c by d -> c [if d divides c]
  auto constant = dyn_cast_or_null<IntegerAttr>(adaptor.getValue());
  if (constant &&
      constant.getValue().getSExtValue() % static_cast<int64_t>(getDivisor()) ==
          0)
    return getValue();
  return {};
}

/// Positive entries, one per dimension of the memref.
template <typename OpT>
static LogicalResult verifyDivisors(OpT op, StringRef name,
                                    std::optional<ArrayRef<int64_t>> divisors) {
  if (!divisors)
    return success();
  int64_t rank = cast<MemRefType>(op.getSource().getType()).getRank();
  if (static_cast<int64_t>(divisors->size()) != rank)
    return op.emitOpError("has ")
           << divisors->size() << ' ' << name << " for a memref of rank "
           << rank << "; give one per dimension, 1 for no fact";
  for (int64_t divisor : *divisors)
    if (divisor < 1)
      return op.emitOpError("must have positive ")
             << name << ", got " << divisor;
  return success();
}

/// A static extent that a divisor does not divide contradicts it.
static LogicalResult verifyContradiction(Operation *op, StringRef name,
                                         ArrayRef<int64_t> extents,
                                         ArrayRef<int64_t> divisors) {
  for (auto [dim, extent, divisor] : llvm::enumerate(extents, divisors))
    if (!ShapedType::isDynamic(extent) && extent % divisor != 0)
      return op->emitOpError("states that ")
             << name << ' ' << extent << " of dimension " << dim
             << " is divisible by " << divisor;
  return success();
}

/// What is stated of a memref, by either operation.
template <typename OpT>
static LogicalResult verifyFacts(OpT op) {
  if (failed(verifyDivisors(op, "sizes", op.getSizes())) ||
      failed(verifyDivisors(op, "strides", op.getStrides())))
    return failure();
  if (std::optional<uint64_t> alignment = op.getAlignment())
    if (static_cast<int64_t>(*alignment) < 1 ||
        !llvm::isPowerOf2_64(*alignment))
      return op.emitOpError(
                 "must have an alignment that is a power of two, got ")
             << static_cast<int64_t>(*alignment);
  auto type = cast<MemRefType>(op.getSource().getType());
  if (op.getSizes() &&
      failed(verifyContradiction(op, "size", type.getShape(), *op.getSizes())))
    return failure();
  SmallVector<int64_t> strides;
  int64_t offset = 0;
  if (op.getStrides() && succeeded(type.getStridesAndOffset(strides, offset)))
    return verifyContradiction(op, "stride", strides, *op.getStrides());
  return success();
}

LogicalResult AssumeOp::verify() {
  // assume_c1
  return verifyFacts(*this);
}

LogicalResult AssertFactsOp::verify() {
  // assert_facts_c1
  return verifyFacts(*this);
}
