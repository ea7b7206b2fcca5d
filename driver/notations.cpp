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

Result<Fabric> fabric_on(const std::string& notation, Environment& environment, Sources& sources) {
  const std::uint32_t number = add_source("--on", notation, sources);
  return parse_fabric(sources[number], number, [&](const std::string& path) { return environment.read_file(path); });
}

Result<Collective> collective_named(const std::string& notation, std::uint32_t processors, Sources& sources) {
  const std::uint32_t number = add_source("--collective", notation, sources);
  return parse_collective(sources[number], number, processors);
}

}  // namespace quadrille::driver
