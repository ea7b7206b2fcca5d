// Idea: constraints 1 to 7 of verifier/ROUNDS_FORMULA.md, a function each, in the page's order; the variables of each
// round are numbered before.
//
//   complete:2, broadcast from 0, T = 1: two strands, start, end, carry and got of each, and has(1)
//
// Where messages join, all is of the time-reversed question: they branch.
//
// Cost: rounds x origins x pairs of strands that follow one another.
#include "verifier/certificate/formulas/rounds.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "model/fabric.h"
#include "verifier/certificate/formulas/round_strands.h"
#include "verifier/certificate/formulas/writer.h"

namespace quadrille::certificate {
namespace {

// --- variables -----------------------------------------------------------------------------------------------------

// RoundVariables numbers the variables of verifier/ROUNDS_FORMULA.md, in the page's order.
//
//   complete:2, broadcast from 0: start, end, carry and got of two strands, and has(1): 9
//
// Cost: origins x strands.

// The variables of one round; what there is no variable for is false, or, from the start, true.
struct RoundVariables {
  std::vector<std::int32_t> start, end, used;              // [strand]
  std::vector<std::vector<std::int32_t>> follow, deep;     // [strand][place in after; depth]
  std::vector<std::vector<std::int32_t>> carry, got, has;  // [origin][strand; node]
  std::vector<std::vector<std::int32_t>> part;             // [value][strand]
  std::vector<std::int32_t> length;                        // [length - 1]
};

// Whether what starts at the origin may cross the strand.
bool may_carry(const RoundStrand& strand, const ValuedOrigin& origin) {
  return strand.value < 0 || static_cast<std::uint64_t>(strand.value) == origin.value;
}

// Numbers those of one more round. Without a volume it is 0. `values`: for how many there is part(x, i).
RoundVariables number_round(const Fabric& fabric, const RoundStrands& strands, const ValuedOrigins& origins,
                            std::uint64_t volume, std::uint64_t values, Writer& writer) {
  const auto next = [&] {
    writer.work().take(1, sizeof(std::int32_t));
    return writer.series(1, 1).at(1);
  };
  RoundVariables it;
  const std::size_t count = strands.all.size();
  for (const RoundStrand& strand : strands.all) it.start.push_back(strand.may_start ? next() : false_literal);
  for (const RoundStrand& strand : strands.all) it.end.push_back(strand.may_end ? next() : false_literal);
  for (const RoundStrand& strand : strands.all) {
    it.follow.emplace_back();
    for (std::size_t j = 0; j < strand.after.size(); ++j) it.follow.back().push_back(next());
  }
  const bool used = strands.links || strands.trees || strands.by_value;
  for (std::size_t i = 0; i < count && used; ++i) it.used.push_back(next());
  for (std::size_t i = 0; i < count; ++i) {
    it.deep.emplace_back(2, false_literal);
    for (std::uint32_t h = 2; h <= strands.depth; ++h) it.deep.back().push_back(next());
  }
  for (auto* of : {&it.carry, &it.got}) {
    for (std::size_t k = 0; k < origins.size(); ++k) {
      of->emplace_back();
      for (const RoundStrand& strand : strands.all) {
        const bool there = may_carry(strand, origins[k]) && (of == &it.carry || strand.may_end);
        of->back().push_back(there ? next() : false_literal);
      }
    }
  }
  for (const auto& [starts, wanted, value] : origins) {
    it.has.emplace_back(fabric.nodes());
    std::size_t s = 0;
    for (std::uint32_t v = 0; v < fabric.nodes(); ++v) {
      const bool here = s < starts.size() && starts[s] == v;
      s += here ? 1 : 0;
      it.has.back()[v] = here ? true_literal : next();
    }
  }
  for (std::uint64_t x = 0; x < values; ++x) {
    it.part.emplace_back();
    for (std::size_t i = 0; i < count; ++i) it.part.back().push_back(next());
  }
  for (std::uint32_t l = 1; l <= volume; ++l) it.length.push_back(next());
  return it;
}

// --- clauses -------------------------------------------------------------------------------------------------------

constexpr std::uint64_t most_demands = std::uint64_t{1} << 22;

class RoundsFormula {
 public:
  // Without a volume all values are 0.
  RoundsFormula(const Fabric& fabric, bool copies, RoundStrands strands, ValuedOrigins origins, Writer& writer)
      : fabric_(fabric), copies_(copies), strands_(std::move(strands)), origins_(std::move(origins)), writer_(writer) {
    branches_ = copies && (!fabric.switches_forward());
  }

