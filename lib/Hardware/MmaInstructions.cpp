//===- MmaInstructions.cpp - The rows of mma.sync ------------------------===//
//
// All shapes with M = 16 are one family: lane = 4 * group + thread, where the
// group is a row of A and C and a column of B, and a 32-bit register holds e
// consecutive elements along K (A and B) or two along N (C). With K a multiple
// of 4e:
//
//     A (M, K):  register [e : (0, 1), 2 : (8, 0), K/4e : (0, 4e)]
//                lane     [4 : (0, e), 8 : (1, 0)]
//     B (K, N):  register [e : (1, 0), K/4e : (4e, 0)]
//                lane     [4 : (e, 0), 8 : (0, 1)]
//     C (M, N):  register [2 : (0, 1), 2 : (8, 0), N/8 : (0, 8)]
//                lane     [4 : (0, 2), 8 : (1, 0)]
//
// Scales of A and B are over (M or N, K / block), of one block:
//
//     A   lane [2 : (8, 0), 2 : replicated, 8 : (1, 0)]     in the lanes that the
//                                                           statement names
//         register [2 : (8, 0)], lane [4 : replicated, 8 : (1, 0)]
//     B   lane [4 : replicated, 8 : (1, 0)]
//
// Where the kind of scales has no sign but the elements in memory may, all lanes have
// those of both rows whose elements they hold, so that they can move the signs.
//
// f64 m8n8k4 is the same with M = 8 (no register digit along M) and e = 1; the
// warps of a warpgroup are a digit [4 : (16, 0)] more.
//
//===----------------------------------------------------------------------===//

#include "InstructionTables.h"

#include <algorithm>

using namespace tilec;
using namespace tilec::detail;
using enum ElementKind;

// PTX ISA, "mma", the tables of shapes and "Target ISA Notes"; the capabilities
// and versions are those at which ptxas stops refusing the instruction.
constexpr MmaRow mmaRows[] = {
    {16, 8, 16, F16, F16, F32, 80, 70},   {16, 8, 8, F16, F16, F32, 75, 65},
    {16, 8, 16, F16, F16, F16, 80, 70},   {16, 8, 8, F16, F16, F16, 75, 65},
    {16, 8, 16, BF16, BF16, F32, 80, 70}, {16, 8, 8, BF16, BF16, F32, 80, 70},
    {16, 8, 8, TF32, TF32, F32, 80, 70},  {16, 8, 4, TF32, TF32, F32, 80, 70},
    {8, 8, 4, F64, F64, F64, 80, 70},

    {16, 8, 32, S8, S8, S32, 80, 70},     {16, 8, 16, S8, S8, S32, 80, 70},
    {16, 8, 32, S8, U8, S32, 80, 70},     {16, 8, 16, S8, U8, S32, 80, 70},
    {16, 8, 32, U8, S8, S32, 80, 70},     {16, 8, 16, U8, S8, S32, 80, 70},
    {16, 8, 32, U8, U8, S32, 80, 70},     {16, 8, 16, U8, U8, S32, 80, 70},

    {16, 8, 32, E4M3, E4M3, F32, 89, 84}, {16, 8, 32, E4M3, E4M3, F16, 89, 87},
    {16, 8, 32, E4M3, E5M2, F32, 89, 84}, {16, 8, 32, E4M3, E5M2, F16, 89, 87},
    {16, 8, 32, E5M2, E4M3, F32, 89, 84}, {16, 8, 32, E5M2, E4M3, F16, 89, 87},
    {16, 8, 32, E5M2, E5M2, F32, 89, 84}, {16, 8, 32, E5M2, E5M2, F16, 89, 87},
};

/// Instructions that take a scale for every 32 elements along K too, of all pairs
/// of these types.
constexpr ElementKind scaledKinds[] = {E4M3, E5M2, E2M3, E3M2, E2M1};
constexpr BlockScaling blocksOf32 = {UE8M0, 32}, blocksOf16 = {UE4M3, 16};

// The digits of the header comment; those of extent 1 are dropped by `get`.

FragmentLayout tilec::detail::makeLayoutA(int64_t rows, int64_t k,
                                          int64_t elementsPerRegister,
                                          int64_t warps) {
  int64_t e = elementsPerRegister;
  return getRowLayout(FragmentLayout::get(
      {rows * warps, k}, {{e, 1, 1}, {rows / 8, 0, 8}, {k / (4 * e), 1, 4 * e}},
      {{4, 1, e}, {8, 0, 1}}, {{warps, 0, rows}}));
}

/// (register, lane) -> (K, N)
static FragmentLayout makeLayoutB(int64_t k, int64_t n,
                                  int64_t elementsPerRegister) {
  int64_t e = elementsPerRegister;
  return getRowLayout(FragmentLayout::get({k, n},
                                          {{e, 0, 1}, {k / (4 * e), 0, 4 * e}},
                                          {{4, 0, e}, {8, 1, 1}}, {}));
}

