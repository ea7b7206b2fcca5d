// Random tables, and tables that the search finds, come back from the schedules that are written of them: the same rows
// up to lanes, in the same messages. What has no schedule is refused, and each refusal is one of those listed here.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "compiler/compile.h"
#include "compiler/decompile/decompile.h"
#include "dsl/load.h"
#include "model/fabric_notation.h"
#include "model/topologies/without_links.h"
#include "tests/environment.h"
#include "tests/reference/compiled.h"
#include "tests/reference/random_joins.h"
#include "tests/reference/random_reductions.h"
#include "tests/reference/random_rounds.h"
#include "tests/reference/random_tables.h"
#include "verifier/check.h"
#include "verifier/search.h"

namespace quadrille::test_decompiled {

// A message: its step, and its rows without lanes. In steps, or without numbers, each row is one of its own.
// A row has its channel, its packet (where it has joined others in a switch, without its origin), the partial
// reductions that it sends, and whether they are kept.
using SaidOfRow = std::tuple<std::uint32_t, std::string, std::vector<std::uint32_t>, bool>;
using RowsOfMessage = std::pair<std::uint32_t, std::vector<SaidOfRow>>;

SaidOfRow said_of_row(const SendTable& table, const StepRows& step, std::size_t i) {
  const Row& row = step.rows[i];
  const ChunkName name = table.collective.name(row.chunk);
  const Channel& channel = table.fabric.channel(row.channel);
  const bool combining = table.collective.combining();
  const bool joined = combining && table.fabric.switches_reduce() && !table.fabric.is_processor(channel.from);
  SaidOfRow said{row.channel.value,
                 joined ? fmt::format("{} {}", name.target.value_or(0), name.part) : table.collective.label(row.chunk),
                 {},
                 false};
  if (step.uses.empty()) return said;
  const ReductionUse& use = step.uses[i];
  // Idempotent operations may take any partial reductions for a sum; the one held need not be named; a + b is b + a.
  auto& sent = std::get<2>(said);
  if (channel.from.value == name.origin && !table.collective.idempotent()) sent = use.sent;
  if (sent.size() > 1) std::sort(sent.begin(), sent.begin() + 2);
  if (sent == std::vector<std::uint32_t>{0}) sent.clear();
  std::get<3>(said) = name.target == channel.to.value && use.arrival == Arrival::kept;
  return said;
}

std::vector<RowsOfMessage> messages(const SendTable& table) {
  std::vector<RowsOfMessage> all;
  const auto cursor = table.rows->open();
  while (const auto step = cursor->next()) {
    std::map<std::uint64_t, RowsOfMessage> numbered;
    for (std::size_t i = 0; i < step->rows.size(); ++i) {
      RowsOfMessage& message = numbered[step->messages.empty() ? i : step->messages[i].value];
      message.first = step->step.value;
      message.second.push_back(said_of_row(table, *step, i));
    }
    for (auto& [number, message] : numbered) {
      std::ranges::sort(message.second);
      all.push_back(std::move(message));
    }
  }
  std::ranges::sort(all);
  return all;
}

// The sentence without its names and numbers: "packet …, which comes to switch … in step …, never leaves it".
std::string shape(const std::string& sentence) {
  std::string result;
  for (std::size_t at = 0; at < sentence.size();) {
    const std::size_t end = std::min(sentence.find(' ', at), sentence.size());
    std::string word = sentence.substr(at, end - at);
    const auto special = [](unsigned char c) { return std::isdigit(c) != 0 || c == '_' || c == '*'; };
    if (std::ranges::any_of(word, special)) word = word.ends_with(',') ? "#," : "#";
    result += (result.empty() ? "" : " ") + word;
    at = end + 1;
  }
  return result;
}

// Compares tables with what their schedules give, and counts refusals.
class Comparison {
 public:
  void add(const SendTable& table) {
    ++tables_;
    const auto text = decompile(table);
    if (!text) {
      REQUIRE(text.diagnostics().front().code == Code::unsupported);
      ++refusals_[shape(text.diagnostics().front().message)];
      return;
    }
    CAPTURE(*text);
    const auto compiled = reference::compiled(*text, "again");
    REQUIRE_MESSAGE(compiled.schedule, compiled.errors);
    const Result<SendTable> again = elaborate(compiled.schedule, {});
    REQUIRE_MESSAGE(again.ok(), again.diagnostics().front().message);
    CHECK(again->collective.notation() == table.collective.notation());
    CHECK(again->fabric.rules() == table.fabric.rules());
    CHECK(again->fabric.nodes() == table.fabric.nodes());
    CHECK(std::ranges::equal(again->fabric.all_channels(), table.fabric.all_channels(), {}, &ends, &ends));
    CHECK(messages(*again) == messages(table));
    if (table.rows->has_partial_reductions()) {
      ++with_reductions_;
      ++written_;
      const Report before = check(table);
      const Report after = check(*again);
      if (before.of(Property::well_formed).violations > 0) return;  // other lanes may mend a message
      // What is said of an arrival may change what else is wrong where something is.
      for (const Property property : {Property::causal, Property::complete})
        CHECK((after.of(property).violations == 0) == (before.of(property).violations == 0));
    } else {
      ++written_;
    }
  }

