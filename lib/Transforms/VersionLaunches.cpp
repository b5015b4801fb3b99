//===- VersionLaunches.cpp - Launches for sizes that have divisors --------===//
//
// Requires logical, keeps logical. What the rows of a memref begin at is a matter of
// its sizes, which only the start of a program knows; whether accesses of 16 bytes are
// possible is decided there, once for a launch:
//
//     if K % 8 != 0 or N % 8 != 0         any of the wanted divisors missing
//       launch @k { body }
//     else
//       assume K % 8 == 0, N % 8 == 0     facts of the launch, see IndexFacts.h
//       launch @k_wide { body }
//
// Two launches rather than two bodies in one: registers, shared memory, warps of
// roles and blocks on a multiprocessor of the wide one are what they were if the
// program had stated the divisors (docs/decisions/0023-sizes-in-versions.md). The
// facts are what the host has assumed in front of the launch; nothing uses their
// values, so no pass between here and outlining may drop what is dead on the host.
//
//===----------------------------------------------------------------------===//

#include "tile/Analysis/AccessedSides.h"
#include "tile/Analysis/Divisors.h"
#include "tile/Analysis/SizeNames.h"
#include "tile/Analysis/WantedDivisors.h"
#include "tile/Dialect/Tile/StageContract.h"
#include "tile/Dialect/Tile/TileDialect.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/InterleavedRange.h"

#define DEBUG_TYPE "tile-version-launches"

namespace mlir::tile {
#define GEN_PASS_DEF_VERSIONLAUNCHES
#include "tile/Transforms/Passes.h.inc"
} // namespace mlir::tile

using namespace mlir;
using namespace mlir::tile;

/// Copies of so many bits an access or fewer are worth another launch: each is an
/// instruction more in a loop of products. Loads and stores of 4 bytes are as wide as
/// the sectors of a warp.
static constexpr int64_t slowCopyBits = 32, slowLoadBits = 16;
/// Where they could be so many times as wide.
static constexpr int64_t leastGain = 4;

//===----------------------------------------------------------------------===//
// Remarks
//===----------------------------------------------------------------------===//

static remark::RemarkOpts getRemark(LaunchOp launch, StringRef name) {
  return remark::RemarkOpts::name(name)
      .category(DEBUG_TYPE)
      .function(launch.getKernel().value_or(""));
}

/// The argument of a function that `memref` is; null for what the host makes.
static BlockArgument getFunctionArgument(Value memref) {
  auto argument = dyn_cast<BlockArgument>(memref);
  bool is = argument && argument.getOwner()->isEntryBlock() &&
            isa<FunctionOpInterface>(argument.getOwner()->getParentOp());
  return is ? argument : BlockArgument();
}

/// 'size 1 ("K") of argument 0'.
static std::string describeSize(const WantedDivisor &wanted) {
  std::string text = "size " + std::to_string(wanted.dim);
  BlockArgument argument = getFunctionArgument(wanted.memref);
  if (!argument)
    return text + " of a memref that the host makes";
  if (StringRef name = getSizeName({wanted.memref, wanted.dim}); !name.empty())
    text += " (\"" + name.str() + "\")";
  return text + " of argument " + std::to_string(argument.getArgNumber());
}

/// What is not known.
static std::string describeLack(const WantedDivisor &wanted) {
  std::string divisor = std::to_string(wanted.divisor);
  if (!wanted.isStrided)
    return describeSize(wanted) + " is not known to be a multiple of " +
           divisor;
  BlockArgument argument = getFunctionArgument(wanted.memref);
  return (argument ? "argument " + std::to_string(argument.getArgNumber())
                   : "a memref that the host makes") +
         ", which has strides of its own, is not known to begin and to have "
         "rows at "
         "multiples of " +
         divisor;
}

