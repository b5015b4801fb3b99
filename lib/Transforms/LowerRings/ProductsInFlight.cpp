//===- ProductsInFlight.cpp - Where products are waited for --------------===//

#include "ProductsInFlight.h"

#include "tile/Analysis/OperationTable.h"
#include "tile/Analysis/RingNumbers.h"
#include "tile/Dialect/Tile/MemRefRoots.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include <map>

using namespace mlir;
using namespace mlir::tile;

namespace {
/// A use of a ring; one whose number got lost may be any.
using UseKey = std::pair<Operation *, std::optional<RingNumber>>;

/// The products that may be in flight, by what is known of them; of each the
/// fewest products started since.
struct StartedProducts {
  std::map<const void *, int64_t> pending; ///< by the pending value
  std::map<UseKey, int64_t> reads;         ///< by a use that one reads

  template <typename Map, typename Key>
  static bool insert(Map &map, const Key &key, int64_t count) {
    auto [entry, isNew] = map.insert({key, count});
    bool isFewer = count < entry->second;
    entry->second = std::min(entry->second, count);
    return isNew || isFewer;
  }
  bool join(const StartedProducts &other) {
    bool hasGrown = false;
    for (const auto &[value, count] : other.pending)
      hasGrown |= insert(pending, value, count);
    for (const auto &[use, count] : other.reads)
      hasGrown |= insert(reads, use, count);
    return hasGrown;
  }
  /// All but the last `count` products have been waited for.
  void complete(int64_t count) {
    auto isDone = [&](const auto &entry) { return entry.second >= count; };
    std::erase_if(pending, isDone);
    std::erase_if(reads, isDone);
  }
};

class ProductCounter {
public:
  explicit ProductCounter(LaunchOp launch) : launch(launch) {
    launch.walk([&](RingOp ring) {
      bases[ring] = getNumberBases(ring);
      for (Value buffer : ring.getBuffers())
        ringOfBuffer[buffer] = ring;
    });
  }
  /// How many products may stay in flight behind each wait and release that
  /// has to wait.
  llvm::MapVector<Operation *, int64_t> count();

private:
  using Rules = OperationTable<void(ProductCounter &, StartedProducts &)>;
  static const Rules &getRules();
  std::optional<UseKey> getReadUse(Value memref) const;
  void start(GemmAsyncOp product, StartedProducts &state);
  void waitFor(WaitOp wait, StartedProducts &state);
  void release(RingReleaseOp release, StartedProducts &state);
  void note(Operation *op, std::optional<int64_t> fewest,
            StartedProducts &state);
  void cross(const RegionEdge &edge, StartedProducts &state) const;

  LaunchOp launch;
  llvm::DenseMap<Operation *, llvm::SetVector<Value>> bases;
  llvm::DenseMap<Value, Operation *> ringOfBuffer;
  llvm::MapVector<Operation *, int64_t> inFlight;
};
} // namespace

/// The use of a ring in whose slot `memref` lies; nothing outside of rings.
std::optional<UseKey> ProductCounter::getReadUse(Value memref) const {
  Value root =
      isa<MemRefType>(memref.getType()) ? getSharedRoot(memref) : Value();
  Operation *ring = root ? ringOfBuffer.lookup(root) : nullptr;
  if (!ring)
    return std::nullopt;
  while (auto view = memref.getDefiningOp<memref::SubViewOp>()) {
    memref = view.getSource();
    auto slot = dyn_cast<Value>(view.getMixedOffsets().front());
    auto wait = slot ? slot.getDefiningOp<RingWaitOp>() : RingWaitOp();
    if (memref == root && wait)
      return UseKey{ring, getRingNumber(wait.getNumber())};
  }
  return UseKey{ring, std::nullopt};
}

void ProductCounter::start(GemmAsyncOp product, StartedProducts &state) {
  for (auto &entry : state.pending)
    ++entry.second;
  for (auto &entry : state.reads)
    ++entry.second;
  if (Value c = product.getC())
    state.pending.erase(c.getAsOpaquePointer());
  state.pending[product.getResult().getAsOpaquePointer()] = 0;
  for (Value operand : {Value(product.getA()), Value(product.getB())})
    if (std::optional<UseKey> use = getReadUse(operand))
      state.reads[*use] = 0;
}

