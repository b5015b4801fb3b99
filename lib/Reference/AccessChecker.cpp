//===- AccessChecker.cpp - Accesses without an order ---------------------===//

#include "AccessChecker.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace mlir::tile::reference;

void AccessChecker::beginLaunch() {
  launchBase = lastBlock;
  blocks.clear();
  released.clear();
}

void AccessChecker::beginBlock(Coordinates coordinates) {
  block = ++lastBlock;
  blocks.push_back(coordinates);
  received.clear();
  epoch = 1;
}

void AccessChecker::beginParallel(int64_t iterationCount,
                                  llvm::ArrayRef<Buffer *> buffers) {
  if (nextIterationBase + iterationCount > 0xfffffff0u) {
    nextIterationBase = 0;
    ++generation;
  }
  iterationBase = nextIterationBase;
  nextIterationBase += iterationCount;
  for (Buffer *buffer : buffers) {
    tracked.insert(buffer);
    if (buffer->iterationGeneration == generation)
      continue;
    buffer->iterationGeneration = generation;
    buffer->byIteration.assign(buffer->getGranuleCount(), {});
  }
}

uint16_t AccessChecker::getNumber(Operation *op) {
  auto [entry, isNew] = numbers.try_emplace(op, 0);
  if (isNew && operations.size() < 0xffff) {
    entry->second = static_cast<uint16_t>(operations.size());
    operations.push_back(op);
  }
  return entry->second;
}

bool AccessChecker::isOrderedBefore(const LastAccess &access) const {
  if (access.agent <= launchBase || access.agent == block)
    return true;
  auto it = received.find(access.agent);
  return it != received.end() && it->second >= access.epoch;
}

static StringRef describe(AccessKind kind) {
  switch (kind) {
  case AccessKind::Read:
    return "reads";
  case AccessKind::Write:
    return "writes";
  case AccessKind::Atomic:
    return "atomically updates";
  }
  return "";
}

static std::string getElementName(const MemRef &memref, int64_t linear) {
  std::string text = "element " + std::to_string(linear) + " of ";
  return text + (memref.buffer->isShared ? "shared " : "") + "buffer '" +
         memref.buffer->name + "'";
}

LogicalResult AccessChecker::report(Operation *op, const MemRef &memref,
                                    int64_t linear, AccessKind kind,
                                    const LastAccess &other, bool otherIsWrite,
                                    int64_t iteration) {
  InFlightDiagnostic error = op->emitError();
  StringRef otherVerb = otherIsWrite ? " wrote" : " read";
  std::string here, there;
  if (iteration >= 0) {
    here = "iteration " + std::to_string(iteration);
    there = "iteration " + std::to_string(other.agent - 1 - iterationBase);
  } else {
    auto name = [&](uint32_t agent) {
      const Coordinates &at = blocks[agent - launchBase - 1];
      return "block (" + std::to_string(at[0]) + ", " + std::to_string(at[1]) +
             ", " + std::to_string(at[2]) + ")";
    };
    here = name(block);
    there = name(other.agent);
  }
  error
      << here << " " << describe(kind) << " " << getElementName(memref, linear)
      << ", which " << there << otherVerb
      << (iteration >= 0
              ? "; iterations of a tile.parallel may only share elements that "
                "all of them update atomically"
              : "; blocks may only share elements through atomics, or after a "
                "chain of block-level atomics");
  if (Operation *otherOp = operations[other.operation])
    error.attachNote(otherOp->getLoc())
        << "the other access, by " << there << ", is here";
  return error;
}

LogicalResult AccessChecker::check(Operation *op, const MemRef &memref,
                                   int64_t linear, AccessKind kind,
                                   int64_t iteration) {
  Buffer &buffer = *memref.buffer;
  int64_t granule = memref.getGranule(linear);
  auto visit = [&](std::vector<ElementHistory> &history, LastAccess self,
                   auto isOrdered, int64_t reportedIteration) -> LogicalResult {
    if (granule >= static_cast<int64_t>(history.size()))
      return success();
    ElementHistory &element = history[granule];
    auto find = [&](std::initializer_list<LastAccess> accesses) {
      const auto *unordered = llvm::find_if_not(accesses, isOrdered);
      return unordered == accesses.end() ? LastAccess() : *unordered;
    };
    auto keep = [&](LastAccess &last, LastAccess &other) {
      if (!isOrdered(last))
        other = last;
      last = self;
    };
    LastAccess written =
        kind == AccessKind::Atomic
            ? find({element.write})
            : find({element.write, element.atomic, element.otherAtomic});
    if (written.agent != 0)
      return report(op, memref, linear, kind, written, true, reportedIteration);
    if (kind == AccessKind::Read) {
      keep(element.read, element.otherRead);
      return success();
    }
    LastAccess read = find({element.read, element.otherRead});
    if (read.agent != 0)
      return report(op, memref, linear, kind, read, false, reportedIteration);
    if (kind == AccessKind::Atomic)
      keep(element.atomic, element.otherAtomic);
    else
      element = ElementHistory{self, {}, {}, {}, {}};
    return success();
  };

  uint16_t number = getNumber(op);
  if (block != 0 && !buffer.isShared) {
    if (buffer.byBlock.empty())
      buffer.byBlock.resize(buffer.getGranuleCount() + 1);
    if (failed(visit(
            buffer.byBlock, {block, number, epoch},
            [&](const LastAccess &a) { return isOrderedBefore(a); }, -1)))
      return failure();
  }
  if (iteration < 0 || tracked.empty() || !tracked.contains(&buffer))
    return success();
  auto self = static_cast<uint32_t>(iterationBase + iteration + 1);
  return visit(
      buffer.byIteration, {self, number, 0},
      [&](const LastAccess &a) {
        return a.agent <= iterationBase || a.agent == self;
      },
      iteration);
}

void AccessChecker::acquire(const MemRef &memref, int64_t linear) {
  if (block == 0)
    return;
  for (auto [agent, seen] :
       released[{memref.buffer.get(), memref.getBitAddress(linear)}]) {
    uint16_t &mine = received[agent];
    mine = std::max(mine, seen);
  }
}

void AccessChecker::release(const MemRef &memref, int64_t linear) {
  if (block == 0)
    return;
  Clock &clock = released[{memref.buffer.get(), memref.getBitAddress(linear)}];
  clock = received;
  clock[block] = epoch;
  if (epoch < 0xffff)
    ++epoch;
}
