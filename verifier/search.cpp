// How the search goes about it:
//   1. bounds: what no schedule can beat (bounds.h);
//   2. schedules that are known, and greedy ones; where one meets the best bound, it is optimal;
//   3. at the least number of steps T that is still open, formulas: for schedules that are invariant under a group of
//   the
//      fabric's automorphisms, largest group first, and for all schedules. Each may take so many conflicts; when all
//      have had theirs, each gets more. That all schedules are too long raises T; a schedule of T steps ends the
//      search;
//   4. now and then the same at one step less than the best known schedule, so that it gets better where the bound does
//      not.
// Limits are numbers of conflicts, not times: the same question gets the same answer, unless it is cut short.
#include "verifier/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "model/counted.h"
#include "verifier/check.h"
#include "verifier/search/formula.h"
#include "verifier/search/gate.h"
#include "verifier/search/greedy.h"
#include "verifier/search/rows.h"
#include "verifier/search/solver.h"

namespace quadrille {
namespace searching {
namespace {

constexpr std::uint32_t greedy_variants = 4;
constexpr std::uint64_t greedy_work = std::uint64_t{1} << 30;  // steps x (chunks x channels that they can cross)
constexpr std::uint64_t first_conflicts = 200;
constexpr std::uint64_t bytes_per_hop = 600;  // of a formula in a solver, as measured; at least

// A formula at one number of steps, for schedules invariant under one group, in a solver that keeps what it has learnt.
class Attempt {
 public:
  // `all_moves`: `moves` are all that there are. Throws Abandoned if it would take more than `room` bytes of memory, or
  // is cancelled.
  Attempt(Question question, const std::vector<Moves>& moves, bool all_moves, const Group& group, std::uint64_t room,
          const SearchOptions& options)
      : question_(std::move(question)),
        group_(group),
        all_moves_(all_moves),
        orbits_(question_.fabric, question_.collective, moves, group, options.cancelled),
        formula_(question_, moves, orbits_),
        solver_(options.z3 ? make_z3() : make_cadical(proof_sink(options))) {
    Gate gate(*solver_, options.z3, room, options.cancelled);
    variables_ = formula_.write(gate);
    clauses_ = gate.clauses();
    bytes_ = gate.bytes();
  }

  Answer solve(const SolverLimits& limits) {
    answer_ = solver_->solve(limits);
    if (answer_ == Answer::unsatisfiable) {  // the solver may be large, and has said all that it can
      solver_.reset();
      bytes_ = 0;
    }
    return answer_;
  }

  std::vector<StepRow> rows() const {
    return formula_.rows([this](int variable) { return solver_->is_true(variable); });
  }

  // Whether it speaks of all schedules; and of which, in words.
  bool exact() const { return all_moves_ && group_.elements.size() == 1; }
  std::string schedules() const {
    std::string text = all_moves_ ? "schedules" : "schedules on shortest ways";
    return group_.elements.size() > 1 ? text + " invariant under " + group_.name : all_moves_ ? "all schedules" : text;
  }
  bool open() const { return answer_ == Answer::unknown; }
  int variables() const { return variables_; }
  std::uint64_t clauses() const { return clauses_; }
  std::uint64_t bytes() const { return bytes_; }  // of memory, about
  const std::string& proof() const { return proof_; }

 private:
  std::function<void(std::string_view)> proof_sink(const SearchOptions& options) {
    if (!options.evidence || !exact()) return {};
    return [this](std::string_view text) { proof_ += text; };
  }

  Question question_;
  const Group& group_;
  bool all_moves_;
  Orbits orbits_;
  Formula formula_;
  std::string proof_;
  std::unique_ptr<Solver> solver_;
  std::uint64_t clauses_ = 0;
  std::uint64_t bytes_ = 0;
  int variables_ = 0;
  Answer answer_ = Answer::unknown;
};

class Hunt {
 public:
  Hunt(const Fabric& fabric, const Collective& collective, const SearchGoal& goal, const SearchOptions& options)
      : fabric_(fabric), collective_(collective), goal_(goal), options_(options) {}

  SearchResult run() {
    count();
    if (!result_.bounds.front().impossible && !settled()) {
      if (auto moves = moves_within(fabric_, collective_, goal_.keep_to_paths, options_.memory, options_.cancelled)) {
        moves_ = std::move(*moves);
        construct();
        if (!settled()) solve();
      } else {
        too_large_ = "all that packets can do does not fit into memory";
      }
    }
    conclude();
    return std::move(result_);
  }

 private:
  // --- bounds -------------------------------------------------------------------------------------------------

  void count() {
    result_.bounds = lower_bounds(fabric_, collective_);
    const Bound& best = result_.bounds.front();
    result_.lower_bound = best.steps;
    const std::uint32_t short_of = static_cast<std::uint32_t>(std::min<std::uint64_t>(best.steps, max_step)) - 1;
    if (best.steps == 0) return;
    const auto priced = std::find_if(result_.bounds.begin(), result_.bounds.end(), [&](const Bound& bound) {
      return bound.prices && bound.steps == best.steps && bound.impossible == best.impossible;
    });
    const bool shown = options_.evidence && priced != result_.bounds.end();
    const Bound& reason = shown ? *priced : best;
    result_.impossibility = Impossibility{short_of, reason.reason, std::nullopt, false, 0, 0, {}};
    if (shown) result_.impossibility->prices = reason.prices(short_of);
  }

