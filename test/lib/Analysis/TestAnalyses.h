//===- TestAnalyses.h - Passes that print what analyses know ----*- C++ -*-===//
//
// For tests: each pass asks one analysis about the operations and arguments
// that have `test.tag = "name"` and answers by remarks at them, in which values
// are called by their tags. Remarks begin with a word of their own and end with
// a full stop, so that `-verify-diagnostics`, which looks for a part of a
// remark, compares them whole.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TEST_LIB_ANALYSIS_TESTANALYSES_H
#define TILE_TEST_LIB_ANALYSIS_TESTANALYSES_H

#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"

#include <optional>

namespace mlir::tile::test {

/// The tag of an operation, if it has one.
std::optional<StringRef> getTag(Operation *op);

/// The tag of the operation that defines `value`, or of the function argument
/// that it is; "?" without one.
StringRef getTag(Value value);

void registerTestIndexFacts();
void registerTestOperandFacts();
void registerTestAccessWidth();
void registerTestBlockAccesses();
void registerTestMemoryOverlap();
void registerTestSharedLiveness();
void registerTestArenaProblem();
void registerTestBarrierPlan();
void registerTestOrderWork();
void registerTestRingProtocol();

} // namespace mlir::tile::test

#endif // TILE_TEST_LIB_ANALYSIS_TESTANALYSES_H
