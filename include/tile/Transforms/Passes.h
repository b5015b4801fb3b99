//===- Passes.h - The passes on launches ------------------------*- C++ -*-===//
//
// Constructors, options and registration of the passes that take a launch from
// source to an outlined kernel. Passes.td documents each.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_PASSES_H
#define TILE_TRANSFORMS_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

#include <memory>
#include <string>

namespace mlir::tile {

/// Where buffers that are never live together share bytes of shared memory:
/// wherever that saves bytes; where it also saves blocks on a multiprocessor, or
/// costs no barrier in a loop; nowhere.
enum class ReusePolicy { Always, Cold, Never };

#define GEN_PASS_DECL
#include "tile/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "tile/Transforms/Passes.h.inc"

} // namespace mlir::tile

#endif // TILE_TRANSFORMS_PASSES_H
