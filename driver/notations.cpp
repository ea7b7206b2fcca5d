// Fabrics and collectives from options. The notation becomes a source of its own, so that a diagnostic can show it with
// a caret, under the name of the option.
#include "driver/notations.h"

#include "model/fabric_notation.h"

namespace quadrille::driver {
namespace {

// Adds a notation to the sources; the result is its number there.
std::uint32_t add_source(const char* option, const std::string& notation, Sources& sources) {
  sources.push_back({option, notation});
  return static_cast<std::uint32_t>(sources.size() - 1);
}

}  // namespace

Result<Fabric> fabric_on(const std::string& notation, Context& context) {
  const std::uint32_t number = add_source("--on", notation, context.sources);
  return parse_fabric(
      context.sources[number], number, [&](const std::string& path) { return context.environment.read_file(path); },
      context.world->families, remaining(context));
}

Result<Collective> collective_named(const std::string& notation, std::uint32_t processors, Context& context) {
  const std::uint32_t number = add_source("--collective", notation, context.sources);
  return parse_collective(context.sources[number], number, processors, context.world->families);
}

}  // namespace quadrille::driver
