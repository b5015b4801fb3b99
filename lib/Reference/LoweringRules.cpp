//===- LoweringRules.cpp - Operations that passes introduce --------------===//
//
// What Language.md, "What passes introduce" adds: layouts change nothing about
// values, an arena is bytes that views address through their layouts, a copy's
// wait delivers it. Roles, rings and products in flight are in RoleRules.cpp
// and RingRules.cpp.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include "tile/Dialect/Tile/TileOps.h"

using namespace mlir;
using namespace mlir::tile;
using namespace mlir::tile::reference;

namespace {

/// tile.convert_layout: Language.md, "Layouts".
LogicalResult convertLayout(Machine &machine, ConvertLayoutOp op) {
  machine.set(op.getResult(), machine.get(op.getSource()));
  return success();
}

/// tile.copy_commit: its description in TileLoweringOps.td; Language.md,
/// "What passes introduce".
LogicalResult copyCommit(Machine &machine, CopyCommitOp) {
  ++machine.getRole().committedGroups;
  return success();
}

/// tile.copy_wait: its description in TileLoweringOps.td; Language.md, "What
/// passes introduce". Delivers what must be complete, no copy earlier than it
/// has to be.
LogicalResult copyWait(Machine &machine, CopyWaitOp op) {
  Role &role = machine.getRole();
  int64_t firstInFlight = op.getPending()
                              ? role.committedGroups - int64_t(*op.getPending())
                              : std::numeric_limits<int64_t>::max();
  auto isDue = [&](const PendingWrite &write) {
    return write.group < firstInFlight;
  };
  for (const PendingWrite &write : role.pending)
    if (isDue(write))
      machine.deliver(write);
  std::erase_if(role.pending, isDue);
  return success();
}

/// tile.product_wait: its description in TileAsyncOps.td; Language.md, "What
/// passes introduce". All but the last products of the role have read their
/// operands.
LogicalResult productWait(Machine &machine, ProductWaitOp op) {
  auto &inFlight = machine.blockState->inFlight;
  uint64_t later = 0;
  for (size_t i = inFlight.size(); i-- > 0;)
    if (inFlight[i]->role == &machine.getRole() && later++ >= op.getPending())
      inFlight.erase(inFlight.begin() + i);
  return success();
}

/// tile.proxy_fence: Language.md, "What passes introduce". There is one proxy
/// here.
LogicalResult proxyFence(Machine &, ProxyFenceOp) { return success(); }

/// tile.encode_tensor_map: Language.md, "What passes introduce". The tensor.
LogicalResult encodeTensorMap(Machine &machine, EncodeTensorMapOp op) {
  machine.set(op.getResult(), machine.getMemRef(op.getSource()));
  return success();
}

/// tile.sm_count: Language.md, "What passes introduce".
LogicalResult smCount(Machine &machine, SmCountOp op) {
  machine.set(op.getResult(), Array::integer(machine.options.multiprocessors));
  return success();
}

/// Whether elements of less than a byte lie in an arena.
bool holdsNibbles(ArenaOp op) {
  return llvm::any_of(op->getUsers(), [](Operation *user) {
    auto view = dyn_cast<ViewOp>(user);
    return view && ElementType::get(view.getType())->memoryBits() < 8;
  });
}

/// tile.arena: Language.md, "What passes introduce".
LogicalResult arena(Machine &machine, ArenaOp op) {
  MemRef memref = allocate("tile.arena", op.getLoc(), ElementType::integer(8),
                           {static_cast<int64_t>(op.getSize())});
  memref.buffer->isShared = true;
  if (holdsNibbles(op))
    memref.buffer->granuleBits = 4;
  machine.set(op.getResult(), std::move(memref));
  return success();
}

/// tile.view: Language.md, "What passes introduce".
LogicalResult view(Machine &machine, ViewOp op) {
  const MemRef &arena = machine.getMemRef(op.getArena());
  auto type = cast<MemRefType>(op.getResult().getType());
  MemRef memref;
  memref.buffer = arena.buffer;
  memref.element = *ElementType::get(type);
  memref.sizes.assign(type.getShape().begin(), type.getShape().end());
  memref.strides = getStrides(memref.sizes);
  memref.baseByte = op.getOffset();
  int64_t bits = memref.element.memoryBits();
  auto layout = op.getLayout().getLayout(bits);
  if (!layout)
    return machine.error(op) << layout.reason();
  int64_t end = memref.baseByte + layout->getSizeBytes();
  int64_t size = arena.buffer->bytes.size();
  if (memref.baseByte < 0 || end > size)
    return machine.error(op) << "the view ends at byte " << end
                             << " of an arena of " << size << " bytes";
  auto &cached = machine.addressTables[op];
  if (cached) {
    memref.table = cached;
    machine.set(op.getResult(), std::move(memref));
    return success();
  }
  auto table = std::make_shared<std::vector<int64_t>>();
  int64_t count = memref.getNumElements();
  table->reserve(count);
  for (int64_t i = 0; i < count; ++i) {
    auto at = delinearize(i, memref.sizes);
    int64_t bit = layout->getBitOffset(tilec::Coordinate(at.begin(), at.end()));
    if (bit < 0 || memref.baseByte * 8 + bit + bits > size * 8)
      return machine.error(op) << "element " << i << " lies at bit " << bit
                               << " of the view, outside of the arena";
    table->push_back(bit);
  }
  cached = std::move(table);
  memref.table = cached;
  machine.set(op.getResult(), std::move(memref));
  return success();
}

/// tile.once: Language.md, "What passes introduce".
LogicalResult once(Machine &machine, OnceOp op) {
  return machine.runBlock(op.getBody().front());
}

} // namespace

void mlir::tile::reference::addLoweringRules(RuleTable &table) {
  table.add(convertLayout);
  table.add(copyCommit);
  table.add(copyWait);
  table.add(productWait);
  table.add(proxyFence);
  table.add(encodeTensorMap);
  table.add(smCount);
  table.add(arena);
  table.add(view);
  table.add(once);
}
