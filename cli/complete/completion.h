// Scripts that complete the command line in a shell.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/option_summary.h"

namespace quadrille::cli {

// What arguments that name a schedule, or a topic of the help, are completed with.
struct CompletionNames {
  std::vector<std::string> schedules;
  std::vector<std::string> topics;
};

std::string bash_completion(std::span<const CommandSummary> commands, const CompletionNames& names);
std::string zsh_completion(std::span<const CommandSummary> commands, const CompletionNames& names);
std::string fish_completion(std::span<const CommandSummary> commands, const CompletionNames& names);

// Words that stand for an argument without a dash; files come besides where it is a FILE.
const std::vector<std::string>& words_for(const OptionSummary& option, const CompletionNames& names);

}  // namespace quadrille::cli
