// The promise of `--memory`: a command takes no more than its limit and a tenth, beside the 32 MiB of the program
// itself.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "cli/run.h"
#include "tests/driver/memory_environment.h"
#include "tests/environment.h"

namespace quadrille::cli {
namespace {

constexpr double mib = 1 << 20;

struct Ended {
  int status;
  double peak;  // resident, in MiB
};

// Runs a command in a process of its own, which begins with what this one has.
Ended run_alone(const std::vector<std::string>& arguments, driver::MemoryEnvironment& environment) {
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) ::_exit(arguments.empty() ? 0 : run(arguments, environment));
  int status = 0;
  struct rusage usage {};
  REQUIRE(::wait4(child, &status, 0, &usage) == child);
  REQUIRE(WIFEXITED(status));
  return {WEXITSTATUS(status), static_cast<double>(usage.ru_maxrss) * 1024 / mib};
}

// Schedules whose texts are long in different ways: a list of items, a block, parts, an expression.
std::vector<std::string> long_schedules() {
  const std::string head = "fabric complete(64)\ncollective broadcast(root: 0)\n";
  std::string items = head;
  std::string block = head + "at 1:\n";
  std::string parts = head;
  std::string set = head + "for k in {0";
  for (int i = 0; i < 150'000; ++i) {
    items += fmt::format("at {}: send 0 -> {}\n", i + 1, i % 63 + 1);
    block += fmt::format("  send 0 -> {}\n", i % 63 + 1);
    parts += fmt::format("then send 0 -> {}\n", i % 63 + 1);
    set += fmt::format(", {0}, {0} + 1, {0} * 2", i);
  }
  return {items, block, parts, set + "}: send 0 -> k\n"};
}

TEST_CASE("reading a long schedule takes no more memory than it is given") {
  if (tests::sanitized) return;
  for (const std::string& text : long_schedules()) {
    driver::MemoryEnvironment environment;
    environment.files = {{"long.qd", text}};
    const double before = run_alone({}, environment).peak;
    for (const double limit : {25.0, 50.0, 100.0, 200.0}) {
      const Ended ended = run_alone({"check", "long.qd", "--memory", fmt::format("{:.6f}", limit / 1024)}, environment);
      CAPTURE(text.substr(0, 100));
      CAPTURE(limit);
      CHECK(ended.peak <= before + limit * 1.1 + 32);
      if (limit < 50) CHECK(ended.status == exit_unknown);
    }
  }
}

// An allreduce around a ring, in rounds; without a limit each of its (value, processor) took some 200 bytes once.
TEST_CASE("one processor's program of a large allreduce takes no more memory than it is given") {
  if (tests::sanitized) return;
  driver::MemoryEnvironment environment;
  environment.files["ring.qd"] =
      "param N in 2..\nfabric ring(N, ports: single, timing: rounds)\ncollective allreduce(parts: N)\n"
      "for t in 1..n-1:\n  at t: for k in processors: send k -> (k + 1) mod n carrying part (k - t + n) mod n\n"
      "for t in 1..n-1:\n  at n - 1 + t: for k in processors: send k -> (k + 1) mod n carrying part (k - t + 1 + n) "
      "mod n\n";
  const double before = run_alone({}, environment).peak;
  const double limit = tests::long_run() ? 256 - 32 : 48;
  const std::string size = tests::long_run() ? "N=4096" : "N=1024";
  const Ended ended = run_alone({"compile", "ring.qd", "-D", size, "--rank", "3", "--format", "csv", "--memory",
                                 fmt::format("{:.6f}", limit / 1024)},
                                environment);
  CHECK(ended.status == 0);
  CHECK(ended.peak <= before + limit * 1.1 + 32);
}

}  // namespace
}  // namespace quadrille::cli