  std::uint32_t written() const { return written_; }
  std::uint32_t with_reductions() const { return with_reductions_; }
  std::string counted() const {
    std::string text = fmt::format("{} of {} tables have a schedule, {} of them with partial reductions\n", written_,
                                   tables_, with_reductions_);
    for (const auto& [sentence, times] : refusals_) text += fmt::format("{:6} {}\n", times, sentence);
    return text;
  }
  const std::map<std::string, std::uint32_t>& refusals() const { return refusals_; }

 private:
  static std::tuple<NodeId, NodeId, std::uint32_t> ends(const Channel& channel) {
    return {channel.from, channel.to, channel.capacity};
  }

  std::uint32_t tables_ = 0;
  std::uint32_t written_ = 0;
  std::uint32_t with_reductions_ = 0;
  std::map<std::string, std::uint32_t> refusals_;
};

Fabric fabric(const std::string& notation, const std::vector<std::string>& without) {
  const Result<Fabric> whole = parse_fabric({"", notation}, 0, {}, language_families());
  REQUIRE_MESSAGE(whole.ok(), notation);
  const Result<Fabric> rest = without_links(*whole, without);
  REQUIRE(rest.ok());
  return *rest;
}

TEST_CASE("random tables come back") {
  Comparison steps;
  Comparison rounds;
  const std::uint64_t first = reference::first_seed();
  const std::uint64_t seeds = tests::share(9000);
  for (std::uint64_t seed = first; seed < first + seeds; ++seed) {
    CAPTURE(seed);
    steps.add(reference::random_table(seed));
    rounds.add(reference::random_rounds_table(seed));
  }
  MESSAGE(steps.counted());
  MESSAGE(rounds.counted());
  CHECK(steps.written() > seeds / 4);
  CHECK(rounds.written() > seeds / 4);
}

TEST_CASE("random tables with partial reductions come back") {
  Comparison comparison;
  const std::uint64_t first = reference::first_seed();
  const std::uint64_t seeds = tests::share(6000);
  for (std::uint64_t seed = first; seed < first + seeds; ++seed) {
    CAPTURE(seed);
    reference::Dice dice(seed);
    for (SendTable table : {reference::random_table(seed), reference::random_rounds_table(seed)}) {
      table.rows = reference::perhaps_with_words(table.rows, table.collective, dice);
      if (table.rows->has_partial_reductions()) comparison.add(table);
    }
  }
  MESSAGE(comparison.counted());
  CHECK(comparison.with_reductions() > seeds / 100);
}

TEST_CASE("schedules with partial reductions come back, placed on other fabrics") {
  const std::vector<std::string> of_eight{"dgx1",
                                          "ring:8",
                                          "leaf_spine:hosts=8,leaves=2,spines=2",
                                          "hypercube:3",
                                          "complete:8",
                                          "torus:2x4",
                                          "leaf_spine:hosts=8,leaves=2,spines=2,switches=reduce",
                                          "star:8,ports=single",
                                          "complete:8,timing=rounds",
                                          "dgx1:timing=rounds"};
  const std::vector<std::string> of_nine{"torus:3x3", "mesh:3x3", "ring:9", "star:9", "star:9,timing=rounds"};
  struct Sized {
    std::string name;
    Arguments arguments;
    std::vector<std::string> fabrics;
  };
  const std::vector<Sized> schedules{{"allreduce_by_dimensions", {{"sides", "[3,3]"}}, of_nine},
                                     {"allreduce_by_dimensions", {{"sides", "[2,4]"}}, of_eight},
                                     {"allreduce_one_shot_hierarchical", {{"N", "8"}, {"gpus", "4"}}, of_eight},
                                     {"allreduce_one_shot_ordered", {{"N", "8"}}, of_eight},
                                     {"exclusive_prefix_recursive_doubling", {{"N", "8"}}, of_eight},
                                     {"exclusive_prefix_linear", {{"N", "9"}}, of_nine}};
  Comparison placed;
  for (const auto& [name, arguments, fabrics] : schedules) {
    const auto compiled = reference::compiled(std::string(shipped_schedule(name)->text), name);
    REQUIRE_MESSAGE(compiled.schedule, compiled.errors);
    for (const std::string& notation : fabrics) {
      CAPTURE(name);
      CAPTURE(notation);
      const Fabric on = fabric(notation, {});
      for (const bool retime : {false, true}) {
        ElaborateOptions options;
        options.fabric = on;
        options.retime = retime;
        const Result<SendTable> table = elaborate(compiled.schedule, arguments, options);
        REQUIRE_MESSAGE(table, table.diagnostics().front().message);
        placed.add(*table);
      }
    }
  }
  MESSAGE(placed.counted());
  CHECK_MESSAGE(placed.refusals().empty(), placed.counted());
  CHECK(placed.with_reductions() >= 60);
}

TEST_CASE("random joins come back") {
  Comparison joins;
  const std::uint64_t seeds = tests::share(600);
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    CAPTURE(seed);
    reference::Dice dice(seed);
    Rules rules;
    rules.switches = Switching::reduce;
    const Fabric on = reference::random_fabric(dice).with_rules(rules);
    const Result<Collective> sum = parse_collective({"", "allreduce"}, 0, on.processors());
    REQUIRE(sum.ok());
    joins.add({on, *sum, "", {}, std::make_shared<StoredRows>(reference::joining_rows(dice, on, *sum))});
  }
  MESSAGE(joins.counted());
  CHECK(joins.written() > seeds / 2);
}

