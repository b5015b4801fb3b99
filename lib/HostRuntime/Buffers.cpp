//===- Buffers.cpp - memref.alloc, memref.dealloc, memref.copy ------------===//

#include "Call.h"

#include <algorithm>

using namespace tilec;
using namespace tilec::rt;

//===----------------------------------------------------------------------===//
// Allocations
//===----------------------------------------------------------------------===//

/// The bytes of an allocation. Elements narrower than a byte are stored in words of 32
/// bits, so whole ones are there (docs/KernelABI.md).
static Problem getSizeBytes(int64_t elementBits, std::span<const int64_t> sizes,
                            int64_t &bytes) {
  bool overflows = false, isEmpty = false;
  int64_t bits = elementBits;
  for (int64_t size : sizes) {
    if (size < 0)
      return {TILE_RT_INVALID_ARGUMENT, "a size of the allocation is " +
                                            std::to_string(size) +
                                            ", below zero"};
    isEmpty |= size == 0;
    overflows |= __builtin_mul_overflow(bits, size, &bits);
  }
  overflows |= __builtin_add_overflow(bits, 31, &bits);
  if (overflows && !isEmpty)
    return {TILE_RT_INVALID_ARGUMENT,
            "the allocation has more bytes than 64 bits count"};
  bytes = isEmpty ? 0 : bits / 32 * 4;
  return {};
}

void *tileRtNewBuffer(TileRtCall *call, const char *place, int64_t elementBits,
                      int64_t rank, const int64_t *sizes) {
  if (call->problem)
    return nullptr;
  int64_t bytes = 0;
  uint64_t address = 0;
  Problem problem = getSizeBytes(elementBits, getEntries(sizes, rank), bytes);
  if (!problem)
    problem = call->backend->allocateIn(call->stream,
                                        static_cast<size_t>(bytes), address);
  if (problem) {
    call->fail(place, problem);
    return nullptr;
  }
  call->buffers.insert(address);
  return reinterpret_cast<void *>(static_cast<uintptr_t>(address));
}

