//===- TestTileDialect.cpp - Operations of another dialect ----------------===//

#include "TestTileDialect.h"

#include "tile/Dialect/Tile/BlockAccess.h"
#include "tile/Dialect/Tile/LayoutConstraints.h"

using namespace mlir;
using namespace mlir::tile;
using namespace mlir::tile::test;

#include "Dialect/TestTileDialect.cpp.inc"

#define GET_OP_CLASSES
#include "Dialect/TestTileOps.cpp.inc"

void TestTileDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "Dialect/TestTileOps.cpp.inc"
      >();
}

static Side getWhole(TypedValue<MemRefType> memref) {
  Side side;
  side.memref = memref;
  return side;
}

//===----------------------------------------------------------------------===//
// test_tile.scale_rows
//===----------------------------------------------------------------------===//

LogicalResult ScaleRowsOp::verify() {
  ArrayRef<int64_t> rows = getSource().getType().getShape().take_front();
  if (getFactors().getType().getShape() == rows)
    return success();
  return emitOpError("needs one factor a row");
}

void ScaleRowsOp::getLayoutConstraints(LayoutConstraints &constraints) {
  constraints.takeSame(getSourceMutable(), getResult());
}

void ScaleRowsOp::getBlockAccesses(SmallVectorImpl<BlockAccess> &accesses) {
  accesses.push_back(BlockAccess::read(getWhole(getFactors())));
}

//===----------------------------------------------------------------------===//
// test_tile.fill
//===----------------------------------------------------------------------===//

void FillOp::getBlockAccesses(SmallVectorImpl<BlockAccess> &accesses) {
  accesses.push_back(BlockAccess::write(getWhole(getDest())));
}

//===----------------------------------------------------------------------===//
// test_tile.scale_tiles
//===----------------------------------------------------------------------===//

/// Eight rows of the mode's bytes.
static tilec::Expected<tilec::SharedLayout> getAtom(ScaleTilesOp op) {
  int64_t bits = op.getFactors().getType().getElementTypeBitWidth();
  int64_t mode = op.getSwizzle();
  return tilec::SharedLayout::swizzled({8, mode * 8 / bits}, {1, 0}, mode,
                                       bits);
}

LogicalResult ScaleTilesOp::verify() {
  if (getFactors().getType().getShape() != getSource().getType().getShape())
    return emitOpError("needs a factor for each element");
  auto atom = getAtom(*this);
  return atom ? success() : emitOpError() << atom.reason();
}

void ScaleTilesOp::getLayoutConstraints(LayoutConstraints &constraints) {
  constraints.takeSame(getSourceMutable(), getResult());
  tilec::SharedDemand pattern;
  pattern.swizzleBytes = getSwizzle();
  pattern.atom = *getAtom(*this);
  pattern.strideDim = 0;
  constraints.buffers.push_back(
      {&getFactorsMutable(),
       tilec::PatternDemand{{pattern}, {0, 1}, pattern.atom.getShape()}});
}

void ScaleTilesOp::getBlockAccesses(SmallVectorImpl<BlockAccess> &accesses) {
  accesses.push_back(BlockAccess::read(getWhole(getFactors())));
}

//===----------------------------------------------------------------------===//
// test_tile.iota
//===----------------------------------------------------------------------===//

void IotaOp::getLayoutConstraints(LayoutConstraints &constraints) {
  LayoutEnd space = getOperation();
  constraints.same.push_back({space, getResult()});
  constraints.given.push_back(
      {space, getResult(), tilec::LayoutMap(), tilec::LayoutMap(), {}});
}

//===----------------------------------------------------------------------===//
// test_tile.misstated
//===----------------------------------------------------------------------===//

void MisstatedOp::getLayoutConstraints(LayoutConstraints &constraints) {
  constraints.combined.push_back({&getSourceMutable(), {0}});
}

//===----------------------------------------------------------------------===//
// test_tile.negate_transposed
//===----------------------------------------------------------------------===//

void NegateTransposedOp::getLayoutConstraints(LayoutConstraints &constraints) {
  GivenLayout given;
  given.source = &getSourceMutable();
  given.result = getResult();
  given.map = tilec::LayoutMap::permute({1, 0});
  given.inverse = given.map;
  constraints.given.push_back(std::move(given));
}
