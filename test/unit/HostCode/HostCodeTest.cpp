//===- HostCodeTest.cpp - Objects and headers by C++ ----------------------===//
//
// What an embedder calls, in a context that has no more dialects than compiling needs.
// What objects do is tested by test/HostCode.
//
//===----------------------------------------------------------------------===//

#include "tile/HostCode/HostCode.h"

#include "../CompilerTest.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::tile;

namespace {

constexpr const char *program = R"(
func.func @scale(%x: memref<?x64xf32, strided<[?, 1], offset: ?>>, %f: f32 loc("factor")) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x64xf32, strided<[?, 1], offset: ?>>
  %root = math.sqrt %f : f32
  %last = arith.subi %n, %c1 : index
  %y = memref.subview %x[%last, 0] [1, 64] [1, 1] : memref<?x64xf32, strided<[?, 1], offset: ?>> to memref<1x64xf32, strided<[?, 1], offset: ?>>
  %w = memref.alloc() : memref<1x64xf32>
  memref.copy %y, %w : memref<1x64xf32, strided<[?, 1], offset: ?>> to memref<1x64xf32>
  scf.for %i = %c0 to %n step %c1 {
    tile.launch blocks(%b) in (%c1) threads(64) {
      %z = arith.constant 0 : index
      %t = tile.load %w : memref<1x64xf32> -> tensor<1x64xf32>
      %s = tensor.splat %root : tensor<1x64xf32>
      %u = arith.mulf %t, %s : tensor<1x64xf32>
      tile.store %u, %x[%i, %z] : tensor<1x64xf32>, memref<?x64xf32, strided<[?, 1], offset: ?>>
    }
  }
  return %n : index
}
)";

using HostCode = CompilerTest;

TEST_F(HostCode, MakesAnObjectAndAHeader) {
  FailureOr<CompiledProgram> compiled = compileText(program);
  ASSERT_TRUE(succeeded(compiled));
  FailureOr<std::string> object = makeObject(*compiled);
  ASSERT_TRUE(succeeded(object));
  EXPECT_NE(object->find("tileRtLaunch"), std::string::npos);
  EXPECT_NE(object->find(".visible .entry scale_0"), std::string::npos);
  FailureOr<std::string> header = makeHeader(*compiled);
  ASSERT_TRUE(succeeded(header));
  // Names are those of locations, else numbers.
  EXPECT_NE(header->find("int scale(float *arg0, int64_t arg0_size0, int64_t "
                         "arg0_size1,\n"
                         "          int64_t arg0_stride0, int64_t arg0_offset, "
                         "float factor,\n"
                         "          int64_t *result0, void *stream);"),
            std::string::npos)
      << *header;
}

TEST_F(HostCode, IsTheSameEachTime) {
  FailureOr<CompiledProgram> compiled = compileText(program);
  ASSERT_TRUE(succeeded(compiled));
  FailureOr<std::string> first = makeObject(*compiled),
                         second = makeObject(*compiled);
  ASSERT_TRUE(succeeded(first) && succeeded(second));
  EXPECT_EQ(*first, *second);
}

TEST_F(HostCode, LeavesTheProgramAsItIs) {
  FailureOr<CompiledProgram> compiled = compileText(program);
  ASSERT_TRUE(succeeded(compiled));
  std::string before = print(*compiled->host);
  ASSERT_TRUE(succeeded(makeObject(*compiled)));
  EXPECT_EQ(before, print(*compiled->host));
}

TEST_F(HostCode, SaysWhatCHasNoNameFor) {
  std::string text = program;
  text.replace(text.find("@scale"), 6, "@\"my scale\"");
  FailureOr<CompiledProgram> compiled = compileText(text);
  ASSERT_TRUE(succeeded(compiled));
  EXPECT_TRUE(failed(makeObject(*compiled)));
  EXPECT_TRUE(failed(makeHeader(*compiled)));
  ASSERT_EQ(messages.size(), 2u);
  for (const std::string &message : messages)
    EXPECT_EQ(message, "'my scale' is no name of a function in C; rename the "
                       "function, or make it private");
}

} // namespace
