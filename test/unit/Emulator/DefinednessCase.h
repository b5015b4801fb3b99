//===- DefinednessCase.h - A kernel and what it decides by ------*- C++ -*-===//
//
// What tests of definedness share: a kernel with defined and undefined bytes
// around a few lines of its own, and the one report that these must give.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TEST_UNIT_EMULATOR_DEFINEDNESSCASE_H
#define TILE_TEST_UNIT_EMULATOR_DEFINEDNESSCASE_H

#include "ParsedKernel.h"

namespace tilec::emu {

/// A kernel of one warp around `body`: %rd1 is the address of `out`, %rd2 that
/// of the thread's word in it, %rd3 that of `half`, of whose 16-byte rows, one
/// for each thread, the first 8 bytes are written; %r1 is the thread. Of the
/// shared bytes `s` each thread has written the first 8 of 16: %r2 is their
/// address.
inline std::string wrap(const std::string &body,
                        const std::string &before = "") {
  return ".version 8.0\n.target sm_90a\n.address_size 64\n" + before +
         ".visible .entry k(.param .u64 out, .param .u64 half) {\n"
         ".reg .b16 %h<20>; .reg .b32 %r<40>; .reg .b64 %rd<40>;\n"
         ".reg .f32 %f<20>; .reg .pred %p<10>;\n"
         ".shared .align 16 .b8 s[512]; .shared .align 16 .b8 t[512];\n"
         ".local .align 16 .b8 l[32]; .shared .align 8 .b64 bar;\n"
         "ld.param.u64 %rd1, [out]; ld.param.u64 %rd3, [half];\n"
         "mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4;\n"
         "add.u64 %rd2, %rd1, %rd2; shl.b32 %r3, %r1, 4;\n"
         "mov.u32 %r2, s; add.u32 %r2, %r2, %r3; mul.wide.u32 %rd4, %r1, 16;\n"
         "add.u64 %rd3, %rd3, %rd4; mov.u32 %r4, 7;\n"
         "st.shared.v2.b32 [%r2], {%r1, %r4}; bar.warp.sync 0xffffffff;\n" +
         body + "\nret;\n}\n";
}

inline std::vector<Report> run(const std::string &text,
                               LaunchOptions options = {}) {
  auto module = parseKernel(text);
  if (!module)
    return {};
  DeviceMemory memory;
  uint64_t out = memory.allocate(4096, "out"),
           half = memory.allocate(512, "half");
  for (uint32_t row = 0; row < 32; ++row) {
    uint32_t words[2] = {row, 1};
    memory.write(half + 16 * row, words, sizeof words);
  }
  ParameterBuilder parameters(module->kernels().at(0));
  parameters.add(out);
  parameters.add(half);
  LaunchConfig config;
  config.kernel = "k";
  config.block = {32};
  config.parameters = parameters.bytes();
  return launch(*module, memory, config, options).reports;
}

inline std::string describe(const std::vector<Report> &reports) {
  std::string text;
  for (const Report &report : reports)
    text += report.format("test.ptx") + "\n";
  return text;
}

struct DefinednessCase {
  std::string name, body;
  std::string says;         ///< What the report contains; empty: silent.
  std::string before = "";  ///< Functions.
  bool namesTheRead = true; ///< With a second place.
};

inline void check(const std::vector<DefinednessCase> &cases) {
  for (const DefinednessCase &c : cases) {
    std::vector<Report> reports = run(wrap(c.body, c.before));
    if (c.says.empty()) {
      EXPECT_TRUE(reports.empty()) << c.name << "\n" << describe(reports);
      continue;
    }
    ASSERT_EQ(reports.size(), 1u) << c.name << "\n" << describe(reports);
    EXPECT_EQ(reports[0].kind, ReportKind::Uninitialized) << c.name;
    EXPECT_NE(describe(reports).find(c.says), std::string::npos)
        << c.name << "\n"
        << describe(reports);
    EXPECT_EQ(reports[0].second.has_value(), c.namesTheRead) << c.name;
  }
}

} // namespace tilec::emu

#endif // TILE_TEST_UNIT_EMULATOR_DEFINEDNESSCASE_H
