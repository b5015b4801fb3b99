//===- ReportLayouts.cpp - Remarks on what decided layouts ----------------===//
//
// One remark for each fragment and loop of a launch, in a category of its own:
// there are many, and they are for the report.
//
//===----------------------------------------------------------------------===//

#include "LaunchLayouts.h"

#include "tile/Dialect/Tile/Locations.h"
#include "tile/Dialect/Tile/TileTypes.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/InterleavedRange.h"

using namespace mlir;
using namespace mlir::tile;
using tilec::NodeId;

static StringRef toString(tilec::LayoutAnchor anchor) {
  switch (anchor) {
  case tilec::LayoutAnchor::Fixed:
    return "fixed";
  case tilec::LayoutAnchor::Product:
    return "product";
  case tilec::LayoutAnchor::Operand:
    return "operand";
  case tilec::LayoutAnchor::Implied:
    return "implied";
  case tilec::LayoutAnchor::Access:
    return "access";
  case tilec::LayoutAnchor::Hint:
    return "hint";
  case tilec::LayoutAnchor::Default:
    return "default";
  }
  llvm_unreachable("covered");
}

static Location getLoc(const LayoutNodeOwner &owner) {
  if (owner.value)
    return owner.value.getLoc();
  return LayoutNodeOwner(owner).space.getLoc();
}

/// "64x64xf32", of a loop "loop 64x64".
static std::string describe(const LayoutNodeOwner &owner,
                            const tilec::LayoutNode &node) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (owner.value)
    os << withoutLayout(cast<RankedTensorType>(owner.value.getType()));
  else
    os << "loop " << llvm::interleaved(node.shape, "x");
  return text;
}

void mlir::tile::reportLayouts(LaunchOp launch, const LaunchLayouts &layouts,
                               const tilec::LayoutSolution &solution) {
  if (!launch.getContext()->getRemarkEngine())
    return;
  auto runnersUp = tilec::findRunnersUp(layouts.problem, solution);
  for (auto [number, owner] : llvm::enumerate(layouts.owners)) {
    // A constant is wherever it is needed.
    if (owner.value && matchPattern(owner.value, m_Constant()))
      continue;
    const tilec::LayoutReason &reason = solution.reasons[number];
    auto remark = remark::analysis(
        getLoc(owner), remark::RemarkOpts::name("Layout")
                           .category("tile-layout-decisions")
                           .function(launch.getKernel().value_or("")));
    remark << remark::metric("Of",
                             describe(owner, layouts.problem.nodes[number]))
           << remark::metric("Layout", solution.nodes[number].toString())
           << remark::metric("DecidedBy", toString(reason.anchor));
    if (reason.from != static_cast<NodeId>(number))
      remark << remark::metric(
          "From", formatLocation(getLoc(layouts.owners[reason.from])));
    remark << remark::metric("Cost", solution.search.cost);
    if (const auto &next = runnersUp[number])
      remark << remark::metric("RunnerUp", next->layout.toString())
             << remark::metric("RunnerUpCost", next->cost);
  }
}
