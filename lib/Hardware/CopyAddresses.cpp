//===- CopyAddresses.cpp - Few addresses for a thread's copies ------------===//
//
// Of a tile of two dimensions, candidates differ in how many lanes share a row and in
// how many warps stand between two rows of a thread:
//
//     columns   [access] [lanes] [registers]
//     rows      [lanes] [warps] [registers] [warps]
//
//===----------------------------------------------------------------------===//

#include "tile/Hardware/CopyAddresses.h"

#include "tile/Hardware/Throughput.h"

#include <algorithm>
#include <optional>
#include <set>

using namespace tilec;

/// What an immediate reaches, from half of it below to half of it above.
static constexpr int64_t reachBytes = 4096;
static constexpr int64_t lineBytes = 128;
/// Beside more copies, conditions of columns take the registers that addresses leave: a
/// product of 128 x 256 with 8 of them took 254 instead of 246 and spilled.
static constexpr int64_t mostBesideColumns = 4;

//===----------------------------------------------------------------------===//
// Origins
//===----------------------------------------------------------------------===//

/// ptxas takes a register for each multiple of the reach.
static int64_t countAddresses(const std::vector<int64_t> &offsets,
                              int64_t origin) {
  std::set<int64_t> multiples;
  for (int64_t offset : offsets)
    multiples.insert((offset - origin + reachBytes / 2) & -reachBytes);
  return static_cast<int64_t>(multiples.size());
}

CopyOrigin tilec::chooseCopyOrigin(const std::vector<int64_t> &offsets) {
  CopyOrigin best{0, countAddresses(offsets, 0)};
  int64_t fromMiddle = countAddresses(offsets, reachBytes / 2);
  return fromMiddle < best.addresses ? CopyOrigin{reachBytes / 2, fromMiddle}
                                     : best;
}

//===----------------------------------------------------------------------===//
// Costs
//===----------------------------------------------------------------------===//

namespace {
/// What an arrangement costs a thread, and a warp.
class Arrangement {
public:
  Arrangement(const FragmentLayout &layout, const CopiedTile &tile)
      : layout(layout), tile(tile) {}

  /// For addresses of both memories and for comparisons, or what is held for them.
  int64_t countInstructions() const;
  /// Of one copy of a warp.
  int64_t countWavefronts() const;

private:
  int64_t getSharedByte(int64_t reg, int64_t lane, int64_t warp) const;
  std::vector<int64_t> getSharedPlace(int64_t reg) const;

  const FragmentLayout &layout;
  const CopiedTile &tile;
};
} // namespace

int64_t Arrangement::getSharedByte(int64_t reg, int64_t lane,
                                   int64_t warp) const {
  Coordinate coordinate = layout.evaluate(reg, lane, warp);
  Coordinate place(tile.bufferDims.size(), 0);
  for (size_t dim = 0; dim < place.size(); ++dim)
    if (tile.bufferDims[dim] >= 0)
      place[dim] = coordinate[tile.bufferDims[dim]];
  return tile.buffer.getBitOffset(place) / 8;
}

/// How places of other threads differ from the first one's: registers for which all
/// do so equally share an address.
std::vector<int64_t> Arrangement::getSharedPlace(int64_t reg) const {
  std::vector<int64_t> differences;
  int64_t first = getSharedByte(reg, 0, 0);
  for (int64_t lane = 1; lane < layout.getExtent(HardwareDim::Lane); ++lane)
    differences.push_back(getSharedByte(reg, lane, 0) - first);
  for (int64_t warp = 1; warp < layout.getExtent(HardwareDim::Warp); ++warp)
    differences.push_back(getSharedByte(reg, 0, warp) - first);
  return differences;
}

int64_t Arrangement::countInstructions() const {
  // What a column is compared with stays, and each has a condition over the loop.
  constexpr int64_t ofGlobalAddress = 2, ofSharedAddress = 1, ofRow = 1,
                    ofColumn = 3;
  std::vector<int64_t> offsets;
  std::set<std::vector<int64_t>> places;
  std::set<int64_t> comparedRows, comparedColumns;
  for (int64_t reg = 0; reg < layout.getRegisterCount(); reg += tile.width) {
    Coordinate coordinate = layout.evaluate(reg, 0, 0);
    int64_t elements = 0;
    for (size_t dim = 0; dim < coordinate.size(); ++dim) {
      elements += coordinate[dim] * tile.strides[dim];
      if (tile.isMasked[dim])
        (static_cast<int>(dim) == tile.fastest ? comparedColumns : comparedRows)
            .insert(coordinate[dim]);
    }
    offsets.push_back(elements * tile.buffer.getElementBits() / 8);
    places.insert(getSharedPlace(reg));
  }
  return ofGlobalAddress * chooseCopyOrigin(offsets).addresses +
         ofSharedAddress * static_cast<int64_t>(places.size()) +
         ofRow * static_cast<int64_t>(comparedRows.size()) +
         ofColumn * static_cast<int64_t>(comparedColumns.size());
}

