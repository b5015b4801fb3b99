//===- ReusePlan.cpp - Which buffers share bytes --------------------------===//

#include "ReusePlan.h"

#include "tile/Hardware/Occupancy.h"

#include "mlir/Interfaces/LoopLikeInterface.h"

#include <set>

using namespace mlir;
using namespace mlir::tile;

using tilec::arena::Problem;
using tilec::arena::Solution;

namespace {

/// How often the packing is tried again with one more pair apart. A launch has
/// few pairs that share in a loop; one with many keeps the hottest apart.
constexpr int maxTries = 16;
/// Outside of loops a block waits once at the barrier of a pair that shares, which is
/// less than so many bytes are worth to the first-level cache.
constexpr int64_t cheapBytes = 8192;
/// Trying pairs is no place for a long search.
constexpr int64_t nodeBudget = 2'000;

class ReusePlanner {
public:
  ReusePlanner(const ArenaProblem &arena, int64_t threads,
               const tilec::GpuTarget &target)
      : arena(arena), threads(threads), target(target) {
    plan.problem = arena.packing;
    plan.solution =
        tilec::arena::solveWithin(plan.problem, target.maxSharedBytesPerBlock);
    plan.packedBytes = plan.solution.totalBytes;
    collectLoops();
    sharing = getSharingPairs(plan.solution);
  }

  ReusePlan run(ReusePolicy policy);

private:
  void collectLoops();
  SmallVector<BufferPair> getSharingPairs(const Solution &solution) const;
  int64_t getLoopDepth(int first, int second) const;
  int64_t countBlocks(int64_t bytes) const;
  bool tryApart(ArrayRef<BufferPair> pairs);
  void keepLoopsApart();
  SmallVector<BufferPair> getAllPairs() const;
  bool isCostly(const BufferPair &pair) const;
  SmallVector<BufferPair> getCostly(SmallVector<BufferPair> pairs) const;

  const ArenaProblem &arena;
  int64_t threads;
  const tilec::GpuTarget &target;
  ReusePlan plan;
  llvm::DenseMap<Operation *, int> loopNumbers;
  SmallVector<int64_t> loopDepths; ///< 1 for an outermost loop
  /// For each buffer the loops in which it is touched.
  std::vector<std::set<int>> loopsOf;
  /// The pairs that share bytes in the plan's solution, hottest first.
  SmallVector<BufferPair> sharing;
};

} // namespace

void ReusePlanner::collectLoops() {
  for (Operation *op : arena.liveness.points) {
    if (!isa<LoopLikeOpInterface>(op))
      continue;
    int64_t depth = 1;
    for (auto outer = op->getParentOfType<LoopLikeOpInterface>(); outer;
         outer = outer->getParentOfType<LoopLikeOpInterface>())
      ++depth;
    loopNumbers[op] = loopDepths.size();
    loopDepths.push_back(depth);
  }
  for (const SharedLiveness::Points &touched : arena.liveness.touched) {
    std::set<int> &loops = loopsOf.emplace_back();
    for (int64_t point : touched)
      for (Operation *op = arena.liveness.points[point]; op;
           op = op->getParentOp())
        if (auto loop = loopNumbers.find(op); loop != loopNumbers.end())
          loops.insert(loop->second);
  }
}

/// The depth of the innermost loop in which both buffers are touched.
int64_t ReusePlanner::getLoopDepth(int first, int second) const {
  bool isFirstLess = loopsOf[first].size() < loopsOf[second].size();
  int64_t deepest = 0;
  for (int loop : loopsOf[isFirstLess ? first : second])
    if (loopsOf[isFirstLess ? second : first].contains(loop))
      deepest = std::max(deepest, loopDepths[loop]);
  return deepest;
}

SmallVector<BufferPair>
ReusePlanner::getSharingPairs(const Solution &solution) const {
  auto getSize = [&](int buffer) {
    return arena.packing.buffers[buffer].sizeBytes;
  };
  SmallVector<BufferPair> pairs;
  int count = solution.offsets.size();
  for (int first = 0; first < count; ++first)
    for (int second = first + 1; second < count; ++second)
      if (solution.offsets[first] <
              solution.offsets[second] + getSize(second) &&
          solution.offsets[second] < solution.offsets[first] + getSize(first))
        pairs.push_back({first, second, getLoopDepth(first, second)});
  // Innermost loops first, then what costs the least.
  auto getKey = [&](const BufferPair &pair) {
    int64_t shared = std::min(getSize(pair.first), getSize(pair.second));
    return std::tuple(-pair.loopDepth, shared, pair.first, pair.second);
  };
  llvm::sort(pairs, [&](const BufferPair &a, const BufferPair &b) {
    return getKey(a) < getKey(b);
  });
  return pairs;
}

