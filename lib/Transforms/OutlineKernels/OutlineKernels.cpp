//===- OutlineKernels.cpp - Moves every launch into a kernel --------------===//
//
// Requires synchronized, establishes outlined: one `gpu.module @kernels`, in it
// one `gpu.func` kernel per launch with its final parameters, and on the host a
// `gpu.launch_func` in its place.
//
// Parameters are the kernel's ABI, so their order follows the program, not the
// uses: captured function arguments in their order, then other captured values
// in order of definition. Constants, and pure scalar code of constants, never
// become parameters; they are repeated inside. Upstream's outlining orders by
// first use and passes hoisted constants, hence our own.
//
// What is known of a captured value (alignment, divisors, ranges, aliasing) is
// stated on the parameter, since its definition can no longer be seen: all that
// IndexFacts knows in the launch it knows in the kernel, so that what earlier
// stages chose by it can be carried out. Behind the captured values come tensor
// maps (TensorMaps.h).
//
//===----------------------------------------------------------------------===//

#include "ResidentBlocks.h"
#include "TensorMaps.h"

#include "tile/Analysis/BlockAccesses.h"
#include "tile/Analysis/IndexFacts.h"
#include "tile/Analysis/KnownBounds.h"
#include "tile/Analysis/ModuleTarget.h"
#include "tile/Analysis/MulticastCheck.h"
#include "tile/Dialect/Tile/StageContract.h"
#include "tile/Dialect/Tile/Stages.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Transforms/RegionUtils.h"

#define DEBUG_TYPE "tile-outline-kernels"

namespace mlir::tile {
#define GEN_PASS_DEF_OUTLINEKERNELS
#include "tile/Transforms/Passes.h.inc"
} // namespace mlir::tile

using namespace mlir;
using namespace mlir::tile;

static constexpr StringLiteral kernelModuleName = "kernels";

//===----------------------------------------------------------------------===//
// Analysis
//===----------------------------------------------------------------------===//

namespace {
/// What becomes of the values that a launch takes from outside.
struct CapturePlan {
  /// Kernel parameters, in order.
  SmallVector<Value> parameters;
  /// Operations to repeat in the kernel, in order of definition.
  SmallVector<Operation *> repeated;
  /// What parameters behind the captured ones describe.
  SmallVector<TensorMapPlan> tensorMaps;
};
} // namespace

/// The place of every value of a function in order of definition, arguments
/// first.
static llvm::DenseMap<Value, int64_t> numberValues(Operation *function) {
  llvm::DenseMap<Value, int64_t> numbers;
  auto add = [&](ValueRange values) {
    for (Value value : values)
      numbers.try_emplace(value, numbers.size());
  };
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op != function)
      add(op->getResults());
    for (Region &region : op->getRegions())
      for (Block &block : region)
        add(block.getArguments());
  });
  return numbers;
}

/// Whether `value` follows from constants alone by pure scalar operations. Adds
/// the operations to `repeated`.
static bool followsFromConstants(Value value,
                                 llvm::SetVector<Operation *> &repeated) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  if (repeated.contains(op))
    return true;
  // What has no operands is known here if it is a constant, not of a device.
  if (!isPure(op) || op->getNumRegions() != 0 ||
      (op->getNumOperands() == 0 && !op->hasTrait<OpTrait::ConstantLike>()))
    return false;
  for (Value operand : op->getOperands())
    if (!followsFromConstants(operand, repeated))
      return false;
  repeated.insert(op);
  return true;
}

static CapturePlan planCaptures(LaunchOp launch,
                                const llvm::DenseMap<Value, int64_t> &numbers,
                                SmallVector<TensorMapPlan> tensorMaps) {
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(launch.getBody(), captured);
  CapturePlan plan;
  plan.tensorMaps = std::move(tensorMaps);
  llvm::SetVector<Operation *> repeated;
  for (Value value : captured) {
    // A chain that turns out not to be constant must leave nothing behind.
    llvm::SetVector<Operation *> chain = repeated;
    if (followsFromConstants(value, chain))
      repeated = std::move(chain);
    else
      plan.parameters.push_back(value);
  }
  llvm::sort(plan.parameters, [&](Value a, Value b) {
    return numbers.lookup(a) < numbers.lookup(b);
  });
  plan.repeated = repeated.takeVector();
  llvm::sort(plan.repeated, [&](Operation *a, Operation *b) {
    return numbers.lookup(a->getResult(0)) < numbers.lookup(b->getResult(0));
  });
  return plan;
}

