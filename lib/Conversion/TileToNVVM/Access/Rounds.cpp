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

/// Emits `body` for `threads` threads, of which this is number `thread`.
static LogicalResult emitFor(ThreadEmitter &emitter, Value thread,
                             int64_t threads,
                             llvm::function_ref<LogicalResult()> body) {
  ThreadScope &outside = emitter.getScope();
  Operation *endOfPrologue = LLVM::PoisonOp::create(
      emitter.builder, emitter.loc, emitter.builder.getI1Type());
  ThreadScope scope(emitter, emitter.target, thread, threads, endOfPrologue);
  emitter.setScope(scope);
  LogicalResult emitted = body();
  emitter.setScope(outside);
  endOfPrologue->erase();
  return emitted;
}

static int64_t countThreads(ThreadEmitter &emitter) {
  return emitter.getScope().getWarpCount() * emitter.target.warpSize;
}

LogicalResult tile::emitAnew(ThreadEmitter &emitter,
                             llvm::function_ref<LogicalResult()> body) {
  Value thread = emitter.emitAssembly("mov.b32 $0, $1;", "=r,r",
                                      emitter.builder.getI32Type(),
                                      emitter.getScope().getThread());
  return emitFor(emitter, thread, countThreads(emitter), body);
}

LogicalResult tile::emitInRounds(ThreadEmitter &emitter, int64_t rounds,
                                 llvm::function_ref<LogicalResult()> body) {
  if (rounds == 1)
    return body();
  OpBuilder &builder = emitter.builder;
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
  int64_t threads = countThreads(emitter);
  Value thread = emitter.add(emitter.getScope().getThread(),
                             emitter.multiply(loop.getInductionVar(), threads));
  return emitFor(emitter, thread, rounds * threads, body);
}
