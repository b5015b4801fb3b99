//===- Shapes.cpp - Registers under other names ---------------------------===//
//
// Broadcasts, transposes, reshapes, slices and conversions that move nothing:
// the result's registers are the operand's, found at compile time from the
// register part of coordinates. Only values that differ between threads for one
// register (a constant table, a replicated fragment cut up) need a choice at
// run time, made by comparing the thread's coordinate.
//
//===----------------------------------------------------------------------===//

#include "../ThreadEmitter.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/MapVector.h"
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
  return ThreadEmitter::getRegisterCoordinate(layout, reg) == coordinate;
}

/// Binds `result` to registers of `source`: register with coordinate c to the
/// one with coordinate `map(c)`, poison where that is none. Fails where a
/// coordinate inside the result's shape is not in a register of the same
/// thread.
static LogicalResult
rename(ThreadEmitter &emitter, Operation *op, Value source, Value result,
       llvm::function_ref<Coordinate(const Coordinate &)> map) {
  const FragmentLayout &from = emitter.getLayout(source);
  const FragmentLayout &to = emitter.getLayout(result);
  SmallVector<Value> registers;
  for (int64_t reg = 0; reg < to.getRegisterCount(); ++reg) {
    Coordinate coordinate = ThreadEmitter::getRegisterCoordinate(to, reg);
    Coordinate wanted = map(coordinate);
    Coordinate box = from.getBox();
    bool isInBox = true;
    for (auto [position, extent] : llvm::zip(wanted, box))
      isInBox &= position < extent;
    int64_t sourceRegister =
        isInBox ? ThreadEmitter::getRegister(from, wanted) : 0;
    if (isInBox && isHeld(from, wanted, sourceRegister)) {
      registers.push_back(emitter.getElement(source, sourceRegister));
      continue;
    }
    if (to.isInShape(coordinate))
      return op->emitError("the layouts of operand and result do not agree: ")
             << from.toString() << " and " << to.toString();
    registers.push_back(emitter.poison(emitter.convertScalarType(
        cast<RankedTensorType>(result.getType()).getElementType())));
  }
  emitter.bind(result, std::move(registers));
  return success();
}

LogicalResult ThreadEmitter::emitBroadcast(BroadcastOp op) {
  ArrayRef<int64_t> dims = op.getDims();
  return rename(*this, op, op.getSource(), op.getResult(),
                [&](const Coordinate &coordinate) {
                  Coordinate kept;
                  for (auto [dim, position] : llvm::enumerate(coordinate))
                    if (!llvm::is_contained(dims, dim))
                      kept.push_back(position);
                  return kept;
                });
}

LogicalResult ThreadEmitter::emitTranspose(TransposeOp op) {
  return rename(*this, op, op.getSource(), op.getResult(),
                [&](const Coordinate &coordinate) {
                  Coordinate source(coordinate.size());
                  for (auto [dim, from] : llvm::enumerate(op.getPermutation()))
                    source[from] = coordinate[dim];
                  return source;
                });
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

LogicalResult ThreadEmitter::emitReshape(Operation *op) {
  Value source = op->getOperand(0), result = op->getResult(0);
  auto from = cast<RankedTensorType>(source.getType());
  auto to = cast<RankedTensorType>(result.getType());
  return rename(*this, op, source, result, [&](const Coordinate &coordinate) {
    return relinearize(coordinate, to.getShape(), from.getShape());
  });
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

LogicalResult ThreadEmitter::emitExtractSlice(tensor::ExtractSliceOp op) {
  if (!op.getOffsets().empty() || !op.hasUnitStride())
    return notImplemented(op, "slices with dynamic offsets or strides");
  SmallVector<int> kept = getKeptDims(op);
  return rename(*this, op, op.getSource(), op.getResult(),
                [&](const Coordinate &coordinate) {
                  Coordinate source(op.getStaticOffsets().begin(),
                                    op.getStaticOffsets().end());
                  for (auto [dim, position] : llvm::zip(kept, coordinate))
                    source[dim] += position;
                  return source;
                });
}

LogicalResult ThreadEmitter::emitInsertSlice(tensor::InsertSliceOp op) {
  if (!op.getOffsets().empty() || !op.hasUnitStride())
    return notImplemented(op, "slices with dynamic offsets or strides");
  const FragmentLayout &from = getLayout(op.getSource());
  const FragmentLayout &to = getLayout(op.getResult());
  if (getLayout(op.getDest()) != to)
    return op.emitError("the layouts of destination and result do not agree");
  SmallVector<int> kept = getKeptDims(op);
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
      registers.push_back(getElement(op.getDest(), reg));
      continue;
    }
    for (int dim : kept)
      inside.push_back(coordinate[dim]);
    int64_t sourceRegister = getRegister(from, inside);
    if (!isHeld(from, inside, sourceRegister))
      return op.emitError("the layouts of operand and result do not agree: ")
             << from.toString() << " and " << to.toString();
    registers.push_back(getElement(op.getSource(), sourceRegister));
  }
  bind(op.getResult(), std::move(registers));
  return success();
}

