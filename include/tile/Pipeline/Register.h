//===- Register.h - What an embedder registers ------------------*- C++ -*-===//
//
// One call for everything that compiling needs to find in a context. With
// registerTilePipelines() (Pipeline.h), which is for tools with a command line,
// that is all a tool or another compiler has to register.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_PIPELINE_REGISTER_H
#define TILE_PIPELINE_REGISTER_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mlir::tile {

/// Adds the tile dialect, the upstream dialects a tile program may use or is
/// lowered to, and the interfaces and translations the pipeline calls.
void registerTileDialects(DialectRegistry &registry);

} // namespace mlir::tile

#endif // TILE_PIPELINE_REGISTER_H
