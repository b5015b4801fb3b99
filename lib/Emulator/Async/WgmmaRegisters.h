//===- WgmmaRegisters.h - Who touches registers of wgmma --------*- C++ -*-===//
//
// Instructions that name a register which some wgmma of the program uses are
// found once, when a kernel is prepared, and get a handler that looks first;
// all others cost nothing.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_EMULATOR_ASYNC_WGMMAREGISTERS_H
#define TILE_LIB_EMULATOR_ASYNC_WGMMAREGISTERS_H

#include "../Decode/Instruction.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tilec::emu {

struct Program;

/// What a program does with registers of wgmma. Each has an id.
struct WgmmaRegisters {
  struct Watched {
    Handler handler = nullptr;     ///< Of an ordinary instruction.
    uint32_t first = 0, count = 0; ///< In `ids`; of a wgmma: D, then A.
  };
  std::vector<Watched> instructions; ///< By index in Program::code.
  std::vector<uint32_t> ids;
  std::vector<std::string> names; ///< By id.
};

/// Finds the instructions of newly decoded functions that touch registers of
/// wgmma. Instructions before `first` are known already.
void watchWgmmaRegisters(Program &program, uint32_t first);

} // namespace tilec::emu

#endif // TILE_LIB_EMULATOR_ASYNC_WGMMAREGISTERS_H
