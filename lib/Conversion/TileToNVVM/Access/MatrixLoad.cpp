//===- MatrixLoad.cpp - Loads by ldmatrix ---------------------------------===//
//
// `ldmatrix` hands the four words of 16 bytes to four neighbouring lanes. Bricks are
// such words of one thread (StoredRows.h):
//
//     16 loads of 4 bytes a lane     ->     4 ldmatrix of four matrices
//
// Matrix j of four is what register 32-bit word j of all lanes is made of; lane l says
// where row l % 8 of matrix l / 8 lies. Another lane than the one that gets an element
// reads it, which is in order where the threads that wrote it have met. So is an operand
// of products that a loop does not change (Transforms/HoistOperands.cpp), as copies have left it.
//
//===----------------------------------------------------------------------===//

#include "MatrixLoad.h"

#include "SharedAddresses.h"

#include "tile/Analysis/AccessWidth.h"
#include "tile/Analysis/BlockAccesses.h"
#include "tile/Hardware/MatrixLoads.h"
#include "tile/Hardware/StoredRows.h"

#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"

#include <numeric>

using namespace mlir;
using namespace mlir::tile;
using tilec::Digit;
using tilec::Digits;
using tilec::FragmentLayout;
using tilec::HardwareDim;

static constexpr int64_t wordBits = 32, lanesOfRow = 4;

SmallVector<Value> tile::emitMatrixLoad(ThreadEmitter &emitter, Value pointer,
                                        int64_t count, bool isTransposed) {
  OpBuilder &builder = emitter.builder;
  Type i32 = builder.getI32Type();
  Type type = count == 1
                  ? i32
                  : Type(LLVM::LLVMStructType::getLiteral(
                        builder.getContext(), SmallVector<Type>(count, i32)));
  std::string name = "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x" +
                     std::to_string(count) +
                     (isTransposed ? ".trans.b16" : ".b16");
  Value loaded = emitter.callIntrinsic(name, type, pointer);
  if (count == 1)
    return {loaded};
  SmallVector<Value> words;
  for (int64_t i = 0; i < count; ++i)
    words.push_back(
        LLVM::ExtractValueOp::create(builder, emitter.loc, loaded, i));
  return words;
}

/// The most matrices that one ldmatrix of the chip loads; 0 without any.
static int64_t getMostMatrices(const tilec::GpuTarget &target) {
  int64_t most = 0;
  for (const tilec::CopyInstruction *row : tilec::findCopyInstructions(
           target, tilec::MemorySpace::Shared, tilec::MemorySpace::Registers))
    if (!row->isTransposed)
      most = std::max(most, row->matrixCount);
  return most;
}

/// `user` as an `Op` in the block of `op`; null if it is none.
template <typename Op>
static Op getBeside(Operation *user, Operation *op) {
  return user->getBlock() == op->getBlock() ? dyn_cast<Op>(user) : Op();
}

/// Whether all that touches the buffer are this load and stores in front, in another
/// layout, so that threads meet in between and before anybody writes there again.
static bool isBehindExchange(LoadOp op) {
  auto view = op.getSource().getDefiningOp<ViewOp>();
  if (!view)
    return false;
  Operation *last = nullptr;
  for (Operation *user : view->getUsers()) {
    auto store = getBeside<StoreOp>(user, op);
    bool isExchange = store && getFragment(store.getValue().getType()) !=
                                   getFragment(op.getType());
    if (!isExchange && user != op)
      return false;
    if (isExchange && store->isBeforeInBlock(op) &&
        (!last || last->isBeforeInBlock(store)))
      last = store;
  }
  return llvm::any_of(op->getBlock()->getOps<BarrierOp>(),
                      [&](BarrierOp barrier) {
                        return barrier->isBeforeInBlock(op) &&
                               (!last || last->isBeforeInBlock(barrier));
                      });
}

