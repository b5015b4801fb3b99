//===- ClusterSharing.cpp - Slots that several blocks fill ----------------===//

#include "ClusterSharing.h"

#include "tile/Analysis/RingFills.h"

using namespace mlir;
using namespace mlir::tile;

bool tile::sharesSlots(gpu::GPUFuncOp kernel) {
  return kernel
      .walk([](TensorCopyOpInterface copy) {
        return copy.getMulticastAttr() ? WalkResult::interrupt()
                                       : WalkResult::advance();
      })
      .wasInterrupted();
}

SmallVector<int64_t> tile::getWriters(RingOp ring) {
  SmallVector<int64_t> writers;
  for (Operation *user : ring->getUsers()) {
    if (getRingUseKind(user) != RingUseKind::Acquire)
      continue;
    for (TensorCopyOpInterface copy : getBulkLoads(RingAcquireOp(user)))
      if (DenseI64ArrayAttr masks = copy.getMulticastAttr()) {
        writers.resize(masks.size(), 0);
        for (auto [all, mask] : llvm::zip_equal(writers, masks.asArrayRef()))
          all |= mask;
      }
  }
  return writers;
}

/// The number of the block in its cluster.
static Value getRank(ThreadEmitter &emitter) {
  return NVVM::ClusterId::create(emitter.builder, emitter.loc,
                                 emitter.builder.getI32Type());
}

Value tile::getOfRank(ThreadEmitter &emitter, ArrayRef<int64_t> table) {
  if (llvm::all_equal(table))
    return emitter.i32(table.front());
  Value rank = getRank(emitter);
  if (llvm::equal(table, llvm::seq<int64_t>(0, table.size())))
    return rank;
  Value entry = emitter.i32(table.front());
  for (size_t other = 1; other < table.size(); ++other)
    entry = emitter.select(
        emitter.compare(arith::CmpIPredicate::eq, rank, emitter.i32(other)),
        emitter.i32(table[other]), entry);
  return entry;
}

/// Not `.aligned`: the lanes that had nothing to do for a producer come first.
void tile::emitClusterBarrier(ThreadEmitter &emitter) {
  NVVM::ClusterArriveOp::create(emitter.builder, emitter.loc,
                                /*aligned=*/UnitAttr());
  NVVM::ClusterWaitOp::create(emitter.builder, emitter.loc,
                              /*aligned=*/UnitAttr());
}

RemoteWords tile::getRemoteWords(ThreadEmitter &emitter, RingOp ring,
                                 ArrayRef<int64_t> writers) {
  OpBuilder &builder = emitter.builder;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(emitter.getScope().getEndOfPrologue());
  Value lane = emitter.getScope().getLane();
  Value isBlock = emitter.compare(arith::CmpIPredicate::ult, lane,
                                  emitter.i32(writers.size()));
  Value rank = emitter.select(isBlock, lane, emitter.i32(0));
  Value mask = getOfRank(emitter, writers);
  Value bit = arith::AndIOp::create(
      builder, emitter.loc,
      arith::ShRUIOp::create(builder, emitter.loc, mask, rank), emitter.i32(1));
  Type ofCluster = LLVM::LLVMPointerType::get(
      builder.getContext(),
      static_cast<unsigned>(NVVM::NVVMMemorySpace::SharedCluster));
  Value base =
      NVVM::MapaOp::create(builder, emitter.loc, ofCluster,
                           emitter.getShared(ring.getBarriers()).base, rank);
  return {base, emitter.both(isBlock, emitter.compare(arith::CmpIPredicate::ne,
                                                      bit, emitter.i32(0)))};
}
