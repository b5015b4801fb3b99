//===- Gemm.cpp - Matrix products of a warp -------------------------------===//
//
// K is unrolled in steps of the instruction. In each step a warp loads the
// registers of its tiles of A and of B once and multiplies every pair:
//
//     for k:  A[tiles along M], B[tiles along N]
//             for m, n:  C[m, n] = mma(A[m], B[n], C[m, n])
//
// A sparse A has half of K's columns, and metadata that says which (see
// SparseMetadata.h).
//
// so that the loop around a gemm holds loads, products and additions of
// addresses. ptxas loads the registers of the next step while it multiplies the
// current one where it has them to spare; loads written a step ahead only cost
// registers (benchmarks/results/2026-11-23-inner-loops.md). Which register holds
// what is the instruction's row in Hardware and the gemm's plan; nothing here
// spells a thread mapping.
//
//===----------------------------------------------------------------------===//

#include "BlockScales.h"
#include "FmaGemm.h"
#include "GemmOperand.h"
#include "SparseMetadata.h"
#include "WarpgroupGemm.h"
#include "tile/Hardware/GemmPlan.h"

using namespace mlir;
using namespace mlir::tile;
using tilec::Coordinate;
using tilec::ElementKind;
using tilec::FragmentLayout;
using tilec::GemmPlan;
using tilec::MatrixInstruction;

/// The intrinsic of an instruction with scales of blocks: of the statement's name
/// `.row.col.kind::K.block_scale.scale_vec::nX` it keeps K and n.
static std::string getScaledIntrinsicName(const MatrixInstruction &row) {
  constexpr llvm::StringLiteral beforeKind = "kind::";
  StringRef kind =
      StringRef(row.name).split(beforeKind).second.split('.').first;
  std::string name = "llvm.nvvm.mma.block.scale.m" + std::to_string(row.m) +
                     "n" + std::to_string(row.n) + "k" + std::to_string(row.k) +
                     ".row.col." + kind.str() + ".scale." +
                     std::to_string(row.getScalesPerStep()) + "x";
  for (ElementKind kind : {row.kindAccumulator, row.kindA, row.kindB,
                           row.kindAccumulator, row.scaling->kind})
    name.append(".").append(tilec::getName(kind));
  return name;
}

/// The intrinsic of an instruction: it leaves out `.sync.aligned`. f16 names its
/// accumulator twice, f8 all four types, the others their operands' (once if
/// equal).
static std::string getIntrinsicName(const MatrixInstruction &row) {
  if (row.scaling)
    return getScaledIntrinsicName(row);
  std::string family = row.name.substr(0, row.name.find(".sync"));
  if (size_t colons = family.find("::"); colons != std::string::npos)
    family.replace(colons, 2, ".");
  std::replace(family.begin(), family.end(), '_', '.');
  std::string name = "llvm.nvvm." + family + ".m" + std::to_string(row.m) +
                     "n" + std::to_string(row.n) + "k" + std::to_string(row.k) +
                     ".row.col";
  auto append = [&](ElementKind kind) {
    name.append(".").append(tilec::getName(kind));
  };
  switch (row.kindA) {
  case ElementKind::F16:
    append(row.kindAccumulator);
    append(row.kindAccumulator);
    break;
  case ElementKind::E4M3:
  case ElementKind::E5M2:
    append(row.kindAccumulator);
    append(row.kindA);
    append(row.kindB);
    append(row.kindAccumulator);
    break;
  default:
    append(row.kindA);
    if (row.kindB != row.kindA)
      append(row.kindB);
  }
  return name;
}

namespace {
/// One product by one warp.
class WarpGemm {
public:
  WarpGemm(ThreadEmitter &emitter, MatrixProductOpInterface op,
           const GemmPlan &plan)
      : emitter(emitter), op(op), plan(plan), row(*plan.instruction),
        a(emitter, op.getA(), op.getLoadAAttr(), op.getTransposeA(), plan.a,
          row.a.layout, row.kindA, row.a.elementsPerRegister, plan.pairs.a),
        b(emitter, op.getB(), op.getLoadBAttr(), !op.getTransposeB(),
          plan.b.transpose({1, 0}), row.b.layout.transpose({1, 0}), row.kindB,
          row.b.elementsPerRegister, plan.pairs.b) {
    if (OpOperand *operand = op.getMetadata())
      metadata.emplace(emitter, operand->get(), plan);
    SmallVector<OpOperand *, 2> uses = op.getScales();
    if (uses.empty())
      return;
    scales.emplace_back(emitter, uses[0]->get(), op.getScaleBlock(), row,
                        *row.scaleA, row.a.layout);
    scales.emplace_back(emitter, uses[1]->get(), op.getScaleBlock(), row,
                        *row.scaleB, row.b.layout.transpose({1, 0}));
  }

