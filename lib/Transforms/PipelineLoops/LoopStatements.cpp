//===- LoopStatements.cpp - A loop body as a scheduling problem -----------===//

#include "LoopStatements.h"
#include "ExpandSchedule.h"
#include "LateStores.h"
#include "SplitFills.h"

#include "tile/Analysis/BlockAccesses.h"
#include "tile/Analysis/NestedAccesses.h"
#include "tile/Dialect/Tile/TileTypes.h"

#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::tile;
namespace schedule = tilec::schedule;

std::string tile::describe(Operation *op) {
  std::string text = ("'" + op->getName().getStringRef() + "'").str();
  if (auto loc = op->getLoc()->findInstanceOf<FileLineColLoc>())
    text += " (line " + std::to_string(loc.getLine()) + ")";
  return text;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

int LoopStatements::addPlace(Value root) {
  auto [place, isNew] =
      places.insert({root, static_cast<int>(body.places.size())});
  if (isNew) {
    std::string name;
    llvm::raw_string_ostream(name) << root.getType();
    body.places.push_back({name, /*isPrivate=*/false, /*bytes=*/0});
  }
  return place->second;
}

std::optional<int> LoopStatements::getPlace(Value root) const {
  auto place = places.find(root);
  return place == places.end() ? std::nullopt : std::optional(place->second);
}

/// An access of any memory makes a statement opaque: nothing that touches
/// memory passes it.
void LoopStatements::addAccesses(Operation *op,
                                 schedule::Statement &statement) {
  for (const BlockAccess &access : getNestedAccesses(op)) {
    if (!access.memref) {
      statement.isOpaque = true;
      continue;
    }
    SmallVector<Value> roots;
    if (!access.isShared())
      roots = getMemRefRoots(access.memref);
    else if (Value root = getSharedRoot(access.memref))
      roots.push_back(root);
    if (roots.empty())
      statement.isOpaque = true;
    for (Value root : roots)
      statement.accesses.push_back(
          {addPlace(root), access.reads, access.writes,
           access.combines ? static_cast<int>(*access.combines) : -1});
  }
}

bool tile::isRingOfInside(scf::ForOp loop, Value ring) {
  auto isInside = [&](Operation *use) { return loop->isAncestor(use); };
  return loop->isAncestor(ring.getParentBlock()->getParentOp()) ||
         llvm::all_of(ring.getUsers(), isInside);
}

/// Whether an operation uses a ring of an iteration. What it orders are the
/// accesses to the ring's buffers, which are in order anyhow.
static bool usesOwnRing(scf::ForOp loop, Operation *op) {
  auto isOwn = [&](Value value) {
    return isa<RingType>(value.getType()) && isRingOfInside(loop, value);
  };
  return llvm::any_of(op->getOperands(), isOwn) ||
         llvm::any_of(op->getResults(), isOwn);
}

/// What people see keeps its order, and so does what may stop the program.
/// Groups of copies that the program counts itself keep everything in place.
void LoopStatements::addEffects(Operation *op, schedule::Statement &statement) {
  auto touch = [&](std::optional<int> &place, StringRef name) {
    if (!place) {
      place = body.places.size();
      body.places.push_back({name.str(), /*isPrivate=*/false, /*bytes=*/0});
    }
    statement.accesses.push_back({*place, /*reads=*/true, /*writes=*/true, -1});
  };
  op->walk([&](MemoryEffectOpInterface inner) {
    SmallVector<MemoryEffects::EffectInstance> effects;
    inner.getEffects(effects);
    for (const MemoryEffects::EffectInstance &effect : effects) {
      if (effect.getResource() == ConsoleResource::get())
        touch(console, "what is printed");
      else if (effect.getResource() == TrapResource::get())
        touch(trap, "the end of the program");
      else if (effect.getResource() == OrderResource::get())
        statement.isOpaque |= !usesOwnRing(loop, inner);
    }
  });
}

void LoopStatements::addOverlaps() {
  for (auto &[first, firstPlace] : places)
    for (auto &[second, secondPlace] : places)
      if (firstPlace < secondPlace && mayOverlap(first, second))
        body.overlaps.push_back({firstPlace, secondPlace});
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// Adds the statements' values that `value` is computed from, `distance`
/// iterations before.
void LoopStatements::addUses(Value value, int distance,
                             llvm::DenseSet<std::pair<Value, int>> &seen,
                             schedule::Statement &statement) {
  bool isInLoop = loop->isAncestor(value.getParentBlock()->getParentOp());
  // A value from several iterations before is as if from the last one.
  distance = std::min(distance, 1);
  if (!isInLoop || value == loop.getInductionVar() ||
      !seen.insert({value, distance}).second)
    return;
  if (auto argument = dyn_cast<BlockArgument>(value))
    return addUses(loop.getTiedLoopYieldedValue(argument)->get(), distance + 1,
                   seen, statement);
  Operation *op = value.getDefiningOp();
  if (op->hasTrait<OpTrait::ConstantLike>())
    return;
  if (looksThroughScalars && isRecomputed(op)) {
    for (Value operand : op->getOperands())
      addUses(operand, distance, seen, statement);
    return;
  }
  auto [known, isNew] = values.insert({value, body.valueCount});
  if (isNew)
    ++body.valueCount;
  statement.uses.push_back({known->second, distance});
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

std::optional<int> LoopStatements::find(Operation *op) const {
  auto number = numbers.find(op);
  return number == numbers.end() ? std::nullopt : std::optional(number->second);
}

/// Whether it makes sense to do `op` for a later iteration: fills, loads from
/// global memory, arithmetic on the integers that say where. Computation stays.
static bool isWorthRunningAhead(Operation *op) {
  auto isPlace = [](Type type) {
    return getElementTypeOrSelf(type).isSignlessIntOrIndex();
  };
  // Elements of a byte or less are data: no memref has so few places.
  auto arePlaces = [&](const BlockAccess &access) {
    return access.isShared() && access.fragment &&
           isPlace(access.fragment.getType()) &&
           getMemoryBits(getElementTypeOrSelf(access.fragment.getType())) > 8;
  };
  auto isMemRef = [](Type type) { return isa<MemRefType>(type); };
  if (llvm::any_of(op->getResultTypes(), isMemRef))
    return false;
  if (isOnlyFills(op) || matchLateStore(op) || isBetweenLoadAndStore(op))
    return true;
  SmallVector<BlockAccess> accesses = getNestedAccesses(op);
  // Indices may go from thread to thread through scratch.
  bool isOnlyPlaces =
      op->getNumRegions() == 0 && llvm::all_of(accesses, arePlaces);
  if (!accesses.empty())
    return isOnlyPlaces || onlyReadsGlobal(op);
  return isMemoryEffectFree(op) && llvm::all_of(op->getResultTypes(), isPlace);
}

void LoopStatements::addStatement(Operation *op) {
  numbers[op] = static_cast<int>(ops.size());
  ops.push_back(op);
  schedule::Statement statement{};
  statement.name = op->getName().getStringRef();
  statement.mayRunAhead = isWorthRunningAhead(op);
  addAccesses(op, statement);
  addEffects(op, statement);
  llvm::SetVector<Value> used(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), used);
  llvm::DenseSet<std::pair<Value, int>> seen;
  for (Value value : used)
    addUses(value, /*distance=*/0, seen, statement);
  for (Value result : op->getResults()) {
    auto [known, isNew] = values.insert({result, body.valueCount});
    if (isNew)
      ++body.valueCount;
    statement.defines.push_back(known->second);
  }
  body.statements.push_back(std::move(statement));
}

LoopStatements::LoopStatements(scf::ForOp loop, bool looksThroughScalars)
    : loop(loop), looksThroughScalars(looksThroughScalars) {
  for (Operation &op : loop.getBody()->without_terminator())
    if (!(looksThroughScalars ? isRecomputed(&op)
                              : op.hasTrait<OpTrait::ConstantLike>()))
      addStatement(&op);
  addOverlaps();
}
