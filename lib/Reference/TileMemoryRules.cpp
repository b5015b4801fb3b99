//===- TileMemoryRules.cpp - Copies, loads, stores, atomics, im2col ------===//
//
// A side is turned into the list of its elements in the row-major order of the
// tile that moves; coordinates outside the memref, as it is typed there, are
// left out. Everything else is the same for all five operations.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include "tile/Dialect/Tile/CopyFacts.h"
#include "tile/Dialect/Tile/TileOps.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tile;
using namespace mlir::tile::reference;

namespace {

/// What element `i` of `rows` adds to a start: an i1 is 0 or 1, as it widens in memory.
int64_t getRow(const Array &rows, int64_t i) {
  int64_t row = rows.integers[i];
  return rows.type.bits == 1 ? row & 1 : row;
}

/// The offsets along one dimension of a side's box: start plus position (plus
/// gathered row), times the stride, or `skipped`.
FailureOr<std::vector<int64_t>> getSteps(Machine &machine, Operation *op,
                                         const Side &side, int64_t dim,
                                         int64_t start, int64_t extent) {
  const MemRef &memref = machine.getMemRef(side.memref);
  const Array *rows = nullptr;
  if (side.rows && side.rowsDim == dim)
    rows = &machine.getArray(side.rows);
  std::vector<int64_t> steps(extent);
  for (int64_t i = 0; i < extent; ++i) {
    if (rows && rows->isPoison(i))
      return machine.undefinedAt(op, i, *rows)
             << "row " << i << " depends on " << rows->origin.getCause();
    if (rows && rows->getBound(i) != 0.0)
      machine.leaveOpen(op);
    int64_t coordinate;
    bool isInside = !__builtin_add_overflow(start, rows ? getRow(*rows, i) : i,
                                            &coordinate) &&
                    coordinate >= 0 && coordinate < memref.sizes[dim];
    if (!isInside && side.isInBounds(dim))
      return machine.error(op)
             << "in_bounds asserts dimension " << dim
             << " of the memref, but coordinate " << coordinate
             << " is outside of [0, " << memref.sizes[dim] << ")";
    steps[i] = isInside ? coordinate * memref.strides[dim] : skipped;
  }
  return steps;
}

/// The elements of a side in the order of the tile.
FailureOr<std::vector<int64_t>> getElements(Machine &machine, Operation *op,
                                            const Side &side,
                                            ArrayRef<int64_t> tile) {
  const MemRef &memref = machine.getMemRef(side.memref);
  SmallVector<int64_t> starts(memref.getRank(), 0);
  if (!side.isWhole()) {
    FailureOr<SmallVector<int64_t>> indices =
        machine.getUniforms(op, side.indices, "the start of a tile");
    if (failed(indices))
      return failure();
    starts = *indices;
  }
  SmallVector<int64_t> extents = side.getExtents(tile);
  // Dropped dimensions have extent 1, so walking all of the memref's dimensions
  // in order gives the tile's order.
  std::vector<int64_t> elements{memref.offset};
  for (int64_t dim = 0; dim < memref.getRank(); ++dim) {
    FailureOr<std::vector<int64_t>> steps =
        getSteps(machine, op, side, dim, starts[dim], extents[dim]);
    if (failed(steps))
      return failure();
    std::vector<int64_t> next;
    next.reserve(elements.size() * steps->size());
    for (int64_t element : elements)
      for (int64_t step : *steps)
        next.push_back(element == skipped || step == skipped ? skipped
                                                             : element + step);
    elements = std::move(next);
  }
  return elements;
}

/// Reads a side as elements of `type`; what is outside is `pad`, or zero.
FailureOr<Array> loadSide(Machine &machine, Operation *op, const Side &side,
                          ArrayRef<int64_t> linear, ElementType type,
                          Value pad) {
  FailureOr<Array> loaded =
      machine.load(op, machine.getMemRef(side.memref), linear);
  if (failed(loaded))
    return failure();
  Array values = convert(*loaded, type);
  if (!pad && type.format != FloatFormat::F8E8M0FNU)
    return values; // what was left out is zero already
  Array outside = pad ? machine.getArray(pad) : Array(type, 1);
  for (int64_t i = 0; i < values.count; ++i)
    if (linear[i] == skipped)
      values.setFrom(i, outside, 0);
  return values;
}

/// Whether two indices of the memref may name one element: a stride that is not
/// larger than what the smaller ones reach.
bool mayOverlapItself(const MemRef &memref) {
  SmallVector<std::pair<uint64_t, uint64_t>> dims; // stride, size
  for (auto [size, stride] : llvm::zip(memref.sizes, memref.strides))
    if (size > 1)
      dims.emplace_back(stride < 0 ? -static_cast<uint64_t>(stride)
                                   : static_cast<uint64_t>(stride),
                        static_cast<uint64_t>(size));
  llvm::sort(dims);
  uint64_t reach = 0;
  for (auto [stride, size] : dims) {
    if (stride <= reach)
      return true;
    reach = llvm::SaturatingMultiplyAdd(stride, size - 1, reach);
  }
  return false;
}

/// "[0, 1]", where an element of the tile is.
std::string formatIndex(int64_t position, ArrayRef<int64_t> tile) {
  std::string text;
  for (int64_t index : delinearize(position, tile))
    text += (text.empty() ? "[" : ", ") + std::to_string(index);
  return text + "]";
}

/// An element that the tile writes twice, by a row that is repeated or by
/// strides that overlap, is an error; which value would remain is undefined,
/// and equal ones are no exception.
LogicalResult checkWrittenOnce(Machine &machine, Operation *op,
                               const MemRef &memref, ArrayRef<int64_t> linear,
                               ArrayRef<int64_t> tile, bool hasRows) {
  bool overlaps = mayOverlapItself(memref);
  if (!hasRows && !overlaps)
    return success();
  llvm::DenseMap<int64_t, int64_t> writers;
  for (auto [position, element] : llvm::enumerate(linear)) {
    if (element == skipped)
      continue;
    auto [earlier, isFirst] =
        writers.try_emplace(element, static_cast<int64_t>(position));
    if (isFirst)
      continue;
    if (!overlaps)
      return machine.error(op)
             << "element " << element << " is written twice, because a row is "
             << "repeated; use tile.atomic_rmw where rows may repeat";
    return machine.error(op)
           << "elements " << formatIndex(earlier->second, tile) << " and "
           << formatIndex(static_cast<int64_t>(position), tile)
           << " of the tile are both written to element " << element
           << " of buffer '" << memref.buffer->name
           << "', because the strides of the memref overlap; write through a "
              "memref whose elements are distinct";
  }
  return success();
}

LogicalResult checkOverlap(Machine &machine, Operation *op,
                           const MemRef &source, ArrayRef<int64_t> read,
                           const MemRef &dest, ArrayRef<int64_t> written) {
  if (source.buffer != dest.buffer)
    return success();
  llvm::DenseSet<int64_t> addresses;
  for (int64_t element : read)
    if (element != skipped)
      addresses.insert(source.getBitAddress(element));
  for (int64_t element : written)
    if (element != skipped && addresses.contains(dest.getBitAddress(element)))
      return machine.error(op)
             << "source and destination overlap at element " << element
             << " of buffer '" << dest.buffer->name
             << "'; copy through a fragment or another buffer";
  return success();
}

//===----------------------------------------------------------------------===//
// tile.copy, tile.load, tile.store, tile.atomic_rmw
//===----------------------------------------------------------------------===//

/// Whether poison may pass through memory: in the source only copies to shared
/// memory carry it; from the materialized stage on scratch holds whole
/// fragments.
bool mayCarryPoison(Machine &machine, bool isShared, bool isCopy) {
  return isShared &&
         (isCopy || machine.blockState->stage >= Stage::Materialized);
}

/// Stores what a copy moved. From the synchronized stage on an asynchronous
/// copy leaves poison in its destination until it is waited for, a copy that
/// fills a slot of a ring at every stage.
LogicalResult deliver(Machine &machine, Operation *op,
                      InstructionAttr instruction, const MemRef &target,
                      std::vector<int64_t> written, Array values,
                      bool carriesPoison) {
  Role &role = machine.getRole();
  // Without an instruction it may become any.
  bool mayBeAsynchronous = !instruction || instruction.isAsynchronous();
  bool isAsynchronous =
      mayBeAsynchronous &&
      (fillsSlot(machine, target, written) ||
       (instruction && machine.blockState->stage >= Stage::Synchronized));
  if (!isAsynchronous)
    return machine.store(op, target, written, values, carriesPoison);
  Array unknown = Array::poisoned(target.element, values.count);
  if (failed(machine.store(op, target, written, unknown, true)))
    return failure();
  role.pending.push_back({op, Elements(target, std::move(written)),
                          std::move(values), role.committedGroups});
  return success();
}

/// tile.copy: Language.md, "tile.copy, tile.load, tile.store, tile.atomic_rmw".
LogicalResult copy(Machine &machine, CopyOp op) {
  Side source = op.getSourceSide(), dest = op.getDestSide();
  SmallVector<int64_t> tile = op.getTileShape();
  FailureOr<std::vector<int64_t>> read = getElements(machine, op, source, tile);
  if (failed(read))
    return failure();
  FailureOr<std::vector<int64_t>> written =
      getElements(machine, op, dest, tile);
  if (failed(written))
    return failure();
  const MemRef &target = machine.getMemRef(dest.memref);
  if (failed(checkOverlap(machine, op, machine.getMemRef(source.memref), *read,
                          target, *written)))
    return failure();
  if (failed(checkWrittenOnce(machine, op, target, *written, tile,
                              dest.rows != nullptr)))
    return failure();
  FailureOr<Array> values =
      loadSide(machine, op, source, *read, target.element, op.getPad());
  if (failed(values))
    return failure();
  if (auto kind = getCombination(op))
    return machine.atomicUpdate(op, target, *written, *values, *kind);
  bool carriesPoison = mayCarryPoison(machine, dest.isShared(), true);
  return deliver(machine, op, op.getInstructionAttr(), target,
                 std::move(*written), std::move(*values), carriesPoison);
}

/// tile.load: Language.md, the same.
LogicalResult load(Machine &machine, LoadOp op) {
  Side source = op.getSourceSide();
  FailureOr<std::vector<int64_t>> read =
      getElements(machine, op, source, op.getType().getShape());
  if (failed(read))
    return failure();
  FailureOr<Array> values = loadSide(
      machine, op, source, *read, *ElementType::get(op.getType()), op.getPad());
  if (failed(values))
    return failure();
  machine.set(op.getResult(), std::move(*values));
  return success();
}

/// tile.store: Language.md, the same.
LogicalResult store(Machine &machine, StoreOp op) {
  Side dest = op.getDestSide();
  ArrayRef<int64_t> tile = op.getValue().getType().getShape();
  FailureOr<std::vector<int64_t>> written =
      getElements(machine, op, dest, tile);
  if (failed(written))
    return failure();
  const MemRef &target = machine.getMemRef(dest.memref);
  if (failed(checkWrittenOnce(machine, op, target, *written, tile,
                              dest.rows != nullptr)))
    return failure();
  return machine.store(op, target, *written,
                       convert(machine.getArray(op.getValue()), target.element),
                       mayCarryPoison(machine, dest.isShared(), false));
}

/// tile.atomic_rmw: Language.md, the same.
LogicalResult atomicUpdate(Machine &machine, AtomicRMWOp op) {
  Side dest = op.getDestSide();
  FailureOr<std::vector<int64_t>> written =
      getElements(machine, op, dest, op.getValue().getType().getShape());
  if (failed(written))
    return failure();
  return machine.atomicUpdate(op, machine.getMemRef(dest.memref), *written,
                              machine.getArray(op.getValue()), op.getKind());
}

//===----------------------------------------------------------------------===//
// tile.im2col
//===----------------------------------------------------------------------===//

/// Two integers of an attribute such as `strides = [1, 1]`.
std::array<int64_t, 2> getPair(ArrayAttr attribute) {
  return {cast<IntegerAttr>(attribute[0]).getInt(),
          cast<IntegerAttr>(attribute[1]).getInt()};
}

/// tile.im2col: Language.md, "Convolution, debugging, facts".
LogicalResult im2col(Machine &machine, Im2ColOp op) {
  const MemRef &image = machine.getMemRef(op.getSource());
  const MemRef &dest = machine.getMemRef(op.getDest());
  auto kernel = getPair(op.getKernel()), strides = getPair(op.getStrides());
  auto dilations = getPair(op.getDilations());
  auto padding = getPair(op.getPadding());
  FailureOr<int64_t> row = machine.getUniform(op, op.getRow(), "the row");
  FailureOr<int64_t> col = machine.getUniform(op, op.getCol(), "the column");
  if (failed(row) || failed(col))
    return failure();
  std::array<int64_t, 2> outputs;
  for (int d = 0; d < 2; ++d) {
    int64_t span = image.sizes[d + 1] + 2 * padding[d] -
                   (dilations[d] * (kernel[d] - 1) + 1);
    outputs[d] = span < 0 ? 0 : span / strides[d] + 1;
  }
  int64_t channels = image.sizes[3];
  int64_t rows = image.sizes[0] * outputs[0] * outputs[1];
  int64_t columns = kernel[0] * kernel[1] * channels;
  int64_t count = dest.getNumElements();
  std::vector<int64_t> read(count, skipped), written(count);
  for (int64_t i = 0; i < count; ++i) {
    int64_t at[2] = {i / dest.sizes[1], i % dest.sizes[1]};
    written[i] = dest.linearize(at);
    int64_t r, c;
    if (__builtin_add_overflow(*row, at[0], &r) ||
        __builtin_add_overflow(*col, at[1], &c) || r < 0 || r >= rows ||
        c < 0 || c >= columns)
      continue;
    int64_t y = r / outputs[1] % outputs[0] * strides[0] - padding[0] +
                c / (kernel[1] * channels) * dilations[0];
    int64_t x = r % outputs[1] * strides[1] - padding[1] +
                c / channels % kernel[1] * dilations[1];
    if (y < 0 || y >= image.sizes[1] || x < 0 || x >= image.sizes[2])
      continue;
    read[i] =
        image.linearize({r / (outputs[0] * outputs[1]), y, x, c % channels});
  }
  if (failed(checkWrittenOnce(machine, op, dest, written, dest.sizes,
                              /*hasRows=*/false)))
    return failure();
  FailureOr<Array> values = machine.load(op, image, read);
  if (failed(values))
    return failure();
  return deliver(machine, op, op.getInstructionAttr(), dest, std::move(written),
                 std::move(*values), /*carriesPoison=*/true);
}

} // namespace

