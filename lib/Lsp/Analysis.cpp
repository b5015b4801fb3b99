//===- Analysis.cpp - What an editor shows of a text ----------------------===//

#include "tile/Lsp/Analysis.h"

#include "Hovers.h"
#include "Places.h"

#include "tile/Analysis/ModuleTarget.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/LSP/Protocol.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace mlir::tile;
namespace json = llvm::json;

namespace {

/// Severities of the protocol.
constexpr int64_t error = 1, warning = 2, information = 3, hint = 4;

/// A part of a text: a module, and what is found out about it.
class Part {
public:
  Part(const AnalysisInput &input, StringRef file, const TextPlaces &places,
       size_t begin, StringRef text)
      : input(input), file(file), places(places), begin(begin), text(text) {}

  /// Adds what parsing and verifying says, and what compiling says.
  void parse(const DialectRegistry &registry);
  void compile();

  void addTo(json::Array &diagnostics, json::Array &hovers,
             json::Array &texts) const;

private:
  void add(Diagnostic &diagnostic);
  void addRemarks(const CompiledProgram &program);
  void addHovers(const CompiledProgram *program);
  void addHover(ArrayRef<SMRange> ranges, std::string words);
  json::Object getRange(Location loc) const;
  std::string getChip() const;
  int64_t countLinesBefore() const {
    return StringRef(input.text).take_front(begin).count('\n');
  }
  std::string shortenPlaces(StringRef words) const;

  const AnalysisInput &input;
  StringRef file; ///< as locations name it
  const TextPlaces &places;
  size_t begin; ///< of the part in the text
  StringRef text;

  std::unique_ptr<MLIRContext> context;
  llvm::SourceMgr sources;
  AsmParserState state;
  OwningOpRef<ModuleOp> module; ///< null where the text is none
  ValueLayouts layouts;
  json::Array diagnostics;
  struct Hover {
    size_t begin, end; ///< bytes of the whole text
    size_t words;      ///< index
  };
  std::vector<Hover> hovers;
  std::vector<std::string> words;
};

} // namespace

//===----------------------------------------------------------------------===//
// Diagnostics
//===----------------------------------------------------------------------===//

static int64_t getSeverity(DiagnosticSeverity severity) {
  switch (severity) {
  case DiagnosticSeverity::Error:
    return error;
  case DiagnosticSeverity::Warning:
    return warning;
  case DiagnosticSeverity::Note:
  case DiagnosticSeverity::Remark:
    return information;
  }
  llvm_unreachable("all severities are named");
}

/// The first line is where a place has none, or is one of another file.
json::Object Part::getRange(Location loc) const {
  auto place = loc->findInstanceOf<FileLineColLoc>();
  if (!place || place.getFilename() != file)
    return places.getRange(begin, begin);
  return places.getWordRange(countLinesBefore() + place.getLine(),
                             place.getColumn());
}

/// "line 12" for the "/home/../gemm.mlir:12:3" of this text.
std::string Part::shortenPlaces(StringRef words) const {
  std::string shorter;
  std::string front = (file + ":").str();
  for (size_t at; (at = words.find(front)) != StringRef::npos;) {
    StringRef rest = words.drop_front(at + front.size());
    int64_t line, column;
    if (rest.consumeInteger(10, line) || !rest.consume_front(":") ||
        rest.consumeInteger(10, column)) {
      shorter += words.take_front(at + front.size());
      words = words.drop_front(at + front.size());
      continue;
    }
    shorter += words.take_front(at);
    shorter += "line " + std::to_string(countLinesBefore() + line);
    words = rest;
  }
  return shorter + words.str();
}

void Part::add(Diagnostic &diagnostic) {
  json::Array related;
  for (Diagnostic &note : diagnostic.getNotes())
    related.push_back(json::Object{
        {"location", json::Object{{"uri", input.uri},
                                  {"range", getRange(note.getLocation())}}},
        {"message", note.str()}});
  json::Object object{{"range", getRange(diagnostic.getLocation())},
                      {"severity", getSeverity(diagnostic.getSeverity())},
                      {"source", "tile"},
                      {"message", diagnostic.str()}};
  if (!related.empty())
    object["relatedInformation"] = std::move(related);
  diagnostics.push_back(std::move(object));
}

/// What passes remarked on, at its line.
void Part::addRemarks(const CompiledProgram &program) {
  for (const KernelReport &report : program.kernels)
    for (const Decision &decision : getDecisions(report)) {
      bool isLoop = decision.kind == Decision::Kind::Loop;
      if (decision.kind != Decision::Kind::Remark &&
          (!isLoop || decision.detail.empty()))
        continue;
      Location loc =
          FileLineColLoc::get(context.get(), decision.place.file,
                              decision.place.line, decision.place.column);
      diagnostics.push_back(json::Object{
          {"range", getRange(loc)},
          {"severity", hint},
          {"source", "tile " + program.chip},
          {"message",
           shortenPlaces(isLoop ? decision.detail
                                : decision.summary + ": " + decision.detail)}});
    }
}

//===----------------------------------------------------------------------===//
// Hovers
//===----------------------------------------------------------------------===//

void Part::addHover(ArrayRef<SMRange> ranges, std::string text) {
  if (text.empty())
    return;
  const char *base =
      sources.getMemoryBuffer(sources.getMainFileID())->getBufferStart();
  for (SMRange range : ranges)
    if (range.isValid())
      hovers.push_back({begin + (range.Start.getPointer() - base),
                        begin + (range.End.getPointer() - base), words.size()});
  words.push_back(shortenPlaces(text));
}

