//===- ChipOption.h - The chip that --chip asks for -------------*- C++ -*-===//
//
// One rule for every tool: --chip, else what the module names, else the oldest
// chip that is known, which is said on standard error. What is compiled for the
// oldest runs everywhere.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TOOLS_CHIPOPTION_H
#define TILE_TOOLS_CHIPOPTION_H

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace mlir::tile {

/// Why there is no chip of that name, with what may be meant; empty for known
/// ones and for none.
std::string checkChipName(StringRef chip);

/// All that are known, the oldest first.
std::vector<std::string> getChipNames();

/// The chip to compile `module` for; where nobody names one, a note says which
/// is taken. Fails with a diagnostic where the option contradicts the module.
FailureOr<std::string> chooseChip(ModuleOp module, StringRef chip);

} // namespace mlir::tile

#endif // TILE_TOOLS_CHIPOPTION_H
