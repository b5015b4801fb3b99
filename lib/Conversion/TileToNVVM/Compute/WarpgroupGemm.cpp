//===- WarpgroupGemm.cpp - Matrix products of a warpgroup ----------------===//
//
// The instructions of a product are started one after the other and waited for
// as one group:
//
//     wgmma.fence             registers are written
//     for k, for m, n:        C[m, n] += A[m, k] * B[k, n]
//     wgmma.commit_group
//     wgmma.wait_group 0      gives C
//
// Until the wait nothing may touch the registers of A and C, so all of A that
// comes from registers is there before the fence, and the accumulators go
// through the fence and the wait: neither LLVM nor ptxas moves what defines or
// uses them past it. The metadata of a sparse A come from registers too; these may
// change once the instruction is issued.
//
// By inline assembly, one piece for all instructions: upstream's operation knows
// no A in registers, and gives a struct that would be taken apart at each step,
// which takes LLVM most of its time.
//
//===----------------------------------------------------------------------===//

#include "WarpgroupGemm.h"

#include "GemmOperand.h"
#include "MatrixDescriptor.h"
#include "SparseMetadata.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::tile;
using tilec::ElementKind;
using tilec::GemmPlan;
using tilec::MatrixInstruction;

//===----------------------------------------------------------------------===//
// Inline assembly
//===----------------------------------------------------------------------===//

/// The constraint of a register: f32, i32 or i64.
static StringRef getConstraint(Type type) {
  if (type.isF32())
    return "f";
  return type.isInteger(64) ? "l" : "r";
}

/// Emits `text`, whose operands are first the `changed` registers, then, as far
/// as `isRead`, the same again, then `inputs`; gives the new values.
static SmallVector<Value> emitAssembly(ThreadEmitter &emitter, StringRef text,
                                       ArrayRef<Value> changed, bool isRead,
                                       ArrayRef<Value> inputs) {
  OpBuilder &builder = emitter.builder;
  SmallVector<Type> types;
  std::string constraints;
  auto append = [&](const Twine &constraint) {
    if (!constraints.empty())
      constraints += ",";
    constraints += constraint.str();
  };
  for (Value value : changed) {
    types.push_back(value.getType());
    append("=&" + getConstraint(value.getType()));
  }
  SmallVector<Value> operands;
  if (isRead) {
    llvm::append_range(operands, changed);
    for (size_t i = 0; i < changed.size(); ++i)
      append(Twine(i));
  }
  for (Value value : inputs) {
    operands.push_back(value);
    append(getConstraint(value.getType()));
  }
  auto type = LLVM::LLVMStructType::getLiteral(builder.getContext(), types);
  Value result = emitter.emitAssembly(text, constraints, type, operands);
  SmallVector<Value> values;
  for (size_t i = 0; i < changed.size(); ++i)
    values.push_back(
        LLVM::ExtractValueOp::create(builder, emitter.loc, result, i));
  return values;
}

/// The same values by no instruction: what makes them stays in front of what
/// stands here, what uses them behind. Of values that others use, too, LLVM makes
/// a copy in front.
static SmallVector<Value> pin(ThreadEmitter &emitter,
                              ArrayRef<Value> accumulators) {
  return emitAssembly(emitter, "", accumulators, /*isRead=*/true, {});
}

//===----------------------------------------------------------------------===//
// Accumulators
//===----------------------------------------------------------------------===//

/// The registers of a fragment as the instruction has them: two f16 in one i32.
static SmallVector<Value> pack(ThreadEmitter &emitter, ArrayRef<Value> elements,
                               int64_t perRegister) {
  if (perRegister == 1)
    return llvm::to_vector(elements);
  OpBuilder &builder = emitter.builder;
  SmallVector<Value> registers;
  for (; !elements.empty(); elements = elements.drop_front(perRegister))
    registers.push_back(LLVM::BitcastOp::create(
        builder, emitter.loc, builder.getI32Type(),
        emitter.joinInVector(elements.take_front(perRegister))));
  return registers;
}

static SmallVector<Value> unpack(ThreadEmitter &emitter,
                                 ArrayRef<Value> registers, Type scalar,
                                 int64_t perRegister) {
  if (perRegister == 1)
    return llvm::to_vector(registers);
  OpBuilder &builder = emitter.builder;
  SmallVector<Value> elements;
  auto type = VectorType::get({perRegister}, scalar);
  for (Value reg : registers)
    emitter.appendElements(
        LLVM::BitcastOp::create(builder, emitter.loc, type, reg), elements);
  return elements;
}

