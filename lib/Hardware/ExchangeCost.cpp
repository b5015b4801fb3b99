//===- ExchangeCost.cpp - What a change of layout costs -------------------===//

#include "tile/Hardware/ExchangeCost.h"

#include "tile/Hardware/ExchangeBuffer.h"

#include <algorithm>

using namespace tilec;

static constexpr int64_t wordBits = 32;

static int64_t divideRoundingUp(int64_t a, int64_t b) {
  return (a + b - 1) / b;
}

ExchangeWords tilec::getExchangeWords(int64_t elementBits) {
  return {divideRoundingUp(elementBits, wordBits),
          std::max<int64_t>(1, wordBits / elementBits)};
}

//===----------------------------------------------------------------------===//
// Both ways
//===----------------------------------------------------------------------===//

static int64_t countThreads(const FragmentLayout &layout) {
  return layout.getExtent(HardwareDim::Lane) *
         layout.getExtent(HardwareDim::Warp);
}

/// Cycles through a buffer without bank conflicts.
static int64_t countMemoryCycles(const GpuTarget &target,
                                 const ExchangedFragment &fragment) {
  const Throughput &row = getThroughput(target);
  const FragmentLayout &source = fragment.source;
  int64_t threads = countThreads(source);
  int64_t bits = std::max<int64_t>(8, fragment.elementBits);
  int dim =
      chooseExchangeDim(source.getRank(), bits, &source, &fragment.target);
  BlockWork work;
  auto add = [&](const FragmentLayout &layout, int64_t elements) {
    int64_t width = dim < 0 ? 1 : getExchangeWidth(layout, dim, bits);
    work.accesses += divideRoundingUp(elements, width);
    work.sharedBytes += divideRoundingUp(elements * bits, 8);
  };
  // Of what several threads hold one writes.
  add(source, source.getRegisterCount() * threads / source.getReplication());
  add(fragment.target, fragment.target.getRegisterCount() * threads);
  int64_t barriers = fragment.isInLoop ? 2 : 1;
  return countCycles(target, work, source.getExtent(HardwareDim::Warp)) +
         barriers * countBarrierCycles(row, threads) + row.sharedLatency;
}

namespace {
/// Operations of a thread.
struct ShuffleWork {
  int64_t shuffles = 0;
  int64_t selectsBefore = 0, selectsBehind = 0; ///< the rounds of shuffles
  int64_t packing = 0;
};
} // namespace

static ShuffleWork countShuffleWork(const WarpExchange &plan,
                                    int64_t elementBits) {
  ExchangeWords words = getExchangeWords(elementBits);
  int64_t elements = plan.getBundleSize();
  int64_t bundleWords =
      divideRoundingUp(elements, words.elementsInWord) * words.perElement;
  ShuffleWork work;
  work.shuffles = plan.countShuffles() * bundleWords;
  work.selectsBefore = plan.countSelectsBefore() * bundleWords;
  work.selectsBehind = plan.countSelectsBehind() * bundleWords;
  if (words.elementsInWord > 1 && elements > 1)
    work.packing = elements * static_cast<int64_t>(plan.sources.size() +
                                                   plan.targets.size());
  return work;
}

ExchangeCost tilec::getExchangeCost(const GpuTarget &target,
                                    const ExchangedFragment &fragment) {
  ExchangeCost cost;
  bool staysInThread = fragment.source.contains(fragment.target);
  if (staysInThread)
    cost.kind = ExchangeKind::None;
  else
    cost.memoryCycles = countMemoryCycles(target, fragment);
  Expected<WarpExchange> plan =
      planWarpExchange(fragment.source, fragment.target);
  if (!plan)
    return cost;
  const Throughput &row = getThroughput(target);
  int64_t threads = countThreads(fragment.source);
  int64_t warps = fragment.source.getExtent(HardwareDim::Warp);
  ShuffleWork perThread = countShuffleWork(*plan, fragment.elementBits);
  cost.shuffles = perThread.shuffles;
  cost.selects = perThread.selectsBefore + perThread.selectsBehind;
  cost.packing = perThread.packing;
  if (staysInThread)
    return cost;
  BlockWork work;
  work.shuffles = cost.shuffles * threads;
  work.integers = (cost.selects + cost.packing) * threads;
  cost.shuffleCycles = countCycles(target, work, warps) + row.shuffleLatency +
                       row.arithmeticLatency * ((perThread.selectsBefore > 0) +
                                                (perThread.selectsBehind > 0));
  if (cost.shuffleCycles <= cost.memoryCycles)
    cost.kind = ExchangeKind::Shuffle;
  return cost;
}
