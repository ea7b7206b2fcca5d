// The reference checker of combining collectives: what partial reductions rows carry, and what they join.
#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "tests/reference/judge.h"

namespace quadrille::reference {

void Judge::combine() {
  for (std::uint32_t p = 0; p < fabric_.processors(); ++p) {
    for (std::uint32_t value = 0; value < collective_.values(); ++value) held_[{p, value}] = own_contribution(p);
  }
  for (auto first = hops_.begin(); first != hops_.end();) {
    const auto last = std::find_if(first, hops_.end(), [&](const Hop& hop) { return hop.step != first->step; });
    const std::vector<Hop> step(first, last);
    const std::vector<PartialReduction> carried = take_along(step);
    if (collective_.ordered() && reducing()) judge_gaps_in_switches();
    bring_to_switches(step, carried);
    join(bring(step, carried));
    first = last;
  }
  judge_complete_reductions();
  judge_agreement();
}

// The partial reduction that each row of a step carries: the origin's own, or what the latest row brought to where it
// starts.
std::vector<PartialReduction> Judge::take_along(const std::vector<Hop>& step) {
  std::vector<PartialReduction> carried;
  for (const Hop& hop : step) {
    if (!hop.joins) {
      carried.push_back(leaving(hop));
      continue;
    }
    const ChunkName name = collective_.name(hop.packet);
    carried.push_back(crossing(messages_.all[hop.message], {*name.target, name.part}, hop.channel));
  }
  return carried;
}

PartialReduction Judge::leaving(const Hop& hop) {
  const ChunkName name = collective_.name(hop.packet);
  if (hop.from.value == name.origin) return hop.sent.empty() ? held_[{name.origin, name.part}] : chained(hop, name);
  if (!processor(hop.from) && (forwarding() || reducing())) {
    const auto taken = taken_from_switch(hop);
    if (!taken) violation(causal);
    return taken.value_or(PartialReduction{});
  }
  if (const auto found = brought_.find({hop.from, hop.packet}); found != brought_.end()) return found->second;
  violation(causal);
  return {};
}

// What crosses a channel of a message that joins: what leaves its sender, or what has joined where ways meet.
PartialReduction Judge::crossing(const RoundMessage& message, Wanted wanted, ChannelId channel) {
  const NodeId from = fabric_.channel(channel).from;
  const ChunkId packet = message.joining.at({channel, wanted});
  if (message.senders.contains(from)) {
    Hop hop{message.round, from, fabric_.channel(channel).to, channel, 0, packet};
    hop.sent = message.words.at({packet, channel}).sent;
    return leaving(hop);
  }
  std::map<std::pair<std::uint32_t, ChannelId>, PartialReduction> arrived;
  std::size_t ways = 0;
  for (const auto& [before, lane] : message.ways) {
    if (fabric_.channel(before).to != from) continue;
    ++ways;
    const PartialReduction carried = crossing(message, wanted, before);
    if (!carried.empty()) arrived[{*carried.contributions.begin(), before}] = carried;
  }
  PartialReduction joined;
  for (const auto& [order, carried] : arrived) {
    if (disjoint(joined, carried) || collective_.idempotent()) {
      add(collective_, joined, carried);
    } else {
      violation(complete);
    }
  }
  if (ways > 1 && collective_.ordered() && has_gap(joined)) violation(complete);
  return joined;
}

std::optional<PartialReduction> Judge::taken_from_switch(const Hop& hop) {
  const SwitchPacket* taken =
      forwarding() ? contents_.take(hop.from, hop.packet, hop.step) : contents_.carry(hop.from, hop.packet, hop.step);
  if (!taken) return std::nullopt;
  wait_for(hop.channel, taken->arrival, hop.step);
  return taken->carried;
}

// `reduce`, ordered: "What leaves it must be an interval". Each one that leaves is judged once: it then is gone.
void Judge::judge_gaps_in_switches() {
  for (std::size_t number = 0; number < contents_.all().size(); ++number) {
    const SwitchPacket& it = contents_.all()[number];
    if (it.departure && has_gap(it.carried) && gaps_.insert(number).second) violation(complete);
  }
}

void Judge::bring_to_switches(const std::vector<Hop>& step, const std::vector<PartialReduction>& carried) {
  std::vector<SwitchContents::Arrival> arrivals;
  for (std::size_t i = 0; i < step.size(); ++i) {
    const Hop& hop = step[i];
    if (processor(hop.to)) continue;
    if (forwarding()) contents_.bring(hop.to, hop.packet, hop.step, carried[i]);
    arrivals.push_back({hop.to, hop.packet, hop.channel, hop.lane, carried[i]});
  }
  if (!reducing()) return;
  found_.violations[complete] += contents_.join(std::move(arrivals), step.front().step);
}

// Rows arrive in the order of channel, then lane, then message. The result is what has reached its target.
Judge::Arrivals Judge::bring(const std::vector<Hop>& step, const std::vector<PartialReduction>& carried) {
  Arrivals arrivals;
  std::vector<std::size_t> order(step.size());
  for (std::size_t i = 0; i < step.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::tie(step[a].channel, step[a].lane, step[a].message) <
           std::tie(step[b].channel, step[b].lane, step[b].message);
  });
  for (const std::size_t i : order) {
    const Hop& hop = step[i];
    const ChunkName name = collective_.name(hop.packet);
    brought_[{hop.to, hop.packet}] = carried[i];
    if (hop.to.value != *name.target || carried[i].empty()) continue;
    arrivals[{*name.target, name.part}].insert(
        {{*carried[i].contributions.begin(), hop.channel, hop.lane, hop.packet}, {carried[i], hop.arrival}});
  }
  return arrivals;
}