/// Whether nothing, or plus zero, is added.
static bool startsAtZero(Value c) {
  return !c || matchPattern(c, m_PosZeroFloat()) || matchPattern(c, m_Zero());
}

//===----------------------------------------------------------------------===//
// The product
//===----------------------------------------------------------------------===//

/// The warpgroup's part along M or N, of `part` elements, where `inner` groups
/// come before the next part and `count` have parts.
static ThreadCoordinate getGroupCoordinate(ThreadEmitter &emitter,
                                           int64_t inner, int64_t count,
                                           int64_t outer, int64_t part) {
  using tilec::Digit;
  tilec::Digits warps;
  for (Digit digit :
       {Digit{inner, Digit::replicated, 0}, Digit{count, /*dim=*/0, part},
        Digit{outer, Digit::replicated, 0}})
    if (digit.extent > 1)
      warps.push_back(digit);
  return emitter.getScope().getCoordinate({}, warps, /*dim=*/0);
}

namespace {
/// One gemm by one warpgroup.
class WarpgroupGemm {
public:
  WarpgroupGemm(ThreadEmitter &emitter, MatrixProductOpInterface op,
                const GemmPlan &plan);

  LogicalResult verify();
  /// Starts the product; gives the accumulators that are in flight.
  SmallVector<Value> start();

private:
  SmallVector<int64_t> getRegisters(int64_t m, int64_t n) const;
  void loadRowsOfA();
  void loadMetadata();
  void prepareDescriptors();
  bool keepDescriptors();
  std::string getOperand(Value input);
  std::string getOperand(const Descriptor &descriptor, StringRef name,
                         std::string &sums);
  std::string getMetadata(int64_t k, int64_t tileM);
  std::string multiply(int64_t k, int64_t tileM, int64_t tileN);

  ThreadEmitter &emitter;
  MatrixProductOpInterface op;
  const GemmPlan &plan;
  const MatrixInstruction &row;
  /// One of the two is operand A.
  std::optional<GemmOperand> registersA;
  std::optional<DescribedOperand> describedA;
  std::optional<DescribedOperand> b;
  bool areDescriptorsKept = false;
  /// Of A in registers: by step of K and tile along M.
  SmallVector<SmallVector<SmallVector<Value>>> rowsOfA;
  /// Of a sparse A, with what loads it: by step of K and tile along M.
  std::optional<SparseMetadata> metadata;
  SmallVector<SmallVector<Value>> kept;
  /// What the assembly reads besides accumulators, from operand `firstInput` on.
  SmallVector<Value> inputs;
  int64_t firstInput = 0;
};
} // namespace

WarpgroupGemm::WarpgroupGemm(ThreadEmitter &emitter,
                             MatrixProductOpInterface op, const GemmPlan &plan)
    : emitter(emitter), op(op), plan(plan), row(*plan.instruction) {
  int64_t warps = row.accumulator.layout.getExtent(tilec::HardwareDim::Warp);
  if (row.a.space == tilec::OperandSpace::Registers)
    registersA.emplace(emitter, op.getA(), op.getLoadAAttr(),
                       op.getTransposeA(), plan.a, row.a.layout, row.kindA,
                       row.a.elementsPerRegister, plan.pairs.a);
  else
    describedA.emplace(emitter, op.getA(), op.getTransposeA(), row.a,
                       /*isB=*/false,
                       tilec::Coordinate{row.m, row.getStoredColumns(row.k)},
                       getGroupCoordinate(emitter, warps, plan.warpsM,
                                          plan.warpsN, row.m * plan.tilesM));
  b.emplace(emitter, op.getB(), !op.getTransposeB(), row.b, /*isB=*/true,
            tilec::Coordinate{row.k, row.n},
            getGroupCoordinate(emitter, warps * plan.warpsM, plan.warpsN, 1,
                               row.n * plan.tilesN));
  if (OpOperand *use = op.getMetadata())
    metadata.emplace(emitter, use->get(), plan);
}

LogicalResult WarpgroupGemm::verify() {
  if (registersA && failed(registersA->verify(op)))
    return failure();
  if (describedA && failed(describedA->verify(op)))
    return failure();
  return b->verify(op);
}

/// The registers of the result, packed, of the instruction's result whose tile
/// begins at (m, n).
SmallVector<int64_t> WarpgroupGemm::getRegisters(int64_t m, int64_t n) const {
  SmallVector<int64_t> registers;
  int64_t perRegister = row.accumulator.elementsPerRegister;
  for (int64_t reg = 0; reg < row.accumulator.getRegisterCount(); ++reg) {
    tilec::Coordinate part =
        getRegisterCoordinate(row.accumulator.layout, reg * perRegister);
    registers.push_back(
        getRegister(plan.result, plan.getPlace({m + part[0], n + part[1]})) /
        perRegister);
  }
  return registers;
}

