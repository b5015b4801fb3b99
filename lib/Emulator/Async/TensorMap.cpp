//===- TensorMap.cpp - Encoding and checking tensor maps ------------------===//
//
// The rules are those of cuTensorMapEncodeTiled and cuTensorMapEncodeIm2col in
// the CUDA driver API; each message says which one is broken and by what.
//
//===----------------------------------------------------------------------===//

#include "tile/Emulator/TensorMap.h"

#include <algorithm>

using namespace tilec::emu;

const char *tilec::emu::getName(TensorElement element) {
  static const char *const names[] = {"u8",     "u16",  "u32",    "s32", "u64",
                                      "s64",    "f16",  "f32",    "f64", "bf16",
                                      "f32ftz", "tf32", "tf32ftz"};
  auto number = static_cast<size_t>(element);
  return number < std::size(names) ? names[number] : nullptr;
}

int tilec::emu::elementBytes(TensorElement element) {
  switch (element) {
  case TensorElement::U8:
    return 1;
  case TensorElement::U16:
  case TensorElement::F16:
  case TensorElement::BF16:
    return 2;
  case TensorElement::U32:
  case TensorElement::S32:
  case TensorElement::F32:
  case TensorElement::F32Ftz:
  case TensorElement::TF32:
  case TensorElement::TF32Ftz:
    return 4;
  case TensorElement::U64:
  case TensorElement::S64:
  case TensorElement::F64:
    return 8;
  case TensorElement::U4x16Align8:
  case TensorElement::U4x16Align16:
  case TensorElement::U6x16Align16:
    return 0;
  }
  return 0;
}

/// The widest inner row of a box a swizzle mode can permute; 0 is no limit.
static uint32_t swizzleSpanBytes(TensorSwizzle swizzle) {
  switch (swizzle) {
  case TensorSwizzle::None:
    return 0;
  case TensorSwizzle::Bytes32:
    return 32;
  case TensorSwizzle::Bytes64:
    return 64;
  default:
    return 128;
  }
}

static uint32_t innerBoxBytes(const TensorMap &map) {
  uint32_t elements =
      map.mode == TensorMode::Im2col ? map.channelsPerPixel : map.box[0];
  return elements * static_cast<uint32_t>(elementBytes(map.element));
}

uint32_t tilec::emu::boxBytes(const TensorMap &map) {
  uint64_t bytes = innerBoxBytes(map);
  if (map.mode == TensorMode::Im2col)
    return static_cast<uint32_t>(bytes * map.pixelsPerColumn);
  // A stride skips elements: ceil(box / stride) of them are copied.
  for (int i = 1; i < map.rank; ++i)
    bytes *= (map.box[i] + map.elementStrides[i] - 1) / map.elementStrides[i];
  return static_cast<uint32_t>(bytes);
}

uint32_t tilec::emu::largestIm2colOffset(int rank) {
  return (1u << 16 / (rank - 2)) - 1;
}

uint32_t tilec::emu::sharedAlignmentBytes(const TensorMap &) { return 128; }

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

static std::string checkStorage(const TensorMap &map) {
  uint32_t bytes = static_cast<uint32_t>(elementBytes(map.element));
  if (bytes == 0)
    return "the emulator has no tensor maps of 4- and 6-bit elements";
  if (map.interleave != TensorInterleave::None)
    return "the emulator has no interleaved tensor maps";
  if (map.globalAddress == 0 || map.globalAddress % 16 != 0)
    return "the global address " + std::to_string(map.globalAddress) +
           " is not a multiple of 16 bytes";
  uint64_t inner = map.dim(0) * bytes;
  for (int i = 1; i < map.rank; ++i) {
    uint64_t stride = map.stridesBytes[i - 1];
    std::string which = "the stride of dimension " + std::to_string(i) + ", " +
                        std::to_string(stride) + " bytes,";
    if (stride % 16 != 0)
      return which + " is not a multiple of 16";
    if (stride >= uint64_t(1) << 40)
      return which + " is not below 2^40";
    if (stride < inner)
      return which + " is less than the " + std::to_string(inner) +
             " bytes of the dimensions inside it";
    inner = stride * map.dim(i);
  }
  return "";
}

static std::string checkBoxRow(const TensorMap &map) {
  uint32_t inner = innerBoxBytes(map);
  if (inner % 16 != 0)
    return "the inner dimension of the box is " + std::to_string(inner) +
           " bytes, not a multiple of 16";
  uint32_t span = swizzleSpanBytes(map.swizzle);
  if (span != 0 && inner > span)
    return "the inner dimension of the box is " + std::to_string(inner) +
           " bytes, more than the " + std::to_string(span) +
           " that the swizzle permutes";
  return "";
}

