//===- CopyInstruction.h - Instructions that move data, as data -*- C++ -*-===//
//
// A row says between which spaces an instruction moves how many bytes, who
// issues it, what may happen to the elements on the way, and how its end is
// learned. Copies that each thread issues for elements of its own are families,
// one row each, because their size and cache operators follow from the copy:
//
//     "ld", "st"   one side to registers and back
//     "ld.st"      side to side through registers: a load and a store
//     "cp.async"   global to shared memory past the registers
//     "ld.st.mbarrier", "cp.async.mbarrier"
//                  the last two, each thread of which arrives at an mbarrier
//                  when its elements are there
//
// Others are rows of one PTX instruction each: ldmatrix, stmatrix, the bulk
// copies (one elected thread moves a run of bytes) and the bulk tensor copies
// (one elected thread moves a box of a tensor that a tensor map describes).
//
// Source: PTX ISA 9.0, "Data movement and conversion instructions".
//
//===----------------------------------------------------------------------===//

#ifndef TILE_HARDWARE_COPYINSTRUCTION_H
#define TILE_HARDWARE_COPYINSTRUCTION_H

#include "tile/Hardware/InstructionTraits.h"
#include "tile/Layout/SharedLayout.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilec {

/// The widest access of a thread in bytes.
inline constexpr int64_t maxAccessBytes = 16;

enum class MemorySpace {
  Global,
  Shared,
  GlobalOrShared, ///< of a row: either
  Registers,
  TensorMemory,
};

/// Whether a row that names `row` works with `space`.
constexpr bool includes(MemorySpace row, MemorySpace space) {
  return row == space ||
         (row == MemorySpace::GlobalOrShared &&
          (space == MemorySpace::Global || space == MemorySpace::Shared));
}

/// Who executes the instruction for one access.
enum class Issuer {
  Thread,        ///< each thread for its own elements
  ElectedThread, ///< one thread for the whole block or role
  Warp,          ///< the lanes of a warp together
};

/// What is delivered for elements outside of the bounds of the source, or, by
/// stores, done with those outside of the destination.
enum class Padding {
  Any,  ///< any value: the code around the instruction decides, and may skip
  Zero, ///< zero and nothing else
  Skip, ///< they are not written
  None, ///< the instruction knows no bounds: all must lie inside
};

/// What a bulk tensor copy asks of its tensor map and box.
struct TensorBox {
  int64_t rank = 1;
  /// Swizzle modes of the box in shared memory, widest first; 0 is none.
  std::vector<int64_t> swizzleBytes = {128, 64, 32, 0};
  /// Elements of a box along one dimension; of 4 bits, twice as many along the
  /// innermost, as the engine moves their bytes.
  int64_t maxExtent = 256;
  /// The innermost row of the box has a multiple of these bytes.
  int64_t rowMultipleBytes = 16;
  /// The tensor's start and its strides (but the innermost, which is one
  /// element) are multiples of these bytes.
  int64_t globalAlignBytes = 16;

  int64_t getMaxExtent(bool isInnermost, int64_t elementBits) const;

  /// Where a box of `extents` (innermost dimension last) puts its elements in
  /// shared memory: dense, rows of the swizzle mode's length under its XOR. A
  /// wider buffer is filled by several boxes, one a panel. Fails with the limit
  /// that the box breaks.
  Expected<SharedLayout> getLayout(const Coordinate &extents,
                                   int64_t swizzleMode,
                                   int64_t elementBits) const;
};

/// What a bulk tensor copy in im2col mode asks, of an image N x H x W x C. Its box
/// is of two dimensions, pixels and channels, and the engine goes from pixel to pixel
/// by strides within corners, see cuTensorMapEncodeIm2col.
struct Im2ColRules {
  int64_t imageRank = 4;
  /// Corners lie before and behind the image, along height and width.
  int64_t leastCorner = -128, largestCorner = 127;
  /// Of an element of the kernel from its first, along either.
  int64_t largestOffset = 255;
  int64_t largestStride = 8;
};

struct CopyInstruction : Availability {
  /// The PTX name, or the family's (see the header comment).
  std::string name;
  MemorySpace source = MemorySpace::Global;
  MemorySpace dest = MemorySpace::Shared;

  /// The legal sizes of one access in bytes, ascending; of bulk copies the one
  /// size whose multiples are legal (`takesMultiples`). Of ldmatrix and
  /// stmatrix the row that one lane's address names.
  std::vector<int64_t> accessBytes;
  bool takesMultiples = false;
  /// What shared addresses are multiples of; 0: of the access's bytes.
  int64_t alignBytes = 0;

  Issuer issuer = Issuer::Thread;
  /// Whether elements may change type on the way: they pass through code.
  bool converts = false;
  Padding padding = Padding::Any;
  Completion completion = Completion::Immediate;
  Proxy proxy = Proxy::Generic;

  // Matrices -----------------------------------------------------------------
  /// 8x8 matrices of 16-bit elements: 1, 2 or 4; 0 in other rows. Lane l < 8 *
  /// matrixCount gives the address of row l % 8 of matrix l / 8.
  int64_t matrixCount = 0;
  bool isTransposed = false; ///< `.trans`
  /// (register, lane) -> (matrix, row, column), rows and columns as they lie in
  /// memory. Register elements 2i and 2i + 1 share 32-bit register i = matrix.
  FragmentLayout layout;

  // Bulk tensor copies -------------------------------------------------------
  std::optional<TensorBox> box;
  std::optional<Im2ColRules> im2col; ///< besides the box, in im2col mode

  /// When a copy is done as the block sees it. A copy by bulk groups is waited
  /// for by the one thread that issues it.
  Completion getBlockCompletion() const {
    bool isOwnGroup =
        issuer == Issuer::ElectedThread && completion == Completion::Group;
    return isOwnGroup ? Completion::Immediate : completion;
  }

  /// Whether one access may have this size.
  bool moves(int64_t bytes) const;
  /// What addresses of an access of this size are multiples of.
  int64_t getAlignBytes(int64_t bytes) const {
    return alignBytes != 0 ? alignBytes : bytes;
  }
};

/// All rows: ld, st, ld.st, cp.async, ld.st.mbarrier, cp.async.mbarrier; ldmatrix
/// and stmatrix x4, x2, x1 with and without .trans for b16; cp.async.bulk and
/// cp.async.bulk.tensor.1d to .5d (tile mode) from global to shared memory and
/// back, and .4d in im2col mode to shared memory.
const std::vector<CopyInstruction> &getCopyInstructions();

/// The rows that move from `source` to `dest` and that `target` has, in the
/// order of the table: thread-issued first, matrices widest first and without
/// .trans before with. `ptxVersion` 0 means the target's default.
std::vector<const CopyInstruction *>
findCopyInstructions(const GpuTarget &target, MemorySpace source,
                     MemorySpace dest, int ptxVersion = 0);

/// The row named `name`, or null.
const CopyInstruction *findCopyInstruction(std::string_view name);

} // namespace tilec

#endif // TILE_HARDWARE_COPYINSTRUCTION_H
