//===- MemberMeeting.h - Exchanges between places of a program --*- C++ -*-===//

#ifndef TILE_LIB_EMULATOR_INSTRUCTIONS_MEMBERMEETING_H
#define TILE_LIB_EMULATOR_INSTRUCTIONS_MEMBERMEETING_H

#include "../Machine/Machine.h"

namespace tilec::emu {

/// Lets the splits of the running function go on that wait for each other with
/// one operation and one member mask at several places (MemberMeeting.cpp).
/// Whether any did.
bool meetBetweenPlaces(Warp &warp);

} // namespace tilec::emu

#endif // TILE_LIB_EMULATOR_INSTRUCTIONS_MEMBERMEETING_H