  // Whether more work could not change the verdict.
  bool settled() const {
    if (cancelled()) return true;
    if (goal_.steps && result_.lower_bound > *goal_.steps) return true;
    if (!result_.table) return false;
    return result_.steps <= result_.lower_bound || (goal_.steps && result_.steps <= *goal_.steps);
  }

  bool cancelled() const { return options_.cancelled && options_.cancelled(); }

  void say(const std::string& what) const {
    if (options_.progress) options_.progress(what);
  }

  // --- constructions ------------------------------------------------------------------------------------------

  void construct() {
    for (const SendTable& known : options_.known) consider(known, "known schedule: " + known.schedule);
    std::uint64_t crossings = 1;
    for (const Moves& it : moves_) crossings += it.crossings.size();
    if (result_.lower_bound > greedy_work / crossings) return;
    for (std::uint32_t variant = 0; variant < greedy_variants && !settled(); ++variant) {
      consider(
          table_of(fabric_, collective_, "greedy",
                   useful_rows(fabric_, collective_, greedy_schedule(fabric_, moves_, variant, options_.cancelled))),
          "list scheduling");
    }
  }

  // Takes the table if it keeps to the rules and the goal, and is shorter than what is known.
  bool consider(SendTable table, std::string method) {
    const Report report = check(table);
    const auto steps = static_cast<std::uint32_t>(report.steps);
    if (report.verdict != Verdict::holds || (result_.table && steps >= result_.steps) || !keeps_to_goal(table))
      return false;
    say(fmt::format("a schedule of {}: {}", counted(steps, "step"), method));
    table.claims.clear();
    result_.table = std::move(table);
    result_.steps = steps;
    result_.method = std::move(method);
    return true;
  }

  // What the checker does not look at.
  bool keeps_to_goal(const SendTable& table) const {
    if (goal_.phases && *goal_.phases < check(table).steps) return false;  // one phase a step
    if (!goal_.inject_once && !goal_.keep_to_paths) return true;
    std::map<ChunkId, const Moves*> moves;
    for (const Moves& it : moves_) moves[it.chunk] = &it;
    std::map<std::pair<ChunkId, NodeId>, StepId> injected;
    for (const auto& [step, row] : all_rows(table)) {
      const auto found = moves.find(row.chunk);
      if (found == moves.end()) return false;  // nobody needs it
      const Moves& it = *found->second;
      const std::size_t crossing = it.crossing_of(row.channel);
      if (crossing == it.crossings.size()) return false;
      const Place& from = it.places[it.crossings[crossing].from];
      if (!goal_.inject_once || !from.start) continue;
      const auto [known, added] = injected.try_emplace({row.chunk, from.node}, step);
      if (!added && known->second != step) return false;
    }
    return true;
  }

  // --- formulas -----------------------------------------------------------------------------------------------

  void solve() {
    shortest_moves_ = shortest_moves(moves_);
    groups_ = groups_of(fabric_, collective_);
    groups_.push_back(trivial_group(fabric_));
    for (std::uint64_t conflicts = first_conflicts; !settled(); conflicts *= 4) {
      const auto least = static_cast<std::uint32_t>(std::max<std::uint64_t>(result_.lower_bound, 1));
      bool tried = try_all(least, conflicts);
      if (result_.lower_bound > least) {  // new ground: begin anew
        conflicts = first_conflicts / 4;
        continue;
      }
      const std::uint32_t most = goal_.steps ? *goal_.steps : result_.table ? result_.steps - 1 : 2 * least + 1;
      if (!settled() && most > least) tried = try_all(most, conflicts) || tried;
      if (!tried) break;
    }
  }

  // Every attempt at T steps that is still open; whether there was one.
  bool try_all(std::uint32_t T, std::uint64_t conflicts) {
    std::erase_if(attempts_, [&](const auto& it) { return it.first != T && it.first != result_.lower_bound; });
    const auto [known, is_new] = attempts_.try_emplace(T);
    if (is_new) prepare(T, known->second);
    bool tried = false;
    for (const auto& attempt : known->second) {
      if (!attempt->open() || cancelled()) continue;
      tried = true;
      if (try_one(*attempt, T, conflicts)) break;
    }
    return tried;
  }

  void prepare(std::uint32_t T, std::vector<std::unique_ptr<Attempt>>& attempts) {
    for (const Group& group : groups_) {
      if (hops_within(shortest_moves_, T) < hops_within(moves_, T))
        prepare_one(T, shortest_moves_, false, group, attempts);
      prepare_one(T, moves_, true, group, attempts);
    }
  }

