//===- SideAccess.cpp - Addresses and bounds of a tile access -------------===//

#include "SideAccess.h"

#include "../Compute/Cast.h"
#include "CommonWords.h"

#include "tile/Analysis/AccessWidth.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <set>

using namespace mlir;
using namespace mlir::tile;
using tilec::FragmentLayout;

//===----------------------------------------------------------------------===//
// Construction
//===----------------------------------------------------------------------===//

SideAccess::SideAccess(ThreadEmitter &emitter, const Side &side,
                       ArrayRef<int64_t> tileShape,
                       const FragmentLayout &layout)
    : emitter(&emitter), side(side), layout(&layout),
      tileShape(tileShape.begin(), tileShape.end()),
      tileDimOf(side.getRank(), -1) {
  for (auto [tileDim, dim] : llvm::enumerate(side.getTileDims(tileShape)))
    tileDimOf[dim] = tileDim;
  for (int64_t dim = 0; dim < side.getRank(); ++dim)
    isChecked.push_back(!isKnownInBounds(emitter.facts, side, tileShape, dim));
}

FailureOr<SideAccess> SideAccess::create(ThreadEmitter &emitter, Operation *op,
                                         const Side &side,
                                         ArrayRef<int64_t> tileShape,
                                         const FragmentLayout &layout) {
  SideAccess access(emitter, side, tileShape, layout);
  access.memoryType = emitter.convertMemoryType(access.getElementType());
  if (!access.memoryType)
    return emitter.notImplemented(op, "accesses to memory of ")
           << access.getElementType();
  if (side.rows && failed(access.findRows(op)))
    return failure();
  return access;
}

/// Finds which register of `rows` holds the row of each register of the tile.
LogicalResult SideAccess::findRows(Operation *op) {
  int rowsTileDim = tileDimOf[*side.rowsDim];
  std::vector<int> others;
  for (int dim = 0; dim < layout->getRank(); ++dim)
    if (dim != rowsTileDim)
      others.push_back(dim);
  if (rowsTileDim < 0)
    return emitter->notImplemented(op, "rows() along a dropped dimension");
  rowLayout = layout->dropDims(others);
  rowsRenaming =
      tilec::getRegisterRenaming(emitter->getLayout(side.rows), *rowLayout);
  if (rowsRenaming.empty())
    return emitter->notImplemented(op,
                                   "rows() in another layout than the tile");
  return success();
}

//===----------------------------------------------------------------------===//
// Parts of a coordinate
//===----------------------------------------------------------------------===//

int64_t SideAccess::getRegisterPart(int64_t dim, int64_t reg) const {
  if (tileDimOf[dim] < 0 || hasRows(dim))
    return 0;
  return getRegisterCoordinate(*layout, reg)[tileDimOf[dim]];
}

const ThreadCoordinate *SideAccess::getThreadPart(int64_t dim) {
  if (tileDimOf[dim] < 0 || hasRows(dim))
    return nullptr;
  if (auto found = clamped.find(tileDimOf[dim]); found != clamped.end())
    return &found->second;
  const ThreadCoordinate &thread =
      emitter->getScope().getCoordinate(*layout, tileDimOf[dim]);
  return thread.value ? &thread : nullptr;
}

/// Where every register has the same limit along every dimension: a thread's part
/// is at most the largest value below.
void SideAccess::clampToShape() {
  // Fewer are as quickly left out as led elsewhere.
  constexpr int64_t leastRegisters = 4;
  int64_t count = layout->getRegisterCount();
  if (!layout->hasPadding() || side.rows ||
      llvm::is_contained(isChecked, true) || count < leastRegisters ||
      !isReadOnly())
    return;
  std::map<int, ThreadCoordinate> parts;
  for (int dim = 0; dim < layout->getRank(); ++dim) {
    const ThreadCoordinate &thread =
        emitter->getScope().getCoordinate(*layout, dim);
    std::set<int64_t> limits;
    for (int64_t reg = 0; reg < count; ++reg)
      limits.insert(thread.getLimit(layout->getShape()[dim] -
                                    getRegisterCoordinate(*layout, reg)[dim]));
    if (limits.size() != 1 || *limits.begin() == 0)
      return;
    if (*limits.begin() > thread.values.back())
      continue;
    ThreadCoordinate &part = parts[dim] = thread;
    llvm::erase_if(part.values,
                   [&](int64_t value) { return value >= *limits.begin(); });
    part.value = emitter->builder.createOrFold<arith::MinUIOp>(
        emitter->loc, thread.value, emitter->i32(part.values.back()));
  }
  clamped = std::move(parts);
  isClamped = true;
}

