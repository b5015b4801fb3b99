//===- GemmOperandPairs.cpp - Bytes that lie across K ---------------------===//
//
// See BytePairs.h for which row of a matrix is which number along K, and what each lane
// then holds.
//
//===----------------------------------------------------------------------===//

#include "GemmOperand.h"

#include "../Access/MatrixLoad.h"

using namespace mlir;
using namespace mlir::tile;
using tilec::HardwareDim;

/// How many bytes of a register the selectors of the pair's two differ by: 1 in each of
/// the four numbers of a byte.
static constexpr int64_t nextOfPair = 0x1111;

/// `number / weight % extent`, in front of all that the threads do.
static Value getDigit(ThreadEmitter &emitter, Value number, int64_t weight,
                      int64_t extent) {
  return emitter.remainder(emitter.divide(number, weight), extent);
}

/// Lane `e + 2i + 8 * which + 16 * block` gives the address of row `2i + e` of a matrix,
/// the first or the second of a block of 16 along K.
SharedAddresses &GemmOperand::getPairAddresses() {
  if (pairAddresses)
    return *pairAddresses;
  ThreadScope &scope = emitter.getScope();
  OpBuilder &builder = emitter.builder;
  RuntimeTerm alongK;
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(scope.getEndOfPrologue());
    Value lane = scope.getLane();
    Value isOther = builder.createOrFold<arith::XOrIOp>(
        emitter.loc, getDigit(emitter, lane, 4, 2),
        getDigit(emitter, lane, 8, 2));
    alongK.value = emitter.add(
        emitter.multiply(getDigit(emitter, lane, 2, 4), 4),
        emitter.add(emitter.remainder(lane, 2), emitter.multiply(isOther, 2)));
    if (row->matrixCount > 2)
      alongK.value =
          emitter.add(alongK.value, emitter.multiply(emitter.divide(lane, 16),
                                                     tilec::pairedElements));
  }
  for (int64_t k = 0; k < tilec::matrixRows * row->matrixCount; ++k)
    alongK.values.push_back(k);
  SmallVector<SmallVector<RuntimeTerm>> terms(2);
  terms[0].push_back(alongK);
  const ThreadCoordinate &warp =
      scope.getCoordinate({}, layout.getDigits(HardwareDim::Warp), /*dim=*/0);
  if (warp.value)
    terms[1].push_back({warp.value, warp.values, 1});
  pairAddresses = std::make_unique<SharedAddresses>(
      emitter, emitter.getShared(value), terms);
  return *pairAddresses;
}

/// Bytes 0 and 2 of the matrix that has the lane's first two numbers along K, then of
/// the other: in lanes with `l % 4 >= 2` that is the second one.
Value GemmOperand::getPairSelector() {
  if (pairSelector)
    return pairSelector;
  ThreadScope &scope = emitter.getScope();
  OpBuilder::InsertionGuard guard(emitter.builder);
  emitter.builder.setInsertionPoint(scope.getEndOfPrologue());
  Value isExchanged =
      emitter.compare(arith::CmpIPredicate::ne,
                      getDigit(emitter, scope.getLane(), 2, 2), emitter.i32(0));
  pairSelector =
      emitter.select(isExchanged, emitter.i32(0x2064), emitter.i32(0x6420));
  return pairSelector;
}

void GemmOperand::loadPairs(int64_t k,
                            SmallVector<SmallVector<Value>> &registers) {
  int64_t blocks = row->matrixCount / 2;
  // Of A a pair is one tile's, of B it is two tiles'.
  bool isOfTiles = tiles.getRegistersPerTile() == blocks;
  ArrayRef<int64_t> origins = getTileOrigins();
  Value selectors[] = {getPairSelector(),
                       emitter.addConstant(getPairSelector(), nextOfPair)};
  for (size_t first = 0; first < origins.size(); first += isOfTiles ? 2 : 1) {
    SmallVector<Value> words = emitMatrixLoad(
        emitter, getPairAddresses().getPointer(inMemory(origins[first], k)),
        row->matrixCount, row->isTransposed);
    for (int64_t block = 0; block < blocks; ++block)
      for (int64_t half : {0, 1}) {
        Value packed = emitter.callIntrinsic(
            "llvm.nvvm.prmt", emitter.builder.getI32Type(),
            {words[2 * block], words[2 * block + 1], selectors[half]});
        if (isOfTiles)
          registers[first + half][block] = packed;
        else
          registers[first][2 * block + half] = packed;
      }
  }
}
