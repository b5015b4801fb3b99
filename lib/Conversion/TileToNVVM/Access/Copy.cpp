//===- Copy.cpp - Copies from memory to memory ----------------------------===//
//
// `cp.async` moves 4, 8 or 16 bytes from global to shared memory without a
// register; outside the source it reads nothing and writes zeros (source size
// 0), which a copy with the default padding gets for free. `ld.st` loads,
// converts and stores. Threads that only replicate others stay out, and so does
// what lies outside the destination.
//
//===----------------------------------------------------------------------===//

#include "BulkCopy.h"
#include "Rounds.h"
#include "SideAccess.h"

#include "tile/Analysis/AccessWidth.h"
#include "tile/Analysis/ThreadCopy.h"
#include "tile/Dialect/Tile/CopyFacts.h"
#include "tile/Layout/FragmentWarps.h"

using namespace mlir;
using namespace mlir::tile;

void tile::emitAsyncCopy(ThreadEmitter &emitter, Value dest, Value source,
                         int64_t bytes, Value inSource) {
  OpBuilder &builder = emitter.builder;
  Value sourceBytes;
  if (inSource)
    sourceBytes = emitter.select(inSource, emitter.i32(bytes), emitter.i32(0));
  NVVM::CpAsyncOp::create(
      builder, emitter.loc, dest, source, builder.getI32IntegerAttr(bytes),
      NVVM::LoadCacheModifierKindAttr::get(
          builder.getContext(), bytes == tilec::maxAccessBytes
                                    ? NVVM::LoadCacheModifierKind::CG
                                    : NVVM::LoadCacheModifierKind::CA),
      sourceBytes);
}

namespace {
/// A copy as one thread does it.
struct ThreadCopy {
  ThreadEmitter &emitter;
  CopyOp op;
  const tilec::FragmentLayout &layout;
  SideAccess source, dest;
  Value isFirstReplica;

  void emitAsyncAccess(int64_t width, Value to, Value from, Value inSource,
                       Value pad);
  void emitAsync(int64_t width);
  void emitThroughRegisters();
};
} // namespace

/// Elements that a producer's thread moves at once. It has 64 registers in all
/// (decision 0010), of which each access takes two more for its address.
static constexpr int64_t producerElementsAtOnce = 16;
/// Loads, and copies past the registers, that other threads have at once.
static constexpr int64_t loadsAtOnce = 32, asyncCopiesAtOnce = 16;

/// One access of `width` elements, `pad` (null for zeros) where it is not in the
/// source.
void ThreadCopy::emitAsyncAccess(int64_t width, Value to, Value from,
                                 Value inSource, Value pad) {
  int64_t bytes = emitter.getMemoryBytes(source.getElementType(), width);
  if (!pad || !inSource) {
    emitAsyncCopy(emitter, to, from, bytes, inSource);
    return;
  }
  emitter.emitUnder(inSource,
                    [&] { emitAsyncCopy(emitter, to, from, bytes, Value()); });
  Value outside = emitter.builder.createOrFold<arith::XOrIOp>(
      emitter.loc, inSource, emitter.constant(emitter.builder.getI1Type(), 1));
  emitter.emitUnder(outside, [&] {
    emitter.storeElements(SmallVector<Value>(width, pad), {to, Value()},
                          dest.getElementType());
  });
}

void ThreadCopy::emitAsync(int64_t width) {
  Value pad;
  if (!isZeroPad(op.getPad()))
    pad = emitter.toMemory(emitter.getScalar(op.getPad()),
                           source.getElementType());
  int64_t count = layout.getRegisterCount();
  SmallVector<Value> sources(count), dests(count), inSource(count);
  SmallVector<AccessGroup> groups =
      groupByCondition(count, width, [&](int64_t reg) {
        sources[reg] = source.getPointer(reg);
        dests[reg] = dest.getPointer(reg);
        inSource[reg] = source.getInBounds(reg);
        return dest.getCondition(reg);
      });
  for (AccessGroup &group : groups) {
    Value condition = emitter.both(isFirstReplica, group.condition);
    emitter.emitUnder(condition, [&] {
      for (int64_t reg : group.registers)
        emitAsyncAccess(width, dests[reg], sources[reg], inSource[reg], pad);
    });
  }
}

void ThreadCopy::emitThroughRegisters() {
  Type type = dest.getElementType();
  Value pad = op.getPad() ? emitter.getScalar(op.getPad())
                          : emitter.zero(emitter.convertScalarType(type));
  int64_t sourceWidth =
      getSideWidth(op.getSource().getType(), *op.getVectorWidth());
  SmallVector<Value> registers = loadRegisters(
      emitter, source, layout.getRegisterCount(), sourceWidth, type, pad);
  storeRegisters(emitter, dest, registers,
                 getStoreWidth(emitter.facts, op, layout), type,
                 isFirstReplica);
}

