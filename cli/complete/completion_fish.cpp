// Completion for fish: a `complete` line for each option, which fish itself shows with its help. Only after its command
// (`__fish_seen_subcommand_from`).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/complete/completion.h"

namespace quadrille::cli {
namespace {

std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') result += '\\';
    result += c;
  }
  return result + "'";
}

std::string line_for(const CommandSummary& command, const OptionSummary& option, const CompletionNames& names) {
  std::string text = fmt::format("complete -c quadrille -n '__fish_seen_subcommand_from {}'", command.name);
  if (option.positional()) {
    const auto& words = words_for(option, names);
    const bool files = option.names.front() == "FILE";
    if (words.empty() && files) return "";
    return fmt::format("{}{} -a {}\n", text, files ? "" : " -f", quoted(fmt::format("{}", fmt::join(words, " "))));
  }
  for (const std::string& name : option.names) {
    text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  if (option.takes_value()) text += option.names_a_file() ? " -r" : " -x";
  if (!option.choices.empty()) text += " -a " + quoted(fmt::format("{}", fmt::join(option.choices, " ")));
  return fmt::format("{} -d {}\n", text, quoted(option.help));
}

}  // namespace

std::string fish_completion(std::span<const CommandSummary> commands, const CompletionNames& names) {
  std::string text = "# Completion of quadrille for fish: quadrille completion fish | source\n";
  for (const CommandSummary& command : commands) {
    text += fmt::format("complete -c quadrille -f -n __fish_use_subcommand -a {} -d {}\n", command.name,
                        quoted(command.purpose));
    for (const OptionSummary& option : command.options) text += line_for(command, option, names);
  }
  return text;
}

}  // namespace quadrille::cli
