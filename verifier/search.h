// The search finds a schedule of few steps, or proves that there is none with fewer.
//
// For: shorter schedules, or that there are none (CaDiCaL, Z3).
// Face: this header.
// Keeps: a schedule that search finds passes the checker before anyone sees it; *impossible* comes with a certificate.
// Read first: verifier/FORMULA.md, verifier/search/search_driver.h.
//
//   SearchResult result = search(fabric, collective, {}, {});
//   if (result.verdict == SearchVerdict::optimal) …*result.table, result.steps…
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/collective.h"
#include "model/fabric.h"
#include "model/limits/limits.h"
#include "model/send_table.h"
#include "verifier/bounds.h"

namespace quadrille {

// optimal: `table` takes `steps` steps, and no schedule takes fewer. found: `table` takes `steps` steps; it is not
// known (or was not asked) whether fewer are enough. impossible: no schedule keeps to the goal. unknown: the search
// found no schedule, and did not show that there is none.
enum class SearchVerdict : std::uint8_t { optimal, found, impossible, unknown };
std::string_view to_string(SearchVerdict verdict);  // "optimal", …

struct SearchGoal {
  std::optional<std::uint32_t> steps = {};  // at most so many, at least 1; nothing: the fewest
  bool inject_once = false;                 // every packet leaves each processor that it starts at in one step only
  // On trees and stars: packets use the paths from where they start to where they are wanted.
  bool keep_to_paths = false;
  // The steps fall into so many phases at most (model/MODEL.md, Phases). In rounds: there are so many at most, and
  // `steps`, here and in results, is their volume.
  std::optional<std::uint32_t> phases = {};
};

// The solver that decides formulas.
enum class Engine : std::uint8_t { cadical, z3 };
std::string_view to_string(Engine engine);  // "cadical", "z3"

// A result that a search has reached on its way: some schedule takes so many steps, or none takes fewer than so many.
struct SearchEvent {
  enum class Kind : std::uint8_t { found, bound };
  Kind kind = Kind::found;
  std::optional<std::uint64_t> steps = {};  // as SearchResult has them; of a bound nothing: no number is enough
  std::string how = {};                     // found: to_string(method); bound: why, in one sentence
};

struct SearchOptions {
  // Known schedules of this collective, or of related ones (related_collectives()), to begin with. The search passes
  // over schedules that do not keep to the rules and the goal.
  std::vector<SendTable> known = {};
  // Passes more known schedules to `take`, one after another, while `take` returns that another may be of use. A search
  // calls it once.
  std::function<void(const std::function<bool(SendTable)>& take)> offer_known = {};
  // What else a schedule must keep to, such as the limits of a system that is to run it; the search passes over others.
  // Lower bounds are of all schedules all the same. Empty: nothing.
  std::function<bool(const SendTable&)> accepts = {};
  // The search calls this with each result, in the order in which it reaches them. It may take back a bound that is
  // about processors that keep no words, if the schedule that it finds keeps some.
  std::function<void(const SearchEvent&)> on_event = {};
  Engine engine = Engine::cadical;
  bool evidence = false;  // keep a proof of what formulas show to be impossible; CaDiCaL only
  // When they are reached, the search ends with the results that it has. Memory is counted beyond what the process has
  // when the search begins; work that would take more is not begun, or is dropped. Progress reports the stage only.
  Limits limits = {};
};

// The subject of a formula: the copies of chunks; the partial reductions of a combining collective; the copies of the
// chunks of the copying collective that a combining one is when time-reversed; or, in rounds, which processor has heard
// from which (verifier/CERTIFICATES.md).
enum class FormulaKind : std::uint8_t { copies, partial_reductions, time_reversed, rounds };
std::string_view to_string(FormulaKind kind);  // "copies", "words", "time_reversed", "rounds"

// The schedules that a result is limited to; if no field is set, the result is about all schedules.
struct Narrowing {
  bool inject_once = false;  // every packet leaves each processor that it starts at in one step only
  bool paths_kept = false;   // packets keep to the paths from where they start, where other paths could be of use
  bool no_kept_reductions = false;  // processors keep no words beside the one that they hold
  bool operator==(const Narrowing&) const = default;
};
// Returns the narrowing of a formula about the goal's schedules.
Narrowing narrowing_of(const Fabric& fabric, const Collective& collective, const SearchGoal& goal, FormulaKind about);

// The evidence that there is no schedule of `steps` steps or fewer.
struct Impossibility {
  std::uint32_t steps = 0;
  bool of_any_volume = false;                    // in volume: so many rounds are too few, whatever it is
  std::string reason;                            // in one sentence
  std::optional<std::vector<PriceList>> prices;  // by counting: the prices that show it (verifier/CERTIFICATES.md)
  std::optional<GroupBorders> groups;            // by counting entries into groups (verifier/CERTIFICATES.md, Groups)
  bool by_doublings = false;                     // in rounds, by counting (verifier/CERTIFICATES.md, Doublings)
  bool by_formula = false;                       // by a solver
  int variables = 0;                             // of the formula
  std::uint64_t clauses = 0;
  FormulaKind about = FormulaKind::copies;
  Narrowing narrowed = {};  // bounds by counting are of all schedules, though their proof by a formula may not be
  std::string proof;        // DRAT, in text; empty unless SearchOptions::evidence, or if it did not fit into memory
  std::string formula;      // what it is a proof of: DIMACS CNF, with what the variables mean in comments