std::string tilec::emu::checkTensorMap(const TensorMap &map) {
  if (map.magic != TensorMap::magicNumber)
    return "these 128 bytes are no tensor map of the emulator";
  bool im2col = map.mode == TensorMode::Im2col;
  if (map.rank < (im2col ? 3 : 1) || map.rank > 5)
    return "a rank of " + std::to_string(map.rank) + " is not supported";
  if (map.element > TensorElement::U6x16Align16 ||
      map.swizzle > TensorSwizzle::Bytes128Atom64)
    return "the element type or the swizzle has no meaning";
  if (std::string why = checkStorage(map); !why.empty())
    return why;
  for (int i = 0; i < map.rank; ++i) {
    if (map.elementStrides[i] < 1 || map.elementStrides[i] > 8)
      return "the element stride of dimension " + std::to_string(i) + ", " +
             std::to_string(map.elementStrides[i]) + ", is not in [1, 8]";
    if (!im2col && (map.box[i] < 1 || map.box[i] > 256))
      return "the box has " + std::to_string(map.box[i]) +
             " elements in dimension " + std::to_string(i) + ", not 1 to 256";
  }
  if (im2col && (map.channelsPerPixel < 1 || map.channelsPerPixel > 256 ||
                 map.pixelsPerColumn < 1 || map.pixelsPerColumn > 1024))
    return "channels per pixel are 1 to 256 and pixels per column 1 to 1024";
  bool isFloat = map.element >= TensorElement::F16 &&
                 map.element <= TensorElement::TF32Ftz;
  if (map.fill == TensorFill::NaN && !isFloat)
    return "only float elements can be filled with NaN";
  return checkBoxRow(map);
}

//===----------------------------------------------------------------------===//
// Encoding
//===----------------------------------------------------------------------===//

/// The part common to both modes; says what does not fit the map's fields.
template <typename Arguments>
static std::string encodeCommon(const Arguments &arguments, TensorMap &map) {
  if (arguments.rank < 1 || arguments.rank > 5)
    return "a rank of " + std::to_string(arguments.rank) + " is not supported";
  map = TensorMap();
  map.element = arguments.element;
  map.rank = static_cast<uint8_t>(arguments.rank);
  map.interleave = arguments.interleave;
  map.swizzle = arguments.swizzle;
  map.fill = arguments.fill;
  map.globalAddress = arguments.globalAddress;
  for (int i = 0; i < arguments.rank; ++i) {
    if (arguments.dims[i] < 1 || arguments.dims[i] > uint64_t(1) << 32)
      return "dimension " + std::to_string(i) + " has " +
             std::to_string(arguments.dims[i]) + " elements, not 1 to 2^32";
    map.dimsMinusOne[i] = static_cast<uint32_t>(arguments.dims[i] - 1);
    if (arguments.elementStrides[i] < 1 || arguments.elementStrides[i] > 8)
      return "the element stride of dimension " + std::to_string(i) + ", " +
             std::to_string(arguments.elementStrides[i]) + ", is not in [1, 8]";
    if (i == 0)
      continue; // the driver ignores the stride of dimension 0
    map.elementStrides[i] = static_cast<uint8_t>(arguments.elementStrides[i]);
    map.stridesBytes[i - 1] = arguments.stridesBytes[i - 1];
  }
  return "";
}

std::string tilec::emu::encodeTiled(const TiledMapArguments &arguments,
                                    TensorMap &map) {
  if (std::string why = encodeCommon(arguments, map); !why.empty())
    return why;
  map.mode = TensorMode::Tiled;
  for (int i = 0; i < arguments.rank; ++i)
    map.box[i] =
        static_cast<uint16_t>(std::min<uint32_t>(arguments.box[i], 0xffff));
  return checkTensorMap(map);
}

std::string tilec::emu::encodeIm2col(const Im2colMapArguments &arguments,
                                     TensorMap &map) {
  if (arguments.rank < 3)
    return "im2col needs a rank of 3 to 5, not " +
           std::to_string(arguments.rank);
  if (std::string why = encodeCommon(arguments, map); !why.empty())
    return why;
  map.mode = TensorMode::Im2col;
  // Corners have 16, 8 or 5 bits with one, two or three spatial dimensions, as
  // offsets have.
  int spatial = arguments.rank - 2;
  int limit = spatial == 1 ? 1 << 15 : spatial == 2 ? 1 << 7 : 1 << 4;
  for (int i = 0; i < spatial; ++i) {
    int lower = arguments.lowerCorner[i], upper = arguments.upperCorner[i];
    if (lower < -limit || lower >= limit || upper < -limit || upper >= limit)
      return "the corners of spatial dimension " + std::to_string(i) + ", " +
             std::to_string(lower) + " and " + std::to_string(upper) +
             ", are not in [" + std::to_string(-limit) + ", " +
             std::to_string(limit - 1) + "]";
    map.lowerCorner[i] = static_cast<int16_t>(lower);
    map.upperCorner[i] = static_cast<int16_t>(upper);
  }
  map.channelsPerPixel = static_cast<uint16_t>(
      std::min<uint32_t>(arguments.channelsPerPixel, 0xffff));
  map.pixelsPerColumn = static_cast<uint16_t>(
      std::min<uint32_t>(arguments.pixelsPerColumn, 0xffff));
  return checkTensorMap(map);
}

