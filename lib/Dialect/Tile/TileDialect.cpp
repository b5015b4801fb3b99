//===- TileDialect.cpp - Registration of the tile dialect -----------------===//
//
// Registers attributes, types, operations and the interfaces through which
// upstream passes learn how to treat the dialect: constants materialise inside
// a launch (they must not become kernel parameters), everything may be inlined.
//
//===----------------------------------------------------------------------===//

#include "tile/Dialect/Tile/TileDialect.h"

#include "tile/Dialect/Tile/ProductFacts.h"
#include "tile/Dialect/Tile/TileOps.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Interfaces/FoldInterfaces.h"
#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;
using namespace mlir::tile;

#include "tile/Dialect/Tile/TileDialect.cpp.inc"

namespace {

struct TileFoldInterface final : DialectFoldInterface {
  using DialectFoldInterface::DialectFoldInterface;

  /// Constants stay inside a launch: hoisted out they would be shared between
  /// launches and become kernel parameters.
  bool shouldMaterializeInto(Region *region) const override {
    return isa<LaunchOp>(region->getParentOp());
  }
};

struct TileInlinerInterface final : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *, Operation *, bool) const override {
    return true;
  }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const override {
    return true;
  }
  bool isLegalToInline(Operation *, Region *, bool,
                       IRMapping &) const override {
    return true;
  }
};

} // namespace

void TileDialect::initialize() {
  registerAttributes();
  registerTypes();
  registerOperations();
  addInterfaces<TileFoldInterface, TileInlinerInterface>();
  // The dialects of these are loaded: this one depends on them.
  attachEffectsToScf(getContext());
  attachInterfacesToScf(getContext());
  attachInterfacesToTensor(getContext());
  attachInterfacesToMemRef(getContext());
  attachAccessesToProducts(getContext());
}

Operation *TileDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                            Type type, Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}
