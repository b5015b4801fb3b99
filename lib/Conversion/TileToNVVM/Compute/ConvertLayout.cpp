//===- ConvertLayout.cpp - Conversions inside of warps --------------------===//
//
// The result's registers are the operand's under other names, or those of other lanes.
// Where a thread has what it needs but in registers that differ between threads (a
// replicated fragment cut up), it chooses at run time: by bits of its number, or, of
// digits that have no common cuts, by its coordinates.
//
//===----------------------------------------------------------------------===//

#include "WarpExchange.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::tile;
using tilec::Coordinate;
using tilec::FragmentLayout;

/// The registers of `from` that hold register `reg` of `to` in some thread. All
/// threads hold what they need (stage `materialized`).
static llvm::SetVector<int64_t> getCandidates(const FragmentLayout &from,
                                              const FragmentLayout &to,
                                              int64_t reg) {
  llvm::SetVector<int64_t> candidates;
  int64_t lanes = to.getExtent(tilec::HardwareDim::Lane);
  int64_t warps = to.getExtent(tilec::HardwareDim::Warp);
  for (int64_t warp = 0; warp < warps; ++warp)
    for (int64_t lane = 0; lane < lanes; ++lane) {
      Coordinate wanted = to.evaluate(reg, lane, warp);
      if (!to.isInShape(wanted))
        continue;
      Coordinate thread = from.evaluate(0, lane, warp), rest = wanted;
      for (size_t dim = 0; dim < rest.size(); ++dim)
        rest[dim] -= thread[dim];
      int64_t source = getRegister(from, rest);
      assert(from.evaluate(source, lane, warp) == wanted &&
             "guaranteed by stage 'materialized'");
      candidates.insert(source);
    }
  return candidates;
}

/// A conversion in which every thread has what it needs, but in registers that
/// differ between threads: the register's coordinate is compared at run time.
static Value chooseRegister(ThreadEmitter &emitter, ConvertLayoutOp op,
                            int64_t reg) {
  const FragmentLayout &from = emitter.getLayout(op.getSource());
  const FragmentLayout &to = emitter.getLayout(op.getResult());
  Coordinate target = getRegisterCoordinate(to, reg);
  Value value;
  for (int64_t source : getCandidates(from, to, reg)) {
    Value element = emitter.getElement(op.getSource(), source);
    if (!value) {
      value = element;
      continue;
    }
    Coordinate held = getRegisterCoordinate(from, source);
    Value condition;
    for (int dim = 0; dim < to.getRank(); ++dim) {
      // target + to's thread part == held + from's thread part
      Value lhs = emitter.getScope().getCoordinate(to, dim).value;
      Value rhs = emitter.getScope().getCoordinate(from, dim).value;
      lhs = lhs ? emitter.addConstant(lhs, target[dim])
                : emitter.i32(target[dim]);
      rhs = rhs ? emitter.addConstant(rhs, held[dim]) : emitter.i32(held[dim]);
      condition = emitter.both(
          condition, emitter.compare(arith::CmpIPredicate::eq, lhs, rhs));
    }
    value = emitter.select(condition, element, value);
  }
  if (!value)
    value = emitter.padding(emitter.getElement(op.getSource(), 0).getType());
  return value;
}

static LogicalResult lowerConvertLayout(ThreadEmitter &emitter,
                                        ConvertLayoutOp op) {
  const FragmentLayout &from = emitter.getLayout(op.getSource());
  const FragmentLayout &to = emitter.getLayout(op.getResult());
  int64_t count = to.getRegisterCount();
  std::vector<int64_t> renaming;
  if (from.contains(to))
    renaming = tilec::getRegisterRenaming(from, to);
  SmallVector<Value> registers;
  if (!renaming.empty())
    for (int64_t source : renaming)
      registers.push_back(emitter.getElement(op.getSource(), source));
  else if (auto plan = tilec::planWarpExchange(from, to))
    registers = emitWarpExchange(emitter, *plan,
                                 emitter.getValues(op.getSource()), count);
  else
    for (int64_t reg = 0; reg < count; ++reg)
      registers.push_back(chooseRegister(emitter, op, reg));
  emitter.bind(op.getResult(), std::move(registers));
  return success();
}

void tile::registerConvertLayoutLowerings(LoweringTable &table) {
  table.add(lowerConvertLayout);
}
