//===- Expectation.cpp - Results compared with files ---------------------===//
//
// By the rule of tile/Runtime/Comparison.h: with bounds from a file, with
// tolerances, or bit by bit where neither is given.
//
//===----------------------------------------------------------------------===//

#include "Expectation.h"

#include "tile/Emulator/Numerics.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace tilec;

/// Sets what `key=value` names; an empty string or what is wrong.
static std::string parseKey(const std::string &key, const std::string &value,
                            Expectation &expectation) {
  if (key == "type" &&
      (value == "bf16" || value == "e4m3" || value == "e5m2")) {
    expectation.type = value;
  } else if (key == "mask" && !value.empty()) {
    expectation.maskPath = value;
  } else if (key == "bounds" && !value.empty()) {
    expectation.boundsPath = value;
  } else if (key == "rtol" || key == "atol") {
    char *end = nullptr;
    double number = std::strtod(value.c_str(), &end);
    if (value.empty() || *end || !(number >= 0))
      return "'" + value + "' is not a number from 0 on";
    Tolerance &tolerance = expectation.rule.tolerance;
    (key == "rtol" ? tolerance.rtol : tolerance.atol) = number;
  } else if (key == "max-unchecked") {
    if (!parseShare(value, expectation.rule.maxUnchecked))
      return "'" + value + "' is not a share from 0% to 100%";
  } else {
    return "'" + key + "=" + value +
           "' is not type=bf16|e4m3|e5m2, rtol=X, atol=X, bounds=FILE.npy, "
           "max-unchecked=N% or mask=FILE.npy";
  }
  return "";
}

