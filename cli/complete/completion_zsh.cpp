// Completion for zsh: a specification for _arguments for each option, by command. Repeated options are allowed (`*`),
// as some may be.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/complete/completion.h"

namespace quadrille::cli {
namespace {

// For a specification in single quotes: quotes, brackets and colons mean something there.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\'') {
      result += "'\\''";
      continue;
    }
    if (c == '[' || c == ']' || c == ':' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

std::string action_of(const OptionSummary& option, const CompletionNames& names) {
  const auto [words, files] = completed_with(option, names);
  if (words.empty()) return files ? "_files" : "";
  const std::string list = fmt::format("({})", fmt::join(words, " "));
  return files ? fmt::format("_alternative \"words:word:{}\" \"files:file:_files\"", list) : list;
}

// '--on[The fabric …]:FABRIC:'
std::string specification(const OptionSummary& option, const CompletionNames& names) {
  if (option.positional()) return fmt::format(" \\\n        '*:{}:{}'", option.names.front(), action_of(option, names));
  std::string text;
  for (const std::string& name : option.names) {
    const std::string value =
        option.takes_value() ? fmt::format(":{}:{}", escaped(option.value), action_of(option, names)) : "";
    text += fmt::format(" \\\n        '*{}[{}]{}'", name, escaped(option.help), value);
  }
  return text;
}

}  // namespace

std::string zsh_completion(std::span<const CommandSummary> commands, const CompletionNames& names) {
  std::string list;
  std::string cases;
  for (const CommandSummary& command : commands) {
    list += fmt::format("    '{}:{}'\n", command.name, escaped(command.purpose));
    cases += fmt::format("    {})\n      _arguments", command.name);
    for (const OptionSummary& option : command.options) cases += specification(option, names);
    cases += " ;;\n";
  }
  return fmt::format(
      "#compdef quadrille\n# Completion of quadrille for zsh: source <(quadrille completion zsh)\n"
      "_quadrille() {{\n  local -a commands=(\n{}  )\n"
      "  if ((CURRENT == 2)); then\n    _describe command commands\n    return\n  fi\n"
      "  local command=$words[2]\n  shift words\n  ((CURRENT--))\n  case $command in\n{}  esac\n}}\n"
      "compdef _quadrille quadrille\n",
      list, cases);
}

}  // namespace quadrille::cli