int64_t Arrangement::countWavefronts() const {
  std::vector<int64_t> addresses;
  for (int64_t lane = 0; lane < layout.getExtent(HardwareDim::Lane); ++lane)
    addresses.push_back(getSharedByte(0, lane, 0));
  return tilec::countWavefronts(addresses,
                                tile.width * tile.buffer.getElementBits() / 8);
}

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

/// The dimension across which a tile has rows: the only long one but `fastest`; -1
/// where there is none or several.
static int getRowDim(const Coordinate &shape, int fastest) {
  int found = -1;
  for (int dim = 0; dim < static_cast<int>(shape.size()); ++dim) {
    if (dim == fastest || shape[dim] == 1)
      continue;
    if (found >= 0)
      return -1;
    found = dim;
  }
  return found;
}

/// The tile with `lanesAlong` lanes a row and `warpsBelow` warps between two rows of a
/// thread; nothing where that does not divide.
static std::optional<FragmentLayout> spread(const FragmentLayout &layout,
                                            const CopiedTile &tile, int rowDim,
                                            int64_t lanesAlong,
                                            int64_t warpsBelow) {
  const Coordinate &shape = layout.getShape();
  int64_t lanes = layout.getExtent(HardwareDim::Lane),
          warps = layout.getExtent(HardwareDim::Warp);
  int64_t run = tile.width * lanesAlong;
  int64_t lanesDown = lanes / lanesAlong;
  int64_t along = shape[tile.fastest] / run,
          down = shape[rowDim] / (lanesDown * warps);
  if (along * run != shape[tile.fastest] ||
      down * lanesDown * warps != shape[rowDim])
    return std::nullopt;
  int64_t step = lanesDown * warpsBelow;
  Expected<FragmentLayout> result = FragmentLayout::get(
      shape,
      {{tile.width, tile.fastest, 1},
       {along, tile.fastest, run},
       {down, rowDim, step}},
      {{lanesAlong, tile.fastest, tile.width}, {lanesDown, rowDim, 1}},
      {{warpsBelow, rowDim, lanesDown},
       {warps / warpsBelow, rowDim, step * down}});
  return result ? std::optional(*result) : std::nullopt;
}

FragmentLayout tilec::arrangeCopies(const FragmentLayout &layout,
                                    const CopiedTile &tile) {
  int rowDim = getRowDim(layout.getShape(), tile.fastest);
  if (rowDim < 0 || layout.hasPadding() || layout.getReplication() != 1 ||
      layout.getRegisterCount() == tile.width ||
      (tile.isMasked[tile.fastest] &&
       layout.getRegisterCount() > mostBesideColumns * tile.width))
    return layout;
  int64_t lanes = layout.getExtent(HardwareDim::Lane),
          warps = layout.getExtent(HardwareDim::Warp);
  int64_t accessBytes = tile.width * tile.buffer.getElementBits() / 8;
  int64_t rowAccesses = layout.getShape()[tile.fastest] / tile.width;
  // A shorter run of a row that begins within a sector meets more of them.
  int64_t rowBits = tile.strides[rowDim] * tile.buffer.getElementBits();
  int64_t leastLanes = std::min(rowAccesses, rowBits % (8 * sectorBytes) == 0
                                                 ? lineBytes / accessBytes
                                                 : lanes);

  // What is left of rows is the same for all threads where these are the lowest bits.
  int64_t leastBelow = tile.isMasked[rowDim] ? warps : 1;
  FragmentLayout best = layout;
  Arrangement own(layout, tile);
  int64_t least = own.countInstructions(), wavefronts = own.countWavefronts();
  for (int64_t along = lanes; along >= leastLanes; along /= 2)
    for (int64_t below = warps; below >= leastBelow; --below) {
      auto candidate = warps % below == 0
                           ? spread(layout, tile, rowDim, along, below)
                           : std::nullopt;
      if (!candidate)
        continue;
      Arrangement arrangement(*candidate, tile);
      int64_t instructions = arrangement.countInstructions();
      if (instructions >= least || arrangement.countWavefronts() > wavefronts)
        continue;
      least = instructions;
      best = *candidate;
    }
  return best;
}
