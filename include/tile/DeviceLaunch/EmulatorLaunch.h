//===- EmulatorLaunch.h - A launch as the emulator takes it -----*- C++ -*-===//

#ifndef TILE_DEVICELAUNCH_EMULATORLAUNCH_H
#define TILE_DEVICELAUNCH_EMULATORLAUNCH_H

#include "tile/DeviceLaunch/KernelLaunch.h"
#include "tile/Emulator/Emulator.h"

namespace tilec {

/// Fills `config` with the launch of `kernel`, whose parameters are laid out as its
/// signature has them. Why it cannot; empty if it can.
std::string prepareLaunch(const KernelLaunch &from,
                          const emu::KernelInfo &kernel,
                          emu::LaunchConfig &config);

/// How kernels of this compiler are run: all checks, all cores, no statistics.
emu::LaunchOptions getEmulatorOptions();

} // namespace tilec

#endif // TILE_DEVICELAUNCH_EMULATORLAUNCH_H
