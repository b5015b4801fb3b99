//===- MatrixDescriptor.h - Operands that descriptors name ------*- C++ -*-===//
//
// A warpgroup's product finds an operand in shared memory by 64 bits:
//
//     bits  0 - 13   start address / 16          bits 32 - 45  stride / 16
//     bits 16 - 29   leading stride / 16         bits 62 - 63  swizzle mode
//
// Mode and strides follow from the buffer's layout (SharedDemand.h). The start
// is that of the buffer, plus the warpgroup's part, plus the slot, plus a
// constant for each tile: before the XOR, which the hardware applies to
// addresses. So
//
//     descriptor = base + slot * (bytes / 16) + constant
//
// where the base is made once, behind the buffer's address, and goes through a
// shuffle: ptxas then keeps it as one uniform register and does not compute it
// again in each iteration. In a loop the constant is added where the product
// starts, unless there are uniform registers for the sums of the whole loop: LLVM
// would make all of them in front of it.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_CONVERSION_TILETONVVM_COMPUTE_MATRIXDESCRIPTOR_H
#define TILE_LIB_CONVERSION_TILETONVVM_COMPUTE_MATRIXDESCRIPTOR_H

#include "../ThreadEmitter.h"
#include "tile/Hardware/MatrixInstruction.h"

namespace mlir::tile {

/// A descriptor: the sum of an i64 and a constant.
struct Descriptor {
  Value base;
  int64_t offset = 0;
};

/// An operand of a product in shared memory. Coordinates are (outer, K) where
/// outer is M of A and N of B.
class DescribedOperand {
public:
  /// `memref` is over (outer, K), or (K, outer) if `isSwapped`. `isB` says that
  /// outer is the last of the operand's own dimensions, in which `tile` is its
  /// part in one instruction. `group` is the warpgroup's part along outer.
  DescribedOperand(ThreadEmitter &emitter, Value memref, bool isSwapped,
                   const tilec::MatrixOperand &traits, bool isB,
                   const tilec::Coordinate &tile, ThreadCoordinate group);

  /// Whether the buffer has one of the instruction's patterns; if not, an error
  /// at `op`.
  LogicalResult verify(Operation *op) const;

  /// Whether elements lie together across K.
  bool isAcross() const { return pattern->major == tilec::Major::MN; }

  /// The descriptor of the tile at (outer, k) of the warpgroup's part.
  /// Where it is more than a sum, `prepare` emits it, in front of what starts
  /// the product: ptxas would start it again for a register that comes later.
  void prepare(int64_t outer, int64_t k);
  /// `isKept` says that a sum may be made in front of the loop around.
  Descriptor get(int64_t outer, int64_t k, bool isKept) const;

private:
  int64_t getBytes(int dim, int64_t position) const;
  Value getRuntimeBytes(int dim, Value position) const;
  bool isAdditive(int dim, int64_t position) const;
  SmallVector<int64_t> getPositions(int64_t outer, int64_t k) const;
  int64_t getConstantBits() const;
  Value getBase() const;
  Value getMoved(ArrayRef<int64_t> positions) const;

  ThreadEmitter &emitter;
  SharedView view;
  int outerDim, kDim; ///< of the buffer's layout
  ThreadCoordinate group;
  bool isInLoop; ///< where the operand is used
  const tilec::SharedDemand *pattern = nullptr;
  tilec::DescriptorStrides strides;
  std::string obstacle; ///< where there is no pattern
  std::map<std::pair<int64_t, int64_t>, Value> moved; ///< by (outer, k)
};

} // namespace mlir::tile

#endif // TILE_LIB_CONVERSION_TILETONVVM_COMPUTE_MATRIXDESCRIPTOR_H
