//===- Comparison.cpp - What equal means ---------------------------------===//

#include "tile/Runtime/Comparison.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

using namespace tilec;

static constexpr double infinity = std::numeric_limits<double>::infinity();

bool tilec::parseShare(const std::string &text, double &share) {
  char *end = nullptr;
  double percent = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || std::string(end) != "%" ||
      !(percent >= 0 && percent <= 100))
    return false;
  share = percent / 100;
  return true;
}

ElementDistance tilec::getFloatDistance(double actual, double expected) {
  ElementDistance element;
  element.magnitude = std::fabs(expected);
  bool isNaN = std::isnan(actual) || std::isnan(expected);
  element.isSame = isNaN ? std::isnan(actual) && std::isnan(expected)
                         : actual == expected &&
                               std::signbit(actual) == std::signbit(expected);
  if (actual == expected || element.isSame)
    element.distance = 0;
  else if (std::isfinite(actual) && std::isfinite(expected))
    element.distance = std::fabs(actual - expected);
  else
    element.distance = infinity;
  return element;
}

ElementDistance tilec::getIntegerDistance(int64_t actual, int64_t expected,
                                          unsigned bits) {
  ElementDistance element;
  element.isSame = actual == expected;
  element.magnitude = std::fabs(static_cast<double>(expected));
  uint64_t mask = bits < 64 ? (uint64_t(1) << bits) - 1 : ~uint64_t(0);
  uint64_t up =
      (static_cast<uint64_t>(actual) - static_cast<uint64_t>(expected)) & mask;
  uint64_t down = (0 - up) & mask;
  element.distance = static_cast<double>(std::min(up, down));
  return element;
}

void RootMeanSquare::add(double value) {
  if (!std::isfinite(value))
    return;
  sum += static_cast<long double>(value) * value;
  ++count;
}

