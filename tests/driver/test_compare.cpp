// A comparison has one row an algorithm, with the best arguments for each size; no time is below the bound; and what
// takes the time adds up.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "driver/replay.h"
#include "driver/search/compare.h"
#include "dsl/load.h"
#include "tests/driver/memory_environment.h"
#include "tests/environment.h"
#include "tests/reference/random_tables.h"

namespace quadrille::driver {
namespace {

CompareOutcome compared(const std::string& what, const std::string& on, const std::string& sizes) {
  MemoryEnvironment environment;
  Context context{environment};
  return run(CompareRequest{.collective = what, .on = on, .sizes = {sizes}, .costs = "Ts=5us,Th=1us,Tc=0.1ns"}, context)
      .value();
}

std::string schedule_of(const std::string& algorithm) { return algorithm.substr(0, algorithm.find(' ')); }

TEST_CASE("an algorithm has one row, with the arguments that are best at each size") {
  const CompareOutcome outcome = compared("broadcast", "complete:8,ports=single", "1KiB,1MiB,64MiB");
  std::set<std::string> seen;
  bool several = false;
  for (const Compared& it : outcome.algorithms) {
    CAPTURE(it.algorithm);
    CHECK(seen.insert(schedule_of(it.algorithm)).second);
    several = several || it.choices.size() > 1;
    for (const Compared::Choice& choice : it.choices) CHECK(schedule_of(choice.algorithm) == schedule_of(it.algorithm));
    if (it.choices.size() == 1) CHECK(it.algorithm == it.first().name());
  }
  CHECK(several);
  const auto chain = std::ranges::find(outcome.algorithms, "broadcast_pipelined_chain",
                                       [](const Compared& it) { return schedule_of(it.algorithm); });
  REQUIRE(chain != outcome.algorithms.end());
  CHECK(chain->at(0).chunks == 1);
  CHECK(chain->at(2).chunks > 8);
  CHECK(chain->algorithm.find('|') != std::string::npos);
}

TEST_CASE("on random fabrics no time is below the bound, and channels are not busy for longer than it takes") {
  const std::uint64_t first = reference::first_seed();
  const std::uint64_t count = tests::share(12);
  int times = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    CAPTURE(seed);
    reference::Dice dice(seed);
    const Fabric fabric = reference::random_fabric(dice);
    if (fabric.processors() < 2 || fabric.processors() > 8) continue;
    const CompareOutcome outcome = compared("allreduce", fabric.notation(), "64,1MiB");
    for (const Compared& it : outcome.algorithms) {
      CAPTURE(it.algorithm);
      for (std::size_t i = 0; i < outcome.sizes.size(); ++i) {
        if (!it.times[i]) continue;
        ++times;
        CHECK(*it.times[i] >= outcome.at_least[i] * (1 - 1e-9));
        double busy = 0;
        std::uint32_t last = 0;
        for (const BusyRounds& rounds : it.at(i).busy) {
          CHECK(rounds.first > last);
          CHECK(rounds.last >= rounds.first);
          last = rounds.last;
          busy += CompareOutcome::seconds(rounds, it.at(i), outcome.sizes[i]);
        }
        CHECK(last <= it.at(i).in_rounds->rounds);
        CHECK(busy > 0);
        // Every round takes a start besides.
        CHECK(busy + 5e-6 * static_cast<double>(it.at(i).in_rounds->rounds) <= *it.times[i] * (1 + 1e-9));
      }
    }
  }
  CHECK(times > 0);
}

// The request of `replay` for a choice: its arguments, and its option.
ReplayRequest replay_of(const Compared::Choice& choice, const std::string& on, const std::string& size) {
  std::istringstream words(choice.name());
  ReplayRequest request;
  words >> request.input.file;
  for (std::string word; words >> word;) {
    if (word == "--retime") request.input.retime = true;
    if (word == "--spread") request.input.spread = true;
    if (!word.starts_with("--")) request.input.defines.push_back(word);
  }
  request.input.on = on + "timing=rounds,paths=shared";
  request.sizes = {size};
  return request;
}

TEST_CASE("the command that a row names takes the row's time, and the best is near the bound") {
  struct Case {
    std::string what, on, size;
    double times_the_bound;
  };
  for (const Case& it :
       {Case{"allreduce", "dgx_h100:", "4MiB", 2.2}, Case{"allreduce", "mi300x:", "4MiB", 1.9},
        Case{"allreduce", "dgx_h100_rails:servers=2,", "64MiB", 2.3}, Case{"broadcast", "dgx_h100:", "64MiB", 1.05},
        Case{"broadcast", "dgx_h100_rails:servers=2,", "64MiB", 1.8}}) {
    CAPTURE(it.on);
    if (tests::sanitized && it.on.starts_with("dgx_h100_rails")) continue;  // minutes
    MemoryEnvironment environment;
    Context context{environment};
    const std::string machine = it.on.substr(0, it.on.size() - 1);
    const auto outcome = run(CompareRequest{.collective = it.what, .on = machine, .sizes = {it.size}}, context).value();
    REQUIRE(outcome.best.front());
    CHECK(*outcome.algorithms[*outcome.best.front()].times.front() <= it.times_the_bound * outcome.at_least.front());
    for (const Compared& row : outcome.algorithms) {
      if (!row.times.front() || row.algorithm.starts_with("barrier")) continue;
      CAPTURE(row.at(0).name());
      Context apart{environment};
      const auto replayed = run(replay_of(row.at(0), it.on, it.size), apart);
      REQUIRE(replayed.ok());
      REQUIRE(replayed->times.front());
      CHECK(*replayed->times.front() == doctest::Approx(*row.times.front()).epsilon(1e-9));
    }
  }
}

TEST_CASE("on tori and slices of them, long messages use all dimensions at once, and are near the bound") {
  struct Case {
    std::string what, on;
    double times_the_bound;
  };
  const std::string torus = "torus:4x4,timing=rounds,paths=shared";
  for (const Case& it :
       {Case{"allgather", torus, 1.05}, Case{"reduce_scatter", torus, 1.05}, Case{"allreduce", torus, 2},
        Case{"allgather", "torus:3x5,timing=rounds,paths=shared", 1.2},
        Case{"allgather", "tpu_slice:x=4,y=4,z=4", 1.05}, Case{"allgather", "tpu_slice:x=2,y=4,z=1", 1.35},
        Case{"broadcast", "torus:3x3,timing=rounds,paths=shared", 1.25},
        Case{"reduce", "torus:3x3,timing=rounds,paths=shared", 1.25}}) {
    CAPTURE(it.what);
    CAPTURE(it.on);
    if (tests::sanitized && it.on.starts_with("tpu_slice:x=4")) continue;  // minutes
    MemoryEnvironment environment;
    Context context{environment};
    const auto outcome = run(CompareRequest{.collective = it.what, .on = it.on, .sizes = {"64MiB"}}, context).value();
    REQUIRE(outcome.best.front());
    const Compared& best = outcome.algorithms[*outcome.best.front()];
    CHECK(schedule_of(best.at(0).name()).ends_with("_on_torus"));
    CHECK(*best.times.front() <= it.times_the_bound * outcome.at_least.front());
  }
}

TEST_CASE("each row is told as soon as it is measured, as it is shown in the end") {
  MemoryEnvironment environment;
  Context context{environment};
  std::vector<std::string> rows;
  CompareRequest request{.collective = "broadcast", .on = "ring:6", .sizes = {"1KiB,1MiB"}};
  request.on_row = [&](const Compared& row) { rows.push_back(row.algorithm); };
  const CompareOutcome outcome = run(request, context).value();
  std::vector<std::string> shown;
  for (const Compared& it : outcome.algorithms) shown.push_back(it.algorithm);
  std::ranges::sort(rows);
  std::ranges::sort(shown);
  CHECK(rows == shown);
}

// The row of the schedule; null if there is none.
const Compared* row_of(const CompareOutcome& outcome, std::string_view schedule) {
  const auto found =
      std::ranges::find(outcome.algorithms, schedule, [](const Compared& it) { return schedule_of(it.algorithm); });
  return found == outcome.algorithms.end() ? nullptr : &*found;
}

TEST_CASE("a copy of a shipped schedule as a file has the times and the arguments of the shipped row") {
  for (const std::string on : {"complete:6,ports=single", "leaf_spine:hosts=4,leaves=2,spines=2"}) {
    for (const std::string what : {"allreduce", "broadcast"}) {
      CAPTURE(on);
      CAPTURE(what);
      if (tests::sanitized && on.starts_with("complete")) continue;  // minutes
      MemoryEnvironment environment;
      Context context{environment};
      CompareRequest request{.collective = what, .on = on, .sizes = {"64,1MiB,1GiB"}, .steps = true};
      request.every_choice = true;
      const CompareOutcome alone = run(request, context).value();
      for (const Compared& it : alone.algorithms) {
        const std::string path = schedule_of(it.algorithm) + ".qd";
        environment.files[path] = shipped_schedule(schedule_of(it.algorithm))->text;
        request.files.push_back(path);
      }
      const auto outcome = run(request, context);
      REQUIRE(outcome.ok());
      CHECK(outcome.diagnostics().empty());
      REQUIRE(outcome->algorithms.size() == 2 * alone.algorithms.size());
      for (const Compared& it : alone.algorithms) {
        const std::string name = schedule_of(it.algorithm);
        CAPTURE(name);
        const Compared* shipped = row_of(*outcome, name);
        const Compared* copy = row_of(*outcome, name + ".qd");
        REQUIRE(shipped != nullptr);
        REQUIRE(copy != nullptr);
        CHECK(shipped->file.empty());
        CHECK(copy->file == name + ".qd");
        CHECK(copy->algorithm == name + ".qd" + shipped->algorithm.substr(name.size()));
        CHECK(shipped->times == it.times);
        CHECK(copy->times == it.times);
        CHECK(copy->steps == it.steps);
      }
    }
  }
}

TEST_CASE("a file may be given twice, and one that cannot serve is left out with the reason") {
  MemoryEnvironment environment;
  Context context{environment};
  environment.files["gather.qd"] = shipped_schedule("allgather_ring")->text;
  environment.files["ring.qd"] = shipped_schedule("allreduce_ring")->text;
  CompareRequest request{.collective = "allreduce", .on = "ring:5", .sizes = {"1KiB"}};
  const CompareOutcome alone = run(request, context).value();
  request.files = {"gather.qd", "ring.qd", "ring.qd"};
  const auto outcome = run(request, context);
  REQUIRE(outcome.ok());
  CHECK(outcome->algorithms.size() == alone.algorithms.size() + 2);
  REQUIRE(outcome.diagnostics().size() == 1);
  CHECK(outcome.diagnostics().front().severity == Severity::warning);
  CHECK(outcome.diagnostics().front().message.starts_with("gather.qd N=5 is left out: the schedule does allgather"));
  CHECK(*outcome->algorithms[*outcome->best[0]].times[0] == *alone.algorithms[*alone.best[0]].times[0]);
}

// Compares what is passed over with what is measured of it. Returns how many choices were passed over.
std::size_t compare_with_every_choice(const std::string& what, const std::string& on) {
  CAPTURE(on);
  CAPTURE(what);
  MemoryEnvironment environment;
  Context context{environment};
  CompareRequest request{.collective = what, .on = on, .sizes = {"64,256KiB,1GiB"}, .costs = "Ts=5us,Th=1us,Tc=0.1ns"};
  const CompareOutcome fast = run(request, context).value();
  request.every_choice = true;
  const CompareOutcome whole = run(request, context).value();
  CHECK(whole.passed_over.empty());
  REQUIRE(fast.algorithms.size() == whole.algorithms.size());
  for (std::size_t i = 0; i < fast.sizes.size(); ++i) {
    REQUIRE(fast.best[i].has_value() == whole.best[i].has_value());
    if (!fast.best[i]) continue;
    const Compared& best = fast.algorithms[*fast.best[i]];
    const Compared& expected = whole.algorithms[*whole.best[i]];
    CHECK(best.at(i).algorithm == expected.at(i).algorithm);
    CHECK(*best.times[i] == *expected.times[i]);
    CHECK(best.at(i).in_rounds->rounds == expected.at(i).in_rounds->rounds);
    for (const Compared& it : whole.algorithms) {
      if (!it.times[i]) continue;
      const auto over = std::ranges::find(fast.passed_over, it.at(i).algorithm, &PassedOver::algorithm);
      if (over == fast.passed_over.end() || over->at_least.empty()) continue;
      CHECK(over->at_least[i] <= *it.times[i] * (1 + 1e-9));
      CHECK(*best.times[i] <= *it.times[i]);
    }
  }
  return fast.passed_over.size();
}

TEST_CASE("choices that are passed over change no winner, and their bounds hold") {
  std::size_t passed_over = 0;
  std::size_t pair = 0;
  const std::size_t every = tests::sanitized ? 12 : tests::brief ? 4 : 3;  // of the pairs
  for (const std::string on : {"complete:8,ports=single", "leaf_spine:hosts=8,leaves=4,spines=2", "dgx1", "star:6",
                               "complete:6,switches=reduce", "star:8,switches=reduce", "ring:6,duplex=half"}) {
    for (const std::string what : {"allreduce", "broadcast", "reduce:root=1", "reduce_scatter", "allgather"}) {
      if (pair++ % every == 0) passed_over += compare_with_every_choice(what, on);
    }
  }
  CHECK(passed_over > 10);
  const std::uint64_t first = reference::first_seed();
  const std::uint64_t count = tests::sanitized ? 2 : tests::share(18);
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    CAPTURE(seed);
    reference::Dice dice(seed);
    const Fabric fabric = reference::random_fabric(dice);
    if (fabric.processors() < 2 || fabric.processors() > 9) continue;
    compare_with_every_choice(seed % 2 == 0 ? "allreduce" : "broadcast", fabric.notation());
  }
}

