//===- Module.cpp - Loading PTX modules -----------------------------------===//
//
// Parses the text, gives module variables their storage and addresses, and
// lists kernels. Instructions are decoded when a kernel is prepared or
// launched, so that a module may hold kernels the emulator cannot run.
//
//===----------------------------------------------------------------------===//

#include "../Async/Wgmma.h"
#include "../Machine/Interpreter.h"
#include "Decoder.h"
#include "tile/Emulator/Emulator.h"

#include <algorithm>

namespace tilec::emu {

Module::Module(std::unique_ptr<ModuleImpl> impl) : impl(std::move(impl)) {}
Module::~Module() = default;

/// Module variables live apart from device memory.
static constexpr uint64_t moduleVariableBase = 0x6000'0000'0000ull;

template <typename T>
static T alignTo(T value, T to) {
  return to < 2 ? value : (value + to - 1) / to * to;
}

/// Dynamic shared memory begins behind everything static.
static void placeFunctionShared(ModuleImpl &module) {
  const auto &functions = module.syntax.functions;
  module.functionSharedBase.assign(functions.size(), 0);
  uint32_t end = module.moduleSharedBytes, last = end, dynamicAlign = 16;
  for (bool entries : {false, true})
    for (size_t i = 0; i < functions.size(); ++i) {
      if (functions[i].isEntry != entries)
        continue;
      uint32_t at = module.functionSharedBase[i] = end;
      for (const VariableSyntax &v : functions[i].variables) {
        if (v.space != StateSpace::Shared)
          continue;
        if (v.isDynamic)
          dynamicAlign = std::max(dynamicAlign, v.alignBytes);
        else
          at = alignTo(at, v.alignBytes) + static_cast<uint32_t>(v.sizeBytes);
      }
      last = std::max(last, at);
      if (!entries)
        end = at;
    }
  for (const VariableSyntax &v : module.syntax.variables)
    if (v.space == StateSpace::Shared && v.isDynamic)
      dynamicAlign = std::max(dynamicAlign, v.alignBytes);
  module.dynamicSharedBase = alignTo(last, dynamicAlign);
}

uint32_t sharedBytesOf(const ModuleImpl &module, const ProgramFunction &kernel,
                       uint32_t dynamicBytes) {
  return dynamicBytes ? module.dynamicSharedBase + dynamicBytes
                      : kernel.sharedBytes;
}

/// Storage for a variable of the global or constant space at `address`.
static void allocateVariable(ModuleImpl &module, const VariableSyntax &variable,
                             uint64_t address) {
  auto allocation = std::make_unique<Allocation>();
  allocation->name = std::string(variable.name);
  allocation->address = address;
  allocation->sizeBytes = variable.sizeBytes;
  allocation->owned.assign(variable.sizeBytes, 0);
  std::copy(variable.initialBytes.begin(), variable.initialBytes.end(),
            allocation->owned.begin());
  allocation->data = allocation->owned.data();
  allocation->readOnly = variable.space == StateSpace::Const;
  module.allocations.push_back(std::move(allocation));
}

/// Gives each variable its address, and those outside of shared memory their
/// storage, in order.
static void allocateVariables(ModuleImpl &module) {
  uint64_t global = moduleVariableBase, constant = constWindow;
  uint32_t shared = 0;
  for (const VariableSyntax &variable : module.syntax.variables) {
    if (variable.space == StateSpace::Shared && variable.isDynamic) {
      module.variableAddresses.push_back(0); // Behind all static ones.
      continue;
    }
    if (variable.space == StateSpace::Shared) {
      shared = alignTo(shared, variable.alignBytes);
      module.variableAddresses.push_back(shared);
      shared += static_cast<uint32_t>(variable.sizeBytes);
      continue;
    }
    bool isConst = variable.space == StateSpace::Const;
    uint64_t &next = isConst ? constant : global;
    next = alignTo(next, uint64_t(std::max(variable.alignBytes, 16u)));
    module.variableAddresses.push_back(next);
    allocateVariable(module, variable, next);
    // A gap, so that an access past the end finds nothing.
    next += variable.sizeBytes + (isConst ? 0 : 256);
  }
  module.moduleSharedBytes = shared;
  placeFunctionShared(module);
  for (size_t index = 0; index < module.syntax.variables.size(); ++index)
    if (module.syntax.variables[index].space == StateSpace::Shared &&
        module.syntax.variables[index].isDynamic)
      module.variableAddresses[index] = module.dynamicSharedBase;
}

/// Writes the addresses that a variable's initialiser names.
static bool relocate(ModuleImpl &module, const VariableSyntax &variable,
                     Allocation &target, std::vector<Diagnostic> &diagnostics) {
  for (const VariableSyntax::Relocation &relocation : variable.relocations) {
    auto found = module.syntax.symbols.find(relocation.symbol);
    if (found == module.syntax.symbols.end()) {
      diagnostics.push_back({variable.line, 0,
                             "unknown symbol '" +
                                 std::string(relocation.symbol) +
                                 "' in an initialiser"});
      return false;
    }
    uint64_t address = found->second.kind == SymbolSyntax::Kind::Function
                           ? found->second.index + 1
                           : module.variableAddresses[found->second.index];
    address += static_cast<uint64_t>(relocation.addend);
    if (relocation.offsetBytes + 8 <= target.sizeBytes)
      std::memcpy(target.data + relocation.offsetBytes, &address, 8);
  }
  return true;
}

static bool placeVariables(ModuleImpl &module,
                           std::vector<Diagnostic> &diagnostics) {
  allocateVariables(module);
  size_t next = 0;
  for (const VariableSyntax &variable : module.syntax.variables)
    if (variable.space != StateSpace::Shared &&
        !relocate(module, variable, *module.allocations[next++], diagnostics))
      return false;
  return true;
}

/// Static shared bytes of a function and what it names.
static void scanShared(const ModuleImpl &module, uint32_t index,
                       std::vector<bool> &seen, KernelInfo &kernel,
                       uint64_t &moduleBytes) {
  if (seen[index])
    return;
  seen[index] = true;
  const FunctionSyntax &function = module.syntax.functions[index];
  uint64_t own = 0;
  for (const VariableSyntax &v : function.variables)
    if (v.space == StateSpace::Shared) {
      own = (own + v.alignBytes - 1) / std::max(v.alignBytes, 1u) *
            std::max(v.alignBytes, 1u);
      own += v.sizeBytes;
      kernel.usesDynamicShared |= v.isDynamic && v.isExtern;
    }
  kernel.staticSharedBytes += static_cast<uint32_t>(own);
  auto visit = [&](auto &self, const Operand &operand) -> void {
    if (!operand.name.empty()) {
      auto found = module.syntax.symbols.find(operand.name);
      if (found != module.syntax.symbols.end()) {
        if (found->second.kind == SymbolSyntax::Kind::Function) {
          scanShared(module, found->second.index, seen, kernel, moduleBytes);
        } else if (found->second.kind == SymbolSyntax::Kind::Variable) {
          const VariableSyntax &v =
              module.syntax.variables[found->second.index];
          if (v.space == StateSpace::Shared) {
            kernel.usesDynamicShared |= v.isExtern && v.isDynamic;
            moduleBytes = module.moduleSharedBytes;
          }
        }
      }
    }
    for (const Operand &element : operand.elements)
      self(self, element);
  };
  for (const InstructionSyntax &i : function.instructions)
    for (const Operand &operand : i.operands)
      visit(visit, operand);
}

std::unique_ptr<Module> Module::parse(std::string_view ptx,
                                      std::string_view name,
                                      std::vector<Diagnostic> &diagnostics) {
  auto impl = std::make_unique<ModuleImpl>();
  impl->text = std::string(ptx);
  impl->name = std::string(name);
  if (!parseModule(impl->text, impl->syntax, diagnostics))
    return nullptr;
  impl->target = std::string(impl->syntax.target);
  if (!placeVariables(*impl, diagnostics))
    return nullptr;
  impl->program.code.reserve(1024);
  for (uint32_t i = 0; i < impl->syntax.functions.size(); ++i) {
    const FunctionSyntax &function = impl->syntax.functions[i];
    if (!function.isEntry || function.isExtern)
      continue;
    KernelInfo kernel = function.kernel;
    std::vector<bool> seen(impl->syntax.functions.size());
    uint64_t moduleBytes = 0;
    scanShared(*impl, i, seen, kernel, moduleBytes);
    kernel.staticSharedBytes += static_cast<uint32_t>(moduleBytes);
    impl->kernels.push_back(std::move(kernel));
    impl->kernelFunctions.push_back(i);
  }
  return std::unique_ptr<Module>(new Module(std::move(impl)));
}

const std::vector<KernelInfo> &Module::kernels() const { return impl->kernels; }

const KernelInfo *Module::findKernel(std::string_view name) const {
  for (const KernelInfo &kernel : impl->kernels)
    if (kernel.name == name)
      return &kernel;
  return nullptr;
}

bool Module::prepare(std::string_view kernel,
                     std::vector<Diagnostic> &diagnostics) {
  for (size_t i = 0; i < impl->kernels.size(); ++i)
    if (impl->kernels[i].name == kernel) {
      auto known = static_cast<uint32_t>(impl->program.code.size());
      bool ok = decodeFunction(*impl, impl->kernelFunctions[i], diagnostics);
      watchWgmmaRegisters(impl->program, known);
      return ok;
    }
  diagnostics.push_back(
      {0, 0, "there is no kernel '" + std::string(kernel) + "'"});
  return false;
}

const std::string &Module::target() const { return impl->target; }
const std::string &Module::name() const { return impl->name; }

static Allocation *findVariableStorage(const ModuleImpl &module,
                                       std::string_view name) {
  for (const auto &allocation : module.allocations)
    if (allocation->name == name)
      return allocation.get();
  return nullptr;
}

bool Module::findVariable(std::string_view name, uint64_t &address,
                          uint64_t &sizeBytes) const {
  Allocation *found = findVariableStorage(*impl, name);
  if (!found)
    return false;
  address = found->address;
  sizeBytes = found->sizeBytes;
  return true;
}

bool Module::readVariable(std::string_view name, void *target,
                          uint64_t sizeBytes) const {
  Allocation *found = findVariableStorage(*impl, name);
  if (!found || sizeBytes > found->sizeBytes)
    return false;
  std::memcpy(target, found->data, sizeBytes);
  return true;
}

bool Module::writeVariable(std::string_view name, const void *source,
                           uint64_t sizeBytes) {
  Allocation *found = findVariableStorage(*impl, name);
  if (!found || sizeBytes > found->sizeBytes)
    return false;
  std::memcpy(found->data, source, sizeBytes);
  return true;
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

ParameterBuilder::ParameterBuilder(const KernelInfo &kernel)
    : kernel(kernel), data(kernel.parameterBytes) {}

bool ParameterBuilder::addBytes(const void *bytes, uint64_t sizeBytes) {
  if (next >= kernel.parameters.size() ||
      kernel.parameters[next].sizeBytes != sizeBytes)
    return false;
  std::memcpy(data.data() + kernel.parameters[next].offsetBytes, bytes,
              sizeBytes);
  ++next;
  return true;
}

bool ParameterBuilder::complete() const {
  return next == kernel.parameters.size();
}

std::optional<CheckOptions> CheckOptions::parse(std::string_view text,
                                                std::string &error) {
  if (text == "all")
    return all();
  CheckOptions options = none();
  if (text == "none")
    return options;
  while (!text.empty()) {
    size_t comma = text.find(',');
    std::string_view word = text.substr(0, comma);
    text = comma == std::string_view::npos ? std::string_view()
                                           : text.substr(comma + 1);
    if (word == "races")
      options.races = true;
    else if (word == "bounds")
      options.bounds = true;
    else if (word == "alignment")
      options.alignment = true;
    else if (word == "init")
      options.init = true;
    else if (word == "barriers")
      options.barriers = true;
    else if (word == "deadlock")
      options.deadlock = true;
    else if (word == "all")
      options = all();
    else {
      error = "unknown check '" + std::string(word) +
              "'; known: all, none, races, bounds, alignment, init, barriers, "
              "deadlock";
      return std::nullopt;
    }
  }
  return options;
}

} // namespace tilec::emu
