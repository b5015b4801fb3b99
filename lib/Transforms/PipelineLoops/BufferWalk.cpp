//===- BufferWalk.cpp - What an iteration does to a shared buffer ---------===//

#include "BufferWalk.h"
#include "LateStores.h"
#include "SplitFills.h"

#include "tile/Analysis/BlockAccesses.h"
#include "tile/Dialect/Tile/MemRefRoots.h"
#include "tile/Dialect/Tile/SubViews.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tile;

/// Inner loops with more iterations are not followed: their writes do not
/// count.
static constexpr int64_t maxTripCount = 256;

bool tile::isFill(Operation *op) {
  if (op->getNumRegions() > 0 || op->getNumResults() > 0)
    return false;
  bool readsGlobal = false, writesShared = false;
  for (const BlockAccess &access : getBlockAccesses(op)) {
    if (!access.memref)
      return false;
    if (access.reads ? access.isShared() : !access.isShared())
      return false;
    readsGlobal |= access.reads;
    writesShared |= access.writes;
  }
  return readsGlobal && writesShared;
}

bool tile::hasKnownSteps(scf::ForOp loop) {
  return getConstantIntValue(loop.getLowerBound()) &&
         getConstantIntValue(loop.getStep());
}

namespace {
/// Which elements of the buffer a view shows, as far as they are known.
struct View {
  int64_t offset = 0;
  SmallVector<int64_t> strides, sizes;
};

/// What an access touches: these elements, or at most these.
struct Elements {
  llvm::BitVector bits;
  bool isExact = false;
};

/// A condition and whether it holds.
using Fact = llvm::PointerIntPair<Value, 1, bool>;

/// What is certainly written where a condition holds.
using Facts = llvm::MapVector<Fact, llvm::BitVector>;

/// Where loops of known steps end.
using LoopEnd = std::tuple<Value, int64_t, int64_t>;

/// What is certainly written behind each step of one loop of several that end
/// alike: where it takes the step, so do they.
using Steps = llvm::MapVector<LoopEnd, SmallVector<llvm::BitVector>>;

class BufferWalker {
public:
  BufferWalker(scf::ForOp loop, Value buffer)
      : loop(loop), buffer(buffer),
        count(cast<MemRefType>(buffer.getType()).getNumElements()),
        written(count), touched(count), inFlight(count) {}
  BufferUse follow();

private:
  void visitBlock(Block &block);
  void visit(Operation *op);
  void visitIf(scf::IfOp op);
  void visitFor(scf::ForOp op);
  bool visitSteps(scf::ForOp op);
  bool grows(Value value, scf::ForOp op);
  bool movesOn(const BlockAccess &access, scf::ForOp op);
  bool movesOn(scf::ForOp op);
  void visitRegions(Operation *op);
  void visitAccesses(Operation *op);
  void visitAccess(Operation *op, const BlockAccess &access);
  bool touchesBuffer(Operation *op);

  std::optional<int64_t> evaluate(OpFoldResult value);
  std::optional<View> getView(Value memref);
  std::optional<llvm::BitVector> getElements(const View &view);
  Elements getElements(const BlockAccess &access);
  bool narrow(const BlockAccess &access, View &view);

  scf::ForOp loop;
  Value buffer;
  int64_t count;
  /// Certainly written in this iteration.
  llvm::BitVector written;
  /// The same where a condition holds.
  Facts writtenIf;
  /// The same behind steps of loops of which it is not known how many they take.
  Steps writtenBy;
  /// Whether elements were touched since this was cleared.
  bool isReached = false;
  /// Touched in this operation of the body by something that is not a fill.
  llvm::BitVector touched;
  /// Written by asynchronous copies of this iteration.
  llvm::BitVector inFlight;
  llvm::DenseMap<Value, int64_t> constants;
  BufferUse use;
};
} // namespace

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// The value that an index has in the inner iterations that are being run.
std::optional<int64_t> BufferWalker::evaluate(OpFoldResult folded) {
  if (std::optional<int64_t> constant = getConstantIntValue(folded))
    return constant;
  auto value = cast<Value>(folded);
  auto known = constants.find(value);
  if (known != constants.end())
    return known->second;
  Operation *op = value.getDefiningOp();
  if (!op || op->getNumRegions() > 0 || op->getNumResults() != 1)
    return std::nullopt;
  SmallVector<Attribute> operands;
  for (Value operand : op->getOperands()) {
    bool isNumber = operand.getType().isIntOrIndex();
    std::optional<int64_t> number = isNumber ? evaluate(operand) : std::nullopt;
    if (!number)
      return std::nullopt;
    operands.push_back(IntegerAttr::get(operand.getType(), *number));
  }
  SmallVector<OpFoldResult> results;
  if (failed(op->fold(operands, results)) || results.size() != 1)
    return std::nullopt;
  return getConstantIntValue(results.front());
}

