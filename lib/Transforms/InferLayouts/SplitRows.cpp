//===- SplitRows.cpp - Gathered rows by bulk copies -----------------------===//
//
// Rows that follow each other in runs (tile/Analysis/RowRuns.h), as those of pages,
// are boxes of a tensor, whose places the copy engine is told one by one:
//
//     %r = tile.parallel (%j) in (128)           %0 = row 0, %1 = row 32, ..
//     tile.copy %m[0, %k] rows(%r) dim 0    ->   tile.copy %m[%0, %k] to %s[0, 0] [32, 64]
//          to %s : .. to memref<128x64>          tile.copy %m[%1, %k] to %s[32, 0] [32, 64]
//                                                ..
//
// Rows outside are zeros in a box as in a gather. A row alone is no box that is
// worth it: what names it takes the one thread longer than copying it takes those
// of a producer (docs/decisions/0015-rows-in-runs.md).
//
// First of what is done to copies: loads are staged only in loops that a producer
// can serve.
//
//===----------------------------------------------------------------------===//

#include "StageTiles.h"

#include "tile/Analysis/RowRuns.h"
#include "tile/Dialect/Tile/CopyFacts.h"
#include "tile/Dialect/Tile/MemRefRoots.h"
#include "tile/Dialect/Tile/TileTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// Analysis
//===----------------------------------------------------------------------===//

namespace {
/// Where the rows of a copy go.
struct RowDims {
  int64_t source; ///< of the memref
  int64_t dest;   ///< of the buffer's view
};
} // namespace

static std::optional<RowDims> findRowDims(CopyOp copy) {
  Side source = copy.getSourceSide();
  SmallVector<int64_t> tile = copy.getTileShape();
  SmallVector<int64_t> dims = source.getTileDims(tile);
  auto it = llvm::find(dims, *source.rowsDim);
  if (it == dims.end())
    return std::nullopt;
  int64_t dim = it - dims.begin();
  return RowDims{*source.rowsDim, copy.getDestSide().getTileDims(tile)[dim]};
}

/// What is in the way of boxes of `run` rows.
static Obstacle findBoxObstacle(LayoutContext &context, CopyOp copy,
                                const tilec::CopyInstruction &row, int64_t run,
                                int64_t dim) {
  Value root = getSharedRoot(copy.getDest());
  auto alloc = root ? root.getDefiningOp<AllocOp>() : AllocOp();
  auto buffer = alloc ? getBufferNode(alloc) : FailureOr<tilec::BufferNode>();
  if (failed(buffer))
    return "its buffer is not known";
  auto boxes =
      getBulkBoxes(copy, row, buffer->candidates.front(), [&](Value value) {
        return context.facts.getDivisor(value);
      });
  if (!boxes)
    return boxes.reason();
  int64_t rows = boxes->box[dim];
  if (rows % run != 0 && run % rows != 0)
    return llvm::formatv("its runs of {0} rows are no parts of boxes of {1}",
                         run, rows)
        .str();
  if (rows > run) {
    boxes = tilec::splitBoxes(row, *boxes, rows / run);
    if (!boxes)
      return llvm::formatv("its runs of {0} rows are no boxes: {1}", run,
                           boxes.reason())
          .str();
    if (static_cast<int64_t>(boxes->partDim) != dim)
      return "its rows do not run along the outermost dimension of a box";
  }
  if (boxes->boxBytes < smallestBoxBytes)
    return llvm::formatv("boxes of its runs of {0} rows have {1} bytes, and "
                         "from {2} bytes on they are worth it",
                         run, boxes->boxBytes, smallestBoxBytes)
        .str();
  return std::nullopt;
}

/// Whether the number of a row and the start are added as the engine does it.
static bool isStartSmall(IndexFacts &facts, Value start) {
  constexpr int64_t limit = int64_t(1) << 30;
  std::optional<int64_t> low = facts.getLowerBound(start);
  std::optional<int64_t> high = facts.getUpperBound(start);
  return low && high && -limit <= *low && *high <= limit;
}