double RootMeanSquare::get() const {
  return count ? static_cast<double>(
                     std::sqrt(sum / static_cast<long double>(count)))
               : 0.0;
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

bool Comparison::isUsable(double bound) const {
  return rule.tolerance.isGiven() || bound == 0 ||
         (std::isfinite(bound) && bound <= rootMeanSquare);
}

double Comparison::getAllowed(double magnitude, double bound) const {
  const Tolerance &tolerance = rule.tolerance;
  if (!tolerance.isGiven())
    return std::isnan(bound) ? infinity : bound;
  double relative = tolerance.rtol.value_or(0.0);
  // An infinite element allows no distance: 0 * infinity is none.
  return (relative > 0 && std::isfinite(magnitude) ? relative * magnitude
                                                   : 0.0) +
         tolerance.atol.value_or(0.0);
}

bool Comparison::add(int64_t position, const ElementDistance &element,
                     double bound) {
  double allowed = getAllowed(element.magnitude, bound);
  bool isChecked = isUsable(bound);
  if (isChecked && allowed > 0 && element.magnitude > 0)
    relativeBound.add(allowed / element.magnitude, position);
  if (element.isSame) {
    ++exact;
    return false;
  }
  bool isWithin = std::isfinite(element.distance) && allowed > 0 &&
                  element.distance <= allowed;
  // A zero of the other sign needs no more than a bound that is not zero.
  if (!isChecked && element.distance > 0) {
    ++unchecked;
    return false;
  }
  difference.add(element.distance, position);
  if (allowed > 0)
    ratio.add(element.distance / allowed, position);
  if (isWithin || (rule.tolerance.isGiven() && element.distance == 0)) {
    ++within;
    return false;
  }
  if (different++ > 0)
    return false;
  first = position;
  firstAllowed = allowed;
  return true;
}

void Comparison::describeFirst(std::string actual, std::string expected) {
  firstActual = std::move(actual);
  firstExpected = std::move(expected);
}

bool Comparison::isMostlyUnchecked() const {
  int64_t compared = exact + within + unchecked + different;
  return static_cast<double>(unchecked) >
         rule.maxUnchecked * static_cast<double>(compared);
}

const char *Comparison::getStatus() const {
  if (different)
    return "different";
  return isMostlyUnchecked() ? "not checkable" : "equal";
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static std::string print(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

/// "[3, 4]"
static std::string printPlace(int64_t position,
                              const std::vector<int64_t> &shape) {
  std::string text;
  for (size_t d = shape.size(); d-- > 0;) {
    int64_t extent = shape[d] > 0 ? shape[d] : 1;
    text =
        std::to_string(position % extent) + (text.empty() ? "" : ", ") + text;
    position /= extent;
  }
  return "[" + text + "]";
}

std::string
Comparison::describeCounts(const std::vector<int64_t> &shape) const {
  bool isTolerant = rule.tolerance.isGiven();
  std::string text = " (" + std::to_string(exact) + " exact";
  if (within)
    text += ", " + std::to_string(within) +
            (isTolerant ? " within the tolerance" : " within their bounds");
  if (unchecked)
    text += ", " + std::to_string(unchecked) + " not checkable";
  if (difference.position >= 0)
    text += "; largest difference " + print(difference.value) + " at " +
            printPlace(difference.position, shape);
  if (ratio.position >= 0)
    text += std::string("; largest difference / ") +
            (isTolerant ? "tolerance " : "bound ") + print(ratio.value) +
            " at " + printPlace(ratio.position, shape);
  if (isTolerant)
    text += "; rtol " + print(rule.tolerance.rtol.value_or(0.0)) + ", atol " +
            print(rule.tolerance.atol.value_or(0.0));
  else if (relativeBound.position >= 0)
    text += "; largest bound / |value| " + print(relativeBound.value);
  return text + ")";
}

std::string Comparison::toText(const std::vector<int64_t> &shape) const {
  int64_t compared = exact + within + unchecked + different;
  std::string all = std::to_string(compared) + " elements";
  std::string text = "equal: " + all;
  if (different)
    text = "DIFFERENT: " + std::to_string(different) + " of " + all;
  else if (isMostlyUnchecked())
    text = "NOT CHECKABLE: " + std::to_string(unchecked) + " of " + all +
           ", more than " + print(100 * rule.maxUnchecked) +
           "%, have bounds above the root mean square " + print(rootMeanSquare);
  if (undefined)
    text += ", " + std::to_string(undefined) + " undefined ones not compared";
  text += describeCounts(shape);
  if (different)
    text += "; first at " + printPlace(first, shape) + ": " + firstActual +
            ", expected " + firstExpected +
            (firstAllowed > 0 ? " within " + print(firstAllowed) : " exactly");
  return text;
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

/// JSON has no infinity and no NaN.
static std::string toJsonNumber(double value) {
  if (!std::isfinite(value))
    return "null";
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

std::string Comparison::toJson(const std::vector<int64_t> &shape) const {
  auto place = [&](int64_t position) {
    return position < 0 ? std::string("null") : printPlace(position, shape);
  };
  auto largest = [&](const char *name, const Largest &entry) {
    return std::string(", \"") + name +
           "\": {\"value\": " + toJsonNumber(entry.value) +
           ", \"at\": " + place(entry.position) + "}";
  };
  std::string text = std::string("{\"status\": \"") + getStatus() + "\"";
  auto count = [&](const char *name, int64_t value) {
    text += std::string(", \"") + name + "\": " + std::to_string(value);
  };
  count("elements", exact + within + unchecked + different);
  count("exact", exact);
  count("within", within);
  count("unchecked", unchecked);
  count("different", different);
  count("undefined", undefined);
  text += largest("difference", difference) + largest("ratio", ratio) +
          largest("relative_bound", relativeBound);
  text += ", \"max_unchecked\": " + toJsonNumber(rule.maxUnchecked);
  auto given = [](const std::optional<double> &number) {
    return toJsonNumber(number.value_or(0.0));
  };
  text += ", \"tolerance\": ";
  text += rule.tolerance.isGiven()
              ? "{\"rtol\": " + given(rule.tolerance.rtol) +
                    ", \"atol\": " + given(rule.tolerance.atol) + "}"
              : "null";
  text += ", \"first\": ";
  // Elements are printed as numbers, "nan", "inf" or "undefined": strings.
  text += first < 0
              ? "null"
              : "{\"at\": " + place(first) + ", \"actual\": \"" + firstActual +
                    "\", \"expected\": \"" + firstExpected +
                    "\", \"allowed\": " + toJsonNumber(firstAllowed) + "}";
  return text + "}";
}
