//===- IterationLoops.cpp - Loops over a thread's iterations --------------===//

#include "IterationLoops.h"

#include "tile/Dialect/Tile/OwnElement.h"

using namespace mlir;
using namespace mlir::tile;
using tilec::Coordinate;
using tilec::Digit;
using tilec::Digits;
using tilec::FragmentLayout;

/// A thread's iterations that are written out without a loop. Of a body of a few accesses
/// each costs 1 to 2 ms of compilation and 150 to 400 bytes of PTX. In the examples and
/// tests a thread has 33 at most that need no registers of their own: twice as many are
/// left as they are.
static constexpr int64_t maxWritten = 64;

/// Those that a step of a loop writes out: enough for accesses to be joined and for
/// loads to be under way together. LLVM adds to them where they are fewer.
static constexpr int64_t maxWrittenInStep = 16;

//===----------------------------------------------------------------------===//
// Decision
//===----------------------------------------------------------------------===//

/// The dimensions along which iterations need registers of their own.
static llvm::SmallBitVector getDimsInRegisters(ParallelOp op) {
  llvm::SmallBitVector dims(op.getShape().size(), op.getNumResults() != 0);
  op.getBody().walk([&](tensor::ExtractOp extract) {
    std::optional<SmallVector<int>> own = getOwnElementDims(extract, op);
    assert(own && "guaranteed by stage 'materialized'");
    for (int dim : *own)
      dims.set(dim);
  });
  return dims;
}

/// The largest divisor of `extent` that is at most `limit`; 1 at least.
static int64_t getDivisorUpTo(int64_t extent, int64_t limit) {
  int64_t divisor = std::max<int64_t>(std::min(extent, limit), 1);
  while (extent % divisor != 0)
    --divisor;
  return divisor;
}

/// How much of each register digit a step writes out: as much as fits, innermost digits
/// first.
static SmallVector<int64_t> chooseWrittenParts(ParallelOp op,
                                               const FragmentLayout &layout) {
  const Digits &digits = layout.getDigits(tilec::HardwareDim::Register);
  SmallVector<int64_t> parts;
  for (const Digit &digit : digits)
    parts.push_back(digit.extent);
  if (layout.getRegisterCount() <= maxWritten)
    return parts;
  llvm::SmallBitVector isInRegisters = getDimsInRegisters(op);
  int64_t written = 1;
  for (const Digit &digit : digits)
    if (isInRegisters.test(digit.dim))
      written *= digit.extent;
  for (auto [digit, part] : llvm::zip(digits, parts)) {
    if (isInRegisters.test(digit.dim))
      continue;
    part = getDivisorUpTo(digit.extent, maxWrittenInStep / written);
    written *= part;
  }
  return parts;
}

IterationPlan tile::planIterations(ParallelOp op,
                                   const FragmentLayout &layout) {
  const Digits &digits = layout.getDigits(tilec::HardwareDim::Register);
  SmallVector<int64_t> parts = chooseWrittenParts(op, layout);
  IterationPlan plan;
  Coordinate box = layout.getBox();
  for (auto [digit, part] : llvm::reverse(llvm::zip(digits, parts))) {
    int64_t steps = digit.extent / part, stride = digit.step * part;
    bool endsInPadding = box[digit.dim] != layout.getShape()[digit.dim] &&
                         steps * stride == box[digit.dim];
    if (steps > 1)
      plan.loops.push_back({digit.dim, stride, steps, endsInPadding});
  }
  for (int64_t reg = 0; reg < layout.getRegisterCount(); ++reg) {
    int64_t number = reg;
    bool isWritten = true;
    for (auto [digit, part] : llvm::zip(digits, parts)) {
      isWritten &= number % digit.extent < part;
      number /= digit.extent;
    }
    if (isWritten)
      plan.registers.push_back(reg);
  }
  return plan;
}

//===----------------------------------------------------------------------===//
// Emission
//===----------------------------------------------------------------------===//

/// Emits `body` in `loops`, which add to `parts`.
static LogicalResult
emitLoops(ThreadEmitter &emitter, ArrayRef<DigitLoop> loops,
          MutableArrayRef<CountedPart> parts,
          llvm::function_ref<LogicalResult(ArrayRef<CountedPart>)> body) {
  if (loops.empty())
    return body(parts);
  const DigitLoop &outer = loops.front();
  Location loc = emitter.loc;
  CountedPart &part = parts[outer.dim];
  CountedPart before = part;
  int64_t steps = outer.steps - (outer.endsInPadding ? 1 : 0);
  auto emitInside = [&] {
    LogicalResult emitted = emitLoops(emitter, loops.drop_front(), parts, body);
    emitter.loc = loc;
    part = before;
    return emitted;
  };
  {
    OpBuilder::InsertionGuard guard(emitter.builder);
    auto loop = scf::ForOp::create(emitter.builder, loc, emitter.i32(0),
                                   emitter.i32(steps), emitter.i32(1));
    emitter.builder.setInsertionPoint(loop.getBody()->getTerminator());
    part.value = emitter.add(
        before.value, emitter.multiply(loop.getInductionVar(), outer.stride));
    part.most += (steps - 1) * outer.stride;
    if (failed(emitInside()))
      return failure();
  }
  if (!outer.endsInPadding)
    return success();
  part.constant += steps * outer.stride;
  return emitInside();
}

LogicalResult tile::emitIterationLoops(
    ThreadEmitter &emitter, const IterationPlan &plan, int rank,
    llvm::function_ref<LogicalResult(ArrayRef<CountedPart>)> body) {
  SmallVector<CountedPart> parts(rank);
  return emitLoops(emitter, plan.loops, parts, body);
}

Value tile::getIsInShape(ThreadEmitter &emitter, const FragmentLayout &layout,
                         int64_t reg, ArrayRef<CountedPart> parts) {
  ThreadScope &scope = emitter.getScope();
  if (llvm::none_of(parts, [](const CountedPart &part) {
        return part.value || part.constant != 0;
      }))
    return scope.getIsInShape(layout, reg);
  Coordinate coordinate = getRegisterCoordinate(layout, reg);
  Value condition;
  for (auto [dim, part] : llvm::enumerate(parts)) {
    const ThreadCoordinate &thread = scope.getCoordinate(layout, dim);
    int64_t limit = layout.getShape()[dim] - coordinate[dim] - part.constant;
    if (thread.values.back() + part.most < limit)
      continue;
    if (limit <= 0)
      return emitter.constant(emitter.builder.getI1Type(), 0);
    Value position = emitter.add(thread.value, part.value);
    condition = emitter.both(
        condition, emitter.compare(arith::CmpIPredicate::ult,
                                   position ? position : emitter.i32(0),
                                   emitter.i32(limit)));
  }
  return condition;
}
