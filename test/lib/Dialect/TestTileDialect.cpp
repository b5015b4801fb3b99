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
