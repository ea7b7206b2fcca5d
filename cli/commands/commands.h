// A maker for each command; commands.cpp lists them.
#pragma once

#include <memory>

#include "cli/command.h"

namespace quadrille::cli {

std::unique_ptr<Command> make_compile_command(const Registry& registry);
std::unique_ptr<Command> make_check_command(const Registry& registry);
std::unique_ptr<Command> make_report_command(const Registry& registry);
std::unique_ptr<Command> make_replay_command(const Registry& registry);
std::unique_ptr<Command> make_draw_command(const Registry& registry);
std::unique_ptr<Command> make_trace_command(const Registry& registry);
std::unique_ptr<Command> make_export_command(const Registry& registry);
std::unique_ptr<Command> make_prove_command(const Registry& registry);
std::unique_ptr<Command> make_fmt_command(const Registry& registry);
std::unique_ptr<Command> make_list_command(const Registry& registry);
std::unique_ptr<Command> make_show_command(const Registry& registry);
std::unique_ptr<Command> make_fabrics_command(const Registry& registry);
std::unique_ptr<Command> make_bounds_command(const Registry& registry);
std::unique_ptr<Command> make_compare_command(const Registry& registry);
std::unique_ptr<Command> make_search_command(const Registry& registry);
std::unique_ptr<Command> make_certify_command(const Registry& registry);
std::unique_ptr<Command> make_diff_command(const Registry& registry);
std::unique_ptr<Command> make_help_command(const Registry& registry);
std::unique_ptr<Command> make_completion_command(const Registry& registry);

}  // namespace quadrille::cli
