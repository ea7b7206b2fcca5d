// What the checker says of invariants whose statements come in time is what it says of those that come step by step,
// and both are wrong as often as the reference says.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tests/compiler/compile_text.h"
#include "tests/environment.h"
#include "tests/reference/agreement.h"
#include "tests/reference/random_tables.h"
#include "tests/reference/reference_invariants.h"
#include "verifier/check.h"

namespace {

using namespace quadrille;
using reference::Dice;

const std::uint64_t programs = tests::brief ? 300 : 3000;

// Random expressions of t, the numbers of loops, and each other.
class Writer {
 public:
  explicit Writer(Dice& dice) : dice_(dice) {}

  std::string number(const std::string& names, int depth = 2) {
    const auto part = [&] { return number(names, depth - 1); };
    if (depth == 0 || dice_.one_in(5))
      return dice_.one_in(3) ? std::to_string(dice_.below(6)) : std::string(1, names[dice_.below(names.size())]);
    switch (dice_.below(9)) {
      case 0:
        return fmt::format("({} + {})", part(), part());
      case 1:
        return fmt::format("({} - {})", part(), part());
      case 2:
        return fmt::format("({} * {})", part(), part());
      case 3:
        return fmt::format("({} mod {})", part(), 1 + dice_.below(7));
      case 4:
        return fmt::format("({} / {})", part(), 1 + dice_.below(4));
      case 5:
        return fmt::format("(if {} then {} else {})", truth(names, depth - 1), part(), part());
      case 6:
        return fmt::format("f({}, {})", part(), part());
      case 7:
        return fmt::format("min({}, {})", part(), part());
      default:
        return fmt::format("({} mod {})", part(), part());  // may be by zero
    }
  }

  std::string truth(const std::string& names, int depth = 2) {
    static const std::vector<std::string> comparisons = {"<", "<=", ">", ">=", "==", "!="};
    if (depth > 0 && dice_.one_in(4)) {
      const char* const joined = dice_.one_in(2) ? "and" : "or";
      return fmt::format("({} {} {})", truth(names, depth - 1), joined, truth(names, depth - 1));
    }
    if (depth > 0 && dice_.one_in(8)) return fmt::format("(not {})", truth(names, depth - 1));
    return fmt::format("({} {} {})", number(names, depth), dice_.pick(comparisons), number(names, depth));
  }

  std::string set(const std::string& names, const std::string& truly) {
    switch (dice_.below(8)) {
      case 0:
        return fmt::format("{{{} .. {}}}", number(names, 1), number(names, 1));
      case 1:
        return fmt::format("{{{} .. {}}} mod n", number(names, 1), number(names, 1));
      case 2:
        return fmt::format("{{{}, {}}}", number(names), number(names, 1));
      case 3:
        return fmt::format("{{{} for x in 0..n-1 if {}}}", dice_.one_in(3) ? number(names + "x", 1) : "x",
                           truth(names + "x"));
      case 4:
        return fmt::format("{{2*x + y for x in 0..n/2, y in 0..{} if {}}}", dice_.one_in(4) ? "t" : "1",
                           truth(names + "xy"));
      case 5:
        return fmt::format("(if {} then {} else {})", truth(names, 1), set(names, truly), truly);
      default:
        return truly;
    }
  }

  std::string when(const std::string& names) { return dice_.one_in(3) ? " when " + truth(names) : ""; }

  // Of the ring, in two ways; with `f` as a third the sets are listed.
  std::string invariant(const std::string& part, const std::string& last, const std::string& truly) {
    const std::string steps = dice_.one_in(4) ? "{0, 2, 3, 9}" : "0.." + last;
    const std::string names = part.empty() ? "tk" : "tkv";
    std::string loops = part.empty() ? "for k in 0..n-1" : "for k in 0..n-1, v in 0..n-1";
    if (dice_.one_in(6)) loops += " if " + truth(dice_.one_in(3) ? names : names.substr(1), 1);
    return fmt::format("invariant after t in {}: {}:\n  held({}{}) {} {}{}\n", steps, loops,
                       dice_.one_in(8) ? "(k + t) mod n" : "k", part,
                       dice_.one_in(4) ? "contains" : "==", set(names, truly), when(names));
  }

