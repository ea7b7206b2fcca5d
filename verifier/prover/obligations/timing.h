// Computes the number of steps that a schedule takes, as a formula.
#pragma once

#include <map>
#include <vector>

#include "model/limits/watch.h"
#include "verifier/prover/problem/obligation.h"
#include "verifier/prover/problem/problem.h"

namespace quadrille::prover {

inline constexpr const char* arrives_in_time = "arrives in time";  // an obligation's name

// Finds the last step in which anything arrives, wherever the parameters are in their ranges and `when` holds. The
// formula is guessed: of the arrivals at the corners of the loops' ranges, it is one that is the latest at some small
// sizes. The obligations then say that nothing arrives later, and that something arrives in that step.
class ArrivalTiming {
 public:
  ArrivalTiming(Algebra& algebra, const Problem& problem, Formula when, std::vector<Obligation>& obligations,
                Watch& watch);

  Number steps();  // throws Unsupported, Ended
  // The step in which the family's sends leave, in the schedule's time. Throws Unsupported, Ended.
  Number start_of(const Family& family);
  // The length of one clock in which nothing has a clock of its own. Throws Unsupported, Ended.
  Number length_of(const Clock& clock) { return latest_of(sent_by(clock), clock); }

 private:
  // Something that arrives, at this step in its clock's time, for each value of these variables.
  struct LatestArrival {
    std::vector<Atom> variables;
    Formula given = nullptr;
    Formula known = nullptr;
    Number step;
    Span span;
  };
  // The step in which the clock's last packet arrives. `something`: adds the obligation that there is a packet;
  // otherwise the result is 0 where there is none.
  Number latest(const Clock& clock, bool something);
  Number latest_of(const std::vector<LatestArrival>& arrivals, const Clock& clock);
  std::vector<LatestArrival> sent_by(const Clock& clock);
  Number turns(const Clock& clock, bool something);
  Number parts(const Clock& clock, bool something);
  // The number of steps before the clock's first one, in the schedule's time.
  Number before(const Clock& clock);
  // Of a reversal: how long its block takes, forwards.
  Number length_of_reversal(const Clock& clock);
  Number earlier_turns(const Clock& clock);
  void require_range(const Clock& clock, std::size_t i, bool something);
  Number backwards(const Clock& clock);

  // Small values of the variables outside, and the last arrival there.
  struct SmallSize {
    Assignment values;
    Integer latest;
  };
  // One choice of the variables of an arrival.
  struct Corner {
    const LatestArrival* arrival = nullptr;
    std::size_t ends = 0;                       // a number to base 4: which end of its range each variable has …
    std::optional<Substitution> at = {};        // … or these values
    std::vector<std::optional<Integer>> steps;  // at each small size; nothing: it does not exist there
  };
  // A corner in formulas.
  struct LastCorner {
    Formula exists = nullptr;
    Number step;
    Span span;
  };
  std::vector<SmallSize> small_sizes_of(const std::vector<LatestArrival>& arrivals, const Clock& clock,
                                        const std::vector<Atom>& outside);
  void measure_corner(Corner& corner, const std::vector<SmallSize>& sizes);
  std::vector<Corner> corners_at_ends(const std::vector<LatestArrival>& arrivals, const std::vector<SmallSize>& sizes);
  void append_solved_corners(const LatestArrival& arrival, const std::vector<SmallSize>& sizes,
                             std::vector<Corner>& result);
  void append_solved_corners(const LatestArrival& arrival, const Substitution& preset,
                             const std::vector<SmallSize>& sizes, std::vector<Corner>& result);
  static std::vector<const Corner*> last_corners(const std::vector<Corner>& all, const std::vector<SmallSize>& sizes);
  Substitution at_ends(const Corner& corner);
  LastCorner in_formulas(const Corner& corner);
  void write_in_time(const std::vector<LatestArrival>& arrivals, const Clock& clock, const Number& step,
                     const std::vector<Atom>& outside);
  std::optional<Integer> greatest(const std::vector<LatestArrival>& arrivals, const Assignment& outside);
  Number plain(const Number& step, const std::vector<SmallSize>& sizes, const std::vector<Atom>& variables);

  std::map<const Clock*, Number> before_;  // by clock, once it is known
  Algebra& algebra_;
  const Problem& problem_;
  Formula when_;
  std::vector<Obligation>& obligations_;
  Watch& watch_;
};

}  // namespace quadrille::prover
