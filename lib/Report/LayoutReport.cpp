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
constexpr int64_t lineHeight = 16, titleHeight = 30, margin = 10;

/// Titles and pictures, one below the other.
class SvgDocument {
public:
  std::string finish();
  void addTitle(StringRef words) {
    top += titleHeight;
    addText(words, " font-size=\"14\" font-weight=\"bold\"");
    top += lineHeight / 2;
  }
  void addPicture(const KernelReport::DrawnLayout &drawn);

private:
  void addText(StringRef words, StringRef attributes = "");
  void addLine(StringRef words) {
    top += lineHeight;
    addText(words);
  }

  std::string text;
  llvm::raw_string_ostream os{text};
  int64_t top = 0, right = 600;
};
} // namespace

void SvgDocument::addText(StringRef words, StringRef attributes) {
  os << "<text x=\"" << margin << "\" y=\"" << top << "\"" << attributes << ">";
  llvm::printHTMLEscaped(words.str(), os);
  os << "</text>\n";
  // Of a letter, generously.
  constexpr int64_t letterWidth = 7;
  right = std::max(right,
                   margin + letterWidth * static_cast<int64_t>(words.size()));
}

void SvgDocument::addPicture(const KernelReport::DrawnLayout &drawn) {
  constexpr int64_t indent = 40;
  top += lineHeight / 2;
  addLine(drawn.type + ": " + llvm::join(drawn.places, ", "));
  addLine(drawn.picture.layout);
  addLine(drawn.picture.legend);
  top += 4;
  tilec::LayoutSvg svg =
      tilec::drawSvg(drawn.picture, "x=\"" + std::to_string(indent) +
                                        "\" y=\"" + std::to_string(top) + "\"");
  os << svg.text;
  top += svg.height;
  right = std::max(right, indent + svg.width);
}

std::string SvgDocument::finish() {
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
  SvgDocument document;
  for (const KernelReport &report : reports) {
    document.addTitle("kernel " + report.name);
    for (const KernelReport::DrawnLayout &drawn : report.drawings)
      document.addPicture(drawn);
  }
  os << document.finish();
}
