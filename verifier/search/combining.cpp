// The search problem of combining collectives: formulas over partial reductions, chains along a line, trees in which
// processors join, and for allreduce the copying schedules, reversed and then forwards. It is not easy to tell which
// rows serve nothing where partial reductions mix. So rows are left out one by one, and the checker says whether the
// rest still holds.
//
//   allreduce of 4 values among 4: a reduce_scatter, which is an allgather time-reversed, and then that allgather
//
// Cost: leaving rows out takes a run of the checker for each row, so it is not done for more than 2000 rows.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "model/text/counted.h"
#include "verifier/check.h"
#include "verifier/search/formulas/combining_formula.h"
#include "verifier/search/heuristics/schedules.h"
#include "verifier/search/make_problem.h"
#include "verifier/search/problem/combining_setting.h"
#include "verifier/search/time_reversal.h"

namespace quadrille::searching {
namespace {

constexpr std::size_t most_rows_tried = 2000;

// The rows without those that can be left out. They are tried one by one from the last on: first rows whose arrival
// is of no use, and then the rows that brought their contents.
std::vector<StepRow> needed_rows(const Fabric& fabric, const Collective& collective, std::vector<StepRow> rows,
                                 Watch& watch) {
  if (rows.size() > most_rows_tried) return rows;
  // Tries last rows first: once they are gone, the rows that brought them their contributions may go, too.
  std::sort(rows.begin(), rows.end(), [](const StepRow& a, const StepRow& b) { return a.step > b.step; });
  for (std::size_t i = 0; i < rows.size() && watch.reached() == Reason::none;) {
    std::vector<StepRow> fewer = rows;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    if (check(table_of(fabric, collective, {}, fewer)).verdict == Verdict::holds) {
      rows = std::move(fewer);
    } else {
      ++i;
    }
  }
  return rows;
}

class CombiningProblem final : public SearchProblem {
 public:
  CombiningProblem(const Fabric& fabric, const Collective& collective, const SearchGoal& goal, Watch& watch)
      : fabric_(fabric), collective_(collective), goal_(goal), watch_(watch) {
    if (has_combining_setting(fabric, collective)) setting_.emplace(fabric, collective, &watch);
  }

  std::vector<Group> groups() const override {
    return setting_ ? groups_of(fabric_, collective_, &watch_) : std::vector<Group>{};
  }
  std::uint64_t size(std::uint32_t T, PathChoice /*paths*/) const override {
    return setting_ ? setting_->variables(T) : std::numeric_limits<std::uint64_t>::max();
  }
  std::uint64_t bytes_each() const override { return 1000; }  // of a formula in a solver, as measured
  std::string size_text(std::uint64_t size) const override {
    return setting_ ? fmt::format("the {} variables that tell which contributions every packet carries", size)
                    : "so many packets with their partial reductions";
  }
  std::unique_ptr<ScheduleFormula> formula(std::uint32_t T, const Group& group, PathChoice /*paths*/,
                                           Watch& watch) const override {
    return std::make_unique<CombiningFormula>(*setting_, T, group, &watch);
  }
  FormulaKind about() const override { return FormulaKind::partial_reductions; }
  std::string refutation(std::uint32_t T) const override {
    return fmt::format("the formula over partial reductions that says that there is a schedule of {} is unsatisfiable",
                       counted(T, "step"));
  }

  // Treats switches that forward as if they copied. The rows that are needed then leave a switch as often as they come
  // (why_no_formula()).
  SendTable table(std::string name, std::vector<StepRow> rows) const override {
    Rules rules = fabric_.rules();
    if (rules.switches_forward()) rules.switches = Switching::copy;
    rows = needed_rows(fabric_.with_rules(rules), collective_, std::move(rows), watch_);
    return table_of(fabric_, collective_, std::move(name), std::move(rows));
  }

  void construct(std::uint64_t lower_bound, const Consider& consider) const override {
    bool more = consider(table_of(fabric_, collective_, "chains", chain_schedule(fabric_, collective_, &watch_)),
                         {.kind = Method::Kind::chains});
    for (const Next next : {Next::nearest, Next::farthest}) {
      if (!more) break;
      more = consider(table_of(fabric_, collective_, "trees", joining_trees(fabric_, collective_, next, &watch_)),
                      {.kind = Method::Kind::trees});
    }
    if (more && collective_.idempotent()) {
      more = consider(table_of(fabric_, collective_, "spreading", spreading_schedule(fabric_, collective_, &watch_)),
                      {.kind = Method::Kind::spreading});
    }
    const bool direct = !fabric_.has_switches() && !fabric_.has_one_way_links();
    if (more && direct && goal_.phases) {
      compose_in_phases(fabric_, collective_, *goal_.phases, watch_, [&](SendTable table, Method method) {
        return more = consider(std::move(table), std::move(method));
      });
    }
    if (more && direct && collective_.shape()->all_to_all()) construct_allreduce(lower_bound, consider);
  }

 private:
  // Offers a reduce_scatter and an allgather if every processor can have the same number of values, else a reduction
  // and a broadcast.
  void construct_allreduce(std::uint64_t lower_bound, const Consider& consider) const {
    const std::uint32_t n = fabric_.processors();
    const std::uint32_t values = collective_.values();
    const DemandShape second_half = values % n == 0 ? shares_to_all(values / n) : root_to_all(n / 2, values);
    const Collective copying = collective_of_shape(second_half, n).value();
    const SearchGoal any_steps;
    copying_problem(fabric_, copying, any_steps, moves_within(fabric_, copying, false, watch_), watch_)
        ->construct(lower_bound, [&](const SendTable& table, Method method) {
          method.use = Method::Use::reduce_then_broadcast;
          method.of = copying.notation();
          const std::vector<StepRow> rows = all_rows(table);
          return consider(table_of(fabric_, collective_, "there and back",
                                   reduce_then_broadcast(fabric_, collective_, copying, rows, rows)),
                          std::move(method));
        });
  }

  const Fabric& fabric_;
  const Collective& collective_;
  SearchGoal goal_;
  Watch& watch_;
  std::optional<CombiningSetting> setting_;  // nothing if it would be too large
};

}  // namespace

std::unique_ptr<SearchProblem> combining_problem(const Fabric& fabric, const Collective& collective,
                                                 const SearchGoal& goal, Watch& watch) {
  return std::make_unique<CombiningProblem>(fabric, collective, goal, watch);
}

}  // namespace quadrille::searching
