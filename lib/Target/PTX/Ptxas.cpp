//===- Ptxas.cpp - NVIDIA's assembler, if there is one --------------------===//

#include "tile/Target/PTX/Ptxas.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::tile;
using llvm::SmallString;
using llvm::StringRef;

/// Adds the standard places after the given ones.
static std::vector<std::string> getToolkitRoots(const ToolkitSearch &toolkits) {
  if (toolkits.isDenied)
    return {};
  std::vector<std::string> roots = toolkits.folders;
  if (auto found = llvm::sys::findProgramByName("ptxas"))
    roots.push_back(
        llvm::sys::path::parent_path(llvm::sys::path::parent_path(*found))
            .str());
  roots.push_back("/usr/local/cuda");
  return roots;
}

static std::optional<std::string> findInToolkit(const ToolkitSearch &toolkits,
                                                StringRef relativePath) {
  for (const std::string &root : getToolkitRoots(toolkits)) {
    SmallString<128> path(root);
    llvm::sys::path::append(path, relativePath);
    if (llvm::sys::fs::exists(path))
      return path.str().str();
  }
  return std::nullopt;
}

std::optional<std::string>
mlir::tile::findPtxas(const ToolkitSearch &toolkits) {
  if (auto found = findInToolkit(toolkits, "bin/ptxas"))
    return found;
  if (auto found = llvm::sys::findProgramByName("ptxas");
      found && !toolkits.isDenied)
    return *found;
  return std::nullopt;
}

std::optional<std::string>
mlir::tile::findLibdevice(const ToolkitSearch &toolkits) {
  return findInToolkit(toolkits, "nvvm/libdevice/libdevice.10.bc");
}

/// The number right before `word` in `line`, 0 if there is none.
static int64_t numberBefore(StringRef line, StringRef word) {
  size_t end = line.find(word);
  if (end == StringRef::npos)
    return 0;
  StringRef before = line.take_front(end).rtrim();
  StringRef digits =
      before.substr(before.find_last_not_of("0123456789") == StringRef::npos
                        ? 0
                        : before.find_last_not_of("0123456789") + 1);
  int64_t value = 0;
  (void)digits.getAsInteger(10, value);
  return value;
}

/// Reads `ptxas -v`'s lines: a kernel's name, then its stack, then its
/// registers.
static void parseVerboseOutput(StringRef text, PtxasResult &result) {
  std::string kernel;
  llvm::SmallVector<StringRef> lines;
  text.split(lines, '\n');
  for (StringRef line : lines) {
    if (size_t at = line.find("(C75"); at != StringRef::npos) {
      result.notes.push_back(line.substr(at).str());
      continue;
    }
    if (line.contains("Compiling entry function"))
      kernel = line.split('\'').second.split('\'').first.str();
    if (kernel.empty())
      continue;
    KernelResources &resources = result.kernels[kernel];
    if (line.contains("bytes stack frame")) {
      resources.stackBytes = numberBefore(line, "bytes stack frame");
      resources.spillStoreBytes = numberBefore(line, "bytes spill stores");
      resources.spillLoadBytes = numberBefore(line, "bytes spill loads");
    }
    if (line.contains("Used "))
      resources.registers = numberBefore(line, "registers");
  }
}

tilec::Expected<PtxasResult>
mlir::tile::runPtxas(StringRef ptxas, StringRef ptx, StringRef chip) {
  SmallString<128> input, output, log;
  llvm::scope_exit cleanup([&] {
    for (StringRef path : {StringRef(input), StringRef(output), StringRef(log)})
      if (!path.empty())
        llvm::sys::fs::remove(path);
  });
  if (llvm::sys::fs::createTemporaryFile("tile", "ptx", input) ||
      llvm::sys::fs::createTemporaryFile("tile", "cubin", output) ||
      llvm::sys::fs::createTemporaryFile("tile", "log", log))
    return tilec::Failure{"cannot make temporary files for ptxas"};
  {
    std::error_code error;
    llvm::raw_fd_ostream stream(input, error);
    stream << ptx;
    stream.close();
    if (error || stream.has_error())
      return tilec::Failure{"cannot write " + input.str().str()};
  }
  std::string arch = ("-arch=" + chip).str();
  std::optional<StringRef> redirects[] = {StringRef(""), StringRef(log),
                                          StringRef(log)};
  std::string error;
  int status = llvm::sys::ExecuteAndWait(
      ptxas, {ptxas, arch, "-v", "-o", output, input}, std::nullopt, redirects,
      /*SecondsToWait=*/0, /*MemoryLimit=*/0, &error);
  std::string text;
  if (auto buffer = llvm::MemoryBuffer::getFile(log))
    text = (*buffer)->getBuffer().str();
  if (status != 0)
    return tilec::Failure{"ptxas failed: " + (text.empty() ? error : text)};

  PtxasResult result;
  parseVerboseOutput(text, result);
  if (auto buffer = llvm::MemoryBuffer::getFile(output))
    result.cubin = (*buffer)->getBuffer().str();
  return result;
}
