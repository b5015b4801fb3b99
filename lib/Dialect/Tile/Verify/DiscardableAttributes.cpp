//===- DiscardableAttributes.cpp - The `tile.` attributes of other ops ----===//
//
// Hints on loops, facts about arguments, the stage of kernels and the target of
// a module are attributes of operations that are not ours. Each has one place
// where it may stand; anything else that starts with `tile.` is an error, and so is
// a hint without its `tile.`, so that a misspelt one is not silently without effect.
//
//===----------------------------------------------------------------------===//

#include "LayoutChecks.h"
#include "LegalOperations.h"
#include "ParameterFacts.h"

#include "tile/Dialect/Tile/ScheduleHints.h"
#include "tile/Dialect/Tile/Stages.h"
#include "tile/Dialect/Tile/TileTarget.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::tile;

static constexpr StringLiteral knownNames =
    "tile.stages, tile.pipeline_stage, tile.pipeline_order on loops; "
    "tile.align, "
    "tile.divisible, tile.dims, tile.may_alias on arguments; "
    "tile.memref_facts, tile.scalar_facts on parameters of kernels; "
    "tile.operand_facts on launches of kernels; "
    "tile.programmatic_dependent_launch on kernels and their launches; "
    "tile.stage on kernels; "
    "tile.target on the module";

//===----------------------------------------------------------------------===//
// Loop hints
//===----------------------------------------------------------------------===//

/// The value of an i32 hint that is not negative.
static FailureOr<int64_t> verifyHint(Operation *op, NamedAttribute attribute) {
  auto value = dyn_cast<IntegerAttr>(attribute.getValue());
  if (!value || !value.getType().isInteger(32))
    return op->emitOpError() << "has '" << attribute.getName().getValue()
                             << "', which must be an i32 as in '"
                             << attribute.getName().getValue()
                             << " = 3 : i32', got " << attribute.getValue();
  if (value.getInt() < 0)
    return op->emitOpError()
           << "has '" << attribute.getName().getValue()
           << "', which must not be negative, got " << value.getInt();
  return value.getInt();
}

/// An explicit schedule covers every operation of the body but constants, or
/// none.
static LogicalResult verifyIsWhole(scf::ForOp loop) {
  Operation *scheduled = nullptr, *unscheduled = nullptr;
  for (Operation &op : loop.getBody()->without_terminator())
    if (getScheduleHint(&op))
      scheduled = &op;
    else if (!op.hasTrait<OpTrait::ConstantLike>())
      unscheduled = &op;
  if (!scheduled || !unscheduled)
    return success();
  InFlightDiagnostic error = unscheduled->emitOpError(
      "has no 'tile.pipeline_stage' and 'tile.pipeline_order', but other "
      "operations of its loop have; give both to all or to none");
  error.attachNote(scheduled->getLoc()) << "an operation with a schedule";
  return error;
}

/// Operations of one order follow each other and have one stage: what was
/// written out from one.
static LogicalResult verifyOrders(scf::ForOp loop) {
  llvm::SmallDenseMap<int64_t, Operation *> orders;
  Operation *before = nullptr;
  for (Operation &op : loop.getBody()->without_terminator()) {
    std::optional<ScheduleHint> hint = getScheduleHint(&op);
    if (!hint)
      continue;
    auto [same, isNew] = orders.try_emplace(hint->order.getInt(), &op);
    bool continues = !isNew && same->second == before &&
                     getScheduleHint(before)->stage == hint->stage;
    if (!isNew && !continues) {
      InFlightDiagnostic error =
          op.emitOpError("has 'tile.pipeline_order' ")
          << hint->order.getInt()
          << ", which another operation of the loop has; only neighbours of "
             "one stage share an order";
      error.attachNote(same->second->getLoc()) << "the other operation";
      return error;
    }
    same->second = before = &op;
  }
  return success();
}

/// The stages of an explicit schedule are below the loop's. Later than at
/// `logical` operations stand beside those of the program, which
/// `tile-pipeline-loops` finds a place for.
static LogicalResult verifySchedule(scf::ForOp loop, int64_t stageCount) {
  for (Operation &op : loop.getBody()->without_terminator()) {
    std::optional<ScheduleHint> hint = getScheduleHint(&op);
    if (hint && hint->stage.getInt() >= std::max<int64_t>(stageCount, 1))
      return op.emitOpError("has 'tile.pipeline_stage' ")
             << hint->stage.getInt() << ", but its loop has stages 0 to "
             << std::max<int64_t>(stageCount, 1) - 1
             << " ('tile.stages' = " << stageCount << ")";
  }
  auto launch = loop->getParentOfType<LaunchOp>();
  if (launch && getReachedStage(launch) > Stage::Logical)
    return success();
  return success(succeeded(verifyIsWhole(loop)) &&
                 succeeded(verifyOrders(loop)));
}