std::optional<std::pair<MemRef, std::vector<int64_t>>>
mlir::tile::reference::getWrittenElements(
    Machine &machine, Operation *op, llvm::function_ref<bool(Value)> isKnown) {
  Side side;
  SmallVector<int64_t> tile;
  if (auto copy = dyn_cast<CopyOp>(op)) {
    side = copy.getDestSide();
    tile = copy.getTileShape();
  } else if (auto store = dyn_cast<StoreOp>(op)) {
    side = store.getDestSide();
    tile = llvm::to_vector(store.getValue().getType().getShape());
  } else if (auto atomic = dyn_cast<AtomicRMWOp>(op)) {
    side = atomic.getDestSide();
    tile = llvm::to_vector(atomic.getValue().getType().getShape());
  } else {
    return std::nullopt;
  }
  if (!isKnown(side.memref) || !llvm::all_of(side.indices, isKnown) ||
      (side.rows && !isKnown(side.rows)))
    return std::nullopt;
  FailureOr<std::vector<int64_t>> elements =
      getElements(machine, op, side, tile);
  if (failed(elements))
    return std::nullopt;
  return std::pair(machine.getMemRef(side.memref), std::move(*elements));
}

void mlir::tile::reference::addTileMemoryRules(RuleTable &table) {
  table.add(copy);
  table.add(load);
  table.add(store);
  table.add(atomicUpdate);
  table.add(im2col);
}
