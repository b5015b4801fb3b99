//===- ArenaReport.cpp - When buffers are occupied, for the report --------===//
//
// Lifetimes are a matter of `scheduled`, offsets of `placed`: the plan of shared
// memory replaces each allocation by a view where it stands, so the buffers of
// the one are the views of the other, in the order of the program.
//
//===----------------------------------------------------------------------===//

#include "tile/Analysis/ArenaProblem.h"
#include "tile/Report/Report.h"

#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace mlir::tile;

static int64_t getLine(Operation *op) {
  auto file = op->getLoc()->findInstanceOf<FileLineColLoc>();
  return file ? file.getLine() : 0;
}

void ReportCollector::addLifetimes(LaunchOp launch) {
  // What is no problem is an error of the plan itself, which says it once.
  WalkResult walk = launch.walk([](AllocOp buffer) {
    return buffer.getLayout() ? WalkResult::advance() : WalkResult::interrupt();
  });
  if (walk.wasInterrupted() || launch.getReachedStage() != Stage::Scheduled)
    return;
  FailureOr<ArenaProblem> arena = buildArenaProblem(launch);
  if (failed(arena))
    return;
  tilec::arena::Picture picture;
  picture.title = launch.getKernel().value_or("kernel");
  picture.problem = arena->packing;
  for (Operation *point : arena->liveness.points) {
    picture.lines.push_back(getLine(point));
    if (isa<LoopLikeOpInterface>(point))
      picture.loops.push_back({arena->getSpan(point), getLine(point)});
  }
  std::lock_guard<std::mutex> lock(mutex);
  getReport(picture.title).arena = std::move(picture);
}

void ReportCollector::addPlaces(LaunchOp launch) {
  std::lock_guard<std::mutex> lock(mutex);
  tilec::arena::Picture &picture =
      getReport(launch.getKernel().value_or("kernel")).arena;
  tilec::arena::Solution solution;
  launch.walk([&](ArenaOp arena) {
    solution.totalBytes = arena.getSize();
    solution.lowerBoundBytes = arena.getLowerBound().value_or(arena.getSize());
  });
  launch.walk(
      [&](ViewOp view) { solution.offsets.push_back(view.getOffset()); });
  if (solution.offsets.size() == picture.problem.buffers.size())
    picture.solution = std::move(solution);
}

void tile::printArenaSvg(ArrayRef<KernelReport> reports,
                         llvm::raw_ostream &os) {
  std::vector<tilec::arena::Picture> pictures;
  for (const KernelReport &report : reports) {
    pictures.push_back(report.arena);
    pictures.back().title = report.name;
  }
  os << tilec::arena::drawSvg(pictures);
}