/// Whether the memref `value` may overlap another parameter of the kernel.
static bool mayAliasParameter(Value value, ArrayRef<Value> parameters) {
  return llvm::any_of(parameters, [&](Value other) {
    return other != value && isa<MemRefType>(other.getType()) &&
           mayOverlap(value, other);
  });
}

/// All that `facts` knows of a memref or an integer, or null where that is no
/// more than an argument without attributes shows.
static Attribute getFactsAttr(Value value, IndexFacts &facts) {
  MLIRContext *context = value.getContext();
  if (auto type = dyn_cast<MemRefType>(value.getType())) {
    MemRefFacts known = facts.getMemRefFacts(value);
    if (known == getArgumentFacts(type))
      return {};
    return MemRefFactsAttr::get(
        context, known.baseAlignmentBytes, known.alignmentBytes,
        known.sizeDivisors, known.strideDivisors, known.isInnermostContiguous);
  }
  if (!value.getType().isIntOrIndex())
    return {};
  int64_t divisor = facts.getDivisor(value);
  std::optional<int64_t> least = facts.getLowerBound(value);
  std::optional<int64_t> largest = facts.getUpperBound(value);
  if (divisor == 1 && !least && !largest)
    return {};
  using Limits = std::numeric_limits<int64_t>;
  return ScalarFactsAttr::get(context, divisor, least.value_or(Limits::min()),
                              largest.value_or(Limits::max()));
}

/// The attributes of one kernel parameter: what is known of it, whether it may
/// overlap another one, and the names of its sizes.
static DictionaryAttr getParameterAttributes(Value value, Attribute facts,
                                             ArrayRef<Value> parameters) {
  MLIRContext *context = value.getContext();
  NamedAttrList attributes;
  auto argument = dyn_cast<BlockArgument>(value);
  auto function =
      argument
          ? dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp())
          : FunctionOpInterface();
  StringRef dims = TileDialect::DimsAttrHelper::getNameStr();
  if (function)
    if (Attribute names = function.getArgAttr(argument.getArgNumber(), dims))
      attributes.set(dims, names);
  if (isa_and_nonnull<MemRefFactsAttr>(facts))
    attributes.set(TileDialect::MemrefFactsAttrHelper::getNameStr(), facts);
  else if (facts)
    attributes.set(TileDialect::ScalarFactsAttrHelper::getNameStr(), facts);
  if (isa<MemRefType>(value.getType()) && mayAliasParameter(value, parameters))
    attributes.set(TileDialect::MayAliasAttrHelper::getNameStr(),
                   UnitAttr::get(context));
  return attributes.getDictionary(context);
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// The module that kernels go to: the one of that name, or a new one at the
/// end.
static gpu::GPUModuleOp getKernelModule(ModuleOp module) {
  if (auto existing = module.lookupSymbol<gpu::GPUModuleOp>(kernelModuleName))
    return existing;
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  auto kernels =
      gpu::GPUModuleOp::create(builder, module.getLoc(), kernelModuleName);
  SymbolTable(module).insert(kernels);
  module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                  builder.getUnitAttr());
  return kernels;
}

/// The threads of a block: those that compute, and those of producers.
static int64_t getBlockThreads(LaunchOp launch) {
  auto threads = static_cast<int64_t>(launch.getThreads());
  std::optional<RolesAttr> roles = launch.getRoles();
  return roles ? threads / roles->getConsumerWarps() * roles->getWarps()
               : threads;
}

static void setKernelAttributes(LaunchOp launch, gpu::GPUFuncOp kernel,
                                const tilec::GpuTarget &target) {
  Builder builder(launch.getContext());
  kernel->setAttr(gpu::GPUDialect::getKernelFuncAttrName(),
                  builder.getUnitAttr());
  auto threads = static_cast<int32_t>(getBlockThreads(launch));
  kernel.setKnownBlockSizeAttr(builder.getDenseI32ArrayAttr({threads, 1, 1}));
  TileDialect::StageAttrHelper(launch.getContext())
      .setAttr(kernel, StageAttr::get(launch.getContext(), Stage::Outlined));
  if (std::optional<ArrayRef<int64_t>> cluster = launch.getCluster()) {
    SmallVector<int32_t> extents(3, 1);
    llvm::copy(*cluster, extents.begin());
    kernel.setKnownClusterSizeAttr(builder.getDenseI32ArrayAttr(extents));
  }
  if (launch.getProgrammaticDependentLaunch())
    TileDialect::ProgrammaticDependentLaunchAttrHelper(launch.getContext())
        .setAttr(kernel, builder.getUnitAttr());
  // Without it ptxas does not know what budgets of roles start from.
  std::optional<uint64_t> blocks = launch.getMinBlocksPerSm();
  if (!blocks && launch.getRoles())
    blocks = 1;
  if (!blocks)
    blocks = getResidentBlocks(launch, target);
  if (blocks)
    kernel->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                    builder.getI32IntegerAttr(*blocks));
  if (std::optional<uint64_t> registers = launch.getMaxRegisters())
    kernel->setAttr(NVVM::NVVMDialect::getMaxnregAttrName(),
                    builder.getI32IntegerAttr(*registers));
}

