//===- ParserTest.cpp - PTX text ------------------------------------------===//
//
// What the parser makes of offsets and initialisers, and where it says that
// something is wrong. Instructions are the decoder's.
//
//===----------------------------------------------------------------------===//

#include "tile/Emulator/Emulator.h"

#include <gtest/gtest.h>

using namespace tilec::emu;

static constexpr const char *header = ".version 8.0\n.target sm_90\n"
                                      ".address_size 64\n";

TEST(Parser, SyntaxErrorsNameTheLine) {
  std::vector<Diagnostic> diagnostics;
  EXPECT_FALSE(Module::parse(std::string(header) + ".entry f()\n{\n add.u32 ;;",
                             "m", diagnostics));
  ASSERT_FALSE(diagnostics.empty());
  EXPECT_EQ(diagnostics[0].line, 6u);
}

TEST(Parser, OffsetsAreAdded) {
  struct {
    const char *text, *expected;
  } cases[] = {
      {".entry f() { .reg .b32 %r<2>; ld.shared.b32 %r1, [%r0-4]; }",
       "expected '+' before '-': offsets are added, as in '%r0+-4'"},
      {".shared .b32 s; .entry f() { .reg .b32 %r<2>; mov.b32 %r1, s-4; }",
       "as in 's+-4'"},
      {".global .b32 g; .global .u64 p = g-4;", "as in 'g+-4'"},
      {".global .b32 g; .global .u64 p = generic(g)-4;",
       "as in 'generic(..)+-4'"},
      {".entry f() { .reg .b32 %r<2>; ld.shared.b32 %r1, [%r0+1.5]; }",
       "an offset is an integer"},
  };
  for (const auto &c : cases) {
    std::vector<Diagnostic> diagnostics;
    EXPECT_FALSE(Module::parse(std::string(header) + c.text, "m", diagnostics))
        << c.text;
    ASSERT_FALSE(diagnostics.empty()) << c.text;
    EXPECT_NE(diagnostics[0].message.find(c.expected), std::string::npos)
        << diagnostics[0].message;
  }
}

TEST(Parser, AddressesInInitializersHaveConstantOffsets) {
  std::vector<Diagnostic> diagnostics;
  auto module = Module::parse(
      std::string(header) +
          ".global .align 4 .b32 g[4] = {10, 11, 12, WARP_SZ};\n"
          ".global .u64 p[3] = {g+16+-4, generic(g)+2*4, g+ -4 + 4};\n"
          ".entry k(.param .u64 out) {\n"
          ".reg .b32 %r<3>; .reg .b64 %rd<4>;\n"
          "ld.param.u64 %rd0, [out]; mov.u32 %r1, %tid.x;\n"
          "mov.u64 %rd1, p; mad.wide.u32 %rd1, %r1, 8, %rd1;\n"
          "ld.global.u64 %rd2, [%rd1]; ld.global.u32 %r2, [%rd2];\n"
          "mad.wide.u32 %rd3, %r1, 4, %rd0; st.global.u32 [%rd3], %r2;\n"
          "ret; }\n",
      "m", diagnostics);
  ASSERT_TRUE(module) << diagnostics[0].message;
  DeviceMemory memory;
  uint64_t out = memory.allocate(12, "out");
  ParameterBuilder parameters(module->kernels().at(0));
  parameters.add(out);
  LaunchConfig config;
  config.kernel = "k";
  config.block = {3};
  config.parameters = parameters.bytes();
  LaunchResult result = launch(*module, memory, config, {});
  EXPECT_TRUE(result.ok());
  uint32_t words[3] = {};
  memory.read(out, words, sizeof words);
  EXPECT_EQ(words[0], 32u);
  EXPECT_EQ(words[1], 12u);
  EXPECT_EQ(words[2], 10u);
}
