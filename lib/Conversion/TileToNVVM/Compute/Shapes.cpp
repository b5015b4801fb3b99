//===- Shapes.cpp - Registers under other names ---------------------------===//
//
// Broadcasts, transposes, reshapes, slices and bitcasts: the result's registers
// are the operand's, found at compile time from the register part of
// coordinates, or cut up and joined in place.
//
//===----------------------------------------------------------------------===//

#include "Combiner.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/STLExtras.h"

#include <limits>

using namespace mlir;
using namespace mlir::tile;
using tilec::Coordinate;
using tilec::FragmentLayout;

/// Whether both coordinates are equal once those of lane and warp are added;
/// only used where the layouts' thread parts agree.
static bool isHeld(const FragmentLayout &layout, const Coordinate &coordinate,
                   int64_t reg) {
  return getRegisterCoordinate(layout, reg) == coordinate;
}

/// Binds `result` to registers of `source`: register with coordinate c to the
/// one with coordinate `map(c)`, padding where that is none. A thread holds what
/// it needs (stage `laid_out`, relabelling).
static void rename(ThreadEmitter &emitter, Value source, Value result,
                   llvm::function_ref<Coordinate(const Coordinate &)> map) {
  const FragmentLayout &from = emitter.getLayout(source);
  const FragmentLayout &to = emitter.getLayout(result);
  SmallVector<Value> registers;
  for (int64_t reg = 0; reg < to.getRegisterCount(); ++reg) {
    Coordinate coordinate = getRegisterCoordinate(to, reg);
    Coordinate wanted = map(coordinate);
    Coordinate box = from.getBox();
    bool isInBox = true;
    for (auto [position, extent] : llvm::zip(wanted, box))
      isInBox &= position < extent;
    int64_t sourceRegister = isInBox ? getRegister(from, wanted) : 0;
    if (isInBox && isHeld(from, wanted, sourceRegister)) {
      registers.push_back(emitter.getElement(source, sourceRegister));
      continue;
    }
    assert(!to.isInShape(coordinate) && "guaranteed by the layouts");
    registers.push_back(emitter.padding(emitter.convertScalarType(
        cast<RankedTensorType>(result.getType()).getElementType())));
  }
  emitter.bind(result, std::move(registers));
}

static LogicalResult lowerBroadcast(ThreadEmitter &emitter, BroadcastOp op) {
  ArrayRef<int64_t> dims = op.getDims();
  rename(emitter, op.getSource(), op.getResult(),
         [&](const Coordinate &coordinate) {
           Coordinate kept;
           for (auto [dim, position] : llvm::enumerate(coordinate))
             if (!llvm::is_contained(dims, dim))
               kept.push_back(position);
           return kept;
         });
  return success();
}

static LogicalResult lowerTranspose(ThreadEmitter &emitter, TransposeOp op) {
  rename(emitter, op.getSource(), op.getResult(),
         [&](const Coordinate &coordinate) {
           Coordinate source(coordinate.size());
           for (auto [dim, from] : llvm::enumerate(op.getPermutation()))
             source[from] = coordinate[dim];
           return source;
         });
  return success();
}

/// The coordinate at the same row-major position in another shape; past its end
/// where the coordinate is padding.
static Coordinate relinearize(const Coordinate &coordinate,
                              ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  int64_t position = 0;
  bool isInShape = true;
  for (auto [index, extent] : llvm::zip(coordinate, from)) {
    isInShape &= index < extent;
    position = position * extent + index;
  }
  Coordinate result(to.size(), 0);
  for (int dim = static_cast<int>(to.size()) - 1; dim >= 0; --dim) {
    result[dim] = position % to[dim];
    position /= to[dim];
  }
  if (!isInShape && !result.empty())
    result[0] = std::numeric_limits<int64_t>::max();
  return result;
}

