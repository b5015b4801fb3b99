//===- Launch.cpp - Starting a kernel -------------------------------------===//
//
// The words of a launch become a grid and the parameters of docs/KernelABI.md, once the
// facts that the kernel was compiled for are checked.
//
//===----------------------------------------------------------------------===//

#include "Call.h"

#include "tile/Contract/Operands.h"
#include "tile/Limits/LaunchLimits.h"

#include <algorithm>

using namespace tilec;
using namespace tilec::rt;

static Extents readExtents(const int64_t *&words) {
  Extents extents = {words[0], words[1], words[2]};
  words += extents.size();
  return extents;
}

static Problem checkExtents(const KernelLaunch &launch) {
  std::string message = checkExtentsStart(launch.grid, launch.cluster);
  if (message.empty())
    message = checkGrid(launch.grid);
  if (message.empty())
    message = checkBlock(launch.block);
  if (message.empty())
    return {};
  return {TILE_RT_INVALID_LAUNCH, "kernel '" + launch.kernel + "': " + message};
}

static Problem checkOperand(const KernelLaunch &launch, size_t index,
                            const std::string &problem) {
  if (problem.empty())
    return {};
  return {TILE_RT_INVALID_ARGUMENT,
          formatOperandProblem(launch.kernel, index, problem)};
}

static Problem addScalar(const TileRtOperand &operand, size_t index,
                         int64_t word, KernelLaunch &launch) {
  launch.parameters.push_back({static_cast<uint64_t>(word),
                               static_cast<uint64_t>(operand.scalarBytes)});
  const TileRtFacts *facts = operand.facts;
  if (!facts)
    return {};
  return checkOperand(
      launch, index,
      checkFacts(ScalarFacts{facts->divisor, facts->min, facts->max}, word));
}

static Problem addMemRef(const TileRtOperand &operand, size_t index,
                         const MemRefView &view, KernelLaunch &launch) {
  forEachParameter(getShape(*operand.type), view, view.address,
                   [&](int64_t word) {
                     launch.parameters.push_back({static_cast<uint64_t>(word)});
                   });
  const TileRtFacts *facts = operand.facts;
  if (!facts)
    return {};
  int64_t rank = operand.type->rank;
  return checkOperand(
      launch, index,
      checkFacts(MemRefFacts{facts->alignment,
                             getEntries(facts->sizeDivisors, rank),
                             getEntries(facts->strideDivisors, rank),
                             facts->isContiguous != 0},
                 view));
}

namespace {

/// The zeros that tensors without elements are described as, each launch's own: what a
/// kernel writes to such a tensor is seen by nobody.
class LaunchZeros {
public:
  explicit LaunchZeros(TileRtCall &call) : call(call) {}

  Problem add(uint64_t &address) {
    constexpr auto sizeBytes =
        static_cast<size_t>(TensorDescription::alignBytes);
    if (Problem problem =
            call.backend->allocateIn(call.stream, sizeBytes, address))
      return problem;
    addresses.push_back(address);
    return call.backend->zeroIn(call.stream, address, sizeBytes);
  }
  /// Behind the launch.
  Problem release() {
    Problem first;
    for (uint64_t address : addresses)
      if (Problem problem = call.backend->releaseIn(call.stream, address);
          problem && !first)
        first = problem;
    return first;
  }

private:
  TileRtCall &call;
  std::vector<uint64_t> addresses;
};

} // namespace

static Problem addTensorMap(LaunchZeros &zeros, const TileRtOperand &operand,
                            size_t index, const MemRefView &view,
                            KernelLaunch &launch) {
  const TileRtTensorMap &from = *operand.map;
  TensorMapShape shape;
  shape.elementNumber = static_cast<int>(from.element);
  shape.swizzleBytes = from.swizzleBytes;
  shape.box = getEntries(from.box, from.boxRank);
  shape.lower = getEntries(from.lower, 2);
  shape.upper = getEntries(from.upper, 2);
  shape.strides = getEntries(from.strides, 2);
  auto map = TensorDescription::get(shape, view.elementBits);
  if (map.isEmptyFor(view)) {
    uint64_t address = 0;
    if (Problem problem = zeros.add(address))
      return problem;
    map.describeZeros(address);
  } else if (std::string problem =
                 map.describe(view, static_cast<uint64_t>(view.getFirstByte()),
                              "operand " + std::to_string(index));
             !problem.empty()) {
    return {TILE_RT_INVALID_ARGUMENT,
            "kernel '" + launch.kernel + "': a tensor map " + problem};
  }
  launch.parameters.push_back({0, TensorDescription::sizeBytes, map});
  return {};
}

static Problem addOperands(LaunchZeros &zeros, const TileRtLaunch &from,
                           const int64_t *words, KernelLaunch &launch) {
  for (int64_t i = 0; i < from.operandCount; ++i) {
    const TileRtOperand &operand = from.operands[i];
    Problem problem;
    if (!operand.type) {
      problem = addScalar(operand, i, *words++, launch);
    } else {
      MemRefView view =
          readMemRef(operand.type->rank, operand.type->elementBits, words);
      if (std::string sizes = checkSizes(view.sizes); !sizes.empty())
        return {TILE_RT_INVALID_ARGUMENT,
                "kernel '" + launch.kernel + "' is given an operand " +
                    std::to_string(i) + " whose " + sizes};
      problem = operand.map ? addTensorMap(zeros, operand, i, view, launch)
                            : addMemRef(operand, i, view, launch);
    }
    if (problem)
      return problem;
  }
  return {};
}

void tileRtLaunch(TileRtCall *call, const TileRtLaunch *from,
                  const int64_t *words) {
  if (call->problem)
    return;
  KernelLaunch launch;
  launch.kernel = from->kernel;
  launch.grid = readExtents(words);
  launch.block = readExtents(words);
  launch.cluster = readExtents(words);
  launch.sharedBytes = *words++;
  launch.isDependent = from->isDependent != 0;
  Problem problem = checkExtents(launch);
  if (!problem &&
      std::find(launch.grid.begin(), launch.grid.end(), 0) != launch.grid.end())
    return; // nothing to start
  LaunchZeros zeros(*call);
  if (!problem)
    problem = addOperands(zeros, *from, words, launch);
  if (!problem)
    problem = call->backend->launchIn(call->stream, *from->image, launch);
  Problem release = zeros.release();
  call->fail(from->place, problem ? problem : release);
}
