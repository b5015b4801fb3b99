//===- Rounds.cpp - A thread that acts for several in turn ---------------===//

#include "Rounds.h"

using namespace mlir;
using namespace mlir::tile;

/// `#llvm.loop_annotation<unroll = <disable = true>>`.
void tile::keepRolled(scf::ForOp loop) {
  MLIRContext *context = loop.getContext();
  auto unroll = LLVM::LoopUnrollAttr::get(context, BoolAttr::get(context, true),
                                          {}, {}, {}, {}, {}, {});
  loop->setAttr("llvm.loop_annotation",
                LLVM::LoopAnnotationAttr::get(context, {}, {}, {}, unroll, {},
                                              {}, {}, {}, {}, {}, {}, {}, {},
                                              {}, {}));
}

LogicalResult tile::emitInRounds(ThreadEmitter &emitter, int64_t rounds,
                                 llvm::function_ref<LogicalResult()> body) {
  if (rounds == 1)
    return body();
  OpBuilder &builder = emitter.builder;
  ThreadScope &outside = emitter.getScope();
  // LLVM would write out a loop of which it knows that it has few steps.
  Value end = emitter.emitAssembly("mov.b32 $0, $1;", "=r,r",
                                   builder.getI32Type(), emitter.i32(rounds),
                                   /*hasEffects=*/false);
  auto loop = scf::ForOp::create(builder, emitter.loc, emitter.i32(0), end,
                                 emitter.i32(1));
  keepRolled(loop);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(loop.getBody()->getTerminator());
  emitter.emitAssembly(".pragma \"nounroll\";", "", Type(), {}); // for ptxas
  int64_t threads = outside.getWarpCount() * emitter.target.warpSize;
  Value thread = emitter.add(outside.getThread(),
                             emitter.multiply(loop.getInductionVar(), threads));
  Operation *endOfPrologue =
      LLVM::PoisonOp::create(builder, emitter.loc, builder.getI1Type());
  ThreadScope scope(emitter, emitter.target, thread, rounds * threads,
                    endOfPrologue);
  emitter.setScope(scope);
  LogicalResult emitted = body();
  emitter.setScope(outside);
  endOfPrologue->erase();
  return emitted;
}
