//===- ExplainFill.h - Why a buffer is not filled ahead ---------*- C++ -*-===//
//
// What fills a buffer from global memory and is no operation of nothing but
// copies, and no store of what was loaded for it alone, is not moved. The remark
// says what is in the way and what to write instead.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_PIPELINELOOPS_EXPLAINFILL_H
#define TILE_TRANSFORMS_PIPELINELOOPS_EXPLAINFILL_H

#include "BufferWalk.h"

#include "tile/Dialect/Tile/TileOps.h"

#include <optional>

namespace mlir::tile {

struct UnmovedFill {
  Operation *filler; ///< what fills the buffer, perhaps inside of an operation
  std::string reason;
};

/// Why `op`, an operation of a loop body that is not moved, does not fill
/// `buffer` ahead; nothing where it does not fill it, but stores what is computed.
std::optional<UnmovedFill> explainFill(Operation *op, AllocOp buffer);

/// Why an iteration, the operations `ops`, does not fill all of a slot before it uses
/// it: something in `buffer` comes from elsewhere, two copies of `writers` have no order,
/// or it is used between. Empty if it does.
std::string explainFlow(const BufferUse &use, ArrayRef<Operation *> ops,
                        ArrayRef<Operation *> writers, AllocOp buffer);

} // namespace mlir::tile

#endif // TILE_TRANSFORMS_PIPELINELOOPS_EXPLAINFILL_H
