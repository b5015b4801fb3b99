//===- TritonSuite.cpp - Reads, runs and reports the Triton cases ---------===//
//
// One GoogleTest per case and chip, over the files of ptx/. Triton stores
// copies of one value from several warps, which is allowed here.
//
//===----------------------------------------------------------------------===//

#include "TritonSuite.h"

#include <gtest/gtest.h>

#include <cstdlib>

using namespace tilec::emu;
using namespace tilec::emu::triton;

std::vector<Case> &tilec::emu::triton::cases() {
  static std::vector<Case> all;
  return all;
}

namespace {

class TritonTest : public testing::Test {
public:
  TritonTest(Case entry, std::string chip)
      : entry(entry), chip(std::move(chip)) {}

  void TestBody() override {
    std::string path =
        std::string(TILE_TRITON_PTX) + "/" + entry.name + "." + chip + ".ptx";
    static constexpr std::string_view prefix = "// shared bytes: ";
    std::string text = readFile(path);
    ASSERT_TRUE(text.starts_with(prefix)) << path;
    auto bytes = static_cast<uint32_t>(std::atoi(&text[prefix.size()]));
    for (auto [name, options] : schedules()) {
      options.allowEqualStores = true;
      options.allowUnfencedMbarriers = true;
      std::string error;
      auto module = parseFile(path, error);
      ASSERT_TRUE(module) << error;
      TritonRun run(*module, options, bytes);
      entry.body(run);
      for (const std::string &message : run.messages)
        ADD_FAILURE() << name << ": " << message;
      if (!run.messages.empty())
        return;
    }
  }

private:
  Case entry;
  std::string chip;
};

} // namespace

int main(int argc, char **argv) {
  testing::InitGoogleTest(&argc, argv);
  for (const Case &entry : cases()) {
    std::istringstream chips(entry.chips);
    for (std::string chip; chips >> chip;)
      testing::RegisterTest(
          "Triton", (std::string(entry.name) + "_" + chip).c_str(), nullptr,
          nullptr, __FILE__, __LINE__,
          [entry, chip] { return new TritonTest(entry, chip); });
  }
  return RUN_ALL_TESTS();
}
