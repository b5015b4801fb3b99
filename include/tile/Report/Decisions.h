//===- Decisions.h - What was decided, by its place -------------*- C++ -*-===//
//
// A report (Report.h) has what was decided by kinds: copies, products, layouts. People
// who look at a program ask the other way round: what was decided here? This is the
// report turned by places of the source, for pages and editors.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_REPORT_DECISIONS_H
#define TILE_REPORT_DECISIONS_H

#include "tile/Report/Report.h"

#include <optional>
#include <string>
#include <vector>

namespace mlir::tile {

/// A place of a source file; lines and columns count from 1.
struct SourcePlace {
  std::string file;
  int64_t line = 0, column = 0;
  bool operator==(const SourcePlace &) const = default;
};

/// The place that "file:line:column" names; nothing for other text.
std::optional<SourcePlace> parsePlace(StringRef text);

/// The place that a remark of a report begins with, "file:line:column: ", which is cut
/// off; nothing where the remark has none.
std::optional<SourcePlace> takePlace(StringRef &remark);

struct Decision {
  enum class Kind {
    Buffer,     ///< where a buffer lies in shared memory
    Layout,     ///< how a fragment or the work of a loop is spread over threads
    Copy,       ///< which instruction copies
    Access,     ///< how wide a load or store of a fragment is
    Product,    ///< which instruction multiplies
    Conversion, ///< how data changes from one layout to another
    Loop,       ///< how far iterations overlap, or why they do not
    Remark      ///< what a pass remarked on
  };

  SourcePlace place;
  Kind kind = Kind::Remark;
  std::string summary; ///< a few words
  std::string detail;  ///< a sentence or more; may be empty
};

/// "buffer", "layout", ..: one word for people.
StringRef toString(Decision::Kind kind);

/// All that `report` knows a place for, by line, column, kind and words; what is
/// the same comes once.
std::vector<Decision> getDecisions(const KernelReport &report);

} // namespace mlir::tile

#endif // TILE_REPORT_DECISIONS_H
