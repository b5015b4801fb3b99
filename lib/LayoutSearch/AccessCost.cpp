//===- AccessCost.cpp - What accesses and exchanges take ------------------===//
//
// The accesses of one thread differ by constants, and so do those of warps, so
// that one access of one warp tells what all of them take that begin at the same
// byte of a sector; banks are told by the first: one more or less where a constant
// is no multiple of theirs. Only layouts with padding, whose last accesses have
// fewer lanes, are counted access by access.
//
//===----------------------------------------------------------------------===//

#include "AccessCost.h"

#include "tile/Hardware/CopyInstruction.h"
#include "tile/Hardware/ExchangeBuffer.h"

#include <algorithm>
#include <bit>
#include <map>

using namespace tilec;
using namespace tilec::detail;

/// Behind what is written, and in front of what is written next.
static constexpr int64_t barriersOfScratch = 2;

static int64_t divideUp(int64_t a, int64_t b) { return (a + b - 1) / b; }

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

namespace {
/// The accesses of a fragment's elements, one instruction for each `width`
/// registers.
class AccessCounter {
public:
  AccessCounter(const FragmentLayout &layout, const MemoryAccess &access,
                const SharedLayout *buffer)
      : layout(layout), access(access), buffer(buffer), width(getWidth()) {}

  LayoutCost count() const;

private:
  int getContiguousDim() const;
  int64_t getWidth() const;
  int64_t getByteAddress(const Coordinate &coordinate) const;
  std::vector<int64_t> getAddresses(int64_t reg, int64_t warp) const;
  LayoutCost countOne(int64_t reg, int64_t warp) const;
  bool beginAlike() const;
  LayoutCost countAlike(int64_t groups, int64_t warps) const;
  LayoutCost countAll() const;
  int64_t countReaders() const;

  const FragmentLayout &layout;
  const MemoryAccess &access;
  const SharedLayout *buffer;
  int64_t width; ///< elements that one instruction moves
};
} // namespace

/// The dimension of the node whose neighbours are neighbours in memory, or -1.
int AccessCounter::getContiguousDim() const {
  if (!buffer) {
    auto dim = std::ranges::find(access.strides, 1);
    return dim == access.strides.end()
               ? -1
               : static_cast<int>(dim - access.strides.begin());
  }
  const OffsetDigits &digits = buffer->getDigits();
  return digits.empty() ? -1 : access.bufferDims[digits.front().dim];
}

/// As `getAccessWidth` in Analysis/AccessWidth.h, of what is known here.
int64_t AccessCounter::getWidth() const {
  int dim = getContiguousDim();
  if (dim < 0)
    return 1;
  int64_t consecutive = layout.getVectorWidth(dim);
  int64_t width = std::max<int64_t>(1, access.width);
  while (width > 1 &&
         (consecutive % width != 0 ||
          (layout.hasPadding() && layout.getShape()[dim] % width != 0)))
    width /= 2;
  return width;
}

int64_t AccessCounter::getByteAddress(const Coordinate &coordinate) const {
  if (!buffer) {
    int64_t elements = 0;
    for (size_t dim = 0; dim < coordinate.size(); ++dim)
      elements += coordinate[dim] * access.strides[dim];
    return elements * access.bits / 8;
  }
  Coordinate place(access.bufferDims.size(), 0);
  for (size_t dim = 0; dim < place.size(); ++dim)
    if (access.bufferDims[dim] >= 0)
      place[dim] = coordinate[access.bufferDims[dim]];
  return buffer->getBitOffset(place) / 8;
}

/// Those of the lanes of a warp that take part.
std::vector<int64_t> AccessCounter::getAddresses(int64_t reg,
                                                 int64_t warp) const {
  std::vector<int64_t> addresses;
  for (int64_t lane = 0; lane < layout.getExtent(HardwareDim::Lane); ++lane) {
    if (access.isStore) {
      // Of threads that hold one element the first stores it.
      int64_t weight = 1;
      bool isFirst = true;
      for (const Digit &digit : layout.getDigits(HardwareDim::Lane)) {
        isFirst &= !digit.replicates() || lane / weight % digit.extent == 0;
        weight *= digit.extent;
      }
      if (!isFirst)
        continue;
    }
    Coordinate coordinate = layout.evaluate(reg, lane, warp);
    if (layout.isInShape(coordinate))
      addresses.push_back(getByteAddress(coordinate));
  }
  return addresses;
}

