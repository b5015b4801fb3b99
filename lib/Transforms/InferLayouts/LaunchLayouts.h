//===- LaunchLayouts.h - A launch as a layout problem -----------*- C++ -*-===//
//
// The layout problem of a launch (LayoutProblem.h) and what its numbers stand
// for: which value or loop is a node, which operand a use. Built without
// touching the IR; the solution is applied in one walk.
//
// Every use of a constant fragment is a node of its own, so that one constant
// can have a layout for each; only a constant with one use, inside the launch,
// is a node itself.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_INFERLAYOUTS_LAUNCHLAYOUTS_H
#define TILE_TRANSFORMS_INFERLAYOUTS_LAUNCHLAYOUTS_H

#include "tile/Analysis/AccessWidth.h"
#include "tile/Analysis/IndexFacts.h"
#include "tile/Dialect/Tile/TileOps.h"
#include "tile/Hardware/CopyInstruction.h"
#include "tile/Hardware/GpuTarget.h"
#include "tile/LayoutSearch/LayoutProblem.h"

#include "llvm/ADT/MapVector.h"

namespace mlir::tile {

class GlobalWrites;

/// What layouts are chosen for.
struct LayoutContext {
  LaunchOp launch;
  const tilec::GpuTarget &target;
  IndexFacts &facts;
  /// Whether copies may be made by bulk tensor copies.
  bool bulkCopies = false;
  /// What the launch writes to global memory, while that does not change; null where it
  /// may.
  const GlobalWrites *writes = nullptr;
  int64_t lanes() const { return target.warpSize; }
  int64_t warps() { return launch.getThreads() / target.warpSize; }
};

/// How a copy is carried out: which thread moves which elements, how many in
/// one access, with which instruction. One by bulk tensor copies has no threads.
struct CopyPlan {
  tilec::FragmentLayout layout;
  int64_t vectorWidth;
  const tilec::CopyInstruction *instruction;
  /// Why it is none by bulk tensor copies, where it could be one.
  std::string bulkObstacle = {};

  bool hasThreads() const {
    return instruction->issuer == tilec::Issuer::Thread;
  }
};

/// What a node stands for: a value, an iteration space, or the one use of a
/// constant.
struct LayoutNodeOwner {
  Value value;
  IterationSpaceOpInterface space = {};
  OpOperand *constantUse = nullptr;
};

struct LaunchLayouts {
  tilec::LayoutProblem problem;
  SmallVector<LayoutNodeOwner> owners; ///< by node
  SmallVector<OpOperand *> uses;       ///< by use
  SmallVector<MatrixProductOpInterface> products;
  SmallVector<AllocOp> buffers;
  llvm::MapVector<Operation *, CopyPlan> copies;
  /// Products that warpgroups do not carry out though the chip multiplies their
  /// types so, and why.
  llvm::MapVector<Operation *, std::string> notByWarpgroups;
};

/// Stores results of products through a buffer each, from where bulk tensor
/// copies take them, and loads what a producer can bring through one, where that
/// may be (StageTiles.cpp).
void stageTiles(LayoutContext &context);

/// Transposes operands of 8 bits in shared memory that warpgroups would find, lay they
/// along K (StageOperands.cpp).
void stageOperands(LayoutContext &context);

/// Puts exchanges in front of transpositions between loads and stores that would go by
/// columns (SplitTransposes.cpp).
void splitTransposes(LayoutContext &context);

/// The problem of a launch; fails with a located error where an operation has
/// no implementation on the target.
FailureOr<LaunchLayouts> buildLayoutProblem(LayoutContext &context);

/// Adds to a problem what its layouts' costs are counted by: how often operations
/// run, where their elements lie in buffers of the layouts `planned` and in global
/// memory, what is live together (AddCostFacts.cpp).
void addCostFacts(LayoutContext &context, LaunchLayouts &layouts,
                  const PlannedBuffers &planned);

/// Gives every value its type, inserts exchanges, and writes on operations
/// what was chosen for them.
void applyLayouts(LayoutContext &context, LaunchLayouts &layouts,
                  const tilec::LayoutSolution &solution);

/// Makes exchanges of what loops do not change in front of them, where a thread has the
/// registers (HoistExchanges.cpp).
void hoistExchanges(LayoutContext &context);

/// Says what the chosen layouts cost: data that moves between threads,
/// copies in small accesses, products without the best matrix instruction.
void reportLayoutCosts(LayoutContext &context, const LaunchLayouts &layouts);

/// Says of every fragment and loop which layout it has, what decided it, and what
/// the launch would cost with the next best one (ReportLayouts.cpp). Nothing is
/// computed where remarks are off.
void reportLayouts(LaunchOp launch, const LaunchLayouts &layouts,
                   const tilec::LayoutSolution &solution);

// Parts of the problem ---------------------------------------------------------

/// The ways to carry out a product, at least one; fails with an error at it
/// where the target has none (ChooseProduct.cpp).
FailureOr<std::vector<tilec::ProductCandidate>>
getProductCandidates(LayoutContext &context, MatrixProductOpInterface product);

/// How warps should share the result of a product: as the user says, or by rows
/// where those are what later operations work on.
Warps chooseWarps(MatrixProductOpInterface product);

/// The best way to carry out a product by warpgroups, or why there is none;
/// nothing where the chip has no such instruction for its types, or the user
/// wrote another one (ChooseWarpgroupProduct.cpp).
std::optional<tilec::Expected<tilec::ProductCandidate>>
chooseWarpgroupProduct(LayoutContext &context,
                       MatrixProductOpInterface product);

/// An operand of an instruction, over (outer, K) where outer is M of A, N of B.
struct ProductOperand {
  const tilec::MatrixOperand *traits;
  tilec::FragmentLayout layout; ///< of the whole operand
  tilec::FragmentLayout atom;   ///< of one instruction's part
  bool isSwapped;               ///< the buffer is over (K, outer)
  bool isPaired = false;        ///< see BytePairs.h
};

/// How an operand in shared memory comes to registers, and the same for both of
/// a product, written on it (ChooseOperandLoad.cpp).
OperandLoadAttr chooseOperandLoad(LayoutContext &context, Value buffer,
                                  const ProductOperand &operand);
void applyOperandLoads(LayoutContext &context, MatrixProductOpInterface product,
                       const tilec::GemmPlan &plan);

/// The layouts that a buffer may have; fails with an error at it where the one
/// that the user fixed does not fit (ChooseMemory.cpp).
FailureOr<tilec::BufferNode> getBufferNode(AllocOp buffer);

/// How copies run where buffers have the layouts `planned` (ChooseMemory.cpp).
CopyPlan chooseCopy(LayoutContext &context, CopyOp copy,
                    const PlannedBuffers &planned);
CopyPlan chooseCopy(LayoutContext &context, Im2ColOp copy,
                    const PlannedBuffers &planned);

/// The bulk tensor copy that carries out `copy`; null where the chip has none or
/// the copy is not between global and shared memory, a failure where something
/// is in the way (ChooseBulkCopy.cpp).
tilec::Expected<const tilec::CopyInstruction *>
chooseBulkCopy(LayoutContext &context, TensorCopyOpInterface copy,
               const PlannedBuffers &planned);

} // namespace mlir::tile

#endif // TILE_TRANSFORMS_INFERLAYOUTS_LAUNCHLAYOUTS_H
