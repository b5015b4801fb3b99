//===- TensorMap.h - Tensor maps and the boxes they copy --------*- C++ -*-===//
//
// The driver's tensor map is opaque: 128 bytes that only its encoder and the
// copy engine understand. The emulator's map keeps the arguments of the encoder
// as they were given, in a struct of the same size and alignment, so kernels
// pass it exactly as they pass the real one.
//
// A box copy is an iteration: `forEachRun` names, piece by piece, the bytes in
// global and in shared memory that belong together, with swizzle, strides and
// out-of-bounds fill worked out. The caller moves the bytes and checks bounds,
// initialisation and races where it knows them.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_EMULATOR_TENSORMAP_H
#define TILE_EMULATOR_TENSORMAP_H

#include <cstdint>
#include <functional>
#include <string>

namespace tilec::emu {

/// Numbered as CUtensorMapDataType.
enum class TensorElement : uint8_t {
  U8,
  U16,
  U32,
  S32,
  U64,
  S64,
  F16,
  F32,
  F64,
  BF16,
  F32Ftz,
  TF32,
  TF32Ftz,
  U4x16Align8,
  U4x16Align16,
  U6x16Align16
};
/// Numbered as CUtensorMapInterleave, CUtensorMapSwizzle and so on.
enum class TensorInterleave : uint8_t { None, Bytes16, Bytes32 };
enum class TensorSwizzle : uint8_t {
  None,
  Bytes32,
  Bytes64,
  Bytes128,
  Bytes128Atom32,
  Bytes128Atom32Flip8,
  Bytes128Atom64
};
enum class TensorFill : uint8_t { Zeros, NaN };
enum class TensorMode : uint8_t { Tiled, Im2col };

/// The emulator's tensor map. Dimension 0 is the innermost.
struct alignas(64) TensorMap {
  static constexpr uint32_t magicNumber = 0x504d5454; // "TTMP"

  uint32_t magic = magicNumber;
  TensorElement element = TensorElement::F16;
  uint8_t rank = 0; // 1 to 5
  TensorMode mode = TensorMode::Tiled;
  TensorInterleave interleave = TensorInterleave::None;
  TensorSwizzle swizzle = TensorSwizzle::None;
  TensorFill fill = TensorFill::Zeros;
  uint8_t l2Promotion = 0;
  uint8_t elementStrides[5] = {1, 1, 1, 1, 1};
  uint64_t globalAddress = 0;
  uint64_t stridesBytes[4] = {}; // of dimensions 1 to 4
  uint32_t dimsMinusOne[5] = {}; // extents, in elements, less one
  uint16_t box[5] = {};          // extents of the box, in elements
  // Im2col only, for the spatial dimensions 1 to rank - 2.
  int16_t lowerCorner[3] = {};
  int16_t upperCorner[3] = {};
  uint16_t channelsPerPixel = 0;
  uint16_t pixelsPerColumn = 0;
  uint8_t reserved[4] = {};

