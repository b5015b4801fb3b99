//===- LaunchDataTest.cpp - What host code starts, as data ----------------===//

#include "tile/Pipeline/Compile.h"
#include "tile/Pipeline/Register.h"

#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::tile;

namespace {

/// The launches of host code that starts @k on (%grid, 1, 1) blocks.
std::vector<LaunchData> getLaunches(MLIRContext &context,
                                    const std::string &body,
                                    const std::string &grid = "%grid") {
  DialectRegistry registry;
  registerTileDialects(registry);
  context.appendDialectRegistry(registry);
  std::string launch =
      "gpu.launch_func @kernels::@k blocks in (" + grid +
      ", %c1, %c1) threads in (%c128, %c1, %c1) args(%n : index)\n";
  std::string text = R"(
module attributes {gpu.container_module} {
gpu.module @kernels {
  llvm.func @k(%n: i64) attributes {gpu.kernel, nvvm.kernel} { llvm.return }
}
func.func @f(%n: index, %x: memref<?x?xf32>, %i: i32, %b: i1, %table: memref<4xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
)" + body + "\n" + launch +
                     "return }\n}";
  size_t place = text.find("LAUNCH");
  if (place != std::string::npos) {
    text.erase(text.rfind(launch), launch.size());
    text.replace(place, 6, launch);
  }
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  EXPECT_TRUE(module) << text;
  return module ? getLaunchData(*module) : std::vector<LaunchData>();
}

/// n = 1000, x is 37 x 5, i = -3, b = 1.
int64_t getArgument(int64_t argument, int64_t dim) {
  switch (argument) {
  case 0:
    return 1000;
  case 1:
    return dim == 0 ? 37 : 5;
  case 2:
    return -3;
  default:
    return 1;
  }
}

struct Case {
  const char *body;
  const char *text;
  std::optional<int64_t> value;
};

TEST(LaunchData, Expressions) {
  const Case cases[] = {
      {"%grid = arith.ceildivsi %n, %c128 : index", "ceildivsi(arg0, 128)", 8},
      {"%grid = arith.divui %n, %c128 : index", "divui(arg0, 128)", 7},
      {"%d = memref.dim %x, %c1 : memref<?x?xf32>\n"
       "%grid = arith.muli %d, %d : index",
       "muli(arg1.size[1], arg1.size[1])", 25},
      {"%w = arith.extsi %i : i32 to i64\n"
       "%grid = arith.index_cast %w : i64 to index",
       "index_cast(extsi(arg2))", -3},
      {"%w = arith.extui %i : i32 to i64\n"
       "%grid = arith.index_cast %w : i64 to index",
       "index_cast(extui(arg2))", 4294967293},
      {"%grid = arith.index_castui %i : i32 to index", "index_castui(arg2)",
       4294967293},
      {"%l = arith.cmpi ult, %c128, %n : index\n"
       "%grid = arith.select %l, %n, %c1 : index",
       "select(cmpi ult(128, arg0), arg0, 1)", 1000},
      {"%grid = arith.remsi %n, %c0 : index", "remsi(arg0, 0)", std::nullopt},
      {"%grid = memref.load %table[%c0] : memref<4xindex>", "?", std::nullopt},
      {"%e = memref.load %table[%c0] : memref<4xindex>\n"
       "%grid = arith.maxsi %e, %c1 : index",
       "maxsi(?, 1)", std::nullopt},
      {"%grid = arith.shli %c1, %c128 : index", "shli(1, 128)", std::nullopt},
  };
  for (const Case &known : cases) {
    MLIRContext context;
    std::vector<LaunchData> launches = getLaunches(context, known.body);
    ASSERT_EQ(launches.size(), 1u);
    const HostExpression &grid = launches[0].grid[0];
    EXPECT_EQ(grid.toString(), known.text);
    EXPECT_EQ(grid.evaluate(getArgument), known.value) << known.text;
    EXPECT_EQ(grid.isKnown(), grid.toString().find('?') == std::string::npos);
    EXPECT_EQ(launches[0].blockThreads, 128);
    EXPECT_EQ(launches[0].sharedBytes.number, 0);
    EXPECT_EQ(launches[0].operands[0].argument, 0);
    EXPECT_TRUE(launches[0].conditions.empty());
    EXPECT_FALSE(launches[0].isRepeated);
  }
}

TEST(LaunchData, Conditions) {
  MLIRContext context;
  std::vector<LaunchData> launches =
      getLaunches(context,
                  "%few = arith.cmpi slt, %n, %c128 : index\n"
                  "scf.if %b { scf.if %few { } else { LAUNCH } }",
                  "%c1");
  ASSERT_EQ(launches.size(), 1u);
  ASSERT_EQ(launches[0].conditions.size(), 2u);
  EXPECT_EQ(launches[0].conditions[0].toString(),
            "xori(cmpi slt(arg0, 128), 1)");
  EXPECT_EQ(launches[0].conditions[0].evaluate(getArgument), 1);
  EXPECT_EQ(launches[0].conditions[1].toString(), "arg3");
  EXPECT_FALSE(launches[0].isRepeated);
}

TEST(LaunchData, Loops) {
  MLIRContext context;
  std::vector<LaunchData> launches =
      getLaunches(context, "scf.for %k = %c0 to %n step %c1 { LAUNCH }", "%k");
  ASSERT_EQ(launches.size(), 1u);
  EXPECT_TRUE(launches[0].isRepeated);
  EXPECT_FALSE(launches[0].grid[0].isKnown());
}

} // namespace
