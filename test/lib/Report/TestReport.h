//===- TestReport.h - A pass that prints the report -------------*- C++ -*-===//

#ifndef TILE_TEST_LIB_REPORT_TESTREPORT_H
#define TILE_TEST_LIB_REPORT_TESTREPORT_H

namespace mlir::tile::test {

void registerTestReport();

} // namespace mlir::tile::test

#endif // TILE_TEST_LIB_REPORT_TESTREPORT_H