LayoutCost AccessCounter::countOne(int64_t reg, int64_t warp) const {
  LayoutCost cost;
  cost.instructions = cost.accesses = 1;
  std::vector<int64_t> addresses = getAddresses(reg, warp);
  int64_t bytes = std::max<int64_t>(1, width * access.bits / 8);
  if (addresses.empty())
    return cost;
  if (buffer) {
    bytes = std::min(bytes, maxAccessBytes);
    cost.wavefronts = access.avoidsConflicts
                          ? countIdealWavefronts(
                                static_cast<int64_t>(addresses.size()), bytes)
                          : countWavefronts(addresses, bytes);
    return cost;
  }
  std::vector<int64_t> sectors;
  for (int64_t address : addresses)
    for (int64_t sector = address / sectorBytes,
                 last = (address + bytes - 1) / sectorBytes;
         sector <= last; ++sector)
      sectors.push_back(sector);
  std::ranges::sort(sectors);
  cost.sectors = std::ranges::unique(sectors).begin() - sectors.begin();
  return cost;
}

/// Whether all accesses begin at the same byte of a sector.
bool AccessCounter::beginAlike() const {
  auto isOfSectors = [&](const Digit &digit) {
    return digit.replicates() || digit.step * access.strides[digit.dim] *
                                         access.bits / 8 % sectorBytes ==
                                     0;
  };
  return std::ranges::all_of(layout.getDigits(HardwareDim::Register),
                             isOfSectors) &&
         std::ranges::all_of(layout.getDigits(HardwareDim::Warp), isOfSectors);
}

/// Layouts without padding: `groups` accesses of each of `warps`.
LayoutCost AccessCounter::countAlike(int64_t groups, int64_t warps) const {
  if (buffer || beginAlike())
    return countOne(0, 0) * (groups * warps);
  struct Accesses {
    int64_t reg, warp, count = 0;
  };
  std::map<int64_t, Accesses> alike; // by the byte where the first one begins
  for (int64_t warp = 0; warp < warps; ++warp)
    for (int64_t reg = 0; reg < groups * width; reg += width) {
      int64_t address = getByteAddress(layout.evaluate(reg, 0, warp));
      auto &accesses =
          alike.try_emplace(address % sectorBytes, reg, warp).first->second;
      ++accesses.count;
    }
  LayoutCost cost;
  for (const auto &[begin, accesses] : alike)
    cost += countOne(accesses.reg, accesses.warp) * accesses.count;
  return cost;
}

LayoutCost AccessCounter::countAll() const {
  int64_t groups = divideUp(layout.getRegisterCount(), width);
  int64_t warps = layout.getExtent(HardwareDim::Warp);
  if (access.isStore)
    for (const Digit &digit : layout.getDigits(HardwareDim::Warp))
      if (digit.replicates())
        warps /= digit.extent;
  // Of large padded fragments the average is as good.
  constexpr int64_t mostSingly = 64;
  if (!layout.hasPadding())
    return countAlike(groups, warps);
  if (groups * warps > mostSingly)
    return countOne(0, 0) * (groups * warps);
  LayoutCost cost;
  for (int64_t warp = 0; warp < warps; ++warp)
    for (int64_t group = 0; group < groups; ++group)
      cost += countOne(group * width, warp);
  return cost;
}

/// Warps that load the same.
int64_t AccessCounter::countReaders() const {
  int64_t readers = 1;
  for (const Digit &digit : layout.getDigits(HardwareDim::Warp))
    if (digit.replicates() ||
        (!access.strides.empty() && access.strides[digit.dim] == 0))
      readers *= digit.extent;
  return readers;
}

LayoutCost AccessCounter::count() const {
  LayoutCost cost = countAll();
  if (!buffer && !access.isStore) {
    int64_t sectors = divideUp(cost.sectors, countReaders());
    cost.repeats = cost.sectors - sectors;
    cost.sectors = sectors;
  }
  return cost;
}

LayoutCost detail::countAccess(const FragmentLayout &layout,
                               const MemoryAccess &access,
                               const SharedLayout *buffer) {
  return AccessCounter(layout, access, buffer).count();
}

//===----------------------------------------------------------------------===//
// Exchanges
//===----------------------------------------------------------------------===//

