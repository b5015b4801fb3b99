//===- ConsoleOutput.cpp - Launches that print ----------------------------===//

#include "tile/Analysis/ConsoleOutput.h"
#include "tile/Dialect/Tile/BlockAccess.h"

using namespace mlir;
using namespace mlir::tile;

bool tile::writesToConsole(LaunchOp launch) {
  auto writes = [](MemoryEffectOpInterface op) {
    SmallVector<MemoryEffects::EffectInstance> effects;
    op.getEffects(effects);
    return llvm::any_of(effects, [](const auto &effect) {
      return effect.getResource() == ConsoleResource::get();
    });
  };
  return launch
      .walk([&](MemoryEffectOpInterface op) {
        return writes(op) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}
