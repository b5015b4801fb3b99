//===- GemmRules.cpp - tile.gemm and its variants ------------------------===//
//
// Operands are read, oriented and scaled here; MatrixProduct multiplies them.
//
// The descriptions are in Language.md, "tile.gemm", and, of the
// asynchronous ones, "What passes introduce".
//
//===----------------------------------------------------------------------===//

#include "Elementwise.h"
#include "MatrixProduct.h"

#include "tile/Dialect/Tile/TileOps.h"

using namespace mlir;
using namespace mlir::tile;
using namespace mlir::tile::reference;

namespace {

/// The element numbers of a matrix in memory, row by row.
std::vector<int64_t> getElements(const MemRef &memref) {
  std::vector<int64_t> linear(memref.getNumElements());
  for (int64_t row = 0, i = 0; row < memref.sizes[0]; ++row)
    for (int64_t column = 0; column < memref.sizes[1]; ++column)
      linear[i++] = memref.linearize({row, column});
  return linear;
}

/// A fragment's elements, or those of a shared memref.
FailureOr<Array> readOperand(Machine &machine, Operation *op, Value operand) {
  if (isa<RankedTensorType>(operand.getType()))
    return machine.getArray(operand);
  const MemRef &memref = machine.getMemRef(operand);
  return machine.load(op, memref, getElements(memref));
}

/// The elements of a rows x columns matrix, given as it is or transposed.
Array orient(const Array &array, int64_t rows, int64_t columns,
             bool isTransposed) {
  if (!isTransposed)
    return array;
  std::vector<int64_t> positions(array.count);
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < columns; ++c)
      positions[r * columns + c] = c * rows + r;
  return gather(array, positions);
}

/// a * b, plus the accumulator where there is one.
Array compute(Machine &machine, RankedTensorType type, Value accumulator,
              const MatrixProblem &problem) {
  const Array *c = accumulator ? &machine.getArray(accumulator) : nullptr;
  MatrixResult result = multiply(problem, c, *ElementType::get(type));
  if (machine.options.tracksBounds)
    deriveProductBounds(problem, c, machine.options.accumulation, result);
  return std::move(result.rounded);
}

/// Spreads the kept elements over the dense M x K.
FailureOr<Array> expandSparse(Machine &machine, Operation *op,
                              const Array &kept, const Array &meta, int64_t M,
                              int64_t K) {
  Array dense(kept.type, M * K);
  for (int64_t m = 0; m < M; ++m) {
    for (int64_t group = 0; group < K / 4; ++group) {
      int64_t word = m * (K / 16) + group / 4;
      uint64_t bits = zeroExtend(meta.integers[word], 16) >> (group % 4 * 4);
      int64_t first = bits & 3, second = (bits >> 2) & 3;
      if (meta.isPoison(word))
        return machine.error(op) << "the positions of row " << m
                                 << " depend on " << meta.origin.getCause();
      if (first >= second)
        return machine.error(op)
               << "positions " << first << " and " << second << " of row " << m
               << ", columns " << group * 4 << " to " << group * 4 + 3
               << ", are not increasing";
      int64_t from = m * (K / 2) + group * 2, to = m * K + group * 4;
      dense.setFrom(to + first, kept, from);
      dense.setFrom(to + second, kept, from + 1);
    }
  }
  return dense;
}

/// The operands of `tile.gemm`, `tile.gemm_async` or `tile.gemm_sparse`, whose
/// fragment is of `type`; `meta`, if any, says what is kept of `a`.
template <typename Op>
FailureOr<MatrixProblem> getProblem(Machine &machine, Op op, Value meta,
                                    RankedTensorType type) {
  FailureOr<Array> a = readOperand(machine, op, op.getA());
  FailureOr<Array> b = readOperand(machine, op, op.getB());
  if (failed(a) || failed(b))
    return failure();
  MatrixProblem problem;
  problem.M = type.getDimSize(0);
  problem.N = type.getDimSize(1);
  problem.K = b->count / problem.N;
  problem.a = orient(*a, problem.M, a->count / problem.M, op.getTransposeA());
  problem.b = orient(*b, problem.K, problem.N, op.getTransposeB());
  problem.isUnsignedA = op.getUnsignedA();
  problem.isUnsignedB = op.getUnsignedB();
  problem.isTF32 = op.isTF32();
  if (!meta)
    return problem;
  FailureOr<Array> positions = readOperand(machine, op, meta);
  if (failed(positions))
    return failure();
  FailureOr<Array> dense =
      expandSparse(machine, op, problem.a, *positions, problem.M, problem.K);
  if (failed(dense))
    return failure();
  problem.a = std::move(*dense);
  return problem;
}

