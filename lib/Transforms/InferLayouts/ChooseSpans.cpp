//===- ChooseSpans.cpp - Which copies are bulk copies of bytes ------------===//
//
// What lies together in memory and in the buffer needs no tensor: one thread names two
// addresses and a number of bytes. The engine knows no bounds then, so all of it has
// to lie inside, and begin at multiples of 16 bytes. A box has 256 elements along a
// dimension at most, a span any number, and the host makes no tensor map for it
// (docs/decisions/0016-spans-of-bytes.md).
//
//===----------------------------------------------------------------------===//

#include "StageTiles.h"

#include "tile/Analysis/SpanFacts.h"
#include "tile/Analysis/ViewedBox.h"
#include "tile/Dialect/Tile/CopyFacts.h"
#include "tile/Dialect/Tile/MemRefRoots.h"
#include "tile/Dialect/Tile/TileTypes.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// Analysis
//===----------------------------------------------------------------------===//

/// The bulk copy of bytes between these memories; null if there is none.
static const tilec::CopyInstruction *findSpanRow(const tilec::GpuTarget &target,
                                                 tilec::MemorySpace source,
                                                 tilec::MemorySpace dest) {
  for (const tilec::CopyInstruction *row :
       tilec::findCopyInstructions(target, source, dest))
    if (row->issuer == tilec::Issuer::ElectedThread && !row->box)
      return row;
  return nullptr;
}

static Side getGlobalSide(CopyOp copy) {
  Side dest = copy.getDestSide();
  return dest.isShared() ? copy.getSourceSide() : dest;
}

/// The spans that make `copy` by `row` to or from a buffer of layout `buffer`, if all
/// of it lies inside of its memref; or what is in their way.
static tilec::Expected<tilec::BulkBoxes>
findSpans(LayoutContext &context, CopyOp copy,
          const tilec::CopyInstruction &row,
          const tilec::SharedLayout &buffer) {
  if (copy.getSourceRows() || copy.getDestRows())
    return tilec::Failure{"it has rows of its own choice"};
  auto spans = getBulkBoxes(copy, row, buffer, [&](Value value) {
    return context.facts.getDivisor(value);
  });
  if (!spans)
    return spans;
  if (auto obstacle =
          findSpanObstacle(context.facts, getGlobalSide(copy),
                           copy.getTileShape(), *spans, row.alignBytes))
    return tilec::Failure{*obstacle};
  return spans;
}

/// How many spans by `row` carry out `copy`; none where its buffer lets none lie
/// together. Or what is in the way, the rest of the launch left out.
static tilec::Expected<size_t> countSpans(LayoutContext &context, CopyOp copy,
                                          const tilec::CopyInstruction &row,
                                          const PlannedBuffers &planned) {
  auto layout = getSharedLayout(copy.getSharedSide().memref, &planned);
  if (!layout || !getBulkBoxes(copy, row, *layout))
    return size_t(0);
  if (auto obstacle = copy.findRowObstacle(row))
    return tilec::Failure{row.name + " " + *obstacle};
  if (Obstacle obstacle = findBufferObstacle(context, copy, row, planned))
    return tilec::Failure{*obstacle};
  auto spans = findSpans(context, copy, row, *layout);
  if (!spans)
    return tilec::Failure{spans.reason()};
  return spans->pieces.size();
}

tilec::Expected<const tilec::CopyInstruction *>
mlir::tile::chooseSpans(LayoutContext &context, TensorCopyOpInterface op,
                        const tilec::CopyInstruction &tensorRow, bool hasBoxes,
                        const PlannedBuffers &planned) {
  using Choice = tilec::Expected<const tilec::CopyInstruction *>;
  const tilec::CopyInstruction *row =
      findSpanRow(context.target, tensorRow.source, tensorRow.dest);
  if (!row || tilec::getReduction(tensorRow) ||
      (hasBoxes && context.launch.getCluster()))
    return Choice(nullptr);
  return llvm::TypeSwitch<Operation *, Choice>(op)
      .Case([&](CopyOp copy) -> Choice {
        auto count = countSpans(context, copy, *row, planned);
        if (!count)
          return tilec::Failure{count.reason()};
        auto layout = getSharedLayout(copy.getSharedSide().memref, &planned);
        bool isWorse =
            *count == 0 ||
            (hasBoxes &&
             *count > getBulkBoxes(op, tensorRow, *layout)->pieces.size());
        return Choice(isWorse ? nullptr : row);
      })
      .Default(Choice(nullptr));
}

/// The layout that the buffer of `copy` gets unless an instruction asks for another.
static std::optional<tilec::SharedLayout> getLikelyLayout(CopyOp copy) {
  Value root = getSharedRoot(copy.getSharedSide().memref);
  auto alloc = root ? root.getDefiningOp<AllocOp>() : AllocOp();
  auto buffer = alloc ? getBufferNode(alloc) : FailureOr<tilec::BufferNode>();
  return succeeded(buffer) ? std::optional(buffer->candidates.front())
                           : std::nullopt;
}

/// Whether `copy` may be spans if it is known to lie inside of its memref.
static bool maySpan(LayoutContext &context, CopyOp copy) {
  MemRefType source = copy.getSource().getType(),
             dest = copy.getDest().getType();
  if (isSharedMemory(source) == isSharedMemory(dest) ||
      copy.getTileShape().empty())
    return false;
  const tilec::CopyInstruction *row =
      findSpanRow(context.target, getMemorySpace(source), getMemorySpace(dest));
  auto layout = getLikelyLayout(copy);
  return row && layout && bool(findSpans(context, copy, *row, *layout));
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

// Pattern: tile.copy %m[%i] to %s  ->  tile.copy %m[%i] in_bounds [true] to %s
//          [if it is known, and may be a span]
void mlir::tile::stateBounds(LayoutContext &context) {
  context.launch.walk([&](CopyOp copy) {
    if (!maySpan(context, copy))
      return;
    Side side = getGlobalSide(copy);
    if (side.isWhole() ||
        !isKnownInside(context.facts, getOwnBox(side, copy.getTileShape())))
      return;
    SmallVector<bool> inBounds(side.getRank(), true);
    if (copy.getDestSide().isShared())
      copy.setSourceInBounds(inBounds);
    else
      copy.setDestInBounds(inBounds);
  });
}
