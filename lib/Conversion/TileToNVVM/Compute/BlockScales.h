//===- BlockScales.h - Scales as instructions take them ---------*- C++ -*-===//
//
// An instruction with scales of blocks takes those of a tile of A or B and one
// step along K as 1, 2 or 4 bytes of a 32-bit register; which bytes, and whose
// register of the lanes of a group, are constants of the statement. So a register
// holds four neighbours along K, and serves up to four steps:
//
//     fragment (rows, K / block)     s0 s1 s2 s3 | s4 ..
//     one a step                     s0 s1 s2 s3     byte = block % 4
//     two, of smaller blocks         s0 s0 s1 s1     byte = 0, 2
//
// Scales of ue4m3 have no sign, those of f8E4M3FN do: it is moved to the elements of
// the block, of which each lane has some of the rows g and g + 8 of A and of the
// column g of B. A lane has their scales, too.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_CONVERSION_TILETONVVM_COMPUTE_BLOCKSCALES_H
#define TILE_LIB_CONVERSION_TILETONVVM_COMPUTE_BLOCKSCALES_H

#include "../ThreadEmitter.h"
#include "tile/Hardware/MatrixInstruction.h"

#include <map>

namespace mlir::tile {

/// The scales of one operand of a product.
class BlockScales {
public:
  /// `scales` is a fragment over (M or N, K / block) for blocks of `block` elements.
  /// `row` is the instruction, of which `rows` is the layout of these scales and
  /// `atom` that of what they scale, over (outer, K).
  BlockScales(ThreadEmitter &emitter, Value scales, int64_t block,
              const tilec::MatrixInstruction &row,
              const tilec::MatrixOperand &rows, tilec::FragmentLayout atom);

  /// The operands of the statement for the step that begins at element `k` of the
  /// tile that begins at `outer`: the register, the byte and the lanes.
  SmallVector<Value> get(int64_t outer, int64_t k);

  /// Moves the signs of the scales of the step at `k` to the elements of the tile at
  /// `outer`, whose registers are `elements`. Does nothing where scales have none.
  void moveSigns(int64_t outer, int64_t k, SmallVector<Value> &elements);

private:
  Value pack(int64_t outer, int64_t first);
  Value getWord(int64_t outer, int64_t first);
  Value getSelector();
  Value getIsOdd();

  ThreadEmitter &emitter;
  Value scales;
  int64_t block;
  bool haveSigns;     ///< which the instruction knows nothing of
  bool areOfBothRows; ///< whether a lane has those of two rows of a tile
  tilec::FragmentLayout atom;
  int64_t unit; ///< elements along K for which a byte of a register stands
  std::map<std::pair<int64_t, int64_t>, Value> words;
  Value selector, isOdd;
};

} // namespace mlir::tile

#endif // TILE_LIB_CONVERSION_TILETONVVM_COMPUTE_BLOCKSCALES_H
