//===- CheckAssumptions.cpp - Facts that the code checks ------------------===//
//
// Requires and keeps source.
//
// A program states what the compiler cannot see. Where that does not hold, what it
// does is undefined; on request each statement in a launch is checked in front of
// it by the code that runs, which traps:
//
//     %n = tile.assume_divisible %m by 16   ->   %r = arith.remui %m, %c16
//                                                %ok = arith.cmpi eq, %r, %c0
//                                                tile.assert %ok, ".."
//                                                %n = tile.assume_divisible ..
//     %B = tile.assume %A sizes [1, 8]      ->   tile.assert_facts %A sizes [1, 8]
//                                                %B = tile.assume ..
//
// What the host states, whoever runs the host program checks.
//
//===----------------------------------------------------------------------===//

#include "tile/Dialect/Tile/StageContract.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::tile {
#define GEN_PASS_DEF_CHECKASSUMPTIONS
#include "tile/Transforms/Passes.h.inc"
} // namespace mlir::tile

using namespace mlir;
using namespace mlir::tile;

/// Asserts what `op` states of its operand: the compiler believes the result.
static void assertDivisible(AssumeDivisibleOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Type type = op.getType();
  auto divisor = static_cast<int64_t>(op.getDivisor());
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getIntegerAttr(type, value));
  };
  // Of the numbers of a type zero alone is divisible by what is none of them.
  Value rest = op.getValue();
  if (type.isIndex() || llvm::isIntN(type.getIntOrFloatBitWidth(), divisor))
    rest = arith::RemSIOp::create(builder, loc, rest, constant(divisor));
  Value holds = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                      rest, constant(0));
  AssertOp::create(builder, loc, holds,
                   ("divisible by " + Twine(divisor)).str());
}

static void assertFacts(AssumeOp op) {
  OpBuilder builder(op);
  AssertFactsOp::create(builder, op.getLoc(), op.getSource(), op.getSizesAttr(),
                        op.getStridesAttr(), op.getAlignmentAttr());
}

namespace {
struct CheckAssumptions : tile::impl::CheckAssumptionsBase<CheckAssumptions> {
  void runOnOperation() override {
    auto launches = getLaunches(getOperation(), getArgument());
    if (failed(launches))
      return signalPassFailure();
    for (LaunchOp launch : *launches) {
      launch.getBody().walk(assertDivisible);
      launch.getBody().walk(assertFacts);
    }
  }
};
} // namespace
