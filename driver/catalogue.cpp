// The commands `list`, `fabrics` and `show`: everything that ships and can be named. Each schedule is compiled for
// all sizes, which gives its parameters.
#include "driver/catalogue.h"

#include <fmt/format.h>

#include <string_view>

#include "compiler/compile.h"
#include "compiler/decompile/declaration.h"
#include "compiler/front/fabric_definition.h"
#include "driver/inputs/input.h"
#include "driver/inputs/notations.h"
#include "dsl/load.h"

namespace quadrille::driver {

namespace {

// The kind of a notation: "torus" of "torus:4x4,ports=single".
std::string_view kind_of(std::string_view notation) { return notation.substr(0, notation.find_first_of(":,")); }

bool names_fabric(std::string_view notation, const Families& families) {
  const std::string_view kind = kind_of(notation);
  return notation.find(':') != std::string_view::npos || kind.ends_with(".qd") || kind.ends_with(".json") ||
         families.topology(kind) != nullptr;
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

// A file: the fabrics that it declares or lists, or the schedule in it.
Result<ShowOutcome> show_file(const std::string& path, std::string_view beginning, Context& context) {
  const bool graph = path.ends_with(".json") && beginning.find("\"quadrille_table\"") == beginning.npos;
  if (graph) return show_fabric("graph:" + path, context);
  if (is_table(beginning, context.world->formats)) {
    return error_at({}, fmt::format("{} is a send table; check tells what it does, draw shows it as a figure", path),
                    Code::usage);
  }
  const ReadFile read = file_reader(context.environment);
  Result<std::string> text = text_of(path, context);
  if (!text) return text.diagnostics();
  const Result<ast::SourceFiles> program = load({path, *text}, read, context.sources, remaining(context));
  if (!program) return program.diagnostics();
  const auto fabrics = fabrics_defined(*program, true, remaining(context));
  if (!fabrics) return fabrics.diagnostics();
  if (!fabrics->empty()) return show_fabric(path, context);
  return ShowOutcome{path, *std::move(text)};
}

}  // namespace

Result<ListOutcome> run(const ListRequest&, Context& context) {
  ListOutcome outcome;
  for (const ShippedFile& shipped : shipped_schedules()) {
    const auto schedule = open_shipped_schedule(std::string(shipped.name), context);
    if (!schedule) return schedule.diagnostics();
    outcome.schedules.push_back({std::string(shipped.name), shipped.summary, parameters_of(**schedule)});
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
  const auto beginning = source ? std::nullopt : context.environment.read_beginning(request.name, enough_to_recognise);
  if (beginning) return show_file(request.name, *beginning, context);
  // In `graph:x.json` and `x.json,timing=rounds` the path is a part.
  const bool path = request.name.ends_with(".json") && request.name.find_first_of(":,(") == std::string::npos;
  if (!source && path) return cannot_read(request.name, context.environment);
  if (!source && names_fabric(request.name, context.world->families)) return show_fabric(request.name, context);
  if (!source) return source.diagnostics();
  return ShowOutcome{request.name, std::move(source->text)};
}

}  // namespace quadrille::driver
