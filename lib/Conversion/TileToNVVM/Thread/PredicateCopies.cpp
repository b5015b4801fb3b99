//===- PredicateCopies.cpp - Guards of copies become predicates -----------===//
//
// A branch around copies ends the block of instructions that ptxas schedules, so
// that everything behind it waits for the copies to be issued:
//
//     scf.if %exists { cp.async %s, %g }   ->   @%exists cp.async %s, %g
//
// What computes the addresses is executed in any case. Upstream's operation has no
// predicate, so that the instruction is written as assembly.
//
//===----------------------------------------------------------------------===//

#include "tile/Conversion/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

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

/// A pointer as a base and a number of bytes, which an address in PTX adds.
static std::pair<Value, int64_t> splitPointer(Value pointer) {
  auto gep = pointer.getDefiningOp<LLVM::GEPOp>();
  bool isConstant = gep && gep.getDynamicIndices().empty() &&
                    gep.getRawConstantIndices().size() == 1 &&
                    gep.getElemType().isInteger(8);
  if (!isConstant)
    return {pointer, 0};
  auto [base, bytes] = splitPointer(gep.getBase());
  return {base, bytes + gep.getRawConstantIndices().front()};
}

static void emitPredicated(NVVM::CpAsyncOp copy, Value predicate,
                           IRRewriter &rewriter) {
  auto [dest, destBytes] = splitPointer(copy.getDst());
  auto [source, sourceBytes] = splitPointer(copy.getSrc());
  SmallVector<Value> operands = {predicate, dest, source};
  std::string size;
  if (Value bytes = copy.getCpSize()) {
    operands.push_back(bytes);
    size = ", $3";
  }
  std::string text = llvm::formatv(
      "@$0 cp.async.{0}.shared.global [$1+{1}], [$2+{2}], {3}{4};",
      NVVM::stringifyLoadCacheModifierKind(copy.getModifier()), destBytes,
      sourceBytes, copy.getSize(), size);
  LLVM::InlineAsmOp::create(rewriter, copy.getLoc(), TypeRange(), operands,
                            text, size.empty() ? "b,l,l" : "b,l,l,r",
                            /*has_side_effects=*/true, /*is_align_stack=*/false,
                            LLVM::tailcallkind::TailCallKind::None,
                            /*asm_dialect=*/LLVM::AsmDialectAttr(),
                            /*operand_attrs=*/ArrayAttr());
}

/// Moves what stands under `predicate` in front of `place`.
static void flatten(Block &block, Value predicate, Operation *place,
                    IRRewriter &rewriter) {
  for (Operation &op : llvm::make_early_inc_range(block.without_terminator())) {
    rewriter.setInsertionPoint(place);
    llvm::TypeSwitch<Operation *>(&op)
        .Case([&](NVVM::CpAsyncOp copy) {
          emitPredicated(copy, predicate, rewriter);
        })
        .Case([&](scf::IfOp guard) {
          Value both = arith::AndIOp::create(rewriter, guard.getLoc(),
                                             predicate, guard.getCondition());
          flatten(*guard.thenBlock(), both, place, rewriter);
        })
        .Default(
            [&](Operation *other) { rewriter.moveOpBefore(other, place); });
  }
}

namespace {
struct PredicateCopies final
    : tile::impl::PredicateCopiesBase<PredicateCopies> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<scf::IfOp> guards;
    getOperation()->walk<WalkOrder::PreOrder>([&](scf::IfOp guard) {
      std::optional<int64_t> copies = countGuarded(guard);
      if (!copies || *copies == 0 || *copies > maxCopies)
        return WalkResult::advance();
      guards.push_back(guard);
      return WalkResult::skip();
    });
    if (guards.empty())
      return markAllAnalysesPreserved();
    for (scf::IfOp guard : guards) {
      flatten(*guard.thenBlock(), guard.getCondition(), guard, rewriter);
      rewriter.eraseOp(guard);
    }
  }
};
} // namespace
