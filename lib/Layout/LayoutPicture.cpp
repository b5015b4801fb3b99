//===- LayoutPicture.cpp - Layouts as grids of cells ----------------------===//

#include "tile/Layout/LayoutPicture.h"

#include <algorithm>
#include <functional>
#include <set>

using namespace tilec;

/// Dimensions up to this extent are drawn whole.
static constexpr int64_t wholeExtent = 16;
/// Of each digit of a longer one so many values, counted from 0.
static constexpr int64_t drawnValues = 3;

bool LayoutPicture::hasGapBeforeRow(size_t row) const {
  if (row == 0 || rows[row].empty())
    return false;
  const Coordinate &above = rows[row - 1], &here = rows[row];
  Coordinate next = above;
  ++next.back();
  return here != next &&
         std::equal(above.begin(), above.end() - 1, here.begin());
}

bool LayoutPicture::hasGapBeforeColumn(size_t column) const {
  return column > 0 && columns[column] != columns[column - 1] + 1;
}

/// The coordinates that are drawn of a dimension with digits of these (step, extent).
static std::vector<int64_t>
chooseDrawn(int64_t extent,
            const std::vector<std::pair<int64_t, int64_t>> &digits) {
  std::set<int64_t> drawn = {0, extent - 1};
  for (int64_t at = 0; extent <= wholeExtent && at < extent; ++at)
    drawn.insert(at);
  for (auto [step, count] : digits)
    for (int64_t value = 0; value < std::min(count, drawnValues); ++value)
      if (value * step < extent)
        drawn.insert(value * step);
  return {drawn.begin(), drawn.end()};
}

using Digitization = std::vector<std::vector<std::pair<int64_t, int64_t>>>;

/// A picture of `shape`, whose dimensions have these digits.
static LayoutPicture
draw(const Coordinate &shape, const Digitization &digits,
     const std::function<LayoutPicture::Cell(const Coordinate &)> &getCell) {
  LayoutPicture picture;
  picture.rows = {{}};
  picture.columns = {0};
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    std::vector<int64_t> drawn = chooseDrawn(shape[dim], digits[dim]);
    if (dim + 1 == shape.size()) {
      picture.columns = drawn;
      continue;
    }
    std::vector<Coordinate> longer;
    for (const Coordinate &row : picture.rows)
      for (int64_t at : drawn) {
        longer.push_back(row);
        longer.back().push_back(at);
      }
    picture.rows = std::move(longer);
  }
  for (const Coordinate &row : picture.rows)
    for (auto &line = picture.cells.emplace_back();
         int64_t column : picture.columns) {
      Coordinate at = row;
      if (!shape.empty())
        at.push_back(column);
      line.push_back(getCell(at));
    }
  return picture;
}

LayoutPicture tilec::drawLayout(const FragmentLayout &layout) {
  Digitization digits(layout.getRank());
  for (HardwareDim where :
       {HardwareDim::Register, HardwareDim::Lane, HardwareDim::Warp})
    for (const Digit &digit : layout.getDigits(where))
      if (!digit.replicates())
        digits[digit.dim].push_back({digit.step, digit.extent});
  int64_t lanes = layout.getExtent(HardwareDim::Lane);
  LayoutPicture picture =
      draw(layout.getShape(), digits, [&](const Coordinate &at) {
        HardwarePosition held = layout.invert(at);
        return LayoutPicture::Cell{
            std::to_string(held.warp * lanes + held.lane) + ":" +
                std::to_string(held.reg),
            held.lane};
      });
  picture.legend = "thread:register";
  if (layout.getReplication() > 1)
    picture.legend += ", the first of " +
                      std::to_string(layout.getReplication()) +
                      " threads that hold an element";
  picture.layout = layout.toString();
  return picture;
}

LayoutPicture tilec::drawLayout(const SharedLayout &layout) {
  constexpr int64_t banks = 32, bankBytes = 4;
  Digitization digits(layout.getRank());
  for (const OffsetDigit &digit : layout.getDigits())
    digits[digit.dim].push_back({digit.step, digit.extent});
  LayoutPicture picture =
      draw(layout.getShape(), digits, [&](const Coordinate &at) {
        int64_t byte = layout.getBitOffset(at) / 8;
        int64_t bank = byte / bankBytes % banks;
        return LayoutPicture::Cell{
            std::to_string(bank) + ":" + std::to_string(byte), bank};
      });
  picture.legend = "bank:offset in bytes";
  picture.layout = layout.toString();
  return picture;
}