void Part::addHovers(const CompiledProgram *program) {
  HoverTexts texts(layouts, program);
  hovers.clear();
  words.clear();
  auto addDefinition = [&](SmallVector<SMRange> &ranges,
                           const AsmParserState::SMDefinition &definition) {
    ranges.push_back(definition.loc);
    llvm::append_range(ranges, definition.uses);
  };
  for (const AsmParserState::OperationDefinition &op : state.getOpDefs()) {
    SmallVector<SMRange> ranges{op.loc};
    for (const auto &group : op.resultGroups)
      addDefinition(ranges, group.definition);
    addHover(ranges, texts.describe(op.op));
  }
  for (const AsmParserState::BlockDefinition &block : state.getBlockDefs())
    for (auto [index, argument] : llvm::enumerate(block.arguments)) {
      if (index >= block.block->getNumArguments())
        break;
      SmallVector<SMRange> ranges;
      addDefinition(ranges, argument);
      addHover(ranges, texts.describe(block.block->getArgument(index)));
    }
}

//===----------------------------------------------------------------------===//
// Phases
//===----------------------------------------------------------------------===//

void Part::parse(const DialectRegistry &registry) {
  context = std::make_unique<MLIRContext>(registry);
  context->printOpOnDiagnostic(false); // the line of the source says it better
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text, file),
                             SMLoc());
  ScopedDiagnosticHandler handler(context.get(), [&](Diagnostic &diagnostic) {
    add(diagnostic);
    return success();
  });
  auto parsed = ModuleOp::create(
      FileLineColLoc::get(context.get(), file, /*line=*/1, /*column=*/1));
  OwningOpRef<ModuleOp> owner(parsed);
  ParserConfig config(context.get(), /*verifyAfterParse=*/true);
  if (failed(parseAsmSourceFile(sources, parsed.getBody(), config, &state)))
    return;
  // A file that is one module is that module.
  Block *body = parsed.getBody();
  if (llvm::hasSingleElement(*body))
    if (auto only = dyn_cast<ModuleOp>(body->front())) {
      only->remove();
      owner = only;
    }
  module = std::move(owner);
  layouts.add(*module);
  addHovers(/*program=*/nullptr);
}

/// The module's chip is found by the compiler; another one is only for those without.
std::string Part::getChip() const {
  if (TileDialect::TargetAttrHelper(context.get()).isAttrPresent(*module))
    return "";
  return input.chip.empty() ? std::string(tilec::getKnownTargets().front().name)
                            : input.chip;
}

void Part::compile() {
  if (!module)
    return;
  WalkResult holdsWork = module->walk([](Operation *op) {
    return isa<LaunchOp, gpu::GPUFuncOp>(op) ? WalkResult::interrupt()
                                             : WalkResult::advance();
  });
  if (!holdsWork.wasInterrupted())
    return;
  ScopedDiagnosticHandler handler(context.get(), [&](Diagnostic &diagnostic) {
    add(diagnostic);
    return success();
  });
  CompileOptions options;
  options.chip = getChip();
  options.configure = [&](PassManager &pm) {
    layouts.watch(pm);
    return success();
  };
  FailureOr<CompiledProgram> program = tile::compile(*module, options);
  if (succeeded(program))
    addRemarks(*program);
  addHovers(succeeded(program) ? &*program : nullptr);
}

void Part::addTo(json::Array &allDiagnostics, json::Array &allHovers,
                 json::Array &allTexts) const {
  for (const json::Value &diagnostic : diagnostics)
    allDiagnostics.push_back(diagnostic);
  int64_t first = allTexts.size();
  for (const Hover &hover : hovers)
    allHovers.push_back(
        json::Object{{"range", places.getRange(hover.begin, hover.end)},
                     {"text", first + int64_t(hover.words)}});
  for (const std::string &text : words)
    allTexts.push_back(text);
}

//===----------------------------------------------------------------------===//
// Texts
//===----------------------------------------------------------------------===//

/// Where parts begin: behind lines that separate modules.
static std::vector<std::pair<size_t, StringRef>> splitText(StringRef text) {
  std::vector<std::pair<size_t, StringRef>> parts;
  size_t begin = 0;
  for (size_t at = 0; at < text.size();) {
    size_t end = text.find('\n', at);
    size_t next = end == StringRef::npos ? text.size() : end + 1;
    if (text.slice(at, next).trim() == "// -----") {
      parts.emplace_back(begin, text.slice(begin, at));
      begin = next;
    }
    at = next;
  }
  parts.emplace_back(begin, text.drop_front(begin));
  return parts;
}

/// A document that is no file goes by its address.
static std::string getFile(StringRef uri) {
  llvm::Expected<llvm::lsp::URIForFile> file =
      llvm::lsp::URIForFile::fromURI(uri);
  if (file)
    return file->file().str();
  llvm::consumeError(file.takeError());
  return uri.str();
}

void tile::analyse(const AnalysisInput &input, const DialectRegistry &registry,
                   llvm::raw_ostream &os) {
  std::string file = getFile(input.uri);
  TextPlaces places(input.text);
  std::vector<std::unique_ptr<Part>> parts;
  for (auto [begin, text] : splitText(input.text))
    parts.push_back(std::make_unique<Part>(input, file, places, begin, text));
  auto print = [&](StringRef phase) {
    json::Array diagnostics, hovers, texts;
    for (const auto &part : parts)
      part->addTo(diagnostics, hovers, texts);
    os << json::Value(json::Object{{"phase", phase},
                                   {"diagnostics", std::move(diagnostics)},
                                   {"hovers", std::move(hovers)},
                                   {"texts", std::move(texts)}})
       << "\n";
    os.flush();
  };
  for (const auto &part : parts)
    part->parse(registry);
  print("parsed");
  for (const auto &part : parts)
    part->compile();
  print("compiled");
}
