//===- Memory.cpp - Loads and stores of fragments -------------------------===//
//
// A thread moves the registers it holds: as many at once as are consecutive in
// memory (up to 16 bytes), under the condition that they lie inside the memref.
// Accesses under one condition share one branch; addresses are computed
// outside, where LLVM can hoist them out of loops. Many single elements, each under
// a condition of its own, are loaded by predicate: with a branch around each ptxas
// spilled all that is live over them. Where only the memref's edge keeps accesses
// narrow, tiles that lie inside take wide ones: one uniform branch.
//
//===----------------------------------------------------------------------===//

#include "../Compute/Cast.h"
#include "CutVectors.h"
#include "MatrixLoad.h"
#include "MatrixStore.h"
#include "PredicatedAccess.h"
#include "SideAccess.h"
#include "StaggeredStore.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::tile;

SmallVector<AccessGroup>
tile::groupByCondition(int64_t registerCount, int64_t width,
                       llvm::function_ref<Value(int64_t)> getCondition) {
  llvm::MapVector<Value, SmallVector<int64_t>> byCondition;
  for (int64_t reg = 0; reg < registerCount; reg += width)
    byCondition[getCondition(reg)].push_back(reg);
  SmallVector<AccessGroup> groups;
  for (auto &[condition, registers] : byCondition)
    groups.push_back({condition, std::move(registers)});
  return groups;
}

/// Two results for one condition, chosen by a branch.
static SmallVector<Value>
branch(ThreadEmitter &emitter, Value condition, Type type, int64_t count,
       llvm::function_ref<SmallVector<Value>()> emitThen,
       llvm::function_ref<SmallVector<Value>()> emitElse) {
  OpBuilder &builder = emitter.builder;
  auto op = scf::IfOp::create(builder, emitter.loc,
                              SmallVector<Type>(count, type), condition,
                              /*addThenBlock=*/true, /*addElseBlock=*/true);
  OpBuilder::InsertionGuard guard(builder);
  for (auto [block, emit] : {std::pair(op.thenBlock(), emitThen),
                             std::pair(op.elseBlock(), emitElse)}) {
    block->clear();
    builder.setInsertionPointToEnd(block);
    SmallVector<Value> values = emit();
    scf::YieldOp::create(builder, emitter.loc, values);
  }
  return llvm::to_vector_of<Value>(op.getResults());
}

namespace {
/// The accesses of one load or store: where each goes and under which
/// condition. Addresses stand before any branch; conditions before those that they
/// decide, where only tiles that end outside ask for them.
struct AccessPlan {
  SmallVector<ElementPlace> places; ///< by register
  int64_t width = 1;
  /// Where a wider access is possible inside the memref: how wide, when, and in
  /// which groups.
  int64_t widthInside = 1;
  Value tileInBounds;
  SmallVector<AccessGroup> groupsInside;

  AccessPlan(SideAccess &access, int64_t registerCount, int64_t width)
      : width(width) {
    for (int64_t reg = 0; reg < registerCount; ++reg)
      places.push_back(reg % width == 0 ? access.getPlace(reg)
                                        : ElementPlace());
    if (width != access.getWidth() || access.getWidthInside() <= width)
      return;
    tileInBounds = access.getTileInBounds();
    if (!tileInBounds)
      return;
    widthInside = access.getWidthInside();
    groupsInside =
        groupByCondition(registerCount, widthInside,
                         [&](int64_t reg) { return access.getInShape(reg); });
  }

  /// Accesses and conditions anywhere, or outside where there are others inside;
  /// emits the conditions.
  SmallVector<AccessGroup> getGroups(SideAccess &access) const {
    if (tileInBounds)
      access.setTileOutside();
    return groupByCondition(places.size(), width, [&](int64_t reg) {
      return access.getCondition(reg);
    });
  }
};
} // namespace

/// From so many single elements on, each under a condition of its own, they are
/// loaded by predicate.
static constexpr size_t leastPredicated = 8;

/// Whether the accesses of a thread are many, of single elements of global memory.
static bool isByPredicate(ThreadEmitter &emitter, const SideAccess &access,
                          ArrayRef<AccessGroup> groups, int64_t width) {
  return width == 1 && !access.isShared() &&
         !emitter.isNarrow(access.getElementType()) &&
         groups.size() >= leastPredicated;
}

