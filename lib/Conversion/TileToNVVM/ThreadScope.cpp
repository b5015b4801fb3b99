//===- ThreadScope.cpp - The threads that run one piece of code -----------===//

#include "ThreadScope.h"

#include "tile/Analysis/ModuleTarget.h"

#include <algorithm>
#include <set>

using namespace mlir;
using namespace mlir::tile;
using tilec::Digit;
using tilec::Digits;
using tilec::FragmentLayout;
using tilec::HardwareDim;

/// While it lives, the emitter emits at the end of the prologue.
class ThreadScope::InPrologue {
public:
  explicit InPrologue(ThreadScope &scope) : guard(scope.emitter.builder) {
    scope.emitter.builder.setInsertionPoint(scope.endOfPrologue);
  }

private:
  OpBuilder::InsertionGuard guard;
};

ThreadScope::ThreadScope(ScalarEmitter &emitter, const tilec::GpuTarget &target,
                         Value thread, int64_t threadCount,
                         Operation *endOfPrologue)
    : emitter(emitter), target(target), endOfPrologue(endOfPrologue),
      warpCount(threadCount / target.warpSize), thread(thread) {
  InPrologue guard(*this);
  lane = emitter.remainder(thread, target.warpSize);
  warp = emitter.divide(thread, target.warpSize);
}

/// The leader of the first warp. A comparison with the number of the thread would
/// do, but ptxas would loop over the lanes that it may hold for, since the operands
/// of what a leader starts are the same for a warp.
Value ThreadScope::emitElection() {
  InPrologue guard(*this);
  OpBuilder &builder = emitter.builder;
  Value uniform = NVVM::ShflOp::create(
      builder, emitter.loc, builder.getI32Type(), emitter.i32(-1), warp,
      emitter.i32(0), emitter.i32(target.warpSize - 1), NVVM::ShflKind::idx,
      UnitAttr());
  Value isFirst =
      emitter.compare(arith::CmpIPredicate::eq, uniform, emitter.i32(0));
  Value isLeader = NVVM::ElectSyncOp::create(
      builder, emitter.loc, builder.getI1Type(), /*membermask=*/Value());
  return emitter.both(isFirst, isLeader);
}

Value ThreadScope::getIsElected() {
  if (isSingleThread)
    return {};
  if (!copiesInBulk(target))
    return emitter.compare(arith::CmpIPredicate::eq, thread, emitter.i32(0));
  if (!isElected)
    isElected = emitElection();
  return isElected;
}

/// The digits that step along `dim`, as words that name the emitted sum.
static void appendKey(std::vector<int64_t> &key, const Digits &digits,
                      int dim) {
  int64_t weight = 1;
  for (const Digit &digit : digits) {
    if (digit.dim == dim)
      key.insert(key.end(), {weight, digit.extent, digit.step});
    weight *= digit.extent;
  }
  key.push_back(-weight); // whether the last digit is the topmost one
}

/// The sum of the digits of `number` along `dim`; null if there are none.
Value ThreadScope::emitDigits(const Digits &digits, Value number, int dim) {
  Value sum;
  int64_t weight = 1;
  for (const Digit &digit : digits) {
    if (digit.dim == dim) {
      Value value = emitter.divide(number, weight);
      if (&digit != &digits.back())
        value = emitter.remainder(value, digit.extent);
      sum = emitter.add(sum, emitter.multiply(value, digit.step));
    }
    weight *= digit.extent;
  }
  return sum;
}

/// The sum of the digits of lane and warp along `dim`; null if there are none. Where the
/// last of the one and the first of the other are one digit of the thread's number, it may
/// be computed of that: LLVM joins the two only where nothing else uses lane or warp.
Value ThreadScope::emitDigits(const Digits &lanes, const Digits &warps,
                              int dim) {
  int64_t weight = 1;
  for (const Digit &digit : lanes)
    weight *= digit.extent;
  bool isJoined = numbersThreads && weight == target.warpSize &&
                  !lanes.empty() && !warps.empty() && lanes.back().dim == dim &&
                  warps.front().dim == dim &&
                  warps.front().step == lanes.back().step * lanes.back().extent;
  if (!isJoined)
    return emitter.add(emitDigits(lanes, lane, dim),
                       emitDigits(warps, warp, dim));
  Digits joined = lanes;
  joined.back().extent *= warps.front().extent;
  joined.insert(joined.end(), warps.begin() + 1, warps.end());
  return emitDigits(joined, thread, dim);
}

