//===- native.cpp - The compiler in Python --------------------------------===//
//
// tilec._native: compiling and running over include/tile-c. What it means to people is in
// tilec/compiler.py. Whatever takes long lets other threads of Python run.
//
//===----------------------------------------------------------------------===//

#include "interruptible.h"
#include "program.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using namespace nb::literals;

using Unlocked = nb::call_guard<nb::gil_scoped_release>;

static std::string getReport(const Program &program, intptr_t kernel,
                             bool isJson) {
  std::string text;
  (void)tileProgramPrintReport(program.get(), kernel,
                               isJson ? TileFormatJson : TileFormatText, append,
                               &text);
  return text;
}

/// Nothing where layouts were not asked for.
static std::optional<std::string> getLayouts(const Program &program,
                                             intptr_t kernel, bool isSvg) {
  std::string text;
  if (mlirLogicalResultIsFailure(tileProgramPrintLayouts(
          program.get(), kernel, isSvg ? TileFormatSvg : TileFormatText, append,
          &text)))
    return {};
  return text;
}

static std::string getArena(const Program &program, intptr_t kernel) {
  std::string text;
  tileProgramPrintArena(program.get(), kernel, append, &text);
  return text;
}

static std::string getKernelPtx(const Program &program, intptr_t kernel) {
  std::string text;
  tileProgramPrintKernelPtx(program.get(), kernel, append, &text);
  return text;
}

static std::string getJson(const Program &program) {
  std::string text;
  tileProgramPrintJson(program.get(), append, &text);
  return text;
}

static std::vector<std::string> getKernels(const Program &program) {
  std::vector<std::string> names;
  for (intptr_t i = 0; i < tileProgramGetNumKernels(program.get()); ++i)
    names.push_back(toPython(tileProgramGetKernelName(program.get(), i)));
  return names;
}

static nb::bytes getCubin(const Program &program) {
  MlirStringRef cubin = tileProgramGetCubin(program.get());
  return nb::bytes(cubin.data, cubin.length);
}

static Execution run(const Program &program, const std::string &entry,
                     const std::vector<Value> &arguments,
                     const ExecutionOptions &from) {
  OwnedExecutionOptions options = makeOptions(from);
  return runInterruptibly(
      [&] { return program.run(entry, arguments, options.get()); },
      [&] { tileExecutionOptionsInterrupt(options.get()); });
}

static void defineData(nb::module_ &m) {
  nb::class_<Diagnostic>(m, "Diagnostic")
      .def_ro("severity", &Diagnostic::severity)
      .def_ro("file", &Diagnostic::file)
      .def_ro("line", &Diagnostic::line)
      .def_ro("column", &Diagnostic::column)
      .def_ro("message", &Diagnostic::message)
      .def_ro("notes", &Diagnostic::notes);
  nb::class_<Argument>(m, "Argument")
      .def_ro("type", &Argument::type)
      .def_ro("element", &Argument::element)
      .def_ro("is_array", &Argument::isArray)
      .def_ro("shape", &Argument::shape);
  nb::class_<Function>(m, "Function")
      .def_ro("name", &Function::name)
      .def_ro("arguments", &Function::arguments);
  nb::class_<Array>(
      m, "Array",
      "Memory of host or GPU, by its address; strides count elements.")
      .def(nb::init<uintptr_t, int64_t, std::vector<int64_t>,
                    std::vector<int64_t>, bool, bool>(),
           "address"_a, "element_bits"_a, "sizes"_a, "strides"_a,
           "is_constant"_a, "is_on_gpu"_a);
  nb::class_<Execution>(m, "Execution")
      .def_ro("is_done", &Execution::isDone)
      .def_ro("diagnostics", &Execution::diagnostics)
      .def_ro("text", &Execution::text)
      .def_ro("output", &Execution::output)
      .def_ro("statistics", &Execution::statistics)
      .def_ro("times", &Execution::times);
}

namespace {
/// What an object exports by DLPack, for as long as this lives.
struct Exported {
  nb::ndarray<nb::ro> array;
  bool isReadOnly;
};
} // namespace

