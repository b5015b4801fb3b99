//===- Arguments.cpp - The --arg forms of ptx-run ------------------------===//

#include "Arguments.h"

#include "tile/Emulator/Numerics.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>

using namespace tilec;

std::vector<std::string> tilec::split(const std::string &text, char separator) {
  std::vector<std::string> parts(1);
  for (char c : text)
    if (c == separator)
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

template <typename T>
static std::string put(const T &value, std::vector<uint8_t> &bytes) {
  bytes.resize(sizeof(T));
  std::memcpy(bytes.data(), &value, sizeof(T));
  return "";
}

static std::string parseFloat(const std::string &kind, const std::string &text,
                              std::vector<uint8_t> &bytes) {
  char *end = nullptr;
  double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end)
    return "'" + text + "' is not a number";
  if (kind == "f64")
    return put(value, bytes);
  if (kind == "f32")
    return put(static_cast<float>(value), bytes);
  return put(static_cast<uint16_t>(emu::encodeFloat(
                 kind == "f16" ? emu::ElementType::F16 : emu::ElementType::BF16,
                 value)),
             bytes);
}

static std::string parseInteger(unsigned width, const std::string &text,
                                std::vector<uint8_t> &bytes) {
  char *end = nullptr;
  errno = 0;
  bool isNegative = !text.empty() && text[0] == '-';
  uint64_t value =
      isNegative ? static_cast<uint64_t>(std::strtoll(text.c_str(), &end, 0))
                 : std::strtoull(text.c_str(), &end, 0);
  if (text.empty() || *end || errno)
    return "'" + text + "' is not an integer";
  // Read as signed or unsigned, it must fit.
  uint64_t magnitude = isNegative ? ~value : value;
  unsigned bits = isNegative ? width - 1 : width;
  if (bits < 64 && magnitude >> bits)
    return "'" + text + "' does not fit " + std::to_string(width) + " bits";
  put(value, bytes);
  bytes.resize(width / 8);
  return "";
}

static std::string parseBytes(const std::string &text,
                              std::vector<uint8_t> &bytes) {
  if (text.size() % 2 != 0 ||
      text.find_first_not_of("0123456789abcdefABCDEF") != std::string::npos)
    return "'" + text + "' is not an even number of hexadecimal digits";
  bytes.clear();
  for (size_t i = 0; i < text.size(); i += 2)
    bytes.push_back(static_cast<uint8_t>(
        std::strtoul(text.substr(i, 2).c_str(), nullptr, 16)));
  return "";
}

