//===- CollectReport.h - Reports while the pipeline runs --------*- C++ -*-===//

#ifndef TILE_LIB_PIPELINE_COLLECTREPORT_H
#define TILE_LIB_PIPELINE_COLLECTREPORT_H

#include "tile/Report/Report.h"

namespace mlir {
class PassManager;
} // namespace mlir

namespace mlir::tile {

/// While it lives, what the passes of a manager decide and remark on goes to a
/// collector. A context has one receiver of remarks, and cannot give it back: where
/// there is one, it keeps them.
class ReportScope {
public:
  explicit ReportScope(ReportCollector &collector) : collector(collector) {}
  ~ReportScope();
  ReportScope(const ReportScope &) = delete;
  ReportScope &operator=(const ReportScope &) = delete;

  LogicalResult enter(PassManager &pm, bool drawsLayouts);

private:
  ReportCollector &collector;
  MLIRContext *context = nullptr;
};

} // namespace mlir::tile

#endif // TILE_LIB_PIPELINE_COLLECTREPORT_H
