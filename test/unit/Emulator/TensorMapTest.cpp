//===- TensorMapTest.cpp - Box copies against element-wise loops ----------===//
//
// Every box is gathered twice: run by run as the library says, and element by
// element from the definition of a tensor map. The swizzle patterns are
// compared with tables of chunk indices as the PTX ISA prints them.
//
//===----------------------------------------------------------------------===//

#include "tile/Emulator/TensorMap.h"
#include "tile/Emulator/Numerics.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

using namespace tilec::emu;

namespace {

constexpr uint64_t kBase = 0x10000;

TiledMapArguments matrixArguments(uint64_t columns, uint64_t rows) {
  TiledMapArguments arguments;
  arguments.element = TensorElement::F16;
  arguments.rank = 2;
  arguments.globalAddress = kBase;
  arguments.dims[0] = columns;
  arguments.dims[1] = rows;
  arguments.stridesBytes[0] = (columns * 2 + 15) / 16 * 16;
  arguments.box[0] = 16;
  arguments.box[1] = 4;
  return arguments;
}

/// Copies a box out of `global` (which begins at kBase) run by run.
std::vector<uint8_t> load(const TensorMap &map, const TensorBox &box,
                          const std::vector<uint8_t> &global,
                          size_t sharedBytes) {
  std::vector<uint8_t> shared(sharedBytes, 0xee);
  uint32_t total = 0;
  forEachRun(map, box, [&](const TensorRun &run) {
    ASSERT_LE(run.sharedAddress + run.bytes, sharedBytes);
    ASSERT_EQ(run.sharedAddress / 16, (run.sharedAddress + run.bytes - 1) / 16);
    total += run.bytes;
    if (!run.inBounds)
      return fillOutOfBounds(map, &shared[run.sharedAddress], run.bytes);
    ASSERT_GE(run.globalAddress, kBase);
    ASSERT_LE(run.globalAddress + run.bytes, kBase + global.size());
    std::memcpy(&shared[run.sharedAddress], &global[run.globalAddress - kBase],
                run.bytes);
  });
  EXPECT_EQ(total, boxBytes(map));
  return shared;
}

std::vector<uint8_t> randomBytes(size_t size) {
  std::mt19937 random(1);
  std::vector<uint8_t> bytes(size);
  for (uint8_t &byte : bytes)
    byte = static_cast<uint8_t>(random());
  return bytes;
}

} // namespace

TEST(TensorMap, HasTheSizeOfTheDrivers) {
  EXPECT_EQ(sizeof(TensorMap), 128u);
  EXPECT_EQ(alignof(TensorMap), 64u);
}

// Chunk j of row r lies at chunk j xor r (128 bytes), j xor (r / 2) (64 bytes,
// 4 chunks a row) and j xor (r / 4) (32 bytes, 2 chunks a row).
TEST(TensorMap, SwizzlePatterns) {
  for (uint32_t row = 0; row < 16; ++row) {
    for (uint32_t chunk = 0; chunk < 8; ++chunk)
      EXPECT_EQ(swizzleAddress(TensorSwizzle::Bytes128, row * 128 + chunk * 16),
                row * 128 + (chunk ^ (row % 8)) * 16);
    for (uint32_t chunk = 0; chunk < 4; ++chunk)
      EXPECT_EQ(swizzleAddress(TensorSwizzle::Bytes64, row * 64 + chunk * 16),
                row * 64 + (chunk ^ (row / 2 % 4)) * 16);
    for (uint32_t chunk = 0; chunk < 2; ++chunk)
      EXPECT_EQ(swizzleAddress(TensorSwizzle::Bytes32, row * 32 + chunk * 16),
                row * 32 + (chunk ^ (row / 4 % 2)) * 16);
  }
  EXPECT_EQ(swizzleAddress(TensorSwizzle::None, 12345), 12345u);
}

