//===- Npy.h - Arrays in NumPy's .npy files ---------------------*- C++ -*-===//
//
// Reads and writes version 1 and 2 files: little-endian numbers of one type in
// row-major order. Types without a NumPy equivalent (bf16, fp8, i4) travel as
// unsigned integers; what the bytes mean is the caller's to say.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_RUNTIME_NPY_H
#define TILE_RUNTIME_NPY_H

#include <cstdint>
#include <string>
#include <vector>

namespace tilec {

struct NpyArray {
  char kind = 'f';        ///< 'f' float, 'i' signed, 'u' unsigned, 'b' bool
  unsigned itemBytes = 4; ///< of one element
  std::vector<int64_t> shape;
  std::vector<uint8_t> bytes;

  int64_t count() const {
    int64_t product = 1;
    for (int64_t extent : shape)
      product *= extent;
    return product;
  }
  /// "f4", "u2", "b1".
  std::string typeName() const;
};

/// Reads a file. On failure returns false and sets `error` to a sentence that
/// names the file.
bool readNpy(const std::string &path, NpyArray &array, std::string &error);

/// Writes a file, whole or not at all.
bool writeNpy(const std::string &path, const NpyArray &array,
              std::string &error);

} // namespace tilec

#endif // TILE_RUNTIME_NPY_H
