//===- Sums.h - Sums as machines make them ----------------------*- C++ -*-===//
//
// The same terms summed in many orders and precisions, each as some correct
// implementation would, or as a wrong one does.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TEST_UNIT_REFERENCE_SUMS_H
#define TILE_TEST_UNIT_REFERENCE_SUMS_H

#include "tile/Reference/Numerics.h"

#include <random>
#include <vector>

namespace mlir::tile::reference {

enum class Order {
  Forward,
  Backward,
  Pairwise,  ///< a balanced tree
  Strided,   ///< 32 partial sums, as lanes keep them, then a tree
  Shuffled,  ///< random
  Ascending, ///< by magnitude
  SplitK,    ///< four quarters, then their sum
};

constexpr Order allOrders[] = {
    Order::Forward,  Order::Backward,  Order::Pairwise, Order::Strided,
    Order::Shuffled, Order::Ascending, Order::SplitK};

/// Sums with every addition rounded to `accumulator`.
double sum(std::vector<double> terms, Order order, FloatFormat accumulator);

/// Eight terms and the accumulator at once, each cut to `precision` bits below
/// the largest of them, as tensor cores sum.
double sumTruncated(const std::vector<double> &terms, int precision);

enum class Data {
  Normal,
  Positive,
  Constant,     ///< 0.1, whose roundings all fall to one side
  Cancellation, ///< pairs that leave little, and large terms
  Integers,
};

constexpr Data allData[] = {Data::Normal, Data::Positive, Data::Constant,
                            Data::Cancellation, Data::Integers};

std::vector<double> generate(Data data, int64_t count, unsigned seed);

} // namespace mlir::tile::reference

#endif // TILE_TEST_UNIT_REFERENCE_SUMS_H