static LogicalResult verifyStagesHint(Operation *op, NamedAttribute attribute) {
  auto loop = dyn_cast<scf::ForOp>(op);
  if (!loop)
    return op->emitOpError("has 'tile.stages', which stands on 'scf.for'");
  FailureOr<int64_t> count = verifyHint(op, attribute);
  return failed(count) ? failure() : verifySchedule(loop, *count);
}

static LogicalResult verifyPipelineHint(Operation *op, NamedAttribute attribute,
                                        TileDialect &dialect) {
  // Constants are in no schedule and may stand anywhere.
  if (op->hasTrait<OpTrait::ConstantLike>())
    return verifyHint(op, attribute);
  auto loop = dyn_cast_or_null<scf::ForOp>(op->getParentOp());
  if (!loop || !dialect.getStagesAttrHelper().isAttrPresent(loop) ||
      op->hasTrait<OpTrait::IsTerminator>())
    return op->emitOpError() << "has '" << attribute.getName().getValue()
                             << "', which stands on the operations of an "
                                "'scf.for' with 'tile.stages'";
  if (failed(verifyHint(op, attribute)))
    return failure();
  if (!getScheduleHint(op))
    return op->emitOpError()
           << "has '" << attribute.getName().getValue()
           << "' alone; a schedule is 'tile.pipeline_stage' and "
              "'tile.pipeline_order'";
  return success();
}

//===----------------------------------------------------------------------===//
// Module and functions
//===----------------------------------------------------------------------===//

/// Launch names, which become kernels, are unique.
static LogicalResult verifyTarget(Operation *op, NamedAttribute attribute) {
  auto target = dyn_cast<TargetAttr>(attribute.getValue());
  if (!isa<ModuleOp>(op) || !target)
    return op->emitOpError(
        "has 'tile.target', which is a #tile.target<\"...\"> "
        "on the module");
  llvm::DenseMap<StringAttr, LaunchOp> launches;
  WalkResult result = op->walk([&](LaunchOp launch) -> WalkResult {
    StringAttr name = launch.getKernelAttr();
    if (!name)
      return WalkResult::advance();
    auto [first, inserted] = launches.try_emplace(name, launch);
    if (inserted)
      return WalkResult::advance();
    InFlightDiagnostic error =
        launch.emitOpError("is named '@")
        << name.getValue()
        << "' like another launch; names are unique in the module";
    error.attachNote(first->second.getLoc()) << "the other launch";
    return error;
  });
  return failure(result.wasInterrupted());
}

static LogicalResult verifyStageAttribute(Operation *op,
                                          NamedAttribute attribute) {
  auto stage = dyn_cast<StageAttr>(attribute.getValue());
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!stage || !function)
    return op->emitOpError("has 'tile.stage', which is a #tile.stage<...> on a "
                           "kernel or a function without launches");
  bool holdsLaunch = op->walk([](LaunchOp) {
                         return WalkResult::interrupt();
                       }).wasInterrupted();
  if (holdsLaunch)
    return op->emitOpError("has 'tile.stage', but holds launches, which carry "
                           "their own 'stage'");
  return verifyStage(op, stage.getValue());
}

static LogicalResult verifyDependentLaunch(Operation *op,
                                           NamedAttribute attribute) {
  if (!gpu::GPUDialect::isKernel(op) && !getKernelLaunch(op))
    return op->emitOpError()
           << "has '" << attribute.getName().getValue()
           << "', which stands on kernels and on 'gpu.launch_func'; on a "
              "'tile.launch' it is 'programmatic_dependent_launch'";
  if (!isa<UnitAttr>(attribute.getValue()))
    return op->emitOpError()
           << "has '" << attribute.getName().getValue()
           << "', which takes no value, got " << attribute.getValue();
  return success();
}

