//===- LayoutPlan.h - The layouts of a launch, decided ----------*- C++ -*-===//
//
// The decision of layout inference as plain data: computed without touching the
// IR, applied in one walk. `planLayouts` works in three strengths of anchor:
//
//   strict   what the user fixed, and the results of gemms
//   implied  what follows from a known layout along the graph's edges
//   free     the largest class still open gets a default from its memory
//            accesses (vectorised along the contiguous dimension, coalesced,
//            spread over all threads); then what it implies, and so on
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_INFERLAYOUTS_LAYOUTPLAN_H
#define TILE_TRANSFORMS_INFERLAYOUTS_LAYOUTPLAN_H

#include "LayoutGraph.h"

#include "tile/Analysis/GemmLayout.h"
#include "tile/Analysis/IndexFacts.h"
#include "tile/Hardware/GpuTarget.h"

namespace mlir::tile {

/// How a copy is carried out: which thread moves which elements, how many in
/// one access, with which instruction.
struct CopyPlan {
  tilec::FragmentLayout layout;
  int64_t vectorWidth;
  StringRef instruction;
};

/// An instruction and its spread over warps, or multiply-adds by single threads
/// (`plan.atom` null).
struct GemmChoice {
  GemmPlan plan;
  StringRef instruction;
};

struct LayoutPlan {
  /// The layout of every node's value as its users see it, by node.
  std::vector<tilec::FragmentLayout> nodes;
  /// Results whose operation gives another layout than users see.
  llvm::DenseMap<Value, tilec::FragmentLayout> produced;
  /// Operands that must be converted first, in program order.
  SmallVector<std::pair<OpOperand *, tilec::FragmentLayout>> conversions;
  llvm::DenseMap<Operation *, GemmChoice> gemms;
  llvm::DenseMap<Operation *, CopyPlan> copies;
  llvm::DenseMap<Operation *, tilec::SharedLayout> buffers;
};

/// What the plan is made for.
struct LayoutContext {
  LaunchOp launch;
  const tilec::GpuTarget &target;
  IndexFacts &facts;
  int64_t lanes() const { return target.warpSize; }
  int64_t warps() { return launch.getThreads() / target.warpSize; }
};

/// Decides everything; fails with a located error where an operation has no
/// implementation on the target.
FailureOr<LayoutPlan> planLayouts(LayoutContext &context, LayoutGraph &graph);

// Parts of the decision ------------------------------------------------------

/// The instruction and warp grid of a gemm (ChooseGemm.cpp).
FailureOr<GemmChoice> chooseGemm(LayoutContext &context, GemmOp gemm);

/// Widens f8 operands to f16 where the chip has no instruction for them, with a
/// remark (WidenGemm.cpp). Comes before the graph is built.
void widenGemms(LaunchOp launch, const tilec::GpuTarget &target);

/// The layout of every `tile.alloc` (ChooseMemory.cpp).
LogicalResult chooseBuffers(LayoutContext &context, LayoutPlan &plan);

/// How a copy runs once buffers have layouts (ChooseMemory.cpp).
CopyPlan chooseCopy(LayoutContext &context, CopyOp copy);

/// The same for `tile.im2col` (ChooseMemory.cpp).
CopyPlan chooseIm2Col(LayoutContext &context, Im2ColOp op);

/// The default layout of a class from the accesses of its members
/// (ChooseDefault.cpp).
tilec::FragmentLayout chooseDefault(LayoutContext &context,
                                    const LayoutGraph &graph, int classId,
                                    ArrayRef<int> members);

/// A layout that holds the dimensions `resident` whole in every thread that
/// holds any of it, and spreads the others over lanes and warps
/// (ChooseDefault.cpp).
tilec::FragmentLayout getResidentLayout(LayoutContext &context,
                                        const tilec::Coordinate &shape,
                                        ArrayRef<int> resident);

} // namespace mlir::tile

#endif // TILE_TRANSFORMS_INFERLAYOUTS_LAYOUTPLAN_H
