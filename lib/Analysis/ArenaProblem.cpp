//===- ArenaProblem.cpp - A launch's buffers as a packing problem ---------===//

#include "tile/Analysis/ArenaProblem.h"

#include "tile/Analysis/NestedAccesses.h"
#include "tile/Analysis/RingFills.h"
#include "tile/Analysis/TeamBuffers.h"
#include "tile/Dialect/Tile/MemRefRoots.h"
#include "tile/Dialect/Tile/Stages.h"
#include "tile/Dialect/Tile/SubViews.h"
#include "tile/Dialect/Tile/TileTypes.h"

#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tile;

using tilec::arena::Lifetime;
using tilec::arena::Problem;

//===----------------------------------------------------------------------===//
// The problem of a launch
//===----------------------------------------------------------------------===//

/// What the map calls a buffer: its type and the line that made it.
static std::string getBufferName(AllocOp alloc) {
  std::string name;
  llvm::raw_string_ostream stream(name);
  auto type = cast<MemRefType>(alloc.getResult().getType());
  llvm::interleave(type.getShape(), stream, "x");
  if (type.getRank() > 0)
    stream << "x";
  stream << type.getElementType();
  if (auto loc = alloc.getLoc()->findInstanceOf<FileLineColLoc>())
    stream << " (line " << loc.getLine() << ")";
  return name;
}

/// The maximal runs of set bits as half-open spans of points.
static std::vector<Lifetime>
getLifetimes(const SharedLiveness::Points &occupied) {
  std::vector<Lifetime> lifetimes;
  for (int64_t point : occupied)
    if (!lifetimes.empty() && lifetimes.back().end == point)
      ++lifetimes.back().end;
    else
      lifetimes.push_back({point, point + 1});
  return lifetimes;
}

/// The layout that `buffer`, a valid one, has in memory.
static tilec::Expected<tilec::SharedLayout> getMemoryLayout(AllocOp buffer) {
  auto type = cast<MemRefType>(buffer.getResult().getType());
  return buffer.getLayout()->getLayout(getMemoryBits(type.getElementType()));
}

/// What the base of a buffer with `layout` in the place of `buffer` must be a
/// multiple of.
static int64_t getAlignmentBytes(AllocOp buffer,
                                 const tilec::SharedLayout &layout) {
  return std::max<int64_t>(layout.getAlignmentBytes(),
                           buffer.getAlignment().value_or(1));
}

/// A buffer of which each of `teams` has a copy: one behind the other, from the
/// first point to the last.
static void keepForTeams(tilec::arena::Buffer &buffer, int64_t teams,
                         const tilec::SharedLayout &layout, int64_t points) {
  buffer.sizeBytes += (teams - 1) * getTeamStride(layout);
  buffer.lifetimes = {{0, points}};
}

Lifetime ArenaProblem::getSpan(Operation *op) const {
  // Program points are in pre-order: an operation and its inside are one run.
  int64_t begin = liveness.positions.at(op);
  return {begin,
          op->getNumRegions() > 0 ? liveness.getPositionBehind(op) : begin + 1};
}

/// Spans as they are after adding `span`: disjoint, apart and in order.
static void addSpan(std::vector<Lifetime> &lifetimes, Lifetime span) {
  std::vector<Lifetime> merged;
  for (const Lifetime &other : lifetimes)
    if (other.end < span.begin || span.end < other.begin)
      merged.push_back(other);
    else
      span = {std::min(span.begin, other.begin), std::max(span.end, other.end)};
  merged.push_back(span);
  llvm::sort(merged, [](const Lifetime &a, const Lifetime &b) {
    return a.begin < b.begin;
  });
  lifetimes = std::move(merged);
}

/// What is filled in a loop by copies whose end is an arrival at an mbarrier gets a ring, if
/// only of one slot, that stands in front of everything and goes on with its numbers
/// through all of the outermost loop.
static void holdFilledRings(LaunchOp launch, ArenaProblem &problem) {
  llvm::DenseMap<Value, size_t> indices;
  for (auto [index, buffer] : llvm::enumerate(problem.getBuffers()))
    indices[AllocOp(buffer).getResult()] = index;
  launch.getBody().walk<WalkOrder::PreOrder>([&](LoopLikeOpInterface loop) {
    for (const BlockAccess &access : getNestedAccesses(loop)) {
      Value root = isBulkFill(access) ? getSharedRoot(access.memref) : Value();
      auto found = indices.find(root);
      if (found != indices.end() && !getRingOfBuffer(root))
        addSpan(problem.packing.buffers[found->second].lifetimes,
                problem.getSpan(loop));
    }
    return WalkResult::skip();
  });
}

