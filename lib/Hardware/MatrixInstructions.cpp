//===- MatrixInstructions.cpp - The table of matrix instructions ---------===//
//
// The families in the order in which queries return them, and the row "fma",
// which has no family.
//
//===----------------------------------------------------------------------===//

#include "InstructionTables.h"

#include <algorithm>
#include <cassert>
#include <functional>
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

/// The one table. Its many rows of wgmma are added when somebody asks for them;
/// the others stay where they are.
static std::vector<MatrixInstruction> &getTable() {
  static std::vector<MatrixInstruction> table = [] {
    constexpr size_t mostRows = 2048;
    std::vector<MatrixInstruction> rows;
    rows.reserve(mostRows);
    addMmaInstructions(rows);
    addSparseMmaInstructions(rows);
    rows.push_back(makeFma());
    return rows;
  }();
  return table;
}

/// The rows for warps and threads.
static std::span<const MatrixInstruction> getSmallRows() {
  static const std::span<const MatrixInstruction> rows(getTable());
  return rows;
}

/// Those, and the rows for warpgroups that multiply a dense A.
static std::span<const MatrixInstruction> getDenseRows() {
  static const std::span<const MatrixInstruction> rows = [] {
    const MatrixInstruction *first = getSmallRows().data();
    addWgmmaInstructions(getTable());
    assert(getTable().data() == first && "the table has room for all rows");
    (void)first;
    return std::span<const MatrixInstruction>(getTable());
  }();
  return rows;
}

const std::vector<MatrixInstruction> &tilec::getMatrixInstructions() {
  static const std::vector<MatrixInstruction> &table = [] {
    const MatrixInstruction *first = getDenseRows().data();
    addSparseWgmmaInstructions(getTable());
    assert(getTable().data() == first && "the table has room for all rows");
    (void)first;
    return std::ref(getTable());
  }();
  return table;
}

static bool isSmall(Participants participants) {
  return participants == Participants::Thread ||
         participants == Participants::Warp;
}

/// As much of the table as has all rows for `participants`.
static std::span<const MatrixInstruction> getRows(Participants participants,
                                                  bool isSparse) {
  if (isSmall(participants))
    return getSmallRows();
  if (isSparse)
    return getMatrixInstructions();
  return getDenseRows();
}

static bool multiplies(const MatrixInstruction &row, ElementKind a,
                       ElementKind b, ElementKind accumulator) {
  return row.kindA == a && row.kindB == b && row.kindAccumulator == accumulator;
}

/// The largest K first, then in the order of the table.
static void sortByK(std::vector<const MatrixInstruction *> &rows) {
  // Rows are elements of one table: addresses order as they do.
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
  for (const MatrixInstruction &row : getRows(participants, isSparse))
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

const MatrixInstruction *tilec::findMatrixInstruction(std::string_view name) {
  for (const MatrixInstruction &row : getSmallRows())
    if (row.name == name)
      return &row;
  if (!name.starts_with("wgmma"))
    return nullptr;
  for (const MatrixInstruction &row : getDenseRows())
    if (row.name == name)
      return &row;
  if (!name.starts_with("wgmma.mma_async.sp"))
    return nullptr;
  for (const MatrixInstruction &row : getMatrixInstructions())
    if (row.name == name)
      return &row;
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
