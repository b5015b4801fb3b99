//===- Im2Col.cpp - Boxes of the im2col matrix of an image ----------------===//
//
// A register's element stands in row `row + thread part + register part` of the
// matrix (ImageMatrix.h), and in a column likewise; both are split up once for each
// register part.
//
// As many channels move at once as stand together and are aligned, by
// `cp.async`, which writes zeros where (y, x) lies outside of the image, or
// through registers. Or one thread names boxes of them (ImageBoxes.cpp).
//
//===----------------------------------------------------------------------===//

#include "BulkCopy.h"
#include "ImageMatrix.h"
#include "ScalarAccess.h"
#include "SideAccess.h"

#include "tile/Analysis/AccessWidth.h"
#include "tile/Analysis/ThreadCopy.h"
#include "tile/Dialect/Tile/CopyFacts.h"

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
  /// Start, thread part and register part along a dimension of the box.
  Value getPosition(Value start, int dim, int64_t registerPart);
  const MatrixRow &getRow(int64_t registerPart);
  const MatrixColumn &getColumn(int64_t registerPart);
  /// Where a register's element lies and whether it is one of the image.
  std::pair<ElementPlace, Value> getSource(int64_t reg);
  void moveThroughRegisters(const ElementPlace &source, Value isInside,
                            const ElementPlace &target);
  void moveNarrow(const ElementPlace &source, Value isInside,
                  const ElementPlace &target);

  Value isBelow(Value index, Value size) {
    return emitter.compare(arith::CmpIPredicate::ult, index, size);
  }

  ThreadEmitter &emitter;
  Im2ColOp op;
  SideAccess dest;
  const tilec::FragmentLayout &layout;
  int64_t width;
  ImageMatrix matrix;
  std::map<int64_t, MatrixRow> rows;
  std::map<int64_t, MatrixColumn> columns;
};

} // namespace

//===----------------------------------------------------------------------===//
// The matrix
//===----------------------------------------------------------------------===//

ThreadIm2Col::ThreadIm2Col(ThreadEmitter &emitter, Im2ColOp op, SideAccess dest,
                           const tilec::FragmentLayout &layout)
    : emitter(emitter), op(op), dest(std::move(dest)), layout(layout),
      width(*op.getVectorWidth()), matrix(emitter, op) {}

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
  const auto &[strides, padding] = std::tie(matrix.strides, matrix.padding);
  Value line = matrix.divide(row, matrix.outputColumns);
  it->second = {matrix.divide(line, matrix.outputRows),
                matrix.scale(matrix.remainder(line, matrix.outputRows),
                             strides[0], -padding[0]),
                matrix.scale(matrix.remainder(row, matrix.outputColumns),
                             strides[1], -padding[1]),
                isBelow(row, matrix.rowCount)};
  return it->second;
}

const MatrixColumn &ThreadIm2Col::getColumn(int64_t registerPart) {
  auto [it, isNew] = columns.try_emplace(registerPart);
  if (!isNew)
    return it->second;
  Value column = getPosition(op.getCol(), 1, registerPart);
  Value position = matrix.divide(column, matrix.channels);
  it->second = {emitter.multiply(emitter.divide(position, matrix.kernel[1]),
                                 matrix.dilations[0]),
                emitter.multiply(emitter.remainder(position, matrix.kernel[1]),
                                 matrix.dilations[1]),
                matrix.remainder(column, matrix.channels),
                isBelow(column, matrix.columnCount)};
  return it->second;
}

std::pair<ElementPlace, Value> ThreadIm2Col::getSource(int64_t reg) {
  tilec::Coordinate at = getRegisterCoordinate(layout, reg);
  const MatrixRow &row = getRow(at[0]);
  const MatrixColumn &column = getColumn(at[1]);
  Value y = emitter.add(row.top, column.down);
  Value x = emitter.add(row.left, column.right);
  Value isInside = emitter.both(row.isInside, column.isInside);
  isInside = emitter.both(isInside, isBelow(y, matrix.getSize(1)));
  isInside = emitter.both(isInside, isBelow(x, matrix.getSize(2)));
  return {getElementPlace(emitter, op.getSource(),
                          {row.image, y, x, column.channel}),
          isInside};
}

//===----------------------------------------------------------------------===//
// Moving
//===----------------------------------------------------------------------===//

/// Narrow elements are taken apart: there are no vectors of them.
void ThreadIm2Col::moveNarrow(const ElementPlace &source, Value isInside,
                              const ElementPlace &target) {
  OpBuilder &builder = emitter.builder;
  Type element = dest.getElementType();
  Type type = emitter.convertScalarType(element);
  auto branch = scf::IfOp::create(builder, emitter.loc,
                                  SmallVector<Type>(width, type), isInside,
                                  /*addThenBlock=*/true, /*addElseBlock=*/true);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(branch.thenBlock());
    scf::YieldOp::create(builder, emitter.loc,
                         emitter.loadElements(source, element, width));
    builder.setInsertionPointToEnd(branch.elseBlock());
    scf::YieldOp::create(builder, emitter.loc,
                         SmallVector<Value>(width, emitter.zero(type)));
  }
  emitter.storeElements(llvm::to_vector_of<Value>(branch.getResults()), target,
                        element);
}

void ThreadIm2Col::moveThroughRegisters(const ElementPlace &source,
                                        Value isInside,
                                        const ElementPlace &target) {
  if (emitter.isNarrow(dest.getElementType()))
    return moveNarrow(source, isInside, target);
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
    scf::YieldOp::create(builder, loc,
                         emitter.load(source.pointer, memoryType, width));
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
  emitter.store(elements, target.pointer, memoryType);
}

void ThreadIm2Col::emit() {
  int64_t count = layout.getRegisterCount();
  bool isAsync = !passesRegisters(op);
  int64_t bytes = emitter.getMemoryBytes(dest.getElementType(), width);
  SmallVector<ElementPlace> targets(count), sources(count);
  SmallVector<Value> isInside(count);
  SmallVector<AccessGroup> groups =
      groupByCondition(count, width, [&](int64_t reg) {
        targets[reg] = dest.getPlace(reg);
        std::tie(sources[reg], isInside[reg]) = getSource(reg);
        return dest.getCondition(reg);
      });
  Value isFirstReplica = emitter.getScope().getIsFirstReplica(layout);
  for (AccessGroup &group : groups)
    emitter.emitUnder(emitter.both(isFirstReplica, group.condition), [&] {
      for (int64_t reg : group.registers) {
        if (isAsync)
          emitAsyncCopy(emitter, targets[reg].pointer, sources[reg].pointer,
                        bytes, isInside[reg]);
        else
          moveThroughRegisters(sources[reg], isInside[reg], targets[reg]);
      }
    });
}

//===----------------------------------------------------------------------===//
// tile.im2col
//===----------------------------------------------------------------------===//

static LogicalResult lowerIm2Col(ThreadEmitter &emitter, Im2ColOp op) {
  if (isBulkLoad(op))
    return lowerBulkLoad(emitter, op);
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
                          << emitter.getMemoryBytes(dest->getElementType(),
                                                    width)
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
