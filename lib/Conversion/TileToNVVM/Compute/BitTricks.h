//===- BitTricks.h - Casts in integer arithmetic ----------------*- C++ -*-===//

#ifndef TILE_LIB_CONVERSION_TILETONVVM_COMPUTE_BITTRICKS_H
#define TILE_LIB_CONVERSION_TILETONVVM_COMPUTE_BITTRICKS_H

#include "../ThreadEmitter.h"

namespace mlir::tile {

/// Builds the bit tricks of one cast.
struct Bits {
  ThreadEmitter &emitter;
  OpBuilder &builder = emitter.builder;
  Location loc = emitter.loc;

  template <typename OpT>
  Value emit(Value lhs, Value rhs) {
    return builder.createOrFold<OpT>(loc, lhs, rhs);
  }
  Value bitcast(Value value, Type type) {
    return builder.createOrFold<arith::BitcastOp>(loc, type, value);
  }
  Value integer(Value like, int64_t value) {
    return emitter.constant(like.getType(), value);
  }
  Value band(Value lhs, int64_t rhs) {
    return emit<arith::AndIOp>(lhs, integer(lhs, rhs));
  }
  Value shiftLeft(Value lhs, int64_t rhs) {
    return emit<arith::ShLIOp>(lhs, integer(lhs, rhs));
  }
  Value shiftRight(Value lhs, int64_t rhs) {
    return emit<arith::ShRUIOp>(lhs, integer(lhs, rhs));
  }
  Value isAbove(Value lhs, int64_t rhs) {
    return emitter.compare(arith::CmpIPredicate::ugt, lhs, integer(lhs, rhs));
  }
};

} // namespace mlir::tile

#endif // TILE_LIB_CONVERSION_TILETONVVM_COMPUTE_BITTRICKS_H
