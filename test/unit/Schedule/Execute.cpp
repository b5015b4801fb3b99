//===- Execute.cpp - Running a schedule on symbols -----------------------===//
//
// See Execute.h.
//
//===----------------------------------------------------------------------===//

#include "Execute.h"
#include "RandomBody.h"

#include <algorithm>
#include <numeric>

using namespace tilec::schedule;
using namespace tilec::schedule::test;

constexpr uint64_t uncomputed = 0;

/// A hash in which the order of arguments counts.
static uint64_t mix(uint64_t first, uint64_t second) {
  uint64_t hash = first * 0x9e3779b97f4a7c15u + second + 0x632be59bd9b4e019u;
  hash = (hash ^ (hash >> 29)) * 0xbf58476d1ce4e5b9u;
  hash = (hash ^ (hash >> 32)) * 0x94d049bb133111ebu;
  return hash ^ (hash >> 31);
}

uint64_t Executor::Cell::get() const {
  return combines < 0 ? history : mix(mix(history, combines), sum);
}

Executor::Executor(const Problem &problem)
    : problem(problem), slots(problem.slots) {
  const Body &body = problem.body;
  int placeCount = static_cast<int>(body.places.size());
  parts.resize(placeCount);
  auto addCell = [&] {
    initial.push_back({mix(1, initial.size())});
    return static_cast<int>(initial.size()) - 1;
  };
  for (int place = 0; place < placeCount; ++place)
    for (int slot = 0; slot < slots[place]; ++slot)
      if (int cell = addCell(); slot == 0)
        parts[place].push_back(cell);
  for (auto [first, second] : body.overlaps) {
    parts[first].push_back(addCell());
    parts[second].push_back(parts[first].back());
  }

  replacers.assign(placeCount, -1);
  definitions.assign(body.valueCount, -1);
  for (int index = static_cast<int>(body.statements.size()) - 1; index >= 0;
       --index) {
    for (int value : body.statements[index].defines)
      definitions[value] = index;
    for (const Access &access : body.statements[index].accesses)
      if (body.places[access.place].isPrivate)
        replacers[access.place] = index;
  }
}

Executor::Cell &Executor::getCell(int place, size_t part, int iteration) {
  return cells[parts[place][part] + iteration % slots[place]];
}

void Executor::reset(int trips) {
  const Body &body = problem.body;
  cells = initial;
  values.assign(size_t(body.valueCount) * trips, uncomputed);
  seen.assign(body.statements.size() * trips, uncomputed);
  touched = output = 0;
}

uint64_t Executor::readOperands(int statement, int iteration, int trips) const {
  uint64_t symbol = mix(mix(2, statement), iteration);
  for (auto [value, distance] : problem.body.statements[statement].uses) {
    int from = iteration - distance;
    bool isOutside = from < 0 || definitions[value] < 0;
    symbol = mix(symbol, isOutside ? mix(3, value)
                                   : values[size_t(value) * trips + from]);
  }
  return symbol;
}

void Executor::write(int index, int iteration, uint64_t symbol) {
  for (const Access &access : problem.body.statements[index].accesses)
    for (size_t part = 0; access.writes && part < parts[access.place].size();
         ++part) {
      Cell &cell = getCell(access.place, part, iteration);
      if (access.combines < 0) {
        cell = {mix(cell.get(), symbol)};
        continue;
      }
      if (cell.combines != access.combines)
        cell = {cell.get(), access.combines, 0};
      cell.sum += mix(4, symbol);
    }
}

void Executor::execute(int index, int iteration, int trips) {
  const Statement &statement = problem.body.statements[index];
  uint64_t symbol = readOperands(index, iteration, trips);
  for (const Access &access : statement.accesses)
    for (size_t part = 0; part < parts[access.place].size(); ++part) {
      Cell &cell = getCell(access.place, part, iteration);
      if (replacers[access.place] == index)
        cell = {};
      if (access.reads && access.combines < 0)
        symbol = mix(symbol, cell.get());
    }
  if (statement.isOpaque) {
    symbol = mix(symbol, touched);
    output = mix(output, symbol);
  } else if (!statement.accesses.empty()) {
    touched += mix(mix(5, index), iteration);
  }
  seen[size_t(index) * trips + iteration] = symbol;
  write(index, iteration, symbol);
  for (int value : statement.defines)
    values[size_t(value) * trips + iteration] = mix(symbol, value);
}

std::vector<uint64_t> Executor::run(const Schedule &schedule, int trips) {
  reset(trips);
  std::vector<int> sorted(problem.body.statements.size());
  std::iota(sorted.begin(), sorted.end(), 0);
  std::ranges::sort(sorted, {}, [&](int s) { return schedule.orders[s]; });
  for (int step = 0; step < trips + schedule.getLastStage(); ++step)
    for (int statement : sorted) {
      int iteration = step - schedule.stages[statement];
      if (iteration >= 0 && iteration < trips)
        execute(statement, iteration, trips);
    }
  std::vector<uint64_t> observed = seen;
  observed.push_back(output);
  for (int place = 0; place < static_cast<int>(parts.size()); ++place)
    for (size_t part = 0; part < parts[place].size(); ++part)
      observed.push_back(getCell(place, part, std::max(trips - 1, 0)).get());
  return observed;
}

std::vector<uint64_t> Executor::runSequentially(int trips) {
  std::vector<int> ring(problem.slots.size(), 1);
  std::swap(ring, slots);
  std::vector<uint64_t> observed =
      run(makeProgramOrder(static_cast<int>(problem.body.statements.size())),
          trips);
  std::swap(ring, slots);
  return observed;
}
