//===- Passes.h - Passes that produce PTX -----------------------*- C++ -*-===//

#ifndef TILE_TARGET_PTX_PASSES_H
#define TILE_TARGET_PTX_PASSES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::tile {

#define GEN_PASS_DECL
#include "tile/Target/PTX/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "tile/Target/PTX/Passes.h.inc"

/// Registers the translations and target interfaces that serialisation uses.
void registerPtxTranslation(DialectRegistry &registry);

} // namespace mlir::tile

#endif // TILE_TARGET_PTX_PASSES_H
