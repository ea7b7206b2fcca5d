// Pages of commands: what lies in them is what the command prints, whatever it is called, and nothing else gets in.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/run.h"
#include "tests/driver/memory_environment.h"

namespace quadrille::cli::pages_of_commands {
namespace {

// Not the ordered one: g++ and clang++ do not agree on its size, and tests may be linked of what both have made.
using Json = nlohmann::json;

struct PageRun {
  int status = 0;
  std::string output;
  std::string errors;
  std::string page;  // empty: none was written
};

const std::string colliding =
    "fabric fat_tree(levels: 2)\n"
    "collective total_exchange\n"
    "for k in processors, d in 1..3:\n"
    "  at d: send k -> k xor d\n";

// Each adds up in another order; complete.
const std::string in_another_order =
    "param s: set = {1}\n"
    "fabric complete(3)\n"
    "collective allreduce\n"
    "at 1: for k in processors, t in processors if t != k: send k -> t\n";

const std::string hang =
    R"(<algo name="&lt;/script>&lt;b>" proto="Simple" nchannels="1" nchunksperloop="1" ngpus="2" coll="broadcast" inplace="0">
<gpu id="0" i_chunks="1" o_chunks="1" s_chunks="0"><tb id="0" send="1" recv="-1" chan="0"><step s="0" type="s" srcbuf="i" srcoff="0" dstbuf="o" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/></tb></gpu>
<gpu id="1" i_chunks="1" o_chunks="1" s_chunks="0"><tb id="0" send="-1" recv="0" chan="0"><step s="0" type="r" srcbuf="i" srcoff="0" dstbuf="o" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/></tb></gpu>
</algo>
)";

const std::string copying_plan =
    R"({"name": "</script><b>", "collective": "allreduce", "protocol": "Simple", "inplace": false, "gpus": [{"id": 0,
"input_chunks": 1, "output_chunks": 1, "scratch_chunks": 0, "channels": [], "remote_buffers": [], "threadblocks": [{"id": 0,
"ops": [{"name": "copy", "src_buff": [{"type": "i", "index": 0, "size": 1}],
"dst_buff": [{"type": "o", "index": 3, "size": 1}]}], "channels": [], "remote_buffer_refs": []}]}]})";

PageRun run_with_page(std::vector<std::string> arguments, std::size_t room = std::string::npos) {
  driver::MemoryEnvironment environment;
  environment.files = {{"colliding.qd", colliding},
                       {"a</script><script>alert(1)<!--.qd", colliding},
                       {"hang.xml", hang},
                       {"order.qd", in_another_order},
                       {"plan.json", copying_plan},
                       {"two.goal", "num_ranks 2\nrank 0 {\nl1: send 8b to 1\n}\nrank 1 {\nl1: recv 8b from 0\n}\n"}};
  environment.room = room;
  PageRun result;
  result.status = run(arguments, environment);
  result.output = environment.output;
  result.errors = environment.errors;
  if (environment.files.contains("p.html")) result.page = environment.files["p.html"];
  return result;
}

// What stands in the script element of that id; empty if there is none.
std::string block(const std::string& page, const std::string& id) {
  const std::string begin = "<script type=\"application/json\" id=\"" + id + "\">";
  const std::size_t from = page.find(begin);
  if (from == std::string::npos) return "";
  return page.substr(from + begin.size(), page.find("</script>", from) - from - begin.size());
}

std::size_t count(const std::string& text, const std::string& piece) {
  std::size_t found = 0;
  for (std::size_t at = text.find(piece); at != std::string::npos; at = text.find(piece, at + 1)) ++found;
  return found;
}

// Every kind of page, by the command that makes it.
const std::vector<std::vector<std::string>>& commands() {
  static const std::vector<std::vector<std::string>> all{
      {"check", "colliding.qd"},
      {"check", "total_exchange", "-D", "L=3", "--size", "1KiB"},
      {"check", "allreduce_ring", "-D", "N=4", "--rows", "1..2"},
      {"check", "a</script><script>alert(1)<!--.qd"},
      {"check", "hang.xml"},
      {"check", "two.goal"},
      {"check", "plan.json"},
      {"replay", "total_exchange", "-D", "L=2"},
      {"replay", "--pattern", "transpose", "--on", "torus:4x4"},
      {"search", "--collective", "broadcast", "--on", "ring:5"},
      {"search", "--collective", "allgather", "--on", "ring:4", "--pareto"},
      {"search", "--collective", "allgather", "--on", "ring:4", "--size", "1KiB"},
      {"compare", "--collective", "allgather", "--on", "ring:4", "--size", "1KiB,1MiB"},
      {"prove", "allreduce_ring"},
      {"prove", "colliding.qd"},
      {"prove", "allreduce_ring", "--sizes", "2..4"},
  };
  return all;
}