std::optional<View> BufferWalker::getView(Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  if (memref == buffer) {
    View view;
    view.sizes = llvm::to_vector(type.getShape());
    view.strides = computeStrides(view.sizes);
    return view;
  }
  if (auto cast = memref.getDefiningOp<memref::CastOp>())
    return getView(cast.getSource());
  auto subView = memref.getDefiningOp<memref::SubViewOp>();
  if (!subView) {
    // Reshapes: offset and strides in the type are those in the buffer.
    View view;
    if (failed(type.getStridesAndOffset(view.strides, view.offset)) ||
        ShapedType::isDynamic(view.offset) || !type.hasStaticShape() ||
        llvm::any_of(view.strides, ShapedType::isDynamic))
      return std::nullopt;
    view.sizes = llvm::to_vector(type.getShape());
    return view;
  }
  std::optional<View> source = getView(subView.getSource());
  if (!source || !type.hasStaticShape())
    return std::nullopt;
  View view;
  view.offset = source->offset;
  llvm::SmallBitVector dropped = getDroppedDims(subView);
  for (int64_t dim = 0; dim < subView.getSourceType().getRank(); ++dim) {
    std::optional<int64_t> offset = evaluate(subView.getMixedOffsets()[dim]);
    std::optional<int64_t> stride =
        getConstantIntValue(subView.getMixedStrides()[dim]);
    if (!offset || !stride)
      return std::nullopt;
    view.offset += *offset * source->strides[dim];
    if (dropped.test(dim))
      continue;
    view.sizes.push_back(subView.getStaticSizes()[dim]);
    view.strides.push_back(*stride * source->strides[dim]);
  }
  return view;
}

std::optional<llvm::BitVector> BufferWalker::getElements(const View &view) {
  llvm::BitVector elements(count);
  if (view.sizes.empty()) {
    if (view.offset < 0 || view.offset >= count)
      return std::nullopt;
    elements.set(view.offset);
    return elements;
  }
  int64_t size = view.sizes.back(), stride = view.strides.back();
  SmallVector<int64_t> rows(ArrayRef(view.sizes).drop_back());
  SmallVector<int64_t> steps = computeStrides(rows);
  int64_t rowCount = size > 0 ? computeProduct(rows) : 0;
  for (int64_t row = 0; row < rowCount; ++row) {
    int64_t first = view.offset;
    for (auto [digit, rowStride] : llvm::zip_equal(
             delinearize(row, steps), ArrayRef(view.strides).drop_back()))
      first += digit * rowStride;
    int64_t last = first + (size - 1) * stride;
    if (std::min(first, last) < 0 || std::max(first, last) >= count)
      return std::nullopt;
    if (stride == 1)
      elements.set(first, last + 1);
    else
      for (int64_t i = 0; i < size; ++i)
        elements.set(first + i * stride);
  }
  return elements;
}

Elements BufferWalker::getElements(const BlockAccess &access) {
  llvm::BitVector all(count, true);
  bool isView = access.memref && getSharedRoot(access.memref) == buffer;
  std::optional<View> view = isView ? getView(access.memref) : std::nullopt;
  if (!view)
    return {all, false};
  bool isWhole = access.replaces || (access.side && access.side->isWhole());
  bool isBox = access.side && !isWhole && !access.side->rows &&
               (access.side->box || access.fragment) && narrow(access, *view);
  std::optional<llvm::BitVector> elements = getElements(*view);
  // No step has a view that is not inside of the buffer.
  if (!elements)
    return {llvm::BitVector(count), false};
  return {*elements, isWhole || isBox};
}

/// Narrows a view of what an access names to the box that it touches, where
/// that is known.
bool BufferWalker::narrow(const BlockAccess &access, View &view) {
  const Side &side = *access.side;
  SmallVector<int64_t> tile;
  if (access.fragment)
    tile = llvm::to_vector(
        cast<RankedTensorType>(access.fragment.getType()).getShape());
  SmallVector<int64_t> extents = side.getExtents(tile);
  View box = view;
  for (int64_t dim = 0; dim < side.getRank(); ++dim) {
    std::optional<int64_t> start = evaluate(side.indices[dim]);
    if (!start)
      return false;
    // Outside of the memref nothing is touched.
    int64_t begin = std::max<int64_t>(*start, 0);
    int64_t end = std::min(*start + extents[dim], view.sizes[dim]);
    box.offset += begin * view.strides[dim];
    box.sizes[dim] = std::max<int64_t>(end - begin, 0);
  }
  view = std::move(box);
  return true;
}