/// What a program says so that the divisor is known.
static std::string describeRemedy(const WantedDivisor &wanted) {
  if (wanted.isStrided)
    return "sizes, strides and alignment by tile.assume";
  BlockArgument argument = getFunctionArgument(wanted.memref);
  if (!argument)
    return "tile.assume_divisible of its memref.dim by " +
           std::to_string(wanted.divisor);
  auto function = cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
  auto stated = function.getArgAttrOfType<DenseI64ArrayAttr>(
      argument.getArgNumber(), TileDialect::DivisibleAttrHelper::getNameStr());
  SmallVector<int64_t> divisors(
      cast<MemRefType>(wanted.memref.getType()).getRank(), 1);
  if (stated)
    divisors = llvm::to_vector(stated.asArrayRef());
  divisors[wanted.dim] = joinDivisors(divisors[wanted.dim], wanted.divisor);
  std::string text;
  llvm::raw_string_ostream(text)
      << TileDialect::DivisibleAttrHelper::getNameStr()
      << " = array<i64: " << llvm::interleaved(divisors) << ">";
  return text;
}

/// ', here and in 2 more': of accesses; nothing where there is one.
static std::string describeOthers(const WantedDivisor &wanted) {
  size_t others = wanted.accesses.size() - 1;
  return others == 0 ? "" : ", here and in " + std::to_string(others) + " more";
}

static void reportUnknownDivisor(LaunchOp launch, const WantedDivisor &wanted) {
  const NarrowAccess &first = wanted.accesses.front();
  remark::missed(first.op->getLoc(), getRemark(launch, "UnknownDivisor"))
      << remark::reason(
             "{0} bits in each access instead of {1}{2}: {3}; state {4}",
             first.bits, first.possibleBits, describeOthers(wanted),
             describeLack(wanted), describeRemedy(wanted));
}

//===----------------------------------------------------------------------===//
// Decision
//===----------------------------------------------------------------------===//

/// How many loops are around `op`, those of the host included.
static int64_t getLoopDepth(Operation *op) {
  int64_t depth = 0;
  while ((op = op->getParentOp()))
    depth += isa<LoopLikeOpInterface>(op);
  return depth;
}

static std::string getWideName(StringRef kernel) {
  return kernel.str() + "_wide";
}

/// Whether `op` copies from one memref to another.
static bool isCopy(Operation *op) { return isa<TensorCopyOpInterface>(op); }

static bool isSlow(const NarrowAccess &access) {
  int64_t slowBits = isCopy(access.op) ? slowCopyBits : slowLoadBits;
  return access.bits <= slowBits &&
         access.possibleBits >= leastGain * access.bits;
}

/// Whether a size of that name is tested already: it is the same size.
static bool isImplied(const WantedDivisor &divisor,
                      ArrayRef<WantedDivisor> tested) {
  StringRef name = getSizeName({divisor.memref, divisor.dim});
  return !name.empty() && llvm::any_of(tested, [&](const WantedDivisor &other) {
    return getSizeName({other.memref, other.dim}) == name &&
           other.divisor % divisor.divisor == 0;
  });
}

/// The divisors to test: without them what `launch` does most often is slow. What it
/// does less often may be narrow: each divisor more is asked of the sizes of all.
static SmallVector<WantedDivisor> planVersion(LaunchOp launch,
                                              ArrayRef<WantedDivisor> wanted) {
  int64_t deepest = 0;
  launch.walk([&](Operation *op) {
    if (isCopy(op) || !getAccessedSides(op).empty())
      deepest = std::max(deepest, getLoopDepth(op));
  });
  SmallVector<WantedDivisor> tested;
  // The host program has no strides to compare.
  for (const WantedDivisor &divisor : wanted)
    if (!divisor.isStrided && !isImplied(divisor, tested) &&
        llvm::any_of(divisor.accesses, [&](const NarrowAccess &access) {
          return isSlow(access) && getLoopDepth(access.op) == deepest;
        }))
      tested.push_back(divisor);
  return tested;
}

/// Whether `launch` is one of two that this pass, or the program, has made: beside a
/// launch of the wider name in the other branch.
static bool hasVersion(LaunchOp launch) {
  std::string name = getWideName(launch.getKernel().value_or(""));
  for (Region &branch : launch->getParentOp()->getRegions())
    if (&branch != launch->getParentRegion())
      for (auto other : branch.getOps<LaunchOp>())
        if (other.getKernel().value_or("").starts_with(name))
          return true;
  return false;
}

