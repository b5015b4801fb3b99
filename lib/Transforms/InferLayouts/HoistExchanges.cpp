//===- HoistExchanges.cpp - Exchanges of loops made in front of them ------===//
//
// What is computed in front of a loop and used in it in another layout is exchanged once:
//
//     %rows = tile.load ..                      %rows = tile.load ..
//     scf.for ..                                %own = tile.convert_layout %rows
//       %own = tile.convert_layout %rows   ->   scf.for ..
//       tile.copy %x rows(%own) ..                tile.copy %x rows(%own) ..
//
// Both layouts may then be live in the loop. Where that takes more registers and these
// may not be there, the exchange stays.
//
//===----------------------------------------------------------------------===//

#include "LaunchLayouts.h"

#include "tile/Analysis/ExchangeChoice.h"
#include "tile/Analysis/LiveRegisters.h"
#include "tile/Dialect/Tile/TileTypes.h"

#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

#define DEBUG_TYPE "tile-infer-layouts"

using namespace mlir;
using namespace mlir::tile;

namespace {
class ExchangeHoister {
public:
  explicit ExchangeHoister(LayoutContext &context)
      : context(context),
        limit(getRegisterLimit(context.launch, context.target)) {}
  void hoistFrom(LoopLikeOpInterface loop);

private:
  bool moves(ConvertLayoutOp convert) const;
  bool hasRegisters(ConvertLayoutOp convert, LoopLikeOpInterface loop);

  LayoutContext &context;
  int64_t limit;
};
} // namespace

/// Whether data of all elements goes from thread to thread.
bool ExchangeHoister::moves(ConvertLayoutOp convert) const {
  tilec::ExchangeCost cost = getExchangeCost(convert, context.target);
  return cost.kind != tilec::ExchangeKind::None &&
         getMovedSlices(convert, context.target).empty();
}

/// Whether a thread has the registers for it, in front of the loop.
bool ExchangeHoister::hasRegisters(ConvertLayoutOp convert,
                                   LoopLikeOpInterface loop) {
  Operation *next = convert->getNextNode();
  int64_t before = estimateRegisters(context.launch);
  convert->moveBefore(loop);
  int64_t after = estimateRegisters(context.launch);
  convert->moveBefore(next);
  if (after <= before || after + registerTolerance <= limit)
    return true;
  remark::missed(convert.getLoc(),
                 remark::RemarkOpts::name("ExchangeInLoop")
                     .category(DEBUG_TYPE)
                     .function(context.launch.getKernel().value_or("")))
      << remark::reason(
             "{0} registers a thread change their layout in every iteration, "
             "though their values do not; in front of the loop that would take "
             "some {1} registers of {2}",
             countRegisters(convert.getType()), after, limit);
  return false;
}

/// The exchange in front of `convert`, in its block, that gives the same.
static ConvertLayoutOp findEqual(ConvertLayoutOp convert) {
  for (auto other : convert->getBlock()->getOps<ConvertLayoutOp>()) {
    if (other == convert)
      break;
    if (other.getSource() == convert.getSource() &&
        other.getType() == convert.getType())
      return other;
  }
  return {};
}

void ExchangeHoister::hoistFrom(LoopLikeOpInterface loop) {
  for (Region *region : loop.getLoopRegions())
    for (auto convert :
         llvm::make_early_inc_range(region->getOps<ConvertLayoutOp>())) {
      if (!loop.isDefinedOutsideOfLoop(convert.getSource()) ||
          !moves(convert) || !hasRegisters(convert, loop))
        continue;
      loop.moveOutOfLoop(convert);
      if (ConvertLayoutOp equal = findEqual(convert))
        convert.replaceAllUsesWith(equal.getResult());
    }
}

void mlir::tile::hoistExchanges(LayoutContext &context) {
  ExchangeHoister hoister(context);
  context.launch.walk(
      [&](LoopLikeOpInterface loop) { hoister.hoistFrom(loop); });
  context.launch.walk([](ConvertLayoutOp convert) {
    if (convert->use_empty())
      convert.erase();
  });
}
