//===- Atomic.cpp - Atomic read-modify-write ------------------------------===//
//
// Element by element, relaxed, in global and shared memory: neighbours by one
// `red.add` where the operation says so, others by LLVM's `atomicrmw` where the
// chip has the instruction, else by a loop around compare-and-exchange (LLVM
// would make one too, but its first read is not atomic). LLVM drops the ordering
// and scope of `atomicrmw` on this target: it is always relaxed at device scope,
// which is what is meant.
//
// Before there were vectors, two neighbours of 16 bits share a word: f16 have a
// `red.add` of both, each atomic by itself; bf16 are exchanged together, where all
// those of the kernel are. An exchange of a word and one of its half, side by side,
// would be a race.
//
// An atomic of the block as a whole (in `tile.once`) is acquire-release at
// device scope: fences before and after a relaxed one.
//
//===----------------------------------------------------------------------===//

#include "../Compute/ByteWords.h"
#include "ScalarAccess.h"
#include "SideAccess.h"
#include "tile/Analysis/AccessWidth.h"
#include "tile/Hardware/ScalarInstruction.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::tile;
using arith::AtomicRMWKind;

static constexpr llvm::StringLiteral deviceScope = "device";

/// The operation of `atomicrmw` that is one instruction on the chip, if any.
static std::optional<LLVM::AtomicBinOp>
findInstruction(ThreadEmitter &emitter, AtomicRMWKind kind, Type type) {
  bool addsFloats = type.isF16() || type.isF32() || type.isF64() ||
                    (type.isBF16() && tilec::bfloat16AtomicAdd.isAvailable(
                                          emitter.target, /*ptxVersion=*/0));
  switch (kind) {
  case AtomicRMWKind::addf:
    return addsFloats ? std::optional(LLVM::AtomicBinOp::fadd) : std::nullopt;
  case AtomicRMWKind::assign:
    return type.getIntOrFloatBitWidth() >= 32
               ? std::optional(LLVM::AtomicBinOp::xchg)
               : std::nullopt;
  case AtomicRMWKind::addi:
    return LLVM::AtomicBinOp::add;
  case AtomicRMWKind::andi:
    return LLVM::AtomicBinOp::_and;
  case AtomicRMWKind::ori:
    return LLVM::AtomicBinOp::_or;
  case AtomicRMWKind::xori:
    return LLVM::AtomicBinOp::_xor;
  case AtomicRMWKind::maxs:
    return LLVM::AtomicBinOp::max;
  case AtomicRMWKind::maxu:
    return LLVM::AtomicBinOp::umax;
  case AtomicRMWKind::mins:
    return LLVM::AtomicBinOp::min;
  case AtomicRMWKind::minu:
    return LLVM::AtomicBinOp::umin;
  default:
    return std::nullopt;
  }
}

/// What the atomic puts in place of `old`.
static Value combine(ThreadEmitter &emitter, AtomicRMWKind kind, Value old,
                     Value value) {
  if (kind == AtomicRMWKind::assign)
    return value;
  return arith::getReductionOp(kind, emitter.builder, emitter.loc, old, value);
}

/// The bits found at `pointer`, replaced if they were `expected`. 16 bits have
/// an instruction that LLVM does not use: it exchanges the 32 around them,
/// after a read that is not atomic and may lie beyond the buffer.
static Value emitCompareExchange(ThreadEmitter &emitter, Value pointer,
                                 Value expected, Value replacement) {
  OpBuilder &builder = emitter.builder;
  Location loc = emitter.loc;
  Type type = expected.getType();
  if (type.isInteger(16)) {
    bool isShared =
        cast<LLVM::LLVMPointerType>(pointer.getType()).getAddressSpace() ==
        static_cast<unsigned>(NVVM::NVVMMemorySpace::Shared);
    std::string text = std::string("atom.relaxed.gpu.") +
                       (isShared ? "shared" : "global") +
                       ".cas.b16 $0, [$1], $2, $3;";
    return emitter.emitAssembly(text, "=h,l,h,h,~{memory}", type,
                                {pointer, expected, replacement});
  }
  auto exchange = LLVM::AtomicCmpXchgOp::create(
      builder, loc, pointer, expected, replacement,
      LLVM::AtomicOrdering::monotonic, LLVM::AtomicOrdering::monotonic,
      deviceScope);
  return LLVM::ExtractValueOp::create(builder, loc, exchange,
                                      ArrayRef<int64_t>{0});
}

