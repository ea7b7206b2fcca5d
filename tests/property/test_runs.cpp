// Random schedules that are run under random relabellings send what the definition of `run` says, worked out here from
// the list of their sends.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "compiler/compile.h"
#include "dsl/load.h"
#include "tests/environment.h"
#include "tests/reference/random_programs.h"
#include "tests/reference/random_tables.h"

namespace {

using namespace quadrille;

std::uint64_t programs() { return tests::brief ? 100 : tests::long_run() ? 20000 : 1000; }

// A message of the inner schedule: its blocks, by their numbers.
struct Message {
  int round, from, to;
  std::set<int> blocks;
};

struct Inner {
  std::string text;
  int processors, blocks, rounds = 0;
  std::vector<Message> messages;
};

enum class Kind { allgather, gather, scatter, broadcast, reduce_scatter, reduce, allreduce };

const std::map<Kind, std::string> names = {{Kind::allgather, "allgather"}, {Kind::gather, "gather"},
                                           {Kind::scatter, "scatter"},     {Kind::broadcast, "broadcast"},
                                           {Kind::reduce, "reduce"},       {Kind::reduce_scatter, "reduce_scatter"},
                                           {Kind::allreduce, "allreduce"}};

bool combines(Kind kind) { return kind >= Kind::reduce_scatter; }
bool by_processor(Kind kind) {
  return kind == Kind::allgather || kind == Kind::gather || kind == Kind::scatter || kind == Kind::reduce_scatter;
}
bool rooted(Kind kind) {
  return kind == Kind::gather || kind == Kind::scatter || kind == Kind::broadcast || kind == Kind::reduce;
}

// What follows `carrying` for a block, in a collective of that kind with so many parts and that root.
std::string carrying(Kind kind, int block, int parts, int root) {
  if (combines(kind)) return fmt::format("part {}", block);
  if (kind == Kind::broadcast) return fmt::format("{} -> * part {}", root, block);
  if (kind == Kind::allgather) return fmt::format("{} -> * part {}", block / parts, block % parts);
  if (kind == Kind::gather) return fmt::format("{} -> {} part {}", block / parts, root, block % parts);
  return fmt::format("{} -> {} part {}", root, block / parts, block % parts);
}

// The label of a block's packet in rows, for a message from one processor to another.
std::string label(Kind kind, int block, int parts, int root, int values, int from, int to) {
  std::string text;
  bool tells_part = true;
  if (combines(kind)) {
    text = fmt::format("{}->{}", from, to);
    tells_part = values > 1;
  } else if (kind == Kind::broadcast) {
    text = fmt::format("{}->*", root);
    tells_part = values > 1;
  } else {
    text = kind == Kind::allgather ? fmt::format("{}->*", block / parts)
           : kind == Kind::gather  ? fmt::format("{}->{}", block / parts, root)
                                   : fmt::format("{}->{}", root, block / parts);
    tells_part = parts > 1;
    block %= parts;
  }
  return tells_part ? fmt::format("{} part {}", text, block) : text;
}

// A schedule of messages in which each carries blocks that it names.
Inner random_inner(reference::Dice& dice, Kind kind) {
  Inner inner;
  inner.processors = static_cast<int>(dice.from_to(2, 4));
  const int parts = static_cast<int>(dice.from_to(1, 2));
  const int root = static_cast<int>(dice.below(static_cast<std::uint64_t>(inner.processors)));
  inner.blocks = by_processor(kind) ? inner.processors * parts : parts;
  inner.text = fmt::format("fabric complete({}, timing: rounds)\ncollective {}(parts: {}{})\n", inner.processors,
                           names.at(kind), parts, rooted(kind) ? fmt::format(", root: {}", root) : "");
  for (std::uint32_t i = dice.from_to(1, 5); i > 0; --i) {
    Message message;
    message.round = static_cast<int>(dice.from_to(1, 3));
    message.from = static_cast<int>(dice.below(static_cast<std::uint64_t>(inner.processors)));
    message.to = (message.from + static_cast<int>(dice.from_to(1, static_cast<std::uint32_t>(inner.processors) - 1))) %
                 inner.processors;
    const int block = static_cast<int>(dice.below(static_cast<std::uint64_t>(inner.blocks)));
    if ((kind == Kind::gather || kind == Kind::scatter) && block / parts == root) continue;  // no such packet
    message.blocks = {block};
    inner.text += fmt::format("at {}: send {} -> {} carrying {}\n", message.round, message.from, message.to,
                              carrying(kind, block, parts, root));
    inner.rounds = std::max(inner.rounds, message.round);
    inner.messages.push_back(message);
  }
  return inner;
}

// The outer schedule runs the inner one once, under one or two relabellings, and perhaps reversed.
struct Outer {
  std::string text;
  std::set<std::string> sends;  // "2: 0->3 0->3 part 1"
};

Outer random_outer(reference::Dice& dice, const Inner& inner, Kind inside, Kind kind) {
  const int n = inner.processors + static_cast<int>(dice.below(4));
  const int parts = static_cast<int>(dice.from_to(1, 3));
  const int root = static_cast<int>(dice.below(static_cast<std::uint64_t>(n)));
  const int blocks = by_processor(kind) ? n * parts : parts;
  const int start = static_cast<int>(dice.from_to(1, 3));
  // A `reverse:` gives an all-reduce for an all-reduce.
  const bool reversed = kind == Kind::allreduce && dice.one_in(3);
  Outer outer;
  outer.text = fmt::format("include \"inner.qd\"\nfabric complete({}, timing: rounds)\ncollective {}(parts: {}{})\n", n,
                           names.at(kind), parts, rooted(kind) ? fmt::format(", root: {}", root) : "");
  std::vector<Message> messages = inner.messages;
  std::string around;
  const int relabellings = static_cast<int>(dice.from_to(1, 2));
  for (int i = 0; i < relabellings; ++i) {
    const bool first = i == 0;
    // The blocks are mapped at once, or else those of processors would go along.
    const int turn = static_cast<int>(dice.below(static_cast<std::uint64_t>(n)));
    const int a = static_cast<int>(dice.below(5));
    const int b = static_cast<int>(dice.below(5));
    const bool maps_parts = first || dice.one_in(2);
    const std::string part =
        maps_parts ? fmt::format(" part q -> {{(q + {0}) mod {2}, (3*q + {1}) mod {2}}}", a, b, blocks) : "";
    const std::string count = first && dice.one_in(2) ? fmt::format(" of {}", inner.processors) : "";
    around.insert(0, fmt::format("relabel x -> (x + {}) mod {}{}{}: ", turn, n, count, part));
    for (Message& message : messages) {
      message.from = (message.from + turn) % n;
      message.to = (message.to + turn) % n;
      if (!maps_parts) continue;
      std::set<int> mapped;
      for (const int q : message.blocks) mapped.insert({(q + a) % blocks, (3 * q + b) % blocks});
      message.blocks = mapped;
    }
  }
  // All four headers need lines of their own: as many levels as there are.
  outer.text += fmt::format("at {}: {}{}run inner\n", start, reversed ? "reverse: " : "", around);
  (void)inside;
  for (const Message& message : messages) {
    const int round = start - 1 + (reversed ? inner.rounds + 1 - message.round : message.round);
    const int from = reversed ? message.to : message.from;
    const int to = reversed ? message.from : message.to;
    for (const int block : message.blocks)
      outer.sends.insert(
          fmt::format("{}: {}->{} {}", round, from, to, label(kind, block, parts, root, blocks, from, to)));
  }
  return outer;
}

// What may run inside of what; blocks with an own processor that have no packet (of a root) are left out.
bool may_run(Kind inside, Kind outside) {
  if (outside == Kind::gather || outside == Kind::scatter) return false;
  return combines(outside) || !combines(inside);
}

}  // namespace

