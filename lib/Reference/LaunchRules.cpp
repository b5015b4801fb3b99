//===- LaunchRules.cpp - Launches and shared buffers ---------------------===//
//
// A launch runs its body once per block, blocks one after another in a seeded
// random order: they may not depend on each other, so that any order is right.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include "tile/Dialect/Tile/TileOps.h"
#include "tile/Limits/LaunchLimits.h"

using namespace mlir;
using namespace mlir::tile;
using namespace mlir::tile::reference;

namespace {

/// Extents of a launch, filled up with ones. Nothing where one is zero.
FailureOr<std::optional<std::array<int64_t, 3>>>
getGrid(Machine &machine, Operation *op, ValueRange extents,
        ArrayRef<int64_t> cluster) {
  FailureOr<SmallVector<int64_t>> values =
      machine.getUniforms(op, extents, "an extent of the grid");
  if (failed(values))
    return failure();
  std::array<int64_t, 3> grid{1, 1, 1};
  if (std::string problem = tilec::checkExtentsStart(*values, cluster);
      !problem.empty())
    return machine.error(op) << problem;
  bool isEmpty = false;
  for (auto [dim, extent] : llvm::enumerate(*values)) {
    isEmpty |= extent == 0;
    grid[dim] = extent;
  }
  if (isEmpty)
    return std::optional<std::array<int64_t, 3>>();
  return std::optional(grid);
}

/// The name of a launch, or the one that it is going to have: those without a
/// name are numbered within their function.
std::string getKernelName(LaunchOp op) {
  if (op.getKernel())
    return op.getKernel()->str();
  auto function = op->getParentOfType<func::FuncOp>();
  int64_t number = 0;
  function.walk([&](LaunchOp other) {
    if (other == op)
      return WalkResult::interrupt();
    number += !other.getKernel();
    return WalkResult::advance();
  });
  return function.getSymName().str() + "_" + std::to_string(number);
}

/// tile.launch: Language.md, "tile.launch".
LogicalResult launch(Machine &machine, LaunchOp op) {
  ArrayRef<int64_t> cluster;
  if (op.getCluster())
    cluster = *op.getCluster();
  auto grid = getGrid(machine, op, op.getGrid(), cluster);
  if (failed(grid))
    return failure();
  if (!*grid)
    return success();
  std::string name = getKernelName(op);
  LogicalResult result =
      machine.runGrid(op, name, op.getReachedStage(), **grid, [&] {
        for (auto [dim, id] : llvm::enumerate(op.getBlockIds()))
          machine.set(id, Array::integer(machine.blockState->id[dim]));
        return machine.runBlock(op.getBody().front());
      });
  machine.settle(op);
  return result;
}

/// tile.alloc: Language.md, "tile.alloc".
LogicalResult alloc(Machine &machine, AllocOp op) {
  auto type = cast<MemRefType>(op.getType());
  ElementType element = *ElementType::get(type);
  if (std::string problem = checkAllocation(element, type.getShape());
      !problem.empty())
    return machine.error(op) << "the buffer " << problem;
  MemRef memref = allocate("tile.alloc", op.getLoc(), element, type.getShape());
  memref.buffer->isShared = true;
  machine.set(op.getResult(), std::move(memref));
  return success();
}

//===----------------------------------------------------------------------===//
// Outlined kernels
//===----------------------------------------------------------------------===//

/// LangRef gpu.launch_func.
LogicalResult launchFunc(Machine &machine, gpu::LaunchFuncOp op) {
  LaunchRequest request{op, {}};
  auto getExtents = [&](gpu::KernelDim3 values, std::array<int64_t, 3> &to,
                        ArrayRef<int64_t> cluster) -> FailureOr<bool> {
    auto extents =
        getGrid(machine, op, {values.x, values.y, values.z}, cluster);
    if (failed(extents))
      return failure();
    if (*extents)
      to = **extents;
    return extents->has_value();
  };
  if (op.hasClusterSize() &&
      failed(getExtents(op.getClusterSizeOperandValues(), request.cluster, {})))
    return failure();
  FailureOr<bool> hasBlocks =
      getExtents(op.getGridSizeOperandValues(), request.grid, request.cluster);
  FailureOr<bool> hasThreads =
      getExtents(op.getBlockSizeOperandValues(), request.block, {});
  if (failed(hasBlocks) || failed(hasThreads))
    return failure();
  if (std::string problem = tilec::checkBlock(request.block); !problem.empty())
    return machine.error(op) << problem;
  if (std::string problem = tilec::checkGrid(request.grid); !problem.empty())
    return machine.error(op) << problem;
  if (Value bytes = op.getDynamicSharedMemorySize()) {
    FailureOr<int64_t> size =
        machine.getUniform(op, bytes, "the size of shared memory");
    if (failed(size))
      return failure();
    request.dynamicSharedBytes = *size;
  }
  SmallVector<RuntimeValue> arguments;
  for (Value argument : op.getKernelOperands())
    arguments.push_back(machine.get(argument));
  request.arguments = arguments;
  if (!*hasBlocks || !*hasThreads)
    return success();
  return machine.options.launch ? machine.options.launch(request)
                                : machine.runKernel(request);
}

/// LangRef gpu.block_id.
LogicalResult blockId(Machine &machine, gpu::BlockIdOp op) {
  auto dim = static_cast<size_t>(op.getDimension());
  machine.set(op.getResult(), Array::integer(machine.blockState->id[dim]));
  return success();
}

/// LangRef gpu.grid_dim.
LogicalResult gridDim(Machine &machine, gpu::GridDimOp op) {
  auto dim = static_cast<size_t>(op.getDimension());
  machine.set(op.getResult(), Array::integer(machine.blockState->grid[dim]));
  return success();
}

} // namespace

LogicalResult Machine::runKernel(const LaunchRequest &request) {
  gpu::LaunchFuncOp op = request.op;
  auto kernel =
      symbols.lookupSymbolIn<gpu::GPUFuncOp>(module, op.getKernelAttr());
  if (!kernel)
    return error(op)
           << "there is no gpu.func " << op.getKernelAttr()
           << " to interpret; the module is compiled further than the outlined "
              "stage, run it on the emulator or a GPU";
  auto stage = kernel->getAttrOfType<StageAttr>(
      TileDialect::StageAttrHelper::getNameStr());
  return runGrid(op, kernel.getName(),
                 stage ? stage.getValue() : Stage::Outlined, request.grid, [&] {
                   return withFrame([&] {
                     for (auto [parameter, argument] :
                          llvm::zip(kernel.getArguments(), request.arguments))
                       set(parameter, argument);
                     return runBlock(kernel.getBody().front());
                   });
                 });
}

void mlir::tile::reference::addLaunchRules(RuleTable &table) {
  table.add(launch);
  table.add(alloc);
  table.add(launchFunc);
  table.add(blockId);
  table.add(gridDim);
}
