//===- DrawSvg.cpp - An arena as a chart ----------------------------------===//
//
// Offsets upwards, time to the right. All coordinates are integers, so that the
// text is the same on every machine.
//
//===----------------------------------------------------------------------===//

#include "Timeline.h"

#include <algorithm>
#include <array>
#include <set>

using namespace tilec::arena;

namespace {

constexpr int64_t documentWidth = 960;
constexpr int64_t left = 90, right = 150; ///< of the chart, for labels
constexpr int64_t plotWidth = documentWidth - left - right;
constexpr int64_t plotHeight = 320;
constexpr int64_t bandHeight = 16; ///< of a row of loops
constexpr int64_t titleHeight = 34, axisHeight = 52;
constexpr int64_t emptyHeight = 60; ///< of a chart without buffers
constexpr int maxSteps = 120;
/// Of a letter, generously.
constexpr int64_t letterWidth = 6;
/// Labels on an axis are at least this far apart.
constexpr int64_t lineDistance = 34, byteDistance = 14;

constexpr std::array<const char *, 8> colors = {"#8dd3c7", "#ffffb3", "#bebada",
                                                "#fb8072", "#80b1d3", "#fdb462",
                                                "#b3de69", "#fccde5"};

class Chart {
public:
  Chart(const Picture &picture, int64_t top)
      : picture(picture), timeline(buildTimeline(picture, maxSteps)),
        depths(getDepths(picture)) {
    int deepest = depths.empty() ? -1 : *std::ranges::max_element(depths);
    bandTop = top + titleHeight;
    plotTop = bandTop + (deepest + 1) * bandHeight;
    end = isEmpty() ? top + emptyHeight : plotTop + plotHeight + axisHeight;
    this->top = top;
  }

  std::string draw();
  std::string drawAlone();
  int64_t getEnd() const { return end; }

private:
  bool isEmpty() const {
    return timeline.getStepCount() == 0 ||
           picture.solution.offsets.size() != picture.problem.buffers.size();
  }
  int64_t getX(int64_t step) const {
    return left + plotWidth * step / timeline.getStepCount();
  }
  int64_t getY(int64_t byte) const {
    int64_t bytes = std::max<int64_t>(picture.solution.totalBytes, 1);
    return plotTop + plotHeight - plotHeight * byte / bytes;
  }

  void addText(const char *kind, int64_t x, int64_t y, const char *anchor,
               const std::string &words);
  void addRectangle(const char *kind, Lifetime horizontal, Lifetime vertical,
                    const char *fill, const std::string &words);
  void addLabel(Lifetime horizontal, int64_t y, const std::string &words);
  void addLine(const char *kind, Lifetime horizontal, Lifetime vertical,
               const char *style);
  void addPlot();
  void addLoops();
  void addBuffers();
  void addAxes();
  void addLimit(const char *kind, int64_t bytes, const std::string &name,
                const char *style, int64_t shift);

  const Picture &picture;
  Timeline timeline;
  std::vector<int> depths;
  int64_t top = 0, bandTop = 0, plotTop = 0, end = 0;
  std::string text;
};

} // namespace

static std::string escape(const std::string &words) {
  std::string text;
  for (char letter : words)
    switch (letter) {
    case '&':
      text += "&amp;";
      break;
    case '<':
      text += "&lt;";
      break;
    case '>':
      text += "&gt;";
      break;
    case '"':
      text += "&quot;";
      break;
    default:
      text += letter;
    }
  return text;
}

static std::string attribute(const char *name, int64_t value) {
  return std::string(" ") + name + "=\"" + std::to_string(value) + "\"";
}

static std::string attribute(const char *name, const char *value) {
  return std::string(" ") + name + "=\"" + value + "\"";
}

void Chart::addText(const char *kind, int64_t x, int64_t y, const char *anchor,
                    const std::string &words) {
  text += "<text" + attribute("class", kind) + attribute("x", x) +
          attribute("y", y) + attribute("text-anchor", anchor) + ">" +
          escape(words) + "</text>\n";
}

/// A box that says `words` when pointed at.
void Chart::addRectangle(const char *kind, Lifetime horizontal,
                         Lifetime vertical, const char *fill,
                         const std::string &words) {
  text += "<rect" + attribute("class", kind) +
          attribute("x", horizontal.begin) + attribute("y", vertical.begin) +
          attribute("width", horizontal.end - horizontal.begin) +
          attribute("height", vertical.end - vertical.begin) +
          attribute("fill", fill) + attribute("stroke", "#444") + "><title>" +
          escape(words) + "</title></rect>\n";
}

/// Words inside of a box, where they have room.
void Chart::addLabel(Lifetime horizontal, int64_t y, const std::string &words) {
  constexpr int64_t margin = 4;
  int64_t width = static_cast<int64_t>(words.size()) * letterWidth + margin;
  if (width <= horizontal.end - horizontal.begin)
    addText("label", horizontal.begin + margin, y, "start", words);
}

void Chart::addLine(const char *kind, Lifetime horizontal, Lifetime vertical,
                    const char *style) {
  text += "<line" + attribute("class", kind) +
          attribute("x1", horizontal.begin) + attribute("y1", vertical.begin) +
          attribute("x2", horizontal.end) + attribute("y2", vertical.end) +
          " " + style + "/>\n";
}

