//===- MatrixInstructionsTest.cpp - What queries find, in which order ----===//
//
// The lists are typed out: an instruction that is chosen because it comes first
// must not change because a row was added.
//
//===----------------------------------------------------------------------===//

#include "tile/Hardware/MatrixInstruction.h"

#include "gtest/gtest.h"

#include <set>

using namespace tilec;
using enum ElementKind;
using Names = std::vector<std::string>;

namespace {

Names find(std::string_view chip, ElementKind a, ElementKind b,
           ElementKind accumulator, int ptxVersion = 0) {
  Names names;
  for (const MatrixInstruction *row :
       findMatrixInstructions(*findTarget(chip), a, b, accumulator, ptxVersion))
    names.push_back(row->name);
  return names;
}

struct Query {
  ElementKind a, b, accumulator;
  Names names; // at PTX 8.7 and later, on 8.9 and later
};

const Query queries[] = {
    {F16,
     F16,
     F32,
     {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
      "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32"}},
    {F16,
     F16,
     F16,
     {"mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16",
      "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16"}},
    {BF16,
     BF16,
     F32,
     {"mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32",
      "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32"}},
    {TF32,
     TF32,
     F32,
     {"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32",
      "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32"}},
    {F64, F64, F64, {"mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64"}},
    {S8,
     S8,
     S32,
     {"mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32",
      "mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32"}},
    {S8,
     U8,
     S32,
     {"mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32",
      "mma.sync.aligned.m16n8k16.row.col.s32.s8.u8.s32"}},
    {U8,
     S8,
     S32,
     {"mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32",
      "mma.sync.aligned.m16n8k16.row.col.s32.u8.s8.s32"}},
    {U8,
     U8,
     S32,
     {"mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32",
      "mma.sync.aligned.m16n8k16.row.col.s32.u8.u8.s32"}},
    {E4M3, E4M3, F32, {"mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32"}},
    {E4M3, E4M3, F16, {"mma.sync.aligned.m16n8k32.row.col.f16.e4m3.e4m3.f16"}},
    {E4M3, E5M2, F32, {"mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32"}},
    {E4M3, E5M2, F16, {"mma.sync.aligned.m16n8k32.row.col.f16.e4m3.e5m2.f16"}},
    {E5M2, E4M3, F32, {"mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e4m3.f32"}},
    {E5M2, E4M3, F16, {"mma.sync.aligned.m16n8k32.row.col.f16.e5m2.e4m3.f16"}},
    {E5M2, E5M2, F32, {"mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e5m2.f32"}},
    {E5M2, E5M2, F16, {"mma.sync.aligned.m16n8k32.row.col.f16.e5m2.e5m2.f16"}},
};

constexpr ElementKind kinds[] = {F64,  F32,  TF32, F16, BF16,
                                 E4M3, E5M2, S8,   U8,  S32};

const Query *findQuery(ElementKind a, ElementKind b, ElementKind accumulator) {
  for (const Query &query : queries)
    if (query.a == a && query.b == b && query.accumulator == accumulator)
      return &query;
  return nullptr;
}

// Every triple of types, on the chips from the one that has them all.
TEST(MatrixInstructions, FoundByTypesLargestKFirst) {
  for (std::string_view chip : {"sm_89", "sm_90a", "sm_100a", "sm_120a"})
    for (ElementKind a : kinds)
      for (ElementKind b : kinds)
        for (ElementKind accumulator : kinds) {
          const Query *query = findQuery(a, b, accumulator);
          EXPECT_EQ(find(chip, a, b, accumulator, 87),
                    query ? query->names : Names{})
              << chip << " " << getName(a) << " " << getName(b) << " "
              << getName(accumulator);
        }
}

TEST(MatrixInstructions, Fp8StartsWithSm89AndItsPtxVersions) {
  EXPECT_TRUE(find("sm_80", E4M3, E5M2, F32, 90).empty());
  EXPECT_TRUE(find("sm_86", E4M3, E5M2, F32, 90).empty());
  EXPECT_EQ(find("sm_89", E4M3, E5M2, F32).size(), 1u);
  EXPECT_TRUE(find("sm_89", E4M3, E5M2, F32, 83).empty());
  EXPECT_TRUE(find("sm_89", E4M3, E5M2, F16).empty());
  EXPECT_EQ(find("sm_89", E4M3, E5M2, F16, 87).size(), 1u);
  EXPECT_EQ(find("sm_120a", E5M2, E5M2, F16).size(), 1u);
}

TEST(MatrixInstructions, DefaultPtxVersionsLackOnlyFp8WithF16Accumulators) {
  for (const GpuTarget &target : getKnownTargets())
    for (const Query &query : queries) {
      bool isFp8 = query.a == E4M3 || query.a == E5M2;
      bool isKnown = target.computeCapability >= 89 || !isFp8;
      bool isDefault =
          !isFp8 || query.accumulator == F32 || target.defaultPtxVersion >= 87;
      EXPECT_EQ(find(target.name, query.a, query.b, query.accumulator),
                isKnown && isDefault ? query.names : Names{})
          << target.name << " " << query.names.front();
    }
}

TEST(MatrixInstructions, FirstTargetIsTheRemedy) {
  EXPECT_EQ(firstTargetFor(F16, F16, F32), findTarget("sm_80"));
  EXPECT_EQ(firstTargetFor(E4M3, E4M3, F32), findTarget("sm_89"));
  EXPECT_EQ(firstTargetFor(E4M3, E4M3, F16), findTarget("sm_89"));
  EXPECT_EQ(firstTargetFor(F16, F16, F32, Participants::Warpgroup),
            findTarget("sm_90a"));
  EXPECT_EQ(firstTargetFor(F32, F32, F32), nullptr);
  EXPECT_EQ(firstTargetFor(F64, F64, F64, Participants::Warpgroup), nullptr);
}

TEST(MatrixInstructions, NamesAreUniqueAndFound) {
  std::set<std::string> names;
  for (const MatrixInstruction *instruction : getMatrixInstructions()) {
    const MatrixInstruction &row = *instruction;
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_EQ(findMatrixInstruction(row.name), &row);
  }
  for (std::string_view name :
       {"", "mma", "mma.sync.aligned.m16n8k16", "FMA", "fma ",
        "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16"})
    EXPECT_EQ(findMatrixInstruction(name), nullptr) << name;
}

TEST(MatrixInstructions, FmaIsByEachThreadOnEveryChip) {
  const MatrixInstruction *fma = findMatrixInstruction("fma");
  ASSERT_NE(fma, nullptr);
  EXPECT_EQ(fma->m * fma->n * fma->k, 1);
  EXPECT_EQ(fma->participants, Participants::Thread);
  EXPECT_EQ(fma->completion, Completion::Immediate);
  EXPECT_EQ(fma->a.space, OperandSpace::SharedByAddress);
  EXPECT_EQ(fma->b.space, OperandSpace::SharedByAddress);
  EXPECT_EQ(fma->accumulator.space, OperandSpace::Registers);
  EXPECT_EQ(fma->accumulator.layout.getRank(), 0);
  for (const GpuTarget &target : getKnownTargets())
    EXPECT_EQ(
        findMatrixInstructions(target, F32, F32, F32, 0, Participants::Thread),
        std::vector<const MatrixInstruction *>{fma});
}

} // namespace
