// Spread, a schedule has the same sends at the same times by routes of the same lengths, brings the same, and breaks no
// rule that it kept; no channel carries more than the fullest one did. In rounds a message may be several.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "compiler/language_families.h"
#include "compiler/rows/evaluated_cursor.h"
#include "model/fabric_notation.h"
#include "tests/compiler/compile_text.h"
#include "tests/environment.h"
#include "tests/reference/random_tables.h"
#include "verifier/check.h"

namespace quadrille::spreading {
namespace {

const std::uint64_t schedules = tests::share(4000);

const std::vector<std::string> fabrics = {"dgx_a100",
                                          "dgx2",
                                          "clos:m=3,n=2,r=3",
                                          "clos3:4",
                                          "hyperx:side=2,dimensions=3",
                                          "bcube:n=2,levels=3",
                                          "de_bruijn:3",
                                          "rails:servers=2,gpus=4",
                                          "dragonfly:routers=2,hosts=1,global=1",
                                          "dgx_h100",
                                          "dgx1"};

Fabric fabric_with_ways(reference::Dice& dice) {
  const std::string& name = fabrics[dice.below(static_cast<std::uint32_t>(fabrics.size()))];
  const Fabric fabric = parse_fabric({"", name}, 0, {}, language_families()).value();
  Rules rules = fabric.rules();
  rules.timing = dice.one_in(2) ? Timing::rounds : Timing::steps;
  if (rules.timing == Timing::rounds && dice.one_in(2)) rules.paths = Paths::shared;
  rules.ports = dice.one_in(4) ? Ports::single : Ports::multi;
  rules.duplex = dice.one_in(4) ? Duplex::half : Duplex::full;
  rules.switches = static_cast<Switching>(dice.below(3));
  return fabric.with_rules(rules);
}

// Sends at random times, some of what comes by others, some of all parts. `for_all`: what is sent is for all
// processors; then some are to several.
std::string random_sends(reference::Dice& dice, const Fabric& fabric, std::uint32_t parts, bool for_all) {
  std::string text;
  const std::uint32_t n = fabric.processors();
  const std::uint32_t last = dice.from_to(2, 12);
  const bool sets = for_all && !dice.one_in(3);
  for (std::uint32_t step = 1; step <= last; ++step) {
    for (std::uint32_t i = dice.below(n); i > 0; --i) {
      const std::uint32_t from = dice.below(n);
      std::set<std::uint32_t> to;
      for (std::uint32_t most = sets ? dice.from_to(1, 4) : 1; most > 0; --most) to.insert(dice.below(n));
      to.erase(from);
      if (to.empty()) continue;
      text += sets ? fmt::format("at {}: send {} -> {{{}}}", step, from, fmt::join(to, ", "))
                   : fmt::format("at {}: send {} -> {}", step, from, *to.begin());
      const std::string target = for_all ? "*" : std::to_string(*to.begin());
      if (parts > 1 && !dice.one_in(4)) text += fmt::format(" carrying {} -> {} part 0..{}", from, target, parts - 1);
      text += "\n";
    }
  }
  return text;
}

// A send's packet, and the steps of its hops; or in rounds, with the rounds, where it comes to: the same by any route.
using Sent = std::tuple<SendSerial, ChunkId, std::vector<std::pair<std::uint32_t, NodeId>>>;

std::vector<Sent> sends_of(const SendTable& table) {
  std::map<std::pair<SendSerial, ChunkId>, std::vector<std::pair<std::uint32_t, NodeId>>> sent;
  const auto rows = dynamic_cast<const PlannedRows&>(*table.rows).open_traced();
  while (const auto step = rows->next()) {
    std::map<std::tuple<MessageId, SendSerial, ChunkId>, std::pair<std::set<NodeId>, std::set<NodeId>>> ends;
    for (std::size_t i = 0; i < step->rows.size(); ++i) {
      const Row& row = step->rows[i];
      const Channel& channel = table.fabric.channel(row.channel);
      if (table.fabric.in_rounds()) {
        auto& [from, to] = ends[{step->messages[i], rows->trace()[i], row.chunk}];
        from.insert(channel.from), to.insert(channel.to);
      } else {
        sent[{rows->trace()[i], row.chunk}].emplace_back(step->step.value, NodeId(0));
      }
    }
    for (const auto& [key, nodes] : ends) {
      for (const NodeId to : nodes.second) {
        if (!nodes.first.contains(to))
          sent[{std::get<SendSerial>(key), std::get<ChunkId>(key)}].emplace_back(step->step.value, to);
      }
    }
  }
  std::vector<Sent> all;
  for (auto& [send, places] : sent) {
    std::ranges::sort(places);
    all.emplace_back(send.first, send.second, places);
  }
  return all;
}

// By the fabric's lanes: the fullest channel of all steps together, or of each round, added up.
double load_of(const SendTable& table) {
  std::map<std::pair<std::uint32_t, ChannelId>, double> loads;
  for (const auto& [step, row] : all_rows(table)) {
    const ChannelId counted =
        table.fabric.rules().duplex == Duplex::half ? table.fabric.link(row.channel) : row.channel;
    loads[{table.fabric.in_rounds() ? step.value : 0, counted}] += 1.0 / table.fabric.channel(counted).capacity;
  }
  std::map<std::uint32_t, double> greatest;
  for (const auto& [key, load] : loads) greatest[key.first] = std::max(greatest[key.first], load);
  double sum = 0;
  for (const auto& [period, load] : greatest) sum += load;
  return sum;
}

// Which of several rows with the same contribution counts twice depends on their order, which is by channel.
bool counts_twice(const Report& report) {
  return std::ranges::any_of(report.violations, [](const Violation& it) {
    return it.property == Property::complete && it.message.find("counted twice") != std::string::npos;
  });
}

}  // namespace

TEST_CASE("spread, a schedule has the same sends at the same times, and brings the same") {
  const std::uint64_t first = reference::first_seed();
  std::uint64_t changed = 0;
  for (std::uint64_t seed = first; seed < first + schedules; ++seed) {
    reference::Dice dice(seed);
    const Fabric fabric = fabric_with_ways(dice);
    const char* const collectives[] = {"allgather", "total_exchange", "allreduce", "reduce_scatter"};
    const std::uint32_t kind = dice.below(4);
    const std::uint32_t parts = dice.one_in(2) ? 1 : dice.from_to(2, 40);
    const std::string text = fmt::format("collective {}(parts: {})\n{}", collectives[kind], parts,
                                         random_sends(dice, fabric, parts, kind == 0));
    ElaborateOptions options;
    options.fabric = fabric;
    const Compiled written = compile_text(text, {}, options);
    INFO("QUADRILLE_SEED=" << seed << " " << fabric.notation() << "\n" << text << written.messages);
    REQUIRE(written.table);
    options.spread = true;
    const Compiled spread = compile_text(text, {}, options);
    REQUIRE_MESSAGE(spread.table, spread.messages);
    CHECK(sends_of(*written.table) == sends_of(*spread.table));
    CheckOptions judging;
    judging.listed_per_property = 1000;
    const Report before = check(*written.table, judging);
    const Report after = check(*spread.table);
    CHECK(after.steps == before.steps);
    if (!fabric.in_rounds()) CHECK(after.rows == before.rows);
    if (rows_text(*written.table) == rows_text(*spread.table)) continue;
    ++changed;
    const bool by_row = fabric.rules().paths == Paths::shared || !fabric.in_rounds();
    if (by_row) CHECK(load_of(*spread.table) < load_of(*written.table));
    if (!by_row) CHECK(before.of(Property::capacity).violations > 0);
    for (const Property property :
         {Property::well_formed, Property::causal, Property::contention_free, Property::capacity, Property::complete}) {
      const std::uint64_t were = before.of(property).violations;
      const std::uint64_t are = after.of(property).violations;
      if (were == 0 || (property == Property::complete && !counts_twice(before)))
        CHECK_MESSAGE(are <= were, to_string(property));
    }
  }
  MESSAGE(fmt::format("{} of {} schedules from seed {} changed", changed, schedules, first));
  CHECK(changed > schedules / 20);
}

TEST_CASE("of two equal ways, two sends of a round take one each, and a send that names its way is counted first") {
  const auto volume = [&](const std::string& sends, bool spread) {
    ElaborateOptions options;
    options.spread = spread;
    const Compiled compiled = compile_text(
        "fabric clos(m: 2, n: 3, r: 2, timing: rounds, paths: shared)\ncollective allgather\n" + sends, {}, options);
    REQUIRE_MESSAGE(compiled.table, compiled.messages);
    return check(*compiled.table).volume;
  };
  const std::string sends = "at 1: send 0 -> 3\nat 1: send 1 -> 5\n";
  CHECK(volume(sends, false) == 2);
  CHECK(volume(sends, true) == 1);
}

// The load of these sends, of a broadcast in so many parts in rounds, and its messages.
std::pair<double, std::uint64_t> load_and_messages(const std::string& fabric, std::uint32_t parts,
                                                   const std::string& sends, bool retime = false) {
  ElaborateOptions options;
  options.fabric = parse_fabric({"", fabric}, 0, {}, language_families()).value();
  options.spread = !retime;
  options.retime = retime;
  const Compiled compiled =
      compile_text(fmt::format("fabric complete({}, timing: rounds)\ncollective broadcast(root: 0, parts: {})\n{}",
                               options.fabric->processors(), parts, sends),
                   {}, options);
  REQUIRE_MESSAGE(compiled.table, compiled.messages);
  CHECK(check(*compiled.table).of(Property::well_formed).violations == 0);
  std::set<std::pair<StepId, MessageId>> messages;
  const auto cursor = compiled.table->rows->open();
  while (const auto round = cursor->next()) {
    for (const MessageId message : round->messages) messages.emplace(round->step, message);
  }
  return {load_of(*compiled.table), messages.size()};
}

// GPUs of dgx_h100 have 18 lanes, 5, 4, 4 and 5 to its four switches.
TEST_CASE("on shared paths a message is divided over equal routes, one message each") {
  for (const bool retime : {false, true}) {
    for (const std::string to : {"1", "{1..7}"}) {
      const auto [load, messages] =
          load_and_messages("dgx_h100:timing=rounds,paths=shared", 18,
                            fmt::format("at 1: send 0 -> {} carrying 0 -> * part 0..17\n", to), retime);
      CHECK(load == doctest::Approx(1));
      CHECK(messages == 4);
    }
  }
  const std::string whole = "at 1: send 0 -> 1 carrying 0 -> * part 0..17\n";
  const auto [load, messages] = load_and_messages("dgx_h100:timing=rounds,paths=shared,ports=single", 18, whole);
  CHECK(load == doctest::Approx(18 / 5.0).epsilon(0.3));  // by either kind of switch
  CHECK(messages == 1);
  CHECK(load_and_messages("dgx_h100:timing=rounds,paths=held", 18, whole).second == 1);
}

TEST_CASE("seven messages over four switches of unequal lanes load all of them alike") {
  const std::string scattered = "for g in 1..7: at 1: send 0 -> g carrying 0 -> * part 18*(g-1)..18*g-1\n";
  CHECK(load_and_messages("dgx_h100:timing=rounds,paths=shared", 126, scattered).first ==
        doctest::Approx(7).epsilon(0.05));
}

// Its routes do not depend on the round before, nor on which chunks the messages carry.
TEST_CASE("a round takes the routes that it takes alone") {
  const auto round = [](int at, int first, bool both) {
    std::string sends = fmt::format("at {}: send 0 -> 1 carrying 0 -> * part {}..{}\n", at, first, first + 17);
    if (both) sends += fmt::format("at {}: send 0 -> 2 carrying 0 -> * part {}..{}\n", at, first + 18, first + 35);
    return sends;
  };
  const auto measured = [](const std::string& sends) {
    return load_and_messages("dgx_h100:timing=rounds,paths=shared", 90, sends);
  };
  const auto one = measured(round(1, 0, false));
  const auto two = measured(round(1, 0, true));
  const auto repeated = measured(round(1, 0, false) + round(2, 18, false));
  CHECK(repeated.first == doctest::Approx(2 * one.first));
  CHECK(repeated.second == 2 * one.second);
  const auto changed = measured(round(1, 0, false) + round(2, 18, true) + round(3, 54, false));
  CHECK(changed.first == doctest::Approx(2 * one.first + two.first));
  CHECK(changed.second == 2 * one.second + two.second);
}

TEST_CASE("trees to several processors take one switch each") {
  const std::string trees = "for p in 0..17: at 1: send 0 -> {1..7} carrying 0 -> * part p\n";
  const auto [load, messages] = load_and_messages("dgx_h100:timing=rounds,paths=shared", 18, trees);
  CHECK(load == doctest::Approx(1));
  CHECK(messages == 18);
  CHECK(load_and_messages("dgx_h100:timing=rounds,paths=shared,switches=forward", 18, trees).first ==
        doctest::Approx(7).epsilon(0.05));
}

// The ways to the others of a rail lead through a neighbour in the server, by any of four NVSwitches.
TEST_CASE("trees that pass a processor are spread over the switches before it") {
  const std::string trees = "for g in 1..7: at 1: send 0 -> {8 + g, 16 + g, 24 + g} carrying 0 -> * part g - 1\n";
  const auto [load, messages] = load_and_messages("dgx_h100_rails:servers=4,timing=rounds,paths=shared", 7, trees);
  CHECK(load == doctest::Approx(1));
  CHECK(messages == 7);
}

TEST_CASE("where paths are held and lanes do, messages keep their routes") {
  const std::string square = R"(graph:{"processors":4,"links":[[0,1,2],[1,2,2],[2,3,2],[3,0,2]]})";
  for (const std::string collective : {"broadcast", "allreduce"}) {
    for (const Switching switches : {Switching::copy, Switching::forward}) {
      const Fabric fabric = parse_fabric({"", square}, 0, {}, language_families()).value();
      Rules rules = fabric.rules();
      rules.timing = Timing::rounds;
      rules.switches = switches;
      ElaborateOptions options;
      options.fabric = fabric.with_rules(rules);
      const std::string text = fmt::format("collective {}\nat 1: send 0 -> {{1, 2}}\n", collective);
      const Compiled written = compile_text(text, {}, options);
      options.spread = true;
      const Compiled spread = compile_text(text, {}, options);
      REQUIRE_MESSAGE(written.table, written.messages);
      REQUIRE_MESSAGE(spread.table, spread.messages);
      CHECK(rows_text(*written.table) == rows_text(*spread.table));
    }
  }
}

}  // namespace quadrille::spreading
