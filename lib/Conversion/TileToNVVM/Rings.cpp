//===- Rings.cpp - Rings that mbarriers carry out -------------------------===//
//
//     tile.ring      one thread sets the words, and behind the last of the rings
//                    that stand together shows those that bulk copies arrive at to
//                    the copy engine, by a fence that is for nothing else; a barrier
//                    of the block comes before the first use (tile-insert-barriers)
//     acquire        the elected thread waits for the slot to be empty; where
//                    the bulk copies of the use all stand between it and the
//                    commit it arrives and says how many bytes they bring
//     commit         the elected thread arrives, if the acquire did not; each
//                    bulk copy then has said its bytes (Access/BulkCopy.cpp)
//
// Where threads fill slots, beside bulk copies or alone, each of them waits at the
// acquire and arrives at the commit: by an arrival that the hardware makes when
// its asynchronous copies are done, and by one of its own behind what it stored.
//
//     wait           every thread waits for the slot to be full
//     release        each warp meets, and its first lane arrives: an arrival
//                    speaks for the lanes that met; where blocks of the cluster
//                    fill the slot together, a lane for each of them
//                    (ClusterSharing.h)
//
// The wait for an empty slot is one for the phase before that of its use. For
// the first uses there is none, and words as they are set pass at once: an acquire
// that is known to be one of them does not wait, and a release of the last uses,
// for which nobody waits, does nothing (RingEnds.h).
//
//===----------------------------------------------------------------------===//

#include "Rings.h"

#include "Access/BulkCopy.h"
#include "ClusterSharing.h"

#include "tile/Analysis/RingEnds.h"
#include "tile/Analysis/RingFills.h"
#include "tile/Analysis/RoundNumbers.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tile;

static constexpr int64_t wordBytes = 8;

//===----------------------------------------------------------------------===//
// Slots and words
//===----------------------------------------------------------------------===//

RingPosition tile::getRingPosition(ThreadEmitter &emitter, RingOp ring,
                                   Value number) {
  OpBuilder &builder = emitter.builder;
  int64_t slots = ring.getType().getSlots();
  Value wide = emitter.getScalar(number);
  auto extend = [&](Value isOdd) {
    return builder.createOrFold<arith::ExtUIOp>(emitter.loc,
                                                builder.getI32Type(), isOdd);
  };
  if (!ring.getModulo())
    return {emitter.narrow(emitter.remainder(wide, slots)),
            emitter.remainder(emitter.narrow(emitter.divide(wide, slots)), 2)};
  if (auto parts = matchRoundNumber(number, slots)) {
    Value round = emitter.getScalar(parts->round);
    Value isSecond = emitter.compare(arith::CmpIPredicate::ne, round,
                                     emitter.constant(round.getType(), 0));
    return {emitter.i32(parts->slot), extend(isSecond)};
  }
  // In [0, 2 slots): the second half is the second phase.
  Value use = emitter.narrow(wide);
  if (slots == 1)
    return {emitter.i32(0), use};
  Value isSecond =
      emitter.compare(arith::CmpIPredicate::uge, use, emitter.i32(slots));
  // In the first half the difference is beyond any number. With a selection LLVM would
  // ask all branches in front what they know of it.
  Value slot = builder.createOrFold<arith::MinUIOp>(
      emitter.loc, use, emitter.addConstant(use, -slots));
  return {slot, extend(isSecond)};
}

/// The word of `slot`, `first` words behind the one at `base`. What differs between
/// the two words of a slot is a constant.
static Value getWord(ThreadEmitter &emitter, Value base, int64_t first,
                     Value slot) {
  if (std::optional<int64_t> constant = getConstantIntValue(slot))
    return emitter.advance(base, (first + *constant) * wordBytes);
  return emitter.advance(
      emitter.advance(base, emitter.multiply(slot, wordBytes)),
      first * wordBytes);
}

Value tile::getFullWord(ThreadEmitter &emitter, RingOp ring, Value slot) {
  return getWord(emitter, emitter.getShared(ring.getBarriers()).base, 0, slot);
}

