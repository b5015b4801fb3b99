//===- SolveModuloTest.cpp - Predictions and modulo schedules ------------===//
//
// Predicted cycles against a simulation, and the solver against all schedules
// of small bodies: it keeps the limits, is never slower than the program's
// order, and the distance to the optimum is printed and bounded.
//
//===----------------------------------------------------------------------===//

#include "RandomBody.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <numeric>

using namespace tilec::schedule;
using namespace tilec::schedule::test;

namespace {

Access reads(int place) { return {place, true, false}; }
Access writes(int place) { return {place, false, true}; }

Statement makeTimed(const std::string &name, int64_t issue, int64_t latency,
                    std::vector<Access> accesses, std::vector<Use> uses = {},
                    std::vector<int> defines = {}) {
  Statement statement{name, std::move(accesses), std::move(uses),
                      std::move(defines)};
  statement.issueCycles = issue;
  statement.latencyCycles = latency;
  statement.registers = 4;
  return statement;
}

/// An asynchronous copy of 800 cycles into 1 KB, 100 cycles of computation.
Problem makeCopyGemm() {
  Body body;
  body.places = {{"tile", true, 1024}};
  body.valueCount = 1;
  body.statements = {makeTimed("copy", 10, 800, {writes(0)}),
                     makeTimed("gemm", 100, 100, {reads(0)}, {{0, 1}}, {0})};
  return makeProblem(body);
}

Schedule solveWithin(Problem &problem, const Limits &limits) {
  Schedule order =
      makeProgramOrder(static_cast<int>(problem.body.statements.size()));
  Schedule schedule = solveModulo(problem, limits).value_or(order);
  problem.slots = countSlots(problem, order);
  int64_t inOrder = predictCycles(problem, order);
  problem.slots = countSlots(problem, schedule);
  EXPECT_FALSE(validate(problem, schedule).has_value());
  EXPECT_LE(predictCycles(problem, schedule), inOrder);
  if (schedule == order)
    return schedule;
  EXPECT_LT(schedule.getLastStage(), limits.maxStages);
  EXPECT_LE(countRegisters(problem.body, schedule), limits.registers);
  int64_t bytes = 0;
  for (size_t place = 0; place < problem.slots.size(); ++place)
    if (problem.body.places[place].isPrivate)
      bytes += problem.slots[place] * problem.body.places[place].bytes;
  EXPECT_LE(bytes, limits.sharedBytes);
  return schedule;
}

//===----------------------------------------------------------------------===//
// Predictions
//===----------------------------------------------------------------------===//

TEST(PredictCycles, CopiesAheadHideTheirLatency) {
  Problem problem = makeCopyGemm();
  EXPECT_EQ(predictCycles(problem, {{0, 0}, {0, 1}}), 900);
  // d stages ahead, a copy has d iterations to arrive.
  for (int slots : {2, 3, 4}) {
    problem.slots = {slots};
    EXPECT_EQ(predictCycles(problem, {{0, slots - 1}, {0, 1}}),
              (900 + slots - 1) / slots);
  }
  problem.slots = {9};
  EXPECT_EQ(predictCycles(problem, {{0, 8}, {0, 1}}), 110);
}

TEST(PredictCycles, ARecurrenceBoundsEverySchedule) {
  Body body;
  body.valueCount = 2;
  body.statements = {makeTimed("a", 1, 30, {}, {{1, 1}}, {0}),
                     makeTimed("b", 1, 12, {}, {{0, 0}}, {1})};
  Problem problem = makeProblem(body);
  EXPECT_EQ(predictCycles(problem, {{0, 0}, {0, 1}}), 42);
  EXPECT_EQ(predictCycles(problem, {{0, 1}, {1, 0}}), 42);
  EXPECT_EQ(solveModulo(problem, {4, 0, 100}), std::nullopt);
}

/// When statement 0 of step `steps` issues.
int64_t simulate(const Problem &problem, const Schedule &schedule, int steps) {
  size_t count = problem.body.statements.size();
  std::vector<std::vector<int64_t>> issues(steps + 1,
                                           std::vector<int64_t>(count, 0));
  std::vector<int> sorted(count);
  std::iota(sorted.begin(), sorted.end(), 0);
  std::ranges::sort(sorted, {}, [&](int s) { return schedule.orders[s]; });
  int64_t now = 0;
  for (int step = 0; step <= steps; ++step)
    for (int statement : sorted) {
      for (const Edge &edge : problem.graph.edges) {
        if (edge.to != statement || edge.kind == Dependence::WriteAfterRead ||
            edge.kind == Dependence::Order)
          continue;
        int distance =
            edge.kind == Dependence::WriteAfterWrite && edge.distance == 1
                ? problem.slots[edge.subject]
                : edge.distance;
        int from = step - distance - schedule.stages[edge.to] +
                   schedule.stages[edge.from];
        if (from >= 0)
          now = std::max(now,
                         issues[from][edge.from] +
                             problem.body.statements[edge.from].latencyCycles);
      }
      issues[step][statement] = now;
      now += problem.body.statements[statement].issueCycles;
    }
  return issues[steps][0];
}

/// A random body with random cycles, bytes and registers.
Problem makeTimedProblem(uint64_t seed, int count) {
  Problem problem = makeRandomProblem(seed, count);
  Random random(seed + 1);
  for (Statement &statement : problem.body.statements) {
    statement.issueCycles = 1 + random.below(20);
    statement.latencyCycles =
        random.isOneIn(3) ? random.below(200) : statement.issueCycles;
    statement.registers = random.below(5);
  }
  for (Place &place : problem.body.places)
    place.bytes = 1 + random.below(4);
  return problem;
}

/// Of several random ones, the first legal schedule; else program order.
Schedule makeRandomSchedule(const Problem &problem, Random &random) {
  int count = static_cast<int>(problem.body.statements.size());
  for (int attempt = 0; attempt < 100; ++attempt) {
    Schedule schedule = makeProgramOrder(count);
    for (int &stage : schedule.stages)
      stage = random.below(3);
    for (int index = count - 1; index > 0; --index)
      std::swap(schedule.orders[index],
                schedule.orders[random.below(index + 1)]);
    if (!validate(problem, schedule))
      return schedule;
  }
  return makeProgramOrder(count);
}

TEST(PredictCycles, IsTheSimulatedSpeed) {
  constexpr int steps = 2000;
  for (uint64_t seed = 0; seed < 150; ++seed) {
    Problem problem = makeTimedProblem(seed, 2 + static_cast<int>(seed % 4));
    Random random(seed);
    Schedule schedule = makeRandomSchedule(problem, random);
    int64_t begin = simulate(problem, schedule, steps / 2);
    int64_t end = simulate(problem, schedule, steps);
    // Rounded up, and up to what one period may be off.
    int64_t cycles = predictCycles(problem, schedule);
    constexpr int64_t period = 1000;
    EXPECT_LE(end - begin, cycles * steps / 2 + period) << seed;
    EXPECT_GE(end - begin, (cycles - 1) * steps / 2 - period) << seed;
  }
}

//===----------------------------------------------------------------------===//
// Modulo schedules
//===----------------------------------------------------------------------===//

TEST(SolveModulo, TakesAsManyStagesAsHelpAndFit) {
  Problem problem = makeCopyGemm();
  EXPECT_EQ(predictCycles(problem, solveWithin(problem, {16, 16 * 1024, 100})),
            110);
  for (int stages : {2, 3, 4}) {
    Schedule schedule = solveWithin(problem, {stages, 16 * 1024, 100});
    EXPECT_EQ(predictCycles(problem, schedule), (900 + stages - 1) / stages);
    schedule = solveWithin(problem, {16, stages * 1024, 100});
    EXPECT_LE(predictCycles(problem, schedule), (900 + stages - 1) / stages);
  }
  EXPECT_EQ(solveModulo(problem, {1, 1024, 100}), std::nullopt);
  EXPECT_EQ(solveModulo(problem, {4, 512, 100}), std::nullopt);
  EXPECT_EQ(solveModulo(problem, {0, 1024, 100}), std::nullopt);
  EXPECT_EQ(solveModulo({}, {4, 1024, 100}), std::nullopt);
}

TEST(SolveModulo, KeepsTheLimitOfRegisters) {
  Body body;
  body.valueCount = 1;
  body.statements = {makeTimed("load", 2, 90, {}, {}, {0}),
                     makeTimed("use", 30, 30, {}, {{0, 0}})};
  Problem problem = makeProblem(body);
  EXPECT_EQ(predictCycles(problem, solveWithin(problem, {8, 0, 100})), 32);
  EXPECT_EQ(solveWithin(problem, {8, 0, 4}).getLastStage(), 1);
  EXPECT_EQ(solveModulo(problem, {8, 0, 3}), std::nullopt);
}

/// The softmax of attention: the second gemm of an iteration runs while the
/// tensor cores would wait for the softmax of the next.
TEST(SolveModulo, OverlapsTheSoftmaxWithTheNextGemm) {
  Body body;
  body.valueCount = 3;
  body.statements = {makeTimed("scores", 10, 200, {}, {}, {0}),
                     makeTimed("softmax", 150, 150, {}, {{0, 0}}, {1}),
                     makeTimed("values", 10, 200, {}, {{1, 0}, {2, 1}}, {2})};
  Problem problem = makeProblem(body);
  problem.slots = {};
  EXPECT_EQ(predictCycles(problem, makeProgramOrder(3)), 360);
  Schedule schedule = solveWithin(problem, {3, 0, 100});
  EXPECT_EQ(predictCycles(problem, schedule), 200);
}

/// Attention: two rings of which a block can hold two slots each.
TEST(SolveModulo, GivesSlotsToWhatGainsByThem) {
  Body body;
  body.places = {{"K", true, 32768}, {"V", true, 32768}};
  body.valueCount = 3;
  body.statements = {
      makeTimed("copy K", 20, 900, {writes(0)}),
      makeTimed("copy V", 20, 900, {writes(1)}),
      makeTimed("scores", 300, 320, {reads(0)}, {}, {0}),
      makeTimed("softmax", 200, 200, {}, {{0, 0}}, {1}),
      makeTimed("values", 300, 320, {reads(1)}, {{1, 0}, {2, 1}}, {2})};
  Problem problem = makeProblem(body);
  EXPECT_EQ(predictCycles(problem, makeProgramOrder(5)), 1720);
  // 840 cycles of issue hide a copy of 900 only if it is given longer.
  Schedule schedule = solveWithin(problem, {3, 4 * 32768, 100});
  EXPECT_EQ(predictCycles(problem, schedule), 840);
  schedule = solveWithin(problem, {3, 2 * 32768, 100});
  EXPECT_LT(predictCycles(problem, schedule), 1720);
  EXPECT_EQ(problem.slots, (std::vector<int>{1, 1}));
}

/// Copies into rings, computation on them in a chain of values, accumulators:
/// what can overlap in many ways.
Problem makeRandomLoop(uint64_t seed, int count) {
  Random random(seed);
  Body body;
  for (int index = 0; index < count; ++index) {
    bool isCopy = random.isOneIn(3);
    int64_t issue = 1 + random.below(isCopy ? 10 : 60);
    Statement statement =
        makeTimed("s" + std::to_string(index), issue,
                  isCopy ? issue + random.below(400) : issue + random.below(30),
                  {}, {}, {index});
    for (int value = 0; value < index; ++value)
      if (random.isOneIn(3))
        statement.uses.push_back({value, 0});
    for (size_t place = 0; place < body.places.size(); ++place)
      if (random.isOneIn(2))
        statement.accesses.push_back(reads(static_cast<int>(place)));
    if (isCopy) {
      statement.accesses.push_back(
          writes(static_cast<int>(body.places.size())));
      body.places.push_back({statement.name, true, 1 + random.below(4)});
    } else if (random.isOneIn(3)) {
      statement.uses.push_back({index, 1});
    }
    statement.registers = random.below(5);
    body.statements.push_back(statement);
  }
  body.valueCount = count;
  return makeProblem(body);
}

/// The fewest cycles of all legal schedules within `limits`.
int64_t findOptimum(Problem problem, const Limits &limits) {
  int count = static_cast<int>(problem.body.statements.size());
  Schedule schedule = makeProgramOrder(count);
  problem.slots = countSlots(problem, schedule);
  int64_t best = predictCycles(problem, schedule);
  int stageings = 1;
  for (int index = 0; index < count; ++index)
    stageings *= limits.maxStages;
  do
    for (int code = 0; code < stageings; ++code) {
      for (int index = 0, rest = code; index < count;
           ++index, rest /= limits.maxStages)
        schedule.stages[index] = rest % limits.maxStages;
      problem.slots = countSlots(problem, schedule);
      int64_t bytes = 0;
      for (size_t place = 0; place < problem.slots.size(); ++place)
        if (problem.body.places[place].isPrivate)
          bytes += problem.slots[place] * problem.body.places[place].bytes;
      if (bytes <= limits.sharedBytes && !validate(problem, schedule) &&
          countRegisters(problem.body, schedule) <= limits.registers)
        best = std::min(best, predictCycles(problem, schedule));
    }
  while (std::ranges::next_permutation(schedule.orders).found);
  return best;
}

/// How far the solver is from the optimum of random problems.
struct Distance {
  int solved = 0, overlapped = 0, optimal = 0;
  double excess = 0, worst = 0; ///< as a part of the optimum

