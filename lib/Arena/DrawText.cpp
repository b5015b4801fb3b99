//===- DrawText.cpp - An arena as rows of characters ----------------------===//

#include "Timeline.h"

#include <algorithm>

using namespace tilec::arena;

namespace {

/// What stands left of the time axis: "  16384 ..   32768  ".
constexpr size_t numberWidth = 7;
constexpr size_t labelWidth = 2 * numberWidth + 6;
/// More characters than this for a step show no more.
constexpr int maxStepWidth = 4;

class TextDrawing {
public:
  TextDrawing(const Picture &picture, std::string indent, int columns)
      : picture(picture), indent(std::move(indent)),
        timeline(buildTimeline(picture, std::max(columns, 1))) {
    int steps = std::max(timeline.getStepCount(), 1);
    stepWidth = std::clamp(columns / steps, 1, maxStepWidth);
  }

  std::string draw();

private:
  void addRow(const std::string &label, std::string axis,
              const std::string &name = "");
  void addLines();
  void addLoops();
  void addBuffer(int buffer);
  void addPeak();
  std::string makeAxis(char fill) const {
    return std::string(static_cast<size_t>(timeline.getStepCount()) * stepWidth,
                       fill);
  }

  const Picture &picture;
  std::string indent;
  Timeline timeline;
  int stepWidth = 1;
  std::string text;
};

} // namespace

static std::string padLeft(const std::string &text, size_t width) {
  return std::string(width - std::min(width, text.size()), ' ') + text;
}

void TextDrawing::addRow(const std::string &label, std::string axis,
                         const std::string &name) {
  std::string row = indent + label;
  row.append(labelWidth - std::min(labelWidth, label.size()), ' ');
  row += axis + (name.empty() ? "" : "  " + name);
  row.erase(row.find_last_not_of(' ') + 1);
  text += row + "\n";
}

/// The source line at the first step that has it, where there is room.
void TextDrawing::addLines() {
  std::string axis = makeAxis(' ');
  size_t free = 0;
  int64_t last = 0;
  for (int step = 0; step < timeline.getStepCount(); ++step) {
    int64_t line = getLine(picture, timeline, step);
    std::string number = std::to_string(line);
    size_t column = static_cast<size_t>(step) * stepWidth;
    if (line == 0 || line == last || column < free)
      continue;
    axis.resize(std::max(axis.size(), column + number.size()), ' ');
    axis.replace(column, number.size(), number);
    free = column + number.size() + 1;
    last = line;
  }
  addRow("line", axis);
}

/// A row for each depth of loops: "[======]".
void TextDrawing::addLoops() {
  std::vector<int> depths = getDepths(picture);
  int deepest = depths.empty() ? -1 : *std::ranges::max_element(depths);
  for (int depth = 0; depth <= deepest; ++depth) {
    std::string axis = makeAxis(' ');
    for (size_t loop = 0; loop < depths.size(); ++loop) {
      Lifetime steps = timeline.getSteps(picture.loops[loop].span);
      if (depths[loop] != depth || steps.begin == steps.end)
        continue;
      size_t begin = steps.begin * stepWidth;
      size_t width = (steps.end - steps.begin) * stepWidth;
      std::string mark(width, '=');
      mark.front() = '[';
      if (width > 1)
        mark.back() = ']';
      axis.replace(begin, width, mark);
    }
    addRow(depth == 0 ? "loops" : "", axis);
  }
}

void TextDrawing::addBuffer(int buffer) {
  const Buffer &row = picture.problem.buffers[buffer];
  int64_t offset = picture.solution.offsets[buffer];
  std::string axis;
  for (int step = 0; step < timeline.getStepCount(); ++step)
    axis.append(stepWidth, timeline.meets(row.lifetimes, step) ? '#' : '.');
  addRow(padLeft(std::to_string(offset), numberWidth) + " .. " +
             padLeft(std::to_string(offset + row.sizeBytes), numberWidth),
         axis, row.name);
}

void TextDrawing::addPeak() {
  std::vector<int64_t> live = getLiveBytes(picture, timeline);
  int64_t peak = *std::ranges::max_element(live);
  std::string axis;
  for (int64_t bytes : live)
    axis.append(stepWidth, bytes == peak ? '^' : ' ');
  addRow("peak", axis);
}

std::string TextDrawing::draw() {
  if (timeline.getStepCount() == 0)
    return "";
  addLines();
  addLoops();
  for (int buffer : getRows(picture))
    addBuffer(buffer);
  addPeak();
  return text;
}

std::string tilec::arena::drawText(const Picture &picture,
                                   const std::string &indent, int columns) {
  if (picture.problem.buffers.empty() ||
      picture.solution.offsets.size() != picture.problem.buffers.size())
    return "";
  return TextDrawing(picture, indent, columns).draw();
}
