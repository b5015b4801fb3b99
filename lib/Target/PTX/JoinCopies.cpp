//===- JoinCopies.cpp - Copies of registers that need no search -----------===//

#include "JoinCopies.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"

#include <optional>

using namespace mlir;
using llvm::MachineBasicBlock;
using llvm::MachineFunction;
using llvm::MachineInstr;
using llvm::MachineRegisterInfo;
using llvm::Register;

namespace {

struct Copy {
  Register source;
  Register result;
};

class CopyPass : public llvm::MachineFunctionPass {
public:
  using MachineFunctionPass::MachineFunctionPass;

  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override {
    usage.setPreservesCFG();
    MachineFunctionPass::getAnalysisUsage(usage);
  }

protected:
  /// The registers of an instruction that copies one of a class to another of it.
  static std::optional<Copy> getCopy(const MachineInstr &instruction,
                                     const MachineRegisterInfo &registers) {
    if (!instruction.isFullCopy())
      return std::nullopt;
    Copy copy = {instruction.getOperand(1).getReg(),
                 instruction.getOperand(0).getReg()};
    if (!copy.source.isVirtual() || !copy.result.isVirtual() ||
        registers.getRegClass(copy.source) !=
            registers.getRegClass(copy.result))
      return std::nullopt;
    return copy;
  }

  /// Forgets where registers end that have taken the places of others.
  static void clearKills(const llvm::DenseSet<Register> &changed,
                         const MachineRegisterInfo &registers) {
    for (Register reg : changed)
      registers.clearKillFlags(reg);
  }
};

class ForwardCopies final : public CopyPass {
public:
  static char ID;
  ForwardCopies() : CopyPass(ID) {}

  bool runOnMachineFunction(MachineFunction &function) override {
    MachineRegisterInfo &registers = function.getRegInfo();
    llvm::DenseSet<Register> sources;
    for (MachineBasicBlock &block : function)
      for (MachineInstr &instruction : llvm::make_early_inc_range(block)) {
        std::optional<Copy> copy = getCopy(instruction, registers);
        if (!copy)
          continue;
        instruction.eraseFromParent();
        registers.replaceRegWith(copy->result, copy->source);
        sources.insert(copy->source);
      }
    clearKills(sources, registers);
    return !sources.empty();
  }

  llvm::StringRef getPassName() const override {
    return "Forward copies of registers";
  }

  llvm::MachineFunctionProperties getRequiredProperties() const override {
    return llvm::MachineFunctionProperties().setIsSSA();
  }
};
char ForwardCopies::ID = 0;

/// A chain is what the source and the result of a copy have become. Its source is defined
/// once, above in the block, and killed by the copy, so that it lives nowhere else; its
/// result is defined in the block only and not touched above, so that it does not live
/// there. What both are afterwards is a source like this.
class JoinChains final : public CopyPass {
public:
  static char ID;
  JoinChains() : CopyPass(ID) {}

  bool runOnMachineFunction(MachineFunction &function) override {
    bool isChanged = false;
    for (MachineBasicBlock &block : function)
      isChanged |= joinChains(block, function.getRegInfo());
    return isChanged;
  }

  llvm::StringRef getPassName() const override {
    return "Join chains of registers";
  }

  llvm::MachineFunctionProperties getRequiredProperties() const override {
    return llvm::MachineFunctionProperties().setNoPHIs();
  }

private:
  static bool joinChains(MachineBasicBlock &block,
                         MachineRegisterInfo &registers) {
    // What instructions above define once or as a chain, and what they touch.
    llvm::DenseSet<Register> sources, touched, chains;
    for (MachineInstr &instruction : llvm::make_early_inc_range(block)) {
      std::optional<Copy> copy = getCopy(instruction, registers);
      if (copy && instruction.getOperand(1).isKill() &&
          sources.contains(copy->source) && !touched.contains(copy->result) &&
          isDefinedIn(block, copy->result, registers)) {
        instruction.eraseFromParent();
        registers.replaceRegWith(copy->result, copy->source);
        chains.insert(copy->source);
        continue;
      }
      for (const llvm::MachineOperand &operand : instruction.operands()) {
        if (!operand.isReg() || !operand.getReg().isVirtual())
          continue;
        touched.insert(operand.getReg());
        if (operand.isDef() && registers.hasOneDef(operand.getReg()))
          sources.insert(operand.getReg());
      }
    }
    clearKills(chains, registers);
    return !chains.empty();
  }

  static bool isDefinedIn(const MachineBasicBlock &block, Register reg,
                          const MachineRegisterInfo &registers) {
    return llvm::all_of(
        registers.def_instructions(reg),
        [&](MachineInstr &def) { return def.getParent() == &block; });
  }
};
char JoinChains::ID = 0;

} // namespace

llvm::MachineFunctionPass *tile::createForwardCopiesPass() {
  return new ForwardCopies;
}

llvm::MachineFunctionPass *tile::createJoinChainsPass() {
  return new JoinChains;
}
