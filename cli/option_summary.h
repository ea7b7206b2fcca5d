// What the commands declare, as data: for shell completion, which names the same options as the help.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"

namespace quadrille::cli {

struct OptionSummary {
  std::vector<std::string> names;  // "-o", "--output"; of an argument without a dash, "FILE"
  std::string value;               // what its value is called; empty: a flag
  std::string help;
  std::vector<std::string> choices;  // of the value; empty: anything

  bool positional() const { return !names.front().starts_with('-'); }
  bool takes_value() const { return !value.empty() || !choices.empty(); }
  bool names_a_file() const { return value.starts_with("FILE") || value == "FOLDER" || value == "OUT"; }
};

struct CommandSummary {
  std::string name;
  std::string purpose;
  std::vector<OptionSummary> options;  // --help, which all have, first
};

std::vector<CommandSummary> summaries(const CommandList& commands);

}  // namespace quadrille::cli
