//===- Program.h - Decoded code ---------------------------------*- C++ -*-===//
//
// What the decoder makes of a module and the interpreter runs: instructions,
// one function behind the other, their further operands and constants, and how
// calls pass values.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_EMULATOR_DECODE_PROGRAM_H
#define TILE_LIB_EMULATOR_DECODE_PROGRAM_H

#include "../Async/WgmmaRegisters.h"
#include "../Definedness/RegisterUses.h"
#include "Instruction.h"

#include <memory>
#include <unordered_map>
#include <vector>

namespace tilec::emu {

struct ProgramFunction {
  bool decoded = false;
  uint32_t entry = 0; ///< Index of the first instruction.
  uint32_t end = 0;
  uint32_t registerBytes = 0;
  uint32_t localBytes = 0;  ///< Of one frame and lane: variables, parameters.
  uint32_t stackBytes = 0;  ///< With everything it calls.
  uint32_t sharedBytes = 0; ///< Static, with everything it calls.
  bool recursive = false;
  std::vector<uint32_t> callees;
  std::vector<uint32_t> parameterOffsets, returnOffsets; ///< In the frame.
  /// Registers that a path reads before it writes them (Unassigned.h), if that
  /// is known.
  std::vector<RegisterUse> unassigned;
  bool assignmentKnown = false;
};

/// One argument or result of a call: copied between frames, lane by lane.
struct CallCopy {
  uint32_t callerOffset, calleeOffset, bytes;
};
struct CallInfo {
  uint32_t function = 0;
  std::vector<CallCopy> arguments, results;
  uint32_t formatOffset = 0, valuesOffset = 0; ///< Of vprintf.
};

struct Program {
  std::vector<Instruction> code;
  std::vector<Ref> refs;
  std::vector<ProgramFunction> functions;
  /// Values of constants, 32 lanes each, in the layout of registers.
  std::vector<uint8_t> constants;
  std::unordered_map<uint64_t, Ref> constantRefs[4]; ///< By width 2, 4, 8, 1.
  /// What Instruction::data refers to.
  std::vector<std::unique_ptr<InstructionData>> familyData;
  /// Which instructions touch registers of wgmma; null without a wgmma.
  std::unique_ptr<WgmmaRegisters> wgmmaRegisters;
  RegisterUses registerUses;
};

} // namespace tilec::emu

#endif // TILE_LIB_EMULATOR_DECODE_PROGRAM_H