/// Records that `op` waits until `fewest` products are in flight; nothing if it
/// need not. The last call for an operation is the one with its final state.
void ProductCounter::note(Operation *op, std::optional<int64_t> fewest,
                          StartedProducts &state) {
  inFlight.erase(op);
  if (!fewest)
    return;
  inFlight[op] = *fewest;
  state.complete(*fewest);
}

void ProductCounter::waitFor(WaitOp wait, StartedProducts &state) {
  auto entry = state.pending.find(wait.getPending().getAsOpaquePointer());
  note(wait,
       entry == state.pending.end() ? std::nullopt
                                    : std::optional(entry->second),
       state);
}

void ProductCounter::release(RingReleaseOp release, StartedProducts &state) {
  Operation *ring = release.getRing().getDefiningOp();
  RingNumber number = getRingNumber(release.getNumber());
  std::optional<int64_t> fewest;
  for (const auto &[use, count] : state.reads) {
    bool isOther =
        use.first != ring || (use.second && use.second->base == number.base &&
                              use.second->offset != number.offset);
    if (!isOther)
      fewest = std::min(fewest.value_or(count), count);
  }
  note(release, fewest, state);
}

const ProductCounter::Rules &ProductCounter::getRules() {
  static const Rules rules = [] {
    using Counter = ProductCounter;
    Rules table;
    table.add(+[](Counter &counter, StartedProducts &state, GemmAsyncOp op) {
      counter.start(op, state);
    });
    table.add(+[](Counter &counter, StartedProducts &state, WaitOp op) {
      counter.waitFor(op, state);
    });
    table.add(+[](Counter &counter, StartedProducts &state, RingReleaseOp op) {
      counter.release(op, state);
    });
    table.add(+[](Counter &, StartedProducts &state, ProductWaitOp op) {
      state.complete(op.getPending());
    });
    return table;
  }();
  return rules;
}

void ProductCounter::cross(const RegionEdge &edge,
                           StartedProducts &state) const {
  StartedProducts behind;
  behind.pending = state.pending;
  for (auto [operand, input] : llvm::zip(edge.operands, edge.inputs)) {
    auto entry = state.pending.find(operand.getAsOpaquePointer());
    if (entry != state.pending.end())
      StartedProducts::insert(behind.pending, input.getAsOpaquePointer(),
                              entry->second);
  }
  for (Value operand : edge.operands)
    behind.pending.erase(operand.getAsOpaquePointer());
  NumberEdge numbers(edge);
  for (const auto &[use, count] : state.reads) {
    const auto &[ring, number] = use;
    // Numbers that drift away from their base would do so for ever.
    int64_t farthest = 64 + getSlotCount(ring);
    std::optional<RingNumber> renamed =
        number ? numbers.cross(*number, bases.lookup(ring)) : std::nullopt;
    if (renamed && renamed->base && std::abs(renamed->offset) > farthest)
      renamed = std::nullopt;
    StartedProducts::insert(behind.reads, UseKey{ring, renamed}, count);
  }
  state = std::move(behind);
}

llvm::MapVector<Operation *, int64_t> ProductCounter::count() {
  StartedProducts state;
  runForward(
      launch.getBody().front(), state,
      [&](Operation *op, StartedProducts &products) {
        if (const Rules::Rule *rule = getRules().find(op))
          (*rule)(*this, products, op);
      },
      [&](const RegionEdge &edge, StartedProducts &products) {
        cross(edge, products);
      });
  return std::move(inFlight);
}

void tile::insertProductWaits(LaunchOp launch) {
  bool hasProducts =
      launch.walk([](GemmAsyncOp) { return WalkResult::interrupt(); })
          .wasInterrupted();
  if (!hasProducts)
    return;
  for (auto [op, pending] : ProductCounter(launch).count()) {
    OpBuilder builder(op);
    ProductWaitOp::create(builder, op->getLoc(), pending);
  }
}
