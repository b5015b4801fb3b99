//===- ThreadCopy.cpp - How threads make a copy ---------------------------===//

#include "tile/Analysis/ThreadCopy.h"

#include "tile/Analysis/AccessWidth.h"
#include "tile/Dialect/Tile/CopyFacts.h"
#include "tile/Dialect/Tile/TileTypes.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tile;

/// The row for accesses of `accessBits`; `padsZero`: zeros are what is filled in.
static const tilec::CopyInstruction &
chooseRow(MemRefType source, MemRefType dest, int64_t accessBits, bool padsZero,
          tilec::Completion completion) {
  const tilec::CopyInstruction *atOnce = nullptr, *best = nullptr;
  for (const tilec::CopyInstruction &row : tilec::getCopyInstructions()) {
    if (row.issuer != tilec::Issuer::Thread ||
        (row.padding == tilec::Padding::Zero && !padsZero) ||
        findObstacle(row, source, dest, accessBits))
      continue;
    if (row.completion == tilec::Completion::Immediate)
      atOnce = &row;
    if (row.completion == completion && (!best || best->converts))
      best = &row;
  }
  assert(atOnce && "loads and stores copy anything");
  return best ? *best : *atOnce;
}

template <typename Op>
static void setCompletionOf(Op op, bool padsZero,
                            tilec::Completion completion) {
  MemRefType source = op.getSource().getType(), dest = op.getDest().getType();
  int64_t bits = *op.getVectorWidth() * getMemoryBits(source.getElementType());
  op.setInstructionAttr(InstructionAttr::get(
      op.getContext(), chooseRow(source, dest, bits, padsZero, completion)));
}

void tile::setCompletion(Operation *copy, tilec::Completion completion) {
  llvm::TypeSwitch<Operation *>(copy)
      .Case([&](CopyOp op) {
        setCompletionOf(op, isZeroPad(op.getPad()), completion);
      })
      .Case([&](Im2ColOp op) {
        setCompletionOf(op, /*padsZero=*/true, completion);
      });
}

bool tile::passesRegisters(Operation *copy) {
  return llvm::TypeSwitch<Operation *, bool>(copy)
      .Case<CopyOp, Im2ColOp>(
          [](auto op) { return op.getInstructionAttr().getCopy()->converts; })
      .Default(false);
}

int64_t tile::getStoreWidth(IndexFacts &facts, CopyOp copy,
                            const tilec::FragmentLayout &layout) {
  int64_t width =
      getSideWidth(copy.getDest().getType(), *copy.getVectorWidth());
  return std::max(width, getAccessWidth(facts, copy.getDestSide(), layout));
}