FragmentLayout tilec::detail::makeAccumulatorLayout(int64_t rows, int64_t n,
                                                    int64_t warps) {
  return getRowLayout(FragmentLayout::get(
      {rows * warps, n}, {{2, 1, 1}, {rows / 8, 0, 8}, {n / 8, 1, 8}},
      {{4, 1, 2}, {8, 0, 1}}, {{warps, 0, rows}}));
}

std::string tilec::detail::listKinds(std::initializer_list<ElementKind> kinds) {
  std::string list;
  for (ElementKind kind : kinds)
    list.append(".").append(getName(kind));
  return list;
}

static std::string makeName(const MmaRow &row) {
  return "mma.sync.aligned.m" + std::to_string(row.m) + "n" +
         std::to_string(row.n) + "k" + std::to_string(row.k) + ".row.col" +
         listKinds({row.accumulator, row.a, row.b, row.accumulator});
}

MatrixInstruction tilec::detail::makeMmaInstruction(const MmaRow &row) {
  MatrixInstruction mma;
  mma.name = makeName(row);
  mma.m = row.m;
  mma.n = row.n;
  mma.k = row.k;
  mma.kindA = row.a;
  mma.kindB = row.b;
  mma.kindAccumulator = row.accumulator;
  mma.firstCapability = row.firstCapability;
  mma.firstPtxVersion = row.firstPtxVersion;

  int64_t registerBits = std::max<int64_t>(32, getElementBits(row.a));
  for (MatrixOperand *operand : {&mma.a, &mma.b, &mma.accumulator})
    operand->registerBits = registerBits;
  int64_t perRegister = registerBits / getElementBits(row.a);
  mma.a.elementsPerRegister = mma.b.elementsPerRegister = perRegister;
  mma.accumulator.elementsPerRegister =
      registerBits / getElementBits(row.accumulator);
  mma.a.layout = makeLayoutA(row.m, row.k, perRegister, 1);
  mma.b.layout = makeLayoutB(row.k, row.n, perRegister);
  mma.accumulator.layout = makeAccumulatorLayout(row.m, row.n, 1);
  return mma;
}

/// (register, lane) -> (M or N, K / block). Of the four lanes of a group those
/// with the scales are chosen by the statement: of A two neighbours, for the rows
/// of C that the group has, of B any. All have them here.
static MatrixOperand makeScales(Digits registers, Digits lanes, int64_t rows) {
  MatrixOperand scales;
  scales.layout = getRowLayout(FragmentLayout::get(
      {rows, 1}, std::move(registers), std::move(lanes), {}));
  scales.elementsPerRegister = 1;
  return scales;
}

static MatrixOperand makeScalesOfA(const BlockScaling &scaling, int64_t rows) {
  constexpr int replicated = Digit::replicated;
  if (scaling.kind == UE4M3)
    return makeScales({{2, 0, 8}}, {{4, replicated, 0}, {8, 0, 1}}, rows);
  return makeScales({}, {{2, 0, 8}, {2, replicated, 0}, {8, 0, 1}}, rows);
}

/// PTX ISA, "mma", "Block scaling", and the figures of scale_vec::1X, 2X and 4X;
/// `kind` is the one of the statement. Elements of m16n8k32 have a byte of a register,
/// however few bits they have.
static MatrixInstruction makeScaledInstruction(const char *kind, int64_t k,
                                               ElementKind a, ElementKind b,
                                               const BlockScaling &scaling) {
  ElementKind held = k == 32 ? E4M3 : a;
  MatrixInstruction mma =
      makeMmaInstruction({16, 8, k, held, held, F32, 120, 87});
  mma.kindA = a;
  mma.kindB = b;
  mma.isArchitectureSpecific = true;
  mma.scaling = scaling;
  mma.name =
      "mma.sync.aligned.m16n8k" + std::to_string(k) + ".row.col.kind::" + kind +
      ".block_scale.scale_vec::" + std::to_string(mma.getScalesPerStep()) +
      "X.f32" + listKinds({a, b, F32, scaling.kind});
  mma.scaleA = makeScalesOfA(scaling, mma.m);
  mma.scaleB = makeScales({}, {{4, Digit::replicated, 0}, {8, 0, 1}}, mma.n);
  return mma;
}

void tilec::detail::addMmaInstructions(std::vector<MatrixInstruction> &table) {
  for (const MmaRow &row : mmaRows)
    table.push_back(makeMmaInstruction(row));
  for (ElementKind a : scaledKinds)
    for (ElementKind b : scaledKinds)
      table.push_back(makeScaledInstruction("mxf8f6f4", 32, a, b, blocksOf32));
  table.push_back(makeScaledInstruction("mxf4", 64, E2M1, E2M1, blocksOf32));
  table.push_back(
      makeScaledInstruction("mxf4nvf4", 64, E2M1, E2M1, blocksOf16));
}
