//===- ScalarInstructionTest.cpp - What not every chip has ---------------===//
//
// The target notes of "cvt" and "atom" in the PTX ISA, chip by chip.
//
//===----------------------------------------------------------------------===//

#include "tile/Hardware/ScalarInstruction.h"

#include "gtest/gtest.h"

using namespace tilec;

namespace {

/// The chips that have the instruction at their default PTX version.
std::string getChips(const Availability &instruction) {
  std::string chips;
  for (const GpuTarget &target : getKnownTargets())
    if (instruction.isAvailable(target, /*ptxVersion=*/0))
      chips.append(chips.empty() ? "" : " ").append(target.name);
  return chips;
}

TEST(ScalarInstruction, Chips) {
  EXPECT_EQ(getChips(float8Casts), "sm_89 sm_90a sm_100a sm_120a");
  EXPECT_EQ(getChips(bfloat16AtomicAdd), "sm_90a sm_100a sm_120a");
}

TEST(ScalarInstruction, PtxVersions) {
  EXPECT_FALSE(float8Casts.isAvailable(*findTarget("sm_89"), 80));
  EXPECT_TRUE(float8Casts.isAvailable(*findTarget("sm_89"), 81));
}

} // namespace
