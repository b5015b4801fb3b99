//===- BulkSpansTest.cpp - Spans lie together in both memories ------------===//
//
// Byte i of a span is byte i of the buffer behind its place, and byte i of memory behind
// its first element: each element is looked for in both.
//
//===----------------------------------------------------------------------===//

#include "tile/Hardware/BulkSpans.h"

#include "gtest/gtest.h"

using namespace tilec;

namespace {

const CopyInstruction &getLoad() {
  return *findCopyInstruction(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes");
}

/// A tile of two dimensions, in a buffer of its own.
struct Case {
  SharedLayout buffer;
  int64_t rows, columns;
  std::vector<int64_t> pitches;

  Expected<BulkBoxes> getSpans() const {
    return getBulkSpans(getLoad(), buffer, {{rows, 0}, {columns, 1}}, {0, 0},
                        pitches);
  }
};

/// Checks each element; the number of spans.
size_t countRight(const Case &test) {
  Expected<BulkBoxes> spans = test.getSpans();
  EXPECT_TRUE(spans) << spans.reason();
  if (!spans)
    return 0;
  int64_t bytes = test.buffer.getElementBits() / 8, seen = 0;
  for (const BoxPiece &piece : spans->pieces)
    for (int64_t row = 0; row < spans->box[0]; ++row)
      for (int64_t column = 0; column < spans->box[1]; ++column, ++seen) {
        int64_t behind = (row * spans->box[1] + column) * bytes;
        EXPECT_EQ(behind, (row * test.pitches[0] + column) * bytes);
        EXPECT_EQ(piece.byteOffset + behind,
                  test.buffer.getByteOffset(
                      {piece.offsets[0] + row, piece.offsets[1] + column}));
      }
  EXPECT_EQ(seen, test.rows * test.columns);
  EXPECT_EQ(spans->boxBytes * int64_t(spans->pieces.size()), seen * bytes);
  return spans->pieces.size();
}

TEST(BulkSpans, WholeRowsAreOne) {
  SharedLayout dense = *SharedLayout::linear({8, 1024}, {1, 0}, 0, 32);
  EXPECT_EQ(countRight({dense, 8, 1024, {1024, 1}}), 1u);
  EXPECT_EQ(countRight({dense, 1, 1024, {0, 1}}), 1u);
}

TEST(BulkSpans, RowsWithSomethingBetweenAreOneEach) {
  SharedLayout dense = *SharedLayout::linear({8, 64}, {1, 0}, 0, 16);
  SharedLayout padded = *SharedLayout::linear({8, 64}, {1, 0}, 8, 16);
  EXPECT_EQ(countRight({dense, 8, 64, {128, 1}}), 8u);
  EXPECT_EQ(countRight({dense, 8, 64, {0, 1}}), 8u);
  EXPECT_EQ(countRight({padded, 8, 64, {64, 1}}), 8u);
}

TEST(BulkSpans, WhatIsInTheWay) {
  auto why = [](const Case &test) { return test.getSpans().reason(); };
  EXPECT_EQ(
      why({*SharedLayout::linear({8, 12}, {1, 0}, 0, 16), 8, 12, {64, 1}}),
      "what lies together, 24 bytes, is no multiple of 16");
  EXPECT_EQ(
      why({*SharedLayout::linear({8, 64}, {1, 0}, 4, 16), 8, 64, {64, 1}}),
      "the buffer has a span 136 bytes behind its first, no multiple of "
      "16");
  EXPECT_EQ(
      why({*SharedLayout::swizzled({8, 64}, {1, 0}, 128, 16), 8, 64, {64, 1}}),
      "the buffer exchanges parts of its rows, and bytes keep their "
      "order");
}

} // namespace
