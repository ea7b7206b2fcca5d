// Messages to be routed, by the name of a pattern, or from a list.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/fabric.h"
#include "model/text/result.h"
#include "model/text/source.h"
#include "runtime/router/router.h"

namespace quadrille {

struct TrafficPattern {
  std::string name;      // "hot_spot"
  std::string notation;  // "hot_spot:NUMBER"
  std::string purpose;   // in a line
};

const std::vector<TrafficPattern>& traffic_patterns();

// Whether it is one of them, with an argument or without, whatever that is.
bool names_traffic_pattern(const std::string& notation);

// A message of every processor, in their order. What is drawn at random depends on the seed alone. An error: no such
// pattern, a wrong argument, or a number of processors that it does not know (Code::name, usage, invalid).
Result<std::vector<RoutedMessage>> make_traffic(const std::string& notation, const Fabric& fabric, std::uint64_t seed);

// A message a line, `from to` or `from,to`; empty lines, those that begin with `#`, and a first line `from,to` are
// passed over. `number` is that of the source among those of the diagnostics.
Result<std::vector<RoutedMessage>> read_traffic(const Source& source, std::uint32_t number, std::uint32_t processors);

}  // namespace quadrille