FailureOr<ArenaProblem> tile::buildArenaProblem(LaunchOp launch) {
  ArenaProblem problem{computeSharedLiveness(launch), {}};
  // Rings of many loops are alike.
  llvm::DenseMap<std::pair<Attribute, Type>, std::optional<tilec::SharedLayout>>
      layouts;
  for (auto [alloc, occupied] :
       llvm::zip_equal(problem.liveness.buffers, problem.liveness.occupied)) {
    AllocOp buffer = alloc;
    if (!buffer.getLayout())
      return buffer.emitError("has no layout; run tile-infer-layouts first");
    std::optional<tilec::SharedLayout> &layout =
        layouts[{*buffer.getLayout(), buffer.getType()}];
    if (!layout) {
      auto own = getMemoryLayout(buffer);
      if (!own)
        return buffer.emitError("has a layout that does not fit its type: ")
               << own.reason();
      layout = *own;
    }
    problem.packing.addBuffer(getBufferName(buffer), layout->getSizeBytes(),
                              getAlignmentBytes(buffer, *layout),
                              getLifetimes(occupied));
    if (!launch.getRoles() || launch.getTeamCount() == 1 ||
        !isOfTeam(buffer.getResult()))
      continue;
    keepForTeams(problem.packing.buffers.back(), launch.getTeamCount(), *layout,
                 problem.liveness.points.size());
  }
  holdFilledRings(launch, problem);
  if (auto reason = tilec::arena::checkProblem(problem.packing))
    return emitErrorWithoutRegions(launch)
           << "shared memory cannot be planned: " << *reason;
  return problem;
}

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

/// Spans as they are after taking `span` away.
static void removeSpan(std::vector<Lifetime> &lifetimes, Lifetime span) {
  std::vector<Lifetime> left;
  for (const Lifetime &own : lifetimes)
    for (Lifetime part : {Lifetime{own.begin, std::min(own.end, span.begin)},
                          Lifetime{std::max(own.begin, span.end), own.end}})
      if (part.begin < part.end)
        left.push_back(part);
  lifetimes = std::move(left);
}

/// The index of the buffer that a ring is made of.
static size_t getIndex(const ArenaProblem &problem, AllocOp buffer) {
  auto found = llvm::find(problem.getBuffers(), buffer);
  size_t index = std::distance(problem.getBuffers().begin(), found);
  assert(index < problem.getBuffers().size() && "a buffer of the launch");
  return index;
}

/// The ring of `candidate` as a buffer of its own.
static tilec::arena::Buffer makeRing(const ArenaProblem &problem,
                                     const SlotCandidate &candidate) {
  tilec::SharedLayout layout =
      getMemoryLayout(candidate.buffer)->replicateOutermost(candidate.slots);
  return {"",
          layout.getSizeBytes(),
          getAlignmentBytes(candidate.buffer, layout),
          {problem.getSpan(candidate.loop)}};
}

Problem tile::applyCandidates(const ArenaProblem &problem,
                              ArrayRef<SlotCandidate> candidates) {
  Problem packing = problem.packing;
  for (const SlotCandidate &candidate : candidates) {
    tilec::arena::Buffer &buffer =
        packing.buffers[getIndex(problem, candidate.buffer)];
    tilec::arena::Buffer ring = makeRing(problem, candidate);
    buffer.sizeBytes = std::max(buffer.sizeBytes, ring.sizeBytes);
    buffer.alignmentBytes =
        std::max(buffer.alignmentBytes, ring.alignmentBytes);
    addSpan(buffer.lifetimes, ring.lifetimes.front());
  }
  return packing;
}

void tile::addRings(ArenaProblem &problem, ArrayRef<SlotCandidate> candidates) {
  for (const SlotCandidate &candidate : candidates) {
    tilec::arena::Buffer ring = makeRing(problem, candidate);
    removeSpan(
        problem.packing.buffers[getIndex(problem, candidate.buffer)].lifetimes,
        ring.lifetimes.front());
    problem.packing.buffers.push_back(std::move(ring));
  }
}

std::optional<int64_t> tile::packCandidates(const ArenaProblem &problem,
                                            ArrayRef<SlotCandidate> candidates,
                                            int64_t limitBytes) {
  Problem packing = applyCandidates(problem, candidates);
  if (tilec::arena::checkProblem(packing))
    return std::nullopt;
  return tilec::arena::packBytes(packing, limitBytes);
}

/// Whether `buffer` is only seen slice by slice; and whether by a number that moves.
static std::pair<bool, bool> isSeenBySlots(AllocOp buffer) {
  if (buffer.getType().getRank() < 2)
    return {false, false};
  bool areOneSlot = true, anyMoves = false;
  for (Operation *user : buffer->getUsers())
    llvm::TypeSwitch<Operation *>(user)
        .Case([](RingOp) {})
        .Case([&](memref::SubViewOp view) {
          areOneSlot &= view.getStaticSizes().front() == 1 &&
                        getDroppedDims(view).test(0);
          anyMoves |= ShapedType::isDynamic(view.getStaticOffsets().front());
        })
        .Default([&](Operation *) { areOneSlot = false; });
  return {areOneSlot, areOneSlot && anyMoves};
}

bool tile::hasSlots(AllocOp buffer) { return isSeenBySlots(buffer).first; }

int64_t tile::getSlotCount(AllocOp buffer) {
  return isSeenBySlots(buffer).second ? buffer.getType().getDimSize(0) : 1;
}
