//===- NpyElements.cpp - Element types in .npy files ----------------------===//

#include "tile/Runtime/ProgramArguments.h"

#include <cstring>

using namespace mlir;
using namespace mlir::tile;
using namespace mlir::tile::reference;

/// The name that NumPy has for the elements of a file.
static std::string getNumpyName(char kind, unsigned bytes) {
  if (kind == 'b')
    return "bool";
  if (kind == 'V')
    return "opaque elements of " + std::to_string(bytes) + " bytes";
  const char *family = kind == 'f' ? "float" : kind == 'i' ? "int" : "uint";
  return family + std::to_string(bytes * 8);
}

/// The kind and width that a type travels as.
static std::pair<char, unsigned> getTravelType(ElementType type) {
  if (!type.isFloat)
    return {type.bits == 1   ? 'b'
            : type.bits == 4 ? 'u'
                             : 'i',
            std::max(1u, type.memoryBits() / 8)};
  switch (type.format) {
  case FloatFormat::F64:
    return {'f', 8};
  case FloatFormat::F32:
  case FloatFormat::TF32:
    return {'f', 4};
  case FloatFormat::F16:
    return {'f', 2};
  default:
    return {'u', std::max(1u, type.memoryBits() / 8)};
  }
}

tilec::NpyArray mlir::tile::toNpy(const Array &values,
                                  ArrayRef<int64_t> shape) {
  tilec::NpyArray file;
  std::tie(file.kind, file.itemBytes) = getTravelType(values.type);
  file.shape.assign(shape.begin(), shape.end());
  file.bytes.resize(values.count * file.itemBytes);
  for (int64_t i = 0; i < values.count; ++i) {
    uint64_t bits = values.getBits(i);
    std::memcpy(file.bytes.data() + i * file.itemBytes, &bits, file.itemBytes);
  }
  return file;
}

std::optional<Array> mlir::tile::fromNpy(const tilec::NpyArray &file,
                                         ElementType type, std::string &error) {
  auto [kind, itemBytes] = getTravelType(type);
  // Signed and unsigned integers of one width hold the same bits; what opaque
  // elements are is for the argument's type to say, where NumPy has none.
  bool isInteger = kind != 'f' && file.kind != 'f' && file.kind != 'V';
  bool isOpaque = file.kind == 'V' && kind == 'u';
  if (file.itemBytes != itemBytes ||
      (kind != file.kind && !isInteger && !isOpaque)) {
    error = "holds " + getNumpyName(file.kind, file.itemBytes) + ", but " +
            getNumpyName(kind, itemBytes) +
            (type.isFloat && kind == 'u' ? " (the bits)" : "") + " is expected";
    return std::nullopt;
  }
  // Narrower than a byte, or a truth value: not every byte is an element.
  uint64_t limit = type.bits < 8 ? uint64_t(1) << type.bits : 0;
  bool isSigned = file.kind == 'i' && type.bits > 1;
  Array values(type, file.count());
  for (int64_t i = 0; i < values.count; ++i) {
    uint64_t bits = 0;
    std::memcpy(&bits, file.bytes.data() + i * itemBytes, itemBytes);
    uint64_t magnitude = isSigned && bits >= 128 ? 255 - bits : bits;
    if (limit && magnitude >= (isSigned ? limit / 2 : limit)) {
      error = "holds " +
              std::to_string(isSigned ? static_cast<int8_t>(bits)
                                      : static_cast<int64_t>(bits)) +
              " at [" + std::to_string(i) + "], which is out of range";
      return std::nullopt;
    }
    values.setBits(i, limit ? bits & (limit - 1) : bits);
  }
  return values;
}
