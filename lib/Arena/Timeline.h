//===- Timeline.h - The steps of a drawing's time axis ----------*- C++ -*-===//
//
// Step i covers the program points [cuts[i], cuts[i + 1]). Cuts are the begins
// and ends of lifetimes and loops, so that within a step nothing changes.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_ARENA_TIMELINE_H
#define TILE_LIB_ARENA_TIMELINE_H

#include "tile/Arena/Picture.h"

namespace tilec::arena {

struct Timeline {
  std::vector<int64_t> cuts; ///< increasing

  int getStepCount() const {
    return cuts.empty() ? 0 : static_cast<int>(cuts.size()) - 1;
  }
  /// Whether any of `spans` meets the step.
  bool meets(const std::vector<Lifetime> &spans, int step) const;
  /// The steps that `span` meets.
  Lifetime getSteps(Lifetime span) const;
};

/// The steps of `picture`, at most `maxSteps`: where there are more, neighbours
/// are joined.
Timeline buildTimeline(const Picture &picture, int maxSteps);

/// The first known line of the source in a step; 0 without one.
int64_t getLine(const Picture &picture, const Timeline &timeline, int step);

/// The bytes live in each step. A step that joins several counts them all.
std::vector<int64_t> getLiveBytes(const Picture &picture,
                                  const Timeline &timeline);

/// The buffers by offset, those at one offset by their first lifetime.
std::vector<int> getRows(const Picture &picture);

/// How many loops of the picture hold each loop.
std::vector<int> getDepths(const Picture &picture);

} // namespace tilec::arena

#endif // TILE_LIB_ARENA_TIMELINE_H
