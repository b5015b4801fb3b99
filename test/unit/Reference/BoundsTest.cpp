//===- BoundsTest.cpp - What the bounds let pass and what they catch ------===//
//
// Both halves of docs/Checking.md: results of correct implementations, in every
// order, precision and data, lie within their bounds; a table of wrong ones
// does not. Everything is computed here, in double precision and rounded as the
// machine in question would, from the rounded inputs.
//
//===----------------------------------------------------------------------===//

#include "Program.h"
#include "Sums.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

using namespace mlir::tile::reference;

namespace {

struct Type {
  const char *name;
  FloatFormat format;
};

constexpr Type summedTypes[] = {{"f64", FloatFormat::F64},
                                {"f32", FloatFormat::F32},
                                {"f16", FloatFormat::F16},
                                {"bf16", FloatFormat::BF16}};

std::vector<double> roundAll(std::vector<double> values, FloatFormat format) {
  for (double &value : values)
    value = roundTo(value, format);
  return values;
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

Array reduce(const Type &type, const std::vector<double> &x) {
  std::string text = fill(R"mlir(
    func.func @sum(%x: memref<{N}x{T}>, %y: memref<1x{T}>) {
      %c1 = arith.constant 1 : index
      tile.launch blocks(%b) in (%c1) threads(128) {
        %c0 = arith.constant 0 : index
        %t = tile.load %x[%c0] : memref<{N}x{T}> -> tensor<{N}x{T}>
        %u = tensor.expand_shape %t [[0, 1]] output_shape [1, {N}]
            : tensor<{N}x{T}> into tensor<1x{N}x{T}>
        %s = tile.reduce <add> %u dims [1] : tensor<1x{N}x{T}> -> tensor<1x{T}>
        tile.store %s, %y[%c0] : tensor<1x{T}>, memref<1x{T}>
      }
      return
    })mlir",
                          {{"T", type.name}, {"N", std::to_string(x.size())}});
  return run(text, {x});
}

FloatFormat getAccumulator(FloatFormat format) {
  return format == FloatFormat::F64 ? FloatFormat::F64 : FloatFormat::F32;
}

TEST(Bounds, SumsOfAnyOrderPass) {
  for (const Type &type : summedTypes)
    for (Data data : allData)
      for (int64_t count : {1, 2, 3, 100, 4096, 65536}) {
        auto x = roundAll(generate(data, count, 1), type.format);
        Array expected = reduce(type, x);
        for (Order order : allOrders) {
          double total =
              roundTo(sum(x, order, getAccumulator(type.format)), type.format);
          EXPECT_EQ(judge({total}, expected).different, 0)
              << type.name << ", " << count << " terms, data "
              << static_cast<int>(data) << ", order " << static_cast<int>(order)
              << ": " << total << " for " << expected.getDouble(0) << " within "
              << expected.getBound(0);
        }
      }
}

TEST(Bounds, SumsWithoutATermAreCaught) {
  for (const Type &type : summedTypes)
    for (Data data : allData) {
      auto x = roundAll(generate(data, 256, 2), type.format);
      Array expected = reduce(type, x);
      auto largest =
          std::max_element(x.begin(), x.end(), [](double a, double b) {
            return std::fabs(a) < std::fabs(b);
          });
      std::vector<double> rest = x;
      rest.erase(rest.begin() + (largest - x.begin()));
      double total = roundTo(
          sum(rest, Order::Forward, getAccumulator(type.format)), type.format);
      double exact = sum(x, Order::Forward, FloatFormat::F64);
      // A term of less than half a unit of the result leaves no trace.
      if (roundTo(exact - *largest, type.format) == roundTo(exact, type.format))
        continue;
      EXPECT_FALSE(judge({total}, expected).isEqual)
          << type.name << ", data " << static_cast<int>(data);
      EXPECT_FALSE(judge({0.0}, expected).isEqual) << type.name;
    }
}

TEST(Bounds, SumsOfIntegersAreExact) {
  for (const Type &type : summedTypes) {
    auto x = generate(Data::Integers, 4096, 3);
    Array expected = reduce(type, x);
    EXPECT_EQ(getMagnitudeBound(expected.getBound(0)), 0.0) << type.name;
  }
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

struct ProductType {
  const char *a, *b, *d, *attributes;
  FloatFormat formatA, formatB, formatD;
  FloatFormat accumulator;
};

constexpr ProductType productTypes[] = {
    {"f16", "f16", "f32", "", FloatFormat::F16, FloatFormat::F16,
     FloatFormat::F32, FloatFormat::F32},
    {"f16", "f16", "f16", "", FloatFormat::F16, FloatFormat::F16,
     FloatFormat::F16, FloatFormat::F16},
    {"bf16", "bf16", "f32", "", FloatFormat::BF16, FloatFormat::BF16,
     FloatFormat::F32, FloatFormat::F32},
    {"f32", "f32", "f32", "{precision = #tile.precision<tf32>}",
     FloatFormat::TF32, FloatFormat::TF32, FloatFormat::F32, FloatFormat::F32},
    {"f32", "f32", "f32", "", FloatFormat::F32, FloatFormat::F32,
     FloatFormat::F32, FloatFormat::F32},
    {"f8E4M3FN", "f8E5M2", "f32", "", FloatFormat::F8E4M3FN,
     FloatFormat::F8E5M2, FloatFormat::F32, FloatFormat::F32},
    {"f64", "f64", "f64", "", FloatFormat::F64, FloatFormat::F64,
     FloatFormat::F64, FloatFormat::F64},
};

/// `edge` x K times K x `edge`.
Array multiply(const ProductType &type, int64_t edge, int64_t K,
               const std::vector<double> &a, const std::vector<double> &b,
               Accumulation accumulation) {
  std::string text = fill(R"mlir(
    func.func @product(%a: memref<{E}x{K}x{A}>, %b: memref<{K}x{E}x{B}>,
                       %d: memref<{E}x{E}x{D}>) {
      %c1 = arith.constant 1 : index
      tile.launch blocks(%x) in (%c1) threads(32) {
        %p = tile.load %a : memref<{E}x{K}x{A}> -> tensor<{E}x{K}x{A}>
        %q = tile.load %b : memref<{K}x{E}x{B}> -> tensor<{K}x{E}x{B}>
        %r = tile.gemm %p, %q {ATTRIBUTES}
            : tensor<{E}x{K}x{A}>, tensor<{K}x{E}x{B}> -> tensor<{E}x{E}x{D}>
        tile.store %r, %d : tensor<{E}x{E}x{D}>, memref<{E}x{E}x{D}>
      }
      return
    })mlir",
                          {{"A", type.a},
                           {"B", type.b},
                           {"D", type.d},
                           {"ATTRIBUTES", type.attributes},
                           {"E", std::to_string(edge)},
                           {"K", std::to_string(K)}});
  return run(text, {a, b}, accumulation);
}

struct Product {
  const ProductType &type;
  int64_t K, edge;
  std::vector<double> a, b;
  Array expected;

