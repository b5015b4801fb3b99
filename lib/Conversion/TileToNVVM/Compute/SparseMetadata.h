//===- SparseMetadata.h - Which elements of a sparse A are kept -*- C++ -*-===//
//
// The registers of metadata that `mma.sp` takes, from a fragment or from shared
// memory by loads of each thread. One register holds what 64 columns of K need
// and serves the instructions of those, each by its selector
// (SparseMmaInstructions.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_CONVERSION_TILETONVVM_COMPUTE_SPARSEMETADATA_H
#define TILE_LIB_CONVERSION_TILETONVVM_COMPUTE_SPARSEMETADATA_H

#include "GemmOperand.h"
#include "tile/Hardware/GemmPlan.h"

namespace mlir::tile {

class SparseMetadata {
public:
  /// `value` is the operand of a product that `plan` carries out.
  SparseMetadata(ThreadEmitter &emitter, Value value,
                 const tilec::GemmPlan &plan);

  /// The register of every tile along M for the step of K that begins at column
  /// `k`; those of a step are loaded when it is the first that needs them, as
  /// steps come in order.
  ArrayRef<Value> load(int64_t k);
  /// Whose lanes' registers the instruction of that step takes.
  int64_t getSelector(int64_t k) const;

private:
  Value maskPadding(Value word, int64_t m);
  int64_t getColumnsPerRegister() const;

  ThreadEmitter &emitter;
  const tilec::GemmPlan &plan;
  const tilec::MatrixOperand &traits;
  GemmOperand operand;
  SmallVector<Value> registers;
};

} // namespace mlir::tile

#endif // TILE_LIB_CONVERSION_TILETONVVM_COMPUTE_SPARSEMETADATA_H
