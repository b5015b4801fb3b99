//===- KernelABI.cpp - Parameters of a kernel -----------------------------===//

#include "KernelABI.h"

using namespace mlir;
using namespace mlir::tile;

/// The alignment that LLVM is told of a memref argument's pointer. LLVM may
/// join narrow loads into one of this size that reads a little more, so it is
/// never more than what divides the size of the memref too: no load passes the
/// end. Accesses that are wide on purpose carry their own alignment.
static int64_t getPointerAlignment(ThreadEmitter &emitter, BlockArgument arg) {
  auto type = cast<MemRefType>(arg.getType());
  if (emitter.isNarrow(type.getElementType()))
    return 1;
  int64_t bytes = emitter.getMemoryBytes(type.getElementType());
  if (!type.getLayout().isIdentity())
    return bytes;
  MemRefFacts facts = emitter.facts.getMemRefFacts(arg);
  int64_t alignment = facts.alignmentBytes, sizeBytes = bytes;
  for (int64_t divisor : facts.sizeDivisors)
    sizeBytes = std::gcd(sizeBytes * std::gcd(divisor, alignment), alignment);
  return std::gcd(sizeBytes, alignment);
}

/// A tensor map is passed by value; the copy engine reads it where the launch
/// put it, which a copy in a thread's memory would not do.
static DictionaryAttr getTensorMapAttributes(MLIRContext *context) {
  constexpr int64_t sizeBytes = 128, alignBytes = 64;
  Builder builder(context);
  NamedAttrList attrs;
  attrs.set(
      LLVM::LLVMDialect::getByValAttrName(),
      TypeAttr::get(LLVM::LLVMArrayType::get(builder.getI8Type(), sizeBytes)));
  attrs.set(NVVM::NVVMDialect::getGridConstantAttrName(),
            builder.getUnitAttr());
  attrs.set(LLVM::LLVMDialect::getAlignAttrName(),
            builder.getI64IntegerAttr(alignBytes));
  return attrs.getDictionary(context);
}

LogicalResult KernelSignature::build(ArrayRef<bool> isUnaliased) {
  MLIRContext *context = kernel.getContext();
  Builder builder(context);
  for (BlockArgument arg : kernel.getArguments()) {
    if (isa<TensorMapType>(arg.getType())) {
      add(LLVM::LLVMPointerType::get(context), getTensorMapAttributes(context));
      continue;
    }
    auto memref = dyn_cast<MemRefType>(arg.getType());
    if (!memref) {
      Type type = emitter.convertMemoryType(arg.getType());
      if (!type)
        return emitter.notImplemented(kernel, "a kernel parameter of type ")
               << arg.getType();
      add(emitter.isNarrow(arg.getType()) ? builder.getI8Type() : type);
      continue;
    }
    SmallVector<int64_t> strides;
    int64_t offset;
    if (failed(memref.getStridesAndOffset(strides, offset)) ||
        isSharedMemory(memref) ||
        !emitter.convertMemoryType(memref.getElementType()))
      return emitter.notImplemented(kernel, "a kernel parameter of type ")
             << memref;
    NamedAttrList attrs;
    attrs.set(LLVM::LLVMDialect::getAlignAttrName(),
              builder.getI64IntegerAttr(getPointerAlignment(emitter, arg)));
    if (isUnaliased[arg.getArgNumber()])
      attrs.set(LLVM::LLVMDialect::getNoAliasAttrName(), builder.getUnitAttr());
    add(LLVM::LLVMPointerType::get(context, 1), attrs.getDictionary(context));
    int64_t scalars = memref.getNumDynamicDims() +
                      llvm::count_if(strides, ShapedType::isDynamic) +
                      ShapedType::isDynamic(offset);
    for (int64_t i = 0; i < scalars; ++i)
      add(builder.getI64Type());
  }
  return success();
}

LLVM::LLVMFunctionType KernelSignature::getType() {
  return LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(kernel.getContext()), types);
}

/// The name of a parameter's size along `dim`; empty where there is none.
static StringRef getSizeName(gpu::GPUFuncOp kernel, unsigned argument,
                             size_t dim) {
  auto names = kernel.getArgAttrOfType<ArrayAttr>(
      argument, TileDialect::DimsAttrHelper::getNameStr());
  return names && dim < names.size() ? cast<StringAttr>(names[dim]).getValue()
                                     : StringRef();
}

void KernelSignature::bind(LLVM::LLVMFuncOp function) {
  unsigned next = 0;
  // Sizes of one name are one value, so that what depends on them is computed once.
  llvm::StringMap<Value> namedSizes;
  for (BlockArgument arg : kernel.getArguments()) {
    if (isa<TensorMapType>(arg.getType())) {
      emitter.bind(arg, function.getArgument(next++));
      continue;
    }
    auto memref = dyn_cast<MemRefType>(arg.getType());
    if (!memref) {
      emitter.bind(arg, emitter.fromParameter(function.getArgument(next++),
                                              arg.getType()));
      continue;
    }
    SmallVector<int64_t> strides;
    int64_t offset;
    (void)memref.getStridesAndOffset(strides, offset);
    GlobalView view;
    view.base = view.pointer = function.getArgument(next++);
    for (auto [dim, extent] : llvm::enumerate(memref.getShape())) {
      Value size = ShapedType::isDynamic(extent) ? function.getArgument(next++)
                                                 : emitter.i64(extent);
      StringRef name = getSizeName(kernel, arg.getArgNumber(), dim);
      view.sizes.push_back(
          name.empty() ? size
                       : namedSizes.try_emplace(name, size).first->second);
    }
    for (int64_t stride : strides)
      view.strides.push_back(ShapedType::isDynamic(stride)
                                 ? function.getArgument(next++)
                                 : emitter.i64(stride));
    int64_t bytes = emitter.getMemoryBytes(memref.getElementType());
    if (emitter.isNarrow(memref.getElementType())) {
      if (ShapedType::isDynamic(offset))
        view.offset = function.getArgument(next++);
      else if (offset != 0)
        view.offset = emitter.i64(offset);
    } else if (ShapedType::isDynamic(offset))
      view.pointer = emitter.advance(
          view.pointer, emitter.multiply(function.getArgument(next++), bytes));
    else
      view.pointer = emitter.advance(view.pointer, offset * bytes);
    emitter.bind(arg, std::move(view));
  }
}
