//===- FmaGemm.cpp - Matrix products without a matrix instruction ---------===//
//
// For f32 in full precision: each thread multiplies and adds for the elements
// of its registers, reading both operands from shared memory in a loop over K,
//
//     for k:  for each row m of its registers     a[m] = A[m, k]
//             for each column n of its registers  b[n] = B[k, n]
//             c[m, n] = fma(a[m], b[n], c[m, n])
//
// so that an element is loaded once for all registers that use it.
//
//===----------------------------------------------------------------------===//

#include "FmaGemm.h"

#include "../Access/SharedAddresses.h"
#include "Cast.h"

#include "llvm/ADT/STLExtras.h"

#include <set>

using namespace mlir;
using namespace mlir::tile;
using tilec::FragmentLayout;

namespace {
/// One operand, over (outer, K) in memory or (K, outer) if `isSwapped`.
class FmaOperand {
public:
  FmaOperand(ThreadEmitter &emitter, Value memref, bool isSwapped,
             const FragmentLayout &layout, int outerDim, Value k,
             int64_t kDivisor)
      : emitter(emitter), isSwapped(isSwapped),
        elementType(cast<MemRefType>(memref.getType()).getElementType()) {
    SmallVector<SmallVector<RuntimeTerm>> terms(2);
    const ThreadCoordinate &thread =
        emitter.getScope().getCoordinate(layout, outerDim);
    if (thread.value)
      terms[isSwapped].push_back({thread.value, thread.values, 1});
    terms[!isSwapped].push_back({k, {}, kDivisor});
    addresses = std::make_unique<SharedAddresses>(
        emitter, emitter.getShared(memref), terms);
    if (layout.getBox()[outerDim] != layout.getShape()[outerDim])
      addresses->clampToBuffer();
  }

  /// The element at (thread's part + `outer`, loop's k + `k`).
  Value load(int64_t outer, int64_t k, Type type) {
    int64_t coordinate[2] = {outer, k};
    if (isSwapped)
      std::swap(coordinate[0], coordinate[1]);
    Value element = emitter.load(addresses->getPointer(coordinate),
                                 emitter.convertMemoryType(elementType), 1);
    return convertElement(emitter, element, elementType, type);
  }

private:
  ThreadEmitter &emitter;
  bool isSwapped;
  Type elementType;
  std::unique_ptr<SharedAddresses> addresses;
};
} // namespace

/// The register parts along `dim`, each once.
static SmallVector<int64_t> getRegisterParts(const FragmentLayout &layout,
                                             int dim) {
  std::set<int64_t> parts;
  for (int64_t reg = 0; reg < layout.getRegisterCount(); ++reg)
    parts.insert(getRegisterCoordinate(layout, reg)[dim]);
  return SmallVector<int64_t>(parts.begin(), parts.end());
}

LogicalResult tile::lowerFmaGemm(ThreadEmitter &emitter,
                                 MatrixProductOpInterface op) {
  OpBuilder &builder = emitter.builder;
  Location loc = emitter.loc;
  Type type = op.getAccumulatorType();
  if (!isa<MemRefType>(op.getA().getType()) ||
      !isa<MemRefType>(op.getB().getType()) || !(type.isF32() || type.isF64()))
    return emitter.notImplemented(
        op, "a product by multiply-adds of other operands than "
            "shared f32 and f64 buffers");
  const FragmentLayout &layout = emitter.getLayout(op->getResult(0));
  int64_t count = layout.getRegisterCount(), unroll = 4;
  while (op.getK() % unroll != 0)
    unroll /= 2;
  SmallVector<Value> sums;
  for (int64_t reg = 0; reg < count; ++reg)
    sums.push_back(op.getC() ? emitter.getElement(op.getC(), reg)
                             : emitter.zero(type));

  auto loop = scf::ForOp::create(
      builder, loc, emitter.i32(0), emitter.i32(op.getK()), emitter.i32(unroll),
      sums, [](OpBuilder &, Location, Value, ValueRange) {});
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(loop.getBody());
    sums = llvm::to_vector_of<Value>(loop.getRegionIterArgs());
    Value k = loop.getInductionVar();
    FmaOperand a(emitter, op.getA(), op.getTransposeA(), layout, 0, k, unroll);
    FmaOperand b(emitter, op.getB(), !op.getTransposeB(), layout, 1, k, unroll);
    for (int64_t step = 0; step < unroll; ++step) {
      std::map<int64_t, Value> rows, columns;
      for (int64_t m : getRegisterParts(layout, 0))
        rows[m] = a.load(m, step, type);
      for (int64_t n : getRegisterParts(layout, 1))
        columns[n] = b.load(n, step, type);
      for (int64_t reg = 0; reg < count; ++reg) {
        tilec::Coordinate at = getRegisterCoordinate(layout, reg);
        sums[reg] = LLVM::FMAOp::create(builder, loc, rows[at[0]],
                                        columns[at[1]], sums[reg]);
      }
    }
    scf::YieldOp::create(builder, loc, sums);
  }
  emitter.bind(op->getResult(0), llvm::to_vector_of<Value>(loop.getResults()));
  return success();
}