  LogicalResult emit();

private:
  using Tile = SmallVector<Value>;
  int64_t getRegister(int64_t m, int64_t n, int64_t element) const;
  Tile packAccumulator(int64_t m, int64_t n);
  void unpackAccumulator(int64_t m, int64_t n, const Tile &tile,
                         SmallVector<Value> &registers);
  Tile getScales(int64_t m, int64_t n, int64_t k);
  void moveSigns(int64_t k, SmallVector<Tile> &rows,
                 SmallVector<Tile> &columns);
  Tile multiply(ArrayRef<Tile> operands, const Tile &sum);
  SmallVector<Tile> loadMetadata(int64_t k);

  ThreadEmitter &emitter;
  MatrixProductOpInterface op;
  const GemmPlan &plan;
  const MatrixInstruction &row;
  GemmOperand a, b;
  std::optional<SparseMetadata> metadata;
  SmallVector<BlockScales, 2> scales; ///< of A and of B, or none
};
} // namespace

/// The register of the result for element `element` of the instruction's result
/// whose tile begins at (m, n).
int64_t WarpGemm::getRegister(int64_t m, int64_t n, int64_t element) const {
  Coordinate part = getRegisterCoordinate(row.accumulator.layout, element);
  return tile::getRegister(plan.result,
                           plan.getPlace({m + part[0], n + part[1]}));
}

WarpGemm::Tile WarpGemm::packAccumulator(int64_t m, int64_t n) {
  OpBuilder &builder = emitter.builder;
  Type scalar = emitter.convertScalarType(op.getAccumulatorType());
  auto getElement = [&](int64_t element) {
    return op.getC() ? emitter.getElement(op.getC(), getRegister(m, n, element))
                     : emitter.zero(scalar);
  };
  Tile tile;
  int64_t perRegister = row.accumulator.elementsPerRegister;
  for (int64_t reg = 0; reg < row.accumulator.getRegisterCount(); ++reg) {
    if (perRegister == 1) {
      tile.push_back(getElement(reg));
      continue;
    }
    Value packed = emitter.poison(VectorType::get({perRegister}, scalar));
    for (int64_t i = 0; i < perRegister; ++i)
      packed = LLVM::InsertElementOp::create(builder, emitter.loc, packed,
                                             getElement(reg * perRegister + i),
                                             emitter.i32(i));
    tile.push_back(packed);
  }
  return tile;
}

void WarpGemm::unpackAccumulator(int64_t m, int64_t n, const Tile &tile,
                                 SmallVector<Value> &registers) {
  int64_t perRegister = row.accumulator.elementsPerRegister;
  for (int64_t element = 0; element < row.accumulator.layout.getRegisterCount();
       ++element) {
    Value value = tile[element / perRegister];
    if (perRegister > 1)
      value =
          LLVM::ExtractElementOp::create(emitter.builder, emitter.loc, value,
                                         emitter.i32(element % perRegister));
    registers[getRegister(m, n, element)] = value;
  }
}

/// What an instruction takes behind its matrices in the step of K that begins at
/// `k`, by tile along M: metadata and selector, or nothing.
SmallVector<WarpGemm::Tile> WarpGemm::loadMetadata(int64_t k) {
  SmallVector<Tile> kept(a.getTileOrigins().size());
  if (!metadata)
    return kept;
  Value selector = emitter.i32(metadata->getSelector(k));
  for (auto [tile, word] : llvm::zip(kept, metadata->load(k)))
    tile = {word, selector};
  return kept;
}

/// What the instruction takes of scales for the tile at (m, n) and the step at
/// `k`; nothing where there are none.
WarpGemm::Tile WarpGemm::getScales(int64_t m, int64_t n, int64_t k) {
  Tile operands;
  const std::array origins = {m, n};
  // There are two or none.
  for (auto [scale, origin] : llvm::zip(scales, origins))
    llvm::append_range(operands, scale.get(origin, k));
  return operands;
}

/// Those of scales that may be negative go to the elements.
void WarpGemm::moveSigns(int64_t k, SmallVector<Tile> &rows,
                         SmallVector<Tile> &columns) {
  if (scales.empty())
    return;
  for (auto [origin, tile] : llvm::zip(a.getTileOrigins(), rows))
    scales[0].moveSigns(origin, k, tile);
  for (auto [origin, tile] : llvm::zip(b.getTileOrigins(), columns))
    scales[1].moveSigns(origin, k, tile);
}

/// `parts` are in the order of the statement; `sum` is the accumulator.
WarpGemm::Tile WarpGemm::multiply(ArrayRef<Tile> parts, const Tile &sum) {
  OpBuilder &builder = emitter.builder;
  SmallVector<Value> operands;
  for (const Tile &part : parts)
    llvm::append_range(operands, part);
  SmallVector<Type> types;
  for (Value value : sum)
    types.push_back(value.getType());
  Value result = emitter.callIntrinsic(
      getIntrinsicName(row),
      LLVM::LLVMStructType::getLiteral(builder.getContext(), types), operands);
  Tile tile;
  for (size_t i = 0; i < sum.size(); ++i)
    tile.push_back(
        LLVM::ExtractValueOp::create(builder, emitter.loc, result, i));
  return tile;
}

