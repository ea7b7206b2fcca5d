// `quadrille diff`: its options.
#include "driver/diff/diff.h"

#include "cli/commands/commands.h"
#include "cli/commands/request_command.h"
#include "cli/commands/shared_options.h"

namespace quadrille::cli {

std::unique_ptr<Command> make_diff_command(const Registry& registry) {
  using Request = driver::DiffRequest;
  return request_command<Request>(
      registry, "diff", "Compare what two tables, schedules or MSCCL programs send",
      [](Options& options, Asked<Request>& asked) {
        options.positional(
            {"A", "", "A schedule (a path, or the name of one that ships), a send table, or MSCCL XML", true},
            asked.request.left);
        options.positional({"B", "", "Likewise; the options below are for those of the two that are schedules", true},
                           asked.request.right);
        declare_compiling(options, asked.request.input);
        options.word({"--collective", "COLLECTIVE", "What XML does, instead of what it says: broadcast:2"},
                     asked.request.collective);
        declare_form(options, asked.form);
        declare_limits(options, asked.limits);
      });
}

}  // namespace quadrille::cli
