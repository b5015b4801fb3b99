//===- KernelSections.cpp - A kernel's memory, layouts and loops ----------===//

#include "Html.h"
#include "Sections.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InterleavedRange.h"

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

static void printFact(StringRef name, const std::string &value,
                      const std::string &more, llvm::raw_ostream &os) {
  os << "<div><dt>" << name << "</dt><dd>" << escapeHtml(value);
  if (!more.empty())
    os << "<small>" << escapeHtml(more) << "</small>";
  os << "</dd></div>";
}

static std::string describeRoles(const KernelReport &report) {
  std::string text;
  for (const KernelReport::Role &role : report.roles)
    text += llvm::formatv("{0}{1} {2} {3}", text.empty() ? "" : ", ", role.kind,
                          role.warps, role.warps == 1 ? "warp" : "warps");
  if (!report.cluster.empty())
    text += llvm::formatv("{0}clusters of {1}", text.empty() ? "" : ", ",
                          llvm::interleaved(report.cluster, " x "));
  return text;
}

static void printFacts(const PageKernel &kernel, llvm::raw_ostream &os) {
  const KernelReport &report = *kernel.report;
  os << "<article class=\"kernel\"><h3><a href=\"#k" << kernel.number << "\">"
     << escapeHtml(report.name) << "</a></h3><dl class=\"facts\">";
  printFact("threads", formatNumber(report.blockThreads), describeRoles(report),
            os);
  if (report.resources) {
    int64_t spills =
        report.resources->spillStoreBytes + report.resources->spillLoadBytes;
    printFact("registers", formatNumber(report.resources->registers),
              spills ? formatNumber(spills) + " bytes of spills" : "no spills",
              os);
  }
  printFact("shared memory", formatNumber(report.sharedBytes) + " B",
            report.sharedBytes == report.arenaLowerBound
                ? ""
                : "lower bound " + formatNumber(report.arenaLowerBound),
            os);
  auto [blocks, limit] = StringRef(report.occupancy.summary).split(", ");
  printFact("per multiprocessor", blocks.str(), limit.str(), os);
  printFact("barriers", formatNumber(report.barriers), "", os);
  printFact("PTX", formatNumber(kernel.instructions), "instructions", os);
  os << "</dl>";
  // Of the kernel as a whole, such as spills; the others stand at their lines.
  for (StringRef remark : report.remarks)
    if (StringRef text = remark; !takePlace(text))
      os << "<p class=\"warn\">" << escapeHtml(remark) << "</p>";
  os << "</article>\n";
}

void tile::printFacts(const PageProgram &program, llvm::raw_ostream &os) {
  os << "<section id=\"overview\"><h2>Kernels</h2>\n";
  for (const PageKernel &kernel : program.kernels)
    ::printFacts(kernel, os);
  os << "</section>\n";
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

/// "128x64xf16": the type without the address space that all have.
static std::string shortenType(StringRef type) {
  type.consume_front("memref<");
  type.consume_back(">");
  return type.split(", #gpu").first.str();
}

void tile::printMemory(const PageProgram &program, const PageKernel &kernel,
                       llvm::raw_ostream &os) {
  const KernelReport &report = *kernel.report;
  if (report.buffers.empty())
    return;
  os << R"(<h3>Shared memory</h3>
<figure class="scroll">)"
     << tilec::arena::drawChart(report.arena)
     << R"(<figcaption>Bytes upwards, the
program to the right: a box is a buffer while it is needed.</figcaption></figure>
<div class="scroll"><table><thead><tr><th class="num">bytes</th><th>buffer</th>
<th class="num">slots</th><th>line</th><th>layout</th></tr></thead><tbody>
)";
  for (const KernelReport::Buffer &buffer : report.buffers)
    os << "<tr><td class=\"num\">" << formatNumber(buffer.offset) << " – "
       << formatNumber(buffer.offset + buffer.bytes) << "</td><td><code>"
       << escapeHtml(shortenType(buffer.name))
       << "</code></td><td class=\"num\">" << buffer.slots << "</td><td>"
       << program.linkTo(buffer.location) << "</td><td><code>"
       << escapeHtml(buffer.layout) << "</code></td></tr>\n";
  os << "</tbody></table></div>\n";
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

/// "tile.load (line 12)" as a link to the line.
static std::string linkPlace(StringRef place) {
  auto [name, line] = place.split(" (line ");
  int64_t number;
  if (line.consumeInteger(10, number))
    return escapeHtml(place);
  return llvm::formatv("{0} <a href=\"#L{1}\">{1}</a>", escapeHtml(name),
                       number);
}

