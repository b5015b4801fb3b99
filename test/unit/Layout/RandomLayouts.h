//===- RandomLayouts.h - Seeded layouts and brute force ---------*- C++ -*-===//
//
// The tests state laws of the algebra and check them against enumeration of all
// positions of thousands of small random layouts. Nothing here uses the library
// for more than evaluating a layout at a position, and `DigitMap` not even for
// that: it is the definition of the map, written down once more.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TEST_UNIT_LAYOUT_RANDOMLAYOUTS_H
#define TILE_TEST_UNIT_LAYOUT_RANDOMLAYOUTS_H

#include "tile/Layout/SharedLayout.h"

#include <functional>
#include <random>
#include <set>

namespace tilec::test {

/// A seeded source of small numbers; the same on every machine.
class Random {
public:
  explicit Random(uint64_t seed) : engine(seed) {}
  /// Uniform over [low, high].
  int64_t get(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(engine() % (high - low + 1));
  }
  bool flip() { return get(0, 1) == 1; }
  template <typename T>
  const T &pick(const std::vector<T> &from) {
    return from[get(0, static_cast<int64_t>(from.size()) - 1)];
  }
  template <typename T>
  void shuffle(std::vector<T> &list) {
    for (size_t i = list.size(); i > 1; --i)
      std::swap(list[i - 1], list[get(0, static_cast<int64_t>(i) - 1)]);
  }

private:
  std::mt19937_64 engine;
};

/// The digits of a fragment layout before anything canonicalises them.
struct DigitMap {
  Coordinate shape;
  Digits registers, lanes, warps;

  Expected<FragmentLayout> build() const {
    return FragmentLayout::get(shape, registers, lanes, warps);
  }
  Coordinate evaluate(int64_t reg, int64_t lane, int64_t warp) const;
};

struct RandomOptions {
  int minRank = 1;
  int maxRank = 3;
  int64_t maxExtent = 9;
  bool padding = true;
  bool replication = true;
};

Coordinate makeRandomShape(Random &random, const RandomOptions &options);

/// Digits that obey the chain rule over `shape`, in any order and unmerged.
DigitMap makeRandomDigits(Random &random, const Coordinate &shape,
                          const RandomOptions &options);

FragmentLayout makeRandomLayout(Random &random,
                                const RandomOptions &options = {});

/// A layout of `shape` with exactly these lanes and warps; nothing if the draw
/// does not fit.
std::optional<FragmentLayout> makeRandomLayoutFor(Random &random,
                                                  const Coordinate &shape,
                                                  int64_t lanes, int64_t warps);

/// Calls `visit(reg, lane, warp)` for all positions.
void forAllPositions(
    const FragmentLayout &layout,
    const std::function<void(int64_t, int64_t, int64_t)> &visit);

/// The elements of the shape that one thread holds, in register order.
std::vector<Coordinate> getHeld(const FragmentLayout &layout, int64_t lane,
                                int64_t warp);

/// Row-major index of a coordinate.
int64_t linearize(const Coordinate &coordinate, const Coordinate &shape);

/// All coordinates of a shape in row-major order.
std::vector<Coordinate> getCoordinates(const Coordinate &shape);

/// Whether a list of coordinates, starting with zero, is a mixed-radix number
/// whose digits each step along one dimension. Tries every factorisation.
bool isDigitList(const std::vector<Coordinate> &table);

} // namespace tilec::test

#endif // TILE_TEST_UNIT_LAYOUT_RANDOMLAYOUTS_H
