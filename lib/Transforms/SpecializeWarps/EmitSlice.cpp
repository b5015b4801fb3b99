//===- EmitSlice.cpp - A slice as a program of its own --------------------===//

#include "EmitSlice.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tile;

namespace {
class SliceEmitter {
public:
  SliceEmitter(const ProducerSlice &slice, OpBuilder &builder,
               IRMapping &mapping)
      : slice(slice), builder(builder), mapping(mapping) {}
  void emitBlock(Block &block);

private:
  void emitFor(scf::ForOp loop);
  void emitWhile(scf::WhileOp loop);
  void emitBranches(Operation *branch);
  void emitRegion(Region &from, Region &to, ArrayRef<unsigned> arguments,
                  ArrayRef<unsigned> yielded, unsigned leading);

  SmallVector<unsigned> getNeeded(ValueRange first, ValueRange second) const;
  SmallVector<Value> getMapped(ValueRange values,
                               ArrayRef<unsigned> numbers) const {
    return llvm::map_to_vector(numbers, [&](unsigned number) {
      return mapping.lookupOrDefault(values[number]);
    });
  }
  void mapResults(Operation *from, Operation *to, ArrayRef<unsigned> numbers) {
    for (auto [position, number] : llvm::enumerate(numbers))
      mapping.map(from->getResult(number), to->getResult(position));
  }

  const ProducerSlice &slice;
  OpBuilder &builder;
  IRMapping &mapping;
};
} // namespace

/// The numbers at which the slice needs a value of one of two lists.
SmallVector<unsigned> SliceEmitter::getNeeded(ValueRange first,
                                              ValueRange second) const {
  SmallVector<unsigned> numbers;
  for (unsigned i = 0, e = std::max(first.size(), second.size()); i < e; ++i)
    if ((i < first.size() && slice.values.contains(first[i])) ||
        (i < second.size() && slice.values.contains(second[i])))
      numbers.push_back(i);
  return numbers;
}

/// Fills region `to` with what the slice has of `from`. The terminator hands
/// over the first `leading` operands and those of the others in `yielded`.
void SliceEmitter::emitRegion(Region &from, Region &to,
                              ArrayRef<unsigned> arguments,
                              ArrayRef<unsigned> yielded, unsigned leading) {
  OpBuilder::InsertionGuard guard(builder);
  Block &block = from.front();
  if (to.empty())
    builder.createBlock(&to);
  else
    builder.setInsertionPointToEnd(&to.front());
  for (unsigned number : arguments) {
    BlockArgument argument = block.getArgument(number);
    if (!mapping.contains(argument))
      mapping.map(argument, to.front().addArgument(argument.getType(),
                                                   argument.getLoc()));
  }
  emitBlock(block);
  Operation *terminator = block.getTerminator();
  SmallVector<Value> operands;
  for (unsigned i = 0; i < leading; ++i)
    operands.push_back(mapping.lookupOrDefault(terminator->getOperand(i)));
  llvm::append_range(
      operands,
      getMapped(terminator->getOperands().drop_front(leading), yielded));
  OperationState state(terminator->getLoc(), terminator->getName());
  state.addOperands(operands);
  state.addAttributes(terminator->getAttrs());
  builder.create(state);
}

void SliceEmitter::emitFor(scf::ForOp loop) {
  SmallVector<unsigned> needed =
      getNeeded(loop.getRegionIterArgs(), loop.getResults());
  auto made = scf::ForOp::create(
      builder, loop.getLoc(), mapping.lookupOrDefault(loop.getLowerBound()),
      mapping.lookupOrDefault(loop.getUpperBound()),
      mapping.lookupOrDefault(loop.getStep()),
      getMapped(loop.getInitArgs(), needed),
      [](OpBuilder &, Location, Value, ValueRange) {}, loop.getUnsignedCmp());
  mapping.map(loop.getInductionVar(), made.getInductionVar());
  for (auto [position, number] : llvm::enumerate(needed))
    mapping.map(loop.getRegionIterArg(number), made.getRegionIterArg(position));
  emitRegion(loop.getRegion(), made.getRegion(), /*arguments=*/{}, needed,
             /*leading=*/0);
  mapResults(loop, made, needed);
}

void SliceEmitter::emitWhile(scf::WhileOp loop) {
  SmallVector<unsigned> before = getNeeded(loop.getBeforeArguments(), {});
  SmallVector<unsigned> after =
      getNeeded(loop.getAfterArguments(), loop.getResults());
  SmallVector<Type> types = llvm::map_to_vector(
      after, [&](unsigned number) { return loop.getResult(number).getType(); });
  auto made = scf::WhileOp::create(builder, loop.getLoc(), types,
                                   getMapped(loop.getInits(), before));
  emitRegion(loop.getBefore(), made.getBefore(), before, after, /*leading=*/1);
  emitRegion(loop.getAfter(), made.getAfter(), after, before, /*leading=*/0);
  mapResults(loop, made, after);
}

/// An `scf.if` or `scf.index_switch`: one operand decides, nothing is carried.
void SliceEmitter::emitBranches(Operation *branch) {
  SmallVector<unsigned> needed = getNeeded(branch->getResults(), {});
  OperationState state(branch->getLoc(), branch->getName());
  state.addOperands(mapping.lookupOrDefault(branch->getOperand(0)));
  state.addAttributes(branch->getAttrs());
  for (unsigned number : needed)
    state.addTypes(branch->getResult(number).getType());
  for (unsigned i = 0; i < branch->getNumRegions(); ++i)
    state.addRegion();
  Operation *made = builder.create(state);
  for (auto [from, to] :
       llvm::zip_equal(branch->getRegions(), made->getRegions()))
    if (!from.empty())
      emitRegion(from, to, /*arguments=*/{}, needed, /*leading=*/0);
  mapResults(branch, made, needed);
}

void SliceEmitter::emitBlock(Block &block) {
  for (Operation &op : block.without_terminator()) {
    if (!slice.ops.contains(&op))
      continue;
    llvm::TypeSwitch<Operation *>(&op)
        .Case([&](scf::ForOp loop) { emitFor(loop); })
        .Case([&](scf::WhileOp loop) { emitWhile(loop); })
        .Case<scf::IfOp, scf::IndexSwitchOp>(
            [&](Operation *branch) { emitBranches(branch); })
        .Default([&](Operation *other) { builder.clone(*other, mapping); });
  }
}

void tile::emitSlice(Block &block, const ProducerSlice &slice,
                     OpBuilder &builder, IRMapping &mapping) {
  SliceEmitter(slice, builder, mapping).emitBlock(block);
}
