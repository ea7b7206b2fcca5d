// The explicit checker: each property of MODEL.md broken by hand, and the reports that follow.
#include <doctest/doctest.h>

#include <algorithm>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "model/fabric_notation.h"
#include "model/topologies/complete.h"
#include "model/topologies/star.h"
#include "tests/reference/random_tables.h"
#include "tests/verifier/hand_tables.h"
#include "tests/verifier/stopping_rows.h"
#include "verifier/check.h"

namespace quadrille::tests {
namespace {

constexpr auto exchange = CollectiveKind::total_exchange;

// The message of the first listed violation of a property; empty if there is none.
std::string first_message(const Report& report, Property property) {
  for (const Violation& violation : report.violations) {
    if (violation.property == property) return violation.message;
  }
  return {};
}

std::uint64_t count(const Report& report, Property property) { return report.of(property).violations; }

// Total exchange of two processors below one switch, in the two steps that it needs.
SendTable smallest_exchange() {
  return table_of(binary_tree({1}), collective(exchange, 2),
                  {{1, "0", "1.0", {0, 1}}, {1, "1", "1.0", {1, 0}}, {2, "1.0", "1", {0, 1}}, {2, "1.0", "0", {1, 0}}});
}

// Two processors of a tree of four send to the other half; 2.0 is the root.
const std::initializer_list<Hop> crossing{
    {1, "0", "1.0", {0, 2}}, {2, "1.0", "2.0", {0, 2}}, {3, "2.0", "1.1", {0, 2}}, {4, "1.1", "2", {0, 2}},
    {1, "1", "1.0", {1, 3}}, {3, "1.0", "2.0", {1, 3}}, {4, "2.0", "1.1", {1, 3}}, {5, "1.1", "3", {1, 3}},
};

TEST_CASE("a sound table holds in every respect and is measured") {
  const Report report = check(smallest_exchange());
  CHECK(report.verdict == Verdict::holds);
  CHECK(report.steps == 2);
  CHECK(report.messages == 2);
  CHECK(report.rows == 4);
  CHECK(report.violations.empty());
  CHECK(report.queues == QueueSizes{0, 0, {0, 0}, {0, 0}});
  for (const PropertyResult& result : report.properties) CHECK(result.verdict == Verdict::holds);
}

TEST_CASE("an empty table is complete only if nothing is wanted") {
  const Report empty = check(table_of(binary_tree({1}), collective(exchange, 2), {}));
  CHECK(empty.verdict == Verdict::violated);
  CHECK(empty.steps == 0);
  CHECK(count(empty, Property::complete) == 2);
  CHECK(first_message(empty, Property::complete) == "0->1 never reaches processor 1");
  const auto star = Fabric::make(Star(1, 1), {}).value();
  CHECK(check(table_of(star, collective(exchange, 1), {})).verdict == Verdict::holds);
}

TEST_CASE("lanes: contention, capacity and lanes that do not exist") {
  const auto tree = binary_tree({1, 1});
  const Report both = check(table_of(
      tree, collective(exchange, 4),
      {{1, "0", "1.0", {0, 2}}, {1, "1", "1.0", {1, 3}}, {2, "1.0", "2.0", {0, 2}}, {2, "1.0", "2.0", {1, 3}}}));
  CHECK(count(both, Property::contention_free) == 1);
  CHECK(first_message(both, Property::contention_free) ==
        "lane 0 of channel 1.0->2.0 carries 2 packets in step 2: 0->2 and 1->3");
  CHECK(count(both, Property::capacity) == 1);
  CHECK(first_message(both, Property::capacity) ==
        "channel 1.0->2.0 of capacity 1 carries 2 packets in step 2: 0->2 and 1->3");

  const Report outside =
      check(table_of(binary_tree({1}), collective(exchange, 2),
                     {{1, "0", "1.0", {0, 1}, 5}, {2, "1.0", "1", {0, 1}, 7}, {2, "1.0", "1", {0, 1}, 7}}));
  CHECK(count(outside, Property::well_formed) == 3);
  CHECK(count(outside, Property::contention_free) == 1);
  CHECK(count(outside, Property::capacity) == 1);
  CHECK(first_message(outside, Property::well_formed) ==
        "lane 5 of channel 0->1.0 does not exist: its capacity is 1 (0->1)");
}

TEST_CASE("so many lanes that they are sorted rather than stamped") {
  const auto star = Fabric::make(Star(3, 1U << 31), {}).value();
  const Report report =
      check(table_of(star, collective(exchange, 3),
                     {{1, "0", "1.0", {0, 1}, 7}, {1, "0", "1.0", {0, 2}, 7}, {1, "1", "1.0", {1, 2}, 7}}));
  CHECK(report.of(Property::well_formed).verdict == Verdict::holds);
  CHECK(count(report, Property::contention_free) == 1);
  CHECK(report.of(Property::capacity).verdict == Verdict::holds);
}

TEST_CASE("half duplex counts both directions of a link, once") {
  const auto tree = binary_tree({1}, {.duplex = Duplex::half});
  const Report report = check(
      table_of(tree, collective(exchange, 2),
               {{1, "0", "1.0", {0, 1}}, {2, "1.0", "1", {0, 1}}, {2, "1", "1.0", {1, 0}}, {3, "1.0", "0", {1, 0}}}));
  CHECK(count(report, Property::capacity) == 1);
  CHECK(report.of(Property::complete).verdict == Verdict::holds);
  CHECK(first_message(report, Property::capacity) ==
        "the half-duplex link 1->1.0 of capacity 1 carries 2 packets in step 2: 1 one way, 1 the other");
}

TEST_CASE("single ports send and receive one packet; in half duplex not both") {
  const std::initializer_list<Hop> hops{{1, "0", "1", {0, 1}},
                                        {1, "0", "2", {0, 2}},
                                        {1, "1", "2", {1, 2}},
                                        {2, "2", "0", {2, 0}},
                                        {2, "0", "1", {0, 1}}};
  const auto complete = [](Rules rules) { return Fabric::make(Complete(3, 1), rules).value(); };
  const auto three = collective(exchange, 3);
  const Report full = check(table_of(complete({.ports = Ports::single}), three, hops));
  CHECK(count(full, Property::capacity) == 2);
  CHECK(first_message(full, Property::capacity) == "processor 0 with a single port sends 2 packets in step 1");
  const Report half = check(table_of(complete({.duplex = Duplex::half, .ports = Ports::single}), three, hops));
  CHECK(count(half, Property::capacity) == 4);  // also 1 in step 1 and 0 in step 2
  CHECK(count(check(table_of(complete({}), three, hops)), Property::capacity) == 0);
}

TEST_CASE("a packet that is not there yet: the second reading says where it was") {
  const Report report = check(table_of(
      binary_tree({1, 2}), collective(exchange, 4),
      {{1, "0", "1.0", {0, 2}}, {2, "1.0", "2.0", {0, 2}}, {2, "2.0", "1.1", {0, 2}}, {3, "1.1", "2", {0, 2}}}));
  CHECK(count(report, Property::causal) == 1);
  CHECK(first_message(report, Property::causal) ==
        "0->2 is not at switch 2.0 when step 2 begins: it last arrived at switch 1.0 in step 1");
  CHECK(count(report, Property::complete) == 11);      // it did arrive
  CHECK(count(report, Property::non_redundant) == 1);  // but not what was sent to 2.0
}

TEST_CASE("copies of a single-target chunk are followed exactly") {
  const Report report = check(table_of(binary_tree({2}), collective(exchange, 2),
                                       {{1, "0", "1.0", {0, 1}, 0},
                                        {2, "0", "1.0", {0, 1}, 0},
                                        {2, "1.0", "1", {0, 1}, 0},
                                        {3, "1.0", "1", {0, 1}, 0},
                                        {3, "1.0", "0", {0, 1}, 0},
                                        {3, "1", "1.0", {0, 1}, 0},
                                        {3, "1", "1.0", {1, 0}, 1},
                                        {5, "1.0", "0", {1, 0}, 0}}));
  CHECK(report.verdict == Verdict::holds);
  CHECK(report.of(Property::non_redundant).verdict == Verdict::violated);
  CHECK(count(report, Property::non_redundant) == 3);  // twice to 1, back to 0, and lost in 1.0
  CHECK(report.queues.largest == 1);                   // 1->0 in step 4
  CHECK(report.messages == 4);
}

TEST_CASE("what a row source says about its last step is not believed") {
  struct Liar final : RowSource {
    std::shared_ptr<const RowSource> rows;
    std::unique_ptr<RowCursor> open() const override { return rows->open(); }
    std::optional<StepId> last_step() const override { return StepId{1}; }
  };
  SendTable table = table_of(binary_tree({1}), collective(exchange, 2),
                             {{max_step - 1, "0", "1.0", {0, 1}}, {max_step, "1.0", "1", {0, 1}}});
  auto liar = std::make_shared<Liar>();
  liar->rows = table.rows;
  table.rows = liar;
  const Report report = check(table);
  CHECK(report.steps == max_step);
  CHECK(report.of(Property::causal).verdict == Verdict::holds);
  CHECK(count(report, Property::complete) == 1);
}

TEST_CASE("queues: who is buffered, who waits for a channel, and the rule") {
  const Report free = check(table_of(binary_tree({1, 1}), collective(exchange, 4), crossing));
  CHECK(free.of(Property::queue).verdict == Verdict::holds);
  CHECK(free.queues == QueueSizes{1, 1, {0, 1, 0}, {0, 1, 0}});
  const Report none = check(table_of(binary_tree({1, 1}, {.queue = {0}}), collective(exchange, 4), crossing));
  CHECK(count(none, Property::queue) == 1);
  CHECK(first_message(none, Property::queue) == "switch 1.0 buffers 1 packet in step 2, the fabric allows none");
}

TEST_CASE("a multicast packet is held until its last copy leaves; its copies wait apart") {
  const auto star = Fabric::make(Star(4, 2), {}).value();
  const ChunkName chunk{0, std::nullopt, 0};
  const Report report = check(table_of(star, collective(CollectiveKind::broadcast, 4),
                                       {{1, "0", "1.0", chunk, 0},
                                        {2, "1.0", "1", chunk, 0},
                                        {5, "1.0", "2", chunk, 0},
                                        {9, "1.0", "3", chunk, 0},
                                        {9, "1.0", "3", chunk, 1}}));
  CHECK(report.verdict == Verdict::holds);
  CHECK(count(report, Property::non_redundant) == 1);
  CHECK(report.queues == QueueSizes{1, 2, {0, 1}, {0, 2}});
}

TEST_CASE("thrift: what dies in a switch is found, with its row's origin") {
  class Located final : public RowSource {
   public:
    explicit Located(std::shared_ptr<const RowSource> rows) : rows_(std::move(rows)) {}
    std::unique_ptr<RowCursor> open() const override { return rows_->open(); }
    std::vector<RowOrigin> origins(std::span<const RowPlace> places) const override {
      std::vector<RowOrigin> origins;
      for (const RowPlace& place : places) origins.push_back({Span{0, place.step.value, 0}, {{"index", place.index}}});
      return origins;
    }

   private:
    std::shared_ptr<const RowSource> rows_;
  };
  SendTable table = smallest_exchange();
  table = table_of(table.fabric, table.collective,
                   {{4, "0", "1.0", {0, 1}}, {4, "1", "1.0", {1, 0}}, {6, "1.0", "0", {1, 0}}});
  table.rows = std::make_shared<Located>(table.rows);
  const Report report = check(table);
  REQUIRE(report.violations.size() == 2);
  const Violation& lost = report.violations.front();
  CHECK(lost.property == Property::non_redundant);
  CHECK(lost.message == "0->1 arrives at switch 1.0 in step 4 and is not sent on");
  CHECK(lost.origin.span == Span{0, 4, 0});
  CHECK(lost.origin.variables.front().second == 0);
  CHECK(report.violations.back().property == Property::complete);
  CHECK_FALSE(report.violations.back().origin.span.known());
}

TEST_CASE("all violations are counted, as many as wanted are listed, by step") {
  CheckOptions options;
  options.listed_per_property = 2;
  const Report report = check(table_of(binary_tree({1}), collective(exchange, 2),
                                       {{1, "1.0", "0", {1, 0}}, {2, "1.0", "0", {1, 0}}, {3, "1.0", "0", {1, 0}}}),
                              options);
  CHECK(count(report, Property::causal) == 3);
  CHECK(std::count_if(report.violations.begin(), report.violations.end(),
                      [](const Violation& it) { return it.property == Property::causal; }) == 2);
  CHECK(std::is_sorted(report.violations.begin(), report.violations.end(), [](const Violation& a, const Violation& b) {
    return a.step.value_or(StepId{max_step}) < b.step.value_or(StepId{max_step});
  }));
}

// After these steps 0 holds no chunk for 1.
TableInvariant nothing_held_after(std::vector<std::uint32_t> steps) {
  const auto say = [](std::uint32_t, const Limits&, const TableInvariant::Visit& visit) {
    HeldOrigins statement;
    statement.processor = NodeId(0);
    statement.target = 1;
    visit(statement);
    return std::optional<Diagnostic>();
  };
  return {"nothing", Span{0, 3, 5}, [steps](const Limits&) { return steps; }, say};
}

TEST_CASE("invariants are judged step by step, and what cannot be evaluated is unknown") {
  SendTable table = smallest_exchange();
  table.invariants = {nothing_held_after({})};
  CHECK(check(table).verdict == Verdict::holds);
  table.invariants = {nothing_held_after({0, 1, 7})};
  const Report report = check(table);
  CHECK(report.verdict == Verdict::violated);
  CHECK(count(report, Property::invariants) == 3);
  CHECK(report.invariant_statements == 3);
  CHECK(first_message(report, Property::invariants) == "after step 0 processor 0 holds {0} for 1, but {} is stated");
  CHECK(report.violations.front().step == StepId(0));
  CHECK(report.violations.front().claim == Span{0, 3, 5});
  table.invariants[0].statements = [](std::uint32_t, const Limits&, const TableInvariant::Visit&) {
    return std::optional(error_at({}, "division by zero", Code::value));
  };
  CHECK(check(table).of(Property::invariants).verdict == Verdict::unknown);
  CHECK(check(table).of(Property::invariants).why == "division by zero");
  CHECK(check(table).of(Property::complete).verdict == Verdict::holds);
}

TEST_CASE("claims are judged by what was measured") {
  SendTable table = smallest_exchange();
  const auto claim = [](Verdict verdict, std::int64_t Measured::*field, std::int64_t value) {
    return TableClaim{"it", Span{0, 3, 5}, [=](const Measured& it) {
                        CHECK(it.*field == value);
                        return std::pair(verdict, std::string("because"));
                      }};
  };
  table.claims = {claim(Verdict::holds, &Measured::steps, 2), claim(Verdict::holds, &Measured::rows, 4)};
  CHECK(check(table).verdict == Verdict::holds);
  table.claims.push_back(claim(Verdict::unknown, &Measured::messages, 2));
  CHECK(check(table).verdict == Verdict::unknown);
  table.claims.push_back(claim(Verdict::violated, &Measured::max_queue, 0));
  const Report report = check(table);
  CHECK(report.verdict == Verdict::violated);
  CHECK(count(report, Property::claims) == 1);
  CHECK(first_message(report, Property::claims) == "the claim it does not hold: because");
  CHECK(report.violations.front().claim == Span{0, 3, 5});
}

TEST_CASE("a table that needs more memory than is allowed is unknown, never a guess") {
  CheckOptions options;
  options.limits.memory = 4096;
  const Report report = check(smallest_exchange(), options);
  CHECK(report.verdict == Verdict::unknown);
  CHECK(report.of(Property::complete).verdict == Verdict::unknown);
  CHECK(report.of(Property::contention_free).verdict == Verdict::holds);
  CHECK_FALSE(report.of(Property::causal).why.empty());
  CHECK(report.steps == 2);
  options.limits.memory = 16;
  CHECK(check(smallest_exchange(), options).of(Property::contention_free).verdict == Verdict::unknown);
}

// A row of a table whose collective has very many parts.
SendTable one_of_many_parts(const std::string& collective_text) {
  const auto fabric = parse_fabric({"", "ring:4"}, 0).value();
  const auto collective = parse_collective({"", collective_text}, 0, 4).value();
  const ChannelId channel = *fabric.channel_between(NodeId(1), NodeId(0));
  const ChunkId chunk = collective.default_chunk(1, 0, 0).value();
  std::vector<StoredRows::StepRow> rows{{StepId(1), Row{channel, LaneId(0), chunk}}};
  return {fabric, collective, "", {}, std::make_shared<StoredRows>(rows)};
}

TEST_CASE("what a table costs follows its rows, not the parts that its collective declares") {
  for (const std::string collective :
       {"gather:root=0,parts=4294967295", "allgather:parts=1000000000", "total_exchange:parts=300000000",
        "reduce:root=0,parts=4294967295", "allreduce:parts=1000000000", "prefix:parts=1000000000",
        "reduce_scatter:parts=1000000000"}) {
    CAPTURE(collective);
    CheckOptions options;
    options.limits.memory = std::uint64_t{64} << 20;
    const SendTable table = one_of_many_parts(collective);
    const Report report = check(table, options);
    CHECK(report.verdict == Verdict::violated);
    CHECK(report.of(Property::causal).verdict == Verdict::holds);
    CHECK(report.of(Property::complete).verdict == Verdict::violated);
    const bool one_is_met = !table.collective.combining();
    // Prefix: processor 0 wants only what it has; here it gets more, once.
    const std::uint64_t from_start = collective.starts_with("prefix") ? table.collective.values() - 1 : 0;
    CHECK(count(report, Property::complete) == table.collective.demands() - from_start - (one_is_met ? 1 : 0));
  }
}

TEST_CASE("the number of violations does not depend on how many are listed") {
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    CAPTURE(seed);
    const SendTable table = reference::random_table(seed);
    CheckOptions options;
    options.listed_per_property = 1 << 20;
    const Report all = check(table, options);
    for (const std::size_t listed : {0U, 1U, 3U}) {
      options.listed_per_property = listed;
      const Report few = check(table, options);
      for (std::size_t i = 0; i < property_count; ++i) {
        const auto property = static_cast<Property>(i);
        CAPTURE(to_string(property));
        CHECK(few.of(property).violations == all.of(property).violations);
        CHECK(few.of(property).verdict == all.of(property).verdict);
      }
    }
  }
}

TEST_CASE("a table that the limits end early is unknown, for that reason") {
  std::stop_source source;
  source.request_stop();
  for (const auto& [limits, reason] : {std::pair(Limits{.deadline = Limits::Clock::now()}, Reason::timeout),
                                       std::pair(Limits{.stop = source.get_token()}, Reason::cancelled)}) {
    const Reason wanted = reason;  // clang++ 14 cannot capture a structured binding
    CAPTURE(to_string(wanted));
    SendTable table = smallest_exchange();
    table.claims = {{"it", {}, [](const Measured&) { return std::pair(Verdict::holds, std::string()); }}};
    table.invariants = {nothing_held_after({0})};
    CheckOptions options;
    options.limits = limits;
    const Report report = check(table, options);
    CHECK(report.verdict == Verdict::unknown);
    for (const PropertyResult& property : report.properties) {
      CHECK(property.verdict == Verdict::unknown);
      CHECK(property.reason == reason);
      CHECK_FALSE(property.why.empty());
    }
  }
}

// The last row is wrong, and nobody gets there.
TEST_CASE("a stop ends the judging of one large step, whatever follows its packets") {
  for (const std::string what : {"total_exchange", "allgather:parts=2", "allreduce"}) {
    for (const std::string on : {"star:4", "line:4"}) {
      CAPTURE(what);
      CAPTURE(on);
      const Fabric fabric = parse_fabric({"", on + ",capacity=200000"}, 0).value();
      const Collective collective = parse_collective({"", what}, 0, 4).value();
      const ChunkId chunk = collective.default_chunk(0, 1, 0).value();
      const ChannelId first = fabric.channels_from(NodeId{0}).front();
      std::vector<Row> rows;
      for (std::uint32_t lane = 0; lane < 200'000; ++lane) rows.push_back({first, LaneId{lane}, chunk});
      rows.push_back({fabric.reverse(first).value(), LaneId{0}, chunk});  // from where it is not
      const std::stop_source stop;
      CheckOptions options;
      options.limits.stop = stop.get_token();
      const Report report =
          check({fabric, collective, "", {}, std::make_shared<StoppingRows>(std::move(rows), stop)}, options);
      CHECK(report.ended_early == Reason::cancelled);
      CHECK(report.of(Property::causal).verdict == Verdict::unknown);
      CHECK(report.of(Property::complete).reason == Reason::cancelled);
    }
  }
}

// A table's rows, of which the last step is lost on the way.
class LostEnd final : public RowSource {
 public:
  explicit LostEnd(std::shared_ptr<const RowSource> inner) : inner_(std::move(inner)) {}
  std::unique_ptr<RowCursor> open() const override { return std::make_unique<Cursor>(*inner_); }

 private:
  class Cursor final : public RowCursor {
   public:
    explicit Cursor(const RowSource& inner) : inner_(inner.open()), last_(*inner.last_step()) {}
    std::optional<StepRows> next() override {
      const auto batch = inner_->next();
      lost_ = batch && batch->step == last_;
      return lost_ ? std::nullopt : batch;
    }
    Reason ended_early() const override { return lost_ ? Reason::limit : Reason::none; }

   private:
    std::unique_ptr<RowCursor> inner_;
    StepId last_;
    bool lost_ = false;
  };
  std::shared_ptr<const RowSource> inner_;
};

TEST_CASE("a table whose rows end before it does is unknown, and no delivery is missed") {
  SendTable table = smallest_exchange();
  table.rows = std::make_shared<LostEnd>(table.rows);
  const Report report = check(table);
  CHECK(report.verdict == Verdict::unknown);
  CHECK(report.of(Property::complete).verdict == Verdict::unknown);
  CHECK(report.of(Property::complete).reason == Reason::limit);
  CHECK(report.of(Property::well_formed).verdict == Verdict::unknown);
  CHECK(report.violations.empty());
}

TEST_CASE("combining: partial reductions are joined once, and in order where order matters") {
  const auto star = Fabric::make(Star(3, 2), {}).value();
  const auto reduce = collective(CollectiveKind::reduce, 3);
  const Report sound = check(
      table_of(star, reduce,
               {{1, "2", "1.0", {2, 1}}, {2, "1.0", "1", {2, 1}}, {3, "1", "1.0", {1, 0}}, {4, "1.0", "0", {1, 0}}}));
  CHECK(sound.verdict == Verdict::holds);
  const Report twice = check(table_of(star, reduce,
                                      {{1, "2", "1.0", {2, 1}},
                                       {2, "1.0", "1", {2, 1}},
                                       {2, "2", "1.0", {2, 0}},
                                       {3, "1", "1.0", {1, 0}},
                                       {3, "1.0", "0", {2, 0}},
                                       {4, "1.0", "0", {1, 0}}}));
  CHECK(count(twice, Property::complete) == 2);
  CHECK(first_message(twice, Property::complete) ==
        "1->0 brings the contributions 1-2 of value 0 to processor 0 in step 4, which holds 0, 2: 2 is counted twice");
  const auto ordered =
      Collective::make({.kind = CollectiveKind::reduce, .operation = Operation::ordered, .chunks = {}}, 3).value();
  const Report gap = check(
      table_of(star, ordered,
               {{1, "2", "1.0", {2, 0}}, {1, "1", "1.0", {1, 0}}, {2, "1.0", "0", {2, 0}}, {3, "1.0", "0", {1, 0}}}));
  CHECK(count(gap, Property::complete) == 1);
  CHECK(first_message(gap, Property::complete) ==
        "processor 0 has joined the contributions 0, 2 of value 0 in step 2: an ordered operation leaves no gaps");
  const Report nothing = check(table_of(star, reduce, {{1, "1.0", "0", {2, 0}}}));
  CHECK(count(nothing, Property::causal) == 1);
  CHECK(first_message(nothing, Property::complete) ==
        "processor 0 ends with the contributions 0 of value 0, but 0-2 are wanted");
}

TEST_CASE("switches that forward: a packet leaves as often as it came") {
  const auto broadcast = collective(CollectiveKind::broadcast, 3);
  const auto star = [](Switching switches, QueueRule queue = {}) {
    return Fabric::make(Star(3, 2), {.queue = queue, .switches = switches}).value();
  };
  const std::initializer_list<Hop> one_in{{1, "0", "1.0", {0, {}}}, {2, "1.0", "1", {0, {}}}, {3, "1.0", "2", {0, {}}}};
  CHECK(check(table_of(star(Switching::copy), broadcast, one_in)).verdict == Verdict::holds);
  CHECK(check(table_of(star(Switching::reduce), broadcast, one_in)).verdict == Verdict::holds);
  const Report beyond = check(table_of(star(Switching::forward), broadcast, one_in));
  CHECK(count(beyond, Property::causal) == 1);
  CHECK(first_message(beyond, Property::causal) ==
        "0->* is not at switch 1.0 when step 3 begins: a switch forwards a packet as often as it came");
  // Two copies at once, which leave one after the other: the second one is buffered.
  const std::initializer_list<Hop> two_in{
      {1, "0", "1.0", {0, {}}}, {1, "0", "1.0", {0, {}}, 1}, {2, "1.0", "1", {0, {}}}, {3, "1.0", "2", {0, {}}}};
  const Report buffered = check(table_of(star(Switching::forward), broadcast, two_in));
  CHECK(buffered.verdict == Verdict::holds);
  CHECK(count(buffered, Property::non_redundant) == 0);
  CHECK(buffered.queues.largest == 1);
  CHECK(count(check(table_of(star(Switching::forward, {0}), broadcast, two_in)), Property::queue) == 1);
  // What comes in the step in which a row leaves is too late for it; a copy is left over.
  const Report late = check(table_of(
      star(Switching::forward), broadcast,
      {{1, "0", "1.0", {0, {}}}, {2, "1.0", "1", {0, {}}}, {2, "0", "1.0", {0, {}}}, {2, "1.0", "2", {0, {}}}}));
  CHECK(count(late, Property::causal) == 1);
  CHECK(count(late, Property::non_redundant) == 1);
}

TEST_CASE("switches that reduce: partial reductions for one processor leave as one") {
  const auto star = Fabric::make(Star(4, 2), {.switches = Switching::reduce}).value();
  const auto reduce = collective(CollectiveKind::reduce, 4);
  const Report joined = check(
      table_of(star, reduce,
               {{1, "1", "1.0", {1, 0}}, {1, "2", "1.0", {2, 0}}, {2, "3", "1.0", {3, 0}}, {3, "1.0", "0", {2, 0}}}));
  CHECK(joined.verdict == Verdict::holds);
  CHECK(joined.queues.largest == 1);
  // Gone when it has left; an empty switch has nothing to send.
  const Report gone =
      check(table_of(star, reduce, {{1, "1", "1.0", {1, 0}}, {2, "1.0", "0", {1, 0}}, {3, "1.0", "0", {1, 0}}}));
  CHECK(count(gone, Property::causal) == 1);
  CHECK(first_message(gone, Property::causal) ==
        "1->0 is not at switch 1.0 when step 3 begins: the switch holds nothing for its target");
  // What is there already does not join again, even with more besides.
  const Report twice = check(table_of(star, reduce,
                                      {{1, "1", "1.0", {1, 2}},
                                       {1, "2", "1.0", {2, 0}},
                                       {2, "1.0", "2", {1, 2}},
                                       {3, "2", "1.0", {2, 0}},
                                       {4, "3", "1.0", {3, 0}},
                                       {5, "1.0", "0", {2, 0}}}));
  CHECK(count(twice, Property::complete) == 2);
  CHECK(first_message(twice, Property::complete) ==
        "2->0 brings the contributions 1-2 to switch 1.0 in step 3, which holds 2: 2 is counted twice");
  // An ordered operation: what leaves a switch is an interval.
  const auto ordered =
      Collective::make({.kind = CollectiveKind::reduce, .operation = Operation::ordered, .chunks = {}}, 4).value();
  const std::initializer_list<Hop> with_gap{{1, "1", "1.0", {1, 0}},
                                            {1, "3", "1.0", {3, 0}},
                                            {2, "1.0", "0", {1, 0}},
                                            {3, "2", "1.0", {2, 0}},
                                            {4, "1.0", "0", {2, 0}}};
  const Report gap = check(table_of(star, ordered, with_gap));
  CHECK(first_message(gap, Property::complete) ==
        "1->0 leaves switch 1.0 in step 2 with the contributions 1, 3: an ordered operation leaves no gaps");
}

}  // namespace
}  // namespace quadrille::tests
