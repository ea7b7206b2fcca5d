// The command that shows a counterexample again.
#include "cli/prove_view.h"

#include <fmt/format.h>

namespace quadrille::cli {

std::string check_command(const Arguments& arguments, const ProveView& view) {
  std::string command = "quadrille check " + view.outcome.file;
  for (const auto& [name, value] : arguments) command += fmt::format(" -D {}={}", name, value);
  return command;
}

}  // namespace quadrille::cli
