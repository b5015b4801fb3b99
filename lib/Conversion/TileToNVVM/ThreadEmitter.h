//===- ThreadEmitter.h - The program of one thread --------------*- C++ -*-===//
//
// Walks the body of a kernel over tiles and emits what one thread does, each
// operation by its lowering in the table. It is what all lowerings share:
//
//     ScalarEmitter    constants, integers, calls
//     MemoryEmitter    types in memory, pointers, loads and stores
//     ValueMap         what stands for each value of the kernel in a thread
//     ThreadScope      which thread it is, and what that makes of coordinates
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_CONVERSION_TILETONVVM_THREADEMITTER_H
#define TILE_LIB_CONVERSION_TILETONVVM_THREADEMITTER_H

#include "LoweringTable.h"
#include "MemoryEmitter.h"
#include "ThreadScope.h"
#include "ValueMap.h"

#include "tile/Analysis/IndexFacts.h"
#include "tile/Dialect/Tile/TileOps.h"
#include "tile/Dialect/Tile/TileTypes.h"
#include "tile/Hardware/GpuTarget.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <memory>

namespace mlir::tile {

/// The iteration of a `tile.parallel` whose body is emitted.
struct ParallelIteration {
  ParallelOp loop; ///< null outside of all
  int64_t reg = 0; ///< the register of the loop's layout whose iteration it is
  /// Whether this thread's copy of the iteration may act on memory; null where
  /// it always may.
  Value effectGuard;
};

class ThreadEmitter : public MemoryEmitter, public ValueMap {
public:
  ThreadEmitter(gpu::GPUFuncOp kernel, const tilec::GpuTarget &target,
                const LoweringTable &table)
      : MemoryEmitter(kernel), target(target), table(table) {}

  /// Emits the operations of a block, its terminator excepted. Fails with an
  /// error at the operation that has no lowering.
  LogicalResult emitBlock(Block &block);
  /// The same of some operations of a block.
  LogicalResult emitOperations(llvm::iterator_range<Block::iterator> ops);

  /// The threads that run what is emitted.
  ThreadScope &getScope() { return *scope; }
  void setScope(ThreadScope &threads) { scope = &threads; }

  /// The layout of a fragment; valid as long as the emitter.
  const tilec::FragmentLayout &getLayout(Value fragment);
  const tilec::FragmentLayout &getLayout(Type fragmentType);
  const tilec::FragmentLayout &getLayout(FragmentAttr attr);

  const tilec::GpuTarget &target;
  IndexFacts facts;
  /// By argument of the kernel: see NoAlias.h.
  SmallVector<bool> isUnaliased;
  /// Whether nobody writes what `memref` is of, while the kernel runs.
  bool isReadOnly(Value memref);
  /// Whether it stores single narrow elements to global memory: see CommonWords.h.
  bool hasSingleStores = false;
  ParallelIteration iteration;
  /// The last `tile.once` and its branch; null where one thread runs all.
  std::pair<Operation *, scf::IfOp> lastOnce;
  /// Loads that were made with one in front, and stores of such (CutVectors.h).
  llvm::DenseSet<Operation *> loadedAhead, cutStores;
  /// Where it was said that a conversion has no instruction (NarrowFloats.cpp).
  llvm::DenseSet<Location> narrowedInSoftware;
  /// The descriptors of buffers (MatrixDescriptor.h) that are computed already:
  /// by the buffer's address, the warpgroup's part, the dimension that it is
  /// along, and what is constant.
  std::map<std::tuple<const void *, const void *, int, int64_t>, Value>
      descriptorBases;
  /// Of each loop, the instructions whose descriptors are kept over it.
  llvm::DenseMap<Operation *, int64_t> keptDescriptors;

private:
  const LoweringTable &table;
  ThreadScope *scope = nullptr;
  llvm::DenseMap<Attribute, std::unique_ptr<tilec::FragmentLayout>> layouts;
};

} // namespace mlir::tile

#endif // TILE_LIB_CONVERSION_TILETONVVM_THREADEMITTER_H
