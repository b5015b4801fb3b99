//===- GemmOperand.h - Feeding mma from registers and memory ----*- C++ -*-===//
//
// `mma` takes operand A as rows of K and operand B as columns of K. What lies in
// shared memory comes as the operation's `load_a` and `load_b` say: matrices by
// `ldmatrix` (see MatrixLoads.h), for which lane l, which gives the address of
// row l % 8 of matrix l / 8, needs one address per kernel plus constants; bytes that lie
// across K as pairs (BytePairs.h, GemmOperandPairs.cpp); or elements by loads of each
// thread. Fragments are packed from registers.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_CONVERSION_TILETONVVM_COMPUTE_GEMMOPERAND_H
#define TILE_LIB_CONVERSION_TILETONVVM_COMPUTE_GEMMOPERAND_H

#include "../Access/SharedAddresses.h"
#include "../ThreadEmitter.h"
#include "tile/Hardware/BytePairs.h"
#include "tile/Hardware/CopyInstruction.h"
#include "tile/Hardware/MatrixInstruction.h"
#include "tile/Hardware/MatrixLoads.h"

namespace mlir::tile {

/// One operand of a gemm in terms of its instruction. Coordinates are (outer,
/// K) where outer is M for A and N for B, whatever the order in memory.
class GemmOperand {
public:
  /// `layout` and `atomLayout` are the operand's and the instruction's layouts
  /// over (outer, K). `value` is a fragment or shared memref over (outer, K),
  /// or over (K, outer) if `isSwapped`; a memref is loaded by `howToLoad`.
  GemmOperand(ThreadEmitter &emitter, Value value, OperandLoadAttr howToLoad,
              bool isSwapped, tilec::FragmentLayout layout,
              tilec::FragmentLayout atomLayout, tilec::ElementKind kind,
              int64_t elementsPerRegister, bool isPaired);

  /// The first coordinate of each tile along outer, without the warp's part.
  ArrayRef<int64_t> getTileOrigins() const { return tiles.getOrigins(); }

  /// Whether the elements lie as the load needs them; if not, an error at `op`.
  LogicalResult verify(Operation *op) const;

  /// The PTX registers of every tile along outer for the step of K that begins
  /// at element `k`: by tile, then in the order of the operand list.
  SmallVector<SmallVector<Value>> load(int64_t k);

private:
  Value pack(ArrayRef<Value> elements);
  Value fromWord(Value word);
  int64_t getWordBits() const;
  Value roundToTF32(Value f32);
  /// The memref's dimension along which the accesses of the load run.
  int getAccessDim() const;
  SharedAddresses &getMatrixAddresses(const tilec::MatrixGroup &group);
  void loadMatrices(ArrayRef<tilec::TileMatrix> matrices,
                    SmallVector<SmallVector<Value>> &registers);
  SharedAddresses &getPairAddresses();
  Value getPairSelector();
  void loadPairs(int64_t k, SmallVector<SmallVector<Value>> &registers);
  Value loadElements(int64_t outer, int64_t k, int64_t reg);
  Value loadFromFragment(int64_t outer, int64_t k, int64_t reg);
  /// Where memory has what instructions have at (outer, K).
  tilec::Coordinate inMemory(int64_t outer, int64_t k) const {
    if (isPaired)
      outer = tilec::getPairedPlace(outer);
    return isSwapped ? tilec::Coordinate{k, outer}
                     : tilec::Coordinate{outer, k};
  }
  bool isPadded() const { return layout.getBox() != layout.getShape(); }

  ThreadEmitter &emitter;
  Value value;
  bool isSwapped;
  tilec::FragmentLayout layout, atomLayout;
  tilec::ElementKind kind;
  int64_t elementsPerRegister;
  bool isPaired; ///< see BytePairs.h
  tilec::OperandTiles tiles;
  Type elementType;
  const tilec::CopyInstruction *row = nullptr; ///< of a memref's load
  int64_t accessWidth = 1;                     ///< its elements
  std::map<tilec::MatrixGroup, std::unique_ptr<SharedAddresses>>
      matrixAddresses;
  std::unique_ptr<SharedAddresses> elementAddresses, pairAddresses;
  Value pairSelector;
};

/// The C++ type of a PTX register of elements of `kind`: vector<2xf16> for f16,
/// f64, f32 (accumulators), else i32.
Type getMmaRegisterType(MLIRContext *context, tilec::ElementKind kind);

} // namespace mlir::tile

#endif // TILE_LIB_CONVERSION_TILETONVVM_COMPUTE_GEMMOPERAND_H
