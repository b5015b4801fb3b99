//===- Sweep.cpp - What ptxas accepts and what the emulator does ----------===//
//
// Every file of families/ lists patterns of instructions (Patterns.h). ptxas
// says which of them are PTX: those that it accepts for one of its targets. The
// emulator must decode these and refuse the others; what differs is written
// down in the file, so that the test fails when something changes:
//
//   refused: <count> <glob>   PTX that the emulator refuses
//   lenient: <count> <glob>   not PTX, or not for ptxas, but decoded
//
// The count is of those that no earlier line matches. $TILE_SWEEP_LISTS names a
// directory to write all differences to.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "tile/Emulator/Emulator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace tilec::emu;
using namespace tilec::emu::sweep;
namespace fs = std::filesystem;

namespace {

constexpr const char *targets[] = {"sm_90a", "sm_100a", "sm_103a", "sm_120a"};

struct Family {
  std::vector<std::string> prelude; ///< Module-scope text: `module: ..`.
  std::vector<std::string> instructions;
  std::vector<std::string> refused, lenient;
};

Family readFamily(const fs::path &path) {
  Family family;
  std::ifstream file(path);
  std::string line;
  for (unsigned number = 1; std::getline(file, line); ++number) {
    auto take = [&](std::string_view prefix, std::vector<std::string> &into) {
      if (!line.starts_with(prefix))
        return false;
      into.push_back(line.substr(prefix.size()));
      return true;
    };
    if (line.empty() || line[0] == '#' || take("module: ", family.prelude) ||
        take("refused: ", family.refused) || take("lenient: ", family.lenient))
      continue;
    std::string error;
    auto expanded = expand(line, error);
    if (!error.empty())
      ADD_FAILURE() << path << ":" << number << ": " << error;
    family.instructions.insert(family.instructions.end(), expanded.begin(),
                               expanded.end());
  }
  return family;
}

/// A module with a line for each instruction, that of a kernel with this alone,
/// or an empty one if it is not in `included`; `firstLine` is the first's.
std::string moduleOf(const Family &family, const std::vector<bool> &included,
                     const char *target, unsigned &firstLine) {
  std::string text =
      std::string(".version 9.0\n.target ") + target + "\n.address_size 64\n";
  firstLine = 4;
  for (const std::string &line : family.prelude) {
    text += line + "\n";
    ++firstLine;
  }
  for (size_t i = 0; i < family.instructions.size(); ++i) {
    if (included[i])
      text += ".entry k" + std::to_string(i) + "(.param .b64 argument) { " +
              registerDeclarations + family.instructions[i] + " END: ret; }";
    text += "\n";
  }
  return text;
}

/// The lines that ptxas complains of, and the one, if any, with a syntax error:
/// there it stops. False if it cannot be run.
bool runAssembler(const std::string &text, const char *target,
                  const fs::path &stem, std::vector<size_t> &bad,
                  size_t &syntaxError) {
  fs::path source = stem.string() + ".ptx", log = stem.string() + ".log";
  std::ofstream(source) << text;
  std::string command = std::string("\"") + TILE_PTXAS +
                        "\" -O0 -arch=" + target + " \"" + source.string() +
                        "\" -o /dev/null > \"" + log.string() + "\" 2>&1";
  int status = std::system(command.c_str());
  std::ifstream file(log);
  std::string line;
  syntaxError = 0;
  while (std::getline(file, line)) {
    size_t at = line.find(", line ");
    bool isError = line.find("; error") != std::string::npos;
    bool isFatal = line.find("; fatal") != std::string::npos;
    static constexpr std::string_view narrow = "32-bit address on line '";
    if (size_t found = line.find(narrow); found != std::string::npos)
      bad.push_back(
          static_cast<size_t>(std::atoi(&line[found + narrow.size()])));
    if (at == std::string::npos || (!isError && !isFatal))
      continue;
    auto number = static_cast<size_t>(std::atoi(&line[at + 7]));
    if (isFatal)
      syntaxError = number;
    bad.push_back(number);
  }
  return !bad.empty() || status == 0;
}

/// ptxas stops after the pass that found errors, so what passed one pass is
/// tried again without the rest, until nothing is refused any more.
std::vector<bool> acceptedByAssembler(const Family &family,
                                      const fs::path &stem) {
  size_t count = family.instructions.size();
  std::vector<bool> accepted(count), parsed(count, true);
  for (const char *target : targets) {
    fs::path files = stem.string() + "." + target;
    std::vector<bool> candidate = parsed;
    for (bool again = true; again;) {
      unsigned firstLine;
      std::string text = moduleOf(family, candidate, target, firstLine);
      std::vector<size_t> bad;
      size_t syntaxError;
      bool ran = runAssembler(text, target, files, bad, syntaxError);
      again = !bad.empty();
      for (size_t line : bad)
        ran = ran && line >= firstLine && line < firstLine + count;
      if (!ran) {
        ADD_FAILURE() << "ptxas failed, or an error is outside of lines "
                      << firstLine << " to " << firstLine + count - 1
                      << "; see " << files << ".log";
        return accepted;
      }
      for (size_t line : bad)
        candidate[line - firstLine] = false;
      if (syntaxError)
        parsed[syntaxError - firstLine] = false;
    }
    for (size_t i = 0; i < count; ++i)
      accepted[i] = accepted[i] || candidate[i];
  }
  return accepted;
}

/// The emulator's answers: empty if an instruction decodes, else its message.
std::vector<std::string> emulatorAnswers(const Family &family) {
  std::vector<std::string> answers;
  for (size_t i = 0; i < family.instructions.size(); ++i) {
    Family one;
    one.prelude = family.prelude;
    one.instructions = {family.instructions[i]};
    unsigned firstLine;
    std::vector<Diagnostic> diagnostics;
    auto module = Module::parse(moduleOf(one, {true}, "sm_120a", firstLine),
                                "sweep", diagnostics);
    bool decoded = module && module->prepare("k0", diagnostics);
    answers.push_back(decoded               ? ""
                      : diagnostics.empty() ? "refused without a diagnostic"
                                            : diagnostics[0].message);
    if (!decoded && diagnostics.empty())
      ADD_FAILURE() << family.instructions[i] << ": no diagnostic";
  }
  return answers;
}

/// Compares what was found with what is written down.
void check(const char *what, const std::vector<std::string> &found,
           const std::vector<std::string> &details,
           const std::vector<std::string> &lines) {
  std::vector<unsigned> expected, counts(lines.size());
  std::vector<std::string> globs;
  for (const std::string &line : lines) {
    expected.push_back(static_cast<unsigned>(std::atoi(line.c_str())));
    globs.push_back(line.substr(line.find(' ') + 1));
  }
  std::string examples;
  unsigned unexplained = 0;
  for (size_t i = 0; i < found.size(); ++i) {
    size_t g = 0;
    while (g < globs.size() && !matches(globs[g], found[i]))
      ++g;
    if (g < globs.size())
      ++counts[g];
    else if (++unexplained <= 20)
      examples += "\n  " + found[i] + "  " + details[i];
  }
  if (unexplained)
    ADD_FAILURE() << unexplained << " instructions are " << what
                  << " and not written down as such:" << examples;
  for (size_t g = 0; g < globs.size(); ++g)
    EXPECT_EQ(counts[g], expected[g])
        << "instructions that match '" << globs[g] << "' are " << what;
}

class SweepTest : public testing::Test {
public:
  explicit SweepTest(fs::path path) : path(std::move(path)) {}

