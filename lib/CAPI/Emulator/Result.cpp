//===- Result.cpp - What a launch did and what was found, in C ------------===//

#include "Objects.h"

using namespace tilec::emu;

void tileEmulatorResultDestroy(TileEmulatorResult *result) { delete result; }

bool tileEmulatorResultIsCompleted(const TileEmulatorResult *result) {
  return result->result.completed;
}

TileString tileEmulatorResultGetOutput(const TileEmulatorResult *result) {
  return wrap(result->result.output);
}

TileString
tileEmulatorResultGetStatisticsJson(const TileEmulatorResult *result) {
  return wrap(result->statisticsJson);
}

size_t tileEmulatorResultGetNumFindings(const TileEmulatorResult *result) {
  return result->findings.size();
}

const TileEmulatorFinding *
tileEmulatorResultGetFinding(const TileEmulatorResult *result, size_t index) {
  return &result->findings[index];
}

uint64_t tileEmulatorResultGetNumDropped(const TileEmulatorResult *result) {
  return result->result.reportsDropped;
}

size_t tileEmulatorResultGetNumNotes(const TileEmulatorResult *result) {
  return result->notes.size();
}

const TileEmulatorFinding *
tileEmulatorResultGetNote(const TileEmulatorResult *result, size_t index) {
  return &result->notes[index];
}

//===----------------------------------------------------------------------===//
// Findings
//===----------------------------------------------------------------------===//

static_assert(static_cast<int>(ReportKind::Invalid) ==
              TileEmulatorFindingInvalid);

TileEmulatorFindingKind
tileEmulatorFindingGetKind(const TileEmulatorFinding *finding) {
  return static_cast<TileEmulatorFindingKind>(finding->report.kind);
}

TileString tileEmulatorFindingGetMessage(const TileEmulatorFinding *finding) {
  return wrap(finding->report.message);
}

TileString tileEmulatorFindingGetMissing(const TileEmulatorFinding *finding) {
  return wrap(finding->report.missing);
}

uint64_t tileEmulatorFindingGetCount(const TileEmulatorFinding *finding) {
  return finding->report.count;
}

bool tileEmulatorFindingGetAddress(const TileEmulatorFinding *finding,
                                   uint64_t *address) {
  if (finding->report.address)
    *address = *finding->report.address;
  return finding->report.address.has_value();
}

TileString tileEmulatorFindingGetText(const TileEmulatorFinding *finding) {
  return wrap(finding->text);
}

size_t tileEmulatorFindingGetNumAccesses(const TileEmulatorFinding *finding) {
  if (finding->report.first.ptxLine == 0)
    return 0;
  return finding->report.second ? 2 : 1;
}

TileString tileEmulatorFindingGetAccessText(const TileEmulatorFinding *finding,
                                            size_t access) {
  return wrap(finding->getAccess(access).what);
}

uint32_t tileEmulatorFindingGetPtxLine(const TileEmulatorFinding *finding,
                                       size_t access) {
  return finding->getAccess(access).ptxLine;
}

TileString tileEmulatorFindingGetSource(const TileEmulatorFinding *finding,
                                        size_t access) {
  return wrap(finding->getAccess(access).source);
}

static void copy(const Dim3 &from, uint32_t to[3]) {
  to[0] = from.x;
  to[1] = from.y;
  to[2] = from.z;
}

void tileEmulatorFindingGetBlock(const TileEmulatorFinding *finding,
                                 size_t access, uint32_t block[3]) {
  copy(finding->getAccess(access).block, block);
}

void tileEmulatorFindingGetThread(const TileEmulatorFinding *finding,
                                  size_t access, uint32_t thread[3]) {
  copy(finding->getAccess(access).thread, thread);
}
