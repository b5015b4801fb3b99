//===- Im2Col.cpp - Boxes of the im2col matrix of an image ----------------===//
//
// A row of the matrix is an output position (n, oh, ow), a column a position of
// the kernel and a channel. A register's element stands in row `row + thread
// part + register part`, and in a column likewise; both are split up once for
// each register part:
//
//     row      n = r / (OH * OW)   top  = r / OW % OH * stride - padding
//                                  left = r % OW * stride - padding
//     column   y = top + c / (KW * C) * dilation
//              x = left + c / C % KW * dilation      channel = c % C
//
// As many channels move at once as stand together and are aligned, by
// `cp.async`, which writes zeros where (y, x) lies outside of the image, or
// through registers.
//
//===----------------------------------------------------------------------===//

#include "ScalarAccess.h"
#include "SideAccess.h"

#include "tile/Analysis/AccessWidth.h"
#include "tile/Analysis/ThreadCopy.h"

using namespace mlir;
using namespace mlir::tile;

namespace {

/// A row of the matrix; all values are i64, `isInside` i1.
struct MatrixRow {
  Value image, top, left, isInside;
};

/// A column of the matrix.
struct MatrixColumn {
  Value down, right, channel, isInside;
};

/// One `tile.im2col` as one thread does it.
class ThreadIm2Col {
public:
  ThreadIm2Col(ThreadEmitter &emitter, Im2ColOp op, SideAccess dest,
               const tilec::FragmentLayout &layout);

  void emit();

private:
  Value getSize(int dim);
  /// Start, thread part and register part along a dimension of the box.
  Value getPosition(Value start, int dim, int64_t registerPart);
  const MatrixRow &getRow(int64_t registerPart);
  const MatrixColumn &getColumn(int64_t registerPart);
  /// The address of a register's element and whether it is one of the image.
  std::pair<Value, Value> getSource(int64_t reg);
  void moveThroughRegisters(Value source, Value isInside, Value target);

  Value divide(Value lhs, Value rhs);
  Value remainder(Value lhs, Value rhs);
  /// lhs * factor + summand.
  Value scale(Value lhs, int64_t factor, int64_t summand) {
    return emitter.addConstant(emitter.multiply(lhs, factor), summand);
  }
  Value isBelow(Value index, Value size) {
    return emitter.compare(arith::CmpIPredicate::ult, index, size);
  }

  ThreadEmitter &emitter;
  Im2ColOp op;
  SideAccess dest;
  const tilec::FragmentLayout &layout;
  int64_t width;
  std::array<int64_t, 2> kernel, strides, dilations, padding;
  Value channels, outputRows, outputColumns, rowCount, columnCount;
  std::map<int64_t, MatrixRow> rows;
  std::map<int64_t, MatrixColumn> columns;
};

} // namespace

static std::array<int64_t, 2> getPair(ArrayAttr attr) {
  return {cast<IntegerAttr>(attr[0]).getInt(),
          cast<IntegerAttr>(attr[1]).getInt()};
}

//===----------------------------------------------------------------------===//
// The matrix
//===----------------------------------------------------------------------===//

ThreadIm2Col::ThreadIm2Col(ThreadEmitter &emitter, Im2ColOp op, SideAccess dest,
                           const tilec::FragmentLayout &layout)
    : emitter(emitter), op(op), dest(std::move(dest)), layout(layout),
      width(*op.getVectorWidth()), kernel(getPair(op.getKernel())),
      strides(getPair(op.getStrides())), dilations(getPair(op.getDilations())),
      padding(getPair(op.getPadding())) {
  // How often the kernel fits along one dimension of the image.
  auto countOutputs = [&](int d) -> Value {
    int64_t reach = dilations[d] * (kernel[d] - 1) + 1 - 2 * padding[d];
    Value span = emitter.addConstant(getSize(d + 1), -reach);
    Value count = emitter.addConstant(emitter.divide(span, strides[d]), 1);
    Value fits =
        emitter.compare(arith::CmpIPredicate::sge, span, emitter.i64(0));
    return emitter.select(fits, count, emitter.i64(0));
  };
  channels = getSize(3);
  outputRows = countOutputs(0);
  outputColumns = countOutputs(1);
  rowCount =
      emitter.multiply(getSize(0), emitter.multiply(outputRows, outputColumns));
  columnCount = emitter.multiply(channels, kernel[0] * kernel[1]);
}

Value ThreadIm2Col::getSize(int dim) {
  MemRefType type = op.getSource().getType();
  if (!type.isDynamicDim(dim))
    return emitter.i64(type.getDimSize(dim));
  return emitter.getGlobal(op.getSource()).sizes[dim];
}

/// Unsigned; an empty matrix has no element to divide for.
Value ThreadIm2Col::divide(Value lhs, Value rhs) {
  return emitter.builder.createOrFold<arith::DivUIOp>(
      emitter.loc, lhs,
      emitter.builder.createOrFold<arith::MaxUIOp>(emitter.loc, rhs,
                                                   emitter.i64(1)));
}

Value ThreadIm2Col::remainder(Value lhs, Value rhs) {
  return emitter.builder.createOrFold<arith::RemUIOp>(
      emitter.loc, lhs,
      emitter.builder.createOrFold<arith::MaxUIOp>(emitter.loc, rhs,
                                                   emitter.i64(1)));
}

Value ThreadIm2Col::getPosition(Value start, int dim, int64_t registerPart) {
  Value position = emitter.getScalar(start);
  if (Value thread = emitter.getScope().getCoordinate(layout, dim).value)
    position = emitter.add(position, emitter.widen(thread));
  return emitter.addConstant(position, registerPart);
}

