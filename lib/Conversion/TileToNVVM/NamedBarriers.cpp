//===- NamedBarriers.cpp - Who has which barrier of a block ---------------===//

#include "NamedBarriers.h"

using namespace mlir;
using namespace mlir::tile;

NamedBarriers::NamedBarriers(SpecializeOp specialize, int64_t count)
    : endOfFree(count) {
  if (!specialize)
    return;
  ArrayRef<RoleAttr> roles = specialize.getRoles().getRoles();
  for (size_t i = 0; i < roles.size(); ++i)
    ofRole.push_back(--endOfFree);
  for (auto [role, body] : llvm::zip_equal(roles, specialize.getBodies()))
    if (TakeTurnOp::isIn(body))
      turnCount += role.getWarpgroupCount();
  endOfFree -= turnCount;
}

void tile::waitAtNamedBarrier(ThreadEmitter &emitter, Value id,
                              int64_t threads) {
  NVVM::BarrierOp::create(emitter.builder, emitter.loc, TypeRange(), id,
                          emitter.i32(threads), /*reductionOp=*/{},
                          /*reductionPredicate=*/Value());
}

void tile::arriveAtNamedBarrier(ThreadEmitter &emitter, Value id,
                                int64_t threads) {
  // Upstream's operation is inline assembly, which LLVM may move into a branch.
  emitter.callIntrinsic("llvm.nvvm.barrier.cta.arrive.aligned.count", Type(),
                        {id, emitter.i32(threads)});
}
