//===- JoinCopiesTest.cpp - Which copies of registers are joined ----------===//
//
// Each case is a function of machine code whose copies are counted behind the pass: PTX
// tells nothing, as LLVM's coalescer joins what the passes leave.
//
//===----------------------------------------------------------------------===//

#include "JoinCopies.h"

#include "llvm/CodeGen/MIRParser/MIRParser.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

#include <gtest/gtest.h>

using namespace mlir;

namespace {

class JoinCopies : public testing::Test {
protected:
  JoinCopies() {
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTargetMC();
    llvm::Triple triple("nvptx64-nvidia-cuda");
    std::string error;
    machine.reset(llvm::TargetRegistry::lookupTarget(triple, error)
                      ->createTargetMachine(triple, "sm_90", "+ptx80", {}, {}));
  }

  /// The copies that `pass` leaves of a function's blocks, each as "to=from".
  std::string run(llvm::MachineFunctionPass *pass, llvm::StringRef blocks) {
    std::string text = "---\nname: f\ntracksRegLiveness: true\nbody: |\n";
    text += blocks;
    text += "...\n";
    auto parser = llvm::createMIRParser(
        llvm::MemoryBuffer::getMemBufferCopy(text, "test.mir"), context);
    std::unique_ptr<llvm::Module> module = parser->parseIRModule();
    module->setDataLayout(machine->createDataLayout());
    module->setTargetTriple(machine->getTargetTriple());
    auto *info = new llvm::MachineModuleInfoWrapperPass(machine.get());
    EXPECT_FALSE(parser->parseMachineFunctions(*module, info->getMMI()));
    llvm::legacy::PassManager passes;
    passes.add(info);
    passes.add(pass);
    passes.run(*module);
    std::string copies;
    llvm::raw_string_ostream os(copies);
    const auto *function =
        info->getMMI().getMachineFunction(*module->getFunction("f"));
    for (const llvm::MachineBasicBlock &block : *function)
      for (const llvm::MachineInstr &instruction : block)
        if (instruction.isCopy())
          os << (copies.empty() ? "" : " ")
             << instruction.getOperand(0).getReg().virtRegIndex() << "="
             << instruction.getOperand(1).getReg().virtRegIndex();
    return copies;
  }

  std::string join(llvm::StringRef blocks) {
    return run(tile::createJoinChainsPass(), blocks);
  }

  llvm::LLVMContext context;
  std::unique_ptr<llvm::TargetMachine> machine;
};

TEST_F(JoinCopies, AreForwarded) {
  EXPECT_EQ(run(tile::createForwardCopiesPass(), R"mir(
  bb.0:
    %0:b32 = IMPLICIT_DEF
    %1:b32 = COPY %0
  bb.1:
    successors: %bb.1
    %2:b32 = PHI %1, %bb.0, %3, %bb.1
    %3:b32 = COPY %2
    %4:b32 = COPY %3
    %5:b64 = KILL %4
    BUNDLE %0
    GOTO %bb.1
)mir"),
            "");
}

// Registers of two classes need the copy between them.
TEST_F(JoinCopies, OfOneClassAreForwarded) {
  EXPECT_EQ(run(tile::createForwardCopiesPass(), R"mir(
  bb.0:
    %0:b32 = IMPLICIT_DEF
    %1:b64 = COPY %0
    %2:b64 = COPY %1
    BUNDLE %2
)mir"),
            "1=0");
}

// What a product's statement does to an accumulator, three times.
TEST_F(JoinCopies, OfChainsAreJoined) {
  EXPECT_EQ(join(R"mir(
  bb.0:
    %0:b32 = IMPLICIT_DEF
    %1:b32 = COPY killed %0
    %1:b32 = KILL killed %1
    %2:b32 = COPY killed %1
    %2:b32 = KILL killed %2
    %3:b32 = COPY killed %2
    %3:b32 = KILL killed %3
  bb.1:
    BUNDLE killed %3
)mir"),
            "");
}

TEST_F(JoinCopies, OfWhatLivesOnStay) {
  EXPECT_EQ(join(R"mir(
  bb.0:
    %0:b32 = IMPLICIT_DEF
    %1:b32 = COPY %0
    %1:b32 = KILL killed %1
    BUNDLE killed %0, killed %1
)mir"),
            "1=0");
}

// The source is another block's, where it may be another value's, too.
TEST_F(JoinCopies, OfOtherBlocksStay) {
  EXPECT_EQ(join(R"mir(
  bb.0:
    %0:b32 = IMPLICIT_DEF
  bb.1:
    %1:b32 = COPY killed %0
    BUNDLE killed %1
)mir"),
            "1=0");
}

// A chain ends with its block.
TEST_F(JoinCopies, OfChainsOfOtherBlocksStay) {
  EXPECT_EQ(join(R"mir(
  bb.0:
    %0:b32 = IMPLICIT_DEF
    %1:b32 = COPY killed %0
    %1:b32 = KILL killed %1
  bb.1:
    %2:b32 = COPY killed %1
    BUNDLE killed %2
)mir"),
            "2=0");
}

// What a loop carries is defined in front of it as well.
TEST_F(JoinCopies, OfCarriedResultsStay) {
  EXPECT_EQ(join(R"mir(
  bb.0:
    %0:b32 = IMPLICIT_DEF
  bb.1:
    successors: %bb.1
    %1:b32 = IMPLICIT_DEF
    BUNDLE killed %0
    %0:b32 = COPY killed %1
    GOTO %bb.1
)mir"),
            "0=1");
}

// Another block's value of the register lives while that of the chain would.
TEST_F(JoinCopies, OfResultsOfSeveralBlocksStay) {
  EXPECT_EQ(join(R"mir(
  bb.0:
    %0:b32 = IMPLICIT_DEF
    %1:b32 = COPY killed %0
    %2:b32 = COPY killed %1
  bb.1:
    %1:b32 = IMPLICIT_DEF
    BUNDLE killed %1, killed %2
)mir"),
            "1=0 2=1");
}

TEST_F(JoinCopies, OfResultsThatLiveAboveStay) {
  EXPECT_EQ(join(R"mir(
  bb.0:
    %0:b32 = IMPLICIT_DEF
    %1:b32 = IMPLICIT_DEF
    BUNDLE killed %0
    %0:b32 = COPY killed %1
    BUNDLE killed %0
)mir"),
            "0=1");
}

} // namespace