Value SideAccess::getStart(int64_t dim) {
  if (side.isWhole() || matchPattern(side.indices[dim], m_Zero()))
    return {};
  return emitter->getScalar(side.indices[dim]);
}

int64_t SideAccess::getRowsRegister(int64_t reg) const {
  if (!side.rows)
    return 0;
  int64_t position =
      getRegisterCoordinate(*layout, reg)[tileDimOf[*side.rowsDim]];
  return rowsRenaming[getRegister(*rowLayout, {position})];
}

Value SideAccess::getRow(int64_t rowsRegister) {
  Value &row = rows[rowsRegister];
  if (!row) {
    Type type = side.rows.getType();
    row = convertElement(*emitter, emitter->getElement(side.rows, rowsRegister),
                         cast<RankedTensorType>(type).getElementType(),
                         emitter->builder.getIndexType());
  }
  return row;
}

Value SideAccess::getSize(int64_t dim) {
  if (side.isShared() || !side.getType().isDynamicDim(dim))
    return emitter->i64(side.getType().getDimSize(dim));
  return emitter->getGlobal(side.memref).sizes[dim];
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

static std::optional<int64_t> getConstant(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.getSExtValue();
  return std::nullopt;
}

/// The elements from the memref's first one to where the thread's begin: what
/// the thread adds and what the start does. Null for none.
std::pair<Value, Value> SideAccess::getGlobalOffsets(int64_t rowsRegister) {
  const GlobalView &view = emitter->getGlobal(side.memref);
  Value threadOffset, startOffset;
  for (int64_t dim = 0; dim < side.getRank(); ++dim) {
    Value stride = view.strides[dim];
    if (const ThreadCoordinate *thread = getThreadPart(dim))
      threadOffset = emitter->add(
          threadOffset,
          emitter->multiply(emitter->widen(thread->value), stride));
    if (Value start = getStart(dim))
      startOffset = emitter->add(startOffset, emitter->multiply(start, stride));
    if (hasRows(dim))
      startOffset = emitter->add(
          startOffset, emitter->multiply(getRow(rowsRegister), stride));
  }
  return {threadOffset, startOffset};
}

Value SideAccess::getGlobalBase(int64_t rowsRegister) {
  Value &base = bases[rowsRegister];
  if (base)
    return base;
  int64_t bytes = emitter->getMemoryBytes(getElementType());
  auto [threadOffset, startOffset] = getGlobalOffsets(rowsRegister);
  base = emitter->getGlobal(side.memref).pointer;
  for (Value offset : {threadOffset, startOffset})
    if (offset)
      base = emitter->advance(base, emitter->multiply(offset, bytes));
  return base;
}

Value SideAccess::getGlobalPointer(int64_t reg) {
  const GlobalView &view = emitter->getGlobal(side.memref);
  int64_t bytes = emitter->getMemoryBytes(getElementType());
  int64_t rowsRegister = getRowsRegister(reg), constantBytes = 0;
  // Steps along dimensions of dynamic stride, shared by the registers that make
  // the same ones.
  Key steps = {rowsRegister};
  for (int64_t dim = 0; dim < side.getRank(); ++dim) {
    int64_t part = getRegisterPart(dim, reg);
    if (auto stride = getConstant(view.strides[dim]))
      constantBytes += part * *stride * bytes;
    else
      steps.push_back(part);
  }
  Value &pointer = dynamicSteps[steps];
  if (!pointer) {
    Value offset;
    for (int64_t dim = 0; dim < side.getRank(); ++dim) {
      int64_t part = getRegisterPart(dim, reg);
      if (part != 0 && !getConstant(view.strides[dim]))
        offset = emitter->add(
            offset, emitter->multiply(view.strides[dim], part * bytes));
    }
    pointer = emitter->advance(getGlobalBase(rowsRegister), offset);
  }
  return emitter->advance(pointer, constantBytes);
}

/// Of a narrow element: what is added at run time is counted in elements, the
/// last of which may be half a byte.
ElementPlace SideAccess::getNarrowGlobalPlace(int64_t reg) {
  const GlobalView &view = emitter->getGlobal(side.memref);
  int64_t rowsRegister = getRowsRegister(reg), constant = 0;
  Key steps = {rowsRegister};
  for (int64_t dim = 0; dim < side.getRank(); ++dim) {
    int64_t part = getRegisterPart(dim, reg);
    if (auto stride = getConstant(view.strides[dim]))
      constant += part * *stride;
    else
      steps.push_back(part);
  }
  int64_t half = constant & 1;
  steps.push_back(half);
  ElementPlace &place = narrowPlaces[steps];
  if (!place.pointer) {
    auto [threadOffset, startOffset] = getGlobalOffsets(rowsRegister);
    Value offset =
        emitter->add(emitter->add(threadOffset, startOffset), view.offset);
    for (int64_t dim = 0; dim < side.getRank(); ++dim)
      if (!getConstant(view.strides[dim]))
        if (int64_t part = getRegisterPart(dim, reg))
          offset =
              emitter->add(offset, emitter->multiply(view.strides[dim], part));
    if (half != 0)
      offset = emitter->add(offset, emitter->i64(half));
    place = emitter->getNarrowPlace(view.pointer, offset,
                                    mayHaveCommonWords(*emitter, side.memref));
  }
  return {emitter->advance(place.pointer, (constant - half) / 2), place.half,
          place.isInCommonWord};
}

ElementPlace SideAccess::getSharedPlace(int64_t reg) {
  int64_t rowsRegister = getRowsRegister(reg);
  SmallVector<int64_t> constants;
  for (int64_t dim = 0; dim < side.getRank(); ++dim) {
    Value start = getStart(dim);
    auto constant = start ? getConstant(start) : std::nullopt;
    constants.push_back(getRegisterPart(dim, reg) + constant.value_or(0));
  }
  std::shared_ptr<SharedAddresses> &address = addresses[rowsRegister];
  if (!address) {
    SmallVector<SmallVector<RuntimeTerm>> terms(side.getRank());
    for (int64_t dim = 0; dim < side.getRank(); ++dim) {
      if (const ThreadCoordinate *thread = getThreadPart(dim))
        terms[dim].push_back({thread->value, thread->values, 1});
      Value start = getStart(dim);
      if (start && !getConstant(start))
        terms[dim].push_back({emitter->narrow(start),
                              {},
                              emitter->facts.getDivisor(side.indices[dim])});
      if (hasRows(dim))
        terms[dim].push_back({emitter->narrow(getRow(rowsRegister)), {}, 1});
    }
    address = std::make_shared<SharedAddresses>(
        *emitter, emitter->getShared(side.memref), terms);
  }
  return address->getPlace(constants);
}

ElementPlace SideAccess::getPlace(int64_t reg) {
  if (side.isShared())
    return getSharedPlace(reg);
  if (emitter->isNarrow(getElementType()))
    return getNarrowGlobalPlace(reg);
  return {getGlobalPointer(reg), Value()};
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

/// Whether the start along `dim` is not negative and a sum with `distance` does
/// not wrap.
bool SideAccess::isStartWithin(int64_t dim, int64_t distance) const {
  if (side.isWhole())
    return true;
  std::optional<int64_t> least =
      emitter->facts.getLowerBound(side.indices[dim]);
  std::optional<int64_t> largest =
      emitter->facts.getUpperBound(side.indices[dim]);
  int64_t sum;
  return least && *least >= 0 && largest &&
         !llvm::AddOverflow(*largest, distance, sum);
}

/// What is left of `size` behind `position`; as an i32 where that is at most the
/// tile's extent.
Value SideAccess::getLimit(Value size, Value position) {
  OpBuilder &builder = emitter->builder;
  Value limit = position ? builder.createOrFold<arith::SubIOp>(emitter->loc,
                                                               size, position)
                         : size;
  if (!isOutside)
    return limit;
  return emitter->narrow(builder.createOrFold<arith::MaxSIOp>(
      emitter->loc, limit, emitter->i64(0)));
}

/// Whether 0 <= coordinate < size along one dimension. Where the start is known
/// not to be negative, what is left of the dimension is computed once and
/// registers compare with it; else one unsigned comparison does both.
Value SideAccess::getDimInBounds(int64_t dim, int64_t reg) {
  int64_t part = getRegisterPart(dim, reg), rowsRegister = 0;
  if (hasRows(dim))
    rowsRegister = getRowsRegister(reg);
  Value &condition = dimConditions[{dim, part, rowsRegister}];
  if (condition)
    return condition;
  Value position = getStart(dim);
  const ThreadCoordinate *thread = getThreadPart(dim);
  if (thread)
    position = emitter->add(position, emitter->widen(thread->value));
  Value size = getSize(dim);
  if (!hasRows(dim) && isStartWithin(dim, thread ? thread->values.back() : 0)) {
    Value &limit = limits[dim];
    if (!limit)
      limit = getLimit(size, position);
    condition = emitter->compare(arith::CmpIPredicate::sgt, limit,
                                 emitter->constant(limit.getType(), part));
    return condition;
  }
  if (hasRows(dim))
    position = emitter->add(position, getRow(rowsRegister));
  position =
      position ? emitter->addConstant(position, part) : emitter->i64(part);
  condition = emitter->compare(arith::CmpIPredicate::ult, position, size);
  return condition;
}

Value SideAccess::getInBounds(int64_t reg) {
  SmallVector<Value> conditions;
  std::vector<void *> key;
  for (int64_t dim = 0; dim < side.getRank(); ++dim)
    if (isChecked[dim]) {
      conditions.push_back(getDimInBounds(dim, reg));
      key.push_back(conditions.back().getAsOpaquePointer());
    }
  Value &all = conjunctions[key];
  if (!all)
    for (Value condition : conditions)
      all = emitter->both(all, condition);
  return all;
}

Value SideAccess::getCondition(int64_t reg) {
  Value inBounds = getInBounds(reg);
  Value inShape = getInShape(reg);
  if (!inBounds || !inShape)
    return inBounds ? inBounds : inShape;
  // A key of its own: the null marks what the conjunction is of.
  Value &all = conjunctions[{nullptr, inBounds.getAsOpaquePointer(),
                             inShape.getAsOpaquePointer()}];
  // Rows are the author's numbers in padding too, so are not asked there: see
  // ValueMap.h.
  if (!all)
    all = side.rows ? emitter->select(
                          inShape, inBounds,
                          emitter->constant(emitter->builder.getI1Type(), 0))
                    : emitter->both(inBounds, inShape);
  return all;
}

std::optional<TileEdge> SideAccess::getEdge() {
  if (llvm::count(isChecked, true) != 1)
    return std::nullopt;
  int64_t dim = llvm::find(isChecked, true) - isChecked.begin();
  int tileDim = tileDimOf[dim];
  if (tileDim < 0 || hasRows(dim) || !isStartWithin(dim, tileShape[tileDim]))
    return std::nullopt;
  TileEdge edge = {{}, getSize(dim), {}, layout, tileDim};
  if (!side.isWhole() && !matchPattern(side.indices[dim], m_Zero()))
    edge.start = side.indices[dim];
  if (const ThreadCoordinate *thread = getThreadPart(dim))
    edge.thread = thread->value;
  return edge;
}

Value SideAccess::getTileInBounds() {
  Value all;
  SmallVector<int64_t> extents = side.getExtents(tileShape);
  for (int64_t dim = 0; dim < side.getRank(); ++dim) {
    if (!isChecked[dim])
      continue;
    if (hasRows(dim))
      return {};
    Value start = getStart(dim);
    if (start)
      all = emitter->both(all, emitter->compare(arith::CmpIPredicate::sge,
                                                start, emitter->i64(0)));
    all = emitter->both(all, getEndInBounds(dim, start, extents[dim]));
  }
  return all;
}

/// Whether `start + extent`, of a start that is not negative or zero if null,
/// is at most the size of `dim`. The sum must not wrap; where it might, what is
/// left of the size is compared.
Value SideAccess::getEndInBounds(int64_t dim, Value start, int64_t extent) {
  Value size = getSize(dim);
  auto compare = [&](Value lhs, Value rhs) {
    return emitter->compare(arith::CmpIPredicate::sle, lhs, rhs);
  };
  if (!start)
    return compare(emitter->i64(extent), size);
  std::optional<int64_t> largest =
      emitter->facts.getUpperBound(side.indices[dim]);
  if (int64_t end; largest && !llvm::AddOverflow(*largest, extent, end))
    return compare(emitter->add(start, emitter->i64(extent)), size);
  return compare(start, emitter->addConstant(size, -extent));
}
