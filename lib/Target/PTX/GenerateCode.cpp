//===- GenerateCode.cpp - From LLVM IR to PTX -----------------------------===//
//
// LLVM's vectorizer of loads fills gaps: of four bytes of which a thread reads two, it
// loads four, as a masked load whose other bytes nobody uses. They may be another
// thread's, which writes them at that time: in PTX a race, however harmless in hardware.
// The pragma that tells the used bytes ("used_bytes_mask") is of PTX 8.3, and says nothing
// about races. Masked loads therefore become loads of what is used.
//
//===----------------------------------------------------------------------===//

#include "GenerateCode.h"
#include "JoinCopies.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Pass.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Vectorize/LoadStoreVectorizer.h"

#include <memory>
#include <utility>

using namespace mlir;

/// The loads of what `masked` reads, each as long as its alignment and the mask allow;
/// the values of the elements, poison for those that are not read.
static llvm::SmallVector<llvm::Value *>
loadElements(llvm::IntrinsicInst &masked, const llvm::Constant &mask) {
  auto *type = llvm::cast<llvm::FixedVectorType>(masked.getType());
  llvm::Type *element = type->getElementType();
  uint64_t bytes = masked.getDataLayout().getTypeStoreSize(element);
  unsigned count = type->getNumElements();
  auto isRead = [&](unsigned index) {
    return index < count && mask.getAggregateElement(index)->isOneValue();
  };
  llvm::IRBuilder<> builder(&masked);
  llvm::SmallVector<llvm::Value *> elements(count,
                                            llvm::PoisonValue::get(element));
  for (unsigned first = 0, length = 0; first < count; first += length) {
    length = 1;
    if (!isRead(first))
      continue;
    llvm::Align align = llvm::commonAlignment(
        masked.getParamAlign(0).valueOrOne(), first * bytes);
    while (align.value() >= 2 * length * bytes &&
           llvm::all_of(llvm::seq(first + length, first + 2 * length), isRead))
      length *= 2;
    llvm::Value *address = builder.CreateConstInBoundsGEP1_64(
        element, masked.getArgOperand(0), first);
    llvm::Type *run =
        length == 1 ? element : llvm::FixedVectorType::get(element, length);
    llvm::LoadInst *load = builder.CreateAlignedLoad(run, address, align);
    load->copyMetadata(masked);
    for (unsigned i = 0; i < length; ++i)
      elements[first + i] =
          length == 1 ? load : builder.CreateExtractElement(load, i);
  }
  return elements;
}

/// Replaces a masked load, where it is used by elements without a vector of them, which
/// the code generator would pack and take apart again.
static void splitMaskedLoad(llvm::IntrinsicInst &masked,
                            const llvm::Constant &mask) {
  llvm::SmallVector<llvm::Value *> elements = loadElements(masked, mask);
  for (llvm::User *user : llvm::make_early_inc_range(masked.users())) {
    auto *extract = llvm::dyn_cast<llvm::ExtractElementInst>(user);
    auto *index =
        extract ? llvm::dyn_cast<llvm::ConstantInt>(extract->getIndexOperand())
                : nullptr;
    if (!index || index->getZExtValue() >= elements.size())
      continue;
    extract->replaceAllUsesWith(elements[index->getZExtValue()]);
    extract->eraseFromParent();
  }
  if (!masked.use_empty()) {
    llvm::IRBuilder<> builder(&masked);
    llvm::Value *whole = llvm::PoisonValue::get(masked.getType());
    for (auto [index, element] : llvm::enumerate(elements))
      whole = builder.CreateInsertElement(whole, element, index);
    masked.replaceAllUsesWith(whole);
  }
  masked.eraseFromParent();
}

namespace {

class SplitMaskedLoads final : public llvm::FunctionPass {
public:
  static char ID;
  SplitMaskedLoads() : FunctionPass(ID) {}

  bool runOnFunction(llvm::Function &function) override {
    llvm::SmallVector<std::pair<llvm::IntrinsicInst *, llvm::Constant *>> found;
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
        if (call->getIntrinsicID() == llvm::Intrinsic::masked_load)
          if (auto *mask =
                  llvm::dyn_cast<llvm::Constant>(call->getArgOperand(1)))
            found.emplace_back(call, mask);
    for (auto [masked, mask] : found)
      splitMaskedLoad(*masked, *mask);
    return !found.empty();
  }

  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override {
    usage.setPreservesCFG();
  }

  llvm::StringRef getPassName() const override {
    return "Split masked loads into loads of what is read";
  }
};
char SplitMaskedLoads::ID = 0;

/// The passes of code generation, and ours between them.
class CodeGenPasses final : public llvm::legacy::PassManager {
public:
  void add(llvm::Pass *pass) override {
    llvm::AnalysisID id = pass->getPassID();
    if (id == &llvm::ProcessImplicitDefsID)
      PassManager::add(tile::createForwardCopiesPass());
    if (id == &llvm::RegisterCoalescerID)
      PassManager::add(tile::createJoinChainsPass());
    PassManager::add(pass);
    if (id == vectorizer->getPassID())
      PassManager::add(new SplitMaskedLoads);
  }

private:
  std::unique_ptr<llvm::Pass> vectorizer{llvm::createLoadStoreVectorizerPass()};
};

} // namespace

/// PTX cannot say a quotation mark in the name of a file, which LLVM writes as `\"`; an
/// apostrophe stands for it.
static void replaceQuotes(std::string &ptx) {
  static constexpr llvm::StringLiteral directive = "\n\t.file\t";
  size_t at = ptx.find(directive);
  for (; at != std::string::npos; at = ptx.find(directive, at))
    for (++at; at < ptx.size() && ptx[at] != '\n'; ++at) {
      if (ptx[at] != '\\')
        continue;
      if (ptx[at + 1] == '"')
        ptx.replace(at, 2, "'");
      else
        ++at;
    }
}

std::optional<std::string> tile::generateCode(llvm::Module &module,
                                              llvm::TargetMachine &machine) {
  llvm::SmallString<0> ptx;
  llvm::raw_svector_ostream stream(ptx);
  CodeGenPasses passes;
  if (machine.addPassesToEmitFile(passes, stream, /*DwoOut=*/nullptr,
                                  llvm::CodeGenFileType::AssemblyFile))
    return std::nullopt;
  passes.run(module);
  std::string text = ptx.str().str();
  replaceQuotes(text);
  return text;
}
