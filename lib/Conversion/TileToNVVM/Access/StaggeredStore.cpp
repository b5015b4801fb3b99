//===- StaggeredStore.cpp - Stores without bank conflicts -----------------===//
//
// In the result of a product, an access of two registers is eight rows of eight
// elements. Those of 32 bits take two chunks of 16 bytes in each row, which the
// XOR of 128-byte rows only exchanges between a row and the next: both are in
// the same banks. So every second row writes other columns first:
//
//     access   lanes of even rows     lanes of odd rows
//     0        columns  0 to  7       columns 16 to 23
//     2        columns 16 to 23       columns  0 to  7
//
// What a lane stores is chosen between two registers, where it stores it has one
// more part that the thread decides. Which lanes, and how far, is found by
// counting passes over the banks.
//
//===----------------------------------------------------------------------===//

#include "StaggeredStore.h"

#include "../Compute/Cast.h"
#include "MatrixStore.h"
#include "SharedAddresses.h"

#include "tile/Dialect/Tile/CopyFacts.h"

using namespace mlir;
using namespace mlir::tile;
using tilec::Coordinate;
using tilec::Digit;
using tilec::FragmentLayout;
using tilec::HardwareDim;

//===----------------------------------------------------------------------===//
// Which lanes
//===----------------------------------------------------------------------===//

static int64_t getWidth(StoreOp op) { return op.getVectorWidth().value_or(1); }

/// The address of an element of a whole buffer.
static int64_t getByteAddress(const SharedView &view, const Coordinate &at) {
  int64_t offset = 0;
  for (const tilec::OffsetDigit &digit : view.digits)
    offset += at[digit.dim] / digit.step % digit.extent * digit.weight;
  return view.swizzle.apply(offset * view.elementBits / 8);
}

/// The wavefronts of the first access, of which lanes with bit `laneBit` set
/// store register `other`.
static int64_t countWavefronts(ThreadEmitter &emitter, StoreOp op, int laneBit,
                               int64_t other) {
  const SharedView &view = emitter.getShared(op.getDest());
  const FragmentLayout &layout = emitter.getLayout(op.getValue().getType());
  std::vector<int64_t> addresses;
  for (int64_t lane = 0; lane < emitter.target.warpSize; ++lane) {
    int64_t reg = (lane >> laneBit & 1) != 0 ? other : 0;
    addresses.push_back(getByteAddress(view, layout.evaluate(reg, lane, 0)));
  }
  return tilec::countWavefronts(addresses, getWidth(op) * view.elementBits / 8);
}

/// The dimension along which register r + `registers` is a step from r, the same
/// for every r without that bit, and the step; nothing if there is none.
static std::optional<std::pair<int, int64_t>>
findStep(const FragmentLayout &layout, int64_t registers) {
  std::optional<std::pair<int, int64_t>> step;
  for (int64_t reg = 0; reg < layout.getRegisterCount(); ++reg) {
    if ((reg & registers) != 0)
      continue;
    Coordinate from = getRegisterCoordinate(layout, reg),
               to = getRegisterCoordinate(layout, reg + registers);
    for (int dim = 0; dim < layout.getRank(); ++dim) {
      if (from[dim] == to[dim])
        continue;
      std::pair<int, int64_t> here(dim, to[dim] - from[dim]);
      if (step.value_or(here) != here)
        return std::nullopt;
      step = here;
    }
  }
  return step;
}

std::optional<Stagger> tile::findStagger(ThreadEmitter &emitter, StoreOp op) {
  const FragmentLayout &layout = emitter.getLayout(op.getValue().getType());
  if (!op.getDestSide().isWhole() || !isOnItsWay(op) ||
      llvm::none_of(op.getDest().getUsers(), isBulkStore) ||
      layout.hasPadding() || layout.getReplication() != 1)
    return std::nullopt;
  std::optional<Stagger> best;
  int64_t fewest = countWavefronts(emitter, op, /*laneBit=*/0, /*other=*/0);
  int64_t count = layout.getRegisterCount();
  for (int64_t registers = getWidth(op); count % (2 * registers) == 0;
       registers *= 2) {
    auto step = findStep(layout, registers);
    for (int bit = 0; step && 1 << bit < emitter.target.warpSize; ++bit) {
      int64_t wavefronts = countWavefronts(emitter, op, bit, registers);
      if (wavefronts >= fewest)
        continue;
      fewest = wavefronts;
      best = Stagger{bit, registers, step->first, step->second};
    }
  }
  return best;
}

//===----------------------------------------------------------------------===//
// The store
//===----------------------------------------------------------------------===//

/// `step` in the lanes whose bit is set, 0 in others.
static const ThreadCoordinate &getLaneStep(ThreadEmitter &emitter,
                                           const Stagger &stagger) {
  tilec::Digits lanes = {
      {int64_t(1) << stagger.laneBit, Digit::replicated, 0},
      {2, stagger.dim, stagger.step},
      {emitter.target.warpSize >> (stagger.laneBit + 1), Digit::replicated, 0}};
  return emitter.getScope().getCoordinate(lanes, tilec::Digits(), stagger.dim);
}

/// Where the registers go that have the stagger's bit, or that have it not.
static SharedAddresses getAddresses(ThreadEmitter &emitter, StoreOp op,
                                    const Stagger &stagger, bool hasBit) {
  const FragmentLayout &layout = emitter.getLayout(op.getValue().getType());
  SmallVector<SmallVector<RuntimeTerm>> terms(layout.getRank());
  for (int dim = 0; dim < layout.getRank(); ++dim) {
    const ThreadCoordinate &thread =
        emitter.getScope().getCoordinate(layout, dim);
    if (thread.value)
      terms[dim].push_back({thread.value, thread.values, 1});
  }
  Value step = getLaneStep(emitter, stagger).value;
  if (hasBit)
    step = emitter.builder.createOrFold<arith::SubIOp>(
        emitter.loc, emitter.i32(stagger.step), step);
  terms[stagger.dim].push_back({step, {0, stagger.step}, 1});
  return SharedAddresses(emitter, emitter.getShared(op.getDest()), terms);
}

void tile::lowerStaggeredStore(ThreadEmitter &emitter, StoreOp op,
                               const Stagger &stagger) {
  RankedTensorType type = op.getValue().getType();
  const FragmentLayout &layout = emitter.getLayout(type);
  Type element = op.getDest().getType().getElementType();
  SmallVector<Value> elements =
      convertElements(emitter, emitter.getValues(op.getValue()),
                      type.getElementType(), element);
  for (Value &value : elements)
    value = emitter.toMemory(value, element);
  Value isOther =
      emitter.compare(arith::CmpIPredicate::ne,
                      getLaneStep(emitter, stagger).value, emitter.i32(0));
  SharedAddresses addresses[] = {
      getAddresses(emitter, op, stagger, /*hasBit=*/false),
      getAddresses(emitter, op, stagger, /*hasBit=*/true)};
  int64_t width = getWidth(op);
  for (int64_t first = 0; first < layout.getRegisterCount(); first += width) {
    SmallVector<Value> stored;
    for (int64_t reg = first; reg < first + width; ++reg)
      stored.push_back(emitter.select(
          isOther, elements[reg ^ stagger.registers], elements[reg]));
    bool hasBit = (first & stagger.registers) != 0;
    Value pointer = addresses[hasBit].getPointer(
        getRegisterCoordinate(layout, first & ~stagger.registers));
    emitter.store(stored, pointer, emitter.convertMemoryType(element));
  }
}