//===----------------------------------------------------------------------===//
// Walking
//===----------------------------------------------------------------------===//

void BufferWalker::visitAccess(Operation *op, const BlockAccess &access) {
  if (access.isGlobalOnly)
    return;
  if (access.memref && !mayOverlap(access.memref, buffer))
    return;
  Elements elements = getElements(access);
  isReached |= elements.bits.any();
  if (access.reads && !use.uncoveredRead && elements.bits.test(written))
    use.uncoveredRead = op;
  bool fills = isFill(op);
  if (fills && elements.bits.anyCommon(touched))
    use.refills.insert(op);
  if (!fills)
    touched |= elements.bits;
  // A condition of stores is a late store as a whole.
  Operation *statement = loop.getBody()->findAncestorOpInBlock(*op);
  bool isAhead = access.writes &&
                 (fills || matchLateStore(op) || matchLateStore(statement));
  if (isAhead && !use.collision && elements.bits.anyCommon(inFlight))
    use.collision = op;
  if (isAhead && access.completion != tilec::Completion::Immediate)
    inFlight |= elements.bits;
  if (access.writes && !access.reads && elements.isExact)
    written |= elements.bits;
}

void BufferWalker::visitAccesses(Operation *op) {
  SmallVector<BlockAccess> accesses = getBlockAccesses(op);
  for (const BlockAccess &access : accesses)
    if (access.reads)
      visitAccess(op, access);
  for (const BlockAccess &access : accesses)
    if (!access.reads)
      visitAccess(op, access);
}

void BufferWalker::visitIf(scf::IfOp op) {
  llvm::BitVector before = written, inFlightBefore = inFlight,
                  inFlightAfter = inFlight;
  Facts facts = writtenIf;
  Facts learnt = facts;
  std::optional<llvm::BitVector> after;
  // Conditions inside of inner loops may differ from one iteration to the next.
  bool isFixed =
      op.getCondition().getParentBlock() == loop.getBody() ||
      !loop->isAncestor(op.getCondition().getParentBlock()->getParentOp());
  for (bool holds : {true, false}) {
    Region &region = holds ? op.getThenRegion() : op.getElseRegion();
    Fact fact(op.getCondition(), holds);
    written = before;
    if (auto known = facts.find(fact); isFixed && known != facts.end())
      written |= known->second;
    // What is learnt inside holds only where this branch was taken.
    writtenIf = facts;
    inFlight = inFlightBefore;
    Steps stepsBefore = writtenBy;
    if (!region.empty())
      visitBlock(region.front());
    writtenBy = std::move(stepsBefore);
    inFlightAfter |= inFlight;
    if (isFixed)
      learnt[fact] = written;
    if (after)
      *after &= written;
    else
      after = written;
  }
  written = *after;
  inFlight = std::move(inFlightAfter);
  writtenIf = std::move(learnt);
}

void BufferWalker::visitFor(scf::ForOp op) {
  std::optional<APInt> trips = op.getStaticTripCount();
  std::optional<int64_t> start = evaluate(op.getLowerBound());
  std::optional<int64_t> step = getConstantIntValue(op.getStep());
  if (!trips && visitSteps(op))
    return;
  if (!trips || trips->ugt(maxTripCount) || !start || !step)
    return visitRegions(op);
  for (int64_t trip = 0; trip < trips->getSExtValue(); ++trip) {
    constants[op.getInductionVar()] = *start + trip * *step;
    visitBlock(*op.getBody());
  }
  constants.erase(op.getInductionVar());
}

/// Whether `value`, in the body of `op`, is not negative and does not get smaller
/// from one step to the next: what touches nothing is behind the buffer then, and
/// not in front of it.
bool BufferWalker::grows(Value value, scf::ForOp op) {
  if (value == op.getInductionVar())
    return *getConstantIntValue(op.getLowerBound()) >= 0;
  if (std::optional<int64_t> known = evaluate(value))
    return *known >= 0;
  if (!op->isAncestor(value.getParentBlock()->getParentOp()))
    return true;
  if (auto sum = value.getDefiningOp<arith::AddIOp>())
    return grows(sum.getLhs(), op) && grows(sum.getRhs(), op);
  auto product = value.getDefiningOp<arith::MulIOp>();
  if (!product)
    return false;
  std::optional<int64_t> factor = evaluate(product.getRhs());
  return factor && *factor >= 0 && grows(product.getLhs(), op);
}

