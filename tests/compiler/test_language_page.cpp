// Every example on dsl/LANGUAGE.md, compiled and run.
//
// An example is a block that is indented by four spaces. Most are pieces of a file: what they refer to is supplied
// here, by the heading under which they stand.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "compiler/compile.h"
#include "dsl/load.h"

namespace {

using namespace quadrille;

struct Example {
  std::string heading;
  std::string text;
  std::size_t line = 0;
};

std::vector<Example> examples() {
  std::ifstream page(QUADRILLE_SOURCE_FOLDER "/dsl/LANGUAGE.md");
  std::vector<Example> result;
  std::string heading;
  std::size_t number = 0;
  bool inside = false;
  for (std::string line; std::getline(page, line);) {
    ++number;
    if (line.starts_with("#")) heading = line.substr(line.find(' ') + 1);
    const bool code = line.starts_with("    ") || (inside && line.empty());
    if (code && !inside) result.push_back({heading, {}, number});
    if (code) result.back().text += (line.empty() ? line : line.substr(4)) + "\n";
    inside = code;
  }
  return result;
}

const std::string tree = "fabric fat_tree(levels: 4)\n";
const std::string exchange = "collective total_exchange\n";
const std::string machine = tree + exchange;
const std::string numbers =
    "let L = 4\nlet M = 2\nlet h = 2\nlet l = 0\nlet a = 1\nlet b = 2\nlet k = 1\nlet first = 0\nlet leaf = true\n"
    "let n1 = 4\nlet n2 = 4\nlet i = 0\nlet j = 0\nlet r = 0\n"
    "let start(x) = x\nlet width(x) = x\nlet c(x) = 2^x\n";
const std::string procedures =
    "procedure nothing():\n  send 0 -> 1\nprocedure done(x):\n  send x -> x + 1\nprocedure wait(x):\n  send x -> x + "
    "1\n"
    "procedure phase(x):\n  send x -> x + 1\nprocedure shift():\n  send 0 -> 1\n"
    "procedure ring(x):\n  send 0 -> 1 carrying 0 -> 1\n";
const std::string exchanges = "procedure exchange(x, y):\n  send 0 -> 1\n";

// The rest of the file in which an example of this heading stands.
const std::map<std::string, std::string>& surroundings() {
  static const std::map<std::string, std::string> all = {
      {"The schedule language", ""},
      {"include", machine + "param L in 1..8 = 4\nparam capacity: pattern = constant\n"},
      {"param", machine},
      {"let", machine + "let L = 4\n"},
      {"fabric, collective", "let L = 4\n"},
      {"defining a fabric", "fabric twins(8)\ncollective total_exchange\nsend 0 -> 1 along leaf[0]\n"},
      {"procedure", machine + "procedure round(l):\n  send l -> l + 1\nexchange(2, round)\n"},
      {"claim", machine + "let L = 4\nfor d in n - 1 downto 1: at n - d: send 0 -> d\n"},
      {"invariant", ""},
      {"send", tree + "collective allgather(parts: 3)\n" + numbers},
      {"words", "fabric complete(8)\ncollective exclusive_prefix\n"},
      {"Rounds", ""},
      {"messages", "fabric complete(8, timing: rounds)\ncollective allgather\n"},
      {"at, for, repeat", machine + numbers + procedures + exchanges},
      {"if", machine + numbers + procedures},
      {"reverse, relabel, by", machine + numbers + procedures + "procedure scatter(x):\n  send 0 -> 1\n"},
      {"blocks of processors", "fabric complete(8, timing: rounds)\ncollective allgather(parts: 4)\n"},
      {"run", ""},
      {"calls", machine + numbers + exchanges},
      {"Expressions", machine + numbers},
  };
  return all;
}

// Each line of expressions as a constant's value.
std::string as_constants(const std::string& text) {
  std::istringstream lines(text);
  std::string result;
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty()) result += fmt::format("let e{} = {}\n", count++, line);
  }
  return result;
}

// What is wrong with it; nothing if it gives a table.
std::string mistakes(const std::string& text) {
  Sources sources;
  const auto files = [](const std::string& path) {
    return path == "lib/common.qd" ? std::optional<std::string>("let common = 1\n") : std::nullopt;
  };
  auto program = load({"example.qd", text}, files, sources);
  if (!program) return render(program.diagnostics(), sources);
  auto schedule = compile(*program, "example");
  if (!schedule) return render(schedule.diagnostics(), sources);
  Arguments arguments;
  if (text.find("param L in 1..62\n") != std::string::npos || text.starts_with("// Scatter"))
    arguments.emplace("L", "4");
  if (text.find("param m in 2..\n") != std::string::npos) arguments.emplace("m", "5");
  auto table = elaborate(*schedule, arguments);
  return table ? std::string() : render(table.diagnostics(), sources);
}

}  // namespace

TEST_CASE("every example of the language's page compiles and gives a table") {
  std::size_t run = 0;
  for (const Example& example : examples()) {
    if (example.heading == "Grammar") continue;
    const auto around = surroundings().find(example.heading);
    REQUIRE_MESSAGE(around != surroundings().end(), "line " << example.line << ": an example under '" << example.heading
                                                            << "', for which nothing is supplied");
    // `fabric` and `collective` stand once in a file.
    std::string text = example.heading == "Expressions" ? as_constants(example.text) : example.text;
    std::string rest = around->second;
    if (example.heading == "fabric, collective") rest += text.starts_with("fabric") ? "" : "fabric complete(4)\n";
    const std::string wrong = mistakes(text + rest);
    CHECK_MESSAGE(wrong.empty(), "line " << example.line << " of LANGUAGE.md:\n" << text << rest << wrong);
    ++run;
  }
  CHECK(run >= 14);
}
