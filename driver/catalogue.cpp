// The commands `list`, `fabrics` and `show`: everything that ships and can be named. Each schedule is compiled for
// all sizes, which gives its parameters.
#include "driver/catalogue.h"

#include <fmt/format.h>

#include <string_view>

#include "compiler/compile.h"
#include "compiler/decompile/declaration.h"
#include "driver/inputs/input.h"
#include "driver/inputs/notations.h"
#include "dsl/load.h"

namespace quadrille::driver {

namespace {

// The kind of a notation: "torus" of "torus:4x4,ports=single".
std::string_view kind_of(std::string_view notation) { return notation.substr(0, notation.find_first_of(":,")); }

bool names_fabric(std::string_view notation, const Families& families) {
  return notation.find(':') != std::string_view::npos || kind_of(notation).ends_with(".qd") ||
         families.topology(kind_of(notation)) != nullptr;
}

Result<ShowOutcome> show_fabric(const std::string& notation, Context& context) {
  const Result<Fabric> fabric = fabric_on(notation, context);
  if (!fabric) return fabric.diagnostics();
  std::string name(kind_of(notation));
  name = name.substr(name.rfind('/') + 1);
  name = name.substr(0, name.find('.'));
  // A name that is a kind already cannot be another fabric's.
  if (context.world->families.topology(name) != nullptr) name += "_links";
  Result<std::string> text = declaration(*fabric, name, notation);
  if (!text) return text.diagnostics();
  return ShowOutcome{notation, std::move(*text)};
}

}  // namespace

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

Result<ShowOutcome> run(const ShowRequest& request, Context& context) {
  if (const auto fabric = shipped_fabric_file(request.name)) {
    return ShowOutcome{request.name, std::string(fabric->text)};
  }
  Result<Source> source = shipped_source(request.name);
  if (!source && names_fabric(request.name, context.world->families)) return show_fabric(request.name, context);
  if (!source) return source.diagnostics();
  return ShowOutcome{request.name, std::move(source->text)};
}

}  // namespace quadrille::driver
