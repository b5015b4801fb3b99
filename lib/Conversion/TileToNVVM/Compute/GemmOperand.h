//===- GemmOperand.h - Feeding mma from registers and memory ----*- C++ -*-===//
//
// `mma` takes operand A as rows of K and operand B as columns of K. Each 32-bit
// register of an operand tile is one 8x8 matrix of 16-bit words, of which lane
// l holds words 2(l % 4), 2(l % 4) + 1 of row l / 4: what `ldmatrix` delivers
// from eight rows of 16 bytes along K, and `ldmatrix.trans`, for 16-bit
// elements, from eight rows along M or N. Up to four matrices are loaded at
// once:
//
//     matrix j of four begins at  (j % 2) * first step + (j / 2) * second step
//
// so lane l, which gives the address of row l % 8 of matrix l / 8, needs one
// address per kernel plus constants. Where rows of 16 bytes do not lie
// together, elements are loaded one by one; fragments are packed from
// registers.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_CONVERSION_TILETONVVM_COMPUTE_GEMMOPERAND_H
#define TILE_LIB_CONVERSION_TILETONVVM_COMPUTE_GEMMOPERAND_H

#include "../Access/SharedAddresses.h"
#include "../ThreadEmitter.h"
#include "tile/Hardware/MatrixInstruction.h"

namespace mlir::tile {

/// One operand of a gemm in terms of its instruction. Coordinates are (outer,
/// K) where outer is M for A and N for B, whatever the order in memory.
class GemmOperand {
public:
  /// `layout` and `atomLayout` are the operand's and the instruction's layouts
  /// over (outer, K). `value` is a fragment or shared memref over (outer, K),
  /// or over (K, outer) if `isSwapped`.
  GemmOperand(ThreadEmitter &emitter, Value value, bool isSwapped,
              tilec::FragmentLayout layout, tilec::FragmentLayout atomLayout,
              tilec::ElementKind kind, int64_t elementsPerRegister);

  int64_t getTileCount() const { return tileOrigins.size(); }
  /// The first coordinate of each tile along outer, without the warp's part.
  ArrayRef<int64_t> getTileOrigins() const { return tileOrigins; }

  /// The PTX registers of every tile along outer for the step of K that begins
  /// at element `k`: by tile, then in the order of the operand list.
  SmallVector<SmallVector<Value>> load(int64_t k);

private:
  /// An 8x8 matrix: what one register of one tile holds.
  struct Matrix {
    int64_t tile, reg;
    int64_t outer, k; ///< where it begins, without the warp's part
  };
  /// Which matrices one `ldmatrix` loads: 1, 2 or 4, these steps apart.
  struct Group {
    int64_t count = 1;
    std::pair<int, int64_t> steps[2]; ///< (0 outer, 1 K) and elements
    auto operator<=>(const Group &) const = default;
  };

  Value pack(ArrayRef<Value> elements);
  Value fromWord(Value word);
  Value roundToTF32(Value f32);
  SmallVector<Matrix> getMatrices(int64_t k) const;
  bool canLoadMatrices() const;
  Group getGroup(ArrayRef<Matrix> matrices) const;
  SharedAddresses &getMatrixAddresses(const Group &group);
  void loadMatrices(ArrayRef<Matrix> matrices,
                    SmallVector<SmallVector<Value>> &registers);
  Value loadElements(int64_t outer, int64_t k, int64_t reg);
  Value loadFromFragment(int64_t outer, int64_t k, int64_t reg);
  tilec::Coordinate inMemory(int64_t outer, int64_t k) const {
    return isSwapped ? tilec::Coordinate{k, outer}
                     : tilec::Coordinate{outer, k};
  }
  bool isPaddedAlongOuter() const {
    return layout.getBox()[0] != layout.getShape()[0];
  }

  ThreadEmitter &emitter;
  Value value;
  bool isSwapped;
  tilec::FragmentLayout layout, atomLayout;
  tilec::ElementKind kind;
  int64_t elementsPerRegister, registersPerTile, elementBytes;
  Type elementType;
  bool usesMatrices = false;
  SmallVector<int64_t> tileOrigins;
  std::map<Group, std::unique_ptr<SharedAddresses>> matrixAddresses;
  std::unique_ptr<SharedAddresses> elementAddresses;
};

/// The C++ type of a PTX register of elements of `kind`: vector<2xf16> for f16,
/// f64, f32 (accumulators), else i32.
Type getMmaRegisterType(MLIRContext *context, tilec::ElementKind kind);

} // namespace mlir::tile

#endif // TILE_LIB_CONVERSION_TILETONVVM_COMPUTE_GEMMOPERAND_H
