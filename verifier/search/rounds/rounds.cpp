// Idea: in rounds messages may have any length, so each may bring everything that its sender has. Then a schedule is
// determined by who hears from whom, and when (formula.h). This describes schedules of copying collectives
// completely. Every schedule of a combining collective has such a description, too. So if the formula has no solution
// there is no schedule, whatever partial reductions processors keep. Where no message joins in switches, a solution
// also is a schedule (tables.h), except for chunks that switches that forward would have to copy.
//
//   total exchange among 8 with single ports: 3 rounds, as an all-gather
//
// Messages that join are treated with time reversed (tables.h). If the formula has no solution, there is no schedule.
// A solution is a schedule of a reduction. With several targets it is one if each partial reduction is sent once,
// which a second formula demands.
//
// Where lengths count, each chunk is treated separately (network.cpp).
//
// Cost: of the direct schedule, a row for each packet and channel; of formulas, see formula.h.
#include "verifier/search/rounds/rounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "model/text/counted.h"
#include "verifier/search/problem/moves.h"
#include "verifier/search/problem/rows.h"
#include "verifier/search/rounds/formula.h"
#include "verifier/search/rounds/network.h"
#include "verifier/search/rounds/tables.h"

namespace quadrille::searching {
namespace {

constexpr std::uint64_t most_demands = std::uint64_t{1} << 22;

// --- origins ---------------------------------------------------------------------------------------------------------

// Turns demands into origins. A total exchange among 4 has 12 chunks, but 4 origins: the chunks that start at
// processor 0 are one origin, wanted by 1, 2 and 3. Cost: a look at each demand; for listed collectives, also one at
// each processor.

using Wanted = std::map<std::vector<std::uint32_t>, std::set<std::uint32_t>>;  // by where it starts

std::vector<Origin> in_order(const Wanted& wanted) {
  std::vector<Origin> origins;
  for (const auto& [starts, processors] : wanted) {
    origins.push_back({starts, {processors.begin(), processors.end()}, 0});
  }
  return origins;
}

// Calls `visit(value, contributor, processor)` for each contribution that a processor wants of another.
template <class Visit>
void for_contributions(const Collective& collective, const Visit& visit) {
  for (std::uint64_t number = 0; number < collective.demands(); ++number) {
    const auto [value, processor] = collective.demand_at(number);
    const auto range = collective.wanted_contributions(static_cast<std::uint32_t>(value.value), processor);
    for (std::uint32_t q = range ? range->first : 1; q <= (range ? range->second : 0); ++q) {
      if (q != processor.value) visit(value.value, q, processor.value);
    }
  }
}

// The origins that have demands, in the order of `starts`.
std::vector<Origin> origins_of(const Collective& collective) {
  Wanted wanted;
  if (collective.combining()) {
    for_contributions(collective, [&](std::uint64_t, std::uint32_t q, std::uint32_t p) { wanted[{q}].insert(p); });
    return in_order(wanted);
  }
  std::map<ChunkId, std::vector<std::uint32_t>> starts;
  for (std::uint64_t number = 0; number < collective.demands(); ++number) {
    const auto [chunk, processor] = collective.demand_at(number);
    auto known = starts.find(chunk);
    if (known == starts.end()) known = starts.emplace(chunk, starts_of(collective, chunk)).first;
    wanted[known->second].insert(processor.value);
  }
  return in_order(wanted);
}

// The origins of a combining collective whose messages join (tables.h), with time reversed. There is an origin for each
// processor that wants others' contributions; it is to come to all of these others.
std::vector<Origin> time_reversed_origins(const Collective& collective) {
  Wanted wanted;
  for_contributions(collective, [&](std::uint64_t, std::uint32_t q, std::uint32_t p) { wanted[{p}].insert(q); });
  return in_order(wanted);
}

// The origins where lengths count: one for each chunk with a demand, by number, or one for each value and each
// contribution to it.
std::vector<Origin> origins_by_value(const Collective& collective) {
  std::map<std::pair<std::uint64_t, std::uint32_t>, std::set<std::uint32_t>> wanted;  // [value, contribution]
  for (std::uint64_t number = 0; number < collective.demands() && !collective.combining(); ++number) {
    const auto [chunk, processor] = collective.demand_at(number);
    wanted[{chunk.value, 0}].insert(processor.value);
  }
  if (collective.combining()) {
    for_contributions(collective, [&](std::uint64_t value, std::uint32_t q, std::uint32_t p) {
      wanted[{value, q}].insert(p);
    });
  }
  std::vector<Origin> origins;
  for (const auto& [name, processors] : wanted) {
    std::vector<std::uint32_t> starts{name.second};
    if (!collective.combining()) starts = starts_of(collective, ChunkId(name.first));
    origins.push_back({std::move(starts), {processors.begin(), processors.end()}, name.first});
  }
  return origins;
}

std::vector<Origin> origins_within_reach(const Fabric& fabric, const Collective& collective, bool lengths_count) {
  if (collective.demands() > most_demands) throw Ended{Reason::limit};
  if (messages_join(fabric, collective)) return time_reversed_origins(collective);
  return lengths_count ? origins_by_value(collective) : origins_of(collective);
}

RoundNetwork network_of(const Fabric& fabric, const Collective& collective, const std::vector<Origin>& origins,
                        bool lengths_count, Watch& watch) {
  if (messages_join(fabric, collective)) {
    if (lengths_count || !links_are_alike(fabric)) return {};
    RoundNetwork reversed = round_network(fabric, true, watch);
    reversed.reversed = true;
    return reversed;
  }
  const bool branches = !collective.combining() && !fabric.switches_forward();
  if (!lengths_count) return round_network(fabric, branches, watch);
  return why_no_volume(fabric) ? RoundNetwork{} : volume_network(fabric, collective, origins, watch);
}

// --- the problem -----------------------------------------------------------------------------------------------------

class RoundsProblem final : public SearchProblem {
 public:
  // With `rounds`, the question is about so many rounds, and T is the volume.
  RoundsProblem(const Fabric& fabric, const Collective& collective, std::optional<std::uint32_t> rounds, Watch& watch)
      : fabric_(fabric),
        collective_(collective),
        rounds_(rounds),
        watch_(watch),
        origins_(origins_within_reach(fabric, collective, rounds.has_value())),
        network_(network_of(fabric, collective, origins_, rounds.has_value(), watch)) {}

