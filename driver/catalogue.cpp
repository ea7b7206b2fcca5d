// The commands `list`, `fabrics` and `show`: what ships and what can be named. Each schedule is compiled for all sizes,
// which tells its parameters.
#include "driver/catalogue.h"

#include <fmt/format.h>

#include "compiler/compile.h"
#include "driver/input.h"
#include "driver/notations.h"
#include "dsl/load.h"

namespace quadrille::driver {

Result<ListOutcome> run(const ListRequest&, Context& context) {
  ListOutcome outcome;
  for (const ShippedFile& shipped : shipped_schedules()) {
    const auto schedule = open_shipped_schedule(std::string(shipped.name), context);
    if (!schedule) return schedule.diagnostics();
    outcome.schedules.push_back({std::string(shipped.name), std::string(shipped.summary), parameters_of(**schedule)});
  }
  return outcome;
}

Result<FabricsOutcome> run(const FabricsRequest& request, Context& context) {
  if (!request.hamiltonian.empty()) {
    const Result<Fabric> fabric = fabric_on(request.hamiltonian, request.without, context);
    if (!fabric) return fabric.diagnostics();
    tell_stage(context, "looking for a Hamiltonian cycle");
    return FabricsOutcome{{},
                          hamiltonian_cycle(*fabric, remaining(context)),
                          asked_for(request.hamiltonian, request.without),
                          fabric->processors()};
  }
  if (!request.without.empty())
    return error_at({}, "--without: expected --hamiltonian, too: the links of which fabric?", Code::usage);
  return FabricsOutcome{fabric_kinds(context.world->families)};
}

Result<ShowOutcome> run(const ShowRequest& request, Context&) {
  if (const auto fabric = shipped_fabric_file(request.name)) {
    return ShowOutcome{request.name, std::string(fabric->text)};
  }
  Result<Source> source = shipped_source(request.name);
  if (!source) return source.diagnostics();
  return ShowOutcome{request.name, std::move(source->text)};
}

}  // namespace quadrille::driver
