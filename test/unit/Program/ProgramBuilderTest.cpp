//===- ProgramBuilderTest.cpp - Programs made by C++ ----------------------===//
//
// Every operation of the source language is built, verified and read back from its text;
// what is built is compiled and run.
//
//===----------------------------------------------------------------------===//

#include "tile/Dialect/Tile/ProgramBuilder.h"
#include "tile/Pipeline/Register.h"
#include "tile/Program/Run.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

#include <numeric>

using namespace mlir;
using namespace mlir::tile;

namespace {

class Build : public testing::Test {
protected:
  Build() {
    DialectRegistry registry;
    registerTileDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    module = ModuleOp::create(UnknownLoc::get(&context));
  }

  MemRefType memref(ArrayRef<int64_t> shape, Type element) {
    return MemRefType::get(shape, element);
  }
  std::string print() {
    std::string text;
    llvm::raw_string_ostream(text) << *module;
    return text;
  }
  /// That the module is right, and that its text says all of it.
  void expectRoundTrip() {
    ASSERT_TRUE(succeeded(verify(*module))) << print();
    std::string text = print();
    OwningOpRef<ModuleOp> again = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(again) << text;
    std::string second;
    llvm::raw_string_ostream(second) << *again;
    EXPECT_EQ(text, second);
  }
  void expectText(std::initializer_list<const char *> parts) {
    std::string text = print();
    for (const char *part : parts)
      EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

// C = A * B, f16 operands in two slots, any M and N.
TEST_F(Build, AProductIsRun) {
  ProgramBuilder b(module->getLoc(), module->getBodyRegion());
  constexpr int64_t any = ShapedType::kDynamic, tile = 64, k = 96, step = 32;
  Type half = b.getF16Type(), single = b.getF32Type();
  func::FuncOp function = b.function(
      "gemm",
      {memref({any, k}, half), memref({k, any}, half),
       memref({any, any}, single)},
      [&](ValueRange arguments) {
        Value a = arguments[0], bs = arguments[1], c = arguments[2];
        Value size = b.index(tile);
        Value grid[] = {b.ceilDiv(b.size(c, 1), size),
                        b.ceilDiv(b.size(c, 0), size)};
        b.launch(
            grid, /*threads=*/128,
            [&](ValueRange block) {
              Value row = arith::MulIOp::create(b, block[1], b.index(tile));
              Value column = arith::MulIOp::create(b, block[0], b.index(tile));
              Value left = b.alloc({tile, step}, half);
              Value right = b.alloc({step, tile}, half);
              Value zero = b.splat({tile, tile}, single, 0);
              scf::ForOp loop = b.loop(
                  b.index(0), b.index(k), b.index(step), zero, /*stages=*/2,
                  [&](ValueRange values) -> SmallVector<Value> {
                    b.copy({a, {row, values[0]}}, left);
                    b.copy({bs, {values[0], column}}, right);
                    return {b.gemm(left, right, values[1])};
                  });
              b.store(loop.getResult(0), {c, {row, column}});
            },
            "gemm_kernel");
      });
  setSizeNames(function, 0, {"M", ""});
  setSizeNames(function, 1, {"", "N"});
  setSizeNames(function, 2, {"M", "N"});
  setDivisors(function, 1, {1, 8});
  setAlignment(function, 2, 64);
  expectRoundTrip();
  expectText({"tile.stages = 2", "tile.dims = [\"M\", \"N\"]",
              "tile.divisible = array<i64: 1, 8>", "tile.align = 64",
              "@gemm_kernel"});

  CompileOptions options;
  options.chip = "sm_80";
  FailureOr<CompiledProgram> program = tile::compile(*module, options);
  ASSERT_TRUE(succeeded(program));
  // Ones as f16, and a row of twos.
  constexpr int64_t m = 70, n = 80;
  constexpr uint16_t one = 0x3c00, two = 0x4000;
  std::vector<uint16_t> a(m * k, one), b16(k * n, one);
  std::fill_n(a.begin() + 3 * k, k, two);
  alignas(64) static float c[m * n];
  ASSERT_TRUE(succeeded(tile::run(*program, "gemm",
                                  {HostArgument::array(a.data(), {m, k}),
                                   HostArgument::array(b16.data(), {k, n}),
                                   HostArgument::array(c, {m, n})})));
  for (int64_t i = 0; i < m * n; ++i)
    ASSERT_EQ(c[i], i / n == 3 ? 2 * k : k) << i;
}

TEST_F(Build, Memory) {
  ProgramBuilder b(module->getLoc(), module->getBodyRegion());
  Type single = b.getF32Type(), index = b.getIndexType();
  func::FuncOp function = b.function(
      "memory",
      {memref({100, 64}, single), memref({16}, index),
       memref({1, 8, 8, 16}, b.getF16Type())},
      [&](ValueRange arguments) {
        b.launch(b.index(1), 32, [&](ValueRange) {
          Value zero = b.index(0);
          Value rows = b.load(arguments[1], {16});
          Box box(arguments[0], {zero, zero}, {16, 64});
          box.rows = rows;
          box.inBounds = {false, true};
          Value shared = b.alloc({16, 64}, single);
          Value pad = arith::ConstantOp::create(b, b.getF32FloatAttr(-1));
          b.copy(box, shared, pad);
          Value t = b.load(
              box, {16, 64}, b.getF16Type(),
              arith::ConstantOp::create(b, b.getFloatAttr(b.getF16Type(), 2)));
          b.store(t, {shared, {zero, zero}});
          b.atomicRMW(arith::AtomicRMWKind::addf, b.load(shared, {16, 64}),
                      {arguments[0], {zero, zero}});
          Value patch = b.alloc({16, 16}, b.getF16Type());
          b.im2col(arguments[2], zero, zero, patch, {3, 3}, {1, 1}, {1, 1},
                   {1, 1});
        });
      });
  setMayAlias(function, 0);
  expectRoundTrip();
  expectText({"rows(", "in_bounds [false, true]", "pad(", "tile.atomic_rmw",
              "tile.im2col", "tile.may_alias"});
}

TEST_F(Build, Computation) {
  ProgramBuilder b(module->getLoc(), module->getBodyRegion());
  Type single = b.getF32Type(), word = b.getI32Type();
  b.function(
      "computation", {memref({32, 64}, single)}, [&](ValueRange arguments) {
        b.launch(b.index(1), 32, [&](ValueRange) {
          Value x = b.load(arguments[0], {32, 64});
          Value largest = b.reduce(vector::CombiningKind::MAXIMUMF, x, {1});
          Value sum = b.reduce(vector::CombiningKind::ADD, x, {0, 1}, {},
                               arith::FastMathFlags::reassoc);
          b.print("sum", sum);
          Value numbers =
              b.parallel(
                   {32, 64}, {word},
                   [&](ValueRange at) -> SmallVector<Value> {
                     return {arith::IndexCastOp::create(b, word, at[1])};
                   },
                   /*coalescedWidth=*/4)
                  ->getResult(0);
          // The first of the largest, and its number.
          SmallVector<Value> best = b.reduce(
              {x, numbers}, {1}, [&](ValueRange v) -> SmallVector<Value> {
                Value later = arith::CmpFOp::create(
                    b, arith::CmpFPredicate::OGT, v[2], v[0]);
                return {arith::SelectOp::create(b, later, v[2], v[0]),
                        arith::SelectOp::create(b, later, v[3], v[1])};
              });
          ASSERT_EQ(best.size(), 2u);
          Value running =
              b.scan(vector::CombiningKind::ADD, x, 1, /*reverse=*/true);
          SmallVector<Value> products = b.scan(
              ValueRange{running}, 0, [&](ValueRange v) -> SmallVector<Value> {
                return {arith::MulFOp::create(b, v[0], v[1])};
              });
          Value wide = b.broadcast(largest, {1}, {32, 64});
          Value y = arith::SubFOp::create(b, products[0], wide);
          Value back = b.transpose(b.transpose(y, {1, 0}), {1, 0});
          Value bits = b.bitcast(back, b.getI16Type());
          ASSERT_EQ(cast<RankedTensorType>(bits.getType()).getDimSize(1), 128);
          b.store(b.bitcast(bits, single), arguments[0]);
        });
      });
  expectRoundTrip();
  expectText({"tile.reduce", "tile.scan", "fastmath<reassoc>", "reverse",
              "coalesced_width = 4", "tile.broadcast", "tile.transpose",
              "tile.bitcast", "tile.print \"sum\""});
}

TEST_F(Build, ProductsAndFacts) {
  ProgramBuilder b(module->getLoc(), module->getBodyRegion());
  Type half = b.getF16Type(), byte = Float8E4M3FNType::get(&context);
  Type single = b.getF32Type();
  b.function("products",
             {memref({64, 64}, half), memref({64, 4}, b.getI16Type()),
              memref({64, 64}, byte),
              memref({64, 2}, Float8E8M0FNUType::get(&context)),
              memref({64, 64}, single), b.getIndexType()},
             [&](ValueRange arguments) {
               b.launch(b.index(1), 128, [&](ValueRange) {
                 ProductOptions transposed;
                 transposed.transposeB = true;
                 Value a = b.load(arguments[0], {64, 64});
                 Value d = b.gemm(a, a, single, transposed);
                 Value sparse =
                     b.load({arguments[0], {b.index(0), b.index(0)}}, {64, 32});
                 d = b.gemmSparse(sparse, b.load(arguments[1], {64, 4}), a, d);
                 Value e = b.load(arguments[2], {64, 64});
                 Value scales = b.load(arguments[3], {64, 2});
                 d = b.gemmScaled(e, scales, e, scales, d);
                 Value number = b.assumeDivisible(arguments[5], 8);
                 Value isFew = arith::CmpIOp::create(
                     b, arith::CmpIPredicate::ult, number, b.index(100));
                 b.require(isFew, "few");
                 Value view = b.assume(arguments[4], {8, 8}, {}, 32);
                 b.store(d, view);
               });
             });
  expectRoundTrip();
  expectText({"tile.gemm ", "transpose_b", "tile.gemm_sparse",
              "tile.gemm_scaled", "tile.assume_divisible", "tile.assume ",
              "tile.assert"});
}

} // namespace
