//===- CopyInstructionsTest.cpp - Copies against the PTX ISA --------------===//
//
// ldmatrix and stmatrix: the PTX ISA's figure "ldmatrix fragment layout" typed
// out. Each row of a matrix is spread over four lanes, two elements in one
// register: lane l holds row l / 4, elements 2 * (l % 4) and 2 * (l % 4) + 1 of
// it; with .trans the matrix is loaded in column-major form, so that the same
// lane holds column l / 4. Destination register i belongs to matrix i.
//
//===----------------------------------------------------------------------===//

#include "tile/Hardware/CopyInstruction.h"
#include "tile/Hardware/MatrixInstruction.h"

#include "gtest/gtest.h"

#include <set>

using namespace tilec;
using Names = std::vector<std::string>;

namespace {

TEST(CopyInstructions, MatrixLayoutsEqualThePtxIsaFigure) {
  int seen = 0;
  for (const CopyInstruction &row : getCopyInstructions()) {
    if (row.matrixCount == 0)
      continue;
    ++seen;
    SCOPED_TRACE(row.name);
    EXPECT_EQ(row.layout.getShape(), (Coordinate{row.matrixCount, 8, 8}));
    EXPECT_EQ(row.layout.getRegisterCount(), 2 * row.matrixCount);
    EXPECT_EQ(row.layout.getExtent(HardwareDim::Lane), 32);
    std::set<Coordinate> held;
    for (int64_t lane = 0; lane < 32; ++lane)
      for (int64_t matrix = 0; matrix < row.matrixCount; ++matrix)
        for (int64_t half = 0; half < 2; ++half) {
          int64_t line = lane / 4;
          int64_t element = 2 * (lane % 4) + half;
          Coordinate expected = row.isTransposed
                                    ? Coordinate{matrix, element, line}
                                    : Coordinate{matrix, line, element};
          EXPECT_EQ(row.layout.evaluate(2 * matrix + half, lane, 0), expected)
              << "lane " << lane << ", register " << matrix << ", half "
              << half;
          held.insert(expected);
        }
    EXPECT_EQ(int64_t(held.size()), 64 * row.matrixCount);
  }
  EXPECT_EQ(seen, 12);
}

/// Checks that the matrices of `copy`, put at `origins` of an operand, deliver
/// or take what the first registers of `warp` hold.
void expectDelivers(const CopyInstruction &copy,
                    const std::vector<Coordinate> &origins,
                    const FragmentLayout &operand, int64_t warp = 0) {
  ASSERT_EQ(copy.matrixCount, int64_t(origins.size()));
  ASSERT_LE(copy.layout.getRegisterCount(), operand.getRegisterCount());
  for (int64_t lane = 0; lane < 32; ++lane)
    for (int64_t reg = 0; reg < copy.layout.getRegisterCount(); ++reg) {
      Coordinate at = copy.layout.evaluate(reg, lane, 0);
      const Coordinate &origin = origins[at[0]];
      EXPECT_EQ(operand.evaluate(reg, lane, warp),
                (Coordinate{origin[0] + at[1], origin[1] + at[2]}))
          << "lane " << lane << ", element " << reg;
    }
}

TEST(CopyInstructions, MatricesDeliverTheOperandsOfMma) {
  const MatrixInstruction &mma = *findMatrixInstruction(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
  // A row-major over (M, K): rows of memory are rows of A.
  expectDelivers(
      *findCopyInstruction("ldmatrix.sync.aligned.m8n8.x4.shared.b16"),
      {{0, 0}, {8, 0}, {0, 8}, {8, 8}}, mma.a.layout);
  // B row-major over (K, N): rows of memory run across a lane's pair.
  expectDelivers(
      *findCopyInstruction("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16"),
      {{0, 0}, {8, 0}}, mma.b.layout);
  // C, converted to f16, stored row-major over (M, N).
  expectDelivers(
      *findCopyInstruction("stmatrix.sync.aligned.m8n8.x2.shared.b16"),
      {{0, 0}, {8, 0}}, mma.accumulator.layout);
}

// Each warp of a warpgroup stores 16 x 16 of D by four matrices.
TEST(CopyInstructions, MatricesTakeTheAccumulatorsOfWgmma) {
  const MatrixInstruction &wgmma = *findMatrixInstruction(
      "wgmma.mma_async.sync.aligned.m64n128k16.f16.f16.f16.ss");
  for (int64_t warp = 0; warp < 4; ++warp) {
    int64_t row = 16 * warp;
    expectDelivers(
        *findCopyInstruction("stmatrix.sync.aligned.m8n8.x4.shared.b16"),
        {{row, 0}, {row + 8, 0}, {row, 8}, {row + 8, 8}},
        wgmma.accumulator.layout, warp);
  }
}

TEST(CopyInstructions, NamesAreUniqueAndFound) {
  std::set<std::string> names;
  for (const CopyInstruction &row : getCopyInstructions()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_EQ(findCopyInstruction(row.name), &row);
  }
  for (std::string_view name :
       {"", "ldmatrix", "cp.async.16", "LD", "cp.async.bulk.tensor.6d"})
    EXPECT_EQ(findCopyInstruction(name), nullptr) << name;
}

TEST(CopyInstructions, MatrixTraits) {
  for (const CopyInstruction &row : getCopyInstructions()) {
    bool isLoad = row.name.starts_with("ldmatrix.");
    if (!isLoad && !row.name.starts_with("stmatrix.")) {
      EXPECT_EQ(row.matrixCount, 0) << row.name;
      continue;
    }
    SCOPED_TRACE(row.name);
    EXPECT_NE(row.name.find(".x" + std::to_string(row.matrixCount)),
              std::string::npos);
    EXPECT_EQ(row.isTransposed, row.name.find(".trans") != std::string::npos);
    auto shared = MemorySpace::Shared, registers = MemorySpace::Registers;
    EXPECT_EQ(row.source, isLoad ? shared : registers);
    EXPECT_EQ(row.dest, isLoad ? registers : shared);
    EXPECT_EQ(row.accessBytes, std::vector<int64_t>{16});
    EXPECT_EQ(row.getAlignBytes(16), 16);
    EXPECT_EQ(row.issuer, Issuer::Warp);
    EXPECT_EQ(row.padding, Padding::None);
    EXPECT_EQ(row.completion, Completion::Immediate);
    EXPECT_EQ(row.proxy, Proxy::Generic);
    EXPECT_FALSE(row.converts);
  }
}

TEST(CopyInstructions, ThreadTraits) {
  for (std::string_view name : {"ld", "st", "ld.st"}) {
    const CopyInstruction &row = *findCopyInstruction(name);
    EXPECT_EQ(row.accessBytes, (std::vector<int64_t>{1, 2, 4, 8, 16}));
    EXPECT_EQ(row.accessBytes.back(), maxAccessBytes);
    EXPECT_TRUE(row.converts);
    EXPECT_EQ(row.issuer, Issuer::Thread);
    EXPECT_EQ(row.padding, Padding::Any);
    EXPECT_EQ(row.completion, Completion::Immediate);
    EXPECT_EQ(row.proxy, Proxy::Generic);
    EXPECT_EQ(row.getAlignBytes(8), 8);
  }
  const CopyInstruction &async = *findCopyInstruction("cp.async");
  EXPECT_EQ(async.accessBytes, (std::vector<int64_t>{4, 8, 16}));
  EXPECT_EQ(async.source, MemorySpace::Global);
  EXPECT_EQ(async.dest, MemorySpace::Shared);
  EXPECT_FALSE(async.converts);
  EXPECT_EQ(async.issuer, Issuer::Thread);
  EXPECT_EQ(async.padding, Padding::Zero);
  EXPECT_EQ(async.completion, Completion::Group);
  EXPECT_EQ(async.proxy, Proxy::Generic);
}

TEST(CopyInstructions, CopiesOfProducersArrive) {
  for (std::string name : {"ld.st", "cp.async"}) {
    const CopyInstruction &row = *findCopyInstruction(name);
    const CopyInstruction &own = *findCopyInstruction(name + ".mbarrier");
    EXPECT_EQ(own.accessBytes, row.accessBytes);
    EXPECT_EQ(own.source, MemorySpace::Global);
    EXPECT_EQ(own.dest, MemorySpace::Shared);
    EXPECT_EQ(own.converts, row.converts);
    EXPECT_EQ(own.issuer, Issuer::Thread);
    EXPECT_EQ(own.padding, row.padding);
    EXPECT_EQ(own.completion, Completion::Mbarrier);
    EXPECT_EQ(own.proxy, Proxy::Generic);
  }
}

TEST(CopyInstructions, LegalSizes) {
  auto sizes = [](std::string_view name) {
    std::vector<int64_t> found;
    for (int64_t bytes = -16; bytes <= 64; ++bytes)
      if (findCopyInstruction(name)->moves(bytes))
        found.push_back(bytes);
    return found;
  };
  EXPECT_EQ(sizes("ld.st"), (std::vector<int64_t>{1, 2, 4, 8, 16}));
  EXPECT_EQ(sizes("cp.async"), (std::vector<int64_t>{4, 8, 16}));
  EXPECT_EQ(sizes("ldmatrix.sync.aligned.m8n8.x1.shared.b16"),
            std::vector<int64_t>{16});
  EXPECT_EQ(sizes("cp.async.bulk.global.shared::cta.bulk_group"),
            (std::vector<int64_t>{16, 32, 48, 64}));
}

Names find(std::string_view chip, MemorySpace source, MemorySpace dest,
           int ptxVersion = 0) {
  Names names;
  for (const CopyInstruction *row :
       findCopyInstructions(*findTarget(chip), source, dest, ptxVersion))
    names.push_back(row->name);
  return names;
}

TEST(CopyInstructions, FoundBySpacesPerChip) {
  constexpr auto global = MemorySpace::Global, shared = MemorySpace::Shared,
                 registers = MemorySpace::Registers;
  const Names loads = {"ld",
                       "ldmatrix.sync.aligned.m8n8.x4.shared.b16",
                       "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16",
                       "ldmatrix.sync.aligned.m8n8.x2.shared.b16",
                       "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16",
                       "ldmatrix.sync.aligned.m8n8.x1.shared.b16",
                       "ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16"};
  const Names stores = {"st",
                        "stmatrix.sync.aligned.m8n8.x4.shared.b16",
                        "stmatrix.sync.aligned.m8n8.x4.trans.shared.b16",
                        "stmatrix.sync.aligned.m8n8.x2.shared.b16",
                        "stmatrix.sync.aligned.m8n8.x2.trans.shared.b16",
                        "stmatrix.sync.aligned.m8n8.x1.shared.b16",
                        "stmatrix.sync.aligned.m8n8.x1.trans.shared.b16"};
  const std::string toShared = ".shared::cluster.global";
  const std::string counted = ".mbarrier::complete_tx::bytes";
  const Names copies = {"ld.st", "cp.async", "ld.st.mbarrier",
                        "cp.async.mbarrier"};
  Names bulkLoads = copies;
  bulkLoads.push_back("cp.async.bulk" + toShared + counted);
  Names bulkStores = {"ld.st", "cp.async.bulk.global.shared::cta.bulk_group"};
  for (std::string rank : {"1d", "2d", "3d", "4d", "5d"}) {
    bulkLoads.push_back("cp.async.bulk.tensor." + rank + toShared + ".tile" +
                        counted);
    bulkStores.push_back("cp.async.bulk.tensor." + rank +
                         ".global.shared::cta.tile.bulk_group");
  }
  bulkLoads.push_back("cp.async.bulk.tensor.4d" + toShared + ".im2col" +
                      counted);
  for (std::string reduction : {"add", "min", "max", "and", "or", "xor"})
    for (std::string rank : {"1d", "2d", "3d", "4d", "5d"})
      bulkStores.push_back("cp.reduce.async.bulk.tensor." + rank +
                           ".global.shared::cta." + reduction +
                           ".tile.bulk_group");
  for (const GpuTarget &target : getKnownTargets()) {
    bool isHopper = target.computeCapability >= 90;
    SCOPED_TRACE(target.name);
    EXPECT_EQ(find(target.name, shared, registers), loads);
    EXPECT_EQ(find(target.name, registers, shared),
              isHopper ? stores : Names{"st"});
    EXPECT_EQ(find(target.name, global, shared), isHopper ? bulkLoads : copies);
    EXPECT_EQ(find(target.name, shared, global),
              isHopper ? bulkStores : Names{"ld.st"});
    EXPECT_EQ(find(target.name, global, registers), Names{"ld"});
    EXPECT_EQ(find(target.name, registers, global), Names{"st"});
    EXPECT_EQ(find(target.name, global, global), Names{"ld.st"});
    EXPECT_EQ(find(target.name, shared, shared), Names{"ld.st"});
    EXPECT_TRUE(find(target.name, registers, registers).empty());
  }
  // stmatrix is PTX 7.8, bulk copies are 8.0.
  EXPECT_EQ(find("sm_90a", registers, shared, 78), stores);
  EXPECT_EQ(find("sm_90a", registers, shared, 77), Names{"st"});
  EXPECT_EQ(find("sm_90a", shared, global, 78), Names{"ld.st"});
}

} // namespace
