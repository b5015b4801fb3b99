//===- BlockScales.h - Scales as instructions take them ---------*- C++ -*-===//
//
// An instruction with scales of blocks takes those of a tile of A or B and one
// block along K as one byte of a 32-bit register; which byte, and whose register
// of the lanes of a group, are constants of the statement. So a register holds
// four neighbours along K, and serves four steps:
//
//     fragment (rows, K / block)     s0 s1 s2 s3 | s4 ..
//     register                       s0 s1 s2 s3     byte = block % 4
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_CONVERSION_TILETONVVM_COMPUTE_BLOCKSCALES_H
#define TILE_LIB_CONVERSION_TILETONVVM_COMPUTE_BLOCKSCALES_H

#include "../ThreadEmitter.h"

#include <map>

namespace mlir::tile {

/// The scales of one operand of a product.
class BlockScales {
public:
  /// `scales` is a fragment over (M or N, K / block).
  BlockScales(ThreadEmitter &emitter, Value scales)
      : emitter(emitter), scales(scales) {}

  /// The operands of the statement for block `number` of the tile that begins at
  /// `outer`: the register, the byte and the lanes.
  SmallVector<Value> get(int64_t outer, int64_t number);

private:
  Value pack(int64_t outer, int64_t first);

  ThreadEmitter &emitter;
  Value scales;
  std::map<std::pair<int64_t, int64_t>, Value> registers;
};

} // namespace mlir::tile

#endif // TILE_LIB_CONVERSION_TILETONVVM_COMPUTE_BLOCKSCALES_H