void WarpgroupGemm::loadRowsOfA() {
  OpBuilder &builder = emitter.builder;
  for (int64_t k = 0; k < op.getK(); k += row.k) {
    rowsOfA.push_back(registersA->load(row.getStoredColumns(k)));
    for (SmallVector<Value> &tile : rowsOfA.back())
      for (Value &reg : tile)
        if (!reg.getType().isInteger(32))
          reg = LLVM::BitcastOp::create(builder, emitter.loc,
                                        builder.getI32Type(), reg);
  }
}

void WarpgroupGemm::loadMetadata() {
  for (int64_t k = 0; k < op.getK(); k += row.k)
    kept.push_back(llvm::to_vector(metadata->load(k)));
}

void WarpgroupGemm::prepareDescriptors() {
  for (int64_t k = 0; k < op.getK(); k += row.k) {
    for (int64_t m = 0; describedA && m < plan.tilesM; ++m)
      describedA->prepare(m * row.m, row.getStoredColumns(k));
    for (int64_t n = 0; n < plan.tilesN; ++n)
      b->prepare(n * row.n, k);
  }
}

/// Whether the descriptors of this product are kept over the loop around it, which
/// saves their sums: in steps of a round that are under conditions, as far as
/// uniform registers go. ptxas moves what does not fit to them each time.
bool WarpgroupGemm::keepDescriptors() {
  // An instruction's two descriptors take 4 of 63; some are for other things.
  constexpr int64_t limit = 12;
  Operation *loop = op->getParentOfType<LoopLikeOpInterface>();
  if (!loop || op->getParentOp() == loop)
    return false;
  int64_t instructions = op.getK() / row.k * plan.tilesM * plan.tilesN;
  int64_t &kept = emitter.keptDescriptors[loop];
  if (kept + instructions > limit)
    return false;
  kept += instructions;
  return true;
}

/// The operand of the assembly that `input` is.
std::string WarpgroupGemm::getOperand(Value input) {
  auto found = llvm::find(inputs, input);
  if (found == inputs.end())
    found = inputs.insert(inputs.end(), input);
  return "$" + std::to_string(firstInput + (found - inputs.begin()));
}

/// The register that holds a descriptor, computed in `sums` under `name` where it
/// is a sum.
std::string WarpgroupGemm::getOperand(const Descriptor &descriptor,
                                      StringRef name, std::string &sums) {
  std::string base = getOperand(descriptor.base);
  if (descriptor.offset == 0)
    return base;
  sums += (".reg .b64 " + name + ";\n\tadd.s64 " + name + ", " + base + ", " +
           Twine(descriptor.offset) + ";\n\t")
              .str();
  return name.str();
}

/// The register of metadata and whose lanes' of it an instruction takes; nothing of a
/// dense A.
std::string WarpgroupGemm::getMetadata(int64_t k, int64_t tileM) {
  if (!metadata)
    return "";
  return ", " + getOperand(kept[k / row.k][tileM]) + ", " +
         std::to_string(metadata->getSelector(k));
}

/// The text of one instruction. That it reads the accumulators is a constant of
/// PTX.
std::string WarpgroupGemm::multiply(int64_t k, int64_t tileM, int64_t tileN) {
  bool accumulates = k > 0 || !startsAtZero(op.getC());
  std::string sums, textA, textB;
  if (registersA) {
    SmallVector<std::string> registers;
    for (Value reg : rowsOfA[k / row.k][tileM])
      registers.push_back(getOperand(reg));
    textA = "{" + llvm::join(registers, ", ") + "}";
  } else {
    textA = getOperand(describedA->get(tileM * row.m, row.getStoredColumns(k),
                                       areDescriptorsKept),
                       "a", sums);
  }
  textB = getOperand(b->get(tileN * row.n, k, areDescriptorsKept), "b", sums);

  SmallVector<std::string> sumC;
  for (int64_t reg : getRegisters(tileM * row.m, tileN * row.n))
    sumC.push_back("$" + std::to_string(reg));
  std::string text = "{\n\t" + sums;
  text += StringRef(row.name).drop_back(StringRef(".ss").size());
  text += " {" + llvm::join(sumC, ", ") + "}, " + textA + ", " + textB +
          getMetadata(k, tileM) + ", " + std::to_string(accumulates);
  if (row.kindAccumulator != ElementKind::S32)
    text += ", 1, 1";
  if (tilec::getElementBits(row.kindA) == 16) {
    if (describedA)
      text += describedA->isAcross() ? ", 1" : ", 0";
    text += b->isAcross() ? ", 1" : ", 0";
  }
  return text + ";\n\t}\n\t";
}

