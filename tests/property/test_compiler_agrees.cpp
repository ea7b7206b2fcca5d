// The compiler and the reference interpreter must list the same rows for every program.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "compiler/compile.h"
#include "dsl/load.h"
#include "model/fabric_notation.h"
#include "tests/compiler/compile_text.h"
#include "tests/environment.h"
#include "tests/reference/interpreter.h"
#include "tests/reference/random_programs.h"

namespace {

using namespace quadrille;

std::uint64_t programs() { return tests::brief ? 150 : tests::long_run() ? 30000 : 1500; }

// The rows of every step and channel: how many, and what they carry. Which of them has which lane is not compared.
using Crossings = std::map<std::pair<std::uint32_t, ChannelId>, std::multiset<ChunkId>>;

// Nothing if the program has a mistake.
std::optional<Crossings> read_literally(const reference::RandomProgram& program) {
  Sources sources;
  const auto tree = load(
      {"test.qd", program.text}, [](const std::string&) { return std::nullopt; }, sources);
  REQUIRE_MESSAGE(tree.ok(), render(tree.diagnostics(), sources) << program.text);
  const Fabric fabric = parse_fabric({"test", program.fabric}, 0).value();
  const Collective collective = parse_collective({"test", program.collective}, 0, fabric.processors()).value();
  try {
    Crossings crossings;
    for (const auto& row : reference::interpreted(*tree, fabric, Router(fabric), collective))
      crossings[{row.step, row.channel}].insert(row.chunk);
    return crossings;
  } catch (const reference::Mistake&) {
    return std::nullopt;
  }
}

// The table's; and a complaint where a channel's lanes are not taken one after another, from the first again.
Crossings listed(const SendTable& table) {
  Crossings crossings;
  std::map<std::pair<std::uint32_t, ChannelId>, std::multiset<LaneId>> lanes;
  std::map<std::pair<std::uint32_t, ChannelId>, std::multiset<LaneId>> expected;
  for (const auto& [step, row] : all_rows(table)) {
    const std::pair crossed{step.value, row.channel};
    const auto before = static_cast<std::uint32_t>(crossings[crossed].size());
    expected[crossed].insert(LaneId(before % table.fabric.channel(row.channel).capacity));
    lanes[crossed].insert(row.lane);
    crossings[crossed].insert(row.chunk);
  }
  CHECK(lanes == expected);
  return crossings;
}

std::string difference(const Compiled& compiled, const std::optional<Crossings>& expected) {
  if (!compiled.table) return compiled.messages;
  if (!expected) return "a mistake that the compiler does not see\n";
  std::string text;
  const Crossings met = listed(*compiled.table);
  const auto tell = [&](const char* what, const Crossings& some, const Crossings& others) {
    for (const auto& [crossed, chunks] : some) {
      const auto other = others.find(crossed);
      if (other != others.end() && other->second == chunks) continue;
      for (const ChunkId chunk : chunks) {
        text += fmt::format("{} step {}: {} {}\n", what, crossed.first, compiled.table->fabric.name(crossed.second),
                            compiled.table->collective.label(chunk));
      }
    }
  };
  tell("expected", *expected, met);
  tell("met", met, *expected);
  return text;
}

}  // namespace

TEST_CASE("the compiler lists the rows of random programs that the reference interpreter lists") {
  std::uint64_t mistaken = 0;
  std::uint64_t empty = 0;
  std::string shortest;  // of those where they differ
  std::string told;
  const std::uint64_t first = reference::first_seed();
  for (std::uint64_t seed = first; seed < first + programs(); ++seed) {
    reference::Dice dice(seed);
    const reference::RandomProgram program = reference::random_program(dice);
    const auto expected = read_literally(program);
    ElaborateOptions options;
    options.fabric = parse_fabric({"test", program.fabric}, 0).value();
    const Compiled compiled = compile_text(program.text, {}, options);
    const bool agree = compiled.table ? expected == listed(*compiled.table) : !expected;
    if (!agree && (shortest.empty() || program.text.size() < shortest.size())) {
      shortest = program.text;
      told = fmt::format("QUADRILLE_SEED={}\n{}{}", seed, program.text, difference(compiled, expected));
    }
    mistaken += expected ? 0 : 1;
    empty += expected && expected->empty() ? 1 : 0;
  }
  CHECK_MESSAGE(shortest.empty(), told);
  MESSAGE(
      fmt::format("{} programs from seed {}: {} have mistakes, {} send nothing", programs(), first, mistaken, empty));
  CHECK(mistaken < programs() / 2);
  CHECK(empty < programs() / 4);
}