  std::uint64_t size(std::uint32_t T, PathChoice /*paths*/) const override {
    const std::uint32_t rounds = rounds_.value_or(T);
    const auto volume = rounds_ ? std::optional(T) : std::nullopt;
    const std::uint64_t own = RoundNumbering(network_, origins_, fabric_.nodes(), collective_, volume).variables;
    // Counters: for each item that may be carried, one sum for each volume up to T.
    const std::uint64_t counted =
        rounds_ ? network_.strands.size() * (network_.by_value() ? 1 : origins_.size()) * T : 0;
    return rounds * (own + counted);
  }

  // Needed for several targets only: a single target may receive everything by every message.
  std::optional<PathChoice> fewer_paths() const override {
    if (!network_.reversed || origins_.size() < 2) return std::nullopt;
    for (std::uint32_t value = 0; value < collective_.values(); ++value) {
      if (!target_of(collective_, value)) return std::nullopt;
    }
    return PathChoice::once;
  }

  std::uint64_t bytes_each() const override { return 600; }  // of a formula in a solver

  FormulaKind about() const override { return FormulaKind::rounds; }
  bool exact() const override { return false; }
  std::string size_text(std::uint64_t size) const override { return counted(size, "variable"); }

  std::unique_ptr<ScheduleFormula> formula(std::uint32_t T, const Group& /*group*/, PathChoice paths,
                                           Watch& /*watch*/) const override {
    if (!rounds_) {
      auto formula = std::make_unique<RoundFormula>(fabric_, collective_, network_, origins_, T);
      if (paths == PathChoice::once) formula->send_once();
      return formula;
    }
    return std::make_unique<RoundFormula>(fabric_, collective_, network_, origins_, *rounds_, T);
  }

  std::string refutation(std::uint32_t T) const override {
    const std::string rounds = counted(rounds_.value_or(T), "round");
    const std::string volume = rounds_ ? fmt::format(" of a volume of {}", T) : "";
    return fmt::format("the formula that says that {}{} bring{} everything there, on any ways{}, is unsatisfiable",
                       rounds, volume, rounds_.value_or(T) == 1 ? "s" : "", network_.reversed ? ", time-reversed" : "");
  }

  SendTable table(std::string name, std::vector<StepRow> rows) const override {
    return table_of(fabric_, collective_, std::move(name), std::move(rows));
  }

  void construct(std::uint64_t /*lower_bound*/, const Consider& consider) const override {
    if (messages_join(fabric_, collective_) && !construct_joined(consider)) return;
    if (auto table = direct_table(fabric_, collective_)) {
      if (!consider(*std::move(table), {.kind = Method::Kind::direct})) return;
    }
    for_round_trees(fabric_, collective_, watch_,
                    [&](SendTable table) { return consider(std::move(table), {.kind = Method::Kind::trees}); });
  }

 private:
  // Offers schedules in which messages join; returns whether more is of use.
  bool construct_joined(const Consider& consider) const {
    constexpr std::uint32_t most_hubs = 16;
    auto direct = links_are_alike(fabric_) ? direct_joined_table(fabric_, collective_) : std::nullopt;
    if (direct && !consider(*std::move(direct), {.kind = Method::Kind::direct})) return false;
    const std::uint32_t end = std::min(fabric_.nodes(), fabric_.processors() + most_hubs);
    for (std::uint32_t hub = fabric_.processors(); hub < end; ++hub) {
      auto table = hub_table(fabric_, collective_, NodeId(hub));
      if (table && !consider(*std::move(table), {.kind = Method::Kind::trees})) return false;
    }
    return true;
  }

  const Fabric& fabric_;
  const Collective& collective_;
  std::optional<std::uint32_t> rounds_;
  Watch& watch_;
  std::vector<Origin> origins_;
  RoundNetwork network_;
};

}  // namespace

std::unique_ptr<SearchProblem> rounds_problem(const Fabric& fabric, const Collective& collective,
                                              std::optional<std::uint32_t> rounds, Watch& watch) {
  return std::make_unique<RoundsProblem>(fabric, collective, rounds, watch);
}

}  // namespace quadrille::searching
