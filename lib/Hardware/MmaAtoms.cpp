//===- MmaAtoms.cpp - The rows of mma.sync -------------------------------===//
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
//     C (M, N):  register [2 : (0, 1), 2 : (8, 0)]
//                lane     [4 : (0, 2), 8 : (1, 0)]
//
// f64 m8n8k4 is the same with M = 8 (no register digit along M) and e = 1.
//
//===----------------------------------------------------------------------===//

#include "tile/Hardware/Instructions.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

using namespace tilec;

//===----------------------------------------------------------------------===//
// Element kinds
//===----------------------------------------------------------------------===//

std::string_view tilec::getName(ElementKind kind) {
  switch (kind) {
  case ElementKind::F64:
    return "f64";
  case ElementKind::F32:
    return "f32";
  case ElementKind::TF32:
    return "tf32";
  case ElementKind::F16:
    return "f16";
  case ElementKind::BF16:
    return "bf16";
  case ElementKind::E4M3:
    return "e4m3";
  case ElementKind::E5M2:
    return "e5m2";
  case ElementKind::S8:
    return "s8";
  case ElementKind::U8:
    return "u8";
  case ElementKind::S32:
    return "s32";
  }
  return "unknown";
}

int64_t tilec::getElementBits(ElementKind kind) {
  switch (kind) {
  case ElementKind::F64:
    return 64;
  case ElementKind::F32:
  case ElementKind::TF32:
  case ElementKind::S32:
    return 32;
  case ElementKind::F16:
  case ElementKind::BF16:
    return 16;
  case ElementKind::E4M3:
  case ElementKind::E5M2:
  case ElementKind::S8:
  case ElementKind::U8:
    return 8;
  }
  return 0;
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

using enum ElementKind;

namespace {

/// One line of the table; the layouts follow from it.
struct MmaRow {
  int64_t m, n, k;
  ElementKind a, b, accumulator;
  int firstCapability;
  int firstPtxVersion;
};

} // namespace

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

/// A one-warp layout whose digits are constants of this file.
static FragmentLayout makeLayout(Coordinate shape, Digits registers,
                                 Digits lanes) {
  Expected<FragmentLayout> layout = FragmentLayout::get(
      std::move(shape), std::move(registers), std::move(lanes), {});
  if (!layout) {
    std::fprintf(stderr, "invalid row of the mma table: %s\n",
                 layout.reason().c_str());
    std::abort();
  }
  return *layout;
}

static std::string makeName(const MmaRow &row) {
  std::string name = "mma.sync.aligned.m" + std::to_string(row.m) + "n" +
                     std::to_string(row.n) + "k" + std::to_string(row.k) +
                     ".row.col";
  for (ElementKind kind : {row.accumulator, row.a, row.b, row.accumulator})
    name.append(".").append(getName(kind));
  return name;
}

static MmaAtom makeAtom(const MmaRow &row) {
  MmaAtom atom;
  atom.name = makeName(row);
  atom.m = row.m;
  atom.n = row.n;
  atom.k = row.k;
  atom.a = row.a;
  atom.b = row.b;
  atom.accumulator = row.accumulator;
  atom.firstCapability = row.firstCapability;
  atom.firstPtxVersion = row.firstPtxVersion;
  atom.registerBits = std::max<int64_t>(32, getElementBits(row.a));
  atom.elementsPerRegister = atom.registerBits / getElementBits(row.a);
  atom.accumulatorElementsPerRegister =
      atom.registerBits / getElementBits(row.accumulator);

  // The digits of the header comment; those of extent 1 are dropped by `get`.
  int64_t e = atom.elementsPerRegister;
  int64_t rowGroups = row.m / 8;
  int64_t kGroups = row.k / (4 * e);
  atom.aLayout = makeLayout({row.m, row.k},
                            {{e, 1, 1}, {rowGroups, 0, 8}, {kGroups, 1, 4 * e}},
                            {{4, 1, e}, {8, 0, 1}});
  atom.bLayout = makeLayout({row.k, row.n}, {{e, 0, 1}, {kGroups, 0, 4 * e}},
                            {{4, 0, e}, {8, 1, 1}});
  atom.cLayout = makeLayout({row.m, row.n}, {{2, 1, 1}, {rowGroups, 0, 8}},
                            {{4, 1, 2}, {8, 0, 1}});
  return atom;
}

const std::vector<MmaAtom> &tilec::getMmaAtoms() {
  static const std::vector<MmaAtom> atoms = [] {
    std::vector<MmaAtom> result;
    for (const MmaRow &row : mmaRows)
      result.push_back(makeAtom(row));
    return result;
  }();
  return atoms;
}

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

bool MmaAtom::isAvailable(const GpuTarget &target, int ptxVersion) const {
  if (ptxVersion < firstPtxVersion)
    return false;
  if (isArchitectureSpecific)
    return target.isArchitectureSpecific &&
           target.computeCapability == firstCapability;
  return target.computeCapability >= firstCapability;
}

std::vector<const MmaAtom *> tilec::findMmaAtoms(const GpuTarget &target,
                                                 ElementKind a, ElementKind b,
                                                 ElementKind accumulator,
                                                 int ptxVersion) {
  if (ptxVersion == 0)
    ptxVersion = target.defaultPtxVersion;
  std::vector<const MmaAtom *> found;
  for (const MmaAtom &atom : getMmaAtoms())
    if (atom.a == a && atom.b == b && atom.accumulator == accumulator &&
        atom.isAvailable(target, ptxVersion))
      found.push_back(&atom);
  std::ranges::sort(found, std::ranges::greater(), &MmaAtom::k);
  return found;
}

const MmaAtom *tilec::findMmaAtomByName(std::string_view name) {
  for (const MmaAtom &atom : getMmaAtoms())
    if (atom.name == name)
      return &atom;
  return nullptr;
}

const GpuTarget *tilec::firstTargetFor(ElementKind a, ElementKind b,
                                       ElementKind accumulator) {
  for (const GpuTarget &target : getKnownTargets())
    if (!findMmaAtoms(target, a, b, accumulator,
                      target.getAcceptedPtxVersions().back())
             .empty())
      return &target;
  return nullptr;
}
