//===- PredicatedAccess.h - Accesses under a predicate ----------*- C++ -*-===//
//
// A branch around an access ends the block of instructions that ptxas schedules, and
// what is live over it is spilled sooner. Accesses to global memory can have a predicate
// instead, for which LLVM has no instruction: they are written as assembly.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_CONVERSION_TILETONVVM_ACCESS_PREDICATEDACCESS_H
#define TILE_LIB_CONVERSION_TILETONVVM_ACCESS_PREDICATEDACCESS_H

#include "../ThreadEmitter.h"

namespace mlir::tile {

/// Loads as many words of `bits` bits as `otherwise` has from `pointer` on, by one
/// instruction; `otherwise` where `condition` (null for always) does not hold. These are
/// of 16, 32 or 64 bits, of 16 where memory has 8. `isReadOnly`: nobody writes there.
SmallVector<Value> loadByPredicate(ThreadEmitter &emitter, Value pointer,
                                   Value condition, ArrayRef<Value> otherwise,
                                   int64_t bits, bool isReadOnly);

/// Stores words as `loadByPredicate` loads them; the condition is not null.
void storeByPredicate(ThreadEmitter &emitter, Value pointer, Value condition,
                      ArrayRef<Value> words);

/// `lhs > rhs`, of 32 bits with signs, and not `condition`: one instruction, which LLVM
/// does not make a comparison of a difference.
Value isGreaterAndNot(ThreadEmitter &emitter, Value lhs, int64_t rhs,
                      Value condition);

} // namespace mlir::tile

#endif // TILE_LIB_CONVERSION_TILETONVVM_ACCESS_PREDICATEDACCESS_H