static bool holdsLoop(Operation &op) {
  return op.walk([](LoopLikeOpInterface) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

/// Whether `op` is executed once, behind a loop, by threads that roles have not numbered
/// anew.
static bool isBehindLoop(Operation *op) {
  if (op->getParentOfType<LoopLikeOpInterface>() ||
      op->getParentOfType<SpecializeOp>())
    return false;
  for (Operation *at = op; at->getBlock(); at = at->getParentOp()) {
    if (llvm::any_of(
            llvm::make_range(at->getBlock()->begin(), Block::iterator(at)),
            holdsLoop))
      return true;
    if (isa<FunctionOpInterface>(at->getParentOp()))
      break;
  }
  return false;
}

bool tile::isOfRowStore(LoadOp op) {
  return isBehindExchange(op) && isBehindLoop(op);
}

/// Whether `op` stores to the buffer of an exchange, or what comes from one.
static bool isBesideExchange(StoreOp op) {
  if (op.getDestSide().isShared())
    return llvm::any_of(op.getDest().getUsers(), [&](Operation *user) {
      auto load = getBeside<LoadOp>(user, op);
      return load && isBehindExchange(load);
    });
  Value value = op.getValue();
  if (auto renamed = value.getDefiningOp<ConvertLayoutOp>())
    value = renamed.getSource();
  auto load = value.getDefiningOp<LoadOp>();
  return load && isBehindExchange(load);
}

bool tile::isOfRowStore(StoreOp op) {
  return isBesideExchange(op) && isBehindLoop(op);
}

/// Whether products alone take what `op` loads, and only copies that move more than a
/// lane's word at once write there: threads then meet between both.
static bool isBehindWideCopies(LoadOp op) {
  auto takesOperand = [](Operation *user) {
    return llvm::TypeSwitch<Operation *, bool>(user)
        .Case([](MatrixProductOpInterface) { return true; })
        .Default(false);
  };
  auto isWide = [](Operation *writer) {
    return llvm::TypeSwitch<Operation *, bool>(writer)
        .Case([](CopyOp copy) {
          int64_t bits =
              getMemoryBits(copy.getDest().getType().getElementType());
          return copy.getVectorWidth().value_or(1) * bits > wordBits;
        })
        .Default(false);
  };
  auto writes = [&](const BlockAccess &access) {
    return access.writes &&
           (!access.memref || mayOverlap(access.memref, op.getSource()));
  };
  Region &body = op->getParentOfType<FunctionOpInterface>().getFunctionBody();
  return llvm::all_of(op->getUsers(), takesOperand) &&
         !body.walk([&](Operation *other) {
                return llvm::any_of(getBlockAccesses(other), writes) &&
                               !isWide(other)
                           ? WalkResult::interrupt()
                           : WalkResult::advance();
              })
              .wasInterrupted();
}

bool tile::isMatrixLoad(ThreadEmitter &emitter, LoadOp op) {
  Type element = op.getType().getElementType();
  auto buffer = getSharedLayout(op.getSource());
  return getMostMatrices(emitter.target) > 0 && buffer &&
         op.getSourceSide().isWhole() &&
         op.getSourceSide().getType().getElementType() == element &&
         tilec::holdsMatrices(*buffer, emitter.getLayout(op.getType())) &&
         (isBehindExchange(op) || isBehindWideCopies(op));
}

/// The digits of `digits` behind the first `count` values, `limit` values of them; a
/// digit that is cut goes on where it was cut. Both are powers of two.
static Digits cut(const Digits &digits, int64_t count, int64_t limit) {
  Digits part;
  for (Digit digit : digits) {
    int64_t skipped = std::gcd(digit.extent, count);
    count /= skipped;
    digit.extent /= skipped;
    digit.step *= skipped;
    if (count > 1 || limit == 1)
      continue;
    int64_t taken = std::gcd(digit.extent, limit);
    // Numbers go on behind a whole digit only.
    limit = taken == digit.extent ? limit / taken : 1;
    digit.extent = taken;
    if (taken > 1)
      part.push_back(digit);
  }
  return part;
}

static int64_t getExtent(const Digits &digits) {
  int64_t extent = 1;
  for (const Digit &digit : digits)
    extent *= digit.extent;
  return extent;
}

void tile::lowerMatrixLoad(ThreadEmitter &emitter, LoadOp op) {
  const FragmentLayout &layout = emitter.getLayout(op.getType());
  Type element = op.getType().getElementType();
  int64_t perWord = wordBits / getMemoryBits(element);
  // Rows of a matrix, then the matrices, as lanes address them.
  Digits matrices = cut(layout.getDigits(HardwareDim::Register), perWord,
                        getMostMatrices(emitter.target));
  int64_t count = getExtent(matrices);
  Digits lanes =
      cut(layout.getDigits(HardwareDim::Lane), lanesOfRow, tilec::matrixRows);
  llvm::append_range(lanes, matrices);
  // Lanes beyond the matrices give addresses that nobody reads.
  int64_t used = tilec::matrixRows * count;
  if (used < emitter.target.warpSize)
    lanes.push_back({emitter.target.warpSize / used, Digit::replicated, 0});
  SmallVector<SmallVector<RuntimeTerm>> terms(layout.getRank());
  for (int dim = 0; dim < layout.getRank(); ++dim) {
    const ThreadCoordinate &thread = emitter.getScope().getCoordinate(
        lanes, layout.getDigits(HardwareDim::Warp), dim);
    if (thread.value)
      terms[dim].push_back({thread.value, thread.values, 1});
  }
  SharedAddresses addresses(emitter, emitter.getShared(op.getSource()), terms);
  OpBuilder &builder = emitter.builder;
  auto words = VectorType::get({perWord}, emitter.convertMemoryType(element));
  SmallVector<Value> registers;
  for (int64_t reg = 0; reg < layout.getRegisterCount();
       reg += perWord * count) {
    Value pointer = addresses.getPointer(getRegisterCoordinate(layout, reg));
    for (Value word : emitMatrixLoad(emitter, pointer, count,
                                     /*isTransposed=*/false)) {
      Value elements =
          LLVM::BitcastOp::create(builder, emitter.loc, words, word);
      for (int64_t i = 0; i < perWord; ++i)
        registers.push_back(emitter.fromMemory(
            LLVM::ExtractElementOp::create(builder, emitter.loc, elements,
                                           emitter.i32(i)),
            element));
    }
  }
  emitter.bind(op.getResult(), registers);
}
