// Reads fabrics and collectives from options. The notation becomes a source of its own, named after the option, so
// that a diagnostic can show it with a caret.
//
// `cluster.qd:hosts=8` names a fabric that a file defines. The file is read, and its definitions take precedence over
// all other fabrics; if it has several, the last one is meant. So the remaining notation is `cluster:hosts=8`. The
// factors of a product may be files, too.
#include "driver/inputs/notations.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

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

// A path of a schedule's file within a notation.
struct WrittenPath {
  std::size_t begin;
  std::size_t end;
};

// The paths in the notation: one that it begins with, or, of a product, those that its factors begin with. A path ends
// with the notation, or before a blank, ':', ',' or ')'.
std::vector<WrittenPath> paths_in(const std::string& notation) {
  constexpr std::string_view extension = ".qd";
  const bool product = notation.starts_with("product(");
  std::vector<WrittenPath> paths;
  std::size_t from = 0;
  for (std::size_t at = notation.find(extension); at != std::string::npos; at = notation.find(extension, at + 1)) {
    const std::size_t end = at + extension.size();
    if (end != notation.size() && std::string_view(" :,)").find(notation[end]) == std::string_view::npos) continue;
    const std::size_t begin = notation.find_first_not_of(' ', product ? notation.find_last_of("(,", at) + 1 : 0);
    if (begin < from) continue;
    paths.push_back({begin, end});
    if (!product) break;
    from = end;
  }
  return paths;
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
  Families families = context.world->families;
  std::map<std::string, std::string> defined;  // by name of a fabric, its file
  std::string named;                           // the notation with fabrics' names for paths
  std::size_t from = 0;
  for (const WrittenPath& it : paths_in(notation)) {
    const std::string path = notation.substr(it.begin, it.end - it.begin);
    const auto fabrics = read_definitions(path, context);
    if (!fabrics) return fabrics.diagnostics();
    for (const TopologyFamily& family : *fabrics) {
      const auto [known, first] = defined.emplace(family.name, path);
      if (!first && known->second != path) {
        return error_at({}, fmt::format("{} and {} each define a fabric {}", known->second, path, family.name),
                        Code::duplicate);
      }
    }
    families.topologies.insert(families.topologies.begin(), fabrics->begin(), fabrics->end());
    named += notation.substr(from, it.begin - from) + fabrics->back().name;
    from = it.end;
    // x.qd,timing=rounds is x.qd:timing=rounds
    if (!notation.starts_with("product(") && from < notation.size() && notation[from] == ',') named += ':', ++from;
  }
  const std::uint32_t number = add_source("--on", named + notation.substr(from), context.sources);
  Result<Fabric> fabric = parse_fabric(context.sources[number], number, read, families, remaining(context));
  if (fabric) tell_note(*fabric, context);
  return fabric;
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
