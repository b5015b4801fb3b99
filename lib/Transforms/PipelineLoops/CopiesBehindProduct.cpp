//===- CopiesBehindProduct.cpp - Copies ahead do not hold up products -----===//

#include "CopiesBehindProduct.h"
#include "SplitFills.h"

#include "tile/Dialect/Tile/ProductFacts.h"

using namespace mlir;
using namespace mlir::tile;
namespace schedule = tilec::schedule;

/// Whether a product has one step of K: behind more, copies would come late.
static bool isOneStep(Operation *op) {
  auto product = cast<MatrixProductOpInterface>(op);
  return product.getK() == product.getInstructionAttr().getMatrix()->k;
}

SmallVector<int> tile::issueBehindProduct(const LoopStatements &statements,
                                          const schedule::Problem &problem,
                                          const schedule::Schedule &schedule,
                                          ArrayRef<int> order) {
  ArrayRef<Operation *> ops = statements.getOps();
  int last = schedule.getLastStage();
  auto isAhead = [&](int statement) {
    return schedule.stages[statement] < last;
  };
  const int *product = llvm::find_if(order, [&](int statement) {
    auto product = dyn_cast<MatrixProductOpInterface>(ops[statement]);
    return product && !isAhead(statement) && isOfWarps(product);
  });
  SmallVector<int> copies, moved;
  for (int statement : llvm::make_range(order.begin(), product)) {
    bool isCopy = isAhead(statement) && isFillByGroups(ops[statement]);
    (isCopy ? copies : moved).push_back(statement);
  }
  if (product == order.end() || copies.empty() || !isOneStep(ops[*product]))
    return SmallVector<int>(order);
  moved.push_back(*product);
  llvm::append_range(moved, copies);
  moved.append(product + 1, order.end());
  schedule::Schedule candidate = schedule;
  for (auto [position, statement] : llvm::enumerate(moved))
    candidate.orders[statement] = static_cast<int>(position);
  return schedule::validate(problem, candidate) ? SmallVector<int>(order)
                                                : moved;
}
