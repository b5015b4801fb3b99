//===- SaturatingCasts.cpp - Casts that upstream must not fold ------------===//

#include "SaturatingCasts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace mlir::tile;

/// Marks those that are hidden among the casts that others have made.
static constexpr StringRef hiddenName = "hidden_saturating_cast";

/// The operation `name` in the place of `cast`, with `attributes`.
static void replaceCast(Operation *cast, StringRef name,
                        ArrayRef<NamedAttribute> attributes) {
  OpBuilder builder(cast);
  OperationState state(cast->getLoc(), name, cast->getOperands(),
                       cast->getResultTypes(), attributes);
  cast->replaceAllUsesWith(builder.create(state));
  cast->erase();
}

HiddenSaturatingCasts::HiddenSaturatingCasts(Operation *root) : root(root) {
  Builder builder(root->getContext());
  root->walk([&](arith::TruncFOp cast) {
    if (getElementTypeOrSelf(cast.getType()).getIntOrFloatBitWidth() > 8)
      return;
    replaceCast(cast, UnrealizedConversionCastOp::getOperationName(),
                builder.getNamedAttr(hiddenName, cast->getAttrDictionary()));
  });
}

HiddenSaturatingCasts::~HiddenSaturatingCasts() {
  root->walk([](UnrealizedConversionCastOp cast) {
    if (auto hidden = cast->getAttrOfType<DictionaryAttr>(hiddenName))
      replaceCast(cast, arith::TruncFOp::getOperationName(), hidden.getValue());
  });
}
