//===- OpenDecisions.cpp - What follows from an uncertain value ----------===//
//
// A condition, a bound of a loop, an address or a size may hang on a float that
// lies within its bound of another outcome. The reference goes its own way; a
// correct implementation may go the other. So the place is noted, and when the
// operation that decided has run, its results and all memory that it may have
// written, on either way, have infinite bounds: the elements of a tile where its
// place does not hang on the decision, else the whole memref.
//
//===----------------------------------------------------------------------===//

#include "../Machine.h"

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

bool Machine::isKnown(Value value, Operation *decision,
                      llvm::DenseMap<Value, bool> &known) {
  if (!decision->isAncestor(value.getParentRegion()->getParentOp()))
    return environment->contains(value);
  if (auto it = known.find(value); it != known.end())
    return it->second;
  Operation *op = value.getDefiningOp();
  bool follows = op && op->getNumRegions() == 0 && isPure(op) &&
                 llvm::all_of(op->getOperands(), [&](Value operand) {
                   return isKnown(operand, decision, known);
                 });
  auto rule = follows ? rules.find(op->getName().getTypeID()) : rules.end();
  return known[value] =
             rule != rules.end() && succeeded(rule->second(*this, op));
}

void Machine::openWrites(Operation *op, Operation *decision,
                         llvm::DenseMap<Value, bool> &known) {
  SmallVector<Value> written = getWritten(op);
  if (written.empty())
    return;
  if (op != decision) {
    // On the way that was not taken nothing may hold: that is no error.
    ScopedDiagnosticHandler quiet(op->getContext(),
                                  [](Diagnostic &) { return success(); });
    auto elements = getWrittenElements(*this, op, [&](Value value) {
      return isKnown(value, decision, known);
    });
    bool isPlaceOpen = leftOpen.erase(op);
    if (elements && !isPlaceOpen)
      return reference::leaveOpen(elements->first, elements->second);
  }
  for (Value memref : written)
    if (auto it = environment->find(memref);
        it != environment->end() && it->second.memref)
      reference::leaveOpen(*it->second.memref);
}

void Machine::settle(Operation *op) {
  if (leftOpen.empty() || !leftOpen.erase(op))
    return;
  openDecisions.insert(op->getLoc());
  llvm::DenseMap<Value, bool> known;
  op->walk([&](Operation *inner) { openWrites(inner, op, known); });
  for (Value result : op->getResults()) {
    auto it = environment->find(result);
    if (it == environment->end() || !it->second.array)
      continue;
    Array array = *it->second.array;
    array.bounds.assign(array.count, unbounded);
    it->second.array = std::make_shared<const Array>(std::move(array));
  }
}
