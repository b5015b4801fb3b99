//===- ThreadCoordinates.cpp - From thread numbers to coordinates ---------===//
//
// A layout's lane and warp digits give each thread its part of a coordinate:
//
//     coordinate = sum over digits of ((number / weight) % extent) * step
//
// where a digit's weight is the product of the extents below it. Each sum is
// emitted once, at the top of the function, whichever access asks for it first.
//
//===----------------------------------------------------------------------===//

#include "ThreadEmitter.h"

#include <algorithm>
#include <set>

using namespace mlir;
using namespace mlir::tile;
using tilec::Digit;
using tilec::Digits;
using tilec::FragmentLayout;
using tilec::HardwareDim;

void ThreadEmitter::emitThreadIds(int64_t threads) {
  MLIRContext *context = builder.getContext();
  auto range = LLVM::ConstantRangeAttr::get(context, 32, 0, threads);
  threadId =
      NVVM::ThreadIdXOp::create(prologue, loc, prologue.getI32Type(), range);
  std::swap(builder, prologue);
  lane = remainder(threadId, target.warpSize);
  warp = divide(threadId, target.warpSize);
  std::swap(builder, prologue);
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
Value ThreadEmitter::emitDigits(const Digits &digits, Value number, int dim) {
  Value sum;
  int64_t weight = 1;
  for (const Digit &digit : digits) {
    if (digit.dim == dim) {
      Value value = divide(number, weight);
      if (&digit != &digits.back())
        value = remainder(value, digit.extent);
      sum = add(sum, multiply(value, digit.step));
    }
    weight *= digit.extent;
  }
  return sum;
}

const ThreadCoordinate &
ThreadEmitter::getThreadCoordinate(const FragmentLayout &layout, int dim) {
  return getThreadCoordinate(layout.getDigits(HardwareDim::Lane),
                             layout.getDigits(HardwareDim::Warp), dim);
}

const ThreadCoordinate &ThreadEmitter::getThreadCoordinate(const Digits &lanes,
                                                           const Digits &warps,
                                                           int dim) {
  std::vector<int64_t> key;
  appendKey(key, lanes, dim);
  appendKey(key, warps, dim);
  auto [it, isNew] = threadCoordinates.try_emplace(key);
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

  std::swap(builder, prologue);
  coordinate.value =
      add(emitDigits(lanes, lane, dim), emitDigits(warps, warp, dim));
  std::swap(builder, prologue);
  return coordinate;
}

Value ThreadEmitter::getIsFirstReplica(const FragmentLayout &layout) {
  std::vector<int64_t> key;
  appendKey(key, layout.getDigits(HardwareDim::Lane), Digit::replicated);
  appendKey(key, layout.getDigits(HardwareDim::Warp), Digit::replicated);
  auto [it, isNew] = firstReplicas.try_emplace(key);
  if (!isNew)
    return it->second;
  std::swap(builder, prologue);
  Value condition;
  for (HardwareDim where : {HardwareDim::Lane, HardwareDim::Warp}) {
    Value number = where == HardwareDim::Lane ? lane : warp;
    int64_t weight = 1;
    const Digits &digits = layout.getDigits(where);
    for (const Digit &digit : digits) {
      if (digit.replicates()) {
        Value value = divide(number, weight);
        if (&digit != &digits.back())
          value = remainder(value, digit.extent);
        condition =
            both(condition, compare(arith::CmpIPredicate::eq, value, i32(0)));
      }
      weight *= digit.extent;
    }
  }
  std::swap(builder, prologue);
  firstReplicas[key] = condition;
  return condition;
}

Value ThreadEmitter::getIsInShape(const FragmentLayout &layout, int64_t reg) {
  if (!layout.hasPadding())
    return {};
  // What is left of each dimension beyond the register's part.
  std::vector<int64_t> rooms;
  tilec::Coordinate coordinate = getRegisterCoordinate(layout, reg);
  for (int dim = 0; dim < layout.getRank(); ++dim) {
    int64_t room = layout.getShape()[dim] - coordinate[dim];
    const ThreadCoordinate &thread = getThreadCoordinate(layout, dim);
    if (room <= 0)
      return constant(builder.getI1Type(), 0);
    rooms.push_back(std::min(room, thread.values.back() + 1));
  }
  auto [it, isNew] = shapeConditions.try_emplace({&layout, rooms});
  if (!isNew)
    return it->second;
  std::swap(builder, prologue);
  Value condition;
  for (int dim = 0; dim < layout.getRank(); ++dim) {
    const ThreadCoordinate &thread = getThreadCoordinate(layout, dim);
    if (thread.values.back() >= rooms[dim])
      condition = both(condition, compare(arith::CmpIPredicate::ult,
                                          thread.value, i32(rooms[dim])));
  }
  std::swap(builder, prologue);
  return it->second = condition;
}
