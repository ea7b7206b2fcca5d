// Lower bounds in rounds (model/MODEL.md, Rounds): on the number of rounds, and on their volume.
//
// Rounds: with single ports, the number of processors that a processor has heard from at most doubles in a round: it
// adds those that one sender has heard from. So it takes ⌈log2(m + 1)⌉ rounds to hear from m others. Where k messages
// can arrive at once (held paths: as many as there are lanes into a node), the factor is k + 1. Switches, where
// messages may wait, hear in the same way. Without switches, the spread of one processor's data grows at the same
// rate; where switches forward, the copies of one chunk do. (Folklore; e.g. J. Bruck et al., Efficient Algorithms for
// All-to-All Communications in Multiport Message-Passing Systems, §2.)
//
// Where messages of a combining collective join in switches, one message brings what many have heard, but to one
// receiver. There the argument goes the other way round: the number of processors that one's data can reach in so
// many rounds grows as above, by messages sent.
//
// Volume: in a round of volume v, a lane brings at most v packets. So bounds on rows in single steps, without
// distances, hold for the volume: a processor that must receive k packets over c lanes needs ⌈k / c⌉, and the same is
// true of a cut.
//
//   all-gather of 8 with single ports: 3 rounds, as 2^3 = 8; volume 7, as each must receive 7 packets
//
// Cost: that of needs.cpp, and one look at each demand, but 2^22 at most.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "model/text/counted.h"
#include "verifier/bounds/parts.h"