void tileRtFreeBuffer(TileRtCall *call, const char *place, void *address) {
  if (call->problem)
    return;
  auto number = static_cast<uint64_t>(reinterpret_cast<uintptr_t>(address));
  if (call->buffers.erase(number) == 0)
    return call->fail(place, {TILE_RT_INVALID_USE,
                              "deallocates a buffer that this call did not "
                              "allocate, or has deallocated"});
  call->fail(place, call->backend->releaseIn(call->stream, number));
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

namespace {

/// A dimension along which both sides step, in bytes.
struct Step {
  int64_t size, target, source;
};

/// The elements of a copy as runs of bytes: `runBytes` each, at every combination of
/// `steps`, outermost first.
struct Runs {
  size_t runBytes = 0;
  std::vector<Step> steps;
};

} // namespace

/// Joins what lies together on both sides, from the innermost dimension on.
static Runs getRuns(const MemRefView &target, const MemRefView &source,
                    int64_t elementBytes) {
  Runs runs;
  runs.runBytes = static_cast<size_t>(elementBytes);
  for (size_t dim = source.sizes.size(); dim-- > 0;) {
    if (source.sizes[dim] == 1)
      continue;
    Step step = {source.sizes[dim], target.strides[dim] * elementBytes,
                 source.strides[dim] * elementBytes};
    auto run = static_cast<int64_t>(runs.runBytes);
    if (runs.steps.empty() && step.target == run && step.source == run) {
      runs.runBytes *= static_cast<size_t>(step.size);
      continue;
    }
    Step *inner = runs.steps.empty() ? nullptr : &runs.steps.front();
    if (inner && step.target == inner->target * inner->size &&
        step.source == inner->source * inner->size)
      inner->size *= step.size;
    else
      runs.steps.insert(runs.steps.begin(), step);
  }
  return runs;
}

/// What the driver takes as the distance of rows.
static constexpr int64_t maxPitchBytes = INT32_MAX;

/// Copies along `steps` from the first on; the last one, where rows do not overlap and
/// go upward, by one request.
static Problem copyRuns(TileRtCall &call, const Runs &runs, size_t depth,
                        uint64_t target, uint64_t source) {
  auto run = static_cast<int64_t>(runs.runBytes);
  if (depth == runs.steps.size())
    return call.backend->copyIn(call.stream,
                                {target, source, runs.runBytes, 1, 0, 0});
  const Step &step = runs.steps[depth];
  if (depth + 1 == runs.steps.size() &&
      std::min(step.target, step.source) >= run &&
      std::max(step.target, step.source) <= maxPitchBytes)
    return call.backend->copyIn(
        call.stream,
        {target, source, runs.runBytes, static_cast<size_t>(step.size),
         static_cast<size_t>(step.target), static_cast<size_t>(step.source)});
  for (int64_t i = 0; i < step.size; ++i)
    if (Problem problem =
            copyRuns(call, runs, depth + 1, target + i * step.target,
                     source + i * step.source))
      return problem;
  return {};
}

/// Row-major strides.
static std::vector<int64_t> getStrides(std::span<const int64_t> sizes) {
  std::vector<int64_t> strides(sizes.size(), 1);
  for (size_t dim = sizes.size(); dim-- > 1;)
    strides[dim - 1] = strides[dim] * sizes[dim];
  return strides;
}

static Problem copyElements(TileRtCall &call, const MemRefView &target,
                            const MemRefView &source) {
  Runs runs = getRuns(target, source, source.elementBits / 8);
  return copyRuns(call, runs, 0, static_cast<uint64_t>(target.getFirstByte()),
                  static_cast<uint64_t>(source.getFirstByte()));
}

/// By way of a buffer between them: all is read before anything is written.
static Problem copyThrough(TileRtCall &call, const MemRefView &target,
                           const MemRefView &source) {
  int64_t bytes = 0;
  uint64_t address = 0;
  if (Problem problem = getSizeBytes(source.elementBits, source.sizes, bytes))
    return problem;
  if (Problem problem = call.backend->allocateIn(
          call.stream, static_cast<size_t>(bytes), address))
    return problem;
  std::vector<int64_t> strides = getStrides(source.sizes);
  MemRefView between = source;
  between.address = static_cast<int64_t>(address);
  between.offset = 0;
  between.strides = strides;
  Problem problem = copyElements(call, between, source);
  if (!problem)
    problem = copyElements(call, target, between);
  Problem release = call.backend->releaseIn(call.stream, address);
  return problem ? problem : release;
}

/// A memref of elements narrower than a byte as one of bytes, where it is whole ones
/// that lie together.
static bool widen(MemRefView &view, int64_t &byteCount) {
  int64_t count = 1;
  bool isDense = true;
  for (size_t dim = view.sizes.size(); dim-- > 0;) {
    isDense &= view.sizes[dim] == 1 || view.strides[dim] == count;
    count *= view.sizes[dim];
  }
  int64_t begin = view.offset * view.elementBits;
  byteCount = count * view.elementBits / 8;
  if (!isDense || begin % 8 != 0 || count * view.elementBits % 8 != 0)
    return false;
  view.address += begin / 8;
  view.offset = 0;
  return true;
}

static Problem copyNarrow(TileRtCall &call, MemRefView target,
                          MemRefView source) {
  int64_t bytes = 0;
  if (!widen(target, bytes) || !widen(source, bytes))
    return {TILE_RT_INVALID_ARGUMENT,
            "copies elements of " + std::to_string(source.elementBits) +
                " bits that do not lie together in whole bytes; copy them in "
                "a tile.launch"};
  static constexpr int64_t one = 1;
  target.elementBits = source.elementBits = 8;
  target.sizes = source.sizes = std::span(&bytes, 1);
  target.strides = source.strides = std::span(&one, 1);
  return overlap(target, source) ? copyThrough(call, target, source)
                                 : copyElements(call, target, source);
}

static std::string formatSizes(std::span<const int64_t> sizes) {
  std::string text = "[";
  for (size_t dim = 0; dim < sizes.size(); ++dim)
    text += (dim ? ", " : "") + std::to_string(sizes[dim]);
  return text + "]";
}

void tileRtCopyBuffer(TileRtCall *call, const char *place, int64_t elementBits,
                      int64_t rank, const int64_t *words) {
  if (call->problem)
    return;
  MemRefView source = readMemRef(rank, elementBits, words);
  MemRefView target = readMemRef(rank, elementBits, words);
  if (!std::equal(source.sizes.begin(), source.sizes.end(),
                  target.sizes.begin()))
    return call->fail(place, {TILE_RT_INVALID_ARGUMENT,
                              "copies between memrefs of sizes " +
                                  formatSizes(source.sizes) + " and " +
                                  formatSizes(target.sizes)});
  if (std::string sizes = checkSizes(source.sizes); !sizes.empty())
    return call->fail(
        place, {TILE_RT_INVALID_ARGUMENT, "copies a memref whose " + sizes});
  if (source.isEmpty())
    return;
  bool overflows[2] = {};
  (void)getSpanBits(source, overflows[0]);
  (void)getSpanBits(target, overflows[1]);
  if (overflows[0] || overflows[1])
    return call->fail(place, {TILE_RT_INVALID_ARGUMENT,
                              "copies elements beyond the last address of 64 "
                              "bits"});
  if (elementBits % 8 != 0)
    return call->fail(place, copyNarrow(*call, target, source));
  call->fail(place, overlap(target, source)
                        ? copyThrough(*call, target, source)
                        : copyElements(*call, target, source));
}
