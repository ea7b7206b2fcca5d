// Reads fabrics and collectives from options. The notation becomes a source of its own, named after the option, so
// that a diagnostic can show it with a caret.
//
// `cluster.qd:hosts=8` names a fabric that a file defines. The file is read, and its definitions take precedence over
// all other fabrics; if it has several, the last one is meant. So the remaining notation is `cluster:hosts=8`.
#include "driver/inputs/notations.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/front/fabric_definition.h"
#include "driver/inputs/input.h"
#include "dsl/load.h"
#include "model/fabric_notation.h"
#include "model/topologies/without_links.h"

namespace quadrille::driver {
namespace {

// Adds a notation to the sources; returns its number there.
std::uint32_t add_source(const char* option, const std::string& notation, Sources& sources) {
  sources.push_back({option, notation});
  return static_cast<std::uint32_t>(sources.size() - 1);
}

// The end of the path, if the notation begins with the path of a schedule's file: the end of the notation, or before
// a ':' or ','.
std::optional<std::size_t> end_of_path(const std::string& notation) {
  constexpr std::string_view extension = ".qd";
  for (std::size_t at = notation.find(extension); at != std::string::npos; at = notation.find(extension, at + 1)) {
    const std::size_t end = at + extension.size();
    if (end == notation.size() || notation[end] == ':' || notation[end] == ',') return end;
  }
  return std::nullopt;
}

Result<std::vector<TopologyFamily>> read_definitions(const std::string& path, Context& context) {
  std::optional<std::string> text = context.environment.read_file(path);
  if (!text) return cannot_read(path, context.environment);
  const ReadFile read = file_reader(context.environment);
  const Result<ast::SourceFiles> program = load({path, std::move(*text)}, read, context.sources, remaining(context));
  if (!program) return program.diagnostics();
  Result<std::vector<TopologyFamily>> fabrics = fabrics_defined(*program, true, remaining(context));
  if (fabrics && fabrics->empty()) {
    return error_at({}, fmt::format("{} defines no fabric; expected a block such as 'fabric pair: …'", path),
                    Code::name);
  }
  return fabrics;
}

}  // namespace

Result<Fabric> fabric_on(const std::string& notation, Context& context) {
  const ReadFile read = file_reader(context.environment);
  const std::optional<std::size_t> path = end_of_path(notation);
  if (!path) {
    const std::uint32_t number = add_source("--on", notation, context.sources);
    return parse_fabric(context.sources[number], number, read, context.world->families, remaining(context));
  }
  const auto fabrics = read_definitions(notation.substr(0, *path), context);
  if (!fabrics) return fabrics.diagnostics();
  Families families = context.world->families;
  families.topologies.insert(families.topologies.begin(), fabrics->begin(), fabrics->end());
  const std::uint32_t number = add_source("--on", fabrics->back().name + notation.substr(*path), context.sources);
  return parse_fabric(context.sources[number], number, read, families, remaining(context));
}

Result<Fabric> fabric_on(const std::string& notation, const std::vector<std::string>& without, Context& context) {
  Result<Fabric> fabric = fabric_on(notation, context);
  return fabric ? without_links(*fabric, without, remaining(context)) : fabric;
}

std::string asked_for(const std::string& on, const std::vector<std::string>& without) {
  return on.empty() || without.empty() ? on : fmt::format("{} without {}", on, fmt::join(without, ", "));
}

Result<Collective> collective_named(const std::string& notation, std::uint32_t processors, Context& context) {
  const std::uint32_t number = add_source("--collective", notation, context.sources);
  return parse_collective(context.sources[number], number, processors, context.world->families);
}

Result<CollectiveOnFabric> collective_on(const std::string& on, const std::vector<std::string>& without,
                                         const std::string& collective, Context& context) {
  Result<Fabric> fabric = fabric_on(on, without, context);
  if (!fabric) return fabric.diagnostics();
  Result<Collective> named = collective_named(collective, fabric->processors(), context);
  if (!named) return named.diagnostics();
  return CollectiveOnFabric{std::move(*fabric), std::move(*named)};
}

}  // namespace quadrille::driver
