//===- RingRules.cpp - Slots between roles -------------------------------===//
//
// Language.md, "What passes introduce". A slot goes from free to being filled
// (acquire), to full (commit), and back to free when its consumers released it.
// Whoever has to wait for another role is run again later (Machine::waitFor).
// Uses that no order of the roles makes right are errors: numbers out of step,
// slots touched by a role that does not hold them, releases of what a product
// in flight still reads.
//
// Copies into a slot arrive as late as possible, when the slot is waited for;
// until then it holds poison.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include "tile/Dialect/Tile/TileOps.h"

using namespace mlir;
using namespace mlir::tile;
using namespace mlir::tile::reference;

namespace {

/// `tile.ring`: Language.md, "What passes introduce".
LogicalResult ring(Machine &machine, RingOp op) {
  auto ring = std::make_shared<Ring>();
  int64_t slots = op.getType().getSlots();
  ring->op = op;
  ring->consumers = static_cast<int64_t>(op.getConsumers());
  ring->isModulo = op.getModulo();
  ring->slots.resize(slots);
  for (Value value : op.getBuffers()) {
    MemRef buffer = machine.getMemRef(value);
    buffer.ring = nullptr;
    ring->buffers.push_back(buffer);
    buffer.ring = ring;
    buffer.slotElements = buffer.getNumElements() / slots;
    // Views that are made from here on lead to the ring.
    machine.set(value, std::move(buffer));
  }
  machine.blockState->rings.push_back(ring);
  RuntimeValue value;
  value.ring = std::move(ring);
  machine.set(op.getResult(), std::move(value));
  return success();
}

/// The ring, the number and its slot of an operation on a ring.
struct Use {
  std::shared_ptr<Ring> ring;
  int64_t number;
  int64_t slotIndex;
  Ring::Slot *slot;
};

template <typename Op>
FailureOr<Use> getUse(Machine &machine, Op op) {
  FailureOr<int64_t> number =
      machine.getUniform(op, op.getNumber(), "the number of a use of a ring");
  if (failed(number))
    return failure();
  if (*number < 0)
    return machine.error(op)
           << "uses of a ring are numbered from 0, got " << *number;
  std::shared_ptr<Ring> ring = machine.get(op.getRing()).ring;
  int64_t rounds = 2 * static_cast<int64_t>(ring->slots.size());
  if (ring->isModulo && *number >= rounds)
    return machine.error(op) << "uses of this ring are numbered modulo "
                             << rounds << ", got " << *number;
  int64_t use = ring->resolve(*number);
  int64_t slotIndex = ring->getSlotIndex(use);
  return Use{ring, use, slotIndex, &ring->slots[slotIndex]};
}

InFlightDiagnostic emitMisuse(Machine &machine, Operation *op, const Use &use) {
  InFlightDiagnostic diagnostic = machine.error(op);
  if (use.slot->lastChange)
    diagnostic.attachNote(use.slot->lastChange->getLoc())
        << "slot " << use.slotIndex << " has use " << use.slot->number
        << ", last changed here";
  return diagnostic;
}

/// The slot that an element of a ring's buffer lies in.
int64_t getSlotOf(const MemRef &memref, int64_t element) {
  int64_t slot = element / memref.slotElements;
  assert(slot >= 0 && slot < static_cast<int64_t>(memref.ring->slots.size()) &&
         "buffers of a ring are whole");
  return slot;
}

/// What was in a slot is gone.
void forgetSlot(const Ring &ring, int64_t slot) {
  for (const MemRef &buffer : ring.buffers) {
    int64_t elements =
        buffer.getNumElements() / static_cast<int64_t>(ring.slots.size());
    for (int64_t i = slot * elements; i < (slot + 1) * elements; ++i)
      buffer.markUndefined(buffer.offset + i);
  }
}

/// `tile.ring_acquire`: Language.md, "What passes introduce".
LogicalResult acquire(Machine &machine, RingAcquireOp op) {
  FailureOr<Use> use = getUse(machine, op);
  if (failed(use))
    return failure();
  Ring &ring = *use->ring;
  if (use->number != ring.nextNumber)
    return emitMisuse(machine, op, *use)
           << "acquires use " << use->number << " of a ring, whose next use is "
           << ring.nextNumber << "; uses are acquired in order, each once";
  Ring::Slot &slot = *use->slot;
  if (slot.state != Ring::Slot::State::Free) {
    machine.waitFor(op, "slot " + std::to_string(use->slotIndex) +
                            ", whose use " + std::to_string(slot.number) +
                            " has " + std::to_string(slot.releases) + " of " +
                            std::to_string(ring.consumers) + " releases");
    return success();
  }
  slot = Ring::Slot();
  slot.state = Ring::Slot::State::Filling;
  slot.number = ring.nextNumber++;
  slot.lastChange = op;
  slot.producer = &machine.getRole();
  forgetSlot(ring, use->slotIndex);
  machine.set(op.getSlot(), Array::integer(use->slotIndex));
  return success();
}

/// The part of a write that goes to a slot, and the rest.
std::pair<std::optional<PendingWrite>, std::optional<PendingWrite>>
splitBySlot(const PendingWrite &write, int64_t slot) {
  std::vector<int64_t> positions[2], elements[2];
  for (auto [position, element] : llvm::enumerate(write.to.linear)) {
    if (element == skipped)
      continue;
    bool isOutside = getSlotOf(write.to.memref, element) != slot;
    positions[isOutside].push_back(static_cast<int64_t>(position));
    elements[isOutside].push_back(element);
  }
  std::optional<PendingWrite> parts[2];
  for (int i = 0; i < 2; ++i)
    if (!elements[i].empty())
      parts[i] = PendingWrite{
          write.op, Elements(write.to.memref, std::move(elements[i])),
          write.values.count == 1 ? write.values
                                  : gather(write.values, positions[i]),
          write.group};
  return {std::move(parts[0]), std::move(parts[1])};
}

/// `tile.ring_commit`: Language.md, "What passes introduce".
LogicalResult commit(Machine &machine, RingCommitOp op) {
  FailureOr<Use> use = getUse(machine, op);
  if (failed(use))
    return failure();
  Ring::Slot &slot = *use->slot;
  Role &role = machine.getRole();
  if (slot.state != Ring::Slot::State::Filling || slot.number != use->number ||
      slot.producer != &role)
    return emitMisuse(machine, op, *use)
           << "commits use " << use->number
           << " of a ring, which this role has not acquired";
  slot.state = Ring::Slot::State::Full;
  slot.lastChange = op;
  std::vector<PendingWrite> left;
  for (PendingWrite &write : role.pending) {
    if (write.to.memref.ring != use->ring) {
      left.push_back(std::move(write));
      continue;
    }
    auto [inside, outside] = splitBySlot(write, use->slotIndex);
    if (inside)
      slot.deliveries.push_back(std::move(*inside));
    if (outside)
      left.push_back(std::move(*outside));
  }
  role.pending = std::move(left);
  return success();
}

/// `tile.ring_wait`: Language.md, "What passes introduce".
LogicalResult waitForUse(Machine &machine, RingWaitOp op) {
  FailureOr<Use> use = getUse(machine, op);
  if (failed(use))
    return failure();
  Ring::Slot &slot = *use->slot;
  using State = Ring::Slot::State;
  if (slot.number > use->number ||
      (slot.number == use->number && slot.state == State::Free))
    return emitMisuse(machine, op, *use)
           << "waits for use " << use->number
           << " of a ring, whose slot was released already";
  if (slot.number < use->number || slot.state != State::Full) {
    machine.waitFor(op, "use " + std::to_string(use->number) +
                            " of a ring to be committed; the next use to be "
                            "acquired is " +
                            std::to_string(use->ring->nextNumber));
    return success();
  }
  if (llvm::is_contained(slot.readers, &machine.getRole()))
    return emitMisuse(machine, op, *use)
           << "waits for use " << use->number
           << " of a ring a second time without a release";
  auto readers = static_cast<int64_t>(slot.readers.size());
  if (readers + slot.releases == use->ring->consumers)
    return emitMisuse(machine, op, *use)
           << "waits for use " << use->number << " of a ring, which has "
           << use->ring->consumers
           << " consumers that all have waited for it; say how many read each "
              "use by 'consumers'";
  for (const PendingWrite &write : slot.deliveries)
    machine.deliver(write);
  slot.deliveries.clear();
  slot.readers.push_back(&machine.getRole());
  slot.lastChange = op;
  machine.set(op.getSlot(), Array::integer(use->slotIndex));
  return success();
}

/// Whether a product reads a slot of the ring.
bool readsSlot(const Product &product, const Use &use) {
  return llvm::any_of(product.reads, [&](const Elements &reads) {
    return reads.memref.ring == use.ring &&
           llvm::any_of(reads.linear, [&](int64_t element) {
             return getSlotOf(reads.memref, element) == use.slotIndex;
           });
  });
}

/// tile.ring_release: Language.md, "What passes introduce".
LogicalResult release(Machine &machine, RingReleaseOp op) {
  FailureOr<Use> use = getUse(machine, op);
  if (failed(use))
    return failure();
  Ring::Slot &slot = *use->slot;
  Role &role = machine.getRole();
  auto reader = llvm::find(slot.readers, &role);
  if (slot.number != use->number || reader == slot.readers.end())
    return emitMisuse(machine, op, *use)
           << "releases use " << use->number
           << " of a ring, which this role has not waited for";
  // Waits for the products that read the slot.
  SmallVector<std::shared_ptr<Product>> inFlight = machine.blockState->inFlight;
  for (const std::shared_ptr<Product> &product : inFlight)
    if (product->role == &role && readsSlot(*product, *use))
      retire(machine, product.get());
  slot.readers.erase(reader);
  slot.lastChange = op;
  if (++slot.releases == use->ring->consumers)
    slot.state = Ring::Slot::State::Free;
  return success();
}

} // namespace