/// Whether each row that a thread copies has a place of its own to be kept.
static bool hasOpenPitch(const Side &side) {
  SmallVector<int64_t> strides;
  int64_t offset;
  return !side.isShared() &&
         (failed(side.getType().getStridesAndOffset(strides, offset)) ||
          llvm::any_of(strides, ShapedType::isDynamic));
}

/// How many elements a thread copies at once: a producer what fits, others all of them
/// but where they would be many accesses, whose values or places take registers.
static int64_t countAtOnce(CopyOp op, int64_t count) {
  const tilec::CopyInstruction &row = *op.getInstructionAttr().getCopy();
  int64_t width = op.getVectorWidth().value_or(1);
  if (row.completion == tilec::Completion::Mbarrier)
    return std::max(producerElementsAtOnce, width);
  if (passesRegisters(op))
    return loadsAtOnce * width;
  bool isOpen =
      hasOpenPitch(op.getSourceSide()) || hasOpenPitch(op.getDestSide());
  return isOpen ? asyncCopiesAtOnce * width : count;
}

/// The registers that a thread copies in a round, along rows, so that what places a row
/// is dead behind it. Registers that hold numbers of rows are not told apart at run
/// time.
static tilec::FragmentLayout
getLayoutOfRound(const tilec::FragmentLayout &layout, CopyOp op) {
  int64_t width = op.getVectorWidth().value_or(1);
  int64_t count = layout.getRegisterCount(), atOnce = countAtOnce(op, count);
  if (count <= atOnce || op.getSourceSide().rows || op.getDestSide().rows)
    return layout;
  int dim = layout.getRank() - 1;
  auto spread = tilec::spreadRegisters(layout, atOnce, dim);
  // An access stays one.
  bool isPossible = spread && spread->getVectorWidth(dim) % width == 0;
  return isPossible ? *spread : layout;
}

static LogicalResult lowerThreadCopy(ThreadEmitter &emitter, CopyOp op,
                                     const tilec::FragmentLayout &layout) {
  SmallVector<int64_t> shape = op.getTileShape();
  FailureOr<SideAccess> source =
      SideAccess::create(emitter, op, op.getSourceSide(), shape, layout);
  if (failed(source))
    return failure();
  FailureOr<SideAccess> dest =
      SideAccess::create(emitter, op, op.getDestSide(), shape, layout);
  if (failed(dest))
    return failure();
  ThreadCopy copy{
      emitter,          op,
      layout,           std::move(*source),
      std::move(*dest), emitter.getScope().getIsFirstReplica(layout)};
  if (passesRegisters(op)) {
    copy.emitThroughRegisters();
    return success();
  }
  // The stage promises spaces, type and size; not what the addresses divide by.
  int64_t width = *op.getVectorWidth();
  int64_t sourceWidth =
      getAccessWidth(emitter.facts, op.getSourceSide(), layout);
  int64_t destWidth = getAccessWidth(emitter.facts, op.getDestSide(), layout);
  if (sourceWidth % width != 0 || destWidth % width != 0)
    return op.emitError()
           << op.getInstructionAttr().getName() << " of "
           << emitter.getMemoryBytes(copy.source.getElementType(), width)
           << " bytes is not possible here: they must lie together and "
              "aligned, and the widest access is "
           << sourceWidth << " elements of the source and " << destWidth
           << " of the destination";
  copy.emitAsync(width);
  return success();
}

static LogicalResult lowerCopy(ThreadEmitter &emitter, CopyOp op) {
  if (isBulkLoad(op))
    return lowerBulkLoad(emitter, op);
  if (isBulkStore(op))
    return lowerBulkStore(emitter, op);
  const tilec::FragmentLayout &layout = emitter.getLayout(op.getLayoutAttr());
  tilec::FragmentLayout ofRound = getLayoutOfRound(layout, op);
  int64_t rounds = ofRound.getExtent(tilec::HardwareDim::Warp) /
                   layout.getExtent(tilec::HardwareDim::Warp);
  return emitInRounds(emitter, rounds,
                      [&] { return lowerThreadCopy(emitter, op, ofRound); });
}

//===----------------------------------------------------------------------===//
// Groups of copies
//===----------------------------------------------------------------------===//

static LogicalResult lowerCopyCommit(ThreadEmitter &emitter, CopyCommitOp) {
  NVVM::CpAsyncCommitGroupOp::create(emitter.builder, emitter.loc);
  return success();
}

static LogicalResult lowerCopyWait(ThreadEmitter &emitter, CopyWaitOp op) {
  if (op.getPending())
    NVVM::CpAsyncWaitGroupOp::create(
        emitter.builder, emitter.loc,
        emitter.builder.getI32IntegerAttr(*op.getPending()));
  else
    emitter.callIntrinsic("llvm.nvvm.cp.async.wait.all", Type(), {});
  return success();
}

void tile::registerCopyLowerings(LoweringTable &table) {
  table.add(lowerCopy);
  table.add(lowerCopyCommit);
  table.add(lowerCopyWait);
}
