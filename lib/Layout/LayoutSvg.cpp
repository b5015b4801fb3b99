//===- LayoutSvg.cpp - Layouts as SVG -------------------------------------===//

#include "tile/Layout/LayoutPicture.h"

#include <algorithm>

using namespace tilec;

namespace {
constexpr int64_t cellHeight = 17, axisHeight = 17;
constexpr int64_t gap = 8, margin = 2;
constexpr int64_t fontSize = 10;
/// Of a letter of that size, generously.
constexpr int64_t letterWidth = 7;

/// Where rows and columns begin.
struct Grid {
  std::vector<int64_t> xs, ys;
  int64_t cellWidth = 0, headWidth = 0, width = 0, height = 0;
};
} // namespace

/// "3,0" of an element's coordinate.
static std::string join(const Coordinate &coordinate) {
  std::string text;
  for (int64_t at : coordinate)
    text += (text.empty() ? "" : ",") + std::to_string(at);
  return text;
}

static Grid placeCells(const LayoutPicture &picture) {
  Grid grid;
  size_t letters = 5, headLetters = 0;
  for (const Coordinate &row : picture.rows)
    headLetters = std::max(headLetters, join(row).size());
  for (int64_t column : picture.columns)
    letters = std::max(letters, std::to_string(column).size());
  for (const auto &row : picture.cells)
    for (const LayoutPicture::Cell &cell : row)
      letters = std::max(letters, cell.text.size());
  grid.cellWidth = static_cast<int64_t>(letters) * letterWidth + gap;
  grid.headWidth =
      headLetters ? static_cast<int64_t>(headLetters) * letterWidth + gap : 0;
  int64_t x = margin + grid.headWidth, y = margin + axisHeight;
  for (size_t column = 0; column < picture.columns.size(); ++column) {
    x += picture.hasGapBeforeColumn(column) ? gap : 0;
    grid.xs.push_back(x);
    x += grid.cellWidth;
  }
  for (size_t row = 0; row < picture.rows.size(); ++row) {
    y += picture.hasGapBeforeRow(row) ? gap : 0;
    grid.ys.push_back(y);
    y += cellHeight;
  }
  grid.width = x + margin;
  grid.height = y + margin;
  return grid;
}

static std::string drawText(const char *kind, int64_t x, int64_t y,
                            const char *anchor, const char *fill,
                            const std::string &words) {
  return std::string("<text class=\"") + kind + "\" x=\"" + std::to_string(x) +
         "\" y=\"" + std::to_string(y) + "\" text-anchor=\"" + anchor +
         "\" fill=\"" + fill + "\">" + words + "</text>\n";
}

/// A cell that says its element when pointed at.
static std::string drawCell(int64_t x, int64_t y, int64_t width,
                            const LayoutPicture::Cell &cell,
                            const std::string &element) {
  constexpr int64_t hues = 360, kinds = 32;
  int64_t hue = cell.kind % kinds * hues / kinds;
  return "<rect class=\"cell\" x=\"" + std::to_string(x) + "\" y=\"" +
         std::to_string(y) + "\" width=\"" + std::to_string(width) +
         "\" height=\"" + std::to_string(cellHeight) + "\" fill=\"hsl(" +
         std::to_string(hue) + ",60%,82%)\" stroke=\"#888\"><title>(" +
         element + ")</title></rect>\n" +
         drawText("held", x + width / 2, y + cellHeight - 5, "middle", "#000",
                  cell.text);
}

LayoutSvg tilec::drawSvg(const LayoutPicture &picture,
                         const std::string &attributes) {
  Grid grid = placeCells(picture);
  std::string size =
      std::to_string(grid.width) + "\" height=\"" + std::to_string(grid.height);
  std::string text = "<svg class=\"layout\" " + attributes + " width=\"" +
                     size + "\" viewBox=\"0 0 " + std::to_string(grid.width) +
                     " " + std::to_string(grid.height) +
                     "\" font-family=\"monospace\" font-size=\"" +
                     std::to_string(fontSize) + "\">\n";
  for (size_t column = 0; column < picture.columns.size(); ++column)
    text += drawText("axis", grid.xs[column] + grid.cellWidth / 2,
                     margin + axisHeight - 5, "middle", "#666",
                     std::to_string(picture.columns[column]));
  for (size_t row = 0; row < picture.rows.size(); ++row) {
    if (grid.headWidth)
      text += drawText("axis", margin + grid.headWidth - gap / 2,
                       grid.ys[row] + cellHeight - 5, "end", "#666",
                       join(picture.rows[row]));
    for (size_t column = 0; column < picture.columns.size(); ++column) {
      Coordinate element = picture.rows[row];
      element.push_back(picture.columns[column]);
      text += drawCell(grid.xs[column], grid.ys[row], grid.cellWidth,
                       picture.cells[row][column], join(element));
    }
  }
  return {text + "</svg>\n", grid.width, grid.height};
}
