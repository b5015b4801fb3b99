//===- WgmmaInstructions.cpp - The rows of wgmma.mma_async ---------------===//
//
// A warpgroup multiplies 64 rows; each of its warps holds 16 of them as it
// would hold the A and C of mma.m16n8 (MmaInstructions.cpp), one column block
// of 8 after the other. K is 32 bytes of elements. B comes from shared memory
// through a descriptor, A likewise (.ss) or from registers (.rs); elements of
// 16 bits may be K-major or MN-major there, others are K-major.
//
// A sparse A keeps two of every four columns: its 32 bytes stand for 64 of B.
//
// Source: PTX ISA 9.0, "Asynchronous warpgroup-level matrix instructions".
//
//===----------------------------------------------------------------------===//

#include "InstructionTables.h"

#include <algorithm>
#include <mutex>

using namespace tilec;
using namespace tilec::detail;
using enum ElementKind;

// PTX ISA, "wgmma.mma_async", the tables of shapes and types; the versions are
// those at which ptxas stops refusing the instruction.
constexpr WgmmaTypes wgmmaTypes[] = {
    {F16, F16, F32},   {F16, F16, F16},   {BF16, BF16, F32}, {TF32, TF32, F32},
    {E4M3, E4M3, F32}, {E4M3, E4M3, F16}, {E4M3, E5M2, F32}, {E4M3, E5M2, F16},
    {E5M2, E4M3, F32}, {E5M2, E4M3, F16}, {E5M2, E5M2, F32}, {E5M2, E5M2, F16},
    {S8, S8, S32},     {S8, U8, S32, 84}, {U8, S8, S32, 84}, {U8, U8, S32},
};

/// Those at which it stops refusing a sparse A.
constexpr int firstSparsePtxVersion = 82;

constexpr int64_t warpsPerGroup = 4;
constexpr int64_t rowsPerWarp = 16;
/// Bytes of a row of A, or of a column of B if A is dense, that one instruction
/// multiplies.
constexpr int64_t bytesAlongK = 32;

constexpr int64_t mostN = 256;

/// Every multiple of 8 up to `mostN`; of products of integers only 8, 16, 24 and
/// the multiples of 16 from 32 on.
static bool hasExtentN(ElementKind accumulator, int64_t n) {
  return accumulator != S32 || n <= 24 || n % 16 == 0;
}

/// The pattern of SharedDemand.h for the operand whose dimensions across and
/// along K are `mnDim` and 1 - mnDim.
static SharedDemand makeDemand(int mnDim, Major major, int64_t swizzleBytes,
                               int64_t elementBits) {
  constexpr int64_t chunkBytes = 16;
  int kDim = 1 - mnDim;
  int rowDim = major == Major::K ? kDim : mnDim;
  int64_t rowBytes = swizzleBytes == 0 ? chunkBytes : swizzleBytes;
  int64_t row = rowBytes * 8 / elementBits;
  Swizzle swizzle;
  for (int64_t bytes = chunkBytes; bytes < rowBytes; bytes *= 2)
    swizzle = {swizzle.bits + 1, 4, 3};

  SharedDemand demand;
  demand.major = major;
  demand.swizzleBytes = swizzleBytes;
  Coordinate shape(2, 8);
  shape[rowDim] = row;
  demand.atom = getRowLayout(
      SharedLayout::get(shape, {{row, rowDim, 1, 1}, {8, 1 - rowDim, 1, row}},
                        swizzle, elementBits));
  if (swizzleBytes == 0) {
    demand.leadingDim = kDim;
    demand.strideDim = mnDim;
  } else if (major == Major::K) {
    demand.strideDim = mnDim;
  } else {
    demand.leadingDim = mnDim;
    demand.strideDim = kDim;
  }
  return demand;
}

static std::vector<SharedDemand> makeDemands(int mnDim, int64_t elementBits,
                                             int64_t bytes) {
  std::vector<SharedDemand> demands;
  for (int64_t swizzleBytes : {128, 64, 32, 0}) {
    // The strides of the ISA are those of 32 bytes along K. What is longer lies
    // in a row of the swizzle, or in rows of MN that follow each other.
    bool isLong = bytes > bytesAlongK;
    if (isLong && swizzleBytes == 0)
      continue;
    if (!isLong || swizzleBytes >= bytes)
      demands.push_back(makeDemand(mnDim, Major::K, swizzleBytes, elementBits));
    if (elementBits == 16)
      demands.push_back(
          makeDemand(mnDim, Major::MN, swizzleBytes, elementBits));
  }
  return demands;
}

