//===- AccessedSides.cpp - The sides of an operation ----------------------===//

#include "tile/Analysis/AccessedSides.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tile;

SmallVector<AccessedSide> tile::getAccessedSides(Operation *op) {
  using Sides = SmallVector<AccessedSide>;
  auto getShape = [](Value fragment) {
    return llvm::to_vector(
        cast<RankedTensorType>(fragment.getType()).getShape());
  };
  return llvm::TypeSwitch<Operation *, Sides>(op)
      .Case([](CopyOp copy) {
        return Sides{{copy.getSourceSide(), copy.getTileShape(), true},
                     {copy.getDestSide(), copy.getTileShape(), false}};
      })
      .Case([&](LoadOp load) {
        return Sides{{load.getSourceSide(), getShape(load), true}};
      })
      .Case([&](StoreOp store) {
        return Sides{{store.getDestSide(), getShape(store.getValue()), false}};
      })
      .Case([&](AtomicRMWOp atomic) {
        return Sides{{atomic.getDestSide(), getShape(atomic.getValue()),
                      /*isSource=*/false, /*isAtomic=*/true}};
      })
      .Default(Sides());
}
