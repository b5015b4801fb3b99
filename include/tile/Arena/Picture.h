//===- Picture.h - Lifetimes and bytes of an arena, drawn -------*- C++ -*-===//
//
// A packed problem for people: which buffer is occupied when, and where it lies.
// Time is cut where a lifetime or a loop begins or ends; between two cuts
// nothing changes, so each such step gets the same width however many program
// points it has.
//
//     text: a row a buffer               SVG: a box a lifetime
//
//     line         4    9   14            bytes ^ +------+- - - - -  total
//     loops             [=======]               | |  Q   |  +----+
//         0 .. 1024    ####....   Q             | +------+  | O  |
//         0 .. 1024    ....#####  O             +-----------+----+--> line
//
//===----------------------------------------------------------------------===//

#ifndef TILE_ARENA_PICTURE_H
#define TILE_ARENA_PICTURE_H

#include "tile/Arena/Arena.h"

namespace tilec::arena {

/// A loop of the program whose buffers are drawn.
struct LoopMark {
  Lifetime span;    ///< its program points
  int64_t line = 0; ///< of the source; 0 where unknown
  bool operator==(const LoopMark &) const = default;
};

/// Plain data of one drawing. `solution` has an offset for each buffer.
struct Picture {
  std::string title;
  Problem problem;
  Solution solution;
  /// In the order of their begins, outer ones before inner ones.
  std::vector<LoopMark> loops;
  /// The line of the source of each program point; 0 where unknown.
  std::vector<int64_t> lines;
};

/// The width of a text drawing's time axis unless told, in characters.
constexpr int defaultColumns = 60;

/// A row a buffer by offset, `#` where it is occupied, under rows of lines and
/// loops and above one that marks with `^` where the most bytes are live. Steps
/// beyond `columns` (at least 1) share one, which shows what any of them has.
/// Each line begins with `indent`; nothing for no buffers.
std::string drawText(const Picture &picture, const std::string &indent = "",
                     int columns = defaultColumns);

/// One SVG document, a chart for each picture below the one before: offsets by
/// lines of the source, a box for each lifetime of a buffer, bands for loops,
/// dashed lines at the total and at the lower bound. Same input, same text.
std::string drawSvg(const std::vector<Picture> &pictures);

/// One such chart without its title as an SVG element, for a page, which gives it
/// other colors by the classes `loop`, `buffer`, `axis`, `label`, `peak` and `bound`;
/// empty where there is no shared memory.
std::string drawChart(const Picture &picture);

} // namespace tilec::arena

#endif // TILE_ARENA_PICTURE_H
