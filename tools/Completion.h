//===- Completion.h - What a shell may complete a word to -------*- C++ -*-===//
//
// Shells ask a tool itself: `tile-run --complete=--ch` prints the words that begin so, a
// line each, behind a tab what the word is for. A word that ends with `=` wants a value;
// `--complete=--chip=` prints the options with theirs. So what is completed is what the
// tool has (tools/completion has the scripts of the shells).
//
// Tools whose options are read by hand have one table of them, their help; here it is
// read. Plain C++, as ptx-run is.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TOOLS_COMPLETION_H
#define TILE_TOOLS_COMPLETION_H

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilec {

struct CompletionWord {
  std::string word; ///< "--list", "--chip=", "--on=cuda"
  std::string help; ///< one line; may be empty
};

/// The options of a help text, of lines as
///
///     --name=a|b|VALUE[,..]  what it is for
///     --name[=a|b]           the same without a value
///
/// Values in small letters are words of their own, others the user's.
std::vector<CompletionWord> readHelp(std::string_view help);

/// Adds `--name=value` for each of the values.
void addValues(std::vector<CompletionWord> &completions, std::string_view name,
               const std::vector<std::string> &values);

/// The word that `--complete=WORD` asks for; nothing without it.
std::optional<std::string_view> getCompletedWord(int argc, char **argv);

/// Prints those that begin with `prefix`, each once and in order: names while there is
/// no `=` in it, then values. Returns the exit status 0.
int printCompletions(std::vector<CompletionWord> completions,
                     std::string_view prefix);

} // namespace tilec

#endif // TILE_TOOLS_COMPLETION_H