Value tile::getEmptyWord(ThreadEmitter &emitter, RingOp ring, Value slot) {
  return getWord(emitter, emitter.getShared(ring.getBarriers()).base,
                 ring.getType().getSlots(), slot);
}

/// The ring of an operation on one; fails with an error where it cannot be
/// carried out.
static FailureOr<RingOp> findRing(ThreadEmitter &emitter, Operation *op,
                                  Value ring) {
  RingOp found = getRing(ring);
  if (!found)
    return emitter.notImplemented(op, "a ring that a region hands on");
  if (!found.getBarriers())
    return op->emitError("uses a ring without mbarriers; run tile-lower-rings "
                         "first");
  return found;
}

//===----------------------------------------------------------------------===//
// The ring
//===----------------------------------------------------------------------===//

/// The warps of the threads that run `op`: those of its role, or of the block.
static int64_t getWarpCount(ThreadEmitter &emitter, Operation *op) {
  auto specialize = op->getParentOfType<SpecializeOp>();
  if (!specialize)
    return emitter.getScope().getWarpCount();
  Operation *inBody = op;
  while (inBody->getParentOp() != specialize)
    inBody = inBody->getParentOp();
  unsigned role = inBody->getParentRegion()->getRegionNumber();
  return specialize.getRoles().getRoles()[role].getWarps();
}

/// The arrivals that fill a slot.
static int64_t countCommits(ThreadEmitter &emitter, RingOp ring) {
  FillArrivals arrivals = getFillArrivals(ring);
  int64_t threads = 0;
  for (Operation *user : ring->getUsers())
    if (getRingUseKind(user) == RingUseKind::Commit)
      threads = getWarpCount(emitter, user) * emitter.target.warpSize;
  return arrivals.ofElected +
         threads * (int64_t(arrivals.ofCopies) + int64_t(arrivals.ofStores));
}

/// The arrivals that empty a slot: one a warp of every consumer.
static FailureOr<int64_t> countReleases(ThreadEmitter &emitter, RingOp ring) {
  int64_t warps = 0;
  Operation *first = nullptr;
  for (Operation *user : ring->getUsers()) {
    if (getRingUseKind(user) != RingUseKind::Release)
      continue;
    int64_t own = getWarpCount(emitter, user);
    if (first && own != warps) {
      InFlightDiagnostic error = user->emitError("is done by ");
      error.attachNote(first->getLoc()) << "the other release";
      return error << own << " warps, but another release of the ring by "
                   << warps << "; consumers of a ring have equally many warps";
    }
    first = user;
    warps = own;
  }
  return std::max<int64_t>(1, warps) *
         static_cast<int64_t>(ring.getConsumers());
}

/// The next ring behind or in front of `ring` that stands together with it: nothing
/// happens in between. Null if there is none.
static RingOp findBeside(RingOp ring, bool isBehind) {
  auto step = [=](Operation *op) {
    return isBehind ? op->getNextNode() : op->getPrevNode();
  };
  auto asRing = [](Operation *op) {
    return llvm::TypeSwitch<Operation *, RingOp>(op)
        .Case([](RingOp beside) { return beside; })
        .Default(RingOp());
  };
  for (Operation *op = step(ring); op; op = step(op)) {
    if (RingOp beside = asRing(op))
      return beside;
    if (!isMemoryEffectFree(op))
      return {};
  }
  return {};
}

/// Whether words that bulk copies arrive at are shown behind `ring`: it is the last
/// of rings that stand together, and one of them has such words.
static bool showsWords(RingOp ring) {
  if (findBeside(ring, /*isBehind=*/true))
    return false;
  for (; ring; ring = findBeside(ring, /*isBehind=*/false))
    if (getFillArrivals(ring).ofElected)
      return true;
  return false;
}