LogicalResult TileDialect::verifyOperationAttribute(Operation *op,
                                                    NamedAttribute attribute) {
  StringRef name = attribute.getName().getValue();
  if (name == getStagesAttrHelper().getNameStr())
    return verifyStagesHint(op, attribute);
  if (name == getPipelineStageAttrHelper().getNameStr() ||
      name == getPipelineOrderAttrHelper().getNameStr())
    return verifyPipelineHint(op, attribute, *this);
  if (name == getTargetAttrHelper().getNameStr())
    return verifyTarget(op, attribute);
  if (name == getStageAttrHelper().getNameStr())
    return verifyStageAttribute(op, attribute);
  if (name == getOperandFactsAttrHelper().getNameStr())
    return verifyOperandFacts(op, attribute.getValue());
  if (name == getProgrammaticDependentLaunchAttrHelper().getNameStr())
    return verifyDependentLaunch(op, attribute);
  if (llvm::is_contained({getAlignAttrHelper().getNameStr(),
                          getDivisibleAttrHelper().getNameStr(),
                          getDimsAttrHelper().getNameStr(),
                          getMayAliasAttrHelper().getNameStr(),
                          getMemrefFactsAttrHelper().getNameStr(),
                          getScalarFactsAttrHelper().getNameStr()},
                         name))
    return op->emitOpError()
           << "has '" << name << "', which stands on an argument of a function";
  return op->emitOpError() << "has unknown attribute '" << name
                           << "'; known: " << knownNames;
}

/// Whether `name` is one of `knownNames`.
static bool isKnown(StringRef name) {
  SmallVector<StringRef> words;
  knownNames.split(words, ' ');
  return llvm::any_of(words,
                      [&](StringRef word) { return word.rtrim(",;") == name; });
}

