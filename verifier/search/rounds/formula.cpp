// Idea: a message is a chain, or a tree, of strands (network.h). It may carry anything that its sender has, so the
// formula only says: if a strand carries an origin, then the sender has it, or the strand before carries it, too.
//
//   line 0-1-2, held, broadcast from 0, T = 1: start(0->1), follow(1->2, 0->1), end(1->2) bring it to 2 alone: 1 is
//   passed through; T = 2 is needed with one lane each way
//
// Cost: for each round, about (origins + 1) x (pairs of consecutive strands) clauses.
#include "verifier/search/rounds/formula.h"

#include <algorithm>

namespace quadrille::searching {

RoundNumbering::RoundNumbering(const RoundNetwork& network, const std::vector<Origin>& origins, std::uint32_t nodes,
                               const Collective& collective, std::optional<std::uint32_t> volume)
    : uses(network.once || !network.links.empty() || network.by_value()) {
  const std::size_t strands = network.strands.size();
  const auto take = [this](std::uint64_t count) {
    const std::uint64_t first = variables;
    variables += count;
    return first;
  };
  const auto may_carry = [&](std::size_t k, const Strand& it) {
    return it.only == Strand::anything || it.only == origins[k].value;
  };
  const auto take_each = [&](std::size_t k, bool where_ends) {
    std::vector<std::uint64_t> each;
    for (const Strand& it : network.strands) {
      each.push_back(may_carry(k, it) && (it.ends || !where_ends) ? take(1) : nothing);
    }
    return each;
  };
  for (const Strand& it : network.strands) start.push_back(it.starts ? take(1) : nothing);
  for (const Strand& it : network.strands) end.push_back(it.ends ? take(1) : nothing);
  for (const Strand& it : network.strands) follow.push_back(take(it.after.size()));
  used = take(uses ? strands : 0);
  deep = take(network.depth < 2 ? 0 : strands * (network.depth - 1));
  for (std::size_t k = 0; k < origins.size(); ++k) carry.push_back(take_each(k, false));
  for (std::size_t k = 0; k < origins.size(); ++k) got.push_back(take_each(k, true));
  for (const Origin& it : origins) {
    has.emplace_back(nodes, nothing);
    for (std::uint32_t v = 0; v < nodes; ++v) {
      if (!std::ranges::binary_search(it.starts, v)) has.back()[v] = take(1);
    }
  }
  if (!volume) return;
  for (std::uint32_t x = 0; collective.combining() && !network.by_value() && x < collective.values(); ++x) {
    part.emplace_back();
    for (std::size_t i = 0; i < strands; ++i) part.back().push_back(take(1));
  }
  length = take(*volume);
}

RoundFormula::RoundFormula(const Fabric& fabric, const Collective& collective, const RoundNetwork& network,
                           const std::vector<Origin>& origins, std::uint32_t T, std::optional<std::uint32_t> volume)
    : fabric_(fabric),
      collective_(collective),
      network_(network),
      origins_(origins),
      T_(T),
      volume_(volume),
      numbers_(network, origins, fabric.nodes(), collective, volume),
      into_(fabric.nodes()),
      next_(network.strands.size()) {
  for (std::uint32_t i = 0; i < network.strands.size(); ++i) {
    const Strand& it = network.strands[i];
    into_[it.to.value].push_back(i);
    for (std::uint32_t j = 0; j < it.after.size(); ++j) next_[it.after[j]].emplace_back(i, j);
  }
}

int RoundFormula::variable(std::uint32_t round, std::uint64_t index) const {
  return static_cast<int>((round - 1) * numbers_.variables + index) + 1;
}

int RoundFormula::deep(std::uint32_t r, std::size_t i, std::uint32_t h) const {
  return variable(r, numbers_.deep + i * (network_.depth - 1) + (h - 2));
}

int RoundFormula::write(ClauseSink& sink) {
  next_free_ = static_cast<int>(T_ * numbers_.variables + volume_.value_or(0)) + 1;
  for (std::uint32_t r = 1; r <= T_; ++r) {
    for (std::size_t i = 0; i < network_.strands.size(); ++i) {
      carrying(r, i, sink);
      ending(r, i, sink);
      deepening(r, i, sink);
      if (once_) carrying_the_same(r, i, sink);
    }
    having(r, sink);
    if (network_.single) ports(r, sink);
    branching(r, sink);
    sharing(r, sink);
    if (volume_) weighing(r, sink);
  }
  if (volume_) adding_up(sink);
  if (once_) getting_once(sink);
  for (std::size_t k = 0; k < origins_.size(); ++k) {
    for (const std::uint32_t p : origins_[k].wanted) {
      if (!starts(k, NodeId(p))) sink.clause({has(T_, k, NodeId(p))});
    }
  }
  return next_free_ - 1;
}

// An origin that a strand carries is held by the message's sender, or carried by the strand before.
void RoundFormula::carrying(std::uint32_t r, std::size_t i, ClauseSink& sink) const {
  const Strand& it = network_.strands[i];
  for (std::size_t k = 0; k < origins_.size(); ++k) {
    if (!carries(k, i)) continue;
    std::vector<int> sources{-carry(r, k, i)};
    if (it.starts) sources.push_back(start(r, i));
    for (std::size_t j = 0; j < it.after.size(); ++j) sources.push_back(follow(r, i, j));
    sink.clause(sources);
    if (it.starts && !starts(k, it.from)) {
      std::vector<int> literals{-carry(r, k, i), -start(r, i)};
      if (r > 1) literals.push_back(has(r - 1, k, it.from));
      sink.clause(literals);
    }
    for (std::size_t j = 0; j < it.after.size(); ++j) {
      sink.clause({-carry(r, k, i), -follow(r, i, j), carry(r, k, it.after[j])});
    }
    if (!it.ends) continue;
    sink.clause({-got(r, k, i), carry(r, k, i)});
    sink.clause({-got(r, k, i), end(r, i)});
  }
}

// A message does not end with a strand if another strand follows.
void RoundFormula::ending(std::uint32_t r, std::size_t i, ClauseSink& sink) const {
  const Strand& it = network_.strands[i];
  for (std::size_t j = 0; j < it.after.size(); ++j) {
    if (ends(it.after[j])) sink.clause({-end(r, it.after[j]), -follow(r, i, j)});
  }
  if (!numbers_.uses) return;
  if (it.starts) sink.clause({-start(r, i), used(r, i)});
  for (std::size_t j = 0; j < it.after.size(); ++j) sink.clause({-follow(r, i, j), used(r, i)});
}

// Excludes circles: a strand on a circle would be deeper than itself.
void RoundFormula::deepening(std::uint32_t r, std::size_t i, ClauseSink& sink) const {
  if (network_.depth < 2) return;
  const Strand& it = network_.strands[i];
  for (std::size_t j = 0; j < it.after.size(); ++j) {
    sink.clause({-follow(r, i, j), deep(r, i, 2)});
    for (std::uint32_t h = 2; h < network_.depth; ++h) {
      sink.clause({-follow(r, i, j), -deep(r, it.after[j], h), deep(r, i, h + 1)});
    }
    sink.clause({-follow(r, i, j), -deep(r, it.after[j], network_.depth)});
  }
}

void RoundFormula::having(std::uint32_t r, ClauseSink& sink) const {
  for (std::size_t k = 0; k < origins_.size(); ++k) {
    for (std::uint32_t v = 0; v < fabric_.nodes(); ++v) {
      if (starts(k, NodeId(v))) continue;
      std::vector<int> literals{-has(r, k, NodeId(v))};
      if (r > 1) literals.push_back(has(r - 1, k, NodeId(v)));
      for (const std::uint32_t i : into_[v]) {
        if (carries(k, i) && ends(i)) literals.push_back(got(r, k, i));
      }
      sink.clause(literals);
    }
  }
}

void RoundFormula::ports(std::uint32_t r, ClauseSink& sink) {
  for (std::uint32_t p = 0; p < fabric_.processors(); ++p) {
    std::vector<int> received;
    std::vector<int> sent;
    for (const std::uint32_t i : into_[p]) {
      if (ends(i)) received.push_back(end(r, i));
    }
    for (std::size_t i = 0; i < network_.strands.size(); ++i) {
      if (network_.strands[i].starts && network_.strands[i].from.value == p) sent.push_back(start(r, i));
    }
    if (network_.half) {
      received.insert(received.end(), sent.begin(), sent.end());
    } else {
      sink.at_most(1, sent, next_free_);
    }
    sink.at_most(1, received, next_free_);
  }
}

void RoundFormula::branching(std::uint32_t r, ClauseSink& sink) {
  for (std::size_t j = 0; j < network_.strands.size(); ++j) {
    if (network_.branches && !fabric_.is_processor(network_.strands[j].to)) continue;
    std::vector<int> literals;
    for (const auto& [i, place] : next_[j]) literals.push_back(follow(r, i, place));
    sink.at_most(1, literals, next_free_);
  }
}

void RoundFormula::sharing(std::uint32_t r, ClauseSink& sink) {
  for (const SharedLink& link : network_.links) {
    std::vector<int> literals;
    for (const std::uint32_t i : link.strands) literals.push_back(used(r, i));
    sink.at_most(link.capacity, literals, next_free_);
  }
  if (!network_.once) return;
  for (std::uint32_t v = 0; v < fabric_.nodes(); ++v) {
    for (std::uint32_t sender = 0; sender < fabric_.processors(); ++sender) {
      std::vector<int> literals;
      for (const std::uint32_t i : into_[v]) {
        if (network_.strands[i].sender == sender) literals.push_back(used(r, i));
      }
      sink.at_most(1, literals, next_free_);
    }
  }
}

// The literals that count for a strand's load: the chunks, or values, that it carries; if it carries one only, its
// use.
std::vector<int> RoundFormula::load(std::uint32_t r, std::size_t i) const {
  if (network_.strands[i].only != Strand::anything) return {used(r, i)};
  std::vector<int> literals;
  for (const auto& of_value : numbers_.part) literals.push_back(variable(r, of_value[i]));
  for (std::size_t k = 0; k < origins_.size() && !collective_.combining(); ++k) literals.push_back(carry(r, k, i));
  return literals;
}

// The length of a round is the length of its longest message, or the time that the load of its channels takes.
void RoundFormula::weighing(std::uint32_t r, ClauseSink& sink) {
  for (std::size_t i = 0; i < network_.strands.size() && !numbers_.part.empty(); ++i) {
    for (std::size_t k = 0; k < origins_.size(); ++k) {
      sink.clause({-carry(r, k, i), variable(r, numbers_.part[origins_[k].value][i])});
    }
  }
  for (std::uint32_t l = 1; l < *volume_; ++l) sink.clause({-length(r, l + 1), length(r, l)});
  for (const SharedLink& channel : network_.loads) {
    std::vector<int> literals;
    for (const std::uint32_t i : channel.strands) {
      const std::vector<int> more = load(r, i);
      literals.insert(literals.end(), more.begin(), more.end());
    }
    std::vector<int> sums;
    for (std::uint64_t j = 0; j < std::uint64_t{*volume_} * channel.capacity && sums.size() < literals.size(); ++j) {
      sums.push_back(length(r, static_cast<std::uint32_t>(j / channel.capacity) + 1));
    }
    count(sums, literals, next_free_, sink);
  }
}

void RoundFormula::adding_up(ClauseSink& sink) {
  std::vector<int> lengths;
  std::vector<int> sums;
  for (std::uint32_t v = 1; v <= *volume_; ++v) sums.push_back(volume(v));
  for (std::uint32_t r = 1; r <= T_; ++r) {
    for (std::uint32_t l = 1; l <= *volume_; ++l) lengths.push_back(length(r, l));
  }
  count(sums, lengths, next_free_, sink);
}

// An origin that a strand carries crosses all strands that follow, and arrives where the message ends.
void RoundFormula::carrying_the_same(std::uint32_t r, std::size_t i, ClauseSink& sink) const {
  const Strand& it = network_.strands[i];
  for (std::size_t k = 0; k < origins_.size(); ++k) {
    for (std::size_t j = 0; j < it.after.size(); ++j) {
      sink.clause({-carry(r, k, it.after[j]), -follow(r, i, j), carry(r, k, i)});
    }
    sink.clause({-carry(r, k, i), -end(r, i), got(r, k, i)});
  }
}

void RoundFormula::getting_once(ClauseSink& sink) {
  for (std::size_t k = 0; k < origins_.size(); ++k) {
    for (std::uint32_t v = 0; v < fabric_.nodes(); ++v) {
      std::vector<int> literals;
      for (std::uint32_t r = 1; r <= T_; ++r) {
        for (const std::uint32_t i : into_[v]) literals.push_back(got(r, k, i));
      }
      sink.at_most(starts(k, NodeId(v)) ? 0 : 1, literals, next_free_);
    }
  }
}

// The variables that must be false with fewer than T rounds: all arrivals in round T; or, with a volume, that it is T
// or more.
std::vector<int> RoundFormula::last_hops(std::uint32_t T) const {
  if (volume_) return {volume(T)};
  std::vector<int> all;
  for (std::size_t i = 0; i < network_.strands.size(); ++i) all.push_back(end(T, i));
  return all;
}

}  // namespace quadrille::searching