  Product(const ProductType &type, int64_t K, Data data,
          Accumulation accumulation = Accumulation::Single, int64_t edge = 32)
      : type(type), K(K), edge(edge),
        a(roundAll(generate(data, edge * K, 4), type.formatA)),
        b(roundAll(generate(data, edge * K, 5), type.formatB)),
        expected(multiply(type, edge, K, a, b, accumulation)) {}

  std::vector<double> getTerms(int64_t row, int64_t column) const {
    std::vector<double> terms(K);
    for (int64_t k = 0; k < K; ++k)
      terms[k] = a[row * K + k] * b[k * edge + column];
    return terms;
  }

  /// The first `count` elements, or all, by `getElement(terms)`, rounded; the
  /// others as expected.
  template <typename Function>
  std::vector<double> compute(Function getElement, int64_t count = -1) const {
    std::vector<double> result(edge * edge);
    for (int64_t i = 0; i < edge * edge; ++i)
      result[i] = expected.getDouble(i);
    for (int64_t i = 0; i < (count < 0 ? edge * edge : count); ++i)
      result[i] =
          roundTo(getElement(getTerms(i / edge, i % edge)), type.formatD);
    return result;
  }

  std::string describe(Data data) const {
    return std::string(type.a) + " x " + type.b + " to " + type.d + " " +
           type.attributes + ", K = " + std::to_string(K) + ", data " +
           std::to_string(static_cast<int>(data));
  }
};

/// An f16 accumulator is past use for long sums: the check says so.
bool isCheckable(const ProductType &type, int64_t K) {
  return type.accumulator != FloatFormat::F16 || K <= 64;
}

TEST(Bounds, ProductsOfAnyOrderPass) {
  for (const ProductType &type : productTypes)
    for (Data data : allData)
      for (int64_t K : {32, 512}) {
        if (!isCheckable(type, K))
          continue;
        Product product(type, K, data);
        for (Order order : allOrders) {
          auto actual = product.compute(
              [&](std::vector<double> terms) {
                return sum(std::move(terms), order, type.accumulator);
              },
              /*count=*/64);
          EXPECT_EQ(judge(actual, product.expected).different, 0)
              << product.describe(data) << ", order "
              << static_cast<int>(order);
        }
      }
}

TEST(Bounds, LongProductsOfAnyOrderPass) {
  constexpr int64_t K = 65536;
  for (const ProductType &type : productTypes)
    for (Data data : {Data::Normal, Data::Constant}) {
      if (!isCheckable(type, K))
        continue;
      Product product(type, K, data, Accumulation::Single, /*edge=*/16);
      for (Order order : {Order::Forward, Order::Shuffled, Order::SplitK}) {
        auto actual = product.compute(
            [&](std::vector<double> terms) {
              return sum(std::move(terms), order, type.accumulator);
            },
            /*count=*/4);
        EXPECT_EQ(judge(actual, product.expected).different, 0)
            << product.describe(data) << ", order " << static_cast<int>(order);
      }
    }
}

/// Tensor cores cut terms instead of rounding sums, and of 8-bit floats keep 14
/// bits.
TEST(Bounds, AccumulationOfTensorCoresPasses) {
  for (const ProductType &type : productTypes)
    for (Data data : allData) {
      bool isChain =
          type.formatA == FloatFormat::F32 || type.formatA == FloatFormat::F64;
      if (isChain)
        continue;
      int64_t K = isCheckable(type, 512) ? 512 : 64;
      bool isNarrow = type.formatA == FloatFormat::F8E4M3FN;
      int precision = isNarrow ? 14 : getPrecision(type.accumulator);
      Product product(type, K, data, Accumulation::TensorCores);
      auto actual = product.compute([&](const std::vector<double> &terms) {
        return sumTruncated(terms, precision);
      });
      EXPECT_EQ(judge(actual, product.expected).different, 0)
          << product.describe(data);
    }
}

TEST(Bounds, ProductsWithoutAStepAreCaught) {
  for (const ProductType &type : productTypes)
    for (Data data : allData) {
      Product product(type, isCheckable(type, 512) ? 512 : 64, data);
      auto actual = product.compute([&](std::vector<double> terms) {
        terms.erase(terms.begin() + 16, terms.begin() + 32);
        return sum(std::move(terms), Order::Forward, type.accumulator);
      });
      EXPECT_FALSE(judge(actual, product.expected).isEqual)
          << product.describe(data);
      std::vector<double> zeros(product.expected.count, 0.0);
      EXPECT_FALSE(judge(zeros, product.expected).isEqual)
          << product.describe(data);
      // One stale row of the tile: what the step before had left there.
      auto stale = product.compute([&](std::vector<double> terms) {
        return sum(std::move(terms), Order::Forward, type.accumulator);
      });
      EXPECT_EQ(judge(stale, product.expected).different, 0);
      std::copy(actual.begin(), actual.begin() + product.edge, stale.begin());
      EXPECT_FALSE(judge(stale, product.expected).isEqual)
          << product.describe(data);
    }
}

TEST(Bounds, NarrowAccumulationIsCaught) {
  for (Data data : {Data::Normal, Data::Positive, Data::Constant}) {
    Product product(productTypes[0], 4096, data);
    // As mma with an f16 accumulator: exact steps of 16, each rounded.
    auto actual = product.compute([&](const std::vector<double> &terms) {
      double total = 0;
      for (size_t k = 0; k < terms.size(); k += 16) {
        for (size_t i = k; i < k + 16; ++i)
          total += terms[i];
        total = roundTo(total, FloatFormat::F16);
      }
      return total;
    });
    EXPECT_FALSE(judge(actual, product.expected).isEqual)
        << product.describe(data);
  }
}

//===----------------------------------------------------------------------===//
// Moves and conversions
//===----------------------------------------------------------------------===//

Array convertElements(const char *from, const char *to,
                      const std::vector<double> &x) {
  std::string text =
      fill(R"mlir(
    func.func @move(%x: memref<{N}x{A}>, %y: memref<{N}x{B}>) {
      %c1 = arith.constant 1 : index
      tile.launch blocks(%b) in (%c1) threads(32) {
        %t = tile.load %x : memref<{N}x{A}> -> tensor<{N}x{B}>
        tile.store %t, %y : tensor<{N}x{B}>, memref<{N}x{B}>
      }
      return
    })mlir",
           {{"A", from}, {"B", to}, {"N", std::to_string(x.size())}});
  return run(text, {x});
}