static LogicalResult lowerRing(ThreadEmitter &emitter, RingOp op) {
  if (!op.getBarriers())
    return op.emitError("has no mbarriers; run tile-lower-rings first");
  FailureOr<int64_t> releases = countReleases(emitter, op);
  if (failed(releases))
    return failure();
  OpBuilder &builder = emitter.builder;
  int64_t commits = countCommits(emitter, op);
  SmallVector<int64_t> arrivals = {*releases};
  if (SmallVector<int64_t> writers = getWriters(op); !writers.empty())
    arrivals = llvm::map_to_vector(writers, [&](uint64_t blocks) {
      return *releases * llvm::popcount(blocks);
    });
  emitter.emitUnder(emitter.getScope().getIsElected(), [&] {
    for (int64_t slot = 0; slot < op.getType().getSlots(); ++slot) {
      Value index = emitter.i32(slot);
      NVVM::MBarrierInitOp::create(builder, emitter.loc,
                                   getFullWord(emitter, op, index),
                                   emitter.i32(commits),
                                   /*predicate=*/Value());
      NVVM::MBarrierInitOp::create(
          builder, emitter.loc, getEmptyWord(emitter, op, index),
          getOfRank(emitter, arrivals), /*predicate=*/Value());
    }
    if (showsWords(op))
      NVVM::FenceMbarrierInitOp::create(builder, emitter.loc);
  });
  return success();
}

//===----------------------------------------------------------------------===//
// Its uses
//===----------------------------------------------------------------------===//

/// Tries until `word` has completed the phase of `parity`. The instruction waits
/// a while by itself.
static void emitWait(ThreadEmitter &emitter, Value word, Value parity) {
  auto tryWait = [&](OpBuilder &builder, Location loc, ValueRange) {
    Value isDone = NVVM::MBarrierTryWaitOp::create(
        builder, loc, builder.getI1Type(), word, parity, /*ticks=*/Value());
    Value isOpen = arith::XOrIOp::create(
        builder, loc, isDone, emitter.constant(builder.getI1Type(), 1));
    scf::ConditionOp::create(builder, loc, isOpen, ValueRange());
  };
  scf::WhileOp::create(emitter.builder, emitter.loc, TypeRange(), ValueRange(),
                       tryWait,
                       [](OpBuilder &builder, Location loc, ValueRange) {
                         scf::YieldOp::create(builder, loc);
                       });
}

/// The bytes that the copies of the use of `acquire` bring, if its commit speaks
/// for them; 0 if each speaks for itself.
static FailureOr<int64_t> countBytes(RingAcquireOp acquire) {
  int64_t bytes = 0;
  if (isCountedAtOnce(acquire))
    for (TensorCopyOpInterface load : getBulkLoads(acquire)) {
      FailureOr<int64_t> arriving = getArrivingBytes(load);
      if (failed(arriving))
        return failure();
      bytes += *arriving;
    }
  return bytes;
}

/// Nothing is complete before the bytes are there, so the arrival need not wait
/// for the copies to be issued: it does not stand behind them, where ptxas would
/// make two instructions of it.
static LogicalResult lowerAcquire(ThreadEmitter &emitter, RingAcquireOp op) {
  FailureOr<RingOp> ring = findRing(emitter, op, op.getRing());
  if (failed(ring))
    return failure();
  FailureOr<int64_t> bytes = countBytes(op);
  if (failed(bytes))
    return failure();
  RingPosition use = getRingPosition(emitter, *ring, op.getNumber());
  emitter.bind(op.getSlot(), emitter.widen(use.slot));
  auto waitForEmpty = [&] {
    if (isOfFirstRound(op))
      return;
    Value before = emitter.builder.createOrFold<arith::XOrIOp>(
        emitter.loc, use.parity, emitter.i32(1));
    emitWait(emitter, getEmptyWord(emitter, *ring, use.slot), before);
  };
  bool isForAll = getFillArrivals(*ring).areOfThreads();
  if (isForAll)
    waitForEmpty();
  if (isForAll && *bytes == 0)
    return success();
  emitter.emitUnder(emitter.getScope().getIsElected(), [&] {
    if (!isForAll)
      waitForEmpty();
    if (*bytes > 0)
      NVVM::MBarrierArriveExpectTxOp::create(
          emitter.builder, emitter.loc, /*res=*/Type(),
          getFullWord(emitter, *ring, use.slot), emitter.i32(*bytes),
          NVVM::MemScopeKind::CTA, /*relaxed=*/false, /*predicate=*/Value());
  });
  return success();
}

