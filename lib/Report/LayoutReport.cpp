//===- LayoutReport.cpp - What lies where, drawn --------------------------===//
//
// The layouts of a launch's fragments and buffers at `materialized`, those through which
// exchanges go included: as text, and as one SVG document. All coordinates are
// integers, so that the text is the same on every machine.
//
//===----------------------------------------------------------------------===//

#include "tile/Dialect/Tile/TileTypes.h"
#include "tile/Report/Report.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::tile;
using tilec::LayoutPicture;

//===----------------------------------------------------------------------===//
// Collecting
//===----------------------------------------------------------------------===//

/// "tile.load (line 12)"; of an argument the operation that it belongs to.
static std::string getPlace(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    op = value.getParentBlock()->getParentOp();
  std::string place = op->getName().getStringRef().str();
  if (auto file = value.getLoc()->findInstanceOf<FileLineColLoc>())
    place += " (line " + std::to_string(file.getLine()) + ")";
  return place;
}

static void addDrawing(KernelReport &report, Type type, Value value,
                       LayoutPicture picture) {
  std::string name;
  llvm::raw_string_ostream(name) << type;
  std::string place = getPlace(value);
  for (KernelReport::DrawnLayout &drawn : report.drawings)
    if (drawn.type == name && drawn.picture.layout == picture.layout) {
      if (!llvm::is_contained(drawn.places, place))
        drawn.places.push_back(place);
      return;
    }
  report.drawings.push_back({name, {place}, std::move(picture)});
}

static void addDrawing(KernelReport &report, Value value) {
  if (FragmentAttr fragment = getFragment(value.getType()))
    return addDrawing(report,
                      withoutLayout(cast<RankedTensorType>(value.getType())),
                      value, tilec::drawLayout(fragment.getLayout()));
  auto buffer = value.getDefiningOp<AllocOp>();
  if (!buffer || !buffer.getLayoutAttr())
    return;
  MemRefType type = buffer.getType();
  auto layout =
      buffer.getLayoutAttr().getLayout(getMemoryBits(type.getElementType()));
  if (layout)
    addDrawing(report, MemRefType::get(type.getShape(), type.getElementType()),
               value, tilec::drawLayout(*layout));
}

void ReportCollector::addDrawings(LaunchOp launch) {
  std::lock_guard<std::mutex> lock(mutex);
  KernelReport &report = getReport(launch.getKernel().value_or("kernel"));
  launch.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Value value : op->getResults())
      addDrawing(report, value);
    for (Region &region : op->getRegions())
      for (Value value : region.getArguments())
        addDrawing(report, value);
  });
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static std::string getHead(ArrayRef<int64_t> row) {
  return llvm::join(
      llvm::map_range(row, [](int64_t at) { return std::to_string(at); }), ",");
}

static void printGrid(const LayoutPicture &picture, llvm::raw_ostream &os) {
  size_t width = 0, headWidth = 0;
  for (int64_t column : picture.columns)
    width = std::max(width, std::to_string(column).size());
  for (auto [row, cells] : llvm::zip_equal(picture.rows, picture.cells)) {
    headWidth = std::max(headWidth, getHead(row).size());
    for (const LayoutPicture::Cell &cell : cells)
      width = std::max(width, cell.text.size());
  }
  auto printLine = [&](StringRef head,
                       llvm::function_ref<std::string(size_t)> getText) {
    std::string line(4, ' ');
    line += std::string(headWidth - head.size(), ' ') + head.str();
    for (size_t i = 0; i < picture.columns.size(); ++i) {
      std::string text = getText(i);
      line += picture.hasGapBeforeColumn(i) ? "  .." : "";
      line += std::string(width + 2 - text.size(), ' ') + text;
    }
    os << line << "\n";
  };
  printLine("", [&](size_t i) { return std::to_string(picture.columns[i]); });
  for (size_t row = 0; row < picture.rows.size(); ++row) {
    if (picture.hasGapBeforeRow(row))
      os << std::string(4 + headWidth - std::min<size_t>(headWidth, 2), ' ')
         << "..\n";
    printLine(getHead(picture.rows[row]),
              [&](size_t i) { return picture.cells[row][i].text; });
  }
}

void tile::printLayoutsText(ArrayRef<KernelReport> reports,
                            llvm::raw_ostream &os) {
  for (const KernelReport &report : reports) {
    os << "kernel " << report.name << "\n";
    for (const KernelReport::DrawnLayout &drawn : report.drawings) {
      os << "  " << drawn.type << ": " << llvm::join(drawn.places, ", ")
         << "\n    " << drawn.picture.layout << "\n    " << drawn.picture.legend
         << "\n";
      printGrid(drawn.picture, os);
    }
  }
}