TEST(TensorMap, BoxesOfEveryRankAndSwizzle) {
  std::mt19937 random(2);
  for (int round = 0; round < 300; ++round) {
    TiledMapArguments arguments;
    arguments.element =
        round % 3 == 0 ? TensorElement::F32 : TensorElement::F16;
    uint32_t bytes = round % 3 == 0 ? 4 : 2;
    arguments.rank = 1 + round % 5;
    arguments.globalAddress = kBase;
    arguments.swizzle = static_cast<TensorSwizzle>(random() % 4);
    uint32_t width = arguments.swizzle == TensorSwizzle::None
                         ? 32
                         : 16u << static_cast<int>(arguments.swizzle);
    arguments.box[0] = width / bytes;
    uint64_t size = bytes;
    for (int i = 0; i < arguments.rank; ++i) {
      arguments.dims[i] = 1 + random() % (i == 0 ? 70 : 6);
      if (i > 0) {
        arguments.box[i] = 1 + random() % 4;
        arguments.elementStrides[i] = 1 + random() % 2;
        arguments.stridesBytes[i - 1] = (size + 15) / 16 * 16;
        size = arguments.stridesBytes[i - 1];
      }
      size *= arguments.dims[i];
    }
    TensorMap map;
    ASSERT_EQ(encodeTiled(arguments, map), "");
    std::vector<uint8_t> global = randomBytes(size);
    TensorBox box;
    box.sharedAddress = 1024 * (random() % 2);
    for (int i = 0; i < arguments.rank; ++i)
      box.coordinates[i] = static_cast<int>(random() % 12) - 4;
    size_t sharedBytes = box.sharedAddress + boxBytes(map);
    sharedBytes = (sharedBytes + 1023) / 1024 * 1024;
    std::vector<uint8_t> shared = load(map, box, global, sharedBytes);

    // Element by element, dimension 0 fastest.
    int counts[5] = {1, 1, 1, 1, 1};
    for (int i = 0; i < arguments.rank; ++i)
      counts[i] = i == 0
                      ? arguments.box[0]
                      : (arguments.box[i] + arguments.elementStrides[i] - 1) /
                            arguments.elementStrides[i];
    uint32_t position = box.sharedAddress;
    for (int e = 0; e < counts[4]; ++e)
      for (int d = 0; d < counts[3]; ++d)
        for (int c = 0; c < counts[2]; ++c)
          for (int b = 0; b < counts[1]; ++b)
            for (int a = 0; a < counts[0]; ++a) {
              int index[5] = {a, b, c, d, e};
              uint64_t offset = 0;
              bool inside = true;
              for (int i = 0; i < arguments.rank; ++i) {
                int step = i == 0 ? 1 : arguments.elementStrides[i];
                int64_t x = box.coordinates[i] + index[i] * step;
                inside &= x >= 0 && x < int64_t(arguments.dims[i]);
                offset += static_cast<uint64_t>(x) *
                          (i == 0 ? bytes : arguments.stridesBytes[i - 1]);
              }
              uint32_t expected = 0, actual = 0;
              if (inside)
                std::memcpy(&expected, &global[offset], bytes);
              std::memcpy(&actual,
                          &shared[swizzleAddress(arguments.swizzle, position)],
                          bytes);
              ASSERT_EQ(actual, expected) << "round " << round;
              position += bytes;
            }
  }
}

TEST(TensorMap, OutOfBoundsFillIsTheNanOfTheType) {
  TiledMapArguments arguments = matrixArguments(16, 4);
  arguments.fill = TensorFill::NaN;
  TensorMap map;
  ASSERT_EQ(encodeTiled(arguments, map), "");
  std::vector<uint8_t> global(16 * 4 * 2, 0);
  TensorBox box;
  box.coordinates[0] = 8;
  std::vector<uint8_t> shared = load(map, box, global, 1024);
  uint16_t value;
  std::memcpy(&value, &shared[14], 2);
  EXPECT_EQ(value, 0u);
  std::memcpy(&value, &shared[16], 2);
  EXPECT_EQ(value, canonicalNanF16);
}

// A 2-D image of 3 x 3 pixels with a 2 x 2 window: the bounding box of window
// starts is 2 x 2; columns run through it, then on to the next image.
TEST(TensorMap, Im2colWalksTheBoundingBox) {
  Im2colMapArguments arguments;
  arguments.element = TensorElement::F32;
  arguments.rank = 4; // C, W, H, N
  arguments.globalAddress = kBase;
  uint64_t dims[] = {4, 3, 3, 2};
  std::copy(dims, dims + 4, arguments.dims);
  arguments.stridesBytes[0] = 16;
  arguments.stridesBytes[1] = 48;
  arguments.stridesBytes[2] = 144;
  arguments.upperCorner[0] = arguments.upperCorner[1] = -1;
  arguments.channelsPerPixel = 4;
  arguments.pixelsPerColumn = 6;
  TensorMap map;
  ASSERT_EQ(encodeIm2col(arguments, map), "");
  std::vector<uint8_t> global(288);
  for (int i = 0; i < 72; ++i) {
    float value = static_cast<float>(i);
    std::memcpy(&global[4 * i], &value, 4);
  }
  TensorBox box;
  box.im2colOffsets[0] = 1; // the right-hand column of the window
  std::vector<uint8_t> shared = load(map, box, global, 128);
  // Pixels (w, h, n): starts (0,0) (1,0) (0,1) (1,1) of image 0, then image 1.
  int expected[] = {1, 2, 4, 5, 10, 11};
  for (int pixel = 0; pixel < 6; ++pixel) {
    float value;
    std::memcpy(&value, &shared[16 * pixel], 4);
    EXPECT_EQ(value, 4.0f * expected[pixel]) << pixel;
  }
}

