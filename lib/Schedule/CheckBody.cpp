//===- CheckBody.cpp - What a loop body must be --------------------------===//
//
// Indices that exist, values that have one definition before their uses, and
// private places that are written before they are read.
//
//===----------------------------------------------------------------------===//

#include "tile/Schedule/Schedule.h"

#include <algorithm>

using namespace tilec::schedule;

using Error = std::optional<std::string>;

static std::string number(int64_t value) { return std::to_string(value); }

static bool isIndex(int index, size_t count) {
  return index >= 0 && static_cast<size_t>(index) < count;
}

static std::string describe(const Statement &statement) {
  return "statement '" + statement.name + "'";
}

static std::string describe(const Place &place) {
  return "place '" + place.name + "'";
}

static Error checkNumbers(const Statement &statement) {
  auto check = [&](const char *what, int64_t value) -> Error {
    if (value >= 0)
      return std::nullopt;
    return describe(statement) + " has " + number(value) + " " + what;
  };
  if (Error error = check("cycles of issue", statement.issueCycles))
    return error;
  if (Error error = check("cycles of latency", statement.latencyCycles))
    return error;
  return check("registers", statement.registers);
}

static Error checkAccesses(const Body &body, const Statement &statement) {
  for (const Access &access : statement.accesses) {
    if (!isIndex(access.place, body.places.size()))
      return describe(statement) + " accesses place " + number(access.place) +
             "; there are " + number(int64_t(body.places.size()));
    std::string place = describe(body.places[access.place]);
    if (!access.reads && !access.writes)
      return describe(statement) + " neither reads nor writes " + place;
    if (access.combines >= 0 && !access.writes)
      return describe(statement) + " combines with " + place +
             " and does not write it";
  }
  return std::nullopt;
}

static Error checkPlaces(const Body &body) {
  for (const Place &place : body.places)
    if (place.bytes < 0)
      return describe(place) + " has " + number(place.bytes) + " bytes";
  for (auto [first, second] : body.overlaps) {
    std::string pair =
        "overlap (" + number(first) + ", " + number(second) + ")";
    if (!isIndex(first, body.places.size()) ||
        !isIndex(second, body.places.size()))
      return pair + " names a place that does not exist; there are " +
             number(int64_t(body.places.size()));
    if (first == second)
      return pair + " is of a place with itself";
  }
  return std::nullopt;
}

/// The first statement that touches a private place writes it.
static Error checkPrivate(const Body &body) {
  std::vector<bool> isWritten(body.places.size());
  for (const Statement &statement : body.statements) {
    for (const Access &access : statement.accesses)
      if (access.writes)
        isWritten[access.place] = true;
    for (const Access &access : statement.accesses)
      if (body.places[access.place].isPrivate && !isWritten[access.place])
        return describe(body.places[access.place]) + " is private and " +
               describe(statement) + " reads it before it is written";
  }
  return std::nullopt;
}

/// Values are defined once, before uses in the same iteration.
static Error checkValues(const Body &body) {
  auto valueCount = static_cast<size_t>(std::max(body.valueCount, 0));
  std::vector<const Statement *> definitions(valueCount);
  for (const Statement &statement : body.statements)
    for (int value : statement.defines) {
      std::string name = "value " + number(value);
      if (!isIndex(value, valueCount))
        return describe(statement) + " defines " + name + "; there are " +
               number(int64_t(valueCount));
      if (definitions[value])
        return describe(statement) + " defines " + name + ", which " +
               describe(*definitions[value]) + " defines too";
      definitions[value] = &statement;
    }
  std::vector<bool> isDefined(valueCount);
  for (const Statement &statement : body.statements) {
    for (auto [value, distance] : statement.uses) {
      std::string name = "value " + number(value);
      if (!isIndex(value, valueCount))
        return describe(statement) + " uses " + name + "; there are " +
               number(int64_t(valueCount));
      if (distance != 0 && distance != 1)
        return describe(statement) + " uses " + name + " at a distance of " +
               number(distance) + " iterations; it must be 0 or 1";
      if (distance == 0 && definitions[value] && !isDefined[value])
        return describe(statement) + " uses " + name + " before " +
               describe(*definitions[value]) + " defines it";
    }
    for (int value : statement.defines)
      isDefined[value] = true;
  }
  return std::nullopt;
}

std::optional<std::string> tilec::schedule::checkBody(const Body &body) {
  for (const Statement &statement : body.statements) {
    if (Error error = checkNumbers(statement))
      return error;
    if (Error error = checkAccesses(body, statement))
      return error;
  }
  if (Error error = checkPlaces(body))
    return error;
  if (Error error = checkPrivate(body))
    return error;
  return checkValues(body);
}