/// tile.gemm: Language.md, "tile.gemm".
LogicalResult gemm(Machine &machine, GemmOp op) {
  FailureOr<MatrixProblem> problem =
      getProblem(machine, op, /*meta=*/{}, op.getType());
  if (failed(problem))
    return failure();
  machine.set(op.getResult(),
              compute(machine, op.getType(), op.getC(), *problem));
  return success();
}

//===----------------------------------------------------------------------===//
// Products in flight
//===----------------------------------------------------------------------===//

/// tile.gemm_async: Language.md, "What passes introduce". The product is
/// computed at once, as `a` and `b` may not change before the wait, and nobody
/// can look at it earlier; `meta` is read where it starts.
LogicalResult gemmAsync(Machine &machine, GemmAsyncOp op) {
  RankedTensorType type = op.getType().getFragment();
  FailureOr<MatrixProblem> problem =
      getProblem(machine, op, op.getMeta(), type);
  if (failed(problem))
    return failure();
  auto product = std::make_shared<Product>();
  product->op = op;
  product->role = &machine.getRole();
  for (Value operand : {op.getA(), op.getB()})
    if (isa<MemRefType>(operand.getType())) {
      const MemRef &memref = machine.getMemRef(operand);
      product->reads.emplace_back(memref, getElements(memref));
    }
  if (op.getC())
    product->before = machine.get(op.getC()).product;
  machine.blockState->inFlight.push_back(product);
  RuntimeValue value(compute(machine, type, op.getC(), *problem));
  value.product = std::move(product);
  machine.set(op.getResult(), std::move(value));
  return success();
}

/// tile.wait: Language.md, "What passes introduce".
LogicalResult waitForProduct(Machine &machine, WaitOp op) {
  RuntimeValue value = machine.get(op.getPending());
  retire(machine, value.product.get());
  value.product = nullptr;
  machine.set(op.getResult(), std::move(value));
  return success();
}

/// tile.clone: Language.md, "What passes introduce".
LogicalResult cloneFragment(Machine &machine, CloneOp op) {
  machine.set(op.getResult(), machine.get(op.getSource()));
  return success();
}

//===----------------------------------------------------------------------===//
// Sparse and scaled products
//===----------------------------------------------------------------------===//

/// tile.gemm_sparse: Language.md, "tile.gemm".
LogicalResult gemmSparse(Machine &machine, GemmSparseOp op) {
  FailureOr<MatrixProblem> problem =
      getProblem(machine, op, op.getMeta(), op.getType());
  if (failed(problem))
    return failure();
  machine.set(op.getResult(),
              compute(machine, op.getType(), op.getC(), *problem));
  return success();
}

/// values(i, k) * scales(i, k / block) in f64, where it is exact.
Array scale(const Array &values, const Array &scales, int64_t K,
            int64_t block) {
  Array result(ElementType::floating(FloatFormat::F64), values.count);
  for (int64_t i = 0; i < values.count; ++i) {
    int64_t at = i / K * (K / block) + i % K / block;
    result.doubles[i] = values.getDouble(i) * scales.getDouble(at);
    if (values.isPoison(i) || scales.isPoison(at))
      result.setPoison(i);
  }
  return result;
}

/// tile.gemm_scaled: Language.md, "tile.gemm".
LogicalResult gemmScaled(Machine &machine, GemmScaledOp op) {
  auto resultType = cast<RankedTensorType>(op.getResult().getType());
  FailureOr<Array> a = readOperand(machine, op, op.getA());
  FailureOr<Array> scaleA = readOperand(machine, op, op.getScaleA());
  FailureOr<Array> b = readOperand(machine, op, op.getB());
  FailureOr<Array> scaleB = readOperand(machine, op, op.getScaleB());
  if (failed(a) || failed(scaleA) || failed(b) || failed(scaleB))
    return failure();
  MatrixProblem problem;
  problem.M = resultType.getDimSize(0);
  problem.N = resultType.getDimSize(1);
  problem.K = a->count / problem.M;
  problem.isScaled = true;
  int64_t block = op.getBlock();
  problem.a = scale(orient(*a, problem.M, problem.K, op.getTransposeA()),
                    *scaleA, problem.K, block);
  // Scales of b are N x K/block, so b is scaled as N x K and turned after.
  Array transposed = orient(*b, problem.N, problem.K, !op.getTransposeB());
  problem.b = orient(scale(transposed, *scaleB, problem.K, block), problem.K,
                     problem.N, true);
  machine.set(op.getResult(), compute(machine, resultType, op.getC(), problem));
  return success();
}

} // namespace

void mlir::tile::reference::addGemmRules(RuleTable &table) {
  table.add(gemm);
  table.add(gemmAsync);
  table.add(waitForProduct);
  table.add(cloneFragment);
  table.add(gemmSparse);
  table.add(gemmScaled);
}