/// The element at `place`, zero where `condition` (null for always) does not hold, as a
/// value of the type that it has in memory.
static Value loadElementByPredicate(ThreadEmitter &emitter,
                                    const SideAccess &access,
                                    const ElementPlace &place,
                                    Value condition) {
  Type type = access.getMemoryType();
  unsigned bits = type.getIntOrFloatBitWidth();
  // PTX has no registers of 8 bits.
  Type registerType = emitter.builder.getIntegerType(std::max(bits, 16u));
  Value value = loadByPredicate(emitter, place.pointer, condition,
                                emitter.constant(registerType, 0), bits,
                                access.isReadOnly())
                    .front();
  if (bits < 16)
    value = emitter.builder.createOrFold<arith::TruncIOp>(
        emitter.loc, emitter.builder.getIntegerType(bits), value);
  return value.getType() == type
             ? value
             : arith::BitcastOp::create(emitter.builder, emitter.loc, type,
                                        value);
}

/// One element of each group, `pad` where its condition does not hold.
static SmallVector<Value> loadElementsByPredicate(ThreadEmitter &emitter,
                                                  SideAccess &access,
                                                  const AccessPlan &plan,
                                                  ArrayRef<AccessGroup> groups,
                                                  Type resultType, Value pad) {
  SmallVector<Value> registers(plan.places.size());
  Type type = access.getElementType();
  bool isZero =
      matchPattern(pad, m_Zero()) || matchPattern(pad, m_PosZeroFloat());
  for (const AccessGroup &group : groups)
    for (int64_t reg : group.registers) {
      Value raw = loadElementByPredicate(emitter, access, plan.places[reg],
                                         group.condition);
      Value value = convertElement(emitter, emitter.fromMemory(raw, type), type,
                                   resultType);
      registers[reg] = isZero || !group.condition
                           ? value
                           : emitter.select(group.condition, value, pad);
    }
  return registers;
}

/// Loads the registers of `group`. Where a load brings fewer elements than are converted
/// at once, they are when all are there.
static SmallVector<Value> loadGroup(ThreadEmitter &emitter, SideAccess &access,
                                    const AccessPlan &plan,
                                    const AccessGroup &group, int64_t width,
                                    Type resultType) {
  Type type = access.getElementType();
  bool areApart = width % getConvertedAtOnce(type, resultType) != 0;
  SmallVector<Value> loaded;
  for (int64_t reg : group.registers) {
    auto elements = emitter.loadElements(plan.places[reg], type, width);
    loaded.append(areApart
                      ? elements
                      : convertElements(emitter, elements, type, resultType));
  }
  return areApart ? convertElements(emitter, loaded, type, resultType, areApart)
                  : loaded;
}

/// Loads every group under its condition, `pad` where it does not hold.
static SmallVector<Value> loadGroups(ThreadEmitter &emitter, SideAccess &access,
                                     const AccessPlan &plan,
                                     ArrayRef<AccessGroup> groups,
                                     int64_t width, Type resultType,
                                     Value pad) {
  if (isByPredicate(emitter, access, groups, width))
    return loadElementsByPredicate(emitter, access, plan, groups, resultType,
                                   pad);
  SmallVector<Value> registers(plan.places.size());
  for (const AccessGroup &group : groups) {
    int64_t count = group.registers.size() * width;
    auto loadAll = [&] {
      return loadGroup(emitter, access, plan, group, width, resultType);
    };
    auto padAll = [&] { return SmallVector<Value>(count, pad); };
    SmallVector<Value> values;
    if (!group.condition)
      values = loadAll();
    else if (matchPattern(group.condition, m_Zero()))
      values = padAll();
    else
      values = branch(emitter, group.condition, pad.getType(), count, loadAll,
                      padAll);
    for (auto [index, reg] : llvm::enumerate(group.registers))
      for (int64_t i = 0; i < width; ++i)
        registers[reg + i] = values[index * width + i];
  }
  return registers;
}

SmallVector<Value> tile::loadRegisters(ThreadEmitter &emitter,
                                       SideAccess &access,
                                       int64_t registerCount, int64_t width,
                                       Type resultType, Value pad) {
  AccessPlan plan(access, registerCount, width);
  auto loadChecked = [&] {
    return loadGroups(emitter, access, plan, plan.getGroups(access), plan.width,
                      resultType, pad);
  };
  if (!plan.tileInBounds)
    return loadChecked();
  auto loadInside = [&] {
    return loadGroups(emitter, access, plan, plan.groupsInside,
                      plan.widthInside, resultType, pad);
  };
  return branch(emitter, plan.tileInBounds, pad.getType(), registerCount,
                loadInside, loadChecked);
}

/// Stores every group under its condition and `guard`.
static void storeGroups(ThreadEmitter &emitter, SideAccess &access,
                        const AccessPlan &plan, ArrayRef<AccessGroup> groups,
                        int64_t width, ArrayRef<Value> registers,
                        Type valueType, Value guard) {
  for (const AccessGroup &group : groups) {
    Value condition = emitter.both(guard, group.condition);
    if (condition && matchPattern(condition, m_Zero()))
      continue;
    Type type = access.getElementType();
    emitter.emitUnder(condition, [&] {
      for (int64_t reg : group.registers) {
        SmallVector<Value> elements = convertElements(
            emitter, registers.slice(reg, width), valueType, type);
        for (Value &element : elements)
          element = emitter.toMemory(element, type);
        emitter.storeElements(elements, plan.places[reg], type);
      }
    });
  }
}

