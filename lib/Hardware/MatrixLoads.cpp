//===- MatrixLoads.cpp - What one ldmatrix brings to an operand -----------===//

#include "tile/Hardware/MatrixLoads.h"

#include "tile/Hardware/BytePairs.h"

#include <algorithm>
#include <set>

using namespace tilec;

OperandTiles::OperandTiles(const FragmentLayout &operand,
                           const FragmentLayout &atom,
                           int64_t elementsPerRegister, bool isPaired)
    : atom(atom), elementsPerRegister(elementsPerRegister),
      registersPerTile(atom.getRegisterCount() / elementsPerRegister) {
  int64_t extent = atom.getShape()[0];
  std::set<int64_t> found;
  for (int64_t reg = 0; reg < operand.getRegisterCount(); ++reg) {
    int64_t place = operand.evaluate(reg, 0, 0)[0];
    if (isPaired)
      place = getInstructionPlace(place);
    found.insert(place / extent * extent);
  }
  origins.assign(found.begin(), found.end());
}

std::vector<TileMatrix> OperandTiles::getMatrices(int64_t k) const {
  std::vector<TileMatrix> matrices;
  for (size_t tile = 0; tile < origins.size(); ++tile)
    for (int64_t reg = 0; reg < registersPerTile; ++reg) {
      Coordinate part = atom.evaluate(reg * elementsPerRegister, 0, 0);
      matrices.push_back({static_cast<int64_t>(tile), reg,
                          origins[tile] + part[0], k + part[1]});
    }
  return matrices;
}

MatrixGroup tilec::getGroup(std::span<const TileMatrix> matrices,
                            int64_t limit) {
  auto getStep = [&](size_t index) -> std::pair<int, int64_t> {
    int64_t outer = matrices[index].outer - matrices[0].outer;
    int64_t k = matrices[index].k - matrices[0].k;
    if (outer > 0 && k == 0)
      return {0, outer};
    if (k > 0 && outer == 0)
      return {1, k};
    return {-1, 0};
  };
  MatrixGroup group;
  if (limit < 2 || matrices.size() < 2 || getStep(1).first < 0)
    return group;
  group.count = 2;
  group.steps[0] = getStep(1);
  if (limit < 4 || matrices.size() < 4 || getStep(2).first < 0 ||
      matrices[3].outer - matrices[2].outer !=
          matrices[1].outer - matrices[0].outer ||
      matrices[3].k - matrices[2].k != matrices[1].k - matrices[0].k)
    return group;
  group.count = 4;
  group.steps[1] = getStep(2);
  return group;
}

int64_t OperandTiles::getLargestGroup() const {
  constexpr int64_t mostMatrices = 4;
  std::vector<TileMatrix> all = getMatrices(0);
  std::span<const TileMatrix> left = all;
  int64_t largest = 1;
  while (!left.empty()) {
    int64_t count = getGroup(left, mostMatrices).count;
    largest = std::max(largest, count);
    left = left.subspan(count);
  }
  return largest;
}
