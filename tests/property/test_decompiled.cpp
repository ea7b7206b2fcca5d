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
#include "model/fabric_notation.h"
#include "model/topologies/without_links.h"
#include "tests/environment.h"
#include "tests/reference/compiled.h"
#include "tests/reference/random_joins.h"
#include "tests/reference/random_rounds.h"
#include "tests/reference/random_tables.h"
#include "verifier/search.h"

namespace quadrille::test_decompiled {

// A message: its step, and its rows without lanes. In steps, or without numbers, each row is one of its own.
using RowsOfMessage = std::pair<std::uint32_t, std::vector<std::pair<std::uint32_t, std::uint64_t>>>;

std::vector<RowsOfMessage> messages(const SendTable& table) {
  std::vector<RowsOfMessage> all;
  const auto cursor = table.rows->open();
  while (const auto step = cursor->next()) {
    std::map<std::uint64_t, RowsOfMessage> numbered;
    for (std::size_t i = 0; i < step->rows.size(); ++i) {
      RowsOfMessage& message = numbered[step->messages.empty() ? i : step->messages[i].value];
      message.first = step->step.value;
      message.second.emplace_back(step->rows[i].channel.value, step->rows[i].chunk.value);
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
    ++written_;
  }

  std::uint32_t written() const { return written_; }
  std::string counted() const {
    std::string text = fmt::format("{} of {} tables have a schedule\n", written_, tables_);
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

TEST_CASE("random joins come back") {
  Comparison joins;
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
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
  CHECK(joins.written() > 300);
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
}

}  // namespace quadrille::test_decompiled
