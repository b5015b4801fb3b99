//===- Expectation.cpp - Results compared with files ---------------------===//
//
// Elements are compared bit by bit where both tolerances are zero, with any NaN
// equal to any NaN; integers always.
//
//===----------------------------------------------------------------------===//

#include "Expectation.h"

#include "tile/Emulator/Numerics.h"

#include <cmath>
#include <cstdio>
#include <cstring>

using namespace tilec;

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
    std::string key = parts[i].substr(0, equals);
    std::string value =
        equals == std::string::npos ? "" : parts[i].substr(equals + 1);
    if (key == "type" &&
        (value == "bf16" || value == "e4m3" || value == "e5m2")) {
      expectation.type = value;
    } else if (key == "mask" && !value.empty()) {
      expectation.maskPath = value;
    } else if (key == "rtol" || key == "atol") {
      char *end = nullptr;
      double number = std::strtod(value.c_str(), &end);
      if (value.empty() || *end || !(number >= 0))
        return "'" + value + "' is not a number from 0 on";
      (key == "rtol" ? expectation.rtol : expectation.atol) = number;
    } else {
      return "'" + parts[i] +
             "' is not type=bf16|e4m3|e5m2, rtol=X, atol=X or mask=FILE.npy";
    }
  }
  return "";
}

namespace {

/// Elements of one array as numbers.
class Elements {
public:
  Elements(const std::vector<uint8_t> &bytes, const NpyArray &like,
           const std::string &type)
      : bytes(bytes), like(like), type(type),
        isFloat(like.kind == 'f' || !type.empty()) {}

  uint64_t bits(size_t i) const {
    uint64_t value = 0;
    std::memcpy(&value, bytes.data() + i * like.itemBytes, like.itemBytes);
    return value;
  }
  double number(size_t i) const {
    uint64_t value = bits(i);
    if (!isFloat && like.kind == 'i') {
      unsigned shift = 64 - 8 * like.itemBytes;
      return static_cast<double>(static_cast<int64_t>(value << shift) >> shift);
    }
    return isFloat ? emu::decodeFloat(format(), value)
                   : static_cast<double>(value);
  }

private:
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

struct Difference {
  size_t count = 0, first = 0, compared = 0;
  double largest = 0;
};

} // namespace

static bool isClose(const Elements &actual, const Elements &expected, size_t i,
                    const Expectation &expectation, double &difference) {
  difference = 0;
  if (actual.bits(i) == expected.bits(i))
    return true;
  double a = actual.number(i), b = expected.number(i);
  if (!actual.isFloat)
    return false;
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) && std::isnan(b);
  if (std::isinf(a) || std::isinf(b))
    return a == b;
  difference = std::fabs(a - b);
  bool isExact = expectation.rtol == 0 && expectation.atol == 0;
  return !isExact &&
         difference <= expectation.rtol * std::fabs(b) + expectation.atol;
}

static Difference compare(const Elements &actual, const Elements &expected,
                          size_t count, const NpyArray *mask,
                          const Expectation &expectation) {
  Difference result;
  for (size_t i = 0; i < count; ++i) {
    if (mask && mask->bytes[i] == 0)
      continue;
    ++result.compared;
    double difference;
    bool isEqual = isClose(actual, expected, i, expectation, difference);
    result.largest = std::max(result.largest, difference);
    if (!isEqual && result.count++ == 0)
      result.first = i;
  }
  return result;
}

/// What has to fit before elements can be compared; an empty string if it does.
static std::string readFiles(const Expectation &expectation, uint64_t sizeBytes,
                             NpyArray &expected, NpyArray &mask) {
  std::string error;
  if (!readNpy(expectation.path, expected, error))
    return error;
  if (expected.bytes.size() != sizeBytes)
    return "'" + expectation.path + "' has " +
           std::to_string(expected.bytes.size()) + " bytes, the buffer " +
           std::to_string(sizeBytes);
  unsigned typeBytes = expectation.type.empty()     ? expected.itemBytes
                       : expectation.type == "bf16" ? 2
                                                    : 1;
  if (typeBytes != expected.itemBytes)
    return "'" + expectation.path + "' has elements of " +
           std::to_string(expected.itemBytes) + " bytes, not of " +
           expectation.type;
  if (expectation.maskPath.empty())
    return "";
  if (!readNpy(expectation.maskPath, mask, error))
    return error;
  if (mask.itemBytes != 1 || mask.count() != expected.count())
    return "'" + expectation.maskPath + "' has not one byte for each element";
  return "";
}

bool tilec::checkExpectation(const Expectation &expectation,
                             ArgumentList &arguments, Executor &executor) {
  std::string name = "argument " + std::to_string(expectation.argument);
  ArgumentBuffer *buffer = arguments.findBuffer(expectation.argument);
  if (!buffer)
    return fail("--expect: " + name + " is not a buffer") == 0;
  NpyArray file, mask;
  std::string error = readFiles(expectation, buffer->sizeBytes, file, mask);
  std::vector<uint8_t> bytes(buffer->sizeBytes);
  if (error.empty())
    error = executor.read(buffer->address, bytes.data(), bytes.size());
  if (!error.empty())
    return fail("--expect: " + error) == 0;
  Elements actual(bytes, file, expectation.type);
  Elements expected(file.bytes, file, expectation.type);
  size_t count = static_cast<size_t>(file.count());
  Difference result =
      compare(actual, expected, count,
              expectation.maskPath.empty() ? nullptr : &mask, expectation);
  if (result.count == 0) {
    std::printf("%s: equal: %zu elements, largest difference %g (rtol %g, "
                "atol %g)\n",
                name.c_str(), result.compared, result.largest, expectation.rtol,
                expectation.atol);
    return true;
  }
  std::printf("%s: different: %zu of %zu elements, largest difference %g (rtol "
              "%g, atol %g); the first is element %zu: %.9g, expected %.9g\n",
              name.c_str(), result.count, result.compared, result.largest,
              expectation.rtol, expectation.atol, result.first,
              actual.number(result.first), expected.number(result.first));
  return false;
}