//===----------------------------------------------------------------------===//
// Choices at run time
//===----------------------------------------------------------------------===//

/// Whether this thread's part of `layout` is `position`; null if always.
static Value isThreadAt(ThreadEmitter &emitter, const FragmentLayout &layout,
                        const Coordinate &position) {
  Value condition;
  for (int dim = 0; dim < layout.getRank(); ++dim) {
    const ThreadCoordinate &thread = emitter.getThreadCoordinate(layout, dim);
    if (thread.value)
      condition = emitter.both(
          condition, emitter.compare(arith::CmpIPredicate::eq, thread.value,
                                     emitter.i32(position[dim])));
  }
  return condition;
}

/// Every thread part that `layout` has, each once.
static SmallVector<Coordinate> getThreadParts(ThreadEmitter &emitter,
                                              const FragmentLayout &layout) {
  SmallVector<Coordinate> parts = {Coordinate()};
  for (int dim = 0; dim < layout.getRank(); ++dim) {
    SmallVector<Coordinate> longer;
    for (const Coordinate &part : parts)
      for (int64_t value : emitter.getThreadCoordinate(layout, dim).values) {
        longer.push_back(part);
        longer.back().push_back(value);
      }
    parts = std::move(longer);
  }
  return parts;
}

SmallVector<Value> ThreadEmitter::emitDistribution(const FragmentLayout &layout,
                                                   ArrayRef<Value> elements) {
  SmallVector<Coordinate> parts = getThreadParts(*this, layout);
  SmallVector<Value> conditions, registers;
  for (const Coordinate &part : parts)
    conditions.push_back(isThreadAt(*this, layout, part));
  for (int64_t reg = 0; reg < layout.getRegisterCount(); ++reg) {
    Value value;
    for (auto [part, condition] : llvm::zip(parts, conditions)) {
      Coordinate coordinate = getRegisterCoordinate(layout, reg);
      int64_t position = 0;
      for (int dim = 0; dim < layout.getRank(); ++dim) {
        coordinate[dim] += part[dim];
        position = position * layout.getShape()[dim] + coordinate[dim];
      }
      if (!layout.isInShape(coordinate))
        continue;
      value = value && condition ? select(condition, elements[position], value)
                                 : elements[position];
    }
    registers.push_back(value ? value : poison(elements.front().getType()));
  }
  return registers;
}

LogicalResult ThreadEmitter::emitFromElements(tensor::FromElementsOp op) {
  SmallVector<Value> elements;
  for (Value element : op.getElements())
    elements.push_back(getScalar(element));
  bind(op.getResult(), emitDistribution(getLayout(op.getResult()), elements));
  return success();
}

