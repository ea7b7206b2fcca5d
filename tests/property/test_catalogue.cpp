// The catalogue: every schedule that ships in rounds is right, and what it claims, for every number of processors that
// it is for; and so are the packets that steps make of its messages.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "compiler/compile.h"
#include "dsl/load.h"
#include "model/route.h"
#include "tests/environment.h"
#include "tests/reference/compiled.h"
#include "tests/reference/random_tables.h"
#include "verifier/check.h"

namespace {

using namespace quadrille;

using Schedule = std::shared_ptr<const ir::Schedule>;

struct Entry {
  std::string name;
  Schedule schedule;
};

// Those that have a parameter N, and count rounds.
std::vector<Entry> catalogue() {
  std::vector<Entry> entries;
  for (const ShippedFile& shipped : shipped_schedules()) {
    const std::string text(shipped.text);
    if (text.find("timing: rounds") == text.npos || text.find("param N ") == text.npos) continue;
    Sources sources;
    const auto program = load({std::string(shipped.name), text}, {}, sources);
    REQUIRE(program.ok());
    const auto schedule = compile(*program, std::string(shipped.name));
    REQUIRE(schedule.ok());
    entries.push_back({std::string(shipped.name), *schedule});
  }
  return entries;
}

// Its table for N processors; nothing where its range leaves out N, or where its sums have no order on another fabric:
// one of the two must be what is said.
std::optional<SendTable> table_for(const Entry& entry, std::uint32_t N, const ElaborateOptions& options = {}) {
  const auto table = elaborate(entry.schedule, {{"N", std::to_string(N)}}, options);
  if (table) return *table;
  const std::string& message = table.diagnostics().front().message;
  if (options.fabric && message.starts_with("this cannot be retimed")) return std::nullopt;
  REQUIRE_MESSAGE(message.starts_with(fmt::format("parameter N is {}; expected", N)), entry.name << ": " << message);
  return std::nullopt;
}

std::string violations_of(const SendTable& table) {
  const Report report = check(reference::without_optimal_claims(table));
  if (report.verdict == Verdict::holds) return {};
  std::string text(to_string(report.verdict));
  for (const Violation& violation : report.violations) text += "\n" + violation.message;
  return text;
}

// With so many processors, each of which can reach each. Where switches reduce, nothing is retimed that combines.
Fabric machine_of(reference::Dice& dice, std::uint32_t processors) {
  while (true) {
    Fabric fabric = reference::random_fabric(dice);
    if (fabric.processors() != processors || fabric.switches_reduce()) continue;
    const Router router(fabric);
    bool connected = true;
    for (std::uint32_t a = 0; a < processors; ++a) {
      for (std::uint32_t b = 0; b < processors; ++b) connected = connected && router.distance(NodeId(a), NodeId(b));
    }
    if (connected) return fabric;
  }
}

}  // namespace

TEST_CASE("every schedule of the catalogue holds, with its claims, for every number of processors that it is for") {
  const std::uint32_t most = tests::long_run() ? 128 : tests::brief ? 20 : 64;
  std::vector<std::uint32_t> numbers(most - 1);
  std::iota(numbers.begin(), numbers.end(), 2U);
  if (!tests::brief) numbers.insert(numbers.end(), {100, 127, 200});
  // An invariant about each part at each processor after each round takes N^3 statements.
  const std::uint32_t most_with_invariants = tests::long_run() ? 128 : 32;
  std::size_t checked = 0;
  for (const Entry& entry : catalogue()) {
    std::size_t sizes = 0;
    for (const std::uint32_t N : numbers) {
      auto table = table_for(entry, N);
      if (!table) continue;
      if (N > most_with_invariants) table->invariants.clear();
      ++sizes;
      const std::string wrong = violations_of(*table);
      CHECK_MESSAGE(wrong.empty(), entry.name << " N=" << N << ": " << wrong);
    }
    CHECK_MESSAGE(sizes >= 4, entry.name);
    checked += sizes;
  }
  MESSAGE(checked << " tables");
  CHECK(checked > 500);
}