// A stride of 2 along W: positions -1, 1 and 3 of each row, of which the corners say
// where they begin and end; by either encoder's arguments.
TEST(TensorMap, Im2colStrides) {
  TensorMapArguments arguments;
  arguments.mode = TensorMode::Im2col;
  arguments.element = TensorElement::F32;
  arguments.rank = 4; // C, W, H, N
  arguments.globalAddress = kBase;
  uint64_t dims[] = {4, 5, 2, 1};
  std::copy(dims, dims + 4, arguments.dims);
  arguments.stridesBytes[0] = 16;
  arguments.stridesBytes[1] = 80;
  arguments.stridesBytes[2] = 160;
  arguments.lowerCorner[0] = -1;
  arguments.upperCorner[0] = -1;
  arguments.box[0] = 4, arguments.box[1] = 8;
  arguments.elementStrides[1] = 2;
  TensorMap map;
  ASSERT_EQ(encodeTensorMap(arguments, map), "");
  TensorBox box;
  box.coordinates[1] = -1;
  box.im2colOffsets[0] = 1;
  std::vector<int64_t> pixels;
  forEachRun(map, box, [&](const TensorRun &run) {
    pixels.push_back(run.inBounds
                         ? static_cast<int64_t>(run.globalAddress - kBase) / 16
                         : -1);
  });
  // W 0, 2, 4 of both rows, then the image that does not exist.
  EXPECT_EQ(pixels, (std::vector<int64_t>{0, 2, 4, 5, 7, 9, -1, -1}));
  EXPECT_EQ(largestIm2colOffset(3), 65535u);
  EXPECT_EQ(largestIm2colOffset(4), 255u);
  EXPECT_EQ(largestIm2colOffset(5), 31u);
}

// Padding: lower corner -1 starts outside of the image.
TEST(TensorMap, Im2colPadding) {
  Im2colMapArguments arguments;
  arguments.element = TensorElement::F32;
  arguments.rank = 3; // C, W, N
  arguments.globalAddress = kBase;
  arguments.dims[0] = 4, arguments.dims[1] = 3, arguments.dims[2] = 1;
  arguments.stridesBytes[0] = 16, arguments.stridesBytes[1] = 48;
  arguments.lowerCorner[0] = -1;
  arguments.upperCorner[0] = -1;
  arguments.channelsPerPixel = 4;
  arguments.pixelsPerColumn = 3;
  TensorMap map;
  ASSERT_EQ(encodeIm2col(arguments, map), "");
  TensorBox box;
  box.coordinates[1] = -1;
  std::vector<bool> inBounds;
  forEachRun(map, box,
             [&](const TensorRun &run) { inBounds.push_back(run.inBounds); });
  EXPECT_EQ(inBounds, (std::vector<bool>{false, true, true}));
}

TEST(TensorMap, RulesOfTheDriverAreNamed) {
  TensorMap map;
  TiledMapArguments arguments = matrixArguments(64, 8);
  EXPECT_EQ(encodeTiled(arguments, map), "");
  arguments.globalAddress = kBase + 8;
  EXPECT_EQ(encodeTiled(arguments, map),
            "the global address 65544 is not a multiple of 16 bytes");
  arguments = matrixArguments(64, 8);
  arguments.stridesBytes[0] = 136;
  EXPECT_EQ(encodeTiled(arguments, map),
            "the stride of dimension 1, 136 bytes, "
            "is not a multiple of 16");
  arguments = matrixArguments(64, 8);
  arguments.box[1] = 257;
  EXPECT_EQ(encodeTiled(arguments, map),
            "the box has 257 elements in dimension 1, not 1 to 256");
  arguments = matrixArguments(64, 8);
  arguments.box[0] = 64;
  arguments.swizzle = TensorSwizzle::Bytes64;
  EXPECT_EQ(
      encodeTiled(arguments, map),
      "the inner dimension of the box is 128 bytes, more than the 64 that "
      "the swizzle permutes");
  arguments.box[0] = 4;
  EXPECT_EQ(encodeTiled(arguments, map), "the inner dimension of the box is 8 "
                                         "bytes, not a multiple of 16");
  arguments = matrixArguments(64, 8);
  arguments.element = TensorElement::U16;
  arguments.fill = TensorFill::NaN;
  EXPECT_EQ(encodeTiled(arguments, map),
            "only float elements can be filled with NaN");
  arguments.rank = 6;
  EXPECT_NE(encodeTiled(arguments, map), "");
  map.magic = 0;
  EXPECT_EQ(checkTensorMap(map),
            "these 128 bytes are no tensor map of the emulator");
}

