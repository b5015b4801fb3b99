//===- MatrixStore.cpp - Stores by stmatrix -------------------------------===//
//
// In the result of a product each pair of registers is an 8x8 matrix of 16-bit
// elements, of which lane l holds columns 2(l % 4), 2(l % 4) + 1 of row l / 4.
// `stmatrix` stores up to four of them, each as eight rows of 16 bytes, of which
// lane l says where row l % 8 of matrix l / 8 is:
//
//     32 stores of 4 bytes a lane     ->     8 stmatrix of four matrices
//
// Another lane than the one that holds an element writes it. Whatever is ordered
// thread by thread is ordered by the two meetings of the warp around the stores, or by
// those of all threads, where they stand there.
//
//===----------------------------------------------------------------------===//

#include "MatrixStore.h"

#include "../Compute/Cast.h"
#include "SharedAddresses.h"

#include "tile/Analysis/BlockAccesses.h"
#include "tile/Dialect/Tile/CopyFacts.h"
#include "tile/Hardware/MatrixLoads.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tile;
using tilec::Digit;
using tilec::Digits;
using tilec::FragmentLayout;
using tilec::HardwareDim;

/// Elements of a row of a matrix, and those that a lane holds of it.
static constexpr int64_t matrixColumns = 8, laneColumns = 2;

/// The stmatrix of the most matrices that the chip has; null without any.
static const tilec::CopyInstruction *findRow(const tilec::GpuTarget &target) {
  for (const tilec::CopyInstruction *row : tilec::findCopyInstructions(
           target, tilec::MemorySpace::Registers, tilec::MemorySpace::Shared))
    if (row->matrixCount > 0 && !row->isTransposed)
      return row;
  return nullptr;
}

/// Whether pairs of registers are matrices.
static bool holdsMatrices(const FragmentLayout &layout) {
  const Digits &registers = layout.getDigits(HardwareDim::Register);
  const Digits &lanes = layout.getDigits(HardwareDim::Lane);
  return layout.getRank() == 2 && !layout.hasPadding() &&
         layout.getReplication() == 1 && !registers.empty() &&
         registers.front() == Digit{laneColumns, 1, 1} &&
         lanes == Digits{{matrixColumns / laneColumns, 1, laneColumns},
                         {tilec::matrixRows, 0, 1}};
}

bool tile::isOnItsWay(StoreOp op) {
  auto view = op.getDest().getDefiningOp<ViewOp>();
  return view && llvm::all_of(view->getUsers(), [&](Operation *user) {
           return user == op || isBulkStore(user);
         });
}

bool tile::isMatrixStore(ThreadEmitter &emitter, StoreOp op) {
  constexpr int64_t elementBits = 16;
  return findRow(emitter.target) && op.getDestSide().isWhole() &&
         isOnItsWay(op) &&
         getMemoryBits(op.getDest().getType().getElementType()) ==
             elementBits &&
         holdsMatrices(emitter.getLayout(op.getValue().getType())) &&
         getVectorWidth(emitter.getShared(op.getDest()), 1) % matrixColumns ==
             0;
}

/// Where each lane finds its row of a group of matrices that begins at zero.
static SharedAddresses getAddresses(ThreadEmitter &emitter, StoreOp op,
                                    const tilec::MatrixGroup &group) {
  Digits lanes = {{tilec::matrixRows, 0, 1}};
  int64_t used = tilec::matrixRows;
  for (int step = 0; (2 << step) <= group.count; ++step, used *= 2)
    lanes.push_back({2, group.steps[step].first, group.steps[step].second});
  // Lanes beyond the matrices give addresses that nobody reads.
  if (used < emitter.target.warpSize)
    lanes.push_back({emitter.target.warpSize / used, Digit::replicated, 0});
  const Digits &warps =
      emitter.getLayout(op.getValue().getType()).getDigits(HardwareDim::Warp);
  SmallVector<SmallVector<RuntimeTerm>> terms(2);
  for (int dim : {0, 1}) {
    const ThreadCoordinate &thread =
        emitter.getScope().getCoordinate(lanes, warps, dim);
    if (thread.value)
      terms[dim].push_back({thread.value, thread.values, 1});
  }
  return SharedAddresses(emitter, emitter.getShared(op.getDest()), terms);
}

