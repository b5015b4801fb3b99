//===- Report.cpp - What a run came to -----------------------------------===//

#include "Report.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace mlir::tile;
using namespace mlir::tile::reference;

Summary mlir::tile::summarize(const Array &array) {
  Summary result;
  result.elements = array.count;
  double sum = 0;
  int64_t numbers = 0;
  for (int64_t i = 0; i < array.count; ++i) {
    if (array.isPoison(i)) {
      ++result.undefined;
      continue;
    }
    double x = array.type.bits == 1 ? array.isTrue(i) : array.getDouble(i);
    if (std::isnan(x)) {
      ++result.nans;
      continue;
    }
    if (!result.range)
      result.range = {x, x, 0};
    result.range->least = std::min(result.range->least, x);
    result.range->most = std::max(result.range->most, x);
    sum += x;
    ++numbers;
  }
  if (result.range)
    result.range->mean = sum / static_cast<double>(numbers);
  return result;
}

static std::vector<const tilec::Comparison *>
getComparisons(const RunReport &report) {
  std::vector<const tilec::Comparison *> result;
  for (const ArgumentReport &argument : report.arguments) {
    if (argument.check)
      result.push_back(&*argument.check);
    for (const FileComparison &file : argument.files)
      result.push_back(&file.comparison);
  }
  return result;
}

bool RunReport::isEqual() const {
  return llvm::all_of(getComparisons(*this),
                      [](const auto *entry) { return entry->isEqual(); });
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static void print(const Summary &summary, llvm::raw_ostream &os) {
  os << summary.elements << " elements";
  if (summary.range)
    os << llvm::format(", from %g to %g, mean %g", summary.range->least,
                       summary.range->most, summary.range->mean);
  if (summary.nans != 0)
    os << ", " << summary.nans << " NaN";
  if (summary.undefined != 0)
    os << ", " << summary.undefined << " undefined";
}

static double getMedian(const LaunchTime &time) {
  return time.seconds[time.seconds.size() / 2];
}

static const char *getClock(const RunReport &report) {
  return report.executor == "cuda" ? "device" : "host";
}

static void printTimes(const RunReport &report, const RunOptions &options,
                       llvm::raw_ostream &os) {
  for (auto [number, time] : llvm::enumerate(report.times))
    os << "launch " << number << " of '" << time.kernel
       << llvm::format("': median %.6f ms, least %.6f ms, most %.6f ms",
                       getMedian(time) * 1e3, time.seconds.front() * 1e3,
                       time.seconds.back() * 1e3)
       << " of " << time.seconds.size() << " runs after "
       << options.timing.warmUpCount << " to warm up (the " << getClock(report)
       << "'s clock, no copies)\n";
}

void mlir::tile::printText(const RunReport &report, const RunOptions &options,
                           llvm::raw_ostream &os) {
  printTimes(report, options, os);
  for (const ArgumentReport &argument : report.arguments) {
    os << "argument " << argument.number << ": " << argument.type << " ";
    if (argument.check)
      os << argument.check->toText(argument.shape);
    else
      print(argument.summary, os);
    os << "\n";
  }
  for (const ArgumentReport &argument : report.arguments)
    for (const FileComparison &file : argument.files)
      os << "argument " << argument.number << " and " << file.path << ": "
         << file.comparison.toText(argument.shape) << "\n";
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static std::string getStatus(const RunReport &report) {
  if (report.hasFailed)
    return "error";
  std::string status = "done";
  for (const tilec::Comparison *comparison : getComparisons(report)) {
    if (!comparison->isEqual())
      return comparison->getStatus();
    status = "equal";
  }
  return status;
}

/// JSON has no infinity.
static llvm::json::Value toJson(double value) {
  return std::isfinite(value) ? llvm::json::Value(value)
                              : llvm::json::Value(nullptr);
}

static void printArgument(const ArgumentReport &argument,
                          llvm::json::OStream &json) {
  json.object([&] {
    json.attribute("number", argument.number);
    json.attribute("type", argument.type);
    json.attribute("shape", llvm::json::Array(argument.shape));
    json.attribute("elements", argument.summary.elements);
    json.attribute("undefined", argument.summary.undefined);
    json.attribute("nan", argument.summary.nans);
    if (const auto &range = argument.summary.range) {
      json.attribute("least", toJson(range->least));
      json.attribute("most", toJson(range->most));
      json.attribute("mean", toJson(range->mean));
    }
    if (argument.check) {
      json.attributeBegin("check");
      json.rawValue(argument.check->toJson(argument.shape));
      json.attributeEnd();
    }
    json.attributeArray("files", [&] {
      for (const FileComparison &file : argument.files)
        json.object([&] {
          json.attribute("path", file.path);
          json.attributeBegin("comparison");
          json.rawValue(file.comparison.toJson(argument.shape));
          json.attributeEnd();
        });
    });
  });
}

static void printTime(const LaunchTime &time, const RunReport &report,
                      const RunOptions &options, llvm::json::OStream &json) {
  json.object([&] {
    json.attribute("kernel", time.kernel);
    json.attribute("clock", getClock(report));
    json.attribute("warm_up", options.timing.warmUpCount);
    json.attribute("median_seconds", getMedian(time));
    json.attribute("seconds", llvm::json::Array(time.seconds));
  });
}

void mlir::tile::printJson(const RunReport &report, const RunOptions &options,
                           llvm::raw_ostream &os) {
  llvm::json::OStream json(os, /*IndentSize=*/2);
  json.object([&] {
    json.attribute("version", TILE_VERSION);
    json.attribute("entry", report.entry);
    json.attribute("executor", report.executor);
    if (!report.chip.empty())
      json.attribute("chip", report.chip);
    json.attribute("status", getStatus(report));
    json.attributeArray("arguments", [&] {
      for (const ArgumentReport &argument : report.arguments)
        printArgument(argument, json);
    });
    json.attribute("open_decisions", llvm::json::Array(report.openDecisions));
    if (options.checkStages)
      json.attributeArray("stages", [&] {
        for (const StageReport &stage : report.stages)
          json.object([&] {
            json.attribute("pass", stage.pass);
            json.attribute("status", stage.status);
          });
      });
    if (options.timing.count > 0)
      json.attributeArray("times", [&] {
        for (const LaunchTime &time : report.times)
          printTime(time, report, options, json);
      });
    if (!report.statisticsJson.empty()) {
      json.attributeBegin("kernels");
      json.rawValue(report.statisticsJson);
      json.attributeEnd();
    }
  });
  os << "\n";
}
