//===- TestPasses.h - Passes for tests --------------------------*- C++ -*-===//
//
// What tile-test-opt has beyond tile-opt: passes that print what an analysis
// knows.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TEST_LIB_TESTPASSES_H
#define TILE_TEST_LIB_TESTPASSES_H

namespace mlir::tile::test {

/// `--test-print-index-facts`.
void registerTestIndexFactsPass();

} // namespace mlir::tile::test

#endif // TILE_TEST_LIB_TESTPASSES_H
