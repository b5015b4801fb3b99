//===- Completion.cpp - What a shell may complete a word to ---------------===//

#include "Completion.h"

#include <algorithm>
#include <cctype>
#include <cstdio>

using namespace tilec;

/// Cuts off and returns what stands before the first of `letters`.
static std::string_view takeUntil(std::string_view &text,
                                  std::string_view letters) {
  size_t end = std::min(text.find_first_of(letters), text.size());
  std::string_view front = text.substr(0, end);
  text.remove_prefix(end);
  return front;
}

/// Whether a value of a help text is a word, such as `json`, and no placeholder.
static bool isWord(std::string_view value) {
  return !value.empty() && std::ranges::all_of(value, [](unsigned char letter) {
    return std::islower(letter) || std::isdigit(letter) || letter == '-';
  });
}

/// Adds what a line of a help text names: "name=a|b  what it is for".
static void readLine(std::string_view line,
                     std::vector<CompletionWord> &completions) {
  std::string name = "--" + std::string(takeUntil(line, "=[, "));
  bool isOptional = line.starts_with("[=");
  bool hasValue = isOptional || line.starts_with("=");
  std::string_view values;
  if (hasValue) {
    line.remove_prefix(isOptional ? 2 : 1);
    values = takeUntil(line, " ");
    if (isOptional)
      values = values.substr(0, values.find(']'));
  }
  size_t begin = line.find("  ");
  std::string help(begin == line.npos ? "" : line.substr(begin));
  help.erase(0, help.find_first_not_of(' '));
  if (!hasValue || isOptional)
    completions.push_back({name, help});
  if (hasValue)
    completions.push_back({name + "=", help});
  while (!values.empty()) {
    std::string_view value = takeUntil(values, "|");
    values.remove_prefix(values.empty() ? 0 : 1);
    if (isWord(value))
      completions.push_back({name + "=" + std::string(value), help});
  }
}

std::vector<CompletionWord> tilec::readHelp(std::string_view help) {
  std::vector<CompletionWord> completions;
  while (!help.empty()) {
    std::string_view line = takeUntil(help, "\n");
    help.remove_prefix(help.empty() ? 0 : 1);
    // Options begin two columns in; what is further in explains one.
    if (line.starts_with("  --") && line.size() > 4 && std::islower(line[4]))
      readLine(line.substr(4), completions);
    // "--version, --help" on a line of their own.
    size_t next = line.find(", --");
    if (line.starts_with("  --") && next != line.npos &&
        line.find("  ", 2) == line.npos)
      readLine(line.substr(next + 4), completions);
  }
  return completions;
}

void tilec::addValues(std::vector<CompletionWord> &completions,
                      std::string_view name,
                      const std::vector<std::string> &values) {
  for (const std::string &value : values)
    completions.push_back({"--" + std::string(name) + "=" + value, ""});
}

std::optional<std::string_view> tilec::getCompletedWord(int argc, char **argv) {
  constexpr std::string_view option = "--complete=";
  if (argc < 2 || !std::string_view(argv[1]).starts_with(option))
    return std::nullopt;
  return std::string_view(argv[1]).substr(option.size());
}

int tilec::printCompletions(std::vector<CompletionWord> completions,
                            std::string_view prefix) {
  bool wantsValue = prefix.find('=') != prefix.npos;
  std::erase_if(completions, [&](const CompletionWord &completion) {
    size_t equals = completion.word.find('=');
    bool isValue =
        equals != std::string::npos && equals + 1 < completion.word.size();
    return isValue != wantsValue || !completion.word.starts_with(prefix);
  });
  std::ranges::sort(completions, {}, &CompletionWord::word);
  auto rest = std::ranges::unique(completions, {}, &CompletionWord::word);
  completions.erase(rest.begin(), rest.end());
  for (const auto &[word, help] : completions)
    std::printf(help.empty() ? "%s\n" : "%s\t%s\n", word.c_str(), help.c_str());
  return 0;
}