/// Registers of `source` among which the threads of a warp choose for register
/// `reg` of `target`.
static int64_t countChoices(const FragmentLayout &source,
                            const FragmentLayout &target, int64_t reg) {
  std::vector<int64_t> registers;
  for (int64_t lane = 0; lane < target.getExtent(HardwareDim::Lane); ++lane) {
    Coordinate coordinate = target.evaluate(reg, lane, 0);
    if (target.isInShape(coordinate))
      registers.push_back(source.invert(coordinate).reg);
  }
  std::ranges::sort(registers);
  return std::max<int64_t>(1, std::ranges::unique(registers).begin() -
                                  registers.begin());
}

/// A comparison in each dimension and a selection for every register but one
/// that may be meant.
static LayoutCost countRenaming(const FragmentLayout &source,
                                const FragmentLayout &target) {
  LayoutCost cost;
  if (!getRegisterRenaming(source, target).empty())
    return cost;
  cost.instructions =
      target.getRegisterCount() * (countChoices(source, target, 0) - 1) *
      (target.getRank() + 1) * target.getExtent(HardwareDim::Warp);
  return cost;
}

/// Written to a buffer and read from there. What is narrower than a byte travels as
/// bytes.
static LayoutCost countThroughBuffer(const ExchangedFragment &fragment) {
  const FragmentLayout &source = fragment.source, &target = fragment.target;
  MemoryAccess access;
  access.bits = std::max<int64_t>(8, fragment.elementBits);
  int fastest =
      chooseExchangeDim(source.getRank(), access.bits, &source, &target);
  SharedLayout buffer = chooseExchangeBuffer(source.getShape(), fastest,
                                             access.bits, &source, &target);
  for (int dim = 0; dim < source.getRank(); ++dim)
    access.bufferDims.push_back(dim);
  access.width = maxAccessBytes * 8 / access.bits;
  if (!buffer.getDigits().empty())
    while (buffer.getVectorWidth(buffer.getDigits().front().dim) %
               access.width !=
           0)
      access.width /= 2;
  access.isStore = true;
  LayoutCost cost = countAccess(source, access, &buffer);
  access.isStore = false;
  cost += countAccess(target, access, &buffer);
  cost.barriers = barriersOfScratch;
  return cost;
}

/// Between the lanes of each warp.
static LayoutCost countByShuffles(const ExchangeCost &perThread,
                                  int64_t warps) {
  LayoutCost cost;
  cost.shuffles = perThread.shuffles * warps;
  cost.instructions =
      (perThread.shuffles + perThread.selects + perThread.packing) * warps;
  return cost;
}

LayoutCost detail::countExchange(const GpuTarget &target,
                                 const ExchangedFragment &fragment) {
  LayoutCost cost;
  if (fragment.source == fragment.target)
    return cost;
  ExchangeCost chosen = getExchangeCost(target, fragment);
  switch (chosen.kind) {
  case ExchangeKind::None:
    cost = countRenaming(fragment.source, fragment.target);
    break;
  case ExchangeKind::Shuffle:
    cost =
        countByShuffles(chosen, fragment.source.getExtent(HardwareDim::Warp));
    break;
  case ExchangeKind::Memory:
    cost = countThroughBuffer(fragment);
    break;
  }
  cost.exchanges[static_cast<int>(chosen.kind)] = 1;
  return cost;
}

//===----------------------------------------------------------------------===//
// Reductions and scans
//===----------------------------------------------------------------------===//

/// The positions of `where` that differ along `dims`.
static int64_t getExtentAlong(const FragmentLayout &layout, HardwareDim where,
                              const std::vector<int> &dims) {
  int64_t extent = 1;
  for (const Digit &digit : layout.getDigits(where))
    if (std::ranges::find(dims, digit.dim) != dims.end())
      extent *= digit.extent;
  return extent;
}

/// What every warp writes to scratch and reads from there, by accesses and by
/// words of a lane.
static LayoutCost countScratch(int64_t accesses, int64_t words, int64_t warps) {
  LayoutCost cost;
  cost.accesses = cost.instructions = accesses * warps;
  cost.wavefronts = words * warps;
  cost.barriers = barriersOfScratch;
  return cost;
}

/// What stays within warps: in registers, then with the other lanes.
static LayoutCost countReduction(const FragmentLayout &layout,
                                 const std::vector<int> &dims) {
  auto rounds = static_cast<int64_t>(std::bit_width(static_cast<uint64_t>(
      getExtentAlong(layout, HardwareDim::Lane, dims) - 1)));
  int64_t registers = layout.getRegisterCount();
  int64_t results =
      registers / getExtentAlong(layout, HardwareDim::Register, dims);
  LayoutCost cost;
  cost.shuffles = results * rounds;
  cost.instructions = registers - results + results * rounds + cost.shuffles;
  return cost;
}

