//===- ParseElement.cpp - Elements as people write them -------------------===//

#include "ParseElement.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Error.h"

#include <cstdlib>

using namespace mlir::tile;
using namespace mlir::tile::reference;
using llvm::APFloat;
using llvm::APInt;
using llvm::APSInt;
using llvm::StringRef;

/// The numbers that `bits` bits can mean, signed or unsigned.
static std::string describeRange(unsigned bits) {
  if (bits == 1)
    return "i1, which is true or false";
  APInt least = APInt::getSignedMinValue(bits), most = APInt::getMaxValue(bits);
  return "i" + std::to_string(bits) + ", which is from " +
         llvm::toString(least, 10, /*Signed=*/true) + " to " +
         llvm::toString(most, 10, /*Signed=*/false);
}

/// Decimal, or what `0x`, `0o` and `0b` say; of any length.
static bool parseMagnitude(StringRef digits, APInt &magnitude) {
  bool hasPrefix =
      digits.size() > 2 && digits[0] == '0' && llvm::isAlpha(digits[1]);
  return !digits.empty() && llvm::isDigit(digits.front()) &&
         !digits.getAsInteger(hasPrefix ? 0 : 10, magnitude);
}

/// The digits of a whole number that is written as a float is, `1e3` or `2.0`; else
/// `text`.
static std::string spellWhole(StringRef text) {
  APFloat value(APFloat::IEEEquad());
  auto status = value.convertFromString(text, APFloat::rmNearestTiesToEven);
  if (!status) {
    llvm::consumeError(status.takeError());
    return text.str();
  }
  APSInt whole(/*BitWidth=*/128, /*isUnsigned=*/false);
  bool isExact = false;
  value.convertToInteger(whole, APFloat::rmTowardZero, &isExact);
  return *status == APFloat::opOK && isExact ? llvm::toString(whole, 10)
                                             : text.str();
}

static std::optional<Array> parseInteger(StringRef text, unsigned bits,
                                         std::string &error) {
  bool isFloat = text.find_first_of(".eE") != StringRef::npos &&
                 !text.contains_insensitive("0x");
  std::string spelled = isFloat ? spellWhole(text) : text.str();
  StringRef digits = text == "true"    ? "1"
                     : text == "false" ? "0"
                                       : StringRef(spelled);
  bool isNegative = digits.consume_front("-");
  if (!isNegative)
    digits.consume_front("+");
  APInt magnitude;
  if (!parseMagnitude(digits, magnitude)) {
    error = "is not an integer";
    return std::nullopt;
  }
  unsigned active = magnitude.getActiveBits();
  bool isInRange = isNegative ? active < bits || (bits > 1 && active == bits &&
                                                  magnitude.isPowerOf2())
                              : active <= bits;
  if (!isInRange) {
    error = "is no " + describeRange(bits);
    return std::nullopt;
  }
  APInt value = magnitude.zextOrTrunc(bits);
  return Array::integer((isNegative ? -value : value).getSExtValue(), bits);
}

std::optional<Array> mlir::tile::parseElement(StringRef text, ElementType type,
                                              std::string &error) {
  if (!type.isFloat)
    return parseInteger(text, type.bits, error);
  std::string number = text.str();
  char *end = nullptr;
  double value = std::strtod(number.c_str(), &end);
  if (number.empty() || *end) {
    error = "is not a number";
    return std::nullopt;
  }
  Array element(type, 1);
  element.setDouble(0, roundTo(value, type.format));
  return element;
}