LogicalResult tile::verifyAttributeNames(Operation *op) {
  bool isOurs = isa_and_nonnull<TileDialect>(op->getDialect());
  for (NamedAttribute attribute : op->getDiscardableAttrs()) {
    StringRef name = attribute.getName();
    std::string hint = (TileDialect::getDialectNamespace() + "." + name).str();
    if (!isOurs && isKnown(hint))
      return op->emitOpError("has attribute '")
             << name << "', which nobody reads; the hint is '" << hint << "'";
    if (!isOurs || name.contains('.'))
      continue;
    InFlightDiagnostic error = op->emitOpError("has unknown attribute '")
                               << name << "'; ";
    ArrayRef<StringAttr> known = op->getName().getAttributeNames();
    error << (known.empty() ? "it has none of its own" : "its own are ");
    llvm::interleaveComma(known, error,
                          [&](StringAttr own) { error << own.getValue(); });
    return error;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Facts about arguments
//===----------------------------------------------------------------------===//

namespace {
/// One argument of a function and what errors about it say first.
struct Argument {
  mutable FunctionOpInterface function;
  unsigned index;
  StringRef attribute;

  MemRefType getType() const {
    return dyn_cast<MemRefType>(function.getArgumentTypes()[index]);
  }
  InFlightDiagnostic emitError() const {
    return function.emitOpError("argument ")
           << index << " has '" << attribute << "'";
  }
};
} // namespace

static LogicalResult verifyAlign(const Argument &argument, Attribute value) {
  auto align = dyn_cast<IntegerAttr>(value);
  if (!align || !align.getType().isInteger(64) || align.getInt() < 1 ||
      !llvm::isPowerOf2_64(align.getInt()))
    return argument.emitError()
           << ", which must be a power of two in bytes, got " << value;
  return success();
}

static LogicalResult verifyDivisible(const Argument &argument,
                                     Attribute value) {
  auto divisors = dyn_cast<DenseI64ArrayAttr>(value);
  int64_t rank = argument.getType().getRank();
  if (!divisors || divisors.size() != rank)
    return argument.emitError()
           << ", which must have a divisor per dimension (" << rank
           << "), as in array<i64: 1, 8>, got " << value;
  for (auto [dim, extent, divisor] :
       llvm::enumerate(argument.getType().getShape(), divisors.asArrayRef())) {
    if (divisor < 1)
      return argument.emitError()
             << ", whose entries must be positive, got " << divisor;
    if (!ShapedType::isDynamic(extent) && extent % divisor != 0)
      return argument.emitError() << ", but size " << extent << " of dimension "
                                  << dim << " is not divisible by " << divisor;
  }
  return success();
}

/// Equal names are equal sizes: static ones of this and earlier arguments
/// agree.
static LogicalResult verifyDims(const Argument &argument, Attribute value) {
  auto getNames = [](Attribute attribute, MemRefType type) {
    auto names = dyn_cast_or_null<ArrayAttr>(attribute);
    bool fits = names && type &&
                static_cast<int64_t>(names.size()) == type.getRank() &&
                llvm::all_of(names, llvm::IsaPred<StringAttr>);
    return fits ? names : ArrayAttr();
  };
  if (!getNames(value, argument.getType()))
    return argument.emitError() << ", which must have a name per dimension ("
                                << argument.getType().getRank()
                                << "), as in [\"M\", \"\"], got " << value;
  llvm::SmallDenseMap<StringRef, std::pair<unsigned, int64_t>> sizes;
  for (unsigned index = 0; index <= argument.index; ++index) {
    auto type =
        dyn_cast<MemRefType>(argument.function.getArgumentTypes()[index]);
    ArrayAttr names = getNames(argument.function.getArgAttrOfType<Attribute>(
                                   index, argument.attribute),
                               type);
    if (!names)
      continue;
    for (auto [entry, extent] : llvm::zip_equal(names, type.getShape())) {
      StringRef name = cast<StringAttr>(entry).getValue();
      if (name.empty() || ShapedType::isDynamic(extent))
        continue;
      auto [known, isNew] = sizes.try_emplace(name, index, extent);
      if (!isNew && known->second.second != extent && index == argument.index)
        return argument.emitError()
               << ", which names a size of " << extent << " '" << name
               << "', but argument " << known->second.first << " has '" << name
               << "' = " << known->second.second;
    }
  }
  return success();
}

/// Kernels state facts; of functions of the program they are found out.
static LogicalResult verifyFactsOfParameter(const Argument &argument,
                                            Attribute facts) {
  auto kernel = dyn_cast<gpu::GPUFuncOp>(argument.function.getOperation());
  if (!kernel || !kernel.isKernel())
    return argument.emitError() << ", which stands on parameters of kernels";
  bool isMemRef =
      argument.attribute == TileDialect::MemrefFactsAttrHelper::getNameStr();
  if (isMemRef != isa<MemRefFactsAttr>(facts))
    return argument.emitError()
           << ", which is a #" << argument.attribute << "<..>, got " << facts;
  return verifyParameterFacts(kernel.getArgumentTypes()[argument.index], facts,
                              [&] { return argument.emitError(); });
}

LogicalResult TileDialect::verifyRegionArgAttribute(Operation *op,
                                                    unsigned regionIndex,
                                                    unsigned argIndex,
                                                    NamedAttribute attribute) {
  StringRef name = attribute.getName().getValue();
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function)
    return op->emitOpError()
           << "has '" << name << "' on an argument, which only functions have";
  Argument argument{function, argIndex, name};
  if (name == getMemrefFactsAttrHelper().getNameStr() ||
      name == getScalarFactsAttrHelper().getNameStr())
    return verifyFactsOfParameter(argument, attribute.getValue());
  bool isFact = llvm::is_contained(
      {getAlignAttrHelper().getNameStr(), getDivisibleAttrHelper().getNameStr(),
       getDimsAttrHelper().getNameStr(), getMayAliasAttrHelper().getNameStr()},
      name);
  if (!isFact)
    return argument.emitError()
           << ", which arguments do not have; known: " << knownNames;
  if (!argument.getType())
    return argument.emitError() << ", which is a fact about memrefs, but has "
                                   "type "
                                << function.getArgumentTypes()[argIndex];
  if (name == getAlignAttrHelper().getNameStr())
    return verifyAlign(argument, attribute.getValue());
  if (name == getDivisibleAttrHelper().getNameStr())
    return verifyDivisible(argument, attribute.getValue());
  if (name == getDimsAttrHelper().getNameStr())
    return verifyDims(argument, attribute.getValue());
  if (!isa<UnitAttr>(attribute.getValue()))
    return argument.emitError()
           << ", which takes no value, got " << attribute.getValue();
  return success();
}

LogicalResult TileDialect::verifyRegionResultAttribute(
    Operation *op, unsigned, unsigned index, NamedAttribute attribute) {
  return op->emitOpError("result ")
         << index << " has '" << attribute.getName().getValue()
         << "', which results do not have; known: " << knownNames;
}
