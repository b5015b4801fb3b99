//===- Memory.cpp - Loads and stores of fragments -------------------------===//
//
// A thread moves the registers it holds: as many at once as are consecutive in
// memory (up to 16 bytes), under the condition that they lie inside the memref.
// Accesses under one condition share one branch; addresses are computed outside,
// where LLVM can hoist them out of loops.
//
//===----------------------------------------------------------------------===//

#include "SideAccess.h"

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

/// Loads `width` registers from `pointer`, as values of `resultType`.
static void loadConverted(ThreadEmitter &emitter, SideAccess &access,
                          Value pointer, int64_t width, Type resultType,
                          SmallVectorImpl<Value> &registers) {
  Value raw = emitter.load(pointer, access.getMemoryType(), width);
  for (int64_t i = 0; i < width; ++i) {
    Value element = width == 1
                        ? raw
                        : Value(LLVM::ExtractElementOp::create(
                              emitter.builder, emitter.loc, raw,
                              emitter.i32(i)));
    element = emitter.fromMemory(element, access.getElementType());
    registers.push_back(
        emitter.convertElement(element, access.getElementType(), resultType));
  }
}

SmallVector<Value> tile::loadRegisters(ThreadEmitter &emitter,
                                       SideAccess &access,
                                       int64_t registerCount, int64_t width,
                                       Type resultType, Value pad) {
  OpBuilder &builder = emitter.builder;
  Location loc = emitter.loc;
  SmallVector<Value> pointers(registerCount), registers(registerCount);
  SmallVector<AccessGroup> groups =
      groupByCondition(registerCount, width, [&](int64_t reg) {
        pointers[reg] = access.getPointer(reg);
        return access.getCondition(reg);
      });
  for (AccessGroup &group : groups) {
    auto loadAll = [&] {
      SmallVector<Value> loaded;
      for (int64_t reg : group.registers)
        loadConverted(emitter, access, pointers[reg], width, resultType,
                      loaded);
      return loaded;
    };
    int64_t count = group.registers.size() * width;
    SmallVector<Value> padded(count, pad);
    SmallVector<Value> values;
    if (!group.condition) {
      values = loadAll();
    } else if (matchPattern(group.condition, m_Zero())) {
      values = padded;
    } else {
      auto branch = scf::IfOp::create(
          builder, loc, SmallVector<Type>(count, pad.getType()),
          group.condition, /*addThenBlock=*/true, /*addElseBlock=*/true);
      OpBuilder::InsertionGuard guard(builder);
      branch.thenBlock()->clear();
      branch.elseBlock()->clear();
      builder.setInsertionPointToEnd(branch.thenBlock());
      SmallVector<Value> loaded = loadAll();
      scf::YieldOp::create(builder, loc, loaded);
      builder.setInsertionPointToEnd(branch.elseBlock());
      scf::YieldOp::create(builder, loc, padded);
      llvm::append_range(values, branch.getResults());
    }
    for (auto [index, reg] : llvm::enumerate(group.registers))
      for (int64_t i = 0; i < width; ++i)
        registers[reg + i] = values[index * width + i];
  }
  return registers;
}

void tile::storeRegisters(ThreadEmitter &emitter, SideAccess &access,
                          ArrayRef<Value> registers, int64_t width,
                          Type valueType, Value guard) {
  SmallVector<Value> pointers(registers.size());
  llvm::DenseMap<Value, Value> guarded;
  SmallVector<AccessGroup> groups =
      groupByCondition(registers.size(), width, [&](int64_t reg) {
        pointers[reg] = access.getPointer(reg);
        return access.getCondition(reg);
      });
  for (AccessGroup &group : groups) {
    Value condition = emitter.both(guard, group.condition);
    if (condition && matchPattern(condition, m_Zero()))
      continue;
    emitter.emitUnder(condition, [&] {
      for (int64_t reg : group.registers) {
        SmallVector<Value> elements;
        for (Value value : registers.slice(reg, width))
          elements.push_back(emitter.toMemory(
              emitter.convertElement(value, valueType, access.getElementType()),
              access.getElementType()));
        emitter.store(elements, pointers[reg], access.getMemoryType());
      }
    });
  }
}

LogicalResult ThreadEmitter::emitLoad(LoadOp op) {
  RankedTensorType type = op.getType();
  Type scalarType = convertScalarType(type.getElementType());
  if (!scalarType)
    return notImplemented(op, "fragments of ") << type.getElementType();
  const tilec::FragmentLayout &layout = getLayout(type);
  FailureOr<SideAccess> access = SideAccess::create(
      *this, op, op.getSourceSide(), type.getShape(), layout);
  if (failed(access))
    return failure();
  Value pad = op.getPad() ? getScalar(op.getPad()) : zero(scalarType);
  bind(op.getResult(),
       loadRegisters(*this, *access, layout.getRegisterCount(),
                     access->getWidth(), type.getElementType(), pad));
  return success();
}

LogicalResult ThreadEmitter::emitStore(StoreOp op) {
  auto type = cast<RankedTensorType>(op.getValue().getType());
  const tilec::FragmentLayout &layout = getLayout(type);
  FailureOr<SideAccess> access = SideAccess::create(
      *this, op, op.getDestSide(), type.getShape(), layout);
  if (failed(access))
    return failure();
  SmallVector<Value> registers = llvm::to_vector(getValues(op.getValue()));
  storeRegisters(*this, *access, registers, access->getWidth(),
                 type.getElementType(), getIsFirstReplica(layout));
  return success();
}