//===----------------------------------------------------------------------===//
// Checks of accesses
//===----------------------------------------------------------------------===//

LogicalResult mlir::tile::reference::checkSlots(Machine &machine, Operation *op,
                                                const MemRef &memref,
                                                ArrayRef<int64_t> linear,
                                                AccessKind kind) {
  using State = Ring::Slot::State;
  Ring &ring = *memref.ring;
  const Role *role = &machine.getRole();
  int64_t lastSlot = -1;
  for (int64_t element : linear) {
    int64_t index = element == skipped ? lastSlot : getSlotOf(memref, element);
    if (index == lastSlot)
      continue;
    lastSlot = index;
    const Ring::Slot &slot = ring.slots[index];
    bool fills = slot.state == State::Filling && slot.producer == role;
    bool reads = llvm::is_contained(slot.readers, role);
    // The only consumer, which fills the ring too, may transform what it holds.
    bool isSole = ring.consumers == 1 && slot.producer == role;
    if (fills || (reads && (isSole || kind == AccessKind::Read)))
      continue;
    InFlightDiagnostic diagnostic = machine.error(op);
    diagnostic.attachNote(ring.op->getLoc()) << "the ring is from here";
    if (slot.lastChange)
      diagnostic.attachNote(slot.lastChange->getLoc())
          << "the slot last changed hands here";
    bool isRead = kind == AccessKind::Read;
    return diagnostic << (isRead ? "reads" : "writes") << " slot " << index
                      << " of a ring, which this role "
                      << (isRead ? "has not waited for, or has released"
                                 : "has not acquired, or has committed");
  }
  return success();
}

