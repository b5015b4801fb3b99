//===- Scan.cpp - Scans in registers and across lanes ---------------------===//
//
// The scanned dimension is a chain of digits, each of registers or of lanes,
// the one with the smallest step first. Every digit splits a box of neighbours
// into as many smaller boxes as its extent. Going up, each digit combines what
// its boxes total and keeps the prefixes of its boxes; going down, what stands
// before a box is what stands before its parent, combined with its prefix:
//
//     registers 4, lanes 2     a b c d | e f g h
//     up, registers            a ab abc abcd | e ef efg efgh
//     up, lanes                - | abcd
//     down                     a ab abc abcd | abcde abcdef ..
//
// So only totals travel between lanes, log2 of a digit's extent times. The
// lowest digit keeps prefixes with the own element or, in an exclusive scan,
// without it. `reverse` visits boxes in the other direction. Warps are not
// crossed here; tile-materialize-scratch saw to that.
//
//===----------------------------------------------------------------------===//

#include "Combiner.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::tile;
using tilec::Coordinate;
using tilec::Digit;
using tilec::FragmentLayout;
using tilec::HardwareDim;

namespace {

/// One digit of the scanned dimension.
struct Level {
  HardwareDim where;
  int64_t extent;
  int64_t weight; ///< of the digit in the number of its register or lane
  int64_t step;
};

/// Elements of boxes by the register in which a box begins; a box that lies in
/// the padding of every thread has none.
using Boxes = std::map<int64_t, Element>;

/// The scan of the lines of one operation, whose layout is `layout`.
class WarpScan {
public:
  WarpScan(ThreadEmitter &emitter, ScanOp op, Combiner &combiner,
           ArrayRef<Type> accumulatorTypes);

  /// The registers in which lines begin: those at 0 of the scanned dimension.
  SmallVector<int64_t> getLines() const;
  /// Scans the line that begins in register `line`, after `init` if that has
  /// values. Gives the prefix of every register of the line.
  FailureOr<Boxes> scan(int64_t line, const Element &init);

private:
  bool isExclusiveAt(size_t index) { return index > 0 || op.getExclusive(); }
  Boxes getElements(int64_t line);
  LogicalResult scanRegisters(size_t index, Boxes &totals, Boxes &prefixes);
  LogicalResult scanLanes(size_t index, Boxes &totals, Boxes &prefixes);
  FailureOr<Element> scanLanes(const Level &level, Element element);
  Element getPreviousLane(const Level &level, const Element &element,
                          int64_t distance);
  Element getLastLane(const Level &level, const Element &element);
  Value setEmptyPrefix(Value prefix, Value empty, int64_t reg);

  ThreadEmitter &emitter;
  ScanOp op;
  Combiner &combiner;
  SmallVector<Type> types;
  const FragmentLayout &layout;
  int64_t dim;
  SmallVector<Level> levels;
  /// Registers of a line, relative to where it begins.
  SmallVector<int64_t> lineOffsets = {0};
};

} // namespace

WarpScan::WarpScan(ThreadEmitter &emitter, ScanOp op, Combiner &combiner,
                   ArrayRef<Type> accumulatorTypes)
    : emitter(emitter), op(op), combiner(combiner), types(accumulatorTypes),
      layout(emitter.getLayout(op.getOperands_().front())), dim(op.getDim()) {
  for (HardwareDim where : {HardwareDim::Register, HardwareDim::Lane}) {
    int64_t weight = 1;
    for (const Digit &digit : layout.getDigits(where)) {
      if (digit.dim == dim)
        levels.push_back({where, digit.extent, weight, digit.step});
      weight *= digit.extent;
    }
  }
  llvm::sort(levels,
             [](const Level &a, const Level &b) { return a.step < b.step; });
  // A dimension of extent 1 is one box of one register.
  if (levels.empty())
    levels.push_back({HardwareDim::Register, 1, 1, 1});
  for (const Level &level : levels) {
    if (level.where != HardwareDim::Register)
      continue;
    SmallVector<int64_t> offsets;
    for (int64_t i = 0; i < level.extent; ++i)
      for (int64_t offset : lineOffsets)
        offsets.push_back(offset + i * level.weight);
    lineOffsets = std::move(offsets);
  }
}

SmallVector<int64_t> WarpScan::getLines() const {
  SmallVector<int64_t> lines;
  for (int64_t reg = 0; reg < layout.getRegisterCount(); ++reg)
    if (getRegisterCoordinate(layout, reg)[dim] == 0)
      lines.push_back(reg);
  return lines;
}

