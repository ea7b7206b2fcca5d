// Idea: in rounds messages may have any length, so each may bring everything that its sender has. Then a schedule is
// determined by who hears from whom, and when (formula.h). This describes schedules of copying collectives
// completely. Every schedule of a combining collective has such a description, too. So if the formula has no solution
// there is no schedule, whatever partial reductions processors keep. Where no message joins in switches, a solution
// also is a schedule (tables.h), except for chunks that switches that forward would have to copy.
//
//   total exchange among 8 with single ports: 3 rounds, as an all-gather
//
// Messages that join are treated with time reversed (joins.h). If the formula has no solution, there is no schedule.
// A solution is a schedule of a reduction. With several targets it is one if each partial reduction is sent once,
// which a second formula demands.
//
// Where lengths count, each chunk is treated separately (network.cpp).
//
// Cost: of the direct schedule, a row for each packet and channel; of formulas, see formula.h.
#include "verifier/search/rounds/rounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "model/text/counted.h"
#include "verifier/search/problem/moves.h"
#include "verifier/search/problem/rows.h"
#include "verifier/search/rounds/formula.h"
#include "verifier/search/rounds/joins.h"
#include "verifier/search/rounds/network.h"
#include "verifier/search/rounds/tables.h"

namespace quadrille::searching {
namespace {

constexpr std::uint64_t most_demands = std::uint64_t{1} << 22;

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