const ThreadCoordinate &ThreadScope::getCoordinate(const FragmentLayout &layout,
                                                   int dim) {
  return getCoordinate(layout.getDigits(HardwareDim::Lane),
                       layout.getDigits(HardwareDim::Warp), dim);
}

const ThreadCoordinate &
ThreadScope::getCoordinate(const Digits &lanes, const Digits &warps, int dim) {
  std::vector<int64_t> key;
  appendKey(key, lanes, dim);
  appendKey(key, warps, dim);
  auto [it, isNew] = coordinates.try_emplace(key);
  ThreadCoordinate &coordinate = it->second;
  if (!isNew)
    return coordinate;

  std::set<int64_t> all = {0};
  for (const Digits *digits : {&lanes, &warps})
    for (const Digit &digit : *digits) {
      if (digit.dim != dim)
        continue;
      std::set<int64_t> sums;
      for (int64_t value : all)
        for (int64_t i = 0; i < digit.extent; ++i)
          sums.insert(value + i * digit.step);
      all = std::move(sums);
    }
  coordinate.values.assign(all.begin(), all.end());

  InPrologue guard(*this);
  coordinate.value = emitDigits(lanes, warps, dim);
  return coordinate;
}

Value ThreadScope::getIsFirstReplica(const FragmentLayout &layout) {
  std::vector<int64_t> key;
  appendKey(key, layout.getDigits(HardwareDim::Lane), Digit::replicated);
  appendKey(key, layout.getDigits(HardwareDim::Warp), Digit::replicated);
  auto [it, isNew] = firstReplicas.try_emplace(key);
  if (!isNew)
    return it->second;
  InPrologue guard(*this);
  Value condition;
  for (HardwareDim where : {HardwareDim::Lane, HardwareDim::Warp}) {
    Value number = where == HardwareDim::Lane ? lane : warp;
    int64_t weight = 1;
    const Digits &digits = layout.getDigits(where);
    for (const Digit &digit : digits) {
      if (digit.replicates()) {
        Value value = emitter.divide(number, weight);
        if (&digit != &digits.back())
          value = emitter.remainder(value, digit.extent);
        condition =
            emitter.both(condition, emitter.compare(arith::CmpIPredicate::eq,
                                                    value, emitter.i32(0)));
      }
      weight *= digit.extent;
    }
  }
  firstReplicas[key] = condition;
  return condition;
}

Value ThreadScope::getIsInShape(const FragmentLayout &layout, int64_t reg) {
  if (!layout.hasPadding())
    return {};
  // What is left of each dimension beyond the register's part.
  std::vector<int64_t> rooms, key;
  tilec::Coordinate coordinate = getRegisterCoordinate(layout, reg);
  for (int dim = 0; dim < layout.getRank(); ++dim) {
    int64_t room = layout.getShape()[dim] - coordinate[dim];
    const ThreadCoordinate &thread = getCoordinate(layout, dim);
    if (room <= 0)
      return emitter.constant(emitter.builder.getI1Type(), 0);
    rooms.push_back(thread.getLimit(room));
    appendKey(key, layout.getDigits(HardwareDim::Lane), dim);
    appendKey(key, layout.getDigits(HardwareDim::Warp), dim);
    key.push_back(rooms.back());
  }
  auto [it, isNew] = shapeConditions.try_emplace(key);
  if (!isNew)
    return it->second;
  InPrologue guard(*this);
  Value condition;
  for (int dim = 0; dim < layout.getRank(); ++dim) {
    const ThreadCoordinate &thread = getCoordinate(layout, dim);
    if (thread.values.back() >= rooms[dim])
      condition = emitter.both(
          condition, emitter.compare(arith::CmpIPredicate::ult, thread.value,
                                     emitter.i32(rooms[dim])));
  }
  return it->second = condition;
}
