//===- tile-test-opt.cpp - tile-opt with test passes ----------------------===//
//
// What tile-opt knows, the passes of test/lib, which print what analyses find,
// and the dialect `test_tile`. Built with the tests only.
//
//===----------------------------------------------------------------------===//

#include "Analysis/TestAnalyses.h"
#include "Dialect/TestTileDialect.h"
#include "Report/TestReport.h"

#include "tile/Conversion/Passes.h"
#include "tile/Dialect/Tile/TileDialect.h"
#include "tile/Pipeline/Pipeline.h"
#include "tile/Target/PTX/Passes.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

using namespace mlir;

int main(int argc, char **argv) {
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registry.insert<tile::TileDialect, tile::test::TestTileDialect>();
  tile::registerConvertToLLVMInterfaces(registry);
  tile::registerPtxTranslation(registry);
  registerAllPasses();
  tile::registerTilePipelines();
  tile::test::registerTestIndexFacts();
  tile::test::registerTestOperandFacts();
  tile::test::registerTestAccessWidth();
  tile::test::registerTestBlockAccesses();
  tile::test::registerTestMemoryOverlap();
  tile::test::registerTestSharedLiveness();
  tile::test::registerTestArenaProblem();
  tile::test::registerTestBarrierPlan();
  tile::test::registerTestOrderWork();
  tile::test::registerTestRingProtocol();
  tile::test::registerTestReport();
  return asMainReturnCode(
      MlirOptMain(argc, argv, "tile test driver\n", registry));
}