  std::string program() {
    const std::uint32_t n = dice_.from_to(2, 6);
    const std::string f = fmt::format("let f(p, q) = {}\n", Writer(dice_).without_calls());
    std::string text = f + fmt::format("fabric complete({}, timing: rounds)\n", n);
    const bool gathers = dice_.one_in(2);
    if (gathers) {
      text +=
          "collective allgather\nfor t in 1..n-1: at t: for k in processors: send k -> (k + 1) mod n "
          "carrying (k - t + 1 + n) mod n\n";
    } else {
      text +=
          "collective reduce_scatter\nfor t in 1..n-1:\n  at t: for k in processors: send k -> (k + 1) mod n "
          "carrying part (k - t + n) mod n\n";
    }
    for (std::uint32_t count = dice_.from_to(1, 3); count > 0; --count) {
      text += gathers
                  ? invariant("", "n-1",
                              dice_.one_in(2) ? "{k - t .. k} mod n" : "{x for x in 0..n-1 if (k - x + n) mod n <= t}")
                  : invariant(", part v", "n", "{k-(if (k-v-1) mod n <= t then (k-v-1) mod n else 0)..k} mod n");
    }
    return text;
  }

 private:
  std::string without_calls() {
    std::string text = number("pq");
    while (text.find('f') != std::string::npos) text = number("pq");
    return text;
  }

  Dice& dice_;
};

std::string listed(const Report& report) {
  std::string text;
  for (const Violation& violation : report.violations) {
    if (violation.property == Property::invariants)
      text += fmt::format("{}: {}\n", violation.step->value, violation.message);
  }
  return text;
}

std::string outcome(const Report& report) {
  const PropertyResult& result = report.of(Property::invariants);
  return fmt::format("{} {} violations of {}; {}\n{}", to_string(result.verdict), result.violations,
                     report.invariant_statements, result.why, listed(report));
}

}  // namespace

TEST_CASE("invariants that come in time are judged as those that come step by step") {
  int compiled = 0;
  int in_time = 0;
  int violated = 0;
  int held = 0;
  int unknown = 0;
  const std::uint64_t first = reference::first_seed();
  for (std::uint64_t seed = first; seed < first + programs; ++seed) {
    Dice dice(seed);
    const std::string text = Writer(dice).program();
    CAPTURE(seed);
    CAPTURE(text);
    Compiled program = compile_text(text);
    CAPTURE(program.messages);
    if (!program.table) continue;
    ++compiled;
    SendTable& table = *program.table;
    for (const TableInvariant& invariant : table.invariants) in_time += invariant.in_time(Limits()) ? 1 : 0;
    const Report report = check(table);
    SendTable stepwise = table;
    for (TableInvariant& invariant : stepwise.invariants) invariant.in_time = {};
    REQUIRE(outcome(report) == outcome(check(stepwise)));
    const PropertyResult& result = report.of(Property::invariants);
    if (!result.why.empty()) {
      ++unknown;
      continue;
    }
    REQUIRE(result.violations == reference::wrong_statements(table));
    (result.verdict == Verdict::holds ? held : violated) += 1;
  }
  MESSAGE(fmt::format("of {} programs {} hold, {} not, of {} something is in error; {} invariants in time", compiled,
                      held, violated, unknown, in_time));
  CHECK(compiled > static_cast<int>(programs) / 2);
  CHECK(held > static_cast<int>(programs) / 20);
  CHECK(violated > static_cast<int>(programs) / 5);
  CHECK(in_time > static_cast<int>(programs) / 2);
}