LogicalResult WarpGemm::emit() {
  if (failed(a.verify(op)) || failed(b.verify(op)))
    return failure();
  std::map<std::pair<int64_t, int64_t>, Tile> sums;
  for (int64_t m : a.getTileOrigins())
    for (int64_t n : b.getTileOrigins())
      sums[{m, n}] = packAccumulator(m, n);
  for (int64_t k = 0; k < op.getK(); k += row.k) {
    auto kept = loadMetadata(k);
    SmallVector<Tile> rows = a.load(row.getStoredColumns(k)),
                      columns = b.load(k);
    moveSigns(k, rows, columns);
    for (auto [m, rowOfA, keptOfA] : llvm::zip(a.getTileOrigins(), rows, kept))
      for (auto [n, column] : llvm::zip(b.getTileOrigins(), columns))
        sums[{m, n}] = multiply(
            {rowOfA, column, sums[{m, n}], keptOfA, getScales(m, n, k)},
            sums[{m, n}]);
  }
  SmallVector<Value> registers(plan.result.getRegisterCount());
  for (auto &[origin, tile] : sums)
    unpackAccumulator(origin.first, origin.second, tile, registers);
  emitter.bind(op->getResult(0), std::move(registers));
  return success();
}

/// By the warps of the launch, each on its own or four together.
static LogicalResult lowerProduct(ThreadEmitter &emitter,
                                  MatrixProductOpInterface op) {
  const MatrixInstruction &row = *op.getInstructionAttr().getMatrix();
  if (!row.isAvailable(emitter.target, /*ptxVersion=*/0))
    return op->emitError() << emitter.target.name << " has no " << row.name;
  tilec::Expected<GemmPlan> plan = getProductPlan(op);
  assert(plan && "the stage promises that the grid fits");
  if (row.participants == tilec::Participants::Warpgroup)
    return lowerWarpgroupProduct(emitter, op, *plan);
  if (row.participants != tilec::Participants::Warp)
    return emitter.notImplemented(op, row.name);
  return WarpGemm(emitter, op, *plan).emit();
}

static LogicalResult lowerSparseProduct(ThreadEmitter &emitter,
                                        GemmSparseOp op) {
  return lowerProduct(emitter, op);
}

static LogicalResult lowerScaledProduct(ThreadEmitter &emitter,
                                        GemmScaledOp op) {
  return lowerProduct(emitter, op);
}

static LogicalResult lowerGemm(ThreadEmitter &emitter, GemmOp op) {
  const MatrixInstruction &row = *op.getInstructionAttr().getMatrix();
  if (row.participants == tilec::Participants::Thread)
    return lowerFmaGemm(emitter, op);
  return lowerProduct(emitter, op);
}

//===----------------------------------------------------------------------===//
// Products in flight
//===----------------------------------------------------------------------===//

static LogicalResult lowerGemmAsync(ThreadEmitter &emitter, GemmAsyncOp op) {
  tilec::Expected<GemmPlan> plan = getProductPlan(op);
  assert(plan && "the stage promises that the grid fits");
  if (plan->instruction->completion != tilec::Completion::Group)
    return emitter.notImplemented(op, "a pending result of " +
                                          plan->instruction->name);
  auto accumulators = startWarpgroupProduct(emitter, op, *plan);
  if (failed(accumulators))
    return failure();
  emitter.bind(op.getResult(), std::move(*accumulators));
  return success();
}

static LogicalResult lowerProductWait(ThreadEmitter &emitter,
                                      ProductWaitOp op) {
  waitForWarpgroupProducts(emitter, op.getPending());
  return success();
}

/// `tile.product_wait` has waited.
static LogicalResult lowerWait(ThreadEmitter &emitter, WaitOp op) {
  emitter.bind(op.getResult(),
               takeAccumulators(emitter, emitter.getValues(op.getPending()),
                                cast<RankedTensorType>(op.getType())));
  return success();
}

/// The same values: what adds to them in place has them copied in front of its
/// fence (WarpgroupGemm.cpp).
static LogicalResult lowerClone(ThreadEmitter &emitter, CloneOp op) {
  emitter.bind(op.getResult(),
               llvm::to_vector(emitter.getValues(op.getSource())));
  return success();
}

void tile::registerGemmLowerings(LoweringTable &table) {
  table.add(lowerClone);
  table.add(lowerGemm);
  table.add(lowerGemmAsync);
  table.add(lowerProductWait);
  table.add(lowerScaledProduct);
  table.add(lowerSparseProduct);
  table.add(lowerWait);
}
