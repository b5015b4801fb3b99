//===- GemmPlan.cpp - How a product is spread over warps -----------------===//

#include "tile/Hardware/GemmPlan.h"

#include <algorithm>
#include <cassert>
#include <iterator>

using namespace tilec;

static int64_t divideRoundingUp(int64_t value, int64_t divisor) {
  return (value + divisor - 1) / divisor;
}

namespace {
/// One layout of a plan: what the instruction has of an operand, repeated over a
/// shape.
struct Part {
  const MatrixOperand &operand;
  FragmentLayout atom;
  Coordinate shape;
  std::vector<FragmentLayout::Outer> outer;
  FragmentLayout &layout;
};

constexpr auto reg = HardwareDim::Register;
constexpr auto warp = HardwareDim::Warp;
constexpr int replicated = Digit::replicated;
} // namespace

/// The layouts of an M x N x K product, whose tiles and groups `plan` has.
static std::vector<Part> getParts(GemmPlan &plan, int64_t M, int64_t N,
                                  int64_t K) {
  const MatrixInstruction &instruction = *plan.instruction;
  auto spreadLikeA = [&](int64_t tilesAlongRows) {
    return std::vector<FragmentLayout::Outer>{{reg, 1, tilesAlongRows},
                                              {reg, 0, plan.tilesM},
                                              {warp, 0, plan.warpsM},
                                              {warp, replicated, plan.warpsN}};
  };
  std::vector<Part> parts = {
      {instruction.accumulator,
       instruction.accumulator.layout,
       {M, N},
       {{reg, 1, plan.tilesN},
        {reg, 0, plan.tilesM},
        {warp, 0, plan.warpsM},
        {warp, 1, plan.warpsN}},
       plan.result}, // (register, lane, warp) -> (M, N)
      {instruction.a,
       instruction.a.layout,
       {M, instruction.getStoredColumns(K)},
       spreadLikeA(plan.tilesK),
       plan.a}, // (register, lane, warp) -> (M, K)
      {instruction.b,
       instruction.b.layout,
       {K, N},
       {{reg, 0, plan.tilesK},
        {reg, 1, plan.tilesN},
        {warp, replicated, plan.warpsM},
        {warp, 1, plan.warpsN}},
       plan.b}, // (register, lane, warp) -> (K, N)
  };
  if (instruction.isSparse()) {
    const MatrixOperand &metadata = *instruction.metadata;
    int64_t words = divideRoundingUp(K, columnsPerMetadataWord);
    int64_t wordsOfRegister = metadata.layout.getShape()[1];
    parts.push_back({metadata,
                     metadata.layout,
                     {M, words},
                     spreadLikeA(divideRoundingUp(words, wordsOfRegister)),
                     plan.metadata}); // (register, lane, warp) -> (M, word)
  }
  return parts;
}

/// The scales that an instruction has for one block, for `blocks` of them: those of a
/// row lie together in a thread.
static FragmentLayout repeatAlongBlocks(const FragmentLayout &one,
                                        int64_t blocks) {
  Digits registers = {{blocks, 1, 1}};
  std::ranges::copy(one.getDigits(reg), std::back_inserter(registers));
  auto all =
      FragmentLayout::get({one.getShape()[0], blocks}, std::move(registers),
                          one.getDigits(HardwareDim::Lane), {});
  assert(all && "blocks are a dimension of their own");
  return *all;
}

/// Those of its scales.
static std::vector<Part> getScaleParts(GemmPlan &plan, int64_t M, int64_t N,
                                       int64_t blocks) {
  const MatrixInstruction &instruction = *plan.instruction;
  return {
      {*instruction.scaleA,
       repeatAlongBlocks(instruction.scaleA->layout, blocks),
       {M, blocks},
       {{reg, 0, plan.tilesM},
        {warp, 0, plan.warpsM},
        {warp, replicated, plan.warpsN}},
       plan.scaleA}, // (register, lane, warp) -> (M, K / block)
      {*instruction.scaleB,
       repeatAlongBlocks(instruction.scaleB->layout, blocks),
       {N, blocks},
       {{reg, 0, plan.tilesN},
        {warp, replicated, plan.warpsM},
        {warp, 0, plan.warpsN}},
       plan.scaleB}, // (register, lane, warp) -> (N, K / block)
  };
}

/// Lets `operand`, whose layout has M or N along `dim`, and with it the result, come in
/// pairs; whether that may be.
static bool takePairs(GemmPlan &plan, const MatrixOperand &traits,
                      FragmentLayout &operand, int dim) {
  if (traits.space != OperandSpace::Registers ||
      traits.elementsPerRegister != 4 || operand.hasPadding() ||
      operand.getShape()[dim] % pairedElements != 0)
    return false;
  auto paired = tilec::pairUp(operand, dim);
  auto result = tilec::pairUp(plan.result, dim);
  if (!paired || !result)
    return false;
  // A pair is one thread's.
  const Digits &registers = result->getDigits(HardwareDim::Register);
  if (std::ranges::none_of(registers, [&](const Digit &digit) {
        return digit.dim == dim && digit.step == 1;
      }))
    return false;
  operand = *paired;
  plan.result = *result;
  return true;
}

static void takePairs(GemmPlan &plan, BytePairs wanted) {
  const MatrixInstruction &row = *plan.instruction;
  plan.pairs.a = wanted.a && takePairs(plan, row.a, plan.a, 0);
  plan.pairs.b = wanted.b && takePairs(plan, row.b, plan.b, 1);
}

Expected<GemmPlan> tilec::planGemm(const MatrixInstruction &instruction,
                                   int64_t M, int64_t N, int64_t K,
                                   int64_t warpsM, int64_t warpsN,
                                   int64_t scaleBlock, BytePairs wanted) {
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

  std::vector<Part> parts = getParts(plan, M, N, K);
  if (instruction.scaling) {
    if (scaleBlock <= 0 || scaleBlock % instruction.scaling->block != 0)
      return Failure{instruction.name + " takes a scale for every " +
                     std::to_string(instruction.scaling->block) +
                     " elements along K"};
    for (Part &part : getScaleParts(plan, M, N, K / scaleBlock))
      parts.push_back(part);
  }
  for (const Part &part : parts) {
    if (part.operand.space != OperandSpace::Registers)
      continue;
    auto layout = FragmentLayout::tile(part.atom, part.shape, part.outer);
    if (!layout)
      return Failure{layout.reason()};
    part.layout = *layout;
  }
  takePairs(plan, wanted);
  return plan;
}
