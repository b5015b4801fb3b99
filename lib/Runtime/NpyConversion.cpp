//===- NpyConversion.cpp - Element types in .npy files -------------------===//

#include "tile/Runtime/ProgramArguments.h"

#include <cstring>

using namespace mlir;
using namespace mlir::tile;
using namespace mlir::tile::reference;

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
  // Signed and unsigned integers of one width hold the same bits.
  bool isInteger = kind != 'f' && file.kind != 'f';
  if (file.itemBytes != itemBytes || (kind != file.kind && !isInteger)) {
    error = "holds elements of type " + file.typeName() + ", but " + kind +
            std::to_string(itemBytes) + " is expected";
    return std::nullopt;
  }
  Array values(type, file.count());
  for (int64_t i = 0; i < values.count; ++i) {
    uint64_t bits = 0;
    std::memcpy(&bits, file.bytes.data() + i * itemBytes, itemBytes);
    values.setBits(i, bits);
  }
  return values;
}
