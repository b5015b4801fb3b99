//===- TileTarget.cpp - The chip that a module is compiled for ------------===//
//
// See TileTarget.h. Before a chip is set, what no known chip has is an error
// all the same: it will not become legal later.
//
//===----------------------------------------------------------------------===//

#include "tile/Dialect/Tile/TileTarget.h"
#include "tile/Dialect/Tile/TileDialect.h"

#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace mlir::tile;

const tilec::GpuTarget *tile::getTarget(Operation *op) {
  auto *dialect = op->getContext()->getLoadedDialect<TileDialect>();
  for (; dialect && op; op = op->getParentOp())
    if (auto module = dyn_cast<ModuleOp>(op))
      if (TargetAttr target = dialect->getTargetAttrHelper().getAttr(module))
        return tilec::findTarget(target.getChip());
  return nullptr;
}

/// Whether `accepts` holds for the module's chip, or for some known one.
static bool anyTarget(Operation *op,
                      function_ref<bool(const tilec::GpuTarget &)> accepts) {
  if (const tilec::GpuTarget *target = getTarget(op))
    return accepts(*target);
  return llvm::any_of(tilec::getKnownTargets(), accepts);
}

LogicalResult tile::verifyThreadCount(Operation *op, int64_t threads) {
  if (anyTarget(op, [&](const tilec::GpuTarget &target) {
        return threads > 0 && threads % target.warpSize == 0 &&
               threads <= target.maxThreadsPerBlock;
      }))
    return success();
  const tilec::GpuTarget *target = getTarget(op);
  if (!target)
    target = &tilec::getKnownTargets().front();
  int64_t warp = target->warpSize;
  int64_t wanted = std::clamp(threads, warp, target->maxThreadsPerBlock);
  int64_t nearest = (wanted + warp - 1) / warp * warp;
  return op->emitOpError("has threads(")
         << threads << "), which is not a positive multiple of the warp size "
         << warp << " up to " << target->maxThreadsPerBlock
         << "; the nearest such is threads(" << nearest << ")";
}

bool tile::isWarpSize(Operation *op, int64_t lanes) {
  return anyTarget(op, [&](const tilec::GpuTarget &target) {
    return lanes == target.warpSize;
  });
}
