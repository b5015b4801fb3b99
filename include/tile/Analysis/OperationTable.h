//===- OperationTable.h - From an operation to a rule for it ----*- C++ -*-===//
//
// What is known of single operations stands in tables of rules, one row an
// operation, instead of sequences of type tests:
//
//     OperationTable<int64_t(IndexFacts &)> table;
//     table.add(getSelectDivisor);  // int64_t (IndexFacts &, arith::SelectOp)
//     table.addAll<arith::AddIOp, arith::SubIOp>(getSumDivisor);
//
//===----------------------------------------------------------------------===//

#ifndef TILE_ANALYSIS_OPERATIONTABLE_H
#define TILE_ANALYSIS_OPERATIONTABLE_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

#include <functional>

namespace mlir::tile {

template <typename SignatureT>
class OperationTable;

/// Rules that take `ArgumentTs` and then the operation.
template <typename ResultT, typename... ArgumentTs>
class OperationTable<ResultT(ArgumentTs...)> {
public:
  using Rule = std::function<ResultT(ArgumentTs..., Operation *)>;

  /// The rule of one operation.
  template <typename OpT>
  void add(ResultT (*rule)(ArgumentTs..., OpT)) {
    rules[TypeID::get<OpT>()] = [rule](ArgumentTs... arguments, Operation *op) {
      return rule(std::forward<ArgumentTs>(arguments)..., cast<OpT>(op));
    };
  }
  /// The same rule for several operations.
  template <typename... OpTs>
  void addAll(const Rule &rule) {
    ((rules[TypeID::get<OpTs>()] = rule), ...);
  }

  /// Null where the operation has none.
  const Rule *find(Operation *op) const {
    return find(op->getName().getTypeID());
  }
  const Rule *find(TypeID id) const {
    auto found = rules.find(id);
    return found == rules.end() ? nullptr : &found->second;
  }

private:
  llvm::DenseMap<TypeID, Rule> rules;
};

} // namespace mlir::tile

#endif // TILE_ANALYSIS_OPERATIONTABLE_H
