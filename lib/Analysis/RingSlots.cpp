//===- RingSlots.cpp - Which slot of a ring an access touches -------------===//

#include "tile/Analysis/RingSlots.h"

#include "tile/Analysis/LoopValue.h"
#include "tile/Analysis/RingFills.h"
#include "tile/Analysis/SlotCounter.h"
#include "tile/Dialect/Tile/MemRefRoots.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// The slot of an access
//===----------------------------------------------------------------------===//

/// `memref` without the operations that change its type only.
static Value skipCasts(Value memref) {
  while (true) {
    if (auto castOp = memref.getDefiningOp<memref::CastOp>())
      memref = castOp.getSource();
    else if (auto assume = memref.getDefiningOp<AssumeOp>())
      memref = assume->getOperand(0);
    else
      return memref;
  }
}

/// The number of the slot of `ring` that an access stays in; null if it may
/// touch several.
static OpFoldResult getSlotNumber(const BlockAccess &access, Value ring) {
  Value memref = skipCasts(access.memref);
  if (memref == ring) {
    const std::optional<Side> &side = access.side;
    bool isOneSlot = side && !side->isWhole() && side->box &&
                     side->box.asArrayRef().front() == 1 && !side->rows;
    return isOneSlot ? OpFoldResult(side->indices.front()) : OpFoldResult();
  }
  while (auto view = memref.getDefiningOp<memref::SubViewOp>()) {
    memref = skipCasts(view.getSource());
    if (memref == ring && view.getStaticSizes().front() == 1)
      return view.getMixedOffsets().front();
  }
  return {};
}

RingSlice tile::getRingSlice(const BlockAccess &access) {
  auto type = access.memref ? dyn_cast<MemRefType>(access.memref.getType())
                            : MemRefType();
  if (!type || !isSharedMemory(type))
    return {};
  Value ring = getSharedRoot(access.memref);
  auto ringType = ring ? cast<MemRefType>(ring.getType()) : MemRefType();
  if (!ringType || ringType.getRank() == 0)
    return {};
  return {ring, ringType.getDimSize(0), getSlotNumber(access, ring)};
}

namespace {
/// `symbol + number`, or `number` alone where the symbol is null.
struct SymbolicNumber {
  Value symbol;
  int64_t number = 0;
};
} // namespace

static SymbolicNumber resolve(Value slot, int64_t slots);

/// A counter, named by that one of `names` (the loop's iteration arguments or
/// its results) whose counter is the first that starts a constant apart.
static SymbolicNumber nameCounter(const SlotCounter &counter,
                                  ValueRange names) {
  int64_t slots = counter.slots;
  SymbolicNumber own = resolve(counter.init, slots);
  scf::ForOp loop = counter.loop;
  for (auto [argument, name] : llvm::zip(loop.getRegionIterArgs(), names)) {
    std::optional<SlotCounter> other = matchSlotCounter(argument);
    if (!other || other->slots % slots != 0)
      continue;
    SymbolicNumber start = resolve(other->init, slots);
    if (start.symbol == own.symbol)
      return {name, llvm::mod(own.number - start.number + slots, slots)};
  }
  llvm_unreachable("a counter starts where it starts");
}

/// The number of the use of a ring with mbarriers that gives `slot`; null if none
/// does.
static Value getUseNumber(Value slot) {
  Operation *use = slot.getDefiningOp();
  std::optional<RingUseKind> kind = getRingUseKind(use);
  bool isGiven = kind == RingUseKind::Acquire || kind == RingUseKind::Wait;
  return isGiven && isOfMbarriers(use->getOperand(0)) ? use->getOperand(1)
                                                      : Value();
}

/// A slot number of a ring of `slots` as a canonical symbol and a constant; so is
/// a number of its uses.
static SymbolicNumber resolve(Value slot, int64_t slots) {
  if (Value number = getUseNumber(slot))
    return resolve(number, slots);
  if (std::optional<int64_t> constant = getConstantIntValue(slot))
    return *constant >= 0 ? SymbolicNumber{Value(), *constant % slots}
                          : SymbolicNumber{slot, 0};
  int64_t wrap = 0;
  if (Value before = matchNextSlot(slot, wrap); before && wrap % slots == 0) {
    SymbolicNumber number = resolve(before, slots);
    return {number.symbol, (number.number + 1) % slots};
  }
  auto argument = dyn_cast<BlockArgument>(slot);
  auto loop = slot.getDefiningOp<scf::ForOp>();
  if (loop)
    argument = loop.getRegionIterArg(cast<OpResult>(slot).getResultNumber());
  if (argument)
    if (auto counter = matchSlotCounter(argument);
        counter && counter->slots % slots == 0)
      return nameCounter(*counter, loop ? ValueRange(loop.getResults())
                                        : counter->loop.getRegionIterArgs());
  return {slot, 0};
}

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

