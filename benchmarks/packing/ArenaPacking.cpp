//===- ArenaPacking.cpp - How well and how fast arenas are packed ---------===//
//
// A table of packers on random problems and on those of standard input:
// how many results are optimal, how far they lie above the lower bound, and how
// long they take; the library's own also with the long search. Every result is checked by the library's validator.
//
//===----------------------------------------------------------------------===//

#include "Baselines.h"
#include "Instances.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <iostream>

using namespace tilec::arena;

namespace {

struct Packer {
  const char *name;
  Solution (*pack)(const Problem &problem);
};

constexpr Packer packers[] = {
    {"arena", [](const Problem &problem) { return solve(problem); }},
    {"arena, long",
     [](const Problem &problem) { return solve(problem, longNodeBudget); }},
    {"linear scan", packByLinearScan},
    {"best fit", packByBestFit},
};

/// What one packer does on a group.
struct Result {
  int optimal = 0;   ///< known to be as small as possible
  int above = 0;     ///< larger than the best known
  double excess = 0; ///< sum over the bound, as a part of the bound
  double worst = 0;
  std::vector<double> microseconds;
};

} // namespace

/// Time that this thread was given, whatever else runs.
static double getMicroseconds() {
  timespec now = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e6 +
         static_cast<double>(now.tv_nsec) * 1e-3;
}

/// The fastest of several runs; one of what takes long.
static double measure(const Packer &packer, const Problem &problem) {
  constexpr int runs = 20;
  constexpr double longMicroseconds = 1000;
  double least = 0;
  for (int run = 0; run < runs; ++run) {
    double begin = getMicroseconds();
    Solution solution = packer.pack(problem);
    double time = getMicroseconds() - begin;
    if (run == 0 || time < least)
      least = time;
    if (least > longMicroseconds)
      break;
  }
  return least;
}

static void add(const Packer &packer, const Problem &problem,
                const Solution &best, Result &result) {
  Solution solution = packer.pack(problem);
  solution.lowerBoundBytes = best.lowerBoundBytes;
  if (auto reason = validate(problem, solution)) {
    std::cerr << packer.name << ": " << *reason << "\n";
    std::exit(1);
  }
  double bound = static_cast<double>(std::max<int64_t>(best.lowerBoundBytes, 1));
  double excess = static_cast<double>(solution.totalBytes) / bound - 1;
  result.optimal += best.isOptimal && solution.totalBytes == best.totalBytes;
  result.above += solution.totalBytes > best.totalBytes;
  result.excess += excess;
  result.worst = std::max(result.worst, excess);
  result.microseconds.push_back(measure(packer, problem));
}

static void print(const Instances &instances) {
  double count = static_cast<double>(instances.problems.size());
  for (const Packer &packer : packers) {
    Result result;
    for (const Problem &problem : instances.problems)
      add(packer, problem, solve(problem, longNodeBudget), result);
    std::ranges::sort(result.microseconds);
    double sum = 0;
    for (double time : result.microseconds)
      sum += time;
    size_t last = result.microseconds.size() - 1;
    std::printf("%-12s %-12s %5zu  %6.1f %%  %6.1f %%  %7.2f %%  %6.1f %%  "
                "%8.1f %8.1f %8.1f\n",
                instances.name.c_str(), packer.name, instances.problems.size(),
                100 * result.optimal / count, 100 * result.above / count,
                100 * result.excess / count, 100 * result.worst, sum / count,
                result.microseconds[last * 99 / 100],
                result.microseconds[last]);
  }
}

int main() {
  std::printf("%-12s %-12s %5s  %8s  %8s  %9s  %8s  %8s %8s %8s\n", "problems",
              "packer", "count", "optimal", "above", "to bound", "worst",
              "mean us", "99 % us", "max us");
  constexpr int smallCount = 1000, largeCount = 100;
  for (int buffers : {4, 6, 8, 10, 20})
    print(makeRandomInstances(buffers, smallCount));
  for (int buffers : {50, 100})
    print(makeRandomInstances(buffers, largeCount));
  Instances given = readInstances(std::cin, "examples");
  if (!given.problems.empty())
    print(given);
}