void tile::printLayouts(const PageProgram &program, const PageKernel &kernel,
                        llvm::raw_ostream &os) {
  const KernelReport &report = *kernel.report;
  if (report.drawings.empty())
    return;
  os << "<h3>Layouts</h3>\n<div class=\"layouts\">\n";
  for (const KernelReport::DrawnLayout &drawn : report.drawings) {
    os << "<figure><figcaption><strong><code>" << escapeHtml(drawn.type)
       << "</code></strong><span class=\"places\">"
       << llvm::join(llvm::map_range(drawn.places, linkPlace), ", ")
       << "</span></figcaption><div class=\"scroll\">"
       << tilec::drawSvg(drawn.picture).text << "</div><p><code>"
       << escapeHtml(drawn.picture.layout) << "</code><small>"
       << escapeHtml(drawn.picture.legend) << "</small></p></figure>\n";
  }
  os << "</div>\n";
}

//===----------------------------------------------------------------------===//
// Loops and instructions
//===----------------------------------------------------------------------===//

void tile::printLoops(const PageProgram &program, const PageKernel &kernel,
                      llvm::raw_ostream &os) {
  const KernelReport &report = *kernel.report;
  if (report.loops.empty())
    return;
  os << R"(<h3>Loops</h3>
<div class="scroll"><table><thead><tr><th>line</th><th class="num">stages</th>
<th class="num">steps peeled</th><th>why</th></tr></thead><tbody>
)";
  for (const KernelReport::Loop &loop : report.loops) {
    os << "<tr><td>" << program.linkTo(loop.location)
       << "</td><td class=\"num\">" << loop.stages << "</td><td class=\"num\">"
       << (loop.prologue ? loop.prologue->steps : 0)
       << "</td><td class=\"text\">" << escapeHtml(loop.reason);
    if (loop.schedule)
      os << "<small>" << escapeHtml(loop.schedule->solver)
         << " schedule; predicted cycles an iteration: ahead "
         << loop.schedule->aheadCycles << ", modulo "
         << loop.schedule->moduloCycles << "; "
         << escapeHtml(loop.schedule->reason) << "</small>";
    os << "</td></tr>\n";
  }
  os << "</tbody></table></div>\n";
}

void tile::printCounts(const PageKernel &kernel, llvm::raw_ostream &os) {
  auto families = countFamilies(kernel.ptx);
  if (families.empty())
    return;
  os << "<h3>Instructions</h3>\n<p class=\"lead\">"
     << formatNumber(kernel.instructions)
     << " in the text of the PTX, however often each is executed.</p>\n"
        "<ol class=\"counts\">\n";
  for (const auto &[family, count] : families)
    os << llvm::formatv("<li style=\"--part:{0}%\"><code>{1}</code><span>{2}"
                        "</span></li>\n",
                        100 * count / families.front().second,
                        escapeHtml(family), formatNumber(count));
  os << "</ol>\n";
}

/// A row that says which line of the source the instructions below come from.
static void printOrigin(const PageProgram &program, const PageKernel &kernel,
                        int64_t line, bool isFirst, llvm::raw_ostream &os) {
  StringRef text =
      line >= 1 && line <= static_cast<int64_t>(program.lines.size())
          ? program.lines[line - 1].trim()
          : "";
  os << "<a class=\"from\"";
  if (isFirst)
    os << " id=\"k" << kernel.number << "-" << line << "\"";
  os << " href=\"#L" << line << "\" data-line=\"" << line
     << "\"><span class=\"no\">" << line << "</span>" << highlightMlir(text)
     << "</a>\n";
}

void tile::printPtx(const PageProgram &program, const PageKernel &kernel,
                    llvm::raw_ostream &os) {
  os << R"(<h3>PTX</h3>
<div class="code ptx" tabindex="0" aria-label="PTX">
)";
  std::map<int64_t, bool> isSeen;
  int64_t current = 0;
  for (const PtxLine &line : kernel.ptx) {
    if (line.sourceLine != 0 && line.sourceLine != current) {
      current = line.sourceLine;
      printOrigin(program, kernel, current,
                  !std::exchange(isSeen[current], true), os);
    }
    os << "<code"
       << (line.sourceLine
               ? llvm::formatv(" data-line=\"{0}\"", line.sourceLine).str()
               : "")
       << ">" << highlightPtx(line.text) << "</code>\n";
  }
  os << "</div>\n";
}
