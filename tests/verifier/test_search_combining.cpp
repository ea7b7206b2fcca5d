// The search for schedules of combining collectives: is there a solution exactly where there is a schedule, and does it
// find what is known to be the least number of steps?
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "model/fabric_notation.h"
#include "tests/environment.h"
#include "tests/reference/random_tables.h"
#include "tests/verifier/every_combining_schedule.h"
#include "tests/verifier/stop_after.h"
#include "verifier/check.h"
#include "verifier/search.h"
#include "verifier/search/formulas/combining_formula.h"
#include "verifier/search/solver/solver.h"

namespace quadrille::tests {
namespace {

Fabric fabric_of(const std::string& notation) { return parse_fabric({"", notation}, 0).value(); }

Collective collective_of(const std::string& notation, const Fabric& fabric) {
  return parse_collective({"", notation}, 0, fabric.processors()).value();
}

// Whether the formula over partial reductions has a solution, which must then be a schedule.
bool formula_holds(const Fabric& fabric, const Collective& collective, std::uint32_t steps) {
  const searching::CombiningSetting setting(fabric, collective);
  const searching::Group group = searching::trivial_group(fabric);
  searching::CombiningFormula formula(setting, steps, group);
  const auto solver = searching::make_cadical();
  formula.write(*solver);
  if (solver->solve({}) != searching::Answer::satisfiable) return false;
  const auto rows = formula.rows([&](int variable) { return solver->is_true(variable); });
  CHECK(check(searching::table_of(fabric, collective, "solution", rows)).verdict == Verdict::holds);
  return true;
}

// Of 1 … 4 steps; the number of questions that were not too much work for the reference.
int compare(const Fabric& fabric, const Collective& collective, std::uint64_t most_work) {
  int compared = 0;
  for (std::uint32_t steps = 1; steps <= 4; ++steps) {
    CAPTURE(fabric.notation());
    CAPTURE(collective.notation());
    CAPTURE(steps);
    const auto expected = combining_schedule_exists(fabric, collective, steps, most_work);
    if (!expected) continue;
    CHECK(formula_holds(fabric, collective, steps) == *expected);
    ++compared;
  }
  return compared;
}

SearchResult searched(const std::string& on, const std::string& what, const Limits& limits = {}) {
  const Fabric fabric = fabric_of(on);
  const Collective collective = collective_of(what, fabric);
  REQUIRE_FALSE(cannot_search(fabric, collective, {}));
  SearchOptions options;
  options.limits = limits;
  SearchResult result = search(fabric, collective, {}, options);
  REQUIRE(result.table);
  const Report report = check(*result.table);
  CHECK(report.verdict == Verdict::holds);
  CHECK(report.steps == result.steps);
  return result;
}

TEST_CASE("the formula over partial reductions holds exactly where there is a schedule") {
  const std::uint64_t most_work = long_run() ? 100'000 : brief ? 2'000 : 5'000;
  int compared = 0;
  for (
      const std::string shape :
      {"line:2", "line:2,capacity=2", "line:3", "ring:3", "ring:4", "star:2", "star:3", "star:2,capacity=2",
       "complete:4", "fat_tree:levels=1,capacity=2",
       R"(graph:{"processors":3,"links":[[0,1],[0,2]]})",  // 1 and 2 by way of 0, which a prefix must not join
       R"(graph:{"processors":2,"switches":["a","b"],"links":[[0,"a"],["a","b"],["b",1],[0,"b"]]})",
       R"(graph:{"processors":3,"switches":["a"],"channels":[[0,"a",1],["a",0,2],[1,"a",2],["a",1,1],[2,0,1],[0,2,2]]})",
       R"(graph:{"processors":3,"channels":[[0,1],[1,2],[2,0]]})",  // from here on links go one way
       R"(graph:{"processors":3,"channels":[[0,1,2],[1,2,1],[2,1,2],[2,0,1]]})",
       R"(graph:{"processors":3,"channels":[[2,1],[1,0,2],[0,1]]})",
       R"(graph:{"processors":2,"switches":["a","b"],"channels":[[0,"a"],[1,"a"],["a","b"],["b",0],["b",1]]})"}) {
    for (const std::string rules :
         {"", ",duplex=half", ",ports=single", ",duplex=half,ports=single", ",queue=none", ",queue=1"}) {
      const Fabric fabric = fabric_of(shape + rules);
      for (const std::string name :
           {"reduce", "reduce:root=1,ordered", "allreduce", "allreduce:ordered", "allreduce:parts=2", "prefix",
            "prefix:parts=2", "reduce_scatter", "reduce_scatter:ordered", "barrier", "allreduce:idempotent,parts=2",
            "prefix:idempotent", "reduce:idempotent", "reduce_scatter:idempotent"}) {
        compared += compare(fabric, collective_of(name, fabric), most_work);
      }
    }
  }
  MESSAGE(compared, " questions compared");
  CHECK(compared > 500);
}

TEST_CASE("what is a time-reversed copying collective takes as many steps by the formula over partial reductions") {
  for (const std::string on :
       {"line:4", "ring:4", "ring:5", "complete:4", "mesh:2x3", "hypercube:3", "ring:4,duplex=half",
        "complete:4,ports=single", "ring:4,ports=single,duplex=half", "line:3,capacity=2"}) {
    for (const std::string what : {"reduce:root=1", "reduce:parts=2", "reduce_scatter", "reduce:root=1,idempotent"}) {
      CAPTURE(on);
      CAPTURE(what);
      const SearchResult result = searched(on, what);
      REQUIRE(result.verdict == SearchVerdict::optimal);
      const Fabric fabric = fabric_of(on);
      const Collective collective = collective_of(what, fabric);
      CHECK(formula_holds(fabric, collective, result.steps));
      CHECK_FALSE(formula_holds(fabric, collective, result.steps - 1));
    }
  }
}

TEST_CASE("where switches reduce, a reduction takes as long as trying every schedule says") {
  const std::uint64_t most_work = long_run() ? 10'000'000 : brief ? 20'000 : 50'000;
  int compared = 0;
  for (const std::string shape :
       {"star:2", "star:3", "star:3,capacity=2", "fat_tree:levels=1,capacity=2", "fat_tree:levels=2",
        R"(graph:{"processors":2,"switches":["a","b"],"links":[[0,"a"],["a","b"],["b",1],[0,"b"]]})",
        R"(graph:{"processors":3,"switches":["a","b"],"links":[[0,"a"],["a","b"],["b",1],["b",2]]})",
        R"(graph:{"processors":3,"switches":["a"],"links":[[0,1],[0,"a"],[1,"a"],[2,"a",2]]})"}) {
    for (const std::string rules : {"", ",duplex=half", ",ports=single", ",queue=none", ",queue=1,ports=single"}) {
      for (const std::string what :
           {"reduce", "reduce:root=1", "reduce:parts=2", "reduce_scatter", "reduce:idempotent"}) {
        const std::string on = shape + rules + ",switches=reduce";
        CAPTURE(on);
        CAPTURE(what);
        const Fabric fabric = fabric_of(on);
        const Collective collective = collective_of(what, fabric);
        const SearchResult result = searched(on, what);
        REQUIRE(result.verdict == SearchVerdict::optimal);
        const auto enough = combining_schedule_exists(fabric, collective, result.steps, most_work);
        const auto fewer = combining_schedule_exists(fabric, collective, result.steps - 1, most_work);
        CHECK(enough.value_or(true));
        CHECK_FALSE(fewer.value_or(false));
        compared += (enough ? 1 : 0) + (fewer ? 1 : 0);
      }
    }
  }
  MESSAGE(compared, " questions compared");
  CHECK(compared > 100);
}

TEST_CASE("least numbers of steps that are known") {
  struct Known {
    std::string on;
    std::string what;
    std::uint32_t steps;
  };
  for (const Known& known : {
           Known{"hypercube:3", "allreduce", 3},          // recursive doubling
           Known{"hypercube:3", "allreduce:ordered", 3},  // in the order of dimensions
           Known{"hypercube:3", "prefix", 3},             // as many as hops
           Known{"hypercube:3", "reduce", 3},             //
           Known{"line:6", "prefix", 5},                  // as many as hops
           Known{"line:5", "allreduce", 4},
           Known{"line:5,ports=single,duplex=half", "reduce:root=0", 4},
           Known{"ring:4", "allreduce", 2},
           Known{"ring:4", "reduce_scatter", 2},  // an allgather backwards
           Known{"ring:7", "reduce_scatter", 3},
           Known{"complete:4", "allreduce", 1},               //
           Known{"complete:4", "allreduce:parts=4", 2},       // 12 partial reductions in, 3 a step
           Known{"complete:8,ports=single", "reduce", 3},     // log n rounds
           Known{"complete:4,ports=single", "allreduce", 2},  // recursive doubling
           Known{"star:4", "reduce", 4},  // two go together: not before step 4; three on their own: in steps 2 to 4
           Known{"star:1", "allreduce", 0},
       }) {
    CAPTURE(known.on);
    CAPTURE(known.what);
    const SearchResult result = searched(known.on, known.what);
    CHECK(result.verdict == SearchVerdict::optimal);
    CHECK(result.steps == known.steps);
  }
}

// What a schedule does for one operation it does for one of which more is known, too.
TEST_CASE("what is known of an operation never makes the least number of steps larger") {
  for (const std::string on : {"line:4", "ring:5", "star:3", "star:4", "complete:4,ports=single", "mesh:2x3",
                               "ring:4,duplex=half", "hypercube:3", "fat_tree:levels=2", "ring:5,ports=single"}) {
    for (const std::string kind : {"allreduce", "reduce", "reduce_scatter"}) {
      if (!long_run() && on == "hypercube:3" && kind == "reduce_scatter") continue;  // ordered, it takes a minute
      CAPTURE(on);
      CAPTURE(kind);
      const SearchResult ordered = searched(on, kind + ":ordered", stop_after(20));
      const SearchResult commutative = searched(on, kind, stop_after(20));
      const SearchResult idempotent = searched(on, kind + ":idempotent", stop_after(20));
      if (ordered.verdict == SearchVerdict::optimal) CHECK(commutative.lower_bound <= ordered.steps);
      if (commutative.verdict == SearchVerdict::optimal) CHECK(commutative.steps <= ordered.steps);
      if (idempotent.verdict == SearchVerdict::optimal) CHECK(idempotent.steps <= commutative.steps);
    }
  }
}

TEST_CASE("of an idempotent operation everyone hears within the diameter where there is a port for each link") {
  CHECK(searched("ring:5", "allreduce:idempotent").steps == 2);
  CHECK(searched("ring:33", "barrier").steps == 16);
  CHECK(searched("torus:8x8", "allreduce:idempotent,parts=1").steps == 8);
  CHECK(searched("hypercube:7,ports=single", "barrier").steps == 7);
}

TEST_CASE("too few steps are impossible, and what is not handled is said") {
  const Fabric star = fabric_of("star:4");
  const SearchResult result = search(star, collective_of("allreduce", star), {.steps = 3}, {.evidence = true});
  CHECK(result.verdict == SearchVerdict::impossible);
  REQUIRE(result.impossibility);
  CHECK(result.impossibility->by_formula);
  CHECK(result.impossibility->about == FormulaKind::partial_reductions);
  CHECK_FALSE(result.impossibility->proof.empty());
  CHECK(cannot_search(star, collective_of("allreduce", star), {.inject_once = true}));
  const Fabric limited = fabric_of("star:4,queue=2");
  CHECK(cannot_search(limited, collective_of("allreduce", limited), {.phases = 2}));
  const SearchResult refused = search(star, collective_of("allreduce", star), {.inject_once = true}, {});
  CHECK(refused.verdict == SearchVerdict::unknown);
  CHECK(refused.reason == Reason::unsupported);
  CHECK(refused.why == "rules about injecting and paths are for copying collectives");

  const Fabric torus = fabric_of("torus:9x9");
  const SearchResult large =
      search(torus, collective_of("allreduce", torus), {}, {.limits = {.memory = std::uint64_t{1} << 20}});
  CHECK(large.verdict == SearchVerdict::found);  // by chains
  CHECK(large.lower_bound == 8);
  CHECK(large.reason == Reason::limit);
}

TEST_CASE("on random fabrics the search finds what trying every schedule finds") {
  const std::uint64_t most_work = long_run() ? 100'000 : brief ? 2'000 : 10'000;
  int compared = 0;
  int one_way = 0;
  const std::uint64_t first = reference::first_seed();
  for (std::uint64_t seed = first; seed < first + (long_run() ? 400 : brief ? 60 : 250); ++seed) {
    CAPTURE(seed);
    reference::Dice dice(seed);
    const Fabric fabric = reference::random_fabric(dice);
    const Collective collective = reference::random_collective(dice, fabric.processors());
    if (!collective.combining() || fabric.nodes() > 6 || fabric.processors() < 2) continue;
    if (cannot_search(fabric, collective, {})) continue;
    CAPTURE(fabric.notation());
    CAPTURE(collective.notation());
    SearchOptions options;
    options.limits = stop_after(10);
    const SearchResult result = search(fabric, collective, {}, options);
    if (result.verdict == SearchVerdict::impossible) {
      for (std::uint32_t steps = 1; steps <= 5; ++steps) {
        CHECK_FALSE(combining_schedule_exists(fabric, collective, steps, most_work).value_or(false));
      }
      continue;
    }
    if (result.table) CHECK(check(*result.table).verdict == Verdict::holds);
    if (result.verdict != SearchVerdict::optimal || result.steps == 0) continue;
    const auto exists = combining_schedule_exists(fabric, collective, result.steps, most_work);
    const auto shorter = combining_schedule_exists(fabric, collective, result.steps - 1, most_work);
    CHECK(exists.value_or(true));
    CHECK_FALSE(shorter.value_or(false));
    compared += exists && shorter ? 1 : 0;
    one_way += exists && shorter && fabric.has_one_way_links() ? 1 : 0;
  }
  MESSAGE(compared, " questions compared, from seed ", first, "; ", one_way, " with links that go one way");
  CHECK(compared > (brief ? 0 : 8));
}

}  // namespace
}  // namespace quadrille::tests
