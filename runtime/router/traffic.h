// Makes the messages to be routed, by the name of a pattern, or from a list.
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

// Whether it names one of the patterns, with any argument or without one.
bool names_traffic_pattern(const std::string& notation);

// The messages of every processor, in the order of processors; of a total exchange, round by round. Random choices
// depend only on the seed. Errors: no such pattern, a wrong argument, a number of processors for which the pattern is
// not defined, or a total exchange of more than 4096 (Code::name, usage, invalid, limit).
Result<std::vector<RoutedMessage>> make_traffic(const std::string& notation, const Fabric& fabric, std::uint64_t seed);

// Reads one message a line, `from to` or `from,to`. Empty lines, lines that begin with `#`, and a first line
// `from,to` are skipped. `number` is that of the source among those of the diagnostics.
Result<std::vector<RoutedMessage>> read_traffic(const Source& source, std::uint32_t number, std::uint32_t processors);

}  // namespace quadrille
