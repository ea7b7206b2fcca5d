// Idea: nobody has heard from more than himself and, in a round, from all those that any sender of a message to him had
// heard from; so what all have heard is bounded by how many messages come at once. (CERTIFICATES.md, Doublings.)
//
//   single ports, no switches: after r rounds nobody has heard from more than 2^r processors, himself among them
//
// Cost: a look at each demand and channel.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

#include "model/text/counted.h"
#include "verifier/certificate/formulas/rounds.h"

namespace quadrille::certificate {
namespace {

constexpr std::uint64_t any_number = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t plenty = std::uint64_t{1} << 30;  // more than there are processors

// The most messages that one of these nodes can get, or send, in a round.
std::uint64_t at_once(const Fabric& fabric, bool processors, bool in) {
  std::uint64_t most = 0;
  for (std::uint32_t v = 0; v < fabric.nodes(); ++v) {
    if (fabric.is_processor(NodeId(v)) != processors) continue;
    std::uint64_t here = 0;
    for (const ChannelId e : in ? fabric.channels_to(NodeId(v)) : fabric.channels_from(NodeId(v))) {
      here += fabric.channel(e).capacity;
    }
    if (fabric.rules().paths == Paths::shared) here = any_number;
    if (processors && fabric.rules().ports == Ports::single) here = 1;
    most = std::max(most, here);
  }
  return most;
}

// From how many processors, itself among them, a processor has heard at most; or, where messages have one receiver
// only, to how many what it has can come.
std::uint64_t heard(const Fabric& fabric, std::uint32_t rounds, bool in = true) {
  const std::uint64_t into_processor = at_once(fabric, true, in);
  const std::uint64_t into_switch = at_once(fabric, false, in);
  std::uint64_t processor = 1;
  std::uint64_t elsewhere = 0;
  for (std::uint32_t r = 0; r < rounds && processor < plenty; ++r) {
    const std::uint64_t most = std::max(processor, elsewhere);
    processor = std::min(plenty, processor + into_processor * most);
    elsewhere = std::min(plenty, elsewhere + into_switch * most);
  }
  return processor;
}

// Where messages join: whether what is one's comes to too many.
std::pair<bool, std::string> too_few_for_one(const Fabric& fabric, const Collective& collective, std::uint32_t rounds,
                                             Work& work) {
  std::uint64_t most_told = 0;
  for (const auto& [contributor, targets] : round_origins(collective, work)) {
    most_told = std::max<std::uint64_t>(most_told, targets.size());
  }
  const std::uint64_t can_be_told = heard(fabric, rounds, false) - 1;
  return {most_told > can_be_told,
          fmt::format("{} must hear from one processor, and in {} {} can", counted(most_told, "other"),
                      counted(rounds, "round"),
                      most_told > can_be_told ? fmt::format("no more than {}", can_be_told) : "as many")};
}

// In how many places what starts at one can be, if only processors make more of it.
std::uint64_t told_by_processors(const Fabric& fabric, std::uint32_t rounds) {
  const std::uint64_t out = at_once(fabric, true, false);
  std::uint64_t know = 1;
  for (std::uint32_t r = 0; r < rounds && know < plenty; ++r) know = std::min(plenty, know + out * know);
  return know;
}

// How many others want one chunk that starts at one processor only.
std::uint64_t most_wanted(const Collective& collective, Work& work) {
  std::pmr::map<ChunkId, std::uint64_t> wanted(&work);
  for (std::uint64_t number = 0; number < collective.demands(); ++number) {
    work.spend(1);
    ++wanted[collective.demand_at(number).first];
  }
  std::uint64_t most = 0;
  for (const auto& [chunk, others] : wanted) {
    if (others <= most) continue;
    std::uint32_t starts = 0;
    work.spend(collective.processors());
    for (std::uint32_t p = 0; p < collective.processors(); ++p)
      starts += collective.starts_at(chunk, NodeId(p)) ? 1 : 0;
    if (starts == 1) most = others;
  }
  return most;
}

// Where switches forward: whether one chunk would have to be in too many places.
std::pair<bool, std::string> too_few_copies(const Fabric& fabric, const Collective& collective, std::uint32_t rounds,
                                            Work& work) {
  const std::uint64_t most = most_wanted(collective, work);
  const std::uint64_t can_be = told_by_processors(fabric, rounds) - 1;
  return {most > can_be,
          fmt::format("{} want one chunk, and in {} no more than {} can get one, as switches make no copies",
                      counted(most, "other"), counted(rounds, "round"), can_be)};
}

}  // namespace

std::pair<bool, std::string> too_few_doublings(const Fabric& fabric, const Collective& collective, std::uint32_t rounds,
                                               Work& work) {
  if (messages_join(fabric, collective)) return too_few_for_one(fabric, collective, rounds, work);
  const RoundOrigins origins = round_origins(collective, work);
  std::vector<std::uint64_t> others(collective.processors());
  std::uint64_t told_more = 0;
  for (const auto& [starts, wanted] : origins) {
    std::uint64_t told = 0;
    for (const std::uint32_t p : wanted) {
      const bool own = std::binary_search(starts.begin(), starts.end(), p);
      told += own ? 0 : 1;
      if (starts.size() == 1 && !own) ++others[p];
    }
    if (starts.size() == 1) told_more = std::max(told_more, told);
  }
  const std::uint64_t most_others = others.empty() ? 0 : *std::max_element(others.begin(), others.end());
  const std::uint64_t most_heard = heard(fabric, rounds);
  if (most_others + 1 > most_heard) {
    return {true, fmt::format("a processor must have heard from {}, and in {} it can have heard from no more than {}",
                              counted(most_others, "other"), counted(rounds, "round"), most_heard - 1)};
  }
  if (!fabric.has_switches()) {
    const std::uint64_t know = told_by_processors(fabric, rounds);
    if (told_more + 1 > know) {
      return {true, fmt::format("{} must hear from one processor, and in {} no more than {} can",
                                counted(told_more, "other"), counted(rounds, "round"), know - 1)};
    }
  }
  if (!collective.combining() && fabric.switches_forward()) {
    auto copies = too_few_copies(fabric, collective, rounds, work);
    if (copies.first) return copies;
  }
  return {false, fmt::format("in {} all can have heard from as many others as they must", counted(rounds, "round"))};
}

}  // namespace quadrille::certificate