TEST(Bounds, MovesAreExact) {
  for (const char *type : {"f64", "f32", "f16", "bf16", "f8E4M3FN", "f8E5M2",
                           "i8", "i16", "i32", "i64", "i1"}) {
    std::vector<double> x(256);
    for (int64_t i = 0; i < 256; ++i)
      x[i] = static_cast<double>((i & 1) ? 1 : 0);
    x[0] = 1;
    Array expected = convertElements(type, type, x);
    std::vector<double> actual(256), swapped;
    for (int64_t i = 0; i < 256; ++i)
      actual[i] = expected.getDouble(i);
    EXPECT_EQ(judge(actual, expected).different, 0) << type;
    swapped = actual;
    std::swap(swapped[100], swapped[101]);
    EXPECT_EQ(judge(swapped, expected).different, 2) << type;
    std::vector<double> zeros(256, 0.0);
    EXPECT_GT(judge(zeros, expected).different, 100) << type;
  }
}

/// A copy beside one large element, which hides nothing.
TEST(Bounds, LargeElementsHideNothing) {
  std::vector<double> x(64, 1.0);
  x[0] = 60000;
  Array expected = convertElements("f16", "f16", x);
  std::vector<double> actual(64, 0.0);
  actual[0] = 60000;
  EXPECT_EQ(judge(actual, expected).different, 63);
}

