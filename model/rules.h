// Rules are a fabric's demands on a schedule besides its channels' capacities. FABRICS.md has their words in
// notations; MODEL.md defines them exactly.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace quadrille {

enum class Duplex : std::uint8_t {
  full,
  half
};  // half: both directions of a link together carry at most c packets a step; a one-way link has its lanes to itself
enum class Ports : std::uint8_t { multi, single };  // single: a processor sends and receives at most one packet a step

// The behaviour of switches. copy: they hand on a packet as often as they like; forward: as often as it came; reduce:
// they copy, but join the partial reductions of combining collectives.
enum class Switching : std::uint8_t { copy, forward, reduce };

// The number of packets that a switch may buffer for a later step. No value: any number.
struct QueueRule {
  std::optional<std::uint32_t> limit;
  bool operator==(const QueueRule&) const = default;
};

// steps: a row of a table is a packet that crosses one channel. rounds: within one step, called a round, a message of
// several packets crosses all channels of its path.
enum class Timing : std::uint8_t { steps, rounds };

// For rounds only. held: a message has one lane of each channel of its path to itself. shared: messages share lanes,
// and a round takes as long as its most loaded channel.
enum class Paths : std::uint8_t { held, shared };

struct Rules {
  Duplex duplex = Duplex::full;
  Ports ports = Ports::multi;
  QueueRule queue = {};
  Switching switches = Switching::copy;
  Timing timing = Timing::steps;
  Paths paths = Paths::held;
  bool operator==(const Rules&) const = default;

  bool in_rounds() const { return timing == Timing::rounds; }
  bool shares_paths() const { return in_rounds() && paths == Paths::shared; }  // else what crosses a lane holds it
  bool switches_forward() const { return switches == Switching::forward; }
  bool switches_reduce() const { return switches == Switching::reduce; }
};

// The rules that are not the default, by name and value, in the form of notations: {"ports", "single"}, {"queue",
// "3"}.
std::vector<std::pair<std::string_view, std::string>> rules_given(const Rules& rules);

}  // namespace quadrille
