// The constraints on where chunks are, in the order of verifier/FORMULA.md. certificate/formulas/copies.cpp writes
// the same independently, and has an example. fabric_rules.cpp has constraints 7 to 9.
#include "verifier/search/formulas/formula.h"

#include "model/topology.h"
#include "verifier/search/formulas/fabric_rules.h"

namespace quadrille::searching {

int ChunkFormula::write(ClauseSink& sink) {
  leaving(sink);
  staying(sink);
  holding(sink);
  phases(sink);
  injecting(sink);
  demands(sink);
  const AppendHops append = [this](ChannelId channel, std::uint32_t step, std::vector<int>& literals) {
    for (const auto& [chunk, crossing] : users_[channel.value]) {
      if (const int hop = hops_[chunk][crossing].at(step)) literals.push_back(hop);
    }
  };
  write_fabric_rules(question_.fabric, steps_, append, &orbits_, sink, next_, watch_);
  queues(sink);
  once_is_enough(sink);
  injecting_once(sink);
  if (question_.phases) {
    std::vector<int> starts;
    for (std::uint32_t t = 2; t <= steps_; ++t) starts.push_back(start_of_phase(t));
    sink.at_most(*question_.phases - 1, starts, next_);
  }
  siblings(sink);
  return next_ - 1;
}

bool ChunkFormula::is_switch(std::size_t chunk, std::size_t place) const {
  return !question_.fabric.is_processor(moves_[chunk].places[place].node);
}

bool ChunkFormula::keeps(std::size_t chunk, std::size_t place) const {
  return !question_.fabric.rules().queue.limit || !is_switch(chunk, place);
}

int ChunkFormula::start_of_phase(std::uint32_t step) const { return phase_starts_ + static_cast<int>(step) - 2; }

// 1. A chunk that leaves a node was there when the step before ended, or, with phases, when the phase began.
void ChunkFormula::leaving(ClauseSink& sink) {
  for (std::size_t m = 0; m < moves_.size(); ++m) {
    require_open(watch_);
    for (std::size_t x = 0; x < moves_[m].crossings.size(); ++x) {
      const std::size_t from = moves_[m].crossings[x].from;
      if (!is_first(m, x) || moves_[m].places[from].start) continue;
      const StepVariables& hop = hops_[m][x];
      for (std::uint32_t t = hop.first; t <= hop.last; ++t) {
        sink.clause({-hop.at(t), question_.phases ? early_[m][from].at(t) : at_[m][from].at(t - 1)});
      }
    }
  }
}

// 2. A chunk that is at a node came in this step, or was there before. One direction is enough: no chunk is there
//    without cause.
void ChunkFormula::staying(ClauseSink& sink) {
  std::vector<int> literals;
  for (std::size_t m = 0; m < moves_.size(); ++m) {
    require_open(watch_);
    std::vector<std::vector<std::size_t>> into(moves_[m].places.size());
    for (std::size_t x = 0; x < moves_[m].crossings.size(); ++x) into[moves_[m].crossings[x].to].push_back(x);
    for (std::size_t p = 0; p < moves_[m].places.size(); ++p) {
      if (!is_first_place(m, p)) continue;
      for (std::uint32_t t = at_[m][p].first; t <= at_[m][p].last; ++t) {
        literals.assign(1, -at_[m][p].at(t));
        const int stays = keeps(m, p) ? at_[m][p].at(t - 1) : held_[m][p].at(t);
        if (stays != 0) literals.push_back(stays);
        for (const std::size_t x : into[p]) {
          if (const int hop = hops_[m][x].at(t)) literals.push_back(hop);
        }
        sink.clause(literals);
      }
    }
  }
}

// 3. A chunk that a switch buffers was there before.
void ChunkFormula::holding(ClauseSink& sink) {
  for (std::size_t m = 0; m < moves_.size(); ++m) {
    require_open(watch_);
    for (std::size_t p = 0; p < moves_[m].places.size(); ++p) {
      if (!is_first_place(m, p)) continue;
      for (std::uint32_t t = held_[m][p].first; t <= held_[m][p].last; ++t) {
        sink.clause({-held_[m][p].at(t), at_[m][p].at(t - 1)});
      }
    }
  }
}

// 4. "Early" holds of a chunk that was there when the phase began: it is set in the phase's first step, and passed on
//    to the others.
void ChunkFormula::phases(ClauseSink& sink) {
  for (std::size_t m = 0; m < early_.size(); ++m) {
    for (std::size_t p = 0; p < early_[m].size(); ++p) {
      const StepVariables& early = early_[m][p];
      if (!is_first_place(m, p)) continue;
      for (std::uint32_t t = early.first; t <= early.last; ++t) {
        sink.clause({-early.at(t), -start_of_phase(t), at_[m][p].at(t - 1)});  // t >= 2: nothing is there before
        if (const int before = early.at(t - 1)) {
          sink.clause({-early.at(t), start_of_phase(t), before});
        } else {
          sink.clause({-early.at(t), start_of_phase(t)});
        }
      }
    }
  }
}

// 5. A hop out of a start is an injection.
void ChunkFormula::injecting(ClauseSink& sink) {
  if (!question_.inject_once) return;
  for (std::size_t m = 0; m < moves_.size(); ++m) {
    require_open(watch_);
    for (std::size_t x = 0; x < moves_[m].crossings.size(); ++x) {
      const std::size_t from = moves_[m].crossings[x].from;
      if (!is_first(m, x) || !moves_[m].places[from].start) continue;
      const StepVariables& hop = hops_[m][x];
      for (std::uint32_t t = hop.first; t <= hop.last; ++t) sink.clause({-hop.at(t), injected_[m][from].at(t)});
    }
  }
}

// 6. Every demand is met. Where no path leads there in time, the empty clause makes the formula unsatisfiable.
void ChunkFormula::demands(ClauseSink& sink) {
  for (std::size_t m = 0; m < moves_.size(); ++m) {
    require_open(watch_);
    for (std::size_t i = 0; i < moves_[m].unreachable; ++i) sink.clause(std::span<const int>{});
    for (std::size_t p = 0; p < moves_[m].places.size(); ++p) {
      if (!moves_[m].places[p].wanted || !is_first_place(m, p)) continue;
      const int there = at_[m][p].at(steps_);
      if (there != 0) {
        sink.clause({there});
      } else {
        sink.clause(std::span<const int>{});
      }
    }
  }
}

// 11. Redundant, but it prunes: a second copy does not enter a node where it serves nothing.
void ChunkFormula::once_is_enough(ClauseSink& sink) {
  const bool unlimited = !question_.fabric.rules().queue.limit;
  std::vector<int> literals;
  for (std::size_t m = 0; m < moves_.size(); ++m) {
    require_open(watch_);
    if (!unlimited && !moves_[m].on_one_path) continue;
    for (std::size_t p = 0; p < moves_[m].places.size(); ++p) {
      if (moves_[m].places[p].start || !is_first_place(m, p)) continue;
      literals.clear();
      for (std::size_t x = 0; x < moves_[m].crossings.size(); ++x) {
        if (moves_[m].crossings[x].to != p) continue;
        const StepVariables& hop = hops_[m][x];
        for (std::uint32_t t = hop.first; t <= hop.last; ++t) literals.push_back(hop.at(t));
      }
      sink.at_most(1, literals, next_);
    }
  }
}

// 12. With inject_once, each chunk leaves each of its starts in one step.
void ChunkFormula::injecting_once(ClauseSink& sink) {
  std::vector<int> literals;
  for (std::size_t m = 0; m < injected_.size(); ++m) {
    for (std::size_t p = 0; p < injected_[m].size(); ++p) {
      if (!is_first_place(m, p)) continue;
      const StepVariables& range = injected_[m][p];
      literals.clear();
      for (std::uint32_t t = range.first; t <= range.last; ++t) literals.push_back(range.at(t));
      sink.at_most(1, literals, next_);
    }
  }
}

int ChunkFormula::hop_of_leaf(std::uint32_t leaf, std::uint32_t step) const {
  const std::size_t crossing = moves_[leaf].crossing_of(question_.fabric.channels_from(NodeId{leaf}).front());
  return hops_[leaf][crossing].at(step);
}

// In an allgather of one part, chunk p starts at leaf p.
void ChunkFormula::siblings(ClauseSink& sink) {
  std::vector<int> literals;
  std::uint32_t leaves = 1;
  for (const std::vector<StepVariables>& subtrees : sent_) {
    const std::uint32_t arity = question_.fabric.topology().tree()->arity;
    for (std::uint32_t j = 0; j < subtrees.size(); ++j) {
      for (std::uint32_t t = 1; t <= steps_; ++t) {
        const int sent = subtrees[j].at(t);
        literals.assign(1, -sent);
        if (t > 1) literals.push_back(subtrees[j].at(t - 1));
        for (std::uint32_t leaf = j * leaves; leaf < (j + 1) * leaves; ++leaf) {
          const int hop = hop_of_leaf(leaf, t);
          if (hop == 0) continue;
          sink.clause({-hop, sent});
          literals.push_back(hop);
        }
        if (t > 1) sink.clause({-subtrees[j].at(t - 1), sent});
        sink.clause(literals);
        if (j % arity != 0) sink.clause({-sent, subtrees[j - 1].at(t)});
      }
    }
    leaves *= arity;
  }
}

std::vector<int> ChunkFormula::last_hops(std::uint32_t T) const {
  std::vector<int> last;
  for (std::size_t m = 0; m < moves_.size(); ++m) {
    for (std::size_t x = 0; x < moves_[m].crossings.size(); ++x) {
      const std::uint32_t remaining = moves_[m].places[moves_[m].crossings[x].to].remaining;
      if (!is_first(m, x) || remaining > T) continue;
      if (const int hop = hops_[m][x].at(T - remaining)) last.push_back(hop);
    }
  }
  return last;
}

// --- the way back -------------------------------------------------------------------------------------------------

std::vector<StoredRows::StepRow> ChunkFormula::rows(const std::function<bool(int)>& is_true) const {
  std::vector<StoredRows::StepRow> rows;
  for (std::size_t m = 0; m < moves_.size(); ++m) {
    std::vector<ChunkHop> hops;
    for (std::size_t x = 0; x < moves_[m].crossings.size(); ++x) {
      const StepVariables& hop = hops_[m][x];
      for (std::uint32_t t = hop.first; t <= hop.last; ++t) {
        if (is_true(hop.at(t))) hops.emplace_back(t, x);
      }
    }
    // Where switches forward, rows do not say which copy they move, so hops that serve nothing are dropped here.
    if (forwards(question_.fabric)) hops = needed_hops(moves_[m], std::move(hops));
    for (const auto& [t, x] : hops) {
      rows.push_back({StepId{t}, {moves_[m].crossings[x].channel, LaneId{0}, moves_[m].chunk}});
    }
  }
  return rows;
}

// 10. Each switch buffers at most as many packets as the queue limit allows.
void ChunkFormula::queues(ClauseSink& sink) {
  const auto& limit = question_.fabric.rules().queue.limit;
  if (!limit || *limit == 0) return;
  std::vector<std::vector<User>> at_switch(question_.fabric.nodes());
  for (std::size_t m = 0; m < moves_.size(); ++m) {
    require_open(watch_);
    for (std::size_t p = 0; p < moves_[m].places.size(); ++p) {
      if (is_switch(m, p)) at_switch[moves_[m].places[p].node.value].push_back({m, p});
    }
  }
  std::vector<int> literals;
  for (std::uint32_t t = 1; t <= steps_; ++t) {
    for (std::uint32_t v = question_.fabric.processors(); v < question_.fabric.nodes(); ++v) {
      if (!orbits_.represents_node(NodeId{v})) continue;
      literals.clear();
      for (const auto& [chunk, place] : at_switch[v]) {
        if (const int held = held_[chunk][place].at(t)) literals.push_back(held);
      }
      sink.at_most(*limit, literals, next_);
    }
  }
}

}  // namespace quadrille::searching
