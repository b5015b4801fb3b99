//===- CommonWords.cpp - Words in which several store elements ------------===//

#include "CommonWords.h"

#include "tile/Analysis/ThreadCopy.h"
#include "tile/Dialect/Tile/CopyFacts.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tile;

static bool isNarrowGlobal(Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  return !isSharedMemory(type) &&
         MemoryEmitter::isNarrow(type.getElementType());
}

bool tile::storesSingleElements(ThreadEmitter &emitter) {
  auto isSingleStore = [&](Operation *op) {
    return llvm::TypeSwitch<Operation *, bool>(op)
        .Case([](StoreOp store) {
          return isNarrowGlobal(store.getDest()) &&
                 store.getVectorWidth().value_or(1) == 1;
        })
        .Case([&](CopyOp copy) {
          return isNarrowGlobal(copy.getDest()) && !isBulkCopy(copy) &&
                 getStoreWidth(emitter.facts, copy,
                               emitter.getLayout(copy.getLayoutAttr())) == 1;
        })
        .Case([](memref::StoreOp store) {
          return isNarrowGlobal(store.getMemRef());
        })
        .Default(false);
  };
  return emitter.kernel
      .walk([&](Operation *op) {
        return isSingleStore(op) ? WalkResult::interrupt()
                                 : WalkResult::advance();
      })
      .wasInterrupted();
}

bool tile::mayHaveCommonWords(ThreadEmitter &emitter, Value memref) {
  return emitter.hasSingleStores && isNarrowGlobal(memref) &&
         !emitter.isReadOnly(memref);
}
