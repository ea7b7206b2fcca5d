// Traces: an event for each row and each of its ends, at its time; arrows along each packet's way.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "driver/look/trace.h"
#include "driver/replay.h"
#include "tests/driver/random_inputs.h"
#include "verifier/check.h"

namespace quadrille::driver {
namespace {

using Json = nlohmann::json;

constexpr int links = 2;

std::int64_t nanoseconds(const Json& event, const char* key) { return std::llround(event[key].get<double>() * 1000); }

struct Traced {
  std::optional<TraceOutcome> outcome;  // nothing: it could not be opened
  std::string text;
  Json json;

  std::vector<Json> of(const std::string& phase, int process = 0) const {
    std::vector<Json> result;
    for (const Json& event : json["traceEvents"]) {
      if (event["ph"] == phase && (process == 0 || event["pid"] == process)) result.push_back(event);
    }
    return result;
  }
};

Traced trace(const TraceRequest& request, MemoryEnvironment& environment) {
  environment.output.clear();
  Context context{environment};
  Result<TraceOutcome> outcome = run(request, context);
  if (!outcome) return {};
  REQUIRE(Json::accept(environment.output));
  return {std::move(*outcome), environment.output, Json::parse(environment.output)};
}

// The rows of a table as events are to have them, in the order of the table.
std::vector<Json> expected_links(const SendTable& table) {
  std::vector<Json> result;
  const auto cursor = table.rows->open();
  while (const auto batch = cursor->next()) {
    for (const Row& row : batch->rows) {
      result.push_back({{"step", batch->step.value},
                        {"channel", table.fabric.name(row.channel)},
                        {"packet", table.collective.label(row.chunk)}});
    }
  }
  return result;
}

void check_rows(const Traced& traced) {
  const SendTable& table = traced.outcome->table;
  const std::vector<Json> expected = expected_links(table);
  const std::vector<Json> events = traced.of("X", links);
  REQUIRE(events.size() == expected.size());
  CHECK(traced.outcome->rows == expected.size());
  std::uint64_t ends = 0;
  for (const StoredRows::StepRow& it : all_rows(table)) {
    const Channel& channel = table.fabric.channel(it.row.channel);
    ends += (table.fabric.is_processor(channel.from) ? 1 : 0) + (table.fabric.is_processor(channel.to) ? 1 : 0);
  }
  CHECK(traced.of("X").size() == expected.size() + ends);
  CHECK(traced.outcome->events == expected.size() + ends);
  for (std::size_t i = 0; i < events.size(); ++i) {
    for (const char* key : {"step", "channel", "packet"}) CHECK(events[i]["args"][key] == expected[i][key]);
    CHECK(events[i]["name"] == expected[i]["packet"]);
  }
}

// What is of one step comes before what is of the next one; without a size, a table's step is a millisecond.
void check_steps(const Traced& traced, bool sized) {
  const bool rounds = traced.outcome->table.fabric.in_rounds();
  std::map<std::int64_t, std::pair<std::int64_t, std::int64_t>> of_step;
  for (const Json& event : traced.of("X")) {
    const std::int64_t step = event["args"]["step"];
    const std::int64_t begin = nanoseconds(event, "ts");
    const std::int64_t end = begin + nanoseconds(event, "dur");
    CHECK(begin <= end);
    auto& [first, last] = of_step.try_emplace(step, begin, end).first->second;
    first = std::min(first, begin);
    last = std::max(last, end);
    if (rounds || sized) continue;
    CHECK(begin == (step - 1) * 1'000'000);
    CHECK(end == step * 1'000'000);
  }
  std::int64_t before = 0;
  for (const auto& [step, span] : of_step) {
    CHECK(before <= span.first);
    before = span.second;
  }
}

void check_lanes(const Traced& traced, std::optional<int> process) {
  std::map<std::int64_t, std::vector<std::pair<std::int64_t, std::int64_t>>> of_track;
  for (const Json& event : traced.of("X", process.value_or(0))) {
    const std::int64_t begin = nanoseconds(event, "ts");
    of_track[event["tid"]].emplace_back(begin, begin + nanoseconds(event, "dur"));
  }
  for (auto& [track, spans] : of_track) {
    std::sort(spans.begin(), spans.end());
    for (std::size_t i = 1; i < spans.size(); ++i) CHECK(spans[i - 1].second <= spans[i].first);
  }
}

// Every arrow goes from an event on a link to a later or simultaneous one of the same packet that begins where it ends.
void check_arrows(const Traced& traced) {
  std::map<std::pair<std::int64_t, std::int64_t>, std::vector<Json>> at;  // by track and beginning
  for (const Json& event : traced.of("X", links)) at[{event["tid"], nanoseconds(event, "ts")}].push_back(event);
  const std::vector<Json> starts = traced.of("s");
  const std::vector<Json> ends = traced.of("f");
  REQUIRE(starts.size() == ends.size());
  const auto channel_of = [&](const Json& flow) -> std::string {
    for (const Json& event : at[{flow["tid"], nanoseconds(flow, "ts")}]) {
      if (event["name"] == flow["name"]) return event["args"]["channel"];
    }
    return "";
  };
  for (std::size_t i = 0; i < starts.size(); ++i) {
    CHECK(starts[i]["id"] == ends[i]["id"]);
    CHECK(starts[i]["name"] == ends[i]["name"]);
    CHECK(nanoseconds(starts[i], "ts") <= nanoseconds(ends[i], "ts"));
    const std::string from = channel_of(starts[i]);
    const std::string to = channel_of(ends[i]);
    REQUIRE(from.find("->") != std::string::npos);
    CHECK(from.substr(from.find("->") + 2) == to.substr(0, to.find("->")));
  }
}

void check_names(const Traced& traced) {
  std::map<std::int64_t, int> named;
  for (const Json& event : traced.of("M")) {
    if (event["name"] == "thread_name") ++named[event["tid"]];
  }
  for (const Json& event : traced.of("X")) CHECK(named[event["tid"]] == 1);
}

TEST_CASE("a trace has each row of a table at its time, and keeps lanes apart where the table holds") {
  int opened = 0;
  int held = 0;
  int arrows = 0;
  const std::uint64_t first = reference::first_seed();
  for (std::uint64_t seed = first; seed < first + 150; ++seed) {
    CAPTURE(seed);
    MemoryEnvironment environment;
    TraceRequest request{random_input(seed, environment)};
    const bool sized = seed % 2 == 0;
    if (sized) request.sizes = {"64KiB"};
    const Traced traced = trace(request, environment);
    if (!traced.outcome) continue;
    ++opened;
    check_rows(traced);
    check_steps(traced, sized);
    check_arrows(traced);
    check_names(traced);
    arrows += static_cast<int>(traced.of("s").size());
    if (check(traced.outcome->table).verdict == Verdict::holds) {
      ++held;
      check_lanes(traced, std::nullopt);
    }
    CHECK(trace(request, environment).text == traced.text);
  }
  CHECK(opened > 50);
  CHECK(held > 10);
  CHECK(arrows > 100);
}

TEST_CASE("a trace for a size ends when a replay in lock step says") {
  for (const std::string name : {"total_exchange_pairwise", "allgather_bruck", "allgather_ring"}) {
    CAPTURE(name);
    MemoryEnvironment environment;
    std::vector<std::int64_t> ends;
    for (const std::string size_of : {"", "part", "whole"}) {
      CAPTURE(size_of);
      TraceRequest request{{name, {"N=5"}}};
      request.sizes = {"1MiB"};
      request.size_of = size_of;
      request.costs = "Ts=3us,Th=100ns,Tc=0.2ns";
      const Traced traced = trace(request, environment);
      REQUIRE(traced.outcome);
      Context context{environment};
      ReplayRequest replay{request.input, request.sizes, request.costs};
      replay.size_of = size_of;
      const Result<ReplayOutcome> replayed = run(replay, context);
      REQUIRE(replayed.ok());
      REQUIRE(replayed->times.front());
      std::int64_t end = 0;
      for (const Json& event : traced.of("X"))
        end = std::max(end, nanoseconds(event, "ts") + nanoseconds(event, "dur"));
      CHECK(end == std::llround(*replayed->times.front() * 1e9));
      ends.push_back(end);
    }
    CHECK(ends[0] == ends[1]);
    CHECK(ends[2] < ends[1]);
  }
}

TEST_CASE("a window of a trace has the events of its steps, at the times that they have in the whole") {
  MemoryEnvironment environment;
  TraceRequest request{{"total_exchange", {"L=3"}}};
  request.sizes = {"1KiB"};
  const Traced whole = trace(request, environment);
  request.steps = "3..5";
  const Traced window = trace(request, environment);
  REQUIRE(whole.outcome);
  REQUIRE(window.outcome);
  std::vector<Json> expected;
  for (const Json& event : whole.of("X", links)) {
    const int step = event["args"]["step"];
    if (step >= 3 && step <= 5) expected.push_back(event);
  }
  const std::vector<Json> events = window.of("X", links);
  REQUIRE(events.size() == expected.size());
  for (std::size_t i = 0; i < events.size(); ++i) {
    for (const char* key : {"ts", "dur", "args"}) CHECK(events[i][key] == expected[i][key]);
  }
}

TEST_CASE("a trace that limits end is not written") {
  MemoryEnvironment environment;
  environment.files["trace.json"] = "old";
  TraceRequest request{{"total_exchange", {"L=4"}}};
  request.output = "trace.json";
  std::stop_source stop;
  Context context{environment};
  context.limits.stop = stop.get_token();
  stop.request_stop();
  const Result<TraceOutcome> outcome = run(request, context);
  REQUIRE_FALSE(outcome.ok());
  CHECK(outcome.diagnostics().front().code == Code::cancelled);
  CHECK(environment.files["trace.json"] == "old");
}

TEST_CASE("the size of a trace is said at once if it will be a gigabyte, and of no other") {
  for (const auto& [levels, said] : {std::pair("L=9", true), {"L=7", false}}) {
    MemoryEnvironment environment;
    environment.room = std::size_t{16} << 20;  // the work ends then
    TraceRequest request{{"total_exchange", {levels, "capacity=exponential"}}};
    Context context{environment};
    CHECK(run(request, context).ok());
    const std::vector<std::string>& notes = context.notes;
    REQUIRE(notes.size() == (said ? 1 : 0));
    if (said) CHECK(notes.front().ends_with("GB; --steps A..B writes a part of it"));
    if (said) CHECK(notes.front().starts_with("the trace will have some "));
  }
}

TEST_CASE("a trace that does not fit on the disk is an error, and the old one stays") {
  MemoryEnvironment environment;
  environment.files["trace.json"] = "old";
  environment.room = 1000;
  TraceRequest request{{"total_exchange", {"L=3"}}};
  request.output = "trace.json";
  Context context{environment};
  const Result<TraceOutcome> outcome = run(request, context);
  REQUIRE_FALSE(outcome.ok());
  CHECK(outcome.diagnostics().front().code == Code::file);
  CHECK(environment.files["trace.json"] == "old");
}

}  // namespace
}  // namespace quadrille::driver