Boxes WarpScan::getElements(int64_t line) {
  Boxes elements;
  for (int64_t offset : lineOffsets) {
    int64_t reg = line + offset;
    if (auto limits = getLimits(emitter, layout, dim, reg))
      elements[reg] = maskPadding(
          emitter, combiner,
          getElement(emitter, llvm::to_vector(op.getOperands_()), types, reg),
          layout, dim, *limits);
  }
  return elements;
}

/// Combines two elements of which either may have no values: none in any
/// thread.
static FailureOr<Element> combineIfAny(ThreadEmitter &emitter,
                                       Combiner &combiner, const Element &lhs,
                                       const Element &rhs) {
  if (lhs.values.empty())
    return rhs;
  if (rhs.values.empty())
    return lhs;
  return combine(emitter, combiner, lhs, rhs);
}

//===----------------------------------------------------------------------===//
// Up: prefixes and totals of one digit's boxes
//===----------------------------------------------------------------------===//

LogicalResult WarpScan::scanRegisters(size_t index, Boxes &totals,
                                      Boxes &prefixes) {
  const Level &level = levels[index];
  Boxes parents;
  SmallVector<int64_t> boxes;
  for (auto &[reg, total] : totals)
    boxes.push_back(reg);
  if (op.getReverse())
    std::reverse(boxes.begin(), boxes.end());
  // Boxes of one parent come in the order of the scan, whatever comes between.
  for (int64_t reg : boxes) {
    int64_t parent = reg - reg / level.weight % level.extent * level.weight;
    Element &running = parents[parent];
    if (isExclusiveAt(index))
      prefixes[reg] = running;
    FailureOr<Element> next =
        combineIfAny(emitter, combiner, running, totals[reg]);
    if (failed(next))
      return failure();
    running = *next;
    if (!isExclusiveAt(index))
      prefixes[reg] = running;
  }
  totals = std::move(parents);
  return success();
}

/// The element of the lane `distance` before in the digit, none (or neutral)
/// in the first `distance` lanes.
Element WarpScan::getPreviousLane(const Level &level, const Element &element,
                                  int64_t distance) {
  Value digit = emitter.remainder(
      emitter.divide(emitter.getScope().getLane(), level.weight), level.extent);
  bool isReverse = op.getReverse();
  Value exists = isReverse
                     ? emitter.compare(arith::CmpIPredicate::ult, digit,
                                       emitter.i32(level.extent - distance))
                     : emitter.compare(arith::CmpIPredicate::uge, digit,
                                       emitter.i32(distance));
  Element previous = shuffle(
      emitter, element, isReverse ? NVVM::ShflKind::down : NVVM::ShflKind::up,
      emitter.i32(distance * level.weight));
  SmallVector<Value> neutral = combiner.getNeutral();
  if (neutral.empty()) {
    previous.isValid = emitter.both(previous.isValid, exists);
    return previous;
  }
  for (auto [value, replacement] : llvm::zip(previous.values, neutral))
    value = emitter.select(exists, value, replacement);
  return previous;
}

/// The element of the lane that is last in the digit, in the order of the scan.
Element WarpScan::getLastLane(const Level &level, const Element &element) {
  OpBuilder &builder = emitter.builder;
  int64_t mask = level.weight * (level.extent - 1);
  Value last =
      op.getReverse()
          ? builder.createOrFold<arith::AndIOp>(
                emitter.loc, emitter.getScope().getLane(), emitter.i32(~mask))
          : builder.createOrFold<arith::OrIOp>(
                emitter.loc, emitter.getScope().getLane(), emitter.i32(mask));
  return shuffle(emitter, element, NVVM::ShflKind::idx, last);
}

/// The inclusive scan of one element of each lane along a digit. Extents of
/// lane digits are powers of two, as their product is.
FailureOr<Element> WarpScan::scanLanes(const Level &level, Element element) {
  for (int64_t distance = 1; distance < level.extent; distance *= 2) {
    FailureOr<Element> combined = combine(
        emitter, combiner, getPreviousLane(level, element, distance), element);
    if (failed(combined))
      return failure();
    element = *combined;
  }
  return element;
}

