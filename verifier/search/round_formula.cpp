// Idea: a message is a chain, or tree, of strands (round_network.h); what it carries is what its sender has, so no
// more is said of that than: what a strand carries its sender had, or the strand before it carries, too.
//
//   line 0-1-2, held, broadcast from 0, T = 1: start(0->1), follow(1->2, 0->1), end(1->2) bring it to 2 alone: 1 is
//   passed through; T = 2 is needed with one lane each way
//
// Cost: for each round, about (origins + 1) x (pairs of strands that follow one another) clauses.
#include "verifier/search/round_formula.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace quadrille::searching {

RoundNumbering::RoundNumbering(const RoundNetwork& network, const std::vector<Origin>& origins, std::uint32_t nodes)
    : uses(network.once || !network.links.empty()) {
  const std::size_t strands = network.strands.size();
  const auto take = [this](std::uint64_t count) {
    const std::uint64_t first = variables;
    variables += count;
    return first;
  };
  for (const Strand& it : network.strands) start.push_back(it.starts ? take(1) : nothing);
  end = take(strands);
  for (const Strand& it : network.strands) follow.push_back(take(it.after.size()));
  used = take(uses ? strands : 0);
  deep = take(network.depth < 2 ? 0 : strands * (network.depth - 1));
  carry = take(origins.size() * strands);
  got = take(origins.size() * strands);
  for (const Origin& it : origins) {
    has.emplace_back(nodes, nothing);
    for (std::uint32_t v = 0; v < nodes; ++v) {
      if (!std::ranges::binary_search(it.starts, v)) has.back()[v] = take(1);
    }
  }
}

RoundFormula::RoundFormula(const Fabric& fabric, const Collective& collective, const RoundNetwork& network,
                           const std::vector<Origin>& origins, std::uint32_t T)
    : fabric_(fabric),
      collective_(collective),
      network_(network),
      origins_(origins),
      T_(T),
      numbers_(network, origins, fabric.nodes()),
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

int RoundFormula::carry(std::uint32_t r, std::size_t k, std::size_t i) const {
  return variable(r, numbers_.carry + k * network_.strands.size() + i);
}

int RoundFormula::got(std::uint32_t r, std::size_t k, std::size_t i) const {
  return variable(r, numbers_.got + k * network_.strands.size() + i);
}

int RoundFormula::write(ClauseSink& sink) {
  next_free_ = static_cast<int>(T_ * numbers_.variables) + 1;
  for (std::uint32_t r = 1; r <= T_; ++r) {
    for (std::size_t i = 0; i < network_.strands.size(); ++i) {
      carrying(r, i, sink);
      ending(r, i, sink);
      deepening(r, i, sink);
    }
    having(r, sink);
    if (network_.single) ports(r, sink);
    branching(r, sink);
    sharing(r, sink);
  }
  for (std::size_t k = 0; k < origins_.size(); ++k) {
    for (const std::uint32_t p : origins_[k].wanted) {
      if (!starts(k, NodeId(p))) sink.clause({has(T_, k, NodeId(p))});
    }
  }
  return next_free_ - 1;
}

// What a strand carries its message's sender has, or the strand before it carries.
void RoundFormula::carrying(std::uint32_t r, std::size_t i, ClauseSink& sink) const {
  const Strand& it = network_.strands[i];
  for (std::size_t k = 0; k < origins_.size(); ++k) {
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
    sink.clause({-got(r, k, i), carry(r, k, i)});
    sink.clause({-got(r, k, i), end(r, i)});
  }
}

// A message that goes on does not end there.
void RoundFormula::ending(std::uint32_t r, std::size_t i, ClauseSink& sink) const {
  const Strand& it = network_.strands[i];
  for (std::size_t j = 0; j < it.after.size(); ++j) sink.clause({-end(r, it.after[j]), -follow(r, i, j)});
  if (!numbers_.uses) return;
  if (it.starts) sink.clause({-start(r, i), used(r, i)});
  for (std::size_t j = 0; j < it.after.size(); ++j) sink.clause({-follow(r, i, j), used(r, i)});
}

// Strands in a circle would be deeper than themselves.
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
      for (const std::uint32_t i : into_[v]) literals.push_back(got(r, k, i));
      sink.clause(literals);
    }
  }
}