TEST_CASE("the outcome in a page is what --json prints, byte for byte but for <") {
  for (std::vector<std::string> arguments : commands()) {
    CAPTURE(arguments[0]);
    CAPTURE(arguments[1]);
    for (const char* each : {"--json", "--page", "p.html"}) arguments.emplace_back(each);
    const PageRun run = run_with_page(arguments);
    REQUIRE(run.page != "");
    const std::string outcome = block(run.page, "outcome");
    CHECK(count(outcome, "<") == 0);
    std::string enclosed;
    for (const char each : run.output) enclosed += each == '<' ? std::string("\\u003c") : std::string(1, each);
    CHECK(outcome == enclosed);
    CHECK(Json::parse(outcome) == Json::parse(run.output));
    CHECK(Json::accept(block(run.page, "about")));
  }
}

TEST_CASE("the same page is made beside text and beside JSON, and told of beside text only") {
  const PageRun text = run_with_page({"check", "colliding.qd", "--page", "p.html"});
  const PageRun json = run_with_page({"check", "colliding.qd", "--page", "p.html", "--json"});
  const auto told = [](const PageRun& run) {
    return Json::parse(block(run.page, "about"))["command"].get<std::string>();
  };
  const auto without_command = [&](const PageRun& run) {
    std::string page = run.page;
    const std::size_t at = page.find(told(run));
    REQUIRE(at != std::string::npos);
    return page.erase(at, told(run).size());
  };
  CHECK(without_command(text) == without_command(json));
  CHECK(text.status == exit_violated);
  CHECK(text.output.ends_with("verdict     violated\npage        p.html\n"));
  CHECK(without_command(run_with_page({"check", "colliding.qd", "--page", "p.html", "--color", "always"})) ==
        without_command(text));
}

TEST_CASE("nothing that a name says ends an element, and the network is forbidden") {
  const PageRun plain = run_with_page({"check", "colliding.qd", "--page", "p.html"});
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"check", "a</script><script>alert(1)<!--.qd", "--page", "p.html"},
        {"check", "hang.xml", "--page", "p.html"}}) {
    const PageRun run = run_with_page(arguments);
    CHECK(count(run.page, "<script>alert") == 0);
    CHECK(count(run.page, "<b>") == 0);
    CHECK(count(run.page, "</script>") == count(run.page, "<script"));
  }
  CHECK(count(plain.page, "content=\"default-src 'none'; ") == 1);
  CHECK(count(plain.page, "src=\"") == 0);
  CHECK(count(plain.page, "@import") == 0);
}

// What a column says of that row.
Json of_row(const Json& column, std::size_t row) {
  if (column.is_null()) return Json::array();
  return column.is_array() ? column[row] : column;
}

TEST_CASE("the rows in a page are those of the table, in its order, with all that is known of them") {
  for (const std::vector<std::string>& input : {std::vector<std::string>{"colliding.qd"},
                                                {"total_exchange", "-D", "L=3"},
                                                {"allreduce_ring", "-D", "N=4"},
                                                {"allgather_bruck", "-D", "N=5", "--timing", "steps"},
                                                {"total_exchange", "-D", "L=3", "--on", "torus:2x4", "--retime"}}) {
    CAPTURE(input[0]);
    std::vector<std::string> arguments{"check"};
    arguments.insert(arguments.end(), input.begin(), input.end());
    for (const char* each : {"--json", "--rows", "all", "--page", "p.html"}) arguments.emplace_back(each);
    const PageRun run = run_with_page(arguments);
    const Json listed = Json::parse(run.output)["table_rows"];
    const Json rows = Json::parse(block(run.page, "rows"));
    const Json machine = Json::parse(block(run.page, "machine"));
    REQUIRE(rows["step"].size() == listed.size());
    CHECK(rows["cut"] == false);
    for (std::size_t i = 0; i < listed.size(); ++i) {
      CAPTURE(i);
      const Json& row = listed[i];
      CHECK(rows["step"][i] == row["step"]);
      CHECK(machine["channels"]["names"][rows["channel"][i].get<std::size_t>()] == row["channel"]);
      CHECK(of_row(rows["lane"], i) == row["lane"]);
      CHECK(rows["chunks"][rows["chunk"][i].get<std::size_t>()] == row["chunk"]);
      if (row.contains("message")) CHECK(of_row(rows["message"], i) == row["message"]);
      const Json& place = rows["places"][of_row(rows["place"], i).get<std::size_t>()];
      CHECK(place["line"] == row["source"]["line"]);
      CHECK(place["file"] == row["source"]["file"]);
      CHECK(rows["phases"][of_row(rows["phase"], i).get<std::size_t>()]["line"] == row["phase"]["line"]);
      Json variables = Json::object();
      for (std::size_t k = 0; k < place["variables"].size(); ++k) {
        variables[place["variables"][k].get<std::string>()] = of_row(rows["values"], i)[k];
      }
      CHECK(variables == row["source"]["variables"]);
    }
  }
}

