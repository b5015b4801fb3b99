//===- RingRules.cpp - Slots between roles -------------------------------===//
//
// dialect.md section 4. A slot goes from free to being filled (acquire), to
// full (commit), and back to free when its consumers released it. Whoever has
// to wait for another role is run again later (Machine::waitFor). Uses that no
// order of the roles makes right are errors: numbers out of step, slots touched
// by a role that does not hold them, releases of what a product in flight still
// reads.
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

std::string toString(int64_t number) { return std::to_string(number); }

/// `tile.ring`: dialect.md, section 4.
LogicalResult ring(Machine &machine, RingOp op) {
  auto ring = std::make_shared<Ring>();
  int64_t slots = op.getType().getSlots();
  ring->op = op;
  ring->consumers = static_cast<int64_t>(op.getConsumers());
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
  return Use{ring, *number, &ring->getSlot(*number)};
}

InFlightDiagnostic emitMisuse(Machine &machine, Operation *op, const Use &use,
                              StringRef lastChange) {
  InFlightDiagnostic diagnostic = machine.error(op);
  if (use.slot->lastChange)
    diagnostic.attachNote(use.slot->lastChange->getLoc())
        << "slot " << use.number % static_cast<int64_t>(use.ring->slots.size())
        << " has use " << use.slot->number << ", " << lastChange << " here";
  return diagnostic;
}

