//===- Arguments.h - The --arg forms of ptx-run -----------------*- C++ -*-===//
//
// Texts such as "@a.npy:b.npy" and "i32:5" become the bytes of parameters and
// buffers on an executor.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TOOLS_PTXRUN_ARGUMENTS_H
#define TILE_TOOLS_PTXRUN_ARGUMENTS_H

#include "Executor.h"

#include "tile/Runtime/Npy.h"

namespace tilec {

/// A buffer that an argument names. `array` is empty without a file.
struct ArgumentBuffer {
  uint64_t address = 0;
  uint64_t sizeBytes = 0;
  NpyArray array;
  std::string outputPath; ///< empty: not written
  bool hasFile = false;
};

struct Argument {
  std::vector<uint8_t> bytes; ///< of the parameter
  /// Index into `buffers`, or -1.
  int buffer = -1;
};

class ArgumentList {
public:
  explicit ArgumentList(Executor &executor) : executor(executor) {}

  /// Makes the next argument; an empty string or what is wrong with it.
  std::string add(const std::string &text, const emu::ParameterInfo &parameter);

  const std::vector<Argument> &arguments() const { return list; }
  ArgumentBuffer *findBuffer(size_t argument);
  /// Writes the files that arguments ask for.
  std::string writeOutputs();

private:
  std::string addBuffer(const std::string &text, const std::string &name,
                        int &buffer);
  std::string addFile(const std::string &text, int &buffer);
  std::string addTensorMap(const std::string &text,
                           const emu::ParameterInfo &parameter,
                           Argument &argument);

  Executor &executor;
  std::vector<Argument> list;
  std::vector<ArgumentBuffer> buffers;
};

/// "box=64x64,type=f16" after "tensormap:SOURCE,". `buffer` gives address and
/// defaults; an empty string or what is wrong.
std::string parseTensorMap(const std::string &options,
                           const ArgumentBuffer &buffer,
                           emu::TensorMapArguments &map, int &l2Promotion);

/// "i32:5", "f16:0.5", "bytes:00ff", "null"; an empty string or what is wrong.
std::string parseScalar(const std::string &text, std::vector<uint8_t> &bytes);

/// The parts between separators.
std::vector<std::string> split(const std::string &text, char separator);

} // namespace tilec

#endif // TILE_TOOLS_PTXRUN_ARGUMENTS_H