  void limit(std::uint32_t volume, std::uint64_t values) {
    volume_ = volume;
    values_ = copies_ || strands_.by_value ? 0 : values;
  }

  void write(std::uint32_t rounds) {
    for (std::uint32_t r = 1; r <= rounds && !writer_.stopped(); ++r)
      rounds_.push_back(number_round(fabric_, strands_, origins_, volume_, values_, writer_));
    Literals volumes;
    for (std::uint32_t v = 1; v <= volume_ && !writer_.stopped(); ++v) volumes.push_back(writer_.series(1, 1).at(1));
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
      if (volume_ > 0) lengths(it);
    }
    if (volume_ > 0) sum_of_lengths(volumes);
    for (std::size_t k = 0; k < origins_.size(); ++k) {
      for (const std::uint32_t p : origins_[k].wanted) writer_.clause({had(k, p, rounds)});
    }
  }

 private:
  // has(k, v) of a round; before the first one, what holds from the start.
  std::int32_t had(std::size_t k, std::uint32_t v, std::uint32_t round) const {
    if (round > 0) return rounds_[round - 1].has[k][v];
    for (const std::uint32_t p : origins_[k].starts) {
      if (p == v) return true_literal;
    }
    return false_literal;
  }

  void carrying(const RoundVariables& it, std::uint32_t r, std::size_t i) {
    const RoundStrand& strand = strands_.all[i];
    for (std::size_t k = 0; k < origins_.size() && !writer_.stopped(); ++k) {
      if (!may_carry(strand, origins_[k])) continue;
      const std::int32_t carry = it.carry[k][i];
      Literals some{-carry, it.start[i]};
      some.insert(some.end(), it.follow[i].begin(), it.follow[i].end());
      writer_.clause(some);
      if (strand.may_start) writer_.clause({-carry, -it.start[i], had(k, strand.from, r - 1)});
      for (std::size_t j = 0; j < strand.after.size(); ++j) {
        writer_.clause({-carry, -it.follow[i][j], it.carry[k][strand.after[j]]});
      }
      if (!strand.may_end) continue;
      writer_.clause({-it.got[k][i], carry});
      writer_.clause({-it.got[k][i], it.end[i]});
    }
  }

