//===- BufferDemand.h - What an access asks of a buffer ---------*- C++ -*-===//
//
// Whether an access to a shared buffer may run follows from the buffer's
// layout, in one of two ways:
//
//     pattern   an instruction finds tiles through a descriptor: each tile has
//               one of the patterns of SharedDemand.h
//     group     an access moves several elements at once: they lie together,
//               at a multiple of their size
//
// The same value checks a layout and proposes one, so what chooses and what
// checks cannot disagree.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_HARDWARE_BUFFERDEMAND_H
#define TILE_HARDWARE_BUFFERDEMAND_H

#include "tile/Hardware/SharedDemand.h"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace tilec {

/// All tiles of `tile` elements, the operand's part in one instruction, have
/// one of `patterns`. Dimension dims[i] of the buffer is the operand's i.
struct PatternDemand {
  std::vector<SharedDemand> patterns; ///< not empty, the preferred first
  std::vector<int> dims;
  Coordinate tile;
};

/// Every aligned group of elements that `numbering` counts, innermost first, lies
/// together in this order and aligned to its size. Mostly `count` along one dimension.
struct GroupDemand {
  Digits numbering;

  explicit GroupDemand(Digits numbering) : numbering(std::move(numbering)) {}
  GroupDemand(int dim, int64_t count) : numbering{{count, dim, 1}} {}
  int64_t getCount() const;
};

using BufferDemand = std::variant<PatternDemand, GroupDemand>;

/// Why a buffer of layout `buffer` does not meet `demand`; nothing if it does.
std::optional<std::string> findObstacle(const BufferDemand &demand,
                                        const SharedLayout &buffer);

/// Layouts that meet `demand`, for a buffer of `shape` with elements of
/// `elementBits`, the preferred first: each pattern repeated, or the layout
/// without conflicts whose rows run along the groups. Empty where the shape
/// allows none of them.
std::vector<SharedLayout> getLayouts(const BufferDemand &demand,
                                     const Coordinate &shape,
                                     int64_t elementBits);

} // namespace tilec

#endif // TILE_HARDWARE_BUFFERDEMAND_H
