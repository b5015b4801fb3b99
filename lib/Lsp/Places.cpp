//===- Places.cpp - Places of a text, as the protocol has them ------------===//

#include "Places.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>

using namespace mlir::tile;

TextPlaces::TextPlaces(llvm::StringRef text) : text(text), lines{0} {
  for (size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n')
      lines.push_back(i + 1);
}

/// How many UTF-16 units the bytes have. A character of four bytes has two, and bytes
/// that are no UTF-8 are counted one by one.
static int64_t countUnits(llvm::StringRef bytes) {
  int64_t units = 0;
  for (unsigned char byte : bytes) {
    bool continues = (byte & 0xc0) == 0x80;
    units += continues ? 0 : byte >= 0xf0 ? 2 : 1;
  }
  return units;
}

llvm::json::Object TextPlaces::getPosition(size_t offset) const {
  offset = std::min(offset, text.size());
  auto next = std::upper_bound(lines.begin(), lines.end(), offset);
  size_t begin = *(next - 1);
  return llvm::json::Object{
      {"line", int64_t(next - lines.begin() - 1)},
      {"character", countUnits(text.slice(begin, offset))}};
}

llvm::json::Object TextPlaces::getRange(size_t begin, size_t end) const {
  return llvm::json::Object{{"start", getPosition(begin)},
                            {"end", getPosition(end)}};
}

llvm::json::Object TextPlaces::getWordRange(int64_t line,
                                            int64_t column) const {
  size_t index = std::clamp<int64_t>(line - 1, 0, lines.size() - 1);
  llvm::StringRef rest = text.drop_front(lines[index]).split('\n').first;
  size_t at = std::min<size_t>(std::max<int64_t>(column - 1, 0), rest.size());
  size_t size = 0;
  llvm::StringRef word = rest.drop_front(at);
  auto isPart = [](char letter) {
    return llvm::isAlnum(letter) || llvm::StringRef("_.$-").contains(letter);
  };
  while (size < word.size() &&
         (isPart(word[size]) ||
          (size == 0 && llvm::StringRef("%@#!^").contains(word[size]))))
    ++size;
  size_t begin = lines[index] + at;
  return getRange(begin, begin + std::max<size_t>(size, 1));
}