/// `value`, one element or a pair of them, combined by: old = *p; do { seen = old; old =
/// cas(p, seen, f(seen, value)) } while changed. Compares bits, so that NaN ends the loop
/// too. The first read is atomic: others change the element meanwhile.
static Value emitExchangeLoop(ThreadEmitter &emitter, AtomicRMWKind kind,
                              Value pointer, Value value) {
  OpBuilder &builder = emitter.builder;
  Location loc = emitter.loc;
  Type type = value.getType();
  auto pair = dyn_cast<VectorType>(type);
  Type bits = builder.getIntegerType(pair ? pair.getNumElements() *
                                                pair.getElementTypeBitWidth()
                                          : type.getIntOrFloatBitWidth());
  Value first = LLVM::LoadOp::create(
      builder, loc, bits, pointer, bits.getIntOrFloatBitWidth() / 8,
      /*isVolatile=*/false, /*isNonTemporal=*/false, /*isInvariant=*/false,
      /*isInvariantGroup=*/false, LLVM::AtomicOrdering::monotonic, deviceScope);
  auto loop =
      scf::WhileOp::create(builder, loc, TypeRange(bits), ValueRange(first));
  auto behindLoop = builder.saveInsertionPoint();
  Block *before = builder.createBlock(&loop.getBefore(), {}, bits, loc);
  Value expected = before->getArgument(0);
  Value old = builder.createOrFold<LLVM::BitcastOp>(loc, type, expected);
  Value replacement = builder.createOrFold<LLVM::BitcastOp>(
      loc, bits, combine(emitter, kind, old, value));
  Value seen = emitCompareExchange(emitter, pointer, expected, replacement);
  Value changed = emitter.compare(arith::CmpIPredicate::ne, seen, expected);
  scf::ConditionOp::create(builder, loc, changed, seen);
  Block *after = builder.createBlock(&loop.getAfter(), {}, bits, loc);
  scf::YieldOp::create(builder, loc, after->getArgument(0));
  builder.restoreInsertionPoint(behindLoop);
  return builder.createOrFold<LLVM::BitcastOp>(loc, type, loop.getResult(0));
}

/// One relaxed atomic; gives the value before it.
static Value emitRelaxed(ThreadEmitter &emitter, AtomicRMWKind kind,
                         Value pointer, Value value) {
  auto instruction = findInstruction(emitter, kind, value.getType());
  if (!instruction)
    return emitExchangeLoop(emitter, kind, pointer, value);
  return LLVM::AtomicRMWOp::create(
      emitter.builder, emitter.loc, *instruction, pointer, value,
      LLVM::AtomicOrdering::monotonic, deviceScope);
}

/// Adds `values` to as many neighbours at `pointer`, to each by a relaxed atomic.
static void emitVectorAdd(ThreadEmitter &emitter, Value pointer,
                          ArrayRef<Value> values) {
  OpBuilder &builder = emitter.builder;
  Type type = values.front().getType();
  bool isWord = type.isF32();
  SmallVector<Value> operands{pointer};
  std::string list, constraints = "l";
  for (Value value : values) {
    list += (list.empty() ? "$" : ", $") + std::to_string(operands.size());
    constraints += isWord ? ",f" : ",h";
    operands.push_back(isWord ? value
                              : builder.createOrFold<arith::BitcastOp>(
                                    emitter.loc, builder.getI16Type(), value));
  }
  std::string text =
      llvm::formatv("red.relaxed.gpu.global.add{0}.v{1}.{2} [$0], {{{3}};",
                    isWord ? "" : ".noftz", values.size(), type, list);
  emitter.emitAssembly(text, constraints + ",~{memory}", Type(), operands);
}

/// Adds `values`, two of 16 bits, to the word at `pointer`.
static void emitPairAdd(ThreadEmitter &emitter, Value pointer,
                        ArrayRef<Value> values) {
  OpBuilder &builder = emitter.builder;
  Location loc = emitter.loc;
  // A number that is none must not spoil its neighbour.
  Value pair =
      LLVM::FreezeOp::create(builder, loc, emitter.joinInVector(values));
  if (!values.front().getType().isF16() ||
      !tilec::halfPairAtomicAdd.isAvailable(emitter.target, /*ptxVersion=*/0)) {
    emitExchangeLoop(emitter, AtomicRMWKind::addf, pointer, pair);
    return;
  }
  Value word =
      LLVM::BitcastOp::create(builder, loc, builder.getI32Type(), pair);
  emitter.emitAssembly("red.relaxed.gpu.global.add.noftz.f16x2 [$0], $1;",
                       "l,r,~{memory}", Type(), {pointer, word});
}

/// Adds `values` to as many neighbours at `pointer`, each atomically.
static void emitAdd(ThreadEmitter &emitter, Value pointer,
                    ArrayRef<Value> values) {
  if (tilec::vectorAtomicAdd.isAvailable(emitter.target, /*ptxVersion=*/0))
    return emitVectorAdd(emitter, pointer, values);
  emitPairAdd(emitter, pointer, values);
}

