//===- Page.cpp - A compiled program as one HTML page ---------------------===//

#include "tile/Page/Page.h"

#include "Html.h"
#include "Sections.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::tile;

/// The page's style and script, which CMake puts here as they stand in page.css and
/// page.js.
static constexpr char style[] =
#include "page.css.inc"
    ;
static constexpr char script[] =
#include "page.js.inc"
    ;

std::string PageProgram::linkTo(StringRef location) const {
  std::optional<SourcePlace> place = parsePlace(location);
  if (!place)
    return escapeHtml(location);
  if (place->file != source.file)
    return escapeHtml(llvm::sys::path::filename(location));
  return llvm::formatv("<a href=\"#L{0}\">{0}</a>", place->line);
}

static PageKernel describeKernel(size_t number, const KernelReport &report,
                                 const CompiledProgram &program,
                                 const PageSource &source) {
  PageKernel kernel;
  kernel.number = number;
  kernel.report = &report;
  kernel.decisions = getDecisions(report);
  kernel.ptx = splitPtx(program.getKernelPtx(report.name), source.file);
  for (const PtxLine &line : kernel.ptx) {
    if (line.opcode.empty())
      continue;
    ++kernel.instructions;
    if (line.sourceLine)
      ++kernel.instructionsOfLine[line.sourceLine];
  }
  return kernel;
}

static void printHead(const PageProgram &program, llvm::raw_ostream &os) {
  std::string name = escapeHtml(llvm::sys::path::filename(program.source.file));
  os << R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>)"
     << name << ", " << program.chip << "</title>\n<style>\n"
     << style << "</style>\n</head>\n<body>\n<header><div class=\"bar\"><h1>"
     << name << "</h1><span class=\"chip-name\">" << program.chip << R"(</span>
<nav aria-label="Parts of this page"><a href="#overview">Kernels</a><a href="#source">Source</a>)";
  for (const PageKernel &kernel : program.kernels)
    os << "<a href=\"#k" << kernel.number << "\">"
       << escapeHtml(kernel.report->name) << "</a>";
  os << R"(</nav>
<button id="theme" type="button" hidden title="Light or dark, key t">Theme</button></div></header>
<main>
)";
}

static void printKernel(const PageProgram &program, const PageKernel &kernel,
                        llvm::raw_ostream &os) {
  os << "<section id=\"k" << kernel.number << "\" data-kernel=\""
     << kernel.number << "\"><h2>" << escapeHtml(kernel.report->name)
     << "</h2>\n";
  printMemory(program, kernel, os);
  printLayouts(program, kernel, os);
  printLoops(program, kernel, os);
  printCounts(kernel, os);
  printPtx(program, kernel, os);
  os << "</section>\n";
}

void tile::printPage(const PageSource &source, const CompiledProgram &compiled,
                     llvm::raw_ostream &os) {
  PageProgram program{source, escapeHtml(compiled.chip), {}, {}};
  for (auto [number, report] : llvm::enumerate(compiled.kernels))
    program.kernels.push_back(describeKernel(number, report, compiled, source));
  for (StringRef rest = StringRef(source.text).rtrim(); !rest.empty();) {
    auto [line, next] = rest.split('\n');
    program.lines.push_back(line.rtrim("\r"));
    rest = next;
  }
  printHead(program, os);
  printFacts(program, os);
  printSource(program, os);
  for (const PageKernel &kernel : program.kernels)
    printKernel(program, kernel, os);
  os << R"(</main>
<footer>Keys: <kbd>j</kbd> <kbd>k</kbd> next and previous decision, <kbd>e</kbd> all open
or closed, <kbd>t</kbd> light or dark</footer>
<script>
)" << script
     << "</script>\n</body>\n</html>\n";
}
