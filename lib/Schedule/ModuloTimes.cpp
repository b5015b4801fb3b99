//===- ModuloTimes.cpp - Iterative modulo scheduling ---------------------===//
//
// See ModuloTimes.h. The reservation table is the list of those who hold a part
// of the interval, in circular order.
//
//===----------------------------------------------------------------------===//

#include "ModuloTimes.h"

#include <algorithm>

using namespace tilec::schedule;

namespace {

constexpr int64_t unscheduled = -1;
/// Placements for each statement until the interval is given up.
constexpr int placementsPerStatement = 6;

class ModuloScheduler {
public:
  ModuloScheduler(const std::vector<int64_t> &issueCycles,
                  const std::vector<Arc> &arcs, int64_t interval)
      : issueCycles(issueCycles), arcs(arcs), interval(interval),
        count(static_cast<int>(issueCycles.size())), times(count, unscheduled),
        previousTimes(count, unscheduled), positions(count, 0),
        heights(count, 0), arcsTo(count), arcsFrom(count) {
    for (int index = 0; index < static_cast<int>(arcs.size()); ++index) {
      arcsFrom[arcs[index].from].push_back(index);
      arcsTo[arcs[index].to].push_back(index);
    }
  }

  std::optional<std::vector<int64_t>> run();

private:
  int64_t getLength(const Arc &arc) const {
    return arc.cycles - interval * arc.steps;
  }
  /// From one position round the table to the other.
  int64_t getGap(int64_t begin, int64_t end) const {
    return begin <= end ? end - begin : end - begin + interval;
  }
  /// The first holder that does not begin before `position`.
  auto findHolder(int64_t position) const {
    return std::ranges::lower_bound(
        holders, position, {}, [&](int holder) { return positions[holder]; });
  }

  bool computeHeights();
  int pickNext() const;
  int64_t getEarliest(int statement) const;
  int64_t getBlock(int64_t position, int64_t length) const;
  int64_t findTime(int statement, int64_t earliest) const;
  void place(int statement, int64_t time);
  void evict(int statement);

  const std::vector<int64_t> &issueCycles;
  const std::vector<Arc> &arcs;
  int64_t interval;
  int count;
  std::vector<int64_t> times, previousTimes;
  std::vector<int64_t> positions; ///< times modulo the interval
  std::vector<int64_t> heights;   ///< longest path to the end
  std::vector<std::vector<int>> arcsTo, arcsFrom;
  std::vector<int> holders; ///< by position in the table
};

} // namespace

/// False if the interval is below the recurrence bound.
bool ModuloScheduler::computeHeights() {
  for (int round = 0; round <= count; ++round) {
    bool hasChanged = false;
    for (auto arc = arcs.rbegin(); arc != arcs.rend(); ++arc) {
      int64_t height = heights[arc->to] + getLength(*arc);
      if (height > heights[arc->from]) {
        heights[arc->from] = height;
        hasChanged = true;
      }
    }
    if (!hasChanged)
      return true;
  }
  return false;
}

int ModuloScheduler::pickNext() const {
  int next = -1;
  for (int statement = 0; statement < count; ++statement)
    if (times[statement] == unscheduled &&
        (next < 0 || heights[statement] > heights[next]))
      next = statement;
  return next;
}

int64_t ModuloScheduler::getEarliest(int statement) const {
  int64_t earliest = 0;
  for (int index : arcsTo[statement])
    if (int from = arcs[index].from;
        from != statement && times[from] != unscheduled)
      earliest = std::max(earliest, times[from] + getLength(arcs[index]));
  return earliest;
}

/// How far behind `position` the holder ends that is in the way of `length`
/// cycles from there on, or 0.
int64_t ModuloScheduler::getBlock(int64_t position, int64_t length) const {
  if (holders.empty())
    return 0;
  auto next = findHolder(position);
  int after = next == holders.end() ? holders.front() : *next;
  int before = next == holders.begin() ? holders.back() : *std::prev(next);
  int64_t gapBefore = getGap(positions[before], position);
  if (gapBefore < issueCycles[before])
    return issueCycles[before] - gapBefore;
  int64_t gapAfter = getGap(position, positions[after]);
  return gapAfter < length ? gapAfter + issueCycles[after] : 0;
}

/// The first free time of an interval from `earliest` on; if there is none one
/// that was not tried last.
int64_t ModuloScheduler::findTime(int statement, int64_t earliest) const {
  int64_t length = issueCycles[statement];
  for (int64_t time = earliest; time < earliest + interval;) {
    int64_t block = getBlock(time % interval, length);
    if (block == 0)
      return time;
    time += block;
  }
  return previousTimes[statement] == unscheduled
             ? earliest
             : std::max(earliest, previousTimes[statement] + 1);
}

void ModuloScheduler::evict(int statement) {
  times[statement] = unscheduled;
  std::erase(holders, statement);
}

/// Gives `statement` its time and takes away the times that are then wrong.
void ModuloScheduler::place(int statement, int64_t time) {
  int64_t length = issueCycles[statement];
  int64_t position = time % interval;
  std::vector<int> evicted;
  for (int holder : holders)
    if (getGap(position, positions[holder]) < length ||
        getGap(positions[holder], position) < issueCycles[holder])
      evicted.push_back(holder);
  for (int index : arcsFrom[statement])
    if (int to = arcs[index].to; to != statement && times[to] != unscheduled &&
                                 times[to] < time + getLength(arcs[index]))
      evicted.push_back(to);
  for (int holder : evicted)
    evict(holder);
  times[statement] = previousTimes[statement] = time;
  positions[statement] = position;
  holders.insert(findHolder(position), statement);
}

std::optional<std::vector<int64_t>> ModuloScheduler::run() {
  if (!computeHeights())
    return std::nullopt;
  int placements = placementsPerStatement * count;
  for (int next = pickNext(); next >= 0; next = pickNext()) {
    if (--placements < 0)
      return std::nullopt;
    place(next, findTime(next, getEarliest(next)));
  }
  int64_t first = times.empty() ? 0 : *std::ranges::min_element(times);
  for (int64_t &time : times)
    time -= first / interval * interval;
  return times;
}

std::optional<std::vector<int64_t>>
tilec::schedule::findModuloTimes(const std::vector<int64_t> &issueCycles,
                                 const std::vector<Arc> &arcs,
                                 int64_t interval) {
  return ModuloScheduler(issueCycles, arcs, interval).run();
}
