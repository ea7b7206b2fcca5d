// `quadrille check`: its options.
#include "cli/commands.h"
#include "cli/request_command.h"
#include "cli/shared_options.h"

namespace quadrille::cli {

std::unique_ptr<Command> make_check_command(const Program& program) {
  using Request = driver::CheckRequest;
  return request_command<Request>(
      program, "check", "Judge every property of a table, and the claims and invariants of its schedule",
      [](Options& options, Asked<Request>& asked) {
        declare_input(options, asked.request.input);
        declare_costs(options, asked.request.sizes, asked.request.costs);
        declare_form(options, asked.form);
        options.opposite({"--no-claims", "", "Judge the table only, not the claims and invariants of its schedule"},
                         asked.request.claims);
        options.flag({"--agreement", "", "Demand that all who end with the same value have added it up alike"},
                     asked.request.agreement);
        options.number({"--list", "NUMBER", "Describe so many violations of each property (3); all are counted"},
                       {0, std::uint64_t{1} << 32}, asked.request.listed);
        declare_limits(options, asked.limits);
      });
}

}  // namespace quadrille::cli
