//===- GlobalWrites.cpp - What a launch writes to global memory -----------===//

#include "GlobalWrites.h"

#include "tile/Analysis/BlockAccesses.h"
#include "tile/Analysis/ProducerSlice.h"

using namespace mlir;
using namespace mlir::tile;

GlobalWrites::GlobalWrites(LaunchOp launch) {
  launch.walk([&](Operation *op) {
    if (op->getNumRegions() != 0)
      return;
    Writer writer{op, {}};
    for (const BlockAccess &access : getBlockAccesses(op))
      if (access.writes && !access.isShared())
        writer.writes.push_back(
            {access, access.memref
                         ? std::optional(AccessedMemory(access.memref))
                         : std::nullopt});
    if (!writer.writes.empty())
      writers.push_back(std::move(writer));
  });
}

bool GlobalWrites::touches(const Writer &writer, const AccessedMemory &memory) {
  return llvm::any_of(writer.writes, [&](const Write &write) {
    return !write.memory || write.memory->mayOverlap(memory);
  });
}

Obstacle
GlobalWrites::findOther(Operation *own, Value memref,
                        llvm::function_ref<bool(Operation *)> mayFollow) const {
  auto writes = [&](const Writer &writer) {
    return llvm::any_of(writer.writes, [&](const Write &write) {
      return mayWriteItself(writer.op, write.access, memref);
    });
  };
  bool isRead = llvm::none_of(writers, [&](const Writer &writer) {
    return writer.op == own && writes(writer);
  });
  AccessedMemory memory(memref);
  for (const Writer &writer : writers) {
    if (writer.op == own || !touches(writer, memory) || mayFollow(writer.op))
      continue;
    bool isWriter = writes(writer);
    if (isRead && !isWriter)
      continue;
    return ((isWriter ? "the launch writes its memref too, by '"
                      : "other blocks may see it behind '") +
            writer.op->getName().getStringRef() +
            "'; do that in a launch of its own")
        .str();
  }
  return std::nullopt;
}

Obstacle
mlir::tile::findOtherWriter(LayoutContext &context, Operation *own,
                            Value memref,
                            llvm::function_ref<bool(Operation *)> mayFollow) {
  if (context.writes)
    return context.writes->findOther(own, memref, mayFollow);
  return GlobalWrites(context.launch).findOther(own, memref, mayFollow);
}
