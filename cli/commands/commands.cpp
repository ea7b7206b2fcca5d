// The list of commands, in the order of the help. A new one is a source of its own and a line here.
#include "cli/commands/commands.h"

namespace quadrille::cli {

std::vector<CommandMaker> standard_commands() {
  return {
      make_compile_command, make_check_command,   make_replay_command, make_report_command,     make_draw_command,
      make_trace_command,   make_export_command,  make_prove_command,  make_fmt_command,        make_list_command,
      make_show_command,    make_fabrics_command, make_bounds_command, make_compare_command,    make_search_command,
      make_certify_command, make_diff_command,    make_help_command,   make_completion_command,
  };
}

CommandList make_commands(const Registry& registry) {
  CommandList commands;
  for (const CommandMaker& make : registry.commands) commands.push_back(make(registry));
  return commands;
}

}  // namespace quadrille::cli
