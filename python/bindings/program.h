//===- program.h - Compiled programs as Python has them ---------*- C++ -*-===//

#ifndef TILEC_BINDINGS_PROGRAM_H
#define TILEC_BINDINGS_PROGRAM_H

#include "diagnostics.h"

#include "tile-c/Run.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <variant>

struct CompileOptions {
  std::string chip;
  int optLevel;
  bool lineInfo, checkAssumptions, versions;
  int64_t prefetchBytes;
  int reuse;
  bool cubin, layouts;
  std::string libdevice;
  /// Folders of CUDA toolkits; nothing: there is none, whatever is installed.
  std::optional<std::vector<std::string>> toolkits;
};

/// An argument of a host function, as its type says it.
struct Argument {
  std::string type;           ///< as it is printed
  std::string element;        ///< of a memref, else the type
  bool isArray = false;       ///< a memref
  std::vector<int64_t> shape; ///< -1 where it is any
};

struct Function {
  std::string name;
  std::vector<Argument> arguments;
};

/// The functions of a program that Python calls: those with a body, and not private.
std::vector<Function> getFunctions(MlirModule module);

/// An array in memory of the host, or of the GPU.
struct Array {
  uintptr_t address;
  int64_t elementBits;
  std::vector<int64_t> sizes, strides;
  bool isConstant, isOnGpu;
};
using Value = std::variant<int64_t, double, Array>;

struct ExecutionOptions {
  int backend;
  uint64_t seed;
  std::optional<uint64_t> limit;
  int64_t multiprocessors;
  bool statistics;
  unsigned timedLaunches, warmUp;
};

/// What came of a run; `isDone` is false where diagnostics say why.
struct Execution {
  bool isDone = false;
  std::vector<Diagnostic> diagnostics;
  std::string text, output, statistics;
  std::vector<std::pair<std::string, double>>
      times; ///< kernel, median in seconds
};

using OwnedExecutionOptions =
    std::unique_ptr<TileExecutionOptions,
                    decltype(&tileExecutionOptionsDestroy)>;
OwnedExecutionOptions makeOptions(const ExecutionOptions &from);

/// A program in a context of its own. Runs one thing at a time, whatever threads ask.
class Program {
public:
  Program(MlirContext context, TileProgram *program, std::string source,
          std::string sourceName)
      : context(context), program(program), source(std::move(source)),
        sourceName(std::move(sourceName)) {}
  ~Program();
  Program(const Program &) = delete;

  TileProgram *get() const { return program; }
  std::vector<Function> getFunctions() const {
    return ::getFunctions(tileProgramGetSource(program));
  }
  /// Where the program prints is set in `options`.
  Execution run(const std::string &entry, const std::vector<Value> &arguments,
                TileExecutionOptions *options) const;

private:
  MlirContext context;
  TileProgram *program;
  std::string source, sourceName;
  mutable std::mutex running;
};

/// What came of compiling; without a program diagnostics say why.
struct Compilation {
  std::unique_ptr<Program> program;
  std::string emitted; ///< where a text was asked for
  std::vector<Diagnostic> diagnostics;
  std::string text;
};

Compilation compile(const std::string &source, const std::string &sourceName,
                    const CompileOptions &options);
/// LLVM IR or the module with threaded kernels in place of a program.
Compilation emitText(const std::string &source, const std::string &sourceName,
                     const CompileOptions &options, int text);

#endif // TILEC_BINDINGS_PROGRAM_H