/// Row 0 truncates a sum that lies at a step, so that 99 and 100 are both right;
/// row 1 is exact, and so is what follows from it.
TEST(Bounds, ExactElementsBesideOpenOnesStayExact) {
  std::vector<double> x(2000, -1.0);
  std::fill_n(x.begin(), 1000, 0.1);
  for (const char *operation :
       {"arith.addi", "arith.muli", "arith.divsi", "arith.divui",
        "arith.ceildivsi", "arith.remsi", "arith.shrsi", "arith.shrui",
        "arith.shli", "arith.andi", "arith.ori", "arith.xori", "arith.maxui"}) {
    std::string text = fill(
        R"mlir(func.func @f(%x: memref<2x1000xf32>, %y: memref<2xi32>) {
      %c1 = arith.constant 1 : index
      tile.launch blocks(%b) in (%c1) threads(32) {
        %three = arith.constant dense<3> : tensor<2xi32>
        %t = tile.load %x : memref<2x1000xf32> -> tensor<2x1000xf32>
        %s = tile.reduce <add> %t dims [1] : tensor<2x1000xf32> -> tensor<2xf32>
        %i = arith.fptosi %s : tensor<2xf32> to tensor<2xi32>
        %r = {OP} %i, %three : tensor<2xi32>
        tile.store %r, %y : tensor<2xi32>, memref<2xi32>
      }
      return
    })mlir",
        {{"OP", operation}});
    Array result = run(text, {x});
    EXPECT_GT(result.getBound(0), 0.0) << operation;
    EXPECT_EQ(result.getBound(1), 0.0) << operation;
  }
}

/// Row 1 cancels, so that either branch is right there; on the way that is not
/// taken another row is written. Rows 0 and 3 have nothing to do with it.
TEST(Bounds, DecisionsOpenWhatFollowsFromThem) {
  std::vector<double> x(4 * 1000, 0.1);
  for (int64_t i = 1000; i < 2000; ++i)
    x[i] = i % 2 ? 0.1 : -0.1;
  Array result = run(R"mlir(
    func.func @f(%x: memref<4x1000xf32>, %y: memref<4x1000xf32>) {
      %c4 = arith.constant 4 : index
      tile.launch blocks(%b) in (%c4) threads(32) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %zero = arith.constant -0.001 : f32
        %t = tile.load %x[%b, %c0] [1, 1000]
            : memref<4x1000xf32> -> tensor<1000xf32>
        %s = tile.reduce <add> %t dims [0] : tensor<1000xf32> -> tensor<f32>
        %v = tensor.extract %s[] : tensor<f32>
        %p = arith.cmpf ogt, %v, %zero : f32
        scf.if %p {
          tile.store %t, %y[%b, %c0] [1, 1000]
              : tensor<1000xf32>, memref<4x1000xf32>
        } else {
          %next = arith.addi %b, %c1 : index
          tile.store %t, %y[%next, %c0] [1, 1000]
              : tensor<1000xf32>, memref<4x1000xf32>
        }
      }
      return
    })mlir",
                     {x});
  EXPECT_EQ(result.getBound(0), 0.0);
  EXPECT_TRUE(std::isinf(result.getBound(1000)));
  EXPECT_EQ(result.getBound(3000), 0.0);
}