Obstacle mlir::tile::findRunObstacle(LayoutContext &context, CopyOp copy) {
  Side source = copy.getSourceSide();
  std::optional<RowDims> dims = findRowDims(copy);
  int64_t run = getRowRun(context.facts, source.rows);
  if (run == 1 || !dims)
    return "its rows are not known to follow each other as those of a page do, "
           "and threads copy one alone sooner than one thread names it; let a "
           "'tile.parallel' of one dimension compute them as what a power of "
           "two of them have in common plus a remainder";
  const tilec::CopyInstruction *row =
      findBulkRow(context.target, tilec::MemorySpace::Global,
                  tilec::MemorySpace::Shared, source.getRank());
  if (!row || copy.getInstructionAttr())
    return "its instruction is chosen";
  if (source.getType().getElementType() !=
          copy.getDest().getType().getElementType() ||
      !isZeroPad(copy.getPad()))
    return "it converts elements, or pads with something else than zeros";
  if (!isStartSmall(context.facts, source.indices[dims->source]))
    return "the start that its rows count from is not known to be below 2^30";
  if (Obstacle obstacle = findTensorObstacle(context, source.memref, *row->box))
    return obstacle;
  if (Obstacle obstacle =
          findBoxObstacle(context, copy, *row, run, dims->source))
    return obstacle;
  if (!getProducerLoop(context, copy))
    return "rows that follow each other are boxes where a producer brings them";
  return findOtherWriter(context, copy, source.memref,
                         [](Operation *) { return false; });
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

static DenseI64ArrayAttr withExtent(Builder &builder, SmallVector<int64_t> box,
                                    int64_t dim, int64_t extent) {
  box[dim] = extent;
  return builder.getDenseI64ArrayAttr(box);
}

/// The numbers of the first rows of runs, as indices, where they are computed.
static SmallVector<Value> computeFirstRows(OpBuilder &builder, Value rows,
                                           int64_t run) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(rows.getDefiningOp());
  SmallVector<Value> first;
  int64_t count = cast<RankedTensorType>(rows.getType()).getDimSize(0);
  for (int64_t index = 0; index < count; index += run) {
    Value row = computeRow(builder, rows, index);
    first.push_back(row.getType().isIndex() ? row
                                            : arith::IndexCastOp::create(
                                                  builder, rows.getLoc(),
                                                  builder.getIndexType(), row));
  }
  return first;
}

static Value add(OpBuilder &builder, Location loc, Value a, Value b) {
  if (getConstantIntValue(a) == 0)
    return b;
  return arith::AddIOp::create(builder, loc, a, b);
}

// Pattern: tile.copy %m[%i] rows(%r) to %s  ->  for each run, from its first row on,
//          tile.copy %m[%i + row] to %s[run]
static void splitCopy(CopyOp copy, ArrayRef<Value> firstRows, int64_t run,
                      IRRewriter &rewriter) {
  Location loc = copy.getLoc();
  Side source = copy.getSourceSide(), dest = copy.getDestSide();
  SmallVector<int64_t> tile = copy.getTileShape();
  RowDims dims = *findRowDims(copy);
  rewriter.setInsertionPoint(copy);
  for (auto [number, row] : llvm::enumerate(firstRows)) {
    SmallVector<Value> from(source.indices), to(dest.indices);
    if (dest.isWhole())
      to.assign(dest.getRank(),
                arith::ConstantIndexOp::create(rewriter, loc, 0));
    from[dims.source] = add(rewriter, loc, from[dims.source], row);
    to[dims.dest] = add(rewriter, loc, to[dims.dest],
                        arith::ConstantIndexOp::create(
                            rewriter, loc, static_cast<int64_t>(number) * run));
    auto part = CopyOp::create(rewriter, loc, copy.getSource(), from,
                               copy.getDest(), to);
    if (source.box)
      part.setSourceBoxAttr(withExtent(rewriter,
                                       llvm::to_vector(source.box.asArrayRef()),
                                       dims.source, run));
    part.setDestBoxAttr(
        withExtent(rewriter, dest.getExtents(tile), dims.dest, run));
    part.getPadMutable().assign(copy.getPad() ? ValueRange(copy.getPad())
                                              : ValueRange());
    part.setSourceInBoundsAttr(copy.getSourceInBoundsAttr());
    part.setDestInBoundsAttr(copy.getDestInBoundsAttr());
  }
  rewriter.eraseOp(copy);
}

void mlir::tile::splitRows(LayoutContext &context, IRRewriter &rewriter) {
  struct RunCopy {
    CopyOp copy;
    int64_t run;
  };
  // Facts of its own, of values that are erased below.
  IndexFacts facts(context.launch);
  LayoutContext before{context.launch, context.target, facts,
                       context.bulkCopies};
  llvm::MapVector<Value, SmallVector<RunCopy>> copies;
  context.launch.walk([&](CopyOp copy) {
    Value rows = copy.getSourceRows();
    if (rows && !copy.getDestRows() && !copy.getSourceSide().isShared() &&
        copy.getDestSide().isShared() && !findRunObstacle(before, copy))
      copies[rows].push_back({copy, getRowRun(facts, rows)});
  });
  for (const auto &[rows, users] : copies) {
    int64_t run = users.front().run;
    SmallVector<Value> first = computeFirstRows(rewriter, rows, run);
    for (const RunCopy &user : users)
      splitCopy(user.copy, first, run, rewriter);
    if (Operation *made = rows.getDefiningOp(); made->use_empty())
      rewriter.eraseOp(made);
  }
}
