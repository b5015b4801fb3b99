//===- Npy.cpp - Arrays in NumPy's .npy files ----------------------------===//
//
// The format: "\x93NUMPY", version, length of the header, then the header, a
// Python dictionary such as
//
//     {'descr': '<f4', 'fortran_order': False, 'shape': (512, 300), }
//
// padded with spaces so that the data begin at a multiple of 64 bytes.
//
//===----------------------------------------------------------------------===//

#include "tile/Runtime/Npy.h"

#include "tile/Limits/AvailableMemory.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <unistd.h>

using namespace tilec;

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

std::string NpyArray::typeName() const {
  return kind + std::to_string(itemBytes);
}

/// The text after `'key':`, spaces skipped; empty if the key is missing.
static std::string findValue(const std::string &header,
                             const std::string &key) {
  size_t at = header.find("'" + key + "'");
  if (at == std::string::npos)
    return "";
  at = header.find(':', at);
  if (at == std::string::npos)
    return "";
  at = header.find_first_not_of(" \t", at + 1);
  return at == std::string::npos ? "" : header.substr(at);
}

static bool parseType(const std::string &value, NpyArray &array,
                      std::string &error) {
  // '<f4', '|b1', '=i8': order, kind, bytes.
  if (value.size() < 5 || value[0] != '\'') {
    error = "its element type is not a single one";
    return false;
  }
  char order = value[1];
  array.kind = value[2];
  array.itemBytes =
      static_cast<unsigned>(std::strtoul(value.c_str() + 3, nullptr, 10));
  if (order == '>' && array.itemBytes > 1) {
    error = "it is big-endian; save it little-endian";
    return false;
  }
  // NumPy has no float of one byte.
  if (array.kind == 'f' && array.itemBytes == 1)
    array.kind = 'V';
  unsigned bytes = array.itemBytes;
  bool isKnown = array.kind == 'V' ? bytes == 1 || bytes == 2
                                   : std::strchr("fiub", array.kind) &&
                                         (bytes == 1 || bytes == 2 ||
                                          bytes == 4 || bytes == 8);
  if (!isKnown) {
    error = "elements of type " + value.substr(0, value.find('\'', 1) + 1) +
            " are not numbers of 1, 2, 4 or 8 bytes";
    return false;
  }
  return true;
}

static bool parseShape(const std::string &value, NpyArray &array,
                       std::string &error) {
  size_t end = value.find(')');
  if (value.empty() || value[0] != '(' || end == std::string::npos) {
    error = "its header has no shape";
    return false;
  }
  array.shape.clear();
  for (size_t at = 1; at < end;) {
    if (value[at] < '0' || value[at] > '9') {
      ++at;
      continue;
    }
    char *rest = nullptr;
    array.shape.push_back(std::strtoll(value.c_str() + at, &rest, 10));
    at = static_cast<size_t>(rest - value.c_str());
  }
  return true;
}

static bool parseHeader(const std::string &header, NpyArray &array,
                        bool &isColumnMajor, std::string &error) {
  isColumnMajor = findValue(header, "fortran_order").rfind("True", 0) == 0;
  return parseType(findValue(header, "descr"), array, error) &&
         parseShape(findValue(header, "shape"), array, error);
}

/// Moves elements from column-major to row-major order.
static void transpose(NpyArray &array) {
  size_t rank = array.shape.size();
  std::vector<uint8_t> from = std::move(array.bytes);
  array.bytes.assign(from.size(), 0);
  std::vector<int64_t> index(rank, 0), strides(rank, 1);
  for (size_t d = 1; d < rank; ++d)
    strides[d] = strides[d - 1] * array.shape[d - 1];
  for (int64_t position = 0; position < array.count(); ++position) {
    int64_t source = 0;
    for (size_t d = 0; d < rank; ++d)
      source += index[d] * strides[d];
    std::memcpy(array.bytes.data() + position * array.itemBytes,
                from.data() + source * array.itemBytes, array.itemBytes);
    for (size_t d = rank; d-- > 0;) {
      if (++index[d] < array.shape[d])
        break;
      index[d] = 0;
    }
  }
}

