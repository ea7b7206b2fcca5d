// Idea: constraints 1 to 7 of verifier/ROUNDS_FORMULA.md, a function each, in the page's order; the variables of each
// round are numbered before, in the page's order.
//
//   complete:2, broadcast from 0, T = 1: two strands, start, end, carry and got of each, and has(1)
//
// Cost: rounds x origins x pairs of strands that follow one another.
#include "verifier/certificate/rounds.h"

#include <map>

#include "verifier/certificate/round_strands.h"

namespace quadrille::certificate {
namespace {

constexpr std::uint64_t most_demands = std::uint64_t{1} << 22;

// The variables of one round.
struct RoundVariables {
  std::vector<std::int32_t> start, end, used;              // [strand]
  std::vector<std::vector<std::int32_t>> follow, deep;     // [strand][place in after; depth]
  std::vector<std::vector<std::int32_t>> carry, got, has;  // [origin][strand; node]
};

class RoundsFormula {
 public:
  RoundsFormula(const Fabric& fabric, bool copies, RoundStrands strands, RoundOrigins origins, Writer& writer)
      : fabric_(fabric), copies_(copies), strands_(std::move(strands)), origins_(std::move(origins)), writer_(writer) {}

  void write(std::uint32_t rounds) {
    for (std::uint32_t r = 1; r <= rounds && !writer_.stopped(); ++r) rounds_.push_back(numbered());
    for (std::uint32_t r = 1; r <= rounds && !writer_.stopped(); ++r) {
      const RoundVariables& it = rounds_[r - 1];
      for (std::size_t i = 0; i < strands_.all.size(); ++i) {
        carrying(it, r, i);
        ending(it, i);
        deepening(it, i);
      }
      having(it, r);
      ports(it);
      branching(it);
      links(it);
      trees(it);
    }
    for (std::size_t k = 0; k < origins_.size(); ++k) {
      for (const std::uint32_t p : origins_[k].second) writer_.clause({had(k, p, rounds)});
    }
  }

 private:
  std::int32_t next() {
    writer_.work().take(1, sizeof(std::int32_t));
    return writer_.series(1, 1).at(1);
  }

  RoundVariables numbered() {
    RoundVariables it;
    const std::size_t count = strands_.all.size();
    for (const RoundStrand& strand : strands_.all) it.start.push_back(strand.may_start ? next() : false_literal);
    for (std::size_t i = 0; i < count; ++i) it.end.push_back(next());
    for (const RoundStrand& strand : strands_.all) {
      it.follow.emplace_back();
      for (std::size_t j = 0; j < strand.after.size(); ++j) it.follow.back().push_back(next());
    }
    for (std::size_t i = 0; i < count && (strands_.links || strands_.trees); ++i) it.used.push_back(next());
    for (std::size_t i = 0; i < count; ++i) {
      it.deep.emplace_back(2, false_literal);
      for (std::uint32_t h = 2; h <= strands_.depth; ++h) it.deep.back().push_back(next());
    }
    for (auto* of : {&it.carry, &it.got}) {
      for (std::size_t k = 0; k < origins_.size(); ++k) {
        of->emplace_back();
        for (std::size_t i = 0; i < count; ++i) of->back().push_back(next());
      }
    }
    for (const auto& [starts, wanted] : origins_) {
      it.has.emplace_back(fabric_.nodes());
      std::size_t s = 0;
      for (std::uint32_t v = 0; v < fabric_.nodes(); ++v) {
        const bool here = s < starts.size() && starts[s] == v;
        s += here ? 1 : 0;
        it.has.back()[v] = here ? true_literal : next();
      }
    }
    return it;
  }

  // has(k, v) of a round; before the first one, what holds from the start.
  std::int32_t had(std::size_t k, std::uint32_t v, std::uint32_t round) const {
    if (round > 0) return rounds_[round - 1].has[k][v];
    for (const std::uint32_t p : origins_[k].first) {
      if (p == v) return true_literal;
    }
    return false_literal;
  }

  void carrying(const RoundVariables& it, std::uint32_t r, std::size_t i) {
    const RoundStrand& strand = strands_.all[i];
    for (std::size_t k = 0; k < origins_.size() && !writer_.stopped(); ++k) {
      const std::int32_t carry = it.carry[k][i];
      Literals some{-carry, it.start[i]};
      some.insert(some.end(), it.follow[i].begin(), it.follow[i].end());
      writer_.clause(some);
      if (strand.may_start) writer_.clause({-carry, -it.start[i], had(k, strand.from, r - 1)});
      for (std::size_t j = 0; j < strand.after.size(); ++j) {
        writer_.clause({-carry, -it.follow[i][j], it.carry[k][strand.after[j]]});
      }
      writer_.clause({-it.got[k][i], carry});
      writer_.clause({-it.got[k][i], it.end[i]});
    }
  }

  void ending(const RoundVariables& it, std::size_t i) {
    const RoundStrand& strand = strands_.all[i];
    for (std::size_t j = 0; j < strand.after.size(); ++j) {
      writer_.clause({-it.end[strand.after[j]], -it.follow[i][j]});
    }
    if (it.used.empty()) return;
    if (strand.may_start) writer_.clause({-it.start[i], it.used[i]});
    for (const std::int32_t follow : it.follow[i]) writer_.clause({-follow, it.used[i]});
  }

