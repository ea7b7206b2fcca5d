// Measures an algorithm with some arguments on the machine of a comparison.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "compiler/compile.h"
#include "compiler/ir.h"
#include "driver/inputs/context.h"
#include "driver/search/any_rounds.h"
#include "driver/search/compare.h"
#include "model/fabric.h"
#include "model/limits/limits.h"
#include "model/send_table.h"
#include "model/text/diagnostic.h"
#include "model/text/result.h"
#include "verifier/check.h"

namespace quadrille::driver {

// The seconds of what is not known to end.
constexpr double never = std::numeric_limits<double>::infinity();

// An algorithm with some arguments, placed in one way, and its times by size.
struct MeasuredChoice {
  Compared::Choice choice;
  std::vector<std::optional<double>> times;
};

// One of them is set, or none: the algorithm does something else with these arguments, is written in steps, or breaks a
// rule. What is measured are the placements that take less than those before them at some size.
struct TriedChoice {
  std::vector<MeasuredChoice> measured = {};
  std::optional<PassedOver> passed_over = {};
};

// The choice's table for the collective on a fabric, placed in that way, without its claims and invariants; an error if
// it does something else there.
// `spread_later`: as in ElaborateOptions; the table that it makes has its claims.
Result<SendTable> elaborated_choice(const std::shared_ptr<const ir::Schedule>& schedule, const Arguments& arguments,
                                    PlacedBy placement, const Fabric& fabric, const Collective& collective,
                                    const Limits& limits, std::function<Result<SendTable>()>* spread_later = nullptr);

// The algorithm is compiled on the fabric in rounds, where it is measured as it is written, or with its messages placed
// anew if that is better; and on the fabric in steps, where its packets are placed one by one. The checker judges both
// tables. Several threads may use one meter.
class ChoiceMeter {
 public:
  // Keeps references to all. Requires that the outcome has the question.
  ChoiceMeter(const CompareOutcome& asked, const CompareRequest& request, Context& context);

  // The arguments with which the schedule is to be measured, the usual ones first; without sizes only these. Parameters
  // that are given keep their values. No two give all parameters the same values.
  std::vector<Arguments> choices(const std::shared_ptr<const ir::Schedule>& schedule, const Arguments& given) const;

  // The number of chunks that it then cuts a message into; nothing if it does something else.
  std::optional<std::uint64_t> chunks(const std::shared_ptr<const ir::Schedule>& schedule,
                                      const Arguments& arguments) const;

  // The measures in rounds, unless its bound, for so many chunks, is of no use. What takes its time is found if it
  // takes less than `least`, of its algorithm, at some size; routes are spread if it might, and take less than
  // `of_all`; those of a large table if by the bound it may be the best of all.
  using OfNoUse = std::function<bool(const AnyRounds& bound, std::uint64_t chunks)>;
  TriedChoice in_rounds(const std::shared_ptr<const ir::Schedule>& schedule, const Arguments& arguments,
                        const std::vector<std::optional<double>>& least, const std::vector<double>& of_all,
                        const OfNoUse& of_no_use, const OfNoUse& cannot_be_best) const;

  // Sets the measures in steps of the row's first choice.
  void add_steps(Compared& row, const std::shared_ptr<const ir::Schedule>& schedule, const Arguments& arguments) const;
  // The row of a schedule that has no measures in rounds; none if it has none in steps either.
  std::optional<Compared> in_steps(const std::shared_ptr<const ir::Schedule>& schedule,
                                   const Arguments& arguments) const;

  // Says why the schedule has no row: what is wrong with it as it is written. Requires that it has none.
  Diagnostic why_none(const std::shared_ptr<const ir::Schedule>& schedule, const Arguments& arguments) const;

  // Whether something was not measured because it needs more memory, or a larger size, than there is.
  bool over_limit() const { return over_limit_; }

 private:
  // A table that keeps every rule, apart from its claims, with the checker's measures of it.
  struct SoundTable {
    SendTable table;
    Report report;
    PlacedBy placement = PlacedBy::written;
  };

  std::optional<SendTable> compiled(const std::shared_ptr<const ir::Schedule>& schedule, const Arguments& arguments,
                                    const Fabric& fabric, PlacedBy placement,
                                    std::function<Result<SendTable>()>* spread_later = nullptr) const;
  std::optional<SendTable> taken(Result<SendTable> table) const;
  bool cannot_gain(const MeasuredChoice& choice, const std::vector<std::optional<double>>& least,
                   const AnyRounds& bound) const;
  bool may_be_spread(const std::vector<MeasuredChoice>& so_far, const std::vector<std::optional<double>>& least,
                     const std::vector<double>& of_all) const;
  // The collective that the schedule does for the one that is asked for; nothing if it does something else.
  std::optional<Collective> collective_for(const std::shared_ptr<const ir::Schedule>& schedule,
                                           const Arguments& arguments) const;
  std::optional<PassedOver> too_large(const std::shared_ptr<const ir::Schedule>& schedule, const Arguments& arguments,
                                      const std::vector<std::optional<double>>& least,
                                      const std::vector<double>& of_all) const;
  bool is_taken(const SendTable& table) const;
  void add(const SoundTable& sound, std::vector<std::optional<double>> least, std::vector<MeasuredChoice>& all) const;
  std::optional<SoundTable> judged(std::optional<SendTable> table, PlacedBy placement) const;
  // Sets `bound` to that of a table in rounds. The choice is passed over if that, or that of a part, is of no use.
  std::optional<PassedOver> passed_over(const SendTable& table, bool other_routes, const OfNoUse& of_no_use,
                                        AnyRounds& bound) const;
  std::vector<std::optional<double>> times(const SoundTable& sound) const;
  MeasuredChoice measured(const SoundTable& sound, const std::vector<std::optional<double>>& least) const;
  // Progress is reported by the comparison, so the limits here have none.
  Limits quiet_limits() const;

  const CompareOutcome& asked_;
  const CompareRequest& request_;
  Fabric in_steps_;
  Fabric in_rounds_;
  Context& context_;
  std::uint64_t least_rounds_;  // of any schedule
  bool equal_routes_;           // spreading may change routes
  mutable std::atomic<bool> over_limit_ = false;
};

}  // namespace quadrille::driver