const MatrixRow &ThreadIm2Col::getRow(int64_t registerPart) {
  auto [it, isNew] = rows.try_emplace(registerPart);
  if (!isNew)
    return it->second;
  Value row = getPosition(op.getRow(), 0, registerPart);
  Value line = divide(row, outputColumns);
  it->second = {divide(line, outputRows),
                scale(remainder(line, outputRows), strides[0], -padding[0]),
                scale(remainder(row, outputColumns), strides[1], -padding[1]),
                isBelow(row, rowCount)};
  return it->second;
}

const MatrixColumn &ThreadIm2Col::getColumn(int64_t registerPart) {
  auto [it, isNew] = columns.try_emplace(registerPart);
  if (!isNew)
    return it->second;
  Value column = getPosition(op.getCol(), 1, registerPart);
  Value position = divide(column, channels);
  it->second = {
      emitter.multiply(emitter.divide(position, kernel[1]), dilations[0]),
      emitter.multiply(emitter.remainder(position, kernel[1]), dilations[1]),
      remainder(column, channels), isBelow(column, columnCount)};
  return it->second;
}

std::pair<Value, Value> ThreadIm2Col::getSource(int64_t reg) {
  tilec::Coordinate at = getRegisterCoordinate(layout, reg);
  const MatrixRow &row = getRow(at[0]);
  const MatrixColumn &column = getColumn(at[1]);
  Value y = emitter.add(row.top, column.down);
  Value x = emitter.add(row.left, column.right);
  Value isInside = emitter.both(row.isInside, column.isInside);
  isInside = emitter.both(isInside, isBelow(y, getSize(1)));
  isInside = emitter.both(isInside, isBelow(x, getSize(2)));
  return {getElementPointer(emitter, op.getSource(),
                            {row.image, y, x, column.channel}),
          isInside};
}

//===----------------------------------------------------------------------===//
// Moving
//===----------------------------------------------------------------------===//

void ThreadIm2Col::moveThroughRegisters(Value source, Value isInside,
                                        Value target) {
  OpBuilder &builder = emitter.builder;
  Location loc = emitter.loc;
  Type memoryType = dest.getMemoryType();
  Type type = memoryType;
  if (width > 1)
    type = VectorType::get({width}, memoryType);
  auto branch = scf::IfOp::create(builder, loc, type, isInside,
                                  /*addThenBlock=*/true, /*addElseBlock=*/true);
  {
    OpBuilder::InsertionGuard guard(builder);
    branch.thenBlock()->clear();
    branch.elseBlock()->clear();
    builder.setInsertionPointToEnd(branch.thenBlock());
    scf::YieldOp::create(builder, loc, emitter.load(source, memoryType, width));
    builder.setInsertionPointToEnd(branch.elseBlock());
    Value zero = LLVM::ZeroOp::create(builder, loc, type);
    scf::YieldOp::create(builder, loc, zero);
  }
  SmallVector<Value> elements;
  for (int64_t i = 0; i < width; ++i)
    elements.push_back(
        width == 1 ? branch.getResult(0)
                   : Value(LLVM::ExtractElementOp::create(
                         builder, loc, branch.getResult(0), emitter.i32(i))));
  emitter.store(elements, target, memoryType);
}

void ThreadIm2Col::emit() {
  int64_t count = layout.getRegisterCount();
  bool isAsync = !passesRegisters(op);
  int64_t bytes = emitter.getMemoryBytes(dest.getElementType()) * width;
  SmallVector<Value> targets(count), sources(count), isInside(count);
  SmallVector<AccessGroup> groups =
      groupByCondition(count, width, [&](int64_t reg) {
        targets[reg] = dest.getPointer(reg);
        std::tie(sources[reg], isInside[reg]) = getSource(reg);
        return dest.getCondition(reg);
      });
  Value isFirstReplica = emitter.getScope().getIsFirstReplica(layout);
  for (AccessGroup &group : groups)
    emitter.emitUnder(emitter.both(isFirstReplica, group.condition), [&] {
      for (int64_t reg : group.registers) {
        if (isAsync)
          emitAsyncCopy(emitter, targets[reg], sources[reg], bytes,
                        isInside[reg]);
        else
          moveThroughRegisters(sources[reg], isInside[reg], targets[reg]);
      }
    });
}

//===----------------------------------------------------------------------===//
// tile.im2col
//===----------------------------------------------------------------------===//

static LogicalResult lowerIm2Col(ThreadEmitter &emitter, Im2ColOp op) {
  const tilec::FragmentLayout &layout = emitter.getLayout(op.getLayoutAttr());
  FailureOr<SideAccess> dest = SideAccess::create(
      emitter, op, op.getDestSide(), op.getDest().getType().getShape(), layout);
  if (failed(dest))
    return failure();
  // The stage promises spaces, type and size; not what the addresses divide by.
  int64_t width = *op.getVectorWidth();
  int64_t widest = getImageAccessWidth(emitter.facts, op);
  int64_t destWidth = getAccessWidth(emitter.facts, op.getDestSide(), layout);
  if (widest % width != 0 || destWidth % width != 0)
    return op.emitError() << op.getInstructionAttr().getName() << " of "
                          << emitter.getMemoryBytes(dest->getElementType()) *
                                 width
                          << " bytes is not possible here: the widest access "
                             "is "
                          << widest << " elements of the image and "
                          << destWidth << " of the destination";
  ThreadIm2Col(emitter, op, std::move(*dest), layout).emit();
  return success();
}

void tile::registerIm2ColLowerings(LoweringTable &table) {
  table.add(lowerIm2Col);
}
