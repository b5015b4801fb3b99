//===- MatrixInstructions.cpp - The table of matrix instructions ---------===//
//
// The families in the order in which queries return them, and the row "fma",
// which has no family.
//
//===----------------------------------------------------------------------===//

#include "InstructionTables.h"

#include <algorithm>
#include <span>

using namespace tilec;
using namespace tilec::detail;

static MatrixInstruction makeFma() {
  MatrixInstruction fma;
  fma.name = fmaName;
  fma.m = fma.n = fma.k = 1;
  fma.kindA = fma.kindB = fma.kindAccumulator = ElementKind::F32;
  fma.a.space = fma.b.space = OperandSpace::SharedByAddress;
  fma.participants = Participants::Thread;
  return fma;
}

/// The rows for warps and threads.
static std::span<const MatrixInstruction> getSmallRows() {
  static const std::vector<MatrixInstruction> table = [] {
    std::vector<MatrixInstruction> rows;
    addMmaInstructions(rows);
    addSparseMmaInstructions(rows);
    rows.push_back(makeFma());
    return rows;
  }();
  return table;
}

std::vector<const MatrixInstruction *> tilec::getMatrixInstructions() {
  std::vector<const MatrixInstruction *> all;
  auto add = [&](std::span<const MatrixInstruction> rows) {
    for (const MatrixInstruction &row : rows)
      all.push_back(&row);
  };
  add(getSmallRows());
  for (bool isSparse : {false, true})
    for (const WgmmaTypes &types : getWgmmaTypes())
      add(getWgmmaInstructions(types, isSparse));
  return all;
}

/// As much of the table as has all rows for `participants` and these types.
static std::span<const MatrixInstruction> getRows(Participants participants,
                                                  ElementKind a, ElementKind b,
                                                  ElementKind accumulator,
                                                  bool isSparse) {
  if (participants != Participants::Warpgroup)
    return getSmallRows();
  for (const WgmmaTypes &types : getWgmmaTypes())
    if (types.a == a && types.b == b && types.accumulator == accumulator)
      return getWgmmaInstructions(types, isSparse);
  return {};
}

static bool multiplies(const MatrixInstruction &row, ElementKind a,
                       ElementKind b, ElementKind accumulator) {
  return row.kindA == a && row.kindB == b && row.kindAccumulator == accumulator;
}

/// The largest K first, then in the order of the table.
static void sortByK(std::vector<const MatrixInstruction *> &rows) {
  // Rows are elements of one part of the table: addresses order as they do.
  std::ranges::sort(rows, [](const auto *left, const auto *right) {
    return left->k != right->k ? left->k > right->k : left < right;
  });
}

std::vector<const MatrixInstruction *>
tilec::findMatrixInstructions(const GpuTarget &target, ElementKind a,
                              ElementKind b, ElementKind accumulator,
                              int ptxVersion, Participants participants,
                              bool isSparse) {
  std::vector<const MatrixInstruction *> found;
  for (const MatrixInstruction &row :
       getRows(participants, a, b, accumulator, isSparse))
    if (row.participants == participants && row.isSparse() == isSparse &&
        !row.scaling && multiplies(row, a, b, accumulator) &&
        row.isAvailable(target, ptxVersion))
      found.push_back(&row);
  sortByK(found);
  return found;
}

std::vector<const MatrixInstruction *>
tilec::findScaledInstructions(const GpuTarget &target, ElementKind a,
                              ElementKind b, ElementKind accumulator,
                              const BlockScaling &scaling) {
  std::vector<const MatrixInstruction *> found;
  for (const MatrixInstruction &row : getSmallRows())
    if (row.scaling && row.scaling->kind == scaling.kind &&
        scaling.block % row.scaling->block == 0 &&
        multiplies(row, a, b, accumulator) &&
        row.isAvailable(target, /*ptxVersion=*/0))
      found.push_back(&row);
  sortByK(found);
  return found;
}

static const MatrixInstruction *findRow(std::span<const MatrixInstruction> rows,
                                        std::string_view name) {
  auto row = std::ranges::find(rows, name, &MatrixInstruction::name);
  return row == rows.end() ? nullptr : &*row;
}

const MatrixInstruction *tilec::findMatrixInstruction(std::string_view name) {
  if (!name.starts_with("wgmma"))
    return findRow(getSmallRows(), name);
  for (const WgmmaTypes &types : getWgmmaTypes())
    if (name.find(types.getName()) != name.npos)
      return findRow(
          getWgmmaInstructions(types, name.starts_with("wgmma.mma_async.sp")),
          name);
  return nullptr;
}

const GpuTarget *tilec::firstTargetFor(ElementKind a, ElementKind b,
                                       ElementKind accumulator,
                                       Participants participants,
                                       bool isSparse) {
  for (const GpuTarget &target : getKnownTargets())
    if (!findMatrixInstructions(target, a, b, accumulator,
                                target.getAcceptedPtxVersions().back(),
                                participants, isSparse)
             .empty())
      return &target;
  return nullptr;
}
