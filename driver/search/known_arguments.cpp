// Names of parameters stand for what they mean in all schedules that ship: N, root, segments, pieces, radix, columns,
// gpus, rings, lanes, delay, sides, direct, straight, cycle, weak, share. Algorithms of stages (across, inside) are as
// they are by default, directly, or at once: where paths are shared, others take more rounds and save nothing but
// messages.
//
//   broadcast_pipelined_chain for a broadcast of 4 parts among 8: N = 8 and the root's number, with the 8 segments that
//   are the default, and then with 4, which are the parts
//
// Cost: none to speak of, but for the formulas that a cycle may take.
#include "driver/search/known_arguments.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "model/layout/servers.h"
#include "model/route.h"
#include "model/text/number_in.h"
#include "model/text/quantity.h"
#include "model/topology.h"
#include "verifier/hamiltonian.h"

namespace quadrille::driver {
namespace {

constexpr std::size_t most_arguments = 24;
constexpr std::uint32_t any_parts = 0;
constexpr std::uint32_t most_segments = 512;
constexpr std::uint32_t most_hops_to_weak = 2;

// The value of the argument; null if there is none, or one of another type.
template <class Value>
const Value* find(const std::vector<TopologyArgument>& shape, std::string_view name) {
  const auto found = std::ranges::find(shape, name, &TopologyArgument::name);
  return found == shape.end() ? nullptr : std::get_if<Value>(&found->value);
}

// A cycle through all processors, if one is found soon.
std::optional<std::vector<std::uint32_t>> known_cycle(const Fabric& fabric, const Limits& limits) {
  constexpr std::uint32_t most_processors = 256;
  constexpr std::uint64_t conflicts = 1000;
  if (fabric.processors() > most_processors) return fabric.topology().hamiltonian_cycle();
  HamiltonianCycle cycle = hamiltonian_cycle(fabric, limits, conflicts);
  if (cycle.verdict != CycleVerdict::found) return std::nullopt;
  return std::move(cycle.cycle);
}

// Whether the fabric's channels are those of a grid of these sides, each closed to rings or not, numbered with the last
// coordinate first. Some links may be broken, one in fifty.
bool is_grid(const Fabric& fabric, const std::vector<std::uint32_t>& sides) {
  const std::uint32_t n = fabric.processors();
  std::uint64_t channels = 0;
  std::uint64_t links = 0;
  const auto count = [&](std::uint32_t a, std::uint32_t b) {
    for (const auto& [from, to] : {std::pair(a, b), std::pair(b, a)}) {
      if (fabric.channel_between(NodeId(from), NodeId(to))) ++channels;
    }
  };
  std::uint32_t width = n;
  for (const std::uint32_t side : sides) {
    width /= side;
    for (std::uint32_t k = 0; k < n; ++k) {
      const std::uint32_t x = k / width % side;
      if (x + 1 < side) count(k, k + width), ++links;
      if (x + 1 == side && side > 2) count(k, k - x * width);
    }
  }
  const std::uint64_t broken = 2 * links - std::min(channels, 2 * links);
  return channels == fabric.channels() && broken <= links / 25;
}

// The sides of a grid that ends in the last ones, of `width` processors; none if the fabric is no such grid. In the
// dimension before them, some processor has a channel to the one that is `width` after it.
std::vector<std::uint32_t> sides_before(const Fabric& fabric, std::uint32_t width, std::vector<std::uint32_t> last) {
  const std::uint32_t n = fabric.processors();
  if (width == n) return is_grid(fabric, last) ? last : std::vector<std::uint32_t>();
  const auto leads_on = [&](std::uint32_t k) {
    return fabric.channel_between(NodeId(k), NodeId(k + width)).has_value();
  };
  bool any = false;
  for (std::uint32_t k = 0; k + width < n && !any; ++k) any = leads_on(k);
  if (!any) return {};
  last.insert(last.begin(), 0);
  for (std::uint32_t side = 2; side <= n / width; ++side) {
    if (n / width % side != 0) continue;
    last.front() = side;
    std::vector<std::uint32_t> sides = sides_before(fabric, width * side, last);
    if (!sides.empty()) return sides;
  }
  return {};
}

// The sides of the grid or torus that the fabric is, also where its topology does not say so: [4, 4, 4] for
// tpu_slice:x=4,y=4,z=4. None if it is none: no grid has more channels than two a processor for each factor of n.
std::vector<std::uint32_t> sides_of(const Fabric& fabric) {
  const std::uint64_t n = fabric.processors();
  if (n < 2 || fabric.channels() > 2 * n * static_cast<std::uint64_t>(std::bit_width(n))) return {};
  return sides_before(fabric, 1, {});
}

bool has_parameter(const ir::Schedule& schedule, std::string_view name) {
  return std::ranges::any_of(schedule.parameters, [&](const auto& it) { return it.name == name && !it.idle; });
}

// A schedule that cuts the message of a level into segments serves a machine without servers as one server.
bool overlaps_levels(const ir::Schedule& schedule) { return has_parameter(schedule, "segments"); }

// A schedule whose servers may send their sums to all others at once.
bool takes_sums_at_once(const ir::Schedule& schedule) {
  return std::ranges::any_of(schedule.parameters,
                             [](const auto& it) { return it.name == "across" && it.range_text == "0..3"; });
}

// How many processors a server may have by levels that are given: those of each level within another.
std::vector<std::uint32_t> sizes_of(const MachineLevels& levels) {
  std::vector<std::uint32_t> sizes;
  std::uint32_t size = 1;
  for (std::size_t i = 0; i + 1 < levels.size() || (i == 0 && !levels.empty()); ++i) sizes.push_back(size *= levels[i]);
  return sizes;
}

// The servers of a schedule with any number of parts.
std::vector<std::uint32_t> servers_of(const ir::Schedule& schedule, const Fabric& fabric, const MachineLevels& levels) {
  if (!levels.empty()) return sizes_of(levels);
  std::vector<std::uint32_t> sizes = server_sizes(fabric);
  if (!sizes.empty()) return sizes;
  return overlaps_levels(schedule) ? std::vector{fabric.processors()} : proper_divisors(fabric.processors());
}

// Whether some processors have more lanes than others, or a processor more to one node than to another: of those of one
// bandwidth.
bool has_uneven_lanes(const Fabric& fabric) {
  const std::vector<LinkSpeed> speeds = fabric.link_speeds();
  std::map<std::uint64_t, std::vector<std::uint32_t>> lanes;  // by bandwidth, of a processor
  const auto lanes_of = [&](std::uint32_t processor) {
    lanes.clear();
    for (const ChannelId id : fabric.channels_from(NodeId(processor))) {
      lanes[speeds.empty() ? 0 : speeds[id.value].bandwidth.value_or(0)].push_back(fabric.channel(id).capacity);
    }
    return lanes;
  };
  const auto of_first = lanes_of(0);
  const auto is_even = [](const auto& widths) { return std::ranges::min(widths) == std::ranges::max(widths); };
  if (!std::ranges::all_of(of_first, is_even, [](const auto& it) { return it.second; })) return true;
  for (std::uint32_t p = 1; p < fabric.processors(); ++p) {
    if (lanes_of(p) != of_first) return true;
  }
  return false;
}

bool is_weak_set(const ir::Parameter& parameter) { return parameter.set && parameter.name == "weak"; }

// The processors that send less at once than others, if these are the most, and each is within two hops of all.
std::vector<std::uint32_t> weak_processors(const Fabric& fabric) {
  const std::vector<LinkSpeed> speeds = fabric.link_speeds();
  std::vector<double> bandwidths;
  for (std::uint32_t p = 0; p < fabric.processors(); ++p) {
    double& all = bandwidths.emplace_back();
    for (const ChannelId id : fabric.channels_from(NodeId(p))) {
      const auto speed = speeds.empty() ? std::nullopt : speeds[id.value].bandwidth;
      all += fabric.channel(id).capacity * static_cast<double>(speed.value_or(1));
    }
  }
  const double most = std::ranges::max(bandwidths);
  const Router router(fabric);
  std::vector<std::uint32_t> weak;
  for (std::uint32_t p = 0; p < fabric.processors(); ++p) {
    if (bandwidths[p] == most) continue;
    weak.push_back(p);
    for (std::uint32_t to = 0; to < fabric.processors(); ++to) {
      if (router.distance(NodeId(p), NodeId(to)).value_or(most_hops_to_weak + 1) > most_hops_to_weak) return {};
    }
  }
  return weak.size() * 2 < fabric.processors() ? weak : std::vector<std::uint32_t>();
}

std::vector<std::string> values_of(const ir::Schedule& schedule, const ir::Parameter& parameter, const Fabric& fabric,
                                   std::uint32_t parts, const MachineLevels& levels) {
  const std::uint32_t processors = fabric.processors();
  std::vector<std::string> values;
  if (parameter.set || parameter.list) return values;
  if (parameter.pattern) return {"constant", "exponential"};
  if (!parameter.default_value) return {std::to_string(static_cast<int>(std::bit_width(processors)) - 1)};
  if (parameter.name == "segments" && parts == any_parts) {
    for (std::uint32_t segments = 1; segments <= most_segments; segments *= 2) {
      values.push_back(std::to_string(segments));
    }
  } else if (parameter.name == "segments" || (parameter.name == "rings" && parts != any_parts)) {
    values.push_back(std::to_string(parts));
    if (parts % processors == 0) values.push_back(std::to_string(parts / processors));
  } else if (parameter.name == "direct" || parameter.name == "straight" || parameter.name == "share") {
    values.emplace_back("1");
  } else if (parameter.name == "radix") {
    for (const std::uint32_t radix : {2U, 3U, 4U, 8U}) values.push_back(std::to_string(radix));
    values.push_back(std::to_string(processors));
  } else if (parameter.name == "lanes") {
    values.emplace_back("2");  // the NVLinks that are as fast as the card of an H100
  } else if (parameter.name == "delay") {
    values = {"1", "4"};  // where there are but few rounds; the hops between servers of two racks
  } else if (parameter.name == "columns" || parameter.name == "gpus") {
    const bool any = parameter.name == "columns" || parts != any_parts;
    const std::vector<std::uint32_t> sizes = any ? proper_divisors(processors) : servers_of(schedule, fabric, levels);
    for (const std::uint32_t size : sizes) values.push_back(std::to_string(size));
  }
  return values;
}

}  // namespace

bool suits(const ir::Schedule& schedule, const Fabric& fabric) {
  return std::ranges::none_of(schedule.parameters, is_weak_set) || !weak_processors(fabric).empty();
}

Arguments arguments_for(const ir::Schedule& schedule, const Fabric& fabric, const Collective& collective,
                        const Limits& limits) {
  const std::vector<TopologyArgument> shape = fabric.topology().arguments();
  const auto* levels = find<std::uint32_t>(shape, "levels");
  const auto* capacities = find<std::vector<std::uint32_t>>(shape, "capacity");
  Arguments arguments;
  for (const ir::Parameter& parameter : schedule.parameters) {
    if (parameter.idle) continue;
    if (parameter.list && parameter.name == "cycle") {
      if (const auto cycle = known_cycle(fabric, limits))
        arguments[parameter.name] = fmt::format("[{}]", fmt::join(*cycle, ","));
    } else if (parameter.list && parameter.name == "sides") {
      if (const std::vector<std::uint32_t> sides = sides_of(fabric); !sides.empty())
        arguments[parameter.name] = fmt::format("[{}]", fmt::join(sides, ","));
    } else if (is_weak_set(parameter)) {
      if (const std::vector<std::uint32_t> weak = weak_processors(fabric); !weak.empty())
        arguments[parameter.name] = fmt::format("{{{}}}", fmt::join(weak, ","));
    } else if (parameter.name == "root" && collective.rooted()) {
      arguments[parameter.name] = std::to_string(collective.description().root);
    } else if (!parameter.pattern && !parameter.default_value) {
      // N is the number of processors; a schedule for trees or hypercubes counts levels, under another name.
      const std::uint32_t logarithm = static_cast<std::uint32_t>(std::bit_width(fabric.processors())) - 1;
      arguments[parameter.name] = std::to_string(parameter.name == "N" ? fabric.processors()
                                                 : levels != nullptr   ? *levels
                                                                       : logarithm);
    } else if (parameter.pattern && !parameter.set && !parameter.list && levels != nullptr && capacities != nullptr) {
      arguments[parameter.name] = fmt::format("{}", fmt::join(*capacities, ","));
    }
  }
  return arguments;
}

namespace {

std::vector<Arguments> variants(const ir::Schedule& schedule, const Fabric& fabric, const Collective& collective,
                                std::uint32_t parts, const Arguments& given, const MachineLevels& levels,
                                const Limits& limits) {
  std::vector<Arguments> all{arguments_for(schedule, fabric, collective, limits)};
  for (const auto& [name, value] : given) all.front().insert_or_assign(name, value);
  std::vector<Arguments> single;  // choices that are not tried with others
  for (const ir::Parameter& parameter : schedule.parameters) {
    if (parameter.idle || parameter.name == "root" || parameter.name == "N" || given.contains(parameter.name)) continue;
    const std::vector<std::string> values = values_of(schedule, parameter, fabric, parts, levels);
    const std::vector<Arguments> before = all;
    if (parameter.name == "gpus" && parts == any_parts && overlaps_levels(schedule) && !values.empty()) {
      // Servers of the machine's own sizes, in place of any; and all processors as one server, without other choices.
      single.push_back(all.front());
      single.back()[parameter.name] = std::to_string(fabric.processors());
      for (const std::string& value : takes_sums_at_once(schedule) ? values : std::vector<std::string>()) {
        single.push_back(all.front());
        single.back()[parameter.name] = value;
        single.back()["across"] = "3";
      }
      all.clear();
    }
    for (const std::string& value : values) {
      for (Arguments arguments : before) {
        if (all.size() == most_arguments) break;
        arguments[parameter.name] = value;
        if (std::ranges::find(all, arguments) == all.end()) all.push_back(std::move(arguments));
      }
    }
  }
  for (Arguments& arguments : single) {
    if (std::ranges::find(all, arguments) == all.end()) all.push_back(std::move(arguments));
  }
  return all;
}

}  // namespace

std::vector<Arguments> every_arguments_for(const ir::Schedule& schedule, const Fabric& fabric,
                                           const Collective& collective, const Limits& limits) {
  return variants(schedule, fabric, collective, collective.description().parts, {}, {}, limits);
}

std::vector<Arguments> arguments_of_any_parts(const ir::Schedule& schedule, const Fabric& fabric,
                                              const Collective& collective, const Limits& limits,
                                              const Arguments& given, const MachineLevels& levels) {
  return variants(schedule, fabric, collective, any_parts, given, levels, limits);
}

std::uint64_t segments_of(const Arguments& arguments) {
  const auto found = arguments.find("segments");
  return found == arguments.end() ? 0 : number_in<std::uint64_t>(found->second).value_or(0);
}

bool takes_pieces(const ir::Schedule& schedule, const Fabric& fabric) {
  return has_parameter(schedule, "pieces") && has_uneven_lanes(fabric);
}

std::optional<Arguments> in_pieces(Arguments arguments) {
  constexpr std::uint64_t most_segments_in_pieces = 16;
  if (segments_of(arguments) > most_segments_in_pieces) return std::nullopt;
  const bool is_new = arguments.emplace("pieces", "9").second;  // half of an H100's NVLinks; enough for 8 other routes
  return is_new ? std::optional(std::move(arguments)) : std::nullopt;
}

}  // namespace quadrille::driver
