//===- GlobalWrites.h - What a launch writes to global memory ---*- C++ -*-===//
//
// The copy engine does not see what threads have written, so each bulk tensor copy asks
// who else writes to its tensor (findOtherWriter). The writes of a launch are found once
// for all copies, as long as nothing changes them.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_INFERLAYOUTS_GLOBALWRITES_H
#define TILE_TRANSFORMS_INFERLAYOUTS_GLOBALWRITES_H

#include "BulkCopies.h"

#include "tile/Analysis/AccessedMemory.h"

#include <vector>

namespace mlir::tile {

class GlobalWrites {
public:
  explicit GlobalWrites(LaunchOp launch);

  /// As findOtherWriter.
  Obstacle findOther(Operation *own, Value memref,
                     llvm::function_ref<bool(Operation *)> mayFollow) const;

private:
  struct Write {
    BlockAccess access;
    /// Nothing where it may be to any.
    std::optional<AccessedMemory> memory;
  };
  struct Writer {
    Operation *op = nullptr;
    SmallVector<Write, 1> writes;
  };

  static bool touches(const Writer &writer, const AccessedMemory &memory);

  /// Without those that hold others, in the order of the program.
  std::vector<Writer> writers;
};

} // namespace mlir::tile

#endif // TILE_TRANSFORMS_INFERLAYOUTS_GLOBALWRITES_H