void RoundFormula::ports(std::uint32_t r, ClauseSink& sink) {
  for (std::uint32_t p = 0; p < fabric_.processors(); ++p) {
    std::vector<int> received;
    std::vector<int> sent;
    for (const std::uint32_t i : into_[p]) received.push_back(end(r, i));
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

// In round T nothing arrives.
std::vector<int> RoundFormula::last_hops(std::uint32_t T) const {
  std::vector<int> ends;
  for (std::size_t i = 0; i < network_.strands.size(); ++i) ends.push_back(end(T, i));
  return ends;
}

void RoundFormula::name_variables(const NameVariables& say) const {
  const auto strand = [&](std::size_t i) {
    const Strand& it = network_.strands[i];
    std::string text =
        it.channel ? fabric_.name(*it.channel) : fmt::format("{}=>{}", fabric_.name(it.from), fabric_.name(it.to));
    if (it.lane.value > 0) text += fmt::format(" lane {}", it.lane.value);
    return it.sender == Strand::nobody ? text : text + fmt::format(" of {}", it.sender);
  };
  for (std::uint32_t r = 1; r <= T_; ++r) {
    const auto name = [&](int variable, const std::string& meaning) { say(variable, r, r, meaning); };
    for (std::size_t i = 0; i < network_.strands.size(); ++i) {
      const Strand& it = network_.strands[i];
      if (it.starts) name(start(r, i), "a message begins with " + strand(i));
      name(end(r, i), "a message ends with " + strand(i));
      for (std::size_t j = 0; j < it.after.size(); ++j) {
        name(follow(r, i, j), fmt::format("{} follows {}", strand(i), strand(it.after[j])));
      }
      for (std::uint32_t h = 2; h <= network_.depth; ++h)
        name(deep(r, i, h), fmt::format("{} is {} deep", strand(i), h));
      if (numbers_.uses) name(used(r, i), strand(i) + " is used");
    }
    for (std::size_t k = 0; k < origins_.size(); ++k) {
      const std::string what = fmt::format("what starts at {}", fmt::join(origins_[k].starts, ", "));
      for (std::size_t i = 0; i < network_.strands.size(); ++i) {
        name(carry(r, k, i), fmt::format("{} carries {}", strand(i), what));
        name(got(r, k, i), fmt::format("{} arrives by {}", what, strand(i)));
      }
      for (std::uint32_t v = 0; v < fabric_.nodes(); ++v) {
        if (!starts(k, NodeId(v)))
          name(has(r, k, NodeId(v)), fmt::format("{} has come to {}", what, fabric_.name(NodeId(v))));
      }
    }
  }
}

std::vector<DrawnMessage> RoundFormula::messages(const std::function<bool(int)>& is_true) const {
  std::vector<DrawnMessage> drawn;
  for (std::uint32_t r = 1; r <= T_; ++r) {
    for (std::size_t i = 0; i < network_.strands.size(); ++i) {
      bool brings = false;
      for (std::size_t k = 0; k < origins_.size() && !brings; ++k) brings = is_true(got(r, k, i));
      if (brings && !draw(r, i, drawn, is_true)) return {};
    }
  }
  return drawn;
}

// Follows a message back from where it ends, and adds its way to those that begin alike.
bool RoundFormula::draw(std::uint32_t r, std::size_t end_strand, std::vector<DrawnMessage>& drawn,
                        const std::function<bool(int)>& is_true) const {
  std::vector<std::uint32_t> way;
  auto at = static_cast<std::uint32_t>(end_strand);
  while (true) {
    way.push_back(at);
    const Strand& it = network_.strands[at];
    if (it.starts && is_true(start(r, at))) break;
    std::size_t j = 0;
    while (j < it.after.size() && !is_true(follow(r, at, j))) ++j;
    if (j == it.after.size() || way.size() > network_.strands.size()) return false;
    at = it.after[j];
  }
  const auto same = [&](const DrawnMessage& it) { return it.round == r && it.first_strand == at; };
  auto message = std::ranges::find_if(drawn, same);
  if (message == drawn.end()) {
    drawn.push_back({r, at, network_.strands[at].from, {}, {}});
    message = drawn.end() - 1;
  }
  message->receivers.push_back(network_.strands[end_strand].to);
  for (const std::uint32_t i : way) {
    const Strand& it = network_.strands[i];
    if (it.channel) message->ways.emplace_back(*it.channel, it.lane);
  }
  return true;
}

std::optional<SendTable> RoundFormula::table(const Problem& /*problem*/,
                                             const std::function<bool(int)>& is_true) const {
  return round_table(fabric_, collective_, "search", messages(is_true));
}

std::vector<StepRow> RoundFormula::rows(const std::function<bool(int)>& is_true) const {
  const auto table = round_table(fabric_, collective_, "search", messages(is_true));
  return table ? all_rows(*table) : std::vector<StepRow>{};
}

}  // namespace quadrille::searching