void Chart::addLoops() {
  for (size_t index = 0; index < picture.loops.size(); ++index) {
    const LoopMark &loop = picture.loops[index];
    Lifetime steps = timeline.getSteps(loop.span);
    int64_t y = bandTop + depths[index] * bandHeight;
    std::string words =
        loop.line > 0 ? "loop, line " + std::to_string(loop.line) : "loop";
    Lifetime across{getX(steps.begin), getX(steps.end)};
    addRectangle("loop", across, {y, y + bandHeight}, "#eee", words);
    addLabel(across, y + bandHeight - 4, words);
  }
}

void Chart::addBuffers() {
  for (int buffer : getRows(picture)) {
    const Buffer &box = picture.problem.buffers[buffer];
    int64_t offset = picture.solution.offsets[buffer];
    std::string bytes = std::to_string(box.sizeBytes) + " bytes";
    Lifetime vertical{getY(offset + box.sizeBytes), getY(offset)};
    for (const Lifetime &span : box.lifetimes) {
      Lifetime steps = timeline.getSteps(span);
      Lifetime across{getX(steps.begin), getX(steps.end)};
      addRectangle("buffer", across, vertical, colors[buffer % colors.size()],
                   box.name + ", " + bytes + " at " + std::to_string(offset));
      int64_t room = vertical.end - vertical.begin;
      if (room >= byteDistance)
        addLabel(across, vertical.begin + 12, box.name);
      if (room >= 2 * byteDistance)
        addLabel(across, vertical.begin + 26, bytes);
    }
  }
}

/// Bytes at the edges of buffers and lines of the source, where there is room.
void Chart::addAxes() {
  int64_t bottom = plotTop + plotHeight;
  addLine("axis", {left, left}, {plotTop, bottom}, "stroke=\"#000\"");
  addLine("axis", {left, left + plotWidth}, {bottom, bottom},
          "stroke=\"#000\"");
  std::set<int64_t> edges = {0};
  for (size_t buffer = 0; buffer < picture.problem.buffers.size(); ++buffer) {
    int64_t offset = picture.solution.offsets[buffer];
    edges.insert({offset, offset + picture.problem.buffers[buffer].sizeBytes});
  }
  int64_t lastY = bottom + 2 * byteDistance;
  for (int64_t edge : edges) {
    if (lastY - getY(edge) < byteDistance)
      continue;
    lastY = getY(edge);
    addText("axis", left - 6, lastY + 4, "end", std::to_string(edge));
  }
  int64_t lastX = -lineDistance, lastLine = 0;
  for (int step = 0; step < timeline.getStepCount(); ++step) {
    int64_t line = getLine(picture, timeline, step);
    if (line == 0 || line == lastLine || getX(step) - lastX < lineDistance)
      continue;
    lastX = getX(step);
    lastLine = line;
    addLine("axis", {lastX, lastX}, {bottom, bottom + 5}, "stroke=\"#000\"");
    addText("axis", lastX, bottom + 18, "start", std::to_string(line));
  }
  addText("axis", left - 6, plotTop - 10, "end", "bytes");
  addText("axis", left + plotWidth, bottom + 34, "end", "line of the source");
}

/// A dashed line across the chart and its name right of it.
void Chart::addLimit(const char *kind, int64_t bytes, const std::string &name,
                     const char *style, int64_t shift) {
  int64_t y = getY(bytes);
  addLine(kind, {left, left + plotWidth}, {y, y}, style);
  addText(kind, left + plotWidth + 6, y + shift, "start",
          name + " " + std::to_string(bytes));
}

void Chart::addPlot() {
  addLoops();
  addBuffers();
  addAxes();
  addLimit("peak", picture.solution.totalBytes, "peak",
           "stroke=\"#c00\" stroke-dasharray=\"6 3\"", 0);
  addLimit("bound", picture.solution.lowerBoundBytes, "lower bound",
           "stroke=\"#00c\" stroke-dasharray=\"2 3\"", byteDistance);
}

std::string Chart::draw() {
  text = "<g>\n";
  addText("title", left, top + 20, "start",
          picture.title + ": " +
              (isEmpty() ? "no shared memory"
                         : std::to_string(picture.solution.totalBytes) +
                               " bytes of shared memory"));
  if (!isEmpty())
    addPlot();
  return text + "</g>\n";
}

std::string Chart::drawAlone() {
  if (isEmpty())
    return "";
  text.clear();
  addPlot();
  int64_t begin = top + titleHeight / 3; // the word above the axis is in it
  std::string size = std::to_string(documentWidth) + "\" height=\"" +
                     std::to_string(end - begin);
  return "<svg class=\"arena\" width=\"" + size + "\" viewBox=\"0 " +
         std::to_string(begin) + " " + std::to_string(documentWidth) + " " +
         std::to_string(end - begin) +
         "\" font-family=\"sans-serif\" font-size=\"11\">\n" + text +
         "</svg>\n";
}

std::string tilec::arena::drawChart(const Picture &picture) {
  return Chart(picture, /*top=*/0).drawAlone();
}

std::string tilec::arena::drawSvg(const std::vector<Picture> &pictures) {
  std::string charts;
  int64_t end = 0;
  for (const Picture &picture : pictures) {
    Chart chart(picture, end);
    charts += chart.draw();
    end = chart.getEnd();
  }
  end = std::max(end, emptyHeight);
  std::string size = std::to_string(documentWidth) + "\" height=\"" +
                     std::to_string(end) + "\"";
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
         "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" +
         size + " viewBox=\"0 0 " + std::to_string(documentWidth) + " " +
         std::to_string(end) +
         "\" font-family=\"sans-serif\" font-size=\"11\">\n"
         "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n" +
         charts + "</svg>\n";
}