static int64_t countOperations(LaunchOp launch) {
  int64_t count = 0;
  launch.getBody().walk([&](Operation *) { ++count; });
  return count;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// A name for the second version that no launch has yet; adds it to `taken`.
static std::string nameVersion(StringRef kernel, llvm::StringSet<> &taken) {
  std::string base = getWideName(kernel), name = base;
  for (int64_t number = 0; !taken.insert(name).second; ++number)
    name = base + "_" + std::to_string(number);
  return name;
}

/// The sizes of which something is asked.
static SmallVector<Value> createSizes(OpBuilder &builder, Location loc,
                                      ArrayRef<WantedDivisor> divisors) {
  SmallVector<Value> sizes;
  for (const WantedDivisor &wanted : divisors) {
    Value dim = arith::ConstantIndexOp::create(builder, loc, wanted.dim);
    sizes.push_back(memref::DimOp::create(builder, loc, wanted.memref, dim));
  }
  return sizes;
}

/// Whether one of the sizes is no multiple of its divisor.
static Value createTest(OpBuilder &builder, Location loc, ValueRange sizes,
                        ArrayRef<WantedDivisor> tested) {
  Value rest;
  for (auto [size, wanted] : llvm::zip_equal(sizes, tested)) {
    Value divisor =
        arith::ConstantIndexOp::create(builder, loc, wanted.divisor);
    Value part = arith::RemUIOp::create(builder, loc, size, divisor);
    rest = rest ? arith::OrIOp::create(builder, loc, rest, part) : part;
  }
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, rest,
                               zero);
}

// Pattern: launch @k { body }
//       -> if a size is no multiple { launch @k { body } }
//          else { assume that all are; launch @k_wide { body } }
static void makeVersion(LaunchOp launch, ArrayRef<WantedDivisor> tested,
                        StringRef name) {
  Location loc = launch.getLoc();
  OpBuilder builder(launch);
  SmallVector<Value> sizes = createSizes(builder, loc, tested);
  Value isNarrow = createTest(builder, loc, sizes, tested);
  auto choice =
      scf::IfOp::create(builder, loc, isNarrow, /*withElseRegion=*/true);
  launch->moveBefore(choice.thenYield());
  builder.setInsertionPoint(choice.elseYield());
  for (auto [size, wanted] : llvm::zip_equal(sizes, tested))
    AssumeDivisibleOp::create(builder, loc, size, wanted.divisor);
  LaunchOp copy = launch.clone();
  builder.insert(copy);
  copy.setKernel(name);
}

/// 'size 1 ("K") of argument 0 of 8, ..'.
static std::string describeTest(ArrayRef<WantedDivisor> tested) {
  auto describe = [](const WantedDivisor &divisor) {
    return describeSize(divisor) + " of " + std::to_string(divisor.divisor);
  };
  std::string text;
  llvm::raw_string_ostream(text)
      << llvm::interleaved(llvm::map_range(tested, describe));
  return text;
}

namespace {
struct VersionLaunches : tile::impl::VersionLaunchesBase<VersionLaunches> {
  using VersionLaunchesBase::VersionLaunchesBase;

  void runOnOperation() override {
    auto launches = getLaunches(getOperation(), getArgument());
    if (failed(launches))
      return signalPassFailure();
    llvm::StringSet<> names;
    for (LaunchOp launch : *launches)
      names.insert(launch.getKernel().value_or(""));
    for (LaunchOp launch : *launches) {
      if (hasVersion(launch))
        continue;
      SmallVector<WantedDivisor> wanted = findWantedDivisors(launch);
      for (const WantedDivisor &divisor : wanted)
        reportUnknownDivisor(launch, divisor);
      SmallVector<WantedDivisor> tested = planVersion(launch, wanted);
      if (!tested.empty() && isShort(launch))
        addVersion(launch, tested, names);
    }
  }

  bool isShort(LaunchOp launch) {
    int64_t operations = countOperations(launch);
    if (operations <= maxOperations)
      return true;
    remark::missed(launch.getLoc(), getRemark(launch, "NotVersioned"))
        << remark::reason("{0} operations; launches of up to {1} become two "
                          "where divisors are missing",
                          operations, int64_t(maxOperations));
    return false;
  }

  static void addVersion(LaunchOp launch, ArrayRef<WantedDivisor> tested,
                         llvm::StringSet<> &names) {
    std::string name = nameVersion(launch.getKernel().value_or(""), names);
    remark::passed(launch.getLoc(), getRemark(launch, "Versioned"))
        << remark::add("{0} is started where sizes are multiples: {1}", name,
                       describeTest(tested));
    makeVersion(launch, tested, name);
  }
};
} // namespace