static void defineExported(nb::module_ &m) {
  nb::class_<Exported>(m, "Exported",
                       "An array by DLPack; strides count elements.")
      .def(
          "__init__",
          [](Exported *self, nb::object array) {
            nb::ndarray<> writable;
            if (nb::try_cast(array, writable))
              new (self) Exported{nb::ndarray<nb::ro>(writable), false};
            else
              new (self) Exported{nb::cast<nb::ndarray<nb::ro>>(array), true};
          },
          "array"_a)
      .def_ro("is_read_only", &Exported::isReadOnly)
      .def_prop_ro("device",
                   [](const Exported &e) {
                     return std::make_pair(e.array.device_type(),
                                           e.array.device_id());
                   })
      .def_prop_ro("address",
                   [](const Exported &e) {
                     return reinterpret_cast<uintptr_t>(e.array.data());
                   })
      .def_prop_ro("dtype",
                   [](const Exported &e) {
                     nb::dlpack::dtype type = e.array.dtype();
                     return std::make_pair(int(type.code), int(type.bits));
                   })
      .def_prop_ro("shape",
                   [](const Exported &e) {
                     const int64_t *shape = e.array.shape_ptr();
                     return std::vector<int64_t>(shape, shape + e.array.ndim());
                   })
      .def_prop_ro("strides", [](const Exported &e) {
        const int64_t *strides = e.array.stride_ptr();
        return std::vector<int64_t>(strides, strides + e.array.ndim());
      });
}

static void defineOptions(nb::module_ &m) {
  nb::class_<CompileOptions>(m, "CompileOptions")
      .def(
          "__init__",
          [](CompileOptions *self, std::string chip, int optLevel,
             bool lineInfo, bool checkAssumptions, bool versions,
             int64_t prefetchBytes, int reuse, bool cubin, bool layouts,
             std::string libdevice,
             std::optional<std::vector<std::string>> toolkits) {
            new (self) CompileOptions{std::move(chip),
                                      optLevel,
                                      lineInfo,
                                      checkAssumptions,
                                      versions,
                                      prefetchBytes,
                                      reuse,
                                      cubin,
                                      layouts,
                                      std::move(libdevice),
                                      std::move(toolkits)};
          },
          nb::kw_only(), "chip"_a, "opt_level"_a, "line_info"_a,
          "check_assumptions"_a, "versions"_a, "prefetch_bytes"_a, "reuse"_a,
          "cubin"_a, "layouts"_a, "libdevice"_a, "toolkits"_a.none());
  nb::class_<ExecutionOptions>(m, "ExecutionOptions")
      .def(
          "__init__",
          [](ExecutionOptions *self, int backend, uint64_t seed,
             std::optional<uint64_t> limit, int64_t multiprocessors,
             bool statistics, unsigned timedLaunches, unsigned warmUp) {
            new (self) ExecutionOptions{
                backend,    seed,          limit, multiprocessors,
                statistics, timedLaunches, warmUp};
          },
          nb::kw_only(), "backend"_a, "seed"_a, "limit"_a.none(),
          "multiprocessors"_a, "statistics"_a, "timed_launches"_a, "warm_up"_a);
}

NB_MODULE(_native, m) {
  m.doc() = "The compiler (include/tile-c); tilec.compile is its face.";
  defineData(m);
  defineExported(m);
  defineOptions(m);
  nb::class_<Program>(m, "Program")
      .def_prop_ro("chip",
                   [](const Program &p) {
                     return toPython(tileProgramGetChip(p.get()));
                   })
      .def_prop_ro(
          "ptx",
          [](const Program &p) { return toPython(tileProgramGetPtx(p.get())); })
      .def_prop_ro("cubin", &getCubin)
      .def_prop_ro("kernels", &getKernels)
      .def_prop_ro("functions", &Program::getFunctions)
      .def_prop_ro("json", &getJson)
      .def("kernel_ptx", &getKernelPtx, "kernel"_a)
      .def("report", &getReport, "kernel"_a, "is_json"_a)
      .def("layouts", &getLayouts, "kernel"_a, "is_svg"_a)
      .def("arena", &getArena, "kernel"_a)
      .def("run", &run, "entry"_a, "arguments"_a, "options"_a);
  nb::class_<Compilation>(m, "Compilation")
      .def("take_program", [](Compilation &c) { return std::move(c.program); })
      .def_ro("emitted", &Compilation::emitted)
      .def_ro("diagnostics", &Compilation::diagnostics)
      .def_ro("text", &Compilation::text);
  m.def("compile", &compile, "source"_a, "source_name"_a, "options"_a,
        Unlocked());
  m.def("emit", &emitText, "source"_a, "source_name"_a, "options"_a, "text"_a,
        Unlocked());
}