static void emitArrive(ThreadEmitter &emitter, Value word) {
  NVVM::MBarrierArriveOp::create(emitter.builder, emitter.loc,
                                 emitter.builder.getI64Type(), word,
                                 /*count=*/Value());
}

/// Whether the acquire of the use that `commit` commits has arrived for its bulk
/// copies.
static bool hasArrived(RingCommitOp commit) {
  RingAcquireOp acquire = getAcquireWithLoads(commit);
  return acquire && !getBulkLoads(acquire).empty();
}

static LogicalResult lowerCommit(ThreadEmitter &emitter, RingCommitOp op) {
  FailureOr<RingOp> ring = findRing(emitter, op, op.getRing());
  if (failed(ring))
    return failure();
  FillArrivals arrivals = getFillArrivals(*ring);
  bool isElectedLeft = arrivals.ofElected && !hasArrived(op);
  if (!isElectedLeft && !arrivals.areOfThreads())
    return success();
  RingPosition use = getRingPosition(emitter, *ring, op.getNumber());
  Value word = getFullWord(emitter, *ring, use.slot);
  if (isElectedLeft)
    emitter.emitUnder(emitter.getScope().getIsElected(),
                      [&] { emitArrive(emitter, word); });
  // Counted among the arrivals that the word expects: none is added for it.
  if (arrivals.ofCopies)
    NVVM::CpAsyncMBarrierArriveOp::create(emitter.builder, emitter.loc, word,
                                          /*noinc=*/true);
  if (arrivals.ofStores)
    emitArrive(emitter, word);
  return success();
}

static LogicalResult lowerRingWait(ThreadEmitter &emitter, RingWaitOp op) {
  FailureOr<RingOp> ring = findRing(emitter, op, op.getRing());
  if (failed(ring))
    return failure();
  RingPosition use = getRingPosition(emitter, *ring, op.getNumber());
  emitter.bind(op.getSlot(), emitter.widen(use.slot));
  emitWait(emitter, getFullWord(emitter, *ring, use.slot), use.parity);
  return success();
}

/// Arrives at `word` where `condition` holds. By a predicate: behind a branch the
/// lanes of a warp would go on apart until their next meeting.
static void emitArriveIf(ThreadEmitter &emitter, Value condition, Value word) {
  emitter.emitAssembly("@$0 mbarrier.arrive.shared::cta.b64 _, [$1];",
                       "b,l,~{memory}", Type(), {condition, word});
}

static LogicalResult lowerRelease(ThreadEmitter &emitter, RingReleaseOp op) {
  FailureOr<RingOp> ring = findRing(emitter, op, op.getRing());
  if (failed(ring))
    return failure();
  if (isOfLastRound(op))
    return success();
  OpBuilder &builder = emitter.builder;
  RingPosition use = getRingPosition(emitter, *ring, op.getNumber());
  // Control flow of the scope is uniform: every lane of the warp arrives.
  NVVM::SyncWarpOp::create(builder, emitter.loc, emitter.i32(-1));
  if (SmallVector<int64_t> writers = getWriters(*ring); !writers.empty()) {
    RemoteWords words = getRemoteWords(emitter, *ring, writers);
    emitter.emitUnder(words.isReceiver, [&] {
      NVVM::MBarrierArriveOp::create(
          builder, emitter.loc, /*res=*/Type(),
          getWord(emitter, words.base, ring->getType().getSlots(), use.slot),
          /*count=*/Value());
    });
    return success();
  }
  Value isFirst = emitter.compare(arith::CmpIPredicate::eq,
                                  emitter.getScope().getLane(), emitter.i32(0));
  emitArriveIf(emitter, isFirst, getEmptyWord(emitter, *ring, use.slot));
  return success();
}

void tile::registerRingLowerings(LoweringTable &table) {
  table.add(lowerRing);
  table.add(lowerAcquire);
  table.add(lowerCommit);
  table.add(lowerRingWait);
  table.add(lowerRelease);
}
