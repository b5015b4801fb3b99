//===- ReduceRules.cpp - tile.reduce, tile.scan, tile.partial_reduce -----===//
//
// Elements are combined in ascending order of the combined positions, those of
// a kind in Accumulators. A combiner region runs once a step on arrays over all
// results; as the language leaves the order open, so do the bounds of the
// region's operations.
//
//===----------------------------------------------------------------------===//

#include "Accumulators.h"
#include "Elementwise.h"

#include "tile/Dialect/Tile/TileOps.h"

using namespace mlir;
using namespace mlir::tile;
using namespace mlir::tile::reference;

namespace {

using Kind = arith::AtomicRMWKind;

/// The kinds of `vector` in terms of those of `arith`.
Kind getKind(vector::CombiningKind kind, bool isFloat) {
  switch (kind) {
  case vector::CombiningKind::ADD:
    return isFloat ? Kind::addf : Kind::addi;
  case vector::CombiningKind::MUL:
    return isFloat ? Kind::mulf : Kind::muli;
  case vector::CombiningKind::MINUI:
    return Kind::minu;
  case vector::CombiningKind::MINSI:
    return Kind::mins;
  case vector::CombiningKind::MINNUMF:
    return Kind::minnumf;
  case vector::CombiningKind::MAXUI:
    return Kind::maxu;
  case vector::CombiningKind::MAXSI:
    return Kind::maxs;
  case vector::CombiningKind::MAXNUMF:
    return Kind::maxnumf;
  case vector::CombiningKind::AND:
    return Kind::andi;
  case vector::CombiningKind::OR:
    return Kind::ori;
  case vector::CombiningKind::XOR:
    return Kind::xori;
  case vector::CombiningKind::MINIMUMF:
    return Kind::minimumf;
  case vector::CombiningKind::MAXIMUMF:
    return Kind::maximumf;
  }
  return Kind::addi;
}

//===----------------------------------------------------------------------===//
// tile.reduce
//===----------------------------------------------------------------------===//

/// For each result the positions it combines, ascending:
/// positions[result][step].
std::vector<std::vector<int64_t>> getReducedPositions(ArrayRef<int64_t> shape,
                                                      ArrayRef<int64_t> dims) {
  SmallVector<int64_t, 4> kept;
  for (int64_t d = 0, rank = shape.size(); d < rank; ++d)
    if (!llvm::is_contained(dims, d))
      kept.push_back(shape[d]);
  SmallVector<int64_t, 4> keptStrides = getStrides(kept);
  int64_t results = 1, count = 1;
  for (int64_t size : kept)
    results *= size;
  for (int64_t size : shape)
    count *= size;
  std::vector<std::vector<int64_t>> positions(results);
  for (int64_t i = 0; i < count; ++i) {
    SmallVector<int64_t, 4> at = delinearize(i, shape);
    int64_t result = 0, next = 0;
    for (int64_t d = 0, rank = shape.size(); d < rank; ++d)
      if (!llvm::is_contained(dims, d))
        result += at[d] * keptStrides[next++];
    positions[result].push_back(i);
  }
  return positions;
}

LogicalResult reduceByKind(Machine &machine, ReduceOp op) {
  Value sourceValue = op.getOperands_().front();
  const Array &source = machine.getArray(sourceValue);
  auto shape = cast<RankedTensorType>(sourceValue.getType()).getShape();
  auto positions = getReducedPositions(shape, op.getDims());
  Array result(source.type, positions.size());
  result.takeOrigin(source);
  Accumulators sums(getKind(*op.getKind(), source.type.isFloat), source.type,
                    op.getFastmath(), result.count,
                    machine.options.tracksBounds);
  const Array *init =
      op.getInits().empty() ? nullptr : &machine.getArray(op.getInits()[0]);
  for (int64_t i = 0; i < result.count; ++i) {
    for (int64_t position : positions[i])
      sums.combine(i, source, position);
    if (init)
      sums.combine(i, *init, i);
    sums.round(result, i, i);
  }
  machine.set(op.getResults_().front(), std::move(result));
  return success();
}

/// Runs a combiner on accumulated and new values of `count` results.
LogicalResult runCombiner(Machine &machine, Region &combiner, int64_t count,
                          std::vector<Array> &accumulated,
                          std::vector<Array> fresh) {
  Block &block = combiner.front();
  size_t values = accumulated.size();
  for (size_t v = 0; v < values; ++v) {
    machine.set(block.getArgument(v), std::move(accumulated[v]));
    machine.set(block.getArgument(values + v), std::move(fresh[v]));
  }
  LogicalResult result = machine.withReordering([&] {
    return machine.withLanes(count, [&] { return machine.runBlock(block); });
  });
  if (failed(result))
    return failure();
  for (size_t v = 0; v < values; ++v)
    accumulated[v] = broadcast(
        machine.getArray(block.getTerminator()->getOperand(v)), count);
  return success();
}

LogicalResult reduceByCombiner(Machine &machine, ReduceOp op) {
  auto sources = op.getOperands_();
  auto shape = cast<RankedTensorType>(sources[0].getType()).getShape();
  auto positions = getReducedPositions(shape, op.getDims());
  int64_t count = positions.size(), steps = positions.front().size();
  auto take = [&](int64_t step) {
    std::vector<int64_t> at(count);
    for (int64_t i = 0; i < count; ++i)
      at[i] = positions[i][step];
    std::vector<Array> values;
    for (Value source : sources)
      values.push_back(gather(machine.getArray(source), at));
    return values;
  };
  std::vector<Array> accumulated;
  for (Value init : op.getInits())
    accumulated.push_back(machine.getArray(init));
  int64_t first = 0;
  if (accumulated.empty())
    accumulated = take(first++);
  for (int64_t step = first; step < steps; ++step)
    if (failed(runCombiner(machine, op.getCombiner(), count, accumulated,
                           take(step))))
      return failure();
  for (auto [result, value] : llvm::zip(op.getResults_(), accumulated))
    machine.set(result, std::move(value));
  return success();
}

/// tile.reduce: Language.md, "tile.reduce, tile.scan".
LogicalResult reduce(Machine &machine, ReduceOp op) {
  return op.getKind() ? reduceByKind(machine, op)
                      : reduceByCombiner(machine, op);
}

//===----------------------------------------------------------------------===//
// tile.scan
//===----------------------------------------------------------------------===//

/// The lines along the scanned dimension: position of line `l` at step `s`.
struct Lines {
  int64_t count, length, stride, inner;
  bool isReverse;

