//===- PredicateCopies.cpp - Guards of copies become predicates -----------===//
//
// A branch around copies ends the block of instructions that ptxas schedules, so
// that everything behind it waits for the copies to be issued:
//
//     scf.if %exists { cp.async %s, %g }   ->   @%exists cp.async %s, %g
//
// What computes the addresses is executed in any case. Such a copy, and one in a loop,
// that brings all of its bytes or zeros is told by a predicate which, not by a size.
// Upstream's operation has neither predicates nor a hint for L2, so that the instruction
// is written as assembly.
//
// So are all copies in loops: LLVM takes each place that upstream's operation names for
// an address of its own, and computed 4 of 8 anew in each iteration. A pointer to global
// memory is moved to where the most copies are within reach of its immediates
// (CopyAddresses.h), of which neither LLVM nor ptxas takes notice.
//
//===----------------------------------------------------------------------===//

#include "../PointerParts.h"

#include "tile/Conversion/Passes.h"
#include "tile/Hardware/CopyAddresses.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

namespace mlir::tile {
#define GEN_PASS_DEF_PREDICATECOPIES
#include "tile/Conversion/Passes.h.inc"
} // namespace mlir::tile

using namespace mlir;
using namespace mlir::tile;

/// Copies that a thread skips by predicate at most: each is issued all the same.
static constexpr int64_t maxCopies = 64;

static std::optional<int64_t> countCopies(Block &block);

/// How many copies stand under a condition that does nothing else.
static std::optional<int64_t> countGuarded(scf::IfOp guard) {
  bool isAlone = guard->getNumResults() == 0 && !guard.elseBlock();
  return isAlone ? countCopies(*guard.thenBlock()) : std::nullopt;
}

/// How many copies `block` holds, if it does nothing else that is seen outside.
static std::optional<int64_t> countCopies(Block &block) {
  int64_t copies = 0;
  for (Operation &op : block.without_terminator()) {
    using Count = std::optional<int64_t>;
    auto own = llvm::TypeSwitch<Operation *, Count>(&op)
                   .Case([](NVVM::CpAsyncOp) { return 1; })
                   .Case(countGuarded)
                   .Default([](Operation *other) {
                     bool isFree = isPure(other) && other->getNumRegions() == 0;
                     return isFree ? Count(0) : std::nullopt;
                   });
    if (!own)
      return std::nullopt;
    copies += *own;
  }
  return copies;
}

namespace {
/// Writes copies as assembly.
class CopyEmitter {
public:
  CopyEmitter(IRRewriter &rewriter, int64_t prefetchBytes)
      : rewriter(rewriter),
        hint(prefetchBytes == 0
                 ? ""
                 : llvm::formatv(".L2::{0}B", prefetchBytes).str()) {}
  /// Looks from where all copies of a kernel are reached.
  void chooseOrigins(Operation *kernel);
  void emit(NVVM::CpAsyncOp copy, Value predicate);
  void flatten(Block &block, Value predicate, Operation *place);

private:
  IRRewriter &rewriter;
  std::string hint;
  /// By the pointer from which places in global memory differ by constants: where
  /// another had better point, in bytes.
  llvm::DenseMap<Value, int64_t> origins;
};
} // namespace

/// The condition under which `copy` brings its bytes and not zeros, where its size says
/// just that; else null.
static Value getCondition(NVVM::CpAsyncOp copy) {
  auto size = copy.getCpSize()
                  ? copy.getCpSize().getDefiningOp<arith::SelectOp>()
                  : arith::SelectOp();
  bool isAll = size && getConstantIntValue(size.getTrueValue()) ==
                           std::optional<int64_t>(copy.getSize());
  return isAll && matchPattern(size.getFalseValue(), m_Zero())
             ? size.getCondition()
             : Value();
}

void CopyEmitter::chooseOrigins(Operation *kernel) {
  llvm::DenseMap<Value, std::vector<int64_t>> offsets;
  kernel->walk([&](NVVM::CpAsyncOp copy) {
    auto [base, bytes] = splitPointer(copy.getSrc());
    offsets[base].push_back(bytes);
  });
  for (const auto &[base, bytes] : offsets)
    origins[base] = tilec::chooseCopyOrigin(bytes).bytes;
}

