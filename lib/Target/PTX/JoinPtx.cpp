//===- JoinPtx.cpp - The PTX of parts becomes one module ------------------===//
//
// What LLVM writes of a module:
//
//   .version, .target, .address_size       the header
//     // .globl name                       a comment before each visible function
//   .extern .func .. ;  .global .. ;       declarations and variables, right behind
//                                          the first of these comments
//   .visible .entry name(..) .. { .. }     functions
//     .section .debug_macinfo { }          where there are lines of the source
//     .file 1 ".."
//
// Labels are local to a function in PTX, but LLVM numbers them through a module. So
// does this, which keeps the text the same however a module is taken apart.
//
//===----------------------------------------------------------------------===//

#include "JoinPtx.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/raw_ostream.h"

#include <vector>

using namespace mlir::tile;
using llvm::SmallVector;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Taking a text apart
//===----------------------------------------------------------------------===//

namespace {

struct Function {
  StringRef linkage; ///< the comment before it, of a visible one
  StringRef text;
};

/// The pieces of one text.
struct PtxModule {
  StringRef header;
  SmallVector<StringRef> declarations; ///< of functions
  SmallVector<StringRef> variables;
  SmallVector<Function> functions;
  StringRef section; ///< the empty one of macros; empty if there is none
  SmallVector<StringRef> files; ///< paths in quotes; file N is at N - 1
};

} // namespace

static constexpr StringRef linkagePrefix = "\t// .globl\t";
static constexpr StringRef locationPrefix = "\t.loc\t";
static constexpr StringRef filePrefix = "\t.file\t";
static constexpr StringRef macroSection = "\t.section\t.debug_macinfo\t{\t}";

static StringRef takeLine(StringRef text) {
  return text.take_front(text.find('\n') + 1);
}

/// The statement or function at the begin of `text`, with its last line end; empty if
/// the text ends in it. Lines of inline assembly are not looked at.
static StringRef takeStatement(StringRef text, bool &isFunction) {
  bool isAssembly = false;
  isFunction = false;
  for (StringRef rest = text; !rest.empty();) {
    StringRef line = takeLine(rest);
    if (line.empty())
      break;
    rest = rest.drop_front(line.size());
    StringRef content = line.trim();
    if (content == "// begin inline asm" || content == "// end inline asm")
      isAssembly = content == "// begin inline asm";
    if (isAssembly)
      continue;
    isFunction |= line == "{\n";
    if (isFunction ? line == "}\n" : line.ends_with(";\n"))
      return text.take_front(text.size() - rest.size());
  }
  return "";
}

static std::optional<PtxModule> parsePtx(StringRef text) {
  PtxModule module;
  size_t end = text.find("\n.address_size ");
  if (end == StringRef::npos)
    return std::nullopt;
  module.header = text.take_front(text.find('\n', end + 1) + 1);
  StringRef rest = text.drop_front(module.header.size());
  StringRef linkage;
  while (!rest.empty()) {
    StringRef piece = takeLine(rest);
    StringRef line = piece.drop_back();
    if (piece.empty())
      return std::nullopt;
    if (line.starts_with(linkagePrefix)) {
      linkage = piece;
    } else if (line == macroSection) {
      module.section = piece;
    } else if (line.consume_front(filePrefix)) {
      auto [number, path] = line.split(' ');
      if (number != llvm::utostr(module.files.size() + 1))
        return std::nullopt;
      module.files.push_back(path);
    } else if (line.starts_with(".")) {
      bool isFunction = false;
      piece = takeStatement(rest, isFunction);
      if (piece.empty())
        return std::nullopt;
      if (isFunction)
        module.functions.push_back({std::exchange(linkage, ""), piece});
      else
        (line.contains(".func ") ? module.declarations : module.variables)
            .push_back(piece);
    } else if (!line.empty()) {
      return std::nullopt;
    }
    rest = rest.drop_front(piece.size());
  }
  return module;
}

/// The name that a declaration, variable or function gives: the last word before its
/// parameters, extents, value or end.
static StringRef getName(StringRef text) {
  // `.func  (.param .b32 func_retval0) name(`: the result comes before the name.
  size_t begin = text.find(".func  (");
  if (begin != StringRef::npos)
    text = text.drop_front(text.find(')', begin) + 1);
  text = text.take_front(text.find_first_of("([=;\n")).rtrim();
  return text.drop_front(text.find_last_of(" \t") + 1);
}

//===----------------------------------------------------------------------===//
// Joining
//===----------------------------------------------------------------------===//

namespace {

/// What LLVM numbers through a module, and what its numbers stand behind.
struct Numbered {
  SmallVector<StringRef, 4> prefixes;
  uint64_t first = 0; ///< the number of the part's own 0
  uint64_t next = 0;  ///< the first number that no part has
};

class Joiner {
public:
  explicit Joiner(llvm::ArrayRef<PtxModule> modules) : modules(modules) {}