  bool by_counting() const { return prices || groups || by_doublings; }  // with evidence
};

// The method by which the search found a table.
struct Method {
  enum class Kind : std::uint8_t {
    none,
    known_schedule,
    list_scheduling,
    matchings,
    chains,
    trees,
    spreading,
    balanced_routes,
    spanning_trees,
    flight_trees,
    direct,
    formula
  };
  // How the method's schedule is used: as it is; time-reversed, from the copying collective `of`; time-reversed and
  // then once more forwards, likewise; or as a schedule of another collective `of` that is also one of this collective.
  enum class Use : std::uint8_t { as_it_is, time_reversed, reduce_then_broadcast, of_another };
  Kind kind = Kind::none;
  Use use = Use::as_it_is;
  std::string name = {};  // of the known schedule; for formulas: which schedules they are about; of a plan: the shifts
  std::string of = {};
};
std::string to_string(const Method& method);  // "known schedule: …", "list scheduling of …, time-reversed"; "" for none

struct SearchResult {
  SearchVerdict verdict = SearchVerdict::unknown;
  std::optional<SendTable> table;
  std::uint32_t steps = 0;  // of the table; 0 without one
  // No schedule takes fewer steps (and phases, if asked). Nothing: no number of steps is enough.
  std::optional<std::uint64_t> lower_bound = 0;
  std::vector<Bound> bounds;  // what counting says, largest first; none where it was not asked
  Method method;              // where the table comes from
  // The obstacle, if the verdict is found or unknown and more was asked. `unsupported`: all that is implemented was
  // tried.
  Reason reason = Reason::none;
  std::string why;                             // the same in words; empty if the reason is none
  std::optional<Impossibility> impossibility;  // of lower_bound - 1 steps, if they are shown to be too few
  std::string why_no_formula = {};             // "no formula is about …"; empty where one is
  // Solvers and formulas, which may be large: releasing them can take longer than the search had left.
  std::shared_ptr<void> workspace;
};

// Searches for a schedule that keeps to the goal. If cannot_search(…) gives a reason, the verdict is `unknown` with
// that reason and no bounds. Copying collectives use the formula of verifier/FORMULA.md. Commutative reductions and
// reduce_scatters use it time-reversed, where that is equivalent (verifier/search/time_reversal.h). Other combining
// collectives use a formula over partial reductions (verifier/COMBINING_FORMULA.md), which is large: some thousand
// variables for 4 processors, hundreds of thousands for 16. A formula that does not fit into memory is not tried, and
// the verdict is then at best `found`, else `unknown`.
SearchResult search(const Fabric& fabric, const Collective& collective, const SearchGoal& goal,
                    const SearchOptions& options);

// Returns the collectives whose schedules on this fabric the search can turn into schedules of this one, if it is given
// them. A total exchange's become a reduce_scatter's: its packets join where they arrive. A broadcast's, time-reversed,
// become a reduction's, where that is equivalent. A reduction's followed by a broadcast's become an allreduce's.
std::vector<Collective> related_collectives(const Fabric& fabric, const Collective& collective);

// Returns why this cannot be searched, in words; nothing if it can.
std::optional<std::string> cannot_search(const Fabric& fabric, const Collective& collective, const SearchGoal& goal);

}  // namespace quadrille
