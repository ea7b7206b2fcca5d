// A maker for each command; commands.cpp lists them.
#pragma once

#include <memory>

#include "cli/command.h"

namespace quadrille::cli {

std::unique_ptr<Command> make_compile_command(const Program& program);
std::unique_ptr<Command> make_check_command(const Program& program);
std::unique_ptr<Command> make_report_command(const Program& program);
std::unique_ptr<Command> make_replay_command(const Program& program);
std::unique_ptr<Command> make_draw_command(const Program& program);
std::unique_ptr<Command> make_trace_command(const Program& program);
std::unique_ptr<Command> make_export_command(const Program& program);
std::unique_ptr<Command> make_prove_command(const Program& program);
std::unique_ptr<Command> make_fmt_command(const Program& program);
std::unique_ptr<Command> make_list_command(const Program& program);
std::unique_ptr<Command> make_show_command(const Program& program);
std::unique_ptr<Command> make_fabrics_command(const Program& program);
std::unique_ptr<Command> make_bounds_command(const Program& program);
std::unique_ptr<Command> make_compare_command(const Program& program);
std::unique_ptr<Command> make_search_command(const Program& program);
std::unique_ptr<Command> make_certify_command(const Program& program);
std::unique_ptr<Command> make_help_command(const Program& program);
std::unique_ptr<Command> make_completion_command(const Program& program);

}  // namespace quadrille::cli
