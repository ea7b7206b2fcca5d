// Scripts that complete the command line in a shell.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/option_summary.h"

namespace quadrille::cli {

// What arguments that name a schedule, a kind of fabric, a collective, or a topic of the help, are completed with.
struct CompletionNames {
  std::vector<std::string> schedules;
  std::vector<std::string> fabrics;
  std::vector<std::string> collectives;
  std::vector<std::string> topics;
};

std::string bash_completion(std::span<const CommandSummary> commands, const CompletionNames& names);
std::string zsh_completion(std::span<const CommandSummary> commands, const CompletionNames& names);
std::string fish_completion(std::span<const CommandSummary> commands, const CompletionNames& names);

// What the value of an option, or an argument without a dash, is completed with.
struct Completed {
  std::vector<std::string> words = {};
  bool files = false;
};
Completed completed_with(const OptionSummary& option, const CompletionNames& names);

}  // namespace quadrille::cli