  void add(Problem problem, const Limits &limits) {
    int64_t optimum = findOptimum(problem, limits);
    Schedule schedule = solveWithin(problem, limits);
    EXPECT_EQ(schedule, solveWithin(problem, limits));
    int64_t cycles = predictCycles(problem, schedule);
    EXPECT_GE(cycles, optimum);
    double more = double(cycles - optimum) / double(optimum);
    excess += more;
    worst = std::max(worst, more);
    ++solved;
    optimal += cycles == optimum;
    overlapped += schedule.getLastStage() > 0;
  }
  void print(const char *title) const {
    std::printf("%s: %d bodies, %d overlapped, %d of all optimal, above the "
                "optimum by %.2f %% on average and %.0f %% at worst\n",
                title, solved, overlapped, optimal, 100 * excess / solved,
                100 * worst);
  }
};

TEST(SolveModulo, IsCloseToTheOptimumOfSmallBodies) {
  Distance any;
  Distance loops;
  for (uint64_t seed = 0; seed < 600; ++seed) {
    Random random(seed + 2);
    int count = seed % 50 == 0 ? 5 : 2 + static_cast<int>(seed % 3);
    Limits limits{1 + random.below(3), 2 + random.below(16), random.below(20)};
    any.add(makeTimedProblem(seed, count), limits);
    loops.add(makeRandomLoop(seed, count), limits);
  }
  any.print("any bodies");
  loops.print("copies and computation");
  EXPECT_GT(loops.overlapped, 150);
  EXPECT_GE(any.optimal, any.solved * 99 / 100);
  EXPECT_GE(loops.optimal, loops.solved * 95 / 100);
  EXPECT_LT(loops.excess / loops.solved, 0.01);
}

TEST(SolveModulo, AHundredStatementsTakeMilliseconds) {
  Body body;
  Random random(3);
  for (int index = 0; index < 100; ++index) {
    Statement statement =
        makeTimed("s" + std::to_string(index), 1 + random.below(20), 0, {});
    statement.latencyCycles = statement.issueCycles + random.below(100);
    statement.defines = {index};
    for (int use = 0; use < 2 && index > 0; ++use)
      statement.uses.push_back(
          {index - 1 - random.below(std::min(index, 20)), 0});
    if (index % 4 == 0) {
      body.places.push_back({"p" + std::to_string(index), true, 16});
      statement.accesses = {writes(index / 4)};
    } else {
      statement.accesses = {reads(index / 4)};
    }
    body.statements.push_back(statement);
  }
  body.valueCount = 100;
  Problem problem = makeProblem(body);
  int64_t inOrder = predictCycles(problem, makeProgramOrder(100));
  // Room for as many slots as help, and for five more than there are places.
  for (int64_t bytes : {int64_t(1) << 20, int64_t(30) * 16}) {
    auto begin = std::chrono::steady_clock::now();
    Schedule schedule = solveWithin(problem, {4, bytes, 1 << 20});
    std::chrono::duration<double, std::milli> elapsed =
        std::chrono::steady_clock::now() - begin;
    int64_t cycles = predictCycles(problem, schedule);
    std::printf("100 statements: %lld cycles, %lld in program order, %.1f ms\n",
                static_cast<long long>(cycles), static_cast<long long>(inOrder),
                elapsed.count());
    EXPECT_LT(cycles, inOrder);
    EXPECT_LT(elapsed.count(), 1000); // on any machine, in any build
  }
}

} // namespace
