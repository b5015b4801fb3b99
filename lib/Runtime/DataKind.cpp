//===- DataKind.cpp - What arguments are filled with ---------------------===//
//
// Own distributions on top of the standard generator, because the standard ones
// give different numbers with different libraries.
//
//===----------------------------------------------------------------------===//

#include "tile/Runtime/DataKind.h"

#include "ParseElement.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>
#include <numeric>
#include <random>

using namespace mlir;
using namespace mlir::tile;
using namespace mlir::tile::reference;

namespace {

struct KindInfo {
  llvm::StringLiteral name;
  DataKind::Kind kind;
  std::vector<double> defaults;
};

const std::vector<KindInfo> &getKinds() {
  static const std::vector<KindInfo> kinds = {
      {"normal", DataKind::Kind::Normal, {0, 1}},
      {"uniform", DataKind::Kind::Uniform, {0, 1}},
      {"integers", DataKind::Kind::Integers, {-3, 3}},
      {"zeros", DataKind::Kind::Zeros, {}},
      {"iota", DataKind::Kind::Iota, {}},
      {"perm", DataKind::Kind::Perm, {}},
      {"values", DataKind::Kind::Values, {}},
      {"metadata", DataKind::Kind::Metadata, {}},
  };
  return kinds;
}

bool parseParameters(llvm::StringRef text, DataKind &result) {
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, ',');
  result.parameters.clear();
  for (llvm::StringRef part : parts) {
    std::string number = part.trim().str();
    char *end = nullptr;
    double value = std::strtod(number.c_str(), &end);
    if (number.empty() || *end != '\0')
      return false;
    result.parameters.push_back(value);
    if (result.kind == DataKind::Kind::Values)
      result.texts.push_back(number);
  }
  return true;
}

/// The integer nearest to `value`, of which `bits` are left; 0 of none.
int64_t toInteger(double value, unsigned bits) {
  // With one bit more than unsigned integers have, for the sign.
  llvm::APSInt integer(65, /*isUnsigned=*/false);
  bool isExact;
  llvm::APFloat(value).convertToInteger(
      integer, llvm::APFloat::rmNearestTiesToEven, &isExact);
  return signExtend(integer.trunc(64).getSExtValue(), bits);
}

/// A number in (0, 1).
double getUniform(std::mt19937_64 &random) {
  return (static_cast<double>(random() >> 11) + 0.5) * 0x1p-53;
}

double getNormal(std::mt19937_64 &random) {
  // Box-Muller; the second value of each pair is not used.
  double radius = std::sqrt(-2.0 * std::log(getUniform(random)));
  return radius * std::cos(2.0 * std::numbers::pi * getUniform(random));
}

/// Two increasing positions below four, lowest first, in every four bits.
uint32_t getMetadata(std::mt19937_64 &random, unsigned bits) {
  constexpr uint32_t pairs[] = {0x4, 0x8, 0xc, 0x9, 0xd, 0xe};
  uint32_t word = 0;
  for (unsigned at = 0; at + 4 <= std::min(bits, 32u); at += 4)
    word |= pairs[random() % std::size(pairs)] << at;
  return word;
}

/// What numbers of the right count cannot mean, or empty.
std::string getMistake(DataKind::Kind kind, const std::vector<double> &p) {
  bool isRange =
      kind == DataKind::Kind::Uniform || kind == DataKind::Kind::Integers;
  if (isRange || kind == DataKind::Kind::Normal)
    for (double number : p)
      if (!std::isfinite(number))
        return "its numbers must be finite";
  if (isRange && p[0] > p[1])
    return "the first number must not be above the second";
  if (kind == DataKind::Kind::Integers &&
      (p[0] != std::floor(p[0]) || p[1] != std::floor(p[1])))
    return "both ends must be integers";
  if (kind == DataKind::Kind::Normal && p[1] < 0)
    return "the deviation must not be negative";
  return "";
}

} // namespace

