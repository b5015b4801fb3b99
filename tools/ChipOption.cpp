//===- ChipOption.cpp - The chip that --chip asks for --------------------===//

#include "ChipOption.h"

#include "tile/Analysis/ModuleTarget.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::tile;

std::string mlir::tile::checkChipName(StringRef chip) {
  std::string name = chip.str();
  if (name.empty() || tilec::findTarget(name))
    return "";
  return tilec::describeUnknownTarget(name);
}

std::vector<std::string> mlir::tile::getChipNames() {
  std::vector<std::string> names;
  for (const tilec::GpuTarget &target : tilec::getKnownTargets())
    names.emplace_back(target.name);
  return names;
}

FailureOr<std::string> mlir::tile::chooseChip(ModuleOp module, StringRef chip) {
  if (failed(verifyChip(module, chip)))
    return failure();
  if (!chip.empty())
    return chip.str();
  if (TargetAttr own =
          TileDialect::TargetAttrHelper(module.getContext()).getAttr(module))
    return own.getChip().str();
  std::string oldest(tilec::getKnownTargets().front().name);
  llvm::errs() << "note: no chip is given; compiling for " << oldest
               << " (--chip=NAME chooses)\n";
  return oldest;
}
