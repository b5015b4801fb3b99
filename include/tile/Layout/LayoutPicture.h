//===- LayoutPicture.h - Layouts as grids of cells --------------*- C++ -*-===//
//
// A layout for people: what lies where, a cell an element. Rows run through all
// dimensions but the last, columns through the last. A dimension that is long is cut
// where its pattern shows: the first steps of each of its digits, and its last element.
//
//     fragment   thread:register of the first that holds an element
//     buffer     bank:offset, of 32 banks of 4 bytes and in bytes
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LAYOUT_LAYOUTPICTURE_H
#define TILE_LAYOUT_LAYOUTPICTURE_H

#include "tile/Layout/SharedLayout.h"

namespace tilec {

struct LayoutPicture {
  struct Cell {
    std::string text;
    int64_t kind = 0; ///< lane or bank, 0 to 31: what has one color
  };

  std::string legend; ///< what a cell says
  std::string layout; ///< as the dialect prints it
  /// The coordinates that are drawn: of rows in all dimensions but the last.
  std::vector<Coordinate> rows;
  std::vector<int64_t> columns;
  std::vector<std::vector<Cell>> cells; ///< by row and column

  /// Whether elements between these rows, or columns, are left out.
  bool hasGapBeforeRow(size_t row) const;
  bool hasGapBeforeColumn(size_t column) const;
};

LayoutPicture drawLayout(const FragmentLayout &layout);
LayoutPicture drawLayout(const SharedLayout &layout);

/// An SVG element with the grid of a picture, in pixels.
struct LayoutSvg {
  std::string text;
  int64_t width = 0, height = 0;
};

/// The grid with its coordinates, one hue a lane or bank; pointed at, a cell says
/// which element it is. Standing alone the element has its own colors; a page gives it
/// others by the classes `cell`, `held` (a cell's text) and `axis`. `attributes` stand
/// in the element's tag. All coordinates are integers: same input, same text.
LayoutSvg drawSvg(const LayoutPicture &picture,
                  const std::string &attributes = "");

} // namespace tilec

#endif // TILE_LAYOUT_LAYOUTPICTURE_H