/// Whether the part of the buffer that `access` touches does not move back from one
/// step of `op` to the next: once behind the buffer it stays there.
bool BufferWalker::movesOn(const BlockAccess &access, scf::ForOp op) {
  auto grow = [&](ValueRange values) {
    return llvm::all_of(values, [&](Value value) { return grows(value, op); });
  };
  if (!access.memref || (access.side && access.side->rows) ||
      (access.side && !grow(access.side->indices)))
    return false;
  Value memref = access.memref;
  while (op->isAncestor(memref.getParentBlock()->getParentOp())) {
    auto view = memref.getDefiningOp<memref::SubViewOp>();
    if (!view || !grow(view.getOffsets()))
      return false;
    memref = view.getSource();
  }
  return true;
}

bool BufferWalker::movesOn(scf::ForOp op) {
  return !op->walk([&](Operation *inner) {
              for (const BlockAccess &access : getBlockAccesses(inner))
                if (!access.isGlobalOnly &&
                    (!access.memref || mayOverlap(access.memref, buffer)) &&
                    !movesOn(access, op))
                  return WalkResult::interrupt();
              return WalkResult::advance();
            }).wasInterrupted();
}

/// Runs the steps of a loop that ends at a value until they are behind the buffer.
/// Nothing that it writes is certain but in loops with the same steps. Whether that
/// could be done.
bool BufferWalker::visitSteps(scf::ForOp op) {
  Value end = op.getUpperBound();
  bool isFixed = end.getParentBlock() == loop.getBody() ||
                 !loop->isAncestor(end.getParentBlock()->getParentOp());
  if (!hasKnownSteps(op) || !isFixed || op.getUnsignedCmp() || !movesOn(op))
    return false;
  int64_t start = *getConstantIntValue(op.getLowerBound());
  int64_t step = *getConstantIntValue(op.getStep());
  BufferWalker saved = *this;
  SmallVector<llvm::BitVector> own,
      known = writtenBy.lookup({end, start, step});
  bool ends = false;
  for (int64_t trip = 0; !ends && trip < maxTripCount; ++trip) {
    if (!known.empty())
      written |= known[std::min<int64_t>(trip, known.size() - 1)];
    isReached = false;
    constants[op.getInductionVar()] = start + trip * step;
    visitBlock(*op.getBody());
    writtenBy = saved.writtenBy;
    writtenIf = saved.writtenIf;
    own.push_back(written);
    ends = !isReached;
  }
  if (!ends) {
    *this = std::move(saved);
    return false;
  }
  constants.erase(op.getInductionVar());
  written = std::move(saved.written);
  writtenBy[{end, start, step}] = std::move(own);
  isReached = true;
  return true;
}

/// Regions that run in an order, or as often, as is not known.
void BufferWalker::visitRegions(Operation *op) {
  llvm::BitVector before = written;
  Facts facts = writtenIf;
  Steps steps = writtenBy;
  // What the last iteration touched is touched before the next one fills.
  for (int64_t round = 0; round < 2; ++round)
    for (Region &region : op->getRegions())
      if (!region.empty()) {
        written = before;
        writtenIf = facts;
        writtenBy = steps;
        visitBlock(region.front());
      }
  written = std::move(before);
  writtenIf = std::move(facts);
  writtenBy = std::move(steps);
}

bool BufferWalker::touchesBuffer(Operation *op) {
  return op
      ->walk([&](Operation *inner) {
        for (const BlockAccess &access : getBlockAccesses(inner))
          if (!access.isGlobalOnly &&
              (!access.memref || mayOverlap(access.memref, buffer)))
            return WalkResult::interrupt();
        return WalkResult::advance();
      })
      .wasInterrupted();
}

void BufferWalker::visit(Operation *op) {
  if (!isa<RegionBranchOpInterface>(op))
    return visitAccesses(op);
  if (!touchesBuffer(op))
    return;
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](scf::IfOp condition) { visitIf(condition); })
      .Case([&](scf::ForOp inner) { visitFor(inner); })
      .Default([&](Operation *) { visitRegions(op); });
}

void BufferWalker::visitBlock(Block &block) {
  for (Operation &op : block)
    visit(&op);
}

BufferUse BufferWalker::follow() {
  for (Operation &op : *loop.getBody()) {
    touched.reset();
    visit(&op);
  }
  use.isReplaced = written.all();
  return use;
}

BufferUse tile::followBuffer(scf::ForOp loop, Value buffer) {
  return BufferWalker(loop, buffer).follow();
}