/// Moves the body of `launch` to `kernel`.
static void moveBody(LaunchOp launch, gpu::GPUFuncOp kernel,
                     const CapturePlan &plan, IndexFacts &facts) {
  Block &source = launch.getBody().front();
  Block &entry = kernel.getBody().front();
  OpBuilder builder = OpBuilder::atBlockBegin(&entry);
  // Facts are of the launch as it is: of what the body uses.
  SmallVector<std::optional<int64_t>> extents =
      llvm::map_to_vector(launch.getGrid(), [&](Value extent) {
        return facts.getUpperBound(extent);
      });
  IRMapping mapping;
  size_t count = plan.parameters.size();
  for (auto [outside, argument] : llvm::zip_equal(
           plan.parameters, kernel.getArguments().take_front(count))) {
    mapping.map(outside, argument);
    replaceAllUsesInRegionWith(outside, argument, launch.getBody());
  }
  useTensorMaps(plan.tensorMaps, kernel.getArguments().drop_front(count));
  for (Operation *op : plan.repeated) {
    Operation *clone = builder.clone(*op, mapping);
    for (auto [outside, inside] :
         llvm::zip_equal(op->getResults(), clone->getResults()))
      replaceAllUsesInRegionWith(outside, inside, launch.getBody());
  }
  static constexpr gpu::Dimension dimensions[] = {
      gpu::Dimension::x, gpu::Dimension::y, gpu::Dimension::z};
  for (auto [id, extent] :
       llvm::zip_equal(launch.getBody().getArguments(), extents)) {
    // What bounds the extent bounds the coordinate: checks that follow from it
    // go. Of no blocks is known what is of one.
    bool isBounded = extent && *extent < INT32_MAX;
    Value index = gpu::BlockIdOp::create(
        builder, launch.getLoc(), builder.getIndexType(),
        dimensions[id.getArgNumber()],
        isBounded ? builder.getIndexAttr(std::max<int64_t>(*extent, 1))
                  : IntegerAttr());
    id.replaceAllUsesWith(index);
  }
  Operation *terminator = source.getTerminator();
  entry.getOperations().splice(entry.end(), source.getOperations(),
                               source.begin(), terminator->getIterator());
  builder.setInsertionPointToEnd(&entry);
  gpu::ReturnOp::create(builder, terminator->getLoc());
}

/// Three extents, those that are not given one.
static gpu::KernelDim3 getDim3(OpBuilder &builder, Location loc,
                               ArrayRef<Value> extents) {
  SmallVector<Value> all(extents);
  while (all.size() < 3)
    all.push_back(arith::ConstantIndexOp::create(builder, loc, 1));
  return {all[0], all[1], all[2]};
}

/// Starts `kernel` where `launch` stands. The start says again what the kernel
/// takes for granted, so that whoever carries it out can check it.
static void insertLaunchFunc(LaunchOp launch, gpu::GPUFuncOp kernel,
                             const CapturePlan &plan,
                             ArrayRef<Attribute> operandFacts,
                             int64_t sharedBytes) {
  OpBuilder builder(launch);
  Location loc = launch.getLoc();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  gpu::KernelDim3 grid =
      getDim3(builder, loc, llvm::to_vector(launch.getGrid()));
  gpu::KernelDim3 block =
      getDim3(builder, loc, {constant(getBlockThreads(launch))});
  std::optional<gpu::KernelDim3> cluster;
  if (std::optional<ArrayRef<int64_t>> extents = launch.getCluster())
    cluster = getDim3(builder, loc, llvm::map_to_vector(*extents, constant));
  Value bytes;
  if (sharedBytes > 0)
    bytes = arith::ConstantIntOp::create(builder, loc, sharedBytes, 32);
  SmallVector<Value> operands = plan.parameters;
  llvm::append_range(operands, encodeTensorMaps(plan.tensorMaps, loc, builder));
  auto start = gpu::LaunchFuncOp::create(
      builder, loc, kernel, grid, block, bytes, operands,
      /*asyncTokenType=*/Type(), /*asyncDependencies=*/ValueRange(), cluster);
  if (launch.getProgrammaticDependentLaunch())
    TileDialect::ProgrammaticDependentLaunchAttrHelper(launch.getContext())
        .setAttr(start, builder.getUnitAttr());
  if (llvm::all_of(operandFacts, llvm::IsaPred<UnitAttr>))
    return;
  TileDialect::OperandFactsAttrHelper(launch.getContext())
      .setAttr(start, builder.getArrayAttr(operandFacts));
}

