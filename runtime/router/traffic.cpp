// The patterns, for n processors:
//   random_permutation   every processor sends to one and hears from one, as drawn
//   bit_reversal         to the number whose binary digits are the same backwards; n = 2^k
//   transpose            of a square of processors, row by row: from (r, c) to (c, r); n = m^2
//   local                to a processor drawn from the nearest that are on another router; on the same, if there is one
//   hot_spot:H           a random permutation, but one message in H, as drawn, goes to one processor, as drawn
//   total_exchange       n - 1 messages each: to the next processor, to the one behind it, and so on around; n <= 4096
//
// Example: bit reversal for n = 8 sends 1 = 001 to 4 = 100, 3 = 011 to 6 = 110, and 0, 2, 5 and 7 to themselves.
#include "runtime/router/traffic.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <optional>

#include "model/text/number_in.h"
#include "runtime/router/network.h"

namespace quadrille {
namespace {

using Messages = std::vector<RoutedMessage>;

constexpr std::uint64_t usual_share = 64;

template <class Target>
Messages to_each(std::uint32_t processors, const Target& target) {
  Messages messages;
  for (std::uint32_t p = 0; p < processors; ++p) messages.push_back({p, target(p)});
  return messages;
}

// Draws `count` processors without replacement (Fisher and Yates).
std::vector<std::uint32_t> draw(std::uint32_t processors, std::uint32_t count, RandomNumbers& random) {
  std::vector<std::uint32_t> order(processors);
  std::iota(order.begin(), order.end(), 0U);
  for (std::uint32_t i = 0; i < count; ++i) std::swap(order[i], order[i + random.below(processors - i)]);
  order.resize(count);
  return order;
}

Messages random_permutation(std::uint32_t processors, RandomNumbers& random) {
  const auto order = draw(processors, processors, random);
  return to_each(processors, [&](std::uint32_t p) { return order[p]; });
}

Messages hot_spot(std::uint32_t processors, std::uint32_t share, RandomNumbers& random) {
  Messages messages = random_permutation(processors, random);
  const std::uint32_t hot = random.below(processors);
  for (const std::uint32_t p : draw(processors, std::max(1U, processors / share), random)) messages[p].to = hot;
  return messages;
}

std::uint32_t reversed(std::uint32_t value, std::uint32_t bits) {
  std::uint32_t result = 0;
  for (std::uint32_t i = 0; i < bits; ++i) result |= (value >> i & 1) << (bits - 1 - i);
  return result;
}

Result<Messages> total_exchange(std::uint32_t processors) {
  constexpr std::uint32_t most = 4096;  // 134 MB of messages
  if (processors > most) {
    return error_at({}, fmt::format("total_exchange: {} processors; expected at most {}", processors, most),
                    Code::limit);
  }
  Messages messages;
  messages.reserve(std::size_t{processors} * (processors - 1));
  for (std::uint32_t shift = 1; shift < processors; ++shift) {
    for (std::uint32_t p = 0; p < processors; ++p) messages.push_back({p, (p + shift) % processors});
  }
  return messages;
}

Result<Messages> bit_reversal(std::uint32_t processors) {
  if (!std::has_single_bit(processors)) {
    return error_at({}, fmt::format("bit_reversal: {} processors; expected a power of two", processors), Code::invalid);
  }
  const auto bits = static_cast<std::uint32_t>(std::countr_zero(processors));
  return to_each(processors, [bits](std::uint32_t p) { return reversed(p, bits); });
}

Result<Messages> transpose(std::uint32_t processors) {
  std::uint32_t side = 1;
  while (side * side < processors) ++side;  // at most 2^13
  if (side * side != processors) {
    return error_at({}, fmt::format("transpose: {} processors; expected a square number", processors), Code::invalid);
  }
  return to_each(processors, [side](std::uint32_t p) { return p % side * side + p / side; });
}

// Searches from each router, ring by ring, until there are processors.
class Neighbourhood {
 public:
  explicit Neighbourhood(const routing::Network& network)
      : network_(network), delivered_(network.routers()), seen_(network.routers(), 0) {
    for (std::uint32_t p = 0; p < network.terminals.size(); ++p) delivered_[network.terminals[p].out].push_back(p);
  }

  // The nearest routers among those that deliver to processors; the router itself, if there is no other.
  std::vector<std::uint32_t> nearest(std::uint32_t router) {
    ++turn_;
    seen_[router] = turn_;
    for (std::vector<std::uint32_t> ring = around({router}); !ring.empty(); ring = around(ring)) {
      std::vector<std::uint32_t> found = ring;
      std::erase_if(found, [&](std::uint32_t it) { return delivered_[it].empty(); });
      if (!found.empty()) return found;
    }
    return {router};
  }