namespace quadrille {
namespace {

using namespace bounds;

constexpr std::uint64_t most_demands_seen = std::uint64_t{1} << 22;  // enough for a bound

// The needs, with all finite distances counted as at most one hop.
NeedsOfAll without_ways(NeedsOfAll all) {
  for (ProcessorNeeds& needs : all.needs) {
    for (Distances* distances : {&needs.in, &needs.out}) {
      Distances near;
      for (const auto& [distance, units] : *distances) near[distance == far ? far : std::min(distance, 1U)] += units;
      *distances = std::move(near);
    }
  }
  return all;
}

// The number of others that each processor must hear from. Looks at a limited number of demands, which is enough for
// a bound.
std::vector<std::uint64_t> sources_needed(const Collective& collective) {
  std::vector<std::uint64_t> sources(collective.processors());
  std::set<std::pair<std::uint32_t, std::uint32_t>> known;  // of listed collectives: who must hear from whom
  for (std::uint64_t number = 0; number < std::min(collective.demands(), most_demands_seen); ++number) {
    const auto [chunk, processor] = collective.demand_at(number);
    if (collective.combining()) {
      const auto wanted = collective.wanted_contributions(static_cast<std::uint32_t>(chunk.value), processor);
      if (!wanted) continue;
      const bool own = wanted->first <= processor.value && processor.value <= wanted->second;
      const std::uint64_t others = wanted->second - wanted->first + (own ? 0 : 1);
      sources[processor.value] = std::max(sources[processor.value], others);
    } else if (collective.listed()) {
      const std::vector<std::uint32_t>& holders = collective.description().chunks[chunk.value].held_by;
      const bool first = holders.size() == 1 && known.emplace(processor.value, holders.front()).second;
      if (first) ++sources[processor.value];
    } else if (collective.name(chunk).part == 0) {
      ++sources[processor.value];  // each origin has one packet for it that is no part of another
    }
  }
  return sources;
}

// The number of messages that a processor, and a switch, can get or send in one round at most; nothing: any number.
struct MessagesAtOnce {
  std::optional<std::uint64_t> processor;
  std::optional<std::uint64_t> node_between;  // a switch; 0 if there is none
};

MessagesAtOnce messages_at_once(const Fabric& fabric, bool received) {
  const bool held = fabric.rules().paths == Paths::held;
  MessagesAtOnce most{0, 0};
  for (std::uint32_t v = 0; v < fabric.nodes(); ++v) {
    const std::uint64_t lanes =
        fabric.lanes_of(received ? fabric.channels_to(NodeId(v)) : fabric.channels_from(NodeId(v)));
    auto& of_kind = fabric.is_processor(NodeId(v)) ? most.processor : most.node_between;
    of_kind = std::max(*of_kind, lanes);
  }
  if (!held) most = {std::nullopt, fabric.has_switches() ? std::nullopt : std::optional<std::uint64_t>(0)};
  if (fabric.rules().ports == Ports::single) most.processor = std::min<std::uint64_t>(most.processor.value_or(1), 1);
  return most;
}

// The number of rounds in which a processor can hear from so many others; nothing where that is not limited.
std::optional<std::uint64_t> rounds_to_hear(const MessagesAtOnce& most, std::uint64_t others) {
  if (!most.processor || !most.node_between || *most.processor == 0) return std::nullopt;
  std::uint64_t processor = 1;  // the number that it has heard from, with itself
  std::uint64_t between = 0;
  std::uint64_t rounds = 0;
  const auto grown = [&](std::uint64_t heard, std::uint64_t messages) {
    return std::min(heard + messages * std::max(processor, between), others + 1);
  };
  for (; processor <= others; ++rounds) {
    const std::uint64_t next = grown(processor, *most.processor);
    between = grown(between, *most.node_between);
    processor = next;
  }
  return rounds;
}

// The bound where so many others must have been heard from, or told, by messages of which there are so many at once.
std::optional<Bound> growth_bound(const Fabric& fabric, const MessagesAtOnce& most, std::uint64_t others,
                                  const std::string& what, std::string_view verb) {
  const auto rounds = rounds_to_hear(most, others);
  if (others == 0 || !rounds) return std::nullopt;
  std::string growth = "with single ports those who have heard at most double in a round";
  if (*most.node_between > 0) {
    growth = fmt::format("a processor {} at most {} in a round, and a switch {}", verb,
                         counted(*most.processor, "message"), *most.node_between);
  } else if (fabric.rules().ports != Ports::single) {
    growth = fmt::format(
        "a processor {} at most {} in a round, so that those who have heard become {} times as many at most", verb,
        counted(*most.processor, "message"), *most.processor + 1);
  }
  return Bound{BoundKind::doubling, *rounds, fmt::format("{}, and {}", what, growth)};
}

// The bound where so many others must hear from the processor.
std::optional<Bound> telling(const Fabric& fabric, std::uint64_t others, std::int64_t processor) {
  return growth_bound(fabric, messages_at_once(fabric, false), others,
                      fmt::format("{} must hear from processor {}", counted(others, "other"), processor), "sends");
}

std::optional<Bound> hearing_bound(const Fabric& fabric, const std::vector<std::uint64_t>& sources) {
  const auto most = std::ranges::max_element(sources);
  const std::string what =
      fmt::format("processor {} must hear from {}", most - sources.begin(), counted(*most, "other"));
  return growth_bound(fabric, messages_at_once(fabric, true), *most, what, "gets");
}

// The largest number of processors that want one chunk that starts at one processor only. Looks at a limited number
// of demands, which is enough for a bound.
std::pair<std::uint64_t, ChunkId> most_wanted(const Collective& collective) {
  std::map<ChunkId, std::uint64_t> wanted;
  for (std::uint64_t number = 0; number < std::min(collective.demands(), most_demands_seen); ++number) {
    ++wanted[collective.demand_at(number).first];
  }
  std::pair<std::uint64_t, ChunkId> best{0, ChunkId(0)};
  for (const auto& [chunk, others] : wanted) {
    if (others <= best.first) continue;
    std::uint32_t starts = 0;
    for (std::uint32_t p = 0; p < collective.processors(); ++p)
      starts += collective.starts_at(chunk, NodeId(p)) ? 1 : 0;
    if (starts == 1) best = {others, chunk};
  }
  return best;
}

// Where switches forward, only processors make copies. So the messages that they send limit the places of a chunk.
std::optional<Bound> copying_bound(const Fabric& fabric, const Collective& collective) {
  if (collective.combining()) return std::nullopt;
  const auto [others, chunk] = most_wanted(collective);
  if (others == 0) return std::nullopt;
  MessagesAtOnce sent = messages_at_once(fabric, false);
  sent.node_between = 0;
  const std::string what = fmt::format("{} want the packet {}, of which switches that forward make no copies",
                                       counted(others, "other"), collective.label(chunk));
  return growth_bound(fabric, sent, others, what, "sends");
}

// The bound for one root's packets: all processors that need one must have heard from the root.
std::optional<Bound> telling_bound(const Fabric& fabric, const Collective& collective,
                                   const std::vector<std::uint64_t>& sources) {
  const bool switches = fabric.has_switches();
  if (switches && fabric.switches_forward()) return copying_bound(fabric, collective);
  const auto& shape = collective.shape();
  if (!shape || shape->suppliers != DemandShape::Ends::root || switches) return std::nullopt;
  const auto informed = std::ranges::count_if(sources, [](std::uint64_t n) { return n > 0; });
  return telling(fabric, static_cast<std::uint64_t>(informed), shape->root);
}

// The number of others that each processor's contribution must reach. Looks at a limited number of demands, which is
// enough for a bound.
std::vector<std::uint64_t> targets_needed(const Collective& collective) {
  std::vector<std::set<std::pair<std::uint32_t, std::uint32_t>>> wanted(collective.processors());
  for (std::uint64_t number = 0; number < std::min(collective.demands(), most_demands_seen); ++number) {
    const auto [value, processor] = collective.demand_at(number);
    const auto range = collective.wanted_contributions(static_cast<std::uint32_t>(value.value), processor);
    if (range) wanted[processor.value].insert(*range);
  }
  std::vector<std::uint64_t> targets(collective.processors());
  for (std::uint32_t p = 0; p < collective.processors(); ++p) {
    std::vector<bool> from(collective.processors());
    for (const auto& [first, last] : wanted[p]) std::fill(from.begin() + first, from.begin() + last + 1, true);
    from[p] = false;
    for (std::uint32_t q = 0; q < collective.processors(); ++q) targets[q] += from[q] ? 1 : 0;
  }
  return targets;
}

// Where messages join in switches, one message brings what many have heard, but to one receiver.
std::optional<Bound> joining_bound(const Fabric& fabric, const Collective& collective) {
  const std::vector<std::uint64_t> targets = targets_needed(collective);
  const auto most = std::ranges::max_element(targets);
  return telling(fabric, *most, most - targets.begin());
}

std::optional<Bound> doubling_bound(const Fabric& fabric, const Collective& collective) {
  const bool joins = fabric.switches_reduce() && fabric.has_switches();
  if (joins && collective.combining()) return joining_bound(fabric, collective);
  const std::vector<std::uint64_t> sources = sources_needed(collective);
  auto hearing = hearing_bound(fabric, sources);
  auto telling = telling_bound(fabric, collective, sources);
  if (hearing && telling) return *telling->steps > *hearing->steps ? telling : hearing;
  return hearing ? hearing : telling;
}

// Shared paths: a message of several packets takes one port, and as much volume as its most loaded channel. Over
// channels of several lanes that is less than its length.
Fabric limited_by_lanes(const Fabric& fabric) {
  Rules rules = fabric.rules();
  if (rules.paths == Paths::shared && fabric.largest_capacity() > 1) rules.ports = Ports::multi;
  return fabric.with_rules(rules);
}

std::string per_time(std::string reason) {
  constexpr std::string_view step = " a step";
  if (const std::size_t at = reason.find(step); at != reason.npos) reason.replace(at, step.size(), " at a time");
  return reason;
}

}  // namespace

std::vector<Bound> round_bounds(const Fabric& fabric, const Collective& collective, const Limits& limits) {
  std::vector<Bound> all =
      sorted({distance_bound(without_ways(needs_of(fabric, collective, limits))), doubling_bound(fabric, collective)});
  for (Bound& bound : all) bound.prices = {};
  return all;
}

std::vector<Bound> volume_bounds(const Fabric& fabric, const Collective& collective, const Limits& limits) {
  const Fabric in_lanes = limited_by_lanes(fabric);
  const NeedsOfAll needs = without_ways(needs_of(in_lanes, collective, limits));
  const Cuts known = known_cuts(in_lanes, collective, limits);
  const Cuts found = found_cuts(in_lanes, collective, limits);
  std::vector<Bound> all =
      sorted({receptions_bound(in_lanes, needs), sends_bound(in_lanes, needs), cut_bound(in_lanes, collective, known),
              distance_bound(needs), transfers_bound(in_lanes, collective), cut_bound(in_lanes, collective, found),
              entries_bound(in_lanes, collective, {&known, &found}, limits)});
  for (Bound& bound : all) {
    bound.prices = {};
    bound.groups = {};
    bound.reason = per_time(std::move(bound.reason));
  }
  return all;
}

double LoadByRounds::in(std::uint64_t rounds) const {
  double most = rounds <= few.size() ? few[rounds - 1] : 0;
  const auto r = static_cast<double>(rounds);
  for (const PassedOn& it : passed_on) most = std::max(most, it.load * r / (r - it.late));
  return most;
}

LoadByRounds load_by_rounds(const Fabric& fabric, const Collective& collective, const Limits& limits) {
  const Fabric in_lanes = limited_by_lanes(fabric);
  const Cuts known = known_cuts(in_lanes, collective, limits);
  const Cuts found = found_cuts(in_lanes, collective, limits);
  return few_rounds_load(in_lanes, collective, {&known, &found}, limits);
}

}  // namespace quadrille
