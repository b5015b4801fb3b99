//===- NpyTest.cpp - Files that are written whole or not at all -----------===//

#include "tile/Runtime/Npy.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

using namespace tilec;
namespace fs = std::filesystem;

namespace {

class NpyFile : public ::testing::Test {
protected:
  void SetUp() override {
    folder = fs::path(::testing::TempDir()) /
             ::testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(folder);
    fs::create_directories(folder);
  }
  void TearDown() override { fs::remove_all(folder); }

  std::string path(const char *name) const { return (folder / name).string(); }
  size_t countFiles() const {
    return static_cast<size_t>(
        std::distance(fs::directory_iterator(folder), {}));
  }

  fs::path folder;
  NpyArray array{'f', 4, {2}, {0, 0, 0, 0, 1, 2, 3, 4}};
};

TEST_F(NpyFile, AskingLeavesNothingBehind) {
  EXPECT_EQ(checkWritable(path("new.npy")), "");
  EXPECT_EQ(countFiles(), 0u);
  std::ofstream(path("old.npy")) << "old";
  EXPECT_EQ(checkWritable(path("old.npy")), "");
  EXPECT_EQ(countFiles(), 1u);
  EXPECT_EQ(fs::file_size(path("old.npy")), 3u);
}

TEST_F(NpyFile, WhatCannotBeWrittenIsNamed) {
  EXPECT_NE(checkWritable(path("no/file.npy")).find("no/file.npy"),
            std::string::npos);
  EXPECT_NE(checkWritable(folder.string()), "");
}

TEST_F(NpyFile, FailureKeepsWhatWasThere) {
  std::ofstream(path("old.npy")) << "old";
  fs::create_directory(path("old.npy.part"));
  std::string error;
  EXPECT_FALSE(writeNpy(path("old.npy"), array, error));
  EXPECT_EQ(fs::file_size(path("old.npy")), 3u);
}

TEST_F(NpyFile, DevicesAreWrittenToAndNotReplaced) {
  std::string error;
  EXPECT_EQ(checkWritable("/dev/full"), "");
  EXPECT_FALSE(writeNpy("/dev/full", array, error));
  EXPECT_NE(error.find("/dev/full"), std::string::npos);
  EXPECT_TRUE(writeNpy("/dev/null", array, error)) << error;
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_FALSE(fs::exists("/dev/null.part"));
}

TEST_F(NpyFile, OpaqueElementsKeepTheirKind) {
  NpyArray bits{'V', 2, {3}, {1, 2, 3, 4, 5, 6}}, read;
  std::string error;
  ASSERT_TRUE(writeNpy(path("bits.npy"), bits, error)) << error;
  ASSERT_TRUE(readNpy(path("bits.npy"), read, error)) << error;
  EXPECT_EQ(read.typeName(), "V2");
  EXPECT_EQ(read.bytes, bits.bytes);
  EXPECT_EQ(read.shape, bits.shape);
}

} // namespace
