//===- ParallelOp.cpp - Verification of parallel boxes --------------------===//
//
// Besides the shapes, one thing that is wrong in every run is found here: a
// store that every iteration along some dimension executes at the same place.
// Where that depends on values it is left to the interpreter and the emulator.
//
//===----------------------------------------------------------------------===//

#include "../Verify/LayoutChecks.h"
#include "../Verify/LegalOperations.h"

#include "tile/Dialect/Tile/OwnElement.h"
#include "tile/Dialect/Tile/TileOps.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::tile;

YieldOp ParallelOp::getYield() {
  return cast<YieldOp>(getBody().front().getTerminator());
}

IterationEffects ParallelOp::getIterationEffects() {
  IterationEffects effects;
  getBody().walk([&](MemoryEffectOpInterface op) {
    SmallVector<MemoryEffects::EffectInstance> instances;
    op.getEffects(instances);
    bool reads = false, writes = false;
    for (const MemoryEffects::EffectInstance &instance : instances) {
      SideEffects::Resource *resource = instance.getResource();
      bool isMemory = resource == SideEffects::DefaultResource::get();
      bool isSeen = isMemory || resource == ConsoleResource::get();
      reads |= isMemory && isa<MemoryEffects::Read>(instance.getEffect());
      writes |= isSeen && isa<MemoryEffects::Write>(instance.getEffect());
    }
    effects.hasAtomics |= reads && writes;
    effects.reads |= reads;
    effects.writes |= writes;
  });
  return effects;
}

LogicalResult ParallelOp::verify() {
  // parallel_c1
  ArrayRef<int64_t> shape = getShape();
  if (shape.empty())
    return emitOpError("must have a box of rank 1 or more");
  for (int64_t extent : shape)
    if (extent < 1)
      return emitOpError("must have a box of positive extents, got ")
             << formatShape(shape);
  // parallel_c2
  for (Type type : getResultTypes())
    if (cast<RankedTensorType>(type).getShape() != shape)
      return emitOpError("must have results of the shape of its box ")
             << formatShape(shape) << ", got " << type;
  if (std::optional<uint64_t> width = getCoalescedWidth()) {
    int64_t coalesced = static_cast<int64_t>(*width);
    if (coalesced < 1)
      return emitOpError("must have a positive 'coalesced_width', got ")
             << coalesced;
    if (getVectorWidth() && *getVectorWidth() != 0 &&
        coalesced % static_cast<int64_t>(*getVectorWidth()) != 0)
      return emitOpError("has 'vector_width' ")
             << *getVectorWidth()
             << ", which does not divide 'coalesced_width' " << coalesced;
  }
  return verifyThreadLayout(*this, getLayoutAttr(), getVectorWidth(), shape);
}

//===----------------------------------------------------------------------===//
// Conflicts that are certain
//===----------------------------------------------------------------------===//

/// Which induction variables a value may depend on, as a bit set. Values read
/// from memory and results of atomics may differ between any two iterations.
static llvm::SmallBitVector getDependences(ParallelOp op, Value value) {
  llvm::SmallBitVector dependences(op.getShape().size());
  llvm::SmallPtrSet<Operation *, 16> visited;
  SmallVector<Value> worklist{value};
  Block &body = op.getBody().front();
  while (!worklist.empty()) {
    Value next = worklist.pop_back_val();
    if (auto argument = dyn_cast<BlockArgument>(next)) {
      if (argument.getOwner() == &body)
        dependences.set(argument.getArgNumber());
      else if (op->isProperAncestor(argument.getOwner()->getParentOp()))
        dependences.set();
      continue;
    }
    Operation *definition = next.getDefiningOp();
    if (!op->isProperAncestor(definition) || !visited.insert(definition).second)
      continue;
    if (definition->getNumRegions() != 0 || !isMemoryEffectFree(definition))
      dependences.set();
    llvm::append_range(worklist, definition->getOperands());
  }
  return dependences;
}

/// A store that is not under a condition and whose place does not depend on a
/// variable that takes more than one value.
static LogicalResult verifyDistinctStores(ParallelOp op) {
  for (auto store : op.getBody().front().getOps<memref::StoreOp>()) {
    llvm::SmallBitVector dependences(op.getShape().size());
    for (Value index : store.getIndices())
      dependences |= getDependences(op, index);
    for (auto [dim, extent] : llvm::enumerate(op.getShape()))
      if (extent > 1 && !dependences.test(dim))
        return store.emitOpError("writes the same element in all ")
               << extent << " iterations along dimension " << dim
               << " of the 'tile.parallel'; use 'memref.atomic_rmw', or let "
                  "one "
                  "iteration store under an 'scf.if'";
  }
  return success();
}

LogicalResult ParallelOp::verifyRegions() {
  Block &body = getBody().front();
  if (body.getNumArguments() != getShape().size() ||
      !llvm::all_of(body.getArgumentTypes(),
                    [](Type type) { return type.isIndex(); }))
    return emitOpError(
               "must have an induction variable of type 'index' for each of ")
           << getShape().size() << " dimensions, got " << body.getNumArguments()
           << " block arguments";
  if (isTooLarge(getShape()))
    return emitOpError("has a box of more than ")
           << maxTileElements
           << " iterations; give the block a smaller one, or loop over parts";
  SmallVector<Type> elements;
  for (Type type : getResultTypes())
    elements.push_back(cast<RankedTensorType>(type).getElementType());
  if (!llvm::equal(getYield().getValues().getTypes(), elements)) {
    InFlightDiagnostic error = emitOpError("yields an element of each result: "
                                           "expected (")
                               << elements << "), got ("
                               << getYield().getValues().getTypes() << ")";
    return error;
  }
  // parallel_c3
  if (failed(verifyLegalOperations(getBody(), Place::Iteration)))
    return failure();
  return verifyDistinctStores(*this);
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

/// Results have the layout of the iteration space; so has a fragment that is
/// read at an iteration's own element, without the variables not used.
void ParallelOp::getLayoutConstraints(LayoutConstraints &constraints) {
  LayoutEnd space = getOperation();
  for (Value result : getResults()) {
    constraints.same.push_back({space, result});
    constraints.given.push_back(
        {space, result, tilec::LayoutMap(), tilec::LayoutMap(), {}});
  }
  getBody().walk([&](tensor::ExtractOp extract) {
    auto dims = getOwnElementDims(extract, *this);
    if (!dims)
      return;
    OpOperand &use = extract.getTensorMutable();
    if (dims->size() == getShape().size() && llvm::is_sorted(*dims))
      return constraints.takeSame(use, space);
    constraints.taken.push_back(
        {&use, space, tilec::LayoutMap::project({dims->begin(), dims->end()})});
  });
}
