//===- PendingAccess.h - Accesses that pend until a wait --------*- C++ -*-===//
//
// The shadow entry of an asynchronous access names the AsyncRow that says when
// the access is over. The source of a copy (cp.async, cp.async.bulk) is in global
// memory, where the reads of many blocks are kept as one if they differ in the
// block alone (ReaderSet). Rows are numbered in the order in which a cluster's
// warps happen to run; copies of one warp in the order of its own code, which is
// that of the other blocks too. Such an entry has the latter number
// (shadowCopySource).
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_EMULATOR_CHECKERS_PENDINGACCESS_H
#define TILE_LIB_EMULATOR_CHECKERS_PENDINGACCESS_H

#include "../Machine/Machine.h"

namespace tilec::emu {

/// The row of an asynchronous access by a warp of `cluster`.
inline const AsyncRow &rowOf(const Cluster &cluster,
                             const ShadowAccess &access) {
  uint32_t row = access.clock;
  if (access.flags & shadowCopySource)
    row = cluster.warps[access.warp]->groups.copyRows[row];
  return cluster.rows[row];
}

/// Whether a lane that issued an access has not waited for it, though another
/// lane of its row may have.
inline bool hasLaneInFlight(const AsyncRow &row, const ShadowAccess &access) {
  if (!row.lanes || access.lane == severalLanes)
    return row.lanes != 0;
  return access.lane < 32 && (row.lanes >> access.lane & 1);
}

} // namespace tilec::emu

#endif // TILE_LIB_EMULATOR_CHECKERS_PENDINGACCESS_H
