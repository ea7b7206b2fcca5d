// A formula that serves for several numbers of steps answers as one for each of them does.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/environment.h"
#include "tests/reference/random_tables.h"
#include "verifier/search/make_problem.h"
#include "verifier/search/query.h"

namespace quadrille {
namespace {

using searching::Answer;
using searching::PathChoice;
using searching::Query;
using searching::SearchProblem;

constexpr std::uint32_t most_steps = 5;
constexpr std::uint64_t most_variables = 20000;
constexpr std::uint64_t room = std::uint64_t{1} << 30;
constexpr std::uint64_t conflicts = 2000;

struct Counts {
  int possible = 0;
  int impossible = 0;
};

bool takes_more(const std::vector<searching::StepRow>& rows, std::uint32_t steps) {
  return std::any_of(rows.begin(), rows.end(), [&](const auto& row) { return row.step.value > steps; });
}

// From the least number of steps to the most, or the other way round.
void compare(const SearchProblem& problem, const searching::Group& group, bool upwards, bool z3, Counts& counts) {
  const Query::Options options{z3 ? Engine::z3 : Engine::cadical, false, room};
  Watch watch({});
  Query all(problem, {1, most_steps}, group, PathChoice::all, options, watch);
  for (std::uint32_t i = 1; i <= most_steps; ++i) {
    const std::uint32_t T = upwards ? i : most_steps + 1 - i;
    CAPTURE(T);
    const bool open = all.open(T);
    const Answer answer = open ? all.solve(T, conflicts) : upwards ? Answer::satisfiable : Answer::unsatisfiable;
    const Answer other = Query(problem, {T, T}, group, PathChoice::all, options, watch).solve(T, conflicts);
    if (answer == Answer::unknown || other == Answer::unknown) continue;
    REQUIRE(answer == other);
    if (open && answer == Answer::satisfiable) REQUIRE_FALSE(takes_more(all.rows(), T));
    ++(answer == Answer::satisfiable ? counts.possible : counts.impossible);
  }
}

TEST_CASE("a formula for several numbers of steps answers as one for each of them") {
  Counts counts;
  const std::uint64_t first = reference::first_seed();
  for (std::uint64_t seed = first; seed < first + (tests::brief ? 40 : 200); ++seed) {
    CAPTURE(seed);
    reference::Dice dice(seed);
    const Fabric fabric = reference::random_fabric(dice);
    const Collective collective = reference::random_collective(dice, fabric.processors());
    CAPTURE(fabric.notation());
    CAPTURE(collective.notation());
    SearchGoal goal;
    goal.inject_once = !collective.combining() && dice.one_in(3);
    if (!collective.combining() && !fabric.rules().queue.limit && dice.one_in(3)) goal.phases = dice.from_to(1, 3);
    Watch watch({});
    const auto problem = searching::make_problem(fabric, collective, goal, watch);
    if (!problem || problem->size(most_steps, PathChoice::all) > most_variables) continue;
    std::vector<searching::Group> groups = problem->groups();
    groups.push_back(searching::trivial_group(fabric));
    for (const searching::Group& group : groups) compare(*problem, group, dice.one_in(2), dice.one_in(8), counts);
  }
  MESSAGE(counts.possible, " possible, ", counts.impossible, " impossible, from seed ", first);
  CHECK(counts.possible > 50);
  CHECK(counts.impossible > 50);
}

}  // namespace
}  // namespace quadrille
