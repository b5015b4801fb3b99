//===- PictureTest.cpp - Lifetimes drawn as text and as SVG ---------------===//
//
// The text drawing is read by people in reports: it is pinned whole.
//
//===----------------------------------------------------------------------===//

#include "tile/Arena/Picture.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <sstream>

using namespace tilec::arena;

namespace {

Picture makePicture() {
  Picture picture;
  picture.title = "attention <1 & 2>";
  picture.problem.addBuffer("Q", 32768, 1024, {{0, 8}});
  picture.problem.addBuffer("K", 65536, 1024, {{2, 8}});
  picture.problem.addBuffer("O", 32768, 1024, {{8, 10}});
  picture.solution = {{65536, 0, 65536}, 98304, 98304, true};
  picture.loops = {{{2, 8}, 7}, {{4, 6}, 8}};
  picture.lines = {4, 5, 7, 7, 8, 8, 9, 9, 11, 12};
  return picture;
}

TEST(Picture, TextHasARowABuffer) {
  EXPECT_EQ(drawText(makePicture(), "  "),
            "  line                4   7   8   9   11\n"
            "  loops                   [==========]\n"
            "                              [==]\n"
            "        0 ..   65536  ....############....  K\n"
            "    65536 ..   98304  ################....  Q\n"
            "    65536 ..   98304  ................####  O\n"
            "  peak                    ^^^^^^^^^^^^\n");
}

TEST(Picture, TextOfNothingIsEmpty) {
  EXPECT_EQ(drawText(Picture()), "");
  Picture unplaced = makePicture();
  unplaced.solution.offsets.clear();
  EXPECT_EQ(drawText(unplaced), "");
}

/// Many steps share columns, and no row grows wider than it may.
TEST(Picture, TextStaysNarrow) {
  Picture picture;
  for (int64_t point = 0; point < 500; ++point) {
    picture.problem.addBuffer("b", 16, 16, {{point, point + 1}});
    picture.solution.offsets.push_back(0);
  }
  picture.solution.totalBytes = 16;
  std::istringstream rows(drawText(picture, "", 60));
  std::string row;
  int count = 0;
  for (; std::getline(rows, row); ++count)
    EXPECT_LE(row.size(), 20u + 60u + 3u) << row;
  EXPECT_EQ(count, 502); // the buffers, "line" and "peak"
}

/// A row shows a buffer exactly at the steps that its lifetimes meet.
TEST(Picture, GapsInLifetimesShow) {
  Picture picture;
  picture.problem.addBuffer("a", 16, 16, {{0, 1}, {3, 4}});
  picture.problem.addBuffer("b", 16, 16, {{1, 3}});
  picture.solution = {{0, 0}, 16, 16, true};
  EXPECT_NE(drawText(picture).find("####....####  a"), std::string::npos);
  EXPECT_NE(drawText(picture).find("....####....  b"), std::string::npos);
}

TEST(Picture, SvgHasABoxALifetime) {
  std::string svg = drawSvg({makePicture(), Picture()});
  auto count = [&](const std::string &part) {
    int found = 0;
    for (size_t at = svg.find(part); at != std::string::npos;
         at = svg.find(part, at + 1))
      ++found;
    return found;
  };
  // The background, two loops and three lifetimes.
  EXPECT_EQ(count("<rect"), 1 + 2 + 3);
  EXPECT_EQ(count("attention &lt;1 &amp; 2&gt;"), 1);
  EXPECT_EQ(count("no shared memory"), 1);
  EXPECT_EQ(count("peak 98304"), 1);
  EXPECT_EQ(count("lower bound 98304"), 1);
  EXPECT_EQ(count("32768 bytes at 65536"), 2);
  EXPECT_EQ(count(">Q</text>"), 1);
  EXPECT_EQ(svg, drawSvg({makePicture(), Picture()}));
}

/// A name stands in its box or nowhere.
TEST(Picture, SvgLeavesOutLabelsWithoutRoom) {
  Picture picture = makePicture();
  picture.problem.buffers[0].name = std::string(200, 'Q');
  std::string svg = drawSvg({picture});
  EXPECT_EQ(svg.find("QQ</text>"), std::string::npos);
  EXPECT_NE(svg.find("QQ, 32768 bytes"), std::string::npos);
}

} // namespace