  void deepening(const RoundVariables& it, std::size_t i) {
    const std::uint32_t D = strands_.depth;
    if (D < 2) return;
    for (std::size_t j = 0; j < strands_.all[i].after.size() && !writer_.stopped(); ++j) {
      const std::int32_t follow = it.follow[i][j];
      const std::vector<std::int32_t>& before = it.deep[strands_.all[i].after[j]];
      writer_.clause({-follow, it.deep[i][2]});
      for (std::uint32_t h = 2; h < D; ++h) writer_.clause({-follow, -before[h], it.deep[i][h + 1]});
      writer_.clause({-follow, -before[D]});
    }
  }

  void having(const RoundVariables& it, std::uint32_t r) {
    for (std::size_t k = 0; k < origins_.size() && !writer_.stopped(); ++k) {
      std::vector<Literals> ways(fabric_.nodes());
      for (std::size_t i = 0; i < strands_.all.size(); ++i) ways[strands_.all[i].to].push_back(it.got[k][i]);
      for (std::uint32_t v = 0; v < fabric_.nodes(); ++v) {
        if (it.has[k][v] == true_literal) continue;
        ways[v].push_back(-it.has[k][v]);
        ways[v].push_back(had(k, v, r - 1));
        writer_.clause(ways[v]);
      }
    }
  }

  void ports(const RoundVariables& it) {
    if (fabric_.rules().ports != Ports::single) return;
    for (std::uint32_t p = 0; p < fabric_.processors(); ++p) {
      Literals out;
      Literals in;
      for (std::size_t i = 0; i < strands_.all.size(); ++i) {
        if (strands_.all[i].from == p) out.push_back(it.start[i]);
        if (strands_.all[i].to == p) in.push_back(it.end[i]);
      }
      writer_.work().spend(strands_.all.size());
      if (fabric_.rules().duplex == Duplex::half) {
        in.insert(in.end(), out.begin(), out.end());
      } else {
        writer_.at_most(1, out);
      }
      writer_.at_most(1, in);
    }
  }

  void branching(const RoundVariables& it) {
    std::vector<Literals> next(strands_.all.size());
    for (std::size_t i = 0; i < strands_.all.size(); ++i) {
      for (std::size_t j = 0; j < strands_.all[i].after.size(); ++j) {
        next[strands_.all[i].after[j]].push_back(it.follow[i][j]);
      }
    }
    for (std::size_t j = 0; j < strands_.all.size() && !writer_.stopped(); ++j) {
      const bool branches = copies_ && strands_.all[j].to >= fabric_.processors();
      if (!branches) writer_.at_most(1, next[j]);
    }
  }

  void links(const RoundVariables& it) {
    for (std::uint32_t e = 0; strands_.links && e < fabric_.channels(); ++e) {
      const auto back = fabric_.reverse(ChannelId(e));
      if (!back || back->value < e) continue;
      Literals both;
      for (std::size_t i = 0; i < strands_.all.size(); ++i) {
        const std::int64_t channel = strands_.all[i].channel;
        if (channel == e || channel == back->value) both.push_back(it.used[i]);
      }
      writer_.work().spend(strands_.all.size());
      writer_.at_most(fabric_.channel(ChannelId(e)).capacity, both);
    }
  }

  void trees(const RoundVariables& it) {
    if (!strands_.trees) return;
    for (std::uint32_t v = 0; v < fabric_.nodes(); ++v) {
      for (std::uint32_t q = 0; q < fabric_.processors(); ++q) {
        Literals ways;
        for (std::size_t i = 0; i < strands_.all.size(); ++i) {
          if (strands_.all[i].to == v && strands_.all[i].owner == q) ways.push_back(it.used[i]);
        }
        writer_.work().spend(strands_.all.size());
        writer_.at_most(1, ways);
      }
    }
  }

  const Fabric& fabric_;
  bool copies_;
  RoundStrands strands_;
  RoundOrigins origins_;
  Writer& writer_;
  std::vector<RoundVariables> rounds_;
};

}  // namespace

RoundOrigins round_origins(const Collective& collective, Work& work) {
  std::map<std::vector<std::uint32_t>, Processors> origins;
  for (std::uint64_t number = 0; number < collective.demands(); ++number) {
    const auto [chunk, wants] = collective.demand_at(number);
    work.spend(collective.processors());
    work.take(1, sizeof(std::uint32_t));
    if (!collective.combining()) {
      std::vector<std::uint32_t> starts;
      for (std::uint32_t p = 0; p < collective.processors(); ++p) {
        if (collective.starts_at(chunk, NodeId(p))) starts.push_back(p);
      }
      origins[starts].insert(wants.value);
      continue;
    }
    const auto wanted = collective.wanted_contributions(static_cast<std::uint32_t>(chunk.value), wants);
    for (std::uint32_t q = 0; wanted && q < collective.processors(); ++q) {
      if (wanted->first <= q && q <= wanted->second && q != wants.value) origins[{q}].insert(wants.value);
    }
  }
  return {origins.begin(), origins.end()};
}

bool write_rounds(const Fabric& fabric, const Collective& collective, std::uint32_t rounds, Writer& writer) {
  if (collective.demands() > most_demands) return false;
  RoundOrigins origins = round_origins(collective, writer.work());
  const bool copies = !collective.combining();
  RoundsFormula(fabric, copies, round_strands(fabric, copies, writer.work()), std::move(origins), writer).write(rounds);
  return true;
}

}  // namespace quadrille::certificate
