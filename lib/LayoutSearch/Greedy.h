//===- Greedy.h - Layouts of classes, greedily ------------------*- C++ -*-===//

#ifndef TILE_LIB_LAYOUTSEARCH_GREEDY_H
#define TILE_LIB_LAYOUTSEARCH_GREEDY_H

#include "Classes.h"

namespace tilec::detail {

/// Every class has a layout, every product a candidate. What follows from them
/// need not exist.
struct GreedyLayouts {
  Classes classes;
  std::vector<int> products;         ///< by product: the candidate
  std::vector<LayoutReason> reasons; ///< by class
};

/// As the header of the problem says; does not fail.
GreedyLayouts chooseGreedily(const LayoutProblem &problem);

/// The layout of an operand in its own dimensions.
FragmentLayout getOperandLayout(const FragmentLayout &layout,
                                bool isTransposed);

/// Calls `visit(operand, layout)` for the operands of a product that are in
/// registers, with the layout of each in its own dimensions.
template <typename Visitor>
void forEachOperand(const ProductNode &product, const GemmPlan &plan,
                    Visitor visit) {
  if (plan.instruction->participants == Participants::Thread)
    return;
  for (auto [operand, layout] :
       {std::pair(&product.a, &plan.a), std::pair(&product.b, &plan.b),
        std::pair(&product.metadata, &plan.metadata),
        std::pair(&product.scaleA, &plan.scaleA),
        std::pair(&product.scaleB, &plan.scaleB)})
    if (*operand)
      visit(**operand, getOperandLayout(*layout, (*operand)->isTransposed));
}

} // namespace tilec::detail

#endif // TILE_LIB_LAYOUTSEARCH_GREEDY_H
