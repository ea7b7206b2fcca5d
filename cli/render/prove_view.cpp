// The command that shows a counterexample again.
#include "cli/render/prove_view.h"

#include <fmt/format.h>

#include "cli/render/report_text.h"

namespace quadrille::cli {

std::string check_command(const Arguments& arguments, const ProveView& view) {
  driver::TableRequest input{view.outcome.file};
  for (const auto& [name, value] : arguments) input.defines.push_back(fmt::format("{}={}", name, value));
  return command_text("check", input);
}

}  // namespace quadrille::cli
