//===- SourceSection.cpp - The source beside what was decided -------------===//
//
// A row a line. One where something was decided is a <details>: in its summary the
// code and, beside it, the decisions in a few words; below them, opened, all of it. So
// it works by keyboard and without scripts.
//
//===----------------------------------------------------------------------===//

#include "Html.h"
#include "Sections.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::tile;

namespace {

/// A decision and the kernel that it was made for.
struct Note {
  const PageKernel *kernel;
  const Decision *decision;
};

using Notes = std::vector<Note>;

} // namespace

/// What is shown first of a line where there is not room for all.
static int getRank(Decision::Kind kind) {
  switch (kind) {
  case Decision::Kind::Product:
  case Decision::Kind::Copy:
  case Decision::Kind::Loop:
    return 0;
  case Decision::Kind::Buffer:
  case Decision::Kind::Access:
    return 1;
  case Decision::Kind::Conversion:
    return 2;
  case Decision::Kind::Remark:
    return 3;
  case Decision::Kind::Layout:
    return 4;
  }
  llvm_unreachable("all kinds have a rank");
}

/// The decisions of each line of the source.
static std::map<int64_t, Notes> collectNotes(const PageProgram &program) {
  std::map<int64_t, Notes> notes;
  for (const PageKernel &kernel : program.kernels)
    for (const Decision &decision : kernel.decisions)
      if (decision.place.file == program.source.file)
        notes[decision.place.line].push_back({&kernel, &decision});
  for (auto &[line, ofLine] : notes)
    llvm::sort(ofLine, [](const Note &a, const Note &b) {
      auto key = [](const Note &note) {
        return std::tuple(getRank(note.decision->kind), note.kernel->number,
                          note.decision);
      };
      return key(a) < key(b);
    });
  return notes;
}

/// "wgmma m64n64k16" of a product's instruction, "cp.async, 16 bytes an access" of a
/// copy, "Arena: Buffers 7" of a remark; other summaries as they are.
static std::string abbreviate(const Decision &decision) {
  if (decision.kind == Decision::Kind::Copy) {
    StringRef instruction = decision.detail;
    return instruction.consume_front("by ")
               ? getFamily(instruction) + ", " + decision.summary
               : decision.summary;
  }
  if (decision.kind == Decision::Kind::Remark && !decision.detail.empty())
    return decision.summary + ": " + decision.detail;
  if (decision.kind != Decision::Kind::Product)
    return decision.summary;
  SmallVector<StringRef> parts;
  StringRef(decision.summary).split(parts, '.');
  std::string text = parts.front().str();
  for (StringRef part : parts)
    if (part.size() > 3 && part.front() == 'm' && llvm::isDigit(part[1]))
      text += " " + part.str();
  return text;
}

/// Decisions of two kinds at most, and how many more there are.
static void printChips(const Notes &notes, llvm::raw_ostream &os) {
  constexpr size_t most = 2;
  SmallVector<Decision::Kind> shown;
  os << "<span class=\"chips\">";
  for (const Note &note : notes) {
    if (shown.size() == most || llvm::is_contained(shown, note.decision->kind))
      continue;
    shown.push_back(note.decision->kind);
    StringRef kind = toString(note.decision->kind);
    os << "<span class=\"chip " << kind << "\"><b>" << kind << "</b> "
       << escapeHtml(abbreviate(*note.decision)) << "</span>";
  }
  if (notes.size() > shown.size())
    os << "<span class=\"more\">+" << notes.size() - shown.size() << "</span>";
  os << "</span>";
}

static void printNotes(const PageProgram &program, int64_t line,
                       const Notes &notes, llvm::raw_ostream &os) {
  bool hasSeveral = program.kernels.size() > 1;
  os << "<dl class=\"notes\">";
  for (const auto &[kernel, decision] : notes) {
    StringRef kind = toString(decision->kind);
    os << "<dt class=\"" << kind << "\">" << kind << "</dt><dd>"
       << escapeHtml(decision->summary);
    if (!decision->detail.empty())
      os << "<small>" << escapeHtml(decision->detail) << "</small>";
    if (hasSeveral)
      os << "<small>in " << escapeHtml(kernel->report->name) << "</small>";
    os << "</dd>";
  }
  for (const PageKernel &kernel : program.kernels) {
    auto count = kernel.instructionsOfLine.find(line);
    if (count == kernel.instructionsOfLine.end())
      continue;
    os << "<dt>PTX</dt><dd><a href=\"#k" << kernel.number << "-" << line
       << "\">" << formatNumber(count->second)
       << (count->second == 1 ? " instruction" : " instructions")
       << (hasSeveral ? " of " + escapeHtml(kernel.report->name) : "")
       << "</a></dd>";
  }
  os << "</dl>";
}

void tile::printSource(const PageProgram &program, llvm::raw_ostream &os) {
  std::map<int64_t, Notes> notes = collectNotes(program);
  os << "<section id=\"source\"><h2>Source</h2>\n<div class=\"code source\">\n";
  for (size_t index = 0; index < program.lines.size(); ++index) {
    int64_t line = static_cast<int64_t>(index) + 1;
    std::string row = llvm::formatv("<span class=\"no\">{0}</span><code>{1}"
                                    "</code>",
                                    line, highlightMlir(program.lines[index]));
    auto found = notes.find(line);
    if (found == notes.end()) {
      os << "<div class=\"row\" id=\"L" << line << "\">" << row << "</div>\n";
      continue;
    }
    os << "<details id=\"L" << line << "\"><summary class=\"row\">" << row;
    printChips(found->second, os);
    os << "</summary>";
    printNotes(program, line, found->second, os);
    os << "</details>\n";
  }
  os << "</div></section>\n";
}
