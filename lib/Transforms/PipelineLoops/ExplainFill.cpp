//===- ExplainFill.cpp - Why a buffer is not filled ahead -----------------===//

#include "ExplainFill.h"
#include "LateStores.h"
#include "LoopStatements.h"

#include "tile/Analysis/NestedAccesses.h"

using namespace mlir;
using namespace mlir::tile;

/// The first copy in `op` to the buffer, or null.
static Operation *findFill(Operation *op, AllocOp buffer) {
  Operation *fill = nullptr;
  op->walk([&](Operation *inner) {
    bool fills =
        isFill(inner) &&
        llvm::any_of(getNestedAccesses(inner), [&](const BlockAccess &access) {
          return access.writes && isIn(access, buffer);
        });
    fill = fills ? inner : nullptr;
    return fills ? WalkResult::interrupt() : WalkResult::advance();
  });
  return fill;
}

/// Why the copies in `op` stay there.
static std::string explainCopies(Operation *op, AllocOp buffer) {
  auto loop = dyn_cast<LoopLikeOpInterface>(op);
  bool isUsed =
      llvm::any_of(getNestedAccesses(op), [&](const BlockAccess &access) {
        return access.reads && isIn(access, buffer);
      });
  if (loop && !isUsed && !loop.getStaticTripCount())
    return "how often " + describe(op) + " runs is not constant";
  return describe(op) + " fills it and uses it in turns" +
         (loop ? "; give that loop tile.stages instead" : "");
}

std::optional<UnmovedFill> tile::explainFill(Operation *op, AllocOp buffer) {
  if (Operation *fill = findFill(op, buffer))
    return UnmovedFill{fill, explainCopies(op, buffer)};
  bool storesElements = false, storesLoaded = false, readsMemory = false;
  for (const BlockAccess &access : getNestedAccesses(op)) {
    readsMemory |= readsGlobal(access);
    if (!access.writes || !isIn(access, buffer))
      continue;
    // What is changed is not filled.
    if (access.reads)
      return std::nullopt;
    if (access.fragment)
      storesLoaded |= isComputedFromLoads(access.fragment, op->getBlock());
    else
      storesElements = true;
  }
  if (storesLoaded)
    return UnmovedFill{
        op, "what it stores is used by others too; load it for them again"};
  if (storesElements && readsMemory)
    return UnmovedFill{op, "it stores each element as it has read it; yield "
                           "them as a fragment and store that"};
  return std::nullopt;
}

/// What is not known of inner loops among `writers`, as the end of a sentence; empty if
/// there is nothing.
static std::string explainSteps(ArrayRef<Operation *> writers) {
  for (Operation *writer : writers)
    if (auto loop = dyn_cast<LoopLikeOpInterface>(writer);
        loop && !loop.getStaticTripCount())
      return ": how often " + describe(writer) + " runs is not constant";
  return {};
}

/// What uses `buffer` between operations of `writers`, and the remedy; empty if nothing
/// does.
static std::string explainUseBetween(ArrayRef<Operation *> ops,
                                     ArrayRef<Operation *> writers,
                                     AllocOp buffer) {
  bool isFilled = false;
  Operation *use = nullptr;
  for (Operation *op : ops) {
    if (llvm::is_contained(writers, op)) {
      if (use)
        return describe(use) + " uses what is in it before " + describe(op) +
               " fills it again; give each a buffer of its own";
      isFilled = true;
      continue;
    }
    bool isUse =
        llvm::any_of(getNestedAccesses(op), [&](const BlockAccess &access) {
          return isIn(access, buffer);
        });
    if (isFilled && isUse)
      use = op;
  }
  return {};
}

std::string tile::explainFlow(const BufferUse &use, ArrayRef<Operation *> ops,
                              ArrayRef<Operation *> writers, AllocOp buffer) {
  if (use.uncoveredRead)
    return describe(use.uncoveredRead) +
           " may read what this iteration has not filled" +
           explainSteps(writers);
  std::string between = explainUseBetween(ops, writers, buffer);
  if (between.empty() && use.collision)
    return describe(use.collision) +
           " writes where a copy of the same iteration is still to arrive";
  return between;
}
