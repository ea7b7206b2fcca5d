// The search against the slow reference that tries every schedule, and against what is known.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "model/fabric_notation.h"
#include "model/route.h"
#include "tests/environment.h"
#include "tests/reference/random_tables.h"
#include "tests/verifier/every_schedule.h"
#include "tests/verifier/stop_after.h"
#include "verifier/check.h"
#include "verifier/search.h"

namespace quadrille::tests {
namespace {

constexpr std::uint64_t most_work = 6'000;  // for each question to the reference
constexpr std::uint32_t most_steps = 6;

Fabric fabric_of(const std::string& notation) { return parse_fabric({"", notation}, 0).value(); }

Collective collective_of(const std::string& notation, const Fabric& fabric) {
  return parse_collective({"", notation}, 0, fabric.processors()).value();
}

std::vector<StoredRows::StepRow> rows_of(const SendTable& table) {
  std::vector<StoredRows::StepRow> rows;
  for (const auto& [step, row] : all_rows(table)) rows.push_back({step, row});
  return rows;
}

// --- what the checker does not look at ------------------------------------------------------------------------------

bool leaves_once(const SendTable& table) {
  std::map<std::pair<ChunkId, NodeId>, StepId> left;
  for (const auto& [step, row] : rows_of(table)) {
    const NodeId from = table.fabric.channel(row.channel).from;
    if (!table.fabric.is_processor(from) || !table.collective.starts_at(row.chunk, from)) continue;
    if (left.try_emplace({row.chunk, from}, step).first->second != step) return false;
  }
  return true;
}

// Of packets that start at one processor, on a tree or star.
bool keeps_to_paths(const SendTable& table) {
  if (table.fabric.topology().tree() == nullptr) return true;
  const Router router(table.fabric);
  for (const auto& [step, row] : rows_of(table)) {
    std::vector<std::uint32_t> starts;
    for (std::uint32_t p = 0; p < table.fabric.processors(); ++p) {
      if (table.collective.starts_at(row.chunk, NodeId{p})) starts.push_back(p);
    }
    if (starts.size() != 1) continue;
    std::vector<ChannelId> paths;
    for (std::uint32_t p = 0; p < table.fabric.processors(); ++p) {
      if (table.collective.demand(row.chunk, NodeId{p})) router.append_route(NodeId{starts[0]}, NodeId{p}, paths);
    }
    if (std::find(paths.begin(), paths.end(), row.channel) == paths.end()) return false;
  }
  return true;
}

// The fewest phases that its steps fall into, where what arrives leaves in a later phase: each as long as can be.
std::uint32_t phases_of(const SendTable& table) {
  std::map<std::pair<ChunkId, NodeId>, std::uint32_t> arrived;  // first, in which phase
  std::vector<StoredRows::StepRow> rows = rows_of(table);
  std::uint32_t phase = rows.empty() ? 0 : 1;
  for (auto begin = rows.begin(); begin != rows.end();) {
    const auto end = std::find_if(begin, rows.end(), [&](const auto& it) { return it.step != begin->step; });
    const bool too_soon = std::any_of(begin, end, [&](const auto& it) {
      const auto known = arrived.find({it.row.chunk, table.fabric.channel(it.row.channel).from});
      return known != arrived.end() && known->second == phase;
    });
    phase += too_soon ? 1 : 0;
    for (; begin != end; ++begin) {
      arrived.try_emplace({begin->row.chunk, table.fabric.channel(begin->row.channel).to}, phase);
    }
  }
  return phase;
}

bool keeps(const SendTable& table, const SearchGoal& goal) {
  return check(table).verdict == Verdict::holds && (!goal.inject_once || leaves_once(table)) &&
         (!goal.keep_to_paths || keeps_to_paths(table)) && (!goal.phases || phases_of(table) <= *goal.phases);
}

// --- the reference
// ----------------------------------------------------------------------------------------------------

// The fewest steps; nothing if that is more than a few, or too much work to know.
std::optional<std::uint32_t> fewest_steps(const Fabric& fabric, const Collective& collective, const SearchGoal& goal) {
  for (std::uint32_t steps = 0; steps <= most_steps; ++steps) {
    const Certificate asked{fabric, collective, steps, goal.inject_once, goal.keep_to_paths, goal.phases, {}};
    const auto exists = schedule_exists(asked, most_work);
    if (!exists) return std::nullopt;
    if (*exists) return steps;
  }
  return std::nullopt;
}

std::string name_of(const Fabric& fabric, const Collective& collective, const SearchGoal& goal) {
  return fabric.notation() + " " + collective.notation() + (goal.inject_once ? " once" : "") +
         (goal.keep_to_paths ? " kept" : "") + (goal.phases ? " phases " + std::to_string(*goal.phases) : "");
}

// Requires that no schedule takes fewer than `fewest` steps, and one takes so many.
void require_optimum(const Fabric& fabric, const Collective& collective, SearchGoal goal, std::uint32_t fewest,
                     const SearchOptions& options) {
  CAPTURE(name_of(fabric, collective, goal));
  CAPTURE(fewest);
  for (const Bound& bound : lower_bounds(fabric, collective)) {
    CAPTURE(bound.reason);
    REQUIRE(bound.steps.value() <= fewest);
  }
  if (goal.phases) goal.steps = std::max(fewest, 1U);  // phases without steps may be too few for any number of them
  const SearchResult result = search(fabric, collective, goal, options);
  REQUIRE(result.table.has_value());
  REQUIRE(result.steps >= fewest);
  if (!goal.steps) REQUIRE(result.verdict == SearchVerdict::optimal);
  if (result.verdict == SearchVerdict::optimal) REQUIRE(result.lower_bound == fewest);
  REQUIRE(result.steps == fewest);
  REQUIRE(check(*result.table).steps == fewest);
  REQUIRE(keeps(*result.table, goal));
  if (fewest < 2) return;
  goal.steps = fewest - 1;
  const SearchResult fewer = search(fabric, collective, goal, options);
  REQUIRE(fewer.verdict == SearchVerdict::impossible);
  REQUIRE(fewer.lower_bound == fewest);
  REQUIRE(fewer.impossibility.value().steps == fewest - 1);
}

// In all ways to inject, to keep to paths and to divide into phases; how many were not too much for the reference.
int compare(const Fabric& fabric, const Collective& collective, bool z3) {
  int compared = 0;
  for (const unsigned ways : {0U, 1U, 2U, 3U}) {
    for (std::uint32_t phases = 0; phases <= (fabric.rules().queue.limit ? 0U : 3U); ++phases) {
      SearchGoal goal;
      goal.inject_once = (ways & 1U) != 0;
      goal.keep_to_paths = (ways & 2U) != 0;
      if (phases > 0) goal.phases = phases;
      const auto fewest = fewest_steps(fabric, collective, goal);
      if (!fewest) continue;
      SearchOptions options;
      options.engine = z3 ? Engine::z3 : Engine::cadical;
      require_optimum(fabric, collective, goal, *fewest, options);
      ++compared;
    }
  }
  return compared;
}

const std::vector<std::string> shapes = {
    "line:2",
    "line:3",
    "ring:3",
    "ring:4",
    "line:3,capacity=2",
    "complete:3",
    "star:3",
    "star:3,capacity=2",
    "fat_tree:levels=1",
    "fat_tree:levels=1,capacity=2",
    "fat_tree:levels=2",
    "fat_tree:levels=2,capacity=exponential",
    R"(graph:{"processors":2,"switches":["a","b"],"links":[[0,"a"],["a","b"],["b",1],[0,"b"]]})",
    R"(graph:{"processors":2,"switches":["a"],"channels":[[0,"a",1],["a",0,2],[1,"a",2],["a",1,1]]})",
    R"(graph:{"processors":3,"channels":[[0,1],[1,2],[2,0]]})",  // from here on links go one way
    R"(graph:{"processors":3,"channels":[[0,1,2],[1,2,1],[2,1,2],[2,0,1]]})",
    R"(graph:{"processors":2,"switches":["a","b"],"channels":[[0,"a"],[1,"a"],["a","b"],["b",0],["b",1]]})"};

const std::vector<std::string> collectives = {
    "broadcast",
    "scatter",
    "gather:root=1",
    "allgather",
    "total_exchange",
    R"(custom:{"chunks":[{"origin":0,"held_by":[0],"wanted_by":[1]},{"origin":0,"part":1,"held_by":[0,1],"wanted_by":[0,1]}]})"};

TEST_CASE("the search finds what trying every schedule finds") {
  int compared = 0;
  for (const std::string& shape : shapes) {
    for (const std::string rules : {"", ",duplex=half", ",ports=single", ",duplex=half,ports=single", ",queue=none",
                                    ",queue=1", ",queue=1,ports=single"}) {
      const Fabric fabric = fabric_of(shape + rules);
      for (const std::string& name : collectives) compared += compare(fabric, collective_of(name, fabric), false);
    }
  }
  MESSAGE(compared, " questions compared");
  CHECK(compared > 1000);
}

TEST_CASE("what can never be where packets leave in one step only is impossible, and the search ends") {
  struct Never {
    std::string on;
    std::string what;
    bool kept;
  };
  for (const Never& never : {Never{"star:3,switches=forward", "broadcast", true},
                             {"line:3,ports=single", "broadcast:root=1", false},
                             {"line:4,ports=single", "allgather", false},
                             {"fat_tree:levels=2,switches=forward", "allgather", true}}) {
    CAPTURE(never.on);
    CAPTURE(never.what);
    const Fabric fabric = fabric_of(never.on);
    const SearchGoal goal{.inject_once = true, .keep_to_paths = never.kept};
    const SearchResult result = search(fabric, collective_of(never.what, fabric), goal, {});
    CHECK(result.verdict == SearchVerdict::impossible);
    CHECK_FALSE(result.lower_bound);
    CHECK(result.impossibility.value().narrowed.inject_once);
  }
}

TEST_CASE("of random questions about packets that leave in one step only none is called impossible that is not") {
  int impossible = 0;
  const std::uint64_t first = reference::first_seed();
  for (std::uint64_t seed = first; seed < first + (brief ? 40 : 400); ++seed) {
    CAPTURE(seed);
    reference::Dice dice(seed);
    const Fabric fabric = reference::random_fabric(dice);
    const Collective collective = reference::random_collective(dice, fabric.processors());
    const SearchGoal goal{.inject_once = true, .keep_to_paths = dice.one_in(2) && fabric.topology().tree() != nullptr};
    if (cannot_search(fabric, collective, goal) || fabric.switches_forward()) continue;
    CAPTURE(fabric.notation());
    CAPTURE(collective.notation());
    const SearchResult result = search(fabric, collective, goal, {.limits = stop_after(20)});
    if (result.verdict != SearchVerdict::impossible) continue;
    ++impossible;
    REQUIRE_FALSE(fewest_steps(fabric, collective, goal));
  }
  MESSAGE(impossible, " impossible, from seed ", first);
  if (!brief) CHECK(impossible > 0);
}

TEST_CASE("so it is where switches forward, or reduce, which is copying here") {
  int compared = 0;
  for (const std::string& shape : shapes) {
    if (!fabric_of(shape).has_switches()) continue;
    for (const std::string rules :
         {",switches=forward", ",ports=single,switches=forward", ",duplex=half,queue=1,switches=forward",
          ",queue=none,switches=forward", ",queue=1,switches=forward", ",queue=none,switches=reduce"}) {
      const Fabric fabric = fabric_of(shape + rules);
      for (const std::string& name : collectives) compared += compare(fabric, collective_of(name, fabric), false);
    }
  }
  MESSAGE(compared, " questions compared");
  CHECK(compared > 400);
}

TEST_CASE("so does Z3") {
  int compared = 0;
  for (const std::string& shape : shapes) {
    const Fabric fabric = fabric_of(shape);
    for (const std::string& name : collectives) compared += compare(fabric, collective_of(name, fabric), true);
  }
  MESSAGE(compared, " questions compared");
  CHECK(compared > 100);
}

TEST_CASE("so it is on random fabrics") {
  int compared = 0;
  const std::uint64_t first = reference::first_seed();
  for (std::uint64_t seed = first; seed < first + 150; ++seed) {
    CAPTURE(seed);
    reference::Dice dice(seed);
    const Fabric fabric = reference::random_fabric(dice);
    const Collective collective = reference::random_collective(dice, fabric.processors());
    if (fabric.nodes() > 6 || collective.combining()) continue;
    compared += compare(fabric, collective, false);
  }
  MESSAGE(compared, " questions compared, from seed ", first);
  CHECK(compared > 10);
}

// --- what is known --------------------------------------------------------------------------------------------------

struct Known {
  std::string collective;
  std::string fabric;
  std::uint32_t steps;
  bool inject_once = false;
};

TEST_CASE("optima that are known") {
  for (const Known& known : std::vector<Known>{
           {"total_exchange", "fat_tree:levels=1,capacity=exponential", 2},
           {"total_exchange", "fat_tree:levels=2,capacity=exponential", 6},
           {"total_exchange", "fat_tree:levels=2,capacity=exponential,queue=none", 6},
           {"total_exchange", "fat_tree:levels=3,capacity=exponential", 11},
           {"total_exchange", "fat_tree:levels=3,capacity=exponential,queue=none", 11},
           {"total_exchange", "fat_tree:levels=2", 7},
           {"total_exchange", "fat_tree:levels=3", 21},
           {"allgather", "fat_tree:levels=2,queue=none", 5, true},
           {"allgather", "fat_tree:levels=3,queue=none", 13, true},
           {"scatter", "fat_tree:levels=3", 9},
           {"gather", "fat_tree:levels=3", 9},
           {"scatter", "fat_tree:levels=4,queue=none", 17},
           {"broadcast", "hypercube:4", 4},
           {"allgather", "ring:9", 4},
           {"allgather", "complete:8,ports=single", 7},
       }) {
    const Fabric fabric = fabric_of(known.fabric);
    SearchGoal goal;
    goal.inject_once = known.inject_once;
    goal.keep_to_paths = known.collective == "total_exchange" || known.inject_once;
    require_optimum(fabric, collective_of(known.collective, fabric), goal, known.steps, {});
  }
}

TEST_CASE("the same question gets the same table") {
  for (const std::string notation : {"fat_tree:levels=2,queue=none", "ring:5,duplex=half", "mesh:2x3,ports=single"}) {
    const Fabric fabric = fabric_of(notation);
    for (const std::string name : {"allgather", "total_exchange"}) {
      CAPTURE(notation);
      CAPTURE(name);
      const SearchResult first = search(fabric, collective_of(name, fabric), {}, {});
      const SearchResult second = search(fabric, collective_of(name, fabric), {}, {});
      REQUIRE(first.verdict == SearchVerdict::optimal);
      REQUIRE(to_string(first.method) == to_string(second.method));
      REQUIRE(rows_of(first.table.value()) == rows_of(second.table.value()));
    }
  }
}

TEST_CASE("a search that is cut short says nothing that is not so") {
  const Fabric fabric = fabric_of("fat_tree:levels=3,queue=none");
  const Collective collective = collective_of("allgather", fabric);
  for (int most = 0; most < 60; ++most) {
    CAPTURE(most);
    SearchOptions options;
    options.limits = stop_after(most);
    const SearchResult result = search(fabric, collective, {std::nullopt, true, true, std::nullopt}, options);
    REQUIRE(result.lower_bound.value() <= 13);
    REQUIRE(result.verdict != SearchVerdict::impossible);
    const bool settled = result.verdict == SearchVerdict::optimal;
    REQUIRE(result.reason == (settled ? Reason::none : Reason::cancelled));
    REQUIRE((result.table.has_value() || result.verdict == SearchVerdict::unknown));
    if (result.table) REQUIRE(result.steps >= 13);
  }
}

TEST_CASE("what does not fit into memory is unknown") {
  const Fabric fabric = fabric_of("fat_tree:levels=3,queue=none");
  SearchOptions options;
  options.limits.memory = 1000;
  const SearchResult result =
      search(fabric, collective_of("allgather", fabric), {12, true, true, std::nullopt}, options);
  CHECK(result.verdict == SearchVerdict::unknown);
  CHECK(result.reason == Reason::limit);
  CHECK(result.why.find(" do not fit into 1 MiB of memory") != std::string::npos);
}

// Chunk 1 is where it is wanted, and yet the schedule moves it.
TEST_CASE("a known schedule that keeps words is taken, and nothing is said of it by formulas that know none") {
  const Fabric fabric = fabric_of("complete:3,ports=single");
  const Collective collective = collective_of("allreduce", fabric);
  std::vector<StoredRows::StepRow> rows;
  for (std::uint32_t d = 1; d <= 2; ++d) {
    for (std::uint32_t k = 0; k < 3; ++k) {
      const std::uint32_t to = (k + d) % 3;
      rows.push_back(
          {StepId(d), {*fabric.channel_between(NodeId(k), NodeId(to)), LaneId(0), *collective.chunk({k, to, 0})}});
    }
  }
  const std::vector<ReductionUse> kept(rows.size(), ReductionUse{{0}, Arrival::kept});
  const SendTable two{
      fabric, collective, "two", {}, std::make_shared<StoredRows>(rows, std::vector<MessageId>{}, kept)};
  REQUIRE(check(two).verdict == Verdict::holds);
  SearchOptions options;
  options.known = {two};
  const SearchResult result = search(fabric, collective, {}, options);
  CHECK(result.verdict == SearchVerdict::optimal);  // by counting
  CHECK(result.steps == 2);
  CHECK_FALSE(result.impossibility.value().narrowed.no_kept_reductions);
}

TEST_CASE("a known schedule with packets that nobody needs is passed over") {
  const Fabric fabric = fabric_of("star:2");
  const Collective collective = collective_of(collectives.back(), fabric);
  const NodeId top{2};
  std::vector<StoredRows::StepRow> rows;
  for (std::uint64_t chunk = 0; chunk < 2; ++chunk) {
    for (std::uint32_t hop = 0; hop < 2; ++hop) {
      const auto channel = hop == 0 ? fabric.channel_between(NodeId{0}, top) : fabric.channel_between(top, NodeId{1});
      rows.push_back({StepId{1 + hop + static_cast<std::uint32_t>(chunk)}, {*channel, LaneId{0}, ChunkId{chunk}}});
    }
  }
  SearchOptions options;
  options.known = {{fabric, collective, "wasteful", {}, std::make_shared<StoredRows>(std::move(rows))}};
  const SearchResult result = search(fabric, collective, {std::nullopt, true, true, std::nullopt}, options);
  CHECK(result.verdict == SearchVerdict::optimal);
  CHECK(result.steps == 2);
}

}  // namespace
}  // namespace quadrille::tests
