//===- BruteForceTest.cpp - All schedules of small loops, executed -------===//
//
// Random bodies, every assignment of stages, every order: a schedule passes
// `validate` if and only if it computes what the loop computes, for all trip
// counts up to twice its stages and one more. "Only if" holds since the executor
// makes every dependence visible (Execute.h): a refused schedule that is right
// would mean an edge too many.
//
// There is one exception: what replaces a private place also wipes out what it
// shares with another, of which the graph knows nothing. Such bodies are only
// counted.
//
//===----------------------------------------------------------------------===//

#include "Execute.h"
#include "RandomBody.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cstdio>

using namespace tilec::schedule;
using namespace tilec::schedule::test;

namespace {

struct Tally {
  int64_t accepted = 0;
  int64_t refused = 0;
  int64_t needless = 0; ///< refused although nothing differs
};

class AllSchedules {
public:
  AllSchedules(const Problem &problem, int maxStage)
      : problem(problem), maxStage(maxStage), executor(problem),
        schedule(makeProgramOrder(
            static_cast<int>(problem.body.statements.size()))) {
    for (auto [first, second] : problem.body.overlaps)
      if (problem.body.places[first].isPrivate ||
          problem.body.places[second].isPrivate)
        isExact = false;
    for (int trips = 0; trips <= 2 * (maxStage + 1) + 1; ++trips)
      expected.push_back(executor.runSequentially(trips));
  }

  Tally run() {
    assignStages(0);
    return tally;
  }

private:
  void assignStages(size_t statement) {
    if (statement < schedule.stages.size()) {
      for (int stage = 0; stage <= maxStage; ++stage) {
        schedule.stages[statement] = stage;
        assignStages(statement + 1);
      }
      return;
    }
    if (*std::ranges::min_element(schedule.stages) > 0)
      return; // the same as with all stages one less
    std::ranges::sort(schedule.orders);
    do
      check();
    while (std::ranges::next_permutation(schedule.orders).found);
  }

  /// What holds with the slots there are holds with the fewest, and only if
  /// these are no more than there are.
  void checkSlots(bool isAccepted) {
    Problem fewest = problem;
    fewest.slots = countSlots(problem, schedule);
    bool areEnough = true;
    for (size_t place = 0; place < problem.slots.size(); ++place)
      areEnough &= fewest.slots[place] <= problem.slots[place];
    EXPECT_EQ(isAccepted, areEnough && !validate(fewest, schedule));
  }

  void check() {
    std::optional<Violation> violation = validate(problem, schedule);
    if (schedule.stages.size() < 5) // copies the problem
      checkSlots(!violation);
    bool isRight = true;
    int maxTrips = 2 * (schedule.getLastStage() + 1) + 1;
    for (int trips = 0; trips <= maxTrips && isRight; ++trips)
      isRight = executor.run(schedule, trips) == expected[trips];
    ++(violation ? tally.refused : tally.accepted);
    tally.needless += violation && isRight;
    if (!violation)
      EXPECT_TRUE(isRight) << "a schedule that is wrong is accepted";
    else if (isRight && isExact && tally.needless == 1)
      ADD_FAILURE() << "a schedule that is right is refused: "
                    << violation->message;
  }

  const Problem &problem;
  int maxStage;
  bool isExact = true;
  Executor executor;
  Schedule schedule;
  std::vector<std::vector<uint64_t>> expected;
  Tally tally;
};

/// Runs all schedules of `bodies` random bodies and sums up.
void tryBodies(int bodies, int count, int maxStage) {
  Tally sum;
  for (int seed = 0; seed < bodies && !testing::Test::HasFailure(); ++seed) {
    Problem problem = makeRandomProblem(seed * 7 + count, count);
    EXPECT_EQ(checkBody(problem.body), std::nullopt);
    SCOPED_TRACE("body " + std::to_string(seed) + " of " +
                 std::to_string(count) + " statements");
    Tally tally = AllSchedules(problem, maxStage).run();
    sum.accepted += tally.accepted;
    sum.refused += tally.refused;
    sum.needless += tally.needless;
  }
  std::printf(
      "%lld schedules accepted, %lld refused, %lld of them needlessly\n",
      static_cast<long long>(sum.accepted), static_cast<long long>(sum.refused),
      static_cast<long long>(sum.needless));
  // Neither side of the equivalence is empty.
  EXPECT_GT(sum.accepted, 1000);
  EXPECT_GT(sum.refused, 1000);
  EXPECT_LE(sum.needless, sum.refused / 100);
}

TEST(BruteForce, TwoStatements) { tryBodies(2000, 2, 3); }
TEST(BruteForce, ThreeStatements) { tryBodies(800, 3, 3); }
TEST(BruteForce, FourStatements) { tryBodies(400, 4, 2); }
TEST(BruteForce, FiveStatements) { tryBodies(40, 5, 2); }

} // namespace