  const std::vector<std::uint32_t>& processors(std::uint32_t router) const { return delivered_[router]; }

 private:
  std::vector<std::uint32_t> around(const std::vector<std::uint32_t>& ring) {
    std::vector<std::uint32_t> next;
    for (const std::uint32_t router : ring) {
      for (const routing::Wire& wire : network_.wires(router)) {
        if (seen_[wire.to] == turn_) continue;
        seen_[wire.to] = turn_;
        next.push_back(wire.to);
      }
    }
    return next;
  }

  const routing::Network& network_;
  std::vector<std::vector<std::uint32_t>> delivered_;
  std::vector<std::uint32_t> seen_;  // by router, the last turn in which it was
  std::uint32_t turn_ = 0;
};

Result<Messages> local(const Fabric& fabric, RandomNumbers& random) {
  const auto network = routing::make_network(fabric);
  if (!network) return network.diagnostics();
  Neighbourhood neighbourhood(*network);
  return to_each(fabric.processors(), [&](std::uint32_t p) {
    const auto routers = neighbourhood.nearest(network->terminals[p].in);
    const auto& processors =
        neighbourhood.processors(routers[random.below(static_cast<std::uint32_t>(routers.size()))]);
    if (processors.empty()) return p;  // the only processor there is
    return processors[random.below(static_cast<std::uint32_t>(processors.size()))];
  });
}

std::string name_of(const std::string& notation) { return notation.substr(0, notation.find(':')); }

// The number after the colon, 1 to `processors`; without a colon, the default. An error for anything else.
Result<std::uint32_t> share_in(const std::string& notation, std::uint32_t processors) {
  const std::size_t colon = notation.find(':');
  if (colon == std::string::npos) return std::min(static_cast<std::uint32_t>(usual_share), processors);
  const auto share = number_in<std::uint32_t>(std::string_view(notation).substr(colon + 1));
  if (share && *share >= 1 && *share <= processors) return *share;
  return error_at({}, fmt::format("--pattern: {}; expected a number behind the colon, 1 to {}", notation, processors),
                  Code::usage);
}

Diagnostic unknown_pattern(const std::string& notation) {
  std::vector<std::string> names;
  for (const TrafficPattern& it : traffic_patterns()) names.push_back(it.name);
  const auto near = nearest(name_of(notation), names);
  return error_at(
      {},
      fmt::format("there is neither a file nor a pattern named '{}'; {}", notation,
                  near ? fmt::format("did you mean '{}'?", *near) : fmt::format("expected {}", fmt::join(names, ", "))),
      Code::name);
}

}  // namespace

const std::vector<TrafficPattern>& traffic_patterns() {
  static const std::vector<TrafficPattern> all{
      {"random_permutation", "random_permutation", "every processor sends to one and hears from one, drawn at random"},
      {"bit_reversal", "bit_reversal", "to the processor whose number has the same bits backwards"},
      {"transpose", "transpose", "of a square of processors, from row r, column c to row c, column r"},
      {"local", "local", "to a processor drawn from the nearest on another router"},
      {"hot_spot", "hot_spot:NUMBER", "a random permutation, but one message in NUMBER (64) goes to one processor"},
      {"total_exchange", "total_exchange", "from each processor to each other"}};
  return all;
}

bool names_traffic_pattern(const std::string& notation) {
  const auto& all = traffic_patterns();
  return std::any_of(all.begin(), all.end(), [&](const auto& it) { return it.name == name_of(notation); });
}

Result<std::vector<RoutedMessage>> make_traffic(const std::string& notation, const Fabric& fabric, std::uint64_t seed) {
  const std::string name = name_of(notation);
  const std::uint32_t processors = fabric.processors();
  RandomNumbers random(seed);
  if (!names_traffic_pattern(notation)) return unknown_pattern(notation);
  if (name != "hot_spot" && name != notation) {
    return error_at({}, fmt::format("--pattern: {}; {} has no number", notation, name), Code::usage);
  }
  if (name == "random_permutation") return random_permutation(processors, random);
  if (name == "bit_reversal") return bit_reversal(processors);
  if (name == "transpose") return transpose(processors);
  if (name == "local") return local(fabric, random);
  if (name == "total_exchange") return total_exchange(processors);
  const Result<std::uint32_t> share = share_in(notation, processors);
  if (!share) return share.diagnostics();
  return hot_spot(processors, *share, random);
}

}  // namespace quadrille