// Pattern: tile.launch @k { body }  ->  gpu.func @k { body }, gpu.launch_func
// @k
static void outlineKernel(LaunchOp launch, gpu::GPUModuleOp kernels,
                          const CapturePlan &plan,
                          const tilec::GpuTarget &target) {
  stateDynamicBounds(launch);
  IndexFacts facts(launch);
  SmallVector<Attribute> attributes, operandFacts;
  for (Value parameter : plan.parameters) {
    Attribute known = getFactsAttr(parameter, facts);
    attributes.push_back(
        getParameterAttributes(parameter, known, plan.parameters));
    operandFacts.push_back(known ? known : UnitAttr::get(launch.getContext()));
  }
  SmallVector<Type> types = llvm::map_to_vector(
      plan.parameters, [](Value value) { return value.getType(); });
  for (size_t map = 0; map < plan.tensorMaps.size(); ++map) {
    types.push_back(TensorMapType::get(launch.getContext()));
    attributes.push_back(DictionaryAttr::get(launch.getContext()));
    operandFacts.push_back(UnitAttr::get(launch.getContext()));
  }
  int64_t sharedBytes = 0;
  for (auto arena : launch.getBody().getOps<ArenaOp>())
    sharedBytes = arena.getSize();

  OpBuilder builder = OpBuilder::atBlockEnd(kernels.getBody());
  auto kernel =
      gpu::GPUFuncOp::create(builder, launch.getLoc(), *launch.getKernel(),
                             builder.getFunctionType(types, {}));
  reportRegisters(launch, target);
  setKernelAttributes(launch, kernel, target);
  kernel.setArgAttrsAttr(builder.getArrayAttr(attributes));
  moveBody(launch, kernel, plan, facts);
  insertLaunchFunc(launch, kernel, plan, operandFacts, sharedBytes);
  launch.erase();
}

static LogicalResult verifyOutlinable(ModuleOp module,
                                      ArrayRef<LaunchOp> launches) {
  Operation *other = module.lookupSymbol(kernelModuleName);
  auto kernels = dyn_cast_or_null<gpu::GPUModuleOp>(other);
  if (other && !kernels)
    return other->emitError("the name @")
           << kernelModuleName << " is taken by the module of kernels; rename";
  for (LaunchOp launch : launches) {
    if (!launch.getKernel())
      return emitErrorWithoutRegions(launch)
             << "has no name; run tile-set-target first";
    if (launch.getRoles() && launch.getBody().getOps<SpecializeOp>().empty())
      return emitErrorWithoutRegions(launch)
             << "has roles, but not a program for each; run "
                "tile-specialize-warps first";
    if (kernels && kernels.lookupSymbol(*launch.getKernel()))
      return emitErrorWithoutRegions(launch)
             << "a kernel named @" << *launch.getKernel() << " exists already";
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct OutlineKernels : tile::impl::OutlineKernelsBase<OutlineKernels> {
  using OutlineKernelsBase::OutlineKernelsBase;

  void runOnOperation() override {
    auto launches = getLaunches(getOperation(), getArgument());
    if (failed(launches) || failed(verifyOutlinable(getOperation(), *launches)))
      return signalPassFailure();
    if (launches->empty())
      return;
    auto target = getModuleTarget(launches->front());
    if (failed(target))
      return signalPassFailure();
    SmallVector<SmallVector<TensorMapPlan>> tensorMaps;
    for (LaunchOp launch : *launches) {
      // The last to see where operands come from.
      if (failed(verifySharedCopies(launch)))
        return signalPassFailure();
      auto plans = planTensorMaps(launch);
      if (failed(plans))
        return signalPassFailure();
      tensorMaps.push_back(std::move(*plans));
    }
    gpu::GPUModuleOp kernels = getKernelModule(getOperation());
    Operation *numbered = nullptr;
    llvm::DenseMap<Value, int64_t> numbers;
    for (auto [launch, maps] : llvm::zip_equal(*launches, tensorMaps)) {
      auto function = launch->getParentOfType<func::FuncOp>();
      if (numbered != function)
        numbers = numberValues(numbered = function);
      outlineKernel(launch, kernels,
                    planCaptures(launch, numbers, std::move(maps)), **target);
    }
  }
};
} // namespace
