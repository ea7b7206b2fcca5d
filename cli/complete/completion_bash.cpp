// Completion for bash: one function that looks at the command, at the word before (an option that takes a value?) and
// at the word itself. The script is made from the options that the commands declare, so it cannot fall behind them.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/complete/completion.h"

namespace quadrille::cli {
namespace {

// What the value of an option is completed with, as arguments of compgen; empty: nothing is known.
std::string values_of(const OptionSummary& option, const CompletionNames& names) {
  const Completed with = completed_with(option, names);
  std::string text = with.files ? "-f" : "";
  if (!with.words.empty()) text += fmt::format("{}-W '{}'", with.files ? " " : "", fmt::join(with.words, " "));
  return text;
}

// `  "check --on") …` for each option with a value.
std::string value_cases(const CommandSummary& command, const CompletionNames& names) {
  std::string text;
  for (const OptionSummary& option : command.options) {
    if (option.positional() || !option.takes_value()) continue;
    std::vector<std::string> patterns;
    for (const std::string& name : option.names) patterns.push_back(fmt::format("'{} {}'", command.name, name));
    const std::string values = values_of(option, names);
    const std::string action =
        values.empty() ? "" : fmt::format(" mapfile -t COMPREPLY < <(compgen {} -- \"$word\");", values);
    text += fmt::format("    {}){} return ;;\n", fmt::join(patterns, " | "), action);
  }
  return text;
}

std::string option_case(const CommandSummary& command, const CompletionNames& names) {
  std::vector<std::string> options;
  Completed with;
  for (const OptionSummary& option : command.options) {
    if (!option.positional()) {
      options.insert(options.end(), option.names.begin(), option.names.end());
      continue;
    }
    with = completed_with(option, names);
  }
  return fmt::format("    {}) options='{}' words='{}'{} ;;\n", command.name, fmt::join(options, " "),
                     fmt::join(with.words, " "), with.files ? " files=-f" : "");
}

}  // namespace

Completed completed_with(const OptionSummary& option, const CompletionNames& names) {
  if (!option.choices.empty()) return {option.choices};
  const std::string& what = option.positional() ? option.names.front() : option.value;
  if (what == "TOPIC") return {names.topics};
  if (what == "FABRIC") return {names.fabrics, true};
  if (what == "COLLECTIVE") return {names.collectives};
  if (what == "NAME" && option.positional()) {
    Completed with{names.schedules, true};
    with.words.insert(with.words.end(), names.fabrics.begin(), names.fabrics.end());
    return with;
  }
  Completed with{{}, what == "FILE" || option.names_a_file()};
  if (option.help.find("that ships") != std::string::npos) with.words = names.schedules;
  return with;
}

std::string bash_completion(std::span<const CommandSummary> commands, const CompletionNames& names) {
  std::vector<std::string> all;
  std::string values;
  std::string options;
  for (const CommandSummary& command : commands) {
    all.push_back(command.name);
    values += value_cases(command, names);
    options += option_case(command, names);
  }
  return fmt::format(
      R"(# Completion of quadrille for bash: source <(quadrille completion bash)
_quadrille() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}} command=${{COMP_WORDS[1]}}
  local options='' words='' files=''
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    mapfile -t COMPREPLY < <(compgen -W '{} --help --version' -- "$word")
    return
  fi
  case "$command $before" in
{}  esac
  case $command in
{}  esac
  if [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
  else
    mapfile -t COMPREPLY < <(compgen $files -W "$words" -- "$word")
  fi
}}
complete -o filenames -F _quadrille quadrille
)",
      fmt::join(all, " "), values, options);
}

}  // namespace quadrille::cli
