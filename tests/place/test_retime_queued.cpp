// Schedules whose packets wait in queues queue elsewhere, too, where that takes fewer steps.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <vector>

#include "model/fabric_notation.h"
#include "tests/compiler/compile_text.h"
#include "tests/environment.h"
#include "tests/reference/random_tables.h"
#include "tests/reference/reference_check.h"
#include "verifier/check.h"

namespace {

using namespace quadrille;

const std::string in_queues = "packets in queues";

Compiled retimed_text(const std::string& text, const Fabric& target) {
  ElaborateOptions options;
  options.fabric = target;
  options.retime = true;
  return compile_text(text, {}, options);
}

Compiled retimed_flood(const std::string& fabric, const std::string& target) {
  return retimed_text("fabric " + fabric + "\ncollective allgather\nby fifo: for k in processors: send k -> all\n",
                      parse_fabric({"test", target}, 0).value());
}

// Sends of own packets, to some or to all, in queues, on a machine of n processors.
std::string random_queueing(reference::Dice& dice, std::uint32_t n) {
  const std::vector<std::string> machines = {"star", "line", "complete", "ring"};
  // One after another: in which order a call's arguments are made is the compiler's choice.
  const std::string machine = dice.pick(machines);
  const std::string duplex = dice.one_in(4) ? ", duplex: half" : "";
  const std::string ports = dice.one_in(4) ? ", ports: single" : "";
  const std::string order = dice.one_in(3) ? "farthest_first" : "fifo";
  std::string text = fmt::format("fabric {}({}{}{})\ncollective allgather\nby {}:\n", machine, n, duplex, ports, order);
  for (std::uint32_t left = dice.from_to(2, 2 * n); left > 0; --left) {
    const std::uint32_t source = dice.below(n);
    const std::uint32_t target = (source + dice.from_to(1, n - 1)) % n;
    const std::uint32_t start = dice.from_to(1, 3);
    text += fmt::format("  at {}: send {} -> {}\n", start, source, dice.one_in(3) ? "all" : std::to_string(target));
  }
  return text;
}

// The violations of all that retiming keeps; what is delivered is that which was.
std::string faults(const SendTable& table, const SendTable& written) {
  std::string text;
  const reference::Findings now = reference::judge(table);
  for (const auto number :
       {reference::well_formed, reference::contention_free, reference::capacity, reference::causal, reference::queue}) {
    if (now.violations[number] > 0) text += fmt::format("{} ", reference::property_names[number]);
  }
  // Routes differ, so packets may come by processors that they did not come by, but none is missing that was there.
  if (now.violations[reference::complete] > reference::judge(written).violations[reference::complete])
    text += "complete";
  return text;
}

}  // namespace

TEST_CASE("floods on half-duplex trees take n + 2 log n - 2 steps when they are retimed, as many as the bound says") {
  for (std::uint32_t levels = 1; levels <= 6; ++levels) {
    const std::string tree = fmt::format("fat_tree:levels={},capacity=constant", levels);
    const Compiled flood =
        retimed_flood(fmt::format("fat_tree(levels: {}, capacity: constant)", levels), tree + ",duplex=half");
    REQUIRE_MESSAGE(flood.table, flood.messages);
    const Report report = check(*flood.table);
    CHECK(report.verdict == Verdict::holds);
    CHECK(report.steps == (1U << levels) + 2 * levels - 2);
    if (levels > 1) CHECK(flood.table->retiming->as.starts_with(in_queues));
  }
}

TEST_CASE("a limit on queues, and sends that wait nowhere, leave sends whole") {
  const std::string tree = "fat_tree(levels: 3, capacity: constant)";
  const Compiled limited = retimed_flood(tree, "fat_tree:levels=3,capacity=constant,duplex=half,queue=none");
  REQUIRE_MESSAGE(limited.table, limited.messages);
  CHECK(limited.table->retiming->as == "whole sends");
  CHECK(check(*limited.table).verdict == Verdict::holds);
  const Compiled whole =
      retimed_text("fabric " + tree + "\ncollective allgather\nfor k in processors: at 9*k + 1: send k -> all\n",
                   parse_fabric({"test", "fat_tree:levels=3,capacity=constant,duplex=half"}, 0).value());
  REQUIRE_MESSAGE(whole.table, whole.messages);
  CHECK(whole.table->retiming->as == "whole sends");
}

TEST_CASE("sends that are retimed in queues keep all rules of their fabrics, and deliver what they delivered") {
  const std::uint64_t first = reference::first_seed();
  const std::uint64_t count = tests::brief ? 300 : 5000;
  std::uint64_t in_queues_now = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    reference::Dice dice(seed);
    const Fabric other = reference::random_fabric(dice);
    if (other.processors() < 3 || !reference::each_reaches_each(other)) continue;
    const std::string text = random_queueing(dice, other.processors());
    const Compiled written = compile_text(text);
    REQUIRE_MESSAGE(written.table, written.messages << text);
    const bool at_home = dice.one_in(3);
    const Fabric& target = at_home ? written.table->fabric : other;
    const Compiled now = retimed_text(text, target);
    REQUIRE_MESSAGE(now.table, "QUADRILLE_SEED=" << seed << "\n" << now.messages << text);
    const std::string wrong = faults(*now.table, *written.table);
    CHECK_MESSAGE(wrong.empty(), "QUADRILLE_SEED=" << seed << " on " << target.notation() << ": " << wrong << "\n"
                                                   << text);
    if (at_home)
      CHECK_MESSAGE(check(*now.table).steps <= check(*written.table).steps, "QUADRILLE_SEED=" << seed << "\n" << text);
    in_queues_now += now.table->retiming->as.starts_with(in_queues) ? 1 : 0;
  }
  MESSAGE(fmt::format("{} of {} schedules from seed {} queue", in_queues_now, count, first));
  CHECK(in_queues_now > 0);
}
