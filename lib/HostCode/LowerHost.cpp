//===- LowerHost.cpp - Host functions in the llvm dialect -----------------===//
//
// Each function gets the run that it belongs to as its first argument, `TileRtCall`,
// in which the runtime keeps the stream, the buffers and the first thing that went
// wrong. What C calls is a function beside it that begins and ends a run.
//
//===----------------------------------------------------------------------===//

#include "LowerHost.h"
#include "Runtime.h"

using namespace mlir;
using namespace mlir::tile;

/// An application may hold several objects with functions of a name.
static void makeInternal(func::FuncOp function) {
  function.setPrivate();
  function->setAttr(
      "llvm.linkage",
      LLVM::LinkageAttr::get(function.getContext(), LLVM::Linkage::Internal));
}

/// Makes a function private under a name that no C function has, with the run as its
/// first argument.
static LoweredFunction prepare(const HostFunction &host, Tables &tables) {
  func::FuncOp function = host.function;
  LoweredFunction lowered;
  lowered.function = function;
  lowered.name = function.getSymName().str();
  lowered.isExported = host.isExported;
  std::vector<std::string> names;
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    names.push_back(getArgumentName(function, i));
  lowered.table = tables.getFunction(function, lowered.name, names);

  makeInternal(function);
  function.setSymName("tile.host." + lowered.name);
  [[maybe_unused]] LogicalResult isInserted = function.insertArgument(
      0, LLVM::LLVMPointerType::get(function.getContext()), {},
      function.getLoc());
  assert(succeeded(isInserted) && "a function takes any type");
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    function.setArgAttrs(i, ArrayRef<NamedAttribute>());
  return lowered;
}

/// Takes away whatever is not compiled.
static void keepOnly(ModuleOp module, ArrayRef<HostFunction> functions) {
  for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
    if (llvm::none_of(functions, [&](const HostFunction &host) {
          return host.function == &op;
        }))
      op.erase();
  // What the module says of kernels is no host code's.
  for (NamedAttribute attribute : module->getDiscardableAttrs())
    module->removeDiscardableAttr(attribute.getName());
}

/// Has the runtime told when the object is unloaded.
static void addDestructor(ModuleOp module, LLVM::GlobalOp image) {
  Location loc = module.getLoc();
  auto builder = OpBuilder::atBlockEnd(module.getBody());
  auto function = LLVM::LLVMFuncOp::create(
      builder, loc, "tile.unload",
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(module.getContext()),
                                  {}),
      LLVM::Linkage::Internal);
  builder.setInsertionPointToStart(function.addEntryBlock(builder));
  Runtime(builder).call(loc, "tileRtForget", {},
                        getAddress(builder, loc, image));
  LLVM::ReturnOp::create(builder, loc, ValueRange());
  builder.setInsertionPointToEnd(module.getBody());
  constexpr int32_t lastOfAll = 65535;
  LLVM::GlobalDtorsOp::create(
      builder, loc, builder.getArrayAttr(FlatSymbolRefAttr::get(function)),
      builder.getI32ArrayAttr(lastOfAll),
      builder.getArrayAttr(LLVM::ZeroAttr::get(module.getContext())));
}

FailureOr<OwningOpRef<ModuleOp>>
tile::lowerHost(const CompiledProgram &program) {
  OwningOpRef<ModuleOp> module = program.host.get().clone();
  FailureOr<std::vector<HostFunction>> functions = getHostFunctions(*module);
  if (failed(functions))
    return failure();
  keepOnly(*module, *functions);
  MLIRContext *context = module->getContext();
  context->loadDialect<LLVM::LLVMDialect>();
  Tables tables(*module, program);
  std::vector<LoweredFunction> lowered;
  for (const HostFunction &host : *functions)
    lowered.push_back(prepare(host, tables));
  for (const LoweredFunction &function : lowered)
    lowerOperations(function, lowered, tables);
  for (const LoweredFunction &function : lowered)
    if (function.isExported)
      makeEntry(function);
  addDestructor(*module, tables.getImage());
  countLoops(*module);
  if (failed(convertToLLVM(*module)))
    return failure();
  return module;
}
