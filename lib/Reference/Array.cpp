//===- Array.cpp - A value of the reference interpreter ------------------===//

#include "tile/Reference/Array.h"

#include "Bounds.h"

#include <algorithm>
#include <bit>
#include <cmath>

using namespace mlir;
using namespace mlir::tile::reference;

Array::Array(ElementType type, int64_t count) : type(type), count(count) {
  switch (type.storage()) {
  case Storage::Integer:
    integers.assign(count, 0);
    break;
  case Storage::Float:
    floats.assign(count, 0.0f);
    break;
  case Storage::Double:
    doubles.assign(count, 0.0);
    break;
  }
}

Array Array::integer(int64_t value, unsigned bits) {
  Array result(ElementType::integer(bits), 1);
  result.integers[0] = signExtend(value, bits);
  return result;
}

Array Array::poisoned(ElementType type, int64_t count) {
  Array result(type, count);
  result.poison.assign(count, 1);
  return result;
}

bool Array::hasPoison() const {
  return std::find(poison.begin(), poison.end(), 1) != poison.end();
}

double Array::getDouble(int64_t i) const {
  switch (type.storage()) {
  case Storage::Integer:
    return static_cast<double>(integers[i]);
  case Storage::Float:
    return floats[i];
  case Storage::Double:
    break;
  }
  return doubles[i];
}

void Array::setDouble(int64_t i, double value) {
  if (type.storage() == Storage::Double)
    doubles[i] = value;
  else
    floats[i] = static_cast<float>(value);
}

uint64_t Array::getBits(int64_t i) const {
  switch (type.storage()) {
  case Storage::Integer:
    return zeroExtend(integers[i], type.bits);
  case Storage::Double:
    return std::bit_cast<uint64_t>(doubles[i]);
  case Storage::Float:
    break;
  }
  switch (type.format) {
  case FloatFormat::F32:
    return std::bit_cast<uint32_t>(floats[i]); // payloads of NaNs survive
  case FloatFormat::F16:
    return encodeF16(floats[i]);
  case FloatFormat::BF16:
    return encodeBF16(floats[i]);
  case FloatFormat::F8E5M2:
    return encodeF8E5M2(floats[i]);
  default:
    return encode(floats[i], type.format);
  }
}

void Array::setBits(int64_t i, uint64_t bits) {
  switch (type.storage()) {
  case Storage::Integer:
    integers[i] = signExtend(static_cast<int64_t>(bits), type.bits);
    return;
  case Storage::Double:
    doubles[i] = std::bit_cast<double>(bits);
    return;
  case Storage::Float:
    break;
  }
  switch (type.format) {
  case FloatFormat::F32:
    floats[i] = std::bit_cast<float>(static_cast<uint32_t>(bits));
    break;
  case FloatFormat::F16:
    floats[i] = decodeF16(static_cast<uint16_t>(bits));
    break;
  case FloatFormat::BF16:
    floats[i] = std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
    break;
  case FloatFormat::F8E5M2:
    floats[i] = decodeF8E5M2(static_cast<uint8_t>(bits));
    break;
  default:
    floats[i] = static_cast<float>(decode(bits, type.format));
  }
}

void Array::setFrom(int64_t i, const Array &from, int64_t j) {
  switch (type.storage()) {
  case Storage::Integer:
    integers[i] = from.integers[j];
    break;
  case Storage::Float:
    floats[i] = from.floats[j];
    break;
  case Storage::Double:
    doubles[i] = from.doubles[j];
    break;
  }
  if (from.isPoison(j)) {
    setPoison(i);
    takeOrigin(from);
  } else if (!poison.empty())
    poison[i] = 0;
  setBound(i, from.getBound(j));
}

Array mlir::tile::reference::gather(const Array &array,
                                    llvm::ArrayRef<int64_t> positions) {
  Array result(array.type, static_cast<int64_t>(positions.size()));
  for (int64_t i = 0; i < result.count; ++i)
    result.setFrom(i, array, positions[i]);
  return result;
}

Array mlir::tile::reference::broadcast(const Array &array, int64_t count) {
  if (array.count == count)
    return array;
  Array result(array.type, count);
  switch (array.type.storage()) {
  case Storage::Integer:
    result.integers.assign(count, array.integers[0]);
    break;
  case Storage::Float:
    result.floats.assign(count, array.floats[0]);
    break;
  case Storage::Double:
    result.doubles.assign(count, array.doubles[0]);
    break;
  }
  if (array.isPoison(0)) {
    result.poison.assign(count, 1);
    result.takeOrigin(array);
  }
  if (array.getBound(0) != 0.0)
    result.bounds.assign(count, array.getBound(0));
  return result;
}

Array mlir::tile::reference::select(const Mask &condition, const Array &ifTrue,
                                    const Array &ifFalse) {
  int64_t count = std::max(
      {static_cast<int64_t>(condition.size()), ifTrue.count, ifFalse.count});
  if (condition.size() == 1)
    return broadcast(condition[0] ? ifTrue : ifFalse, count);
  Array result(ifTrue.type, count);
  for (int64_t i = 0; i < count; ++i) {
    const Array &from = condition[i] ? ifTrue : ifFalse;
    result.setFrom(i, from, from.count == 1 ? 0 : i);
  }
  return result;
}

static void convertFloats(const Array &from, Array &to) {
  if (from.type.storage() == Storage::Float &&
      to.type.storage() == Storage::Double)
    std::copy(from.floats.begin(), from.floats.end(), to.doubles.begin());
  else if (from.type.storage() == Storage::Double)
    for (int64_t i = 0; i < from.count; ++i)
      to.setDouble(i, roundTo(from.doubles[i], to.type.format));
  else
    for (int64_t i = 0; i < from.count; ++i)
      to.floats[i] = roundTo(from.floats[i], to.type.format);
}

static void convertIntegers(const Array &from, Array &to, bool isUnsigned) {
  for (int64_t i = 0; i < from.count; ++i) {
    int64_t value = from.integers[i];
    if (isUnsigned)
      value = static_cast<int64_t>(zeroExtend(value, from.type.bits));
    to.integers[i] = signExtend(value, to.type.bits);
  }
}

/// A float's ends are rounded; an integer's bound stays as long as neither its
/// bits nor its sign can change.
static void convertBounds(const Array &from, Array &to, bool isUnsigned) {
  double end = std::ldexp(1.0, static_cast<int>(to.type.bits) - 1);
  for (int64_t i = 0; i < from.count; ++i) {
    double bound = from.getBound(i), value = from.getDouble(i);
    bool keepsBits = std::fabs(value) + bound < end &&
                     (!isUnsigned || value - bound >= 0 || from.type.bits == 1);
    if (bound == 0.0 || from.isPoison(i))
      continue;
    if (bound == signOfZero)
      to.setBound(i, bound);
    else if (to.type.isFloat)
      to.setBound(i, getRoundedBound(value, bound, to.getDouble(i), to.type));
    else
      to.setBound(i, keepsBits || to.type.bits == 1 ? bound : unbounded);
  }
}

Array mlir::tile::reference::convert(const Array &array, ElementType type,
                                     bool isSigned, bool i1IsSigned) {
  if (array.type == type)
    return array;
  Array result(type, array.count);
  result.poison = array.poison;
  bool isUnsigned = !isSigned || (array.type.bits == 1 && !i1IsSigned);
  if (type.isFloat)
    convertFloats(array, result);
  else
    convertIntegers(array, result, isUnsigned);
  if (!array.bounds.empty())
    convertBounds(array, result, isUnsigned);
  return result;
}