bool mlir::tile::reference::fillsSlot(Machine &machine, const MemRef &memref,
                                      ArrayRef<int64_t> linear) {
  return memref.ring && llvm::any_of(linear, [&](int64_t element) {
           if (element == skipped)
             return false;
           const Ring::Slot &slot =
               memref.ring->slots[getSlotOf(memref, element)];
           return slot.state == Ring::Slot::State::Filling &&
                  slot.producer == &machine.getRole();
         });
}

Elements::Elements(MemRef target, std::vector<int64_t> elements)
    : memref(std::move(target)), linear(std::move(elements)),
      firstByte(std::numeric_limits<int64_t>::max()) {
  int64_t bits = memref.element.memoryBits();
  for (int64_t element : linear) {
    if (element == skipped)
      continue;
    int64_t address = memref.getBitAddress(element);
    firstByte = std::min(firstByte, address / 8);
    endByte = std::max(endByte, (address + bits + 7) / 8);
  }
}

bool Elements::overlaps(const Elements &other) const {
  if (memref.buffer != other.memref.buffer || firstByte >= other.endByte ||
      other.firstByte >= endByte)
    return false;
  auto forEachByte = [](const Elements &elements, auto visit) {
    int64_t bits = elements.memref.element.memoryBits();
    for (int64_t element : elements.linear) {
      if (element == skipped)
        continue;
      int64_t address = elements.memref.getBitAddress(element);
      for (int64_t at = address / 8; at < (address + bits + 7) / 8; ++at)
        visit(at);
    }
  };
  llvm::DenseSet<int64_t> bytes;
  forEachByte(*this, [&](int64_t at) { bytes.insert(at); });
  bool result = false;
  forEachByte(other, [&](int64_t at) { result |= bytes.contains(at); });
  return result;
}

