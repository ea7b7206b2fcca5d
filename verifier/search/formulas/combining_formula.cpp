// Idea: each of the constraints 1 to 7 of verifier/COMBINING_FORMULA.md is a function. The judge writes the same
// formula independently (certificate/formulas/partial_reductions.cpp, with an example). Under a group a variable
// stands for its orbit, and most constraints are written for an orbit's first member only.
//
// Cost: steps x channels x packets x processors; less under a group.
#include "verifier/search/formulas/combining_formula.h"

#include <algorithm>
#include <utility>

#include "verifier/search/formulas/fabric_rules.h"

namespace quadrille::searching {

void CombiningFormula::add(std::vector<int> literals) {
  if (std::find(literals.begin(), literals.end(), always) != literals.end()) return;
  std::erase(literals, never);
  sink_->clause(literals);
}

// Adds that a and b are equal if the condition holds.
void CombiningFormula::add_same_if(int condition, int a, int b) {
  if (a == b) return;
  add({-condition, -a, b});
  add({-condition, a, -b});
}

void CombiningFormula::add_at_most(std::uint64_t k, std::vector<int> literals) {
  std::erase(literals, never);
  sink_->at_most(k, literals, next_);
}

int CombiningFormula::write(ClauseSink& sink) {
  sink_ = &sink;
  for (std::uint32_t c = 0; c < setting_.names().size(); ++c) moving(c);
  for (std::uint32_t value = 0; value < setting_.collective().values(); ++value) {
    for (std::uint32_t p = 0; p < n_; ++p) {
      const std::vector<Key> from = arrivals(value, p);
      const bool first = is_first({Kind::hold, value, p, p});
      for (std::int64_t t = 1; t <= std::int64_t{steps_} - setting_.reach(value, p); ++t) {
        for (const Key& arrival : from) {
          if (is_first(arrival)) arriving(value, p, arrival, t);
        }
        if (first) joining(value, p, from, t);
        if (!setting_.collective().idempotent()) keeping_order(p, from, t);
      }
    }
  }
  demands();
  const AppendHops append = [this](ChannelId channel, std::uint32_t step, std::vector<int>& literals) {
    for (const std::uint32_t c : users_[channel.value]) {
      const int crossing = hop(c, channel, step);
      if (crossing != never) literals.push_back(crossing);
    }
  };
  write_fabric_rules(fabric_, steps_, append, nullptr, sink, next_, watch_);
  for (std::int64_t t = 1; t <= steps_; ++t) queues(t);
  return next_ - 1;
}

// A packet that leaves a node was there, and carries the contributions that it had there.
void CombiningFormula::moving(std::uint32_t c) {
  require_open(watch_);
  const CombiningPacket& name = setting_.names()[c];
  for (std::uint32_t e = 0; e < fabric_.channels(); ++e) {
    const Channel& channel = fabric_.channel(ChannelId{e});
    if (!setting_.may_cross(name, channel) || !is_first({Kind::hop, c, e})) continue;
    for (std::int64_t t = 1; t <= steps_; ++t) {
      const int crossing = hop(c, ChannelId{e}, t);
      if (crossing == never) continue;
      const std::uint32_t from = channel.from.value;
      const std::uint32_t to = channel.to.value;
      if (from != name.origin) add({-crossing, literal({Kind::at, c, from}, t - 1)});
      for (std::uint32_t k = 0; k < n_ && to != name.target; ++k) {
        add_same_if(crossing, leaving(c, from, t - 1, k), leaving(c, to, t, k));
      }
    }
  }
  for (std::uint32_t v = 0; v < fabric_.nodes(); ++v) {
    if (v == name.origin || v == name.target || !is_first({Kind::at, c, v})) continue;
    for (std::int64_t t = 1; t <= steps_; ++t) staying(c, v, t);
  }
}

void CombiningFormula::staying(std::uint32_t c, std::uint32_t node, std::int64_t t) {
  const int there = literal({Kind::at, c, node}, t);
  if (there == never) return;
  const int stays = literal({Kind::stay, c, node}, t);
  std::vector<int> in;
  for (const ChannelId e : fabric_.channels_to(NodeId{node})) {
    const int crossing = hop(c, e, t);
    if (crossing != never) in.push_back(crossing);
  }
  add_at_most(1, in);
  if (stays != never) {
    add({-stays, literal({Kind::at, c, node}, t - 1)});
    for (const int crossing : in) add({-stays, -crossing});
    for (std::uint32_t k = 0; k < n_; ++k) add_same_if(stays, leaving(c, node, t - 1, k), leaving(c, node, t, k));
  }
  in.push_back(-there);
  in.push_back(stays);
  add(std::move(in));
}

// A partial reduction that comes to its target is that of the packet that crosses the channel.
void CombiningFormula::arriving(std::uint32_t value, std::uint32_t processor, const Key& arrival, std::int64_t t) {
  const ChannelId e{arrival.place};
  const std::uint32_t from = fabric_.channel(e).from.value;
  // If the channel carries one packet a step, an arrival is of any packet to here; else it is of one named packet.
  const Names one{arrival.subject};
  std::vector<int> crossings;
  for (const std::uint32_t c : arrival.kind == Kind::come ? to_[std::size_t{value} * n_ + processor] : one) {
    const int crossing = hop(c, e, t);
    if (crossing == never) continue;
    crossings.push_back(crossing);
    for (std::uint32_t k = 0; k < n_; ++k) {
      add_same_if(crossing, leaving(c, from, t - 1, k), literal({arrival.kind, arrival.subject, e.value, k}, t));
    }
  }
  for (std::uint32_t k = 0; k < n_; ++k) {
    std::vector<int> clause = crossings;
    clause.push_back(-literal({arrival.kind, arrival.subject, e.value, k}, t));
    add(std::move(clause));
  }
}

void CombiningFormula::joining(std::uint32_t value, std::uint32_t processor, const std::vector<Key>& arrivals,
                               std::int64_t t) {
  const bool ordered = setting_.collective().ordered();
  for (std::uint32_t k = 0; k < n_; ++k) {
    const int before = held(value, processor, t - 1, k);
    const int after = held(value, processor, t, k);
    std::vector<int> sources{before};
    for (const Key& key : arrivals) {
      const int comes = literal({key.kind, key.subject, key.place, k}, t);
      const int contains = literal({key.kind, key.subject, key.place, processor}, t);
      sources.push_back(comes);
      add({-comes, after});
      if (k == processor || setting_.collective().idempotent()) continue;
      // The partial reduction that comes contains nothing of what is held, or all of it, and then the processor's own
      // contribution, too.
      add({-comes, -before, contains});
      add({-contains, -before, comes});
    }
    add({-before, after});
    if (ordered && k != processor) add({-after, held(value, processor, t, k < processor ? k + 1 : k - 1)});
    // Partial reductions that arrive together have nothing in common.
    if (!setting_.collective().idempotent()) add_at_most(1, {sources.begin() + 1, sources.end()});
    sources.push_back(-after);
    add(std::move(sources));
  }
}

// When partial reductions arrive together, the one that contains the set held is joined first: it begins with a
// smaller contribution than the others. This constrains only those that have contributions below the processor's own;
// for the others it holds anyway.
void CombiningFormula::keeping_order(std::uint32_t processor, const std::vector<Key>& arrivals, std::int64_t t) {
  for (const Key& a : arrivals) {
    const int contains = literal({a.kind, a.subject, a.place, processor}, t);
    if (contains == never) continue;
    for (const Key& b : arrivals) {
      if (a.kind == b.kind && a.subject == b.subject && a.place == b.place) continue;
      std::vector<int> clause{-contains, never};
      for (std::uint32_t k = 0; k < processor; ++k) {
        clause[1] = -literal({b.kind, b.subject, b.place, k}, t);
        add(clause);
        clause.push_back(literal({a.kind, a.subject, a.place, k}, t));
      }
    }
  }
}

void CombiningFormula::demands() {
  const Collective& collective = setting_.collective();
  for (std::uint64_t number = 0; number < collective.demands(); ++number) {
    const auto [chunk, processor] = collective.demand_at(number);
    const auto value = static_cast<std::uint32_t>(chunk.value);
    const auto [first, last] = collective.wanted_contributions(value, processor).value();
    for (std::uint32_t k = first; k <= last; ++k) add({held(value, processor.value, steps_, k)});
  }
}

void CombiningFormula::queues(std::int64_t t) {
  const auto& limit = fabric_.rules().queue.limit;
  if (!limit || *limit == 0) return;
  for (std::uint32_t v = n_; v < fabric_.nodes(); ++v) {
    std::vector<int> stays;
    for (std::uint32_t c = 0; c < setting_.names().size(); ++c) stays.push_back(literal({Kind::stay, c, v}, t));
    add_at_most(*limit, stays);
  }
}

std::vector<int> CombiningFormula::last_hops(std::uint32_t T) const {
  std::vector<int> last;
  for (std::uint32_t e = 0; e < fabric_.channels(); ++e) {
    for (const std::uint32_t c : users_[e]) {
      const std::uint32_t to = fabric_.channel(ChannelId{e}).to.value;
      const int crossing = hop(c, ChannelId{e}, setting_.last_reaching(setting_.names()[c], to, T));
      if (crossing != never) last.push_back(crossing);
    }
  }
  return last;
}

// --- the way back -------------------------------------------------------------------------------------------------

std::vector<StepRow> CombiningFormula::rows(const std::function<bool(int)>& is_true) const {
  std::vector<StepRow> rows;
  for (std::uint32_t e = 0; e < fabric_.channels(); ++e) {
    for (const std::uint32_t c : users_[e]) {
      for (std::uint32_t t = 1; t <= steps_; ++t) {
        const int crossing = hop(c, ChannelId{e}, t);
        if (crossing == never || !is_true(crossing)) continue;
        rows.push_back({StepId{t}, {ChannelId{e}, LaneId{0}, setting_.names()[c].chunk}});
      }
    }
  }
  return rows;
}

}  // namespace quadrille::searching
