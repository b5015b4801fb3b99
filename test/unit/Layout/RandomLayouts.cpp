//===- RandomLayouts.cpp - Seeded layouts and brute force -----------------===//
//
// See RandomLayouts.h.
//
//===----------------------------------------------------------------------===//

#include "RandomLayouts.h"

using namespace tilec;
using namespace tilec::test;

static void addDigits(const Digits &digits, int64_t position,
                      Coordinate &coordinate) {
  for (const Digit &digit : digits) {
    if (digit.dim >= 0)
      coordinate[digit.dim] += (position % digit.extent) * digit.step;
    position /= digit.extent;
  }
}

Coordinate DigitMap::evaluate(int64_t reg, int64_t lane, int64_t warp) const {
  Coordinate coordinate(shape.size(), 0);
  addDigits(registers, reg, coordinate);
  addDigits(lanes, lane, coordinate);
  addDigits(warps, warp, coordinate);
  return coordinate;
}

Coordinate tilec::test::makeRandomShape(Random &random,
                                        const RandomOptions &options) {
  Coordinate shape(random.get(options.minRank, options.maxRank));
  for (int64_t &extent : shape)
    extent = random.get(1, options.maxExtent);
  return shape;
}

/// Extents of a chain that covers `extent`; only the last may pass it.
static std::vector<int64_t> makeChain(Random &random, int64_t extent,
                                      bool padding) {
  std::vector<int64_t> chain;
  int64_t reached = 1;
  while (reached < extent) {
    int64_t next = random.get(2, 5);
    if (reached * next > extent || (!padding && extent % (reached * next))) {
      // The last digit: exact, or anything that covers the rest.
      int64_t needed = (extent + reached - 1) / reached;
      if (padding)
        next = needed + (random.flip() ? 0 : random.get(0, 2));
      else if (extent % reached == 0)
        next = extent / reached;
    }
    chain.push_back(next);
    reached *= next;
  }
  if (padding && reached <= extent && random.get(0, 9) == 0)
    chain.push_back(2);
  return chain;
}

DigitMap tilec::test::makeRandomDigits(Random &random, const Coordinate &shape,
                                       const RandomOptions &options) {
  DigitMap map;
  map.shape = shape;
  Digits *lists[] = {&map.registers, &map.lanes, &map.warps};
  for (int dim = 0; dim < static_cast<int>(shape.size()); ++dim) {
    int64_t step = 1;
    for (int64_t extent : makeChain(random, shape[dim], options.padding)) {
      lists[random.get(0, 2)]->push_back({extent, dim, step});
      step *= extent;
    }
  }
  if (options.replication)
    for (int i = 1; i < 3; ++i)
      while (random.get(0, 3) == 0)
        lists[i]->push_back({random.get(2, 3), Digit::replicated, 0});
  // Half of them keep the order in which neighbours merge.
  if (random.flip())
    for (Digits *list : lists)
      random.shuffle(*list);
  return map;
}

FragmentLayout tilec::test::makeRandomLayout(Random &random,
                                             const RandomOptions &options) {
  Coordinate shape = makeRandomShape(random, options);
  return *makeRandomDigits(random, shape, options).build();
}

/// Appends a replicating digit that fills `digits` up to `count` positions.
static bool fill(Random &random, Digits &digits, int64_t count) {
  int64_t positions = 1;
  for (const Digit &digit : digits)
    positions *= digit.extent;
  if (count % positions != 0)
    return false;
  digits.insert(digits.begin() +
                    random.get(0, static_cast<int64_t>(digits.size())),
                {count / positions, Digit::replicated, 0});
  return true;
}

std::optional<FragmentLayout>
tilec::test::makeRandomLayoutFor(Random &random, const Coordinate &shape,
                                 int64_t lanes, int64_t warps) {
  RandomOptions options;
  options.replication = false;
  options.padding = random.flip();
  DigitMap map = makeRandomDigits(random, shape, options);
  if (!fill(random, map.lanes, lanes) || !fill(random, map.warps, warps))
    return std::nullopt;
  return *map.build();
}

void tilec::test::forAllPositions(
    const FragmentLayout &layout,
    const std::function<void(int64_t, int64_t, int64_t)> &visit) {
  for (int64_t w = 0; w < layout.getExtent(HardwareDim::Warp); ++w)
    for (int64_t l = 0; l < layout.getExtent(HardwareDim::Lane); ++l)
      for (int64_t r = 0; r < layout.getRegisterCount(); ++r)
        visit(r, l, w);
}

std::vector<Coordinate> tilec::test::getHeld(const FragmentLayout &layout,
                                             int64_t lane, int64_t warp) {
  std::vector<Coordinate> held;
  for (int64_t reg = 0; reg < layout.getRegisterCount(); ++reg) {
    Coordinate coordinate = layout.evaluate(reg, lane, warp);
    if (layout.isInShape(coordinate))
      held.push_back(coordinate);
  }
  return held;
}

int64_t tilec::test::linearize(const Coordinate &coordinate,
                               const Coordinate &shape) {
  int64_t index = 0;
  for (size_t dim = 0; dim < shape.size(); ++dim)
    index = index * shape[dim] + coordinate[dim];
  return index;
}

std::vector<Coordinate> tilec::test::getCoordinates(const Coordinate &shape) {
  std::vector<Coordinate> all = {{}};
  for (int64_t extent : shape) {
    std::vector<Coordinate> longer;
    for (const Coordinate &prefix : all)
      for (int64_t i = 0; i < extent; ++i) {
        longer.push_back(prefix);
        longer.back().push_back(i);
      }
    all = std::move(longer);
  }
  return all;
}

/// Whether `table[i * place]`, i in [0, count), is a mixed-radix number.
static bool isDigitListFrom(const std::vector<Coordinate> &table,
                            int64_t place) {
  int64_t count = static_cast<int64_t>(table.size()) / place;
  if (count == 1)
    return true;
  auto at = [&](int64_t i) { return table[i * place]; };
  Coordinate step = at(1);
  int moving = 0;
  for (int64_t along : step) {
    if (along < 0)
      return false;
    moving += along != 0;
  }
  if (moving > 1)
    return false;
  for (int64_t extent = 2; extent <= count; ++extent) {
    if (count % extent != 0)
      continue;
    bool fits = true;
    for (int64_t i = 0; i < count; ++i)
      for (size_t dim = 0; dim < step.size(); ++dim)
        fits &= at(i)[dim] == at(i - i % extent)[dim] + i % extent * step[dim];
    if (fits && isDigitListFrom(table, place * extent))
      return true;
  }
  return false;
}

bool tilec::test::isDigitList(const std::vector<Coordinate> &table) {
  for (int64_t along : table[0])
    if (along != 0)
      return false;
  return isDigitListFrom(table, 1);
}