std::string tilec::parseScalar(const std::string &text,
                               std::vector<uint8_t> &bytes) {
  size_t colon = text.find(':');
  std::string kind = text.substr(0, colon);
  std::string rest = colon == std::string::npos ? "" : text.substr(colon + 1);
  if (text == "null")
    return put(uint64_t(0), bytes);
  if (kind == "bytes")
    return parseBytes(rest, bytes);
  if (kind == "f32" || kind == "f64" || kind == "f16" || kind == "bf16")
    return parseFloat(kind, rest, bytes);
  uint64_t width;
  if (kind.size() > 1 && std::strchr("ius", kind[0]) &&
      parseNumber(kind.substr(1), width) &&
      (width == 8 || width == 16 || width == 32 || width == 64))
    return parseInteger(static_cast<unsigned>(width), rest, bytes);
  return "unknown form '" + text +
         "'; known: @file.npy, @in.npy:out.npy, i32:N, i64:N, f32:X, f64:X, "
         "f16:X, bf16:X, zeros:BYTES, new:BYTES, same:N, tensormap:.., "
         "bytes:HEX, null";
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

std::string ArgumentList::addFile(const std::string &text, int &buffer) {
  size_t colon = text.find(':');
  std::string path = text.substr(1, colon - 1), error;
  ArgumentBuffer result;
  if (!readNpy(path, result.array, error))
    return error;
  result.hasFile = true;
  result.outputPath = colon == std::string::npos ? "" : text.substr(colon + 1);
  if (!result.outputPath.empty())
    if (error = checkWritable(result.outputPath); !error.empty())
      return error;
  result.sizeBytes = result.array.bytes.size();
  error = executor.allocate(result.sizeBytes, path, result.address);
  if (error.empty())
    error = executor.write(result.address, result.array.bytes.data(),
                           result.sizeBytes);
  buffer = static_cast<int>(buffers.size());
  buffers.push_back(std::move(result));
  return error;
}

/// Leaves `buffer` alone if `text` is not a buffer.
std::string ArgumentList::addBuffer(const std::string &text,
                                    const std::string &name, int &buffer) {
  if (!text.empty() && text[0] == '@')
    return addFile(text, buffer);
  size_t colon = text.find(':');
  std::string kind = text.substr(0, colon);
  if (kind != "zeros" && kind != "new" && kind != "same")
    return "";
  uint64_t number;
  if (colon == std::string::npos ||
      !parseNumber(text.substr(colon + 1), number))
    return "expected a number after '" + kind + ":'";
  if (kind == "same") {
    if (number >= list.size() || list[number].buffer < 0)
      return "argument " + std::to_string(number) +
             " is not an earlier argument with a buffer";
    buffer = list[number].buffer;
    return "";
  }
  ArgumentBuffer result;
  result.sizeBytes = number;
  std::string error = executor.allocate(number, name, result.address);
  if (error.empty() && kind == "zeros")
    error = executor.fill(result.address, 0, number);
  buffer = static_cast<int>(buffers.size());
  buffers.push_back(std::move(result));
  return error;
}

std::string ArgumentList::addTensorMap(const std::string &text,
                                       const emu::ParameterInfo &parameter,
                                       Argument &argument) {
  size_t comma = text.find(',');
  std::string source = text.substr(0, comma);
  std::string error = addBuffer(source, parameter.name, argument.buffer);
  if (!error.empty())
    return error;
  if (argument.buffer < 0)
    return "tensormap: needs a buffer (@a.npy, zeros:BYTES, same:N), not '" +
           source + "'";
  emu::TensorMapArguments map;
  int l2Promotion = 0;
  error =
      parseTensorMap(comma == std::string::npos ? "" : text.substr(comma + 1),
                     buffers[argument.buffer], map, l2Promotion);
  TensorMapBytes encoded = {};
  if (error.empty())
    error = executor.encodeTensorMap(map, l2Promotion, encoded);
  if (!error.empty())
    return error;
  if (parameter.sizeBytes != sizeof(uint64_t)) {
    argument.bytes.assign(encoded.bytes, encoded.bytes + sizeof encoded.bytes);
    return "";
  }
  // A kernel that takes a pointer finds the map in global memory.
  uint64_t address = 0;
  error = executor.allocate(sizeof encoded.bytes, parameter.name, address);
  if (error.empty())
    error = executor.write(address, encoded.bytes, sizeof encoded.bytes);
  put(address, argument.bytes);
  return error;
}

std::string ArgumentList::add(const std::string &text,
                              const emu::ParameterInfo &parameter) {
  static const std::string tensorMapPrefix = "tensormap:";
  Argument argument;
  std::string error;
  if (text.starts_with(tensorMapPrefix)) {
    error =
        addTensorMap(text.substr(tensorMapPrefix.size()), parameter, argument);
  } else {
    error = addBuffer(text, parameter.name, argument.buffer);
    if (error.empty() && argument.buffer >= 0)
      put(buffers[argument.buffer].address, argument.bytes);
    else if (error.empty())
      error = parseScalar(text, argument.bytes);
  }
  list.push_back(std::move(argument));
  return error;
}

ArgumentBuffer *ArgumentList::findBuffer(size_t argument) {
  if (argument >= list.size() || list[argument].buffer < 0)
    return nullptr;
  return &buffers[list[argument].buffer];
}

std::string ArgumentList::writeOutputs() {
  for (ArgumentBuffer &buffer : buffers) {
    if (buffer.outputPath.empty())
      continue;
    std::string error = executor.read(buffer.address, buffer.array.bytes.data(),
                                      buffer.array.bytes.size());
    if (!error.empty() || !writeNpy(buffer.outputPath, buffer.array, error))
      return error;
  }
  return "";
}
