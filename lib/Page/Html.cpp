//===- Html.cpp - Text that goes into a page ------------------------------===//

#include "Html.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

using namespace mlir::tile;
using llvm::StringRef;

std::string mlir::tile::escapeHtml(StringRef text) {
  std::string escaped;
  llvm::raw_string_ostream os(escaped);
  llvm::printHTMLEscaped(text, os);
  return escaped;
}

std::string mlir::tile::formatNumber(int64_t number) {
  std::string digits = std::to_string(number);
  size_t first = number < 0 ? 1 : 0;
  for (size_t at = digits.size(); at > first + 3;)
    digits.insert(at -= 3, ",");
  return digits;
}

static std::string mark(const char *kind, StringRef text) {
  return std::string("<i class=\"") + kind + "\">" + escapeHtml(text) + "</i>";
}

static bool isWord(char letter) {
  return llvm::isAlnum(letter) || letter == '_' || letter == '.' ||
         letter == '$' || letter == '-';
}

/// What begins at `text`, up to where it ends.
static StringRef takeName(StringRef text) {
  StringRef name = text.drop_front().take_while(isWord);
  return text.take_front(1 + name.size());
}

/// Up to the quote that ends a string.
static StringRef takeString(StringRef text) {
  size_t end = 1;
  while (end < text.size() && text[end] != '"')
    end += text[end] == '\\' ? 2 : 1;
  return text.take_front(std::min(end + 1, text.size()));
}

std::string mlir::tile::highlightMlir(StringRef line) {
  std::string html;
  bool isFirst = true; // nothing but results before: an operation may begin
  while (!line.empty()) {
    StringRef token = line.take_front(1);
    char letter = line.front();
    if (line.starts_with("//")) {
      return html + mark("c", line);
    } else if (letter == '"') {
      token = takeString(line);
      html += mark("s", token);
    } else if (letter == '%' || letter == '^') {
      token = takeName(line);
      html += mark("v", token);
    } else if (letter == '@' || letter == '#' || letter == '!') {
      token = takeName(line);
      html += mark("n", token);
    } else if (llvm::isAlpha(letter)) {
      token = line.take_while(isWord);
      // An operation is the first word with a dot: `scf.for`, not `dims`.
      bool isOperation = isFirst && token.contains('.');
      html += isOperation ? mark("o", token) : escapeHtml(token);
      isFirst = false;
    } else {
      html += escapeHtml(token);
      isFirst |= letter == '=';
    }
    line = line.drop_front(token.size());
  }
  return html;
}

std::string mlir::tile::highlightPtx(StringRef line) {
  size_t comment = line.find("//");
  std::string tail;
  if (comment != StringRef::npos) {
    tail = mark("c", line.drop_front(comment));
    line = line.take_front(comment);
  }
  StringRef trimmed = line.ltrim();
  std::string indent(trimmed.empty() || line.size() == trimmed.size() ? 0 : 2,
                     ' ');
  if (trimmed.starts_with("$") || trimmed.starts_with("."))
    return indent + mark("n", trimmed.split(' ').first) +
           escapeHtml(trimmed.drop_front(trimmed.split(' ').first.size())) +
           tail;
  std::string html = indent;
  if (trimmed.starts_with("@")) {
    html += mark("v", trimmed.split(' ').first) + " ";
    trimmed = trimmed.split(' ').second.ltrim();
  }
  StringRef opcode = trimmed.take_until([](char letter) {
    return letter == ' ' || letter == '\t' || letter == ';';
  });
  bool isInstruction = !opcode.empty() && llvm::isLower(opcode.front());
  html += isInstruction ? mark("o", opcode) : escapeHtml(opcode);
  std::string rest = trimmed.drop_front(opcode.size()).str();
  std::replace(rest.begin(), rest.end(), '\t', ' ');
  return html + escapeHtml(rest) + tail;
}
