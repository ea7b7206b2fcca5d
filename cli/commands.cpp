#include "cli/commands.h"

#include <array>

namespace quadrille::cli {

CommandList all_commands() {
  static constexpr std::array makers{
      make_compile_command, make_check_command, make_replay_command,     make_prove_command,  make_fmt_command,
      make_list_command,    make_show_command,  make_fabrics_command,    make_bounds_command, make_search_command,
      make_certify_command, make_help_command,  make_completion_command,
  };
  CommandList commands;
  for (const auto make : makers) commands.push_back(make());
  return commands;
}

}  // namespace quadrille::cli