  void TestBody() override {
    if (std::string(TILE_PTXAS).empty())
      GTEST_SKIP() << "no ptxas: what is PTX cannot be told";
    Family family = readFamily(path);
    fs::create_directories(TILE_SWEEP_OUTPUT);
    fs::path stem = fs::path(TILE_SWEEP_OUTPUT) / path.stem();
    std::vector<bool> accepted = acceptedByAssembler(family, stem);
    std::vector<std::string> answers = emulatorAnswers(family);
    std::vector<std::string> refused, why, lenient, nothing;
    for (size_t i = 0; i < accepted.size(); ++i) {
      if (accepted[i] && !answers[i].empty()) {
        refused.push_back(family.instructions[i]);
        why.push_back(answers[i]);
      } else if (!accepted[i] && answers[i].empty()) {
        lenient.push_back(family.instructions[i]);
      }
    }
    nothing.resize(lenient.size());
    auto legal = std::count(accepted.begin(), accepted.end(), true);
    std::cout << path.stem().string() << ": " << accepted.size()
              << " instructions, " << legal << " are PTX, of which "
              << refused.size() << " refused; " << lenient.size()
              << " decoded that are not\n";
    // A family that ptxas accepts nothing of tests nothing.
    EXPECT_GT(legal, 0);
    if (const char *directory = std::getenv("TILE_SWEEP_LISTS")) {
      std::ofstream r(fs::path(directory) /
                      (path.stem().string() + ".refused"));
      for (size_t i = 0; i < refused.size(); ++i)
        r << refused[i] << "  # " << why[i] << "\n";
      std::ofstream l(fs::path(directory) /
                      (path.stem().string() + ".lenient"));
      for (const std::string &text : lenient)
        l << text << "\n";
    }
    check("refused", refused, why, family.refused);
    check("decoded although not PTX", lenient, nothing, family.lenient);
  }

private:
  fs::path path;
};

} // namespace

TEST(Patterns, Expand) {
  std::string error;
  EXPECT_EQ(expand("a<|.b> <T=u8|f64>, $T1, $T{2+2}, <T>;", error),
            (std::vector<std::string>{"a u8, %h1, {%h2,%h3}, u8;",
                                      "a f64, %d1, {%d2,%d3}, f64;",
                                      "a.b u8, %h1, {%h2,%h3}, u8;",
                                      "a.b f64, %d1, {%d2,%d3}, f64;"}));
  EXPECT_TRUE(error.empty());
  EXPECT_TRUE(expand("a $T0", error).empty());
  EXPECT_FALSE(error.empty());
  EXPECT_TRUE(matches("add*.u32*", "add.sat.u32 %r0"));
  EXPECT_FALSE(matches("add*.u32", "add.sat.u32 %r0"));
}

int main(int argc, char **argv) {
  testing::InitGoogleTest(&argc, argv);
  std::vector<fs::path> paths;
  for (const auto &entry : fs::directory_iterator(TILE_SWEEP_FAMILIES))
    paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  for (const fs::path &path : paths)
    testing::RegisterTest("Sweep", path.stem().c_str(), nullptr, nullptr,
                          __FILE__, __LINE__,
                          [path] { return new SweepTest(path); });
  return RUN_ALL_TESTS();
}