/// The name of a value that is a slot, or a number of a use, at its place.
RingSlot RingSlots::name(Value slot, int64_t slots) {
  SymbolicNumber number = resolve(slot, slots);
  return {number.symbol ? intern({number.symbol, slots}) : RingSlot::constant,
          number.number};
}

void RingSlots::addAccess(const BlockAccess &access) {
  Access &own = accesses.emplace_back();
  if (isMbarrierUse(access.op)) {
    Value ring = access.op->getOperand(0);
    uses[access.op] = name(access.op->getOperand(1),
                           cast<RingType>(ring.getType()).getSlots());
    return;
  }
  RingSlice slice = getRingSlice(access);
  own.ring = slice.ring;
  own.slots = slice.slots;
  if (RingAcquireOp fill = getFill(access)) {
    own.slots = fill.getRing().getType().getSlots();
    own.slot = name(fill.getNumber(), own.slots);
  } else if (!slice.slot) {
    return;
  } else if (std::optional<int64_t> constant =
                 getConstantIntValue(slice.slot)) {
    own.slot = {RingSlot::constant, *constant};
  } else {
    own.slot = name(cast<Value>(slice.slot), own.slots);
  }
}

RingSlots::RingSlots(ArrayRef<BlockAccess> blockAccesses) {
  for (const BlockAccess &access : blockAccesses)
    addAccess(access);
  // The map grows while it is walked.
  for (size_t next = 0; next < symbols.size(); ++next)
    follow(Symbol(symbols.begin()[next].first));
}

int RingSlots::intern(Symbol symbol) {
  return symbols.insert({symbol, static_cast<int>(symbols.size()) + 1})
      .first->second;
}

int RingSlots::find(Symbol symbol) const {
  if (!symbol.first)
    return RingSlot::constant;
  auto found = symbols.find(symbol);
  return found == symbols.end() ? RingSlot::unknown : found->second;
}

/// Interns the names that what `symbol` names has before, in and behind a loop.
void RingSlots::follow(Symbol symbol) {
  auto [value, slots] = symbol;
  std::optional<LoopValue> ofLoop = getLoopValue(value);
  if (!ofLoop || !ofLoop->carried)
    return;
  scf::ForOp loop = ofLoop->loop;
  unsigned number = *ofLoop->carried;
  intern({loop.getRegionIterArg(number), slots});
  intern({loop.getResult(number), slots});
  if (Value init = resolve(loop.getInitArgs()[number], slots).symbol)
    intern({init, slots});
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

/// A slot number that control flow hands over, named by a symbol if there is
/// one.
RingSlot RingSlots::getName(Symbol symbol) const {
  auto [name, isNew] = names.try_emplace(symbol);
  if (isNew) {
    SymbolicNumber number = resolve(symbol.first, symbol.second);
    name->second = {find({number.symbol, symbol.second}), number.number};
  }
  return name->second;
}

RingSlot RingSlots::cross(const RegionEdge &edge, int64_t access,
                          RingSlot slot) const {
  if (slot.symbol == RingSlot::unknown)
    return slot;
  int64_t slots = accesses[access].slots;
  for (auto [operand, input] : llvm::zip(edge.operands, edge.inputs)) {
    int name = find({input, slots});
    if (name == RingSlot::unknown)
      continue;
    RingSlot before = getName({operand, slots});
    if (before.symbol == slot.symbol)
      return {name, llvm::mod(slot.number - before.number + slots, slots)};
  }
  if (slot.symbol == RingSlot::constant)
    return slot;
  // What the operation or its regions define is defined anew.
  Value value = symbols.begin()[slot.symbol - 1].first.first;
  Operation *op = edge.op;
  bool isRedefined = value.getDefiningOp() == op ||
                     op->isAncestor(value.getParentBlock()->getParentOp());
  return isRedefined ? RingSlot() : slot;
}

bool RingSlots::areDifferent(int64_t first, RingSlot firstSlot, int64_t second,
                             RingSlot secondSlot) const {
  return firstSlot.symbol != RingSlot::unknown && accesses[first].ring &&
         accesses[first].ring == accesses[second].ring &&
         firstSlot.symbol == secondSlot.symbol &&
         firstSlot.number != secondSlot.number;
}

bool RingSlots::areSame(int64_t first, RingSlot firstSlot, int64_t second,
                        RingSlot secondSlot) const {
  return firstSlot.symbol != RingSlot::unknown && accesses[first].ring &&
         accesses[first].ring == accesses[second].ring &&
         firstSlot == secondSlot;
}