/// The same of a scan: each digit of the scanned dimension, of registers or of
/// lanes, combines what its boxes total; then what stands before a box is added
/// to what is in it (TileToNVVM/Compute/Scan.cpp).
static LayoutCost countScan(const FragmentLayout &layout, int dim,
                            int64_t boxSize) {
  struct Level {
    int64_t step, extent;
    bool isLane;
  };
  std::vector<Level> levels;
  for (HardwareDim where : {HardwareDim::Register, HardwareDim::Lane})
    for (const Digit &digit : layout.getDigits(where))
      if (digit.dim == dim && digit.step < boxSize)
        levels.push_back(
            {digit.step, digit.extent, where == HardwareDim::Lane});
  std::ranges::sort(levels, {}, &Level::step);
  LayoutCost cost;
  int64_t boxes = layout.getRegisterCount();
  for (size_t i = 0; i < levels.size(); ++i) {
    const Level &level = levels[i];
    bool isLast = i + 1 == levels.size();
    cost.instructions += boxes; // down
    if (level.isLane) {
      auto rounds = static_cast<int64_t>(
          std::bit_width(static_cast<uint64_t>(level.extent - 1)));
      cost.shuffles += boxes * (rounds + (i > 0) + !isLast);
      cost.instructions += boxes * (2 * rounds + (i > 0));
    } else {
      cost.instructions += boxes; // up
      boxes /= level.extent;
    }
  }
  cost.instructions += cost.shuffles;
  return cost;
}

/// A scan that warps share: boxes that one of them holds are scanned alone, their
/// totals travel, and every thread scans those of its lines
/// (MaterializeScratch/Scans.cpp). Without totals, or of many boxes: all elements go to
/// other warps and back.
static LayoutCost countScanAcrossWarps(const FragmentLayout &layout, int dim,
                                       bool hasTotals, int64_t words) {
  constexpr int64_t maxBoxes = 64, selection = 3;
  int64_t extent = layout.getBox()[dim], boxSize = extent, above = 1;
  for (const Digit &digit : layout.getDigits(HardwareDim::Warp))
    if (digit.dim == dim)
      boxSize = std::min(boxSize, digit.step);
  for (const Digit &digit : layout.getDigits(HardwareDim::Register))
    if (digit.dim == dim && digit.step >= boxSize)
      above *= digit.extent;
  int64_t warps = layout.getExtent(HardwareDim::Warp);
  int64_t registers = layout.getRegisterCount(), boxes = extent / boxSize;
  if (!hasTotals || boxes > maxBoxes)
    return countScan(layout, dim, extent) * (words * warps) +=
           countScratch(2 * registers * words, 2 * registers * words, warps) *
           2;
  int64_t lines =
      registers / getExtentAlong(layout, HardwareDim::Register, {dim});
  int64_t written = lines * above * words, read = lines * boxes * words;
  LayoutCost cost = countScan(layout, dim, boxSize) * (words * warps);
  cost += countScratch(written + divideUp(read * 4, maxAccessBytes),
                       written + read, warps);
  cost.instructions +=
      (read + selection * (read - written) + registers * words) * warps;
  return cost;
}

LayoutCost detail::countCombination(const FragmentLayout &layout,
                                    const Combination &combination,
                                    int64_t bits) {
  const std::vector<int> &dims = combination.dims;
  int64_t warps = layout.getExtent(HardwareDim::Warp);
  int64_t words = divideUp(bits, 32);
  if (combination.isScan) {
    // It stays in its warps where all others have padding alone.
    int dim = dims.front();
    return layout.isShared(HardwareDim::Warp, dim)
               ? countScanAcrossWarps(layout, dim, combination.hasTotals, words)
               : countScan(layout, dim, layout.getShape()[dim]) *
                     (words * warps);
  }
  LayoutCost cost = countReduction(layout, dims) * (words * warps);
  int64_t warpsAlong = getExtentAlong(layout, HardwareDim::Warp, dims);
  if (warpsAlong == 1)
    return cost;
  // One value a warp, which lie together: all of them read and combine them.
  int64_t written = layout.getRegisterCount() /
                    getExtentAlong(layout, HardwareDim::Register, dims) * words;
  int64_t reads =
      written / words * divideUp(warpsAlong * words * 4, maxAccessBytes);
  cost += countScratch(written + reads, written + written * warpsAlong, warps);
  cost.instructions += written * warpsAlong * warps;
  return cost;
}