/// Which register of `from` holds register `reg` of `to` in each thread, and
/// for which threads: one entry per distinct register.
static llvm::MapVector<int64_t, SmallVector<std::pair<int64_t, int64_t>>>
getCandidates(const FragmentLayout &from, const FragmentLayout &to, int64_t reg,
              bool &isHeldEverywhere) {
  llvm::MapVector<int64_t, SmallVector<std::pair<int64_t, int64_t>>> candidates;
  int64_t lanes = to.getExtent(tilec::HardwareDim::Lane);
  int64_t warps = to.getExtent(tilec::HardwareDim::Warp);
  for (int64_t warp = 0; warp < warps; ++warp)
    for (int64_t lane = 0; lane < lanes; ++lane) {
      Coordinate wanted = to.evaluate(reg, lane, warp);
      if (!to.isInShape(wanted))
        continue;
      Coordinate thread = from.evaluate(0, lane, warp), rest = wanted;
      for (size_t dim = 0; dim < rest.size(); ++dim)
        rest[dim] -= thread[dim];
      bool isPossible =
          llvm::all_of(rest, [](int64_t part) { return part >= 0; });
      int64_t source = isPossible ? ThreadEmitter::getRegister(from, rest) : 0;
      if (!isPossible || from.evaluate(source, lane, warp) != wanted) {
        isHeldEverywhere = false;
        return candidates;
      }
      candidates[source].push_back({lane, warp});
    }
  return candidates;
}

/// A conversion in which every thread has what it needs, but in registers that
/// differ between threads: the register's coordinate is compared at run time.
static FailureOr<Value> chooseRegister(ThreadEmitter &emitter,
                                       ConvertLayoutOp op, int64_t reg) {
  const FragmentLayout &from = emitter.getLayout(op.getSource());
  const FragmentLayout &to = emitter.getLayout(op.getResult());
  bool isHeldEverywhere = true;
  auto candidates = getCandidates(from, to, reg, isHeldEverywhere);
  if (!isHeldEverywhere)
    return failure();
  Coordinate target = ThreadEmitter::getRegisterCoordinate(to, reg);
  Value value;
  for (auto &[source, threads] : candidates) {
    Value element = emitter.getElement(op.getSource(), source);
    if (!value) {
      value = element;
      continue;
    }
    Coordinate held = ThreadEmitter::getRegisterCoordinate(from, source);
    Value condition;
    for (int dim = 0; dim < to.getRank(); ++dim) {
      // target + to's thread part == held + from's thread part
      Value lhs = emitter.getThreadCoordinate(to, dim).value;
      Value rhs = emitter.getThreadCoordinate(from, dim).value;
      lhs = lhs ? emitter.addConstant(lhs, target[dim])
                : emitter.i32(target[dim]);
      rhs = rhs ? emitter.addConstant(rhs, held[dim]) : emitter.i32(held[dim]);
      condition = emitter.both(
          condition, emitter.compare(arith::CmpIPredicate::eq, lhs, rhs));
    }
    value = emitter.select(condition, element, value);
  }
  if (!value)
    value = emitter.poison(emitter.getElement(op.getSource(), 0).getType());
  return value;
}

LogicalResult ThreadEmitter::emitConvertLayout(ConvertLayoutOp op) {
  if (!getFragment(op.getSource().getType()) ||
      !getFragment(op.getResult().getType()))
    return op.emitError("both types have a layout at stage 'outlined'");
  const FragmentLayout &from = getLayout(op.getSource());
  const FragmentLayout &to = getLayout(op.getResult());
  SmallVector<Value> registers;
  std::vector<int64_t> renaming;
  if (tilec::classifyConversion(from, to) == tilec::ConversionKind::None)
    renaming = tilec::getRegisterRenaming(from, to);
  for (int64_t source : renaming)
    registers.push_back(getElement(op.getSource(), source));
  if (renaming.empty())
    for (int64_t reg = 0; reg < to.getRegisterCount(); ++reg) {
      FailureOr<Value> value = chooseRegister(*this, op, reg);
      if (failed(value))
        return notImplemented(op, "a layout conversion that moves data between "
                                  "threads at stage 'outlined'");
      registers.push_back(*value);
    }
  bind(op.getResult(), std::move(registers));
  return success();
}

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

