//===- Module.cpp - PTX text and its kernels, in C ------------------------===//

#include "Objects.h"

#include <utility>

using namespace tilec::emu;

static void reportAll(const std::vector<Diagnostic> &diagnostics,
                      TileEmulatorErrorCallback error, void *userData) {
  for (const Diagnostic &diagnostic : diagnostics)
    if (error)
      error(diagnostic.line, diagnostic.column, wrap(diagnostic.message),
            userData);
}

TileEmulatorModule *tileEmulatorModuleParse(TileString ptx, TileString name,
                                            TileEmulatorErrorCallback error,
                                            void *userData) {
  std::vector<Diagnostic> diagnostics;
  std::unique_ptr<Module> module =
      Module::parse(unwrap(ptx), unwrap(name), diagnostics);
  reportAll(diagnostics, error, userData);
  return module ? new TileEmulatorModule{std::move(module)} : nullptr;
}

void tileEmulatorModuleDestroy(TileEmulatorModule *module) { delete module; }

TileString tileEmulatorModuleGetTarget(const TileEmulatorModule *module) {
  return wrap(module->module->target());
}

bool tileEmulatorModulePrepare(TileEmulatorModule *module, TileString kernel,
                               TileEmulatorErrorCallback error,
                               void *userData) {
  std::vector<Diagnostic> diagnostics;
  bool isKnown = module->module->prepare(unwrap(kernel), diagnostics);
  reportAll(diagnostics, error, userData);
  return isKnown;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

static const KernelInfo &getKernel(const TileEmulatorModule *module,
                                   size_t kernel) {
  return module->module->kernels()[kernel];
}

size_t tileEmulatorModuleGetNumKernels(const TileEmulatorModule *module) {
  return module->module->kernels().size();
}

TileString tileEmulatorModuleGetKernelName(const TileEmulatorModule *module,
                                           size_t kernel) {
  return wrap(getKernel(module, kernel).name);
}

uint32_t
tileEmulatorModuleGetStaticSharedBytes(const TileEmulatorModule *module,
                                       size_t kernel) {
  return getKernel(module, kernel).staticSharedBytes;
}

bool tileEmulatorModuleGetRequiredBlock(const TileEmulatorModule *module,
                                        size_t kernel, uint32_t block[3]) {
  const auto &required = getKernel(module, kernel).requiredBlock;
  for (int i = 0; required && i < 3; ++i)
    block[i] = (*required)[i];
  return required.has_value();
}

size_t tileEmulatorModuleGetNumParameters(const TileEmulatorModule *module,
                                          size_t kernel) {
  return getKernel(module, kernel).parameters.size();
}

TileString tileEmulatorModuleGetParameterName(const TileEmulatorModule *module,
                                              size_t kernel, size_t parameter) {
  return wrap(getKernel(module, kernel).parameters[parameter].name);
}

TileString tileEmulatorModuleGetParameterType(const TileEmulatorModule *module,
                                              size_t kernel, size_t parameter) {
  return wrap(getKernel(module, kernel).parameters[parameter].type);
}

uint32_t tileEmulatorModuleGetParameterBytes(const TileEmulatorModule *module,
                                             size_t kernel, size_t parameter) {
  return getKernel(module, kernel).parameters[parameter].sizeBytes;
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

uint64_t tileEmulatorModuleGetVariableBytes(const TileEmulatorModule *module,
                                            TileString name) {
  uint64_t address = 0, sizeBytes = 0;
  module->module->findVariable(unwrap(name), address, sizeBytes);
  return sizeBytes;
}

bool tileEmulatorModuleReadVariable(const TileEmulatorModule *module,
                                    TileString name, void *target,
                                    uint64_t sizeBytes) {
  return module->module->readVariable(unwrap(name), target, sizeBytes);
}

bool tileEmulatorModuleWriteVariable(TileEmulatorModule *module,
                                     TileString name, const void *source,
                                     uint64_t sizeBytes) {
  return module->module->writeVariable(unwrap(name), source, sizeBytes);
}