int64_t getSlotIndex(const Use &use) {
  return use.number % static_cast<int64_t>(use.ring->slots.size());
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

/// `tile.ring_acquire`: dialect.md, section 4.
LogicalResult acquire(Machine &machine, RingAcquireOp op) {
  FailureOr<Use> use = getUse(machine, op);
  if (failed(use))
    return failure();
  Ring &ring = *use->ring;
  if (use->number != ring.nextNumber)
    return emitMisuse(machine, op, *use, "taken")
           << "acquires use " << use->number << " of a ring, whose next use is "
           << ring.nextNumber << "; uses are acquired in order, each once";
  Ring::Slot &slot = *use->slot;
  if (slot.state != Ring::Slot::State::Free) {
    machine.waitFor(op, "slot " + toString(getSlotIndex(*use)) +
                            ", whose use " + toString(slot.number) + " has " +
                            toString(slot.releases) + " of " +
                            toString(ring.consumers) + " releases");
    return success();
  }
  slot = Ring::Slot();
  slot.state = Ring::Slot::State::Filling;
  slot.number = ring.nextNumber++;
  slot.lastChange = op;
  slot.producer = &machine.getRole();
  forgetSlot(ring, getSlotIndex(*use));
  machine.set(op.getSlot(), Array::integer(getSlotIndex(*use)));
  return success();
}

/// `tile.ring_commit`: dialect.md, section 4.
LogicalResult commit(Machine &machine, RingCommitOp op) {
  FailureOr<Use> use = getUse(machine, op);
  if (failed(use))
    return failure();
  Ring::Slot &slot = *use->slot;
  Role &role = machine.getRole();
  if (slot.state != Ring::Slot::State::Filling || slot.number != use->number ||
      slot.producer != &role)
    return emitMisuse(machine, op, *use, "taken")
           << "commits use " << use->number
           << " of a ring, which this role has not acquired";
  slot.state = Ring::Slot::State::Full;
  slot.lastChange = op;
  auto isOfSlot = [&](const PendingWrite &write) {
    return write.memref.ring == use->ring && !write.linear.empty() &&
           llvm::all_of(write.linear, [&](int64_t element) {
             return element == skipped ||
                    element / write.memref.slotElements == getSlotIndex(*use);
           });
  };
  for (PendingWrite &write : role.pending)
    if (isOfSlot(write))
      slot.deliveries.push_back(write);
  std::erase_if(role.pending, isOfSlot);
  return success();
}

/// `tile.ring_wait`: dialect.md, section 4.
LogicalResult waitForUse(Machine &machine, RingWaitOp op) {
  FailureOr<Use> use = getUse(machine, op);
  if (failed(use))
    return failure();
  Ring::Slot &slot = *use->slot;
  using State = Ring::Slot::State;
  if (slot.number > use->number ||
      (slot.number == use->number && slot.state == State::Free))
    return emitMisuse(machine, op, *use, "last changed")
           << "waits for use " << use->number
           << " of a ring, whose slot was released already";
  if (slot.number < use->number || slot.state != State::Full) {
    machine.waitFor(op, "use " + toString(use->number) +
                            " of a ring to be committed; the next use to be "
                            "acquired is " +
                            toString(use->ring->nextNumber));
    return success();
  }
  if (llvm::is_contained(slot.readers, &machine.getRole()))
    return emitMisuse(machine, op, *use, "last changed")
           << "waits for use " << use->number
           << " of a ring a second time without a release";
  for (const PendingWrite &write : slot.deliveries)
    if (failed(machine.store(op, write.memref, write.linear, write.values,
                             /*carriesPoison=*/true, /*isDelivery=*/true)))
      return failure();
  slot.deliveries.clear();
  slot.readers.push_back(&machine.getRole());
  slot.lastChange = op;
  machine.set(op.getSlot(), Array::integer(getSlotIndex(*use)));
  return success();
}

/// A product in flight that reads the slot; null if there is none.
const Product *getReader(Machine &machine, const Use &use) {
  for (const std::shared_ptr<Product> &product : machine.blockState->inFlight)
    for (const Product::Operand &operand : product->operands)
      if (operand.memref.ring == use.ring &&
          llvm::any_of(operand.linear, [&](int64_t element) {
            return element / operand.memref.slotElements == getSlotIndex(use);
          }))
        return product.get();
  return nullptr;
}

/// `tile.ring_release`: dialect.md, section 4.
LogicalResult release(Machine &machine, RingReleaseOp op) {
  FailureOr<Use> use = getUse(machine, op);
  if (failed(use))
    return failure();
  Ring::Slot &slot = *use->slot;
  auto reader = llvm::find(slot.readers, &machine.getRole());
  if (slot.number != use->number || reader == slot.readers.end())
    return emitMisuse(machine, op, *use, "last changed")
           << "releases use " << use->number
           << " of a ring, which this role has not waited for";
  if (const Product *product = getReader(machine, *use)) {
    InFlightDiagnostic diagnostic = machine.error(op);
    diagnostic.attachNote(product->op->getLoc()) << "the product is from here";
    return diagnostic << "releases a slot that a product in flight reads; put "
                         "its 'tile.wait' in front";
  }
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
    int64_t index =
        element == skipped ? lastSlot : element / memref.slotElements;
    if (index == lastSlot)
      continue;
    lastSlot = index;
    const Ring::Slot &slot = ring.slots[index];
    bool fills = slot.state == State::Filling && slot.producer == role;
    bool reads = llvm::is_contained(slot.readers, role);
    if (fills || (reads && kind == AccessKind::Read))
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

LogicalResult
mlir::tile::reference::checkNotInFlight(Machine &machine, Operation *op,
                                        const MemRef &memref,
                                        ArrayRef<int64_t> linear) {
  for (const std::shared_ptr<Product> &product : machine.blockState->inFlight) {
    for (const Product::Operand &operand : product->operands) {
      if (operand.memref.buffer != memref.buffer)
        continue;
      llvm::DenseSet<int64_t> read;
      for (int64_t element : operand.linear)
        read.insert(operand.memref.getBitAddress(element) / 8);
      for (int64_t element : linear) {
        if (element == skipped ||
            !read.contains(memref.getBitAddress(element) / 8))
          continue;
        InFlightDiagnostic diagnostic = machine.error(op);
        diagnostic.attachNote(product->op->getLoc())
            << "the product is from here";
        return diagnostic << "writes element " << element << " of buffer '"
                          << memref.buffer->name
                          << "', which a product in flight reads; put its "
                             "'tile.wait' in front";
      }
    }
  }
  return success();
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
