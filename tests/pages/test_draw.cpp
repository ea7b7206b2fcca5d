// Figures of schedules and tables: read back, they are well-formed, the same each time, and say what they must.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "driver/check/check.h"
#include "driver/look/link_use.h"
#include "pages/concerned.h"
#include "pages/draw.h"
#include "pages/figures.h"
#include "tests/driver/memory_environment.h"
#include "tests/pages/read_figure.h"
#include "tests/reference/random_tables.h"

namespace quadrille::pages {
namespace {

using driver::Context;
using driver::MemoryEnvironment;

Result<DrawOutcome> draw(const std::string& view, const driver::TableRequest& input, MemoryEnvironment& environment,
                         std::optional<std::uint32_t> step = {}) {
  Context context{environment};
  DrawRequest request;
  request.input = input;
  request.view = view;
  request.step = step;
  request.output = "figure.svg";
  return run(request, context);
}

ReadFigure figure_of(const std::string& view, const driver::TableRequest& input, std::optional<std::uint32_t> step = {},
                     const std::string& text = "") {
  MemoryEnvironment environment;
  environment.files = {{"own.qd", text}};
  const Result<DrawOutcome> outcome = draw(view, input, environment, step);
  REQUIRE(outcome.ok());
  CHECK(environment.files["figure.svg"] == outcome->figure);
  MemoryEnvironment other;
  other.files = {{"own.qd", text}};
  CHECK(draw(view, input, other, step)->figure == outcome->figure);
  ReadFigure figure = read_figure(outcome->figure);
  CHECK(figure.error == "");
  CHECK(figure.outside() == std::vector<std::string>{});
  return figure;
}

std::string refused(const std::string& view, const driver::TableRequest& input, std::optional<std::uint32_t> step = {},
                    const std::string& text = "") {
  MemoryEnvironment environment;
  environment.files = {{"own.qd", text}};
  const Result<DrawOutcome> outcome = draw(view, input, environment, step);
  REQUIRE_FALSE(outcome.ok());
  CHECK(environment.files.count("figure.svg") == 0);
  return outcome.diagnostics().front().message;
}

const std::string to_all = "collective broadcast(root: 0)\nat 1: send 0 -> all\n";

const std::string collides =
    "fabric line(4)\ncollective total_exchange\n"
    "at 1: send 0 -> 2\nat 1: for k in 3..3: send 0 -> k\n";

TEST_CASE(
    "a machine has the number of every processor and the name of every switch, and fits a column if it is small") {
  const ReadFigure tree = figure_of("machine", {"total_exchange", {"L=3"}});
  for (int p = 0; p < 8; ++p) CHECK(tree.says(std::to_string(p)));
  for (const char* name : {"1.0", "1.3", "2.1", "3.0"}) CHECK(tree.says(name));
  CHECK(tree.width <= 330);
  CHECK(tree.mentions("holds: "));
  for (const char* on : {"ring:9", "torus:3x3", "hypercube:3", "star:8", "complete:5"}) {
    const ReadFigure figure = figure_of("machine", {"own.qd", {}, on}, {}, to_all);
    CHECK(figure.says("4"));
  }
}

TEST_CASE("a violated table's figure names the packets that meet, their line and its loop values") {
  for (const char* view : {"machine", "time", "use"}) {
    CAPTURE(view);
    const ReadFigure figure = figure_of(view, {"own.qd"}, {}, collides);
    CHECK(figure.mentions("contention_free violated: step 1:"));
    CHECK(figure.mentions("0->2 on 0->1, step 1, line 3"));
    CHECK(figure.mentions("0->3 on 0->1, step 1, line 4 (k=3)"));
  }
  const ReadFigure machine = figure_of("machine", {"own.qd"}, {}, collides);
  CHECK(machine.says("0->2, 0->3"));
}

TEST_CASE("with a step the machine shows what is sent in it") {
  const std::string relay = "fabric line(3)\ncollective broadcast(root: 0)\nat 1: send 0 -> all\n";
  const ReadFigure first = figure_of("machine", {"own.qd"}, 1, relay);
  CHECK(first.says("0->*"));
  CHECK(first.says("sent in step 1"));
  CHECK(refused("machine", {"own.qd"}, 3, relay) == "--step 3: the table has steps 1 to 2");
}

TEST_CASE("space and time: a cell for each packet, by line, with the groups of channels") {
  const ReadFigure figure = figure_of("time", {"own.qd"}, {}, collides);
  CHECK(figure.says("line 3"));
  CHECK(figure.says("line 4"));
  CHECK(figure.says("0->1"));
  const ReadFigure tree = figure_of("time", {"total_exchange", {"L=2"}});
  CHECK(tree.says("level 2 up"));
  CHECK(tree.width == 320);
}

TEST_CASE("what is large is counted, and the caption says so") {
  const ReadFigure figure = figure_of("time", {"total_exchange", {"L=6"}});
  CHECK(figure.mentions("A cell counts the packets of up to "));
  CHECK(figure.height < 1100);
  CHECK(figure.width == 320);
}

TEST_CASE("use over time says how full each group is, and how many packets wait") {
  const ReadFigure tree = figure_of("use", {"total_exchange", {"L=3"}});
  CHECK(tree.mentions("level 3 down: "));
  CHECK(tree.mentions("No packet waits in a switch."));
  const std::string waits = "fabric fat_tree(levels: 2)\ncollective scatter(root: 0)\nat 1: send 0 -> 1\n";
  CHECK_FALSE(figure_of("use", {"own.qd"}, {}, waits).mentions("switches of level 1: 1"));
  CHECK(figure_of("use", {"allgather_ring", {"N=5"}}).mentions("all channels: "));
}

TEST_CASE("steps over sizes stand beside the lower bound, and times of messages too") {
  const ReadFigure figure = figure_of("sizes", {"total_exchange"});
  CHECK(figure.says("lower bound"));
  CHECK(figure.says("64"));
  CHECK(figure.mentions("steps over processors"));
  MemoryEnvironment environment;
  Context context{environment};
  DrawRequest request{{"allreduce_ring", {"N=4"}}, "sizes", {}, {"1KiB,64KiB,1MiB"}};
  const Result<DrawOutcome> outcome = run(request, context);
  REQUIRE(outcome.ok());
  const ReadFigure times = read_figure(outcome->figure);
  CHECK(times.outside().empty());
  CHECK(times.mentions("µs over bytes of a message"));
  CHECK(environment.output == outcome->figure);
}

TEST_CASE("what cannot be drawn is refused, and nothing is written") {
  CHECK(refused("everything", {"total_exchange", {"L=2"}}) ==
        "--view everything: expected machine or time or use or sizes");
  CHECK(refused("time", {"own.qd"}, {}, "fabric line(2)\ncollective broadcast(root: 0)\n") ==
        "there is nothing to draw: the table has no rows");
  CHECK(refused("time", {"total_exchange", {"L=2"}}, 1) == "--step: expected --view machine");
  CHECK(refused("machine", {"own.qd", {}, "ring:2000"}, {}, to_all) ==
        "ring:2000 has 2000 nodes and 4000 channels; a machine is drawn with at most 1024 and 20000");
  MemoryEnvironment environment;
  environment.room = 100;
  const Result<DrawOutcome> outcome = draw("use", {"total_exchange", {"L=2"}}, environment);
  REQUIRE_FALSE(outcome.ok());
  CHECK(outcome.diagnostics().front().message == "cannot write figure.svg: No space left on device");
  CHECK(environment.files.empty());
}

// The packets of the first violation, the first few.
void check_named(const ReadFigure& figure, const CheckedTable& table) {
  const Violation* violation = shown_violation(table.outcome.report);
  if (violation == nullptr) return;
  REQUIRE(figure.mentions("violated: "));
  for (std::size_t i = 0; i < std::min<std::size_t>(violation->rows.size(), 6); ++i)
    REQUIRE(figure.mentions(table.outcome.table.collective.label(violation->rows[i].row.chunk)));
}

TEST_CASE("random tables on random fabrics are drawn in every view") {
  const std::uint64_t seed = reference::first_seed();
  for (std::uint64_t i = seed; i < seed + 150; ++i) {
    CAPTURE(i);
    driver::CheckOutcome outcome{reference::random_table(i), "", {}, {}};
    outcome.report = check(outcome.table);
    const driver::TableUse use = driver::table_use(outcome.table, 200);
    if (use.rows == 0) continue;
    const CheckedTable table{outcome, use, {}};
    const std::uint32_t last = static_cast<std::uint32_t>(use.steps);
    for (const std::string& svg : {machine_figure(table), machine_figure(table, 1), machine_figure(table, last),
                                   time_figure(table), use_figure(table)}) {
      const ReadFigure figure = read_figure(svg);
      REQUIRE(figure.error == "");
      REQUIRE(figure.outside() == std::vector<std::string>{});
      check_named(figure, table);
    }
    CHECK(machine_figure(table) == machine_figure(table));
    const ReadFigure machine = read_figure(machine_figure(table));
    for (std::uint32_t p = 0; p < outcome.table.fabric.nodes(); ++p)
      REQUIRE(machine.says(outcome.table.fabric.name(NodeId(p))));
  }
}

}  // namespace
}  // namespace quadrille::pages