TEST_CASE("a file may call a list segments, and give it") {
  MemoryEnvironment environment;
  Context context{environment};
  environment.files["list.qd"] =
      "param segments: list in 1..9 = [1, 2]\nfabric complete(4, timing: rounds)\ncollective allgather\n"
      "for k in processors, d in 1..3: send k -> (k + d) mod 4\n";
  const CompareRequest request{.collective = "allgather",
                               .on = "complete:4",
                               .sizes = {"1KiB"},
                               .files = {"list.qd"},
                               .defines = {"segments=[3,1]"},
                               .only = {"list.qd"}};
  const auto outcome = run(request, context);
  REQUIRE(outcome.ok());
  CHECK(outcome->algorithms.size() == 1);
}

// Its segments are 8 by default, and 1, 2, 4, … 512 are tried.
TEST_CASE("a default that is given by name is not tried again") {
  MemoryEnvironment environment;
  Context context{environment};
  std::uint64_t choices = 0;
  context.limits.progress = [&](const Progress& it) { choices = it.of.value_or(0); };
  const CompareRequest request{
      .collective = "allreduce", .on = "complete:8", .sizes = {"1MiB"}, .only = {"allreduce_double_tree"}};
  REQUIRE(run(request, context).ok());
  CHECK(choices == 10);
}

