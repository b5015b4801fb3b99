//===- Patterns.cpp - Many instructions from one line ---------------------===//
//
// See Patterns.h. Choices are expanded from left to right by recursion.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include <algorithm>
#include <map>

namespace tilec::emu::sweep {

const char *const registerDeclarations =
    ".reg .pred %p<80>; .reg .b8 %c<80>; .reg .b16 %h<80>; "
    ".reg .b32 %r<80>; .reg .b64 %rd<80>; .reg .b128 %q<80>; "
    ".reg .f32 %f<80>; .reg .f64 %d<80>; ";

namespace {

/// The prefix of registers that hold a type.
std::string registerOf(std::string_view type) {
  static const std::map<std::string, std::string, std::less<>> kinds = {
      {"pred", "%p"},   {"f32", "%f"},    {"f64", "%d"},     {"b64", "%rd"},
      {"u64", "%rd"},   {"s64", "%rd"},   {"f32x2", "%rd"},  {"b128", "%q"},
      {"b16", "%h"},    {"u16", "%h"},    {"s16", "%h"},     {"f16", "%h"},
      {"bf16", "%h"},   {"b8", "%h"},     {"u8", "%h"},      {"s8", "%h"},
      {"e4m3x2", "%h"}, {"e5m2x2", "%h"}, {"e2m3x2", "%h"},  {"e3m2x2", "%h"},
      {"e2m1x2", "%c"}, {"e2m1x4", "%h"}, {"ue8m0x2", "%h"}, {"s2f6x2", "%h"},
  };
  auto found = kinds.find(type);
  return found == kinds.end() ? "%r" : found->second;
}

class Expander {
public:
  explicit Expander(std::string &error) : error(error) {}

  void expand(std::string done, std::string_view rest) {
    while (!rest.empty() && error.empty()) {
      if (rest[0] == '<')
        return choose(done, rest.substr(1));
      if (rest[0] == '$') {
        placeRegister(done, rest);
        continue;
      }
      done += rest[0];
      rest.remove_prefix(1);
    }
    if (error.empty())
      results.push_back(done);
  }

  std::vector<std::string> results;

private:
  /// `rest` begins behind '<'.
  void choose(const std::string &done, std::string_view rest) {
    size_t end = rest.find('>');
    if (end == std::string_view::npos) {
      error = "a '<' without '>'";
      return;
    }
    std::string_view inside = rest.substr(0, end);
    rest.remove_prefix(end + 1);
    std::string name;
    if (size_t equal = inside.find('='); equal != std::string_view::npos) {
      name = inside.substr(0, equal);
      inside.remove_prefix(equal + 1);
    } else if (auto bound = names.find(std::string(inside));
               bound != names.end()) {
      return expand(done + bound->second, rest);
    }
    for (;;) {
      size_t bar = inside.find('|');
      std::string choice(inside.substr(0, bar));
      std::replace(choice.begin(), choice.end(), '^', '|');
      if (!name.empty())
        names[name] = choice;
      expand(done + choice, rest);
      if (bar == std::string_view::npos)
        break;
      inside.remove_prefix(bar + 1);
    }
    names.erase(name);
  }

  /// `rest` begins with '$'.
  void placeRegister(std::string &done, std::string_view &rest) {
    auto bound = names.find(std::string(rest.substr(1, 1)));
    if (bound == names.end()) {
      error = "'" + std::string(rest.substr(0, 2)) + "' names no choice";
      return;
    }
    std::string prefix = registerOf(bound->second);
    rest.remove_prefix(2);
    auto number = [&] {
      unsigned value = 0;
      while (!rest.empty() && rest[0] >= '0' && rest[0] <= '9') {
        value = value * 10 + static_cast<unsigned>(rest[0] - '0');
        rest.remove_prefix(1);
      }
      return value;
    };
    if (!rest.empty() && rest[0] != '{') {
      done += prefix + std::to_string(number());
      return;
    }
    rest.remove_prefix(1);
    unsigned first = number();
    rest.remove_prefix(1); // '+'
    unsigned count = number();
    rest.remove_prefix(1); // '}'
    done += '{';
    for (unsigned i = 0; i < count; ++i)
      done += (i ? "," : "") + prefix + std::to_string(first + i);
    done += '}';
  }

  std::string &error;
  std::map<std::string, std::string> names;
};

} // namespace

std::vector<std::string> expand(std::string_view pattern, std::string &error) {
  Expander expander(error);
  expander.expand("", pattern);
  return error.empty() ? std::move(expander.results)
                       : std::vector<std::string>();
}

bool matches(std::string_view glob, std::string_view text) {
  size_t star = glob.find('*');
  if (star == std::string_view::npos)
    return glob == text;
  if (!text.starts_with(glob.substr(0, star)))
    return false;
  glob.remove_prefix(star + 1);
  for (size_t i = star; i <= text.size(); ++i)
    if (matches(glob, text.substr(i)))
      return true;
  return false;
}

} // namespace tilec::emu::sweep