void tile::storeRegisters(ThreadEmitter &emitter, SideAccess &access,
                          ArrayRef<Value> registers, int64_t width,
                          Type valueType, Value guard) {
  AccessPlan plan(access, registers.size(), width);
  auto storeChecked = [&] {
    storeGroups(emitter, access, plan, plan.getGroups(access), plan.width,
                registers, valueType, guard);
    return SmallVector<Value>();
  };
  if (!plan.tileInBounds) {
    storeChecked();
    return;
  }
  auto storeInside = [&] {
    storeGroups(emitter, access, plan, plan.groupsInside, plan.widthInside,
                registers, valueType, guard);
    return SmallVector<Value>();
  };
  branch(emitter, plan.tileInBounds, Type(), 0, storeInside, storeChecked);
}

/// Lowers `op` with the number of the thread read anew, so that nothing of it is kept in
/// registers from the start of the kernel.
template <typename Op>
static LogicalResult
lowerAnew(ThreadEmitter &emitter, Op op,
          llvm::function_ref<LogicalResult(ThreadEmitter &, Op)> lower) {
  OpBuilder &builder = emitter.builder;
  Value thread =
      emitter.emitAssembly("mov.u32 $0, %tid.x;", "=r", builder.getI32Type(),
                           ValueRange(), /*hasEffects=*/true);
  Operation *endOfPrologue =
      LLVM::PoisonOp::create(builder, emitter.loc, builder.getI1Type());
  ThreadScope &outside = emitter.getScope();
  ThreadScope scope(emitter, emitter.target, thread,
                    outside.getWarpCount() * emitter.target.warpSize,
                    endOfPrologue);
  emitter.setScope(scope);
  LogicalResult lowered = lower(emitter, op);
  emitter.setScope(outside);
  endOfPrologue->erase();
  if (thread.use_empty())
    thread.getDefiningOp()->erase();
  return lowered;
}

static LogicalResult lowerLoad(ThreadEmitter &emitter, LoadOp op) {
  if (emitter.loadedAhead.erase(op))
    return success();
  if (isMatrixLoad(emitter, op)) {
    lowerMatrixLoad(emitter, op);
    return success();
  }
  RankedTensorType type = op.getType();
  Type scalarType = emitter.convertScalarType(type.getElementType());
  if (!scalarType)
    return emitter.notImplemented(op, "fragments of ") << type.getElementType();
  const tilec::FragmentLayout &layout = emitter.getLayout(type);
  FailureOr<SideAccess> access = createAccess(emitter, op);
  if (failed(access))
    return failure();
  if (loadCutVectors(emitter, op, *access))
    return success();
  access->clampToShape();
  Value pad =
      op.getPad() ? emitter.getScalar(op.getPad()) : emitter.zero(scalarType);
  emitter.bind(op.getResult(),
               loadRegisters(emitter, *access, layout.getRegisterCount(),
                             access->getWidth(), type.getElementType(), pad));
  return success();
}

static LogicalResult lowerStore(ThreadEmitter &emitter, StoreOp op) {
  if (isMatrixStore(emitter, op)) {
    lowerMatrixStore(emitter, op);
    return success();
  }
  if (std::optional<Stagger> stagger = findStagger(emitter, op)) {
    lowerStaggeredStore(emitter, op, *stagger);
    return success();
  }
  auto type = cast<RankedTensorType>(op.getValue().getType());
  const tilec::FragmentLayout &layout = emitter.getLayout(type);
  FailureOr<SideAccess> access = createAccess(emitter, op);
  if (failed(access))
    return failure();
  SmallVector<Value> registers =
      llvm::to_vector(emitter.getValues(op.getValue()));
  Type element = type.getElementType();
  Value guard = emitter.getScope().getIsFirstReplica(layout);
  if (!storeCutVectors(emitter, op, *access, registers, guard))
    storeRegisters(emitter, *access, registers, access->getWidth(), element,
                   guard);
  return success();
}

void tile::registerMemoryLowerings(LoweringTable &table) {
  table.add(+[](ThreadEmitter &emitter, LoadOp op) {
    return isOfRowStore(op) ? lowerAnew<LoadOp>(emitter, op, lowerLoad)
                            : lowerLoad(emitter, op);
  });
  table.add(+[](ThreadEmitter &emitter, StoreOp op) {
    return isOfRowStore(op) ? lowerAnew<StoreOp>(emitter, op, lowerStore)
                            : lowerStore(emitter, op);
  });
}