LogicalResult WarpScan::scanLanes(size_t index, Boxes &totals,
                                  Boxes &prefixes) {
  const Level &level = levels[index];
  bool isTop = index + 1 == levels.size();
  for (auto &[reg, total] : totals) {
    FailureOr<Element> scanned = scanLanes(level, total);
    if (failed(scanned))
      return failure();
    prefixes[reg] =
        isExclusiveAt(index) ? getPreviousLane(level, *scanned, 1) : *scanned;
    if (!isTop)
      total = getLastLane(level, *scanned);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Down: what stands before each box
//===----------------------------------------------------------------------===//

/// `empty` in the thread whose register `reg` is the first of the scan.
Value WarpScan::setEmptyPrefix(Value prefix, Value empty, int64_t reg) {
  int64_t first = op.getReverse() ? layout.getShape()[dim] - 1 : 0;
  int64_t rest = first - getRegisterCoordinate(layout, reg)[dim];
  const ThreadCoordinate &thread =
      emitter.getScope().getCoordinate(layout, dim);
  if (!llvm::is_contained(thread.values, rest))
    return prefix;
  if (!thread.value)
    return empty;
  Value isFirst = emitter.compare(arith::CmpIPredicate::eq, thread.value,
                                  emitter.i32(rest));
  return emitter.select(isFirst, empty, prefix);
}

FailureOr<Boxes> WarpScan::scan(int64_t line, const Element &init) {
  Boxes totals = getElements(line);
  SmallVector<Boxes> prefixes(levels.size());
  for (size_t index = 0; index < levels.size(); ++index)
    if (failed(levels[index].where == HardwareDim::Register
                   ? scanRegisters(index, totals, prefixes[index])
                   : scanLanes(index, totals, prefixes[index])))
      return failure();

  Boxes before = {{line, init}};
  for (size_t index = levels.size(); index-- > 0;) {
    const Level &level = levels[index];
    Boxes boxes;
    for (auto &[reg, prefix] : prefixes[index]) {
      int64_t parent = reg;
      if (level.where == HardwareDim::Register)
        parent -= reg / level.weight % level.extent * level.weight;
      FailureOr<Element> both =
          combineIfAny(emitter, combiner, before[parent], prefix);
      if (failed(both))
        return failure();
      boxes[reg] = *both;
    }
    before = std::move(boxes);
  }

  SmallVector<Value> empty = combiner.getEmptyPrefix();
  if (op.getExclusive() && !empty.empty())
    for (auto &[reg, element] : before) {
      if (element.values.empty())
        element.values = empty;
      else
        element.values.front() =
            setEmptyPrefix(element.values.front(), empty.front(), reg);
    }
  return before;
}

//===----------------------------------------------------------------------===//
// tile.scan
//===----------------------------------------------------------------------===//

static LogicalResult lowerScan(ThreadEmitter &emitter, ScanOp op) {
  if (failed(verifyElementTypes(emitter, op, op.getOperands_(), "scans")))
    return failure();
  SmallVector<Type> types =
      getAccumulatorTypes(emitter, op.getOperands_(), op.getKind().has_value());
  std::unique_ptr<Combiner> combiner =
      createCombiner(emitter, op.getKind(), op.getFastmath(), types.front(),
                     &op.getCombiner());
  WarpScan scan(emitter, op, *combiner, types);
  const FragmentLayout &layout = emitter.getLayout(op.getOperands_().front());
  SmallVector<SmallVector<Value>> results(
      op.getNumResults(), SmallVector<Value>(layout.getRegisterCount()));
  for (int64_t line : scan.getLines()) {
    Element init;
    if (!op.getInits().empty()) {
      Coordinate coordinate = getRegisterCoordinate(layout, line);
      coordinate.erase(coordinate.begin() + op.getDim());
      int64_t reg =
          getRegister(emitter.getLayout(op.getInits().front()), coordinate);
      init.values = getInits(emitter, op.getInits(), types, reg);
    }
    FailureOr<Boxes> prefixes = scan.scan(line, init);
    if (failed(prefixes))
      return failure();
    for (auto &[reg, element] : *prefixes)
      for (auto [index, value] : llvm::enumerate(element.values))
        results[index][reg] = toElement(emitter, value, op.getResult(index));
  }
  for (auto [result, registers] : llvm::zip(op.getResults(), results)) {
    // What is left lies in the padding.
    for (Value &value : registers)
      if (!value)
        value = emitter.padding(emitter.convertScalarType(
            cast<RankedTensorType>(result.getType()).getElementType()));
    emitter.bind(result, std::move(registers));
  }
  return success();
}

void tile::registerScanLowerings(LoweringTable &table) { table.add(lowerScan); }