/// The two elements that a lane holds of matrix `number`, as they are stored.
static Value packMatrix(ThreadEmitter &emitter, StoreOp op, int64_t number) {
  OpBuilder &builder = emitter.builder;
  Type type = op.getValue().getType().getElementType();
  Type element = op.getDest().getType().getElementType();
  SmallVector<Value> elements = convertElements(
      emitter,
      emitter.getValues(op.getValue()).slice(number * laneColumns, laneColumns),
      type, element);
  for (Value &value : elements)
    value = emitter.toMemory(value, element);
  return LLVM::BitcastOp::create(builder, emitter.loc, builder.getI32Type(),
                                 emitter.joinInVector(elements));
}

static void emitMatrices(ThreadEmitter &emitter, Value pointer,
                         ArrayRef<Value> matrices) {
  OpBuilder &builder = emitter.builder;
  MLIRContext *context = builder.getContext();
  NVVM::StMatrixOp::create(
      builder, emitter.loc, pointer, matrices,
      NVVM::MMALayoutAttr::get(context, NVVM::MMALayout::row),
      NVVM::LdStMatrixShapeAttr::get(context, tilec::matrixRows, matrixColumns),
      NVVM::LdStMatrixEltTypeAttr::get(context, NVVM::LdStMatrixEltType::B16));
}

/// Whether all threads of the program meet at `op`.
static bool isMeeting(Operation *op) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([](BarrierOp barrier) { return !barrier.isWithinWarp(); })
      .Default(false);
}

/// Whether nothing touches shared memory between `op` and the meeting in front of it.
static bool isBehindMeeting(Operation *op) {
  for (op = op->getPrevNode(); op; op = op->getPrevNode()) {
    if (isMeeting(op))
      return true;
    bool isApart =
        llvm::all_of(getBlockAccesses(op), [](const BlockAccess &access) {
          return access.isGlobal();
        });
    if (op->getNumRegions() != 0 || !isApart)
      return false;
  }
  return false;
}

/// Whether the threads show what they store to the copy engine and meet, directly
/// behind the store: as with a result that is staged.
static bool isShownAndMet(Operation *op) {
  do
    op = op->getNextNode();
  while (op && isMemoryEffectFree(op));
  if (!op || !op->getNextNode())
    return false;
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([](ProxyFenceOp fence) { return isMeeting(fence->getNextNode()); })
      .Default(false);
}

void tile::lowerMatrixStore(ThreadEmitter &emitter, StoreOp op) {
  const FragmentLayout &layout = emitter.getLayout(op.getValue().getType());
  int64_t limit = findRow(emitter.target)->matrixCount;
  std::vector<tilec::TileMatrix> all;
  for (int64_t reg = 0; reg < layout.getRegisterCount(); reg += laneColumns) {
    tilec::Coordinate at = getRegisterCoordinate(layout, reg);
    all.push_back({0, reg / laneColumns, at[0], at[1]});
  }
  // The lanes have what they store from each other: what one touched in front is in
  // order with what another stores here, and so behind. Of a result that is staged the
  // barriers around see to it.
  bool isStaged = isShownAndMet(op);
  auto meet = [&] {
    NVVM::SyncWarpOp::create(emitter.builder, emitter.loc, emitter.i32(-1));
  };
  if (!isStaged || !isBehindMeeting(op))
    meet();
  std::map<tilec::MatrixGroup, SharedAddresses> addresses;
  for (ArrayRef<tilec::TileMatrix> left = all; !left.empty();) {
    tilec::MatrixGroup group = tilec::getGroup(left, limit);
    auto known = addresses.find(group);
    if (known == addresses.end())
      known = addresses.emplace(group, getAddresses(emitter, op, group)).first;
    Value pointer = known->second.getPointer({left[0].outer, left[0].k});
    SmallVector<Value> matrices;
    for (int64_t i = 0; i < group.count; ++i)
      matrices.push_back(packMatrix(emitter, op, left[i].reg));
    emitMatrices(emitter, pointer, matrices);
    left = left.drop_front(group.count);
  }
  if (!isStaged)
    meet();
}