TEST_CASE("a choice of too many rows is passed over if its algorithm is measured with others") {
  MemoryEnvironment environment;
  Context context{environment};
  CompareRequest request{.collective = "broadcast", .on = "complete:8,ports=single", .sizes = {"1KiB,64MiB"}};
  const CompareOutcome whole = run(request, context).value();
  request.most_rows = 20;
  const CompareOutcome small = run(request, context).value();
  CHECK(small.algorithms.size() == whole.algorithms.size());
  const auto rows = [](const PassedOver& it) { return it.rows; };
  CHECK(std::ranges::count(whole.passed_over, 0U, rows) == std::ssize(whole.passed_over));
  const auto large = std::ranges::find_if(small.passed_over, [&](const PassedOver& it) { return rows(it) > 0; });
  REQUIRE(large != small.passed_over.end());
  CHECK(large->rows > 20);
  CHECK(large->at_least.empty());
}

TEST_CASE("what is known when someone asks to stop is told, and why there is no more") {
  MemoryEnvironment environment;
  Context context{environment};
  std::stop_source stop;
  context.limits.stop = stop.get_token();
  const CompareRequest request{.collective = "allreduce", .on = "complete:6", .sizes = {"1MiB"}, .steps = true};
  const CompareOutcome whole = run(request, context).value();
  CHECK(whole.reason == Reason::none);
  CHECK(whole.algorithms.front().steps);
  int reports = 0;
  context.limits.progress = [&](const Progress&) {
    if (++reports == 8) stop.request_stop();
  };
  const CompareOutcome part = run(request, context).value();
  CHECK(part.reason == Reason::cancelled);
  CHECK(part.algorithms.size() < whole.algorithms.size());
  CHECK(part.best.size() == 1);
  CHECK(part.at_least == whole.at_least);
  for (const Compared& it : part.algorithms) {
    if (!it.whole) {
      CHECK_FALSE(it.steps);
      continue;
    }
    const auto same = std::ranges::find(whole.algorithms, it.algorithm, &Compared::algorithm);
    REQUIRE(same != whole.algorithms.end());
    CHECK(it.times == same->times);
    CHECK(it.steps == same->steps);
  }
  const CompareOutcome none = run(request, context).value();
  CHECK(none.reason == Reason::cancelled);
  CHECK(none.algorithms.empty());
  CHECK_FALSE(none.best.front());
}

}  // namespace
}  // namespace quadrille::driver
