//===- Unassigned.cpp - Registers read before they are written ------------===//
//
// Definite assignment over the basic blocks of a function, forwards: a register
// is assigned at the begin of a block if it is at the end of all blocks before
// it. A write under a guard assigns nothing for sure.
//
//===----------------------------------------------------------------------===//

#include "Unassigned.h"
#include "../Decode/Program.h"

#include <algorithm>

namespace tilec::emu {

namespace {

class RegisterSet {
public:
  explicit RegisterSet(size_t registers = 0, bool full = false)
      : words((registers + 63) / 64, full ? ~uint64_t(0) : 0) {}
  bool has(size_t index) const { return words[index / 64] >> index % 64 & 1; }
  void insert(size_t index) { words[index / 64] |= uint64_t(1) << index % 64; }
  /// True if it changed.
  bool intersect(const RegisterSet &other) {
    bool changed = false;
    for (size_t k = 0; k < words.size(); ++k) {
      uint64_t both = words[k] & other.words[k];
      changed |= both != words[k];
      words[k] = both;
    }
    return changed;
  }

private:
  std::vector<uint64_t> words;
};

class Assignment {
public:
  Assignment(Program &program, ProgramFunction &function)
      : program(program), function(function) {}

  void run() {
    findBlocks();
    numberRegisters();
    std::vector<RegisterSet> atBegin(begins.size(),
                                     RegisterSet(registers.size(), true));
    if (atBegin.empty())
      return;
    atBegin[0] = RegisterSet(registers.size());
    std::vector<size_t> work{0};
    std::vector<bool> visited(begins.size());
    while (!work.empty()) {
      size_t block = work.back();
      work.pop_back();
      visited[block] = true;
      RegisterSet assigned = walk(block, atBegin[block], nullptr);
      for (size_t next : successors(block))
        if (atBegin[next].intersect(assigned) || !visited[next])
          work.push_back(next);
    }
    std::vector<bool> known(registers.size());
    for (size_t block = 0; block < begins.size(); ++block)
      if (visited[block])
        walk(block, atBegin[block], &known);
  }

private:
  std::string_view opcodeOf(const Instruction &i) const {
    return i.syntax && i.counted ? i.syntax->parts[0] : std::string_view();
  }
  uint32_t endOf(size_t block) const {
    return block + 1 < begins.size() ? begins[block + 1] : function.end;
  }
  size_t blockAt(uint32_t index) const {
    return static_cast<size_t>(
        std::upper_bound(begins.begin(), begins.end(), index) - begins.begin() -
        1);
  }
  /// Calls `visit` for the targets of a branch; false if it is none.
  template <typename Visit>
  bool forTargets(const Instruction &i, Visit visit) const {
    std::string_view opcode = opcodeOf(i);
    if (opcode == "bra") {
      visit(i.target);
      return true;
    }
    if (opcode != "brx")
      return false;
    for (uint32_t k = 0; k < i.listCount; ++k)
      visit(program.refs[i.list + k]);
    return true;
  }

  void findBlocks() {
    begins.push_back(function.entry);
    for (uint32_t at = function.entry; at < function.end; ++at)
      if (forTargets(program.code[at],
                     [&](uint32_t target) { begins.push_back(target); }))
        begins.push_back(at + 1);
    std::sort(begins.begin(), begins.end());
    begins.erase(std::unique(begins.begin(), begins.end()), begins.end());
    while (!begins.empty() && begins.back() >= function.end)
      begins.pop_back();
  }

  std::vector<size_t> successors(size_t block) const {
    std::vector<size_t> result;
    uint32_t last = endOf(block) - 1;
    const Instruction &i = program.code[last];
    auto add = [&](uint32_t index) {
      if (index < function.end)
        result.push_back(blockAt(index));
    };
    bool branches = forTargets(i, add);
    std::string_view opcode = opcodeOf(i);
    bool leaves =
        branches || opcode == "ret" || opcode == "exit" || opcode == "trap";
    if (!leaves || i.predicate != noRef)
      add(last + 1);
    return result;
  }

  /// Calls `visit` for the operands of an instruction, its guard among them.
  template <typename Visit>
  void forUses(uint32_t at, Visit visit) const {
    const InstructionUses &uses = program.registerUses.instructions[at];
    const Instruction &i = program.code[at];
    if (i.predicate != noRef && !(i.predicate & constantBit)) {
      RegisterUse guard;
      guard.ref = i.predicate & ~negatedBit;
      if (i.syntax)
        guard.name = i.syntax->predicate;
      visit(guard);
    }
    for (uint32_t k = 0; k < uses.count; ++k)
      if (const RegisterUse &use = program.registerUses.uses[uses.first + k];
          !use.isConstant())
        visit(use);
  }

  void numberRegisters() {
    for (uint32_t at = function.entry; at < function.end; ++at)
      forUses(at, [&](const RegisterUse &use) {
        if (numbers.try_emplace(use.ref, registers.size()).second)
          registers.push_back(use);
      });
  }

  /// A wgmma adds to its results unless its scale-d is the constant false.
  bool readsResults(const Instruction &i, const InstructionUses &uses) const {
    if (uses.rule.kind != RuleKind::Product || opcodeOf(i) != "wgmma")
      return false;
    for (uint32_t k = 0; k < uses.count; ++k) {
      const RegisterUse &use = program.registerUses.uses[uses.first + k];
      if (use.isConstant() && use.bytes == 0)
        return program.constants[use.ref & ~constantBit] != 0;
    }
    return true;
  }

  /// What is assigned behind a block; with `known`, lists what it reads before.
  RegisterSet walk(size_t block, RegisterSet assigned,
                   std::vector<bool> *known) {
    for (uint32_t at = begins[block]; at < endOf(block); ++at) {
      const Instruction &i = program.code[at];
      bool readsAll = readsResults(i, program.registerUses.instructions[at]);
      forUses(at, [&](const RegisterUse &use) {
        size_t number = numbers.at(use.ref);
        bool isRead = use.role != UseRole::Write || readsAll;
        if (!isRead || assigned.has(number) || !known || (*known)[number])
          return;
        (*known)[number] = true;
        function.unassigned.push_back(use);
      });
      if (i.predicate != noRef)
        continue;
      forUses(at, [&](const RegisterUse &use) {
        if (use.role == UseRole::Write)
          assigned.insert(numbers.at(use.ref));
      });
    }
    return assigned;
  }

  Program &program;
  ProgramFunction &function;
  std::vector<uint32_t> begins; ///< Of the blocks, ascending.
  std::vector<RegisterUse> registers;
  std::unordered_map<Ref, size_t> numbers;
};

} // namespace

/// Helpers narrow, extend and compare: they move bits.
static void chooseRules(Program &program, const ProgramFunction &function) {
  for (uint32_t at = function.entry; at < function.end; ++at) {
    InstructionUses &uses = program.registerUses.instructions[at];
    const InstructionSyntax *syntax = program.code[at].syntax;
    if (uses.isHelper)
      uses.rule = {RuleKind::Bits};
    else if (syntax)
      uses.rule = chooseRule(*syntax);
  }
}

void prepareDefinedness(Program &program) {
  for (ProgramFunction &function : program.functions) {
    if (!function.decoded || function.assignmentKnown)
      continue;
    function.assignmentKnown = true;
    chooseRules(program, function);
    Assignment(program, function).run();
  }
}

} // namespace tilec::emu
