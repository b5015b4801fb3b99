//===- GemmPlan.cpp - How a product is spread over warps -----------------===//

#include "tile/Hardware/GemmPlan.h"

using namespace tilec;

static int64_t divideRoundingUp(int64_t value, int64_t divisor) {
  return (value + divisor - 1) / divisor;
}

Expected<GemmPlan> tilec::planGemm(const MatrixInstruction &instruction,
                                   int64_t M, int64_t N, int64_t K,
                                   int64_t warpsM, int64_t warpsN) {
  constexpr auto reg = HardwareDim::Register;
  constexpr auto warp = HardwareDim::Warp;
  constexpr int replicated = Digit::replicated;
  if (instruction.accumulator.space != OperandSpace::Registers ||
      instruction.accumulator.layout.getRank() == 0)
    return Failure{instruction.name + " gives its accumulator no layout"};

  GemmPlan plan;
  plan.instruction = &instruction;
  plan.warpsM = warpsM;
  plan.warpsN = warpsN;
  plan.tilesM = divideRoundingUp(M, instruction.m * warpsM);
  plan.tilesN = divideRoundingUp(N, instruction.n * warpsN);
  plan.tilesK = divideRoundingUp(K, instruction.k);

  struct Part {
    const MatrixOperand &operand;
    Coordinate shape;
    std::vector<FragmentLayout::Outer> outer;
    FragmentLayout &layout;
  };
  const Part parts[] = {
      {instruction.accumulator,
       {M, N},
       {{reg, 1, plan.tilesN},
        {reg, 0, plan.tilesM},
        {warp, 0, warpsM},
        {warp, 1, warpsN}},
       plan.result}, // (register, lane, warp) -> (M, N)
      {instruction.a,
       {M, K},
       {{reg, 1, plan.tilesK},
        {reg, 0, plan.tilesM},
        {warp, 0, warpsM},
        {warp, replicated, warpsN}},
       plan.a}, // (register, lane, warp) -> (M, K)
      {instruction.b,
       {K, N},
       {{reg, 0, plan.tilesK},
        {reg, 1, plan.tilesN},
        {warp, replicated, warpsM},
        {warp, 1, warpsN}},
       plan.b}, // (register, lane, warp) -> (K, N)
  };
  for (const Part &part : parts) {
    if (part.operand.space != OperandSpace::Registers)
      continue;
    auto layout =
        FragmentLayout::tile(part.operand.layout, part.shape, part.outer);
    if (!layout)
      return Failure{layout.reason()};
    part.layout = *layout;
  }
  return plan;
}
