//===- ModuleImpl.h - A loaded PTX module -----------------------*- C++ -*-===//
//
// The text of a module, its syntax tree, what is decoded of it so far, and
// where its variables lie. Kernels are decoded when they are prepared
// (Module.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_EMULATOR_DECODE_MODULEIMPL_H
#define TILE_LIB_EMULATOR_DECODE_MODULEIMPL_H

#include "../Memory/Allocation.h"
#include "Program.h"
#include "tile/Emulator/Emulator.h"

#include <memory>
#include <string>
#include <vector>

namespace tilec::emu {

struct ModuleImpl {
  std::string text, name, target;
  ModuleSyntax syntax;
  Program program;
  std::vector<KernelInfo> kernels;
  std::vector<uint32_t> kernelFunctions;
  /// Of module variables: offset in shared space, address otherwise.
  std::vector<uint64_t> variableAddresses;
  uint32_t moduleSharedBytes = 0;
  /// Where the static shared variables of each function begin: those of device
  /// functions one behind the other, those of kernels all behind them.
  std::vector<uint32_t> functionSharedBase;
  uint32_t dynamicSharedBase = 0; ///< Behind all static ones.
  std::vector<std::unique_ptr<Allocation>> allocations;
};

} // namespace tilec::emu

#endif // TILE_LIB_EMULATOR_DECODE_MODULEIMPL_H