bool tilec::readNpy(const std::string &path, NpyArray &array,
                    std::string &error) {
  auto fail = [&](const std::string &reason) {
    error = "cannot read '" + path + "': " + reason;
    return false;
  };
  std::ifstream file(path, std::ios::binary);
  if (!file)
    return fail(std::strerror(errno));
  char start[8];
  if (!file.read(start, 8) || std::memcmp(start, "\x93NUMPY", 6) != 0)
    return fail("it is not an .npy file");
  unsigned lengthBytes = start[6] == 1 ? 2 : 4;
  unsigned char length[4] = {0, 0, 0, 0};
  file.read(reinterpret_cast<char *>(length), lengthBytes);
  size_t headerBytes = length[0] | length[1] << 8 | length[2] << 16 |
                       static_cast<size_t>(length[3]) << 24;
  if (!file || headerBytes > (1u << 20))
    return fail("its header is damaged");
  std::string header(headerBytes, '\0');
  if (!file.read(header.data(), static_cast<std::streamsize>(headerBytes)))
    return fail("its header is cut off");
  std::string reason;
  bool isColumnMajor = false;
  if (!parseHeader(header, array, isColumnMajor, reason))
    return fail(reason);
  reason = checkMemory(array.shape, 8 * array.itemBytes);
  if (!reason.empty())
    return fail("the array of its header " + reason);
  array.bytes.assign(std::istreambuf_iterator<char>(file), {});
  size_t expected = static_cast<size_t>(array.count()) * array.itemBytes;
  if (array.bytes.size() != expected)
    return fail("it holds " + std::to_string(array.bytes.size()) +
                " bytes of data, its header says " + std::to_string(expected));
  if (isColumnMajor && array.shape.size() > 1)
    transpose(array);
  return true;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// The file that is written and then takes the place of `path`; `path` itself
/// where that is no ordinary file.
static std::string getWrittenPath(const std::string &path) {
  std::error_code ignored;
  auto status = std::filesystem::status(path, ignored);
  bool isOrdinary = !std::filesystem::exists(status) ||
                    std::filesystem::is_regular_file(status);
  return isOrdinary ? path + ".part" : path;
}

std::string tilec::checkWritable(const std::string &path) {
  std::string written = getWrittenPath(path);
  auto fail = [&](int number) {
    return "cannot write '" + path + "': " + std::strerror(number);
  };
  // A file that may not be written is not replaced by another one either.
  if (::access(path.c_str(), F_OK) == 0 && ::access(path.c_str(), W_OK) != 0)
    return fail(errno);
  std::FILE *file = std::fopen(written.c_str(), "ab");
  if (!file)
    return fail(errno);
  std::fclose(file);
  if (written != path)
    std::remove(written.c_str());
  return "";
}

static std::string makeHeader(const NpyArray &array) {
  std::string header = "{'descr': '";
  header += array.itemBytes == 1 ? '|' : '<';
  header += array.typeName() + "', 'fortran_order': False, 'shape': (";
  for (int64_t extent : array.shape)
    header += std::to_string(extent) + ", ";
  if (array.shape.size() > 1)
    header.resize(header.size() - 2);
  header += "), }";
  while ((10 + header.size() + 1) % 64 != 0)
    header += ' ';
  header += '\n';
  return header;
}

bool tilec::writeNpy(const std::string &path, const NpyArray &array,
                     std::string &error) {
  std::string header = makeHeader(array), written = getWrittenPath(path);
  errno = 0;
  std::ofstream file(written, std::ios::binary | std::ios::trunc);
  file.write("\x93NUMPY\x01\x00", 8);
  file.put(static_cast<char>(header.size() & 0xff));
  file.put(static_cast<char>(header.size() >> 8));
  file.write(header.data(), static_cast<std::streamsize>(header.size()));
  file.write(reinterpret_cast<const char *>(array.bytes.data()),
             static_cast<std::streamsize>(array.bytes.size()));
  file.close();
  if (file &&
      (written == path || std::rename(written.c_str(), path.c_str()) == 0))
    return true;
  error = "cannot write '" + path + "': " + std::strerror(errno);
  if (written != path)
    std::remove(written.c_str());
  return false;
}
