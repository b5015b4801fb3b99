//===- PtxText.cpp - The lines of a kernel's PTX, for people --------------===//

#include "PtxText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

#include <map>
#include <set>
#include <tuple>

using namespace mlir::tile;
using llvm::StringRef;

/// The name of a file as it stands in PTX: letters beyond ASCII as `\303\244`.
static std::string decodeName(StringRef text) {
  std::string name;
  while (!text.empty()) {
    unsigned letter;
    bool isEscape = text.consume_front("\\");
    if (isEscape && !text.take_front(3).getAsInteger(8, letter)) {
      name += static_cast<char>(letter);
      text = text.drop_front(3);
    } else if (!text.empty()) {
      name += text.front();
      text = text.drop_front();
    }
  }
  return name;
}

/// The numbers that `.file 1 "path"` gives to `file`; the code generator may write
/// only its last part.
static std::set<unsigned> findFileNumbers(StringRef ptx, std::string file) {
  std::set<unsigned> numbers;
  llvm::replace(file, '"', '\''); // which PTX cannot say
  for (StringRef rest = ptx; !rest.empty();) {
    auto [line, next] = rest.split('\n');
    rest = next;
    line = line.trim();
    unsigned number;
    if (!line.consume_front(".file") ||
        (line = line.ltrim()).consumeInteger(10, number))
      continue;
    std::string path = decodeName(line.trim(" \t\""));
    if (path == file || StringRef(path).ends_with("/" + file) ||
        StringRef(file).ends_with("/" + path))
      numbers.insert(number);
  }
  return numbers;
}

/// Labels that mark places for debuggers, and where inline assembly begins and ends.
static bool isMark(StringRef line) {
  return line.ends_with(" inline asm") || line.starts_with("$L__tmp") ||
         line.starts_with("$L__func_begin") || line.starts_with("$L__func_end");
}

/// "add.s32" of "@%p1 add.s32 %r1, %r2, %r3;"; empty for what begins none. Operands of a
/// long one may follow on lines of their own.
static StringRef getOpcode(StringRef line) {
  if (line.starts_with("@"))
    line = line.split(' ').second.ltrim();
  if (line.empty() || !llvm::isLower(line.front()))
    return "";
  return line.take_while([](char letter) {
    return letter != ' ' && letter != '\t' && letter != ';';
  });
}

std::vector<PtxLine> mlir::tile::splitPtx(StringRef ptx, StringRef file) {
  std::set<unsigned> numbers = findFileNumbers(ptx, file.str());
  std::vector<PtxLine> lines;
  int64_t sourceLine = 0;
  bool isInside = false, isOpen = false; // in a kernel, in an instruction
  for (StringRef rest = ptx; !rest.empty();) {
    auto [line, next] = rest.split('\n');
    rest = next;
    StringRef trimmed = line.trim();
    isInside |= trimmed.starts_with(".visible .entry");
    if (!isInside || trimmed.empty() || isMark(trimmed))
      continue;
    if (trimmed.consume_front(".loc")) {
      llvm::SmallVector<StringRef> parts;
      trimmed.split(parts, ' ', -1, /*KeepEmpty=*/false);
      unsigned number = 0;
      for (StringRef &part : parts)
        part = part.trim(" \t,");
      if (parts.size() < 2 || parts[0].getAsInteger(10, number) ||
          parts[1].getAsInteger(10, sourceLine) || !numbers.count(number))
        sourceLine = 0;
      continue;
    }
    StringRef opcode = getOpcode(trimmed);
    bool isPart = isOpen || !opcode.empty();
    isOpen = isPart && !trimmed.ends_with(";");
    lines.push_back(
        {line.rtrim().str(), isPart ? sourceLine : 0, opcode.str()});
    if (line == "}")
      break;
  }
  return lines;
}

/// What says how an instruction works rather than what it does.
static bool isDetail(StringRef part) {
  static const std::set<StringRef> details = {
      "rn", "rz", "rm",   "rp",   "rna",  "ftz", "sat",     "approx", "full",
      "lo", "hi", "wide", "pred", "relu", "nc",  "aligned", "v2",     "v4"};
  StringRef digits = part;
  bool isType = part.size() > 1 && StringRef("bsuf").contains(part.front()) &&
                llvm::isDigit(digits.drop_front().front());
  return isType || part.starts_with("bf16") || part.starts_with("tf32") ||
         part.starts_with("e4m3") || part.starts_with("e5m2") ||
         details.count(part);
}

std::string mlir::tile::getFamily(StringRef opcode) {
  llvm::SmallVector<StringRef> parts;
  opcode.split(parts, '.');
  // Of copies the words up to "tensor" say which one it is.
  size_t most = parts.front() == "cp" ? 4 : 2;
  if (parts.front() == "setp" || parts.front() == "cvt")
    most = 1;
  std::string family = parts.front().str();
  for (size_t i = 1; i < std::min(parts.size(), most); ++i) {
    StringRef part = parts[i].split("::").first;
    if (isDetail(part) ||
        (parts.front() == "cp" && i >= 2 && part != "bulk" &&
         part != "tensor" && part != "commit_group" && part != "wait_group"))
      break;
    family += "." + part.str();
  }
  return family;
}

std::vector<std::pair<std::string, int64_t>>
mlir::tile::countFamilies(const std::vector<PtxLine> &lines) {
  std::map<std::string, int64_t> counts;
  for (const PtxLine &line : lines)
    if (!line.opcode.empty())
      ++counts[getFamily(line.opcode)];
  std::vector<std::pair<std::string, int64_t>> sorted(counts.begin(),
                                                      counts.end());
  llvm::sort(sorted, [](const auto &a, const auto &b) {
    return std::tie(b.second, a.first) < std::tie(a.second, b.first);
  });
  return sorted;
}
