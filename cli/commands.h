// A maker for each command; commands.cpp lists them.
#pragma once

#include <memory>

#include "cli/command.h"

namespace quadrille::cli {

std::unique_ptr<Command> make_compile_command();
std::unique_ptr<Command> make_check_command();
std::unique_ptr<Command> make_replay_command();
std::unique_ptr<Command> make_prove_command();
std::unique_ptr<Command> make_fmt_command();
std::unique_ptr<Command> make_list_command();
std::unique_ptr<Command> make_show_command();
std::unique_ptr<Command> make_fabrics_command();
std::unique_ptr<Command> make_bounds_command();
std::unique_ptr<Command> make_search_command();
std::unique_ptr<Command> make_certify_command();
std::unique_ptr<Command> make_help_command();
std::unique_ptr<Command> make_completion_command();

}  // namespace quadrille::cli
