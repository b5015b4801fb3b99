//===- TensorMaps.cpp - The tensors that a kernel copies in bulk ----------===//

#include "TensorMaps.h"

#include "tile/Dialect/Tile/CopyFacts.h"
#include "tile/Dialect/Tile/SpanCopies.h"

using namespace mlir;
using namespace mlir::tile;

FailureOr<SmallVector<TensorMapPlan>> tile::planTensorMaps(LaunchOp launch) {
  SmallVector<TensorMapPlan> plans;
  WalkResult walk = launch.walk([&](TensorCopyOpInterface copy) {
    if (!needsTensorMap(copy))
      return WalkResult::advance();
    Value memref = getTensor(copy);
    if (launch.getBody().isAncestor(memref.getParentRegion()))
      return WalkResult(copy->emitOpError(
          "is a bulk copy of a memref that is made in its launch, and the host "
          "has to describe it; make it in front of the launch"));
    auto boxes = getBulkBoxes(copy);
    if (!boxes)
      return WalkResult(copy->emitOpError("has no boxes: ") << boxes.reason());
    SmallVector<int64_t> box(boxes->box.begin(), boxes->box.end());
    std::optional<PixelWalk> pixels = getPixelWalk(copy);
    auto known = llvm::find_if(plans, [&](const TensorMapPlan &plan) {
      return plan.memref == memref && plan.box == box &&
             plan.swizzle == boxes->swizzleBytes && plan.pixels == pixels;
    });
    if (known == plans.end()) {
      plans.push_back({memref, box, boxes->swizzleBytes, pixels, {}});
      known = std::prev(plans.end());
    }
    known->copies.push_back(copy);
    return WalkResult::advance();
  });
  if (walk.wasInterrupted())
    return failure();
  return plans;
}

SmallVector<Value> tile::encodeTensorMaps(ArrayRef<TensorMapPlan> plans,
                                          Location loc, OpBuilder &builder) {
  return llvm::map_to_vector(plans, [&](const TensorMapPlan &plan) -> Value {
    auto getArray = [&](const SmallVector<int64_t, 2> PixelWalk::*entries) {
      return plan.pixels ? builder.getDenseI64ArrayAttr((*plan.pixels).*entries)
                         : DenseI64ArrayAttr();
    };
    return EncodeTensorMapOp::create(
        builder, loc, plan.memref, builder.getDenseI64ArrayAttr(plan.box),
        builder.getI64IntegerAttr(plan.swizzle), getArray(&PixelWalk::lower),
        getArray(&PixelWalk::upper), getArray(&PixelWalk::strides));
  });
}

void tile::useTensorMaps(ArrayRef<TensorMapPlan> plans,
                         ArrayRef<BlockArgument> maps) {
  for (auto [plan, map] : llvm::zip_equal(plans, maps))
    for (TensorCopyOpInterface copy : plan.copies)
      copy.getTensorMapMutable().assign(map);
}
