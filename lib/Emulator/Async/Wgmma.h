//===- Wgmma.h - Products in flight and their registers ---------*- C++ -*-===//
//
// A wgmma reads its accumulator and A registers, and writes the accumulator, at
// any time between its issue and the wgmma.wait_group that retires its group.
// Other instructions must not touch them in between, and a wgmma.fence must
// stand between an access and the next wgmma of a register (the accumulator of
// consecutive wgmma of one shape needs none). Instructions that name such
// registers are found once, when a kernel is prepared, and get a handler that
// looks first; all others cost nothing.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_EMULATOR_ASYNC_WGMMA_H
#define TILE_LIB_EMULATOR_ASYNC_WGMMA_H

#include "../Machine/Machine.h"

#include <map>

namespace tilec::emu {

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

/// What a wgmma does with its registers.
struct WgmmaRegisterUse {
  uint32_t accumulators = 0; ///< The first so many are D, the others A.
  uint32_t shape = 0;        ///< Differs for different shapes and types of D.
};
/// Checks and marks the registers of a wgmma that is issued.
void useWgmmaRegisters(Warp &warp, const Instruction &instruction,
                       const WgmmaRegisterUse &use);

/// Accumulators in flight, and the groups that will deliver them.
struct Warp::WgmmaState {
  struct Values {
    alignas(64) uint32_t lanes[32];
  };
  struct Pending {
    std::vector<Ref> registers;
    std::vector<Values> values;
    uint64_t group = 0; ///< The last group that adds to it.
    uint32_t frame = 0; ///< Whose registers they are.
  };
  std::map<std::pair<uint32_t, Ref>, Pending> pending; ///< By frame, register.
  uint64_t openGroup = 1; ///< Number of the group being filled.
  uint64_t retired = 0;   ///< The last group that was waited for.
  uint32_t openRow = 0;
  std::vector<std::pair<uint64_t, uint32_t>> rows; ///< Group and row.

  /// The last accesses of a register.
  struct Register {
    const Instruction *touched = nullptr; ///< Other than wgmma.
    uint32_t touchedLane = 0;
    uint64_t touchedFences = 0; ///< How many fences came before.
    const Instruction *wgmma = nullptr;
    uint64_t group = 0;
    uint64_t wgmmaFences = 0;
    uint32_t shape = 0;
    bool accumulates = false;
  };
  std::vector<Register> registers; ///< By id.
  uint64_t fences = 0;             ///< wgmma.fence executed.
  uint64_t fencesAtWait = 0;       ///< Before the last wgmma.wait_group.
};

/// The state of a warp, made at the first use.
Warp::WgmmaState &wgmmaStateOf(Warp &warp);

} // namespace tilec::emu

#endif // TILE_LIB_EMULATOR_ASYNC_WGMMA_H
