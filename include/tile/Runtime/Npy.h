//===- Npy.h - Arrays in NumPy's .npy files ---------------------*- C++ -*-===//
//
// Reads and writes version 1 and 2 files: little-endian numbers of one type.
// Column-major files are read into row-major order. Types without a NumPy
// equivalent (bf16, fp8, i4) travel as unsigned integers, or as opaque elements
// of one or two bytes, as ml_dtypes and JAX write them; what the bytes mean is
// the caller's to say.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_RUNTIME_NPY_H
#define TILE_RUNTIME_NPY_H

#include <cstdint>
#include <string>
#include <vector>

namespace tilec {

struct NpyArray {
  /// 'f' float, 'i' signed, 'u' unsigned, 'b' bool, 'V' opaque (a float of one
  /// byte is opaque too: ml_dtypes writes f8E5M2 so).
  char kind = 'f';
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

/// Whether `writeNpy` can write there, found out before a long run: an empty
/// string or a sentence that names the file. Leaves nothing behind, and a file
/// that is there as it is.
std::string checkWritable(const std::string &path);

/// Writes a file, whole or not at all: one that is there is replaced only by a
/// complete one. What is no ordinary file, such as /dev/stdout, is written to.
bool writeNpy(const std::string &path, const NpyArray &array,
              std::string &error);

} // namespace tilec

#endif // TILE_RUNTIME_NPY_H
