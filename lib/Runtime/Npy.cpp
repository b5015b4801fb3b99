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

#include <cstdio>
#include <cstring>
#include <fstream>

using namespace tilec;

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
  bool isKnown = std::strchr("fiub", array.kind) &&
                 (array.itemBytes == 1 || array.itemBytes == 2 ||
                  array.itemBytes == 4 || array.itemBytes == 8);
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
                        std::string &error) {
  if (!parseType(findValue(header, "descr"), array, error) ||
      !parseShape(findValue(header, "shape"), array, error))
    return false;
  bool isFortran = findValue(header, "fortran_order").rfind("True", 0) == 0;
  if (isFortran && array.shape.size() > 1) {
    error = "it is in column-major order; save numpy.ascontiguousarray(..)";
    return false;
  }
  return true;
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
  if (!parseHeader(header, array, reason))
    return fail(reason);
  reason = checkMemory(array.shape, 8 * array.itemBytes);
  if (!reason.empty())
    return fail("the array of its header " + reason);
  array.bytes.assign(std::istreambuf_iterator<char>(file), {});
  size_t expected = static_cast<size_t>(array.count()) * array.itemBytes;
  if (array.bytes.size() != expected)
    return fail("it holds " + std::to_string(array.bytes.size()) +
                " bytes of data, its header says " + std::to_string(expected));
  return true;
}

bool tilec::writeNpy(const std::string &path, const NpyArray &array,
                     std::string &error) {
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

  std::string temporary = path + ".part";
  std::ofstream file(temporary, std::ios::binary | std::ios::trunc);
  file.write("\x93NUMPY\x01\x00", 8);
  file.put(static_cast<char>(header.size() & 0xff));
  file.put(static_cast<char>(header.size() >> 8));
  file.write(header.data(), static_cast<std::streamsize>(header.size()));
  file.write(reinterpret_cast<const char *>(array.bytes.data()),
             static_cast<std::streamsize>(array.bytes.size()));
  file.close();
  if (file && std::rename(temporary.c_str(), path.c_str()) == 0)
    return true;
  error = "cannot write '" + path + "': " + std::strerror(errno);
  std::remove(temporary.c_str());
  return false;
}