SmallVector<Value> WarpgroupGemm::start() {
  int64_t perRegister = row.accumulator.elementsPerRegister;
  SmallVector<Value> accumulators;
  bool isZero = startsAtZero(op.getC());
  if (isZero) {
    Type type = perRegister > 1
                    ? emitter.builder.getI32Type()
                    : emitter.convertScalarType(op.getAccumulatorType());
    accumulators.assign(plan.result.getRegisterCount() / perRegister,
                        emitter.poison(type));
  } else if (isa<PendingType>(op.getC().getType())) {
    accumulators = llvm::to_vector(emitter.getValues(op.getC()));
  } else {
    accumulators = pack(emitter, emitter.getValues(op.getC()), perRegister);
    // Made, or copied, in front of the fence: LLVM would do that behind it, where
    // ptxas puts one of its own (C7519, C7520).
    accumulators = pin(emitter, accumulators);
  }
  if (registersA)
    loadRowsOfA();
  if (metadata)
    loadMetadata();
  prepareDescriptors();
  areDescriptorsKept = keepDescriptors();
  NVVM::WgmmaFenceAlignedOp::create(emitter.builder, emitter.loc);
  firstInput = accumulators.size() * (isZero ? 1 : 2);
  std::string text;
  for (int64_t k = 0; k < op.getK(); k += row.k)
    for (int64_t m = 0; m < plan.tilesM; ++m)
      for (int64_t n = 0; n < plan.tilesN; ++n)
        text += multiply(k, m, n);
  accumulators = emitAssembly(emitter, StringRef(text).rtrim(), accumulators,
                              /*isRead=*/!isZero, inputs);
  NVVM::WgmmaGroupSyncAlignedOp::create(emitter.builder, emitter.loc);
  return accumulators;
}

FailureOr<SmallVector<Value>>
tile::startWarpgroupProduct(ThreadEmitter &emitter, MatrixProductOpInterface op,
                            const GemmPlan &plan) {
  WarpgroupGemm gemm(emitter, op, plan);
  if (failed(gemm.verify()))
    return failure();
  return gemm.start();
}

/// Whether all products have been waited for where `block` has come to `end`: nothing
/// stands behind the wait, or behind a condition all ways of which end with one
/// (isGuarded in ControlFlow.cpp).
static bool areWaitedFor(Block &block, Block::iterator end) {
  while (end != block.begin() && isMemoryEffectFree(&*std::prev(end)))
    --end;
  if (end == block.begin())
    return false;
  Operation &last = *std::prev(end);
  if (auto wait = dyn_cast<NVVM::WgmmaWaitGroupSyncOp>(last))
    return wait.getGroup() == 0;
  auto branch = dyn_cast<RegionBranchOpInterface>(last);
  return branch && !branch.hasLoop() &&
         llvm::all_of(last.getRegions(), [](Region &way) {
           return !way.empty() &&
                  areWaitedFor(way.front(),
                               way.front().getTerminator()->getIterator());
         });
}

void tile::waitForWarpgroupProducts(ThreadEmitter &emitter, int64_t groups) {
  OpBuilder &builder = emitter.builder;
  if (areWaitedFor(*builder.getInsertionBlock(), builder.getInsertionPoint()))
    return;
  NVVM::WgmmaWaitGroupSyncOp::create(emitter.builder, emitter.loc, groups);
}

SmallVector<Value> tile::takeAccumulators(ThreadEmitter &emitter,
                                          ArrayRef<Value> accumulators,
                                          RankedTensorType type) {
  SmallVector<Value> arrived = pin(emitter, accumulators);
  int64_t perRegister =
      emitter.getLayout(type).getRegisterCount() / accumulators.size();
  return unpack(emitter, arrived,
                emitter.convertScalarType(type.getElementType()), perRegister);
}

LogicalResult tile::lowerWarpgroupProduct(ThreadEmitter &emitter,
                                          MatrixProductOpInterface op,
                                          const GemmPlan &plan) {
  auto accumulators = startWarpgroupProduct(emitter, op, plan);
  if (failed(accumulators))
    return failure();
  waitForWarpgroupProducts(emitter, 0);
  emitter.bind(op->getResult(0),
               takeAccumulators(emitter, *accumulators, op.getProductType()));
  return success();
}
