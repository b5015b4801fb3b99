//===- Ordering.h - Releasing and acquiring knowledge -----------*- C++ -*-===//
//
// Every synchronising instruction is a release (what the lanes know and did
// goes into an object) or an acquire (what the object holds becomes known) or
// both. Here are these two steps on a warp's order (WarpOrder.h), and on the
// objects that live at memory locations (SyncLocations.h).
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_EMULATOR_CHECKERS_ORDERING_H
#define TILE_LIB_EMULATOR_CHECKERS_ORDERING_H

#include "../Machine/Machine.h"

namespace tilec::emu {

/// Adds what the lanes of `mask` know and did to `target`, and begins a new
/// clock period.
void releaseInto(Warp &warp, uint32_t mask, Knowledge &target);
/// The lanes of `mask` learn what `source` holds.
void acquireFrom(Warp &warp, uint32_t mask, const Knowledge &source);
/// The lanes of `mask` are ordered among each other from here on.
void synchronizeLanes(Warp &warp, uint32_t mask);
/// fence.proxy.async: what the lanes know becomes known to the asynchronous
/// proxy.
void fenceAsyncProxy(Warp &warp, uint32_t mask);
/// fence.acq_rel, fence.sc, membar.
void fenceMemory(Warp &warp, uint32_t mask, Scope scope);

enum class Semantics : uint8_t {
  Weak,
  Relaxed,
  Acquire,
  Release,
  AcquireRelease
};
inline bool acquires(Semantics s) {
  return s == Semantics::Acquire || s == Semantics::AcquireRelease;
}
inline bool releases(Semantics s) {
  return s == Semantics::Release || s == Semantics::AcquireRelease;
}

/// The synchronising side of strong accesses. `key` names the location (an
/// address; shared ones carry the block's rank above bit 32).
void strongWrite(Warp &warp, uint32_t lane, uint64_t key, bool isShared,
                 Semantics semantics, Scope scope);
void strongRead(Warp &warp, uint32_t lane, uint64_t key, bool isShared,
                Semantics semantics, Scope scope);

} // namespace tilec::emu

#endif // TILE_LIB_EMULATOR_CHECKERS_ORDERING_H