LogicalResult
mlir::tile::reference::checkNotInFlight(Machine &machine, Operation *op,
                                        const MemRef &memref,
                                        ArrayRef<int64_t> linear) {
  Elements written(memref, linear.vec());
  auto report = [&](Operation *other, StringRef note,
                    StringRef what) -> LogicalResult {
    InFlightDiagnostic diagnostic = machine.error(op);
    diagnostic.attachNote(other->getLoc()) << note;
    return diagnostic << "writes to buffer '" << memref.buffer->name << "' "
                      << what;
  };
  for (const std::shared_ptr<Product> &product : machine.blockState->inFlight)
    for (const Elements &reads : product->reads)
      if (reads.overlaps(written))
        return report(product->op, "the product is from here",
                      "what a product in flight reads; put its 'tile.wait' in "
                      "front");
  for (const PendingWrite &write : machine.getRole().pending)
    if (write.to.overlaps(written))
      return report(write.op, "the copy is here",
                    "where an asynchronous copy that nobody has waited for is "
                    "still to arrive");
  return success();
}

void mlir::tile::reference::retire(Machine &machine, const Product *product) {
  llvm::DenseSet<const Product *> done;
  for (; product; product = product->before.get())
    done.insert(product);
  llvm::erase_if(machine.blockState->inFlight,
                 [&](const std::shared_ptr<Product> &other) {
                   if (!done.contains(other.get()))
                     return false;
                   // What came before it is done too: the chain ends here.
                   other->before = nullptr;
                   return true;
                 });
}

LogicalResult mlir::tile::reference::checkRingsAtEnd(Machine &machine) {
  using State = Ring::Slot::State;
  for (const std::shared_ptr<Ring> &ring : machine.blockState->rings) {
    for (const Ring::Slot &slot : ring->slots) {
      StringRef problem;
      if (slot.state == State::Filling)
        problem = "acquired but never committed";
      else if (!slot.readers.empty())
        problem = "waited for but never released";
      else if (slot.state == State::Full && slot.releases == 0)
        problem = "committed but never waited for, so that its copies may "
                  "arrive after the block has ended";
      else if (slot.state == State::Full)
        problem = "released by fewer consumers than the ring has";
      else
        continue;
      InFlightDiagnostic diagnostic = machine.error(slot.lastChange);
      diagnostic.attachNote(ring->op->getLoc()) << "the ring is from here";
      return diagnostic << "use " << slot.number << " of a ring was "
                        << problem;
    }
  }
  return success();
}

void mlir::tile::reference::addRingRules(RuleTable &table) {
  table.add(ring);
  table.add(acquire);
  table.add(commit);
  table.add(waitForUse);
  table.add(release);
}