  void prepare_one(std::uint32_t T, const std::vector<Moves>& moves, bool all_moves, const Group& group,
                   std::vector<std::unique_ptr<Attempt>>& attempts) {
    if (cancelled()) return;
    const std::uint64_t size = hops_within(moves, T) / group.elements.size();
    const std::uint64_t room = room_for(all_moves && group.elements.size() == 1);
    Question question{fabric_, collective_, T, goal_.inject_once, goal_.keep_to_paths, phases_within(T)};
    try {
      if (size > room / bytes_per_hop || size > most_variables) throw Abandoned::too_large;
      attempts.push_back(std::make_unique<Attempt>(std::move(question), moves, all_moves, group, room, options_));
    } catch (Abandoned why) {
      if (why != Abandoned::too_large) return;
      too_large_ = fmt::format("{} possible hops in {} do not fit into memory", size, counted(T, "step"));
    }
  }

  // Bytes for one more attempt: those that are not exact take half of what there is at most, all together.
  std::uint64_t room_for(bool exact) const {
    std::uint64_t taken = 0;
    for (const auto& [T, attempts] : attempts_) {
      for (const auto& attempt : attempts) taken += attempt->bytes();
    }
    const std::uint64_t all = exact ? options_.memory : options_.memory / 2;
    return all - std::min(all, taken);
  }

  std::optional<std::uint32_t> phases_within(std::uint32_t T) const {
    if (!goal_.phases || *goal_.phases >= T) return std::nullopt;
    return goal_.phases;
  }

  // Whether the attempt settles T.
  bool try_one(Attempt& attempt, std::uint32_t T, std::uint64_t conflicts) {
    say(fmt::format("{}, {}: {} variables", counted(T, "step"), attempt.schedules(), attempt.variables()));
    switch (attempt.solve({options_.cancelled, conflicts})) {
      case Answer::satisfiable:
        return found(attempt);
      case Answer::unsatisfiable:
        return attempt.exact() && refuted(attempt, T);
      case Answer::unknown:
        break;
    }
    return false;
  }

  bool found(const Attempt& attempt) {
    if (!take(attempt.rows(), "search over " + attempt.schedules())) {
      throw std::logic_error("Hunt::found: the checker refuses a schedule that the search found");
    }
    return true;
  }

  bool take(std::vector<StepRow> rows, const std::string& method) {
    SendTable table = table_of(fabric_, collective_, "search", useful_rows(fabric_, collective_, std::move(rows)));
    const Report report = check(table);
    if (report.verdict != Verdict::holds) return false;
    const auto steps = static_cast<std::uint32_t>(report.steps);
    if (result_.table && steps >= result_.steps) return true;
    say(fmt::format("a schedule of {}: {}", counted(steps, "step"), method));
    result_.table = std::move(table);
    result_.steps = steps;
    result_.method = method;
    return true;
  }

  bool refuted(const Attempt& attempt, std::uint32_t T) {
    if (T < result_.lower_bound) return true;
    result_.lower_bound = T + 1;
    result_.impossibility =
        Impossibility{T,
                      fmt::format("the formula that says that there is a schedule of {}{} is unsatisfiable",
                                  counted(T, "step"), phases_within(T) ? " in " + counted(*goal_.phases, "phase") : ""),
                      std::nullopt,
                      true,
                      attempt.variables(),
                      attempt.clauses(),
                      attempt.proof()};
    return true;
  }

  // --- verdict ------------------------------------------------------------------------------------------------

  void conclude() {
    SearchResult& it = result_;
    if (it.table && (!goal_.steps || it.steps <= *goal_.steps)) {
      it.verdict = it.steps <= it.lower_bound ? SearchVerdict::optimal : SearchVerdict::found;
      return;
    }
    if (it.bounds.front().impossible || (goal_.steps && it.lower_bound > *goal_.steps)) {
      it.verdict = SearchVerdict::impossible;
      return;
    }
    it.why = cancelled() ? "the time was not enough" : too_large_.empty() ? "nothing is left to try" : too_large_;
  }

  static constexpr std::uint64_t most_variables = std::uint64_t{1} << 28;

  const Fabric& fabric_;
  const Collective& collective_;
  const SearchGoal& goal_;
  const SearchOptions& options_;
  std::vector<Moves> moves_;
  std::vector<Moves> shortest_moves_;
  std::vector<Group> groups_;
  std::map<std::uint32_t, std::vector<std::unique_ptr<Attempt>>> attempts_;  // by T
  std::string too_large_;
  SearchResult result_;
};

}  // namespace
}  // namespace searching

std::string_view to_string(SearchVerdict verdict) {
  switch (verdict) {
    case SearchVerdict::optimal:
      return "optimal";
    case SearchVerdict::found:
      return "found";
    case SearchVerdict::impossible:
      return "impossible";
    case SearchVerdict::unknown:
      break;
  }
  return "unknown";
}

std::optional<std::string> cannot_search(const Fabric& fabric, const Collective& collective, const SearchGoal& goal) {
  if (goal.phases && fabric.rules().queue.limit)
    return "steps of several rounds are for fabrics without limits on queues";
  if (collective.combining()) return "combining collectives are not searched yet";
  return std::nullopt;
}

SearchResult search(const Fabric& fabric, const Collective& collective, const SearchGoal& goal,
                    const SearchOptions& options) {
  return searching::Hunt(fabric, collective, goal, options).run();
}

}  // namespace quadrille