TEST_CASE("the packets that steps make of the catalogue's messages hold, too") {
  ElaborateOptions steps;
  steps.timing = Timing::steps;
  for (const Entry& entry : catalogue()) {
    for (std::uint32_t N = 2; N <= 9; ++N) {
      const auto table = table_for(entry, N, steps);
      if (!table) continue;
      const std::string wrong = violations_of(*table);
      CHECK_MESSAGE(wrong.empty(), entry.name << " N=" << N << ": " << wrong);
    }
  }
}

TEST_CASE("the catalogue's packets hold on random machines") {
  const std::uint64_t seed = reference::first_seed();
  reference::Dice dice(seed);
  std::size_t checked = 0;
  for (const Entry& entry : catalogue()) {
    for (std::uint32_t N = 2; N <= 6; ++N) {
      ElaborateOptions on;
      on.fabric = machine_of(dice, N);
      const auto table = table_for(entry, N, on);
      if (!table) continue;
      const SendTable unclaimed{table->fabric, table->collective, table->schedule, {}, table->rows};
      const std::string wrong = violations_of(unclaimed);
      CHECK_MESSAGE(wrong.empty(), "QUADRILLE_SEED=" << seed << " " << entry.name << " N=" << N << " on "
                                                     << on.fabric->notation() << ": " << wrong);
      ++checked;
    }
  }
  CHECK(checked > 100);
}

TEST_CASE(
    "schedules by levels hold for every number of servers and of GPUs, also one; those by dimensions on every torus; "
    "uneven ones for any weak processors") {
  std::vector<std::pair<std::string, Arguments>> cases;
  for (std::uint32_t N = 1; N <= 12; ++N) {
    for (std::uint32_t gpus = 1; gpus <= N; ++gpus) {
      if (N % gpus != 0) continue;
      for (const std::string segments : {"1", "3"}) {
        Arguments arguments{{"N", std::to_string(N)}, {"gpus", std::to_string(gpus)}, {"segments", segments}};
        arguments["lag"] = segments == "1" ? "1" : "2";
        cases.emplace_back("allreduce_by_levels", arguments);
        arguments["lag"] = "1";
        arguments["root"] = std::to_string(N * 2 / 3);
        cases.emplace_back("broadcast_by_levels", arguments);
        cases.emplace_back("reduce_by_levels", arguments);
        arguments.erase("lag");
        cases.emplace_back("broadcast_multicast", arguments);
      }
    }
  }
  for (const std::string sides :
       {"2", "3", "4", "7", "2,2", "3,4", "5,3", "4,4", "2,2,2", "2,3,5", "4,2,3", "2,3,2,2"}) {
    Arguments arguments{{"sides", "[" + sides + "]"}};
    cases.emplace_back("allreduce_by_dimensions", arguments);
    for (const std::string collective : {"allgather", "reduce_scatter", "allreduce"}) {
      for (const std::string direct : {"0", "1"}) {
        arguments["direct"] = direct;
        cases.emplace_back(collective + "_on_torus", arguments);
      }
    }
    arguments.erase("direct");
    for (const std::string segments : {"1", "3"}) {
      for (const std::string root : {"0", "1"}) {
        arguments["segments"] = segments;
        arguments["root"] = root;
        for (const std::string collective : {"broadcast", "reduce"})
          cases.emplace_back(collective + "_on_torus", arguments);
      }
    }
  }
  for (const std::string N : {"2", "3", "7"}) {
    for (const std::string weak : {"{}", "{0}", "{1}", "{0,2}"}) {
      for (const std::string share : {"0", "1"}) {
        cases.emplace_back("allreduce_uneven",
                           Arguments{{"N", N}, {"weak", weak}, {"share", share}, {"segments", "3"}, {"pieces", "2"}});
      }
    }
  }
  for (const auto& [name, arguments] : cases) {
    Sources sources;
    const auto program = load({name, std::string(shipped_schedule(name)->text)}, {}, sources);
    REQUIRE(program.ok());
    const auto table = elaborate(*compile(*program, name), arguments, {});
    REQUIRE(table.ok());
    const std::string wrong = violations_of(*table);
    CHECK_MESSAGE(wrong.empty(), table->schedule << ": " << wrong);
  }
}