TEST_CASE("a run sends what its schedule sends, mapped by the relabellings around it") {
  const std::uint64_t first = reference::first_seed();
  std::uint64_t compared = 0;
  for (std::uint64_t seed = first; seed < first + programs(); ++seed) {
    reference::Dice dice(seed);
    const Kind inside = static_cast<Kind>(dice.below(names.size()));
    const Kind outside = static_cast<Kind>(dice.below(names.size()));
    if (!may_run(inside, outside)) continue;
    const Inner inner = random_inner(dice, inside);
    if (inner.messages.empty()) continue;
    const Outer outer = random_outer(dice, inner, inside, outside);
    Sources sources;
    const auto program = load(
        {"test.qd", outer.text}, [&](const std::string&) { return std::optional(inner.text); }, sources);
    REQUIRE_MESSAGE(program.ok(), render(program.diagnostics(), sources));
    const auto schedule = compile(*program, "test");
    REQUIRE_MESSAGE(schedule.ok(), render(schedule.diagnostics(), sources));
    const auto table = elaborate(*schedule, {}, {});
    const std::string what = fmt::format("QUADRILLE_SEED={}\n{}--- inner.qd\n{}", seed, outer.text, inner.text);
    REQUIRE_MESSAGE(table.ok(), what << render(table.diagnostics(), sources));
    std::set<std::string> sends;
    for (const auto& [step, row] : all_rows(*table)) {
      sends.insert(
          fmt::format("{}: {} {}", step.value, table->fabric.name(row.channel), table->collective.label(row.chunk)));
    }
    REQUIRE_MESSAGE(sends == outer.sends, what << fmt::format("expected {}\nmet {}", outer.sends, sends));
    ++compared;
  }
  MESSAGE(fmt::format("{} compared, from seed {}", compared, first));
  CHECK(compared > programs() / 4);
}