/// Where an open branch writes is found once for each value, however often the
/// value is used on the way: 60 doublings are 60 steps.
TEST(Bounds, PlacesInOpenBranchesAreFoundOnce) {
  std::string doublings;
  for (int k = 0; k < 60; ++k)
    doublings +=
        fill("%i{TO} = arith.addi %i{FROM}, %i{FROM} : index\n",
             {{"TO", std::to_string(k + 1)}, {"FROM", std::to_string(k)}});
  std::vector<double> x(1000, 0.1);
  for (int64_t i = 1; i < 1000; i += 2)
    x[i] = -0.1;
  Array result = run(fill(R"mlir(
    func.func @f(%x: memref<1000xf32>, %y: memref<1000xf32>) {
      %c1 = arith.constant 1 : index
      tile.launch blocks(%b) in (%c1) threads(32) {
        %zero = arith.constant 0.0 : f32
        %t = tile.load %x : memref<1000xf32> -> tensor<1000xf32>
        %s = tile.reduce <add> %t dims [0] : tensor<1000xf32> -> tensor<f32>
        %v = tensor.extract %s[] : tensor<f32>
        %p = arith.cmpf ogt, %v, %zero : f32
        scf.if %p {
          %i0 = arith.constant 0 : index
          {DOUBLINGS}
          tile.store %t, %y[%i60] [1000]
              : tensor<1000xf32>, memref<1000xf32>
        }
      }
      return
    })mlir",
                          {{"DOUBLINGS", doublings}}),
                     {x});
  EXPECT_TRUE(std::isinf(result.getBound(0)));
}

/// As the first maximum of an online softmax: an exact factor beside an infinity
/// adds no error, whatever the term that is added.
TEST(Bounds, ExactProductsOfInfinitiesAreCertain) {
  Array result = run(R"mlir(
    func.func @f(%x: memref<1000xf32>, %y: memref<1xf32>) {
      %c1 = arith.constant 1 : index
      tile.launch blocks(%b) in (%c1) threads(32) {
        %low = arith.constant dense<0xFF800000> : tensor<1xf32>
        %scale = arith.constant dense<2.0> : tensor<1xf32>
        %t = tile.load %x : memref<1000xf32> -> tensor<1000xf32>
        %s = tile.reduce <add> %t dims [0] : tensor<1000xf32> -> tensor<f32>
        %v = tile.broadcast %s dims [0] : tensor<f32> -> tensor<1xf32>
        %r = math.fma %low, %scale, %v : tensor<1xf32>
        tile.store %r, %y : tensor<1xf32>, memref<1xf32>
      }
      return
    })mlir",
                     {std::vector<double>(1000, 0.1)});
  EXPECT_TRUE(std::isinf(result.getDouble(0)));
  EXPECT_EQ(result.getBound(0), 0.0);
}

TEST(Bounds, WrongRoundingIsCaught) {
  auto x = roundAll(generate(Data::Normal, 256, 6), FloatFormat::F32);
  for (const Type &type :
       {Type{"f16", FloatFormat::F16}, Type{"bf16", FloatFormat::BF16},
        Type{"f8E4M3FN", FloatFormat::F8E4M3FN},
        Type{"f8E5M2", FloatFormat::F8E5M2}}) {
    Array expected = convertElements("f32", type.name, x);
    std::vector<double> nearest(256), towardsZero(256);
    for (int64_t i = 0; i < 256; ++i) {
      nearest[i] = towardsZero[i] = roundTo(x[i], type.format);
      if (std::fabs(nearest[i]) > std::fabs(x[i])) {
        uint64_t bits = encode(nearest[i], type.format);
        towardsZero[i] = decode(bits - 1, type.format);
      }
    }
    EXPECT_EQ(judge(nearest, expected).different, 0) << type.name;
    EXPECT_GT(judge(towardsZero, expected).different, 64) << type.name;
  }
}

} // namespace