  uint64_t dim(int index) const { return uint64_t(dimsMinusOne[index]) + 1; }
};
static_assert(sizeof(TensorMap) == 128, "as large as a CUtensorMap");

/// The arguments of cuTensorMapEncodeTiled.
struct TiledMapArguments {
  TensorElement element = TensorElement::F16;
  int rank = 0;
  uint64_t globalAddress = 0;
  uint64_t dims[5] = {};
  uint64_t stridesBytes[4] = {}; // of dimensions 1 to rank - 1
  uint32_t box[5] = {};
  uint32_t elementStrides[5] = {1, 1, 1, 1, 1};
  TensorInterleave interleave = TensorInterleave::None;
  TensorSwizzle swizzle = TensorSwizzle::None;
  TensorFill fill = TensorFill::Zeros;
};
/// The arguments of cuTensorMapEncodeIm2col.
struct Im2colMapArguments {
  TensorElement element = TensorElement::F16;
  int rank = 0; // 3 to 5
  uint64_t globalAddress = 0;
  uint64_t dims[5] = {};
  uint64_t stridesBytes[4] = {};
  int lowerCorner[3] = {};
  int upperCorner[3] = {};
  uint32_t channelsPerPixel = 0;
  uint32_t pixelsPerColumn = 0;
  uint32_t elementStrides[5] = {1, 1, 1, 1, 1};
  TensorInterleave interleave = TensorInterleave::None;
  TensorSwizzle swizzle = TensorSwizzle::None;
  TensorFill fill = TensorFill::Zeros;
};

/// The arguments of either: in im2col mode the box is of channels and pixels.
struct TensorMapArguments : TiledMapArguments {
  TensorMode mode = TensorMode::Tiled;
  int lowerCorner[3] = {};
  int upperCorner[3] = {};
};

/// Fills `map`; an empty string, or which of the driver's rules is broken.
std::string encodeTiled(const TiledMapArguments &arguments, TensorMap &map);
std::string encodeIm2col(const Im2colMapArguments &arguments, TensorMap &map);
std::string encodeTensorMap(const TensorMapArguments &arguments,
                            TensorMap &map);
/// An empty string if `map` is one of ours and obeys the driver's rules (it may
/// have come out of memory, or out of tensormap.replace).
std::string checkTensorMap(const TensorMap &map);

/// "bf16", as tools spell it; null for the 4- and 6-bit types.
const char *getName(TensorElement element);
/// Bytes of one element in global memory (0 for the 4- and 6-bit types, which
/// come in groups of 16).
int elementBytes(TensorElement element);
/// Bytes a box occupies in shared memory, and so what a mbarrier counts: the
/// whole box, out-of-bounds elements included.
uint32_t boxBytes(const TensorMap &map);
/// The alignment the shared address must have.
uint32_t sharedAlignmentBytes(const TensorMap &map);
/// The shared address after the swizzle; bits are exchanged within the pattern
/// (256, 512 or 1024 bytes), whose phase is absolute.
uint32_t swizzleAddress(TensorSwizzle swizzle, uint32_t address);

/// A run of bytes contiguous in shared and, if in bounds, in global memory.
/// Runs never cross a 16-byte chunk of shared memory.
struct TensorRun {
  uint32_t sharedAddress = 0; // swizzled
  uint64_t globalAddress = 0; // meaningless when out of bounds
  uint32_t bytes = 0;
  bool inBounds = false;
};

/// Where a box lies. `coordinates` are in elements, signed, `rank` of them;
/// `im2colOffsets` are the rank - 2 offsets of the .im2col mode.
struct TensorBox {
  uint32_t sharedAddress = 0;
  int32_t coordinates[5] = {};
  uint16_t im2colOffsets[3] = {};
};

/// The largest offset that the .im2col mode has for tensors of `rank`.
uint32_t largestIm2colOffset(int rank);

/// Visits every run of the box in shared order of the unswizzled box.
void forEachRun(const TensorMap &map, const TensorBox &box,
                const std::function<void(const TensorRun &)> &visit);

/// Writes the out-of-bounds fill of `map` (zeros, or the NaN of its type).
void fillOutOfBounds(const TensorMap &map, uint8_t *destination,
                     uint32_t bytes);
/// What the engine does to values on the way in: F32Ftz and the TF32 types are
/// flushed or rounded; other types are left alone.
void convertOnLoad(const TensorMap &map, uint8_t *data, uint32_t bytes);

/// cp.reduce.async.bulk{.tensor}: destination = destination op source.
enum class BulkReduction : uint8_t { Add, Min, Max, Inc, Dec, And, Or, Xor };
/// An empty string if the combination exists, or the reason.
std::string checkReduction(TensorElement element, BulkReduction operation);
void reduceElements(TensorElement element, BulkReduction operation,
                    uint8_t *destination, const uint8_t *source,
                    uint32_t bytes);

/// tensormap.replace fields.
enum class TensorMapField : uint8_t {
  GlobalAddress,
  Rank,
  BoxDim,
  GlobalDim,
  GlobalStride,
  ElementStride,
  ElementType,
  InterleaveLayout,
  SwizzleMode,
  FillMode
};
/// Stores `value` into the field, `ordinal` counting dimensions; an empty
/// string, or why the value is not one. Rank is given less one, as in the ISA.
std::string replaceField(TensorMap &map, TensorMapField field, int ordinal,
                         uint64_t value);

} // namespace tilec::emu

#endif // TILE_EMULATOR_TENSORMAP_H
