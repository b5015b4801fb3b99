//===- KnownBounds.cpp - Accesses that need no check ----------------------===//

#include "tile/Analysis/KnownBounds.h"
#include "tile/Analysis/AccessWidth.h"
#include "tile/Analysis/AccessedSides.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tile;

static void setInBounds(Operation *op, bool isSource, ArrayRef<bool> inBounds) {
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](CopyOp copy) {
        if (isSource)
          copy.setSourceInBounds(inBounds);
        else
          copy.setDestInBounds(inBounds);
      })
      .Case([&](LoadOp load) { load.setSourceInBounds(inBounds); })
      .Case<StoreOp, AtomicRMWOp>(
          [&](auto to) { to.setDestInBounds(inBounds); });
}

/// States it of the dimensions that are asked for; of others what there is already.
static void
stateKnownBounds(IndexFacts &facts, Operation *op,
                 function_ref<bool(const Side &, int64_t)> isAsked) {
  for (const AccessedSide &access : getAccessedSides(op)) {
    const Side &side = access.side;
    SmallVector<bool> inBounds;
    bool isNew = false;
    for (int64_t dim = 0; !side.isWhole() && dim < side.getRank(); ++dim) {
      bool isKnown =
          isAsked(side, dim) && isKnownInBounds(facts, side, access.tile, dim);
      inBounds.push_back(isKnown || side.isInBounds(dim));
      isNew |= isKnown;
    }
    if (isNew)
      setInBounds(op, access.isSource, inBounds);
  }
}

void tile::stateKnownBounds(IndexFacts &facts, Operation *op) {
  ::stateKnownBounds(facts, op, [](const Side &, int64_t) { return true; });
}

void tile::stateDynamicBounds(LaunchOp launch) {
  IndexFacts facts(launch);
  launch.walk([&](Operation *op) {
    ::stateKnownBounds(facts, op, [](const Side &side, int64_t dim) {
      return side.getType().isDynamicDim(dim);
    });
  });
}