std::string tilec::parseExpectation(const std::string &text,
                                    Expectation &expectation) {
  std::vector<std::string> parts = split(text, ',');
  size_t colon = parts[0].find(':');
  if (colon == std::string::npos ||
      !parseNumber(parts[0].substr(0, colon), expectation.argument))
    return "expected ARGUMENT:FILE.npy, such as --expect=2:c.npy";
  expectation.path = parts[0].substr(colon + 1);
  for (size_t i = 1; i < parts.size(); ++i) {
    size_t equals = parts[i].find('=');
    std::string value =
        equals == std::string::npos ? "" : parts[i].substr(equals + 1);
    if (std::string error =
            parseKey(parts[i].substr(0, equals), value, expectation);
        !error.empty())
      return error;
  }
  return "";
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// What has to fit before elements can be compared; an empty string if it does.
static std::string readFiles(Expectation &expectation, uint64_t sizeBytes) {
  std::string error;
  NpyArray &expected = expectation.expected;
  const std::string &path = expectation.path;
  if (!readNpy(path, expected, error))
    return error;
  if (expected.bytes.size() != sizeBytes)
    return "'" + path + "' has " + std::to_string(expected.bytes.size()) +
           " bytes, the buffer " + std::to_string(sizeBytes);
  unsigned typeBytes = expectation.type.empty()     ? expected.itemBytes
                       : expectation.type == "bf16" ? 2
                                                    : 1;
  if (typeBytes != expected.itemBytes)
    return "'" + path + "' has elements of " +
           std::to_string(expected.itemBytes) + " bytes, not of " +
           expectation.type;
  NpyArray &mask = expectation.mask, &bounds = expectation.bounds;
  if (!expectation.maskPath.empty()) {
    if (!readNpy(expectation.maskPath, mask, error))
      return error;
    if (mask.itemBytes != 1 || mask.count() != expected.count())
      return "'" + expectation.maskPath + "' has not one byte for each element";
  }
  if (!expectation.boundsPath.empty()) {
    if (!readNpy(expectation.boundsPath, bounds, error))
      return error;
    if (bounds.typeName() != "f8" || bounds.count() != expected.count())
      return "'" + expectation.boundsPath + "' has not one f8 for each element";
  }
  return "";
}

std::string tilec::loadExpectation(Expectation &expectation,
                                   ArgumentList &arguments) {
  ArgumentBuffer *buffer = arguments.findBuffer(expectation.argument);
  if (!buffer)
    return "--expect: argument " + std::to_string(expectation.argument) +
           " is not a buffer";
  std::string error = readFiles(expectation, buffer->sizeBytes);
  return error.empty() ? "" : "--expect: " + error;
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

namespace {

/// Elements of one array as numbers.
class Elements {
public:
  Elements(const std::vector<uint8_t> &bytes, const NpyArray &like,
           const std::string &type)
      : bytes(bytes), like(like), type(type),
        isFloat(like.kind == 'f' || !type.empty()) {}

  double getFloat(size_t i) const {
    return emu::decodeFloat(format(), bits(i));
  }
  /// Sign-extended, also where the file says unsigned: as far as distances
  /// go, these are the same.
  int64_t getInteger(size_t i) const {
    unsigned shift = 64 - 8 * like.itemBytes;
    return static_cast<int64_t>(bits(i) << shift) >> shift;
  }
  double getNumber(size_t i) const {
    return isFloat ? getFloat(i) : static_cast<double>(getInteger(i));
  }
  std::string print(size_t i) const {
    char text[40];
    if (isFloat)
      std::snprintf(text, sizeof text, "%.*g", like.itemBytes > 4 ? 17 : 9,
                    getFloat(i));
    else if (like.kind == 'i')
      std::snprintf(text, sizeof text, "%lld",
                    static_cast<long long>(getInteger(i)));
    else
      std::snprintf(text, sizeof text, "%llu",
                    static_cast<unsigned long long>(bits(i)));
    return text;
  }

private:
  uint64_t bits(size_t i) const {
    uint64_t value = 0;
    std::memcpy(&value, bytes.data() + i * like.itemBytes, like.itemBytes);
    return value;
  }
  emu::ElementType format() const {
    using emu::ElementType;
    if (!type.empty())
      return type == "bf16"   ? ElementType::BF16
             : type == "e4m3" ? ElementType::E4M3
                              : ElementType::E5M2;
    return like.itemBytes == 2   ? ElementType::F16
           : like.itemBytes == 4 ? ElementType::F32
                                 : ElementType::F64;
  }

  const std::vector<uint8_t> &bytes;
  const NpyArray &like;
  std::string type;

public:
  const bool isFloat;
};

} // namespace

static Comparison compare(const Elements &actual, const Elements &expected,
                          const Expectation &expectation) {
  auto isMasked = [&](size_t i) {
    return !expectation.maskPath.empty() && expectation.mask.bytes[i] == 0;
  };
  size_t count = static_cast<size_t>(expectation.expected.count());
  RootMeanSquare scale;
  for (size_t i = 0; i < count; ++i)
    if (!isMasked(i))
      scale.add(expected.getNumber(i));
  // Integers are compared exactly where floats have a tolerance.
  ComparisonRule rule = expectation.rule;
  bool hasBounds = !expectation.boundsPath.empty() && !rule.tolerance.isGiven();
  if (!expected.isFloat)
    rule.tolerance = {};
  Comparison result(rule, scale.get());
  for (size_t i = 0; i < count; ++i) {
    if (isMasked(i)) {
      result.addUndefined();
      continue;
    }
    double bound = 0;
    if (hasBounds)
      std::memcpy(&bound, expectation.bounds.bytes.data() + i * sizeof bound,
                  sizeof bound);
    ElementDistance distance =
        expected.isFloat
            ? getFloatDistance(actual.getFloat(i), expected.getFloat(i))
            : getIntegerDistance(actual.getInteger(i), expected.getInteger(i),
                                 8 * expectation.expected.itemBytes);
    if (result.add(static_cast<int64_t>(i), distance, bound))
      result.describeFirst(actual.print(i), expected.print(i));
  }
  return result;
}

std::optional<Comparison>
tilec::checkExpectation(const Expectation &expectation, ArgumentList &arguments,
                        Executor &executor, std::string &error) {
  const ArgumentBuffer &buffer = *arguments.findBuffer(expectation.argument);
  std::vector<uint8_t> bytes(buffer.sizeBytes);
  error = executor.read(buffer.address, bytes.data(), bytes.size());
  if (!error.empty()) {
    error = "--expect: " + error;
    return std::nullopt;
  }
  const NpyArray &file = expectation.expected;
  return compare(Elements(bytes, file, expectation.type),
                 Elements(file.bytes, file, expectation.type), expectation);
}
