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
  const Completed with = completed_with(option, names);
  const std::string words = quoted(fmt::format("{}", fmt::join(with.words, " ")));
  std::string text = fmt::format("complete -c quadrille -n '__fish_seen_subcommand_from {}'", command.name);
  if (option.positional()) {
    if (with.words.empty() && with.files) return "";
    return fmt::format("{}{} -a {}\n", text, with.files ? "" : " -f", words);
  }
  for (const std::string& name : option.names) {
    text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  if (option.takes_value()) text += with.files ? " -r" : " -x";
  if (option.takes_value() && !with.words.empty()) text += " -a " + words;
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