std::string tilec::emu::encodeTensorMap(const TensorMapArguments &arguments,
                                        TensorMap &map) {
  if (arguments.mode == TensorMode::Tiled)
    return encodeTiled(arguments, map);
  Im2colMapArguments im2col;
  im2col.element = arguments.element;
  im2col.rank = arguments.rank;
  im2col.globalAddress = arguments.globalAddress;
  std::ranges::copy(arguments.dims, im2col.dims);
  std::ranges::copy(arguments.stridesBytes, im2col.stridesBytes);
  std::ranges::copy(arguments.lowerCorner, im2col.lowerCorner);
  std::ranges::copy(arguments.upperCorner, im2col.upperCorner);
  im2col.channelsPerPixel = arguments.box[0];
  im2col.pixelsPerColumn = arguments.box[1];
  std::ranges::copy(arguments.elementStrides, im2col.elementStrides);
  im2col.interleave = arguments.interleave;
  im2col.swizzle = arguments.swizzle;
  im2col.fill = arguments.fill;
  return encodeIm2col(im2col, map);
}

//===----------------------------------------------------------------------===//
// tensormap.replace
//===----------------------------------------------------------------------===//

/// The ISA numbers element types as the driver does up to TF32Ftz, swizzles up
/// to 128 bytes likewise, then 96 bytes (4), which is not ours.
static std::string replaceCode(TensorMap &map, TensorMapField field,
                               uint64_t value) {
  auto invalid = [&](const char *what) {
    return std::to_string(value) + " is no " + what;
  };
  switch (field) {
  case TensorMapField::ElementType:
    if (value > static_cast<uint64_t>(TensorElement::U6x16Align16))
      return invalid("element type");
    map.element = static_cast<TensorElement>(value);
    return "";
  case TensorMapField::InterleaveLayout:
    if (value > 2)
      return invalid("interleave layout");
    map.interleave = static_cast<TensorInterleave>(value);
    return "";
  case TensorMapField::SwizzleMode:
    if (value > 3)
      return invalid("swizzle mode");
    map.swizzle = static_cast<TensorSwizzle>(value);
    return "";
  case TensorMapField::FillMode:
    if (value > 1)
      return invalid("fill mode");
    map.fill = static_cast<TensorFill>(value);
    return "";
  default:
    return "not a code";
  }
}

std::string tilec::emu::replaceField(TensorMap &map, TensorMapField field,
                                     int ordinal, uint64_t value) {
  int last = field == TensorMapField::GlobalStride ? 3 : 4;
  if (ordinal < 0 || ordinal > last)
    return "there is no dimension " + std::to_string(ordinal);
  switch (field) {
  case TensorMapField::GlobalAddress:
    map.globalAddress = value;
    return "";
  case TensorMapField::Rank:
    if (value > 4)
      return "a rank of " + std::to_string(value + 1) + " is not supported";
    map.rank = static_cast<uint8_t>(value + 1);
    return "";
  case TensorMapField::BoxDim:
    if (value < 1 || value > 256)
      return "a box of " + std::to_string(value) + " elements is not 1 to 256";
    map.box[ordinal] = static_cast<uint16_t>(value);
    return "";
  case TensorMapField::GlobalDim:
    if (value < 1 || value > uint64_t(1) << 32)
      return "an extent of " + std::to_string(value) + " is not 1 to 2^32";
    map.dimsMinusOne[ordinal] = static_cast<uint32_t>(value - 1);
    return "";
  case TensorMapField::GlobalStride:
    map.stridesBytes[ordinal] = value;
    return "";
  case TensorMapField::ElementStride:
    if (value < 1 || value > 8)
      return "an element stride of " + std::to_string(value) +
             " is not in [1, 8]";
    map.elementStrides[ordinal] = static_cast<uint8_t>(value);
    return "";
  default:
    return replaceCode(map, field, value);
  }
}