/// Atomics exist on 32 and 64 bits, and on floats of 16.
static bool isAtomicType(Type type) {
  return type.isInteger(32) || type.isInteger(64) || type.isIndex() ||
         type.isF16() || type.isBF16() || type.isF32() || type.isF64();
}

/// Whether the chip combines as many neighbours as the operation says, and they lie
/// together.
static LogicalResult verifyWidth(ThreadEmitter &emitter, AtomicRMWOp op,
                                 const tilec::FragmentLayout &layout) {
  int64_t width = op.getVectorWidth().value_or(1);
  if (width == 1)
    return success();
  int64_t largest = getLargestWidth(op, emitter.target);
  if (width > largest)
    return op.emitError("an atomic of ")
           << width << " elements is not possible: " << emitter.target.name
           << " combines " << largest << " at once";
  int64_t widest = getAccessWidth(emitter.facts, op.getDestSide(), layout);
  if (widest % width != 0)
    return op.emitError("an atomic of ")
           << width << " elements is not possible here: they must lie together "
           << "and aligned, and the widest access is " << widest << " elements";
  return success();
}

/// How many elements are combined at once: fewer than `op` says where it would exchange
/// words beside others of the kernel that exchange halves of them.
static int64_t getWidth(ThreadEmitter &emitter, AtomicRMWOp op) {
  int64_t width = op.getVectorWidth().value_or(1);
  auto isBF16 = [](Type type) { return type.isBF16(); };
  if (width == 1 || !isBF16(op.getDestSide().getType().getElementType()) ||
      tilec::vectorAtomicAdd.isAvailable(emitter.target, /*ptxVersion=*/0))
    return width;
  bool exchangesHalves = false;
  auto kernel = op->getParentOfType<FunctionOpInterface>();
  kernel.walk([&](memref::AtomicRMWOp other) {
    exchangesHalves |= isBF16(other.getMemRefType().getElementType());
  });
  kernel.walk([&](AtomicRMWOp other) {
    exchangesHalves |= other.getVectorWidth().value_or(1) == 1 &&
                       isBF16(other.getDestSide().getType().getElementType());
  });
  return exchangesHalves ? 1 : width;
}

static LogicalResult lowerAtomic(ThreadEmitter &emitter, AtomicRMWOp op) {
  auto type = cast<RankedTensorType>(op.getValue().getType());
  if (!isAtomicType(type.getElementType()))
    return emitter.notImplemented(op, "atomics on ") << type.getElementType();
  const tilec::FragmentLayout &layout = emitter.getLayout(type);
  FailureOr<SideAccess> access = SideAccess::create(
      emitter, op, op.getDestSide(), type.getShape(), layout);
  if (failed(access) || failed(verifyWidth(emitter, op, layout)))
    return failure();
  int64_t count = layout.getRegisterCount(), width = getWidth(emitter, op);
  ArrayRef<Value> values = emitter.getValues(op.getValue());
  SmallVector<Value> pointers(count);
  SmallVector<AccessGroup> groups =
      groupByCondition(count, width, [&](int64_t reg) {
        pointers[reg] = access->getPointer(reg);
        return access->getCondition(reg);
      });
  for (AccessGroup &group : groups)
    emitter.emitUnder(
        emitter.both(emitter.getScope().getIsFirstReplica(layout),
                     group.condition),
        [&] {
          for (int64_t reg : group.registers)
            if (width == 1)
              emitRelaxed(emitter, op.getKind(), pointers[reg], values[reg]);
            else
              emitAdd(emitter, pointers[reg], values.slice(reg, width));
        });
  return success();
}

static LogicalResult lowerScalarAtomic(ThreadEmitter &emitter,
                                       memref::AtomicRMWOp op) {
  Type elementType = op.getMemRefType().getElementType();
  if (!isAtomicType(elementType))
    return emitter.notImplemented(op, "atomics on ") << elementType;
  SmallVector<Value> indices;
  for (Value index : op.getIndices())
    indices.push_back(emitter.getScalar(index));
  Value pointer = getElementPlace(emitter, op.getMemref(), indices).pointer;
  bool isRelaxed = static_cast<bool>(emitter.iteration.loop);
  auto fence = [&] {
    if (!isRelaxed)
      LLVM::FenceOp::create(emitter.builder, emitter.loc,
                            LLVM::AtomicOrdering::acq_rel, deviceScope);
  };
  fence();
  Value old = emitRelaxed(emitter, op.getKind(), pointer,
                          emitter.getScalar(op.getValue()));
  fence();
  emitter.bind(op.getResult(), old);
  return success();
}

void tile::registerAtomicLowerings(LoweringTable &table) {
  table.add(lowerAtomic);
  table.add(lowerScalarAtomic);
}
