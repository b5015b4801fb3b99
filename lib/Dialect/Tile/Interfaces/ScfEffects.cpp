//===- ScfEffects.cpp - A loop need not end ------------------------------===//
//
// An `scf.while` may run for ever, and what stands behind it then never runs
// (Language.md, "Legal operations"). Upstream takes a loop whose body has no
// effects to have none itself and removes it where nothing uses its results.
// Here whether the program goes on is an effect, as that of `tile.assert`: such
// a loop is neither removed nor is anything that it guards moved before it, in
// upstream's canonicalisation as in the passes of this compiler. LLVM keeps it
// too, as no function that is handed to it is `mustprogress`.
//
// An `scf.for` ends always and needs nothing.
//
//===----------------------------------------------------------------------===//

#include "tile/Dialect/Tile/BlockAccess.h"
#include "tile/Dialect/Tile/TileInterfaces.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::tile;

namespace {

struct WhileEffects final
    : MemoryEffectOpInterface::ExternalModel<WhileEffects, scf::WhileOp> {
  void
  getEffects(Operation *,
             SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
                 &effects) const {
    effects.emplace_back(MemoryEffects::Write::get(), TrapResource::get());
  }
};

} // namespace

void tile::attachEffectsToScf(MLIRContext *context) {
  scf::WhileOp::attachInterface<WhileEffects>(*context);
}