LogicalResult ThreadEmitter::emitBitcast(BitcastOp op) {
  auto from = cast<RankedTensorType>(op.getSource().getType());
  auto to = cast<RankedTensorType>(op.getResult().getType());
  int64_t fromBits = from.getElementTypeBitWidth();
  int64_t toBits = to.getElementTypeBitWidth();
  Type type = convertScalarType(to.getElementType());
  if (!type || fromBits % 8 != 0 || toBits % 8 != 0)
    return notImplemented(op, "tile.bitcast of elements narrower than a byte");
  auto derived = getLayout(from).recast(fromBits, toBits);
  if (!derived || *derived != getLayout(to))
    return notImplemented(op, "tile.bitcast between these layouts");
  SmallVector<Value> words;
  for (int64_t reg = 0; reg < getLayout(from).getRegisterCount(); ++reg)
    words.push_back(builder.createOrFold<arith::BitcastOp>(
        loc, builder.getIntegerType(fromBits),
        getElement(op.getSource(), reg)));
  bool joins = toBits > fromBits;
  int64_t ratio = joins ? toBits / fromBits : fromBits / toBits;
  SmallVector<Value> registers;
  for (int64_t reg = 0; reg < getLayout(to).getRegisterCount(); ++reg) {
    Value word = fromBits == toBits ? words[reg]
                                    : recast(*this, words, reg, ratio, joins,
                                             builder.getIntegerType(toBits));
    registers.push_back(
        builder.createOrFold<arith::BitcastOp>(loc, type, word));
  }
  bind(op.getResult(), std::move(registers));
  return success();
}

//===----------------------------------------------------------------------===//
// Extraction
//===----------------------------------------------------------------------===//

/// The register coordinate of the element that an iteration of `tile.parallel`
/// reads at its own induction variables; fails where that is not what it reads
/// or the fragment's layout is not the loop's without the other dimensions.
static FailureOr<Coordinate> getOwnElement(ThreadEmitter &emitter,
                                           tensor::ExtractOp op) {
  ParallelOp parallel = emitter.parallel;
  const FragmentLayout &loop = emitter.getLayout(parallel.getLayoutAttr());
  SmallVector<int> used;
  for (Value index : op.getIndices()) {
    auto argument = dyn_cast<BlockArgument>(index);
    if (!argument || argument.getOwner() != &parallel.getBody().front() ||
        llvm::is_contained(used, argument.getArgNumber()))
      return failure();
    used.push_back(argument.getArgNumber());
  }
  std::vector<int> unused, permutation;
  SmallVector<int> ascending = llvm::to_vector(used);
  llvm::sort(ascending);
  for (int dim = 0; dim < loop.getRank(); ++dim)
    if (!llvm::is_contained(used, dim))
      unused.push_back(dim);
  for (int dim : used)
    permutation.push_back(llvm::find(ascending, dim) - ascending.begin());
  if (loop.dropDims(unused).transpose(permutation) !=
      emitter.getLayout(op.getTensor()))
    return failure();
  Coordinate iteration =
      ThreadEmitter::getRegisterCoordinate(loop, emitter.parallelRegister);
  Coordinate own;
  for (int dim : used)
    own.push_back(iteration[dim]);
  return own;
}

LogicalResult ThreadEmitter::emitExtract(tensor::ExtractOp op) {
  const FragmentLayout &layout = getLayout(op.getTensor());
  Coordinate coordinate(layout.getRank(), 0);
  bool isConstant = true;
  for (auto [dim, index] : llvm::enumerate(op.getIndices())) {
    auto constant = getConstantIntValue(index);
    isConstant &=
        constant && *constant >= 0 && *constant < layout.getShape()[dim];
    coordinate[dim] = constant.value_or(0);
  }
  if (isConstant) {
    int64_t reg = getRegister(layout, coordinate);
    if (!isHeld(layout, coordinate, reg) ||
        layout.getReplication() !=
            layout.getExtent(tilec::HardwareDim::Lane) *
                layout.getExtent(tilec::HardwareDim::Warp))
      return notImplemented(op, "tensor.extract of an element that not every "
                                "thread holds, at stage 'outlined'");
    bind(op.getResult(), getElement(op.getTensor(), reg));
    return success();
  }
  // In `tile.parallel`: the iteration's own element.
  if (!parallel)
    return notImplemented(op,
                          "tensor.extract at indices known only at run time, "
                          "at stage 'outlined'");
  FailureOr<Coordinate> own = getOwnElement(*this, op);
  if (failed(own))
    return notImplemented(op, "tensor.extract of an element that another "
                              "iteration holds, at stage 'outlined'");
  bind(op.getResult(), getElement(op.getTensor(), getRegister(layout, *own)));
  return success();
}