TEST(TensorMap, LoadsRoundAndFlush) {
  TensorMap map;
  map.element = TensorElement::TF32Ftz;
  float values[] = {1.0f + 0x1p-10f + 0x1p-12f, 0x1p-130f, -3.0f};
  convertOnLoad(map, reinterpret_cast<uint8_t *>(values), 12);
  EXPECT_EQ(values[0], 1.0f + 0x1p-10f);
  EXPECT_EQ(values[1], 0.0f);
  EXPECT_EQ(values[2], -3.0f);
}

TEST(TensorMap, Reductions) {
  auto reduce = [](TensorElement element, BulkReduction operation, auto a,
                   auto b) {
    EXPECT_EQ(checkReduction(element, operation), "");
    reduceElements(element, operation, reinterpret_cast<uint8_t *>(&a),
                   reinterpret_cast<const uint8_t *>(&b), sizeof(a));
    return a;
  };
  EXPECT_EQ(reduce(TensorElement::U32, BulkReduction::Add, 7u, 0xffffffffu),
            6u);
  EXPECT_EQ(reduce(TensorElement::S32, BulkReduction::Min, -5, 3), -5);
  EXPECT_EQ(reduce(TensorElement::U32, BulkReduction::Min, ~0u, 3u), 3u);
  EXPECT_EQ(reduce(TensorElement::U32, BulkReduction::Inc, 7u, 7u), 0u);
  EXPECT_EQ(reduce(TensorElement::U32, BulkReduction::Inc, 6u, 7u), 7u);
  EXPECT_EQ(reduce(TensorElement::U32, BulkReduction::Dec, 0u, 7u), 7u);
  EXPECT_EQ(
      reduce(TensorElement::U64, BulkReduction::Xor, uint64_t(5), uint64_t(6)),
      3u);
  EXPECT_EQ(reduce(TensorElement::F32, BulkReduction::Add, 1.5f, 2.25f), 3.75f);
  EXPECT_EQ(reduce(TensorElement::F64, BulkReduction::Add, 1.5, 2.25), 3.75);
  EXPECT_EQ(reduce(TensorElement::F16, BulkReduction::Max, uint16_t(0xbc00),
                   uint16_t(0x3800)),
            0x3800u);
  EXPECT_EQ(reduce(TensorElement::BF16, BulkReduction::Add, uint16_t(0x3f80),
                   uint16_t(0x3f80)),
            0x4000u);
  EXPECT_NE(checkReduction(TensorElement::F32, BulkReduction::And), "");
}

TEST(TensorMap, FieldsAreReplaced) {
  TensorMap map;
  ASSERT_EQ(encodeTiled(matrixArguments(64, 8), map), "");
  EXPECT_EQ(replaceField(map, TensorMapField::GlobalAddress, 0, 0x20000), "");
  EXPECT_EQ(replaceField(map, TensorMapField::GlobalDim, 1, 16), "");
  EXPECT_EQ(replaceField(map, TensorMapField::BoxDim, 1, 2), "");
  EXPECT_EQ(replaceField(map, TensorMapField::SwizzleMode, 0, 1), "");
  EXPECT_EQ(map.globalAddress, 0x20000u);
  EXPECT_EQ(map.dim(1), 16u);
  EXPECT_EQ(boxBytes(map), 64u);
  EXPECT_EQ(map.swizzle, TensorSwizzle::Bytes32);
  EXPECT_NE(replaceField(map, TensorMapField::BoxDim, 5, 2), "");
  EXPECT_NE(replaceField(map, TensorMapField::FillMode, 0, 2), "");
}
