//===- Sums.cpp - Sums as machines make them -----------------------------===//

#include "Sums.h"

#include <algorithm>
#include <cmath>

using namespace mlir::tile::reference;

static double sumForward(const std::vector<double> &terms, FloatFormat format) {
  double total = terms.empty() ? 0.0 : roundTo(terms.front(), format);
  for (size_t i = 1; i < terms.size(); ++i)
    total = roundTo(total + terms[i], format);
  return total;
}

static double sumPairwise(std::vector<double> terms, FloatFormat format) {
  while (terms.size() > 1) {
    std::vector<double> sums;
    for (size_t i = 0; i < terms.size(); i += 2)
      sums.push_back(i + 1 < terms.size()
                         ? roundTo(terms[i] + terms[i + 1], format)
                         : terms[i]);
    terms = std::move(sums);
  }
  return terms.empty() ? 0.0 : roundTo(terms.front(), format);
}

/// Partial sums of `count` classes of terms, then their tree.
template <typename Class>
static double sumClasses(const std::vector<double> &terms, size_t count,
                         FloatFormat format, Class getClass) {
  std::vector<std::vector<double>> classes(count);
  for (size_t i = 0; i < terms.size(); ++i)
    classes[getClass(i)].push_back(terms[i]);
  std::vector<double> partial;
  for (const std::vector<double> &members : classes)
    partial.push_back(sumForward(members, format));
  return sumPairwise(std::move(partial), format);
}

double mlir::tile::reference::sumTruncated(const std::vector<double> &terms,
                                           int precision) {
  double total = 0.0;
  for (size_t i = 0; i < terms.size(); i += 8) {
    std::vector<double> group(terms.begin() + i,
                              terms.begin() + std::min(i + 8, terms.size()));
    group.push_back(total);
    double largest = 0.0;
    for (double term : group)
      largest = std::max(largest, std::fabs(term));
    if (largest == 0.0)
      continue;
    double unit = std::ldexp(1.0, std::ilogb(largest) + 1 - precision);
    total = 0.0;
    for (double term : group)
      total += std::trunc(term / unit) * unit;
    double cut = std::ldexp(1.0, std::ilogb(total) + 1 - precision);
    total = total == 0.0 ? 0.0 : std::trunc(total / cut) * cut;
  }
  return total;
}

double mlir::tile::reference::sum(std::vector<double> terms, Order order,
                                  FloatFormat format) {
  std::mt19937 random(7);
  size_t count = terms.size();
  switch (order) {
  case Order::Forward:
    break;
  case Order::Backward:
    std::reverse(terms.begin(), terms.end());
    break;
  case Order::Pairwise:
    return sumPairwise(std::move(terms), format);
  case Order::Strided:
    return sumClasses(terms, 32, format, [](size_t i) { return i % 32; });
  case Order::Shuffled:
    std::shuffle(terms.begin(), terms.end(), random);
    break;
  case Order::Ascending:
    std::sort(terms.begin(), terms.end(),
              [](double a, double b) { return std::fabs(a) < std::fabs(b); });
    break;
  case Order::SplitK:
    return sumClasses(terms, 4, format,
                      [&](size_t i) { return i * 4 / count; });
  }
  return sumForward(terms, format);
}

std::vector<double> mlir::tile::reference::generate(Data data, int64_t count,
                                                    unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform(0.25, 1.0);
  std::vector<double> values(count);
  for (int64_t i = 0; i < count; ++i)
    switch (data) {
    case Data::Normal:
      values[i] = normal(random);
      break;
    case Data::Positive:
      values[i] = uniform(random);
      break;
    case Data::Constant:
      values[i] = 0.1;
      break;
    case Data::Cancellation:
      values[i] =
          i % 2 ? -values[i - 1] + 0.01 * normal(random) : 16 * normal(random);
      break;
    case Data::Integers:
      values[i] = static_cast<double>(random() % 7) - 3;
      break;
    }
  return values;
}
