//===- LayoutSyntax.cpp - Text of layout attributes -----------------------===//
//
// A digit is written `extent : (steps)`, one step per logical dimension, at
// most one of them not zero. The parser turns that tuple into the pair
// (dimension, step) that the layout library works with; whether digits form a
// layout is the library's question.
//
//===----------------------------------------------------------------------===//

#include "LayoutSyntax.h"

using namespace mlir;
using namespace mlir::tile;

ParseResult tile::parseIntegerList(AsmParser &parser,
                                   SmallVectorImpl<int64_t> &list) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
    return parser.parseInteger(list.emplace_back());
  });
}

/// `extent : (0, 1)`, the part that both kinds of digit share.
static ParseResult parseDigit(AsmParser &parser, int64_t rank, int64_t &extent,
                              int &dim, int64_t &step) {
  SmallVector<int64_t> steps;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseInteger(extent) || parser.parseColon() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, [&] {
        return parser.parseInteger(steps.emplace_back());
      }))
    return failure();
  if (static_cast<int64_t>(steps.size()) != rank)
    return parser.emitError(loc)
           << "a digit must have one step per dimension of the shape: expected "
           << rank << ", got " << steps.size();
  dim = tilec::Digit::replicated;
  step = 0;
  for (auto [index, value] : llvm::enumerate(steps)) {
    if (value == 0)
      continue;
    if (step != 0)
      return parser.emitError(loc)
             << "a digit steps through one dimension, this one through " << dim
             << " and " << index << "; split it into two digits";
    dim = static_cast<int>(index);
    step = value;
  }
  return success();
}

ParseResult tile::parseDigits(AsmParser &parser, int64_t rank,
                              tilec::Digits &digits) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
    tilec::Digit &digit = digits.emplace_back();
    return parseDigit(parser, rank, digit.extent, digit.dim, digit.step);
  });
}

ParseResult tile::parseOffsetDigits(AsmParser &parser, int64_t rank,
                                    tilec::OffsetDigits &digits) {
  int64_t impliedWeight = 1;
  return parser.parseCommaSeparatedList(
      AsmParser::Delimiter::Square, [&]() -> ParseResult {
        SMLoc loc = parser.getCurrentLocation();
        tilec::OffsetDigit &digit = digits.emplace_back();
        if (parseDigit(parser, rank, digit.extent, digit.dim, digit.step))
          return failure();
        if (digit.step == 0 && digit.extent != 1)
          return parser.emitError(loc)
                 << "a digit of a shared layout cannot replicate: one of its "
                    "steps must not be zero";
        digit.weight = impliedWeight;
        if (succeeded(parser.parseOptionalKeyword("weight")) &&
            parser.parseInteger(digit.weight))
          return failure();
        if (llvm::MulOverflow(digit.weight, digit.extent, impliedWeight))
          return parser.emitError(loc) << "the offset does not fit 64 bits";
        return success();
      });
}

void tile::printOffsetDigits(AsmPrinter &printer, int64_t rank,
                             const tilec::OffsetDigits &digits) {
  int64_t impliedWeight = 1;
  printer << '[';
  llvm::interleaveComma(digits, printer, [&](const tilec::OffsetDigit &digit) {
    printer << digit.extent << " : (";
    llvm::interleaveComma(
        llvm::seq<int64_t>(0, rank), printer,
        [&](int64_t dim) { printer << (dim == digit.dim ? digit.step : 0); });
    printer << ')';
    if (digit.weight != impliedWeight)
      printer << " weight " << digit.weight;
    impliedWeight = digit.weight * digit.extent;
  });
  printer << ']';
}
