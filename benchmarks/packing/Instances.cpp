//===- Instances.cpp - Packing problems to measure with -------------------===//

#include "Instances.h"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <random>
#include <sstream>

using namespace tilec::arena;

namespace {

/// Numbers below a bound from one generator, the same with every library.
class Random {
public:
  explicit Random(uint64_t seed) : generator(seed) {}
  int64_t below(int64_t bound) {
    return static_cast<int64_t>(generator() % static_cast<uint64_t>(bound));
  }

private:
  std::mt19937_64 generator;
};

} // namespace

/// Three of four are tiles of 16 to 128 rows and 32 to 128 columns of 1, 2 or 4
/// bytes; the others are scratch of up to a kilobyte.
static int64_t chooseSize(Random &random) {
  if (random.below(4) == 0)
    return 16 * (1 + random.below(64));
  int64_t rows = int64_t(16) << random.below(4);
  int64_t columns = int64_t(32) << random.below(3);
  return rows * columns * (int64_t(1) << random.below(3));
}

static Problem makeProblem(int bufferCount, Random &random) {
  constexpr int64_t alignments[] = {16, 128, 1024};
  Problem problem;
  int64_t points = 2 * bufferCount;
  for (int index = 0; index < bufferCount; ++index) {
    int64_t alignment = alignments[random.below(std::size(alignments))];
    int64_t size = (chooseSize(random) + alignment - 1) & -alignment;
    int64_t first = random.below(points);
    int64_t second = random.below(points);
    problem.addBuffer("b" + std::to_string(index), size, alignment,
                      {{std::min(first, second), std::max(first, second) + 1}});
  }
  return problem;
}

Instances makeRandomInstances(int bufferCount, int count) {
  Random random(static_cast<uint64_t>(bufferCount));
  Instances instances{"random, " + std::to_string(bufferCount), {}};
  for (int index = 0; index < count; ++index)
    instances.problems.push_back(makeProblem(bufferCount, random));
  return instances;
}

Instances readInstances(std::istream &in, std::string name) {
  Instances instances{std::move(name), {}};
  std::string line;
  while (std::getline(in, line)) {
    std::istringstream words(line);
    std::string kind;
    words >> kind;
    if (kind == "instance") {
      instances.problems.emplace_back();
      continue;
    }
    int64_t size = 0, alignment = 0;
    std::vector<Lifetime> spans;
    words >> size >> alignment;
    for (Lifetime span; words >> span.begin >> span.end;)
      spans.push_back(span);
    if (kind != "buffer" || !words.eof() || instances.problems.empty()) {
      std::cerr << "arena-packing: no instance and no buffer: " << line << "\n";
      std::exit(1);
    }
    Problem &problem = instances.problems.back();
    problem.addBuffer("b" + std::to_string(problem.buffers.size()), size,
                      alignment, std::move(spans));
  }
  return instances;
}
