//===- HeapPages.h - A heap of large pages ----------------------*- C++ -*-===//

#ifndef TILE_TOOLS_HEAPPAGES_H
#define TILE_TOOLS_HEAPPAGES_H

namespace mlir::tile {

/// Lets what is allocated from here on lie in pages of 2 MB, where the system gives
/// them: for a tool, at its beginning. Of pages of 4 KB a compiler touches a new one
/// every 30 microseconds, and each is a fault.
void useLargeHeapPages();

} // namespace mlir::tile

#endif // TILE_TOOLS_HEAPPAGES_H
