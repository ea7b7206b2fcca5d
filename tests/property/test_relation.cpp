// Random small schedules in rounds and steps, in which supersets, several arrivals at once, gaps and repeated sends
// meet: what the prover calls proved, the checker accepts. QUADRILLE_SEED chooses them.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <random>
#include <string>

#include "tests/environment.h"
#include "tests/reference/compiled.h"
#include "tests/reference/random_tables.h"
#include "verifier/prove.h"

namespace quadrille::tests {
namespace {

class RandomSchedules {
 public:
  explicit RandomSchedules(std::uint64_t seed) : random_(seed) {}

  std::string next() {
    const int n = number(2, 4);
    static const char* const collectives[] = {"reduce(root: 0)", "allreduce",
                                              "prefix",          "allreduce(operation: idempotent)",
                                              "reduce_scatter",  "allreduce(operation: ordered)",
                                              "allgather",       "broadcast(root: 0)"};
    const std::string collective = collectives[number(0, 7)];
    static const char* const fabrics[] = {"complete({}, capacity: 3, timing: rounds)", "complete({}, capacity: 3)",
                                          "star({}, capacity: 3)"};
    const std::string fabric = fabrics[number(0, 2)];
    std::string text =
        fmt::format("fabric {}\ncollective {}\n", fmt::vformat(fabric, fmt::make_format_args(n)), collective);
    const int sends = number(1, 2 * n);
    int at = 1;
    for (int i = 0; i < sends; ++i) {
      const int source = number(0, n - 1);
      const int target = (source + number(1, n - 1)) % n;
      at += number(0, 2);
      text += fmt::format("{}at {}: send {} -> {}{}\n", number(0, 9) == 0 ? "then " : "", at, source, target,
                          carried(collective, n));
      if (number(0, 7) == 0)
        text += fmt::format("for i in 0..1: at {}: send {} -> {}{}\n", at + 1, source, target, carried(collective, n));
    }
    return text;
  }

 private:
  int number(int first, int last) { return std::uniform_int_distribution<int>(first, last)(random_); }

  std::string carried(const std::string& collective, int n) {
    if (collective == "allgather") return fmt::format(" carrying {}", number(0, n - 1));
    if (collective == "reduce_scatter") return fmt::format(" carrying part {}", number(0, n - 1));
    return collective.rfind("broadcast", 0) == 0 ? " carrying 0" : "";
  }

  std::mt19937_64 random_;
};

TEST_CASE("of random small schedules, those that are proved hold") {
  const std::uint64_t seed = reference::first_seed();
  MESSAGE("QUADRILLE_SEED=", seed);
  RandomSchedules schedules(seed);
  const int many = long_run() ? 10'000 : brief ? 30 : 200;
  int proved = 0;
  int right = 0;
  for (int i = 0; i < many; ++i) {
    const std::string text = schedules.next();
    CAPTURE(text);
    const auto schedule = reference::compiled(text).schedule;
    REQUIRE(schedule);
    ProveOptions options;
    options.threads = 1;
    const bool is_proved = prove(*schedule, options).verdict == ProofVerdict::proved;
    const bool is_right = reference::holds_at(schedule, {}).value_or(false);
    if (is_proved) CHECK(is_right);
    proved += is_proved ? 1 : 0;
    right += is_right ? 1 : 0;
  }
  MESSAGE(proved, " of ", right, " right ones are proved");
  CHECK(6 * proved >= right);
}

}  // namespace
}  // namespace quadrille::tests