  std::optional<std::string> join();

private:
  using Statements = SmallVector<StringRef> PtxModule::*;

  bool addName(llvm::StringMap<StringRef> &names, StringRef statement,
               bool &isNew);
  bool writeStatements(Statements kind, llvm::StringMap<StringRef> &names);
  bool writeFunctions(const PtxModule &module);
  bool writeLocation(StringRef line, const PtxModule &module);
  void writeLine(StringRef line);

  llvm::ArrayRef<PtxModule> modules;
  llvm::StringMap<StringRef> declared, defined; ///< texts by name
  SmallVector<StringRef> files;                 ///< of all parts
  Numbered functions{
      {"$L__BB", "$L__func_begin", "$L__func_end", "__local_depot"}};
  Numbered places{{"$L__tmp"}};
  Numbered calls{{"// callseq "}};
  std::string text;
  llvm::raw_string_ostream os{text};
};

} // namespace

/// Fails where `statement` gives a name that another part gives to something else.
bool Joiner::addName(llvm::StringMap<StringRef> &names, StringRef statement,
                     bool &isNew) {
  auto [found, inserted] = names.try_emplace(getName(statement), statement);
  isNew = inserted;
  return found->second == statement;
}

/// Those of later parts come first, as convert-tile-to-nvvm puts them into a module.
bool Joiner::writeStatements(Statements kind,
                             llvm::StringMap<StringRef> &names) {
  for (const PtxModule &module : llvm::reverse(modules))
    for (StringRef statement : module.*kind) {
      bool isNew = false;
      if (!addName(names, statement, isNew))
        return false;
      if (isNew)
        os << statement;
    }
  return true;
}

/// Writes `.loc FILE LINE COLUMN` with the number that its file has in the whole.
bool Joiner::writeLocation(StringRef line, const PtxModule &module) {
  StringRef place = line.drop_front(locationPrefix.size());
  size_t file = 0;
  // More words are those of an inlined call, with labels of another section.
  if (place.consumeInteger(10, file) || file == 0 ||
      file > module.files.size() || place.count(' ') != 2)
    return false;
  StringRef path = module.files[file - 1];
  auto *found = llvm::find(files, path);
  os << locationPrefix << found - files.begin() + 1 << place;
  if (found == files.end())
    files.push_back(path);
  return true;
}

/// Writes `line` with the numbers that its labels have in the whole.
void Joiner::writeLine(StringRef line) {
  while (true) {
    size_t begin = StringRef::npos;
    StringRef prefix;
    Numbered *kind = nullptr;
    for (Numbered *numbered : {&functions, &places, &calls})
      for (StringRef candidate : numbered->prefixes)
        if (size_t at = line.find(candidate); at < begin)
          std::tie(begin, prefix, kind) = {at, candidate, numbered};
    if (!kind)
      break;
    os << line.take_front(begin + prefix.size());
    line = line.drop_front(begin + prefix.size());
    uint64_t number = 0;
    if (line.consumeInteger(10, number))
      continue;
    number += kind->first;
    os << number;
    kind->next = std::max(kind->next, number + 1);
  }
  os << line;
}

bool Joiner::writeFunctions(const PtxModule &module) {
  for (Numbered *numbered : {&functions, &places, &calls})
    numbered->first = numbered->next;
  for (const Function &function : module.functions) {
    bool isNew = false;
    if (!addName(defined, function.text, isNew))
      return false;
    if (!isNew)
      continue;
    // That of the very first function stands before the declarations.
    if (&function != modules.front().functions.begin())
      os << function.linkage;
    for (StringRef rest = function.text; !rest.empty();) {
      StringRef line = takeLine(rest);
      rest = rest.drop_front(line.size());
      if (!line.starts_with(locationPrefix))
        writeLine(line);
      else if (!writeLocation(line, module))
        return false;
    }
  }
  functions.next = functions.first + module.functions.size();
  return true;
}

std::optional<std::string> Joiner::join() {
  const PtxModule &first = modules.front();
  os << first.header << '\n';
  if (!first.functions.empty())
    os << first.functions.front().linkage;
  if (!writeStatements(&PtxModule::declarations, declared) ||
      !writeStatements(&PtxModule::variables, defined))
    return std::nullopt;
  os << '\n';
  StringRef section;
  for (const PtxModule &module : modules) {
    if (module.header != first.header || !writeFunctions(module))
      return std::nullopt;
    if (!module.section.empty())
      section = module.section;
  }
  os << section;
  for (auto [index, path] : llvm::enumerate(files))
    os << filePrefix << index + 1 << ' ' << path << '\n';
  return std::move(text);
}

std::optional<std::string>
mlir::tile::joinPtx(llvm::ArrayRef<std::string> parts) {
  std::vector<PtxModule> modules;
  for (const std::string &part : parts) {
    std::optional<PtxModule> module = parsePtx(part);
    if (!module)
      return std::nullopt;
    modules.push_back(std::move(*module));
  }
  return Joiner(modules).join();
}