  void ending(const RoundVariables& it, std::size_t i) {
    const RoundStrand& strand = strands_.all[i];
    for (std::size_t j = 0; j < strand.after.size(); ++j) {
      if (!strands_.all[strand.after[j]].may_end) continue;
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
      const bool branches = branches_ && strands_.all[j].to >= fabric_.processors();
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

  // What crosses the strand, of which the round's length is a matter.
  Literals crossing(const RoundVariables& it, std::size_t i) const {
    if (strands_.by_value) return {it.used[i]};
    Literals all;
    for (const auto& part : it.part) all.push_back(part[i]);
    for (std::size_t k = 0; k < origins_.size() && copies_; ++k) all.push_back(it.carry[k][i]);
    return all;
  }

  void lengths(const RoundVariables& it) {
    for (std::size_t i = 0; i < strands_.all.size() && values_ > 0; ++i) {
      for (std::size_t k = 0; k < origins_.size() && !writer_.stopped(); ++k) {
        writer_.clause({-it.carry[k][i], it.part[origins_[k].value][i]});
      }
    }
    for (std::uint32_t l = 1; l < volume_; ++l) writer_.clause({-it.length[l], it.length[l - 1]});
    const bool held = fabric_.rules().paths == Paths::held;
    for (std::size_t i = 0; held && i < strands_.all.size(); ++i) weigh(it, crossing(it, i), 1);
    for (std::uint32_t e = 0; !held && e < fabric_.channels() && !writer_.stopped(); ++e) {
      const auto back =
          fabric_.rules().duplex == Duplex::half ? fabric_.reverse(ChannelId(e)) : std::optional<ChannelId>{};
      if (back && back->value < e) continue;
      Literals all;
      for (std::size_t i = 0; i < strands_.all.size(); ++i) {
        const std::int64_t channel = strands_.all[i].channel;
        if (channel != e && !(back && channel == back->value)) continue;
        const Literals more = crossing(it, i);
        all.insert(all.end(), more.begin(), more.end());
      }
      writer_.work().spend(strands_.all.size());
      weigh(it, all, fabric_.channel(ChannelId(e)).capacity);
    }
  }

  // A round of length l has room for l times the capacity.
  void weigh(const RoundVariables& it, const Literals& all, std::uint64_t capacity) {
    Literals sums;
    for (std::uint64_t j = 1; j <= std::min<std::uint64_t>(all.size(), volume_ * capacity); ++j) {
      sums.push_back(it.length[(j + capacity - 1) / capacity - 1]);
    }
    writer_.count(sums, all);
  }

  void sum_of_lengths(const Literals& volumes) {
    Literals all;
    for (const RoundVariables& it : rounds_) all.insert(all.end(), it.length.begin(), it.length.end());
    writer_.count(volumes, all);
  }

  const Fabric& fabric_;
  bool copies_;
  RoundStrands strands_;
  ValuedOrigins origins_;
  Writer& writer_;
  bool branches_ = false;
  std::uint64_t volume_ = 0;  // 0: lengths do not count
  std::uint64_t values_ = 0;  // where something of them is carried
  std::vector<RoundVariables> rounds_;
};

}  // namespace

std::optional<std::string> why_no_volume(const Fabric& fabric) {
  const Rules& rules = fabric.rules();
  const bool switches = fabric.has_switches();
  if (rules.paths == Paths::held || rules.ports == Ports::multi || !switches) return std::nullopt;
  return "there is no formula of the volume of shared paths with single ports and switches";
}

bool messages_join(const Fabric& fabric, const Collective& collective) {
  return collective.combining() && fabric.has_switches() && fabric.switches_reduce();
}

std::optional<std::string> why_not_joined(const Fabric& fabric, const Collective& collective, bool volume) {
  if (!messages_join(fabric, collective)) return std::nullopt;
  if (volume) return "there is no formula of the volume of messages that join in the switches";
  for (std::uint32_t e = 0; e < fabric.channels(); ++e) {
    const auto back = fabric.reverse(ChannelId(e));
    if (back && fabric.channel(*back).capacity == fabric.channel(ChannelId(e)).capacity) continue;
    return "messages may join in the switches, and " + fabric.name(ChannelId(e)) + " is not alike both ways";
  }
  return std::nullopt;
}

bool write_rounds(const Fabric& fabric, const Collective& collective, std::uint32_t rounds,
                  std::optional<std::uint32_t> volume, Writer& writer) {
  if (collective.demands() > most_demands) return false;
  // Time-reversed, what is combined is copied.
  const bool joins = messages_join(fabric, collective);
  const bool copies = !collective.combining() || joins;
  Work& work = writer.work();
  ValuedOrigins origins;
  if (volume) {
    origins = valued_origins(collective, work);
  } else {
    const RoundOrigins all = joins ? time_reversed_origins(collective, work) : round_origins(collective, work);
    for (const auto& [starts, wanted] : all) origins.push_back({starts, wanted, 0});
  }
  const bool branches = copies && !fabric.switches_forward();
  RoundStrands strands = volume ? volume_strands(fabric, copies, origins, work) : round_strands(fabric, branches, work);
  RoundsFormula formula(fabric, copies, std::move(strands), std::move(origins), writer);
  if (volume) formula.limit(*volume, collective.values());
  formula.write(rounds);
  return true;
}

}  // namespace quadrille::certificate
