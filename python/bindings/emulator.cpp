//===- emulator.cpp - The PTX emulator in Python --------------------------===//
//
// tilec._emulator: modules, memory and launches of tile-c/Emulator.h as Python has them.
// What it means to people is in tilec/emulation.py; nothing of MLIR is linked.
//
//===----------------------------------------------------------------------===//

#include "tile-c/Emulator.h"

#include "interruptible.h"

#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>

namespace nb = nanobind;
using namespace nb::literals;

static TileString toC(std::string_view text) {
  return {text.data(), text.size()};
}

static std::string toPython(TileString text) {
  return std::string(text.data, text.length);
}

/// A text of C in the std::string that `userData` is.
static void keep(TileString text, void *userData) {
  static_cast<std::string *>(userData)->assign(text.data, text.length);
}

using Extents = std::array<uint32_t, 3>;

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

/// Line, column, message.
using ParseError = std::tuple<uint32_t, uint32_t, std::string>;

static void addError(uint32_t line, uint32_t column, TileString message,
                     void *errors) {
  static_cast<std::vector<ParseError> *>(errors)->emplace_back(
      line, column, toPython(message));
}

namespace {

struct Parameter {
  std::string name, type;
  uint32_t sizeBytes;
};

struct Kernel {
  std::string name;
  std::vector<Parameter> parameters;
  uint32_t staticSharedBytes;
  std::optional<Extents> block;
};

/// PTX text, parsed.
class Module {
public:
  Module(std::string_view ptx, std::string_view name) {
    std::vector<ParseError> errors;
    module.reset(
        tileEmulatorModuleParse(toC(ptx), toC(name), addError, &errors));
    if (!module)
      fail(errors);
  }

  std::string getTarget() const {
    return toPython(tileEmulatorModuleGetTarget(get()));
  }
  std::vector<Kernel> getKernels() const;
  /// Decodes a kernel; an instruction that the emulator does not know is an error.
  void prepare(std::string_view kernel) {
    std::vector<ParseError> errors;
    if (!tileEmulatorModulePrepare(get(), toC(kernel), addError, &errors))
      fail(errors);
  }
  TileEmulatorModule *get() const { return module.get(); }

private:
  struct Destroy {
    void operator()(TileEmulatorModule *module) const {
      tileEmulatorModuleDestroy(module);
    }
  };
  /// ValueError whose argument is the list of errors.
  [[noreturn]] static void fail(const std::vector<ParseError> &errors) {
    nb::object list = nb::cast(errors);
    PyErr_SetObject(PyExc_ValueError, list.ptr());
    throw nb::python_error();
  }
  std::unique_ptr<TileEmulatorModule, Destroy> module;
};

} // namespace

