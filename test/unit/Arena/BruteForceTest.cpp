//===- BruteForceTest.cpp - The solver against all solutions -------------===//
//
// Random problems of up to six buffers, lifetimes and listed conflicts mixed,
// solved again by trying every aligned offset of every buffer. Totals must be
// equal, with the solver's claim of optimality, and its bound never above.
//
//===----------------------------------------------------------------------===//

#include "tile/Arena/Arena.h"

#include "gtest/gtest.h"

#include <algorithm>

using namespace tilec::arena;

namespace {

class Random {
public:
  explicit Random(uint64_t seed) : state(seed * 2654435761u + 1) {}
  int64_t below(int64_t bound) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<int64_t>((state >> 33) % static_cast<uint64_t>(bound));
  }

private:
  uint64_t state;
};

/// Sizes of 0 to 5 units of 8 bytes, alignments of 1 to 4 units.
Problem makeRandomProblem(uint64_t seed) {
  Random random(seed);
  Problem problem;
  int count = 1 + static_cast<int>(random.below(6));
  bool hasLifetimes = random.below(4) != 0;
  for (int i = 0; i < count; ++i) {
    std::vector<Lifetime> lifetimes;
    if (hasLifetimes) {
      int64_t begin = random.below(6);
      lifetimes.push_back({begin, begin + random.below(5)});
      if (random.below(4) == 0)
        lifetimes.push_back({begin + 6, begin + 8});
    }
    int64_t size = random.below(8) == 0 ? 0 : 8 * (1 + random.below(5));
    problem.addBuffer(std::string(1, static_cast<char>('a' + i)), size,
                      int64_t(8) << random.below(3), std::move(lifetimes));
  }
  int extra = hasLifetimes ? static_cast<int>(random.below(2)) : 6;
  for (int i = 0; i < extra && count > 1; ++i) {
    int first = static_cast<int>(random.below(count));
    int second = static_cast<int>(random.below(count));
    if (first != second)
      problem.conflicts.push_back({first, second});
  }
  return problem;
}

class BruteForce {
public:
  explicit BruteForce(const Problem &problem) : problem(problem) {
    for (const Buffer &buffer : problem.buffers)
      best += buffer.sizeBytes + buffer.alignmentBytes;
  }
  int64_t find() {
    place(0, 0);
    return best;
  }

private:
  bool conflict(size_t a, size_t b) const {
    for (const Lifetime &x : problem.buffers[a].lifetimes)
      for (int64_t point = x.begin; point < x.end; ++point)
        for (const Lifetime &y : problem.buffers[b].lifetimes)
          if (y.begin <= point && point < y.end)
            return true;
    for (auto [x, y] : problem.conflicts)
      if ((size_t(x) == a && size_t(y) == b) ||
          (size_t(x) == b && size_t(y) == a))
        return true;
    return false;
  }
  bool fits(size_t buffer, int64_t offset) const {
    for (size_t other = 0; other < buffer; ++other)
      if (conflict(buffer, other) &&
          offset < offsets[other] + problem.buffers[other].sizeBytes &&
          offsets[other] < offset + problem.buffers[buffer].sizeBytes)
        return false;
    return true;
  }
  void place(size_t buffer, int64_t total) {
    if (buffer == problem.buffers.size()) {
      best = total;
      return;
    }
    const Buffer &placing = problem.buffers[buffer];
    for (int64_t offset = 0; std::max(total, offset + placing.sizeBytes) < best;
         offset += placing.alignmentBytes)
      if (fits(buffer, offset)) {
        offsets.push_back(offset);
        place(buffer + 1, std::max(total, offset + placing.sizeBytes));
        offsets.pop_back();
      }
  }

  const Problem &problem;
  std::vector<int64_t> offsets;
  int64_t best = 1;
};

TEST(BruteForce, SmallProblemsAreSolvedExactly) {
  int searched = 0;
  for (uint64_t seed = 0; seed < 4000; ++seed) {
    Problem problem = makeRandomProblem(seed);
    ASSERT_EQ(checkProblem(problem), std::nullopt);
    Solution solution = solve(problem);
    ASSERT_EQ(validate(problem, solution), std::nullopt) << "seed " << seed;
    ASSERT_EQ(solution.totalBytes, BruteForce(problem).find())
        << "seed " << seed << "\n"
        << formatMap(problem, solution);
    ASSERT_EQ(packBytes(problem, /*limitBytes=*/0), solution.totalBytes)
        << "seed " << seed;
    ASSERT_TRUE(solution.isOptimal) << "seed " << seed;
    ASSERT_LE(solution.lowerBoundBytes, solution.totalBytes);
    searched += solution.lowerBoundBytes < solution.totalBytes;
  }
  // Problems that the bound alone does not decide are among them.
  EXPECT_GT(searched, 20);
}

} // namespace