//===----------------------------------------------------------------------===//
// SVG
//===----------------------------------------------------------------------===//

namespace {
constexpr int64_t cellWidth = 46, cellHeight = 16, gap = 8, left = 60;
constexpr int64_t lineHeight = 16, titleHeight = 30;

class SvgWriter {
public:
  std::string finish();
  void addTitle(StringRef words) {
    top += titleHeight;
    addText(10, top, words, " font-size=\"14\" font-weight=\"bold\"");
    top += lineHeight / 2;
  }
  void addPicture(const KernelReport::DrawnLayout &drawn);

private:
  void addText(int64_t x, int64_t y, StringRef words,
               StringRef attributes = "");
  void addLine(StringRef words) { addText(10, top += lineHeight, words); }
  void addCell(int64_t x, int64_t y, const LayoutPicture::Cell &cell,
               StringRef element);

  std::string text;
  llvm::raw_string_ostream os{text};
  int64_t top = 0, right = 600;
};
} // namespace

void SvgWriter::addText(int64_t x, int64_t y, StringRef words,
                        StringRef attributes) {
  os << "<text x=\"" << x << "\" y=\"" << y << "\"" << attributes << ">";
  llvm::printHTMLEscaped(words.str(), os);
  os << "</text>\n";
  // Of a letter, generously.
  constexpr int64_t letterWidth = 7;
  right = std::max(right, x + letterWidth * static_cast<int64_t>(words.size()));
}

/// One hue for each lane or bank; the element's coordinate where one points at it.
void SvgWriter::addCell(int64_t x, int64_t y, const LayoutPicture::Cell &cell,
                        StringRef element) {
  constexpr int64_t hues = 360, kinds = 32;
  os << "<rect x=\"" << x << "\" y=\"" << y << "\" width=\"" << cellWidth
     << "\" height=\"" << cellHeight << "\" fill=\"hsl("
     << cell.kind % kinds * hues / kinds
     << ",60%,82%)\" stroke=\"#888\"><title>" << element << "</title></rect>\n";
  addText(x + cellWidth / 2, y + cellHeight - 4, cell.text,
          " text-anchor=\"middle\"");
}

void SvgWriter::addPicture(const KernelReport::DrawnLayout &drawn) {
  const LayoutPicture &picture = drawn.picture;
  top += lineHeight / 2;
  addLine(drawn.type + ": " + llvm::join(drawn.places, ", "));
  addLine(picture.layout);
  addLine(picture.legend);
  std::vector<int64_t> xs;
  for (size_t column = 0, x = left; column < picture.columns.size(); ++column) {
    x += picture.hasGapBeforeColumn(column) ? gap : 0;
    xs.push_back(x);
    x += cellWidth;
  }
  top += lineHeight;
  for (auto [x, column] : llvm::zip_equal(xs, picture.columns))
    addText(x + cellWidth / 2, top, std::to_string(column),
            " text-anchor=\"middle\" fill=\"#666\"");
  top += 4;
  for (size_t row = 0; row < picture.rows.size(); ++row) {
    top += picture.hasGapBeforeRow(row) ? gap : 0;
    addText(left - 6, top + cellHeight - 4, getHead(picture.rows[row]),
            " text-anchor=\"end\" fill=\"#666\"");
    for (auto [x, cell, column] :
         llvm::zip_equal(xs, picture.cells[row], picture.columns)) {
      tilec::Coordinate element = picture.rows[row];
      element.push_back(column);
      addCell(x, top, cell, "(" + getHead(element) + ")");
    }
    top += cellHeight;
  }
}

std::string SvgWriter::finish() {
  std::string body = std::move(text);
  std::string document;
  llvm::raw_string_ostream(document)
      << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << right + 20
      << "\" height=\"" << top + 20
      << "\" font-family=\"monospace\" font-size=\"10\">\n"
      << "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
      << body << "</svg>\n";
  return document;
}

void tile::printLayoutsSvg(ArrayRef<KernelReport> reports,
                           llvm::raw_ostream &os) {
  SvgWriter writer;
  for (const KernelReport &report : reports) {
    writer.addTitle("kernel " + report.name);
    for (const KernelReport::DrawnLayout &drawn : report.drawings)
      writer.addPicture(drawn);
  }
  os << writer.finish();
}
