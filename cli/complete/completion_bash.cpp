// Completion for bash: one function that looks at the command, at the word before (an option that takes a value?) and
// at the word itself. The script is made from the options that the commands declare, so it cannot fall behind them.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/complete/completion.h"

namespace quadrille::cli {
namespace {

// What the value of an option is completed with, as arguments of compgen; empty: nothing is known.
std::string values_of(const OptionSummary& option) {
  if (!option.choices.empty()) return fmt::format("-W '{}'", fmt::join(option.choices, " "));
  return option.names_a_file() ? "-f" : "";
}

// `  "check --on") …` for each option with a value.
std::string value_cases(const CommandSummary& command) {
  std::string text;
  for (const OptionSummary& option : command.options) {
    if (option.positional() || !option.takes_value()) continue;
    std::vector<std::string> patterns;
    for (const std::string& name : option.names) patterns.push_back(fmt::format("'{} {}'", command.name, name));
    const std::string values = values_of(option);
    const std::string action =
        values.empty() ? "" : fmt::format(" mapfile -t COMPREPLY < <(compgen {} -- \"$word\");", values);
    text += fmt::format("    {}){} return ;;\n", fmt::join(patterns, " | "), action);
  }
  return text;
}

std::string option_case(const CommandSummary& command, const CompletionNames& names) {
  std::vector<std::string> options;
  std::vector<std::string> words;
  std::string files;
  for (const OptionSummary& option : command.options) {
    if (!option.positional()) {
      options.insert(options.end(), option.names.begin(), option.names.end());
      continue;
    }
    words = words_for(option, names);
    if (option.names.front() == "FILE") files = " files=-f";
  }
  return fmt::format("    {}) options='{}' words='{}'{} ;;\n", command.name, fmt::join(options, " "),
                     fmt::join(words, " "), files);
}

}  // namespace

const std::vector<std::string>& words_for(const OptionSummary& option, const CompletionNames& names) {
  static const std::vector<std::string> none;
  if (!option.choices.empty()) return option.choices;
  if (option.names.front() == "TOPIC") return names.topics;
  const bool schedule = option.names.front() == "NAME" || option.help.find("that ships") != std::string::npos;
  return schedule ? names.schedules : none;
}

std::string bash_completion(std::span<const CommandSummary> commands, const CompletionNames& names) {
  std::vector<std::string> all;
  std::string values;
  std::string options;
  for (const CommandSummary& command : commands) {
    all.push_back(command.name);
    values += value_cases(command);
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