/// Writes `copy`, under `predicate` if there is one, at the insertion point.
void CopyEmitter::emit(NVVM::CpAsyncOp copy, Value predicate) {
  SmallVector<Value> operands;
  std::string constraints;
  auto add = [&](Value value, StringRef constraint) {
    operands.push_back(value);
    constraints += (constraints.empty() ? "" : ",") + constraint.str();
    return llvm::formatv("${0}", operands.size() - 1).str();
  };
  auto addAddress = [&](Value pointer) {
    auto [base, bytes] = splitPointer(pointer);
    if (int64_t origin = origins.lookup(base)) {
      base = LLVM::GEPOp::create(rewriter, copy.getLoc(), base.getType(),
                                 rewriter.getI8Type(), base,
                                 ArrayRef<LLVM::GEPArg>(origin));
      bytes -= origin;
    }
    return llvm::formatv("[{0}+{1}]", add(base, "l"), bytes).str();
  };
  std::string guard, size;
  if (predicate)
    guard = "@" + add(predicate, "b") + " ";
  std::string dest = addAddress(copy.getDst());
  std::string source = addAddress(copy.getSrc());
  if (Value condition = getCondition(copy))
    size = ", !" + add(condition, "b");
  else if (Value bytes = copy.getCpSize())
    size = ", " + add(bytes, "r");
  std::string text =
      llvm::formatv("{0}cp.async.{1}.shared.global{2} {3}, {4}, {5}{6};", guard,
                    NVVM::stringifyLoadCacheModifierKind(copy.getModifier()),
                    hint, dest, source, copy.getSize(), size);
  LLVM::InlineAsmOp::create(rewriter, copy.getLoc(), TypeRange(), operands,
                            text, constraints,
                            /*has_side_effects=*/true, /*is_align_stack=*/false,
                            LLVM::tailcallkind::TailCallKind::None,
                            /*asm_dialect=*/LLVM::AsmDialectAttr(),
                            /*operand_attrs=*/ArrayAttr());
}

/// Moves what stands under `predicate` in front of `place`.
void CopyEmitter::flatten(Block &block, Value predicate, Operation *place) {
  for (Operation &op : llvm::make_early_inc_range(block.without_terminator())) {
    rewriter.setInsertionPoint(place);
    llvm::TypeSwitch<Operation *>(&op)
        .Case([&](NVVM::CpAsyncOp copy) { emit(copy, predicate); })
        .Case([&](scf::IfOp guard) {
          Value both = arith::AndIOp::create(rewriter, guard.getLoc(),
                                             predicate, guard.getCondition());
          flatten(*guard.thenBlock(), both, place);
        })
        .Default(
            [&](Operation *other) { rewriter.moveOpBefore(other, place); });
  }
}

namespace {
struct PredicateCopies final
    : tile::impl::PredicateCopiesBase<PredicateCopies> {
  using PredicateCopiesBase::PredicateCopiesBase;

  void runOnOperation() override {
    int64_t bytes = prefetchBytes;
    if (!llvm::is_contained({0, 64, 128, 256}, bytes)) {
      getOperation().emitError("prefetch-bytes of ")
          << bytes
          << ": an asynchronous copy brings 64, 128 or 256 bytes to L2, "
          << "or with 0 its own alone";
      return signalPassFailure();
    }
    IRRewriter rewriter(&getContext());
    CopyEmitter emitter(rewriter, bytes);
    SmallVector<scf::IfOp> guards;
    getOperation()->walk<WalkOrder::PreOrder>([&](scf::IfOp guard) {
      std::optional<int64_t> copies = countGuarded(guard);
      if (!copies || *copies == 0 || *copies > maxCopies)
        return WalkResult::advance();
      guards.push_back(guard);
      return WalkResult::skip();
    });
    emitter.chooseOrigins(getOperation());
    for (scf::IfOp guard : guards) {
      emitter.flatten(*guard.thenBlock(), guard.getCondition(), guard);
      rewriter.eraseOp(guard);
    }
    SmallVector<NVVM::CpAsyncOp> unguarded;
    getOperation()->walk([&](NVVM::CpAsyncOp copy) {
      if (bytes != 0 || copy->getParentOfType<LoopLikeOpInterface>())
        unguarded.push_back(copy);
    });
    for (NVVM::CpAsyncOp copy : unguarded) {
      rewriter.setInsertionPoint(copy);
      emitter.emit(copy, Value());
      rewriter.eraseOp(copy);
    }
    if (guards.empty() && unguarded.empty())
      markAllAnalysesPreserved();
  }
};
} // namespace
