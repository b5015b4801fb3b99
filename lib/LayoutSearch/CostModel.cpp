//===- CostModel.cpp - The parts of what a solution costs -----------------===//

#include "CostModel.h"

#include "AccessCost.h"

#include <algorithm>

using namespace tilec;
using namespace tilec::detail;

static int64_t divideUp(int64_t a, int64_t b) { return (a + b - 1) / b; }

//===----------------------------------------------------------------------===//
// Counts and weights
//===----------------------------------------------------------------------===//

CostWeights CostWeights::get(const Throughput &row, int64_t threads) {
  constexpr int64_t quarters = 4, lanes = 32, wavefrontBytes = 128,
                    sectorBytes = 32;
  CostWeights weights;
  weights.access = quarters * lanes / row.accesses;
  weights.wavefront = quarters * wavefrontBytes / row.sharedBytes;
  weights.sector = quarters * sectorBytes / row.globalBytes;
  weights.repeat = quarters * sectorBytes / row.sharedBytes;
  weights.shuffle = quarters * lanes / row.shuffles;
  weights.barrier = quarters * countBarrierCycles(row, threads);
  weights.shuffleExchange = quarters * row.shuffleLatency;
  weights.exchange = quarters * row.sharedLatency;
  weights.spill = 2 * (weights.instruction + weights.access +
                       wavefrontBytes / sectorBytes * weights.sector);
  return weights;
}

LayoutCost &LayoutCost::operator+=(const LayoutCost &other) {
  instructions += other.instructions;
  accesses += other.accesses;
  sectors += other.sectors;
  repeats += other.repeats;
  wavefronts += other.wavefronts;
  shuffles += other.shuffles;
  barriers += other.barriers;
  spills += other.spills;
  for (size_t kind = 0; kind < exchanges.size(); ++kind)
    exchanges[kind] += other.exchanges[kind];
  return *this;
}

LayoutCost LayoutCost::operator*(int64_t times) const {
  LayoutCost cost = *this;
  for (int64_t *count :
       {&cost.instructions, &cost.accesses, &cost.sectors, &cost.repeats,
        &cost.wavefronts, &cost.shuffles, &cost.barriers, &cost.spills,
        &cost.exchanges[0], &cost.exchanges[1], &cost.exchanges[2]})
    *count *= times;
  return cost;
}

int64_t LayoutCost::getTotal(const CostWeights &weights) const {
  return instructions * weights.instruction + accesses * weights.access +
         sectors * weights.sector + repeats * weights.repeat +
         wavefronts * weights.wavefront + shuffles * weights.shuffle +
         barriers * weights.barrier + exchanges[1] * weights.shuffleExchange +
         exchanges[2] * weights.exchange + spills * weights.spill;
}

std::string LayoutCost::toString() const {
  std::string text;
  for (auto [count, name] :
       {std::pair(instructions, "instructions"),
        std::pair(accesses, "accesses"), std::pair(sectors, "sectors"),
        std::pair(repeats, "repeated sectors"),
        std::pair(wavefronts, "wavefronts"), std::pair(shuffles, "shuffles"),
        std::pair(barriers, "barriers"), std::pair(spills, "spills"),
        std::pair(exchanges[1], "exchanges by shuffles"),
        std::pair(exchanges[2], "exchanges through memory")})
    if (count != 0)
      text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + name;
  return text.empty() ? "nothing" : text;
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

LayoutCost CostModel::countNode(NodeId number,
                                const FragmentLayout &layout) const {
  const LayoutNode &node = problem.nodes[number];
  LayoutCost cost;
  cost.instructions = node.instructions * layout.getRegisterCount() *
                      problem.warps * node.times;
  for (const MemoryAccess &access : node.memory) {
    const SharedLayout *buffer = access.buffer
                                     ? &problem.buffers[*access.buffer]
                                            .candidates[buffers[*access.buffer]]
                                     : nullptr;
    cost += countAccess(layout, access, buffer) * access.times;
  }
  for (const Combination &combination : node.combinations)
    cost +=
        countCombination(layout, combination, node.bits) * combination.times;
  return cost;
}

LayoutCost CostModel::countExchange(const FragmentLayout &source,
                                    const FragmentLayout &target, int64_t bits,
                                    int64_t times) {
  bool isInLoop = times > 1;
  auto [entry, isNew] = exchanges.try_emplace(
      std::tuple(source, target, bits, isInLoop), LayoutCost());
  if (isNew)
    entry->second = detail::countExchange(*problem.target,
                                          {source, target, bits, isInLoop});
  return entry->second * times;
}

LayoutCost CostModel::countProduct(const ProductNode &product,
                                   const GemmPlan &plan) const {
  const MatrixInstruction &row = *plan.instruction;
  constexpr int64_t wavefrontBytes = 128, matrixLoadBytes = 512;
  LayoutCost cost;
  if (row.participants == Participants::Thread)
    return cost;
  int64_t groups = plan.warpsM * plan.warpsN;
  int64_t depth = plan.tilesK * row.k;
  auto read = [&](int64_t elements, ElementKind kind, bool byDescriptor) {
    int64_t bytes = divideUp(elements * getElementBits(kind), 8);
    cost.wavefronts += groups * divideUp(bytes, wavefrontBytes);
    if (byDescriptor)
      return;
    int64_t loads = groups * divideUp(bytes, matrixLoadBytes);
    cost.accesses += loads;
    cost.instructions += loads;
  };
  auto isRead = [](const MatrixOperand &operand) {
    return operand.space == OperandSpace::SharedByDescriptor;
  };
  if (!product.a)
    read(plan.tilesM * row.m * depth, row.kindA, isRead(row.a));
  if (!product.b)
    read(plan.tilesN * row.n * depth, row.kindB, isRead(row.b));
  return cost * problem.nodes[product.result].times;
}

int64_t CostModel::countRegisters(NodeId node,
                                  const FragmentLayout &layout) const {
  // Elements of 16 bits are packed, narrower ones are not.
  int64_t bits = std::max<int64_t>(16, problem.nodes[node].bits);
  return divideUp(layout.getRegisterCount() * bits, 32);
}

LayoutCost CostModel::countSpills(const LiveSet &set, int64_t registers) const {
  LayoutCost cost;
  cost.spills = std::max<int64_t>(0, registers - problem.registerBudget) *
                problem.warps * set.times;
  return cost;
}