  Lines(ArrayRef<int64_t> shape, int64_t dim, bool isReverse)
      : length(shape[dim]), stride(getStrides(shape)[dim]), inner(stride),
        isReverse(isReverse) {
    int64_t total = 1;
    for (int64_t size : shape)
      total *= size;
    count = total / length;
  }
  int64_t getPosition(int64_t line, int64_t step) const {
    int64_t at = isReverse ? length - 1 - step : step;
    return line / inner * inner * length + line % inner + at * stride;
  }
};

LogicalResult scanByKind(Machine &machine, ScanOp op, const Lines &lines) {
  const Array &source = machine.getArray(op.getOperands_().front());
  Array result(source.type, source.count);
  result.takeOrigin(source);
  Accumulators sums(getKind(*op.getKind(), source.type.isFloat), source.type,
                    op.getFastmath(), lines.count,
                    machine.options.tracksBounds);
  for (int64_t line = 0; line < lines.count; ++line) {
    for (int64_t step = 0; step < lines.length; ++step) {
      int64_t at = lines.getPosition(line, step);
      if (op.getExclusive())
        sums.round(result, at, line);
      sums.combine(line, source, at);
      if (!op.getExclusive())
        sums.round(result, at, line);
    }
  }
  machine.set(op.getResults_().front(), std::move(result));
  return success();
}

LogicalResult scanByCombiner(Machine &machine, ScanOp op, const Lines &lines) {
  auto sources = op.getOperands_();
  std::vector<Array> results, accumulated;
  for (Value source : sources)
    results.emplace_back(machine.getArray(source).type,
                         machine.getArray(source).count);
  for (Value init : op.getInits())
    accumulated.push_back(machine.getArray(init));
  for (int64_t step = 0; step < lines.length; ++step) {
    std::vector<int64_t> at(lines.count);
    for (int64_t line = 0; line < lines.count; ++line)
      at[line] = lines.getPosition(line, step);
    auto keep = [&] {
      for (size_t v = 0; v < results.size(); ++v)
        for (int64_t line = 0; line < lines.count; ++line)
          results[v].setFrom(at[line], accumulated[v], line);
    };
    std::vector<Array> fresh;
    for (Value source : sources)
      fresh.push_back(gather(machine.getArray(source), at));
    if (op.getExclusive())
      keep();
    if (accumulated.empty())
      accumulated = std::move(fresh);
    else if (failed(runCombiner(machine, op.getCombiner(), lines.count,
                                accumulated, std::move(fresh))))
      return failure();
    if (!op.getExclusive())
      keep();
  }
  for (auto [result, value] : llvm::zip(op.getResults_(), results))
    machine.set(result, std::move(value));
  return success();
}

/// tile.scan: Language.md, "tile.reduce, tile.scan".
LogicalResult scan(Machine &machine, ScanOp op) {
  auto type = cast<RankedTensorType>(op.getOperands_()[0].getType());
  Lines lines(type.getShape(), op.getDim(), op.getReverse());
  return op.getKind() ? scanByKind(machine, op, lines)
                      : scanByCombiner(machine, op, lines);
}

//===----------------------------------------------------------------------===//
// tile.partial_reduce
//===----------------------------------------------------------------------===//

/// Which of the W partial results an element goes to: the number formed by the
/// digits of its warp that step along a reduced dimension.
int64_t getPart(const tilec::FragmentLayout &layout,
                const tilec::Coordinate &coordinate, ArrayRef<int64_t> dims) {
  int64_t warp = layout.invert(coordinate).warp, part = 0, weight = 1;
  for (const tilec::Digit &digit : layout.getDigits(tilec::HardwareDim::Warp)) {
    int64_t value = warp % digit.extent;
    warp /= digit.extent;
    if (digit.replicates() || !llvm::is_contained(dims, digit.dim))
      continue;
    part += value * weight;
    weight *= digit.extent;
  }
  return part;
}

/// tile.partial_reduce: its description in TileLoweringOps.td; Language.md,
/// "What passes introduce".
LogicalResult partialReduce(Machine &machine, PartialReduceOp op) {
  const Array &source = machine.getArray(op.getSource());
  auto type = cast<RankedTensorType>(op.getSource().getType());
  auto encoding = dyn_cast_if_present<FragmentAttr>(type.getEncoding());
  if (!encoding)
    return machine.error(op) << "the operand carries no layout";
  tilec::FragmentLayout layout = encoding.getLayout();
  auto resultType = cast<RankedTensorType>(op.getResult().getType());
  int64_t parts = resultType.getShape().back();
  auto positions = getReducedPositions(type.getShape(), op.getDims());
  Array result(source.type, resultType.getNumElements());
  result.takeOrigin(source);
  Accumulators sums(getKind(op.getKind(), source.type.isFloat), source.type,
                    op.getFastmath(), result.count,
                    machine.options.tracksBounds);
  for (auto [row, members] : llvm::enumerate(positions)) {
    for (int64_t position : members) {
      auto at = delinearize(position, type.getShape());
      int64_t part = getPart(layout, tilec::Coordinate(at.begin(), at.end()),
                             op.getDims());
      if (part >= parts)
        return machine.error(op) << "the layout has more warps along the "
                                    "reduced dimensions than the result's "
                                 << parts;
      sums.combine(row * parts + part, source, position);
    }
  }
  for (int64_t i = 0; i < result.count; ++i)
    sums.roundPart(result, i, i);
  machine.set(op.getResult(), std::move(result));
  return success();
}

} // namespace

void mlir::tile::reference::addReduceRules(RuleTable &table) {
  table.add(reduce);
  table.add(scan);
  table.add(partialReduce);
}
