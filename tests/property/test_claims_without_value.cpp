// Random claims whose expressions may have no value: quotients, exponents, logarithms and roots of parameters over
// their ranges. However they are undefined, no fault is the prover's. QUADRILLE_SEED chooses them, QUADRILLE_LONG=1
// tries more.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/environment.h"
#include "tests/reference/compiled.h"
#include "tests/reference/random_tables.h"
#include "verifier/prove.h"

namespace quadrille::tests {
namespace {

using reference::Dice;

class Claims {
 public:
  explicit Claims(Dice& dice) : dice_(dice) {}

  // A broadcast that holds, for one or two parameters that it does not speak of, with claims about these.
  std::string schedule() {
    std::string text;
    for (const std::string& name : names_) text += fmt::format("param {} in {}\n", name, range());
    text += "fabric fat_tree(levels: 2)\ncollective broadcast(root: 0)\nsend 0 -> all\n";
    for (std::uint32_t i = dice_.from_to(1, 2); i > 0; --i) text += claim();
    return text;
  }

 private:
  std::string range() {
    const std::uint32_t first = dice_.below(3);
    return fmt::format("{}..{}", first, first + dice_.pick<std::uint32_t>({0, 3, 12, 40}));
  }

  std::string claim() {
    const std::string when = dice_.one_in(3) ? " when " + truth(1) : "";
    return fmt::format("claim {}{}\n", truth(2), when);
  }

  std::string truth(int depth) {
    const std::string one =
        fmt::format("{} {} {}", number(depth), dice_.pick<std::string>({"==", "!=", "<", "<=", ">", ">="}),
                    dice_.one_in(3) ? "steps" : number(depth - 1));
    if (!dice_.one_in(4)) return one;
    return fmt::format("{} {} {} < {}", one, dice_.pick<std::string>({"and", "or"}), number(1), number(1));
  }

  std::string leaf() {
    if (dice_.one_in(3)) return std::to_string(dice_.pick<int>({0, 1, 2, 3, 8, 64}));
    return dice_.one_in(2) ? dice_.pick(names_) : less();
  }

  // Below zero, or zero, for some values.
  std::string less() { return fmt::format("({} - {})", dice_.pick(names_), dice_.from_to(1, 3)); }

  std::string number(int depth) {
    if (depth <= 0) return leaf();
    const std::string a = number(depth - 1);
    switch (dice_.below(11)) {
      case 0:
        return fmt::format("({} + {})", a, number(depth - 1));
      case 1:
        return fmt::format("({} - {})", a, number(depth - 1));
      case 2:
        return fmt::format("({} * {})", a, leaf());
      case 3:
        return fmt::format("({} / 2^{})", a, less());
      case 4:
        return fmt::format("({} / {})", a, leaf());
      case 5:
        return fmt::format("({} mod {})", a, leaf());
      case 6:
        return fmt::format("2^{}", dice_.one_in(4) ? a : leaf());
      case 7:
        return fmt::format("{}({})", dice_.pick<std::string>({"log2", "sqrt"}), a);
      case 8:
        return fmt::format("({} {} {})", a, dice_.pick<std::string>({"shl", "shr"}), leaf());
      case 9:
        return fmt::format("{}({}, {})", dice_.pick<std::string>({"ceil_div", "gcd", "min", "max"}), a, leaf());
      default:
        return fmt::format("(if {} < {} then {} else {})", leaf(), leaf(), a, leaf());
    }
  }

  Dice& dice_;
  std::vector<std::string> names_ = {"A", "B"};
};

Proof proof_of(const std::shared_ptr<const ir::Schedule>& schedule, bool asked) {
  ProveOptions options;
  options.effort = 1'000'000;
  options.threads = 1;
  if (asked) options.holds_at = [&](const Arguments& at) { return reference::holds_at(schedule, at); };
  return prove(*schedule, options);
}

// What a person would read of a fault; empty of none.
std::string fault_of(const Proof& proof) {
  if (proof.reason == Reason::internal) return "reason: " + proof.why;
  if (proof.why.find("fault of the prover") != std::string::npos) return proof.why;
  for (const ProvedObligation& each : proof.obligations) {
    if (each.reason == Reason::internal || each.why.find("fault of the prover") != std::string::npos)
      return each.name + ": " + each.why;
  }
  return "";
}

TEST_CASE("no claim, whether it has a value or not, brings to light a fault of the prover") {
  const std::uint64_t first = reference::first_seed();
  const std::uint64_t tries = long_run() ? 3000 : share(120);
  std::uint64_t refuted = 0;
  std::uint64_t proved = 0;
  for (std::uint64_t seed = first; seed < first + tries; ++seed) {
    Dice dice(seed);
    const std::string text = Claims(dice).schedule();
    const auto compiled = reference::compiled(text);
    if (!compiled.schedule) continue;
    CAPTURE(seed);
    CAPTURE(text);
    const Proof proof = proof_of(compiled.schedule, dice.one_in(2));
    CHECK(fault_of(proof) == "");
    refuted += proof.verdict == ProofVerdict::refuted ? 1 : 0;
    proved += proof.verdict == ProofVerdict::proved ? 1 : 0;
  }
  MESSAGE(refuted << " refuted, " << proved << " proved");
  CHECK(refuted > 0);
}

}  // namespace
}  // namespace quadrille::tests
