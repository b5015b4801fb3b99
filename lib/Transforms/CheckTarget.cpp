//===- CheckTarget.cpp - A chip that is given again is the same -----------===//
//
// Requires and keeps any stage. `tile-set-target` records the chip at source;
// from then on the module says what it is compiled for. Pipelines that resume a
// module run this instead, so that an option with another chip is refused and
// not ignored.
//
//===----------------------------------------------------------------------===//

#include "tile/Analysis/ModuleTarget.h"
#include "tile/Transforms/Passes.h"

#define DEBUG_TYPE "tile-check-target"

namespace mlir::tile {
#define GEN_PASS_DEF_CHECKTARGET
#include "tile/Transforms/Passes.h.inc"
} // namespace mlir::tile

using namespace mlir;
using namespace mlir::tile;

namespace {
struct CheckTarget final : tile::impl::CheckTargetBase<CheckTarget> {
  using CheckTargetBase::CheckTargetBase;

  void runOnOperation() override {
    if (failed(verifyChip(getOperation(), chip)))
      signalPassFailure();
  }
};
} // namespace
