// The properties in turn, each only where those that it leans on hold.
#include "programs/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

#include "programs/standstill.h"

namespace quadrille::programs {
namespace {

constexpr std::uint64_t bytes_of_an_event = 160;  // with its edges, and its bits when pairs are asked for
constexpr std::uint64_t bytes_of_a_cell = 96;

void unknown(Judgement& judgement, std::initializer_list<Property> properties, Reason reason, const std::string& why) {
  for (const Property property : properties) judgement.set_unknown(property, reason, why);
}

// In bytes, about.
std::uint64_t memory_for(const Program& program, const Network& network) {
  std::uint64_t events = 0;
  for (const Action& action : network.actions) events += 2 + 2 * std::uint64_t{action.operation->count};
  std::uint64_t cells = 0;
  for (const Rank& rank : program.ranks) cells += std::uint64_t{rank.input} + rank.output + rank.scratch;
  return events * bytes_of_an_event + cells * bytes_of_a_cell;
}

bool violated(const Judgement& judgement, Property property) {
  return judgement.of(property).ruling == Ruling::violated;
}

}  // namespace

void judge(const Program& program, Judgement& judgement, const JudgeOptions& options) {
  using enum Property;
  const Network network = connect(program, judgement, options.listed);
  if (violated(judgement, structure)) {
    unknown(judgement, {matching, deadlock, race, data, agreement}, Reason::unsupported, "the structure is violated");
    return;
  }
  if (const Reason reason = options.limits.reached(); reason != Reason::none) {
    unknown(judgement, {deadlock, race, data, agreement}, reason, "there was no time left");
    return;
  }
  judge_deadlock(program, network, judgement, options.listed);
  if (violated(judgement, matching)) {
    unknown(judgement, {race, data, agreement}, Reason::unsupported, "sends and receptions do not match");
    return;
  }
  constexpr std::uint64_t most = std::uint64_t{1} << 36;  // where numbers of events would no longer fit
  if (const std::uint64_t bytes = memory_for(program, network); bytes > std::min(options.limits.memory, most)) {
    unknown(judgement, {race, data, agreement}, Reason::limit,
            fmt::format("it would take some {} MiB of memory", bytes >> 20));
    return;
  }
  const HappensBefore order(program, network);
  if (!order.acyclic()) {
    unknown(judgement, {race, data, agreement}, Reason::unsupported, "it never ends, whatever the queues hold");
    return;
  }
  judge_races(program, network, order, options, judgement);
  if (judgement.of(race).ruling != Ruling::holds) {
    unknown(judgement, {data, agreement},
            judgement.of(race).ruling == Ruling::unknown ? judgement.of(race).reason : Reason::unsupported,
            "what chunks hold depends on the timing");
    return;
  }
  judge_data(program, network, order, options, judgement);
}

}  // namespace quadrille::programs