static LogicalResult lowerReshape(ThreadEmitter &emitter, Operation *op) {
  Value source = op->getOperand(0), result = op->getResult(0);
  auto from = cast<RankedTensorType>(source.getType());
  auto to = cast<RankedTensorType>(result.getType());
  rename(emitter, source, result, [&](const Coordinate &coordinate) {
    return relinearize(coordinate, to.getShape(), from.getShape());
  });
  return success();
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

/// The dimensions of a slice that its fragment keeps, and the static offsets.
template <typename OpT>
static SmallVector<int> getKeptDims(OpT op) {
  SmallVector<int> kept;
  llvm::SmallBitVector dropped = op.getDroppedDims();
  for (unsigned dim = 0; dim < dropped.size(); ++dim)
    if (!dropped.test(dim))
      kept.push_back(dim);
  return kept;
}

static LogicalResult lowerExtractSlice(ThreadEmitter &emitter,
                                       tensor::ExtractSliceOp op) {
  SmallVector<int> kept = getKeptDims(op);
  rename(emitter, op.getSource(), op.getResult(),
         [&](const Coordinate &coordinate) {
           Coordinate source(op.getStaticOffsets().begin(),
                             op.getStaticOffsets().end());
           for (auto [dim, position] : llvm::zip(kept, coordinate))
             source[dim] += position;
           return source;
         });
  return success();
}

/// The dimensions of the inserted fragment behind which the result goes on.
static SmallVector<int64_t> getEndedDims(tensor::InsertSliceOp op,
                                         ArrayRef<int> kept) {
  SmallVector<int64_t> ended;
  for (auto [index, dim] : llvm::enumerate(kept))
    if (op.getStaticOffsets()[dim] + op.getStaticSizes()[dim] <
        op.getType().getDimSize(dim))
      ended.push_back(index);
  return ended;
}

/// Register `reg` of the inserted fragment, or `behind` in threads in which it lies
/// behind the end of one of the dimensions `ended`.
static Value selectInserted(ThreadEmitter &emitter, Value source, int64_t reg,
                            ArrayRef<int64_t> ended, Value behind) {
  const FragmentLayout &layout = emitter.getLayout(source);
  auto limits = getLimits(emitter, layout, ended, reg);
  if (!limits)
    return behind;
  Value inserted = emitter.getElement(source, reg);
  Value isInserted = isWithin(emitter, layout, ended, *limits);
  return isInserted ? emitter.select(isInserted, inserted, behind) : inserted;
}

static LogicalResult lowerInsertSlice(ThreadEmitter &emitter,
                                      tensor::InsertSliceOp op) {
  const FragmentLayout &from = emitter.getLayout(op.getSource());
  const FragmentLayout &to = emitter.getLayout(op.getResult());
  SmallVector<int> kept = getKeptDims(op);
  SmallVector<int64_t> ended = getEndedDims(op, kept);
  SmallVector<Value> registers;
  for (int64_t reg = 0; reg < to.getRegisterCount(); ++reg) {
    Coordinate coordinate = getRegisterCoordinate(to, reg), inside;
    bool isInside = true;
    for (auto [dim, offset] : llvm::enumerate(op.getStaticOffsets())) {
      coordinate[dim] -= offset;
      isInside &=
          coordinate[dim] >= 0 && coordinate[dim] < op.getStaticSizes()[dim];
    }
    if (!isInside) {
      registers.push_back(emitter.getElement(op.getDest(), reg));
      continue;
    }
    for (int dim : kept)
      inside.push_back(coordinate[dim]);
    int64_t sourceRegister = getRegister(from, inside);
    assert(isHeld(from, inside, sourceRegister) && "guaranteed by the layouts");
    registers.push_back(selectInserted(emitter, op.getSource(), sourceRegister,
                                       ended,
                                       emitter.getElement(op.getDest(), reg)));
  }
  emitter.bind(op.getResult(), std::move(registers));
  return success();
}

//===----------------------------------------------------------------------===//
// tile.bitcast
//===----------------------------------------------------------------------===//

/// The register `reg` of elements `ratio` times as wide (`joins`) or as narrow
/// as those in `words`, integers. The lowest bits come first.
static Value recast(ThreadEmitter &emitter, ArrayRef<Value> words, int64_t reg,
                    int64_t ratio, bool joins, IntegerType type) {
  OpBuilder &builder = emitter.builder;
  Location loc = emitter.loc;
  auto shiftBy = [&](IntegerType word, int64_t bits) -> Value {
    return arith::ConstantIntOp::create(builder, loc, word, bits);
  };
  if (!joins) {
    Value word = words[reg / ratio];
    auto wide = cast<IntegerType>(word.getType());
    Value amount = shiftBy(wide, reg % ratio * type.getWidth());
    Value low = builder.createOrFold<arith::ShRUIOp>(loc, word, amount);
    return builder.createOrFold<arith::TruncIOp>(loc, type, low);
  }
  int64_t narrowBits = type.getWidth() / ratio;
  Value result;
  for (int64_t part = 0; part < ratio; ++part) {
    Value word = builder.createOrFold<arith::ExtUIOp>(
        loc, type, words[reg * ratio + part]);
    Value amount = shiftBy(type, part * narrowBits);
    word = builder.createOrFold<arith::ShLIOp>(loc, word, amount);
    result =
        result ? builder.createOrFold<arith::OrIOp>(loc, result, word) : word;
  }
  return result;
}

static LogicalResult lowerBitcast(ThreadEmitter &emitter, BitcastOp op) {
  OpBuilder &builder = emitter.builder;
  auto from = cast<RankedTensorType>(op.getSource().getType());
  auto to = cast<RankedTensorType>(op.getResult().getType());
  int64_t fromBits = from.getElementTypeBitWidth();
  int64_t toBits = to.getElementTypeBitWidth();
  Type type = emitter.convertScalarType(to.getElementType());
  if (!type)
    return emitter.notImplemented(op, "values of type ") << to;
  SmallVector<Value> words;
  for (int64_t reg = 0; reg < emitter.getLayout(from).getRegisterCount(); ++reg)
    words.push_back(builder.createOrFold<arith::BitcastOp>(
        emitter.loc, builder.getIntegerType(fromBits),
        emitter.getElement(op.getSource(), reg)));
  bool joins = toBits > fromBits;
  int64_t ratio = joins ? toBits / fromBits : fromBits / toBits;
  SmallVector<Value> registers;
  for (int64_t reg = 0; reg < emitter.getLayout(to).getRegisterCount(); ++reg) {
    Value word = fromBits == toBits ? words[reg]
                                    : recast(emitter, words, reg, ratio, joins,
                                             builder.getIntegerType(toBits));
    registers.push_back(
        builder.createOrFold<arith::BitcastOp>(emitter.loc, type, word));
  }
  emitter.bind(op.getResult(), std::move(registers));
  return success();
}

void tile::registerShapeLowerings(LoweringTable &table) {
  table.add(lowerBroadcast);
  table.add(lowerTranspose);
  table.addAll<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(lowerReshape);
  table.add(lowerExtractSlice);
  table.add(lowerInsertSlice);
  table.add(lowerBitcast);
}
