//===- BufferDemand.cpp - What an access asks of a buffer ----------------===//

#include "tile/Hardware/BufferDemand.h"

#include <algorithm>

using namespace tilec;

//===----------------------------------------------------------------------===//
// Checking
//===----------------------------------------------------------------------===//

static std::optional<std::string> findObstacleTo(const PatternDemand &demand,
                                                 const SharedLayout &buffer) {
  std::optional<std::string> first;
  for (const SharedDemand &pattern : demand.patterns) {
    auto strides = pattern.getStrides(buffer, demand.dims, demand.tile);
    if (strides)
      return std::nullopt;
    // What speaks against the pattern of the buffer's own XOR says most.
    if (!first || buffer.getSwizzle() == pattern.atom.getSwizzle())
      first = strides.reason();
  }
  return first;
}

static std::optional<std::string> findObstacleTo(const GroupDemand &demand,
                                                 const SharedLayout &buffer) {
  int64_t count = demand.getCount();
  int64_t width = buffer.getVectorWidth(demand.numbering);
  if (width == count)
    return std::nullopt;
  std::string along;
  for (const Digit &digit : demand.numbering)
    along += (along.empty() ? " elements along dimension " : ", then ") +
             std::to_string(digit.dim);
  return "groups of " + std::to_string(count) + along +
         " do not lie together, only of " + std::to_string(width);
}

int64_t GroupDemand::getCount() const {
  int64_t count = 1;
  for (const Digit &digit : numbering)
    count *= digit.extent;
  return count;
}

std::optional<std::string> tilec::findObstacle(const BufferDemand &demand,
                                               const SharedLayout &buffer) {
  return std::visit(
      [&](const auto &kind) { return findObstacleTo(kind, buffer); }, demand);
}

//===----------------------------------------------------------------------===//
// Proposing
//===----------------------------------------------------------------------===//

/// All dimensions: these first, then the others, innermost first.
static std::vector<int> getOrder(std::vector<int> first, size_t rank) {
  for (int dim = static_cast<int>(rank) - 1; dim >= 0; --dim)
    if (std::ranges::find(first, dim) == first.end())
      first.push_back(dim);
  return first;
}

/// Rows of `rowElements` along `order[0]`, stacked along `order[1]`; such
/// panels side by side; then the other dimensions.
static Expected<SharedLayout> makePanels(const Coordinate &shape,
                                         const std::vector<int> &order,
                                         int64_t rowElements,
                                         int64_t elementBits) {
  int fastest = order[0];
  if (shape[fastest] % rowElements != 0)
    return Failure{"a row is no whole number of panels"};
  OffsetDigits digits;
  int64_t weight = 1;
  auto add = [&](int64_t extent, int dim, int64_t step) {
    digits.push_back({extent, dim, step, weight});
    weight *= extent;
  };
  add(rowElements, fastest, 1);
  add(shape[order[1]], order[1], 1);
  add(shape[fastest] / rowElements, fastest, rowElements);
  for (size_t i = 2; i < order.size(); ++i)
    add(shape[order[i]], order[i], 1);
  return SharedLayout::get(shape, digits, Swizzle(), elementBits);
}

static std::vector<SharedLayout> propose(const PatternDemand &demand,
                                         const Coordinate &shape,
                                         int64_t elementBits) {
  std::vector<SharedLayout> layouts;
  for (const SharedDemand &pattern : demand.patterns) {
    // The rows of a pattern run along its first digit.
    const OffsetDigit &row = pattern.atom.getDigits().front();
    std::vector<int> order = getOrder(
        {demand.dims[row.dim], demand.dims[1 - row.dim]}, shape.size());
    auto layout = pattern.swizzleBytes != 0
                      ? SharedLayout::swizzled(
                            shape, order, pattern.swizzleBytes, elementBits)
                      : makePanels(shape, order, row.extent, elementBits);
    if (layout)
      layouts.push_back(*layout);
  }
  return layouts;
}

static std::vector<SharedLayout> propose(const GroupDemand &demand,
                                         const Coordinate &shape,
                                         int64_t elementBits) {
  std::vector<int> along;
  for (const Digit &digit : demand.numbering)
    if (along.empty())
      along.push_back(digit.dim);
  return {SharedLayout::conflictFree(shape, getOrder(along, shape.size()),
                                     elementBits)};
}

std::vector<SharedLayout> tilec::getLayouts(const BufferDemand &demand,
                                            const Coordinate &shape,
                                            int64_t elementBits) {
  std::vector<SharedLayout> layouts = std::visit(
      [&](const auto &kind) { return propose(kind, shape, elementBits); },
      demand);
  std::erase_if(layouts, [&](const SharedLayout &layout) {
    return findObstacle(demand, layout).has_value();
  });
  return layouts;
}
