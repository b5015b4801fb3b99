//===- OpenDecisions.cpp - What follows from an uncertain value ----------===//
//
// A condition, a bound of a loop, an address or a size may hang on a float that
// lies within its bound of another outcome. The reference goes its own way; a
// correct implementation may go the other. So the place is noted, and when the
// operation that decided has run, its results and all memory that it may have
// written, on either way, have infinite bounds.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::tile::reference;

void Machine::leaveOpen(Operation *op) {
  bool isTerminator = op->hasTrait<OpTrait::IsTerminator>();
  leftOpen.insert(isTerminator ? op->getParentOp() : op);
}

/// The memrefs that an operation writes; all that it takes where its effects
/// are not known.
static SmallVector<Value> getWritten(Operation *op) {
  SmallVector<Value> written;
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  if (!effects && op->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
    return written;
  for (Value operand : op->getOperands())
    if (isa<MemRefType>(operand.getType()) &&
        (!effects ||
         effects.getEffectOnValue<MemoryEffects::Write>(operand).has_value()))
      written.push_back(operand);
  return written;
}

void Machine::settle(Operation *op) {
  if (leftOpen.empty() || !leftOpen.erase(op))
    return;
  openDecisions.insert(op->getLoc());
  op->walk([&](Operation *inner) {
    for (Value memref : getWritten(inner))
      if (auto it = environment->find(memref);
          it != environment->end() && it->second.memref)
        reference::leaveOpen(*it->second.memref);
  });
  for (Value result : op->getResults()) {
    auto it = environment->find(result);
    if (it == environment->end() || !it->second.array)
      continue;
    Array array = *it->second.array;
    array.bounds.assign(array.count, unbounded);
    it->second.array = std::make_shared<const Array>(std::move(array));
  }
}
