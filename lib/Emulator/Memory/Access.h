//===- Access.h - From addresses to checked host pointers -------*- C++ -*-===//
//
// Every access to memory goes through `access`: it finds the bytes, checks
// bounds, alignment, initialisation and races, counts, and hands out a host
// pointer per lane. Lanes with errors are reported and get none.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_EMULATOR_MEMORY_ACCESS_H
#define TILE_LIB_EMULATOR_MEMORY_ACCESS_H

#include "../Checkers/Ordering.h"
#include "../Machine/Machine.h"

namespace tilec::emu {

enum class AccessMode : uint8_t { Read, Write, ReadWrite };

struct AccessRequest {
  StateSpace space = StateSpace::Generic;
  AccessMode mode = AccessMode::Read;
  uint32_t bytes = 4; ///< Per lane.
  uint32_t align = 0; ///< 0: `bytes`.
  uint64_t addresses[32];
  uint8_t flags = 0;       ///< ShadowFlags of the access.
  uint32_t row = 0;        ///< Of an asynchronous access.
  bool collective = false; ///< Performed by every lane of the warp.
  bool count = true;       ///< In the statistics.
  bool checkInit = true;
  bool checkRace = true;
  bool markInit = true;    ///< Writes make bytes initialised at once.
  bool ofMbarrier = false; ///< By an instruction on the mbarrier there.
  const PendingStore *store = nullptr; ///< The values that a store writes.
};

struct AccessResult {
  uint8_t *pointers[32];
  uint32_t ok = 0;        ///< Lanes that may go on.
  uint32_t collision = 0; ///< Writes: lanes that hit bytes of another lane.
  uint32_t shared = 0;    ///< Lanes whose address is in shared memory.
  uint32_t undefined = 0; ///< Lanes that read undefined global bytes.
};

/// Resolves the lanes of `mask`.
void access(Warp &warp, const Instruction &instruction, uint32_t mask,
            AccessRequest &request, AccessResult &result);

/// Reads the base registers and adds the offset of ref[`base`].
void gatherAddresses(Warp &warp, const Instruction &instruction, Ref base,
                     bool wide, uint64_t *addresses);

/// One shared range of one lane, for asynchronous and collective operations:
/// the host pointer, or null after a report. `address` may name another block.
uint8_t *accessShared(Warp &warp, const Instruction &instruction, uint32_t lane,
                      uint64_t address, uint32_t bytes, AccessRequest &request);

/// The block and offset of a shared::cluster address; null if there is none.
Block *blockOfShared(Warp &warp, uint64_t address, uint32_t &offset);

/// The key of a location that strong accesses synchronise at (Ordering.h).
uint64_t syncKey(Warp &warp, uint64_t address, bool isShared);

/// The buffer that holds `address` (of the device or of a module variable).
Allocation *findAllocation(Warp &warp, uint64_t address);

/// The space of a generic address; Global for one that is nowhere.
StateSpace spaceOfGeneric(uint64_t address);

/// Where `address` lies, in words.
std::string describeGlobal(Warp &warp, uint64_t address);

/// Counts an access of `bytes` per lane for the statistics.
void countShared(Warp &warp, const uint64_t *addresses, uint32_t mask,
                 uint32_t bytes);
void countGlobal(Warp &warp, const uint64_t *addresses, uint32_t mask,
                 uint32_t bytes);

/// Whether races (or uninitialised reads) are looked for.
inline bool checksRaces(const Warp &warp) {
  return warp.launch->options.checks.races;
}
inline bool checksInit(const Warp &warp) {
  return warp.launch->options.checks.init;
}

ShadowAccess shadowAccessOf(Warp &warp, const Instruction &instruction,
                            uint32_t lane, const AccessRequest &request);

} // namespace tilec::emu

#endif // TILE_LIB_EMULATOR_MEMORY_ACCESS_H
