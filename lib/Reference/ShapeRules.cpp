//===- ShapeRules.cpp - Shapes, bits, printing, assertions, facts --------===//

#include "Elementwise.h"

#include "tile/Contract/Views.h"
#include "tile/Dialect/Tile/PrintFormat.h"
#include "tile/Dialect/Tile/TileOps.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace mlir;
using namespace mlir::tile;
using namespace mlir::tile::reference;

namespace {

/// tile.broadcast: Language.md, "Shape and type helpers".
LogicalResult broadcastOp(Machine &machine, BroadcastOp op) {
  auto type = cast<RankedTensorType>(op.getResult().getType());
  ArrayRef<int64_t> shape = type.getShape();
  auto sourceType = cast<RankedTensorType>(op.getSource().getType());
  SmallVector<int64_t, 4> sourceStrides = getStrides(sourceType.getShape());
  std::vector<int64_t> positions(type.getNumElements());
  for (int64_t i = 0, e = positions.size(); i < e; ++i) {
    SmallVector<int64_t, 4> at = delinearize(i, shape);
    int64_t next = 0;
    for (int64_t d = 0; d < type.getRank(); ++d)
      if (!llvm::is_contained(op.getDims(), d))
        positions[i] += at[d] * sourceStrides[next++];
  }
  machine.set(op.getResult(),
              gather(machine.getArray(op.getSource()), positions));
  return success();
}

/// tile.transpose: Language.md, "Shape and type helpers".
LogicalResult transpose(Machine &machine, TransposeOp op) {
  auto type = cast<RankedTensorType>(op.getResult().getType());
  auto sourceType = cast<RankedTensorType>(op.getSource().getType());
  SmallVector<int64_t, 4> sourceStrides = getStrides(sourceType.getShape());
  std::vector<int64_t> positions(type.getNumElements());
  for (int64_t i = 0, e = positions.size(); i < e; ++i) {
    SmallVector<int64_t, 4> at = delinearize(i, type.getShape());
    for (auto [d, from] : llvm::enumerate(op.getPermutation()))
      positions[i] += at[d] * sourceStrides[from];
  }
  machine.set(op.getResult(),
              gather(machine.getArray(op.getSource()), positions));
  return success();
}

/// tile.bitcast: Language.md, "Shape and type helpers". Along the last
/// dimension the bits follow each other, lowest first.
LogicalResult bitcast(Machine &machine, BitcastOp op) {
  const Array &source = machine.getArray(op.getSource());
  auto type = cast<RankedTensorType>(op.getResult().getType());
  Array result(getResultType(op), type.getNumElements());
  result.takeOrigin(source);
  unsigned from = source.type.bits, to = result.type.bits;
  for (int64_t i = 0; i < result.count; ++i) {
    if (to <= from) {
      int64_t ratio = from / to;
      uint64_t bits = source.getBits(i / ratio) >> (i % ratio * to);
      result.setBits(i, zeroExtend(static_cast<int64_t>(bits), to));
      if (source.isPoison(i / ratio))
        result.setPoison(i);
      if (source.getBound(i / ratio) != 0.0)
        result.setBound(i, unbounded);
      continue;
    }
    int64_t ratio = to / from;
    uint64_t bits = 0;
    for (int64_t part = 0; part < ratio; ++part) {
      bits |= source.getBits(i * ratio + part) << (part * from);
      if (source.isPoison(i * ratio + part))
        result.setPoison(i);
      if (source.getBound(i * ratio + part) != 0.0)
        result.setBound(i, unbounded);
    }
    result.setBits(i, bits);
  }
  machine.set(op.getResult(), std::move(result));
  return success();
}

//===----------------------------------------------------------------------===//
// tile.print, tile.assert
//===----------------------------------------------------------------------===//

void printElement(llvm::raw_ostream &os, const Array &array, int64_t i) {
  if (array.isPoison(i))
    os << "poison";
  else if (array.type.isFloat && std::isnan(array.getDouble(i)))
    os << "nan"; // whatever its sign
  else if (array.type.isFloat)
    os << llvm::format("%g", array.getDouble(i));
  else if (array.type.bits == 1)
    os << (array.isTrue(i) ? "1" : "0");
  else
    os << array.integers[i];
}

/// What the lines of one `tile.print` begin with: `iteration` of a parallel loop,
/// and the coordinate in a fragment; either may be empty.
void printLabel(Machine &machine, PrintOp op, ArrayRef<int64_t> iteration,
                ArrayRef<int64_t> coordinate) {
  llvm::raw_ostream &os = *machine.options.output;
  os << op.getLabel();
  if (machine.blockState)
    os << " (block " << machine.blockState->id[0] << ", "
       << machine.blockState->id[1] << ", " << machine.blockState->id[2] << ")";
  for (ArrayRef<int64_t> indices : {iteration, coordinate}) {
    if (indices.empty())
      continue;
    os << " [";
    llvm::interleaveComma(indices, os);
    os << "]";
  }
  os << ": ";
}

/// The elements in row-major order, a line for up to `printLineElements`
/// neighbours.
void printFragment(Machine &machine, PrintOp op, const Array &array,
                   ArrayRef<int64_t> shape, ArrayRef<int64_t> iteration) {
  llvm::raw_ostream &os = *machine.options.output;
  int64_t i = 0;
  while (i < array.count) {
    SmallVector<int64_t, 4> at = delinearize(i, shape);
    int64_t count = std::min(shape.back() - at.back(), printLineElements);
    if (count == array.count)
      at.clear();
    printLabel(machine, op, iteration, at);
    os << "[";
    for (int64_t end = i + count; i < end; ++i) {
      printElement(os, array, i);
      os << (i + 1 < end ? ", " : "]\n");
    }
  }
}

/// A scalar is the iteration's own, or `array` has one for all of them.
void printScalar(Machine &machine, PrintOp op, const Array &array, int64_t lane,
                 ArrayRef<int64_t> iteration) {
  printLabel(machine, op, iteration, {});
  printElement(*machine.options.output, array, array.count == 1 ? 0 : lane);
  *machine.options.output << "\n";
}

/// The elements of a fragment that has been put into a buffer.
FailureOr<Array> loadAll(Machine &machine, PrintOp op,
                         ArrayRef<int64_t> shape) {
  const MemRef &memref = machine.getMemRef(op.getValue());
  std::vector<int64_t> positions(ShapedType::getNumElements(shape));
  for (int64_t i = 0, e = positions.size(); i < e; ++i)
    positions[i] = memref.linearize(delinearize(i, shape));
  return machine.load(op, memref, positions);
}

/// tile.print: Language.md, "Convolution, debugging, facts"; the text:
/// PrintFormat.h.
LogicalResult print(Machine &machine, PrintOp op) {
  if (!machine.options.output)
    return success();
  ArrayRef<int64_t> shape, iterations;
  if (auto type = dyn_cast<ShapedType>(op.getValue().getType()))
    shape = type.getShape();
  if (auto loop = op->getParentOfType<ParallelOp>())
    iterations = loop.getShape();
  Array buffer;
  bool isInBuffer = isa<MemRefType>(op.getValue().getType());
  if (isInBuffer) {
    FailureOr<Array> contents = loadAll(machine, op, shape);
    if (failed(contents))
      return failure();
    buffer = std::move(*contents);
  }
  const Array &array = isInBuffer ? buffer : machine.getArray(op.getValue());
  for (int64_t lane = 0; lane < machine.getLaneCount(); ++lane) {
    if (!machine.isActive(lane))
      continue;
    SmallVector<int64_t, 4> iteration = delinearize(lane, iterations);
    if (shape.empty())
      printScalar(machine, op, array, lane, iteration);
    else
      printFragment(machine, op, array, shape, iteration);
  }
  return success();
}

/// tile.assert: Language.md, "Convolution, debugging, facts".
LogicalResult assertOp(Machine &machine, AssertOp op) {
  FailureOr<Mask> condition = machine.getCondition(op, op.getCondition());
  if (failed(condition))
    return failure();
  for (int64_t lane = 0; lane < machine.getLaneCount(); ++lane) {
    int64_t at = condition->size() == 1 ? 0 : lane;
    if (!machine.isActive(lane) || (*condition)[at])
      continue;
    if (machine.isLeftOpen(op))
      continue; // it may hold elsewhere
    return machine.errorAt(op, lane) << "assertion failed: " << op.getMessage();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

/// tile.assume_divisible: Language.md, "Convolution, debugging, facts".
LogicalResult assumeDivisible(Machine &machine, AssumeDivisibleOp op) {
  const Array &array = machine.getArray(op.getValue());
  int64_t divisor = op.getDivisor();
  for (int64_t lane = 0; lane < array.count; ++lane)
    if ((array.count == 1 || machine.isActive(lane)) && !array.isPoison(lane))
      if (std::string problem =
              tilec::checkAssumption(array.integers[lane], divisor);
          !problem.empty())
        return machine.errorAt(op, lane) << problem;
  machine.set(op.getResult(), machine.get(op.getValue()));
  return success();
}

/// Whether a memref is as `op` states, which is a `tile.assume` or asserts what one
/// has.
template <typename OpT>
LogicalResult checkFacts(Machine &machine, OpT op) {
  tilec::MemRefAssumption assumption;
  if (op.getSizes())
    assumption.sizes = *op.getSizes();
  if (op.getStrides())
    assumption.strides = *op.getStrides();
  // Buffers begin at multiples of every alignment that can be asked for.
  if (op.getAlignment())
    assumption.alignment = static_cast<int64_t>(*op.getAlignment());
  std::string problem = tilec::checkAssumption(
      assumption, getView(machine.getMemRef(op.getSource())));
  if (!problem.empty())
    return machine.error(op) << problem;
  return success();
}

/// tile.assume: Language.md, "Convolution, debugging, facts".
LogicalResult assume(Machine &machine, AssumeOp op) {
  machine.set(op.getResult(), machine.get(op.getSource()));
  return checkFacts(machine, op);
}

/// tile.assert_facts: Language.md, "What passes introduce".
LogicalResult assertFacts(Machine &machine, AssertFactsOp op) {
  return checkFacts(machine, op);
}

} // namespace

void mlir::tile::reference::addShapeRules(RuleTable &table) {
  table.add(broadcastOp);
  table.add(transpose);
  table.add(bitcast);
  table.add(print);
  table.add(assertOp);
  table.add(assumeDivisible);
  table.add(assume);
  table.add(assertFacts);
}
