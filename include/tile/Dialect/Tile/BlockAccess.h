//===- BlockAccess.h - What an operation does to memory ---------*- C++ -*-===//
//
// A block-level operation reads and writes memory as one step of its block.
// Liveness, barriers, pipelining and aliasing all ask the same things of it:
// which memref, which part, whether all of it is replaced, which thread touches
// which element, when the access is complete. Operations answer by the
// interface `BlockAccessOpInterface`; those without it are asked for their side
// effects, and those without effects are taken to touch everything.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_DIALECT_TILE_BLOCKACCESS_H
#define TILE_DIALECT_TILE_BLOCKACCESS_H

#include "tile/Dialect/Tile/TileDialect.h"
#include "tile/Dialect/Tile/TileSide.h"
#include "tile/Hardware/CopyInstruction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <optional>

namespace mlir::tile {

/// One memref that an operation touches.
struct BlockAccess {
  /// The block-level operation; set by who collects accesses.
  Operation *op = nullptr;
  /// What is touched; null means any memory, or any global memory.
  Value memref;
  bool isGlobalOnly = false;
  bool reads = false;
  bool writes = false;
  /// Writes every element of `memref`, whatever the program does.
  bool replaces = false;
  /// The part that is touched, where it is one box.
  std::optional<Side> side;
  /// The fragment that is moved to or from the side, if one is as it lies.
  Value fragment;
  /// Which thread touches which element of the side; null where that is not
  /// chosen or depends on more than the thread.
  FragmentAttr threads;
  /// One thread, always the same, makes the access for its block.
  bool byOneThread = false;
  /// When the access is done: with the operation, or only after a wait.
  tilec::Completion completion = tilec::Completion::Immediate;
  /// Through which path the memory system sees it.
  tilec::Proxy proxy = tilec::Proxy::Generic;
  /// Set where every element is combined by this kind atomically and the old
  /// value is not used.
  std::optional<arith::AtomicRMWKind> combines;

  /// Whether it is of a memref in shared memory, or of one in global memory;
  /// neither where any may be touched.
  bool isShared() const;
  bool isGlobal() const { return memref && !isShared(); }

  static BlockAccess read(Value memref);
  static BlockAccess write(Value memref);
  static BlockAccess read(const Side &side, Value fragment = {});
  static BlockAccess write(const Side &side, Value fragment = {});
};

/// What an iteration of a `tile.parallel` does besides computing.
struct IterationEffects {
  bool reads = false;
  bool writes = false; ///< memory, or what people see
  bool hasAtomics = false;

  /// Whether running an iteration twice differs from running it once: it has an
  /// atomic, or reads memory that it may have written.
  bool mustRunOnce() const { return hasAtomics || (reads && writes); }
};

/// The kind, if atomics of it may be exchanged where nobody looks in between.
std::optional<arith::AtomicRMWKind> getCommutingKind(arith::AtomicRMWKind kind);

/// What a program says to people, the effect of `tile.print`: it is neither
/// removed nor repeated, and touches no memory.
struct ConsoleResource final : SideEffects::Resource::Base<ConsoleResource> {
  StringRef getName() final { return "tile.console"; }
};

/// Whether the program goes on, the effect of `tile.assert` and of loops that
/// need not end: it is not removed, may be repeated, and touches no memory.
struct TrapResource final : SideEffects::Resource::Base<TrapResource> {
  StringRef getName() final { return "tile.trap"; }
};

/// The order of a block's accesses, the effect of barriers, commits and waits.
struct OrderResource final : SideEffects::Resource::Base<OrderResource> {
  StringRef getName() final { return "tile.order"; }
};

} // namespace mlir::tile

#endif // TILE_DIALECT_TILE_BLOCKACCESS_H
