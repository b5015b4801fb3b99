//===- Combiner.h - How reductions and scans combine ------------*- C++ -*-===//
//
// What `tile.reduce`, `tile.partial_reduce` and `tile.scan` share: how two
// elements become one, by a kind or by a region; what an element is where the
// tile has none (padding); in which type elements accumulate; and how elements
// travel between the lanes of a warp.
//
// Padding counts as the neutral element of a kind. A region has none: its
// elements carry a flag instead, and combining with an element that is none
// gives the other one.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_CONVERSION_TILETONVVM_COMPUTE_COMBINER_H
#define TILE_LIB_CONVERSION_TILETONVVM_COMPUTE_COMBINER_H

#include "../ThreadEmitter.h"

namespace mlir::tile {

/// One or more values that are combined together, and whether they are elements
/// at all (null: certainly).
struct Element {
  SmallVector<Value> values;
  Value isValid;
};

/// How two elements become one.
class Combiner {
public:
  virtual ~Combiner() = default;
  virtual FailureOr<SmallVector<Value>> combine(ArrayRef<Value> lhs,
                                                ArrayRef<Value> rhs) = 0;
  /// What padding counts as; empty if it has to be skipped.
  virtual SmallVector<Value> getNeutral() { return {}; }
  /// What the prefix of nothing is; empty if only the operation can say.
  virtual SmallVector<Value> getEmptyPrefix() { return {}; }
  /// Whether exchanging the operands may change the result's last bits.
  virtual bool isOrderSensitive() const { return true; }
  /// The combination of what all lanes of the warp hold, in each of them, where one
  /// instruction gives it; else null.
  virtual Value combineWarp(Value) { return {}; }
  /// Whether a product may fuse with the sum that takes it.
  virtual bool fusesProducts() const { return false; }
};

/// The combiner of an operation with a kind and flags on elements that accumulate
/// in `type`, or with a region.
std::unique_ptr<Combiner>
createCombiner(ThreadEmitter &emitter,
               std::optional<vector::CombiningKind> kind,
               arith::FastMathFlags flags, Type type, Region *region);

/// Combines two elements of which either may be none.
FailureOr<Element> combine(ThreadEmitter &emitter, Combiner &combiner,
                           const Element &lhs, const Element &rhs);

/// The type in which a kind or a region accumulates elements of `type`: f16 and
/// bf16 in f32 with a kind. Null for types without a lowering.
Type getAccumulatorType(ThreadEmitter &emitter, Type type, bool isKind);

/// That type for each of several fragments.
SmallVector<Type> getAccumulatorTypes(ThreadEmitter &emitter,
                                      ValueRange fragments, bool isKind);

/// A value in the type that accumulates, and back.
Value toAccumulator(ThreadEmitter &emitter, Value value, Type type);

/// Register `reg` of each `init` in the types that accumulate.
SmallVector<Value> getInits(ThreadEmitter &emitter, ValueRange inits,
                            ArrayRef<Type> types, int64_t reg);

/// An accumulated value as an element of the fragment `result`.
Value toElement(ThreadEmitter &emitter, Value accumulated, Value result);

/// Register `reg` of all `sources` in the types that accumulate, whatever it is in
/// padding.
Element getElement(ThreadEmitter &emitter, ArrayRef<Value> sources,
                   ArrayRef<Type> types, int64_t reg);

/// What the thread's coordinates along `dims` are below where register `reg` lies
/// in the shape, one number a dimension: registers that lie there together have
/// the same. Nothing where the register is padding in every thread.
std::optional<SmallVector<int64_t>>
getLimits(ThreadEmitter &emitter, const tilec::FragmentLayout &layout,
          ArrayRef<int64_t> dims, int64_t reg);

/// Whether the thread is within `limits`; no value where every thread is.
Value isWithin(ThreadEmitter &emitter, const tilec::FragmentLayout &layout,
               ArrayRef<int64_t> dims, ArrayRef<int64_t> limits);

/// `element`, neutral or marked in threads that are not within `limits`. Padding
/// along other dimensions than `dims` is nobody's concern.
Element maskPadding(ThreadEmitter &emitter, Combiner &combiner, Element element,
                    const tilec::FragmentLayout &layout, ArrayRef<int64_t> dims,
                    ArrayRef<int64_t> limits);

/// The value that another lane has: the one whose number differs in the bits
/// `which` (bfly), is lower or higher by it (up, down), or is it (idx). Beyond
/// the warp, the own value.
Value shuffle(ThreadEmitter &emitter, Value value, NVVM::ShflKind kind,
              Value which);

/// `shuffle` of all values of an element and its flag.
Element shuffle(ThreadEmitter &emitter, const Element &element,
                NVVM::ShflKind kind, Value which);

/// Whether the fragments that `op` combines ("reductions", "scans") are of types
/// that have registers; if not, an error at it. That they have one layout is
/// promised by stage `laid_out`.
LogicalResult verifyElementTypes(ThreadEmitter &emitter, Operation *op,
                                 ValueRange operands, StringRef what);

} // namespace mlir::tile

#endif // TILE_LIB_CONVERSION_TILETONVVM_COMPUTE_COMBINER_H
