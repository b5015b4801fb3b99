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
#include "SideAccess.h"

#include "tile/Analysis/AccessWidth.h"
#include "tile/Analysis/ThreadCopy.h"
#include "tile/Dialect/Tile/CopyFacts.h"

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

  void emitAsync(int64_t width);
  void emitThroughRegisters();
  int64_t getBatch(int64_t sourceWidth, int64_t destWidth);
};
} // namespace

/// Registers that a producer's thread has in flight of a copy. It has 64 in all
/// (decision 0010), of which each access takes two more for its address.
static constexpr int64_t producerRegistersInFlight = 16;

void ThreadCopy::emitAsync(int64_t width) {
  Type elementType = source.getElementType();
  int64_t bytes = emitter.getMemoryBytes(elementType) * width;
  Value pad;
  if (!isZeroPad(op.getPad()))
    pad = emitter.toMemory(emitter.getScalar(op.getPad()), elementType);
  SmallVector<Value> sources(layout.getRegisterCount()),
      dests(layout.getRegisterCount()), inSource(layout.getRegisterCount());
  SmallVector<AccessGroup> groups =
      groupByCondition(layout.getRegisterCount(), width, [&](int64_t reg) {
        sources[reg] = source.getPointer(reg);
        dests[reg] = dest.getPointer(reg);
        inSource[reg] = source.getInBounds(reg);
        return dest.getCondition(reg);
      });
  for (AccessGroup &group : groups) {
    Value condition = emitter.both(isFirstReplica, group.condition);
    emitter.emitUnder(condition, [&] {
      for (int64_t reg : group.registers) {
        if (!pad || !inSource[reg]) {
          emitAsyncCopy(emitter, dests[reg], sources[reg], bytes,
                        inSource[reg]);
          continue;
        }
        emitter.emitUnder(inSource[reg], [&] {
          emitAsyncCopy(emitter, dests[reg], sources[reg], bytes, Value());
        });
        Value outside = emitter.builder.createOrFold<arith::XOrIOp>(
            emitter.loc, inSource[reg],
            emitter.constant(emitter.builder.getI1Type(), 1));
        emitter.emitUnder(outside, [&] {
          emitter.store(SmallVector<Value>(width, pad), dests[reg],
                        dest.getMemoryType());
        });
      }
    });
  }
}

/// How many elements are loaded before they are stored: all of them where many
/// registers hide the latency, what fits where a producer copies.
int64_t ThreadCopy::getBatch(int64_t sourceWidth, int64_t destWidth) {
  int64_t all = layout.getRegisterCount();
  const tilec::CopyInstruction &row = *op.getInstructionAttr().getCopy();
  if (row.completion != tilec::Completion::Mbarrier)
    return all;
  int64_t atOnce = std::max(sourceWidth, destWidth);
  return std::clamp(producerRegistersInFlight, atOnce, std::max(all, atOnce));
}

void ThreadCopy::emitThroughRegisters() {
  auto getWidth = [&](MemRefType side) {
    return getSideWidth(side, *op.getVectorWidth());
  };
  Type type = dest.getElementType();
  Value pad = op.getPad() ? emitter.getScalar(op.getPad())
                          : emitter.zero(emitter.convertScalarType(type));
  int64_t sourceWidth = getWidth(op.getSource().getType());
  int64_t destWidth = getWidth(op.getDest().getType());
  int64_t all = layout.getRegisterCount();
  int64_t batch = getBatch(sourceWidth, destWidth);
  for (int64_t first = 0; first < all; first += batch) {
    SmallVector<Value> registers =
        loadRegisters(emitter, source, std::min(batch, all - first),
                      sourceWidth, type, pad, first);
    storeRegisters(emitter, dest, registers, destWidth, type, isFirstReplica,
                   first);
  }
}

static LogicalResult lowerCopy(ThreadEmitter &emitter, CopyOp op) {
  if (isBulkLoad(op))
    return lowerBulkLoad(emitter, op);
  if (isBulkStore(op))
    return lowerBulkStore(emitter, op);
  const tilec::FragmentLayout &layout = emitter.getLayout(op.getLayoutAttr());
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
           << emitter.getMemoryBytes(copy.source.getElementType()) * width
           << " bytes is not possible here: they must lie together and "
              "aligned, and the widest access is "
           << sourceWidth << " elements of the source and " << destWidth
           << " of the destination";
  copy.emitAsync(width);
  return success();
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