// "What these words, as they are when the step begins, make when they are chained."
PartialReduction Judge::chained(const Hop& hop, const ChunkName& name) {
  const Place place{name.origin, name.part};
  std::vector<PartialReduction> words{held_[place]};
  words.insert(words.end(), kept_[place].begin(), kept_[place].end());
  PartialReduction chain;
  std::vector<PartialReduction> chosen;
  bool missing = false;
  bool gap = false;
  for (const std::uint32_t number : hop.sent) {
    if (number >= words.size()) {
      missing = true;
    } else if (!disjoint(chain, words[number]) && !collective_.idempotent()) {
      violation(complete);
    } else {
      add(collective_, chain, words[number]);
      chosen.push_back(words[number]);
      if (has_gap(chain)) gap = true;
    }
  }
  if (missing) violation(causal);
  if (gap && collective_.ordered()) violation(complete);
  return added_up(collective_, {}, chosen);
}

void Judge::join(const Arrivals& arrivals) {
  for (const auto& [place, arrived] : arrivals) {
    Added added{held_[place], {}};
    for (const auto& [order, arriving] : arrived) join_one(place, arriving, added);
    held_[place] = added_up(collective_, added.to, added.all);
    if (collective_.ordered() && has_gap(held_[place])) violation(complete);
  }
}

void Judge::join_one(Place place, const Joining& arriving, Added& added) {
  PartialReduction& held = held_[place];
  const auto& [carried, arrival] = arriving;
  const bool may_unite = disjoint(held, carried) || collective_.idempotent();
  const auto unite = [&] {
    held = united(collective_, held, carried);
    added.all.push_back(carried);
  };
  const auto replace = [&] {
    held = carried;
    added = {carried, {}};
  };
  switch (arrival) {
    case Arrival::kept:
      kept_[place].push_back(carried);
      return;
    case Arrival::stored:
      if (!contains(carried, held)) return violation(complete);
      return replace();
    case Arrival::combined:
      if (!may_unite) return violation(complete);
      return unite();
    case Arrival::joined:
      break;
  }
  if (disjoint(held, carried)) {
    unite();
  } else if (contains(carried, held)) {
    replace();
  } else if (may_unite) {
    unite();
  } else {
    violation(complete);  // a contribution is counted twice
  }
}

// "Its words that have wanted contributions only, chained in the order of their smallest contributions"; nothing if the
// demand is not met.
std::optional<PartialReduction> Judge::result(Place place) const {
  const auto wanted = collective_.wanted_contributions(place.second, NodeId(place.first));
  PartialReduction whole;
  for (std::uint32_t contribution = wanted->first; contribution <= wanted->second; ++contribution)
    whole.contributions.insert(contribution);
  std::vector<PartialReduction> words;
  if (contains(whole, held_.at(place))) words.push_back(held_.at(place));
  if (const auto kept = kept_.find(place); kept != kept_.end()) {
    for (const PartialReduction& word : kept->second) {
      if (contains(whole, word)) words.push_back(word);
    }
  }
  std::sort(words.begin(), words.end(), [](const PartialReduction& a, const PartialReduction& b) {
    return *a.contributions.begin() < *b.contributions.begin();
  });
  PartialReduction chain;
  for (const PartialReduction& word : words) {
    if (!disjoint(chain, word) && !collective_.idempotent()) return std::nullopt;
    if (has_gap(word) && collective_.ordered()) return std::nullopt;
    add(collective_, chain, word);
  }
  return chain.contributions == whole.contributions ? std::optional(chain) : std::nullopt;
}

// Demand not met: the result is not what is wanted.
void Judge::judge_complete_reductions() {
  for (const auto& [place, held] : held_) {
    const auto wanted = collective_.wanted_contributions(place.second, NodeId(place.first));
    if (wanted && !result(place)) violation(complete);
  }
}

// "Of the processors that want the same contributions of a value, and whose demand for it is met, each whose result has
// another tree than that of the lowest of them."
void Judge::judge_agreement() {
  if (collective_.idempotent()) return;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::string> lowest;  // by value and what is wanted
  for (const auto& [place, held] : held_) {
    const auto wanted = collective_.wanted_contributions(place.second, NodeId(place.first));
    const auto own = wanted ? result(place) : std::nullopt;
    if (!own) continue;
    const auto first = lowest.emplace(std::tuple(place.second, wanted->first, wanted->second), own->tree).first;
    if (first->second != own->tree) violation(agreement);
  }
}

}  // namespace quadrille::reference