TEST_CASE("a page of more than 200,000 rows counts them, and shows those of violations and of --steps") {
  const std::vector<std::string> large{"check", "total_exchange", "-D", "L=8", "--page", "p.html"};
  const PageRun counted = run_with_page(large);
  CHECK(counted.page.size() < 5'000'000);
  const Json rows = Json::parse(block(counted.page, "rows"));
  CHECK(rows["cut"] == true);
  CHECK(rows["step"].empty());
  const Json cells = Json::parse(block(counted.page, "cells"));
  std::uint64_t sum = 0;
  for (const Json& line : cells["count"]) {
    for (const Json& each : line) sum += each.get<std::uint64_t>();
  }
  CHECK(sum == Json::parse(block(counted.page, "outcome"))["rows"]);
  CHECK(sum == Json::parse(block(counted.page, "use"))["rows"]);

  std::vector<std::string> window = large;
  for (const char* each : {"--steps", "10..12"}) window.emplace_back(each);
  const Json shown = Json::parse(block(run_with_page(window).page, "rows"));
  CHECK(shown["listed"] == Json::parse("[[10,12]]"));
  CHECK(std::ranges::all_of(shown["step"], [](const Json& step) { return step >= 10 && step <= 12; }));
  CHECK(shown["step"].size() > 1000);

  const PageRun wrong = run_with_page(
      {"check", "total_exchange", "-D", "L=8", "--on", "fat_tree:levels=8,capacity=constant", "--page", "p.html"});
  const Json violated = Json::parse(block(wrong.page, "rows"));
  const Json first = Json::parse(block(wrong.page, "outcome"))["violations"][0];
  CHECK(std::ranges::count(violated["step"], first["step"]) > 0);
}

TEST_CASE("report is check with a page that has the replay, too") {
  const PageRun run = run_with_page({"report", "total_exchange", "-D", "L=3", "-o", "p.html"});
  CHECK(run.status == exit_done);
  CHECK(run.output.ends_with("verdict     holds\npage        p.html\n"));
  const Json replay = Json::parse(block(run.page, "replay"));
  const PageRun alone = run_with_page({"replay", "total_exchange", "-D", "L=3", "--json"});
  CHECK(replay == Json::parse(alone.output));
  const PageRun check = run_with_page({"check", "total_exchange", "-D", "L=3", "--json"});
  CHECK(Json::parse(block(run.page, "outcome")) == Json::parse(check.output));
  CHECK(Json::parse(block(run.page, "about"))["command"] == "quadrille report total_exchange -D L=3 -o p.html");
}

// The words of a command, as a shell reads those that are plain or in single quotes.
std::vector<std::string> words_of(const std::string& command) {
  std::vector<std::string> words{""};
  bool quoted = false;
  for (std::size_t i = 0; i < command.size(); ++i) {
    const char each = command[i];
    if (each == '\'') {
      quoted = !quoted;
    } else if (each == '\\' && !quoted) {
      words.back() += command[++i];
    } else if (each == ' ' && !quoted) {
      words.emplace_back();
    } else {
      words.back() += each;
    }
  }
  return words;
}

TEST_CASE("the command that a page shows is whole, and makes that page again") {
  std::vector<std::vector<std::string>> all = commands();
  all.push_back({"report", "order.qd", "--agreement", "--size", "1KiB", "--costs", "Ts=1us", "--list", "1",
                 "--no-claims", "-o", "p.html"});
  all.push_back(
      {"check", "order.qd", "--agreement", "--on", "complete:3,capacity=2", "--timeout", "100", "-D", "s={1, 2}"});
  for (std::vector<std::string> arguments : all) {
    CAPTURE(arguments[0]);
    CAPTURE(arguments[1]);
    if (std::ranges::count(arguments, "--rows") > 0) arguments.emplace_back("--json");
    if (arguments[0] != "report") arguments.insert(arguments.end(), {"--page", "p.html"});
    const PageRun first = run_with_page(arguments);
    REQUIRE(first.page != "");
    const std::string command = Json::parse(block(first.page, "about"))["command"];
    std::vector<std::string> words = words_of(command);
    REQUIRE(words.front() == "quadrille");
    words.erase(words.begin());
    CHECK(words == arguments);
    const PageRun again = run_with_page(words);
    CHECK(again.status == first.status);
    CHECK(block(again.page, "about") == block(first.page, "about"));
  }
}

TEST_CASE("what cannot be answered, asked or written leaves no page") {
  const PageRun missing = run_with_page({"check", "nothing.qd", "--page", "p.html"});
  CHECK(missing.status == exit_bad_input);
  CHECK(missing.page == "");
  const PageRun no_page = run_with_page({"check", "colliding.qd", "--steps", "1..2"});
  CHECK(no_page.status == exit_bad_input);
  CHECK(no_page.errors == "error: --steps: expected --page, too: rows are shown there\n");
  const PageRun bad_steps = run_with_page({"check", "colliding.qd", "--page", "p.html", "--steps", "x"});
  CHECK(bad_steps.status == exit_bad_input);
  CHECK(bad_steps.page == "");
  const PageRun full = run_with_page({"check", "colliding.qd", "--page", "p.html"}, 5000);
  CHECK(full.status == exit_bad_input);
  CHECK(full.page == "");
}

}  // namespace
}  // namespace quadrille::cli::pages_of_commands
