//===- Comparison.h - What equal means --------------------------*- C++ -*-===//
//
// Every expected element carries a bound on how far a correct implementation
// may be from it (lib/Reference derives it). In this order an element is
//
//   exact       the same bits. Any NaN is any NaN, as payloads are not part of
//               the language; -0 is not +0: a move that loses a sign is wrong.
//   within      |actual - expected| <= bound. Where the language leaves the
//               sign of a zero open, the bound is the smallest number above 0.
//   unchecked   the bound is past use: above the root mean square of what is
//               expected, infinite or NaN. More than `maxUnchecked` of these
//               fail the comparison.
//   different   everything else; so a bound of 0 asks for the same bits.
//
// Given tolerances replace the bounds of floats: |actual - expected| <= rtol
// |expected| + atol. Integers have distances modulo their width, since they
// wrap.
//
// Without MLIR, so that ptx-run compares by the same rule on a machine that has
// little but a GPU.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_RUNTIME_COMPARISON_H
#define TILE_RUNTIME_COMPARISON_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tilec {

/// An absent number is zero where the other is given.
struct Tolerance {
  std::optional<double> rtol, atol;
  bool isGiven() const { return rtol || atol; }
};

struct ComparisonRule {
  Tolerance tolerance;
  /// The share of elements that may be unchecked.
  double maxUnchecked = 0.01;
};

/// "1%" as 0.01; false unless it is a share from 0% to 100%.
bool parseShare(const std::string &text, double &share);

/// How an element lies to the one that is expected.
struct ElementDistance {
  bool isSame = false;
  /// Infinite where one is NaN or infinite and the other is not the same.
  double distance = 0;
  double magnitude = 0; ///< of the expected one
};

ElementDistance getFloatDistance(double actual, double expected);
/// Of integers that are sign-extended from `bits`.
ElementDistance getIntegerDistance(int64_t actual, int64_t expected,
                                   unsigned bits);

/// Of the finite numbers that are added.
class RootMeanSquare {
public:
  void add(double value);
  double get() const;

private:
  long double sum = 0;
  int64_t count = 0;
};

class Comparison {
public:
  /// `rootMeanSquare` is that of what is expected.
  Comparison(const ComparisonRule &rule, double rootMeanSquare)
      : rule(rule), rootMeanSquare(rootMeanSquare) {}

  /// Counts element `position`, in row-major order. True for the first one that
  /// is different: the caller describes it.
  bool add(int64_t position, const ElementDistance &element, double bound);
  /// An element of which nothing is expected.
  void addUndefined() { ++undefined; }
  void describeFirst(std::string actual, std::string expected);

  /// Whether nothing is different and enough was checked.
  bool isEqual() const { return different == 0 && !isMostlyUnchecked(); }
  /// "equal", "different" or "not checkable".
  const char *getStatus() const;

  /// "equal: 1024 elements (1000 exact, 24 within their bounds; largest
  /// difference / bound 0.31 at [3, 4]; ..)". A one-dimensional `shape` prints
  /// positions as they are.
  std::string toText(const std::vector<int64_t> &shape) const;
  /// One JSON object, as docs/Running.md has it.
  std::string toJson(const std::vector<int64_t> &shape) const;

private:
  bool isMostlyUnchecked() const;
  std::string describeCounts(const std::vector<int64_t> &shape) const;
  bool isUsable(double bound) const;
  double getAllowed(double magnitude, double bound) const;

  ComparisonRule rule;
  double rootMeanSquare;
  int64_t undefined = 0, exact = 0, within = 0, unchecked = 0, different = 0;

  /// A largest value and where it was met first; nowhere: -1.
  struct Largest {
    double value = 0;
    int64_t position = -1;
    void add(double candidate, int64_t at) {
      if (candidate > value)
        value = candidate, position = at;
    }
  };
  Largest difference;    ///< of all elements that are checked
  Largest ratio;         ///< of a difference to what is allowed
  Largest relativeBound; ///< of a usable bound to the value

  int64_t first = -1;
  double firstAllowed = 0;
  std::string firstActual, firstExpected;
};

} // namespace tilec

#endif // TILE_RUNTIME_COMPARISON_H
