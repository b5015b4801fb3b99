//===- BulkBoxesTest.cpp - Pieces put every element in its place ----------===//
//
// What a bulk copy does with each piece (`TensorBox::getLayout`, judged against
// the PTX ISA's figures in BulkCopiesTest.cpp) must be what the buffer's layout
// says, element by element, and every element must be in one piece.
//
//===----------------------------------------------------------------------===//

#include "tile/Hardware/BulkBoxes.h"

#include "gtest/gtest.h"

#include <set>

using namespace tilec;

namespace {

const CopyInstruction &getLoad(size_t rank) {
  return *findCopyInstruction("cp.async.bulk.tensor." + std::to_string(rank) +
                              "d.shared::cluster.global.tile"
                              ".mbarrier::complete_tx::bytes");
}

/// A tile of a tensor in a buffer.
struct Case {
  SharedLayout buffer;
  std::vector<TensorAxis> axes;
  std::vector<int64_t> start; ///< in the buffer

  Expected<BulkBoxes> getBoxes() const {
    return getBulkBoxes(getLoad(axes.size()), buffer, axes, start);
  }
  std::string why() const { return getBoxes().reason(); }
};

/// All coordinates of a shape.
std::vector<Coordinate> enumerate(const Coordinate &shape) {
  std::vector<Coordinate> all = {{}};
  for (int64_t extent : shape) {
    std::vector<Coordinate> next;
    for (const Coordinate &front : all)
      for (int64_t index = 0; index < extent; ++index) {
        next.push_back(front);
        next.back().push_back(index);
      }
    all = std::move(next);
  }
  return all;
}

/// Whether the pieces of `test` put all elements where its buffer has them.
BulkBoxes expectRight(const Case &test) {
  Expected<BulkBoxes> boxes = test.getBoxes();
  EXPECT_TRUE(boxes) << boxes.reason();
  if (!boxes)
    return {};
  int64_t bits = test.buffer.getElementBits();
  SharedLayout inBox =
      *getLoad(test.axes.size())
           .box->getLayout(boxes->box, boxes->swizzleBytes, bits);
  int64_t begin = test.buffer.getByteOffset(
      Coordinate(test.start.begin(), test.start.end()));
  std::set<Coordinate> seen;
  int64_t expectedCount = 1, boxBytes = bits / 8;
  for (const TensorAxis &axis : test.axes)
    expectedCount *= axis.extent;
  for (int64_t extent : boxes->box)
    boxBytes *= extent;
  EXPECT_EQ(boxes->boxBytes, boxBytes);
  for (const BoxPiece &piece : boxes->pieces)
    for (const Coordinate &local : enumerate(boxes->box)) {
      Coordinate element = local, place(test.start.begin(), test.start.end());
      for (size_t dim = 0; dim < local.size(); ++dim) {
        element[dim] += piece.offsets[dim];
        if (test.axes[dim].bufferDim)
          place[*test.axes[dim].bufferDim] += element[dim];
      }
      EXPECT_TRUE(seen.insert(element).second);
      EXPECT_EQ(begin + piece.byteOffset + inBox.getByteOffset(local),
                test.buffer.getByteOffset(place));
    }
  EXPECT_EQ(static_cast<int64_t>(seen.size()), expectedCount);
  return *boxes;
}

TensorAxis along(int64_t extent, int bufferDim) { return {extent, bufferDim}; }
TensorAxis absent() { return {1, std::nullopt}; }

TEST(BulkBoxes, PanelsAreBoxes) {
  // (row 64, column 128) x 16 bits in two panels of 64 columns.
  BulkBoxes boxes =
      expectRight({*SharedLayout::swizzled({64, 128}, {1, 0}, 128, 16),
                   {along(64, 0), along(128, 1)},
                   {0, 0}});
  EXPECT_EQ(boxes.box, (Coordinate{64, 64}));
  EXPECT_EQ(boxes.swizzleBytes, 128);
  EXPECT_EQ(boxes.boxBytes, 8192);
  EXPECT_EQ(boxes.pieces,
            (std::vector<BoxPiece>{{{0, 0}, 0}, {{0, 64}, 8192}}));
}

TEST(BulkBoxes, BoxesHaveAtMost256Elements) {
  BulkBoxes boxes =
      expectRight({*SharedLayout::linear({300, 16}, {1, 0}, 0, 32),
                   {along(300, 0), along(16, 1)},
                   {0, 0}});
  EXPECT_EQ(boxes.box, (Coordinate{150, 16}));
  // 150 and 100 rows of 32 bytes are no multiple of 128 bytes.
  boxes = expectRight({*SharedLayout::linear({300, 8}, {1, 0}, 0, 32),
                       {along(300, 0), along(8, 1)},
                       {0, 0}});
  EXPECT_EQ(boxes.box, (Coordinate{100, 8}));
}

TEST(BulkBoxes, EveryModeAndWidth) {
  for (int64_t bits : {8, 16, 32, 64})
    for (int64_t mode : {128, 64, 32})
      for (int64_t panels : {1, 3}) {
        int64_t row = mode * 8 / bits * panels;
        BulkBoxes boxes =
            expectRight({*SharedLayout::swizzled({32, row}, {1, 0}, mode, bits),
                         {along(32, 0), along(row, 1)},
                         {0, 0}});
        EXPECT_EQ(boxes.pieces.size(), size_t(panels));
        EXPECT_EQ(boxes.swizzleBytes, mode);
      }
}

TEST(BulkBoxes, EveryRank) {
  expectRight(
      {*SharedLayout::linear({1024}, {0}, 0, 16), {along(1024, 0)}, {0}});
  expectRight({SharedLayout::conflictFree({4, 32, 64}, {2, 1, 0}, 16),
               {along(4, 0), along(32, 1), along(64, 2)},
               {0, 0, 0}});
  // B x S x H x D, of which a tile has S and D.
  BulkBoxes boxes =
      expectRight({SharedLayout::conflictFree({128, 64}, {1, 0}, 16),
                   {absent(), along(128, 0), absent(), along(64, 1)},
                   {0, 0}});
  EXPECT_EQ(boxes.box, (Coordinate{1, 128, 1, 64}));
  expectRight(
      {SharedLayout::conflictFree({2, 3, 4, 8, 32}, {4, 3, 2, 1, 0}, 8),
       {along(2, 0), along(3, 1), along(4, 2), along(8, 3), along(32, 4)},
       {0, 0, 0, 0, 0}});
}

TEST(BulkBoxes, SlotsAndPartsOfABuffer) {
  SharedLayout ring =
      SharedLayout::conflictFree({64, 128}, {1, 0}, 16).replicateOutermost(3);
  for (int64_t slot : {0, 1, 2})
    expectRight({ring, {along(64, 1), along(128, 2)}, {slot, 0, 0}});
  expectRight({ring, {along(16, 1), along(64, 2)}, {1, 40, 64}});
  EXPECT_EQ((Case{ring, {along(16, 1), along(64, 2)}, {1, 4, 0}}.why()),
            "along dimension 1 of the buffer the tile begins at a multiple of "
            "4, which is known to be a multiple of 512 bytes and not of the "
            "1024 at which the box's pattern begins");
  EXPECT_EQ((Case{ring, {along(16, 1), along(64, 2)}, {1, 0, 32}}.why()),
            "the tile of 64 elements along dimension 2 of the buffer begins at "
            "a multiple of 32 and may lie in two panels");
}

TEST(BulkBoxes, CoreMatricesAreBoxes) {
  // wgmma's layout without a swizzle: 16 bytes of each row together.
  SharedLayout buffer = *SharedLayout::get(
      {64, 32}, {{8, 1, 1, 1}, {64, 0, 1, 8}, {4, 1, 8, 512}}, Swizzle{}, 16);
  BulkBoxes boxes = expectRight({buffer, {along(64, 0), along(32, 1)}, {0, 0}});
  EXPECT_EQ(boxes.box, (Coordinate{64, 8}));
  EXPECT_EQ(boxes.pieces.size(), 4u);
}

TEST(BulkBoxes, WhatIsInTheWay) {
  EXPECT_EQ((Case{*SharedLayout::linear({64, 24}, {1, 0}, 8, 16),
                  {along(64, 0), along(24, 1)},
                  {0, 0}}
                 .why()),
            "the buffer has a box 64 bytes behind its first, no multiple of "
            "the 128 at which the box's pattern begins");
  EXPECT_EQ((Case{*SharedLayout::linear({64, 12}, {1, 0}, 0, 16),
                  {along(64, 0), along(12, 1)},
                  {0, 0}}
                 .why()),
            "the innermost row of the box, 192 bits, is no multiple of 16 "
            "bytes");
  // Rows of the buffer along the other dimension.
  EXPECT_EQ((Case{*SharedLayout::linear({64, 32}, {0, 1}, 0, 16),
                  {along(64, 0), along(32, 1)},
                  {0, 0}}
                 .why()),
            "the innermost row of the box, 16 bits, is no multiple of 16 "
            "bytes");
  EXPECT_EQ((Case{*SharedLayout::get({64, 64}, {{64, 1, 1, 1}, {64, 0, 1, 64}},
                                     Swizzle{2, 4, 4}, 16),
                  {along(64, 0), along(64, 1)},
                  {0, 0}}
                 .why()),
            "the buffer's XOR is that of no swizzle mode");
}

} // namespace
