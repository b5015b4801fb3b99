//===- HostCode.h - Host functions as native code ---------------*- C++ -*-===//
//
// A compiled program as an object file and a C header, for applications that hold no
// compiler:
//
//   FailureOr<tile::CompiledProgram> program = tile::compile(module, options);
//   FailureOr<std::string> object = tile::makeObject(*program);
//   FailureOr<std::string> header = tile::makeHeader(*program);
//
// The object has a C function for each public host function that starts kernels, and
// the kernels; it calls libtileRt (tile-rt/abi.h). docs/HostCode.md has the interface.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_HOSTCODE_HOSTCODE_H
#define TILE_HOSTCODE_HOSTCODE_H

#include "tile/Pipeline/Compile.h"

namespace mlir::tile {

/// The bytes of an object file for this machine, position-independent. What cannot be
/// compiled is a diagnostic at its place: a public function that returns a memref or
/// has no name of C, an operation that nothing lowers, conversions of floats of 8 bits.
FailureOr<std::string> makeObject(const CompiledProgram &program);

/// A header for C99 and C++ with the functions of the object.
FailureOr<std::string> makeHeader(const CompiledProgram &program);

} // namespace mlir::tile

#endif // TILE_HOSTCODE_HOSTCODE_H