/// An operand behind a descriptor, of which an instruction reads `bytes` along K;
/// `mnDim` is 0 for A and 1 for B.
template <int mnDim, int64_t bytes>
static MatrixOperand makeSharedOperand(int64_t elementBits) {
  static const auto demands8 = makeDemands(mnDim, 8, bytes);
  static const auto demands16 = makeDemands(mnDim, 16, bytes);
  static const auto demands32 = makeDemands(mnDim, 32, bytes);
  MatrixOperand operand;
  operand.space = OperandSpace::SharedByDescriptor;
  operand.sharedLayouts = elementBits == 8    ? demands8
                          : elementBits == 16 ? demands16
                                              : demands32;
  return operand;
}

// Nine hundred rows share a few layouts, which take longer to make than to copy.

/// (register, lane, warp) -> (M, K) of what A keeps in registers, of elements of
/// `bits`.
static const FragmentLayout &getLayoutA(int64_t bits) {
  auto make = [](int64_t bits) {
    return makeLayoutA(rowsPerWarp, bytesAlongK * 8 / bits,
                       MatrixOperand().registerBits / bits, warpsPerGroup);
  };
  static const FragmentLayout layouts[] = {make(8), make(16), make(32)};
  return layouts[bits / 16];
}

/// (register, lane, warp) -> (M, N) of an accumulator.
static const FragmentLayout &getAccumulatorLayout(int64_t n) {
  static const std::vector<FragmentLayout> layouts = [] {
    std::vector<FragmentLayout> all;
    for (int64_t extent = 8; extent <= mostN; extent += 8)
      all.push_back(makeAccumulatorLayout(rowsPerWarp, extent, warpsPerGroup));
    return all;
  }();
  return layouts[n / 8 - 1];
}

static MatrixInstruction makeInstruction(const WgmmaTypes &types, int64_t n,
                                         OperandSpace spaceA, bool isSparse) {
  MatrixInstruction wgmma;
  int64_t bits = getElementBits(types.a), storedK = bytesAlongK * 8 / bits;
  wgmma.m = rowsPerWarp * warpsPerGroup;
  wgmma.n = n;
  wgmma.k = isSparse ? 2 * storedK : storedK;
  wgmma.kindA = types.a;
  wgmma.kindB = types.b;
  wgmma.kindAccumulator = types.accumulator;
  wgmma.name = isSparse ? "wgmma.mma_async.sp" : "wgmma.mma_async";
  wgmma.name += ".sync.aligned.m" + std::to_string(wgmma.m) + "n" +
                std::to_string(n) + "k" + std::to_string(wgmma.k);
  wgmma.name += types.getName();
  wgmma.name += spaceA == OperandSpace::Registers ? ".rs" : ".ss";

  if (spaceA == OperandSpace::Registers) {
    wgmma.a.elementsPerRegister = wgmma.a.registerBits / bits;
    wgmma.a.layout = getLayoutA(bits);
  } else {
    wgmma.a = makeSharedOperand<0, bytesAlongK>(bits);
  }
  wgmma.b = isSparse ? makeSharedOperand<1, 2 * bytesAlongK>(bits)
                     : makeSharedOperand<1, bytesAlongK>(bits);
  if (isSparse)
    wgmma.metadata = makeMetadata(bits, warpsPerGroup);
  wgmma.accumulator.elementsPerRegister =
      wgmma.accumulator.registerBits / getElementBits(types.accumulator);
  wgmma.accumulator.layout = getAccumulatorLayout(n);

  wgmma.participants = Participants::Warpgroup;
  wgmma.completion = Completion::Group;
  wgmma.proxy = Proxy::Async;
  wgmma.firstCapability = 90;
  wgmma.isArchitectureSpecific = true;
  wgmma.firstPtxVersion =
      isSparse ? std::max(types.firstPtxVersion, firstSparsePtxVersion)
               : types.firstPtxVersion;
  return wgmma;
}

static std::vector<MatrixInstruction> makeRows(const WgmmaTypes &types,
                                               bool isSparse) {
  std::vector<MatrixInstruction> rows;
  // Of tf32 a sparse A keeps one column of two.
  if (isSparse && types.a == TF32)
    return rows;
  for (int64_t n = mostN; n >= 8; n -= 8)
    if (hasExtentN(types.accumulator, n))
      for (OperandSpace spaceA :
           {OperandSpace::SharedByDescriptor, OperandSpace::Registers})
        rows.push_back(makeInstruction(types, n, spaceA, isSparse));
  return rows;
}

std::span<const WgmmaTypes> tilec::detail::getWgmmaTypes() {
  return wgmmaTypes;
}

std::span<const MatrixInstruction>
tilec::detail::getWgmmaInstructions(const WgmmaTypes &types, bool isSparse) {
  struct Family {
    std::once_flag isMade;
    std::vector<MatrixInstruction> rows;
  };
  static Family families[std::size(wgmmaTypes)][2];
  Family &family = families[&types - wgmmaTypes][isSparse];
  std::call_once(family.isMade,
                 [&] { family.rows = makeRows(types, isSparse); });
  return family.rows;
}