TEST_CASE("what the search finds on machines comes back") {
  struct Machine {
    std::string notation;
    std::vector<std::string> without;
  };
  const std::string graph = R"(graph:{"processors":4,"switches":["a-1","b"],"links":[[0,"a-1"],[1,"a-1"],[2,"b"],)"
                            R"([3,"b"],["a-1","b"]]})";
  const std::vector<Machine> machines{{"nvswitch:gpus=4", {}},
                                      {"dgx_a100", {}},
                                      {"rails:servers=2,gpus=2", {}},
                                      {"leaf_spine:hosts=8,leaves=2,spines=2", {}},
                                      {"star:5", {}},
                                      {"star:4,ports=single", {}},
                                      {"dgx1", {}},
                                      {"crossbar:4", {}},
                                      {"fat_tree:levels=2", {}},
                                      {graph, {}},
                                      {"torus:3x3", {"0--1"}},
                                      {"leaf_spine:hosts=4,leaves=2,spines=2", {"leaf[0]--spine[0]"}},
                                      {"rails:servers=2,gpus=2,links=1,timing=rounds", {}},
                                      {"dgx1:timing=rounds", {"0--1"}},
                                      {"star:5,switches=reduce", {}},
                                      {"leaf_spine:hosts=6,leaves=3,spines=2,switches=reduce", {}},
                                      {"nvswitch:gpus=4,switches=forward", {}},
                                      {"fat_tree:levels=2,switches=reduce,timing=rounds", {}}};
  Comparison found;
  for (const Machine& machine : machines) {
    for (const std::string what : {"broadcast:root=0", "allgather", "total_exchange", "reduce:root=0", "allreduce"}) {
      CAPTURE(machine.notation);
      CAPTURE(what);
      const Fabric on = fabric(machine.notation, machine.without);
      const Result<Collective> collective = parse_collective({"", what}, 0, on.processors());
      REQUIRE(collective.ok());
      SearchOptions options;
      options.limits.deadline = Limits::Clock::now() + std::chrono::milliseconds(300);
      const SearchResult result = search(on, *collective, {}, options);
      if (result.table) found.add(*result.table);
    }
  }
  MESSAGE(found.counted());
  CHECK(found.written() > 60);
  // Messages that join in switches have no sends yet.
  const std::string joining = "in round # a message joins on its way what # and # send";
  for (const auto& [sentence, times] : found.refusals()) CHECK(sentence == joining);
}

}  // namespace quadrille::test_decompiled