std::optional<DataKind> DataKind::parse(llvm::StringRef text,
                                        std::string &error) {
  auto [name, rest] = text.split('(');
  const KindInfo *info = nullptr;
  for (const KindInfo &candidate : getKinds())
    if (candidate.name == name.trim())
      info = &candidate;
  if (!info) {
    error = "unknown kind of data '" + name.trim().str() +
            "'; known: normal(mean,deviation), uniform(lo,hi), "
            "integers(lo,hi), zeros, iota, perm, values(a,b,..), metadata";
    return std::nullopt;
  }
  DataKind result{info->kind, info->defaults};
  bool hasParameters = text.contains('(');
  bool takesNone = info->kind != Kind::Values && info->defaults.empty();
  if (takesNone && hasParameters) {
    error = "'" + name.trim().str() + "' takes no numbers";
    return std::nullopt;
  }
  bool isValid = !hasParameters ||
                 (rest.consume_back(")") && parseParameters(rest, result) &&
                  (info->kind == Kind::Values ||
                   result.parameters.size() == info->defaults.size()));
  if (!isValid || (info->kind == Kind::Values && !hasParameters)) {
    error = "'" + name.trim().str() + "' takes " +
            (info->kind == Kind::Values
                 ? std::string("a list of numbers")
                 : std::to_string(info->defaults.size()) + " numbers") +
            " in parentheses";
    return std::nullopt;
  }
  std::string mistake = getMistake(info->kind, result.parameters);
  if (!mistake.empty()) {
    error = mistake;
    return std::nullopt;
  }
  return result;
}

DataKind DataKind::getDefault(ElementType type) {
  if (type.isFloat)
    return {Kind::Normal, {0, 1}};
  if (type.bits == 1)
    return {Kind::Integers, {0, 1}};
  if (type.bits <= 8)
    return {Kind::Integers, {-3, 3}};
  return {Kind::Zeros, {}};
}

std::string DataKind::findMisfit(ElementType type) const {
  std::string error;
  for (const std::string &text : texts)
    if (!parseElement(text, type, error))
      return text + " " + error;
  return "";
}

/// The list of `values` as integers of `bits` bits.
static std::vector<int64_t> getIntegers(const DataKind &kind, unsigned bits) {
  std::vector<int64_t> integers;
  std::string error;
  for (auto [text, number] : llvm::zip_equal(kind.texts, kind.parameters)) {
    auto exact = parseElement(text, ElementType::integer(bits), error);
    integers.push_back(exact ? exact->integers[0] : toInteger(number, bits));
  }
  return integers;
}

Array mlir::tile::makeData(const DataKind &kind, ElementType type,
                           int64_t count, uint64_t seed) {
  std::mt19937_64 random(seed);
  Array result(type, count);
  std::vector<int64_t> permutation;
  if (kind.kind == DataKind::Kind::Perm) {
    permutation.resize(count);
    std::iota(permutation.begin(), permutation.end(), 0);
    for (int64_t i = count; i > 1; --i)
      std::swap(permutation[i - 1],
                permutation[random() % static_cast<uint64_t>(i)]);
  }
  const std::vector<double> &p = kind.parameters;
  if (kind.kind == DataKind::Kind::Values && !type.isFloat) {
    std::vector<int64_t> integers = getIntegers(kind, type.bits);
    for (int64_t i = 0; i < count; ++i)
      result.integers[i] = integers[i % integers.size()];
    return result;
  }
  auto make = [&](int64_t i) -> double {
    switch (kind.kind) {
    case DataKind::Kind::Normal:
      return p[0] + p[1] * getNormal(random);
    case DataKind::Kind::Uniform:
      return p[0] + (p[1] - p[0]) * getUniform(random);
    case DataKind::Kind::Integers:
      return std::floor(p[0] + (p[1] - p[0] + 1) * getUniform(random));
    case DataKind::Kind::Zeros:
      return 0.0;
    case DataKind::Kind::Iota:
      return static_cast<double>(i);
    case DataKind::Kind::Perm:
      return static_cast<double>(permutation[i]);
    case DataKind::Kind::Values:
      return p[i % p.size()];
    case DataKind::Kind::Metadata:
      return static_cast<double>(getMetadata(random, type.bits));
    }
    return 0.0;
  };
  for (int64_t i = 0; i < count; ++i) {
    double value = make(i);
    if (type.isFloat)
      result.setDouble(i, roundTo(value, type.format));
    else
      result.integers[i] = toInteger(value, type.bits);
  }
  return result;
}
