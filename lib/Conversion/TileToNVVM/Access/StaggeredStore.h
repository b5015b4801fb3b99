//===- StaggeredStore.h - Stores without bank conflicts ---------*- C++ -*-===//

#ifndef TILE_LIB_CONVERSION_TILETONVVM_ACCESS_STAGGEREDSTORE_H
#define TILE_LIB_CONVERSION_TILETONVVM_ACCESS_STAGGEREDSTORE_H

#include "../ThreadEmitter.h"

namespace mlir::tile {

/// Which lanes of a store write which registers in each other's place: those
/// whose bit `laneBit` is set store register r ^ `registers` where others store
/// r, an element `step` further or less far along `dim`.
struct Stagger {
  int laneBit;
  int64_t registers;
  int dim;
  int64_t step;
};

/// The stagger that takes the fewest wavefronts for `op`, a result on its way to
/// a bulk copy; nothing where none takes fewer than all lanes in the same order.
std::optional<Stagger> findStagger(ThreadEmitter &emitter, StoreOp op);

void lowerStaggeredStore(ThreadEmitter &emitter, StoreOp op,
                         const Stagger &stagger);

} // namespace mlir::tile

#endif // TILE_LIB_CONVERSION_TILETONVVM_ACCESS_STAGGEREDSTORE_H