/// Blocks on a multiprocessor, as far as threads and shared memory say.
int64_t ReusePlanner::countBlocks(int64_t bytes) const {
  return tilec::computeOccupancy(target, {threads, 1, bytes})
      .blocksPerMultiprocessor;
}

/// Whether fewer of `pairs` than of `others` are in the innermost loops; among
/// equals in the next outer ones. Both begin with the innermost.
static bool isCooler(ArrayRef<BufferPair> pairs, ArrayRef<BufferPair> others) {
  return std::lexicographical_compare(
      pairs.begin(), pairs.end(), others.begin(), others.end(),
      [](const BufferPair &a, const BufferPair &b) {
        return a.loopDepth < b.loopDepth;
      });
}

/// Whether sharing costs more than the bytes that it saves. What a loop only reads may be
/// held in registers by then, so that the barrier would keep nothing apart: much is shared
/// with slots.
bool ReusePlanner::isCostly(const BufferPair &pair) const {
  auto isOfSlots = [&](int buffer) {
    return hasSlots(arena.getBuffers()[buffer]);
  };
  ArrayRef<tilec::arena::Buffer> buffers = arena.packing.buffers;
  return pair.loopDepth > 0 ||
         (!isOfSlots(pair.first) && !isOfSlots(pair.second)) ||
         std::min(buffers[pair.first].sizeBytes,
                  buffers[pair.second].sizeBytes) < cheapBytes;
}

SmallVector<BufferPair>
ReusePlanner::getCostly(SmallVector<BufferPair> pairs) const {
  llvm::erase_if(pairs,
                 [&](const BufferPair &pair) { return !isCostly(pair); });
  return pairs;
}

/// Takes the packing with `pairs` apart if no block is lost by it, and other
/// pairs that share in their place are no hotter.
bool ReusePlanner::tryApart(ArrayRef<BufferPair> pairs) {
  Problem problem = plan.problem;
  for (const BufferPair &pair : pairs)
    problem.conflicts.push_back({pair.first, pair.second});
  Solution solution = tilec::arena::solve(problem, nodeBudget);
  if (countBlocks(solution.totalBytes) < countBlocks(plan.packedBytes))
    return false;
  SmallVector<BufferPair> left = getSharingPairs(solution);
  if (!isCooler(getCostly(left), getCostly(sharing)))
    return false;
  plan.problem = std::move(problem);
  plan.solution = std::move(solution);
  sharing = std::move(left);
  return true;
}

/// Keeps pairs apart that share bytes in a loop. Each packing may make new ones.
void ReusePlanner::keepLoopsApart() {
  llvm::DenseSet<std::pair<int, int>> tried;
  for (int tries = 0; tries < maxTries; ++tries) {
    auto hottest = llvm::find_if(sharing, [&](const BufferPair &pair) {
      return pair.loopDepth > 0 && !tried.contains({pair.first, pair.second});
    });
    if (hottest == sharing.end())
      return;
    BufferPair pair = *hottest;
    tried.insert({pair.first, pair.second});
    if (tryApart(pair))
      plan.keptApart.push_back(pair);
  }
}

SmallVector<BufferPair> ReusePlanner::getAllPairs() const {
  SmallVector<BufferPair> pairs;
  int count = arena.packing.buffers.size();
  for (int first = 0; first < count; ++first)
    for (int second = first + 1; second < count; ++second)
      pairs.push_back({first, second, getLoopDepth(first, second)});
  return pairs;
}

ReusePlan ReusePlanner::run(ReusePolicy policy) {
  if (sharing.empty() || policy == ReusePolicy::Always)
    return plan;
  SmallVector<BufferPair> packed = sharing;
  if (policy == ReusePolicy::Never) {
    for (const BufferPair &pair : getAllPairs())
      plan.problem.conflicts.push_back({pair.first, pair.second});
    plan.solution = tilec::arena::solve(plan.problem, nodeBudget);
    plan.keptApart = packed;
    return plan;
  }
  if (countBlocks(plan.packedBytes) == 0)
    return plan;
  // All of them apart take at least their bytes.
  int64_t bytes = 0;
  for (const tilec::arena::Buffer &buffer : arena.packing.buffers)
    bytes += buffer.sizeBytes;
  bool mayBeApart = countBlocks(bytes) >= countBlocks(plan.packedBytes);
  if (mayBeApart && tryApart(getCostly(getAllPairs())))
    plan.keptApart = getCostly(packed);
  else
    keepLoopsApart();
  return plan;
}

ReusePlan tile::planReuse(const ArenaProblem &arena, ReusePolicy policy,
                          int64_t threads, const tilec::GpuTarget &target) {
  return ReusePlanner(arena, threads, target).run(policy);
}