std::vector<Kernel> Module::getKernels() const {
  std::vector<Kernel> kernels;
  for (size_t k = 0; k < tileEmulatorModuleGetNumKernels(get()); ++k) {
    Kernel &kernel = kernels.emplace_back();
    kernel.name = toPython(tileEmulatorModuleGetKernelName(get(), k));
    kernel.staticSharedBytes = tileEmulatorModuleGetStaticSharedBytes(get(), k);
    Extents block;
    if (tileEmulatorModuleGetRequiredBlock(get(), k, block.data()))
      kernel.block = block;
    for (size_t p = 0; p < tileEmulatorModuleGetNumParameters(get(), k); ++p)
      kernel.parameters.push_back(
          {toPython(tileEmulatorModuleGetParameterName(get(), k, p)),
           toPython(tileEmulatorModuleGetParameterType(get(), k, p)),
           tileEmulatorModuleGetParameterBytes(get(), k, p)});
  }
  return kernels;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

namespace {

/// Device memory. Host memory is given by its address; whoever gives it keeps it.
class Memory {
public:
  Memory() : memory(tileEmulatorMemoryCreate()) {}
  uint64_t allocate(uint64_t sizeBytes, std::string_view name) {
    uint64_t address =
        tileEmulatorMemoryAllocate(get(), sizeBytes, toC(name), 256);
    if (address == 0)
      throw std::bad_alloc();
    return address;
  }
  uint64_t map(uintptr_t host, uint64_t sizeBytes, std::string_view name) {
    return tileEmulatorMemoryMap(get(), reinterpret_cast<void *>(host),
                                 sizeBytes, toC(name), 256);
  }
  void read(uint64_t address, uintptr_t host, uint64_t sizeBytes) {
    if (!tileEmulatorMemoryRead(get(), address, reinterpret_cast<void *>(host),
                                sizeBytes))
      throw nb::index_error("these bytes are not inside of one buffer");
  }
  uint64_t countUnwritten(uint64_t address, uint64_t sizeBytes) {
    return tileEmulatorMemoryCountUnwritten(get(), address, sizeBytes);
  }
  TileEmulatorMemory *get() const { return memory.get(); }

private:
  struct Destroy {
    void operator()(TileEmulatorMemory *memory) const {
      tileEmulatorMemoryDestroy(memory);
    }
  };
  std::unique_ptr<TileEmulatorMemory, Destroy> memory;
};

} // namespace

static nb::bytes encodeTensorMap(std::string_view type, uint64_t address,
                                 const std::vector<uint64_t> &sizes,
                                 const std::vector<uint64_t> &strides,
                                 const std::vector<uint32_t> &box,
                                 int swizzle) {
  uint8_t map[128];
  std::string error;
  if (sizes.size() != box.size() || strides.size() + 1 != sizes.size())
    throw nb::value_error("sizes, strides and box differ in their rank");
  if (!tileEmulatorEncodeTensorMap(toC(type), static_cast<int>(sizes.size()),
                                   address, sizes.data(), strides.data(),
                                   box.data(), swizzle, map, keep, &error))
    throw nb::value_error(error.c_str());
  return nb::bytes(map, sizeof map);
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

namespace {

struct Options {
  std::string checks;
  uint64_t seed;
  uint32_t threads, maxFindings;
  std::optional<uint64_t> maxInstructions;
  bool equalStores, unfencedMbarriers;
  int delivery;
};

/// An instruction that a finding is about.
struct Access {
  std::string text;
  uint32_t line;
  std::string source;
  Extents block, thread;
};

struct Finding {
  int kind;
  std::string message, missing, text;
  uint64_t count;
  std::optional<uint64_t> address;
  std::vector<Access> accesses;
};

struct Result {
  bool completed;
  std::vector<Finding> findings, notes;
  uint64_t dropped;
  std::string output, statistics;
};

using Launch =
    std::unique_ptr<TileEmulatorLaunch, void (*)(TileEmulatorLaunch *)>;
using Outcome =
    std::unique_ptr<TileEmulatorResult, void (*)(TileEmulatorResult *)>;

} // namespace

static Finding getFinding(const TileEmulatorFinding *from) {
  Finding finding{static_cast<int>(tileEmulatorFindingGetKind(from)),
                  toPython(tileEmulatorFindingGetMessage(from)),
                  toPython(tileEmulatorFindingGetMissing(from)),
                  toPython(tileEmulatorFindingGetText(from)),
                  tileEmulatorFindingGetCount(from),
                  {},
                  {}};
  uint64_t address;
  if (tileEmulatorFindingGetAddress(from, &address))
    finding.address = address;
  for (size_t i = 0; i < tileEmulatorFindingGetNumAccesses(from); ++i) {
    Access &access = finding.accesses.emplace_back();
    access.text = toPython(tileEmulatorFindingGetAccessText(from, i));
    access.line = tileEmulatorFindingGetPtxLine(from, i);
    access.source = toPython(tileEmulatorFindingGetSource(from, i));
    tileEmulatorFindingGetBlock(from, i, access.block.data());
    tileEmulatorFindingGetThread(from, i, access.thread.data());
  }
  return finding;
}

static Result getResult(const TileEmulatorResult *from) {
  Result result{tileEmulatorResultIsCompleted(from),
                {},
                {},
                tileEmulatorResultGetNumDropped(from),
                toPython(tileEmulatorResultGetOutput(from)),
                toPython(tileEmulatorResultGetStatisticsJson(from))};
  for (size_t i = 0; i < tileEmulatorResultGetNumFindings(from); ++i)
    result.findings.push_back(
        getFinding(tileEmulatorResultGetFinding(from, i)));
  for (size_t i = 0; i < tileEmulatorResultGetNumNotes(from); ++i)
    result.notes.push_back(getFinding(tileEmulatorResultGetNote(from, i)));
  return result;
}

static void setOptions(TileEmulatorLaunch *launch, const Options &options) {
  std::string error;
  if (!tileEmulatorLaunchSetChecks(launch, toC(options.checks), keep, &error))
    throw nb::value_error(error.c_str());
  tileEmulatorLaunchSetSeed(launch, options.seed);
  tileEmulatorLaunchSetThreadCount(launch, options.threads);
  tileEmulatorLaunchSetMaxFindings(launch, options.maxFindings);
  if (options.maxInstructions)
    tileEmulatorLaunchSetMaxInstructions(launch, *options.maxInstructions);
  tileEmulatorLaunchAllowEqualStores(launch, options.equalStores);
  tileEmulatorLaunchAllowUnfencedMbarriers(launch, options.unfencedMbarriers);
  tileEmulatorLaunchSetDelivery(
      launch, static_cast<TileEmulatorDelivery>(options.delivery));
}

/// Runs a kernel; `arguments` are the bytes of its parameters.
static Result run(Module &module, std::string_view kernel, Memory &memory,
                  const Extents &grid, const Extents &block,
                  const Extents &cluster, uint32_t shared,
                  const std::vector<nb::bytes> &arguments,
                  const Options &options) {
  Launch launch(tileEmulatorLaunchCreate(module.get(), toC(kernel)),
                tileEmulatorLaunchDestroy);
  if (!launch)
    throw nb::key_error(std::string(kernel).c_str());
  setOptions(launch.get(), options);
  tileEmulatorLaunchSetGrid(launch.get(), grid[0], grid[1], grid[2]);
  tileEmulatorLaunchSetBlock(launch.get(), block[0], block[1], block[2]);
  tileEmulatorLaunchSetCluster(launch.get(), cluster[0], cluster[1],
                               cluster[2]);
  tileEmulatorLaunchSetDynamicSharedBytes(launch.get(), shared);
  for (const nb::bytes &argument : arguments)
    if (!tileEmulatorLaunchAddArgument(launch.get(), argument.c_str(),
                                       argument.size()))
      throw nb::value_error("an argument's size is not its parameter's");
  Outcome outcome = runInterruptibly(
      [&] {
        return Outcome(tileEmulatorLaunchRun(launch.get(), memory.get()),
                       tileEmulatorResultDestroy);
      },
      [&] { tileEmulatorLaunchInterrupt(launch.get()); });
  return getResult(outcome.get());
}

//===----------------------------------------------------------------------===//
// The module
//===----------------------------------------------------------------------===//

NB_MODULE(_emulator, m) {
  m.doc() = "The PTX emulator (include/tile-c/Emulator.h); tilec.emulate is "
            "its face.";
  nb::class_<Parameter>(m, "Parameter",
                        "Of a kernel: `type` as in PTX, without the dot.")
      .def_ro("name", &Parameter::name)
      .def_ro("type", &Parameter::type)
      .def_ro("size_bytes", &Parameter::sizeBytes);
  nb::class_<Kernel>(m, "Kernel")
      .def_ro("name", &Kernel::name)
      .def_ro("parameters", &Kernel::parameters)
      .def_ro("static_shared_bytes", &Kernel::staticSharedBytes)
      .def_ro("block", &Kernel::block, "What `.reqntid` states.");
  nb::class_<Module>(
      m, "Module", "PTX text, parsed; ValueError with (line, column, message).")
      .def(nb::init<std::string_view, std::string_view>(), "ptx"_a, "name"_a)
      .def_prop_ro("target", &Module::getTarget)
      .def_prop_ro("kernels", &Module::getKernels)
      .def("prepare", &Module::prepare, "kernel"_a);
  nb::class_<Memory>(m, "Memory",
                     "Device memory; host memory is given by its address.")
      .def(nb::init<>())
      .def("allocate", &Memory::allocate, "size_bytes"_a, "name"_a)
      .def("map", &Memory::map, "host"_a, "size_bytes"_a, "name"_a)
      .def("read", &Memory::read, "address"_a, "host"_a, "size_bytes"_a)
      .def("count_unwritten", &Memory::countUnwritten, "address"_a,
           "size_bytes"_a);
  nb::class_<Options>(m, "Options")
      .def(
          "__init__",
          [](Options *self, std::string checks, uint64_t seed, uint32_t threads,
             uint32_t maxFindings, std::optional<uint64_t> maxInstructions,
             bool equalStores, bool unfencedMbarriers, int delivery) {
            new (self) Options{
                std::move(checks), seed,        threads,           maxFindings,
                maxInstructions,   equalStores, unfencedMbarriers, delivery};
          },
          nb::kw_only(), "checks"_a, "seed"_a, "threads"_a, "max_findings"_a,
          "max_instructions"_a.none(), "equal_stores"_a, "unfenced_mbarriers"_a,
          "delivery"_a);
  nb::class_<Access>(m, "Access")
      .def_ro("text", &Access::text)
      .def_ro("line", &Access::line)
      .def_ro("source", &Access::source)
      .def_ro("block", &Access::block)
      .def_ro("thread", &Access::thread);
  nb::class_<Finding>(m, "Finding")
      .def_ro("kind", &Finding::kind)
      .def_ro("message", &Finding::message)
      .def_ro("missing", &Finding::missing)
      .def_ro("text", &Finding::text)
      .def_ro("count", &Finding::count)
      .def_ro("address", &Finding::address)
      .def_ro("accesses", &Finding::accesses);
  nb::class_<Result>(m, "Result")
      .def_ro("completed", &Result::completed)
      .def_ro("findings", &Result::findings)
      .def_ro("notes", &Result::notes)
      .def_ro("dropped", &Result::dropped)
      .def_ro("output", &Result::output)
      .def_ro("statistics", &Result::statistics);
  m.def("encode_tensor_map", &encodeTensorMap, "type"_a, "address"_a, "sizes"_a,
        "strides_bytes"_a, "box"_a, "swizzle_bytes"_a);
  m.def("run", &run, "module"_a, "kernel"_a, "memory"_a, "grid"_a, "block"_a,
        "cluster"_a, "shared_bytes"_a, "arguments"_a, "options"_a);
}
